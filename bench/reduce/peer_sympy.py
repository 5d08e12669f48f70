"""The hidden constraints of the chain of N masses with SymPy, by hand: differentiate each rod
twice, put in the accelerations, expand. What daetool's reduce does for this model after it has
found out that this is what to do."""

import sys
import time

import sympy as sp


def chain(n):
    m, g, L = sp.symbols("m g L")
    x, y, u, v, lam = (sp.symbols(f"{name}1:{n + 1}") for name in "xyuvl")
    rods = [(x[i] - x[i - 1], y[i] - y[i - 1]) if i else (x[0], y[0]) for i in range(n)]
    au, av = [], []
    for i in range(n):
        fx, fy = -rods[i][0] * lam[i], -rods[i][1] * lam[i] - m * g
        if i + 1 < n:
            fx, fy = fx + rods[i + 1][0] * lam[i + 1], fy + rods[i + 1][1] * lam[i + 1]
        au.append(fx / m)
        av.append(fy / m)
    terms = 0
    for i in range(n):
        near = range(max(i - 1, 0), i + 1)

        def total(e):
            return sum(sp.diff(e, x[k]) * u[k] + sp.diff(e, y[k]) * v[k] +
                       sp.diff(e, u[k]) * au[k] +
                       sp.diff(e, v[k]) * av[k] for k in near)

        h0 = rods[i][0] ** 2 + rods[i][1] ** 2 - L ** 2
        h1 = sp.expand(total(h0))
        h2 = sp.expand(sp.fraction(sp.cancel(total(h1)))[0])
        terms += sum(len(sp.Add.make_args(sp.expand(h))) for h in (h0, h1, h2))
    return terms


print(f"{'SymPy ' + sp.__version__:<24} {'terms out':>9} {'seconds':>9}")
for size in map(int, sys.argv[1:]):
    begin = time.process_time()
    count = chain(size)
    print(f"chain {size:<18} {count:>9} {time.process_time() - begin:>9.3f}", flush=True)
