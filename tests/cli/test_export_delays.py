"""Delay times that change in exported C: answers in closed form, and simulate."""

import math
import subprocess

from exported import compiled, table
from harness import check_exit, equal, main, run, scratch


def rows_of(folder, declarations, equations, step, stop, method="bdf3"):
    text = f"model A\n  {declarations};\nequation\n  {equations};\nend A;\n"
    program = compiled(folder, text, "--method", method, "--step", str(step), "--stop", str(stop))
    test = subprocess.run([program, "--self-test"], capture_output=True, text=True)
    equal(test.stdout.strip(), "self-test passed")
    done = subprocess.run([program], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""))
    return table(done.stdout)


def sine(past):
    return math.sin(max(past, 0))


CASES = [  # delay time, longest one, and the same in Python: there and back, to 0, faster than time
    ("0.5 + 0.25*sin(time)", 1, lambda t: 0.5 + 0.25*math.sin(t)),
    ("time/2", 5, lambda t: t/2),
    ("if time < 1 then 0.3 else 0.6", 1, lambda t: 0.3 if t < 1 else 0.6),
    ("0.5 + 1.5*sin(2*time)^2", 3, lambda t: 0.5 + 1.5*math.sin(2*t)**2),
    ("abs(1 - time)", 2, lambda t: abs(1 - t)),
]


def test_what_is_delayed_is_that_of_the_delayed_time():
    with scratch() as folder:
        for expression, most, delay in CASES:
            for row in rows_of(folder, "Real y, T",
                               f"T = {expression};\n  y = delay(sin(time), T, {most})", 0.005, 3):
                near_break = abs(row["time"] - 1) < 0.011
                error = 2e-2 if near_break else 1e-4
                wanted = sine(row["time"] - delay(row["time"]))
                assert abs(row["y"] - wanted) < error, (expression, row, wanted)


def test_equations_with_a_delay_that_changes_have_the_order_of_the_method():
    declarations = "Real x(start = 1, fixed = true)"
    equations = "der(x) = -delay(x, 0.3 + 0.1*sin(3*time), 1)"
    with scratch() as folder:
        rows = [rows_of(folder, declarations, equations, step, 2, method)[-1]["x"]
                for method, step in (("bdf3", 0.01), ("ab3", 0.01), ("bdf3", 0.0025))]
        wanted = table(check_exit(run("simulate", f"{folder}/model.mo", "--stop", "2", "--tol",
                                      "1e-9", "--intervals", "1"), 0).out)[-1]["x"]
        assert max(abs(x - wanted) for x in rows[:2]) < 4e-6, (rows, wanted)
        assert abs(rows[2] - wanted) < 2e-7, (rows, wanted)


def test_jumps_come_around_as_events():
    declarations = "discrete Real n(start = 0, fixed = true); Real y, x(start = 0, fixed = true)"
    equations = ("when sample(0, 0.2) then n = pre(n) + 1; end when;\n"
                 "  y = delay(n, 0.1 + 0.05*cos(time), 0.5);\n  der(x) = y")
    with scratch() as folder:
        rows = rows_of(folder, declarations, equations, 0.001, 3)
        jumps = [b["time"] for a, b in zip(rows, rows[1:]) if b["y"] > a["y"]]
        for k, t in enumerate(jumps, 1):
            assert 0 <= t - 0.1 - 0.05*math.cos(t) - 0.2*k < 2e-3, (k, t)
        equal(len(jumps), 14)
        wanted = table(check_exit(run("simulate", f"{folder}/model.mo", "--stop", "3",
                                      "--intervals", "1"), 0).out)[-1]["x"]
        assert abs(rows[-1]["x"] - wanted) < 0.02, (rows[-1], wanted)


def test_a_delay_time_out_of_its_range_ends_the_run():
    text = "model A\n  Real y;\nequation\n  y = delay(sin(time), 1.5*time, 1);\nend A;\n"
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.01", "--stop", "1")
        done = subprocess.run([program], capture_output=True, text=True)
        equal((done.returncode, done.stderr),
              (3, "stopped after t = 0.67: more changes than delay(...) has room for, or a delay "
                  "time out of its range\n"))


main(globals())
