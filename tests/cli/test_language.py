"""docs/language.md, claim by claim: what it says is read is read so, what
it says is refused is refused."""

import re

from harness import ROOT, check_exit, contains, equal, main, run, run_text

# (the words of the page, the model, what `show` prints; a list of options may follow)
READ = [
    ("as OpenModelica prints it", "class A\n  Real x = 1.0;\nend A;\n", "model A"),
    ("(`//! base` header, quoted names)", "//! base 0.1.0\npackage 'P'\n  model 'A'\n"
     "    Real 'x.y';\n  equation\n    'x.y' = 1.0;\n  end 'A';\nend 'P';\n", "'x.y' = 1"),
    ("`within`, any nesting of `package`",
     "within Q; package P model A Real x; equation x = 1; end A; end P;", "x = 1"),
    ("Without `--model NAME` the last model counts", "model A Real x; equation x = 1; end A; "
     "model B Real y; equation y = 2; end B;", "model B"),
    ("`type V = Real(unit = \"V\")`",
     "type V = Real(unit = \"V\"); model A V x; equation x = 1; end A;", "unit = \"V\""),
    ("they are found by their own name or any longer one (`P.f`)", "function f input Real a; "
     "output Real b; algorithm b := a; end f; model A Real x; equation x = 1; end A;", "x = 1"),
    ("(`function Modelica.Math.sin … external`)",
     "model A Real x; equation x = Modelica.Math.sin(time); end A;", "x = sin(time)"),
    ("Line ends LF, CRLF, CR", "model A\r\n  Real x;\r\nequation\r  x = 1;\nend A;\n", "x = 1"),
    ("a byte order mark is skipped", "\ufeffmodel A Real x; equation x = 1; end A;", "x = 1"),
    ("`a.b.c` is a plain name, also `a.b[1].c`", "class A Real a.b.c; Real a.b[1].c; "
     "equation a.b.c = 1; a.b[1].c = 2; end A;", "a.b[1].c = 2"),
    ("so `x` and `'x'` differ",
     "model A Real x; Real 'x'; equation x = 1; 'x' = 2; end A;", "'x' = 2"),
    ("An array `Real x[2]` gives the scalars",
     "model A Real x[2]; equation x = {1, 2}; end A;", "x[2] = 2"),
    ("a matrix `A[1,1]`, `A[1,2]` … row by row",
     "model M Real A[2,2]; equation A = [1, 2; 3, 4]; end M;", "A[1,2] = 2"),
    ("In a `class`, a repeated `Real x[1]; Real x[2];`",
     "class A Real x[1]; Real x[2]; equation x[1] = 1; x[2] = 2; end A;", "x[2] = 2"),
    ("the types of `Modelica.Units.SI` are there with their units also without the library",
     "model A Modelica.Units.SI.Voltage v; equation v = 1; end A;", 'v(unit = "V")'),
    ("`import SI = Modelica.Units.SI;`",
     "model A import SI = Modelica.Units.SI; SI.Mass m; equation m = 1; end A;", 'm(unit = "kg")'),
    ("`extends`, `import`, `connect`, `redeclare`",
     "model B Real x; end B; model A extends B; equation x = 1; end A;", "x = 1"),
    ("(`n = integer(y)`)",
     "model A Real y; Integer n; equation y = time; n = integer(y); end A;", "n = integer(y)"),
    ("(`b = x > 0` gives 1 where x > 0)", "model A Real x; Boolean b; "
     "equation x = time; b = x > 0; end A;", "b = x > 0"),
    ("is `false` or `true`, 0 or 1 in results", "model A Real x; Boolean b; "
     "equation b = time > 1; x = if b then 1 else 2; end A;", "x = if b then 1 else 2"),
    ("(`Integer n = 3`)",
     "model A Integer n = 3; Real x[n]; equation x = {1, 2, 3}; end A;", "x[3] = 3"),
    ("Real and Integer parameters",
     "model A parameter Real p = 2; Real x; equation x = p; end A;", "x = p"),
    ("are evaluated with the given values (`--set` counts)", "model A parameter Integer n = 2; "
     "Real x[n]; equation for i in 1:n loop x[i] = i; end for; end A;", "x[4] = 4",
     "--set", "n=4"),
    ("they may depend on parameters", "model A parameter Real p = 2; "
     "Real x(start = 3*p, fixed = true); equation der(x) = 1; end A;", "start = 3*p"),
    ("`fixed = false` makes it an unknown of the initialization",
     "model A parameter Real p(fixed = false); Real x(start = 1, fixed = true); "
     "initial equation der(x) = 2; equation der(x) = p*x; end A;", "fixed = false"),
    ("`der(u)` is differentiated exactly", "model A input Real u; Real x; "
     "equation x = der(u); end A;", "x = cos(time)", "--input", "u=sin(time)"),
    ("is a start value, `guess(x)`", "//! base 0.1.0\nmodel A Real x; "
     "parameter equation guess(x) = 4; equation x = 1; end A;", "start = 4"),
    ("`x = if c then a else b` where the left sides agree", "model A Real x; equation if time "
     "> 1 then x = 1; else x = 2; end if; end A;", "x = if time > 1 then 1 else 2"),
    ("chooses a branch at once", "model A parameter Boolean b = false; Real x; "
     "equation if b then x = 1; else x = 2; end if; end A;", "x = 2"),
    ("`a * -b` and `2 ^ -1` are understood",
     "model A Real x; Real y; equation x = 2 ^ -1; y = x * -x; end A;", "x = 0.5"),
    ("(`s = \"x is \" + String(x)`)", "model A Real x = time; String s; equation "
     "s = \"x is \" + String(x); assert(x < 9, s); end A;", '"x is " + String(x)'),
    ("`(e).x` and `f(u).x[2]` are members of any value", "record R Real x[2]; end R; function f "
     "input Real u; output R r; algorithm r.x := {u, 2*u}; end f; model A Real y = f(time).x[2]; "
     "Real z[2] = (f(time)).x; end A;", "y = 2*time"),
    ("the variable `Segment s = Segment(…)` has the `b` of that value", "record P Real x; end P; "
     "record S P b(x = 5); end S; model A S s = S(P(time)); end A;", "s.b.x = time"),
    ("`E(k)` is the k-th value of `E`", "type E = enumeration(a, b); model A Real x[E]; equation "
     "x[E(2)] = 7; x[E.a] = 1; end A;", "x[2] = 7"),
    ("elements of arrays of records (`a[i].b[j].x := …`)", "record B Real x; end B; "
     "record R B b[2]; end R; model A R a[2]; algorithm for i in 1:2 loop for j in 1:2 loop "
     "a[i].b[j].x := 10*i + j; end for; end for; end A;", "a[2].b[1].x = 21"),
    ("elements that are declared one by one", "class A Real x[1]; Real x[2]; algorithm "
     "for i in 1:2 loop x[i] := i*time; end for; end A;", "x[2] = 2*time"),
    ("of an array of records each member is one", "record R Real x; end R; function f "
     "input R r[2]; input Integer i; output Real y; algorithm y := r[i].x; end f; model A Integer i = "
     "if time > 1 then 2 else 1; Real y = f({R(1), R(2)}, i); end A;", "{1, 2}[i]"),
    ("also in loops and behind them", "function f input Real u; output Real y; protected Real s; "
     "Real k = u; algorithm while k < 1 loop k := k + 1; s := k; end while; y := s; end f; "
     "model A Real y = f(time); end A;", "'s' of 'f' is used without a value"),
    ("`r` may be an array of records", "record R Real x; end R; model A R r[2] = {R(1), R(time)}; "
     "Real y = sum(q.x for q in r); end A;", "y = r[1].x + r[2].x"),
    ("also take truth values and", "model A Boolean b = max(time > 1, time > 2); end A;",
     "time > 1 or time > 2"),
    ("iterations such as `x := (x + a/x)/2`", "function f input Real a; output Real x; algorithm "
     "x := a; for i in 1:30 loop x := (x + a/x)/2; end for; end f; "
     "model A Real y = f(time); end A;", "'f#1'(1, time)"),
    ("(the first iterator runs fastest;", "model A Real x[2,2]; "
     "equation x = {10*i + j for i in 1:2, j in 1:2}; end A;", "x[1,2] = 21"),
    ("an iterator runs from 1 to", "model A Real x[3]; Real y; equation for i loop x[i] = "
     "i*time; end for; y = sum(x[k]^2 for k); end A;", "y = x[1]^2 + x[2]^2 + x[3]^2"),
    ("(`for i, j loop A[i,j] = B[j,i]; end for;`)", "model M Real A[2,3]; Real B[3,2] = "
     "[1, 2; 3, 4; 5, 6]; equation for i, j loop A[i,j] = B[j,i]; end for; end M;",
     "A[2,3] = B[3,2]"),
    ("which adds arrays `e` element by element", "model A Real x[2]; equation "
     "x = sum({i, time} for i in 1:3); end A;", "x[2] = 3*time"),
    ("also of a member of a record) is that of the last assignment",
     "record R Real y[:]; end R; function f input Real u; output R r; algorithm r.y := {u}; "
     "r.y := {u, 2*u, 4*u}; end f; model A Real x = sum(f(time).y); end A;", "x = 7*time"),
    ("Functions that are declared inside of a function see its constants", "function f "
     "input Real u; output Real y; constant Real c = 3; protected function g input Real u; "
     "output Real y; algorithm y := c*u; end g; algorithm y := g(u); end f; "
     "model A Real x = f(time); end A;", "x = 3*time"),
    ("(a warning where nothing is an array)", "model B parameter Real p = 1; Real x = p*time; "
     "end B; model A B b(each p = 2); end A;", "p = 2"),
    ("`sum(e for i in r)`", "model A Real x; equation x = sum(i^2 for i in 1:3); end A;", "x = 14"),
    ("Scalar functions go through arrays element by element",
     "model A Real x[2]; equation x = sin({time, 2*time}); end A;", "x[2] = sin(2*time)"),
    ("`Modelica.Constants.…`", "model A Real x; equation x = Modelica.Constants.pi; end A;", "pi"),
    ("`0.1` is 1/10", "model A Real x; equation x = 0.1 + 0.2; end A;", "x = 0.3"),
    ("relations (not chained), `and or not`", "model A Real x; equation x = if time > 1 and "
     "not time > 2 or time < 0 then 1 else 0; end A;", "and"),
    ("recursion leave one term for",
     "function f input Integer n; output Real y; algorithm y := if n < 2 then 1 else n*f(n - "
     "1); end f; model A Real x; equation x = f(5)*time; end A;", "x = 120*time"),
    ("a result that may jump is wrapped in `noEvent`", "function f input Real u; output Real "
     "y; algorithm if u > 0 then y := u; else y := 2*u; end if; end f; model A Real x; "
     "equation x = f(time); end A;", "x = noEvent(if time > 0 then time else 2*time)"),
    ("unless `GenerateEvents = true`", "function f input Real u; output Real y; "
     "algorithm y := if u > 0 then u else 0; annotation(GenerateEvents = true); end f; "
     "model A Real x; equation x = f(time); end A;", "x = if time > 0 then time else 0"),
    ("several outputs are taken by `(a, , b) = f(x)`", "function f input Real u; "
     "output Real a = u; output Real b = 2*u; output Real c = 3*u; algorithm end f; "
     "model A Real x; Real y; equation (x, , y) = f(time); end A;", "y = 3*time"),
    ("`function f(a = 1)` binds some of their arguments", "partial function g input Real u; "
     "output Real y; end g; function f input Real a; input Real u; output Real y; algorithm y "
     ":= a*u; end f; function h input g p; input Real u; output Real y; algorithm y := p(u); "
     "end h; model A Real x; equation x = h(function f(a = 3), time); end A;", "x = 3*time"),
    ("`function g = f(a = 1)` is read",
     "function f input Real u; input Real a = 1; output Real y; algorithm y := a*u; end f; "
     "function g = f(a = 4); model A Real x; equation x = g(time); end A;", "x = 4*time"),
    ("(it may be copied, handed on to a function, or asked for its size)",
     "function g input Real a[:]; output Real y; algorithm y := size(a, 1)*a[2]; end g; "
     "function f input Real u; output Real y; protected Real v[3], w[3]; algorithm v[2] := u; "
     "w := v; y := g(w); end f; model A Real x; equation x = f(time); end A;", "x = 3*time"),
    ("A subscript that varies with time is a selection", "model A Real v[2] = {time, 1}; "
     "Integer i = if time > 1 then 2 else 1; Real x; equation x = v[i]; end A;",
     "x = {v[1], v[2]}[i]"),
    ("A variable of a record type is its members", "record R Real x; Real y[2]; end R; "
     "model A R r(x = time); equation r.y = {1, r.x}; end A;", "r.y[2] = r.x"),
    ("Constructors `R(1, y = 2)`",
     "record R Real x; Real y; end R; model A R r = R(1, y = time); end A;", "Real r.y = time"),
    ("`Real x[E]`, `x[E.a]`, `for e in E loop`",
     "type E = enumeration(a, b); model A Real x[E]; Real y; equation for e in E loop x[e] = "
     "Integer(e)*time; end for; y = x[E.b]; end A;", "y = x[2]"),
    ("Each variable that a section assigns gets an equation", "model A Real x; Real y; "
     "algorithm x := time; y := x + 1; x := 2*x; end A;", "x = 2*time;"),
    ("has its start value there", "model A Real x(start = 3); "
     "algorithm if time > 1 then x := time; end if; end A;", "else 3"),
    ("In a loop, `a.b[i].c` is built from `i`", "class A Real a.b[1].c; Real a.b[2].c; equation "
     "for i in 1:2 loop a.b[i].c = i; end for; end A;", "a.b[2].c = 2"),
    ("`(a, _) = f(x)` leaves one out", "function f input Real u; output Real a = u; output Real b "
     "= 2*u; algorithm end f; model A Real x; equation (x, _) = f(time); end A;", "x = time"),
    ("are substituted where they are used", "model A parameter Boolean b = true; constant Real k = "
     "3; Real x; equation x = if b then k*time else 0; end A;", "x = 3*time"),
    ("Branches with different numbers of equations are allowed if parameters decide",
     "model A parameter Boolean b = true; Real x; equation if b then x = 1; end if; end A;",
     "x = 1"),
    ("inside an if-equation it is guarded by the condition", "model A Real x = time; equation "
     "if x > 2 then assert(x < 3, \"m\"); end if; end A;", "assert("),
    ("both branches are executed; a loop is unrolled", "function f input Real u; output Real y; "
     "algorithm y := u; for i in 1:3 loop y := y*(u + i); end for; end f; "
     "model A Real x = f(time); end A;", "time*(time + 1)*(time + 2)*(time + 3)"),
    ("Functions may be arguments themselves", "partial function g input Real u; output Real y; "
     "end g; function s extends g; algorithm y := u^2; end s; function h input g p; input Real u; "
     "output Real y; algorithm y := p(p(u)); end h; model A Real x = h(s, time); end A;",
     "x = time^4"),
    ("A scalar function is applied to arrays element by element", "function f input Real u; "
     "output Real y; algorithm y := u^2; end f; model A Real x[2] = f({time, 3}); end A;",
     "x[2] = 9"),
    ("`Integer(e)` is its number", "type E = enumeration(a, b); model A parameter E e = E.b; "
     "Real x = Integer(e)*time; end A;", "x = 2*time"),
    ("The derivative of `smooth(p, e)` is `smooth(p - 1, …)`", "model A Real x = time, y; "
     "equation y = der(smooth(2, if x > 0 then x^3 else 0)); end A;",
     "y = smooth(1, if x > 0 then 3*x^2*der(x) else 0)"),
    ("`der` of any expression",
     "model A Real x(start = 1, fixed = true); equation der(x^2) = 1; end A;", "2*x*der(x)"),
]
REFUSED = [
    ("`delay(e, T, Tmax)` with a delay time that changes",
     "model A Real x; equation x = delay(time, time); end A;", "a delay time that changes"),
    ("Otherwise the branches must have equally", "model A Real x; Real y; "
     "equation if time > 1 then x = 1; y = 1; else x = 2; end if; y = 3; end A;", "error"),
    ("missing elements of an array where something is computed from it",
     "function f input Real u; output Real y; protected Real v[3]; algorithm v[2] := u; "
     "y := sum(v); end f; model A Real x; equation x = f(time); end A;", "'v[1]' has no value yet"),
    ("An output without a value is an error", "function f input Real u; output Real y; algorithm "
     "end f; model A Real x = f(time); end A;", "gives its result 'y' no value"),
    ("State machines (chapter 17) are refused", "block S end S; model A S s; Real x = time; "
     "equation initialState(s); end A;", "error"),
    ("(`product`, `min` and `max` take scalars)",
     "model A Real x = product({i, time} for i in 1:3); end A;", "it takes scalars"),
    ("One that cannot hold is an error",
     "model A Real x; equation x = 1; assert(1 > 2, \"never\"); end A;", "never"),
    ("that it alone is a subscript of",
     "model A Real x[3]; equation for i loop x[4 - i] = i; end for; end A;",
     "'i' is no subscript in this loop: its range has to be given"),
    ("over an enumeration say `e in E`", "type E = enumeration(a, b); model A Real x[E]; equation "
     "for e loop x[e] = if e == E.a then 1 else 2; end for; end A;",
     "does not take Integer and enumeration"),
    ("relations (not chained)",
     "model A Real x; equation x = if 1 < time < 2 then 1 else 0; end A;", "error"),
    ("other assignments are not supported",
     "model A String s; Real x; equation x = 1; when x > 0 then s = \"\"; end when; end A;",
     "error"),
]


