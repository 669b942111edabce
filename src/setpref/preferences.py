"""What somebody prefers: rated sets or statements, checked, over one universe.

:class:`Preferences` holds what was given (every rating or statement, with the place it was read) and what
computing needs: the compared alternatives, the reduced pairs, and the :class:`Comparisons` graph in which
boundaries between tiers keep the number of rows small. It knows nothing of models.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from setpref.comparisons import Comparisons, Pair
from setpref.errors import (
    BadTable,
    ConflictingRatings,
    Contradiction,
    SelfComparison,
    TooLarge,
    UnknownElement,
    UnknownOption,
)
from setpref.forms import pairs_table, ratings_table
from setpref.relation import reduce_edges, shortest_cycle
from setpref.tables import RatedSet, StatedPair, Table, rated_sets, recognise, stated_pairs
from setpref.universe import Universe

__all__ = ["COLLISIONS", "MAX_ELEMENTS", "Collisions", "Preferences", "Statement"]

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
    """One statement "better is preferred to worse", as masks, with the place it was given at."""

    better: int
    worse: int
    weight: Fraction = Fraction(1)
    id: str | None = None
    position: int = 0


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
        words = [f"{_count(self.repeated_sets, 'set was', 'sets were')} rated more than once"]
        if agreeing:
            words.append(f"{agreeing} always alike")
        if self.conflicting_sets:
            fate = "dropped" if self.policy == "drop" else f"the {self.policy} taken"
            words.append(f"{self.conflicting_sets} with different ratings ({self.ratings_in_conflict} ratings; {fate})")
        return ": ".join([words[0], ", ".join(words[1:])])


@dataclass(frozen=True)
class Preferences:
    """Rated sets or statements over a universe, checked for contradictions.

    Make one with :meth:`from_ratings`, :meth:`from_pairs` or :func:`setpref.read`.

    Attributes
    ----------
    universe : Universe
    statements : tuple of Statement
        As given, repeated ones too; empty when ratings were given.
    ratings : dict of int to Fraction, or None
        One rating a set, after the collision policy; None when statements were given.
    collisions : Collisions or None
    source, word
        What was read ("yogurt.csv") and what a position counts ("line").

    Examples
    --------
    >>> prefs = Preferences.from_ratings({"tea": 3, "tea+lemon": 5, "{}": 1})
    >>> [[prefs.universe.write(a) for a in tier] for tier in prefs.tiers]
    [['lemon+tea'], ['tea'], ['{}']]
    >>> prefs.pair_count, len(prefs.pairs)
    (3, 2)
    """

    universe: Universe
    statements: tuple[Statement, ...] = ()
    ratings: Mapping[int, Fraction] | None = None
    collisions: Collisions | None = None
    source: str = "the data"
    word: str = "statement"
    given: int = field(default=0)

    def __post_init__(self) -> None:
        for statement in self.statements:
            if statement.better == statement.worse:
                raise SelfComparison(self._place(statement), self.universe.write(statement.better))
        if self.ratings is None:
            self._check_acyclic()

    # -- making ------------------------------------------------------------------------------------------

    @classmethod
    def from_ratings(
        cls,
        alternatives: Any,
        ratings: Iterable[Any] | None = None,
        *,
        universe: Iterable[str] | str | Universe | None = None,
        collisions: str = "median",
    ) -> Preferences:
        """Return preferences from rated sets: a higher rating is better, equal ratings say nothing.

        Parameters
        ----------
        alternatives
            A mapping from set to rating; pairs (set, rating); a frame in long or wide layout; a list of
            dictionaries in either layout; or, with `ratings`, the sets alone: an iterable of sets, a frame
            of 0/1 columns, or a 0/1 matrix (`universe` then names its columns).
        ratings
            One number per set, when not part of the first argument.
        universe
            The elements in order; by default the sorted names seen (wide layout: the columns).
        collisions
            What to do when one set has different ratings: ``median`` (default), ``mean``, ``last``,
            ``drop`` the set, or ``error``.
        """
        table, named = ratings_table(alternatives, ratings, universe)
        layout = recognise(table, "wide" if named else None)
        if layout == "statements":
            raise BadTable(f"{table.name} holds statements, not ratings; use Preferences.from_pairs")
        return cls.from_table(table, layout, universe=universe, collisions=collisions)

    @classmethod
    def from_pairs(
        cls,
        better: Any,
        worse: Any = None,
        *,
        weights: Iterable[Any] | None = None,
        ids: Iterable[Any] | None = None,
        universe: Iterable[str] | str | Universe | None = None,
    ) -> Preferences:
        """Return preferences from statements "this set is better than that one".

        Parameters
        ----------
        better
            Pairs (better, worse) of sets; a frame or a list of dictionaries with the columns ``better`` and
            ``worse``; or, with `worse`, the better sets alone: an iterable of sets, a frame of 0/1 columns,
            or a 0/1 matrix (`universe` then names its columns).
        worse
            The worse sets, row by row.
        weights, ids
            A positive number (how much the statement counts when it has to be given up; default 1) and a
            name per statement.

        Examples
        --------
        >>> prefs = Preferences.from_pairs([({"tea"}, {"milk"}), ("tea+lemon", "tea")])
        >>> prefs.universe.names
        ('lemon', 'milk', 'tea')
        """
        table = pairs_table(better, worse, weights, ids, universe)
        return cls.from_table(table, recognise(table, "statements"), universe=universe)

    @classmethod
    def from_table(
        cls,
        table: Table,
        layout: str,
        *,
        universe: Iterable[str] | str | Universe | None = None,
        collisions: str = "median",
    ) -> Preferences:
        """Return preferences from a table whose layout is known."""
        if collisions not in COLLISIONS:
            raise UnknownOption("collisions", collisions, COLLISIONS)
        asked = None if universe is None else Universe.of(universe)
        if layout == "statements":
            pairs = stated_pairs(table)
            known = asked or _seen(table, (names for p in pairs for names in (p.better, p.worse)))
            statements = tuple(_statement(table, known, pair) for pair in pairs)
            return cls(known, statements, source=table.name, word=table.word, given=len(pairs))
        rated, from_columns = rated_sets(table, layout)
        known = asked or from_columns or _seen(table, (item.names for item in rated))
        by_set: dict[int, list[RatedSet]] = defaultdict(list)
        for item in rated:
            by_set[_mask(table, known, item.names, item.position)].append(item)
        kept, report = _settle(table, known, by_set, collisions)
        return cls(known, (), kept, report, source=table.name, word=table.word, given=len(rated))

    # -- what computing needs -----------------------------------------------------------------------------

    @cached_property
    def tiers(self) -> tuple[tuple[int, ...], ...] | None:
        """The rated alternatives grouped by rating, best first; None for free statements."""
        if self.ratings is None:
            return None
        groups: dict[Fraction, list[int]] = defaultdict(list)
        for mask, rating in self.ratings.items():
            groups[rating].append(mask)
        return tuple(tuple(sorted(groups[rating], key=_by_size)) for rating in sorted(groups, reverse=True))

    @cached_property
    def alternatives(self) -> tuple[int, ...]:
        """Every alternative that is compared, in a fixed order."""
        if self.tiers is not None:
            return tuple(mask for tier in self.tiers for mask in tier)
        return tuple(sorted({m for s in self.statements for m in (s.better, s.worse)}, key=_by_size))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that imply all others: adjacent tiers, or the transitive reduction of the statements."""
        if self.tiers is not None:
            return tuple((a, b) for upper, lower in pairwise(self.tiers) for a in upper for b in lower)
        return tuple(
            (self.alternatives[u], self.alternatives[v]) for u, v in reduce_edges(len(self.alternatives), self._edges)
        )

    def implied_pairs(self, limit: int) -> tuple[Pair, ...]:
        """Return every pair the data imply, or only the reduced ones if there are more than a limit."""
        if self.tiers is not None:
            if self.pair_count > limit:
                return self.pairs
            lower = [[mask for tier in self.tiers[i + 1 :] for mask in tier] for i in range(len(self.tiers))]
            return tuple((a, b) for tier, rest in zip(self.tiers, lower, strict=True) for a in tier for b in rest)
        if len(self.alternatives) > limit // 40:
            return self.pairs
        found: list[Pair] = []
        for mask in self.alternatives:
            found += [(mask, other) for other in self._below(mask)]
        return tuple(found) if len(found) <= limit else self.pairs

    @property
    def pair_count(self) -> int:
        """The number of distinct pairs stated (R of the paper): for ratings, all pairs of unequal rating."""
        if self.tiers is None:
            return len(self._edges)
        sizes = [len(tier) for tier in self.tiers]
        return (sum(sizes) ** 2 - sum(size * size for size in sizes)) // 2

    @property
    def repeated_statements(self) -> int:
        """How many statements only repeat an earlier one."""
        return len(self.statements) - len(self._edges) if self.tiers is None else 0

    @cached_property
    def comparisons(self) -> Comparisons:
        """The rows of computing, with boundaries between tiers wherever they make fewer rows."""
        if self.tiers is None:
            node = {mask: i for i, mask in enumerate(self.alternatives)}
            return Comparisons(self.alternatives, tuple((node[a], node[b]) for a, b in self.pairs))
        edges: list[Pair] = []
        start, boundary = 0, len(self.alternatives)
        for upper, lower in pairwise(self.tiers):
            highs = range(start, start + len(upper))
            lows = range(start + len(upper), start + len(upper) + len(lower))
            if len(upper) * len(lower) <= len(upper) + len(lower):
                edges += [(u, v) for u in highs for v in lows]
            else:
                edges += [(u, boundary) for u in highs] + [(boundary, v) for v in lows]
                boundary += 1
            start += len(upper)
        return Comparisons(self.alternatives, tuple(edges), boundary - len(self.alternatives))

    def implies(self, better: int, worse: int) -> bool:
        """Tell whether the data alone say so: unequal ratings, or a chain of statements."""
        if self.ratings is not None:
            high, low = self.ratings.get(better), self.ratings.get(worse)
            return high is not None and low is not None and high > low
        return worse in self._children.get(better, ()) or worse in self._below(better)

    def _below(self, mask: int) -> list[int]:
        """Return every set that a chain of statements puts below one, in a fixed order."""
        queue, seen = [mask], {mask: None}
        while queue:
            for child in self._children.get(queue.pop(), ()):
                if child not in seen:
                    seen[child] = None
                    queue.append(child)
        return list(seen)[1:]

    def __str__(self) -> str:
        what = (
            _count(self.given, "statement", "statements")
            if self.ratings is None
            else _count(self.given, "rating of a set", "ratings of sets")
        )
        return f"{what} over {_count(len(self.universe), 'element', 'elements')}"

    # -- checks --------------------------------------------------------------------------------------------

    @cached_property
    def _edges(self) -> list[Pair]:
        node = {mask: i for i, mask in enumerate(self.alternatives)}
        return list(dict.fromkeys((node[s.better], node[s.worse]) for s in self.statements))

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = defaultdict(list)
        for statement in self.statements:
            children[statement.better].append(statement.worse)
        return children

    def _check_acyclic(self) -> None:
        found = shortest_cycle(len(self.alternatives), self._edges)
        if found is None:
            return
        nodes, shortest = found
        masks = [self.alternatives[node] for node in nodes]
        first: dict[Pair, Statement] = {}
        for statement in self.statements:
            first.setdefault((statement.better, statement.worse), statement)
        cycle = [first[a, b] for a, b in zip(masks, [*masks[1:], masks[0]], strict=True)]
        start = min(range(len(cycle)), key=lambda i: cycle[i].position)
        write = self.universe.write
        raise Contradiction(
            ((self._place(s), write(s.better), write(s.worse)) for s in cycle[start:] + cycle[:start]),
            shortest=shortest,
        )

    def _place(self, statement: Statement) -> str:
        name = f" ({statement.id})" if statement.id else ""
        return f"{self.word} {statement.position}{name}"


def _by_size(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


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


def _statement(table: Table, universe: Universe, pair: StatedPair) -> Statement:
    better = _mask(table, universe, pair.better, pair.position)
    worse = _mask(table, universe, pair.worse, pair.position)
    return Statement(better, worse, pair.weight, pair.id, pair.position)


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
