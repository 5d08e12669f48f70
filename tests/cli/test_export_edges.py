"""Exported C where functions have values but no derivatives: sqrt(h) of an empty tank."""

from exported import check_same
from harness import main

MODELS = {
    "fills": "Real h(start = 0, fixed = true); equation der(h) = 1 - sqrt(h);",
    "levels": "Real h(start = 0, fixed = true); equation der(h) = 1 - sqrt(abs(h));",
    "empties": "Real h(start = 0.04, fixed = true); equation "
               "der(h) = (if time > 0.5 then 1 else 0) - (if h > 0 then 2*sqrt(h) else 0);",
    "beyond": "Real y(start = 0.1, fixed = true); equation der(y) = -sign(y)*abs(y)^(1/3);",
    "implicit": "Real p(start = 0, fixed = true), w; equation der(p) = w; "
                "w + 0.1*w^3 = asin(1 - p) - 1 + time;",
}


def test_steps_begin_at_the_edge_of_a_domain():
    """The derivatives beside it lead on, as in simulate."""
    for name, body in MODELS.items():
        last = check_same(f"model M {body} end M;", "1e-3", "1", error=1e-7)
        if name == "fills":
            assert abs(last["h"] - 0.4876) < 2e-3, last


main(globals())
