"""The tables that the benchmark programs print, as lists of rows. A table that
is not found is an empty list."""

import re

NUMBER = r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?"


def floats(words):
    return [float(w) for w in words]


def terms(text):
    """[{n, build, jacobian, rate, store, ginac_build, ginac_jacobian}]"""
    rows = []
    for line in text.splitlines():
        if not line.startswith("N ="):
            continue
        own, _, peer = line.partition("GiNaC:")
        get = (lambda part, pattern: float(re.search(pattern, part).group(1))
               if re.search(pattern, part) else None)
        rows.append({
            "n": int(re.search(r"N =\s*(\d+)", own).group(1)),
            "equations": int(re.search(r"equations\s+(\d+)", own).group(1)),
            "build": get(own, rf"build\s+({NUMBER})"),
            "jacobian": get(own, rf"Jacobian\s+({NUMBER})"),
            "rate": get(own, rf"({NUMBER}) million"),
            "peak": get(own, rf"peak\s+({NUMBER})"),
            "ginac_build": get(peer, rf"build\s+({NUMBER})"),
            "ginac_jacobian": get(peer, rf"Jacobian\s+({NUMBER})"),
        })
    return rows


def algebra(text):
    """[{entries, k, terms, daetool, bareiss, minors, ginac, form}], times in ms"""
    rows = []
    for line in text.splitlines():
        found = re.match(r"(linear in 4 variables|independent symbols)\s+(.*)", line)
        if found:
            words = found.group(2).split(None, 7)
            value = lambda w: None if w == "-" else float(w)
            rows.append({"entries": found.group(1), "k": int(words[0]), "terms": int(words[1]),
                         "daetool": float(words[2]),
                         "bareiss": value(words[3]), "minors": value(words[4]),
                         "ginac": value(words[5]), "form": words[7]})
    return rows


def reader(text):
    """[(equations, MB, seconds, MB/s, terms/s, terms, terms MiB, peak MiB)]"""
    return [floats(line.split()) for line in text.splitlines() if re.match(r"\s*\d+\s", line)
            and len(line.split()) == 8]


def structure(text):
    """(kernels, matchings of SciPy by (kind, order, n), whole commands [(name, seconds, MiB)])"""
    kernels, scipy, commands = [], {}, []
    for line in text.splitlines():
        words = line.split()
        if len(words) in (14, 15) and words[1] in ("natural", "shuffled"):
            names = ("n", "nnz", "value", "phases", "fine", "read", "sigma", "match", "offsets",
                     "blocks", "maxtrans", "btf_order", "mumps")
            kernels.append({"kind": words[0], "order": words[1], "mumps": None,
                            **dict(zip(names, floats(words[2:])))})
        found = re.match(rf"(\w+)-(\w+)-\d+\s+n\s+(\d+) value\s+\S+\s+({NUMBER}) ms", line)
        if found:
            scipy[found.group(1), found.group(2), float(found.group(3))] = float(found.group(4))
        found = re.match(rf"(\w+-\w+-\d+)\s+({NUMBER}) s user, (\d+) KB", line)
        if found:
            commands.append((found.group(1), float(found.group(2)), int(found.group(3)) / 1024))
    return kernels, scipy, commands


def reduce(text):
    """(own rows, {"GiNaC": {n: seconds}, "SymPy": ...})"""
    rows, peers, tool = [], {}, None
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in ("GiNaC", "SymPy") and words[-1] == "seconds":
            tool = " ".join(words[:-3])
            peers[tool] = {}
        elif words and words[0] == "model":
            tool = None
        elif tool and len(words) == 4 and words[0] == "chain":
            peers[tool][int(words[1])] = float(words[3])
        elif tool is None and len(words) >= 10 and all(re.fullmatch(NUMBER, w) for w in words[-9:]):
            names = ("equations", "unknowns", "constraints", "introduced", "terms_in",
                     "terms_out", "read", "analyze", "reduce")
            rows.append({"model": " ".join(words[:-9]), **dict(zip(names, floats(words[-9:])))})
    return rows, peers


def replace_problem(text, problem, block, stamp):
    """The output of simulate with the part of one problem put in place of the old one, or at
    the end, with a line of its own that says when it was run."""
    begin = rf"^# {problem}: index"
    lines = [line for line in block.splitlines() if line.strip()]
    first = next((i for i, line in enumerate(lines) if re.match(begin, line)), None)
    if first is None:
        return text
    new = [lines[first], f"# {problem} ran: {stamp}", *lines[first + 1:]]
    out, skipping, done = [], False, False
    for line in text.splitlines():
        if re.match(r"# \w+: (index|no reference)", line):
            skipping = re.match(rf"# {problem}: ", line) is not None
            if skipping and not done:
                out += new
                done = True
        if not skipping:
            out.append(line)
    return "\n".join(out + ([] if done else new)) + "\n"


