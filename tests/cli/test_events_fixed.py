"""Events with a fixed step: at the end of the step, none lost, in their order."""

import csv
import io
import re

from harness import EXAMPLES, check_exit, contains, equal, main, run, run_text

METHODS = ("euler", "implicit-euler", "ab3", "bdf3")


def table(text):
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]


def rows_of(body, *options):
    return table(check_exit(run_text("simulate", f"model A\n{body}\nend A;", *options), 0).out)


TICKS = """  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample({0}, {0}) then
    n = pre(n) + 1;
  end when;"""


def test_every_tick_of_a_step_is_counted():
    """0.25 has two ticks of 0.1 or three; the row of the grid has the values after the last."""
    for method in METHODS:
        rows = rows_of(TICKS.format("0.1"), "--method", method, "--step", "0.25", "--stop", "1",
                       "--interval", "0.25", "--no-event-rows")
        equal([row["n"] for row in rows], [0, 2, 5, 7, 10])


def test_rounding_of_the_grid_delays_no_event():
    """3*0.3 is a double below 0.9."""
    for step in ("0.3", "0.0003", "0.1"):
        rows = rows_of(TICKS.format("0.3"), "--method", "euler", "--step", step, "--stop", "0.9",
                       "--interval", "0.3", "--no-event-rows")
        equal([row["n"] for row in rows], [0, 1, 2, 3])
        equal([row["time"] for row in rows], [0, 0.3, 0.6, 0.9])


def test_a_pulse_inside_a_step_ends_with_it():
    body = """  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Boolean b = time > 0.301 and time < 0.302;
equation
  der(x) = if b then 1 else 0;
  when b then
    n = pre(n) + 1;
  end when;
  when not b then
    m = pre(m) + 1;
  end when;"""
    for method in METHODS:
        rows = rows_of(body, "--method", method, "--step", "0.1", "--stop", "1")
        last = rows[-1]
        equal((last["n"], last["m"], last["x"], last["b"]), (1, 1, 0, 0))
        at = [(row["n"], row["b"]) for row in rows if abs(row["time"] - 0.4) < 1e-9]
        equal(at, [(0, 0), (1, 1), (1, 0)])


def test_events_of_the_last_step_are_taken():
    rows = rows_of(TICKS.format("0.1"), "--method", "bdf3", "--step", "0.5", "--stop", "1",
                   "--no-event-rows")
    equal(rows[-1]["n"], 10)


def test_a_string_that_hits_a_peg_inside_a_step():
    # the new constraint held at the event, not at the end of the step
    wanted = table(check_exit(run("simulate", str(EXAMPLES/"peg.mo"), "--intervals", "10"), 0).out)[-1]
    for method, error in (("euler", 0.1), ("implicit-euler", 0.1), ("ab3", 1e-4), ("bdf3", 1e-4)):
        got = table(check_exit(run("simulate", str(EXAMPLES/"peg.mo"), "--method", method, "--step",
                                   "1e-3", "--no-event-rows"), 0).out)[-1]
        for name in ("x", "y", "u", "v", "c", "l"):
            assert abs(got[name] - wanted[name]) < error, (method, name, got, wanted)
        assert abs(got["x"]**2 + (got["y"] - got["c"])**2 - got["l"]**2) < 1e-5


def test_a_constraint_that_is_far_away_is_refused():
    # longer than any step: the mass cannot be on the new circle
    text = """model A
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, f;
  discrete Real l(start = 1, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x;
  der(v) = -f*y - 9.81;
  x^2 + y^2 = l^2;
  when time > 0.1 then
    l = 1.1;
  end when;
end A;"""
    for method in METHODS:
        result = check_exit(run_text("simulate", text, "--method", method, "--step", "1e-2"), 5)
        contains(result.err, "x^2 + y^2 = l^2")


def test_observers_cost_what_they_compute():
    # mul, add and select: in the first round and when pre(.) has moved on, nothing in between
    text = """model A
  Real x(start = 1, fixed = true);
  discrete Real y[100](each start = 0, each fixed = true);
equation
  der(x) = -x;
  for k in 1:100 loop
    when sample(0, 0.01) then
      y[k] = pre(y[k]) + k*x;
    end when;
  end for;
end A;"""
    result = check_exit(run_text("simulate", text, "--method", "ab3", "--step", "0.01", "--stop",
                                 "0.1", "--stats", "--format", "json"), 0)
    most = int(re.search(r'"most": (\d+)', result.err).group(1))
    assert most < 10*100, most


def test_positions_move_onto_constraints_that_came_within_the_step():
    """The string meets the peg between two points of the grid, where the new circle does not go
    through the old position; the error is one of the step, and shrinks with it."""
    last = {}
    for step in ("0.004", "0.001"):
        for method in ("bdf3", "ab3"):
            result = check_exit(run("simulate", EXAMPLES / "peg.mo", "--method", method, "--step",
                                    step, "--stop", "2", "--intervals", "1"), 0)
            rows = list(csv.DictReader(io.StringIO(result.out)))
            last[step, method] = float(rows[-1]["y"])
    exact = check_exit(run("simulate", EXAMPLES / "peg.mo", "--stop", "2", "--intervals", "1"), 0)
    truth = float(list(csv.DictReader(io.StringIO(exact.out)))[-1]["y"])
    for method in ("bdf3", "ab3"):
        assert abs(last["0.004", method] - truth) < 0.05, (last, truth)
        assert abs(last["0.001", method] - truth) < 0.01, (last, truth)


