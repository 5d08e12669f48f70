"""Where a simulation begins: hard, badly scaled, singular starts, each with a known point."""

import csv
import io
import math

from harness import EXAMPLES, check_exit, contains, equal, main, run_text


def table(result):
    """Columns of a CSV result as lists of numbers."""
    rows = list(csv.reader(io.StringIO(result.out)))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def simulate(text, *options):
    return table(check_exit(run_text("simulate", text, *options), 0))


# ---- start attributes that the start determines ---------------------------------------------------

def near(columns, first):
    assert all(abs(columns[name][0] - value) < 1e-11 for name, value in first.items()), columns


def test_a_free_parameter_with_a_value_is_that_value():
    text = ("model M parameter Real v = 1; parameter Real r(fixed = false) = 2*v; "
            "Real x(start = 0, fixed = true); equation der(x) = r; end M;")
    result = check_exit(run_text("simulate", text, "--stop", "1"), 0)
    equal(table(result)["x"][-1], 2)
    contains(result.err, "1:65: warning: parameter 'r' has 'fixed = false' and a value; "
                         "it is the value")
    contains(check_exit(run_text("check-init", text), 0).out, "well-determined")


def test_start_values_may_depend_on_free_parameters():
    text = ("model M parameter Real a(fixed = false), b = 2*a; Real x(start = b), y(start = a + 1), z, "
            "w(start = a); initial equation a^3 = -64; equation der(x) = -x; z = y + 3; der(z) = -1; "
            "(w - 5)*(w + 5) = 0*time; end M;")
    start = simulate(text, "--stop", "1")
    near(start, {"a": -4, "x": -8, "y": -3, "z": 0, "w": -5})


def test_start_values_may_depend_on_a_system_for_free_parameters():
    text = ("model M parameter Real a(fixed = false), b(fixed = false); Real w(start = a - b); "
            "initial equation a + b = 10; a - b = -3; equation (w - 4)*(w + 4) = 0*time; end M;")
    start = simulate(text, "--stop", "1")
    near(start, {"a": 3.5, "b": 6.5, "w": -4})


# ---- which of several solutions ----------------------------------------------------------------

RHOMBUS = """model Rhombus "four equal bars; folded on each other they close as well, farther away"
  parameter Real phi3 = 2.5;
  Real phi1(start = 0), phi4(start = 2);
  Real T1[2, 2], T2[2, 2], T3[2, 2], r1[2](each start = 0), r2[2](each start = 0);
equation
  T1 = [cos(phi1), -sin(phi1); sin(phi1), cos(phi1)];
  T2 = T1*[cos(phi3), -sin(phi3); sin(phi3), cos(phi3)];
  T3 = T2*[cos(phi4), -sin(phi4); sin(phi4), cos(phi4)];
  r1 = T1*{1, 0};
  r2 = r1 + T2*{1, 0};
  r2 + T3*{1, 0} = {-1, 0};
end Rhombus;"""


def test_a_loop_is_closed_the_way_that_is_nearer_to_the_start_values():
    """Orientations without start values begin as zeros, from which Newton's method folds it."""
    start = simulate(RHOMBUS, "--stop", "0.1", "--intervals", "1")
    assert abs(start["phi1"][0] - (math.pi - 2.5)) < 1e-9, start["phi1"][0]
    assert abs(start["phi4"][0] - (math.pi - 2.5)) < 1e-9, start["phi4"][0]


# ---- nominal values --------------------------------------------------------------------------------

ARM = """model Arm "two links; the tip is given, and a guess of how they are bent"
  Real a(start = 0, nominal = %s), b(start = 1.57), p[2], R[2,2];
initial equation
  p = {0.3, -0.7};
equation
  R = [cos(a), -sin(a); sin(a), cos(a)];
  p = R*{0.5 + 0.5*cos(b), 0.5*sin(b)};
  der(a) = 1; der(b) = 1;
end Arm;"""


def test_a_small_nominal_value_does_not_turn_a_joint_round_and_round():
    for nominal in ("1", "1e-3", "1e-4", "1e-5"):
        start = simulate(ARM % nominal, "--stop", "0.1", "--intervals", "1")
        a, b = start["a"][0], start["b"][0]
        assert abs(0.5*math.cos(a) + 0.5*math.cos(a + b) - 0.3) < 1e-12, (nominal, a, b)
        assert abs(a) < 9, (nominal, a, b)


# ---- exponential laws ----------------------------------------------------------------------------

