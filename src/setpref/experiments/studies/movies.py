"""The table of Section 5.4: people who rated movies, as preferences among sets of genres.

Two readings of its protocol: ``small`` learns from 5 to 10 sets, ``ninety`` from nine in ten. What a person said twice
and differently about the same genres is settled by a named policy. Only numbers of people and counts are stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.evaluation.intervals import Interval
from setpref.evaluation.movies import HOW_TO_GET, PACKAGE, read_ratings
from setpref.evaluation.synthetic import draw_test_pairs
from setpref.experiments.contract import PROTOCOLS, Experiment, NoData, Table, Work, generator
from setpref.experiments.judging import VERDICTS, Claim, ahead, beyond_abstaining, graded, judged, mostly, points, share
from setpref.experiments.protocol import METHODS, Tally, Trial
from setpref.experiments.records import Document, Row, Rows, Settings, Task
from setpref.experiments.series import METRICS, advantage, group, interval, label, methods_of, people
from setpref.experiments.sheet import MARKERS, Drawing, colour, line_style, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOVIES"]

FEWEST_SETS = 4
MEASURES = ("prediction_rate", "precision", "recall", "f1")
# The averages over users that the paper reports (its only table of results).
REPORTED = {
    "ord": {"prediction_rate": 0.60, "precision": 0.76, "recall": 0.83, "f1": 0.81},
    "lr": {"prediction_rate": 1.0, "precision": 0.55, "recall": 0.90, "f1": 0.69},
    "svm": {"prediction_rate": 1.0, "precision": 0.55, "recall": 0.92, "f1": 0.70},
    "knn": {"prediction_rate": 0.82, "precision": 0.48, "recall": 0.65, "f1": 0.59},
}


def prepare(settings: Settings, data: str | Path | None, seed: int) -> tuple[Settings, Callable[[Task], object]]:
    """Read the ratings and choose genres and people."""
    from importlib.util import find_spec

    if data is None and find_spec(PACKAGE) is None:
        raise NoData(f"movies needs movie ratings, and none are here: {HOW_TO_GET}")
    ratings = read_ratings(PACKAGE if data is None else data)
    wanted = settings["genres"]
    genres = ratings.choose_genres(wanted) if isinstance(wanted, int) else ratings.choose_genres(names=wanted)
    known = ratings.users(settings["at_least"])
    order = generator(seed, "people").permutation(len(known))[: settings["users"]]
    chosen = sorted(known[i] for i in order)
    size = sum(map(len, ratings.by_user.values()))
    found: Settings = {"source": ratings.name, "ratings_in_source": size, "genres": list(genres), "people": chosen}

    def person(task: Task) -> tuple[int, Preferences]:
        given = ratings.by_user[task["user"]]
        return len(given), ratings.preferences(task["user"], genres, settings["collisions"])

    return {**settings, **found}, person


def tasks(settings: Settings) -> list[Task]:
    """Return a task per protocol and person."""
    return [{"protocol": p, "user": user} for p in settings["protocols"] for user in settings["people"]]


def run(work: Work) -> Row:
    """Return the row of one person under one protocol."""
    given, preferences = work.material
    settings, protocol, user = work.settings, work.task["protocol"], work.task["user"]
    rated = preferences.ratings
    masks = sorted(rated)
    if len(masks) < FEWEST_SETS:
        raise InputError(f"user {user} rated {len(masks)} distinct sets of genres; at least {FEWEST_SETS} are needed")
    limit = settings["time_limit" if protocol == "small" else "time_limit_ninety"]
    tally, statements, sizes, proven = Tally(), [], [], 0
    for number in range(settings["runs" if protocol == "small" else "runs_ninety"]):
        rng = work.rng("movies", protocol, user, number)
        size = int(rng.integers(5, 11)) if protocol == "small" else int(0.9 * len(masks) + 0.5)
        training = [masks[i] for i in rng.permutation(len(masks))[: min(size, len(masks) - 1)]]
        pairs = draw_test_pairs(masks, training, settings["pairs"], rng)
        real = np.array([(rated[a] > rated[b]) - (rated[a] < rated[b]) for a, b in pairs], dtype=np.int8)
        learned_from = Preferences.of_masks(preferences.universe, ratings={mask: rated[mask] for mask in training})
        trial = Trial(learned_from, pairs, real, limit, settings["knn_weights"])
        tally.add(trial.verdicts(), real)
        statements.append(trial.statements)
        sizes.append(len(training))
        proven += trial.learned.proven
    return {
        "source": settings["source"],
        "protocol": protocol,
        "user": user,
        "ratings": given,
        "alternatives": len(masks),
        "training": round(float(np.mean(sizes)), 1),
        "statements": statements,
        "runs": len(statements),
        "proven": proven,
        "conflicting_sets": preferences.collisions.conflicting_sets,
        "repeated_sets": preferences.collisions.repeated_sets,
        "tables": tally.tables,
    }


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes; learning from nine in ten sets sometimes meets its limit."""
    if task["protocol"] == "small":
        return float(settings["runs"] * 0.03)
    return float(settings["runs_ninety"] * (0.5 + 0.2 * settings["time_limit_ninety"]))


