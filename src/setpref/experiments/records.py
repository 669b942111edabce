"""What experiments store, field by field: settings, tasks, rows, and the documents that hold them. Plain JSON data.

Every experiment has some of the fields; which ones, its own module says. Nothing is computed or checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = ["Document", "Engine", "Failure", "Measure", "Part", "Row", "Rows", "Settings", "Task", "Times"]

Engine = Literal["ours", "mip"]
Part = Literal["learn", "predict"]
Measure = Literal[
    "models", "families", "degree", "cardinality", "total_size", "contradictory", "repairs", "cost", "flips"
]


class Settings(TypedDict, total=False):
    """What is run, and how long: the same for all tasks of an experiment."""

    readings: list[str]
    protocols: list[str]
    elements: int
    scale: int
    alpha: float
    twelve_terms: int
    p: float
    sigma: float
    users: int
    runs: int
    runs_ninety: int
    pairs: int
    sizes: list[int]
    pool: int
    statements: int
    shares: list[float]
    repairs: int
    threshold: float
    knn_weights: str
    time_limit: float
    time_limit_ninety: float
    collisions: str
    genres: int | list[str]
    at_least: int
    source: str
    ratings_in_source: int
    people: list[int]
    range_of_elements: list[int]
    range_of_statements: list[int]
    statements_low: int
    statements_high: int
    instances: int
    mip_instances: int
    mip_elements: int
    cap: float


class Task(TypedDict, total=False):
    """One piece of work, by what it is."""

    reading: str
    protocol: str
    user: int
    sets: int
    noise: float
    vary: Literal["elements", "statements"]
    elements: int
    statements: int
    instance: int
    mip: bool


class Times(TypedDict, total=False):
    """The seconds that an engine took; None where it had no result to give."""

    learn: float
    predict: float | None
    proven: bool
    finished: bool
    predict_finished: bool
    cap: float
    refused: str


class Row(TypedDict, total=False):
    """What came of a task, beginning with what names the task; lists have an entry per run (None: not proven)."""

    reading: str
    protocol: str
    user: int
    sets: int
    noise: float
    vary: Literal["elements", "statements"]
    elements: int
    statements: int | list[int]
    instance: int
    ours: Times
    mip: Times | None
    terms: int
    runs: int
    proven: int
    tables: dict[str, list[int]]
    f1: dict[str, list[float | None]]
    models: list[int | None]
    families: list[int | None]
    degree: list[int | None]
    cardinality: list[int | None]
    total_size: list[int | None]
    contradictory: list[int | None]
    repairs: list[int | None]
    cost: list[int | None]
    flips: list[int | None]
    source: str
    ratings: int
    alternatives: int
    training: float
    conflicting_sets: int
    repeated_sets: int


Rows = Sequence[Row]


class Failure(TypedDict):
    """A task that failed, and why."""

    task: Task
    error: str | None


class Document(TypedDict):
    """An experiment with its rows, and how they were made."""

    format: str
    version: int
    experiment: str
    quick: bool
    seed: int
    settings: Settings
    versions: dict[str, str]
    seconds: float
    jobs: int
    rows: list[Row]
    failures: list[Failure]
