"""Models of the kinds that component libraries make: what they need beyond single equations."""

import csv
from math import sin
from pathlib import Path
from sys import float_info

from harness import check_exit, contains, equal, main, run_text, scratch


def last_row(text, *options):
    """The values of the last row by name."""
    lines = check_exit(run_text("simulate", text, *options), 0).out.splitlines()
    names, *rows = csv.reader(lines)
    return dict(zip(names, map(float, rows[-1])))


# both brakes locked: two equations for a, none that tells t1 and t2 apart
TWO_BRAKES = """model TwoBrakes
  Real w(start = 1, fixed = true), a, t1, t2;
  Boolean l1 = time > 2, l2 = time > 3;
equation
  der(w) = a;
  2*a = 0.3 - t1 - t2;
  0 = if l1 then a else t1 - 0.1*w;
  0 = if l2 then a else t2 - 0.2*w;
end TwoBrakes;
"""


def test_a_model_that_is_singular_in_one_of_its_modes_runs_in_the_others():
    last = last_row(TWO_BRAKES, "--stop", "1")
    assert abs(last["w"] - 1) < 1e-6
    last = last_row(TWO_BRAKES.replace("w(start = 1", "w(start = 2"), "--stop", "1")
    assert abs(last["w"] - 1 - 2.718281828459045**-0.15) < 1e-5
    assert abs(last["t2"] - 2*last["t1"]) < 1e-9


BRANCHES = """package P
  model Part Real q; equation q = 1; end Part;
  model M
    Part part;
    Real y(start = 45), v[3](start = {1, 2, 3}), c(start = 7), e;
    Integer k(start = 4);
    parameter Real z = 0;
    parameter Boolean b = true;
  algorithm
    if z > 10 then
      y := 500;
      for i in 1:2 loop v[i] := i; end for;
      when time > 0.5 then k := 5; end when;
    elseif b then
      v[2] := time;
    else
      c := 1;
    end if;
    if not b then e := 1; else e := c + y; end if;
  end M;
end P;
"""


def test_targets_of_branches_that_are_never_taken_keep_their_start_values():
    last = last_row(BRANCHES, "--model", "P.M", "--stop", "1")
    names = ["y", "v[1]", "v[2]", "v[3]", "c", "e", "k"]
    assert [last[name] for name in names] == [45, 1, 1, 3, 7, 52, 4]


LOGICAL = """package P
  block Any
    input Boolean v[:];
    output Integer n;
  algorithm
    n := 0;
    for i in 1:size(v, 1) loop
      if v[i] then n := n + 1; end if;
    end for;
  end Any;
  model M
    parameter Integer n = 3, none = 0;
    parameter Real p[none] = fill(1/none, none), q[2, none] = fill(1/none, 2, none);
    Boolean a[n] = {time > i for i in 1:n}, b[n] = {time > 2*i for i in 1:n};
    Any both(v = pre(a) and not b), changed(v = change(a) or edge(b));
    Real least = min(p), greatest = max(p), most = min(min(p), 3*time);
    Integer i = min(fill(1, none));
  end M;
end P;
"""


def test_sizes_of_logical_operators_and_of_values_before():
    last = last_row(LOGICAL, "--model", "P.M", "--stop", "2.5")
    assert [last["both.n"], last["changed.n"], last["most"]] == [1, 0, 7.5]


def test_the_least_of_nothing_is_the_greatest_number():
    last = last_row(LOGICAL, "--model", "P.M", "--stop", "1")
    assert [last["least"], last["greatest"]] == [float_info.max, -float_info.max]
    assert last["i"] == 2147483647


def test_a_large_table_is_filled_in_linear_work():
    text = ("function f input Integer n; output Real y[n, n]; algorithm for i in 1:n loop "
            "for j in 1:n loop y[i, j] := i*n + j; end for; end for; end f; "
            "model M parameter Real t[150, 150] = f(150); Real x = t[3, 7] + t[150, 150]; end M;")
    assert last_row(text, "--model", "M", "--stop", "1")["x"] == 457 + 22650


