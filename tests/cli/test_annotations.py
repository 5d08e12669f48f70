"""--check-annotations: derivative, inverse and smoothOrder against the bodies of functions."""

from harness import check_exit, contains, equal, main, run_text

MODEL = "model M Real y; equation y = time; end M;\n"

CUBE = """function f
  input Real x; input Real p; input Integer n; output Real y;
algorithm
  y := p*x^3 + sin(p);
  annotation(derivative(zeroDerivative = p) = f_der);
end f;
function f_der
  input Real x; input Real p; input Integer n; input Real x_der; output Real y_der;
algorithm
  y_der := 3*p*x^2*x_der;
end f_der;
"""


def check(text, code, *options):
    return check_exit(run_text("show", text + MODEL, "--check-annotations", *options), code)


def test_a_right_derivative_is_silent():
    assert check(CUBE, 0).err == ""


def test_a_wrong_derivative_has_a_counterexample():
    result = check(CUBE.replace("3*p*x^2", "2*p*x^2"), 1)
    contains(result.err, "the annotation derivative of 'f' is wrong: at x = ")
    contains(result.err, "'f_der' gives ")
    contains(result.err, ", the derivative is ")
    contains(result.err, "<stdin>:1:")
    assert result.out == ""


def test_every_command_checks():
    wrong = CUBE.replace("3*p*x^2", "2*p*x^2") + MODEL
    for command in ("analyze", "check-init", "simulate", "reduce"):
        result = check_exit(run_text(command, wrong, "--check-annotations"), 1)
        contains(result.err, "the annotation derivative of 'f' is wrong")
        check_exit(run_text(command, wrong), 0)


def test_a_derivative_of_a_function_that_is_not_written_out():
    text = CUBE.replace("annotation(", "annotation(Inline = false, ")
    assert check(text, 0).err == ""
    check(text.replace("3*p*x^2", "3*p*x"), 1)


def test_an_argument_without_derivative_is_not_judged():
    result = check(CUBE.replace("zeroDerivative = p", "noDerivative = p"), 0)
    contains(result.err, "was not checked: it depends on an argument with noDerivative")


INVERSE = """function h
  input Real T; input Real c; output Real h;
algorithm
  h := c*exp(T) + 1;
  annotation(inverse(T = T_h(h, c)));
end h;
function T_h
  input Real h; input Real c; output Real T;
algorithm
  T := log((h - 1)/c);
end T_h;
"""


def test_inverses():
    assert check(INVERSE, 0).err == ""
    result = check(INVERSE.replace("log((h - 1)/c)", "log(h/c)"), 1)
    contains(result.err, "the annotation inverse of 'h' is wrong: at T = ")
    contains(result.err, "the inverse gives T = ")


SMOOTH = """function s
  input Real x; input Real a; output Real y;
algorithm
  y := if x > a then (x - a)^3 else 0;
  annotation(smoothOrder = 2);
end s;
"""


def test_smoothness():
    assert check(SMOOTH, 0).err == ""
    result = check(SMOOTH.replace("= 2)", "= 3)"), 1)
    contains(result.err, "the annotation smoothOrder = 3 of 's' is wrong: at x = ")
    contains(result.err, "its derivative of order 3 by ")
    contains(result.err, "jumps from 0 to ")
    jump = check(SMOOTH.replace("else 0", "else 1"), 1)
    contains(jump.err, "it jumps from 1 to 0")


def test_two_branches_that_change_together():
    text = SMOOTH.replace("(if", "if").replace(
        "y := if x > a then (x - a)^3 else 0;",
        "y := (if x > a then x - a else 0) + (if x < a then x - a else 0) + abs(x - a)*(x - a);")
    assert check(text.replace("= 2)", "= 1)"), 0).err == ""
    contains(check(text, 1).err, "its derivative of order 2 by x jumps from -2 to 2")


def test_only_where_the_function_is_defined():
    text = """function r
  input Real x(min = 1); input Real a; output Real y;
algorithm
  assert(a > 2, "a is small");
  y := abs(x)*(if a < 2 then -1 else 1);
  annotation(derivative = r_der);
end r;
function r_der
  input Real x; input Real a; input Real x_der; input Real a_der; output Real y_der;
algorithm
  y_der := x_der;
end r_der;
"""
    assert check(text, 0).err == ""
    check(text.replace("(min = 1)", ""), 1)
    check(text.replace('assert(a > 2, "a is small");', ""), 1)


def test_rounded_numbers_are_no_mistake():
    text = CUBE.replace("p*x^3 + sin(p)", "p*x^3/3").replace("3*p*x^2", "1.0000000001*p*x^2")
    assert check(text, 0).err == ""


def test_arguments_that_are_no_reals():
    text = """type E = enumeration(a, b);
function f
  input Real x; input Boolean b; input Integer n; input E e; output Real y;
algorithm
  y := if %s then x^2 else x;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x; input Boolean b; input Integer n; input E e; input Real x_der; output Real y_der;
algorithm
  y_der := if %s then 2*x*x_der else x_der;
end f_der;
"""
    for condition, other in (("b", "true"), ("n == 2", "n == 3"), ("e == E.b", "false"),
                             ("n < 1", "false")):
        assert check(text % (condition, condition), 0).err == ""
        contains(check(text % (condition, other), 1).err, "the annotation derivative of 'f'")
    smooth = SMOOTH.replace("input Real a;", "input Integer a;").replace(
        "if x > a then (x - a)^3", "if a == 2 and x > a then x - a")
    contains(check(smooth, 1).err, "at x = 2 its derivative of order 1 by x jumps from 0 to 1")


