"""Simplest thetas in families: the same theta up to terms that the statements cannot tell apart.

Two terms that hold for the same compared alternatives (or for complementary ones, with the opposite sign) are
interchangeable on the data: each choice is a simplest theta of its own, and they differ on alternatives never seen. A
family has one slot per term; a slot lists the members that may stand in it, each with its certain sign, and one
whole-number size of the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from math import prod
from typing import overload

from setpref.model import Model
from setpref.rows import Row, Weighted, ends
from setpref.simplicity import Simplicity
from setpref.universe import Universe, bits, says

__all__ = ["Clause", "Family", "Generated", "Listed", "Members", "Models", "SignedTerm", "Simplest", "Slot", "Sums"]

SignedTerm = tuple[int, int]
Clause = tuple[Weighted, ...]  # what is stated, each a positive whole number of times


@dataclass(frozen=True)
class Listed:
    """Members written out, by size and then by mask, each with the certain sign of its value."""

    terms: tuple[SignedTerm, ...]

    @property
    def count(self) -> int:
        return len(self.terms)

    @property
    def first(self) -> SignedTerm:
        return self.terms[0]

    def __iter__(self) -> Iterator[SignedTerm]:
        return iter(self.terms)

    def lowest(self, first: int, second: int) -> int:
        """Return the least, over the members, of sign times (holds for the first minus holds for the second)."""
        return min(_says(member, first, second) for member in self.terms)

    def against(self, first: int, second: int) -> SignedTerm:
        """Return a member that speaks most against the first set."""
        return min(self.terms, key=lambda member: _says(member, first, second))

    def holds(self, term: int, sign: int) -> bool:
        """Tell whether a term with a sign is a member."""
        return (term, sign) in self.terms

    @property
    def sizes(self) -> tuple[int, int]:
        """The sizes of the smallest and the largest member."""
        every = [term.bit_count() for term, _ in self.terms]
        return min(every), max(every)

    def pattern(self, mask: int) -> object:
        """Return which members hold for a set; sets with equal patterns are equal in every model."""
        return tuple(t & mask == t for t, _ in self.terms)


@dataclass(frozen=True)
class Generated:
    """Members known by closed sets: all terms held by just those compared alternatives that hold the closed set.

    Any set between a member and its closed set is a member, so questions about all members need only look at the
    largest candidates; the members themselves, possibly very many, are listed on demand.
    """

    closed: tuple[SignedTerm, ...]
    alternatives: tuple[int, ...]

    def _gaps(self, closed: int) -> list[int]:
        """Return what each alternative outside the extent lacks; a member meets every one of them."""
        gaps = {closed & ~other for other in self.alternatives if closed & other != closed}
        return [gap for gap in gaps if not any(other & gap == other for other in gaps if other != gap)]

    @cached_property
    def count(self) -> int:
        """The number of members, by inclusion and exclusion over the gaps."""
        return sum(_count_meeting(closed, self._gaps(closed)) for closed, _ in self.closed)

    @cached_property
    def first(self) -> SignedTerm:
        return next(iter(self))

    @property
    def sizes(self) -> tuple[int, int]:
        """The sizes of the smallest and the largest member."""
        return self.first[0].bit_count(), max(closed.bit_count() for closed, _ in self.closed)

    def __iter__(self) -> Iterator[SignedTerm]:
        """Yield the members by size and then by mask, one size at a time: the first ones come at once."""
        parts = [(closed, sign, self._gaps(closed)) for closed, sign in self.closed]
        for size in range(1, max(closed.bit_count() for closed, _ in self.closed) + 1):
            yield from sorted((term, sign) for closed, sign, gaps in parts for term in _meeting(closed, gaps, size))

    def is_member(self, closed: int, term: int) -> bool:
        """Tell whether a part of one of the closed sets is held by the same alternatives."""
        return term != 0 and all(term & gap for gap in self._gaps(closed))

    def holds(self, term: int, sign: int) -> bool:
        """Tell whether a term with a sign is a member."""
        return any(s == sign and term & c == term and self.is_member(c, term) for c, s in self.closed)

    def against(self, first: int, second: int) -> SignedTerm:
        """Return a member that speaks most against the first set: a closed set, or its part inside one of the two."""
        inside = [(closed, closed & (second if sign > 0 else first), sign) for closed, sign in self.closed]
        members = [(c, s) for c, _, s in inside] + [(part, s) for c, part, s in inside if self.is_member(c, part)]
        return min(members, key=lambda member: _says(member, first, second))

    def lowest(self, first: int, second: int) -> int:
        """Return the least, over the members, of sign times (holds for the first minus holds for the second)."""
        return min(
            self._lowest(closed, first, second) if sign > 0 else self._lowest(closed, second, first)
            for closed, sign in self.closed
        )

    def pattern(self, mask: int) -> object:
        """Return what decides which members hold for a set: per closed set its part inside, if that is a member."""
        inside = [closed & mask for closed, _ in self.closed]
        return tuple(
            part if self.is_member(closed, part) else 0 for part, (closed, _) in zip(inside, self.closed, strict=True)
        )

    def _lowest(self, closed: int, first: int, second: int) -> int:
        inside = closed & second
        if inside & ~first and self.is_member(closed, inside):
            return -1
        if closed & ~first or self.is_member(closed, inside & first):
            return 0
        return 1


Members = Listed | Generated


@dataclass(frozen=True)
class Slot:
    """One place of a theta: the members that may stand there and the size of the value."""

    members: Members
    value: int


@dataclass(frozen=True)
class Family:
    """Simplest thetas that differ only in interchangeable terms, with values that satisfy every statement.

    Examples
    --------
    >>> universe = Universe(("lemon", "milk", "tea"))
    >>> family = Family(universe, (Slot(Listed(((4, 1),)), 2), Slot(Listed(((1, 1), (2, -1))), 3)))
    >>> family.count, [str(model) for model in family.models()]
    (2, ['3*lemon + 2*tea', '-3*milk + 2*tea'])
    """

    universe: Universe
    slots: tuple[Slot, ...]

    @property
    def count(self) -> int:
        """The number of thetas in the family."""
        return prod(slot.members.count for slot in self.slots)

    @property
    def theta(self) -> tuple[SignedTerm, ...]:
        """The first member of every slot, with its certain sign."""
        return tuple(slot.members.first for slot in self.slots)

    def models(self, limit: int | None = None) -> Iterator[Model]:
        """Yield one model per theta of the family, in a fixed order."""
        for chosen in islice(_choices(self.slots), limit):
            yield self._model(chosen)

    def bounds(self, measure: str) -> tuple[int, int]:
        """Return the least and the largest degree, cardinality or total size of the thetas of the family."""
        sizes = [slot.members.sizes for slot in self.slots]
        if measure == "cardinality":
            return len(sizes), len(sizes)
        if measure == "degree":
            return max((low for low, _ in sizes), default=0), max((high for _, high in sizes), default=0)
        return sum(low for low, _ in sizes), sum(high for _, high in sizes)

    @cached_property
    def model(self) -> Model:
        """The model of the first members."""
        return self._model(self.theta)

    def adverse(self, first: int, second: int, sizes: Sequence[int]) -> Model:
        """Return the model of given value sizes whose members speak most against the first set."""
        chosen = [slot.members.against(first, second) for slot in self.slots]
        return Model(self.universe, {t: s * w for (t, s), w in zip(chosen, sizes, strict=True)})

    def _model(self, chosen: Sequence[SignedTerm]) -> Model:
        return Model(
            self.universe, {term: sign * slot.value for (term, sign), slot in zip(chosen, self.slots, strict=True)}
        )


def _says(member: SignedTerm, first: int, second: int) -> int:
    """Return what a member says of two sets: its sign times (holds for the first minus holds for the second)."""
    term, sign = member
    return sign * says(term, first, second)


def _choices(slots: Sequence[Slot]) -> Iterator[tuple[SignedTerm, ...]]:
    """Yield every choice of one member per slot; unlike a product of lists, none is written out before it is asked."""
    if not slots:
        yield ()
        return
    for member in slots[0].members:
        for rest in _choices(slots[1:]):
            yield (member, *rest)


def _count_meeting(closed: int, gaps: list[int]) -> int:
    """Return the number of non-empty subsets of a set that meet every gap, splitting on one element at a time."""
    if not gaps:
        return (1 << closed.bit_count()) - 1
    return _count_hitting(closed, tuple(sorted(gaps)), {})


def _count_hitting(free: int, gaps: tuple[int, ...], known: dict[tuple[int, tuple[int, ...]], int]) -> int:
    if not gaps:
        return 1 << free.bit_count()
    key = free, gaps
    if key not in known:
        smallest = min(gaps, key=int.bit_count)
        if not smallest:
            return 0
        bit = smallest & -smallest
        rest = free & ~bit
        without = tuple(sorted({gap & ~bit for gap in gaps}))
        with_it = tuple(gap for gap in gaps if not gap & bit)
        known[key] = _count_hitting(rest, with_it, known) + _count_hitting(rest, without, known)
    return known[key]


def _meeting(free: int, gaps: list[int], size: int) -> Iterator[int]:
    """Yield the subsets of a size, not 0, that meet every gap, splitting on one element at a time."""
    if not gaps:
        yield from map(sum, combinations([1 << i for i in bits(free)], size))
        return
    smallest = min(gaps, key=int.bit_count) & free
    for i in bits(smallest) if size else ():
        free &= ~(1 << i)
        rest = [gap for gap in gaps if not gap >> i & 1]
        yield from (term | 1 << i for term in _meeting(free, rest, size - 1))


@dataclass(frozen=True)
class Sums(Sequence[Clause]):
    """Clauses as a search remembers them, sums of numbered rows, written out when they are looked at.

    Attributes
    ----------
    alternatives : tuple of int
    rows : mapping of int to Row
        Over places of the alternatives.
    sums : sequence of sequences of (number, multiplier)
        Of an equation the multiplier may be negative.
    """

    alternatives: tuple[int, ...]
    rows: Mapping[int, Row]
    sums: Sequence[Sequence[tuple[int, int]]]

    @cached_property
    def _written(self) -> tuple[Clause, ...]:
        known: dict[tuple[int, int], Weighted] = {}  # a search takes the same rows as often over and over again
        for multipliers in self.sums:
            for one in multipliers:
                if one not in known:
                    known[one] = self._weighted(*one)
        return tuple([tuple([known[one] for one in multipliers]) for multipliers in self.sums])

    def _weighted(self, number: int, m: int) -> Weighted:
        here, combination = self.alternatives, self.rows[number].combination
        if (two := ends(combination)) is not None:
            return (here[two[0]], here[two[1]], m) if m > 0 else (here[two[1]], here[two[0]], -m)
        return tuple((here[place], c if m > 0 else -c) for place, c in combination), abs(m)

    def __len__(self) -> int:
        return len(self.sums)

    @overload
    def __getitem__(self, index: int) -> Clause: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Clause]: ...
    def __getitem__(self, index: int | slice) -> Clause | Sequence[Clause]:
        return self._written[index]


@dataclass(frozen=True)
class Simplest:
    """Every simplest theta, or the best known when the search was stopped.

    Attributes
    ----------
    simplicity : Simplicity
    families : tuple of Family
        All of them if `proven`; otherwise the best found so far (perhaps none). No term of any can be left out, so the
        sign of every value is certain.
    proven : bool
        Whether the families are exactly the simplest thetas.
    lower_bound : int
        Proven: no fitting theta has less of what the simplicity counts first (terms, or their total size).
    clauses : sequence of Clause, or None
        What proves completeness; None if the engine gives no proof.
    statistics : dict
        What the search did (nodes, clauses, oracle calls, ...).
    spare : bool
        Whether the clauses are all that a search remembers, many more than a proof needs.
    """

    simplicity: Simplicity
    families: tuple[Family, ...]
    proven: bool
    lower_bound: int
    clauses: Sequence[Clause] | None = field(default=None, repr=False, compare=False)
    statistics: dict[str, int | float] = field(default_factory=dict)
    spare: bool = field(default=False, repr=False, compare=False)

    @property
    def count(self) -> int:
        """The number of thetas in all families."""
        return sum(family.count for family in self.families)

    def models(self, limit: int | None = None) -> Iterator[Model]:
        """Yield one model per theta."""
        return islice((model for family in self.families for model in family.models()), limit)

    def shared(self, measure: str) -> int | None:
        """Return a measure that all thetas share (degree, cardinality, total_size), or None if they differ."""
        found = {bound for family in self.families for bound in family.bounds(measure)}
        return found.pop() if len(found) == 1 else None


class Models(Sequence[Model]):
    """Every simplest model, listed on demand: one per theta, with whole-number values of certain sign."""

    def __init__(self, found: Simplest) -> None:
        self._found = found

    def __len__(self) -> int:
        return self._found.count

    def __iter__(self) -> Iterator[Model]:
        return self._found.models()

    @overload
    def __getitem__(self, index: int) -> Model: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...
    def __getitem__(self, index: int | slice) -> Model | Sequence[Model]:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(len(self))))
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"there are {len(self)} models")
        return next(islice(iter(self), position, None))

    def __repr__(self) -> str:
        return f"<{len(self)} simplest model{'s' if len(self) != 1 else ''}>"
