"""Ctrl-C in work of several stages: one press ends the stage that runs, and the stages after it can ask and be brief.

A search that is interrupted returns what it knows. So whoever calls several searches would go on with the next, were it
not told.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["interrupts_watched"]


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

    def remember(number: int, frame: Any) -> Any:
        seen.append(number)
        return before(number, frame)

    signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)
