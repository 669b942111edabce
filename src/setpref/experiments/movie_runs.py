"""The table of Section 5.4: people who rated movies, as preferences among sets of genres.

Two readings of its protocol: ``small`` learns from 5 to 10 sets, ``ninety`` from nine in ten. What a person said twice
and differently about the same genres is settled by a named policy. Only numbers of people and counts are stored.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.evaluation.movies import HOW_TO_GET, PACKAGE, MovieRatings, read_ratings
from setpref.evaluation.synthetic import draw_test_pairs
from setpref.experiments.contract import PROTOCOLS, Experiment, Row, Settings, Task, Work, generator
from setpref.experiments.protocol import Tally, Trial

__all__ = ["MOVIES", "no_data"]

FEWEST_SETS = 4


def no_data(data: str | Path | None) -> str | None:
    """Return what to say if no movie data were given and none are installed."""
    from importlib.util import find_spec

    if data is not None or find_spec(PACKAGE) is not None:
        return None
    return f"movies needs movie ratings, and none are here: {HOW_TO_GET}"


def prepare(settings: Settings, data: Any, seed: int) -> tuple[Settings, Callable[[Task], Any]]:
    """Read the ratings and choose genres and people."""
    ratings = read_ratings(PACKAGE if data is None else data)
    wanted = settings["genres"]
    genres = ratings.choose_genres(wanted) if isinstance(wanted, int) else ratings.choose_genres(names=wanted)
    known = ratings.users(settings["at_least"])
    order = generator(seed, "people").permutation(len(known))[: settings["users"]]
    people = sorted(known[i] for i in order)
    size = sum(map(len, ratings.by_user.values()))
    found = {"source": ratings.name, "ratings_in_source": size, "genres": list(genres), "people": people}
    return {**settings, **found}, _Persons(ratings, genres, settings["collisions"])


class _Persons:
    """What each person prefers, read when asked for."""

    def __init__(self, ratings: MovieRatings, genres: tuple[str, ...], collisions: str) -> None:
        self.ratings, self.genres, self.collisions = ratings, genres, collisions

    def __call__(self, task: Task) -> tuple[int, Preferences]:
        user = task["user"]
        return len(self.ratings.by_user[user]), self.ratings.preferences(user, self.genres, self.collisions)


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
    ratings = {mask: float(rated[mask]) for mask in masks}
    tally, statements, sizes, proven = Tally(), [], [], 0
    for number in range(settings["runs" if protocol == "small" else "runs_ninety"]):
        rng = work.rng("movies", protocol, user, number)
        size = int(rng.integers(5, 11)) if protocol == "small" else int(0.9 * len(masks) + 0.5)
        training = [masks[i] for i in rng.permutation(len(masks))[: min(size, len(masks) - 1)]]
        pairs = draw_test_pairs(masks, training, settings["pairs"], rng)
        real = np.sign([ratings[a] - ratings[b] for a, b in pairs]).astype(np.int8)
        trial = Trial(
            len(settings["genres"]),
            training,
            np.array([ratings[mask] for mask in training]),
            pairs,
            real,
            settings["time_limit" if protocol == "small" else "time_limit_ninety"],
            settings["knn_weights"],
        )
        tally.add(trial.verdicts(), real)
        statements.append(trial.statements)
        sizes.append(len(training))
        proven += trial.learned.proven
    return {
        "source": settings["source"],
        **work.task,
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


MOVIES = Experiment(
    name="movies",
    title="People who rated movies, by sets of genres",
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
    tasks=tasks,
    run=run,
    seconds=seconds,
    prepare=prepare,
)