def test_records_are_checked():
    text = """record R Real a; Real b[2]; end R;
function f
  input R x; output R y;
algorithm
  y := R(x.a*x.b[1], {x.b[2]^2, 1});
  annotation(derivative = f_der);
end f;
function f_der
  input R x; input R x_der; output R y_der;
algorithm
  y_der := R(x_der.a*x.b[1] + x.a*x_der.b[1], {2*x.b[2]*x_der.b[2], 0});
end f_der;
"""
    assert check(text, 0).err == ""
    wrong = check(text.replace("2*x.b[2]*x_der", "x.b[2]*x_der"), 1).err
    contains(wrong, "x.b[2] = ")
    equal(wrong.count("error: "), 1)
    mixed = text.replace("record R Real a;", "record R Integer k = 1; Real a;").replace(
        "R(x", "R(1, x")
    contains(check(mixed, 0).err, "was not checked: ")


def test_branches_far_away():
    text = """function f
  input Real x; output Real y;
algorithm
  y := if x > 12345 then (x - 12345)^2 else 0;
  annotation(derivative = f_der);
end f;
function f_der
  input Real x; input Real x_der; output Real y_der;
algorithm
  y_der := if x > 12345 then 2*(x - 12345)*x_der else 0;
end f_der;
"""
    assert check(text, 0).err == ""
    contains(check(text.replace("2*(x", "(x"), 1).err, "at x = 12345.5")


def test_changes_that_are_no_rational_numbers():
    text = """function s
  input Real x; output Real y;
algorithm
  y := if exp(x) > 3 then 1 else 1 + (exp(x) - 3)^2;
  annotation(smoothOrder = 1);
end s;
"""
    assert check(text, 0).err == ""
    contains(check(text.replace("^2", ""), 1).err,
             "at x = 1.09861228866811 its derivative of order 1 by x jumps from 3 to 0")
    # where nothing can be said, that is said
    contains(check(text.replace("if exp(x) > 3 then 1 else 1 + (exp(x) - 3)^2", "sqrt(abs(x))"),
                   0).err, "at x = 0 its derivative of order 1 by an argument is not decided")


def test_normally_constant_arguments():
    text = """function s
  input Real x; input Real a(min = 1); output Real y;
algorithm
  y := x*abs(a - 2);
  annotation(smoothOrder%s = 1);
end s;
"""
    assert check(text % "(normallyConstant = a)", 0).err == ""
    contains(check(text % "", 1).err, "its derivative of order 1 by a jumps")


BRANCHES = """function f
  input Real u; output Real y;
algorithm
  y := if u > 0 then u^3 + u else u;
  annotation(%s);
end f;
model M
  Real x, v, F;
equation
  der(x) = v;
  der(v) = F;
  f(x) = sin(time);
end M;"""


def test_functions_with_branches_are_assumed_to_be_smooth_enough():
    said = "assumed: 'f', which has branches, can be differentiated 2 times"
    for annotation, words in (("smoothOrder = 1", " (its smoothOrder is 1)"),
                              ("Inline = true", " (it has no smoothOrder)")):
        text = check_exit(run_text("analyze", BRANCHES % annotation), 0).out
        contains(text, said + words)
    assumed = check_exit(run_text("analyze", BRANCHES % "smoothOrder = 1", "--format", "json"),
                         0).json()["assumed_smooth"]
    equal(assumed, [{"function": "f", "differentiated": 2, "smooth_order": 1}])
    contains(check_exit(run_text("check-init", BRANCHES % "smoothOrder = 1"), 0).out,
             said + " (its smoothOrder is 1)")
    equal(check_exit(run_text("check-init", BRANCHES % "smoothOrder = 1", "--format", "json"),
                     0).json()["assumed_smooth"], assumed)
    enough = check_exit(run_text("analyze", BRANCHES % "smoothOrder = 2"), 0).out
    assert "assumed" not in enough, enough
    plain = BRANCHES.replace("if u > 0 then u^3 + u else u", "u^3 + u") % "Inline = true"
    assert "assumed" not in check_exit(run_text("analyze", plain), 0).out
    # an equation that is not differentiated asks for nothing
    static = BRANCHES.replace("  der(v) = F;\n", "  F = v;\n").replace("der(x) = v", "x = v")
    assert "assumed" not in check_exit(run_text("analyze", static % "Inline = true"), 0).out


def test_only_functions_with_branches_are_named_for_these():
    text = """model M
  function f input Real x; output Real y; algorithm y := BODY; annotation(Inline = false); end f;
  function g input Real x; output Real y; algorithm y := x;
    while y > 1 loop y := y/2; end while; end g;
  Real y = f(time + 1) + g(time), d = der(y);
end M;
"""
    for body, is_branched in (("x^3", False), ("sqrt(x) + exp(x)", False), ("abs(x)", True),
                              ("if x > 0 then x else 0", True), ("g(x)^2", True)):
        out = check_exit(run_text("analyze", text.replace("BODY", body)), 0).out
        contains(out, "assumed: 'g', which has branches")
        equal("assumed: 'f', which has branches" in out, is_branched)


main(globals())
