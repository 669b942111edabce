"""Saved results: the file they are in, its format, version and digest, and what the numbers in it stand for.

A saved file holds the preferences it was learned from, the answer, and the proof of the answer. How each part is
written down is the business of the rooms called plain, whether it is true that of :mod:`setpref.proofs.verification`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from fractions import Fraction

from setpref.arguments import checked_path
from setpref.data.files import load_json
from setpref.data.items import Items
from setpref.data.preferences import Preferences
from setpref.errors import BadDocument, BadTable, CertificateRejected
from setpref.proofs.plain import Json, record, whole
from setpref.proofs.plain_preferences import Key, Numbered, alternatives_from, items_from, preferences_from

__all__ = ["FORMAT", "VERSION", "numbered_from", "open_document", "sealed"]

FORMAT = "setpref-learned"
VERSION = 3  # 1 knew neither indifference nor errors; 1 and 2 list neither alternatives nor items; 3 is a draft
READ_VERSIONS = (1, 2, 3)


def sealed(document: Mapping[str, Json]) -> dict[str, Json]:
    """Return the document with its format, version and digest."""
    whole: dict[str, Json] = {"format": FORMAT, "version": VERSION, **document}
    return {**whole, "digest": _digest(whole)}


def _digest(document: Mapping[str, Json]) -> str:
    content = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def open_document(path: str | os.PathLike[str]) -> tuple[str, dict[str, Json]]:
    """Return the name and content of a saved result, if it is one of ours, whole, and of a version we read."""
    file = checked_path(path)
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
        raise BadDocument(
            f"{file.name} has format version {document.get('version')!r}; this setpref reads versions {_READABLE}"
        )
    if document.get("digest") != _digest(document):
        raise CertificateRejected(f"{file.name} was changed after it was saved: its digest does not match")
    return file.name, document


_READABLE = f"{', '.join(map(str, READ_VERSIONS[:-1]))} and {READ_VERSIONS[-1]}"


# -- what is numbered -----------------------------------------------------------------------------------------------


def numbered_from(document: Mapping[str, Json]) -> Numbered:
    """Return the preferences of a saved result, with what its numbers stand for."""
    plain = record(document["preferences"])
    preferences, errors = preferences_from(plain), document.get("errors")
    if whole(document["version"]) >= 3:
        items = () if errors is None else items_from(record(errors)["items"], Items(preferences))
        return Numbered(preferences, alternatives_from(plain["alternatives"], preferences), items)
    items = () if errors is None else tuple(map(Items(preferences).number.__getitem__, _items_before_3(preferences)))
    return Numbered(preferences, _alternatives_before_3(preferences), items)


# Versions 1 and 2 list nothing: their numbers follow the order that was derived when they were written. These two
# functions are that order and never change, whatever becomes of the order of alternatives and items elsewhere.


def _alternatives_before_3(preferences: Preferences) -> tuple[int, ...]:
    """Return the alternatives: the best rated first, those rated alike by size and then by mask, as all statements'."""
    if preferences.ratings is None:
        masks = {mask for s in preferences.statements for mask in (s.better, s.worse)}
        return tuple(sorted(masks, key=lambda mask: (mask.bit_count(), mask)))
    tier: dict[Fraction, int] = {}
    last: Fraction | None = None
    for rating in sorted(set(preferences.ratings.values()), reverse=True):
        alike = last is not None and last - rating <= preferences.tolerance
        tier[rating] = tier[last] if alike and last is not None else len(tier)
        last = rating
    rated = preferences.ratings.items()
    return tuple(mask for mask, _ in sorted(rated, key=lambda item: (tier[item[1]], item[0].bit_count(), item[0])))


def _items_before_3(preferences: Preferences) -> list[Key]:
    """Return the items as they were given first: sets that are rated, or statements."""
    if preferences.ratings is not None:
        return [((mask,), False) for mask in preferences.ratings]
    sides = (
        (min(s.better, s.worse), max(s.better, s.worse)) if s.same else (s.better, s.worse)
        for s in preferences.statements
    )
    return list(dict.fromkeys(zip(sides, (s.same for s in preferences.statements), strict=True)))
