"""delay(e, T): the past of e, with answers in closed form."""

import csv
import io
import json
import math

from harness import check_exit, contains, equal, main, run_text, scratch


def rows_of(text, *options):
    result = check_exit(run_text("simulate", f"model A {text} end A;", *options), 0)
    return list(csv.DictReader(io.StringIO(result.out)))


def events_of(rows):
    times = [float(row["time"]) for row in rows]
    return sorted({a for a, b in zip(times, times[1:]) if a == b})


def test_a_delayed_sine_begins_with_a_kink():
    for tolerance in ("1e-3", "1e-6", "1e-9"):
        rows = rows_of("Real y = delay(sin(time), 1);", "--stop", "3", "--intervals", "60",
                       "--tol", tolerance)
        equal(events_of(rows), [1.0])
        for row in rows:
            t = float(row["time"])
            wanted = math.sin(t - 1) if t > 1 else 0
            assert abs(float(row["y"]) - wanted) < float(tolerance), (tolerance, row)


def test_before_the_start_there_is_the_value_at_the_start():
    rows = rows_of("Real x(start = 5, fixed = true), y = delay(x, 0.5); equation der(x) = 1;",
                   "--stop", "1", "--intervals", "4")
    equal([round(float(row["y"]), 9)
           for row in rows if float(row["time"]) in (0, 0.25, 0.75, 1)], [5, 5, 5.25, 5.5])


def test_the_equation_x_dot_is_minus_x_one_ago():
    # method of steps: 1 - t, then -1/2 + ... ; x(3) = -1/6
    rows = rows_of("Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1);",
                   "--stop", "3", "--intervals", "6", "--tol", "1e-8", "--no-event-rows")
    equal([round(float(row["x"]), 7) for row in rows],
          [1, 0.5, 0, -0.375, -0.5, round(-0.5 + 0.125 - 1/48, 7), round(-1/6, 7)])


def test_jumps_come_back_at_their_exact_time():
    rows = rows_of("Real z = delay(if time > 0.1 then 3 else 1, 0.2);", "--stop", "1",
                   "--intervals", "1")
    at = events_of(rows)
    equal(at, [0.1, 0.3, *([] if len(at) == 2 else at[2:])])
    equal([row["z"] for row in rows if float(row["time"]) == 0.3], ["1", "3"])
    # 0.1 + 0.2 is the tick of the sample: one instant, both are seen
    text = ("Real z = delay(if time > 0.1 then 3 else 1, 0.2), s(start = 0); "
            "equation when sample(0.3, 1) then s = z; end when;")
    equal(rows_of(text, "--stop", "0.5", "--intervals", "1")[-1]["s"], "3")


def test_discrete_arguments_limit_no_step():
    rows = rows_of("Integer n(start = 0), m; Real r = n; equation when sample(0.5, "
                   "1) then n = pre(n) + 1; end when; m = integer(delay(r, 0.001));",
                   "--stop", "3", "--intervals", "3")
    equal([row["m"] for row in rows if float(row["time"]) in (1.0, 2.0, 3.0)], ["1", "2", "3"])
    equal([round(t, 9) for t in events_of(rows)], [0.5, 0.501, 1.5, 1.501, 2.5, 2.501])


def test_relations_of_delayed_values_make_events():
    rows = rows_of("Real x(start = 0, fixed = true); Boolean b; equation der(x) = 1; "
                   "b = delay(x, 1) > 0.5;", "--stop", "3", "--intervals", "3")
    change = next(float(b["time"]) for a, b in zip(rows, rows[1:]) if a["b"] != b["b"])
    assert abs(change - 1.5) < 1e-9


def test_arrays_nesting_and_zero_delay():
    text = ("Real x[2] = {time, 2*time}; "
            "Real y[2] = delay(x, 0.5), z = delay(delay(time, 0.5), 0.25), w = delay(time, 0);")
    row = rows_of(text, "--stop", "2", "--intervals", "1")[-1]
    equal([round(float(row[name]), 9) for name in ("y[1]", "y[2]", "z", "w")], [1.5, 3, 1.25, 2])


