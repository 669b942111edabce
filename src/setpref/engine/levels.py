"""The level search: pool of clauses, kernel, trials, heuristic, and the multipliers a proof is made of.

Levels are costs: cardinality 1, 2, ... (total size for ``ws``). Below the level that is being searched everything is
proven impossible; the first level with a solution, enumerated completely, is the answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setpref.engine import hitting
from setpref.engine.classes import TermClass
from setpref.engine.clauses import ClauseMaker, Compared, Found, Multipliers, Words
from setpref.engine.heuristic import good_thetas
from setpref.engine.hitting import BUDGET, BUDGET2, BUDGETW, DEPTH, DONE, NODES, PAUSED, UNIT
from setpref.progress import Enough, Progress, Step
from setpref.simplicity import Simplicity
from setpref.solving.highs import packing

__all__ = ["LevelSearch", "Settings", "Solution", "Statistics", "extent_matrix", "prices"]

Costs = npt.NDArray[np.int64]

NO_LIMIT = 1 << 40


@dataclass(frozen=True)
class Settings:
    """What was tuned; every choice is sound, only speed depends on it."""

    sums: int = 2000  # two-pair sums among the seed clauses
    pool: int = 4000  # clauses kept when the pool is trimmed
    capacity: int = 8000  # clauses held at most
    tests: int = 6  # literals tried for removal per new clause
    relax_from: int = 2000  # nodes of a level after which the next levels start from a root LP
    relax_clauses: int = 1200  # clauses in that LP
    interpreted_seconds: float = 0.3  # work done before numba is imported
    heuristic: tuple[tuple[float, float], ...] = ((0.25, 0.15), (1.5, 0.75), (10.0, 2.0), (40.0, 4.0))
    # (seconds after which a round of the heuristic starts, its seconds)
    walk_seconds: float = 0.25  # one walk of the heuristic
    size_weight: tuple[int, int] = (1, 1)  # (cost, total size) in the dual bound of the last level
    archive: int = 200_000  # clauses remembered for the proof
    prune_proof_nodes: int = 20_000  # searches up to this size leave clauses that a proof can spare


@dataclass(frozen=True)
class Solution:
    """A theta up to interchangeable terms: classes, increasing, and a value of each that fits every statement."""

    classes: tuple[int, ...]
    values: tuple[int, ...]


@dataclass
class Statistics:
    """What the search did."""

    nodes: int = 0
    clauses: int = 0
    asked: int = 0
    oracle_calls: int = 0
    seconds: float = 0.0
    kernel_seconds: float = 0.0
    relax_seconds: float = 0.0
    heuristic_seconds: float = 0.0
    compiled: bool = False


def extent_matrix(classes: Sequence[TermClass], alternatives: int) -> npt.NDArray[np.int8]:
    """Return the matrix [class, alternative] of 0 and 1."""
    rows = [[c.extent >> i & 1 for i in range(alternatives)] for c in classes]
    return np.array(rows, dtype=np.int8).reshape(len(rows), alternatives)


def prices(classes: Sequence[TermClass], simplicity: Simplicity) -> tuple[Costs, Costs]:
    """Return what each literal, two per class, adds to the first and to the second count of a theta."""
    each = [simplicity.price(c.size) for c in classes for _ in range(2)]
    first, second = np.array(each, dtype=np.int64).reshape(-1, 2).T.copy()
    return first, second


def _disjoint(words: Words, most: int = 400) -> int:
    """Return how many of the shortest clauses share no literal, taken greedily: so many terms are needed."""
    used = count = 0
    for row in words[:most]:
        clause = int.from_bytes(row.tobytes(), "little")
        if not clause & used:
            used |= clause
            count += 1
    return count


class LevelSearch:
    """One search: the pool of clauses, the levels, the solutions.

    The pool outlives the levels; slots are handed to the kernel at the start of each.
    """

    def __init__(
        self,
        compared: Compared,
        classes: Sequence[TermClass],
        simplicity: Simplicity,
        settings: Settings,
        compiled: bool | None,
        progress: Progress | None,
        deadline: float | None,
    ) -> None:
        self.compared, self.simplicity = compared, simplicity
        self.settings, self.progress, self.deadline = settings, progress, deadline
        self.start = time.perf_counter()
        self.statistics = Statistics()
        self.maker = ClauseMaker(compared, extent_matrix(classes, len(compared.alternatives)), settings.tests)
        self.cost, self.cost2 = prices(classes, simplicity)
        self.words, makers = self.maker.seeds(settings.sums)
        self.activity = np.zeros(len(makers), dtype=np.int64)
        self.archive: list[Multipliers] | None = makers
        self.level = _disjoint(self.words)
        self.heavy = False
        self.found: dict[tuple[int, ...], Solution] = {}
        self.best: tuple[int, int, Solution] | None = None
        self._round = self._walks = 0
        self._kernel = compiled
        if compiled or (compiled is None and hitting.compiled.cache_info().currsize):
            self._kernel = True

    # -- levels ----------------------------------------------------------------------------------

    def run(self) -> bool:
        """Search level by level until one has solutions; return True (all of them are known)."""
        while True:
            for limit in self._limits():
                self._enumerate(self.level, limit)
                if self.found:
                    return True
            self.level += 1

    def _limits(self) -> list[int]:
        """Return the limits on the total size to search the level with, one after the other."""
        if self.best is not None and self.best[0] == self.level:
            return [self.best[1]]
        if self.best is not None and self.best[0] == self.level + 1 and self.cost2.any():
            # One below a known theta a solution is likely, and much cheaper to find if its size
            # is guessed: a wrong guess costs a fraction of the search without limit.
            return [self.best[1] + 1, NO_LIMIT]
        return [NO_LIMIT]

    def _enumerate(self, budget: int, limit: int) -> None:
        while True:
            self.found = {}
            tightened = self._search(budget, limit)
            if tightened is None:
                return
            # The first solution bounds the total size: the search is much smaller with it.
            limit = tightened

    def _begin(self, budget: int, limit: int) -> hitting.Search:
        order = np.argsort(-self.activity, kind="stable")[: self.settings.pool]
        self.words, self.activity = self.words[order], self.activity[order] // 2
        # Once the total size is limited, the dual bound pays for both budgets at once.
        first, second = self.settings.size_weight if limit < NO_LIMIT else (1, 0)
        weight = (first * self.cost + second * self.cost2) * UNIT
        depth = budget // int(self.cost.min())
        s = hitting.new_search(self.words, self.cost, self.cost2, weight, depth, self.settings.capacity)
        s.activity[: len(order)] = self.activity
        s.registers[[BUDGET, BUDGET2]] = budget, limit
        s.registers[BUDGETW] = (first * budget + second * limit) * UNIT
        if self.heavy:
            self._relax(s, weight)
        return s

    def _relax(self, s: hitting.Search, weight: npt.NDArray[np.int64]) -> None:
        t0 = time.perf_counter()
        top = min(len(self.words), self.settings.relax_clauses)
        flags = hitting.unpack(self.words[:top], len(self.cost))
        y = packing(flags, weight / UNIT)
        hitting.set_dual(s, 0, np.arange(top), np.floor(y * UNIT * (1 - 1e-9)).astype(np.int64))
        self.statistics.relax_seconds += time.perf_counter() - t0

    def _search(self, budget: int, limit: int) -> int | None:
        """Search one level; return a tighter limit on the total size to restart with, or None."""
        s = self._begin(budget, limit)
        used, free = len(self.words), np.zeros(0, dtype=np.int64)
        nodes_before = self.statistics.nodes
        restart: int | None = None
        try:
            while True:
                code = self._advance(s)
                if code == DONE:
                    break
                if limit == NO_LIMIT and self.cost2.any() and self.best is not None and self.best[0] == budget:
                    # The heuristic just found a theta of this level: its size is a limit.
                    restart = self.best[1]
                    break
                if code == PAUSED:
                    continue
                t = int(s.registers[DEPTH])
                literals = s.chosen[2 : t + 1].tolist()
                answer = self.maker.ask(literals, s.available[max(t - 2, 1)])
                self.statistics.asked += 1
                if isinstance(answer, Found):
                    restart = self._accept(s, literals, answer, budget, limit)
                    if restart is not None:
                        break
                    continue
                if used == len(s.activity) and not len(free):
                    free = hitting.trim(s, used, self.settings.pool)
                    if not len(free):
                        raise Enough  # every clause of the pool carries dual weight
                if len(free):
                    slot, free = int(free[-1]), free[:-1]
                else:
                    slot, used = used, used + 1
                self._remember(answer.multipliers)
                hitting.add_clause(s, slot, answer.words)
        finally:
            alive = np.setdiff1d(np.arange(used), free)
            self.words, self.activity = s.clauses[alive].copy(), s.activity[alive].copy()
        if self.statistics.nodes - nodes_before > self.settings.relax_from:
            self.heavy = True
        return restart

    def _remember(self, multipliers: Multipliers) -> None:
        self.statistics.clauses += 1
        if self.archive is not None and len(self.archive) < self.settings.archive:
            self.archive.append(multipliers)
        else:
            self.archive = None

    def _accept(self, s: hitting.Search, literals: list[int], fits: Found, budget: int, limit: int) -> int | None:
        size = int(s.used2[s.registers[DEPTH]])
        pairs = sorted(zip((lit >> 1 for lit in literals), fits.values, strict=True))
        solution = Solution(tuple(c for c, _ in pairs), tuple(v for _, v in pairs))
        self.offer(budget, size, solution)
        if limit == NO_LIMIT and size:
            return min(size, self.best[1]) if self.best else size
        if size < s.registers[BUDGET2] and size:
            s.registers[BUDGET2] = size
            first, second = self.settings.size_weight
            s.registers[BUDGETW] = (first * budget + second * size) * UNIT
            self.found = {}
        self.found[solution.classes] = solution
        hitting.accept(s)
        return None

    def offer(self, cost: int, size: int, solution: Solution) -> None:
        """Keep a fitting theta if it is better than the best known."""
        if self.best is None or (cost, size) < self.best[:2]:
            self.best = cost, size, solution

    def _advance(self, s: hitting.Search) -> int:
        """Run the kernel for a short while; watch the clock, the compiler and the heuristic."""
        kernel = hitting.compiled() if self._kernel else hitting.interpreted
        t0 = time.perf_counter()
        started = int(s.registers[NODES])
        code = kernel(s, 4000 if self._kernel else 4)
        now = time.perf_counter()
        self.statistics.kernel_seconds += now - t0
        self.statistics.nodes += int(s.registers[NODES]) - started
        self.statistics.compiled = bool(self._kernel)
        if self.deadline is not None and now > self.deadline:
            raise Enough
        if code == DONE:
            return code
        if self._kernel is None and self.statistics.kernel_seconds > self.settings.interpreted_seconds:
            self._kernel = True
        rounds = self.settings.heuristic
        if self._round < len(rounds) and now - self.start > rounds[self._round][0]:
            self._improve(rounds[self._round][1])
        if code == PAUSED and self.progress is not None:
            upper = self.best[0] if self.best else None
            doing = f"{self.simplicity.counted} {self.level}"
            nodes, pool = self.statistics.nodes, len(self.words)
            self.progress(Step(doing, self.level, upper, nodes, pool, now - self.start))
        return code

    def _improve(self, seconds: float) -> None:
        """Look for a good theta: an upper bound, and a limit on the total size."""
        self._round += 1
        t0 = time.perf_counter()
        stop = t0 + seconds
        if self.deadline is not None:
            stop = min(stop, self.deadline)
        price, price2 = self.cost[::2], self.cost2[::2]
        while (now := time.perf_counter()) < stop:
            # Several short walks find more than a long one.
            until = min(stop, now + self.settings.walk_seconds)
            for theta in good_thetas(self.maker.trials, price, price2, until, self._walks):
                chosen = list(theta[0])
                cost, size = int(price[chosen].sum()), int(price2[chosen].sum())
                self.offer(cost, size, Solution(*theta))
            if until < stop:
                self._walks += 1  # a walk cut short is taken again in the next round
        self.statistics.heuristic_seconds += time.perf_counter() - t0
