"""Plain data: what JSON can hold, read with care, and whole numbers of any size in it.

Every part of a saved result is written down in such values; the rooms beside this one say how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from setpref.errors import CertificateRejected
from setpref.model import Number

__all__ = ["Json", "Plain", "fraction", "number", "number_from", "number_to", "record", "series", "text", "whole"]

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Plain: TypeAlias = dict[str, Json]

_DECIMAL_DIGITS_AT_MOST = 2**13000
_KINDS = {type(None): "null", bool: "true or false", dict: "an object", list: "a list", str: "a text"}


def record(value: Json) -> Mapping[str, Json]:
    """Return an object of the document, or refuse what is none."""
    if not isinstance(value, Mapping):
        raise TypeError(f"an object is missing where there is {_kind(value)}")
    return value


def series(value: Json) -> Sequence[Json]:
    """Return a list of the document, or refuse what is none."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"a list is missing where there is {_kind(value)}")
    return value


def text(value: Json) -> str:
    """Return a text of the document, or refuse what is none."""
    if not isinstance(value, str):
        raise TypeError(f"a text is missing where there is {_kind(value)}")
    return value


def number(value: Json) -> int | float:
    """Return a number of the document, or refuse what is none."""
    if not isinstance(value, (int, float)):
        raise TypeError(f"a number is missing where there is {_kind(value)}")
    return value


def fraction(value: Json) -> Fraction:
    """Return an exact number of the document, which is written as text."""
    try:
        return Fraction(text(value))
    except ZeroDivisionError:
        raise CertificateRejected(f"{value} is not a number") from None


def _kind(value: Json) -> str:
    return _KINDS.get(type(value), "a number")


def whole(value: Json) -> int:
    """Return a whole number of the document, or reject what is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise CertificateRejected(f"{value!r} is not a whole number")
    return value


def number_to(value: Number) -> int | str:
    """Write whole numbers as JSON numbers while every JSON reader keeps them exact, else as text."""
    exact = int(value)
    if abs(exact) < 2**53:
        return exact
    return str(exact) if abs(exact) < _DECIMAL_DIGITS_AT_MOST else hex(exact)


def number_from(value: Json) -> int:
    """Return the whole number that :func:`number_to` wrote."""
    if isinstance(value, str):
        return int(value, 16) if "x" in value else int(value)
    return whole(value)
