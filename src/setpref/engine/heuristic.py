"""Good thetas fast, for upper bounds: what they cost is only believed once whole-number values fit.

Three steps: reweighted L1 gives a sparse start, elimination makes it minimal, and a tabu search swaps terms towards a
theta one cheaper than the best, guided by the squared hinge loss.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from setpref.engine.quick import Trials
from setpref.solving.highs import l1_values

__all__ = ["good_thetas"]

RIDGE = 1e-6  # keeps Newton's matrix invertible; a proposal only
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Theta = tuple[tuple[int, ...], tuple[int, ...]]


def good_thetas(trials: Trials, cost: Integers, cost2: Integers, stop: float, seed: int = 0) -> Iterator[Theta]:
    """Yield fitting thetas (classes, values), each cheaper than the last, until the time is up.

    Parameters
    ----------
    trials
        Decides whether a theta fits.
    cost, cost2
        Prices of the classes; a theta is cheaper if (sum of cost, sum of cost2) is smaller.
    stop
        When to end (`time.perf_counter`).
    seed
        Different seeds walk differently.
    """
    search = _Heuristic(trials, cost, cost2, stop, seed)
    support = search.eliminate(search.sparse_start())
    while True:
        yield from search.checked(support)
        for smaller in search.shrink(support):
            yield from search.checked(smaller)
        better = search.swap(support)
        if better is None:
            return
        support = search.eliminate(better)


class _Heuristic:
    """One walk: the prices, the clock, and the moves."""

    def __init__(
        self,
        trials: Trials,
        cost: Integers,
        cost2: Integers,
        stop: float,
        seed: int,
    ) -> None:
        self.trials, self.cost, self.cost2, self.stop = trials, cost, cost2, stop
        every = trials.system.matrix.T.astype(float)
        self.d, self.e = every[:, : trials.signed], every[:, trials.signed :]  # [class, row], [class, equation]
        # Strict rows are to be worth 1 at least, weak ones 0.
        self.wanted = np.repeat([1.0, 0.0], [trials.strict, trials.signed - trials.strict])
        self.price = cost + 0.01 * cost2
        self.seed = seed
        self.rng = np.random.default_rng(seed)

    def late(self) -> bool:
        return time.perf_counter() > self.stop

    def fits(self, support: list[int]) -> bool:
        return bool(support) and self.trials.propose(support, None)[0]

    def checked(self, support: list[int]) -> Iterator[Theta]:
        """Yield the theta if whole-number values fit; classes whose value turns out to be 0 are left out."""
        fits, x = self.trials.propose(support, None)
        values = self.trials.exact_values(support, None, x) if fits else None
        if values is not None:
            pairs = sorted((c, v) for c, v in zip(support, values, strict=True) if v)
            yield tuple(c for c, _ in pairs), tuple(v for _, v in pairs)

    def sparse_start(self) -> list[int]:
        """Minimise the weighted L1 norm a few times, weights from the last values."""
        every = list(range(len(self.d)))
        # Every seed but the first starts elsewhere.
        noise = self.rng.uniform(0.5, 1.5, len(self.d)) if self.seed else 1.0
        weights = self.price * noise
        best = every
        for _ in range(5):
            values = l1_values(self.d, self.e, self.wanted, weights)
            support = np.flatnonzero(np.abs(values) > 1e-7 * np.abs(values).max()).tolist()
            if len(support) < len(best) and self.fits(support):
                best = support
            weights = self.price / (np.abs(values) + 0.05 * np.abs(values).max())
            if self.late():
                break
        return best

    def eliminate(self, support: list[int]) -> list[int]:
        """Drop terms while the theta still fits, the weakest first."""
        while len(support) > 1:
            order = self.weakness(support)
            for out in order:
                rest = support[:out] + support[out + 1 :]
                if self.fits(rest):
                    support = rest
                    break
            else:
                return support
        return support

    def shrink(self, support: list[int]) -> Iterator[list[int]]:
        """Swap a term for one with a smaller second price, while the theta fits."""
        improved = bool(self.cost2.any())
        while improved:
            improved = False
            for position in sorted(range(len(support)), key=lambda i: -self.cost2[support[i]]):
                old = support[position]
                rest = support[:position] + support[position + 1 :]
                _, _, residual, _ = self.hinge(rest)
                order = np.argsort(-self.pull(residual))
                smaller = [
                    int(j)
                    for j in order
                    if self.cost[j] <= self.cost[old] and self.cost2[j] < self.cost2[old] and j not in rest
                ]
                for j in smaller[:12]:
                    if self.late():
                        return
                    if self.fits([*rest, j]):
                        support = [*rest, j]
                        improved = True
                        yield support
                        break

    def swap(self, support: list[int]) -> list[int] | None:
        """Search a fitting theta cheaper than `support` by tabu swaps; None when time is up."""
        target = self.cost[support].sum()
        tabu = np.zeros(len(self.cost), dtype=np.int64)
        current = list(support)
        step = 0
        while not self.late():
            step += 1
            if len(current) < 2:
                if len(support) == 1:
                    return None
                current = list(support)
            order = self.weakness(current)
            out = next((i for i in order if tabu[current[i]] <= step), int(order[0]))
            tabu[current[out]] = step + 3 + int(self.rng.integers(8))
            current.pop(out)
            while current and self.cost[current].sum() >= target:
                current.pop(int(self.weakness(current)[0]))
            _, _, residual, _ = self.hinge(current)
            room = target - 1 - self.cost[current].sum()
            score = self.pull(residual) / self.price
            score[current] = -1.0
            score[(tabu > step) | (self.cost > room)] = -1.0
            trials = [int(j) for j in np.argsort(-score)[:4] if score[j] > 0]
            if not trials:
                continue
            losses = [self.hinge([*current, j])[0] for j in trials]
            joined = trials[int(np.argmin(losses))]
            current.append(joined)
            tabu[joined] = step + 2
            # Every margin positive is enough: the values can be scaled.
            _, values, _, _ = self.hinge(current)
            if (values @ self.d[current] > 1e-7 * self.wanted - 1e-12).all() and self.fits(current):
                return current
        return None

    def pull(self, residual: Floats) -> Floats:
        """Return how strongly each class could lower the loss."""
        rows = self.d.shape[1]
        return np.asarray(np.abs(self.d @ residual[:rows] + self.e @ residual[rows:]))

    def weakness(self, support: list[int]) -> Integers:
        """Order a support by the rise of the loss when a term is forced to 0, to second order."""
        _, values, _, spread = self.hinge(support)
        return np.argsort(values**2 / spread / self.price[support])

    def hinge(self, support: list[int]) -> tuple[float, Floats, Floats, Floats]:
        """Minimise sum(max(0, wanted - D v)^2) + sum((E v)^2) by Newton's method.

        Returns
        -------
        tuple
            Loss, values, residuals, and the diagonal of the inverse Hessian.
        """
        d, e = self.d[support], self.e[support]
        eye = RIDGE * np.eye(len(support)) + e @ e.T
        active = np.ones(d.shape[1], dtype=bool)
        for _ in range(8):
            part = d[:, active]
            inverse = np.linalg.inv(part @ part.T + eye)
            values = inverse @ (part @ self.wanted[active])
            now = values @ d < self.wanted
            if (now == active).all() or not now.any():
                break
            active = now
        residual = np.concatenate([np.maximum(0.0, self.wanted - values @ d), -(values @ e)])
        return float(residual @ residual), values, residual, np.diag(inverse)
