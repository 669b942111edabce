"""The relation behind the statements, as a directed graph: cycles, reduction, reachability.

Nodes are integers ``0..count-1``; an edge ``(u, v)`` says u is better than v, an equal pair that neither is. No names,
no sets here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush

__all__ = [
    "merged",
    "order_with_few_against",
    "reduce_edges",
    "shortest_clash",
    "shortest_cycle",
    "strong_components",
    "topological_order",
]

Edge = tuple[int, int]

SEARCH_BUDGET = 20_000_000
REDUCTION_LIMIT = 20_000


def merged(count: int, pairs: Iterable[Edge]) -> list[int]:
    """Return per node the number of its group when both nodes of every pair are put together, in order of appearance.

    Examples
    --------
    >>> merged(5, [(3, 1), (4, 3)])
    [0, 1, 2, 1, 1]
    """
    leader = list(range(count))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for u, v in pairs:
        leader[find(u)] = find(v)
    roots = [find(node) for node in range(count)]
    number = {root: i for i, root in enumerate(dict.fromkeys(roots))}
    return [number[root] for root in roots]


def topological_order(count: int, edges: Iterable[Edge]) -> list[int] | None:
    """Return the nodes with every edge pointing forward, or None if there is a cycle."""
    children: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for u, v in edges:
        children[u].append(v)
        waiting[v] += 1
    ready = deque(node for node in range(count) if not waiting[node])
    order = []
    while ready:
        u = ready.popleft()
        order.append(u)
        for v in children[u]:
            waiting[v] -= 1
            if not waiting[v]:
                ready.append(v)
    return order if len(order) == count else None


def shortest_cycle(count: int, edges: Iterable[Edge], budget: int = SEARCH_BUDGET) -> tuple[list[int], bool] | None:
    """Return a shortest cycle as its nodes in order, and whether it is proven shortest; None without cycles.

    Whether a cycle exists is decided in linear time. A shortest one is found by breadth-first search from
    one node after another, each removed when done together with all that then lies on no cycle; the search
    stops at a budget of visited edges with the shortest cycle met so far, the first being one met by walking.

    Examples
    --------
    >>> shortest_cycle(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
    ([0, 1, 2], True)
    >>> shortest_cycle(3, [(0, 1), (1, 2)]) is None
    True
    """
    core = _Core(count, edges)
    if not core.alive:
        return None
    best = core.any_cycle()
    while core.alive:
        root = core.densest()
        found, visited = core.cycle_through(root, len(best))
        if found is not None:
            best = found
        budget -= visited
        if len(best) <= 2 or budget < 0:
            return _rotated(best), len(best) <= 2
        core.remove(root)
    return _rotated(best), True


def shortest_clash(
    count: int, edges: Sequence[Edge], equal: Sequence[Edge], budget: int = SEARCH_BUDGET
) -> tuple[list[int], bool] | None:
    """Return a shortest cycle through at least one edge, where equal pairs may be walked both ways.

    Like :func:`shortest_cycle`, which answers when nothing is equal.

    Examples
    --------
    >>> shortest_clash(4, [(0, 1), (2, 3)], [(3, 0), (1, 2)])
    ([0, 1, 2, 3], True)
    >>> shortest_clash(3, [(0, 1)], [(1, 2)]) is None
    True
    """
    if not equal:
        return shortest_cycle(count, edges, budget)
    component = strong_components(count, [*edges, *equal, *((v, u) for u, v in equal)])
    strict = [(u, v) for u, v in edges if component[u] == component[v]]
    if not strict:
        return None
    ways: list[set[int]] = [set() for _ in range(count)]
    for u, v in (*edges, *equal, *((v, u) for u, v in equal)):
        if component[u] == component[v]:
            ways[u].add(v)
    above: dict[int, set[int]] = {}
    for u, v in strict:
        above.setdefault(v, set()).add(u)
    best: list[int] = []
    for low, highs in sorted(above.items()):
        path, visited = _path(ways, low, highs, len(best) - 1 if best else count)
        best = path or best
        budget -= visited
        if len(best) == 2 or budget < 0:
            return _rotated(best), len(best) == 2
    return _rotated(best), True


def _path(ways: Sequence[set[int]], start: int, goals: set[int], most: int) -> tuple[list[int] | None, int]:
    """Return a shortest walk from a node to one of some others with at most so many nodes, and the edges visited."""
    parent = {start: start}
    layer, length, visited = [start], 1, 0
    while layer and length < most:
        following = []
        length += 1
        for u in layer:
            visited += len(ways[u])
            for v in sorted(ways[u] - parent.keys()):
                parent[v] = u
                if v in goals:
                    path = [v]
                    while path[-1] != start:
                        path.append(parent[path[-1]])
                    return path[::-1], visited
                following.append(v)
        layer = following
    return None, visited


def strong_components(count: int, edges: Iterable[Edge]) -> list[int]:
    """Return per node the number of its strongly connected component; numbers rise against the edges.

    Examples
    --------
    >>> strong_components(4, [(0, 1), (1, 0), (1, 2), (3, 2)])
    [1, 1, 0, 2]
    """
    children: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges:
        children[u].append(v)
    found = [-1] * count
    low, order = [0] * count, [0] * count
    stack: list[int] = []
    clock = number = 0
    for root in range(count):
        if order[root]:
            continue
        path = [(root, iter(children[root]))]
        while path:
            u, rest = path[-1]
            if not order[u]:
                clock += 1
                order[u] = low[u] = clock
                stack.append(u)
            for v in rest:
                if not order[v]:
                    path.append((v, iter(children[v])))
                    break
                if found[v] < 0:
                    low[u] = min(low[u], order[v])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[u])
                if low[u] == order[u]:
                    while found[u] < 0:
                        found[stack.pop()] = number
                    number += 1
    return found


def order_with_few_against(edges: Iterable[tuple[int, int, int | Fraction]]) -> list[int]:
    """Return the nodes of weighted edges in an order that little weight points against, by a greedy choice.

    Nodes with nothing above them come first and those with nothing below them last; when there are none, the node of
    which most weight goes out compared with what comes in is next (Eades, Lin and Smyth 1993).

    Examples
    --------
    >>> order_with_few_against([(0, 1, 2), (1, 2, 2), (2, 0, 1)])
    [0, 1, 2]
    """
    out: dict[int, dict[int, int | Fraction]] = {}
    into: dict[int, dict[int, int | Fraction]] = {}
    for u, v, weight in edges:
        for side, node in ((out, u), (out, v), (into, u), (into, v)):
            side.setdefault(node, {})
        if u != v:
            out[u][v] = out[u].get(v, 0) + weight
            into[v][u] = into[v].get(u, 0) + weight
    balance = {node: sum(out[node].values()) - sum(into[node].values()) for node in out}
    heap = [(-balance[node], node) for node in sorted(out)]
    heapify(heap)
    ends = sorted(out)  # nodes that may have become sources or sinks
    first: list[int] = []
    last: list[int] = []
    while heap or ends:
        if ends:
            node = ends.pop()
            if node not in out or (out[node] and into[node]):
                continue
        else:
            least, node = heappop(heap)
            if node not in out or -least != balance[node]:
                continue
        (first if out[node] or not into[node] else last).append(node)
        for mine, theirs, sign in ((out.pop(node), into, 1), (into.pop(node), out, -1)):
            for other in mine:
                balance[other] += sign * theirs[other].pop(node)
                heappush(heap, (-balance[other], other))
                ends.append(other)
    return first + last[::-1]


def reduce_edges(count: int, edges: Sequence[Edge]) -> list[Edge]:
    """Return the transitive reduction of an acyclic relation, in the order the edges were given.

    Beyond ``REDUCTION_LIMIT`` nodes the edges come back as they are: reducing only saves work.

    Examples
    --------
    >>> reduce_edges(3, [(0, 2), (0, 1), (1, 2)])
    [(0, 1), (1, 2)]
    """
    if count > REDUCTION_LIMIT:
        return list(edges)
    order = topological_order(count, edges)
    assert order is not None
    rank = {node: place for place, node in enumerate(order)}
    children: list[list[int]] = [[] for _ in range(count)]
    for u, v in edges:
        children[u].append(v)
    below = [0] * count
    kept: set[Edge] = set()
    for u in reversed(order):
        reached = 0
        for v in sorted(set(children[u]), key=rank.__getitem__):
            if not reached >> rank[v] & 1:
                kept.add((u, v))
                reached |= below[v] | 1 << rank[v]
        below[u] = reached
    return [edge for edge in dict.fromkeys(edges) if edge in kept]


def _rotated(cycle: list[int]) -> list[int]:
    """Start the cycle at its smallest node, so that the answer does not depend on the search."""
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]


class _Core:
    """The nodes that may still lie on a cycle: every one has an edge in and an edge out."""

    def __init__(self, count: int, edges: Iterable[Edge]) -> None:
        self.children: list[set[int]] = [set() for _ in range(count)]
        self.parents: list[set[int]] = [set() for _ in range(count)]
        for u, v in edges:
            self.children[u].add(v)
            self.parents[v].add(u)
        self.alive = set(range(count))
        self._peel(list(range(count)))
        self._order = sorted(self.alive, key=lambda node: len(self.children[node]) * len(self.parents[node]))

    def densest(self) -> int:
        """Return the node with the most connections at the start: short cycles are likely there."""
        while self._order[-1] not in self.alive:
            self._order.pop()
        return self._order[-1]

    def any_cycle(self) -> list[int]:
        """Walk down until a node comes back: every node has a way on, so one does."""
        path, place = [min(self.alive)], {}
        while path[-1] not in place:
            place[path[-1]] = len(path) - 1
            path.append(min(self.children[path[-1]]))
        return path[place[path[-1]] : -1]

    def cycle_through(self, root: int, shorter_than: int) -> tuple[list[int] | None, int]:
        """Return a shortest cycle through a node if it is shorter than a bound, and the edges visited."""
        parent = {root: root}
        layer, length, visited = [root], 1, 0
        while layer and length < shorter_than:
            following = []
            for u in layer:
                visited += len(self.children[u])
                if root in self.children[u]:
                    return self._trace(root, u, parent), visited
                for v in self.children[u]:
                    if v not in parent:
                        parent[v] = u
                        following.append(v)
            layer, length = following, length + 1
        return None, visited

    def remove(self, node: int) -> None:
        self.alive.discard(node)
        touched = self.children[node] | self.parents[node]
        self._detach(node)
        self._peel(list(touched))

    def _peel(self, queue: list[int]) -> None:
        while queue:
            node = queue.pop()
            if node in self.alive and not (self.children[node] and self.parents[node]):
                self.alive.discard(node)
                queue.extend(self.children[node] | self.parents[node])
                self._detach(node)

    def _detach(self, node: int) -> None:
        for child in self.children[node]:
            self.parents[child].discard(node)
        for parent in self.parents[node]:
            self.children[parent].discard(node)
        self.children[node], self.parents[node] = set(), set()

    @staticmethod
    def _trace(root: int, last: int, parent: dict[int, int]) -> list[int]:
        path = [last]
        while path[-1] != root:
            path.append(parent[path[-1]])
        return path[::-1]
