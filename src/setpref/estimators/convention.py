"""One convention for everything that learns from rated sets and compares two of them, in scikit-learn's style.

A ranker has ``fit(X, y)`` (a 0/1 row per set, ratings), ``fit_pairs(better, worse)``, ``compare(A, B)`` (1 better, -1
worse, 0 no prediction), ``margin(A, B)`` (signed confidence), ``predict(X)`` (a score per set) and ``score(X, y)``
(F1 of all pairs of rows). Parameters are stored as given, results end in an underscore, nothing given is changed. Below
rows there are masks: ``fit_preferences``, ``margins_of_masks``, ``verdicts_of_masks``. The models themselves are in
:mod:`setpref.estimators.ranker` (ours) and :mod:`setpref.estimators.baselines`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from setpref.arguments import checked_choice, checked_number, told
from setpref.data.numbers import plural
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.errors import InputError, MissingDependency
from setpref.metrics import METRICS, measure
from setpref.universe import Universe

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise MissingDependency("scikit-learn", "sklearn", "an estimator") from None

__all__ = [
    "Floats",
    "PairEstimator",
    "Ranker",
    "Verdicts",
    "check_fitted",
    "copy_columns",
    "fresh_copy",
    "learning_anew",
    "pair_scorer",
    "row_masks",
    "row_pairs",
]

Verdicts = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


class PairEstimator(BaseEstimator):
    """Anything that compares sets: it says how in ``compare``, its score follows."""

    def compare(self, A: object, B: object) -> Verdicts:
        """Return the verdicts on pairs of sets, row by row: 1 better, -1 worse, 0 no prediction."""
        raise NotImplementedError

    def score(self, X: object, y: object) -> float:
        """Return the F1 score of the verdicts on all pairs of rows.

        The paper's F1 (:func:`setpref.metrics.f1`): it rewards right predictions and counts both wrong and missing ones
        against the model. ``nan`` when no two rows differ in rating and nothing is predicted. For another measure
        pass ``scoring=pair_scorer("precision")`` to scikit-learn's tools.
        """
        return pair_score("f1", self, X, y)


class Ranker(PairEstimator):
    """The frame of a ranker; a model says how to learn from preferences and how to compare masks.

    Models have the parameters ``binarize`` (None: X must be 0/1; a number: entries above it count as 1) and
    ``collisions`` (what to do with different ratings of one set).
    """

    binarize: float | None
    collisions: str
    _contradictions = "error"  # statistical models may say "keep": they need no model that satisfies everything
    n_features_in_: int
    preferences_: Preferences

    # -- what a model says -----------------------------------------------------------------------------------

    def _learn(self, preferences: Preferences) -> None:
        raise NotImplementedError

    def margins_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        """Return how sure the model is of each pair of masks, as `margin` does of rows."""
        raise NotImplementedError

    def verdicts_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Verdicts:
        """Return the verdicts on pairs of masks, as `compare` does on rows."""
        return np.asarray(np.sign(self.margins_of_masks(first, second)), dtype=np.int8)

    def _scores(self, masks: Sequence[int]) -> Floats:
        raise NotImplementedError

    # -- the convention ----------------------------------------------------------------------------------------

    def fit(self, X: object, y: object) -> Self:
        """Learn from rated sets.

        Parameters
        ----------
        X
            A 0/1 matrix or frame, one row per set and one column per element; column names are kept.
        y
            One rating per row; a higher one is better, equal ones say nothing.
        """
        with learning_anew(self):
            rows, ratings = validate_data(self, X, y, y_numeric=True)
            cells = self._zero_one(rows).astype(np.int64)
            return self._taught(self._rated(cells, ratings.tolist(), self._universe()))

    def fit_pairs(self, better: object, worse: object) -> Self:
        """Learn from statements: each row of `better` is a set preferred to the same row of `worse`."""
        with learning_anew(self):
            above = self._zero_one(validate_data(self, better))
            below = self._zero_one(validate_data(self, worse, reset=False))
            _check_rows(above, below)
            over = zip(row_masks(above), row_masks(below), strict=True)
            said = Preferences.of_masks(self._universe(), over=over, contradictions=self._contradictions)
            return self._taught(said)

    def fit_preferences(self, preferences: Preferences) -> Self:
        """Learn from preferences: element i of their universe is column i of the rows to come."""
        with learning_anew(self):
            preferences.check_of_pairs("a ranker")
            return self._taught(preferences)

    def compare(self, A: object, B: object) -> Verdicts:
        """Return the verdicts on pairs of sets, row by row: 1 better, -1 worse, 0 no prediction."""
        return self.verdicts_of_masks(*self._both(A, B))

    def margin(self, A: object, B: object) -> Floats:
        """Return how sure the model is of each pair: the sign is the prediction, 0 none; sizes are the model's own."""
        return self.margins_of_masks(*self._both(A, B))

    def predict(self, X: object) -> Floats:
        """Return a score per set, higher is better; the model says on which scale."""
        check_is_fitted(self)
        return self._scores(row_masks(self._zero_one(validate_data(self, X, reset=False))))

    # -- within ------------------------------------------------------------------------------------------------

    def _taught(self, preferences: Preferences) -> Self:
        self.n_features_in_ = len(checked_preferences(preferences).universe)
        self._learn(preferences)
        self.preferences_ = preferences
        return self

    def _rated(self, cells: npt.NDArray[np.int64], ratings: Sequence[float], universe: Universe) -> Preferences:
        return Preferences.from_ratings(cells, ratings, universe=universe, collisions=self.collisions)

    def _both(self, A: object, B: object) -> tuple[list[int], list[int]]:
        check_is_fitted(self)
        first = self._zero_one(validate_data(self, A, reset=False))
        second = self._zero_one(validate_data(self, B, reset=False))
        _check_rows(first, second)
        return row_masks(first), row_masks(second)

    def _names(self) -> tuple[str, ...]:
        named = getattr(self, "feature_names_in_", None)
        return tuple(f"x{i}" for i in range(self.n_features_in_)) if named is None else tuple(map(str, named))

    def _universe(self) -> Universe:
        return Universe(self._names())

    def _zero_one(self, X: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        if self.binarize is not None:
            cut = checked_number("binarize", self.binarize, "the number above which an entry counts as 1, or None")
            return np.asarray(np.greater(X, cut))
        odd = np.argwhere((X != 0) & (X != 1))
        if len(odd):
            row, column = odd[0]
            raise InputError(
                f"X has {X[row, column]} in row {row}, column {self._names()[column]}; 1 says the element is in the "
                "set, 0 that it is not (to cut other numbers, set binarize)"
            )
        return np.asarray(X == 1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def check_fitted(estimator: PairEstimator) -> None:
    """Raise scikit-learn's NotFittedError before fit."""
    check_is_fitted(estimator)


def fresh_copy(ranker: Any) -> Any:
    """Return an unfitted copy of the ranker that another estimator was given, or refuse what is none."""
    from sklearn.base import clone

    if isinstance(ranker, type) or not hasattr(ranker, "fit_pairs"):
        raise InputError(f"ranker is {told(ranker)}; give a ranker, such as RobustOrdinalRanker()")
    return clone(ranker)


@contextmanager
def learning_anew(estimator: Any) -> Iterator[None]:
    """Forget what an earlier fit left; and if this one fails, what it left, so that nothing answers by half a fit."""
    _forget(estimator)
    try:
        yield
    except BaseException:
        _forget(estimator)
        raise


def _forget(estimator: Any) -> None:
    for name in [name for name in vars(estimator) if name.endswith("_") and not name.startswith("__")]:
        delattr(estimator, name)


def copy_columns(outer: Any, inner: Any) -> None:
    """Give an estimator that holds another the columns the other was fitted on."""
    outer.n_features_in_ = inner.n_features_in_
    if hasattr(outer, "feature_names_in_"):
        del outer.feature_names_in_
    if hasattr(inner, "feature_names_in_"):
        outer.feature_names_in_ = inner.feature_names_in_


def row_masks(cells: npt.NDArray[np.bool_]) -> list[int]:
    """Return each 0/1 row as a mask: column i is bit i.

    Examples
    --------
    >>> row_masks(np.array([[True, False, True], [False, False, False]]))
    [5, 0]
    """
    packed = np.packbits(cells, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def row_pairs(count: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the positions of all pairs i < j of rows."""
    return np.triu_indices(count, 1)


def pair_scorer(metric: str) -> Callable[[Any, object, object], float]:
    """Return a scorer for scikit-learn's tools: a measure of the verdicts on all pairs of rows.

    Parameters
    ----------
    metric
        precision, recall, f1, correctness or prediction_rate.
    """
    checked_choice("metric", metric, METRICS)
    return partial(pair_score, metric)


def pair_score(metric: str, ranker: Any, X: object, y: object) -> float:
    """Return a measure of a ranker's verdicts on all pairs of rows; a pipeline transforms the rows first."""
    if not hasattr(ranker, "compare") and hasattr(ranker, "steps"):
        X, ranker = ranker[:-1].transform(X), ranker[-1]
    ratings = np.asarray(y, dtype=np.float64)
    first, second = row_pairs(len(ratings))
    real = np.sign(ratings[first] - ratings[second]).astype(np.int8)
    found = ranker.compare(_rows(X, first), _rows(X, second)) if len(first) else []
    score = measure(metric, found, real)
    if np.isnan(score):
        _warn_undefined(metric, len(ratings))
    return score


def _warn_undefined(metric: str, rows: int) -> None:
    from sklearn.exceptions import UndefinedMetricWarning

    why = "a score is about pairs of rows, so give folds of 2 or more" if rows < 2 else "no pair of rows counts for it"
    warnings.warn(f"{metric} of {plural(rows, 'row')} is undefined: {why}", UndefinedMetricWarning, stacklevel=2)


def _rows(X: object, places: npt.NDArray[np.intp]) -> object:
    from sklearn.utils import _safe_indexing

    return _safe_indexing(X, places)


def _check_rows(first: Sized, second: Sized) -> None:
    if len(first) != len(second):
        raise InputError(f"there are {len(first)} first and {len(second)} second sets; give as many")
