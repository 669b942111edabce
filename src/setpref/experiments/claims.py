"""The paper's claims about synthetic users and movies, judged from the rows; and the claims of every experiment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from setpref.evaluation.intervals import Interval
from setpref.experiments import series
from setpref.experiments.judging import AHEAD, HALF, MOST, VERDICTS, Claim, ahead, graded, points, share
from setpref.experiments.left_out import judge_errors, judge_rules, judge_simplest, judge_times
from setpref.experiments.reported import MOVIES

__all__ = ["FEWEST_USERS", "claims_of"]

Rows = Sequence[Mapping[str, Any]]
Sizes = Mapping[Any, Rows]
FEWEST_USERS = 10


def claims_of(document: Mapping[str, Any]) -> list[Claim]:
    """Return the claims that an experiment is about, judged."""
    rows = document["rows"]
    kind = document["experiment"]
    if kind == "running-times":
        return [
            claim for vary, places in series.times_by_place(document).items() for claim in judge_times(vary, places)
        ]
    found = []
    for scope, part in _scopes(kind, rows):
        too_few = len({row["user"] for row in part}) < FEWEST_USERS
        for claim in JUDGES[kind](part) if kind in JUDGES else ():
            judged = replace(claim, scope=scope)
            if too_few:
                why = f"only {series.people(part)}, and {FEWEST_USERS} are needed; so far: {claim.why}"
                judged = replace(judged, verdict="not tested", why=why)
            found.append(judged)
    # A claim's verdicts under both readings stand side by side.
    texts = [claim.text for claim in found]
    return sorted(found, key=lambda claim: texts.index(claim.text))


def _scopes(kind: str, rows: Rows) -> list[tuple[str, Rows]]:
    if kind == "movies":
        groups = series.group(rows, "source", "protocol")
        return [(f"{source}, protocol {protocol}", part) for (source, protocol), part in groups.items()]
    return [(series.reading_label(reading, rows), part) for reading, part in series.group(rows, "reading").items()]


# -- synthetic users -------------------------------------------------------------------------------------------------


def _metrics(rows: Rows) -> list[Claim]:
    sizes = series.group(rows, "sets")
    verdict, why = ahead(sizes, "ord", ("lr", "svm", "knn"), "correctness")
    found = [
        _correct_enough(sizes, rows),
        Claim("ORD's predictions are more often correct than those of LR, SVM and KNN.", verdict, why, AHEAD),
        _always(sizes),
        _neighbours_predict(rows),
        _neighbours_worst(rows),
        _recall_grows(sizes, rows),
    ]
    for metric in ("precision", "correctness"):
        verdict, why = ahead(sizes, "ord", ("lr-reject", "svm-reject"), metric)
        text = (
            f"ORD's {metric} is more than abstaining alone gives: LR and SVM that reject, on as many pairs, are behind."
        )
        found.append(Claim(text, verdict, why, AHEAD.replace("reproduced", "holds"), ours=True))
    return found


def _correct_enough(sizes: Sizes, rows: Rows) -> Claim:
    means = {sets: series.interval(part, "ord", "correctness") for sets, part in sizes.items()}
    means = {sets: seen for sets, seen in means.items() if seen.runs}
    rule = "reproduced if the mean over users is above 0.85 at nine in ten sizes or more; partly at half of them"
    text = "ORD's correctness is above 0.85 almost always."
    if not means:
        return Claim(text, VERDICTS[3], "no prediction can be judged", rule)
    above = sum(seen.mean > 0.85 for seen in means.values())
    lowest = min(means, key=lambda sets: means[sets].mean)
    why = (
        f"above at {above} of {len(means)} sizes; in all {share(series.interval(rows, 'ord', 'correctness'))}; lowest "
        f"{share(means[lowest])} with {lowest} sets rated"
    )
    return Claim(text, graded(above >= MOST * len(means), above >= HALF * len(means)), why, rule)


def _always(sizes: Sizes) -> Claim:
    every = [row for part in sizes.values() for row in part]
    least = {
        m: min(series.interval(part, m, "prediction_rate").mean for part in sizes.values())
        for m in series.methods_of(every, ("lr", "svm"))
    }
    why = "; ".join(f"lowest rate of {series.label(m)} at any size {rate:.3f}" for m, rate in least.items())
    lowest = min(least.values(), default=math.nan)
    rule = "reproduced if the mean rate is 0.995 or more at every size; partly if 0.95 or more"
    verdict = graded(lowest >= 0.995, lowest >= 0.95) if least else VERDICTS[3]
    return Claim("LR and SVM always predict.", verdict, why or "they were not run", rule)


def _neighbours_predict(rows: Rows) -> Claim:
    found = series.interval(rows, "knn", "prediction_rate")
    rule = "reproduced if the mean rate is between 0.75 and 0.85; partly between 0.65 and 0.95"
    off = abs(found.mean - 0.8)
    verdict = graded(off <= 0.05, off <= 0.15) if found.runs else VERDICTS[3]
    return Claim("KNN predicts on about 0.8 of the pairs.", verdict, f"on {share(found)}", rule)


def _neighbours_worst(rows: Rows) -> Claim:
    rivals = series.methods_of(rows, ("ord", "lr", "svm"))
    metrics = ("precision", "recall", "correctness")
    behind = {m: [series.advantage(rows, r, "knn", m) for r in rivals] for m in metrics}
    known = {m: found for m, found in behind.items() if found and all(one.runs for one in found)}
    last = [m for m, found in known.items() if all(one.low > 0 for one in found)]
    rule = f"reproduced if for certain behind all three in {', '.join(metrics)}, in all sizes together; partly in one"
    why = f"last for certain in {', '.join(last) or 'none of them'}; " + "; ".join(
        f"{m} {share(series.interval(rows, 'knn', m))}" for m in metrics
    )
    verdict = graded(len(last) == 3, bool(last)) if known else VERDICTS[3]
    return Claim("KNN is the worst of the four, although it abstains too.", verdict, why, rule)


def _recall_grows(sizes: Sizes, rows: Rows) -> Claim:
    rivals = series.methods_of(rows, ("lr", "svm"))
    gaps = {r: series.advantage(rows, "ord", r, "recall") for r in rivals}
    below = bool(gaps) and all(gap.high < 0 for gap in gaps.values())
    first, last = (series.values(sizes[size], "ord", "recall") for size in (min(sizes), max(sizes)))
    growth = Interval.of([last[user] - first[user] for user in sorted(set(first) & set(last))])
    gap = "; ".join(f"{points(gap)} against {series.label(r)}" for r, gap in gaps.items())
    why = f"points of recall: {gap}; from {min(sizes)} to {max(sizes)} sets rated it moves by {points(growth)}"
    rule = "reproduced if for certain below both in all sizes together, and for certain growing; partly if one of these"
    verdict = graded(below and growth.low > 0, below or growth.low > 0) if len(sizes) > 1 else VERDICTS[3]
    return Claim("ORD's recall is below that of LR and SVM, but grows with the statements.", verdict, why, rule)


def _f1(rows: Rows) -> list[Claim]:
    means = {m: Interval.of(list(series.mean_f1(rows, m, 50).values())) for m in ("ord", "lr", "svm")}
    known = {m: seen for m, seen in means.items() if seen.runs}
    gap = max((s.mean for s in known.values()), default=math.nan) - min((s.mean for s in known.values()), default=0.0)
    why = f"at most {100 * gap:.1f} points apart: " + "; ".join(
        f"{series.label(m)} {share(s)}" for m, s in known.items()
    )
    rule = "reproduced if the means of the three over runs with at least 50 statements are within 5 points; partly 10"
    close = graded(gap <= 0.05, gap <= 0.1) if len(known) == 3 else VERDICTS[3]
    return [
        Claim("From 50 statements on, F1 of ORD, LR and SVM is close.", close, why if known else "no such runs", rule),
        _f1_lead(rows),
    ]


def _f1_lead(rows: Rows) -> Claim:
    text = "From 170 statements on, ORD's F1 is ahead of that of LR and SVM."
    rule = (
        "reproduced if ahead of both for certain over the runs with at least 170 statements; partly if ahead of both "
        "on average there, or for certain from some larger number on"
    )
    places = [170, *(x for x in series.thresholds(rows) if x > 170)]
    leads = {x: [series.lead(rows, "ord", rival, x) for rival in ("lr", "svm")] for x in places}
    leads = {x: found for x, found in leads.items() if all(one.runs >= 2 for one in found)}
    if 170 not in leads:
        return Claim(text, VERDICTS[3], "too few runs have 170 statements", rule)
    certain = [x for x, found in leads.items() if all(one.low > 0 for one in found)]
    since = next((x for x in leads if all(y in certain for y in leads if y >= x)), None)
    here = leads[170]
    later = next((x for x in reversed(leads) if x <= 300), 170)
    why = "; ".join(
        f"from {x}: {points(leads[x][0])} over LR, {points(leads[x][1])} over SVM" for x in dict.fromkeys((170, later))
    )
    end = (
        f"certain over both from {since} on"
        if since
        else "not certain over both up to the largest number of statements"
    )
    verdict = graded(170 in certain, all(one.mean > 0 for one in here) or since is not None)
    return Claim(text, verdict, f"points of F1 {why}; {end}", rule)


# -- movies ----------------------------------------------------------------------------------------------------------

ALONE = "reproduced if ahead of each for certain; partly if ahead of each on average"


def _movies(rows: Rows) -> list[Claim]:
    one = {"all": rows}
    found = [_averages(rows)]
    for text, metric in (
        ("ORD is more precise than LR, SVM and KNN.", "precision"),
        ("ORD has the best F1.", "f1"),
    ):
        verdict, why = ahead(one, "ord", ("lr", "svm", "knn"), metric)
        found.append(Claim(text, verdict, why, ALONE))
    gaps = {r: series.advantage(rows, "ord", r, "recall") for r in series.methods_of(rows, ("lr", "svm"))}
    why = "points of recall: " + "; ".join(f"{points(gap)} against {series.label(r)}" for r, gap in gaps.items())
    verdict = graded(all(gap.high < 0 for gap in gaps.values()), all(gap.mean < 0 for gap in gaps.values()))
    rule = "reproduced if below both for certain; partly if below both on average"
    found.append(Claim("ORD's recall is below that of LR and SVM.", verdict if gaps else VERDICTS[3], why, rule))
    for metric in ("precision", "correctness"):
        verdict, why = ahead(one, "ord", ("lr-reject", "svm-reject"), metric)
        text = (
            f"ORD's {metric} is more than abstaining alone gives: LR and SVM that reject, on as many pairs, are behind."
        )
        found.append(Claim(text, verdict, why, ALONE.replace("reproduced", "holds"), ours=True))
    return found


def _averages(rows: Rows) -> Claim:
    """Judge the reported averages themselves, which come from other data."""
    near, off = 0, []
    for method in series.methods_of(rows, tuple(MOVIES)):
        for metric, reported in MOVIES[method].items():
            seen = series.interval(rows, method, metric)
            if abs(seen.mean - reported) <= 0.05:
                near += 1
            else:
                off.append((abs(_zero(seen.mean) - reported), method, metric, seen, reported))
    total = near + len(off)
    why = f"{near} of {total} within 5 points"
    if off:
        _, method, metric, seen, reported = max(off, key=lambda item: item[0])
        why += f"; furthest: {series.METRICS[metric]} of {series.label(method)} {share(seen)}, reported {reported:.2f}"
    rule = "reproduced if nine in ten of the table's averages are within 5 points of ours; partly if half of them are"
    verdict = graded(near >= MOST * total, near >= HALF * total) if total else VERDICTS[3]
    return Claim("The averages of the paper's table (on its own data, which cannot be had).", verdict, why, rule)


def _zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


JUDGES: dict[str, Callable[[Rows], list[Claim]]] = {
    "synthetic-metrics": _metrics,
    "synthetic-f1": _f1,
    "movies": _movies,
    "rules": judge_rules,
    "simplest-models": judge_simplest,
    "errors": judge_errors,
}
