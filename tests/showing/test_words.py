"""Words made from facts alone: nothing was learned here, and what users call their elements is left as it is."""

from dataclasses import replace

import pytest

from setpref import Model, Preferences, learn
from setpref.answers.relation import Silence
from setpref.answers.robust import RobustOrder
from setpref.families import Family, Listed, Slot
from setpref.showing.answers import certificate_lines, compare_line
from setpref.showing.explanations import explain_pair
from setpref.showing.facts import Measures, Single
from setpref.showing.results import closing_lines, learned_lines, meaning, term_rows
from setpref.verdict import Value

PREFS = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
MILK, TEA = 1, 2


def facts(proven: bool = True, **changed) -> Single:
    family = Family(PREFS.universe, (Slot(Listed(((MILK, 1),)), 1), Slot(Listed(((TEA, 1),)), 2)))
    models = [Model(PREFS.universe, {MILK: 1, TEA: 2})]
    order = RobustOrder(PREFS, (family,))
    made = Single(PREFS, "lex", "none", 0.25, order, proven, Measures(1, 2, 2), models, 2, None, {})
    return replace(made, **changed)


def test_facts_alone_are_enough_to_show_a_result():
    assert learned_lines(facts())[-2:] == [
        "1 simplest model, with one choice of compatible values:",
        "  1*milk + 2*tea",
    ]
    assert term_rows(facts())[0] == ("milk", "all models", "positive", "0% to 50%")
    assert closing_lines(facts()) == [meaning(facts()), "0.250 s with engine none"]
    assert meaning(facts()).startswith("proven: these are all the simplest models")
    assert certificate_lines(PREFS, facts().relation.certificate(TEA, MILK)) == [
        "  theta 1: 1 x (tea over milk) = 1 x (tea over milk)"
    ]


@pytest.mark.parametrize(
    ("proven", "compared", "explained"),
    [
        (True, "every simplest model", "in every simplest model."),
        (False, "the models known so far", "in every model known so far."),
    ],
)
def test_models_are_spoken_of_as_far_as_they_are_known(proven, compared, explained):
    shown = facts(proven)
    assert compare_line(shown, "tea", "milk", Value.BETTER) == f"better: tea is over milk in {compared}"
    assert explain_pair(shown, TEA, MILK).text.startswith(f"tea is over milk {explained}")
    assert explain_pair(shown, TEA, MILK).text.endswith("(tea over milk)" if proven else meaning(shown))


def test_before_any_model_is_known_nothing_is_said():
    shown = facts(False, relation=Silence(PREFS), models=[])
    assert compare_line(shown, "tea", "milk", Value.UNKNOWN).startswith("unknown: no simplest model is known yet")
    assert explain_pair(shown, TEA, MILK).text == (
        "No model is known yet, so nothing can be said.\n"
        "not proven: every model has cardinality at least 2; no model was found yet"
    )


def test_elements_may_be_called_like_our_own_words():
    learned = learn(Preferences.from_pairs([("every simplest model", "simplest model")]))
    assert learned.found is not None
    known = replace(learned, found=replace(learned.found, proven=False))
    text = known.explain("every simplest model", "simplest model").text
    assert text.startswith("every simplest model is over simplest model in every model known so far.")
    line = compare_line(known.facts, "every simplest model", "simplest model", Value.BETTER)
    assert line == "better: every simplest model is over simplest model in the models known so far"