def test_a_delayed_value_can_be_differentiated():
    rows = rows_of("Real x, y; equation x = delay(time^2, 1); y = der(x);", "--stop", "3",
                   "--intervals", "2")
    assert abs(float(rows[-1]["y"]) - 4) < 1e-6, rows[-1]


def test_analysis_sees_a_known_function():
    text = ("model A Real x(start = 1, fixed = true), y; equation der(x) = -y; "
            "y = delay(x, 1); end A;")
    contains(check_exit(run_text("analyze", text), 0).out,
             "structural index 1, 1 degree of freedom")
    contains(check_exit(run_text("check-init", text), 0).out, "well-determined")


def test_a_relay_with_a_delayed_switch():
    # 0.5 - t until 0.6, where the zero of t = 0.5 is seen, then a triangle between -0.1 and 0.1;
    # the zeros are where one polynomial of the past ends and the next one begins
    def wanted(t):
        phase = (t - 0.6) % 0.4
        return 0.5 - t if t < 0.6 else phase - 0.1 if phase < 0.2 else 0.3 - phase
    text = ("Real x(start = 0.5, fixed = true); Boolean b; equation b = delay(x, 0.1) > 0; "
            "der(x) = if b then -1 else 1;")
    for options in (["--tol", "1e-3"], ["--tol", "1e-6"], ["--tol", "1e-9"],
                    ["--method", "bdf3", "--step", "1e-3"], ["--method", "ab3", "--step", "1e-3"]):
        for row in rows_of(text, "--stop", "2.3", "--intervals", "46", *options):
            t = float(row["time"])
            assert abs(float(row["x"]) - wanted(t)) < 1e-6, (options, row)
    with scratch() as folder:
        path = f"{folder}/events.csv"
        rows_of(text, "--stop", "1", "--events", path)
        with open(path, encoding="utf-8") as file:
            contains(file.read(), '"delay(x, 0.1) > 0 (line 1)","b = false"')


RUNS = (["--tol", "1e-3"], ["--tol", "1e-6"], ["--tol", "1e-9"],
        ["--method", "bdf3", "--step", "1e-3"], ["--method", "ab3", "--step", "1e-3"])


def check_varying(text, stop, wanted, runs=RUNS):
    for options in runs:
        limit = 2e-2 if "--step" in options else 10*float(options[1])
        for row in rows_of(text, "--stop", str(stop), "--intervals", "23", "--no-event-rows",
                           *options):
            t = float(row["time"])
            for name, value in wanted(t).items():
                assert abs(float(row[name]) - value) < limit*(1 + abs(value)), (options, row, value)


def test_delay_times_that_change_with_time():
    check_varying("Real y = delay(sin(time), 1 + 0.5*sin(time), 2);", 10,
                  lambda t: {"y": math.sin(max(t - 1 - 0.5*math.sin(t), 0))})
    # the delayed time goes backwards
    check_varying("Real T = if time < 1 then 0.2 else 0.2 + 2*(time - 1), d = delay(time^2, T, 9);",
                  2, lambda t: {"d": max(0, t - (0.2 if t < 1 else 0.2 + 2*(t - 1)))**2})


def test_delay_times_that_are_unknowns():
    check_varying("Real x(start = 1, fixed = true), T(start = 0.2, fixed = true), "
                  "d = delay(x, T, 5); equation der(x) = -x; der(T) = 0.3;", 3,
                  lambda t: {"d": math.exp(-max(0, t - 0.2 - 0.3*t))})
    # x(t - x(t)) = 1 for x = 1 + t
    check_varying("Real x(start = 1, fixed = true); equation der(x) = delay(x, x, 10);", 2,
                  lambda t: {"x": 1 + t})


def test_a_delay_time_that_jumps():
    def wanted(t):
        return max(0, t - (0.5 if t < 1 else 0.25 if t < 2 else 1.5))
    check_varying("discrete Real T(start = 0.5, fixed = true); Real d = delay(time, T, 5); equation "
                  "when time > 1 then T = 0.25; elsewhen time > 2 then T = 1.5; end when;", 3.1,
                  lambda t: {"d": wanted(t)})


