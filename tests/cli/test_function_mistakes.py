"""Mistakes in functions and calls: one cause, one message, at the place where it was made."""

from harness import check_exit, contains, equal, main, run_text

F = """function f
  input Real x; input Real a = 1; output Real y;
algorithm
  y := a*x;
end f;
record R
  Real a;
end R;
"""

# the call of the model in line 12, its column, the message
CALLS = [
    ("f(x, b = 2)", 7, "'f' has no argument 'b'"),
    ("f()", 7, "argument 'x' of 'f' is missing"),
    ("f(x, 1, 2)", 7, "'f' takes fewer than 3 arguments"),
    ("f(x, x = 2)", 7, "argument 'x' of 'f' is given twice"),
    ("f(a = 2, x)", 17, "an argument by position stands behind one by name"),
    ("h(x)", 7, "unknown function 'h'"),
    ("f(true)", 7, "'x' is Real, this value is Boolean"),
    ("R(1).b", 12, "the record has no member 'b'"),
    ("R(a = 1, b = 2).a", 7, "'R' has no argument 'b'"),
    ("sin(x, 2)", 7, "'sin' does not take 2 arguments"),
    ("x[1]", 7, "1 subscript for 'x', which is a scalar"),
]

# declarations and body of g, line and column of the message
BODIES = [
    ("input Real x; output Real y;", "", 10, 7, "'g' gives its result 'y' no value"),
    ("input Real x; output Real y;", "x := 1; y := x;", 4, 3, "input 'x' cannot be assigned"),
    ("input Real x; output Real y;", "y := z;", 4, 8, "unknown name 'z'"),
    ("input Real x; output Real y;", "z := 1; y := 1;", 4, 3, "'z' cannot be assigned here"),
    ("input Real x; output Real y;", "while true loop y := x; end while;", 10, 7,
     "is there a loop without end?"),
    ("input Real x; output Real y;", "y := g(x);", 4, 8,
     "more than 200 calls inside each other: a recursion without end?"),
    ("input Real x; output Real y;", "for i in 1:3 loop y[i] := x; end for;", 4, 21,
     "1 subscript for 'y', which is a scalar"),
    ("input Real x; output Real y; protected Real v[3] = {x, x, x};", "y := v[4];", 4, 8,
     "subscript 4 is outside 1:3 of 'v'"),
    ("input Real x[3]; output Real y;", "y := x[1];", 10, 7,
     "'x' has size [3], this value has size scalar"),
    ("input Real x; output Real y;", "y := x; break;", 4, 11, "'break' outside a loop"),
    ("input Real x; output Real y;", "if x then y := 1; else y := 2; end if;", 4, 3,
     "a condition is Boolean, this is Real"),
    ("input Real x; output Real y;", "y := x + ;", 4, 12, "expected an expression, found ';'"),
    ("input Real x; output Real y;", "y = x;", 4, 5, "'=' in an algorithm: write ':='"),
    ("input Real x; output Real y;", "y := der(x);", 4, 8, "a function cannot use der()"),
    ("input Real x; output Real y;", "y := x; when x > 1 then y := 2; end when;", 4, 11,
     "a function cannot have when-statements"),
    ("input Real x; output Real y;", "y := {x, 2};", 4, 3,
     "'y' has size scalar, this value has size [2]"),
    ("input Real x; output Real y; output Real y;", "y := x;", 2, 44,
     "'y' is declared twice in 'g'"),
    ("input Real x; output Real y;", "assert(x > 0, 3); y := x;", 4, 3,
     "assert takes a condition, a string and a level"),
]


def only_error(text, line, column, message):
    err = check_exit(run_text("show", text), 3).err
    contains(err, f"<stdin>:{line}:{column}: error: ")
    contains(err, message)
    equal(err.count(": error: "), 1)


def test_calls():
    for call, column, message in CALLS:
        only_error(F + f"model M\n  Real x, y;\nequation\n  y = {call}; x = time;\nend M;\n",
                   12, column, message)


def test_bodies():
    for declarations, body, line, column, message in BODIES:
        only_error(f"function g\n  {declarations}\nalgorithm\n  {body}\nend g;\n"
                   "model M\n  Real x, y;\nequation\n  x = time;\n  y = g(x);\nend M;\n",
                   line, column, message)


def test_other_functions():
    for text, line, column, message in (
            ("partial function p\n  input Real x; output Real y;\nend p;\n", 7, 7,
             "'p' is partial: it has no body to call"),
            ('function p\n  input Real x; output Real y;\n  external "C" y = q(x, z);\nend p;\n',
             3, 25, "unknown name 'z'"),
            ("function p\n  input Real x; output Real y;\nequation\n  y = x;\nend p;\n", 3, 1,
             "a function has an algorithm, no equations"),
            ("function p\n  input Real x; output Real y;\nalgorithm\n  y := x;\nend q;\n", 5, 5,
             "expected 'end p', found 'q'")):
        only_error(f"{text}model M\n  Real y;\nequation\n  y = p(time);\nend M;\n", line, column,
                   message)


def test_the_branch_that_is_left_out_has_a_type():
    head = "model M parameter Boolean q = true; parameter Integer n = 0; String s = \"t\"; "
    for value, said in (('if true then 1 else "a"', "Integer and String"),
                        ('if false then "a" else 1', "Integer and String"),
                        ("if q then 1 else s", "Integer and String"),
                        ("if q then 1 else true", "Integer and Boolean"),
                        ("if not q then 1 > 2 else 1", "Integer and Boolean"),
                        ("if q then 1 elseif n > 1 then 2 else String(n)",
                         "Integer and String")):
        model = f"{head}Real x = {value}; end M;"
        result = check_exit(run_text("show", model), 3)
        contains(result.err, f"the branches of this 'if' are {said}")
        contains(result.err, f":1:{model.index(value) + 1}: error")
    check_exit(run_text("show", head + "Real v[n]; Real x = if n > 0 then v[n] else 0.5; "
                        "Real y = if q then 1 else 2*n + 1; end M;"), 0)


