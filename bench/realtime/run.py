#!/usr/bin/env python3
"""Real time, measured: Table 1 of [Frochte] with the paper's figures beside ours, the order of
convergence, step times of the exported code and of the tool's own loop against C written by
hand, and one-hour runs at 1 ms.

Usage: run.py DAETOOL [table] [speed] [hour] (all parts without an argument;
needs a C compiler for "speed")"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PENDULUM = ROOT / "examples" / "pendulum.mo"

# method, Newton steps + projections, step, and the paper's dx, dy, RES, ERR at t = 100
TABLE = [
    ("bdf3", 2, 0, 1e-3, (1.8e-5, 5.8e-6, 3.7e-5, 6.2e-5)),
    ("bdf3", 2, 0, 5e-4, None),
    ("bdf3", 2, 0, 2.5e-4, None),
    ("bdf3", 1, 0, 1e-3, (6.4e-5, 7.6e-5, 1.2e-4, 2.7e-4)),
    ("bdf3", 1, 0, 5e-4, (9.4e-6, 1.1e-5, 1.8e-5, 3.9e-5)),
    ("bdf3", 1, 0, 2.5e-4, (4.2e-6, 5.7e-6, 8.5e-6, 1.8e-5)),
    ("ab3", 0, 0, 1e-3, (2.1e-5, 1.1e-5, 4.2e-5, 7.5e-5)),
    ("ab3", 0, 0, 5e-4, (2.6e-6, 9.6e-7, 5.3e-6, 8.9e-6)),
    ("ab3", 0, 0, 2.5e-4, (3.3e-7, 8.0e-8, 6.6e-7, 1.0e-6)),
    ("ab3", 0, 1, 1e-3, (2.4e-9, 7.1e-5, 2.9e-10, 7.1e-5)),
    ("ab3", 0, 1, 5e-4, (7.1e-11, 1.2e-5, 1.8e-11, 1.2e-5)),
    ("ab3", 0, 1, 2.5e-4, (2.1e-12, 2.3e-6, 1.1e-12, 2.3e-6)),
    ("bdf3", 1, 1, 1e-3, (1.0e-9, 4.4e-5, 1.7e-10, 4.4e-5)),
    ("bdf3", 1, 1, 5e-4, (2.2e-11, 5.8e-6, 1.0e-11, 5.8e-6)),
    ("bdf3", 1, 1, 2.5e-4, (5.9e-13, 7.2e-7, 6.7e-13, 7.2e-7)),
]


def simulate(daetool, *options):
    """The rows of the results by name."""
    done = subprocess.run([daetool, "simulate", str(PENDULUM), *map(str, options)],
                          capture_output=True, text=True, check=True)
    lines = done.stdout.strip().split("\n")
    names = [n.strip('"') for n in lines[0].split(",")]
    return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]


def statistics(daetool, *options):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([daetool, "simulate", str(PENDULUM), *map(str, options),
                               "--quiet", "--stats", "--format", "json", "-o",
                               f"{folder}/r.csv"], capture_output=True, text=True, check=True)
        return json.loads(done.stderr)


def options_of(method, newton, projections, step, *more):
    return ["--method", method, "--newton", newton, "--projections", projections, "--step",
            step, "--history", "constant", *more]


def errors(row):
    res = abs(row["x"] ** 2 + row["y"] ** 2 - 1)
    dx, dy = abs(row["x"] - 1), abs(row["y"])
    return dx, dy, res, dx + dy + res


def table(daetool):
    print("Table 1 of [Frochte]: pendulum at t = 100, ERR = dx + dy + RES; "
          "artificial history as in the paper")
    print(f"{'method':7} {'N+P':5} {'step':>8}   {'dx':>8} {'dy':>8} {'RES':>8} {'ERR':>8}   "
          f"{'ERR paper':>9} {'ours/paper':>10} {'order':>6}")
    before = {}
    for method, newton, projections, step, paper in TABLE:
        row = simulate(daetool, *options_of(method, newton, projections, step, "--stop", 100,
                                            "--interval", 100))[-1]
        dx, dy, res, err = errors(row)
        key = (method, newton, projections)
        order = f"{math.log2(before[key] / err):6.2f}" if key in before else "      "
        before[key] = err
        theirs = f"{paper[3]:9.1e} {err / paper[3]:10.2f}" if paper else f"{'-':>9} {'-':>10}"
        print(f"{method:7} {newton}+{projections:<3} {step:8.1e}   {dx:8.1e} {dy:8.1e} "
              f"{res:8.1e} {err:8.1e}   {theirs} {order}")
    print()
    print("the same with the minimum-norm projection")
    for method, newton in (("ab3", 0), ("bdf3", 2)):
        for step in (1e-3, 5e-4, 2.5e-4):
            row = simulate(daetool,
                           *options_of(method, newton, 1, step, "--projection", "minimum-norm",
                                       "--stop", 100, "--interval", 100))[-1]
            print(f"{method:7} {newton}+1   {step:8.1e}   " +
                  " ".join(f"{e:8.1e}" for e in errors(row)))
    print()


def race(folder, compiler, method, newton, projections):
    flags = ["-std=gnu99", "-O2", f"-I{folder}", f"-I{HERE}", f"-DNEWTON={newton}",
             f"-DPROJECTIONS={projections}",
             f"-DIS_BDF={1 if method == 'bdf3' else 0}"]
    subprocess.run([compiler, *flags, str(HERE / "race.c"), str(HERE / "hand.c"),
                    f"{folder}/model.c", "-o", f"{folder}/race", "-lm"],
                   check=True)
    done = subprocess.run([f"{folder}/race"], capture_output=True, text=True, check=True)
    return [float(v) for v in done.stdout.split()]


def speed(daetool):
    compiler = os.environ.get("CC", "cc")
    print("Nanoseconds a step (pendulum, h = 1e-3), in one run; "
          "by hand: bench/realtime/hand.c, same compiler and options")
    print(f"{'method':7} {'N+P':5} {'exported':>9} {'by hand':>9} {'ratio':>6} {'own loop':>9} "
          f"{'native':>8} {'flops':>6}   results apart")
    for method, newton, projections in (("ab3", 0, 0), ("ab3", 0, 1), ("bdf3", 1, 0),
                                        ("bdf3", 2, 0), ("bdf3", 1, 1)):
        with tempfile.TemporaryDirectory() as folder:
            common = options_of(method, newton, projections, 1e-3)
            subprocess.run([daetool, "export", str(PENDULUM), *map(str, common),
                            "--prefix", "model", "-o", f"{folder}/model.c"], check=True)
            exported, hand, apart = race(folder, compiler, method, newton, projections)
            flops = [line for line in open(f"{folder}/model.c", encoding="utf-8")
                     if "model_flops_per_step =" in line][0]
            flops = int("".join(c for c in flops.split("=")[1] if c.isdigit()))
        own = {}
        for native in ([], ["--native"]):
            stats = statistics(daetool, *common, "--stop", 100, "--interval", 100, *native)
            own[len(native)] = 1e9 * stats["cpu_seconds"]["integrate"] / stats["steps_accepted"]
        print(f"{method:7} {newton}+{projections:<3} {exported:9.0f} {hand:9.0f} "
              f"{exported / hand:6.2f} {own[0]:9.0f} {own[1]:8.0f} {flops:6d}   {apart:.1e}")
    print()


def turning_times(rows):
    """Times at which the pendulum turns on the right-hand side (v from + to -, x >
    0), by linear interpolation."""
    times = []
    for a, b in zip(rows, rows[1:]):
        if a["v"] > 0 >= b["v"] and a["x"] > 0:
            times.append(a["time"] + (b["time"] - a["time"]) * a["v"] / (a["v"] - b["v"]))
    return times


def hour(daetool):
    print("One hour (3600 s) at 1 ms: constraints and energy (exactly 0) at the end; "
          "drift of the turning points from multiples of 2 s")
    print(f"{'method':7} {'N+P':5} {'projection':13} {'RES':>8} {'xu + yv':>9} {'energy':>10} "
          f"{'drift / s':>10} {'a period':>10} {'CPU s':>6}")
    for method, newton, kind in (("ab3", 0, "coupled"), ("ab3", 0, "minimum-norm"),
                                 ("bdf3", 1, "coupled"), ("bdf3", 2, "minimum-norm")):
        options = options_of(method, newton, 1, 1e-3, "--projection", kind, "--stop", 3600)
        stats = statistics(daetool, *options, "--interval", 3600)
        rows = simulate(daetool, *options, "--interval", 0.02)
        row = rows[-1]
        energy = 0.5 * (row["u"] ** 2 + row["v"] ** 2) + 13.7503716373294544 * row["y"]
        times = turning_times(rows)
        drift = times[-1] - 2 * len(times)
        res = abs(row["x"] ** 2 + row["y"] ** 2 - 1)
        print(
            f"{method:7} {newton}+1   {kind:13} {res:8.1e} "
            f"{abs(row['x'] * row['u'] + row['y'] * row['v']):9.1e} {energy:10.2e} "
            f"{drift:10.3e} {drift / len(times):10.2e} {stats['cpu_seconds']['integrate']:6.2f}")
    print()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    daetool = str(Path(sys.argv[1]).resolve())
    parts = sys.argv[2:] or ["table", "speed", "hour"]
    for name, part in (("table", table), ("speed", speed), ("hour", hour)):
        if name in parts:
            part(daetool)


main()
