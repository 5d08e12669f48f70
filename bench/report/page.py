"""docs/benchmarks.md and docs/bench/*.svg from the kept output of the benchmark programs."""

import json

import parse
from goals import section_goals
from simulation import section_simulate
from svg import Panel, Series, write_figure
from text import clock, compare, exponent, number, table

PARTS = ["terms", "algebra", "reader", "lang", "structure", "reduce", "initcheck", "simulate",
         "realtime", "events", "functions", "kernels", "scale",
         "commands"]


def section_terms(text, folder):
    rows = parse.terms(text)
    if not rows:
        return None
    panel = Panel("Jacobian of a chain of N pendula", "N (5 N equations)", "CPU time / s", [
        Series("daetool, Jacobian", [(r["n"], r["jacobian"]) for r in rows], key="d"),
        Series("daetool, with building", [(r["n"], r["jacobian"] + r["build"]) for r in rows],
               dashed=True, key="d"),
        Series("GiNaC, Jacobian", [(r["n"], r["ginac_jacobian"] or 0) for r in rows], key="g"),
        Series("GiNaC, with building",
               [(r["n"], (r["ginac_jacobian"] or 0) + (r["ginac_build"] or 0)) for r in rows],
               dashed=True, key="g"),
    ])
    write_figure(folder / "terms.svg", [panel])
    out = ("Symbolic Jacobian of the equations of a chain of N planar pendula in Cartesian "
           "coordinates, beside GiNaC in the same process.\n\n")
    out += table(["N", "equations", "build / s", "Jacobian / s", "million terms/s",
                  "peak / MiB", "GiNaC build / s", "GiNaC Jacobian / s", "GiNaC / daetool"],
                 [[r["n"], r["equations"], clock(r["build"]), clock(r["jacobian"]),
                   number(r["rate"]), number(r["peak"]), number(r["ginac_build"]),
                   number(r["ginac_jacobian"]),
                   number(r["ginac_jacobian"] / r["jacobian"]) if r["ginac_jacobian"]
                   and r["jacobian"] else "–"] for r in rows])
    out += "\n" + compare([(f"N = {r['n']}", r["jacobian"], r["ginac_jacobian"]) for r in rows])
    out += (f" Growth of the Jacobian: {exponent([(r['n'], r['jacobian']) for r in rows])}.\n\n"
            f"![Jacobian of a chain](bench/terms.svg)\n")
    return out


def section_algebra(text, folder):
    rows = parse.algebra(text)
    if not rows:
        return None
    panels = []
    for entries in ("linear in 4 variables", "independent symbols"):
        mine = [r for r in rows if r["entries"] == entries]
        panels.append(Panel(f"Entries: {entries}", "k (k × k matrix)", "CPU time / ms", [
            Series("daetool", [(r["k"], r["daetool"]) for r in mine]),
            Series("FLINT, Bareiss", [(r["k"], r["bareiss"] or 0) for r in mine]),
            Series("FLINT, minors", [(r["k"], r["minors"] or 0) for r in mine]),
            Series("GiNaC", [(r["k"], r["ginac"] or 0) for r in mine]),
        ], x_log=False))
    write_figure(folder / "algebra.svg", panels)
    best = lambda r: min(v for v in (r["bareiss"], r["minors"], r["ginac"]) if v)
    out = ("Determinants of k × k matrices of polynomials: daetool (terms in, "
           "term out) beside FLINT used directly and GiNaC. The last "
           "column is the form of daetool's answer: where it is “shared minors” the peers do "
           "more, they expand the answer; daetool "
           "keeps it as a sum of products of shared minors, "
           "so those rows are not a comparison of the same work.\n\n")
    out += table(["entries", "k", "terms expanded", "daetool / ms", "FLINT Bareiss / ms",
                  "FLINT minors / ms", "GiNaC / ms",
                  "best peer / daetool", "form"],
                 [[r["entries"], r["k"], r["terms"], number(r["daetool"]), number(r["bareiss"]),
                   number(r["minors"]), number(r["ginac"]),
                   number(best(r) / r["daetool"]), r["form"]] for r in rows])
    out += "\nAgainst the best of the peers, same work only: "
    out += compare([(f"{r['entries']}, k = {r['k']}", r["daetool"], best(r))
                    for r in rows if r["form"] == "expanded"])
    return out + "\n\n![Determinants](bench/algebra.svg)\n"


