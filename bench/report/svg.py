"""Small multiples as SVG: panels with linear or logarithmic axes and one legend below
them; standard library only."""

import math
from html import escape

# Okabe and Ito's colours without the yellow, which is too light on white;
# told apart by marker as well.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000", "#E69F00"]
GUIDE = "#888888"
MARKERS = ["circle", "square", "triangle", "diamond", "cross", "plus", "ring"]
PANEL_WIDTH, PANEL_HEIGHT = 330, 250
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 30, 48
FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"


class Series:
    """Points of one curve; colour and marker are chosen by the figure, the same for
    the same name in every panel."""

    def __init__(self, name, points, dashed=False, key=None, in_order=False, guide=False):
        self.name = name
        self.points = [(float(x), float(y)) for x, y in points]
        if not in_order:
            self.points.sort()
        self.dashed = dashed
        self.guide = guide  # a line to compare with: grey, without markers
        self.key = key or name  # series with the same key have the same colour and marker


class Panel:
    def __init__(self, title, x_label, y_label, series, x_log=True, y_log=True):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.x_log, self.y_log = x_log, y_log
        self.series = []
        for s in series:
            s.points = [(x, y) for x,
                        y in s.points if (x > 0 or not x_log) and (y > 0 or not y_log)]
            if s.points:
                self.series.append(s)


class Axis:
    """Maps values to [0, 1] and says where the ticks are."""

    def __init__(self, values, is_log):
        self.is_log = is_log
        low, high = min(values), max(values)
        if is_log:
            a, b = math.log10(low), math.log10(high)
            if b - a < 0.4:
                a, b = a - 0.3, b + 0.3
        else:
            a, b = low, high
            if b - a < 1e-12 * max(abs(a), abs(b), 1):
                a, b = a - 0.5, b + 0.5
        room = 0.05 * (b - a)
        self.a, self.b = a - room, b + room

    def place(self, value):
        v = math.log10(value) if self.is_log else value
        return (v - self.a) / (self.b - self.a)

    def ticks(self):
        """(value, text or None for a minor tick)"""
        if not self.is_log:
            step = nice_step((self.b - self.a) / 5)
            first = math.ceil(self.a / step - 1e-9)
            last = math.floor(self.b / step + 1e-9)
            return [(k * step, f"{k * step:.10g}") for k in range(first, last + 1)]
        decades = range(math.ceil(self.a - 1e-9), math.floor(self.b + 1e-9) + 1)
        every = max(1, math.ceil(len(decades) / 7))
        out = [(10.0**e, power_text(e) if e % every == 0 else None) for e in decades]
        if len(decades) < 3:  # a short axis: 2 and 5 get their numbers too
            for e in range(math.floor(self.a), math.ceil(self.b) + 1):
                out += [(m * 10.0**e, between_text(m, e))
                        for m in (2, 5) if self.a <= math.log10(m * 10.0**e) <= self.b]
        elif every == 1:
            for e in range(math.floor(self.a), math.ceil(self.b) + 1):
                out += [(m * 10.0**e, None)
                        for m in range(2, 10) if self.a <= math.log10(m * 10.0**e) <= self.b]
        return out


def nice_step(rough):
    scale = 10.0 ** math.floor(math.log10(rough))
    return scale * next(m for m in (1, 2, 5, 10) if m * scale >= rough * 0.999)


def power_text(e):
    if -3 <= e <= 3:
        return f"{10.0**e:g}"
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + str(e).translate(digits)


def between_text(m, e):
    return f"{m * 10.0**e:.6g}" if -4 <= e <= 3 else f"{m}·{power_text(e)}"


def marker(kind, x, y, colour):
    r = 3.6
    fill = f"fill='{colour}'"
    line = f"stroke='{colour}' stroke-width='1.8' fill='none'"
    if kind == "circle":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{r}' {fill}/>"
    if kind == "ring":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{r}' {line}/>"
    if kind == "square":
        return f"<rect x='{x - r:.1f}' y='{y - r:.1f}' width='{2 * r}' height='{2 * r}' {fill}/>"
    if kind == "triangle":
        return f"<path d='M{x:.1f} {y - 4.6:.1f}l4.4 7.8h-8.8z' {fill}/>"
    if kind == "diamond":
        return f"<path d='M{x:.1f} {y - 5:.1f}l4.6 5l-4.6 5l-4.6 -5z' {fill}/>"
    if kind == "cross":
        return (f"<path d='M{x - r:.1f} {y - r:.1f}l{2 * r} {2 * r}m0 "
                f"{-2 * r}l{-2 * r} {2 * r}' {line}/>")
    return f"<path d='M{x - 4.4:.1f} {y:.1f}h8.8m-4.4 -4.4v8.8' {line}/>"


