"""What an experiment is: settings, tasks as plain data, a function from one task to one row, and what rows show.

A task names one piece of work by what it is ({"reading": "formula", "user": 3, "sets": 17}), never by when or where it
is done: everything random in it is drawn by :func:`generator` from the seed and such names. So rows do not depend on
the order of the tasks, the number of workers, or on what was interrupted. Running and storing are other rooms.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from setpref.errors import InputError, UnknownOption
from setpref.estimators.baselines import NEIGHBOUR_WEIGHTS
from setpref.experiments.judging import Claim
from setpref.experiments.records import Document, Row, Settings, Task
from setpref.experiments.series import READINGS
from setpref.experiments.sheet import Drawing

__all__ = [
    "PROTOCOLS",
    "Experiment",
    "NoData",
    "Table",
    "Tick",
    "Work",
    "canonical",
    "generator",
    "settled",
    "without_data",
]

PROTOCOLS = ("small", "ninety")
CHOICES: dict[str, tuple[str, ...]] = {
    "readings": tuple(READINGS),
    "protocols": PROTOCOLS,
    "knn_weights": NEIGHBOUR_WEIGHTS,
    "collisions": ("median", "mean", "last", "drop"),
}


@dataclass(frozen=True)
class Work:
    """A task with all it needs to be done anywhere.

    Attributes
    ----------
    material
        Data that belong to the task and are not stored with it, such as the ratings of one person.
    """

    task: Task
    settings: Settings
    seed: int
    material: Any = None

    def rng(self, *name: object) -> np.random.Generator:
        """Return the generator of one thing to draw, by its name."""
        return generator(self.seed, *name)


class NoData(InputError):
    """The data that an experiment needs are not here."""


@dataclass(frozen=True)
class Table:
    """A table of findings in plain cells.

    Attributes
    ----------
    columns : tuple of str
    cells
        Returns its rows.
    caption : str
        What it shows.
    """

    columns: tuple[str, ...]
    cells: Callable[[Document], Iterable[tuple[str, ...]]]
    caption: str


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One figure or table of the paper, or one that it left out: what is run for it, and what its rows show.

    Nothing has a default: whoever adds an experiment is asked for everything.

    Attributes
    ----------
    name, title : str
    question : str
        What the paper shows there, in our words, and what is shown here.
    full : mapping
        The settings of the full protocol; they are stored with the rows.
    quick : mapping
        What ``--quick`` changes in them.
    prepare
        Reads data: returns the settings completed by what was found, and what gives each task its material; raises
        :class:`NoData` if there are none. :func:`without_data` if none are needed.
    tasks
        Returns all tasks under given settings, in the order of the rows.
    run
        Does one task and returns its row; a module's function, so that it can be sent to a worker.
    seconds
        Roughly how long a task takes: how many are sent together, and how the time left is told.
    alone : bool
        Whether tasks are timed, so that they run one by one on this machine with nothing beside them.
    source : str
        The experiment whose runs this one shows: its own name, or another's.
    omits : tuple of str
        The fields of the shared rows that this one has no use for.
    figures, table, claims
        What a document of its rows becomes; they are only asked of one that has rows.
    """

    name: str
    title: str
    question: str
    full: Settings
    quick: Settings
    prepare: Callable[[Settings, str | Path | None, int], tuple[Settings, Callable[[Task], object]]]
    tasks: Callable[[Settings], list[Task]]
    run: Callable[[Work], Row]
    seconds: Callable[[Task, Settings], float]
    alone: bool
    source: str
    omits: tuple[Literal["tables", "f1"], ...]
    figures: Callable[[Document], list[Drawing]]
    table: Table
    claims: Callable[[Document], list[Claim]]


def without_data(settings: Settings, data: str | Path | None, seed: int) -> tuple[Settings, Callable[[Task], object]]:
    """Prepare an experiment whose tasks need no material."""
    return settings, lambda task: None


@dataclass(frozen=True)
class Tick:
    """A moment of running experiments.

    Attributes
    ----------
    left : float or None
        Seconds that remain for this experiment, guessed from what its finished tasks took.
    """

    experiment: str
    done: int
    total: int
    failed: int = 0
    left: float | None = None


def canonical(value: object) -> str:
    """Return plain data as JSON text that is the same for equal data.

    Examples
    --------
    >>> canonical({"user": 3, "reading": "formula"})
    '{"reading":"formula","user":3}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def generator(seed: int, *name: object) -> np.random.Generator:
    """Return the generator that belongs to a seed and a name, the same in every process.

    Examples
    --------
    >>> [int(generator(0, "user", user).integers(100)) for user in (1, 2, 1)]
    [42, 67, 42]
    """
    digest = hashlib.sha256(canonical(name).encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, len(digest), 4)]
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))


def settled(experiment: Experiment, quick: bool, options: Mapping[str, object]) -> Settings:
    """Return the settings of an experiment with the options that it has; refuse values that make no sense."""
    settings: Settings = {**experiment.full, **(experiment.quick if quick else {})}
    named: Any = settings
    for option, value in options.items():
        if option in named:
            named[option] = _checked(option, value, named[option])
    return settings


def _checked(option: str, given: Any, default: object) -> object:
    """Return an option's value as it is stored."""
    if option in CHOICES:
        word = option if isinstance(default, str) else option.removesuffix("s")
        listed = [given] if isinstance(given, str) else list(given)
        for choice in listed:
            if choice not in CHOICES[option]:
                raise UnknownOption(word, choice, CHOICES[option])
        if not listed or (isinstance(default, str) and len(listed) > 1):
            raise InputError(f"{word} names {len(listed)} of {', '.join(CHOICES[option])}; name one")
        return listed[0] if isinstance(default, str) else [name for name in CHOICES[option] if name in listed]
    if option == "genres" and not isinstance(given, int):
        return [str(name) for name in given]
    if isinstance(default, list):
        return [_number(option, value, default[0]) for value in _several(option, given)]
    return _number(option, given, default)


def _several(option: str, given: object) -> list[object]:
    if not isinstance(given, Iterable) or isinstance(given, str) or not (values := list(given)):
        raise InputError(f"{option} is {given!r}; give one number or more in a list")
    return sorted(set(values))


def _number(option: str, given: object, default: object) -> float:
    whole = isinstance(default, int)
    if isinstance(given, bool) or not isinstance(given, int if whole else (int, float)) or not 0 < given < 10**9:
        raise InputError(f"{option} is {given!r}; give a {'whole ' if whole else ''}number above 0")
    return given if whole else float(given)
