"""Learning: from preferences to the object users hold, ask, save and load."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, overload

from setpref.certificates import check_impossible, check_model
from setpref.degree import MinimumDegree
from setpref.dominance import Verdict, theta_verdict
from setpref.engines import ENGINES, SIMPLICITIES
from setpref.errors import BadDocument, UnknownOption
from setpref.families import Simplest
from setpref.files import write_text
from setpref.fitting import EXPLICIT_TERMS, UpTo
from setpref.model import Model
from setpref.preferences import Preferences
from setpref.progress import Progress
from setpref.robust import RobustOrder
from setpref.saved import (
    model_from,
    model_to,
    open_document,
    pairs_from,
    pairs_to,
    preferences_from,
    preferences_to,
    sealed,
    simplest_from,
    simplest_to,
)
from setpref.terms import count_terms, total_size_up_to
from setpref.version import __version__

__all__ = ["Learned", "Models", "learn", "load"]

JSON_MODELS = 10_000


class Models(Sequence[Model]):
    """Every simplest model, listed on demand: one per theta, with whole-number values of certain sign."""

    def __init__(self, found: Simplest) -> None:
        self._found = found

    def __len__(self) -> int:
        return self._found.count

    def __iter__(self) -> Iterator[Model]:
        return self._found.models()

    @overload
    def __getitem__(self, index: int) -> Model: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...
    def __getitem__(self, index: int | slice) -> Model | Sequence[Model]:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(len(self))))
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"there are {len(self)} models")
        return next(islice(iter(self), position, None))

    def __repr__(self) -> str:
        return f"<{len(self)} simplest model{'s' if len(self) != 1 else ''}>"


@dataclass(frozen=True)
class Learned:
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

    def compare(self, first: Any, second: Any) -> Verdict:
        """Return whether the first set is better than the second under every simplest model.

        Parameters
        ----------
        first, second
            Sets of names, in any form: ``{"tea", "lemon"}``, ``"tea+lemon"``, ``{"tea": 1, "milk": 0}``.
        """
        a, b = self.preferences.universe.mask(first), self.preferences.universe.mask(second)
        if self.found is None:
            return theta_verdict(self.preferences, UpTo(self._degree), a, b)
        if not self.found.families:
            return Verdict("unknown", None, proven=False)
        return Verdict(self.order.verdict(a, b), None, self.order.same(a, b), self.proven)

    @cached_property
    def order(self) -> RobustOrder:
        """The strict partial order on which every simplest model agrees."""
        assert self.found is not None
        return RobustOrder(self.preferences, self.found.families)

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
        elif self.minimum is not None:
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

    def _shared(self, measure: str) -> int | None:
        return self.found.shared(measure) if self.found is not None else None


def learn(
    preferences: Preferences,
    simplicity: str = "lex",
    engine: str = "auto",
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Learn every simplest model of the preferences.

    Parameters
    ----------
    simplicity
        What "simplest" means: ``lex`` (smallest degree, then fewest terms, then smallest total size; default), ``card``
        (fewest terms), ``ws`` (smallest total size) or ``deg`` (smallest degree).
    engine
        ``auto``; ``bruteforce`` (tries everything; a handful of elements) or ``mip`` (the paper's program, one model)
        to judge it; for ``deg`` also ``explicit`` and ``kernel``, which force how terms are handled.
    time_limit
        Seconds after which the best models known are returned, with ``proven`` False.
    progress
        Called now and then with what the search is doing.

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    >>> learned = sp.learn(prefs)
    >>> learned.degree, learned.cardinality, learned.total_size, len(learned.models)
    (2, 3, 4, 1)
    >>> print(learned.models[0])
    2*milk + 3*tea - 4*milk+tea
    """
    if simplicity not in SIMPLICITIES:
        raise UnknownOption("simplicity", simplicity, SIMPLICITIES)
    if engine not in ENGINES or simplicity not in ENGINES[engine].simplicities:
        known = [name for name, entry in ENGINES.items() if simplicity in entry.simplicities]
        raise UnknownOption("engine", engine, known)
    start = time.perf_counter()
    minimum, found = ENGINES[engine].run(preferences, simplicity, time_limit, progress)
    _check(preferences, minimum, found)
    return Learned(preferences, simplicity, engine, time.perf_counter() - start, minimum, found)


def _check(preferences: Preferences, minimum: MinimumDegree | None, found: Simplest | None) -> None:
    """Check our own answer before showing it; a failure is a fault of ours and never passes silently."""
    if minimum is not None:
        check_model(minimum.model, preferences)
        if minimum.impossible:
            check_impossible(preferences, minimum.impossible, minimum.degree - 1)
    for family in found.families if found is not None else ():
        check_model(family.model, preferences)


def load(path: str | os.PathLike[str]) -> Learned:
    """Load a saved result; its proof is not checked again (see :func:`setpref.verify`)."""
    name, document = open_document(path)
    try:
        preferences = preferences_from(document["preferences"])
        simplicity, result = document["simplicity"], document["result"]
        found = None if simplicity == "deg" else simplest_from(document, preferences)
        minimum = None
        if simplicity in ("deg", "lex"):
            minimum = MinimumDegree(
                result["degree"],
                found.families[0].model if found is not None else model_from(document["model"], preferences),
                pairs_from(document["proof"]["multipliers"], preferences) if document["proof"] else (),
                tuple(result["routes"]),
            )
        return Learned(preferences, simplicity, document["engine"], result["seconds"], minimum, found)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise BadDocument(f"{name} is damaged ({error}); learn again, or check it with setpref verify") from None
