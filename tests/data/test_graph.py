"""Cycles, orders and reductions of relations, against brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpref.data.graph import reduce_edges, shortest_cycle, topological_order

Edges = list[tuple[int, int]]


@st.composite
def digraphs(draw: st.DrawFn) -> tuple[int, Edges]:
    count = draw(st.integers(2, 8))
    pairs = [(u, v) for u, v in product(range(count), repeat=2) if u != v]
    return count, draw(st.lists(st.sampled_from(pairs), max_size=18))


@st.composite
def acyclic(draw: st.DrawFn) -> tuple[int, Edges]:
    count, edges = draw(digraphs())
    place = draw(st.permutations(range(count)))
    return count, [(place[min(e)], place[max(e)]) for e in edges]


def closure(count: int, edges: Edges) -> set[tuple[int, int]]:
    """Return every pair joined by a path, by Warshall's algorithm."""
    reach = set(edges)
    for k, u, v in product(range(count), repeat=3):
        if (u, k) in reach and (k, v) in reach:
            reach.add((u, v))
    return reach


def girth(count: int, edges: Edges) -> int | None:
    """Return the length of a shortest cycle: the first k for which k steps lead from some node to itself."""
    walks = {(u, u) for u in range(count)}
    for length in range(1, count + 1):
        walks = {(u, w) for u, v in walks for x, w in edges if x == v}
        if any(u == v for u, v in walks):
            return length
    return None


@given(digraphs())
def test_shortest_cycle_is_a_cycle_and_as_short_as_any(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    nodes, proven = shortest_cycle(count, edges) or ([], True)
    steps = set(zip(nodes, [*nodes[1:], *nodes[:1]], strict=True))
    assert (len(nodes), proven) == (girth(count, edges) or 0, True)
    assert len(set(nodes)) == len(nodes)
    assert steps <= set(edges)


@given(digraphs())
def test_without_a_budget_some_cycle_is_still_found(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    found = shortest_cycle(count, edges, budget=-1)
    assert (found is None) == (girth(count, edges) is None)
    nodes, proven = found or ([], True)
    assert set(zip(nodes, [*nodes[1:], *nodes[:1]], strict=True)) <= set(edges)
    assert not proven or len(nodes) in (0, 2)


@given(digraphs())
def test_an_order_exists_iff_there_is_no_cycle(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    order = topological_order(count, edges)
    assert (order is None) == (girth(count, edges) is not None)
    place = {node: i for i, node in enumerate(order or [])}
    assert all(place[u] < place[v] for u, v in edges if order is not None)


@given(acyclic())
def test_reduction_keeps_the_closure_and_no_edge_can_be_spared(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    kept = reduce_edges(count, edges)
    reach = closure(count, edges)
    assert closure(count, kept) == reach
    needed = {(u, v) for u, v in reach if not any((u, k) in reach and (k, v) in reach for k in range(count))}
    assert set(kept) == needed
    assert kept == [edge for edge in dict.fromkeys(edges) if edge in needed]


def test_beyond_its_limit_a_relation_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("setpref.data.graph.REDUCTION_LIMIT", 2)
    assert reduce_edges(3, [(0, 2), (0, 1), (1, 2)]) == [(0, 2), (0, 1), (1, 2)]


def test_busy_nodes_that_lie_on_no_cycle_end_at_the_budget() -> None:
    """Two long cycles joined by the busiest nodes of all: searching from each of those would take quadratic time."""
    size = 3_000
    first = [(i, (i + 1) % size) for i in range(size)]
    second = [(size + i, size + (i + 1) % size) for i in range(size)]
    into = [((i + k) % size, 2 * size + i) for i in range(size) for k in range(4)]
    out = [(2 * size + i, size + (i + k) % size) for i in range(size) for k in range(4)]
    found = shortest_cycle(3 * size, first + second + into + out, budget=200_000)
    assert found is not None
    assert (len(found[0]), found[1]) == (size, False)


def test_a_long_cycle_beside_a_short_one() -> None:
    long = [(i, (i + 1) % 50_000) for i in range(50_000)]
    short = [(10, 60_000), (60_000, 60_001), (60_001, 10)]
    assert shortest_cycle(60_002, long + short) == ([10, 60_000, 60_001], True)
