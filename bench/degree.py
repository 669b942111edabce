"""The minimum degree: growth against elements, alternatives and degree; routes and rows compared in the same run."""

import time

from bench.instances import person, tangle
from bench.table import show
from setpref import Preferences
from setpref.proofs.certificates import check_impossible, check_model
from setpref.rows import Rows, pair
from setpref.solving.degree import minimum_degree
from setpref.solving.fitting import UpTo, fit

COLUMNS = (
    "elements", "rated", "stated pairs", "rows", "degree", "route at the degree", "seconds", "check s", "digits",
)  # fmt: skip


def measured(prefs: Preferences, route: str = "auto") -> list[object]:
    prefs.rows  # noqa: B018 (prepared outside the clock)
    start = time.perf_counter()
    found = minimum_degree(prefs, route)
    solved = time.perf_counter()
    check_model(found.model, prefs)
    if found.impossible:
        check_impossible(prefs, found.impossible, found.degree - 1)
    checked = time.perf_counter()
    digits = len(str(max((m for *_, m in found.impossible), default=0)))
    return [
        len(prefs.universe), len(prefs.alternatives), prefs.pair_count, len(prefs.rows.rows), found.degree,
        found.routes[-1], solved - start, checked - solved, digits,
    ]  # fmt: skip


def main() -> None:
    show(
        "Minimum degree against the number of elements (400 rated sets)",
        COLUMNS,
        [measured(person(n, 400, 2, seed=1)) for n in (10, 20, 40, 70, 100)],
    )
    show(
        "Minimum degree against the number of rated sets (100 elements)",
        COLUMNS,
        [measured(person(100, m, 2, seed=1)) for m in (50, 100, 200, 400, 800)],
    )
    show(
        "Minimum degree against the degree (400 rated sets; over 100 elements degree 3 comes from a parity of three)",
        COLUMNS,
        [
            *(measured(person(14, 400, d, seed=1)) for d in (1, 2, 3, 4)),
            measured(tangle(100, 400, seed=1)),
        ],
    )
    show(
        "The two routes on the same data",
        ("elements", "rated", "explicit s", "kernel s"),
        [
            [n, 400, measured(prefs, "explicit")[6], measured(prefs, "kernel")[6]]
            for n, prefs in ((n, person(n, 400, 2, seed=1)) for n in (10, 20, 40))
        ],
    )
    show(
        "Boundaries between tiers against pairs of adjacent tiers (one fitting test of degree 2, 20 elements)",
        ("rated", "rows", "pairs", "boundaries s", "pairs s", "ratio"),
        [_rows_against_pairs(m) for m in (50, 100, 200)],
    )


def _rows_against_pairs(rated: int) -> list[object]:
    prefs = person(20, rated, 2, seed=1)
    node = {mask: i for i, mask in enumerate(prefs.alternatives)}
    pairs = Rows(prefs.alternatives, tuple(pair(node[a], node[b]) for a, b in prefs.pairs))
    seconds = []
    for rows in (prefs.rows, pairs):
        start = time.perf_counter()
        fit(rows, UpTo(2), prefs.universe)
        seconds.append(time.perf_counter() - start)
    return [rated, len(prefs.rows.rows), len(pairs.rows), *seconds, f"{seconds[1] / seconds[0]:.1f}"]
