"""Hybrid models with exact answers, at several tolerances, output grids and with fixed steps."""

import csv
import io
from math import acos, acosh, asin, atan, cos, exp, log, pi, sin, tan

from harness import check_exit, contains, equal, main, run_text, scratch

RUNS = (["--tol", "1e-3"], ["--tol", "1e-6"], ["--tol", "1e-9", "--intervals", "7"],
        ["--tol", "1e-6", "--intervals", "1", "--no-event-rows"])
FIXED = (["--method", "bdf3", "--step", "2e-4"],
         ["--method", "ab3", "--step", "2e-4", "--intervals", "3"])

# A trigger of gain 2e5 switches where its input has left y/3 by 5e-6, after AGAIN from the last time.
EDGE = 1/3 - 5e-6
FIRST, AGAIN = log(0.9/(1 - EDGE))/2, log((1 + EDGE)/(1 - EDGE))/2
FIRST_BETWEEN = log(EDGE/0.1)/(2/EDGE - 2)

# body, stop time, values at the end, number of time and state events
MODELS = {
    "a trigger that jumps where its branch ends": (
        """  Real v(start = 0.1, fixed = true), y(start = 1), d;
equation
  der(v) = 2*(y - v);
  d = 2e5*(y/3 - v);
  y = smooth(0, if d > 1 then 1 else if d < -1 then -1 else d);""", 2,
        {"v": 1 - (1 + EDGE)*exp(-2*(2 - FIRST - 5*AGAIN)), "y": 1}, 6),
    "a trigger that begins on the branch in between": (
        """  Real v(start = 0.1, fixed = true), y(start = 0.3), d;
equation
  der(v) = 2*(y - v);
  d = 2e5*(y/3 - v);
  y = smooth(0, if d > 1 then 1 else if d < -1 then -1 else d);""", 2,
        {"v": -1 + (1 + EDGE)*exp(-2*(2 - FIRST_BETWEEN - 4*AGAIN)), "y": -1}, 5),
    "a trigger of gain 2e9": (
        """  Real v(start = 0.1, fixed = true), y(start = 1), d;
equation
  der(v) = 2*(y - v);
  d = 2e9*(y/3 - v);
  y = smooth(0, if d > 1 then 1 else if d < -1 then -1 else d);""", 2,
        {"v": 1 - 4/3*exp(-2*(2 - log(1.35)/2 - 5*log(2)/2)), "y": 1}, 6),
    "nested ifs": ("""  Real x(start = -1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x < 0 then (if x < -0.5 then 1 else 2)
    else (if x > 1 then (if x > 1.5 then 5 else 4) else 3);""", 3, {"y": 9}, 4),
    "time and state events at once": ("""  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 1 then n = pre(n) + 1; end when;
  when x >= 1 then m = pre(m) + 1; end when;""", 3, {"n": 1, "m": 1}, None),
    "relations that hold for an instant": (
        """  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean b = cos(time) >= 1, d = sin(5*time) >= 1, e = (time - 1)^2*(time - 3) >= 0;
equation
  der(x) = (if b then 1e5 else 0) + (if d then 1e5 else 0);
  when b then n = pre(n) + 1; end when;
  when d then k = pre(k) + 1; end when;
  when e then m = pre(m) + 1; end when;""", 7, {"x": 0, "n": 1, "k": 6, "m": 2}, 1 + 12 + 3 + 2),
    "relations that fail for an instant": (
        """  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean b = (time - 1)^2 > 0, c = cos(time) > 1, d = (time - 2)^2 >= 0;
equation
  der(x) = if b and d and not c then 1 else -1e5;
  when not b then n = pre(n) + 1; end when;""", 7, {"x": 7, "n": 1}, 2),
    "whole numbers that are touched": (
        """  Real x(start = 0, fixed = true);
equation
  der(x) = floor(cos(time)) + 10*ceil(sin(2*time));""", 6, {"x": 10*pi/2 - pi + 10*pi/2}, None),
    "a relation of a function that touches 0 where it jumps": (
        """  Boolean b = noEvent(if time <= 1 then 1 - time else 1) > 0;
  Real y(start = 0, fixed = true);
equation
  der(y) = if b then 1 else 0;""", 2, {"y": 2, "b": 1}, None),
    "a relation of a function that jumps to the other side": (
        """  Boolean b = noEvent(if time < 1 then 2 - time else -1) > 0;
  Real y(start = 0, fixed = true);
equation
  der(y) = if b then 1 else 0;""", 2, {"y": 1, "b": 0}, None),
    "an integer in a derivative before its own equation": (
        """  Integer c = integer(ceil(x));
  Real x(start = -1.5, fixed = true), y(start = 0, fixed = true);
equation
  der(y) = c;
  der(x) = 1;""", 3, {"y": 1.5, "c": 2}, None),
    "discrete Reals that depend on each other": (
        """  discrete Real a(start = 1, fixed = true), b(start = 2, fixed = true);
  discrete Real c(start = 0, fixed = true), d(start = 0, fixed = true);
equation
  when sample(0.5, 0.5) then
    a = 10 + pre(a) - b;
    b = a - time;
    c = cos(d);
    d = 2*c - 1;
  end when;""", 0.7, {"a": 5.75, "b": 5.25, "c": 0.8117914482916364, "d": 0.6235828965832728}, 1),
    "a sampled controller with direct feedthrough of its plant": (
        """  Real x(start = 0, fixed = true), y;
  discrete Real u(start = 1, fixed = true);
equation
  der(x) = u;
  y = x + 0.5*u;
  when sample(0.5, 0.5) then
    u = 1 - y;
  end when;""", 1.2, {"x": 0.5 + 0.5/3 + 0.2/4.5, "u": 1/4.5}, 2),
    "two crossings near a top": ("""  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean b = x > 0.999;
equation
  der(x) = v; der(v) = -x;
  when {b, not b} then n = pre(n) + 1; end when;""", 6*pi, {"n": 6}, 6),
    "a chain of events at one instant": ("""  Integer a(start = 0, fixed = true);
  Integer b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = d;
  when time > 1 then a = pre(a) + 1; end when;
  when change(a) then b = pre(b) + 2*a; end when;
  when change(b) then c = pre(c) + 3*b; end when;
  when change(c) then d = pre(d) + c; end when;""", 2, {"a": 1, "b": 2, "c": 6, "x": 6}, 1),
    "samples with offsets that coincide": ("""  Integer a(start = 0, fixed = true);
  Integer b(start = 0, fixed = true), c(start = 0, fixed = true);
  Boolean s1 = sample(0.2, 0.3), s2 = sample(0.5, 0.2);
equation
  when s1 then a = pre(a) + 1; end when;
  when s2 then b = pre(b) + 1; end when;
  when s1 and s2 then c = pre(c) + 1; end when;""", 3, {"a": 10, "b": 13, "c": 5}, 18),
    "whole numbers of states and time": ("""  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true), z(start = 0, fixed = true);
  Integer i = integer(x), f = integer(floor(-x));
equation
  der(x) = 1; der(y) = mod(x, 0.7); der(z) = i + f*10 + rem(time, 1);""", 3,
                                         {"y": 1, "z": -55.5}, None),
    "div and rem": ("""  Real y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(y) = div(time, 0.5); der(z) = rem(-time, 0.5);""", 2, {"y": 3, "z": -0.5}, None),
    "edge and change of a sine": ("""  constant Real pi = 3.141592653589793;
  Boolean b = sin(pi*time) > 0.5, c(start = false, fixed = true);
  Integer up(start = 0, fixed = true), any(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  when edge(b) then up = pre(up) + 1; end when;
  when change(b) then any = pre(any) + 1; end when;
  when {edge(b), edge(c)} then k = pre(k) + 1; end when;
  c = time > 3.2;""", 4, {"up": 2, "any": 4, "k": 3}, 5),
    "initial in a vector of conditions": ("""  Real x(start = 2, fixed = true), a(start = 0);
  Integer n(start = 5, fixed = true);
equation
  der(x) = -1;
  when initial() then a = x*10; end when;
  when {initial(), x < 1.5} then n = pre(n) + 1; end when;""", 1, {"a": 20, "n": 7}, 1),
    "when in an algorithm": ("""  Real x(start = 0, fixed = true), t1(start = 0);
  Integer n(start = 0), m(start = 0);
algorithm
  when x > 0.5 then n := n + 1; t1 := time; elsewhen x > 0.8 then n := n + 10; end when;
  when n > 5 then m := m + n; end when;
equation
  der(x) = 1;""", 1, {"n": 11, "m": 11, "t1": 0.5}, 2),
    "friction with stiction": ("""  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  Real f, a, sa;
  constant Real mu = 0.5, peak = 0.8;
  Boolean up(start = false, fixed = true), down(start = false, fixed = true), locked;
  Integer mode(start = 0, fixed = true);
equation
  der(x) = v; der(v) = a; a = 1.5*sin(time) - f;
  up = pre(mode) == 0 and (sa > peak or pre(up) and sa > mu) or pre(mode) == -1 and sa > peak;
  down = pre(mode) == 0 and (sa < -peak or pre(down) and sa < -mu)
    or pre(mode) == 1 and sa < -peak;
  locked = not (pre(mode) == 1 or up or pre(mode) == -1 or down);
  a = if locked then 0 elseif up or pre(mode) == 1 and not down then sa - mu else sa + mu;
  f = if locked then sa elseif up or pre(mode) == 1 and not down then mu else -mu;
  mode = if (pre(mode) == 1 or up) and v > 0 then 1
    elseif (pre(mode) == -1 or down) and v < 0 then -1 else 0;""", 1.5,
                               {"v": 1.5*(cos(asin(0.8/1.5)) - cos(1.5))
                                     - 0.5*(1.5 - asin(0.8/1.5))}, None),
    "a bridge of diodes": ("""  Real s[4], i[4], w[4], u, up, uq, plus, q(start = 0, fixed = true);
  Boolean off[4];
equation
  u = 10*sin(time);
  for k in 1:4 loop
    off[k] = s[k] < 0;
    w[k] = s[k]*(if off[k] then 1 else 1e-5);
    i[k] = s[k]*(if off[k] then 1e-5 else 1);
  end for;
  w[1] = up - plus; w[2] = uq - plus; w[3] = -up; w[4] = -uq;
  up - uq = u; i[1] + i[2] = plus/5; i[3] + i[4] = i[1] + i[2];
  der(q) = plus;""", 6, {"q": 10*(3 + cos(2*pi - 6))}, 1),
    "a thyristor": ("""  Real s(start = 0), i, w, e(start = 0, fixed = true);
  Boolean off(start = true, fixed = true), fire, disable(start = true);
equation
  fire = time > 1 and time < 1.2;
  disable = pre(off) and not fire;
  off = s < 0 or disable;
  w = if off then s else 0; i = if off then 0 else s;
  w + i = sin(time);
  der(e) = i;""", 6, {"e": cos(1) + 1}, None),
    "a latch": ("""  Boolean q(start = false, fixed = true), set, reset;
  Integer n(start = 0, fixed = true);
equation
  set = time > 1 and time < 1.1; reset = time > 2;
  q = (set or pre(q)) and not reset;
  when change(q) then n = pre(n) + 1; end when;""", 3, {"q": 0, "n": 2}, None),
    "resets at samples": ("""  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when sample(1, 1) then reinit(x, pre(x) + 1); end when;""", 3.5,
                          {"x": exp(-0.5)*(1 + exp(-1)*(1 + exp(-1)*(1 + exp(-1))))}, 3),
    "two resets at once": ("""  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1; der(y) = 2;
  when x >= 1 then reinit(x, pre(y)); reinit(y, pre(x)); end when;""", 1.5,
                           {"x": 2.5, "y": 2}, None),
    "a saw by reinit": ("""  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -1;
  when x < 0 then reinit(x, 1); n = pre(n) + 1; end when;""", 5.5, {"n": 5, "x": 0.5}, None),
    "a polynomial of time with near roots": ("""  Real x(start = 0, fixed = true);
  Boolean b = (time - 1)*(time - 1.001)*(time - 2) > 0;
equation
  der(x) = if b then 1 else 0;""", 3, {"x": 1.001}, 3),
    "hysteresis": ("""  Real x(start = 0, fixed = true);
  Boolean h(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if h then -1 else 1; h = x > 1 or pre(h) and x > 0;
  when change(h) then n = pre(n) + 1; end when;""", 9.5, {"n": 9, "x": 0.5}, 9),
    "a rigid clutch": ("""  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), t;
  Boolean slips(start = true, fixed = true);
equation
  der(w1) = -t; 3*der(w2) = t; slips = pre(slips) and w1 > w2;
  t = if slips then 6 else 0;""", 2, {"w1": 2.5, "w2": 2.5}, 1),
    "a relation that is zero at the start": ("""  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0 then n = pre(n) + 1; end when;
  when x >= 0 then m = pre(m) + 1; end when;""", 1, {"n": 1, "m": 0}, None),
    "a vector of latches": ("""  Real x[5](each start = 0, each fixed = true);
  Boolean b[5];
  Integer c(start = 0, fixed = true);
equation
  for k in 1:5 loop
    der(x[k]) = if b[k] then 0 else k; b[k] = x[k] >= 1 or pre(b[k]);
  end for;
  when b then c = pre(c) + 1; end when;""", 2, {"x[1]": 1, "x[5]": 1, "c": 5}, 5),
    "a relation inside an algebraic loop": ("""  Real x(start = 0, fixed = true), y, z;
equation
  der(x) = 1; y = (if z > 1 then 2*z else z) + x; z = 0.25*y + x;""", 1, {"z": 2.5}, 1),
    "a time that moves on": ("""  Real x(start = 0, fixed = true), next(start = 0.5, fixed = true);
  Integer k(start = 1, fixed = true);
equation
  when time >= pre(next) then k = pre(k) + 1; next = pre(next) + 0.5; end when;
  der(x) = k;""", 2.25, {"k": 5, "x": 6.25}, 4),
    "values before a sample": ("""  Real x(start = 0, fixed = true);
  discrete Real s(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = cos(time);
  when sample(0, 0.1) then s = x; z = pre(s); end when;""", 1.05,
                               {"s": sin(1), "z": sin(0.9)}, 10),
    "branches with other unknowns": ("""  Real x(start = 0, fixed = true), y, z;
equation
  der(x) = 1;
  if x < 1 then y = 2*x; z = y + 1; else z = 3; y = z - x; end if;""", 2, {"y": 1, "z": 3}, 1),
}


