"""What long work says about itself and when it ends: steps for a callback, limits, Ctrl-C. Nothing here prints."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from setpref.errors import InputError

__all__ = ["Enough", "Progress", "Step", "checked_time", "interrupts_watched"]


@dataclass(frozen=True)
class Step:
    """A moment of long work.

    Attributes
    ----------
    doing : str
        What is being done, in a few words ("degree 2", "cardinality 7").
    level : int
        The cost being tried: everything below it is proven impossible.
    best : int or None
        The cost of the best theta known.
    nodes, clauses : int
    seconds : float
    """

    doing: str
    level: int = 0
    best: int | None = None
    nodes: int = 0
    clauses: int = 0
    seconds: float = 0.0


Progress = Callable[[Step], None]


@contextmanager
def interrupts_watched() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether Ctrl-C was pressed since; what it does otherwise stays the same.

    Examples
    --------
    >>> with interrupts_watched() as pressed:
    ...     pressed()
    False
    """
    seen: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: False
        return

    def remember(number: int, frame: FrameType | None) -> object:
        seen.append(number)
        return before(number, frame)

    signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)


def checked_time(seconds: object) -> float:
    """Return a time limit in seconds, or refuse it."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise InputError(f"the time limit is {seconds!r}; give a number of seconds from 0 up")
    return float(seconds)


class Enough(Exception):
    """A limit is reached, of time, of memory or of what was asked for: be content with what is known; internal."""
