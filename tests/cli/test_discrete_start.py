"""The initialization with discrete unknowns: pre(v) = start has the lowest priority, initial
equations and when-clauses with initial() come first, and check-init and simulate say the same."""

import csv
import io

from harness import check_exit, contains, equal, main, run_text

PULSE = """model P "sources of pulses: count and its time begin by an initial algorithm"
  parameter Real period = 0.3, startTime = 0.1;
  Real T_start, y, x(start = 0, fixed = true);
  Integer count;
initial algorithm
  count := integer((time - startTime)/period);
  T_start := startTime + count*period;
equation
  when integer((time - startTime)/period) > pre(count) then
    count = pre(count) + 1;
    T_start = time;
  end when;
  y = if time < startTime then 0 else if time < T_start + period/2 then 1 else 0;
  der(x) = y;
end P;"""

SAMPLED = """model S "the start of the sampled value follows from the steady state"
  Real x;
  discrete Real u;
initial equation
  der(x) = 0;
  x = 2;
equation
  der(x) = -x + u;
  when sample(1, 1) then
    u = pre(u) + 1;
  end when;
end S;"""

LATCH = """model L
  Boolean a, b;
  Real x(start = 0, fixed = true);
initial equation
  pre(a) = false;
  b = false;
equation
  when time > 1 then
    a = not pre(a);
  end when;
  b = not a;
  der(x) = if b then 1 else 0;
end L;"""

FIXED = """model F
  Integer n(start = 3, fixed = true);
  Real x(start = 0, fixed = true);
{}
equation
  when time > 1 then
    n = pre(n) + 1;
  end when;
  der(x) = n;
end F;"""


def contains_all(text, *parts):
    for part in parts:
        contains(text, part)


def rows_of(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]


def test_initial_algorithms_come_before_start_values():
    rows = rows_of(PULSE, "--stop", "1", "--intervals", "1")
    assert abs(rows[0]["T_start"] + 0.2) < 1e-15 and rows[0]["count"] == -1, rows[0]
    assert abs(rows[-1]["x"] - 0.45) < 1e-9, rows[-1]
    check_exit(run_text("check-init", PULSE), 0)


def test_a_discrete_real_is_found_with_the_continuous_unknowns():
    rows = rows_of(SAMPLED, "--stop", "1.5", "--intervals", "3")
    equal((rows[0]["x"], rows[0]["u"], rows[-1]["u"]), (2, 2, 3))
    check_exit(run_text("check-init", SAMPLED), 0)


def test_a_discrete_real_follows_a_continuous_unknown_through_when_initial():
    rows = rows_of("""model W
  Real x(start = 2, fixed = true), y;
  discrete Real z;
equation
  der(x) = z;
  y = 3*x + z;
  when {initial(), time > 0.5} then
    z = y + 1 - 4*z;
  end when;
end W;""", "--stop", "0.25", "--intervals", "1")
    assert abs(rows[0]["z"] - 7/4) < 1e-12, rows[0]  # z = 6 + z + 1 - 4 z


def test_a_conflict_of_discrete_starts_is_minimal_and_proved():
    result = check_exit(run_text("check-init", LATCH, "--verify-proofs"), 1)
    contains_all(result.out, "pre(a) = 0  (initial 0, line 5)",
                 "b = 0  (initial 1, line 6)", "verified")
    contains_all(check_exit(run_text("simulate", LATCH), 1).err,
                 "the initialization is inconsistent", "pre(a) = 0")


def test_a_fixed_start_is_a_law_and_another_one_is_a_guess():
    equal(rows_of(FIXED.format(""), "--stop", "0.5", "--intervals", "1")[0]["n"], 3)
    law = FIXED.format("initial equation n = 5;")
    conflict = check_exit(run_text("check-init", law, "--verify-proofs"), 1)
    contains_all(conflict.out, "n = 5", "pre(n) = 3", "n = pre(n)", "verified")
    check_exit(run_text("simulate", law), 1)
    equal(rows_of(law.replace(", fixed = true);\n  Real x", ");\n  Real x"), "--stop", "0.5",
                  "--intervals", "1")[0]["n"], 5)


def test_parameters_that_the_start_finds_are_found_again_with_other_discrete_values():
    model = """model Seeds
  parameter Integer seed(fixed = false);
  parameter Integer twice = 2*seed;
  Integer k(start = 0);
initial equation
  seed = 5;
  pre(k) = {};
equation
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
end Seeds;"""
    for begin, value in (("7", 7), ("3*seed + 1", 16), ("twice", 10)):
        first = rows_of(model.format(begin), "--stop", "0.1", "--intervals", "1")[0]
        equal((first["k"], first["seed"], first["twice"]), (value + 1, 5, 10))


