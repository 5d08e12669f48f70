"""Random models with planted truth for claims that are not degrees of freedom: roots of higher
multiplicity, existence for all parameters, written start values, edges of domains, removable
singularities, poles, inactive branches, combined logarithms, exact numbers, ranges, invariants.
An answer may be open (exit 4, rarely); none may be wrong.

    claims.py PROGRAM FIRST_SEED COUNT"""

import csv
import io
import json
import math
import subprocess

import cases
import exactness
import limits
import parameters
import solvable
import start_limits
import tally


class Answer:
    def __init__(self, program, command, text, options):
        done = subprocess.run([program, command, *options, "-"],
                              input=f"model A {text} end A;\n", capture_output=True,
                              text=True, timeout=300)
        self.code, self.out, self.err, self.text = done.returncode, done.stdout, done.stderr, text

    def json(self):
        return json.loads(self.out)

    def column(self, name):
        rows = list(csv.reader(io.StringIO(self.out)))
        return [float(row[rows[0].index(name)]) for row in rows[1:]]

    def wrong(self, why):
        return f"{why}: {self.text} (exit {self.code}, {self.err.strip()[:200]})"


def near(a, b, tolerance=1e-5):
    return abs(a - b) <= tolerance*(1 + abs(b))


def values_at_start(answer, truth):
    if answer.code == 4:
        return "open"
    if answer.code != 0:
        return answer.wrong("no start")
    for name, value in truth.items():
        if not near(answer.column(name)[0], value):
            return answer.wrong(f"{name} = {answer.column(name)[0]}, not {value}")
    return None


# ---- families: each asks the program and judges ----------------------------------------------


def multiple_root(rng, ask):
    """f^k = 0 determines what f = 0 does."""
    a, k = rng.randint(-4, 4), rng.randint(2, 5)
    f, root = rng.choice([
        (f"(x - {a})", a), (f"(2*x + {a})", -a/2), (f"(exp(x) - {a*a + 1})", math.log(a*a + 1)),
        (f"(x - {a})*(x^2 + {rng.randint(1, 5)})", a), (f"(x^3 - {a**3})", a)])
    factor = rng.choice(["", f"*(x^2 + {rng.randint(1, 3)})", "*(2 + sin(y))"])
    text = (f"Real x(start = {root + rng.choice([-1, 1])/7}), y(start = 1, fixed = true); "
            f"equation ({f})^{k}{factor} = 0; der(y) = x - y;")
    found = ask("analyze", text, "--format", "json")
    if found.code == 4:
        return "open"
    if found.code != 0 or found.json()["dof"] != 1:
        return found.wrong("not one degree of freedom")
    return values_at_start(ask("simulate", text, "--stop", "1", "--intervals", "1"),
                           {"x": root, "y": 1})


def existence(rng, ask):
    """A claim for all parameters is false where some value leaves no real solution."""
    a, b = rng.randint(1, 4), rng.randint(1, 4)
    text, always = rng.choice([
        (f"x^2 + {a}*c = {a + b*b}", False), (f"exp(x) = {a}*c", False),
        (f"sin(x) = c/{a + 2}", False), (f"cosh(x) = {a} + c", False),
        (f"x*exp(x) = {a}*c", False), ("sqrt(x) = c", False), (f"x^4 + x^2 = {a}*c", False),
        (f"log(x^2 + 1) = c/{b}", False),
        (f"x^3 + {a}*x = {b}*c", True), (f"x^2 + c*x = c^2 + {a}", True),
        (f"x^2 = c^2 + {a}", True), (f"x = {a}*c^2 - {b}", True),
        (f"(c^2 + {a})*x = {b}", True), (f"{a}*x = exp(c)", True)])
    answer = ask("check-init", f"parameter Real c = 1; Real x(start = 1); equation {text};",
                 "--format", "json")
    if answer.code == 4:
        return "open"
    if answer.code != 0:
        return answer.wrong("not well-determined")
    claims = answer.json()["holds"] == "for all parameter values"
    return answer.wrong("claimed for all parameter values") if claims and not always else None


