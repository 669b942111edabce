"""Errors, which the paper leaves to others: synthetic users some of whose statements are turned round.

A user compares pairs among a few sets, so that wrong answers soon contradict right ones. What helps: to refuse, to
repair and learn, to ask for what every optimal repair agrees on, or methods that never minded contradictions?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from setpref.data.preferences import Preferences
from setpref.evaluation.synthetic import draw_sets, draw_test_pairs, flip_statements
from setpref.experiments.contract import Experiment, Table, Work, without_data
from setpref.experiments.judging import AHEAD, Claim, ahead, in_readings, share
from setpref.experiments.protocol import PERSONS, Rivals, Tally, Verdicts, draw_person, persons
from setpref.experiments.records import Document, Row, Rows, Settings, Task
from setpref.experiments.series import group, interval, label, mean_of, methods_of, people, readings
from setpref.experiments.sheet import DASHES, Drawing, Line, measures
from setpref.learning.despite import LearnedDespiteErrors
from setpref.learning.learner import learn

__all__ = ["ERRORS"]

METHODS = ("ord-refuse", "ord-repair", "ord-robust", "ord-known", "lr", "svm", "lr-reject", "svm-reject")


def run(work: Work) -> Row:
    """Return the row of one user and one share of errors."""
    settings, person = work.settings, draw_person(work)
    tally = Tally()
    told: Row = {"contradictory": [], "repairs": [], "cost": [], "degree": [], "flips": []}
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
        preferences = Preferences.of_masks(person.universe, over=said, contradictions="keep")
        robust = _learned(preferences, "auto", settings)
        tally.add(_verdicts(robust, flips, pairs, settings), person.verdicts(pairs))
        told["contradictory"].append(int(not preferences.consistent))
        told["repairs"].append(len(robust.parts) if robust.repaired.complete else None)
        told["cost"].append(int(robust.repaired.cost))
        told["degree"].append(robust.parts[0].degree)
        told["flips"].append(flips)
        proven += robust.proven
    return {
        "reading": work.task["reading"],
        "user": work.task["user"],
        "noise": work.task["noise"],
        "terms": len(person.model.theta),
        "runs": settings["runs"],
        "proven": proven,
        "statements": [settings["statements"]] * settings["runs"],
        **told,
        "tables": tally.tables,
    }


def _learned(preferences: Preferences, errors: str | int, settings: Settings) -> LearnedDespiteErrors:
    return learn(preferences, errors=errors, time_limit=settings["time_limit"], repairs=settings["repairs"])


def _verdicts(
    robust: LearnedDespiteErrors, flips: int, pairs: list[tuple[int, int]], settings: Settings
) -> dict[str, Verdicts]:
    """Return what every method predicts; LR and SVM on the terms up to the degree that the first repair needs."""
    preferences, sides = robust.preferences, ([a for a, _ in pairs], [b for _, b in pairs])
    agreed, one = robust.verdicts_of_masks(*sides), robust.parts[0].verdicts_of_masks(*sides)
    known = _learned(preferences, max(flips, int(robust.repaired.cost)), settings)
    rivals = Rivals(preferences, robust.parts[0].degree, *sides)
    return {
        "ord-refuse": one if preferences.consistent else np.zeros_like(one),
        "ord-repair": one,
        "ord-robust": agreed,
        "ord-known": known.verdicts_of_masks(*sides),
        **rivals.verdicts(),
        **rivals.rejecting(agreed),
    }


def tasks(settings: Settings) -> list[Task]:
    """Return a task per user and share of errors."""
    return [{**person, "noise": noise} for person in persons(settings) for noise in settings["shares"]]


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes: repairs become harder with their number."""
    return float(settings["runs"] * (0.1 + 10.0 * task["noise"]))


# -- table and figures -----------------------------------------------------------------------------------------------


def _cells(document: Document) -> Iterator[tuple[str, ...]]:
    for _, words, part in readings(document["rows"]):
        for noise, some in group(part, lambda row: row["noise"]).items():
            clash, cost = mean_of(some, "contradictory"), mean_of(some, "cost")
            for method in methods_of(some, METHODS):
                measured = [share(interval(some, method, metric)) for metric in ("prediction_rate", "precision", "f1")]
                yield label(method), words, f"{noise:.0%}", f"{clash.mean:.0%}", f"{cost.mean:.1f}", *measured


