"""Repairs and groups against brute force over all subsets, their laws, their proofs, and what stops them early."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import contradictory, from_masks, noisy, rated
from setpref import Preferences, Statement
from setpref.data.items import Items
from setpref.engine import hitting
from setpref.engine.covers import CoverSearch, clause_of
from setpref.errors import CertificateRejected, Contradiction, InputError, TooLarge
from setpref.progress import best_so_far
from setpref.proofs.repairs import Conflict, check_conflict, check_least, check_possible
from setpref.repairs import cheapest
from setpref.repairs.conflicts import minimal_groups
from setpref.repairs.cycles import cycles_by_length
from setpref.repairs.possible import Possible
from setpref.repairs.repairing import reasons, repair
from setpref.rows import Kind, pair
from setpref.solving import bruteforce

DEGREES = st.integers(1, 4)


def named(found, numbers):
    return frozenset((found.items[i].sets, found.items[i].same) for i in numbers)


def agrees_with_brute_force(prefs, degree):
    found = repair(prefs, degree)
    cost, repairs = bruteforce.optimal_repairs(prefs, degree)
    assert (found.cost, found.lower_bound, found.proven, found.complete) == (cost, cost, True, True)
    assert {named(found, r.dropped) for r in found.repairs} == set(repairs)
    assert len(found.repairs) == len(repairs)
    found.check()


def same_groups_as_brute_force(prefs, degree):
    found = minimal_groups(prefs, degree, time_limit=None)
    assert found.complete
    assert {named(found, g.items) for g in found.groups} == set(bruteforce.minimal_groups(prefs, degree))
    assert [len(g.items) for g in found.groups] == sorted(len(g.items) for g in found.groups)
    for group in found.groups:
        check_conflict(found.items, group, degree)


# -- brute force -----------------------------------------------------------------------------------------------------


@given(contradictory(3, 9), DEGREES)
@settings(max_examples=120, deadline=None)
def test_the_optimal_repairs_of_statements_are_those_of_brute_force(prefs, degree):
    agrees_with_brute_force(prefs, min(degree, len(prefs.universe)))


@given(contradictory(4, 7), DEGREES)
@settings(max_examples=40, deadline=None)
def test_the_optimal_repairs_over_four_elements_are_those_of_brute_force(prefs, degree):
    agrees_with_brute_force(prefs, min(degree, len(prefs.universe)))


@given(rated(3), DEGREES)
@settings(max_examples=50, deadline=None)
def test_the_optimal_repairs_of_ratings_are_those_of_brute_force(prefs, degree):
    agrees_with_brute_force(prefs, min(degree, len(prefs.universe)))


@given(contradictory(3, 10), DEGREES)
@settings(max_examples=120, deadline=None)
def test_the_minimal_groups_of_statements_are_those_of_brute_force(prefs, degree):
    same_groups_as_brute_force(prefs, min(degree, len(prefs.universe)))


@given(rated(3), DEGREES)
@settings(max_examples=50, deadline=None)
def test_the_minimal_groups_of_ratings_are_those_of_brute_force(prefs, degree):
    same_groups_as_brute_force(prefs, min(degree, len(prefs.universe)))


@pytest.mark.parametrize("compiled", [False, True])
def test_the_compiled_kernel_finds_the_same(compiled):
    prefs = noisy(5, 30, 6, seed=3, sets=9)
    found = repair(prefs, 2, compiled=compiled)
    assert [one.dropped for one in found.repairs] == [one.dropped for one in repair(prefs, 2).repairs]
    assert found.complete


def test_terms_too_many_to_list_go_through_the_kernel(monkeypatch):
    prefs = noisy(5, 24, 4, seed=1, sets=10)
    expected = repair(prefs, 2)
    monkeypatch.setattr("setpref.solving.fitting.EXPLICIT_TERMS", 0)
    found = repair(prefs, 2)
    assert [one.dropped for one in found.repairs] == [one.dropped for one in expected.repairs]
    found.check()


# -- laws ------------------------------------------------------------------------------------------------------------


@given(contradictory(3, 9), DEGREES, st.sampled_from((Fraction(1, 7), Fraction(3), Fraction(10**30, 3))))
@settings(max_examples=50, deadline=None)
def test_scaled_weights_scale_the_cost_and_nothing_else(prefs, degree, factor):
    degree = min(degree, len(prefs.universe))
    scaled = replace(prefs, statements=tuple(replace(s, weight=s.weight * factor) for s in prefs.statements))
    one, other = repair(prefs, degree), repair(scaled, degree)
    assert other.cost == factor * one.cost
    assert [r.dropped for r in other.repairs] == [r.dropped for r in one.repairs]


@given(contradictory(3, 9), DEGREES)
@settings(max_examples=60, deadline=None)
def test_what_a_repair_keeps_is_possible_and_what_it_drops_could_not_stay(prefs, degree):
    degree = min(degree, len(prefs.universe))
    found = repair(prefs, degree)
    reason = reasons(found)
    for one in found.repairs:
        assert one.preferences.consistent
        assert one.model is not None
        for item in one.dropped:
            group = reason(one, item)
            assert set(group.items) & set(one.dropped) == {item}
            check_conflict(found.items, group, degree)


@given(contradictory(3, 9), DEGREES)
@settings(max_examples=60, deadline=None)
def test_no_group_survives_a_repair(prefs, degree):
    degree = min(degree, len(prefs.universe))
    groups = minimal_groups(prefs, degree).groups
    for one in repair(prefs, degree).repairs:
        assert all(set(group.items) & set(one.dropped) for group in groups)
        assert minimal_groups(one.preferences, degree).groups == ()


@given(contradictory(3, 8, weights=False), DEGREES)
@settings(max_examples=40, deadline=None)
def test_repeated_statements_add_up(prefs, degree):
    degree = min(degree, len(prefs.universe))
    once = tuple(item.statements[0] for item in Items(prefs))
    plain = replace(prefs, statements=tuple(replace(s, weight=Fraction(3)) for s in once))
    thrice = replace(prefs, statements=once * 3)
    assert repair(thrice, degree).cost == repair(plain, degree).cost


@given(contradictory(3, 9))
@settings(max_examples=60, deadline=None)
def test_a_higher_degree_costs_no_more(prefs):
    costs = [repair(prefs, degree).cost for degree in range(1, len(prefs.universe) + 1)]
    assert costs == sorted(costs, reverse=True)


@given(contradictory(3, 8), DEGREES, st.data())
@settings(max_examples=60, deadline=None)
def test_what_every_repair_implies_can_be_added_for_nothing(prefs, degree, data):
    found = repair(prefs, min(degree, len(prefs.universe)))
    kept = [one.preferences for one in found.repairs]
    masks = prefs.alternatives
    implied = [(a, b) for a in masks for b in masks if a != b and all(k.implies(a, b) for k in kept)]
    assume(implied)
    a, b = data.draw(st.sampled_from(implied))
    more = replace(prefs, statements=(*prefs.statements, Statement.of_pair(a, b)))
    assert repair(more, found.degree).cost == found.cost


@given(contradictory(3, 8), DEGREES)
@settings(max_examples=40, deadline=None)
def test_an_indifference_turned_round_is_the_same(prefs, degree):
    degree = min(degree, len(prefs.universe))
    turned = replace(
        prefs,
        statements=tuple(
            replace(s, says=pair(s.worse, s.better, Kind.EQUAL)) if s.same else s for s in prefs.statements
        ),
    )
    assert [r.dropped for r in repair(turned, degree).repairs] == [r.dropped for r in repair(prefs, degree).repairs]


def test_an_indifference_that_follows_adds_no_contradiction():
    prefs = clash([(1, 2), (2, 4), (4, 1)], [(1, 3), (3, 5)])
    more = clash([(1, 2), (2, 4), (4, 1)], [(1, 3), (3, 5), (5, 1)])
    assert repair(more).cost == repair(prefs).cost == 1


# -- proofs ----------------------------------------------------------------------------------------------------------


def clash(pairs, same=()):
    plain = from_masks(3, pairs=[(0, 7)])
    over = [Statement.of_pair(a, b, position=i) for i, (a, b) in enumerate(pairs)]
    equal = [Statement.of_pair(a, b, same=True) for a, b in same]
    return replace(plain, statements=(*over, *equal), contradictory="keep")


CYCLE = Conflict((0, 1, 2), ((1, 2, 1), (2, 4, 1), (4, 1, 1)))
CORRUPTED = {
    "a multiplier changed": replace(CYCLE, multipliers=((1, 2, 2), (2, 4, 1), (4, 1, 1))),
    "a multiplier of zero": replace(CYCLE, multipliers=((1, 2, 0), (2, 4, 1), (4, 1, 1))),
    "a negative multiplier": replace(CYCLE, multipliers=((1, 2, -1), (2, 4, 1), (4, 1, 1))),
    "a pair nobody stated": replace(CYCLE, multipliers=((1, 2, 1), (2, 1, 1))),
    "a pair outside the group": replace(CYCLE, items=(0, 1)),
    "an item twice": replace(CYCLE, items=(0, 1, 2, 2)),
    "an item that does not exist": replace(CYCLE, items=(0, 1, 2, 9)),
    "no items": Conflict((), ()),
    "no multipliers": replace(CYCLE, multipliers=()),
}


def test_a_cycle_is_a_group():
    assert check_conflict(Items(clash([(1, 2), (2, 4), (4, 1)])), CYCLE, 3) is None


@pytest.mark.parametrize("name", CORRUPTED)
def test_a_corrupted_group_is_rejected(name):
    with pytest.raises(CertificateRejected):
        check_conflict(Items(clash([(1, 2), (2, 4), (4, 1)])), CORRUPTED[name], 3)


def test_a_cycle_of_indifferences_is_no_group():
    items = Items(clash([(0, 7)], [(1, 2), (2, 4), (4, 1)]))
    with pytest.raises(CertificateRejected, match="strict"):
        check_conflict(items, Conflict((1, 2, 3), ((1, 2, 1), (2, 4, 1), (4, 1, 1))), 3)


@given(contradictory(3, 9), DEGREES)
@settings(max_examples=60, deadline=None)
def test_a_check_stays_within_its_budget(prefs, degree):
    found = repair(prefs, min(degree, len(prefs.universe)))
    for claim in (found.claim, found.bound_claim):
        nodes = claim.check(found.items)
        assert claim.check(found.items, budget=nodes) == nodes
        if nodes:
            with pytest.raises(TooLarge, match="more than 0 steps"):
                claim.check(found.items, budget=0)


def test_a_proof_for_a_degree_does_not_hold_above_it():
    prefs = clash([(1, 0), (2, 3)])
    (group,) = minimal_groups(prefs, 1).groups
    assert minimal_groups(prefs, 2).groups == ()
    with pytest.raises(CertificateRejected, match="cancel"):
        check_conflict(Items(prefs), group, 2)


def test_too_few_groups_do_not_prove_a_repair_cheapest():
    found = repair(clash([(1, 2), (2, 1), (4, 5), (5, 4)]))
    dropped = [one.dropped for one in found.repairs]
    with pytest.raises(CertificateRejected, match="cheaper"):
        check_least(found.items, 3, dropped, found.groups[:1], True)


def test_a_repair_left_out_is_noticed():
    found = repair(clash([(1, 2), (2, 1)]))
    with pytest.raises(CertificateRejected, match="not listed"):
        check_least(found.items, 3, [found.repairs[0].dropped], found.groups, True)


def test_a_repair_that_is_too_dear_is_noticed():
    found = repair(clash([(1, 2), (2, 1)]))
    with pytest.raises(CertificateRejected, match="cheaper"):
        check_least(found.items, 3, [(0, 1)], found.groups, False)


def test_a_repair_that_keeps_a_contradiction_is_rejected():
    found = repair(clash([(1, 2), (2, 1), (4, 1)]))
    with pytest.raises(CertificateRejected, match="contradicts itself"):
        check_possible(found.items, (2,), 3, None)


def test_a_model_above_the_degree_is_rejected():
    prefs = clash([(1, 0), (2, 3)])
    with pytest.raises(CertificateRejected, match="degree 1"):
        check_possible(Items(prefs), (), 1, repair(prefs, 2).repairs[0].model)


# -- early ends ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [1, 2, 8])
def test_without_time_there_are_bounds_and_a_repair(degree):
    prefs = noisy(8, 60, 12, seed=1)
    found, best = repair(prefs, degree, time_limit=0), repair(prefs, degree)
    assert (found.proven, found.complete, len(found.repairs)) == (False, False, 1)
    assert found.lower_bound <= best.cost <= found.cost
    assert found.repairs[0].preferences.consistent
    found.check()


def test_an_interruption_keeps_what_is_known(monkeypatch):
    prefs = noisy(8, 60, 12, seed=1)
    best = repair(prefs)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CoverSearch, "search", interrupt)
    with pytest.raises(KeyboardInterrupt):
        repair(prefs)
    with best_so_far():
        found = repair(prefs)
    assert not found.proven
    assert 0 < found.lower_bound <= best.cost <= found.cost
    assert found.check()


def test_very_many_statements_get_bounds(monkeypatch):
    prefs = noisy(8, 60, 12, seed=1)
    best = repair(prefs)
    monkeypatch.setattr(cheapest, "LARGE", 10)
    found = repair(prefs)
    assert not found.proven
    assert 0 < found.lower_bound <= best.cost <= found.cost
    assert found.repairs[0].preferences.consistent


def test_more_repairs_than_the_limit():
    pairs = [(1, 2), (2, 1), (4, 5), (5, 4), (6, 7), (7, 6)]
    found = repair(clash(pairs), limit=5)
    assert (found.cost, found.proven, found.complete, len(found.repairs)) == (3, True, False, 5)
    assert repair(clash(pairs), limit=8).complete
    found.check()


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_limit_within_one_part_does_not_hide_a_cheaper_repair(limit):
    prefs = noisy(4, 24, 6, seed=5, sets=9)
    best = repair(prefs, 1)
    found = repair(prefs, 1, limit=limit)
    assert (found.cost, found.proven) == (best.cost, True)
    assert found.complete == (len(best.repairs) <= limit)
    assert len(found.repairs) == min(limit, len(best.repairs))


def test_weights_beyond_64_bits():
    prefs = clash([(1, 2), (2, 1), (2, 4), (4, 1)])
    weights = (Fraction(10**40), Fraction(10**40, 3), Fraction(1, 10**20), Fraction(1, 7 * 10**20))
    heavy = replace(
        prefs, statements=tuple(replace(s, weight=w) for s, w in zip(prefs.statements, weights, strict=True))
    )
    found = repair(heavy)
    assert found.cost == weights[1] + weights[3]
    assert [one.dropped for one in found.repairs] == [(1, 3)]


def test_few_groups_of_many():
    prefs = noisy(6, 40, 6, seed=2, sets=14)
    every, few = minimal_groups(prefs, time_limit=None), minimal_groups(prefs, limit=10)
    assert (every.complete, few.complete, len(few.groups)) == (True, False, 10)
    small = [g for g in every.groups if len(g.items) <= few.smallest]
    assert list(few.groups[: len(small)]) == small


def test_groups_without_time():
    found = minimal_groups(noisy(8, 40, 8, seed=2), 1, time_limit=0)
    assert not found.complete
    for group in found.groups:
        check_conflict(found.items, group, 1)


def test_counts_of_groups():
    found = minimal_groups(clash([(1, 2), (2, 1), (2, 4), (4, 1)]))
    assert found.counts == [(0, 2), (1, 1), (2, 1), (3, 1)]


# -- what is given ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [0, 4, -1, 1.5, True, "2"])
def test_a_degree_that_is_none(degree):
    with pytest.raises(InputError, match="from 1 to 3"):
        repair(clash([(1, 2)]), degree)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "9"])
def test_a_limit_that_is_none(limit):
    with pytest.raises(InputError, match="from 1 up"):
        repair(clash([(1, 2)]), limit=limit)


@pytest.mark.parametrize("seconds", [-1, float("nan"), "soon"])
def test_a_time_limit_that_is_none(seconds):
    with pytest.raises(InputError, match="from 0 up"):
        minimal_groups(clash([(1, 2)]), time_limit=seconds)


def test_nothing_to_repair():
    found = repair(clash([(1, 2), (2, 4)]))
    assert (found.cost, found.complete, [one.dropped for one in found.repairs]) == (0, True, [()])
    assert found.repairs[0].preferences.statements == clash([(1, 2), (2, 4)]).statements


def test_no_statement_is_lost_that_is_not_named():
    prefs = clash([(1, 2), (2, 1), (1, 2), (2, 4)])
    found = repair(prefs)
    (one,) = found.repairs
    dropped = {s for i in one.dropped for s in found.items[i].statements}
    assert set(one.preferences.statements) | dropped == set(prefs.statements)
    assert [found.items.sentence(i) for i in one.dropped] == ["statement 1: bee over ant"]


def test_repeated_statements_are_one_item_with_all_its_places():
    items = Items(clash([(1, 2), (2, 1), (1, 2), (1, 2), (1, 2), (1, 2)]))
    assert len(items) == 2
    assert items.sentence(0) == "statement 0, statement 2, statement 3 and 2 more: ant over bee"


def test_ratings_chained_by_a_tolerance_are_refused():
    rates = {1: Fraction(1), 2: Fraction(3, 2), 4: Fraction(2)}
    prefs = from_masks(3, ratings={1: 1, 2: 2}, ties="indifferent")
    chained = replace(prefs, ratings=rates, tolerance=Fraction(3, 5), contradictory="keep")
    with pytest.raises(Contradiction, match="tolerance"):
        repair(chained, 1)


# -- parts -----------------------------------------------------------------------------------------------------------


def test_parts_are_searched_on_their_own():
    possible = Possible(Items(clash([(1, 2), (2, 1), (4, 5), (5, 4), (1, 4)])), 3)
    assert sorted(map(tuple, possible.parts)) == [(0, 1), (2, 3)]


def test_cycles_that_take_long_say_so():
    steps = [(a, b, False) for a in range(40) for b in range(40) if a != b]
    found = list(cycles_by_length(steps, stop=0.0))
    assert found[-1] is None


def test_a_cover_search_finds_every_cover_within_the_budget():
    search = CoverSearch([1, 1, 2, 2, 2000, 2000], compiled=False)
    search.add([clause_of([0, 2], 6), clause_of([2, 4], 6)])
    covers = []
    search.search(2001, 3, lambda literals, _: covers.append(sorted(literals)))
    assert [0, 4] in covers
    assert [2] in covers


def test_costs_beyond_the_list_of_prices():
    masks = hitting.cheap_masks(np.array([1, 10**9]), 1)
    assert masks.tolist() == [[3]]


def test_statements_kept_contradictory_cannot_be_learned_from():
    with pytest.raises(Contradiction):
        _ = Preferences.from_pairs([("a", "b"), ("b", "a")], contradictions="keep").pairs
