"""One relation out of several: what all of them agree on.

Used where the statements were repaired in more than one equally good way: each repair has its own simplest models, and
a prediction is made only if every one of them agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from setpref.answers.relation import Flags, Part, Places, Verdicts, Worths
from setpref.answers.summary import Weighed
from setpref.data.preferences import Preferences
from setpref.model import Utility
from setpref.proofs.verdicts import Disagreement, Divided, Unanimous, check_joint
from setpref.solving.systems import System
from setpref.verdict import Value

__all__ = ["JointOrder"]


@dataclass(frozen=True)
class JointOrder(Verdicts):
    """The strict partial order on which all parts agree.

    Examples
    --------
    >>> import setpref as sp
    >>> one, other = (sp.Preferences.from_pairs(p, universe=["ale", "tea"]) for p in ([("tea", "{}")], [("ale", "{}")]))
    >>> order = JointOrder((sp.learn(one).dominance, sp.learn(other).dominance))
    >>> order.verdict(0b11, 0b00), order.verdict(0b10, 0b00)
    ('better', 'unknown')
    """

    parts: tuple[Part, ...]

    @property
    def preferences(self) -> Preferences:
        """The preferences of the first part; all parts are over one universe."""
        return self.parts[0].preferences

    @property
    def cones(self) -> tuple[Weighed, ...]:
        """Those of all parts."""
        return tuple(cone for part in self.parts for cone in part.cones)

    @property
    def by_programs(self) -> bool:
        """Whether any part answers by programs."""
        return any(part.by_programs for part in self.parts)

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set beats the second in every part."""
        return all(part.beats(first, second) for part in self.parts)

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain in every part."""
        return all(part.same(first, second) for part in self.parts)

    def beats_pairs(self, masks: Sequence[int], first: Places, second: Places) -> Flags:
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
        """Return whole numbers that prove the verdict on two sets, checked."""
        proof: Unanimous | Divided
        if self.verdict(first, second) is Value.UNKNOWN:
            proof = Divided(first, second, self._against(second, first), self._against(first, second))
        else:
            each = [part.certificate(first, second) for part in self.parts]
            proof = Unanimous(tuple(one for one in each if not isinstance(one, Disagreement)))
        check_joint([(part.preferences, part.known) for part in self.parts], proof)
        return proof

    def worths(self, masks: Sequence[int]) -> Iterator[tuple[System, Worths]]:
        """Yield what every part does."""
        return chain.from_iterable(part.worths(masks) for part in self.parts)

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
