"""The figures of the synthetic users: measures and F1 against the statements, rules, and the simplest models.

The two readings of how users are drawn are separate figures with equal axes, to stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from setpref.evaluation.intervals import Interval
from setpref.experiments import series
from setpref.experiments.sheet import (
    COLOURS,
    DASHES,
    GREY,
    MARKERS,
    Drawing,
    band,
    colour,
    decades,
    label_lines,
    line_style,
    panels,
    spread_out,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["f1_plan", "metrics_plan", "rules_plan", "simplest_plan"]

Document = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]
PLAIN = ("ord", "lr", "svm", "knn")
Lines = dict[str, list[tuple[float, Interval]]]
EQUAL = ("ord", "lr-reject", "svm-reject")
STATEMENTS = "statements |R|"


# -- synthetic users: the measures -----------------------------------------------------------------------------------


def metrics_plan(document: Document) -> list[Drawing]:
    """Return the figures of the experiment."""
    rows: Rows = document["rows"]
    four = ("precision", "recall", "prediction_rate", "correctness")
    found = []
    for methods, metrics, name, words in (
        (PLAIN, four, "synthetic-metrics", "four measures against the number of statements"),
        (EQUAL, ("precision", "recall", "correctness"), "synthetic-reject", "ORD beside LR and SVM that predict only "
         "their largest margins, on as many pairs as ORD in the same run"),
    ):  # fmt: skip
        shown = series.methods_of(rows, methods)
        bounds = _bounds(rows, shown, metrics)
        for reading, part in series.group(rows, "reading").items():
            title = f"Synthetic users, {series.reading_label(reading, rows)}"
            caption = f"{title}: {words}; means over {series.people(part)} with 95% intervals."
            make = partial(_metrics_figure, part, shown, metrics, title, bounds)
            found.append(Drawing(f"{name}-{reading}", caption, make))
    return found


def _curve(rows: Rows, method: str, metric: str) -> list[tuple[float, Interval]]:
    """Return per number of rated sets the mean number of statements and the measure over users."""
    sizes = series.group(rows, "sets").values()
    return [(fmean(series.statements_of(part)), series.interval(part, method, metric)) for part in sizes]


def _bounds(rows: Rows, methods: Sequence[str], metrics: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return one range a measure for all readings, so that figures side by side can be compared."""
    found = {}
    for metric in metrics:
        parts = series.group(rows, "reading").values()
        means = [seen for part in parts for m in methods for _, seen in _curve(part, m, metric) if seen.runs]
        lowest = min((value for seen in means for value in (seen.mean, seen.low) if not math.isnan(value)), default=0.0)
        found[metric] = (max(0.0, math.floor(lowest * 10 - 0.2) / 10), 1.02)
    return found


def _metrics_figure(
    rows: Rows, methods: Sequence[str], metrics: Sequence[str], title: str, bounds: Mapping[str, tuple[float, float]]
) -> Figure:
    figure, axes = panels(len(metrics), right=0.72 if "lr-reject" in methods else 0.46)
    for axis, metric in zip(axes, metrics, strict=True):
        ends = {}
        for method in reversed(methods):
            if seen := [(x, found) for x, found in _curve(rows, method, metric) if found.runs]:
                ends[series.label(method)] = _drawn(axis, seen, method)
        axis.set(ylim=bounds[metric], title=series.METRICS[metric])
        label_lines(axis, ends)
        if axis is not axes[-1]:
            axis.tick_params(labelbottom=False)
    axes[-1].set_xlabel(STATEMENTS)
    written(figure, title)
    return figure


def _drawn(axes: Axes, seen: Sequence[tuple[float, Interval]], method: str, **style: Any) -> tuple[float, float, str]:
    """Draw a line with its band, and return where its label belongs."""
    band(axes, [x for x, _ in seen], [found for _, found in seen], method, **style)
    return seen[-1][0], seen[-1][1].mean, colour(method)


