"""Figures 1 and 2: synthetic users, method against method, from few preferences to many.

Both figures show the same runs. The number of terms is read in two ways: the paper's formula (alpha), and its text
(about twelve terms).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from setpref.evaluation.intervals import Interval
from setpref.experiments.contract import Experiment, Table, Work, without_data
from setpref.experiments.judging import (
    VERDICTS,
    Claim,
    Sizes,
    ahead,
    beyond_abstaining,
    graded,
    in_readings,
    mostly,
    points,
    share,
)
from setpref.experiments.protocol import METHODS, PERSONS, PLAIN, Tally, guessed, person_row, tasks_by_sets
from setpref.experiments.records import Document, Row, Rows
from setpref.experiments.series import (
    advantage,
    by_sets,
    interval,
    label,
    lead,
    mean_f1,
    mean_statements,
    methods_of,
    readings,
    statements_of,
    three,
    thresholds,
    values,
)
from setpref.experiments.studies.synthetic_figures import f1_figures, metrics_figures

__all__ = ["SYNTHETIC_F1", "SYNTHETIC_METRICS"]


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets."""
    tally = Tally()
    row = person_row(work, lambda trial: tally.add(trial.verdicts(), trial.real))
    return {**row, "tables": tally.tables, "f1": {method: tally.f1[method] for method in PLAIN}}


# -- tables ----------------------------------------------------------------------------------------------------------

MEASURES = ("prediction_rate", "precision", "recall", "correctness")


def _metrics_cells(document: Document) -> Iterator[tuple[str, ...]]:
    for _, words, part in readings(document["rows"]):
        for sets, some in three(by_sets(part)):
            for method in methods_of(some, METHODS):
                measured = [share(interval(some, method, metric)) for metric in MEASURES]
                yield label(method), words, str(sets), f"{mean_statements(some):.0f}", *measured


def _f1_cells(document: Document) -> Iterator[tuple[str, ...]]:
    for _, words, part in readings(document["rows"]):
        for least in (50, 100, 170, 200, 250, 300, 350):
            if runs := sum(count >= least for count in statements_of(part)):
                means = [share(Interval.of(mean_f1(part, method, least).values())) for method in PLAIN]
                leads = [points(lead(part, "ord", rival, least)) for rival in ("lr", "svm")]
                users = len(mean_f1(part, "ord", least))
                yield f"\u2265 {least}", words, f"{runs:,} of {users} users", *means, *leads


# -- claims on the measures ------------------------------------------------------------------------------------------


def _judge_metrics(rows: Rows) -> list[Claim]:
    sizes = by_sets(rows)
    text = "ORD's predictions are more often correct than those of LR, SVM and KNN."
    return [
        _correct_enough(sizes, rows),
        ahead(text, sizes.values(), "ord", ("lr", "svm", "knn"), "correctness"),
        _always(sizes),
        _neighbours_predict(rows),
        _neighbours_worst(rows),
        _recall_grows(sizes, rows),
        *beyond_abstaining(sizes.values()),
    ]


def _correct_enough(sizes: Sizes, rows: Rows) -> Claim:
    means = {sets: interval(part, "ord", "correctness") for sets, part in sizes.items()}
    means = {sets: seen for sets, seen in means.items() if seen.runs}
    rule = "reproduced if the mean over users is above 0.85 at nine in ten sizes or more; partly at half of them"
    text = "ORD's correctness is above 0.85 almost always."
    if not means:
        return Claim(text, VERDICTS[3], "no prediction can be judged", rule)
    above = sum(seen.mean > 0.85 for seen in means.values())
    lowest = min(means, key=lambda sets: means[sets].mean)
    why = (
        f"above at {above} of {len(means)} sizes; in all {share(interval(rows, 'ord', 'correctness'))}; lowest "
        f"{share(means[lowest])} with {lowest} sets rated"
    )
    return Claim(text, mostly(above, len(means)), why, rule)


