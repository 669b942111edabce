"""What long work says about itself and when it ends: steps for a callback, limits, Ctrl-C. Nothing here prints."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

__all__ = ["Enough", "Progress", "Step", "best_so_far", "endings", "interrupts_held", "pressed"]


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


class _Asked(threading.local):
    """Whether the best known so far is wanted on Ctrl-C, and whether it was pressed since."""

    wanted = False
    pressed = False


_asked = _Asked()


@contextmanager
def best_so_far() -> Iterator[None]:
    """Within, Ctrl-C does not end a search with KeyboardInterrupt but with the best known so far, not proven.

    One press ends all stages of what runs within. Where nothing can be known yet, it interrupts as everywhere.

    Examples
    --------
    >>> import setpref as sp
    >>> with sp.best_so_far():
    ...     learned = sp.learn(sp.Preferences.from_ratings({"tea": 2, "milk": 1}))
    >>> learned.proven
    True
    """
    before = signal.getsignal(signal.SIGINT)
    if _asked.wanted or threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # asked for already, or Ctrl-C does not arrive here
        return

    def remember(number: int, frame: FrameType | None) -> object:
        _asked.pressed = True
        return before(number, frame)

    _asked.wanted, _asked.pressed = True, False
    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _asked.wanted = _asked.pressed = False


def pressed() -> bool:
    """Tell whether Ctrl-C was pressed where the best known so far is wanted.

    Examples
    --------
    >>> pressed()
    False
    """
    return _asked.pressed


def endings() -> tuple[type[BaseException], ...]:
    """Return what ends a search with what is known: Ctrl-C only where that was asked for.

    Examples
    --------
    >>> with best_so_far():
    ...     [ending.__name__ for ending in endings()]
    ['Enough', 'KeyboardInterrupt']
    >>> [ending.__name__ for ending in endings()]
    ['Enough']
    """
    return (Enough, KeyboardInterrupt) if _asked.wanted else (Enough,)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end: what is done here would lose it, or be left half done by it."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        before(*held[-1])


class Enough(Exception):
    """A limit is reached, of time, of memory or of what was asked for: be content with what is known; internal."""
