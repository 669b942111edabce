"""Theorem 1 of the paper: finding the fewest terms is as hard as Hitting Set.

Each set S of a hitting-set instance becomes the statement "S over the empty set"; a theta of k terms fits iff
k elements hit every set. Checked on small instances by trying all of both.
"""

import random
from itertools import combinations

from setpref import Preferences
from setpref.solving import bruteforce


def smallest_hitting_set(elements: int, sets: list[int]) -> int:
    """Return the size of a smallest set of elements that meets every set."""
    return next(
        k
        for k in range(1, elements + 1)
        if any(all(sum(1 << i for i in chosen) & s for s in sets) for chosen in combinations(range(elements), k))
    )


def main() -> None:
    rng = random.Random(1)
    for _ in range(25):
        elements = rng.randint(2, 4)
        sets = sorted({rng.randrange(1, 2**elements) for _ in range(rng.randint(1, 6))})
        names = [f"x{i + 1}" for i in range(elements)]
        written = ["+".join(names[i] for i in range(elements) if s >> i & 1) for s in sets]
        prefs = Preferences.from_pairs([(s, "{}") for s in written], universe=names)
        hitting = smallest_hitting_set(elements, sets)
        assert {len(theta) for theta in bruteforce.simplest(prefs, "card")} == {hitting}
        assert {sum(t.bit_count() for t in theta) for theta in bruteforce.simplest(prefs, "ws")} == {hitting}
    print("on 25 instances the fewest terms are as many as a smallest hitting set, by number and by total size")


if __name__ == "__main__":
    main()