def _always(sizes: Sizes) -> Claim:
    every = [row for part in sizes.values() for row in part]
    least = {
        method: min(interval(part, method, "prediction_rate").mean for part in sizes.values())
        for method in methods_of(every, ("lr", "svm"))
    }
    why = "; ".join(f"lowest rate of {label(method)} at any size {rate:.3f}" for method, rate in least.items())
    lowest = min(least.values(), default=math.nan)
    rule = "reproduced if the mean rate is 0.995 or more at every size; partly if 0.95 or more"
    verdict = graded(lowest >= 0.995, lowest >= 0.95) if least else VERDICTS[3]
    return Claim("LR and SVM always predict.", verdict, why or "they were not run", rule)


def _neighbours_predict(rows: Rows) -> Claim:
    found = interval(rows, "knn", "prediction_rate")
    rule = "reproduced if the mean rate is between 0.75 and 0.85; partly between 0.65 and 0.95"
    off = abs(found.mean - 0.8)
    verdict = graded(off <= 0.05, off <= 0.15) if found.runs else VERDICTS[3]
    return Claim("KNN predicts on about 0.8 of the pairs.", verdict, f"on {share(found)}", rule)


def _neighbours_worst(rows: Rows) -> Claim:
    rivals = methods_of(rows, ("ord", "lr", "svm"))
    metrics = ("precision", "recall", "correctness")
    behind = {metric: [advantage(rows, rival, "knn", metric) for rival in rivals] for metric in metrics}
    known = {metric: found for metric, found in behind.items() if found and all(one.runs for one in found)}
    last = [metric for metric, found in known.items() if all(one.low > 0 for one in found)]
    rule = f"reproduced if for certain behind all three in {', '.join(metrics)}, in all sizes together; partly in one"
    seen = "; ".join(f"{metric} {share(interval(rows, 'knn', metric))}" for metric in metrics)
    why = f"last for certain in {', '.join(last) or 'none of them'}; {seen}"
    verdict = graded(len(last) == 3, bool(last)) if last or len(known) == 3 else VERDICTS[3]
    return Claim("KNN is the worst of the four, although it abstains too.", verdict, why, rule)


def _recall_grows(sizes: Sizes, rows: Rows) -> Claim:
    gaps = {rival: advantage(rows, "ord", rival, "recall") for rival in methods_of(rows, ("lr", "svm"))}
    below = bool(gaps) and all(gap.high < 0 for gap in gaps.values())
    first, last = (values(sizes[size], "ord", "recall") for size in (min(sizes), max(sizes)))
    growth = Interval.of([last[user] - first[user] for user in sorted(set(first) & set(last))])
    gap = "; ".join(f"{points(gap)} against {label(rival)}" for rival, gap in gaps.items())
    why = f"points of recall: {gap}; from {min(sizes)} to {max(sizes)} sets rated it moves by {points(growth)}"
    rule = "reproduced if for certain below both in all sizes together, and for certain growing; partly if one of these"
    known = gaps and all(gap.runs for gap in gaps.values()) and growth.runs
    verdict = graded(below and growth.low > 0, below or growth.low > 0) if known and len(sizes) > 1 else VERDICTS[3]
    return Claim("ORD's recall is below that of LR and SVM, but grows with the statements.", verdict, why, rule)


# -- claims on F1 ----------------------------------------------------------------------------------------------------


def _judge_f1(rows: Rows) -> list[Claim]:
    means = {method: Interval.of(mean_f1(rows, method, 50).values()) for method in ("ord", "lr", "svm")}
    known = {method: seen for method, seen in means.items() if seen.runs}
    heights = [seen.mean for seen in known.values()]
    gap = max(heights, default=math.nan) - min(heights, default=0.0)
    seen = "; ".join(f"{label(method)} {share(found)}" for method, found in known.items())
    why = f"at most {100 * gap:.1f} points apart: {seen}" if known else "no such runs"
    rule = "reproduced if the means of the three over runs with at least 50 statements are within 5 points; partly 10"
    close = graded(gap <= 0.05, gap <= 0.1) if len(known) == 3 else VERDICTS[3]
    return [Claim("From 50 statements on, F1 of ORD, LR and SVM is close.", close, why, rule), _f1_lead(rows)]


