"""The picture of a partial order: the better above the worse, places from :mod:`setpref.showing.layout`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from setpref.answers.partial_order import Order
from setpref.errors import TooLarge
from setpref.showing.canvas import (
    LINE,
    Target,
    ending_of,
    fitted,
    save_figure,
    text_width,
    under_settings,
    wrapped,
    write_lines,
)
from setpref.showing.layout import Layout, diagram, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_order"]

NODES_LIMIT = 150
LABEL_WIDTH = 1.15
MEMBERS_SHOWN = 8
BOX_PAD = 0.05


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
        sizes = [(text_width(label) + 2 * BOX_PAD, len(label) * LINE + 2 * BOX_PAD) for label in labels]
        layout = lay_out(drawn.edges, sizes)
        figure, axes, scale = fitted((0.0, 0.0, layout.width, layout.height), ax, title)
        _draw_layout(axes, layout, labels, scale)
        save_figure(figure, path, ending)
    return figure


def _order_label(alternatives: Sequence[str]) -> list[str]:
    """Return the lines of a box: its alternatives, all equal."""
    shown = alternatives if len(alternatives) <= MEMBERS_SHOWN else alternatives[: MEMBERS_SHOWN - 1]
    more = [f"= {len(alternatives) - len(shown)} more"] if len(shown) < len(alternatives) else []
    return [line for i, written in enumerate(shown) for line in wrapped("= " * (i > 0) + written, LABEL_WIDTH)] + more


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
        write_lines(axes, (x, y), label, scale)
