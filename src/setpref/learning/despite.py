"""What was learned despite errors: the simplest models of every optimal repair, and what all of them agree on.

People err. The least that has to be given up for some model to exist is a repair; often there are several equally good
ones. A prediction is made only if every simplest model of every optimal repair agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from setpref.answers.joint import JointOrder
from setpref.answers.relation import Relation, Silence
from setpref.data.preferences import Preferences
from setpref.learning.answering import Answering
from setpref.learning.learned import Learned
from setpref.proofs.plain import Plain
from setpref.proofs.plain_preferences import items_to
from setpref.proofs.plain_results import repairs_to
from setpref.repairs.repaired import Repaired
from setpref.showing.facts import ByRepair, Measures

__all__ = ["LearnedDespiteErrors"]


@dataclass(frozen=True)
class LearnedDespiteErrors(Answering):
    """What was learned after giving up as little as possible: ask it, save it, look at it.

    Attributes
    ----------
    preferences : Preferences
        As given, errors and all.
    repaired : Repaired
        The optimal repairs, and the proof that they are.
    below : Repaired or None
        For a number of errors: the proof that a degree less would cost more than it.
    allowed : Fraction or None
        The errors that were allowed; None for ``auto``, as few as possible.
    parts : tuple of Learned
        What was learned from each repair, in their order.
    """

    preferences: Preferences
    repaired: Repaired
    below: Repaired | None
    allowed: Fraction | None
    parts: tuple[Learned, ...]
    simplicity: str
    engine: str
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether these are all optimal repairs, at the smallest degree, and of each exactly the simplest models."""
        return self.repaired.complete and self._smallest_degree and all(part.proven for part in self.parts)

    @property
    def dropped(self) -> tuple[tuple[str, ...], ...]:
        """Per repair, what is given up: where it stands and what it says."""
        return self.facts.dropped

    @cached_property
    def relation(self) -> Relation:
        """The relation on which every simplest model of every repair agrees, over masks."""
        parts = [part.relation.parts for part in self.parts]
        return JointOrder(tuple(part for (part,) in parts)) if all(parts) else Silence(self.preferences)

    @property
    def measures(self) -> Measures:
        """How simple the simplest models of all repairs are, as far as they are all alike."""
        return Measures.shared(part.measures for part in self.parts)

    @cached_property
    def facts(self) -> ByRepair:
        """All that is shown of it, as plain values."""
        made = (self.preferences, self.simplicity, self.engine, self.seconds, self.relation, self.proven)
        parts = tuple(part.facts for part in self.parts)
        return ByRepair(*made, self.measures, parts, self.repaired, self.allowed, self._smallest_degree)

    # -- within ------------------------------------------------------------------------------------------

    def _content(self, proof: bool) -> Plain:
        return {
            "errors": {
                "allowed": None if self.allowed is None else str(self.allowed),
                "smallest_degree": self._smallest_degree,
                "items": items_to(self.repaired.items),
                "repaired": repairs_to(self.repaired.claim, self.preferences),
                "below": None if self.below is None else repairs_to(self.below.bound_claim, self.preferences),
            },
            "parts": [part.document(proof) for part in self.parts],
            "seconds": round(self.seconds, 6),
        }

    @property
    def _smallest_degree(self) -> bool:
        if self.allowed is None or self.repaired.degree == 1:
            return True
        return self.below is not None and self.below.lower_bound > self.allowed
