"""Positive answers of analyze, reduce and check-init only where there is a solution: blocks that
are regular wherever they have one, more equations than variables, parameters that the
initialization determines."""

import json

from harness import check_exit, contains, equal, main, run_text


def answer(command, text, code, *options):
    result = check_exit(run_text(command, text, "--format", "json", *options), code)
    return json.loads(result.out)


# ---- blocks behind others --------------------------------------------------------------------

BLOCKS = [("exp(x) = -y", "y = -2 - time", "y = 2 + time"),
          ("atan(x) = y", "y = 1", "y = 3"),
          ("der(z) = x; exp(z) + exp(3*z) = y", "y = 2 + sin(time)", "y = sin(time) - 2")]


def test_a_determinant_without_zeros_needs_a_solution_of_blocks_behind_others():
    for law, right, wrong in BLOCKS:
        declared = "Real x(start = 0.5), y" + (", z" if "z" in law else "")
        good = f"model A {declared}; equation {law}; {right}; end A;"
        bad = f"model A {declared}; equation {law}; {wrong}; end A;"
        found = answer("analyze", good, 0, "--verify")
        equal(found["certificate"]["kind"], "everywhere")
        check_exit(run_text("reduce", good), 0)
        equal(answer("analyze", bad, 4)["status"], "undecided")
        check_exit(run_text("reduce", bad), 4)
        check_exit(run_text("check-init", bad), 1)


# ---- functions with a domain -----------------------------------------------------------------

# what w is, what x is, and what x is where w has a value
DOMAINS = [("1/x", "0", "1"), ("sqrt(x)", "-1", "1"), ("log(x)", "-exp(y)", "exp(y)"),
           ("asin(x)", "2", "0.5"), ("tan(x)", "asin(1)", "asin(0.5)"),
           ("1/(x - y)", "time", "time + 1"), ("x^(-1/3)", "0", "2"),
           ("if x > -1 then 2/x else 1", "0", "-2"), ("max(1/x, 2)", "0", "1"),
           ("time/sin(x)", "0", "1"), ("sqrt(x^2 + y^2 - 2)", "cos(time)", "2")]


def test_a_determinant_without_zeros_needs_a_point_where_functions_have_values():
    for law, wrong, right in DOMAINS:
        rest = f"w = {law}; y = {'sin(time)' if 'cos' in wrong else 'time'}"
        good = f"model A Real w, x, y; equation {rest}; x = {right}; end A;"
        bad = f"model A Real w, x, y; equation {rest}; x = {wrong}; end A;"
        equal(answer("analyze", good, 0, "--verify")["certificate"]["kind"], "everywhere")
        equal(answer("analyze", bad, 4)["status"], "undecided")
        check_exit(run_text("reduce", bad), 4)
        found = run_text("check-init", bad)
        assert found.code in (1, 4), (bad, found.code)


def test_a_function_without_any_value_is_named():
    for part, declared in [("sqrt(-1 - x^2)", ""), ("log(-exp(x))", ""), ("asin(2 + x^2)", ""),
                           ("log(p)", "parameter Real p = 0; "),
                           ("(p - 1)^0.5", "parameter Real p = 0; ")]:
        text = f"model A {declared}Real w, x; equation w = 2*{part}; x = time; end A;"
        contains(check_exit(run_text("analyze", text), 4).out,
                 "Equation 0 has no real solution: no value of")
    chosen = "model A Real w, x; equation w = if x < 5 then 1 else sqrt(-1 - x^2); x = time; end A;"
    check_exit(run_text("analyze", chosen), 0)


def test_a_tangent_has_no_value_at_its_pole():
    text = "model A Real w, x; equation w = tan(x); x = asin(1) + time; end A;"
    check_exit(run_text("analyze", text), 0)
    contains(check_exit(run_text("check-init", text), 4).out, "has no value, in w = tan(x)")
    check_exit(run_text("check-init", text.replace("asin(1)", "asin(0.9)")), 0)


def test_numbers_at_the_edge_of_a_domain_are_no_doubt():
    text = "model A Real x; equation x = sqrt(cos(1)^2 + sin(1)^2 - 1) + time; end A;"
    check_exit(run_text("analyze", text), 0)
    check_exit(run_text("check-init", text), 0)


