"""Synthetic users: people whose preferences are known, for experiments (Section 5 of the paper).

A user is a theta with normal values and a scale of ratings. Values are drawn as floats and kept as multiples of 2^-20,
so utilities, comparisons and ratings are decided in whole numbers. Every function that draws takes a seed or a numpy
Generator; the same seed gives the same draw.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, floor

import numpy as np
import numpy.typing as npt

from setpref.arguments import checked_number, checked_whole, told
from setpref.data.preferences import Preferences
from setpref.errors import BadDocument, InputError
from setpref.model import Model
from setpref.terms import terms_up_to
from setpref.universe import SetLike, Universe, by_size
from setpref.version import __version__

__all__ = [
    "MAX_USER_ELEMENTS",
    "Seed",
    "SyntheticUser",
    "draw_sets",
    "draw_test_pairs",
    "draw_user",
    "expected_size",
    "extra_terms",
    "flip_statements",
    "jitter_ratings",
    "sample_term",
    "sample_theta",
]

Seed = int | np.random.Generator | None
Pair = tuple[int, int]

UNIT = 1 << 20
MAX_USER_ELEMENTS = 20
TRUTH_FORMAT = "setpref-truth"
TRUTH_VERSION = 1


def generator_of(rng: Seed) -> np.random.Generator:
    """Return the generator of a seed, or the generator itself."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(f"rng is {told(rng)}; give a whole number from 0 up, a Generator or None") from None


def expected_size(elements: int, p: float) -> float:
    """Return the expected size of a term of :func:`sample_term`: 2 + (1 - p - (1-p)^(n-1)) / p.

    Examples
    --------
    >>> [round(expected_size(4, p), 2) for p in (0.2, 0.4, 1.0)]
    [3.44, 2.96, 2.0]
    """
    _check_law(elements, p)
    return 2 + (1 - p - (1 - p) ** (elements - 1)) / p


def extra_terms(elements: int, alpha: float) -> int:
    """Return the paper's number of terms sampled besides the singletons, floor(alpha (2^n - n)).

    Examples
    --------
    >>> extra_terms(8, 0.1)
    24
    """
    checked_number("alpha", alpha, "a share between 0 and 1", least=0, most=1)
    return floor(Fraction(str(alpha)) * ((1 << elements) - elements))


def sample_term(elements: int, p: float, rng: Seed = None) -> int:
    """Draw a term: a random element, then new ones, stopping after each with probability p, or when all are in."""
    _check_law(elements, p)
    generator = generator_of(rng)
    size = 2
    while size < elements and generator.random() >= p:
        size += 1
    return _of_size(elements, size, generator)


def sample_theta(
    elements: int, *, alpha: float = 0.1, p: float = 0.9, terms: int | None = None, rng: Seed = None
) -> tuple[int, ...]:
    """Draw a theta: all singletons and some sampled terms, by size and then by mask.

    Parameters
    ----------
    alpha
        Sets the number of draws, floor(alpha (2^n - n)); a term drawn twice is one term, so fewer may result.
    p
        The probability of stopping after each added element: near 1 gives small terms.
    terms
        Ask for so many extra terms instead; they are distinct: draws are repeated until there are so many.

    Examples
    --------
    >>> theta = sample_theta(8, terms=4, rng=1)
    >>> len(theta), theta[:8]
    (12, (1, 2, 4, 8, 16, 32, 64, 128))
    """
    generator = generator_of(rng)
    checked_whole("the number of elements", elements, 1, MAX_USER_ELEMENTS)
    _check_chance(p)
    singletons = [1 << i for i in range(elements)]
    if terms is None:
        count = extra_terms(elements, alpha) if elements > 1 else 0
        extra: Collection[int] = {sample_term(elements, p, generator) for _ in range(count)}
    else:
        extra = _distinct_terms(elements, p, terms, generator)
    return tuple(sorted({*singletons, *extra}, key=by_size))


