"""Clauses: what every fitting theta must contain, each proven by whole-number multipliers.

For integers m >= 0 on what is stated let g be the weighted sum of the rows. Every fitting v has g . v > 0, so some
class has a value with the sign of its g: one literal of the clause must be chosen. Rounding the multipliers can only
weaken a clause, never make it wrong. Equations add nothing to g . v and may be taken any whole number of times, weak
rows take nothing from it, as long as some strict row is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.data.preferences import Preferences
from setpref.engine.hitting import pack, unpack
from setpref.engine.quick import NEAR_ZERO, Trials
from setpref.families import Sums
from setpref.rows import Kind, Row, ends, pair
from setpref.solving.integers import Integers
from setpref.solving.systems import System

__all__ = ["ClauseMaker", "Compared", "Found", "Multipliers", "Refuted", "Words", "clause_words"]

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]
Multipliers = tuple[tuple[int, int], ...]  # (number of a row, multiplier)

_EVEN = np.uint64(0x5555555555555555)
_ONE = np.uint64(1)
HUGE = np.iinfo(np.int32).max


PAIRS_LIMIT = 20_000


@dataclass(frozen=True)
class Compared:
    """What is stated, over places of alternatives.

    Attributes
    ----------
    rows : tuple of Row
        Those that imply all others: strict ones first, then weak ones, then equations.
    implied : tuple of Row
        Every strict row known: pairs first, those of `rows` among them. Multipliers number them, then the other rows.
    """

    alternatives: tuple[int, ...]
    rows: tuple[Row, ...]
    implied: tuple[Row, ...]

    @classmethod
    def of(cls, preferences: Preferences) -> Compared:
        """Return the comparisons of preferences; with very many implied pairs, only the rows."""
        masks = preferences.alternatives
        place = {mask: i for i, mask in enumerate(masks)}
        rows = tuple(row.moved(place) for row in preferences.defining_rows)
        pairs = [pair(place[a], place[b]) for a, b in preferences.implied_pairs(PAIRS_LIMIT)]
        sums = [row for row in rows if row.kind is Kind.STRICT and not row.plain] if not preferences.of_pairs else []
        return cls(masks, rows, (*pairs, *sums))

    @cached_property
    def numbers(self) -> list[int]:
        """The number of every row in multipliers."""
        known = {row.combination: i for i, row in enumerate(self.implied)}
        strict = [known[row.combination] for row in self.rows if row.kind is Kind.STRICT]
        return [*strict, *range(len(known), len(known) + len(self.rows) - len(strict))]

    @cached_property
    def numbered(self) -> dict[int, Row]:
        """The row of every number."""
        return {**dict(enumerate(self.implied)), **dict(zip(self.numbers, self.rows, strict=True))}

    def weighted(self, sums: Sequence[Multipliers]) -> Sums:
        """Return sums of rows as clauses over the alternatives, all weights positive."""
        return Sums(self.alternatives, self.numbered, sums)

    def matrix(self, rows: Sequence[Row]) -> Integers:
        """Return the coefficient of every alternative in every row, a column each."""
        found = np.zeros((len(self.alternatives), len(rows)), dtype=np.int64)
        for number, row in enumerate(rows):
            for place, c in row.combination:
                found[place, number] = c
        return found


@dataclass(frozen=True)
class Found:
    """The signed theta fits, with these whole-number values."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Refuted:
    """The signed theta does not fit: it hits no literal of this clause."""

    words: Words
    multipliers: Multipliers


def clause_words(combination: npt.NDArray[np.integer]) -> Words:
    """Return the bitset of literals {class+ : g > 0} and {class- : g < 0} of combinations g."""
    literals = np.stack([combination > 0, combination < 0], axis=-1)
    flags = literals.reshape(*combination.shape[:-1], 2 * combination.shape[-1])
    return pack(flags, -(-flags.shape[-1] // 64))


def _opposite(words: Words) -> Words:
    """Swap every literal with its opposite."""
    return ((words & _EVEN) << _ONE) | ((words >> _ONE) & _EVEN)


def _sizes(words: Words) -> npt.NDArray[np.int64]:
    """Count the literals of each clause."""
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))


def _sum_sizes(words: Words, swapped: Words, block: slice) -> npt.NDArray[np.int32]:
    """Return the sizes of the sums of a block of pairs with every later pair of its first."""
    size = np.zeros((len(words[block]), len(words) - block.start - 1), dtype=np.int32)
    cancels = np.zeros(size.shape, dtype=bool)
    for w in range(words.shape[1]):
        # One word at a time: contiguous rows are several times faster than a short last axis.
        mine, others = words[block, w, None], words[None, block.start + 1 :, w]
        their_opposite = swapped[None, block.start + 1 :, w]
        cancels |= (mine & their_opposite) != 0
        size += np.bitwise_count((mine & ~their_opposite) | (others & ~swapped[block, w, None]))
    # A sum without cancellation contains both of its pairs: useless.
    size[~cancels] = HUGE
    return size


