"""Asks each family of random models and counts: what was answered, what stayed open, what was
wrong. An open answer is allowed for 2 of 100 models of a family (one, where there are fewer)."""

import random
import sys


def rare(n_open, count):
    return n_open <= max(1, count // 50)


def run(families, judge, noun):
    """judge(program, family, rng) gives None, "open", or what is wrong. Prints for each family how
    many models were answered, then Unity's line, and leaves with 1 if anything is wrong."""
    program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    n_wrong = 0
    for family in families:
        name = family.__name__
        verdicts = {seed: judge(program, family, random.Random(f"{name} {seed}"))
                    for seed in range(first, first + count)}
        left_open = [seed for seed, verdict in verdicts.items() if verdict == "open"]
        wrong = {s: verdict for s, verdict in verdicts.items() if verdict not in (None, "open")}
        for seed, verdict in wrong.items():
            print(f"{name} {seed}:FAIL: {verdict}")
        if not rare(len(left_open), count):
            wrong[None] = "too many are open"
            print(f"{name}:FAIL: {len(left_open)} of {count} are open: {left_open[:9]}")
        n_wrong += len(wrong)
        print(f"{name}: {count - len(left_open)} of {count} {noun}")
    print(f"{len(families)*count} Tests {n_wrong} Failures 0 Ignored")
    sys.exit(n_wrong > 0)