def section_reader(text, folder):
    rows = parse.reader(text)
    if not rows:
        return None
    points = [(r[0], r[2]) for r in rows]
    ideal = Series("linear growth", [(r[0], rows[0][2] * r[0] / rows[0][0]) for r in rows],
                   dashed=True, guide=True)
    write_figure(folder / "reader.svg", [
        Panel("Reading an RC ladder", "equations", "CPU time / s",
              [Series("daetool", points), ideal]),
        Panel("Peak memory", "equations", "peak memory / MiB",
              [Series("daetool", [(r[0], r[7]) for r in rows])])])
    out = ("Reading and building a flat RC ladder, text to terms; no peer. The peak contains "
           "the text.\n\n")
    out += table(["equations", "text / MB", "CPU time / s", "MB/s", "terms/s", "terms",
                  "terms / MiB", "peak / MiB", "bytes / equation"],
                 [[f"{r[0]:.0f}", number(r[1]), number(r[2]), number(r[3]), f"{r[4]:.2e}",
                   f"{r[5]:.0f}", number(r[6]), number(r[7]), f"{r[7]*2**20/r[0]:.0f}"]
                  for r in rows],
                 left=0)
    return (out + f"\nGrowth: {exponent(points)}.\n\n![Reading](bench/reader.svg)\n")


def section_lang(text, folder):
    del folder
    rows = parse.functions(text)
    if not rows:
        return None
    return ("Texts with classes, made by `bench/lang/run.py`: libraries of components that are "
            "parsed, and ladders of components that are instantiated, connected, flattened and "
            "printed. Growth is that of the time from the size before.\n\n" +
            table(rows[0], rows[1:]))


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
        for name, field, key in (("daetool, transversal + offsets", "ours", "d"),
                                 ("BTF maxtrans (unweighted)", "maxtrans", "b"),
                                 ("SciPy LAPJVsp", "scipy", "s"),
                                 ("MUMPS", "mumps", "m")):
            for order in ("natural", "shuffled"):
                points = [(r["n"], r[field]) for r in kernels if r["kind"] == kind
                          and r["order"] == order and (r[field] or 0) > 0]
                series.append(Series(f"{name}, {order}", points,
                                     dashed=order == "shuffled", key=key))
        panels.append(Panel(kind, "equations", "CPU time / ms", series))
    write_figure(folder / "structure.svg", panels)
    largest = max(r["n"] for r in kernels)
    shown = [r for r in kernels if r["n"] > 0.9 * largest / 11]
    out = ("Highest-value transversal and canonical offsets of the signature matrix. "
           "SuiteSparse's `btf_maxtrans` solves the easier, unweighted "
           "problem (run up to 10⁵); SciPy's LAPJVsp (up to 10⁵) and MUMPS's maximum-product "
           "transversal the weighted one without offsets. The two largest sizes:\n\n")
    head = ["kind", "order", "n", "entries", "read", "Σ", "transversal", "offsets", "blocks",
            "BTF maxtrans", "BTF order", "LAPJVsp", "MUMPS"]
    out += table([h if i < 4 else h + " / ms" for i, h in enumerate(head)],
                 [[r["kind"], r["order"], f"{r['n']:.0f}", f"{r['nnz']:.0f}"] +
                  [number(r[f]) if r[f] is not None and r[f] >= 0 else "–"
                   for f in ("read", "sigma", "match", "offsets", "blocks", "maxtrans",
                             "btf_order", "scipy", "mumps")] for r in shown], left=2)
    where = lambda r: f"{r['kind']} {r['order']} {r['n']:.0f}"
    out += "\nAll sizes, transversal and offsets together, against SciPy LAPJVsp (same problem): "
    out += compare([(where(r), r["ours"], r["scipy"]) for r in kernels])
    out += "\n\nAgainst the transversal of MUMPS (same problem): "
    out += compare([(where(r), r["ours"], r["mumps"]) for r in kernels
                    if (r["mumps"] or 0) > 0])
    out += "\n\nAgainst BTF maxtrans (easier problem): "
    out += compare([(where(r), r["ours"], r["maxtrans"]) for r in kernels if r["maxtrans"] > 0])
    rates = {k: exponent([(r["n"], r["ours"]) for r in kernels if r["kind"] == k])
             for k in dict.fromkeys(r["kind"] for r in kernels)}
    out += "\n\nGrowth of transversal and offsets: " + ", ".join(
        f"{k} {v}" for k, v in rates.items()) + ".\n\n![Structure](bench/structure.svg)\n"
    if commands:
        out += "\nThe whole command `daetool analyze`, reading included:\n\n"
        out += table(["model", "user CPU s", "peak / MiB"],
                     [[n, number(s), number(m)] for n, s, m in commands])
    return out


