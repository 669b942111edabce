"""Checks of proofs in whole numbers. This room imports no solver and trusts nobody.

Every claim setpref makes comes down to two kinds of evidence. A *model* shows that something is possible: its
values are put into every statement. *Multipliers* show that something is impossible: implied pairs, each taken
a whole number of times, whose differences cancel on every allowed term. At least one of the pairs is strict; pairs
stated to be the same may be taken in either direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected
from setpref.model import Utility
from setpref.rows import Kind, Weighted, spread
from setpref.terms import kernel_table

__all__ = [
    "WeightedPair",
    "check_cancels",
    "check_implied",
    "check_impossible",
    "check_model",
    "check_same",
]

WeightedPair = tuple[int, int, int]


def check_model(model: Utility, preferences: Preferences) -> None:
    """Reject a model that violates any statement."""
    write = preferences.universe.write
    if preferences.tiers is not None:
        tiers = [[(model.at(mask), mask) for mask in tier] for tier in preferences.tiers]
        for upper, lower in pairwise(tiers):
            low, high = min(upper), max(lower)
            if low[0] <= high[0]:
                raise CertificateRejected(
                    f"the model values {write(low[1])} at {low[0]} and {write(high[1])} at {high[0]}, "
                    "against the ratings"
                )
        if preferences.ties == "indifferent":
            _check_level(preferences, tiers)
        return
    values = {mask: model.at(mask) for mask in preferences.alternatives}
    for s in preferences.statements:
        worth = sum(coefficient * values[mask] for mask, coefficient in s.says.combination)
        if not {Kind.STRICT: worth > 0, Kind.WEAK: worth >= 0, Kind.EQUAL: worth == 0}[s.says.kind]:
            told = " and ".join(f"{write(mask)} at {values[mask]}" for mask, _ in s.says.combination)
            raise CertificateRejected(f"the model values {told}, against {preferences.place(s)}")


def _check_level(preferences: Preferences, tiers: Sequence[Sequence[tuple[object, int]]]) -> None:
    for tier in tiers:
        if len({value for value, _ in tier}) != 1:
            raise CertificateRejected(
                f"the model gives {preferences.universe.write(tier[0][1])} and others different values, though they "
                "are rated alike and that says they are the same"
            )


def check_impossible(preferences: Preferences, multipliers: Sequence[Weighted], allowed: int | Sequence[int]) -> None:
    """Reject multipliers that do not prove that the allowed terms cannot satisfy the statements.

    Parameters
    ----------
    allowed
        A degree (all terms up to it; checked through the kernel) or a list of terms.
    """
    check_implied(preferences, multipliers)
    check_cancels(len(preferences.universe), multipliers, allowed)


def check_implied(preferences: Preferences, multipliers: Sequence[Weighted]) -> None:
    """Reject multipliers that are not positive, not on what is stated, or on nothing strict."""
    strict = False
    for weighted in multipliers:
        if weighted[-1] <= 0:
            raise CertificateRejected(f"the multiplier {weighted[-1]} is not a positive whole number")
        strict = _said(preferences, weighted) is Kind.STRICT or strict
    if not strict:
        raise CertificateRejected("a proof without a multiplier on a strict statement proves nothing")


def _said(preferences: Preferences, weighted: Weighted) -> Kind:
    """Return what is said of a pair, or of a combination of more sets; reject what is not stated."""
    write = preferences.universe.write
    if len(weighted) == 2:
        kind = preferences.says(weighted[0])
        if kind is None:
            raise CertificateRejected("the statements say nothing of a combination of sets that a proof takes")
        return kind
    better, worse, _ = weighted
    if preferences.implies(better, worse):
        return Kind.STRICT
    if preferences.equates(better, worse):
        return Kind.EQUAL
    if preferences.says(((better, 1), (worse, -1))) is Kind.WEAK:
        return Kind.WEAK
    raise CertificateRejected(f"the statements do not say that {write(better)} is over {write(worse)}")


def check_same(preferences: Preferences, multipliers: Sequence[WeightedPair]) -> None:
    """Reject multipliers that are not positive or not on pairs stated to be the same."""
    write = preferences.universe.write
    for first, second, weight in multipliers:
        if weight <= 0:
            raise CertificateRejected(f"the multiplier {weight} is not a positive whole number")
        if not preferences.equates(first, second):
            raise CertificateRejected(f"the statements do not say that {write(first)} is the same as {write(second)}")


def check_cancels(elements: int, multipliers: Sequence[Weighted], allowed: int | Sequence[int]) -> None:
    """Reject weighted pairs and combinations that do not cancel on every allowed term (a degree, or terms)."""
    weights = list(spread(multipliers).items())
    if isinstance(allowed, int):
        # The sum over all terms of (net weight of the term) squared, counted by shared terms: zero iff all are.
        table = kernel_table(elements, allowed)
        squares = sum(w * sum(u * table[(a & b).bit_count()] for b, u in weights) for a, w in weights)
        if squares:
            raise CertificateRejected(f"the multipliers do not cancel on every term up to degree {allowed}")
        return
    for term in allowed:
        if sum(weight for mask, weight in weights if term & mask == term):
            raise CertificateRejected("the multipliers do not cancel on every allowed term")
