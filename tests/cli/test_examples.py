"""Every model of examples/ through show, analyze, reduce, check-init and
simulate: verdicts and key figures."""

import csv
import io
import math
import re

from harness import EXAMPLES, SLOWDOWN, check_exit, equal, main, run

# analyze: status, structural index, degrees of freedom; check-init: verdict; reduce: unknowns,
# differential equations, constraints, highest level; simulate: values at the end of the
# experiment (reference solutions where there are any)
EXPECTED = {
    "akzo_nobel": ("success", 1, 5, "well-determined", (11, 5, 6, 0),
                   {"y1": 0.1150794920661702, "y4": 3.656156421249283e-4}),
    "andrews_squeezer": ("success", 3, 2, "well-determined", (23, 14, 21, 2),
                         {"beta": 15.81077119629904, "theta": -15.75637105984298}),
    "car_axis": ("success", 3, 4, "well-determined", (10, 8, 6, 2),
                 {"xl": 0.04934557842752, "yr": 0.3739110272652825}),
    "car_axis_overdetermined": ("structurally-singular", None, None, "consistent", (
        22, 8, 18, 0), {"xl": 0.04934557842752, "yr": 0.3739110272652825}),
    "chain": ("success", 3, 20, "well-determined", (50, 40, 30, 2),
              {"x[1]": 0.09993065373, "x[2]": 0.1994241966}),
    "drive_components": ("success", 3, 2, "well-determined", (20, 5, 18, 2),
                         {"rotor.phi": 148.9639407, "gear.b.tau": -14.89996959}),
    "filter_components": ("success", 1, 1, "well-determined", (26, 1, 25, 0),
                          {"capacitor.v": 0.3610538495, "load.i": 0.0003610538495}),
    "house_components": ("success", 1, 6, "well-determined", (50, 6, 44, 0),
                         {"room.port.T": 293.9009048, "north.masses[3].port.T": 274.5208201}),
    "double_pendulum": ("success", 3, 4, "well-determined", (10, 8, 6, 2),
                        {"x1": 0.97697656, "y1": 0.21334664}),
    "gears": ("success", 3, 2, "consistent", (6, 4, 4, 2),
              {"phi1": 35.53306595, "phi2": 15.22845683}),
    "heat_exchanger": ("success", 1, 10, "well-determined", (15, 10, 5, 0),
                       {"Th[1]": 349.7381205, "Th[2]": 337.5223681}),
    "pendulum": ("success", 3, 2, "well-determined", (5, 4, 3, 2), {"x": 1, "y": 0}),
    "reissig_martinson_barton": ("success", 3, 2, "well-determined", (5, 2, 3, 0),
                                 {"y1": 2.361471092, "y2": 2.060302413}),
    "ring_modulator": ("repaired", 2, 10, "well-determined", (15, 11, 5, 1),
                       {"y1": -0.02339913595, "y2": -0.007374882124}),
    "robertson": ("success", 1, 2, "well-determined", (3, 2, 1, 0),
                  {"y1": 0.01786592117, "y2": 7.274751481e-08}),
    "robot_arm": ("repaired", 5, 0, "well-determined", (14, 10, 14, 4),
                  {"x1": 1 - math.e, "x3": math.e - 1}),
    "singular_coupling": ("repaired", 2, 0, "well-determined", (4, 1, 4, 1),
                          {"x1": -0.3247379108, "x2": -4.668524142}),
    "slider_crank": ("success", 3, 2, "well-determined", (8, 6, 6, 2),
                     {"phi1": 1.045374046, "phi2": -0.4473259108}),
    "tanks": ("success", 2, 2, "well-determined", (6, 3, 4, 1),
              {"h1": 2.101082543, "h2": 1.435509854}),
    "temperature_control": ("success", 1, 3, "well-determined", (6, 3, 3, 0),
                            {"T": 20.98500507, "T_radiator": 58.5170687}),
    "three_phase": ("success", 2, 3, "consistent", (53, 6, 50, 1),
                    {"th1": 31.7, "$difference": ("i1_dq0[1]", "i2_dq0[1]")}),
    "transistor_amplifier": ("repaired", 1, 5, "well-determined", (8, 5, 3, 0),
                             {"y1": -0.5562145012262709e-2, "y2": 3.006522471903042}),
    "two_capacitors": ("success", 2, 1, "consistent", (4, 2, 3, 1), {"u": 10, "u1": 5, "i": 0}),
    "two_volumes": ("success", 2, 3, "consistent", (16, 7, 13, 1),
                    {"M1": 5/6, "M2": 5/6, "T1": 300}),
    "van_der_pol": ("success", 0, 2, "well-determined", (2, 2, 0, 0),
                    {"y1": 1.706167732170483, "y2": -0.8928097010247975e-3}),
    "bouncing_ball": ("success", 0, 2, "well-determined", (2, 2, 0, 0),
                      {"h": 0.04243354780262762, "v": -0.5463586260986877, "bounces": 4}),
    "thermostat": ("success", 0, 1, "well-determined", (1, 1, 0, 0),
                   {"T": 1.097718430810054, "on": 1}),
    "rectifier": ("success", 1, 1, "well-determined", (18, 1, 17, 0), {"uC": 9.41896458481031}),
    "stick_slip": ("success", 1, 2, "well-determined", (3, 2, 1, 0),
                   {"x": 5.031836143475676, "v": 0.07306493125648145}),
    "sampled_control": ("success", 0, 1, "well-determined", (1, 1, 0, 0),
                        {"x": 0.9997755878307658, "u": 1.0003811252945498}),
    "dosing": ("success", 1, 2, "well-determined", (3, 2, 1, 0),
               {"gut": 1.6460608954286404, "blood": 177.494814630165}),
    "swing_fault": ("success", 1, 2, "well-determined", (3, 2, 1, 0),
                    {"delta": 0.7414353825, "w": 0.0132935812}),
    "peg": ("success", 3, 2, "well-determined", (5, 4, 3, 2),
            {"x": -0.3282801509852136, "y": -0.9445804055077182}),
    "fekete": ("success", 2, 80, "well-determined", (200, 120, 120, 1),
               {"x[1]": -0.4070263380333202}),
}
MODELS = sorted(path.stem for path in EXAMPLES.glob("*.mo"))


