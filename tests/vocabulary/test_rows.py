"""Rows: boundaries of tiers, statements added, and multipliers brought back to what was stated."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpref import InputError, Preferences, Statement, Universe
from setpref.rows import Kind, Row, Rows, ends, pair, spread


@given(st.lists(st.integers(0, 5), min_size=9, max_size=9))
def test_pairs_of_tiers_carry_the_same_sums(weights: list[int]) -> None:
    """Two tiers of three sets: the weight given on pairs is pushed through boundaries and split again."""
    upper, lower = (1, 2, 4), (8, 16, 32)
    rows = Rows((*upper, *lower), (*(pair(i, 6) for i in range(3)), *(pair(6, i) for i in range(3, 6))), 1)
    pairs = {two: w for two, w in zip(product(upper, lower), weights, strict=True) if w}
    above, below = Counter[int](), Counter[int]()
    for (a, b), weight in pairs.items():
        above[a] += weight
        below[b] += weight
    split = rows.on_statements([*(above[a] for a in upper), *(below[b] for b in lower)])
    assert spread(split) == spread([(a, b, w) for (a, b), w in pairs.items()])
    assert all(weight > 0 for _, _, weight in split)
    assert len(split) <= 5


def test_multipliers_on_plain_pairs_stay_as_they_are() -> None:
    rows = Rows((1, 2, 4), (pair(0, 1), pair(1, 2), pair(0, 1)))
    assert rows.on_statements([2, 0, 3]) == ((1, 2, 5),)


def test_a_negative_multiplier_turns_an_equation_round() -> None:
    sum_of_three = Row(((0, 1), (1, 1), (2, -2)), Kind.EQUAL)
    rows = Rows((1, 2, 4), (pair(0, 1, Kind.EQUAL), sum_of_three))
    assert rows.on_statements([-3, -1]) == ((2, 1, 3), (((1, -1), (2, -1), (4, 2)), 1))


def test_saying_one_more_keeps_boundaries_above_the_alternatives() -> None:
    rows = Rows((1, 2), (pair(0, 2), pair(2, 1)), 1)
    more = rows.saying(pair(4, 1))
    assert more == Rows((1, 2, 4), (pair(0, 3), pair(3, 1), pair(2, 0)), 1)
    assert (rows.places, more.places) == (3, 4)


@pytest.mark.parametrize(
    ("combination", "sides"),
    [(((3, 1), (5, -1)), (3, 5)), (((3, -1), (5, 1)), (5, 3)), (((3, 2), (5, -2)), None), (((1, 1),), None)],
)
def test_the_sides_of_a_pair(combination, sides) -> None:
    assert ends(combination) == sides


@pytest.mark.parametrize(
    "combination", [((1, 1), (2, 1)), ((1, 0), (2, 0)), ((1, 1), (2, -1), (1, 1), (4, -1)), ((1, 2), (2, -1), (4, 0))]
)
def test_coefficients_add_up_to_zero_over_different_sets(combination) -> None:
    with pytest.raises(InputError, match="must add up to zero"):
        Preferences(Universe(("a", "b", "c")), (Statement(Row(combination)),))


def test_a_statement_about_more_sets_has_no_better_one() -> None:
    with pytest.raises(InputError, match="more than two sets"):
        _ = Statement(Row(((1, 1), (2, 1), (3, -2)))).better
