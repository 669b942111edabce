"""Verification: every claim of a saved result, checked again in whole numbers.

Like the checks it calls, this room imports no solver and nothing of the engines: the check can be repeated years later
by anyone with a Python interpreter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from setpref.arguments import checked_function, checked_path
from setpref.data.files import load_json
from setpref.data.items import Items
from setpref.data.numbers import number_text, plural
from setpref.data.preferences import Preferences
from setpref.errors import BadDocument, CertificateRejected, InputError
from setpref.families import Family, Listed
from setpref.proofs.certificates import check_impossible, check_model
from setpref.proofs.completeness import check_complete
from setpref.proofs.documents import numbered_from, open_document
from setpref.proofs.plain import Json, fraction, record, series, text, whole
from setpref.proofs.plain_certificates import certificate_from, joint_certificate_from
from setpref.proofs.plain_preferences import Numbered, preferences_from
from setpref.proofs.plain_results import model_from, pairs_from, repairs_from, simplest_from, simplicity_from
from setpref.proofs.repairs import RepairClaim
from setpref.proofs.verdicts import (
    Known,
    check_joint,
    check_verdict,
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
    checked_function("progress", progress)
    name, document = open_document(path)
    return ["the file is as it was saved (digest)", *verify_document(document, name, progress)]


def verify_document(
    document: Mapping[str, Json], name: str = "the document", progress: Callable[[int], None] | None = None
) -> list[str]:
    """Check the content of a saved result; the digest is not looked at, only the truth of the claims."""
    try:
        known = numbered_from(document)
        if "errors" in document:
            return _verify_despite(document, known, progress)
        if simplicity_from(document).all_terms:
            return _verify_degree(document, known)
        return _verify_simplest(document, known, progress)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise CertificateRejected(f"{name} is damaged: {type(error).__name__}: {error}") from None


def verify_certificate(path: str | os.PathLike[str], certificate: str | os.PathLike[str]) -> list[str]:
    """Check the certificate of one verdict (as ``setpref compare --certificate --json`` prints it) against a result."""
    name, document = open_document(path)
    other = checked_path(certificate)
    if not other.is_file():
        raise BadDocument(f"{certificate}: there is no such file; make one with: setpref compare --certificate --json")
    plain = load_json(other)
    if not isinstance(plain, dict) or not isinstance(plain.get("certificate"), dict):
        raise BadDocument(f"{other.name} holds no certificate; make one with: setpref compare --certificate --json")
    joint = plain["certificate"].get("kind") in ("unanimous", "divided")
    if joint != ("errors" in document):
        kind = "a result learned despite errors" if joint else "a result learned without errors"
        raise CertificateRejected(f"{other.name} is about {kind}, which {name} is not")
    try:
        return [_verify_verdict(document, plain)]
    except InputError as error:
        raise CertificateRejected(f"{other.name} does not fit {name}: {error}") from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise CertificateRejected(f"{other.name} does not fit {name}: {type(error).__name__}: {error}") from None


def _verify_verdict(document: Mapping[str, Json], plain: Mapping[str, Json]) -> str:
    preferences = preferences_from(record(document["preferences"]))
    mask = preferences.universe.mask
    a, b, verdict = mask(text(plain["a"])), mask(text(plain["b"])), plain["verdict"]
    robust = not simplicity_from(document).all_terms
    if "errors" in document:
        proof = joint_certificate_from(plain, preferences.universe, robust)
        check_joint([_known(record(part)) for part in series(document["parts"])], proof)
        value, first, second = proof.claim
    else:
        single = certificate_from(plain, preferences.universe, robust)
        check_verdict(*_known(document), single)
        value, first, second = single.claim
    claimed = {(a, b): value, (b, a): value.opposite}.get((first, second), "another pair")
    if verdict != claimed:
        raise CertificateRejected(f"the certificate is about {claimed}, the verdict is {verdict!r}")
    write = preferences.universe.write
    models = "models of every repair" if "errors" in document else "models"
    return f"{write(a)} against {write(b)} is {verdict} under the saved {models}"


def _known(document: Mapping[str, Json]) -> tuple[Preferences, Known]:
    """Return the preferences of a saved result and what proofs of its verdicts are about."""
    if "errors" in document:
        raise CertificateRejected("a result of one repair cannot have been learned despite errors itself")
    known = numbered_from(document)
    known.preferences.check_consistent()
    if simplicity_from(document).all_terms:
        return known.preferences, whole(record(document["result"])["degree"])
    return known.preferences, simplest_from(document, known).families


def _verify_degree(content: Mapping[str, Json], known: Numbered) -> list[str]:
    """Check a result whose degree alone is simplest: the model fits, one degree lower nothing does."""
    said = _verify_known_degree(content, known)
    result = record(content["result"])
    degree = whole(result["degree"])
    elements = len(known.preferences.universe)
    sizes = count_terms(elements, degree), total_size_up_to(elements, degree)
    stated = result["cardinality"], result["total_size"]
    if stated not in (sizes, (None, None)) or result["proven"] is not True:
        raise CertificateRejected(f"cardinality and total size must be {sizes}; the file says {stated}")
    return said


def _verify_known_degree(content: Mapping[str, Json], known: Numbered) -> list[str]:
    """Check that a model of the degree fits and that no smaller degree does."""
    preferences, degree = known.preferences, whole(record(content["result"])["degree"])
    model = model_from(record(content["model"]), known)
    if model.degree > degree or degree > len(preferences.universe):
        raise CertificateRejected(f"the model has terms above the degree {degree}")
    check_model(model, preferences)
    said = [f"a model of degree {degree} satisfies {_all_pairs(preferences)}"]
    return said + _verify_degree_below(content, known, degree)


def _verify_degree_below(content: Mapping[str, Json], known: Numbered, degree: int) -> list[str]:
    """Check that no smaller degree fits."""
    if degree > 1:
        proof = record(content["proof"])
        multipliers = pairs_from(proof["multipliers"], known)
        if proof["below"] != degree - 1:
            raise CertificateRejected("the proof of impossibility is not about the degree below")
        check_impossible(known.preferences, multipliers, degree - 1)
        return [f"no model of degree {degree - 1} can: {len(multipliers)} multipliers cancel on all its terms"]
    if (degree == 1) != (known.preferences.pair_count > 0):
        raise CertificateRejected("the degree is 0 without statements and at least 1 with one")
    return []


def _verify_simplest(content: Mapping[str, Json], known: Numbered, progress: Callable[[int], None] | None) -> list[str]:
    """Check a result that lists the simplest thetas: every one fits, and no other is as simple."""
    preferences, found = known.preferences, simplest_from(content, known)
    result = record(content["result"])
    for family in found.families:
        if any(slot.value <= 0 for slot in family.slots):
            raise CertificateRejected("the size of a value must be positive")
        check_model(family.model, preferences)
        _check_members(family, preferences)
    said = [f"{plural(len(found.families), 'theta satisfies', 'thetas satisfy')} {_all_pairs(preferences)}"]
    if result["proven"] is not found.proven:
        raise CertificateRejected("the file says both that the thetas are proven simplest and that they are not")
    measures = {name: found.shared(name) for name in ("degree", "cardinality", "total_size")}
    if found.simplicity.least_degree and not found.families:
        said = _verify_known_degree(content, known)
        measures["degree"] = whole(result["degree"])
    if any(result[name] != value for name, value in measures.items()):
        raise CertificateRejected(f"the measures of the listed thetas are {measures}; the file says otherwise")
    if result["model_count"] != found.count:
        raise CertificateRejected(f"the listed families hold {found.count} thetas")
    if found.simplicity.least_degree and found.families:
        said += _verify_degree_below(content, known, measures["degree"] or 0)
    if not found.proven:
        return [*said, "the file does not claim that these are the simplest"]
    if found.clauses is None:
        return [*said, "that no theta is simpler, and that none is missing, was NOT checked: saved without proof"]
    best = measures[found.simplicity.measure]
    if found.lower_bound != best:
        raise CertificateRejected(f"the proven bound must be {best}")
    degree = measures["degree"] or 0
    nodes = check_complete(preferences, found.simplicity, degree, found.families, found.clauses, progress)
    many = plural(len(found.clauses), "clause leaves", "clauses leave")
    return [*said, f"these are exactly the simplest: {many} room for no other ({nodes:,} nodes searched)"]


def _verify_despite(content: Mapping[str, Json], known: Numbered, progress: Callable[[int], None] | None) -> list[str]:
    """Check a result learned despite errors: the repairs, that a degree less costs too much, each repair's result."""
    items, errors = Items(known.preferences), record(content["errors"])
    claim = repairs_from(record(errors["repaired"]), known)
    nodes = claim.check(items)
    many, cost = plural(len(claim.repairs), "repair", "repairs"), f"{number_text(claim.cost)}"
    said = [f"{many} at cost {cost} {'leaves' if len(claim.repairs) == 1 else 'leave'} statements that go together"]
    if claim.lower_bound == claim.cost:
        other = ", and there is no other as cheap" if claim.complete else ""
        groups = plural(len(claim.groups), "group of statements shows", "groups of statements show")
        said.append(f"{groups} that no repair is cheaper{other} ({nodes:,} nodes searched)")
    if errors["allowed"] is not None:
        said += _verify_allowed(items, claim, errors, known)
    elif claim.degree != len(known.preferences.universe):
        raise CertificateRejected("as few errors as possible are those at the highest degree")
    parts = list(map(record, series(content["parts"])))
    if not claim.repairs or len(parts) != len(claim.repairs):
        raise CertificateRejected("there must be one result per repair")
    for number, ((dropped, _), part) in enumerate(zip(claim.repairs, parts, strict=True), start=1):
        if (
            preferences_from(record(part["preferences"])) != items.without(dropped)
            or part["simplicity"] != content["simplicity"]
        ):
            raise CertificateRejected(f"the result of repair {number} is not about what the repair keeps")
        if "errors" in part:
            raise CertificateRejected(f"the result of repair {number} cannot have been learned despite errors itself")
        said += [f"repair {number}: {sentence}" for sentence in verify_document(part, f"repair {number}", progress)]
    return said


