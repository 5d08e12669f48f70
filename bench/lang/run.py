#!/usr/bin/env python3
"""Models with classes: whole libraries that are parsed, and components that are instantiated,
connected and flattened, by size.

Usage: run.py BENCH_LANG DAETOOL [--quick]

The texts are made here: a library of packages of components as libraries have them (partial
classes, extends, modifications, units, annotations, documentation), and ladders of its parts."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scale"))
import models  # noqa: E402

HEAD = ["work", "size", "text / MB", "CPU / s", "MB/s", "peak / MiB", "growth"]

PORT = """within Parts{k};
connector Pin "a terminal of package {k}"
  Real v(unit = "V") "potential";
  flow Real i(unit = "A") "current into the component";
  annotation (Icon(graphics={{Rectangle(extent={{{{-100,100}},{{100,-100}}}})}}));
end Pin;
"""
TWO_PIN = """within Parts{k};
partial model TwoPin "what components with two pins have in common"
  Pin p annotation (Placement(transformation(extent={{{{-110,-10}},{{-90,10}}}})));
  Pin n annotation (Placement(transformation(extent={{{{90,-10}},{{110,10}}}})));
  Real v(unit = "V") = p.v - n.v;
  Real i(unit = "A") = p.i;
equation
  p.i + n.i = 0;
  annotation (Documentation(info="<html><p>Voltage and current of two pins.</p></html>"));
end TwoPin;
"""
PART = """within Parts{k};
model Part{m} "one of many: a conductance that depends on its voltage"
  extends TwoPin(v(start = {m}/10));
  parameter Real G(unit = "S", min = 0) = {m}/1000 "conductance";
  parameter Real a[3] = {{1, {m}, 1/{m}}} "coefficients";
  final parameter Real b = sum(a[j]*j for j in 1:3);
equation
  i = G*v + (if noEvent(v > b) then G*(v - b)^2 else 0);
  annotation (Icon(graphics={{Line(points={{{{-90,0}},{{90,0}}}}), Text(textString="%name")}}),
    Documentation(info="<html><p>Part {m} of package {k}.</p></html>"));
end Part{m};
"""
def write_library(folder, n_packages, n_parts):
    for k in range(n_packages):
        package = folder / f"Parts{k}"
        package.mkdir(parents=True)
        (package / "package.mo").write_text(f"package Parts{k}\nend Parts{k};\n", encoding="utf-8")
        for name, text in (("Pin", PORT), ("TwoPin", TWO_PIN)):
            (package / f"{name}.mo").write_text(text.format(k=k), encoding="utf-8")
        for m in range(1, n_parts + 1):
            (package / f"Part{m}.mo").write_text(PART.format(k=k, m=m), encoding="utf-8")


def line(work, size, megabytes, seconds, peak, before):
    growth = f"{seconds/before:.1f} times" if before else ""
    print(f"| {work} | {size} | {megabytes:.2f} | {seconds:.3f} | {megabytes/seconds:.1f} | "
          f"{peak:.0f} | {growth} |", flush=True)


def parse_libraries(program, folder, sizes):
    before = None
    for n in sizes:
        library = folder / f"library{n}"
        write_library(library, n, 100)
        printed = subprocess.run([program, str(library)], capture_output=True, text=True,
                                 check=True).stdout
        found = re.search(r"([\d.]+) MB, (\d+) classes, (\d+) with errors, ([\d.]+) s, .* peak "
                          r"([\d.]+) MiB", printed)
        if found.group(3) != "0":
            raise SystemExit(f"the library has errors: {printed}")
        seconds = float(found.group(4))
        line("parsing a library, packages of 100 classes", n, float(found.group(1)), seconds,
             float(found.group(5)), before)
        before = seconds


def flatten_ladders(program, folder, sizes):
    before = None
    for n in sizes:
        path = folder / "ladder.mo"
        path.write_text(models.component_ladder(n), encoding="utf-8")
        with tempfile.NamedTemporaryFile(dir=folder) as out:
            process = subprocess.Popen([program, "show", str(path)], stdout=out)
            _, status, spent = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                raise SystemExit(f"show: exit {process.returncode}")
            seconds = spent.ru_utime + spent.ru_stime
            line("show, a ladder of components (2 parts and a ground each; text: flat)", n,
                 os.stat(out.name).st_size/1e6, seconds, spent.ru_maxrss/1024, before)
        before = seconds


def main():
    bench, program = sys.argv[1:3]
    quick = "--quick" in sys.argv
    print("| " + " | ".join(HEAD) + " |\n" + "|---"*len(HEAD) + "|")
    with tempfile.TemporaryDirectory() as name:
        parse_libraries(bench, Path(name), (10, 20) if quick else (10, 20, 40))
        flatten_ladders(program, Path(name), (1000, 2000) if quick else (1000, 2000, 4000, 8000))


main()
