"""Every simplest theta, exactly: candidate classes, the level search, and what it found as families."""

from __future__ import annotations

import time
from dataclasses import asdict

from setpref.data.preferences import Preferences
from setpref.engine.classes import TermClass, alike, classes_of_every_size, classes_up_to, components
from setpref.engine.clauses import Compared
from setpref.engine.levels import LevelSearch, Settings, Solution
from setpref.engine.quick import Trials
from setpref.families import Family, Simplest, Slot
from setpref.progress import Progress, endings
from setpref.rows import Kind
from setpref.simplicity import Simplicity
from setpref.solving.oracle import Fits, decide

__all__ = ["candidates", "find_simplest"]


def find_simplest(
    preferences: Preferences,
    simplicity: Simplicity,
    degree: int = 0,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    compiled: bool | None = None,
    settings: Settings | None = None,
) -> Simplest:
    """Find every simplest theta of a measure of simplicity that counts terms or their sizes.

    Parameters
    ----------
    degree
        The minimum degree; if the measure looks for it, the candidate terms are those up to it, otherwise all.
    time_limit
        Seconds after which the best known theta and the proven bound are returned.
    compiled
        Whether the search kernel is compiled; by default it starts uncompiled and compiles if the search lasts.
    """
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    if not any(row.kind is Kind.STRICT for row in preferences.defining_rows):
        return Simplest(simplicity, (Family(preferences.universe, ()),), True, 0, ())
    compared = Compared.of(preferences)
    classes = candidates(compared, len(preferences.universe), simplicity, degree)
    settings = settings or Settings()
    search = LevelSearch(compared, classes, simplicity, settings, compiled, progress, deadline)
    try:
        search.run()
        proven = True
    except endings():
        proven = False
    search.statistics.seconds = time.perf_counter() - search.start
    search.statistics.oracle_calls = search.maker.trials.calls
    solutions = [search.found[key] for key in sorted(search.found)] if proven else []
    if not proven and search.best is not None:
        solutions = [_irreducible(search.maker.trials, search.best[2])]
    families = tuple(_family(preferences, simplicity, classes, solution) for solution in solutions)
    clauses = compared.weighted(search.archive) if proven and search.archive is not None else None
    spare = search.statistics.nodes <= settings.prune_proof_nodes
    return Simplest(simplicity, families, proven, search.level, clauses, asdict(search.statistics), spare)


def candidates(compared: Compared, elements: int, simplicity: Simplicity, degree: int) -> list[TermClass]:
    """Return the classes of the terms that a simplest theta may hold."""
    parts = components(len(compared.alternatives), compared.rows)
    shape = elements, compared.alternatives, parts
    classes = classes_up_to(degree, *shape) if simplicity.least_degree else classes_of_every_size(*shape)
    # Only sums of more than two alternatives can say the same through different extents.
    return classes if all(row.plain for row in compared.rows) else alike(classes, compared.rows)


def _irreducible(trials: Trials, solution: Solution) -> Solution:
    """Leave out the terms a known theta can do without: only then is the sign of every value certain."""
    values = dict(zip(solution.classes, solution.values, strict=True))
    for place in solution.classes:
        fewer = [kept for kept in values if kept != place]
        outcome = decide(trials.system.columns(fewer)) if place in values else None
        if isinstance(outcome, Fits):
            values = {kept: value for kept, value in zip(fewer, outcome.values, strict=True) if value}
    return Solution(tuple(values), tuple(values.values()))


def _family(preferences: Preferences, simplicity: Simplicity, classes: list[TermClass], solution: Solution) -> Family:
    """Return a solution of the search as a family: every member of its classes, with its certain sign."""
    every_size = preferences.alternatives if simplicity.every_size else None
    slots = [
        Slot(classes[place].members(1 if value > 0 else -1, every_size), abs(value))
        for place, value in zip(solution.classes, solution.values, strict=True)
    ]
    return Family(preferences.universe, tuple(slots))
