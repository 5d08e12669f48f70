"""Functions that are not written out at each call: by annotation, and because they are large."""

import csv
import io
import math

from pathlib import Path

from harness import check_exit, contains, equal, main, run, run_text, scratch

# More operations than are written out.
LARGE = """function large
  input Real u;
  input Real p;
  output Real w;
  output Real twice "of p alone";
  output Real same;
protected
  Real a[700];
algorithm
  a[1] := 1;
  for i in 2:700 loop
    a[i] := sin(a[i - 1] + u/i);
  end for;
  w := sum(a[i]/(1 + (u + p)^2*i) for i in 1:700);
  twice := 2*p;
  same := u;
end large;
"""


def large(u, p):
    a, total = 1.0, 1/(1 + (u + p)**2)
    for i in range(2, 701):
        a = math.sin(a + u/i)
        total += a/(1 + (u + p)**2*i)
    return total


def rows_of(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    rows = csv.DictReader(io.StringIO(result.out))
    return [{k: float(v) for k, v in row.items()} for row in rows]


def close(got, wanted, tolerance=1e-7):
    assert abs(got - wanted) <= tolerance*max(1, abs(wanted)), (got, wanted)


def test_a_large_function_is_called_not_written_out():
    text = LARGE + """model M
  Real w, v, t2, s;
equation
  (w, t2, s) = large(time, 3);
  v = der(w);
end M;"""
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, "'large#")
    assert len(shown.split("model M")[1]) < 200, shown[-2000:]
    assert len(shown) < 60000, len(shown)  # its body once, with names for what is shared
    contains(shown, "t2 = 6")
    contains(shown, "s = time")
    for row in rows_of(text, "--stop", "1", "--intervals", "4"):
        t, h = row["time"], 1e-5
        close(row["w"], large(t, 3))
        close(row["v"], (large(t + h, 3) - large(t - h, 3))/(2*h), 1e-6)


def test_a_large_function_in_a_branch_is_run_only_there():
    text = """function large
  input Real u; output Real w;
protected
  Real a[900];
algorithm
  assert(u > 0, "the argument is not positive");
  a[1] := log(u);
  for i in 2:900 loop
    a[i] := sin(a[i - 1] + u/i);
  end for;
  w := a[900];
end large;
function f
  input Real u; output Real w;
algorithm
  w := 7;
  if u > 1 then
    w := large(u - 1);
  end if;
end f;
model M
  Real w;
equation
  w = f(2*time + 0.25);
end M;"""
    for row in rows_of(text, "--stop", "1", "--intervals", "4"):
        u = 2*row["time"] + 0.25
        a = math.log(u - 1) if u > 1 else 0
        for i in range(2, 901):
            a = math.sin(a + (u - 1)/i)
        close(row["w"], a if u > 1 else 7)


def test_assertions_of_a_large_function_are_watched():
    text = """function large
  input Real u; output Real w;
protected
  Real a[900];
algorithm
  a[1] := u;
  for i in 2:900 loop
    a[i] := sin(a[i - 1] + u/i);
    assert(a[i] < 1, "never");
  end for;
  assert(u < 0.5, "u has grown too large");
  w := a[900];
end large;
model M
  Real w;
equation
  w = large(time);
end M;"""
    result = check_exit(run_text("simulate", text, "--stop", "1"), 5)
    contains(result.err, "u has grown too large")
    check_exit(run_text("simulate", text, "--stop", "0.4"), 0)


def test_inline_false_keeps_the_call():
    text = """function f
  input Real u; output Real w;
algorithm
  w := u^3;
  annotation(Inline = false);
end f;
model M
  Real w, v;
equation
  w = f(time);
  v = der(w);
end M;"""
    contains(check_exit(run_text("show", text), 0).out, "'f#")
    assert "'f#" not in check_exit(run_text("show", text.replace("= false", "= true")), 0).out
    for row in rows_of(text, "--stop", "2", "--intervals", "4"):
        close(row["w"], row["time"]**3)
        close(row["v"], 3*row["time"]**2)


def test_a_matrix_product_is_written_out():
    text = """function product
  input Real a[12, 12]; input Real b[12, 12]; output Real c[12, 12];
algorithm
  c := a*b;
end product;
model M
  Real a[12, 12], c[12, 12];
equation
  a = {{i*time + j for j in 1:12} for i in 1:12};
  c = product(a, transpose(a));
end M;"""
    assert "'product#" not in check_exit(run_text("show", text), 0).out


