"""The trade-off: how much must be given up for a simpler model to satisfy the rest.

Against the degree: do synergies explain what single elements cannot, or is it noise? Against the number of terms: what
does every statement given up save? Nothing here is applied: a recommendation is a sentence by a stated rule.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from setpref.arguments import checked_choice, checked_function, checked_time
from setpref.data.items import Items
from setpref.data.numbers import checked_limit, checked_share
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.progress import Progress, pressed
from setpref.repairs.fewest import FewestTerms, fewest_terms
from setpref.repairs.repaired import Repair, Repaired
from setpref.repairs.repairing import repair
from setpref.solving.degree import minimum_degree

__all__ = ["BY", "SHARE", "Point", "Recommendation", "Tradeoff", "tradeoff"]

BY = ("degree", "terms")
SHARE = Fraction(1, 20)
POINTS = 12


Left = Callable[[], float | None]  # the seconds a point may take, none after Ctrl-C


@dataclass(frozen=True)
class Point:
    """What a model of some complexity costs.

    Attributes
    ----------
    size : int
        The degree or the number of terms; in the latter case the fewest known for what is given up.
    least_size : int
        The fewest terms there can be (the degree itself).
    cost, lower_bound : Fraction
        What the cheapest repair known gives up, and what every repair does at least.
    proven : bool
        Whether both are the same: nothing simpler or cheaper exists.
    dropped : tuple of int
        The items given up.
    """

    size: int
    least_size: int
    cost: Fraction
    lower_bound: Fraction
    proven: bool
    dropped: tuple[int, ...]
    repaired: Repaired | None = None
    fewest: FewestTerms | None = None


@dataclass(frozen=True)
class Recommendation:
    """A point and the rule it is recommended by."""

    point: Point
    rule: str


@dataclass(frozen=True)
class Tradeoff:
    """The points of the trade-off, simplest models first.

    Attributes
    ----------
    by : str
        ``degree`` or ``terms``.
    points : tuple of Point
        The last one gives up only what no model at all can satisfy.
    total : Fraction
        The weight of everything stated; under ``terms`` its number.
    """

    items: Items
    by: str
    points: tuple[Point, ...]
    total: Fraction
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether every point is."""
        return all(point.proven for point in self.points)

    def recommend(self, share: Fraction | float | str = SHARE) -> Recommendation | None:
        """Return the simplest point that gives up at most a share of everything beyond what no model can satisfy.

        None where the time was too short to know which one that is.

        Parameters
        ----------
        share
            From 0 to 1; 5% unless told.
        """
        allowed = checked_share(share)
        room, last = allowed * self.total, self.points[-1]
        point = next(point for point in self.points if point.lower_bound <= last.cost + room)
        if point.cost > last.lower_bound + room or point.least_size < point.size:
            return None
        what = "degree" if self.by == "degree" else "number of terms"
        return Recommendation(
            point,
            f"the smallest {what} that gives up at most {float(100 * allowed):.4g}% of what is stated, "
            "beyond what no model satisfies",
        )


def tradeoff(
    preferences: Preferences,
    by: str = "degree",
    *,
    time_limit: float | None = None,
    points: int = POINTS,
    progress: Progress | None = None,
) -> Tradeoff:
    """Compute what must be given up against the degree of the model, or against its number of terms.

    Parameters
    ----------
    preferences
        Statements may contradict each other if they were taken with ``contradictions="keep"``.
    by
        ``degree``, or ``terms``: the fewest terms of any size for every number of statements given up (each statement
        counts 1 there, whatever its weight).
    time_limit
        Seconds per point; a point that takes longer is reported with bounds.
    points
        At most so many points by ``terms``, from what no model satisfies up.

    Examples
    --------
    >>> prefs = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    >>> [(point.size, int(point.cost)) for point in tradeoff(prefs).points]
    [(1, 1), (2, 0)]
    """
    checked_preferences(preferences)
    checked_choice("by", by, BY)
    points, time_limit = checked_limit(points), checked_time(time_limit)
    checked_function("progress", progress)
    start = time.perf_counter()
    items = Items(preferences)

    def left() -> float | None:
        return 0.0 if pressed() else time_limit

    if by == "degree":
        found = _by_degree(preferences, left, progress)
        total = items.cost(range(len(items)))
    else:
        found = _by_terms(_unweighted(items), left, points, progress)
        total = Fraction(len(items))
    return Tradeoff(items, by, tuple(found), total, time.perf_counter() - start)


def _by_degree(preferences: Preferences, left: Left, progress: Progress | None) -> list[Point]:
    """Go down from the degree at which nothing but contradictions is given up; what is impossible stays so below."""
    last = repair(preferences, limit=1, time_limit=left(), progress=progress)
    highest = max(1, minimum_degree(last.repairs[0].preferences).degree)
    floor, found = last.lower_bound, list[Point]()
    for degree in range(highest, 0, -1):
        last = repair(preferences, degree, limit=1, time_limit=left(), progress=progress, known=last.groups)
        floor = max(floor, last.lower_bound)
        one = last.repairs[0]
        found.append(Point(degree, degree, last.cost, floor, last.cost == floor, one.dropped, last))
    # What is enough at a degree is enough above it.
    best = found[-1]
    points = []
    for point in reversed(found):
        if point.cost > best.cost:
            at_most = best.cost == point.lower_bound
            point = replace(point, cost=best.cost, dropped=best.dropped, proven=at_most, repaired=best.repaired)
        best = point
        points.append(point)
        if point.proven and point.cost == found[0].lower_bound:
            break  # nothing is gained any more
    return points


def _unweighted(items: Items) -> Preferences:
    """Return the preferences with every item once, of weight 1."""
    if items.preferences.ratings is not None:
        return items.preferences
    once = tuple(replace(item.statements[0], weight=Fraction(1)) for item in items)
    return replace(items.preferences, statements=once)


def _by_terms(preferences: Preferences, left: Left, most: int, progress: Progress | None) -> list[Point]:
    """Go down from the largest number given up: a model for less has at least as many terms."""
    first = repair(preferences, limit=1, time_limit=left(), progress=progress)
    simple = repair(preferences, 1, limit=1, time_limit=left(), progress=progress, known=first.groups)
    least, largest = int(first.cost), max(int(first.cost), int(simple.cost))
    largest = min(largest, least + most - 1)
    found: list[Point] = []
    bound = 0
    for dropped in range(largest, least - 1, -1):
        known = _starts(dropped, [first.repairs[0], simple.repairs[0]])
        fewest = fewest_terms(preferences, dropped, bound, known, time_limit=left(), progress=progress)
        bound = fewest.lower_bound
        cost, size = Fraction(len(fewest.dropped)), len(fewest.model.values)
        # To give up more for as many terms is no point of its own.
        while found and found[-1].size >= size:
            found.pop()
        found.append(Point(size, bound, cost, cost, fewest.proven, fewest.dropped, fewest=fewest))
    return found


def _starts(dropped: int, repairs: Sequence[Repair]) -> list[tuple[int, ...]]:
    """Return what may be given up to begin with."""
    return [found.dropped for found in repairs if len(found.dropped) <= dropped]