def test_a_delay_that_vanishes_at_the_start():
    # x' = -x(t/2): a power series
    def series(t):
        total, factor = 0, 1
        for n in range(60):
            total += factor*t**n
            factor /= -(2**n*(n + 1))
        return total
    check_varying("Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.5*time, 100);", 3,
                  lambda t: {"x": series(t)}, runs=RUNS[:3])


def test_jumps_come_through_a_varying_delay_as_events():
    # t - 0.2 - 0.1 t = 0.5 at 7/9
    rows = rows_of("Real d = delay(if time > 0.5 then 1 else 0, 0.2 + 0.1*time, 5);", "--stop", "2",
                   "--intervals", "3")
    at = [(float(row["time"]), row["d"]) for row in rows if 0.7 < float(row["time"]) < 0.9]
    equal([d for _, d in at], ["0", "1"])
    assert all(abs(t - 7/9) < 1e-9 for t, _ in at), at
    # values that change at events only, and relations of delayed values
    row = rows_of("Integer n(start = 0, fixed = true); Real r = n, y(start = 0, fixed = true); equation "
                  "when sample(1, 1) then n = pre(n) + 1; end when; "
                  "der(y) = if delay(r, 0.3 + 0.1*time, 5) > 1.5 then 1 else 0;", "--stop", "3",
                  "--intervals", "3")[-1]
    assert abs(float(row["y"]) - (3 - 2.3/0.9)) < 1e-8, row


def test_a_delay_time_out_of_its_range_ends_the_run():
    for length, words in (("2*time", "must be between 0 and its maximum 1"),
                          ("0.5 - time", "must be between 0 and its maximum 1")):
        result = check_exit(run_text("simulate", f"model A Real y = delay(time, {length}, 1); end A;",
                                     "--stop", "2"), 5)
        contains(result.err, words)


SMALL = (
    # 0 for a while, then it grows: e^(T - t)
    ("""Real x(start = 1, fixed = true), T, y; equation der(x) = -x; y = delay(x, T, 2);
        T = if time < 1 then 0 else 0.5*(time - 1);""", {"y": math.exp(-2)}),
    # the decay of x' = -x(t - T): by Laplace's transform, up to T^2
    ("""Real x(start = 1, fixed = true), T; equation T = 0*x + 1e-6;
        der(x) = -delay(x, T, 1);""", {"x": math.exp(-3.000003)}),
    ("""Real x(start = 1, fixed = true), y; equation der(x) = -x;
        y = delay(sin(time), 1e-5*time, 1);""", {"y": math.sin(3 - 3e-5)}),
    # a jump comes through at once
    ("""Real x(start = 0, fixed = true), y; equation der(x) = y;
        y = delay((if time < 1 then 1 else 3)*time, if time < 2 then 0 else 0.25*(time - 2), 1);""",
     {"x": 12.125, "y": 8.25}),
)


def test_small_delays_need_few_steps():
    for text, wanted in SMALL:
        for tolerance in ("1e-4", "1e-6", "1e-8"):
            result = check_exit(run_text("simulate", f"model A {text} end A;", "--stop", "3", "--tol",
                                         tolerance, "--stats", "--format", "json"), 0)
            row = list(csv.DictReader(io.StringIO(result.out)))[-1]
            stats = json.loads(result.err)
            assert stats["steps_accepted"] < 5000, (text, tolerance, stats)
            for name, value in wanted.items():
                assert abs(float(row[name]) - value) < float(tolerance), (text, tolerance, row)


def test_show_reads_back_to_itself():
    text = ("model A Real x(start = 1, fixed = true), y; parameter Real T = 1; "
            "equation der(x) = -delay(x + 1, T); y = delay(delay(x, T), 2); end A;")
    once = check_exit(run_text("show", text), 0).out
    contains(once, "y = delay(delay(x, T), 2)")
    varying = check_exit(run_text("show", "model A Real y = delay(time, time/2, 3); end A;"), 0).out
    contains(varying, "delay(time, 0.5*time, 3)")
    equal(check_exit(run_text("show", once), 0).out, once)


