"""Whether a theta fits the statements, in words of alternatives and terms, over the oracle's matrices.

Two routes with the same answer: ``explicit`` lists the terms as columns; ``kernel`` knows all terms up to a degree
only through the number of terms two alternatives share, and never lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from setpref.data.graph import merged
from setpref.data.rows import Comparisons, Pair
from setpref.errors import TooLarge, UnknownOption
from setpref.model import KernelModel, Model
from setpref.solving.integers import combination, independent_rows, product, rescaled_solution
from setpref.solving.oracle import DoesNotFit, Fits, Integers, decide, decide_by_gram
from setpref.terms import count_terms, indicators, kernel_matrix, terms_up_to
from setpref.universe import Universe

__all__ = ["EXPLICIT_TERMS", "ROUTES", "Fit", "NoFit", "Terms", "Theta", "UpTo", "choose_route", "fit", "rows_of"]

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

    At least one pair is strict; others may be pairs stated to be the same, in the direction they are needed.
    """

    multipliers: tuple[tuple[int, int, int], ...]
    route: str
    method: str


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


def fit(comparisons: Comparisons, theta: Theta, universe: Universe) -> Fit | NoFit:
    """Decide whether a theta fits, with a model or with multipliers."""
    if isinstance(theta, Terms):
        return _fit_terms(comparisons, theta.terms, universe)
    route = choose_route(len(universe), theta.degree, theta.route)
    if route == "explicit":
        return _fit_terms(comparisons, terms_up_to(len(universe), theta.degree), universe)
    return _fit_by_kernel(comparisons, theta.degree, universe)


def rows_of(comparisons: Comparisons, theta: Theta, universe: Universe) -> tuple[Integers, Integers, list[int]]:
    """Return the rows of a theta, its equations (boundaries in the last columns of both), and its terms.

    The terms must be few enough to list.
    """
    if isinstance(theta, Terms):
        terms = list(theta.terms)
    elif choose_route(len(universe), theta.degree, "auto") == "explicit":
        terms = terms_up_to(len(universe), theta.degree)
    else:
        raise TooLarge(f"the {count_terms(len(universe), theta.degree):,} terms are too many to be listed for this")
    return *_rows(comparisons, terms, universe), terms


def _rows(comparisons: Comparisons, terms: Sequence[int], universe: Universe) -> tuple[Integers, Integers]:
    """Return one row per edge, and per equal pair: the difference of its ends on every term, then on every boundary."""
    size, columns = len(comparisons.alternatives), len(terms) + comparisons.boundaries
    _check_size(len(comparisons.edges) + len(comparisons.equal), columns)
    ends = np.zeros((comparisons.nodes, columns), dtype=np.int64)
    ends[:size, : len(terms)] = indicators(comparisons.alternatives, terms, len(universe))
    ends[range(size, comparisons.nodes), range(len(terms), columns)] = 1

    def differences(pairs: Sequence[Pair]) -> Integers:
        first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        return np.asarray(ends[first] - ends[second])

    return differences(comparisons.edges), differences(comparisons.equal)


def _check_size(rows: int, columns: int) -> None:
    if rows * columns > ENTRIES_LIMIT:
        raise TooLarge(
            f"{rows:,} comparisons on {columns:,} columns are too many to compute with "
            f"(limit {ENTRIES_LIMIT:,} entries); use fewer statements or elements"
        )


def _fit_terms(comparisons: Comparisons, terms: Sequence[int], universe: Universe) -> Fit | NoFit:
    rows, equal = _rows(comparisons, terms, universe)
    outcome = decide(rows, equal=equal)
    if isinstance(outcome, Fits):
        values = dict(zip(terms, outcome.values, strict=False))
        return Fit(Model(universe, values), "explicit", outcome.method)
    return _no_fit(comparisons, outcome, "explicit")


