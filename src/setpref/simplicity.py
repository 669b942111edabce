"""What "simplest" means: one record per measure of simplicity, and everything the other rooms need to know of it.

A measure is added here and in its judge (:mod:`setpref.solving.bruteforce`, which defines each on its own): engine,
programs, checks of proofs and words ask the record. Nothing here computes a simplest theta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from setpref.arguments import checked_choice

__all__ = ["CARD", "DEG", "LEX", "SIMPLICITIES", "WS", "Count", "Simplicity", "simplicity_of"]

Count = Literal["cardinality", "total_size"]


@dataclass(frozen=True)
class Simplicity:
    """A measure of simplicity, in plain facts.

    Attributes
    ----------
    least_degree
        Whether the smallest degree comes first; then the candidate terms are those up to it, otherwise all.
    counts
        What is counted of a theta after that, in order of importance. With nothing to count every theta of the smallest
        degree is as simple, and the one of all terms up to it stands for all: each answer is a linear program.

    Examples
    --------
    >>> [measure.price(3) for measure in (LEX, CARD, WS)]
    [(1, 3), (1, 0), (3, 0)]
    """

    name: str
    least_degree: bool
    counts: tuple[Count, ...]

    def __post_init__(self) -> None:
        if self.least_degree and self.counts and self.every_size:
            raise ValueError(f"{self.name}: of terms up to a degree only the smallest that are alike are candidates")

    def price(self, size: int) -> tuple[int, int]:
        """Return what a term of a size adds to a theta's first and second count."""
        first, second, *_ = *(1 if count == "cardinality" else size for count in self.counts), 0, 0
        return first, second

    @property
    def all_terms(self) -> bool:
        """Whether the theta of all terms up to the degree stands for all simplest ones."""
        return not self.counts

    @property
    def measure(self) -> Literal["degree", Count]:
        """What is counted first: what a search counts up, and what its lower bound speaks of."""
        return self.counts[0] if self.counts else "degree"

    @property
    def counted(self) -> str:
        """The measure in words."""
        return self.measure.replace("_", " ")

    @property
    def every_size(self) -> bool:
        """Whether terms that are alike are equally simple whatever their size; otherwise only the smallest are."""
        return "total_size" not in self.counts


LEX = Simplicity("lex", least_degree=True, counts=("cardinality", "total_size"))
CARD = Simplicity("card", least_degree=False, counts=("cardinality",))
WS = Simplicity("ws", least_degree=False, counts=("total_size",))
DEG = Simplicity("deg", least_degree=True, counts=())

SIMPLICITIES = {measure.name: measure for measure in (LEX, CARD, WS, DEG)}


def simplicity_of(name: str) -> Simplicity:
    """Return the measure of a name, or refuse it."""
    return SIMPLICITIES[checked_choice("simplicity", name, SIMPLICITIES)]
