"""The four verdicts on two sets: the only place where their words stand. They are text, so users compare with text."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

__all__ = ["Value"]


class Value(StrEnum):
    """How a first set stands to a second.

    Examples
    --------
    >>> Value.BETTER, Value.BETTER == "better", Value.BETTER.opposite, Value.WORSE.sign
    ('better', True, 'worse', -1)
    >>> Value.of_sign(-7, Value.SAME), Value.of_sign(0, Value.SAME), Value.of_sign(0, Value.UNKNOWN)
    ('worse', 'same', 'unknown')
    """

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNKNOWN = "unknown"

    @property
    def sign(self) -> int:
        """1 for better, -1 for worse, 0 for neither."""
        return (self is Value.BETTER) - (self is Value.WORSE)

    @property
    def opposite(self) -> Value:
        """The verdict on the two sets the other way round."""
        return Value.of_sign(-self.sign, self)

    @classmethod
    def of_sign(cls, difference: int | Fraction, neither: Value) -> Value:
        """Return better for a number above 0, worse for one below; 0 alone does not tell the same from unknown."""
        return cls.BETTER if difference > 0 else cls.WORSE if difference < 0 else neither

    def __repr__(self) -> str:
        """Return the word in quotation marks, as of any text."""
        return repr(str(self))
