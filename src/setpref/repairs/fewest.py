"""The fewest terms of a model that satisfies all but a few items, in the engine of repairs and of simplest models.

Literals are the signed classes of interchangeable terms and one per item that may be given up. For whole-number
multipliers m >= 0 on what is stated let g be the weighted sum of the differences: a model that satisfies all of it has
a class with the sign of its g, so a class is chosen with that sign or one of the items used is given up. The first
number of classes for which all clauses can be met is the answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setpref.data.items import Items
from setpref.data.preferences import Preferences
from setpref.engine.classes import classes_of_every_size, components
from setpref.engine.covers import Clause, CoverSearch
from setpref.engine.hitting import pack, unpack
from setpref.engine.simplest import find_simplest
from setpref.model import Model
from setpref.progress import Enough, Progress, endings
from setpref.rows import Kind, Row, pair
from setpref.simplicity import CARD
from setpref.solving.fitting import combined
from setpref.solving.integers import Integers
from setpref.solving.oracle import Fits, decide
from setpref.solving.systems import System

__all__ = ["FewestTerms", "fewest_terms"]

Flags = npt.NDArray[np.bool_]

SUMS, SUMS_OF = 1500, 300
TESTS = 6
START_SECONDS = 2.0


@dataclass(frozen=True)
class FewestTerms:
    """A model with few terms for all but some items, and how few there can be.

    Attributes
    ----------
    dropped : tuple of int
        The items given up.
    lower_bound : int
        No model that gives up as many has fewer terms.
    """

    model: Model
    dropped: tuple[int, ...]
    lower_bound: int

    @property
    def proven(self) -> bool:
        """Whether no model has fewer terms."""
        return len(self.model.values) == self.lower_bound


def fewest_terms(
    preferences: Preferences,
    most: int,
    lower_bound: int = 0,
    starts: Sequence[Sequence[int]] = (),
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> FewestTerms:
    """Find a model with the fewest terms that satisfies all but at most so many items.

    Parameters
    ----------
    lower_bound
        A number of terms that is known to be needed.
    starts
        Items that can be given up to begin with; at least one choice of them.
    time_limit
        Seconds after which the best model known is returned.
    """
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    items = Items(preferences)
    best: tuple[Model, tuple[int, ...]] | None = None
    for dropped in starts:
        seconds = START_SECONDS if time_limit is None else min(START_SECONDS, time_limit / 4)
        found = find_simplest(items.without(dropped), CARD, time_limit=seconds, progress=progress)
        model = found.families[0].model if found.families else None
        if model is not None and (best is None or len(model.values) < len(best[0].values)):
            best = model, tuple(dropped)
    search = _Search(items, most, progress, deadline)
    level = lower_bound
    with suppress(*endings()):
        while best is None or level < len(best[0].values):
            solution = search.level(level)
            if solution is not None:
                best = solution
                break
            level += 1
    if best is None:
        best = _all_terms(items, starts[0])
    return FewestTerms(*best, level)


def _all_terms(items: Items, dropped: Sequence[int]) -> tuple[Model, tuple[int, ...]]:
    """Return some model at all, when the time was too short for a good one."""
    from setpref.solving.degree import minimum_degree

    model = minimum_degree(items.without(dropped)).model
    whole = model if isinstance(model, Model) else model.expand()
    return Model(whole.universe, {term: value for term, value in whole.values.items() if value}), tuple(dropped)


class _Found(Exception):
    """A model of the level: classes with values, and what is given up; internal."""

    def __init__(self, values: dict[int, int], dropped: tuple[int, ...]) -> None:
        super().__init__()
        self.values, self.dropped = values, dropped


class _Search:
    """The clauses over classes and items, and the search of one number of terms after the other."""

    def __init__(self, items: Items, most: int, progress: Progress | None, deadline: float | None) -> None:
        self.items, self.most = items, most
        masks = items.preferences.alternatives
        place = {mask: i for i, mask in enumerate(masks)}
        stated = _stated(items)
        parts = components(len(masks), [row.moved(place) for row, _ in stated])
        self.classes = classes_of_every_size(len(items.preferences.universe), masks, parts)
        extents = np.array([[c.extent >> i & 1 for c in self.classes] for i in range(len(masks))], dtype=np.int64)
        held = extents.reshape(len(masks), len(self.classes))
        matrix = combined([row.moved(place) for row, _ in stated], held)
        self.system = System(matrix, tuple(row.kind for row, _ in stated))
        self.uses: Flags = np.zeros((len(stated), len(items)), dtype=bool)
        for number, (_, used) in enumerate(stated):
            self.uses[number, list(used)] = True
        self.dear = most + 1
        both = [self.dear] * (2 * len(self.classes)) + [1] * (2 * len(items))
        second_price = [0] * (2 * len(self.classes)) + [1] * (2 * len(items))
        self.search = CoverSearch(both, second_price, progress=progress, deadline=deadline)
        self._seed()

    def level(self, terms: int) -> tuple[Model, tuple[int, ...]] | None:
        """Return a model with so many terms and what it gives up; None if there is none."""
        depth = terms + self.most
        if not self.search.fits_memory(depth):
            raise Enough
        self.search.doing, self.search.level = f"{terms} terms, {self.most} given up", terms
        try:
            self.search.search(self.dear * terms + self.most, depth, self._ask, self.most)
        except _Found as found:
            values = {}
            for number, value in found.values.items():
                term, sign = self.classes[number].smallest[0]
                values[term] = sign * value
            return Model(self.items.preferences.universe, values), found.dropped
        return None

    # -- clauses -----------------------------------------------------------------------------------------------

    def _clauses(self, combinations: Integers, uses: Flags) -> npt.NDArray[np.uint64]:
        """Return the bitsets of clauses: weighted sums of rows, and the items that state them."""
        signs = np.stack([combinations > 0, combinations < 0], axis=-1).reshape(len(uses), 2 * len(self.classes))
        drops = np.stack([uses, np.zeros_like(uses)], axis=-1).reshape(len(uses), 2 * len(self.items))
        flags = np.concatenate([signs, drops], axis=1)
        return np.asarray(pack(flags, -(-flags.shape[1] // 64)))

    def _seed(self) -> None:
        """Learn the clause of every strict pair, and of the smallest sums of two pairs."""
        strict = self.system.places(Kind.STRICT)
        rows, uses = self.system.matrix[strict], self.uses[strict]
        if not len(rows):
            return
        small = np.argsort(np.abs(rows).sum(axis=1), kind="stable")[:SUMS_OF]
        i, j = np.triu_indices(len(small), 1)
        sizes = np.concatenate(
            [(rows[small[a]] + rows[small[a + 1 :]] != 0).sum(axis=1) for a in range(len(small) - 1)] or [np.zeros(0)]
        )
        kept = np.argsort(sizes, kind="stable")[:SUMS]
        first, second = small[i[kept]], small[j[kept]]
        self.search.add(list(self._clauses(rows, uses)))
        self.search.add(list(self._clauses(rows[first] + rows[second], uses[first] | uses[second])))

    def _ask(self, literals: list[int], available: Clause) -> Sequence[Clause]:
        width = 2 * len(self.classes)
        dropped = tuple(sorted((x - width) >> 1 for x in literals if x >= width))
        chosen = {x >> 1: 1 - 2 * (x & 1) for x in literals if x < width}
        kept = np.flatnonzero(~self.uses[:, list(dropped)].any(axis=1))
        clause = self._decide(chosen, kept)
        if isinstance(clause, dict):
            raise _Found(clause, dropped)
        free = unpack(available, len(self.search.cost))
        best = clause
        for literal in np.flatnonzero(_open(clause, free)[:width]).tolist()[:TESTS]:
            # If the theta does not fit with a literal of the clause either, there is a clause without it.
            other = self._decide({**chosen, literal >> 1: 1 - 2 * (literal & 1)}, kept)
            if not isinstance(other, dict) and _size(other, free) < _size(best, free):
                best = other
        return [best]

    def _decide(self, chosen: dict[int, int], kept: npt.NDArray[np.intp]) -> dict[int, int] | Clause:
        """Return values of the chosen classes with their signs that satisfy the rows kept, or a clause they miss."""
        numbers = sorted(chosen)
        signs = [chosen[j] for j in numbers]
        asked = self.system.rows(kept.tolist())
        # Beside equations a size may have to be 0.
        kind = Kind.WEAK if Kind.EQUAL in asked.kinds else Kind.STRICT
        outcome = decide(asked.columns(numbers, signs).adding(np.eye(len(numbers), dtype=np.int64), kind))
        if isinstance(outcome, Fits):
            return {j: int(v * s) for j, v, s in zip(numbers, outcome.values, signs, strict=True) if v}
        used = [(row, m) for row, m in zip(kept.tolist(), outcome.multipliers, strict=False) if m]
        rows = [row for row, _ in used]
        total = (np.array([m for _, m in used], dtype=object) @ self.system.matrix[rows].astype(object))[None]
        return np.asarray(self._clauses(total, np.any(self.uses[rows], axis=0, keepdims=True))[0])


def _open(clause: Clause, free: Flags) -> Flags:
    return np.asarray(unpack(clause, len(free)) & free)


def _size(clause: Clause, free: Flags) -> int:
    return int(_open(clause, free).sum())


def _stated(items: Items) -> list[tuple[Row, tuple[int, ...]]]:
    """Return what is stated, each with the items that state it, the strict pairs first."""
    told: list[tuple[Row, tuple[int, ...]]] = []
    if items.preferences.ratings is None:
        kinds = {True: Kind.EQUAL, False: Kind.STRICT}
        told = [(pair(item.sets[0], item.sets[1], kinds[item.same]), (i,)) for i, item in enumerate(items)]
    else:
        every = frozenset(range(len(items)))
        for i, one in enumerate(items):
            for other in items.all[i + 1 :]:
                for a, b in ((one.sets[0], other.sets[0]), (other.sets[0], one.sets[0])):
                    over, used = items.states(a, b, every)
                    if over or (used and a == one.sets[0]):
                        told.append((pair(a, b, Kind.STRICT if over else Kind.EQUAL), used))
    return sorted(told, key=lambda said: said[0].kind is Kind.EQUAL)
