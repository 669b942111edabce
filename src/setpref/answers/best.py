"""The best sets under constraints: necessarily best, possibly best, and why the others are out.

A set is *necessarily best* if it is certainly better than every other allowed set (or certainly equal to it), and
*possibly best* if some simplest model with some compatible values puts no allowed set above it. Both are decided
exactly: the first by dominance, the second by asking the oracle for such values, one violated rival at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from numbers import Integral

import numpy as np
import numpy.typing as npt

from setpref.answers.relation import Relation
from setpref.arguments import told
from setpref.data.forms import set_masks
from setpref.data.numbers import exact_number
from setpref.errors import InputError, TooLarge
from setpref.rows import Kind
from setpref.solving.oracle import Fits, decide
from setpref.solving.systems import System
from setpref.universe import SetLike, Universe, bits, by_size

__all__ = ["Best", "allowed_sets", "best_sets", "possibly_best"]

SETS_LIMIT = 20_000


@dataclass(frozen=True)
class Best:
    """The outcome of a choice among allowed sets.

    Attributes
    ----------
    necessarily : tuple of str
        Best whatever the simplest model and its values: certainly better than all others that are not certainly equal.
    possibly : tuple of str
        Best in some simplest model with some values; contains the necessarily best ones.
    considered : int
        How many sets were allowed.
    """

    necessarily: tuple[str, ...]
    possibly: tuple[str, ...]
    considered: int


def allowed_sets(
    universe: Universe,
    alternatives: Iterable[SetLike] | None,
    size: int | tuple[int, int] | None,
    budget: object,
    costs: Mapping[str, object] | None,
    must_include: SetLike,
    exclude: SetLike,
) -> list[int]:
    """Return every set (or every one of the alternatives) that meets simple constraints, as masks."""
    inside, outside = universe.mask(must_include), universe.mask(exclude)
    if inside & outside:
        raise InputError(f"{universe.write(inside & outside)} is both required and excluded")
    low, high = _size_range(size, len(universe))
    prices = _prices(universe, budget, costs)
    limit = None if budget is None else _number("the budget", budget)

    def allowed(mask: int) -> bool:
        if mask & inside != inside or mask & outside or not low <= mask.bit_count() <= high:
            return False
        return limit is None or sum(prices[i] for i in bits(mask)) <= limit

    if alternatives is None:
        free = [1 << i for i in bits(((1 << len(universe)) - 1) & ~inside & ~outside)]
        sizes = range(max(0, low - inside.bit_count()), min(len(free), high - inside.bit_count()) + 1)
        candidates = (inside | sum(chosen) for more in sizes for chosen in combinations(free, more))
    else:
        candidates = (mask for mask in dict.fromkeys(set_masks(universe, alternatives)))
    found = list(islice(filter(allowed, candidates), SETS_LIMIT + 1))
    if len(found) > SETS_LIMIT:
        raise TooLarge(
            f"more than {SETS_LIMIT:,} sets are allowed; narrow them by size, budget, must_include or exclude"
        )
    if not found:
        raise InputError("no set meets these constraints; loosen size, budget, must_include or exclude")
    return sorted(found, key=by_size)


def _size_range(size: int | tuple[int, int] | None, elements: int) -> tuple[int, int]:
    given: object = (0, elements) if size is None else (size, size) if isinstance(size, Integral) else size
    ends = given if isinstance(given, Sequence) and len(given) == 2 else ()
    whole = [int(x) for x in ends if isinstance(x, Integral) and not isinstance(x, bool)]
    low, high = whole if len(whole) == 2 else (1, 0)
    if not 0 <= low <= high:
        raise InputError(f"size {told(size)} is not a number or a range (low, high) from 0 to {elements}")
    return low, min(high, elements)


def _prices(universe: Universe, budget: object, costs: Mapping[str, object] | None) -> list[Fraction]:
    if (budget is None) != (costs is None):
        raise InputError("a budget needs costs, the price of every element, and costs need a budget")
    if costs is None:
        return []
    if not isinstance(costs, Mapping):
        raise InputError(f"costs is {told(costs)}; give the price of every element, such as {{'tea': 2, 'milk': 1}}")
    for name in costs:
        universe.bit(name)
    if missing := [name for name in universe.names if name not in costs]:
        raise InputError(f"costs has no price for {missing[0]!r}; give one for every element")
    return [_number(f"costs: {name}", costs[name]) for name in universe.names]


def _number(what: str, value: object) -> Fraction:
    try:
        if isinstance(value, bool):
            raise ValueError(f"{value} is not a number")
        return exact_number(value)
    except ValueError as error:
        raise InputError(f"{what}: {error}; write a number such as 3 or 4.5") from None


def best_sets(relation: Relation, masks: Sequence[int]) -> Best:
    """Return the necessarily and possibly best of the masks; while no model is known, any could be the best."""
    write = relation.preferences.universe.write
    if not relation.parts:
        return Best((), tuple(map(write, masks)), len(masks))
    everyone = np.arange(len(masks))
    matrix = relation.beats_pairs(masks, everyone[:, None], everyone[None, :])
    unbeaten = np.flatnonzero(~matrix.any(axis=0)).tolist()
    rivals = [masks[i] for i in unbeaten]
    possibly = [mask for mask in rivals if possibly_best(relation, mask, rivals)]
    necessarily = [
        masks[i]
        for i in unbeaten
        if all(matrix[i, j] or relation.same(masks[i], masks[j]) for j in everyone.tolist() if j != i)
    ]
    return Best(tuple(map(write, necessarily)), tuple(map(write, possibly)), len(masks))


def possibly_best(relation: Relation, mask: int, rivals: Sequence[int]) -> bool:
    """Tell whether some simplest model with some compatible values puts no rival above a set."""
    ways = relation.worths([mask, *rivals])
    return any(_some_values(system, worths[0] - worths[1:]) for system, worths in ways)


def _some_values(system: System, differences: npt.NDArray[np.int64]) -> bool:
    """Tell whether compatible values exist with no negative difference, adding the most negative one at a time."""
    weak: list[int] = []
    while True:
        outcome = decide(system.adding(differences[weak], Kind.WEAK))
        if not isinstance(outcome, Fits):
            return False
        margins = differences.astype(object) @ np.array(outcome.values, dtype=object)
        worst = int(np.argmin(margins)) if len(margins) else 0
        if not len(margins) or margins[worst] >= 0:
            return True
        weak.append(worst)
