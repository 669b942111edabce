"""Saved results: the document, its version and digest, and how each part becomes plain data and back.

A saved file holds the preferences it was learned from, the answer, and the proof of the answer; what is claimed there
is checked in :mod:`setpref.proofs.verification`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from setpref.data.files import load_json
from setpref.data.preferences import Preferences
from setpref.data.statements import COLLISIONS, Collisions, Statement
from setpref.errors import BadDocument, BadTable, CertificateRejected, UnknownOption
from setpref.families import Family, Generated, Listed, Simplest, Slot
from setpref.model import KernelModel, Model, Utility
from setpref.proofs.certificates import WeightedPair
from setpref.proofs.repairs import Group, RepairClaim
from setpref.proofs.verdicts import (
    Disagreement,
    Divided,
    Dominance,
    Equality,
    FamilyProof,
    Proof,
    RobustDominance,
    Unanimous,
)
from setpref.rows import Weighted
from setpref.simplicity import Simplicity, simplicity_of
from setpref.universe import Universe

__all__ = [
    "FORMAT",
    "VERSION",
    "certificate_from",
    "certificate_to",
    "joint_certificate_from",
    "model_from",
    "model_to",
    "open_document",
    "pairs_from",
    "pairs_to",
    "preferences_from",
    "preferences_to",
    "repairs_from",
    "repairs_to",
    "sealed",
    "simplest_from",
    "simplest_to",
    "simplicity_from",
    "whole",
]

FORMAT = "setpref-learned"
VERSION = 2  # 1 knew neither indifference nor errors
READ_VERSIONS = (1, 2)

_DECIMAL_DIGITS_AT_MOST = 2**13000


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with its format, version and digest."""
    whole = {"format": FORMAT, "version": VERSION, **document}
    return {**whole, "digest": _digest(whole)}


