"""--keep-loops: overconstrained connection loops with all their equations. The mechanism is in
tests/library/Small/Planar.mo."""

import csv
import json
from math import pi, remainder

from harness import ROOT, check_exit, contains, equal, main, run

LIBRARY = str(ROOT / "tests" / "library")
FOURBAR = ("Small.Planar.Fourbar", "--library", LIBRARY)


def last_row(*options):
    result = check_exit(run("simulate", *FOURBAR, "--stop", "1", "--intervals", "1",
                            "--variables", "j1.phi,j3.phi,mass.a.x,mass.a.y", *options), 0)
    return [float(x) for x in list(csv.reader(result.out.splitlines()))[-1]], result.err


def test_a_loop_is_cut_once():
    text = check_exit(run("show", *FOURBAR), 0).out
    equal(text.count("rocker.a.d.s = j4.b.d.s") + text.count("j4.b.d.s = rocker.a.d.s"), 1)
    data = json.loads(check_exit(run("analyze", *FOURBAR, "--format", "json"), 0).out)
    equal((data["status"], data["dof"]), ("success", 2))


def test_all_equations_are_kept_and_the_redundant_ones_found():
    result = check_exit(run("reduce", *FOURBAR, "--keep-loops", "--format", "json"), 0)
    data = json.loads(result.out)
    equal(data["dof"], 2)
    assert len(data["dropped"]) >= 1, data["dropped"]
    for dropped in data["dropped"]:
        assert "zero wherever" in dropped["proof"] or "numerically" in dropped["proof"], dropped
        equal(dropped["proved"], "zero wherever" in dropped["proof"])


def test_the_closing_equation_of_a_loop_is_proved_on_its_branch():
    """c = d does not follow from s = t where both are cosine and sine of an angle: half a turn is
    left open. Where c + d is not zero it does."""
    data = json.loads(check_exit(run("reduce", *FOURBAR, "--keep-loops", "--format", "json"),
                                 0).out)
    closing = [d for d in data["dropped"] if d["order"] == [0]]
    equal(len(closing), 1)
    assert closing[0]["proved"], closing
    equal(closing[0]["expression"], "-rocker.b.d.c + j3.a.d.c")
    equal(closing[0]["where_nonzero"], "-rocker.b.d.c - j3.a.d.c")
    text = check_exit(run("reduce", *FOURBAR, "--keep-loops"), 0).out
    contains(text, "it is zero wherever the other constraints are and -rocker.b.d.c - j3.a.d.c "
             "is not")


def test_loops_of_reference_angles_are_proved_everywhere():
    model = ("Small.Phasors.Parallel", "--library", LIBRARY)
    data = json.loads(check_exit(run("reduce", *model, "--keep-loops", "--format", "json"), 0).out)
    equal(len(data["dropped"]), 2)
    for dropped in data["dropped"]:
        contains(dropped["expression"], "reference.gamma")
        equal((dropped["proved"], dropped.get("where_nonzero")), (True, None))
    cut = check_exit(run("simulate", *model, "--stop", "0.1"), 0).out
    kept = check_exit(run("simulate", *model, "--stop", "0.1", "--keep-loops"), 0).out
    for a, b in zip(csv.reader(cut.splitlines()[1:]), csv.reader(kept.splitlines()[1:])):
        for x, y in zip(a, b):
            assert abs(float(x) - float(y)) < 1e-9, (a, b)


def test_the_motion_is_the_same():
    cut, _ = last_row()
    # one closing equation follows from the others on this branch only: the start must meet it
    kept, _ = last_row("--keep-loops")
    for k in (1, 3, 4):
        assert abs(cut[k] - kept[k]) < 1e-6, (cut, kept)
    # the residue of a cut loop allows half a turn; whole turns are the same place
    assert abs(remainder(kept[2] - kept[1], 2*pi)) < 1e-6, kept


def test_analyze_does_not_call_it_a_mistake():
    result = check_exit(run("analyze", *FOURBAR, "--keep-loops"), 4)
    contains(result.err, "'daetool reduce --keep-loops' says which of them follow from the others")


main(globals())
