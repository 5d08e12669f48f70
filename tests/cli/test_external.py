"""External functions that daetool does not have: analyzed, differentiated by their annotations,
never given a value."""

from harness import check_exit, contains, equal, main, run_text

EXT = "function ext input Real x; output Real y; external \"C\" y = my_fun(x); end ext;\n"

CONSTRAINT = """model M
  Real x(start = 1), y(start = 1), u, v;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x + v;
  y = ext(x);
end M;
"""

ANNOTATED = """function ext
  input Real x; output Real y;
external "C" y = my_fun(x);
  annotation(derivative = ext_der);
end ext;
function ext_der
  input Real x; input Real x_der; output Real y_der;
external "C" y_der = my_fun_der(x, x_der);
end ext_der;
"""


def test_a_function_whose_derivative_nobody_needs_is_analyzed():
    text = EXT + ("model M Real x(start = 1, fixed = true), y; "
                  "equation der(x) = -x; y = ext(x); end M;")
    out = check_exit(run_text("analyze", text), 0).out
    contains(out, "M: success")
    contains(out, "have a value wherever they are called: ext")
    out = check_exit(run_text("check-init", text), 0).out
    contains(out, "well-determined")
    contains(out, "assumed: these functions")
    check_exit(run_text("reduce", text), 0)
    result = check_exit(run_text("simulate", text), 3)
    contains(result.err, ":2:")
    contains(result.err, "external function 'ext' is none of those that daetool has")


def test_a_derivative_that_is_needed_is_an_error_with_its_reason():
    for command in ("analyze", "reduce", "check-init", "simulate", "export"):
        err = check_exit(run_text(command, EXT + CONSTRAINT), 3).err
        contains(err, ":8:3: error: the derivative of function 'ext' is needed")
        contains(err, "no annotation(derivative = ...)")
        contains(err, "equation 3 has to be differentiated 1 time (offset c)")
        contains(err, "x, y")
        contains(err, "    y = ext(x);")


def test_an_annotated_derivative_is_enough():
    out = check_exit(run_text("analyze", ANNOTATED + CONSTRAINT), 0).out
    contains(out, "structural index 2, 2 degrees of freedom")
    contains(out, "assumed: the annotated derivatives of these functions: ext")
    shown = check_exit(run_text("reduce", ANNOTATED + CONSTRAINT), 0).out
    contains(shown, "'ext.der1#")


def test_the_annotation_of_the_external_clause_is_one_of_the_function():
    within = ANNOTATED.replace("my_fun(x);\n  annotation(", "my_fun(x) annotation(Include = \"a;\", ")
    assert "my_fun(x) annotation(" in within
    out = check_exit(run_text("analyze", within + CONSTRAINT), 0).out
    contains(out, "assumed: the annotated derivatives of these functions: ext")
    # both are read, whichever has the derivative
    for first, second in (("derivative = ext_der", "smoothOrder = 3"),
                          ("smoothOrder = 3", "derivative = ext_der")):
        both = ANNOTATED.replace("my_fun(x);\n  annotation(derivative = ext_der)",
                                 f"my_fun(x) annotation({first}, Library = {{\"m\"}});\n"
                                 f"  annotation({second})")
        out = check_exit(run_text("analyze", both + CONSTRAINT), 0).out
        contains(out, "assumed: the annotated derivatives of these functions: ext")
    wrong = within.replace("derivative = ext_der", "derivative = nothing")
    contains(check_exit(run_text("analyze", wrong + CONSTRAINT), 3).err, "nothing")


def test_a_second_derivative_needs_that_of_the_derivative():
    text = ANNOTATED + """model M
  Real x(start = 1), y(start = 1), u, v, f;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x + f;
  der(v) = -y + 2*f;
  y = ext(x);
end M;"""
    err = check_exit(run_text("analyze", text), 3).err
    contains(err, "the derivative of function 'ext_der' is needed")
    contains(err, "differentiated 2 times")