def written_start(rng, ask):
    """Start values that were written go before zeros that were not."""
    c, v, n = rng.randint(1, 9)/4, rng.randint(1, 8)/2, rng.randint(1, 9)
    flows = f"der(n) = -0.1*n; der(V) = {rng.randint(1, 5)}/100;"
    given = rng.choice([("c", "V"), ("c", "n"), ("n", "V")])
    start = {"c": c, "V": v, "n": n}
    truth = ({"c": n/v, "n": n, "V": v} if given == ("n", "V") else {"c": c, "V": v, "n": c*v}
             if "V" in given else {"c": c, "n": n, "V": n/c})
    names = ", ".join(f"{name}(start = {start[name]})" if name in given else name
                      for name in ("c", "n", "V"))
    relation = rng.choice(["c = n/V", "c*V = n", "n = V*c"])
    return values_at_start(ask("simulate", f"Real {names}; equation {relation}; {flows}",
                               "--intervals", "1"), truth)


def edge_of_domain(rng, ask):
    """x' = a + b*sqrt(x) from 0: 2/b*(sqrt(x) - a/b*log(1 + b/a*sqrt(x))) = t."""
    a, b = rng.randint(1, 5)/2, rng.randint(1, 5)/2
    answer = ask("simulate", f"Real x(start = 0, fixed = true); equation der(x) "
                 f"= {a} + {b}*sqrt(x);", "--stop", "2", "--intervals", "4", "--tol", "1e-8")
    if answer.code != 0:
        return answer.wrong("no solution from the edge")
    for time, x in zip(answer.column("time")[1:], answer.column("x")[1:]):
        if not near(2/b*(math.sqrt(x) - a/b*math.log(1 + b/a*math.sqrt(x))), time, 1e-5):
            return answer.wrong(f"x = {x} at {time}")
    return None


def removable(rng, ask):
    a, k = rng.randint(1, 9)/10, rng.randint(1, 3)
    f, value = rng.choice([(f"(time - {a})*cos({k}*time)", lambda t: math.cos(k*t)),
                           (f"sin({k}*(time - {a}))",
                            lambda t: k if t == a else math.sin(k*(t - a))/(t - a)),
                           (f"(time - {a})*({k} + time^2)", lambda t: k + t*t)])
    start = rng.choice([0, a])
    answer = ask("simulate", f"Real z; equation (time - {a})*z = {f};", "--start", str(start),
                 "--stop", "2", "--intervals", str(rng.randint(3, 20)))
    if answer.code == 5:
        return "open"
    if answer.code != 0:
        return answer.wrong("no solution")
    for time, z in zip(answer.column("time"), answer.column("z")):
        if not near(z, value(time), 1e-4):
            return answer.wrong(f"z = {z} at {time}, not {value(time)}")
    return None


def pole(rng, ask):
    """A pole ends the run where it is; a hole that closes does not."""
    a = rng.randint(31, 171)/100
    f, at = rng.choice([(f"1/(time - {a})", a), (f"2 + 3/({a} - time)^2", a),
                        (f"tan(time*{math.pi/2/a:.12f})", a), (f"log({a} - time)", a),
                        (f"sqrt({a} - time)", a), (f"1/(x - {math.exp(-a):.15f})", a),
                        (f"sin(time - {a})/(time - {a})", None),
                        (f"(time^2 - {round(100*a)**2}/10000)/(time - {round(100*a)}/100)",
                         None), (f"1/(time + {a})", None),
                        (f"if time < 9 then {a} else 1/(time - {a})", None),
                        (f"1/(1 + (time - {a})^2)", None)])
    answer = ask("simulate",
                 f"Real x(start = 1, fixed = true), y; equation der(x) = -x; y = {f};",
                 "--stop", "2", "--intervals", str(rng.randint(2, 9)),
                 "--tol", rng.choice(["1e-4", "1e-7"]))
    if at is None:
        return None if answer.code == 0 else answer.wrong("there is no pole")
    if answer.code != 5:
        return answer.wrong("the pole was passed over")
    told = float(answer.err.split("t = ")[1].split(":")[0])
    return None if abs(told - at) < 2e-3 else answer.wrong(f"the pole is at {at}")


