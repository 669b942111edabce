"""Contradictions among many statements: acyclic ones, one long cycle, many short ones."""

import random
import time

from bench.table import show
from setpref import Contradiction, Preferences


def main() -> None:
    show(
        "Checking statements over 20 elements for contradictions",
        ("statements", "kind", "seconds", "cycle"),
        [_measured(count, kind) for count in (1_000, 10_000, 100_000) for kind in ("acyclic", "one cycle", "noise")],
    )


def _measured(count: int, kind: str) -> list[object]:
    rng = random.Random(1)
    names = [f"e{i:02}" for i in range(20)]
    sets = [frozenset(rng.sample(names, rng.randint(0, 12))) for _ in range(count)]
    order = list(dict.fromkeys(sets))
    if kind == "acyclic":
        places = (sorted(rng.sample(range(len(order)), 2)) for _ in range(count))
        pairs = [(order[i], order[j]) for i, j in places]
    elif kind == "one cycle":
        pairs = list(zip(order, [*order[1:], order[0]], strict=True))
    else:
        pairs = [tuple(rng.sample(order, 2)) for _ in range(count)]
    start = time.perf_counter()
    try:
        Preferences.from_pairs(pairs)
        cycle = "none"
    except Contradiction as error:
        cycle = f"{len(error.cycle)}{' (shortest)' if error.shortest else ''}"
    return [count, kind, time.perf_counter() - start, cycle]
