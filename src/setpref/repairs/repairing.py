"""Repairs: what to give up so that the rest can be satisfied, at the least cost, and why.

Nothing is given up silently: a repair names every item, where it was stated, and a group of items that could not hold
together of which it is the only one given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, product
from math import gcd, lcm, prod

from setpref.arguments import checked_function, checked_time, told
from setpref.data.items import Items
from setpref.data.numbers import checked_limit, exact_number, number_text
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.errors import InputError
from setpref.progress import Progress, pressed
from setpref.proofs.repairs import Conflict
from setpref.repairs.cheapest import Cheapest, PartSearch
from setpref.repairs.possible import Possible, checked_degree
from setpref.repairs.repaired import Repair, Repaired
from setpref.solving.degree import minimum_degree

__all__ = ["LIMIT", "allowed_errors", "cheapest_within", "reasons", "repair"]

LIMIT = 100


def repair(
    preferences: Preferences,
    degree: int | None = None,
    *,
    limit: int = LIMIT,
    time_limit: float | None = None,
    progress: Progress | None = None,
    known: Sequence[Conflict] = (),
    enough: Fraction | None = None,
    compiled: bool | None = None,
) -> Repaired:
    """Find the cheapest statements, or ratings, to give up so that some model satisfies the rest.

    Parameters
    ----------
    preferences
        Statements may contradict each other if they were taken with ``contradictions="keep"``.
    degree
        The largest size of a term in the model; by default the number of elements, where only contradictions count.
    limit
        How many of the cheapest repairs to return at most.
    time_limit
        Seconds after which the best repair known and a proven lower bound are returned.
    progress
        Called now and then with what the search is doing.
    known
        Groups known to be impossible at the degree.
    enough
        Stop as soon as every repair is known to cost more than this.
    compiled
        Whether the search kernel is compiled; by default it starts uncompiled and compiles if the search lasts.

    Examples
    --------
    >>> prefs = Preferences.from_pairs([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")], contradictions="keep")
    >>> found = repair(prefs)
    >>> [found.items.sentence(i) for i in found.repairs[0].dropped]
    ['statement 3: c over a']
    >>> found.proven, found.complete, found.cost
    (True, True, Fraction(1, 1))
    """
    start = time.perf_counter()
    degree = checked_degree(degree, len(checked_preferences(preferences).universe))
    limit, time_limit = checked_limit(limit), checked_time(time_limit)
    checked_function("progress", progress)
    deadline = None if time_limit is None else start + time_limit
    items = Items(preferences)
    possible = Possible(items, degree)
    unit, prices = _prices(items)
    outcomes, nodes = [], 0
    wanted = None if enough is None else int(Fraction(enough) / unit)
    for part in possible.parts:
        among = frozenset(part)
        mine = [group for group in known if among.issuperset(group.items)]
        search = PartSearch(
            possible,
            part,
            prices,
            limit,
            known=mine,
            progress=progress,
            deadline=start if pressed() else deadline,
            compiled=compiled,
            enough=wanted,
        )
        outcomes.append(search.run())
        nodes += search.search.nodes
    statistics = {"nodes": nodes, "groups": sum(len(o.groups) for o in outcomes), "oracle_calls": possible.calls}
    return _joined(possible, outcomes, unit, limit, time.perf_counter() - start, statistics)


def reasons(found: Repaired) -> Callable[[Repair, int], Conflict | None]:
    """Return what tells which group an item that a repair gives up would form with what it keeps.

    None if the item could stay; in a cheapest repair none could.

    Examples
    --------
    >>> found = repair(Preferences.from_pairs([("a", "b"), ("b", "a"), ("b", "c")], contradictions="keep"))
    >>> [reasons(found)(one, one.dropped[0]).items for one in found.repairs]
    [(0, 1), (0, 1)]
    """
    possible = Possible(found.items, found.degree)

    def reason(one: Repair, item: int) -> Conflict | None:
        core = possible.part_of(item)
        return possible.clash((core - set(one.dropped)) | {item})

    return reason


def allowed_errors(errors: object) -> Fraction | None:
    """Return how much may be given up: a number, or None for ``auto``, as little as possible."""
    if isinstance(errors, str) and errors == "auto":
        return None
    try:
        allowed = exact_number(errors)
    except ValueError:
        raise InputError(
            f"errors is {told(errors)}; give auto, or the number of statements that may be given up"
        ) from None
    if allowed < 0 or isinstance(errors, bool):
        raise InputError(f"errors is {errors}; give auto, or a number from 0 up")
    return allowed


def cheapest_within(
    preferences: Preferences,
    allowed: Fraction | None,
    *,
    limit: int,
    left: Callable[[], float | None],
    progress: Progress | None = None,
) -> tuple[Repaired, Repaired | None]:
    """Return the cheapest repairs at the smallest degree where they cost at most so much, and those one degree below.

    Without a number, those at the highest degree: as little is given up as possible.

    Parameters
    ----------
    left
        Says how many seconds are left, or None.
    """
    again = partial(repair, limit=limit, progress=progress)
    found = again(preferences, None, time_limit=left())
    if allowed is None:
        return found, None
    if found.cost > allowed >= found.lower_bound:
        raise InputError("the search was stopped before it knew a repair within the errors allowed; give it more time")
    if found.cost > allowed:
        least = number_text(found.lower_bound)
        plain = all(item.weight == 1 for item in found.items)
        raise InputError(
            f"errors is {number_text(allowed)}, but {'' if plain else 'a weight of '}at least {least} must be given up "
            f"for any model to exist; give {least} or more, or auto"
        )
    degree = minimum_degree(found.repairs[0].preferences).degree or 1
    if found.proven and degree < found.degree:
        # What one cheapest repair keeps has a model of this degree: so have the repairs the same cost down to here.
        found = again(preferences, degree, time_limit=left(), known=found.groups)
    degree = found.degree
    # From above: where little has to be given up, the cheapest repairs are found fast.
    while degree > 1:
        # What clashes under more terms clashes under fewer: the groups known remain groups.
        lower = again(preferences, degree - 1, known=found.groups, enough=allowed, time_limit=left())
        if lower.cost > allowed:
            return found, lower
        found, degree = lower, degree - 1
    return found, None


def _prices(items: Items) -> tuple[Fraction, list[int]]:
    """Return the weights as whole numbers of a unit, and the unit."""
    scale = lcm(*(item.weight.denominator for item in items))
    whole = [int(item.weight * scale) for item in items]
    shared = gcd(*whole) or 1
    return Fraction(shared, scale), [price // shared for price in whole]


def _joined(
    possible: Possible,
    outcomes: Sequence[Cheapest],
    unit: Fraction,
    limit: int,
    seconds: float,
    statistics: dict[str, int],
) -> Repaired:
    """Combine the parts: a cheapest repair is a cheapest repair of each."""
    proven = all(outcome.proven for outcome in outcomes)
    choices = [sorted(map(sorted, outcome.dropped)) for outcome in outcomes]
    cost = unit * sum(outcome.cost for outcome in outcomes)
    combined = [tuple(sorted(i for part in chosen for i in part)) for chosen in islice(product(*choices), limit)]
    return Repaired(
        possible.items,
        possible.degree,
        tuple(
            Repair(dropped, cost, possible.items, possible.degree)
            for dropped in sorted(combined, key=lambda d: (len(d), d))
        ),
        cost,
        unit * sum(outcome.lower for outcome in outcomes),
        proven,
        proven and all(outcome.complete for outcome in outcomes) and prod(map(len, choices)) <= limit,
        tuple(group for outcome in outcomes for group in outcome.groups),
        seconds,
        statistics,
    )
