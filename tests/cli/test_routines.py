"""Functions with loops and recursion at run time: values and derivatives known in closed form."""

import csv
import io
import math
import re
import subprocess
import sys

from exported import check_same, compiled
from harness import (MODELS, PROGRAM, ROOT, check_exit, contains, equal, main, run, run_text,
                     scratch)

ROOT_OF_CUBIC = """function root "x with x^3 + x = a"
  input Real a;
  output Real x;
protected
  Real d;
algorithm
  x := a;
  d := 1;
  while abs(d) > 1e-14 loop
    d := (x^3 + x - a)/(3*x^2 + 1);
    x := x - d;
  end while;
end root;
"""


def rows_of(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]


def close(got, wanted, tolerance=1e-7):
    assert abs(got - wanted) <= tolerance, (got, wanted)


FALLING = """function f {0}
  input Real x;
  output Real y;
algorithm
  assert(x < 0.5, "too large: " + String(x));
  y := if x > 0.001 then {1} else x;
end f;
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = if time < 0.5003 then 1 else -1;
  y = f(x);
end M;"""


def test_assertions_of_functions_fail_between_output_points_and_events():
    """x is above 0.5 from 0.5 to 0.5006, with an event of its own at 0.5003."""
    for call in ("f(x/2)/2", "2*x"):
        text = FALLING.format('"calls itself"' if "f(" in call else '"does not"', call)
        for options in (["--intervals", "1"], ["--intervals", "500"], ["--tol", "1e-9"],
                        ["--method", "bdf3", "--step", "1e-4", "--intervals", "1"],
                        ["--method", "radau", "--step", "0.1", "--intervals", "1"]):
            result = check_exit(run_text("simulate", text, "--stop", "1", *options), 5)
            told = re.search(r"assertion failed at t = (\S+): too large", result.err)
            assert told and abs(float(told[1]) - 0.5) < 1.1e-4, (options, result.err)
            values = [float(row.split(",")[1]) for row in result.out.splitlines()[1:]]
            assert all(value < 0.5 for value in values), options
    warns = FALLING.format("", "2*x").replace("String(x));", "String(x), AssertionLevel.warning);")
    result = check_exit(run_text("simulate", warns, "--stop", "1", "--intervals", "1"), 0)
    equal(result.err.count("assertion failed at t = 0.5: too large"), 1)


def test_a_while_loop_at_run_time_and_its_derivative():
    rows = rows_of(ROOT_OF_CUBIC + """model M
  Real y(start = 0, fixed = true), z, w;
equation
  der(y) = 1;
  z = root(y);
  w = der(z);
end M;""", "--stop", "2", "--intervals", "2")
    close(rows[2]["z"], 1)
    close(rows[2]["w"], 0.25)


def test_native_code_gives_the_same_values():
    text = ROOT_OF_CUBIC + "model M Real z, w; equation z = root(time); w = der(z); end M;"
    assert rows_of(text, "--stop", "2") == rows_of(text, "--stop", "2", "--native")


def test_a_for_loop_with_bounds_at_run_time():
    rows = rows_of("""function s
  input Integer n; input Real x; output Real y;
algorithm
  y := 0;
  for i in 1:n loop
    y := y + x^i/i;
    if y > 0.66 then
      return;
    end if;
  end for;
end s;
function down
  input Integer n; output Real y;
algorithm
  y := 0;
  for i in n:-2:1 loop
    y := 10*y + i;
  end for;
end down;
model M
  Integer n; Real y, z;
equation
  n = integer(3*time + 0.1);
  y = s(n, 0.5);
  z = down(n);
end M;""", "--stop", "2", "--intervals", "1")
    close(rows[-1]["y"], 0.5 + 0.25/2 + 0.125/3)
    close(rows[-1]["z"], 642)


def test_a_search_in_a_table():
    rows = rows_of("""function look
  input Real t[:, 2]; input Real x; output Real y;
protected
  Integer i = 1;
algorithm
  while i < size(t, 1) - 1 and x >= t[i + 1, 1] loop
    i := i + 1;
  end while;
  y := t[i, 2] + (x - t[i, 1])*(t[i + 1, 2] - t[i, 2])/(t[i + 1, 1] - t[i, 1]);
end look;
model M
  Real w, v;
equation
  w = look([0, 0; 1, 2; 3, 0], time);
  v = der(w);
end M;""", "--stop", "2", "--intervals", "4")
    for row in rows:
        close(row["w"], 2*row["time"] if row["time"] < 1 else 3 - row["time"])
        close(row["v"], 2 if row["time"] < 1 else -1)


