"""Command-line tests: run the real program, look at its output, files and exit code.

A test file defines functions whose names start with test_ and ends with
`harness.main(globals())`. The program, the repo and the models come from the environment (set
by meson). The last line is Unity's: "N Tests N Failures N Ignored"."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

PROGRAM = os.environ["DAETOOL"]
ROOT = Path(os.environ["SOURCE_ROOT"])
EXAMPLES = ROOT / "examples"
MODELS = ROOT / "tests" / "models"
# how many times slower the program is than usual: scripts/memcheck says 40
SLOWDOWN = float(os.environ.get("DAETOOL_SLOWDOWN", "1"))
# of long lists of models, where every model takes the same way: all, or one of so many under the
# sanitizers, which are slow
SHARE = 1 if os.environ.get("SANITIZE", "none") == "none" else 4


def patience(seconds):
    """A time that lets the program do what it usually does in that many seconds."""
    return seconds * SLOWDOWN


# seconds after which a process counts as hung: far beyond what a busy machine needs, so
# that its load decides nothing
HANG = 500


def with_more_and_more_time(seconds, attempt):
    """For what a limit of time ends: attempt(limit) is true when the limit left the program
    time to begin. A busy machine gets more."""
    for factor in (1, 5, 25, 100):
        if attempt(str(patience(seconds * factor))):
            return
    raise AssertionError(f"nothing had begun after {seconds * 100} s")


def not_under_memcheck(reason):
    """A test that is about sizes or clocks, which an emulated processor does not have."""
    def mark(function):
        function.ignored = reason if SLOWDOWN > 1 else None
        return function
    return mark


class Result:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.code}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


def run(*arguments, stdin="", env=None, timeout=300, binary=False, cwd=None):
    """Runs daetool; everything is text unless binary. A death by signal has a negative code."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", **(env or {}))
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=given, capture_output=True,
                          env=environment, timeout=patience(timeout), cwd=cwd)
    if not binary:
        done.stdout = done.stdout.decode(errors="replace")
    done.stderr = done.stderr.decode(errors="replace")
    return Result(done)


def has_report():
    """Was the program built with the page of the report?"""
    return "built without the report" not in run("report", "-", stdin="").err


def signals_as_in_a_shell():
    """preexec_fn of programs that get signals: what runs in the background of a script
    hands on that SIGINT is ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)


def main_has_begun(process):
    """Waits until a started daetool holds its signals back, or has ended: before that the
    system still loads it and a signal kills."""
    if SLOWDOWN > 1:
        time.sleep(patience(0.2))  # Valgrind has its own signal mask
        return
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            fields = dict(line.split(":\t", 1) for line in open(
                f"/proc/{process.pid}/status").read().splitlines() if ":\t" in line)
        except OSError:
            return
        if fields["State"].startswith("Z") or int(fields["SigBlk"], 16) >> (signal.SIGTERM - 1) & 1:
            return
    raise AssertionError("the signals are never held back")


def run_text(command, model, *options, **more):
    """Runs a command on a model given as text."""
    return run(command, *options, "-", stdin=model, **more)


def check_exit(result, code):
    assert result.code == code, f"expected exit {code}, got {result!r}"
    return result


def equal(a, b):
    assert a == b, f"{a!r} is not {b!r}"


def contains(text, part):
    assert part in text, f"{part!r} is not in {text[:3000]!r}"


def scratch():
    return tempfile.TemporaryDirectory(prefix="daetool-test-")


def entries_outside():
    """What stands where a test has no business: the repository."""
    folders = (ROOT, EXAMPLES, MODELS, ROOT / "tests" / "cli")
    return {str(folder / name) for folder in folders
            for name in os.listdir(folder) if not name.startswith(("build", "__pycache__"))}


def test_nothing_appears_outside():
    """Every test runs in a folder of its own; a result that lands elsewhere is a mistake
    of the test or of the program."""
    equal(sorted(entries_outside() - ENTRIES_BEFORE), [])


STARTED_IN = os.getcwd()
ENTRIES_BEFORE = entries_outside()


def main(names):
    """Runs the tests in an empty folder, then looks whether anything appeared outside."""
    with scratch() as folder:
        os.chdir(folder)
        try:
            run_all(names | {"test_nothing_appears_outside": test_nothing_appears_outside})
        finally:
            os.chdir(STARTED_IN)


def run_all(names):
    tests = [(n, f) for n, f in names.items() if n.startswith("test_") and callable(f)]
    only = sys.argv[1:]
    failures = ignored = 0
    for name, function in tests:
        if only and name not in only:
            continue
        if getattr(function, "ignored", None):
            ignored += 1
            print(f"{name}:IGNORE: {function.ignored}", flush=True)
            continue
        try:
            function()
            print(f"{name}:PASS", flush=True)
        except Exception as trouble:  # a failing test must not stop the others
            failures += 1
            where = traceback.extract_tb(trouble.__traceback__)[-1]
            print(f"{name}:FAIL: {type(trouble).__name__}: {trouble} "
                  f"({Path(where.filename).name}:{where.lineno})", flush=True)
    print("-----------------------")
    print(f"{len(tests)} Tests {failures} Failures {ignored} Ignored")
    print("FAIL" if failures else "OK", flush=True)
    sys.exit(1 if failures else 0)