def look_at_events(name, rows, path, n_events):
    with open(path, encoding="utf-8", newline="") as file:
        events = [row for row in csv.DictReader(file) if row["kind"] in ("time", "state")]
    if n_events is not None:
        equal((name, len(events)), (name, n_events))
    times = [row["time"] for row in rows]
    for event in events:
        assert times.count(event["time"]) >= 2, (name, event)
        assert event["cause"], (name, event)


def check(runs, error):
    with scratch() as folder:
        for name, (body, stop, final, n_events) in MODELS.items():
            for options in runs:
                path = f"{folder}/events.csv"
                result = check_exit(run_text("simulate", f"model A\n{body}\nend A;", *options,
                                             "--stop", repr(stop), "--events", path), 0)
                rows = list(csv.DictReader(io.StringIO(result.out)))
                for variable, value in final.items():
                    got = float(rows[-1][variable])
                    slack = error(options)*(1 + abs(value))
                    assert abs(got - value) < slack, (name, options, variable, got, value)
                if "--no-event-rows" not in options and "--method" not in options:
                    look_at_events(name, rows, path, n_events)


def test_answers_are_exact_at_every_tolerance_and_grid():
    check(RUNS, lambda options: max(1e-4, 10*float(options[1])))


def test_fixed_steps_are_right_up_to_their_step():
    check(FIXED, lambda options: 5e-3)


