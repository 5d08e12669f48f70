"""Families of claims.py about exact numbers and about existence: sums of angles and logarithms,
polynomials without real zeros, continuous functions that take all values, premises with logic,
signs by declared ranges. The truth is computed with integers and fractions."""

import math
from fractions import Fraction


def verdict_of(answer, expected):
    """None, "open", or what is wrong; proofs must hold."""
    if answer.code == 4 and answer.json()["verdict"] == "undecided":
        return "open"
    found = answer.json()
    if found["verdict"] not in expected:
        return answer.wrong(f"{found['verdict']}, not {expected}")
    if not str(found["proofs"]).startswith("verified"):
        return answer.wrong(f"proofs: {found['proofs']}")
    return None


def ask_equal(ask, a, b, same):
    """Is a = b seen, and decided without numbers?"""
    answer = ask("check-init", f"Real x; initial equation x = {b}; equation x = {a};",
                 "--format", "json", "--verify-proofs")
    trouble = verdict_of(answer, ["consistent"] if same else ["inconsistent"])
    if trouble is None and answer.json()["method"] != "symbolic":
        return "open"
    return trouble


def angle_sums(rng, ask):
    """The product of (q + i*p)^n has the angle sum n*atan(p/q)."""
    re, im, total, parts = 1, 0, 0.0, []
    for _ in range(rng.randint(1, 3)):
        p, q, n = rng.randint(1, 9), rng.randint(1, 9), rng.choice([-3, -2, -1, 1, 2, 3, 4])
        for _ in range(abs(n)):
            s = p if n > 0 else -p
            re, im = re*q - im*s, re*s + im*q
        total += n*math.atan2(p, q)
        parts.append(f"{n}*atan({p}/{q})")
    rest = math.pi/2 if re == 0 else math.atan(Fraction(im, re))
    turns = round((total - rest)/math.pi)
    same = rng.random() < 0.7
    angle = "acos(0)" if re == 0 else f"atan({Fraction(im, re)})"
    turns += 0 if same else rng.choice([-1, 1])
    return ask_equal(ask, " + ".join(parts), f"{angle} + {turns}*acos(-1)", same)


def sums_of_logarithms(rng, ask):
    """Powers of a + b*sqrt(d), multiplied out."""
    d = rng.choice([2, 3, 5, 6, 7])
    c, e, parts = 1, 0, []
    for _ in range(rng.randint(1, 3)):
        a, b, n = rng.randint(3, 9), rng.randint(1, 2), rng.randint(1, 3)
        for _ in range(n):
            c, e = c*a + e*b*d, c*b + e*a
        parts.append(f"{n}*log({a} + {b}*sqrt({d}))")
    same = rng.random() < 0.7
    c += 0 if same else 1
    return ask_equal(ask, " + ".join(parts), f"log({c} + {e}*sqrt({d}))", same)


def without_real_zeros(rng, ask):
    """Squares plus a number, multiplied out by the reader's own simplification or not."""
    def form():
        return " + ".join(f"{rng.choice([-2, -1, 1, 2])}*{m}" for m in
                          rng.sample(["x", "y", "x^2", "x*y", "y^2"], rng.randint(1, 3)))
    squares = [f"({form()})^2" for _ in range(rng.randint(1, 3))]
    number = rng.choice([1, 2, 3])
    has_zeros = rng.random() < 0.3
    text = (f"Real x, y; initial equation {' + '.join(squares)} "
            f"{'-' if has_zeros else '+'} {number} = 0; y = {rng.choice(['1/2', '2*x', '0'])}; "
            f"equation der(x) = y; der(y) = -x;")
    answer = ask("check-init", text, "--format", "json", "--verify-proofs")
    if not has_zeros:
        return verdict_of(answer, ["inconsistent", "mixed"])
    return None if answer.code in (0, 1, 4) else answer.wrong("no answer")


def takes_all_values(rng, ask):
    """Unbounded on both sides, or bounded on one."""
    k = rng.randint(1, 4)
    body, always = rng.choice([
        (f"x + {k}*exp(x) = c", True), (f"{k + 1}*x + sin({k}*x) = c", True),
        (f"x - {k}*exp(-x) = c", True), (f"sinh(x) + {k}*x = c", True),
        (f"x + {k}*atan(x) = c", True), (f"x^3 + {k}*x + exp(x) = c", True),
        (f"x - {k}*exp(x) = c - {20*k}", False), (f"x^2 + {k}*exp(x) = c + {5*k}", False),
        (f"exp(x) + {k}*exp(2*x) = c + {k}", False), (f"cosh(x) + {k}*x^2 = c + {k}", False)])
    answer = ask("check-init", f"parameter Real c = 1; Real x(start = 1); equation {body};",
                 "--format", "json", "--verify-proofs")
    trouble = verdict_of(answer, ["well-determined"])
    if trouble is not None:
        return trouble
    claims = answer.json()["holds"] == "for all parameter values"
    return None if claims == always else answer.wrong(f"claimed: {claims}, true: {always}")


def logic(rng, ask):
    """The same condition twice, written otherwise: the second equation is redundant."""
    a, b = rng.randint(-2, 2), rng.randint(-2, 2)
    first, second = rng.choice([
        (f"z > {a} and w < {b}", f"w < {b} and z > {a}"),
        (f"z > {a} or w <= {b}", f"not (z <= {a} and w > {b})"),
        (f"not (z > {a} and w > {b})", f"z <= {a} or {b} >= w"),
        (f"z > {a} and 1 < 2", f"{a} < z")])
    swap = rng.random() < 0.5
    then = ("5", "w + 1")
    other = f"if not ({second}) then {then[1]} else {then[0]}" if swap else \
        f"if {second} then {then[0]} else {then[1]}"
    text = (f"Real z, w, y; initial equation z = {rng.randint(-3, 3)}; w = {rng.randint(-3, 3)}; "
            f"y = {other}; equation der(z) = -z; der(w) = -w; "
            f"y = if {first} then {then[0]} else {then[1]};")
    return verdict_of(ask("check-init", text, "--format", "json", "--verify-proofs"),
                      ["consistent"])


def declared_signs(rng, ask):
    """sqrt(a^2) = a for all a that the declaration allows, and for those only."""
    low = rng.randint(0, 3)
    value = low + rng.randint(0, 3)
    is_declared = rng.random() < 0.5
    angle = Fraction(rng.randint(1, 15), 10)
    factor, root = rng.choice([("1", "1"), (f"cos({angle})^2", f"cos({angle})"),
                               ("exp(2*x)", "exp(x)"), ("4", "2")])
    attribute = f"(min = {low})" if is_declared else ""
    text = (f"parameter Real a{attribute} = {value}; Real x, z; initial equation x = 1; z = 0; "
            f"equation der(x) = x; z = sqrt((a - {low})^2*{factor}) - (a - {low})*{root};")
    answer = ask("check-init", text, "--format", "json", "--verify-proofs")
    trouble = verdict_of(answer, ["consistent"])
    if trouble is not None:
        return trouble
    claims = answer.json()["holds"] == "for all parameter values"
    return answer.wrong("claimed for all") if claims and not is_declared else None


FAMILIES = [angle_sums, sums_of_logarithms, without_real_zeros, takes_all_values, logic,
            declared_signs]