# -- table -----------------------------------------------------------------------------------------------------------


def _data_set(row: Row) -> tuple[str, str]:
    return row["source"], row["protocol"]


def _cells(document: Document) -> Iterator[tuple[str, ...]]:
    for (source, protocol), part in group(document["rows"], _data_set).items():
        proven = f"{sum(row['proven'] for row in part)} of {sum(row['runs'] for row in part)}"
        users = str(len({row["user"] for row in part}))
        for method in methods_of(part, METHODS):
            cells = []
            for metric in MEASURES:
                reported = REPORTED.get(method, {}).get(metric)
                paper = f" (paper {reported:.2f})" if reported is not None else ""
                cells.append(share(interval(part, method, metric)) + paper)
            cells.append(share(interval(part, method, "correctness")))
            yield label(method), source, protocol, users, proven if method == "ord" else "", *cells


# -- figures ---------------------------------------------------------------------------------------------------------


def _figures(document: Document) -> list[Drawing]:
    found = []
    groups = group(document["rows"], _data_set)
    for number, ((source, protocol), part) in enumerate(groups.items()):
        title = f"{source}, protocol {protocol}"
        caption = (
            f"{title}: means over {people(part)} with 95% intervals; hollow marks are the averages that the "
            "paper reports, on other data."
        )
        name = f"movies-{protocol}" if len({s for s, _ in groups}) == 1 else f"movies-{number + 1}-{protocol}"
        found.append(Drawing(name, caption, partial(_figure, part, title)))
    return found


def _figure(rows: Rows, title: str) -> Figure:
    methods = methods_of(rows, METHODS)
    seen = {metric: [interval(rows, m, metric) for m in methods] for metric in MEASURES}
    lows = [one.ends[0] for found in seen.values() for one in found if one.runs]
    least = math.floor(10 * min([*lows, 0.45]) - 0.2) / 10
    tall = 0.17 * len(methods) + 0.1
    figure, axes = panels(title, 2, 2, tall=tall, left=0.72, right=0.12, between=(0.26, 0.42), bottom=0.46)
    for number, (axis, metric) in enumerate(zip(axes, MEASURES, strict=True)):
        for place, (method, found) in enumerate(zip(reversed(methods), reversed(seen[metric]), strict=True)):
            if reported := REPORTED.get(method):
                hollow: Any = {"markerfacecolor": "white", "markeredgecolor": colour(method), "markeredgewidth": 0.8}
                axis.plot(reported[metric], place, MARKERS[method], markersize=5.6, zorder=2, clip_on=False, **hollow)
            _dot(axis, found, place, method)
        axis.set(xlim=(max(0.0, least), 1.02), ylim=(-0.6, len(methods) - 0.4), title=METRICS[metric])
        axis.set_xticks([tick / 10 for tick in range(0, 11, 2) if tick / 10 >= least])
        axis.set_yticks(range(len(methods)), [label(m) for m in reversed(methods)] if number % 2 == 0 else [])
        axis.tick_params(axis="y", length=0)
    words = "small: these runs (95% interval); hollow: the paper's averages"
    figure.text(0.5, 0.06 / figure.get_size_inches()[1], words, ha="center", fontsize=6.5)
    return figure


