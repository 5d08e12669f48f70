"""Fixed steps say how far they are off: a twin with steps of another size goes the same way."""

import csv
import io
import math
import re

from harness import check_exit, contains, equal, main, run_text

OSCILLATOR = """model A
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end A;"""
STIFF = """model A
  Real y(start = 1, fixed = true);
equation
  der(y) = -1000*(y - cos(time));
end A;"""
METHODS = ("euler", "implicit-euler", "ab3", "bdf3")


def simulate(text, method, step, *options):
    result = check_exit(run_text("simulate", text, "--method", method, "--step", str(step),
                                 *options), 0)
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(result.out))]
    return rows, result.err


def told(err):
    """The part of the largest value; 0: nothing was told."""
    found = re.search(r"off by (?:about ([0-9.e+]+) %|(all)) of the largest value of (\S+) \(at", err)
    return (0 if not found else 1 if found[2] else float(found[1])/100), found and found[3]


def test_the_figure_is_the_error():
    count = 0
    for method in METHODS:
        for step in (0.1, 0.05, 0.02, 0.005, 0.001):
            rows, err = simulate(OSCILLATOR, method, step, "--stop", "20", "--interval", str(step))
            size = {name: max(abs(row[name]) for row in rows) for name in "xv"}
            wrong = max(max(abs(row["x"] - math.cos(row["time"]))/size["x"],
                            abs(row["v"] + math.sin(row["time"]))/size["v"]) for row in rows)
            figure, _ = told(err)
            count += figure > 0
            if figure > 0:
                assert 0.6 < figure/wrong < 1.7, (method, step, figure, wrong)
            else:
                assert wrong < 0.013, (method, step, wrong)
    assert 8 <= count <= 12, count


def test_a_twin_that_is_not_stable_says_nothing():
    """Adams-Bashforth is stable up to h = 0.545/1000, Euler's method up to 2/1000."""
    for method, step in (("ab3", 4e-4), ("euler", 1.2e-3), ("bdf3", 1e-2), ("implicit-euler", 1e-3)):
        rows, err = simulate(STIFF, method, step, "--stop", "2", "--interval", "0.5")
        equal((method, err), (method, ""))
        assert abs(rows[-1]["y"] - math.cos(2) - 1e-3*math.sin(2)) < 1e-3, (method, rows)


def test_errors_of_the_hidden_constraints_form_and_between_events_are_told():
    pendulum = """model A
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v(start = 0), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - 9.81;
  x^2 + y^2 = 1;
end A;"""
    for method in ("ab3", "bdf3"):
        contains(simulate(pendulum, method, 0.02, "--stop", "10")[1], "warning: steps of 0.02 are off")
        equal(told(simulate(pendulum, method, 0.002, "--stop", "10")[1])[0], 0)
    event = OSCILLATOR.replace("equation", """  Integer n(start = 0, fixed = true);
equation
  when time >= 3 then
    reinit(v, 2);
    n = 1;
  end when;""")
    for stop, wanted in (("2.9", 0), ("9", 1)):
        _, err = simulate(event.replace("der(v) = -x", "der(v) = -(if n > 0 then 25*x else x)"),
                          "implicit-euler", 0.003, "--stop", stop)
        equal((stop, told(err)[0] > 0), (stop, wanted > 0))


def test_a_single_step_between_two_events_is_compared_too():
    """Where the diode blocks, the current dies away at a rate of 1e9: one step of an explicit
    method throws it to 1e27, and there the diode opens again."""
    diode = """model A
  Real i(start = 0, fixed = true), u, uD, s;
  Boolean off;
equation
  u = sin(time);
  off = s < 0;
  uD = if off then s else 1e-9*s;
  i = if off then 1e-9*s else s;
  u = der(i) + i + uD;
end A;"""
    assert told(simulate(diode, "ab3", 0.004, "--stop", "8")[1])[0] > 0.01
    equal(told(simulate(diode, "bdf3", 0.004, "--stop", "8")[1])[0], 0)


def test_branches_that_end_where_a_domain_does_are_left():
    """Events are taken at the end of a step, where the root of the branch has no value any more."""
    def area(x):
        return (x*math.sqrt(1 - x*x) + math.asin(x))/2

    half = area(1)
    for branch, start, want in (
            ("if x < 1 then sqrt(1 - x^2) else 0", 0, half),
            ("if x >= L then 0 else sqrt(L^2 - x^2)", 0, half),
            ("if abs(x) < 1 then sqrt(1 - x^2) else 0", -2, 2*half),
            ("if x > -1 and x < 1 then sqrt(1 - x^2) else 0", -2, 2*half),
            ("if time < 1 then sqrt(1 - time^2) else 0", 0, half),
            ("if x >= 1 then 0 elseif x <= -1 then 3 else acos(x)", -2, 3 + math.pi),
            ("if x < 1 then sqrt(4 - x^2) else 0", 0, math.sqrt(3)/2 + math.pi/3)):
        text = f"""model A
  parameter Real L = 1;
  Real x(start = {start}, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = {branch};
end A;"""
        for method in METHODS:
            rows, _ = simulate(text, method, 0.0007, "--stop", "3.5")
            assert abs(rows[-1]["y"] - want) < 5e-3, (branch, method, rows[-1], want)


def test_events_that_accumulate_are_told():
    """They are lost when a few steps are all that lies between them: the ball falls through its
    floor. A thermostat that switches every few steps loses nothing."""
    ball = """model A
  parameter Real e = 0.7;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end A;"""
    wanted = "the events of h < 0 (line 7) come faster and faster"
    for method, step, e in (("ab3", 0.002, 0.7), ("bdf3", 0.01, 0.7), ("bdf3", 0.001, 0.9),
                            ("implicit-euler", 0.005, 0.5), ("ab3", 0.002, 0.3)):
        contains(simulate(ball, method, step, "--stop", "14", "--set", f"e={e}")[1], wanted)
    equal(simulate(ball, "ab3", 0.002, "--stop", "1.5")[1], "")
    thermostat = """model A
  Real T(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = (if on then 2 else 0) - T;
  on = if pre(on) then not T > 1.1 else T < 0.9;
end A;"""
    for step in (0.01, 0.02, 0.05):
        err = simulate(thermostat, "ab3", step, "--stop", "20")[1]
        assert "faster" not in err, (step, err)


main(globals())