def test_an_inner_that_is_missing_is_made_once():
    text = ("package P model S parameter Real g = 2; end S; model C outer S s; Real x = s.g*time; "
            "end C; model M outer S s; C a, b; Real y = s.g + a.x; end M; end P;")
    result = check_exit(run_text("simulate", text, "--model", "P.M", "--stop", "3"), 0)
    equal(result.err.count("there is no inner 's'"), 1)
    assert last_row(text, "--model", "P.M", "--stop", "3")["y"] == 8


def test_matrix_drops_dimensions_of_size_1():
    text = "model M Real a[2,2,1] = {{{1},{2}},{{3},{time}}}; Real m[2,2] = matrix(a); end M;"
    last = last_row(text, "--stop", "4")
    assert [last[f"m[{i},{j}]"] for i in (1, 2) for j in (1, 2)] == [1, 2, 3, 4]
    wrong = text.replace("[2,2,1]", "[2,1,2]").replace("{{{1},{2}},{{3},{time}}}", "{{{1,2}},{{3,4}}}")
    contains(check_exit(run_text("show", wrong), 3).err, "'matrix' takes an array whose dimensions")


MEMORY = """model Memory
  record Cell Real a; Integer b; end Cell;
  function put
    input Integer k; input Integer row[2]; input Integer m[3,2];
    output Integer r[3,2] = m;
  algorithm
    r[k,1:2] := row;
    r[k] := row + r[k];
    r[:,k-1] := {7, 8, 9};
  end put;
  function cells
    input Integer k;
    output Real s;
  protected
    Cell c[3];
  algorithm
    for i in 1:3 loop
      c[i].a := i;
      c[i].b := 2*i;
    end for;
    c[k].a := 10;
    c[k].b := 20;
    s := c[1].a + 100*c[2].a + 10000*c[3].b;
  end cells;
  function flag
    input Boolean k;
    output Real s;
  protected
    Real c[Boolean] = {3, 4};
  algorithm
    c[k] := 10;
    s := c[false] + 100*c[true];
  end flag;
  Integer k(start = 2, fixed = true), m[3,2];
  Real s, f;
equation
  when time > 0.5 then k = 3; end when;
  m = put(k, {5, 6}, fill(1, 3, 2));
  s = cells(k);
  f = flag(k > 2);
end Memory;
"""


def test_rows_and_members_are_assigned_where_a_subscript_varies():
    before = last_row(MEMORY, "--stop", "0.4")
    after = last_row(MEMORY, "--stop", "1")
    for values, rows, cells, flag in ((before, (7, 1, 8, 12, 9, 1), 61001, 410),
                                      (after, (1, 7, 1, 8, 10, 9), 200201, 1003)):
        places = [f"m[{i},{j}]" for i in (1, 2, 3) for j in (1, 2)]
        assert tuple(values[place] for place in places) == rows, values
        assert (values["s"], values["f"]) == (cells, flag), values


def test_an_assigned_row_has_the_size_of_the_row():
    result = check_exit(run_text("show", MEMORY.replace("r[k] := row + r[k]", "r[k] := {1, 2, 3}")), 3)
    contains(result.err, "'r' has size")


THRESHOLD = """model Threshold
  function look
    input Real u;
    input Real a[:];
    output Real y;
  protected
    Integer k;
  algorithm
    k := 1;
    while a[k] < u loop
      k := k + 1;
    end while;
    y := a[k] + u/10;
  end look;
  parameter Real p = 2.5;
  parameter Real table[4] = {1, 2, 3, 4};
  Real x(start = 0, fixed = true);
  Boolean b = x > look(p, table);
equation
  der(x) = 1;
end Threshold;
"""


def test_a_loop_over_parameters_is_run_once():
    result = check_exit(run_text("simulate", THRESHOLD, "--stop", "5", "--intervals", "1",
                                 "--events", "/dev/stderr"), 0)
    contains(result.err, '3.2499999999999996,"state","x > ')
    assert "loop#" not in result.err
    result = check_exit(run_text("simulate", THRESHOLD, "--stop", "5", "--intervals", "1",
                                 "--set", "p=3.5", "--events", "/dev/stderr"), 0)
    contains(result.err, '4.35')


