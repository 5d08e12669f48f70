#!/usr/bin/env python3
"""Calls of a function of 50 operations beside the same text written out.

Usage: bench/functions/functions.py DAETOOL [CALLS] [tape|native|export ...]

Prints for both texts CPU seconds until the first step (reading, analysis, reduction, start), CPU
seconds of steps with Euler's method (the least of REPEATS runs, both texts in turn), and the size
of the C text where there is one. `tape` is the interpreter, `native` is --native, `export` is
exported C, compiled with -O1. Compiling the text written out takes minutes for 10^4 calls; the
default for both is a tenth of CALLS.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

ROUNDS = 25  # two operations each
STEPS = 2000
REPEATS = 5


def model(calls, is_function):
    """der(x[i]) = -f(x[i], p + i), or the text of f in its place."""
    lines = []
    text = "x[i]"
    if is_function:
        lines += ["function f", "  input Real u;", "  input Real p;", "  output Real v;",
                  "algorithm", "  v := u;"]
        lines += [f"  v := {'v*u + p' if k % 2 else 'v/p + u'};" for k in range(ROUNDS)]
        lines += ["end f;"]
        text = "f(x[i], p + i)"
    else:
        for k in range(ROUNDS):
            text = f"({text}*x[i] + (p + i))" if k % 2 else f"({text}/(p + i) + x[i])"
    lines += ["model M", "  parameter Real p = 50;",
              f"  Real x[{calls}](each start = 0.1, each fixed = true);", "equation",
              f"  for i in 1:{calls} loop", f"    der(x[i]) = -{text};", "  end for;", "end M;"]
    return "\n".join(lines) + "\n"


def measure(program, calls, is_function, *options, steps=50):
    """Statistics of a run with explicit steps."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/m.mo", "w") as out:
            out.write(model(calls, is_function))
        done = subprocess.run([program, "simulate", f"{folder}/m.mo", "--method", "euler",
                               "--step", "0.001", "--stop", str(steps/1000),
                               "--intervals", "1", "--stats", "-o", f"{folder}/m.csv", *options],
                              capture_output=True, text=True, check=True)
        with open(f"{folder}/m.csv") as results:
            values = results.read()
    stats = done.stdout + done.stderr
    seconds = {name: float(value) for name, value in re.findall(r"(\w+) ([0-9.]+)(?:,|$)",
                                                                 stats.split("CPU seconds:")[1])}
    return {"prepare": sum(seconds[name] for name in ("read", "analyze", "reduce", "start")),
            "integrate": seconds["integrate"], "text": "", "values": values,
            "operations": re.search(r"operations of a step +(.*)", stats)[1]}


def children_seconds():
    """User and system together: the system samples how it divides one run among the two."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_export(program, calls, is_function, folder):
    """Exported C of the same, compiled: CPU seconds of the export, size of the text in kB."""
    name = f"{folder}/{'called' if is_function else 'written'}"
    with open(f"{name}.mo", "w") as out:
        out.write(model(calls, is_function))
    begin = children_seconds()
    subprocess.run([program, "export", f"{name}.mo", "--method", "euler", "--step", "0.001",
                    "--stop", str(STEPS/1000), "-o", f"{name}.c"], check=True,
                   capture_output=True)
    prepared = children_seconds() - begin
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-ffp-contract=off", "-DM_MAIN",
                    f"{name}.c", "-o", name, "-lm"], check=True)
    return {"run": name, "prepare": prepared, "text": f"{os.path.getsize(f'{name}.c')/1000:.0f}"}


def run_export(compiled):
    begin = children_seconds()
    subprocess.run([compiled["run"]], check=True, capture_output=True)
    return {**compiled, "integrate": children_seconds() - begin}


def least(runs):
    """The run of the least CPU time of the steps; other programs only ever add to it."""
    return min(runs, key=lambda result: result["integrate"])


def compare(program, calls, target):
    """The text written out and the calls, in turn, so that both meet the same load."""
    options = ["--native"] if target == "native" else []
    with tempfile.TemporaryDirectory() as folder:
        if target == "export":
            built = [compile_export(program, calls, kind, folder) for kind in (False, True)]
            runs = [[run_export(one) for one in built] for _ in range(REPEATS)]
        else:
            runs = [[measure(program, calls, kind, *options, steps=STEPS)
                     for kind in (False, True)] for _ in range(REPEATS)]
    return [least(of_one_text) for of_one_text in zip(*runs)]


def main(program, calls=10000, *targets):
    print(f"| calls | target | text | prepare, s | {STEPS} steps, s | ratio | C text, kB |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: |")
    for target in targets or ("tape", "native", "export"):
        n = calls if target == "tape" else calls // 10
        written, called = compare(program, n, target)
        for name, result in (("written out", written), ("function", called)):
            ratio = result["integrate"]/written["integrate"]
            print(f"| {n} | {target} | {name} | {result['prepare']:.3f} | "
                  f"{result['integrate']:.4f} | {ratio:.2f} | {result['text']} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:])
