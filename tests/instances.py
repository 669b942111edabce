"""Random small instances for the property tests, and strategies that draw them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from setpref import Preferences, Universe

NAMES = ("ant", "bee", "cat", "dog", "elk", "fox")


def universe(elements: int) -> Universe:
    return Universe(NAMES[:elements])


def from_masks(
    elements: int,
    *,
    ratings: dict[int, int] | None = None,
    pairs=None,
    same=None,
    ties="ignore",
    contradictions="error",
) -> Preferences:
    """Return preferences over masks of the first few animals."""
    given = {"ratings": ratings, "over": pairs or (), "same": same or ()}
    return Preferences.of_masks(universe(elements), **given, ties=ties, contradictions=contradictions)


@st.composite
def rated(draw, max_elements: int = 4, max_scale: int = 5) -> Preferences:
    """Noise ratings: ties (which may say "no difference"), the empty set and constant columns come up often."""
    elements = draw(st.integers(1, max_elements))
    masks = draw(st.lists(st.integers(0, 2**elements - 1), min_size=2, max_size=9, unique=True))
    scale = draw(st.integers(1, max_scale))
    ties = draw(st.sampled_from(("ignore", "ignore", "indifferent")))
    return from_masks(elements, ratings={mask: draw(st.integers(1, scale)) for mask in masks}, ties=ties)


@st.composite
def stated(draw, max_elements: int = 4) -> Preferences:
    """Free statements without a cycle: pairs that follow a hidden order, which may be level here and there."""
    elements = draw(st.integers(1, max_elements))
    order = draw(st.permutations(range(2**elements)))
    level = draw(st.sampled_from((1, 1, 2, 3)))
    rank = {mask: place // level for place, mask in enumerate(order)}
    drawn = draw(
        st.lists(
            st.tuples(st.integers(0, 2**elements - 1), st.integers(0, 2**elements - 1)).filter(lambda p: p[0] != p[1]),
            min_size=1,
            max_size=7,
        )
    )
    over = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in drawn if rank[a] != rank[b]]
    return from_masks(elements, pairs=over, same=[(a, b) for a, b in drawn if rank[a] == rank[b]])


def any_preferences(max_elements: int = 4) -> st.SearchStrategy[Preferences]:
    return st.one_of(rated(max_elements), stated(max_elements))


@st.composite
def contradictory(draw, max_elements: int = 3, most: int = 8, weights: bool = True) -> Preferences:
    """Free statements without any order, some of no difference, some repeated: they often contradict each other."""
    elements = draw(st.integers(1, max_elements))
    known = universe(elements)
    masks = st.integers(0, 2**elements - 1)
    pair = st.tuples(masks, masks).filter(lambda p: p[0] != p[1])
    weight = st.sampled_from((1, 1, 1, 2, "0.5", "1.75", "1e-9")) if weights else st.just(1)
    given = draw(st.lists(st.tuples(pair, st.sampled_from(">>>~"), weight), min_size=1, max_size=most))
    rows = [
        {"better": known.write(a), "worse": known.write(b), "relation": relation, "weight": w}
        for (a, b), relation, w in given
    ]
    return Preferences.from_pairs(rows, universe=known, contradictions="keep")


def noisy(elements: int, statements: int, flipped: int, seed: int, degree: int = 2, sets: int = 14) -> Preferences:
    """Pairs of a few random sets ordered by a random utility of a degree, some turned round."""
    rng = random.Random(seed)
    terms = [1 << i for i in range(elements)]
    terms += [sum(1 << i for i in rng.sample(range(elements), degree)) for _ in range(elements)]
    values = [rng.gauss(0, 1) for _ in terms]

    def utility(mask: int) -> float:
        return sum(v for t, v in zip(terms, values, strict=True) if t & mask == t)

    pool = rng.sample(range(2**elements), sets)
    pairs: dict[tuple[int, int], None] = {}
    while len(pairs) < statements:
        a, b = sorted(rng.sample(pool, 2), key=utility, reverse=True)
        pairs[a, b] = None
    turned = set(rng.sample(range(statements), flipped))
    known = Universe(tuple(f"e{i:02}" for i in range(elements)))
    told = [(b, a) if i in turned else (a, b) for i, (a, b) in enumerate(pairs)]
    return Preferences.of_masks(known, over=told, contradictions="keep")


def modelled(elements: int, alternatives: int, scale: int, degree: int, seed: int) -> Preferences:
    """A synthetic person of a given degree, rated on a scale; larger than brute force can judge."""
    rng = random.Random(seed)
    terms = [1 << i for i in range(elements)]
    for _ in range(elements):
        terms.append(sum(1 << i for i in rng.sample(range(elements), degree)))
    values = [rng.gauss(0, 1) for _ in terms]
    masks = set()
    while len(masks) < alternatives:
        masks.add(rng.getrandbits(elements))
    utility = {m: sum(v for t, v in zip(terms, values, strict=True) if t & m == t) for m in sorted(masks)}
    low, high = min(utility.values()), max(utility.values())
    known = Universe(tuple(f"e{i:03}" for i in range(elements)))
    rated = {mask: min(scale - 1, int(scale * (u - low) / (high - low))) for mask, u in utility.items()}
    return Preferences.of_masks(known, ratings=rated)