def test_mistakes_are_placed():
    for text, words in [
        ("Real y = delay(time, -1);", "it must be positive"),
        ("Real y = delay(time, 3, 2);", "not longer than its maximum"),
        ("Real y = delay(time, time);", "needs its maximum, a parameter, as the third argument"),
        ("Real y = delay(time, time, 1 + time);", "needs its maximum, a parameter"),
        ("parameter Real m; Real y = delay(time, time, m);", "the longest delay time of 'delay'"),
        ("Real y = delay(time);", "takes an expression, a delay time"),
        ("parameter Real T; Real y = delay(time, T);", "must have a positive value"),
    ]:
        contains(check_exit(run_text("simulate", f"model A {text} end A;"), 3).err, words)


def test_the_last_row_is_that_of_the_stop_time():
    """Pieces of 0.1 add up to a little less than 1: what is left is no step, and still a row."""
    model = "model D Real y(start = 1, fixed = true); equation der(y) = -delay(y, 0.1); end D;"
    for stop in ("0.3", "0.7", "0.9", "1", "1.1", "1.7", "2.3", "3"):
        result = check_exit(run_text("simulate", model, "--stop", stop, "--intervals", "2"), 0)
        equal(result.out.splitlines()[-1].split(",")[0], stop)


def test_delays_of_variables_that_were_solved_for_may_hold_other_delays():
    # until 0.4 all that is delayed is its value at the start: x' = 1/2 - x
    text = ("Real x(start = 1, fixed = true), a, b, c; equation der(x) = b - x; "
            "a = (if 0.5*x > 2 then sin(x) else x) + delay(b, 0.2); "
            "b = delay(0.5*delay(x, 0.2), 0.2); c = if a > 9 then x else 3*time;")
    for options in ((), ("--method", "bdf3", "--step", "1e-3")):
        last = rows_of(text, "--stop", "0.35", "--intervals", "1", *options)[-1]
        wanted = 0.5 + 0.5*math.exp(-0.35)
        assert abs(float(last["x"]) - wanted) < 1e-5, last
        assert abs(float(last["a"]) - wanted - 0.5) < 1e-5, last
    # a circle through delays: v = v/2 + x/2 at the start
    text = ("Real x(start = 1, fixed = true), v, w, q; equation der(x) = w - x; "
            "v = if delay(v, 0.2) > 9 then 0 else 0.5*delay(w, 0.3) + 0.5*x; w = v; "
            "q = if v > 7 then sin(x) else delay(v, 0.1);")
    first = rows_of(text, "--stop", "0.1", "--intervals", "1")[0]
    equal([first["v"], first["q"]], ["1", "1"])


def test_relations_in_what_is_delayed_are_those_of_the_start():
    # b = b at the start: the warning says so, and 0 is kept
    text = ("Real x(start = 1, fixed = true), b; equation der(x) = -x; "
            "b = delay(if delay(x, 0.05) > 0.1 then b else 0.75, 0.2);")
    equal({row["b"] for row in rows_of(text, "--stop", "0.5", "--intervals", "5")}, {"0"})


def test_a_break_is_entered_once():
    # time - T is left of 0.45 by rounding where the root was found
    text = ("parameter Real p = 0.15; Real x(start = 1, fixed = true), v; "
            "equation der(x) = v - x; v = if (if delay(v, p) > 0.4 then "
            "delay(x, 0.05 + 0.1*time, 1) else x + 1.5) > 0.4 then 0.5*x + time else "
            "if 2*x > 0.4 then 1.5 + x else delay(x, 0.1);")
    assert len(rows_of(text, "--stop", "0.6", "--intervals", "2")) < 100


def test_fixed_steps_follow_a_delay_with_their_order():
    # x(1) of x' = -x(t - 3/10) by the method of steps
    text = "Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.3);"
    wanted = 1 - 1 + 0.7**2/2 - 0.4**3/6 + 0.1**4/24
    for method in ("bdf3", "ab3"):
        errors = []
        for step in ("0.02", "0.01"):
            last = rows_of(text, "--stop", "1", "--intervals", "1", "--method", method, "--step",
                           step, "--no-event-rows")[-1]
            errors.append(abs(float(last["x"]) - wanted))
        assert errors[1] < 3e-6 and 6 < errors[0]/errors[1] < 10, (method, errors)


