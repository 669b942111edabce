"""The figures of the experiments, drawn from their rows: one idea a figure, at the width of a journal's column.

A method has the same colour in every figure; lines carry their names; bands are 95% intervals over users. Here are the
list of all figures, and those of the running times and the movies; those of the synthetic users are in
:mod:`setpref.experiments.synthetic_curves`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setpref.errors import InputError
from setpref.evaluation.intervals import Interval
from setpref.experiments import series
from setpref.experiments.error_curves import errors_plan
from setpref.experiments.reported import MOVIES
from setpref.experiments.sheet import (
    COLOURS,
    MARKERS,
    Drawing,
    colour,
    decades,
    drawing,
    label_lines,
    line_style,
    panels,
    store,
    written,
)
from setpref.experiments.synthetic_curves import f1_plan, metrics_plan, rules_plan, simplest_plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "drawings"]

Document = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]


def draw(document: Document, folder: Path) -> list[Path]:
    """Draw the figures of an experiment into a folder, as SVG and PNG; without rows there are none."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} for the figures; make it first")
    saved = []
    for planned in drawings(document):
        with drawing():
            saved += store(planned.make(), folder, planned.name)
    return saved


def drawings(document: Document) -> list[Drawing]:
    """Return the figures that the rows of an experiment give, in the order to show them; nothing is drawn yet."""
    plan = PLANS.get(document["experiment"])
    return plan(document) if plan and document["rows"] else []


# -- running times ---------------------------------------------------------------------------------------------------

VARIED = {"elements": ("elements n", "300 \u2264 |R| \u2264 400"), "statements": ("statements |R|", "n = 8")}
ENGINES = {"ours": "ord", "mip": "mip"}


def _times_plan(document: Document) -> list[Drawing]:
    return [
        Drawing(
            f"running-times-{vary}",
            f"Seconds to learn and for one prediction against {VARIED[vary][0]} ({VARIED[vary][1]}): medians with "
            "quartiles of ours and of the paper's programs (MIP). A hollow mark is a median of runs that did not "
            "finish, so the true one is larger. Numbers on top: how many times slower MIP was on the same instances.",
            partial(_times_figure, part, vary),
        )
        for vary, part in series.times_by_place(document).items()
    ]


def _times_figure(groups: Mapping[float, Rows], vary: str) -> Figure:
    words, fixed = VARIED[vary]
    figure, axes = panels(2, tall=1.45, left=0.5, right=0.46, between=(0.3, 0.6), top=0.54)
    for axis, part in zip(axes, ("learn", "predict"), strict=True):
        ends = {}
        for engine, method in ENGINES.items():
            seen = [(x, series.seconds(rows, engine, part)) for x, rows in groups.items()]
            if seen := [(x, spread) for x, spread in seen if spread.count]:
                _timed(axis, seen, method)
                ends["ours" if engine == "ours" else "MIP"] = (seen[-1][0], seen[-1][1].median, colour(method))
        if ends:
            decades(axis)
        axis.set_xlim(*_padded(list(groups)))
        if vary == "elements":
            axis.set_xticks(list(groups))
        label_lines(axis, ends)
        _ratios(axis, [(x, series.slower(rows, part)) for x, rows in groups.items()])
        axis.set_title({"learn": "learning, seconds", "predict": "one prediction, seconds"}[part], pad=13)
    axes[-1].set_xlabel(words)
    written(figure, f"Running times, {fixed}")
    return figure


def _padded(places: Sequence[float]) -> tuple[float, float]:
    room = 0.06 * (max(places) - min(places)) or 1.0
    return min(places) - room, max(places) + room


def _timed(axes: Axes, seen: Sequence[tuple[float, series.Spread]], method: str) -> None:
    tone, marker = colour(method), MARKERS[method]
    axes.fill_between(
        [x for x, _ in seen], [s.low for _, s in seen], [s.high for _, s in seen], color=tone, alpha=0.16, linewidth=0
    )
    axes.plot([x for x, _ in seen], [s.median for _, s in seen], color=tone)
    for x, spread in seen:
        axes.plot([x, x], [spread.low, spread.high], color=tone, linewidth=0.7)
        face = "white" if spread.least else tone
        axes.plot(x, spread.median, "^" if spread.least else marker, color=tone, markerfacecolor=face)