def test_a_constraint_that_is_far_away_still_ends_the_run():
    body = """model A
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), f;
  Boolean b(start = false, fixed = true);
equation
  der(x) = 1;
  der(y) = f;
  0 = if b then y - 1 else f;
  when x > 0.5 then
    b = true;
  end when;
end A;"""
    result = run_text("simulate", body, "--method", "bdf3", "--step", "0.01")
    assert result.code in (3, 5), result.code


def test_what_holds_within_a_fixed_step_only_is_told():
    pulse = ("Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation der(x) = 1; "
             "der(y) = if {} then 1 else 0;")
    for condition, words in (
            ("x > 0.5 and x < 0.5001", "0.5 < x (line 1) and x < 0.5001 (line 1) change within"),
            ("(x - 0.505)^2 < 1e-6", "(line 1) changes there and back within the fixed step to "
                                     "t = 0.51"),
            ("(x - 0.5031)^2 < 1e-7", "changes there and back")):
        text = f"model A {pulse.format(condition)} end A;"
        for method in ("bdf3", "ab3", "euler", "implicit-euler", "radau"):
            result = check_exit(run_text("simulate", text, "--method", method, "--step", "0.01",
                                         "--stop", "1"), 0)
            contains(result.err, words)
            equal(result.err.count("warning"), 1)
        equal(check_exit(run_text("simulate", text, "--stop", "1"), 0).err, "")
    for condition in ("x > 0.501 or x > 0.502", "x > 0.501 and x > 0.502", "x > 0.505",
                      "(x - 0.5)^2 < 0.01"):
        text = f"model A {pulse.format(condition)} end A;"
        equal(check_exit(run_text("simulate", text, "--method", "bdf3", "--step", "0.01",
                                  "--stop", "1"), 0).err, "")


def test_pulses_of_time_within_a_fixed_step_are_told():
    text = ("model A Real x(start = 0, fixed = true); equation "
            "der(x) = if time > 0.501 and time < 0.502 then 1000 else 0; end A;")
    for method in METHODS:
        result = check_exit(run_text("simulate", text, "--method", method, "--step", "0.01",
                                     "--stop", "1"), 0)
        contains(result.err, "the events at t = 0.501 and 0.502 are within one fixed step")
        equal(result.err.count("warning"), 1)
        result = check_exit(run_text("simulate", text, "--method", method, "--step", "1e-3",
                                     "--stop", "1"), 0)
        equal(result.err, "")
    # radau with steps of constant size ends one at each of the events
    result = check_exit(run_text("simulate", text, "--method", "radau", "--step", "0.01",
                                 "--stop", "1"), 0)
    equal(result.err, "")
    assert abs(table(result.out)[-1]["x"] - 1) < 1e-9, result.out



def test_what_holds_for_less_than_a_step_is_told():
    """From 1 to 1.01, taken at the ends of steps: for a whole step of 0.5."""
    text = ("model Rest Real x(start = 0, fixed = true); equation "
            "der(x) = if time > 1 and time < 1.01 then 7 else 0; end Rest;")
    for method in ("euler", "bdf3"):
        result = check_exit(run_text("simulate", text, "--stop", "5", "--method", method, "--step",
                                     "0.5"), 0)
        contains(result.err, "what holds from t = 1 to 1.01 is taken for a whole fixed step of 0.5")
        result = check_exit(run_text("simulate", text, "--stop", "5", "--method", method, "--step",
                                     "0.01"), 0)
        equal(result.err, "")


BRIDGE = """model B
  Real a, b, p, i, v(start = 0, fixed = true);
equation
  a - b = 10*sin(314*time) - i;
  i = f(a - p) - f(-a);
  -i = f(b - p) - f(-b);
  v = p;
  1e-4*der(v) = f(a - p) + f(b - p) - v/100;
end B;"""


def test_steps_that_do_not_solve_their_equations_are_told():
    """A bridge of exponential diodes: wrong values never come without a word."""
    body = re.sub(r"f\(([^)]*)\)", r"1e-12*(exp((\1)/0.025) - 1)", BRIDGE)
    options = ("--stop", "0.02", "--intervals", "1", "--variables", "v")
    right = table(check_exit(run_text("simulate", body, *options, "--tol", "1e-9"), 0).out)
    words = []
    for method in METHODS:
        for step in ("1e-3", "2e-4", "1e-4", "5e-5", "2e-5"):
            got = run_text("simulate", body, *options, "--method", method, "--step", step)
            is_told = "did not solve the equations" in got.err or "too long" in got.err
            if got.code == 0 and not is_told:
                end = table(got.out)[-1]["v"]
                equal(abs(end - right[-1]["v"]) < 0.05 * right[-1]["v"], True)
            words += [line for line in got.err.splitlines() if "did not solve" in line]
    equal(len(words) > 2, True)
    for line in words:
        equal(re.search(r"first at t = [0-9.e-]+\).*: equation \d+ \(line \d\): ", line) is not None,
              True)


main(globals())
