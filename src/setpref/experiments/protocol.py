"""One run of the paper's protocol (Section 5.3): learn from some rated sets, predict pairs, count.

All methods see the same preferences and the same pairs, as masks. The baselines work on the terms up to the minimum
degree, which ours has found, and are tuned to the share of pairs that ours predicts where their name ends in
``-reject``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from setpref.data.preferences import Preferences
from setpref.estimators.baselines import KNNRanker, LinearRanker, SVMRanker, keep_largest
from setpref.evaluation.synthetic import SyntheticUser, draw_sets, draw_test_pairs, draw_user
from setpref.experiments.contract import Work
from setpref.experiments.records import Row, Settings, Task
from setpref.experiments.series import READINGS
from setpref.learning.learned import Learned
from setpref.learning.learner import learn
from setpref.metrics import confusion_table, f1

__all__ = [
    "METHODS",
    "PERSONS",
    "PLAIN",
    "Rivals",
    "Tally",
    "Trial",
    "Verdicts",
    "draw_person",
    "guessed",
    "person_row",
    "persons",
    "tasks_by_sets",
]

PLAIN = ("ord", "lr", "svm", "knn")
METHODS = (*PLAIN, "lr-reject", "svm-reject")
# How synthetic users are drawn.
PERSONS: Settings = {
    "elements": 8,
    "scale": 12,
    "alpha": 0.1,
    "twelve_terms": 4,
    "p": 0.9,
    "sigma": 100.0,
    "readings": list(READINGS),
}

Verdicts = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


class Rivals:
    """LR and SVM, learned from preferences on the terms up to a degree, and asked for pairs."""

    def __init__(self, preferences: Preferences, degree: int | None, first: Sequence[int], second: Sequence[int]):
        self.margins: dict[str, Floats] = {
            name: kind(degree=max(1, degree or 1)).fit_preferences(preferences).margins_of_masks(first, second)
            for name, kind in (("lr", LinearRanker), ("svm", SVMRanker))
        }

    def verdicts(self) -> dict[str, Verdicts]:
        """Return what they predict."""
        return {name: _signs(margins) for name, margins in self.margins.items()}

    def rejecting(self, verdicts: Verdicts, ending: str = "-reject") -> dict[str, Verdicts]:
        """Return what they predict on as many pairs as the given verdicts: those of their largest margins."""
        rate = float(np.mean(verdicts != 0))
        return {f"{name}{ending}": _signs(keep_largest(margins, rate)) for name, margins in self.margins.items()}


@dataclass(frozen=True)
class Trial:
    """Preferences to learn from, pairs to predict, and the truth about them.

    Attributes
    ----------
    real : array
        What the ratings say of each pair: 1 better, -1 worse, 0 alike.
    """

    preferences: Preferences
    pairs: Sequence[tuple[int, int]]
    real: Verdicts
    time_limit: float
    knn_weights: str = "inverse"

    @cached_property
    def learned(self) -> Learned:
        """What ours has learned."""
        return learn(self.preferences, time_limit=self.time_limit)

    @property
    def statements(self) -> int:
        """How many preferences the ratings state: |R| of the paper."""
        return self.preferences.pair_count

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        """The first sets of the pairs, and the second ones."""
        return [a for a, _ in self.pairs], [b for _, b in self.pairs]

    @cached_property
    def rivals(self) -> Rivals:
        """LR and SVM."""
        return Rivals(self.preferences, self.learned.degree, *self.sides)

    def verdicts(self) -> dict[str, Verdicts]:
        """Return what every method predicts."""
        ours = self.learned.verdicts_of_masks(*self.sides)
        neighbours = KNNRanker(weights=self.knn_weights, degree=max(1, self.learned.degree or 1))
        knn = neighbours.fit_preferences(self.preferences).verdicts_of_masks(*self.sides)
        return {"ord": ours, **self.rivals.verdicts(), "knn": knn, **self.rivals.rejecting(ours)}


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


# -- synthetic users -------------------------------------------------------------------------------------------------


def draw_person(work: Work, name: object = None) -> SyntheticUser:
    """Return the synthetic user of a task, or of a name, the same in every experiment with the same seed."""
    settings, reading = work.settings, work.task["reading"]
    elements = int(work.task.get("elements") or settings["elements"])
    return draw_user(
        elements,
        alpha=settings["alpha"],
        terms=settings["twelve_terms"] if reading == "twelve" else None,
        p=settings["p"],
        sigma=settings["sigma"],
        scale=settings["scale"],
        rng=work.rng("user", reading, work.task["user"] if name is None else name),
    )


def person_row(work: Work, do: Callable[[Trial], None]) -> Row:
    """Do something in every run with one user; return what the rows of such experiments have in common."""
    person, statements, proven = draw_person(work), [], 0
    for run in range(work.settings["runs"]):
        trial = _draw_trial(work, person, run)
        do(trial)
        statements.append(trial.statements)
        proven += trial.learned.proven
    task = work.task
    return {
        "reading": task["reading"],
        "user": task["user"],
        "sets": task["sets"],
        "terms": len(person.model.theta),
        "proven": proven,
        "runs": len(statements),
        "statements": statements,
    }


def _draw_trial(work: Work, person: SyntheticUser, run: int) -> Trial:
    """Return one run with a synthetic user: distinct training sets, and pairs not both among them."""
    settings, elements = work.settings, len(person.universe)
    rng = work.rng("run", work.task["reading"], work.task["user"], work.task["sets"], run)
    training = draw_sets(elements, work.task["sets"], rng)
    pairs = draw_test_pairs(range(1 << elements), training, settings.get("pairs", 1), rng)
    weights = settings.get("knn_weights", "inverse")
    return Trial(person.rated(training), pairs, person.verdicts(pairs), settings["time_limit"], weights)


def persons(settings: Settings) -> list[Task]:
    """Return what names every user: a reading and a number."""
    return [{"reading": reading, "user": user} for reading in settings["readings"] for user in range(settings["users"])]


def tasks_by_sets(settings: Settings) -> list[Task]:
    """Return a task per user and number of rated sets."""
    return [{**person, "sets": sets} for person in persons(settings) for sets in settings["sizes"]]


def guessed(least: float, most: float, power: int) -> Callable[[Task, Settings], float]:
    """Return how to guess seconds: about the least at most sizes, more and very unevenly at the largest."""

    def seconds(task: Task, settings: Settings) -> float:
        slow = 2.0 if task["reading"] == "formula" else 1.0
        return float(settings["runs"] * (least + most * slow * (task["sets"] / 29) ** power))

    return seconds


def _signs(margins: Floats) -> Verdicts:
    return np.asarray(np.sign(margins), dtype=np.int8)
