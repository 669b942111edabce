"""HiGHS, set up in one place: a quiet solver on one thread, and the linear programs that propose things.

What comes back is in floating point and only ever a proposal; whoever asks makes it exact and checks it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from highspy import Highs

__all__ = ["l1_values", "largest_margin", "packing", "quiet_solver"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Solved:
    """What the solver says of a linear program: whether it is optimal, the columns, and the duals of the rows."""

    optimal: bool
    columns: Floats
    duals: Floats


def quiet_solver() -> Highs:
    """Return a solver without a problem yet, silent and on one thread."""
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    return solver


def _solved(
    cost: Floats,
    matrix: Floats | npt.NDArray[np.bool_],
    rows: tuple[Floats, Floats],
    columns: tuple[Floats, Floats] | None = None,
) -> _Solved:
    """Minimise the cost with every row, and every column (by default at least 0), between its two bounds."""
    import highspy

    height, width = matrix.shape
    row, column = np.nonzero(matrix)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = width, height
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = columns or (np.zeros(width), np.full(width, np.inf))
    lp.row_lower_, lp.row_upper_ = rows
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=height))]).astype(np.int32)
    lp.a_matrix_.index_ = column.astype(np.int32)
    lp.a_matrix_.value_ = matrix[row, column].astype(np.float64)
    solver = quiet_solver()
    solver.passModel(lp)
    solver.run()
    solution = solver.getSolution()
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return _Solved(optimal, np.array(solution.col_value), np.array(solution.row_dual))


def largest_margin(matrix: Floats) -> tuple[bool, Floats] | None:
    """Return v of largest margin s in ``matrix @ v >= s, s <= 1``, or the duals if the margin is 0."""
    height, width = matrix.shape
    unbounded = np.full(width, np.inf)
    found = _solved(
        np.append(np.zeros(width), -1.0),
        np.column_stack([matrix, -np.ones(height)]),
        (np.zeros(height), np.full(height, np.inf)),
        (np.append(-unbounded, 0.0), np.append(unbounded, 1.0)),
    )
    if not found.optimal:
        return None
    if found.columns[width] > 0.5:
        return True, found.columns[:width]
    return False, np.abs(found.duals)


def packing(matrix: npt.NDArray[np.bool_], weight: Floats) -> Floats:
    """Return near-optimal y >= 0 maximising sum(y) subject to matrix' y <= weight.

    Parameters
    ----------
    matrix
        Boolean [clause, literal].
    weight
        Price of each literal.
    """
    found = _solved(weight, matrix, (np.ones(len(matrix)), np.full(len(matrix), np.inf)))
    return np.maximum(found.duals, 0.0)


def l1_values(above: Floats, equal: Floats, wanted: Floats, weights: Floats) -> Floats:
    """Return v minimising sum(weights |v|) with rows worth as much as is wanted at least, and equations 0.

    Both come as one row per value and one column per row or equation.
    """
    every = np.hstack([above, equal])
    least = np.concatenate([wanted, np.zeros(equal.shape[1])])
    most = np.repeat([np.inf, 0.0], [above.shape[1], equal.shape[1]])
    found = _solved(np.concatenate([weights, weights]), np.concatenate([every, -every]).T, (least, most))
    return found.columns[: len(every)] - found.columns[len(every) :]
