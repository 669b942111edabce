"""Preferences where preferences are wanted: anything else is refused by naming what makes them."""

from __future__ import annotations

from setpref.arguments import told
from setpref.data.preferences import Preferences
from setpref.errors import InputError

__all__ = ["checked_preferences"]


def checked_preferences(given: object) -> Preferences:
    """Return preferences, or say how to make them of what was given.

    Examples
    --------
    >>> checked_preferences(Preferences.from_ratings({"tea": 2, "milk": 1})).pair_count
    1
    """
    if not isinstance(given, Preferences):
        what = told(given) if isinstance(given, str) else f"a {type(given).__name__}"
        raise InputError(
            f"preferences are needed here, and {what} is given; make them first: sp.Preferences.from_ratings(...) of "
            "rated sets, sp.Preferences.from_pairs(...) of statements, or sp.read(...) of a file"
        )
    return given
