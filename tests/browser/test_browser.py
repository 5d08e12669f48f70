"""daetool report in a real browser: makes the pages, lets browser.mjs look
at them, adds up what it says.

Without Chromium, node or playwright-core (scripts/setup) the tests in the browser are skipped
with a notice; that the pages can be made is tested all the same."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["SOURCE_ROOT"])
HERE = ROOT / "tests" / "browser"
PROGRAM = os.environ["DAETOOL"]
CHROMIUM = next((p for p in map(shutil.which,
                                ("chromium", "chromium-browser", "google-chrome")) if p), None)
NODE = shutil.which("node")
LARGE = int(os.environ["STAGES"])  # of the ladder: two equations each

SINGULAR = """model Singular
  Real x, y, z;
equation
  x = 1;
  x = time;
  y = 2*x;
end Singular;
"""


def ladder(n):
    """An RC ladder written out: 2 n equations on as many lines."""
    lines = ['model Ladder "RC ladder"', "  parameter Real R = 1, C = 1;"]
    lines += [f"  Real v{i}(start = 0, fixed = true), i{i};" for i in range(1, n + 1)]
    lines.append("equation")
    for i in range(1, n + 1):
        lines.append(f"  R*i{i} = {'1' if i == 1 else f'v{i - 1}'} - v{i};")
        lines.append(f"  C*der(v{i}) = i{i}{f' - i{i + 1}' if i < n else ''};")
    return "\n".join(lines + ["end Ladder;", ""])


def make_pages(folder):
    """NAME.html of each model; the exit codes must be what they should be."""
    models = {"pendulum": (ROOT / "examples" / "pendulum.mo", ["--stop", "4"], 0),
              "peg": (ROOT / "examples" / "peg.mo", [], 0),
              "rectifier": (ROOT / "examples" / "rectifier.mo", [], 0),
              "two_volumes": (ROOT / "examples" / "two_volumes.mo", [], 0)}
    for name, text, code in (("singular", SINGULAR, 1), ("ladder", ladder(LARGE), 0)):
        path = folder / f"{name}.mo"
        path.write_text(text)
        models[name] = (path, ["--no-simulation"], code)
    for name, (path, options, code) in models.items():
        done = subprocess.run([PROGRAM, "report", path, *options, "-o",
                               folder / f"{name}.html"], capture_output=True, text=True)
        if done.returncode != code:
            return f"{name}: exit {done.returncode}: {done.stderr[:300]}"
    return ""


def has_report():
    done = subprocess.run([PROGRAM, "report", "-"], input="", capture_output=True, text=True)
    return "built without the report" not in done.stderr


def missing():
    if CHROMIUM is None:
        return "no Chromium"
    if NODE is None:
        return "no node"
    if not (HERE / "node_modules" / "playwright-core").is_dir():
        return "no playwright-core: run scripts/setup"
    return ""


def main():
    tests, failures, ignored = 1, 0, 0
    with tempfile.TemporaryDirectory(prefix="daetool-browser-") as name:
        folder = Path(os.environ.get("DAETOOL_SCREENSHOTS", name))
        trouble = make_pages(folder) if has_report() else "IGNORE: built without the report"
        failures += trouble != "" and not trouble.startswith("IGNORE")
        ignored += trouble.startswith("IGNORE")
        outcome = trouble if ignored else "FAIL: " + trouble if trouble else "PASS"
        print(f"test_pages_are_made:{outcome}", flush=True)
        reason = trouble.removeprefix("IGNORE: ") or missing()
        if reason:
            tests, ignored = tests + 1, ignored + 1
            print(f"test_browser:IGNORE: {reason}", flush=True)
        else:
            done = subprocess.run([NODE, HERE / "browser.mjs", CHROMIUM, folder],
                                  capture_output=True, text=True, cwd=HERE)
            print(done.stdout, end="")
            outcomes = re.findall(r"^test_\w+:(PASS|FAIL)", done.stdout, re.MULTILINE)
            tests += len(outcomes)
            failures += outcomes.count("FAIL")
            if done.returncode != 0 and "FAIL" not in outcomes:
                failures += 1
                print(f"test_browser_script:FAIL: exit {done.returncode}: {done.stderr[:2000]}")
    print("-----------------------")
    print(f"{tests} Tests {failures} Failures {ignored} Ignored")
    print("FAIL" if failures else "OK")
    return 1 if failures else 0


sys.exit(main())
