"""Events: what the words of the language mean, and what is refused, each with its place."""

import csv
import io
import math

from harness import check_exit, contains, equal, main, run_text


def rows_of(body, *options):
    result = check_exit(run_text("simulate", f"model A\n{body}\nend A;", *options), 0)
    return [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]


def last_of(body, stop, name):
    return rows_of(body, "--stop", str(stop), "--intervals", "1")[-1][name]


def near(got, wanted):
    assert abs(got - wanted) < 1e-9*max(1, abs(wanted)), (got, wanted)


STATES = "  Real x(start = 0, fixed = true){0};\nequation\n  der(x) = 1;\n{1}"


def test_reinit_of_an_alias_sets_the_state_behind_it():
    when = "  when time > 1 then\n    reinit(y, 5);\n  end when;"
    for tie, wanted in (("y = x", 6), ("y = -x", -4), ("y = 2*x + 1", 3), ("x + y = 7", 3)):
        near(last_of(STATES.format(", y", f"  {tie};\n{when}"), 2, "x"), wanted)


def test_reinit_moves_no_state_that_nothing_ties_to_it():
    # J and y are states however states are chosen: der(J) = der(b^2) carries no jump to J, and
    # two rows that share derivatives none to y
    square = ("  Real b(start = 0, fixed = true), E = b^2, J(start = 0, fixed = true);\nequation\n"
              "  der(b) = 1;\n  der(J) = der(E);\n"
              "  when time > 0.5 then\n    reinit(b, 3);\n  end when;")
    near(last_of(square, 1, "J"), 0.25 + 3.5**2 - 9)
    shared = ("  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\nequation\n"
              "  der(x) + der(y) = 2;\n  der(x) - 3*der(y) = -2;\n"
              "  when time > 0.5 then\n    reinit(x, 3);\n  end when;")
    near(last_of(shared, 1, "x"), 3.5)
    near(last_of(shared, 1, "y"), 1)
    # w is tied to v and moves with it; the impulse of the rod leaves the meter p alone
    rod = ("  Real v(start = 1, fixed = true), w, p(start = 0, fixed = true), f;\nequation\n"
           "  der(v) = f;\n  2*der(w) = -f;\n  v = w;\n  der(p) = f + 1;\n"
           "  when time > 0.5 then\n    reinit(v, 3);\n  end when;")
    near(last_of(rod, 1, "w"), 3)
    near(last_of(rod, 1, "p"), 1)


def test_reinit_takes_a_name_of_an_expression_along_and_nothing_else():
    # E is b^3 + h: it moves with b; J and h, tied to each other by the flux, stay: h' = (1 - h)/1.1
    coil = ("  Real b(start = 0, fixed = true), h(start = 0, fixed = true), E = b^3 + h;\n"
            "  Real J(start = 0, fixed = true), flux = J + 0.1*h;\nequation\n"
            "  der(b) = 0;\n  der(J) = der(E);\n  der(flux) = 1 - h;\n"
            "  when time > 0.5 then\n    reinit(b, 3);\n  end when;")
    last = rows_of(coil, "--stop", "1", "--intervals", "1", "--tol", "1e-10")[-1]
    wanted = 1 - math.exp(-1/1.1)
    near(last["h"], wanted)
    near(last["J"], wanted)
    near(last["E"], 27 + wanted)


def test_equations_that_rounding_leaves_open_hold():
    # v - i is some last digits of 500 where di changes its sign: 1e9 times that is no residual
    body = ("  Real i(start = 0, fixed = true), v, di, L, s;\n  Boolean asc;\nequation\n"
            "  v = if time < 1 then 500*time else 1000 - 500*time;\n  di = der(i);\n"
            "  asc = di > 0;\n  s = i/500;\n"
            "  L = if asc then max(0.01, 0.9*cos(s)) else max(0.01, 0.5*sin(s));\n"
            "  1e9*(v - i) = 16*L*s^2*di + 4*di;")
    rows = rows_of(body, "--stop", "2", "--intervals", "4")
    near(rows[-1]["i"], 2e-6)
    equal([row["asc"] for row in rows], [1, 1, 1, 1, 1, 0, 0, 0])