def simulate(text):
    """{problem: {"index", "groups", "stop", "runs": {(tool, form): {tolerance: run}},
    "notes"}}; a run: {ms, whole, steps, digits} or {failed}"""
    problems = {}
    for line in text.splitlines():
        head = re.match(r"# (\w+): index (\d), groups (.*), t = (\S+)$", line)
        if head:
            problems[head.group(1)] = {"index": int(head.group(2)),
                                       "groups": head.group(3).split(), "stop": head.group(4),
                                       "runs": {}, "notes": []}
            continue
        ran = re.match(r"# (\w+) ran: (.*)", line)
        if ran and ran.group(1) in problems:
            problems[ran.group(1)]["ran"] = ran.group(2)
        words = line.split()
        if line.startswith("#") or len(words) < 5 or words[2] not in problems:
            continue
        fields = dict(w.split("=", 1) for w in words[4:] if "=" in w)
        entry = problems[words[2]]
        if words[3] == "-":
            entry["notes"].append(f"{words[0]}: {fields.get('failed', '?').replace('_', ' ')}")
            continue
        run = {"failed": fields["failed"].replace("_", " ")} if "failed" in fields else {
            "ms": float(fields["ms"]), "whole": float(fields["whole"]) if "whole" in fields
            else None, "steps": int(fields["steps"]),
            "digits": [float(d) for d in fields["digits"].split("/")]}
        entry["runs"].setdefault((words[0], words[1]), {})[words[3]] = run
    return {name: problem for name, problem in problems.items()
            if "-dirty" not in problem.get("ran", "")}


def realtime(text):
    """(errors [{method, steps, h, err, paper}], speeds [row], hours [row])"""
    errors, speeds, hours, part = [], [], [], ""
    for line in text.splitlines():
        words = line.split()
        if line.startswith("Table 1"):
            part = "table"
        elif line.startswith("the same"):
            part = "norm"
        elif line.startswith("Nanoseconds"):
            part = "speed"
        elif line.startswith("One hour"):
            part = "hour"
        elif len(words) > 5 and words[0] in ("ab3", "bdf3"):
            if part == "table":
                paper = None if words[7] == "-" else float(words[7])
                order = float(words[9]) if len(words) > 9 else None
                errors.append({"method": words[0], "steps": words[1], "h": float(words[2]),
                               "res": float(words[5]),
                               "err": float(words[6]), "paper": paper, "order": order})
            elif part == "speed":
                speeds.append(words[:2] + floats(words[2:]))
            elif part == "hour":
                hours.append(words)
    return errors, speeds, hours


def commands(text):
    """(whole commands [(text, CPU ms, wall ms, exit)], chain [(N, steps, s, ms a step, us a
    step/N, front end s) or (N, why not)])"""
    whole, chain = [], []
    for line in text.splitlines():
        found = re.match(rf"(daetool .*\S)\s+({NUMBER})\s+({NUMBER})\s+(\S+)$", line)
        if found:
            whole.append((found.group(1), float(found.group(2)), float(found.group(3)),
                          found.group(4)))
        words = line.split()
        if words and words[0].isdigit():
            chain.append(tuple(floats(words)) if len(words) == 6
                         else (float(words[0]), " ".join(words[1:])))
    return whole, chain


def initcheck(text):
    """[{kind, n, initial, verdict, redundant, conflict, seconds}]"""
    rows = []
    for line in text.splitlines():
        found = re.match(rf"(\w+)\s+(\d+)\s+(\d+)\s+(\S.*?)\s+(\d+)\s+(\d+|-)"
                         rf"\s+({NUMBER})(?:\s+({NUMBER}))?\s*$", line)
        if found and found.group(1) != "kind":
            rows.append({"kind": found.group(1), "n": int(found.group(2)),
                         "initial": int(found.group(3)), "verdict": found.group(4),
                         "redundant": int(found.group(5)), "conflict": 0 if found.group(6) ==
                         "-" else int(found.group(6)), "seconds": float(found.group(7))})
    return rows


def events(text):
    """[{tool, model, tolerance, and the fields of the line}], in the order of models."""
    rows = []
    for line in text.splitlines():
        words = line.split(" ", 3)
        if line.startswith("#") or len(words) < 4 or "=" not in words[3]:
            continue
        fields = dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", words[3]))
        rows.append({"tool": words[0], "model": words[1], "tolerance": words[2], **fields})
    order = list(dict.fromkeys(row["model"] for row in rows))
    return sorted(rows, key=lambda row: (order.index(row["model"]), float(row["tolerance"])))


def functions(text):
    """Rows of cells, the names first."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if not set("".join(row)) <= set("-: ")]
