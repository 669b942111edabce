"""Candidate terms in classes: which terms say the same about the compared alternatives.

A term matters only through its extent, the set of compared alternatives that hold it. Terms with the same extent, or
with complementary extents (then with opposite sign), are interchangeable on the data and form one class. Terms whose
extent separates no stated pair never help and are left out. This room knows nothing about the search for thetas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from setpref.data.graph import merged
from setpref.errors import TooLarge
from setpref.families import Generated, Listed, Members, SignedTerm
from setpref.rows import Row
from setpref.terms import count_terms
from setpref.universe import bits, by_size

__all__ = ["TermClass", "alike", "classes_of_every_size", "classes_up_to", "components"]

CLASS_LIMIT = 20_000
TERM_LIMIT = 3_000_000


@dataclass(frozen=True)
class TermClass:
    """A class of interchangeable terms.

    Attributes
    ----------
    extent : int
        Bitmask over the compared alternatives: those that hold the class's form.
    size : int
        The size of the smallest members.
    smallest : tuple of (term, sign)
        The members of that size, by mask; the sign is relative to the form.
    closed : tuple of (closed set, sign)
        Closed sets whose generators are all the members, whatever their size; empty for terms up to a degree.
    """

    extent: int
    size: int
    smallest: tuple[SignedTerm, ...]
    closed: tuple[SignedTerm, ...] = ()

    def members(self, sign: int, alternatives: tuple[int, ...] | None = None) -> Members:
        """Return the members with the sign of their value when the form has the given one.

        With `alternatives` members of every size, otherwise the smallest.
        """
        if alternatives is None:
            return Listed(tuple((term, sign * s) for term, s in self.smallest))
        every = Generated(tuple((term, sign * s) for term, s in self.closed), alternatives)
        return Listed(tuple(every)) if every.count <= LISTED_LIMIT else every


LISTED_LIMIT = 256


def _element_extents(n: int, alternatives: Iterable[int]) -> list[int]:
    """Return, per element, the bitmask of the alternatives that hold it."""
    extents = [0] * n
    for position, mask in enumerate(alternatives):
        for element in range(n):
            if mask >> element & 1:
                extents[element] |= 1 << position
    return extents


def components(count: int, rows: Iterable[Row]) -> list[int]:
    """Return the connected components of the compared alternatives, each as a bitmask: every row lies within one."""
    masks: dict[int, int] = {}
    joined = ((one, other) for row in rows for (one, _), (other, _) in pairwise(row.combination))
    for i, number in enumerate(merged(count, joined)):
        masks[number] = masks.get(number, 0) | 1 << i
    return list(masks.values())


def _form(extent: int, parts: list[int]) -> tuple[int, int]:
    """Return the extent's canonical form and sign; ``(0, 0)`` if it separates no pair.

    Only differences inside a connected component of the comparisons matter: where the extent is
    constant on a component it is set to 0, and of an extent and its complement the form without
    the first non-constant component's lowest alternative is kept.
    """
    positive = negative = 0
    for component in parts:
        part = extent & component
        if part and part != component:
            positive |= part
            negative |= component ^ part
    if not positive:
        return 0, 0
    lowest = (positive | negative) & -(positive | negative)
    return (negative, -1) if positive & lowest else (positive, 1)


def classes_up_to(degree: int, n: int, alternatives: tuple[int, ...], parts: list[int]) -> list[TermClass]:
    """Return the classes of the terms of size at most `degree` that some alternative holds."""
    if count_terms(n, degree) > TERM_LIMIT:
        raise TooLarge(
            f"there are {count_terms(n, degree):,} terms of size at most {degree} over {n} elements; the search for "
            f"the simplest models stops at {TERM_LIMIT:,}: use fewer elements, or simplicity deg"
        )
    extents = _element_extents(n, alternatives)
    found: dict[int, tuple[int, list[SignedTerm]]] = {}
    level = [(1 << e, extents[e], e) for e in range(n) if extents[e]]
    for size in range(1, degree + 1):
        for term, extent, _ in level:
            form, sign = _form(extent, parts)
            if not sign:
                continue
            known = found.get(form)
            if known is None:
                found[form] = (size, [(term, sign)])
            elif known[0] == size:
                known[1].append((term, sign))
        if size < degree:
            # A term held by no alternative stays so when it grows: it is never extended.
            level = [
                (term | 1 << e, extent & extents[e], e)
                for term, extent, last in level
                for e in range(last + 1, n)
                if extent & extents[e]
            ]
    if len(found) > CLASS_LIMIT:
        raise TooLarge(
            f"the terms of size at most {degree} fall into {len(found):,} classes; the search for the simplest models "
            f"stops at {CLASS_LIMIT:,}: use fewer elements or alternatives, or simplicity deg"
        )
    return _sorted([TermClass(form, size, tuple(sorted(members))) for form, (size, members) in found.items()])


def classes_of_every_size(n: int, alternatives: tuple[int, ...], parts: list[int]) -> list[TermClass]:
    """Return the classes of the terms of every size through closed sets, never listing 2^n terms.

    The distinct non-empty extents belong one-to-one to the intersections of alternatives; the terms with a given extent
    are the generators of that intersection.
    """
    closed: set[int] = set()
    for mask in alternatives:
        closed |= {mask & other for other in closed} | {mask}
        if len(closed) > CLASS_LIMIT:
            raise TooLarge(
                f"{len(alternatives)} alternatives over {n} elements have more than {CLASS_LIMIT:,} distinct "
                "intersections; use simplicity lex, or fewer alternatives"
            )
    found: dict[int, list[SignedTerm]] = {}
    for mask in sorted(closed - {0}):
        extent = sum(1 << i for i, a in enumerate(alternatives) if mask & ~a == 0)
        form, sign = _form(extent, parts)
        if sign:
            found.setdefault(form, []).append((mask, sign))
    classes = []
    for form, generators in found.items():
        smallest: list[SignedTerm] = []
        size = 0
        for mask, sign in generators:
            terms = _minimum_generators(mask, alternatives, size or None)
            if terms and (not size or terms[0].bit_count() < size):
                size, smallest = terms[0].bit_count(), []
            smallest += [(term, sign) for term in terms]
        classes.append(TermClass(form, size, tuple(sorted(smallest)), tuple(generators)))
    return _sorted(classes)


def alike(classes: list[TermClass], rows: Sequence[Row]) -> list[TermClass]:
    """Join the classes that say the same of every row, up to sign, and leave out those that say nothing.

    Only where rows are about more than two alternatives can different extents say the same.
    """
    found: dict[tuple[int, ...], list[tuple[TermClass, int]]] = {}
    for item in classes:
        said = tuple(sum(c for place, c in row.combination if item.extent >> place & 1) for row in rows)
        sign = next((1 if x > 0 else -1 for x in said if x), 0)
        if sign:
            found.setdefault(tuple(sign * x for x in said), []).append((item, sign))
    return _sorted([_joined(members) for members in found.values()])


def _joined(members: Sequence[tuple[TermClass, int]]) -> TermClass:
    """Return classes, each with its sign, as one: in the form of the first."""
    first, lead = members[0]
    size = min(item.size for item, _ in members)
    smallest = [(t, s * sign * lead) for item, sign in members if item.size == size for t, s in item.smallest]
    closed = [(t, s * sign * lead) for item, sign in members for t, s in item.closed]
    return TermClass(first.extent, size, tuple(sorted(smallest)), tuple(closed))


def _sorted(classes: list[TermClass]) -> list[TermClass]:
    return sorted(classes, key=lambda item: by_size(item.smallest[0][0]))


def _obstacles(closed: int, alternatives: tuple[int, ...]) -> list[int]:
    # A subset of `closed` has the same extent iff it meets the complement of every alternative that
    # does not contain `closed`; only the inclusion-minimal complements matter.
    sets = sorted({closed & ~a for a in alternatives if closed & ~a}, key=int.bit_count)
    minimal: list[int] = []
    for candidate in sets:
        if not any(kept & ~candidate == 0 for kept in minimal):
            minimal.append(candidate)
    return minimal


def _minimum_generators(closed: int, alternatives: tuple[int, ...], at_most: int | None = None) -> list[int]:
    """Return the smallest non-empty terms with the extent of `closed`, sorted.

    Parameters
    ----------
    closed
        An intersection of alternatives.
    alternatives
        The compared alternatives.
    at_most
        Return nothing if they are larger than this.
    """
    obstacles = _obstacles(closed, alternatives)
    limit = closed.bit_count() if at_most is None else min(at_most, closed.bit_count())
    for size in range(1, limit + 1):
        found: set[int] = set()
        _hit(obstacles, 0, size, found)
        if found:
            return sorted(found)
    return []


def _hit(obstacles: list[int], term: int, room: int, found: set[int]) -> None:
    missed = next((o for o in obstacles if not o & term), None)
    if missed is None:
        found.add(term)
        return
    if room:
        for i in bits(missed):
            _hit(obstacles, term | 1 << i, room - 1, found)
