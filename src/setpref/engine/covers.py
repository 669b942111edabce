"""Cheapest covers: choices of literals that meet every clause, the clauses coming from whoever is asked at the leaves.

The search kernel is driven within one budget at a time: nothing is known here of what a literal or a clause stands for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from setpref.engine import hitting
from setpref.engine.hitting import ASK, BUDGET, BUDGET2, BUDGETW, DEPTH, DONE, NODES, PAUSED, UNIT
from setpref.progress import Enough, Progress, Step

__all__ = ["MOST", "NO_LIMIT", "Ask", "CoverSearch", "clause_of"]

Clause = npt.NDArray[np.uint64]
Ask = Callable[[list[int], Clause], Sequence[Clause] | None]
Costs = npt.NDArray[np.int64]

#: Costs of all literals together stay below this, so that the dual bound stays within 64 bits.
MOST = 1 << 48
NO_LIMIT = 1 << 40
POOL, CAPACITY = 3000, 6000
INTERPRETED_SECONDS = 1.5
COMPILING_SECONDS = 5.0
MEMORY = 1_500_000_000


def clause_of(literals: Iterable[int], count: int) -> Clause:
    """Return literals as the bitset the kernel works on."""
    flags = np.zeros(count, dtype=bool)
    flags[list(literals)] = True
    return np.asarray(hitting.pack(flags, -(-count // 64)))


class CoverSearch:
    """A pool of clauses over priced literals, and searches of it within budgets.

    Parameters
    ----------
    cost, cost2
        Whole-number price of every literal in the first budget (at least 1) and in the second. Literals 2 j and
        2 j + 1 exclude each other.
    compiled
        Whether the kernel is compiled; by default it starts uncompiled and compiles if the search lasts.
    deadline
        On the clock of `time.perf_counter`; then `Enough` is raised.
    """

    def __init__(
        self,
        cost: Sequence[int],
        cost2: Sequence[int] | None = None,
        *,
        compiled: bool | None = None,
        progress: Progress | None = None,
        deadline: float | None = None,
    ) -> None:
        self.cost: Costs = np.array(cost, dtype=np.int64)
        self.cost2: Costs = np.zeros_like(self.cost) if cost2 is None else np.array(cost2, dtype=np.int64)
        self.progress, self.deadline, self.start = progress, deadline, time.perf_counter()
        self.doing, self.level, self.best = "searching", 0, None
        self.nodes = self.asked = 0
        self._words = np.zeros((0, -(-len(self.cost) // 64)), dtype=np.uint64)
        self._activity = np.zeros(0, dtype=np.int64)
        self._seconds = 0.0
        self._kernel = compiled
        if compiled is None and hitting.compiled.cache_info().currsize:
            self._kernel = True
        self._state: hitting.Search | None = None

    doing: str
    level: int
    best: int | None

    def add(self, clauses: Sequence[Clause]) -> None:
        """Give the pool clauses, between searches."""
        if len(clauses):
            self._words = np.concatenate([self._words, np.array(clauses)])
            self._activity = np.concatenate([self._activity, np.ones(len(clauses), dtype=np.int64)])

    @property
    def running(self) -> bool:
        """Whether a search is going on, which takes clauses only as answers."""
        return self._state is not None

    def fits_memory(self, depth: int) -> bool:
        """Tell whether a search so deep can be held in memory."""
        literals = len(self.cost)
        per_row = 8 * literals + 12 * (literals + 8 * depth + 400) + 4 * CAPACITY
        return (depth + 3) * per_row + CAPACITY * literals // 8 < MEMORY

    def search(self, budget: int, depth: int, ask: Ask, limit2: int = NO_LIMIT) -> None:
        """Visit every cover within the budgets of at most `depth` literals.

        Parameters
        ----------
        ask
            Called with every choice that meets all clauses known, and the literals available where it was made. Returns
            clauses that the choice does not meet, or None to go on without it.
        """
        order = np.argsort(-self._activity, kind="stable")[:POOL]
        words, activity = self._words[order], self._activity[order] // 2
        s = hitting.new_search(words, self.cost, self.cost2, self.cost * UNIT, depth, CAPACITY)
        s.activity[: len(order)] = activity
        s.registers[[BUDGET, BUDGET2, BUDGETW]] = budget, limit2, budget * UNIT
        self._state, used, free = s, len(order), np.zeros(0, dtype=np.int64)
        try:
            while (code := self._advance(s)) != DONE:
                if code == PAUSED:
                    continue
                t = int(s.registers[DEPTH])
                self.asked += 1
                found = ask(s.chosen[2 : t + 1].tolist(), s.available[max(t - 2, 1)])
                if found is None:
                    hitting.accept(s)
                    continue
                for clause in found:
                    if used == CAPACITY and not len(free):
                        free = hitting.trim(s, used, POOL)
                        if not len(free):
                            raise Enough  # every clause of the pool carries dual weight
                    if len(free):
                        slot, free = int(free[-1]), free[:-1]
                    else:
                        slot, used = used, used + 1
                    hitting.add_clause(s, slot, clause)
        finally:
            self._state = None
            alive = np.setdiff1d(np.arange(used), free)
            self._words, self._activity = s.clauses[alive].copy(), s.activity[alive].copy()

    def tighten(self, budget: int) -> None:
        """Lower the first budget of the search that is going on."""
        assert self._state is not None
        self._state.registers[[BUDGET, BUDGETW]] = budget, budget * UNIT

    def _advance(self, s: hitting.Search) -> int:
        """Run the kernel for a short while; watch the clock and the compiler."""
        kernel = hitting.compiled() if self._kernel else hitting.interpreted
        started, before = time.perf_counter(), int(s.registers[NODES])
        code = kernel(s, 4000 if self._kernel else 4)
        now = time.perf_counter()
        self._seconds += now - started
        self.nodes += int(s.registers[NODES]) - before
        self.check_time()
        if self._kernel is None and self._seconds > INTERPRETED_SECONDS:
            # The first compilation on a machine takes seconds: a search that is almost over goes on without it.
            self._kernel = self.deadline is None or self.deadline - now > COMPILING_SECONDS or None
        if code in (PAUSED, ASK) and self.progress is not None:
            seconds = now - self.start
            self.progress(Step(self.doing, self.level, self.best, self.nodes, len(self._words), seconds))
        return code

    def check_time(self) -> None:
        """Raise `Enough` if it is."""
        if self.deadline is not None and time.perf_counter() > self.deadline:
            raise Enough
