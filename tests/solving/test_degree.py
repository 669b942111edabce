"""The minimum degree: both routes, the judge, and the proofs on both sides."""

import pytest
from hypothesis import given, settings

from instances import any_preferences, from_masks, modelled
from setpref import CertificateRejected, KernelModel
from setpref.errors import TooLarge
from setpref.proofs.certificates import check_impossible, check_model
from setpref.solving import bruteforce, fitting
from setpref.solving.degree import minimum_degree


@given(any_preferences())
@settings(max_examples=300, deadline=None)
def test_both_routes_agree_with_brute_force_and_prove_both_sides(prefs):
    judged = bruteforce.minimum_degree(prefs)
    explicit, kernel = minimum_degree(prefs, "explicit"), minimum_degree(prefs, "kernel")
    assert explicit.degree == kernel.degree == judged
    for found in (explicit, kernel):
        check_model(found.model, prefs)
        assert found.model.degree <= judged
        if judged > 1:
            check_impossible(prefs, found.impossible, judged - 1)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_parity_needs_the_full_degree(degree):
    # Rating = parity of the size: only a term of all elements tells the two halves apart.
    prefs = from_masks(degree, ratings={mask: mask.bit_count() % 2 for mask in range(2**degree)})
    assert minimum_degree(prefs).degree == degree


def test_a_single_statement_has_degree_one():
    assert minimum_degree(from_masks(3, pairs=[(0b111, 0b010)])).degree == 1


def test_the_empty_set_is_worth_nothing_and_can_be_best():
    found = minimum_degree(from_masks(2, pairs=[(0, 0b01), (0, 0b10)]))
    assert found.degree == 1
    assert found.model.at(0) == 0


def test_without_statements_the_degree_is_zero():
    assert minimum_degree(from_masks(2, ratings={1: 3, 2: 3})).degree == 0


@pytest.mark.parametrize(("elements", "alternatives", "degree"), [(12, 60, 2), (30, 120, 2), (70, 150, 3)])
def test_larger_instances_agree_on_both_routes(elements, alternatives, degree):
    prefs = modelled(elements, alternatives, 10, degree, seed=7)
    kernel = minimum_degree(prefs, "kernel")
    automatic = minimum_degree(prefs)
    assert isinstance(kernel.model, KernelModel)
    assert kernel.degree == automatic.degree
    check_model(kernel.model, prefs)
    check_impossible(prefs, kernel.impossible, kernel.degree - 1)


def test_a_kernel_model_is_the_same_model_with_its_terms_listed():
    prefs = modelled(8, 29, 12, 2, seed=3)
    kernel = minimum_degree(prefs, "kernel").model
    listed = kernel.expand()
    assert all(kernel.at(mask) == listed.at(mask) for mask in range(256))


@pytest.mark.parametrize("change", ["multiplier", "drop", "swap", "degree"])
def test_a_corrupted_proof_of_impossibility_is_rejected(change):
    prefs = modelled(8, 29, 12, 2, seed=3)
    found = minimum_degree(prefs)
    multipliers, degree = list(found.impossible), found.degree - 1
    better, worse, weight = multipliers[0]
    if change == "multiplier":
        multipliers[0] = (better, worse, weight + 1)
    elif change == "drop":
        del multipliers[0]
    elif change == "swap":
        multipliers[0] = (worse, better, weight)
    else:
        degree += 1
    with pytest.raises(CertificateRejected):
        check_impossible(prefs, multipliers, degree)


@pytest.mark.parametrize("route", ["explicit", "kernel"])
def test_more_than_memory_holds_is_refused(route, monkeypatch):
    monkeypatch.setattr(fitting, "ENTRIES_LIMIT", 10)
    with pytest.raises(TooLarge, match="too many to compute with"):
        minimum_degree(modelled(8, 29, 12, 2, seed=3), route)