def _fit_by_kernel(comparisons: Comparisons, degree: int, universe: Universe) -> Fit | NoFit:
    alternatives = comparisons.alternatives
    _check_size(len(comparisons.edges), comparisons.nodes)
    shared = kernel_matrix(alternatives, alternatives, len(universe), degree)
    pivots = independent_rows(shared)
    if comparisons.equal:
        return _fit_groups_by_kernel(comparisons, degree, universe, shared, pivots)
    size, nodes = len(alternatives), comparisons.nodes
    gram = np.zeros((nodes, nodes), dtype=object)
    gram[:size, :size] = shared
    # Any positive weight on the boundaries is right; one like the alternatives' own keeps floats balanced.
    weight = max(1, int(np.trace(shared)) // max(1, size))
    for boundary in range(size, nodes):
        gram[boundary, boundary] = weight
    if int(np.max(shared, initial=0)) < 2**40 and weight < 2**40:
        gram = gram.astype(np.int64)
    outcome = decide_by_gram(_edge_matrix(comparisons), gram, [*pivots, *range(size, nodes)])
    if isinstance(outcome, Fits):
        coefficients = {a: c for a, c in zip(alternatives, outcome.values, strict=False) if c and a}
        return Fit(KernelModel(universe, degree, coefficients), "kernel", outcome.method)
    return _no_fit(comparisons, outcome, "kernel")


def _fit_groups_by_kernel(
    comparisons: Comparisons, degree: int, universe: Universe, shared: Integers, pivots: Sequence[int]
) -> Fit | NoFit:
    """Ask for the value of every group of equal alternatives instead of values of terms.

    Values of the alternatives come from some values of the terms iff they satisfy the dependencies that the rows of
    phi, and so those of its Gram matrix, satisfy.
    """
    size = len(comparisons.alternatives)
    to_group = _groups(comparisons)
    edges, equal = _edge_matrix(comparisons), _edge_matrix(comparisons, comparisons.equal)
    others = [i for i in range(size) if i not in set(pivots)]
    dependencies = _dependencies(shared, list(pivots), others, comparisons.nodes)
    outcome = decide(product(edges, to_group), equal=product(dependencies, to_group))
    if isinstance(outcome, Fits):
        utilities = product(to_group, np.array(outcome.values, dtype=object))[:size]
        if not len(pivots):
            return Fit(KernelModel(universe, degree, {}), "kernel", outcome.method)
        basis = shared[np.ix_(pivots, pivots)]
        numbers = rescaled_solution(basis, utilities[list(pivots)])
        coefficients = {comparisons.alternatives[i]: c for i, c in zip(pivots, numbers, strict=True) if c}
        return Fit(KernelModel(universe, degree, coefficients), "kernel", outcome.method)
    # What is left of the sum after the dependencies, which say nothing, follows from the equal pairs.
    strict = np.array(outcome.multipliers[: len(edges)], dtype=object)
    rest = np.array(outcome.multipliers[len(edges) :], dtype=object)
    scale, back = combination(equal, product(strict, edges) + product(rest, dependencies))
    multipliers = (*(scale * int(m) for m in strict), *(-m for m in back))
    return _no_fit(comparisons, DoesNotFit(multipliers, outcome.method), "kernel")


def _groups(comparisons: Comparisons) -> Integers:
    """Return the matrix [node, group] that gives every node the value of its group; boundaries stand alone."""
    group = merged(comparisons.nodes, comparisons.equal)
    matrix = np.zeros((len(group), max(group, default=-1) + 1), dtype=np.int64)
    matrix[np.arange(len(group)), group] = 1
    return matrix


def _dependencies(shared: Integers, pivots: list[int], others: Sequence[int], nodes: int) -> Integers:
    """Return per alternative that is no pivot a combination of alternatives, in whole numbers, always worth 0."""
    rows = np.zeros((len(others), nodes), dtype=object)
    for line, node in zip(rows, others, strict=True):
        scale, numbers = combination(shared[pivots], shared[node])
        line[pivots] = numbers
        line[node] = -scale
    return rows


def choose_route(elements: int, degree: int, route: str = "auto") -> str:
    """Return the route to take: explicit while the terms are few, unless one is asked for."""
    if route not in ROUTES:
        raise UnknownOption("route", route, ROUTES)
    if route != "auto":
        return route
    return "explicit" if count_terms(elements, degree) <= EXPLICIT_TERMS else "kernel"


def _no_fit(comparisons: Comparisons, outcome: DoesNotFit, route: str) -> NoFit:
    pairs = comparisons.on_pairs(outcome.multipliers)
    return NoFit(tuple((a, b, m) for (a, b), m in sorted(pairs.items())), route, outcome.method)


def _edge_matrix(comparisons: Comparisons, pairs: Sequence[Pair] | None = None) -> Integers:
    chosen = comparisons.edges if pairs is None else pairs
    matrix = np.zeros((len(chosen), comparisons.nodes), dtype=np.int64)
    if chosen:
        high, low = np.array(chosen).T
        matrix[np.arange(len(high)), high] = 1
        matrix[np.arange(len(low)), low] = -1
    return matrix
