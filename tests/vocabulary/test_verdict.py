"""The four verdicts: text to everybody who prints, saves or compares them."""

import copy
import csv
import io
import json
import pickle

import pytest

from setpref import Model, Preferences, Universe, compare_under, learn
from setpref.verdict import Value


def test_there_are_four():
    assert list(Value) == ["better", "worse", "same", "unknown"]


@pytest.mark.parametrize("value", Value)
def test_a_verdict_is_text(value):
    word = str.__str__(value)
    out = io.StringIO()
    csv.writer(out).writerow([value])
    assert json.dumps({value: value}) == json.dumps({word: word})
    assert (out.getvalue(), f"{value:>8}", repr(value), str(value)) == (f"{word}\r\n", f"{word:>8}", repr(word), word)
    assert {word: 1}[value] == {value: 1}[word] == 1


@pytest.mark.parametrize("value", Value)
def test_a_verdict_stays_itself_when_copied(value):
    assert copy.deepcopy(value) is pickle.loads(pickle.dumps(value)) is value


@pytest.mark.parametrize("value", Value)
def test_the_sets_the_other_way_round(value):
    assert value.opposite.opposite is value
    assert value.opposite.sign == -value.sign
    assert Value.of_sign(value.sign, value) is value


def test_everything_that_compares_gives_a_verdict():
    prefs = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
    model = Model.of(Universe(("tea",)), {"tea": 1})
    said = [learn(prefs).compare("tea", "milk").value, compare_under(prefs, ["tea", "milk"], "tea", "milk").value]
    assert [*said, model.compare("tea", "{}")] == [Value.BETTER] * 3
    assert all(isinstance(value, Value) for value in said)