SHOWN = {
    "errors": (METHODS[:4], "ORD that refuses what contradicts itself, learns from one optimal repair, asks all "
        "optimal repairs to agree (robust), or knows how many statements are wrong and spends them on a smaller degree "
        "(known)"),
    "errors-rivals": (("ord-robust", *METHODS[4:]), "ORD robust over all optimal repairs beside LR and SVM, which "
        "never minded contradictions, also when they predict only their largest margins on as many pairs"),
}  # fmt: skip
STYLES: dict[str, Mapping[str, Any]] = {
    "ord-repair": {"linestyle": DASHES, "markerfacecolor": "white"},
    "ord-refuse": {"linestyle": (0, (1.0, 1.4)), "marker": "x"},
    "ord-known": {"linestyle": (0, (4.0, 1.2, 1.0, 1.2)), "marker": "d"},
}
DRAWN = ("precision", "prediction_rate", "f1")
FEWEST = 5


def _figures(document: Document) -> list[Drawing]:
    rows: Rows = document["rows"]
    bounds = dict.fromkeys(DRAWN, (0.0, 1.02))
    found = []
    for name, (methods, what) in SHOWN.items():
        shown = methods_of(rows, methods)
        for reading, words, part in readings(rows):
            title = f"Errors, {words}"
            caption = (
                f"{title}: precision, prediction rate and F1 against the share of statements that were turned round; "
                f"{what}; means over {people(part)} with 95% intervals."
            )
            lines = {metric: {method: _line(part, method, metric) for method in shown} for metric in DRAWN}
            make = partial(measures, title, "statements turned round, %", lines, bounds, right=0.78, styles=STYLES)
            found.append(Drawing(f"{name}-{reading}", caption, make))
    return found


def _line(rows: Rows, method: str, metric: str) -> Line:
    """Return a measure against the share of errors, in percent, where enough users have it."""
    # Who refuses nearly always has a precision for a few users only, and then an interval as wide as the panel.
    enough = min(FEWEST, len({row["user"] for row in rows}))
    line = [
        (100 * noise, interval(some, method, metric)) for noise, some in group(rows, lambda row: row["noise"]).items()
    ]
    seen = [(x, found) for x, found in line if found.runs >= enough]
    return seen if len(seen) > 1 else []  # one point alone, as of a method that then always refuses, is no line


# -- claims ----------------------------------------------------------------------------------------------------------

CLAIMS = (
    ("ord-robust", ("ord-repair",), "precision", "Asking all optimal repairs to agree is more precise than one."),
    ("ord-robust", ("lr", "svm"), "precision", "ORD robust is more precise than LR and SVM."),
    ("ord-robust", ("lr-reject", "svm-reject"), "precision", "So it is where LR and SVM predict as many pairs."),
    ("ord-repair", ("ord-refuse",), "f1", "Repairing and learning gives a better F1 than refusing."),
    ("ord-known", ("ord-robust",), "f1", "Knowing how many statements are wrong gives a better F1."),
)


def _judge(rows: Rows) -> list[Claim]:
    """Judge what helps against statements that are wrong."""
    shares = {noise: part for noise, part in group(rows, lambda row: row["noise"]).items() if noise > 0}
    rule = AHEAD.replace("sizes", "shares of errors")
    return [
        ahead(text, shares.values(), method, rivals, metric, rule=rule, what="shares", ours=True)
        for method, rivals, metric, text in CLAIMS
    ]


# -- the study -------------------------------------------------------------------------------------------------------

ERRORS = Experiment(
    name="errors",
    title="Left out: statements some of which are wrong",
    question=(
        "Not in the paper: people who compare pairs of a few sets, some of whose statements are turned round. ORD may "
        "refuse what contradicts itself, learn from one optimal repair, or predict where all optimal repairs agree; LR "
        "and SVM take the statements as they are."
    ),
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
    prepare=without_data,
    tasks=tasks,
    run=run,
    seconds=seconds,
    alone=False,
    source="errors",
    omits=(),
    figures=_figures,
    table=Table(
        ("method", "reading", "wrong", "contradictory runs", "given up", "prediction rate", "precision", "F1"),
        _cells,
        "Against the share of statements turned round; given up: the cost of the optimal repairs; means over users "
        "with 95% intervals.",
    ),
    claims=in_readings(_judge),
)
