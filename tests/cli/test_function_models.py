"""Models made of functions, records and algorithms, each with answers that are known by hand.

`// expect: y = 1; z = sqrt(2)` in a model says what its variables are at time 1. Every model is
read, printed, and read again: `show` of what `show` prints is the same text."""

import csv
import io
import math
import re
import shutil
import subprocess

from pathlib import Path

from harness import MODELS, check_exit, main, run, scratch

FOLDER = MODELS / "functions"
COMPILER = shutil.which("gcc") or "cc"
# bodies, loops, recursion, selections: the kinds of code that are compiled
COMPILED = ("bisect", "recurrt", "gauss", "interp", "rk4", "quad", "sort", "enums", "algtime")


def models():
    found = sorted(FOLDER.glob("*.mo"))
    assert len(found) >= 50, len(found)
    return found


def expected(path):
    text = path.read_text()
    values = {}
    for line in re.findall(r"// expect:(.*)", text):
        for part in filter(str.strip, line.split(";")):
            name, value = part.split("=", 1)
            values[name.strip()] = float(eval(value, vars(math).copy()))
    return values


def check_last(path, table, tolerance):
    last = list(csv.DictReader(io.StringIO(table)))[-1]
    for name, wanted in expected(path).items():
        if name in last:  # exported programs write no parameters
            got = float(last[name])
            good = abs(got - wanted) <= tolerance * max(1, abs(wanted))
            assert good, (path.name, name, got, wanted)


def test_values_are_those_known_by_hand():
    for path in models():
        result = check_exit(run("simulate", path, "--tol", "1e-9"), 0)
        assert expected(path).keys() <= set(next(csv.reader(io.StringIO(result.out)))), path
        check_last(path, result.out, 1e-6)


def test_show_reads_back_to_itself_with_the_same_values():
    for path in models():
        text = check_exit(run("show", path), 0).out
        again = check_exit(run("show", "-", stdin=text), 0).out
        assert text == again, path
        result = check_exit(run("simulate", "-", "--tol", "1e-9", stdin=text), 0)
        check_last(path, result.out, 1e-6)


def test_compiled_code_gives_the_same_bytes():
    for name in COMPILED:
        path = FOLDER / f"{name}.mo"
        plain = check_exit(run("simulate", path), 0).out
        assert plain == check_exit(run("simulate", path, "--native"), 0).out, name


def test_exported_programs_have_the_same_values_and_no_warnings():
    with scratch() as name_of_folder:
        folder = Path(name_of_folder)
        for name in COMPILED:
            path = FOLDER / f"{name}.mo"
            check_exit(run("export", path, "--method", "ab3", "--step", "0.001", "--prefix", "m",
                           "-o", folder / "m.c"), 0)
            subprocess.run([COMPILER, "-O0", "-std=c99", "-Wall", "-Wextra", "-Werror",
                            "-DM_MAIN", "m.c", "-o", "m", "-lm"], cwd=folder, check=True)
            table = subprocess.run([folder / "m"], capture_output=True, text=True, check=True)
            check_last(path, table.stdout, 1e-4)


main(globals())
