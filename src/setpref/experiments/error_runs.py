"""Errors, which the paper leaves to others: synthetic users some of whose statements are turned round.

A user compares pairs among a few sets, so that wrong answers soon contradict right ones. What helps: to refuse, to
repair and learn, to ask for what every optimal repair agrees on, or methods that never minded contradictions?
"""

from __future__ import annotations

from typing import Any

import numpy as np

from setpref.data.preferences import Preferences
from setpref.estimators.baselines import LinearRanker, SVMRanker, keep_largest
from setpref.evaluation.synthetic import draw_sets, draw_test_pairs, flip_statements
from setpref.experiments.contract import Experiment, Row, Settings, Task, Work
from setpref.experiments.protocol import Tally, Verdicts, draw_person
from setpref.experiments.synthetic_runs import PERSONS
from setpref.learning.despite import LearnedDespiteErrors
from setpref.learning.learner import learn
from setpref.terms import bit_matrix

__all__ = ["ERRORS", "ERROR_METHODS"]

ERROR_METHODS = (
    "ord-refuse",
    "ord-repair",
    "ord-robust",
    "ord-known",
    "lr",
    "svm",
    "lr-reject",
    "svm-reject",
)


def run(work: Work) -> Row:
    """Return the row of one user and one share of errors."""
    settings, person = work.settings, draw_person(work)
    tally = Tally()
    told: dict[str, list[Any]] = {name: [] for name in ("contradictory", "repairs", "cost", "degree", "flips")}
    proven = 0
    for number in range(settings["runs"]):
        # The same sets, pairs and order of flips at every share: what changes is only how many are flipped.
        rng = work.rng("errors", work.task["reading"], work.task["user"], number)
        pool = draw_sets(settings["elements"], settings["pool"], rng)
        stated = draw_test_pairs(pool, (), len(pool) ** 2, rng)
        signs = person.verdicts(stated)
        right = [(a, b) if sign > 0 else (b, a) for (a, b), sign in zip(stated, signs.tolist(), strict=True) if sign]
        right = right[: settings["statements"]]
        pairs = draw_test_pairs(range(1 << settings["elements"]), pool, settings["pairs"], rng)
        said = flip_statements(right, work.task["noise"], work.rng("flips", work.task["user"], number))
        flips = sum(a != b for a, b in zip(said, right, strict=True))
        trial = _Trial(person.universe, said, pairs, flips, settings)
        tally.add(trial.verdicts(), person.verdicts(pairs))
        robust = trial.robust
        told["contradictory"].append(int(not robust.preferences.consistent))
        told["repairs"].append(len(robust.parts) if robust.repaired.complete else None)
        told["cost"].append(int(robust.repaired.cost))
        told["degree"].append(robust.parts[0].degree)
        told["flips"].append(flips)
        proven += robust.proven
    return {
        **work.task,
        "terms": len(person.model.theta),
        "runs": settings["runs"],
        "proven": proven,
        "statements": [settings["statements"]] * settings["runs"],
        **told,
        "tables": tally.tables,
    }


class _Trial:
    """Statements, some of them wrong, and pairs to predict."""

    def __init__(
        self, universe: Any, said: list[tuple[int, int]], pairs: list[tuple[int, int]], flips: int, settings: Settings
    ) -> None:
        self.flips, self.settings, self.elements = flips, settings, len(universe)
        self.said = said
        self.first, self.second = [a for a, _ in pairs], [b for _, b in pairs]
        written = [(universe.write(a), universe.write(b)) for a, b in said]
        self.preferences = Preferences.from_pairs(written, universe=universe, contradictions="keep")
        self.robust = self._learned("auto")

    def _learned(self, errors: Any) -> LearnedDespiteErrors:
        limit, repairs = self.settings["time_limit"], self.settings["repairs"]
        found: LearnedDespiteErrors = learn(self.preferences, errors=errors, time_limit=limit, repairs=repairs)
        return found

    def verdicts(self) -> dict[str, Verdicts]:
        """Return what every method predicts."""
        pairs = self.first, self.second
        robust, one = self.robust.verdicts_of_masks(*pairs), self.robust.parts[0].verdicts_of_masks(*pairs)
        found = {
            "ord-refuse": one if self.preferences.consistent else np.zeros_like(one),
            "ord-repair": one,
            "ord-robust": robust,
            "ord-known": self._learned(max(self.flips, int(self.robust.repaired.cost))).verdicts_of_masks(*pairs),
        }
        margins = self._margins(max(1, self.robust.parts[0].degree or 1))
        found |= {name: np.sign(margin).astype(np.int8) for name, margin in margins.items()}
        rate = float(np.mean(robust != 0))
        rejecting = {f"{name}-reject": keep_largest(margin, rate) for name, margin in margins.items()}
        return found | {name: np.sign(margin).astype(np.int8) for name, margin in rejecting.items()}

    def _margins(self, degree: int) -> dict[str, Any]:
        """Return the margins of LR and SVM, on the terms up to the degree that the first repair needs."""
        better, worse = (bit_matrix(side, self.elements) for side in zip(*self.said, strict=True))
        asked = bit_matrix(self.first, self.elements), bit_matrix(self.second, self.elements)
        rankers = {"lr": LinearRanker(degree=degree), "svm": SVMRanker(degree=degree)}
        return {name: ranker.fit_pairs(better, worse).margin(*asked) for name, ranker in rankers.items()}


def tasks(settings: Settings) -> list[Task]:
    """Return a task per reading, user and share of errors."""
    return [
        {"reading": reading, "user": user, "noise": noise}
        for reading in settings["readings"]
        for user in range(settings["users"])
        for noise in settings["shares"]
    ]


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes: repairs become harder with their number."""
    return float(settings["runs"] * (0.1 + 10.0 * task["noise"]))


ERRORS = Experiment(
    name="errors",
    title="Statements some of which are wrong",
    full={
        **PERSONS,
        "pool": 16,
        "statements": 40,
        "shares": [0.0, 0.05, 0.1, 0.15, 0.2],
        "users": 30,
        "runs": 3,
        "pairs": 100,
        "repairs": 20,
        "time_limit": 20.0,
    },
    quick={"shares": [0.0, 0.1, 0.2], "users": 5, "runs": 1, "repairs": 10, "time_limit": 4.0},
    tasks=tasks,
    run=run,
    seconds=seconds,
)
