"""Robust dominance: what every simplest theta, with every compatible value, agrees on.

Every value of a simplest theta has one certain sign, so a family's compatible values are the interior of a cone in
w = |v|. A beats B under all members iff e* is not zero and r . e* >= 0 for every extreme ray r, where e*_j is the
least, over the members of slot j, of sign times (I_A - I_B): the members that speak most against A. Whole-number dot
products decide; when a cone has too many rays, the exact oracle does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from setpref.cones import RAY_LIMIT, Ray, TooManyRays, extreme_rays
from setpref.families import Family
from setpref.oracle import Fits, decide
from setpref.preferences import Preferences

__all__ = ["Cone", "RobustOrder"]

Signs = npt.NDArray[np.int8]
_SAFE = 2**62


@dataclass(frozen=True)
class Cone:
    """The compatible value sizes of one family: its rows, and its extreme rays when they are few."""

    family: Family
    pairs: tuple[tuple[int, int], ...]
    ray_limit: int = field(default=RAY_LIMIT)

    @cached_property
    def rows(self) -> list[tuple[int, ...]]:
        """One distinct row per stated pair: its difference in every slot, times the certain sign."""
        theta = self.family.theta
        found = {tuple(s * ((t & a == t) - (t & b == t)) for t, s in theta) for a, b in self.pairs}
        return sorted(found)

    @cached_property
    def rays(self) -> list[Ray] | None:
        """The extreme rays, or None beyond the limit."""
        try:
            return extreme_rays(self.rows, len(self.family.slots), self.ray_limit)
        except TooManyRays:
            return None

    def direction(self, first: int, second: int) -> tuple[int, ...]:
        """Return e*: per slot, what the member most against the first set says."""
        return tuple(slot.members.lowest(first, second) for slot in self.family.slots)

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set beats the second for every member choice and compatible value."""
        e = self.direction(first, second)
        if not any(e):
            return False
        if self.rays is not None:
            return all(sum(map(int.__mul__, ray, e)) >= 0 for ray in self.rays)
        return not isinstance(self.against(e), Fits)

    def against(self, direction: Sequence[int]) -> object:
        """Ask the oracle for compatible sizes w with direction . w < 0."""
        return decide(np.array([*self.rows, [-x for x in direction]], dtype=np.int64))


@dataclass(frozen=True)
class RobustOrder:
    """The strict partial order on which every simplest theta agrees."""

    preferences: Preferences
    families: tuple[Family, ...]
    ray_limit: int = RAY_LIMIT

    @cached_property
    def cones(self) -> tuple[Cone, ...]:
        return tuple(Cone(family, self.preferences.pairs, self.ray_limit) for family in self.families)

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set robustly beats the second."""
        return all(cone.beats(first, second) for cone in self.cones)

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain: no term of any simplest theta distinguishes the two sets."""
        return all(
            slot.members.lowest(first, second) == 0 == slot.members.lowest(second, first)
            for family in self.families
            for slot in family.slots
        )

    def verdict(self, first: int, second: int) -> str:
        """Return better, worse or unknown."""
        if self.beats(first, second):
            return "better"
        return "worse" if self.beats(second, first) else "unknown"
