"""Tables: interpolation, extrapolation, data from text files, MATLAB
files and resources of libraries."""

import csv
import io
import json
import struct
import zlib

from harness import MODELS, check_exit, contains, main, run, run_text, scratch
from interpolation import interpolated

CLASSES = (MODELS / "tables.mo").read_text().split("  model Tables")[0]


def value(arguments, at, *options, **more):
    """The table with these arguments of its constructor at the time `at`."""
    text = CLASSES + f"""  model T
    parameter Table1D t = Table1D({arguments});
    Real y = value(t, 1, time);
  end T;
end Tables;"""
    result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--start", str(at),
                                 "--stop", str(at + 1), "--intervals", "1",
                                 *options, **more), 0)
    return float(next(csv.DictReader(io.StringIO(result.out)))["y"])


def close(got, wanted):
    assert abs(got - wanted) < 1e-12, (got, wanted)


DATA = "[0, 0; 1, 2; 2, 1; 4, 5]"


def test_extrapolation():
    memory = f'"NoName", "NoName", {DATA}, {{2}}'
    close(value(f"{memory}, 1, 1", 5), 5)  # hold
    close(value(f"{memory}, 1, 2", 5), 7)  # last two points
    close(value(f"{memory}, 1, 2", -1), -2)
    close(value(f"{memory}, 1, 3", 4.5), 1)  # periodic
    close(value(f"{memory}, 3, 1", 5), 5)
    later = '"NoName", "NoName", [1, 0; 2, 2; 4, 1], {2}, 1, 3'
    for at, wanted in ((0.5, 1.25), (1.5, 1), (4.5, 1), (7.5, 1), (-2.5, 1.25)):
        close(value(later, at), wanted)  # the period begins with the first row
    # constant segments go on along the line through the last two points
    close(value(f"{memory}, 3, 2", 5), 7)
    close(value(f"{memory}, 3, 2", 3.5), 1)


def test_every_kind_of_interpolation_and_extrapolation():
    """Against the formulas of the papers: by GSL where it has them, by ours elsewhere."""
    data = [([0, 1, 2, 4, 4.5, 6, 7], [0, 2, 1, 5, 5, 3, -1]),
            ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 3, 3]),  # Akima's weights vanish
            ([0, 2, 3], [1, 0, 4]), ([0, 3], [1, 2])]
    for x, y in data:
        table = "[" + "; ".join(f"{a}, {b}" for a, b in zip(x, y)) + "]"
        names = [(kind, how) for kind in (1, 2, 3, 4, 5, 6) for how in (1, 2, 3)]
        lines = "".join(f"""    parameter Table1D t{kind}{how} = Table1D("NoName", "NoName", {table}, {{2}},
      {kind}, {how});
    Real y{kind}{how} = value(t{kind}{how}, 1, time);
""" for kind, how in names)
        text = CLASSES + f"  model T\n{lines}  end T;\nend Tables;"
        result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--start", "-1.3",
                                     "--stop", "9.1", "--intervals", "23", "--no-event-rows"), 0)
        for row in csv.DictReader(io.StringIO(result.out)):
            for kind, how in names:
                close(float(row[f"y{kind}{how}"]),
                      interpolated(x, y, kind, how, float(row["time"])))


GRID = """package Grids
  class Grid
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      input Integer smoothness, extrapolation;
      output Grid g;
      external "C" g = ModelicaStandardTables_CombiTable2D_init2("NoName", "NoName", table, size(table, 1), size(table, 2), smoothness, extrapolation, false);
    end constructor;
    function destructor
      input Grid g;
      external "C" ModelicaStandardTables_CombiTable2D_close(g);
    end destructor;
  end Grid;
  function value
    input Grid g;
    input Real u1, u2;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(g, u1, u2);
  end value;
  model M
    constant Real data[:, :] = [0, 1, 2, 4, 5; 0, 3, 1, 4, 1; 1, 5, 9, 2, 6; 3, 5, 3, 5, 8; 4, 9, 7, 9, 3];
%s  end M;
end Grids;"""


