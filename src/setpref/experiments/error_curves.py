"""The figure of the errors: measures against the share of statements that were turned round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from setpref.experiments import series
from setpref.experiments.sheet import DASHES, Drawing, band, colour, label_lines, panels, written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["errors_plan"]

Rows = Sequence[Mapping[str, Any]]

SHOWN = {
    "errors": ("ord-refuse", "ord-repair", "ord-robust", "ord-known"),
    "errors-rivals": ("ord-robust", "lr", "svm", "lr-reject", "svm-reject"),
}
WORDS = {
    "errors": "ORD that refuses what contradicts itself, learns from one optimal repair, asks all optimal repairs to "
    "agree (robust), or knows how many statements are wrong and spends them on a smaller degree (known)",
    "errors-rivals": "ORD robust over all optimal repairs beside LR and SVM, which never minded contradictions, also "
    "when they predict only their largest margins on as many pairs",
}
STYLES: dict[str, dict[str, Any]] = {
    "ord-robust": {},
    "ord-repair": {"linestyle": DASHES, "markerfacecolor": "white"},
    "ord-refuse": {"linestyle": (0, (1.0, 1.4)), "marker": "x"},
    "ord-known": {"linestyle": (0, (4.0, 1.2, 1.0, 1.2)), "marker": "d"},
}
METRICS = ("precision", "prediction_rate", "f1")
FEWEST = 5


def errors_plan(document: Mapping[str, Any]) -> list[Drawing]:
    """Return the figures of the experiment."""
    rows: Rows = document["rows"]
    found = []
    for name, methods in SHOWN.items():
        shown = series.methods_of(rows, methods)
        for reading, part in series.group(rows, "reading").items():
            title = f"Errors, {series.reading_label(reading, rows)}"
            caption = (
                f"{title}: precision, prediction rate and F1 against the share of statements that were turned round; "
                f"{WORDS[name]}; means over {series.people(part)} with 95% intervals."
            )
            found.append(Drawing(f"{name}-{reading}", caption, partial(_figure, part, shown, title)))
    return found


def _figure(rows: Rows, methods: Sequence[str], title: str) -> Figure:
    figure, axes = panels(len(METRICS), right=0.78)
    # Who refuses nearly always has a precision for a few users only, and then an interval as wide as the panel.
    enough = min(FEWEST, len({row["user"] for row in rows}))
    for axis, metric in zip(axes, METRICS, strict=True):
        ends = {}
        for method in reversed(methods):
            line = [(100 * share, series.interval(some, method, metric)) for share, some in _by_share(rows)]
            seen = [(x, found) for x, found in line if found.runs >= enough]
            if len(seen) > 1:  # one point alone, as of a method that then always refuses, is no line
                band(axis, [x for x, _ in seen], [found for _, found in seen], method, **STYLES.get(method, {}))
                ends[series.label(method)] = (seen[-1][0], seen[-1][1].mean, colour(method))
        axis.set(ylim=(0.0, 1.02), title=series.METRICS[metric])
        label_lines(axis, ends)
        if axis is not axes[-1]:
            axis.tick_params(labelbottom=False)
    axes[-1].set_xlabel("statements turned round, %")
    written(figure, title)
    return figure


def _by_share(rows: Rows) -> list[tuple[float, list[Mapping[str, Any]]]]:
    return list(series.group(rows, "noise").items())
