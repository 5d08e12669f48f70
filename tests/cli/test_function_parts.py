"""Parts of records and arrays as values and targets, enumerations by their numbers, and what is
said where one is wrong. Models with values are in tests/models/functions."""

import csv
import io

from harness import check_exit, contains, equal, main, run, run_text


def show(text):
    return run("show", "-", stdin=text)


def test_targets_of_sections_that_are_no_parts():
    text = """record R Real x; Real z[2]; end R;
model M
  R a[2];
algorithm
  a[1].x := 1;
  a[2].z := {1, 2};
end M;"""
    check_exit(show(text), 0)
    for new, word in (("a[1].w := 1", "the record has no member 'w'"),
                      ("a[3].x := 1", "subscript 3 is outside 1:2"),
                      ("a[1].z := {1, 2, 3}", "has size [2], this value has size [3]"),
                      ("a[1,1].x := 1", "'a[1,1].x' cannot be assigned here")):
        err = check_exit(show(text.replace("a[1].x := 1", new)), 3).err
        contains(err, word)
        contains(err, ":5:3: error:")


def test_an_element_that_is_not_declared_cannot_be_assigned():
    text = "class C Real x[1]; Real x[3]; algorithm x[1] := 1; end C;"
    contains(check_exit(show(text), 3).err, "'x' cannot be assigned")
    text = "class C parameter Real x[1] = 1; parameter Real x[2] = 2; algorithm x[1] := 1; end C;"
    contains(check_exit(show(text), 3).err, "'x' cannot be assigned")


def test_members_of_what_is_no_record():
    text = "model M Real x = (time + 1).y; end M;"
    contains(check_exit(show(text), 3).err, ":1:29: error: 'y' is a member of a record")
    contains(check_exit(show("model M Real x = (time).; end M;"), 3).err, "a name after '.'")


def test_a_value_of_an_enumeration_by_its_number():
    text = """type C = enumeration(r, g, b);
model M
  Integer k = integer(4*time); C c(start = C.r);
equation
  when time > 0.2 then c = C(k); end when;
end M;"""
    err = check_exit(run("simulate", "-", stdin=text), 5).err
    contains(err, "5:28: assertion failed at t = 0.2: 'C' has values 1 to 3 only")
    contains(check_exit(show(text.replace("C(k)", "C(4)")), 3).err,
             ":5:28: error: 'C' has values 1 to 3 only")
    contains(check_exit(show(text.replace("C(k)", "C(0.5)")), 3).err,
             "'C' takes the number of one of its values")


def test_an_enumeration_that_depends_on_time_is_a_variable():
    shown = check_exit(show("""type C = enumeration(r, g, b);
model M C e = if time > 0.5 then C.g else C.r; end M;"""), 0).out
    contains(shown, "Integer e(start = 1) = if time > 0.5 then 2 else 1;")


def test_a_value_of_a_record_comes_before_values_of_its_parts():
    text = """package P
record Point Real x; Real y = 2*x; end Point;
record Segment Point a; Point b(x = 5, y(start = 3)); end Segment;
model A
  Segment s = Segment(Point(0), Point(3, 4)); Segment t(a(x = 1)); Segment u(b(x = 6), a(x = 1));
end A;
model B extends A; end B;
end P;"""
    flat = text.replace("package P\n", "").replace("model B extends A; end B;\nend P;", "")
    for shown in (check_exit(show(text), 0).out, check_exit(show(flat), 0).out):
        for line in ("Real s.b.x = 3;", "Real s.b.y(start = 3) = 4;", "Real t.b.x = 5;",
                     "Real u.b.x = 6;"):
            contains(shown, line)