def _f1_lead(rows: Rows) -> Claim:
    text = "From 170 statements on, ORD's F1 is ahead of that of LR and SVM."
    rule = (
        "reproduced if ahead of both for certain over the runs with at least 170 statements; partly if ahead of both "
        "on average there, or for certain from some larger number on"
    )
    places = [170, *(x for x in thresholds(rows) if x > 170)]
    leads = {x: [lead(rows, "ord", rival, x) for rival in ("lr", "svm")] for x in places}
    leads = {x: found for x, found in leads.items() if all(one.runs >= 2 for one in found)}
    if 170 not in leads:
        return Claim(text, VERDICTS[3], "too few runs have 170 statements", rule)
    certain = [x for x, found in leads.items() if all(one.low > 0 for one in found)]
    since = next((x for x in leads if all(y in certain for y in leads if y >= x)), None)
    later = next((x for x in reversed(leads) if x <= 300), 170)
    why = "; ".join(
        f"from {x}: {points(leads[x][0])} over LR, {points(leads[x][1])} over SVM" for x in dict.fromkeys((170, later))
    )
    end = f"certain over both from {since} on"
    end = end if since else "not certain over both up to the largest number of statements"
    verdict = graded(170 in certain, all(one.mean > 0 for one in leads[170]) or since is not None)
    return Claim(text, verdict, f"points of F1 {why}; {end}", rule)


# -- the studies -----------------------------------------------------------------------------------------------------

OVER_USERS = "means over users with 95% intervals"

SYNTHETIC_METRICS = Experiment(
    name="synthetic-metrics",
    title="Figure 1: the measures on synthetic users",
    question=(
        "The paper draws users whose preferences are known, lets four methods learn from a few rated sets, and shows "
        "four measures of their predictions against the number of statements |R|. Its text and its formula disagree on "
        "how many terms a user has; both readings are run. LR and SVM always predict there; here they are also shown "
        "with the right to abstain, as ORD has it."
    ),
    full={
        **PERSONS,
        "sizes": list(range(12, 30)),
        "users": 40,
        "runs": 10,
        "pairs": 100,
        "knn_weights": "inverse",
        "time_limit": 20.0,
    },
    quick={"sizes": [12, 16, 20, 24, 29], "users": 8, "runs": 4, "time_limit": 5.0},
    prepare=without_data,
    tasks=tasks_by_sets,
    run=run,
    seconds=guessed(0.02, 0.15, 10),
    alone=False,
    source="synthetic-metrics",
    omits=("f1",),
    figures=metrics_figures,
    table=Table(
        ("method", "reading", "sets rated", "statements", "prediction rate", "precision", "recall", "correctness"),
        _metrics_cells,
        f"At the fewest, a middle and the largest number of sets rated: {OVER_USERS}.",
    ),
    claims=in_readings(_judge_metrics),
)
SYNTHETIC_F1 = replace(
    SYNTHETIC_METRICS,
    name="synthetic-f1",
    title="Figure 2: F1 on synthetic users",
    question=(
        "On the same runs, the paper shows the mean F1 over those with at least x statements. Here the lead is shown "
        "too, person by person, which tells more than two bands that overlap."
    ),
    omits=("tables",),
    figures=f1_figures,
    table=Table(
        ("statements", "reading", "runs", "ORD", "LR", "SVM", "KNN", "ORD over LR, points", "ORD over SVM, points"),
        _f1_cells,
        f"F1 over the runs with at least so many statements: {OVER_USERS}.",
    ),
    claims=in_readings(_judge_f1),
)
