"""Fewer clauses that prove the same: what a result remembers of its search, less what its proof can spare.

A proof needs clauses whose cheapest covers are the simplest thetas and no others. They are found by searching for
covers from no clause at all: whenever a choice covers every clause taken and yet is no theta, the shortest clause it
misses is taken too. All of this is made anew from plain data, so that a result need not keep its search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from setpref.data.preferences import Preferences
from setpref.engine.clauses import Compared, Words, clause_words
from setpref.engine.covers import NO_LIMIT, CoverSearch, clause_of
from setpref.engine.levels import extent_matrix, prices
from setpref.engine.simplest import candidates
from setpref.families import Clause, Simplest
from setpref.progress import Enough, Step, endings
from setpref.rows import spread

__all__ = ["needed_clauses"]

NODES = 200_000
WORK = 5 * 10**9  # clauses times alternatives times classes
BLOCK = 1 << 22


def needed_clauses(preferences: Preferences, found: Simplest, degree: int) -> Sequence[Clause] | None:
    """Return the clauses of a result that prove it complete, or all where choosing among them would take too long.

    Parameters
    ----------
    degree
        The degree its terms are limited to, if its simplicity limits it.
    """
    if not found.spare or not found.clauses:
        return found.clauses
    compared = Compared.of(preferences)
    classes = candidates(compared, len(preferences.universe), found.simplicity, degree)
    if len(found.clauses) * len(compared.alternatives) * len(classes) > WORK:
        return found.clauses
    extents = extent_matrix(classes, len(compared.alternatives))
    search = CoverSearch(*(cost.tolist() for cost in prices(classes, found.simplicity)), progress=_within)
    try:
        numbers = _needed(search, _words(found.clauses, compared.alternatives, extents), _budgets(found))
    except endings():  # the answer is proven; only its proof stays longer than needed
        return found.clauses
    return tuple(found.clauses[number] for number in numbers)


def _budgets(found: Simplest) -> list[tuple[int, int]]:
    """Return limits on both counts, which the simplest thetas reach, and before them limits that none is within."""
    if len(found.simplicity.counts) == 1:
        return [(found.lower_bound, NO_LIMIT)]
    second = found.shared(found.simplicity.counts[1])
    assert second is not None
    below = [(found.lower_bound - 1, NO_LIMIT)] if found.lower_bound > 1 else []
    return [*below, (found.lower_bound, second)]


def _needed(search: CoverSearch, clauses: Words, budgets: Sequence[tuple[int, int]]) -> list[int]:
    """Return the numbers of clauses that no choice within the budgets covers unless it covers all."""
    order = np.argsort(np.bitwise_count(clauses).sum(axis=1), kind="stable")
    shortest = clauses[order]
    taken: list[int] = []

    def ask(literals: list[int], _: Words) -> list[Words] | None:
        missed = ~(shortest & clause_of(literals, len(search.cost))).any(axis=1)
        if not missed.any():
            return None
        taken.append(int(missed.argmax()))
        return [shortest[taken[-1]]]

    for first, second in budgets:
        depth = first // int(search.cost.min())
        if not search.fits_memory(depth):
            raise Enough
        search.search(first, depth, ask, second)
    _within(Step("", nodes=search.nodes))
    return sorted(order[taken].tolist())


def _within(step: Step) -> None:
    """Stop a search that takes too many nodes: the same ones on every machine."""
    if step.nodes > NODES:
        raise Enough


def _words(clauses: Sequence[Clause], alternatives: Sequence[int], extents: npt.NDArray[np.int8]) -> Words:
    """Return clauses as the bitsets of their literals, two per class."""
    place = {mask: i for i, mask in enumerate(alternatives)}
    rows = max(1, BLOCK // max(extents.shape))
    blocks = []
    for start in range(0, len(clauses), rows):
        block = clauses[start : start + rows]
        # Floating point is exact where no sum, of either sign, can reach 2^53, and many times faster.
        nets = [spread(clause) for clause in block]
        small = max(sum(map(abs, net.values())) for net in nets) < 2**52
        weights = np.zeros((len(block), len(alternatives)), dtype=np.float64 if small else object)
        for row, net in zip(weights, nets, strict=True):
            for mask, weight in net.items():
                row[place[mask]] = weight
        blocks.append(clause_words(weights @ extents.T.astype(weights.dtype)))
    return np.concatenate(blocks)
