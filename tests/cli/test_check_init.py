"""check-init: verdicts, JSON fields and their order, exit codes, options."""

import json
import resource
import math
import re
import tempfile
from pathlib import Path

import harness
from harness import EXAMPLES, MODELS, check_exit, contains, equal, patience, run, run_text


def checked(path, *options, code=0):
    return check_exit(run("check-init", "--format", "json", *options, path), code).json()


def test_listing_1_matches_the_contract():
    got = checked(MODELS / "init_two_capacitors.mo")
    equal(list(got),
          ["model", "verdict", "potential_states", "dof", "initial_equations",
           "missing", "redundant",
           "conflicts", "undetermined", "method", "holds", "conditions", "assumptions"])
    equal((got["verdict"], got["potential_states"], got["dof"], got["initial_equations"],
           got["missing"]),
          ("consistent", 2, 1, 2, 0))
    equal(got["redundant"][0]["text"], "u2 = 5")
    equal(got["redundant"][0]["index"], 1)
    equal(got["redundant"][0]["line"], 9)
    proof = got["redundant"][0]["proof"]
    contains(proof, "u1 = 5  [initial 0]")
    contains(proof, "u = 10  [equation 3]")
    assert proof[-1].startswith("10 = 5 + 5  ["), proof
    equal((got["method"], got["holds"], got["conditions"]),
          ("symbolic", "for all parameter values", []))


def test_conflict_names_the_minimal_set_with_lines():
    got = checked(MODELS / "init_two_capacitors_conflict.mo", code=1)
    equal(got["verdict"], "inconsistent")
    equal(len(got["conflicts"]), 1)
    conflict = got["conflicts"][0]
    equal({(e["kind"], e["index"], e["text"], e["line"]) for e in conflict["equations"]},
          {("initial", 0, "u1 = 5", 8), ("initial", 1, "u2 = 4", 9),
           ("equation", 2, "u = u1 + u2", 13),
           ("equation", 3, "u = 10", 2)})
    equal(conflict["residual"], "1")
    assert conflict["proof"][-1].startswith("0 = 1  ["), conflict["proof"]


def test_under_determined_lists_names_and_suggests_start_values():
    got = checked(MODELS / "init_under.mo", code=1)
    equal((got["verdict"], got["missing"], got["undetermined"]),
          ("under-determined", 2, ["x", "v"]))
    equal(got["suggested"], ["x", "v"])


def test_mixed_though_the_count_is_square():
    got = checked(MODELS / "init_mixed.mo", code=1)
    equal((got["verdict"], got["dof"], got["initial_equations"], got["missing"]),
          ("mixed", 2, 2, 1))
    equal(len(got["redundant"]), 1)
    equal(got["undetermined"], ["y"])


def test_parameters_stay_symbols_in_conditions():
    good = checked(MODELS / "init_parameters.mo")
    equal((good["verdict"], good["holds"], good["conditions"]),
          ("consistent", "for the given parameter values", ["a + b - 10"]))
    bad = checked(MODELS / "init_parameters.mo", "--set", "b=4", code=1)
    equal((bad["verdict"], bad["conditions"], bad["conflicts"][0]["residual"]),
          ("inconsistent", ["a + b - 10"], "1"))


def test_proofs_are_checked_again():
    for model in (MODELS / "init_two_capacitors.mo", EXAMPLES / "two_volumes.mo",
                  EXAMPLES / "three_phase.mo"):
        equal(checked(model, "--verify-proofs")["proofs"], "verified")


def test_two_volumes_matchings_count_4_3_2_2():
    got = checked(EXAMPLES / "two_volumes.mo", "--all-matchings")
    equal(got["reduced"], {"variables": 10, "equations": 11})
    outcomes = [m["outcome"] for m in got["matchings"]]
    equal([outcomes.count(o) for o in ("recursive", "loop", "locally singular",
                                       "structurally singular")], [4, 3, 2, 2])


def test_graph_as_dot_and_its_name():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.dot"
        check_exit(run("check-init", "--graph", path, MODELS / "init_two_capacitors.mo"), 0)
        contains(path.read_text(), "u = u1 + u2\", style=filled, fillcolor=grey")
    check_exit(run("check-init", "--graph", "graph.png", MODELS / "init_two_capacitors.mo"), 2)