def surfaces(points, kinds):
    lines = "".join(f"    parameter Grid g{kind} = Grid(data, {kind}, 2);\n" for kind in kinds)
    lines += "".join(f"    Real y{kind}_{k} = value(g{kind}, {a}, {b});\n" for kind in kinds
                     for k, (a, b) in enumerate(points))
    result = check_exit(run_text("simulate", GRID % lines, "--model", "Grids.M", "--stop", "1",
                                 "--intervals", "1"), 0)
    row = next(csv.DictReader(io.StringIO(result.out)))
    return {kind: {p: float(row[f"y{kind}_{k}"]) for k, p in enumerate(points)}
            for kind in kinds}


def test_surfaces_go_on_along_their_tangents():
    # outside, the value is linear in each argument that is outside, and begins with the slope
    # that the surface has at the edge; beyond a corner it is linear in both
    small = 1e-6
    edges = [("u2", 5, 1, 2.5), ("u2", 1, -1, 2.5), ("u1", 4, 1, 4.5), ("u1", 0, -1, 4.5)]
    for which, edge, way, other in edges:
        def at(d, which=which, edge=edge, way=way, other=other):
            return (edge + way*d, other) if which == "u1" else (other, edge + way*d)
        distances = (-small, 0, 1, 2, 5)
        for kind, f in surfaces([at(d) for d in distances], (1, 2)).items():
            inside, edge_value, one, two, five = [f[at(d)] for d in distances]
            slope = (edge_value - inside)/small
            assert abs(one - edge_value - slope) < 1e-4, (kind, which, edge, f)
            close(two - edge_value, 2*(one - edge_value))
            close(five - edge_value, 5*(one - edge_value))
    corner = [(4 + a, 5 + b) for a in (0, 1, 2) for b in (0, 1, 2)]
    for f in surfaces(corner, (2,)).values():
        mixed = f[5, 6] - f[5, 5] - f[4, 6] + f[4, 5]
        for a, b in ((1, 2), (2, 1), (2, 2)):
            close(f[4 + a, 5 + b], f[4, 5] + a*(f[5, 5] - f[4, 5]) + b*(f[4, 6] - f[4, 5]) +
                  a*b*mixed)


def test_surfaces_are_linear_akima_or_constant():
    # the monotone kinds are for one argument: the library refuses them too
    for kind in (4, 5, 6):
        result = run_text("simulate", GRID % f"    parameter Grid g = Grid(data, {kind}, 2);\n"
                          "    Real y = value(g, 1, 1);\n", "--model", "Grids.M")
        check_exit(result, 3)
        contains(result.err, "<stdin>:23:24: error:")
        contains(result.err, "the others are for one argument")


def test_constant_segments_of_a_surface_go_on_bilinearly():
    points = [(4, 5), (4, 4.5), (3.5, 5), (3.5, 4.5), (3.5, 6), (5, 4.5), (5, 6), (-1, 1), (4, 6)]
    f = surfaces(points, (3,))[3]
    wanted = [3, 9, 8, 5, 4, 5.5, -17, 1, -3]
    for point, value_there in zip(points, wanted):
        close(f[point], value_there)


TIMES = """package Times
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      input Real startTime;
      input Integer smoothness, extrapolation;
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTimeTable_init2("NoName", "NoName", table, size(table, 1), size(table, 2), startTime, {2}, 1, smoothness, extrapolation, startTime, 1, false);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTimeTable_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Real u;
    discrete input Real next, before;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(t, 1, u, next, before);
  end value;
  impure function following
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, u);
  end following;
  model M
    parameter Table t = Table([0.6, -2; 0.6, -20; 0.6, -3; 0.7, -2; 1, -5; 1, -6; 1, -4], 0.7, %d, 3);
    discrete Real next(start = 0, fixed = true);
    Real y = value(t, time, next, pre(next));
  equation
    when {time >= pre(next), initial()} then
      next = following(t, time);
    end when;
  end M;
end Times;"""


