"""Trials of thetas during the search: hundreds of tiny questions, proposed in microseconds, decided in integers.

A signed theta is a list of classes with signs. It fits iff positive sizes exist whose values satisfy every row;
otherwise multipliers on the rows show that it cannot. Rows may be followed by equations, which the values must meet
with equality and whose multipliers may have any sign. A quick solver proposes; what it says is made exact and checked
here, and whatever resists goes to :mod:`setpref.solving.oracle`, which settles everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.rows import Kind
from setpref.solving.oracle import Fits, decide
from setpref.solving.systems import System

__all__ = ["NEAR_ZERO", "Trials"]

ABSURD = 1e12  # no multiplier of rows this short is so large
NEAR_ZERO = 1e-7  # relative size under which a proposed number counts as zero; what follows is checked exactly
EQUATION = 5  # daqp's mark of a row that must hold with equality
HOT_ROWS = 64  # rows given to the solver at first when there are many more

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Signs = Sequence[int] | None


class Trials:
    """Answers about signed thetas over the rows of a system, a column for every class.

    The rows are strict ones first, then weak ones, then equations.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.strict = len(system.places(Kind.STRICT))
        self.signed = self.strict + len(system.places(Kind.WEAK))  # rows whose multipliers are not negative
        self._every: Integers = system.matrix.T.astype(np.int64)
        self._floats = self._every.astype(float)
        self.calls = 0
        self._constants: dict[tuple[int, int, int, int, bool], tuple[Any, ...]] = {}
        self._decided = np.zeros(self.strict)
        self._hot = np.arange(min(self.strict, HOT_ROWS))

    # -- proposing -----------------------------------------------------------------------------------------

    def propose(self, classes: Sequence[int], signs: Signs) -> tuple[bool, Floats]:
        """Return whether the theta seems to fit, with sizes of its values, or with multipliers of the rows."""
        self.calls += 1
        matrix = self._floats[list(classes)].T
        if signs is not None:
            matrix = matrix * np.array(signs)
        others = matrix[self.strict :]
        matrix = matrix[: self.strict]
        if len(matrix) <= 1.5 * HOT_ROWS:
            return self._solve(np.vstack([matrix, others]), len(others), signs is not None)
        # Few rows decide: solve on those that decided most often, add the violated ones.
        if self.calls % 64 == 1:
            self._hot = np.argpartition(-self._decided, HOT_ROWS)[:HOT_ROWS]
        rows = self._hot
        while True:
            fits, x = self._solve(np.vstack([matrix[rows], others]), len(others), signs is not None)
            if not fits:
                multipliers = np.zeros(len(matrix) + len(others))
                multipliers[rows], multipliers[len(matrix) :] = x[: len(rows)], x[len(rows) :]
                self._decided[rows[x[: len(rows)] > 0]] += 1
                return False, multipliers
            margins = matrix @ x
            violated = np.setdiff1d(np.flatnonzero(margins < 1 - 1e-6), rows)
            if not len(violated):
                return True, x
            worst = violated[np.argsort(margins[violated])[: HOT_ROWS // 2]]
            self._decided[worst] += 1
            rows = np.concatenate([rows, worst])

    def _solve(self, matrix: Floats, others: int, signed: bool) -> tuple[bool, Floats]:
        """Ask daqp; the last rows are the weak ones and the equations."""
        import daqp

        rows, columns = matrix.shape
        squares = np.einsum("ij,ij->i", matrix, matrix)
        strict = rows - others
        weak = self.signed - self.strict
        if not squares[:strict].all():
            # daqp leaves the multipliers of an all-zero row uninitialised.
            multipliers = np.zeros(rows)
            multipliers[int(np.argmin(squares[:strict]))] = 1.0
            return False, multipliers
        useful = np.flatnonzero(squares) if others else slice(None)
        asked = np.ascontiguousarray(matrix[useful])
        empty = int((squares[strict : strict + weak] == 0).sum())
        equal = len(asked) - strict - weak + empty
        hessian, linear, upper, lower, sense = self._bounds(strict, weak - empty, equal, columns, signed)
        x, _, flag, info = daqp.solve(hessian, linear, asked, upper, lower, sense)
        if flag > 0:
            return True, np.asarray(x)
        # The multipliers come in units of normalised rows; daqp 0.11 leaves whatever memory held where it gave up
        # early: infinities, absurd sizes.
        multipliers = np.zeros(rows)
        given = info["lam"][len(lower) - len(asked) :]
        with np.errstate(invalid="ignore"):
            sound = np.abs(given) < ABSURD
        multipliers[useful] = -np.where(sound, given, 0.0) / np.sqrt(squares[useful])
        multipliers[: strict + weak] = np.maximum(multipliers[: strict + weak], 0.0)
        return False, multipliers

    def _bounds(self, strict: int, weak: int, equal: int, columns: int, signed: bool) -> tuple[Any, ...]:
        key = (strict, weak, equal, columns, signed)
        if key not in self._constants:
            counts = [columns * signed, strict, weak, equal]
            lower = np.repeat([0.0, 1.0, 0.0, 0.0], counts)
            upper = np.repeat([1e30, 1e30, 1e30, 0.0], counts)
            sense = np.repeat(np.array([0, 0, 0, EQUATION], dtype=np.int32), counts)
            self._constants[key] = np.eye(columns), np.zeros(columns), upper, lower, sense
        return self._constants[key]

    def combine(self, multipliers: Floats) -> Floats:
        """Return the weighted sum of the rows, per class, in floating point."""
        support = np.flatnonzero(multipliers)
        return np.asarray(self._floats[:, support] @ multipliers[support])

    # -- deciding --------------------------------------------------------------------------------------------

    def exact_values(self, classes: Sequence[int], signs: Signs, sizes: Floats) -> list[int] | None:
        """Return whole-number values near the proposed sizes that satisfy every row, checked; None if none is near."""
        matrix = self._every[list(classes)]
        if signs is not None:
            matrix = matrix * np.array(signs)[:, None]
        rows, weak, equal = np.split(matrix, [self.strict, self.signed], axis=1)
        # Rows of pairs hold -1, 0 and 1; others may hold more.
        wide = max(1, len(matrix)) * max(1, int(np.abs(matrix).max(initial=0)))
        largest = float(np.abs(sizes).max(initial=0.0))
        for scale in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 1024, 10**6, 10**9):
            # Within these bounds rounding is faithful and the products below stay within 64 bits.
            if not largest * scale < min(2**52, 2**62 / wide):
                break
            values = np.rint(sizes * scale).astype(np.int64)
            fits = (values @ rows > 0).all() and (values @ weak >= 0).all() and not (values @ equal).any()
            if fits and (signs is None or (values > 0).all()):
                shared = int(np.gcd.reduce(values)) or 1
                whole = [int(v) // shared for v in values]
                return whole if signs is None else [v * s for v, s in zip(whole, signs, strict=True)]
        return None

    def exact_multipliers(self, classes: Sequence[int], signs: Signs, proposed: Floats) -> dict[int, int] | None:
        """Return whole-number multipliers per row that refute the theta, checked; None if none is near.

        Those of equations, numbered after the rows, may be negative.
        """
        if not proposed[: self.strict].max(initial=0.0) > 0:
            return None
        support = np.flatnonzero(np.abs(proposed) > NEAR_ZERO * np.abs(proposed).max())
        strict = int((support < self.strict).sum())
        if not strict:
            return None
        signed = int((support < self.signed).sum())
        matrix = self._every[list(classes)][:, support]
        if signs is not None:
            matrix = matrix * np.array(signs)[:, None]
        for candidate in _candidates(matrix, proposed[support], strict):
            if _refutes(matrix, candidate, strict, signed, signs is not None):
                shared = gcd(*candidate)
                return {int(r): v // shared for r, v in zip(support, candidate, strict=True) if v}
        return None

    def settle(self, classes: Sequence[int], signs: Sequence[int]) -> tuple[bool, list[int]]:
        """Decide a signed theta by the exact oracle: its values, or a multiplier for every row and equation."""
        system = self.system.columns(classes, signs)
        # Beside weak rows and equations a size may have to be 0, so that it need not be positive to refute the theta.
        kind = Kind.STRICT if self.strict == len(system) else Kind.WEAK
        outcome = decide(system.adding(np.eye(len(classes), dtype=np.int64), kind))
        if isinstance(outcome, Fits):
            return True, [v * s for v, s in zip(outcome.values, signs, strict=True)]
        return False, list(outcome.multipliers[: len(system)])


def _refutes(matrix: Integers, candidate: list[int], strict: int, positive: int, signed: bool) -> bool:
    """Tell in integers whether the weighted rows leave no class of the theta with its sign (or at all)."""
    if min(candidate[:positive]) < 0 or not any(candidate[:strict]):
        return False
    big = max(map(abs, candidate)) * len(candidate) * int(np.abs(matrix).max(initial=1)) > 2**62
    total = matrix @ np.array(candidate, dtype=object if big else np.int64)
    return bool((total <= 0).all() if signed else (total == 0).all())


def _candidates(matrix: Integers, values: Floats, strict: int) -> Iterator[list[int]]:
    """Yield integer vectors near the given one, the cheapest to find first; the first numbers are to be positive."""
    import flint

    sizes = np.abs(values)
    scaled = values / sizes.min()
    for factor in (1, 2, 3, 4, 6, 5):
        trial = scaled * factor
        rounded = np.rint(trial)
        if np.abs(trial - rounded).max() < 1e-5 * factor:
            yield [int(v) for v in rounded]
            break
    tight = np.abs(matrix @ values) <= 1e-6 * sizes.max()
    if tight.any():
        basis, nullity = flint.fmpz_mat(matrix[tight].tolist()).nullspace()
        if nullity == 1:
            column = [int(basis[i, 0]) for i in range(len(values))]
            yield [-v for v in column] if sum(column[:strict]) < 0 else column
    for limit in (100, 10**4, 10**6):
        near = [Fraction(float(v)).limit_denominator(limit) for v in values / sizes.max()]
        common = lcm(*(q.denominator for q in near))
        if common < 10**40:
            yield [int(q * common) for q in near]