def test_text_says_the_same_as_json():
    result = check_exit(run("check-init", MODELS / "init_two_capacitors_conflict.mo"), 1)
    contains(result.out, "example: inconsistent")
    contains(result.out, "u2 = 4  (initial 1, line 9)")
    contains(result.out, "0 = 1")


def test_coefficients_that_are_zero_only_after_a_proof():
    for zero in ["(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))", "(sin(1)^2 + cos(1)^2 - 1)",
                 "(exp(log(2)) - 2)", "(3^(1/3)*9^(1/3) - 3)"]:
        text = (f"model A Real x, y, z; equation x*{zero} + y = 1; x + y + x*y*{zero} = 2; "
                f"der(z)*{zero} + z = y; end A;")
        check_exit(run_text("check-init", text), 0)
        equal(check_exit(run_text("simulate", text, "--intervals", "1", "--stop", "0"),
                         0).out.splitlines()[1], "0,1,1,1")


def test_inactive_things_do_not_count():
    def verdict(text, *options):
        return run_text("check-init", f"model A {text} end A;", "--format", "json",
                        *options).json()["verdict"]

    equal(verdict("Real x(start = 0, fixed = true), w; equation der(x) = 1; "
                  "w = if x < 1 then 2 else 1/x;"), "well-determined")
    equal(verdict("Real x(start = 2, fixed = true), w; equation der(x) = 1; "
                  "w = if x < 1 then 1/(x - 2) else 3;"), "well-determined")
    equal(verdict("Real x; equation 0 = sign(2*x + 1);"), "well-determined")
    late = "Real x; equation der(x) = 1; initial equation x = time; x = 2;"
    equal((verdict(late), verdict(late, "--start", "2")), ("inconsistent", "consistent"))


def test_parameters_may_depend_on_free_ones_and_both_are_results():
    text = ("model A parameter Real p(fixed = false, start = 1); parameter Real q = 2*p; "
            "Real x(start = 3, fixed = true); "
            "equation der(x) = -q*x; initial equation p = 4; end A;")
    equal(run_text("check-init", text, "--format", "json").json()["verdict"], "well-determined")
    lines = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"),
                       0).out.splitlines()
    equal(lines[0], '"time","x","p","q"')
    equal([float(v) for v in lines[1].split(",")], [0, 3, 4, 8])
    assert abs(float(lines[2].split(",")[1]) - 3*math.exp(-8)) < 1e-6


def cases_of(text):
    """Verdict, how many cases the proof has (0: none), and whether simulate finds a start."""
    model = f"model A {text} end A;"
    result = run_text("check-init", model, "--format", "json", "--verify-proofs").json()
    assert str(result["proofs"]).startswith("verified"), result["proofs"]
    ends = [step for c in result["conflicts"] for step in c["proof"] if "in every case" in step]
    n = ends[0].count(",") + 1 if ends else 0
    return result["verdict"], n, run_text("simulate", model, "--check-only-start").code == 0


def test_conditions_and_discrete_values_are_decided_case_by_case():
    state = "Real x(start = 0, fixed = true); "
    relation = state + "Real y; equation der(x) = 1; y = if y > 0 then {} else 1;"
    equal(cases_of(relation.format(-1)), ("inconsistent", 2, False))
    equal(cases_of(relation.format(2))[::2], ("well-determined", True))
    boolean = ("Real x; Boolean b; initial equation x = if b then 1 else {}; "
               "equation der(x) = -x; b = x > 3;")
    equal(cases_of(boolean.format(4)), ("inconsistent", 2, False))
    equal(cases_of(boolean.format(2)), ("well-determined", 0, True))
    negated = ("Real x(start = 1, fixed = true); Boolean b; initial equation b = not pre(b); "
               "equation der(x) = -x; when x < 0.5 then b = not pre(b); end when;")
    equal(cases_of(negated), ("inconsistent", 2, False))
    whole = ("Real x; Integer n; initial equation x = n; x = {}; equation der(x) = -x; "
             "when x < 0.5 then n = pre(n) + 1; end when;")
    equal([cases_of(whole.format(v))[0] for v in ("5/2", "2")], ["inconsistent", "well-determined"])


