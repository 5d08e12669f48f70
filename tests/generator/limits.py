"""Families of claims.py about limits: residuals that only tend to 0, or just miss it, are no start;
poles narrower than a step end a run; branches that end at the edge of their domains meet."""

import math


def starts(rng, ask):
    """An initial law in u = a*x + b, with its solution for u or without one."""
    a, b = rng.choice([1, 2, -3, 0.5]), rng.choice([0, 1, -2, 0.25])
    u = f"({a}*x + {b})"
    c = rng.randint(1, 9)/10
    law, root = rng.choice([
        (f"{u}/sqrt(1 + {u}^2) = 1", None), (f"exp(-{u}) = 0", None),
        (f"{u} - sqrt({u}^2 + 2*{u}) = -1", None), (f"cosh({u}) - sinh({u}) = 0", None),
        (f"log(1 + exp({u})) = 0", None), (f"{u}^2 + {rng.choice(['1e-13', '1e-9', '1e-6'])} = 0",
                                           None), (f"tanh({u}) = 1", None),
        (f"1/(1 + {u}^2) = 0", None), (f"sqrt({u}) + 1 = {c}", None),
        (f"{u}/sqrt(1 + {u}^2) = {c}", c/math.sqrt(1 - c*c)),
        (f"exp(-{u}) = {c}e-9", -math.log(c*1e-9)), (f"({u} - {c})^3*exp({u}) = 0", c),
        (f"tanh({u}) = {c}", math.atanh(c)), (f"1e-11*({u}^3 - 8) = 0", 2),
        (f"{u}*log({u}) = 0", 1), (f"{u}^{u} = 1", 1)])
    start = rng.choice(["", "(start = 1)", "(start = 0.1)", "(start = -2)"])
    answer = ask("simulate",
                 f"Real x{start}, y; initial equation {law}; y = x; equation der(x) = 1; "
                 "der(y) = 1;", "--stop", "1", "--intervals", "1")
    if root is None:
        return None if answer.code in (1, 4, 5) else answer.wrong("there is no solution")
    if answer.code != 0:
        return "open" if answer.code in (4, 5) else answer.wrong("there is a solution")
    found = a*float(answer.out.splitlines()[1].split(",")[1]) + b
    return None if abs(found - root) < 1e-5*(1 + abs(root)) else answer.wrong(f"it is {root}")


def narrow_poles(rng, ask):
    """Slopes and constraints; c is their width beside a step."""
    at = rng.randint(31, 171)/100
    c = rng.choice(["1e-3", "1e-6", "1e-9", "1e-12"])
    d = rng.choice([f"(time - {at})", f"(x - {at})", f"({at} - x)", f"(sin(time - {at}))"])
    slope, is_pole = rng.choice([
        (f"{c}/{d}", True), (f"{c}/{d}^2", True), (f"1 + {c}/{d}^2", True),
        (f"{c}/{d}^3 + x", True), (f"sin({d})/{d}", False), (f"(exp({d}) - 1)/{d}", False),
        (f"{c}/sqrt(abs({d}))", False), (f"{c}/(1 + {d}^2)", False), (f"{d}/abs({d})", False)])
    answer = ask("simulate",
                 "Real x(start = 0, fixed = true), z(start = 0, fixed = true); "
                 f"equation der(x) = 1; der(z) = {slope};",
                 "--stop", "2", "--intervals", str(rng.randint(1, 3)))
    if not is_pole:
        return None if answer.code == 0 else answer.wrong("there is no pole")
    if answer.code != 5:
        return answer.wrong("the pole was passed over")
    told = float(answer.err.split("t = ")[-1].split(":")[0])
    return None if abs(told - at) < 2e-3 else answer.wrong(f"the pole is at {at}")


def meeting_branches(rng, ask):
    """y = f(x) for x > 0 and -f(-x) below, f without values for negative numbers."""
    f, value = rng.choice([("sqrt({})", math.sqrt), ("({})^0.7", lambda x: x**0.7),
                           ("acos(1 - {})", lambda x: math.acos(1 - x))])
    relation = rng.choice(["x < 0", "x <= 0"])
    up, down = f.format("x"), f.format("(-x)")
    y = (f"if {relation} then -{down} else {up}" if rng.random() < 0.5 else
         f"if not ({relation}) then {up} else -{down}")
    a, w = rng.randint(-8, 8)/10, rng.randint(5, 30)/10
    answer = ask("simulate",
                 f"Real x(start = {a}, fixed = true), y; "
                 f"equation der(x) = {w}*cos({w}*time); y = {y};",
                 "--stop", "3", "--intervals", "9", "--no-event-rows", "--tol", "1e-7")
    if answer.code != 0:
        return "open" if answer.code == 5 else answer.wrong("not simulated")
    for row in answer.out.splitlines()[1:]:
        t, x, found = map(float, row.split(","))
        if abs(x - a - math.sin(w*t)) > 1e-5:
            return answer.wrong(f"x at {t} is {a + math.sin(w*t)}")
        if abs(found - math.copysign(value(abs(x)), x)) > 1e-5:
            return answer.wrong(f"y at {t} is {math.copysign(value(abs(x)), x)}")
    return None


FAMILIES = [starts, narrow_poles, meeting_branches]
