"""Times at equal digits: what a tool needs for the digits that another one delivered,
interpolated on its own curve."""

import math

MOST = 12.0  # digits beyond these are round-off in double precision: they count as these


def front(points, group):
    """[(digits, time)] increasing in both: the best time for at least these digits in one group."""
    out = []
    least = math.inf
    for digits, time in sorted(((p["digits"][group], p["ms"]) for p in points),
                               key=lambda p: (-p[0], p[1])):
        if time < least:
            least = time
            if out and out[-1][0] == digits:
                out.pop()
            out.append((digits, time))
    return out[::-1]


def time_of_group(points, group, wanted):
    """Logarithm of the time interpolated linearly in the digits; None: no run has that many.
    Below the fewest digits: the quickest run."""
    curve = front(points, group)
    if not curve or wanted > curve[-1][0]:
        return None
    if wanted <= curve[0][0]:
        return curve[0][1]
    for (d0, t0), (d1, t1) in zip(curve, curve[1:]):
        if wanted <= d1:
            part = (wanted - d0) / (d1 - d0)
            return math.exp((1 - part) * math.log(t0) + part * math.log(t1))
    return None


def time_for(points, digits):
    """Time for these digits in every group: the slowest of the groups decides."""
    times = [time_of_group(points, g, wanted) for g, wanted in enumerate(digits)]
    return None if not times or None in times else max(times)


def ratio(own, peer):
    """Time of the peer's run over the time of the own curve at its digits; None: the peer has
    not one digit in every group, or the own curve does not reach as far."""
    if min(peer["digits"]) < 1:
        return None
    mine = time_for([{**p, "digits": [min(d, MOST) for d in p["digits"]]} for p in own],
                    [min(d, MOST) for d in peer["digits"]])
    return None if mine is None else peer["ms"] / mine


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))