def test_every_solution_is_looked_at_before_a_contradiction_is_claimed():
    equal(cases_of("Real x; initial equation x^2 = 4; x^3 - x = 7; equation der(x) = -x;"),
          ("inconsistent", 2, False))
    periods = ("constant Real pi = acos(-1); Real x; initial equation sin(x) = 0; "
               "x + exp(x/9) = 4*pi + exp(4*pi/9); equation der(x) = 1;")
    equal(cases_of(periods)[0], "undecided")  # x = 4*pi solves it, 0 and pi do not
    equal(cases_of("Real p; initial equation sin(p) = 3/5; cos(p) = 3/5; equation der(p) = 1;"),
          ("inconsistent", 2, False))


def test_an_equation_of_one_unknown_without_a_solution_is_a_contradiction():
    for equation in ("exp(x) + exp(-x) = 1", "exp(x) = x", "log(x) = x", "2^x + 2^(-x) = 1.5",
                     "sqrt(x) + 1/sqrt(x) = 1", "exp(x) + exp(y) = 1; x + y = 0",
                     "x^2 + exp(x) + exp(-x) = p", "tan(x)^2 + 1/tan(x)^2 = 1"):
        text = f"model M parameter Real p = 1.5; Real x, y; equation {equation};"
        text += "" if "; " in equation else " y = 2*x;"
        found = check_exit(run_text("check-init", text + " end M;", "--verify-proofs", "--format",
                                    "json"), 1).json()
        equal((found["verdict"], found["proofs"]), ("inconsistent", "verified"))
    for equation in ("exp(x) + exp(-x) = 2.5", "exp(x) = 3*x", "log(x) = x - 1.5"):
        text = f"model M Real x; equation {equation}; end M;"
        equal(check_exit(run_text("check-init", text, "--format", "json"), 0).json()["verdict"],
              "well-determined")
    # a value at whole exponents; as near to 0 as one likes
    for equation in ("x^x = -1", "sqrt(x^2 + 1) = x"):
        check_exit(run_text("check-init", f"model M Real x; equation {equation}; end M;"), 4)


def test_radicals_and_angles_are_decided_exactly():
    """No step by numbers: neither in the search nor in the checker."""
    model = ("model A constant Real pi = acos(-1); parameter Real L = {}; Real x; initial equation "
             "x = {}; x = {}; equation der(x) = -x; end A;")
    rows = [(1, "cos(pi/5)", "(1 + sqrt(5))/4", True), (1, "tan(pi/8)", "sqrt(2) - 1", True),
            (1, "tan(3*pi/11) + 4*sin(2*pi/11)", "sqrt(11)", True),
            (1, "tan(3*pi/11) + 4*sin(2*pi/11)", "sqrt(11) + 1e-50", False),
            (2, "sqrt(L^2*cos(0.3)^2)", "L*cos(0.3)", True),
            (-2, "sqrt(L^2*cos(0.3)^2)", "L*cos(0.3)", False)]
    for length, a, b, good in rows:
        result = run_text("check-init", model.format(length, a, b), "--format", "json",
                          "--verify-proofs").json()
        equal(result["verdict"], "consistent" if good else "inconsistent")
        equal((result["method"], result["proofs"]), ("symbolic", "verified"))
        equal([result["checked"][how] for how in ("images", "numeric", "failed")], [0, 0, 0])


def test_what_the_structure_leaves_open_is_open_here():
    """d/dt(x + y^2/2) hidden in a function: there is no degree of freedom; u must be 1 where a
    factor vanishes on all solutions."""
    hidden = ("model A Real x, y; equation exp(der(x) + y*der(y)) + x = 2 + sin(time); "
              "x + y^2/2 = 3 + cos(time); end A;")
    equal((lambda r: (r["dof"], r["verdict"]))(run_text("check-init", hidden, "--format",
                                                        "json").json()), (0, "well-determined"))
    factor = ("model A Real x, u, v; equation der(x) = u; der(x) = v; "
              "(u - v)*u^3 + x = sin(time); initial equation u = {}; end A;")
    for value, expected in ((2, "inconsistent"), (1, "consistent")):
        equal(run_text("check-init", factor.format(value),
                       "--format", "json").json()["verdict"], expected)


def test_tiny_budget_is_undecided_and_says_what_was_reached():
    result = run("check-init", "--budget", "0.000001", EXAMPLES / "three_phase.mo")
    check_exit(result, 4)
    check_exit(run("check-init", "--budget", "-1", EXAMPLES / "three_phase.mo"), 2)


