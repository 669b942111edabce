"""What is shown of something learned: values alone, so that who shows them knows nothing of how they came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Protocol

from setpref.answers.relation import Relation
from setpref.data.preferences import Preferences
from setpref.model import Model
from setpref.repairs.repaired import Repaired
from setpref.solving.degree import MinimumDegree

__all__ = ["ByRepair", "Facts", "Measures", "Shown", "Single"]


class Measures(NamedTuple):
    """How simple models are, each measure None where they differ in it, or where their terms are too many to list."""

    degree: int | None
    cardinality: int | None
    total_size: int | None

    @classmethod
    def shared(cls, each: Iterable[Measures]) -> Measures:
        """Return the measures in which all are alike."""
        return cls(*(alike.pop() if len(alike) == 1 else None for alike in map(set, zip(*each, strict=True))))


@dataclass(frozen=True)
class Single:
    """What was learned from statements that go together.

    Attributes
    ----------
    preferences : Preferences
    simplicity, engine : str
    seconds : float
    relation : Relation
        On which every simplest model agrees.
    proven : bool
        Whether the models are proven to be exactly the simplest ones.
    measures : Measures
        Of all simplest models.
    models : sequence of Model
        Every simplest model; for ``deg`` one that stands for all, if its terms are few.
    lower_bound : int
        What no model can be below, in the measure of the simplicity.
    minimum : MinimumDegree or None
        The minimum degree and its proof, where the simplicity looks for it.
    statistics : dict
    """

    preferences: Preferences
    simplicity: str
    engine: str
    seconds: float
    relation: Relation
    proven: bool
    measures: Measures
    models: Sequence[Model]
    lower_bound: int
    minimum: MinimumDegree | None
    statistics: dict[str, int | float]

    @property
    def parts(self) -> tuple[Single]:
        """Itself: nothing was repaired."""
        return (self,)

    @property
    def every_term(self) -> bool:
        """Whether every term up to the degree is kept: under ``deg``."""
        return self.relation.by_programs

    @property
    def route(self) -> str:
        """How each degree was decided, from 1 up."""
        routes = self.minimum.routes if self.minimum is not None else ()
        return "; ".join(f"degree {d}: {route}" for d, route in enumerate(routes, start=1))


@dataclass(frozen=True)
class ByRepair:
    """What was learned despite errors, from each of the optimal repairs.

    Attributes
    ----------
    preferences : Preferences
        As given, errors and all.
    simplicity, engine : str
    seconds : float
    relation : Relation
        On which every simplest model of every repair agrees.
    proven : bool
        Whether these are all optimal repairs, at the smallest degree, and of each exactly the simplest models.
    measures : Measures
        Of all simplest models of all repairs.
    parts : tuple of Single
        What was learned from each repair.
    repaired : Repaired
    allowed : Fraction or None
        The errors that were allowed; None for as few as possible.
    smallest_degree : bool
        Whether a smaller degree is proven to need more errors than are allowed.
    """

    preferences: Preferences
    simplicity: str
    engine: str
    seconds: float
    relation: Relation
    proven: bool
    measures: Measures
    parts: tuple[Single, ...]
    repaired: Repaired
    allowed: Fraction | None
    smallest_degree: bool

    @cached_property
    def models(self) -> Sequence[Model]:
        """Every simplest model of every repair; one that several repairs share is listed once."""
        return tuple({str(model): model for model in chain.from_iterable(part.models for part in self.parts)}.values())

    @property
    def dropped(self) -> tuple[tuple[str, ...], ...]:
        """Per repair, what is given up: where it stands and what it says."""
        return tuple(tuple(map(self.repaired.items.sentence, found.dropped)) for found in self.repaired.repairs)


Facts = Single | ByRepair


class Shown(Protocol):
    """Anything that can be shown."""

    @property
    def facts(self) -> Facts:
        """What is shown of it."""
        ...
