"""A family of claims.py about "for all parameter values": what is claimed of one pair of values is
asked for again at others. Two equations in two unknowns, most of them without a solution for some
values; an answer at numbers is found without a claim about other numbers."""

VALUES = [0, 0, 0, 1, -1, 0.5, -0.5, 2, -2, 3, -10, 10, 0.01, 7.3]


def polynomial(rng):
    summands = []
    for _ in range(rng.randint(2, 4)):
        i = rng.randint(0, 3)
        j = rng.randint(0, 3 - i)
        factors = [str(rng.choice([1, -1, 2, -3])), f"x^{i}", f"y^{j}"]
        summands.append("*".join(factors + ([rng.choice("ab")] if rng.random() < 0.3 else [])))
    return " + ".join(f"({s})" for s in summands)


def equations(rng):
    first = [
        (f"{polynomial(rng)} = {rng.choice('ab')}", f"{polynomial(rng)} = {rng.choice(['b', '1'])}"),
        (f"x + y = {rng.choice(['a', 'a + b', 'a*b'])}",
         f"x*y = {rng.choice(['b', '-b^2', '-b^2 - 1', 'a^2/4', 'a^2/8', '-exp(b)'])}"),
        (f"x^2 + y^2 = {rng.choice(['a^2', 'a^2 + b^2', 'a^2 + 1', 'a', 'exp(a)'])}",
         rng.choice(["y = b*x", "x - y = b", "x*y = b", "x + y = a", "a*y = b*x", "y = b*x^2"])),
        (f"x^3 + {rng.choice(['a', 'a^2', '1'])}*x + y = b",
         rng.choice(["y = x", "y^3 = x", "y = sin(x)", "y = x^2", "y + exp(y) = x"])),
        (f"{rng.choice(['exp(x)', 'x^2', 'cosh(x)', 'abs(x)', 'sqrt(x)', 'x^(-2)', '2^x'])} = "
         f"{rng.choice(['a', 'a^2', 'a^2 + 1', 'exp(b)', 'y', 'b^2 + y^2', 'y^2'])}",
         f"y = {rng.choice(['a', 'b^2', 'a*b', 'exp(a)', 'a^2 + b^2', 'sin(b)'])}"),
        (f"{rng.choice(['sin(x)', 'cos(x)', 'tanh(x)', 'atan(x)', 'x/(1 + x^2)'])} = "
         f"{rng.choice(['sin(b)', 'cos(a)/2', 'a/(1 + a^2)', 'tanh(b)', 'a', '1/(1 + a^2)', 'y'])}",
         f"y = {rng.choice(['sin(a)', 'b', 'a/(1 + b^2)', 'cos(b)/3'])}"),
        (f"x^2 - {rng.choice(['a', '2*a', 'a*b'])}*x + "
         f"({rng.choice(['b', '-b^2', 'a^2/4', '-1', 'a^2/5', '-1 - b^2'])}) = 0",
         f"y = {rng.choice(['1/x', 'x', 'log(x^2 + 1)', 'log(x^2)', 'x + b'])}")]
    return rng.choice(first)


def is_good(answer):
    return answer.code == 0 and answer.json()["verdict"] in ("well-determined", "consistent")


def for_all_parameters(rng, ask):
    a, b = rng.choice([1, 2, 0.5, -1, 3]), rng.choice([1, 2, -2, 0.25])
    law = "; ".join(equations(rng))
    text = (f"parameter Real a = {a}; parameter Real b = {b}; Real x(start = {rng.choice([1, -1])}), "
            f"y(start = {rng.choice([1, 0.5, -1])}); equation {law};")
    answer = ask("check-init", text, "--format", "json", "--verify-proofs")
    if not is_good(answer) or answer.json()["holds"] != "for all parameter values":
        return None
    assumed = answer.json().get("assumptions", [])
    for _ in range(6):
        a, b = rng.choice(VALUES), rng.choice(VALUES)
        if any(abs(eval(t.replace("^", "**"), vars(__import__("math")), {"a": a, "b": b})) < 1e-12
               for t in assumed):
            continue
        other = ask("check-init", text, "--set", f"a={a}", "--set", f"b={b}", "--format", "json")
        if other.code == 1:
            return answer.wrong(f"claimed for all parameter values, not so at a = {a}, b = {b}")
    return None


FAMILIES = [for_all_parameters]