def test_an_assertion_right_behind_a_limit_holds_where_the_limit_stops():
    # the second one reaches its limit 1e-12 behind the first, the assertion is 2e-9 farther on
    body = ("  Real y[2](start = {0.9999, 0.9999 - 1e-12}, each fixed = true), z[2](each start = 1);\n"
            "  Real v(start = 1, fixed = true);\nequation\n  der(v) = -v/50;\n  for i in 1:2 loop\n"
            "    z[i] + 0.1*z[i]^3 = 1.1*y[i];\n    assert(z[i] < 1 + 1e-9, \"over\");\n"
            "    der(y[i]) = if z[i] > 1 - 1e-9 and v > 0 then 0 else v*2e-5*(1 + z[i]^2);\n  end for;")
    for start in (0, 816, 8160):
        last = rows_of(body, "--start", str(start), "--stop", str(start + 10), "--intervals", "1")[-1]
        assert abs(last["z[1]"] - 1) < 2e-9 and abs(last["z[2]"] - 1) < 2e-9, last


def test_reinit_of_what_follows_several_states_is_refused_with_their_names():
    body = STATES.format(", z(start = 0, fixed = true), y", "  der(z) = 2;\n  {}\n"
                         "  when time > 1 then\n    reinit(y, 5);\n  end when;")
    for equation, words in (("y = x + z;", "y follows x, z; the model does not say"),
                            ("y = sin(time);", "y follows no variable with a derivative")):
        result = check_exit(run_text("simulate", f"model A\n{body.format(equation)}\nend A;",
                                     "--stop", "2"), 5)
        contains(result.err, "reinit(y, 5)")
        contains(result.err, words)


def test_terminal_holds_in_equations_at_the_end():
    body = ("  Real x(start = 0, fixed = true), a = if terminal() then x else -1, b, c(start = 2);\n"
            "algorithm\n  if terminal() then\n    c := 3;\n  end if;\nequation\n  der(x) = 1;\n"
            "  b^3 + b = if terminal() then 10 else 2;")
    for method in ([], ["--method", "implicit-euler", "--step", "0.1"]):
        *_, left, right = rows_of(body, "--stop", "1", "--intervals", "2", *method)
        for row, values in ((left, (-1, 1, 2)), (right, (1, 2, 3))):
            for name, value in zip("abc", values):
                near(row[name], value)
        assert len(rows_of(body, "--stop", "1", "--intervals", "2", *method)) == 4


def test_what_terminal_changes_is_a_row():
    body = STATES.format("; discrete Real z(start = 0, fixed = true)",
                         "  when terminal() then\n    z = x;\n  end when;")
    rows = rows_of(body, "--stop", "3", "--intervals", "3")
    near(rows[-1]["z"], 3)
    equal([row["time"] for row in rows], [0.0, 1.0, 2.0, 3.0, 3.0])


def test_the_last_row_of_a_grid_has_what_terminal_changes():
    """One row for each time: that of the end is the one behind terminal(), at the time of the grid
    also where a fixed step goes on behind it."""
    body = ("  Real x(start = 0, fixed = true), a = if terminal() then x else -1, b;\n"
            "  discrete Real z(start = 0, fixed = true), n(start = 0, fixed = true);\n"
            "equation\n  der(x) = 1;\n  b^3 + b = if terminal() then 10 else 2;\n"
            "  when {terminal(), x > 2} then\n    n = pre(n) + 1;\n  end when;\n"
            "  when terminal() then\n    z = x;\n  end when;\n"
            "  when x > STOP then\n    terminate(\"enough\");\n  end when;")
    for method in ([], ["--explicit", "only"], ["--method", "bdf3", "--step", "0.03"]):
        for stop, end in (("9", 1), ("0.5", 0.5)):
            for grid in ("0.25", "0"):
                rows = rows_of(body.replace("STOP", stop), "--stop", "1", "--interval", grid,
                               "--no-event-rows", *method)
                equal(len({row["time"] for row in rows}), len(rows))
                assert all(row["a"] == -1 and row["z"] == 0 for row in rows[:-1]), rows
                assert abs(rows[-1]["time"] - end) < 0.031, (method, rows[-1])
                for name, value in (("x", rows[-1]["time"]), ("a", rows[-1]["x"]), ("b", 2),
                                    ("z", rows[-1]["x"]), ("n", 1)):
                    near(rows[-1][name], value)
    last = rows_of(body.replace("STOP", "9"), "--stop", "1", "--intervals", "4", "--no-event-rows",
                   "--method", "bdf3", "--step", "0.03")[-1]
    equal((last["time"], last["z"]), (1.0, last["x"]))