def test_break_return_and_branches_inside():
    rows = rows_of("""function f
  input Real x; output Real y;
protected
  Real s = x;
  Integer n = 0;
algorithm
  y := -1;
  if x > 1 then
    while true loop
      s := s/2;
      n := n + 1;
      if s < 1 then
        break;
      end if;
    end while;
    y := n;
  else
    while s < 100 loop
      s := s + 1;
      if s > 50 then
        y := s;
        return;
      end if;
    end while;
  end if;
  y := y + 1000;
end f;
model M Real y; equation y = f(10*time); end M;""", "--stop", "1", "--intervals", "2")
    close(rows[0]["y"], 51)
    close(rows[1]["y"], 1003)
    close(rows[2]["y"], 1004)


QUADRATURE = """partial function scalar
  input Real x; output Real y;
end scalar;
function cube
  input Real x; input Real p; output Real y;
algorithm
  y := p*x^3;
end cube;
function quad "adaptive, by Simpson's rule"
  input scalar f; input Real a; input Real b; input Real tol; output Real s;
protected
  Real m, s1, s2;
algorithm
  m := (a + b)/2;
  s1 := (b - a)/6*(f(a) + 4*f(m) + f(b));
  s2 := (b - a)/12*(f(a) + 4*f((a + m)/2) + 2*f(m) + 4*f((m + b)/2) + f(b));
  if abs(s1 - s2) < tol then
    s := s2;
  else
    s := quad(f, a, m, tol/2) + quad(f, m, b, tol/2);
  end if;
end quad;
function fifth
  input Real x; output Real y;
algorithm
  y := x^5;
end fifth;
"""


def test_recursion_at_run_time_with_a_function_as_argument():
    rows = rows_of(QUADRATURE + """model M
  Real z, w, v;
equation
  z = quad(function fifth(), 0, time, 1e-10);
  w = der(z);
  v = quad(function cube(p = time), 0, 2, 1e-8);
end M;""", "--stop", "2", "--intervals", "2")
    close(rows[2]["z"], 2**6/6)
    close(rows[2]["w"], 32)
    close(rows[1]["v"], 4)


FACULTY = ("function fac input Real n; output Real y; "
           "algorithm y := if n <= 1 then 1 else n*fac(n - 1); end fac; ")


def test_arguments_that_are_numbers_and_others_that_are_not():
    for argument in ("x", "time + p", "x + time", "p", "x + p"):
        text = (FACULTY + f"model M parameter Real p = 0.5; Real x(start = 0.5, fixed = true), "
                f"y; equation der(x) = 1; y = fac({argument} + 3); end M;")
        for options in ((), ("--native",), ("--method", "bdf3", "--step", "0.25")):
            rows = rows_of(text, "--stop", "1", "--intervals", "1", *options)
            for row in rows:
                n = {"x": row["x"], "time + p": row["time"] + 0.5, "x + time": row["x"] +
                     row["time"], "p": 0.5, "x + p": row["x"] + 0.5}[argument] + 3
                wanted = 1.0
                while n > 1:
                    wanted *= n
                    n -= 1
                close(row["y"], wanted, 1e-6)


def test_exported_code_runs_loops_and_recursion():
    model = ROOT_OF_CUBIC + FACULTY + """model M
  Real y(start = 1, fixed = true), z, w;
equation
  der(y) = -root(y) + 0.001*fac(3 + y);
  root(z) = y;
  w = fac(3 + y);
end M;"""
    wanted = rows_of(model, "--method", "bdf3", "--step", "0.01", "--stop", "1",
                     "--intervals", "1")[-1]
    with scratch() as folder:
        check_exit(run_text("export", model, "--method", "bdf3", "--step", "0.01",
                            "--stop", "1", "-o", f"{folder}/m.c"), 0)
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic",
                        "-ffp-contract=off", "-DM_MAIN", f"{folder}/m.c", "-o",
                        f"{folder}/m", "-lm"], check=True)
        last = subprocess.run([f"{folder}/m"], check=True, capture_output=True,
                              text=True).stdout.split()[-1]
        for got, name in zip(map(float, last.split(",")), ("time", "y", "z", "w")):
            close(got, wanted[name], 1e-9)
        check_exit(run_text("export", model, "--target", "problem-c", "-o", f"{folder}/p.c"), 0)
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic",
                        "-c", f"{folder}/p.c", "-o", f"{folder}/p.o"], check=True)


