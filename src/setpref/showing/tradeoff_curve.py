"""The figure of a trade-off: what is given up against the degree or the number of terms of the model."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from setpref.errors import InputError
from setpref.repairs.tradeoffs import Tradeoff
from setpref.showing.canvas import LETTERS, Target, ending_of, save_figure, under_settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_tradeoff"]

WIDTH, HEIGHT = 3.5, 2.4
BLUE, GREY = "#0072B2", "0.45"
AXES = {
    "degree": "largest size of a term (degree)",
    "terms": "number of terms",
}


def draw_tradeoff(tradeoff: Tradeoff, path: Target = None, ax: Axes | None = None, title: str | None = None) -> Figure:
    """Draw what has to be given up against the complexity of the model.

    Filled marks are proven; a hollow one is the best known, with a bar down to what is proven at least. The dashed
    line is what no model can satisfy.

    Parameters
    ----------
    tradeoff
        From :func:`setpref.tradeoff`.
    path
        Where to save the figure; the ending says how: .svg, .png or .pdf.
    ax
        Axes to draw into; by default a new figure as wide as a column.
    title
        A line above the drawing.
    """
    ending = ending_of(path)
    if not isinstance(tradeoff, Tradeoff):
        raise InputError("draw_tradeoff draws what setpref.tradeoff returns; give it that")
    with under_settings():
        from matplotlib.figure import Figure

        if ax is None:
            figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
            ax = figure.add_subplot()
        else:
            figure = ax.get_figure(root=True) or Figure()
        _draw(ax, tradeoff)
        _label(ax, tradeoff)
        if title:
            ax.set_title(title, fontsize=LETTERS + 1, parse_math=False)
        save_figure(figure, path, ending)
    return figure


def _draw(ax: Axes, tradeoff: Tradeoff) -> None:
    points = tradeoff.points
    sizes = [point.size for point in points]
    costs = [float(point.cost) for point in points]
    ax.plot(sizes, costs, color=BLUE, linewidth=1.2, zorder=2)
    floor = points[-1].lower_bound
    if floor and len(points) > 1:
        ax.axhline(float(floor), color=GREY, linewidth=0.8, linestyle=(0, (4, 2.2)), zorder=1)
        beside: Any = {"color": GREY, "fontsize": LETTERS - 0.5, "va": "top", "xycoords": ax.get_yaxis_transform()}
        beside |= {"xytext": (0, -3), "textcoords": "offset points"}
        ax.annotate("no model satisfies more", (0.02, float(floor)), **beside)
    for point, cost in zip(points, costs, strict=True):
        filled = point.proven
        mark: Any = {"markersize": 5, "color": BLUE, "markerfacecolor": BLUE if filled else "white", "zorder": 4}
        ax.plot(point.size, cost, "o", clip_on=False, **mark)
        if point.lower_bound < point.cost:
            ax.vlines(point.size, float(point.lower_bound), cost, color=BLUE, linewidth=3, alpha=0.3, zorder=3)
        if point.least_size < point.size:
            ax.hlines(cost, point.least_size, point.size, color=BLUE, linewidth=3, alpha=0.3, zorder=3)
        offset: Any = {"xytext": (4, 4), "textcoords": "offset points", "fontsize": LETTERS, "zorder": 5}
        ax.annotate(_short(point.cost), (point.size, cost), **offset)


def _label(ax: Axes, tradeoff: Tradeoff) -> None:
    from matplotlib.ticker import MaxNLocator

    rated = tradeoff.items.preferences.ratings is not None
    weighed = tradeoff.by == "degree" and any(item.weight != 1 for item in tradeoff.items)
    what = "ratings" if rated else "weight" if weighed else "statements"
    ax.set_xlabel(AXES[tradeoff.by], fontsize=LETTERS)
    ax.set_ylabel(f"{what} given up (of {_short(tradeoff.total)})", fontsize=LETTERS)
    ax.tick_params(labelsize=LETTERS, width=0.6, length=3)
    sizes = [point.size for point in tradeoff.points]
    ax.set_xlim(min(point.least_size for point in tradeoff.points) - 0.4, max(sizes) + 0.6)
    ax.set_ylim(bottom=0, top=max(1.0, float(max(point.cost for point in tradeoff.points))) * 1.15)
    if not tradeoff.proven:
        about: Any = {"x": 1.0, "y": 1.0, "fontsize": LETTERS - 0.5, "color": GREY, "ha": "right", "va": "top"}
        ax.text(s="hollow: best known; bar: down to what is proven", transform=ax.transAxes, **about)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))
    ax.yaxis.set_major_locator(MaxNLocator(integer=not weighed, nbins=6))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _short(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.4g}"