UNSET = """record R Real x; Integer n; Boolean b; end R;
function member input Real u; output Real y; protected R r;
algorithm if u < 0.5 then r.x := 1; end if; y := r.x; end member;
function whole input Real u; output Real y; protected Integer n;
algorithm if u < 0.5 then n := 1; end if; y := n; end whole;
function truth input Real u; output Real y; protected Boolean b;
algorithm if u < 0.5 then b := true; end if; y := if b then 1 else 2; end truth;
function result input Real u; output R r;
algorithm r.n := 1; r.b := true; if u < 0.5 then r.x := 1; end if; end result;
function element input Real u; output Real y; protected Real t[2];
algorithm t[1] := 1; if u < 0.5 then t[2] := 1; end if; y := t[2]; end element;
function chosen input Real u; output Real y; protected Real t[3];
algorithm t[1] := u; t[2] := 2*u; y := t[integer(4*u) + 1]; end chosen;
function afterLoop input Real u; output Real y; protected Real s; Real k = u;
algorithm while k < 0.5 loop k := k + 0.3; s := k; end while; y := s; end afterLoop;
function inLoop input Real u; output Real y = 0; protected Real s; Real k = 0;
algorithm while k < u - 0.499 loop k := k + 0.3; y := y + s; s := k; end while; end inLoop;
function given input Real u; output Real y = 0; protected Real s; Real k = 0;
algorithm while k < u loop k := k + 0.3; s := k; y := y + s; end while; end given;
function returned input Real u; output Real y; protected Integer i;
algorithm if u < 0.5 then y := 1; return; end if; i := 2; y := i; end returned;
function never input Real u; output R r; algorithm r.n := 1; r.b := true; end never;
record Q R r[2]; end Q;
function pair input Real u; output Q q;
algorithm q.r[1] := result(u); q.r[2] := never(u); end pair;
"""


def test_a_path_without_value_ends_the_run_for_every_type():
    for name, word in (("member", "'r.x' of 'member'"), ("whole", "'n' of 'whole'"),
                       ("truth", "'b' of 'truth'"), ("element", "'t' of 'element'"),
                       ("chosen", "'t' of 'chosen'"), ("afterLoop", "'s' of 'afterLoop'"),
                       ("inLoop", "'s' of 'inLoop'")):
        result = run("simulate", "-", stdin=UNSET + f"model M Real y = {name}(time); end M;")
        err = check_exit(result, 5).err
        contains(err, f"assertion failed at t = 0.{'499' if name == 'inLoop' else '5'}")
        contains(err, f"{word} is used without a value")
    for name in ("given", "returned"):
        check_exit(run("simulate", "-", stdin=UNSET + f"model M Real y = {name}(time); end M;"), 0)


def test_who_needs_a_member_without_value_tells():
    for text in ("R y = result(time);", "Real y = result(time).x;",
                 "R y; equation y = result(time);", "R y; algorithm y := result(time);"):
        err = check_exit(run("simulate", "-", stdin=UNSET + f"model M {text} end M;"), 5).err
        contains(err, "is used without a value")
        contains(err, "assertion failed at t = 0.5")
    for text in ("result(time).n", "pair(time).r[2].n"):
        check_exit(run("simulate", "-", stdin=UNSET + f"model M Real y = {text}; end M;"), 0)
    for text, word in (("R y = never(time);", "this gives 'y.x' no value"),
                       ("Real y = never(time).x;", "this gives 'x' no value"),
                       ("Real y; equation y = 1 + never(time).x;", "this gives 'x' no value"),
                       ("Real y = pair(time).r[2].x;", "this gives 'x' no value"),
                       ("Q y; equation y = pair(time);", "a side of this equation has no value"),
                       ("R y; equation y = never(time);", "a side of this equation has no value"),
                       ("R y; algorithm y := never(time);", "this gives 'y.x' no value")):
        contains(check_exit(show(UNSET + f"model M {text} end M;"), 3).err, word)


