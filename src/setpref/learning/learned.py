"""What was learned: the object users hold, ask, explain and save."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from setpref.answers.explaining import (
    Explanation,
    explain_degree,
    explain_prediction,
    explain_same,
    explain_term,
    explain_unknown,
)
from setpref.answers.relation import Silence
from setpref.answers.robust import RobustOrder
from setpref.answers.theta import ThetaOrder
from setpref.data.preferences import Preferences
from setpref.data.writing import write_text
from setpref.errors import InputError, UnknownOption
from setpref.families import Models, Simplest
from setpref.learning.answering import Asking
from setpref.model import Model
from setpref.proofs.documents import (
    model_to,
    pairs_to,
    preferences_to,
    sealed,
    simplest_to,
)
from setpref.proofs.verdicts import Disagreement, Equality, Known, Verdict
from setpref.solving.degree import MinimumDegree
from setpref.solving.fitting import EXPLICIT_TERMS, UpTo
from setpref.solving.mip import BIG_M, query
from setpref.terms import count_terms, total_size_up_to
from setpref.verdict import Value
from setpref.version import __version__

__all__ = ["Learned"]

JSON_MODELS = 10_000


@dataclass(frozen=True)
class Learned(Asking):
    """What was learned: ask it, save it, look at it.

    For ``lex``, ``card`` and ``ws`` the simplest thetas are kept in families of interchangeable terms (`found`). For
    ``deg`` the simplest thetas are all those of the minimum degree; the theta of all terms up to that degree contains
    each of them and stands for all: a prediction holds under every one of them iff it holds under this one.

    Attributes
    ----------
    preferences : Preferences
    simplicity, engine : str
    seconds : float
    minimum : MinimumDegree or None
        The minimum degree and its proof (``deg`` and ``lex``).
    found : Simplest or None
        The simplest thetas (not for ``deg``).
    """

    preferences: Preferences
    simplicity: str
    engine: str
    seconds: float
    minimum: MinimumDegree | None
    found: Simplest | None

    # -- what was found ----------------------------------------------------------------------------------

    @property
    def proven(self) -> bool:
        """Whether the models are proven to be exactly the simplest ones."""
        return self.found is None or self.found.proven

    @property
    def degree(self) -> int | None:
        """The size of the largest term; None if the simplest models differ in it."""
        if self.minimum is not None:
            return self.minimum.degree
        return self._shared("degree")

    @property
    def cardinality(self) -> int | None:
        """The number of terms; None if the simplest models differ in it (or, for ``deg``, are too many to list)."""
        if self.found is not None:
            return self._shared("cardinality")
        return count_terms(len(self.preferences.universe), self._degree) if self._few_terms else None

    @property
    def total_size(self) -> int | None:
        """The sum of the sizes of the terms; None as for the cardinality."""
        if self.found is not None:
            return self._shared("total_size")
        return total_size_up_to(len(self.preferences.universe), self._degree) if self._few_terms else None

    @property
    def lower_bound(self) -> int:
        """Proven: no fitting theta has a smaller cardinality (``lex``, ``card``), total size (``ws``) or degree."""
        return self._degree if self.found is None else self.found.lower_bound

    @cached_property
    def models(self) -> Sequence[Model]:
        """Every simplest model; for ``deg`` the one model that stands for all, if its terms are few."""
        if self.found is not None:
            return Models(self.found)
        if not self._few_terms or self.minimum is None:
            return ()
        model = self.minimum.model
        return (model if isinstance(model, Model) else model.expand(),)

    @property
    def meaning(self) -> str:
        """One sentence on what was proven."""
        if self.found is None:
            below = f"no model of degree {self._degree - 1} can satisfy the statements"
            return f"proven: {below}" if self._degree > 1 else "proven: nothing simpler is possible"
        measure = "total size" if self.simplicity == "ws" else "cardinality"
        if self.proven:
            return "proven: these are all the simplest models, and no simpler model satisfies the statements"
        known = "the models shown satisfy every statement but may not be the simplest, and others may exist"
        if not self.found.families:
            known = "no model was found yet"
        return f"not proven: every model has {measure} at least {self.lower_bound}; {known}"

    @property
    def route(self) -> str:
        """How each degree was decided, from 1 up."""
        routes = self.minimum.routes if self.minimum is not None else ()
        return "; ".join(f"degree {d}: {route}" for d, route in enumerate(routes, start=1))

    # -- asking ------------------------------------------------------------------------------------------

    @cached_property
    def relation(self) -> RobustOrder | ThetaOrder | Silence:
        """The relation on which every simplest model agrees, over masks."""
        if self.found is None:
            return ThetaOrder(self.preferences, UpTo(self._degree))
        return RobustOrder(self.preferences, self.found.families) if self.found.families else Silence(self.preferences)

    def compare(
        self,
        first: Any,
        second: Any,
        *,
        certificate: bool = False,
        engine: str = "auto",
        big_m: float = BIG_M,
        time_limit: float | None = None,
    ) -> Verdict:
        """Return whether the first set is better than the second under every simplest model, or worse, or the same.

        Parameters
        ----------
        first, second
            Sets of names, in any form: ``{"tea", "lemon"}``, ``"tea+lemon"``, ``{"tea": 1, "milk": 0}``.
        certificate
            Whether to include whole numbers that prove the verdict.
        engine, big_m, time_limit
            ``mip`` asks the paper's program (Section 4.4, for ``lex``) instead, as a reference: its answer rests on M
            and tolerances and is not proven; a query it does not finish in time is unknown.
        """
        if engine != "auto":
            return self._compare_by_mip(first, second, engine, big_m, time_limit)
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        proof = self.relation.certificate(a, b) if certificate else None
        return Verdict(self.relation.verdict(a, b), proof, self.proven)

    def _compare_by_mip(self, first: Any, second: Any, engine: str, big_m: float, time_limit: float | None) -> Verdict:
        if engine != "mip":
            raise UnknownOption("engine", engine, ("auto", "mip"))
        if self.simplicity != "lex" or self.cardinality is None or self.total_size is None:
            raise InputError("the paper's query is about lex with known cardinality and total size; use engine 'auto'")
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        complexity = (self._degree, self.cardinality, self.total_size)
        if query(self.preferences, complexity, a, b, big_m, time_limit):
            return Verdict(Value.BETTER, proven=False)
        beaten = query(self.preferences, complexity, b, a, big_m, time_limit)
        return Verdict(Value.WORSE if beaten else Value.UNKNOWN, proven=False)

    @property
    def known(self) -> Known:
        """What proofs of verdicts are about: the families of simplest thetas, or for ``deg`` the degree."""
        return self._degree if self.found is None else self.found.families

    # -- explaining --------------------------------------------------------------------------------------

    def explain(self, first: Any, second: Any) -> Explanation:
        """Explain the verdict on two sets in plain words, with the user's own statements."""
        found = self._explanation(first, second)
        if self.proven:
            return found
        told = found.text.replace("every simplest model", "every model known so far").replace("simplest model", "model")
        return replace(found, text=f"{told}\n{self.meaning}")

    def _explanation(self, first: Any, second: Any) -> Explanation:
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        relation = self.relation
        if isinstance(relation, Silence):
            return Explanation("No model is known yet, so nothing can be said.")
        value = relation.verdict(a, b)
        if value in (Value.UNKNOWN, Value.SAME):
            proof = relation.certificate(a, b)
            if isinstance(proof, Equality):
                return explain_same(self.preferences, proof)
            assert isinstance(proof, Disagreement)
            return explain_unknown(self.preferences, proof)
        return explain_prediction(relation, *((a, b) if value == Value.BETTER else (b, a)))

    def explain_term(self, term: Any) -> Explanation:
        """Explain why a simplest model needs a term."""
        if not isinstance(self.relation, RobustOrder):
            raise InputError("why a term is needed can be told for models of lex, card or ws; here are none")
        return explain_term(self.relation, self.preferences.universe.mask(term))

    def explain_degree(self) -> Explanation:
        """Explain why no smaller degree will do."""
        if self.minimum is None:
            raise InputError(f"the simplicity {self.simplicity} does not look for the smallest degree; lex and deg do")
        return explain_degree(self.preferences, self.minimum.degree, self.minimum.impossible)

    # -- saving ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``setpref learn --json`` prints it."""
        write = self.preferences.universe.write
        shown = list(islice(self.models, JSON_MODELS))
        return {
            "simplicity": self.simplicity,
            "degree": self.degree,
            "cardinality": self.cardinality,
            "total_size": self.total_size,
            "proven": self.proven,
            "lower_bound": self.lower_bound,
            "model_count": len(self.models) if shown or self.found is not None else None,
            "models": [{"terms": {write(t): v for t, v in model.values.items()}} for model in shown] or None,
            "meaning": self.meaning,
            "elements": list(self.preferences.universe.names),
            "read": f"{self.preferences} from {self.preferences.source}",
            "stated_pairs": self.preferences.pair_count,
            "same_pairs": self.preferences.equal_count,
            "route": self.route,
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "statistics": self.found.statistics if self.found is not None else {},
        }

    def document(self, proof: bool = True) -> dict[str, Any]:
        """Return everything needed to load, ask and (with the proof) verify this result later."""
        content: dict[str, Any] = {
            "made_by": f"setpref {__version__}",
            "simplicity": self.simplicity,
            "engine": self.engine,
            "preferences": preferences_to(self.preferences),
            "result": {
                "degree": self.degree,
                "cardinality": self.cardinality,
                "total_size": self.total_size,
                "proven": self.proven,
                "routes": list(self.minimum.routes) if self.minimum is not None else [],
                "seconds": round(self.seconds, 6),
            },
        }
        content["proof"] = None
        if self.minimum is not None and self.minimum.degree > 1:
            multipliers = pairs_to(self.minimum.impossible, self.preferences)
            content["proof"] = {"below": self.minimum.degree - 1, "multipliers": multipliers}
        if self.found is not None:
            content["result"]["model_count"] = self.found.count
            content["simplest"] = simplest_to(self.found, self.preferences, proof)
        if self.minimum is not None and (self.found is None or self._nothing_known):
            content["model"] = model_to(self.minimum.model, self.preferences)
        return sealed(content)

    def save(self, path: str | os.PathLike[str], proof: bool = True) -> None:
        """Save the result as a JSON file, with the proof that makes it verifiable."""
        write_text(path, json.dumps(self.document(proof), ensure_ascii=False, indent=1) + "\n")

    # -- within ------------------------------------------------------------------------------------------

    @property
    def _degree(self) -> int:
        return self.minimum.degree if self.minimum is not None else 0

    @property
    def _few_terms(self) -> bool:
        return count_terms(len(self.preferences.universe), self._degree) <= EXPLICIT_TERMS

    @property
    def _nothing_known(self) -> bool:
        """Whether a search was stopped before it met any model."""
        return self.found is not None and not self.found.families

    def _shared(self, measure: str) -> int | None:
        return self.found.shared(measure) if self.found is not None else None
