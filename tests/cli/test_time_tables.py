"""Tables of time: values on both sides of every event, for each interpolation, extrapolation, kind of
events, shift, start and scale, against an implementation of its own."""

import csv
import io
import math
import subprocess

from exported import compiled, table as rows_of
from harness import check_exit, contains, main, run_text, scratch
from interpolation import hermite, slopes

BLOCKS = """package Times
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      input Real start;
      input Integer columns[:];
      input Integer smoothness, extrapolation;
      input Real shift;
      input Integer events;
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTimeTable_init2("NoName", "NoName", table, size(table, 1), size(table, 2), start, columns, size(columns, 1), smoothness, extrapolation, shift, events, false);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTimeTable_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Integer column;
    input Real u;
    discrete input Real next, before;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(t, column, u, next, before);
  end value;
  function slope
    input Table t;
    input Integer column;
    input Real u;
    discrete input Real next, before;
    input Real der_u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getDerValue(t, column, u, next, before, der_u);
  end slope;
  function bend
    input Table t;
    input Integer column;
    input Real u;
    discrete input Real next, before;
    input Real der_u, der2_u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getDer2Value(t, column, u, next, before, der_u, der2_u);
  end bend;
  impure function following
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, u);
  end following;
  function first
    input Table t;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_minimumTime(t);
  end first;
  function last
    input Table t;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_maximumTime(t);
  end last;
  block Source
    parameter Real data[:, :];
    parameter Integer smoothness, extrapolation, events;
    parameter Real start, shift, scale;
    parameter Table t = Table(data, start/scale, {2}, smoothness, extrapolation, shift/scale, events);
    discrete Real next(start = 0, fixed = true), scaled(start = 0, fixed = true);
    output Real y;
  equation
    when {time >= pre(next), initial()} then
      scaled = following(t, time/scale);
      next = if scaled < 1e60 then scaled*scale else 1e60;
    end when;
    y = value(t, 1, time/scale, scaled, pre(scaled));
  end Source;
  model M
%s  end M;
end Times;"""


def source(name, data, smoothness, extrapolation, events, start, shift, scale):
    rows = "; ".join(f"{a!r}, {b!r}" for a, b in data)
    return (f"    Source {name}(data = [{rows}], smoothness = {smoothness}, extrapolation = "
            f"{extrapolation}, events = {events}, start = {start}, shift = {shift}, scale = {scale});\n")


def limit(data, kind, extrapolation, u, side):
    """The value of the table as u is approached from below (side -1) or from above (1)."""
    x, y = [a for a, _ in data], [b for _, b in data]
    near = 1e-10*(x[-1] - x[0])
    if len(x) == 1:
        return y[0]
    if extrapolation == 3:
        u -= (x[-1] - x[0])*math.floor((u + side*near - x[0])/(x[-1] - x[0]))
        u = min(max(u, x[0]), x[-1])
    for end, other, way in ((0, 1, -1), (-1, -2, 1)):
        if extrapolation != 3 and way*(u + side*near - x[end]) > 0:
            if extrapolation == 1 or x[end] == x[other]:
                return y[end]
            slope = (y[end] - y[other])/(x[end] - x[other])
            if kind not in (1, 3):
                slope = slopes(x, y, kind)[end]
            return y[end] + slope*(u - x[end])
    pieces = [k for k in range(len(x) - 1) if x[k] < x[k + 1]]
    k = (max(k for k in pieces if x[k] <= u + near) if side > 0 else
         min(k for k in pieces if x[k + 1] >= u - near))
    if kind == 3:
        return y[k]
    if kind == 1:
        return y[k] + (y[k + 1] - y[k])*(u - x[k])/(x[k + 1] - x[k])
    return hermite(x, y, slopes(x, y, kind), k, u)


def wanted(case, time, side):
    data, kind, extrapolation, _, start, shift, scale = case
    near = 1e-12*(1 + abs(start))
    if time < start - near or (side < 0 and time <= start + near):
        return 0
    return limit(data, kind, extrapolation, (time - shift)/scale, side)


SMOOTH = [(0.1, 1.5), (0.8, -2), (1.5, 0.25), (3.3, 4), (3.5, 3.75), (5.1, -1)]
JUMPS = [(0.1, 1.5), (0.8, -2), (0.8, 3), (1.5, 0.25), (3.3, 4), (3.3, 7), (3.3, 1), (5.1, -1)]
ENDS = [(0.7, 2), (0.7, -1), (1.1, 0.5), (2.4, 6), (2.4, 5)]


def cases():
    times = [(0, 0, 1), (-1.5, 0.7, 1), (0.3, -1, 0.1), (3, 3, 2), (0.6, 0.2, 60)]
    k = 0
    for kind in (1, 2, 3, 4, 5, 6):
        for extrapolation in (1, 2, 3):
            for events in (1, 2, 3):
                data = [JUMPS, ENDS][k % 2] if kind in (1, 3) else SMOOTH
                start, shift, scale = times[k % len(times)]
                yield ([(a/scale, b) for a, b in data], kind, extrapolation, events, start, shift,
                       scale)
                k += 1
    yield JUMPS, 3, 1, 3, -1e60, 0, 1  # a start that was long ago is no measure of the events
    yield [(1.5, 2)], 1, 2, 1, 0.5, 0, 1
    yield [(1.5, 2)], 3, 3, 1, 0, 0.25, 1
    yield [(1.5, 2), (2.25, 1)], 2, 3, 3, 1, 0.25, 1


