"""Preferences as plain data, and back, with lists of what is numbered elsewhere: alternatives, and items given up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from setpref.data.items import Items
from setpref.data.preferences import Preferences
from setpref.data.statements import COLLISIONS, Collisions, Statement
from setpref.errors import CertificateRejected
from setpref.proofs.plain import Json, Plain, fraction, record, series, text, whole
from setpref.universe import Universe

__all__ = ["Key", "Numbered", "alternatives_from", "items_from", "items_to", "preferences_from", "preferences_to"]

Key: TypeAlias = tuple[tuple[int, ...], bool]  # what an item says: its sets, and whether that is "no difference"

_COLLIDED = ("repeated_sets", "conflicting_sets", "ratings_in_conflict")
_RELATIONS = {">": False, "~": True}


def preferences_to(preferences: Preferences) -> Plain:
    """Return preferences as plain data, with a list of the alternatives that numbers stand for elsewhere."""
    preferences.check_of_pairs("a saved file")
    write = preferences.universe.write
    plain: Plain = {
        "universe": list(preferences.universe.names),
        "source": preferences.source,
        "word": preferences.word,
        "given": preferences.given,
        "alternatives": [write(mask) for mask in preferences.alternatives],
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


def preferences_from(plain: Mapping[str, Json]) -> Preferences:
    """Return the preferences that :func:`preferences_to` wrote."""
    universe = Universe(tuple(map(text, series(plain["universe"]))))
    source, word, given = text(plain["source"]), text(plain["word"]), whole(plain["given"])
    if "ratings" not in plain:
        return Preferences(
            universe,
            tuple(_statement_from(record(statement), universe) for statement in series(plain["statements"])),
            source=source,
            word=word,
            given=given,
            contradictory=text(plain.get("contradictions", "error")),
        )
    rated = [(universe.mask(text(a)), fraction(rating)) for a, rating in map(series, series(plain["ratings"]))]
    ratings, collisions = dict(rated), record(plain["collisions"])
    if len(ratings) != len(rated) or collisions["policy"] not in COLLISIONS:
        raise CertificateRejected("a set is rated twice in the saved file")
    places = plain.get("places", [()] * len(rated))
    return Preferences(
        universe,
        (),
        ratings,
        Collisions(text(collisions["policy"]), *(whole(collisions[name]) for name in _COLLIDED)),
        source,
        word,
        given,
        text(plain.get("ties", "ignore")),
        fraction(plain.get("tolerance", "0")),
        places={mask: tuple(map(whole, series(p))) for mask, p in zip(ratings, series(places), strict=True)},
    )


def _statement_from(plain: Mapping[str, Json], universe: Universe) -> Statement:
    name, word = plain["id"], plain.get("word")
    return Statement.of_pair(
        universe.mask(text(plain["better"])),
        universe.mask(text(plain["worse"])),
        same=_RELATIONS[text(plain.get("relation", ">"))],
        weight=fraction(plain["weight"]),
        id=None if name is None else text(name),
        position=whole(plain["position"]),
        word=None if word is None else text(word),
    )


# -- what is numbered --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbered:
    """The preferences of a document, and what the numbers in it stand for.

    Attributes
    ----------
    alternatives : tuple of int
        The mask of each numbered alternative.
    items : tuple of int
        The place of each numbered item among all items of the preferences; nothing unless something was given up.
    """

    preferences: Preferences
    alternatives: tuple[int, ...]
    items: tuple[int, ...] = ()

    def mask(self, number: Json) -> int:
        """Return the alternative of a number."""
        return self.alternatives[self._place(number, self.alternatives, "alternative")]

    def item(self, number: Json) -> int:
        """Return the item of a number."""
        return self.items[self._place(number, self.items, "item")]

    def _place(self, number: Json, known: Sequence[int], what: str) -> int:
        if not 0 <= whole(number) < len(known):
            raise CertificateRejected(f"there is no {what} number {number}")
        return whole(number)


def alternatives_from(plain: Json, preferences: Preferences) -> tuple[int, ...]:
    """Return the listed alternatives, each of which must be compared, and each that is compared be listed once."""
    listed = tuple(preferences.universe.mask(text(written)) for written in series(plain))
    if sorted(listed) != sorted(preferences.alternatives):
        raise CertificateRejected("the alternatives listed are not those that are compared, each of them once")
    return listed


def items_to(items: Items) -> list[list[str]]:
    """Return items as they are written: a rated set alone, or a statement with its relation in between."""
    write = items.preferences.universe.write
    return [
        [write(item.sets[0]), *(["~" if item.same else ">", write(item.sets[1])] if len(item.sets) > 1 else [])]
        for item in items
    ]


def items_from(plain: Json, items: Items) -> tuple[int, ...]:
    """Return the places of the listed items; each that there is must be listed, once."""
    mask = items.preferences.universe.mask
    keys: list[Key] = []
    for written in series(plain):
        first, *rest = map(text, series(written))
        if not rest:
            keys.append(((mask(first),), False))
            continue
        relation, second = rest
        same = _RELATIONS[relation]
        sides = sorted((mask(first), mask(second))) if same else (mask(first), mask(second))
        keys.append((tuple(sides), same))
    if len(keys) != len(items) or set(keys) != items.number.keys():
        raise CertificateRejected("the items listed are not those that were stated, each of them once")
    return tuple(items.number[key] for key in keys)
