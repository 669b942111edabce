"""The paper's query as a reference: where it is stopped, or its M is too small, it must not say what is wrong."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from instances import any_preferences, modelled
from setpref import InputError, Preferences, learn
from setpref.evaluation.synthetic import draw_sets, draw_user
from setpref.learning.learned import Learned
from setpref.solving import bruteforce, mip
from setpref.solving.mip import query, simplest_one

TEA = {"tea": 3, "lemon": 2, "milk": 2, "tea+lemon": 5, "tea+milk": 4, "lemon+milk": 1, "{}": 1}


def complexity(learned: Learned) -> tuple[int, int, int]:
    assert learned.degree is not None
    assert learned.cardinality is not None
    assert learned.total_size is not None
    return learned.degree, learned.cardinality, learned.total_size


def asked(learned: Learned, first: int, second: int, **options):
    """Ask the paper's program about two masks."""
    write = learned.preferences.universe.write
    return learned.compare(write(first), write(second), engine="mip", **options)


def four_elements() -> Preferences:
    """Ratings that a simplest model with values up to 3 satisfies; at M = 5 the program still misses others."""
    return draw_user(4, alpha=0.2, p=0.7, rng=101).rated(draw_sets(4, 8, rng=101))


@pytest.mark.parametrize("big_m", [0.5, 1.0, 3.0])
def test_an_m_too_small_for_any_model_does_not_turn_the_verdict_round(big_m):
    learned = learn(Preferences.from_ratings(TEA))
    tea, milk = map(learned.preferences.universe.mask, ("tea", "milk"))
    if big_m == 0.5:
        assert query(learned.preferences, complexity(learned), milk, tea, big_m)  # nothing fits, so nothing is against
    assert asked(learned, tea, milk, big_m=big_m) == "better"
    assert asked(learned, milk, tea, big_m=big_m) == "worse"


def test_an_m_that_is_slack_in_the_model_found_proves_nothing():
    prefs = four_elements()
    learned = learn(prefs)
    misled = 0
    for first, second in ((1, 8), (3, 8), (3, 10), (5, 12), (7, 14), (8, 1), (0, 15), (15, 0)):
        judged = bruteforce.verdict(prefs, "lex", first, second)
        misled += query(prefs, complexity(learned), first, second, 5.0) is True and judged != "better"
        assert asked(learned, first, second, big_m=5.0) in (judged, "unknown")
    assert misled


def test_a_second_is_too_short_for_eight_elements():
    user, sets = draw_user(8, alpha=0.05, rng=8), draw_sets(8, 27, rng=8)
    learned = learn(user.rated(sets))
    second, first = next(two for two in combinations(sets, 2) if learned.relation.beats(*two))
    assert asked(learned, first, second, time_limit=1.0) in ("worse", "unknown")
    assert asked(learned, first, second, time_limit=0) == "unknown"
    assert query(learned.preferences, complexity(learned), first, second, time_limit=0) is None


@given(
    prefs=any_preferences(3),
    pair=st.tuples(st.integers(0, 7), st.integers(0, 7)),
    big_m=st.sampled_from((1e-10, 0.3, 1.0, 2.0, 4.0, 1000.0, 1e14)),
    time_limit=st.sampled_from((None, None, 0, 0.005)),
    engine=st.sampled_from(("auto", "mip")),
)
@settings(max_examples=300, deadline=None)
def test_never_wrong_whatever_m_and_time(prefs, pair, big_m, time_limit, engine):
    first, second = (mask % (1 << len(prefs.universe)) for mask in pair)
    learned = learn(prefs, engine=engine)
    judged = bruteforce.verdict(prefs, "lex", first, second)
    assert asked(learned, first, second, big_m=big_m, time_limit=time_limit) in (judged, "unknown")
    if learned.proven and query(prefs, complexity(learned), first, second, big_m, time_limit) is False:
        assert judged != "better"


@given(prefs=any_preferences(4), pair=st.tuples(st.integers(0, 15), st.integers(0, 15)))
@settings(max_examples=40, deadline=None)
def test_with_room_and_time_it_says_what_is_so(prefs, pair):
    first, second = (mask % (1 << len(prefs.universe)) for mask in pair)
    assert asked(learn(prefs), first, second) == bruteforce.verdict(prefs, "lex", first, second)


def test_one_theta_of_many_certifies_nothing():
    """A result that is not proven to hold every simplest theta: only what holds in all models is confirmed."""
    prefs = four_elements()
    learned = learn(prefs, engine="mip")
    said = {}
    for first, second in list(combinations(range(16), 2))[::3]:
        said[first, second] = asked(learned, first, second)
        assert said[first, second] in (bruteforce.verdict(prefs, "lex", first, second), "unknown")
    assert {"better", "worse", "unknown"} <= set(said.values())
    assert any(word == "unknown" != learned.relation.verdict(*pair) for pair, word in said.items())


def test_a_theta_that_its_tolerances_made_up_refutes_nothing(monkeypatch):
    learned = learn(Preferences.from_ratings(TEA))
    tea, milk = map(learned.preferences.universe.mask, ("tea", "milk"))
    assert query(learned.preferences, complexity(learned), milk, tea) is False
    monkeypatch.setattr(mip._Program, "theta", lambda program: ())
    assert query(learned.preferences, complexity(learned), milk, tea) is None


def test_without_a_statement_nothing_is_told_apart():
    prefs = Preferences.from_pairs([], indifferent=[("tea", "milk")])
    learned = learn(prefs, engine="mip")
    assert asked(learned, 1, 2) == bruteforce.verdict(prefs, "lex", 1, 2) == "same"
    assert simplest_one(prefs).finished


@pytest.mark.parametrize("big_m", [0, -1.0, math.nan, math.inf, 1e15])
def test_an_m_that_the_solver_cannot_hold_is_refused(big_m):
    learned = learn(Preferences.from_ratings(TEA))
    with pytest.raises(
        InputError, match=r"(M is .*; give a positive number below 1e\+15|big_m is .*; give a number above 0)"
    ):
        learned.compare("tea", "milk", engine="mip", big_m=big_m)


@pytest.mark.parametrize("time_limit", [-1, math.nan, "soon"])
def test_a_time_limit_that_is_none_is_refused(time_limit):
    learned = learn(Preferences.from_ratings(TEA))
    with pytest.raises(InputError, match="the time limit is"):
        learned.compare("tea", "milk", engine="mip", time_limit=time_limit)


def test_no_time_for_a_model_is_an_error_and_no_model():
    with pytest.raises(InputError, match="found no model within the time limit"):
        simplest_one(modelled(7, 20, 9, 2, seed=1), time_limit=0)
