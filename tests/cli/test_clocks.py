"""simulate: clocks tick at exact times, clocked partitions are executed once a tick;
answers are known in closed form."""

import csv
import io
import os
import tempfile

from harness import check_exit, contains, equal, main, run_text


def rows_of(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return list(csv.DictReader(io.StringIO(result.out)))


def history(text, name, stop, grid, *options):
    """Values of a variable on a grid, at ticks the value after it."""
    rows = rows_of(text, "--stop", str(stop), "--interval", str(grid), "--no-event-rows", *options)
    return [round(float(row[name]), 12) for row in rows]


def changes(text, name, stop):
    """(time, value) wherever the value changes at an event, and the value at the beginning."""
    rows = rows_of(text, "--stop", str(stop), "--intervals", "1")
    found = [(float(rows[0]["time"]), float(rows[0][name]))]
    for row in rows[1:]:
        if float(row[name]) != found[-1][1]:
            found.append((float(row["time"]), round(float(row[name]), 12)))
    return found


COUNTER = """model C
  Integer n(start = 0);
  Real u;
equation
  when {clock} then
    n = previous(n) + 1;
  end when;
  u = hold(n);
end C;"""


def test_previous_counts_ticks_and_begins_at_the_start_value():
    equal(history(COUNTER.format(clock="Clock(1, 10)"), "u", 0.5, 0.1), [1, 2, 3, 4, 5, 6])
    text = "model P Real x(start = 5); equation x = previous(x) + sample(1, Clock(1/4)); end P;"
    equal(history(text, "x", 1, 0.25), [6, 7, 8, 9, 10])


def test_ticks_are_rational_and_what_coincides_is_one_event():
    # 1/3 and 1/7: both tick at whole seconds, together with time >= 1
    text = """model R
  Integer a(start = 0), b(start = 0), both(start = 0);
  Boolean late;
equation
  when Clock(1, 3) then a = previous(a) + 1; end when;
  when Clock(1, 7) then b = previous(b) + 1; end when;
  late = time >= 1;
  when late then both = hold(a)*100 + hold(b); end when;
end R;"""
    rows = rows_of(text, "--stop", "1", "--intervals", "1")
    equal([rows[-1][name] for name in ("a", "b", "both")], ["4", "8", "408"])
    times = [row["time"] for row in rows]
    equal(len(set(times)), 1 + 2 + 6 + 1)  # start, thirds, sevenths, the whole second once
    equal(len(times), 1 + 2*9)


def test_a_tick_at_the_stop_time_counts():
    # 3/50 is later than the double 0.06
    equal(history(COUNTER.format(clock="Clock(1, 50)"), "u", 0.06, 0.02)[-1], 4)


def test_sub_and_super_sampling():
    text = """model S
  Integer n(start = -1), slow, fast, back;
  Real un, uslow, ufast, uback;
equation
  when Clock(1, 10) then n = previous(n) + 1; end when;
  slow = subSample(n, 3);
  fast = superSample(n, 2);
  back = subSample(fast, 2);
  un = hold(n); uslow = hold(slow); ufast = hold(fast); uback = hold(back);
end S;"""
    equal(history(text, "uslow", 0.7, 0.1), [0, 0, 0, 3, 3, 3, 6, 6])
    equal(history(text, "uback", 0.4, 0.1), [0, 1, 2, 3, 4])
    rows = rows_of(text, "--stop", "0.2", "--intervals", "1")
    equal(sorted({float(row["time"]) for row in rows}), [0, 0.05, 0.1, 0.15, 0.2])


def test_factors_are_inferred_and_must_be_whole():
    text = """model F
  Real x(start = 0), y, z;
  Integer n(start = 0);
equation
  when Clock(1, 10) then x = previous(x) + 1; end when;
  y = {what}(x);
  when {clock} then n = previous(n) + 1; z = y; end when;
end F;"""
    good = text.format(what="subSample", clock="Clock(4, 10)")
    equal(history(good, "y", 1.2, 0.4), [1, 5, 9, 13])
    good = text.format(what="superSample", clock="Clock(1, 20)")
    equal(history(good, "n", 0.2, 0.05), [1, 2, 3, 4, 5])
    bad = text.format(what="subSample", clock="Clock(1, 3)")
    contains(check_exit(run_text("simulate", bad), 3).err, "no factor of subSample leads from")


def test_shifts():
    # the specification's example: 3/10, shifted by 1/3 of its interval
    text = """model S
  Real t0, t1, t2, t3(start = -7), t4;
  Real u1, u2, u3, u4;
equation
  t0 = sample(time, Clock(3, 10));
  t1 = shiftSample(t0, 1, 3);
  t2 = shiftSample(t0, 3);
  t3 = shiftSample(t0, 2, 3);
  t4 = backSample(t3, 1, 3);
  u1 = hold(t1); u2 = hold(t2); u3 = hold(t3); u4 = hold(t4);
end S;"""
    rows = rows_of(text, "--stop", "1", "--intervals", "1")
    ticks = {float(row["time"]) for row in rows}
    equal(sorted(ticks), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    equal(changes(text, "u1", 0.8), [(0, 0), (0.4, 0.3), (0.7, 0.6)])
    equal(changes(text, "u2", 1.3), [(0, 0), (0.9, 0.9), (1.2, 1.2)])
    equal(changes(text, "u3", 0.9), [(0, -7), (0.2, 0), (0.5, 0.3), (0.8, 0.6)])
    equal(changes(text, "u4", 0.8), [(0, 0), (0.1, -7), (0.4, 0), (0.7, 0.3)])
    early = text.replace("backSample(t3, 1, 3)", "backSample(t3, 3, 3)")
    contains(check_exit(run_text("simulate", early), 3).err, "would tick before")


def test_sample_takes_the_left_limit_and_hold_begins_at_the_start_value():
    text = """model L
  Real s, v, y(start = 1);
equation
  s = if time < 0.2 then 1 else 2;
  v = sample(s, Clock(1, 10));
  when Clock(1, 10) then y = 3*v; end when;
end L;"""
    equal(changes(text, "v", 0.5), [(0, 1), (0.3, 2)])
    late = """model H
  Real x(start = 8), y, u;
equation
  y = sample(3, Clock(1, 10));
  x = shiftSample(y, 2);
  u = hold(x);
end H;"""
    equal(changes(late, "u", 0.5), [(0, 8), (0.2, 3)])


def test_no_clock_has_the_newest_value_and_sample_of_hold_the_one_before():
    # the specification's NoClockVsSampleHold
    text = """model N
  Clock c1 = Clock(1, 10);
  Clock c2 = subSample(c1, 2);
  Real x(start = 0), y(start = 0), z(start = 0);
equation
  when c1 then x = previous(x) + 1; end when;
  when c2 then
    y = noClock(x);
    z = sample(hold(x));
  end when;
end N;"""
    equal(history(text, "y", 0.4, 0.2), [1, 3, 5])
    equal(history(text, "z", 0.4, 0.2), [0, 2, 4])


def test_interval_and_first_tick():
    text = """model I
  Real a, b(start = 0);
  Boolean first;
equation
  when Clock(2, 8) then
    a = interval();
    first = firstTick();
    b = if firstTick() then 100 else previous(b) + interval(a);
  end when;
end I;"""
    equal(history(text, "a", 0.5, 0.25), [0.25, 0.25, 0.25])
    equal(history(text, "b", 0.75, 0.25), [100, 100.25, 100.5, 100.75])
    equal(history(text, "first", 0.5, 0.25), [1, 0, 0])


def test_intervals_that_vary():
    # the specification's example: ticks at 0, 0.003, 0.007, 0.012
    text = """model V
  Integer k(start = 2);
  Real y(start = 0), h;
equation
  when Clock(k, 1000) then
    k = previous(k) + 1;
    y = previous(y) + 1;
    h = interval();
  end when;
end V;"""
    equal(changes(text, "y", 0.012), [(0, 1), (0.003, 2), (0.007, 3), (0.012, 4)])
    equal(changes(text, "h", 0.012), [(0, 0.002), (0.003, 0.003), (0.007, 0.004), (0.012, 0.005)])
    real = text.replace("Clock(k, 1000)", "Clock(d)").replace("Integer k(start = 2)",
                                                              "Real d(start = 0.25)")
    real = real.replace("k = previous(k) + 1", "d = 2*previous(d)")
    equal(changes(real, "y", 1.5), [(0, 1), (0.5, 2), (1.5, 3)])
    stuck = real.replace("2*previous(d)", "-previous(d)")
    contains(check_exit(run_text("simulate", stuck), 5).err,
             "the next interval of this clock is -0.25")


EVENT = """model E
  Real x(start = 0, fixed = true), v(start = -1), h(start = 0);
  Integer n(start = 0), third(start = -1);
equation
  der(x) = 1;
  v = sample(x, Clock(x - hold(v) > 0.5, 0.125));
  n = previous(n) + (if v > 0 then 1 else 1);
  h = interval(v);
  third = subSample(n, 2);
end E;"""


def test_event_clocks_tick_when_their_condition_becomes_true():
    # hold(v) is -1 at first: the condition holds from the start, which is
    # no tick; so v begins at -0.25
    text = EVENT.replace("v(start = -1)", "v(start = -0.25)")
    rows = rows_of(text, "--stop", "1.9", "--intervals", "1")
    got = [(round(float(b["time"]), 6), round(float(b["v"]), 6), float(b["n"]),
            round(float(b["h"]), 6), float(b["third"]))
           for a, b in zip(rows, rows[1:]) if a["v"] != b["v"]]
    equal(got, [(0.25, 0.25, 1, 0.125, 1), (0.75, 0.75, 2, 0.5, 1), (1.25, 1.25, 3, 0.5, 3),
                (1.75, 1.75, 4, 0.5, 3)])


def test_event_clocks_have_no_ticks_between():
    bad = EVENT.replace("subSample(n, 2)", "superSample(n, 2)")
    contains(check_exit(run_text("simulate", bad), 3).err,
             "such a clock has no ticks between its own")


def test_clocked_equations_may_be_implicit_and_in_any_order():
    text = """model L
  Real x(start = 1), y, z, w(start = 1);
equation
  2*x + y = 5 + previous(x) - previous(x);
  x - y = z;
  z = sample(1, Clock(1, 10));
  w^3 + w = 10*z;
end L;"""
    row = rows_of(text, "--stop", "0.1", "--intervals", "1")[-1]
    equal((round(float(row["x"]), 12), round(float(row["y"]), 12),
           round(float(row["w"]), 12)), (2, 1, 2))


def test_relations_and_functions_are_taken_literally_at_ticks():
    text = """model B
  function f input Real u; output Real y; output Integer n;
  algorithm
    n := 0;
    for i in 1:3 loop if u > i then n := n + 1; end if; end for;
    y := 2*u;
  end f;
  Real u, y; Integer n; Boolean big(start = true), was(start = false);
equation
  u = sample(10*time, Clock(1, 10));
  (y, n) = f(u);
  big = floor(u/2) >= 1;
  was = previous(big);
end B;"""
    equal(history(text, "n", 0.4, 0.1), [0, 0, 1, 2, 3])
    equal(history(text, "big", 0.4, 0.1), [0, 0, 1, 1, 1])
    equal(history(text, "was", 0.4, 0.1), [1, 0, 0, 1, 1])


def test_arrays_and_records_and_clocks_through_connectors():
    text = """package P
  connector In = input Clock;
  connector Out = output Clock;
  record R Real a(start = 1); Real b[2](each start = 2); end R;
  block Source
    parameter Integer k = 1;
    Out y;
  equation
    if k > 0 then y = Clock(k, 10); else y = Clock(1, 100); end if;
  end Source;
  block Filter
    In clock;
    input Real u[2];
    output Real y[2](start = {5, 6});
    R r;
  equation
    when clock then
      y = previous(y) + u;
      r.a = previous(r.a) + 1;
      r.b = previous(r.b) + {r.a, 0};
    end when;
  end Filter;
  model M
    Source source(k = 2);
    Filter filter(u = sample({1, 2}, filter.clock));
    Clock c[2] = {source.y, subSample(source.y, 2)};
    Integer n(start = 0);
  equation
    connect(source.y, filter.clock);
    when c[2] then n = previous(n) + 1; end when;
  end M;
end P;"""
    options = ("--model", "P.M")
    equal(history(text, "filter.y[2]", 0.4, 0.2, *options), [8, 10, 12])
    equal(history(text, "filter.r.b[1]", 0.4, 0.2, *options), [4, 7, 11])
    equal(history(text, "n", 0.8, 0.2, *options), [1, 1, 2, 2, 3])


def test_every_if_branch_of_an_equation_is_found_by_its_left_side():
    text = """model I
  Integer a(start = 0), b(start = 0);
equation
  if previous(a) > 1 then
    a = 0;
    b = previous(b) + 1;
  else
    b = previous(b);
    a = previous(a) + sample(1, Clock(1, 10));
  end if;
end I;"""
    equal(history(text, "b", 0.6, 0.1), [0, 0, 1, 1, 1, 2, 2])


METHODS = """model D
  Real u, x(start = 1, fixed = true), y;
equation
  u = sample({input}, Clock(Clock(1, 2), solverMethod = "{method}"));
  der(x) = -x + u;
  y = hold(x);
end D;"""


def test_solver_methods_make_one_step_between_ticks():
    h = 0.5
    factors = {"ExplicitEuler": 1 - h, "ExplicitMidPoint2": 1 - h + h*h/2,
               "ExplicitRungeKutta4": 1 - h + h**2/2 - h**3/6 + h**4/24,
               "ImplicitEuler": 1/(1 + h), "ImplicitTrapezoid": (1 - h/2)/(1 + h/2)}
    for method, factor in factors.items():
        got = history(METHODS.format(input="0", method=method), "y", 1, 0.5)
        equal(got, [round(factor**k, 12) for k in range(3)])
    # the midpoint of the input counts: x' = u with u = 0, 1/2, 1 is integrated exactly
    for method in ("ExplicitMidPoint2", "ExplicitRungeKutta4", "ImplicitTrapezoid"):
        text = METHODS.format(input="time", method=method).replace("-x + u", "u")
        equal(history(text, "y", 1, 0.5), [1, 1.125, 1.5])


def test_the_first_tick_solves_initial_equations():
    text = METHODS.format(input="3", method="ImplicitEuler").replace(", fixed = true", "")
    text = text.replace("equation\n", "initial equation\n  der(x) = 0;\nequation\n", 1)
    equal(history(text, "y", 1, 0.5), [3, 3, 3])


def test_a_discretized_inverse_model_is_differentiated():
    # x = r, r'' = 0: T = x' = r' needs the derivative of the constraint
    text = """model V
  Real a, r(start = 0, fixed = true), x, T;
equation
  a = sample(2, Clock(Clock(1, 4), solverMethod = "ExplicitEuler"));
  der(r) = a;
  x = r;
  der(x) = T;
end V;"""
    equal(history(text, "T", 0.5, 0.25), [2, 2, 2])
    equal(history(text, "x", 0.5, 0.25), [0, 0.5, 1])
    sampled = text.replace("x = r", "x = a")
    contains(check_exit(run_text("simulate", sampled), 3).err, "has no derivative")


def test_a_second_derivative_begins_at_its_start_values():
    text = """model S
  Real a, x(start = 1);
equation
  a = sample(2, Clock(Clock(1, 2), solverMethod = "ExplicitEuler"));
  der(der(x)) = a;
end S;"""
    equal(history(text, "x", 1.5, 0.5), [1, 1, 1.5, 2.5])


def test_ticks_without_end_are_refused():
    for text, words in [
        ("model T Real x; equation x = superSample(sample(time, Clock(1)), "
         "1000000000000); end T;", "times in this run"),
        ("model T Real x; equation x = sample(time, Clock(1e-300)); end T;", "times in this run"),
        ("model T Real x(start = 1); equation when Clock(x) then x = "
         "previous(x)/2; end when; end T;", "accumulate at t = 1"),
    ]:
        contains(check_exit(run_text("simulate", text, "--stop", "2"), 5).err, words)


def test_assertions_are_looked_at_in_ticks():
    text = """model A
  Integer n(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
    assert(n < 4, "too many ticks");
  end when;
end A;"""
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err,
             "t = 0.3: too many ticks")
    check_exit(run_text("simulate", text, "--stop", "0.25"), 0)


def test_events_are_listed_with_their_clocks():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "events.csv")
        check_exit(run_text("simulate", COUNTER.format(clock="Clock(1, 10)"), "--stop", "0.1",
                            "--events", name), 0)
        with open(name) as file:
            rows = list(csv.DictReader(file))
    equal([row["kind"] for row in rows], ["initial", "time"])
    contains(rows[1]["cause"], "Clock(1, 10)")
    equal(rows[1]["changes"], "n = 2")


