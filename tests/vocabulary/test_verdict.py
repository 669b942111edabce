"""The four verdicts: text to everybody who prints, saves or compares them."""

import copy
import csv
import io
import json
import pickle
from dataclasses import replace

import pytest

from setpref import InputError, Model, Preferences, Universe, compare_under, learn
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


def verdicts():
    """The same word with a proof and without, proven or not; and another."""
    learned = learn(Preferences.from_pairs([("tea", "milk"), ("milk", "{}")]))
    bare, proven = (learned.compare("tea", "milk", certificate=proof) for proof in (False, True))
    return bare, proven, replace(bare, proven=False), learned.compare("milk", "tea")


def test_a_verdict_equals_its_word_and_hashes_like_it():
    *alike, other = verdicts()
    for one in alike:
        assert one == "better"
        assert one == "better"
        assert one == Value.BETTER
        assert one != "worse"
        assert hash(one) == hash("better")
        assert {one: 1}["better"] == {"better": 1}[one] == 1
    assert alike[0] == alike[1] == alike[2] != other
    assert len({*alike, "better", other, "worse"}) == 2
    assert alike[0] not in (1, True, None, ("better",))


def test_a_verdict_is_neither_true_nor_false():
    for one in verdicts():
        with pytest.raises(InputError, match=rf'\(this one is "{one}"\); compare it with a word: verdict == "better"'):
            bool(one)


def test_a_verdict_keeps_its_proof_when_pickled():
    for one in verdicts():
        again = pickle.loads(pickle.dumps(one))
        assert (again, again.certificate, again.proven) == (one, one.certificate, one.proven)
