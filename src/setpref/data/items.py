"""What can be given up: a distinct statement, however often it was made, or the rating of a set, with its words.

Which items cannot hold together is the business of the rooms above.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from setpref.data.numbers import number_text
from setpref.data.preferences import Preferences
from setpref.data.statements import Statement

__all__ = ["Item", "Items"]

PLACES_SHOWN = 3


@dataclass(frozen=True)
class Item:
    """A distinct statement (two sets; `same` if it says "no difference") or the rating of a set (one set).

    The weights of repeated statements add up; the rating of a set weighs 1.
    """

    sets: tuple[int, ...]
    weight: Fraction = Fraction(1)
    same: bool = False
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Items:
    """The items of preferences, in the order they were given, with their words."""

    preferences: Preferences

    @cached_property
    def all(self) -> tuple[Item, ...]:
        """Every item."""
        given = self.preferences
        given.check_of_pairs("a repair")
        if given.ratings is not None:
            return tuple(Item((mask,)) for mask in given.ratings)
        found: dict[tuple[int, int, bool], list[Statement]] = {}
        for s in given.statements:
            sides = sorted((s.better, s.worse)) if s.same else (s.better, s.worse)
            found.setdefault((sides[0], sides[1], s.same), []).append(s)
        return tuple(
            Item((a, b), sum((s.weight for s in repeated), Fraction(0)), same, tuple(repeated))
            for (a, b, same), repeated in found.items()
        )

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, number: int) -> Item:
        return self.all[number]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.all)

    @cached_property
    def number(self) -> dict[tuple[tuple[int, ...], bool], int]:
        """The number of an item by its sets and whether it says "no difference"."""
        return {(item.sets, item.same): i for i, item in enumerate(self.all)}

    def cost(self, numbers: Iterable[int]) -> Fraction:
        """Return the weight of some items together."""
        return sum((self.all[i].weight for i in numbers), Fraction(0))

    def words(self, number: int) -> str:
        """Return what an item says: ``tea over milk``, ``tea same as milk``, ``tea rated 4.5``."""
        item, write = self.all[number], self.preferences.universe.write
        if len(item.sets) == 1:
            rating = (self.preferences.ratings or {})[item.sets[0]]
            return f"{write(item.sets[0])} rated {number_text(rating)}"
        first = item.statements[0]
        return f"{write(first.better)} {'same as' if item.same else 'over'} {write(first.worse)}"

    def place(self, number: int) -> str:
        """Return where an item was given: ``line 4 (q7) and line 9``."""
        item, given = self.all[number], self.preferences
        places = [given.place(s) for s in item.statements]
        if given.ratings is not None:
            places = [f"{given.word} {position}" for position in given.places.get(item.sets[0], ())]
        if len(places) > PLACES_SHOWN + 1:
            places = [*places[:PLACES_SHOWN], f"{len(places) - PLACES_SHOWN} more"]
        return " and ".join(filter(None, [", ".join(places[:-1]), *places[-1:]]))

    def sentence(self, number: int) -> str:
        """Return an item with its place: ``line 4: tea over milk``."""
        return ": ".join(filter(None, [self.place(number), self.words(number)]))

    def keeping(self, numbers: Collection[int]) -> Preferences:
        """Return preferences that hold some items only; they may still be contradictory."""
        return self._kept(numbers, "keep")

    def without(self, numbers: Collection[int]) -> Preferences:
        """Return the preferences without some items; what is left must be free of contradictions."""
        dropped = frozenset(numbers)
        return self._kept([i for i in range(len(self.all)) if i not in dropped], "error")

    def _kept(self, numbers: Collection[int], contradictory: str) -> Preferences:
        given, kept = self.preferences, [self.all[i] for i in numbers]
        if given.ratings is not None:
            wanted = {item.sets[0] for item in kept}
            ratings = {mask: rating for mask, rating in given.ratings.items() if mask in wanted}
            return replace(given, ratings=ratings, given=len(ratings))
        chosen = {id(s) for item in kept for s in item.statements}
        statements = tuple(s for s in given.statements if id(s) in chosen)
        return replace(given, statements=statements, given=len(statements), contradictory=contradictory)

    def states(self, first: int, second: int, among: Collection[int]) -> tuple[bool, tuple[int, ...]]:
        """Return whether some items say outright that a set is over another, or at least the same, and which say so.

        No items are returned if they say neither.
        """
        ratings = self.preferences.ratings
        if ratings is not None:
            used = tuple(self.number.get(((mask,), False), -1) for mask in (first, second))
            if first == second or not all(i in among for i in used):
                return False, ()
            apart = ratings[first] - ratings[second]
            if apart > self.preferences.tolerance:
                return True, used
            equal = self.preferences.ties == "indifferent" and abs(apart) <= self.preferences.tolerance
            return False, used if equal else ()
        over = self.number.get(((first, second), False), -1)
        if over in among:
            return True, (over,)
        same = self.number.get(((min(first, second), max(first, second)), True), -1)
        return False, (same,) if same in among else ()
