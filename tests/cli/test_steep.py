"""simulate: pulses that steep smooth functions make are found, though no stage meets them."""

import math

from harness import check_exit, main, run_text

TOLERANCES = ("1e-3", "1e-5", "1e-8")
MOTIONS = {"1": 1.0, "(2 - x)": math.log(2), "(x + 0.1)": math.log(11)}  # speeds, time to x = 1


def last(text, *options):
    result = check_exit(run_text("simulate", text, "--intervals", "1", *options), 0)
    rows = result.out.splitlines()
    return dict(zip(rows[0].replace('"', "").split(","), map(float, rows[-1].split(","))))


def check(rate, wanted, tolerances=TOLERANCES):
    """y grows by the integral of the rate over x from 0 to 1, however x gets there."""
    for speed, stop in MOTIONS.items():
        text = ("model Steep Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation "
                f"der(x) = {speed}; der(y) = ({rate})*{speed}; end Steep;")
        for tolerance in tolerances:
            found = last(text, "--stop", repr(stop), "--tol", tolerance)["y"]
            assert abs(found - wanted) < max(20*float(tolerance), 1e-6)*max(wanted, 1), \
                (rate, speed, tolerance, found)


def steps(function, width, place):
    """From 0 to 1 and back, of area 1."""
    slope = 300/width
    up = function.format(f"{slope!r}*(x - {place!r})")
    down = function.format(f"{slope!r}*(x - {place + width!r})")
    return f"{1/width!r}*({up} - {down})"


def test_differences_of_steps():
    for width in (1e-2, 1e-4, 1e-6):
        for function in ("0.5*tanh({0})", "1/(1 + exp(-({0})))"):
            check(steps(function, width, 0.437), 1.0)


def test_differences_of_roots():
    check("5e3*(1e7*(x - 0.3)/sqrt(1 + (1e7*(x - 0.3))^2)"
          " - 1e7*(x - 0.3001)/sqrt(1 + (1e7*(x - 0.3001))^2))", 1.0, ("1e-3", "1e-5"))


def test_products_of_steps():
    check("1e4*(1 + tanh(1e7*(x - 0.6)))*(1 - tanh(1e7*(x - 0.6001)))/4", 1.0)
    check("1e4/(1 + exp(-1e6*(x - 0.61)))/(1 + exp(1e6*(x - 0.6101)))", 1.0)
    check("1e2*(x^100/(x^100 + 0.5^100) - x^100/(x^100 + 0.51^100))", 1.0, ("1e-3",))


def test_squares_of_steps_and_small_denominators():
    for k in (1e3, 1e5, 1e7):
        check(f"{k/2!r}*(1 - tanh({k!r}*(x - 0.413))^2)", 1.0)
        check(f"{k!r}/(1 + ({k!r}*(x - 0.413))^4)", math.pi/math.sqrt(2))
        ends = sum(k*way/math.hypot(1, k*way) for way in (0.413, 0.587))
        check(f"{k!r}/(1 + ({k!r}*(x - 0.413))^2)^1.5", ends)


def test_high_powers_of_a_cosine():
    n = 200000
    check(f"{math.sqrt(n*math.pi/2)!r}*sin(3.141592653589793*x)^{n}", 1.0 - 1/(4*n), ("1e-3", "1e-5"))


def test_an_algebraic_unknown_has_the_pulse():
    text = ("model Far Real x(start = 0, fixed = true), y(start = 0, fixed = true), a, b; equation "
            "der(x) = 1; a = tanh(1e7*(x - 0.7)); b = tanh(1e7*(x - 0.7002)); der(y) = 2500*(a - b);"
            " end Far;")
    for tolerance in TOLERANCES:
        assert abs(last(text, "--stop", "1", "--tol", tolerance)["y"] - 1) < max(20*float(tolerance), 1e-6)


def test_one_step_is_no_pulse():
    """A single tanh makes none, nor does a gentle denominator: explicit steps stay allowed."""
    def explicit_steps(rate):
        result = check_exit(run_text("simulate", "model Swing Real x(start = 1, fixed = true), "
                                     "v(start = 0, fixed = true), y(start = 0, fixed = true); "
                                     f"equation der(x) = v; der(v) = -x; der(y) = {rate}; end Swing;",
                                     "--stop", "3", "--tol", "1e-4", "--stats"), 0)
        return next(int(line.split()[-1]) for line in result.err.splitlines()
                    if "explicit steps" in line)
    assert explicit_steps("tanh(x)") > 0
    assert explicit_steps("1/(2 - cos(x)^2)") > 0
    assert explicit_steps("1/(1 + 1e6*cos(x)^2)") == 0
    assert explicit_steps("tanh(x) - tanh(x - 0.1)") == 0


main(globals())
