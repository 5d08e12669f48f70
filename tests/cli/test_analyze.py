"""daetool analyze: JSON as in the contract, text, plots, exit codes."""

import math
import xml.etree.ElementTree as ElementTree

import harness
from harness import EXAMPLES, MODELS, check_exit, contains, equal, run, run_text, scratch

KEYS = ["model", "status", "equations", "variables", "signature", "transversal", "value",
        "structural_index", "dof",
        "jacobian", "determinant", "singular_when", "blocks", "repair"]


def analyze(path, code=0):
    return check_exit(run("analyze", "--format", "json", path), code).json()


def test_pendulum_json_is_as_in_the_paper():
    result = analyze(EXAMPLES / "pendulum.mo")
    equal(list(result)[: len(KEYS)], KEYS)
    equal(result["status"], "success")
    equal([e["c"] for e in result["equations"]], [1, 1, 0, 0, 2])
    equal([v["d"] for v in result["variables"]], [2, 2, 1, 1, 0])
    equal((result["structural_index"], result["dof"], result["value"]), (3, 2, 2))
    equal(result["equations"][0]["text"], "der(x) = u")
    equal(result["determinant"], "nonzero")
    assert "x^2 + y^2" in result["singular_when"] and "L" in result["singular_when"]
    sigma = {(i, j): s for i, j, s in result["signature"]}
    equal(sum(sigma[i, j] for i, j in enumerate(result["transversal"])), 2)
    equal(sorted(result["transversal"]), [0, 1, 2, 3, 4])
    equal(result["blocks"]["fine"],
          [{"equations": [0, 1, 2, 3, 4], "variables": ["x", "y", "u", "v", "lambda"],
            "linear": True}])
    equal(result["repair"], {"steps": []})
    equal(result["constraints_by_level"], [3, 1])


def test_keys_of_an_equation_come_in_order():
    result = analyze(EXAMPLES / "pendulum.mo")
    equal(list(result["equations"][0])[:4], ["index", "text", "line", "c"])
    equal(list(result["variables"][0])[:2], ["name", "d"])


def test_example_2_2_is_repaired_and_keeps_the_original():
    result = analyze(MODELS / "structural_example_2_2.mo")
    equal((result["status"], result["dof"]), ("repaired", 0))
    original = result["original"]
    equal([e["c"] for e in original["equations"]], [0, 0, 0, 0])
    equal([v["d"] for v in original["variables"]], [1, 1, 0, 0])
    equal((original["determinant"], original["value"]), ("zero", 2))
    values = [2]
    for step in result["repair"]["steps"]:
        equal(list(step)[:5], ["method", "replaced", "by", "value_before", "value_after"])
        equal(step["value_before"], values[-1])
        assert step["value_after"] < step["value_before"]
        values.append(step["value_after"])
    equal(values[-1], result["value"])
    derived = [e for e in result["equations"] if "from" in e]
    equal(sorted(e["index"] for e in derived),
          sorted({s["replaced"] for s in result["repair"]["steps"]}))


def test_published_problems_end_as_they_should():
    expected = {"akzo_nobel": ("success", 1, 5), "andrews_squeezer": ("success", 3, 2),
                "car_axis": ("success", 3, 4),
                "reissig_martinson_barton": ("success", 3, 2),
                "ring_modulator": ("repaired", 2, 10),
                "robot_arm": ("repaired", 5, 0), "transistor_amplifier": ("repaired", 1, 5)}
    for name, (status, index, dof) in expected.items():
        result = analyze(EXAMPLES / f"{name}.mo")
        equal((name, result["status"], result["structural_index"], result["dof"]),
              (name, status, index, dof))


def test_the_same_model_gives_the_same_bytes():
    for name in ("robot_arm", "andrews_squeezer", "ring_modulator"):
        first = run("analyze", "--format", "json", EXAMPLES / f"{name}.mo")
        equal(first.out, run("analyze", "--format", "json", EXAMPLES / f"{name}.mo").out)


def test_too_many_equations_are_named_with_texts_and_lines():
    model = "model A\n  Real x;\n  Real y;\nequation\n  x = 1;\n  x = 2*time;\nend A;\n"
    text = check_exit(run_text("analyze", model), 1).out
    contains(text.splitlines()[0], "structurally singular")
    contains(text, "[0] x = 1   (line 5)")
    contains(text, "[1] x = 2*time   (line 6)")
    contains(text, "1 equation is missing for y")
    result = check_exit(run_text("analyze", model, "--format", "json"), 1).json()
    equal(result["status"], "structurally-singular")
    equal(result["overdetermined"], {"equations": [0, 1], "variables": ["x"]})
    equal(result["underdetermined"], {"equations": [], "variables": ["y"]})
    equal(result["transversal"], None)


