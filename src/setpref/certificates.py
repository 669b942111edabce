"""Checks of proofs in whole numbers. This room imports no solver and trusts nobody.

Every claim setpref makes comes down to two kinds of evidence. A *model* shows that something is possible: its
values are put into every statement. *Multipliers* show that something is impossible: implied pairs, each taken
a whole number of times, whose differences cancel on every allowed term. At least one of the pairs is strict; pairs
stated to be the same may be taken in either direction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from setpref.errors import CertificateRejected
from setpref.families import Family
from setpref.model import Utility
from setpref.preferences import Preferences
from setpref.terms import kernel_table

__all__ = [
    "Disagreement",
    "Divided",
    "Dominance",
    "Equality",
    "FamilyProof",
    "Proof",
    "RobustDominance",
    "Unanimous",
    "WeightedPair",
    "check_cancels",
    "check_disagreement",
    "check_dominance",
    "check_equality",
    "check_implied",
    "check_impossible",
    "check_model",
    "check_robust",
    "check_same",
]

WeightedPair = tuple[int, int, int]


@dataclass(frozen=True)
class Dominance:
    """Proof that `better` beats `worse`: the weighted pairs add up to `scale` times their difference."""

    better: int
    worse: int
    multipliers: tuple[WeightedPair, ...]
    scale: int


@dataclass(frozen=True)
class Disagreement:
    """Proof that nothing can be said: two models that satisfy every statement and disagree.

    In one the first set is at least as good, in the other the second.
    """

    first: int
    second: int
    for_first: Utility
    for_second: Utility


@dataclass(frozen=True)
class FamilyProof:
    """Proof that a set beats another in one family: weighted pairs that add up to `scale` times the direction."""

    multipliers: tuple[WeightedPair, ...]
    scale: int


@dataclass(frozen=True)
class RobustDominance:
    """Proof that `better` beats `worse` in every simplest theta: one proof per family, in their order."""

    better: int
    worse: int
    proofs: tuple[FamilyProof, ...]


@dataclass(frozen=True)
class Equality:
    """Proof that two sets are worth the same: per family (or one in all) pairs stated to be the same that add up to it.

    Without pairs, no term distinguishes the two sets.
    """

    first: int
    second: int
    proofs: tuple[FamilyProof, ...]


Proof = Dominance | RobustDominance | Equality | Disagreement


@dataclass(frozen=True)
class Unanimous:
    """Proof that every optimal repair leads to the same verdict: one proof per repair, in their order."""

    proofs: tuple[Dominance | RobustDominance | Equality, ...]


@dataclass(frozen=True)
class Divided:
    """Proof that nothing can be said after the repairs: two models, each with the number of its repair, that disagree.

    In one the first set is at least as good, in the other the second.
    """

    first: int
    second: int
    for_first: tuple[int, Utility]
    for_second: tuple[int, Utility]


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
        violated = values[s.better] != values[s.worse] if s.same else values[s.better] <= values[s.worse]
        if violated:
            raise CertificateRejected(
                f"the model values {write(s.better)} at {values[s.better]} and {write(s.worse)} at "
                f"{values[s.worse]}, against {preferences.place(s)}"
            )


def _check_level(preferences: Preferences, tiers: Sequence[Sequence[tuple[object, int]]]) -> None:
    for tier in tiers:
        if len({value for value, _ in tier}) != 1:
            raise CertificateRejected(
                f"the model gives {preferences.universe.write(tier[0][1])} and others different values, though they "
                "are rated alike and that says they are the same"
            )


def check_impossible(
    preferences: Preferences, multipliers: Sequence[WeightedPair], allowed: int | Sequence[int]
) -> None:
    """Reject multipliers that do not prove that the allowed terms cannot satisfy the statements.

    Parameters
    ----------
    allowed
        A degree (all terms up to it; checked through the kernel) or a list of terms.
    """
    check_implied(preferences, multipliers)
    check_cancels(len(preferences.universe), multipliers, allowed)


def check_dominance(preferences: Preferences, proof: Dominance, allowed: int | Sequence[int]) -> None:
    """Reject a proof of dominance that does not hold under the allowed terms."""
    if proof.scale <= 0:
        raise CertificateRejected("the scale of a proof of dominance must be positive")
    a, b = proof.better, proof.worse
    if isinstance(allowed, int):
        distinguished = a != b and allowed > 0
    else:
        distinguished = any((t & a == t) != (t & b == t) for t in allowed)
    if not distinguished:
        raise CertificateRejected("no allowed term distinguishes the two sets, so neither can beat the other")
    check_implied(preferences, proof.multipliers)
    balanced = [*proof.multipliers, (proof.worse, proof.better, proof.scale)]
    check_cancels(len(preferences.universe), balanced, allowed)


def check_equality(preferences: Preferences, proof: Equality, allowed: int | Sequence[int]) -> None:
    """Reject a proof of equality that does not hold under the allowed terms."""
    if len(proof.proofs) != 1 or proof.proofs[0].scale <= 0:
        raise CertificateRejected("a proof of equality needs one sum with a positive scale")
    (part,) = proof.proofs
    check_same(preferences, part.multipliers)
    balanced = [*part.multipliers, (proof.second, proof.first, part.scale)]
    check_cancels(len(preferences.universe), balanced, allowed)


def check_disagreement(preferences: Preferences, proof: Disagreement) -> None:
    """Reject a proof of "unknown" whose models do not fit or do not disagree."""
    check_model(proof.for_first, preferences)
    check_model(proof.for_second, preferences)
    if proof.for_first.at(proof.first) < proof.for_first.at(proof.second):
        raise CertificateRejected("the first model does not value the first set at least as high")
    if proof.for_second.at(proof.second) < proof.for_second.at(proof.first):
        raise CertificateRejected("the second model does not value the second set at least as high")


def check_robust(
    preferences: Preferences, families: Sequence[Family], proof: RobustDominance | Equality | Disagreement
) -> None:
    """Reject a proof of a verdict that does not hold over the families of simplest thetas."""
    if isinstance(proof, Equality):
        _check_robust_equality(preferences, families, proof)
        return
    if isinstance(proof, Disagreement):
        check_disagreement(preferences, proof)
        for model in (proof.for_first, proof.for_second):
            if not any(_belongs(model, family) for family in families):
                raise CertificateRejected("a model of the disagreement is not one of the simplest")
        return
    if len(proof.proofs) != len(families) or not families:
        raise CertificateRejected("a proof of dominance must speak of every family")
    for family, part in zip(families, proof.proofs, strict=True):
        direction = [slot.members.lowest(proof.better, proof.worse) for slot in family.slots]
        if part.scale <= 0 or not any(direction):
            raise CertificateRejected("the scale must be positive and some term must distinguish the two sets")
        check_implied(preferences, part.multipliers)
        _check_sum(family, part, direction)


def _check_robust_equality(preferences: Preferences, families: Sequence[Family], proof: Equality) -> None:
    if len(proof.proofs) != len(families):
        raise CertificateRejected("a proof of equality must speak of every family")
    for family, part in zip(families, proof.proofs, strict=True):
        direction = [slot.members.lowest(proof.first, proof.second) for slot in family.slots]
        if direction != [-slot.members.lowest(proof.second, proof.first) for slot in family.slots]:
            raise CertificateRejected("interchangeable terms say different things of the two sets")
        if part.scale <= 0:
            raise CertificateRejected("the scale of a proof of equality must be positive")
        check_same(preferences, part.multipliers)
        _check_sum(family, part, direction)


def _check_sum(family: Family, part: FamilyProof, direction: Sequence[int]) -> None:
    for (term, sign), wanted in zip(family.theta, direction, strict=True):
        net = sum(m * ((term & a == term) - (term & b == term)) for a, b, m in part.multipliers)
        if sign * net != part.scale * wanted:
            raise CertificateRejected("the weighted statements do not add up to the prediction")


def _belongs(model: Utility, family: Family) -> bool:
    """Tell whether a model has exactly one member of every slot, with its certain sign."""
    values = getattr(model, "values", None)
    if values is None or len(values) != len(family.slots):
        return False
    return all(
        any(value * sign > 0 and slot.members.holds(term, sign) for term, value in values.items() for sign in (1, -1))
        for slot in family.slots
    )


def check_implied(preferences: Preferences, multipliers: Sequence[WeightedPair]) -> None:
    """Reject multipliers that are not positive, not on stated pairs, or on no strict one."""
    write = preferences.universe.write
    strict = False
    for better, worse, weight in multipliers:
        if weight <= 0:
            raise CertificateRejected(f"the multiplier {weight} is not a positive whole number")
        if preferences.implies(better, worse):
            strict = True
        elif not preferences.equates(better, worse):
            raise CertificateRejected(f"the statements do not say that {write(better)} is over {write(worse)}")
    if not strict:
        raise CertificateRejected("a proof without a multiplier on a strict statement proves nothing")


def check_same(preferences: Preferences, multipliers: Sequence[WeightedPair]) -> None:
    """Reject multipliers that are not positive or not on pairs stated to be the same."""
    write = preferences.universe.write
    for first, second, weight in multipliers:
        if weight <= 0:
            raise CertificateRejected(f"the multiplier {weight} is not a positive whole number")
        if not preferences.equates(first, second):
            raise CertificateRejected(f"the statements do not say that {write(first)} is the same as {write(second)}")


def check_cancels(elements: int, pairs: Iterable[WeightedPair], allowed: int | Sequence[int]) -> None:
    """Reject weighted pairs whose differences do not cancel on every allowed term (a degree, or terms)."""
    net: dict[int, int] = defaultdict(int)
    for better, worse, weight in pairs:
        net[better] += weight
        net[worse] -= weight
    weights = [(mask, weight) for mask, weight in net.items() if weight]
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
