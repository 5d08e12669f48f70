"""Ranges and sizes in functions that are known only at run time: case by case (reader/cases.c).
The values beside are those of the same text in Python."""

import csv
import io
import math

from exported import check_same
from harness import check_exit, contains, equal, main, run_text

SLICES = """model M
  function g
    input Real x[:]; output Real y; output Integer n;
  algorithm
    y := 0; n := size(x, 1);
    for i in 1:size(x, 1) loop y := y + i*x[i]; end for;
  end g;
  function f
    input Real x[:]; input Real t;
    output Real y; output Real z; output Integer n;
  protected
    Integer m; Real w[size(x, 1)];
  algorithm
    m := 0;
    while m < size(x, 1) and sum(x[1:m]) < t loop m := m + 1; end while;
    (y, n) := g(x[m:end]);
    if sum(x[1:m]) > 1 then z := 1; else z := max(cat(1, x[1:m], {-5})); end if;
    w := zeros(size(x, 1));
    w[m:-1:1] := x[1:m];
    z := z + w[1]*100;
    y := y + (if m > 2 then sum(x[m-1:m]) else 0);
    if n < 2 then return; end if;
    w[1:n] := w[1:n] + {i for i in 1:n};
    z := z + 1000*sum(w);
    ANNOTATION
  end f;
  Real a, b, n;
equation
  (a, b, n) = f({0.1, 0.2, 0.3, 0.15}, time + 0.01);
end M;
"""


def in_python(x, t):
    m = 0
    while m < len(x) and sum(x[:m]) < t:
        m += 1
    rest = x[m - 1:]
    y, n = sum((i + 1)*v for i, v in enumerate(rest)), len(rest)
    z = 1 if sum(x[:m]) > 1 else max(x[:m] + [-5])
    w = x[:m][::-1] + [0]*(len(x) - m)
    z += w[0]*100
    y += sum(x[m - 2:m]) if m > 2 else 0
    if n >= 2:
        z += 1000*(sum(w) + n*(n + 1)/2)
    return y, z, n


def rows(text, *options):
    result = check_exit(run_text("simulate", text, "--no-event-rows", *options), 0)
    return [[float(v) for v in row] for row in list(csv.reader(io.StringIO(result.out)))[1:]]


def near(got, wanted):
    assert len(got) == len(wanted), (got, wanted)
    for a, b in zip(got, wanted):
        assert abs(a - b) <= 1e-9*(1 + abs(b)), (got, wanted)


def test_slices_are_those_of_the_moment():
    for annotation in ("", "annotation(Inline = false);"):
        text = SLICES.replace("ANNOTATION", annotation)
        for options in ((), ("--native",)):
            table = rows(text, "--stop", "0.7", "--intervals", "14", *options)
            equal(len(table), 15)
            for row in table:
                near(row[1:], in_python([0.1, 0.2, 0.3, 0.15], row[0] + 0.01))


def test_they_read_back_and_export():
    text = SLICES.replace("ANNOTATION", "annotation(Inline = false);")
    shown = check_exit(run_text("show", text), 0).out
    equal(check_exit(run_text("show", shown), 0).out, shown)
    near(sum(rows(shown, "--stop", "0.7"), []), sum(rows(text, "--stop", "0.7"), []))
    state = text.replace("Real a, b, n;", "Real a, b, n, s(start = 1, fixed = true);").replace(
        "end M;", "  der(s) = -s;\nend M;")
    check_same(state, "0.05", "0.5", methods=("implicit-euler",))


def test_sorting_moves_slices():
    text = """model M
  function sorted
    input Real x[:]; output Real y[size(x, 1)] = x;
  protected
    Real v; Integer j;
  algorithm
    for i in 2:size(x, 1) loop
      v := y[i]; j := i - 1;
      while j >= 1 and y[max(j, 1)] > v loop j := j - 1; end while;
      y[j+2:i] := y[j+1:i-1];
      y[j+1] := v;
    end for;
  end sorted;
  Real s[5];
equation
  s = sorted({time, 0.3, 1 - time, 0.6, 0.2});
end M;
"""
    for t, *s in rows(text, "--stop", "1", "--intervals", "20"):
        near(s, sorted([t, 0.3, 1 - t, 0.6, 0.2]))


