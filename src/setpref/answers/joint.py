"""One relation out of several: what all of them agree on.

Used where the statements were repaired in more than one equally good way: each repair has its own simplest models, and
a prediction is made only if every one of them agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from setpref.answers.robust import Cone, RobustOrder
from setpref.answers.theta import ThetaOrder
from setpref.data.preferences import Preferences
from setpref.model import Utility
from setpref.proofs.verdicts import Disagreement, Divided, Unanimous
from setpref.verdict import Value

__all__ = ["JointOrder", "Relation", "cones_of"]


@dataclass(frozen=True)
class JointOrder:
    """The strict partial order on which all parts agree.

    Examples
    --------
    >>> import setpref as sp
    >>> one, other = (sp.Preferences.from_pairs(p, universe=["ale", "tea"]) for p in ([("tea", "{}")], [("ale", "{}")]))
    >>> order = JointOrder((sp.learn(one).dominance, sp.learn(other).dominance))
    >>> order.verdict(0b11, 0b00), order.verdict(0b10, 0b00)
    ('better', 'unknown')
    """

    parts: tuple[RobustOrder | ThetaOrder, ...]

    @property
    def preferences(self) -> Preferences:
        """The preferences of the first part; all parts are over one universe."""
        return self.parts[0].preferences

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set beats the second in every part."""
        return all(part.beats(first, second) for part in self.parts)

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain in every part."""
        return all(part.same(first, second) for part in self.parts)

    def verdict(self, first: int, second: int) -> Value:
        """Return better, worse or same if every part says so, else unknown."""
        said = self.parts[0].verdict(first, second)
        if said == Value.UNKNOWN or any(part.verdict(first, second) != said for part in self.parts[1:]):
            return Value.UNKNOWN
        return said

    def beats_pairs(
        self, masks: Sequence[int], first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.bool_]:
        """Tell for arrays of positions into the masks whether the first beats the second in every part."""
        found = self.parts[0].beats_pairs(masks, first, second)
        first, second = np.broadcast_arrays(first, second)
        for part in self.parts[1:]:
            left = np.nonzero(found)
            found[left] = part.beats_pairs(masks, first[left], second[left])
        return found

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of masks that are certainly equal in every part, grouped."""
        groups: dict[int, list[int]] = defaultdict(list)
        for part in self.parts:
            for number, places in enumerate(part.equal_groups(masks)):
                for place in places:
                    groups[place].append(number)
        together: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for place in range(len(masks)):
            together[tuple(groups[place])].append(place)
        return tuple(map(tuple, together.values()))

    def certificate(self, first: int, second: int) -> Unanimous | Divided:
        """Return whole numbers that prove the verdict on two sets."""
        if self.verdict(first, second) == Value.UNKNOWN:
            return Divided(first, second, self._against(second, first), self._against(first, second))
        proofs = []
        for part in self.parts:
            proof = part.certificate(first, second)
            assert not isinstance(proof, Disagreement)
            proofs.append(proof)
        return Unanimous(tuple(proofs))

    def _against(self, first: int, second: int) -> tuple[int, Utility]:
        """Return a part and a model of it in which the first set is not over the second, if possible under it."""
        found = (
            (number, part.against(first, second))
            for number, part in enumerate(self.parts)
            if not part.beats(first, second)
        )
        level = next(found)
        every = chain([level], found)
        return next(((number, model) for number, model in every if model.at(first) < model.at(second)), level)


def cones_of(relation: Relation) -> tuple[Cone, ...] | None:
    """Return the cones of all simplest thetas behind a relation; None under ``deg``, which has none."""
    parts = relation.parts if isinstance(relation, JointOrder) else (relation,)
    found: list[Cone] = []
    for part in parts:
        if not isinstance(part, RobustOrder):
            return None
        found += part.cones
    return tuple(found)


Relation = RobustOrder | ThetaOrder | JointOrder