def test_equal_calls_are_equal_whatever_they_compute():
    text = LARGE + """model M
  Real x(start = 1, fixed = true), y;
initial equation
  y = large(x, 3);
equation
  der(x) = -x;
  y = large(x, 3);
end M;"""
    contains(check_exit(run_text("check-init", text), 0).out, "redundant")


DERIVATIVE = """function f
  input Real x; input Real p; input Real k; output Real y; output Integer n;
algorithm
  y := p*x^2 + k;
  n := 3;
  annotation(Inline = false, derivative(zeroDerivative = k) = f_der);
end f;
function f_der "not the derivative: to be told apart"
  input Real x; input Real p; input Real k; input Real x_der; input Real p_der;
  output Real y_der;
algorithm
  y_der := 3*p*x*x_der + x^2*p_der;
end f_der;
model M
  Real y, v, a;
equation
  y = f(time, 2 + sin(time), time^2);
  v = der(y);
  a = der(v);
end M;
"""


def test_the_derivative_is_that_of_the_annotation():
    for row in rows_of(DERIVATIVE, "--stop", "1", "--intervals", "4"):
        t = row["time"]
        p, p_der = 2 + math.sin(t), math.cos(t)
        close(row["y"], p*t**2 + t**2)
        close(row["v"], 3*p*t + t**2*p_der + 2*t)  # by k it is that of the body
        close(row["a"], 3*p + 3*p_der*t + 2*t*p_der - t**2*math.sin(t) + 2, 1e-6)


def test_an_argument_without_derivative_still_has_partial_derivatives():
    text = """function turn
  input Real x; input Real c; output Real y;
algorithm
  y := c*x;
  annotation(%s, derivative(noDerivative = c) = turn_der);
end turn;
function turn_der
  input Real x; input Real c; input Real x_der; output Real y_der;
algorithm
  y_der := c*x_der;
end turn_der;
model M
  Real c(start = 1), y;
equation
  y = 2 + time;
  y = turn(1 + time, c);
end M;"""
    for word in ("Inline = false", "InlineAfterIndexReduction = true", "LateInline = true"):
        for row in rows_of(text % word, "--stop", "1", "--intervals", "2"):
            close(row["c"], (2 + row["time"])/(1 + row["time"]))


def test_a_second_derivative_is_that_of_the_annotation():
    text = """function f
  input Real x; input Integer n; input Real y; output Real z;
algorithm
  z := x^3*y + n;
  annotation(Inline = false, derivative(noDerivative = n) = f_der);
end f;
function f_der
  input Real x; input Integer n; input Real y; input Real dx; input Real dy; output Real dz;
algorithm
  dz := 3*x^2*y*dx + x^3*dy;
  annotation(Inline = false, derivative(order = 2, noDerivative = n) = f_der2);
end f_der;
function f_der2 "with 7 in place of 6: to be told apart"
  input Real x; input Integer n; input Real y; input Real dx; input Real dy; input Real ddx;
  input Real ddy; output Real ddz;
algorithm
  ddz := 7*x*y*dx^2 + 6*x^2*dx*dy + 3*x^2*y*ddx + x^3*ddy;
end f_der2;
model M
  Real z, v, a;
equation
  z = f(time^2, 4, sin(time));
  v = der(z);
  a = der(v);
end M;"""
    for row in rows_of(text, "--stop", "1", "--intervals", "2"):
        t = row["time"]
        x, dx, y, dy = t*t, 2*t, math.sin(t), math.cos(t)
        close(row["z"], x**3*y + 4)
        close(row["v"], 3*x*x*y*dx + x**3*dy)
        close(row["a"], 7*x*y*dx*dx + 6*x*x*dx*dy + 6*x*x*y - x**3*y)


