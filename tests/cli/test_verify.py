"""--verify: positive answers of analyze, reduce and check-init, checked again by code that shares
nothing with what found them; and answers that this has shown to be false."""

import json

from harness import EXAMPLES, SHARE, check_exit, contains, equal, main, run, run_text


def verified(command, text, *options, code=0):
    result = run_text(command, f"model V {text} end V;", "--verify", "--format", "json", *options)
    check_exit(result, code)
    return json.loads(result.out).get("verified"), result


def test_every_answer_about_the_examples_is_confirmed():
    for path in sorted(EXAMPLES.glob("*.mo"))[::SHARE]:
        if path.stem != "car_axis_overdetermined":
            found = check_exit(run("analyze", "--verify", "--format", "json", path), 0).json()
            equal(found["verified"], {"certificate": "holds"})
        equal(check_exit(run("reduce", "--verify", path), 0).err, "")
        found = check_exit(run("check-init", "--verify", "--format", "json", path), 0).json()
        equal(found["proofs"], "verified")
        equal(found["verified"]["start"], "holds")


def test_reduced_forms_are_checked_where_they_have_a_point():
    """The start is no such point where a factor vanishes there; Newton's method alone does not
    find one where sinh grows out of reach."""
    for text in ("Real z, x(start = 1); equation (time - 0.3)*z = (time - 0.3)*cos(time); "
                 "der(x) = z - x; annotation(experiment(StartTime = 0.3));",
                 "Real x(start = 1), y(start = 2), z, w; equation sinh(x*der(y) + y*der(x)) + w + z "
                 "= 3 + cos(time); log(x*y) = sin(time); der(z) = 3*x; der(w) = z - 3*w;"):
        equal(check_exit(run_text("reduce", f"model R {text} end R;", "--verify"), 0).err, "")


def test_it_is_told_as_text_too():
    contains(check_exit(run("analyze", "--verify", EXAMPLES / "pendulum.mo"), 0).out,
             "\nverified: the certificate holds\n")
    out = check_exit(run("check-init", "--verify", EXAMPLES / "pendulum.mo"), 0).out
    contains(out, "\nverified: the start holds\nverified: the certificate holds\n")
    assert "verified" not in run("analyze", EXAMPLES / "pendulum.mo").out


def test_determinants_without_zeros_are_looked_at_again():
    """Blocks whose matrices depend on variables: sums of squares, exponentials, cases."""
    for block in ("(2 + sin(x))*y + z = x; (x^2 - x*y/9 + 3)*z - y = 1",
                  "exp(y) + exp(y - z) = 2 + x^2; z + exp(z - y) = x",
                  "(if x > y then 2 else 3)*y + z = x; z - (if x > y then 1 else 5)*y = 2",
                  "y^3 + y + z = x; z^5 + 2*z - y = sin(x)"):
        text = f"Real x(start = 1, fixed = true), y, z; equation der(x) = -x; {block};"
        found, result = verified("analyze", text)
        equal(found, {"certificate": "holds"})
        assert result.json()["certificate"]["kind"] in ("everywhere", "point"), block


def test_functions_with_loops_and_tables_are_checked_again():
    text = """function power input Real x; input Integer n; output Real y = 1; algorithm
      for i in 1:n loop y := y*x; end for; end power;
    model M Real x(start = 1, fixed = true), y(start = 1); equation der(x) = -x;
      power(y, 5) + y*power(y, 2) = 2*x + 0.3; end M;"""
    for command in ("analyze", "check-init"):
        result = check_exit(run_text(command, text, "--verify", "--format", "json"), 0).json()
        equal(set(result["verified"].values()), {"holds"})


def test_starts_where_no_ball_tells_are_checked_in_exact_numbers():
    for text in ("Real x(start = 0, fixed = true); equation der(x) = sqrt(x) + 1;",
                 "Real x(start = 1); initial equation (x - 1)^2 = 0; equation der(x) = -x;",
                 "Real x(start = 1); initial equation abs(x) + x^2 = 0; equation der(x) = -x;",
                 "Real x(start = 1); initial equation max(2*x, x) = 0; equation der(x) = -x;",
                 "Real y; equation time*y = sin(time);"):
        equal(verified("check-init", text)[0], {"start": "holds", "certificate": "holds"})


def test_proofs_are_checked_at_the_start_time_that_was_asked_for():
    text = ("Real x(start = 1, fixed = true); initial equation x = cos(time - 5); "
            "equation der(x) = -x;")
    found, result = verified("check-init", text, "--start", "5")
    equal((found["start"], result.json()["proofs"]), ("holds", "verified"))


