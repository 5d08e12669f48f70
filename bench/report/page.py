"""docs/benchmarks.md and docs/bench/*.svg from the kept output of the benchmark programs."""

import math
import os
import platform
import re
import subprocess

import parse
from svg import Panel, Series, write_figure

PARTS = ["terms", "algebra", "reader", "structure", "reduce", "simulate", "realtime", "commands"]


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[0].strip() if done.stdout else "unknown"
    except OSError:
        return "not there"


def machine():
    cpu = memory = "unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
        with open("/proc/meminfo", encoding="utf-8") as file:
            kib = int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1))
        memory = f"{kib / 2**20:.1f} GiB"
    except OSError:
        pass
    system = "unknown"
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            system = re.search(r'PRETTY_NAME="?([^"\n]*)', file.read()).group(1)
    except OSError:
        pass
    return [("processor", cpu), ("cores", str(os.cpu_count())), ("memory", memory), ("system", f"{system}, Linux {platform.release()}"),
            ("compiler", first_line(["cc", "--version"]) + ", meson buildtype release (-O3)")]


def peer_versions():
    packages = ["libginac-dev", "libflint-dev", "libsuitesparse-dev", "python3-scipy", "python3-sympy", "libsundials-dev", "r-cran-desolve"]
    out = []
    for package in packages:
        try:
            done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
        except OSError:
            return "unknown (no dpkg)"
        if done.returncode == 0 and done.stdout:
            out.append(f"{package} {done.stdout}")
    return ", ".join(out)


