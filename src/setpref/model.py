"""Models: a theta (a set of terms) with values, and the utility it gives to every set.

Two forms with the same meaning. :class:`Model` lists its terms. :class:`KernelModel` is the model of all terms
up to a degree written with one coefficient per alternative; it never lists the terms and is used when they
are too many.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Protocol

from setpref.errors import BadDocument, InputError
from setpref.terms import count_terms, kernel_table, terms_up_to
from setpref.universe import SetLike, Universe, by_size
from setpref.verdict import Value

__all__ = ["KernelModel", "Model", "Number", "Utility"]

Number = int | Fraction

MODEL_FORMAT = "setpref-model"
MODEL_VERSION = 1


class Utility(Protocol):
    """Anything that gives an exact value to every set."""

    @property
    def universe(self) -> Universe: ...

    def at(self, mask: int) -> Number:
        """Return the utility of a set given as a mask."""
        ...


@dataclass(frozen=True)
class Model:
    """A theta with exact values: the utility of a set is the sum of the values of the terms it contains.

    Examples
    --------
    >>> universe = Universe(("lemon", "milk", "tea"))
    >>> model = Model.of(universe, {"tea": 2, "lemon": 3, "milk+tea": -5})
    >>> print(model)
    3*lemon + 2*tea - 5*milk+tea
    >>> model.utility({"tea", "milk"}), model.compare({"tea"}, {"tea", "milk"})
    (-3, 'better')
    >>> (model.degree, model.cardinality, model.total_size)
    (2, 3, 4)
    """

    universe: Universe
    values: Mapping[int, Number]

    def __post_init__(self) -> None:
        full = 1 << len(self.universe)
        for term, value in self.values.items():
            if not 0 < term < full:
                raise InputError(f"{term} is not a term over {len(self.universe)} elements")
            if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
                raise InputError(f"the value {value!r} is not exact; give whole numbers or fractions")
        ordered = {term: self.values[term] for term in sorted(self.values, key=by_size)}
        object.__setattr__(self, "values", ordered)

    @classmethod
    def of(cls, universe: Universe, values: Mapping[str, Number] | Mapping[frozenset[str], Number]) -> Model:
        """Return a model from terms in names."""
        return cls(universe, {universe.mask(term): value for term, value in values.items()})

    @property
    def theta(self) -> tuple[int, ...]:
        """The terms, by size and then by mask."""
        return tuple(self.values)

    @property
    def degree(self) -> int:
        """The size of the largest term (deg of the paper)."""
        return max((term.bit_count() for term in self.values), default=0)

    @property
    def cardinality(self) -> int:
        """The number of terms (card of the paper)."""
        return len(self.values)

    @property
    def total_size(self) -> int:
        """The sum of the sizes of the terms (ws of the paper)."""
        return sum(term.bit_count() for term in self.values)

    @property
    def complexity(self) -> tuple[int, int, int]:
        """(degree, cardinality, total size), compared in this order by the simplicity ``lex``."""
        return self.degree, self.cardinality, self.total_size

    @property
    def lex_number(self) -> int:
        """The complexity as the paper's single number n 4^n deg + n 2^n card + ws."""
        n = len(self.universe)
        return n * (1 << 2 * n) * self.degree + n * (1 << n) * self.cardinality + self.total_size

    def at(self, mask: int) -> Number:
        """Return the utility of a set given as a mask."""
        return sum(value for term, value in self.values.items() if term & mask == term)

    def utility(self, alternative: SetLike) -> Number:
        """Return the utility of a set of names."""
        return self.at(self.universe.mask(alternative))

    def compare(self, first: SetLike, second: SetLike) -> Value:
        """Return ``better``, ``worse`` or ``same``: how the first set stands to the second in this model."""
        return Value.of_sign(self.utility(first) - self.utility(second), Value.SAME)

    def whole(self) -> Model:
        """Return the same order with the smallest whole-number values that are a positive multiple."""
        fractions = {term: Fraction(value) for term, value in self.values.items()}
        scale = lcm(*(value.denominator for value in fractions.values()))
        shared = gcd(*(int(value * scale) for value in fractions.values())) or 1
        return Model(self.universe, {term: int(value * scale) // shared for term, value in fractions.items()})

    def __str__(self) -> str:
        """Return the model as a sum people can read; terms of value 0 are left out."""
        text = ""
        for term, value in self.values.items():
            if not value:
                continue
            size = abs(value)
            factor = f"({size})" if isinstance(size, Fraction) and size.denominator > 1 else str(size)
            sign = ("-" if value < 0 else "") if not text else (" - " if value < 0 else " + ")
            text += f"{sign}{factor}*{self.universe.write(term)}"
        return text or "0"

    def to_json(self) -> str:
        """Return the model as JSON text with a format version."""
        return json.dumps(
            {
                "format": MODEL_FORMAT,
                "version": MODEL_VERSION,
                "universe": list(self.universe.names),
                "terms": {
                    self.universe.write(term): value if isinstance(value, int) else str(value)
                    for term, value in self.values.items()
                },
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Model:
        """Return the model that :meth:`to_json` wrote."""
        try:
            document = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadDocument(f"this is not JSON: {error}") from None
        if not isinstance(document, dict) or document.get("format") != MODEL_FORMAT:
            raise BadDocument(f"this is not a saved model; its format must be {MODEL_FORMAT!r}")
        if document.get("version") != MODEL_VERSION:
            raise BadDocument(
                f"the model has format version {document.get('version')!r}; this setpref reads {MODEL_VERSION}"
            )
        try:
            universe = Universe(tuple(document["universe"]))
            values = {term: _number(value) for term, value in document["terms"].items()}
        except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
            raise BadDocument(f"the saved model is damaged: {error}") from None
        return cls.of(universe, values)


@dataclass(frozen=True)
class KernelModel:
    """The model of all terms up to a degree, as coefficients on alternatives.

    The utility of X is the sum over the alternatives A of coefficient(A) times the number of terms up to the
    degree contained in both A and X; so the value of a term S is the sum of the coefficients of the
    alternatives that contain S.
    """

    universe: Universe
    degree: int
    coefficients: Mapping[int, int]

    @cached_property
    def _table(self) -> list[int]:
        return kernel_table(len(self.universe), self.degree)

    def at(self, mask: int) -> int:
        """Return the utility of a set given as a mask."""
        table = self._table
        return sum(c * table[(mask & a).bit_count()] for a, c in self.coefficients.items())

    def utility(self, alternative: SetLike) -> int:
        """Return the utility of a set of names."""
        return self.at(self.universe.mask(alternative))

    def term_count(self) -> int:
        """Return how many terms the model stands for."""
        return count_terms(len(self.universe), self.degree)

    def expand(self) -> Model:
        """Return the same model with its terms listed; for few terms."""
        terms = terms_up_to(len(self.universe), self.degree)
        values = {term: sum(c for a, c in self.coefficients.items() if term & a == term) for term in terms}
        return Model(self.universe, values)


def _number(value: object) -> Number:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"the value {value!r} is not a whole number or a fraction")
    if isinstance(value, int):
        return value
    fraction = Fraction(value)
    return int(fraction) if fraction.denominator == 1 else fraction
