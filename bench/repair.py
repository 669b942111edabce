"""Repair and diagnosis: growth against statements, flips and the degree; smallest groups among many statements."""

import random
import time

from bench.table import show
from setpref import Preferences, Universe, minimal_groups, repair, tradeoff

LIMIT = 10.0


def noisy(elements: int, statements: int, flipped: int, sets: int, seed: int = 1) -> Preferences:
    """Return statements between a few random sets, ordered by a random utility of degree 2, some turned round."""
    rng = random.Random(seed)
    terms = [1 << i for i in range(elements)]
    terms += [sum(1 << i for i in rng.sample(range(elements), 2)) for _ in range(elements)]
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


def main() -> None:
    show(
        f"Cheapest repairs (8 elements; stopped after {LIMIT:g} s)",
        ("statements", "sets", "flipped", "degree", "given up", "repairs", "groups", "nodes", "seconds", "check s"),
        [
            _repaired(*size, degree)
            for size in ((40, 14, 5), (40, 30, 5), (100, 25, 10), (200, 40, 20), (400, 60, 40))
            for degree in (8, 2, 1)
        ],
    )
    show(
        "All minimal groups, the smallest first (at most 1,000, at most 5 s)",
        ("statements", "sets", "flipped", "degree", "groups", "complete", "seconds"),
        [_grouped(*size, degree) for size in ((40, 14, 5), (40, 20, 5), (100, 25, 10)) for degree in (8, 2, 1)],
    )
    show(
        "The trade-off (at most 10 s a point): (size, given up) of every point, * where not proven",
        ("statements", "sets", "flipped", "by", "points", "seconds"),
        [_traded(*size, by) for size in ((40, 14, 5), (60, 20, 8)) for by in ("degree", "terms")],
    )
    show(
        "100,000 statements that contradict each other, over 20 elements",
        ("sets", "turned", "groups", "smallest", "seconds", "given up", "repair s"),
        [_many(*kind) for kind in ((100_000, 0.5), (4_000, 0.5), (2_000, 0.02))],
    )


def _repaired(statements: int, sets: int, flipped: int, degree: int) -> list[object]:
    prefs = noisy(8, statements, flipped, sets)
    start = time.perf_counter()
    found = repair(prefs, degree, time_limit=LIMIT)
    solved = time.perf_counter()
    given_up = str(found.cost) if found.proven else f"{found.lower_bound} to {found.cost}"
    checked = "-"
    if found.proven:
        start_check = time.perf_counter()
        found.check()
        checked = f"{time.perf_counter() - start_check:.3f}"
    counts = f"{len(found.repairs)}{'' if found.complete else '+'}", len(found.groups), found.statistics["nodes"]
    return [statements, sets, flipped, degree, given_up, *counts, solved - start, checked]


def _grouped(statements: int, sets: int, flipped: int, degree: int) -> list[object]:
    prefs = noisy(8, statements, flipped, sets)
    start = time.perf_counter()
    found = minimal_groups(prefs, degree, time_limit=5)
    seconds = time.perf_counter() - start
    complete = "yes" if found.complete else f"up to {found.smallest} statements"
    return [statements, sets, flipped, degree, len(found.groups), complete, seconds]


def _traded(statements: int, sets: int, flipped: int, by: str) -> list[object]:
    prefs = noisy(8, statements, flipped, sets)
    found = tradeoff(prefs, by, time_limit=10)
    points = " ".join(f"({p.size}, {p.cost}){'' if p.proven else '*'}" for p in found.points)
    return [statements, sets, flipped, by, points, found.seconds]


def _many(count: int, turned: float) -> list[object]:
    rng = random.Random(1)
    names = [f"e{i:02}" for i in range(20)]
    sets = list(dict.fromkeys(frozenset(rng.sample(names, rng.randint(0, 12))) for _ in range(count)))
    pairs = []
    for _ in range(100_000):
        i, j = sorted(rng.sample(range(len(sets)), 2))
        pairs.append((sets[j], sets[i]) if rng.random() < turned else (sets[i], sets[j]))
    prefs = Preferences.from_pairs(pairs, contradictions="keep")
    start = time.perf_counter()
    found = minimal_groups(prefs, time_limit=5)
    listed = time.perf_counter()
    repaired = repair(prefs)
    bounds = f"{repaired.lower_bound} to {repaired.cost}"
    smallest = len(found.groups[0].items)
    return [
        len(sets), f"{turned:.0%}", len(found.groups), smallest, listed - start, bounds, time.perf_counter() - listed,
    ]  # fmt: skip
