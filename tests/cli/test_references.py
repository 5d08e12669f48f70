"""The published problems, from their text, against the independent
high-precision runs of bench/references."""

import csv
import io
import math
import sys
from pathlib import Path

from harness import EXAMPLES, ROOT, check_exit, main, run

sys.path.insert(0, str(ROOT / "bench" / "simulate"))
from problems import PROBLEMS, digits_of, load_references  # noqa: E402

REFERENCES = load_references()

# tolerance, and the digits wanted in each group of variables there
WANTED = {
    "pendulum": ("1e-7", [6.0, 3.5, 5.0]),
    "double_pendulum": ("1e-7", [7.0, 6.5, 7.0]),
    "slider_crank": ("1e-7", [7.0, 6.5, 7.0]),
    "car_axis": ("1e-7", [6.5, 4.0, 6.0]),
    "andrews": ("1e-7", [7.0, 6.0, 6.5]),
    "chain": ("1e-7", [5.0, 5.0, 5.0]),
    "fekete": ("1e-7", [6.0, 7.0, 7.0]),
    "ring_modulator": ("1e-7", [4.0, 2.5, 4.0]),
    "transistor_amplifier": ("1e-7", [5.5]),
    "akzo_nobel": ("1e-7", [6.0, 6.0]),
    "robertson": ("1e-7", [5.5]),
    "van_der_pol": ("1e-7", [5.0, 5.0]),
}


def digits_at(problem, tolerance):
    model = EXAMPLES / PROBLEMS[problem][0]
    out = check_exit(run("simulate", model, "--tol", tolerance, "--stop",
                         repr(REFERENCES[problem][0]), "--intervals", "1"), 0).out
    rows = list(csv.reader(io.StringIO(out)))
    return digits_of(problem, {n: float(v) for n, v in zip(rows[0], rows[-1])}, REFERENCES)


def check(problem):
    tolerance, wanted = WANTED[problem]
    digits = digits_at(problem, tolerance)
    assert len(digits) == len(wanted) and all(d >= w for d, w in zip(digits, wanted)), (
        problem, digits, wanted)


def test_index_3():
    for problem in ("pendulum", "double_pendulum", "slider_crank", "car_axis", "andrews", "chain"):
        check(problem)


def test_index_2():
    for problem in ("fekete", "ring_modulator"):
        if problem in REFERENCES:
            check(problem)


def test_index_1_and_0():
    for problem in ("transistor_amplifier", "akzo_nobel", "robertson", "van_der_pol"):
        check(problem)


def test_tight_tolerance_reaches_ten_digits():
    for problem in ("double_pendulum", "slider_crank", "car_axis", "akzo_nobel"):
        digits = digits_at(problem, "1e-11")
        assert min(digits[0], digits[-1]) >= 10, (problem, digits)


def test_references_agree_with_what_was_published():
    """The stored values are those of the test set to the digits that the test set has."""
    least = {"car_axis": 9, "andrews": 5.5, "fekete": 10, "transistor_amplifier": 12,
             "akzo_nobel": 14, "van_der_pol_scaled": 13, "robertson_40": 9}
    worst = {}
    for line in (ROOT / "bench" / "references" /
                 "published.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            problem, name, value = line.split()
            ours = REFERENCES[problem][1][name]
            worst[problem] = min(worst.get(problem, 99),
                                 -math.log10(abs(float(value) - ours) / abs(ours) + 1e-16))
    assert worst.keys() == least.keys() and all(worst[p] >= least[p] for p in least), worst


def test_references_are_good_to_fourteen_digits():
    for line in (Path(ROOT) / "bench" / "references" /
                 "values.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            # the voltage of a blocking diode is known to eleven
            wanted = 11 if line.startswith("ring_modulator") else 14
            assert int(line.split()[4]) >= wanted, line


main(globals())
