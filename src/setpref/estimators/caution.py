"""Cautious rules: how many of the simplest models must agree before a prediction is made.

======== =========================================== =====================================================
rule     A over B is predicted when                  what that guarantees
======== =========================================== =====================================================
all      f(A) > f(B) in every simplest model         right if the person is any simplest model (the paper's
                                                     robust dominance); a strict partial order; exact
union    f(A) > f(B) in every model whose terms are  right if the person is any model over these terms, not
         those of all simplest thetas together       only a simplest one; never predicts what ``all`` does
                                                     not; a strict partial order; exact
majority more than half of the simplest thetas say   right if the person's theta is one of those; never
         so, each for all its values                 both ways; includes ``all``; may go in circles; exact
volume   a share of at least `threshold` of the      right with that probability if the person is a simplest
         compatible values say so                    theta and value drawn uniformly; never both ways;
                                                     includes ``all``, and is ``all`` at threshold 1; may go
                                                     in circles; exact or sampled, see :class:`Shares`
======== =========================================== =====================================================

Under ``deg`` the simplest thetas are all those of the minimum degree: ``union`` is then ``all``, and the other two,
which weigh single thetas, are not defined. When a search was stopped, the simplest thetas are not known, and every rule
answers by the best theta found so far.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.answers.robust import Cone, RobustOrder
from setpref.answers.theta import ThetaOrder
from setpref.arguments import checked_choice, checked_number, checked_whole
from setpref.errors import InputError, TooLarge
from setpref.learning.learned import Learned
from setpref.rows import Kind
from setpref.simplicity import simplicity_of
from setpref.solving.fitting import Terms
from setpref.solving.integers import free_basis, independent_rows
from setpref.universe import by_size

__all__ = ["RULES", "CautiousRule", "Shares", "check_rule", "share_above"]

RULES = ("all", "union", "majority", "volume")

Verdicts = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Direction = tuple[int, ...]

MEMBER_LIMIT = 100_000
DIRECTION_LIMIT = 100_000
CHAINS = 100
BLOCK = 1024


@dataclass(frozen=True, eq=False)
class Shares:
    """Per pair the share of compatible values that prefer one set.

    Attributes
    ----------
    better, worse : array
        The share with f(A) > f(B), and with f(B) > f(A); what is missing to 1 is the share of thetas in which the two
        are the same.
    error : array
        The standard error of the shares, from independent chains; 0 where the share is exact.
    """

    better: Floats
    worse: Floats
    error: Floats


def check_rule(rule: str, threshold: float, simplicity: str) -> None:
    """Refuse a rule that does not exist, a threshold that cannot be met by one side only, or a rule deg cannot use."""
    if checked_choice("rule", rule, RULES) == "volume":
        checked_number("threshold", threshold, "the rule volume a share above 0.5 and at most 1", above=0.5, most=1)
    if rule in ("majority", "volume") and simplicity_of(simplicity).all_terms:
        raise InputError(f"the rule {rule} weighs single thetas, which deg does not list; learn with lex, card or ws")


class CautiousRule:
    """A rule applied to what was learned.

    Parameters
    ----------
    learned : Learned
    rule
        ``all``, ``union``, ``majority`` or ``volume``; the module says what each guarantees.
    threshold
        For ``volume``: the share needed, above 0.5 and at most 1.
    seed
        For ``volume``: seeds the hit-and-run walks.
    draws
        For ``volume``: points drawn per family of thetas where a share is not exact.

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
    >>> learned = sp.learn(prefs, "card")
    >>> mask = prefs.universe.mask
    >>> CautiousRule(learned, "all").verdicts([mask("tea")], [mask("{}")]).tolist()
    [1]
    """

    def __init__(
        self, learned: Learned, rule: str = "all", *, threshold: float = 0.9, seed: int = 0, draws: int = 4000
    ) -> None:
        check_rule(rule, threshold, learned.simplicity)
        if not isinstance(learned, Learned):
            raise InputError(
                "cautious rules are about the models of one result; of one learned despite errors, ask parts"
            )
        checked_whole("draws", draws, CHAINS)
        self.learned = learned
        self.rule = rule
        self.threshold = threshold
        self.seed = seed
        self.draws = draws

    def verdicts(self, first: Sequence[int], second: Sequence[int]) -> Verdicts:
        """Return the verdicts on pairs of masks: 1 better, -1 worse, 0 no prediction."""
        if self.rule == "all" or self._families_unknown:
            return self.learned.verdicts_of_masks(first, second)
        if self.rule == "union":
            return self._union(first, second)
        if self.rule == "majority":
            better, worse = self._votes(first, second), self._votes(second, first)
            total = sum(family.count for family in self._robust.families)
            votes = [(2 * b > total) - (2 * w > total) for b, w in zip(better, worse, strict=True)]
            return np.array(votes, dtype=np.int8)
        shares = self.shares(first, second)
        better_, worse_ = shares.better >= self.threshold, shares.worse >= self.threshold
        return np.asarray(better_.astype(np.int8) - worse_.astype(np.int8))

    def margins(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        """Return how sure the rule is, signed: for ``volume`` the difference of the shares, else the verdict."""
        if self.rule != "volume" or self._families_unknown:
            return np.asarray(self.verdicts(first, second), dtype=np.float64)
        shares = self.shares(first, second)
        return np.asarray(shares.better - shares.worse)

    def shares(self, first: Sequence[int], second: Sequence[int]) -> Shares:
        """Return the share of compatible values on either side of every pair.

        Notes
        -----
        Per theta the values are uniform over its compatible ones with sum of sizes 1; thetas count alike. A share is
        exact where a theta's whole cone agrees (then 0 or 1) or its cone has as many extreme rays as dimensions;
        otherwise it is estimated by seeded hit-and-run walks, with the standard error over independent chains. An
        estimated share is never 0 or 1, because the true one is not.
        """
        check_rule("volume", self.threshold, self.learned.simplicity)
        if self._families_unknown:
            raise InputError(
                "the simplest models are not proven, so there are no shares of them; learn without a limit"
            )
        count = len(first)
        total = sum(family.count for family in self._robust.families)
        better: list[Fraction | float] = [Fraction(0)] * count
        worse: list[Fraction | float] = [Fraction(0)] * count
        variance = np.zeros(count)
        for volume in self._volumes:
            found = [volume.directions(a, b) for a, b in zip(first, second, strict=True)]
            asked = sorted({d for directions in found for d in directions})
            known = volume.above([direction for direction in asked if not volume.cone.level(direction)])
            for i, directions in enumerate(found):
                for direction, times in directions.items():
                    if direction in known:
                        better[i] += known[direction] * Fraction(times, total)
                        worse[i] += (1 - known[direction]) * Fraction(times, total)
                variance[i] += volume.variance({d: Fraction(t, total) for d, t in directions.items()})
        return Shares(np.array([float(x) for x in better]), np.array([float(x) for x in worse]), np.sqrt(variance))

    # -- within ----------------------------------------------------------------------------------------------

    @property
    def _families_unknown(self) -> bool:
        """Whether single simplest thetas cannot be asked: under deg, or when they are not proven to be all."""
        return self.learned.found is None or not self.learned.proven

    @property
    def _robust(self) -> RobustOrder:
        assert isinstance(self.learned.dominance, RobustOrder)
        return self.learned.dominance

    @cached_property
    def _volumes(self) -> list[_Volume]:
        chains = np.random.SeedSequence(self.seed).spawn(len(self._robust.cones))
        return [
            _Volume(cone, self.draws, np.random.default_rng(seed))
            for cone, seed in zip(self._robust.cones, chains, strict=True)
        ]

    @cached_property
    def _union_order(self) -> ThetaOrder:
        slots = [slot for family in self._robust.families for slot in family.slots]
        for slot in slots:
            _check_members(slot.members.count)
        terms = {term for slot in slots for term, _ in slot.members}
        return ThetaOrder(self.learned.preferences, Terms(tuple(sorted(terms, key=by_size))))

    def _union(self, first: Sequence[int], second: Sequence[int]) -> Verdicts:
        """Ask theta dominance only where all simplest models agree: the union never says more."""
        found = self.learned.verdicts_of_masks(first, second)
        for i in np.flatnonzero(found).tolist():
            above, below = (first[i], second[i]) if found[i] > 0 else (second[i], first[i])
            found[i] *= self._union_order.beats(above, below)
        return found

    def _votes(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """Return per pair how many simplest thetas put the first set over the second for all their values."""
        votes = [0] * len(first)
        for volume in self._volumes:
            found = [volume.directions(a, b) for a, b in zip(first, second, strict=True)]
            asked = sorted({direction for directions in found for direction in directions})
            holds = dict(zip(asked, volume.holds(asked), strict=True))
            for i, directions in enumerate(found):
                votes[i] += sum(times for direction, times in directions.items() if holds[direction])
        return votes


class _Volume:
    """The compatible sizes of one family: which directions the members give, and what share of sizes is above 0."""

    def __init__(self, cone: Cone, draws: int, rng: np.random.Generator) -> None:
        self.cone = cone
        self.draws = draws
        self.rng = rng
        self._sampled: dict[Direction, npt.NDArray[np.bool_]] = {}

    @cached_property
    def _members(self) -> list[list[tuple[int, int]]]:
        for slot in self.cone.family.slots:
            _check_members(slot.members.count)
        return [list(slot.members) for slot in self.cone.family.slots]

    def directions(self, first: int, second: int) -> dict[Direction, int]:
        """Return the directions sign * (I_A - I_B) of the family's thetas, each with the number of thetas giving it."""
        found: dict[Direction, int] = {(): 1}
        for members in self._members:
            digits = Counter(s * ((t & first == t) - (t & second == t)) for t, s in members)
            longer: dict[Direction, int] = defaultdict(int)
            for direction, times in found.items():
                for digit, count in digits.items():
                    longer[(*direction, digit)] += times * count
            if len(longer) > DIRECTION_LIMIT:
                raise TooLarge("the simplest thetas differ in too many ways to be counted; use the rule all or union")
            found = longer
        return found

    def holds(self, directions: Sequence[Direction]) -> list[bool]:
        """Tell for each direction whether all compatible sizes are above 0, in whole numbers."""
        rays, slots = self.cone.rays, len(self.cone.family.slots)
        if rays is None or not rays or not directions:
            return [self.cone.holds(direction) for direction in directions]
        exact = max(map(max, rays)) * slots < 1 << 62
        kind: type = np.int64 if exact else object
        digits: npt.NDArray[Any] = np.array(directions, dtype=kind)
        columns: npt.NDArray[Any] = np.array(rays, dtype=kind).T
        found: list[bool] = []
        for start in range(0, len(directions), BLOCK):
            part = digits[start : start + BLOCK]
            heights = part @ columns
            found += ((heights >= 0).all(axis=1) & (heights > 0).any(axis=1)).tolist()
        return found

    def above(self, directions: Sequence[Direction]) -> dict[Direction, Fraction | float]:
        """Return for each direction, none of them level, the share of compatible sizes above 0."""
        up = self.holds(directions)
        down = self.holds([tuple(-x for x in direction) for direction in directions])
        found: dict[Direction, Fraction | float] = {}
        rays = self.cone.rays
        for direction, all_above, all_below in zip(directions, up, down, strict=True):
            if all_above or all_below:
                found[direction] = Fraction(int(all_above))
            elif rays is not None and self._simplicial:
                heights = [Fraction(sum(map(int.__mul__, ray, direction)), sum(ray)) for ray in rays]
                found[direction] = share_above(heights)
            else:
                flags = self._sampled.setdefault(direction, self._points @ np.array(direction, dtype=float) > 0)
                edge = 0.5 / flags.size
                found[direction] = min(max(float(flags.mean()), edge), 1 - edge)
        return found

    @cached_property
    def _simplicial(self) -> bool:
        """Whether the cone has as many extreme rays as dimensions, so that shares of it are exact."""
        rays = np.array(self.cone.rays or (), dtype=object)
        return len(rays) > 0 and len(independent_rows(rays)) == len(rays)

    def variance(self, weights: dict[Direction, Fraction]) -> float:
        """Return the squared standard error of the weighted share, from the means of the independent chains."""
        sampled = {d: float(w) for d, w in weights.items() if d in self._sampled}
        if not sampled:
            return 0.0
        means = sum(w * self._sampled[d].mean(axis=1) for d, w in sampled.items())
        return float(np.var(means, ddof=1) / CHAINS)

    @cached_property
    def _points(self) -> Floats:
        """Points of the cone with sum 1, by hit-and-run: one row of points per chain."""
        slots = len(self.cone.family.slots)
        limits = np.vstack([self.cone.system.of(Kind.STRICT).astype(float), np.eye(slots)])
        here, shape = self._starts()
        each, thin = -(-self.draws // CHAINS), max(5, slots)
        kept = np.empty((CHAINS, each, slots))
        for step in range(-10, each):  # the steps below 0 only forget the start
            for _ in range(thin):
                here = _hit_and_run(here, limits, shape, self.rng)
            if step >= 0:
                kept[:, step] = here
        return kept

    def _starts(self) -> tuple[Floats, Floats]:
        """Return a start inside per chain, and the shape that turns normal draws into directions of sum 0."""
        slots = len(self.cone.family.slots)
        if self.cone.rays is None:
            sizes = np.array([slot.value for slot in self.cone.family.slots], dtype=float)
            return np.tile(sizes / sizes.sum(), (CHAINS, 1)), _flat(self.cone.level_rows, slots)
        corners = np.array([[x / sum(ray) for x in ray] for ray in self.cone.rays])
        mixed = self.rng.dirichlet(np.ones(len(corners)), CHAINS) @ corners
        spread, axes = np.linalg.eigh(np.cov(corners.T))
        return mixed, (axes * np.sqrt(np.maximum(spread, 0))) @ axes.T


def _flat(equations: npt.NDArray[np.int64], slots: int) -> Floats:
    """Return the projection onto the directions that keep the sum and satisfy the equations."""
    free = free_basis(np.vstack([equations, np.ones((1, slots), dtype=np.int64)])).astype(np.float64)
    across, _ = np.linalg.qr(free)
    return np.asarray(across @ across.T, dtype=np.float64)


def _hit_and_run(here: Floats, limits: Floats, shape: Floats, rng: np.random.Generator) -> Floats:
    """Move every chain to a uniform point of a random line through it, within ``limits @ w >= 0``."""
    way = rng.normal(size=here.shape) @ shape
    room, slope = np.maximum(here @ limits.T, 0), way @ limits.T
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = -room / slope
    far = np.where(slope < 0, reach, np.inf).min(axis=1)
    near = np.where(slope > 0, reach, -np.inf).max(axis=1)
    step = near + (far - near) * rng.random(len(here))
    return np.asarray(here + step[:, None] * way)


def share_above(heights: Sequence[Fraction]) -> Fraction:
    """Return the exact share of a simplex where a linear function with these heights at the corners is above 0.

    Notes
    -----
    Cutting the edge between a corner of height x < 0 and one of height y > 0 at height 0 splits the simplex in two: one
    with a corner below fewer, y / (y - x) of the whole, and one with a corner above fewer, the rest. Corners of
    height 0 change nothing.

    Examples
    --------
    >>> share_above([Fraction(-1), Fraction(3)]), share_above([Fraction(-1), Fraction(-1), Fraction(1)])
    (Fraction(3, 4), Fraction(1, 4))
    """
    above, below = [y for y in heights if y > 0], [x for x in heights if x < 0]
    if not above:
        return Fraction(0)
    column = [Fraction(1)] + [Fraction(0)] * len(below)
    for y in above:
        for k, x in enumerate(below, start=1):
            column[k] = (y * column[k - 1] - x * column[k]) / (y - x)
    return column[-1]


def _check_members(count: int) -> None:
    if count > MEMBER_LIMIT:
        raise TooLarge(
            f"one term of the simplest thetas can be exchanged in {count:,} ways, at most {MEMBER_LIMIT:,} can be "
            "counted; use the rule all"
        )
