#!/usr/bin/env python3
"""Whole commands as a user starts them: CPU time (user + system) of the
process, the least of several runs.

Usage: run.py DAETOOL [LONGEST_CHAIN]"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PER_COMMAND = 120  # seconds of wall time after which a command is stopped and reported as such


def run_once(arguments):
    """(exit code or None if stopped, CPU ms, wall ms, standard error)"""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            wall = time.perf_counter() - begin
            if pid != 0:
                process.returncode = os.waitstatus_to_exitcode(status)
                errors.seek(0)
                return (process.returncode, 1e3 * (usage.ru_utime + usage.ru_stime),
                        1e3 * wall, errors.read())
            if wall > PER_COMMAND:
                process.kill()
                _, _, usage = os.wait4(process.pid, 0)
                process.returncode = -9
                return None, 1e3 * (usage.ru_utime + usage.ru_stime), 1e3 * wall, b""
            time.sleep(0.0002)


def report(title, arguments, runs):
    all_runs = [run_once(arguments) for _ in range(runs)]
    code = all_runs[-1][0]
    print(f"{title:52} {min(r[1] for r in all_runs):10.1f} {min(r[2] for r in all_runs):10.1f}  "
          f"{'stopped' if code is None else code}", flush=True)


def chain_of_initial_equations(n):
    """n tanks in a row that start in the steady state, with one given level too
    many: n + 1 initial equations."""
    lines = ["model Row", f"  parameter Integer N = {n};", "  Real h[N], q[N];", "equation"]
    lines += ["  q[1] = 1;", "  for i in 2:N loop", "    q[i] = h[i - 1] - h[i];", "  end for;"]
    lines += ["  for i in 1:N - 1 loop", "    der(h[i]) = q[i] - q[i + 1];", "  end for;",
              "  der(h[N]) = q[N] - h[N];"]
    lines += ["initial equation", "  for i in 1:N loop", "    der(h[i]) = 0;", "  end for;",
              "  h[N] = 1;", "end Row;"]
    return "\n".join(lines) + "\n"


def commands(daetool, folder):
    print("Whole commands")
    print(f"{'command':52} {'CPU ms':>10} {'wall ms':>10}  exit")
    report("daetool --version", [daetool, "--version"], 20)
    pendulum = str(ROOT / "examples" / "pendulum.mo")
    for command in ("show", "analyze", "reduce", "check-init"):
        report(f"daetool {command} pendulum.mo", [daetool, command, pendulum], 5)
    report("daetool simulate pendulum.mo (100 s, tolerance 1e-7)",
           [daetool, "simulate", pendulum, "--stop", "100", "--tol", "1e-7",
            "-o", f"{folder}/p.csv"], 5)
    for n in (100, 1000, 10000):
        path = f"{folder}/row{n}.mo"
        Path(path).write_text(chain_of_initial_equations(n), encoding="utf-8")
        report(f"daetool check-init, {n + 1} initial equations", [daetool, "check-init", path], 1)
    print()


def chain_growth(daetool, folder, longest):
    print("Chain of N masses (5 N equations of index 3), the first 25 steps at tolerance 1e-5")
    print(f"{'N':>5} {'steps':>6} {'integrate s':>12} {'ms a step':>10} "
          f"{'us a step/N':>12} {'front end s':>12}")
    text = (ROOT / "examples" / "chain.mo").read_text(encoding="utf-8")
    for n in (n for n in (10, 30, 100, 300, 1000) if n <= longest):
        path = f"{folder}/chain{n}.mo"
        Path(path).write_text(text.replace("Integer N = 10 ", f"Integer N = {n} "),
                              encoding="utf-8")
        code, _, _, errors = run_once(
            [daetool, "simulate", path, "--stop", "0.2", "--tol", "1e-5", "--intervals", "10",
             "--max-steps", "25",
             "--stats", "--format", "json", "-o", f"{folder}/c.csv"])
        errors = errors.decode()
        # the end or the limit; nothing else counts
        if "{" not in errors or (code != 0 and "too many steps" not in errors):
            why = "stopped" if code is None else "failed: " + errors.splitlines()[0].split(": ")[-1]
            print(f"{n:5d} {why}", flush=True)
            continue
        stats = json.loads(errors[errors.index("{"):])
        seconds = stats["cpu_seconds"]
        spent, steps = seconds["integrate"], stats["steps_accepted"]
        front = sum(v for k, v in seconds.items() if k != "integrate")
        print(f"{n:5d} {steps:6d} {spent:12.3f} {1e3 * spent / steps:10.3f} "
              f"{1e6 * spent / steps / n:12.2f} {front:12.3f}", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    daetool = str(Path(sys.argv[1]).resolve())
    longest = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        commands(daetool, folder)
        chain_growth(daetool, folder, longest)


main()
