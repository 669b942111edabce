"""Models: utilities, complexity, text and JSON."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpref import InputError, Model, Universe

DRINKS = Universe(("lemon", "milk", "tea"))
MODEL = Model.of(DRINKS, {"tea": 2, "lemon": 3, "tea+milk": -5})

values = st.dictionaries(st.integers(1, 7), st.one_of(st.integers(-(10**20), 10**20), st.fractions()), max_size=7).map(
    lambda v: Model(DRINKS, v)
)


def test_utility_is_the_sum_of_contained_terms():
    # Worked by hand: tea 2 + lemon 3 + (tea and milk) -5.
    assert MODEL.utility({"tea", "lemon", "milk"}) == 0
    assert MODEL.utility("{}") == 0
    assert MODEL.utility({"milk"}) == 0


@pytest.mark.parametrize(
    ("first", "second", "expected"), [("tea", "lemon", "worse"), ("tea", "milk", "better"), ("milk", "{}", "same")]
)
def test_comparison(first, second, expected):
    assert MODEL.compare(first, second) == expected


def test_complexity_and_the_papers_single_number():
    assert MODEL.complexity == (2, 3, 4)
    # n 4^n deg + n 2^n card + ws with n = 3.
    assert MODEL.lex_number == 3 * 64 * 2 + 3 * 8 * 3 + 4


@given(values, values)
def test_the_single_number_orders_as_the_triple(first, second):
    assert (first.lex_number < second.lex_number) == (first.complexity < second.complexity)


def test_text_form():
    assert str(MODEL) == "3*lemon + 2*tea - 5*milk+tea"
    assert str(Model(DRINKS, {})) == "0"
    assert str(Model.of(DRINKS, {"tea": Fraction(-1, 2), "milk": 0})) == "-(1/2)*tea"


@given(values)
def test_json_round_trip(model):
    assert Model.from_json(model.to_json()) == model


@given(values)
def test_whole_values_keep_the_order(model):
    whole = model.whole()
    assert all(isinstance(v, int) for v in whole.values.values())
    signs = [(model.at(m) > 0, model.at(m) < 0) for m in range(8)]
    assert signs == [(whole.at(m) > 0, whole.at(m) < 0) for m in range(8)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "setpref-model", "version": 2, "universe": ["a"], "terms": {}}',
        '{"format": "setpref-model", "version": 1, "universe": ["a"], "terms": {"a": 0.5}}',
        '{"format": "setpref-model", "version": 1, "universe": ["a"], "terms": {"b": 1}}',
        '{"format": "setpref-model", "version": 1, "universe": ["a"], "terms": {"{}": 1}}',
        '{"format": "setpref-model", "version": 1, "universe": ["a"], "terms": {"a": "1/0"}}',
    ],
)
def test_bad_model_files_are_refused(text):
    with pytest.raises(InputError):
        Model.from_json(text)


@pytest.mark.parametrize("value", [0.5, True, "1"])
def test_values_must_be_exact(value):
    with pytest.raises(InputError, match="exact"):
        Model(DRINKS, {1: value})
