"""Robust dominance: what every simplest theta, with every compatible value, agrees on.

Every value of a simplest theta has one certain sign, so a family's compatible values are the interior of a cone in
w = |v| (within the equations that indifferences state). A beats B under all members iff r . e* >= 0 for every extreme
ray r and > 0 for some, where e*_j is the least, over the members of slot j, of sign times (I_A - I_B): the members that
speak most against A. Whole-number dot products decide; when a cone has too many rays, the exact oracle does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from setpref.answers.codes import CODE_SLOTS, Coder, Codes
from setpref.answers.forcing import Question, Told, family_questions
from setpref.answers.relation import Flags, Places, Verdicts, Worths
from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected, TooLarge
from setpref.families import Family, Listed
from setpref.model import Model
from setpref.proofs.verdicts import Disagreement, Equality, FamilyProof, Proof, RobustDominance, check_robust
from setpref.rows import Kind, Row, ends
from setpref.solving.oracle import DoesNotFit, Fits, Outcome, decide
from setpref.solving.rays import RAY_LIMIT, Ray, TooManyRays, extreme_rays, irredundant
from setpref.solving.systems import System
from setpref.terms import indicators
from setpref.verdict import Value

__all__ = ["Cone", "RobustOrder"]

TABLE_SLOTS = 12
CHOICES_LIMIT = 10_000
BLOCK = 1 << 21


@dataclass(frozen=True)
class Cone:
    """The compatible value sizes of one family: its rows, and its extreme rays when they are few."""

    family: Family
    stated: tuple[Row, ...]
    ray_limit: int = RAY_LIMIT

    @cached_property
    def sources(self) -> dict[tuple[Ray, Kind], Row]:
        """A stated row for each distinct one: what every slot, with its certain sign, says; no empty equation."""
        theta = self.family.theta
        found: dict[tuple[Ray, Kind], Row] = {}
        for row in self.stated:
            said = tuple(s * row.over(t) for t, s in theta)
            if row.kind is Kind.STRICT or any(said):
                found.setdefault((said, row.kind), row)
        return found

    @cached_property
    def system(self) -> System:
        """What compatible sizes satisfy."""
        rows = np.array([said for said, _ in self.sources], dtype=np.int64)
        return System(rows.reshape(len(self.sources), len(self.family.slots)), tuple(kind for _, kind in self.sources))

    @cached_property
    def level_rows(self) -> npt.NDArray[np.int64]:
        """The distinct rows that compatible sizes make zero."""
        return np.asarray(self.system.of(Kind.EQUAL), dtype=np.int64)

    @cached_property
    def rays(self) -> list[Ray] | None:
        """The extreme rays, or None beyond the limit."""
        try:
            if not self.ray_limit:
                return None
            over, level = ([said for said, k in self.sources if k is kind] for kind in (Kind.STRICT, Kind.EQUAL))
            both = [tuple(sign * x for x in row) for row in level for sign in (1, -1)]
            return extreme_rays([*both, *irredundant(sorted(over))], len(self.family.slots), self.ray_limit)
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
            heights = [sum(map(int.__mul__, ray, direction)) for ray in self.rays]
            return all(height >= 0 for height in heights) and any(heights)
        # Beyond the rays: sizes met on the way refute most directions, the exact oracle decides the rest.
        if any(sum(map(int.__mul__, sizes, direction)) <= 0 for sizes in self._witnesses):
            return False
        outcome = self.against(direction)
        if isinstance(outcome, Fits):
            self._witnesses.append(outcome.values)
            return False
        return self._strictly(outcome)

    def level(self, direction: Sequence[int]) -> bool:
        """Tell whether ``direction . w = 0`` for all compatible sizes w."""
        if not any(direction):
            return True
        if not len(self.level_rows):
            return False
        if self.rays is not None:
            return all(sum(map(int.__mul__, ray, direction)) == 0 for ray in self.rays)
        outcome = self.against(direction)
        return isinstance(outcome, DoesNotFit) and not self._strictly(outcome)

    def _strictly(self, outcome: DoesNotFit) -> bool:
        """Tell whether a sum takes any strict row."""
        used = zip(outcome.multipliers, self.system.kinds, strict=False)
        return any(m and kind is Kind.STRICT for m, kind in used)

    @cached_property
    def _witnesses(self) -> list[Sequence[int]]:
        return [[slot.value for slot in self.family.slots]]

    def against(self, direction: Sequence[int]) -> Outcome:
        """Ask the oracle for compatible sizes w with ``direction . w < 0``; the direction is the last row."""
        return decide(self.system.adding(np.array([[-x for x in direction]], dtype=np.int64)))

    def weighted(self, multipliers: Sequence[int]) -> FamilyProof:
        """Read the proof of what holds off the multipliers that :meth:`against` gave."""
        *told, scale = multipliers
        pairs = [(ends(row.combination), m) for row, m in zip(self.sources.values(), told, strict=True) if m]
        turned = ((*two, m) if m > 0 else (two[1], two[0], -m) for two, m in pairs if two is not None)
        return FamilyProof(tuple(turned), scale)

    # -- many questions at once ----------------------------------------------------------------------------

    def codes(self, masks: Sequence[int]) -> Coder:
        """Prepare to write the direction of any two of the masks as numbers in base three."""
        return Coder(self.family, masks)

    @cached_property
    def _answers(self) -> Flags | None:
        """The answer for every possible direction, by its code; None when there are too many."""
        slots = len(self.family.slots)
        if slots > TABLE_SLOTS or self.rays is None:
            return None
        return self._decide_codes(np.arange(3**slots, dtype=np.int64)[None, :])

    def holds_codes(self, codes: Codes) -> Flags:
        """Tell for every code (a column) whether its direction holds."""
        if self._answers is not None:
            return np.asarray(self._answers[codes[0]])
        if len(codes) == 1:
            alone, place = np.unique(codes[0], return_inverse=True)
            distinct = alone[None, :]
        else:
            distinct, place = np.unique(codes, axis=1, return_inverse=True)
        return np.asarray(self._decide_codes(distinct)[place.ravel()])

    def _decide_codes(self, codes: Codes) -> Flags:
        slots = len(self.family.slots)
        powers = 3 ** np.arange(CODE_SLOTS, dtype=np.int64)
        digits = np.hstack([row[:, None] // powers % 3 - 1 for row in codes])[:, :slots]
        if self.rays is None:
            return np.array([self.holds(row) for row in digits.tolist()], dtype=bool)
        alive: Flags = np.asarray(digits.any(axis=1))
        above = alive.copy() if not len(self.level_rows) else np.zeros(len(alive), dtype=bool)
        largest = max((max(ray) for ray in self.rays), default=0)
        exact_floats = largest * max(1, slots) < 2**53
        for start in range(0, len(self.rays), 32):
            left = np.flatnonzero(alive)
            rays = np.array(self.rays[start : start + 32], dtype=np.float64 if exact_floats else object)
            heights = digits[left] @ rays.T
            alive[left] = (heights >= 0).all(axis=1)
            above[left] |= (heights > 0).any(axis=1)
        return np.asarray(alive & above)


@dataclass(frozen=True)
class RobustOrder(Verdicts):
    """The strict partial order on which every simplest theta agrees."""

    preferences: Preferences
    families: tuple[Family, ...]
    ray_limit: int = RAY_LIMIT

    @property
    def parts(self) -> tuple[RobustOrder]:
        """Itself."""
        return (self,)

    @property
    def known(self) -> tuple[Family, ...]:
        """What proofs of its verdicts are about: the families."""
        return self.families

    @property
    def by_programs(self) -> bool:
        """Rays answer."""
        return False

    @cached_property
    def cones(self) -> tuple[Cone, ...]:
        """The cone of every family."""
        self.preferences.check_of_pairs("a verdict")
        return tuple(Cone(family, self.preferences.defining_rows, self.ray_limit) for family in self.families)

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set robustly beats the second."""
        return all(cone.holds(cone.direction(first, second)) for cone in self.cones)

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain: the two are worth the same in every simplest model."""
        for cone in self.cones:
            direction = cone.direction(first, second)
            # Interchangeable terms must say the same, or some choice of them distinguishes the two.
            if direction != tuple(-x for x in cone.direction(second, first)) or not cone.level(direction):
                return False
        return True

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of masks that are certainly equal, grouped."""
        groups: dict[object, list[int]] = defaultdict(list)
        for place, mask in enumerate(masks):
            groups[tuple(_worth(cone, mask) for cone in self.cones)].append(place)
        if all(_worth_decides(cone) for cone in self.cones):
            return tuple(map(tuple, groups.values()))
        merged: list[list[int]] = []
        for group in groups.values():
            known = next((other for other in merged if self.same(masks[other[0]], masks[group[0]])), None)
            if known is None:
                merged.append(group)
            else:
                known += group
        return tuple(tuple(sorted(group)) for group in merged)

    def beats_pairs(self, masks: Sequence[int], first: Places, second: Places) -> Flags:
        """Tell for arrays of positions into the masks whether the first robustly beats the second."""
        coders = [(cone, cone.codes(masks)) for cone in self.cones]
        pairs = np.broadcast(first, second)
        beaten = np.ones(pairs.size, dtype=bool)
        first, second = np.broadcast_to(first, pairs.shape), np.broadcast_to(second, pairs.shape)
        for start in range(0, pairs.size, BLOCK):
            part = slice(start, start + BLOCK)
            a, b = first.flat[part], second.flat[part]  # only a block of a broadcast array is ever written out
            alive = beaten[part]
            for cone, coder in coders:
                left = np.flatnonzero(alive)
                alive[left] = cone.holds_codes(coder.pairs(a[left], b[left]))
        return beaten.reshape(pairs.shape)

    def certificate(self, first: int, second: int) -> Proof:
        """Return whole numbers that prove the verdict on two sets, checked."""
        value = self.verdict(first, second)
        proof: RobustDominance | Equality | Disagreement
        if value is Value.UNKNOWN:
            proof = Disagreement(first, second, self.against(second, first), self.against(first, second))
        elif value is Value.SAME:
            proof = Equality(first, second, tuple(self._proof(cone, first, second) for cone in self.cones))
        else:
            better, worse = (first, second) if value is Value.BETTER else (second, first)
            proof = RobustDominance(better, worse, tuple(self._proof(cone, better, worse) for cone in self.cones))
        check_robust(self.preferences, self.families, proof)
        return proof

    def _proof(self, cone: Cone, better: int, worse: int) -> FamilyProof:
        direction = cone.direction(better, worse)
        if not any(direction):
            return FamilyProof((), 1)
        outcome = cone.against(direction)
        if isinstance(outcome, Fits):
            raise CertificateRejected("rays and oracle disagree on a prediction")
        return cone.weighted(outcome.multipliers)

    def against(self, first: int, second: int) -> Model:
        """Return a simplest model in which the first set is not over the second, and under it if any says so.

        There must be such a model.
        """
        level: Model | None = None
        for cone in self.cones:
            direction = cone.direction(first, second)
            if cone.holds(direction):
                continue
            if cone.level(direction):
                level = level or cone.family.adverse(first, second, [slot.value for slot in cone.family.slots])
                continue
            outcome = cone.against(direction)
            if isinstance(outcome, DoesNotFit):
                raise CertificateRejected("rays and oracle disagree on an unknown pair")
            return cone.family.adverse(first, second, outcome.values)
        if level is None:
            raise CertificateRejected("no simplest model speaks against a prediction")
        return level

    def questions(self, stated: Sequence[Told], better: int, worse: int) -> list[Question]:
        """Return what statements have to force: per family, every direction that some choice of members gives."""
        return [question for family in self.families for question in family_questions(family, stated, better, worse)]

    def worths(self, masks: Sequence[int]) -> Iterator[tuple[System, Worths]]:
        """Yield per theta what its sizes satisfy, and what gives the masks their worth."""
        for cone in self.cones:
            if cone.family.count > CHOICES_LIMIT:
                many = f"{cone.family.count:,} thetas differ only in interchangeable terms"
                raise TooLarge(f"{many}; {CHOICES_LIMIT:,} can be tried")
            for chosen in product(*(slot.members for slot in cone.family.slots)):
                signs = np.array([s for _, s in chosen], dtype=np.int64)
                held = indicators(masks, [t for t, _ in chosen], len(cone.family.universe)) * signs
                yield cone.system, held


def _worth_decides(cone: Cone) -> bool:
    """Tell whether equal worths, as written below, are all the certain equalities of a family."""
    if not len(cone.level_rows):
        return True
    return cone.rays is not None and all(isinstance(slot.members, Listed) for slot in cone.family.slots)


def _worth(cone: Cone, mask: int) -> object:
    """Return what fixes the worth of a set in a family: sets alike in it are certainly equal."""
    slots = cone.family.slots
    if not len(cone.level_rows) or not _worth_decides(cone):
        return tuple(slot.members.pattern(mask) for slot in slots)
    assert cone.rays is not None
    said = [[s * (t & mask == t) for t, s in slot.members] for slot in slots]
    relative = tuple(tuple(x - line[0] for x in line) for line in said)
    return relative, tuple(sum(size * line[0] for size, line in zip(ray, said, strict=True)) for ray in cone.rays)
