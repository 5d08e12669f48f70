"""Families of claims.py about existence: chains of nonlinear blocks, surplus equations that touch,
parameters that the initialization determines. A positive answer where nothing solves the model is
wrong, a negative one where something does as well; undecided is open where there is a solution."""

import math

POSITIVE = ("well-determined", "consistent")


def positive(answer):
    return answer.code == 0 and answer.json().get("verdict", POSITIVE[0]) in POSITIVE


def judge(ask, text, solvable, *commands):
    """Each command is positive where there is a solution, and nowhere else."""
    is_open = False
    for command in commands:
        answer = ask(command, text, "--format", "json", "--verify")
        if positive(answer) and not solvable:
            return answer.wrong(f"{command} is positive, and there is no solution")
        if answer.code == 1 and solvable:
            return answer.wrong(f"{command} is negative, and there is a solution")
        if answer.code not in (0, 1, 4):
            return answer.wrong(f"{command} fails")
        is_open = is_open or (solvable and answer.code == 4)
    return "open" if is_open else None


def chains(rng, ask):
    """f_1(x_1) = v, f_k(x_k) = x_(k-1) + c_k: monotone functions, each with its range."""
    kinds = {  # f, its inverse, its range
        "exp({})": (math.log, 0, math.inf), "atan({})": (math.tan, -math.pi/2, math.pi/2),
        "tanh({})": (math.atanh, -1, 1), "{0}/sqrt(1 + {0}^2)": (
            lambda y: y/math.sqrt(1 - y*y), -1, 1),
        "-exp(-{})": (lambda y: -math.log(-y), -math.inf, 0),
        "sinh({})": (math.asinh, -math.inf, math.inf)}
    n = rng.randint(1, 4)
    value = rng.randint(-8, 8)/4
    laws, solvable = [f"x0 = {value}"], True
    for k in range(1, n + 1):
        f = rng.choice(list(kinds))
        inverse, low, high = kinds[f]
        c = rng.randint(-4, 4)/4
        wanted = value + c
        if solvable and min(abs(wanted - low), abs(wanted - high)) < 1e-3:
            return None  # at the edge
        solvable = solvable and low < wanted < high
        value = inverse(wanted) if solvable else 0
        laws.append(f"{f.format(f'x{k}')} = x{k - 1} + {c}")
    if abs(value) > 20:
        return None
    rng.shuffle(laws)
    names = ", ".join(f"x{k}" for k in range(n + 1))
    return judge(ask, f"Real {names}; equation {'; '.join(laws)};", solvable, "analyze",
                 "reduce", "check-init")


def surplus(rng, ask):
    """A curve, the same curve again, and a motion that is on it, leaves it, or only touches it."""
    r, k = rng.randint(1, 3), rng.randint(1, 3)
    circle = f"x^2 + y^2 = {r*r}; {k}*y^2 = {k*r*r} - {k}*x^2"
    parabola = f"y^2 = {k}*x; y^4 = {k*k}*x^2"
    curve, motion, solvable = rng.choice([
        (circle, f"x = {r}*sin(time + 1/{k + 1})", True), (circle, f"x = {r} + {k}*time", False),
        (circle, f"x = {r} + {k}*time^2", False), (parabola, f"x = {r} + time", True),
        (parabola, "x = -time^2", False),
        (f"y^3 + y = {k}*x; 2*y^3 = {2*k}*x - 2*y", f"x = {r}*cos(time)", True)])
    state = rng.choice(["z = x + y", "der(z) = -z"])
    start = "" if state == "z = x + y" else "(start = 1, fixed = true)"
    text = f"Real x(start = {r}), y(start = 1), z{start}; equation {curve}; {motion}; {state};"
    return judge(ask, text, solvable, "reduce", "check-init")


def hidden(rng, ask):
    """x = f(time) twice differentiated says what l is; one more equation says so, too, or not."""
    k, c = rng.randint(1, 3), rng.choice([0, 0, 1, -2])
    motion, start, law = rng.choice([
        (f"x = exp({k}*time)", 1, "l*x + y^2"), (f"x = sin({k}*time)", 0, f"l - {k*k}*x"),
        (f"x = 1 + {k}*time", 1, f"l*x + y - {k}"), (f"x = (1 + time)^{k + 1}", 1,
                                                     f"l*x + {k}*y^2/{k + 1}")])
    text = (f"Real x(start = {start}), y, l; equation der(x) = y; der(y) = -l; {motion}; "
            f"{law} = {c};")
    return judge(ask, text, c == 0, "check-init")


def masses(rng, ask):
    """m*v' = F, and the initialization says what m is: 0 takes a degree of freedom away."""
    k, d = rng.randint(1, 4), rng.randint(1, 3)
    zero = rng.random() < 0.4
    value = 0 if zero else rng.choice([-2, -1, 1, 2, 3])
    form = rng.choice(["m", "2*m", "m^3", "(exp(m) - 1)", "m*(1 + x^2)"])
    law = rng.choice([f"m = {value}", f"m + {k} = {value + k}", f"{d}*m = {value*d}",
                      f"m^3 = {value**3}"])
    text = (f"parameter Real m(fixed = false, start = 1); Real x(start = 1, fixed = true), "
            f"v(start = 0, fixed = true), F; initial equation {law}; equation der(x) = v; "
            f"{form}*der(v) = F - {k}*x; F = {k + d} - {d}*v;")
    answer = ask("check-init", text, "--format", "json", "--verify")
    if zero:
        if positive(answer):
            return answer.wrong("with m = 0 the start contradicts the equations")
        run = ask("simulate", text, "--stop", "0.1")
        return run.wrong("the start contradicts the equations") if run.code == 0 else None
    if answer.code != 0:
        return "open" if answer.code == 4 else answer.wrong("there is a start")
    return None if answer.json()["dof"] == 2 else answer.wrong("two degrees of freedom")


FAMILIES = [chains, surplus, hidden, masses]