def test_both_sides_of_the_events_of_a_periodic_table():
    # a period is 0.4 long and begins at 1.3 + 0.4*k; rounding puts its ends on either side
    for kind, before, after, inside in ((1, -5, -3, -2), (3, -2, -3, -3)):
        result = check_exit(run_text("simulate", TIMES % kind, "--model", "Times.M", "--stop",
                                     "25.3", "--interval", "0.1"), 0)
        rows = list(csv.DictReader(io.StringIO(result.out)))
        times = [float(row["time"]) for row in rows]
        assert times == sorted(times), times
        seen = 0
        for a, b in zip(rows, rows[1:]):
            if a["time"] != b["time"] or float(a["time"]) < 1.2:
                continue
            left, right = float(a["y"]), float(b["y"])
            rest = (float(a["time"]) - 1.3) % 0.4
            if min(rest, 0.4 - rest) < 1e-9:
                assert abs(left - before) < 1e-9 and abs(right - after) < 1e-9, (a, b)
                seen += 1
            else:
                assert abs(left - inside) < 1e-9 and abs(right + 2) < 1e-9, (a, b)
        assert seen == 61, seen


def test_a_table_jumps_at_its_event_and_not_before():
    # rounded to a whole number it has the value before as left limit, and no event of its own
    text = (TIMES % 3).replace("0.6, -2; 0.6, -20; 0.6, -3; 0.7, -2; 1, -5; 1, -6; 1, -4], 0.7, 3, 3",
                               "0, 1; 0.1, 2; 0.2, 0; 0.3, 5], 0, 3, 1")
    text = text.replace("  equation", "    Integer n = integer(y + 0.5);\n  equation")
    result = check_exit(run_text("simulate", text, "--model", "Times.M", "--stop", "0.25",
                                 "--intervals", "1"), 0)
    rows = [(float(row["time"]), int(row["n"])) for row in csv.DictReader(io.StringIO(result.out))]
    assert rows == [(0, 1), (0.1, 1), (0.1, 2), (0.2, 2), (0.2, 0), (0.25, 0)], rows


def test_a_relation_of_a_table_that_stands_still_at_its_bound():
    # abs(y) is 1 on the whole of [1, 4] and [7, 9]: the enclosures know pieces and elements, so
    # little is asked of the rest of the time
    text = CLASSES + """  model T
    parameter Table1D t = Table1D("NoName", "NoName",
      [0, 0; 1, 1; 4, 1; 5, 0; 6, 0; 7, -1; 9, -1; 10, 0], {2}, 1, 3);
    Real y = value(t, 1, time);
    Boolean b = 50*abs(y) < 50;
    Real x(start = 0, fixed = true);
  equation
    der(x) = if b then 1 else 0;
  end T;
end Tables;"""
    result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--stop", "19.5",
                                 "--interval", "2.5", "--no-event-rows"), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [float(row["b"]) for row in rows] == [1, 0, 1, 0, 1, 0, 1, 0, 1], rows
    assert abs(float(rows[-1]["x"]) - 9.5) < 1e-6, rows[-1]  # out of [1, 4] and [7, 9]


def test_a_table_that_waits_at_the_border_of_two_pieces_asks_for_no_events():
    # u is 1 from 1 s on, where the last piece and its continuation meet: y is 0 up to 3 s
    text = CLASSES + """  model T
    parameter Table1D t = Table1D("NoName", "NoName",
      [0, 1; 0.2, 0.8; 0.5, 0.7; 0.9, 0.3; 1, 0], {2}, 1, 2);
    Real w = if time < 1 then time elseif time < 3 then 1 else 0;
    Real u = smooth(0, if w > 1 then 1 else if w < 0 then 0 else w);
    Real y = 3*value(t, 1, u);
    Real z = smooth(0, if y > 2 then 2 else if y < 0 then 0 else y);
    Real x(start = 0, fixed = true);
  equation
    der(x) = if y < 0 then -1 else if y > 0 then 1 else 0;
  end T;
end Tables;"""
    result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--stop", "4",
                                 "--max-time", "30",
                                 "--intervals", "1", "--no-event-rows", "--stats", "--format",
                                 "json"), 0)
    counts = json.loads(result.err[result.err.index("{"):])["events"]
    assert counts["time"] < 10, counts
    last = list(csv.DictReader(io.StringIO(result.out)))[-1]
    assert abs(float(last["x"]) - 2) < 1e-9 and float(last["z"]) == 2, last


