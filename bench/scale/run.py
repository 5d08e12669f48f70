#!/usr/bin/env python3
"""From text to result at every size: whole commands on models that grow (models.py), with their
memory, the growth of their time, and SUNDIALS IDA + KLU on the same fields in the same run.

Usage: run.py DAETOOL [--quick]

One line a run, cells between bars: work, size, equations, CPU seconds, growth (time ~ size^p from
the size before), peak MiB, bytes of it for each equation, the goal, seconds of the peer, correct
digits of daetool and of the peer. A command that takes more than LONGEST CPU seconds is stopped."""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import models  # noqa: E402

LONGEST = 60  # CPU seconds
REPEAT, REPEAT_BELOW = 5, 20000  # runs of a field, the least counts; larger ones run once
LIBRARIES = ["ida", "nvecserial", "sunlinsolklu", "sunmatrixsparse"]
HEAD = ["work", "size", "equations", "CPU / s", "growth", "peak / MiB", "bytes / equation",
        "goal / s", "IDA + KLU / s", "digits", "digits of IDA"]


def cpu_seconds(process):
    """Of the program that time started; nothing where it has not begun or has ended."""
    task = Path(f"/proc/{process}/task/{process}")
    try:
        program = (task / "children").read_text(encoding="ascii").split()[0]
        fields = Path(f"/proc/{program}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None, 0.0
    return int(program), (int(fields[11]) + int(fields[12]))/os.sysconf("SC_CLK_TCK")


def wait(process):
    """(status, resources) at the end, which comes after LONGEST CPU seconds at the latest. They
    are looked up from outside: under a limit of the kernel's a process reads its own clock to 4 ms
    only, and so would the times that daetool tells."""
    pause = 0.002
    while True:
        ended, status, spent = os.wait4(process, os.WNOHANG)
        if ended:
            return status, spent
        program, seconds = cpu_seconds(process)
        if program is not None and seconds >= LONGEST:
            os.kill(program, signal.SIGKILL)
        time.sleep(pause)
        pause = min(1.5*pause, 0.2)


def run(words):
    """(exit code or None if stopped, CPU seconds, peak MiB, standard error). The peak of a child
    of this process would be at least that of this process: time starts it from a small one."""
    with tempfile.TemporaryFile() as errors, tempfile.NamedTemporaryFile("r") as usage:
        process = subprocess.Popen(["/usr/bin/time", "-q", "-f", "%M", "-o", usage.name,
                                    *map(str, words)], stdout=subprocess.DEVNULL, stderr=errors)
        status, spent = wait(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = spent.ru_utime + spent.ru_stime
        errors.seek(0)
        return (None if seconds >= LONGEST else process.returncode, seconds,
                float(usage.read().split()[-1])/1024, errors.read().decode(errors="replace"))


class Report:
    """Lines of the table; growth is that from the size before of the same work."""

    def __init__(self):
        self.before = {}
        print("| " + " | ".join(HEAD) + " |")
        print("|" + "---|" * len(HEAD))

    def line(self, work, size, equations, seconds, *, peak=None, goal="", peer=None, digits="",
             peer_digits="", failed=None):
        growth = ""
        if work in self.before and failed is None:
            size_before, seconds_before = self.before[work]
            if size > size_before and seconds > 0.02 and seconds_before > 0:
                growth = f"{math.log(seconds/seconds_before)/math.log(size/size_before):.2f}"
        self.before[work] = (size, seconds)
        cells = [work, size, equations, failed or f"{seconds:.4f}", growth,
                 f"{peak:.0f}" if peak else "",
                 f"{peak*2**20/equations:.0f}" if peak and equations else "", goal,
                 f"{peer:.4f}" if peer is not None else "", digits, peer_digits]
        print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def command(report, program, folder, work, verb, kind, sizes, goals, equations_of):
    """One command on a kind by size; where it was stopped, larger ones are left out."""
    for n in sizes:
        path = folder / "model.mo"
        path.write_text(getattr(models, kind)(n), encoding="utf-8")
        code, seconds, peak, _ = run([program, verb, path])
        failed = ("stopped" if code is None else f"exit {code}") if code != 0 else None
        report.line(work, n, equations_of(n), seconds, peak=peak, goal=goals.get(n, ""),
                    failed=failed)
        if code is None:
            return


def statistics(program, path, tolerance, out):
    code, seconds, peak, errors = run([program, "simulate", path, "--tol", tolerance,
                                       "--intervals", "1", "--stats", "--format", "json",
                                       "-o", out])
    if code != 0:
        return None
    spent = json.loads(errors[errors.index("{"):])["cpu_seconds"]
    return seconds, spent["integrate"], peak


def whole_commands(report, program, folder):
    for name in ("pendulum", "car_axis", "andrews_squeezer", "fekete"):
        path = ROOT / "examples" / f"{name}.mo"
        runs = [statistics(program, path, "1e-6", folder / "x.csv") for _ in range(5)]
        seconds, integrate, peak = min(r for r in runs if r is not None)
        report.line(f"simulate {name}, tolerance 1e-6", 1, 0, seconds, peak=peak,
                    goal=f"{4*integrate + 0.01:.3f}")


# ---- fields ----------------------------------------------------------------------------------


def build_peer(folder):
    program = folder / "peer_fields"
    words = ["cc", "-O3", "-march=native", "-D_GNU_SOURCE", "-I/usr/include/suitesparse",
             str(HERE / "peer_fields.c"), "-o", str(program)]
    words += ["-lsundials_" + name for name in LIBRARIES] + ["-lm"]
    done = subprocess.run(words, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def end_values(path, n):
    """The n states at the end: they are declared first."""
    with open(path, encoding="utf-8") as file:
        last = file.readlines()[-1]
    return [float(v) for v in last.split(",")[1:n + 1]]


def digits_of(values, reference):
    worst = max(abs(a - b)/max(1e-3, abs(b)) for a, b in zip(values, reference))
    return f"{-math.log10(max(worst, 1e-16)):.1f}"


def peer_seconds(peer, kind, n, tolerance, end):
    done = subprocess.run([str(peer), kind, str(n), tolerance, str(end)], text=True,
                          capture_output=True, timeout=10*LONGEST, check=False)
    return float(done.stdout.split()[0]) if done.returncode == 0 else None


def field(report, program, peer, folder, kind, n):
    path, out, end = folder / "field.mo", folder / "x.csv", folder / "end.txt"
    path.write_text(getattr(models, kind)(n), encoding="utf-8")
    count = models.side_of(n)**2 if kind == "grid" else n
    reference = None
    if statistics(program, path, "1e-10", out) is not None:
        reference = end_values(out, count)
    for tolerance in ("1e-4", "1e-6"):
        own, theirs = [], []  # in turn, so that both see the same load
        for _ in range(REPEAT if n < REPEAT_BELOW else 1):
            if peer is not None:
                theirs.append(peer_seconds(peer, kind, n, tolerance, end))
            own.append(statistics(program, path, tolerance, out))
        peer_digits, theirs = "", min((t for t in theirs if t is not None), default=None)
        if theirs is not None and reference:
            peer_digits = digits_of([float(v) for v in end.read_text().split()], reference)
        own = [o for o in own if o is not None]
        if not own:
            report.line(f"{kind}: integration at {tolerance}", n, count, 0, failed="failed")
            continue
        before, integrate = min(o[0] - o[1] for o in own), min(o[1] for o in own)
        digits = digits_of(end_values(out, count), reference) if reference else ""
        report.line(f"{kind}: before the first step, tolerance {tolerance}", n, count,
                    before, peak=own[-1][2], peer=theirs)
        report.line(f"{kind}: integration, tolerance {tolerance}", n, count, integrate,
                    peer=theirs, digits=digits, peer_digits=peer_digits)


# ---- all of it -------------------------------------------------------------------------------


def car_axis(report, program, folder):
    text = (ROOT / "examples" / "car_axis_overdetermined.mo").read_text(encoding="utf-8")
    for is_wrong in (False, True):
        path = folder / "car.mo"
        path.write_text(models.car_axis(text, is_wrong), encoding="utf-8")
        _, seconds, peak, _ = run([program, "reduce", path])
        report.line("reduce car axis" + (" with a wrong term" if is_wrong else ""), 1, 26,
                    seconds, peak=peak, goal="0.5" if is_wrong else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    program, report, quick = given.program, Report(), given.quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = build_peer(folder)
        if peer is None:
            print("SUNDIALS IDA with KLU cannot be compiled here: left out", file=sys.stderr)
        whole_commands(report, program, folder)
        for kind in ("rod", "grid", "brusselator"):
            for n in (1000,) if quick else (1000, 10000, 100000):
                field(report, program, peer, folder, kind, n)
        many = [
            ("check-init, capacitor grid", "check-init", "capacitor_grid",
             (300, 1200, 4800, 19200), {19200: "2"},
             lambda n: (lambda m: m*m + 4*m*(m - 1))(models.side_of(n/3))),
            ("check-init, parallel capacitors", "check-init", "parallel_capacitors",
             (500, 5000, 50000), {50000: "2"}, lambda n: 2*n),
            ("check-init, Navier-Stokes", "check-init", "navier_stokes",
             (192, 768, 3072), {192: "0.1"},
             lambda n: (lambda m: m*m + 2*m*(m - 1) + 2*(m + 1)*(m + 2))(models.side_of(n/3))),
            ("analyze, random sparse", "analyze", "random_sparse", (1000, 10000, 100000),
             {10000: "2", 100000: "30"}, lambda n: n),
            ("analyze, 2-D grid", "analyze", "resistor_grid", (900, 9000, 90000),
             {90000: "2"}, lambda n: n),
            ("analyze, pendula", "analyze", "pendula", (10000, 100000, 1000000),
             {1000000: "8"}, lambda n: n),
            ("analyze, relative coordinates", "analyze", "relative", (4, 6, 10), {10: "1"},
             lambda n: 2*n + 1),
            ("reduce, loop", "reduce", "loop", (10, 20, 50), {50: "0.1"}, lambda n: 5*n + 1),
            ("reduce, chain", "reduce", "chain", (10, 40, 100, 300, 1000), {40: "0.1"},
             lambda n: 5*n),
        ]
        for work, verb, kind, sizes, goals, equations_of in many:
            command(report, program, folder, work, verb, kind, sizes[:2] if quick else sizes,
                    goals, equations_of)
        car_axis(report, program, folder)


main()
