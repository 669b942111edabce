"""One run of the paper's protocol (Section 5.3): learn from some rated sets, predict pairs, count.

All methods see the same sets and the same pairs. The baselines work on the terms up to the minimum degree, which ours
has found, and are tuned to the share of pairs that ours predicts where their name ends in ``-reject``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.estimators.baselines import KNNRanker, LinearRanker, SVMRanker, keep_largest
from setpref.estimators.ranker import RobustOrdinalRanker
from setpref.evaluation.synthetic import SyntheticUser, draw_sets, draw_test_pairs, draw_user
from setpref.experiments.contract import Settings, Work
from setpref.learning.learned import Learned
from setpref.metrics import confusion_table, f1
from setpref.terms import bit_matrix

__all__ = ["METHODS", "Tally", "Trial", "draw_person", "draw_trial"]

METHODS = ("ord", "lr", "svm", "knn", "lr-reject", "svm-reject")

Verdicts = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """Rated sets to learn from, pairs to predict, and the truth about them.

    Attributes
    ----------
    training : sequence of int
        Masks; `ratings` are theirs.
    pairs : sequence of (int, int)
    real : array
        What the ratings say of each pair: 1 better, -1 worse, 0 alike.
    """

    elements: int
    training: Sequence[int]
    ratings: Floats
    pairs: Sequence[tuple[int, int]]
    real: Verdicts
    time_limit: float
    knn_weights: str = "inverse"

    @cached_property
    def ours(self) -> RobustOrdinalRanker:
        """Ours, learned."""
        ranker = RobustOrdinalRanker(time_limit=self.time_limit, random_state=0)
        self._fitted(ranker)
        return ranker

    @property
    def learned(self) -> Learned:
        """What ours has learned."""
        return self.ours.learned_

    @property
    def statements(self) -> int:
        """How many preferences the ratings state: |R| of the paper."""
        return self.ours.preferences_.pair_count

    @cached_property
    def margins(self) -> dict[str, Floats]:
        """The margins of LR and SVM on the pairs."""
        degree = max(1, self.learned.degree or 1)
        fitted = {name: self._fitted(kind(degree=degree)) for name, kind in (("lr", LinearRanker), ("svm", SVMRanker))}
        return {name: ranker.margin(*self._sides) for name, ranker in fitted.items()}

    def rejecting(self, name: str, verdicts: Verdicts) -> Verdicts:
        """Return what LR or SVM predict on as many pairs as the given verdicts: those of their largest margins."""
        return _signs(keep_largest(self.margins[name], float(np.mean(verdicts != 0))))

    def verdicts(self) -> dict[str, Verdicts]:
        """Return what every method predicts."""
        ours = self.ours.compare(*self._sides)
        degree = max(1, self.learned.degree or 1)
        neighbours = self._fitted(KNNRanker(weights=self.knn_weights, degree=degree))
        found = {"ord": ours, **{name: _signs(margin) for name, margin in self.margins.items()}}
        found["knn"] = neighbours.compare(*self._sides)
        return {**found, **{f"{name}-reject": self.rejecting(name, ours) for name in self.margins}}

    @cached_property
    def _sides(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        first, second = zip(*self.pairs, strict=True)
        return bit_matrix(first, self.elements), bit_matrix(second, self.elements)

    def _fitted(self, ranker: Any) -> Any:
        return ranker.fit(bit_matrix(self.training, self.elements), self.ratings)


class Tally:
    """The tables of several runs added up, and the F1 of each run."""

    def __init__(self) -> None:
        self._tables: dict[str, npt.NDArray[np.int64]] = {}
        self.f1: dict[str, list[float | None]] = {}

    def add(self, verdicts: Mapping[str, Verdicts], real: Verdicts) -> None:
        """Count one run."""
        for method, found in verdicts.items():
            table = confusion_table(found, real)
            self._tables[method] = self._tables.get(method, 0) + table
            value = f1(found, real)
            self.f1.setdefault(method, []).append(None if np.isnan(value) else round(value, 4))

    @property
    def tables(self) -> dict[str, list[int]]:
        """The sums: nine counts per method, row by row."""
        return {method: table.ravel().tolist() for method, table in self._tables.items()}


def draw_person(work: Work) -> SyntheticUser:
    """Return the synthetic user of a task, the same in every experiment with the same seed."""
    settings, reading, user = work.settings, work.task["reading"], work.task["user"]
    elements = int(work.task.get("elements") or settings["elements"])
    return draw_user(
        elements,
        alpha=settings["alpha"],
        terms=settings["twelve_terms"] if reading == "twelve" else None,
        p=settings["p"],
        sigma=settings["sigma"],
        scale=settings["scale"],
        rng=work.rng("user", reading, user),
    )


def draw_trial(work: Work, person: SyntheticUser, run: int) -> Trial:
    """Return one run with a synthetic user: distinct training sets, and pairs not both among them."""
    settings, elements = work.settings, len(person.universe)
    rng = work.rng("run", work.task["reading"], work.task["user"], work.task["sets"], run)
    training = draw_sets(elements, work.task["sets"], rng)
    pairs = draw_test_pairs(range(1 << elements), training, settings.get("pairs", 1), rng)
    ratings = person.ratings[training].astype(np.float64)
    weights = settings.get("knn_weights", "inverse")
    return Trial(elements, training, ratings, pairs, person.verdicts(pairs), settings["time_limit"], weights)


def grid(settings: Settings) -> list[dict[str, Any]]:
    """Return a task per reading, user and number of sets."""
    return [
        {"reading": reading, "user": user, "sets": sets}
        for reading in settings["readings"]
        for user in range(settings["users"])
        for sets in settings["sizes"]
    ]


def _signs(margins: Floats) -> Verdicts:
    return np.asarray(np.sign(margins), dtype=np.int8)
