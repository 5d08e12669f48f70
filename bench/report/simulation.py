"""The section on simulate: work-precision tables and diagrams with the peers side by side."""

import equal
import parse
from svg import Panel, Series, write_figure
from text import number, table

OWN = ("daetool", "default")  # as the command does it without options
RADAU = ("daetool", "radau")
NATIVE = ("daetool", "native")
LABELS = {OWN: "daetool", RADAU: "daetool --explicit never", NATIVE: "daetool --native"}


def label(tool):
    return LABELS.get(tool, " ".join(tool))


def good_runs(runs):
    return {t: r for t, r in runs.items() if "failed" not in r}


def peers_of(problem):
    return [t for t in problem["runs"] if t[0] != "daetool"]


def ratios_of(problem, peer, own=OWN):
    """[(tolerance of the peer, time of the peer / time of daetool at its digits)]"""
    mine = list(good_runs(problem["runs"].get(own, {})).values())
    out = []
    for tolerance, run in good_runs(problem["runs"][peer]).items():
        r = equal.ratio(mine, run) if mine else None
        if r is not None:
            out.append((tolerance, r))
    return out


def cell(run, ratio=None):
    if run is None:
        return ""
    if "failed" in run:
        return run["failed"]
    text = f"{number(run['ms'])} ms, {'/'.join(f'{d:.1f}' for d in run['digits'])}"
    return text + (f", **{number(ratio)}**" if ratio is not None else "")


def problem_table(problem):
    peers = peers_of(problem)
    runs = problem["runs"]
    tolerances = sorted({t for r in runs.values() for t in r}, key=lambda t: -float(t))
    ratios = {p: dict(ratios_of(problem, p)) for p in peers}
    own = [t for t in LABELS if t in runs]
    rows = []
    for t in tolerances:
        mine = runs.get(OWN, {}).get(t)
        whole = number(mine["whole"], " ms") if mine and mine.get("whole") else ""
        rows.append([t, *[cell(runs[o].get(t)) for o in own], whole,
                     *[cell(runs[p].get(t), ratios[p].get(t)) for p in peers]])
    return table(["tolerance", *[label(o) for o in own], "from the text",
                  *[label(p) for p in peers]], rows)


def sentence(problem, peer):
    """Who is ahead, from the ratios; what the peer could not do."""
    pairs = ratios_of(problem, peer)
    runs = problem["runs"][peer]
    text = f"{label(peer)}: "
    if pairs:
        values = [r for _, r in pairs]
        behind = [f"{t} ({number(1 / r)} times)" for t,
                  r in sorted(pairs, key=lambda p: p[1]) if r < 1]
        text += (f"daetool is ahead in {len(pairs) - len(behind)} of {len(pairs)} runs at "
                 f"equal digits; time of the peer / time of daetool "
                 f"{number(min(values))} to {number(max(values))}, "
                 f"geometric mean {number(equal.geometric_mean(values))}.")
        if behind:
            text += f" The peer is faster at its tolerances {', '.join(behind)}."
    else:
        text += "no run to compare."
    failed = [f"{t} ({r['failed']})" for t, r in runs.items() if "failed" in r]
    poor = [t for t, r in good_runs(runs).items() if min(r["digits"]) < 1]
    far = [t for t, r in good_runs(runs).items() if min(r["digits"]) >= 1 and t not in dict(pairs)]
    if failed:
        text += f" It fails at {', '.join(failed)}."
    if poor:
        text += f" It has less than one correct digit in some group at {', '.join(poor)}."
    if far and good_runs(problem["runs"].get(OWN, {})):
        text += f" No run of daetool has all the digits of its run at {', '.join(far)}."
    return text


def summary(problems):
    rows = []
    for name, problem in problems.items():
        for peer in peers_of(problem):
            cells = [name, problem["index"], label(peer)]
            for own in LABELS:
                values = [r for _, r in ratios_of(problem, peer, own)]
                cells += [f"{sum(v >= 1 for v in values)} of {len(values)}",
                          number(min(values)), number(equal.geometric_mean(values)),
                          number(max(values))] if values else ["–"] * 4
            failed = sum("failed" in r or min(r["digits"]) < 1
                         for r in problem["runs"][peer].values())
            rows.append([*cells, f"{failed} of {len(problem['runs'][peer])}"])
    measures = [w for own in LABELS for w in (f"{label(own)} ahead", "least", "mean", "most")]
    return table(["problem", "index", "peer", *measures, "peer fails or has no digit"], rows,
                 left=3)


def figure(folder, name, problem):
    panels = []
    for g, group in enumerate(problem["groups"]):
        series = []
        for tool, runs in problem["runs"].items():
            points = [(r["digits"][g], r["ms"])
                      for r in good_runs(runs).values() if r["digits"][g] >= 0.5]
            series.append(Series(label(tool), points, key="daetool" if tool in LABELS
                                 else label(tool), in_order=True, dashed=tool in (RADAU, NATIVE)))
        panels.append(Panel(f"{name.replace('_', ' ')}: {group}", "correct digits",
                            "CPU time of the integration / ms", series, x_log=False))
    write_figure(folder / f"simulate-{name}.svg", panels)


def section_simulate(text, folder):
    problems = {n: p for n, p in parse.simulate(text).items() if p["runs"]}
    if not problems:
        return None
    out = ("CPU time of the integration against correct digits at the end. daetool gets the "
           "published text in its original form; SUNDIALS IDA and "
           "deSolve's radau and daspk get hand-reduced equations in compiled C "
           "(`bench/simulate/forms*.c`), and so do ARKODE's explicit methods of orders 5 and 8 "
           "on three mechanisms (`odes.c`), each in the form it can take: *index3* "
           "position constraints, *index2* as published, *ggl* positions corrected with the "
           "constraints of two levels, *index1* the last level only. "
           "Digits are those of the worst component of a group against an independent run in "
           "quadruple precision (`bench/references`): "
           "−log₁₀ of the error relative to the size of the value. Times are the least of "
           "several runs in the same process; what R does around "
           "radau and daspk is not counted, nor is daetool's front end: the column “from the "
           "text” has both together, reading to results. "
           "The first column is daetool without options: explicit steps while a problem is not "
           "stiff, radau otherwise; `--explicit never` is radau alone. "
           "A run of IDA that takes more than 5 s is given up. Peers are run at "
           "tolerances 1e-4 to 1e-11, daetool from 1e-1 on, "
           "because it delivers more digits than it is asked for.\n\n"
           "**At equal digits**: for each run of a peer with at least one digit in every "
           "group, its time over the time daetool needs for the same "
           "digits in every group, interpolated on daetool's own curve (digits beyond 12, "
           "round-off, count as 12). Above 1 daetool is ahead; "
           "the tables give this ratio in bold.\n\n")
    out += summary(problems)
    for name, problem in problems.items():
        figure(folder, name, problem)
        out += (f"\n### {name.replace('_', ' ').capitalize()} (index {problem['index']}, "
                f"t = {problem['stop']})\n\n" +
                (f"*{problem['ran']}.*\n\n" if "ran" in problem else "") +
                f"Time, digits of {' / '.join(problem['groups'])}, ratio at equal digits.\n\n")
        out += problem_table(problem)
        for peer in peers_of(problem):
            out += f"\n{sentence(problem, peer)}\n"
        for note in problem["notes"]:
            out += f"\nNot finished: {note}.\n"
        out += f"\n![Work and precision: {name.replace('_', ' ')}](bench/simulate-{name}.svg)\n"
    return out
