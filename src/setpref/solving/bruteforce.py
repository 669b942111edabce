"""The judge: every theta, tried one by one, for a handful of elements.

Slow on purpose and independent of everything clever: all stated pairs (no tiers, no reduction), every theta in
order of its cost, each decided by the exact simplex alone. A pair is a statement "over", or "same" where it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from setpref.data.preferences import Preferences
from setpref.errors import InputError, TooLarge, UnknownOption
from setpref.rows import Kind, Row, pair
from setpref.solving.exactlp import solve_strict
from setpref.terms import terms_up_to
from setpref.universe import by_size

__all__ = [
    "LIMIT",
    "SIMPLICITIES",
    "Said",
    "all_fitting",
    "beats",
    "equal",
    "fits",
    "minimal_groups",
    "minimum_degree",
    "optimal_repairs",
    "said",
    "simplest",
    "verdict",
]

LIMIT = 5
SIMPLICITIES = ("lex", "card", "ws", "deg")

Theta = tuple[int, ...]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Said:
    """Everything the data state, without any reduction."""

    rows: tuple[Row, ...]

    @classmethod
    def pairs(cls, over: Iterable[Pair], same: Iterable[Pair] = ()) -> Said:
        """Return what strict pairs and equal ones say."""
        return cls((*(pair(a, b) for a, b in over), *(pair(a, b, Kind.EQUAL) for a, b in same)))

    def adding(self, better: int, worse: int) -> Said:
        """Return what is said with one strict pair more."""
        return Said((*self.rows, pair(better, worse)))


def said(preferences: Preferences) -> Said:
    """Return every pair the data state, without any reduction."""
    if len(preferences.universe) > LIMIT:
        raise TooLarge(
            f"brute force tries every theta and stops at {LIMIT} elements; here are "
            f"{len(preferences.universe)}; use engine 'auto'"
        )
    if preferences.ratings is None:
        return Said(tuple(s.says for s in preferences.statements))
    rated = list(preferences.ratings.items())
    near = preferences.tolerance
    over = [(a, b) for a, high in rated for b, low in rated if high - low > near]
    if preferences.ties == "ignore":
        return Said.pairs(over)
    return Said.pairs(over, [(a, b) for a, x in rated for b, y in rated if a < b and abs(x - y) <= near])


def fits(told: Said, theta: Sequence[int]) -> bool:
    """Tell whether a theta can satisfy all that is said."""
    rows, weak, equal = (
        {tuple(_net(row, t) for t in theta) for row in told.rows if row.kind is kind}
        for kind in (Kind.STRICT, Kind.WEAK, Kind.EQUAL)
    )
    if any(not any(row) for row in rows):
        return False
    weak |= {tuple(sign * x for x in row) for row in equal for sign in (1, -1)}
    return solve_strict(sorted(rows), sorted(row for row in weak if any(row)))[0] if rows else True


def _net(row: Row, term: int) -> int:
    """Return what a term adds to a combination of sets; the judge counts on its own."""
    return sum(coefficient for mask, coefficient in row.combination if mask & term == term)


def minimum_degree(preferences: Preferences) -> int:
    """Return the smallest degree at which all terms together fit."""
    told = said(preferences)
    elements = len(preferences.universe)
    return next(d for d in range(elements + 1) if fits(told, terms_up_to(elements, d)))


def simplest(preferences: Preferences, simplicity: str) -> list[Theta]:
    """Return every simplest theta, each sorted, in order; for ``deg`` all fitting thetas of that degree."""
    told = said(preferences)
    elements = len(preferences.universe)
    if simplicity not in SIMPLICITIES:
        raise UnknownOption("simplicity", simplicity, SIMPLICITIES)
    if simplicity == "deg":
        return sorted(all_fitting(preferences, minimum_degree(preferences)))
    limit = minimum_degree(preferences) if simplicity == "lex" else elements
    terms = terms_up_to(elements, limit)
    if simplicity == "ws":
        sizes: Iterable[int] = range(sum(map(int.bit_count, terms)) + 1)
        levels: Iterator[Iterable[Theta]] = (_of_total_size(terms, size) for size in sizes)
    else:
        levels = (combinations(terms, count) for count in range(len(terms) + 1))
    found = next(hits for level in levels if (hits := [t for t in level if fits(told, t)]))
    if simplicity == "lex":
        least = min(sum(map(int.bit_count, theta)) for theta in found)
        found = [theta for theta in found if sum(map(int.bit_count, theta)) == least]
    return sorted(tuple(sorted(theta, key=by_size)) for theta in found)


def all_fitting(preferences: Preferences, degree: int | None = None) -> list[Theta]:
    """Return every theta (of at most a degree) that fits.

    A theta with a fitting subset fits and one inside a failing theta fails, so each test is widened to a
    minimal fitting or maximal failing theta before going on.
    """
    told = said(preferences)
    elements = len(preferences.universe)
    terms = terms_up_to(elements, elements if degree is None else degree)
    if len(terms) > 15:
        raise TooLarge(f"all thetas over {len(terms)} terms are too many to list; at most 15 terms")

    def theta_of(chosen: int) -> Theta:
        return tuple(t for i, t in enumerate(terms) if chosen >> i & 1)

    full = (1 << len(terms)) - 1
    minimal: list[int] = []
    failing: list[int] = []
    found = []
    for chosen in range(full + 1):
        if not any(m & chosen == m for m in minimal):
            if any(chosen & f == chosen for f in failing):
                continue
            good = fits(told, theta_of(chosen))
            edge = chosen
            for i in range(len(terms)):
                changed = edge & ~(1 << i) if good else edge | 1 << i
                if changed != edge and fits(told, theta_of(changed)) == good:
                    edge = changed
            (minimal if good else failing).append(edge)
            if not good:
                continue
        found.append(theta_of(chosen))
    return found


def _of_total_size(terms: Sequence[int], size: int) -> Iterator[Theta]:
    """Yield every theta whose sizes add up to `size`."""
    if size == 0:
        yield ()
        return
    for i, term in enumerate(terms):
        if term.bit_count() <= size:
            for rest in _of_total_size(terms[i + 1 :], size - term.bit_count()):
                yield (term, *rest)


def beats(told: Said, theta: Sequence[int], first: int, second: int) -> bool:
    """Tell whether the first set beats the second for every compatible value of a fitting theta."""
    return not fits(told.adding(second, first), theta) and fits(told.adding(first, second), theta)


def equal(told: Said, theta: Sequence[int], first: int, second: int) -> bool:
    """Tell whether two sets are worth the same for every compatible value of a fitting theta."""
    return not fits(told.adding(second, first), theta) and not fits(told.adding(first, second), theta)


def verdict(preferences: Preferences, simplicity: str, first: int, second: int) -> str:
    """Return the robust verdict on two masks over every simplest theta: better, worse, same or unknown."""
    told = said(preferences)
    thetas = simplest(preferences, simplicity)
    if not thetas:
        raise InputError("no theta fits")
    if all(beats(told, theta, first, second) for theta in thetas):
        return "better"
    if all(beats(told, theta, second, first) for theta in thetas):
        return "worse"
    return "same" if all(equal(told, theta, first, second) for theta in thetas) else "unknown"


# -- what cannot hold together ---------------------------------------------------------------------------------------

Thing = tuple[tuple[int, ...], bool]  # a statement's two sets, or the rated set; whether it says "no difference"


def minimal_groups(preferences: Preferences, degree: int) -> list[frozenset[Thing]]:
    """Return every set of statements or ratings that no model of the degree satisfies though it does its parts."""
    weights = _weights(preferences)
    terms = terms_up_to(len(preferences.universe), degree)
    found: list[frozenset[Thing]] = []
    for size in range(1, len(weights) + 1):
        for chosen in map(frozenset, combinations(weights, size)):
            if not any(group <= chosen for group in found) and not fits(_saying(preferences, chosen), terms):
                found.append(chosen)
    return found


def optimal_repairs(preferences: Preferences, degree: int) -> tuple[Fraction, list[frozenset[Thing]]]:
    """Return the least weight to give up, and everything of that weight that can be given up."""
    weights = _weights(preferences)
    terms = terms_up_to(len(preferences.universe), degree)
    priced = sorted(
        (sum((weights[thing] for thing in chosen), Fraction(0)), number, frozenset(chosen))
        for number, chosen in enumerate(c for size in range(len(weights) + 1) for c in combinations(weights, size))
    )
    least: Fraction | None = None
    found = []
    for cost, _, dropped in priced:
        if least is not None and cost > least:
            break
        if fits(_saying(preferences, weights.keys() - dropped), terms):
            least = cost
            found.append(dropped)
    return least or Fraction(0), found


def _weights(preferences: Preferences) -> dict[Thing, Fraction]:
    """Return everything that can be given up, with its weight: that of repeated statements adds up."""
    preferences.check_of_pairs("a repair")
    if preferences.ratings is not None:
        return {((mask,), False): Fraction(1) for mask in preferences.ratings}
    weights: dict[Thing, Fraction] = {}
    for s in preferences.statements:
        sides = tuple(sorted((s.better, s.worse))) if s.same else (s.better, s.worse)
        weights[sides, s.same] = weights.get((sides, s.same), Fraction(0)) + s.weight
    return weights


def _saying(preferences: Preferences, things: Iterable[Thing]) -> Said:
    """Return what some of the statements or ratings say."""
    chosen = list(things)
    if preferences.ratings is None:
        over, same = ([(sets[0], sets[1]) for sets, equal in chosen if equal is wanted] for wanted in (False, True))
        return Said.pairs(over, same)
    kept = {sets[0] for sets, _ in chosen}
    return Said(tuple(r for r in said(preferences).rows if kept.issuperset(mask for mask, _ in r.combination)))