CENTERED = """model Centered
  function centered
    input Real u[:];
    output Real v[size(u, 1)];
  protected
    Real mean;
  algorithm
    mean := sum(u)/size(u, 1);
    v := u - fill(mean, size(u, 1));
  end centered;
  Real x[200](each start = 1, each fixed = true), y[200] = centered(x);
equation
  der(x) = {k - y[k] for k in 1:200};
end Centered;
"""


def test_a_mean_that_is_subtracted_from_each_value_stays_one_term():
    text = check_exit(run_text("show", CENTERED), 0).out
    contains(text, "Real y[7] = x[7] - smooth(0, 0.005*x[1] + ")
    last = last_row(CENTERED, "--stop", "0.1", "--intervals", "1")
    assert abs(sum(last[f"y[{k}]"] for k in range(1, 201))) < 1e-9


def test_inputs_are_in_the_results():
    text = """model Inputs
      input Real u(unit = "V");
      input Boolean b;
      input Integer k = 3;
      Real x(start = 0, fixed = true);
    equation
      der(x) = if b then u + k else u;
    end Inputs;"""
    given = ("--input", "u=2*time", "--input", "b=time > 0.5", "--stop", "1", "--intervals", "2")
    last = last_row(text, *given)
    assert (last["u"], last["b"], last["k"]) == (2, 1, 3), last
    assert abs(last["x"] - 2.5) < 1e-6
    equal(list(last_row(text, *given, "--variables", "b,u")), ["time", "b", "u"])


SAW = """class Table extends ExternalObject;
  function constructor
    input Real table[:,:];
    output Table t;
  external "C" t = ModelicaStandardTables_CombiTimeTable_init2("NoName", "NoName", table,
      size(table, 1), size(table, 2), 0.0, {2}, 1, 1, 3, 0.1, 1, false);
  end constructor;
  function destructor input Table t;
  external "C" ModelicaStandardTables_CombiTimeTable_close(t);
  end destructor;
end Table;
function next input Table t; input Real time_; output Real y;
external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, time_);
end next;
model Saw
  Table t = Table([0, 0; 0.1, 1; 0.3, 0]);
  discrete Real due(start = 0.05, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when time >= pre(due) then
    due = next(t, time);
    n = pre(n) + 1;
  end when;
end Saw;
"""


def test_the_events_of_a_periodic_table_follow_one_another():
    last = last_row(SAW, "--stop", "3.05", "--intervals", "1")
    equal((last["n"], round(last["due"], 9)), (21, 3.1))


SIZES = """model T
  block Sum
    input Real u[:];
    output Real y = sum(u);
  end Sum;
  block Twice
    Real u[:];
    Real w[size(u, 1)] = 2*u;
  end Twice;
  Twice b(u = {time, 1 - sin(time)});
  Sum s(u = {time, 2, 3});
  Sum of(u = b.w);
  Sum both(u = cat(1, {max(time, 2)}, abs(b.u)));
end T;
"""


def test_a_size_follows_from_a_value_that_varies():
    last = last_row(SIZES, "--stop", "1", "--intervals", "1")
    rest = 1 - sin(1)
    for name, value in (("s.y", 6), ("of.y", 2 + 2*rest), ("both.y", 3 + rest)):
        assert abs(last[name] - value) < 1e-12, (name, last[name], value)


PACKAGE = """package P
  record R
    Boolean a = false;
    constant Real k;
    constant Real half = 0.5;
  end R;
  function make
    input Boolean a;
    output R r = R(a = a, k = 4);
  algorithm
  end make;
  function value
    input R r;
    output Real y;
  algorithm
    y := if r.a then r.k*r.half else 0;
  end value;
end P;
model M
  Real y = P.value(P.make(true))*time;
end M;
"""


def test_functions_of_a_package_see_its_records():
    equal(last_row(PACKAGE, "--stop", "1", "--intervals", "1")["y"], 2)


