"""Every include between folders of src/ against the table of docs/architecture.md, foreign
libraries against their homes, and every header for compiling alone."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["SOURCE_ROOT"])
SRC = ROOT / "src"

BELOW_START = {"base", "numeric", "terms", "algebra", "model", "simplify", "structural",
               "initial", "qlt", "proof", "initcheck", "eval", "solver"}
MAY_SEE = {
    "base": set(),
    "terms": {"base"},
    "parser": {"base"},
    "lang": {"base", "parser"},
    "algebra": {"base", "terms"},
    "model": {"base", "terms"},
    "table": {"base", "terms"},
    "matrix": {"base", "terms"},
    "reader": {"base", "parser", "lang", "terms", "model", "table", "matrix"},
    "numeric": {"base"},
    "simplify": {"base", "terms", "model"},
    "structural": {"base", "terms", "algebra", "model"},
    "hybrid": {"base", "terms", "model", "structural"},  # of structural: graph.h
    "initial": {"base", "terms", "algebra", "model", "structural"},
    "qlt": {"base", "numeric", "terms", "algebra", "model", "structural"},
    "proof": {"base", "terms", "model"},
    # of algebra: which headers Arb has, nothing that links
    "proofcheck": {"base", "terms", "model", "proof", "algebra"},
    "initcheck": {"base", "numeric", "terms", "algebra", "model", "structural", "proof",
                  "initial"},
    "eval": {"base", "terms"},
    "solver": {"base", "numeric"},  # and eval/evaluator.h, nothing else of eval
    "instant": {"base", "numeric", "terms", "model", "hybrid", "eval"},
    "start": BELOW_START,
    "export": {"base", "terms", "eval", "solver"},  # of solver: solver.h and plan.h
    "pipeline": BELOW_START | {"reader", "hybrid", "instant", "start", "export", "proofcheck"},
    "report": BELOW_START | {"proofcheck"},  # result headers
    "simple": BELOW_START | {"pipeline", "proofcheck", "report"},
    "cli": BELOW_START | {"parser", "lang", "pipeline", "proofcheck", "report"},
}
# Of a room these headers only.
NARROW = {
    ("hybrid", "structural"): {"structural/graph.h"},
    ("export", "solver"): {"solver/solver.h", "solver/plan.h"},
    ("proofcheck", "algebra"): {"algebra/flint-compat.h"},
}
# A foreign library has a home.
HOMES = {
    r"gmp\.h": {"terms", "algebra", "proofcheck"},
    r"(flint/|arb|acb|calcium/|fmpz|fmpq|nmod|ca\.h|qqbar)": {"algebra", "proofcheck"},
    r"zlib\.h": {"report", "table"},
    r"gsl/": {"table"},
    r"(suitesparse/|klu\.h|btf\.h|amd\.h|colamd\.h|cholmod\.h)": {"numeric", "solver"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)

results = []


def claim(name, troubles):
    results.append(bool(troubles))
    print(f"{name}:{'FAIL: ' + '; '.join(troubles[:10]) if troubles else 'PASS'}")


def files():
    return sorted(p for p in SRC.rglob("*.[ch]"))


def test_includes_follow_the_table():
    troubles = []
    for path in files():
        room = path.relative_to(SRC).parts[0]
        for kind, what in INCLUDE.findall(path.read_text(errors="replace")):
            if kind == "<" or "/" not in what:
                continue
            other = what.split("/")[0]
            if other == room or what == "eval/evaluator.h":
                continue
            if other not in MAY_SEE[room] or what.endswith("-priv.h"):
                troubles.append(f"{path.relative_to(ROOT)} includes {what}")
            elif what not in NARROW.get((room, other), {what}):
                troubles.append(f"{path.relative_to(ROOT)} includes {what}")
    claim("test_includes_follow_the_table", troubles)


def test_foreign_libraries_stay_at_home():
    troubles = []
    for path in files():
        room = path.relative_to(SRC).parts[0]
        for kind, what in INCLUDE.findall(path.read_text(errors="replace")):
            for pattern, home in HOMES.items():
                if kind == "<" and re.match(pattern, what) and room not in home:
                    troubles.append(f"{path.relative_to(ROOT)} includes {what}")
    claim("test_foreign_libraries_stay_at_home", troubles)


def test_every_header_compiles_alone():
    flags = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], capture_output=True,
                           text=True).stdout.split()
    with tempfile.TemporaryDirectory() as scratch:
        # one translation unit per header costs a process each; -fsyntax-only keeps it short
        troubles = []
        for path in sorted(SRC.rglob("*.h")):
            unit = Path(scratch) / "unit.c"
            unit.write_text(f'#include "{path.relative_to(SRC)}"\n')
            done = subprocess.run(["cc", "-std=gnu17", "-D_GNU_SOURCE", "-fsyntax-only", "-I",
                                   str(SRC), "-I", str(ROOT / "include"), *flags, str(unit)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                troubles.append(f"{path.relative_to(ROOT)}: {done.stderr.splitlines()[0]}")
    claim("test_every_header_compiles_alone", troubles)


test_includes_follow_the_table()
test_foreign_libraries_stay_at_home()
test_every_header_compiles_alone()
print(f"{len(results)} Tests {sum(results)} Failures 0 Ignored")
sys.exit(1 if any(results) else 0)