# Guards of time alone, each with the times from 0 to 6 at which it becomes true.
GUARDS = {
    "cosh(time) > 2": [acosh(2)],
    "tan(time) > 2": [atan(2), atan(2) + pi],
    "tan(time) < -2": [pi/2, 3*pi/2],
    "acos(time/6.5) < 0.5": [6.5*cos(0.5)],
    "atan2(time, 1 - time) > 2": [tan(2)/(1 + tan(2))],
    "1/(time - 3) > 5": [3],
    "log(time + 0.1) > 1": [exp(1) - 0.1],
    "2^time > 5": [log(5)/log(2)],
    "time^time > 27": [3],
    "semiLinear(time - 2, 1, 3) > 1": [3],
    "acos(cos(time)) > 3": [3],
    "noEvent(mod(time, 0.7)) > 0.5": [0.5 + 0.7*k for k in range(8)],
    "noEvent(rem(time, 2)) + time > 3.4": [1.7, 2.7],
    "noEvent(div(time, 2)) + time > 3.4": [2.4],
    "time*noEvent(ceil(time)) > 3.3": [1.65],
    "time + noEvent(floor(time)) > 4.5": [2.5],
    "noEvent(floor(time)) > 2": [3],
    "noEvent(sign(sin(3*time + 0.3))) > 0": [2*pi*k/3 - 0.1 for k in (1, 2)],
    "noEvent(if sin(time) > 0.9 then 1 else -1) > 0": [asin(0.9)],
}


