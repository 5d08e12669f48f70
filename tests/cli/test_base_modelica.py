"""What Base Modelica has and full Modelica has not: guess values, parameters of the initialization,
clock partitions, functions of its own. Each model with the values at its end, or its mistake."""

import csv
import io
import re

from harness import check_exit, contains, equal, main, run_text

RECORDS = "record 'R' Real 'a'; Real 'b' = 1; end 'R';"
COUNT = ("Real 'y'(start = 0); Real 'h'; equation 'h' = hold('y'); "
         "partition Clock 'c' = Clock(1, 4); ")


def package(body, definitions=""):
    return (f"//! base 0.1.0\npackage 'M'\n  {definitions}\n  model 'M'\n  {body}\n"
            "  end 'M';\nend 'M';\n")


# (the model, its definitions, values at time 1)
RIGHT = [
    # guess values
    ("Real 'x'; parameter equation guess('x') = 3; initial equation 'x' = guess('x'); "
     "equation der('x') = 1;", "", {"'x'": 4}),
    ("Real 'x'; Real 'y'; initial equation 'x' = 1; guess('y') = 5; 'y' = guess('y'); "
     "guess('x') = 3; equation der('x') = 1; der('y') = 0;", "", {"'x'": 2, "'y'": 5}),
    ("Real 'x'[3]; parameter equation guess('x'[2]) = 4; initial equation guess('x'[3]) = 5; "
     "'x' = guess('x'); equation der('x') = zeros(3);", "",
     {"'x'[1]": 0, "'x'[2]": 4, "'x'[3]": 5}),
    ("'R' 'x'; 'R' 'y'[2]; parameter equation guess('x') = 'R'(1.1, 1.2); parameter equation "
     "guess('y') = fill('R'(1.5, 1.7), 2); initial equation 'x' = guess('x'); 'y'[1] = "
     "guess('y'[1]); 'y'[2].'a' = guess('y'[2].'a'); guess('y'[2].'b') = 7; 'y'[2].'b' = "
     "guess('y'[2]).'b'; equation for 'i' in 1:2 loop der('y'['i'].'a') = 0; der('y'['i'].'b') "
     "= 0; end for; der('x'.'a') = 0; der('x'.'b') = 0;",
     "record 'R' Real 'a'; Real 'b'; end 'R';",
     {"'x'.'a'": 1.1, "'x'.'b'": 1.2, "'y'[1].'b'": 1.7, "'y'[2].'b'": 7}),
    ("discrete Boolean 'b'; Integer 'n'; parameter equation guess('b') = true; parameter equation "
     "guess('n') = prioritize(4, 2); initial equation pre('b') = guess('b'); pre('n') = "
     "guess('n'); prioritize('n', 1); equation when time > 0.5 then 'b' = not pre('b'); 'n' = "
     "pre('n') + 1; end when;", "", {"'b'": 0, "'n'": 5}),
    # parameters that the initialization finds
    ("parameter Real 'p'; parameter equation guess('p') = 2; Real 'x'; parameter equation "
     "guess('x') = 10; initial equation der('x') = 0; 'x' = guess('x'); equation der('x') = 10 - "
     "'p'*'x';", "", {"'x'": 10, "'p'": 1}),
    ("parameter Real 'p'; Real 'x'; initial equation guess('p') = -1.0; 'p'*'p' = 2.25; 'x' = 0; "
     "equation der('x') = 'p';", "", {"'x'": -1.5}),
    ("parameter Real 'p'; parameter Real 'q'[2]; Real 'x'; initial algorithm 'p' := 3; for 'i' in "
     "1:2 loop 'q'['i'] := 'i'*'p'; end for; initial equation 'x' = 'p'; equation der('x') = "
     "'q'[2];", "", {"'x'": 9}),
    # functions of its own, records of functions, decorations
    ("parameter Real 'p' = 1.1; parameter Real 'q' = sin('p'); Real 'x' = if "
     "realParameterEqual('p', 'q') then 1 else 2; equation assert(realParameterEqual('q', "
     "sin('p')), \"different\");", "", {"'x'": 2}),
    ("Real 'a'[2,3] = constsize('f'(), 2, 3); Real 'b'[2,3] = constsize('f'(), {2, 3}); Real "
     "'c'[2,3] = constsize('f'(), size('b')); Real 'd'[2,3] = constsize('f'(), 2);",
     "function 'f' output Real 'y'[2,:]; algorithm 'y' := {{1,2,3},{4,5,6}}; end 'f';",
     {"'a'[2,3]": 6, "'b'[1,3]": 3, "'c'[2,1]": 4, "'d'[1,2]": 2}),
    ("Real 'x' = pure('f'(time));", "impure function 'f' input Real 'u'; output Real 'y'; "
    "algorithm "
     "'y' := 2*'u'; end 'f';", {"'x'": 2}),
    ("'R' 'r'; 'R' 's' = 'make'(); 'R' 't' = '-R:1'(time); equation 'r'.'a' = 2;",
     RECORDS + " function 'make' output 'R' 'r'('a' = 2); end 'make'; function '-R' input Real "
     "'a'; "
     "input Real 'b'; output 'R' _result('a' = 'a', 'b' = 'b'); end '-R'; function '-R:1' input "
     "Real "
     "'a'; Real 'b' = 'a' + 4; output 'R' _result = '-R'('a', 'b'); end '-R:1';",
     {"'r'.'b'": 1, "'s'.'a'": 2, "'s'.'b'": 1, "'t'.'b'": 5}),
    ("@7 parameter Real 'p' = (3 @8); Real 'x'(@4 start = 2 @5, @6 fixed = true); equation @12 "
     "der('x') @13 = 'f'('c') @14;", "@21 constant Real 'c' = 3; @22 function 'f' @23 input Real "
     "'u'; @24 output Real 'y'; algorithm @25 'y' := 'u' @26; end 'f';", {"'x'": 5}),
    # clock partitions
    (COUNT + "subpartition (clock = 'c') equation 'y' = previous('y') + 1;", "", {"'h'": 5}),
    (COUNT + "Clock 'd' = subSample('c', 2); subpartition (clock = 'd', solverMethod = \"\") "
    "\"text\" "
     "annotation(x = 1); equation 'y' = previous('y') + 1;", "", {"'h'": 3}),
    ("Real 'u' = time; Real 'y', 'h'; equation 'h' = hold('y'); partition \"one\"; "
     "annotation(x = 1); Clock 'c' = Clock(0.25); subpartition (clock = 'c') equation 'y' = "
     "sample('u') + 1;".replace("\"one\"; ", "\"one\" "), "", {"'h'": 2}),
    ("Real 'x'; Real 'base', 'c1', 'c2', 'c3', 'm', 'z'; initial equation 'x' = 0; 'c1' = 0; "
     "equation der('x') = 1; partition Clock 'k' = Clock(1, 5); Clock _s0 = subSample('k', 2); "
     "Clock _s1 = superSample(subSample('k', 2), 8); subpartition (clock = 'k') equation 'base' = "
     "sample('x'); subpartition (clock = _s0, solverMethod = \"ImplicitEuler\") equation der('c1') "
     "= noClock('base'); subpartition (clock = _s1) equation 'c2' = noClock('base'); 'c3' = "
     "noClock('c1'); algorithm 'm' := 'c2' + 'c3'; partition Clock _b = Clock(11, 50); "
     "subpartition "
     "(clock = _b) equation 'z' = sample('x');", "",
     {"'c2'": 1, "'c3'": 0.48, "'m'": 1.48, "'z'": 0.88}),
    ("Real 'x'[3](each start = 0); Real 's'; equation 's' = sum(hold('x'['i']) for 'i' in 1:3); "
     "partition Clock 'c' = Clock(0.5); subpartition (clock = 'c') equation for 'i' in 1:3 loop "
     "'x'['i'] = previous('x'['i']) + 'i'; end for;", "", {"'s'": 18}),
]

