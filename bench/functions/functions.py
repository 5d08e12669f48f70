#!/usr/bin/env python3
"""Calls of a function of 50 operations beside the same text written out.

Usage: bench/functions/functions.py DAETOOL [CALLS]

Prints CPU seconds of reading and of 50 steps with Euler's method, and the operations of a
step, for both texts. Reading grows linearly with the calls; evaluation is the same, since
calls are executed on terms.
"""

import re
import subprocess
import sys
import tempfile

ROUNDS = 25  # two operations each


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


def measure(program, calls, is_function):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/m.mo", "w") as out:
            out.write(model(calls, is_function))
        done = subprocess.run([program, "simulate", f"{folder}/m.mo", "--method", "euler",
                               "--step", "0.001", "--stop", "0.05",
                               "--intervals", "1", "--stats", "-o", f"{folder}/m.csv"],
                              capture_output=True, text=True, check=True)
        with open(f"{folder}/m.csv") as results:
            values = results.read()
    stats = done.stdout + done.stderr
    return {"read": float(re.search(r"read ([0-9.]+)", stats)[1]),
            "integrate": float(re.search(r"integrate ([0-9.]+)", stats)[1]),
            "operations": re.search(r"operations of a step +(.*)", stats)[1], "values": values}


def main(program, calls=10000):
    print("| calls | text | read, s | 50 steps, s | operations of a step |")
    print("| ---: | --- | ---: | ---: | --- |")
    for n in (calls // 10, calls):
        for name, is_function in (("function", True), ("written out", False)):
            result = measure(program, n, is_function)
            print(f"| {n} | {name} | {result['read']:.3f} | {result['integrate']:.4f} | "
                  f"{result['operations']} |")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
