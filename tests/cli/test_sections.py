"""Algorithm sections of models: what each variable is at the end, against values worked out by
hand."""

import csv
import io

from harness import check_exit, main, run_text

COUNTING = """algorithm
  when sample(0.25, 0.25) then
    n := pre(n) + 1;
  end when;
algorithm
"""


def rows_of(text, *options):
    """The last row of each time."""
    result = check_exit(run_text("simulate", text, *options), 0)
    rows = [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]
    return {row["time"]: row for row in rows}


def check(text, wanted, *options):
    rows = rows_of(text, "--stop", "0.5", "--intervals", "2", *options)
    for time, row in rows.items():
        for name, value in wanted(time, row).items():
            assert abs(row[name] - value) <= 1e-12*(1 + abs(value)), (name, time, row, value)


def test_a_loop_at_run_time_assigns_whole_records():
    check("""record P Real x, y; end P;
record Q P p; Real w[2]; end Q;
model M
  P a, b[2]; Q q; Integer n(start = 1, fixed = true);
""" + COUNTING + """
  a := P(7, 8);
  b[2].x := 3;
  q := Q(P(0, 0), {1, 2});
  for i in 1:n loop
    a := P(time + i, a.x);
    b[1].y := b[1].y + time;
    b[2] := P(b[2].x + 1, i);
    q.p := a;
    q.w[2] := q.w[2] + 1;
  end for;
end M;""", lambda t, row: {
        "n": 1 + 4*t, "a.x": t + row["n"], "a.y": 7 if t == 0 else t + row["n"] - 1,
        "b[1].x": 0, "b[1].y": row["n"]*t, "b[2].x": 3 + row["n"], "b[2].y": row["n"],
        "q.p.x": t + row["n"], "q.p.y": row["a.y"], "q.w[1]": 1, "q.w[2]": 2 + row["n"]})


def test_a_loop_at_run_time_calls_functions_of_what_jumps():
    """The relation in the argument is one of the loop's own values, which no variable has."""
    check("""function f
  input Real u; output Real y;
algorithm
  y := if u > 2.5 then 10 + u else u/2;
  annotation(LateInline = true);
end f;
model M
  Real x; Integer n(start = 1, fixed = true);
""" + COUNTING + """
  x := time;
  for i in 1:n loop
    x := f(if x > 0.7 then x + i else 2*x + i);
  end for;
end M;""", lambda t, row: {"x": steps(t, int(row["n"]))})


def steps(x, n):
    for i in range(1, n + 1):
        u = x + i if x > 0.7 else 2*x + i
        x = 10 + u if u > 2.5 else u/2
    return x


main(globals())
