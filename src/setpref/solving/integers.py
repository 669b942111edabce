"""Whole-number equations: what they leave free, and what follows from them.

Statements of indifference are equations ``E v = 0``. Their solutions are the whole-number combinations (up to a common
factor) of a basis, so that a question about all v becomes one without equations about the combinations.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.errors import CertificateRejected

__all__ = ["Integers", "combination", "free_basis", "independent_rows", "product", "rescaled_solution"]

Integers = npt.NDArray[Any]

_PRIME = 2**61 - 1
_SAFE = 2**62
_REDUCED_AT_MOST = 120


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


def free_basis(equations: Integers) -> Integers:
    """Return a matrix whose columns are a basis of all v with ``equations @ v = 0``, in whole numbers.

    Examples
    --------
    >>> free_basis(np.array([[1, -1, 0]])).T.tolist()
    [[1, 1, 0], [0, 0, 1]]
    """
    import flint

    width = equations.shape[1]
    rows = np.unique(equations[equations.any(axis=1)], axis=0) if len(equations) else equations
    if not len(rows):
        return np.eye(width, dtype=np.int64)
    basis, nullity = flint.fmpz_mat(len(rows), width, [int(x) for x in rows.ravel()]).nullspace()
    if not nullity:
        return np.zeros((width, 0), dtype=np.int64)
    vectors = [_primitive([int(basis[i, j]) for i in range(width)]) for j in range(nullity)]
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
    import flint

    multipliers = [0] * len(equations)
    if not target.any():
        return 1, multipliers
    chosen = independent_rows(equations)
    used = np.flatnonzero(equations.any(axis=0) | (target != 0))
    columns = [[int(equations[i, j]) for i in chosen] + [int(target[j])] for j in used]
    table = flint.fmpz_mat(len(used), len(chosen) + 1, [x for line in columns for x in line])
    basis, nullity = table.nullspace()
    if nullity != 1 or not int(basis[len(chosen), 0]):
        raise CertificateRejected("a sum of statements does not follow from the indifferences it should follow from")
    vector = _primitive([int(basis[i, 0]) for i in range(len(chosen) + 1)])
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
    table = flint.fmpz_mat(size, size, [int(x) for x in matrix.ravel()])
    solution: Any = table.solve(flint.fmpz_mat(size, 1, [int(x) for x in right]))
    numerators, denominator = solution.numer_denom()
    sign = 1 if int(denominator) > 0 else -1
    return _primitive([sign * int(numerators[i, 0]) for i in range(size)])


def _primitive(numbers: list[int]) -> list[int]:
    shared = gcd(*numbers)
    return [number // shared for number in numbers] if shared > 1 else numbers