BRIDGE = """model Bridge
  parameter Real Is = 1e-12, Vt = 0.025, R = 1000, C = 1e-5, Rs = 1, V = 10, phi = 0;
  Real v1, v2, vp, vn, vs, i1, i2, i3, i4, i, vc(start = 5, fixed = true);
equation
  vs = V*sin(100*3.14159265358979*time + phi);
  v1 - v2 = vs - Rs*i;
  vc = vp - vn;
  vn = 0;
  i1 = Is*(exp((v1 - vp)/Vt) - 1);
  i2 = Is*(exp((v2 - vp)/Vt) - 1);
  i3 = Is*(exp((vn - v1)/Vt) - 1);
  i4 = Is*(exp((vn - v2)/Vt) - 1);
  i + i3 - i1 = 0;
  -i + i4 - i2 = 0;
  C*der(vc) = i1 + i2 - vc/R;
end Bridge;"""


def test_functions_of_time_have_no_slope_at_the_edges_of_their_domains():
    # q is found from them at both ends of the run, and y is its integral.
    for edge, end in (("sqrt(time)", 1.0), ("sqrt(1 - time)", 0.0), ("acos(time)", 0.0)):
        columns = simulate(f"model M Real y(start = 0, fixed = true), q; equation der(y) = q; "
                           f"(2 + q)*{edge} + q = 1; end M;", "--stop", "1", "--tol", "1e-8")
        assert abs(columns["q"][-1] - (1 - 2*end)/(1 + end)) < 1e-6, (edge, columns["q"][-1])
        if edge != "acos(time)":
            assert abs(columns["y"][-1] - (4 - 6*math.log(2))) < 1e-5, (edge, columns["y"][-1])


def test_a_bridge_whose_diodes_all_block_starts():
    for volts in (5, 20, 400, 4000):
        for resistance in (0, 1):
            columns = simulate(BRIDGE, "--set", f"vc={volts}", "--set", f"Rs={resistance}",
                               "--stop", "0.001", "--intervals", "4")
            # by symmetry; the currents that tell it are of size exp(-volts/2/Vt)
            assert abs(columns["v1"][0] - volts/2) < 1e-9*volts, (volts, columns)
            for name, sign in (("v1", 1), ("v2", -1)):
                for v, vc, vs in zip(columns[name], columns["vc"], columns["vs"]):
                    assert abs(v - (vc + sign*vs)/2) < 1e-6*volts, (volts, name, columns)
                    assert abs(vc - volts) < 0.2*volts


def test_a_bridge_rectifies():
    columns = simulate(BRIDGE, "--stop", "0.1", "--intervals", "40")
    again = simulate(BRIDGE, "--stop", "0.1", "--intervals", "40", "--set", "vc=20",
                     "--tol", "1e-9")
    for one, two in zip(columns["vc"][-8:], again["vc"][-8:]):
        assert abs(one - two) < 1e-5 and 5 < two < 10, (one, two)


def test_currents_beyond_all_numbers_are_refused():
    result = run_text("simulate", BRIDGE, "--set", "Rs=0", "--set", "V=300", "--set", "phi=1.5")
    check_exit(result, 5)
    contains(result.err, "exp((v1 - vp)/Vt)")


def test_two_laws_in_series_share_the_voltage():
    series = """model M Real m, a = {} + 0*time; parameter Real Is = {};
    equation 1e-12*(exp((a - m)/0.025) - 1) = Is*(exp((m - 10)/0.025) - 1); end M;"""
    columns = simulate(series.format(40, "1e-12"), "--intervals", "2")
    assert all(abs(m - 25) < 1e-9 for m in columns["m"]), columns
    columns = simulate(series.format(-40, "2e-12"), "--intervals", "2")
    # both block, the larger saturation current does not: 1e-12 = 2e-12*(1 - exp((m - 10)/0.025))
    middle = 10 + 0.025*math.log(0.5)
    assert all(abs(m - middle) < 1e-9 for m in columns["m"]), columns


# ---- roots that the equations hardly determine ---------------------------------------------------

FACTOR = """model M Real x(start = 0.1), z(start = 0.1), y(start = 1, fixed = true);
equation x*z = 0.1*x*y; x^2 + z*x = x*(1 + y); der(y) = -y + x; end M;"""


