"""The order, the best sets and the explanations."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks, modelled
from setpref import InputError, Preferences, learn
from setpref.answers.forcing import stated_pairs
from setpref.errors import TooLarge
from setpref.rows import Kind, ends
from setpref.solving import bruteforce
from setpref.solving.exactlp import solve_strict

TEA = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0, "lemon": 4, "lemon+tea": 6})


@given(any_preferences(3), st.sampled_from(["lex", "ws", "deg"]))
@settings(max_examples=50, deadline=None)
def test_the_order_is_what_single_comparisons_say(prefs, simplicity):
    learned = learn(prefs, simplicity)
    order = learned.order()
    names = order.alternatives
    for i, j in itertools.product(range(len(order)), repeat=2):
        assert order.matrix[i, j] == (learned.compare(names[i], names[j]).value == "better")
    beats = {(a, b) for a, b in order}
    assert all((a, c) in beats for a, b in beats for b2, c in beats if b == b2)
    direct = {(a, b) for a, b in beats if not any((a, c) in beats and (c, b) in beats for c in names)}
    assert direct == set(order.covers)
    for name, (best, worst) in order.ranks.items():
        assert best == 1 + sum(b == name for _, b in beats)
        assert worst == len(order) - sum(a == name for a, _ in beats)
    equal = {frozenset(names[i] for i in group) for group in order.equal}
    assert all(learned.compare(a, b).equal for group in equal for a in group for b in group)


def test_all_sets_over_many_elements_are_refused():
    with pytest.raises(TooLarge, match="give the alternatives"):
        learn(modelled(16, 10, 4, 1, seed=1)).order()


def test_the_order_as_a_frame():
    pytest.importorskip("pandas", reason="to_frame needs pandas")
    frame = learn(TEA).order(["tea", "milk", "{}"]).to_frame()
    assert frame["alternative"].tolist() == ["tea", "milk", "{}"]
    assert frame["best_rank"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("form", ["pairs", "sides", "matrix"])
def test_comparing_many(form):
    learned = learn(TEA)
    sets = list(itertools.product(["{}", "tea", "milk", "lemon+tea", "lemon+milk"], repeat=2))
    expected = [{"better": 1, "worse": -1, "same": 0, "unknown": 0}[learned.compare(a, b).value] for a, b in sets]
    first, second = [a for a, _ in sets], [b for _, b in sets]
    if form == "pairs":
        found = learned.compare_many(sets)
    elif form == "sides":
        found = learned.compare_many(first, second)
    else:
        rows = [np.array([[n in x.split("+") for n in TEA.universe.names] for x in side]) for side in (first, second)]
        found = learned.compare_many(*rows)
    assert found.tolist() == expected


# -- the best sets ---------------------------------------------------------------------------------------------


@given(any_preferences(3), st.sampled_from(["lex", "ws", "deg"]))
@settings(max_examples=60, deadline=None)
def test_best_sets_agree_with_brute_force(prefs, simplicity):
    thetas = bruteforce.simplest(prefs, simplicity)
    assume(len(thetas) <= 60)
    learned = learn(prefs, simplicity)
    found = learned.best()
    told = bruteforce.said(prefs)
    over, same = (
        [ends(row.combination) for row in told.rows if row.kind is kind] for kind in (Kind.STRICT, Kind.EQUAL)
    )
    everyone = range(2 ** len(prefs.universe))
    write = prefs.universe.write

    def row(theta, a, b):
        return [(t & a == t) - (t & b == t) for t in theta]

    possibly = {
        write(a)
        for a in everyone
        if any(
            not over
            or solve_strict(
                [row(t, x, y) for x, y in over],
                [row(t, a, b) for b in everyone if b != a] + [row(t, *p) for x in same for p in (x, x[::-1])],
            )[0]
            for t in thetas
        )
    }
    assert set(found.possibly) == possibly

    def certain(a, b) -> bool:
        same = all(bruteforce.equal(told, t, a, b) for t in thetas)
        return same or all(bruteforce.beats(told, t, a, b) for t in thetas)

    assert set(found.necessarily) == {write(a) for a in everyone if all(certain(a, b) for b in everyone)}


def test_best_sets_under_constraints():
    learned = learn(TEA)
    assert learned.best(size=1).necessarily == ("lemon",)
    assert "tea" not in learned.best(exclude="tea").possibly
    assert all("milk" in written.split("+") for written in learned.best(must_include="milk").possibly)
    cheap = learned.best(budget=3, costs={"tea": 2, "lemon": "1.5", "milk": 1})
    assert cheap.considered == 6
    assert learned.best(["tea", "milk"]).necessarily == ("tea",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": 9}, "no set meets"),
        ({"size": (2, 1)}, "range"),
        ({"must_include": "tea", "exclude": "tea"}, "both required and excluded"),
        ({"budget": 1}, "needs costs"),
        ({"budget": 1, "costs": {"tea": 1}}, "no price for"),
        ({"budget": 1, "costs": {"tea": 1, "milk": 1, "lemon": "x"}}, "costs"),
        ({"exclude": "coffee"}, "not an element"),
    ],
)
def test_impossible_constraints_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        learn(TEA).best(**options)


# -- explanations ----------------------------------------------------------------------------------------------


@given(any_preferences(3), st.sampled_from(["lex", "ws"]), st.data())
@settings(max_examples=60, deadline=None)
def test_the_explaining_statements_force_the_prediction_and_no_fewer_do(prefs, simplicity, data):
    learned = learn(prefs, simplicity)
    thetas = bruteforce.simplest(prefs, simplicity)
    assume(len(thetas) <= 40)
    everyone = range(2 ** len(prefs.universe))
    predicted = [(a, b) for a in everyone for b in everyone if learned.dominance.beats(a, b)]
    assume(predicted)
    a, b = data.draw(st.sampled_from(predicted))
    write, mask = prefs.universe.write, prefs.universe.mask
    explanation = learned.explain(write(a), write(b))
    told = {(t.first, t.second): t for t in stated_pairs(prefs)}
    chosen = [told[mask(x), mask(y)] for x, y in explanation.statements]

    def forces(statements) -> bool:
        over, same = (tuple((t.first, t.second) for t in statements if t.same == kind) for kind in (False, True))
        return all(bruteforce.beats(bruteforce.Said.pairs(over, same), theta, a, b) for theta in thetas)

    assert forces(chosen)
    assert explanation.smallest
    for fewer in itertools.combinations(stated_pairs(prefs), len(chosen) - 1):
        assert not forces(list(fewer))
    for line in explanation.sums:
        terms = [mask(t) for t in line.theta]
        for t in terms:
            left = sum(m * ((t & mask(x) == t) - (t & mask(y) == t)) for x, y, m in line.statements)
            assert left == line.scale * ((t & a == t) - (t & b == t))


@given(any_preferences(3), st.data())
@settings(max_examples=60, deadline=None)
def test_a_term_is_explained_by_statements_its_model_cannot_satisfy_without_it(prefs, data):
    assume(prefs.pairs)
    learned = learn(prefs)
    model = learned.models[0]
    term = data.draw(st.sampled_from(model.theta))
    explanation = learned.explain_term(prefs.universe.write(term))
    mask = prefs.universe.mask
    (line,) = explanation.sums
    for t in map(mask, line.theta):
        assert not sum(m * ((t & mask(x) == t) - (t & mask(y) == t)) for x, y, m in line.statements)
    said = [(mask(x), mask(y)) for x, y in explanation.statements]
    assert all(prefs.equates(a, b) if i in line.same else prefs.implies(a, b) for i, (a, b) in enumerate(said))


def test_explanations_in_words():
    learned = learn(TEA)
    assert "One statement alone forces it" in learned.explain("tea", "milk").text
    assert "tea (rated 3) over milk (rated 2)" in learned.explain("tea", "milk").text
    unknown = learned.explain("milk+tea", "{}") if learned.compare("milk+tea", "{}").value == "unknown" else None
    assert unknown is None or len(unknown.models) == 2
    assert "cannot hold together" in learned.explain_degree().text
    with pytest.raises(InputError, match="in no simplest model"):
        learned.explain_term("lemon+milk+tea")


def test_an_unknown_pair_shows_two_models_that_disagree():
    learned = learn(from_masks(2, pairs=[(1, 0), (2, 0)]))
    explanation = learned.explain("ant", "bee")
    assert "unknown" in explanation.text
    assert len(explanation.models) == 2
    assert all(model.at(1) > 0 for model in explanation.models)
