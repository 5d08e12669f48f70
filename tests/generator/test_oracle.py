"""Can the campaign fail? Each answer of daetool is falsified in one way, and the campaign has
to notice it; the models cover what is promised of them.

    test_oracle.py PROGRAM"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generate  # noqa: E402

HERE = Path(__file__).parent
PROGRAM = sys.argv[1]
# a program that hands on daetool's answer with one lie in it
LIAR = """#!{python}
import subprocess, sys
done = subprocess.run([{program!r}] + sys.argv[1:], capture_output=True, text=True)
command, out, code = sys.argv[1], done.stdout, done.returncode
{lie}
sys.stdout.write(out)
sys.stderr.write(done.stderr)
sys.exit(code)
"""
LIES = {
    "none": ("pass", False),
    "verdict":
    ("""if command == "check-init": out = out.replace('"well-determined"', '"consistent"')""",
     True),
    "contradiction accepted":
    ("""if command == "check-init": out = out.replace('"inconsistent"', '"well-determined"')""",
     True),
    "redundancy not seen":
    ("""if command == "check-init": out = out.replace('"consistent"', '"well-determined"')""",
     True),
    "dof": ("""import re
if command == "check-init":
    out = re.sub('"dof": ?([0-9]+)', lambda m: '"dof":' + str(int(m[1]) + 1), out)""", True),
    "a value": ("""if command == "simulate" and code == 0:
    rows = out.splitlines()
    last = rows[-1].split(",")
    last[1] = repr(float(last[1]) + 1e-3 * (1 + abs(float(last[1]))))
    out = "\\n".join(rows[:-1] + [",".join(last)]) + "\\n"
""", True),
    "exit code": ("""if command == "simulate": code = 5""", True),
    "crash": ("""if command == "check-init": code = 70""", True),
}
tests = failures = 0


def check(name, ok, why=""):
    global tests, failures
    tests += 1
    failures += not ok
    print(f"{'ok' if ok else 'FAIL'}: {name} {why if not ok else ''}")


with tempfile.TemporaryDirectory() as folder:
    for name, (lie, must_fail) in LIES.items():
        liar = os.path.join(folder, "liar")
        Path(liar).write_text(LIAR.format(python=sys.executable, program=PROGRAM, lie=lie))
        os.chmod(liar, 0o700)
        done = subprocess.run([sys.executable, HERE / "campaign.py", liar, "50000", "12"],
                              capture_output=True, text=True)
        check(f"lie: {name}", (done.returncode != 0) == must_fail, done.stdout[-300:])

seen = [generate.build(seed, plant=["redundant", "contradiction", None][seed % 3])
        for seed in range(generate.RICH, generate.RICH + 600)]
sizes = {len(model.variables) for model, _ in seen}
check("2 to 50 equations", min(sizes) <= 3 and max(sizes) >= 49, str(sizes))
check("index 0 to 4", {model.index for model, _ in seen} == {0, 1, 2, 3, 4})
texts = [text for _, (text, _) in seen]
check("second derivatives", sum("der(der(" in text for text in texts) > 100)
check("differentiated equations",
      sum(bool(re.search(r"der\([^()]* - ", text)) for text in texts) > 100)
check("products and powers of unknowns", sum("^3" in text for text in texts) > 100)
check("quoted, dotted and plain names", all(sum(sign in text for text in texts) > 100
                                            for sign in ["'a.b[", "part1.", "long_name_"]))
check("planted", all(sum(model.planted == kind for model, _ in seen) > 100
                     for kind in ["redundant", "contradiction"]))
check("planted invariants that only differentiation finds",
      sum(bool(re.search(r"initial equation(\n.*)*\n  \S*\*\S* \+ \S*\*\S* = \S*;\nequation",
                         text)) for text in texts) > 5)
print(f"{tests} Tests {failures} Failures 0 Ignored")
sys.exit(1 if failures else 0)