def test_relations_in_the_body_of_when_are_literal():
    body = """  Real x(start = 0, fixed = true); discrete Real z(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.5, 0.5) then
    z = if x >= 0.75 then floor(x) else -1;
  end when;"""
    rows = rows_of(body, "--stop", "2", "--intervals", "1")
    equal([row["z"] for row in rows[2::2]], [-1.0, round(rows[4]["z"]), 1.0, 2.0])
    equal(len(rows), 9)  # no events but the ticks: two rows each


def test_terminate_ends_the_run_and_says_why():
    body = STATES.format("", '  when x > 1.5 then\n    terminate("enough");\n  end when;')
    result = check_exit(run_text("simulate", f"model A\n{body}\nend A;", "--stop", "3"), 0)
    contains(result.err, "terminated at t = 1.5: enough")


def test_terminate_outside_of_when_clauses():
    """Whenever its place is reached, also at the start."""
    for section, t in (
            ('  if x > 1.5 then terminate("enough"); end if;', 1.5),
            ('algorithm\n  if x > 1 then if time > 1.25 then terminate("enough"); end if; end if;',
             1.25),
            ('  if x < 1 then terminate("enough"); end if;', 0),
            ('  terminate("enough");', 0)):
        text = f"model A\n{STATES.format('', section)}\nend A;"
        result = check_exit(run_text("simulate", text, "--stop", "3"), 0)
        contains(result.err, f"terminated at t = {t}: enough")
        shown = check_exit(run_text("show", text), 0).out
        equal(check_exit(run_text("show", shown), 0).out, shown)
    text = ('function f input Real x; output Real y; algorithm y := x; terminate("no"); end f;\n'
            "model A Real x = f(time); end A;")
    contains(check_exit(run_text("simulate", text), 3).err, "a function cannot call 'terminate'")


def test_assertions_of_the_initialization():
    """Those of initial sections and of when initial() count there, and only there."""
    for place in ("initial equation\n  assert({}, \"low\");",
                  "initial algorithm\n  assert({}, \"low\");",
                  "equation\n  when initial() then assert({}, \"low\"); end when;",
                  "equation\n  assert(not initial() or {}, \"low\");"):
        text = "model A Real x(start = 1, fixed = true);\n{}\nequation der(x) = -x; end A;"
        check_exit(run_text("simulate", text.format(place.format("x > 0.9"))), 0)
        result = check_exit(run_text("simulate", text.format(place.format("x > 1.1"))), 5)
        contains(result.err, "assertion failed at t = 0: low")


def test_a_switch_that_jumps_inside_newton_is_named():
    for more in ("", "\n  when sample(0, 0.3) then\n    n = pre(n) + 1;\n  end when;"):
        body = STATES.format(", y; Integer n(start = 0, fixed = true)" if more else ", y",
                             "  y = x + noEvent(if y > 1 then -1 else 0);" + more)
        result = check_exit(run_text("simulate", f"model A\n{body}\nend A;", "--stop", "3"), 5)
        contains(result.err, "integration stopped at t = 1")
        contains(result.err, "a switch jumped inside Newton's iteration: condition 1 < y (line 5)")
    far = "  Real y(start = 1);\nequation\n  y = time + (if noEvent(y > 1) then -1 else 1);"
    result = check_exit(run_text("simulate", f"model A\n{far}\nend A;", "--stop", "3"), 5)
    contains(result.err, "a switch jumped inside Newton's iteration: condition noEvent(1 < y) (line 4)")


