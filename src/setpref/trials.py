"""Trials of thetas during the search: hundreds of tiny questions, proposed in microseconds, decided in integers.

A signed theta is a list of classes with signs. It fits iff positive sizes exist whose values satisfy every row;
otherwise multipliers on the rows show that it cannot. A quick solver proposes; what it says is made exact and checked
here, and whatever resists goes to :mod:`setpref.oracle`, which settles everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.oracle import Fits, decide

__all__ = ["NEAR_ZERO", "Trials"]

ABSURD = 1e12  # no multiplier of rows this short is so large
NEAR_ZERO = 1e-7  # relative size under which a proposed number counts as zero; what follows is checked exactly
HOT_ROWS = 64  # rows given to the solver at first when there are many more

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Signs = Sequence[int] | None


class Trials:
    """Answers about signed thetas over fixed rows.

    Parameters
    ----------
    extents
        Matrix [class, alternative] of 0 and 1.
    rows
        Pairs (better, worse) of positions of alternatives.
    """

    def __init__(self, extents: npt.NDArray[np.int8], rows: Sequence[tuple[int, int]]) -> None:
        better, worse = np.array([a for a, _ in rows]), np.array([b for _, b in rows])
        self.differences: Integers = (extents[:, better] - extents[:, worse]).astype(np.int64)
        self._floats = self.differences.astype(float)
        self.calls = 0
        self._constants: dict[tuple[int, int, bool], tuple[Any, ...]] = {}
        self._decided = np.zeros(len(rows))
        self._hot = np.arange(min(len(rows), HOT_ROWS))

    # -- proposing -----------------------------------------------------------------------------------------

    def propose(self, classes: Sequence[int], signs: Signs) -> tuple[bool, Floats]:
        """Return whether the theta seems to fit, with sizes of its values, or with multipliers of the rows."""
        self.calls += 1
        matrix = self._floats[list(classes)].T
        if signs is not None:
            matrix = matrix * np.array(signs)
        if len(matrix) <= 1.5 * HOT_ROWS:
            return self._solve(np.ascontiguousarray(matrix), signs is not None)
        # Few rows decide: solve on those that decided most often, add the violated ones.
        if self.calls % 64 == 1:
            self._hot = np.argpartition(-self._decided, HOT_ROWS)[:HOT_ROWS]
        rows = self._hot
        while True:
            fits, x = self._solve(np.ascontiguousarray(matrix[rows]), signs is not None)
            if not fits:
                multipliers = np.zeros(len(matrix))
                multipliers[rows] = x
                self._decided[rows[x > 0]] += 1
                return False, multipliers
            margins = matrix @ x
            violated = np.setdiff1d(np.flatnonzero(margins < 1 - 1e-6), rows)
            if not len(violated):
                return True, x
            worst = violated[np.argsort(margins[violated])[: HOT_ROWS // 2]]
            self._decided[worst] += 1
            rows = np.concatenate([rows, worst])

    def _solve(self, matrix: Floats, signed: bool) -> tuple[bool, Floats]:
        import daqp

        squares = np.einsum("ij,ij->i", matrix, matrix)
        if not squares.all():
            # daqp leaves the multipliers of an all-zero row uninitialised.
            multipliers = np.zeros(len(squares))
            multipliers[int(np.argmin(squares))] = 1.0
            return False, multipliers
        rows, columns = matrix.shape
        hessian, linear, upper, lower, sense = self._bounds(rows, columns, signed)
        x, _, flag, info = daqp.solve(hessian, linear, matrix, upper, lower, sense)
        if flag > 0:
            return True, np.asarray(x)
        # The multipliers come in units of normalised rows; on any other flag they are a guess like any other.
        multipliers = -info["lam"][len(lower) - len(squares) :]
        # daqp 0.11 leaves whatever memory held in the multipliers: infinities, absurd sizes.
        used = (multipliers > 0) & (multipliers < ABSURD)
        return False, np.where(used, multipliers, 0.0) / np.sqrt(squares)

    def _bounds(self, rows: int, columns: int, signed: bool) -> tuple[Any, ...]:
        key = (rows, columns, signed)
        if key not in self._constants:
            lower = np.ones(rows + columns * signed)
            lower[: columns * signed] = 0
            self._constants[key] = (
                np.eye(columns),
                np.zeros(columns),
                np.full(len(lower), 1e30),
                lower,
                np.zeros(len(lower), dtype=np.int32),
            )
        return self._constants[key]

    def combine(self, multipliers: Floats) -> Floats:
        """Return the weighted sum of the rows, per class, in floating point."""
        support = np.flatnonzero(multipliers)
        return np.asarray(self._floats[:, support] @ multipliers[support])

    # -- deciding --------------------------------------------------------------------------------------------

    def exact_values(self, classes: Sequence[int], signs: Signs, sizes: Floats) -> list[int] | None:
        """Return whole-number values near the proposed sizes that satisfy every row, checked; None if none is near."""
        matrix = self.differences[list(classes)]
        if signs is not None:
            matrix = matrix * np.array(signs)[:, None]
        largest = float(np.abs(sizes).max(initial=0.0))
        for scale in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 1024, 10**6, 10**9):
            # Within these bounds rounding is faithful and the products below stay within 64 bits.
            if not largest * scale < min(2**52, 2**62 / max(1, len(matrix))):
                break
            values = np.rint(sizes * scale).astype(np.int64)
            if (values @ matrix > 0).all() and (signs is None or (values > 0).all()):
                shared = int(np.gcd.reduce(values)) or 1
                whole = [int(v) // shared for v in values]
                return whole if signs is None else [v * s for v, s in zip(whole, signs, strict=True)]
        return None

    def exact_multipliers(self, classes: Sequence[int], signs: Signs, proposed: Floats) -> dict[int, int] | None:
        """Return whole-number multipliers per row that refute the theta, checked; None if none is near."""
        if not proposed.max(initial=0.0) > 0:
            return None
        support = np.flatnonzero(proposed > NEAR_ZERO * proposed.max())
        matrix = self.differences[list(classes)][:, support]
        if signs is not None:
            matrix = matrix * np.array(signs)[:, None]
        for candidate in _candidates(matrix, proposed[support]):
            if _refutes(matrix, candidate, signs is not None):
                shared = gcd(*candidate)
                return {int(r): v // shared for r, v in zip(support, candidate, strict=True) if v}
        return None

    def settle(self, classes: Sequence[int], signs: Sequence[int]) -> tuple[bool, list[int]]:
        """Decide a signed theta by the exact oracle: its values, or a multiplier for every row."""
        rows = (self.differences[list(classes)] * np.array(signs)[:, None]).T
        outcome = decide(np.vstack([rows, np.eye(len(classes), dtype=np.int64)]))
        if isinstance(outcome, Fits):
            return True, [v * s for v, s in zip(outcome.values, signs, strict=True)]
        return False, list(outcome.multipliers[: len(rows)])


def _refutes(matrix: Integers, candidate: list[int], signed: bool) -> bool:
    """Tell in integers whether the weighted rows leave no class of the theta with its sign (or at all)."""
    if min(candidate) < 0 or not any(candidate):
        return False
    big = max(candidate) * len(candidate) > 2**62
    total = matrix @ np.array(candidate, dtype=object if big else np.int64)
    return bool((total <= 0).all() if signed else (total == 0).all())


def _candidates(matrix: Integers, values: Floats) -> Iterator[list[int]]:
    """Yield integer vectors near the given one, the cheapest to find first."""
    import flint

    scaled = values / values.min()
    for factor in (1, 2, 3, 4, 6, 5):
        trial = scaled * factor
        rounded = np.rint(trial)
        if np.abs(trial - rounded).max() < 1e-5 * factor:
            yield [int(v) for v in rounded]
            break
    tight = np.abs(matrix @ values) <= 1e-6 * values.max()
    if tight.any():
        basis, nullity = flint.fmpz_mat(matrix[tight].tolist()).nullspace()
        if nullity == 1:
            column = [int(basis[i, 0]) for i in range(len(values))]
            yield [-v for v in column] if sum(column) < 0 else column
    for limit in (100, 10**4, 10**6):
        near = [Fraction(float(v)).limit_denominator(limit) for v in values / values.max()]
        common = lcm(*(q.denominator for q in near))
        if common < 10**40:
            yield [int(q * common) for q in near]
