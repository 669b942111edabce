"""Names at the edge: how sets are written, read and refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpref.errors import BadName, InputError, UnknownElement
from setpref.universe import Universe, bits, split_set, zero_or_one

DRINKS = Universe(("lemon", "milk", "tea"))


@pytest.mark.parametrize(
    "value",
    [
        "tea+lemon",
        "lemon+tea",
        " tea + lemon ",
        {"tea", "lemon"},
        frozenset({"tea", "lemon"}),
        ["lemon", "tea"],
        ("tea", "lemon"),
        {"tea": 1, "lemon": True, "milk": 0},
        {"tea": 1.0, "lemon": Fraction(1), "milk": False},
        {"tea": 1, "lemon": 1}.keys(),
        iter(["tea", "lemon"]),
    ],
    ids=["text", "other order", "blanks", "set", "frozenset", "list", "tuple", "0/1", "numbers", "keys", "iterator"],
)
def test_every_form_of_a_set_is_the_same_mask(value: Any) -> None:
    assert DRINKS.mask(value) == 0b101


@pytest.mark.parametrize("value", ["{}", " {} ", [], set(), (), {}, {"tea": 0}], ids=repr)
def test_every_form_of_the_empty_set(value: Any) -> None:
    assert DRINKS.mask(value) == 0


@given(st.integers(0, 7))
def test_writing_and_reading_are_inverse(mask: int) -> None:
    assert DRINKS.mask(DRINKS.write(mask)) == mask
    assert DRINKS.mask(DRINKS.elements(mask)) == mask


@given(st.sets(st.integers(0, 200)))
def test_bits_lists_the_elements_in_order(elements: set[int]) -> None:
    assert list(bits(sum(1 << i for i in elements))) == sorted(elements)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "a set is missing"),
        ("tea++milk", "empty name"),
        ("+", "empty name"),
        ("tea+tea", "'tea' twice"),
        (["tea", "tea"], "'tea' twice"),
        (7, "7 is not a set"),
        (None, "None is not a set"),
        ({"tea": 2}, "'tea' is 2"),
        ({"tea": "1"}, "'tea' is '1'"),
        ({"tea": None}, "'tea' is None"),
        ({"tea": float("nan")}, "'tea' is nan"),
    ],
    ids=repr,
)
def test_what_is_no_set(value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        split_set(value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a+b", "joins"),
        ("{}", "empty set"),
        ("", "is empty"),
        (" tea", "blanks"),
        ("te\na", "printed"),
        ("te\0a", "printed"),
        (None, "not text"),
        (float("nan"), "not text"),
        (3, "not text"),
        (b"tea", "not text"),
    ],
    ids=repr,
)
def test_what_is_no_name(name: Any, words: str) -> None:
    with pytest.raises(BadName, match=words) as raised:
        Universe(("milk", name))
    assert raised.value.name is name


@pytest.mark.parametrize("name", ["thé vert", "crème brûlée", "茶", "{tea}", "a,b", 'say "x"', "-1", "0"])
def test_odd_names_that_are_allowed(name: str) -> None:
    universe = Universe((name, "milk"))
    assert universe.mask(f"milk+{name}") == 3
    assert universe.write(3) == f"{name}+milk"


def test_a_universe_keeps_its_order_and_a_seen_one_is_sorted() -> None:
    assert Universe.of(["tea", "milk"]).names == ("tea", "milk")
    assert Universe.of("tea+milk").names == ("tea", "milk")
    assert Universe.of(DRINKS) is DRINKS
    assert Universe.seen([["tea"], [], ["milk", "tea"]]).names == ("milk", "tea")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "no elements"),
        ("", "names no element"),
        ("{}", "names no element"),
        (["tea", "tea"], "given twice"),
        ("tea+tea", "universe: .* twice"),
    ],
    ids=repr,
)
def test_what_is_no_universe(names: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Universe.of(names)


def test_an_unknown_element_comes_with_the_nearest_name() -> None:
    with pytest.raises(UnknownElement, match=r"'lemno'.*lemon, milk, tea; did you mean 'lemon'") as raised:
        DRINKS.mask("lemno+tea")
    assert (raised.value.name, raised.value.known, raised.value.nearest) == ("lemno", DRINKS.names, "lemon")


def test_many_elements() -> None:
    universe = Universe(tuple(f"e{i}" for i in range(70)))
    assert universe.mask("e69+e0") == (1 << 69) + 1
    assert universe.write((1 << 69) + 1) == "e0+e69"


@pytest.mark.parametrize(
    ("value", "known"),
    [(0, False), (1, True), (0.0, False), (True, True), (2, None), (0.5, None), (None, None), ("1", None), ([], None)],
    ids=repr,
)
def test_zero_or_one(value: Any, known: bool | None) -> None:
    assert zero_or_one(value) is known


def test_zero_or_one_of_a_missing_value_of_pandas() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas has a missing value of its own")
    assert zero_or_one(pandas.NA) is None