def section_reduce(text, folder):
    rows, peers = parse.reduce(text)
    if not rows:
        return None
    of = lambda kind, field, at: [(r[at], r[field]) for r in rows if r["model"].split()[0] == kind]
    chain = {int(r["model"].split()[1]): r for r in rows if r["model"].startswith("chain ")}
    panels = [Panel("Reduction by size", "equations", "CPU time / s", [
        Series("daetool, chain of pendula", of("chain", "reduce", "equations"), key="d"),
        Series("daetool, ladder with capacitor loops",
               of("ladder", "reduce", "equations"), key="l")]),
        Panel("Size of the result", "equations", "terms out", [
            Series("daetool, chain of pendula", of("chain", "terms_out", "equations"), key="d"),
            Series("daetool, ladder with capacitor loops",
                   of("ladder", "terms_out", "equations"), key="l")]),
        Panel("Chain: the same elimination", "N (5 N equations)", "CPU time / s", [
            Series("daetool, chain of pendula",
                   [(n, r["reduce"]) for n, r in chain.items()], key="d"),
            *[Series(tool, points.items()) for tool, points in peers.items()]])]
    write_figure(folder / "reduce.svg", panels)
    out = ("All hidden constraints and the quasi-linear form, CPU seconds; "
           "the front end (reading, structure) apart.\n\n")
    out += table(["model", "equations", "unknowns", "constraints", "introduced", "terms in",
                  "terms out", "read / s", "analyze / s", "reduce / s"],
                 [[r["model"]] +
                  [f"{r[f]:.0f}" for f in ("equations", "unknowns", "constraints", "introduced",
                                           "terms_in", "terms_out")] +
                  [f"{r[f]:.3f}" for f in ("read", "analyze", "reduce")] for r in rows])
    for kind in ("chain", "ladder"):
        out += (f"\nGrowth for the {kind}: time {exponent(of(kind, 'reduce', 'equations'))}, "
                f"terms out {exponent(of(kind, 'terms_out', 'equations'))}.\n")
    if peers:
        out += ("\nThe same elimination on the chain with computer algebra. The peers are told "
                "what to differentiate and what to put in; "
                "daetool finds that out, and proves its ranks, in the time given.\n\n")
        sizes = sorted({n for points in peers.values() for n in points})
        out += table(["N", "daetool / s"] + [f"{t} / s" for t in peers],
                     [[n, number(chain[n]["reduce"]) if n in chain else "–"] +
                      [number(p.get(n)) for p in peers.values()] for n in sizes], left=0)
        for tool, points in peers.items():
            out += f"\nAgainst {tool}: " + compare([(f"N = {n}", chain[n]["reduce"], s) for n,
                                                    s in points.items() if n in chain]) + "\n"
    return out + "\n![Reduction](bench/reduce.svg)\n"


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
            series.append(Series(label + ", paper", [(r["h"], r["paper"]) for r in mine
                                                     if r["paper"]], dashed=True, key=label))
        write_figure(folder / "realtime.svg",
                     [Panel("No projection, t = 100", "step / s", "ERR", plain),
                      Panel("One projection, t = 100", "step / s", "ERR", projected)])
        out += ("Table 1 of [Frochte] again: error of the pendulum at t = 100 (ERR = |Δx| + "
                "|Δy| + residual), Newton steps + projections, the "
                "paper's figure beside ours. `docs/realtime.md` says why some differ.\n\n")
        out += table(["method", "N+P", "step / s", "residual", "ERR", "ERR paper",
                      "ours / paper", "order"],
                     [[r["method"], r["steps"], f"{r['h']:.1e}", f"{r['res']:.1e}",
                       f"{r['err']:.1e}", f"{r['paper']:.1e}" if r["paper"] else "–",
                       number(r["err"] / r["paper"]) if r["paper"] else "–",
                       f"{r['order']:.2f}" if r["order"] else "–"] for r in errors], left=2)
        out += "\n![Fixed steps](bench/realtime.svg)\n"
    if speeds:
        out += ("\nCPU nanoseconds a step (pendulum, 1 ms): the exported C, "
                "the same scheme written by hand in C, and the tool's own loop.\n\n")
        out += table(["method", "N+P", "exported", "by hand", "exported / by hand", "own loop",
                      "own loop, `--native`", "flops a step"],
                     [r[:2] + [number(v) for v in r[2:7]] + [f"{r[7]:.0f}"] for r in speeds],
                     left=2)
        out += "\nExported code against the hand-written: " + compare([(f"{r[0]} {r[1]}", r[2],
                                                                        r[3]) for r in speeds])
        out += (" Own loop against the hand-written: " +
                compare([(f"{r[0]} {r[1]}", r[5], r[3]) for r in speeds]) + "\n")
    if hours:
        out += ("\nOne hour of simulated time at 1 ms, one projection a step: residuals and "
                "energy (exactly 0) at the end, drift of the turning points.\n\n")
        out += table(["method", "N+P", "projection", "residual", "xu + yv", "energy",
                      "drift / s", "a period / s", "CPU time / s"], hours, left=3)
    return out


