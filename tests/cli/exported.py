"""Exported C beside simulate, for the tests of exported C."""

import csv
import io
import shutil
import subprocess

from harness import SHARE, check_exit, equal, run, scratch

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
COMPILER = shutil.which("gcc") or "cc"
OPTIMIZATION = "-O1" if SHARE == 1 else "-O0"  # the sanitizers do not look at exported programs
METHODS = ("euler", "implicit-euler", "ab3", "bdf3")


def table(text):
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]


def compiled(folder, text, *options, flags=()):
    """The exported program; mm.c and mm.h are in the folder."""
    with open(f"{folder}/model.mo", "w", encoding="utf-8") as file:
        file.write(text)
    check_exit(run("export", f"{folder}/model.mo", "--prefix", "mm", "-o", f"{folder}/mm.c",
                   *options), 0)
    with open(f"{folder}/mm.c", encoding="utf-8") as file:
        source = file.read()
    libraries = ["-llapack", "-lm"] if "-llapack" in source else ["-lm"]
    done = subprocess.run([COMPILER, *WARNINGS, OPTIMIZATION, "-DMM_MAIN", *flags, "mm.c", "-o",
                           "mm", *libraries], cwd=folder, capture_output=True, text=True)
    equal((done.returncode, done.stdout + done.stderr), (0, ""))
    return f"{folder}/mm"


def check_same(text, step, stop, methods=METHODS, error=1e-10):
    """Every row of the program against the row of simulate; returns the last one."""
    with scratch() as folder:
        for method in methods:
            options = ["--method", method, "--step", step, "--stop", stop]
            program = compiled(folder, text, *options)
            test = subprocess.run([program, "--self-test"], capture_output=True, text=True)
            equal(test.stdout.strip(), "self-test passed")
            done = subprocess.run([program], capture_output=True, text=True)
            equal(done.returncode, 0)
            got = table(done.stdout)
            wanted = table(check_exit(run("simulate", f"{folder}/model.mo", *options, "--interval",
                                          step, "--no-event-rows"), 0).out)
            equal(len(got), len(wanted))
            for a, b in zip(got, wanted):
                equal(sorted(a), sorted(b))
                for name, value in b.items():
                    assert abs(a[name] - value) <= error*(1 + abs(value)), (method, name, a, b)
    return got[-1]