def _or(value: float, other: float) -> float:
    return other if math.isnan(value) else value


# -- synthetic users: F1 ---------------------------------------------------------------------------------------------

PAPER_MARKS = {50: "paper: close", 170: "paper: ORD ahead from here"}


def f1_plan(document: Document) -> list[Drawing]:
    """Return the figures of the experiment."""
    rows: Rows = document["rows"]
    found, lines = [], {}
    for reading, part in series.group(rows, "reading").items():
        lines[reading] = _f1_lines(part)
        title = f"Synthetic users, {series.reading_label(reading, rows)}"
        caption = (
            f"{title}: above, mean F1 over the runs with at least x statements; below, by how much ORD is ahead of "
            f"each rival on the same people; means over up to {series.people(part)} with 95% intervals."
        )
        make = partial(_f1_figure, lines, reading, title)
        found.append(Drawing(f"synthetic-f1-{reading}", caption, make))
    return found


def _f1_lines(rows: Rows) -> tuple[Lines, Lines]:
    """Return per method the mean F1, and per rival the lead over it, from every number of statements on."""
    methods, places = series.methods_of(rows, PLAIN), [float(x) for x in series.thresholds(rows)]
    means = {m: [(x, Interval.of(list(series.mean_f1(rows, m, x).values()))) for x in places] for m in methods}
    leads = {m: [(x, series.lead(rows, "ord", m, x)) for x in places] for m in methods if m in ("lr", "svm")}
    return _known(means), _known(leads)


def _known(lines: Lines) -> Lines:
    kept = {method: [(x, seen) for x, seen in line if seen.runs] for method, line in lines.items()}
    return {method: line for method, line in kept.items() if line}


def _f1_figure(every: Mapping[str, tuple[Lines, Lines]], reading: str, title: str) -> Figure:
    figure, axes = panels(2, tall=1.35, right=0.62)
    for number, axis in enumerate(axes):
        ends = {}
        for method, line in reversed(every[reading][number].items()):
            label = f"over {series.label(method)}" if number else series.label(method)
            ends[label] = _drawn(axis, line, method, marker="")
        known = [one for pair in every.values() for line in pair[number].values() for one in line]
        places = [x for x, _ in known]
        # Equal axes for both readings.
        low, high = _reach([seen for _, seen in known], zero=number == 1)
        axis.set(xlim=(min(places, default=0) - 5, max(places, default=400) + 5), ylim=(low, high))
        for x, words in PAPER_MARKS.items():
            if axis.get_xlim()[0] <= x <= axis.get_xlim()[1]:
                axis.axvline(x, color=GREY, linewidth=0.6, linestyle=(0, (1, 1.5)))
                said: Any = {"transform": axis.get_xaxis_transform(), "color": GREY, "fontsize": 6}
                axis.text(x, 0.02, " " + words if number == 0 else "", **said)
        label_lines(axis, ends)
    axes[0].set(title="mean F1")
    axes[0].tick_params(labelbottom=False)
    axes[1].axhline(0, color="0.3", linewidth=0.7)
    axes[1].set(title="ORD's lead in F1, in points", xlabel="runs with at least x " + STATEMENTS)
    axes[1].yaxis.set_major_formatter(_points)
    written(figure, title)
    return figure


def _reach(seen: Sequence[Interval], zero: bool = False) -> tuple[float, float]:
    """Return limits that hold all means and intervals, and 0 if asked for, with some room."""
    ends = [value for one in seen for value in (one.low, one.mean, one.high) if not math.isnan(value)]
    ends = [*ends, 0.0] if zero or not ends else ends
    room = 0.06 * (max(ends) - min(ends)) or 0.05
    return min(ends) - room, max(ends) + room


def _points(share: float, _: object = None) -> str:
    points = round(100 * share, 1)
    return f"{points:+g}".replace("-", "\u2212") if points else "0"


# -- rules -----------------------------------------------------------------------------------------------------------

