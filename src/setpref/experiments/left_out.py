"""What the paper left out, judged: how much faster, cautious rules and rivals at equal coverage, the simplest models.

Two of its remarks are here too: that predicting costs more than learning, and that the degree grows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Any

from setpref.evaluation.intervals import Interval
from setpref.experiments import series
from setpref.experiments.judging import AHEAD, HALF, MOST, VERDICTS, Claim, ahead, graded, points

__all__ = ["judge_errors", "judge_rules", "judge_simplest", "judge_times"]

Rows = Sequence[Mapping[str, Any]]
Sizes = Mapping[Any, Rows]
FEWEST_INSTANCES = 3


# -- running times ---------------------------------------------------------------------------------------------------


def judge_times(vary: str, places: Mapping[float, Rows]) -> list[Claim]:
    """Judge the running times against n or against the number of statements."""
    scope = {"elements": "against n", "statements": "against |R|"}.get(vary, vary)
    found = []
    for part, words in (("learn", "learns"), ("predict", "predicts one pair")):
        ratios = {place: series.slower(rows, part) for place, rows in places.items()}
        found.append(replace(_faster(ratios, words), scope=scope))
    # Not asked of ours: most of its one prediction is spent once, on the extreme rays that all others share.
    found.append(replace(_predicting_costs(places), scope=scope))
    return found


def _faster(ratios: Mapping[float, series.Spread], words: str) -> Claim:
    rule = "holds if the median ratio is ten or more at nine in ten places or more; partly if above one at half of them"
    text = f"Ours {words} at least ten times faster than the paper's programs."
    known = {place: spread for place, spread in ratios.items() if spread.count}
    if sum(spread.count for spread in known.values()) < FEWEST_INSTANCES:
        why = "the programs were run on too few instances"
        return Claim(text, VERDICTS[3], why, rule, ours=True)
    ten = sum(spread.median >= 10 for spread in known.values())
    one = sum(spread.median > 1 for spread in known.values())
    first, last = min(known.values(), key=lambda s: s.median), max(known.values(), key=lambda s: s.median)
    stopped, count = (sum(getattr(spread, name) for spread in known.values()) for name in ("capped", "count"))
    why = (
        f"median ratios from {_times_words(first)} to {_times_words(last)}; ten or more at {ten} of {len(known)} places"
    )
    why += f"; {stopped} of {count} runs of the programs did not finish, so their ratios are larger" if stopped else ""
    return Claim(text, graded(ten >= MOST * len(known), one >= HALF * len(known)), why, rule, ours=True)


def _rounded(ratio: float) -> str:
    return f"{float(f'{ratio:.2g}'):,g}"


def _times_words(spread: series.Spread) -> str:
    number = f"{spread.median:,.0f}" if spread.median >= 10 else f"{spread.median:.1f}"
    return f"{'at least ' if spread.least else ''}{number}"


def _predicting_costs(places: Mapping[float, Rows]) -> Claim:
    """Judge whether a hundred predictions by the paper's programs take longer than learning."""
    text = "Predicting costs more than learning: a hundred predictions take longer (the paper's programs)."
    rule = "reproduced if the median ratio is above one at nine in ten places or more; partly at half of them"
    ratios: dict[float, list[float]] = {}
    for place, rows in places.items():
        measured = [row["mip"] for row in rows if row.get("mip") and row["mip"].get("finished", True)]
        known = [one for one in measured if one["predict"] is not None and one["learn"] > 0]
        if known:
            ratios[place] = [100 * one["predict"] / one["learn"] for one in known]
    if sum(map(len, ratios.values())) < FEWEST_INSTANCES:
        return Claim(text, VERDICTS[3], "too few instances on which learning finished", rule)
    medians = [median(found) for found in ratios.values()]
    above = sum(ratio > 1 for ratio in medians)
    why = f"medians from {_rounded(min(medians))} to {_rounded(max(medians))} times learning"
    why += f"; above one at {above} of {len(medians)} places"
    return Claim(text, graded(above >= MOST * len(medians), above >= HALF * len(medians)), why, rule)


# -- cautious rules, and the simplest models -------------------------------------------------------------------------

RULE_WORDS = {
    "ord": "all simplest models agree",
    "ord-union": "all models over their terms agree",
    "ord-majority": "most simplest models agree",
    "ord-volume": "most values agree",
}


def judge_rules(rows: Rows) -> list[Claim]:
    """Judge the cautious rules, beside their rivals and beside the paper's own."""
    sizes = series.group(rows, "sets")
    found = []
    for rule in series.methods_of(rows, tuple(RULE_WORDS)):
        verdict, why = ahead(sizes, rule, (f"lr@{rule}", f"svm@{rule}"), "precision")
        text = f"{series.label(rule)} ({RULE_WORDS[rule]}) is more precise than LR and SVM on as many pairs."
        found.append(Claim(text, verdict, why, AHEAD.replace("reproduced", "holds"), ours=True))
    for rule in series.methods_of(rows, ("ord-majority", "ord-volume")):
        found.append(_cheaper(sizes, rows, rule))
    return found


