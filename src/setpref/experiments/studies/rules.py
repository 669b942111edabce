"""What the paper left out: cautious rules beside its own, and rivals that may abstain as often as each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from setpref.estimators.caution import RULES, CautiousRule
from setpref.evaluation.intervals import Interval
from setpref.experiments.contract import Experiment, Table, Work, without_data
from setpref.experiments.judging import VERDICTS, Claim, Sizes, ahead, in_readings, mostly, points, share
from setpref.experiments.protocol import PERSONS, Tally, Trial, guessed, person_row, tasks_by_sets
from setpref.experiments.records import Document, Row, Rows
from setpref.experiments.series import (
    advantage,
    by_sets,
    interval,
    label,
    mean_statements,
    methods_of,
    people,
    readings,
    three,
)
from setpref.experiments.sheet import (
    COLOURS,
    DASHES,
    Drawing,
    colour,
    label_lines,
    line_style,
    panels,
    reach,
    spread_out,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["CAUTIOUS"]

WORDS = {
    "all": "all simplest models agree",
    "union": "all models over their terms agree",
    "majority": "most simplest models agree",
    "volume": "most values agree",
}
NAMES = {"ord" if rule == "all" else f"ord-{rule}": rule for rule in RULES}


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets."""
    tally, threshold = Tally(), work.settings["threshold"]

    def do(trial: Trial) -> None:
        found = {}
        for name, rule in NAMES.items():
            found[name] = CautiousRule(trial.learned, rule, threshold=threshold).verdicts(*trial.sides)
            found |= trial.rivals.rejecting(found[name], f"@{name}")
        tally.add(found, trial.real)

    return {**person_row(work, do), "tables": tally.tables}


# -- table -------------------------------------------------------------------------------------------------------------


def _cells(document: Document) -> Iterator[tuple[str, ...]]:
    for _, words, part in readings(document["rows"]):
        for sets, some in three(by_sets(part)):
            for rule in methods_of(some, ("ord-union", "ord", "ord-majority", "ord-volume")):
                cells = [share(interval(some, rule, metric)) for metric in ("prediction_rate", "precision")]
                for rival in (f"lr@{rule}", f"svm@{rule}"):
                    lead = points(advantage(some, rule, rival, "precision"))
                    cells += [share(interval(some, rival, "precision")), lead]
                yield label(rule), words, str(sets), f"{mean_statements(some):.0f}", *cells


# -- figures -----------------------------------------------------------------------------------------------------------


# Per rule, from the most cautious, the prediction rate and the precision of ORD and of its rivals there.
Ruled = Mapping[str, Mapping[str, tuple[float, Interval]]]


def _figures(document: Document) -> list[Drawing]:
    rows: Rows = document["rows"]
    every = {
        reading: [(sets, mean_statements(some), _ruled(some)) for sets, some in three(by_sets(part))]
        for reading, _, part in readings(rows)
    }
    found = []
    for reading, words, part in readings(rows):
        title = f"Synthetic users, {words}"
        caption = (
            f"{title}: precision against prediction rate of the four cautious rules, and of LR and SVM that predict "
            f"only their largest margins on as many pairs; means over {people(part)} with 95% intervals."
        )
        found.append(Drawing(f"rules-{reading}", caption, partial(_figure, every, reading, title)))
    return found


def _figure(every: Mapping[str, Sequence[tuple[int, float, Ruled]]], reading: str, title: str) -> Figure:
    known = [
        one for sizes in every.values() for *_, ruled in sizes for found in ruled.values() for one in found.values()
    ]
    rates = [rate for rate, _ in known] or [0.0, 1.0]
    room = 0.08 * (max(rates) - min(rates)) or 0.05
    figure, axes = panels(title, len(every[reading]), tall=1.3, right=0.4, between=(0.3, 0.48), top=0.52)
    for axis, (sets, statements, ruled) in zip(axes, every[reading], strict=True):
        axis.set_title(f"precision; {sets} sets rated, about {round(statements)} statements", pad=14)
        # Equal axes for both readings and all sizes.
        axis.set(xlim=(min(rates) - room, max(rates) + room), ylim=reach([seen for _, seen in known]))
        _draw_lines(axis, ruled)
        _draw_labels(axis, ruled)
        axis.tick_params(labelbottom=axis is axes[-1])
    axes[-1].set_xlabel("prediction rate")
    return figure


def _ruled(rows: Rows) -> Ruled:
    rules = {rule: interval(rows, rule, "prediction_rate").mean for rule in methods_of(rows, tuple(NAMES))}
    found = {
        rule: {
            family: (rate, seen)
            for family in ("ord", "lr", "svm")
            if (seen := interval(rows, rule if family == "ord" else f"{family}@{rule}", "precision")).runs
        }
        for rule, rate in sorted(rules.items(), key=lambda item: item[1])
    }
    # A rule that never predicts has no precision, and no place.
    return {rule: families for rule, families in found.items() if "ord" in families}


