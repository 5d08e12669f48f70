"""Never silently wrong: what hostile users tried on the running program, each
with the answer it must give."""

import csv
import io
import json
import math

from harness import EXAMPLES, check_exit, contains, equal, main, run, run_text


def table(result):
    """Columns of a CSV result as lists of texts."""
    rows = list(csv.reader(io.StringIO(result.out)))
    return {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}


def simulate(text, *options):
    return table(check_exit(run_text("simulate", text, *options), 0))


# ---- pulses ----------------------------------------------------------------------------------


def test_no_pulse_of_time_is_stepped_over():
    """Each integral is known; the model is at rest before, so that no step would see the pulse."""
    text = """model M
      parameter Real s = 1e-3;
      Real x[5](each start = 0, each fixed = true);
    equation
      der(x[1]) = exp(-((time - 5)/s)^2)/s;
      der(x[2]) = s/(s^2 + (time - 7.3)^2);
      der(x[3]) = if noEvent(time > 3 and time < 3.01) then 100 else 0;
      der(x[4]) = time^2*exp(-((time - 2)/s)^2)/s;
      der(x[5]) = 1e4*max(0, 1 - 1000*abs(time - 1.2345));
    end M;"""
    truth = [math.sqrt(math.pi), math.atan(2.7e3) + math.atan(7.3e3), 1,
             math.sqrt(math.pi)*(4 + 5e-7), 10]
    for options in [["--intervals", "1"], ["--intervals", "7", "--tol", "1e-3"]]:
        columns = simulate(text, "--stop", "10", *options)
        tolerance = 1e-5 if len(options) == 2 else 3e-2
        for k, value in enumerate(truth):
            last = float(columns[f"x[{k + 1}]"][-1])
            assert abs(last - value) < tolerance*abs(value), (k, columns)


def test_pulses_that_come_again_are_all_seen():
    columns = simulate("""model M Real x(start = 0, fixed = true); equation
      der(x) = exp(-(sin(time)/1e-3)^2)*1000/sqrt(4*atan(1)); end M;""",
                       "--stop", "20", "--intervals", "1")
    assert abs(float(columns["x"][-1]) - 6.5) < 1e-4, columns


# ---- branches --------------------------------------------------------------------------------


def test_a_division_by_zero_in_a_branch_not_taken_contradicts_nothing():
    text = """model M
      parameter Real eps = 1e-7, t0(fixed = false); Real mu(start = 0, fixed = true);
    initial equation
      t0 = time;
    equation
      der(mu) = noEvent(if time >= t0 + eps then (cos(time) - mu)/(time - t0) else 0);
    end M;"""
    equal(run_text("check-init", text).code, 0)
    mean = simulate(text, "--stop", "1", "--intervals", "1")["mu"][-1]
    assert abs(float(mean) - math.sin(1)) < 1e-4, mean  # the mean of cos over [0, 1]
    plain = "model M Real x, y; equation x = 0; y = 1/x; end M;"
    contains(check_exit(run_text("check-init", plain), 1).out, "division by zero")


# ---- modes -----------------------------------------------------------------------------------

SWITCHED = """model M
  Real x(start = 1, fixed = true), y; Boolean b = time > 0.5;
equation
  der(x) = -x; (if b then %s else 1)*y = x;
end M;"""


def certificate(text):
    result = check_exit(run_text("analyze", text, "--verify", "--format", "json"), 0)
    equal(result.err, "")
    return json.loads(result.out)["certificate"]


def test_branches_that_decide_themselves_need_a_point():
    """A slope without zeros says nothing where the value jumps at a condition on itself."""
    start = "Real x(start = 1, fixed = true); equation"
    none = ("Real x; equation x = if x < 1.5 then 2 else 1;",
            "Real x; equation x = noEvent(if x < 1.5 then 2 else 1);",
            "Real x, y; equation x = if y < 1.5 then 2 else 1; y = x;",
            "Real x, y, w; equation x = if y < 1.5 then 2 else 1; y = x; w = der(x);",
            f"{start} der(x) = if der(x) < 1.5 then 2 else 1;",
            "Real x; equation x = 1/2 - sign(x);",
            "Real x, y, z; equation x = if y < 1.5 then 2 else 1; y = x; z^2 = 4;")
    never = ("Real x; equation exp(x) = -1;", "Real x; equation asin(x) = 2;",
             "Real x, y; equation x^2 + y^2 = -1; x = y;", "Real x; equation x^2 + x + 1 = 0;",
             f"{start} der(x)^2 = -1 - x^2;", "Real x; equation 3*tanh(x) = -4;")
    for text in (*none, *never):
        reason = "has no real solution" if text in never else "No consistent point was found"
        text = f"model M {text} end M;"
        contains(check_exit(run_text("analyze", text), 4).out, reason)
        check_exit(run_text("reduce", text), 4)
        contains(check_exit(run_text("check-init", text), 1).out, "inconsistent")
        check_exit(run_text("simulate", text), 1)
    kinds = {"Real x; equation x = if x < 1.5 then 1 else 2;": "point",
             "Real x, y; equation x = if y < 1.5 then 2 else 1; y = 4 - 3*x;": "point",
             # the branches meet at the condition, and the slope is positive in both
             "Real x; equation x = if x < 1.5 then x/2 + 1 else x/4 + 11/8;": "everywhere",
             # what the condition is about is known before
             "Real x, y; equation x = if y < 1.5 then 2 else 1; y = time;": "everywhere",
             f"{start} der(x) = if x < 1.5 then 2 else 1;": "everywhere"}
    for text, kind in kinds.items():
        equal(certificate(f"model M {text} end M;")["kind"], kind)


def test_a_certificate_for_every_mode_needs_every_mode():
    """A factor that is zero where b is true is no rare coincidence of a parameter."""
    equal(certificate(SWITCHED % "2")["kind"], "everywhere")
    point = certificate(SWITCHED % "0")
    equal(point["kind"], "point")
    equal(float(point["values"]["b"]), 0.0)
    contains(check_exit(run_text("check-init", SWITCHED % "0"), 0).out, "well-determined")
    broken = check_exit(run_text("simulate", SWITCHED % "0", "--stop", "1"), 3)
    contains(broken.err, "where b is true (t = 0.5), this equation does not contain y")


