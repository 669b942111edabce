"""Certificates of verdicts as plain data, and back: in names, so that each can be read and checked on its own."""

from __future__ import annotations

from collections.abc import Mapping

from setpref.errors import CertificateRejected
from setpref.model import KernelModel, Model, Utility
from setpref.proofs.plain import Json, Plain, number_from, number_to, record, series, text, whole
from setpref.proofs.plain_results import terms_from, terms_to
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
from setpref.universe import Universe

__all__ = ["certificate_from", "certificate_to", "joint_certificate_from"]


def certificate_to(proof: Proof | Unanimous | Divided, universe: Universe) -> Plain:
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
    proofs: Json = [
        {"multipliers": [[write(a), write(b), number_to(m)] for a, b, m in part.multipliers], "scale": part.scale}
        for part in parts
    ]
    if isinstance(proof, Equality):
        return {"kind": "equality", "proofs": proofs}
    return {"kind": "dominance", "better": write(proof.better), "worse": write(proof.worse), "proofs": proofs}


def _named_model(model: Utility, universe: Universe) -> Plain:
    if isinstance(model, Model):
        return {"terms": terms_to(model)}
    assert isinstance(model, KernelModel)
    coefficients = [[universe.write(mask), number_to(c)] for mask, c in model.coefficients.items()]
    return {"degree": model.degree, "coefficients": coefficients}


def certificate_from(plain: Mapping[str, Json], universe: Universe, robust: bool) -> Proof:
    """Return the certificate that :func:`certificate_to` wrote within an answer with its sets ``a`` and ``b``."""
    proof = record(plain["certificate"])
    first, second = universe.mask(text(plain["a"])), universe.mask(text(plain["b"]))
    if proof["kind"] == "disagreement":
        one, other = (_model_named(record(model), universe) for model in series(proof["models"]))
        return Disagreement(first, second, one, other)
    parts = [_sum_from(record(part), universe) for part in series(proof["proofs"])]
    if proof["kind"] == "equality":
        return Equality(first, second, tuple(parts))
    better, worse = universe.mask(text(proof["better"])), universe.mask(text(proof["worse"]))
    if robust:
        return RobustDominance(better, worse, tuple(parts))
    (part,) = parts
    return Dominance(better, worse, part.multipliers, part.scale)


def _sum_from(plain: Mapping[str, Json], universe: Universe) -> FamilyProof:
    mask, pairs = universe.mask, map(series, series(plain["multipliers"]))
    multipliers = tuple((mask(text(a)), mask(text(b)), number_from(m)) for a, b, m in pairs)
    return FamilyProof(multipliers, number_from(plain["scale"]))


def joint_certificate_from(plain: Mapping[str, Json], universe: Universe, robust: bool) -> Unanimous | Divided:
    """Return the certificate of a verdict after repairs."""
    proof = record(plain["certificate"])
    if proof["kind"] == "divided":
        models = map(record, series(proof["models"]))
        one, other = ((whole(model["repair"]), _model_named(model, universe)) for model in models)
        return Divided(universe.mask(text(plain["a"])), universe.mask(text(plain["b"])), one, other)
    parts = [certificate_from({**plain, "certificate": part}, universe, robust) for part in series(proof["repairs"])]
    if any(isinstance(part, Disagreement) for part in parts):
        raise CertificateRejected("a repair that knows nothing cannot agree")
    return Unanimous(tuple(part for part in parts if not isinstance(part, Disagreement)))


def _model_named(plain: Mapping[str, Json], universe: Universe) -> Model | KernelModel:
    if "terms" in plain:
        return terms_from(plain, universe)
    pairs = [(universe.mask(text(a)), number_from(c)) for a, c in map(series, series(plain["coefficients"]))]
    return KernelModel(universe, whole(plain["degree"]), dict(pairs))