MANY_CALLS = ROOT_OF_CUBIC + """model M
  parameter Real p = 3;
  Real x[150](each start = 1, each fixed = true);
equation
  for i in 1:150 loop
    der(x[i]) = -x[i]*sin(i/p)/(p + i) - root(x[i] + i)/(1 + x[i]^2);
  end for;
end M;"""


def test_exported_loops_over_equations_with_calls():
    """Equations of one shape are a loop in C, calls stand before it; so are numbers that are known
    from parameters, here set to another value."""
    options = ("--method", "euler", "--step", "0.01", "--stop", "0.1")
    wanted = rows_of(MANY_CALLS, *options, "--intervals", "1", "--set", "p=2")[-1]
    with scratch() as folder:
        check_exit(run_text("export", MANY_CALLS, *options, "-o", f"{folder}/m.c"), 0)
        with open(f"{folder}/m.c") as text:
            code = text.read()
        for function in ("m_f_", "m_compute_constants_"):
            part = code[code.index(f"static void {function}"):]
            contains(part, "for (unsigned i = 0; i < 150u; i++)")
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1",
                        "-ffp-contract=off", "-DM_MAIN", f"{folder}/m.c", "-o",
                        f"{folder}/m", "-lm"], check=True)
        last = subprocess.run([f"{folder}/m", "p=2"], check=True, capture_output=True,
                              text=True).stdout.split()[-1]
    got = list(map(float, last.split(",")))
    for i in (1, 77, 150):
        close(got[i], wanted[f"x[{i}]"], 1e-12)


def test_exported_events_and_parameters_call_routines():
    model = ROOT_OF_CUBIC + """model M
  parameter Real p = 27;
  parameter Real q = root(p);
  Real x(start = 0, fixed = true); discrete Real d(start = 0, fixed = true);
equation
  der(x) = q;
  when root(1 + x) > 1.2 then
    d = root(8 + pre(d));
  end when;
end M;"""
    with scratch() as folder:
        check_exit(run_text("export", model, "--method", "bdf3", "--step", "0.01",
                            "--stop", "1", "-o", f"{folder}/m.c"), 0)
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic",
                        "-DM_MAIN", f"{folder}/m.c", "-o", f"{folder}/m", "-lm"], check=True)
        head, *_, last = subprocess.run([f"{folder}/m"], check=True, capture_output=True,
                                        text=True).stdout.split()
    got = dict(zip(head.replace('"', "").split(","), map(float, last.split(","))))
    wanted = rows_of(model, "--stop", "1", "--intervals", "1")[-1]
    close(got["x"], wanted["x"], 1e-6)
    close(got["d"], wanted["d"], 1e-9)


def test_exported_routines_are_those_that_are_called():
    """Here by assertions and texts only; what follows from parameters is called once."""
    model = """function f input Real a; input Real b; output Real y;
      algorithm y := a; while y < b loop y := 2*y; end while; annotation(Inline = false); end f;
    model M
      parameter Real p = 0.3; Real x(start = 1, fixed = true); Real y;
    equation
      der(x) = 1;
      y = x*(f(p, 7) - 1);
      EVENTS
    end M;"""
    events = ('assert(f(0.1*x, 3) < 20, "too large"); when x > 1.5 then '
              'terminate("at " + String(f(x/8, 2))); end when;')
    for extra in ("", events):
        text = model.replace("EVENTS", extra)
        last = check_same(text, "0.1", "0.4", methods=("implicit-euler",))
        close(last["y"], last["x"]*8.6, 1e-12)
    with scratch() as folder:
        program = compiled(folder, model.replace("EVENTS", events),
                           "--method", "euler", "--step", "0.1", "--stop", "1")
        done = subprocess.run([program], capture_output=True, text=True)
        contains(done.stderr, "at 3.")
        with open(f"{folder}/mm.c") as file:
            source = file.read()
        declared = set(re.findall(r"static void mm_(routine_\d+)\(", source))
        equal(declared, set(re.findall(r" mm_(routine_\d+)\(\(const", source)))


def test_calls_cost_what_the_text_written_out_costs():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "bench" / "functions"))
    import functions
    called, written = (functions.measure(PROGRAM, 200, is_function)
                       for is_function in (True, False))
    for count in ("operations", "values"):
        equal(called[count], written[count])