def test_the_smallest_excess_comes_first():
    model = ("model A Real a; Real b; Real c; Real d; equation a + b + c = 1; a - b = 2; "
             "b*c = 3; a + c = time; "
             "d = 1; d = a + d^2; end A;")
    result = check_exit(run_text("analyze", model, "--format", "json"), 1).json()
    equal(result["smallest_excess"]["equations"], [0, 1, 2, 3])
    equal(result["smallest_excess"]["variables"], ["a", "b", "c"])


def test_equations_without_unknowns_have_defined_answers():
    contains(check_exit(run_text("analyze", "model A equation 1 = 2; end A;"), 1).out,
             "It can never be true")
    contains(check_exit(run_text("analyze", "model A Real x; equation x = 1; 0 = 0; end A;"),
                        1).out, "always true")


def test_empty_and_all_parameter_models_succeed():
    for model in ("model A end A;", "model A parameter Real p = 1; end A;"):
        result = check_exit(run_text("analyze", model, "--format", "json"), 0).json()
        equal((result["status"], result["structural_index"], result["dof"]), ("success", 0, 0))
        equal((result["equations"], result["variables"], result["signature"]), ([], [], []))


def test_redundant_and_contradictory_models_are_never_repaired():
    redundant = check_exit(run_text("analyze", "model A Real x; Real y; equation x + y = 1; "
                                    "2*x + 2*y = 2; end A;"), 1)
    contains(redundant.out, "redundant")
    against = run_text("analyze", "model A Real x; Real y; equation x + y = 1; "
                       "2*x + 2*y = 3; end A;", "--format", "json")
    result = check_exit(against, 1).json()
    equal(result["status"], "jacobian-singular")
    equal(result["ill_posed"], {"equations": [0, 1], "contradictory": True})


def test_no_repair_leaves_the_model_alone():
    result = check_exit(run("analyze", "--no-repair", "--format", "json",
                            MODELS / "structural_example_2_2.mo"), 1).json()
    equal((result["status"], result["repair"]["steps"]), ("jacobian-singular", []))


def test_the_answer_is_the_one_at_the_given_values():
    result = run_text("analyze",
                      "model A parameter Real p = 0; Real x; equation p*der(x) = 1 - x; end A;")
    contains(check_exit(result, 0).out, "here this is 0: p")
    equal(run_text("analyze", "model A parameter Real p = 2; Real x; "
                   "equation p*der(x) = 1 - x; end A;").err, "")
    cases = [
        ("parameter Real m = {}; Real x, v, F; equation der(x) = v; "
         "m*der(v) = F - 2*x; F = 4 - 3*v;", "0", 1, "2", 2),
        ("parameter Real M = {}; Real i, j, u, w; equation der(i) + M*der(j) = u; "
         "M*der(i) + 4*der(j) = w; u = 1 - i; w = -3*j;", "2", 1, "1", 2),
        ("parameter Real p = {}; Real x, y; equation der(x) = y - x; if p > 0.5 then y = 2*x; "
         "else der(y) = x; end if;", "1", 1, "0", 2),
        ("parameter Real p = 2, q = {}; Real x, y; equation der(x) = y; "
         "(p - q)*der(y) + y = x;", "2", 1, "1", 2),
    ]
    for text, special, dof, plain, generic in cases:
        at = check_exit(run_text("analyze", f"model A {text.format(special)} end A;",
                                 "--format", "json"), 0).json()
        equal((at["dof"], at["symbolic"]["dof"], at["symbolic"]["status"]),
              (dof, generic, "success"))
        assert at["certificate"]["kind"] in ("everywhere", "point")
        other = check_exit(run_text("analyze", f"model A {text.format(plain)} end A;",
                                    "--format", "json"), 0).json()
        equal((other["dof"], "symbolic" in other), (generic, False))
        for values, expected in ((special, dof), (plain, generic)):
            model = f"model A {text.format(values)} end A;"
            equal(run_text("check-init", model, "--format", "json").json()["dof"], expected)
            equal(check_exit(run_text("reduce", model, "--format", "json"),
                             0).json()["dof"], expected)


