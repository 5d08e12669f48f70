"""Mixed systems: switches and Reals that depend on each other, at events and at the start."""

import csv
import io
import math

from harness import check_exit, contains, equal, main, run_text

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


def run(text, *options):
    result = check_exit(run_text("simulate", text, *options), 0)
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(result.out))]


def jumps(rows, name):
    return [b["time"] for a, b in zip(rows, rows[1:]) if a["time"] == b["time"] and a[name] != b[name]]


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
        assert abs(rows[-1]["vout"] + 1) < 1e-12 and abs(rows[-1]["u"] + 0.4*math.exp(-(3 - times[0]))) < 1e-5, rows[-1]


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


main(globals())
