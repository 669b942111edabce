"""Ratings in tiers: rated sets of equal rating together, best first; a tolerance makes close ratings equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from setpref.universe import by_size

__all__ = ["TIES", "Tiers", "stretched", "tiers_of"]

TIES = ("ignore", "indifferent")

Tiers = tuple[tuple[int, ...], ...]


def tiers_of(ratings: Mapping[int, Fraction], tolerance: Fraction = Fraction(0)) -> Tiers:
    """Return the rated sets in tiers, best first; a rating within the tolerance of the next higher one joins its tier.

    Examples
    --------
    >>> tiers_of({1: Fraction(3), 2: Fraction(5), 4: Fraction(3)})
    ((2,), (1, 4))
    """
    groups: dict[Fraction, list[int]] = defaultdict(list)
    for mask, rating in ratings.items():
        groups[rating].append(mask)
    merged: list[list[int]] = []
    last: Fraction | None = None
    for rating in sorted(groups, reverse=True):
        if last is not None and last - rating <= tolerance:
            merged[-1] += groups[rating]
        else:
            merged.append(groups[rating])
        last = rating
    return tuple(tuple(sorted(tier, key=by_size)) for tier in merged)


def stretched(tiers: Sequence[Sequence[int]], ratings: Mapping[int, Fraction], tolerance: Fraction) -> list[int] | None:
    """Return three sets of one tier, each close to the next, whose first and last ratings are further apart; or None.

    Examples
    --------
    >>> ratings = {1: Fraction(3), 2: Fraction(4), 4: Fraction(5)}
    >>> stretched(tiers_of(ratings, Fraction(1)), ratings, Fraction(1))
    [4, 2, 1]
    """
    for tier in tiers:
        chain = sorted(tier, key=lambda mask: -ratings[mask])
        far = [mask for mask in chain if ratings[chain[0]] - ratings[mask] > tolerance]
        if far:
            return [chain[0], chain[chain.index(far[0]) - 1], far[0]]
    return None