RULES = {"ord": "all", "ord-union": "union", "ord-majority": "majority", "ord-volume": "volume"}


def rules_plan(document: Document) -> list[Drawing]:
    """Return the figures of the experiment."""
    rows: Rows = document["rows"]
    found = []
    for reading, part in series.group(rows, "reading").items():
        title = f"Synthetic users, {series.reading_label(reading, rows)}"
        caption = (
            f"{title}: precision against prediction rate of the four cautious rules, and of LR and SVM that predict "
            f"only their largest margins on as many pairs; means over {series.people(part)} with 95% intervals."
        )
        found.append(Drawing(f"rules-{reading}", caption, partial(_rules_figure, part, rows, title)))
    return found


def _rules_figure(rows: Rows, everyone: Rows, title: str) -> Figure:
    every = {
        reading: [(sets, some, _ruled(some)) for sets, some in series.three(series.group(part, "sets"))]
        for reading, part in series.group(everyone, "reading").items()
    }
    ruled_all = [ruled for sizes in every.values() for *_, ruled in sizes]
    known = [one for ruled in ruled_all for families in ruled.values() for one in families.values()]
    rates = [rate for rate, _ in known] or [0.0, 1.0]
    room = 0.08 * (max(rates) - min(rates)) or 0.05
    chosen = every[rows[0]["reading"]]
    figure, axes = panels(len(chosen), tall=1.3, right=0.4, between=(0.3, 0.48), top=0.52)
    for axis, (sets, some, ruled) in zip(axes, chosen, strict=True):
        about = round(fmean(series.statements_of(some)))
        axis.set_title(f"precision; {sets} sets rated, about {about} statements", pad=14)
        # Equal axes for both readings and all sizes.
        axis.set(xlim=(min(rates) - room, max(rates) + room), ylim=_reach([seen for _, seen in known]))
        _rules_lines(axis, ruled)
        _rules_labels(axis, ruled)
        axis.tick_params(labelbottom=axis is axes[-1])
    axes[-1].set_xlabel("prediction rate")
    written(figure, title)
    return figure


def _ruled(rows: Rows) -> dict[str, dict[str, tuple[float, Interval]]]:
    """Return per rule, from the most cautious, the prediction rate and precision of ORD and of its rivals there."""
    rules = {rule: series.interval(rows, rule, "prediction_rate").mean for rule in series.methods_of(rows, [*RULES])}
    found = {
        rule: {
            family: (rate, seen)
            for family in ("ord", "lr", "svm")
            if (seen := series.interval(rows, rule if family == "ord" else f"{family}@{rule}", "precision")).runs
        }
        for rule, rate in sorted(rules.items(), key=lambda item: item[1])
    }
    # A rule that never predicts has no precision, and no place.
    return {rule: families for rule, families in found.items() if "ord" in families}


def _rules_lines(axes: Axes, ruled: Mapping[str, Mapping[str, tuple[float, Interval]]]) -> None:
    for family, beside in (("svm", 0.004), ("lr", -0.004), ("ord", 0.0)):
        seen = [found[family] for found in ruled.values() if family in found]
        # Rivals stand a little aside, so that intervals at the same rate can be told apart.
        places = [rate + beside for rate, _ in seen]
        for place, (_, found) in zip(places, seen, strict=True):
            ends = [_or(found.low, found.mean), _or(found.high, found.mean)]
            axes.plot([place, place], ends, color=colour(family), linewidth=0.8)
        style = line_style(family) | ({} if family == "ord" else {"linestyle": DASHES, "markerfacecolor": "white"})
        axes.plot(places, [found.mean for _, found in seen], **style)


