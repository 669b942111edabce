"""What cannot hold together, and the check of repairs that give up one thing of each: whole numbers, no solver.

An *item* is what is given up as one: a distinct statement, however often it was made, or the rating of a set. A
*conflict* is a set of items that no model with terms up to a degree can satisfy together, with the multipliers that
show it; people read of it as a group. A *repair* gives up one item of every conflict at least; that none is cheaper
follows from the conflicts alone, by a plain search that shares nothing with the engine that found them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from setpref.data.graph import merged
from setpref.data.items import Items
from setpref.errors import CertificateRejected, TooLarge
from setpref.model import KernelModel, Model, Utility
from setpref.proofs.certificates import WeightedPair, check_cancels, check_model

__all__ = ["Conflict", "RepairClaim", "check_conflict", "check_least", "check_possible"]


@dataclass(frozen=True)
class Conflict:
    """Items that cannot hold together, and weighted pairs they state whose differences cancel."""

    items: tuple[int, ...]
    multipliers: tuple[WeightedPair, ...]


@dataclass(frozen=True)
class RepairClaim:
    """What is claimed of repairs at a degree, and the groups that prove it.

    Attributes
    ----------
    repairs : tuple of (items, model)
        What each gives up, and a model that satisfies the rest (None at the highest degree, where none is needed).
    cost, lower_bound : Fraction
        What they cost, and what every repair costs at least.
    complete : bool
        Whether no other repair is as cheap.
    """

    degree: int
    repairs: tuple[tuple[tuple[int, ...], Model | KernelModel | None], ...]
    cost: Fraction
    lower_bound: Fraction
    complete: bool
    groups: tuple[Conflict, ...]

    def check(self, items: Items, budget: int | None = None) -> int:
        """Reject the claim unless its groups and models prove it; return the nodes searched.

        Parameters
        ----------
        budget
            Give up (TooLarge) beyond so many nodes in one part.
        """
        for dropped, _ in self.repairs:
            if list(dropped) != sorted(set(dropped)) or not all(0 <= i < len(items) for i in dropped):
                raise CertificateRejected("a repair names an item twice, out of order, or one that does not exist")
            if items.cost(dropped) != self.cost:
                raise CertificateRejected("a repair does not cost what is said")
        if self.lower_bound > self.cost or (self.complete and self.lower_bound != self.cost):
            raise CertificateRejected("the bound on what repairs cost does not go with what they cost")
        for dropped, model in self.repairs:
            check_possible(items, dropped, self.degree, model)
        bound = None if self.lower_bound == self.cost and self.repairs else self.lower_bound
        listed = [dropped for dropped, _ in self.repairs]
        return check_least(items, self.degree, listed, self.groups, self.complete, bound, budget)


def check_conflict(items: Items, group: Conflict, degree: int) -> None:
    """Reject a group whose multipliers do not prove that no model of the degree satisfies its items."""
    write, among = items.preferences.universe.write, frozenset(group.items)
    if not among or not all(0 <= i < len(items) for i in among) or len(among) != len(group.items):
        raise CertificateRejected("a group names items that do not exist, or one of them twice")
    strict = False
    for first, second, weight in group.multipliers:
        over, said = items.states(first, second, among)
        if weight <= 0:
            raise CertificateRejected(f"the multiplier {weight} is not a positive whole number")
        if not said:
            raise CertificateRejected(
                f"the group does not say that {write(first)} is over or the same as {write(second)}"
            )
        strict = strict or over
    if not strict:
        raise CertificateRejected("a group without a multiplier on a strict statement is possible")
    check_cancels(len(items.preferences.universe), group.multipliers, degree)


def check_possible(items: Items, dropped: Collection[int], degree: int, model: Utility | None) -> None:
    """Reject a repair after which the rest is not shown to be possible.

    Up to the highest degree this means free of contradictions, which needs no model; below it, a model must satisfy
    all that is kept.
    """
    kept = items.keeping([i for i in range(len(items)) if i not in frozenset(dropped)])
    if not kept.consistent:
        raise CertificateRejected("what a repair keeps still contradicts itself")
    if degree >= len(items.preferences.universe):
        return
    if model is None or getattr(model, "degree", degree + 1) > degree:
        raise CertificateRejected(f"a repair needs a model with terms up to degree {degree}")
    check_model(model, kept)


def check_least(
    items: Items,
    degree: int,
    repairs: Collection[Collection[int]],
    groups: Sequence[Conflict],
    complete: bool,
    bound: Fraction | None = None,
    budget: int | None = None,
) -> int:
    """Reject repairs that the groups do not prove to be cheapest, or to be all of them; return the nodes searched.

    Parameters
    ----------
    complete
        Whether the repairs are said to be all that are as cheap.
    bound
        Check instead only that every repair costs at least this much.
    budget
        Give up (TooLarge) beyond so many nodes in one part.
    """
    for group in groups:
        check_conflict(items, group, degree)
    listed = {frozenset(repair) for repair in repairs}
    if bound is None:
        costs = {items.cost(repair) for repair in listed}
        if len(costs) != 1 or len(listed) != len(repairs):
            raise CertificateRejected("the repairs do not cost the same, one is listed twice, or none is listed")
        if not all(repair & frozenset(group.items) for repair in listed for group in groups):
            raise CertificateRejected("a repair keeps a whole group")
    weight = [item.weight for item in items]
    parts = _parts(groups)
    found = []
    for part in parts:
        inside = frozenset[int]().union(*part)
        # A choice that is known limits the search: what a listed repair gives up here, or else what is claimed in all.
        chosen = next(iter(listed)) & inside if bound is None else _greedy(part, weight)
        at_most = sum((weight[i] for i in chosen), Fraction(0))
        if bound is not None and len(parts) == 1:
            at_most = min(at_most, bound)
        found.append(_Hitting(part, weight, at_most, every=complete, budget=budget))
    least = sum((one.cost for one in found), Fraction(0))
    if bound is not None and least < bound:
        raise CertificateRejected("the groups leave room for a repair that is cheaper than the bound")
    if bound is None and least != next(iter(costs)):
        raise CertificateRejected("the groups leave room for a cheaper repair")
    # What is cheapest for all groups is cheapest for each part of them: so many cheapest choices there are.
    if complete and prod(one.count for one in found) != len(listed):
        raise CertificateRejected("the groups leave room for a repair that is as cheap and not listed")
    return sum(one.nodes for one in found)


def _parts(groups: Sequence[Conflict]) -> list[list[frozenset[int]]]:
    """Return the distinct groups in parts that share no item."""
    distinct = sorted({frozenset(group.items) for group in groups}, key=sorted)
    first: dict[int, int] = {}
    joined = []
    for number, group in enumerate(distinct):
        for item in group:
            joined.append((first.setdefault(item, number), number))
    parts: dict[int, list[frozenset[int]]] = {}
    for part, group in zip(merged(len(distinct), joined), distinct, strict=True):
        parts.setdefault(part, []).append(group)
    return list(parts.values())


def _greedy(groups: Sequence[frozenset[int]], weight: Sequence[Fraction]) -> set[int]:
    """Return items that meet every group, each the one in most of the groups left for its weight."""
    chosen: set[int] = set()
    left = list(groups)
    while left:
        times = Counter(item for group in left for item in group)
        best = min(times, key=lambda i: (weight[i] / times[i], i))
        chosen.add(best)
        left = [group for group in left if best not in group]
    return chosen


class _Hitting:
    """The least weight of items that meet all groups, and (`every`) how many choices cost that."""

    def __init__(
        self,
        groups: list[frozenset[int]],
        weight: Sequence[Fraction],
        at_most: Fraction,
        *,
        every: bool,
        budget: int | None,
    ) -> None:
        self.weight, self.every, self.budget = weight, every, budget
        # Where one cheapest choice is enough the one known is it, and only a cheaper one matters.
        self.cost, self.count, self.nodes = at_most, 0 if every else 1, 0
        try:
            self._visit(Fraction(0), frozenset(), sorted(groups, key=len))
        except RecursionError:
            raise TooLarge("the groups hang together too deeply for the plain search that checks them") from None

    def _visit(self, spent: Fraction, tried: frozenset[int], left: list[frozenset[int]]) -> None:
        self.nodes += 1
        if self.budget is not None and self.nodes > self.budget:
            raise TooLarge(f"the plain search that checks the repairs takes more than {self.budget:,} steps")
        if not left:
            self.count = 1 if spent < self.cost else self.count + 1
            self.cost = spent
            return
        open_groups = sorted((group - tried for group in left), key=len)
        if not open_groups[0] or self._hopeless(spent + self._still_due(open_groups)):
            return
        for item in sorted(open_groups[0], key=lambda i: (self.weight[i], i)):
            now = spent + self.weight[item]
            if not self._hopeless(now):
                self._visit(now, tried, [group for group in left if item not in group])
            tried |= {item}

    def _hopeless(self, cost: Fraction) -> bool:
        """Tell whether so much is of no interest any more."""
        return cost > self.cost or (cost == self.cost and not self.every)

    def _still_due(self, groups: Iterable[frozenset[int]]) -> Fraction:
        """Return a lower bound: groups that share no item cost their cheapest item each."""
        used: set[int] = set()
        due = Fraction(0)
        for group in groups:
            if not group & used:
                used |= group
                due += min(self.weight[i] for i in group)
        return due
