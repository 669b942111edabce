"""Laws: what must not change an answer."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks, stated
from setpref import Preferences, Universe, learn


def renamed(mask: int, order: list[int]) -> int:
    return sum(1 << order[i] for i in range(len(order)) if mask >> i & 1)


@given(any_preferences(4), st.data())
@settings(max_examples=60, deadline=None)
def test_renaming_elements_renames_the_answers(prefs, data):
    assume(prefs.pairs)
    elements = len(prefs.universe)
    order = data.draw(st.permutations(range(elements)))
    over, same = ([(renamed(a, order), renamed(b, order)) for a, b in p] for p in (prefs.pairs, prefs.equal_pairs))
    twin = from_masks(elements, pairs=over, same=same)
    masks = st.integers(0, 2**elements - 1)
    a, b = data.draw(masks), data.draw(masks)
    one, other = learn(prefs, "deg"), learn(twin, "deg")
    write = prefs.universe.write
    assert one.degree == other.degree
    expected = one.compare(write(a), write(b)).value
    assert other.compare(write(renamed(a, order)), write(renamed(b, order))).value == expected


@given(stated(4), st.data())
@settings(max_examples=60, deadline=None)
def test_order_repetition_and_implied_statements_change_nothing(prefs, data):
    pairs = [(s.better, s.worse) for s in prefs.statements if not s.same]
    same = data.draw(st.permutations([(s.worse, s.better) for s in prefs.statements if s.same]))
    masks = sorted(prefs.alternatives)
    implied = [(a, b) for a in masks for b in masks if a != b and prefs.implies(a, b)]
    assume(implied)
    more = data.draw(st.permutations([*pairs, *data.draw(st.lists(st.sampled_from(implied), max_size=3))]))
    twin = from_masks(len(prefs.universe), pairs=more, same=same)
    assert set(twin.pairs) == set(prefs.pairs)
    assert set(twin.equal_groups) == set(prefs.equal_groups)
    assert learn(twin, "deg").degree == learn(prefs, "deg").degree


@given(any_preferences(4))
@settings(max_examples=60, deadline=None)
def test_an_element_nobody_mentions_changes_nothing(prefs):
    assume(prefs.pairs)
    wider = Universe((*prefs.universe.names, "zebu"))
    write = prefs.universe.write
    over, same = ([(write(a), write(b)) for a, b in pairs] for pairs in (prefs.pairs, prefs.equal_pairs))
    twin = Preferences.from_pairs(over, universe=wider, indifferent=same)
    assert learn(twin, "deg").degree == learn(prefs, "deg").degree


@given(any_preferences(3), st.data())
@settings(max_examples=60, deadline=None)
def test_predictions_are_asymmetric_and_transitive(prefs, data):
    learned = learn(prefs, "deg")
    write = prefs.universe.write
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    a, b, c = (write(data.draw(masks)) for _ in range(3))
    beats = {(x, y): learned.compare(x, y).value == "better" for x in (a, b, c) for y in (a, b, c)}
    assert not (beats[a, b] and beats[b, a])
    assert beats[a, c] or not (beats[a, b] and beats[b, c])


@pytest.mark.parametrize("engine", ["explicit", "kernel", "bruteforce"])
def test_every_engine_learns_the_same_degree(engine):
    prefs = from_masks(3, ratings={0: 1, 1: 2, 2: 2, 3: 1, 4: 3, 7: 0})
    assert learn(prefs, "deg", engine).degree == learn(prefs, "deg").degree
