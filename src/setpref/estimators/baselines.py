"""The paper's rivals (Section 5.2), as rankers: linear regression, support vectors, nearest neighbours.

Sets become vectors of all terms up to the minimum degree of the training data. These are statistical models in floating
point; unlike ours they prove nothing, and differences of at most 1e-9 are rounding, not a prediction. Where only
statements are known, regression and neighbours, which need ratings, rate each set by the number of sets it is implied
to be over minus the number over it (our extension).

:class:`RejectOption` makes any of them abstain where its margin is smallest, so that methods can be compared at equal
coverage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from setpref.arguments import checked_choice, checked_number, checked_whole, told
from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.estimators.convention import (
    Floats,
    PairEstimator,
    Ranker,
    Verdicts,
    check_fitted,
    copy_columns,
    fresh_copy,
    learning_anew,
    row_pairs,
)
from setpref.solving.degree import minimum_degree
from setpref.terms import indicators, terms_up_to

__all__ = ["KNNRanker", "LinearRanker", "RejectOption", "SVMRanker", "keep_largest"]

TIE = 1e-9
NEIGHBOUR_WEIGHTS = ("inverse", "proportional")
NEIGHBOUR_OUTPUTS = ("sum", "classifier")
TUNED_ON = ("training", "pairs")
KERNELS = ("rbf", "linear", "poly", "sigmoid")


class Baseline(Ranker):
    """A ranker on vectors of all terms up to a degree (None: the minimum degree of the training data)."""

    degree: int | None
    degree_: int
    terms_: tuple[int, ...]
    _contradictions = "keep"

    def _augment(self, preferences: Preferences) -> None:
        if self.degree is not None:
            checked_whole("degree", self.degree, hint=", or None for the minimum degree")
        if self.degree is None and not preferences.consistent:
            raise InputError(
                "the statements contradict each other, so no degree satisfies them; give the degree to use"
            )
        found = minimum_degree(preferences, "auto").degree if self.degree is None else self.degree
        self.degree_ = max(1, found)
        self.terms_ = tuple(terms_up_to(len(preferences.universe), self.degree_))

    def _vectors(self, masks: Sequence[int]) -> Floats:
        return indicators(masks, self.terms_, self.n_features_in_).astype(np.float64)


class ScoreBaseline(Baseline):
    """A baseline that scores each set: the higher score is better."""

    def _plain_scores(self, masks: Sequence[int]) -> Floats:
        raise NotImplementedError

    def margins_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        if not len(first):
            return np.zeros(0)
        masks = sorted({*first, *second})  # each set is scored once, so equal sets have equal scores
        place = {mask: i for i, mask in enumerate(masks)}
        scores = self._plain_scores(masks)
        difference = scores[[place[mask] for mask in first]] - scores[[place[mask] for mask in second]]
        return np.asarray(np.where(np.abs(difference) <= TIE, 0.0, difference))


class LinearRanker(ScoreBaseline):
    """LR of the paper: least squares from the terms up to the minimum degree to the ratings scaled to [0, 1].

    Parameters
    ----------
    degree
        The largest term; None is the minimum degree of the training data (the paper).
    fit_intercept
        As in scikit-learn's LinearRegression, whose default (True) the paper's footnote implies; its formula has none.

    Attributes
    ----------
    regression_ : LinearRegression
    degree_, terms_
        The degree and the terms, as masks.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [1, 2, 3, 4]
    >>> ranker = LinearRanker().fit(X, y)
    >>> ranker.compare([[0, 1]], [[1, 0]]).tolist(), ranker.predict(X).round(6).tolist()
    ([1], [1.0, 2.0, 3.0, 4.0])
    """

    def __init__(
        self,
        *,
        degree: int | None = None,
        fit_intercept: bool = True,
        collisions: str = "median",
        binarize: float | None = None,
    ) -> None:
        self.degree = degree
        self.fit_intercept = fit_intercept
        self.collisions = collisions
        self.binarize = binarize

    def _learn(self, preferences: Preferences) -> None:
        from sklearn.linear_model import LinearRegression

        if not isinstance(self.fit_intercept, (bool, np.bool_)):
            raise InputError(f"fit_intercept is {told(self.fit_intercept)}; give True or False")
        self._augment(preferences)
        masks, ratings = _rated(preferences)
        self.low_ = float(ratings.min())
        self.range_ = float(ratings.max() - ratings.min())
        scaled = (ratings - self.low_) / (self.range_ or 1.0)
        self.regression_ = LinearRegression(fit_intercept=self.fit_intercept).fit(self._vectors(masks), scaled)

    def _plain_scores(self, masks: Sequence[int]) -> Floats:
        return np.asarray(self.regression_.predict(self._vectors(masks)), dtype=np.float64)

    def _scores(self, masks: Sequence[int]) -> Floats:
        """Return the predicted ratings, on the scale of those given."""
        return self._plain_scores(masks) * self.range_ + self.low_


class KNNRanker(ScoreBaseline):
    """KNN of the paper: the ratings of the nearest training sets, in the distance of the term vectors.

    Parameters
    ----------
    neighbours
        K; all training sets if they are fewer.
    weights
        ``inverse`` distance (default, the usual meaning; scikit-learn's "distance") or ``proportional`` to the
        distance, the paper's text to the letter. Weights add up to 1.
    output
        ``sum``: the weighted sum of the neighbours' ratings (the paper's formula); ``classifier``: the rating with the
        largest weight among them (scikit-learn's KNeighborsClassifier, which the paper's footnote names).

    Notes
    -----
    Among training sets at equal distance those listed first in ``preferences_.alternatives`` are the neighbours.

    Examples
    --------
    >>> ranker = KNNRanker(neighbours=2).fit([[0, 0], [1, 0], [0, 1]], [1, 2, 3])
    >>> ranker.predict([[1, 0]]).tolist(), ranker.compare([[0, 1]], [[0, 0]]).tolist()
    ([2.0], [1])
    """

    def __init__(
        self,
        *,
        neighbours: int = 5,
        weights: str = "inverse",
        output: str = "sum",
        degree: int | None = None,
        collisions: str = "median",
        binarize: float | None = None,
    ) -> None:
        self.neighbours = neighbours
        self.weights = weights
        self.output = output
        self.degree = degree
        self.collisions = collisions
        self.binarize = binarize

    def _learn(self, preferences: Preferences) -> None:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

        checked_choice("weights", self.weights, NEIGHBOUR_WEIGHTS)
        checked_choice("output", self.output, NEIGHBOUR_OUTPUTS)
        checked_whole("neighbours", self.neighbours)
        self._augment(preferences)
        masks, ratings = _rated(preferences)
        kind = KNeighborsRegressor if self.output == "sum" else KNeighborsClassifier
        weights = "distance" if self.weights == "inverse" else _proportional
        model = kind(n_neighbors=min(self.neighbours, len(masks)), weights=weights)
        self.ratings_, labels = np.unique(ratings, return_inverse=True)
        # A classifier takes labels: the ratings by number, so that halves are labels too.
        self.neighbours_ = model.fit(self._vectors(masks), ratings if self.output == "sum" else labels)

    def _plain_scores(self, masks: Sequence[int]) -> Floats:
        found = self.neighbours_.predict(self._vectors(masks))
        return np.asarray(found if self.output == "sum" else self.ratings_[found], dtype=np.float64)

    def _scores(self, masks: Sequence[int]) -> Floats:
        """Return the predicted ratings."""
        return self._plain_scores(masks)


class SVMRanker(Baseline):
    """SVM of the paper: support vectors on differences, each preference A over B giving (A - B, 1) and (B - A, 0).

    It predicts only if both directions agree: A - B is labelled 1 and B - A is labelled 0, or the reverse.

    Parameters
    ----------
    kernel, C
        As in scikit-learn's SVC, whose defaults the paper uses.

    Attributes
    ----------
    svc_ : SVC or None
        None when the training data hold no preference.

    Examples
    --------
    >>> ranker = SVMRanker(kernel="linear").fit([[0, 0], [1, 0], [0, 1]], [1, 2, 3])
    >>> ranker.compare([[0, 1], [1, 0]], [[0, 0], [1, 0]]).tolist()
    [1, 0]
    """

    def __init__(
        self,
        *,
        kernel: str = "rbf",
        C: float = 1.0,
        degree: int | None = None,
        collisions: str = "median",
        binarize: float | None = None,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.degree = degree
        self.collisions = collisions
        self.binarize = binarize

    def _learn(self, preferences: Preferences) -> None:
        from sklearn.svm import SVC

        checked_choice("kernel", self.kernel, KERNELS)
        checked_number("C", self.C, "a number above 0", above=0)
        self._augment(preferences)
        self.alternatives_ = preferences.alternatives
        pairs = _stated(preferences)
        if not pairs:
            self.svc_ = None
            return
        difference = self._vectors([a for a, _ in pairs]) - self._vectors([b for _, b in pairs])
        both = np.stack([difference, -difference], axis=1).reshape(-1, difference.shape[1])
        self.svc_ = SVC(kernel=self.kernel, C=float(self.C)).fit(both, np.tile([1, 0], len(pairs)))

    def margins_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        if self.svc_ is None or not len(first):
            return np.zeros(len(first))
        difference = self._vectors(first) - self._vectors(second)
        ahead, back = self.svc_.predict(difference), self.svc_.predict(-difference)
        margin = (self.svc_.decision_function(difference) - self.svc_.decision_function(-difference)) / 2
        # The sign of the margin is that of the labels whenever they agree.
        return np.asarray(np.where((ahead != back) & (np.abs(margin) > TIE), margin, 0.0))

    def _scores(self, masks: Sequence[int]) -> Floats:
        """Return the mean margin over the training sets."""
        known = list(self.alternatives_)
        first = [mask for mask in masks for _ in known]
        margins = self.margins_of_masks(first, known * len(masks)).reshape(len(masks), len(known))
        return np.asarray(margins.mean(axis=1), dtype=np.float64)


class RejectOption(PairEstimator):
    """A ranker that predicts only a given share of pairs: those of its largest margins.

    Parameters
    ----------
    ranker
        Any ranker with a margin: ``LinearRanker()`` (the default), ``SVMRanker()``, ...
    prediction_rate
        The share of pairs to predict, between 0 and 1.
    tuned_on
        ``pairs`` (default): of the pairs given to `compare`, the share with the largest margins is predicted, so that
        coverage is what was asked for (less where margins are 0); ties go to the earlier pair. ``training``: one
        threshold is set in `fit` so that the share of training pairs is predicted; new pairs may come out differently.

    Attributes
    ----------
    ranker_ : the fitted ranker
    threshold_ : float
        The smallest margin predicted under ``training``.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [1, 2, 4, 5]
    >>> cautious = RejectOption(LinearRanker(), prediction_rate=0.5).fit(X, y)
    >>> cautious.compare([[1, 1], [1, 0]], [[0, 0], [0, 0]]).tolist()
    [1, 0]
    """

    def __init__(self, ranker: Any = None, *, prediction_rate: float = 0.5, tuned_on: str = "pairs") -> None:
        self.ranker = ranker
        self.prediction_rate = prediction_rate
        self.tuned_on = tuned_on

    def fit(self, X: object, y: object) -> Self:
        """Learn from rated sets."""
        with learning_anew(self):
            self.ranker_ = self._fresh().fit(X, y)
            return self._tune()

    def fit_pairs(self, better: object, worse: object) -> Self:
        """Learn from statements."""
        with learning_anew(self):
            self.ranker_ = self._fresh().fit_pairs(better, worse)
            return self._tune()

    def compare(self, A: object, B: object) -> Verdicts:
        """Return the verdicts on pairs of sets, row by row: 1 better, -1 worse, 0 no prediction."""
        return np.asarray(np.sign(self.margin(A, B)), dtype=np.int8)

    def margin(self, A: object, B: object) -> Floats:
        """Return the ranker's margins, 0 where it abstains."""
        check_fitted(self)
        margins = self.ranker_.margin(A, B)
        if self.tuned_on == "training":
            return np.asarray(np.where(np.abs(margins) >= self.threshold_, margins, 0.0))
        return keep_largest(margins, self.prediction_rate)

    def predict(self, X: object) -> Floats:
        """Return the ranker's score per set."""
        check_fitted(self)
        return np.asarray(self.ranker_.predict(X))

    def _fresh(self) -> Any:
        checked_choice("tuned_on", self.tuned_on, TUNED_ON)
        checked_number("prediction_rate", self.prediction_rate, "a share between 0 and 1", least=0, most=1)
        return LinearRanker() if self.ranker is None else fresh_copy(self.ranker)

    def _tune(self) -> Self:
        copy_columns(self, self.ranker_)
        known = self.ranker_.preferences_.alternatives
        first, second = row_pairs(len(known))
        sizes = np.abs(self.ranker_.margins_of_masks([known[i] for i in first], [known[j] for j in second]))
        share = _share(self.prediction_rate, len(sizes))
        self.threshold_ = float(np.sort(sizes)[len(sizes) - share]) if share else np.inf
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def keep_largest(margins: Floats, rate: float) -> Floats:
    """Return the given share of the margins, the largest ones, and 0 for the others; ties go to the earlier one.

    Examples
    --------
    >>> keep_largest(np.array([0.5, -2.0, 1.0, 0.1]), 0.5).tolist()
    [0.0, -2.0, 1.0, 0.0]
    """
    kept = np.argsort(-np.abs(margins), kind="stable")[: _share(rate, len(margins))]
    found = np.zeros(len(margins))
    found[kept] = margins[kept]
    return found


