"""The fractional packing bound at the root: one linear program, only to propose dual weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["packing"]


def packing(matrix: npt.NDArray[np.bool_], weight: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return near-optimal y >= 0 maximising sum(y) subject to matrix' y <= weight.

    Parameters
    ----------
    matrix
        Boolean [clause, literal].
    weight
        Price of each literal.
    """
    import highspy

    rows, cols = matrix.shape
    h: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    lp: Any = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = cols, rows
    lp.col_cost_ = weight.astype(float)
    lp.col_lower_ = np.zeros(cols)
    lp.col_upper_ = np.full(cols, highspy.kHighsInf)
    lp.row_lower_ = np.ones(rows)
    lp.row_upper_ = np.full(rows, highspy.kHighsInf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))]).astype(np.int32)
    lp.a_matrix_.index_ = np.nonzero(matrix)[1].astype(np.int32)
    lp.a_matrix_.value_ = np.ones(int(matrix.sum()))
    h.passModel(lp)
    h.run()
    return np.asarray(np.maximum(np.array(h.getSolution().row_dual), 0.0))
