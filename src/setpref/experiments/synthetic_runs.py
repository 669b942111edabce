"""Figures 1 and 2: synthetic users, method against method, from few preferences to many.

Both figures show the same runs. The number of terms is read in two ways: the paper's formula (alpha), and its text
(about twelve terms).
"""

from __future__ import annotations

from dataclasses import replace

from setpref.experiments.contract import READINGS, Experiment, Row, Settings, Task, Work
from setpref.experiments.protocol import Tally, draw_person, draw_trial, grid

__all__ = ["PERSONS", "SYNTHETIC_F1", "SYNTHETIC_METRICS"]

# Figure 2 shows those that predict as they are; who rejects is compared by the tables.
PLAIN_METHODS = ("ord", "lr", "svm", "knn")

PERSONS = {
    "elements": 8,
    "scale": 12,
    "alpha": 0.1,
    "twelve_terms": 4,
    "p": 0.9,
    "sigma": 100.0,
    "readings": list(READINGS),
}


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets."""
    person = draw_person(work)
    tally, statements, proven = Tally(), [], 0
    for number in range(work.settings["runs"]):
        trial = draw_trial(work, person, number)
        tally.add(trial.verdicts(), trial.real)
        statements.append(trial.statements)
        proven += trial.learned.proven
    return {
        **work.task,
        "terms": len(person.model.theta),
        "proven": proven,
        "runs": len(statements),
        "statements": statements,
        "tables": tally.tables,
        "f1": {method: tally.f1[method] for method in PLAIN_METHODS},
    }


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes: little at most sizes, more and very unevenly at the largest."""
    slow = 2.0 if task["reading"] == "formula" else 1.0
    return float(settings["runs"] * (0.02 + 0.15 * slow * (task["sets"] / 29) ** 10))


SYNTHETIC_METRICS = Experiment(
    name="synthetic-metrics",
    title="Precision, recall, prediction rate and correctness on synthetic users",
    full={
        **PERSONS,
        "sizes": list(range(12, 30)),
        "users": 40,
        "runs": 10,
        "pairs": 100,
        "knn_weights": "inverse",
        "time_limit": 20.0,
    },
    quick={"sizes": [12, 16, 20, 24, 29], "users": 8, "runs": 4, "time_limit": 5.0},
    tasks=grid,
    run=run,
    seconds=seconds,
    omits=("f1",),
)
SYNTHETIC_F1 = replace(
    SYNTHETIC_METRICS,
    name="synthetic-f1",
    title="F1 on synthetic users who stated at least so many preferences",
    runs_of="synthetic-metrics",
    omits=("tables",),
)