def test_a_mode_of_several_conditions_is_found():
    """y is determined where exactly one of the two holds; neither both nor none."""
    text = """model M
      Boolean a = time > 1, b = time < 2; Real y;
    equation
      ((if a and not b then 1 else 0) + (if b and not a then 1 else 0))*y = 1;
    end M;"""
    values = certificate(text)["values"]
    equal(float(values["a"]) + float(values["b"]), 1.0)


def test_variables_in_conditions_are_known_before_the_branch():
    """The derivative by x is zero, but the branch depends on x."""
    text = """model M
      Real y, x;
    equation
      x = if noEvent(time > 0.5) then 1 else 0;
      (if noEvent(x > 0.5) then 0 else 1)*y = 1;
    end M;"""
    values = certificate(text)["values"]
    equal([float(values["x"]), float(values["y"])], [0.0, 1.0])
    contains(check_exit(run_text("check-init", text), 0).out, "well-determined")


# ---- numbers ---------------------------------------------------------------------------------


def test_explicit_values_are_exact():
    columns = simulate("""model M
      parameter Real P = 0.7;
      Real r, x(start = 1), y(start = 0, fixed = true), a, b, c, m, n, p, q, w;
    equation
      r = 1; x^2 + y^2 = r^2; der(y) = cos(time);
      a = 0.7; b = 0.1; c = mod(a, b); m = mod(P, 0.1); n = mod(-7.5, 2);
      p + q = 3; p - q = 1;
      w = rem(a, b) + div(a, b) + floor(a/b);
    end M;""", "--stop", "1", "--intervals", "3")
    for name, value in dict(r="1", a="0.7", b="0.1", c="0", m="0", n="0.5", p="2", q="1",
                            w="14").items():
        equal(columns[name], [value]*4)


