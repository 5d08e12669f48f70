"""Corners that a user can reach and that no other test does: mistakes in models one by one,
options that print something else."""

import json
import os

from harness import (EXAMPLES, check_exit, contains, equal, main,
                     not_under_memcheck, run, run_text, scratch)

PENDULUM = EXAMPLES / "pendulum.mo"
DECAY = "model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;"

# what stands between `model A` and `end A;`, and the first message
MISTAKES = [
    ("Real x = 0^(-1);",
     "division by zero (zero to a negative power)"),
    ("Real x[2000,2000] = ones(2000,2000)*ones(2000,2000);",
     "this product has too many elements"),
    ("Real x = {1,2}*{1,2,3};",
     "sizes do not fit: [2] '*' [3]"),
    ("Real x[2,2] = {{1,2},{3,4}}^(-1);",
     "a matrix takes powers from 0 to 1000"),
    ("Real x[2,2] = {{1,2},{3,4}}^2000;",
     "a matrix takes powers from 0 to 1000"),
    ("Real x[2,3] = {{1,2,3},{4,5,6}}^2;",
     "sizes do not fit: [2,3] '^' scalar"),
    ("Real x[2] = {1,2}/{1,2};",
     "sizes do not fit: [2] '/' [2]"),
    ("Real x[3] = {1,2} + {1,2,3};",
     "sizes do not fit: [2] '+' [3]"),
    ("Real x = if {1,2} < {1,2} then 1 else 2;",
     "sizes do not fit: [2] '<' [2]"),
    ("Real x = true + 1;",
     "'+' does not take Boolean and Integer"),
    ("Real x = \"a\";",
     "variable 'x' is Real, its value is String"),
    ("Boolean b = \"a\";",
     "constant 'b' is Boolean, its value is String"),
    ("Integer n = \"a\";",
     "constant 'n' is Integer, its value is String"),
    ("Real x = 1 and 2;",
     "'and' does not take Integer and Integer"),
    ("Real x = not 1;",
     "'not' does not take Integer"),
    ("Real x = -true;",
     "'-' does not take Boolean"),
    ("Real x = if time > 1 then 1 else true;",
     "the branches of this 'if' are Integer and Boolean"),
    ("Real x[2] = if time > 1 then {1,2} else {1,2,3};",
     "the branches of this 'if' have the sizes [2] and [3]"),
    ("Real x[2] = {1, true};",
     "an array of Integer and Boolean"),
    ("Real x[2] = {1, {2}};",
     "elements of different size: scalar and [1]"),
    ("Real x = sum(1:1e10);",
     "a range of more than 16777216 elements"),
    ("Real x = sum(1:10000000000);",
     "a range of more than 16777216 elements"),
    ("Real x = sum(true:3);",
     "the ends of this range are of different types"),
    ("Real x = sum(1:0:3);",
     "the step of a range is not 0 and not huge"),
    ("Real x[3]; equation x[{1.5}] = {1};",
     "an Integer is needed here, this is Real"),
    ("Real x[3]; equation x[1,2] = 1;",
     "2 subscripts for 'x', which is of size [3]"),
    ("Real x[3]; equation x[4] = 1;",
     "subscript 4 is outside 1:3 of 'x'"),
    ("Real x[3]; equation x[0] = 1;",
     "subscript 0 is outside 1:3 of 'x'"),
    ("type E = enumeration(a, b); Real x[2]; equation x[E.a] = 1; x[2] = 1;",
     "subscript 1 of 'x' is not an Integer"),
    ("type E = enumeration(a, b); type F = enumeration(c, d); Real x[3, E]; equation "
     "x[1, F.c] = 1;", "subscript 2 of 'x' is not a value of the enumeration that is its size"),
    ("type E = enumeration(a, b); Real x[E]; equation x[true] = 1;",
     "subscript 1 of 'x' is not a value of the enumeration that is its size"),
    ("type E = enumeration(a, b); Real x[Boolean]; equation x[E.a] = 1;",
     "subscript 1 of 'x' is not a Boolean"),
    ("Real x[3]; equation x[end,end] = 1;",
     "'end' in one subscript too many"),
    ("Real x(start = true); equation x = 1;",
     "attribute 'start' cannot be Boolean"),
    ("Real x(unknown = 1); equation x = 1;",
     "unknown attribute 'unknown'"),
    ("Real x(unit = 1); equation x = 1;",
     "attribute 'unit' cannot be Integer"),
    ("Real x; equation assert(1, \"a\");",
     "assert takes a condition, a string and a level"),
    ("Real x; equation assert(true);",
     "assert takes a condition, a string and a level"),
    ("Real x; equation x = x.y;",
     "unknown name 'x.y'"),
    ("Real x; equation x.y = 1;",
     "unknown name 'x.y'"),
    ("Real x; equation if 1 then x = 1; else x = 2; end if;",
     "a condition is Boolean, this is Integer"),
    ("Real x; equation for i in 1:10000 loop for j in 1:10000 loop for k in 1:10000 loop end "
     "for; end for; end for; x=1;",
     "the loops of this model take more than 33554432 rounds"),
    ("Real x; equation der(x, 2) = 1;",
     "'der' takes one argument"),
    ("Real x; equation x = max({1,2},{3});",
     "arguments of different size: [2] and [1]"),
    ("Real x; equation x = sin({1,2});",
     "the sides of this equation have the sizes scalar and [2]"),
    ("Real x; equation x = sin();",
     "'sin' does not take 0 arguments"),
    ("Real x; equation x = sin(1,2);",
     "'sin' does not take 2 arguments"),
    ("Real x; equation x = nosuch(1);",
     "unknown function 'nosuch'"),
    ("Real x; equation x = atan2(1);",
     "'atan2' does not take 1 argument"),
    ("constant Real pi = x; Real x = 1;",
     "the value of 'pi' depends on a variable"),
    ("parameter Real p = time; Real x = p;",
     "the value of parameter 'p' depends on time"),
    ("parameter Real p = x; Real x = 1;",
     "the value of 'p' depends on a variable"),
    ("parameter Integer n = 1.5; Real x = n;",
     "parameter 'n' is Integer, its value is Real"),
    ("parameter Real p; Real x = p;",
     "parameter 'p' has no value; give it one in the model or with --set p=VALUE"),
    ("input Real u = x; Real x = 1;",
     "input 'u' depends on a variable"),
    ("type T = T; T x; equation x = 1;",
     "type 'T' stands for itself"),
    ("Real x; Integer x; equation x = 1;",
     "'x' is declared twice, first in line 1"),
    ("Real x[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]; ",
     "'x' has more than 16 dimensions"),
    ("Real x[1.5];",
     "an Integer is needed here, this is Real"),
    ("Real x[:];",
     "the size of 'x' is not known"),
    ("parameter Integer n; Real x[n];",
     "the size of 'x' is not known"),
    ("parameter Integer n = integer(time); Real x[n];",
     "the value of parameter 'n' depends on time"),
    ("parameter Integer n = integer(sin(1)*1e9); Real x[n];",
     "the value of parameter 'n' cannot be found exactly"),
    ("Real x(start = \"a\"); equation der(x) = 1;",
     "attribute 'start' cannot be String"),
    ("Real x(fixed = 1); equation der(x) = 1;",
     "attribute 'fixed' cannot be Integer"),
    ("Real x; algorithm y := 1;",
     "unknown name 'y'"),
    ("Real x; equation connect(x, x);",
     "'x' is no connector"),
    ("parameter Real x = 2; initial algorithm x := 1;",
     "'x' cannot be assigned"),
    ("Real x; equation x = guess(1);",
     "'guess' takes a variable"),
    ("Real x; equation x = pre(x);",
     "pre() of the continuous variable 'x' outside a when-clause"),
    ("Real x; equation reinit(x, 1); der(x)=1;",
     "'reinit' stands in when-clauses only"),
    ("Real x; equation x = homotopy(1);",
     "'homotopy' does not take 1 argument"),
    ("Real x; equation x = smooth(1);",
     "'smooth' does not take 1 argument"),
    ("Real x; equation x = noEvent();",
     "'noEvent' does not take 0 arguments"),
    ("Real x; equation x = delay(x, x);",
     "a delay time that changes during the simulation needs its maximum, a parameter, as the third "
     "argument of 'delay'"),
    ("Real x; equation x = cross({1,2},{3,4});",
     "'cross' takes two vectors of three numbers"),
    ("type E = enumeration(a, b); E x = min(fill(E.a, 0));",
     "'min' of an empty array"),
    ("Real x = size({1,2},3);",
     "'size' asks for a dimension that is not there"),
    ("Real x = zeros(-1)*zeros(-1);",
     "'zeros' gets a size that is negative or too large"),
    ("Real x = scalar({1,2});",
     "'scalar' takes an array of one element"),
    ("Real x[2] = vector(1);",
     "variable 'x' has size [2], its value has size [1]"),
    ("Real x = {1,2}[3];",
     "subscript 3 is outside 1:2 of '(...)'"),
    ("Real x = smooth(k, time); Integer k = integer(time);",
     "the order of 'smooth' is no Integer that is known"),
    ("Real x = smooth(1.5, time);",
     "the order of 'smooth' is no Integer that is known"),
    ("Real x = transpose({1,2});",
     "'transpose' takes a matrix"),
    ("Real x[2,2] = identity(-2);",
     "'identity' gets a size that is negative or too large"),
    ("Real x = 1 = 2;",
     "expected ',' or ';', found '='"),
    ("Real x = ;",
     "expected an expression, found ';'"),
    ("Real = 1;",
     "expected the name of a variable, found '='"),
    ("x = 1;",
     "expected the name of a variable, found '='"),
    ("Real x; equation x = 1",
     "expected ';' after the equation"),
    ("Real x; equation x = (1;",
     "expected ')' to close what was opened in line 1, column 30, found ';'"),
    ("Real x; equation x = 1);",
     "')' closes nothing"),
    ("Real x; equation x == 1;",
     "'==' compares; an equation has one '='"),
    ("Real x; equation x := 1;",
     "':=' in an equation: write '='"),
    ("Real x y; equation x = 1;",
     "expected ';' after the declaration"),
    ("extends B; Real x;",
     "there is no class 'B'"),
    ("import A.B; Real x = 1;",
     "there is no 'A.B' to import"),
    ("import C = A.B; Real x = 1;",
     "there is no 'A.B' to import"),
    ("import A.B.*; Real x = 1;",
     "there is no 'A.B' to import"),
]


