"""simulate: smooth pulses of unknowns that no stage of a step meets are found all the same."""

import math

from harness import check_exit, main, run_text

TOLERANCES = ("1e-3", "1e-5", "1e-8")


def last_of(equations, name, tolerance, stop="1.5", declarations="", options=()):
    text = ("model Peak\n  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n"
            f"{declarations}equation\n  {equations}\nend Peak;\n")
    result = check_exit(run_text("simulate", text, "--stop", stop, "--tol", tolerance,
                                 "--intervals", "1", *options), 0)
    rows = result.out.splitlines()
    return dict(zip(rows[0].replace('"', "").split(","), map(float, rows[-1].split(","))))[name]


def check(equations, wanted=1.0, **more):
    for tolerance in TOLERANCES:
        found = last_of(equations, "y", tolerance, **more)
        assert abs(found - wanted) < max(20*float(tolerance), 1e-6), (equations, tolerance, found)


def bell(k, u):
    return f"{math.sqrt(k/math.pi)!r}*exp(-{k!r}*({u})^2)"


def test_bells_of_a_state():
    for k in (1e4, 1e7, 1e10):
        for place in (0.05, 0.37, 0.93):
            check(f"der(x) = 1; der(y) = {bell(k, f'x - {place}')};")


def test_bells_as_powers_of_a_number():
    for k in (1e5, 1e9):
        factor = math.sqrt(k*math.log(10)/math.pi)
        for place in (0.05, 0.37, 0.93):
            check(f"der(x) = 1; der(y) = {factor!r}*0.1^({k!r}*(x - {place})^2);")


def test_bells_where_the_leading_matrix_has_them():
    for k in (1e5, 1e9):
        check(f"der(x) = 0.5 + x; der(y) = der(x)*{bell(k, 'x - 0.383')};")
        check(f"der(x) = cos(time) + 0.5; der(y) = der(x)*{math.sqrt(k)/2!r}"
              f"/cosh({math.sqrt(k)!r}*(x - 0.507))^2;")


def test_bells_of_an_algebraic_unknown_and_of_several():
    check(f"der(x) = 1; w = x^2; der(y) = 2*x*{bell(1e8, 'w - 0.625')};", declarations="  Real w;\n")
    check("der(x) = 1; der(w) = 1; der(y) = sqrt(2e6/3.141592653589793)*"
          "exp(-1e6*((x - 0.4)^2 + (w - 0.4)^2));", declarations="  Real w(start = 0, fixed = true);\n")


def test_a_bell_gives_a_push_in_a_model_with_events():
    """The push reverses nothing, it adds 1 to the speed: v^2 grows by 2*1."""
    push = (f"der(x) = v; der(v) = {bell(1e8, 'x - 0.5')}; der(y) = 0;\n"
            "  when x > 1 then\n    n = pre(n) + 1;\n  end when;")
    for tolerance in TOLERANCES:
        found = last_of(push, "v", tolerance,
                        declarations="  Real v(start = 1, fixed = true);\n"
                                     "  Integer n(start = 0, fixed = true);\n")
        assert abs(found - math.sqrt(3)) < max(30*float(tolerance), 1e-6), (tolerance, found)


def test_pulses_take_no_explicit_steps():
    """Without options as with --explicit auto."""
    def explicit_steps(rate, *options):
        text = ("model Swing Real x(start = 1, fixed = true), v(start = 0, fixed = true), "
                f"y(start = 0, fixed = true); equation der(x) = v; der(v) = -x; der(y) = {rate}; "
                "end Swing;")
        result = check_exit(run_text("simulate", text, "--stop", "3", "--tol", "1e-4", "--stats",
                                     *options), 0)
        return next(int(line.split()[-1]) for line in result.err.splitlines()
                    if "explicit steps" in line)
    for options in ((), ("--explicit", "auto")):
        assert explicit_steps("x", *options) > 0
        assert explicit_steps(bell(1e7, "x - 0.123"), *options) == 0


def test_what_is_no_pulse_costs_no_steps():
    """A diode's exponential and a bell that the run does not reach."""
    def steps(rate):
        result = check_exit(run_text("simulate", "model A Real x(start = 0, fixed = true); equation "
                                     f"der(x) = cos(time) + {rate}; end A;", "--stop", "10",
                                     "--stats"), 0)
        return next(int(line.split()[-1]) for line in result.err.splitlines()
                    if "steps accepted" in line)
    assert abs(steps("exp(-1e3*(x + 5)^2)") - steps("0*x")) <= 2


main(globals())