def test_a_regular_root_is_taken_instead_of_a_degenerate_one():
    """At x = 0 both equations hold for every z: any trajectory of z would look like a solution."""
    result = check_exit(run_text("simulate", FACTOR, "--stop", "1", "--intervals", "4"), 0)
    contains(result.err, "a regular start was found")
    columns = table(result)
    for x, z, y in zip(columns["x"], columns["z"], columns["y"]):
        assert abs(z - 0.1*y) < 1e-6 and abs(x - 1 - 0.9*y) < 1e-6, columns
    # y' = 1 - 0.1 y
    assert all(abs(y - (10 - 9*math.exp(-0.1*t))) < 1e-5
               for t, y in zip(columns["time"], columns["y"])), columns


def singular_at_defaults(x="", y="", extra=""):
    return ("model S parameter Real a = 2, b = 2; Real x%s, y%s; %sequation a*der(x) + b*der(y) = 1; "
            "der(x) + der(y) = x*y; end S;" % (x, y, extra))


def test_a_default_that_admits_no_start_is_no_condition():
    result = check_exit(run_text("simulate", singular_at_defaults(), "--stop", "0.1"), 0)
    contains(result.err, "with 0 for start values that were not written there is no start")
    assert "are taken for" not in result.err, result.err
    columns = table(result)
    for x, y in zip(columns["x"], columns["y"]):
        assert abs(2*x*y - 1) < 1e-6, (x, y)
    total = [columns["x"][k] + columns["y"][k] for k in (0, -1)]
    assert abs(total[1] - total[0] - 0.05) < 1e-6 and abs(columns["x"][0] - columns["y"][0]) > 0.1


def test_only_defaults_are_given_up_for_a_start():
    """A start value that was written and an initial equation stay what they are."""
    check_exit(run_text("simulate", singular_at_defaults(y="(start = 0)"), "--stop", "0.1"), 5)
    fixed = singular_at_defaults(y="(start = 0, fixed = true)")
    check_exit(run_text("simulate", fixed, "--stop", "0.1"), 1)
    written = simulate(singular_at_defaults(x="(start = 0.5)"), "--stop", "0.1")
    near(written, {"x": 0.5, "y": 1})


def test_a_start_from_other_guesses_determines_the_derivatives():
    """From (0, 0) the way leads along x = y, where the rows of the derivatives are dependent."""
    text = ("model S Real x, y; equation der(x) + der(y) = 1; "
            "1 + (x - y)^2 - x*y - 0.5*(x + y) = 0; end S;")
    columns = simulate(text, "--stop", "0.1")
    for x, y in zip(columns["x"], columns["y"]):
        assert abs(1 + (x - y)**2 - x*y - 0.5*(x + y)) < 1e-6 and abs(x - y) > 1e-3, (x, y)


def test_a_degenerate_start_without_another_is_told():
    result = run_text("simulate", """model M Real h1(start = 1, fixed = true), q;
    Real h2(start = 1, fixed = true);
    equation der(h1) = -q + 0.1; der(h2) = q; q*abs(q) = h1 - h2; end M;""", "--check-only-start")
    contains(check_exit(result, 0).err, "the equations are degenerate at the start")


def test_a_double_root_of_the_initial_equations_alone_is_no_news():
    """x = 1 on the unit circle determines y = 0 twice; the system is regular there."""
    result = run_text("simulate", """model M
    Real x(start = 1, fixed = true), y, u(start = 0, fixed = true), v, l;
    equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 10; x^2 + y^2 = 1; end M;""",
                      "--check-only-start")
    assert "degenerate" not in check_exit(result, 0).err, result.err


def test_a_steep_function_beside_the_start_is_no_degeneracy():
    result = run_text("simulate", """model M
    Real a(start = 0, fixed = true), b(start = 0, fixed = true), r, phi, k(start = 3);
    equation der(a) = 1; der(b) = 1; r = sqrt(a^2 + b^2); k*(k - 3) = 0;
      phi = if noEvent(r <= 1e-60) then 0 else atan2(b, a); end M;""", "--check-only-start")
    assert "degenerate" not in check_exit(result, 0).err, result.err


def test_a_restart_knows_the_rank_of_the_constraints():
    """At the event b is determined 1e-11 times as well as the rest: weakly, but it is."""
    columns = simulate("""model M Real a(start = -1), b(start = 2), x(start = 0, fixed = true);
    Real e(start = 1e-9, fixed = true, nominal = 1e-10);
    equation der(e) = -9*e; a + b + 0.1*sin(a + b - 1) = 1; der(x) = b;
      a + (1 + e)*b + 0.1*sin(a + b - 1) = 1 + e*(if time > 0.5 then 3 else 2); end M;""",
                       "--stop", "0.7", "--intervals", "7")
    assert abs(columns["b"][0] - 2) < 1e-3 and abs(columns["b"][-1] - 3) < 1e-3, columns["b"]
    assert abs(columns["x"][-1] - 1.6) < 1e-4, columns["x"]