def test_no_success_without_a_certificate():
    """A factor of the determinant vanishes on every solution."""
    for text in ["Real x, u, v; equation der(x) = u; der(x) = v; (u - v)*u^3 + x = sin(time);",
                 "Real x, y, z; equation der(x) + x = 0; der(x) + x + y = 1; (y - 1)*z = 0;",
                 "Real x, u, v, l; equation der(x) = u; der(u) = -l*x; x^2 + v^2 = 1; "
                 "(x*u + v*der(v))*l + v = sin(time)/2 + 0.7;"]:
        result = run_text("analyze", f"model A {text} end A;", "--format", "json").json()
        assert result["status"] not in ("success",), result["status"]
        equal("certificate" in result, result["status"] == "repaired")


def test_the_certificate_is_checked_again():
    """By an interval Newton operator on all equations and derivatives at once."""
    for path in sorted(EXAMPLES.glob("*.mo")):
        if path.stem not in ("car_axis_overdetermined", "fekete"):
            check_exit(run("analyze", "--verify", path), 0)


def test_a_point_modulo_a_prime_is_checked_again():
    """From the residues alone: derivatives as terms, blocks by elimination."""
    text = """model Many parameter Integer n = 700; Real x[n], y[n], u[n], v[n], l[n];
    equation for k in 1:n loop der(x[k]) = u[k]; der(y[k]) = v[k]; der(u[k]) = -x[k]*l[k];
      der(v[k]) = -y[k]*l[k] - 9.81; x[k]^2 + y[k]^2 = 1; end for; end Many;"""
    result = check_exit(run_text("analyze", text, "--verify", "--verbose", "--format", "json"), 0)
    equal(result.json()["certificate"]["kind"], "algebraic")
    contains(result.err, "the certificate was checked again: it holds")


def test_every_positive_status_has_its_certificate():
    for path in sorted(EXAMPLES.glob("*.mo")):
        result = run("analyze", path, "--format", "json").json()
        equal(result["status"] in ("success", "repaired"), "certificate" in result)
        if path.stem != "car_axis_overdetermined":
            assert result["certificate"]["kind"] in ("everywhere", "point"), path


def test_a_variable_without_a_start_follows_those_with_one():
    # the energies near 0 belong to no temperature; fixed starts come before other written ones
    text = """model Energy
      Real T(start = 300, fixed = true), U, h(start = 7), c;
    initial equation
      c = 2;
    equation
      h = 1e5 + sqrt(T - 200) + 1e-3*(T - 310)^2;
      U = 3*h;
      der(U) = c;
      der(c)*(sqrt(1e4 - (U - c)/4e5) + (c - 3)^2) = c + 1;
    end Energy;"""
    result = check_exit(run_text("analyze", text, "--verify", "--verbose", "--format", "json"), 0)
    certificate = result.json()["certificate"]
    equal(certificate["kind"], "point")
    assert abs(float(certificate["values"]["U"]) - 300030.3) < 3e4
    contains(result.err, "the certificate was checked again: it holds")


def test_one_block_of_many_equations_is_certified_by_its_core():
    """Explicit equations are put into the others; balls tell what modular images cannot."""
    text = """model Chain parameter Integer n = 500; Real x[n], p, s(start = 1, fixed = true);
    equation x[1] = p + sin(p)/2; x[n] + x[1]*p = s; der(s) = 1;
      for k in 2:n loop x[k] = x[k - 1] + 0.001*cos(3*x[k - 1]); end for; end Chain;"""
    run_checked = run_text("analyze", text, "--verify", "--verbose", "--format", "json")
    contains(check_exit(run_checked, 0).err, "the certificate was checked again: it holds")
    result = run_checked.json()
    equal(max(len(block["equations"]) for block in result["blocks"]["fine"]), 501)
    equal(result["certificate"]["kind"], "point")
    equal(result["determinant"], "nonzero")
    p = float(result["certificate"]["values"]["p"])
    assert abs(float(result["certificate"]["values"]["x[1]"]) - p - math.sin(p)/2) < 1e-14


