"""Cautious rules against their definitions, listed theta by theta, and against each other."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings

from instances import any_preferences, from_masks
from setpref import InputError, compare_under, learn
from setpref.answers.robust import Cone
from setpref.errors import TooLarge, UnknownOption
from setpref.estimators.caution import CautiousRule, _Volume, share_above
from setpref.evaluation.synthetic import draw_sets, draw_user
from setpref.rows import Kind

WORDS = {"better": 1, "worse": -1, "same": 0, "unknown": 0}


def every_pair(prefs):
    pairs = list(combinations(range(1 << len(prefs.universe)), 2))
    return [a for a, _ in pairs], [b for _, b in pairs]


def by_theta(prefs, theta, a, b):
    write = prefs.universe.write
    return WORDS[compare_under(prefs, [write(t) for t in theta], write(a), write(b)).value]


@settings(max_examples=25, deadline=None)
@given(any_preferences(3))
def test_majority_counts_the_thetas_that_agree(prefs):
    learned = learn(prefs, "card")
    first, second = every_pair(prefs)
    thetas = [model.theta for model in learned.models]
    votes = [[by_theta(prefs, theta, a, b) for theta in thetas] for a, b in zip(first, second, strict=True)]
    expected = [(2 * v.count(1) > len(v)) - (2 * v.count(-1) > len(v)) for v in votes]
    assert CautiousRule(learned, "majority").verdicts(first, second).tolist() == expected


@settings(max_examples=25, deadline=None)
@given(any_preferences(3))
def test_union_is_dominance_under_the_union_of_the_thetas(prefs):
    learned = learn(prefs, "ws")
    first, second = every_pair(prefs)
    union = {term for model in learned.models for term in model.theta}
    expected = [by_theta(prefs, union, a, b) for a, b in zip(first, second, strict=True)]
    assert CautiousRule(learned, "union").verdicts(first, second).tolist() == expected


@settings(max_examples=25, deadline=None)
@given(any_preferences(4))
def test_rules_include_each_other_as_they_promise(prefs):
    learned = learn(prefs)
    first, second = every_pair(prefs)
    said = {rule: CautiousRule(learned, rule, threshold=0.8).verdicts(first, second) for rule in ("union", "majority")}
    everyone = CautiousRule(learned, "all").verdicts(first, second)
    assert (everyone == learned.verdicts_of_masks(first, second)).all()
    assert (everyone[said["union"] != 0] == said["union"][said["union"] != 0]).all()
    assert (said["majority"][everyone != 0] == everyone[everyone != 0]).all()
    loose, strict = (CautiousRule(learned, "volume", threshold=t).verdicts(first, second) for t in (0.6, 0.95))
    assert (strict[everyone != 0] == everyone[everyone != 0]).all()
    assert (loose[strict != 0] == strict[strict != 0]).all()
    assert (CautiousRule(learned, "volume", threshold=1.0).verdicts(first, second) == everyone).all()


@pytest.mark.parametrize("rule", ["all", "union", "majority", "volume"])
def test_turning_a_pair_round_turns_the_verdict(rule):
    user = draw_user(5, terms=3, rng=2)
    learned = learn(user.rated(draw_sets(5, 10, rng=2)))
    first, second = every_pair(learned.preferences)
    asked = CautiousRule(learned, rule, threshold=0.7)
    assert (asked.verdicts(first, second) == -asked.verdicts(second, first)).all()
    assert (np.sign(asked.margins(first, second))[asked.verdicts(first, second) != 0] != 0).all()


def test_a_share_worked_by_hand():
    learned = learn(from_masks(3, pairs=[(1, 2), (2, 0), (4, 3)]))
    assert [model.theta for model in learned.models] == [(1, 2, 4)]
    # Sizes (a, b, c), a > b > 0, c > a + b, sum 1: corners (1/2, 0, 1/2), (1/4, 1/4, 1/2), (0, 0, 1).
    # All three corners agree that cat is over ant+bee and ant over bee: exact, by the rays.
    shares = CautiousRule(learned, "volume").shares([4, 1, 2], [3, 2, 1])
    assert shares.better.tolist() == [1.0, 1.0, 0.0]
    assert shares.worse.tolist() == [0.0, 0.0, 1.0]
    assert shares.error.tolist() == [0.0, 0.0, 0.0]


def test_an_undecided_share_worked_by_hand():
    # Two singletons, ant > 0 and bee > 0, nothing else: on a + b = 1, ant is over bee on exactly half.
    learned = learn(from_masks(2, pairs=[(1, 0), (2, 0)]))
    shares = CautiousRule(learned, "volume").shares([1, 1], [2, 1])
    assert shares.better.tolist() == [0.5, 0.0]
    assert shares.worse.tolist() == [0.5, 0.0]
    assert shares.error.tolist() == [0.0, 0.0]
    assert CautiousRule(learned, "volume").verdicts([3], [1]).tolist() == [1]


@pytest.mark.parametrize(
    ("heights", "share"),
    [
        ([1, 1, 1], 1),
        ([-1, -1, 0], 0),
        ([0, 0], 0),
        ([1, 0], 1),
        ([-1, 1], Fraction(1, 2)),
        ([-1, 3, 0], Fraction(3, 4)),
        # The largest of three coordinates above 1/2: 3/4 of a triangle is below (worked by areas).
        ([1, -1, -1], Fraction(1, 4)),
        ([1, 1, -1], Fraction(3, 4)),
        # x1 + x2 > x3 + x4 on a tetrahedron: half, by symmetry.
        ([1, 1, -1, -1], Fraction(1, 2)),
    ],
)
def test_shares_of_a_simplex(heights, share):
    for order in permutations(map(Fraction, heights)):
        assert share_above(order) == share


def test_sampled_shares_agree_with_exact_ones():
    user = draw_user(8, rng=1)
    learned = learn(user.rated(draw_sets(8, 12, rng=3)))
    cones = [c for c in learned.dominance.cones if c.rays is not None and len(c.rays) == len(c.family.slots)]
    assert cones, "the seed was chosen to give a cone with as many rays as terms"
    rng = np.random.default_rng(0)
    for cone in cones:
        # A copy that may not use its rays has to walk.
        blind = _Volume(Cone(cone.family, cone.stated, ray_limit=0), 4000, np.random.default_rng(7))
        assert blind.cone.rays is None
        exact = _Volume(cone, 4000, rng)
        asked = [tuple(row) for row in rng.integers(-1, 2, size=(30, len(cone.family.slots))).tolist() if any(row)]
        known, sampled = exact.above(asked), blind.above(asked)
        for direction in asked:
            error = blind.variance({direction: Fraction(1)}) ** 0.5
            assert abs(float(known[direction]) - float(sampled[direction])) <= 5 * error + 1e-12
            assert error < 0.03


def test_walks_with_and_without_rays_agree():
    learned = learn(draw_user(8, rng=0).rated(draw_sets(8, 20, rng=0)))
    cone = next(c for c in learned.dominance.cones if len(c.rays or ()) > len(c.family.slots))
    with_rays = _Volume(cone, 8000, np.random.default_rng(1))
    blind = _Volume(Cone(cone.family, cone.stated, ray_limit=0), 8000, np.random.default_rng(2))
    rng = np.random.default_rng(0)
    asked = [tuple(row) for row in rng.integers(-1, 2, size=(40, len(cone.family.slots))).tolist() if any(row)]
    first, second = with_rays.above(asked), blind.above(asked)
    for direction in asked:
        error = sum(volume.variance({direction: Fraction(1)}) for volume in (with_rays, blind)) ** 0.5
        assert abs(float(first[direction]) - float(second[direction])) <= 5 * error + 1e-12


def test_points_stay_inside_the_cone():
    learned = learn(draw_user(8, rng=0).rated(draw_sets(8, 20, rng=0)))
    for cone in learned.dominance.cones:
        points = _Volume(cone, 400, np.random.default_rng(1))._points
        rows = cone.system.of(Kind.STRICT).astype(float)
        assert (points @ rows.T >= -1e-9).all()
        assert (points >= -1e-9).all()
        assert np.allclose(points.sum(axis=2), 1)


def test_the_same_seed_gives_the_same_shares_in_any_order():
    learned = learn(draw_user(8, rng=0).rated(draw_sets(8, 20, rng=0)))
    first, second = list(range(20, 60)), list(range(60, 100))
    once = CautiousRule(learned, "volume", seed=3).shares(first, second)
    again = CautiousRule(learned, "volume", seed=3).shares(first[::-1], second[::-1])
    other = CautiousRule(learned, "volume", seed=4).shares(first, second)
    assert (once.better == again.better[::-1]).all()
    assert (once.better != other.better).any()
    assert 0 < once.error.max() < 0.03


def test_under_deg_union_is_all_and_single_thetas_cannot_be_weighed():
    learned = learn(from_masks(3, pairs=[(1, 2), (2, 0), (4, 3)]), "deg")
    first, second = every_pair(learned.preferences)
    assert (CautiousRule(learned, "union").verdicts(first, second) == learned.verdicts_of_masks(first, second)).all()
    for rule in ("majority", "volume"):
        with pytest.raises(InputError, match="deg does not list"):
            CautiousRule(learned, rule)


@pytest.mark.parametrize("rule", ["all", "union", "majority", "volume"])
def test_without_statements_nothing_is_predicted(rule):
    learned = learn(from_masks(3, ratings={1: 2, 2: 2}))
    assert CautiousRule(learned, rule).verdicts([1, 3], [0, 4]).tolist() == [0, 0]


@pytest.mark.parametrize("rule", ["all", "union", "majority", "volume"])
def test_when_a_search_was_stopped_every_rule_asks_the_best_theta_known(rule):
    learned = learn(draw_user(8, rng=0).rated(draw_sets(8, 20, rng=0)), time_limit=0.0)
    assert not learned.proven
    first, second = list(range(20, 60)), list(range(60, 100))
    asked = CautiousRule(learned, rule)
    assert (asked.verdicts(first, second) == learned.verdicts_of_masks(first, second)).all()
    assert (asked.margins(first, second) == learned.verdicts_of_masks(first, second)).all()
    with pytest.raises(InputError, match="not proven"):
        asked.shares(first, second)


def test_bad_options_are_refused():
    learned = learn(from_masks(2, pairs=[(1, 0)]))
    with pytest.raises(UnknownOption, match="rule 'most' is not known"):
        CautiousRule(learned, "most")
    with pytest.raises(InputError, match=r"threshold is 0\.5"):
        CautiousRule(learned, "volume", threshold=0.5)
    with pytest.raises(InputError, match="draws is 5"):
        CautiousRule(learned, "volume", draws=5)


def test_too_many_exchangeable_terms_are_refused(monkeypatch):
    learned = learn(from_masks(3, pairs=[(7, 0)]), "card")
    monkeypatch.setattr("setpref.estimators.caution.MEMBER_LIMIT", 3)
    for rule in ("union", "majority"):
        with pytest.raises(TooLarge, match="exchanged in 7 ways"):
            CautiousRule(learned, rule).verdicts([7], [0])
