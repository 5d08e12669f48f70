"""simulate --explicit: explicit steps give what radau gives, say so, and give way to it."""

import csv
import io
import json
import math
from pathlib import Path

from harness import EXAMPLES, check_exit, equal, main, run, run_text, scratch

MECHANISMS = {"pendulum.mo": 2, "double_pendulum.mo": 1, "slider_crank.mo": 1,
              "andrews_squeezer.mo": 0.03, "chain.mo": 0.5, "car_axis.mo": 3}


def rows(result):
    return list(csv.DictReader(io.StringIO(result.out)))




def both(path, stop, tol, *options):
    """Rows and statistics with explicit steps wherever there are any, rows of radau."""
    common = [path, "--stop", stop, "--intervals", "7", "--stats", "--format", "json", *options]
    explicit = check_exit(run("simulate", *common, "--tol", tol, "--explicit", "only"), 0)
    radau = check_exit(run("simulate", *common, "--tol", "1e-10"), 0)
    return rows(explicit), json.loads(explicit.err[explicit.err.index("{"):]), rows(radau)


def worst(some, others):
    """Largest difference relative to the size of a variable over the run."""
    found = 0
    for name in others[0]:
        size = max(abs(float(row[name])) for row in others) + 1e-3
        for one, other in zip(some, others):
            found = max(found, abs(float(one[name]) - float(other[name])) / size)
    return found


def test_mechanisms_have_the_results_of_radau():
    for name, stop in MECHANISMS.items():
        some, stats, others = both(EXAMPLES / name, str(stop), "1e-8")
        equal(len(some), len(others))
        assert worst(some, others) < 1e-4, (name, worst(some, others))
        assert stats["steps_explicit"] == stats["steps_accepted"], (name, stats)
        equal(stats["method"], "radau")
        assert stats["max_constraint_residual"] < 1e-9, (name, stats)


OWN = """
model Own "two masses coupled by their accelerations, driven, a value by itself, a rod"
  parameter Real L = 1.3;
  Real x(start = 1.3, fixed = true), y(start = 0), u(start = 0), v(start = 0.4, fixed = true);
  Real z(start = 0.2, fixed = true), w(start = 0, fixed = true), F, T, energy;
equation
  der(x) = u;
  der(y) = v;
  der(z) = w;
  F = 0.3*sin(3*time) + z*w;
  2*der(u) + 0.3*cos(z)*der(w) = F - x*T;
  der(v) = -9.81 - y*T;
  0.3*cos(z)*der(u) + 1.5*der(w) = -z;
  x^2 + y^2 = L^2;
  energy = u^2 + 0.5*v^2;
end Own;
"""


def test_a_model_of_ones_own():
    with scratch() as folder:
        path = Path(folder) / "Own.mo"
        path.write_text(OWN)
        some, stats, others = both(path, "3", "1e-8")
    assert worst(some, others) < 1e-5, worst(some, others)
    assert stats["steps_explicit"] == stats["steps_accepted"] > 0, stats


def test_events_lie_where_radau_has_them():
    some, stats, others = both(EXAMPLES / "bouncing_ball.mo", "2", "1e-8")
    equal(len(some), len(others))
    assert worst(some, others) < 1e-5
    assert stats["steps_explicit"] > 0


STIFF = """
model Stiff
  parameter Real k = 1e6;
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -k*(x - cos(time)) - sin(time);
  der(y) = x;
end Stiff;
"""


def test_what_is_stiff_is_left_to_radau():
    result = run_text("simulate", STIFF, "--stop", "3", "--intervals", "3", "--explicit", "auto",
                      "--stats", "--format", "json")
    check_exit(result, 0)
    stats = json.loads(result.err[result.err.index("{"):])
    assert stats["steps_explicit"] < 60 and stats["steps_accepted"] < 400, stats


def test_the_choice_is_the_same_every_time():
    command = ["simulate", EXAMPLES / "andrews_squeezer.mo", "--stop", "0.01", "--explicit", "auto",
               "--tol", "1e-5"]
    equal(check_exit(run(*command), 0).out, check_exit(run(*command), 0).out)


def test_the_end_of_a_solution_is_where_radau_has_it():
    model = "model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;"
    result = run_text("simulate", model, "--stop", "2", "--explicit", "auto")
    equal(result.code, 5)
    assert "t = 1" in result.err or "t = 0.99" in result.err, result.err


def test_steps_that_only_become_shorter_end():
    arm = """model A Real a(start=-0.5), b(start=1), u, v;
    equation der(a) = u; der(b) = v; cos(a) + cos(b) = 1 + time; sin(a) + sin(b) = 0; end A;"""
    result = run_text("simulate", arm, "--stop", "3", "--explicit", "auto", timeout=60)
    check_exit(result, 5)
    assert "stopped at t = 1:" in result.err, result.err


def test_other_values_are_refused():
    equal(run("simulate", EXAMPLES / "pendulum.mo", "--explicit", "sometimes").code, 2)


FORCED = """
model Forced "one state behind a source: the terms of its error estimate cancel now and then"
  parameter Real w = 20;
  Real v(start = 0, fixed = true);
equation
  der(v) = -11*v + 100*sin(w*time);
end Forced;
"""


def test_an_estimate_that_is_small_by_accident_makes_no_long_step():
    """v is known: the response to the sine and what dies away. Between steps, too."""
    a, w = 11, 20
    for tol in (1e-3, 1e-4, 1e-5, 1e-6):
        result = check_exit(run_text("simulate", FORCED, "--stop", "1", "--intervals", "200", "--tol",
                                     str(tol), "--explicit", "only"), 0)
        for row in rows(result):
            t = float(row["time"])
            exact = 100*(a*math.sin(w*t) - w*math.cos(w*t) + w*math.exp(-a*t))/(a*a + w*w)
            assert abs(float(row["v"]) - exact) < tol, (tol, t, float(row["v"]) - exact)


main(globals())
