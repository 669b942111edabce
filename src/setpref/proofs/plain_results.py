"""What is claimed of preferences as plain data, and back: models, multipliers, simplest thetas, repairs.

Alternatives and items are numbered: what the numbers stand for is listed with the preferences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected, UnknownOption
from setpref.families import Clause, Family, Generated, Listed, SignedTerm, Simplest, Slot
from setpref.model import KernelModel, Model
from setpref.proofs.certificates import WeightedPair
from setpref.proofs.plain import Json, Plain, fraction, number, number_from, number_to, record, series, text, whole
from setpref.proofs.plain_preferences import Numbered
from setpref.proofs.repairs import Conflict, RepairClaim
from setpref.rows import Weighted
from setpref.simplicity import Simplicity, simplicity_of
from setpref.universe import Universe

__all__ = [
    "model_from",
    "model_to",
    "pairs_from",
    "pairs_to",
    "repairs_from",
    "repairs_to",
    "simplest_from",
    "simplest_to",
    "simplicity_from",
    "terms_from",
    "terms_to",
]


# -- models and multipliers --------------------------------------------------------------------------------------------


def pairs_to(multipliers: Sequence[Weighted], preferences: Preferences) -> list[list[int | str]]:
    """Return weighted pairs as [better, worse, multiplier], the sets by their number."""
    return _numbered_pairs(multipliers, _numbers(preferences))


def _numbers(preferences: Preferences) -> dict[int, int]:
    return {mask: i for i, mask in enumerate(preferences.alternatives)}


def _numbered_pairs(multipliers: Sequence[Weighted], number: Mapping[int, int]) -> list[list[int | str]]:
    pairs = [weighted for weighted in multipliers if len(weighted) == 3]
    return [[number[a], number[b], number_to(m)] for a, b, m in pairs]


def pairs_from(plain: Json, known: Numbered) -> tuple[WeightedPair, ...]:
    """Return the weighted pairs that :func:`pairs_to` wrote."""
    return tuple((known.mask(a), known.mask(b), number_from(m)) for a, b, m in map(series, series(plain)))


def model_to(model: Model | KernelModel, preferences: Preferences) -> Plain:
    """Return a model as plain data; kernel coefficients refer to alternatives by their number."""
    if isinstance(model, Model):
        return {"terms": terms_to(model)}
    number = _numbers(preferences)
    coefficients = [[number[mask], number_to(c)] for mask, c in model.coefficients.items()]
    return {"degree": model.degree, "coefficients": coefficients}


def model_from(plain: Mapping[str, Json], known: Numbered) -> Model | KernelModel:
    """Return the model that :func:`model_to` wrote."""
    universe = known.preferences.universe
    if "terms" in plain:
        return terms_from(plain, universe)
    pairs = [(known.mask(i), number_from(c)) for i, c in map(series, series(plain["coefficients"]))]
    if len(dict(pairs)) < len(pairs):
        raise CertificateRejected("an alternative has two coefficients")
    return KernelModel(universe, whole(plain["degree"]), dict(pairs))


def terms_to(model: Model) -> dict[str, int | str]:
    return {model.universe.write(term): number_to(value) for term, value in model.values.items()}


def terms_from(plain: Mapping[str, Json], universe: Universe) -> Model:
    return Model(universe, {universe.mask(t): number_from(v) for t, v in record(plain["terms"]).items()})


# -- simplest thetas ---------------------------------------------------------------------------------------------------


def simplest_to(found: Simplest, clauses: Sequence[Clause] | None, preferences: Preferences) -> Plain:
    """Return simplest thetas as plain data, with clauses that prove them complete."""
    write, number = preferences.universe.write, _numbers(preferences)
    families: list[Json] = []
    for family in found.families:
        slots: list[Json] = []
        for slot in family.slots:
            kind, terms = (
                ("members", slot.members.terms) if isinstance(slot.members, Listed) else ("closed", slot.members.closed)
            )
            slots.append({"value": number_to(slot.value), kind: [[write(t), s] for t, s in terms]})
        families.append(slots)
    return {
        "families": families,
        "proven": found.proven,
        "lower_bound": found.lower_bound,
        "statistics": found.statistics,
        "proof_size": _proof_size(clauses),
        "clauses": None if clauses is None else [_numbered_pairs(clause, number) for clause in clauses],
    }


def _proof_size(clauses: Sequence[Clause] | None) -> str:
    """Say in the file how large its proof is."""
    if clauses is None:
        return "no proof of completeness"
    return f"{len(clauses):,} clauses with {sum(map(len, clauses)):,} multipliers"


def simplest_from(content: Mapping[str, Json], known: Numbered) -> Simplest:
    """Return the simplest thetas that :func:`simplest_to` wrote."""
    plain, universe = record(content["simplest"]), known.preferences.universe
    families = []
    for slots in series(plain["families"]):
        made = []
        for slot in map(record, series(slots)):
            terms = tuple(_signed_term(term, universe) for term in series(slot.get("members") or slot["closed"]))
            members = Listed(terms) if "members" in slot else Generated(terms, known.preferences.alternatives)
            made.append(Slot(members, number_from(slot["value"])))
        families.append(Family(universe, tuple(made)))
    clauses = plain["clauses"]
    return Simplest(
        simplicity_from(content),
        tuple(families),
        plain["proven"] is True,
        whole(plain["lower_bound"]),
        None if clauses is None else tuple(pairs_from(clause, known) for clause in series(clauses)),
        {name: number(value) for name, value in record(plain["statistics"]).items()},
    )


def simplicity_from(content: Mapping[str, Json]) -> Simplicity:
    """Return what a saved result calls simplest."""
    try:
        return simplicity_of(text(content["simplicity"]))
    except UnknownOption as error:
        raise CertificateRejected(f"the simplicity {error.given!r} is not known") from None


def _signed_term(plain: Json, universe: Universe) -> SignedTerm:
    term, sign = series(plain)
    if sign not in (1, -1):
        raise CertificateRejected(f"{sign!r} is not a sign")
    return universe.mask(text(term)), whole(sign)


# -- repairs -----------------------------------------------------------------------------------------------------------


def repairs_to(claim: RepairClaim, preferences: Preferences) -> Plain:
    """Return what is claimed of repairs as plain data, with the groups that prove it; items are numbered."""
    number = _numbers(preferences)
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
            {"items": list(group.items), "multipliers": _numbered_pairs(group.multipliers, number)}
            for group in claim.groups
        ],
    }


def repairs_from(plain: Mapping[str, Json], known: Numbered) -> RepairClaim:
    """Return what :func:`repairs_to` wrote."""
    found = []
    for repair in map(record, series(plain["repairs"])):
        model = None if repair["model"] is None else model_from(record(repair["model"]), known)
        found.append((tuple(sorted(map(known.item, series(repair["dropped"])))), model))
    groups = tuple(
        Conflict(tuple(map(known.item, series(group["items"]))), pairs_from(group["multipliers"], known))
        for group in map(record, series(plain["groups"]))
    )
    costs = fraction(plain["cost"]), fraction(plain["lower_bound"])
    return RepairClaim(whole(plain["degree"]), tuple(found), *costs, plain["complete"] is True, groups)