def test_guards_of_time_are_found_whatever_function_they_have():
    for guard, times in GUARDS.items():
        model = ("model A Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); "
                 "discrete Real last(start = 0, fixed = true); equation der(x) = -x; "
                 f"when {guard} then n = pre(n) + 1; last = time; end when; end A;")
        for options in (("--tol", "1e-4", "--intervals", "1"), ("--tol", "1e-8")):
            result = check_exit(run_text("simulate", model, "--stop", "6", *options), 0)
            rows = [r for r in csv.DictReader(io.StringIO(result.out))]
            found = sorted({float(row["last"]) for row in rows} - {0.0})
            equal(int(rows[-1]["n"]), len(times))
            equal(len(found), len(times))
            for got, value in zip(found, times):
                assert abs(got - value) < 1e-8, (guard, got, value)


PERIODS = """model A
  parameter Real p = {p}, s = {s}, rising = 0;
  discrete Real Ts(start = s, fixed = true);
  Integer n(start = 0, fixed = true);
  Real y = if time < Ts + rising then 1/rising else if time < Ts + {w} then 2 else 0;
equation
  when integer((time - s)/p) > pre(n) then
    n = pre(n) + 1;
    Ts = {T};
  end when;
end A;
"""


def test_a_time_that_was_kept_is_exact():
    """time < Ts holds nowhere behind Ts = time, not for a rounding error either."""
    for p, w in (("0.8", "0.4"), ("0.7", "0.3"), ("1.1", "0.1")):
        for kept in ("time", "s + n*p"):
            text = PERIODS.format(p=p, w=w, s="0", T=kept)
            out = check_exit(run_text("simulate", text, "--stop", "9.5", "--intervals", "1"), 0).out
            rows = list(csv.DictReader(io.StringIO(out)))
            times = [row["time"] for row in rows]
            assert all(times.count(t) <= 2 for t in times), times
            equal({row["y"] for row in rows}, {"0", "2"})
            # on at k p, off at k p + w, as exact decimals
            wanted = [round(k*float(p) + d, 9) for k in range(20) for d in (0, float(w))]
            equal([round(float(t), 9) for t in sorted(set(times), key=float)][1:-1],
                  [t for t in wanted if 0 < t < 9.5])


