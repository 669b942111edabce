"""The cheapest items to give up, by implicit hitting sets: of every group that cannot hold together, one item goes.

Groups are found when they are needed: the kernel proposes cheapest choices that meet every group known, the oracle says
whether the rest is possible, and if not, which groups were missed. Prices are whole numbers of any size; the kernel
works with rounded ones where they are too large for it, and every choice is priced again exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from setpref.engine.covers import MOST, Clause, CoverSearch, clause_of
from setpref.progress import Enough, Progress, endings
from setpref.proofs.repairs import Conflict
from setpref.repairs.cycles import cycles_by_length
from setpref.repairs.possible import Possible

__all__ = ["Cheapest", "PartSearch", "reduced"]

GROUPS_AT_ONCE = 8
LEAPS = 40
LARGE, LARGE_SECONDS = 5_000, 3.0


@dataclass
class Cheapest:
    """What is known of the cheapest repairs of a part: some of them, and a price none is below."""

    dropped: list[frozenset[int]]
    cost: int
    lower: int
    complete: bool = False
    groups: list[Conflict] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        """Whether no repair is cheaper."""
        return self.lower == self.cost


def reduced(possible: Possible, part: Iterable[int], dropped: Iterable[int], prices: Sequence[int]) -> frozenset[int]:
    """Take items back that need not be given up, the dearest first."""
    gone = set(dropped)
    kept = set(part) - gone
    for i in sorted(gone, key=lambda i: (-prices[i], i)):
        if possible.clash(kept | {i}) is None:
            kept.add(i)
            gone.discard(i)
    return frozenset(gone)


class PartSearch:
    """The cheapest repairs of one part of the items.

    Parameters
    ----------
    prices
        A whole number above 0 per item.
    limit
        How many of the cheapest repairs to keep.
    enough
        A price: once every repair is known to cost more, the search ends.
    """

    def __init__(
        self,
        possible: Possible,
        part: Sequence[int],
        prices: Sequence[int],
        limit: int,
        *,
        known: Sequence[Conflict] = (),
        enough: int | None = None,
        progress: Progress | None = None,
        deadline: float | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.possible, self.part, self.prices, self.limit = possible, list(part), prices, limit
        self.deadline, self.enough = deadline, enough
        self.place = {item: j for j, item in enumerate(self.part)}
        total = sum(prices[i] for i in self.part)
        self.shift = max(0, total.bit_length() - MOST.bit_length() + 1)
        costs = [(prices[i] >> self.shift) + (self.shift > 0) for i in self.part for _ in (0, 1)]
        self.search = CoverSearch(costs, compiled=compiled, progress=progress, deadline=deadline)
        self.groups: list[Conflict] = []
        self.found: dict[frozenset[int], None] = {}
        self.complete = True
        self.lower = 0
        for group in known:
            self._learn(group)
        self.best = frozenset(self.part)
        self.target = self.cost = total

    # -- first bounds ----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Find groups without a common item, and from them and more a repair that needs all it gives up."""
        apart: list[Conflict] = []
        try:
            for group in self._disjoint(frozenset()):
                apart.append(group)
                self._check_enough(sum(min(self.prices[i] for i in one.items) for one in apart))
            self._offer(reduced(self.possible, self.part, self._greedy(), self.prices))
        finally:
            self.lower = sum(min(self.prices[i] for i in group.items) for group in apart)

    def _disjoint(self, dropped: frozenset[int]) -> Iterator[Conflict]:
        """Yield groups that share no item with each other or with what is dropped; first those known, then new ones."""
        kept = set(self.part) - dropped
        for group in self.groups:
            if kept.issuperset(group.items):
                kept.difference_update(group.items)
                yield group
        while (new := self.possible.clash(kept)) is not None:
            self.search.check_time()
            self._learn(new)
            kept.difference_update(new.items)
            yield new

    def _greedy(self) -> frozenset[int]:
        """Give up the item in most of the groups not yet met for its price, until the rest is possible."""
        dropped: set[int] = set()
        while True:
            self.search.check_time()
            open_groups = [group for group in self.groups if dropped.isdisjoint(group.items)]
            if not open_groups:
                group = self.possible.clash(set(self.part) - dropped)
                if group is None:
                    return frozenset(dropped)
                self._learn(group)
                open_groups = [group]
            count: dict[int, int] = {}
            for group in open_groups:
                for i in group.items:
                    count[i] = count.get(i, 0) + 1
            # Compared crosswise, so that prices of any size are compared exactly.
            best = open_groups[0].items[0]
            for i in sorted(count):
                if count[i] * self.prices[best] > count[best] * self.prices[i]:
                    best = i
            dropped.add(best)

    def _bounds_only(self) -> None:
        """For very many statements, be content with short cycles that share no statement."""
        steps, used = self.possible.steps(self.part), set[int]()
        for cycle in islice(cycles_by_length(steps, self._large_deadline()), LARGE):
            if cycle is not None and used.isdisjoint(cycle):
                used.update(cycle)
                first = next(place for place, number in enumerate(cycle) if not steps[number][2])
                self._learn(self.possible.along([self.part[n] for n in cycle[first:] + cycle[:first]]))
        self.lower = sum(min(self.prices[i] for i in group.items) for group in self.groups)
        raise Enough

    # -- the search ---------------------------------------------------------------------------------------------

    def run(self) -> Cheapest:
        """Search until the cheapest repairs are known, the time is up, or somebody interrupts."""
        with suppress(*endings()):
            try:
                if self.possible.highest and len(self.part) > LARGE:
                    self._bounds_only()
                self.start()
            finally:
                self._offer(self.possible.rough(self.part))
            self._levels()
            return Cheapest(list(self.found), self.cost, self.cost, self.complete, self.groups)
        return Cheapest([self.best], self.cost, min(self.lower, self.cost), False, self.groups)

    def _large_deadline(self) -> float:
        latest = time.perf_counter() + LARGE_SECONDS
        return latest if self.deadline is None else min(latest, self.deadline)

    def _levels(self) -> None:
        """Raise the price that is allowed until there is a repair; keep all that are as cheap."""
        while not self.found:
            self._check_enough(self.lower)
            # A level costs a multiple of the one before it; prices that differ by millions are crossed in leaps.
            leap = (self.cost - self.lower) // LEAPS
            self.target = min(self.cost, self.lower + leap)
            if self.enough is not None:
                self.target = min(self.target, max(self.lower, self.enough))
            self.search.level, self.search.best = self.lower, self.cost
            budget, depth = self._budget(self.target)
            if not self.search.fits_memory(depth):
                raise Enough
            self.search.doing = f"repairs at a price of up to {self.target}" if self.shift == 0 else "repairs"
            self.search.search(budget, depth, self._ask)
            if not self.found:
                self.lower = self.target + 1

    def _check_enough(self, lower: int) -> None:
        if self.enough is not None and lower > self.enough:
            raise Enough

    def _budget(self, target: int) -> tuple[int, int]:
        """Return the kernel's budget for a price, and how many items can be given up within it."""
        depth = paid = 0
        for price in sorted(self.prices[i] for i in self.part):
            paid += price
            if paid > target:
                break
            depth += 1
        budget = (target >> self.shift) + (depth + 1 if self.shift else 0)
        if self.shift:
            costs = sorted(int(cost) for cost in self.search.cost[::2])
            depth = next((n for n in range(len(costs)) if sum(costs[: n + 1]) > budget), len(costs))
        return budget, depth

    def _ask(self, literals: list[int], available: Clause) -> Sequence[Clause] | None:
        dropped = frozenset(self.part[literal >> 1] for literal in literals)
        price = sum(self.prices[i] for i in dropped)
        if price > self.target:
            return None
        missed = list(islice(self._disjoint(dropped), GROUPS_AT_ONCE))
        if missed:
            return [self._clause(group) for group in missed]
        if len(self.found) == self.limit and price == self.cost:
            # There are more than asked for: only a cheaper one is of interest now.
            self.complete = False
            self._tighten(self.cost - 1)
            return None
        self._offer(dropped)
        self.found[dropped] = None
        self._tighten(price)
        return None

    def _tighten(self, target: int) -> None:
        if target < self.target:
            self.target = target
            self.search.tighten(self._budget(target)[0])

    def _offer(self, dropped: frozenset[int]) -> None:
        price = sum(self.prices[i] for i in dropped)
        if price < self.cost:
            self.best, self.cost, self.complete = dropped, price, True
            self.found = {}

    def _learn(self, group: Conflict) -> None:
        self.groups.append(group)
        if not self.search.running:
            self.search.add([self._clause(group)])

    def _clause(self, group: Conflict) -> Clause:
        return clause_of([2 * self.place[i] for i in group.items], 2 * len(self.part))
