"""daetool show: the model as understood, and the reader's messages as a user sees them."""

from pathlib import Path

from harness import EXAMPLES, MODELS, check_exit, contains, equal, main, run, run_text, scratch


def all_models():
    return sorted(EXAMPLES.glob("*.mo")) + sorted(MODELS.glob("*.mo"))


def test_reading_the_output_gives_the_same_bytes():
    for path in all_models():
        for options in [[], ["--evaluate"]]:
            first = run("show", *options, path)
            if first.code != 3:
                check_exit(first, 0)
                equal(check_exit(run_text("show", first.out), 0).out, first.out)


def test_parameters_are_folded_on_request():
    model = "model M parameter Real a = 0.1; Real x; equation x = a + 0.2; end M;"
    contains(check_exit(run_text("show", model), 0).out, "  parameter Real a = 0.1;\n  Real x;\nequation\n  x = a + 0.2;\n")
    contains(check_exit(run_text("show", model, "--evaluate"), 0).out, "model M\n  Real x;\nequation\n  x = 0.3;\n")


def test_set_and_input_are_seen():
    model = "model M parameter Real a = 1; input Real u; Real x; equation der(x) = a*u; end M;"
    contains(check_exit(run_text("show", model, "--set", "a=7", "--input", "u=sin(time)", "--evaluate"), 0).out, "der(x) = 7*sin(time)")
    result = check_exit(run_text("show", model), 0)
    contains(result.err, "warning: input 'u' is held constant at its start value 0")
    contains(check_exit(run_text("show", model, "--set", "b=7"), 2).err, "no parameter or variable 'b'")


def test_json_has_the_model_in_order():
    data = check_exit(run("show", "--format", "json", EXAMPLES / "pendulum.mo"), 0).json()
    equal(list(data), ["model", "parameters", "variables", "equations", "initial_equations"])
    equal([v["name"] for v in data["variables"]], ["x", "y", "u", "v", "lambda"])
    equal([e["text"] for e in data["initial_equations"]], ["y = 0", "v = 0"])
    equal(data["equations"][0], {"index": 0, "text": "der(x) = u", "line": 15})


def test_messages_have_place_line_and_caret():
    with scratch() as folder:
        path = Path(folder) / "bad.mo"
        path.write_text("model Bad\n  Real lambda;\nequation\n  2*lamda = 1;\nend Bad;\n")
        err = check_exit(run("show", path), 3).err
        contains(err, f"{path}:4:5: error: unknown name 'lamda'; did you mean 'lambda'?\n")
        contains(err, "  2*lamda = 1;\n")
        contains(err, "\n      ^~~~~\n")


def test_what_is_not_supported_is_exit_3():
    for part in ["x = delay(x, 1);", "x = spatialDistribution(x, x, x, true);"]:
        result = check_exit(run_text("show", f"model M Real x; equation {part} end M;"), 3)
        contains(result.err, "not supported yet: ")


def test_one_of_several_models_is_chosen():
    text = "model A Real x; equation x = 1; end A; model B Real y; equation y = 2; end B;"
    contains(run_text("show", text).out, "model B\n")
    contains(run_text("show", text, "--model", "A").out, "model A\n")
    contains(check_exit(run_text("show", text, "--model", "C"), 2).err, "no model 'C'")


main(globals())
