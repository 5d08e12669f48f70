"""Families of claims.py about quotients that have no value at the start: their limits are known
from power series with fractions. A quotient without a limit, or with more than one solution through
the start, must not be given one."""

import math
from fractions import Fraction

N = 9


def product(a, b):
    return [sum(a[i]*b[k - i] for i in range(k + 1)) for k in range(N)]


def combined(a, x, b, y):
    return [a*p + b*q for p, q in zip(x, y)]


def scaled(f, c):
    """The series of f(c*s)."""
    return [f[k]*c**k for k in range(N)]


def of(rule):
    return [Fraction(rule(k)) for k in range(N)]


EXP = of(lambda k: Fraction(1, math.factorial(k)))
SIN = of(lambda k: 0 if k % 2 == 0 else Fraction((-1)**(k//2), math.factorial(k)))
COS = of(lambda k: 0 if k % 2 else Fraction((-1)**(k//2), math.factorial(k)))
LOG = of(lambda k: 0 if k == 0 else Fraction(-(-1)**k, k))
ONE = of(lambda k: k == 0)
IT = of(lambda k: k == 1)


def function(rng, s):
    """A function of s that is 0 at s = 0, as text and as series."""
    c = rng.choice([1, 2, 3, -1, -2])
    u = f"({c}*{s})"
    text, series = rng.choice([
        (f"sin({u})", SIN), (f"(exp({u}) - 1)", combined(1, EXP, -1, ONE)),
        (f"(1 - cos({u}))", combined(1, ONE, -1, COS)), (f"log(1 + {u})", LOG),
        (f"({u} - sin({u}))", combined(1, IT, -1, SIN)), (u, IT), (f"{u}^2", product(IT, IT)),
        (f"(exp({u}) - 1 - {u})", combined(1, combined(1, EXP, -1, ONE), -1, IT)),
        (f"sin({u})*exp({s})", SIN)])
    values = scaled(series, Fraction(c))
    return (text, product(values, EXP)) if text.endswith(f"*exp({s})") else (text, values)


def order(series):
    return next((k for k, value in enumerate(series) if value != 0), N)


def compose(f, x):
    """The series of f(x), x without a constant."""
    result, power = [Fraction(0)]*N, ONE
    for k in range(N):
        result = combined(1, result, f[k], power)
        power = product(power, x)
    return result


def limits_in_time(rng, ask):
    """N/D, as a quotient, as a product or as two fractions."""
    at = rng.choice([0, 0, 1, 0.5, -2])
    s = "time" if at == 0 else f"(time - ({at}))"
    above, n = function(rng, s)
    if rng.random() < 0.5:
        factor, f = function(rng, s)
        above, n = f"{above}*{factor}", product(n, f)
    below, d = function(rng, s)
    law = rng.choice([f"y = {above}/({below})", f"({below})*y = {above}",
                      f"y - (1 + {above})/({below}) = -1/({below})", f"der(y) = {above}/({below})"])
    start = "(start = 0, fixed = true)" if law.startswith("der") else ""
    text = f"Real y{start}, z; equation {law}; z = {'der(y)' if start else 'y'};"
    m, k = order(n), order(d)
    option = ("--start", str(at))
    checked = ask("check-init", text, *option, "--format", "json", "--verify-proofs")
    answer = ask("simulate", text, *option, "--stop", str(at + 0.25), "--intervals", "1")
    if m < k:
        if checked.code == 0 or answer.code == 0:
            return checked.wrong("there is no limit")
        return None
    if checked.code != 0 or checked.json()["verdict"] != "well-determined" or answer.code != 0:
        return answer.wrong("there is a limit")
    limit = n[k]/d[k]
    found = answer.column("z")[0]
    return None if abs(found - limit) <= 1e-9*(1 + abs(limit)) else answer.wrong(f"it is {limit}")


def limits_of_solutions(rng, ask):
    """x' = a*x + b*cos(time) + c, x(0) = 0, over time or time^2."""
    a, b, c = rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-3, 3)
    c = -b if rng.random() < 0.4 else c
    x = [Fraction(0)]
    for k in range(N - 1):
        x.append((a*x[k] + b*COS[k] + (c if k == 0 else 0))/(k + 1))
    k = rng.randint(1, 2)
    denominator = rng.choice([f"time^{k}", f"sin(time)^{k}", f"(exp(time) - 1)^{k}"])
    law = rng.choice([f"y = x/{denominator}", f"y*{denominator} = x",
                      f"y = (x + p*time^{k})/{denominator} - p"])
    value = rng.choice([0, 0, 0, 1])
    text = (f"parameter Real p = 2; Real x(start = {value}, fixed = true), y; "
            f"equation der(x) = {a}*x + {b}*cos(time) + {c}; {law};")
    checked = ask("check-init", text, "--format", "json", "--verify-proofs")
    answer = ask("simulate", text, "--stop", "0.5", "--intervals", "1")
    if value != 0 or order(x) < k:
        if checked.code == 0 or answer.code == 0:
            return answer.wrong("there is no limit")
        return None
    if checked.code != 0 or answer.code != 0:
        return answer.wrong("there is a limit")
    found = answer.column("y")
    return (None if abs(found[0] - x[k]) <= 1e-9*(1 + abs(x[k])) and
            (k > 1 or abs(found[1]) < 100) else answer.wrong(f"it is {x[k]}"))


def singular_points(rng, ask):
    """x' = a*x/time + b*x + c + d*time, x(0) = 0: one solution with a finite slope for a < 1."""
    a = rng.choice([Fraction(v) for v in (-3, -2, -1, "-1/2", "1/2", 1, 2, 3)])
    b, c, d = rng.randint(-2, 2), rng.randint(-3, 3), rng.randint(-2, 2)
    law = rng.choice(["der(x) = {a}*x/time + {r}", "time*der(x) = {a}*x + time*({r})",
                      "der(x) - ({r}) = {a}*y; y*time = x"])
    law = law.format(a=f"({a})", r=f"{b}*x + {c} + {d}*time")
    text = f"Real x(start = 0, fixed = true){', y' if 'y' in law else ''}; equation {law};"
    checked = ask("check-init", text, "--format", "json", "--verify-proofs")
    answer = ask("simulate", text, "--stop", "0.5", "--intervals", "1")
    if a >= 1:
        if checked.code == 0 or answer.code == 0:
            return answer.wrong("the solution is not the only one, or none")
        return None
    x = [Fraction(0)]
    for k in range(1, 40):
        rest = b*x[k - 1] + (c if k == 1 else d if k == 2 else 0)
        x.append(rest/(k - a))
    truth = float(sum(value*Fraction(1, 2)**k for k, value in enumerate(x)))
    if checked.code != 0 or answer.code != 0:
        return answer.wrong("there is one solution")
    return (None if abs(answer.column("x")[1] - truth) < 1e-4*(1 + abs(truth))
            else answer.wrong(f"x(1/2) is {truth}"))


def limits_behind_implicit_equations(rng, ask):
    """x is f(time), or x' is, by an equation that is not solved for it and has one real root."""
    f, series = function(rng, "time")
    at = rng.choice([0, 0, 1, -2])
    law = rng.choice(["{x} + {x}^3", "{x} + exp({x})", "2*{x}^5 + 3*{x}", "exp({x})",
                      "atan({x})", "{x}*(1 + {x}^2)"])
    if rng.random() < 0.4:
        declared, unknown = "x(start = 0, fixed = true)", "der(x)"
        x = [Fraction(0)] + [series[k]/(k + 1) for k in range(N - 1)]
        at = 0
    else:
        declared, unknown, x = f"x(start = {at})", f"(x - ({at}))", series
    text = f"{law.format(x=unknown)} = {law.format(x=f'({f})')};"
    below, d = function(rng, "time")
    x_text = f"(x - ({at}))" if at else "x"
    quotients = [(f"sin({x_text})", compose(SIN, x), below, d), (x_text, x, below, d)]
    if unknown != "der(x)":
        quotients += [(below, d, f"(exp({x_text}) - 1)", compose(combined(1, EXP, -1, ONE), x)),
                      (f"{x_text}^2", product(x, x), below, d)]
    above, n, below, d = rng.choice(quotients)
    text += rng.choice([f" y = {above}/({below});", f" y*({below}) = {above};"])
    text = f"Real {declared}, y; equation " + text
    checked = ask("check-init", text, "--format", "json", "--verify-proofs")
    answer = ask("simulate", text, "--stop", "0.1", "--intervals", "1")
    m, k = order(n), order(d)
    if m < k < N:
        if checked.code == 0 or answer.code == 0:
            return checked.wrong("there is no limit")
        return None
    limit = n[k]/d[k] if k < N else 0
    if answer.code == 0 and abs(answer.column("y")[0] - limit) > 1e-7*(1 + abs(limit)):
        return answer.wrong(f"it is {limit}")
    if checked.code in (0, 4) and answer.code in (0, 5):
        return None if checked.code == 0 and answer.code == 0 else "open"
    return answer.wrong("there is a limit")


FAMILIES = [limits_in_time, limits_of_solutions, singular_points, limits_behind_implicit_equations]