def test_base_modelica_with_records_and_functions_as_exported():
    result = check_exit(run("simulate", MODELS / "base_functions.mo", "--intervals", "1"), 0)
    rows = [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]
    x = 1/math.sqrt(5)  # x' = -2*x^3
    for name, wanted in (("'x'", x), ("'a.b.c'", x*x), ("'r'.'v'[2]", 2*x), ("'w'[1]", 2*x),
                         ("'w'[2]", x), ("'k'", 1)):
        close(rows[-1][name], wanted, 1e-6)


def test_mutual_recursion_records_and_loops_in_loops_on_arrays():
    rows = rows_of("""function even input Real n; output Real y;
    algorithm y := if n < 0.5 then 1 else odd(n - 1); end even;
function odd input Real n; output Real y; algorithm y := if n < 0.5 then 0 else even(n - 1);
  end odd;
record R Real a; Real b; end R;
function gcd
  input R r; output R s;
algorithm
  if r.b < 0.5 then
    s := r;
  else
    s := gcd(R(r.b, mod(r.a, r.b)));
  end if;
end gcd;
function sort
  input Real x[:]; output Real y[size(x, 1)];
protected
  Boolean changed; Real t; Integer i;
algorithm
  y := x;
  changed := true;
  while changed loop
    changed := false;
    i := 1;
    while i < size(x, 1) and y[i] > -1e9 loop
      if y[i] > y[i + 1] then
        t := y[i];
        y[i] := y[i + 1];
        y[i + 1] := t;
        changed := true;
      end if;
      i := i + 1;
    end while;
  end while;
end sort;
model M
  Real e, s[4];
  R r;
equation
  e = even(floor(4.5*time));
  r = gcd(R(floor(48*time + 0.5), 36));
  s = sort({sin(10*time), time, -time, cos(10*time)});
end M;""", "--stop", "1", "--intervals", "1")
    for row in (rows[0], rows[-1]):
        t = row["time"]
        close(row["e"], 1)
        close(row["r.a"], math.gcd(int(48*t + 0.5), 36))
        for i, wanted in enumerate(sorted([math.sin(10*t), t, -t, math.cos(10*t)])):
            close(row[f"s[{i + 1}]"], wanted)


def test_a_local_function_hides_a_global_one():
    rows = rows_of("""partial function g input Real x; output Real y; end g;
function f input Real x; output Real y; algorithm y := x; end f;
function h input Real x; output Real y; algorithm y := 2*x; end h;
function apply input g f; input Real x; output Real y; algorithm y := f(x); end apply;
model M Real y; equation y = apply(function h(), time + 1); end M;""", "--stop", "1",
                   "--intervals", "1")
    close(rows[0]["y"], 2)


def test_a_loop_with_known_arguments_is_evaluated():
    text = check_exit(run_text("show", ROOT_OF_CUBIC + "model M Real y; parameter Real p = "
                               "root(10); equation y = p*time; end M;"), 0).out
    contains(text, "p = 2")


def test_an_algorithm_section_with_a_while_loop():
    rows = rows_of("""model M
  Real s, y(start = 0, fixed = true);
algorithm
  s := 1;
  while s*s < time + 3 loop
    s := s + 1;
  end while;
equation
  der(y) = 0*s;
end M;""", "--stop", "2", "--intervals", "2")
    assert [row["s"] for row in rows] == [2, 2, 3], rows


def test_assertions_in_loops_are_watched():
    result = run_text("simulate", """function f
  input Real x; output Real y;
algorithm
  y := x;
  while y < 10 loop
    y := y + 1;
    assert(y < 10.5, "too far");
  end while;
end f;
model M Real y; equation y = f(time); end M;""", "--stop", "1", "--intervals", "4")
    check_exit(result, 5)
    contains(result.err, "too far")


def test_assertions_in_functions_of_when_clauses():
    text = """function f
  input Real x; output Real y;
algorithm
  assert(1 < 2, "never");
  assert(x < 0.7, "too late");
  y := x;
end f;
model M
  Real y(start = 0, fixed = true);
algorithm
  when time > %s then
    y := f(time);
  end when;
end M;"""
    close(rows_of(text % "0.5", "--stop", "1", "--intervals", "1")[-1]["y"], 0.5)
    contains(check_exit(run_text("simulate", text % "0.8", "--stop", "1"), 5).err, "too late")


def test_loops_without_end_are_errors():
    result = run_text("simulate", """function f
  input Real x; output Real y;
algorithm
  y := x;
  while y < 10 loop
    y := y - 1;
  end while;
end f;
model M parameter Real p = f(sin(1)); Real y; equation y = p; end M;""")
    check_exit(result, 3)
    contains(result.err, "has no end")