def test_results_have_the_shortest_digits_and_times_are_rounded_once():
    columns = simulate("model M Real x(start = 0.2, fixed = true); equation der(x) = 0; end M;",
                       "--stop", "1", "--intervals", "10")
    equal(columns["time"],
          ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"])
    equal(columns["x"], ["0.2"]*11)

# ---- poles, ranges, invariants ---------------------------------------------------------------

# equations (with x(start = 1) falling as exp(-time)), where the run must end, of what
POLES = [
    ("y = 1/(time - 0.5);", "0.5", "a pole of y"),
    ("y = tan(time);", "1.570796327", "a pole of y"),
    ("y = 1 + 2/cos(3*time)^2;", "0.5235987756", "a pole of y"),
    ("y = sin(time - 0.5)/(time - 0.5)^2;", "0.5", "a pole of y"),
    ("y = 3/(x - 0.5);", "0.693147", "a pole of y"),
    ("y = log(abs(x - 0.5));", "0.693147", "a pole of y"),
    ("y = sqrt(9 - log10((x - 0.5)^2*(1 + x)));", "0.693147", "a pole of y"),
    ("y = log(x^2 - x + 1/4);", "0.693147", "a pole of y"),
    ("y = log(abs(time - 0.5));", "0.5", "a pole of y"),
    ("y = 1/(1 - cos(x - 0.5));", "0.693147", "a pole of y"),
    ("y = log(1 - sin(x + 1.0707963267948966));", "0.693147", "a pole of y"),
    ("y = noEvent(if x > 0.9 then 2 else 1 + (if x > 0.2 then 1/(x - 0.5) else 0));", "0.693147",
     "a pole of y"),
    ("y = noEvent(if x > 0.5 then 1/(x - 0.5) else 0);", "0.693147", "a pole of y"),
    ("y = log(0.3 - time) + x;", "0.3", "the edge of a domain of y"),
    ("y = sqrt(x - 0.5);", "0.693147", "the edge of a domain of y"),
    ("y = asin(2*time);", "0.5", "the edge of a domain of y"),
]
FALLING = "model M Real x(start = 1, fixed = true), y; equation der(x) = -x; {} end M;"


def test_a_pole_between_output_points_ends_the_run():
    for equation, time, what in POLES:
        for options in (("--intervals", "2"), ("--intervals", "7"),
                        ("--intervals", "2", "--tol", "1e-3"),
                        ("--intervals", "2", "--method", "bdf3", "--step", "0.001")):
            result = check_exit(run_text("simulate", FALLING.format(equation),
                                         "--stop", "2", *options), 5)
            contains(result.err, f": {what}\n  in equation 1 (line 1): y")
            told = float(result.err.split("t = ")[1].split(":")[0])
            assert abs(told - float(time)) < 2e-3, (equation, options, result)


def test_a_pole_is_seen_in_models_with_events():
    model = """model M Real x(start = 0.25, fixed = true), y;
    discrete Real k(start = 0, fixed = true);
    equation der(x) = -1; when sample(0, 0.1) then k = pre(k) + 1; end when; y = k/(x + 0.1);
    end M;"""
    result = check_exit(run_text("simulate", model, "--stop", "2", "--intervals", "3"), 5)
    contains(result.err, "integration stopped at t = 0.35: a pole of y")


def test_a_pole_at_the_very_end_ends_the_run():
    # x = 1/(2 - time) from the event on, with the rate that it has set
    text = """model P
  discrete Real k(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
equation
  when time >= 1 then
    k = 1;
  end when;
  der(x) = k*x^2;
end P;
"""
    contains(check_exit(run_text("simulate", text, "--stop", "2"), 5).err, "a pole")
    assert abs(float(simulate(text, "--stop", "1.9")["x"][-1]) - 10.0) < 1e-2


def test_a_function_without_a_value_is_named_in_the_words_of_the_model():
    # at the given values, where m = 0, the logarithm is log(-1): the user wrote another one
    text = """model N
  parameter Real m = 0, k = 2;
  Real x(start = 1), v, y;
equation
  der(x) = v;
  m*der(v) = 3 - x - v;
  y = k*log(m - 1);
end N;
"""
    result = check_exit(run_text("check-init", text), 4)
    contains(result.out, "has no value, in y = k*log(m - 1) (line 7)")


def test_holes_that_close_and_inactive_branches_are_no_poles():
    columns = simulate("""model M Real x(start = 1, fixed = true), y, z, w, v;
    equation der(x) = -x; y = sin(time - 0.5)/(time - 0.5); z = (x^2 - 0.25)/(x - 0.5);
      w = if time < 3 then 1 else 1/(time - 1); v = sqrt(max(time - 1, 0)); end M;""",
                       "--stop", "2", "--intervals", "3")
    for text, x in zip(columns["z"], columns["x"]):
        assert abs(float(text) - float(x) - 0.5) < 1e-9
    equal(columns["w"], ["1"]*4)


# branches of y (with x falling as exp(-time)), and y
BRANCHES = [
    ("if x > 0.6 then 1/(x - 0.5) else 0", lambda x, t: 1/(x - 0.5) if x > 0.6 else 0),
    ("noEvent(if abs(x - 0.5) > 1e-6 then sin(x - 0.5)/(x - 0.5) else 1)",
     lambda x, t: math.sin(x - 0.5)/(x - 0.5)),
    ("noEvent(if abs(x - 0.5) > 1e-9 then 1/(x - 0.5) else 0)", lambda x, t: 1/(x - 0.5)),
    ("noEvent(if abs(x - 0.5) > 1e-13 then abs(2/(x - 0.5)) else abs(2/1e-13))",
     lambda x, t: 2/abs(x - 0.5)),
    ("if x < 0.5 then log(1 + (0.5 - x)^2)/(0.5 - x) else 0",
     lambda x, t: math.log(1 + (0.5 - x)**2)/(0.5 - x) if x < 0.5 else 0),
    ("noEvent(if x < 0.1 then 1/(x - 0.5)^2 else exp(20*time))", lambda x, t: math.exp(20*t)),
    ("if x < 0.9 then (if x > 0.7 then 1/(x - 0.6) else 2) else 3",
     lambda x, t: 3 if x > 0.9 else 1/(x - 0.6) if x > 0.7 else 2),
]


def test_poles_of_branches_that_do_not_hold_there_are_none():
    for branch, value in BRANCHES:
        for options in ((), ("--tol", "1e-3"), ("--method", "bdf3", "--step", "0.001")):
            columns = simulate(FALLING.format(f"y = {branch};"), "--stop", "2", "--intervals", "7",
                               "--no-event-rows", *options)
            for x, t, y in zip(columns["x"], columns["time"], columns["y"]):
                right = value(float(x), float(t))
                error = 1e-2 if "bdf3" in options else 1e-6  # between steps that are longer
                assert abs(float(y) - right) < error*(1 + abs(right)), (branch, options, t, y)


def test_a_pole_in_a_branch_that_makes_events_ends_the_run():
    for equation, time in (("if x > 0.2 then log(abs(x - 0.5)) else 0", math.log(2)),
                           ("2 + x*(if time < 1 then 1/(time - 0.5)^2 else time)", 0.5),
                           ("if x > 0.5 then 1/(x - 0.5) else 0", math.log(2))):
        for options in ((), ("--tol", "1e-3", "--intervals", "3"), ("--explicit", "only")):
            result = check_exit(run_text("simulate", FALLING.format(f"y = {equation};"),
                                         "--stop", "2", *options), 5)
            contains(result.err, "a pole of ")
            told = float(result.err.split("t = ")[1].split(":")[0])
            assert abs(told - time) < 1e-3, (equation, options, result)


def test_logarithms_that_a_zero_beside_them_makes_finite_are_no_poles():
    columns = simulate("""model M Real x(start = 1, fixed = true), y, z, u, v, w(start = 0, fixed = true);
    equation der(x) = -x; y = (x - 0.5)*log(abs(x - 0.5)); z = 1/log(abs(x - 0.5)/3);
      u = log(abs(x - 0.5)) - log(abs(2*x - 1)); v = log(max(abs(x - 0.5), 1e-3));
      der(w) = log(abs(x - 0.5)); end M;""", "--stop", "2", "--intervals", "3")
    assert len(columns["x"]) >= 4, columns
    x = float(columns["x"][-1])
    assert abs(float(columns["y"][-1]) - (x - 0.5)*math.log(0.5 - x)) < 1e-6
    assert abs(float(columns["u"][-1]) + math.log(2)) < 1e-9


def test_staying_on_the_edge_of_a_domain_is_no_end():
    # an empty tank, a saturated joint: the functions have values on their edges
    for equation, value in (("y = sqrt(max(0, x - 0.5));", 0.0), ("y = asin(min(0.5/x, 1));",
                                                                math.pi/2),
                            ("y = sqrt(max(0, 1 - time));", 0.0)):
        for options in (("--intervals", "3"), ("--method", "bdf3", "--step", "0.01")):
            columns = simulate(FALLING.format(equation), "--stop", "3", *options)
            assert abs(float(columns["y"][-1]) - value) < 1e-12, (equation, columns["y"][-1])
    result = check_exit(run_text("simulate", FALLING.format("y = log(max(0, x - 0.5));"),
                                 "--stop", "3"), 5)
    contains(result.err, "the edge of a domain of y")


def test_a_hole_behind_a_factor_of_time_is_passed_too():
    for place in ("0.1", "0.3", "0.7"):
        text = f"""model H Real z, x(start = 0, fixed = true);
        equation (time - {place})*z = sin(time - {place}); der(x) = z; end H;"""
        columns = simulate(text, "--stop", "2", "--intervals", "5")
        for time, z in zip(columns["time"], columns["z"]):
            gap = float(time) - float(place)
            assert abs(float(z) - math.sin(gap)/gap) < 1e-12, (place, time, z)
    text = "model H Real z; equation (time - 0.1)*z = sin(time - 0.1); end H;"
    equal(len(simulate(text, "--stop", "2", "--intervals", "5")["z"]), 6)
    result = check_exit(run_text("simulate", "model H Real z; equation (time - 0.1)*z = 1; end H;",
                                 "--stop", "2"), 5)
    contains(result.err, "integration stopped at t = 0.1: a pole of z")


def test_a_hole_is_passed_once_however_its_place_is_rounded():
    for place in ("0.41", "0.37", "0.61", "1.1", "1.23"):
        model = FALLING.format(f"y = sin(time - {place})/(time - {place});")
        columns = simulate(model, "--stop", "2", "--intervals", "7", "--tol", "1e-7")
        for time, y in zip(columns["time"], columns["y"]):
            gap = float(time) - float(place)
            assert abs(float(y) - math.sin(gap)/gap) < 1e-12, (place, time, y)


def test_a_pole_of_the_system_is_seen_by_methods_with_a_fixed_step():
    model = "model M Real x(start = 0, fixed = true); equation der(x) = 1/(time - 0.5)^2; end M;"
    for method in ("bdf3", "ab3", "euler", "implicit-euler"):
        result = check_exit(run_text("simulate", model, "--stop", "1", "--method", method,
                                     "--step", "0.013"), 5)
        contains(result.err, "a pole of the equations")


def test_a_tolerance_far_above_an_unknown_leads_to_no_other_root():
    """Robertson's reactions; y2 is 3.6e-5. The run went on with y2 < 0 to y3 = 2e8."""
    model = """model R Real y1(start = 1, fixed = true), y2(start = 0, fixed = true),
      y3(start = 0, fixed = true);
    equation der(y1) = -0.04*y1 + 1e4*y2*y3; der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
      der(y3) = 3e7*y2^2; end R;"""
    for tolerance in ("1e-1", "1e-2"):
        result = run_text("simulate", model, "--stop", "1e5", "--intervals", "1", "--tol", tolerance)
        contains(check_exit(result, 5).err, "the step size became too small")
    check_exit(run_text("simulate", model, "--stop", "1e5", "--intervals", "1", "--tol", "1e-5"), 0)


def test_a_pole_of_a_square_that_is_written_out_is_seen():
    model = """model M Real x(start = 0, fixed = true), y;
    equation der(x) = 1; y = {}/(x^2 - x + 0.25); end M;"""
    for options in (("--stop", "1"), ("--stop", "1.003", "--method", "bdf3", "--step", "0.007")):
        result = check_exit(run_text("simulate", model.format("1"), "--intervals", "1", *options), 5)
        contains(result.err, "stopped at t = 0.5")
        contains(result.err, "a pole of y")
        check_exit(run_text("simulate", model.format("sin(x - 0.5)^2"), "--stop", "1.003",
                            "--intervals", "1", *options[2:]), 0)


def test_leaving_min_or_max_is_told_once_with_time_and_variable():
    model = """model M Real x(start = 1, fixed = true, min = 0.2), y(max = 3),
      z(min = 0, max = 1), n(min = 0);
    equation der(x) = -x; y = 4*sin(3*time); z = 0.5 + 0.5*sin(10*time); n = -1e-9; {} end M;"""
    for more in ("", "assert(time < {if x > 0.1 then 9 else 8}[1], \"late\");"):
        result = check_exit(run_text("simulate", model.format(more), "--stop", "3",
                                     "--intervals", "3"), 0)
        equal(result.err.count("variable 'y' is above its max = 3 from t = 0.2826"), 1)
        equal(result.err.count("variable 'x' is below its min = 0.2 from t = 1.609"), 1)
        equal(result.err.count("warning"), 2)


def test_a_discrete_variable_that_leaves_its_range_is_told():
    model = """model M
      Integer n(start = 0, fixed = true, max = 2), last(start = 0, fixed = true, max = 0);
      discrete Real u(start = 0, fixed = true, min = -0.5); Real x(start = 0, fixed = true);
    equation
      der(x) = u;
      when sample(0.1, 0.1) then n = pre(n) + 1; u = -n; end when;
      when time >= 1 then last = 1; end when;
    end M;"""
    for options in ((), ("--method", "bdf3", "--step", "0.1")):
        result = check_exit(run_text("simulate", model, "--stop", "1", "--intervals", "1", *options),
                            0)
        contains(result.err, "variable 'n' is above its max = 2 from t = 0.3 on")
        contains(result.err, "variable 'u' is below its min = -0.5 from t = 0.1 on")
        contains(result.err, "variable 'last' is above its max = 0 from t = 1 on")
        equal(result.err.count("warning"), 3)


def test_a_range_left_at_the_start_is_told():
    result = check_exit(run_text("simulate", "model M Real x(start = 1, fixed = true, "
                                 "min = 2); equation der(x) = 0; end M;"), 0)
    contains(result.err, "variable 'x' is below its min = 2 from t = 0 on")


def test_an_invariant_that_the_equations_do_not_keep_is_refused():
    pendulum = EXAMPLES / "pendulum.mo"
    for text in ("x", "u^2 + v^2 + g*y", "time", "lambda", "(u^2 + v^2)/2 + 1.01*g*y"):
        result = check_exit(run("simulate", pendulum, "--stop", "4", "--invariant", text), 2)
        contains(result.err, "the equations do not keep the invariant")
    for text in ("(u^2 + v^2)/2 + g*y", "x^2 + y^2", "x*u + y*v", "3"):
        check_exit(run("simulate", pendulum, "--stop", "4", "--invariant", text), 0)


# ---- the start -------------------------------------------------------------------------------


def first_row(text, *options):
    return {name: float(column[0]) for name, column in simulate(text, *options).items()}


def test_written_start_values_win_over_default_zeros():
    rows = [
        ("Real c(start = 0.5), n, V(start = 2); equation c = n/V; "
         "der(n) = -0.1*n; der(V) = 0.01;", dict(c=0.5, n=1, V=2)),
        ("Real c(start = 0.5), n(start = 1), V; equation c = n/V; "
         "der(n) = -0.1*n; der(V) = 0.01;", dict(c=0.5, n=1, V=2)),
        ("Real p(start = 3), T(start = 300), m, U; equation p*2 = m*8*T; U = m*T*3; "
         "der(m) = 0; der(U) = -0.1;",
         dict(p=3, T=300, m=0.0025, U=2.25)),
        ("Real x, y(start = 5); equation der(x) = -x; y = x + 2;", dict(x=3, y=5)),
        ("Real x(start = 1), y(start = 5); equation der(x) = -x; y = x + 2;", dict(x=1, y=3)),
        ("Real x, y(start = 5); equation der(x) = -x; y = time;", dict(x=0, y=0)),
    ]
    for text, values in rows:
        row = first_row(f"model M {text} end M;")
        for name, value in values.items():
            assert abs(row[name] - value) < 1e-9, (text, row)


def test_check_init_suggests_what_simulate_takes():
    model = ("model M Real c(start = 0.5), n, V(start = 2); equation c = n/V; der(n) = -0.1*n; "
             "der(V) = 0.01; end M;")
    contains(check_exit(run_text("check-init", model), 1).out, "suggested choice: V, c")


def test_integration_begins_at_the_edge_of_a_domain():
    """Filling an empty tank, flow between equal levels: derivatives are infinite at the
    start, the solutions are not."""
    def at(model, *names):
        columns = simulate(f"model M {model} end M;", "--stop", "3", "--intervals", "3",
                           "--tol", "1e-8")
        return [[float(text) for text in columns[name]] for name in names]
    [x] = at("Real x(start = 0, fixed = true); equation der(x) = sqrt(x) + 1;", "x")
    for k in (1, 2, 3):
        assert abs(2*(x[k]**0.5 - math.log(1 + x[k]**0.5)) - k) < 1e-6, x
    for flow in ("sign(h1 - h2)*sqrt(abs(h1 - h2))",
                 "if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1)"):
        h1, q = at(f"Real h1(start = 1, fixed = true), h2(start = 1, fixed = true), q; "
                   f"equation der(h1) = -q + 0.1; der(h2) = q; q = {flow};", "h1", "q")
        assert abs(q[3] - 0.05) < 1e-6 and abs(h1[3] - 1.15125) < 1e-6, (flow, h1, q)
    [h] = at("Real h(start = 0, fixed = true); equation der(h) = 0.1 - 0.9*sqrt(max(h, 0));", "h")
    assert abs(h[3] - 1/81) < 1e-6, h


def test_roots_of_higher_multiplicity_are_found():
    rows = [
        ("Real x(start = 0.3); equation (x - 1)^2 = 0;", dict(x=1)),
        ("Real x(start = 0.3), y; equation x^2 - 2*x + 1 = 0; (y - x)^3*(y^2 + 1) = 0;",
         dict(x=1, y=1)),
        ("Real x(start = 0.3), y(start = 2, fixed = true); "
         "equation (x - y)^3 = 0; der(y) = -x;", dict(x=2, y=2)),
        ("Real x, y(start = 0.5, fixed = true); equation (exp(x) - 1 - y)^4 = 0; der(y) = 0;",
         dict(x=math.log(1.5), y=0.5)),
    ]
    for text, values in rows:
        model = f"model M {text} end M;"
        answer = check_exit(run_text("analyze", model, "--format", "json"), 0).json()
        equal((answer["status"], answer["repair"]["steps"][0]["method"]), ("repaired", "radical"))
        row = first_row(model)
        for name, value in values.items():
            assert abs(row[name] - value) < 1e-9, (text, row)


def test_limits_at_removable_singularities():
    """Inside the run, at an output point, and at the start."""
    model = "model M Real z; equation (time - 0.3)*z = (time - 0.3)*cos(time); end M;"
    for options in (("--stop", "0.6", "--intervals", "4"), ("--stop", "0.6", "--intervals", "7"),
                    ("--start", "0.3", "--stop", "1", "--intervals", "4")):
        columns = simulate(model, *options)
        for time, z in zip(columns["time"], columns["z"]):
            assert abs(float(z) - math.cos(float(time))) < 3e-6, (options, time, z)
    row = first_row("model M Real z, y; equation time*z = sin(time); y = z + 1; end M;")
    assert abs(row["z"] - 1) < 1e-9 and abs(row["y"] - 2) < 1e-9, row
    # here the limit is 1, and v = 0 would be wrong
    row = first_row("model M Real x(start = 0, fixed = true), v; "
                    "equation der(x) = cos(time); time*v = x; end M;")
    assert row["v"] == 1, row


def test_solved_free_parameters_are_in_every_result():
    model = """model M parameter Real k(fixed = false, start = 1); parameter Real k2 = 2*k;
    Real x(start = 1, fixed = true);
    initial equation der(x) = -3; equation der(x) = -k*x; end M;"""
    row = first_row(model)
    equal((row["k"], row["k2"]), (3.0, 6.0))
    start = check_exit(run_text("simulate", model, "--check-only-start"), 0).out
    assert " = 3\n" in start and " = 6\n" in start, start
    check_exit(run_text("simulate", model, "-o", "result.json"), 0)
    with open("result.json") as stream:
        contains(stream.read(), '"k": [3')
    check_exit(run_text("simulate", model, "-o", "result.mat"), 0)
    with open("result.mat", "rb") as stream:
        names = stream.read()
    assert b"k" in names and b"k2" in names


# ---- for which parameter values? -------------------------------------------------------------


def test_for_all_parameter_values_only_with_existence_and_with_its_assumptions():
    rows = [
        ("parameter Real c = 1; Real x(start = 1); equation x^2 + c = 2;", False, None),
        ("parameter Real k = 2; Real x; equation exp(x) = k;", False, None),
        ("parameter Real k = 2; Real x; equation exp(x) = k^2;", True, ["k"]),
        ("parameter Real k = 2; Real x(start = 1); equation x^(-2) = k^2;", True, ["k"]),
        ("parameter Real k = 2; Real x; equation tanh(x) = cos(k)/2;", True, None),
        ("parameter Real k = 0.5; Real x; equation tanh(x) = k;", False, None),
        ("parameter Real k = 0.5; Real x; equation sin(x) = k;", False, None),
        ("parameter Real L1 = 1, L2 = 2, L3 = 2, L4 = 3; "
         "Real p(start = 0.5, fixed = true), q(start = 1), r(start = 2); "
         "equation L1*cos(p) + L2*cos(q) = L4 + L3*cos(r); "
         "L1*sin(p) + L2*sin(q) = L3*sin(r); der(p) = 1;", False, None),
        ("parameter Real k = 3; Real x(start = 1); equation x*exp(x) = k;", False, None),
        # the discriminant is positive
        ("parameter Real k = 2; Real x(start = 1); equation x^2 + x*k = k^2 + 1;", True, None),
        ("parameter Real c = 2; Real x(start = 1, fixed = true), y(start = 1); "
         "equation der(x) = -x; y^3 + y = c*x;", True, None),
        ("parameter Real k = 2; Real x; equation k*x = 1;", True, ["k"]),
        ("parameter Real k = 2; Real x; equation (k^2 + 1)*x = 1;", True, None),
        ("parameter Real k = 2, j = 1; Real x, y; equation k*x + y = 1; j*x + 2*y = 3;",
         True, ["2*k - j"]),
    ]
    for text, for_all, assumptions in rows:
        answer = check_exit(run_text("check-init", f"model M {text} end M;",
                                     "--format", "json"), 0).json()
        expected = "for all parameter values" if for_all else "for the given parameter values"
        assert answer["holds"] == expected and answer.get(
            "assumptions") == assumptions, (text, answer)


def test_logarithms_are_combined_where_their_arguments_are_positive():
    for sides in (("log(x) + log(y)", "log(6)"), ("log(x*y)", "log(6)"),
                  ("2*log(x) + 2*log(y)", "log(36)"),
                  ("log(x)", "log(6) - log(y)"), ("log10(x) + log10(y)", "log10(6)")):
        model = ("model M Real x(start = 2), y(start = 3); "
                 "equation {} = {}; x*y = 5; end M;".format(*sides))
        answer = check_exit(run_text("check-init", model, "--format", "json"), 1).json()
        equal(len(answer["conflicts"]), 1)
        equal(len(answer["conflicts"][0]["equations"]), 2)
        contains(check_exit(run_text("check-init", model, "--verify-proofs"), 1).out,
                 "proofs: verified")


# ---- exact numbers, existence ----------------------------------------------------------------

PI = "acos(-1)"
EQUAL_NUMBERS = [
    ("4*atan(1/5) - atan(1/239)", f"{PI}/4"), ("atan(1) + atan(2) + atan(3)", PI),
    ("12*atan(1/18) + 8*atan(1/57) - 5*atan(1/239)", f"{PI}/4"),
    ("asin(3/5) + asin(4/5)", f"{PI}/2"), ("atan(sqrt(2)) + atan(1/sqrt(2))", "acos(0)"),
    ("atan(2 - sqrt(3))", f"{PI}/12"), ("log(sqrt(2) + 1)", "-log(sqrt(2) - 1)"),
    ("2*log(sqrt(5) - 1)", "log(6 - 2*sqrt(5))"),
    ("sqrt(5 + 2*sqrt(6))", "sqrt(2) + sqrt(3)"), ("(7 + 5*sqrt(2))^(1/3)", "1 + sqrt(2)"),
    (f"cos({PI}/7)*cos(2*{PI}/7)*cos(3*{PI}/7)", "1/8"),
    (f"tan(3*{PI}/11) + 4*sin(2*{PI}/11)", "sqrt(11)")]
OTHER_NUMBERS = [
    ("4*atan(1/5) - atan(1/238)", f"{PI}/4"), ("atan(1) + atan(2) + atan(3)", f"-{PI}"),
    ("atan(2)", "asin(2/sqrt(5)) + 1/10^30"), ("log(sqrt(2) + 1)", "log(sqrt(2) - 1)")]


def test_numbers_of_angles_logarithms_and_roots_are_decided_exactly():
    for pairs, verdict in ((EQUAL_NUMBERS, "consistent"), (OTHER_NUMBERS, "inconsistent")):
        for a, b in pairs:
            text = f"model A Real x; initial equation x = {b}; equation x = {a}; end A;"
            got = run_text("check-init", text, "--format", "json", "--verify-proofs").json()
            equal((got["verdict"], got["method"], got["proofs"]), (verdict, "symbolic", "verified"))


def test_no_real_solution_by_a_sum_of_squares():
    for left in ("x^2 + y^2 + 1 - 2*x*y", "2*x^4 + 2*x^3*y - x^2*y^2 + 5*y^4 + 1",
                 "x^4 + y^4 + 1 - x^2*y^2 - x*y"):
        text = f"model A Real x, y; equation {left} = 0; der(x) = y; end A;"
        got = check_exit(run_text("check-init", text, "--format", "json", "--verify-proofs"), 1)
        assert got.json()["verdict"] in ("inconsistent", "mixed"), got
        equal(got.json()["proofs"], "verified")
        contains(got.json()["conflicts"][0]["residual"], "^2 + ")


EXIST = ["x + exp(x) = c;", "x + sin(x)/2 = c;", "x*(1 + c^2) + sin(c*x) = c;",
         "sinh(x) + tanh(x) = c;", "x + exp(y) = c; y - exp(x) = d;",
         "x^3 + x + sin(y)/2 = c; y^3 + y - sin(x)/2 = d;",
         "x^3 + x + cos(x + y)/4 = c; y + exp(y) - cos(x - y)/4 = d;",
         "x^2 = c^4 + d^4 - c^2*d^2 - c*d + 1;",
         # of Motzkin, and of Choi and Lam: no sums of squares before they are multiplied
         "x^2 = c^4*d^2 + c^2*d^4 - 3*c^2*d^2 + 1;", "x^2 = c^4*d^2 + c^2*d^4 - 5*c^2*d^2 + 9;",
         "x^2 = c^4*d^2 + d^4 + c^2 - 3*c^2*d^2;",
         # odd degrees, leading forms without common zeros
         "x^3 + y^3 = c; x^3 - 2*y^3 + x*y = d;", "x^3 - 3*x*y^2 + x = c; 3*x^2*y - y^3 = d;"]
DEPEND = ["x*c + sin(x) = 3;", "x*exp(x) = c;", "exp(x) + x^3 + sin(y) = c; x*y + cos(y) = d;",
          "x^2 = c^4*d^2 + c^2*d^4 - 7*c^2*d^2 + 9;",
          # leading forms that vanish together; an even degree
          "x^3 + y^3 = c; x^3 + y^3 + x = 2*x^2 + c;", "x^2 + y^2 = c + 2; x^3 + y^3 = d;",
          # y = -1 for c = -3: a row without parameters is reached through its unknowns
          "x^4 + x^2*sin(x)^2 = y^3; y^5 + y = c + 1;"]


def test_existence_for_all_parameters_is_proved_or_not_claimed():
    for models, holds in ((EXIST, "for all parameter values"),
                          (DEPEND, "for the given parameter values")):
        for body in models:
            names = "x(start = 1), y(start = 1)" if "y" in body else "x(start = 1)"
            text = f"model A parameter Real c = 1, d = 2; Real {names}; equation {body} end A;"
            got = check_exit(run_text("check-init", text, "--format", "json"), 0).json()
            equal((body, got["holds"]), (body, holds))


def test_signs_by_declared_ranges_and_functions():
    """sqrt(L^2*cos(phi)^2) = L*cos(phi) where L >= 0 is declared; a claim names what it uses."""
    angle = ("Real phi(start = 3/10, fixed = true), y, z; initial equation z = 0; equation "
             "der(phi) = 1; y = sqrt(L^2*cos(phi)^2); z = y - L*cos(phi);")
    every, given = "for all parameter values", "for the given parameter values"
    for text, verdict, holds, within in (
            ("parameter Real L(min = 0) = 2; " + angle, "consistent", every, ["L"]),
            ("parameter Real L = 2; " + angle, "consistent", given, None),
            ("parameter Real L(min = 0) = -2; " + angle, "inconsistent", given, None),
            ("parameter Real a(min = 1) = 2, b(max = 0) = -1; Real z; initial equation z = 0; "
             "equation z = sqrt((a - b)^2) - a + b;", "consistent", every, ["a", "b"]),
            ("parameter Real s = 2; Real z; initial equation z = 0; "
             "equation z = sqrt(s^4*cos(0.3)^2) - s^2*cos(0.3);", "consistent", every, None),
            ("parameter Real s = 2; Real x(start = 1, fixed = true), z; initial equation z = 0; "
             "equation der(x) = 1; z = sqrt(s^4*(x^2 + 1)^2) - s^2*(x^2 + 1);",
             "consistent", every, None),
            ("parameter Real a = 1; Real x; initial equation x = 1; equation x + a^2 + 1 = 0;",
             "inconsistent", every, None)):
        got = run_text("check-init", f"model A {text} end A;", "--format", "json",
                       "--verify-proofs").json()
        equal((text, got["verdict"], got["holds"], got.get("within"), got["proofs"]),
              (text, verdict, holds, within, "verified"))


# ---- repair ----------------------------------------------------------------------------------


def test_long_exact_values_are_exact_in_proofs():
    text = """model M parameter Real a = (10^400 + 1)/10^400; Real x; initial equation x = 1; x = a;
      equation der(x) = 0; end M;"""
    contains(check_exit(run_text("check-init", text), 1).out, "M: inconsistent")
    text = "model M parameter Real e = 1e-400; Real x; equation e*x = 2*e; end M;"
    check_exit(run_text("analyze", text), 0)


# soundness.md, section 1: 0 degrees of freedom, where the structure as written shows 2
COMPLETED = """model M Real x, u, v, l; equation der(x) = u; der(u) = -l*x; x^2 + v^2 = 1;
  (x*u + v*der(v))*l + v = sin(time)/2 + 0.7; end M;"""


def test_substitutions_of_the_repair_are_listed_under_introduced():
    model = """model M Real x(start = 1), y(start = 1); equation der(x) + y*der(y) + x = 0;
      exp(der(x) + y*der(y)) + x = 2 + sin(time); end M;"""
    answer = check_exit(run_text("reduce", model, "--format", "json"), 0).json()
    equal(answer["introduced"], [{"name": "$sub1.x", "meaning": "y*der(y) + der(x)"}])
    contains(check_exit(run_text("reduce", model), 0).out,
             "introduced: $sub1.x = y*der(y) + der(x)\n")


def test_what_a_repair_introduces_is_listed_where_its_definition_is_replaced():
    named = """model M Real x, y; equation exp(der(x)+y*der(y))+x = 2+sin(time);
      x+y^2/2 = 3+cos(time); end M;"""
    answer = check_exit(run_text("reduce", named, "--format", "json"), 0).json()
    equal(answer["introduced"], [{"name": "$sub2.argument", "meaning": "y*der(y) + der(x)"}])
    answer = check_exit(run_text("reduce", COMPLETED, "--format", "json"), 0).json()
    equal(answer["introduced"], [{"name": "$der_v", "meaning": "der(v)"},
                                 {"name": "$der_der_v", "meaning": "der(der(v))"}])


def test_start_of_a_structure_that_only_the_proof_sees_right():
    """Without a certificate it has two degrees of freedom and no start; it has none."""
    result = check_exit(run_text("simulate", COMPLETED, "--stop", "0.5", "--intervals", "1"), 0)
    equal(result.err, "")
    v = math.sin(0.5)/2 + 0.7
    for name, truth in [("v", v), ("x", math.sqrt(1 - v*v))]:
        assert abs(float(table(result)[name][-1]) - truth) < 1e-6, (name, truth)


def degrees_of_freedom(text):
    """The number that analyze, reduce and check-init all give."""
    model = f"model A {text} end A;"
    verified = check_exit(run_text("analyze", model, "--verify", "--format", "json"), 0).json()
    reduced = check_exit(run_text("reduce", model, "--format", "json"), 0).json()
    start = run_text("check-init", model, "--format", "json").json()
    equal((verified["status"], reduced["dof"], start["dof"]),
          ("repaired", verified["dof"], verified["dof"]))
    return verified["dof"]


def test_totals_hidden_in_functions_beside_others():
    """d/dt (x*y) inside of a function, and x*y inside of another one."""
    total = "x*der(y) + y*der(x)"
    for first, rest, dof in ((f"cosh({total}) + z = 1", "der(z) = -x;", 0),
                             (f"cosh({total}) + w + z = 1", "der(z) = x; der(w) = z;", 1),
                             (f"cosh({total})*w + z = 1", "der(z) = x; der(w) = z;", 1),
                             (f"({total})^3*w + z = 1", "der(z) = x; der(w) = z;", 1)):
        names = "Real x(start = 1), y(start = 2), z" + (", w;" if "der(w)" in rest else ";")
        equal(degrees_of_freedom(f"{names} equation {first}; log(x*y) = sin(time); {rest}"), dof)
        equal(degrees_of_freedom(f"{names} equation {first}; x*y = 2 + sin(time); {rest}"), dof)


def test_a_repair_without_end_is_open_in_all_commands():
    """There is no real solution, so no point can certify a repair; what is proved is told."""
    model = """model A Real x(start = 1), y(start = 1), z;
      equation exp(x*der(y) + y*der(x)) + z^2 = -1; log(x*y) = sin(time); der(z) = x; end A;"""
    equal(check_exit(run_text("analyze", model, "--format", "json"), 4).json()["status"],
          "undecided")
    contains(check_exit(run_text("reduce", model), 4).err, "could not be decided")
    contains(check_exit(run_text("simulate", model), 1).err, "inconsistent")
    got = run_text("check-init", model, "--format", "json").json()
    assert got["verdict"] in ("undecided", "inconsistent") and got["missing"] == 0, got


# ---- conflicts -------------------------------------------------------------------------------


def grid(n, with_branches, wrong):
    """Potentials on a grid whose differences are all given as 1, but for the wrong ones."""
    lines = [f"model G Real p[{n},{n}];", f"Real h[{n - 1},{n}], v[{n},{n - 1}];"
             if with_branches else "", "initial equation p[1,1] = 0;"]
    balance = []
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            balance.append(f"der(p[{i},{j}]) = -p[{i},{j}];")
            for name, a, b, inside in (("h", i + 1, j, i < n), ("v", i, j + 1, j < n)):
                value = 2 if (name, i, j) in wrong else 1
                if inside and with_branches:
                    lines.append(f"{name}[{i},{j}] = {value};")
                    balance.append(f"{name}[{i},{j}] = p[{a},{b}] - p[{i},{j}];")
                elif inside:
                    lines.append(f"p[{a},{b}] - p[{i},{j}] = {value};")
    return "\n".join(lines + ["equation"] + balance + ["end G;"])


def test_conflicts_on_grids_are_single_cells():
    for n, with_branches, size in ((6, False, 4), (6, True, 8), (10, True, 8)):
        for wrong in ({("h", 3, 3)}, {("h", n - 1, n)}, {("h", 2, 2), ("v", n - 1, n - 2)}):
            result = check_exit(run_text("check-init", grid(n, with_branches, wrong),
                                         "--format", "json"), 1).json()
            sizes = [len(conflict["equations"]) for conflict in result["conflicts"]]
            assert sizes == [size]*len(sizes) and len(sizes) >= len(wrong), (n, wrong, sizes)


def ratios(n, wrong, source):
    """Ratios of neighbours on a grid, all given, one wrongly, and one value."""
    size = {(i, j): 1 + (3*i + 5*j + i*j) % 6 for i in range(n) for j in range(n)}
    lines = [f"model G Real p[{n},{n}];", "initial equation",
             "p[{},{}] = {};".format(source[0] + 1, source[1] + 1, size[source])]
    for i, j in size:
        for a, b in ((i + 1, j), (i, j + 1)):
            if (a, b) in size:
                factor = size[a, b] + (1 if (i, j, a, b) == wrong else 0)
                lines.append(f"{factor}*p[{i + 1},{j + 1}] = {size[i, j]}*p[{a + 1},{b + 1}];")
    return "\n".join(lines + [f"equation der(p) = zeros({n}, {n});", "end G;"])


def test_conflicts_on_grids_of_ratios_are_smallest():
    """The value, the way from it to the cell that does not close, and the four sides of that."""
    for n, wrong, source, size in ((4, (1, 3, 2, 3), (3, 0), 8), (6, (4, 2, 4, 3), (0, 0), 10),
                                   (6, (2, 5, 3, 5), (5, 0), 11), (10, (5, 2, 6, 2), (0, 0), 11)):
        result = check_exit(run_text("check-init", ratios(n, wrong, source), "--format", "json",
                                     "--verify-proofs"), 1).json()
        equal({len(conflict["equations"]) for conflict in result["conflicts"]}, {size})


def test_jumps_without_events_are_no_constants():
    """x and what jumps with it have a common solution that simulate finds too: no proof may deny
    it, and the checker confirms the point of the certificate."""
    for rest, x in (("noEvent(floor(x)) - 4.5", 2.5), ("noEvent(floor(2*x)) - 4.75", 1.75),
                    ("noEvent(ceil(x)) - 5.5", 2.5), ("noEvent(div(x, 2)) - 4.5", 3.5),
                    ("noEvent(mod(x, 2)) - 5", 3.5), ("3*noEvent(sign(x)) - 5", 2)):
        model = ("model J Real x, y(start = 0, fixed = true); "
                 f"equation 0 = x + {rest}; (1 + x)*der(y) = 1; end J;")
        verdict = run_text("check-init", model, "--format", "json").json()["verdict"]
        assert verdict in ("undecided", "well-determined"), (rest, verdict)
        equal(check_exit(run_text("analyze", model, "--verify"), 0).err, "")
        rows = table(check_exit(run_text("simulate", model, "--stop", "1"), 0))
        assert abs(float(rows["x"][0]) - x) < 1e-12, (rest, rows["x"][0])


def test_errors_that_add_up_over_long_times_are_told():
    model = ("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
             "equation der(x) = v; der(v) = -x; end M;")
    short = check_exit(run_text("simulate", model, "--stop", "1000", "--intervals", "1"), 0)
    equal(short.err.count("errors add up"), 0)
    long = check_exit(run_text("simulate", model, "--stop", "200000", "--intervals", "1"), 0)
    equal(long.err.count("errors add up"), 1)


# ---- methods with a fixed step ---------------------------------------------------------------


def test_parallel_without_a_clock_is_as_good_as_serial_and_always_the_same():
    for method in ("bdf3", "ab3"):
        options = ("simulate", EXAMPLES / "pendulum.mo", "--stop", "10", "--intervals", "2",
                   "--method", method, "--step", "0.001")
        serial = table(check_exit(run(*options), 0))
        first = check_exit(run(*options, "--parallel"), 0)
        equal(first.out, check_exit(run(*options, "--parallel"), 0).out)
        for name, column in table(first).items():
            for a, b in zip(column, serial[name]):
                assert abs(float(a) - float(b)) < 1e-4, (method, name, a, b)


if __name__ == "__main__":
    JUMP = """function f
  input Real x; output Real y;
algorithm
  if x > 0.9385 then y := 5*x; else y := SLOPE*x + (5 - SLOPE)*0.9385 + GAP; end if;
end f;
model M
  Real x(start = 1, fixed = true), y, yp;
equation
  der(x) = -1; y = f(x); yp = der(y);
end M;"""


def test_a_function_that_jumps_and_is_differentiated_ends_the_run():
    """x went to where the constraint held again, with exit code 0; a kink is no jump."""
    for gap, why in (("-9.4", ": an unknown jumps whose derivative is in the"), ("0.01", "")):
        result = check_exit(run_text("simulate", JUMP.replace("SLOPE", "-5").replace("GAP", gap),
                                     "--stop", "0.2"), 5)
        contains(result.err, "stopped at t = 0.0615" + why)
    out = check_exit(run_text("simulate", JUMP.replace("SLOPE", "-5").replace("GAP", "0"), "--stop",
                              "0.2", "--intervals", "1"), 0).out
    assert abs(float(out.split()[-1].split(",")[1]) - 0.8) < 1e-4, out


main(globals())