def test_mistakes_are_named():
    for text, message in MISTAKES:
        result = check_exit(run_text("show", f"model A {text} end A;"),
                            3) if "has no value" not in message else check_exit(
            run_text("simulate", f"model A {text} end A;"), 3)
        first = result.err.splitlines()[0]
        assert first.endswith(f"error: {message}"), (text, first)
        assert first.startswith(("<stdin>:1:", "daetool: <stdin>:1:")), first


INDICES = """model Q
  type E = enumeration(one, two);
  type A = E;
  parameter E e = E.two;
  parameter Integer n = 2;
  Real x[E], y[n], z[Boolean], w[:] = {1, 2}, u[A, 2], v[E], t[E], r[2];
  Boolean b = time > 0.5;
  E f = if b then E.one else E.two;
equation
  x[E.one] = time; x[e] = 2;
  y = {v[E.one], u[E.two, 2]};
  z[true] = 1; z[false] = x[if b then E.one else e];
  for k in E loop v[k] = u[k, 1]; end for;
  for k in 1:n loop t[k] = x[k]; end for;
  u[:, 1] = {1, 2}; u[E.one, 2] = x[f]; u[E.two, 2] = w[end] + x[end];
  r = {x[k] for k in E};
end Q;
"""


def test_subscripts_of_the_type_of_the_size_and_numbers_for_them():
    text = check_exit(run_text("show", INDICES), 0).out
    for line in ("x[2] = 2", "z[2] = 1", "v[2] = u[2,1]", "t[2] = x[2]", "r[1] = x[1]"):
        contains(text, f"  {line};")


