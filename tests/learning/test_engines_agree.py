"""Every engine of the table, with every measure it claims to know, is judged by brute force."""

import pytest
from hypothesis import given, settings

from instances import any_preferences
from setpref import learn
from setpref.learning.engines import ENGINES
from setpref.simplicity import SIMPLICITIES
from setpref.solving import bruteforce

CLAIMS = [
    (engine, measure) for engine, row in ENGINES.items() for measure in SIMPLICITIES.values() if row.knows(measure)
]


def cost(measure, theta) -> tuple[int, int]:
    prices = [measure.price(term.bit_count()) for term in theta]
    return sum(first for first, _ in prices), sum(second for _, second in prices)


@pytest.mark.parametrize(("engine", "measure"), CLAIMS, ids=lambda value: getattr(value, "name", value))
@given(prefs=any_preferences(3))
@settings(max_examples=30, deadline=None)
def test_the_judge_agrees(engine, measure, prefs):
    learned = learn(prefs, measure.name, engine)
    if measure.least_degree:
        assert learned.degree == bruteforce.minimum_degree(prefs)
    if measure.all_terms:
        assert learned.proven
        return
    simplest = bruteforce.simplest(prefs, measure.name)
    least = cost(measure, simplest[0])
    assert learned.lower_bound <= least[0]
    if learned.proven:
        assert sorted(model.theta for model in learned.models) == simplest
    else:
        assert all(cost(measure, model.theta) >= least for model in learned.models)


def test_every_engine_claims_something_and_every_measure_is_claimed():
    assert {engine for engine, _ in CLAIMS} == ENGINES.keys()
    assert {measure.name for _, measure in CLAIMS} == SIMPLICITIES.keys()