def test_same_bytes_twice():
    first = run("check-init", "--format", "json", EXAMPLES / "two_volumes.mo").out
    equal(first, run("check-init", "--format", "json", EXAMPLES / "two_volumes.mo").out)


PENDULUM = """model P
  Real x(start = {x}), y(start = {y}), u(start = 0), v(start = 0), h;
equation
  der(x) = u; der(y) = v;
  der(u) = -x*h; der(v) = -y*h - 9.81;
  x^2 + y^2 = 1;
end P;
"""


def test_the_suggested_choice_is_regular_at_the_start_values():
    """x = 1 with y = 0 is a point where x may not be chosen: y is the coordinate
    there; x and y never go together."""
    for x, y, expected in (("1", "0", {"y", "v"}), ("0", "-1", {"x", "u"}),
                           ("3/5", "-4/5", {"x", "u"})):
        text = PENDULUM.format(x=x, y=y)
        got = check_exit(run_text("check-init", text, "--format", "json"), 1).json()
        equal((got["verdict"], got["dof"], got["missing"], got["undetermined"]),
              ("under-determined", 2, 2, ["x", "y", "u", "v"]))
        equal(set(got["suggested"]), expected)
        done = check_exit(run_text("simulate", text, "--stop", "0.1", "--intervals", "1"), 0)
        contains(done.err, "2 initial conditions are missing")
        contains(done.err, ", ".join(got["suggested"]))


def test_the_suggested_choice_completes_circuits_and_mechanisms():
    for name, dof in (("car_axis", 4), ("slider_crank", 2), ("andrews_squeezer", 2),
                      ("transistor_amplifier", 5), ("ring_modulator", 10)):
        text = re.sub(r",?\s*fixed *= *true", "", (EXAMPLES / f"{name}.mo").read_text())
        text = re.sub(r"\binitial equation\b.*?(?=\n(equation|annotation|end) )", "",
                      text, flags=re.S)
        got = check_exit(run_text("check-init", text, "--format", "json"), 1).json()
        equal((name, got["missing"], len(set(got["suggested"]))), (name, dof, dof))
        done = check_exit(run_text("simulate", text, "--stop", "1e-6", "--intervals", "1"), 0)
        # at the consistent point it found
        chosen = re.search("start values are taken for: (.*)", done.err).group(1).split(", ")
        equal((name, len(set(chosen))), (name, dof))