def test_delays_shorter_than_a_fixed_step_end():
    # x' = -x(t - T) has exp(-q t) with q = exp(q T)
    q = 1.0
    for _ in range(50):
        q = math.exp(q*0.005)
    for method in ("bdf3", "ab3", "euler", "implicit-euler"):
        last = rows_of("Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.005);",
                       "--stop", "1", "--intervals", "1", "--method", method, "--step", "0.02")[-1]
        assert abs(float(last["x"]) - math.exp(-q)) < 1e-2, (method, last)


def test_pulses_inside_a_fixed_step_come_back_as_pulses():
    text = ("Boolean b = time > 0.101 and time < 0.104; Integer k = if b then 1 else 0; "
            "Real r = delay(k, 0.2); Integer n(start = 0, fixed = true); "
            "equation when r > 0.5 then n = pre(n) + 1; end when;")
    for options in ((), ("--method", "bdf3", "--step", "0.01")):
        equal(rows_of(text, "--stop", "0.5", "--intervals", "1", *options)[-1]["n"], "1")


def stats_of(text, *options):
    result = check_exit(run_text("simulate", f"model A {text} end A;", "--stats", "--format", "json",
                                 *options), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    return rows, json.loads(result.err[result.err.index("{"):])


def test_short_delays_do_not_keep_steps_short():
    # method of steps: the sum of (-1)^k (t - (k - 1) T)^k / k!
    for delay in (1e-3, 1e-6):
        for tolerance in (1e-4, 1e-6, 1e-8):
            rows, stats = stats_of(
                f"Real x(start = 1, fixed = true); equation der(x) = -delay(x, {delay});",
                "--stop", "2", "--intervals", "20", "--tol", str(tolerance))
            assert stats["steps_accepted"] < 600, (delay, tolerance, stats["steps_accepted"])
            for row in rows:
                t = float(row["time"])
                most = min(30, math.floor(t/delay + 1 + 1e-9))
                exact = sum((-1)**k*(t - (k - 1)*delay)**k/math.factorial(k)
                            for k in range(most + 1))
                assert abs(float(row["x"]) - exact) < tolerance, (delay, tolerance, row, exact)


def test_what_is_fast_beside_a_short_delay_stays_right():
    rows, stats = stats_of("""Real x(start = 1, fixed = true), y(start = 1, fixed = true);
        equation der(x) = -1000*(delay(x, 1e-5) - cos(time)); der(y) = delay(y, 1e-5);""",
                           "--stop", "1", "--intervals", "10", "--tol", "1e-7")
    assert stats["steps_accepted"] < 5000, stats["steps_accepted"]
    # y = C exp(r t) with r = exp(-r T), x follows cos with the delay's response to it
    for row in rows[2:]:
        t = float(row["time"])
        k, delay = 1000, 1e-5
        z = k/(1j + k*complex(math.cos(delay), -math.sin(delay)))
        assert t < 0.05 or abs(float(row["x"]) - (z*complex(math.cos(t), math.sin(t))).real) < 1e-6, row
        assert abs(float(row["y"])*math.exp(-t) - 1) < 3e-5, row


def test_polynomials_of_one_delay_do_not_split_the_steps_of_others():
    rows, stats = stats_of("""Real x(start = 1, fixed = true), y(start = 0, fixed = true);
        equation der(x) = -delay(x, 1e-4); der(y) = delay(x, 0.2) - delay(y, 1e-3);""",
                           "--stop", "1", "--intervals", "1")
    assert stats["steps_accepted"] < 2000, stats["steps_accepted"]
    assert abs(float(rows[-1]["x"]) - 0.36784264) < 1e-5, rows[-1]


def test_jumps_without_an_event_come_back_as_events_of_time():
    for tolerance in ("1e-3", "1e-6", "1e-9"):
        rows = rows_of("Real y = delay(sign(time - 0.5), 0.25), x(start = 0, fixed = true); "
                       "equation der(x) = y;", "--stop", "1", "--intervals", "8",
                       "--tol", tolerance)
        assert 0.75 in events_of(rows), events_of(rows)
        for row in rows:
            t = float(row["time"])
            assert abs(float(row["x"]) + 0.75 - abs(t - 0.75)) < 1e-12, (tolerance, row)
            assert t == 0.75 or float(row["y"]) == (1 if t > 0.75 else -1), (tolerance, row)
        # of a state, delayed twice: 0.3 and 0.7 come back 0.25 and 0.35 later
        rows = rows_of("Real x(start = 0, fixed = true), w(start = 0, fixed = true), y, z; "
                       "equation der(x) = 1; der(w) = y + z; z = delay(y, 0.1); y = "
                       "delay(noEvent(if x < 0.3 or x > 0.7 then sin(x) else -x), 0.25);",
                       "--stop", "1", "--intervals", "1", "--tol", tolerance)
        wanted = (2*(1 - math.cos(0.3)) + math.cos(0.7) - math.cos(0.75) - 0.2
                  - (0.65**2 - 0.09)/2)
        assert abs(float(rows[-1]["w"]) - wanted) < 2e-9, (tolerance, rows[-1], wanted)


CHAIN = """model M
  parameter Integer n = 6;
  Real T[n](each start = 0, each fixed = true), u;
equation
  u = if sin(9*time) > 0 then 1 else 0;
  for i in 1:n loop
    der(T[i]) = delay(if i == 1 then u else T[max(i - 1, 1)], LENGTH) - T[i];
  end for;
end M;
"""


def test_the_kinks_of_a_chain_are_events_of_the_next_delay_only():
    """15 jumps of u come through each delay of the chain once; as events of all others, each of
    which made more, they were 10^5 before t = 2."""
    for length, bound in (("0.1 + 0.03*i", 120), ("0.2 + 0.1*sin(i*time), 1", 240)):
        text = CHAIN.replace("LENGTH", length)
        result = check_exit(run_text("simulate", text, "--stop", "5", "--intervals", "10", "--stats",
                                     "--format", "json"), 0)
        events = json.loads(result.err[result.err.index("{"):])["events"]
        assert 15 <= events["time"] + events["state"] <= bound, events
    # the same with feedback from the end to the beginning: none is left out
    text = CHAIN.replace("LENGTH", "0.5").replace("then u", "then u - T[n]")
    low, high = (check_exit(run_text("simulate", text, "--stop", "4", "--intervals", "8",
                                     "--no-event-rows", "--tol", tol), 0).out
                 for tol in ("1e-6", "1e-10"))
    for a, b in zip(low.splitlines()[1:], high.splitlines()[1:]):
        for x, y in zip(a.split(","), b.split(",")):
            assert abs(float(x) - float(y)) < 1e-5, (a, b)


def test_relations_of_delayed_values_are_sought_as_far_as_these_go_on():
    """x follows a straight line, whose polynomial goes on and on: the zero of a relation of it was
    not there when it was first sought. x turns 0.1 after 1.5 and 0.5."""
    for tolerance in ("1e-4", "1e-5", "1e-6", "1e-7"):
        rows = rows_of("""Real x(start = 1, fixed = true); Boolean on(start = false, fixed = true);
equation der(x) = if on then -1 else 1;
  on = delay(x, 0.1) > 1.5 or pre(on) and delay(x, 0.1) > 0.5;""", "--stop", "10",
                       "--intervals", "50", "--tol", tolerance)
        for row in rows:
            s = (float(row["time"]) - 0.6) % 2.4
            wanted = 1.6 - s if s < 1.2 else s - 0.8
            assert abs(float(row["x"]) - wanted) < 1e-9, (tolerance, row, wanted)


def test_levels_of_delayed_values_are_sought_as_far_as_these_go_on():
    """The same line with a delay shorter than any step, so that nothing else looks for the zeros
    anew: one of these came 0.003 late."""
    for tolerance in ("1e-6", "1e-7"):
        rows = rows_of("""Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);
equation der(x) = 1;
  n = integer(4*delay(x, 1e-6));""", "--stop", "3", "--intervals", "2", "--tol", tolerance)
        for row in rows:
            t = float(row["time"])
            levels = 4*max(0, t - 1e-6)
            assert -1e-8 < levels - int(row["n"]) < 1 + 1e-8, (tolerance, row)


main(globals())