# (the words of the page, the test that holds them to it)
ELSEWHERE = [
    ("also with values of enumerations and truth values",
     "function_forms.elements_named_by_enumerations_and_truth_values"),
    ("In Base Modelica `'a.x'` is the", "function_forms.quoted_elements_are_an_array"),
    ("A text that a condition chooses at run time",
     "function_forms.texts_that_conditions_choose"),
    ("One that nothing defines is its start value",
     "function_forms.string_variables_that_statements_define_or_nothing"),
    ("A failed assertion ends the run at its time", "routines.assertions_in_loops_are_watched"),
    ("Those of initial sections and of `when initial()`",
     "events_language.assertions_of_the_initialization"),
    ("`terminate` stands in when-clauses, or anywhere else",
     "events_language.terminate_outside_of_when_clauses"),
    ("is the partial derivative of the only result",
     "function_forms.functions_that_are_partial_derivatives"),
    ("that only some paths give a value is asserted to have one",
     "function_forms.a_missing_value_on_a_path_ends_the_run_that_comes_to_it"),
    ("who needs such a member tells", "function_parts.who_needs_a_member_without_value_tells"),
    ("its relations make no events", "functions.assertions_of_functions_make_no_events"),
    ("`s := 7.1 - p/16530000`", "functions.what_a_function_scales_stays_scaled"),
    ("is known only at run time is not unrolled",
     "routines.a_while_loop_at_run_time_and_its_derivative"),
    ("with `--native` all of them are compiled", "routines.native_code_gives_the_same_values"),
    ("exported C has all of them as C functions",
     "routines.exported_code_runs_loops_and_recursion"),
    ("Calls with equal arguments are equal, whatever the routine does",
     "routines.equal_arguments_are_equal_values_for_every_function"),
    ("proved by executing the routine in ball arithmetic",
     "routines.a_function_that_may_be_zero_is_evaluated_in_balls"),
    ("name the functions that are assumed to have a value",
     "routines.verdicts_name_the_functions_they_assume_something_of"),
    ("with n results is read back as the routine that it was",
     "routines.show_prints_the_functions_so_that_its_text_runs"),
    ("Called with known arguments it is evaluated at translation",
     "routines.a_loop_with_known_arguments_is_evaluated"),
    ("one with `Inline = false`", "opaque.inline_false_keeps_the_call"),
    ("whose call makes more than 2000", "opaque.a_large_function_is_called_not_written_out"),
    ("have made more than 50 000 in total",
     "opaque.a_function_that_is_called_often_is_not_written_out"),
    ("is run only there.", "opaque.a_large_function_in_a_branch_is_run_only_there"),
    ("is how it is differentiated;", "opaque.the_derivative_is_that_of_the_annotation"),
    ("`derivative(order = n) = f_n`", "opaque.a_third_derivative_is_that_of_the_annotation"),
    ("the body is differentiated instead, unless there is none",
     "opaque.an_argument_without_derivative_still_has_partial_derivatives"),
    ("and the annotation is not used.", "opaque.small_functions_are_differentiated_as_they_are"),
    ("the equation is read as `x = g(e, p)`",
     "inverse.a_function_without_body_is_solved_by_its_inverse"),
    ("an initial equation for `x` or for a free parameter",
     "inverse.loops_start_values_and_free_parameters"),
    ("and where `y = f(x)` gives `y`, the function stays",
     "inverse.only_where_the_structure_needs_it"),
    ("so that a wrong inverse ends a run", "inverse.a_wrong_inverse_ends_the_run"),
    ("compares `derivative`, `inverse` and `smoothOrder`",
     "annotations.a_wrong_derivative_has_a_counterexample"),
    ("`analyze` and `check-init` name it as an assumption (`assumed_smooth` in JSON)",
     "annotations.functions_with_branches_are_assumed_to_be_smooth_enough"),
    ("Integer arguments are 1, 2, 3 and 0 in turn", "annotations.arguments_that_are_no_reals"),
    ("and records have such members", "annotations.records_are_checked"),
    ("Branches are entered on both sides", "annotations.branches_far_away"),
    ("is enclosed in a ball", "annotations.changes_that_are_no_rational_numbers"),
    ("says nothing about `p`", "annotations.normally_constant_arguments"),
    ("and where the assertions of the functions hold",
     "annotations.only_where_the_function_is_defined"),
    ("since literals in model texts are rounded", "annotations.rounded_numbers_are_no_mistake"),
    ("are rounded to double precision",
     "opaque.digits_of_numbers_that_are_iterated_exactly_do_not_double"),
    ("At most 200 nested calls", "function_mistakes.bodies"),
    ("with a hidden state of 33 discrete variables", "random.a_generator_with_a_hidden_state"),
    ("pivots chosen with the values of parameters",
     "natives.pivots_are_chosen_with_the_values_of_parameters"),
    ("eigenvalues and eigenvectors (`dgeev`)",
     "natives.eigenvalues_singular_values_and_least_squares"),
    ("(seeds of random numbers)",
     "random.seeds_that_are_parameters_are_numbers_in_long_loops"),
    ("Fourier transforms", "natives.a_transform_of_values_at_run_time"),
    ("`ModelicaIO_writeRealMatrix` writes nothing", "natives.models_write_no_files"),
    ("Any other external function is known by its name only",
     "external.equal_calls_are_equal_and_nothing_more"),
    ("needs a derivative that it does not have is that an error",
     "external.a_derivative_that_is_needed_is_an_error_with_its_reason"),
    ("that is `impure` or has no result is not supported",
     "external.functions_that_act_are_refused"),
    ("modified Akima, Fritsch–Butland and Steffen",
     "tables.every_kind_of_interpolation_and_extrapolation"),
    ("from text files (`#1`)", "tables.text_files"),
    ("MATLAB files of version 4, 6, 7", "tables.matlab_files"),
    ("is a file of the library. Values", "tables.resources_of_libraries"),
    ("these are records;", "function_forms.records_that_are_only_constructors_and_members"),
    ("the constants are kept", "function_forms.constants_of_records_are_no_part_of_their_values"),
    ("comes before what its class says about parts",
     "function_parts.a_value_of_a_record_comes_before_values_of_its_parts"),
    ("Operator records:", "function_forms.an_operator_record_with_all_its_operators"),
    ("`initial algorithm` likewise",
     "function_forms.initial_algorithms_give_parameters_and_states"),
    ("In the message of `assert` and `terminate` the value is that at the failure",
     "function_forms.values_in_messages_are_those_at_the_failure"),
]


