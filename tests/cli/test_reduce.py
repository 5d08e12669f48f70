"""daetool reduce: contract, formats, modes, invariants, reading back."""

import json

import harness
from harness import EXAMPLES, check_exit, contains, equal, run, run_text

PENDULUM = EXAMPLES / "pendulum.mo"

COUPLED = """model Coupled
  Real p, q, u, v, mu;
equation
  der(p) = u;
  der(q) = v;
  2*der(u) + cos(p - q)*der(v) = mu;
  cos(p - q)*der(u) + 2*der(v) = mu*q;
  p + q^2 = time;
end Coupled;
"""


def reduce_json(*arguments, **more):
    return check_exit(run("reduce", "--format", "json", *arguments, **more), 0).json()


def test_pendulum_json_follows_the_contract():
    result = reduce_json(PENDULUM)
    equal(list(result)[:8], ["model", "unknowns", "introduced", "differential", "constraints",
                             "max_level", "dof", "counts"])
    equal(result["model"], "Pendulum")
    equal(result["unknowns"], ["x", "y", "u", "v", "lambda"])
    equal(result["introduced"], [])
    equal(result["differential"][0]["coefficients"], {"x": "1"})
    equal(result["differential"][0]["rhs"], "u")
    equal(result["differential"][0]["from"], [0])
    first = result["constraints"][0]
    equal((first["expression"], first["level"], first["hidden"], first["from"]),
          ("x^2 + y^2 - L^2", 0, False, [4]))
    equal(result["constraints"][1]["expression"], "x*u + y*v")
    equal([c["level"] for c in result["constraints"]], [0, 1, 2])
    equal([c["hidden"] for c in result["constraints"]], [False, True, True])
    equal(result["max_level"], 2)
    counts = result["counts"]
    equal((counts["unknowns"], counts["differential"], counts["constraints"]), (5, 4, 3))


def test_same_input_same_bytes():
    equal(run("reduce", "--format", "json", PENDULUM).out,
          run("reduce", "--format", "json", PENDULUM).out)


def test_text_names_levels_and_origins():
    result = check_exit(run("reduce", PENDULUM), 0)
    contains(result.out, "5 unknowns, 4 differential equations, 3 constraints")
    contains(result.out, "0 = x^2 + y^2 - L^2")
    contains(result.out, "[0, 1, 4']")


def test_modelica_reads_back_to_itself():
    once = check_exit(run("reduce", "--format", "modelica", PENDULUM), 0).out
    twice = check_exit(run_text("reduce", once, "--format", "modelica"), 0).out
    equal(once, twice)


def test_modelica_output_of_introduced_unknowns_reads_back():
    once = check_exit(run("reduce", "--format", "modelica", "--eliminate", "never",
                          PENDULUM), 0).out
    contains(once, "$der_u")
    again = check_exit(run_text("reduce", once, "--format", "json"), 0).json()
    equal(again["counts"]["unknowns"], 7)
    equal(again["counts"]["constraints"], 5)


def test_modes_of_elimination_show_in_the_output():
    never = check_exit(run_text("reduce", COUPLED, "--format", "json",
                                "--eliminate", "never"), 0).json()
    always = check_exit(run_text("reduce", COUPLED, "--format", "json",
                                 "--eliminate", "always"), 0).json()
    equal([b["eliminated"] for b in never["elimination"]["blocks"]], [False])
    equal([b["eliminated"] for b in always["elimination"]["blocks"]], [True])
    equal(never["counts"]["unknowns"], 7)
    equal(always["counts"]["unknowns"], 5)
    equal(never["counts"]["constraints"] - never["counts"]["unknowns"],
          always["counts"]["constraints"] - always["counts"]["unknowns"])


def test_wrong_mode_is_a_usage_error():
    check_exit(run("reduce", "--eliminate", "sometimes", PENDULUM), 2)


def test_invariant_is_proved():
    result = reduce_json("--invariant", "0.5*(u^2 + v^2) + g*y", PENDULUM)
    equal(result["counts"]["constraints"], 4)
    equal(result["constraints"][3]["invariant"], "proved")


def test_wrong_invariant_is_taken_on_trust_with_a_warning():
    result = check_exit(run("reduce", "--format", "json", "--invariant", "u + v", PENDULUM), 0)
    equal(result.json()["constraints"][3]["invariant"], "trusted")
    contains(result.err, "trust")


def test_invariant_with_an_unknown_name_is_a_usage_error():
    check_exit(run("reduce", "--invariant", "nobody^2", PENDULUM), 2)


def test_contradiction_is_exit_1_and_names_equations():
    result = run_text("reduce", "model B\n Real x, y;\nequation\n der(y) = x;\n x + y = 1;\n"
                      " x + y = 2;\nend B;\n")
    check_exit(result, 1)
    contains(result.err, "contradict")


def test_redundant_equation_is_listed_with_its_proof():
    text = "model B\n Real x, y;\nequation\n der(y) = x;\n x + y = 1;\n 3*x + 3*y = 3;\nend B;\n"
    result = check_exit(run_text("reduce", text, "--format", "json"), 0).json()
    equal(len(result["dropped"]), 1)
    equal(result["dropped"][0]["from"], [2])


def test_structurally_singular_model_is_exit_1():
    check_exit(run_text("reduce", "model S\n Real x, y;\nequation\n x = 1;\n x = 2;\nend S;\n"), 1)


def test_overdetermined_car_axis_is_accepted():
    result = reduce_json(EXAMPLES / "car_axis_overdetermined.mo")
    counts = result["counts"]
    equal((counts["unknowns"], counts["differential"], counts["constraints"]), (22, 8, 18))


PAIRS = """function firstPair
  input Integer n;
  input Real x;
  output Integer i;
  output Integer j;
algorithm
  i := 0;
  j := 0;
  for a in 1:n loop
    for b in a:n loop
      if a*b > x then
        i := a;
        j := b;
        return;
      end if;
      if b > 2*a + 2 then
        break;
      end if;
    end for;
  end for;
end firstPair;
model M
  Real x(start = 0, fixed = true);
  Real s;
  Real t;
equation
  der(x) = 10;
  (s, t) = firstPair(10, x + 0.5);
end M;"""


def test_terms_whose_text_would_be_endless_are_functions():
    """310 nodes, whose parts are used so often that the text would have 10^9 bytes."""
    text = check_exit(run_text("reduce", PAIRS), 0).out
    contains(text, "0 = '$shared1'(s, x)")
    contains(text, "function '$shared1'")
    result = json.loads(check_exit(run_text("reduce", PAIRS, "--format", "json"), 0).out)
    equal(result["constraints"][0]["expression"], "'$shared1'(s, x)")
    contains(result["functions"], "function '$shared1'")


harness.main(globals())
