"""What long work reports about itself: steps handed to a callback; nothing here prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Progress", "Step"]


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
