"""Hybrid models of every kind: simulate with radau, with a fixed step, and exported C, compared.

Each model of the folder hybrid is run by radau, by one of the fixed-step methods (each in turn) and
by the exported program of that method. Rows, discrete values, messages and exit codes agree, or
exported C says that it cannot go on: nothing is silently different.
"""

import re
import subprocess
from pathlib import Path

from exported import COMPILER, METHODS, WARNINGS, table
from harness import SHARE, check_exit, equal, main, run, scratch

FOLDER = Path(__file__).parent / "hybrid"

# simulate solves for aliases beforehand, exported C does not (docs/events.md): where a method
# corrects unknowns by a projection, the numbers are those of another matrix
IMPLICIT_ONLY = {"reinitloop2", "peg_like", "clocked2"}
# relations that rounding decides, or that a step of the method is too coarse for
NOT_AS_RADAU = {"enum", "whilefunc", "when_tuple", "nonlin_guard", "hysteresis_pump", "pulse_short",
                "pulse_state"}
# where radau ends with the reason, and fixed steps go on over it
ENDS_WITH_RADAU = {"zeno", "chatter", "reinitloop2"}
# more steps of the iteration than exported C has rounds
NOT_SETTLED = {"counter40"}
ASSERTION, TERMINATED_NOTE = "assertion failed at t = ", "the simulation was terminated at t = "


def number(text, name):
    return re.search(name + r" = ([0-9.e-]+)", text)[1]


def method_of(name, k):
    return "implicit-euler" if name in IMPLICIT_ONLY else METHODS[k % len(METHODS)]


def export_and_run(folder, path, options):
    check_exit(run("export", path, "--prefix", "mm", "-o", f"{folder}/mm.c", *options), 0)
    done = subprocess.run([COMPILER, *WARNINGS, "-O0", "-DMM_MAIN", "mm.c", "-o", "mm", "-lm"],
                          cwd=folder, capture_output=True, text=True)
    equal((done.returncode, done.stdout + done.stderr), (0, ""))
    test = subprocess.run([f"{folder}/mm", "--self-test"], capture_output=True, text=True)
    equal(test.stdout.strip(), "self-test passed")
    return subprocess.run([f"{folder}/mm"], capture_output=True, text=True)


def check_messages(name, simulated, exported):
    """What ends the run, and warnings of assertions, are told alike."""
    for mark, begin in ((ASSERTION, "at t = "), (TERMINATED_NOTE, "terminated at t = ")):
        found = re.search(re.escape(mark) + r"([^\n]*)", simulated.err)
        if found and name != "string":  # its text has a value in it
            assert begin + found[1] in exported.stderr, (name, simulated.err, exported.stderr)
    equal((name, simulated.code == 0), (name, exported.returncode == 0))


def check_rows(name, got, wanted, ended):
    # the row at which an assertion without an event fails is one that only simulate writes
    assert len(got) == len(wanted) or (ended and len(got) == len(wanted) - 1), \
        (name, len(got), len(wanted))
    for a, b in zip(got, wanted):
        for key, value in b.items():
            assert abs(a[key] - value) <= 1e-9*(1 + abs(value)), (name, key, a, b)


def check_end(name, fixed, radau):
    for key, value in radau[-1].items():
        near = 0 if value == int(value) and abs(value) < 100 else 0.1
        assert abs(fixed[-1][key] - value) <= near*(1 + abs(value)) + 0.03, (name, fixed[-1],
                                                                             radau[-1])


def check_model(path, k):
    name = path.stem
    text = path.read_text(encoding="utf-8")
    step, stop = number(text, "Interval"), number(text, "StopTime")
    options = ["--method", method_of(name, k), "--step", step, "--stop", stop]
    radau = run("simulate", str(path), "--tol", "1e-8", "--no-event-rows")
    fixed = run("simulate", str(path), *options, "--interval", step, "--no-event-rows")
    assert radau.code in (0, 5) and fixed.code in (0, 5), (name, radau.err, fixed.err)
    with scratch() as folder:
        program = export_and_run(folder, str(path), options)
    if name in NOT_SETTLED:
        equal((fixed.code, program.returncode), (0, 5))
        return
    check_messages(name, fixed, program)
    check_rows(name, table(program.stdout), table(fixed.out), fixed.code != 0)
    if name in ENDS_WITH_RADAU:
        equal((radau.code, fixed.code), (5, 0))
    else:
        equal((name, radau.code), (name, fixed.code))
        if radau.code == 0 and name not in NOT_AS_RADAU:
            check_end(name, table(fixed.out), table(radau.out))


def check_part(part):
    for k, path in enumerate(sorted(FOLDER.glob("*.mo"))):
        if k % 4 == part and k // 4 % SHARE == 0:
            check_model(path, k // 4)


def test_exported_c_does_what_simulate_does_first_quarter():
    check_part(0)


def test_exported_c_does_what_simulate_does_second_quarter():
    check_part(1)


def test_exported_c_does_what_simulate_does_third_quarter():
    check_part(2)


def test_exported_c_does_what_simulate_does_last_quarter():
    check_part(3)


main(globals())
