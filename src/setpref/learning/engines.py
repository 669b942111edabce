"""The engines behind :func:`setpref.learn`: one table, one contract, so that each can judge the others.

An engine takes preferences and a measure of simplicity and returns the minimum degree (where the measure has one) and
the simplest thetas. What it returns is checked in whole numbers by the caller, whoever made it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from setpref.data.preferences import Preferences
from setpref.engine.simplest import find_simplest
from setpref.errors import CertificateRejected
from setpref.families import Family, Listed, Simplest, Slot
from setpref.model import Model
from setpref.progress import Progress
from setpref.simplicity import Simplicity
from setpref.solving import bruteforce
from setpref.solving.degree import MinimumDegree, minimum_degree
from setpref.solving.fitting import NoFit, Terms, fit
from setpref.solving.mip import BIG_M, simplest_one

__all__ = ["ENGINES", "Engine", "Options"]

Answer = tuple[MinimumDegree | None, Simplest | None]


@dataclass(frozen=True)
class Options:
    """What an engine may be told: when to stop, whom to tell, and the M of the MIP."""

    time_limit: float | None = None
    progress: Progress | None = None
    big_m: float = BIG_M


class Run(Protocol):
    """How an engine is called."""

    def __call__(self, preferences: Preferences, simplicity: Simplicity, options: Options) -> Answer: ...


@dataclass(frozen=True)
class Engine:
    """An engine, and which measures of simplicity it knows."""

    run: Run
    knows: Callable[[Simplicity], bool]


def _auto(preferences: Preferences, simplicity: Simplicity, options: Options) -> Answer:
    """The engine of setpref: exact, with proofs."""
    start = time.perf_counter()
    minimum = minimum_degree(preferences, "auto", options.progress) if simplicity.least_degree else None
    if simplicity.all_terms:
        return minimum, None
    degree = minimum.degree if minimum is not None else 0
    limit = options.time_limit
    left = None if limit is None else max(0.0, limit - (time.perf_counter() - start))
    return minimum, find_simplest(preferences, simplicity, degree, time_limit=left, progress=options.progress)


def _degree_by(route: str) -> Run:
    def run(preferences: Preferences, simplicity: Simplicity, options: Options) -> Answer:
        return minimum_degree(preferences, route, options.progress), None

    return run


def _bruteforce(preferences: Preferences, simplicity: Simplicity, options: Options) -> Answer:
    """Try every theta in order; the degree is then proven like any other."""
    minimum = None
    if simplicity.least_degree:
        minimum = minimum_degree(preferences, "explicit", options.progress)
        judged = bruteforce.minimum_degree(preferences)
        if judged != minimum.degree:
            raise CertificateRejected(f"brute force finds degree {judged}, the proof says {minimum.degree}")
    if simplicity.all_terms:
        return minimum, None
    thetas = bruteforce.simplest(preferences, simplicity.name)
    families = tuple(_single(preferences, theta) for theta in thetas)
    cost = sum(simplicity.price(term.bit_count())[0] for term in thetas[0])
    return minimum, Simplest(simplicity, families, proven=True, lower_bound=cost)


def _mip(preferences: Preferences, simplicity: Simplicity, options: Options) -> Answer:
    """Find one simplest theta by the paper's program; what it calls simplest rests on M and tolerances."""
    minimum = minimum_degree(preferences, "auto", options.progress) if simplicity.least_degree else None
    degree = minimum.degree if minimum is not None else None
    answer = simplest_one(preferences, simplicity, degree, options.big_m, options.time_limit)
    family = _single(preferences, answer.theta)
    return minimum, Simplest(
        simplicity, (family,), False, min(1, len(answer.theta)), None, {"mip_seconds": answer.seconds}
    )


def _single(preferences: Preferences, theta: tuple[int, ...]) -> Family:
    """Return the family of one theta alone, with values that fit."""
    answer = fit(preferences.rows, Terms(theta), preferences.universe)
    if isinstance(answer, NoFit):
        raise CertificateRejected("an engine returned a theta that does not fit")
    assert isinstance(answer.model, Model)
    values = answer.model.values.items()
    slots = tuple(Slot(Listed(((term, 1 if value > 0 else -1),)), abs(int(value))) for term, value in values)
    return Family(preferences.universe, slots)


ENGINES: dict[str, Engine] = {
    "auto": Engine(_auto, lambda simplicity: True),
    "explicit": Engine(_degree_by("explicit"), lambda simplicity: simplicity.all_terms),
    "kernel": Engine(_degree_by("kernel"), lambda simplicity: simplicity.all_terms),
    "bruteforce": Engine(_bruteforce, lambda simplicity: simplicity.name in bruteforce.SIMPLICITIES),
    "mip": Engine(_mip, lambda simplicity: not simplicity.all_terms),
}
