"""A mean with its interval: what people and runs say together. What is measured, and on whom, is said elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

__all__ = ["Interval"]


@dataclass(frozen=True)
class Interval:
    """A mean over runs with its 95% interval; runs in which the measure is undefined are left out.

    Examples
    --------
    >>> found = Interval.of([0.5, 0.6, 0.7, float("nan")])
    >>> found.runs, round(found.mean, 6), round(found.low, 6), round(found.high, 6)
    (3, 0.6, 0.351586, 0.848414)
    """

    mean: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Interval:
        """Return the mean and Student's 95% interval; the interval is undefined (nan) for fewer than two runs."""
        known = np.array([value for value in values if not math.isnan(value)])
        if not len(known):
            return cls(math.nan, math.nan, math.nan, 0)
        mean = float(known.mean())
        if len(known) == 1:
            return cls(mean, math.nan, math.nan, 1)
        from scipy.special import stdtrit

        half = float(stdtrit(len(known) - 1, 0.975) * known.std(ddof=1) / math.sqrt(len(known)))
        return cls(mean, mean - half, mean + half, len(known))

    @property
    def ends(self) -> tuple[float, float]:
        """The interval, or twice the mean where one run has none."""
        return (self.mean, self.mean) if math.isnan(self.low) else (self.low, self.high)

    def facts(self) -> dict[str, float | None]:
        """Return it as plain data; what is undefined is None."""
        return {name: None if math.isnan(value) else value for name, value in vars(self).items()}
