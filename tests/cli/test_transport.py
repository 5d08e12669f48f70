"""spatialDistribution(...): what flows through a pipe, with answers by characteristics."""

import csv
import io
import math

from harness import check_exit, contains, equal, main, run_text


def rows_of(text, *options):
    result = check_exit(run_text("simulate", f"model A {text} end A;", *options), 0)
    return list(csv.DictReader(io.StringIO(result.out)))


def times_of_jumps(rows):
    times = [float(row["time"]) for row in rows]
    return {a for a, b in zip(times, times[1:]) if a == b}


# x = 0.3 + sin(t): the flow turns at pi/2 + k*pi
TURNS = [math.pi / 2 + k * math.pi for k in range(5)]


def way(t):
    return 0.3 + math.sin(t)


def root(low, high, target):
    rises = way(high) > way(low)
    for _ in range(80):
        middle = 0.5 * (low + high)
        if (way(middle) < target) == rises:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def initial(y):
    return 1 + 4 * y if y < 0.25 else -1 + 4 * (y - 0.25) / 0.75


def pipe(end, t):
    """The particle that is at this end now: when did it flow in, and where?"""
    k = way(t) - end
    marks = [0.0, *[turn for turn in TURNS if turn < t], t]
    for low, high in reversed(list(zip(marks, marks[1:]))):
        rises = way(high) > way(low)
        if high == t and rises == (end == 0):
            return math.sin(3 * t) if rises else 2 + t
        target = k if rises else k + 1
        if (way(low) - target) * (way(high) - target) <= 0:
            at = root(low, high, target)
            return math.sin(3 * at) if rises else 2 + at
    return initial(way(0) - k)


BACK_AND_FORTH = ("Real x(start = 0.3, fixed = true), v = cos(time), a, b; equation der(x) = v; "
                  "(a, b) = spatialDistribution(sin(3*time), 2 + time, x, v >= 0, "
                  "{0, 0.25, 0.25, 1}, {1, 2, -1, 3});")


def check_back_and_forth(rows, most):
    jumps = times_of_jumps(rows)
    for row in rows[1:]:
        t = float(row["time"])
        if t not in jumps:
            for name, end in (("a", 0), ("b", 1)):
                assert abs(float(row[name]) - pipe(end, t)) < most, (row, name, pipe(end, t))


def test_a_flow_that_turns_is_followed_back():
    for tolerance, most in (("1e-6", 3e-6), ("1e-9", 3e-9)):
        rows = rows_of(BACK_AND_FORTH, "--stop", "12", "--interval", "0.05", "--tol", tolerance)
        check_back_and_forth(rows, most)
        jumps = times_of_jumps(rows)
        first = math.asin(0.75)  # the jump of the initial values is 0.75 away from the end
        for wanted in (first, math.pi / 2, 3 * math.pi / 2):
            assert min(abs(t - wanted) for t in jumps) < 1e-7, (wanted, sorted(jumps))
        assert len(jumps) < 30, len(jumps)


def test_fixed_steps_follow_it_too():
    rows = rows_of(BACK_AND_FORTH, "--stop", "6", "--interval", "0.05", "--method", "bdf3",
                   "--step", "0.001")
    check_back_and_forth(rows, 3e-4)


def test_a_constant_velocity_is_a_delay():
    text = ("Real x(start = 0, fixed = true), y1, y2, y3, y4; equation der(x) = 1/0.7; "
            "(, y1) = spatialDistribution(sin(5*time) - 0.5*y2, 0, x, true); "
            "(, y2) = spatialDistribution(y1, 0, x, true); "
            "y3 = delay(sin(5*time) - 0.5*y4, 0.7); y4 = delay(y3, 0.7);")
    for row in rows_of(text, "--stop", "5", "--intervals", "20"):
        for a, b in (("y1", "y3"), ("y2", "y4")):
            assert abs(float(row[a]) - float(row[b])) < 1e-6, row


def test_without_feedback_it_is_known_in_closed_form():
    # two pipes in one call, arguments by name, points that are parameters
    text = ("parameter Real p = 0.5; Real x(start = 0, fixed = true), a[2], b[2]; "
            "equation der(x) = 0.5; (a, b) = spatialDistribution(in1 = {0, 0}, in0 = {time, "
            "time^2}, x = x, positiveVelocity = true, initialPoints = {0, p, 1}, "
            "initialValues = {{1, 2, 3}, {4, 5, 9}});")
    for row in rows_of(text, "--stop", "4", "--intervals", "16"):
        t = float(row["time"])
        if abs(t - 2) < 1e-6:
            continue
        y = 1 - t / 2
        old = [1 + 2 * y, 4 + 2 * y if y < 0.5 else 5 + 8 * (y - 0.5)]
        wanted = old if t < 2 else [t - 2, (t - 2)**2]
        for k in range(2):
            assert abs(float(row[f"b[{k + 1}]"]) - wanted[k]) < 1e-6, (row, wanted)
            assert abs(float(row[f"a[{k + 1}]"]) - [t, t * t][k]) < 1e-6, row


def test_its_derivative_is_known_from_the_start_on():
    text = ("Real x(start = 0, fixed = true), y, d; equation der(x) = 0.5; d = der(y); "
            "(, y) = spatialDistribution(time^2, 0, x, true, {0, 0.5, 1}, {20, 30, 10});")
    rows = rows_of(text, "--stop", "3", "--intervals", "12")
    for row in rows:
        t = float(row["time"])
        if min(abs(t - at) for at in (1, 2)) > 1e-6:
            wanted = 20 if t < 1 else -10 if t < 2 else 2 * (t - 2)
            assert abs(float(row["d"]) - wanted) < 1e-4, (row, wanted)


