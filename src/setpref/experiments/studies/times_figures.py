"""The running times in rows, and their figures: ours and the paper's programs, against n and against |R|."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from setpref.experiments.records import Document, Engine, Part, Row, Rows
from setpref.experiments.series import Spread, group, mean_statements
from setpref.experiments.sheet import COLOURS, MARKERS, Drawing, colour, decades, label_lines, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["VARIED", "WORDS", "slower", "spent", "times_by_place", "times_figures"]

VARIED = {
    "elements": ("against n", "elements n", "300 \u2264 |R| \u2264 400"),
    "statements": ("against |R|", "statements |R|", "n = 8"),
}
WORDS: dict[Part, str] = {"learn": "learning", "predict": "one prediction"}
ENGINES: dict[Engine, str] = {"ours": "ord", "mip": "mip"}


def times_by_place(document: Document) -> dict[str, dict[float, Rows]]:
    """Return, per what was varied, the rows by n, or by |R| near one of the numbers that were asked for.

    An instance has at least as many statements as were asked for, and fewer than the next number; the place of a group
    is the mean of what its instances have.
    """
    asked = sorted(document.get("settings", {}).get("range_of_statements", ()))
    found: dict[str, dict[float, Rows]] = {}
    for vary, rows in group(document["rows"], lambda row: row["vary"]).items():
        if vary == "elements":
            found[vary] = {float(n): part for n, part in group(rows, lambda row: row["elements"]).items()}
            continue
        near: dict[float, list[Row]] = defaultdict(list)
        for row in rows:
            near[max((a for a in asked if a <= mean_statements([row])), default=row["sets"])].append(row)
        parts = [near[key] for key in sorted(near)]
        found[vary] = {mean_statements(part): part for part in parts}
    return found


def spent(rows: Rows, engine: Engine, part: Part) -> Spread:
    """Return the spread of the time an engine took to learn or to predict; stopped runs count as the time they had."""
    found = [time for row in rows if (time := _time(row, engine, part)) is not None]
    return Spread.of([time for time, _ in found], [stopped for _, stopped in found])


def slower(rows: Rows, part: Part) -> Spread:
    """Return the spread of how many times slower the paper's program was than ours on the same instance."""
    pairs = [(_time(row, "ours", part), _time(row, "mip", part)) for row in rows]
    known = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None and mine[0] > 0]
    return Spread.of([theirs[0] / mine[0] for mine, theirs in known], [theirs[1] for _, theirs in known])


def _time(row: Row, engine: Engine, part: Part) -> tuple[float, bool] | None:
    """Return a time and whether it ended without a result: at the cap, or given up."""
    measured = row.get(engine)
    if not measured or (time := measured.get(part)) is None:
        return None
    return float(time), not measured.get("finished" if part == "learn" else "predict_finished", True)


# -- figures ---------------------------------------------------------------------------------------------------------


def times_figures(document: Document) -> list[Drawing]:
    """Return a figure per what was varied."""
    return [
        Drawing(
            f"running-times-{vary}",
            f"Seconds to learn and for one prediction against {VARIED[vary][1]} ({VARIED[vary][2]}): medians with "
            "quartiles of ours and of the paper's programs (MIP). A hollow mark is a median of runs that did not "
            "finish, so the true one is larger. Numbers on top: how many times slower MIP was on the same instances.",
            partial(_figure, part, vary),
        )
        for vary, part in times_by_place(document).items()
    ]


def _figure(groups: Mapping[float, Rows], vary: str) -> Figure:
    _, words, fixed = VARIED[vary]
    figure, axes = panels(f"Running times, {fixed}", 2, tall=1.45, left=0.5, right=0.46, between=(0.3, 0.6), top=0.54)
    for axis, part in zip(axes, WORDS, strict=True):
        ends = {}
        for engine, method in ENGINES.items():
            seen = [(x, spent(rows, engine, part)) for x, rows in groups.items()]
            if seen := [(x, spread) for x, spread in seen if spread.count]:
                _timed(axis, seen, method)
                ends["ours" if engine == "ours" else "MIP"] = (seen[-1][0], seen[-1][1].median, colour(method))
        if ends:
            decades(axis)
        axis.set_xlim(*_padded(list(groups)))
        if vary == "elements":
            axis.set_xticks(list(groups))
        label_lines(axis, ends)
        _ratios(axis, [(x, slower(rows, part)) for x, rows in groups.items()])
        axis.set_title(f"{WORDS[part]}, seconds", pad=13)
    axes[-1].set_xlabel(words)
    return figure


def _padded(places: Sequence[float]) -> tuple[float, float]:
    room = 0.06 * (max(places) - min(places)) or 1.0
    return min(places) - room, max(places) + room


def _timed(axes: Axes, seen: Sequence[tuple[float, Spread]], method: str) -> None:
    tone, marker = colour(method), MARKERS[method]
    axes.fill_between(
        [x for x, _ in seen], [s.low for _, s in seen], [s.high for _, s in seen], color=tone, alpha=0.16, linewidth=0
    )
    axes.plot([x for x, _ in seen], [s.median for _, s in seen], color=tone)
    for x, spread in seen:
        axes.plot([x, x], [spread.low, spread.high], color=tone, linewidth=0.7)
        face = "white" if spread.least else tone
        axes.plot(x, spread.median, "^" if spread.least else marker, color=tone, markerfacecolor=face)


def _ratios(axes: Axes, found: Sequence[tuple[float, Spread]]) -> None:
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