def verdict(command, model):
    result = run_text(command, ROOT_OF_CUBIC + model)
    return result.out + result.err


def test_equal_arguments_are_equal_values_for_every_function():
    text = verdict("analyze", """model B
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = 1;
  (root(x) - root(x + 1 - 1))*z = 1;
  y = root(x);
end B;""")
    contains(text, "It can never be true")


def test_a_function_that_may_be_zero_is_evaluated_in_balls():
    text = verdict("analyze", """model C
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = 1;
  (root(x) - root(2*x))*z = 1;
  y = root(x);
end C;""")
    contains(text, "C: success")
    contains(text, "z = -3.1479")  # 1/(0.6823278038 - 1)
    # what the certificate rests on is a point, not the form: nothing is
    # said where the function is 0
    contains(text, "nonsingular unless this is 0")


def test_an_implicit_equation_through_a_loop_is_proved_and_solved():
    model = """model D
  Real x(start = 1.5), y(start = 1, fixed = true);
equation
  der(y) = -y;
  root(x) = y;
end D;"""
    contains(verdict("check-init", model), "well-determined")
    contains(verdict("check-init", model), "a real solution is proved to exist")
    rows = rows_of(ROOT_OF_CUBIC + model, "--stop", "1", "--intervals", "1")
    y = math.exp(-1)
    close(rows[0]["x"], 2)
    close(rows[1]["x"], y**3 + y, 1e-6)


def test_verdicts_name_the_functions_they_assume_something_of():
    model = "model A Real x(start = 1, fixed = true), y; equation der(x) = 1; y = root(x); end A;"
    for command in ("analyze", "check-init"):
        contains(verdict(command, model), "have a value wherever they are called: root\n")
        answer = run_text(command, ROOT_OF_CUBIC + model, "--format", "json").json()
        assert answer["assumed_functions"] == ["root"], answer
        other = run_text(command, "model A Real x(start = 1, fixed = true); "
                         "equation der(x) = 1; end A;", "--format", "json").json()
        assert "assumed_functions" not in other, other


def test_a_contradiction_through_a_loop_is_found():
    model = """model A
  Real x(start = 1, fixed = true), y(start = %s, fixed = true);
equation
  der(x) = 1;
  y = root(x);
end A;"""
    contains(verdict("check-init", model % "2"), "A: inconsistent")


def test_show_prints_the_functions_so_that_its_text_runs():
    model = ROOT_OF_CUBIC + FACULTY + """function 'a.sq'
  input Real n; output Real y; output Real z;
algorithm
  y := n^2;
  z := if n > 0.5 then n else 2*n;
  annotation(Inline = false);
end 'a.sq';
model M
  Real y(start = 1, fixed = true), z, w, v, u;
equation
  der(y) = -root(y) + 0.001*fac(3 + y);
  root(z) = y;
  w = fac(3 + y);
  (v, u) = 'a.sq'(time);
end M;"""
    options = ("--stop", "1", "--intervals", "2")
    shown = check_exit(run_text("show", model), 0).out
    contains(shown, "function 'root.loop#")
    contains(shown, "function 'a.sq#")
    wanted = check_exit(run_text("simulate", model, *options), 0).out
    equal(check_exit(run_text("simulate", shown, *options), 0).out, wanted)
    again = check_exit(run_text("show", shown), 0).out
    equal(check_exit(run_text("simulate", again, *options), 0).out, wanted)


def test_show_prints_functions_that_only_messages_call():
    text = ROOT_OF_CUBIC + """model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  assert(x < 1.5, "the root is " + String(root(x)));
  when x > 1.2 then assert(x < 0, "now " + String(root(2*x)), AssertionLevel.warning); end when;
end M;
"""
    shown = check_exit(run_text("show", text), 0).out
    equal(check_exit(run_text("show", shown), 0).out, shown)
    for each in (text, shown):
        err = check_exit(run_text("simulate", each, "--stop", "1"), 5).err
        contains(err, "the root is 0.861224")
        contains(err, "now 1.09327")


def test_show_prints_external_functions_as_such():
    text = """function ext input Real x; output Real y; external "C" y = my_fun(x); end ext;
model M Real y; equation y = ext(time); end M;"""
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, 'external "C"')
    contains(check_exit(run_text("analyze", shown), 0).out, "success")


main(globals())