def _ratios(axes: Axes, found: Sequence[tuple[float, series.Spread]]) -> None:
    """Write how many times slower the paper's program was, above the panel, as many as have room."""
    shown = [(x, spread) for x, spread in found if spread.count]
    if shown:
        axes.text(1.04, 1.02, "MIP/ours", transform=axes.transAxes, fontsize=6, color=COLOURS["mip"])
    to_share = axes.transData + axes.transAxes.inverted()
    last = -1.0
    for x, spread in shown:
        place = float(to_share.transform((x, axes.get_ylim()[0]))[0])
        if place - last >= 0.16:
            last = place
            style: Any = {"transform": axes.transAxes, "fontsize": 6, "color": COLOURS["mip"], "ha": "center"}
            least = "\u2265" if spread.least else ""
            axes.text(place, 1.02, f"{least}\u00d7{_short(spread.median)}", **style)


def _short(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 10 else f"{number:.1f}"


# -- movies ----------------------------------------------------------------------------------------------------------

MOVIE_METHODS = ("ord", "lr", "svm", "knn", "lr-reject", "svm-reject")
MOVIE_METRICS = ("prediction_rate", "precision", "recall", "f1")


def _movies_plan(document: Document) -> list[Drawing]:
    found = []
    groups = series.group(document["rows"], "source", "protocol")
    for number, ((source, protocol), part) in enumerate(groups.items()):
        title = f"{source}, protocol {protocol}"
        caption = (
            f"{title}: means over {series.people(part)} with 95% intervals; hollow marks are the averages that the "
            "paper reports, on other data."
        )
        name = f"movies-{protocol}" if len({s for s, _ in groups}) == 1 else f"movies-{number + 1}-{protocol}"
        found.append(Drawing(name, caption, partial(_movies_figure, part, title)))
    return found


def _movies_figure(rows: Rows, title: str) -> Figure:
    methods = series.methods_of(rows, MOVIE_METHODS)
    seen = {metric: [series.interval(rows, m, metric) for m in methods] for metric in MOVIE_METRICS}
    lows = [value for found in seen.values() for one in found for value in (one.low, one.mean) if not math.isnan(value)]
    least = math.floor(10 * min([*lows, 0.45]) - 0.2) / 10
    tall = 0.17 * len(methods) + 0.1
    figure, axes = panels(2, 2, tall=tall, left=0.72, right=0.12, between=(0.26, 0.42), bottom=0.46)
    for number, (axis, metric) in enumerate(zip(axes, MOVIE_METRICS, strict=True)):
        for place, (method, found) in enumerate(zip(reversed(methods), reversed(seen[metric]), strict=True)):
            if reported := MOVIES.get(method):
                hollow: Any = {"markerfacecolor": "white", "markeredgecolor": colour(method), "markeredgewidth": 0.8}
                axis.plot(reported[metric], place, MARKERS[method], markersize=5.6, zorder=2, clip_on=False, **hollow)
            _dot(axis, found, place, method)
        axis.set(xlim=(max(0.0, least), 1.02), ylim=(-0.6, len(methods) - 0.4), title=series.METRICS[metric])
        axis.set_xticks([tick / 10 for tick in range(0, 11, 2) if tick / 10 >= least])
        axis.set_yticks(range(len(methods)), [series.label(m) for m in reversed(methods)] if number % 2 == 0 else [])
        axis.tick_params(axis="y", length=0)
    written(figure, title)
    words = "small: these runs (95% interval); hollow: the paper's averages"
    figure.text(0.5, 0.06 / figure.get_size_inches()[1], words, ha="center", fontsize=6.5)
    return figure


def _dot(axes: Axes, found: Interval, place: float, method: str) -> None:
    if found.runs > 1:
        axes.plot([found.low, found.high], [place, place], color=colour(method), linewidth=1.0, zorder=3)
    if found.runs:
        style: Any = {"color": colour(method), "markersize": 3.4, "zorder": 4, "clip_on": False}
        axes.plot([found.mean], [place], line_style(method)["marker"], **style)


PLANS: dict[str, Callable[[Document], list[Drawing]]] = {
    "synthetic-metrics": metrics_plan,
    "synthetic-f1": f1_plan,
    "running-times": _times_plan,
    "movies": _movies_plan,
    "rules": rules_plan,
    "simplest-models": simplest_plan,
    "errors": errors_plan,
}
