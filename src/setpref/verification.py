"""Verification: every claim of a saved result, checked again in whole numbers.

Like the checks it calls, this room imports no solver and nothing of the engines: the check can be repeated years later
by anyone with a Python interpreter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from setpref.certificates import check_impossible, check_model
from setpref.completeness import check_complete
from setpref.errors import CertificateRejected
from setpref.preferences import Preferences
from setpref.saved import model_from, open_document, pairs_from, preferences_from, simplest_from, whole
from setpref.terms import count_terms, total_size_up_to

__all__ = ["verify", "verify_document"]


def verify(path: str | os.PathLike[str], progress: Callable[[int], None] | None = None) -> list[str]:
    """Check every claim of a saved result in whole numbers and return what was checked, one sentence each.

    Parameters
    ----------
    progress
        Called now and then with the number of nodes of the completeness search.

    Raises
    ------
    CertificateRejected
        If anything does not hold.
    """
    name, document = open_document(path)
    return ["the file is as it was saved (digest)", *verify_document(document, name, progress)]


def verify_document(
    document: Mapping[str, Any], name: str = "the document", progress: Callable[[int], None] | None = None
) -> list[str]:
    """Check the content of a saved result; the digest is not looked at, only the truth of the claims."""
    try:
        preferences = preferences_from(document["preferences"])
        if document["simplicity"] == "deg":
            return _verify_degree(document, preferences)
        return _verify_simplest(document, preferences, progress)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise CertificateRejected(f"{name} is damaged: {type(error).__name__}: {error}") from None


def _verify_degree(content: Mapping[str, Any], preferences: Preferences) -> list[str]:
    """Check a result for the simplicity ``deg``: the model fits, one degree lower nothing does."""
    result = content["result"]
    degree = whole(result["degree"])
    model = model_from(content["model"], preferences)
    if model.degree > degree or degree > len(preferences.universe):
        raise CertificateRejected(f"the model has terms above the degree {degree}")
    check_model(model, preferences)
    said = [f"a model of degree {degree} satisfies {_all_pairs(preferences)}"]
    said += _verify_degree_below(content, preferences, degree)
    elements = len(preferences.universe)
    sizes = count_terms(elements, degree), total_size_up_to(elements, degree)
    stated = result["cardinality"], result["total_size"]
    if stated not in (sizes, (None, None)) or result["proven"] is not True:
        raise CertificateRejected(f"cardinality and total size must be {sizes}; the file says {stated}")
    return said


def _verify_degree_below(content: Mapping[str, Any], preferences: Preferences, degree: int) -> list[str]:
    """Check that no smaller degree fits."""
    if degree > 1:
        multipliers = pairs_from(content["proof"]["multipliers"], preferences)
        if content["proof"]["below"] != degree - 1:
            raise CertificateRejected("the proof of impossibility is not about the degree below")
        check_impossible(preferences, multipliers, degree - 1)
        return [f"no model of degree {degree - 1} can: {len(multipliers)} multipliers cancel on all its terms"]
    if (degree == 1) != (preferences.pair_count > 0):
        raise CertificateRejected("the degree is 0 without statements and at least 1 with one")
    return []


def _verify_simplest(
    content: Mapping[str, Any], preferences: Preferences, progress: Callable[[int], None] | None
) -> list[str]:
    """Check a result for ``lex``, ``card`` or ``ws``: every theta fits, and no other is as simple."""
    found = simplest_from(content, preferences)
    result = content["result"]
    for family in found.families:
        if any(slot.value <= 0 for slot in family.slots):
            raise CertificateRejected("the size of a value must be positive")
        check_model(family.model, preferences)
    said = [f"{_count(len(found.families), 'theta satisfies', 'thetas satisfy')} {_all_pairs(preferences)}"]
    measures = {name: found.shared(name) for name in ("degree", "cardinality", "total_size")}
    if any(result[name] != value for name, value in measures.items()):
        raise CertificateRejected(f"the measures of the listed thetas are {measures}; the file says otherwise")
    if result["model_count"] != found.count:
        raise CertificateRejected(f"the listed families hold {found.count} thetas")
    if found.simplicity == "lex" and found.families:
        said += _verify_degree_below(content, preferences, measures["degree"] or 0)
    if not found.proven:
        return [*said, "the file does not claim that these are the simplest"]
    if found.clauses is None:
        return [*said, "that no theta is simpler, and that none is missing, was NOT checked: saved without proof"]
    best = measures["total_size" if found.simplicity == "ws" else "cardinality"]
    if found.lower_bound != best:
        raise CertificateRejected(f"the proven bound must be {best}")
    degree = measures["degree"] or 0
    nodes = check_complete(preferences, found.simplicity, degree, found.families, found.clauses, progress)
    many = _count(len(found.clauses), "clause leaves", "clauses leave")
    return [*said, f"these are exactly the simplest: {many} room for no other ({nodes:,} nodes searched)"]


def _all_pairs(preferences: Preferences) -> str:
    return f"all {preferences.pair_count:,} stated pairs" if preferences.pair_count != 1 else "the stated pair"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
