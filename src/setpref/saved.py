"""Saved results: the document, its version and digest, and the check of everything it claims.

A saved file holds the preferences it was learned from, the answer, and the proof of the answer.
:func:`verify` re-checks all of it in whole numbers. Like the checks it calls, this room imports no solver: the
check can be repeated years later by anyone with a Python interpreter.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from setpref.certificates import WeightedPair, check_impossible, check_model
from setpref.errors import BadDocument, BadTable, CertificateRejected
from setpref.files import load_json
from setpref.model import KernelModel, Model
from setpref.preferences import COLLISIONS, Collisions, Preferences, Statement
from setpref.terms import count_terms, total_size_up_to
from setpref.universe import Universe

__all__ = [
    "FORMAT",
    "VERSION",
    "model_from",
    "model_to",
    "open_document",
    "pairs_from",
    "pairs_to",
    "preferences_from",
    "preferences_to",
    "sealed",
    "verify",
    "verify_document",
]

FORMAT = "setpref-learned"
VERSION = 1
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
    if document.get("version") != VERSION:
        raise BadDocument(
            f"{file.name} has format version {document.get('version')!r}; this setpref reads version {VERSION}"
        )
    if document.get("digest") != _digest(document):
        raise CertificateRejected(f"{file.name} was changed after it was saved: its digest does not match")
    return file.name, document


def verify(path: str | os.PathLike[str]) -> list[str]:
    """Check every claim of a saved result in whole numbers and return what was checked, one sentence each.

    Raises
    ------
    CertificateRejected
        If anything does not hold.
    """
    name, document = open_document(path)
    return ["the file is as it was saved (digest)", *verify_document(document, name)]


def verify_document(document: Mapping[str, Any], name: str = "the document") -> list[str]:
    """Check the content of a saved result; the digest is not looked at, only the truth of the claims."""
    try:
        return _verify_degree(document, preferences_from(document["preferences"]))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise CertificateRejected(f"{name} is damaged: {type(error).__name__}: {error}") from None


def _verify_degree(content: Mapping[str, Any], preferences: Preferences) -> list[str]:
    """Check a result for the simplicity ``deg``: the model fits, one degree lower nothing does."""
    result = content["result"]
    if content["simplicity"] != "deg":
        raise CertificateRejected(f"the simplicity {content['simplicity']!r} is not known")
    degree = _whole(result["degree"])
    model = model_from(content["model"], preferences)
    if model.degree > degree or degree > len(preferences.universe):
        raise CertificateRejected(f"the model has terms above the degree {degree}")
    check_model(model, preferences)
    said = [f"a model of degree {degree} satisfies all {preferences.pair_count:,} stated pairs"]
    if degree > 1:
        multipliers = pairs_from(content["proof"]["multipliers"], preferences)
        if content["proof"]["below"] != degree - 1:
            raise CertificateRejected("the proof of impossibility is not about the degree below")
        check_impossible(preferences, multipliers, degree - 1)
        said.append(f"no model of degree {degree - 1} can: {len(multipliers)} multipliers cancel on all its terms")
    elif degree == 1 and not preferences.pair_count:
        raise CertificateRejected("without any statement the degree is 0")
    elif degree == 0 and preferences.pair_count:
        raise CertificateRejected("statements need a degree of at least 1")
    elements = len(preferences.universe)
    sizes = count_terms(elements, degree), total_size_up_to(elements, degree)
    stated = result["cardinality"], result["total_size"]
    if stated not in (sizes, (None, None)) or result["proven"] is not True:
        raise CertificateRejected(f"cardinality and total size must be {sizes}; the file says {stated}")
    return said


def preferences_to(preferences: Preferences) -> dict[str, Any]:
    """Return preferences as plain data."""
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
    else:
        plain["statements"] = [
            {
                "better": write(s.better),
                "worse": write(s.worse),
                "weight": str(s.weight),
                "id": s.id,
                "position": s.position,
            }
            for s in preferences.statements
        ]
    return plain


def preferences_from(plain: Mapping[str, Any]) -> Preferences:
    """Return the preferences that :func:`preferences_to` wrote."""
    universe = Universe(tuple(plain["universe"]))
    about = {"source": plain["source"], "word": plain["word"], "given": _whole(plain["given"])}
    if "ratings" in plain:
        ratings = {universe.mask(written): Fraction(rating) for written, rating in plain["ratings"]}
        if len(ratings) != len(plain["ratings"]) or plain["collisions"]["policy"] not in COLLISIONS:
            raise CertificateRejected("a set is rated twice in the saved file")
        return Preferences(universe, (), ratings, Collisions(**plain["collisions"]), **about)
    statements = tuple(
        Statement(
            universe.mask(s["better"]),
            universe.mask(s["worse"]),
            Fraction(s["weight"]),
            s["id"],
            _whole(s["position"]),
        )
        for s in plain["statements"]
    )
    return Preferences(universe, statements, **about)


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
    return KernelModel(universe, _whole(plain["degree"]), dict(pairs))


def pairs_to(multipliers: tuple[WeightedPair, ...], preferences: Preferences) -> list[list[Any]]:
    """Return weighted pairs as [better, worse, multiplier], the sets by their number."""
    number = {mask: i for i, mask in enumerate(preferences.alternatives)}
    return [[number[a], number[b], _number_to(m)] for a, b, m in multipliers]


def pairs_from(plain: Any, preferences: Preferences) -> tuple[WeightedPair, ...]:
    """Return the weighted pairs that :func:`pairs_to` wrote."""
    masks = preferences.alternatives
    return tuple((masks[_index(a, masks)], masks[_index(b, masks)], _number_from(m)) for a, b, m in plain)


def _index(value: Any, masks: tuple[int, ...]) -> int:
    if not 0 <= _whole(value) < len(masks):
        raise CertificateRejected(f"there is no alternative number {value}")
    return int(value)


def _whole(value: Any) -> int:
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
    return _whole(value)
