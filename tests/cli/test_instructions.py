"""From text to result in instructions, not seconds: twice the model may cost at most 2^1.2 as
much, whatever the loop is that grew (valgrind counts; tests/pipeline/test_growth.c counts terms).
What an empty model costs is taken off. In optimized builds an equation of a field has a budget as
well, a tenth above what it costs with gcc 12: another pass over all equations is noticed.
Certificates of large systems have a share of the whole command."""

import functools
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

sys.path.insert(0, str(harness.ROOT / "bench" / "scale"))
import models  # noqa: E402

MOST_GROWTH = 1.2
EMPTY = "model Empty\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Empty;\n"
BEFORE_THE_FIRST_STEP = ["--stop", "0", "-o", os.devnull]


def instructions(text, verb, options, environment=None, code=0):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mo"
        path.write_text(text, encoding="utf-8")
        out = [str(Path(folder) / "x.csv") if o == os.devnull else o for o in options]
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             harness.PROGRAM, verb, str(path), *out],
            capture_output=True, text=True, timeout=harness.HANG, check=False, env=environment)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    assert done.returncode == code and found, done.stderr[-2000:]
    return int(found.group(1).replace(",", ""))


@functools.lru_cache(maxsize=None)
def instructions_of_empty(verb):
    return instructions(EMPTY, verb, BEFORE_THE_FIRST_STEP if verb == "simulate" else [])


def check(verb, kind, n):
    options = BEFORE_THE_FIRST_STEP if verb == "simulate" else []
    empty = instructions_of_empty(verb)
    small, large = (instructions(kind(size), verb, options) - empty for size in (n, 2*n))
    growth = math.log2(large / small)
    assert growth <= MOST_GROWTH, f"{small} instructions, then {large}: n^{growth:.2f}"


def check_budget(kind, n, most, verb="simulate"):
    """For each equation as it is written; simulate up to the first step."""
    options = BEFORE_THE_FIRST_STEP if verb == "simulate" else []
    whole = instructions(kind(n), verb, options, plain_environment())
    each = (whole - instructions(EMPTY, verb, options, plain_environment()))/n
    assert each <= most, f"{each:.0f} instructions an equation"


def counted(function):
    """Needs valgrind, and a program that does not run in it already."""
    function = harness.not_under_memcheck("runs valgrind itself")(function)
    if not shutil.which("valgrind"):
        function.ignored = "valgrind is not installed"
    return function


def budgeted(function):
    function = counted(function)
    if os.environ.get("OPTIMIZATION", "3") not in ("2", "3"):
        function.ignored = "not optimized"
    return function


@budgeted
def test_budget_of_rod():
    check_budget(models.rod, 2000, 108000)


@budgeted
def test_budget_of_brusselator():
    check_budget(models.brusselator, 2000, 211000)


@budgeted
def test_budget_of_grid():
    check_budget(models.grid, 1936, 241000)


@budgeted
def test_budget_of_relative_coordinates():
    """For each of ten bodies: polynomials of twenty unknowns are no sums of squares."""
    check_budget(models.relative, 10, 8_200_000, "analyze")


@budgeted
def test_budget_of_loop():
    """For each body: five equations, of which the torn ones depend on all bodies."""
    check_budget(models.loop, 50, 14_000_000, "reduce")


def plain_environment():
    """Without meson's MALLOC_PERTURB_, which fills all memory that is taken and freed."""
    return {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}


@budgeted
def test_budget_of_reading():
    """For each equation of a flat text, with its variable and parameter: read and printed. A
    twentieth above: types resolved for each declaration anew, words read byte by byte with a
    comparison for each class, lines looked for likewise would be a tenth."""
    each = (instructions(models.flat_ladder(2000), "show", [], plain_environment())
            - instructions(EMPTY, "show", [], plain_environment()))/2000
    assert each <= 76300, f"{each:.0f} instructions an equation"


def heap_peak(text, verb):
    """Bytes that were asked for at most at one time, as massif counts them."""
    with tempfile.TemporaryDirectory() as folder:
        path, counts = Path(folder) / "model.mo", Path(folder) / "counts"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["valgrind", "--tool=massif", f"--massif-out-file={counts}",
             harness.PROGRAM, verb, str(path), "-o", str(Path(folder) / "out")],
            capture_output=True, text=True, timeout=harness.HANG, check=False,
            env=plain_environment())
        assert done.returncode == 0, done.stderr[-2000:]
        return max(map(int, re.findall(r"mem_heap_B=(\d+)", counts.read_text(encoding="utf-8"))))