def _draw_lines(axes: Axes, ruled: Ruled) -> None:
    for family, beside in (("svm", 0.004), ("lr", -0.004), ("ord", 0.0)):
        seen = [found[family] for found in ruled.values() if family in found]
        # Rivals stand a little aside, so that intervals at the same rate can be told apart.
        places = [rate + beside for rate, _ in seen]
        for place, (_, found) in zip(places, seen, strict=True):
            axes.plot([place, place], found.ends, color=colour(family), linewidth=0.8)
        style = line_style(family) | ({} if family == "ord" else {"linestyle": DASHES, "markerfacecolor": "white"})
        axes.plot(places, [found.mean for _, found in seen], **style)


def _draw_labels(axes: Axes, ruled: Ruled) -> None:
    if not ruled:
        return
    last = list(ruled.values())[-1]
    label_lines(axes, {label(f): (rate, found.mean, colour(f)) for f, (rate, found) in last.items()})
    to_share = axes.transData + axes.transAxes.inverted()
    rates = [found["ord"][0] for found in ruled.values()]
    shares = [float(to_share.transform((rate, axes.get_ylim()[0]))[0]) for rate in rates]
    for rule, foot, place in zip(ruled, shares, spread_out(shares, 0.175, 0.05, 0.95), strict=True):
        shared: Any = {"transform": axes.transAxes, "clip_on": False}
        axes.plot([foot, foot, place], [0.0, 1.0, 1.05], color="0.75", linewidth=0.5, zorder=1, **shared)
        axes.text(place, 1.06, NAMES[rule], ha="center", va="bottom", fontsize=6, color=COLOURS["ord"], **shared)


# -- claims ------------------------------------------------------------------------------------------------------------


def _judge(rows: Rows) -> list[Claim]:
    """Judge the cautious rules, beside their rivals and beside the paper's own."""
    sizes, found = by_sets(rows), []
    for name in methods_of(rows, tuple(NAMES)):
        text = f"{label(name)} ({WORDS[NAMES[name]]}) is more precise than LR and SVM on as many pairs."
        found.append(ahead(text, sizes.values(), name, (f"lr@{name}", f"svm@{name}"), "precision", ours=True))
    return found + [_cheaper(sizes, rows, name) for name in methods_of(rows, ("ord-majority", "ord-volume"))]


def _cheaper(sizes: Sizes, rows: Rows, name: str) -> Claim:
    """Judge whether a less cautious rule predicts more without losing much precision."""

    def beside_ours(part: Rows) -> tuple[Interval, Interval]:
        return advantage(part, name, "ord", "prediction_rate"), advantage(part, name, "ord", "precision")

    seen = [(more, loss) for more, loss in map(beside_ours, sizes.values()) if more.runs and loss.runs]
    so = sum(more.low > 0 and loss.mean >= -0.02 for more, loss in seen)
    more, loss = beside_ours(rows)
    why = f"so at {so} of {len(seen)} sizes; in all {points(more)} points of prediction rate"
    why += f" for {points(loss)} of precision"
    text = f"{label(name)} predicts more than ORD and loses no more than 2 points of precision."
    rule = "holds if so (more for certain, loss on average) at nine in ten sizes or more; partly at half of them"
    return Claim(text, mostly(so, len(seen)) if seen else VERDICTS[3], why, rule, ours=True)


# -- the study ---------------------------------------------------------------------------------------------------------

CAUTIOUS = Experiment(
    name="rules",
    title="Left out: cautious rules, and rivals that abstain as often",
    question=(
        "Not in the paper: rules that are more or less cautious than its own, each beside LR and SVM that predict on "
        "as many pairs, those with the largest margins."
    ),
    full={
        **PERSONS,
        "sizes": [12, 16, 20, 24, 29],
        "users": 40,
        "runs": 10,
        "pairs": 100,
        "threshold": 0.9,
        "time_limit": 20.0,
    },
    quick={"sizes": [12, 20, 29], "users": 6, "runs": 2, "time_limit": 5.0},
    prepare=without_data,
    tasks=tasks_by_sets,
    run=run,
    seconds=guessed(0.06, 0.2, 10),
    alone=False,
    source="rules",
    omits=(),
    figures=_figures,
    table=Table(
        (
            *("rule", "reading", "sets rated", "statements", "prediction rate", "precision"),
            *("LR as often", "lead over LR", "SVM as often", "lead over SVM"),
        ),
        _cells,
        "Every rule beside LR and SVM that predict on as many pairs, leads in points: means over users with 95% "
        "intervals.",
    ),
    claims=in_readings(_judge),
)