def test_every_budget_ends_in_undecided_or_the_verdict():
    """Never a crash, never another verdict, and no longer than asked (CPU of a
    loaded machine: generously)."""
    texts = [
        PENDULUM.format(x="1", y="0"), chain(300),
        chain(300).replace("s150 = 150;", "s150 = 151;"),
        (EXAMPLES / "two_volumes.mo").read_text(), (EXAMPLES / "three_phase.mo").read_text(),
        (EXAMPLES / "andrews_squeezer.mo").read_text()]
    for text in texts:
        full = run_text("check-init", text, "--format", "json").json()["verdict"]
        for budget in ("0", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3"):
            got = run_text("check-init", text, "--format", "json", "--budget", budget)
            verdict = got.json()["verdict"]
            assert verdict in ("undecided", full), (budget, verdict, full)
            equal(got.code == 4, verdict == "undecided")
            if verdict == "undecided":
                assert got.json()["undecided"], got


def test_an_equation_that_is_open_is_not_told_as_missing():
    """With the wrong q the other equations are beyond the search: they may determine x and y."""
    text = ("model A Real q(start = 2), x, y(start = -3); initial equation -q/2 = -2; "
            "equation q^3 + q = (2 + 3*time)^3 + 2 + 3*time; "
            "0 = (x - sin(time))*(2 + sin(x)) + 3*(q^2 - (2 + 3*time)^2); "
            "0 = (y + 3*cos(3/2*time))*(2 + sin(y)) + 1/3*(x^2 - sin(time)^2); end A;")
    got = check_exit(run_text("check-init", text, "--format", "json"), 1).json()
    equal((got["verdict"], got["missing"]), ("inconsistent", 0))


LOGIC = [
    # a premise with `and`, in another order, after one is known
    "initial equation z = 1; w = 2; y = if z < w and 0 < z then 3 else 4; "
    "equation der(z) = -z; der(w) = -w; y = if z > 0 and z < w then 3 else 4; v = y;",
    # not (a and b) is not a or not b
    "initial equation w = 3; z = 2; y = 3; v = 7; y = if z > 1 or v < 0 then w else 1; "
    "equation der(z) = -z; der(w) = -w; der(v) = 1; y = if not (z <= 1 and v >= 0) then w else 1;",
    # one operand is known: the other decides
    "initial equation y = 2; z = 2*y; w = 5; v = 1; "
    "equation der(z) = -z; der(w) = -w; der(v) = 1; y = if z > 0 and not w < 0 then z else w;",
    # both cases fail
    "initial equation y = 2; w = 3; z = 1; v = 1; "
    "equation der(z) = -z; der(w) = -w; der(v) = 1; y = if z > v or v > 3 then 5 else 6;"]


def test_the_checker_understands_logic_in_premises():
    for text in LOGIC:
        got = run_text("check-init", f"model A Real v, w, y, z; {text} end A;", "--format",
                       "json", "--verify-proofs").json()
        assert str(got["proofs"]).startswith("verified"), (got["proofs"], text)
        assert got["redundant"] or got["conflicts"], text


def test_no_start_helps_where_the_equations_leave_something_open():
    for text in ("Real x(start = 1, fixed = true), s(start = 2, fixed = true); "
                 "equation der(x) = -x;",
                 "Real x(start = 1, fixed = true), y, z; initial equation z = 3; "
                 "equation der(x) + x = 0; der(x) + x + y = 1; (y - 1)*z = 0;"):
        got = check_exit(run_text("check-init", f"model A {text} end A;", "--format", "json"), 4)
        contains(got.json()["undecided"], "do not determine its solution")


def chain(n):
    """n masses in a rigid row, every position and speed given: 2n initial
    equations for 2 degrees of freedom."""
    lines = ["model Chain"]
    lines += [f"Real s{i}; Real v{i}; Real f{i};" for i in range(n)]
    lines += ["initial equation"] + [f"s{i} = {i}; v{i} = 0;" for i in range(n)]
    lines += ["equation"]
    for i in range(n):
        lines.append(f"der(s{i}) = v{i}; der(v{i}) = {'1' if i == 0 else f'f{i - 1}'} - f{i};")
    lines += [f"s{i + 1} = s{i} + 1;" for i in range(n - 1)] + [f"f{n - 1} = 0;", "end Chain;"]
    return "\n".join(lines)


def test_ten_thousand_easy_initial_equations():
    got = check_exit(run_text("check-init", chain(5000), "--format", "json", timeout=120), 0).json()
    equal((got["verdict"], got["initial_equations"], got["dof"], len(got["redundant"])),
          ("consistent", 10000, 2, 9998))


def test_one_wrong_in_a_long_chain_is_found():
    text = chain(1000).replace("s500 = 500;", "s500 = 501;")
    got = check_exit(run_text("check-init", text, "--format", "json", timeout=120), 1).json()
    equal(got["verdict"], "inconsistent")
    equal(len(got["conflicts"][0]["equations"]), 3)


def test_a_differentiated_premise_is_shown_differentiated():
    model = ("model A Real u1, u2, i; initial equation der(u1) = 1; "
             "equation i = der(u1); i = 2*der(u2); u1 + u2 = 10; end A;")
    out = check_exit(run_text("check-init", model), 1).out
    contains(out, "    der(u1) + der(u2) = 0  (equation 2, order 1, line 1)\n")


QUATERNIONS = """model Q "a rigid body in quaternions, at rest"
  Real Q[4](start = {0, 0, 0, 1}), w[3](each start = 0, each fixed = true), z[3];
equation
  Q*Q = 1;
  w = 2*[Q[4], Q[3], -Q[2], -Q[1]; -Q[3], Q[4], Q[1], -Q[2]; Q[2], -Q[1], Q[4], -Q[3]]*der(Q);
  der(w) = z;
  {1, 2, 3}.*z = {w[2]*w[3], 2*w[3]*w[1], -w[1]*w[2]} + {0, 0, sin(time)};
initial equation
  atan2(2*(Q[1]*Q[2] + Q[3]*Q[4]), 2*(Q[1]^2 + Q[4]^2) - 1) = 0;
  atan2(2*(Q[2]*Q[3] + Q[1]*Q[4]), 2*(Q[3]^2 + Q[4]^2) - 1) = 0;
  atan2(2*(Q[3]*Q[1] + Q[2]*Q[4]), 2*(Q[1]^2 + Q[4]^2) - 1) = 0;
end Q;"""

RELAYS = """model L "two relays that ask for each other, beside a resistance that is a variable"
  Real x(start = 1, fixed = true), r, a, b, y;
equation
  der(x) = -x;
  r = 2 + x;
  r*a = if b > 0 then 3 + x else x;
  r*b = if a > 0 then 2*x - y else x - 1;
  y = r*x/4;
end L;"""


def test_what_elimination_does_not_solve_is_proved_as_a_whole():
    answer = check_exit(run_text("check-init", QUATERNIONS), 0).out
    contains(answer, "well-determined")
    contains(answer, "17 unknowns without a formula: a real solution is proved to exist")
    contains(check_exit(run_text("check-init", RELAYS), 0).out, "well-determined")
    # one of them turned: no start has these angles
    turned = QUATERNIONS.replace("= 1;\n  w =", "= -1;\n  w =")
    assert run_text("check-init", turned).code in (1, 4), turned


def test_a_start_that_belongs_to_no_solution_is_not_proved_as_a_whole():
    """x = 0 and z = 5 satisfy all equations regularly, and z is 1 ever after."""
    text = """model X Real x, z(start = 5, fixed = true);
equation der(x) = 1; x*z = x; end X;"""
    contains(check_exit(run_text("check-init", text), 4).out, "singular at the start")


def test_linear_rows_with_open_coefficients_are_left_open():
    """Whether g(p) is zero no ball tells (its loop ends where doubles do): the two rows are
    linear, and nothing is gained by combining them again and again."""
    text = """package P
    function g input Real u; output Real y; protected Real d;
    algorithm
      y := u; d := u + 1;
      while y < d loop d := y; y := min(y, (y + u/y)/2); end while;
    end g;
    model M parameter Real p = 3; parameter Real a(fixed = false), b(fixed = false); Real x, z;
    initial equation a = g(p); b = g(p + 1); der(x) = 0; der(z) = 0;
    equation der(x) = a*x - b*z + 1; der(z) = b*x + a*z; end M;
    end P;"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    check_exit(run_text("check-init", text, "--model", "P.M"), 4)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5


def test_a_phase_that_a_condition_tells_is_known_when_the_density_is():
    """Two fluids of one pressure: the density is differentiated, the phase, which it is a
    function of, is not, and the phase is told by the enthalpy."""
    text = """package Q
    function boil input Real p; output Real h = 0; protected Real limit = min(p, 20); algorithm
      while h < 1.2*p loop h := h + 0.5*p; end while;
      h := if p > limit then 7 else h; end boil;
    function density input Real p; input Real h; input Integer phase; output Real d = 0;
    algorithm while d < 3*p loop
      d := d + (if phase == 1 then p/h + 1 else p/h^2 + 0.5*p); end while; end density;
    model P Real p[2](each start = 1), h[2](each start = 2), d[2], u[2], m[2], U[2], q, s[2];
      Integer phase[2](each start = 1);
    equation p[1] = p[2];
      for i in 1:2 loop s[i] = p[i]; d[i] = density(p[i], h[i], phase[i]);
        u[i] = h[i] - p[i]/d[i]; m[i] = d[i]; U[i] = m[i]*u[i];
        phase[i] = if h[i] < boil(s[i]) or p[i] > 22 then 1 else 2; end for;
      der(m[1]) = q; der(m[2]) = 1 - q - p[1];
      der(U[1]) = 2*q - (h[1] - 3)*p[1]^2; der(U[2]) = -2*q - (h[2] - 3)*p[2]^2;
    initial equation p = {1, %s}; h = {2, 2.2}; end P; end Q;"""
    good = check_exit(run_text("check-init", text % "1", "--model", "Q.P", "--format", "json"), 0)
    equal((good.json()["verdict"], len(good.json()["redundant"])), ("consistent", 1))
    bad = check_exit(run_text("check-init", text % "2", "--model", "Q.P", "--format", "json"), 1)
    equal(bad.json()["verdict"], "inconsistent")


harness.main(globals())
