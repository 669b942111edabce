"""Synthetic people for the benchmarks: made here, by seed, never read from elsewhere."""

import random

from setpref import Preferences, Universe


def person(elements: int, alternatives: int, degree: int, seed: int, scale: int = 12, interactions: int = 60):
    """Return the ratings of a person whose utility has interactions up to a degree, on a scale of equal tiers."""
    rng = random.Random(seed)
    terms = [1 << i for i in range(elements)]
    for size in range(2, degree + 1):
        terms += [sum(1 << i for i in rng.sample(range(elements), size)) for _ in range(interactions)]
    values = [rng.gauss(0, 1) for _ in terms]
    masks: set[int] = set()
    while len(masks) < alternatives:
        masks.add(rng.getrandbits(elements))
    utility = {m: sum(v for t, v in zip(terms, values, strict=True) if t & m == t) for m in sorted(masks)}
    ranked = sorted(utility, key=lambda mask: utility[mask])
    universe = Universe(tuple(f"e{i:03}" for i in range(elements)))
    rated = [(universe.elements(mask), place * scale // len(ranked)) for place, mask in enumerate(ranked)]
    return Preferences.from_ratings(rated, universe=universe)


def tangle(elements: int, alternatives: int, seed: int):
    """Return ratings of degree 3: many sets rated additively, and one parity of three elements among them.

    All eight subsets of the first three elements in one context, rated by their parity, cannot be explained by pairs.
    """
    plain = person(elements, alternatives - 8, 1, seed)
    rng = random.Random(seed)
    context = rng.getrandbits(elements) >> 3 << 3
    ratings = {mask: int(rating) for mask, rating in plain.ratings.items()}
    ratings |= {context | low: 4 + 4 * (low.bit_count() % 2) for low in range(8)}
    write = plain.universe.write
    return Preferences.from_ratings({write(m): r for m, r in ratings.items()}, universe=plain.universe)
