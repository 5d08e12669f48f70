"""Assertions in the loops and recursions of functions, and several at one time."""

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


main(globals())