def _cheaper(sizes: Sizes, rows: Rows, rule: str) -> Claim:
    """Judge whether a less cautious rule predicts more without losing much precision."""
    judged = []
    for part in sizes.values():
        more = series.advantage(part, rule, "ord", "prediction_rate")
        loss = series.advantage(part, rule, "ord", "precision")
        judged.append(more.low > 0 and loss.mean >= -0.02)
    more, loss = (series.advantage(rows, rule, "ord", metric) for metric in ("prediction_rate", "precision"))
    why = f"so at {sum(judged)} of {len(judged)} sizes; in all {points(more)} points of prediction rate"
    why += f" for {points(loss)} of precision"
    text = f"{series.label(rule)} predicts more than ORD and loses no more than 2 points of precision."
    criterion = "holds if so (more for certain, loss on average) at nine in ten sizes or more; partly at half of them"
    verdict = graded(sum(judged) >= MOST * len(judged), sum(judged) >= HALF * len(judged))
    return Claim(text, verdict, why, criterion, ours=True)


def judge_errors(rows: Rows) -> list[Claim]:
    """Judge what helps against statements that are wrong."""
    shares = {noise: part for noise, part in series.group(rows, "noise").items() if noise > 0}
    rule = AHEAD.replace("reproduced", "holds").replace("sizes", "shares of errors")
    said = [
        ("ord-robust", ("ord-repair",), "precision", "Asking all optimal repairs to agree is more precise than one."),
        ("ord-robust", ("lr", "svm"), "precision", "ORD robust is more precise than LR and SVM."),
        ("ord-robust", ("lr-reject", "svm-reject"), "precision", "So it is where LR and SVM predict as many pairs."),
        ("ord-repair", ("ord-refuse",), "f1", "Repairing and learning gives a better F1 than refusing."),
        ("ord-known", ("ord-robust",), "f1", "Knowing how many statements are wrong gives a better F1."),
    ]
    found = []
    for method, rivals, metric, text in said:
        verdict, why = ahead(shares, method, rivals, metric, "shares")
        found.append(Claim(text, verdict, why, rule, ours=True))
    return found


def judge_simplest(rows: Rows) -> list[Claim]:
    """Judge how many simplest models there are, and how their degree grows."""
    sizes = series.group(rows, "sets")
    counts = {sets: [n for row in part for n in row["models"] if n is not None] for sets, part in sizes.items()}
    several = {sets: fmean(n > 1 for n in found) for sets, found in counts.items() if found}
    if not several:
        return [Claim("There is often more than one simplest model.", VERDICTS[3], "nothing is proven", "", ours=True)]
    often = sum(value > 0.5 for value in several.values())
    first, last = min(several), max(several)
    why = f"in more than half of the runs at {often} of {len(several)} sizes: {several[first]:.0%} of the runs"
    why += f" with {first} sets rated, {several[last]:.0%} with {last}"
    rule = "holds if so in more than half of the runs at nine in ten sizes or more; partly at half of the sizes"
    verdict = graded(often >= MOST * len(several), often >= HALF * len(several))
    few, many = median(counts[last]), median(counts[first])
    fewer = f"median {_count(many)} with {first} sets rated, {_count(few)} with {last}"
    return [
        Claim("There is often more than one simplest model.", verdict, why, rule, ours=True),
        Claim(
            "The more sets are rated, the fewer simplest models there are.",
            graded(few < many, False) if first < last else VERDICTS[3],
            fewer,
            "holds if the median is smaller at the largest size than at the smallest",
            ours=True,
        ),
        _degree_grows(sizes),
    ]


def _degree_grows(sizes: Sizes) -> Claim:
    first, last = (series.mean_of(sizes[size], "degree") for size in (min(sizes), max(sizes)))
    rule = "reproduced if the intervals of the mean degree at the smallest and the largest size do not meet; partly if"
    why = f"mean degree {_mean(first)} with {min(sizes)} sets rated, {_mean(last)} with {max(sizes)}"
    verdict = graded(last.low > first.high, last.mean > first.mean) if first.runs and last.runs else VERDICTS[3]
    return Claim("The degree grows with the statements.", verdict, why, f"{rule} it grows on average")


def _mean(found: Interval) -> str:
    return f"{found.mean:.2f}" if math.isnan(found.low) else f"{found.mean:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{float(min(number, 10**300)):.1e}"
