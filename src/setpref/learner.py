"""Learning: from preferences to what was learned, and back from a saved file."""

from __future__ import annotations

import os
import time

from setpref.certificates import check_impossible, check_model
from setpref.degree import MinimumDegree
from setpref.engines import ENGINES, SIMPLICITIES, Options
from setpref.errors import BadDocument, UnknownOption
from setpref.families import Simplest
from setpref.learned import Learned
from setpref.mip import BIG_M
from setpref.preferences import Preferences
from setpref.progress import Progress
from setpref.saved import model_from, open_document, pairs_from, preferences_from, simplest_from

__all__ = ["learn", "load"]


def learn(
    preferences: Preferences,
    simplicity: str = "lex",
    engine: str = "auto",
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    big_m: float = BIG_M,
) -> Learned:
    """Learn every simplest model of the preferences.

    Parameters
    ----------
    simplicity
        What "simplest" means: ``lex`` (smallest degree, then fewest terms, then smallest total size; default), ``card``
        (fewest terms), ``ws`` (smallest total size) or ``deg`` (smallest degree).
    engine
        ``auto``; ``bruteforce`` (tries everything; a handful of elements) or ``mip`` (the paper's program, one model)
        to judge it; for ``deg`` also ``explicit`` and ``kernel``, which force how terms are handled.
    time_limit
        Seconds after which the best models known are returned, with ``proven`` False.
    progress
        Called now and then with what the search is doing.
    big_m
        The bound M on values in the paper's program (engine ``mip`` only).

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    >>> learned = sp.learn(prefs)
    >>> learned.degree, learned.cardinality, learned.total_size, len(learned.models)
    (2, 3, 4, 1)
    >>> print(learned.models[0])
    2*milk + 3*tea - 4*milk+tea
    """
    if simplicity not in SIMPLICITIES:
        raise UnknownOption("simplicity", simplicity, SIMPLICITIES)
    if engine not in ENGINES or simplicity not in ENGINES[engine].simplicities:
        known = [name for name, entry in ENGINES.items() if simplicity in entry.simplicities]
        raise UnknownOption("engine", engine, known)
    start = time.perf_counter()
    options = Options(time_limit, progress, big_m)
    minimum, found = ENGINES[engine].run(preferences, simplicity, options)
    _check(preferences, minimum, found)
    return Learned(preferences, simplicity, engine, time.perf_counter() - start, minimum, found)


def _check(preferences: Preferences, minimum: MinimumDegree | None, found: Simplest | None) -> None:
    """Check our own answer before showing it; a failure is a fault of ours and never passes silently."""
    if minimum is not None:
        check_model(minimum.model, preferences)
        if minimum.impossible:
            check_impossible(preferences, minimum.impossible, minimum.degree - 1)
    for family in found.families if found is not None else ():
        check_model(family.model, preferences)


def load(path: str | os.PathLike[str]) -> Learned:
    """Load a saved result; its proof is not checked again (see :func:`setpref.verify`)."""
    name, document = open_document(path)
    try:
        preferences = preferences_from(document["preferences"])
        simplicity, result = document["simplicity"], document["result"]
        found = None if simplicity == "deg" else simplest_from(document, preferences)
        minimum = None
        if simplicity in ("deg", "lex"):
            minimum = MinimumDegree(
                result["degree"],
                found.families[0].model if found and found.families else model_from(document["model"], preferences),
                pairs_from(document["proof"]["multipliers"], preferences) if document["proof"] else (),
                tuple(result["routes"]),
            )
        return Learned(preferences, simplicity, document["engine"], result["seconds"], minimum, found)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise BadDocument(f"{name} is damaged ({error}); learn again, or check it with setpref verify") from None
