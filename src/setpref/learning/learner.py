"""Learning: from preferences, with or without errors, to what was learned; answers are checked before they show."""

from __future__ import annotations

import time
from contextlib import suppress
from fractions import Fraction
from typing import overload

from setpref.arguments import checked_choice, checked_function, checked_number, checked_time
from setpref.data.numbers import checked_limit
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.errors import TooLarge
from setpref.families import Simplest
from setpref.learning.despite import LearnedDespiteErrors
from setpref.learning.engines import ENGINES, Options
from setpref.learning.learned import Learned
from setpref.progress import Progress, pressed
from setpref.proofs.certificates import check_impossible, check_model
from setpref.repairs.repairing import LIMIT, allowed_errors, cheapest_within
from setpref.simplicity import simplicity_of
from setpref.solving.degree import MinimumDegree, check_possible
from setpref.solving.mip import BIG_M

__all__ = ["learn"]

CHECKED_NODES = 20_000


@overload
def learn(
    preferences: Preferences,
    simplicity: str = ...,
    engine: str = ...,
    *,
    errors: None = ...,
    time_limit: float | None = ...,
    progress: Progress | None = ...,
    big_m: float = ...,
    repairs: int = ...,
) -> Learned: ...
@overload
def learn(
    preferences: Preferences,
    simplicity: str = ...,
    engine: str = ...,
    *,
    errors: str | float | Fraction,
    time_limit: float | None = ...,
    progress: Progress | None = ...,
    big_m: float = ...,
    repairs: int = ...,
) -> LearnedDespiteErrors: ...
def learn(
    preferences: Preferences,
    simplicity: str = "lex",
    engine: str = "auto",
    *,
    errors: str | float | Fraction | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    big_m: float = BIG_M,
    repairs: int = LIMIT,
) -> Learned | LearnedDespiteErrors:
    """Learn every simplest model of the preferences.

    Parameters
    ----------
    simplicity
        What "simplest" means: ``lex`` (smallest degree, then fewest terms, then smallest total size; default), ``card``
        (fewest terms), ``ws`` (smallest total size) or ``deg`` (smallest degree).
    engine
        ``auto``; ``bruteforce`` (tries everything; a handful of elements) or ``mip`` (the paper's program, one model)
        to judge it; for ``deg`` also ``explicit`` and ``kernel``, which force how terms are handled.
    errors
        None (default): every statement counts, and statements that contradict each other are refused. ``auto``: give up
        as little as it takes for some model to exist. A number: give up at most so much (statements of weight 1 count
        1) to reach the smallest degree that this allows. Then all optimal repairs are learned from, and a prediction is
        made only if every simplest model of every one of them agrees.
    time_limit
        Seconds after which the best models known are returned, with ``proven`` False.
    progress
        Called now and then with what the search is doing.
    big_m
        The bound M on values in the paper's program (engine ``mip`` only).
    repairs
        With `errors`: how many optimal repairs are learned from at most; if there are more, the result is not proven.

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    >>> learned = sp.learn(prefs)
    >>> learned.degree, learned.cardinality, learned.total_size, len(learned.models)
    (2, 3, 4, 1)
    >>> print(learned.models[0])
    2*milk + 3*tea - 4*milk+tea

    >>> said = [("tea", "milk"), ("milk", "ale"), ("ale", "tea"), ("tea", "ale")]
    >>> learned = sp.learn(sp.Preferences.from_pairs(said, contradictions="keep"), errors="auto")
    >>> learned.dropped, learned.compare("tea", "milk").value
    ((('statement 3: ale over tea',),), 'better')
    """
    checked_preferences(preferences)
    measure = simplicity_of(simplicity)
    checked_choice("engine", engine, [name for name, entry in ENGINES.items() if entry.knows(measure)])
    time_limit, repairs = checked_time(time_limit), checked_limit(repairs)
    checked_function("progress", progress)
    big_m = checked_number("big_m", big_m, "a number above 0", above=0)
    if errors is not None:
        return _learn_despite(preferences, simplicity, engine, errors, time_limit, progress, big_m, repairs)
    preferences.check_consistent()
    check_possible(preferences)
    start = time.perf_counter()
    options = Options(time_limit, progress, big_m)
    minimum, found = ENGINES[engine].run(preferences, measure, options)
    _check(preferences, minimum, found)
    return Learned(preferences, simplicity, engine, time.perf_counter() - start, minimum, found)


def _learn_despite(
    preferences: Preferences,
    simplicity: str,
    engine: str,
    errors: str | float | Fraction,
    time_limit: float | None,
    progress: Progress | None,
    big_m: float,
    limit: int,
) -> LearnedDespiteErrors:
    """Learn from every optimal repair."""
    start = time.perf_counter()
    allowed = allowed_errors(errors)

    def left() -> float | None:
        if pressed():
            return 0.0
        return None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - start))

    repaired, below = cheapest_within(preferences, allowed, limit=limit, left=left, progress=progress)
    with suppress(TooLarge):  # what was found is proven; only repeating that plainly takes too long here
        repaired.check(budget=CHECKED_NODES)
    parts = []
    for number, found in enumerate(repaired.repairs):
        rest = left()
        share = None if rest is None else rest / (len(repaired.repairs) - number)
        parts.append(learn(found.preferences, simplicity, engine, time_limit=share, progress=progress, big_m=big_m))
    seconds = time.perf_counter() - start
    return LearnedDespiteErrors(preferences, repaired, below, allowed, tuple(parts), simplicity, engine, seconds)


def _check(preferences: Preferences, minimum: MinimumDegree | None, found: Simplest | None) -> None:
    """Check our own answer before showing it; a failure is a fault of ours and never passes silently."""
    if minimum is not None:
        check_model(minimum.model, preferences)
        if minimum.impossible:
            check_impossible(preferences, minimum.impossible, minimum.degree - 1)
    for family in found.families if found is not None else ():
        check_model(family.model, preferences)