def inactive(rng, ask):
    """What is inactive does not count."""
    a = rng.randint(1, 5)
    text, truth = rng.choice([
        (f"Real x(start = 0, fixed = true), w; equation der(x) = 1; "
         f"w = if x < {a} then 2 else 1/x;", {"w": 2}),
        (f"Real x(start = 1, fixed = true), w; equation der(x) = 0; "
         f"w = if x > 0 then {a} else log(x - 1);", {"w": a}),
        (f"parameter Real p = {a}; Real x(start = 1, fixed = true), w; equation der(x) = 0; "
         f"w = if p > 0 then x else sqrt(-p);", {"w": 1}),
        (f"Real x; equation 0 = sign({a}*x + 1);", {"x": -1/a})])
    answer = ask("check-init", text, "--format", "json")
    if answer.code == 4:
        return "open"
    if answer.code != 0:
        return answer.wrong("the initialization is good")
    return values_at_start(ask("simulate", text, "--intervals", "1"),
                           truth) if "sign" not in text else None


def logarithms(rng, ask):
    a, b = rng.randint(2, 6), rng.randint(2, 6)
    good = rng.random() < 0.5
    product = a*b if good else a*b + rng.randint(1, 3)
    left, right = rng.choice(
        [("log(x) + log(y)", f"log({a*b})"), ("log(x)", f"log({a*b}) - log(y)"),
         ("2*log(x) + 2*log(y)", f"2*log({a*b})"),
         ("log(x*y)", f"log({a}) + log({b})"), ("log10(x) + log10(y)", f"log10({a*b})")])
    answer = ask("check-init", f"Real x(start = {a}), y(start = {b}); "
                 f"equation {left} = {right}; x*y = {product};", "--format", "json")
    if answer.code == 4:
        return "open"
    found = len(answer.json()["conflicts"])
    return None if (found == 0) == good else answer.wrong(f"{found} conflicts")


def exact_numbers(rng, ask):
    """Initial equations that agree, or differ by little, decided without rounding."""
    n = rng.choice([3, 4, 5, 6, 8, 10, 12])
    k = rng.randint(1, 9)
    closed = {3: "1/2", 4: "sqrt(2)/2", 5: "(1 + sqrt(5))/4", 6: "sqrt(3)/2",
              8: "sqrt(2 + sqrt(2))/2", 10: "sqrt(10 + 2*sqrt(5))/4",
              12: "(sqrt(6) + sqrt(2))/4"}[n]
    truth, text = rng.choice([(f"{k}*cos(pi/{n})", f"{k}*{closed}"), (
        f"sqrt({k + 1}) + sqrt({k + 2})", f"sqrt({2*k + 3} + 2*sqrt({(k + 1)*(k + 2)}))"),
                              (f"exp({k}*log({n}))", f"{n**k}"), (f"mod({7*k}/10, 1/10)", "0"),
                              (f"(1 + sqrt({n}))^2", f"{1 + n} + 2*sqrt({n})")])
    good = rng.random() < 0.5
    shift = "" if good else rng.choice(["+ 1e-12", "- 1e-20", "+ 1e-30"])
    answer = ask("check-init", f"constant Real pi = acos(-1); Real x; "
                 f"initial equation x = {truth}; x = {text} {shift}; equation der(x) = -x;",
                 "--format", "json")
    if answer.code == 4:
        return "open"
    verdict = answer.json()["verdict"]
    return (None if verdict == ("consistent" if good else "inconsistent")
            else answer.wrong(f"{verdict}, but good = {good}"))


def ranges(rng, ask):
    """Leaving min or max is told once, with the right time; staying inside is not told."""
    a, limit = rng.randint(1, 5), rng.randint(1, 9)/10
    leaves = rng.random() < 0.5
    low = limit if leaves else -limit
    events = rng.choice(["", "Real w = if time > 0.77 then 1 else 2;"])
    answer = ask("simulate", f"Real x(start = 1, fixed = true, min = {low}), y(max = 9, "
                 f"min = -9); {events} equation der(x) = -{a}*x; y = sin({a}*time);",
                 "--stop", "3", "--intervals", "2")
    told = [line for line in answer.err.splitlines() if "variable 'x' is below its min" in line]
    if (answer.code != 0 or answer.err.count("variable '") != int(leaves)
        or len(told) != int(leaves)):
        return answer.wrong("warned wrongly")
    at = float(told[0].split("t = ")[1].split(" ")[0]) if told else 0
    return None if not leaves or near(at, -math.log(limit)/a, 1e-3) else answer.wrong("wrong time")