def section_commands(text, folder):
    whole, chain = parse.commands(text)
    if not whole:
        return None
    out = ("Whole commands as one starts them, the least of several runs; "
           "wall time depends on what else the machine does.\n\n")
    out += table(["command", "CPU time / ms", "wall ms", "exit"],
                 [[f"`{w[0]}`" if "," not in w[0] and "(" not in w[0] else w[0], number(w[1]),
                   number(w[2]), w[3]]
                  for w in whole])
    done = [c for c in chain if len(c) == 6]
    if chain:
        out += ("\nCost of a step of a chain of N masses (5 N equations of index 3, "
                "`examples/chain.mo`; the first 25 steps at tolerance 1e-5):\n\n")
        out += table(["N", "steps", "integration / s", "ms a step", "µs a step / N",
                      "front end / s"],
                     [[f"{c[0]:.0f}", f"{c[1]:.0f}"] + [number(v) for v in c[2:]] if len(c) == 6
                      else [f"{c[0]:.0f}", c[1], "–", "–", "–", "–"]
                      for c in chain], left=0)
    if len(done) > 1:
        ideal = Series("linear growth", [(c[0], done[0][3] * c[0] / done[0][0]) for c in done],
                       dashed=True, guide=True)
        write_figure(folder / "chain.svg", [
            Panel("Cost of a step of a chain", "N (5 N equations)", "CPU time of a step / ms",
                  [Series("daetool", [(c[0], c[3]) for c in done]), ideal])])
        out += (f"\nGrowth of a step: {exponent([(c[0], c[3]) for c in done])}; "
                f"the goal is linear.\n\n![Cost of a step](bench/chain.svg)\n")
    return out


def section_events(text, folder):
    rows = parse.events(text)
    if not rows:
        return None
    out = ("Events per second and errors of event times (at the end of the run where these are "
           "not known), beside SUNDIALS IDA with hand-written equations, exact Jacobians and root "
           "functions. Time is that of the integration, the least of several runs.\n\n")
    return out + table(["model", "tolerance", "tool", "events", "CPU time / s", "events / s",
                        "error"],
                       [[r["model"], r["tolerance"], r["tool"], r.get("events", "–"),
                         r.get("seconds", "–"), r.get("rate", "–"),
                         r.get("error", r.get("failed", "–"))] for r in rows])


def section_functions(text, folder):
    rows = parse.functions(text)
    if not rows:
        return None
    out = ("A function of 50 operations called N times, beside the same text written out: reading "
           "and 50 steps of Euler's method.\n\n")
    return out + table(rows[0], rows[1:])


def section_kernels(text, folder):
    rows = parse.functions(text)
    if not rows:
        return None
    return ("Right-hand sides of fields of equal cells, ns for each unknown and lane: kernels over "
            "index tables beside one instruction for each operation (the same bits, asserted) and "
            "beside loops written by hand (one lane).\n\n" + table(rows[0], rows[1:]) + "\n")


def section_scale(text, folder):
    rows = parse.functions(text)
    if not rows:
        return None
    names = rows[0]
    cells = [dict(zip(names, row)) for row in rows[1:]]
    out = ("Whole commands on models that grow (`bench/scale/models.py`), with the growth of "
           "their time from the size before, their memory, and the goal where there is one. "
           "Fields are integrated to t = 1 beside SUNDIALS IDA with KLU, hand-written in C with "
           "exact Jacobians (`bench/scale/peer_fields.c`), whose time is that of the whole run; "
           "digits are those of the worst unknown at the end against daetool at 1e-10.\n\n")
    out += table(names, rows[1:])
    timed = [(f"{c['work']}, {c['size']}", float(c["CPU / s"]), c) for c in cells
             if not c["CPU / s"].isalpha() and "exit" not in c["CPU / s"]]
    goals = [(w, s, float(c["goal / s"])) for w, s, c in timed if c["goal / s"]]
    missed = [f"{w} ({number(s)} of {number(g)} s)" for w, s, g in goals if s > g]
    out += f"\n{len(goals) - len(missed)} of {len(goals)} goals are met"
    out += f"; not met: {', '.join(missed)}.\n\n" if missed else ".\n\n"
    return out + compare([(w, s, float(c["IDA + KLU / s"])) for w, s, c in timed
                          if c["IDA + KLU / s"]]) + "\n"