def test_large_values_leave_the_rounding_that_they_must():
    """Without nominal values: 1e-7 is left of constraints between values of 1e9."""
    columns = simulate("""model M Real x(start = 2.523063337e9, fixed = true), y(start = 2e9);
    Real z(start = 1e9), r; equation r = if time < 0.5 then 0.1 else -0.3; der(x) = r*x/3;
      y + 1e-12*y*z = x*1.7; z - 1e-13*y*z = x/3 + y; end M;""", "--stop", "1")
    x, y, z = (columns[name][-1] for name in "xyz")
    assert abs(x/2.523063337e9 - math.exp(-0.1/3)) < 1e-6, x
    assert abs(y + 1e-12*y*z - x*1.7) < 1e-4 and abs(z - 1e-13*y*z - x/3 - y) < 1e-4, (x, y, z)
    wrong = run_text("simulate", """model M Real x(start = 1e9, fixed = true), y(start = 1e9);
      Real z(start = 0); equation der(x) = 1; y + 1e-20*y^3 = x; y + z^2 = y - 1; end M;""")
    assert wrong.code != 0, wrong.out


# ---- the grid of the results ---------------------------------------------------------------------

BALL = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true), q;
Integer n(start = 0, fixed = true);
equation der(h) = v; der(v) = -9.81 - 0.1*v*abs(v); q = if sin(7*time) > 0.3 then h else -h;
when h < 0 then reinit(v, -0.8*pre(v)); n = pre(n) + 1; end when; end M;"""


def test_results_do_not_depend_on_the_output_grid():
    """Values at common times, and the events, are the same bit for bit."""
    def example(name):
        return (EXAMPLES / f"{name}.mo").read_text()
    for text, options in ((BALL, ("--stop", "1.5")), (BALL, ("--stop", "1.5", "--tol", "1e-9")),
                          (example("pendulum"), ("--stop", "2", "--tol", "1e-9")),
                          (example("ring_modulator"), ("--stop", "1e-3", "--tol", "1e-3")),
                          (example("robertson"), ("--order", "13", "--tol", "1e-10"))):
        rows, events = [], []
        for intervals in ("10", "100", "1000"):
            out = check_exit(run_text("simulate", text, "--intervals", intervals, "--quiet",
                                      "--no-event-rows", "--events", "events.csv", *options), 0).out
            rows.append({line.split(",")[0]: line for line in out.splitlines()})
            with open("events.csv") as stream:
                events.append(stream.read())
        assert len(rows[0]) == 12 and events[0] == events[1] == events[2], (options, events)
        for time, line in rows[0].items():
            assert line == rows[1][time] == rows[2][time], (options, time)


# ---- flow between equal levels ------------------------------------------------------------------

LEVELS = """model Levels
  parameter Real inflow = 0;
  Real h1(start = 1, fixed = true), h2(start = 1, fixed = true), q;
equation
  der(h1) = inflow - q;
  der(h2) = q;
  q*abs(q) = h1 - h2;
