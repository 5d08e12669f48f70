"""The problems of the work-precision tables: model text, groups of variables,
reference values of bench/references."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def series(names, count):
    return [f"{n}[{i}]" for i in range(1, count + 1) for n in names]


ANDREWS = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]
RING = {"voltages": ["y1", "y2", "y7"],
        "currents": ["y8", "y9", "y10", "y11", "y12", "y13", "y14", "y15"],
        "diodes": ["y3", "y4", "y5", "y6"]}

# name: (model in examples/, index, groups of variables with the smallest size that
# an error is taken relative to)
PROBLEMS = {
    "pendulum": ("pendulum.mo", 3, {"positions": (["x", "y"], 0.01), "velocities":
                                    (["u", "v"], 0.01), "multipliers": (["lambda"], 0.01)}),
    "double_pendulum": ("double_pendulum.mo", 3,
                        {"positions": (["x1", "y1", "x2", "y2"], 0.01),
                         "velocities": (["u1", "v1", "u2", "v2"], 0.01),
                         "multipliers": (["lambda1", "lambda2"], 0.01)}),
    "slider_crank": ("slider_crank.mo", 3, {"positions": (["phi1", "phi2", "s"], 0.01),
                                            "velocities": (["w1", "w2", "v"], 0.01),
                                            "multipliers": (["lambda1", "lambda2"], 0.01)}),
    "car_axis": ("car_axis.mo", 3, {"positions": (["xl", "yl", "xr", "yr"], 0.01),
                                    "velocities": (["vxl", "vyl", "vxr", "vyr"], 0.01),
                                    "multipliers": (["lam1", "lam2"], 0.01)}),
    "andrews": ("andrews_squeezer.mo", 3,
                {"positions": (ANDREWS, 0.01), "velocities": (["v" + n for n in ANDREWS], 0.01),
                 "multipliers": ([f"lam{i}" for i in range(1, 7)], 0.01)}),
    "chain": ("chain.mo", 3, {"positions": (series(["x", "y"], 10), 0.01),
                              "velocities": (series(["u", "v"], 10), 0.01),
                              "multipliers": (series(["lambda"], 10), 0.01)}),
    # the velocities are zero to 1e-30 at t = 1000
    "fekete": ("fekete.mo", 2, {"positions": (series(["x", "y", "z"], 20), 0.01),
                                "velocities": (series(["u", "v", "w"], 20), 1.0),
                                "multipliers": (series(["lambda"], 20), 0.01)}),
    "ring_modulator": ("ring_modulator.mo", 2, {"voltages": (RING["voltages"], 0.01),
                                                "currents": (RING["currents"], 1e-5),
                                                "diodes": (RING["diodes"], 0.01)}),
    "transistor_amplifier": ("transistor_amplifier.mo", 1,
                             {"voltages": ([f"y{i}" for i in range(1, 9)], 0.01)}),
    "akzo_nobel": ("akzo_nobel.mo", 1, {"species": ([f"y{i}" for i in range(1, 6)], 1e-4),
                                        "equilibrium": (["y6"], 1e-4)}),
    "robertson": ("robertson.mo", 1, {"species": (["y1", "y2", "y3"], 0.0)}),
    "van_der_pol": ("van_der_pol.mo", 0, {"y": (["y1"], 0.0), "y'": (["y2"], 0.0)}),
}


def load_references(path=None):
    """{problem: (time, {name: value})} from the output of bench/references"""
    found = {}
    with open(path or os.path.join(ROOT, "bench", "references", "values.txt"),
              encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                problem, time, name, value, _ = line.split()
                found.setdefault(problem, (float(time), {}))[1][name] = float(value)
    return found


def digits_of(problem, values, references):
    """Correct digits of the worst component of each group, 0 to 16."""
    exact = references[problem][1]
    out = []
    for names, least in PROBLEMS[problem][2].values():
        worst = 0.0
        for name in names:
            value = values.get(name, math.nan)
            if not math.isfinite(value):
                worst = math.inf
                break
            worst = max(worst, abs(value - exact[name]) / max(abs(exact[name]), least))
        out.append(0.0 if worst >= 1 else min(16.0, -math.log10(worst + 1e-16)))
    return out