def test_what_show_prints_reads_back():
    text = ("model M Real x(start = 0, fixed = true); Real u; "
            "Real y(start = 0); Real z(start = 0); "
            "Clock c = Clock(1, 10); Clock d = subSample(c, 2); equation der(x) = hold(y) - x; "
            "when c then u = sample(x); y = previous(y) + 0.1*(1 - u); end when; "
            "when d then z = previous(z) + subSample(y, 2); end when; end M;")
    first = check_exit(run_text("show", text), 0).out
    contains(first, "  Clock c;\n  Clock d;\nequation\n  c = Clock(1, 10);\n"
             "  d = subSample(c, 2);\n")
    contains(first, "  when d then\n  z = previous(z) + subSample(y, 2);\n  end when;\n")
    equal(check_exit(run_text("show", first), 0).out, first)
    run = ["simulate", "--stop", "1", "--intervals", "5"]
    equal(check_exit(run_text(run[0], first, *run[1:]), 0).out,
          check_exit(run_text(run[0], text, *run[1:]), 0).out)


def test_mistakes_are_placed():
    base = "model M Real x(start = 0), y; {} equation {} end M;"
    for declared, equations, words in [
        ("", "x = previous(x) + 1; y = hold(x);", "the clock of this partition cannot be inferred"),
        ("", "when Clock(1, 10) then x = previous(x); end when; y = x + der(y);",
         "hold(...) is missing"),
        ("", "when Clock(1, 10) then x = previous(x); end when; y = sample(x, Clock(1, 5));",
         "'x' is clocked and stands in"),
        ("", "x = sample(1, Clock(1, 10)) + sample(2, Clock(1, 5)); y = 1;",
         "contradicts Clock(1, 10)"),
        ("", "x = sample(1, Clock(1, 10)); y = subSample(x, 2) + superSample(x, 2);",
         "contradict each other"),
        ("", "x = sample(1, Clock(1, 10)) + hold(y); "
         "y = previous(y) + sample(1, Clock(1, 10));", "'hold(y)' is unclocked"),
        ("", "x = previous(x + 1); y = 1;", "'previous' takes a variable"),
        ("", "x = sample(1, Clock(-1, 10)); y = 1;", "must be positive"),
        ("", "x = sample(1, Clock(0.0)); y = 1;", "must be positive"),
        ("", "x = subSample(sample(1, Clock(1, 10)), -2); y = 1;", "must be at least 0"),
        ("", "x = subSample(sample(1, Clock(1, 10)), factr = 2); y = 1;",
         "does not take these arguments"),
        ("parameter Clock c = Clock(1, 10);", "x = sample(1, c); y = 1;",
         "a clock is no parameter"),
        ("Clock c = 3;", "x = sample(1, c); y = 1;", "a clock equals a clock"),
        ("", "when Clock(1, 10) then x = 1; elsewhen time > 1 then x = 2; end when; y = 1;",
         "has no elsewhen"),
        ("", "when Clock(1, 10) then x = previous(x); y = 1; y = 2; end when;",
         "3 equations for 2 variables"),
        ("", "x = sample(time, Clock(Clock(1, 10), \"Heun\")); der(y) = x;",
         "\"Heun\" is not supported"),
        ("", "x = superSample(y, 2) + sample(1, Clock(1, 10)); y = subSample(x, 2);",
         "on different clocks"),
        # what a factor 0 takes away was there: x is clocked, and so is der(y)
        ("Real z;", "z = sample(1, Clock(1, 10)); x = 0*z; der(y) = x;", "hold(...) is missing"),
        ("Real z;", "z = sample(1, Clock(1, 10)); x = {0, 0}*{z, z}; der(y) = x;",
         "hold(...) is missing"),
    ]:
        result = check_exit(run_text("simulate", base.format(declared, equations)), 3)
        contains(result.err, words)
        equal(result.err.count("error:"), 1)


main(globals())
