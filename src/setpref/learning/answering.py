"""What can be asked of anything learned, with errors or without: measures, verdicts, the order, the best, why; a file.

All of it rests on one relation over masks and on the facts that are shown; how they came about is the business of who
learned.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.answers.best import Best, allowed_sets, best_sets
from setpref.answers.partial_order import ALL_SETS_LIMIT, Order
from setpref.answers.relation import Relation
from setpref.data.forms import listed_masks, pair_masks
from setpref.data.preferences import Preferences
from setpref.data.writing import write_text
from setpref.errors import TooLarge
from setpref.model import Model
from setpref.proofs.documents import sealed
from setpref.proofs.plain_preferences import preferences_to
from setpref.proofs.verdicts import Verdict
from setpref.showing import explanations, results
from setpref.showing.explanations import Explanation
from setpref.showing.facts import Facts, Measures
from setpref.universe import SetLike, by_size
from setpref.verdict import Value
from setpref.version import __version__

__all__ = ["Answering"]

PROGRAMS_LIMIT = 300


class Answering:
    """Questions about sets, answered by a relation on which all that was learned agrees."""

    preferences: Preferences
    simplicity: str
    engine: str
    seconds: float

    # -- told by who learned -----------------------------------------------------------------------------

    @property
    def proven(self) -> bool:
        """Whether the answers rest on models that are proven to be exactly the simplest ones."""
        raise NotImplementedError

    @property
    def relation(self) -> Relation:
        """The relation over masks on which every simplest model agrees."""
        raise NotImplementedError

    @property
    def measures(self) -> Measures:
        """How simple the simplest models are, as far as they are all alike."""
        raise NotImplementedError

    @property
    def facts(self) -> Facts:
        """All that is shown of it, as plain values."""
        raise NotImplementedError

    def _content(self, proof: bool) -> dict[str, Any]:
        """Return what a saved file holds beside the preferences."""
        raise NotImplementedError

    # -- what was found ----------------------------------------------------------------------------------

    @property
    def degree(self) -> int | None:
        """The size of the largest term; None if the simplest models differ in it."""
        return self.measures.degree

    @property
    def cardinality(self) -> int | None:
        """The number of terms; None if the simplest models differ in it (or, for ``deg``, are too many to list)."""
        return self.measures.cardinality

    @property
    def total_size(self) -> int | None:
        """The sum of the sizes of the terms; None as for the cardinality."""
        return self.measures.total_size

    @property
    def models(self) -> Sequence[Model]:
        """Every simplest model (of every repair, if there are several); for ``deg`` one that stands for all."""
        return self.facts.models

    @property
    def meaning(self) -> str:
        """One sentence on what was proven."""
        return results.meaning(self.facts)

    @property
    def dominance(self) -> Relation:
        """The relation, by the name of the paper."""
        return self.relation

    @property
    def by_programs(self) -> bool:
        """Whether every answer is a linear program: under ``deg``."""
        return self.relation.by_programs

    # -- asking ------------------------------------------------------------------------------------------

    def compare(self, first: SetLike, second: SetLike, *, certificate: bool = False) -> Verdict:
        """Return whether the first set is better than the second under every simplest model, or worse, or the same.

        After repairs: under every simplest model of every one of them.

        Parameters
        ----------
        first, second
            Sets of names, in any form: ``{"tea", "lemon"}``, ``"tea+lemon"``, ``{"tea": 1, "milk": 0}``.
        certificate
            Whether to include whole numbers that prove the verdict.
        """
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        proof = self.relation.certificate(a, b) if certificate else None
        return Verdict(self.relation.verdict(a, b), proof, self.proven)

    def compare_many(self, first: object, second: object = None) -> npt.NDArray[np.int8]:
        """Return the verdicts on many pairs: 1 better, -1 worse, 0 neither (unknown or the same).

        Parameters
        ----------
        first
            Pairs of sets; or, with `second`, the first sets alone: sets one by one, a 0/1 frame or a 0/1 matrix with
            the universe's columns.
        second
            The second sets, row by row.
        """
        return self.verdicts_of_masks(*pair_masks(self.preferences.universe, first, second))

    def verdicts_of_masks(self, first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.int8]:
        """Return the verdicts on pairs of masks, row by row: 1 better, -1 worse, 0 neither (unknown or the same)."""
        masks = sorted({*first, *second})
        place = {mask: i for i, mask in enumerate(masks)}
        a = np.fromiter(map(place.__getitem__, first), dtype=np.intp, count=len(first))
        b = np.fromiter(map(place.__getitem__, second), dtype=np.intp, count=len(second))
        better = self.relation.beats_pairs(masks, a, b)
        worse = self.relation.beats_pairs(masks, b, a)
        return better.astype(np.int8) - worse.astype(np.int8)

    def same_masks(self, first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Tell for pairs of masks, row by row, whether they are certainly worth the same."""
        if not self.relation.parts:
            return np.zeros(len(first), dtype=bool)
        masks = sorted({*first, *second})
        group = {masks[i]: number for number, places in enumerate(self.relation.equal_groups(masks)) for i in places}
        return np.fromiter((group[a] == group[b] for a, b in zip(first, second, strict=True)), bool, len(first))

    def values_of_masks(self, first: Sequence[int], second: Sequence[int]) -> list[Value]:
        """Return the verdicts on pairs of masks, row by row, in words."""
        word = {sign: Value.of_sign(sign, Value.UNKNOWN) for sign in (1, 0, -1)}
        signs, level = self.verdicts_of_masks(first, second).tolist(), self.same_masks(first, second).tolist()
        return [Value.SAME if same else word[sign] for sign, same in zip(signs, level, strict=True)]

    def order(self, alternatives: Iterable[SetLike] | None = None) -> Order:
        """Return the partial order over given alternatives, or over all sets when the elements are few."""
        universe = self.preferences.universe
        if alternatives is None:
            if len(universe) > ALL_SETS_LIMIT:
                raise TooLarge(
                    f"all sets over {len(universe)} elements are too many (limit {ALL_SETS_LIMIT} elements); "
                    "give the alternatives to order"
                )
            masks = sorted(range(1 << len(universe)), key=by_size)
        else:
            masks = listed_masks(universe, alternatives)
        if self.by_programs and len(masks) > PROGRAMS_LIMIT:
            raise TooLarge(
                f"under `deg` every pair is a linear program: {len(masks):,} alternatives are too many "
                f"(limit {PROGRAMS_LIMIT}); give fewer, or learn with lex"
            )
        everyone = np.arange(len(masks))
        matrix = self.relation.beats_pairs(masks, everyone[:, None], everyone[None, :])
        return Order(universe, tuple(masks), matrix, self.relation.equal_groups(masks))

    def best(
        self,
        alternatives: Iterable[SetLike] | None = None,
        *,
        size: int | tuple[int, int] | None = None,
        budget: object = None,
        costs: Mapping[str, object] | None = None,
        must_include: SetLike = (),
        exclude: SetLike = (),
    ) -> Best:
        """Return the sets that are necessarily best and possibly best among those allowed.

        Parameters
        ----------
        alternatives
            The sets to choose from; by default every set that meets the constraints.
        size
            The number of elements, or a range (low, high).
        budget, costs
            The most a set may cost, and the price of every element.
        must_include, exclude
            Elements that must be in the set, or must not.
        """
        allowed = allowed_sets(self.preferences.universe, alternatives, size, budget, costs, must_include, exclude)
        return best_sets(self.relation, allowed)

    # -- explaining --------------------------------------------------------------------------------------

    def explain(self, first: SetLike, second: SetLike) -> Explanation:
        """Explain the verdict on two sets in plain words, with the user's own statements; repair by repair."""
        mask = self.preferences.universe.mask
        return explanations.explain_pair(self.facts, mask(first), mask(second))

    def explain_term(self, term: SetLike) -> Explanation:
        """Explain why a simplest model needs a term, in the first repair whose models have it."""
        return explanations.explain_term(self.facts, term)

    def explain_degree(self) -> Explanation:
        """Explain why no smaller degree will do, after the first repair."""
        return explanations.explain_degree(self.facts)

    # -- saving ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``setpref learn --json`` prints it."""
        return results.learned_facts(self.facts)

    def document(self, proof: bool = True) -> dict[str, Any]:
        """Return everything needed to load, ask and (with the proof) verify this result later."""
        about = {"made_by": f"setpref {__version__}", "simplicity": self.simplicity, "engine": self.engine}
        return sealed({**about, "preferences": preferences_to(self.preferences), **self._content(proof)})

    def save(self, path: str | os.PathLike[str], proof: bool = True) -> None:
        """Save the result as a JSON file, with the proof that makes it verifiable."""
        write_text(path, json.dumps(self.document(proof), ensure_ascii=False, indent=1) + "\n")
