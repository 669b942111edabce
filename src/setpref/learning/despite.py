"""What was learned despite errors: the simplest models of every optimal repair, and what all of them agree on.

People err. The least that has to be given up for some model to exist is a repair; often there are several equally good
ones. A prediction is made only if every simplest model of every optimal repair agrees.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

from setpref.answers.explaining import Explanation
from setpref.answers.joint import JointOrder
from setpref.answers.relation import Silence
from setpref.data.numbers import number_text
from setpref.data.preferences import Preferences
from setpref.data.writing import write_text
from setpref.errors import InputError
from setpref.learning.answering import Asking
from setpref.learning.learned import Learned
from setpref.model import Model
from setpref.proofs.documents import preferences_to, repairs_to, sealed
from setpref.proofs.verdicts import Verdict
from setpref.repairs.repairing import Repaired
from setpref.version import __version__

__all__ = ["LearnedDespiteErrors"]

REPAIRS_EXPLAINED = 3


@dataclass(frozen=True)
class LearnedDespiteErrors(Asking):
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

    # -- what was found ----------------------------------------------------------------------------------

    @property
    def proven(self) -> bool:
        """Whether these are all optimal repairs, at the smallest degree, and of each exactly the simplest models."""
        return self.repaired.complete and self._smallest_degree and all(part.proven for part in self.parts)

    @property
    def _smallest_degree(self) -> bool:
        if self.allowed is None or self.repaired.degree == 1:
            return True
        return self.below is not None and self.below.lower_bound > self.allowed

    @property
    def degree(self) -> int | None:
        """The degree of all simplest models; None if they differ in it."""
        return self._shared("degree")

    @property
    def cardinality(self) -> int | None:
        """The number of terms of all simplest models; None if they differ in it."""
        return self._shared("cardinality")

    @property
    def total_size(self) -> int | None:
        """The sum of the sizes of the terms of all simplest models; None if they differ in it."""
        return self._shared("total_size")

    @cached_property
    def models(self) -> Sequence[Model]:
        """Every simplest model of every repair; one that several repairs share is listed once."""
        return tuple({str(model): model for model in chain.from_iterable(part.models for part in self.parts)}.values())

    @property
    def dropped(self) -> tuple[tuple[str, ...], ...]:
        """Per repair, what is given up: where it stands and what it says."""
        return tuple(tuple(map(self.repaired.items.sentence, found.dropped)) for found in self.repaired.repairs)

    @property
    def meaning(self) -> str:
        """One sentence on what was proven."""
        if self.proven:
            return "proven: no repair is cheaper or left out, and of each these are all the simplest models"
        if not self.repaired.proven:
            least = number_text(self.repaired.lower_bound)
            return f"not proven: every repair costs at least {least}; a cheaper one may exist"
        if not self._smallest_degree:
            return "not proven: the search was stopped; a smaller degree may be possible with so many errors"
        if not self.repaired.complete:
            return f"not proven: {len(self.parts)} of the cheapest repairs were looked at; there may be more"
        return "not proven: the search for the simplest models was stopped; others may exist"

    # -- asking ------------------------------------------------------------------------------------------

    @cached_property
    def relation(self) -> JointOrder | Silence:
        """The relation on which every simplest model of every repair agrees, over masks."""
        parts = tuple(part.relation for part in self.parts)
        known = tuple(relation for relation in parts if not isinstance(relation, Silence))
        return JointOrder(known) if len(known) == len(parts) else Silence(self.preferences)

    def compare(self, first: Any, second: Any, *, certificate: bool = False) -> Verdict:
        """Return whether the first set is better than the second under every simplest model of every repair.

        Parameters
        ----------
        first, second
            Sets of names, in any form.
        certificate
            Whether to include whole numbers that prove the verdict.
        """
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        proof = self.relation.certificate(a, b) if certificate else None
        return Verdict(self.relation.verdict(a, b), proof, self.proven)

    # -- explaining --------------------------------------------------------------------------------------

    def explain(self, first: Any, second: Any) -> Explanation:
        """Explain the verdict on two sets in plain words: repair by repair."""
        value = self.compare(first, second).value
        kept = self.parts[:REPAIRS_EXPLAINED]
        told = [(number, part.explain(first, second)) for number, part in enumerate(kept, start=1)]
        if len(self.parts) == 1:
            return told[0][1]
        lines = [f"{len(self.parts)} repairs are equally good; together they say: {value}."]
        for number, explanation in told:
            lines.append(f"Repair {number} (without {'; '.join(self.dropped[number - 1])}):")
            lines += [f"  {line}" for line in explanation.text.splitlines()]
        if len(self.parts) > len(kept):
            lines.append(f"... and {len(self.parts) - len(kept)} more repairs")
        every = [explanation for _, explanation in told]
        statements = tuple(dict.fromkeys(pair for explanation in every for pair in explanation.statements))
        sums = tuple(line for explanation in every for line in explanation.sums)
        models = tuple(model for explanation in every for model in explanation.models)
        return Explanation("\n".join(lines), statements, False, sums, models)

    def explain_term(self, term: Any) -> Explanation:
        """Explain why a simplest model needs a term, in the first repair whose models have it."""
        for number, part in enumerate(self.parts[:-1], start=1):
            try:
                return self._after(number, part.explain_term(term))
            except InputError:  # not in this repair's models; another's may have it
                continue
        return self._after(len(self.parts), self.parts[-1].explain_term(term))

    def explain_degree(self) -> Explanation:
        """Explain why no smaller degree will do after the first repair."""
        return self._after(1, self.parts[0].explain_degree())

    def _after(self, repair: int, found: Explanation) -> Explanation:
        return found if len(self.parts) == 1 else replace(found, text=f"After repair {repair}:\n{found.text}")

    # -- saving ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``setpref learn --errors ... --json`` prints it."""
        return {
            "simplicity": self.simplicity,
            "degree": self.degree,
            "cardinality": self.cardinality,
            "total_size": self.total_size,
            "proven": self.proven,
            "model_count": len(self.models),
            "meaning": self.meaning,
            "elements": list(self.preferences.universe.names),
            "read": f"{self.preferences} from {self.preferences.source}",
            "errors": {
                "allowed": "auto" if self.allowed is None else str(self.allowed),
                "degree": self.repaired.degree,
                "cost": str(self.repaired.cost),
                "lower_bound": str(self.repaired.lower_bound),
                "all_repairs": self.repaired.complete,
            },
            "repairs": [
                {"dropped": list(dropped), **part.as_dict()}
                for dropped, part in zip(self.dropped, self.parts, strict=True)
            ],
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
        }

    def document(self, proof: bool = True) -> dict[str, Any]:
        """Return everything needed to load, ask and (with the proof) verify this result later."""
        return sealed(
            {
                "made_by": f"setpref {__version__}",
                "simplicity": self.simplicity,
                "engine": self.engine,
                "preferences": preferences_to(self.preferences),
                "errors": {
                    "allowed": None if self.allowed is None else str(self.allowed),
                    "smallest_degree": self._smallest_degree,
                    "repaired": repairs_to(self.repaired.claim, self.preferences),
                    "below": None if self.below is None else repairs_to(self.below.bound_claim, self.preferences),
                },
                "parts": [part.document(proof) for part in self.parts],
                "seconds": round(self.seconds, 6),
            }
        )

    def save(self, path: str | os.PathLike[str], proof: bool = True) -> None:
        """Save the result as a JSON file, with the proof that makes it verifiable."""
        write_text(path, json.dumps(self.document(proof), ensure_ascii=False, indent=1) + "\n")

    # -- within ------------------------------------------------------------------------------------------

    def _shared(self, measure: str) -> int | None:
        found = {getattr(part, measure) for part in self.parts}
        return found.pop() if len(found) == 1 else None
