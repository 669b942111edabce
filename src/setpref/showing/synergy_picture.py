"""The picture of what models say of the elements: discs for single terms, links for pairs, hulls for larger terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from math import pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from setpref.answers.summary import TermSummary, summarise
from setpref.errors import InputError
from setpref.showing.canvas import (
    LINE,
    MARGIN,
    Box,
    Points,
    Target,
    ending_of,
    fitted,
    save_figure,
    text_width,
    under_settings,
    wrapped,
    write_lines,
)
from setpref.showing.facts import Shown
from setpref.universe import bits

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_synergies"]

Shares = dict[int, float]

COLUMN = 3.5
NAME_WIDTH = 0.75
TERMS_SHOWN = 40
# Okabe and Ito's blue, orange and purple: told apart by the colour-blind, and blue from orange also in grey.
COLOURS = {1: "#0072B2", -1: "#E69F00", 0: "#CC79A7"}
SIGNS = {1: "positive (+)", -1: "negative (\u2212)", 0: "sign not certain (\u00b1)"}
DASHES = (0, (4.0, 2.2))
SMALL, LARGE = 0.07, 0.13
HULLS = (0.17, 0.195, 0.22)


def draw_synergies(learned: Shown, path: Target = None, ax: Axes | None = None, title: str | None = None) -> Figure:
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
    facts = learned.facts
    if not facts.relation.parts:
        raise InputError("no model was found yet, so there are no synergies to draw; give the search more time")
    if not facts.relation.cones:
        raise InputError("under `deg` every term up to the degree is kept; learn with lex to draw the synergies")
    with under_settings():
        terms = summarise(facts.relation.cones)
        names = facts.preferences.universe.names
        shares = _shares(terms)
        larger = sorted((t for t in terms if t.term.bit_count() > 1), key=lambda t: (not t.always, -shares[t.term]))
        circle = _Circle(names, [t.term for t in larger[:TERMS_SHOWN]])
        legend = _legend(terms, len(names), facts.proven, len(larger[TERMS_SHOWN:]))
        figure, axes, scale = fitted(circle.extent, ax, title, legend, COLUMN)
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
        self.labels = [wrapped(name, NAME_WIDTH) for name in names]
        half = np.array([(text_width(label), len(label) * LINE) for label in self.labels]) / 2
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
        write_lines(axes, circle.places[i], circle.labels[i], scale)


def _legend(terms: Sequence[TermSummary], elements: int, proven: bool, hidden: int) -> list[Artist]:
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