BAD = [  # declarations and equations, line and column, words
    ("discrete Real z(start = 0);\nequation\n  when time > 1 then\n    z = 1;\n  end when;\n"
     "  when time > 2 then\n    z = 2;\n  end when;", "8:5", "'z' is assigned in two when-clauses"),
    ("discrete Real z(start = 0);\nequation\n  when time > 1 then\n    z = 1;\n  end when;\n"
     "  z = time;", "7:3", "'z' is assigned in a when-clause"),
    ("discrete Real a(start = 0), b(start = 0);\nequation\n  when time > 1 then\n    a = 1;\n"
     "  elsewhen time > 2 then\n    b = 2;\n  end when;", "6:3",
     "'b' is assigned in this branch of this when-clause and not in the first one"),
    ("discrete Real a(start = 0), b(start = 0);\nequation\n  when time > 1 then\n    a = 1;\n"
     "    b = 1;\n  elsewhen time > 2 then\n    b = 2;\n  end when;", "7:3",
     "'a' is assigned in the first branch of this when-clause and not in this one"),
    ("Real x(start = 0), y;\nequation\n  der(x) = 1;\n  y = pre(x);", "5:7",
     "pre() of the continuous variable 'x' outside a when-clause"),
    ("discrete Real z(start = 0);\nequation\n  when time > 1 then\n    when time > 2 then\n"
     "      z = 1;\n    end when;\n  end when;", "5:5", "when-clauses cannot be nested"),
    ("Boolean b, c;\nequation\n  (b and c) = (time > 1);\n  c = true;", "4:3",
     "no equation gives the discrete variable 'b' a value"),
    ("Integer n;\nequation\n  2*n = integer(time);", "4:3",
     "no equation gives the discrete variable 'n' a value"),
    ("Boolean b;\nequation\n", "2:9",
     "no equation gives the discrete variable 'b' a value (it must stand alone"),
    ("Integer n;\nequation\n  when sample(0, 0) then\n    n = pre(n) + 1;\n  end when;", "4:8",
     "the interval of 'sample' is 0"),
    ("Integer n;\nequation\n  when sample(0, -1) then\n    n = pre(n) + 1;\n  end when;", "4:8",
     "the interval of 'sample' is -1"),
    ("Real x(start = 0); discrete Real z;\nequation\n  der(x) = 1;\n  when time > 1 then\n"
     "    z = 1;\n    reinit(z, 0);\n  end when;", "7:5", "reinit() of the discrete variable 'z'"),
    ("Real x(start = 0); discrete Real z;\nequation\n  der(x) = der(z);\n  when time > 1 then\n"
     "    z = 1;\n  end when;", "4:3", "'z' is discrete: it has no derivative"),
    ("Real x(start = 0), y = delay(x, 1 + x);\nequation\n  der(x) = 1;", "2:24",
     "a delay time that changes during the simulation"),
    ("  Integer n(start = 0);\nequation\n  when n < 3 and time > 0.5 then\n    n = pre(n) + 1;\n"
     "  end when;", "4:3", "depends on 'n', which the clause assigns; write pre(n)"),
    ("  type S = enumeration(a, b);\n  S s(start = S.a);\nequation\n  when time > 1 then\n"
     "    s = S.b;\n  elsewhen s == S.b and time > 2 then\n    s = S.a;\n  end when;", "7:3",
     "depends on 's'"),
    ("  Real x(start = 1);\nequation\n  der(x) = -x;\n  when x < 0.5 then\n    reinit(x, 1);\n"
     "  end when;\n  when sample(1, 1) then\n    reinit(x, 2);\n  end when;", "9:5",
     "a second reinit() of 'x' (another one: line 6) may be taken at the same instant"),
    ("  Real x(start = 1);\nequation\n  der(x) = -x;\n  when x < 0.5 then\n    reinit(x, 1);\n"
     "    reinit(x, 2);\n  end when;", "7:5", "a second reinit() of 'x'"),
    ("  Real a(start = 0);\nalgorithm\n  when time > 1 then\n    a := 1;\n  end when;\nalgorithm\n"
     "  when time > 2 then\n    a := 2;\n  end when;", "9:5",
     "'a' is assigned in line 5: this equation is one too many"),
    ("  Real x(start = 1);\nequation\n  der(x) = -x;\n  if x > 0.5 then\n    when time > 1 then\n"
     "      reinit(x, 1);\n    end when;\n  end if;", "6:5", "a when-clause inside an if-equation"),
    ("  Boolean b;\nequation\n  b = edge(time > 1);", "4:7", "'edge' takes a variable"),
    ("  discrete Real z;\nequation\n  z = time;", "4:3", "changes at events only"),
    ("  Integer n;\nequation\n  n = 1 + sin(2);", "4:3",
     "'n' is Integer, its value sin(2) + 1 is Real"),
    ("  Integer n;\nequation\n  2.5 = n;", "4:3", "'n' is Integer, its value 2.5 is Real"),
    ("  Integer n[2];\nequation\n  n = {3.0, 0.5};", "4:3", "'n[2]' is Integer, its value 0.5"),
    ("  Integer n;\n  discrete Real z(start = 0);\nequation\n  when time > 1 then\n    z = 0.5;\n"
     "  end when;\n  n = z;", "8:3", "'n' is Integer, its value z is Real"),
    ("  Integer n;\nequation\n  when time > 1 then\n    n = pre(n) + 0.5;\n  end when;", "5:5",
     "'n' is Integer, its value pre(n) + 0.5 is Real"),
    ("  Integer n;\nequation\n  n = if time > 1 then 1 else 0.5;", "4:3", "'n' is Integer"),
    ("  Integer n;\n  Integer m = integer(time);\nequation\n  n = m^(-1);", "5:3",
     "'n' is Integer, its value 1/m is Real"),
]

