"""Random well-posed DAEs whose solution is known: choose the solution, build
equations around it, then hide it.

A model is put together from blocks, each with a known index and number of degrees of freedom:

  ode       x_i' = s_i'(t) + terms that vanish on the solution              index 0, dof = size
  algebraic 0 = z - s(t) + nonlinear terms that vanish on the solution      index 1, dof = 0
  chain     x_1' = x_2, ..., x_{k-1}' = c x_k + ..., 0 = x_1 - s(t)          index k, dof = 0
  circle    a pendulum on a moving angle: 0 = x^2 + y^2 - r^2               index 3, dof = 2

and, in the rich models (seeds from RICH on):

  second    x'' = s''(t) + damping, der(der(x)) in the text index 0, dof = 2, der(x)
            given by an initial equation
  hidden    der(z - s(t) + ...) = 0: an algebraic equation, differentiated   index 0, dof = 1

Blocks are coupled by terms that vanish on the solution, equations are mixed by adding multiples
of others of the same kind, shuffled, and variables renamed. All values at t = 0 are rational,
so that initial equations can be planted exactly."""

import math
import random
import re
from fractions import Fraction


RICH = 50000


class Function:
    """A function of time with its text in Modelica, its derivative, and an exact value at 0."""

    def __init__(self, text, value, derivative, at_zero):
        self.text, self.value, self._derivative, self.at_zero = (text, value, derivative,
                                                                 Fraction(at_zero))

    def derivative(self):
        return self._derivative()


def number(q):
    """Exact Modelica text of a rational."""
    q = Fraction(q)
    text = str(q.numerator) if q.denominator == 1 else f"{q.numerator}/{q.denominator}"
    return f"({text})" if q < 0 or q.denominator != 1 else text


def sine(a, w):
    a, w = Fraction(a), Fraction(w)
    return Function(f"{number(a)}*sin({number(w)}*time)", lambda t: float(a) *
                    math.sin(float(w) * t),
                    lambda: cosine(a * w, w), 0)


def cosine(a, w):
    a, w = Fraction(a), Fraction(w)
    return Function(f"{number(a)}*cos({number(w)}*time)", lambda t: float(a) *
                    math.cos(float(w) * t),
                    lambda: sine(-a * w, w), a)


def exponential(a, k):
    a, k = Fraction(a), Fraction(k)
    return Function(f"{number(a)}*exp({number(k)}*time)", lambda t: float(a) *
                    math.exp(float(k) * t),
                    lambda: exponential(a * k, k), a)


def constant(a):
    a = Fraction(a)
    return Function(number(a), lambda t: float(a), lambda: constant(0), a)


def line(a, b):
    a, b = Fraction(a), Fraction(b)
    return Function(f"({number(a)} + {number(b)}*time)", lambda t: float(a) + float(b) *
                    t, lambda: constant(b), a)


def plus(f, g):
    return Function(f"({f.text} + {g.text})", lambda t: f.value(t) + g.value(t),
                    lambda: plus(f.derivative(), g.derivative()), f.at_zero + g.at_zero)


def times(f, g):
    return Function(f"{f.text}*{g.text}", lambda t: f.value(t) * g.value(t),
                    lambda: plus(times(f.derivative(), g), times(f, g.derivative())),
                    f.at_zero * g.at_zero)


