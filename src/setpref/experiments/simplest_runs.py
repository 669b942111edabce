"""How many simplest models there are, of which degree, cardinality and total size, as more sets are rated."""

from __future__ import annotations

from typing import Any

from setpref.experiments.contract import Experiment, Row, Settings, Task, Work
from setpref.experiments.protocol import draw_person, draw_trial, grid
from setpref.experiments.synthetic_runs import PERSONS

__all__ = ["SIMPLEST"]


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets; what is not proven is None."""
    person = draw_person(work)
    found: dict[str, list[Any]] = {name: [] for name in ("models", "families", "degree", "cardinality", "total_size")}
    statements, proven = [], 0
    for number in range(work.settings["runs"]):
        trial = draw_trial(work, person, number)
        learned = trial.learned
        known = learned.found if learned.proven else None
        found["models"].append(known.count if known else None)
        found["families"].append(len(known.families) if known else None)
        found["degree"].append(learned.degree)
        found["cardinality"].append(learned.cardinality if known else None)
        found["total_size"].append(learned.total_size if known else None)
        statements.append(trial.statements)
        proven += learned.proven
    return {
        **work.task,
        "terms": len(person.model.theta),
        "proven": proven,
        "runs": len(statements),
        "statements": statements,
        **found,
    }


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes."""
    slow = 2.0 if task["reading"] == "formula" else 1.0
    return float(settings["runs"] * (0.004 + 0.03 * slow * (task["sets"] / 29) ** 8))


SIMPLEST = Experiment(
    name="simplest-models",
    title="How many simplest models there are, and how simple",
    full={**PERSONS, "sizes": list(range(12, 30)), "users": 40, "runs": 10, "time_limit": 20.0},
    quick={"sizes": [12, 16, 20, 24, 29], "users": 8, "runs": 4, "time_limit": 5.0},
    tasks=grid,
    run=run,
    seconds=seconds,
)