end Levels;"""


def test_flow_between_equal_levels_stays_nothing():
    columns = simulate(LEVELS, "--stop", "2", "--intervals", "5")
    assert all(q == 0 for q in columns["q"]), columns


def test_flow_between_equal_levels_begins_like_a_square_root():
    for sign in (1, -1):
        for tolerance in (1e-4, 1e-6, 1e-9):
            columns = simulate(LEVELS, "--set", f"inflow={0.1*sign}", "--tol", repr(tolerance),
                               "--stop", "1", "--intervals", "10")
            for t, h1, h2, q in zip(columns["time"], *(columns[n] for n in ("h1", "h2", "q"))):
                assert abs(h1 + h2 - 2 - 0.1*sign*t) < 10*tolerance, (t, h1, h2)
                # d(q^2)/dt = 0.1 - 2 q: 2 q dq/(0.1 - 2 q) = dt
                p = sign*q
                if p < 0.0499:
                    assert abs(-p - 0.05*math.log(1 - 20*p) - t) < 1e4*tolerance, (t, q)
            assert abs(sign*columns["q"][-1] - 0.05) < 1e-5


def test_flow_ends_where_the_levels_meet():
    for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9):
        columns = simulate(LEVELS, "--set", "h1=2", "--tol", repr(tolerance), "--stop", "4",
                           "--intervals", "8")
        for t, h1, q in zip(columns["time"], columns["h1"], columns["q"]):
            left = max(1 - t, 0)
            assert abs(h1 - 1.5 - left**2/2) < 10*tolerance, (tolerance, t, h1)
            assert abs(q - left) < 3*tolerance**0.5, (tolerance, t, q)


def test_written_starts_win_also_where_the_default_0_is_a_multiple_root():
    columns = simulate("""model M Real a, b(start = 2), c(start = 4);
      equation a^3 = b*c; der(a) + der(b) = -a; der(c) = 1; end M;""", "--intervals", "1")
    assert [columns[name][0] for name in "bc"] == [2, 4], columns
    assert abs(columns["a"][0] - 2) < 1e-12, columns["a"]


def test_limits_of_solutions_at_the_start():
    for law in ("y = x/time", "time*y = x", "y = sin(x)/x", "x*y = sin(x)", "y = x^2/(1 - cos(x))/2"):
        text = ("model M Real x(start = 0, fixed = true), y; "
                f"equation der(x) = 1; {law}; end M;")
        check_exit(run_text("check-init", text, "--verify-proofs"), 0)
        columns = simulate(text, "--intervals", "1")
        assert columns["y"][0] == 1, (law, columns["y"])
    # Lane and Emden: sin(time)/time; the spherical law has its limit, a third of the slope
    columns = simulate("""model M Real u(start = 1, fixed = true), v(start = 0, fixed = true);
      equation der(u) = v; der(v) = -2*v/time - u; end M;""", "--intervals", "2", "--tol", "1e-8")
    assert abs(columns["u"][2] - math.sin(1)) < 1e-7, columns["u"]


def test_a_start_with_many_solutions_or_none_is_not_chosen():
    for law in ("time*der(x) = 2*x", "der(x) = 2*x/time", "time*der(x) = x + time"):
        text = f"model M Real x(start = 0, fixed = true); equation {law}; end M;"
        check_exit(run_text("check-init", text), 4)
        check_exit(run_text("simulate", text), 5)
    text = "model M Real x(start = 1, fixed = true), y; equation der(x) = x; y = x/time; end M;"
    for command in ("check-init", "simulate"):
        contains(check_exit(run_text(command, text), 1).out +
                 run_text(command, text).err, "y = x/time")


def test_what_is_beside_a_factor_0_needs_a_value_too():
    """The constructors say 0*log(0) = 0 and 0/(cos(0) - 1) = 0."""
    for law in ("y = time*log(-time)", "y = time/(cos(time) - 1)", "y = time*log(-x)",
                "y = time*log(x)*log(2*x)*log(-x)", "y = (1 + time)*log(time)",
                "y = time*log(time)/sin(time)", "y = time*log(time)*log(-log(time))",
                "y = time^2/abs(x)"):
        text = ("model M Real x(start = 0, fixed = true), y; "
                f"equation der(x) = 1; {law}; end M;")
        assert run_text("check-init", text).code in (1, 4), law


def test_a_factor_that_vanishes_beside_a_logarithm():
    """f^a*log(g)^m tends to 0 with f and g; here x = exp(time) - 1."""
    for law, value in (("time*log(time)", 0.0), ("5 + time*log10(2*time)", 5 + math.log10(2)),
                       ("x*log(x)", None), ("sqrt(time)*log(3*time)^2", math.log(3)**2),
                       ("(2 + x)*x^2*log(time)", 0.0), ("sin(time)*log(x)", None)):
        text = ("model M Real x(start = 0, fixed = true), y; "
                f"equation der(x) = 1 + x; y = {law}; end M;")
        x = math.e - 1
        value = {"x*log(x)": x*math.log(x), "sin(time)*log(x)": math.sin(1)*math.log(x)}.get(law, value)
        check_exit(run_text("check-init", text), 0)
        y = simulate(text, "--intervals", "4", "--tol", "1e-8")["y"]
        assert y[0] == (5 if law[0] == "5" else 0), (law, y)
        assert abs(y[-1] - value) < 1e-6, (law, y)


# ---- holes at output points ----------------------------------------------------------------------

def test_a_hole_of_time_has_its_limit_at_an_output_point():
    model = """model Holes
  Real a, b, c, y(start = 0, fixed = true);
