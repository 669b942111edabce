"""Every smallest contradiction of statements: simple cycles of "over" and "same as" with at least one "over".

Cycles come by length, each found from its strict step of the smallest number: walks back from the better end of that
step tell how far every node is from closing the cycle, so that no walk is followed that cannot close in time. A step
without a difference may be walked both ways.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

__all__ = ["Steps", "cycles_by_length"]

Step = tuple[int, int, bool]  # from, to, whether it may be walked both ways and closes no cycle alone
Steps = Sequence[Step]

CHECKED_EVERY = 20_000


class _Walks:
    """The ways on from every node and back, with the number of the step taken."""

    def __init__(self, steps: Steps, stop: float | None) -> None:
        self.on: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.back: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.strict = [not same for _, _, same in steps]
        for number, (u, v, same) in enumerate(steps):
            for a, b in ((u, v), (v, u)) if same else ((u, v),):
                self.on[a].append((b, number))
                self.back[b].append((a, number))
        self._stop, self._visits, self.stopped = stop, 0, False

    def late(self) -> bool:
        """Count a visit; tell now and then whether the time is up."""
        self._visits += 1
        if self._stop is not None and self._visits % CHECKED_EVERY == 0 and time.perf_counter() > self._stop:
            self.stopped = True
        return self.stopped


class _Root:
    """The cycles whose strict step of the smallest number is a given one."""

    __slots__ = ("distance", "goal", "layer", "number", "start", "walks")

    def __init__(self, walks: _Walks, number: int, step: Step) -> None:
        self.walks, self.number = walks, number
        self.goal, self.start, _ = step
        self.distance = {self.goal: 0}
        self.layer = [self.goal]

    def _allowed(self, number: int) -> bool:
        return not self.walks.strict[number] or number > self.number

    def reach(self, steps: int) -> bool:
        """Know all nodes from which so many steps close the cycle; return whether a longer cycle may exist."""
        while self.layer and self.distance[self.layer[0]] < steps:
            following = []
            for node in self.layer:
                away = self.distance[node] + 1
                for other, number in self.walks.back[node]:
                    if other not in self.distance and self._allowed(number):
                        self.distance[other] = away
                        following.append(other)
                        if self.walks.late():
                            return False
            self.layer = following
        return bool(self.layer) or any(node in self.distance for node, _ in self.walks.on[self.start])

    def cycles(self, length: int) -> Iterator[tuple[int, ...]]:
        """Yield the cycles of a length, as numbers of steps."""
        taken, on_path = [self.number], {self.start}
        ways = [iter(self.walks.on[self.start])]
        nodes = [self.start]
        while ways:
            left = length - len(taken)
            for node, number in ways[-1]:
                if self.walks.late():
                    return
                if not self._allowed(number) or node in on_path:
                    continue
                if node == self.goal:
                    if left == 1:
                        yield (*taken, number)
                elif left > 1 and self.distance.get(node, left) < left:
                    taken.append(number)
                    on_path.add(node)
                    nodes.append(node)
                    ways.append(iter(self.walks.on[node]))
                    break
            else:
                ways.pop()
                on_path.discard(nodes.pop())
                if ways:
                    taken.pop()


def cycles_by_length(steps: Steps, stop: float | None = None) -> Iterator[tuple[int, ...] | None]:
    """Yield every simple cycle with a strict step, shorter ones first, as numbers of steps in order.

    Parameters
    ----------
    steps
        Triples (from, to, both ways); one that goes both ways is not strict.
    stop
        On the clock of `time.perf_counter`: if it passes first, None is yielded at last.

    Examples
    --------
    >>> list(cycles_by_length([(0, 1, False), (1, 2, True), (2, 0, False), (1, 0, False)]))
    [(0, 3), (0, 1, 2)]
    """
    walks = _Walks(steps, stop)
    roots: list[tuple[int, int, _Root]] = []
    for number, step in enumerate(steps):
        if not step[2]:
            heappush(roots, (2, number, _Root(walks, number, step)))
    nodes = len(walks.on)
    while roots:
        length, number, root = heappop(roots)
        more = root.reach(length - 2)
        if more and not walks.stopped:
            yield from root.cycles(length)
        if walks.stopped:
            yield None
            return
        if length < nodes and more:
            heappush(roots, (length + 1, number, root))
