"""Verification: every claim of a saved result, checked again in whole numbers.

Like the checks it calls, this room imports no solver and nothing of the engines: the check can be repeated years later
by anyone with a Python interpreter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from setpref.certificates import (
    Disagreement,
    Dominance,
    Equality,
    check_disagreement,
    check_dominance,
    check_equality,
    check_impossible,
    check_model,
    check_robust,
)
from setpref.completeness import check_complete
from setpref.errors import BadDocument, CertificateRejected
from setpref.families import Family, Listed
from setpref.files import load_json
from setpref.preferences import Preferences
from setpref.saved import (
    certificate_from,
    model_from,
    open_document,
    pairs_from,
    preferences_from,
    simplest_from,
    whole,
)
from setpref.terms import count_terms, total_size_up_to

__all__ = ["verify", "verify_certificate", "verify_document"]


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


def verify_certificate(path: str | os.PathLike[str], certificate: str | os.PathLike[str]) -> list[str]:
    """Check the certificate of one verdict (as ``setpref compare --certificate --json`` prints it) against a result."""
    name, document = open_document(path)
    other = Path(certificate)
    if not other.is_file():
        raise BadDocument(f"{certificate}: there is no such file; make one with: setpref compare --certificate --json")
    plain = load_json(other)
    if not isinstance(plain, dict) or not isinstance(plain.get("certificate"), dict):
        raise BadDocument(f"{other.name} holds no certificate; make one with: setpref compare --certificate --json")
    try:
        return [_verify_verdict(document, plain)]
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise CertificateRejected(f"{other.name} does not fit {name}: {type(error).__name__}: {error}") from None


def _verify_verdict(document: Mapping[str, Any], plain: Mapping[str, Any]) -> str:
    preferences = preferences_from(document["preferences"])
    known = None if document["simplicity"] == "deg" else simplest_from(document, preferences)
    robust = known is not None
    proof = certificate_from(plain, preferences.universe, robust)
    mask = preferences.universe.mask
    a, b, verdict = mask(plain["a"]), mask(plain["b"]), plain["verdict"]
    if isinstance(proof, (Disagreement, Equality)):
        claimed = "unknown" if isinstance(proof, Disagreement) else "same"
        if (proof.first, proof.second) != (a, b):
            raise CertificateRejected("the certificate is about another pair")
    else:
        claimed = {(a, b): "better", (b, a): "worse"}.get((proof.better, proof.worse), "another pair")
    if verdict != claimed:
        raise CertificateRejected(f"the certificate is about {claimed}, the verdict is {verdict!r}")
    if known is None:
        _check_up_to(preferences, proof, whole(document["result"]["degree"]))
    elif isinstance(proof, Dominance):
        raise CertificateRejected("a proof per family is needed")
    else:
        check_robust(preferences, known.families, proof)
    write = preferences.universe.write
    return f"{write(a)} against {write(b)} is {verdict} under the saved models"


def _check_up_to(preferences: Preferences, proof: object, degree: int) -> None:
    """Check a certificate under all terms up to a degree."""
    if isinstance(proof, Dominance):
        check_dominance(preferences, proof, degree)
    elif isinstance(proof, Equality):
        check_equality(preferences, proof, degree)
    elif isinstance(proof, Disagreement):
        if any(getattr(model, "degree", degree + 1) > degree for model in (proof.for_first, proof.for_second)):
            raise CertificateRejected(f"a model of the disagreement has terms above the degree {degree}")
        check_disagreement(preferences, proof)
    else:
        raise CertificateRejected("this is no certificate for the simplicity deg")


def _verify_degree(content: Mapping[str, Any], preferences: Preferences) -> list[str]:
    """Check a result for the simplicity ``deg``: the model fits, one degree lower nothing does."""
    said = _verify_known_degree(content, preferences)
    result = content["result"]
    degree = whole(result["degree"])
    elements = len(preferences.universe)
    sizes = count_terms(elements, degree), total_size_up_to(elements, degree)
    stated = result["cardinality"], result["total_size"]
    if stated not in (sizes, (None, None)) or result["proven"] is not True:
        raise CertificateRejected(f"cardinality and total size must be {sizes}; the file says {stated}")
    return said


def _verify_known_degree(content: Mapping[str, Any], preferences: Preferences) -> list[str]:
    """Check that a model of the degree fits and that no smaller degree does."""
    degree = whole(content["result"]["degree"])
    model = model_from(content["model"], preferences)
    if model.degree > degree or degree > len(preferences.universe):
        raise CertificateRejected(f"the model has terms above the degree {degree}")
    check_model(model, preferences)
    said = [f"a model of degree {degree} satisfies {_all_pairs(preferences)}"]
    return said + _verify_degree_below(content, preferences, degree)


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
        _check_members(family, preferences)
    said = [f"{_count(len(found.families), 'theta satisfies', 'thetas satisfy')} {_all_pairs(preferences)}"]
    if result["proven"] is not found.proven:
        raise CertificateRejected("the file says both that the thetas are proven simplest and that they are not")
    measures = {name: found.shared(name) for name in ("degree", "cardinality", "total_size")}
    if found.simplicity == "lex" and not found.families:
        said = _verify_known_degree(content, preferences)
        measures["degree"] = result["degree"]
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


def _check_members(family: Family, preferences: Preferences) -> None:
    """Reject members that say anything else of the stated pairs than the first of their slot, which fits."""
    for slot in family.slots:
        members = slot.members.terms if isinstance(slot.members, Listed) else slot.members.closed
        said = {tuple(s * ((t & a == t) - (t & b == t)) for a, b in preferences.defining_pairs) for t, s in members}
        if len(said) != 1 or any(not term for term, _ in members):
            raise CertificateRejected("terms listed as interchangeable say different things of the stated pairs")


def _all_pairs(preferences: Preferences) -> str:
    over = f"all {preferences.pair_count:,} stated pairs" if preferences.pair_count != 1 else "the stated pair"
    same = preferences.equal_count
    return over + (f" and {_count(same, 'statement of no difference', 'statements of no difference')}" if same else "")


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
