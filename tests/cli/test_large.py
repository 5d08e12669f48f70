"""Large models as a front end flattens them: every variable is in the results, values agree
with an independent solution, and the work before the first step is counted in trivial
equations solved, not in elimination."""

import csv
import io
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "generator"))

import large
from harness import check_exit, equal, main, run, run_text


def table(result):
    lines = list(csv.reader(io.StringIO(result.out)))
    return [dict(zip(lines[0], map(float, line))) for line in lines[1:]]


def double_pendulum(t_stop, steps):
    """Two bodies with mass 1, arm 1 and own inertia 1/8, absolute angles from relative 0.5 and
    0.25; Runge-Kutta of order 4."""
    inertia, g = 0.125, 9.81

    def slope(state):
        p1, q2, w1, w2r = state
        p2, w2 = p1 + q2, w1 + w2r
        c, s = math.cos(p1 - p2), math.sin(p1 - p2)
        m11, m12, m22 = 2 + inertia, c, 1 + inertia
        f1 = -s * w2 * w2 - 2 * g * math.cos(p1)
        f2 = s * w1 * w1 - g * math.cos(p2)
        det = m11 * m22 - m12 * m12
        a1, a2 = (f1 * m22 - f2 * m12) / det, (m11 * f2 - m12 * f1) / det
        return [w1, w2r, a1, a2 - a1]

    state, h = [0.5, 0.25, 0.0, 0.0], t_stop / steps
    for _ in range(steps):
        k1 = slope(state)
        k2 = slope([x + h / 2 * k for x, k in zip(state, k1)])
        k3 = slope([x + h / 2 * k for x, k in zip(state, k2)])
        k4 = slope([x + h * k for x, k in zip(state, k3)])
        state = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c,
                 d in zip(state, k1, k2, k3, k4)]
    return state


def simulate(text, *options):
    return table(check_exit(run_text("simulate", text, "--intervals", "1", "--quiet", *options), 0))


def test_bodies_in_space_move_as_the_plane_pendulum():
    last = simulate(large.chain(2), "--tol", "1e-9")[-1]
    expected = double_pendulum(1, 4000)
    for name, value in zip(["joint1.phi", "joint2.phi", "joint1.w", "joint2.w"], expected):
        assert abs(last[name] - value) < 1e-6, (name, last[name], value)
    p1, p2 = expected[0], expected[0] + expected[1]
    assert abs(last["body2.frame_a.r_0[1]"] - math.cos(p1) - math.cos(p2)) < 1e-6
    assert abs(last["body2.r_0[2]"] - math.sin(p1) - math.sin(p2)) < 1e-6
    equal(last["world.frame_b.R.T[2,2]"], 1.0)
    equal(last["joint1.frame_a.f[1]"], -last["world.frame_b.f[1]"])


def test_all_variables_of_a_chain_are_in_the_results():
    text = large.chain(3)
    row = simulate(text, "--stop", "0.01")[0]
    declared = 0
    for line in text.split("equation")[0].splitlines():
        if line.startswith("  Real "):
            name = line.split()[1].rstrip(";").split("(")[0]
            base, _, size = name.partition("[")
            names = {"": [name], "3]": [f"{base}[{i}]" for i in (1, 2, 3)],
                     "3,3]": [f"{base}[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]}[size]
            declared += len(names)
            assert all(n in row for n in names), name
    equal(declared + 1, len([name for name in row if not name.startswith("$")]))  # and time


def test_a_ladder_of_pins_keeps_kirchhoff():
    for row in simulate(large.ladder(40), "--stop", "0.02"):
        for k in range(1, 40):
            total = row[f"l{k}.n.i"] + row[f"c{k}.p.i"] + row[f"r{k + 1}.p.i"]
            assert abs(total) < 1e-12, (k, total)
            equal(row[f"c{k}.p.v"], row[f"l{k}.n.v"])
        equal(row["ground.p.v"], 0.0)


def test_a_row_of_connectors():
    row = simulate(large.connectors(3000), "--tol", "1e-9")[-1]
    assert abs(row["c3000.v"] - math.exp(-1)) < 1e-8
    equal(row["c3000.v"], row["x"])


def test_redundant_connections_are_still_diagnosed():
    result = run_text("simulate", "model A Real a, b; equation a = b; b = a; end A;")
    assert result.code in (1, 4), result.err
    result = run_text("simulate", "model A Real a, b, x(start=1, fixed=true); equation a = b; "
                      "a = b + 1; der(x) = a; end A;")
    assert result.code == 1, result.err


def test_conflicting_starts_of_aliases_name_the_equations_as_written():
    text = """model A
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = x;
end A;
"""
    result = check_exit(run_text("simulate", text), 1)
    assert "y = 2" in result.err and "y = x" in result.err, result.err


def test_a_solved_variable_without_a_value_stops_the_run():
    text = """model A
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -2;
  y = log(x);
end A;
"""
    result = check_exit(run_text("simulate", text, "--stop", "1"), 5)
    assert "y" in result.err and "line 5" in result.err, result.err


def test_mat_and_json_hold_the_same_variables():
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "a.mo"
        path.write_text(large.ladder(2))
        for name in ("a.csv", "a.json", "a.mat"):
            check_exit(run("simulate", str(path), "--quiet", "-o", str(Path(scratch) / name)), 0)
        data = (Path(scratch) / "a.json").read_text()
        header = (Path(scratch) / "a.csv").read_text().splitlines()[0]
        for column in header.split(","):
            assert column in data, column


main(globals())