def test_turns_that_no_event_tells_are_found():
    text = BACK_AND_FORTH.replace("v >= 0", "noEvent(v >= 0)")
    for tolerance, most in (("1e-4", 3e-4), ("1e-6", 3e-6), ("1e-9", 3e-9)):
        rows = rows_of(text, "--stop", "12", "--interval", "0.01", "--tol", tolerance)
        check_back_and_forth(rows, most)
        for turn in TURNS[:4]:
            assert min(abs(t - turn) for t in times_of_jumps(rows)) < 1e-3, turn
    rows = rows_of(text, "--stop", "6", "--interval", "0.01", "--method", "bdf3", "--step", "0.001")
    check_back_and_forth(rows, 3e-4)


def test_the_other_end_is_right_where_the_stated_direction_is_not():
    # the end at which it flows out by what is stated has what flows in there after the turn
    for stated, name, end in (("true", "b", 1), ("false", "a", 0)):
        text = BACK_AND_FORTH.replace("v >= 0", stated)
        for options, most in ((("--interval", "0.01"), 3e-6),
                              (("--interval", "0.0005", "--method", "bdf3", "--step", "0.001"),
                               3e-3),
                              (("--interval", "0.05", "--method", "bdf3", "--step", "0.05"), 0.1)):
            rows = rows_of(text, "--stop", "6", *options)
            jumps = times_of_jumps(rows)
            late = 0 if "--step" not in options else float(options[-1])
            for row in rows[1:]:
                t = float(row["time"])
                near = [*TURNS, *jumps]
                if any(abs(t - at) <= late + 1e-9 for at in near):
                    continue
                assert abs(float(row[name]) - pipe(end, t)) < most, (options, row, pipe(end, t))


def test_a_start_that_needs_its_derivative_is_undecided():
    head = ("model A Real x(start = 0, fixed = true), y, w; equation der(x) = 0.5; "
            "(, y) = spatialDistribution(time^2, 0, x, true, {0, 0.5, 1}, {20, 30, 10}); ")
    for rest in ("w = 1/der(y);", "w*der(y) = 1;", "der(w) = -w; initial equation der(y) = 0;"):
        result = check_exit(run_text("check-init", head + rest + " end A;"), 4)
        contains(result.out, "undecided: the start asks for the derivative")
        assert "conflict" not in result.out and "redundant:" not in result.out, result.out
    for rest, code, text in (("der(w) = y - w; initial equation w = y;", 0, "well-determined"),
                             ("w = 1/(y - 10);", 1, "inconsistent"),
                             ("w = y; initial equation y = 11;", 1, "inconsistent")):
        contains(check_exit(run_text("check-init", head + rest + " end A;"), code).out, text)
    rows = rows_of(head[len("model A "):] + "w = 1/der(y);", "--stop", "0.5", "--intervals", "2")
    assert all(abs(float(row["w"]) - 0.05) < 1e-9 for row in rows), rows


def test_a_way_that_jumps_ends_the_run():
    text = ("model A Real x(start = 0, fixed = true), y; equation der(x) = 1; when time > 0.5 "
            "then reinit(x, 3); end when; (, y) = spatialDistribution(time, 0, x, true); end A;")
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err,
             "the way x of 'spatialDistribution' jumps")


def test_it_is_printed_with_its_ends_and_read_back():
    shown = check_exit(run_text("show", f"model A {BACK_AND_FORTH} end A;"), 0).out
    contains(shown, "a = if v >= 0 then sin(3*time) else spatialDistribution(sin(3*time), "
                    "time + 2, x, false, {0, 0.25, 0.25, 1}, {1, 2, -1, 3});")
    equal(check_exit(run_text("show", shown), 0).out, shown)
    rows = list(csv.DictReader(io.StringIO(
        check_exit(run_text("simulate", shown, "--stop", "6", "--interval", "0.1"), 0).out)))
    check_back_and_forth(rows, 3e-6)


def test_wrong_arguments_are_told():
    for arguments, message in (
            ("x, x, x", "takes in0, in1, x, positiveVelocity"),
            ("x, x, x, 1", "takes in0, in1, x, positiveVelocity"),
            ("{x, x}, x, x, true", "must have the same size"),
            ("x, x, x, true, {0, 1}, {1, 2, 3}", "must be vectors of the same size"),
            ("x, x, x, true, {0, x}, {1, 2}", "must not change during the simulation"),
            ("x, x, x, true, {0, 0.7, 0.6, 1}, {1, 2, 3, 4}", "and not decrease"),
            ("x, x, x, true, {0.1, 1}, {1, 2}", "must begin with 0"),
            ("x, x, x, true, {0, 0.9}, {1, 2}", "end with 1")):
        text = (f"model A Real x(start = 0, fixed = true), y; equation der(x) = 1; "
                f"y = spatialDistribution({arguments}); end A;")
        contains(check_exit(run_text("show", text), 3).err, message)
    contains(check_exit(run_text("simulate", "model A parameter Real p = 0.5; Real x(start = 0, "
                                 "fixed = true), y; equation der(x) = 1; (, y) = "
                                 "spatialDistribution(x, 0, x, true, {0, p, p - 0.1, 1}, "
                                 "{0, 0, 0, 0}); end A;", "--stop", "1"), 3).err,
             "and not decrease")


def test_exported_c_refuses_it():
    contains(check_exit(run_text("export", f"model A {BACK_AND_FORTH} end A;", "--target", "c"),
                        3).err, "spatialDistribution(...) cannot be exported")


main(globals())