def test_matrices_and_records_have_them_too():
    text = """model M
  record R Real a; Real b[2]; end R;
  function f
    input Real A[:, :]; input Integer i; input Integer j; output Real y;
  algorithm
    y := A[i, j] + sum(A[i, :]) + sum(A[1:i, j]) + 100*sum(A[i:end, 1:j]);
  end f;
  function g
    input R r[:]; input Integer i; output R y[size(r, 1)];
  algorithm
    y := r;
    y[i].b[i] := r[i].a + sum(r[1:i].a);
    y[1:i].a := fill(7, i);
  end g;
  R z[3]; Real y; Integer k;
equation
  k = if time < 0.5 then 1 else 2;
  y = f([1, 2, 3; 4, 5, 6; 7, 8, 9], k, 3 - k);
  z = g({R(1, {2, 3}), R(4, {5, 6}), R(7, {8, 9})}, k);
end M;
"""
    early, late = (rows(text, "--stop", "1", "--intervals", "1"))
    names = "z[1].a,z[2].a,z[3].a,z[1].b[1],z[1].b[2],z[2].b[1],z[2].b[2],z[3].b[1],z[3].b[2]"
    equal(len(names.split(",")) + 3, len(early))
    near(early[1:11], [7, 4, 7, 2, 3, 5, 6, 8, 9, 2 + 6 + 2 + 2700])
    near(late[1:11], [7, 7, 7, 2, 3, 5, 9, 8, 9, 4 + 15 + 5 + 1100])


def test_derivatives_go_through_the_cases():
    text = """model M
  function f
    input Real x[:]; input Real t; output Real y;
  protected
    Integer m;
  algorithm
    m := 1;
    while m < size(x, 1) and x[m] < t loop m := m + 1; end while;
    y := x[1:m]*x[1:m] + t^3;
    annotation(Inline = false);
  end f;
  Real y, v, a;
equation
  y = f({time, 2*time, 3, 4*time^2}, time*2.5 + 2);
  v = der(y);
  a = der(v);
end M;
"""
    (_, y, v, a), *_ = rows(text, "--start", "0.25", "--stop", "0.3", "--intervals", "1")
    t = 0.25
    near([y, v, a], [5*t*t + 9 + (2.5*t + 2)**3, 10*t + 7.5*(2.5*t + 2)**2,
                     10 + 37.5*(2.5*t + 2)])


SIZES = """model M
  function f
    input Real x[:]; input Integer mBOUNDS; input Integer s = 2;
    output Real y; output Real w[2];
  protected
    Real z[m]; Real a[m + 1, s];
  algorithm
    for i in 1:m loop z[i] := x[i]^2; end for;
    a := fill(2, m + 1, s);
    y := sum(z) + sum(a);
    w := {y, size(z, 1)} + (if m > 0 then {z[end], 0} else {0, 0});
  end f;
  Real y, w[2]; Integer k;
equation
  k = integer(2.99*time)*2;
  (y, w) = f({1, 2, 3, 4}, k);
end M;
"""


def test_sizes_of_local_arrays_need_bounds():
    table = rows(SIZES.replace("BOUNDS", "(min = 0, max = 4)"), "--stop", "1", "--intervals", "2")
    for (t, y, w, n, k), m in zip(table, (0, 2, 4)):
        squares = [(i + 1)**2 for i in range(m)]
        total = sum(squares) + 4*(m + 1)
        near([y, w, n, k], [total, total + (squares[-1] if m > 0 else 0), m, m])
    result = check_exit(run_text("simulate", SIZES.replace("BOUNDS", "")), 3)
    contains(result.err, "nothing says what this one can be at run time (min, max)")
    result = check_exit(run_text("simulate", SIZES.replace("BOUNDS", "(min = 0, max = 3)"),
                                 "--stop", "1"), 5)
    contains(result.err, "a range is outside of what it is a subscript of")


def test_what_is_outside_ends_the_run():
    text = """model M
  function f input Real x[:]; input Integer m; output Real y;
  algorithm y := sum(x[FROM:m]); end f;
  Real y; Integer k(start = 1, fixed = true);
equation
  when sample(0, 0.25) then k = pre(k) STEP; end when;
  y = f({1, 2, 3}, k);
end M;
"""
    for first in ("1", "2", "m - 1"):
        result = check_exit(run_text("simulate", text.replace("FROM", first).replace(
            "STEP", "+ 1"), "--intervals", "4", "--stop", "2"), 5)
        contains(result.err, ":3:")
        contains(result.err, "a range is outside of what it is a subscript of")
    # what ends before it begins is empty, wherever that is
    table = rows(text.replace("FROM", "1").replace("STEP", "- 1"), "--stop", "2")
    equal({row[1] for row in table}, {0.0})