def test_every_example_is_listed_here_and_in_its_readme():
    equal(MODELS, sorted(EXPECTED))
    readme = (EXAMPLES / "README.md").read_text()
    for name in MODELS:
        assert f"`{name}.mo`" in readme, name
    assert len(MODELS) >= 15


def test_every_example_tells_its_physics_its_point_and_its_source():
    for name in MODELS:
        head = re.match(r"(//[^\n]*\n)+", (EXAMPLES / f"{name}.mo").read_text())
        assert head, name
        for word in ["// Physics: ", "// Interesting: ", "// Source: "]:
            assert word in head[0], f"{name}: {word}"


def test_show_reads_back_to_itself():
    for name in MODELS:
        text = check_exit(run("show", EXAMPLES / f"{name}.mo"), 0).out
        equal(check_exit(run("show", "-", stdin=text), 0).out, text)


def test_analyze_finds_the_structure():
    for name, (status, index, dof, *_) in EXPECTED.items():
        found = check_exit(run("analyze", "--format", "json", EXAMPLES / f"{name}.mo"),
                           1 if index is None else 0).json()
        equal((name, found["status"], found.get("structural_index"), found.get("dof")),
              (name, status, index, dof))


def test_reduce_finds_all_constraints():
    for name, (_, _, _, _, (unknowns, differential, constraints, level), _) in EXPECTED.items():
        found = check_exit(run("reduce", "--format", "json", EXAMPLES / f"{name}.mo"), 0).json()
        equal((name, len(found["unknowns"]), len(found["differential"]),
               len(found["constraints"]), found["max_level"]),
              (name, unknowns, differential, constraints, level))


def test_check_init_decides_and_its_proofs_hold():
    for name, (_, _, _, verdict, _, _) in EXPECTED.items():
        found = check_exit(run("check-init", "--verify-proofs", "--format", "json",
                               EXAMPLES / f"{name}.mo"), 0).json()
        equal((name, found["verdict"], found["proofs"]), (name, verdict, "verified"))


def test_simulate_ends_where_it_should():
    for name, (_, _, _, _, _, end) in EXPECTED.items():
        result = check_exit(run("simulate", "--quiet", "--intervals", "2",
                                EXAMPLES / f"{name}.mo"), 0)
        # a proof that takes seconds: a slow machine goes on without
        may_go_on = name == "fekete" or SLOWDOWN > 1
        if not may_go_on or "was not decided" not in result.err:
            equal((name, result.err), (name, ""))
        rows = list(csv.reader(io.StringIO(result.out)))
        found = dict(zip(rows[0], map(float, rows[-1])))
        assert all(math.isfinite(v) for v in found.values()), name
        for variable, value in end.items():
            got = (found[variable] if isinstance(value, (int, float))
                   else found[value[0]] - found[value[1]])
            wanted = value if isinstance(value, (int, float)) else 0
            assert abs(got - wanted) <= 2e-4*abs(
                wanted) + 2e-6, f"{name}: {variable} = {got!r}, expected {wanted!r}"


main(globals())
