"""The partial order over given alternatives: who is certainly better than whom, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from setpref.errors import MissingDependency, TooLarge
from setpref.universe import Universe

__all__ = ["ALL_SETS_LIMIT", "Order"]

ALL_SETS_LIMIT = 14
COVERS_LIMIT = 5000


@dataclass(frozen=True, eq=False)
class Order:
    """A strict partial order over alternatives.

    Attributes
    ----------
    universe : Universe
    masks : tuple of int
        The alternatives.
    matrix : array of bool
        ``matrix[i, j]``: alternative i is certainly better than alternative j.
    equal : tuple of tuple of int
        Positions of alternatives that no simplest model distinguishes, grouped; groups of one included.

    Examples
    --------
    >>> import setpref as sp
    >>> prefs = sp.Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
    >>> order = sp.learn(prefs, "deg").order(["tea", "milk", "{}", "tea+milk"])
    >>> order.maximal, order.covers
    (('milk+tea',), (('tea', 'milk'), ('milk', '{}'), ('milk+tea', 'tea')))
    >>> order.ranks["milk"]
    (3, 3)
    """

    universe: Universe
    masks: tuple[int, ...]
    matrix: npt.NDArray[np.bool_]
    equal: tuple[tuple[int, ...], ...]

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The alternatives as written sets."""
        return tuple(map(self.universe.write, self.masks))

    def __len__(self) -> int:
        return len(self.masks)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over all pairs (better, worse)."""
        names = self.alternatives
        return ((names[i], names[j]) for i, j in np.argwhere(self.matrix))

    @cached_property
    def cover_positions(self) -> tuple[tuple[int, int], ...]:
        """The Hasse edges, as positions: better directly above worse."""
        if len(self) > COVERS_LIMIT:
            raise TooLarge(
                f"who is directly over whom is listed for at most {COVERS_LIMIT:,} alternatives; here are "
                f"{len(self):,}, so give fewer (--alternatives)"
            )
        packed = np.packbits(self.matrix, axis=1)
        found = []
        for i, row in enumerate(self.matrix):
            below = np.flatnonzero(row)
            if len(below):
                further = np.unpackbits(np.bitwise_or.reduce(packed[below], axis=0), count=len(self)).astype(bool)
                found += [(i, int(j)) for j in np.flatnonzero(row & ~further)]
        return tuple(found)

    @property
    def covers(self) -> tuple[tuple[str, str], ...]:
        """The Hasse edges: pairs (better, worse) with nothing certainly in between."""
        names = self.alternatives
        return tuple((names[i], names[j]) for i, j in self.cover_positions)

    @property
    def maximal(self) -> tuple[str, ...]:
        """The alternatives that none is certainly better than."""
        return tuple(np.array(self.alternatives, dtype=object)[~self.matrix.any(axis=0)])

    @property
    def minimal(self) -> tuple[str, ...]:
        """The alternatives that are certainly better than none."""
        return tuple(np.array(self.alternatives, dtype=object)[~self.matrix.any(axis=1)])

    @cached_property
    def rank_bounds(self) -> npt.NDArray[np.int64]:
        """Per alternative its best and worst rank (1 is first) over all completions of the order."""
        above, below = self.matrix.sum(axis=0), self.matrix.sum(axis=1)
        return np.stack([1 + above, len(self) - below], axis=1)

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """Per alternative its best and worst rank over all completions of the order."""
        return {name: (int(a), int(b)) for name, (a, b) in zip(self.alternatives, self.rank_bounds, strict=True)}

    def to_frame(self) -> Any:
        """Return a pandas frame: one row per alternative with its ranks and how many it beats and is beaten by."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingDependency("pandas", "pandas", "to_frame()") from None
        best, worst = self.rank_bounds.T
        return pd.DataFrame(
            {
                "alternative": self.alternatives,
                "best_rank": best,
                "worst_rank": worst,
                "beats": self.matrix.sum(axis=1),
                "beaten_by": self.matrix.sum(axis=0),
            }
        )
