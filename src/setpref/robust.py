"""Robust dominance: what every simplest theta, with every compatible value, agrees on.

Every value of a simplest theta has one certain sign, so a family's compatible values are the interior of a cone in
w = |v|. A beats B under all members iff e* is not zero and r . e* >= 0 for every extreme ray r, where e*_j is the
least, over the members of slot j, of sign times (I_A - I_B): the members that speak most against A. Whole-number dot
products decide; when a cone has too many rays, the exact oracle does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from setpref.certificates import Disagreement, FamilyProof, RobustDominance
from setpref.cones import RAY_LIMIT, Ray, TooManyRays, extreme_rays
from setpref.errors import CertificateRejected
from setpref.families import Family
from setpref.model import Model
from setpref.oracle import DoesNotFit, Fits, Outcome, decide
from setpref.preferences import Preferences
from setpref.terms import indicators

__all__ = ["Cone", "RobustOrder"]

Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

TABLE_SLOTS = 12
BLOCK = 1 << 21
MEMBERS_AT_ONCE = 4096


@dataclass(frozen=True)
class Cone:
    """The compatible value sizes of one family: its rows, and its extreme rays when they are few."""

    family: Family
    pairs: tuple[tuple[int, int], ...]
    ray_limit: int = RAY_LIMIT

    @cached_property
    def stated(self) -> dict[tuple[int, ...], tuple[int, int]]:
        """A stated pair for each distinct row: its difference in every slot, times the certain sign."""
        theta = self.family.theta
        found: dict[tuple[int, ...], tuple[int, int]] = {}
        for a, b in self.pairs:
            found.setdefault(tuple(s * ((t & a == t) - (t & b == t)) for t, s in theta), (a, b))
        return found

    @cached_property
    def rays(self) -> list[Ray] | None:
        """The extreme rays, or None beyond the limit."""
        try:
            return extreme_rays(sorted(self.stated), len(self.family.slots), self.ray_limit)
        except TooManyRays:
            return None

    def direction(self, first: int, second: int) -> tuple[int, ...]:
        """Return e*: per slot, what the member most against the first set says."""
        return tuple(slot.members.lowest(first, second) for slot in self.family.slots)

    def holds(self, direction: Sequence[int]) -> bool:
        """Tell whether ``direction . w > 0`` for all compatible sizes w."""
        if not any(direction):
            return False
        if self.rays is not None:
            return all(sum(map(int.__mul__, ray, direction)) >= 0 for ray in self.rays)
        return isinstance(self.against(direction), DoesNotFit)

    def against(self, direction: Sequence[int]) -> Outcome:
        """Ask the oracle for compatible sizes w with ``direction . w < 0``; the direction is the last row."""
        return decide(np.array([*self.stated, [-x for x in direction]], dtype=np.int64))

    # -- many questions at once ----------------------------------------------------------------------------

    def codes(self, masks: Sequence[int]) -> _Coder:
        """Prepare to write the direction of any two of the masks as one number in base three."""
        return _Coder(self.family, masks)

    @cached_property
    def _answers(self) -> Flags | None:
        """The answer for every possible direction, by its code; None when there are too many."""
        slots = len(self.family.slots)
        if slots > TABLE_SLOTS or self.rays is None:
            return None
        return self._decide_codes(np.arange(3**slots, dtype=np.int64))

    def holds_codes(self, codes: Codes) -> Flags:
        """Tell for every code whether its direction holds."""
        if self._answers is not None:
            return np.asarray(self._answers[codes])
        distinct, place = np.unique(codes, return_inverse=True)
        return np.asarray(self._decide_codes(distinct)[place.reshape(codes.shape)])

    def _decide_codes(self, codes: Codes) -> Flags:
        slots = len(self.family.slots)
        digits = (codes[:, None] // 3 ** np.arange(slots, dtype=np.int64)) % 3 - 1
        if self.rays is None:
            return np.array([self.holds(row) for row in digits.tolist()], dtype=bool)
        alive: Flags = np.asarray(digits.any(axis=1))
        largest = max((max(ray) for ray in self.rays), default=0)
        exact_floats = largest * max(1, slots) < 2**53
        for start in range(0, len(self.rays), 32):
            left = np.flatnonzero(alive)
            rays = np.array(self.rays[start : start + 32], dtype=np.float64 if exact_floats else object)
            alive[left] = (digits[left] @ rays.T >= 0).all(axis=1)
        return np.asarray(alive)


class _Coder:
    """Directions of pairs of masks as numbers: digit j in base three is e*_j + 1."""

    def __init__(self, family: Family, masks: Sequence[int]) -> None:
        elements = len(family.universe)
        self.base = sum(3**j for j in range(len(family.slots)))
        self.alone: Codes = np.zeros(len(masks), dtype=np.int64)
        self.shared: list[tuple[int, npt.NDArray[np.int8]]] = []
        for j, slot in enumerate(family.slots):
            members = list(slot.members)
            held = indicators(masks, [t for t, _ in members], elements) * np.array([s for _, s in members])
            if len(members) == 1:
                self.alone += held[:, 0] * 3**j
            else:
                self.shared.append((3**j, held.astype(np.int8)))

    def pairs(self, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> Codes:
        """Return the codes of the pairs of positions (arrays that broadcast against each other)."""
        codes = np.asarray(self.alone[first] - self.alone[second] + self.base)
        for power, held in self.shared:
            lowest = held[first, 0] - held[second, 0]
            for member in range(1, held.shape[1]):
                np.minimum(lowest, held[first, member] - held[second, member], out=lowest)
            codes += power * lowest.astype(np.int64)
        return codes


@dataclass(frozen=True)
class RobustOrder:
    """The strict partial order on which every simplest theta agrees."""

    preferences: Preferences
    families: tuple[Family, ...]
    ray_limit: int = RAY_LIMIT

    @cached_property
    def cones(self) -> tuple[Cone, ...]:
        """The cone of every family."""
        return tuple(Cone(family, self.preferences.pairs, self.ray_limit) for family in self.families)

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set robustly beats the second."""
        return all(cone.holds(cone.direction(first, second)) for cone in self.cones)

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain: no term of any simplest theta distinguishes the two sets."""
        return all(
            slot.members.lowest(first, second) == 0 == slot.members.lowest(second, first)
            for family in self.families
            for slot in family.slots
        )

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of masks that are certainly equal, grouped: they hold the same terms of every theta."""
        groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
        slots = [slot.members for family in self.families for slot in family.slots]
        for place, mask in enumerate(masks):
            groups[tuple(members.pattern(mask) for members in slots)].append(place)
        return tuple(map(tuple, groups.values()))

    def verdict(self, first: int, second: int) -> str:
        """Return better, worse or unknown."""
        if self.beats(first, second):
            return "better"
        return "worse" if self.beats(second, first) else "unknown"

    def beats_pairs(self, masks: Sequence[int], first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> Flags:
        """Tell for arrays of positions into the masks whether the first robustly beats the second."""
        coders = [(cone, cone.codes(masks)) for cone in self.cones]
        first, second = np.broadcast_arrays(first, second)
        shape, first, second = first.shape, first.ravel(), second.ravel()
        beaten = np.ones(len(first), dtype=bool)
        for start in range(0, len(first), BLOCK):
            part = slice(start, start + BLOCK)
            for cone, coder in coders:
                left = np.flatnonzero(beaten[part]) + start
                beaten[left] = cone.holds_codes(coder.pairs(first[left], second[left]))
        return beaten.reshape(shape)

    def certificate(self, first: int, second: int) -> RobustDominance | Disagreement:
        """Return whole numbers that prove the verdict on two sets."""
        verdict = self.verdict(first, second)
        if verdict == "unknown":
            return Disagreement(first, second, self._against(second, first), self._against(first, second))
        better, worse = (first, second) if verdict == "better" else (second, first)
        return RobustDominance(better, worse, tuple(self._proof(cone, better, worse) for cone in self.cones))

    def _proof(self, cone: Cone, better: int, worse: int) -> FamilyProof:
        outcome = cone.against(cone.direction(better, worse))
        if isinstance(outcome, Fits):
            raise CertificateRejected("rays and oracle disagree on a prediction")
        *multipliers, scale = outcome.multipliers
        pairs = zip(cone.stated.values(), multipliers, strict=True)
        return FamilyProof(tuple((a, b, m) for (a, b), m in pairs if m), scale)

    def _against(self, first: int, second: int) -> Model:
        """Return a simplest model in which the first set is not over the second."""
        for cone in self.cones:
            direction = cone.direction(first, second)
            if cone.holds(direction):
                continue
            sizes: Sequence[int] = [slot.value for slot in cone.family.slots]
            if any(direction):
                outcome = cone.against(direction)
                if isinstance(outcome, DoesNotFit):
                    raise CertificateRejected("rays and oracle disagree on an unknown pair")
                sizes = outcome.values
            return cone.family.adverse(first, second, sizes)
        raise CertificateRejected("no simplest model speaks against a prediction")
