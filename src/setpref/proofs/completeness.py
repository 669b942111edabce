"""The check that the listed thetas are exactly the simplest ones, by a plain search over the proof's clauses.

A clause is a weighted sum of what is stated, something strict among it. Whatever the model, the sum is positive, so
some term of the model has a value with the sign of its net weight in the sum: a set of signed terms of which every
fitting theta holds one. The listed thetas are complete if they are exactly the cheapest ways to hold a term of every
clause. This room derives everything it needs from the preferences in the simplest way and imports nothing of the engine
that made the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import combinations

from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected
from setpref.families import Family, Generated, SignedTerm, Slot
from setpref.proofs.certificates import check_implied
from setpref.rows import Weighted, spread
from setpref.simplicity import Simplicity
from setpref.terms import terms_up_to
from setpref.universe import bits

__all__ = ["Alike", "check_complete"]

Cost = tuple[int, int]


class Alike:
    """Terms that say the same about every stated pair, up to sign.

    The *form* of a term is what it says of each defining row. A *kind* is a form and its opposite; a theta never
    needs two terms of one kind, and any member can stand for another with its sign adapted.
    """

    def __init__(self, preferences: Preferences, simplicity: Simplicity, degree: int) -> None:
        self.preferences = preferences
        self.index: dict[tuple[int, ...], int] = {}
        self.members: list[list[SignedTerm]] = []
        self.sizes: list[int] = []
        if simplicity.least_degree:
            candidates = ((term, term.bit_count()) for term in terms_up_to(len(preferences.universe), degree))
        else:
            # Every term says the same as the intersection of the alternatives that hold it.
            closed_sets = _intersections(preferences.alternatives)
            if simplicity.every_size:
                candidates = ((closed, closed.bit_count()) for closed in closed_sets)
            else:
                candidates = ((closed, _smallest_generator(closed, preferences.alternatives)) for closed in closed_sets)
        for term, size in candidates:
            self._add(term, size)

    def _add(self, term: int, size: int) -> None:
        form, sign = self.form(term)
        if not sign:
            return
        kind = self.index.setdefault(form, len(self.members))
        if kind == len(self.members):
            self.members.append([])
            self.sizes.append(size)
        self.members[kind].append((term, sign))
        self.sizes[kind] = min(self.sizes[kind], size)

    def form(self, term: int) -> tuple[tuple[int, ...], int]:
        """Return the form of a term's kind and the term's sign against it; sign 0 if it says nothing."""
        form = tuple(row.over(term) for row in self.preferences.defining_rows)
        lead = next((1 if x > 0 else -1 for x in form if x), 0)
        return (form if lead >= 0 else tuple(-x for x in form)), lead

    def signed(self, term: int, sign: int) -> tuple[int, int]:
        """Return (kind, sign of the kind's form) for a term used with a sign."""
        form, orientation = self.form(term)
        if not orientation or form not in self.index:
            raise CertificateRejected(f"{self.preferences.universe.write(term)} cannot be in a simplest theta")
        return self.index[form], sign * orientation


def _intersections(alternatives: Iterable[int]) -> list[int]:
    """Return every non-empty intersection of some of the alternatives."""
    found: set[int] = set()
    for alternative in alternatives:
        found |= {alternative & other for other in found} | {alternative}
    return sorted(found - {0})


def _smallest_generator(closed: int, alternatives: Sequence[int]) -> int:
    """Return the size of a smallest term held by just the alternatives that hold a closed set."""
    outside = [closed & ~other for other in alternatives if closed & other != closed]
    elements = [1 << i for i in bits(closed)]
    return next(
        size
        for size in range(1, len(elements) + 1)
        if any(all(sum(chosen) & gap for gap in outside) for chosen in combinations(elements, size))
    )


def check_complete(
    preferences: Preferences,
    simplicity: Simplicity,
    degree: int,
    families: Sequence[Family],
    clauses: Sequence[Sequence[Weighted]],
    progress: Callable[[int], None] | None = None,
) -> int:
    """Reject families that the clauses do not prove to be exactly the simplest thetas; return the nodes searched."""
    alike = Alike(preferences, simplicity, degree)
    search = _Search(alike, simplicity, progress)
    listed = set()
    for family in families:
        literals = 0
        for slot in family.slots:
            literals |= search.literal(*_place(alike, slot, simplicity))
        if literals.bit_count() != len(family.slots):
            raise CertificateRejected("two terms of one theta are interchangeable")
        listed.add(literals)
    if len(listed) != len(families) or not listed:
        raise CertificateRejected("a theta is listed twice, or none is listed")
    costs = {search.cost(literals) for literals in listed}
    if len(costs) != 1:
        raise CertificateRejected("the listed thetas are not equally simple")
    hits = [search.clause(_form(preferences, alike, clause)) for clause in clauses]
    for literals in listed:
        if not all(literals & hit for hit in hits):
            raise CertificateRejected("a listed theta violates a clause of the proof")
    search.run(hits, costs.pop(), listed)
    return search.nodes


def _place(alike: Alike, slot: Slot, simplicity: Simplicity) -> tuple[int, int]:
    """Return the kind and sign of a slot whose members are exactly the kind's, each with the right sign."""
    members = slot.members
    if isinstance(members, Generated):
        given = sorted(members.closed)
        place = alike.signed(*given[0])
        expected = sorted(alike.members[place[0]])
        if members.alternatives != alike.preferences.alternatives or not simplicity.every_size:
            raise CertificateRejected("closed sets stand for members only under the simplicity card")
    else:
        given = sorted(members)
        place = alike.signed(*given[0])
        expected = sorted(_members(alike, place[0], simplicity))
    if given != [(term, place[1] * orientation) for term, orientation in expected]:
        raise CertificateRejected("the interchangeable terms of a theta are not listed completely")
    return place


def _members(alike: Alike, kind: int, simplicity: Simplicity) -> Iterable[SignedTerm]:
    """List the terms of a kind that a simplest theta may use, with their sign against the kind's form."""
    if simplicity.least_degree:
        return [(t, s) for t, s in alike.members[kind] if t.bit_count() == alike.sizes[kind]]
    found = []
    for closed, sign in alike.members[kind]:
        elements = [1 << i for i in bits(closed)]
        sizes = range(1, len(elements) + 1) if simplicity.every_size else [alike.sizes[kind]]
        terms = (sum(chosen) for size in sizes for chosen in combinations(elements, size))
        holding = {a for a in alike.preferences.alternatives if closed & a == closed}
        found += [
            (term, sign)
            for term in terms
            if all((a in holding) == (term & a == term) for a in alike.preferences.alternatives)
        ]
    return found


def _form(preferences: Preferences, alike: Alike, clause: Sequence[Weighted]) -> list[int]:
    """Return the net weight of every kind in a clause, checking that what it takes is stated."""
    check_implied(preferences, clause)
    weights = list(spread(clause).items())
    result = []
    for kind in alike.members:
        term, sign = kind[0]
        result.append(sign * sum(weight for mask, weight in weights if term & mask == term))
    return result


class _Search:
    """Depth-first search for every cheapest set of literals that meets all clauses.

    Bit 2k is kind k with its form's sign, bit 2k+1 with the opposite sign.
    """

    def __init__(self, alike: Alike, simplicity: Simplicity, progress: Callable[[int], None] | None) -> None:
        self.costs: list[Cost] = [simplicity.price(size) for size in alike.sizes]
        self.least = min((size for size, _ in self.costs), default=1)
        self.two = len(simplicity.counts) > 1
        self.nodes = 0
        self.progress = progress

    @staticmethod
    def literal(kind: int, sign: int) -> int:
        return 1 << (2 * kind + (sign < 0))

    @staticmethod
    def clause(form: Sequence[int]) -> int:
        return sum(1 << (2 * k + (weight < 0)) for k, weight in enumerate(form) if weight)

    def cost(self, literals: int) -> Cost:
        chosen = [self.costs[bit >> 1] for bit in bits(literals)]
        return sum(first for first, _ in chosen), sum(second for _, second in chosen)

    def run(self, clauses: list[int], optimum: Cost, listed: set[int]) -> None:
        """Visit every set within the optimum; each that meets all clauses must be listed."""
        self.optimum, self.listed = optimum, listed
        everything = (1 << 2 * len(self.costs)) - 1
        unique = sorted(set(clauses), key=int.bit_count)
        self._visit(0, (0, 0), everything, unique)

    def _visit(self, chosen: int, spent: Cost, available: int, clauses: list[int]) -> None:
        self.nodes += 1
        if self.progress is not None and self.nodes % 1000 == 0:
            self.progress(self.nodes)
        if not clauses:
            if chosen not in self.listed:
                raise CertificateRejected("the clauses leave room for a theta that is as simple and not listed")
            return
        left = sorted((clause & available for clause in clauses), key=int.bit_count)
        if not left[0] or self._needed(left, spent) > self.optimum:
            return
        branch = left[0]
        if spent[0] + 2 * self.least > self.optimum[0]:
            # One more term at most: it must meet every clause that is left.
            branch = reduce(int.__and__, left)
        for bit in bits(branch):
            first, second = self.costs[bit >> 1]
            now = spent[0] + first, spent[1] + second
            if now <= self.optimum:
                literal = 1 << bit
                rest = [clause for clause in clauses if not clause & literal]
                self._visit(chosen | literal, now, available & ~(literal | 1 << (bit ^ 1)), rest)
            available &= ~(1 << bit)

    def _needed(self, clauses: list[int], spent: Cost) -> Cost:
        """Return a lower bound on the cost: clauses without a common literal each need one of their own."""
        used = 0
        first, second = spent
        for clause in clauses:
            if not clause & used:
                used |= clause
                first += self.least
                second += min(self.costs[bit >> 1][1] for bit in bits(clause)) if self.two else 0
                if (first, second) > self.optimum:
                    break
        return first, second
