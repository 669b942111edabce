"""Statements and ratings as masks, read from tables, before anything is concluded from them.

Here names become bits, a set rated more than once gets one rating, and what happened is reported. Whether the
statements go together is the business of :mod:`setpref.data.preferences`.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from setpref.arguments import checked_choice
from setpref.data.numbers import plural
from setpref.data.tables import RatedSet, StatedPair, Table, rated_sets
from setpref.errors import BadTable, ConflictingRatings, InputError, TooLarge, UnknownElement
from setpref.rows import Kind, Pair, Row, ends, pair
from setpref.universe import Universe

__all__ = ["COLLISIONS", "MAX_ELEMENTS", "Collisions", "Statement", "read_ratings", "read_statements"]

# Every set takes a bit per element: without a limit, a table of unique words would fill the memory.
MAX_ELEMENTS = 10_000

COLLISIONS: dict[str, Callable[[Sequence[Fraction]], Fraction | None]] = {
    "median": lambda ratings: Fraction(statistics.median(ratings)),
    "mean": lambda ratings: sum(ratings, Fraction(0)) / len(ratings),
    "last": lambda ratings: ratings[-1],
    "drop": lambda ratings: None,
    "error": lambda ratings: None,
}


@dataclass(frozen=True)
class Statement:
    """One statement, as masks, with the place it was given at.

    What is said is a whole-number combination of alternatives whose coefficients add up to zero, and that it is
    positive, at least zero, or zero. People say "better is preferred to worse" or, if `same`, "no difference between
    the two", where the names of the sides mean nothing. `word` is what its position counts, where that differs from
    the other statements ("same.csv, line").

    Examples
    --------
    >>> Statement.of_pair(3, 1).says.combination
    ((3, 1), (1, -1))
    """

    says: Row
    weight: Fraction = Fraction(1)
    id: str | None = None
    position: int = 0
    word: str | None = None

    @classmethod
    def of_pair(
        cls,
        better: int,
        worse: int,
        *,
        same: bool = False,
        weight: Fraction = Fraction(1),
        id: str | None = None,
        position: int = 0,
        word: str | None = None,
    ) -> Statement:
        """Return the statement that one set is better than another, or that there is no difference."""
        return cls(pair(better, worse, Kind.EQUAL if same else Kind.STRICT), weight, id, position, word)

    @property
    def better(self) -> int:
        """The better set of a pair."""
        return self._pair[0]

    @property
    def worse(self) -> int:
        """The worse set of a pair."""
        return self._pair[1]

    @property
    def same(self) -> bool:
        """Whether it says that there is no difference."""
        return self.says.kind is Kind.EQUAL

    @property
    def _pair(self) -> Pair:
        sides = ends(self.says.combination)
        if sides is None:
            raise InputError("this statement is about more than two sets, so it has no better and no worse one")
        return sides


@dataclass(frozen=True)
class Collisions:
    """What became of sets that were rated more than once (decided by the policy)."""

    policy: str
    repeated_sets: int = 0
    conflicting_sets: int = 0
    ratings_in_conflict: int = 0

    def __str__(self) -> str:
        if not self.repeated_sets:
            return "no set was rated twice"
        agreeing = self.repeated_sets - self.conflicting_sets
        words = [f"{plural(self.repeated_sets, 'set was', 'sets were')} rated more than once"]
        if agreeing:
            words.append(f"{agreeing} always alike")
        if self.conflicting_sets:
            fate = "dropped" if self.policy == "drop" else f"the {self.policy} taken"
            words.append(f"{self.conflicting_sets} with different ratings ({self.ratings_in_conflict} ratings; {fate})")
        return ": ".join([words[0], ", ".join(words[1:])])


def read_statements(
    parts: Sequence[tuple[Table, Sequence[StatedPair]]], universe: Universe | None
) -> tuple[Universe, tuple[Statement, ...]]:
    """Return the statements of one or more tables over a universe, by default the names seen.

    Statements of further tables say where they stand: "same.csv, line 3".
    """
    names = [names for _, pairs in parts for said in pairs for names in (said.better, said.worse)]
    main = parts[0][0]
    known = universe or _seen(main, names)
    found = []
    for table, pairs in parts:
        word = None if table is main else table.word if table.word == "indifference" else f"{table.name}, {table.word}"
        for said in pairs:
            better, worse = (_mask(table, known, side, said.position) for side in (said.better, said.worse))
            row = pair(better, worse, Kind.EQUAL if said.same else Kind.STRICT)
            found.append(Statement(row, said.weight, said.id, said.position, word))
    return known, tuple(found)


def read_ratings(
    table: Table, layout: str, universe: Universe | None, collisions: str
) -> tuple[Universe, dict[int, Fraction], Collisions, dict[int, tuple[int, ...]]]:
    """Return the universe, one rating a set, what became of repeated ones, and where each set was rated."""
    checked_choice("collisions", collisions, COLLISIONS)
    rated, from_columns = rated_sets(table, layout)
    known = universe or from_columns or _seen(table, (item.names for item in rated))
    by_set: dict[int, list[RatedSet]] = defaultdict(list)
    for item in rated:
        by_set[_mask(table, known, item.names, item.position)].append(item)
    kept, report = _settle(table, known, by_set, collisions)
    places = {mask: tuple(item.position for item in by_set[mask]) for mask in kept}
    return known, kept, report, places


def _mask(table: Table, universe: Universe, names: Sequence[str], position: int) -> int:
    try:
        mask = 0
        for name in names:
            mask |= 1 << universe.bit(name)
        return mask
    except UnknownElement as error:
        raise error.at(f"{table.name}, {table.word} {position}") from None


def _seen(table: Table, sets: Iterable[Sequence[str]]) -> Universe:
    names = list(sets)
    if not any(names):
        raise BadTable(f"{table.name}: no set names an element; name at least one, or give the universe")
    universe = Universe.seen(names)
    if len(universe) > MAX_ELEMENTS:
        raise TooLarge(
            f"{table.name} names {len(universe):,} different elements, at most {MAX_ELEMENTS:,} are allowed; "
            "check that sets are written tea+lemon"
        )
    return universe


def _settle(
    table: Table, universe: Universe, by_set: Mapping[int, list[RatedSet]], policy: str
) -> tuple[dict[int, Fraction], Collisions]:
    """Give every set one rating by the policy, and report what happened."""
    repeated = {mask: items for mask, items in by_set.items() if len(items) > 1}
    conflicts = {mask: items for mask, items in repeated.items() if len({i.rating for i in items}) > 1}
    if conflicts and policy == "error":
        mask, items = next(iter(conflicts.items()))
        places = [f"{item.rating} ({table.word} {item.position})" for item in items]
        raise ConflictingRatings(universe.write(mask), places, len(conflicts))
    kept: dict[int, Fraction] = {}
    for mask, items in by_set.items():
        rating = COLLISIONS[policy]([i.rating for i in items]) if mask in conflicts else items[0].rating
        if rating is not None:
            kept[mask] = rating
    return kept, Collisions(policy, len(repeated), len(conflicts), sum(map(len, conflicts.values())))
