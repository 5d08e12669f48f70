"""simulate and check-init never contradict each other, and both agree with exact linear algebra.

Random initial problems whose verdict is known: the initial equations are linear in the
states (written on states, on algebraic variables, on derivatives, or behind a one-to-one
function), so that ranks over the rationals decide. Redundancies, contradictions (some of
1e-15) and gaps are planted at random."""

import csv
import io
import random
from fractions import Fraction

import harness
from harness import equal, run_text

N_MODELS = 60


def rank(rows):
    rows = [list(row) for row in rows]
    done = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(done, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        for r in range(done + 1, len(rows)):
            factor = rows[r][column] / rows[done][column]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[done])]
        done += 1
    return done


def number(q):
    return f"({q.numerator}/{q.denominator})" if q.denominator != 1 else f"({q.numerator})"


class Problem:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.n = self.rng.randint(1, 4)
        self.value = [Fraction(self.rng.randint(1, 9), self.rng.choice([1, 2, 3, 10]))
                      for _ in range(self.n)]
        self.rate = [Fraction(self.rng.randint(1, 4), 2) for _ in range(self.n)]
        self.y = [self.combination() for _ in range(2)]
        self.rows, self.texts = [], []
        for _ in range(self.rng.randint(0, self.n + 2)):
            self.add_initial()

    def combination(self):
        row = [Fraction(self.rng.randint(-3, 3)) for _ in range(self.n)]
        row[self.rng.randrange(self.n)] = Fraction(self.rng.choice([1, 2, 3]))
        return row

    def at(self, row):
        return sum((a * v for a, v in zip(row, self.value)), Fraction(0))

    def linear(self, row):
        return " + ".join(f"{number(a)}*x{i}" for i, a in enumerate(row)) or "0"

    def add_initial(self):
        kind = self.rng.randrange(4)
        wrong = self.rng.choice([0, 0, 0, 0, 0, 1, Fraction(1, 10**15)])
        if self.rows and self.rng.random() < 0.3:  # again what was said before, in other words
            row = [2 * a for a in self.rng.choice(self.rows)[:-1]]
            left = self.linear(row)
        elif kind == 0:
            i = self.rng.randrange(self.n)
            row, left = [Fraction(int(k == i)) for k in range(self.n)], f"x{i}"
        elif kind == 1:
            k = self.rng.randrange(2)
            row, left = self.y[k], f"y{k}"
        elif kind == 2:  # der(x) = -rate*x
            i = self.rng.randrange(self.n)
            row, left = [-self.rate[k] if k == i else Fraction(0)
                         for k in range(self.n)], f"der(x{i})"
        else:
            row = self.combination()
            left = self.linear(row)
        right = self.at(row) + wrong
        self.rows.append(row + [right])
        shape = self.rng.randrange(4)
        wrap = [("{}", "{}"), ("exp({})", "exp({})"), ("({})^3", "({})^3"),
                ("atan({})", "atan({})")][shape]
        self.texts.append(f"{wrap[0].format(left)} = {wrap[1].format(number(right))}")

    def model(self):
        lines = ["model M"] + [f"Real x{i}(start = 1);"
                               for i in range(self.n)] + ["Real y0; Real y1;"]
        if self.texts:
            lines += ["initial equation"] + [f"{text};" for text in self.texts]
        lines += ["equation"] + [f"der(x{i}) = -{number(self.rate[i])}*x{i};"
                                 for i in range(self.n)]
        lines += [f"y{k} = {self.linear(self.y[k])};" for k in range(2)] + ["end M;"]
        return "\n".join(lines)

    def expected(self):
        """Verdict, missing, redundant."""
        inside = rank([row[:-1] for row in self.rows])
        whole = rank(self.rows)
        missing = self.n - inside
        redundant = len(self.rows) - whole
        if whole > inside:
            return ("mixed" if missing else "inconsistent"), missing, None
        if redundant:
            return ("mixed" if missing else "consistent"), missing, redundant
        return ("under-determined" if missing else "well-determined"), missing, 0

    def check_minimal(self, conflict):
        """The initial equations of the set contradict each other, and
        no smaller set of them does."""
        rows = [self.rows[e["index"]] for e in conflict["equations"] if e["kind"] == "initial"]

        def contradicts(some):
            return bool(some) and rank(some) > rank([row[:-1] for row in some])
        assert contradicts(rows), conflict
        for i in range(len(rows)):
            assert not contradicts(rows[:i] + rows[i + 1:]), ("not minimal", conflict)


def agree(seed):
    problem = Problem(seed)
    text = problem.model()
    result = run_text("check-init", text, "--format", "json", "--verify-proofs")
    got = result.json()
    verdict, missing, redundant = problem.expected()
    equal((got["verdict"], got["missing"], got["proofs"], got["method"]),
          (verdict, missing, "verified", "symbolic"))
    equal(result.code, 0 if verdict in ("well-determined", "consistent") else 1)
    if redundant is not None:
        equal((len(got["redundant"]), len(got["conflicts"])), (redundant, 0))
    for conflict in got["conflicts"]:
        problem.check_minimal(conflict)
    ran = run_text("simulate", text, "--stop", "0.01", "--intervals", "1")
    if got["conflicts"]:
        equal(ran.code, 1)
        assert "inconsistent" in ran.err and "missing" not in ran.err, ran
        shown = run_text("check-init", text).out
        message = shown[shown.index("conflict (residual"):shown.index("\n  because")]
        assert message in ran.err, (message, ran)  # the same words
        return
    equal(ran.code, 0)
    assert ("missing" in ran.err) == (missing > 0), ran
    assert "inconsistent" not in ran.err and "not decided" not in ran.err, ran
    for name in got.get("suggested", []):
        assert name in ran.err.split(":")[-1], (name, ran)
    first = next(csv.DictReader(io.StringIO(ran.out)))
    for row in problem.rows:
        left = sum(float(a) * float(first[f"x{i}"]) for i, a in enumerate(row[:-1]))
        assert abs(left - float(row[-1])) < 1e-6 * (1 + abs(float(row[-1]))), (row, first)


def test_both_commands_agree_with_exact_ranks():
    for seed in range(N_MODELS):
        try:
            agree(seed)
        except AssertionError as trouble:
            raise AssertionError(f"seed {seed}: {trouble}\n{Problem(seed).model()}") from trouble


def test_the_models_are_of_all_kinds():
    kinds = {Problem(seed).expected()[0] for seed in range(N_MODELS)}
    equal(kinds, {"well-determined", "consistent", "inconsistent", "under-determined", "mixed"})


harness.main(globals())
