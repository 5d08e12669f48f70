"""Events with a fixed step: at the end of the step, none lost, in their order."""

import csv
import io
import re

from harness import check_exit, equal, main, run_text

METHODS = ("euler", "implicit-euler", "ab3", "bdf3")


def rows_of(body, *options):
    result = check_exit(run_text("simulate", f"model A\n{body}\nend A;", *options), 0)
    return [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]


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


main(globals())
