"""Extreme rays of a cone {w : D w >= 0}, in whole numbers.

After learning, every value of a simplest theta has one certain sign, so with w = |v| the compatible values form a cone
inside the positive orthant. A linear question "is e . w >= 0 on the whole cone?" then needs only its extreme rays:
integer dot products, no tolerance. The double description method below starts from the orthant and cuts with one row
after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from setpref.errors import SetprefError

__all__ = ["RAY_LIMIT", "TooManyRays", "extreme_rays"]

RAY_LIMIT = 5000

Ray = tuple[int, ...]


class TooManyRays(SetprefError):
    """The cone has more extreme rays than the limit; ask linear programs instead."""


def extreme_rays(rows: Sequence[Sequence[int]], dimension: int, limit: int = RAY_LIMIT) -> list[Ray]:
    """Return the extreme rays of ``{w >= 0 : row . w >= 0 for every row}``, primitive and sorted.

    Examples
    --------
    >>> extreme_rays([[1, -1]], 2)
    [(1, 0), (1, 1)]
    """
    # Each ray carries the set of constraints it meets with equality: bits 0..dimension-1 are w_j >= 0.
    everything = (1 << dimension) - 1
    rays = [(_unit(j, dimension), everything & ~(1 << j)) for j in range(dimension)]
    todo = list(dict.fromkeys(tuple(row) for row in rows if any(x < 0 for x in row)))
    bit = dimension
    while todo:
        row = min(todo, key=lambda r: _cost(r, rays))
        todo.remove(row)
        rays = _cut(rays, row, 1 << bit)
        bit += 1
        if len(rays) > limit:
            raise TooManyRays(f"the cone has more than {limit} extreme rays at some point")
    return sorted(ray for ray, _ in rays)


def _unit(j: int, dimension: int) -> Ray:
    return tuple(int(i == j) for i in range(dimension))


def _dot(row: Sequence[int], ray: Ray) -> int:
    return sum(map(int.__mul__, row, ray))


def _cost(row: Sequence[int], rays: list[tuple[Ray, int]]) -> int:
    """Return how many pairs of rays a cut would have to combine: cheap cuts first keep the rays few."""
    signs = [_dot(row, ray) for ray, _ in rays]
    return sum(s > 0 for s in signs) * sum(s < 0 for s in signs)


def _cut(rays: list[tuple[Ray, int]], row: Sequence[int], mark: int) -> list[tuple[Ray, int]]:
    """Keep the part of the cone where row . w >= 0."""
    above, on, below = [], [], []
    for ray, zeros in rays:
        value = _dot(row, ray)
        if value > 0:
            above.append((ray, zeros, value))
        elif value < 0:
            below.append((ray, zeros, -value))
        else:
            on.append((ray, zeros | mark))
    result = [(ray, zeros) for ray, zeros, _ in above] + on
    all_zeros = [zeros for _, zeros in rays]
    for high, high_zeros, up in above:
        for low, low_zeros, down in below:
            shared = high_zeros & low_zeros
            if _adjacent(shared, high_zeros, low_zeros, all_zeros, len(high)):
                mixed = tuple(down * x + up * y for x, y in zip(high, low, strict=True))
                scale = gcd(*mixed)
                result.append((tuple(x // scale for x in mixed), shared | mark))
    return result


def _adjacent(shared: int, first: int, second: int, all_zeros: list[int], dimension: int) -> bool:
    """Two rays span an edge iff no third ray meets all the constraints both meet (and those are enough)."""
    if shared.bit_count() < dimension - 2:
        return False
    return not any(zeros & shared == shared and zeros not in (first, second) for zeros in all_zeros)
