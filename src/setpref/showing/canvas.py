"""What every figure shares: matplotlib under our settings, the endings a figure is saved with, saving it whole.

Matplotlib is loaded only when something is drawn. Nothing global is touched: no pyplot, no lasting settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from setpref.arguments import checked_path
from setpref.data.writing import check_target, replace_file
from setpref.errors import InputError, MissingDependency
from setpref.universe import JOIN

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "LETTERS",
    "LINE",
    "MARGIN",
    "Box",
    "Points",
    "Target",
    "ending_of",
    "fitted",
    "save_figure",
    "text_width",
    "under_settings",
    "wrapped",
    "write_lines",
]

Target = str | os.PathLike[str] | None
Points = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]

ENDINGS = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
RESOLUTION = 300
# SVG: letters as outlines, the same everywhere, and the same bytes in every run. PDF: TrueType, as publishers ask.
SETTINGS: Any = {"svg.hashsalt": "setpref", "svg.fonttype": "path", "pdf.fonttype": 42, "lines.scale_dashes": False}
# A user's fonts are kept; what would make a figure unreadable or of another size is not.
SETTINGS |= {"text.usetex": False, "text.color": "black", "figure.facecolor": "white", "savefig.bbox": None}

LETTERS = 7.0
LINE = LETTERS * 1.25 / 72
MARGIN = 0.06


@contextmanager
def under_settings() -> Iterator[None]:
    """Draw under our settings, whatever the user's are, and give them back."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependency("matplotlib", "figures", "drawing figures") from None
    with matplotlib.rc_context(SETTINGS):
        yield


def ending_of(path: Target) -> str:
    """Return how to store a figure; refuse, before any work, what cannot be written."""
    if path is None:
        return ""
    if (ending := checked_path(path).suffix.lower()) not in ENDINGS:
        raise InputError(f"{path}: figures are saved as {', '.join(ENDINGS)}; choose one of these endings")
    check_target(path)
    return ending


def save_figure(figure: Figure, path: Target, ending: str) -> None:
    """Save a figure, whole or not at all, if a place is given."""
    if path is not None:
        with replace_file(path) as temporary:
            figure.savefig(temporary, format=ending[1:], dpi=RESOLUTION, metadata=ENDINGS[ending])


def fitted(
    extent: Box, ax: Axes | None, title: str | None, legend: Sequence[Artist] = (), least: float = 0.0
) -> tuple[Figure, Axes, float]:
    """Return a figure whose axes show the extent, and how many inches a unit is: 1, unless axes were given."""
    from matplotlib.figure import Figure

    left, low, right, high = extent
    width, height, scale = right - left + 2 * MARGIN, high - low + 2 * MARGIN, 1.0
    if ax is None:
        below = 0.06 + 0.14 * ((len(legend) + 1) // 2) if legend else 0.0
        total = height + below + (0.28 if title else 0.0)
        across = max(width, least, text_width([title or ""]) * 8 / LETTERS + 4 * MARGIN)
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


def wrapped(written: str, width: float) -> list[str]:
    """Return a written set in lines that are broken at its joins, and where a name alone is too long inside it."""
    lines = [""]
    for name in re.split(rf"(?<=\{JOIN})", written):
        for part in [name] if text_width([name]) <= width else re.split(r"(?<=[\s_-])", name):
            if lines[-1] not in ("", "= ") and text_width([(lines[-1] + part).strip()]) > width:
                lines.append("")
            lines[-1] += part
    return [line.strip() for line in lines]


def text_width(lines: Sequence[str]) -> float:
    """Return how wide text is in print."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(size=LETTERS)
    return float(max(text_to_path.get_text_width_height_descent(s, letters, False)[0] for s in lines)) / 72


def write_lines(axes: Axes, middle: Points | tuple[float, float], lines: Sequence[str], scale: float) -> None:
    """Write lines around a place, evenly spaced; names are never taken for formulas."""
    # Half the height of a small letter below the middle of the line.
    first = middle[1] + (len(lines) - 1) / 2 * LINE - 0.27 * LETTERS / 72
    for i, line in enumerate(lines):
        axes.text(middle[0], first - i * LINE, line, fontsize=LETTERS * scale, ha="center", parse_math=False, zorder=6)
