"""What was learned from statements that go together: the object users hold, ask, explain and save."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from setpref.answers.relation import Part, Relation, Silence
from setpref.answers.robust import RobustOrder
from setpref.answers.theta import ThetaOrder
from setpref.arguments import checked_choice, checked_number, checked_time
from setpref.data.preferences import Preferences
from setpref.engine.shrinking import needed_clauses
from setpref.errors import InputError
from setpref.families import Models, Simplest
from setpref.learning.answering import Answering
from setpref.model import Model
from setpref.proofs.plain import Plain
from setpref.proofs.plain_results import model_to, pairs_to, simplest_to
from setpref.proofs.verdicts import Known, Verdict
from setpref.showing.facts import Measures, Single
from setpref.simplicity import LEX, simplicity_of
from setpref.solving.degree import MinimumDegree
from setpref.solving.fitting import EXPLICIT_TERMS, UpTo
from setpref.solving.mip import BIG_M, query
from setpref.terms import count_terms, total_size_up_to
from setpref.universe import SetLike
from setpref.verdict import Value

__all__ = ["Learned"]


@dataclass(frozen=True)
class Learned(Answering):
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

    @property
    def proven(self) -> bool:
        """Whether the models are proven to be exactly the simplest ones."""
        return self.found is None or self.found.proven

    @property
    def lower_bound(self) -> int:
        """Proven: no fitting theta has a smaller cardinality (``lex``, ``card``), total size (``ws``) or degree."""
        return self._degree if self.found is None else self.found.lower_bound

    @property
    def route(self) -> str:
        """How each degree was decided, from 1 up."""
        return self.facts.route

    @property
    def known(self) -> Known:
        """What proofs of verdicts are about: the families of simplest thetas, or for ``deg`` the degree."""
        return self._degree if self.found is None else self.found.families

    @cached_property
    def relation(self) -> Relation:
        """The relation on which every simplest model agrees, over masks."""
        if self.found is None:
            return ThetaOrder(self.preferences, UpTo(self._degree))
        return RobustOrder(self.preferences, self.found.families) if self.found.families else Silence(self.preferences)

    @property
    def measures(self) -> Measures:
        """How simple the simplest models are, as far as they are all alike (for ``deg``: their terms together)."""
        if self.found is not None:
            degree = self.found.shared("degree") if self.minimum is None else self.minimum.degree
            return Measures(degree, self.found.shared("cardinality"), self.found.shared("total_size"))
        if not self._few_terms:
            return Measures(self._degree, None, None)
        elements = len(self.preferences.universe)
        return Measures(self._degree, count_terms(elements, self._degree), total_size_up_to(elements, self._degree))

    @cached_property
    def facts(self) -> Single:
        """All that is shown of it, as plain values."""
        made = (self.preferences, self.simplicity, self.engine, self.seconds, self.relation, self.proven)
        statistics = self.found.statistics if self.found is not None else {}
        return Single(*made, self.measures, self._models, self.lower_bound, self.minimum, statistics)

    def compare(
        self,
        first: SetLike,
        second: SetLike,
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
            ``mip`` asks the paper's program (Section 4.4, for ``lex``) instead, as a reference. Its answer rests on
            M and tolerances, so it counts only if an exact certificate confirms it, and is unknown otherwise, as is a
            query it does not finish in time; `proven` stays False.
        """
        time_limit = checked_time(time_limit)
        big_m = checked_number("big_m", big_m, "a number above 0", above=0)
        if checked_choice("engine", engine, ("auto", "mip")) == "auto":
            return super().compare(first, second, certificate=certificate)
        if simplicity_of(self.simplicity) != LEX or self.cardinality is None or self.total_size is None:
            raise InputError("the paper's query is about lex with known cardinality and total size; use engine 'auto'")
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        complexity = (self._degree, self.cardinality, self.total_size)
        said = []
        for value, one, other in ((Value.BETTER, a, b), (Value.WORSE, b, a)):
            said.append(query(self.preferences, complexity, one, other, big_m, time_limit))
            if said[-1] and self._certified(a, b) is value:
                return Verdict(value, proven=False)
        same = said == [False, False] and self._certified(a, b) is Value.SAME
        return Verdict(Value.SAME if same else Value.UNKNOWN, proven=False)

    # -- within ------------------------------------------------------------------------------------------

    def _content(self, proof: bool) -> Plain:
        result: Plain = {
            **self.measures._asdict(),
            "proven": self.proven,
            "routes": list(self.minimum.routes) if self.minimum is not None else [],
            "seconds": round(self.seconds, 6),
        }
        content: Plain = {"result": result, "proof": None}
        if self.minimum is not None and self.minimum.degree > 1:
            multipliers = pairs_to(self.minimum.impossible, self.preferences)
            content["proof"] = {"below": self.minimum.degree - 1, "multipliers": multipliers}
        if self.found is not None:
            result["model_count"] = self.found.count
            clauses = needed_clauses(self.preferences, self.found, self._degree) if proof else None
            content["simplest"] = simplest_to(self.found, clauses, self.preferences)
        if self.minimum is not None and (self.found is None or not self.found.families):
            content["model"] = model_to(self.minimum.model, self.preferences)
        return content

    def _certified(self, first: int, second: int) -> Value:
        """Return the verdict that an exact certificate gives, checked, though the simplest thetas may not be known.

        What holds for all models up to the minimum degree holds for the simplest of them.
        """
        every: Part = ThetaOrder(self.preferences, UpTo(self._degree))
        (relation,) = self.relation.parts if self.proven else (every,)
        value, better, _ = relation.certificate(first, second).claim
        return value if better == first else value.opposite

    @property
    def _degree(self) -> int:
        return self.minimum.degree if self.minimum is not None else 0

    @property
    def _few_terms(self) -> bool:
        return count_terms(len(self.preferences.universe), self._degree) <= EXPLICIT_TERMS

    @property
    def _models(self) -> Models | tuple[Model, ...]:
        if self.found is not None:
            return Models(self.found)
        if not self._few_terms or self.minimum is None:
            return ()
        model = self.minimum.model
        return (model if isinstance(model, Model) else model.expand(),)
