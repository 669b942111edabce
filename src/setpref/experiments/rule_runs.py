"""What the paper left out: cautious rules beside its own, and rivals that may abstain as often as each of them."""

from __future__ import annotations

from setpref.estimators.caution import RULES, CautiousRule
from setpref.experiments.contract import Experiment, Row, Settings, Task, Work
from setpref.experiments.protocol import Tally, draw_person, draw_trial, grid
from setpref.experiments.synthetic_runs import PERSONS

__all__ = ["CAUTIOUS", "RULE_NAMES"]

RULE_NAMES = {rule: "ord" if rule == "all" else f"ord-{rule}" for rule in RULES}


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets."""
    person = draw_person(work)
    tally, statements, proven = Tally(), [], 0
    for number in range(work.settings["runs"]):
        trial = draw_trial(work, person, number)
        first, second = [a for a, _ in trial.pairs], [b for _, b in trial.pairs]
        found = {}
        for rule, name in RULE_NAMES.items():
            cautious = CautiousRule(trial.learned, rule, threshold=work.settings["threshold"])
            found[name] = cautious.verdicts(first, second)
            for rival in trial.margins:
                found[f"{rival}@{name}"] = trial.rejecting(rival, found[name])
        tally.add(found, trial.real)
        statements.append(trial.statements)
        proven += trial.learned.proven
    return {
        **work.task,
        "terms": len(person.model.theta),
        "proven": proven,
        "runs": len(statements),
        "statements": statements,
        "tables": tally.tables,
    }


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes."""
    slow = 2.0 if task["reading"] == "formula" else 1.0
    return float(settings["runs"] * (0.06 + 0.2 * slow * (task["sets"] / 29) ** 10))


CAUTIOUS = Experiment(
    name="rules",
    title="Cautious rules, and rivals that abstain as often",
    full={
        **PERSONS,
        "sizes": [12, 16, 20, 24, 29],
        "users": 40,
        "runs": 10,
        "pairs": 100,
        "threshold": 0.9,
        "time_limit": 20.0,
    },
    quick={"sizes": [12, 20, 29], "users": 6, "runs": 2, "time_limit": 5.0},
    tasks=grid,
    run=run,
    seconds=seconds,
)