def test_a_third_derivative_is_that_of_the_annotation():
    """And a fourth one that of its body; f3 is told apart by a function of its own."""
    text = """function f
  input Real x; input Integer n; input Real y; output Real z;
algorithm
  z := x^3*y + n;
  annotation(Inline = false, derivative(noDerivative = n) = f1);
end f;
function f1
  input Real x; input Integer n; input Real y; input Real dx; input Real dy; output Real dz;
algorithm
  dz := 3*x^2*y*dx + x^3*dy;
  annotation(Inline = false, derivative(order = 2, noDerivative = n) = f2);
end f1;
function f2
  input Real x; input Integer n; input Real y; input Real dx; input Real dy; input Real ddx;
  input Real ddy; output Real ddz;
algorithm
  ddz := 6*x*y*dx^2 + 6*x^2*dx*dy + 3*x^2*y*ddx + x^3*ddy;
  annotation(Inline = false, derivative(order = 3, noDerivative = n) = f3);
end f2;
function f3
  input Real x; input Integer n; input Real y; input Real dx; input Real dy; input Real ddx;
  input Real ddy; input Real dddx; input Real dddy; output Real dddz;
algorithm
  dddz := 6*y*dx^3 + 18*x*dx^2*dy + 18*x*y*dx*ddx + 9*x^2*ddx*dy + 9*x^2*dx*ddy
    + 3*x^2*y*dddx + x^3*dddy;
  annotation(Inline = false);
end f3;
model M
  Real z, v, a, j, s;
equation
  z = f(time^2, 4, sin(time));
  v = der(z);
  a = der(v);
  j = der(a);
  s = der(j);
end M;"""
    check_exit(run_text("show", text, "--check-annotations"), 0)
    last = rows_of(text, "--stop", "1", "--intervals", "1")[-1]
    close(last["a"], 30.88628622984668)
    close(last["j"], 133.9169456726699)  # t^6*sin(t), differentiated by hand and at t = 1
    close(last["s"], 398.6840997261010, 1e-6)
    wrong = text.replace("6*y*dx^3", "7*y*dx^3")
    close(rows_of(wrong, "--stop", "1", "--intervals", "1")[-1]["j"], 140.6487135511330)
    result = check_exit(run_text("show", wrong, "--check-annotations"), 1)
    contains(result.err, "the annotation derivative of 'f2' is wrong: at x = ")
    result = check_exit(run_text("show", text.replace("6*x*y*dx^2", "5*x*y*dx^2"),
                                 "--check-annotations"), 1)
    contains(result.err, "the annotation derivative of 'f1' is wrong: at x = ")


NESTED = """function g
  input Real x[2]; output Real y; output Real z;
algorithm
  y := x[1]*exp(-x[2]) + min(x[1], x[2]);
  z := if x[1] > x[2] then sqrt(x[1]) else x[2]^3;
  annotation(Inline = false);
end g;
function t
  input Real u; output Real y;
protected
  Real v = u;
algorithm
  while v > 0.25 loop
    v := v - 0.25;
  end while;
  y := v + 3;
  annotation(Inline = false);
end t;
function f
  input Real a; input Real b; output Real y; output Real same; output Integer n;
protected
  Real p; Real q;
algorithm
  (p, q) := g({a, b});
  y := p*q + t(a) + 7;
  same := b;
  n := 5;
  annotation(Inline = false);
end f;
model M
  Real y, s, w;
equation
  (y, s) = f(1 + time, time);
  w = der(g({time, 2}));
end M;"""


def test_bodies_inside_bodies_on_the_tape_and_in_native_code():
    rows = rows_of(NESTED, "--stop", "1", "--intervals", "2")
    for row in rows:
        t = row["time"]
        a = 1 + t
        v = a
        while v > 0.25:
            v -= 0.25
        p = a*math.exp(-t) + min(a, t)
        close(row["y"], p*math.sqrt(a) + v + 3 + 7)
        close(row["s"], t)
        close(row["w"], math.exp(-2) + 1)
    assert rows == rows_of(NESTED, "--stop", "1", "--intervals", "2", "--native")


def test_a_long_body_in_native_code():
    text = LARGE + "model M Real w, v; equation w = large(time, 3); v = der(w); end M;"
    options = ("--stop", "1", "--intervals", "2")
    assert rows_of(text, *options) == rows_of(text, *options, "--native")


def test_the_bodies_of_calls_are_counted():
    text = """function f
  input Real x; output Real y;
algorithm
  y := x*x*x*x*x + x + 1;
  annotation(Inline = %s);
end f;
model M Real x(start = 1, fixed = true); equation der(x) = -f(x); end M;"""
    counts = []
    for word in ("true", "false"):
        result = check_exit(run_text("simulate", text % word, "--method", "euler", "--step",
                                     "0.1", "--stop", "1", "--stats"), 0)
        counts.append([line for line in result.err.splitlines()
                       if "operations of a step" in line])
    assert counts[0] and counts[0] == counts[1], counts


