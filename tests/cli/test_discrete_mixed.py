"""Mixed systems: switches and Reals that depend on each other, at events and at the start."""

import csv
import io
import math

from harness import check_exit, contains, equal, main, run_text
from hybrid_models import SLIP

DIODE = """model D
  Real s, v, i, u;
  Boolean off;
equation
  u = sin(time);
  off = s < 0;
  v = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
  u = v + i;
end D;"""

BRIDGE = """model Diode
  Real v, i, s;
  Boolean off;
equation
  off = s < 0;
  v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
end Diode;
model Bridge
  Diode d[6];
  Real u[3], vp, star, iL(start = 0, fixed = true);
equation
  for k in 1:3 loop
    u[k] = cos(6*time - (k - 1)*2.0943951023931953);
    d[k].v = u[k] + star - vp;
    d[k + 3].v = -u[k] - star;
  end for;
  d[1].i + d[2].i + d[3].i = d[4].i + d[5].i + d[6].i;
  d[1].i + d[2].i + d[3].i = iL;
  der(iL) = vp - iL;
end Bridge;"""

SCHMITT = """model Schmitt "positive feedback: the branch on which it is ends at u = -0.4"
  Real u(start = 1, fixed = true), vin(start = 1), vout(start = 1);
equation
  der(u) = -vin - 0.5;
  vin = u + 0.5*vout;
  vout = smooth(0, {});
end Schmitt;"""
LIMITER = "if 10*vin > 1 then 1 else if 10*vin < -1 then -1 else 10*vin"


# q1: taking turns between unknowns and positions comes back to positions it had, from 6 of 8
# positions; the only solution is all off
COMPLEMENTARITY = """model L
  parameter Real M[3, 3] = {{3, 3, 0}, {-3, 2, 3}, {3, -1, 1}}, q0[3] = {-6, -2, -3},
    q1[3] = {3, 3, 2}, T = 1;
  Real s[3], z[3], w[3];
  Boolean off[3](each start = false);
equation
  for i in 1:3 loop
    off[i] = s[i] < 0;
    z[i] = if off[i] then 0 else s[i];
    w[i] = if off[i] then -s[i] else 0;
    w[i] = (if time < T then q0[i] else q1[i]) + M[i, 1]*z[1] + M[i, 2]*z[2] + M[i, 3]*z[3];
  end for;
end L;
model Many
  parameter Real T = 1;
  L l[7](each T = T);
  Real x(start = 0, fixed = true);
equation
  der(x) = l[1].z[1];
end Many;"""

FRICTION = """model Friction "stick-slip as the standard library writes it"
  Real s(start = 0, fixed = true), v(start = 0, fixed = true), a, f, sa, push;
  Integer mode(start = 3, fixed = true) "-1 backward, 0 stuck, 1 forward, 3 unknown";
  Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true);
  Boolean locked;
equation
  der(s) = v;
  der(v) = a;
  push = 5*sin(time);
  startForward = pre(mode) == 0 and (sa > 3 or pre(startForward) and sa > 2) or initial() and v > 0;
  startBackward = pre(mode) == 0 and (sa < -3 or pre(startBackward) and sa < -2)
    or initial() and v < 0;
  locked = not (pre(mode) == 1 or startForward or pre(mode) == -1 or startBackward);
  a = if locked then 0
    else if startForward or pre(mode) == 1 and not startBackward then sa - 3 else sa + 3;
  f = if locked then sa else if startForward or pre(mode) == 1 and not startBackward then 2 else -2;
  a = push - f;
  mode = if (pre(mode) == 1 or startForward) and v > 0 then 1
    else if (pre(mode) == -1 or startBackward) and v < 0 then -1 else 0;
end Friction;"""