# (the model, its definitions, what is said at exit 3)
WRONG = [
    ("Real 'x'; Real 'y' = time; initial equation guess('x') = 'y'; equation der('x') = 0;", "",
     "a value that depends on parameters only"),
    ("Real 'x'; initial equation 'x' = guess(time); equation der('x') = 0;", "",
     "'guess' takes a variable"),
    ("parameter Real 'p' = 1; Real 'x' = if realParameterEqual('p', time) then 1 else 2;", "",
     "'realParameterEqual' takes two parameters"),
    ("Real 'a'[2] = constsize('f'(), 3);",
     "function 'f' output Real 'y'[:]; algorithm 'y' := {1, 2}; end 'f';",
     "the array has size [2], not that of 'constsize'"),
    (COUNT + "subpartition (solverMethod = \"\") equation 'y' = previous('y') + 1;", "",
     "a subpartition has a clock"),
    (COUNT + "subpartition (clock = 'c', clock = 'c') equation 'y' = previous('y') + 1;", "",
     "'clock' is given twice"),
    (COUNT + "subpartition (clok = 'c') equation 'y' = previous('y') + 1;", "",
     "expected 'clock' or 'solverMethod', found 'clok'"),
    (COUNT + "subpartition (clock = 'd') equation 'y' = previous('y') + 1;", "",
     "unknown name ''d''"),
]


def last_of(text):
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    return {k: float(v) for k, v in list(csv.DictReader(io.StringIO(result.out)))[-1].items()}


def test_values():
    for body, definitions, values in RIGHT:
        model = package(body, definitions)
        shown = check_exit(run_text("show", model), 0).out
        equal(check_exit(run_text("show", shown), 0).out, shown)
        for text in (model, shown):
            row = last_of(text)
            for name, value in values.items():
                assert abs(row[name] - value) < 1e-6, f"{name} = {row[name]}, not {value}: {body}"


def test_mistakes_have_a_place():
    for body, definitions, message in WRONG:
        result = check_exit(run_text("show", package(body, definitions)), 3)
        contains(result.err, message)
        assert re.match(r"<stdin>:\d+:\d+: error: ", result.err), result.err
        equal(result.err.count(": error: "), 1)


def test_a_parameter_without_value_that_no_initial_equation_gives_is_an_error():
    model = package("parameter Real 'p'; Real 'x'; initial equation 'x' = 'p'; "
                    "equation der('x') = 1;")
    contains(check_exit(run_text("simulate", model, "--stop", "1"), 3).err,
             "parameter ''p'' has no value")
    free = package("parameter Real 'p'; Real 'x'; initial equation 'p' = 3; 'x' = 'p'; "
                   "equation der('x') = 1;")
    equal(last_of(free)["'x'"], 4)
    contains(check_exit(run_text("show", free), 0).out, "parameter Real 'p'(fixed = false)")


def test_the_words_are_names_elsewhere():
    row = last_of("model M Real partition = 1, subpartition = 2, guess = 3, constsize = 4, x; "
                  "equation x = partition + subpartition + guess + constsize; end M;")
    equal(row["x"], 10)


main(globals())