def test_a_large_block_with_no_modular_image_is_settled_by_a_point():
    text = """model Chain parameter Integer n = 300; Real x[n], p, s(start = 1, fixed = true);
    equation x[1] = p + sin(p)/2 + 0.1*exp(sin(x[n])); x[n] + x[1]*p = s; der(s) = 1;
      for k in 2:n loop
        x[k] = x[k - 1] + 0.001*sin(3*x[k - 1]) + 0.001*sin(sqrt(2)*x[k - 1] + exp(x[k - 1]));
      end for; end Chain;"""
    result = check_exit(run_text("analyze", text, "--format", "json"), 0).json()
    equal((result["certificate"]["kind"], result["determinant"]), ("point", "nonzero"))


def test_the_text_begins_with_the_verdict_and_shows_the_boxed_transversal():
    text = check_exit(run("analyze", EXAMPLES / "pendulum.mo"), 0).out
    equal(text.splitlines()[0], "Pendulum: success, structural index 3, 2 degrees of freedom")
    rows = [line for line in text.splitlines() if "|" in line]
    equal(len(rows), 7)
    equal(sum(line.count("[") for line in rows), 5)


def large_model(n):
    lines = ["model Large", *(f"  Real x{k};" for k in range(n)), "equation"]
    lines += [f"  der(x{k}) = x{k + 1} - 2*x{k};" for k in range(n - 1)]
    return "\n".join([*lines, f"  x0 + x{n - 1} = 1;", "end Large;", ""])


def test_large_models_have_a_summary_as_text_and_complete_json():
    model = large_model(5000)
    text = check_exit(run_text("analyze", model), 0).out
    assert len(text.splitlines()) < 25
    result = check_exit(run_text("analyze", model, "--format", "json"), 0).json()
    equal(len(result["equations"]), 5000)
    equal(len(result["transversal"]), 5000)


def plot(model):
    with scratch() as folder:
        path = f"{folder}/structure.svg"
        check_exit(run_text("analyze", model, "--plot", path), 0)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    ElementTree.fromstring(text)
    return text


def test_plots_are_svg_and_stay_small():
    small = plot((EXAMPLES / "pendulum.mo").read_text())
    contains(small, ">lambda<")
    contains(small, ">c = 2<")
    assert len(plot(large_model(1000))) < 1_000_000
    assert len(plot(large_model(20000))) < 500_000


def test_a_singular_model_can_be_plotted():
    with scratch() as folder:
        path = f"{folder}/structure.svg"
        check_exit(run_text("analyze", "model A Real x; Real y; equation x = 1; x = 2; end A;",
                            "--plot", path), 1)
        ElementTree.parse(path)


def test_a_plot_that_cannot_be_written_is_exit_6():
    check_exit(run("analyze", "--plot", "/nonexistent/folder/x.svg", EXAMPLES / "pendulum.mo"), 6)


def test_a_variable_in_a_condition_is_solved_for_before_its_stage():
    """s is wanted with its second derivative, v, which only decides the branch, with none."""
    model = """model M
      Real a, v, w(start = 1), s, sd, x(start = 0.3, fixed = true), y(start = 1);
    equation
      a = 2; v = abs(a); s = if v <= 1e-14 then 0 else time^3/abs(a);
      sd = der(s); w = der(sd); der(x) = w - y; y^2 = 1 + x + s + w;
    end M;"""
    got = check_exit(run_text("analyze", model, "--verify", "--format", "json"), 0).json()
    equal((got["status"], got["dof"], got["certificate"]["kind"]), ("success", 1, "point"))


def two_modes(start):
    return ("model M Real x(start = 1), y; discrete Boolean b%s; equation if b then der(x) = y; "
            "y = 2*x; else x = 2 + time; y = der(x); end if; when time > 0.5 then b = not pre(b); "
            "end when; end M;" % start)


def test_a_structure_of_another_mode_than_that_of_the_start_is_told():
    told = "with b = false the Jacobian is singular"
    for start in ("", "(start = false)", "(start = false, fixed = true)"):
        result = check_exit(run_text("analyze", two_modes(start)), 0)
        contains(result.err, told)
        contains(result.out, "b = 1")
    assert told not in run_text("analyze", two_modes("(start = true)")).err
    same = ("model M Real x(start = 1), y; discrete Boolean b; equation if b then der(x) = -x; y = x; "
            "else der(x) = y; x + y = 3; end if; when time > 0.5 then b = true; end when; end M;")
    assert "mode" not in check_exit(run_text("analyze", same), 0).err


if __name__ == "__main__":
    harness.main(globals())
