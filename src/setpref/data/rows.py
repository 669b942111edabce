"""The rows of computing: who is above whom, with boundaries between tiers instead of products of pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Comparisons", "Pair"]

Pair = tuple[int, int]


@dataclass(frozen=True)
class Comparisons:
    """The rows of computing: each edge ``(high, low)`` says value(high) > value(low).

    A pair ``(first, second)`` of `equal` says value(first) = value(second).

    Nodes ``0..len(alternatives)-1`` are alternatives; the nodes above are boundaries between adjacent
    tiers, each with a free value of its own. A boundary replaces a product of pairs by a sum of edges.
    """

    alternatives: tuple[int, ...]
    edges: tuple[Pair, ...]
    boundaries: int = 0
    equal: tuple[Pair, ...] = ()

    @classmethod
    def of_tiers(cls, tiers: Sequence[Sequence[int]]) -> Comparisons:
        """Return the comparisons of adjacent tiers, with boundaries wherever they make fewer rows."""
        alternatives = tuple(mask for tier in tiers for mask in tier)
        edges: list[Pair] = []
        start, boundary = 0, len(alternatives)
        for upper, lower in pairwise(tiers):
            highs = range(start, start + len(upper))
            lows = range(start + len(upper), start + len(upper) + len(lower))
            if len(upper) * len(lower) <= len(upper) + len(lower):
                edges += [(u, v) for u in highs for v in lows]
            else:
                edges += [(u, boundary) for u in highs] + [(boundary, v) for v in lows]
                boundary += 1
            start += len(upper)
        return cls(alternatives, tuple(edges), boundary - len(alternatives))

    @property
    def nodes(self) -> int:
        return len(self.alternatives) + self.boundaries

    def stating(self, better: int, worse: int) -> Comparisons:
        """Return the comparisons with one statement more; its edge is the last one."""
        known = {mask: node for node, mask in enumerate(self.alternatives)}
        new = [mask for mask in (better, worse) if mask not in known]
        shift, size = len(new), len(self.alternatives)
        known.update({mask: size + k for k, mask in enumerate(new)})

        def moved(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
            return tuple((u + shift if u >= size else u, v + shift if v >= size else v) for u, v in pairs)

        edges = (*moved(self.edges), (known[better], known[worse]))
        return Comparisons((*self.alternatives, *new), edges, self.boundaries, moved(self.equal))

    def on_pairs(self, multipliers: Sequence[int]) -> dict[Pair, int]:
        """Split multipliers on edges, then on equal pairs, into multipliers on pairs of alternatives with the same sum.

        A negative multiplier on an equal pair is a positive one on the pair turned round.

        At every boundary the weight coming from above equals the weight going below (its free value must
        cancel); pairing them off greedily is a transport problem whose answer has few pairs.
        """
        size = len(self.alternatives)
        pairs: dict[Pair, int] = defaultdict(int)
        above: dict[int, list[list[int]]] = defaultdict(list)
        below: dict[int, list[list[int]]] = defaultdict(list)
        for (first, second), weight in zip(self.equal, multipliers[len(self.edges) :], strict=True):
            if weight:
                a, b = self.alternatives[first], self.alternatives[second]
                pairs[(a, b) if weight > 0 else (b, a)] += abs(weight)
        for (high, low), weight in zip(self.edges, multipliers, strict=False):
            if not weight:
                continue
            if high >= size:
                below[high].append([low, weight])
            elif low >= size:
                above[low].append([high, weight])
            else:
                pairs[self.alternatives[high], self.alternatives[low]] += weight
        for boundary, givers in above.items():
            takers = below[boundary]
            while givers and takers:
                moved = min(givers[-1][1], takers[-1][1])
                pairs[self.alternatives[givers[-1][0]], self.alternatives[takers[-1][0]]] += moved
                for side in (givers, takers):
                    side[-1][1] -= moved
                    if not side[-1][1]:
                        side.pop()
        return dict(pairs)
