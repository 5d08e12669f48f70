"""Random numbers whose state is known only at run time: the same bits as
those computed at translation."""

import csv
import io

from harness import check_exit, contains, equal, main, run_text

TEXT = """function g input Integer s[N]; output Integer t[N]; output Real r;
  external "C" ModelicaRandom_NAME(s, t, r); end g;
model R
  constant Integer a[N] = START;
  Integer s[N], first[N], second[N];
  Real r, r1, r2;
initial equation
  pre(s) = a;
equation
  when sample(0.5, 1) then
    (s, r) = g(pre(s));
  end when;
  (first, r1) = g(a);
  (second, r2) = g({THEN});
end R;
"""


def numbers(name, n, start, then, stop):
    text = TEXT.replace("NAME", name).replace("[N]", f"[{n}]").replace(
        "START", "{" + ", ".join(map(str, start)) + "}")
    text = text.replace("THEN", ", ".join(map(str, then)))
    result = check_exit(run_text("simulate", text, "--stop", stop, "--intervals", "1"), 0)
    row = list(csv.DictReader(io.StringIO(result.out)))[-1]
    return lambda key: [row[f"{key}[{i}]"] for i in range(1, n + 1)], row


def test_each_generator_agrees_with_itself_at_translation():
    for name, start in [
        ("xorshift64star", [-11, 22222]),
        ("xorshift128plus", [-1234567, 98765432, 55, -7]),
        ("xorshift1024star", [7919*i - 60000 for i in range(1, 33)] + [15]),
    ]:
        n = len(start)
        vector, row = numbers(name, n, start, start, "1")
        equal(vector("s"), vector("first"))
        equal(row["r"], row["r1"])
        first = vector("first")
        vector, row = numbers(name, n, start, first, "2")  # the second number
        equal(vector("s"), vector("second"))
        equal(row["r"], row["r2"])
        assert 0 < float(row["r"]) <= 1 and row["r"] != row["r1"]


def test_numbers_are_those_of_the_standard_library():
    """First and second number of each generator, as the library's C functions give them."""
    for name, start, state, drawn in [
        ("xorshift64star", [-11, 22222], [393540818, -975143150],
         (0.27295679275217194, 0.59269104082031943)),
        ("xorshift128plus", [-1234567, 98765432, 55, -7], [55, -7, -1025181969, -966582307],
         (0.27495001949400322, 0.044921966387180545)),
        ("xorshift1024star", [7919*i - 60000 for i in range(1, 33)] + [15],
         [1490670072, -2146288992], (0.56688534801632628, 0.42709783629209652)),
    ]:
        vector, row = numbers(name, len(start), start, start, "1")
        equal([float(s) for s in vector("s")[:len(state)]], [float(s) for s in state])
        equal(float(row["r"]), drawn[0])
        vector, row = numbers(name, len(start), start, start, "2")
        equal(float(row["r"]), drawn[1])


def test_the_hash_of_a_text_is_that_of_the_standard_library():
    text = """function h input String s; output Integer i;
      external "C" i = ModelicaStrings_hashString(s); end h;
    model H parameter Integer a = h("x.y.z.LongName"), b = h(""); end H;"""
    result = check_exit(run_text("show", text), 0)
    assert "a = -194101193;" in result.out and "b = -1431655766;" in result.out, result


IMPURE = """impure function set input Integer s[33]; input Integer id;
  external "C" ModelicaRandom_setInternalState_xorshift1024star(s, size(s, 1), id); end set;
impure function start input Integer seed; output Integer id;
algorithm
  id := 5;
  set(array(7919*i - seed for i in 1:33), id);
end start;
impure function draw input Integer id; output Real y;
  external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id); end draw;
model M
  parameter Integer id(fixed = false);
  Real y;
initial equation
  id = start(60000);
equation
  when {initial(), sample(1, 1)} then
    y = draw(id);
  end when;
end M;
"""


