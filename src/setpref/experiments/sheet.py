"""The sheet that every figure of the experiments is drawn on: column width, one style, labels beside their lines.

Matplotlib is loaded only when something is drawn; lengths are inches; no pyplot and no lasting settings, and the same
rows give the same bytes. What is drawn is said in :mod:`setpref.experiments.studies`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setpref.data.writing import replace_file
from setpref.errors import MissingDependency
from setpref.evaluation.intervals import Interval
from setpref.experiments.series import METRICS, label
from setpref.showing.canvas import ENDINGS, RESOLUTION, SETTINGS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "COLUMN",
    "DASHES",
    "GREY",
    "MARKERS",
    "Drawing",
    "Line",
    "band",
    "colour",
    "decades",
    "drawing",
    "label_lines",
    "line_style",
    "measures",
    "panels",
    "reach",
    "spread_out",
    "store",
]

# Places along the axis, each with what was seen there.
Line = Sequence[tuple[float, Interval]]

COLUMN = 3.5
LETTERS = 7.0
LINE = LETTERS * 1.2 / 72

# Okabe and Ito's colours: one per method, in every figure. Readings, which are no methods, have two others.
COLOURS = {"ord": "#0072B2", "lr": "#D55E00", "svm": "#009E73", "knn": "#CC79A7", "mip": "#4D4D4D"}
COLOURS |= {"formula": "#B37700", "twelve": "#000000"}
MARKERS = {"ord": "o", "lr": "s", "svm": "^", "knn": "D", "mip": "v", "formula": "s", "twelve": "o"}
GREY = "#767676"
DASHES = (0, (3.0, 1.6))

STYLE: Any = SETTINGS | {
    # Part of matplotlib, so that figures are the same on every machine.
    "font.family": "DejaVu Sans",
    "font.size": LETTERS,
    "axes.titlesize": LETTERS,
    "axes.labelsize": LETTERS,
    "axes.labelpad": 2.0,
    "axes.titlepad": 4.0,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.6,
    "axes.edgecolor": "0.3",
    "axes.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.which": "major",
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "grid.linestyle": "-",
    "lines.linewidth": 1.2,
    "lines.markersize": 3.2,
    "xtick.labelsize": LETTERS,
    "ytick.labelsize": LETTERS,
    "xtick.direction": "out",
    "ytick.direction": "out",
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.visible": False,
    "ytick.minor.visible": False,
}


@dataclass(frozen=True)
class Drawing:
    """A figure before it is drawn.

    Attributes
    ----------
    name : str
        Its files are called so, with .svg and .png.
    caption : str
        What is to be seen, in words that stand alone.
    make : callable
        Draws it.
    """

    name: str
    caption: str
    make: Callable[[], Figure]


@contextmanager
def drawing() -> Iterator[None]:
    """Draw under our style, whatever the user's is, and give theirs back."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependency("matplotlib", "experiments", "drawing the experiments' figures") from None
    with matplotlib.rc_context(STYLE):
        yield


def panels(
    title: str,
    rows: int,
    columns: int = 1,
    *,
    tall: float = 1.05,
    left: float = 0.42,
    right: float = 0.72,
    between: tuple[float, float] = (0.3, 0.28),
    top: float = 0.34,
    bottom: float = 0.36,
) -> tuple[Figure, list[Axes]]:
    """Return a figure of column width under its title, and its panels, row by row; all lengths are inches."""
    from matplotlib.figure import Figure

    high = top + rows * tall + (rows - 1) * between[1] + bottom
    wide = (COLUMN - left - right - (columns - 1) * between[0]) / columns
    figure = Figure(figsize=(COLUMN, high))
    axes = [
        figure.add_axes(
            (
                (left + column * (wide + between[0])) / COLUMN,
                (bottom + (rows - 1 - row) * (tall + between[1])) / high,
                wide / COLUMN,
                tall / high,
            )
        )
        for row in range(rows)
        for column in range(columns)
    ]
    words: Any = {"fontsize": LETTERS + 1, "fontweight": "bold", "ha": "left", "va": "top", "parse_math": False}
    figure.text(0.05 / COLUMN, 1 - 0.05 / high, title, **words)
    return figure, axes


def colour(method: str) -> str:
    """Return a method's colour: the same for it, for its cautious rules and for its reject option."""
    return COLOURS[method.partition("@")[0].partition("-")[0]]


def line_style(method: str) -> dict[str, Any]:
    """Return how to draw the line of a method: dashed if it rejects."""
    marker = MARKERS[method.partition("@")[0].partition("-")[0]]
    dashed = method.endswith("-reject")
    face = "white" if dashed else colour(method)
    style: dict[str, Any] = {"color": colour(method), "marker": marker, "markerfacecolor": face}
    return style | {"linestyle": DASHES if dashed else "-", "markeredgewidth": 0.7}


def band(axes: Axes, line: Line, method: str, **style: Any) -> tuple[float, float, str]:
    """Draw means with their intervals as a band, of no height where one user has none; return where its label belongs.

    A label belongs where the line ends (in data), and has its colour.
    """
    places, tone = [x for x, _ in line], colour(method)
    low, high = zip(*(seen.ends for _, seen in line), strict=True)
    axes.fill_between(places, low, high, color=tone, alpha=0.16, linewidth=0)
    axes.plot(places, [seen.mean for _, seen in line], **line_style(method) | {"markersize": 2.4} | style)
    return places[-1], line[-1][1].mean, tone


