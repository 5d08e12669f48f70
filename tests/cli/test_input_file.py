"""--input-file: top-level inputs from the columns of a table."""

import json
import math
import tempfile
from pathlib import Path

from harness import check_exit, main, run_text

LAG = """model Lag
  input Real u(start = 0);
  Real x(start = 0, fixed = true), y;
equation
  der(x) = u - x;
  y = u + x;
end Lag;
"""
TWICE = """model Twice
  input Real u;
  Real x, v, a;
equation
  x = u;
  der(x) = v;
  der(v) = a;
end Twice;
"""
TABLE = '"time","u"\n0,0\n1,1\n1,2\n2,2\n'


def with_table(command, text, table, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(table)
        return run_text(command, text, "--input-file", str(path), *options)


def rows(result):
    lines = check_exit(result, 0).out.splitlines()
    return [[float(cell) for cell in line.split(",")] for line in lines[1:]]


def exact(t):
    if t <= 1:
        return t - 1 + math.exp(-t)
    return 2 + (math.exp(-1) - 2) * math.exp(-(t - 1))


def test_values_are_linear_between_rows_and_jump_at_a_repeated_time():
    for t, x, y in rows(with_table("simulate", LAG, TABLE, "--stop", "4", "--interval", "0.25",
                                   "--tol", "1e-9")):
        assert abs(x - exact(t)) < 1e-6, (t, x)
        if t not in (1,):
            assert abs(y - x - (t if t < 1 else 2)) < 1e-9, (t, y)


def test_separators_quotes_signs_and_empty_lines():
    table = "t;u\r\n0;+0\r\n\r\n1e0;1.\r\n1;.2e1\r\n2;2\r\n"
    plain = rows(with_table("simulate", LAG, TABLE, "--stop", "2", "--intervals", "4"))
    assert rows(with_table("simulate", LAG, table, "--stop", "2", "--intervals", "4")) == plain


def test_a_derivative_is_refused_with_name_and_order():
    result = check_exit(with_table("simulate", TWICE, TABLE), 3)
    assert "input 'u'" in result.err and "order 2" in result.err and ":2:" in result.err, result
    points = rows(with_table("simulate", TWICE, TABLE, "--input", "u=sin(time)", "--stop", "1",
                             "--intervals", "2"))
    assert abs(points[-1][3] + math.sin(1)) < 1e-9, points


def test_the_reduction_tells_the_order():
    data = json.loads(check_exit(with_table("reduce", TWICE, TABLE, "--format", "json"), 0).out)
    assert data["inputs"] == [{"name": "u", "order": 2}], data
    assert "input u is needed differentiated, order 2" in with_table("reduce", TWICE, TABLE).out
    data = json.loads(check_exit(with_table("reduce", LAG, TABLE, "--format", "json"), 0).out)
    assert data["inputs"] == [{"name": "u", "order": 0}], data


def test_an_array_of_inputs_has_a_column_for_each():
    text = ("model A\n  input Real u[2];\n  Real x(start = 0, fixed = true);\nequation\n"
            "  der(x) = u[1] + u[2];\nend A;\n")
    points = rows(with_table("simulate", text, 'time,"u[1]","u[2]"\n0,1,0\n1,1,2\n',
                             "--stop", "1", "--intervals", "1"))
    assert abs(points[-1][1] - 2) < 1e-6, points


def test_mistakes_are_told_with_their_place():
    for table, words in (("time,u\n0,0\n1,x\n", "csv:3: error: column 2"),
                         ("time,u\n1,0\n0,1\n", "must not decrease"),
                         ("time,u\n0\n", "fewer cells"), ("time,u\n0,1,2\n", "more cells"),
                         ("0,1\n1,2\n", "names of the columns"),
                         ("time,u\n", "no rows"), ("time,u\n0,inf\n", "not a finite number"),
                         ("time,u,u\n0,1,1\n", "twice")):
        result = check_exit(with_table("simulate", LAG, table), 3)
        assert words in result.err, (table, result)
    assert "no column of" in check_exit(with_table("simulate", LAG, "time,v\n0,1\n"), 2).err
    assert "'w' is no input" in check_exit(with_table("simulate", LAG, "time,u,w\n0,1,1\n"), 0).err
    assert check_exit(run_text("simulate", LAG, "--input-file", "/nonexistent/file.csv"), 6)


main(globals())