def test_modifiers_of_members_that_a_record_does_not_have():
    head = "record P\n  Real x = 1;\nend P;\nrecord S\n  P a; Real w[2] = {1, 2};\nend S;\n"
    for text, column, message in (("S s(z = 3);", 7, "'s' has no member 'z'"),
                                  ("S s(a(y = 3));", 9, "'s.a' has no member 'y'"),
                                  ("S s(a.y = 3);", 7, "'s.a' has no member 'y'"),
                                  ("S s(wa = 3);", 7, "'s' has no member 'wa'"),
                                  ("P p[2](start = 3);", 10, "'p' has no member 'start'")):
        only_error(f"{head}model M\n  {text}\nend M;\n", 8, column, message)
    check_exit(run_text("show", f"{head}model M\n  S s(a(x(unit = \"V\") = 3), w = {{3, 4}});\n"
                        "  S t(a.x = 3);\nend M;\n"), 0)



def test_partial_application_is_told_where_it_is_written():
    text = """function q
  input Real x; input Real a; output Real y;
algorithm
  y := a*x;
end q;
partial function base
  input Real x; output Real y;
end base;
function apply
  input base f; input Real u; output Real y;
algorithm
  y := f(u);
end apply;
model M
  Real x = apply(function q(%s = 2), time);
end M;"""
    check_exit(run_text("show", text % "a"), 0)
    contains(check_exit(run_text("show", text % "b"), 3).err,
             ":15:18: error: 'q' has no argument 'b'")


def test_a_function_sees_only_constants_of_the_model():
    text = """model M
  constant Real c = 2; parameter Real p = 3; Real x = time; input Real u = 1; Real y = f(x);
  function f
    input Real v; output Real y;
  protected
    Real x;
  algorithm
    x := v; y := %s*x;
    for p in 1:2 loop y := y + p; end for;
  end f;
end M;"""
    contains(check_exit(run_text("show", text % "c"), 0).out, "y = ")
    for name, kind in (("p", "parameter"), ("u", "variable")):
        contains(check_exit(run_text("show", text % name), 3).err,
                 f"'{name}' is a {kind} of the model: a function sees only constants")


def test_a_record_of_another_class_needs_all_members():
    text = """record A
  Real a;
end A;
record B
  Real b;
end B;
record C
  Integer n;
  Real a;
end C;
function g
  input A r;
  output Real y;
algorithm
  y := 2%s;
end g;
model M
  %s r;
  Real y = g(r);
end M;
"""
    for body in ("", "*r.a"):
        result = check_exit(run_text("show", text % (body, "B")), 3)
        contains(result.err, "<stdin>:19:12: error: 'r' is another record, this value has no 'a'")
        equal(result.err.count("error:"), 1)
        check_exit(run_text("show", text % (body, "C")), 0)


def test_a_body_that_is_inherited_is_the_only_one():
    base = """partial function b
  input Real x;
  output Real y;
%s
end b;
function f
  extends b;
%s
end f;
model M
  Real y = f(time);
end M;
"""
    algorithm = "algorithm\n  y := 2*x;"
    external = 'external "builtin" y = sin(x);'
    for first in (algorithm, external):
        for second in (algorithm, external):
            result = check_exit(run_text("show", base % (first, second)), 3)
            line = 9 if first == algorithm else 8
            contains(result.err, f"<stdin>:{line}:1: error: 'f' has more than one body, one of "
                     "them inherited")
            equal(result.err.count("error:"), 1)
    check_exit(run_text("show", base % (algorithm, "")), 0)
    check_exit(run_text("show", base % ("", algorithm)), 0)


PATHS = """model M
  function f
    input Real x; input Integer n; output Real a; output Integer info; output Real b;
  algorithm
    a := x;
    if n > 0 then info := n; b := 2*x; end if;
  end f;
  Real y, z, w; Integer n, k;
equation
  n = integer(3*time);
  EQUATIONS
end M;
"""


def test_results_that_nobody_takes_need_no_value():
    text = PATHS.replace("EQUATIONS", "y = f(time, 0) + f(2*time, n); (z) = f(time, n); "
                         "(w, k) = f(time, n + 1);")
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "2"), 0)
    equal(result.out.splitlines()[-1], "1,3,1,1,3,4")
    for equations, line in (("(y, k) = f(time, -1); z = 1; w = 1;", ":11:"),
                            ("y = 1; (z, , w) = f(time, 0); k = 1;", ":11:")):
        result = check_exit(run_text("simulate", PATHS.replace("EQUATIONS", equations)), 3)
        contains(result.err, line)
        contains(result.err, "'f' gives its result '")
    text = PATHS.replace("EQUATIONS", "(y, k) = f(time, n); z = 1; w = 1;")
    result = check_exit(run_text("simulate", text, "--stop", "1"), 5)
    contains(result.err, "'info' of 'f' is used without a value")


def test_a_result_that_no_statement_gives_a_value_is_an_error():
    text = PATHS.replace("info := n; ", "").replace("EQUATIONS", "y = f(time, 1); z=1; w=1; k=1;")
    result = check_exit(run_text("show", text), 3)
    contains(result.err, "'f' gives its result 'info' no value")


main(globals())
