"""Random models with planted truth for what a positive answer claims: degenerate factors,
totals hidden in functions, parameter coincidences, branches chosen by parameters, free
parameters. All commands must give the planted number of degrees of freedom or say that it is
open (exit 4, rarely); none may give another.

    soundness.py PROGRAM FIRST_SEED COUNT"""

import json
import subprocess

import tally


def number(rng):
    return f"{rng.choice([-3, -2, -1, 1, 2, 3])}/{rng.choice([1, 2, 3, 5])}"


def signal(rng):
    """A function of time with values in (1, 5), so that roots and logarithms of it are harmless."""
    return f"(3 + {rng.choice(['sin', 'cos'])}({rng.randint(1, 3)}*time)*{rng.randint(1, 3)}/2)"


def factor_on_solutions(rng):
    """u = v on every solution, so the last equation is x = s(t): nothing is free."""
    g = rng.choice(["u^3", "u^2 + v^2", "u*v", "exp(u)", "(2 + sin(v))", "u + 2*v"])
    k = rng.randint(1, 3)
    text = (f"Real x, u, v; equation {k}*der(x) = {k}*u; der(x) = v; "
            f"(u - v)*({g}) + x = {signal(rng)};")
    return text, 0, ("repaired",)


def free_variable(rng):
    """y is the constant that makes the last equation 0 = 0: z is free, the model is singular."""
    b = rng.randint(1, 4)
    g = rng.choice(["z", "(z + x)", "z^3", "(exp(z) + 1)*z"])
    return (f"Real x, y, z; equation der(x) + x = 0; der(x) + x + y = {b}; (y - {b})*{g} = 0;",
            None, ("jacobian-singular",))


def hidden_total(rng):
    """d/dt (x + y^2/2) inside of a function: the constraint determines it, and with it x."""
    outer = rng.choice(["exp({})", "{}^3", "atan({})", "({0})/(1 + ({0})^2)", "sinh({})"])
    k = rng.randint(2, 3)
    inner = f"der(x) + y^{k - 1}*der(y)"
    text = (f"Real x, y(start = 2); equation {outer.format('(' + inner + ')')} + x = "
            f"{signal(rng)}; x + y^{k}/{k} = 9 + cos(time);")
    return text, 0, ("repaired",)


def total_beside_logarithm(rng):
    """d/dt (x*y) inside of a function, x*y inside of another: z is known, and with it x, or one
    equation more."""
    outer = rng.choice(["cosh({})", "exp({})", "({})^3", "sinh({})", "({})/(2 + ({})^2)"])
    inner = "x*der(y) + y*der(x)"
    text = (f"Real x(start = 1), y(start = 2), z, w; equation "
            f"{outer.replace('{}', inner)} + w + z = {signal(rng)}; "
            f"{rng.choice(['log(x*y) = sin(time)', 'x*y = 2 + sin(time)', 'sqrt(x*y) = 2'])}; "
            f"der(z) = {rng.randint(1, 3)}*x; der(w) = z - {rng.randint(1, 3)}*w;")
    return text, 1, ("repaired",)


def transformer(rng):
    a, b = rng.randint(1, 4), rng.randint(1, 4)
    tight = rng.random() < 0.5
    m = a*b if tight else a*b - 1/2
    text = (f"parameter Real L1 = {a*a}, L2 = {b*b}, M = {m}; Real i, j, u, v; "
            f"equation L1*der(i) + M*der(j) = u; "
            f"M*der(i) + L2*der(j) = v; u = {signal(rng)} - {rng.randint(1, 3)}*i; "
            f"v = -{rng.randint(1, 3)}*j;")
    return text, 1 if tight else 2, ("repaired",) if tight else ("success",)


def vanishing_mass(rng):
    m = rng.choice([0, 0, 1, 2])
    text = (f"parameter Real m = {m}; Real x, v, F; equation der(x) = v; "
            f"m*der(v) = F - {rng.randint(1, 4)}*x; "
            f"F = {signal(rng)} - {rng.randint(1, 3)}*v;")
    return text, 1 if m == 0 else 2, ("success",)


def branch(rng):
    p = rng.choice([0, 1])
    text = (f"parameter Real p = {p}; Real x, y; equation der(x) = y - {rng.randint(1, 3)}*x; "
            f"if p > 0.5 then y = {rng.randint(2, 4)}*x; else der(y) = x; end if;")
    return text, 1 if p == 1 else 2, ("success",)


def slope_in_a_branch(rng):
    """der(x) only chooses a branch, without a slope in it: Sigma does not count it."""
    a, b, k = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    rate = rng.choice([f"{k}", f"(2 + sin(time))*{k}", f"(1 + time^2)/{k}"])
    text = rng.choice([
        f"x = {signal(rng)} + (if der(y) > 0 then {a} else -{b}); der(y) = {rate};",
        f"abs(der(x) + der(y))*(if der(x) + der(y) > 0 then {a} else {b}) + x = {a + b}; "
        f"x + y = {rng.choice(['-', ''])}{k}*time;",
        f"x = {k}*time + sign(der(x) - {k + rng.choice([-1, 1])}/2); y = x*{a} + der(x);",
        f"y = {k}*time; x = max(der(y), {a}) + {b}*y;"])
    return f"Real x, y; equation {text}", 1 if "der(y) = " in text else 0, ("success",)


def circle(rng):
    """A pendulum whose rod has any length: regular, found without start values."""
    r = rng.randint(1, 3)
    start = rng.choice(["", f"(start = {r})"])
    text = (f"Real x{start}, y, u, v, h; equation der(x) = u; der(y) = v; der(u) = -x*h; "
            f"der(v) = -y*h - {rng.randint(1, 9)}; "
            f"x^2 + y^2 = {r*r};")
    return text, 2, ("success",)


def exponential_loop(rng):
    k = rng.randint(2, 4)
    text = (f"Real x, y, z; equation der(x) = -x + y; "
            f"exp(y/{k}) + y*z^2 = {signal(rng)} + x^2; z + sin(z)/2 = y + {number(rng)};")
    return text, 1, ("success",)


FAMILIES = [factor_on_solutions, free_variable, hidden_total, total_beside_logarithm,
            transformer, vanishing_mass, branch, slope_in_a_branch, circle, exponential_loop]


def run(program, command, text):
    done = subprocess.run([program, command, "--format", "json", "-"], input=text,
                          capture_output=True, text=True, timeout=300)
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}


def check(program, family, rng):
    """None, "open", or what is wrong."""
    text, dof, statuses = family(rng)
    text = f"model A {text} end A;\n"
    code, found = run(program, "analyze", text)
    if found["status"] == "undecided" or (code == 1 and dof is not None
                                          and "ill_posed" not in found):
        return "open"
    if dof is None:
        return None if found["status"] in statuses else f"{found['status']}, {text}"
    if found["status"] not in (*statuses, "repaired") or found["dof"] != dof:
        return f"{found['status']}, {found['dof']} degrees of freedom, {text}"
    if "certificate" not in found:
        return f"{found['status']} without a certificate, {text}"
    for command in ("reduce", "check-init"):
        code, other = run(program, command, text)
        if code == 4:
            return "open"
        if other.get("dof") != dof:
            return f"{command}: {other.get('dof')} degrees of freedom, {text}"
    return None


tally.run(FAMILIES, check, "with a certificate, or proved to be singular")
