"""Ours as a scikit-learn estimator: a ranker of sets that predicts where the simplest models agree."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from setpref.arguments import told
from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.estimators.caution import CautiousRule, check_rule
from setpref.estimators.convention import Floats, Ranker, Verdicts
from setpref.learning.learned import Learned
from setpref.learning.learner import learn
from setpref.model import Model, Utility
from setpref.universe import Universe

__all__ = ["RobustOrdinalRanker"]

AVERAGED_MEMBERS = 10_000


class RobustOrdinalRanker(Ranker):
    """Predict that one set is better than another only if the simplest models that explain the ratings agree.

    Parameters
    ----------
    simplicity, engine, time_limit
        As in :func:`setpref.learn`: ``lex`` (default), ``card``, ``ws`` or ``deg``. By default there is no limit, and
        ratings that no simple model explains can take hours. A search stopped by the limit warns with scikit-learn's
        ConvergenceWarning, leaves ``learned_.proven`` False and predicts by the best models known.
    rule
        How many of the simplest models must agree: ``all`` (default, the paper), ``union``, ``majority`` or ``volume``;
        :mod:`setpref.estimators.caution` says what each guarantees.
    threshold
        For ``volume``: the share of compatible values needed, above 0.5 and at most 1.
    collisions
        Different ratings of one set: ``median`` (default), ``mean``, ``last``, ``drop`` or ``error``.
    ties, tolerance
        What equal ratings say: ``ignore`` (nothing; default) or ``indifferent`` (no difference), and then how far apart
        ratings may be to count as equal.
    binarize
        None (default): X holds 0 and 1 only. A number: entries above it count as 1.
    random_state
        For ``volume``: an int, a RandomState or None seeds the walks; otherwise nothing is random.

    Attributes
    ----------
    learned_ : Learned
        Everything learned: models, proofs, explanations; ask it with names.
    preferences_ : Preferences
    model_ : Model or None
        The average of the simplest models, each with sizes of sum 1. For ``deg`` the model of all terms up to the
        degree; after a stopped search the best model known, or None (scores are then the mean of the distinct ratings).
        Where a term can be exchanged for more than 10,000 others, the first stands for them.
    n_features_in_, feature_names_in_
        As in scikit-learn; names are the elements (x0, x1, ... for a matrix).

    Notes
    -----
    ``predict`` reads a rating off ``model_``: training sets get their own rating (after `collisions`), others are
    interpolated by utility between them, up to the best and worst rating given. The average model agrees with all
    statements and with every prediction of the rule ``all``, so if A is predicted over B, its score is not below. After
    ``fit_pairs`` there is no rating to read and the utility is returned, in units of the largest of a compared set.

    Examples
    --------
    >>> X = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0]]
    >>> ranker = RobustOrdinalRanker().fit(X, [3, 2, 2, 5, 4, 1, 1])
    >>> ranker.compare([[1, 0, 1], [1, 1, 1]], [[1, 1, 0], [0, 0, 1]]).tolist()
    [1, 0]
    >>> ranker.predict([[1, 0, 1], [0, 0, 0]]).tolist(), ranker.learned_.degree
    ([5.0, 1.0], 2)
    """

    def __init__(
        self,
        *,
        simplicity: str = "lex",
        rule: str = "all",
        threshold: float = 0.9,
        engine: str = "auto",
        time_limit: float | None = None,
        collisions: str = "median",
        ties: str = "ignore",
        tolerance: float = 0.0,
        binarize: float | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.simplicity = simplicity
        self.rule = rule
        self.threshold = threshold
        self.engine = engine
        self.time_limit = time_limit
        self.collisions = collisions
        self.ties = ties
        self.tolerance = tolerance
        self.binarize = binarize
        self.random_state = random_state

    def _rated(self, cells: npt.NDArray[np.int64], ratings: Sequence[float], universe: Universe) -> Preferences:
        return Preferences.from_ratings(
            cells, ratings, universe=universe, collisions=self.collisions, ties=self.ties, tolerance=self.tolerance
        )

    def _learn(self, preferences: Preferences) -> None:
        check_rule(self.rule, self.threshold, self.simplicity)
        learned = learn(preferences, self.simplicity, self.engine, time_limit=self.time_limit)
        if not learned.proven and self.engine == "auto":  # a reference engine proves nothing, however long it runs
            _warn_stopped(self.time_limit)
        self.learned_ = learned
        seed = _seed(self.random_state) if self.rule == "volume" else 0  # nothing else draws
        self.rule_ = CautiousRule(learned, self.rule, threshold=self.threshold, seed=seed)
        self.model_ = _average(learned)
        known = [] if self.model_ is None else [abs(Fraction(self.model_.at(m))) for m in preferences.alternatives]
        self._unit = max(known, default=Fraction(0)) or Fraction(1)
        self._knots = self._rating_knots(preferences)

    def verdicts_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Verdicts:
        return self.rule_.verdicts(first, second)

    def margins_of_masks(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        return self.rule_.margins(first, second)

    def _scores(self, masks: Sequence[int]) -> Floats:
        utilities, ratings = self._knots
        if self.model_ is None:
            return np.full(len(masks), ratings.mean() if len(ratings) else 0.0)
        found = np.array([self._utility(mask) for mask in masks], dtype=np.float64)
        return np.interp(found, utilities, ratings) if len(ratings) else found

    def _utility(self, mask: int) -> float:
        """Return the utility in units of the largest among the compared sets: exact first, then one rounding."""
        return float(Fraction(self.model_.at(mask)) / self._unit) if self.model_ is not None else 0.0

    def _rating_knots(self, preferences: Preferences) -> tuple[Floats, Floats]:
        """Return utilities in increasing order and the rating at each: the two ends of every tier."""
        utilities: list[float] = []
        ratings: list[float] = []
        for tier in reversed(preferences.tiers or ()):
            known = [self._utility(mask) for mask in tier]
            utilities += [min(known), max(known)]
            ratings += [float(preferences.ratings[tier[0]]) if preferences.ratings else 0.0] * 2
        return np.array(utilities), np.array(ratings)


def _seed(random_state: int | np.random.RandomState | None) -> int:
    """Return one whole number for the walks; drawn once in fit, so that answers repeat."""
    if isinstance(random_state, (int, np.integer)):
        if random_state < 0:
            raise _bad_seed(random_state)
        return int(random_state)
    from sklearn.utils import check_random_state

    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except (TypeError, ValueError):
        raise _bad_seed(random_state) from None


def _bad_seed(random_state: object) -> InputError:
    return InputError(f"random_state is {told(random_state)}; give a whole number from 0 up, a RandomState or None")


def _warn_stopped(time_limit: float | None) -> None:
    from sklearn.exceptions import ConvergenceWarning

    limit = "its limits" if time_limit is None else f"the time_limit of {time_limit} seconds"
    warnings.warn(
        f"the search was stopped by {limit} before the simplest models were proven; predictions rest on the best model "
        "known (give more time, or simplicity='deg', which is the fastest)",
        ConvergenceWarning,
        stacklevel=2,
    )


def _average(learned: Learned) -> Utility | None:
    """Return the average over all simplest thetas of the values found, each with sizes of sum 1."""
    if learned.found is None or not learned.found.families:
        return learned.minimum.model if learned.minimum is not None else None
    if not learned.proven:
        return learned.found.families[0].model
    total = learned.found.count
    weights: dict[int, Fraction] = defaultdict(Fraction)
    for family in learned.found.families:
        size = sum(slot.value for slot in family.slots)
        for slot in family.slots:
            few = slot.members.count <= AVERAGED_MEMBERS
            members = list(slot.members) if few else [slot.members.first]
            for term, sign in members:
                weights[term] += sign * Fraction(slot.value * family.count, size * len(members) * total)
    return Model(learned.preferences.universe, weights)