def test_a_record_that_a_varying_subscript_chooses():
    text = """record R Real x; Integer n; Boolean b; end R;
function f input R r[3]; input Integer i; output R y; algorithm y := r[i]; y.n := r[4 - i].n; end f;
model M
  R y = f({R(time, 1, true), R(2*time, 2, false), R(3, 3, true)}, if time > 0.5 then 3 else 2);
end M;"""
    last = check_exit(run("simulate", "-", "--intervals", "2", stdin=text), 0).out.split()
    assert last[1] == "0,0,2,0" and last[-1] == "1,3,1,1", last


SHORT_HEAD = """record R Real x; Integer n; end R;
function f input Real u; output R r; algorithm r.x := u; r.n := 2; end f;
function ff input Real u[:]; output R r[size(u, 1)];
algorithm for i in 1:size(u, 1) loop r[i].x := u[i]; r[i].n := i; end for; end ff;
type E = enumeration(a,b,c);
"""
# a model, a variable, and its value at time 1
SHORT = (
    ("R r = if time > 0.5 then f(time) else f(-time);",
     "r.x", 1),
    ("R r[2] = ff({time, 2}); Real s = sum(r.x) + sum(r.n);",
     "s", 6),
    ("Real s = sum(ff({time, 2, 3}).x);",
     "s", 6),
    ("Real s = sum(q.x for q in ff({time, 2, 3}));",
     "s", 6),
    ("R r[2] = {f(time), f(2)}; R q[2]; equation q = r[{2,1}]; ",
     "q[1].x", 2),
    ("R r; equation r = if time > 0.5 then R(time, 3) else R(0, 1);",
     "r.n", 3),
    ("E e = max({E.a, E.b, min(E.c, E.b)}); Integer k = Integer(e);",
     "k", 2),
    ("Boolean b = max(time > 0.5, false); Real y = if b then 1 else 2;",
     "y", 1),
    ("Real x[E] = {1,2,3}*time; Real y = x[E.b] + sum(x[e] for e in E.b:E.c);",
     "y", 7),
    ("Real y = sum(i*j for i in 1:3, j in {time, 2});",
     "y", 18),
    ("Real y[2,3] = {i*10 + j*time for j in 1:3, i in 1:2};",
     "y[2,3]", 23),
    ("Real y = product({i for i in 1:4})*time + max(i^2 for i in {-3, 2});",
     "y", 33),
    ("Real a[3] = linspace(0, time, 3); Real y = a[2] + a[end];",
     "y", 1.5),
    ("Integer i = integer(3.7*time); Real y = mod(-7, max(i, 1)) + rem(-7, 3) + "
     "div(-7, 3);",
     "y", -1),
    ("Real A[2,2] = [1, 2; 3, 4]*time; Real B[2,2] = A^3; Real y = B[2,1];",
     "y", 81),
    ("Real y = {1,2,3}*{4,5,6*time};",
     "y", 32),
    ("Real x[3] = cross({1,0,0},{0,time,0}); Real y = x[3] + skew({1,2,3})[1,2];",
     "y", -2),
    ("Real y = if size(fill(0, 2, 3), 2) == 3 and ndims([1]) == 2 then time else 0;",
     "y", 1),
    ("Real x(start=1,fixed=true); Real y; equation der(x) = f(x).x; y = x;",
     "y", 2.718281828459045),
    ("function g = h(k = 3); function h input Real u; input Real k = 1; output Real "
     "y; algorithm y := k*u; end h; Real y = g(time);",
     "y", 3),
    ("Real y = smooth(1, if time < 0.5 then 0 else (time - 0.5)^2);",
     "y", 0.25),
    ("Real y = semiLinear(time, 2, 3) + abs(-time) + sign(time) + sqrt(4*time);",
     "y", 6),
    ("Real y = homotopy(time, 0) + noEvent(if time > 0 then 1 else 0);",
     "y", 2),
    ("protected Real q = time; public Real y = q;",
     "y", 1),
    ("parameter R p(x = 3, n = 1); R q = p; Real y = q.x*time;",
     "y", 3),
    ("parameter R p[2](x = {3, 4}, each n = 1); Real y = p[2].x*time + p[1].n;",
     "y", 5),
    ("Real x[2,2]; Real y; equation for i in 1:2, j in 1:2 loop x[i,j] = i + "
     "10*j*time; end for; y = sum(x);",
     "y", 66),
    ("Real y; Real z; equation (y, ) = k(time); z = k(2); function k input Real u; "
     "output Real a = u; output Real b = 2*u; algorithm end k;",
     "y", 1),
)