def test_chains_of_annotations_give_second_derivatives():
    text = ANNOTATED.replace("my_fun_der(x, x_der);", """my_fun_der(x, x_der);
  annotation(derivative(order = 2) = ext_der2);""") + """function ext_der2
  input Real x; input Real x_der; input Real x_der2; output Real y_der2;
external "C" y_der2 = my_fun_der2(x, x_der, x_der2);
end ext_der2;
model M
  Real x(start = 1), y(start = 1), u, v, f;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x;
  der(v) = -y + f;
  y = ext(x);
end M;"""
    contains(check_exit(run_text("analyze", text), 0).out, "structural index 3")
    # whether 2 is the slope of ext nobody knows
    open_verdict = text.replace("der(u) = -x", "der(u) = -x + 2*f")
    contains(check_exit(run_text("analyze", open_verdict), 4).out, "undecided")


def test_what_has_no_derivative_by_its_annotation_is_taken_at_its_word():
    text = ANNOTATED.replace("input Real x; output Real y;",
                             "input Real x; input Real k; output Real y;")
    text = text.replace("my_fun(x)", "my_fun(x, k)").replace(
        "(derivative = ext_der)", "(derivative(noDerivative = k) = ext_der)").replace(
            "input Real x; input Real x_der;", "input Real x; input Real k; input Real x_der;")
    model = CONSTRAINT.replace("y = ext(x)", "y = ext(x, time^2)")
    contains(check_exit(run_text("analyze", text + model), 0).out, "annotated derivatives")
    zero = text.replace("noDerivative", "zeroDerivative")  # time^2 has one
    contains(check_exit(run_text("analyze", zero + model), 3).err, "is needed")
    check_exit(run_text("analyze", zero + model.replace("time^2", "3")), 0)


def test_der_of_an_expression_with_it():
    err = check_exit(run_text("analyze", EXT + "model M Real v; equation v = der(ext(time)); "
                                               "end M;"), 3).err
    contains(err, "the derivative of function 'ext' is needed")


def test_equal_calls_are_equal_and_nothing_more():
    text = EXT + """model M
  Real x(start = 1, fixed = true), y;
initial equation
  y = ext(x + 1 - 1);
equation
  der(x) = -x;
  y = ext(x);
end M;"""
    contains(check_exit(run_text("check-init", text), 0).out, "redundant")
    other = text.replace("x + 1 - 1", "2*x")
    result = run_text("check-init", other)
    equal(result.code, 4)


def test_several_results_and_arrays():
    text = """function ext
  input Real x[:]; input Integer n; output Real y[size(x, 1)]; output Integer k;
external "C" my_fun(x, size(x, 1), n, y, k);
end ext;
model M Real a[2], b[2]; equation a = {time, 2}; (b, ) = ext(a, 3); end M;"""
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, "'ext#1'(2, ")
    check_exit(run_text("analyze", text), 0)


def test_functions_that_act_are_left_out_with_a_warning():
    text = """function act input Real x; external "C" my_act(x); end act;
model M Real y = time; algorithm when time > 1 then act(time); end when; end M;"""
    for command in ("show", "analyze", "simulate"):
        contains(check_exit(run_text(command, text), 0).err,
                 "warning: external function 'my_act' has no result")


def test_two_calls_of_an_impure_function_need_not_be_equal():
    text = """KIND function draw input Real s; output Real x; external "C" x = my_draw(s); end draw;
model M Real x, y; equation x = draw(1); y = draw(1); end M;"""
    shown = check_exit(run_text("show", text.replace("KIND", "impure")), 0).out
    contains(shown, "'draw#1'(1, 1, 1)")
    contains(shown, "'draw#1'(1, 1, 2)")
    shown = check_exit(run_text("show", text.replace("KIND", "")), 0).out
    equal(shown.count("'draw#1'(1, 1)"), 2)
    result = check_exit(run_text("simulate", text.replace("KIND", "impure")), 3)
    contains(result.err, "it has no values")


def test_one_in_a_parameter_or_when_clause_has_no_value():
    for body in ("parameter Real p = ext(2); Real y = p;",
                 "discrete Real d(start = 0, fixed = true); "
                 "equation when time > 0.5 then d = ext(time); end when;"):
        err = check_exit(run_text("simulate", EXT + "model M " + body + " end M;"), 3).err
        contains(err, "none of those that daetool has")


def test_an_integer_parameter_names_the_function_that_has_no_value():
    text = """function f input Integer x; output Integer y; external "C" y = my_f(x); end f;
model M parameter Integer p = f(111); Real x = p*time; end M;"""
    err = check_exit(run_text("show", text), 3).err
    contains(err, "<stdin>:2:31: error: the value of parameter 'p' is that of the external function "
             "'f', which is none of those that daetool has")


main(globals())
