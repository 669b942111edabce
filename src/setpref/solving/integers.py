"""Whole-number matrices and equations: products that never overflow, what equations leave free, what follows from them.

Statements of indifference are equations ``E v = 0``. Their solutions are the whole-number combinations (up to a common
factor) of a basis, so that a question about all v becomes one without equations about the combinations.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from setpref.errors import CertificateRejected

if TYPE_CHECKING:
    from flint import fmpz_mat

__all__ = [
    "Integers",
    "combination",
    "free_basis",
    "independent_rows",
    "null_space",
    "primitive",
    "product",
    "rescaled_solution",
    "stacked",
]

#: Whole numbers in 64 bits wherever they are enough, else Python's.
Integers = npt.NDArray[np.int64] | npt.NDArray[np.object_]

_PRIME = 2**61 - 1
_SAFE = 2**62
_REDUCED_AT_MOST = 120


def primitive(numbers: list[int]) -> list[int]:
    """Return whole numbers without their common factor."""
    shared = gcd(*numbers)
    return [number // shared for number in numbers] if shared > 1 else numbers


def stacked(*parts: npt.ArrayLike) -> Integers:
    """Return the rows of matrices one below the other."""
    return np.vstack(parts)


def product(left: Integers, right: Integers) -> Integers:
    """Return the product of two whole-number matrices, exactly, in 64 bits wherever they are enough."""
    inner = max(1, left.shape[-1])
    if left.dtype != object and right.dtype != object:
        largest = int(np.abs(left).max(initial=0)) * int(np.abs(right).max(initial=0))
        if largest * inner < _SAFE:
            return np.asarray(left @ right)
    return _narrow(left.astype(object) @ right.astype(object))


def _narrow(matrix: Integers) -> Integers:
    """Return a matrix of Python integers in 64 bits if they fit."""
    if matrix.size == 0 or max(abs(int(x)) for x in matrix.ravel()) < 2**53:
        return matrix.astype(np.int64)
    return matrix


def _table(matrix: Integers) -> fmpz_mat:
    """Return a matrix of whole numbers of any size."""
    import flint

    height, width = matrix.shape
    return flint.fmpz_mat(height, width, [int(x) for x in matrix.ravel()])


def null_space(matrix: Integers) -> list[list[int]]:
    """Return a basis of all v with ``matrix @ v = 0``, in whole numbers without a common factor, of any sign."""
    basis, nullity = _table(matrix).nullspace()
    return [primitive([int(basis[i, j]) for i in range(matrix.shape[1])]) for j in range(nullity)]


def free_basis(equations: Integers) -> Integers:
    """Return a matrix whose columns are a basis of all v with ``equations @ v = 0``, in whole numbers.

    Examples
    --------
    >>> free_basis(np.array([[1, -1, 0]])).T.tolist()
    [[1, 1, 0], [0, 0, 1]]
    """
    import flint

    width = equations.shape[1]
    rows = sorted({tuple(row) for row in equations.tolist() if any(row)})
    if not rows:
        return np.eye(width, dtype=np.int64)
    vectors = null_space(np.array(rows, dtype=object))
    nullity = len(vectors)
    if not nullity:
        return np.zeros((width, 0), dtype=np.int64)
    if nullity <= _REDUCED_AT_MOST and max(abs(x) for vector in vectors for x in vector) > 1:
        # Short vectors keep the floats of the proposing solvers honest; nothing rests on it.
        reduced = flint.fmpz_mat(nullity, width, [x for vector in vectors for x in vector]).lll()
        vectors = [[int(reduced[i, j]) for j in range(width)] for i in range(nullity)]
    vectors = [vector if next(x for x in vector if x) > 0 else [-x for x in vector] for vector in vectors]
    return _narrow(np.array(sorted(vectors, reverse=True), dtype=object).T)


def combination(equations: Integers, target: Integers) -> tuple[int, list[int]]:
    """Return (scale, multipliers) with ``scale * target = multipliers @ equations`` and scale > 0.

    The target must follow from the equations; that it does not is a fault of the caller.

    Examples
    --------
    >>> combination(np.array([[2, -2, 0], [0, 1, -1]]), np.array([1, 0, -1]))
    (2, [1, 2])
    """
    multipliers = [0] * len(equations)
    if not target.any():
        return 1, multipliers
    chosen = independent_rows(equations)
    used = np.flatnonzero(equations.any(axis=0) | (target != 0))
    vectors = null_space(stacked(equations[chosen], target)[:, used].T)
    if len(vectors) != 1 or not vectors[0][-1]:
        raise CertificateRejected("a sum of statements does not follow from the indifferences it should follow from")
    vector = vectors[0]
    sign = -1 if vector[-1] > 0 else 1
    for i, number in zip(chosen, vector, strict=False):
        multipliers[i] = sign * number
    return abs(vector[-1]), multipliers


def independent_rows(matrix: Integers) -> list[int]:
    """Return indices of rows that are independent and span all rows, by elimination modulo a large prime.

    Independent modulo a prime means independent. Should the prime be unlucky and the indices too few, later exact
    checks fail loudly; nothing is decided here.
    """
    import flint

    height, width = matrix.shape
    table = flint.nmod_mat(width, height, [int(x) % _PRIME for x in matrix.T.ravel()], _PRIME)
    reduced, rank = table.rref()
    pivots: list[int] = []
    column = 0
    for row in range(rank):
        while int(reduced[row, column]) == 0:
            column += 1
        pivots.append(column)
        column += 1
    return pivots


def rescaled_solution(matrix: Integers, right: Integers) -> list[int]:
    """Return whole numbers x with ``matrix @ x`` a positive multiple of the right side; the matrix is invertible.

    Examples
    --------
    >>> rescaled_solution(np.array([[2, 0], [0, 3]]), np.array([1, 1]))
    [3, 2]
    """
    import flint

    size = len(matrix)
    solution = _table(matrix).solve(_table(right[:, None]))
    assert isinstance(solution, flint.fmpq_mat)
    numerators, denominator = solution.numer_denom()
    sign = 1 if int(denominator) > 0 else -1
    return primitive([sign * int(numerators[i, 0]) for i in range(size)])
