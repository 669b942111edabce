"""A classifier of pairs that may abstain: any ranker, taught and asked by pairs of sets with labels."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from setpref.errors import InputError
from setpref.estimators.convention import (
    Floats,
    PairEstimator,
    Verdicts,
    check_fitted,
    copy_columns,
    fresh_copy,
    learning_anew,
)
from setpref.estimators.ranker import RobustOrdinalRanker
from setpref.metrics import f1

__all__ = ["PairClassifier"]

_NO_LABELS_BELOW_ZERO = (
    "the labels are 1 and 0 only, and 0 (neither is better) teaches nothing; where 0 is meant to say that the second "
    "set is better, write -1"
)


class PairClassifier(PairEstimator):
    """Learn from pairs of sets with labels 1 and -1, and label new pairs 1, -1, or 0: no prediction.

    Any ranker can stand behind it, so that classifiers with a reject option are compared on the same footing:
    ``PairClassifier(SVMRanker())``, ``PairClassifier(RejectOption(SVMRanker(), prediction_rate=0.6))``.

    Parameters
    ----------
    ranker
        The model; ``RobustOrdinalRanker()`` by default.

    Attributes
    ----------
    ranker_ : the fitted ranker
    classes_ : array
        -1 and 1; 0, the declared absence of a prediction, is no class.

    Notes
    -----
    X has shape (n_pairs, 2, n_features), or is a tuple of two frames or matrices; y is 1 where the first set of a pair
    is better, -1 where the second is; 0 (neither) is allowed, teaches nothing and counts in the score as "really
    unknown". The score is the F1 of :mod:`setpref.metrics`. Labels that contradict each other raise Contradiction.

    Examples
    --------
    >>> X = np.array([[[1, 0], [0, 0]], [[0, 0], [0, 1]]])
    >>> pairs = PairClassifier().fit(X, [1, 1])
    >>> pairs.predict([[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 1], [0, 0]]]).tolist()
    [1, -1, 0]
    """

    _estimator_type = "classifier"

    def __init__(self, ranker: Any = None) -> None:
        self.ranker = ranker

    def fit(self, X: object, y: object) -> Self:
        """Learn from labelled pairs."""
        with learning_anew(self):
            first, second = _sides(X)
            labels = _labels(y, len(first))
            swap = labels < 0
            better, worse = _pick(first, second, swap, labels != 0), _pick(second, first, swap, labels != 0)
            if not len(better):
                raise InputError("no pair is labelled 1 or -1, so there is nothing to learn from")
            if not swap.any() and not labels.all():
                warnings.warn(_NO_LABELS_BELOW_ZERO, UserWarning, stacklevel=2)
            ranker = RobustOrdinalRanker() if self.ranker is None else fresh_copy(self.ranker)
            self.ranker_ = ranker.fit_pairs(better, worse)
            self.classes_ = np.array([-1, 1])
            copy_columns(self, self.ranker_)
            return self

    def predict(self, X: object) -> Verdicts:
        """Return 1 where the first set is better, -1 where the second is, 0 where nothing is predicted."""
        check_fitted(self)
        return np.asarray(self.ranker_.compare(*_sides(X)), dtype=np.int8)

    def decision_function(self, X: object) -> Floats:
        """Return the ranker's margins: signed, 0 where nothing is predicted."""
        check_fitted(self)
        return np.asarray(self.ranker_.margin(*_sides(X)), dtype=np.float64)

    def compare(self, A: object, B: object) -> Verdicts:
        """Return the verdicts on pairs of sets, row by row: 1 better, -1 worse, 0 no prediction."""
        check_fitted(self)
        return np.asarray(self.ranker_.compare(A, B), dtype=np.int8)

    def score(self, X: object, y: object) -> float:
        """Return the F1 score of the predictions on labelled pairs."""
        found = self.predict(X)
        return f1(found, _labels(y, len(found)))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.classifier_tags = ClassifierTags(multi_class=False)
        tags.target_tags.required = True
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        return tags


def _sides(X: object) -> tuple[Any, Any]:
    """Return the first and the second sets of pairs."""
    if isinstance(X, tuple) and len(X) == 2:
        return X
    array = np.asarray(X)
    if array.ndim != 3 or array.shape[1] != 2:
        raise InputError(
            f"X has the shape {array.shape}; give pairs of shape (n_pairs, 2, n_features), or a tuple of two frames"
        )
    return array[:, 0], array[:, 1]


def _labels(y: object, count: int) -> npt.NDArray[np.int8]:
    labels = np.asarray(y)
    if labels.shape != (count,):
        raise InputError(f"there are {count} pairs and y has the shape {labels.shape}; give one label per pair")
    if labels.dtype.kind not in "iuf" or not np.isin(labels, (1, 0, -1)).all():
        raise InputError("labels are 1 (the first set is better), -1 (the second is) or 0 (neither)")
    return labels.astype(np.int8)


def _pick(first: Any, second: object, swap: npt.NDArray[np.bool_], keep: npt.NDArray[np.bool_]) -> Any:
    """Return rows of the first, or of the second where swapped; frames keep their column names."""
    names = getattr(first, "columns", None)
    a, b = np.asarray(first), np.asarray(second)
    if a.shape != b.shape or a.ndim != 2:
        raise InputError(f"the two sides of the pairs have the shapes {a.shape} and {b.shape}; give the same columns")
    chosen = np.where(swap[:, None], b, a)[keep]
    if names is None:
        return chosen
    if list(names) != list(getattr(second, "columns", names)):
        raise InputError("the two frames of the pairs have different columns; give the same ones in the same order")
    named = {name: chosen[:, i] for i, name in enumerate(names)}
    return type(first)(named)
