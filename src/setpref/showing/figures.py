"""Figures for a paper: the partial order as a diagram, and the synergies between elements.

All lengths are inches, so that a figure keeps its letter size however large its content makes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from math import pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from setpref.answers.partial_order import Order
from setpref.answers.summary import TermSummary, summarise
from setpref.errors import InputError, TooLarge
from setpref.learning.answering import Asking
from setpref.showing.canvas import LETTERS, Target, ending_of, save_figure, under_settings
from setpref.showing.layout import Layout, diagram, lay_out
from setpref.universe import JOIN, bits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_order", "draw_synergies"]

Points = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]
Shares = dict[int, float]

LINE = LETTERS * 1.25 / 72
MARGIN = 0.06

NODES_LIMIT = 150
LABEL_WIDTH = 1.15
MEMBERS_SHOWN = 8
BOX_PAD = 0.05

COLUMN = 3.5
NAME_WIDTH = 0.75
TERMS_SHOWN = 40
# Okabe and Ito's blue, orange and purple: told apart by the colour-blind, and blue from orange also in grey.
COLOURS = {1: "#0072B2", -1: "#E69F00", 0: "#CC79A7"}
SIGNS = {1: "positive (+)", -1: "negative (\u2212)", 0: "sign not certain (\u00b1)"}
DASHES = (0, (4.0, 2.2))
SMALL, LARGE = 0.07, 0.13
HULLS = (0.17, 0.195, 0.22)


# -- the order -------------------------------------------------------------------------------------------------------


def draw_order(order: Order, path: Target = None, ax: Axes | None = None, title: str | None = None) -> Figure:
    """Draw a partial order: the better above the worse, lines for what is directly better.

    Alternatives that are certainly equal share a box. Two alternatives without a way down from one to the other are not
    known to be better or worse; that one stands higher says nothing by itself.

    Parameters
    ----------
    order
    path
        Where to save the figure; the ending says how: .svg, .png or .pdf.
    ax
        Axes to draw into, scaled to fit; by default a new figure of the size its content needs.
    title
        A line above the drawing.
    """
    ending = ending_of(path)
    drawn = diagram(order)
    if len(drawn.groups) > NODES_LIMIT:
        given = f"{len(drawn.groups):,} different alternatives"
        raise TooLarge(f"a diagram of {given} cannot be read (limit {NODES_LIMIT}); give fewer alternatives")
    with under_settings():
        written = order.alternatives
        labels = [_order_label([written[i] for i in group]) for group in drawn.groups]
        sizes = [(_width(label) + 2 * BOX_PAD, len(label) * LINE + 2 * BOX_PAD) for label in labels]
        layout = lay_out(drawn.edges, sizes)
        figure, axes, scale = _canvas((0.0, 0.0, layout.width, layout.height), ax, title)
        _draw_layout(axes, layout, labels, scale)
        save_figure(figure, path, ending)
    return figure


def _order_label(alternatives: Sequence[str]) -> list[str]:
    """Return the lines of a box: its alternatives, all equal."""
    shown = alternatives if len(alternatives) <= MEMBERS_SHOWN else alternatives[: MEMBERS_SHOWN - 1]
    more = [f"= {len(alternatives) - len(shown)} more"] if len(shown) < len(alternatives) else []
    return [line for i, written in enumerate(shown) for line in _wrap("= " * (i > 0) + written, LABEL_WIDTH)] + more


def _draw_layout(axes: Axes, layout: Layout, labels: Sequence[Sequence[str]], scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.path import Path as Stroke

    for (x, y), (to_x, to_y) in dict.fromkeys(piece for line in layout.lines for piece in pairwise(line)):
        # Leaving and arriving upright, lines that share an end or cross are easier to follow.
        bend = 0.45 * (y - to_y)
        corners = [(x, y), (x, y - bend), (to_x, to_y + bend), (to_x, to_y)]
        stroke = Stroke(np.array(corners), [Stroke.MOVETO] + [Stroke.CURVE4] * 3)
        axes.add_patch(PathPatch(stroke, fill=False, edgecolor="0.4", linewidth=0.7 * scale, capstyle="round"))
    for (x, y), (width, height), label in zip(layout.centres, layout.sizes, labels, strict=True):
        box = FancyBboxPatch((x - width / 2, y - height / 2), width, height, boxstyle="round,pad=0,rounding_size=0.04")
        axes.add_patch(box)
        box.set(facecolor="white", edgecolor="0.15", linewidth=0.7 * scale, zorder=2)
        _write(axes, (x, y), label, scale)


# -- the synergies ---------------------------------------------------------------------------------------------------


def draw_synergies(learned: Asking, path: Target = None, ax: Axes | None = None, title: str | None = None) -> Figure:
    """Draw what the simplest models say of the elements: single terms as discs, pairs as links, larger terms as hulls.

    The colour and the mark give the certain sign; solid terms are in every simplest model, dashed ones in some; the
    more weight a term has (middle of its range), the wider its line or the larger its disc.

    Parameters
    ----------
    learned
        Learned with lex, card or ws.
    path, ax, title
        As for `draw_order`.
    """
    ending = ending_of(path)
    relation = learned.relation
    if not relation.parts:
        raise InputError("no model was found yet, so there are no synergies to draw; give the search more time")
    if not relation.cones:
        raise InputError("under `deg` every term up to the degree is kept; learn with lex to draw the synergies")
    with under_settings():
        terms = summarise(relation.cones)
        names = learned.preferences.universe.names
        shares = _shares(terms)
        larger = sorted((t for t in terms if t.term.bit_count() > 1), key=lambda t: (not t.always, -shares[t.term]))
        circle = _Circle(names, [t.term for t in larger[:TERMS_SHOWN]])
        legend = _legend(terms, len(names), learned.proven, len(larger[TERMS_SHOWN:]))
        figure, axes, scale = _canvas(circle.extent, ax, title, legend, COLUMN)
        _draw_terms(axes, circle, larger[:TERMS_SHOWN], shares, scale)
        _draw_elements(axes, circle, terms, shares, scale)
        save_figure(figure, path, ending)
    return figure


def _shares(terms: Sequence[TermSummary]) -> Shares:
    """Return per term its middle weight in proportion to the heaviest; a third where it is not known."""
    middles = {t.term: (t.low + t.high) / 2 for t in terms if t.low is not None and t.high is not None}
    heaviest = max(middles.values(), default=Fraction(0)) or Fraction(1)
    return {t.term: float(middles.get(t.term, heaviest / 3) / heaviest) for t in terms}


def _round_order(elements: int, terms: Sequence[int]) -> list[int]:
    """Return an order round the circle with few strangers among the elements of a term, by moves while they help."""

    def strangers(order: Sequence[int]) -> int:
        place = {element: i for i, element in enumerate(order)}
        total = 0
        for term in terms:
            places = sorted(place[element] for element in bits(term))
            outside = max(b - a for a, b in pairwise([*places, places[0] + elements]))
            total += (elements - outside + 1 - len(places)) * (1 if len(places) == 2 else 3)
        return total

    joined = sorted({element for term in terms for element in bits(term)})
    order = joined + [element for element in range(elements) if element not in joined]
    fewest, improved = strangers(order), True
    while improved:
        improved = False
        for i, j in permutations(range(len(joined)), 2):
            trial = order[:]
            trial.insert(j, trial.pop(i))
            if (now := strangers(trial)) < fewest:
                order, fewest, improved = trial, now, True
    return order


class _Circle:
    """Elements round a circle with their names outside it, as small as the names allow."""

    def __init__(self, names: Sequence[str], terms: Sequence[int]) -> None:
        around = LARGE + 0.05 if all(term.bit_count() == 2 for term in terms) else HULLS[-1] + 0.06
        turns = pi / 2 - 2 * pi / len(names) * np.argsort(_round_order(len(names), terms))
        ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        self.labels = [_wrap(name, NAME_WIDTH) for name in names]
        half = np.array([(_width(label), len(label) * LINE) for label in self.labels]) / 2
        # Names take what they need to the left and right; the circle fills the rest of the column, or grows past it.
        radius = min(max(COLUMN / 2 - MARGIN - 2 * half[:, 0].max() - around, 0.65), 1.0) if len(names) > 1 else 0.0
        while True:
            self.centres = radius * ways
            # A name stands beside its disc at the sides, above or below it at the ends.
            self.places = (radius + around) * ways + half * np.clip(ways * (1.4, 1.0), -1, 1)
            overlaps = np.abs(self.places[:, None] - self.places) < half[:, None] + half + (0.04, 0.0)
            if overlaps.all(axis=2).sum() == len(names) and radius * sin(pi / len(names)) >= 1.3 * LARGE * (radius > 0):
                break
            radius *= 1.05
        low = np.minimum(self.places - half, self.centres - around).min(axis=0).tolist()
        high = np.maximum(self.places + half, self.centres + around).max(axis=0).tolist()
        self.extent: Box = (*low, *high)


def _draw_terms(axes: Axes, circle: _Circle, terms: Sequence[TermSummary], shares: Shares, scale: float) -> None:
    from matplotlib.patches import Circle, Polygon

    strokes = [_stroke(circle.centres, list(bits(t.term)), HULLS[i % len(HULLS)]) for i, t in enumerate(terms)]
    for term, stroke in zip(terms, strokes, strict=True):
        large = term.term.bit_count() > 2
        if large:
            axes.add_patch(Polygon(stroke, facecolor=COLOURS[term.sign], alpha=0.16, edgecolor="none", zorder=1))
        width = (0.8 + 2.4 * shares[term.term]) * (0.6 if large else 1.0) * scale
        style: Any = {"linestyle": "solid" if term.always else DASHES, "zorder": 2 if large else 3}
        axes.plot(*stroke.T, color=COLOURS[term.sign], linewidth=width, **style)
    for term, (x, y) in zip(terms, _mark_places(strokes, circle.centres), strict=True):
        style = {"facecolor": "white", "edgecolor": COLOURS[term.sign], "linewidth": 0.6 * scale, "zorder": 4}
        axes.add_patch(Circle((x, y), 0.055, **style))
        _mark(axes, x, y, term.sign, "black", scale)


def _stroke(centres: Points, members: list[int], around: float) -> Points:
    """Return a line between two elements, or an outline around more, narrower where it would touch a stranger."""
    ends, strangers = centres[members], np.delete(centres, members, axis=0)
    if len(members) == 2:
        return _between(*ends)
    if len(strangers):
        around = min(around, max(_distance(strangers, _outline(ends, 1e-3)).min() - LARGE - 0.03, 0.05))
    return _outline(ends, around)


def _outline(ends: Points, around: float) -> Points:
    """Return the closed line at a distance around the convex hull of points: the furthest point in each direction."""
    turn = np.linspace(0, 2 * pi, 181)
    directions = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    corners = ends[np.argmax(directions @ ends.T, axis=1)] + around * directions
    return np.concatenate([_between(a, b)[:: 1 if np.abs(a - b).max() > 0.1 else 40] for a, b in pairwise(corners)])


def _between(a: Points, b: Points) -> Points:
    return np.asarray(a + np.linspace(0, 1, 41)[:, None] * (b - a))


def _distance(points: Points, others: Points) -> Points:
    return np.asarray(np.sqrt(((points[:, None] - others) ** 2).sum(axis=2).min(axis=1)))


def _mark_places(strokes: Sequence[Points], centres: Points) -> Iterator[Points]:
    """Yield a place on every stroke for its sign, as far as possible from all that is not its own."""
    marks = [centre[None] for centre in centres]
    for number, stroke in enumerate(strokes):
        others = [_distance(stroke, other) for i, other in enumerate(strokes) if i != number]
        clear = [_distance(stroke, mark) - 0.1 for mark in marks]
        middle = 1 - np.abs(np.linspace(-1, 1, len(stroke)))
        best = stroke[int(np.argmax(np.minimum(np.min(others + clear, axis=0), 0.16) + 0.01 * middle))]
        marks.append(best[None])
        yield best


def _mark(axes: Axes, x: float, y: float, sign: int, colour: str, scale: float) -> None:
    """Draw a sign, readable without colour; as markers, which sit in the middle whatever the font."""
    for shape, up in {1: [("+", 0.0)], -1: [("_", 0.0)], 0: [("+", 0.012), ("_", -0.035)]}[sign]:
        axes.plot(x, y + up, shape, color=colour, markersize=4.3 * scale, markeredgewidth=scale, zorder=7)


def _draw_elements(axes: Axes, circle: _Circle, terms: Sequence[TermSummary], shares: Shares, scale: float) -> None:
    from matplotlib.patches import Circle

    single = {t.term: t for t in terms}
    for i, (x, y) in enumerate(circle.centres):
        radius = SMALL + (LARGE - SMALL) * shares.get(1 << i, 1 / 3)
        style: Any = {"facecolor": "white", "edgecolor": "0.45", "linewidth": 0.8 * scale, "zorder": 5}
        if (term := single.get(1 << i)) is not None:
            style.update(facecolor=COLOURS[term.sign], edgecolor="0.1", linestyle="-" if term.always else (0, (2, 1.2)))
            _mark(axes, x, y, term.sign, "white" if term.sign > 0 else "black", scale)
        axes.add_patch(Circle((x, y), radius, **style))
        _write(axes, circle.places[i], circle.labels[i], scale)


def _legend(terms: Sequence[TermSummary], elements: int, proven: bool, hidden: int) -> list[Any]:
    """Return the keys of what occurs in the picture."""
    from matplotlib.lines import Line2D

    models = "simplest model" if proven else "model found"
    disc: Any = {"marker": "o", "markersize": 5}
    hollow: Any = {**disc, "linestyle": "none", "markerfacecolor": "white", "markeredgecolor": "0.45"}
    keys = [
        (any(t.sign == sign for t in terms), word, {**disc, "color": COLOURS[sign], "linewidth": 2.2})
        for sign, word in SIGNS.items()
    ] + [
        (any(t.always for t in terms), f"in every {models}", {"color": "0.2"}),
        (not all(t.always for t in terms), f"only in some {models}s", {"color": "0.2", "linestyle": DASHES}),
        (sum(t.term.bit_count() == 1 for t in terms) < elements, "no term of its own", hollow),
        (any(t.low is not None for t in terms), "larger or wider: more weight", {"linestyle": "none"}),
        (hidden > 0, f"{hidden} more terms not drawn", {"linestyle": "none"}),
    ]
    return [Line2D([], [], label=words, **style) for occurs, words, style in keys if occurs]


# -- matplotlib ------------------------------------------------------------------------------------------------------


def _canvas(
    extent: Box, ax: Axes | None, title: str | None, legend: Sequence[Any] = (), least: float = 0.0
) -> tuple[Figure, Axes, float]:
    """Return a figure whose axes show the extent, and how many inches a unit is: 1, unless axes were given."""
    from matplotlib.figure import Figure

    left, low, right, high = extent
    width, height, scale = right - left + 2 * MARGIN, high - low + 2 * MARGIN, 1.0
    if ax is None:
        below = 0.06 + 0.14 * ((len(legend) + 1) // 2) if legend else 0.0
        total = height + below + (0.28 if title else 0.0)
        across = max(width, least, _width([title or ""]) * 8 / LETTERS + 4 * MARGIN)
        figure = Figure(figsize=(across, total))
        ax = figure.add_axes(((1 - width / across) / 2, below / total, width / across, height / total))
    else:
        figure = ax.get_figure(root=True) or Figure()
        space = ax.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
        scale = min(space.width / width, space.height / height)
    ax.set(xlim=(left - MARGIN, right + MARGIN), ylim=(low - MARGIN, high + MARGIN), aspect="equal")
    ax.set_axis_off()
    if title:
        ax.set_title(title, fontsize=8, pad=4, parse_math=False)
    if legend:
        style: Any = {"labelspacing": 0.4, "columnspacing": 1.2, "handlelength": 1.9, "borderaxespad": 0.2}
        style.update(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=LETTERS - 0.5)
        ax.legend(handles=list(legend), **style)
    return figure, ax, scale


def _wrap(written: str, width: float) -> list[str]:
    """Return a written set in lines that are broken at its joins, and where a name alone is too long inside it."""
    lines = [""]
    for name in re.split(rf"(?<=\{JOIN})", written):
        for part in [name] if _width([name]) <= width else re.split(r"(?<=[\s_-])", name):
            if lines[-1] not in ("", "= ") and _width([(lines[-1] + part).strip()]) > width:
                lines.append("")
            lines[-1] += part
    return [line.strip() for line in lines]


def _width(lines: Sequence[str]) -> float:
    """Return how wide text is in print."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(size=LETTERS)
    return float(max(text_to_path.get_text_width_height_descent(s, letters, False)[0] for s in lines)) / 72


def _write(axes: Axes, middle: Points | tuple[float, float], lines: Sequence[str], scale: float) -> None:
    """Write lines around a place, evenly spaced; names are never taken for formulas."""
    # Half the height of a small letter below the middle of the line.
    first = middle[1] + (len(lines) - 1) / 2 * LINE - 0.27 * LETTERS / 72
    for i, line in enumerate(lines):
        axes.text(middle[0], first - i * LINE, line, fontsize=LETTERS * scale, ha="center", parse_math=False, zorder=6)