def test_values_of_short_models():
    for text, name, wanted in SHORT:
        result = run("simulate", "-", "--tol", "1e-9", stdin=f"{SHORT_HEAD}model M {text} end M;")
        rows = list(csv.DictReader(io.StringIO(check_exit(result, 0).out)))
        assert abs(float(rows[-1][name]) - wanted) < 1e-6, (text, rows[-1][name], wanted)


def broken_or_returned(x, z):
    y = 0
    for i in (1, 2, 3):
        y += 1
        if x > i:
            break
        if z > i:
            return y
    return y + 100


def test_a_return_behind_a_break_of_the_same_round():
    """Unrolled, in a loop at run time, and in a loop inside of a loop."""
    body = "y := y + 1; if x > i then break; end if; if z > i then return; end if;"
    head = "input Real x; input Real z; output Real y;"
    text = f"""model M
  function f {head} algorithm
    y := 0; for i in 1:3 loop {body} end for; y := y + 100;
  end f;
  function g {head} protected Real i; Real n; algorithm
    y := 0; i := 0; n := 3 + abs(x)/100;
    while i < 3 and n > 0 loop i := i + 1; n := n - i/100; {body} end while; y := y + 100;
  end g;
  function h {head} algorithm
    y := 0; for j in 1:2 loop y := 0; for i in 1:3 loop {body} end for; end for; y := y + 100;
  end h;
  Real a = f(2*time, 3*time); Real b = g(2*time, 3*time); Real c = h(2*time, 3*time);
  Real d = f(4*time, 1.5); Real e = g(4*time, 1.5); Real k = h(4*time, 1.5);
end M;"""
    result = check_exit(run_text("simulate", text, "--stop", "1.9", "--intervals", "19"), 0)
    for row in csv.DictReader(io.StringIO(result.out)):
        t = float(row["time"])
        for names, x, z in (("abc", 2*t, 3*t), ("dek", 4*t, 1.5)):
            if min(abs(v - i) for v in (x, z) for i in (1, 2, 3)) > 1e-9:
                equal([float(row[n]) for n in names], [broken_or_returned(x, z)]*3)


def test_a_range_of_real_numbers_may_begin_anywhere():
    for text, values in (("r:1.0 + r", ("r", "r + 1")), ("r + 1:-0.5:r", ("r + 1", "r + 0.5", "r")),
                         ("r:0.3:r + 1", ("r", "r + 0.3", "r + 0.6", "r + 0.9")),
                         ("r:r - 0.1", ()), ("p:p + 1.5", ("2", "3")),
                         ("r:p:r + 2*p", ("r", "r + 2", "r + 4"))):
        out = check_exit(show(f"model M parameter Real p = 2; Real r = time; "
                              f"Real v[{len(values)}] = {text}; end M;"), 0).out
        equal([line.split(" = ")[1][:-1] for line in out.splitlines() if "Real v[" in line],
              list(values))
    out = check_exit(show("function f input Real r; output Real y; algorithm y := 0; "
                          "for i in r:r + 1 loop y := y + i; end for; end f; "
                          "model M Real y = f(time); end M;"), 0).out
    contains(out, "Real y = 2*time + 1;")
    for text in ("r:2*r", "r:time:r + 1", "r:0.0:r + 1"):
        err = check_exit(show(f"model M Real r = 2*time; Real v[2] = {text}; end M;"), 3).err
        contains(err, "a range needs a constant length and a step that is not 0")


main(globals())
