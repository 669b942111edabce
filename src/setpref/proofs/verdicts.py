"""Proofs of verdicts, and their checks in whole numbers. Like the checks below it, this room imports no solver.

"Better" is proven by statements that add up to it, "same" by statements of no difference that do, "unknown" by two
models that disagree; for the simplest thetas family by family, and after repairs for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected, InputError
from setpref.families import Family
from setpref.model import Utility
from setpref.proofs.certificates import WeightedPair, check_cancels, check_implied, check_model, check_same
from setpref.verdict import Value

__all__ = [
    "Certificate",
    "Disagreement",
    "Divided",
    "Dominance",
    "Equality",
    "FamilyProof",
    "Known",
    "Proof",
    "RobustDominance",
    "Unanimous",
    "Verdict",
    "check_disagreement",
    "check_dominance",
    "check_equality",
    "check_joint",
    "check_robust",
    "check_under",
    "check_verdict",
]

Known = int | Sequence[Family]  # what was learned: a degree, or the families of simplest thetas
Claim = tuple[Value, int, int]  # what is said of a first set and a second


@dataclass(frozen=True)
class Dominance:
    """Proof that `better` beats `worse`: the weighted pairs add up to `scale` times their difference."""

    better: int
    worse: int
    multipliers: tuple[WeightedPair, ...]
    scale: int

    @property
    def claim(self) -> Claim:
        """What is proven."""
        return Value.BETTER, self.better, self.worse

    @property
    def proofs(self) -> tuple[FamilyProof, ...]:
        """The one sum it rests on."""
        return (FamilyProof(self.multipliers, self.scale),)


@dataclass(frozen=True)
class Disagreement:
    """Proof that nothing can be said: two models that satisfy every statement and disagree.

    In one the first set is at least as good, in the other the second.
    """

    first: int
    second: int
    for_first: Utility
    for_second: Utility

    @property
    def claim(self) -> Claim:
        """What is proven."""
        return Value.UNKNOWN, self.first, self.second


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

    @property
    def claim(self) -> Claim:
        """What is proven."""
        return Value.BETTER, self.better, self.worse


@dataclass(frozen=True)
class Equality:
    """Proof that two sets are worth the same: per family (or one in all) pairs stated to be the same that add up to it.

    Without pairs, no term distinguishes the two sets.
    """

    first: int
    second: int
    proofs: tuple[FamilyProof, ...]

    @property
    def claim(self) -> Claim:
        """What is proven."""
        return Value.SAME, self.first, self.second


Proof = Dominance | RobustDominance | Equality | Disagreement


@dataclass(frozen=True)
class Unanimous:
    """Proof that every optimal repair leads to the same verdict: one proof per repair, in their order."""

    proofs: tuple[Dominance | RobustDominance | Equality, ...]

    @property
    def claim(self) -> Claim:
        """What is proven of the first repair, and must be of every other."""
        return self.proofs[0].claim


@dataclass(frozen=True)
class Divided:
    """Proof that nothing can be said after the repairs: two models, each with the number of its repair, that disagree.

    In one the first set is at least as good, in the other the second.
    """

    first: int
    second: int
    for_first: tuple[int, Utility]
    for_second: tuple[int, Utility]

    @property
    def claim(self) -> Claim:
        """What is proven."""
        return Value.UNKNOWN, self.first, self.second


Certificate = Proof | Unanimous | Divided


@dataclass(frozen=True, eq=False)
class Verdict:
    """What can be said of two sets: equal to its word as text, and to every verdict of the same word.

    Attributes
    ----------
    value : Value
        ``better`` (the first beats the second), ``worse``, ``same`` (equality is certain: they are worth the same in
        every model considered; for the measures of the paper this is no prediction), or ``unknown``: a text.
    certificate : Dominance, RobustDominance, Equality, Disagreement (after repairs Unanimous or Divided) or None
        Whole numbers that prove the verdict; None when none was asked for.
    proven : bool
        False when the simplest models are not known for certain, so that neither is the verdict.

    Examples
    --------
    >>> verdict = Verdict(Value.BETTER)
    >>> verdict == "better", verdict == Verdict(Value.BETTER, proven=False), verdict in {"worse", "unknown"}
    (True, True, False)
    """

    value: Value
    certificate: Certificate | None = None
    proven: bool = True

    @property
    def equal(self) -> bool:
        """Whether equality is certain."""
        return self.value is Value.SAME

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Verdict) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        raise InputError(
            f'a verdict is neither true nor false (this one is "{self}"); compare it with a word: verdict == "better"'
        )

    def __str__(self) -> str:
        return str(self.value)


def check_verdict(preferences: Preferences, known: Known, proof: Proof) -> None:
    """Reject a proof of a verdict that does not hold for what was learned from the preferences."""
    if isinstance(known, int):
        check_under(preferences, known, proof)
    elif isinstance(proof, Dominance):
        raise CertificateRejected("a proof per family is needed")
    else:
        check_robust(preferences, known, proof)


def check_under(preferences: Preferences, allowed: int | Sequence[int], proof: Proof) -> None:
    """Reject a proof of a verdict that does not hold under the allowed terms: those of one theta, or up to a degree."""
    if isinstance(proof, Dominance):
        check_dominance(preferences, proof, allowed)
    elif isinstance(proof, Equality):
        check_equality(preferences, proof, allowed)
    elif isinstance(proof, Disagreement):
        if isinstance(allowed, int):
            _check_degree(proof.for_first, allowed)
            _check_degree(proof.for_second, allowed)
        check_disagreement(preferences, proof)
    else:
        raise CertificateRejected("this is no certificate for the simplicity deg")


def _check_degree(model: Utility, degree: int) -> None:
    if getattr(model, "degree", degree + 1) > degree:
        raise CertificateRejected(f"a model of the disagreement has terms above the degree {degree}")


def check_joint(parts: Sequence[tuple[Preferences, Known]], proof: Unanimous | Divided) -> None:
    """Reject a proof of a verdict that does not hold for what was learned from each repair."""
    if isinstance(proof, Unanimous):
        claims = {one.claim for one in proof.proofs}
        if len(proof.proofs) != len(parts) or len(claims) != 1:
            raise CertificateRejected("the proof must say the same of every repair")
        for (preferences, known), one in zip(parts, proof.proofs, strict=True):
            check_verdict(preferences, known, one)
        return
    for number, model in (proof.for_first, proof.for_second):
        if not 0 <= number < len(parts):
            raise CertificateRejected(f"there is no repair number {number}")
        preferences, known = parts[number]
        check_model(model, preferences)
        if isinstance(known, int):
            _check_degree(model, known)
        else:
            _check_simplest(model, known)
    _check_divided(proof.first, proof.second, proof.for_first[1], proof.for_second[1])


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
    _check_divided(proof.first, proof.second, proof.for_first, proof.for_second)


def _check_divided(first: int, second: int, for_first: Utility, for_second: Utility) -> None:
    """Reject models that do not refute "better" and "worse", or leave the two sets the same in both."""
    if for_first.at(first) < for_first.at(second):
        raise CertificateRejected("the first model does not value the first set at least as high")
    if for_second.at(second) < for_second.at(first):
        raise CertificateRejected("the second model does not value the second set at least as high")
    if for_first.at(first) == for_first.at(second) and for_second.at(first) == for_second.at(second):
        raise CertificateRejected("both models value the two sets alike, so that they might be the same")


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
            _check_simplest(model, families)
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
    if len(proof.proofs) != len(families) or not families:
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


def _check_simplest(model: Utility, families: Sequence[Family]) -> None:
    if not any(_belongs(model, family) for family in families):
        raise CertificateRejected("a model of the disagreement is not one of the simplest")


def _belongs(model: Utility, family: Family) -> bool:
    """Tell whether a model has exactly one member of every slot, with its certain sign."""
    values = getattr(model, "values", None)
    if values is None or len(values) != len(family.slots):
        return False
    return all(
        any(value * sign > 0 and slot.members.holds(term, sign) for term, value in values.items() for sign in (1, -1))
        for slot in family.slots
    )
