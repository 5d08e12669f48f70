"""The goals of the project beside the figures of the last results: met or not, computed. A part
that was not run has none."""

import parse
import simulation
from text import number, table

# work of `scale`: most seconds at a size, most MiB there, most growth from size to size
LIMITS = {
    "check-init, capacitor grid": (19200, 2, 300, 1.2),
    "check-init, parallel capacitors": (50000, 2, 300, 1.2),
    "check-init, Navier-Stokes": (192, 0.1, 300, 1.2),
    "analyze, random sparse": (100000, 30, 1024, None),
    "analyze, 2-D grid": (90000, 2, None, None),
    "analyze, pendula": (1000000, 8, None, None),
    "analyze, relative coordinates": (10, 1, None, None),
    "reduce, loop": (50, 0.1, None, None),
    "reduce, chain": (40, 0.1, None, None),
    "reduce car axis with a wrong term": (1, 0.5, None, None),
}
READING = (1000000, 3, 800)  # equations, s, MB
KERNELS = 3  # times as fast as an instruction for each operation: right-hand sides, one lane
CHEAPER = 0.8  # most of the time at 1e-6 that a run at 1e-4 takes
SMALL = 0.02  # s: below this growth is not told from noise
LOOSE = ("1e-3", "1e-4", "1e-5")


def value(text):
    try:
        return float(text)
    except ValueError:
        return None


def of_scale(text):
    """{work: {size: row}}; CPU time is None where a command failed."""
    rows = parse.functions(text)
    out = {}
    for cells in rows[1:]:
        row = dict(zip(rows[0], cells))
        out.setdefault(row["work"], {})[int(row["size"])] = row
    return out


def share(what, pairs):
    """(where, ours, theirs): ours must not be larger anywhere."""
    behind = [(w, a / b) for w, a, b in pairs if a > b]
    text = f"{len(pairs) - len(behind)} of {len(pairs)}"
    if behind:
        where, worst = max(behind, key=lambda p: p[1])
        text += f"; worst: {where}, {number(worst)} times"
    return [what[0], what[1], text, not behind] if pairs else None


def limit(work, rows):
    size, seconds, memory, growth = LIMITS[work]
    row = rows.get(size)
    if row is None:
        return None
    spent, peak = value(row["CPU / s"]), value(row["peak / MiB"])
    steepest = max((value(r["growth"]) for r in rows.values()
                    if value(r["growth"]) and (value(r["CPU / s"]) or 0) > SMALL), default=None)
    goal = f"{number(seconds)} s" + (f", {memory} MiB" if memory else "")
    goal += f", size^{growth}" if growth else ""
    found = row["CPU / s"] + (" s" if spent is not None else "")
    found += f", {number(peak)} MiB" if memory and peak else ""
    found += f", size^{steepest}" if growth and steepest else ""
    is_met = (spent is not None and spent <= seconds and (not memory or (peak or 0) <= memory)
              and (not growth or (steepest or 0) <= growth))
    return [f"{work}, {size}" if size > 1 else work, goal, found, is_met]


def fields(scale):
    """Beside IDA: before the first step, and the integration with as many digits."""
    before, during, cheaper = [], [], []
    for work, rows in scale.items():
        kind, _, rest = work.partition(": ")
        for size, row in rows.items():
            spent, peer = value(row["CPU / s"]), value(row["IDA + KLU / s"])
            where = f"{kind} {size}, {work.split()[-1]}"
            if rest.startswith("before") and spent is not None and peer:
                before.append((where, spent, peer))
            elif rest.startswith("integration") and spent is not None and peer:
                digits, theirs = value(row["digits"]), value(row["digits of IDA"])
                short = digits is None or theirs is None or digits < theirs
                during.append((where, float("inf") if short else spent, peer))
                tight = scale.get(work.replace("1e-4", "1e-6"), {}).get(size)
                if work.endswith("1e-4") and tight and value(tight["CPU / s"]):
                    cheaper.append((where, spent, CHEAPER * value(tight["CPU / s"])))
    return [share(("fields: all before the first step", "≤ the whole run of IDA + KLU"), before),
            share(("fields: integration", "≤ IDA + KLU, with as many digits"), during),
            share(("fields: integration at 1e-4", f"≤ {CHEAPER} of that at 1e-6"), cheaper)]


def transversals(text):
    kernels = parse.structure(text)[0]
    pairs = [(f"{r['kind']} {r['order']} {r['n']:.0f}", r["match"] + r["offsets"], r["mumps"])
             for r in kernels if (r["mumps"] or 0) > 0 and r["n"] > 9e4]
    return [share(("transversal and offsets, 10⁵ and 10⁶", "≤ MUMPS's transversal"), pairs)]


def reading(text):
    size, seconds, memory = READING
    return [[f"reading {size} equations", f"{seconds} s, {memory} MB",
             f"{number(r[2])} s, {number(r[7]*1.048576)} MB",
             r[2] <= seconds and r[7]*1.048576 <= memory]
            for r in parse.reader(text) if r[0] == size]


def mechanisms(text):
    out = []
    problems = parse.simulate(text)
    for order in ("erk5", "erk8"):
        pairs = [(f"{name} {t}", 1, ratio) for name, problem in problems.items()
                 if ("arkode", order) in problem["runs"]
                 for t, ratio in simulation.ratios_of(problem, ("arkode", order)) if t in LOOSE]
        out.append(share((f"mechanisms at 1e-3 … 1e-5 beside ARKODE, order {order[3:]}",
                          "ahead at equal digits"), pairs))
    return out


def kernels(text):
    rows = parse.functions(text)
    cells = [dict(zip(rows[0], row)) for row in rows[1:]] if rows else []
    pairs = [(f"{c['field']} {c['unknowns']}", KERNELS, value(c["single / kernels"]))
             for c in cells if c.get("lanes") == "1" and value(c.get("single / kernels", ""))]
    return [share(("equal equations as kernels", f"≥ {KERNELS} times as fast"), pairs)]


def scale(text):
    works = of_scale(text)
    out = [limit(work, works[work]) for work in LIMITS if work in works]
    for work, rows in works.items():
        row = rows.get(1)
        if work.startswith("simulate") and row and value(row["goal / s"]):
            spent, goal = value(row["CPU / s"]), value(row["goal / s"])
            out.append([work, f"{row['goal / s']} s (4 × integration + 10 ms)",
                        f"{row['CPU / s']} s", spent is not None and spent <= goal])
    return out + fields(works)


SOURCES = {"reader": reading, "structure": transversals, "simulate": mechanisms,
           "kernels": kernels, "scale": scale}


def section_goals(results):
    """The table, or None where there are no results."""
    rows = []
    for part, function in SOURCES.items():
        path = results / f"{part}.txt"
        try:
            found = function(path.read_text(encoding="utf-8")) if path.exists() else []
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            found = [[f"goals of {part}", "", "the output could not be read", False]]
        rows += [r for r in found if r is not None]
    if not rows:
        return None
    met = sum(r[3] for r in rows)
    return (f"## Goals\n\n{met} of {len(rows)} are met by the figures below.\n\n" +
            table(["work", "goal", "measured", ""],
                  [[*r[:3], "met" if r[3] else "**not met**"] for r in rows], left=4))