def drawn(count):
    """xorshift1024* from the state of the model on [Vigna16]."""
    halves = [(7919*i - 60000) % 2**32 for i in range(1, 34)]
    words = [halves[2*i] + (halves[2*i + 1] << 32) for i in range(16)]
    at, result, mask = halves[32] & 15, [], 2**64 - 1
    for _ in range(count):
        a = words[at]
        at = (at + 1) & 15
        b = words[at]
        b = (b ^ (b << 31)) & mask
        words[at] = b ^ a ^ (b >> 11) ^ (a >> 30)
        number = words[at]*1181783497276652981 & mask
        result.append((number - 2**64 if number >= 2**63 else number)*2.0**-64 + 0.5)
    return result


def test_a_generator_with_a_hidden_state():
    result = check_exit(run_text("simulate", IMPURE, "--stop", "20", "--intervals", "1"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    got = [float(rows[0]["y"])] + [float(row["y"]) for row in rows[2::2]][:19]
    equal(got, drawn(20))
    again = check_exit(run_text("simulate", IMPURE, "--stop", "20", "--intervals", "1"), 0)
    equal(again.out, result.out)


def test_several_places_draw_one_after_the_other():
    """In the order of the text: initial section, when-equations, statements and a function."""
    text = IMPURE.replace("model M", """function pair
  input Integer id; output Real a; output Real b;
algorithm
  a := draw(id); b := draw(id);
end pair;
model M
  parameter Real p(fixed = false);
  discrete Real a, b, c, d;""").replace("y = draw(id);", "y = draw(id); (a, b) = pair(id);")
    text = text.replace("end M;", """algorithm
  when sample(1, 2) then
    c := draw(id);
    if c > 2 then d := draw(id); end if;
  end when;
initial equation
  p = draw(id);
end M;""")
    result = check_exit(run_text("simulate", text, "--stop", "3", "--intervals", "1"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    got = [float(rows[0][name]) for name in ("y", "a", "b", "p")]
    for row in rows[2::2]:
        tick = float(row["time"])
        names = ("y", "a", "b") + (("c",) if tick % 2 == 1 else ())
        got += [float(row[name]) for name in names]
    equal(got, drawn(15)[:len(got)])
    equal(len(got), 15)


def test_where_a_hidden_state_cannot_be_drawn_from():
    outside = IMPURE.replace("  when {initial(), sample(1, 1)} then", "").replace("  end when;", "")
    for text, word in ((outside, "outside of when-clauses and initial sections"),
                       (IMPURE.replace("id = start(60000)", "id = 5"),
                        "initializeImpureRandom() is not called")):
        contains(check_exit(run_text("simulate", text), 3).err, word)


SEEDED = """function noise
  input Integer seed; input Real u; input Integer n; output Real y; output Integer last;
algorithm
  last := seed; y := 0;
  for i in 1:n loop
    last := mod(1103*last + 12345, 65536);
    y := y + u*last/65536;
  end for;
end noise;
model M
  parameter Integer seed = 614657;
  Real y, z; Integer k;
equation
  (y, k) = noise(seed, time, %d);
  z = noise(3*seed, 1, %d);
end M;
"""


def lcg(seed, n):
    total = 0
    for _ in range(n):
        seed = (1103*seed + 12345) % 65536
        total += seed/65536
    return total, seed


def test_seeds_that_are_parameters_are_numbers_in_long_loops():
    n = 5000  # minutes as terms of the seed
    for seed, options in ((614657, []), (7, ["--set", "seed=7"])):
        out = check_exit(run_text("simulate", SEEDED % (n, n), "--stop", "1", "--intervals", "1",
                                  *options), 0).out
        row = list(csv.DictReader(io.StringIO(out)))[-1]
        total, last = lcg(seed, n)
        assert abs(float(row["y"]) - total) < 1e-9*total, row
        equal(float(row["k"]), last)
        assert abs(float(row["z"]) - lcg(3*seed, n)[0]) < 1e-9*total, row
    # in short ones they stay symbols
    contains(check_exit(run_text("show", SEEDED % (1, 1)), 0).out, "mod(1103*seed + 12345, 65536)")


main(globals())
