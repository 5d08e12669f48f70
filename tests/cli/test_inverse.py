"""annotation(inverse(...)): equations that a function has to be solved in, and what is assumed."""

import csv
import io

from harness import check_exit, contains, equal, main, run_text


def last_of(text, *options):
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1", *options), 0)
    return {k: float(v) for k, v in list(csv.DictReader(io.StringIO(result.out)))[-1].items()}


def close(got, wanted):
    assert abs(got - wanted) < 1e-9*max(1, abs(wanted)), (got, wanted)


PUMP = """function f
  input Real x; input Real p; output Real y;
  external "C" y = pump_curve(x, p);
  annotation(inverse(x = g(y, p)));
end f;
function g
  input Real y; input Real p; output Real x;
algorithm
  x := y^3/p + y;
end g;
"""

# the root of x = y + a*y^3 by bisection; the inverse is the polynomial
CUBE = """function root
  input Real x; input Real a; output Real y;
protected
  Real lo, hi;
algorithm
  lo := -10; hi := 10;
  while hi - lo > 1e-13 loop
    y := (lo + hi)/2;
    if y + a*y^3 < x then lo := y; else hi := y; end if;
  end while;
  y := (lo + hi)/2;
  annotation(inverse(x = y + a*y^3));
end root;
"""


def test_a_function_without_body_is_solved_by_its_inverse():
    text = PUMP + """model M parameter Real p = 2; Real x, w, z(start = 3, fixed = true);
    equation f(x, p) = z; 7 - 2*f(w, p) = 1; der(z) = -z; end M;"""
    contains(check_exit(run_text("show", text), 0).out, "x = z^3/p + z")
    for command in ("analyze", "check-init"):
        result = check_exit(run_text(command, text), 0)
        contains(result.out, "assumed: the annotated inverses of these functions: f")
        equal(check_exit(run_text(command, text, "--format", "json"), 0)
              .json()["assumed_inverses"] if command == "check-init" else ["f"], ["f"])
    contains(result.err, "<stdin>:4:22: warning: an equation is solved by the inverse in the "
                         "annotation of 'f', which has no values to check it with")
    last = last_of(text)
    z = 3*2.718281828459045**-1
    assert abs(last["x"] - (z**3/2 + z)) < 1e-6
    close(last["w"], 3**3/2 + 3)


def test_without_the_annotation_nothing_is_known():
    text = PUMP.replace("annotation(inverse(x = g(y, p)));", "") + \
        "model M Real x; equation f(x, 2) = 3; end M;"
    check_exit(run_text("analyze", text), 4)
    check_exit(run_text("simulate", text), 4)


def test_only_where_the_structure_needs_it():
    """z is a state, y follows from it: both keep the function as it is written."""
    for equations, wanted in (("y = root(z, 1); der(z) = -z;", "y = "),
                              ("root(x, 1) = y; y + x = 3; der(z) = -z;", "= y;")):
        text = CUBE + f"model M Real x, y, z(start = 1); equation {equations} end M;"
        text = text.replace("Real x, y", "Real y") if "x, 1" not in equations else text
        shown = check_exit(run_text("show", text), 0).out
        contains(shown, "'root#")
        contains(shown, wanted)
        assert "inverse" not in shown, shown


def test_loops_start_values_and_free_parameters():
    text = CUBE + """model M parameter Real T(fixed = false); Real u, v;
    initial equation root(v, 2) = 0.5; root(T, 1) = 1;
    equation root(u, 2) = sin(time); der(v) = -T*v; end M;"""
    result = check_exit(run_text("check-init", text), 0)
    contains(result.out, "M: well-determined")
    contains(result.out, "inverses of these functions: root")
    last = last_of(text)
    s = 0.8414709848078965
    close(last["u"], 2*s**3 + s)
    close(last["T"], 2)
    assert abs(last["v"] - 0.75*2.718281828459045**-2) < 1e-6


def test_a_wrong_inverse_ends_the_run():
    """Where it is wrong is between the values that are tried at translation."""
    wrong = CUBE.replace("inverse(x = y + a*y^3)",
                         "inverse(x = y + a*y^3 + (if y > 1.5 and y < 1.6 then 0.01 else 0))")
    text = wrong + "model M Real u; equation root(u, 2) = 1.55 + time/100; end M;"
    result = check_exit(run_text("simulate", text), 5)
    contains(result.err, "assertion failed at t = 0: the inverse in the annotation of 'root' does "
                         "not solve this equation")
    text = wrong + """model M Real v; initial equation root(v, 2) = 1.55;
    equation der(v) = -v; end M;"""
    contains(check_exit(run_text("simulate", text), 5).err, "inverse in the annotation of 'root'")


def test_an_inverse_that_is_seen_to_be_wrong_is_not_used():
    """Around zero only, as smoothed laws of friction have it; the equation is what counts. The
    parameter that decides where comes from an equation."""
    text = """function law input Real x; input Real a; output Real y; algorithm y := a*x^3 + x;
    annotation(Inline = false, inverse(x = if abs(y) < a/100 then 0.9*y else noEvent(y))); end law;
    model M Real u; Real a = 2; equation law(u, a) = 0.003*time; end M;"""
    result = check_exit(run_text("simulate", text), 0)
    contains(result.err, "warning: the inverse in the annotation of 'law' is not one: it is not "
                         "used")
    twice = text.replace("Real u;", "Real u, v;").replace("time;", "time; law(v, a) = 0.002*time;")
    assert check_exit(run_text("simulate", twice), 0).err.count("is not one") == 1
    u = last_of(text)["u"]
    close(2*u**3 + u, 0.003)


def test_what_is_no_inverse_is_not_used():
    """Of another argument, of a name that is none, of an expression that cannot be evaluated."""
    for given in ("inverse(q = g(y, p))", "inverse(x = nowhere(y))", "inverse(x = x + y)"):
        text = PUMP.replace("inverse(x = g(y, p))", given) + \
            "model M Real x; equation f(x, 2) = 3; end M;"
        check_exit(run_text("analyze", text), 4)


main(globals())
