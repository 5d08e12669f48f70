"""Interpolation in tables by the formulas of the papers, for the tests of tables."""

import math


def slopes(x, y, kind):
    """At the points: Akima (2), Fritsch and Butland (4), Steffen (5), modified Akima (6)."""
    m = [(y[i + 1] - y[i])/(x[i + 1] - x[i]) for i in range(len(x) - 1)]
    if len(x) == 2:
        return m*2
    first = 2*m[0] - m[1]
    last = 2*m[-1] - m[-2]
    more = [2*first - m[0], first] + m + [last, 2*last - m[-1]]
    result = []
    for i in range(len(x)):
        a, b, c, d = more[i:i + 4]
        if kind in (2, 6):
            right, left = abs(d - c), abs(b - a)
            if kind == 6:
                right, left = right + abs(d + c)/2, left + abs(b + a)/2
            total = right + left
            result.append((right*b + left*c)/total if total > 0 else (b + c)/2)
        elif i in (0, len(x) - 1):
            result.append(c if i == 0 else b)
        else:
            h, k = x[i] - x[i - 1], x[i + 1] - x[i]
            if kind == 4:
                result.append(0 if b*c <= 0 else 3*(h + k)/((2*k + h)/b + (k + 2*h)/c))
            else:
                least = min(abs(b), abs(c), abs((b*k + c*h)/(h + k))/2)
                result.append((math.copysign(1, b) + math.copysign(1, c))*least)
    return result


def hermite(x, y, d, k, u):
    """The cubic between points k and k + 1 with the slopes d there."""
    h, t = x[k + 1] - x[k], (u - x[k])/(x[k + 1] - x[k])
    return ((1 + 2*t)*(1 - t)**2*y[k] + t*(1 - t)**2*h*d[k] + t*t*(3 - 2*t)*y[k + 1] +
            t*t*(t - 1)*h*d[k + 1])


def interpolated(x, y, kind, extrapolation, u):
    if extrapolation == 3:
        u = x[0] + (u - x[0]) % (x[-1] - x[0])
    d = slopes(x, y, kind)  # periodic tables too: as the Modelica Standard Library
    for end, other in ((0, 1), (-1, -2)):
        if (u - x[end])*(x[end] - x[other]) >= 0:
            chord = (y[end] - y[other])/(x[end] - x[other])
            slope = chord if kind in (1, 3) else d[end]
            return y[end] + (slope*(u - x[end]) if extrapolation == 2 else 0)
    k = max(i for i in range(len(x) - 1) if x[i] <= u)
    if kind in (1, 3):
        return y[k] + ((u - x[k])/(x[k + 1] - x[k])*(y[k + 1] - y[k]) if kind == 1 else 0)
    return hermite(x, y, d, k, u)