def reach(seen: Sequence[Interval], zero: bool = False) -> tuple[float, float]:
    """Return limits that hold all means and intervals, and 0 if asked for, with some room."""
    ends = [end for one in seen for end in one.ends]
    ends = [*ends, 0.0] if zero or not ends else ends
    room = 0.06 * (max(ends) - min(ends)) or 0.05
    return min(ends) - room, max(ends) + room


def measures(
    title: str,
    across: str,
    lines: Mapping[str, Mapping[str, Line]],
    bounds: Mapping[str, tuple[float, float]],
    *,
    right: float,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
) -> Figure:
    """Draw measures below each other, each with a line per method, within bounds of its own."""
    figure, axes = panels(title, len(lines), right=right)
    for axis, (metric, found) in zip(axes, lines.items(), strict=True):
        drawn = [(method, line) for method, line in reversed([*found.items()]) if line]
        ends = {label(method): band(axis, line, method, **(styles or {}).get(method, {})) for method, line in drawn}
        axis.set(ylim=bounds[metric], title=METRICS[metric])
        label_lines(axis, ends)
        axis.tick_params(labelbottom=axis is axes[-1])
    axes[-1].set_xlabel(across)
    return figure


def label_lines(axes: Axes, ends: Mapping[str, tuple[float, float, str]]) -> None:
    """Write labels beside the ends of their lines, right of the panel and moved apart where they would overlap.

    Parameters
    ----------
    ends
        Per label where its line ends (in data) and its colour.
    """
    high = axes.get_position().height * axes.figure.get_figure(root=True).get_size_inches()[1]
    to_share = axes.transData + axes.transAxes.inverted()
    shares = {text: to_share.transform((x, y)).tolist() for text, (x, y, _) in ends.items()}
    shared: Any = {"transform": axes.transAxes, "clip_on": False}
    words: Any = {"ha": "left", "va": "center", "parse_math": False, **shared}
    # A line that ends early has room for its name right there.
    for early in (True, False):
        named = [text for text, (x, _) in shares.items() if (x < 0.8) is early]
        places = spread_out([shares[text][1] for text in named], LINE / high, 0.0, 1.0)
        for text, place in zip(named, places, strict=True):
            (x, y), tone = shares[text], ends[text][2]
            start, turn, end = (x + 0.02, x + 0.02, x + 0.04) if early else (x + 0.015, 1.0, 1.03)
            axes.plot([start, turn, end], [y, y, place], color=tone, linewidth=0.5, marker="", **shared)
            axes.text(end + 0.01, place, text, color=tone, **words)


def spread_out(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places moved as little as needed to be a gap apart, in the same order and within bounds if they fit.

    Examples
    --------
    >>> spread_out([0.5, 0.5, 0.9], 0.2, 0.0, 1.0)
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    # Neighbours that are too close form a block around their middle; blocks that then meet are joined.
    blocks: list[tuple[float, list[int]]] = []
    for i in order:
        middle, members = min(max(places[i], low), high), [i]
        while blocks and middle - gap * (len(members) - 1) / 2 < blocks[-1][0] + gap * (len(blocks[-1][1]) + 1) / 2:
            before, earlier = blocks.pop()
            middle = (before * len(earlier) + middle * len(members)) / (len(earlier) + len(members))
            members = earlier + members
            half = gap * (len(members) - 1) / 2
            middle = min(max(middle, low + half), max(high - half, low + half))
        blocks.append((middle, members))
    found = dict.fromkeys(range(len(places)), 0.0)
    for middle, members in blocks:
        for step, i in enumerate(members):
            found[i] = round(middle + gap * (step - (len(members) - 1) / 2), 9)
    return list(found.values())


def decades(axes: Axes) -> None:
    """Make the upright axis logarithmic, over whole powers of ten, with plain numbers at not too many of them."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_yscale("log")
    low, high = axes.dataLim.intervaly
    first, last = math.floor(math.log10(low)), max(math.ceil(math.log10(high)), math.floor(math.log10(low)) + 1)
    step = math.ceil((last - first) / 6)
    axes.set_ylim(0.9 * 10.0**first, 1.1 * 10.0**last)
    ticks = [10.0**power for power in range(first, last + 1, step)]
    if last - first == 1:
        ticks = [ticks[0], 2 * ticks[0], 5 * ticks[0], ticks[1]]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))


def power(value: float) -> str:
    """Return a power of ten, or twice or five times one, as a person writes it.

    Examples
    --------
    >>> [power(v) for v in (0.001, 1.0, 10_000.0, 1e9)]
    ['0.001', '1', '10,000', '1e9']
    """
    if value >= 1e6 or value < 1e-4:
        return f"{value:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def store(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Save a figure as SVG and PNG, each whole or not at all."""
    saved = []
    for ending in (".svg", ".png"):
        path = folder / f"{name}{ending}"
        with replace_file(path) as temporary:
            figure.savefig(temporary, format=ending[1:], dpi=RESOLUTION, metadata=ENDINGS[ending])
        saved.append(path)
    return saved