def test_a_regular_block_without_a_solution_is_no_start():
    """x^2 + exp(...) >= 0.49 everywhere, and -0.2 on the right: the Jacobian is regular where the
    equations have solutions, which is nowhere."""
    n = 12
    rows = "".join(f"x[{i}]^2 + sin(x[{i%n + 1}])*cos(x[{(i + 3)%n + 1}])/2 "
                   f"+ exp(x[{(i + 5)%n + 1}]/9) = time - 0.2;" for i in range(1, n + 1))
    text = f"model N Real x[{n}]; equation {rows} end N;"
    found = check_exit(run_text("check-init", text, "--format", "json"), 4).json()
    equal((found["verdict"], found["implicit"]["solution"]), ("undecided", "not proved"))
    # and at a time at which they have one they have it
    found = check_exit(run_text("check-init", text, "--start", "2", "--format", "json"), 0).json()
    equal((found["verdict"], found["implicit"]["solution"]), ("well-determined", "proved"))


def test_a_solution_on_the_edge_of_a_branch_is_not_the_only_one():
    """max(x, 0) = 0 holds for every x <= 0; max(2*x, x) = 0 for 0 alone."""
    for equation in ("max(0, x) = 0", "max(x, 0) = 0", "x + abs(x) = 0", "min(x, 2) = 2"):
        for start in (1, 3):
            text = f"model E Real x(start = {start}); initial equation {equation}; " \
                   "equation der(x) = -x; end E;"
            result = run_text("check-init", text, "--format", "json")
            assert result.json()["verdict"] not in ("well-determined", "consistent"), equation
    for equation in ("max(2*x, x) = 0", "abs(x) = 0", "abs(x - 2) = 1",
                     "(if x > 1 then 2*x - 1 else x) = 1"):
        text = f"model E Real x(start = 1); initial equation {equation}; " \
               "equation der(x) = -x; end E;"
        equal(check_exit(run_text("check-init", text, "--format", "json"), 0).json()["verdict"],
              "well-determined")


def test_an_equation_that_says_nothing_at_the_start_leaves_nothing_to_be_chosen():
    """dof is 0: no condition is missing, and the value at the start is a limit."""
    for equation in ("time*y = abs(time)", "exp(y*time) = 1 + time"):
        text = f"model T Real y; equation {equation}; end T;"
        found = check_exit(run_text("check-init", text, "--format", "json"), 4).json()
        equal((found["verdict"], found["dof"], found["missing"]), ("undecided", 0, 0))
        contains(found["undecided"], "says nothing")


def test_a_triple_root_begins_where_it_is():
    text = """model R Real x; initial equation ((0.5*x + 1) - 0.1)^3*exp(0.5*x + 1) = 0;
      equation der(x) = 1; end R;"""
    row = check_exit(run_text("simulate", text, "--intervals", "1"), 0).out.splitlines()[1]
    assert abs(float(row.split(",")[1]) + 1.8) < 1e-12, row


def test_derivatives_that_only_choose_a_branch_are_part_of_the_start():
    """Sigma does not count der(x) in a condition; the value hangs on it all the same. x = 2*time
    would need der(x) < 1.5, and x = time der(x) >= 1.5: neither is a solution."""
    never = "Real x; equation x = time*(if der(x) < 1.5 then 2 else 1);"
    equal(check_exit(run_text("check-init", f"model N {never} end N;", "--format", "json"),
                     1).json()["verdict"], "inconsistent")
    # der(x) + der(y) = -2 makes the factor 2, the absolute value 2, and x = -1
    text = ("Real x(start = X, fixed = true), y; equation x + y = -2*time; "
            "abs(der(x) + der(y))*(if der(x) + der(y) > 0 then 1 else 2) + x = 3;")
    equal(verified("check-init", text.replace("X", "-1"))[0]["start"], "holds")
    for wrong in ("1", "5"):
        result = run_text("check-init", f"model V {text.replace('X', wrong)} end V;",
                          "--verify-proofs", "--format", "json")
        equal(check_exit(result, 1).json()["proofs"], "verified")
    free = "Real x, y; equation x = sin(time) + (if der(x) > der(y) then 1 else 2); y = time/2;"
    found, result = verified("check-init", free)
    equal((found["start"], result.json()["verdict"]), ("holds", "well-determined"))


if __name__ == "__main__":
    main(globals())
