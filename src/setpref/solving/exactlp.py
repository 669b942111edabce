"""Linear programming in whole numbers: the method that settles what floating point cannot.

One question, answered without rounding: do values v exist with D v > 0 in every row? If not, some
multipliers, not all zero and none negative, make the rows of D cancel (Gordan's theorem).
"""

from __future__ import annotations

from collections.abc import Sequence

from setpref.solving.integers import primitive

__all__ = ["solve_strict"]


def solve_strict(rows: Sequence[Sequence[int]], weak: Sequence[Sequence[int]] = ()) -> tuple[bool, list[int]]:
    """Decide whether all ``row . v > 0`` can hold, together with all ``weak_row . v >= 0``.

    Returns
    -------
    (True, v)
        Whole-number values with every row positive.
    (False, multipliers)
        One multiplier >= 0 per row and weak row, not all zero on the rows, such that the weighted rows add up to
        zero.

    Notes
    -----
    Phase one of the simplex method on ``sum m_r row_r = 0``, with the m_r >= 0 of the strict rows adding up to 1, by
    Bland's rule (no cycling) on an integer tableau (fraction-free pivoting: every entry is a minor of the data).

    Examples
    --------
    >>> solve_strict([[1, 0], [-1, 1]])
    (True, [1, 2])
    >>> solve_strict([[1, 0], [-1, 1], [0, -1]])
    (False, [1, 1, 1])
    >>> solve_strict([[1, 1]], weak=[[-1, 0], [1, 0]])
    (True, [0, 1])
    """
    every = [*rows, *weak]
    count = len(every)
    width = len(every[0]) if count else 0
    tableau = [[row[j] for row in every] for j in range(width)]
    tableau.append([1] * len(rows) + [0] * len(weak))
    size = width + 1
    for i, line in enumerate(tableau):
        line += [int(i == k) for k in range(size)]
        line.append(int(i == width))
    # The cost row holds the reduced costs of "minimise the sum of the artificial columns".
    cost = [-sum(line[j] for line in tableau) if j < count else 0 for j in range(count + size)]
    cost.append(-1)
    basis = [count + i for i in range(size)]
    denominator = 1
    while (entering := next((j for j in range(count) if cost[j] < 0), None)) is not None:
        leaving = _ratio_test(tableau, basis, entering)
        denominator = _pivot([*tableau, cost], leaving, entering, denominator)
        basis[leaving] = entering
    if cost[-1] == 0:
        multipliers = [0] * count
        for i, variable in enumerate(basis):
            if variable < count:
                multipliers[variable] = tableau[i][-1]
        return False, primitive(multipliers)
    # Farkas: with y_i = (cost of artificial i) - denominator, every column has y . column >= 0 and y . b < 0.
    return True, primitive([cost[count + j] - denominator for j in range(width)])


def _ratio_test(tableau: list[list[int]], basis: list[int], entering: int) -> int:
    """Return the leaving row of the smallest ratio, ties broken by the smallest variable."""
    best = -1
    for i, line in enumerate(tableau):
        if line[entering] > 0:
            if best < 0:
                best = i
                continue
            mine = line[-1] * tableau[best][entering]
            other = tableau[best][-1] * line[entering]
            if mine < other or (mine == other and basis[i] < basis[best]):
                best = i
    return best


def _pivot(lines: list[list[int]], row: int, column: int, denominator: int) -> int:
    """Pivot the integer tableau in place and return its new common denominator."""
    pivot_line = lines[row]
    pivot = pivot_line[column]
    for i, line in enumerate(lines):
        if i == row:
            continue
        factor = line[column]
        if factor:
            lines[i][:] = [(x * pivot - factor * y) // denominator for x, y in zip(line, pivot_line, strict=True)]
        elif pivot != denominator:
            lines[i][:] = [x * pivot // denominator for x in line]
    return pivot
