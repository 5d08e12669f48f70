"""simulate --plot: the picture as a reader sees it, by what is in the SVG."""

import itertools
import math
import os
import re
import xml.etree.ElementTree

import harness
from harness import EXAMPLES, check_exit, contains, equal, run, run_text, scratch

PENDULUM = EXAMPLES / "pendulum.mo"
SVG = "{http://www.w3.org/2000/svg}"


def plot(model, *options, code=0):
    """The picture as an XML tree: a picture that is no XML fails here."""
    with scratch() as folder:
        path = os.path.join(folder, "p.svg")
        result = os.path.join(folder, "p.csv")
        check_exit(run_text("simulate", model, "-o", result, "--plot", path, *options), code)
        text = open(path).read()
        assert "nan" not in text and "inf" not in text, text
        return xml.etree.ElementTree.fromstring(text), text


def labels(tree):
    return ["".join(t.itertext()) for t in tree.iter(SVG + "text")]


def panels(tree):
    return sum(r.get("class") == "f" for r in tree.iter(SVG + "rect"))


def paths(tree):
    return list(tree.iter(SVG + "path"))


def path_lengths(tree):
    return [len(re.findall("[ML]", p.get("d"))) for p in paths(tree)]


def places(path):
    """The points of a path: [(x, y), ...] in pixels."""
    return [tuple(map(float, p)) for p in re.findall(r"[ML]([0-9.]+) ([0-9.]+)", path.get("d"))]


MANY = """model Many
  Real a; Real near; Real 'x<y & "z"'(unit = "kg.m2/s2"); Real zero;
  Real huge(unit = "Pa"); Real s[12];
equation
  a = 3; near = 1 + 1e-9*sin(time); 'x<y & "z"' = 5*time; zero = 0; huge = 1e7*exp(time);
  for i in 1:12 loop s[i] = sin(time + i/2); end for;
end Many;
"""


def test_phase_portraits_have_no_corners():
    """The fast part is a few steps of a long run: across the picture it must be smooth."""
    tree, _ = plot((EXAMPLES / "van_der_pol.mo").read_text(), "--plot-x", "y1")
    turns = []
    points = [key for key, _ in itertools.groupby(places(paths(tree)[0]))]
    for (a, b), (c, d), (e, f) in zip(points, points[1:], points[2:]):
        first, second = (c - a, d - b), (e - c, f - d)
        length = min(math.hypot(*first), math.hypot(*second))
        if length > 8:
            cosine = (first[0]*second[0] + first[1]*second[1])/(
                math.hypot(*first)*math.hypot(*second))
            turns.append(math.degrees(math.acos(max(-1, min(1, cosine)))))
    assert max(turns, default=0) < 10, max(turns)


PULSES = """model Pulses
  Real calm(unit = "V", start = 0, fixed = true); Real pulses(unit = "V");
  Real rate(unit = "mol/(m3.s)");
equation
  der(calm) = pulses - calm; pulses = if sin(100*time) > 0 then 1 else 0; rate = calm;
end Pulses;
"""


def test_restless_curves_do_not_cover_calm_ones():
    tree, _ = plot(PULSES, "--variables", "calm,pulses,rate")
    shown = labels(tree)
    assert shown.index("calm") < shown.index("pulses"), "the legend has the order of the model"
    colours = [p.get("stroke") for p in paths(tree)]
    assert colours[0] == "#d55e00" and colours[1] == "#0072b2", colours
    assert any("mol/(m³·s)" in text for text in shown), shown


ALIASES = """model Aliases
  Real a(start = 1, fixed = true); Real b; Real c; Real d; Real e; Real f; Real g; Real h; Real i;
  Real s; Real s2;
equation
  der(a) = -a; b = a; c = b; d = a; e = -a; f = 2*a; g = 3*a; h = 4*a; i = 5*a;
  s = sin(time); s2 = s;
end Aliases;
"""


def test_without_variables_each_curve_is_drawn_once():
    tree, _ = plot(ALIASES)
    shown = labels(tree)
    for name in "aefghis":
        assert name in shown, shown
    for name in ("b", "c", "d", "s2"):
        assert name not in shown, shown
    assert "b" in labels(plot(ALIASES, "--variables", "a,b")[0]), "what is asked for is drawn"


