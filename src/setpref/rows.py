"""The rows of computing: what is said, in whole numbers, with boundaries between tiers instead of products of pairs.

A statement is a whole-number combination of alternatives whose coefficients add up to zero (a pair is +1 and -1), said
to be positive, at least zero, or zero. Here such combinations run over places: alternatives by number, and boundaries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

__all__ = ["Combination", "Kind", "Pair", "Row", "Rows", "Weighted", "ends", "pair", "spread"]

Pair = tuple[int, int]
Combination = tuple[tuple[int, int], ...]  # (alternative or place, coefficient)
Weighted = tuple[int, int, int] | tuple[Combination, int]  # a pair (above, below) or a combination, with a multiplier


class Kind(StrEnum):
    """What is said of a combination: it is above zero, at least zero, or zero."""

    STRICT = ">"
    WEAK = ">="
    EQUAL = "="


@dataclass(frozen=True, slots=True)
class Row:
    """A combination and what is said of it."""

    combination: Combination
    kind: Kind = Kind.STRICT

    @property
    def plain(self) -> bool:
        """Whether it says that one is better than another, or that two are the same: a pair, and not a weak one."""
        return self.kind is not Kind.WEAK and ends(self.combination) is not None

    def over(self, term: int) -> int:
        """Return what a term says of a combination of sets: the coefficients of those that hold it, added up."""
        net = 0
        for mask, coefficient in self.combination:
            if term & mask == term:
                net += coefficient
        return net

    def moved(self, place: Mapping[int, int]) -> Row:
        """Return the row over other numbers for the same parts."""
        return Row(tuple((place[part], coefficient) for part, coefficient in self.combination), self.kind)


def pair(first: int, second: int, kind: Kind = Kind.STRICT) -> Row:
    """Return the row that sets one part against another.

    Examples
    --------
    >>> pair(3, 5).combination, ends(pair(3, 5).combination)
    (((3, 1), (5, -1)), (3, 5))
    """
    return Row(((first, 1), (second, -1)), kind)


def ends(combination: Combination) -> Pair | None:
    """Return the two parts of a pair, the one that counts first; None for any other combination."""
    if len(combination) != 2:
        return None
    (one, more), (other, less) = combination
    if more == 1 and less == -1:
        return one, other
    return (other, one) if more == -1 and less == 1 else None


def spread(multipliers: Sequence[Weighted]) -> dict[int, int]:
    """Return how often every alternative is taken in weighted pairs and combinations together; zeros left out.

    Examples
    --------
    >>> spread([(1, 2, 3), (((1, -2), (4, 2)), 1)])
    {1: 1, 2: -3, 4: 2}
    """
    net: dict[int, int] = defaultdict(int)
    for weighted in multipliers:
        if len(weighted) == 3:
            better, worse, weight = weighted
            net[better] += weight
            net[worse] -= weight
        else:
            combination, weight = weighted
            for mask, coefficient in combination:
                net[mask] += coefficient * weight
    return {mask: weight for mask, weight in net.items() if weight}


@dataclass(frozen=True)
class Rows:
    """What is said, as rows over places.

    Places ``0..len(alternatives)-1`` are alternatives; those above are boundaries between adjacent tiers, each with a
    free value of its own. A boundary replaces a product of pairs by a sum.
    """

    alternatives: tuple[int, ...]
    rows: tuple[Row, ...]
    boundaries: int = 0

    @classmethod
    def of_tiers(cls, tiers: Sequence[Sequence[int]]) -> Rows:
        """Return the rows of adjacent tiers, with boundaries wherever they make fewer of them."""
        alternatives = tuple(mask for tier in tiers for mask in tier)
        rows: list[Row] = []
        start, boundary = 0, len(alternatives)
        for upper, lower in pairwise(tiers):
            highs = range(start, start + len(upper))
            lows = range(start + len(upper), start + len(upper) + len(lower))
            if len(upper) * len(lower) <= len(upper) + len(lower):
                rows += [pair(u, v) for u in highs for v in lows]
            else:
                rows += [pair(u, boundary) for u in highs] + [pair(boundary, v) for v in lows]
                boundary += 1
            start += len(upper)
        return cls(alternatives, tuple(rows), boundary - len(alternatives))

    @property
    def places(self) -> int:
        return len(self.alternatives) + self.boundaries

    def saying(self, said: Row) -> Rows:
        """Return the rows with one more, given over alternatives; it is the last one."""
        known = {mask: place for place, mask in enumerate(self.alternatives)}
        new = [mask for mask, _ in said.combination if mask not in known]
        size = len(self.alternatives)
        known.update({mask: size + k for k, mask in enumerate(new)})
        rows = self.rows
        if new and self.boundaries:
            shifted = {place: place + len(new) if place >= size else place for place in range(self.places)}
            rows = tuple(row.moved(shifted) for row in rows)
        return replace(self, alternatives=(*self.alternatives, *new), rows=(*rows, said.moved(known)))

    def on_statements(self, multipliers: Sequence[int]) -> tuple[Weighted, ...]:
        """Bring multipliers on rows, one each, to what was stated: the same sum, without boundaries, in a fixed order.

        A negative multiplier on an equation is a positive one on the equation turned round. At every boundary the
        weight coming from above equals the weight going below (its free value must cancel); pairing them off greedily
        is a transport problem whose answer has few pairs.
        """
        size = len(self.alternatives)
        pairs: dict[Pair, int] = defaultdict(int)
        others: dict[Combination, int] = defaultdict(int)
        above: dict[int, list[list[int]]] = defaultdict(list)
        below: dict[int, list[list[int]]] = defaultdict(list)
        for row, weight in zip(self.rows, multipliers, strict=True):
            if not weight:
                continue
            combination = row.combination if weight > 0 else tuple((part, -c) for part, c in row.combination)
            two, weight = ends(combination), abs(weight)
            if two is None:
                others[tuple((self.alternatives[place], c) for place, c in combination)] += weight
            elif two[0] >= size:
                below[two[0]].append([two[1], weight])
            elif two[1] >= size:
                above[two[1]].append([two[0], weight])
            else:
                pairs[self.alternatives[two[0]], self.alternatives[two[1]]] += weight
        for boundary, givers in above.items():
            takers = below[boundary]
            while givers and takers:
                moved = min(givers[-1][1], takers[-1][1])
                pairs[self.alternatives[givers[-1][0]], self.alternatives[takers[-1][0]]] += moved
                for side in (givers, takers):
                    side[-1][1] -= moved
                    if not side[-1][1]:
                        side.pop()
        return (*((a, b, m) for (a, b), m in sorted(pairs.items())), *sorted(others.items()))
