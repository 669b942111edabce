"""How good are predictions that may abstain? The measures of the paper (Section 5) over arrays in {1, 0, -1}.

1 says "the first set is better", -1 "worse", 0 "no prediction"; in the real values 0 says that the two sets are rated
alike. A ratio whose denominator is 0 is undefined and returned as ``nan``: a model that never predicts has no
precision, and leaving such runs out of an average is the caller's open decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setpref.arguments import checked_choice
from setpref.errors import InputError

__all__ = [
    "METRICS",
    "Curve",
    "confusion_table",
    "correctness",
    "coverage_precision_curve",
    "f1",
    "measure",
    "precision",
    "prediction_rate",
    "recall",
]

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

PLACES = {1: 0, -1: 1, 0: 2}


def confusion_table(predicted: npt.ArrayLike, real: npt.ArrayLike) -> Counts:
    """Return the 3x3 table of counts: rows predicted, columns real, each in the order better, worse, unknown.

    Examples
    --------
    >>> confusion_table([1, 1, -1, 0, 0], [1, -1, 0, 1, 0]).tolist()
    [[1, 1, 0], [0, 0, 1], [1, 0, 1]]
    """
    rows, columns = _verdicts(predicted, "predicted"), _verdicts(real, "real")
    if len(rows) != len(columns):
        raise InputError(f"there are {len(rows)} predicted and {len(columns)} real values; give one each per pair")
    table = np.zeros((3, 3), dtype=np.int64)
    np.add.at(table, (_places(rows), _places(columns)), 1)
    return table


def precision(predicted: npt.ArrayLike, real: npt.ArrayLike) -> float:
    """Return the share of right predictions among those made; ``nan`` if none was made.

    Notes
    -----
    (BB + WW) / (BB + WW + BW + WB + BU + WU), first letter predicted, second real.

    Examples
    --------
    >>> precision([1, 1, -1, 0, 0], [1, -1, 0, 1, 0])
    0.3333333333333333
    """
    table = confusion_table(predicted, real)
    return _ratio(_right(table), int(table[:2].sum()))


def recall(predicted: npt.ArrayLike, real: npt.ArrayLike) -> float:
    """Return the share of right predictions among the pairs that can be told apart; ``nan`` if there are none.

    Notes
    -----
    (BB + WW) / (BB + WW + BW + WB + UB + UW).

    Examples
    --------
    >>> recall([1, 1, -1, 0, 0], [1, -1, 0, 1, 0])
    0.3333333333333333
    """
    table = confusion_table(predicted, real)
    return _ratio(_right(table), int(table[:, :2].sum()))


def f1(predicted: npt.ArrayLike, real: npt.ArrayLike) -> float:
    """Return the harmonic mean of precision and recall.

    Notes
    -----
    Computed as 2 (BB + WW) / (predictions made + pairs that can be told apart), which equals 2PR / (P + R) wherever
    that is defined, and is 0 (not undefined) when nothing right was predicted although something could have been, or
    something was. ``nan`` only if nothing was predicted and nothing could be.

    Examples
    --------
    >>> f1([1, 1, 0], [1, -1, 1])
    0.4
    >>> f1([0, 0], [1, -1]), f1([0], [0])
    (0.0, nan)
    """
    table = confusion_table(predicted, real)
    return _ratio(2 * _right(table), int(table[:2].sum() + table[:, :2].sum()))


def correctness(predicted: npt.ArrayLike, real: npt.ArrayLike) -> float:
    """Return the share of right predictions among those that can be judged; ``nan`` if none can.

    Notes
    -----
    The paper's prediction correctness, (BB + WW) / (BB + WW + BW + WB): predictions on pairs that are really alike do
    not count.

    Examples
    --------
    >>> correctness([1, 1, -1, 0, 0], [1, -1, 0, 1, 0])
    0.5
    """
    table = confusion_table(predicted, real)
    return _ratio(_right(table), int(table[:2, :2].sum()))


def prediction_rate(predicted: npt.ArrayLike, real: npt.ArrayLike | None = None) -> float:
    """Return the share of pairs on which a prediction was made; ``nan`` without pairs.

    The real values play no part; they are accepted so that all measures are called alike.

    Examples
    --------
    >>> prediction_rate([1, 1, -1, 0, 0])
    0.6
    """
    rows = _verdicts(predicted, "predicted")
    if real is not None:
        confusion_table(predicted, real)
    return _ratio(int(np.count_nonzero(rows)), len(rows))


METRICS = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "correctness": correctness,
    "prediction_rate": prediction_rate,
}


def measure(name: str, predicted: npt.ArrayLike, real: npt.ArrayLike) -> float:
    """Return a measure by its name: precision, recall, f1, correctness or prediction_rate."""
    return METRICS[checked_choice("metric", name, METRICS)](predicted, real)


@dataclass(frozen=True, eq=False)
class Curve:
    """What a model gives when it predicts only where its margin is large.

    Attributes
    ----------
    threshold : array
        Decreasing sizes of the margin; the model predicts where the margin is at least so large.
    coverage, precision, correctness : array
        Per threshold the prediction rate, the precision, and the correctness (``nan`` while no prediction made can be
        judged).
    """

    threshold: Floats
    coverage: Floats
    precision: Floats
    correctness: Floats

    def precision_at(self, coverage: float) -> float:
        """Return the precision at the largest coverage that is not above a given one; ``nan`` if there is none.

        Examples
        --------
        >>> coverage_precision_curve([0.9, -0.5, 0.2, 0.0], [1, 1, 1, -1]).precision_at(0.6)
        0.5
        """
        reached = np.flatnonzero(self.coverage <= coverage)
        return float(self.precision[reached[-1]]) if len(reached) else float("nan")


def coverage_precision_curve(margins: npt.ArrayLike, real: npt.ArrayLike) -> Curve:
    """Return precision against coverage, from most to least certain prediction.

    Parameters
    ----------
    margins
        One number a pair: its sign is the prediction, its size the confidence; 0 never predicts.
    real
        The real values in {1, 0, -1}.

    Examples
    --------
    >>> curve = coverage_precision_curve([0.9, -0.5, 0.2, 0.0], [1, 1, 1, -1])
    >>> curve.coverage.tolist(), curve.precision.round(3).tolist()
    ([0.25, 0.5, 0.75], [1.0, 0.5, 0.667])
    """
    given = np.asarray(margins, dtype=np.float64)
    if given.ndim != 1 or np.isnan(given).any():
        raise InputError("margins are one number a pair, none missing")
    truth = _verdicts(real, "real")
    if len(given) != len(truth):
        raise InputError(f"there are {len(given)} margins and {len(truth)} real values; give one each per pair")
    order = np.argsort(-np.abs(given), kind="stable")
    order = order[given[order] != 0]
    sizes, signs, truth = np.abs(given[order]), np.sign(given[order]), truth[order]
    right, judged = np.cumsum(signs == truth), np.cumsum(truth != 0)
    # Pairs of equal margin are taken together: no threshold separates them.
    ends = np.flatnonzero(np.append(sizes[1:] != sizes[:-1], True)) if len(sizes) else np.zeros(0, dtype=np.intp)
    made = ends + 1
    correct = np.full(len(ends), np.nan)
    np.divide(right[ends], judged[ends], out=correct, where=judged[ends] > 0)
    return Curve(sizes[ends], made / max(1, len(given)), right[ends] / made, correct)


def _verdicts(values: npt.ArrayLike, what: str) -> npt.NDArray[np.int8]:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.int8)
    known = np.isin(array, (1, 0, -1)) if array.dtype.kind in "biuf" else np.zeros(array.shape, dtype=bool)
    if array.ndim != 1 or not known.all():
        odd = array[~known].ravel()
        shown = f"; {odd[0]!s} is not" if odd.size else f"; this one has {array.ndim} axes"
        raise InputError(f"{what} values are a list of 1 (better), 0 (unknown) and -1 (worse){shown}")
    return array.astype(np.int8)


def _places(verdicts: npt.NDArray[np.int8]) -> npt.NDArray[np.intp]:
    return np.array([PLACES[0], PLACES[1], PLACES[-1]], dtype=np.intp)[verdicts]


def _right(table: Counts) -> int:
    return int(table[0, 0] + table[1, 1])


def _ratio(above: int, below: int) -> float:
    return above / below if below else float("nan")
