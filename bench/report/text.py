"""Markdown tables, numbers and the sentences that compare."""

import math


def table(heads, rows, left=1):
    """A Markdown table; the first `left` columns to the left, numbers to the right."""
    lines = ["| " + " | ".join(heads) + " |",
             "|" + "|".join(":--" if i < left else "--:" for i in range(len(heads))) + "|"]
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
    """One sentence about (where, ours, theirs), times both: who is ahead how
    often and where the peer is."""
    pairs = [(w, a, b) for w, a, b in pairs if a and b]
    if not pairs:
        return "No pair of figures to compare."
    behind = [(w, a / b) for w, a, b in pairs if a > b]
    text = f"daetool is ahead in {len(pairs) - len(behind)} of {len(pairs)} cases"
    ratios = sorted(b / a for _, a, b in pairs)
    text += (f" (time of the peer / time of daetool: {number(ratios[0])} to "
             f"{number(ratios[-1])}, median {number(ratios[len(ratios) // 2])})")
    if behind:
        worst = sorted(behind, key=lambda x: -x[1])
        shown = ", ".join(f"{w} ({number(r)} times)" for w, r in worst[:6])
        text += f". The peer is faster at: {shown}" + (f" and {len(worst) - 6} more"
                                                       if len(worst) > 6 else "")
    return text + "."


def clock(seconds):
    """The program prints six decimals."""
    return "< 1e-6" if seconds is not None and seconds < 1e-6 else number(seconds)