def test_without_extrapolation_there_is_nothing_outside():
    table = f'"NoName", "NoName", {DATA}, {{2}}, 1, 4'
    close(value(table, 3), 3)
    for start, stop in ((4.5, 5), (3, 4.25), (-0.5, 1)):
        text = CLASSES + f"""  model T parameter Table1D t = Table1D({table});
    Real y = value(t, 1, time);
  end T;
end Tables;"""
        result = run_text("simulate", text, "--model", "Tables.T", "--start", str(start),
                          "--stop", str(stop), "--intervals", "8")
        assert result.code == 5, (start, stop, result)


def in_file(content, name, at=0.5):
    with scratch() as folder:
        file = f"{folder}/data"
        with open(file, "wb") as out:
            out.write(content)
        return value(f'"{name}", "{file}", fill(0.0, 0, 2), {{2}}, 1, 1', at)


TEXT = b"#1\n# comment\ndouble other(1, 2)\n7 7\ndouble tab(3, 2) # here\n0 0; 1, 4\n2 8\n"


def test_text_files():
    close(in_file(TEXT, "tab"), 2)
    close(in_file(b"\xef\xbb\xbf" + TEXT, "tab"), 2)  # with the mark of UTF-8


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(name, columns):
    values = [v for column in columns for v in column]
    return element(14, element(6, struct.pack("<II", 6, 0)) +
                   element(5, struct.pack("<ii", len(columns[0]), len(columns)))
                   + element(1, name) + element(9, struct.pack(f"<{len(values)}d", *values)))


def structure(name, fields):
    names = b"".join(field.ljust(32, b"\0") for field, _ in fields)
    return element(14, element(6, struct.pack("<II", 2, 0)) +
                   element(5, struct.pack("<ii", 1, 1)) + element(1, name)
                   + struct.pack("<HHi", 5, 4, 32) + element(1, names) +
                   b"".join(part for _, part in fields))


HEAD = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49)
TAB = [[0.0, 1.0, 2.0], [0.0, 4.0, 8.0]]


def test_matlab_files():
    close(in_file(HEAD + matrix(b"tab", TAB), "tab"), 2)
    packed = zlib.compress(matrix(b"tab", TAB))
    close(in_file(HEAD + struct.pack("<II", 15, len(packed)) + packed, "tab"), 2)


def test_fields_of_matlab_structures():
    other = matrix(b"", [[0.0, 1.0], [9.0, 9.0]])
    inner = structure(b"", [(b"tab", matrix(b"", TAB))])
    content = HEAD + matrix(b"tab", [[0.0, 1.0], [5.0, 5.0]]) + structure(
        b"s", [(b"tab2", other), (b"tab", matrix(b"", TAB)), (b"in", inner)])
    close(in_file(content, "s.tab"), 2)
    close(in_file(content, "s.in.tab"), 2)
    close(in_file(content, "s.tab2"), 9)


def test_a_broken_structure_is_refused():
    content = HEAD + structure(b"s", [(b"tab", matrix(b"", TAB))])
    for length in range(len(HEAD) + 8, len(content), 24):
        with scratch() as folder:
            file = f"{folder}/data"
            with open(file, "wb") as out:
                out.write(content[:length])
            text = CLASSES + f"""  model T
    parameter Table1D t = Table1D("s.tab", "{file}", fill(0.0, 0, 2), {{2}}, 1, 1);
    Real y = value(t, 1, time);
  end T;
end Tables;"""
            check_exit(run_text("show", text, "--model", "Tables.T"), 3)