class Model:
    """Equations as texts `residual` (0 = residual), variables with their solutions."""

    def __init__(self, rng):
        self.rng = rng
        self.variables = []   # (name, Function)
        self.equations = []   # (kind, text); kind "d" differential, "a" algebraic
        self.free = []        # names whose initial values may be chosen: the degrees of freedom
        self.pinned = []      # names that are functions of time on every solution
        self.initial = []     # initial equations that take degrees of freedom
        # expressions that vanish on every solution, found by differentiation only
        self.hidden = []
        # names whose wrong values may be singular points: top, bottom or sides of a circle
        self.on_circles = []
        self.index = 0
        self.dof = 0

    def small(self):
        return Fraction(self.rng.choice([-3, -2, -1, 1, 2, 3]), self.rng.choice([1, 1, 1, 2, 3]))

    def function(self):
        r = self.rng
        kind = r.randrange(5)
        if kind == 0:
            return sine(self.small(), Fraction(r.randint(1, 4), 2))
        if kind == 1:
            return cosine(self.small(), Fraction(r.randint(1, 4), 2))
        if kind == 2:
            return exponential(self.small(), Fraction(-r.randint(1, 3), 2))
        if kind == 3:
            return line(self.small(), self.small())
        return plus(constant(self.small()), sine(self.small(), 1))

    def add(self, function):
        name = f"v{len(self.variables)}"
        self.variables.append((name, function))
        return name

    def vanishing(self, order0_only_before):
        """A term that is zero on the solution, in variables that exist already."""
        if not order0_only_before:
            return "0"
        name, f = self.rng.choice(order0_only_before)
        c = number(self.small())
        kind = self.rng.randrange(3)
        if kind == 0:
            return f"{c}*({name} - {f.text})"
        if kind == 1:
            return f"{c}*(sin({name}) - sin({f.text}))"
        return f"{c}*({name}^2 - ({f.text})^2)"

    # ---- blocks ----------------------------------------------------------------------------

    def ode(self, size):
        before = list(self.variables)
        names = [(self.add(f), f) for f in [self.function() for _ in range(size)]]
        for name, f in names:
            extra = self.vanishing(before + names) if self.rng.random() < 0.7 else "0"
            damping = number(Fraction(self.rng.randint(1, 3)))
            self.equations.append(("d",
                                   f"der({name}) - ({f.derivative().text}) + {damping}*({name} "
                                   f"- {f.text}) + {number(Fraction(1, 5))}*({extra})"))
            self.free.append(name)
        self.dof += size

    def algebraic(self, size):
        for _ in range(size):
            before = list(self.variables)
            f = self.function()
            name = self.add(f)
            extra = self.vanishing(before)
            shape = self.rng.randrange(3)
            core = f"{name} - ({f.text})"
            if shape == 1:
                core = f"({name} - ({f.text}))*(2 + sin({name}))"
            if shape == 2:
                core = f"{name}^3 + {name} - (({f.text})^3 + {f.text})"
            self.equations.append(("a", f"{core} + {extra}"))
        self.index = max(self.index, 1)

    def chain(self, k):
        """Index k: the last of k variables is found by
        differentiating the constraint k - 1 times."""
        f = self.function()
        names = []
        for _ in range(k):
            names.append((self.add(f), f))
            f = f.derivative()
        for (a, fa), (b, fb) in zip(names, names[1:]):
            extra = (self.vanishing([n for n in names if n[0] != b][:1])
                     if self.rng.random() < 0.4 else "0")
            self.equations.append(("d", f"der({a}) - {b} + {extra}"))
        shape = self.rng.randrange(2)
        first, s = names[0]
        core = (f"{first} - ({s.text})" if shape == 0
                else f"{first}^3 + {first} - (({s.text})^3 + {s.text})")
        self.equations.append(("a", core))
        self.pinned += [n for n, _ in names]
        self.index = max(self.index, k)

    def circle(self):
        """x = r cos(phi), y = r sin(phi) with phi = w t: accelerations known, multiplier chosen."""
        r = Fraction(self.rng.randint(1, 3))
        w = Fraction(self.rng.randint(1, 3), 2)
        x, y = cosine(r, w), sine(r, w)
        lam = self.function()
        names = [self.add(f) for f in (x, y, x.derivative(), y.derivative(), lam)]
        px, py, u, v, lm = names
        fx = plus(x.derivative().derivative(), times(lam, x))
        fy = plus(y.derivative().derivative(), times(lam, y))
        self.equations += [("d", f"der({px}) - {u}"), ("d", f"der({py}) - {v}"),
                           ("d", f"der({u}) + {lm}*{px} - ({fx.text})"),
                           ("d", f"der({v}) + {lm}*{py} - ({fy.text})"),
                           ("a", f"{px}^2 + {py}^2 - {number(r * r)}")]
        self.free += [py, v]
        self.on_circles += names
        self.hidden += [f"{px}*{u} + {py}*{v}", f"{px}^2 + {py}^2 - {number(r * r)}"]
        self.dof += 2
        self.index = max(self.index, 3)

    def second(self):
        f = self.function()
        name = self.add(f)
        velocity = f.derivative()
        rest = (f"{number(Fraction(self.rng.randint(1, 3)))}*(der({name}) - ({velocity.text})) "
                f"+ {name} - ({f.text})")
        self.equations.append(("d", f"der(der({name})) - ({velocity.derivative().text}) + {rest}"))
        self.free.append(name)
        self.initial.append(f"der({name}) = {number(velocity.at_zero)}")
        self.dof += 2

    def differentiated(self):
        f = self.function()
        name = self.add(f)
        states = [(n, g) for n, g in self.variables if n in self.free]
        extra = self.vanishing(states)
        core = (f"{name} - ({f.text})" if self.rng.random() < 0.5
                else f"{name}^3 + {name} - (({f.text})^3 + {f.text})")
        self.equations.append(("d", f"der({core} + {extra})"))
        self.free.append(name)
        self.dof += 1

    # ---- hiding ----------------------------------------------------------------------------

    def mix(self, times_):
        """Adds multiples of algebraic equations to others of either kind: the
        solution set stays the same."""
        algebraic = [i for i, (kind, _) in enumerate(self.equations) if kind == "a"]
        for _ in range(times_):
            if len(self.equations) < 2 or not algebraic:
                return
            j = self.rng.choice(algebraic)
            i = self.rng.randrange(len(self.equations))
            if i != j:
                kind, text = self.equations[i]
                self.equations[i] = (
                    kind, f"{text} + {number(self.small())}*({self.equations[j][1]})")

    def names(self):
        """New names, some dotted, some quoted."""
        table = {}
        for i, (name, _) in enumerate(self.variables):
            style = self.rng.randrange(4)
            table[name] = [f"x{i}", f"part{i % 3}.q{i}", f"'a.b[{i}].c'", f"long_name_{i}"][style]
        return table