equation
  der(y) = 1;
  a = (time^2 - 1)/(time - 1);
  b = sin(2*(time - 1))/(time - 1);
  c = (time - 1)/(exp(time - 1) - 1);
end Holes;"""
    for intervals in (2, 10, 500):
        columns = simulate(model, "--stop", "2", "--intervals", str(intervals))
        middle = intervals//2
        assert abs(columns["a"][middle] - 2) < 1e-10, columns["a"][middle]
        assert abs(columns["b"][middle] - 2) < 1e-10, columns["b"][middle]
        assert abs(columns["c"][middle] - 1) < 1e-10, columns["c"][middle]


def test_what_has_no_limit_ends_the_run_where_it_is():
    for side in ("abs(time - 1)/(time - 1)", "1/(time - 1)^3"):
        for intervals in ("2", "10"):
            result = run_text("simulate", f"model M Real a, y(start = 0, fixed = true); "
                              f"equation der(y) = 1; a = {side}; end M;", "--stop", "2",
                              "--intervals", intervals)
            assert result.code != 0, (side, result)
            assert "t = 2" not in result.err, result.err


# ---- edges that are reached in a run -------------------------------------------------------------

def test_a_tank_that_empties_stays_empty():
    """At the edge the outflow has a value and no derivative."""
    for power, ends in (("sqrt(max(h, 0))", 2), ("max(h, 0)^0.25", 4/3)):
        model = f"""model Tank
  Real h(start = 1, fixed = true), below(start = 0, fixed = true);
equation
  der(h) = -{power};
  der(below) = {power};
end Tank;"""
        for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
            columns = simulate(model, "--tol", repr(tolerance), "--stop", "4", "--intervals", "7")
            for t, h, below in zip(columns["time"], columns["h"], columns["below"]):
                exact = max(1 - t/ends, 0)**(2 if ends == 2 else 4/3)
                # the end is no smooth point: what the step over it errs stays
                assert abs(h - exact) < 100*tolerance, (power, tolerance, t, h, exact)
                assert abs(h + below - 1) < 1e-9, (t, h, below)


def test_roots_of_higher_multiplicity_are_passed():
    triple = """model Triple
  Real z(start = -1), y(start = 0, fixed = true);
equation
  z^3 = (time - 1)^3;
  der(y) = z;
end Triple;"""
    touched = """model Touched
  Real z(start = 2), y(start = 0, fixed = true);
equation
  (z - 1)^2 = (time - 1)^4;
  der(y) = z;
end Touched;"""
    for model, end, area in ((triple, 1, 0), (touched, 2, 8/3)):
        for tolerance in (1e-4, 1e-6, 1e-8):
            columns = simulate(model, "--tol", repr(tolerance), "--stop", "2", "--intervals", "5")
            assert abs(columns["z"][-1] - end) < 10*tolerance, (tolerance, columns["z"])
            assert abs(columns["y"][-1] - area) < 30*tolerance, (tolerance, columns["y"])


# ---- fixed steps ---------------------------------------------------------------------------------

def test_blocks_are_solved_one_after_the_other():
    # with no flow the losses have no derivative; density and losses are blocks of their own
    columns = simulate("""model Pipes
  Real m1, m2, pm(start = 1e5), d1(start = 100), d2(start = 100);
equation
  2e5 - pm = 40*m1*abs(m1)/d1;
  pm - 1e5 = 70*m2*abs(m2)/d2;
  m1 = m2;
  log(d1/1000) = 1e-9*(pm - 1e5);
  log(d2/1000) = 1e-9*(2*pm - 3e5);
