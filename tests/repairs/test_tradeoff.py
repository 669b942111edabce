"""The trade-off against brute force, its bounds, the recommendation, and the figure."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings

from instances import contradictory, from_masks, modelled, noisy, rated
from setpref import Preferences
from setpref.data.items import Items
from setpref.engine.covers import CoverSearch
from setpref.errors import InputError, UnknownOption
from setpref.progress import best_so_far
from setpref.proofs.certificates import check_model
from setpref.repairs.conflicts import minimal_groups
from setpref.repairs.fewest import fewest_terms
from setpref.repairs.repairing import repair
from setpref.repairs.tradeoffs import tradeoff
from setpref.showing.tradeoff_curve import draw_tradeoff
from setpref.solving import bruteforce


@given(contradictory(3, 8))
@settings(max_examples=40, deadline=None)
def test_the_curve_against_the_degree_is_that_of_brute_force(prefs):
    points = tradeoff(prefs).points
    assert all(point.proven for point in points)
    for degree in range(1, len(prefs.universe) + 1):
        point = points[min(degree, len(points)) - 1]
        assert point.cost == bruteforce.optimal_repairs(prefs, degree)[0]
        assert Items(prefs).cost(point.dropped) == point.cost


def fewest_by_brute_force(prefs, most):
    """Return the fewest terms over all ways to give up so many items; None if no model is left."""
    items = Items(prefs)
    sizes = []
    for count in range(most + 1):
        for dropped in combinations(range(len(items)), count):
            kept = items.keeping([i for i in range(len(items)) if i not in dropped])
            if kept.consistent:
                sizes.append(len(bruteforce.simplest(kept, "card")[0]))
    return min(sizes, default=None)


def agrees_with_brute_force(prefs):
    found = tradeoff(prefs, "terms")
    assert found.proven
    previous = None
    for point in reversed(found.points):
        assert point.size == fewest_by_brute_force(prefs, int(point.cost))
        kept = Items(prefs).without(point.dropped)
        check_model(point.fewest.model, kept)
        if previous is not None:
            # Between two points a larger number given up saves no term.
            between = range(int(previous.cost) + 1, int(point.cost))
            assert all(fewest_by_brute_force(prefs, most) == previous.size for most in between)
        previous = point


@given(contradictory(3, 5))
@settings(max_examples=20, deadline=None)
def test_the_fewest_terms_for_statements_are_those_of_brute_force(prefs):
    agrees_with_brute_force(prefs)


@given(rated(2, 4))
@settings(max_examples=20, deadline=None)
def test_the_fewest_terms_for_ratings_are_those_of_brute_force(prefs):
    agrees_with_brute_force(prefs)


@given(contradictory(3, 5))
@settings(max_examples=20, deadline=None)
def test_the_search_alone_finds_the_fewest_terms(prefs):
    first = repair(prefs)
    most = max(len(one.dropped) for one in first.repairs)
    # Brute force knows no weights here: every choice of at most so many items counts.
    found = fewest_terms(prefs, most, 0, [first.repairs[0].dropped])
    assert found.proven
    assert len(found.model.values) == fewest_by_brute_force(prefs, most)


def test_fewer_given_up_needs_more_terms():
    points = tradeoff(noisy(5, 30, 4, seed=4, sets=12), "terms").points
    assert [p.size for p in points] == sorted({p.size for p in points})
    assert [p.cost for p in points] == sorted({p.cost for p in points}, reverse=True)


def test_an_element_alone_cannot_be_both():
    prefs = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    assert [(p.size, p.cost) for p in tradeoff(prefs).points] == [(1, 1), (2, 0)]


def test_nothing_stated_is_over_anything():
    prefs = from_masks(2, ratings={1: 1, 2: 1})
    assert [(p.size, p.cost) for p in tradeoff(prefs).points] == [(1, 0)]
    assert [(p.size, p.cost) for p in tradeoff(prefs, "terms").points] == [(0, 0)]


@pytest.mark.parametrize("by", ["degree", "terms"])
def test_without_time_there_are_bounds(by):
    prefs = modelled(5, 16, 6, 2, seed=3)
    found, best = tradeoff(prefs, by, time_limit=0), tradeoff(prefs, by)
    known = {point.size: point for point in best.points}
    for point in found.points:
        assert point.lower_bound <= point.cost
        assert point.least_size <= point.size
        if by == "degree" and point.size in known:
            assert point.lower_bound <= known[point.size].cost <= point.cost


def test_an_interruption_keeps_what_is_known(monkeypatch):
    prefs = modelled(5, 16, 6, 2, seed=3)
    first = repair(prefs, 1)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CoverSearch, "search", interrupt)
    with best_so_far():
        found = fewest_terms(prefs, len(first.repairs[0].dropped), 0, [first.repairs[0].dropped])
    assert not found.proven
    assert len(found.model.values) > found.lower_bound


# -- the recommendation ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "degree"), [(0, 2), ("0.2", 2), (Fraction(1, 4), 1), (1, 1)])
def test_the_rule(share, degree):
    prefs = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    assert tradeoff(prefs).recommend(share).point.size == degree


def test_what_no_model_satisfies_is_not_held_against_a_model():
    prefs = Preferences.from_pairs([("a", "b"), ("b", "a")], contradictions="keep")
    found = tradeoff(prefs)
    assert [(p.size, p.cost) for p in found.points] == [(1, 1)]
    assert found.recommend(0).point.size == 1
    assert "5%" in found.recommend().rule


@pytest.mark.parametrize("share", [-0.1, 1.5, "much", float("nan"), "1/0"])
def test_a_share_that_is_none(share):
    prefs = Preferences.from_ratings({"tea": 3, "{}": 0})
    with pytest.raises(InputError, match="from 0 to 1"):
        tradeoff(prefs).recommend(share)


def test_an_unknown_axis():
    with pytest.raises(UnknownOption, match="degree, terms"):
        tradeoff(Preferences.from_ratings({"tea": 3, "{}": 0}), "size")


# -- the figure ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["degree", "terms"])
def test_the_figure_is_the_same_twice(by, tmp_path):
    found = tradeoff(noisy(5, 30, 4, seed=4, sets=12), by)
    draw_tradeoff(found, tmp_path / "a.svg", title="noise of $5")
    draw_tradeoff(found, tmp_path / "b.svg", title="noise of $5")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.svg", "b.svg"]


def test_the_figure_shows_bounds():
    found = tradeoff(noisy(5, 30, 4, seed=4, sets=12))
    first = replace(found.points[0], lower_bound=found.points[0].cost - 1, proven=False)
    figure = draw_tradeoff(replace(found, points=(first, *found.points[1:])))
    (axes,) = figure.axes
    assert len(axes.collections) == 1
    assert any("hollow" in text.get_text() for text in axes.texts)


def test_the_figure_is_drawn_into_given_axes():
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    assert draw_tradeoff(tradeoff(Preferences.from_ratings({"tea": 3, "{}": 0})), ax=axes) is figure
    assert axes.get_xlabel()


def test_only_a_tradeoff_is_drawn():
    with pytest.raises(InputError, match="tradeoff"):
        draw_tradeoff([(1, 2)])


def test_no_solver_checks_a_repair():
    """The check of a repair runs in a process that cannot import any solver."""
    code = (
        "import sys, json\n"
        "for name in ('daqp', 'highspy', 'flint', 'numba', 'scipy'): sys.modules[name] = None\n"
        "from fractions import Fraction\n"
        "from setpref.proofs.repairs import Conflict, Items, check_least\n"
        "from setpref import Preferences\n"
        "prefs = Preferences.from_pairs([('a', 'b'), ('b', 'a')], contradictions='keep')\n"
        "group = Conflict((0, 1), ((1, 2, 1), (2, 1, 1)))\n"
        "print(json.dumps(check_least(Items(prefs), 2, [(0,), (1,)], [group], True)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == 3


def test_groups_of_a_lower_degree_hold_at_none_above_it():
    prefs = noisy(5, 30, 4, seed=4, sets=12)
    counts = [len(minimal_groups(prefs, degree, limit=50).groups) for degree in (5, 1)]
    assert counts[0] <= counts[1]