def build(seed, n_max=50, plant=None):
    """A Model, its text and what is known of it.

    plant: None, "redundant" or "contradiction", put into the initial equations."""
    rng = random.Random(seed)
    model = Model(rng)
    rich = seed >= RICH
    target = rng.randint(2, n_max)
    index = rng.randint(0, 4)
    if index >= 2:
        model.chain(index)
    if index == 1:
        model.algebraic(1)
    while len(model.variables) < target:
        left = target - len(model.variables)
        if rich and rng.random() < 0.25:
            rng.choice([model.second, model.differentiated])()
            continue
        kind = rng.randrange(4)
        if kind == 0 or left == 1:
            model.ode(rng.randint(1, min(left, 4)))
        elif kind == 1 and index >= 1:
            model.algebraic(rng.randint(1, min(left, 3)))
        elif kind == 2 and index >= 2:
            model.chain(rng.randint(2, max(2, min(index, left))))
        elif kind == 3 and index >= 3 and left >= 5:
            model.circle()
        else:
            model.ode(1)
    if rng.random() < 0.5:
        model.mix(rng.randint(1, 3))
    return model, write(model, rng, plant, rich_plant if rich else plain_plant)


def plain_plant(model, rng, plant):
    """The initial equation that is too much, or None."""
    if plant is None or not model.pinned:
        return None
    solution = dict(model.variables)
    name = rng.choice(model.pinned)
    wrong = Fraction(1, 7) if plant == "contradiction" else 0
    return f"{name} = {number(solution[name].at_zero + wrong)}"


def rich_plant(model, rng, plant):
    """Likewise: a value, a combination of two values, the value of a state given twice, or an
    invariant that only differentiation finds."""
    if plant is None:
        return None
    solution = dict(model.variables)
    wrong = model.small() if plant == "contradiction" else 0
    known = model.pinned + model.free
    kind = rng.randrange(4)
    if kind == 0 and model.hidden:
        return f"{rng.choice(model.hidden)} = {number(wrong)}"
    if kind == 1 and model.pinned:
        name = rng.choice(model.pinned)
        return f"{name} = {number(solution[name].at_zero + wrong)}"
    if not known:
        return None
    a, b = rng.choice(known), rng.choice(known)
    c, d = model.small(), model.small()
    if kind == 2 and (a != b or c + d != 0):
        return (f"{number(c)}*{a} + {number(d)}*{b} = "
                f"{number(c * solution[a].at_zero + d * solution[b].at_zero + wrong)}")
    return f"{number(c)}*{a} = {number(c * solution[a].at_zero + wrong)}"


def write(model, rng, plant, planter):
    table = model.names()
    planted = planter(model, rng, plant)
    model.planted = plant if planted else None
    model.may_be_singular = any(re.search(rf"\b{name}\b", planted or "")
                                for name in model.on_circles)
    initial = model.initial + ([planted] if planted else [])
    fixed = set(model.free)
    declarations = [f"  Real {name}(start = "
                    f"{number(f.at_zero)}{', fixed = true' if name in fixed else ''});"
                    for name, f in model.variables]
    equations = [f"  0 = {text};" if rng.random() < 0.5 else f"  {text} = 0;" for _,
                 text in model.equations]
    rng.shuffle(declarations)
    rng.shuffle(equations)
    lines = ["model Random", *declarations]
    if initial:
        lines += ["initial equation", *[f"  {line};" for line in initial]]
    lines += ["equation", *equations, "end Random;"]
    text = "\n".join(lines) + "\n"
    return re.sub(r"\bv\d+\b", lambda m: table[m[0]], text), table
