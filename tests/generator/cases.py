"""Families of claims.py about initial problems that are decided case by case. The truth is found by
trying all cases; the independent checker must accept the proof of every contradiction."""

import itertools
import math

VERIFIED = "verified"


def judge(answer, has_solution):
    """The verdict, and its proof. "open": not decided."""
    if answer.code == 4 and answer.json()["verdict"] == "undecided":
        return "open"
    found = answer.json()
    contradicts = len(found["conflicts"]) > 0
    if contradicts == has_solution:
        return answer.wrong(f"{found['verdict']}, but a solution exists: {has_solution}")
    if not str(found["proofs"]).startswith(VERIFIED) and found["proofs"] is not True:
        return answer.wrong(f"the proof is not accepted: {found['proofs']}")
    return None


def check(ask, text):
    return ask("check-init", text, "--format", "json", "--verify-proofs")


def switches(rng, ask):
    """x_k = (if x_k > c then a else b) + e*x_(k-1), as a relation or a Boolean variable."""
    n = rng.randint(1, 3)
    rows = [[rng.randint(-3, 3) for _ in range(4)] for _ in range(n)]
    declared, equations = [], []
    for k, (c, a, b, e) in enumerate(rows):
        before = f" + {e}*x{k - 1}" if k > 0 else ""
        condition = f"x{k} > {c + 0.5}"
        declared.append(f"Real x{k};")
        if rng.random() < 0.5:
            declared.append(f"Boolean b{k};")
            equations.append(f"b{k} = {condition};")
            condition = f"b{k}"
        equations.append(f"x{k} = (if {condition} then {a} else {b}){before};")
    rng.shuffle(equations)

    def holds(choice):
        x = 0
        for k, (way, (c, a, b, e)) in enumerate(zip(choice, rows)):
            x = (a if way else b) + (e*x if k > 0 else 0)
            if (x > c + 0.5) != way:
                return False
        return True

    solvable = any(holds(choice) for choice in itertools.product((True, False), repeat=n))
    state = "Real z(start = 0, fixed = true); equation der(z) = x0; "
    return judge(check(ask, " ".join(declared) + state + " ".join(equations)), solvable)


def enumerations(rng, ask):
    """An enumeration chooses the value; its start is fixed."""
    values = [rng.randint(0, 5) for _ in range(3)]
    start, wanted = rng.randint(0, 2), rng.randint(0, 5)
    text = ("type M = enumeration(a, b, c); M m(start = M." + "abc"[start] + ", fixed = true); "
            f"Real x; initial equation x = {wanted}; x = if m == M.a then {values[0]} elseif "
            f"m == M.b then {values[1]} else {values[2]}; equation der(x) = -x; "
            "when x < -1 then m = M.a; end when;")
    return judge(check(ask, text), values[start] == wanted)


def whole_numbers(rng, ask):
    """An Integer has no value between two integers, a Boolean none but 0 and 1."""
    p, q, r = rng.randint(-9, 9), rng.randint(1, 4), rng.randint(1, 3)
    text = (f"Real x; Integer n; initial equation x = n + {r}; x = {p}/{q}; "
            "equation der(x) = -x; when x < -99 then n = pre(n) + 1; end when;")
    return judge(check(ask, text), p % q == 0)


def roots(rng, ask):
    """Of the roots of one polynomial some solve the other equation, or none."""
    a, b = rng.sample(range(-4, 5), 2)
    first = rng.choice([f"(x - {a})*(x - {b}) = 0", f"x^2 - {a + b}*x = {-a*b}",
                        f"abs(x - {a + b}/2) = {abs(a - b)}/2"])
    root, shift = rng.choice([a, b]), rng.choice([0, 0, 1])
    second, value = rng.choice([("x^3 + x", root**3 + root), ("x^3 - 2*x", root**3 - 2*root)])
    value += shift
    f = {"x^3 + x": lambda x: x**3 + x, "x^3 - 2*x": lambda x: x**3 - 2*x}[second]
    text = (f"Real x(start = {rng.randint(-3, 3)}); initial equation {first}; "
            f"{second} = {value}; equation der(x) = -x;")
    return judge(check(ask, text), any(f(x) == value for x in (a, b)))


def angles(rng, ask):
    """Sine and cosine of one angle; where another equation tells the periods apart they count."""
    if rng.random() < 0.3:
        turns = 2*rng.randint(1, 3)
        answer = check(ask, "constant Real pi = acos(-1); Real p; initial equation sin(p) = 0; "
                       f"p + exp(p/9) = {turns}*pi + exp({turns}*pi/9); equation der(p) = 1;")
        return answer.wrong("it has a solution") if answer.json()["conflicts"] else None
    m, n = rng.choice([(3, 4), (4, 3), (5, 12), (8, 15)])
    h = math.isqrt(m*m + n*n)
    good = rng.random() < 0.5
    cosine = n if good else n + 1
    text = f"Real p; initial equation sin(p) = {m}/{h}; cos(p) = {cosine}/{h}; equation der(p) = 1;"
    return judge(check(ask, text), good)


FAMILIES = [switches, enumerations, whole_numbers, roots, angles]