def run(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return [{k: float(v) for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(result.out))]


def jumps(rows, name):
    return [b["time"] for a,
            b in zip(rows, rows[1:]) if a["time"] == b["time"] and a[name] != b[name]]


def test_an_ideal_diode_switches_at_multiples_of_pi():
    rows = run(DIODE, "--stop", "7", "--intervals", "70")
    times = jumps(rows, "off")
    equal(len(times), 2)
    assert abs(times[0] - math.pi) < 1e-8 and abs(times[1] - 2*math.pi) < 1e-8, times
    assert all(abs(row["i"] - max(math.sin(row["time"]), 0)) < 1e-8 for row in rows)


def test_a_bridge_of_six_diodes_rectifies():
    rows = run(BRIDGE, "--stop", "7", "--intervals", "700", "--tol", "1e-8")
    for row in rows:
        u = [row[f"u[{k}]"] for k in (1, 2, 3)]
        assert abs(row["vp"] - (max(u) - min(u))) < 1e-3, row
    # two of six switch at each commutation, 6 in a period; the mean of the voltage is 3*sqrt(3)/pi
    assert abs(rows[-1]["iL"] - 3*math.sqrt(3)/math.pi*(1 - math.exp(-7))) < 2e-2, rows[-1]["iL"]


def test_a_trigger_jumps_where_its_branch_ends():
    for expression in (LIMITER, f"noEvent({LIMITER})"):
        rows = run(SCHMITT.format(expression), "--stop", "3", "--intervals", "3")
        times = jumps(rows, "vout")
        equal(len(times), 1)
        assert abs(times[0] - math.log(2/0.6)) < 1e-6, times  # u' = -u - 1 from 1 to -0.4
        assert abs(rows[-1]["vout"] + 1) < 1e-12 and abs(
            rows[-1]["u"] + 0.4*math.exp(-(3 - times[0]))) < 1e-5, rows[-1]


def test_many_switches_by_path_following():
    for options in ((), ("--set", "T=-1")):  # at an event, and at the start
        rows = run(COMPLEMENTARITY, "--stop", "2", "--intervals", "2", *options)
        for k in range(1, 8):
            for i, value in ((1, -3), (2, -3), (3, -2)):
                assert abs(rows[-1][f"l[{k}].s[{i}]"] - value) < 1e-9, (options, k, i)
                equal(rows[-1][f"l[{k}].off[{i}]"], 1)


def test_a_thyristor_whose_current_and_gate_end_together():
    # at 10, 30, 50 ms the zero of the source, that of the current and the end of the gate
    # are one instant up to rounding
    rows = run("""model Th
  parameter Real w = 314.1592653589793;
  Real s, v, i, u, x(start = 0, fixed = true);
  Boolean off(start = true), fire;
  discrete Real m(start = 0, fixed = true);
equation
  u = 100*sin(w*time);
  fire = sin(w*time - 1) > 0 and sin(w*time) > 0;
  off = s < 0 or pre(off) and not fire;
  v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
  u = v + 10*i;
  der(x) = i;
  when sample(0.02, 0.02) then
    m = x;
    reinit(x, 0);
  end when;
end Th;""", "--stop", "0.11", "--intervals", "11", "--no-event-rows")
    equal(len(rows), 12)
    # on from 1 to pi, off with 1e-5 S in the rest; with no event rows, at an
    # event the right limit counts
    wanted = 10/314.1592653589793*(1 + math.cos(1)) - 1e-3/314.1592653589793*(1 + math.cos(1))
    for k in (2, 4, 6, 8, 10):
        assert abs(rows[k]["m"] - wanted) < 1e-6 and abs(rows[k]["x"]) < 1e-12, rows[k]


def test_diodes_that_short_circuit_on_the_way_to_the_start():
    rows = run("""model Diode
  Real v, i, s;
  Boolean off(start = true);
equation
  off = s < 0;
  v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
end Diode;
model CenterTap "with losses: products of voltages and currents, 1e7 A where two diodes are on"
  Diode d[3];
  Real u[3], vp, p[3], e(start = 0, fixed = true);
equation
  for k in 1:3 loop
    u[k] = 100*cos(314*time + 0.2 - (k - 1)*2.0943951023931953);
    d[k].v = u[k] - vp;
    p[k] = d[k].v*d[k].i;
  end for;
  d[1].i + d[2].i + d[3].i = vp/20;
  der(e) = p[1] + p[2] + p[3];
end CenterTap;""", "--stop", "0.02", "--intervals", "100")
    for row in rows:
        assert abs(row["vp"] - max(row[f"u[{k}]"] for k in (1, 2, 3))) < 0.05, row


def test_reinit_keeps_the_constraints_of_a_pendulum():
    pendulum = """model P
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -x*f;
  der(vy) = -y*f - 9.81;
  x^2 + y^2 = 1;
  when x < 0 then
    reinit({});
  end when;
end P;"""
    rows = run(pendulum.format("vx, 2"), "--stop", "0.6", "--intervals", "60")
    at = next(k for k in range(len(rows) - 1) if rows[k]["time"] == rows[k + 1]["time"])
    assert abs(rows[at + 1]["vx"] - 2) < 1e-9 and abs(rows[at + 1]["vy"]) < 1e-6 and abs(
        rows[at + 1]["x"]) < 1e-6, rows[at + 1]
    refused = check_exit(run_text("simulate", pendulum.format("vy, 1"), "--stop", "0.6"), 5)
    contains(refused.err, "reinit(vy, 1)")


def test_friction_sticks_and_slides():
    rows = run(FRICTION, "--stop", "6", "--intervals", "6")
    begin = math.asin(0.6)
    at = {row["time"]: row for row in rows}
    assert at[0]["mode"] == 0 and at[0]["locked"] == 1, at[0]
    assert abs(min(row["time"] for row in rows if row["mode"] == 1) - begin) < 1e-8
    for t in (1.0, 2.0, 3.0, 4.0):
        assert abs(at[t]["v"] - (5*(math.cos(begin) - math.cos(t)) - 2*(t - begin))) < 1e-5, at[t]
    equal(at[6.0]["mode"], -1)


def test_friction_slips_below_its_peak():
    rows = run(SLIP, "--stop", "2", "--intervals", "4")
    assert abs(rows[-1]["w"] - 0.2475) < 1e-7, rows[-1]
    assert all(row["w"] == 0 for row in rows if row["time"] < 1.1), rows


def test_no_position_at_the_start():
    result = check_exit(run_text("simulate", """model N
  Boolean b;
  Real x, z(start = -1, fixed = true);
equation
  der(z) = 1;
  b = x > 0;
  x = if b then -1 else 1;
end N;"""), 5)
    contains(result.err, "no position of these switches agrees with the equations")


def test_no_position_and_two_positions():
    swap = """model X
  Boolean b(start = false);
  Real x(start = -1), z(start = -1, fixed = true);
equation
  der(z) = 1;
  b = x > 0;
  x = if z < 0 then -1 else {};
end X;"""
    none = check_exit(run_text("simulate", swap.format("if b then -1 else 1"), "--stop", "2"), 5)
    contains(none.err, "no position of these switches agrees with the equations")
    contains(none.err, "x > 0  (line 6)")
    rows = run(swap.format("if b then 1 else -1"), "--stop", "2", "--intervals", "2")
    equal([row["b"] for row in rows], [0]*len(rows))  # the old position is kept


def test_a_relation_at_zero_at_the_start_is_armed_by_its_direction():
    for slope, wanted in (("1", 1), ("-1", 0)):
        rows = run(f"""model Z
  Real x(start = 0, fixed = true);
  Boolean b = x > 0;
  Integer n(start = 0, fixed = true);
equation
  der(x) = {slope};
  when change(b) then
    n = pre(n) + 1;
  end when;
end Z;""", "--stop", "1", "--intervals", "1")
        equal(rows[-1]["n"], wanted)
        assert all(row["time"] in (0, 1) for row in rows), rows


def test_simultaneous_time_events_are_one_and_the_first_branch_wins():
    rows = run("""model T
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true), w(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.1) then
    n = pre(n) + 1;
  end when;
  when sample(0, 0.1) and time >= 0.3 then
    k = pre(k) + 1;
  end when;
  when time >= 0.3 then
    w = 1;
  elsewhen sample(0, 0.1) then
    w = 2;
  end when;
end T;""", "--stop", "0.35", "--intervals", "1", "--tol", "1e-3")
    equal((rows[-1]["n"], rows[-1]["k"], rows[-1]["w"]), (4, 1, 1))


# A switch opens where the sum of two large currents is 0, in coordinates that turn.
TURNING = """model Turning
  Real w(start = -0.356, fixed = true), i(start = 7944365.5, fixed = true);
  Real m(start = -7944362.5, fixed = true), p, q, c, s, u, y, z;
  Boolean off(start = false, fixed = true);
equation
  der(w) = 3;
  der(i) = -110 - u;
  der(m) = 100;
  i = p*cos(w) - q*sin(w);
  m = p*sin(w) + q*cos(w);
  c = y + z;
  y*cos(w) - z*sin(w) = i*cos(w) + m*cos(w) - z*sin(w) - c/3
    + (p*(cos(w) + sin(w)) + q*(cos(w) - sin(w)))/3;
  z = i + m - (p*(cos(w) + sin(w)) + q*(cos(w) - sin(w)));
  off = s < 0;
  u = s*(if off then 1 else 1e-5);
  c = s*(if off then 1e-5 else 1);
end Turning;
"""


def test_rounding_that_a_small_conductance_makes_large_is_a_solution():
    # off from i + m = 0 at 0.3 on; s is their rounding times 1e5
    for tolerance in ("1e-4", "1e-6"):
        result = check_exit(run_text("simulate", TURNING, "--stop", "0.5", "--tol", tolerance,
                                     "--intervals", "1"), 0)
        names, *_, last = csv.reader(io.StringIO(result.out))
        last = dict(zip(names, map(float, last)))
        assert abs(last["s"] + 10) < 1e-2 and last["off"] == 1, last


main(globals())
