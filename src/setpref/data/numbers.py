"""Numbers as people write them, exact; counts with their nouns; limits that were asked for. No sets here."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational

from setpref.arguments import checked_whole, told
from setpref.errors import InputError

__all__ = ["checked_limit", "checked_share", "decimal", "exact_number", "number_text", "plural"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?|[+-]?\d+/0*[1-9]\d*", re.ASCII)


_LONGEST_NUMBER = 400


def exact_number(value: object) -> Fraction:
    """Return a number as the exact fraction it prints as: ``0.1`` is one tenth, however it was stored.

    Examples
    --------
    >>> exact_number("4.5"), exact_number(0.1), exact_number("1/3")
    (Fraction(9, 2), Fraction(1, 10), Fraction(1, 3))
    """
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = float(str(value)) if type(value).__name__ in ("float16", "float32") else value.item()
    if isinstance(value, (Integral, Rational)):
        return Fraction(value)
    if isinstance(value, (float, Decimal)):
        value = str(value)
    if isinstance(value, str):
        text = value.strip()
        if len(text) > _LONGEST_NUMBER:
            raise ValueError(f"a number of {len(text):,} characters is too long; {_LONGEST_NUMBER} are allowed")
        if _NUMBER.fullmatch(text):
            return Fraction(text)
        if text == "":
            raise ValueError("the number is missing")
        kind = "a finite number" if re.fullmatch(r"[+-]?(s?nan|inf(inity)?)", text, re.IGNORECASE) else "a number"
        raise ValueError(f"{text!r} is not {kind}{_number_hint(text)}")
    raise ValueError("the number is missing" if value is None else f"{told(value)} is not a number")


def number_text(number: Fraction) -> str:
    """Return a number of any size for a person, in a few digits where it is not whole or very long.

    Examples
    --------
    >>> number_text(Fraction(3)), number_text(Fraction(1, 3)), number_text(Fraction(10) ** 400)
    ('3', '0.333333', '1e+400')
    """
    if abs(number) < 10**15 and (number.denominator == 1 or abs(number) > Fraction(1, 10**4)):
        return str(number) if number.denominator == 1 else f"{float(number):.6g}"
    rounded = Decimal(f"{Decimal(number.numerator) / number.denominator:.6g}")
    return f"{rounded.normalize():g}"


def _number_hint(text: str) -> str:
    if "," in text:
        return " (the decimal sign is a point)"
    return " (exponents have three digits at most)" if re.fullmatch(r"[+-]?[\d.]+[eE][+-]?\d{4,}", text) else ""


def decimal(number: Fraction) -> str:
    """Return a number as the decimal it is.

    Examples
    --------
    >>> decimal(Fraction(7, 4)), decimal(Fraction(3)), decimal(Fraction(-1, 80))
    ('1.75', '3', '-0.0125')
    """
    left, places = number.denominator, 0
    for prime in (2, 5):
        count = 0
        while left % prime == 0:
            left, count = left // prime, count + 1
        places = max(places, count)
    if left != 1:
        raise InputError(f"{number} cannot be written as a decimal; give weights that can")
    if not places:
        return str(number.numerator)
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return f"{'-' * (number < 0)}{digits[:-places]}.{digits[-places:]}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def checked_limit(limit: object) -> int:
    """Return a limit on how many to list, or refuse it."""
    return min(checked_whole("the limit", limit), sys.maxsize)


def checked_share(share: object) -> Fraction:
    """Return a share from 0 to 1, or refuse it."""
    try:
        allowed = Fraction(str(share))
    except (ValueError, ZeroDivisionError):
        allowed = Fraction(-1)
    if not 0 <= allowed <= 1:
        given = share if isinstance(share, str) else told(share)
        raise InputError(f"the share is {given}; give a number from 0 to 1, such as 0.05")
    return allowed
