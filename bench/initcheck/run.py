#!/usr/bin/env python3
"""check-init by size: CPU time of the whole command on models whose initialization is
over-determined on purpose (models.py).

Usage: run.py DAETOOL [LARGEST]"""

import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models  # noqa: E402

# the kinds that grow to the largest size, and those with nonlinear constraints, a tenth of it
KINDS = [("masses", 1), ("coupled", 1), ("gears", 1), ("capacitors", 1), ("ladder", 1),
         ("leaky", 1), ("free", 1), ("loose", 1), ("pendula", 10)]


def cpu_seconds(program, text):
    """CPU time of one check, and what it said."""
    before = os.times()
    done = subprocess.run([program, "check-init", "--format", "json", "--budget", "120", "-"],
                          input=text, capture_output=True, text=True, check=False)
    after = os.times()
    seconds = (after.children_user + after.children_system - before.children_user -
               before.children_system)
    return seconds, json.loads(done.stdout)


def main():
    program = sys.argv[1]
    largest = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    print(f"{'kind':<12} {'n':>6} {'initial':>8} {'verdict':<18} {'redundant':>9} "
          f"{'conflict':>8} {'seconds':>8} {'growth':>6}")
    for kind, share in KINDS:
        before = None
        for n in (largest // share // 10, largest // share):
            for wrong in (None, n // 2):
                if wrong is not None and kind in ("free", "loose", "leaky"):
                    continue
                seconds, found = cpu_seconds(program, models.KINDS[kind](n, wrong))
                smallest = min((len(c["equations"]) for c in found["conflicts"]), default=0)
                growth = ""
                if wrong is None and before is not None:
                    growth = f"{math.log(seconds / before) / math.log(10):.2f}"  # time ~ n^growth
                if wrong is None:
                    before = max(seconds, 1e-3)
                print(
                    f"{kind:<12} {n:>6} {found['initial_equations']:>8} {found['verdict']:<18} "
                    f"{len(found['redundant']):>9} {smallest or '-':>8} "
                    f"{seconds:>8.2f} {growth:>6}", flush=True)


main()