def test_plot_is_svg_with_axes_and_legend():
    with scratch() as folder:
        path = os.path.join(folder, "p.svg")
        options = ["--stop", "2", "--plot", path, "--variables", "x,lambda"]
        check_exit(run("simulate", PENDULUM, *options), 0)
        text = open(path).read()
        for part in ["<svg ", ">x</text>", ">lambda</text>", "time [s]", "</svg>"]:
            contains(text, part)
    wrong = run("simulate", PENDULUM, "--plot", "/dev/null", "--variables", "lamda")
    contains(check_exit(wrong, 2).err, "did you mean 'lambda'?")


def test_panels_for_units_and_sizes():
    tree, text = plot(MANY, "--stop", "5")
    equal(panels(tree), 3)
    for part in ['\'x<y & "z"\'', "[kg·m²/s²]", "×10⁹ [Pa]", "time [s] "]:
        assert part in labels(tree), labels(tree)
    equal(panels(plot(MANY, "--variables", "a,near,s[1]")[0]), 1)
    equal(panels(plot(MANY, "--variables", "huge,s[1]")[0]), 2)


SWITCHED = """model Switched
  Real x; Boolean on; Integer n(start = 0, fixed = true);
equation
  x = 0.5*sin(time);
  on = x > 0;
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
end Switched;
"""


def test_booleans_have_a_panel_with_their_words():
    """A Boolean is no number of the size 1, and its axis has no 0.5."""
    tree, _ = plot(SWITCHED, "--stop", "7", "--variables", "x,on,n")
    equal(panels(tree), 3)
    words = labels(tree)
    assert "false" in words and "true" in words, words
    equal(panels(plot(SWITCHED, "--stop", "7", "--variables", "on")[0]), 1)
    equal(labels(plot(SWITCHED, "--stop", "7", "--variables", "x")[0]).count("true"), 0)


def test_ticks_of_integers_are_integers():
    tree, _ = plot(SWITCHED, "--stop", "3.5", "--variables", "n")
    ticks = labels(tree)
    for k in range(4):
        assert str(k) in ticks, ticks
    assert not any(re.fullmatch(r"[0-3]\.5", t) for t in ticks[:ticks.index("time [s] ")]
                   if t not in ("0.5", "1.5", "2.5", "3.5")), ticks
    heights = [t.get("y") for t in tree.iter(SVG + "text") if t.get("text-anchor") == "end"]
    equal(len(heights), 4)


def test_jumps_are_jumps():
    """Two points above each other, not a slope; the steps of the integrator are seen, too."""
    for options in (["--intervals", "7"], []):
        tree, _ = plot(SWITCHED, "--stop", "7", "--variables", "n", *options)
        points = places(paths(tree)[0])
        slopes = [(a, b) for a, b in zip(points, points[1:]) if a[0] != b[0] and a[1] != b[1]]
        equal(slopes, [])
        assert len({y for _, y in points}) == 8, points


def test_what_is_left_out_is_told_in_the_picture():
    assert "8 of 17 variables; others with --variables" in labels(plot(MANY)[0])
    assert not any("others with" in t for t in labels(plot(MANY, "--variables", "s*")[0]))
    tree, _ = plot(PENDULUM.read_text(), "--stop", "1")
    assert not any("others with" in t for t in labels(tree))


def test_many_curves_are_told_apart():
    tree, text = plot(MANY, "--variables", ",".join(f"s[{i}]" for i in range(1, 13)))
    looks = {(p.get("stroke"), p.get("stroke-dasharray")) for p in paths(tree)}
    equal(len(looks), 12)


def test_equal_curves_are_both_seen():
    tree, text = plot("model A Real x; Real y; equation x = time; y = x; end A;")
    looks = [p.get("stroke-dasharray") for p in paths(tree)]
    assert looks[0] is None and looks[1] is not None, looks


def test_small_changes_have_an_offset_and_noise_none():
    near = [MANY, "--variables", "near", "--stop", "5"]
    assert "×10⁻⁹ + 1" in labels(plot(*near, "--tol", "1e-13")[0])
    assert not any("×" in t for t in labels(plot(*near)[0]))


def test_one_point_constants_and_logarithms():
    tree, text = plot(MANY, "--stop", "0", "--variables", "a,near")
    equal(len(list(tree.iter(SVG + "circle"))), 2)
    plot(MANY, "--variables", "a,zero")
    tree, text = plot(MANY, "--stop", "20", "--log-y", "--variables", "huge,a")
    for part in ["10⁸", "10¹²", "[Pa]"]:
        assert part in labels(tree), labels(tree)
    tree, text = plot(MANY, "--stop", "100", "--log-x", "--variables", "a")
    assert "10²" in labels(tree) and "10¹" in labels(tree), labels(tree)
    plot(MANY, "--log-y", "--variables", "zero")


