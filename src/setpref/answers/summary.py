"""What the simplest models say of each term: how often it occurs, its certain sign, the range of its weight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Protocol

from setpref.families import Family
from setpref.solving.rays import Ray
from setpref.universe import by_size

__all__ = ["TermSummary", "Weighed", "summarise"]

MEMBERS_SHOWN = 1000


class Weighed(Protocol):
    """Thetas alike but for interchangeable terms, and the compatible sizes of their values."""

    @property
    def family(self) -> Family:
        """The thetas."""
        ...

    @property
    def rays(self) -> list[Ray] | None:
        """The extreme rays of the sizes; None if they are too many."""
        ...


@dataclass(frozen=True)
class TermSummary:
    """One term over all simplest models (of all repairs, if there are several).

    Attributes
    ----------
    term : int
    always : bool
        In every simplest model, or only in some.
    sign : int
        The certain sign of its value in every model that has it; 0 if models differ.
    low, high : Fraction or None
        The range of its weight |value| / (sum of all |values|) over all compatible values of the models that have it;
        None where it was not computed.
    """

    term: int
    always: bool
    sign: int
    low: Fraction | None
    high: Fraction | None


def summarise(cones: Sequence[Weighed]) -> list[TermSummary]:
    """Return one summary per term that occurs, those in every model first."""
    families: dict[int, set[int]] = defaultdict(set)
    alone: dict[int, int] = defaultdict(int)
    signs: dict[int, set[int]] = defaultdict(set)
    ranges: dict[int, list[tuple[Fraction, Fraction] | None]] = defaultdict(list)
    for number, cone in enumerate(cones):
        for place, slot in enumerate(cone.family.slots):
            share = _share(cone.rays, place)
            for term, sign in islice(slot.members, MEMBERS_SHOWN):
                families[term].add(number)
                alone[term] += slot.members.count == 1
                signs[term].add(sign)
                ranges[term].append(share)
    found = [
        TermSummary(
            term,
            alone[term] == len(cones),
            signs[term].copy().pop() if len(signs[term]) == 1 else 0,
            *_join(ranges[term]),
        )
        for term in families
    ]
    return sorted(found, key=lambda summary: (not summary.always, by_size(summary.term)))


def _share(rays: list[Ray] | None, place: int) -> tuple[Fraction, Fraction] | None:
    """Return the range of one weight: a ratio of linear functions is extreme on extreme rays."""
    if not rays:
        return None
    shares = [Fraction(ray[place], sum(ray)) for ray in rays]
    return min(shares), max(shares)


def _join(ranges: list[tuple[Fraction, Fraction] | None]) -> tuple[Fraction | None, Fraction | None]:
    known = [r for r in ranges if r is not None]
    if len(known) < len(ranges):
        return None, None
    return min(low for low, _ in known), max(high for _, high in known)
