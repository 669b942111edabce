"""Every smallest group of statements, or ratings, that cannot hold together: the diagnosis of contradictions.

At the highest degree the groups are cycles. At a lower one they are found by size as the smallest sets that meet every
*correction*, the items that some largest possible set leaves out: what misses one is possible.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from setpref.arguments import checked_function, checked_time
from setpref.data.items import Items
from setpref.data.numbers import checked_limit
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.engine.covers import Clause, CoverSearch, clause_of
from setpref.progress import Enough, Progress, Step, endings
from setpref.proofs.repairs import Conflict
from setpref.repairs.cycles import cycles_by_length
from setpref.repairs.possible import Possible, checked_degree

__all__ = ["GROUPS", "SECONDS", "Conflicts", "minimal_groups"]

GROUPS = 1000
SECONDS = 10.0


@dataclass(frozen=True)
class Conflicts:
    """The smallest groups that no model of a degree satisfies.

    Attributes
    ----------
    groups : tuple of Conflict
        Smaller ones first. No item of a group could be left out.
    complete : bool
        Whether these are all.
    smallest : int
        Every group with at most so many items is listed.
    """

    items: Items
    degree: int
    groups: tuple[Conflict, ...]
    complete: bool
    smallest: int

    @property
    def counts(self) -> list[tuple[int, int]]:
        """The items in groups, with the number of groups they are in, those in most first."""
        counted = Counter(i for group in self.groups for i in group.items)
        return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def minimal_groups(
    preferences: Preferences,
    degree: int | None = None,
    *,
    limit: int = GROUPS,
    time_limit: float | None = SECONDS,
    progress: Progress | None = None,
) -> Conflicts:
    """Find the smallest groups of statements, or ratings, that no model can satisfy together.

    Parameters
    ----------
    preferences
        Statements may contradict each other if they were taken with ``contradictions="keep"``.
    degree
        The largest size of a term in the model; by default the number of elements, where the groups are the
        contradictions in what is stated.
    limit
        How many groups to list at most.
    time_limit
        Seconds after which the groups found so far are returned; None: as long as it takes.

    Examples
    --------
    >>> prefs = Preferences.from_pairs([("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")], contradictions="keep")
    >>> found = minimal_groups(prefs)
    >>> [group.items for group in found.groups], found.complete
    ([(0, 3), (0, 1, 2)], True)
    """
    degree = checked_degree(degree, len(checked_preferences(preferences).universe))
    limit, time_limit = checked_limit(limit), checked_time(time_limit)
    checked_function("progress", progress)
    stop = None if time_limit is None else time.perf_counter() + time_limit
    items = Items(preferences)
    possible = Possible(items, degree)
    if possible.highest:
        return _by_cycles(possible, limit, stop, progress)
    search = _BySize(possible, limit, stop, progress)
    search.run()
    order = sorted(search.found, key=lambda found: (len(found), sorted(found)))
    groups = tuple(search.found[key] for key in order[:limit])
    complete = search.complete and len(order) <= limit
    return Conflicts(items, degree, groups, complete, len(items) if complete else search.level)


def _by_cycles(possible: Possible, limit: int, stop: float | None, progress: Progress | None) -> Conflicts:
    core = sorted(possible.core, key=lambda i: (possible.items[i].same, i))
    found: list[Conflict] = []
    complete = False
    with suppress(*endings()):
        for cycle in cycles_by_length(possible.steps(core), stop):
            if cycle is None or len(found) == limit:
                break
            found.append(possible.along([core[number] for number in cycle]))
            if progress is not None and len(found) % 100 == 0:
                progress(Step(f"{len(found)} groups"))
        else:
            complete = True
    # They come by length, and of the last length there may be more.
    known = len(possible.items) if complete else len(found[-1].items) - 1 if found else 1
    groups = tuple(sorted(found, key=lambda group: (len(group.items), group.items)))
    return Conflicts(possible.items, possible.degree, groups, complete, known)


class _BySize:
    """The search for the smallest groups at a lower degree.

    Attributes
    ----------
    found : dict
        The groups, by their items.
    level : int
        Every group of at most so many items is found.
    """

    def __init__(self, possible: Possible, limit: int, stop: float | None, progress: Progress | None) -> None:
        self.possible, self.limit = possible, limit
        self.count = len(possible.items)
        self.search = CoverSearch([1] * (2 * self.count), progress=progress, deadline=stop)
        self.found: dict[frozenset[int], Conflict] = {}
        self.level, self.complete = 0, False
        self._size = 1
        self._used: set[int] = set()

    def run(self) -> None:
        with suppress(*endings()):
            kept = set(range(self.count))
            while (group := self.possible.clash(kept)) is not None:
                # Some groups at once, so that there is something to show if the time is short.
                self._record(group)
                kept.difference_update(group.items)
                self.search.check_time()
            self.complete = not self.found
            while not self.complete:
                asked = self.possible.calls
                if not self.search.fits_memory(self._size):
                    raise Enough
                self.search.doing = f"groups of {self._size}"
                self.search.search(self._size, self._size, self._ask)
                self.level = self._size
                # No smallest set that meets every correction is larger than all they name.
                self.complete = self.level >= len(self._used)
                # Where a size taught nothing it is likely that there is no more to learn: try all the rest at once.
                self._size = max(self.level + 1, len(self._used) if self.possible.calls == asked else 0)

    def _record(self, group: Conflict) -> None:
        self.found[frozenset(group.items)] = group
        if sum(len(items) <= self._size for items in self.found) > self.limit:
            raise Enough

    def _ask(self, literals: list[int], available: Clause) -> Sequence[Clause] | None:
        chosen = {literal >> 1 for literal in literals}
        if any(items <= chosen for items in self.found):
            return None
        group = self.possible.clash(chosen)
        if group is not None:
            self._record(group)
            return None
        missed = set(range(self.count)) - self._largest(chosen)
        self._used |= missed
        return [clause_of([2 * i for i in missed], 2 * self.count)]

    def _largest(self, chosen: set[int]) -> set[int]:
        """Return a largest possible set of items around some that are possible."""
        held = self.possible.hold(chosen)
        assert held is not None
        for i in self._spread():
            if i not in held:
                held = self.possible.hold(held | {i}) or held
        return held

    def _spread(self) -> Iterator[int]:
        """Yield the items in an order that differs from time to time, so that corrections differ."""
        start = (7919 * self.search.asked) % self.count
        yield from (*range(start, self.count), *range(start))
