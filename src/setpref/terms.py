"""Terms: which there are, where they hold, and how many two sets share.

A term is a non-empty set S of elements; it holds for an alternative A when S is contained in A. The kernel
counts the terms up to a degree that hold for both of two sets, without listing them (Section 4.2 of the paper).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

__all__ = [
    "bit_matrix",
    "count_terms",
    "indicators",
    "kernel_matrix",
    "kernel_table",
    "terms_up_to",
    "total_size_up_to",
]

IntMatrix = npt.NDArray[np.int64]


def count_terms(elements: int, degree: int) -> int:
    """Return the number of terms of size 1 to `degree`."""
    return sum(comb(elements, size) for size in range(1, degree + 1))


def total_size_up_to(elements: int, degree: int) -> int:
    """Return the sum of the sizes of all terms up to a degree."""
    return sum(size * comb(elements, size) for size in range(1, degree + 1))


def terms_up_to(elements: int, degree: int) -> list[int]:
    """Return every term up to a degree, by size and then by mask.

    Examples
    --------
    >>> terms_up_to(3, 2)
    [1, 2, 4, 3, 5, 6]
    """
    ones = [1 << i for i in range(elements)]
    return [
        mask
        for size in range(1, min(degree, elements) + 1)
        for mask in sorted(sum(chosen) for chosen in combinations(ones, size))
    ]


def bit_matrix(masks: Sequence[int], elements: int) -> IntMatrix:
    """Return one 0/1 row per mask and one column per element."""
    width = (elements + 7) // 8
    raw = b"".join(mask.to_bytes(width, "little") for mask in masks)
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(len(masks), width)
    return np.unpackbits(rows, axis=1, bitorder="little")[:, :elements].astype(np.int64)


def indicators(alternatives: Sequence[int], terms: Sequence[int], elements: int) -> IntMatrix:
    """Return I: one row per alternative, one column per term, 1 where the term holds.

    Examples
    --------
    >>> indicators([0b11, 0b01], [0b01, 0b10, 0b11], 2).tolist()
    [[1, 1, 1], [1, 0, 0]]
    """
    rows = bit_matrix(alternatives, elements).astype(np.float32)
    columns = bit_matrix(terms, elements).astype(np.float32)
    return np.asarray(rows @ columns.T == columns.sum(axis=1), dtype=np.int64)


@cache
def kernel_table(elements: int, degree: int) -> list[int]:
    """Return, for k = 0..elements, the number of terms up to `degree` inside a set of k elements.

    Examples
    --------
    >>> kernel_table(4, 2)
    [0, 1, 3, 6, 10]
    """
    return [sum(comb(k, size) for size in range(1, degree + 1)) for k in range(elements + 1)]


def kernel_matrix(left: Sequence[int], right: Sequence[int], elements: int, degree: int) -> npt.NDArray[np.object_]:
    """Return K: the number of terms up to `degree` shared by each pair, as exact Python integers."""
    shared = bit_matrix(left, elements) @ bit_matrix(right, elements).T
    table: npt.NDArray[np.object_] = np.array(kernel_table(elements, degree), dtype=object)
    return np.asarray(table[shared], dtype=object)
