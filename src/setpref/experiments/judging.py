"""A claim, its verdict, and the words and rules that verdicts have in common.

Every claim is in our own words and carries the rule of its verdict, so that a reader can judge the judge. "Certain"
means that a 95% interval over users lies on one side of 0. The claims themselves are in the rooms after this one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from setpref.evaluation.intervals import Interval
from setpref.experiments import series

__all__ = ["AHEAD", "HALF", "MOST", "VERDICTS", "Claim", "ahead", "graded", "points", "share"]

Rows = Sequence[Mapping[str, Any]]
Sizes = Mapping[Any, Rows]

VERDICTS = ("reproduced", "partly", "not reproduced", "not tested")
MOST, HALF = 0.9, 0.5


@dataclass(frozen=True)
class Claim:
    """A claim with its verdict.

    Attributes
    ----------
    text : str
        What is claimed, in our words.
    verdict : str
        One of ``VERDICTS``.
    why : str
        The figures that decided.
    rule : str
        How the verdict follows from the figures.
    scope : str
        What it was judged on: a reading, or a data set with its protocol.
    ours : bool
        Whether it is a comparison that the paper left out, so that nothing is there to reproduce.
    """

    text: str
    verdict: str
    why: str
    rule: str
    scope: str = ""
    ours: bool = False

    @property
    def word(self) -> str:
        """The verdict as people read it: what the paper left out holds or does not, but is not reproduced."""
        return OWN_WORDS[self.verdict] if self.ours else self.verdict


OWN_WORDS = {"reproduced": "holds", "partly": "partly", "not reproduced": "does not hold", "not tested": "not tested"}


# -- in words --------------------------------------------------------------------------------------------------------


def share(found: Interval) -> str:
    """Return a mean between 0 and 1 with its interval, as written in tables.

    Examples
    --------
    >>> share(Interval(0.8, 0.75, 0.85, 12)), share(Interval(0.8, math.nan, math.nan, 1))
    ('0.80 [0.75, 0.85]', '0.80')
    """
    if not found.runs:
        return "undefined"
    if math.isnan(found.low):
        return f"{found.mean:.2f}"
    return f"{found.mean:.2f} [{max(0.0, found.low):.2f}, {min(1.0, found.high):.2f}]"


def points(found: Interval) -> str:
    """Return a difference of two shares in points with its interval.

    Examples
    --------
    >>> points(Interval(0.014, -0.002, 0.03, 12))
    '+1.4 [\u22120.2, +3.0]'
    """
    if not found.runs:
        return "undefined"
    written = [f"{100 * value:+.1f}" for value in (found.mean, found.low, found.high) if not math.isnan(value)]
    text = written[0] if len(written) == 1 else f"{written[0]} [{written[1]}, {written[2]}]"
    return text.replace("-", "\u2212")


def graded(full: bool, partly: bool) -> str:
    return VERDICTS[0] if full else VERDICTS[1] if partly else VERDICTS[2]


# -- who is ahead ----------------------------------------------------------------------------------------------------

AHEAD = (
    "reproduced if ahead of each for certain at nine in ten sizes or more; partly if ahead on average at half of them"
)


def ahead(sizes: Sizes, method: str, rivals: Sequence[str], metric: str, what: str = "sizes") -> tuple[str, str]:
    """Judge whether a method is ahead of all rivals, size by size; return the verdict and why."""
    every = [row for part in sizes.values() for row in part]
    rivals = series.methods_of(every, rivals)
    judged = [[series.advantage(part, method, rival, metric) for rival in rivals] for part in sizes.values()]
    judged = [found for found in judged if found and all(one.runs for one in found)]
    if not judged:
        return VERDICTS[3], "there is nothing to compare"
    certain = sum(all(one.low > 0 for one in found) for found in judged)
    mean = sum(all(one.mean > 0 for one in found) for found in judged)
    verdict = graded(certain >= MOST * len(judged), mean >= HALF * len(judged))
    overall = "; ".join(f"over {series.label(r)} {points(series.advantage(every, method, r, metric))}" for r in rivals)
    counts = f"for certain at {certain} and on average at {mean} of {len(judged)} {what}; " if len(judged) > 1 else ""
    return verdict, f"{counts}points of {series.METRICS[metric]} in all: {overall}"
