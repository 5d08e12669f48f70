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
    for t, x, y, u in rows(with_table("simulate", LAG, TABLE, "--stop", "4", "--interval", "0.25",
                                      "--tol", "1e-9")):
        assert abs(x - exact(t)) < 1e-6, (t, x)
        if t not in (1,):
            assert abs(y - x - (t if t < 1 else 2)) < 1e-9, (t, y)
            assert abs(u - (t if t < 1 else 2)) < 1e-12, (t, u)


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


CHAIN = """model Chain
  input Real u = sin(time);
  input Real a[2];
  input Integer k;
  Real x[11], z;
equation
  x[1] = u + a[1];
  for i in 1:10 loop
    x[i + 1] = der(x[i]);
  end for;
  z = k*a[2] + 0*der(x[1]);
end Chain;
"""
ORDERS = [{"name": "u", "order": 10}, {"name": "a[1]", "order": 10}, {"name": "a[2]", "order": 0},
          {"name": "k", "order": 0}]


def test_every_input_is_told_whatever_value_it_has():
    """Bound in the text, held at a start value, or given by --input: the orders are the same."""
    for command in ("analyze", "reduce"):
        for options in ([], ["--input", "a[1]=time"], ["--input", "u=0"]):
            data = json.loads(check_exit(
                run_text(command, CHAIN, *options, "--format", "json"), 0).out)
            assert data["inputs"] == ORDERS, (command, options, data["inputs"])
        text = run_text(command, CHAIN).out
        assert "input u is needed differentiated, order 10\n" in text, text
        assert "inputs needed without derivatives: a[2], k\n" in text, text
        assert "inputs" not in json.loads(run_text(
            command, LAG.replace("  input", "  parameter"), "--format", "json").out)


def test_a_held_input_is_constant_in_all_orders():
    """Exported C keeps its inputs: derivatives of every order that the reduction needs."""
    text = CHAIN.replace(" = sin(time)", "").replace("input Integer k", "parameter Integer k = 1")
    result = check_exit(run_text("export", text), 0)
    assert "der(der(der(der(der(der(der(der(der(der(u))))))))))" in result.out, result.err


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
