"""Systems of rows: what solvers see of statements once terms are columns; what can be satisfied, the oracle says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setpref.rows import Kind
from setpref.solving.integers import Integers, stacked

__all__ = ["System"]


@dataclass(frozen=True, eq=False)
class System:
    """Whole-number rows and what is asked of each: to be positive, at least zero, or zero.

    Whoever asks about a system gets one multiplier a row back, in the order of the rows.

    Examples
    --------
    >>> system = System.strict(np.array([[1, 0], [-1, 1]])).adding(np.array([[1, -2]]), Kind.WEAK)
    >>> system.of(Kind.WEAK).tolist(), system.columns([1], [-1]).matrix.tolist()
    ([[1, -2]], [[0], [-1], [2]])
    """

    matrix: Integers
    kinds: tuple[Kind, ...]

    @classmethod
    def strict(cls, matrix: Integers) -> System:
        """Return a system all of whose rows must be positive."""
        return cls(matrix, (Kind.STRICT,) * len(matrix))

    def __len__(self) -> int:
        return len(self.kinds)

    def places(self, kind: Kind) -> npt.NDArray[np.intp]:
        """Return the positions of the rows of a kind."""
        return np.array([i for i, k in enumerate(self.kinds) if k is kind], dtype=np.intp)

    def of(self, kind: Kind) -> Integers:
        """Return the rows of a kind."""
        return self.matrix[self.places(kind)]

    def rows(self, chosen: Sequence[int]) -> System:
        """Return the system of some of the rows."""
        return System(self.matrix[list(chosen)], tuple(self.kinds[i] for i in chosen))

    def columns(self, chosen: Sequence[int], signs: Sequence[int] | None = None) -> System:
        """Return the same rows on some of the columns, each perhaps with its sign turned."""
        matrix = self.matrix[:, list(chosen)]
        return System(matrix if signs is None else matrix * np.array(signs, dtype=np.int64), self.kinds)

    def adding(self, rows: Integers, kind: Kind = Kind.STRICT) -> System:
        """Return the system with further rows of a kind, which come last."""
        return System(stacked(self.matrix, rows), (*self.kinds, *(kind,) * len(rows)))