def draw_user(
    elements: int,
    *,
    alpha: float = 0.1,
    p: float = 0.9,
    terms: int | None = None,
    sigma: float = 100.0,
    scale: int = 12,
    names: Iterable[str] | None = None,
    rng: Seed = None,
) -> SyntheticUser:
    """Draw a user: a theta, normal values of standard deviation sigma, and a scale of ratings 1 to `scale`.

    Examples
    --------
    >>> user = draw_user(3, alpha=0.4, rng=7)
    >>> len(user.model.theta), user.rating("a1+a3"), user.compare("a1+a3", "{}")
    (5, 2, 'worse')
    """
    generator = generator_of(rng)
    theta = sample_theta(elements, alpha=alpha, p=p, terms=terms, rng=generator)
    checked_number("sigma", sigma, "a positive number up to 1,000,000", above=0, most=1e6)
    drawn = np.rint(generator.normal(0.0, sigma, len(theta)) * UNIT).astype(np.int64).tolist()
    universe = Universe.of(default_names(elements) if names is None else names)
    if len(universe) != elements:
        raise InputError(f"there are {elements} elements and {len(universe)} names; give one name each")
    values = {term: Fraction(value, UNIT) for term, value in zip(theta, drawn, strict=True)}
    return SyntheticUser(Model(universe, values), scale)


def default_names(elements: int) -> tuple[str, ...]:
    """Return a1, a2, ...; padded so that they sort in order."""
    width = len(str(elements))
    return tuple(f"a{i:0{width}}" for i in range(1, elements + 1))


