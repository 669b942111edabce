"""Would this help me? The paper's protocol (Section 5.3) on somebody's own ratings, method against method.

Each run draws some of the rated sets to train on and random pairs that are not both among them, and compares what each
method predicts with what the ratings say. All methods see the same sets and the same pairs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from setpref import estimators
from setpref.arguments import checked_choice, checked_function, checked_number, checked_whole, told
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.errors import BadTable, InputError
from setpref.evaluation.intervals import Interval
from setpref.evaluation.synthetic import Seed, draw_test_pairs, generator_of
from setpref.metrics import METRICS
from setpref.terms import bit_matrix

if TYPE_CHECKING:
    from setpref.estimators.convention import Ranker

__all__ = ["METHODS", "Evaluation", "Settings", "evaluate"]

SHARE = "a share between 0 and 1, such as 0.8"
COLUMNS = ("prediction_rate", "precision", "recall", "f1", "correctness")


@dataclass(frozen=True)
class Settings:
    """The options of the methods.

    Attributes
    ----------
    simplicity, time_limit, threshold
        Of ours; the threshold is that of ``ord-volume``.
    kernel, weights
        Of SVM and KNN.
    """

    simplicity: str = "lex"
    time_limit: float | None = 60.0
    threshold: float = 0.9
    kernel: str = "rbf"
    weights: str = "inverse"


Floats = npt.NDArray[np.float64]
Make = Callable[[Settings, float], "Ranker | estimators.RejectOption"]


def _ours(rule: str) -> Make:
    return lambda settings, rate: estimators.RobustOrdinalRanker(
        simplicity=settings.simplicity,
        rule=rule,
        threshold=settings.threshold,
        time_limit=settings.time_limit,
        random_state=0,
    )


def _rejecting(method: str) -> Make:
    return lambda settings, rate: estimators.RejectOption(RIVALS[method](settings, rate), prediction_rate=rate)


RIVALS: dict[str, Make] = {
    "lr": lambda settings, rate: estimators.LinearRanker(),
    "svm": lambda settings, rate: estimators.SVMRanker(kernel=settings.kernel),
    "knn": lambda settings, rate: estimators.KNNRanker(weights=settings.weights),
}
METHODS: dict[str, tuple[str, Make]] = {
    "ord": ("every simplest model agrees", _ours("all")),
    "ord-union": ("all models over the terms of the simplest ones agree", _ours("union")),
    "ord-majority": ("more than half of the simplest thetas agree", _ours("majority")),
    "ord-volume": ("a share of {threshold} of the compatible values agrees", _ours("volume")),
    "lr": ("linear regression on the terms up to the minimum degree", RIVALS["lr"]),
    "svm": ("support vectors on differences, {kernel} kernel", RIVALS["svm"]),
    "knn": ("5 nearest neighbours, weights {weights} to the distance", RIVALS["knn"]),
    "lr-reject": ("lr on the share of pairs that ord predicts, largest margins first", _rejecting("lr")),
    "svm-reject": ("svm on the share of pairs that ord predicts, largest margins first", _rejecting("svm")),
}


@dataclass(frozen=True)
class Evaluation:
    """What the runs gave: per method and measure one value a run."""

    settings: Settings
    alternatives: int
    training: int
    pairs: int
    repeats: int
    values: dict[str, dict[str, tuple[float, ...]]]
    unproven: int

    def interval(self, method: str, metric: str) -> Interval:
        """Return the mean of a measure over the runs, with its interval."""
        return Interval.of(self.values[method][metric])

    def facts(self) -> dict[str, object]:
        """Return the result as plain data, as ``setpref evaluate --json`` prints it; undefined values are None."""
        return {
            "alternatives": self.alternatives,
            "training": self.training,
            "pairs": self.pairs,
            "repeats": self.repeats,
            "unproven_runs": self.unproven,
            "settings": vars(self.settings),
            "methods": {
                method: {
                    "meaning": METHODS[method][0].format(**vars(self.settings)),
                    **{metric: self.interval(method, metric).facts() for metric in COLUMNS},
                }
                for method in self.values
            },
        }


def evaluate(
    preferences: Preferences,
    methods: Sequence[str] = ("ord", "lr", "svm", "knn"),
    *,
    train: float = 0.8,
    repeats: int = 10,
    pairs: int = 100,
    settings: Settings | None = None,
    rng: Seed = 0,
    progress: Callable[[str], None] | None = None,
) -> Evaluation:
    """Compare methods on rated sets by the paper's protocol.

    Parameters
    ----------
    methods
        Names of ``METHODS``; the first listed is run first. Those ending in ``-reject`` need ``ord`` too, whose
        prediction rate they are tuned to in every run.
    train
        The share of the rated sets to learn from; at least two and not all.
    repeats, pairs
        The number of runs, and of test pairs in each (all there are, if fewer).
    rng
        A seed or Generator; the same seed gives the same runs.

    Examples
    --------
    >>> ratings = {"{}": 1, "a": 2, "b": 3, "c": 4, "a+b": 5, "a+c": 6, "b+c": 7}
    >>> done = evaluate(Preferences.from_ratings(ratings), ["ord"], repeats=2)
    >>> done.training, done.pairs, done.interval("ord", "correctness").mean
    (6, 6, 1.0)
    """
    chosen = _checked(methods)
    masks, ratings, size = _material(preferences, train, repeats, pairs)
    checked_function("progress", progress)
    generator, options = generator_of(rng), Settings() if settings is None else settings
    if not isinstance(options, Settings):
        raise InputError(f"settings is {told(settings)}; give Settings(...), or None for the usual ones")
    cells = bit_matrix(masks, len(preferences.universe))
    place = {mask: i for i, mask in enumerate(masks)}
    values: dict[str, dict[str, list[float]]] = {method: {metric: [] for metric in COLUMNS} for method in chosen}
    unproven, tested = 0, 0
    for run in range(repeats):
        training = [int(i) for i in generator.permutation(len(masks))[:size]]
        drawn = draw_test_pairs(masks, [masks[i] for i in training], pairs, generator)
        first, second = [place[a] for a, _ in drawn], [place[b] for _, b in drawn]
        real = np.sign(ratings[first] - ratings[second]).astype(np.int8)
        tested, rate = len(drawn), 0.0
        # Ours goes first: the rivals with a reject option need its prediction rate.
        for method in sorted(chosen, key=lambda name: name != "ord"):
            if progress is not None:
                progress(f"run {run + 1} of {repeats}: {method}")
            ranker = _fitted(METHODS[method][1](options, rate), cells[training], ratings[training])
            found = ranker.compare(cells[first], cells[second])
            if method == "ord":
                rate = float(np.mean(found != 0))
                unproven += not ranker.learned_.proven
            for metric in COLUMNS:
                values[method][metric].append(METRICS[metric](found, real))
    kept = {method: {metric: tuple(runs) for metric, runs in found.items()} for method, found in values.items()}
    return Evaluation(options, len(masks), size, tested, repeats, kept, unproven)


def _fitted(
    ranker: Ranker | estimators.RejectOption, cells: object, ratings: object
) -> Ranker | estimators.RejectOption:
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():  # runs that were stopped are counted, and reported with the result
        warnings.simplefilter("ignore", ConvergenceWarning)
        return ranker.fit(cells, ratings)


def _checked(methods: Sequence[str]) -> list[str]:
    if isinstance(methods, str) or not isinstance(methods, Iterable):
        raise InputError(f"methods is {told(methods)}; give a list of names, such as ['ord', 'lr']")
    chosen = list(dict.fromkeys(checked_choice("method", method, METHODS) for method in methods))
    if not chosen:
        raise InputError(f"no method is named; choose from {', '.join(METHODS)}")
    tuned = [method for method in chosen if method.endswith("-reject")]
    if tuned and "ord" not in chosen:
        raise InputError(f"{tuned[0]} is tuned to the prediction rate of ord; name ord among the methods too")
    return chosen


def _material(preferences: Preferences, train: float, repeats: int, pairs: int) -> tuple[list[int], Floats, int]:
    """Return the rated sets, their ratings and the number to learn from, or say why there is nothing to evaluate."""
    checked_preferences(preferences)
    if preferences.ratings is None:
        raise BadTable(f"{preferences.source} holds statements; methods are evaluated on ratings, so give rated sets")
    if checked_number("train", train, SHARE, above=0, most=1) == 1:
        raise InputError(f"train is {train}; give {SHARE}")
    checked_whole("repeats", repeats)
    checked_whole("pairs", pairs)
    masks = list(preferences.alternatives)
    if len(masks) < 4:
        raise InputError(f"{preferences.source} has {len(masks)} rated sets; at least 4 are needed to learn and test")
    ratings = np.array([float(preferences.ratings[mask]) for mask in masks])
    if len(set(ratings.tolist())) < 2:
        raise InputError(f"all sets of {preferences.source} are rated alike, so there is nothing to predict")
    return masks, ratings, min(max(2, int(train * len(masks) + 0.5)), len(masks) - 1)
