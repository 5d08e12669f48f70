"""Functions that are not written out at each call: by annotation, and because they are large."""

import csv
import io
import math

from harness import check_exit, contains, main, run_text

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
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(result.out))]


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
    assert len(shown) < 2000, len(shown)
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


main(globals())
