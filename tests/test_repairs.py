"""Repairs against brute force over all subsets, their laws and their proofs."""

from hypothesis import given, settings
from hypothesis import strategies as st

from instances import contradictory, rated
from setpref import bruteforce
from setpref.conflicts import minimal_groups
from setpref.groups import check_group
from setpref.repairs import repair


def named(found, numbers):
    return frozenset((found.items[i].sets, found.items[i].same) for i in numbers)


def agree_with_brute_force(prefs, degree):
    found = repair(prefs, degree)
    cost, repairs = bruteforce.optimal_repairs(prefs, degree)
    assert (found.cost, found.proven, found.complete) == (cost, True, True)
    assert {named(found, r.dropped) for r in found.repairs} == set(repairs)
    found.check()


@given(contradictory(3, 8), st.integers(1, 3))
@settings(max_examples=120, deadline=None)
def test_the_optimal_repairs_of_statements_are_those_of_brute_force(prefs, degree):
    agree_with_brute_force(prefs, min(degree, len(prefs.universe)))


@given(rated(3), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_the_optimal_repairs_of_ratings_are_those_of_brute_force(prefs, degree):
    agree_with_brute_force(prefs, min(degree, len(prefs.universe)))


def same_groups_as_brute_force(prefs, degree):
    found = minimal_groups(prefs, degree, time_limit=None)
    assert found.complete
    assert [named(found, g.items) for g in found.groups] == sorted(
        (named(found, g.items) for g in found.groups), key=len
    )
    assert {named(found, g.items) for g in found.groups} == set(bruteforce.minimal_groups(prefs, degree))
    for group in found.groups:
        check_group(found.items, group, degree)


@given(contradictory(3, 8), st.integers(1, 3))
@settings(max_examples=120, deadline=None)
def test_the_minimal_groups_of_statements_are_those_of_brute_force(prefs, degree):
    same_groups_as_brute_force(prefs, min(degree, len(prefs.universe)))


@given(rated(3), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_the_minimal_groups_of_ratings_are_those_of_brute_force(prefs, degree):
    same_groups_as_brute_force(prefs, min(degree, len(prefs.universe)))