WHOLE = """model A
  Integer i = integer(2*time), n[8];
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  n[1] = 3.0;
  n[2] = i^2;
  n[3] = if x > 0.25 then 2^3 else mod(i, 3) + div(i, 2);
  n[4] = noEvent(max(abs(i), 1.0*i));
  n[5] = floor(x);
  n[6] = {1, 3, 7}[i + 1];
  n[8] = smooth(0, 2.0*i);
  when x > 0.5 then
    n[7] = pre(n[7]) + ceil(x + 0.25);
  end when;
end A;
"""

ENDS = [  # equations of n and z, words
    ("  when sample(0.5, 0.5) then\n    n = div(5, pre(n));\n    z = 1;\n  end when;",
     "at the event at t = 0.5 the discrete variable n has no finite value (line 5)"),
    ("  when sample(0.5, 0.5) then\n    n = 1;\n    z = log(pre(n) - 1);\n  end when;",
     "at the event at t = 0.5 the discrete variable z has no finite value (line 6)"),
    ("  n = if time > 0.5 then pre(n) + 1 else 0;\n  z = 1;",
     "never ends: its iteration is not over after 100000 steps; these change:"),
    ("  n = if time > 0.5 then mod(pre(n) + 1, 3) else 0;\n  z = 1;",
     "never ends: its iteration came back to values it had before; these change:\n  n: 2, 0, 1, 2"),
]


def test_mistakes_are_placed():
    for body, place, words in BAD:
        for command in ("simulate", "check-init"):
            result = check_exit(run_text(command, f"model A\n{body}\nend A;"), 3)
            contains(result.err, f":{place}: error: ")
            contains(result.err, words)
            assert result.err.splitlines()[-1].strip().startswith("^"), result.err


def test_whole_numbers_of_type_real_are_values_of_integers():
    rows = check_exit(run_text("simulate", WHOLE, "--stop", "0.8", "--intervals", "1",
                               "--no-event-rows", "--variables", "n*"), 0).out.splitlines()
    assert rows[-1].split(",")[1:] == "3 1 8 1 0 3 1 2".split(), rows[-1]


def test_an_assertion_that_never_holds_waits_for_its_when_clause():
    text = ("model A\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
            "  when x > 0.5 then\n    assert(false, \"there\");\n  end when;\nend A;\n")
    for command in ("analyze", "reduce", "check-init"):
        check_exit(run_text(command, text), 0)
    check_exit(run_text("simulate", text, "--stop", "0.25"), 0)
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err,
             ":6:5: assertion failed at t = 0.5: there")
    contains(check_exit(run_text("simulate", "model A equation\n  assert(false, \"at once\");\n"
                                 "end A;\n"), 3).err, ":2:3: error: assertion failed: at once")


