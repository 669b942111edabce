"""Extreme rays of a cone {w >= 0 : D w >= 0}, in whole numbers.

After learning, every value of a simplest theta has one certain sign, so with w = |v| the compatible values form a cone
inside the positive orthant. A linear question "is e . w >= 0 on the whole cone?" then needs only its extreme rays:
integer dot products, no tolerance. The double description method below starts from the orthant and cuts with one row
after another; rows that follow from the others should be left out first (see :func:`irredundant`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from setpref.errors import SetprefError
from setpref.solving.oracle import DoesNotFit, decide
from setpref.solving.systems import System

__all__ = ["RAY_LIMIT", "Ray", "TooManyRays", "extreme_rays", "irredundant"]

RAY_LIMIT = 2000
_SAFE = 2**61

Ray = tuple[int, ...]
Matrix = npt.NDArray[np.int64]


class TooManyRays(SetprefError):
    """The cone has more extreme rays than the limit; ask linear programs instead."""


def irredundant(rows: Sequence[Ray]) -> list[Ray]:
    """Return rows that imply all others: each one left out is a non-negative combination of those kept.

    The rows must have a common positive point, as those of a fitting theta do.

    Examples
    --------
    >>> irredundant([(1, 0), (0, 1), (1, 1)])
    [(1, 0), (0, 1)]
    """
    kept = list(dict.fromkeys(rows))
    # Long rows are likely sums of short ones: trying them first leaves less to try against.
    for row in sorted(kept, key=lambda r: (-sum(map(abs, r)), r)):
        others = [other for other in kept if other != row]
        if others and _implied(others, row):
            kept = others
    return kept


def _implied(rows: Sequence[Ray], row: Ray) -> bool:
    """Tell whether a row is a non-negative combination of others."""
    turned = np.array([*rows, [-x for x in row]], dtype=np.int64)
    return isinstance(decide(System.strict(turned)), DoesNotFit)


def extreme_rays(rows: Sequence[Sequence[int]], dimension: int, limit: int = RAY_LIMIT) -> list[Ray]:
    """Return the extreme rays of ``{w >= 0 : row . w >= 0 for every row}``, primitive and sorted.

    Examples
    --------
    >>> extreme_rays([[1, -1]], 2)
    [(1, 0), (1, 1)]
    """
    rays: npt.NDArray[np.int64] = np.eye(dimension, dtype=np.int64)
    # Each ray has a row of marks: the constraints it meets with equality, w_j >= 0 first.
    meets = ~np.eye(dimension, dtype=bool)
    todo = np.array([row for row in dict.fromkeys(map(tuple, rows)) if any(x < 0 for x in row)], dtype=np.int64)
    while len(todo):
        if len(rays) > limit:
            raise TooManyRays(f"the cone has more than {limit} extreme rays at some point")
        values = todo @ rays.T
        # The row that has to combine the fewest pairs of rays first: cheap cuts keep the rays few.
        cheapest = int(np.argmin((values > 0).sum(axis=1) * (values < 0).sum(axis=1)))
        rays, meets = _cut(rays, meets, values[cheapest])
        todo = np.delete(todo, cheapest, axis=0)
    if len(rays) > limit:
        raise TooManyRays(f"the cone has more than {limit} extreme rays")
    return sorted(tuple(int(x) for x in ray) for ray in rays)


def _cut(rays: Matrix, meets: npt.NDArray[np.bool_], values: Matrix) -> tuple[Matrix, npt.NDArray[np.bool_]]:
    """Keep the part of the cone where the row whose dot products are given is not negative."""
    above, below = np.flatnonzero(values > 0), np.flatnonzero(values < 0)
    kept = np.flatnonzero(values >= 0)
    new_rays, new_meets = [rays[kept]], [np.column_stack([meets[kept], values[kept] == 0])]
    if len(above) and len(below):
        largest = int(np.abs(values).max()) * int(rays.max()) * 2
        if rays.dtype != object and largest > _SAFE:
            rays, values = rays.astype(object), values.astype(object)
        missing = (~meets).astype(np.float32)
        for high in above:
            low = below[_adjacent(meets, missing, int(high), below, rays.shape[1])]
            if len(low):
                mixed = -values[low][:, None] * rays[high] + values[high] * rays[low]
                scale = np.gcd.reduce(mixed, axis=1)
                new_rays.append(mixed // scale[:, None])
                shared = meets[high] & meets[low]
                new_meets.append(np.column_stack([shared, np.ones(len(low), dtype=bool)]))
    return np.concatenate(new_rays), np.concatenate(new_meets)


def _adjacent(
    meets: npt.NDArray[np.bool_],
    missing: npt.NDArray[np.float32],
    high: int,
    below: npt.NDArray[np.intp],
    dimension: int,
) -> npt.NDArray[np.bool_]:
    """Tell which rays span an edge with one: no third ray meets all the constraints that both meet."""
    shared = meets[below] & meets[high]
    adjacent = shared.sum(axis=1) >= dimension - 2
    candidates = np.flatnonzero(adjacent)
    if len(candidates):
        lacking = shared[candidates].astype(np.float32) @ missing.T
        adjacent[candidates] = (lacking == 0).sum(axis=1) == 2
    return np.asarray(adjacent)
