"""Loading: from a saved file back to what was learned. Nothing is computed again, and no solver is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping

from setpref.data.items import Items
from setpref.errors import BadDocument
from setpref.families import Simplest
from setpref.learning.despite import LearnedDespiteErrors
from setpref.learning.learned import Learned
from setpref.proofs.documents import numbered_from, open_document
from setpref.proofs.plain import Json, fraction, number, record, series, text, whole
from setpref.proofs.plain_preferences import Numbered
from setpref.proofs.plain_results import model_from, pairs_from, repairs_from, simplest_from, simplicity_from
from setpref.repairs.repaired import Repair, Repaired
from setpref.solving.degree import MinimumDegree

__all__ = ["load"]


def load(path: str | os.PathLike[str]) -> Learned | LearnedDespiteErrors:
    """Load a saved result; its proof is not checked again (see :func:`setpref.verify`)."""
    name, document = open_document(path)
    try:
        return _despite_from(document) if "errors" in document else _learned_from(document)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise BadDocument(f"{name} is damaged ({error}); learn again, or check it with setpref verify") from None


def _despite_from(document: Mapping[str, Json]) -> LearnedDespiteErrors:
    known, errors = numbered_from(document), record(document["errors"])
    items, below, allowed = Items(known.preferences), errors["below"], errors["allowed"]
    return LearnedDespiteErrors(
        known.preferences,
        _repaired_from(record(errors["repaired"]), known, items),
        None if below is None else _repaired_from(record(below), known, items),
        None if allowed is None else fraction(allowed),
        tuple(_learned_from(record(part)) for part in series(document["parts"])),
        simplicity_from(document).name,
        text(document["engine"]),
        number(document["seconds"]),
    )


def _repaired_from(plain: Mapping[str, Json], known: Numbered, items: Items) -> Repaired:
    claim = repairs_from(plain, known)
    repairs = tuple(Repair(dropped, claim.cost, items, claim.degree, model) for dropped, model in claim.repairs)
    proven = claim.lower_bound == claim.cost
    shown = claim.cost, claim.lower_bound, proven, claim.complete
    return Repaired(items, claim.degree, repairs, *shown, claim.groups, 0.0)


def _learned_from(document: Mapping[str, Json]) -> Learned:
    known, simplicity, result = numbered_from(document), simplicity_from(document), record(document["result"])
    found = None if simplicity.all_terms else simplest_from(document, known)
    minimum = _minimum_from(document, known, found) if simplicity.least_degree else None
    return Learned(
        known.preferences, simplicity.name, text(document["engine"]), number(result["seconds"]), minimum, found
    )


def _minimum_from(document: Mapping[str, Json], known: Numbered, found: Simplest | None) -> MinimumDegree:
    result, proof = record(document["result"]), document["proof"]
    return MinimumDegree(
        whole(result["degree"]),
        found.families[0].model if found and found.families else model_from(record(document["model"]), known),
        () if proof is None else pairs_from(record(proof)["multipliers"], known),
        tuple(map(text, series(result["routes"]))),
    )