@budgeted
def test_memory_of_reading():
    """For each equation of a flat text, with its variable and parameter, the text and what is
    printed of it included. A twentieth above: the code of each unit and limit for itself, or
    entities with gaps, would be more."""
    each = (heap_peak(models.flat_ladder(15000), "show") - heap_peak(EMPTY, "show"))/15000
    assert each <= 2110, f"{each:.0f} bytes an equation"


def check_example(name, most):
    text = (harness.ROOT / "examples" / f"{name}.mo").read_text(encoding="utf-8")
    found = instructions(text, "simulate", BEFORE_THE_FIRST_STEP, plain_environment())
    assert found <= most, f"{found} instructions"


@budgeted
def test_budget_of_andrews_squeezer():
    """A tenth above: simplifying numerators that are not taken would be a quarter."""
    check_example("andrews_squeezer", 183_000_000)


@budgeted
def test_budget_of_andrews_certificate():
    """A tenth above: proofs of signs for equations with sines that take both would be twelve
    times as many."""
    text = (harness.ROOT / "examples" / "andrews_squeezer.mo").read_text(encoding="utf-8")
    found = instructions(text, "analyze", [], plain_environment())
    assert found <= 71_000_000, f"{found} instructions"


@budgeted
def test_budget_of_a_minimal_conflict():
    """A quarter above: solutions of what is left when one equation is taken away, searched for and
    enclosed, would be eight times as many."""
    text = """model A
  Real a(start = 3), b(start = 1), c(start = 0.5), d(start = 1);
initial equation
  a = 3; d = 2;
equation
  der(a) = -a; a^2 + b^2 = 10; sin(c) + 2*c = b; d^3 + d + sin(d) = c + a;
end A;"""
    found = instructions(text, "check-init", [], plain_environment(), code=1)
    assert found <= 420_000_000, f"{found} instructions"


@budgeted
def test_budget_of_fekete():
    """A twentieth above: one denominator for all forces would be a tenth."""
    check_example("fekete", 1_080_000_000)


@budgeted
def test_certificates_are_a_fifth_of_the_rest_at_most():
    with tempfile.TemporaryDirectory() as name:
        path, counts = Path(name) / "model.mo", Path(name) / "counts"
        path.write_text(models.pendula(4000), encoding="utf-8")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
             harness.PROGRAM, "analyze", str(path)],
            capture_output=True, text=True, timeout=harness.HANG, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        table = subprocess.run(["callgrind_annotate", "--inclusive=yes", str(counts)],
                               capture_output=True, text=True, check=True).stdout
    whole, part = (int(re.search(r"([\d,]+) \([^)]*\) .*" + what, table).group(1).replace(",", ""))
                   for what in ("PROGRAM TOTALS", r":dae_sig_certify\b"))
    assert 0 < part <= 0.2*(whole - part), f"{part} of {whole} instructions"


@counted
def test_simulate_rod():
    check("simulate", models.rod, 500)


@counted
def test_simulate_brusselator():
    check("simulate", models.brusselator, 500)


@counted
def test_simulate_grid():
    check("simulate", models.grid, 400)


@counted
def test_analyze_random_sparse():
    check("analyze", models.random_sparse, 500)


@counted
def test_check_init_capacitor_grid():
    check("check-init", models.capacitor_grid, 1200)


@counted
def test_check_init_parallel_capacitors():
    check("check-init", models.parallel_capacitors, 500)


@counted
def test_show_flat_ladder():
    check("show", models.flat_ladder, 1000)


@counted
def test_show_ladder_of_components():
    check("show", models.component_ladder, 1200)


@counted
def test_analyze_pendula():
    check("analyze", models.pendula, 1000)


@counted
def test_analyze_straight_chain():
    """The point of its certificate is found row by row, not in one dense system."""
    check("analyze", models.straight_chain, 60)


@counted
def test_reduce_chain():
    check("reduce", models.chain, 50)


harness.main(globals())