SPIKE = """model A
  Real x;
equation
  x = if abs(time - 0.5) < 2e-5 then 7 else sin(1000*time);
end A;
"""


def test_many_points_stay_small_and_keep_extremes():
    tree, text = plot(SPIKE, "--interval", "1e-5")
    assert len(text) < 200000, len(text)
    assert "6" in labels(tree) and "−4" not in labels(tree), labels(tree)
    heights = sorted(y for _, y in places(paths(tree)[0]))
    assert heights[0] < heights[20] - 200, heights[:30]  # four points in 100000 are drawn


def test_no_polygon_of_a_coarse_grid():
    coarse = ["--stop", "2", "--intervals", "2", "--variables"]
    tree, _ = plot(PENDULUM.read_text(), *coarse, "x")
    assert min(path_lengths(tree)) > 100, path_lengths(tree)
    with scratch() as folder:
        plain, plotted = os.path.join(folder, "a.csv"), os.path.join(folder, "b.csv")
        picture = ["--plot", os.path.join(folder, "p.svg")]
        check_exit(run("simulate", PENDULUM, "--stop", "2", "-o", plain), 0)
        check_exit(run("simulate", PENDULUM, "--stop", "2", "-o", plotted, *picture), 0)
        equal(open(plain).read(), open(plotted).read())  # the plot does not change the results


def test_no_polygon_of_a_coarse_grid_with_events():
    """The parabolas of the ball are parabolas, also where only the events are output points."""
    ball = (EXAMPLES / "bouncing_ball.mo").read_text()
    tree, _ = plot(ball, "--intervals", "1", "--variables", "h")
    points = places(paths(tree)[0])
    assert len(points) > 300, len(points)
    turns = [abs((c[1] - b[1]) - (b[1] - a[1])) for a, b, c in zip(points, points[1:], points[2:])]
    assert sum(t > 5 for t in turns) <= 8, "corners other than the bounces"


EDGE = """model Edge
  Real x(start = 1, fixed = true); Real y; Integer n(start = 0, fixed = true);
equation
  der(x) = -1;
  y = sqrt(x - 0.1);
  when x <= 0.2 then
    n = 1;
    reinit(x, 1);
  end when;
end Edge;
"""


def test_a_plot_ends_no_run():
    """A step that is tried beyond an event may leave the domain of a root: nobody sees it."""
    tree, _ = plot(EDGE, "--stop", "1.8", "--variables", "y")
    assert len(places(paths(tree)[0])) > 100


def test_one_variable_over_another():
    tree, _ = plot(PENDULUM.read_text(), "--stop", "2", "--plot-x", "x", "--variables", "y")
    assert "x " in labels(tree) and "time [s] " not in labels(tree), labels(tree)
    across = [x for x, _ in places(paths(tree)[0])]
    assert across != sorted(across), "a swing goes there and back"
    several = run("simulate", PENDULUM, "--plot", "/dev/null", "--plot-x", "*")
    contains(check_exit(several, 2).err, "--plot-x takes one variable")


def test_earlier_results_beside_these():
    with scratch() as folder:
        earlier, path = os.path.join(folder, "long.csv"), os.path.join(folder, "p.svg")
        check_exit(run("simulate", PENDULUM, "--set", "L=2", "--stop", "2", "-o", earlier), 0)
        here = ["simulate", PENDULUM, "--stop", "2", "--variables", "x", "--plot", path]
        check_exit(run(*here, "--overlay", earlier, "-o", os.path.join(folder, "r.csv")), 0)
        text = open(path).read()
        contains(text, "x (long.csv)")
        equal(text.count("<path"), 2)
        none = run(*here, "--overlay", os.path.join(folder, "none.csv"))
        contains(check_exit(none, 6).err, "none.csv: cannot read")
        open(earlier, "w").write('"time","x"\n0,1\n1\n')
        short = run(*here, "--overlay", earlier)
        contains(check_exit(short, 6).err, "row 3 does not have the 2 columns")


def test_units_of_si_types_are_on_the_axes():
    model = """model Coil
  import SI = Modelica.Units.SI;
  SI.Current i(start = 1, fixed = true);
  SI.Voltage v;
  Modelica.Units.SI.Temperature T;
equation
  0.1*der(i) = v;
  v = -2*i;
  T = 300 + i;
end Coil;
"""
    words = labels(plot(model)[0])
    for unit in ("[A]", "[V]", "[K]"):
        assert unit in words, words


if __name__ == "__main__":
    harness.main(globals())