def _verify_allowed(items: Items, claim: RepairClaim, errors: Mapping[str, Json], known: Numbered) -> list[str]:
    allowed = fraction(errors["allowed"])
    if claim.cost > allowed:
        raise CertificateRejected(f"the repairs cost {claim.cost}, more than the {allowed} allowed")
    if claim.degree == 1:
        return []
    # The first files of version 2 claim it by giving the proof alone.
    if errors.get("smallest_degree", errors["below"] is not None) is not True:
        return ["the file does not claim that a smaller degree would cost more than is allowed"]
    below = repairs_from(record(errors["below"]), known)
    below.check(items)
    if below.degree != claim.degree - 1 or below.lower_bound <= allowed:
        raise CertificateRejected("that a smaller degree would cost more than is allowed is not shown")
    return [f"a model of degree {below.degree} would cost {number_text(below.lower_bound)} at least, more than allowed"]


def _check_members(family: Family, preferences: Preferences) -> None:
    """Reject members that say anything else of the stated pairs than the first of their slot, which fits."""
    for slot in family.slots:
        members = slot.members.terms if isinstance(slot.members, Listed) else slot.members.closed
        said = {tuple(s * row.over(t) for row in preferences.defining_rows) for t, s in members}
        if len(said) != 1 or any(not term for term, _ in members):
            raise CertificateRejected("terms listed as interchangeable say different things of the stated pairs")


def _all_pairs(preferences: Preferences) -> str:
    over = f"all {preferences.pair_count:,} stated pairs" if preferences.pair_count != 1 else "the stated pair"
    same = preferences.equal_count
    return over + (f" and {plural(same, 'statement of no difference', 'statements of no difference')}" if same else "")