def test_a_mistake_in_the_syntax_is_the_only_message():
    text = "model T block S output Real y = 1; end S; S s; Real x equation x = s.y; end T;"
    error = check_exit(run_text("simulate", text), 3).err
    equal(error.count("error:"), 1)
    contains(error, "expected ';'")


ARGUMENTS = """model A
  function square input Real u; output Real y; algorithm y := u^2 + 1; end square;
  Real x(start = 0, fixed = true);
  discrete Real d = square(if time > 0.3 then 2 else 1);
equation
  der(x) = square(if x > 0.5 then 2 else 1);
end A;
"""


def test_what_jumps_in_an_argument_makes_events():
    result = check_exit(run_text("simulate", ARGUMENTS, "--stop", "1", "--intervals", "1"), 0)
    rows = list(csv.DictReader(result.out.splitlines()))
    equal([round(float(row["time"]), 9) for row in rows], [0, 0.25, 0.25, 0.3, 0.3, 1])
    assert abs(float(rows[-1]["x"]) - 4.25) < 1e-12, rows[-1]
    equal([row["d"] for row in rows], ["2", "2", "2", "2", "5", "5"])


CHOSEN = """model D
  model Part
    parameter Real g = 1;
    Real w = g*time;
  end Part;
  Part c[3](g = {1, 10, 100}), m[2, 2](g = {{1, 2}, {3, 4}});
  Integer k(start = 1, fixed = true);
  Real y = c[k].w, z = c[integer(1.5 + 2*time)].w, two = m[k, 2].w, all = sum(c[i].w for i in 1:3);
equation
  when time > 0.5 then k = 2; end when;
end D;
"""


def test_a_component_is_chosen_by_a_subscript_that_varies():
    last = last_row(CHOSEN, "--stop", "0.9", "--intervals", "1")
    for name, value in (("y", 9), ("z", 90), ("two", 3.6), ("all", 99.9)):
        assert abs(last[name] - value) < 1e-12, (name, last[name], value)


STATES = """package P
  model Limiter
    type State = enumeration(low, inside, high);
    parameter State s0 = State.inside;
    State s(start = s0, fixed = true);
    input Real u;
  equation
    when u > 0.5 then s = State.high; end when;
  end Limiter;
  model Control
    parameter Limiter.State s0 = Limiter.State.low;
    Limiter a(s0 = s0, u = time), b(u = 0);
    Boolean isHigh = a.s == Limiter.State.high, differ = a.s <> b.s;
  end Control;
end P;
model T
  P.Control c;
end T;
"""


def test_an_enumeration_of_a_component_is_that_of_its_class():
    result = check_exit(run_text("simulate", STATES, "--model", "T", "--intervals", "1"), 0)
    rows = list(csv.DictReader(result.out.splitlines()))
    equal([rows[0][n] for n in ("c.a.s", "c.b.s", "c.isHigh")], ["1", "2", "0"])
    equal([rows[-1][n] for n in ("c.a.s", "c.b.s", "c.isHigh")], ["3", "2", "1"])


def test_a_smooth_step_runs_where_its_exponential_overflows():
    """Friction as 2/(exp(-v/v0) + 1) - 1, from slip in one direction to slip in the other."""
    text = ("model F Real v(start = 1, fixed = true), f; equation der(v) = f - 0.2; "
            "f = 0.1*(2/(exp(-1000*v) + 1) - 1); end F;")
    for options in ((), ("--method", "bdf3", "--step", "0.001")):
        last = last_row(text, "--stop", "20", "--intervals", "1", *options)
        # -0.1 before the change of sign, -0.3 after it, with ln(2) of a width in between
        assert abs(last["v"] + 3.0022) < 2e-3, last
        equal(last["f"], -0.1)


COILS = """package P
  record Curve parameter Real a[:]; end Curve;
  record Stage parameter Real speed; parameter Curve curve; end Stage;
  record Coil parameter Integer n; parameter Stage stage[n]; end Coil;
  model Step parameter Stage s; Real x = s.curve.a[3]*time + size(s.curve.a, 1); end Step;
  model Steps parameter Coil d; Step b[d.n](s = d.stage); end Steps;
  model M
    record Two extends Coil(n = 2, stage = {Stage(speed = 1, curve = Curve(a = {1, 2, 3})),
      Stage(speed = 2, curve = Curve(a = {1, 2, 4}))}); end Two;
    replaceable parameter Two d constrainedby Coil;
    Step one(final s = d.stage[1]);
    Steps all(d = d);
  end M;
end P;
"""


