"""Whether all rows can be positive: solvers propose, integers decide.

The question behind everything exact in setpref: given a whole-number matrix D, do values v exist with
D v > 0 in every row? The answer is a tagged value that carries its proof: :class:`Fits` with whole-number values,
or :class:`DoesNotFit` with whole-number multipliers that make the rows cancel. Equations E v = 0 may be asked for too:
they are solved first, so that the same question is left about what they leave free.

Methods are tried in turn, each proposal being made exact and checked: daqp (a dual active-set method, microseconds
on small matrices), HiGHS, and at last the exact simplex of :mod:`setpref.solving.exactlp`, which cannot fail.
Tolerances below only choose what to propose; no answer rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd

import numpy as np
import numpy.typing as npt

from setpref.errors import CertificateRejected
from setpref.rows import Kind
from setpref.solving.exactlp import solve_strict
from setpref.solving.highs import largest_margin
from setpref.solving.integers import Integers, combination, free_basis, product, stacked
from setpref.solving.systems import System

__all__ = ["DoesNotFit", "Fits", "Outcome", "decide", "decide_by_gram"]

Floats = npt.NDArray[np.float64]

DAQP_ENTRIES = 4_000_000
ABSURD = 1e12
_SAFE = 2**62
_EVEN = 2**20  # columns of numbers up to this size need no scaling
_FINE = 2**40


@dataclass(frozen=True)
class Fits:
    """Whole-number values (one per column) that make every row positive."""

    values: tuple[int, ...]
    method: str


@dataclass(frozen=True)
class DoesNotFit:
    """Whole-number multipliers under which the rows cancel: one per row, none negative, not all zero.

    Those of weak rows and then of equations follow, the latter of any sign.
    """

    multipliers: tuple[int, ...]
    method: str


Outcome = Fits | DoesNotFit
Proposal = tuple[bool, Floats]


def decide(system: System) -> Outcome:
    """Decide whether values of the columns satisfy a system of rows.

    The multipliers are one a row: none negative but on equations, and not all zero on strict rows.

    Examples
    --------
    >>> decide(System.strict(np.array([[1, 0], [-1, 1]]))).values
    (1, 2)
    >>> decide(System.strict(np.array([[1, 0], [-1, 1], [0, -1]]))).multipliers
    (1, 1, 1)
    >>> decide(System(np.array([[1, -2], [1, 0]]), (Kind.EQUAL, Kind.STRICT))).values
    (2, 1)
    >>> decide(System(np.array([[1, -1], [-2, 2]]), (Kind.STRICT, Kind.EQUAL))).multipliers
    (2, 1)
    """
    if system.kinds.count(Kind.STRICT) == len(system):
        return _decide_strict(system.matrix)
    places = [system.places(kind) for kind in Kind]
    strict, weak, equal = (system.matrix[at] for at in places)
    outcome = _decide(strict, weak, equal)
    if isinstance(outcome, Fits):
        return outcome
    multipliers = [0] * len(system)
    for place, multiplier in zip(np.concatenate(places).tolist(), outcome.multipliers, strict=True):
        multipliers[place] = multiplier
    return DoesNotFit(tuple(multipliers), outcome.method)


def _decide(matrix: Integers, weak: Integers, equal: Integers) -> Outcome:
    """Decide whether all rows can be positive, the weak ones at least zero and the equations zero.

    The multipliers are those of the rows, then of the weak rows, then of the equations.
    """
    if len(equal):
        return _decide_free(matrix, weak, equal)
    return _decide_weak(matrix, weak) if len(weak) else _decide_strict(matrix)


def _decide_strict(matrix: Integers) -> Outcome:
    rows, columns = matrix.shape
    zero = np.flatnonzero(~matrix.any(axis=1)) if columns else np.arange(rows)
    if zero.size:
        return DoesNotFit(tuple(int(i == zero[0]) for i in range(rows)), "a row of zeros")
    if not rows:
        return Fits((0,) * columns, "no rows")
    floats = matrix.astype(np.float64)
    for method, proposal in _proposals(floats):
        fits, numbers = proposal
        exactly = _exact_values if fits else _exact_multipliers
        outcome = exactly(matrix, numbers, method)
        if outcome is not None:
            return outcome
    positive, exact = solve_strict([[int(x) for x in row] for row in matrix])
    return _checked(matrix, (Fits if positive else DoesNotFit)(tuple(exact), "exact"))


def _decide_free(matrix: Integers, weak: Integers, equal: Integers) -> Outcome:
    """Solve the equations first and ask about what they leave free; then bring the answer back."""
    basis = free_basis(equal)
    above = stacked(matrix, weak)
    rows = product(above, basis)
    outcome = None if len(weak) else _decide_scaled(rows)
    if outcome is None:
        outcome = _decide(rows[: len(matrix)], rows[len(matrix) :], equal[:0])
    if isinstance(outcome, Fits):
        values = product(basis, np.array(outcome.values, dtype=object))
        if any(int(x) for x in product(equal, values)):
            raise CertificateRejected("the solutions of the equations failed their exact check")
        shared = gcd(*(int(x) for x in values)) or 1
        return Fits(tuple(int(x) // shared for x in values), outcome.method)
    used = np.flatnonzero(np.array(outcome.multipliers, dtype=bool))
    total = product(np.array([outcome.multipliers[i] for i in used], dtype=object), above[used])
    scale, back = combination(equal, total)
    if any(int(x) for x in scale * total.astype(object) - product(np.array(back, dtype=object), equal)):
        raise CertificateRejected("the multipliers of the equations failed their exact check")
    return DoesNotFit((*(scale * m for m in outcome.multipliers), *(-m for m in back)), outcome.method)


def _decide_scaled(rows: Integers) -> Outcome | None:
    """Decide rows whose columns are of very different size: propose with columns of size 1, and bring points back."""
    largest = [max((abs(int(x)) for x in column), default=0) or 1 for column in rows.T]
    if max(largest, default=1) < _EVEN:
        return None
    floats = np.array([[int(x) / size for x, size in zip(row, largest, strict=True)] for row in rows], dtype=np.float64)
    if not floats.any(axis=1).all():
        return None
    top = max(largest)
    for method, (fits, numbers) in _proposals(floats):
        outcome: Outcome | None
        if fits:
            if not np.isfinite(numbers).all():
                continue
            whole = [round(float(x) * _FINE) * top // size for x, size in zip(numbers, largest, strict=True)]
            outcome = Fits(tuple(whole), method) if _positive(rows, np.array(whole, dtype=object)) else None
        else:
            outcome = _exact_multipliers(rows, numbers, method)
        if outcome is not None:
            return outcome
    return None


def _decide_weak(matrix: Integers, weak: Integers) -> Outcome:
    """Ask for the weak rows to be positive too; only if nothing but weak rows cancels, settle it exactly."""
    rows = len(matrix)
    useful = np.flatnonzero(weak.any(axis=1))
    both = stacked(matrix, weak[useful])
    outcome = _decide_strict(both)
    if isinstance(outcome, DoesNotFit) and not any(outcome.multipliers[:rows]):
        lists = [[int(x) for x in row] for row in both]
        positive, exact = solve_strict(lists[:rows], lists[rows:])
        if positive:
            values = np.array(exact, dtype=object)
            sound = _positive(matrix, values) and all(x >= 0 for x in weak.astype(object) @ values)
            if not sound:
                raise CertificateRejected("the exact method failed its own check on weak rows")
            return Fits(tuple(exact), "exact")
        outcome = _checked(both, DoesNotFit(tuple(exact), "exact"))
    if isinstance(outcome, Fits):
        return outcome
    multipliers = [*outcome.multipliers[:rows], *([0] * len(weak))]
    for place, number in zip(useful, outcome.multipliers[rows:], strict=True):
        multipliers[rows + int(place)] = number
    return DoesNotFit(tuple(multipliers), outcome.method)


def decide_by_gram(edges: Integers, gram: Integers, pivots: Sequence[int]) -> Outcome:
    """Decide the same question for rows known only through scalar products.

    The rows are ``edges @ phi`` where phi (one row per node) is not listed; ``gram = phi @ phi.T`` is. The values
    found are coefficients c on the nodes: v = phi.T @ c, so that the rows are worth ``edges @ gram @ c``.

    Parameters
    ----------
    pivots
        Nodes whose rows of phi span all rows of phi and are independent.
    """
    rows, nodes = edges.shape
    chosen = list(pivots)
    if not chosen or not rows:
        return DoesNotFit((1,) + (0,) * (rows - 1), "no terms") if rows else Fits((0,) * nodes, "no rows")
    gram_rows = product(edges, gram)
    for method, fits, numbers in _gram_proposals(gram_rows, gram, chosen):
        if fits:
            outcome: Outcome | None = _exact_values(gram_rows, numbers, method)
        else:
            outcome = _exact_multipliers_by_gram(edges, gram, gram_rows, numbers, method)
        if outcome is not None:
            return outcome
    # A combination of the rows vanishes iff its scalar products with the pivots do.
    positive, exact = solve_strict([[int(x) for x in row] for row in gram_rows[:, chosen]])
    if not positive:
        return _checked(gram_rows, DoesNotFit(tuple(exact), "exact"))
    coefficients = [0] * nodes
    for node, number in zip(chosen, exact, strict=True):
        coefficients[node] = number
    return _checked(gram_rows, Fits(tuple(coefficients), "exact"))


def _gram_proposals(gram_rows: Integers, gram: Integers, pivots: list[int]) -> Iterator[tuple[str, bool, Floats]]:
    """Propose in coordinates of an orthonormal basis of the pivots; values come back as coefficients."""
    basis = gram[np.ix_(pivots, pivots)]
    scale = max(1, int(np.trace(basis)) // len(pivots))
    try:
        lower = np.linalg.cholesky((basis / scale).astype(np.float64))
    except np.linalg.LinAlgError:
        return
    across = (gram_rows[:, pivots] / scale).astype(np.float64)
    floats = np.asarray(np.linalg.solve(lower, across.T).T, dtype=np.float64)
    for method, (fits, numbers) in _proposals(floats):
        if fits:
            coefficients = np.zeros(len(gram))
            coefficients[pivots] = np.linalg.solve(lower.T, numbers) / scale
            yield method, True, coefficients
        else:
            yield method, False, numbers


def _proposals(matrix: Floats) -> Iterator[tuple[str, Proposal]]:
    if matrix.size <= DAQP_ENTRIES:
        proposal = _propose_daqp(matrix)
        if proposal is not None:
            yield "daqp", proposal
    proposal = largest_margin(matrix)
    if proposal is not None:
        yield "highs", proposal


def _propose_daqp(matrix: Floats) -> Proposal | None:
    """Return the shortest v with matrix @ v >= 1, or multipliers; by the dual active-set method."""
    import daqp

    rows, columns = matrix.shape
    point, _, flag, info = daqp.solve(
        np.eye(columns),
        np.zeros(columns),
        np.ascontiguousarray(matrix),
        np.full(rows, 1e30),
        np.ones(rows),
        np.zeros(rows, dtype=np.int32),
        iter_limit=20 * (rows + columns) + 1000,
    )
    if flag == 1:
        return True, np.asarray(point)
    multipliers = -np.asarray(info["lam"])
    # daqp 0.11 leaves whatever memory held in the multipliers: infinities, absurd sizes.
    return (False, np.where(np.abs(multipliers) < ABSURD, multipliers, 0.0)) if flag == -1 else None


def _exact_values(matrix: Integers, point: Floats, method: str) -> Fits | None:
    """Scale and round a proposed point until whole numbers make every row positive."""
    if not np.isfinite(point).all():
        return None
    largest = float(np.abs(point).max(initial=0.0)) or 1.0
    for scale in (*range(1, 9), *(2.0**k for k in range(4, 52, 4))):
        if largest * scale > 2.0**60:
            return None
        values = np.rint(point * scale).astype(np.int64)
        if _positive(matrix, values):
            shared = reduce(gcd, (int(x) for x in values), 0) or 1
            return Fits(tuple(int(x) // shared for x in values), method)
    return None


def _positive(matrix: Integers, values: Integers) -> bool:
    """Tell in exact arithmetic whether every row is positive."""
    if matrix.dtype != object:
        bound = int(np.abs(matrix).max(initial=0)) * int(np.abs(values).max(initial=0)) * matrix.shape[1]
        if bound < _SAFE:
            return bool((matrix @ values > 0).all())
    return all(x > 0 for x in matrix.astype(object) @ values.astype(object))


def _support(multipliers: Floats) -> npt.NDArray[np.intp]:
    return np.flatnonzero(multipliers > 1e-9 * np.abs(multipliers).max(initial=0.0))


def _exact_multipliers(matrix: Integers, proposed: Floats, method: str) -> DoesNotFit | None:
    """Find whole-number multipliers on the rows a solver proposes."""
    support = _support(proposed)
    exact = _cancelling(matrix[support].T)
    return _spread(matrix, support, exact, method)


def _exact_multipliers_by_gram(
    edges: Integers, gram: Integers, gram_rows: Integers, proposed: Floats, method: str
) -> DoesNotFit | None:
    """The same through scalar products: G m = 0 iff the rows weighted by m cancel, G being their Gram matrix."""
    support = _support(proposed)
    small = edges[support]
    exact = _cancelling(product(product(small, gram), small.T))
    return _spread(gram_rows, support, exact, method)


def _cancelling(columns: Integers) -> list[int] | None:
    """Return m >= 0, not zero, with ``columns @ m = 0``, if the first exact method finds it."""
    import flint

    height, width = columns.shape
    if not width:
        return None
    table = flint.fmpz_mat(height, width, [int(x) for x in columns.ravel()])
    basis, nullity = table.nullspace()
    if nullity == 1:
        vector = [int(basis[i, 0]) for i in range(width)]
        if all(x <= 0 for x in vector):
            vector = [-x for x in vector]
        if all(x >= 0 for x in vector):
            shared = gcd(*vector)
            return [x // shared for x in vector]
        return None
    if nullity == 0:
        return None
    fits, numbers = solve_strict([[int(x) for x in row] for row in columns.T])
    return None if fits else numbers


def _spread(matrix: Integers, support: npt.NDArray[np.intp], exact: list[int] | None, method: str) -> DoesNotFit | None:
    if exact is None:
        return None
    multipliers = [0] * matrix.shape[0]
    for row, number in zip(support, exact, strict=True):
        multipliers[row] = number
    outcome = DoesNotFit(tuple(multipliers), method)
    _checked(matrix, outcome)
    return outcome


def _checked(matrix: Integers, outcome: Outcome) -> Outcome:
    """Check an outcome in exact arithmetic once more; a failure here is a fault of this module."""
    if isinstance(outcome, Fits):
        sound = _positive(matrix, np.array(outcome.values, dtype=object))
    else:
        used = [i for i, m in enumerate(outcome.multipliers) if m]
        weights = np.array([outcome.multipliers[i] for i in used], dtype=object)
        sound = bool(used) and all(w > 0 for w in weights)
        sound = sound and not any(weights @ matrix[used].astype(object))
    if not sound:
        raise CertificateRejected(f"the answer proposed by {outcome.method} failed its exact check")
    return outcome