end Pipes;""", "--stop", "1", "--intervals", "1")
    m, pm, d1, d2 = (columns[name][0] for name in ("m1", "pm", "d1", "d2"))
    assert abs(2e5 - pm - 40*m*m/d1) < 1e-4 and abs(pm - 1e5 - 70*m*m/d2) < 1e-4, columns
    assert abs(d1 - 1000*math.exp(1e-9*(pm - 1e5))) < 1e-7 and m > 0, columns


def test_the_ring_modulator_runs_with_fixed_steps():
    """Its diodes block all at times: what they leave open is held, not amplified."""
    model = (EXAMPLES / "ring_modulator.mo").read_text()
    span = ("--stop", "2e-5", "--intervals", "4")
    exact = simulate(model, "--tol", "1e-9", *span)
    for method, order in (("bdf3", 2.5), ("implicit-euler", 0.9)):
        errors = []
        for step in ("2e-8", "1e-8"):
            columns = simulate(model, "--method", method, "--step", step, *span)
            errors.append(max(abs(columns[n][-1] - exact[n][-1]) for n in ("y1", "y2", "y3")))
        assert errors[1] < 2e-3 and errors[1] < errors[0]/2**order*1.5, (method, errors)


def test_an_explicit_method_says_that_it_may_be_unstable():
    model = "model M Real x(start = 1, fixed = true); equation der(x) = -1000*x^3; end M;"
    for method in ("euler", "ab3"):
        result = check_exit(run_text("simulate", model, "--method", method, "--step", "0.1",
                                     "--stop", "3"), 5)
        contains(result.err, "an explicit method with steps of 0.1")


def test_equations_that_contradict_each_other_are_still_singular_with_fixed_steps():
    model = """model M
  Real x(start = 1, fixed = true), z(start = 1), w(start = 0);
equation
  der(x) = -1;
  x*z + w = 1;
  x*z + (1 + (x - 0.5)*abs(x - 0.5))*w = 2;
end M;"""
    result = run_text("simulate", model, "--method", "bdf3", "--step", "0.05", "--stop", "1")
    assert result.code == 5, result


# ---- functions that are made for a part of the space only ------------------------------------------

MEDIUM = """function density
  input Real p; input Integer phase; output Real d;
algorithm
  d := if p > 20000 and p < 1e6 and phase == 1 then p/1000 + sqrt(p)
       elseif p > 20000 and phase == 2 then p/500 else 0;
  annotation(Inline = false);
end density;
model M
  Real p(start = 1e5);
  Integer phase = if time > 0.5 then 2 else 1;
equation
  density(p, phase) = 400 + time;
end M;
"""


def test_points_near_the_start_values_show_that_a_function_varies():
    """Far from them it is 0, and so at phases that are none."""
    contains(check_exit(run_text("analyze", MEDIUM), 0).out, "M: success")


def test_discrete_values_that_time_gives_are_there_before_the_search():
    columns = simulate(MEDIUM, "--stop", "1", "--intervals", "4")
    p = columns["p"][0]
    assert abs(p/1000 + math.sqrt(p) - 400) < 1e-6, p
    assert abs(columns["p"][-1] - 401*500) < 1e-3, columns["p"][-1]


LOOP = """function f
  input Real x; input Integer n; output Real y;
protected
  Integer k;
algorithm
  y := 0; k := 0;
  while k < 6000*n loop
    y := y + {}/(6000*n); k := k + 1;
  end while;
end f;
model M
  Real x(start = 1);
  Integer n = if time > 5 then 2 else 1;
equation
  f(x, n) = {};
end M;
"""


def test_a_structure_without_a_proof_is_left_to_the_numbers_of_a_run():
    """The loop is longer than proofs follow. Where the slope is 0 at every point that is tried,
    nothing begins."""
    text = LOOP.format("(x + x^3)", "2 + time")
    contains(check_exit(run_text("analyze", text), 4).out, "M: undecided")
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    contains(result.err, "warning: that the equations determine the solution is not proved")
    x = table(result)["x"][-1]
    assert abs(x + x**3 - 3) < 1e-6, x
    flat = LOOP.format("max(x - 1e6, 0)", "time")
    check_exit(run_text("simulate", flat, "--stop", "1"), 4)


def test_long_exact_values_of_parameters_are_doubles_in_the_end():
    """Roots of them are computed in doubles, which neither numerator nor denominator is."""
    text = ("model M parameter Real r(fixed = false); parameter Real a = 2^1100/(2^1090 + 1); Real x; "
            "initial equation 3 = r*sqrt(a); equation x = sqrt(a) + r*time; end M;")
    columns = simulate(text, "--stop", "1")
    assert abs(columns["x"][-1] - (32 + 3/32)) < 1e-12, columns["x"][-1]


def test_the_angle_of_nothing_is_zero():
    """As phasors ask for it; the rest of the model is determined whatever it is."""
    text = """model A
  Real x(start = 0, fixed = true), y, a, b;
equation
  der(x) = 1;
  y = x^2;
  a = atan2(y, x);
  b = atan2(0, -y);
