"""Whether items can hold together at a degree; and if not, a smallest reason.

At the highest degree the answer is a graph's: a cycle of "over" and "same as" with at least one "over". Below it, it is
the oracle's. Either way what cannot hold comes back as a group none of whose items could be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Integral

import numpy as np

from setpref.arguments import told
from setpref.data.graph import merged, order_with_few_against, shortest_clash, strong_components
from setpref.data.items import Items
from setpref.errors import CertificateRejected, InputError
from setpref.model import KernelModel, Model
from setpref.proofs.repairs import Conflict
from setpref.rows import Kind, Rows, pair
from setpref.solving.fitting import Fit, Terms, UpTo, choose_route, fit, system_of
from setpref.solving.integers import Integers, null_space
from setpref.solving.oracle import DoesNotFit, decide
from setpref.solving.systems import System
from setpref.terms import terms_up_to
from setpref.universe import Universe

__all__ = ["Possible", "checked_degree"]

CYCLE_BUDGET = 200_000


def checked_degree(degree: object, elements: int) -> int:
    """Return the degree asked for, all of them by default; refuse what is none."""
    if degree is None:
        return elements
    if isinstance(degree, bool) or not isinstance(degree, Integral):
        raise InputError(f"the degree {told(degree)} is no whole number; give one from 1 to {elements}")
    if not 1 <= (whole := int(degree)) <= elements:
        raise InputError(f"the degree {degree} is out of range; over {elements} elements give one from 1 to {elements}")
    return whole


class Possible:
    """Answers about subsets of items at one degree.

    Attributes
    ----------
    core : list of int
        The items that may be part of a group; all others hold whatever happens.
    parts : list of list of int
        The core in parts that no group crosses.
    """

    def __init__(self, items: Items, degree: int) -> None:
        self.items, self.degree = items, degree
        self.calls = 0
        self.rated = items.preferences.ratings is not None
        self._sets = [item.sets for item in items.all]
        self._same = [item.same for item in items.all]
        self.highest = degree >= len(items.preferences.universe)
        if self.rated:
            items.preferences.check_consistent()
            self.parts = [] if self.highest else [list(range(len(items)))]
        else:
            self._masks = items.preferences.alternatives
            place = {mask: i for i, mask in enumerate(self._masks)}
            self._ends = [(place[sets[0]], place[sets[1]]) for sets in self._sets]
            self.parts = self._strong_parts() if self.highest else [list(range(len(items)))]
        self.core = sorted(i for part in self.parts for i in part)
        self._system = None if self.rated or self.highest else self._statement_rows()

    def clash(self, kept: Collection[int]) -> Conflict | None:
        """Return a group among the items, none of which could be left out; None if they are possible."""
        self.calls += 1
        if self.highest:
            return None if self.rated else self._cycle(kept)
        answer = self._ask(sorted(kept))
        return self._smallest(answer) if isinstance(answer, Conflict) else None

    def hold(self, kept: Collection[int]) -> set[int] | None:
        """Return items that hold together, among them all those given; None if those cannot."""
        self.calls += 1
        if self.highest:
            return set(kept) if self.rated or self._cycle(kept) is None else None
        answer = self._ask(sorted(kept))
        if isinstance(answer, Conflict):
            return None
        found = set(kept)
        if self._system is not None and isinstance(answer, Model):
            # The model may satisfy more than it was asked for; a value of its may be too large for 64 bits.
            margins = self._system.matrix @ np.array([answer.values.get(t, 0) for t in self._terms], dtype=object)
            found.update(i for i, x in enumerate(margins) if (x == 0 if self._same[i] else x > 0))
        return found

    def rough(self, part: Sequence[int]) -> frozenset[int]:
        """Return items of a part whose removal leaves it possible, in a moment: far from the fewest, perhaps."""
        if self.highest:
            return self._ordered(part)
        if self._system is None or not part:
            return frozenset(part)
        same = np.array([self._same[i] for i in part])
        rows = self._system.matrix[list(part)]
        values = np.linalg.lstsq(rows.astype(float), np.where(same, 0.0, 1.0), rcond=None)[0]
        margins = rows @ np.rint(values * 2**20).astype(np.int64)
        return frozenset(i for i, fine in zip(part, np.where(same, margins == 0, margins > 0), strict=True) if not fine)

    def part_of(self, item: int) -> set[int]:
        """Return the items that may be in a group with an item."""
        return next((set(part) for part in self.parts if item in part), set())

    # -- the highest degree: a graph --------------------------------------------------------------------------

    def _strong_parts(self) -> list[list[int]]:
        """Return the items within strongly connected parts that hold a strict one."""
        edges, equal = ([e for e, s in zip(self._ends, self._same, strict=True) if s is same] for same in (False, True))
        ways = (*edges, *equal, *((v, u) for u, v in equal))
        component = strong_components(len(self._masks), ways)
        found: dict[int, list[int]] = {}
        for i, (u, v) in enumerate(self._ends):
            if component[u] == component[v]:
                found.setdefault(component[u], []).append(i)
        return [part for part in found.values() if any(not self._same[i] for i in part)]

    def steps(self, numbers: Sequence[int]) -> list[tuple[int, int, bool]]:
        """Return statements as steps between nodes: from, to, and whether it may be walked both ways."""
        return [(*self._ends[i], self._same[i]) for i in numbers]

    def along(self, cycle: Sequence[int]) -> Conflict:
        """Return the group of a cycle of statements, the first of them strict."""
        pairs, (_, node) = [self._sets[cycle[0]]], self._ends[cycle[0]]
        for i in cycle[1:]:
            u, v = self._ends[i]
            a, b = self._sets[i]
            pairs.append((a, b) if u == node else (b, a))
            node = v if u == node else u
        return Conflict(tuple(sorted(cycle)), tuple((a, b, 1) for a, b in pairs))

    def _cycle(self, kept: Collection[int]) -> Conflict | None:
        number: dict[int, int] = {}
        step: dict[tuple[int, int], int] = {}
        for i in sorted(kept, key=lambda i: (self._same[i], i)):
            u, v = (number.setdefault(node, len(number)) for node in self._ends[i])
            step.setdefault((u, v), i)
            if self._same[i]:
                step.setdefault((v, u), i)
        edges = [pair for pair, i in step.items() if not self._same[i]]
        equal = [pair for pair, i in step.items() if self._same[i]]
        found = shortest_clash(len(number), edges, equal, CYCLE_BUDGET)
        if found is None:
            return None
        nodes, _ = found
        cycle = [step[pair] for pair in zip(nodes, [*nodes[1:], nodes[0]], strict=True)]
        first = next(place for place, i in enumerate(cycle) if not self._same[i])
        return self.along(cycle[first:] + cycle[:first])

    def _ordered(self, part: Sequence[int]) -> frozenset[int]:
        """Return strict statements against an order of the sets in which few of them are (Eades, Lin and Smyth)."""
        leader = merged(len(self._masks), [self._ends[i] for i in part if self._same[i]])
        strict = [i for i in part if not self._same[i]]
        ends = {i: (leader[self._ends[i][0]], leader[self._ends[i][1]]) for i in strict}
        weight = [item.weight for item in self.items.all]
        weighted = [(*ends[i], weight[i]) for i in strict]
        rank = {node: place for place, node in enumerate(order_with_few_against(weighted))}
        return frozenset(i for i in strict if rank[ends[i][0]] >= rank[ends[i][1]])

    # -- lower degrees: the oracle ------------------------------------------------------------------------------

    def _statement_rows(self) -> System | None:
        """Return what every term says of each item, if the terms are few enough to list."""
        universe = self.items.preferences.universe
        if choose_route(len(universe), self.degree) != "explicit":
            return None
        self._terms = terms_up_to(len(universe), self.degree)
        return system_of(self._rows(range(len(self.items))), Terms(tuple(self._terms)), universe)[0]

    def _rows(self, kept: Sequence[int]) -> Rows:
        kinds = (Kind.EQUAL if self._same[i] else Kind.STRICT for i in kept)
        return Rows(self._masks, tuple(pair(*self._ends[i], kind) for i, kind in zip(kept, kinds, strict=True)))

    def _ask(self, kept: Sequence[int]) -> Model | KernelModel | Conflict:
        """Return a model of the items, or a group among them, perhaps not a smallest one."""
        universe = self.items.preferences.universe
        if self._system is not None:
            return self._ask_system(self._system, kept, universe)
        rows = self.items.keeping(kept).rows if self.rated else self._rows(kept)
        answer = fit(rows, UpTo(self.degree), universe)
        if isinstance(answer, Fit):
            return answer.model
        among = frozenset(kept)
        used = {i for a, b, _ in answer.pairs for i in self.items.states(a, b, among)[1]}
        return Conflict(tuple(sorted(used)), answer.pairs)

    def _ask_system(self, system: System, kept: Sequence[int], universe: Universe) -> Model | Conflict:
        outcome = decide(system.rows(kept))
        if not isinstance(outcome, DoesNotFit):
            return Model(universe, dict(zip(self._terms, outcome.values, strict=True)))
        used = [(i, m) for i, m in zip(kept, outcome.multipliers, strict=True) if m]
        sides = [(self._sets[i], m) for i, m in sorted(used, key=lambda one: self._same[one[0]])]
        pairs = tuple((a, b, m) if m > 0 else (b, a, -m) for (a, b), m in sides)
        return Conflict(tuple(sorted(i for i, _ in used)), pairs)

    def _smallest(self, group: Conflict) -> Conflict:
        """Leave out items as long as the rest cannot hold together."""
        if not group.items:
            raise CertificateRejected("the multipliers of a refusal are on pairs that nobody stated")
        if self._system is not None and _independent(self._system.matrix[list(group.items)]):
            return group
        for i in group.items[::-1]:
            # An item that the group needs is needed by every smaller group inside it.
            if i in group.items:
                self.calls += 1
                answer = self._ask([j for j in group.items if j != i])
                if isinstance(answer, Conflict):
                    group = answer
        return group


def _independent(rows: Integers) -> bool:
    """Tell whether rows that cancel in one way only are independent once any of them is left out."""
    return len(null_space(rows[:, rows.any(axis=0)].T)) == 1
