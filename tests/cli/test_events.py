"""simulate: events are located, none is stepped over; answers are known in closed form."""

import csv
import io
import json
import math
import os

from harness import EXAMPLES, check_exit, contains, equal, main, run, run_text, scratch

BALL = """model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;"""


def rows_of(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return list(csv.DictReader(io.StringIO(result.out)))


def test_a_bouncing_ball_has_two_rows_at_its_impact():
    rows = rows_of(BALL, "--stop", "0.6", "--intervals", "2")
    times = [float(row["time"]) for row in rows]
    at = next(i for i in range(len(times) - 1) if times[i] == times[i + 1])
    assert abs(times[at] - math.sqrt(2/9.81)) < 1e-9, times
    assert abs(float(rows[at + 1]["v"]) - 3.1006128426) < 1e-8, rows[at + 1]
    assert abs(float(rows[at]["v"]) + 4.4294469181) < 1e-8, rows[at]


def test_a_pulse_is_not_stepped_over_at_any_tolerance_and_grid():
    pulse = ("model P Real x(start = 0, fixed = true); "
             "equation der(x) = if time > 1 and time < 1.01 then 100 else 0; end P;")
    for tolerance in ("1e-2", "1e-4", "1e-8"):
        for intervals in ("1", "3", "50"):
            rows = rows_of(pulse, "--stop", "2", "--tol", tolerance, "--intervals", intervals)
            assert abs(float(rows[-1]["x"]) - 1) < 1e-9, (tolerance, intervals, rows[-1])


def test_a_tank_runs_empty_and_is_filled_again():
    # The root has its edge where the branch ends, and the level comes there without slope.
    for branches in ("if h > 0 then sqrt(h) else 0",
                     "if h <= 0 then 0 else sqrt(2*h - h)",
                     "if not h >= 0 then 0 else h^0.5",
                     "smooth(0, if h > 0 then sqrt(h) else -sqrt(-h))"):
        for tolerance, error in (("1e-2", 2e-3), ("1e-6", 1e-6), ("1e-10", 1e-10)):
            rows = rows_of("model T Real h(start = 0.1, fixed = true), y; equation "
                           f"der(h) = (if time > 1.5 then 0.1 else 0) - y; y = {branches}; end T;",
                           "--stop", "3", "--intervals", "2", "--tol", tolerance)
            empty = next(row for row in rows if float(row["time"]) == 1.5)
            assert abs(float(empty["h"])) < error, (branches, tolerance, empty)
            y = float(rows[-1]["y"])  # of 2*y*der(y) = 0.1 - y from y = 0
            assert abs(-y - 0.1*math.log(1 - 10*y) - 0.75) < 1e4*error, (branches, tolerance, y)


def test_tanks_come_to_the_same_level():
    for flow in ("if p1 > p2 then k*sqrt(2*(p1 - p2)/rho) else -k*sqrt(2*(p2 - p1)/rho)",
                 "if p1 - p2 > 0 and k > 0 then k*sqrt((2*p1 - 2*p2)/rho) else 0"):
        rows = rows_of("model T parameter Real k = 1, rho = 2; Real p1(start = 1, fixed = true), "
                       "p2(start = 0, fixed = true), q; equation der(p1) = -q; der(p2) = q; "
                       f"q = {flow}; end T;", "--stop", "2", "--intervals", "4")
        assert abs(float(rows[1]["p1"]) - float(rows[1]["p2"]) - 0.25) < 1e-6, rows[1]
        assert abs(float(rows[-1]["p1"]) - 0.5) < 1e-6, rows[-1]


# Flow between levels, with an infinite slope on both sides of the level at which it rests.
LEVELLING = ("sign({0} - {1})*sqrt(abs({0} - {1}))",
             "if {0} > {1} then sqrt({0} - {1}) else -sqrt({1} - {0})",
             "(if {0} > {1} then 1 else -1)*abs({1} - {0})^0.5",
             "k*sqrt(max({0} - {1}, 0)) - k*sqrt(max({1} - {0}, 0))",
             "k*sqrt(max({0} - {1}, 0)) - k*sqrt(-min({0} - {1}, 0))",
             "sqrt(2*abs(r*{0} - r*{1})/r)*sign(r*{0} - r*{1})/sqrt(2)")


def test_levels_meet_and_rest():
    """a - b = (1 - t)^2 until t = 1; from t = 3 on a is fed, or b."""
    for flow in LEVELLING:
        for tolerance, error in (("1e-3", 2e-3), ("1e-6", 2e-6), ("1e-10", 1e-9)):
            for fed in ("a", "b")[:1 if tolerance == "1e-10" else 2]:
                feed = {name: " + (if time > 3 then 0.2 else 0)" if name == fed else ""
                        for name in "ab"}
                rows = rows_of(
                    "model T parameter Real k = 1, r = 1000; Real a(start = 2, fixed = true), "
                    "b(start = 1, fixed = true), q, x(start = 1, fixed = true); equation "
                    f"der(a) = -q{feed['a']}; der(b) = q{feed['b']}; "
                    f"q = {flow.format('a', 'b')}; der(x) = -x; end T;",
                    "--stop", "5", "--intervals", "10", "--tol", tolerance, "--no-event-rows")
                at = {float(row["time"]): {k: float(v) for k, v in row.items()} for row in rows}
                where = (flow, tolerance, fed)
                assert abs(at[0.5]["a"] - at[0.5]["b"] - 0.25) < error, (where, at[0.5])
                for t in (1.5, 2, 3):
                    assert abs(at[t]["a"] - 1.5) < error and at[t]["q"]**2 < error, (where, at[t])
                # der(d) = 0.2 - 2*sqrt(d) from d = 0: -w - 0.1*log(1 - 10*w) = t with w = sqrt(d)
                w = abs(at[3.5]["q"])
                assert abs(-w - 0.1*math.log(1 - 10*w) - 0.5) < 1e4*error, (where, at[3.5])
                assert abs(at[5]["a"] + at[5]["b"] - 3.4) < error, (where, at[5])
                assert (at[5]["q"] > 0) == (fed == "a"), (where, at[5])
                assert abs(at[5]["x"] - math.exp(-5)) < error, (where, at[5])


def test_levels_that_begin_alike_or_in_a_row_rest():
    for flow in LEVELLING[:2]:
        rows = rows_of("model T Real a(start = 1, fixed = true), b(start = 1, fixed = true), q; "
                       f"equation der(a) = -q; der(b) = q; q = {flow.format('a', 'b')}; end T;",
                       "--stop", "1")
        equal({(row["a"], row["q"]) for row in rows}, {("1", "0")})
        for tolerance in ("1e-3", "1e-6", "1e-9"):
            rows = rows_of(
                "model T Real a(start = 2, fixed = true), b(start = 1, fixed = true), "
                "c(start = 0.2, fixed = true), q, p; equation der(a) = -q; der(b) = q - p; "
                f"der(c) = p; q = {flow.format('a', 'b')}; p = {flow.format('b', 'c')}; end T;",
                "--stop", "5", "--tol", tolerance)
            for name in "abc":
                assert abs(float(rows[-1][name]) - 3.2/3) < 2*float(tolerance), (flow, rows[-1])


def test_fixed_steps_level_too():
    for method in ("bdf3", "implicit-euler"):
        rows = rows_of("model T Real a(start = 2, fixed = true), b(start = 1, fixed = true), q; "
                       "equation der(a) = -q; der(b) = q; "
                       f"q = {LEVELLING[0].format('a', 'b')}; end T;",
                       "--stop", "3", "--method", method, "--step", "0.01")
        assert abs(float(rows[-1]["a"]) - 1.5) < 1e-4, (method, rows[-1])


STICK = """model Stick
  type M = enumeration(stick, slide);
  M mode(start = M.stick, fixed = true);
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), s;
  Integer n(start = 0, fixed = true);
equation
  s = 10*(0.5*time - x);
  der(x) = v;
  der(v) = if mode == M.stick then 0 else s - 1;
  when s > 2 and pre(mode) == M.stick then
    mode = M.slide;
    n = pre(n);
  elsewhen v < 0 and pre(mode) == M.slide then
    mode = M.stick;
    n = pre(n) + 1;
    reinit(v, 0);
  end when;
end Stick;"""


def test_a_velocity_that_was_set_to_zero_is_not_below_it():
    rows = rows_of(STICK, "--stop", "10", "--tol", "1e-8")
    slides = [float(row["time"]) for row, after in zip(rows, rows[1:])
              if row["mode"] == "1" and after["mode"] == "2"]
    # With w = sqrt(10), s - 1 = cos(w*t) + 5*sin(w*t)/w while it slides; it sticks where
    # the velocity 0.5 - der(s)/10 is 0, and slides again when 0.5*10*t has brought s to 2.
    w = math.sqrt(10)
    until = 2*(math.pi - math.atan(w/5))/w
    s_end = 1 + math.cos(w*until) + 5*math.sin(w*until)/w
    period = until + (2 - s_end)/5
    assert len(slides) >= 4, slides
    for i, at in enumerate(slides):
        assert abs(at - 0.4 - i*period) < 1e-6, (slides, period)


def test_values_that_do_not_settle_are_named():
    result = check_exit(run_text("simulate", """model Light
  Integer c(start = 1, fixed = true);
  discrete Real t0(start = 0, fixed = true);
  Real phase = time - t0;
equation
  when phase >= 1 then
    c = pre(c) + 1;
    t0 = time;
  end when;
end Light;""", "--stop", "3"), 5)
    contains(result.err, "do not settle; these changed:")
    for text in ("time - t0 >= 1  (line 6)", "t0  (line 8)"):
        contains(result.err, text)


def test_a_cycle_through_reinit_names_what_changes():
    result = check_exit(run_text("simulate", """model Cycle
  Boolean up(start = false, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(v) = -1;
  when v < 0 and not pre(up) then
    reinit(v, 1);
    up = true;
  elsewhen v > 0 and pre(up) then
    up = false;
    reinit(v, -1);
  end when;
end Cycle;""", "--stop", "3"), 5)
    contains(result.err, "never ends")
    contains(result.err, "up: ")


def test_a_thermostat_switches_at_known_times():
    rows = rows_of("""model T
  Real T(start = 0, fixed = true); Boolean on(start = true, fixed = true);
equation
  der(T) = -T + (if on then 2 else 0);
  on = if pre(on) then T <= 1.1 else T < 0.9;
end T;""", "--stop", "1.1", "--intervals", "1")
    changes = [float(b["time"]) for a, b in zip(rows, rows[1:]) if a["on"] != b["on"]]
    for got, wanted in zip(changes, (0.7985076962, 0.9991783917)):
        assert abs(got - wanted) < 1e-6, changes
    equal(len(changes), 2)


def test_a_condition_inside_a_guard_of_time_does_not_hide_its_zeros():
    # as sources are written: until the start time the other branch counts, which is 0 as well
    rows = rows_of("""model S
  Real u = if time < 0.1 then 0 else sin(50*(time - 0.1)), x(start = 0, fixed = true);
  Boolean b = u > 0;
equation
  der(x) = if b then 1 else 0;
end S;""", "--stop", "2", "--intervals", "1", "--stats")
    times = sorted({float(a["time"]) for a, b in zip(rows, rows[1:]) if a["b"] != b["b"]})
    wanted = [0.1 + k*math.pi/50 for k in range(31)]
    equal(len(times), len(wanted))
    assert all(abs(a - b) < 1e-9 for a, b in zip(times, wanted)), times


def test_a_guard_of_time_that_stays_at_zero_for_a_while_makes_no_events():
    rows = rows_of("""model Z
  Boolean b = time <= min(time, 1.25), c = max(time, 0.7) > 0.7;
  Boolean d = min(abs(time - 0.4), abs(time - 0.9)) < 0.001;
end Z;""", "--stop", "2", "--intervals", "1", "--max-steps", "1000")
    times = [float(a["time"]) for a, b in zip(rows, rows[1:]) if a["time"] == b["time"]]
    wanted = [0.399, 0.401, 0.7, 0.899, 0.901, 1.25]
    equal(len(times), len(wanted))
    assert all(abs(a - b) < 1e-12 for a, b in zip(times, wanted)), times
    equal([rows[-1][name] for name in "bcd"], ["0", "1", "0"])


def test_no_peak_of_a_sine_is_overlooked():
    """Above 0.999999 for 3 ms in each period; the grid and the steps are far coarser."""
    rows = rows_of("""model Peaks
  discrete Integer n(start = 0, fixed = true); Real x(start = 0, fixed = true);
equation
  der(x) = 0.001;
  when sin(time) > 0.999999 then
    n = pre(n) + 1;
  end when;
end Peaks;""", "--stop", "20", "--intervals", "2")
    equal(float(rows[-1]["n"]), 3.0)


def test_elsewhen_is_taken_when_its_own_condition_becomes_true():
    rows = rows_of("""model E
  discrete Real k(start = 0, fixed = true); Real x(start = 0, fixed = true);
equation
  der(x) = k;
  when time >= 1 then
    k = 1;
  elsewhen time >= 2 then
    k = 5;
  elsewhen time >= 1 then
    k = 100;
  end when;
end E;""", "--stop", "3", "--intervals", "3")
    assert abs(float(rows[-1]["x"]) - 6) < 1e-9, rows[-1]


def test_event_rows_can_be_left_out():
    equal(len(rows_of(BALL, "--stop", "0.6", "--intervals", "2", "--no-event-rows")), 3)
    text = "model A Integer n; equation when sample(0.5, 0.5) then n = pre(n) + 1; end when; end A;"
    equal([row["n"] for row in rows_of(text, "--stop", "1", "--intervals", "2",
                                       "--no-event-rows")], ["0", "1", "2"])


def test_mistakes_in_when_are_placed():
    for text, words in [
        ("Real x; equation x = pre(x);", "outside a when-clause"),
        ("Real x(start = 0, fixed = true); equation der(x) = 1; reinit(x, 1);",
         "stands in when-clauses only"),
    ]:
        contains(check_exit(run_text("simulate", f"model A {text} end A;"), 3).err, words)


def test_a_discrete_variable_has_a_value_that_changes_at_events_only():
    """Modelica 3.6, 3.8.4: otherwise the variable would keep an old value in silence."""
    x = "Real x(start = 0, fixed = true); equation der(x) = 1;"
    for equation, value in [("Boolean b = noEvent(x > 0.5);", "noEvent(x > 0.5)"),
                            ("discrete Real d = 2*x;", "2*x"),
                            ("discrete Real d = mod(x, 0.1);", "mod(x, 0.1)")]:
        text = f"model M {equation} {x} end M;"
        contains(check_exit(run_text("simulate", text), 3).err,
                 f"changes at events only, but {value} changes without one")
    for equation in ["Boolean b = x > 0.5;", "Integer n = integer(3*x);",
                     "discrete Real n = div(3*x, 1);",
                     "discrete Real d = if initial() then x else pre(d);",
                     "Real y = noEvent(if x > 0.5 then 1 else 0);",
                     "Boolean b(start = false, fixed = true) = x > 0.5;"
                     " discrete Real t0(start = 0, fixed = true) ="
                     " if edge(b) then time else pre(t0);"]:
        check_exit(run_text("simulate", f"model M {equation} {x} end M;", "--intervals", "2"), 0)


def test_a_relation_that_is_as_before_after_the_event_is_its_cause():
    timer = """model Timer
  discrete Real t0(start = 0, fixed = true);
equation
  when time - pre(t0) >= 3 then
    t0 = time;
  end when;
end Timer;"""
    with scratch() as folder:
        events = os.path.join(folder, "events.csv")
        rows_of(timer, "--stop", "10", "--events", events)
        with open(events, encoding="utf-8") as file:
            listed = [row for row in csv.DictReader(file) if row["kind"] == "time"]
    equal([row["time"] for row in listed], ["3", "6", "9"])
    for row in listed:
        contains(row["cause"], "time - pre(t0) >= 3 (line 4)")


def test_a_value_that_is_only_added_is_no_other_mode():
    # the factors of the plant serve for every output of the controller, not for every gain
    plant = """model Plant
  Real x(start = 1, fixed = true); discrete Real u(start = 0, fixed = true);
equation
  der(x) = {};
  when sample(0, 0.1) then
    u = -0.5*x;
  end when;
end Plant;"""
    for right_side, modes in (("u - x", 1), ("(u - 2)*x", 11)):
        with scratch() as folder:
            result = check_exit(run_text("simulate", plant.format(right_side), "--stop", "1",
                                         "--stats", "--format", "json",
                                         "-o", os.path.join(folder, "plant.csv")), 0)
        equal(json.loads(result.err)["events"]["modes"], modes)


def test_a_hysteresis_switches_once_at_each_limit():
    """The relation that switches the heater on is false again just after: no event of
    its own, no false chattering."""
    exact = [0.5978370007556204, 0.7985076962177716, 0.9991783916799227]
    for tolerance in ("1e-4", "1e-6", "1e-8", "1e-9", "1e-11"):
        with scratch() as folder:
            path = os.path.join(folder, "events.csv")
            check_exit(run("simulate", EXAMPLES / "thermostat.mo", "--tol", tolerance,
                           "--events", path,
                           "-o", os.path.join(folder, "r.csv")), 0)
            with open(path) as file:
                times = [float(line.split(",")[0]) for line in file.read().splitlines()[2:]]
        equal(len(times), 7)
        for found, wanted in zip(times, exact):
            assert abs(found - wanted) < 1e-7, (tolerance, found, wanted)


def test_points_of_the_grid_just_before_an_event_come_before_it():
    # 0.1 + 0.1 + 0.1 is the next number after 0.3
    text = """model T
  Integer n(start = 0, fixed = true);
  discrete Real next(start = 0.1, fixed = true);
equation
  when time >= pre(next) then
    n = pre(n) + 1;
    next = pre(next) + 0.1;
  end when;
end T;
"""
    result = check_exit(run_text("simulate", text, "--stop", "0.4", "--interval", "0.1"), 0)
    times = [float(line.split(",")[0]) for line in result.out.splitlines()[1:]]
    assert times == sorted(times) and 0.3 in times and 0.1 + 0.2 in times, times


def test_a_step_before_a_time_event_stays_on_its_left_side():
    """A literal relation (and so a table) jumps where the event is: the two never differ."""
    text = """model M Real e(start = 0, fixed = true); Real y = noEvent(if time >= 1 then 1 else 0);
    Real z = if time < 1 then 0 else 1;
    equation der(e) = (y - z)^2; assert(e <= 0, "left side"); end M;"""
    for tolerance in ("1e-4", "1e-6", "1e-9"):
        equal(rows_of(text, "--stop", "2", "--tol", tolerance)[-1]["e"], "0")


def test_a_guard_that_crosses_within_the_last_digit_of_time_has_crossed():
    """A little inside after an event, and beyond 0 before the next number after t: no step can end
    between the two, and the instant takes what the step says."""
    text = """model Once
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Boolean low = x < 0;
  Integer n(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 0 else -1e10*(x + 100);
  der(y) = if low then -1 else 1;
  when time >= 1 then
    reinit(x, 2e-8);
  end when;
  when low then
    n = pre(n) + 1;
  end when;
end Once;
"""
    last = rows_of(text, "--stop", "2", "--intervals", "2")[-1]
    equal(last["n"], "1")
    assert abs(float(last["y"])) < 1e-9, last


def test_events_that_accumulate_fast_are_told_at_every_tolerance():
    """Each interval is an eighth of the one before: few of them can be seen."""
    text = """model Fast
  Real x0(start = -0.09, fixed = true), x1(start = 0.42, fixed = true);
  Real x2(start = 0.87, fixed = true);
  discrete Real h(start = 0, fixed = true);
equation
  der(x0) = 3.16*x1 - 0.1*x0 + (if x1*x2 < -0.17 then 0.29 else -0.04) + 0.1*h;
  der(x1) = -3.16*x2 - 0.1*x1 + (if x1*x2 < -0.17 then 0.18 else 0.68) + 0.1*h;
  der(x2) = 3.16*x0 - 0.1*x2 + 0.51 + 0.1*h;
  when x1*x2 < -0.17 then
    h = x1;
  end when;
  when x1^2 + x0^2 > 0.67 then
    reinit(x0, -0.15);
  end when;
end Fast;
"""
    for tolerance in ("1e-4", "1e-5", "1e-7", "1e-10"):
        result = check_exit(run_text("simulate", text, "--stop", "5", "--tol", tolerance), 5)
        contains(result.err, "events accumulate at t = 0.47750")


def test_a_ball_comes_to_rest_at_loose_tolerances():
    """The bounces become shorter, but the last ones are as far from 0 as those of tight runs."""
    text = """model Rest
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flies(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flies then -9.81 else 0;
  when h <= 0 then
    n = pre(n) + 1;
    flies = -0.5*pre(v) > 0.01;
    reinit(v, if -0.5*pre(v) > 0.01 then -0.5*pre(v) else 0);
  end when;
end Rest;"""
    for tolerance in ("1e-1", "1e-2", "1e-3", "1e-4", "1e-6"):
        result = check_exit(run_text("simulate", text, "--stop", "3", "--tol", tolerance,
                                     "--intervals", "1"), 0)
        last = result.out.splitlines()[-1].split(",")
        equal(last[4], "9")
        assert abs(float(last[1])) < 1e-9, last


def test_a_branch_that_ceases_to_exist_ends_a_run():
    """y jumps where its lower branch ends; relations that are crossed where a step begins, in the
    last digit of time, neither hang nor crash."""
    text = """model Fold
  Real u, y(start = -1), z(start = 0, fixed = true);
equation
  u = 2*sin(time);
  y = min(max(3*(u + 0.8*y), -1), 1);
  der(z) = y;
end Fold;"""
    for tolerance in ("1e-2", "1e-3", "1e-4", "1e-6", "1e-9"):
        result = check_exit(run_text("simulate", text, "--stop", "20", "--tol", tolerance,
                                     "--intervals", "4"), 5)
        contains(result.err, "integration stopped at t = 0.2355" if float(tolerance) < 1e-2
                 else "integration stopped at t = 0.235")


main(globals())