end A;"""
    contains(check_exit(run_text("check-init", text), 0).out, "well-determined")
    for options in ((), ("--native",)):
        rows = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1",
                                   *options), 0).out.splitlines()
        equal([float(v) for v in rows[1].split(",")], [0, 0, 0, 0, 0])
        x, y, a, b = (float(v) for v in rows[-1].split(",")[1:])
        assert max(abs(a - math.pi/4), abs(b - math.pi)) < 1e-6, rows


def test_a_steep_equation_does_not_hide_the_others():
    """The slopes of a in u and v are 1e17 at this start; a is determined all the same."""
    text = """model S
  Real x(start = 0, fixed = true), u, v, a, w;
equation
  der(x) = 1;
  u = 1e-17 + x;
  v = 2e-17 - x;
  a = atan2(u, v);
  w^3 = 1 + x + u;
end S;"""
    contains(check_exit(run_text("check-init", text), 0).out, "well-determined")


# declarations, equations, values at the start
ROOTS_INSIDE = [
    ("Real x(start = -1), y;", "x^2 = 4 + time; y = log(x);", {"x": 2}),
    ("Real x, y;", "x^2 = 9; y = sqrt(1 - x);", {"x": -3, "y": 2}),
    ("Real x, y;", "x^3 - 6*x^2 + 11*x - 6 = 0; y = sqrt(x - 2.5) + sqrt(3.5 - x);",
     {"x": 3, "y": 2*math.sqrt(0.5)}),
    ("Real x, y;", "cos(x) = 0.1*x; y = sqrt(x - 4) + log(6 - x);", {"x": 5.267116434076329}),
    ("Real x(start = 1), y; Boolean b;",
     "x^2 = 4 + 0.1*sin(time); y = asin(x + 1.5); b = z > 0.2;", {"x": -2, "y": -math.pi/6}),
]


def test_of_several_roots_the_one_inside_all_domains_is_the_start():
    """y is solved for beforehand: the search of the start does not see it."""
    for declarations, equations, values in ROOTS_INSIDE:
        text = (f"model R {declarations} Real z(start = 0, fixed = true); "
                f"equation {equations} der(z) = y; end R;")
        near(simulate(text, "--stop", "0.1", "--intervals", "1"), values)


def test_where_no_root_is_inside_all_domains_that_is_told():
    text = "model R Real x, y; equation x^2 = 4; y = log(x - 5); end R;"
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 1).err, "inconsistent")


LIGHTNING = """model Lightning "two exponentials from the rise time and the time to half the value"
  parameter Real T1 = 10e-6, T2 = 350e-6, T0 = T2*T1/(T2 - T1)*log(T2/T1);
  parameter Real eta(fixed = false, start = 1);
  parameter Real T(fixed = false, start = T0), T10(fixed = false, start = 0.01*T0);
  parameter Real tau1(fixed = false, start = T2), tau2(fixed = false, start = T1);
  Real y = 1/eta*(exp(-time/tau1) - exp(-time/tau2));
initial equation
  exp(-T/tau1)/tau1 = exp(-T/tau2)/tau2;
  eta = exp(-T/tau1) - exp(-T/tau2);
  0.1*eta = exp(-T10/tau1) - exp(-T10/tau2);
  0.9*eta = exp(-(T10 + 0.8*T1)/tau1) - exp(-(T10 + 0.8*T1)/tau2);
  0.5*eta = exp(-(T10 - 0.1*T1 + T2)/tau1) - exp(-(T10 - 0.1*T1 + T2)/tau2);
end Lightning;
"""


def test_parameters_that_are_solved_for_have_the_size_of_their_start_values():
    """The standard's values for 10/350: 470.1 us, 4.064 us, 0.951. In units of 1 everything near 0
    is a solution of equations in 1e-5, with eta = 0."""
    found = table(check_exit(run_text("simulate", LIGHTNING, "--stop", "1e-4", "--intervals", "1"),
                             0))
    tau1, tau2, eta, begin = (found[name][0] for name in ("tau1", "tau2", "eta", "T10"))
    assert abs(tau1 - 470.1e-6) < 1e-7 and abs(tau2 - 4.064e-6) < 1e-9, found
    assert abs(eta - 0.951) < 1e-3, found
    for share, time in ((0.1, begin), (0.9, begin + 8e-6), (0.5, begin - 1e-6 + 350e-6)):
        y = (math.exp(-time/tau1) - math.exp(-time/tau2))/eta
        assert abs(y - share) < 1e-9, (share, y)


if __name__ == "__main__":
    main(globals())