def jumps_of(case, begin, end):
    """The times between begin and end where the table jumps."""
    data, kind, extrapolation, _, start, shift, scale = case
    found = [start]
    period = (data[-1][0] - data[0][0])*scale
    rounds = range(-60, 60) if extrapolation == 3 and period > 0 else [0]
    for k in rounds:
        found += [shift + a*scale + k*period for a, _ in data]
    return [t for t in found if begin < t < end and
            abs(wanted(case, t, 1) - wanted(case, t, -1)) > 1e-9]


def check_rows(rows, all_cases, begin, end):
    times = [row["time"] for row in rows]
    for number, case in enumerate(all_cases):
        for k, row in enumerate(rows):
            # events of several tables may differ in the last bits of their times: the first of such
            # rows is the left limit, the last one the right limit, one between is either
            follows = k > 0 and times[k] - times[k - 1] < 1e-12
            is_followed = 0 < k < len(rows) - 1 and times[k + 1] - times[k] < 1e-12
            sides = [-1] if is_followed and not follows else [-1, 1] if is_followed else [1]
            got = row[f"s{number}.y"]
            values = [wanted(case, times[k], side) for side in sides]
            assert min(abs(got - v)/(1 + abs(v)) for v in values) < 1e-8, (case, times[k], got,
                                                                          values)
        for t in jumps_of(case, begin, end):
            at = [u for u in times if abs(u - t) < 1e-9]
            assert len(at) >= 2 and max(at) - min(at) < 1e-12, (case, t, at)


def test_both_sides_of_every_event():
    all_cases = list(cases())
    lines = "".join(source(f"s{k}", *case) for k, case in enumerate(all_cases))
    for begin, options in ((0, []), (-2, ["--native"])):
        result = check_exit(run_text("simulate", BLOCKS % lines, "--model", "Times.M", "--start",
                                     str(begin), "--stop", "8.6", "--interval", "0.37", *options),
                            0)
        check_rows(rows_of(result.out), all_cases, begin, 8.6)


def test_exported_tables_have_the_same_values():
    all_cases = list(cases())
    lines = "".join(source(f"s{k}", *case) for k, case in enumerate(all_cases))
    with scratch() as folder:
        program = compiled(folder, BLOCKS % lines, "--model", "Times.M", "--method", "bdf3",
                           "--step", "0.37", "--stop", "8.51")
        got = rows_of(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
        for row in got:
            for number, case in enumerate(all_cases):
                expected = wanted(case, row["time"], 1)
                assert abs(row[f"s{number}.y"] - expected) < 1e-8*(1 + abs(expected)), (case, row)


def test_derivatives_of_a_time_table():
    lines = source("s", SMOOTH, 2, 2, 3, 0, 0, 1) + """    Real y = value(s.t, 1, u, s.scaled, pre(s.scaled));
    Real u = sin(time);
    Real d = slope(s.t, 1, u, s.scaled, pre(s.scaled), cos(time)) - der(y);
    Real b = bend(s.t, 1, u, s.scaled, pre(s.scaled), cos(time), -sin(time)) - der(der(y));
    Real direct = slope(s.t, 1, time, s.scaled, pre(s.scaled), 1) - der(s.y);
"""
    result = check_exit(run_text("simulate", BLOCKS % lines, "--model", "Times.M", "--stop", "2",
                                 "--interval", "0.1"), 0)
    for row in rows_of(result.out):
        assert max(abs(row[name]) for name in ("d", "b", "direct")) < 1e-12, row


def test_the_ends_are_those_of_the_data():
    lines = source("s", SMOOTH, 1, 1, 1, 0, 2, 1) + """    parameter Real a = first(s.t), b = last(s.t);
    Real y = a + b;
"""
    result = check_exit(run_text("simulate", BLOCKS % lines, "--model", "Times.M", "--stop", "1"), 0)
    assert abs(rows_of(result.out)[0]["y"] - 5.2) < 1e-12


def test_an_integral_over_jumps_is_exact():
    lines = source("s", JUMPS, 3, 3, 3, 0, 0, 1) + """    Real x(start = 0, fixed = true);
  equation
    der(x) = s.y;
"""
    result = check_exit(run_text("simulate", BLOCKS % lines, "--model", "Times.M", "--start", "0.1",
                                 "--stop", "10.1", "--tol", "1e-4"), 0)
    period = 1.5*0.7 + 3*0.7 + 0.25*1.8 + 1*1.8
    assert abs(rows_of(result.out)[-1]["x"] - 2*period) < 1e-9, rows_of(result.out)[-1]


def test_what_is_wrong_with_a_table():
    for data, kind, extrapolation, message in (
            ([(0, 1), (1, 2), (0.5, 3)], 1, 1, "column of the table is not ascending: 1 in row 2, "
             "then 0.5"),
            ([(0, 1), (1, 2), (1, 3)], 2, 1, "not strictly ascending: 1 in row 2, then 1"),
            ([(1, 1), (1, 2)], 1, 3, "the period of the table is 0")):
        result = run_text("simulate", BLOCKS % source("s", data, kind, extrapolation, 1, 0, 0, 1),
                          "--model", "Times.M")
        check_exit(result, 3)
        contains(result.err, message)


main(globals())