def _share(rate: float, count: int) -> int:
    return int(rate * count + 0.5)


def _rated(preferences: Preferences) -> tuple[list[int], Floats]:
    """Return the training sets and a rating of each: as given, or how many it is implied over minus under."""
    if preferences.ratings is not None:
        masks = list(preferences.alternatives)
        if not masks:
            raise InputError("no rated set is left; give ratings that do not all conflict")
        return masks, np.array([float(preferences.ratings[mask]) for mask in masks])
    net: dict[int, int] = defaultdict(int)
    known = preferences.implied_pairs(10**6) if preferences.consistent else _stated(preferences)
    for better, worse in known:
        net[better] += 1
        net[worse] -= 1
    masks = list(preferences.alternatives)
    return masks, np.array([float(net[mask]) for mask in masks])


def _stated(preferences: Preferences) -> list[tuple[int, int]]:
    """Return R of the paper: all pairs of unequal rating, or the distinct statements."""
    if preferences.ratings is not None:
        return list(preferences.implied_pairs(preferences.pair_count))
    return list(dict.fromkeys((s.better, s.worse) for s in preferences.statements if not s.same))


def _proportional(distances: Floats) -> Floats:
    """Weigh neighbours by their distance; alike when all distances are 0."""
    far = np.asarray(distances, dtype=np.float64)
    return np.where(far.sum(axis=1, keepdims=True) > 0, far, 1.0)