def test_a_second_value_of_a_discrete_variable_is_named_with_the_first():
    for body, place, line in (
            ("  Integer n(start = 0, fixed = true);\nequation\n  when time > 1 then\n    n = 1;\n"
             "  end when;\n  n = integer(time);", "7:3", 5),
            ("  Integer n(start = 0, fixed = true);\nalgorithm\n  when time > 1 then\n    n := 1;\n"
             "  end when;\nalgorithm\n  when time > 2 then\n    n := 2;\n  end when;", "9:5", 5)):
        result = check_exit(run_text("simulate", f"model A\n{body}\nend A;"), 3)
        contains(result.err, f":{place}: error: the discrete variable 'n' gets a value here and in "
                             f"another place (line {line});")


def test_loops_of_numbers_without_a_solution_are_errors_of_all_commands():
    for body, first in [("Integer n; equation n = n + 1;", "n = n + 1"),
                        ("Integer n; equation n = 3 - n;", "n = 3 - n"),
                        ("Integer n, m; equation n = m + 1; m = n + 1;", "n = m + 1"),
                        ("Integer a, b, c; equation a = b + c; b = 3 - c - a; c = 3*a - b - 3;",
                         "a = b + c"),
                        ("Integer a, b; equation a = 2*b + 1; b = a - 3 - b;", "a = 2*b + 1")]:
        for command in ["analyze", "reduce", "check-init", "simulate"]:
            result = check_exit(run_text(command, f"model A {body} end A;"), 1)
            contains(result.err, "no values of these discrete variables fulfil their "
                                 f"equations:\n  {first}")


def test_loops_of_numbers_with_solutions_are_no_errors():
    for body, several in [("Integer n; equation n = 4 - n;", False),
                          ("Integer n, m; equation n = m + 1; m = n - 1;", True),
                          ("Integer n, m; equation n = if time > 1 then m + 1 else 2; m = n + 1;",
                           False),
                          ("Integer n(start = 0); equation when time > 1 then n = pre(n) + 1; "
                           "end when;", False)]:
        result = check_exit(run_text("analyze", f"model A {body} end A;"), 0)
        equal("several values" in result.err, several)


def test_loops_of_booleans_with_several_solutions_are_told():
    """Modelica forbids them; what is taken is one of the solutions, so it is said."""
    result = check_exit(run_text("simulate", "model A Boolean a, b; equation\n  a = b;\n  b = a;\n"
                                 "end A;", "--stop", "1", "--intervals", "1"), 0)
    contains(result.err, "warning: several values of these discrete variables fulfil their "
                         "equations; those nearest to the present ones are taken:\n"
                         "  a = b  (line 2)\n  b = a  (line 3)\n")
    for command in ["analyze", "check-init"]:
        contains(run_text(command, "model A Boolean a, b; equation a = b; b = a; end A;").err,
                 "several values of these discrete variables")
    alone = check_exit(run_text("simulate", "model A Boolean a, b; equation\n  a = b and time > 1;"
                                "\n  b = not a;\nend A;", "--stop", "0.5"), 0)
    equal(alone.err, "")


def test_instants_without_values_end_the_run():
    """No value stands for one that does not exist, and an iteration that does not end is told."""
    for equations, words in ENDS:
        text = ("model A\n  Integer n(start = 0, fixed = true); discrete Real z(start = 0);\n"
                f"equation\n{equations}\nend A;")
        contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err, words)


def test_resets_at_different_instants_stand_beside_each_other():
    """Two walls exclude each other, two times come one after the other, branches as well."""
    walls = ("  parameter Real wall = 1;\n  Real x(start = 0.5, fixed = true), "
             "v(start = 1, fixed = true);\nequation\n  der(x) = v;\n  der(v) = 0;\n"
             "  when x < 0 then\n    reinit(v, -pre(v));\n  end when;\n"
             "  when x > wall then\n    reinit(v, -pre(v));\n  end when;")
    near(last_of(walls, 5, "x"), 0.5)
    times = STATES.format("", "  when time > 1 then\n    reinit(x, 0);\n  end when;\n"
                          "  when time > 2 then\n    reinit(x, 5);\n  end when;")
    near(last_of(times, 3, "x"), 6)
    branches = STATES.format("", "  when sample(1, 1) then\n    if x > 1.5 then\n"
                             "      reinit(x, 0);\n    else\n      reinit(x, 1);\n    end if;\n"
                             "  elsewhen x > 3 then\n    reinit(x, 7);\n  end when;")
    near(last_of(branches, 2.5, "x"), 0.5)


