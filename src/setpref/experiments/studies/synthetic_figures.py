"""The figures of the synthetic users: measures, and F1, against the number of statements.

The two readings of how users are drawn are separate figures with equal axes, to stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from setpref.evaluation.intervals import Interval
from setpref.experiments.protocol import PLAIN
from setpref.experiments.records import Document, Rows
from setpref.experiments.series import (
    by_sets,
    interval,
    label,
    lead,
    mean_f1,
    mean_statements,
    methods_of,
    people,
    readings,
    thresholds,
)
from setpref.experiments.sheet import GREY, Drawing, Line, band, label_lines, measures, panels, reach

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["f1_figures", "metrics_figures"]

EQUAL = ("ord", "lr-reject", "svm-reject")
STATEMENTS = "statements |R|"


# -- the measures ----------------------------------------------------------------------------------------------------


def metrics_figures(document: Document) -> list[Drawing]:
    """Return the four measures, and ORD beside rivals that abstain as often, per reading."""
    rows: Rows = document["rows"]
    four = ("precision", "recall", "prediction_rate", "correctness")
    found = []
    for methods, metrics, name, words in (
        (PLAIN, four, "synthetic-metrics", "four measures against the number of statements"),
        (EQUAL, ("precision", "recall", "correctness"), "synthetic-reject", "ORD beside LR and SVM that predict only "
         "their largest margins, on as many pairs as ORD in the same run"),
    ):  # fmt: skip
        shown = methods_of(rows, methods)
        right = 0.72 if "lr-reject" in shown else 0.46
        lines = {reading: _lines(part, shown, metrics) for reading, _, part in readings(rows)}
        bounds = {metric: _bounds([every[metric] for every in lines.values()]) for metric in metrics}
        for reading, reading_words, part in readings(rows):
            title = f"Synthetic users, {reading_words}"
            caption = f"{title}: {words}; means over {people(part)} with 95% intervals."
            make = partial(measures, title, STATEMENTS, lines[reading], bounds, right=right)
            found.append(Drawing(f"{name}-{reading}", caption, make))
    return found


def _lines(rows: Rows, methods: Sequence[str], metrics: Sequence[str]) -> dict[str, dict[str, Line]]:
    """Return per measure and method the mean number of statements and the measure over users, by rated sets."""
    sizes = [(mean_statements(part), part) for part in by_sets(rows).values()]
    return {
        metric: {method: _known([(x, interval(part, method, metric)) for x, part in sizes]) for method in methods}
        for metric in metrics
    }


def _known(line: Line) -> Line:
    return [(x, seen) for x, seen in line if seen.runs]


def _bounds(readings: Sequence[Mapping[str, Line]]) -> tuple[float, float]:
    """Return one range of a measure for all readings, so that figures side by side can be compared."""
    ends = [seen.ends[0] for lines in readings for line in lines.values() for _, seen in line]
    return max(0.0, math.floor(min(ends, default=0.0) * 10 - 0.2) / 10), 1.02


# -- F1 --------------------------------------------------------------------------------------------------------------

PAPER_MARKS = {50: "paper: close", 170: "paper: ORD ahead from here"}


def f1_figures(document: Document) -> list[Drawing]:
    """Return the mean F1 and ORD's lead in it, per reading."""
    rows: Rows = document["rows"]
    lines = {reading: _f1_lines(part) for reading, _, part in readings(rows)}
    found = []
    for reading, words, part in readings(rows):
        title = f"Synthetic users, {words}"
        caption = (
            f"{title}: above, mean F1 over the runs with at least x statements; below, by how much ORD is ahead of "
            f"each rival on the same people; means over up to {people(part)} with 95% intervals."
        )
        found.append(Drawing(f"synthetic-f1-{reading}", caption, partial(_f1_figure, lines, reading, title)))
    return found


def _f1_lines(rows: Rows) -> tuple[dict[str, Line], dict[str, Line]]:
    """Return per method the mean F1, and per rival the lead over it, from every number of statements on."""
    methods, places = methods_of(rows, PLAIN), [float(x) for x in thresholds(rows)]
    means = {m: _known([(x, Interval.of(mean_f1(rows, m, x).values())) for x in places]) for m in methods}
    leads = {m: _known([(x, lead(rows, "ord", m, x)) for x in places]) for m in methods if m in ("lr", "svm")}
    return means, leads


def _f1_figure(every: Mapping[str, tuple[Mapping[str, Line], Mapping[str, Line]]], reading: str, title: str) -> Figure:
    figure, axes = panels(title, 2, tall=1.35, right=0.62)
    for number, axis in enumerate(axes):
        ends = {}
        for method, line in reversed([*every[reading][number].items()]):
            if line:
                ends[f"over {label(method)}" if number else label(method)] = band(axis, line, method, marker="")
        known = [one for pair in every.values() for line in pair[number].values() for one in line]
        places = [x for x, _ in known]
        # Equal axes for both readings.
        low, high = reach([seen for _, seen in known], zero=number == 1)
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
    return figure


def _points(share: float, _: object = None) -> str:
    points = round(100 * share, 1)
    return f"{points:+g}".replace("-", "\u2212") if points else "0"
