"""Learning: from preferences to the object users hold, ask, save and load."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from setpref import bruteforce
from setpref.certificates import check_impossible, check_model
from setpref.degree import MinimumDegree, minimum_degree
from setpref.dominance import Verdict, theta_verdict
from setpref.errors import InputError, UnknownOption
from setpref.files import write_text
from setpref.fitting import EXPLICIT_TERMS, UpTo
from setpref.model import Model
from setpref.preferences import Preferences
from setpref.saved import (
    model_from,
    model_to,
    open_document,
    pairs_from,
    pairs_to,
    preferences_from,
    preferences_to,
    sealed,
)
from setpref.terms import count_terms, total_size_up_to
from setpref.version import __version__

__all__ = ["ENGINES", "SIMPLICITIES", "Learned", "learn", "load"]

SIMPLICITIES = ("deg",)


@dataclass(frozen=True)
class Learned:
    """What was learned: ask it, save it, look at it.

    For the simplicity ``deg`` the simplest thetas are all those of the minimum degree; the theta of all terms up
    to that degree contains each of them and stands for all: a prediction holds under every one of them iff it
    holds under this one.

    Attributes
    ----------
    preferences : Preferences
    simplicity : str
    engine : str
    seconds : float
    """

    preferences: Preferences
    simplicity: str
    engine: str
    seconds: float
    minimum: MinimumDegree

    @property
    def degree(self) -> int:
        """The size of the largest interaction needed."""
        return self.minimum.degree

    @property
    def proven(self) -> bool:
        """Whether the answer is proven; for ``deg`` it always is."""
        return True

    @property
    def route(self) -> str:
        """How each degree was decided, from 1 up."""
        return "; ".join(f"degree {d}: {route}" for d, route in enumerate(self.minimum.routes, start=1))

    @property
    def few_terms(self) -> bool:
        """Whether the terms up to the degree are few enough to be listed."""
        return count_terms(len(self.preferences.universe), self.degree) <= EXPLICIT_TERMS

    @property
    def cardinality(self) -> int | None:
        """The number of terms up to the degree; None when they are too many to list."""
        return count_terms(len(self.preferences.universe), self.degree) if self.few_terms else None

    @property
    def total_size(self) -> int | None:
        """The sum of the sizes of those terms; None when they are too many to list."""
        return total_size_up_to(len(self.preferences.universe), self.degree) if self.few_terms else None

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """One model of the theta of all terms up to the degree; empty when they are too many to list."""
        if not self.few_terms:
            return ()
        model = self.minimum.model
        return (model if isinstance(model, Model) else model.expand(),)

    def compare(self, first: Any, second: Any) -> Verdict:
        """Return whether the first set is better than the second under every simplest model.

        Parameters
        ----------
        first, second
            Sets of names, in any form: ``{"tea", "lemon"}``, ``"tea+lemon"``, ``{"tea": 1, "milk": 0}``.
        """
        mask = self.preferences.universe.mask
        return theta_verdict(self.preferences, UpTo(self.degree), mask(first), mask(second))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``setpref learn --json`` prints it."""
        write = self.preferences.universe.write
        return {
            "simplicity": self.simplicity,
            "degree": self.degree,
            "cardinality": self.cardinality,
            "total_size": self.total_size,
            "proven": self.proven,
            "model_count": len(self.models) or None,
            "models": [{"terms": {write(t): v for t, v in model.values.items()}} for model in self.models] or None,
            "elements": list(self.preferences.universe.names),
            "read": f"{self.preferences} from {self.preferences.source}",
            "stated_pairs": self.preferences.pair_count,
            "route": self.route,
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
        }

    def document(self) -> dict[str, Any]:
        """Return everything needed to load, ask and verify this result later."""
        proof = {
            "below": self.degree - 1,
            "multipliers": pairs_to(self.minimum.impossible, self.preferences),
        }
        return sealed(
            {
                "made_by": f"setpref {__version__}",
                "simplicity": self.simplicity,
                "engine": self.engine,
                "preferences": preferences_to(self.preferences),
                "result": {
                    "degree": self.degree,
                    "cardinality": self.cardinality,
                    "total_size": self.total_size,
                    "proven": self.proven,
                    "routes": list(self.minimum.routes),
                    "seconds": round(self.seconds, 6),
                },
                "model": model_to(self.minimum.model, self.preferences),
                "proof": proof if self.degree > 1 else None,
            }
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the result with its proof as a JSON file."""
        import json

        write_text(path, json.dumps(self.document(), ensure_ascii=False, indent=1) + "\n")


def learn(
    preferences: Preferences,
    simplicity: str = "lex",
    engine: str = "auto",
    *,
    progress: Callable[[str], None] | None = None,
) -> Learned:
    """Learn every simplest model of the preferences.

    Parameters
    ----------
    simplicity
        What "simplest" means. This version knows ``deg``: the smallest degree (size of the largest
        interaction).
    engine
        ``auto``; ``explicit`` or ``kernel`` to force how terms are handled; ``bruteforce`` tries everything
        (for a handful of elements).
    progress
        Called with a short text at each step.

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    >>> learned = sp.learn(prefs, simplicity="deg")
    >>> learned.degree, learned.compare({"tea"}, {"milk"}).value
    (2, 'better')
    """
    if simplicity not in SIMPLICITIES:
        raise UnknownOption("simplicity", simplicity, SIMPLICITIES)
    if engine not in ENGINES:
        raise UnknownOption("engine", engine, ENGINES)
    start = time.perf_counter()
    minimum = ENGINES[engine](preferences, progress)
    check_model(minimum.model, preferences)
    if minimum.impossible:
        check_impossible(preferences, minimum.impossible, minimum.degree - 1)
    return Learned(preferences, simplicity, engine, time.perf_counter() - start, minimum)


def _degree_by(route: str) -> Callable[[Preferences, Callable[[str], None] | None], MinimumDegree]:
    return lambda preferences, progress: minimum_degree(preferences, route, progress)


def _degree_by_brute_force(preferences: Preferences, progress: Callable[[str], None] | None) -> MinimumDegree:
    """Find the degree by trying, then have it proven like any other."""
    degree = bruteforce.minimum_degree(preferences)
    proven = minimum_degree(preferences, "explicit", progress)
    if proven.degree != degree:
        raise AssertionError(f"brute force finds degree {degree}, the proof says {proven.degree}")
    return proven


ENGINES: dict[str, Callable[[Preferences, Callable[[str], None] | None], MinimumDegree]] = {
    "auto": _degree_by("auto"),
    "explicit": _degree_by("explicit"),
    "kernel": _degree_by("kernel"),
    "bruteforce": _degree_by_brute_force,
}


def load(path: str | os.PathLike[str]) -> Learned:
    """Load a saved result; its proof is not checked again (see :func:`setpref.verify`)."""
    name, document = open_document(path)
    try:
        preferences = preferences_from(document["preferences"])
        result = document["result"]
        minimum = MinimumDegree(
            result["degree"],
            model_from(document["model"], preferences),
            pairs_from(document["proof"]["multipliers"], preferences) if document["proof"] else (),
            tuple(result["routes"]),
        )
        return Learned(preferences, document["simplicity"], document["engine"], result["seconds"], minimum)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise InputError(f"{name} is damaged ({error}); learn again, or check it with setpref verify") from None