LIST = """model A
  parameter Real e[:] = {0.3, 0.7, 1.1, 2.8, 1e30};
  Integer i(start = 1, fixed = true), n(start = 0, fixed = true);
  discrete Real next(start = 0, fixed = true);
  Boolean active(start = false, fixed = true), passed(start = false, fixed = true);
algorithm
  when time >= e[i] then
    i := i + 1;
  end when;
equation
  active = not pre(passed);
  when active then
    next = e[i];
  end when;
  passed = active and time >= next;
  when passed then
    n = pre(n) + 1;
  end when;
end A;
"""


def test_a_function_of_time_in_a_mode_is_isolated_at_once():
    # Each of 20 000 looks ahead was 1e-8 long while the mode was not seen to be the one it is.
    result = check_exit(run_text("simulate", """model M
  type Mode = enumeration(on, off);
  Mode mode(start = Mode.off, fixed = true);
  Real v;
equation
  v = if mode == Mode.off then 1.1*time else 1.1*time + 40;
  when v > 0.5 then
    mode = Mode.on;
  end when;
end M;""", "--stop", "1", "--intervals", "2", "--stats"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    times = [float(row["time"]) for row in rows if row["mode"] == "1"]
    assert abs(times[0] - 5/11) < 1e-12, times
    equal(rows[-1]["v"], "41.1")
    contains(result.err, "1 in time")


def test_a_threshold_and_its_copy_are_one_event():
    """next is the double of e[i], e[i] is the exact decimal."""
    rows = list(csv.DictReader(io.StringIO(
        check_exit(run_text("simulate", LIST, "--stop", "3", "--intervals", "1"), 0).out)))
    equal((rows[-1]["i"], rows[-1]["n"]), ("5", "4"))
    equal([row["time"] for row in rows][1:-1:2], ["0.3", "0.7", "1.1", "2.8"])


def test_what_jumps_at_an_event_is_right_behind_it_in_functions_too():
    """p, which only a relation gives, is not put into f, where the relation would make no event:
    f(p - q) = f(q) holds in the row of the right limit as well."""
    text = """model M
  function f input Real x; output Real y; algorithm
    y := if abs(x) > 0.01 then sqrt(abs(x))*sign(x) else 10*x; end f;
  Real p, q, r, m(start = 1), n, k, s(start = 0, fixed = true); Real g, w, v;
equation
  der(s) = 1; p = if time < 0.5 then 1 else -1; m = f(q); m = f(p - q);
  r + p = if s < 0.7 then 2 else -2; n = f(k); n = f(r - k);
  g = floor(2*s); w = f(v); w = noEvent(if s > 7 then 0 else f(g - v));
end M;"""
    for options in RUNS:
        result = check_exit(run_text("simulate", text, "--stop", "1", "--quiet", *options), 0)
        equal(result.err, "")
        for row in csv.DictReader(io.StringIO(result.out)):
            x = {name: float(value) for name, value in row.items()}
            for half, whole in (("q", "p"), ("k", "r"), ("v", "g")):
                assert abs(x[half] - x[whole]/2) < 1e-9, (half, row)


def test_a_counted_pulse_passes_its_charge_and_a_counted_ramp_is_put_in():
    """The first jumps whatever T0 is: two capacitors share it. Of the second that is not known: it
    is taken to be continuous, so that no unknown is left of it."""
    text = """model M discrete Real T0(start = 0, fixed = true); Real v, v1, v2, i; initial equation
v1 = 2; equation when sample(0, 1) then T0 = time; end when; i = der(v1); i = 2*der(v2);
v = VALUE; v = v1 + v2; end M;"""
    pulse = text.replace("VALUE", "if time < T0 + 0.4 then 3 else 0")
    result = check_exit(run_text("simulate", pulse, "--stop", "0.5", "--intervals", "5"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert all(abs(float(rows[-1][name])) < 1e-9 for name in ("v1", "v2")), rows[-1]
    ramp = text.replace("VALUE", "if time < T0 + 0.4 then 3*(time - T0)/0.4 else 3")
    result = check_exit(run_text("simulate", ramp, "--stop", "0.5", "--intervals", "5"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert abs(float(rows[-1]["v1"]) - 4) < 1e-6 and abs(float(rows[-1]["v2"]) + 1) < 1e-6, rows


def test_equality_without_events_is_no_condition():
    for condition in ("noEvent(integer(2*time)) == 3", "noEvent(integer(x)) <> 0"):
        model = ("model A Real x(start = 0, fixed = true); discrete Real t(start = -1); "
                 f"equation der(x) = 1; when {condition} then t = time; end when; end A;")
        result = check_exit(run_text("simulate", model), 3)
        assert "changes without one" in result.err, result.err


def test_a_contact_whose_law_ends_at_the_edge_of_a_domain():
    """sqrt(delta) of an unknown that is 0 outside the contact, up to rounding and interpolation; the
    energy of the elastic ball stays, and the law may as well be written in one."""
    body = ("model C Real h(start = 1, fixed = true), v(start = 0, fixed = true), f{0}; equation "
            "der(h) = v; der(v) = f - 9.81; {1} end C;")
    apart = body.format(", delta", "delta = {0}; f = 1e3*{1};")
    for depth in ("noEvent(if h < 0 then -h else 0)", "max(0, -h)"):
        for law in ("sqrt(delta)", "delta^1.5"):
            one = body.format("", f"f = 1e3*{law.replace('delta', 'max(0, -h)')};")
            wanted = last_row(one, "--tol", "1e-9")
            for tolerance in ("1e-4", "1e-6", "1e-8"):
                row = last_row(apart.format(depth, law), "--tol", tolerance)
                slack = 200*float(tolerance) + 1e-6
                assert abs(row["h"] - wanted["h"]) < slack, (law, tolerance, row, wanted)
                assert abs(row["v"]**2/2 + 9.81*row["h"] - 9.81) < 10*slack, (law, row)


def last_row(text, *options):
    result = check_exit(run_text("simulate", text, "--stop", "2", "--intervals", "20", *options), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    return {name: float(value) for name, value in rows[-1].items()}


PULSES = [  # a right-hand side, its integral: all of it lies between two stages of a long step
    ("noEvent(if x > 0.5 and x < 0.501 then 1000 else 0)", 1),
    ("max(0, 1 - 1e4*abs(x - 0.5))*1e4", 1),
    ("noEvent(if (x - 0.3)^2 < 1e-6 then 500 else 0)", 1),
    ("min(0, 1e3*abs(x - 0.7) - 1)*1e3", -1),
    ("noEvent(if x > 0.5 and y < 0.5005 then 1000 else 0)", 0.5),
]


def test_pulses_of_unknowns_without_events_are_not_stepped_over():
    for right_side, area in PULSES:
        for more in ("", "\n  when x > 0.2 then n = 1; end when;"):
            text = ("model A\n  Real x(start = 0, fixed = true), y, z(start = 0, fixed = true);"
                    + ("\n  Integer n(start = 0, fixed = true);" if more else "")
                    + f"\nequation\n  der(x) = 1;\n  y = x;\n  der(z) = {right_side};{more}\nend A;")
            for tolerance in ("1e-3", "1e-6", "1e-9"):
                result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1",
                                             "--tol", tolerance), 0)
                z = float(list(csv.DictReader(io.StringIO(result.out)))[-1]["z"])
                assert abs(z - area) < 30*float(tolerance) + 1e-6, (right_side, tolerance, z)


def test_pulses_inside_of_functions_are_not_stepped_over():
    """Functions that are called, not written out: one with the pulse, one that calls it."""
    model = """model Called
      function pulse
        input Real u;
        output Real y;
      algorithm
        y := if u > 0.5 and u < 0.5001 then 1e4 else 0;
        annotation(Inline = false);
      end pulse;
      function scaled
        input Real u, v;
        output Real y;
      algorithm
        y := v*pulse(u) + sin(v)*0;
        annotation(Inline = false);
      end scaled;
      Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    equation
      der(x) = 1;
      der(y) = %s;
    end Called;"""
    for call, area in (("pulse(x)*cos(x)", sin(0.5001)*1e4 - sin(0.5)*1e4),
                       ("2 + scaled(x, cos(x))", 2 + sin(0.5001)*1e4 - sin(0.5)*1e4)):
        for tolerance in ("1e-3", "1e-6", "1e-9"):
            result = check_exit(run_text("simulate", model % call, "--stop", "1", "--intervals", "1",
                                         "--tol", tolerance), 0)
            y = float(result.out.splitlines()[-1].split(",")[2])
            assert abs(y - area) < 30*float(tolerance) + 1e-6, (call, tolerance, y, area)


def test_the_bottom_of_a_condition_between_two_stages_is_looked_at():
    """All stages see z above its limit; below it y has a pulse."""
    model = """model Dip
      Real y(start = 0, fixed = true), z(start = 1, fixed = true);
    equation
      der(y) = noEvent(if z < 1e-3 then 100 else 0);
      der(z) = -0.9995*cos(time);
    end Dip;"""
    exact = 100*(pi - 2*asin(0.999/0.9995))
    for tolerance in ("1e-3", "1e-6", "1e-9"):
        result = check_exit(run_text("simulate", model, "--stop", "3", "--intervals", "1", "--tol",
                                     tolerance), 0)
        y = float(result.out.splitlines()[-1].split(",")[1])
        assert abs(y - exact) < 100*float(tolerance), (tolerance, y, exact)


main(globals())
