"""What was said, checked, and what computing needs of it; :mod:`setpref.data.preferences` makes it.

Every rating or statement is kept as given, with the place it was read. From it follow the compared alternatives, the
reduced pairs, the pairs that are equal, and the :class:`Rows`, in which boundaries between tiers keep them few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NoReturn

from setpref.data.graph import merged, reduce_edges, shortest_clash, topological_order
from setpref.data.numbers import plural
from setpref.data.statements import Collisions, Statement
from setpref.data.tiers import TIES, Tiers, stretched, tiers_of
from setpref.errors import Contradiction, InputError, SelfComparison, UnknownOption
from setpref.rows import Combination, Kind, Pair, Row, Rows, ends, pair
from setpref.universe import Universe, by_size

__all__ = ["Checked"]

CONTRADICTIONS = ("error", "keep")
LARGEST = 1_000_000  # products of coefficients and what sets hold stay far within 64 bits


@dataclass(frozen=True)
class Checked:
    """Rated sets or statements over a universe, checked: the attributes of :class:`Preferences`."""

    universe: Universe
    statements: tuple[Statement, ...] = ()
    ratings: Mapping[int, Fraction] | None = None
    collisions: Collisions | None = None
    source: str = "the data"
    word: str = "statement"
    given: int = field(default=0)
    ties: str = "ignore"
    tolerance: Fraction = Fraction(0)
    contradictory: str = "error"
    places: Mapping[int, tuple[int, ...]] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for option, value, allowed in (
            ("ties", self.ties, TIES),
            ("contradictions", self.contradictory, CONTRADICTIONS),
        ):
            if value not in allowed:
                raise UnknownOption(option, value, allowed)
        if self.tolerance < 0:
            raise InputError(f"tolerance is {self.tolerance}; give a number from 0 up")
        if self.tolerance and self.ties == "ignore":
            raise InputError(
                "a tolerance says which ratings count as equal; that needs ties 'indifferent', so set it too"
            )
        for statement in self.statements:
            self._check_combination(statement)
            if statement.weight <= 0:
                raise InputError(
                    f"{self.place(statement)}: the weight {statement.weight} is not positive; weights are above 0"
                )
        if self.contradictory == "error":
            self.check_consistent()

    def _check_combination(self, statement: Statement) -> None:
        said = statement.says.combination
        if (sides := ends(said)) is not None and sides[0] == sides[1]:
            raise SelfComparison(self.place(statement), self.universe.write(sides[0]), same=statement.same)
        if not isinstance(statement.says.kind, Kind):
            raise InputError(f"{self.place(statement)} says {statement.says.kind!r}; give a Kind, such as Kind.WEAK")
        whole = all(type(mask) is type(coefficient) is int for mask, coefficient in said)
        if not whole or any(abs(coefficient) > LARGEST for _, coefficient in said):
            raise InputError(
                f"{self.place(statement)}: coefficients of sets are whole numbers up to {LARGEST:,}, and sets are masks"
            )
        masks = [mask for mask, coefficient in said if coefficient]
        if not masks or len({*masks}) != len(said) or sum(coefficient for _, coefficient in said) != 0:
            raise InputError(
                f"{self.place(statement)}: the coefficients of a statement must add up to zero, with one other than 0 "
                "for each of its sets"
            )
        if not 0 <= min(masks) <= max(masks) < 1 << len(self.universe):
            raise InputError(f"{self.place(statement)} is about a set that is none of this universe")

    # -- what computing needs -----------------------------------------------------------------------------

    @cached_property
    def tiers(self) -> Tiers | None:
        """The rated alternatives grouped by rating, best first; None for free statements.

        Ratings within the tolerance of each other are in one tier.
        """
        return None if self.ratings is None else tiers_of(self.ratings, self.tolerance)

    @cached_property
    def alternatives(self) -> tuple[int, ...]:
        """Every alternative that is compared, in a fixed order."""
        if self.tiers is not None:
            return tuple(mask for tier in self.tiers for mask in tier)
        return tuple(sorted({mask for s in self.statements for mask, _ in s.says.combination}, key=by_size))

    @cached_property
    def equal_groups(self) -> tuple[tuple[int, ...], ...]:
        """The alternatives in groups between which no difference is stated; most groups hold one alone."""
        if self.tiers is not None:
            return self.tiers if self.ties == "indifferent" else tuple((mask,) for mask in self.alternatives)
        place = {mask: i for i, mask in enumerate(self.alternatives)}
        group = merged(len(place), ((place[s.better], place[s.worse]) for s in self._of_pairs if s.same))
        groups: dict[int, list[int]] = defaultdict(list)
        for mask, number in zip(self.alternatives, group, strict=True):
            groups[number].append(mask)
        return tuple(map(tuple, groups.values()))

    @cached_property
    def equal_pairs(self) -> tuple[Pair, ...]:
        """The pairs stated to be the same that imply all others: the first of every group with each of the rest."""
        return tuple((group[0], mask) for group in self.equal_groups for mask in group[1:])

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that imply all others: adjacent tiers, or the transitive reduction of the statements.

        Where alternatives are stated to be the same, the first of each group stands for it.
        """
        if self.tiers is not None:
            tiers = [tier[:1] for tier in self.tiers] if self.ties == "indifferent" else self.tiers
            return tuple((a, b) for upper, lower in pairwise(tiers) for a in upper for b in lower)
        self.check_consistent()
        first = [group[0] for group in self.equal_groups]
        return tuple((first[u], first[v]) for u, v in reduce_edges(len(first), self._group_edges))

    @property
    def _of_pairs(self) -> Sequence[Statement]:
        """The statements that one set is better than another or the same."""
        return self.statements if self.of_pairs else [s for s in self.statements if s.says.plain]

    @cached_property
    def of_pairs(self) -> bool:
        """Whether all that is said is that sets are better than others, or the same."""
        return all(s.says.plain for s in self.statements)

    @cached_property
    def further_rows(self) -> tuple[Row, ...]:
        """What else is said, once each: weak statements, and those about more than two sets."""
        said = (s.says for s in self.statements if not s.says.plain)
        return tuple(dict.fromkeys(Row(tuple(sorted(row.combination)), row.kind) for row in said))

    @cached_property
    def defining_rows(self) -> tuple[Row, ...]:
        """What is stated, over alternatives, without what follows from it: strict rows, then weak ones, then equations.

        They fix what a term says of the data.
        """
        strict, weak, equal = ([row for row in self.further_rows if row.kind is kind] for kind in Kind)
        over = (pair(a, b) for a, b in self.pairs)
        return (*over, *strict, *weak, *(pair(a, b, Kind.EQUAL) for a, b in self.equal_pairs), *equal)

    def implied_pairs(self, limit: int) -> tuple[Pair, ...]:
        """Return every strict pair the data imply, or only the reduced ones if there are more than a limit."""
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
        """The number of distinct strict pairs stated (R of the paper): for ratings, all pairs of unequal rating."""
        if self.tiers is None:
            return len(self._edges)
        sizes = [len(tier) for tier in self.tiers]
        return (sum(sizes) ** 2 - sum(size * size for size in sizes)) // 2

    @property
    def equal_count(self) -> int:
        """The number of distinct pairs stated to be the same; for ratings under ``indifferent``, all equal ones."""
        if self.tiers is None:
            return len({frozenset((s.better, s.worse)) for s in self._of_pairs if s.same})
        return sum(len(tier) * (len(tier) - 1) // 2 for tier in self.equal_groups)

    @property
    def repeated_statements(self) -> int:
        """How many statements only repeat an earlier one."""
        distinct = len(self._edges) + self.equal_count + len(self.further_rows)
        return len(self.statements) - distinct if self.tiers is None else 0

    @cached_property
    def rows(self) -> Rows:
        """The rows of computing, with boundaries between tiers wherever they make fewer rows."""
        if self.tiers is None or self.ties == "indifferent":
            place = {mask: i for i, mask in enumerate(self.alternatives)}
            return Rows(self.alternatives, tuple(row.moved(place) for row in self.defining_rows))
        return Rows.of_tiers(self.tiers)

    def implies(self, better: int, worse: int) -> bool:
        """Tell whether the data alone say so: unequal ratings, or a chain of statements with a strict one."""
        if self.tiers is not None:
            high, low = self._group_of.get(better), self._group_of.get(worse)
            if self.ties == "ignore":
                return high is not None and low is not None and self._rating(better) > self._rating(worse)
            return high is not None and low is not None and high < low
        low = self._group_of.get(worse)
        return low is not None and low in self._groups_below(self._group_of.get(better, -1), low)

    def equates(self, first: int, second: int) -> bool:
        """Tell whether the data alone say that two alternatives are the same, directly or by a chain."""
        group = self._group_of.get(first)
        return group is not None and group == self._group_of.get(second)

    def says(self, combination: Combination) -> Kind | None:
        """Return the most that was said of a combination that is no plain pair; an equation may be turned round."""
        said = tuple(sorted(combination))
        turned = tuple((mask, -coefficient) for mask, coefficient in said)
        known = [row.kind for row in self.further_rows if row.combination == said]
        known += [row.kind for row in self.further_rows if row.combination == turned and row.kind is Kind.EQUAL]
        return next((kind for kind in (Kind.STRICT, Kind.EQUAL, Kind.WEAK) if kind in known), None)

    def check_of_pairs(self, what: str) -> None:
        """Refuse what is not built for statements of other kinds yet."""
        if not self.of_pairs:
            other = next(s for s in self.statements if not s.says.plain)
            raise InputError(
                f"{self.place(other)} says something else than that one set is better than another, or the same; "
                f"{what} cannot take that into account yet, so leave such statements out"
            )

    def _rating(self, mask: int) -> Fraction:
        return (self.ratings or {})[mask]

    def _below(self, mask: int) -> list[int]:
        """Return every set that a chain of statements puts below one, in a fixed order."""
        below = self._groups_below(self._group_of[mask])
        return [other for group in below for other in self.equal_groups[group]]

    def _groups_below(self, group: int, goal: int = -1) -> list[int]:
        """Return the groups below one; stop early once a goal is among them."""
        queue = [group]
        seen: dict[int, None] = {}
        while queue and goal not in seen:
            for child in self._group_children.get(queue.pop(), ()):
                if child not in seen:
                    seen[child] = None
                    queue.append(child)
        return list(seen)

    def __str__(self) -> str:
        what = (
            plural(self.given, "statement", "statements")
            if self.ratings is None
            else plural(self.given, "rating of a set", "ratings of sets")
        )
        return f"{what} over {plural(len(self.universe), 'element', 'elements')}"

    # -- checks --------------------------------------------------------------------------------------------

    @cached_property
    def _edges(self) -> list[Pair]:
        """The distinct strict statements, as positions of alternatives."""
        node = {mask: i for i, mask in enumerate(self.alternatives)}
        return list(dict.fromkeys((node[s.better], node[s.worse]) for s in self._of_pairs if not s.same))

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {mask: number for number, group in enumerate(self.equal_groups) for mask in group}

    @cached_property
    def _group_edges(self) -> list[Pair]:
        known = self._group_of
        return list(dict.fromkeys((known[s.better], known[s.worse]) for s in self._of_pairs if not s.same))

    @cached_property
    def _group_children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = defaultdict(list)
        for u, v in self._group_edges:
            children[u].append(v)
        return children

    @cached_property
    def consistent(self) -> bool:
        """Whether some model can satisfy the data: no cycle with a strict statement."""
        if self.tiers is not None:
            return self._stretched is None
        return topological_order(len(self.equal_groups), self._group_edges) is not None

    def check_consistent(self) -> None:
        """Raise Contradiction, with a shortest cycle in the user's words, unless the data are consistent."""
        if self.consistent:
            return
        if self._stretched is not None:
            self._refuse_tolerance(self._stretched)
        place = {mask: i for i, mask in enumerate(self.alternatives)}
        equal = [(place[s.better], place[s.worse]) for s in self._of_pairs if s.same]
        found = shortest_clash(len(self.alternatives), self._edges, equal)
        assert found is not None
        nodes, shortest = found
        masks = [self.alternatives[node] for node in nodes]
        first: dict[tuple[int, int, bool], Statement] = {}
        for statement in self._of_pairs:
            first.setdefault((statement.better, statement.worse, statement.same), statement)
            if statement.same:
                first.setdefault((statement.worse, statement.better, True), statement)
        steps = list(zip(masks, [*masks[1:], masks[0]], strict=True))
        cycle = [(a, b, first.get((a, b, False)) or first[a, b, True]) for a, b in steps]
        start = min(range(len(cycle)), key=lambda i: (cycle[i][2].word is not None, cycle[i][2].position))
        cycle = cycle[start:] + cycle[:start]
        write = self.universe.write
        raise Contradiction(
            ((self.place(s), write(a), write(b)) for a, b, s in cycle),
            shortest=shortest,
            same=[s.same for _, _, s in cycle],
        )

    @cached_property
    def _stretched(self) -> list[int] | None:
        """Three sets that the tolerance chains together though the first and the last are rated further apart."""
        if not self.tolerance or self.tiers is None:
            return None
        return stretched(self.tiers, self.ratings or {}, self.tolerance)

    def _refuse_tolerance(self, chain: Sequence[int]) -> NoReturn:
        write, rating = self.universe.write, self._rating
        high, between, low = chain
        steps = [(high, low), (low, between), (between, high)]
        cycle = [(f"rated {rating(a)} and {rating(b)}", write(a), write(b)) for a, b in steps]
        hint = f"choose a tolerance other than {self.tolerance}, or round the ratings"
        raise Contradiction(cycle, shortest=True, same=(False, True, True), hint=hint)

    def place(self, statement: Statement) -> str:
        """Return where a statement was given, for a person: ``line 4 (q7)``."""
        name = f" ({statement.id})" if statement.id else ""
        return f"{statement.word or self.word} {statement.position}{name}"
