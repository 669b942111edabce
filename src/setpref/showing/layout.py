"""Where to put things in the diagram of a partial order: boxes in rows, the better above the worse, lines between.

The drawing itself is done in :mod:`setpref.showing.order_diagram`; here are only places, in whatever unit the box
sizes come in (figures use inches), with x to the right and y upward.

Notes
-----
The layered method of Sugiyama, Tagawa and Toda (1981): rows by longest path from the top; a line that passes a row gets
a place of its own there, so it never runs through a box; rows are sorted to cross few lines; then all x are chosen
together, as close to the neighbours as the boxes allow.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from setpref.answers.partial_order import Order

__all__ = ["Diagram", "Layout", "diagram", "lay_out"]

Point = tuple[float, float]
Row = list[int]

RESTARTS = 6
SWEEPS = 12
PLACING_SWEEPS = 400
ROUGH_SWEEPS = 60
# How strongly the two ends of a piece of line attract each other, by how many of them are bends: bends hold together
# most, so that long lines run straight where they pass boxes.
PULL = (1.0, 2.0, 8.0)


@dataclass(frozen=True)
class Diagram:
    """What is to be drawn: equal alternatives merged, and the lines between them.

    Attributes
    ----------
    groups : tuple of tuple of int
        Per node the positions of its alternatives in the order.
    edges : tuple of (int, int)
        The covers between nodes: (upper, lower).
    """

    groups: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Layout:
    """Places for the boxes and lines of a diagram, from (0, 0) at the lower left to (width, height).

    Attributes
    ----------
    centres : tuple of points
        The middle of every node's box.
    sizes : tuple of (float, float)
        Width and height of every box, as given.
    rows : tuple of int
        Per node its row, counted from the top.
    edges : tuple of (int, int)
    lines : tuple of tuple of points
        Per edge its corners, from the lower side of the upper box to the upper side of the lower box.
    crossings : int
        How often lines cross.
    width, height : float
    """

    centres: tuple[Point, ...]
    sizes: tuple[Point, ...]
    rows: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    lines: tuple[tuple[Point, ...], ...]
    crossings: int
    width: float
    height: float


def diagram(order: Order) -> Diagram:
    """Return the nodes and lines of an order: equal alternatives become one node.

    Examples
    --------
    >>> from setpref.universe import Universe
    >>> better = np.array([[False, True, True], [False, False, False], [False, False, False]])
    >>> diagram(Order(Universe(("tea",)), (1, 0, 0), better, ((0,), (1, 2))))
    Diagram(groups=((0,), (1, 2)), edges=((0, 1),))
    """
    firsts = [group[0] for group in order.equal]
    merged = Order(
        order.universe,
        tuple(order.masks[i] for i in firsts),
        order.matrix[np.ix_(firsts, firsts)],
        tuple((i,) for i in range(len(firsts))),
    )
    return Diagram(order.equal, merged.cover_positions)


def lay_out(
    edges: Sequence[tuple[int, int]],
    sizes: Sequence[Point],
    *,
    gap: float = 0.15,
    line_gap: float = 0.1,
    row_gap: tuple[float, float] = (0.24, 0.7),
    most_width: float = 7.0,
) -> Layout:
    """Choose places for boxes of given sizes, every edge going down.

    Parameters
    ----------
    edges
        Pairs (upper, lower) of an acyclic relation.
    sizes
        Width and height per node.
    gap, line_gap
        Least distance between two boxes of a row, and between a line and a box or another line there.
    row_gap
        Least and greatest distance between rows; wide-running lines get more, so that they are not too flat.
    most_width
        Boxes of one level that would be wider than this together are put in several rows.
    """
    if not sizes:
        return Layout((), (), (), tuple(edges), (), 0, 0.0, 0.0)
    rows = _rows(edges, [width for width, _ in sizes], gap, most_width)
    nets = [_Net.of(edges, rows, len(sizes), end) for end in (1, 0)]
    net, (ordered, crossings) = min(((net, _fewest_crossings(net)) for net in nets), key=lambda tried: tried[1][1])
    widths = [width for width, _ in sizes] + [0.0] * (len(net.above) - len(sizes))
    x = _place(net, ordered, widths, gap, line_gap)
    bands = _bands(net, ordered, x, [height for _, height in sizes], row_gap)
    lines = []
    for (upper, lower), path in zip(edges, net.paths, strict=True):
        top, bottom = _box_ends(bands[rows[upper]], sizes[upper][1]), _box_ends(bands[rows[lower]], sizes[lower][1])
        corners = [(x[upper], top[1]), (x[upper], bands[rows[upper]][1])]
        for row, bend in enumerate(path, start=rows[upper] + 1):
            corners += [(x[bend], bands[row][0]), (x[bend], bands[row][1])]
        corners += [(x[lower], bands[rows[lower]][0]), (x[lower], bottom[0])]
        lines.append(tuple(dict.fromkeys(corners)))
    centres = tuple((x[node], sum(bands[rows[node]]) / 2) for node in range(len(sizes)))
    width = max(x[v] + widths[v] / 2 for v in range(len(x)))
    return Layout(centres, tuple(sizes), tuple(rows), tuple(edges), tuple(lines), crossings, width, bands[0][0])


def _box_ends(band: Point, height: float) -> Point:
    """Return the upper and lower y of a box in the middle of a band."""
    middle = (band[0] + band[1]) / 2
    return min(middle + height / 2, band[0]), max(middle - height / 2, band[1])


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(edges: Sequence[tuple[int, int]], widths: Sequence[float], gap: float, most_width: float) -> list[int]:
    """Return the row of every node: levels by longest path from the top, wide levels split."""
    levels = [0] * len(widths)
    moved = True
    while moved:
        moved = False
        for upper, lower in edges:
            if levels[lower] <= levels[upper]:
                levels[lower] = levels[upper] + 1
                moved = True
    down_minus_up = [0] * len(widths)
    for upper, lower in edges:
        down_minus_up[upper] += 1
        down_minus_up[lower] -= 1
    rows, first = [0] * len(widths), 0
    for level in range(max(levels) + 1):
        # Nodes that look up go to the upper rows of a split level, those that look down to the lower ones.
        nodes = sorted((n for n, of in enumerate(levels) if of == level), key=lambda n: (down_minus_up[n], n))
        total = sum(widths[n] + gap for n in nodes)
        share = total / ceil(total / (most_width + gap)) if total > 0 else 1.0
        run, used = 0.0, 0
        for node in nodes:
            run += widths[node] + gap
            used = max(used, min(int((run - (widths[node] + gap) / 2) / share), used + 1))
            rows[node] = first + used
        first += used + 1
    return rows


@dataclass(frozen=True)
class _Net:
    """Nodes and bends in rows; every piece of line joins neighbouring rows. Bends have the numbers after the nodes.

    Long lines with the same end share their bends: they join on the way, as tracks do before a station, and still say
    nothing but that each of their beginnings is joined with that end.
    """

    nodes: int
    rows: list[Row]
    above: list[list[int]]
    below: list[list[int]]
    paths: list[list[int]]

    @classmethod
    def of(cls, edges: Sequence[tuple[int, int]], row_of: Sequence[int], nodes: int, end: int) -> _Net:
        """Return the net whose long lines join towards their upper (0) or lower (1) ends."""
        rows: list[Row] = [[] for _ in range(max(row_of) + 1)]
        for node, row in enumerate(row_of):
            rows[row].append(node)
        bends: dict[tuple[int, int], int] = {}
        for edge in edges:
            for row in range(row_of[edge[0]] + 1, row_of[edge[1]]):
                if (row, edge[end]) not in bends:
                    bends[row, edge[end]] = nodes + len(bends)
                    rows[row].append(bends[row, edge[end]])
        above: list[list[int]] = [[] for _ in range(nodes + len(bends))]
        below: list[list[int]] = [[] for _ in above]
        paths = []
        for edge in edges:
            path = [bends[row, edge[end]] for row in range(row_of[edge[0]] + 1, row_of[edge[1]])]
            for a, b in pairwise([edge[0], *path, edge[1]]):
                if b not in below[a]:
                    below[a].append(b)
                    above[b].append(a)
            paths.append(path)
        return cls(nodes, rows, above, below, paths)


# -- crossings -------------------------------------------------------------------------------------------------------


def _fewest_crossings(net: _Net) -> tuple[list[Row], int]:
    """Return the rows sorted so that few lines cross, and how many do."""
    best, fewest = net.rows, _crossings(net, net.rows)
    shuffler = random.Random(0)
    for attempt in range(RESTARTS):
        rows = [list(row) for row in net.rows]
        if attempt:
            for row in rows:
                shuffler.shuffle(row)
        for sweep in range(SWEEPS):
            _sort_rows(net, rows, downward=sweep % 2 == 0, median=attempt % 2 == 1)
            _swap_neighbours(net, rows)
            crossings = _crossings(net, rows)
            if crossings < fewest:
                best, fewest = [list(row) for row in rows], crossings
        if not fewest:
            break
    return best, fewest


def _crossings(net: _Net, rows: list[Row]) -> int:
    total = 0
    for upper, lower in pairwise(rows):
        place = {v: i for i, v in enumerate(lower)}
        ends = np.array([(i, place[w]) for i, v in enumerate(upper) for w in net.below[v]], dtype=np.int64)
        if len(ends):
            a, b = ends.T
            total += int(((a[:, None] < a) & (b[:, None] > b)).sum())
    return total


def _sort_rows(net: _Net, rows: list[Row], *, downward: bool, median: bool) -> None:
    """Sort every row by the places of its neighbours in the row before; who has none keeps its relative place."""
    numbers = range(1, len(rows)) if downward else range(len(rows) - 2, -1, -1)
    towards = net.above if downward else net.below
    for number in numbers:
        before = rows[number - 1 if downward else number + 1]
        place = {v: (i + 0.5) / len(before) for i, v in enumerate(before)}
        wish = {}
        for i, v in enumerate(rows[number]):
            places = sorted(place[w] for w in towards[v])
            if not places:
                wish[v] = (i + 0.5) / len(rows[number])
            elif median:
                wish[v] = (places[(len(places) - 1) // 2] + places[len(places) // 2]) / 2
            else:
                wish[v] = sum(places) / len(places)
        rows[number].sort(key=wish.__getitem__)


def _swap_neighbours(net: _Net, rows: list[Row]) -> None:
    """Swap neighbours in a row while that removes crossings."""
    place = {v: i for row in rows for i, v in enumerate(row)}
    improved = True
    while improved:
        improved = False
        for row in rows:
            for i in range(len(row) - 1):
                left, right = row[i], row[i + 1]
                gain = 0
                for towards in (net.above, net.below):
                    for a in towards[left]:
                        for b in towards[right]:
                            gain += (place[a] > place[b]) - (place[a] < place[b])
                if gain > 0:
                    row[i], row[i + 1] = right, left
                    place[left], place[right] = i + 1, i
                    improved = True


# -- coordinates -----------------------------------------------------------------------------------------------------


def _place(net: _Net, rows: list[Row], widths: Sequence[float], gap: float, line_gap: float) -> list[float]:
    """Return every x: least squared distances along the lines, row by row exact, swept until settled."""
    x = [0.0] * len(widths)
    steps = []
    for row in rows:
        pairs = list(pairwise(row))
        steps.append([(widths[a] + widths[b]) / 2 + (gap if max(a, b) < net.nodes else line_gap) for a, b in pairs])
    for sweep in range(PLACING_SWEEPS):
        furthest = 0.0
        for row, step in zip(rows, steps, strict=True) if sweep % 2 == 0 else zip(rows[::-1], steps[::-1], strict=True):
            wishes, weights = [], []
            for v in row:
                pulls = [(_pull(net, v, w, x, sweep), x[w]) for w in (*net.above[v], *net.below[v])]
                # Who has no line is drawn to the middle, as strongly as it is wide: that centres a row of such boxes.
                pulls = pulls or [(widths[v] + gap, 0.0)]
                weights.append(sum(pull for pull, _ in pulls))
                wishes.append(sum(pull * at for pull, at in pulls) / weights[-1])
            for v, at in zip(row, _keep_apart(wishes, weights, step), strict=True):
                furthest = max(furthest, abs(x[v] - at))
                x[v] = at
        if furthest < 1e-4 and sweep > ROUGH_SWEEPS:
            break
    _straighten(net, rows, steps, x)
    left = min(at - widths[v] / 2 for v, at in enumerate(x))
    return [at - left for at in x]


def _pull(net: _Net, v: int, w: int, x: Sequence[float], sweep: int) -> float:
    """Return how strongly two joined places attract each other.

    Between bends distance itself, not its square, is made small once the rough places are found (by weights that
    shrink with the distance): then a long line runs straight and turns at few places, not a little everywhere.
    """
    pull = PULL[(v >= net.nodes) + (w >= net.nodes)]
    return pull if sweep < ROUGH_SWEEPS or pull == PULL[0] else pull * 0.2 / max(abs(x[v] - x[w]), 0.02)


def _straighten(net: _Net, rows: list[Row], steps: list[list[float]], x: list[float]) -> None:
    """Put bends that are nearly in line with where they come from in line with it, where there is room."""
    both = list(zip(rows, steps, strict=True))
    for towards, ordered in ((net.above, both), (net.below, both[::-1])):
        for row, step in ordered:
            for i, v in enumerate(row):
                at = x[towards[v][0]] if v >= net.nodes and len(towards[v]) == 1 else x[v]
                left = i == 0 or x[row[i - 1]] + step[i - 1] <= at
                right = i == len(row) - 1 or at <= x[row[i + 1]] - step[i]
                if abs(at - x[v]) < 0.12 and left and right:
                    x[v] = at


def _keep_apart(wishes: Sequence[float], weights: Sequence[float], steps: Sequence[float]) -> list[float]:
    """Return the places nearest to the wishes (least squares) that keep the steps: pool adjacent violators.

    Examples
    --------
    >>> _keep_apart([0.0, 0.0, 5.0], [1.0, 1.0, 1.0], [2.0, 2.0])
    [-1.0, 1.0, 5.0]
    """
    offsets = [0.0]
    for step in steps:
        offsets.append(offsets[-1] + step)
    pools: list[tuple[float, float, int]] = []
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        mean, heavy, count = wish - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, more, members = pools.pop()
            mean = (mean * heavy + other * more) / (heavy + more)
            heavy, count = heavy + more, count + members
        pools.append((mean, heavy, count))
    flat = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(flat, offsets, strict=True)]


def _bands(
    net: _Net, rows: list[Row], x: Sequence[float], heights: Sequence[float], row_gap: tuple[float, float]
) -> list[Point]:
    """Return the upper and lower y of every row; the lowest row ends at 0."""
    bands, top = [], 0.0
    for row in rows:
        bottom = top - max((heights[v] for v in row if v < net.nodes), default=0.0)
        bands.append((top, bottom))
        widest = max((abs(x[v] - x[w]) for v in row for w in net.below[v]), default=0.0)
        top = bottom - min(max(0.2 * widest, row_gap[0]), row_gap[1])
    lowest = bands[-1][1]
    return [(upper - lowest, lower - lowest) for upper, lower in bands]
