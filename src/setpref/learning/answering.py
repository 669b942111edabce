"""What can be asked of anything learned: many pairs at once, the order, the best sets.

All of it rests on one relation over masks, `dominance`; how that came about is the business of who learned it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.answers.best import Best, allowed_sets, best_sets
from setpref.answers.partial_order import ALL_SETS_LIMIT, Order
from setpref.answers.relation import Relation
from setpref.data.forms import pair_masks
from setpref.data.preferences import Preferences
from setpref.errors import TooLarge
from setpref.universe import by_size

__all__ = ["Asking"]

PROGRAMS_LIMIT = 300


class Asking:
    """Questions about sets, answered by a relation on which all that was learned agrees."""

    preferences: Preferences

    @property
    def proven(self) -> bool:
        """Whether the answers rest on models that are proven to be exactly the simplest ones."""
        raise NotImplementedError

    @property
    def relation(self) -> Relation:
        """The relation over masks on which all that was learned agrees."""
        raise NotImplementedError

    @property
    def dominance(self) -> Relation:
        """The same relation, by the name of the paper."""
        return self.relation

    @property
    def by_programs(self) -> bool:
        """Whether every answer is a linear program: under ``deg``."""
        return self.relation.by_programs

    def compare_many(self, first: Any, second: Any = None) -> npt.NDArray[np.int8]:
        """Return the verdicts on many pairs: 1 better, -1 worse, 0 neither (unknown or the same).

        Parameters
        ----------
        first
            Pairs of sets; or, with `second`, the first sets alone: sets one by one, a 0/1 frame or a 0/1 matrix with
            the universe's columns.
        second
            The second sets, row by row.
        """
        return self.verdicts_of_masks(*pair_masks(self.preferences.universe, first, second))

    def verdicts_of_masks(self, first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.int8]:
        """Return the verdicts on pairs of masks, row by row: 1 better, -1 worse, 0 neither (unknown or the same)."""
        masks = sorted({*first, *second})
        place = {mask: i for i, mask in enumerate(masks)}
        a = np.fromiter(map(place.__getitem__, first), dtype=np.intp, count=len(first))
        b = np.fromiter(map(place.__getitem__, second), dtype=np.intp, count=len(second))
        better = self.relation.beats_pairs(masks, a, b)
        worse = self.relation.beats_pairs(masks, b, a)
        return better.astype(np.int8) - worse.astype(np.int8)

    def same_masks(self, first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Tell for pairs of masks, row by row, whether they are certainly worth the same."""
        if not self.relation.parts:
            return np.zeros(len(first), dtype=bool)
        masks = sorted({*first, *second})
        group = {masks[i]: number for number, places in enumerate(self.relation.equal_groups(masks)) for i in places}
        return np.fromiter((group[a] == group[b] for a, b in zip(first, second, strict=True)), bool, len(first))

    def order(self, alternatives: Iterable[Any] | None = None) -> Order:
        """Return the partial order over given alternatives, or over all sets when the elements are few."""
        universe = self.preferences.universe
        if alternatives is None:
            if len(universe) > ALL_SETS_LIMIT:
                raise TooLarge(
                    f"all sets over {len(universe)} elements are too many (limit {ALL_SETS_LIMIT} elements); "
                    "give the alternatives to order"
                )
            masks = sorted(range(1 << len(universe)), key=by_size)
        else:
            masks = list(dict.fromkeys(universe.mask(alternative) for alternative in alternatives))
        if self.by_programs and len(masks) > PROGRAMS_LIMIT:
            raise TooLarge(
                f"under `deg` every pair is a linear program: {len(masks):,} alternatives are too many "
                f"(limit {PROGRAMS_LIMIT}); give fewer, or learn with lex"
            )
        everyone = np.arange(len(masks))
        matrix = self.relation.beats_pairs(masks, everyone[:, None], everyone[None, :])
        return Order(universe, tuple(masks), matrix, self.relation.equal_groups(masks))

    def best(
        self,
        alternatives: Iterable[Any] | None = None,
        *,
        size: int | tuple[int, int] | None = None,
        budget: Any = None,
        costs: Mapping[str, Any] | None = None,
        must_include: Any = (),
        exclude: Any = (),
    ) -> Best:
        """Return the sets that are necessarily best and possibly best among those allowed.

        Parameters
        ----------
        alternatives
            The sets to choose from; by default every set that meets the constraints.
        size
            The number of elements, or a range (low, high).
        budget, costs
            The most a set may cost, and the price of every element.
        must_include, exclude
            Elements that must be in the set, or must not.
        """
        allowed = allowed_sets(self.preferences.universe, alternatives, size, budget, costs, must_include, exclude)
        return best_sets(self.relation, allowed)
