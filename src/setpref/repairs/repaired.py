"""Repairs as values: what is given up, what that costs, and the groups that prove it.

Plain data, which can be saved, sent and asked anywhere: how repairs are found is the business of
:mod:`setpref.repairs.repairing`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from setpref.data.items import Items
from setpref.data.preferences import Preferences
from setpref.model import KernelModel, Model
from setpref.proofs.repairs import Conflict, RepairClaim
from setpref.solving.fitting import Fit, UpTo, fit

__all__ = ["Repair", "Repaired"]


@dataclass(frozen=True)
class Repair:
    """A set of items whose removal leaves the rest possible; none of them could stay if no repair is cheaper.

    Attributes
    ----------
    dropped : tuple of int
        The numbers of the items given up.
    cost : Fraction
        Their weight.
    items : Items
        All items, those given up and those kept.
    degree : int
        Of the models that are to satisfy what is kept.
    known : Model or KernelModel or None
        One of them, if it is known.
    """

    dropped: tuple[int, ...]
    cost: Fraction
    items: Items = field(repr=False, compare=False)
    degree: int = field(repr=False, compare=False)
    known: Model | KernelModel | None = field(default=None, repr=False, compare=False)

    @cached_property
    def preferences(self) -> Preferences:
        """What is kept, as preferences free of contradictions."""
        return self.items.without(self.dropped)

    @cached_property
    def model(self) -> Model | KernelModel | None:
        """A model of the degree that satisfies all that is kept."""
        if self.known is not None:
            return self.known
        answer = fit(self.preferences.rows, UpTo(self.degree), self.preferences.universe)
        return answer.model if isinstance(answer, Fit) else None


@dataclass(frozen=True)
class Repaired:
    """The cheapest repairs of preferences at a degree.

    Attributes
    ----------
    degree : int
    repairs : tuple of Repair
        The cheapest ones, all of them if `complete`; if not `proven`, the cheapest one known.
    cost, lower_bound : Fraction
        What they cost, and what every repair costs at least.
    proven : bool
        Whether no repair is cheaper.
    complete : bool
        Whether no other repair is as cheap.
    groups : tuple of Conflict
        What proves it: of every group one item must be given up.
    """

    items: Items
    degree: int
    repairs: tuple[Repair, ...]
    cost: Fraction
    lower_bound: Fraction
    proven: bool
    complete: bool
    groups: tuple[Conflict, ...]
    seconds: float
    statistics: dict[str, int] = field(default_factory=dict)

    @property
    def claim(self) -> RepairClaim:
        """What is claimed, as it is saved and checked."""
        plain = self.degree >= len(self.items.preferences.universe)
        repairs = tuple((found.dropped, None if plain else found.model) for found in self.repairs)
        return RepairClaim(self.degree, repairs, self.cost, self.lower_bound, self.complete, self.groups)

    @property
    def bound_claim(self) -> RepairClaim:
        """What is claimed of the cost of every repair alone."""
        return RepairClaim(self.degree, (), self.lower_bound, self.lower_bound, False, self.groups)

    @property
    def always(self) -> tuple[int, ...]:
        """The items that every repair listed gives up."""
        common = set(self.repairs[0].dropped).intersection(*(found.dropped for found in self.repairs))
        return tuple(sorted(common))

    def check(self, budget: int | None = None) -> int:
        """Check everything in whole numbers, without any solver; return the nodes searched.

        Parameters
        ----------
        budget
            Give up (TooLarge) beyond so many nodes of the plain search for a cheaper repair.

        Raises
        ------
        CertificateRejected
            If a repair leaves something impossible, or if the groups do not prove what is claimed.
        """
        return self.claim.check(self.items, budget)