FITTING = """model M
  function f input Real x[4]; input Integer m; output Real y[2];
  algorithm STATEMENT end f;
  discrete Integer k(start = 2, fixed = true); Real y[2];
equation
  when time > 0.625 then k = 3; end when;
  y = f({time, 2, 3, 4}, k);
end M;
"""


GATHERED = """model M
  function f
    input Real x; input Integer n;
    output Real s; output Integer k; output Real p[2]; output Real m;
  algorithm
    s := if x > 0.5 then sum(sum(x*i + j for j in i:n) for i in n:-1:1) else -sum(x for i in 1:n);
    k := sum(i*i for i in 1:n) + product(i for i in 2:n);
    p := sum({x*i, i} for i in 1:n);
    m := max(sin(x*i) for i in 1:n) - min(cos(i*x) for i in 1:2:n);
  end f;
  Integer n(start = 1, fixed = true), k;
  Real s, p[2], m;
equation
  when sample(0, 0.1) then n = pre(n) + 1; end when;
  (s, k, p, m) = f(time, n);
end M;
"""


def test_reductions_over_ranges_without_bounds():
    for row in rows(GATHERED, "--stop", "1", "--intervals", "20"):
        x, n = row[0], int(row[1])
        numbers = range(1, n + 1)
        equal(row[2], sum(i*i for i in numbers) + math.factorial(n))
        large = sum(x*i + j for i in numbers for j in range(i, n + 1))
        wanted = [large if x > 0.5 else -x*n, sum(x*i for i in numbers), sum(numbers),
                  max(math.sin(x*i) for i in numbers)
                  - min(math.cos(x*i) for i in range(1, n + 1, 2))]
        assert all(abs(a - b) < 1e-12*(1 + abs(b)) for a, b in zip(row[3:], wanted)), (row, wanted)
    check_same(GATHERED, "1e-2", "1")


def test_a_reduction_without_bounds_has_no_cases_inside():
    text = GATHERED.replace("k := sum(i*i", "k := sum(sum((1:9)[1:i])").replace("x for i", "x for q")
    result = check_exit(run_text("show", text), 3)
    contains(result.err, "<stdin>:7:")
    contains(result.err, "an Integer constant is needed here")


def test_sizes_fit_or_not_at_run_time():
    wide = 'output Real s[2]; algorithm s := v; end g; '
    for statement in ("y := x[1:m];", "y[1:2] := x[1:m];", "y := 1*x[1:m] + {0, 0};",
                      "y := x[1:m]; y := if x[1:m]*{1, 1} > 50 then {1, 1} else y;",
                      "y := if x[1] > 50 then {1, 1} else x[1:m];", "y := g(x[1:m]);"):
        text = f"function g input Real v[:]; {wide}\n" + FITTING.replace("STATEMENT", statement)
        result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "2"), 5)
        contains(result.err, "t = 0.625: sizes that are known only at run time do not fit")
        last = result.out.splitlines()[2].split(",")
        equal([float(v) for v in last[2:4]], [0.5, 2.0])
        table = rows(text, "--stop", "0.5", "--intervals", "1")
        equal(table[-1][2:4], [0.5, 2.0])


def test_sizes_that_never_fit_are_an_error_at_translation():
    for statement in ("y := {1, 2, 3}*sum(x[1:m]);", "y := x[m:m] + {1, 2};",
                      "y := cat(1, x[1:m], {1, 2, 3});"):
        result = check_exit(run_text("show", FITTING.replace("STATEMENT", statement)), 3)
        contains(result.err, "<stdin>:3:")
        contains(result.err, "size")


def test_sizes_that_do_not_fit_are_few_assertions():
    text = FITTING.replace("x[4]", "x[40]").replace("{time, 2, 3, 4}", "fill(time, 40)")
    shown = check_exit(run_text("show", text.replace("STATEMENT", "y := x[1:m];")), 0).out
    assert shown.count("sizes that are known only") <= 12, shown


main(globals())