def refused(arguments, message):
    text = CLASSES + f"""  model T
    parameter Table1D t = Table1D({arguments});
    Real y = value(t, 1, time);
  end T;
end Tables;"""
    result = check_exit(run_text("simulate", text, "--model", "Tables.T"), 3)
    contains(result.err, "<stdin>:27:27: error: ModelicaStandardTables_CombiTable1D_init2: ")
    contains(result.err, message)


def test_tables_that_cannot_be_read_or_used():
    data = "fill(0.0, 0, 2), {2}, 1, 1"
    with scratch() as folder:
        with open(f"{folder}/data.txt", "wb") as out:
            out.write(TEXT)
        refused(f'"tab", "{folder}/none.txt", {data}', "none.txt")
        refused(f'"tabs", "{folder}/data.txt", {data}', "has no matrix 'tabs'")
        with open(f"{folder}/data.txt", "wb") as out:
            out.write(TEXT[:-4])
        refused(f'"tab", "{folder}/data.txt", {data}', "fewer numbers than its size says")
    refused(f'"NoName", "NoName", {data}', "the table is empty and no file is named")
    refused(f'"tab", "NoName", {data}', "usertab")
    refused('"NoName", "NoName", [0, 1; 1, 2; 1, 3], {2}, 1, 1',
            "the first column of the table is not strictly ascending: 1 in row 2, then 1")
    refused('"NoName", "NoName", [0, 1; 1, 2], {3}, 1, 1', "all the columns that are asked for")


def test_functions_of_older_and_newer_libraries():
    older = CLASSES.replace("init2(fileName, tableName", "init(tableName, fileName").replace(
        "smoothness, extrapolation, false)", "smoothness)")
    newer = CLASSES.replace("init2", "init3").replace(
        "extrapolation, false)", 'extrapolation, false, ";", 1)')
    assert older != CLASSES and newer != CLASSES
    with scratch() as folder:
        with open(f"{folder}/data.txt", "wb") as out:
            out.write(TEXT)
        with open(f"{folder}/data.CSV", "wb") as out:
            out.write(b"\xef\xbb\xbf\"t\"; \"y\"\r\n0;0\r\n 1; 4\r\n2e0;\t+8\r\n")
        for classes, file in ((older, "data.txt"), (newer, "data.txt"), (newer, "data.CSV")):
            text = classes + f"""  model T
    parameter Table1D t = Table1D("tab", "{folder}/{file}", fill(0.0, 0, 2), {{2}}, 1, 2);
    Real y = value(t, 1, time);
  end T;
end Tables;"""
            result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--stop", "2.5",
                                         "--intervals", "1"), 0)
            close(float(list(csv.DictReader(io.StringIO(result.out)))[-1]["y"]), 10)
        for content, message in ((b"h\n0;1\n1;x\n", "data.csv: line 3 has something else"),
                                 (b"h\n0;1\n1;2;3\n", "data.csv: line 3 has 3 numbers, the "
                                  "first one 2"), (b"h\n", "there are no numbers")):
            with open(f"{folder}/data.csv", "wb") as out:
                out.write(content)
            text = newer + f"""  model T
    parameter Table1D t = Table1D("tab", "{folder}/data.csv", fill(0.0, 0, 2), {{2}}, 1, 2);
    Real y = value(t, 1, time);
  end T;
end Tables;"""
            contains(check_exit(run_text("show", text, "--model", "Tables.T"), 3).err, message)


def test_the_end_of_a_period_is_a_point_of_the_table():
    # inside of the table nothing is shifted; beyond, the value is that of (0, 4]
    memory = f'"NoName", "NoName", {DATA}, {{2}}, 1, 3'
    for at, wanted in ((4, 5), (8, 5), (0, 0), (-4, 0), (4.5, 1), (-0.5, 4), (7.5, 4)):
        close(value(memory, at), wanted)
    close(value(f'"NoName", "NoName", {DATA}, {{2}}, 3, 3', 4), 5)