def test_the_point_at_which_a_run_is_terminated_is_in_its_results():
    body = STATES.format("", '  when x > 0.25 then\n    terminate("there");\n  end when;')
    rows = rows_of(body, "--stop", "2", "--intervals", "1", "--no-event-rows")
    near(rows[-1]["time"], 0.25)
    near(rows[-1]["x"], 0.25)


def test_exported_c_refuses_what_it_would_leave_out():
    """A ball whose impacts are not in the C would fall for ever."""
    for body, place, words in [
        ("Real h(start = 1), v(start = 0);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n"
         "  when h < 0 then\n    reinit(v, -pre(v));\n  end when;", "7:5",
         "without --method a when-clause"),
        ("Real x(start = 0), y = delay(x, 1);\nequation\n  der(x) = 1;", "2:24", "without --method delay(...)"),
        ("Real x(start = 0); Boolean b;\nequation\n  der(x) = if b then 1 else 2;\n"
         "  b = if pre(b) then x < 1 else x < 0;", "5:3",
         "without --method the discrete variable 'b'"),
    ]:
        result = check_exit(run_text("export", f"model A\n{body}\nend A;"), 3)
        contains(result.err, f":{place}: error: {words}")
        equal(result.out, "")


def test_fixed_steps_take_events_at_their_end():
    body = STATES.format("; Integer n(start = 0, fixed = true)",
                         "  when x > 0.55 then\n    n = 1;\n  end when;")
    for method in ("ab3", "bdf3"):
        rows = rows_of(body, "--stop", "1", "--intervals", "1", "--method", method, "--step",
                       "0.1")
        times = [b["time"] for a, b in zip(rows, rows[1:]) if a["n"] != b["n"]]
        equal([round(t, 9) for t in times], [0.6])


def test_boolean_loops_are_decided():
    text = "model A\n  Boolean b;\nequation\n  b = not b;\nend A;"
    none = check_exit(run_text("simulate", text), 1)
    contains(none.err, "no values of these discrete variables fulfil their equations")
    rows = rows_of("  Boolean a, b, c = time > 1, d = time > 2 and time < 3;\nequation\n"
                   "  a = b and c;\n  b = a or d;", "--stop", "4", "--intervals", "4")
    equal([row["a"] for row in rows if row["time"] in (0.0, 4.0)][0], 0.0)
    for row in rows:
        equal(row["a"], float(row["b"] and row["c"]))
        equal(row["b"], float(row["a"] or row["d"]))


def test_a_long_buffer_is_filled_and_looked_through_at_the_end():
    """Each condition of the function holds all elements of the buffer, each element is a
    choice: what is known of them is asked without going through all of them again."""
    body = """  function above
    input Real u[:];
    output Real count;
  protected
    Real mean;
  algorithm
    mean := sum(u)/size(u, 1);
    count := 0;
    for i in 1:size(u, 1) loop
      if u[i]*abs(u[i]) > mean*abs(mean) then
        count := count + 1;
      end if;
    end for;
  end above;
  parameter Integer n = 2000;
  Real buf[n](each start = 0, each fixed = true);
  Integer tick(start = 0, fixed = true);
  discrete Real count(start = 0, fixed = true);
algorithm
  when sample(0, 0.01) then
    tick := pre(tick) + 1;
    if tick >= 1 and tick <= n then
      buf[tick] := time;
    end if;
  end when;
  when terminal() then
    count := above(buf);
  end when;"""
    # 0, 0.01 ... 1: the mean of 2000 is 0.02525
    near(last_of(body, 1, "count"), 98)


def test_a_when_clause_needs_a_condition_that_makes_events():
    # it would never be seen to become true
    for condition in ("noEvent(x > 0.5)", "{time > 0.2, noEvent(x > 0.5)}"):
        result = check_exit(run_text("simulate", f"""model A
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when {condition} then
    reinit(x, 0);
  end when;
end A;"""), 3)
        contains(result.err, ":5:3: error: the condition of a when-clause changes at events only")