def _dot(axes: Axes, found: Interval, place: float, method: str) -> None:
    if found.runs > 1:
        axes.plot([found.low, found.high], [place, place], color=colour(method), linewidth=1.0, zorder=3)
    if found.runs:
        style: Any = {"color": colour(method), "markersize": 3.4, "zorder": 4, "clip_on": False}
        axes.plot([found.mean], [place], line_style(method)["marker"], **style)


# -- claims ----------------------------------------------------------------------------------------------------------

ALONE = "reproduced if ahead of each for certain; partly if ahead of each on average"


def _claims(document: Document) -> list[Claim]:
    groups = group(document["rows"], _data_set)
    return judged(((f"{source}, protocol {protocol}", part) for (source, protocol), part in groups.items()), _judge)


def _judge(rows: Rows) -> list[Claim]:
    one, rivals = [rows], ("lr", "svm", "knn")
    gaps = {rival: advantage(rows, "ord", rival, "recall") for rival in methods_of(rows, ("lr", "svm"))}
    why = "points of recall: " + "; ".join(f"{points(gap)} against {label(rival)}" for rival, gap in gaps.items())
    known = gaps and all(gap.runs for gap in gaps.values())
    verdict = graded(all(gap.high < 0 for gap in gaps.values()), all(gap.mean < 0 for gap in gaps.values()))
    rule = "reproduced if below both for certain; partly if below both on average"
    return [
        _averages(rows),
        ahead("ORD is more precise than LR, SVM and KNN.", one, "ord", rivals, "precision", rule=ALONE),
        ahead("ORD has the best F1.", one, "ord", rivals, "f1", rule=ALONE),
        Claim("ORD's recall is below that of LR and SVM.", verdict if known else VERDICTS[3], why, rule),
        *beyond_abstaining(one, rule=ALONE),
    ]


def _averages(rows: Rows) -> Claim:
    """Judge the reported averages themselves, which come from other data."""
    near, off = 0, []
    for method in methods_of(rows, tuple(REPORTED)):
        for metric, reported in REPORTED[method].items():
            seen = interval(rows, method, metric)
            if abs(seen.mean - reported) <= 0.05:
                near += 1
            elif seen.runs:
                off.append((abs(seen.mean - reported), method, metric, seen, reported))
    total = near + len(off)
    why = f"{near} of {total} within 5 points"
    if off:
        _, method, metric, seen, reported = max(off, key=lambda item: item[0])
        why += f"; furthest: {METRICS[metric]} of {label(method)} {share(seen)}, reported {reported:.2f}"
    rule = "reproduced if nine in ten of the table's averages are within 5 points of ours; partly if half of them are"
    verdict = mostly(near, total) if total else VERDICTS[3]
    return Claim("The averages of the paper's table (on its own data, which cannot be had).", verdict, why, rule)


# -- the study -------------------------------------------------------------------------------------------------------

MOVIES = Experiment(
    name="movies",
    title="The table: people who rated movies",
    question=(
        "The paper's table of real people: what they said of movies, as sets of genres. Its data cannot be had; the "
        "averages it reports are shown beside those on the data named here."
    ),
    full={
        "protocols": list(PROTOCOLS),
        "collisions": "median",
        "genres": 8,
        "users": 50,
        "at_least": 100,
        "runs": 10,
        "runs_ninety": 5,
        "pairs": 100,
        "knn_weights": "inverse",
        "time_limit": 20.0,
        "time_limit_ninety": 20.0,
    },
    quick={"users": 6, "runs": 4, "runs_ninety": 1, "time_limit": 3.0, "time_limit_ninety": 2.0},
    prepare=prepare,
    tasks=tasks,
    run=run,
    seconds=seconds,
    alone=False,
    source="movies",
    omits=(),
    figures=_figures,
    table=Table(
        ("method", "source", "protocol", "users", "proven runs", *METRICS.values()),
        _cells,
        "In all runs: means over users with 95% intervals; what the paper reports in brackets.",
    ),
    claims=_claims,
)
