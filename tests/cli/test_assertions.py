"""Assertions in the loops and recursions of functions, and several at one time."""

from math import sqrt

from harness import check_exit, contains, equal, main, run_text

TURNS = """model Turns
  function f
    input Real u;
    output Real y;
  protected
    Integer k;
    Boolean b;
  algorithm
    y := u;
    k := 0;
    while y > 0.1 loop
      y := y/2;
      k := k + 1;
      b := k > 2;
      for j in 1:k loop
        assert(j < 6, "inner " + String(j) + " of " + String(k) + ", " + String(b),
               AssertionLevel.warning);
      end for;
      assert(k < 40, "first");
      assert(y < 20, "second, y is " + String(y) + " at k = " + String(k));
    end while;
  end f;
  Real x(start = 0, fixed = true), y = f(10*x);
equation
  der(x) = 1;
end Turns;
"""


def test_assertions_of_a_loop_tell_which_of_them_failed_and_with_what_values():
    """10 x = 0.1 2^5 needs a sixth turn; beyond x = 4 half of it is more than 20."""
    result = check_exit(run_text("simulate", TURNS, "--stop", "5", "--intervals", "1"), 5)
    contains(result.err, ":16:9: assertion failed at t = 0.32: inner 6 of 6, true")
    contains(result.err, ":20:7: assertion failed at t = 4: second, y is 20 at k = 1")
    equal(result.err.count("assertion failed"), 2)


def test_warnings_inside_a_recursion_are_told():
    text = """model Deep
  function f
    input Real u;
    input Integer k;
    output Real y;
  algorithm
    assert(k < 4, "deep", AssertionLevel.warning);
    assert(k < 9, "too deep");
    if u > 0.1 then
      y := f(u/2, k + 1);
    else
      y := u;
    end if;
  end f;
  Real x(start = 0, fixed = true), y = f(x, 0);
equation
  der(x) = 1;
end Deep;
"""
    result = check_exit(run_text("simulate", text, "--stop", "40", "--intervals", "1"), 5)
    contains(result.err, "warning: <stdin>:7:5: assertion failed at t = 0.8: deep")
    contains(result.err, ":8:5: assertion failed at t = 25.6: too deep")


def test_assertions_that_change_at_one_time_are_all_seen():
    """At t = 3 the first one holds again and the second one does not any more."""
    text = """model Same
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(noEvent(x < 1 or x > 3), "one", AssertionLevel.warning);
  assert(noEvent(x < 3), "two");
end Same;
"""
    result = check_exit(run_text("simulate", text, "--stop", "5", "--intervals", "1"), 5)
    contains(result.err, "assertion failed at t = 1: one")
    contains(result.err, "assertion failed at t = 3: two")


PENDULUM = """model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), l;
  discrete Real k(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -l*x;
  der(vy) = -l*y - 9.81;
  x^2 + y^2 = 1;
  assert(noEvent(%s), "off");
  when time > %s then
    k = pre(k) + 1;
  end when;
end Pendulum;
"""


def without_event(model):
    kept = model.split("  when")[0] + "end Pendulum;\n"
    return "\n".join(line for line in kept.splitlines() if "discrete" not in line)


def test_the_error_of_the_dense_output_fails_no_assertion():
    """A constraint holds to 1e-10, but not between the ends of the steps that were made. Without an
    event explicit methods are taken too."""
    model = PENDULUM % ("abs(x^2 + y^2 - 1) <= 1e-10", "0.7")
    check_exit(run_text("simulate", model, "--stop", "3"), 0)
    smooth = without_event(model)
    for tolerance in ("1e-5", "1e-6", "1e-8"):
        check_exit(run_text("simulate", smooth, "--stop", "3", "--tol", tolerance), 0)


def test_what_fails_on_the_constraints_too_fails_when_it_does():
    """From rest at the side: y'^2 = 2 g |y| (1 - y^2), so that y = -0.5 after 0.3393 s."""
    t = quad_of_fall(0.5)
    for when in ("0.7", "0.2"):
        model = PENDULUM % ("y > -0.5", when)
        for text in (model, without_event(model)):
            result = check_exit(run_text("simulate", text, "--stop", "3"), 5)
            found = float(result.err.split("failed at t = ")[1].split(":")[0])
            assert abs(found - t) < 1e-5, (found, t)


def quad_of_fall(depth):
    """The time to fall from 0 to -depth, with y = -s^2: 2/sqrt(2 g) times the integral of
    1/sqrt(1 - s^4), by the midpoint rule."""
    n = 20000
    h = sqrt(depth)/n
    return 2/sqrt(2*9.81)*sum(h/sqrt(1 - ((k + 0.5)*h)**4) for k in range(n))


main(globals())
