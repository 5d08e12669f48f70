"""Where a solution ends (an impasse, a fold of the constraints) the run ends, whatever the
tolerance, the method and the stop time; where it goes on through a singular point, so does the
run. The ends are known in closed form."""

import csv
import io

from harness import check_exit, contains, main, run_text


def model(declarations, equations):
    return f"model M {declarations} equation {equations} end M;"


X = "Real x(start = 1, fixed = true);"
PENDULUM = (X + "Real px(start = 1, fixed = true), py, vx, vy(start = 0, fixed = true), l;",
            "der(px) = vx; der(py) = vy; der(vx) = -l*px; der(vy) = -l*py - 1; px^2 + py^2 = 1;")
# text, where the solution ends
ENDS = {
    "root": (model(X, "x*der(x) = -0.5;"), 1),
    "exponential": (model(X, "2*x*der(x) = -exp(-x);"), 2),
    "of another unknown": (model(X + "Real y;", "y*der(x) = -0.5; y = 2*x;"), 2),
    "of two": (model(X + "Real y(start = 0, fixed = true);",
                     "x*der(x) + y*der(y) = -0.5; der(y) + der(x) = 0;"), 0.5),
    "a condition": (model(X, "x*der(x) = if x > 0.5 then -0.5 else -0.4;"), 1.0625),
    "a condition without event": (model(X, "x*der(x) = -0.5 - noEvent(max(0, x - 2));"), 1),
    "beside a pendulum": (model(PENDULUM[0], "x*der(x) = -0.5;" + PENDULUM[1]), 1),
    "fold": (model("Real x(start = 0, fixed = true), y(start = 1.78);",
                   "der(x) = 1; y - y^3/3 = x - 0.1;"), 2/3 + 0.1),
    "parabola": (model("Real x(start = 0, fixed = true), y(start = 1);",
                       "der(x) = 1; y^2 + x = 1;"), 1),
}


def reached(result):
    """Time of the message of a run that ended."""
    text = result.err[result.err.index("integration stopped at t = "):]
    return float(text.split("t = ")[1].split(":")[0])


def test_no_run_goes_behind_the_end_of_its_solution():
    for name, (text, end) in ENDS.items():
        for tolerance in ("1e-1", "1e-2", "1e-3", "1e-6"):
            for options in (["--stop", "3"], ["--stop", "1000", "--explicit", "never"]):
                result = check_exit(run_text("simulate", text, "--tol", tolerance,
                                             "--intervals", "10", *options), 5)
                # an error of x moves the end by its square or, made early, by as much
                assert abs(reached(result) - end) < 0.3*float(tolerance) + 1e-3, (name, result.err)


def test_the_message_says_that_the_solution_ends():
    result = check_exit(run_text("simulate", ENDS["root"][0], "--stop", "2"), 5)
    contains(result.err, "the solution ends here: its slopes grow without bound")
    contains(result.err, "variable x")


def test_fixed_steps_do_not_go_behind_the_end_either():
    for name in ("root", "parabola", "fold", "beside a pendulum"):
        text, end = ENDS[name]
        for method in ("bdf3", "ab3", "euler", "implicit-euler"):
            for more in ([], ["--parallel"]):
                result = check_exit(run_text("simulate", text, "--stop", "5", "--method", method,
                                             "--step", "0.01", *more), 5)
                assert abs(reached(result) - end) < 0.2, (name, method, result.err)


def test_fixed_steps_do_not_change_the_branch():
    """y = sqrt((x - 1)^2 + 1e-8) bends within 1e-4: steps of 0.01 cannot see it."""
    text = model("Real x(start = 0, fixed = true), y(start = 1);",
                 "der(x) = 1; y^2 = (x - 1)^2 + 1e-8;")
    for method in ("bdf3", "ab3"):
        for step in ("0.003", "0.007", "0.01"):
            result = run_text("simulate", text, "--stop", "5", "--method", method, "--step", step)
            if result.code == 0:
                last = list(csv.reader(io.StringIO(result.out)))[-1]
                assert abs(float(last[2]) - 4) < 1e-6 or abs(float(last[1]) - 4) < 1e-6, last
            else:
                contains(check_exit(result, 5).err, "led to another solution")


def test_solutions_that_pass_a_singular_point_go_on():
    """The determinant is zero where x is; the solution goes on, also like a cube root."""
    cases = [
        (model("Real x(start = -1, fixed = true);", "x*der(x) = sin(x);"), None),
        (model(X, "x^2*der(x) = -1/3;"), -(4**(1/3))),
    ]
    for text, truth in cases:
        for tolerance in ("1e-2", "1e-3"):
            result = check_exit(run_text("simulate", text, "--stop", "5", "--tol", tolerance,
                                         "--intervals", "1"), 0)
            last = float(list(csv.reader(io.StringIO(result.out)))[-1][1])
            assert truth is None or abs(last - truth) < 10*float(tolerance), (text, last)
            assert truth is not None or last > 1, (text, last)


def test_time_alone_makes_no_end():
    text = model("Real x(start = 0, fixed = true), z;",
                 "der(x) = z; (time - 1)*z = sin(time - 1);")
    check_exit(run_text("simulate", text, "--stop", "2", "--tol", "1e-2"), 0)


if __name__ == "__main__":
    main(globals())
