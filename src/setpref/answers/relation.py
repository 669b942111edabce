"""What everything that compares sets offers, whatever stands behind it: one theta, every simplest theta, every repair.

Who asks knows :class:`Relation` and no more. What tells better and the same gets its verdicts from :class:`Verdicts`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from setpref.answers.forcing import Question, Told
from setpref.answers.summary import Weighed
from setpref.data.preferences import Preferences
from setpref.families import Family
from setpref.model import Utility
from setpref.proofs.verdicts import Certificate, Known, Proof
from setpref.solving.systems import System
from setpref.verdict import Value

__all__ = ["Flags", "Part", "Places", "Relation", "Silence", "Verdicts", "Worths"]

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
Worths = npt.NDArray[np.int64]


class Relation(Protocol):
    """A strict partial order over masks, with certain equality beside it."""

    @property
    def preferences(self) -> Preferences:
        """The statements it was learned from."""
        ...

    @property
    def parts(self) -> tuple[Part, ...]:
        """The relations that must all agree: one per repair, itself if nothing was repaired, none if it knows none."""
        ...

    @property
    def cones(self) -> tuple[Weighed, ...]:
        """The compatible values of all simplest thetas behind it; none under ``deg``."""
        ...

    @property
    def by_programs(self) -> bool:
        """Whether every single answer costs a linear program, so that few can be asked for."""
        ...

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set is certainly better than the second."""
        ...

    def same(self, first: int, second: int) -> bool:
        """Tell whether the two are certainly worth the same."""
        ...

    def verdict(self, first: int, second: int) -> Value:
        """Return what is certain of two sets."""
        ...

    def beats_pairs(self, masks: Sequence[int], first: Places, second: Places) -> Flags:
        """Tell for arrays of positions into the masks whether the first is certainly better than the second."""
        ...

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of masks that are certainly worth the same, grouped."""
        ...

    def certificate(self, first: int, second: int) -> Certificate | None:
        """Return whole numbers that prove the verdict on two sets, checked; None if it knows no model."""
        ...

    def worths(self, masks: Sequence[int]) -> Iterator[tuple[System, Worths]]:
        """Yield per theta what its values satisfy, and what gives the masks their worth: one column per value."""
        ...


class Part(Relation, Protocol):
    """A relation learned from statements that go together, so that its answers can be explained by them."""

    @property
    def known(self) -> Known:
        """What proofs of its verdicts are about."""
        ...

    @property
    def families(self) -> tuple[Family, ...]:
        """The simplest thetas; none under ``deg``, which keeps every term."""
        ...

    def certificate(self, first: int, second: int) -> Proof:
        """Return whole numbers that prove the verdict on two sets, checked."""
        ...

    def against(self, first: int, second: int) -> Utility:
        """Return a model in which the first set is not over the second, and under it if any says so."""
        ...

    def questions(self, stated: Sequence[Told], better: int, worse: int) -> list[Question]:
        """Return what statements have to force so that the first set is over the second."""
        ...


class Verdicts(ABC):
    """Verdicts, where it can be told what is better and what is the same."""

    @abstractmethod
    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set is certainly better than the second."""

    @abstractmethod
    def same(self, first: int, second: int) -> bool:
        """Tell whether the two are certainly worth the same."""

    def verdict(self, first: int, second: int) -> Value:
        """Return better, worse, same or unknown."""
        if self.beats(first, second):
            return Value.BETTER
        if self.beats(second, first):
            return Value.WORSE
        return Value.SAME if self.same(first, second) else Value.UNKNOWN


@dataclass(frozen=True)
class Silence(Verdicts):
    """The relation before any model is known: it says nothing, not even of a set and itself."""

    preferences: Preferences

    @property
    def parts(self) -> tuple[Part, ...]:
        """None."""
        return ()

    @property
    def cones(self) -> tuple[Weighed, ...]:
        """None."""
        return ()

    @property
    def by_programs(self) -> bool:
        """No question costs anything."""
        return False

    def beats(self, first: int, second: int) -> bool:
        """Return False."""
        return False

    def same(self, first: int, second: int) -> bool:
        """Return False."""
        return False

    def beats_pairs(self, masks: Sequence[int], first: Places, second: Places) -> Flags:
        """Return False for every pair."""
        return np.zeros(np.broadcast_shapes(np.shape(first), np.shape(second)), dtype=bool)

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return every position alone."""
        return tuple((place,) for place in range(len(masks)))

    def certificate(self, first: int, second: int) -> None:
        """Return None: there is nothing to prove."""
        return

    def worths(self, masks: Sequence[int]) -> Iterator[tuple[System, Worths]]:
        """Yield nothing: no theta is known."""
        return iter(())