def test_an_ideal_diode_is_well_determined_in_both_positions():
    for source in ("3", "-3", "0"):
        text = (f"model M Real s, u = {source}, i; Boolean off; equation off = s < 0; "
                "i = if off then 0 else s; u = 2*i + (if off then s else 0); end M;")
        contains(check_exit(run_text("check-init", text), 0).out, "well-determined")
    # 2*i - s falls in one position and rises in the other, a fold: two solutions above it, each
    # regular, none below, and at the fold itself nothing is proved; with the Boolean and without
    for source, code in (("3", 0), ("-3", 1), ("0", 4)):
        fold = (f"model M Real s, u = {source}, i; Boolean off; equation off = s < 0; "
                "i = if off then 0 else s; u = 2*i - s; end M;")
        equal(run_text("check-init", fold).code, code)
        plain = fold.replace("Boolean off;", "").replace("off = s < 0;", "")
        equal(run_text("check-init", plain.replace("if off", "if s < 0")).code, code)


def test_a_diode_beside_a_resistance_that_is_a_variable_has_its_certificate():
    # the determinant depends on r, and which branch holds on s: one point has to have both
    text = """model M
  parameter Real V = {}, L = 0.1;
  Real r = 5*(1 + 0.1*u), s, v, i, u, iL(start = 1, fixed = true);
  Boolean off, on;
equation
  on = not off;
  off = s < 0;
  v = s*(if on then 1e-5 else 1);
  i = s*(if off then 1e-5 else 1);
  u = r*(i + iL);
  V = u + v;
  L*der(iL) = u;
end M;"""
    for source in ("24", "-24"):
        model = text.format(source)
        contains(check_exit(run_text("check-init", model), 0).out, "well-determined")
        contains(check_exit(run_text("analyze", model, "--verify"), 0).out, "success")


def test_a_boolean_loop_without_a_solution_is_told():
    loop = "model L Boolean b1, b2; equation b1 = not b2; b2 = b1; end L;"
    for command in ("simulate", "check-init"):
        contains_all(check_exit(run_text(command, loop), 1).err,
                     "no values of these discrete variables", "b2 = b1")


def test_integers_start_as_whole_numbers():
    free = """model F
  parameter Integer i(fixed = false);
  parameter Real p(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  {}
equation
  der(x) = -i*x;
end F;
"""
    counter = """model C
  Integer i(start = 0);
  parameter Real p = 2.5;
  Real x(start = 1, fixed = true);
initial equation
  {}
equation
  der(x) = -i*x;
  when time > 0.5 then
    i = pre(i) + 1;
  end when;
end C;
"""
    # constants are seen in the text
    for text, name in ((free.format("i = 5/2; p = 1;"), "i"), (free.format("1.5 = i; p = 1;"), "i"),
                       (free.format("i = sin(2); p = 1;"), "i"),
                       (counter.format("i = 2.5;"), "i"), (counter.format("pre(i) = 2.5;"), "pre(i)")):
        for command in ("simulate", "check-init"):
            contains_all(check_exit(run_text(command, text), 3).err, ":6:3: error: ",
                         f"'{name}' is Integer, its value ", " is Real")
    # what the search of the start finds is refuted, or left open
    for text, code, verdict in ((free.format("2*i = 5; p = 1;"), 1, 1),
                                (free.format("i = p; 2*p = 5;"), 1, 1),
                                (counter.format("i = p;"), 1, 1),
                                (counter.format("pre(i) = x - 0.25;"), 1, 1),
                                (free.format("i = p; p^3 + p = 7;"), 5, 4),
                                (free.format("p - i = 0; cos(p) = p;"), 5, 4)):
        result = check_exit(run_text("simulate", text), code)
        equal(result.out, "")
        contains_all(result.err, "i is Integer, and the initial equations give it the value "
                     if code == 5 else "the initialization is inconsistent")
        check_exit(run_text("check-init", text), verdict)
    # whole numbers are values, however they are found
    for text, value in ((free.format("i = p; p = 3;"), 3), (free.format("p = i; p^3 + p = 10;"), 2),
                        (free.format("i = 6/2; p = 1;"), 3), (counter.format("i = floor(p);"), 2),
                        (free.format("i = p; i = 3;"), 3)):
        check_exit(run_text("check-init", text), 0)
        equal(rows_of(text, "--stop", "0.1", "--intervals", "1")[0]["i"], value)


main(globals())