def text(x, y, words, size=11, anchor="middle", more=""):
    return (f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' {FONT} "
            f"fill='#222' {more}>{escape(words)}</text>")


def draw_axes(panel, x0, y0, width, height, x_axis, y_axis):
    out = []
    for value, label in x_axis.ticks():
        x = x0 + width * x_axis.place(value)
        if label:
            out.append(f"<path d='M{x:.1f} {y0}v{height}' stroke='#ddd' stroke-width='0.8'/>")
            out.append(text(x, y0 + height + 16, label))
        out.append(f"<path d='M{x:.1f} {y0 + height}v{-5 if label else -3}' stroke='#444' "
                   f"stroke-width='0.8'/>")
    for value, label in y_axis.ticks():
        y = y0 + height * (1 - y_axis.place(value))
        if label:
            out.append(f"<path d='M{x0} {y:.1f}h{width}' stroke='#ddd' stroke-width='0.8'/>")
            out.append(text(x0 - 6, y + 4, label, anchor="end"))
        out.append(f"<path d='M{x0} {y:.1f}h{5 if label else 3}' stroke='#444' "
                   f"stroke-width='0.8'/>")
    out.append(f"<rect x='{x0}' y='{y0}' width='{width}' height='{height}' "
               f"fill='none' stroke='#444'/>")
    out.append(text(x0 + width / 2, y0 - 10, panel.title, size=12.5, more="font-weight='bold'"))
    out.append(text(x0 + width / 2, y0 + height + 36, panel.x_label))
    middle = y0 + height / 2
    out.append(text(x0 - 50, middle, panel.y_label,
                    more=f"transform='rotate(-90 {x0 - 50} {middle})'"))
    return out


def draw_panel(panel, x, y, style):
    x0, y0 = x + LEFT, y + TOP
    width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM
    points = [p for s in panel.series for p in s.points]
    if not points:
        return [text(x0 + width / 2, y0 + height / 2, panel.title + ": no data")]
    x_axis = Axis([p[0] for p in points], panel.x_log)
    y_axis = Axis([p[1] for p in points], panel.y_log)
    out = draw_axes(panel, x0, y0, width, height, x_axis, y_axis)
    for s in panel.series:
        colour, kind = style[s.key]
        at = [(x0 + width * x_axis.place(px), y0 + height * (1 - y_axis.place(py)))
              for px, py in s.points]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in at)
        dash = " stroke-dasharray='6 4'" if s.dashed else ""
        out.append(f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='1.8'{dash}/>")
        out += [] if s.guide else [marker(kind, a, b, colour) for a, b in at]
    return out


def draw_legend(entries, style, x, y, width):
    out, at = [], x
    for s in entries:
        needed = 60 + 6.6 * len(s.name)
        if at > x and at + needed > x + width:
            at, y = x, y + 20
        colour, kind = style[s.key]
        dash = " stroke-dasharray='6 4'" if s.dashed else ""
        out.append(f"<path d='M{at:.1f} {y}h30' stroke='{colour}' stroke-width='1.8'{dash}/>")
        if not s.guide:
            out.append(marker(kind, at + 15, y, colour))
        out.append(text(at + 36, y + 4, s.name, anchor="start", size=11.5))
        at += needed
    return out, y + 16


def write_figure(path, panels, columns=3):
    """One SVG file; curves of the same name look the same in every panel."""
    columns = max(1, min(columns, len(panels)))
    entries, style = {}, {}
    for s in (s for p in panels for s in p.series):
        entries.setdefault(s.name, s)
        if s.guide:
            style[s.key] = (GUIDE, "")
    for s in (s for p in panels for s in p.series):
        used = sum(colour != GUIDE for colour, _ in style.values())
        style.setdefault(s.key, (COLOURS[used % len(COLOURS)],
                                 MARKERS[(used + used // len(COLOURS)) % len(MARKERS)]))
    width = max(columns * PANEL_WIDTH, 420)
    body = []
    for i, panel in enumerate(panels):
        body += draw_panel(panel, (i % columns) * PANEL_WIDTH, (i // columns) * PANEL_HEIGHT, style)
    rows = math.ceil(len(panels) / columns)
    legend, height = draw_legend(list(entries.values()), style, LEFT, rows * PANEL_HEIGHT + 10,
                                 width - LEFT - RIGHT)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
                   f"width='{width}' height='{height}'>\n")
        file.write("<rect width='100%' height='100%' fill='white'/>\n")
        file.write("\n".join(body + legend) + "\n</svg>\n")
