"""A claim, its verdict, and the words and rules that verdicts have in common.

Every claim is in our own words and carries the rule of its verdict, so that a reader can judge the judge. "Certain"
means that a 95% interval over users lies on one side of 0. The claims themselves are in
:mod:`setpref.experiments.studies`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from setpref.evaluation.intervals import Interval
from setpref.experiments.records import Document, Rows
from setpref.experiments.series import METRICS, advantage, label, methods_of, people, readings
from setpref.showing.methods import share_text

__all__ = [
    "AHEAD",
    "HALF",
    "MOST",
    "VERDICTS",
    "Claim",
    "Sizes",
    "ahead",
    "beyond_abstaining",
    "graded",
    "in_readings",
    "judged",
    "mostly",
    "points",
    "share",
]

#: Rows by the number of sets that were rated.
Sizes = Mapping[int, Rows]

VERDICTS = ("reproduced", "partly", "not reproduced", "not tested")
MOST, HALF = 0.9, 0.5
FEWEST_USERS = 10


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
    return share_text(found.facts())


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


# -- verdicts --------------------------------------------------------------------------------------------------------


def judged(scopes: Iterable[tuple[str, Rows]], judge: Callable[[Rows], list[Claim]]) -> list[Claim]:
    """Return the claims judged on every scope, the verdicts of one side by side; too few users decide nothing."""
    found = []
    for scope, part in scopes:
        claims = judge(part)
        if len({row["user"] for row in part}) < FEWEST_USERS:
            why = f"only {people(part)}, and {FEWEST_USERS} are needed; so far:"
            claims = [replace(claim, verdict=VERDICTS[3], why=f"{why} {claim.why}") for claim in claims]
        found += [replace(claim, scope=scope) for claim in claims]
    texts = [claim.text for claim in found]
    return sorted(found, key=lambda claim: texts.index(claim.text))


def in_readings(judge: Callable[[Rows], list[Claim]]) -> Callable[[Document], list[Claim]]:
    """Return how to judge claims on each reading alone."""
    return lambda document: judged(((words, part) for _, words, part in readings(document["rows"])), judge)


def graded(full: bool, partly: bool) -> str:
    return VERDICTS[0] if full else VERDICTS[1] if partly else VERDICTS[2]


def mostly(count: int, total: int) -> str:
    """Return the verdict on what holds so often: nine times in ten or more, or half of the times."""
    return graded(count >= MOST * total, count >= HALF * total)


AHEAD = (
    "reproduced if ahead of each for certain at nine in ten sizes or more; partly if ahead on average at half of them"
)


def ahead(
    text: str,
    parts: Collection[Rows],
    method: str,
    rivals: Sequence[str],
    metric: str,
    *,
    rule: str = AHEAD,
    what: str = "sizes",
    ours: bool = False,
) -> Claim:
    """Judge whether a method is ahead of all rivals, part by part: sizes, or shares of errors."""
    rule = rule.replace("reproduced", "holds") if ours else rule
    every = [row for part in parts for row in part]
    rivals = methods_of(every, rivals)
    judged = [[advantage(part, method, rival, metric) for rival in rivals] for part in parts]
    judged = [found for found in judged if found and all(one.runs for one in found)]
    if not judged:
        return Claim(text, VERDICTS[3], "there is nothing to compare", rule, ours=ours)
    certain = sum(all(one.low > 0 for one in found) for found in judged)
    mean = sum(all(one.mean > 0 for one in found) for found in judged)
    verdict = graded(certain >= MOST * len(judged), mean >= HALF * len(judged))
    overall = "; ".join(f"over {label(r)} {points(advantage(every, method, r, metric))}" for r in rivals)
    counts = f"for certain at {certain} and on average at {mean} of {len(judged)} {what}; " if len(judged) > 1 else ""
    return Claim(text, verdict, f"{counts}points of {METRICS[metric]} in all: {overall}", rule, ours=ours)


def beyond_abstaining(parts: Collection[Rows], rule: str = AHEAD) -> list[Claim]:
    """Judge whether ORD is ahead of those that abstain as often as it does."""
    text = "ORD's {} is more than abstaining alone gives: LR and SVM that reject, on as many pairs, are behind."
    rivals = ("lr-reject", "svm-reject")
    metrics = ("precision", "correctness")
    return [ahead(text.format(metric), parts, "ord", rivals, metric, rule=rule, ours=True) for metric in metrics]
