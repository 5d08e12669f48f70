"""Positive answers of analyze, reduce and check-init only where there is a solution: blocks that
are regular wherever they have one, more equations than variables, parameters that the
initialization determines."""

import json

from harness import check_exit, contains, equal, main, run_text


def answer(command, text, code, *options):
    result = check_exit(run_text(command, text, "--format", "json", *options), code)
    return json.loads(result.out)


# ---- blocks behind others --------------------------------------------------------------------

BLOCKS = [("exp(x) = -y", "y = -2 - time", "y = 2 + time"),
          ("atan(x) = y", "y = 1", "y = 3"),
          ("der(z) = x; exp(z) + exp(3*z) = y", "y = 2 + sin(time)", "y = sin(time) - 2")]


def test_a_determinant_without_zeros_needs_a_solution_of_blocks_behind_others():
    for law, right, wrong in BLOCKS:
        declared = "Real x(start = 0.5), y" + (", z" if "z" in law else "")
        good = f"model A {declared}; equation {law}; {right}; end A;"
        bad = f"model A {declared}; equation {law}; {wrong}; end A;"
        found = answer("analyze", good, 0, "--verify")
        equal(found["certificate"]["kind"], "everywhere")
        check_exit(run_text("reduce", good), 0)
        equal(answer("analyze", bad, 4)["status"], "undecided")
        check_exit(run_text("reduce", bad), 4)
        check_exit(run_text("check-init", bad), 1)


main(globals())
