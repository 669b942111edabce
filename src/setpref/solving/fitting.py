"""Whether a theta fits the statements, in words of alternatives and terms, over the oracle's matrices.

Two routes with the same answer: ``explicit`` lists the terms as columns; ``kernel`` knows all terms up to a degree
only through the number of terms two alternatives share, and never lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from setpref.data.graph import merged
from setpref.errors import TooLarge, UnknownOption
from setpref.model import KernelModel, Model
from setpref.rows import Kind, Row, Rows, Weighted, ends
from setpref.solving.integers import Integers, combination, independent_rows, product, rescaled_solution
from setpref.solving.oracle import Fits, decide, decide_by_gram
from setpref.solving.systems import System
from setpref.terms import count_terms, indicators, kernel_matrix, terms_up_to
from setpref.universe import Universe

__all__ = [
    "EXPLICIT_TERMS",
    "ROUTES",
    "Fit",
    "NoFit",
    "Terms",
    "Theta",
    "UpTo",
    "choose_route",
    "combined",
    "fit",
    "over_places",
    "system_of",
]

ROUTES = ("auto", "explicit", "kernel")
EXPLICIT_TERMS = 1000
ENTRIES_LIMIT = 100_000_000


@dataclass(frozen=True)
class Fit:
    """The theta fits: a model that satisfies every statement."""

    model: Model | KernelModel
    route: str
    method: str


@dataclass(frozen=True)
class NoFit:
    """The theta does not fit: (better, worse, multiplier) on implied pairs that cancel on every term.

    At least one pair is strict; others may be pairs stated to be the same, in the direction they are needed. What was
    stated of more than two sets stands as (combination, multiplier).
    """

    multipliers: tuple[Weighted, ...]
    route: str
    method: str

    @property
    def pairs(self) -> tuple[tuple[int, int, int], ...]:
        """The multipliers on pairs: all of them, where nothing else was stated."""
        return tuple(weighted for weighted in self.multipliers if len(weighted) == 3)


@dataclass(frozen=True)
class Terms:
    """A theta given by its terms."""

    terms: tuple[int, ...]

    def distinguishes(self, first: int, second: int) -> bool:
        """Tell whether some term holds for only one of two sets."""
        return any((term & first == term) != (term & second == term) for term in self.terms)


@dataclass(frozen=True)
class UpTo:
    """The theta of all terms up to a degree, by a route."""

    degree: int
    route: str = "auto"

    def distinguishes(self, first: int, second: int) -> bool:
        """Tell whether some term holds for only one of two sets: the single elements already do."""
        return first != second and self.degree > 0


Theta = Terms | UpTo


def fit(rows: Rows, theta: Theta, universe: Universe) -> Fit | NoFit:
    """Decide whether a theta fits, with a model or with multipliers."""
    if isinstance(theta, Terms):
        return _fit_terms(rows, theta.terms, universe)
    route = choose_route(len(universe), theta.degree, theta.route)
    if route == "explicit":
        return _fit_terms(rows, terms_up_to(len(universe), theta.degree), universe)
    return _fit_by_kernel(rows, theta.degree, universe)


def system_of(rows: Rows, theta: Theta, universe: Universe) -> tuple[System, list[int]]:
    """Return the rows on the terms of a theta (boundaries are the last columns), and the terms.

    The terms must be few enough to list.
    """
    if isinstance(theta, Terms):
        terms = list(theta.terms)
    elif choose_route(len(universe), theta.degree, "auto") == "explicit":
        terms = terms_up_to(len(universe), theta.degree)
    else:
        raise TooLarge(f"the {count_terms(len(universe), theta.degree):,} terms are too many to be listed for this")
    return _system(rows, terms, universe), terms


def _system(rows: Rows, terms: Sequence[int], universe: Universe) -> System:
    """Return what every term, then every boundary, says of each row."""
    size, columns = len(rows.alternatives), len(terms) + rows.boundaries
    _check_size(len(rows.rows), columns)
    held = np.zeros((rows.places, columns), dtype=np.int64)
    held[:size, : len(terms)] = indicators(rows.alternatives, terms, len(universe))
    held[range(size, rows.places), range(len(terms), columns)] = 1
    return System(combined(rows.rows, held), tuple(row.kind for row in rows.rows))


def combined(rows: Sequence[Row], held: Integers) -> Integers:
    """Return the combinations of the lines of a matrix that rows over their places ask for."""
    if all(len(row.combination) == 2 for row in rows):
        parts = np.array([row.combination for row in rows], dtype=np.int64).reshape(-1, 2, 2)
        (first, second), (more, less) = parts[:, :, 0].T, parts[:, :, 1].T
        if (more == 1).all() and (less == -1).all():
            return np.asarray(held[first] - held[second])
    return np.asarray(over_places(rows, len(held)) @ held)


def over_places(rows: Sequence[Row], places: int) -> Integers:
    """Return the coefficients of every row on every place."""
    matrix = np.zeros((len(rows), places), dtype=np.int64)
    for line, row in zip(matrix, rows, strict=True):
        for place, coefficient in row.combination:
            line[place] = coefficient
    return matrix


def _check_size(rows: int, columns: int) -> None:
    if rows * columns > ENTRIES_LIMIT:
        raise TooLarge(
            f"{rows:,} comparisons on {columns:,} columns are too many to compute with "
            f"(limit {ENTRIES_LIMIT:,} entries); use fewer statements or elements"
        )


def _fit_terms(rows: Rows, terms: Sequence[int], universe: Universe) -> Fit | NoFit:
    outcome = decide(_system(rows, terms, universe))
    if isinstance(outcome, Fits):
        values = dict(zip(terms, outcome.values, strict=False))
        return Fit(Model(universe, values), "explicit", outcome.method)
    return NoFit(rows.on_statements(outcome.multipliers), "explicit", outcome.method)


def _fit_by_kernel(rows: Rows, degree: int, universe: Universe) -> Fit | NoFit:
    alternatives = rows.alternatives
    _check_size(len(rows.rows), rows.places)
    shared = kernel_matrix(alternatives, alternatives, len(universe), degree)
    pivots = independent_rows(shared)
    matrix = over_places(rows.rows, rows.places)
    if any(row.kind is not Kind.STRICT for row in rows.rows):
        return _fit_worths_by_kernel(rows, degree, universe, matrix, shared, pivots)
    size, places = len(alternatives), rows.places
    gram = np.zeros((places, places), dtype=object)
    gram[:size, :size] = shared
    # Any positive weight on the boundaries is right; one like the alternatives' own keeps floats balanced.
    weight = max(1, int(np.trace(shared)) // max(1, size))
    for boundary in range(size, places):
        gram[boundary, boundary] = weight
    if int(np.max(shared, initial=0)) < 2**40 and weight < 2**40:
        gram = gram.astype(np.int64)
    outcome = decide_by_gram(matrix, gram, [*pivots, *range(size, places)])
    if isinstance(outcome, Fits):
        coefficients = {a: c for a, c in zip(alternatives, outcome.values, strict=False) if c and a}
        return Fit(KernelModel(universe, degree, coefficients), "kernel", outcome.method)
    return NoFit(rows.on_statements(outcome.multipliers), "kernel", outcome.method)


def _fit_worths_by_kernel(
    rows: Rows, degree: int, universe: Universe, matrix: Integers, shared: Integers, pivots: Sequence[int]
) -> Fit | NoFit:
    """Ask for the worth of every group of equal alternatives instead of values of terms.

    Worths of the alternatives come from some values of the terms iff they satisfy the dependencies that the rows of
    phi, and so those of its Gram matrix, satisfy.
    """
    size = len(rows.alternatives)
    level = [i for i, row in enumerate(rows.rows) if row.kind is Kind.EQUAL and row.plain]
    asked = [i for i in range(len(rows.rows)) if i not in set(level)]
    to_group = _groups(rows, level)
    others = [i for i in range(size) if i not in set(pivots)]
    dependencies = _dependencies(shared, list(pivots), others, rows.places)
    system = System(product(matrix[asked], to_group), tuple(rows.rows[i].kind for i in asked))
    outcome = decide(system.adding(product(dependencies, to_group), Kind.EQUAL))
    if isinstance(outcome, Fits):
        utilities = product(to_group, np.array(outcome.values, dtype=object))[:size]
        if not len(pivots):
            return Fit(KernelModel(universe, degree, {}), "kernel", outcome.method)
        basis = shared[np.ix_(pivots, pivots)]
        numbers = rescaled_solution(basis, utilities[list(pivots)])
        coefficients = {rows.alternatives[i]: c for i, c in zip(pivots, numbers, strict=True) if c}
        return Fit(KernelModel(universe, degree, coefficients), "kernel", outcome.method)
    # What is left of the sum after the dependencies, which say nothing, follows from the equal pairs.
    told, rest = np.split(np.array(outcome.multipliers, dtype=object), [len(asked)])
    scale, back = combination(matrix[level], product(told, matrix[asked]) + product(rest, dependencies))
    multipliers = [0] * len(rows.rows)
    for place, multiplier in zip(asked, told, strict=True):
        multipliers[place] = scale * int(multiplier)
    for place, multiplier in zip(level, back, strict=True):
        multipliers[place] = -multiplier
    return NoFit(rows.on_statements(multipliers), "kernel", outcome.method)


def _groups(rows: Rows, level: Sequence[int]) -> Integers:
    """Return the matrix [place, group] that gives every place the worth of its group; boundaries stand alone."""
    pairs = [ends(rows.rows[i].combination) for i in level]
    group = merged(rows.places, [two for two in pairs if two is not None])
    matrix = np.zeros((len(group), max(group, default=-1) + 1), dtype=np.int64)
    matrix[np.arange(len(group)), group] = 1
    return matrix


def _dependencies(shared: Integers, pivots: list[int], others: Sequence[int], places: int) -> Integers:
    """Return per alternative that is no pivot a combination of alternatives, in whole numbers, always worth 0."""
    rows = np.zeros((len(others), places), dtype=object)
    for line, place in zip(rows, others, strict=True):
        scale, numbers = combination(shared[pivots], shared[place])
        line[pivots] = numbers
        line[place] = -scale
    return rows


def choose_route(elements: int, degree: int, route: str = "auto") -> str:
    """Return the route to take: explicit while the terms are few, unless one is asked for."""
    if route not in ROUTES:
        raise UnknownOption("route", route, ROUTES)
    if route != "auto":
        return route
    return "explicit" if count_terms(elements, degree) <= EXPLICIT_TERMS else "kernel"