FUNCTIONS = """
function f input Real u; input Real v; output Real y;
algorithm y := if v > 0.3 then u else 2*u; end f;
function g input Boolean b; input Real v; output Real y;
algorithm y := if b and v > 0.3 then 1 else 0; end g;
function h input Real u[2]; output Real y;
algorithm y := if u[1] > 0.35 then u[2] else 0; end h;
function w input Real u; output Real y; protected Real s;
algorithm s := u; while s > 1 loop s := s - 1; end while; y := s; annotation(Inline = false); end w;
record R Real a; Real b; end R;
function r input R r; output Real y; algorithm y := if r.a > 0.2 then r.b else 0; end r;
function n input Real u; input Real v; output Real y;
algorithm y := f(if u > 0.9 then u else -u, v); end n;
"""


def test_what_jumps_in_arguments_makes_events_whatever_the_body_does():
    for call, wanted, events in (
            ("f(if x > 0.5 then 1 else 0, x)", 0.5, 1),
            ("f(if not x > 0.5 then 0 else 1, x)", 0.5, 1),
            ("g(x > 0.5, x)", 0.5, 1),
            ("h({x, if x > 0.75 then 8 else 0})", 2, 1),
            ("f(floor(2*x), x)", 0.5, 1),
            ("w(if x > 0.5 then 2.5 else 0.25)", 0.375, 1),
            ("r(R(x, if x > 0.5 then 1 else 0))", 0.5, 1),
            ("n(if x > 0.5 then 1 else 0, x)", 0.5, 1),
            ("f(noEvent(if x > 0.5 then 1 else 0), x)", 0.5, 0),
            ("f(if time > 0.5 then 1 else 0, x)", 0.5, 1)):
        text = (FUNCTIONS + "model A Real x(start = 0, fixed = true), y(start = 0, fixed = true); "
                f"equation der(x) = 1; der(y) = {call}; end A;")
        result = check_exit(run_text("simulate", text, "--model", "A", "--stop", "0.99",
                                     "--intervals", "1"), 0)
        rows = list(csv.DictReader(io.StringIO(result.out)))
        equal((call, len(rows)), (call, 2 + 2*events))
        slope = {"h": 8, "w": 0.5}.get(call[0], 1)
        assert abs(float(rows[-1]["y"]) + 0.01*slope - wanted) < 1e-5, (call, rows[-1])
        once = check_exit(run_text("show", text, "--model", "A"), 0).out
        equal(check_exit(run_text("show", once), 0).out, once)
        again = check_exit(run_text("simulate", once, "--stop", "0.99", "--intervals", "1"), 0)
        last = list(csv.DictReader(io.StringIO(again.out)))[-1]
        near(float(last["y"]), float(rows[-1]["y"]))


SETTLED = """model Settled
  Real level, height, p1(start = 1, fixed = true), p2(start = 1, fixed = true), q;
  Boolean ok, flows;
equation
  level = LEVEL;
  height = 0;
  ok = level >= height;
  flows = q > 0 and not ok;
  der(p1) = 1 - q;
  der(p2) = q - p2/10;
  0 = if ok then p1 - p2 else if flows then q - p1 else q;
end Settled;
"""


def test_a_condition_that_never_changes_decides_the_structure():
    text = SETTLED.replace("LEVEL", "0")
    contains(check_exit(run_text("analyze", text), 0).out, "index 2, 1 degree of freedom")
    contains(check_exit(run_text("check-init", text), 0).out, "consistent, 1 redundant")
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    last = list(csv.DictReader(io.StringIO(result.out)))[-1]
    assert abs(float(last["p1"]) - (10 - 9*math.exp(-0.05))) < 1e-6, last
    equal((last["ok"], last["flows"]), ("1", "0"))
    text = SETTLED.replace("LEVEL", "-1").replace("p2(start = 1, fixed = true)", "p2")
    contains(check_exit(run_text("analyze", text), 0).out, "2 degrees of freedom")
    text = SETTLED.replace("LEVEL", "time - 1")
    contains(check_exit(run_text("analyze", text), 0).out, "2 degrees of freedom")


main(globals())