def table(heads, rows, left=1):
    """A Markdown table; the first `left` columns to the left, numbers to the right."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join(":--" if i < left else "--:" for i in range(len(heads))) + "|"]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def number(value, unit=""):
    """Three significant digits at most, without a power of ten where that reads well."""
    if value is None:
        return "–"
    if value != 0 and (abs(value) < 1e-4 or abs(value) >= 1e6):
        return f"{value:.1e}{unit}"
    short = f"{value:.3g}"
    return (f"{value:.0f}" if "e" in short else short) + unit


def growth(points):
    """Exponent p of time ~ size^p, fitted to the sizes in the upper two decades."""
    points = sorted((x, y) for x, y in points if x > 0 and y > 0)
    points = [(math.log(x), math.log(y)) for x, y in points if x >= points[-1][0] / 110]
    if len(points) < 2:
        return None
    mx, my = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    spread = sum((x - mx) ** 2 for x, _ in points)
    return sum((x - mx) * (y - my) for x, y in points) / spread if spread > 0 else None


def exponent(points):
    p = growth(points)
    return "unknown" if p is None else f"size^{p:.2f}"


def compare(pairs):
    """One sentence about (where, ours, theirs), times both: who is ahead how often and where the peer is."""
    pairs = [(w, a, b) for w, a, b in pairs if a and b]
    if not pairs:
        return "No pair of figures to compare."
    behind = [(w, a / b) for w, a, b in pairs if a > b]
    text = f"daetool is ahead in {len(pairs) - len(behind)} of {len(pairs)} cases"
    ratios = sorted(b / a for _, a, b in pairs)
    text += f" (time of the peer / time of daetool: {number(ratios[0])} to {number(ratios[-1])}, median {number(ratios[len(ratios) // 2])})"
    if behind:
        worst = sorted(behind, key=lambda x: -x[1])
        shown = ", ".join(f"{w} ({number(r)} times)" for w, r in worst[:6])
        text += f". The peer is faster at: {shown}" + (f" and {len(worst) - 6} more" if len(worst) > 6 else "")
    return text + "."


def clock(seconds):
    """The program prints six decimals."""
    return "< 1e-6" if seconds is not None and seconds < 1e-6 else number(seconds)


def section_terms(text, folder):
    rows = parse.terms(text)
    if not rows:
        return None
    panel = Panel("Jacobian of a chain of N pendula", "N (5 N equations)", "CPU s", [
        Series("daetool, Jacobian", [(r["n"], r["jacobian"]) for r in rows], key="d"),
        Series("daetool, with building", [(r["n"], r["jacobian"] + r["build"]) for r in rows], dashed=True, key="d"),
        Series("GiNaC, Jacobian", [(r["n"], r["ginac_jacobian"] or 0) for r in rows], key="g"),
        Series("GiNaC, with building", [(r["n"], (r["ginac_jacobian"] or 0) + (r["ginac_build"] or 0)) for r in rows], dashed=True, key="g"),
    ])
    write_figure(folder / "terms.svg", [panel])
    out = "Symbolic Jacobian of the equations of a chain of N planar pendula in Cartesian coordinates, beside GiNaC in the same process.\n\n"
    out += table(["N", "equations", "build / s", "Jacobian / s", "million terms/s", "GiNaC build / s", "GiNaC Jacobian / s", "GiNaC / daetool"],
                 [[r["n"], r["equations"], clock(r["build"]), clock(r["jacobian"]), number(r["rate"]), number(r["ginac_build"]),
                   number(r["ginac_jacobian"]),
                   number(r["ginac_jacobian"] / r["jacobian"]) if r["ginac_jacobian"] and r["jacobian"] else "–"] for r in rows])
    out += "\n" + compare([(f"N = {r['n']}", r["jacobian"], r["ginac_jacobian"]) for r in rows])
    out += f" Growth of the Jacobian: {exponent([(r['n'], r['jacobian']) for r in rows])}.\n\n![Jacobian of a chain](bench/terms.svg)\n"
    return out


def section_algebra(text, folder):
    rows = parse.algebra(text)
    if not rows:
        return None
    panels = []
    for entries in ("linear in 4 variables", "independent symbols"):
        mine = [r for r in rows if r["entries"] == entries]
        panels.append(Panel(f"Entries: {entries}", "k (k × k matrix)", "CPU ms", [
            Series("daetool", [(r["k"], r["daetool"]) for r in mine]),
            Series("FLINT, Bareiss", [(r["k"], r["bareiss"] or 0) for r in mine]),
            Series("FLINT, minors", [(r["k"], r["minors"] or 0) for r in mine]),
            Series("GiNaC", [(r["k"], r["ginac"] or 0) for r in mine]),
        ], x_log=False))
    write_figure(folder / "algebra.svg", panels)
    best = lambda r: min(v for v in (r["bareiss"], r["minors"], r["ginac"]) if v)
    out = ("Determinants of k × k matrices of polynomials: daetool (terms in, term out) beside FLINT used directly and GiNaC. The last "
           "column is the form of daetool's answer: where it is “shared minors” the peers do more, they expand the answer; daetool "
           "keeps it as a sum of products of shared minors, so those rows are not a comparison of the same work.\n\n")
    out += table(["entries", "k", "terms expanded", "daetool / ms", "FLINT Bareiss / ms", "FLINT minors / ms", "GiNaC / ms",
                  "best peer / daetool", "form"],
                 [[r["entries"], r["k"], r["terms"], number(r["daetool"]), number(r["bareiss"]), number(r["minors"]), number(r["ginac"]),
                   number(best(r) / r["daetool"]), r["form"]] for r in rows])
    out += "\nAgainst the best of the peers, same work only: "
    out += compare([(f"{r['entries']}, k = {r['k']}", r["daetool"], best(r)) for r in rows if r["form"] == "expanded"])
    return out + "\n\n![Determinants](bench/algebra.svg)\n"


def section_reader(text, folder):
    rows = parse.reader(text)
    if not rows:
        return None
    points = [(r[0], r[2]) for r in rows]
    ideal = Series("linear growth", [(r[0], rows[0][2] * r[0] / rows[0][0]) for r in rows], dashed=True)
    write_figure(folder / "reader.svg", [
        Panel("Reading an RC ladder", "equations", "CPU s", [Series("daetool", points), ideal]),
        Panel("Peak memory", "equations", "MiB", [Series("daetool", [(r[0], r[7]) for r in rows])])])
    out = "Reading and building a flat RC ladder, text to terms; no peer.\n\n"
    out += table(["equations", "text / MB", "CPU s", "MB/s", "terms/s", "terms", "terms / MiB", "peak / MiB"],
                 [[f"{r[0]:.0f}", number(r[1]), number(r[2]), number(r[3]), f"{r[4]:.2e}", f"{r[5]:.0f}", number(r[6]), number(r[7])] for r in rows],
                 left=0)
    return out + f"\nGrowth: {exponent(points)}. The goal is 10⁶ equations in less than 10 s and 2 GiB.\n\n![Reading](bench/reader.svg)\n"


def section_structure(text, folder):
    kernels, scipy, commands = parse.structure(text)
    if not kernels:
        return None
    for r in kernels:
        r["ours"] = r["match"] + r["offsets"]
        r["scipy"] = scipy.get((r["kind"], r["order"], r["n"]))
    panels = []
    for kind in dict.fromkeys(r["kind"] for r in kernels):
        series = []
        for name, field, key in (("daetool, transversal + offsets", "ours", "d"), ("BTF maxtrans (unweighted)", "maxtrans", "b"),
                                 ("SciPy LAPJVsp", "scipy", "s")):
            for order in ("natural", "shuffled"):
                points = [(r["n"], r[field]) for r in kernels if r["kind"] == kind and r["order"] == order and r[field]]
                series.append(Series(f"{name}, {order}", points, dashed=order == "shuffled", key=key))
        panels.append(Panel(kind, "equations", "CPU ms", series))
    write_figure(folder / "structure.svg", panels)
    largest = max(r["n"] for r in kernels)
    shown = [r for r in kernels if r["n"] > 0.9 * largest / 11]
    out = ("Highest-value transversal and canonical offsets of the signature matrix. SuiteSparse's `btf_maxtrans` solves the easier, unweighted "
           "problem; SciPy's LAPJVsp the weighted one without offsets (run up to 10⁵). The two largest sizes:\n\n")
    head = ["kind", "order", "n", "entries", "read", "Σ", "transversal", "offsets", "blocks", "BTF maxtrans", "BTF order", "LAPJVsp"]
    out += table([h if i < 4 else h + " / ms" for i, h in enumerate(head)],
                 [[r["kind"], r["order"], f"{r['n']:.0f}", f"{r['nnz']:.0f}"] +
                  [number(r[f]) if r[f] is not None and r[f] >= 0 else "–"
                   for f in ("read", "sigma", "match", "offsets", "blocks", "maxtrans", "btf_order", "scipy")] for r in shown], left=2)
    where = lambda r: f"{r['kind']} {r['order']} {r['n']:.0f}"
    out += "\nAll sizes, transversal and offsets together, against SciPy LAPJVsp (same problem): "
    out += compare([(where(r), r["ours"], r["scipy"]) for r in kernels])
    out += "\n\nAgainst BTF maxtrans (easier problem): "
    out += compare([(where(r), r["ours"], r["maxtrans"]) for r in kernels if r["maxtrans"] > 0])
    rates = {k: exponent([(r["n"], r["ours"]) for r in kernels if r["kind"] == k]) for k in dict.fromkeys(r["kind"] for r in kernels)}
    out += "\n\nGrowth of transversal and offsets: " + ", ".join(f"{k} {v}" for k, v in rates.items()) + ".\n\n![Structure](bench/structure.svg)\n"
    if commands:
        out += "\nThe whole command `daetool analyze`, reading included:\n\n"
        out += table(["model", "user CPU s", "peak / MiB"], [[n, number(s), number(m)] for n, s, m in commands])
    return out


def section_reduce(text, folder):
    rows, peers = parse.reduce(text)
    if not rows:
        return None
    of = lambda kind, field, at: [(r[at], r[field]) for r in rows if r["model"].split()[0] == kind]
    chain = {int(r["model"].split()[1]): r for r in rows if r["model"].startswith("chain ")}
    panels = [Panel("Reduction by size", "equations", "CPU s", [
        Series("daetool, chain of pendula", of("chain", "reduce", "equations"), key="d"),
        Series("daetool, ladder with capacitor loops", of("ladder", "reduce", "equations"), key="l")]),
        Panel("Size of the result", "equations", "terms out", [
            Series("daetool, chain of pendula", of("chain", "terms_out", "equations"), key="d"),
            Series("daetool, ladder with capacitor loops", of("ladder", "terms_out", "equations"), key="l")]),
        Panel("Chain: the same elimination", "N (5 N equations)", "CPU s", [
            Series("daetool, chain of pendula", [(n, r["reduce"]) for n, r in chain.items()], key="d"),
            *[Series(tool, points.items()) for tool, points in peers.items()]])]
    write_figure(folder / "reduce.svg", panels)
    out = "All hidden constraints and the quasi-linear form, CPU seconds; the front end (reading, structure) apart.\n\n"
    out += table(["model", "equations", "unknowns", "constraints", "introduced", "terms in", "terms out", "read / s", "analyze / s", "reduce / s"],
                 [[r["model"]] + [f"{r[f]:.0f}" for f in ("equations", "unknowns", "constraints", "introduced", "terms_in", "terms_out")] +
                  [f"{r[f]:.3f}" for f in ("read", "analyze", "reduce")] for r in rows])
    for kind in ("chain", "ladder"):
        out += f"\nGrowth for the {kind}: time {exponent(of(kind, 'reduce', 'equations'))}, terms out {exponent(of(kind, 'terms_out', 'equations'))}.\n"
    if peers:
        out += ("\nThe same elimination on the chain with computer algebra. The peers are told what to differentiate and what to put in; "
                "daetool finds that out, and proves its ranks, in the time given.\n\n")
        sizes = sorted({n for points in peers.values() for n in points})
        out += table(["N", "daetool / s"] + [f"{t} / s" for t in peers],
                     [[n, number(chain[n]["reduce"]) if n in chain else "–"] + [number(p.get(n)) for p in peers.values()] for n in sizes], left=0)
        for tool, points in peers.items():
            out += f"\nAgainst {tool}: " + compare([(f"N = {n}", chain[n]["reduce"], s) for n, s in points.items() if n in chain]) + "\n"
    return out + "\n![Reduction](bench/reduce.svg)\n"


def section_simulate(text, folder):
    problems = parse.simulate(text)
    if not any(p[1] for p in problems.values()):
        return None
    panels = []
    for name, (tools, rows, _) in problems.items():
        for group, title in ((3, "positions"), (4, "velocities"), (5, "multipliers")):
            panels.append(Panel(f"{name}: {title}", "correct digits", "CPU ms", [
                Series(tool + (" (integration)" if tool == "daetool" else ""),
                       [(r[tool][group], r[tool][0]) for r in rows.values() if tool in r and r[tool][group] >= 0.5], in_order=True)
                for tool in tools], x_log=False))
    write_figure(folder / "simulate.svg", panels)
    out = ("Work and precision: CPU time against correct digits of the worst component at the end. daetool gets the "
           "published index-3 text; SUNDIALS IDA and deSolve's radau and daspk get hand-reduced equations in compiled C. daetool's whole command, "
           "from reading to results, is given in its own column. A dash: not run, or failed. In the plots lower and further right is better; "
           "runs with no correct digit are left out.\n")
    for name, (tools, rows, closing) in problems.items():
        cell = lambda c: "–" if c is None else f"{number(c[0])} ms, {c[3]:.1f}/{c[4]:.1f}/{c[5]:.1f}"
        out += f"\n**{name}**: integration in ms, digits of positions/velocities/multipliers\n\n"
        out += table(["tolerance", "steps"] + tools + ["daetool, whole command"],
                     [[t, r["daetool"][2] if "daetool" in r else "–"] + [cell(r.get(tool)) for tool in tools] +
                      [number(r["daetool"][1], " ms") if "daetool" in r else "failed"] for t, r in rows.items()])
        for tool in tools[1:]:
            out += f"\n{tool}: {equal_digits(rows, tool)}\n"
    return out + "\n![Work and precision](bench/simulate.svg)\n"


def equal_digits(rows, tool):
    """For each run of the peer with a digit in every group: the quickest run of daetool that has all of its digits."""
    mine = [r["daetool"] for r in rows.values() if "daetool" in r]
    pairs, alone = [], []
    for tolerance, r in rows.items():
        peer = r.get(tool)
        if peer is None or min(peer[3:]) < 1:
            continue
        times = [m[0] for m in mine if all(a >= b for a, b in zip(m[3:], peer[3:]))]
        if times:
            pairs.append((f"its tolerance {tolerance}", min(times), peer[0]))
        else:
            alone.append(tolerance)
    was_run = [t for t, r in rows.items() if set(r) - {"daetool"}]  # the peers may have fewer tolerances
    failed = [t for t in was_run if tool not in rows[t] or min(rows[t][tool][3:]) < 1]
    text = "at equal digits in every group " + compare(pairs) if pairs else "no run to compare."
    if failed:
        text += f" It fails, or has less than one correct digit in some group, at {', '.join(failed)}."
    if alone:
        text += f" No run of daetool has all the digits of its run at {', '.join(alone)}."
    return text


def section_realtime(text, folder):
    errors, speeds, hours = parse.realtime(text)
    if not errors and not speeds:
        return None
    out = ""
    if errors:
        plain, projected = [], []
        for method, steps in dict.fromkeys((r["method"], r["steps"]) for r in errors):
            mine = [r for r in errors if (r["method"], r["steps"]) == (method, steps)]
            label = f"{method} {steps}"
            series = plain if steps.endswith("+0") else projected
            series.append(Series(label, [(r["h"], r["err"]) for r in mine], key=label))
            series.append(Series(label + ", paper", [(r["h"], r["paper"]) for r in mine if r["paper"]], dashed=True, key=label))
        write_figure(folder / "realtime.svg", [Panel("No projection, t = 100", "step / s", "ERR", plain),
                                               Panel("One projection, t = 100", "step / s", "ERR", projected)])
        out += ("Table 1 of [Frochte] again: error of the pendulum at t = 100 (ERR = |Δx| + |Δy| + residual), Newton steps + projections, the "
                "paper's figure beside ours. `docs/realtime.md` says why some differ.\n\n")
        out += table(["method", "N+P", "step / s", "residual", "ERR", "ERR paper", "ours / paper", "order"],
                     [[r["method"], r["steps"], f"{r['h']:.1e}", f"{r['res']:.1e}", f"{r['err']:.1e}", f"{r['paper']:.1e}" if r["paper"] else "–",
                       number(r["err"] / r["paper"]) if r["paper"] else "–", f"{r['order']:.2f}" if r["order"] else "–"] for r in errors], left=2)
        out += "\n![Fixed steps](bench/realtime.svg)\n"
    if speeds:
        out += "\nCPU nanoseconds a step (pendulum, 1 ms): the exported C, the same scheme written by hand in C, and the tool's own loop.\n\n"
        out += table(["method", "N+P", "exported", "by hand", "exported / by hand", "own loop", "own loop, `--native`", "flops a step"],
                     [r[:2] + [number(v) for v in r[2:7]] + [f"{r[7]:.0f}"] for r in speeds], left=2)
        out += "\nExported code against the hand-written: " + compare([(f"{r[0]} {r[1]}", r[2], r[3]) for r in speeds])
        out += (" Own loop against the hand-written: " + compare([(f"{r[0]} {r[1]}", r[5], r[3]) for r in speeds]) + "\n")
    if hours:
        out += "\nOne hour of simulated time at 1 ms, one projection a step: residuals and energy (exactly 0) at the end, drift of the turning points.\n\n"
        out += table(["method", "N+P", "projection", "residual", "xu + yv", "energy", "drift / s", "a period / s", "CPU s"], hours, left=3)
    return out


def section_commands(text, folder):
    whole, chain = parse.commands(text)
    if not whole:
        return None
    out = "Whole commands as one starts them, the least of several runs; wall time depends on what else the machine does.\n\n"
    out += table(["command", "CPU ms", "wall ms", "exit"], [[f"`{w[0]}`" if "," not in w[0] and "(" not in w[0] else w[0], number(w[1]), number(w[2]), w[3]]
                                                            for w in whole])
    done = [c for c in chain if len(c) == 6]
    if chain:
        out += "\nCost of a step of a chain of N masses (5 N equations of index 3, `examples/chain.mo`; the first 25 steps at tolerance 1e-5):\n\n"
        out += table(["N", "steps", "integration / s", "ms a step", "µs a step / N", "front end / s"],
                     [[f"{c[0]:.0f}", f"{c[1]:.0f}"] + [number(v) for v in c[2:]] if len(c) == 6 else [f"{c[0]:.0f}", c[1], "–", "–", "–", "–"]
                      for c in chain], left=0)
    if len(done) > 1:
        ideal = Series("linear growth", [(c[0], done[0][3] * c[0] / done[0][0]) for c in done], dashed=True)
        write_figure(folder / "chain.svg", [Panel("Cost of a step of a chain", "N (5 N equations)", "CPU ms a step",
                                                  [Series("daetool", [(c[0], c[3]) for c in done]), ideal])])
        out += f"\nGrowth of a step: {exponent([(c[0], c[3]) for c in done])}; the goal is linear.\n\n![Cost of a step](bench/chain.svg)\n"
    return out


TITLES = {
    "terms": ("Terms: symbolic Jacobians", section_terms),
    "algebra": ("Algebra: determinants", section_algebra),
    "reader": ("Reading large models", section_reader),
    "structure": ("Structure: transversals and offsets", section_structure),
    "reduce": ("Reduction: hidden constraints", section_reduce),
    "simulate": ("Simulation: work and precision", section_simulate),
    "realtime": ("Real time: fixed steps and exported code", section_realtime),
    "commands": ("Whole commands and long chains", section_commands),
}


def write_page(root, results):
    folder = root / "docs" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    out = ["# Benchmarks\n",
           "Made by `bench/run` (see `bench/run --help`); do not edit. Peers run beside daetool in the same run on the same machine. Times are CPU "
           "times unless a column says otherwise. Sentences that compare are computed from the tables, also where the peer is ahead.\n",
           table(["", ""], machine() + [("peers (Debian)", peer_versions())], left=2)]
    for part in PARTS:
        title, section = TITLES[part]
        out.append(f"## {title}\n")
        path = results / f"{part}.txt"
        if not path.exists():
            out.append(f"Not run: `bench/run --only {part}`.\n")
            continue
        text = path.read_text(encoding="utf-8")
        head = text.splitlines()[0].lstrip("# ") if text else ""
        out.append(f"*Run on {head}.*\n")
        body = section(text, folder)
        out.append(body if body is not None else "No table was found in the output:\n\n```text\n" + text + "\n```\n")
    (root / "docs" / "benchmarks.md").write_text("\n".join(out), encoding="utf-8")