def test_small_functions_are_differentiated_as_they_are():
    text = DERIVATIVE.replace("Inline = false, ", "")
    for row in rows_of(text, "--stop", "1", "--intervals", "2"):
        t = row["time"]
        close(row["v"], 2*(2 + math.sin(t))*t + math.cos(t)*t**2 + 2*t)


def test_verdicts_name_annotated_derivatives_as_assumptions():
    text = DERIVATIVE.replace("a = der(v)", "a = v")
    out = check_exit(run_text("check-init", text), 0).out
    contains(out, "assumed: the annotated derivatives of these functions: f")
    assert run_text("check-init", text, "--format", "json").json()["assumed_derivatives"] == ["f"]


def test_messages_have_the_values_of_arguments():
    text = """function f
  input Real height; output Real y;
algorithm
  assert(height < 0.5, "too high: " + String(height));
  y := height^2;
  annotation(Inline = false);
end f;
model M Real y; equation y = f(time); end M;"""
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err, "too high: 0.5")


def test_a_function_that_is_called_often_is_not_written_out():
    lines = "".join(f"v := {'v*u + p' if k % 2 else 'v/p + u'};\n" for k in range(24))
    text = f"""function f
  input Real u; input Real p; output Real v;
algorithm
  v := u;
  {lines}
end f;
model M
  Real y[1000];
equation
  for i in 1:1000 loop
    y[i] = f(time, i);
  end for;
end M;"""
    shown = check_exit(run_text("show", text), 0).out
    calls = shown.split("class M")[1].count("'f#")
    assert 300 < calls < 1000, calls
    last = rows_of(text, "--stop", "1", "--intervals", "1")[-1]
    for i in (1, 1000):
        v = 1.0
        for k in range(24):
            v = v + i if k % 2 else v/i + 1
        close(last[f"y[{i}]"], v)


def test_iterations_written_out_stay_linear():
    text = """function heron input Real a; output Real x;
algorithm x := a; for i in 1:ROUNDS loop x := (x + a/x)/2; end for; end heron;
model M Real x(start = 2, fixed = true); Real y;
equation der(x) = -y; y = heron(x) + 0.1*sin(y); end M;"""
    sizes = []
    with scratch() as folder:
        for rounds in (30, 60, 120):
            given = text.replace("ROUNDS", str(rounds))
            contains(check_exit(run("check-init", "-", stdin=given), 0).out, "well-determined")
            run("export", "-", "--method", "ab3", "--step", "0.01", "-o", f"{folder}/m.c",
                stdin=given)
            sizes.append(len(Path(f"{folder}/m.c").read_text()))
    assert sizes[2] - sizes[1] < 2.2*(sizes[1] - sizes[0]), sizes


def test_digits_of_numbers_that_are_iterated_exactly_do_not_double():
    text = """model M Real y[31];
equation y[1] = 2; for i in 1:30 loop y[i+1] = (y[i] + 3/y[i])/2; end for; end M;"""
    contains(check_exit(run("check-init", "-", stdin=text, timeout=30), 0).out, "well-determined")


TWICE = """function f
  input Real x;
  input Real k;
  output Real y;
  annotation(Inline = false, derivative(zeroDerivative = k) = f1);
algorithm
  y := sin(k*x);
end f;
function f1
  input Real x;
  input Real k;
  input Real dx;
  output Real dy;
  annotation(Inline = false, derivative(zeroDerivative = k, order = 2) = f2);
algorithm
  dy := k*cos(k*x)*dx;
end f1;
function f2
  input Real x;
  input Real k;
  input Real dx;
  input Real ddx;
  output Real ddy;
algorithm
  ddy := k*cos(k*x)*ddx - k^2*sin(k*x)*dx^2;
end f2;
model M
  Real s(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
  Real y = f(s, 3);
  Real vy = der(y);
  Real F = der(vy);
equation
  der(s) = v;
  der(v) = -s;
end M;"""


def test_native_bodies_that_give_numbers_to_calls():
    """f_2 is called along the direction 1: the body of a partial derivative passes on a number."""
    rows = [check_exit(run_text("simulate", TWICE, "--stop", "1", *options), 0).out.splitlines()
            for options in ((), ("--native",))]
    equal(rows[0], rows[1])
    last = [float(v) for v in rows[0][-1].split(",")]
    wanted = -3*math.cos(3*math.sin(1))*math.sin(1) - 9*math.sin(3*math.sin(1))*math.cos(1)**2
    assert abs(last[-1] - wanted) < 1e-4, (last, wanted)


main(globals())