def test_every_other_claim_has_its_test():
    page = " ".join((ROOT / "docs" / "language.md").read_text().split())
    for words, name in ELSEWHERE:
        contains(page, words)
        file, function = name.split(".")
        text = (ROOT / "tests" / "cli" / f"test_{file}.py").read_text()
        contains(text, f"def test_{function}():")


def test_what_is_read_is_read_so():
    page = (ROOT / "docs" / "language.md").read_text()
    for words, model, printed, *options in READ:
        contains(page, words)
        text = check_exit(run_text("show", model, *options), 0).out
        contains(text, printed)
        # and what it prints reads back to itself
        equal(check_exit(run_text("show", text), 0).out, text)


def test_what_is_refused_is_refused_with_a_place():
    page = (ROOT / "docs" / "language.md").read_text()
    for words, model, message in REFUSED:
        contains(page, words)
        result = check_exit(run_text("show", model), 3)
        contains(result.err, message)
        assert re.match(r"<stdin>:\d+:\d+: ", result.err), result.err


def test_at_most_twenty_errors():
    model = ("model A\n" + "".join(f"  Real x{i};\n" for i in range(40)) + "equation\n" +
             "".join(f"  x{i} = nothing{i};\n" for i in range(40)) + "end A;\n")
    result = check_exit(run_text("show", model), 3)
    equal(result.err.count(": error: "), 20)


def test_a_parameter_without_value_is_an_error_where_it_is_needed():
    model = ("model A parameter Real p; Real x(start = 1, fixed = true); "
             "equation der(x) = -p*x; end A;")
    check_exit(run_text("analyze", model), 0)
    contains(check_exit(run_text("simulate", model), 3).err, "p")


main(globals())
