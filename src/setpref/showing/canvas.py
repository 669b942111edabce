"""What every figure shares: matplotlib under our settings, the endings a figure is saved with, saving it whole.

Matplotlib is loaded only when something is drawn. Nothing global is touched: no pyplot, no lasting settings.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setpref.data.writing import check_target, replace_file
from setpref.errors import InputError, MissingDependency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LETTERS", "Target", "ending_of", "save_figure", "under_settings"]

Target = str | os.PathLike[str] | None

ENDINGS = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
RESOLUTION = 300
# SVG: letters as outlines, the same everywhere, and the same bytes in every run. PDF: TrueType, as publishers ask.
SETTINGS: Any = {"svg.hashsalt": "setpref", "svg.fonttype": "path", "pdf.fonttype": 42, "lines.scale_dashes": False}
# A user's fonts are kept; what would make a figure unreadable or of another size is not.
SETTINGS |= {"text.usetex": False, "text.color": "black", "figure.facecolor": "white", "savefig.bbox": None}

LETTERS = 7.0


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
    if (ending := Path(path).suffix.lower()) not in ENDINGS:
        raise InputError(f"{path}: figures are saved as {', '.join(ENDINGS)}; choose one of these endings")
    check_target(path)
    return ending


def save_figure(figure: Figure, path: Target, ending: str) -> None:
    """Save a figure, whole or not at all, if a place is given."""
    if path is not None:
        with replace_file(path) as temporary:
            figure.savefig(temporary, format=ending[1:], dpi=RESOLUTION, metadata=ENDINGS[ending])
