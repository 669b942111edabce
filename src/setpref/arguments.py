"""What a caller gives where a number, a choice, a function or a file is asked for: returned, or refused in a sentence.

Sets, names and preferences are read elsewhere; here nothing is known of them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path

from setpref.errors import InputError, UnknownOption

__all__ = [
    "checked_choice",
    "checked_function",
    "checked_number",
    "checked_path",
    "checked_time",
    "checked_whole",
    "told",
]

_LONGEST = 60


def told(given: object) -> str:
    """Return what was given as a sentence can name it: in one short line.

    Examples
    --------
    >>> told("5"), told(1.5), told([0] * 100)
    ("'5'", '1.5', 'a value of type list')
    """
    text = str(given) if isinstance(given, Real) else " ".join(repr(given).split())
    plain = len(text) <= _LONGEST and type(given).__repr__ is not object.__repr__
    return text if plain else f"a value of type {type(given).__name__}"


def checked_choice(option: str, given: object, allowed: Iterable[str]) -> str:
    """Return one of the values that an option has, or refuse it."""
    known = tuple(allowed)
    if not isinstance(given, str) or given not in known:
        raise UnknownOption(option, given, known)
    return given


def checked_whole(what: str, given: object, least: int = 1, most: int | None = None, *, hint: str = "") -> int:
    """Return a whole number of any library, or refuse it.

    Examples
    --------
    >>> checked_whole("limit", 3)
    3
    """
    whole = isinstance(given, Integral) and not isinstance(given, bool)
    number = int(given) if whole and isinstance(given, Integral) else least - 1
    if number < least or (most is not None and number > most):
        upper = "up" if most is None else f"to {most}"
        raise InputError(f"{what} is {told(given)}; give a whole number from {least} {upper}{hint}")
    return number


def checked_number(
    what: str,
    given: object,
    wanted: str = "a number",
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
) -> float:
    """Return a finite number of any library, or refuse it.

    Parameters
    ----------
    wanted
        What to give, as the sentence ends.
    above, least, most
        What it must be larger than, and the smallest and largest it may be.

    Examples
    --------
    >>> checked_number("the share", 0.5, "a number from 0 to 1", least=0, most=1)
    0.5
    """
    number = _float(given)
    if not (abs(number) < math.inf and above < number and least <= number <= most):
        raise InputError(f"{what} is {told(given)}; give {wanted}")
    return number


def checked_time(seconds: object) -> float | None:
    """Return a time limit in seconds, infinite ones too, and None where there is none; or refuse it.

    Examples
    --------
    >>> checked_time(2), checked_time(None)
    (2.0, None)
    """
    if seconds is None:
        return None
    number = _float(seconds)
    if not number >= 0:
        raise InputError(f"the time limit is {told(seconds)}; give a number of seconds from 0 up")
    return number


def checked_function(what: str, given: object) -> None:
    """Refuse what cannot be called; None is no function to call."""
    if given is not None and not callable(given):
        raise InputError(f"{what} is {told(given)}; give a function to call, or None")


def checked_path(path: object) -> Path:
    """Return the path of a file, or refuse what is none: an open file, too."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"the path is {told(path)}; give the name of a file")
    return Path(path)


def _float(given: object) -> float:
    """Return a number as floating point has it, and what is none, or True, as nan, which no comparison lets pass."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return math.nan
    try:
        return float(given)
    except OverflowError:
        return math.inf if abs(given) == given else -math.inf