def invariants(rng, ask):
    """x'' = -w^2 x keeps v^2 + w^2 x^2 and nothing near it."""
    w = rng.randint(1, 4)
    good = rng.random() < 0.5
    text, kept = rng.choice([(f"v^2 + {w*w}*x^2", True), (f"({w*w}*x^2 + v^2)^2", True),
                             (f"v^2 + {w*w + rng.choice([-1, 1])}*x^2", False), ("x*v", False),
                             (f"x*cos({w}*time) - v*sin({w}*time)/{w}", True),
                             (f"x*cos({w}*time) + v*sin({w}*time)/{w}", False)])
    start = (f"x(start = {rng.randint(1, 3)}, fixed = true), "
             f"v(start = {rng.randint(0, 2) if good else 1}, fixed = true)")
    answer = ask("simulate", f"Real {start}; equation der(x) = v; der(v) = -{w*w}*x;",
                 "--stop", "5", "--invariant", text)
    return None if answer.code == (0 if kept else 2) else answer.wrong(f"{text} is kept: {kept}")


def squares(rng, ask):
    """x^2 = q(a, b) has a solution for all a, b where q is a sum of squares, and not where q is
    negative somewhere. The claim is wanted in the first case, and false in the second."""
    forms = [(rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(2)]
    least = rng.randint(0, 3)
    always = rng.random() < 0.5
    q = " + ".join(f"(({p})*a + ({q})*b + ({r}))^2" for p, q, r in forms) + f" + {least}"
    a, b = rng.randint(-2, 2), rng.randint(-2, 2)
    there = sum((p*a + q*b + r)**2 for p, q, r in forms) + least
    below = rng.randint(1, 3)
    touches = there == least and below == 1  # q >= -1, and q = -1 at one place
    q = q if always else f"{q} - {there + below}"
    value = eval(q.replace("^", "**"), {"a": 4, "b": -3})  # the given values
    if value <= 0:
        return None
    left = rng.choice(["x^2", "x^2 + c*x", "x^4 + x^2", "exp(x) - 1"])
    needs_more = left == "exp(x) - 1"
    text = f"parameter Real a = 4, b = -3, c = 1; Real x(start = 1); equation {left} = {q};"
    answer = ask("check-init", text, "--format", "json")
    if answer.code != 0:
        return "open" if answer.code == 4 else answer.wrong("not well-determined")
    claims = answer.json()["holds"] == "for all parameter values"
    if needs_more and touches and answer.json().get("assumptions"):
        return None  # exp(x) = q + 1 for all a, b but those with q + 1 = 0, which is named
    if claims != always and not (needs_more and not claims):
        return answer.wrong(f"claimed: {claims}, true: {always}")
    return None


def domains(rng, ask):
    """A function that leaves its domain for some parameter values."""
    k = rng.randint(1, 4)
    f, always = rng.choice([
        ("log(c)", False), (f"log(c^2 + {k})", True), (f"sqrt(c + {k})", False),
        ("sqrt(c^2)", True), (f"asin(c/{k})", False), ("asin(sin(c))", True),
        (f"acos({k}*c/({k} + c^2)/{k + 1})", True), (f"1/(c^2 + {k})", True),
        (f"log({k}*c^2 - 2*c + {k + 1})", True), (f"log(c^2 - {k + 3}*c + {2*k + 5})", None)])
    if always is None:
        always = (k + 3)**2 - 4*(2*k + 5) < 0
        f = f if 1 - (k + 3) + 2*k + 5 > 0 else "c"
    answer = ask("check-init", f"parameter Real c = 1; Real x; equation x = {f};",
                 "--format", "json")
    if answer.code != 0:
        return answer.wrong("not well-determined")
    claims = answer.json()["holds"] == "for all parameter values"
    return None if claims == always else answer.wrong(f"claimed: {claims}, true: {always}")


FAMILIES = [multiple_root, existence, squares, domains, written_start, edge_of_domain, removable,
            pole, inactive, logarithms, exact_numbers, ranges, invariants, *cases.FAMILIES,
            *exactness.FAMILIES, *limits.FAMILIES,
            *parameters.FAMILIES, *solvable.FAMILIES, *start_limits.FAMILIES]


def judge(program, family, rng):
    return family(rng, lambda command, text, *options: Answer(program, command, text, options))


tally.run(FAMILIES, judge, "answered")