def _seeds(pair_words: Words, sums: int, pair_limit: int = 1500) -> tuple[Words, list[Multipliers]]:
    """Return clauses that need no solver: every pair, and the smallest sums of two pairs.

    Parameters
    ----------
    pair_words
        One clause per implied pair.
    sums
        How many sums to keep.
    pair_limit
        Only the sums of this many smallest pairs are tried; bounds time and memory.
    """
    used = np.argsort(_sizes(pair_words), kind="stable")[:pair_limit]
    words = pair_words[used]
    swapped = _opposite(words)
    kept: list[tuple[npt.NDArray[Any], ...]] = []
    waiting = 0
    threshold = HUGE
    block = max(1, 40_000 // len(words))
    for start in range(0, len(words), block):
        size = _sum_sizes(words, swapped, slice(start, start + block))
        i, j = np.nonzero(size < threshold)
        upper = j >= i
        i, j = i[upper], j[upper]
        kept.append((size[i, j], i + start, j + start + 1))
        waiting += len(i)
        if waiting > 8 * sums or start + block >= len(words):
            size, i, j = (np.concatenate(parts) for parts in zip(*kept, strict=True))
            best = np.argsort(size, kind="stable")[:sums]
            kept = [(size[best], i[best], j[best])]
            waiting = len(best)
            if waiting == sums:
                threshold = size[best[-1]]
    _, first, second = kept[0]
    total = (words[first] & ~swapped[second]) | (words[second] & ~swapped[first])
    clauses = np.concatenate([pair_words, total])
    makers: list[Multipliers] = [((i, 1),) for i in range(len(pair_words))]
    makers += [((a, 1), (b, 1)) for a, b in zip(used[first].tolist(), used[second].tolist(), strict=True)]
    _, unique = np.unique(np.ascontiguousarray(clauses).view(f"V{clauses.shape[1] * 8}").ravel(), return_index=True)
    order = unique[np.argsort(_sizes(clauses[unique]), kind="stable")]
    return np.ascontiguousarray(clauses[order]), [makers[i] for i in order]


class ClauseMaker:
    """Asks about signed thetas and turns every refusal into a small exact clause.

    Parameters
    ----------
    compared
        The comparisons to fit.
    extents
        Matrix [class, alternative] of 0 and 1.
    tests
        How many literals to try to remove from a new clause.
    """

    def __init__(self, compared: Compared, extents: npt.NDArray[np.int8], tests: int) -> None:
        self.compared = compared
        self.extents = extents.astype(np.int64)
        matrix = (self.extents @ compared.matrix(compared.rows)).T
        self.trials = Trials(System(matrix, tuple(row.kind for row in compared.rows)))
        self.tests = tests

    def seeds(self, sums: int) -> tuple[Words, list[Multipliers]]:
        """Return the clauses that need no solver."""
        implied = self.compared.implied
        pairs = [two for two in (ends(row.combination) for row in implied) if two is not None]
        small = self.extents.astype(np.int8)
        sides = small[:, [a for a, _ in pairs]] - small[:, [b for _, b in pairs]]
        others = self.extents @ self.compared.matrix(implied[len(pairs) :])
        words = clause_words(others.T)
        makers: list[Multipliers] = [((i, 1),) for i in range(len(pairs), len(implied))]
        if not pairs:
            return words, makers
        # Signs of a sum are read off the signs of two pairs; of other combinations they cannot be.
        found, made = _seeds(clause_words(sides.T), sums)
        return np.concatenate([found, words]), [*made, *makers]

    def ask(self, literals: Sequence[int], available: Words) -> Found | Refuted:
        """Decide whether a signed theta fits, exactly.

        Parameters
        ----------
        literals
            The chosen literals.
        available
            Literals that a clause should avoid where it can.
        """
        classes = [literal >> 1 for literal in literals]
        signs = [1 - 2 * (literal & 1) for literal in literals]
        fits, x = self.trials.propose(classes, signs)
        if fits:
            values = self.trials.exact_values(classes, signs, x)
            if values is not None:
                return Found(tuple(values))
        else:
            free = unpack(available, 2 * len(self.extents))
            exact = self.trials.exact_multipliers(*self._strengthen(classes, signs, x, free[::2], free[1::2]))
            if exact is not None:
                return self._clause(exact)
        fits, numbers = self.trials.settle(classes, signs)
        if fits:
            return Found(tuple(numbers))
        return self._clause({row: m for row, m in enumerate(numbers) if m})

    def _clause(self, multipliers: dict[int, int]) -> Refuted:
        """Build the clause of whole-number multipliers on rows, in exact arithmetic."""
        used = [(self.compared.rows[row].combination, value) for row, value in multipliers.items()]
        big = sum(abs(value * c) for said, value in used for _, c in said) >= 2**62
        weights = np.zeros(len(self.compared.alternatives), dtype=object if big else np.int64)
        for said, value in used:
            for place, c in said:
                weights[place] += c * value
        makers = sorted((self.compared.numbers[row], value) for row, value in multipliers.items())
        return Refuted(clause_words(self.extents @ weights), tuple(makers))

    def _strengthen(
        self,
        classes: list[int],
        signs: list[int],
        x: Floats,
        plus: Flags,
        minus: Flags,
    ) -> tuple[list[int], list[int], Floats]:
        # Add a literal of the clause to the theta: if the theta still does not fit, the new
        # multipliers give a clause without it.
        best = self._available_literals(x, plus, minus)
        tried: set[tuple[int, int]] = set()
        while len(tried) < self.tests and len(best) > 1:
            literal = next((b for b in best if b not in tried), None)
            if literal is None:
                break
            tried.add(literal)
            more = [*classes, literal[0]], [*signs, literal[1]]
            fits, y = self.trials.propose(*more)
            if not fits:
                smaller = self._available_literals(y, plus, minus)
                if len(smaller) < len(best):
                    best, x = smaller, y
                    classes, signs = more
        return classes, signs, x

    def _available_literals(self, x: Floats, plus: Flags, minus: Flags) -> list[tuple[int, int]]:
        g = self.trials.combine(x)
        near = 10 * NEAR_ZERO * np.abs(x).max()
        up = ((g > near) & plus).nonzero()[0].tolist()
        down = ((g < -near) & minus).nonzero()[0].tolist()
        return [(j, 1) for j in up] + [(j, -1) for j in down]