def _rules_labels(axes: Axes, ruled: Mapping[str, Mapping[str, tuple[float, Interval]]]) -> None:
    if not ruled:
        return
    last = list(ruled.values())[-1]
    label_lines(axes, {series.label(f): (rate, found.mean, colour(f)) for f, (rate, found) in last.items()})
    to_share = axes.transData + axes.transAxes.inverted()
    rates = [found["ord"][0] for found in ruled.values()]
    shares = [float(to_share.transform((rate, axes.get_ylim()[0]))[0]) for rate in rates]
    for rule, share, place in zip(ruled, shares, spread_out(shares, 0.175, 0.05, 0.95), strict=True):
        shared: Any = {"transform": axes.transAxes, "clip_on": False}
        axes.plot([share, share, place], [0.0, 1.0, 1.05], color="0.75", linewidth=0.5, zorder=1, **shared)
        axes.text(place, 1.06, RULES[rule], ha="center", va="bottom", fontsize=6, color=COLOURS["ord"], **shared)


# -- the simplest models ---------------------------------------------------------------------------------------------

SIZES = {
    "models": "number of simplest models",
    "degree": "degree",
    "cardinality": "number of terms",
    "total_size": "total size of the terms",
}


def simplest_plan(document: Document) -> list[Drawing]:
    """Return the figures of the experiment."""
    rows: Rows = document["rows"]
    caption = (
        "How many simplest models there are (median and quartiles over all runs) and their degree, number of terms and "
        f"total size (means over {series.people(rows)} with 95% intervals), against the number of sets rated."
    )
    return [Drawing("simplest-models", caption, partial(_simplest_figure, rows))]


def _simplest_figure(rows: Rows) -> Figure:
    from matplotlib.ticker import MaxNLocator

    figure, axes = panels(2, 2, tall=1.2, right=0.08, left=0.4, between=(0.42, 0.34), top=0.52)
    readings, sizes_rated = series.group(rows, "reading"), [row["sets"] for row in rows]
    least, most = min(sizes_rated), max(sizes_rated)
    for axis, (name, words) in zip(axes, SIZES.items(), strict=True):
        for reading, part in readings.items():
            seen = [(sets, size) for sets, some in series.group(part, "sets").items() if (size := _size(some, name))]
            if seen:
                tone, marker = COLOURS.get(reading, GREY), MARKERS.get(reading, "o")
                places, sizes = [sets for sets, _ in seen], [size for _, size in seen]
                axis.fill_between(
                    places, [s[0] for s in sizes], [s[2] for s in sizes], color=tone, alpha=0.16, linewidth=0
                )
                axis.plot(places, [s[1] for s in sizes], color=tone, marker=marker, markersize=2.4)
        axis.set_title(words)
        if name == "models" and axis.lines:
            decades(axis)
        elif axis.lines:
            axis.set_ylim(0, 1.06 * axis.dataLim.intervaly[1])
            axis.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axis.set_xlim(least - 1, most + 1)
    for axis in axes[:2]:
        axis.tick_params(labelbottom=False)
    for axis in axes[2:]:
        axis.set_xlabel("sets rated")
    written(figure, "The simplest models")
    _reading_keys(figure, rows, list(readings))
    return figure


def _size(rows: Rows, name: str) -> tuple[float, float, float] | None:
    """Return the lower end, middle and upper end to draw."""
    if name == "models":
        # The number of models has no bound: as a float it may be beyond what can be drawn.
        spread = series.Spread.of([float(min(n, 10**300)) for row in rows for n in row["models"] if n is not None])
        return (spread.low, spread.median, spread.high) if spread.count else None
    found = series.mean_of(rows, name)
    return (_or(found.low, found.mean), found.mean, _or(found.high, found.mean)) if found.runs else None


def _reading_keys(figure: Figure, rows: Rows, readings: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    keys = [
        Line2D([], [], color=COLOURS.get(r, GREY), marker=MARKERS.get(r, "o"), label=series.reading_label(r, rows))
        for r in readings
    ]
    place: Any = {"loc": "upper left", "bbox_to_anchor": (0.0, 1 - 0.17 / figure.get_size_inches()[1])}
    figure.legend(handles=keys, ncols=2, frameon=False, handlelength=1.8, borderaxespad=0.0, **place)