def test_statistics_of_every_method():
    for method, options in [("radau", []), ("bdf3", ["--step", "0.1"]),
                            ("ab3", ["--step", "0.1"]), ("euler", ["--step", "0.01"]),
                            ("implicit-euler", ["--step", "0.01"])]:
        result = check_exit(run_text("simulate", DECAY, "--method", method, *options, "--stats",
                                     "--format", "json"), 0)
        stats = json.loads(result.err)
        equal((stats["method"], stats["status"]), (method, "completed"))
        if method != "radau":
            assert stats["operations_per_step"]["flops"] > 0, stats
        contains(check_exit(run_text("simulate", DECAY, "--method", method, *options,
                                     "--stats"), 0).err, method)


def test_statistics_of_real_time_and_parallel_runs():
    for extra, key in [(["--realtime", "0.001"], "realtime"), (["--parallel"], "parallel")]:
        options = ["--method", "bdf3", "--step", "0.1", *extra, "--stats"]
        stats = json.loads(check_exit(run_text("simulate", DECAY, *options,
                                               "--format", "json"), 0).err)
        assert key in stats, stats
        check_exit(run_text("simulate", DECAY, *options), 0)


def test_verified_proofs_as_text():
    result = check_exit(run("check-init", "--verify-proofs", EXAMPLES / "three_phase.mo"), 0)
    contains(result.out, "proofs: ")
    contains(result.out, " 0 failed")


@not_under_memcheck("the wrapper needs the search path")
def test_a_graph_needs_graphviz_only_as_svg():
    with scratch() as folder:
        check_exit(run("check-init", PENDULUM, "--graph", os.path.join(folder, "g.dot")), 0)
        contains(open(os.path.join(folder, "g.dot")).read(), "graph")
        result = run("check-init", PENDULUM, "--graph", os.path.join(folder, "g.svg"),
                     env={"PATH": "/nonexistent"})
        check_exit(result, 6)
        contains(result.err, "g.svg")
        equal(os.listdir(folder), ["g.dot"])


def test_invariants_in_the_text_of_reduce():
    circle = ("model A Real x(start = 1, fixed = true), y(start = 0, fixed = true); "
              "equation der(x) = -y; der(y) = x; end A;")
    contains(check_exit(run_text("reduce", circle, "--invariant", "x^2 + y^2"), 0).out, "invariant")


def test_equations_that_say_nothing_more():
    text = ("model A Real x(start = 1, fixed = true), y; equation der(x) = -x; "
            "y = 2*x; 2*y = 4*x; end A;")
    for command in ["analyze", "reduce", "check-init", "simulate", "export"]:
        result = run_text(command, text)
        assert result.code in (0, 1), (command, result)


def test_empty_models():
    for text in ["model A end A;", "model A parameter Real p = 1; end A;",
                 "model A equation end A;"]:
        for command in ["show", "analyze", "reduce", "check-init", "simulate"]:
            check_exit(run_text(command, text), 0)


main(globals())
