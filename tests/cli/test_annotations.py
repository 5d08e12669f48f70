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
    enough = check_exit(run_text("analyze", BRANCHES % "smoothOrder = 2"), 0).out
    assert "assumed" not in enough, enough
    plain = BRANCHES.replace("if u > 0 then u^3 + u else u", "u^3 + u") % "Inline = true"
    assert "assumed" not in check_exit(run_text("analyze", plain), 0).out
    # an equation that is not differentiated asks for nothing
    static = BRANCHES.replace("  der(v) = F;\n", "  F = v;\n").replace("der(x) = v", "x = v")
    assert "assumed" not in check_exit(run_text("analyze", static % "Inline = true"), 0).out


main(globals())