def section_initcheck(text, folder):
    rows = parse.initcheck(text)
    if not rows:
        return None
    kinds = list(dict.fromkeys(r["kind"] for r in rows))
    points = {k: [(r["n"], r["seconds"]) for r in rows if r["kind"] == k and r["conflict"] == 0]
              for k in kinds}
    write_figure(folder / "initcheck.svg",
                 [Panel("check-init, whole command", "n", "CPU time / s",
                        [Series(k, points[k]) for k in kinds])])
    out = ("The whole command `daetool check-init` on models of n parts whose initialization "
           "is over-determined on purpose (`bench/initcheck/models.py`), "
           "each also with one wrong value among the many: then the conflict set must be "
           "small. No peer proves the same.\n\n")
    out += table(["kind", "n", "initial equations", "verdict", "redundant", "smallest conflict",
                  "CPU time / s"],
                 [[r["kind"], r["n"], r["initial"], r["verdict"], r["redundant"],
                   r["conflict"] or "–", number(r["seconds"])] for r in rows])
    rates = ", ".join(f"{k} {exponent(points[k])}" for k in kinds if len(points[k]) > 1)
    return out + f"\nGrowth: {rates}.\n\n![Initialization](bench/initcheck.svg)\n"


TITLES = {
    "terms": ("Terms: symbolic Jacobians", section_terms),
    "algebra": ("Algebra: determinants", section_algebra),
    "reader": ("Reading large models", section_reader),
    "lang": ("Classes and components", section_lang),
    "structure": ("Structure: transversals and offsets", section_structure),
    "reduce": ("Reduction: hidden constraints", section_reduce),
    "initcheck": ("Initialization: proofs at scale", section_initcheck),
    "simulate": ("Simulation: work and precision", section_simulate),
    "realtime": ("Real time: fixed steps and exported code", section_realtime),
    "events": ("Events: rate and location", section_events),
    "functions": ("Functions: calls beside text", section_functions),
    "kernels": ("Evaluation: kernels for equal cells", section_kernels),
    "scale": ("From text to result, by size", section_scale),
    "commands": ("Whole commands and long chains", section_commands),
}


def head_of(text):
    """(first line, failures noted by bench/run)"""
    lines = text.splitlines()
    failures = [line.split(":", 1)[1].strip() for line in lines if line.startswith("# failed:")]
    return lines[0].lstrip("# ") if lines and lines[0].startswith("#") else "unknown", failures


def part_of_page(part, path, folder):
    title, section = TITLES[part]
    out = [f"## {title}\n"]
    if not path.exists():
        return out + [f"Not run yet: `bench/run {part}`.\n"]
    text = path.read_text(encoding="utf-8")
    head, failures = head_of(text)
    if "-dirty" in head:
        return out + [f"Not measured on a committed version yet: `bench/run {part}`.\n"]
    out.append(f"*{head}.*\n")
    for failure in failures:
        out.append(f"**Not complete**: {failure}.\n")
    try:
        body = section(text, folder)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, StopIteration,
            ZeroDivisionError) as error:
        body = None  # a program that printed something unexpected costs its own section only
        out.append(f"The output could not be read ({type(error).__name__}: {error}).\n")
    out.append(body if body is not None else "No table was found in the output:\n\n```text\n" +
               text + "\n```\n")
    return out


def write_page(results, document, folder):
    """`document` and its figures in `folder` from the files in `results`, and from nothing
    else: the same bytes every time."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    machine = []
    if (results / "machine.json").exists():
        machine = [tuple(row) for row in json.loads(
            (results / "machine.json").read_text(encoding="utf-8"))]
    out = ["# Benchmarks\n",
           "Made by `bench/run` from the raw output in `bench/results/`; "
           "do not edit (`bench/run --page` makes it again without running anything). "
           "Peers run beside daetool in the same run on the same machine. Times are CPU times "
           "unless a column says otherwise; each section says when "
           "it was run, on which version and under which load (other processes cost cache and "
           "turbo even where CPU time is measured). Sentences that "
           "compare are computed from the tables, also where the peer is ahead.\n",
           table(["", ""], machine, left=2)]
    out += [section_goals(results) or ""]
    for part in PARTS:
        out += part_of_page(part, results / f"{part}.txt", folder)
    document.write_text("\n".join(out), encoding="utf-8")