@dataclass(frozen=True)
class SyntheticUser:
    """A person whose preferences are known: an exact model and a scale of ratings.

    Attributes
    ----------
    model : Model
        Values are multiples of 2^-20.
    scale : int
        t: ratings go from 1 to t.

    Notes
    -----
    The range of utilities over all sets is cut into t equal intervals (v_{k-1}, v_k]; a set is rated by the number of
    its interval, and a set of minimum utility is rated 1.

    Examples
    --------
    >>> user = SyntheticUser(Model.of(Universe(("a", "b")), {"a": 4, "b": 2}), scale=3)
    >>> [user.rating(s) for s in ("{}", "b", "a", "a+b")]
    [1, 1, 2, 3]
    """

    model: Model
    scale: int = 12

    def __post_init__(self) -> None:
        if len(self.model.universe) > MAX_USER_ELEMENTS:
            raise InputError(
                f"the user has {len(self.model.universe)} elements; every set is rated, so at most "
                f"{MAX_USER_ELEMENTS} are allowed"
            )
        checked_whole("the scale", self.scale)
        whole = [Fraction(value) * UNIT for value in self.model.values.values()]
        if any(value.denominator > 1 for value in whole):
            raise InputError("values of a synthetic user are multiples of 2^-20")
        # Sums of all values stay far below 2^63, so whole-number arrays cannot overflow.
        if sum(map(abs, whole)) * self.scale >= 1 << 61:
            raise InputError("the values or the scale are too large; give smaller ones")

    @property
    def universe(self) -> Universe:
        """The elements."""
        return self.model.universe

    @cached_property
    def utilities(self) -> npt.NDArray[np.int64]:
        """The utility of every set, by mask, in units of 2^-20."""
        total = np.zeros(1 << len(self.universe), dtype=np.int64)
        for term, value in self.model.values.items():
            total[term] = int(Fraction(value) * UNIT)
        for i in range(len(self.universe)):
            halves = total.reshape(-1, 2, 1 << i)
            halves[:, 1] += halves[:, 0]
        return total

    @cached_property
    def ratings(self) -> npt.NDArray[np.int64]:
        """The rating of every set, by mask."""
        low, high = int(self.utilities.min()), int(self.utilities.max())
        if low == high:
            return np.ones(len(self.utilities), dtype=np.int64)
        above = -((-(self.utilities - low) * self.scale) // (high - low))
        return np.asarray(np.maximum(above, 1))

    def utility(self, alternative: SetLike) -> Fraction:
        """Return the exact utility of a set of names."""
        return Fraction(int(self.utilities[self.universe.mask(alternative)]), UNIT)

    def rating(self, alternative: SetLike) -> int:
        """Return the rating of a set of names."""
        return int(self.ratings[self.universe.mask(alternative)])

    def compare(self, first: SetLike, second: SetLike) -> str:
        """Return ``better``, ``worse`` or ``same`` by exact utility."""
        return self.model.compare(first, second)

    def rated(self, masks: Iterable[int]) -> Preferences:
        """Return the user's ratings of some sets as preferences."""
        return Preferences.of_masks(self.universe, ratings={int(mask): int(self.ratings[mask]) for mask in masks})

    def verdicts(self, pairs: Sequence[Pair], by: str = "rating") -> npt.NDArray[np.int8]:
        """Return the real values of pairs of masks in {1, 0, -1}, by ``rating`` (as the paper) or ``utility``."""
        if by not in ("rating", "utility"):
            raise InputError(f"by={by!r} is not known; choose rating or utility")
        known = self.ratings if by == "rating" else self.utilities
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return np.asarray(np.sign(known[table[:, 0]] - known[table[:, 1]]), dtype=np.int8)

    def to_json(self, **settings: object) -> str:
        """Return the truth as JSON text with a format version; settings are kept as given."""
        content = {
            "format": TRUTH_FORMAT,
            "version": TRUTH_VERSION,
            "made_by": f"setpref {__version__}",
            "settings": settings,
            "scale": self.scale,
            "model": json.loads(self.model.to_json()),
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> SyntheticUser:
        """Return the user that :meth:`to_json` wrote."""
        try:
            document = json.loads(text)
        except ValueError as error:
            raise BadDocument(f"this is not JSON: {error}") from None
        if not isinstance(document, dict) or document.get("format") != TRUTH_FORMAT:
            raise BadDocument(f"this is not a saved truth; its format must be {TRUTH_FORMAT!r}")
        if document.get("version") != TRUTH_VERSION:
            raise BadDocument(
                f"the truth has format version {document.get('version')!r}; this setpref reads {TRUTH_VERSION}"
            )
        scale = document.get("scale")
        if isinstance(scale, bool) or not isinstance(scale, int):
            raise BadDocument(f"the saved truth is damaged: its scale is {scale!r}, not a whole number")
        return cls(Model.from_json(json.dumps(document.get("model"))), scale)


# -- the protocol's draws ------------------------------------------------------------------------------------


def draw_sets(elements: int, count: int, rng: Seed = None) -> list[int]:
    """Draw distinct sets, uniformly among all 2^n, the empty one included.

    Examples
    --------
    >>> sorted(draw_sets(2, 4, rng=0))
    [0, 1, 2, 3]
    """
    checked_whole("the number of elements", elements, 1, MAX_USER_ELEMENTS)
    if checked_whole("the number of sets", count, 0) > 1 << elements:
        raise InputError(f"{count} sets were asked for; over {elements} elements there are {1 << elements:,}")
    drawn = generator_of(rng).choice(1 << elements, size=count, replace=False)
    return [int(mask) for mask in drawn]


def draw_test_pairs(
    alternatives: Sequence[int], training: Collection[int], count: int = 100, rng: Seed = None
) -> list[Pair]:
    """Draw distinct pairs of alternatives that are not both training sets; all of them if there are fewer.

    Each pair {A, B} is drawn once, uniformly, and written in a random order.

    Examples
    --------
    >>> sorted(sorted(pair) for pair in draw_test_pairs([1, 2, 4], [1, 2], rng=0))
    [[1, 4], [2, 4]]
    """
    generator = generator_of(rng)
    checked_whole("the number of pairs", count, 0)
    pool, known = list(dict.fromkeys(alternatives)), set(training)
    inside = sum(mask in known for mask in pool)
    available = comb(len(pool), 2) - comb(inside, 2)
    if available <= 2 * count:
        listed = [(a, b) for i, a in enumerate(pool) for b in pool[i + 1 :] if a not in known or b not in known]
        chosen = [listed[i] for i in generator.permutation(len(listed))[:count]]
    else:
        found: dict[Pair, None] = {}
        while len(found) < count:
            i, j = (int(x) for x in generator.integers(len(pool), size=2))
            a, b = pool[min(i, j)], pool[max(i, j)]
            if i != j and not (a in known and b in known):
                found[a, b] = None
        chosen = list(found)
    turned = generator.random(len(chosen)) < 0.5
    return [(b, a) if turn else (a, b) for (a, b), turn in zip(chosen, turned.tolist(), strict=True)]


# -- noise ---------------------------------------------------------------------------------------------------


def flip_statements(pairs: Sequence[Pair], share: float, rng: Seed = None) -> list[Pair]:
    """Return the statements with a share of them, drawn at random, turned round; they may then contradict.

    Exactly round(share * number) statements are flipped (halves up).

    Examples
    --------
    >>> sum(a > b for a, b in flip_statements([(1, 2)] * 10, 0.3, rng=0))
    3
    """
    checked_number("the share of flipped statements", share, "a number between 0 and 1", least=0, most=1)
    count = floor(Fraction(str(share)) * len(pairs) + Fraction(1, 2))
    flipped = set(generator_of(rng).permutation(len(pairs))[:count].tolist())
    return [(b, a) if i in flipped else (a, b) for i, (a, b) in enumerate(pairs)]


def jitter_ratings(ratings: Mapping[int, int], deviation: float, scale: int, rng: Seed = None) -> dict[int, int]:
    """Return ratings each moved by a rounded normal step, kept within 1 and the scale.

    Examples
    --------
    >>> jitter_ratings({1: 5, 2: 6}, 0.0, 12, rng=0)
    {1: 5, 2: 6}
    """
    checked_number("the deviation of the jitter", deviation, "a number from 0 up", least=0)
    checked_whole("the scale", scale)
    steps = np.rint(generator_of(rng).normal(0.0, deviation, len(ratings)))
    moved = np.clip(np.fromiter(ratings.values(), dtype=np.float64, count=len(ratings)) + steps, 1, scale)
    return {mask: int(rating) for mask, rating in zip(ratings, moved, strict=True)}


# -- within --------------------------------------------------------------------------------------------------


def _check_law(elements: int, p: float) -> None:
    if elements < 2:
        raise InputError("a sampled term has two elements or more; there is only one element")
    _check_chance(p)


def _check_chance(p: float) -> None:
    checked_number("p", p, "a probability above 0 and at most 1", above=0, most=1)


def _of_size(elements: int, size: int, generator: np.random.Generator) -> int:
    return sum(1 << int(i) for i in generator.permutation(elements)[:size])


def _distinct_terms(elements: int, p: float, count: int, generator: np.random.Generator) -> set[int]:
    """Draw distinct terms: the law of drawing one after another and repeating draws that are already there."""
    if checked_whole("terms", count, 0) == 0:
        return set()
    _check_law(elements, p)
    sizes = range(2, elements + 1)
    likely = [p * (1 - p) ** (size - 2) if size < elements else (1 - p) ** (size - 2) for size in sizes]
    possible = sum(comb(elements, size) for size, chance in zip(sizes, likely, strict=True) if chance > 0)
    if count > possible:
        raise InputError(f"{count} extra terms were asked for; with p = {p} there are {possible:,} to draw from")
    found: set[int] = set()
    taken = dict.fromkeys(sizes, 0)
    while len(found) < count:
        left = np.array([c * (1 - taken[s] / comb(elements, s)) for s, c in zip(sizes, likely, strict=True)])
        size = int(generator.choice(list(sizes), p=left / left.sum()))
        if 2 * taken[size] <= comb(elements, size):
            term = _of_size(elements, size, generator)
            while term in found:
                term = _of_size(elements, size, generator)
        else:
            listed = [t for t in terms_up_to(elements, size) if t.bit_count() == size and t not in found]
            term = listed[int(generator.integers(len(listed)))]
        found.add(term)
        taken[size] += 1
    return found
