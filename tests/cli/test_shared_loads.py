"""Modes in which an equation holds twice: brakes that hold one shaft, switches in parallel."""

import csv
import io
import subprocess
from math import asin, cos, sin

from exported import check_same, compiled
from harness import check_exit, equal, main, run_text, scratch

BRAKE = """model Brake
  parameter Real peak = 1;
  Real v, a, f, s;
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
  Boolean stuck(start = false);
  Integer mode(start = 3, fixed = true);
equation
  forward = pre(mode) == 0 and s > peak or initial() and v > 0;
  backward = pre(mode) == 0 and s < -peak or initial() and v < 0;
  stuck = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
  a = if stuck then 0 else if forward or pre(mode) == 1 then s - peak else s + peak;
  f = if stuck then s else if forward or pre(mode) == 1 then peak else -peak;
  mode = if (pre(mode) == 1 or forward) and v > 0 then 1
    else if (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
end Brake;
"""

RUNS = (["--tol", "1e-4"], ["--tol", "1e-8"], ["--method", "bdf3", "--step", "1e-3"],
        ["--method", "ab3", "--step", "1e-3"])


def brakes(*peaks):
    names = [f"b{k}" for k in range(len(peaks))]
    return BRAKE + "model M\n" + "".join(
        f"  Brake {name}(peak = {peak});\n" for name, peak in zip(names, peaks)) + """
  Real v(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(x) = v; der(v) = 5*sin(time) - """ + " - ".join(f"{n}.f" for n in names) + ";\n" + "".join(
        f"  {n}.v = v; {n}.a = der(v);\n" for n in names) + "end M;\n"


def last(text, *options):
    result = run_text("simulate", text, *options)
    check_exit(result, 0)
    rows = list(csv.reader(io.StringIO(result.out)))
    return dict(zip(rows[0], map(float, rows[-1]))), result.err


def test_two_brakes_hold_until_both_slip():
    # one slips at 0.41 or earlier, which changes nothing: the other one holds
    begin = asin(3/5)
    for options in RUNS:
        end, told = last(brakes(1, 2), "--stop", "2", *options)
        v = 5*(cos(begin) - cos(2)) - 3*(2 - begin)
        assert abs(end["v"] - v) < 2e-4, (options, end["v"], v)
        equal(told.count("keeps the value that it had before"), 1)
        assert abs(end["b0.f"] + end["b1.f"] - 3) < 1e-9, end


def test_they_hold_again_after_slipping():
    # v = 0 again at 3.5234549; together they hold up to 5*sin(t) = -3
    for options in RUNS:
        end, _ = last(brakes(1, 2), "--stop", "3.7", *options)
        # a fixed step ends a little beyond v = 0, and v stays there
        assert abs(end["v"]) < 5e-3, (options, end["v"])
        assert abs(end["b0.f"] + end["b1.f"] - 5*sin(3.7)) < 1e-3, end
        assert abs(end["b0.f"]) < 1.001 and abs(end["b1.f"]) < 2.001, end


def test_three_brakes():
    begin = asin(3.5/5)
    for options in RUNS:
        end, _ = last(brakes(1, 2, 0.5), "--stop", "2", *options)
        v = 5*(cos(begin) - cos(2)) - 3.5*(2 - begin)
        assert abs(end["v"] - v) < 2e-4, (options, end["v"], v)


SWITCHES = """model M
  Real u = 2 + sin(time), v1, i1, s1, v2, i2, s2, i;
  Boolean c1 = time > 1, c2 = time > 2;
equation
  v1 = if c1 then 0 else s1; i1 = if c1 then s1 else 0;
  v2 = if c2 then 0 else s2; i2 = if c2 then s2 else 0;
  v1 = v2; i = i1 + i2; u = 2*i + v1;
end M;
"""


def test_switches_in_parallel():
    for options in RUNS:
        end, _ = last(SWITCHES, "--stop", "3", *options)
        assert abs(end["i"] - (2 + sin(3))/2) < 1e-9, end
        # the current that the first one had when the second one closed
        assert abs(end["i1"] - (2 + sin(2))/2) < 1e-3, end


def test_a_mode_that_contradicts_is_refused():
    # two clamps, one at rest and one that moves: 0 = 1 where both hold
    text = """model M
  Real v(start = 0, fixed = true), f1, f2, s1, s2;
  Boolean c1 = time > 1, c2 = time > 2;
equation
  der(v) = 5 - f1 - f2;
  der(v) = if c1 then 0 else s1; f1 = if c1 then s1 else 0;
  der(v) = if c2 then 1 else s2; f2 = if c2 then s2 else 0;
end M;
"""
    check_exit(run_text("simulate", text, "--stop", "1.9"), 0)
    result = run_text("simulate", text, "--stop", "3")
    check_exit(result, 3)
    assert ":6:3: error: the structure changes with a condition" in result.err, result.err
    check_exit(run_text("simulate", text.replace("then 1 else s2", "then 0 else s2"),
                        "--stop", "3"), 0)


def test_a_state_that_is_left_open_is_refused():
    # where c holds der(y) = s1 is all that is left of both
    text = """model M
  Real y(start = 0, fixed = true), s1, s2;
  Boolean c = time > 1;
equation
  (if c then 0 else 1)*(der(y) - 1 + s1) = 0;
  (if c then 1 else 0)*(s1 - der(y)) + (if c then 0 else 1)*(s2 - 3) = 0;
  (if c then 1 else 0)*(s2 - 2) + (if c then 0 else 1)*(s1 - 4) = 0;
end M;
"""
    check_exit(run_text("simulate", text, "--stop", "0.9"), 0)
    result = run_text("simulate", text, "--stop", "2")
    check_exit(result, 3)
    assert "the structure changes with a condition" in result.err, result.err


def test_exported_code_shares_loads_too():
    for peaks in ((1, 2), (1, 2, 0.5)):
        # near v = 0 a fixed step ends beyond it: what stays is that of the method and its step
        check_same(brakes(*peaks), "1e-2", "3.4")
    check_same(SWITCHES, "1e-2", "3")


def test_parameters_that_make_other_equations_of_them_end_the_run():
    text = SWITCHES.replace("Real u", "parameter Real e = 0;\n  Real u").replace(
        "v2 = if c2 then 0 else s2", "v2 = if c2 then e else s2")
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "1e-2", "--stop", "3")
        done = subprocess.run([program], capture_output=True, text=True)
        equal(done.returncode, 0)
        done = subprocess.run([program, "e=1", "3", "300"], capture_output=True, text=True)
        assert done.returncode != 0 and "t = 2" in done.stderr, done.stderr


main(globals())
