#!/usr/bin/env python3
"""Prints src/solver/tableau_data.c: the Radau IIa tables with 3, 5 and 7 stages, from 60 digits.

W = A^-1 = T D T^-1 with D = diag(gamma, [a -b; b a], ...); the last row of T is (1, 1, 0, 1, 0,
...). e are the weights of the embedded error formula [HairerWanner96, IV.8]: the right-hand
side of the estimate is f(x0) + sum_i e_i Z_i / h, with gamma0 = 1/gamma as weight of f(x0).
"""
from mpmath import mp, mpf, matrix, lu_solve, inverse, polyroots, eig, taylor, legendre

mp.dps = 60


def nodes(s):
    # roots of P_s(2x-1) - P_{s-1}(2x-1), the right Radau points
    coefficients = taylor(lambda x: legendre(s, 2 * x - 1) - legendre(s - 1, 2 * x - 1), 0, s)
    roots = polyroots(list(reversed(coefficients)), maxsteps=500, extraprec=400)
    return sorted(mp.re(r) for r in roots)


def collocation(c):
    s = len(c)
    v = matrix(s, s)
    r = matrix(s, s)
    for k in range(s):
        for j in range(s):
            v[k, j] = c[j] ** k
            r[k, j] = c[j] ** (k + 1) / (k + 1)
    a = matrix(s, s)
    for i in range(s):
        row = lu_solve(v, matrix([r[k, i] for k in range(s)]))
        for j in range(s):
            a[i, j] = row[j]
    return a, v


def table(s):
    c = nodes(s)
    a, v = collocation(c)
    w = inverse(a)
    values, vectors = eig(w)
    order = sorted(range(s), key=lambda i: (abs(mp.im(values[i])), -mp.im(values[i])))
    real = [i for i in order if abs(mp.im(values[i])) < mpf(10) ** -40]
    upper = [i for i in order if mp.im(values[i]) > mpf(10) ** -40]
    assert len(real) == 1 and len(upper) == (s - 1) // 2
    t = matrix(s, s)
    for i in range(s):
        t[i, 0] = mp.re(vectors[i, real[0]] / vectors[s - 1, real[0]])
    alpha, beta = [], []
    for k, index in enumerate(upper):
        scale = vectors[s - 1, index]
        for i in range(s):
            z = vectors[i, index] / scale
            t[i, 1 + 2 * k] = mp.re(z)
            t[i, 2 + 2 * k] = mp.im(z)
        alpha.append(mp.re(values[index]))
        beta.append(-mp.im(values[index]))
    ti = inverse(t)
    gamma = mp.re(values[real[0]])
    difference = lu_solve(v, matrix([-1 / gamma] + [0] * (s - 1)))
    e = [gamma * sum(difference[i] * w[i, j] for i in range(s)) for j in range(s)]
    return c, a, w, t, ti, gamma, alpha, beta, e


def lagrange(c):
    """l_i = theta prod_(j != i) (theta - c_j) * lead_i; rows of poly are its
    coefficients of theta^1 ... theta^s."""
    s = len(c)
    lead, poly = [], matrix(s, s)
    for i in range(s):
        product = c[i]
        coefficients = [mpf(1)]
        for j in range(s):
            if j != i:
                product *= c[i] - c[j]
                coefficients = [a - c[j] * b for a,
                                b in zip([0] + coefficients, coefficients + [0])]
        lead.append(1 / product)
        for k in range(s):
            poly[i, k] = coefficients[k] / product
    return lead, poly


def number(x):
    return mp.nstr(x, 25, strip_zeros=False, min_fixed=0, max_fixed=0)


def vector(name, values):
    print(f"  .{name} = {{" + ", ".join(number(x) for x in values) + "},")


def square(name, m, s):
    print(f"  .{name} = {{")
    for i in range(s):
        print("    {" + ", ".join(number(m[i, j]) for j in range(s)) + "},")
    print("  },")


print("/* Radau IIa with 3, 5 and 7 stages. Written by scripts/radau_tables.py; "
      "tests/solver/test_tableau.c proves it. */")
print('#include "solver/tableau.h"')
print("\n/* clang-format off */")
print("const DaeTableau dae_solver_tableaus[DAE_TABLEAUS] = {")
for s in (3, 5, 7):
    c, a, w, t, ti, gamma, alpha, beta, e = table(s)
    print(f"{{ .s = {s}, .n_pairs = {(s - 1) // 2},")
    print(f"  .gamma = {number(gamma)},")
    vector("alpha", alpha)
    vector("beta", beta)
    vector("c", c)
    vector("e", e)
    lead, poly = lagrange(c)
    vector("lead", lead)
    square("poly", poly, s)
    square("a", a, s)
    square("w", w, s)
    square("t", t, s)
    square("ti", ti, s)
    print("},")
print("};")
print("/* clang-format on */")
