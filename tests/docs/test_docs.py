"""Runs every ```console block of README.md and docs/*.md and compares what it
prints with what the page says.

In a block, lines that start with `$ ` are commands (a trailing \\ continues them), the others
are the output of the command above, standard error included. A line `...` stands for any number
of lines; numbers with a fraction may differ in the seventh digit (another machine, another
rounding). A ```modelica block whose first line is `// NAME.mo` is written to that file first.
Commands run in one scratch folder per page that holds the models of examples/, with `daetool`
on the PATH, and looks like the top folder otherwise (examples/, build/daetool). `test_docs.py
--update` writes the real output into the pages (blocks with `...` are left alone)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["SOURCE_ROOT"])
PROGRAM = Path(os.environ["DAETOOL"])
UPDATE = "--update" in sys.argv
BLOCK = re.compile(r"^```(console|modelica)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def steps(block):
    """[(command, expected output)] of one block."""
    found, lines, i = [], block.splitlines(), 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            raise ValueError(f"output before a command: {lines[i]!r}")
        command = lines[i][2:]
        while command.endswith("\\"):
            i += 1
            command = command[:-1] + lines[i].strip()
        i += 1
        output = []
        while i < len(lines) and not lines[i].startswith("$ "):
            output.append(lines[i])
            i += 1
        found.append((command, output))
    return found


def same_line(a, b):
    """Equal but for the last digits of numbers."""
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    return all(abs(float(x) - float(y)) <= 1e-6 * (1 + abs(float(x))) if "." in x + y
               or "e" in (x + y).lower() else x == y
               for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))


def matches(expected, actual):
    """Line by line; `...` takes as many lines as it must."""
    if "..." not in expected:
        return len(expected) == len(actual) and all(map(same_line, expected, actual))
    pattern = "\n".join("(?:.*\n?)*?" if line == "..." else re.escape(line) for line in expected)
    pattern = pattern.replace("(?:.*\n?)*?\n", "(?:.*\n)*?")
    return re.fullmatch(pattern, "\n".join(actual)) is not None


def run(command, folder):
    environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}",
                       LC_ALL="C.UTF-8", NO_COLOR="1")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)
    return done.stdout.decode(errors="replace").rstrip("\n").splitlines()


def check_page(page):
    """(number of commands, list of troubles); writes the page when updating."""
    text = page.read_text()
    troubles, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for model in (ROOT / "examples").glob("*.mo"):
            shutil.copy(model, folder)
        # and as in the top folder, after scripts/build
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        (Path(folder) / "build").mkdir()
        (Path(folder) / "build" / "daetool").symlink_to(PROGRAM)
        for kind, block in BLOCK.findall(text):
            if kind == "modelica":
                name = re.match(r"// (\S+\.mo)\n", block)
                if name:
                    (Path(folder) / name[1]).write_text(block)
                continue
            fresh = []
            for command, expected in steps(block):
                count += 1
                actual = run(command, folder)
                if not matches(expected, actual):
                    troubles.append(f"{page.name}: $ {command}\n"
                                    f"  expected {expected}\n  got      {actual}")
                fresh.append("$ " + command + "\n" + "".join(
                    line + "\n" for line in (expected if "..." in expected else actual)))
            if UPDATE:
                text = text.replace("```console\n" + block + "```",
                                    "```console\n" + "".join(fresh) + "```")
    if UPDATE:
        page.write_text(text)
    return count, troubles


total = failures = 0
for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
    if not page.exists():
        continue
    count, troubles = check_page(page)
    total += count
    failures += len(troubles)
    print(f"{page.name}: {count} commands, {len(troubles)} differ")
    for trouble in troubles:
        print(trouble)
print(f"{total} Tests {failures} Failures 0 Ignored")
sys.exit(1 if failures and not UPDATE else 0)
