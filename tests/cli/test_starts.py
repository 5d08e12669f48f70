"""Where a simulation begins: stubborn, badly scaled, singular starts, each with a known point."""

import csv
import io
import math

from harness import check_exit, contains, main, run_text


def table(result):
    """Columns of a CSV result as lists of numbers."""
    rows = list(csv.reader(io.StringIO(result.out)))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def simulate(text, *options):
    return table(check_exit(run_text("simulate", text, *options), 0))


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


if __name__ == "__main__":
    main(globals())