def test_records_in_records_have_arrays_of_a_size_that_their_values_give():
    last = last_row(COILS, "--model", "P.M", "--stop", "1", "--intervals", "1")
    equal([last[n] for n in ("one.x", "all.b[1].x", "all.b[2].x")], [6, 6, 7])


BRICKS = """package P
  record Material parameter Integer n; final parameter Integer states = n + 1; end Material;
  record Brick extends Material(final n = integer(2*y)); parameter Real y = z; parameter Real z = x;
    parameter Real x = 1; end Brick;
  record Layers parameter Integer n; parameter Material m[n];
    final parameter Integer states[n] = {m[i].states for i in 1:n}; end Layers;
  record Wall = Layers(final n = 2, m = {Brick(x = 1), Brick(x = 2)});
  model Heat parameter Layers layers; Real T[sum(layers.states)] = (1:sum(layers.states))*time;
  end Heat;
  model M Wall w; Heat h(layers = w); end M;
end P;
"""


def test_members_of_constructed_records_follow_arguments_behind_them():
    """Also where sizes depend on them: 3 states and 5."""
    last = last_row(BRICKS, "--model", "P.M", "--stop", "1", "--intervals", "1")
    equal([last["h.T[8]"], "h.T[9]" in last], [8, False])


def test_files_that_are_read_during_an_evaluation_move_nothing_under_it():
    """A path of names leads to a call of a function in a file with thousands of paths."""
    body = "".join(f"  y := y + a[{i % 3 + 1}].b[1];\n" for i in range(3000))
    files = {"package": "package Lib end Lib;", "Pair": "within Lib; record Pair Real b[2]; end Pair;",
             "R": "within Lib; record R parameter Integer n; end R;",
             "Q": "within Lib; record Q parameter Integer k; parameter Lib.R r; end Q;",
             "F": "within Lib; function F input Integer u; output Integer n; protected Pair a[3]; "
                  f"Real y; algorithm\n  n := u + 1; return;\n{body}end F;"}
    model = ("model A parameter Integer k; Real x[k] = ones(k)*time; end A; model M A a[1](k = q[:].k); "
             "parameter Lib.Q q[1](each k = 2, r = {s}); parameter Lib.R s(n = Lib.F(1)); end M;")
    with scratch() as folder:
        library = Path(folder) / "Lib"
        library.mkdir()
        for name, text in files.items():
            (library / f"{name}.mo").write_text(text)
        result = check_exit(run_text("show", model, "--model", "M", "--library", folder), 0)
        contains(result.out, "a[1].x[2]")
        contains(result.out, "s.n = 2")


def test_subscripts_of_components_may_have_comprehensions():
    """Of what is set, of what is read, behind another subscript, one in the other."""
    for left, right in (("x[sum(s[k] for k in 1:i)]", "time*i"),
                        ("0", "time*i - x[sum(s[k] for k in 1:i)]"),
                        ("x[sum({s[k]*j for j in 1:1} * {1} for k in 1:i)]", "time*i"),
                        ("m[1, sum(s[k] for k in 1:i)]", "time*i"),
                        ("0", "m[sum(1 for k in 1:1), sum(s[k] for k in 1:i)] - time*i")):
        text = ("package P model A Real x[3] = m[1, :]; Real m[1, 3]; parameter Integer s[2] = {2, 1}; "
                f"equation x[1] = 7; for i in 1:2 loop {left} = {right}; end for; end A; "
                "model M A a; end M; end P;")
        last = last_row(text, "--model", "P.M", "--stop", "1", "--intervals", "1")
        equal([last[f"a.x[{k}]"] for k in (1, 2, 3)], [7, 1, 2])


main(globals())