def test_the_derivatives_of_the_library():
    slope = """  function slope
    input Table1D t;
    input Integer icol;
    input Real u, der_u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getDerValue(t, icol, u, der_u);
  end slope;
  function bend
    input Table1D t;
    input Integer icol;
    input Real u, der_u, der2_u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getDer2Value(t, icol, u, der_u, der2_u);
  end bend;
"""
    text = CLASSES + slope + f"""  model T
    parameter Table1D t = Table1D("NoName", "NoName", {DATA}, {{2}}, 2, 1);
    Real u = time^2;
    Real y = value(t, 1, u);
    Real a = slope(t, 1, u, 2*time) - der(y);
    Real b = bend(t, 1, u, 2*time, 2) - der(der(y));
  end T;
end Tables;"""
    result = check_exit(run_text("simulate", text, "--model", "Tables.T", "--stop", "2.2"), 0)
    for row in csv.DictReader(io.StringIO(result.out)):
        assert abs(float(row["a"])) + abs(float(row["b"])) < 1e-12, row
    grid = """  function slope
    input Grid g;
    input Real u1, u2, der_u1, der_u2;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getDerValue(g, u1, u2, der_u1, der_u2);
  end slope;
  function bend
    input Grid g;
    input Real u1, u2, der_u1, der_u2, der2_u1, der2_u2;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getDer2Value(g, u1, u2, der_u1, der_u2, der2_u1, der2_u2);
  end bend;
  model M
"""
    text = GRID.replace("  model M\n", grid) % """    parameter Grid g = Grid(data, 2, 2);
    Real u = time^2, v = 3 - time;
    Real y = value(g, u, v);
    Real a = slope(g, u, v, 2*time, -1) - der(y);
    Real b = bend(g, u, v, 2*time, -1, 2, 0) - der(der(y));
"""
    result = check_exit(run_text("simulate", text, "--model", "Grids.M", "--stop", "2.2"), 0)
    for row in csv.DictReader(io.StringIO(result.out)):
        assert abs(float(row["a"])) + abs(float(row["b"])) < 1e-10, row


def test_resources_of_libraries():
    with scratch() as folder:
        import os
        os.makedirs(f"{folder}/Lib/Inner")
        os.makedirs(f"{folder}/Lib/Resources")
        with open(f"{folder}/Lib/Resources/data.txt", "wb") as out:
            out.write(TEXT)
        with open(f"{folder}/Lib/Inner/data.txt", "wb") as out:
            out.write(TEXT.replace(b"1, 4", b"1, 6"))
        with open(f"{folder}/Lib/package.mo", "w") as out:
            out.write("""package Lib
  function path
    input String uri;
    output String file;
    external "C" file = ModelicaInternal_fullPathName(uri);
  end path;
""" + CLASSES.replace("package Tables\n", "") + """  model A
    parameter Table1D t = Table1D("tab", path("modelica://Lib/Resources/data.txt"),
      fill(0.0, 0, 2), {2}, 1, 1);
    Real y = value(t, 1, time + 0.5);
  end A;
  model B
    parameter Table1D t = Table1D("tab", path("modelica://Lib.Inner/") + "data.txt",
      fill(0.0, 0, 2), {2}, 1, 1);
    Real y = value(t, 1, time + 0.5);
  end B;
end Lib;
""")
        with open(f"{folder}/Lib/Inner/package.mo", "w") as out:
            out.write("within Lib;\npackage Inner end Inner;\n")
        for model, wanted in (("Lib.A", 2), ("Lib.B", 3)):
            result = check_exit(run("simulate", "--library", folder, model, "--stop", "1",
                                    "--intervals", "1"), 0)
            close(float(next(csv.DictReader(io.StringIO(result.out)))["y"]), wanted)


main(globals())