# ---- more equations than variables -----------------------------------------------------------


def test_surplus_equations_need_a_regular_point():
    """On the circle x = 1 + f(time) leaves no y as soon as time passes."""
    for rest in ["x = 1 + time; 2*x^2 + 2*y^2 = 2", "x = 1 + time^2; der(z) = 2*time"]:
        text = f"model A Real x, y, z; equation x^2 + y^2 = 1; z = x; {rest}; end A;"
        check = answer("check-init", text, 4)
        equal(check["verdict"], "undecided")
        found = check_exit(run_text("reduce", text), 4)
        contains(found.err, "not confirmed")
        found = answer("reduce", text, 4)
        assert found["verified"]["reduction"] != "holds", found


def test_surplus_equations_that_agree_are_confirmed_unasked():
    text = """model A Real x, y(start = 1), z; equation x^2 + y^2 = 1; x = time/2; z = x;
      2*x^2 + 2*y^2 = 2; end A;"""
    equal(answer("check-init", text, 0, "--verify")["verdict"], "consistent")
    equal(answer("reduce", text, 0)["verified"], {"reduction": "holds"})
    contains(check_exit(run_text("reduce", text), 0).out, "verified: the reduction holds")


def test_reduce_tells_what_it_verified():
    text = "model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;"
    assert "verified" not in answer("reduce", text, 0)
    equal(answer("reduce", text, 0, "--verify")["verified"], {"reduction": "holds"})


def test_surplus_equations_may_hide_constraints_behind_derivatives():
    """The second derivative of x = f(time) says what l is, and the last equation something else."""
    for motion, last, is_right in [("x = exp(time)", "l*x + y^2 = 0", True),
                                   ("x = exp(time)", "l*x + y^2 = 1", False),
                                   ("x^3 = 1 + time", "l*x + y^2 = 1", False)]:
        text = f"""model A Real x(start = 1), y, l; equation der(x) = y; der(y) = -l; {motion};
          {last}; end A;"""
        for command in ("check-init", "reduce"):
            result = run_text(command, text, "--format", "json")
            assert (result.code == 0) == is_right, (command, text, result)
            assert result.code in (0, 1, 4), result


# ---- parameters that the initialization determines -------------------------------------------

MASS = """model A
  parameter Real m(fixed = false, start = 1);
  Real x(start = 1, fixed = true), v{start}, F;
initial equation
  {law};
equation
  der(x) = v; m*der(v) = F - 2*x; F = 4 - 3*v;
end A;"""
AT_REST = "(start = 0, fixed = true)"


def test_a_free_parameter_in_the_determinant_is_part_of_the_point():
    text = MASS.format(start=AT_REST, law="der(v) = 2")
    for command in ("analyze", "reduce", "check-init"):
        equal(answer(command, text, 0, "--verify")["dof"], 2)
    certificate = answer("analyze", text, 0)["certificate"]
    equal(certificate["kind"], "point")
    equal(certificate["values"]["m"], 1)


def test_a_free_parameter_that_comes_out_as_zero_is_another_structure():
    """With m = 0 the start has to satisfy F = 2*x: a run began with F = 4, x = 1, exit code 0."""
    check_exit(run_text("simulate", MASS.format(start=AT_REST, law="m = 0"), "--stop", "1"), 1)
    found = answer("check-init", MASS.format(start="", law="m = 0"), 4)
    equal(found["missing"], 0)


def test_parameters_without_a_value_are_chosen_for_the_point():
    text = "model A parameter Real m; Real v; equation m*der(v) = -v; end A;"
    equal(answer("analyze", text, 0)["certificate"]["kind"], "point")
    text = "model A parameter Real m; Real v; equation (m^2 + 1)*der(v) = -v; end A;"
    equal(answer("analyze", text, 0)["certificate"]["kind"], "everywhere")


def test_a_parameter_that_follows_a_free_one_is_verified():
    text = """model A parameter Real a(fixed = false, start = 1), c = 4; parameter Real d = 2*a;
      Real x(start = 2, fixed = true); initial equation d*x = c; equation der(x) = d*x; end A;"""
    equal(answer("check-init", text, 0, "--verify")["verified"]["start"], "holds")


main(globals())