def _digest(document: Mapping[str, Any]) -> str:
    content = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def open_document(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Return the name and content of a saved result, if it is one of ours, whole, and of a version we read."""
    file = Path(path)
    if not file.is_file():
        raise BadDocument(f"{path}: there is no such file; make one with: setpref learn DATA --out {file.name}")
    try:
        document = load_json(file)
    except OSError as error:
        raise BadDocument(f"{path} cannot be read: {error.strerror or error}") from None
    except BadTable as error:
        raise BadDocument(f"{error}; a saved result is made with: setpref learn DATA --out FILE") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadDocument(
            f"{file.name} is not a saved result of setpref; make one with: setpref learn DATA --out {file.name}"
        )
    if document.get("version") not in READ_VERSIONS:
        readable = " and ".join(map(str, READ_VERSIONS))
        raise BadDocument(
            f"{file.name} has format version {document.get('version')!r}; this setpref reads versions {readable}"
        )
    if document.get("digest") != _digest(document):
        raise CertificateRejected(f"{file.name} was changed after it was saved: its digest does not match")
    return file.name, document


def simplest_to(found: Simplest, preferences: Preferences, proof: bool = True) -> dict[str, Any]:
    """Return simplest thetas as plain data, with the clauses that prove them complete."""
    write = preferences.universe.write
    families = []
    for family in found.families:
        slots = []
        for slot in family.slots:
            kind, terms = (
                ("members", slot.members.terms) if isinstance(slot.members, Listed) else ("closed", slot.members.closed)
            )
            slots.append({"value": _number_to(slot.value), kind: [[write(t), s] for t, s in terms]})
        families.append(slots)
    clauses = found.clauses if proof else None
    return {
        "families": families,
        "proven": found.proven,
        "lower_bound": found.lower_bound,
        "statistics": found.statistics,
        "proof_size": _proof_size(clauses),
        "clauses": None if clauses is None else [pairs_to(clause, preferences) for clause in clauses],
    }


def _proof_size(clauses: Sequence[Sequence[Weighted]] | None) -> str:
    """Say in the file how large its proof is."""
    if clauses is None:
        return "no proof of completeness"
    return f"{len(clauses):,} clauses with {sum(map(len, clauses)):,} multipliers"


def simplest_from(content: Mapping[str, Any], preferences: Preferences) -> Simplest:
    """Return the simplest thetas that :func:`simplest_to` wrote."""
    plain = content["simplest"]
    universe = preferences.universe
    families = []
    for slots in plain["families"]:
        made = []
        for slot in slots:
            terms = tuple((universe.mask(t), _sign(s)) for t, s in slot.get("members") or slot["closed"])
            members = Listed(terms) if "members" in slot else Generated(terms, preferences.alternatives)
            made.append(Slot(members, _number_from(slot["value"])))
        families.append(Family(universe, tuple(made)))
    clauses = plain["clauses"]
    listed = None if clauses is None else tuple(pairs_from(clause, preferences) for clause in clauses)
    return Simplest(
        simplicity_from(content),
        tuple(families),
        plain["proven"] is True,
        whole(plain["lower_bound"]),
        None if listed is None else lambda: listed,
        dict(plain["statistics"]),
    )


def simplicity_from(content: Mapping[str, Any]) -> Simplicity:
    """Return what a saved result calls simplest."""
    try:
        return simplicity_of(content["simplicity"])
    except UnknownOption as error:
        raise CertificateRejected(f"the simplicity {error.given!r} is not known") from None


def _sign(value: Any) -> int:
    if value not in (1, -1):
        raise CertificateRejected(f"{value!r} is not a sign")
    return int(value)


def preferences_to(preferences: Preferences) -> dict[str, Any]:
    """Return preferences as plain data."""
    preferences.check_of_pairs("a saved file")
    write = preferences.universe.write
    plain: dict[str, Any] = {
        "universe": list(preferences.universe.names),
        "source": preferences.source,
        "word": preferences.word,
        "given": preferences.given,
    }
    if preferences.ratings is not None and preferences.collisions is not None:
        plain["ratings"] = [[write(mask), str(rating)] for mask, rating in preferences.ratings.items()]
        plain["collisions"] = dict(vars(preferences.collisions))
        plain["places"] = [list(preferences.places.get(mask, ())) for mask in preferences.ratings]
        plain["ties"], plain["tolerance"] = preferences.ties, str(preferences.tolerance)
    else:
        plain["statements"] = [
            {
                "better": write(s.better),
                "worse": write(s.worse),
                "weight": str(s.weight),
                "id": s.id,
                "position": s.position,
                "relation": "~" if s.same else ">",
                "word": s.word,
            }
            for s in preferences.statements
        ]
        plain["contradictions"] = preferences.contradictory
    return plain


def preferences_from(plain: Mapping[str, Any]) -> Preferences:
    """Return the preferences that :func:`preferences_to` wrote."""
    universe = Universe(tuple(plain["universe"]))
    about = {"source": plain["source"], "word": plain["word"], "given": whole(plain["given"])}
    if "ratings" in plain:
        ratings = {universe.mask(written): Fraction(rating) for written, rating in plain["ratings"]}
        if len(ratings) != len(plain["ratings"]) or plain["collisions"]["policy"] not in COLLISIONS:
            raise CertificateRejected("a set is rated twice in the saved file")
        about["ties"], about["tolerance"] = plain.get("ties", "ignore"), Fraction(plain.get("tolerance", 0))
        positions = plain.get("places", [()] * len(ratings))
        about["places"] = {mask: tuple(map(whole, p)) for mask, p in zip(ratings, positions, strict=True)}
        return Preferences(universe, (), ratings, Collisions(**plain["collisions"]), **about)
    statements = tuple(
        Statement.of_pair(
            universe.mask(s["better"]),
            universe.mask(s["worse"]),
            same={">": False, "~": True}[s.get("relation", ">")],
            weight=Fraction(s["weight"]),
            id=s["id"],
            position=whole(s["position"]),
            word=s.get("word"),
        )
        for s in plain["statements"]
    )
    return Preferences(universe, statements, **about, contradictory=plain.get("contradictions", "error"))


def model_to(model: Model | KernelModel, preferences: Preferences) -> dict[str, Any]:
    """Return a model as plain data; kernel coefficients refer to alternatives by their number."""
    if isinstance(model, Model):
        return {"terms": {model.universe.write(t): _number_to(v) for t, v in model.values.items()}}
    number = {mask: i for i, mask in enumerate(preferences.alternatives)}
    coefficients = [[number[mask], _number_to(c)] for mask, c in model.coefficients.items()]
    return {"degree": model.degree, "coefficients": coefficients}


def model_from(plain: Mapping[str, Any], preferences: Preferences) -> Model | KernelModel:
    """Return the model that :func:`model_to` wrote."""
    universe = preferences.universe
    if "terms" in plain:
        return Model(universe, {universe.mask(t): _number_from(v) for t, v in plain["terms"].items()})
    masks = preferences.alternatives
    pairs = [(masks[_index(i, masks)], _number_from(c)) for i, c in plain["coefficients"]]
    if len(dict(pairs)) < len(pairs):
        raise CertificateRejected("an alternative has two coefficients")
    return KernelModel(universe, whole(plain["degree"]), dict(pairs))


def certificate_to(proof: Proof | Unanimous | Divided, universe: Universe) -> dict[str, Any]:
    """Return the certificate of a verdict as plain data, in names."""
    write = universe.write
    if isinstance(proof, Unanimous):
        return {"kind": "unanimous", "repairs": [certificate_to(part, universe) for part in proof.proofs]}
    if isinstance(proof, Divided):
        models = [{"repair": i, **_named_model(model, universe)} for i, model in (proof.for_first, proof.for_second)]
        return {"kind": "divided", "models": models}
    if isinstance(proof, Disagreement):
        models = [_named_model(model, universe) for model in (proof.for_first, proof.for_second)]
        return {"kind": "disagreement", "models": models}
    parts = [proof] if isinstance(proof, Dominance) else list(proof.proofs)
    proofs = [
        {"multipliers": [[write(a), write(b), _number_to(m)] for a, b, m in part.multipliers], "scale": part.scale}
        for part in parts
    ]
    if isinstance(proof, Equality):
        return {"kind": "equality", "proofs": proofs}
    return {"kind": "dominance", "better": write(proof.better), "worse": write(proof.worse), "proofs": proofs}


def _named_model(model: Utility, universe: Universe) -> dict[str, Any]:
    if isinstance(model, Model):
        return {"terms": {universe.write(t): _number_to(v) for t, v in model.values.items()}}
    assert isinstance(model, KernelModel)
    coefficients = [[universe.write(mask), _number_to(c)] for mask, c in model.coefficients.items()]
    return {"degree": model.degree, "coefficients": coefficients}


def certificate_from(plain: Mapping[str, Any], universe: Universe, robust: bool) -> Proof:
    """Return the certificate that :func:`certificate_to` wrote within an answer with its sets ``a`` and ``b``."""
    mask, proof = universe.mask, plain["certificate"]
    if proof["kind"] == "disagreement":
        first, second = (_model_named(model, universe) for model in proof["models"])
        return Disagreement(mask(plain["a"]), mask(plain["b"]), first, second)
    parts = [
        (tuple((mask(a), mask(b), _number_from(m)) for a, b, m in part["multipliers"]), _number_from(part["scale"]))
        for part in proof["proofs"]
    ]
    if proof["kind"] == "equality":
        return Equality(mask(plain["a"]), mask(plain["b"]), tuple(FamilyProof(*part) for part in parts))
    better, worse = mask(proof["better"]), mask(proof["worse"])
    if robust:
        return RobustDominance(better, worse, tuple(FamilyProof(*part) for part in parts))
    ((multipliers, scale),) = parts
    return Dominance(better, worse, multipliers, scale)


def joint_certificate_from(plain: Mapping[str, Any], universe: Universe, robust: bool) -> Unanimous | Divided:
    """Return the certificate of a verdict after repairs."""
    proof = plain["certificate"]
    if proof["kind"] == "divided":
        first, second = ((whole(model["repair"]), _model_named(model, universe)) for model in proof["models"])
        return Divided(universe.mask(plain["a"]), universe.mask(plain["b"]), first, second)
    parts = [certificate_from({**plain, "certificate": part}, universe, robust) for part in proof["repairs"]]
    if any(isinstance(part, Disagreement) for part in parts):
        raise CertificateRejected("a repair that knows nothing cannot agree")
    return Unanimous(tuple(part for part in parts if not isinstance(part, Disagreement)))


def _model_named(plain: Mapping[str, Any], universe: Universe) -> Model | KernelModel:
    if "terms" in plain:
        return Model(universe, {universe.mask(t): _number_from(v) for t, v in plain["terms"].items()})
    coefficients = {universe.mask(a): _number_from(c) for a, c in plain["coefficients"]}
    return KernelModel(universe, whole(plain["degree"]), coefficients)


def repairs_to(claim: RepairClaim, preferences: Preferences) -> dict[str, Any]:
    """Return what is claimed of repairs as plain data, with the groups that prove it."""
    return {
        "degree": claim.degree,
        "cost": str(claim.cost),
        "lower_bound": str(claim.lower_bound),
        "complete": claim.complete,
        "repairs": [
            {"dropped": list(dropped), "model": None if model is None else model_to(model, preferences)}
            for dropped, model in claim.repairs
        ],
        "groups": [
            {"items": list(group.items), "multipliers": pairs_to(group.multipliers, preferences)}
            for group in claim.groups
        ],
    }


def repairs_from(plain: Mapping[str, Any], preferences: Preferences) -> RepairClaim:
    """Return what :func:`repairs_to` wrote."""
    found = []
    for repair in plain["repairs"]:
        model = None if repair["model"] is None else model_from(repair["model"], preferences)
        found.append((tuple(map(whole, repair["dropped"])), model))
    groups = tuple(
        Group(tuple(map(whole, group["items"])), pairs_from(group["multipliers"], preferences))
        for group in plain["groups"]
    )
    costs = Fraction(plain["cost"]), Fraction(plain["lower_bound"])
    return RepairClaim(whole(plain["degree"]), tuple(found), *costs, plain["complete"] is True, groups)


def pairs_to(multipliers: Sequence[Weighted], preferences: Preferences) -> list[list[Any]]:
    """Return weighted pairs as [better, worse, multiplier], the sets by their number."""
    number = {mask: i for i, mask in enumerate(preferences.alternatives)}
    pairs = [weighted for weighted in multipliers if len(weighted) == 3]
    return [[number[a], number[b], _number_to(m)] for a, b, m in pairs]


def pairs_from(plain: Any, preferences: Preferences) -> tuple[WeightedPair, ...]:
    """Return the weighted pairs that :func:`pairs_to` wrote."""
    masks = preferences.alternatives
    return tuple((masks[_index(a, masks)], masks[_index(b, masks)], _number_from(m)) for a, b, m in plain)


def _index(value: Any, masks: tuple[int, ...]) -> int:
    if not 0 <= whole(value) < len(masks):
        raise CertificateRejected(f"there is no alternative number {value}")
    return int(value)


def whole(value: Any) -> int:
    """Return a whole number of the document, or reject what is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CertificateRejected(f"{value!r} is not a whole number")
    return value


def _number_to(value: Any) -> int | str:
    """Write whole numbers as JSON numbers while every JSON reader keeps them exact, else as text."""
    if abs(value) < 2**53:
        return int(value)
    return str(value) if abs(value) < _DECIMAL_DIGITS_AT_MOST else hex(value)


def _number_from(value: Any) -> int:
    if isinstance(value, str):
        return int(value, 16) if "x" in value else int(value)
    return whole(value)
