"""Verdicts: against the judge, with proofs that hold and corrupted ones that do not."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks, modelled
from setpref import CertificateRejected, Disagreement, Dominance, InputError, Model, learn
from setpref.answers.theta import theta_verdict
from setpref.proofs.verdicts import check_disagreement, check_dominance
from setpref.solving import bruteforce
from setpref.solving.degree import minimum_degree
from setpref.solving.fitting import Terms, UpTo

MIRROR = {"better": "worse", "worse": "better", "same": "same", "unknown": "unknown"}


@given(any_preferences(3), st.data())
@settings(max_examples=150, deadline=None)
def test_deg_verdicts_agree_with_every_theta_of_the_degree(prefs, data):
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    first, second = data.draw(masks), data.draw(masks)
    degree = minimum_degree(prefs).degree
    judged = bruteforce.verdict(prefs, "deg", first, second)
    assert theta_verdict(prefs, UpTo(degree, "explicit"), first, second).value == judged
    assert theta_verdict(prefs, UpTo(degree, "kernel"), first, second).value == judged


@given(any_preferences(4), st.data())
@settings(max_examples=150, deadline=None)
def test_theta_verdicts_agree_with_brute_force(prefs, data):
    told = bruteforce.said(prefs)
    thetas = [t for s in ("lex", "ws") for t in bruteforce.simplest(prefs, s)]
    theta = data.draw(st.sampled_from(thetas))
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    first, second = data.draw(masks), data.draw(masks)
    found = theta_verdict(prefs, Terms(theta), first, second)
    expected = (
        "better"
        if bruteforce.beats(told, theta, first, second)
        else "worse"
        if bruteforce.beats(told, theta, second, first)
        else "same"
        if bruteforce.equal(told, theta, first, second)
        else "unknown"
    )
    assert found.value == expected
    assert theta_verdict(prefs, Terms(theta), second, first).value == MIRROR[found.value]


@given(any_preferences(4))
@settings(max_examples=80, deadline=None)
def test_every_statement_is_predicted(prefs):
    theta = UpTo(minimum_degree(prefs).degree)
    assert {theta_verdict(prefs, theta, a, b).value for a, b in prefs.pairs} <= {"better"}


def test_a_theta_that_does_not_fit_has_no_verdicts():
    prefs = from_masks(2, pairs=[(0b01, 0b00), (0b00, 0b11), (0b10, 0b00)])
    with pytest.raises(InputError, match="does not fit"):
        theta_verdict(prefs, Terms((0b01, 0b10)), 0b01, 0b10)


def test_kernel_verdicts_over_many_elements():
    prefs = modelled(60, 80, 8, 2, seed=1)
    learned = learn(prefs, "deg")
    best, worst = prefs.tiers[0][0], prefs.tiers[-1][0]
    names = prefs.universe.elements
    assert learned.compare(names(best), names(worst)).value == "better"
    assert learned.compare(names(worst), names(best)).value == "worse"
    assert learned.compare(names(best), names(best)).equal


@pytest.fixture
def dominance():
    prefs = from_masks(3, pairs=[(0b001, 0b010), (0b010, 0b100)])
    proof = theta_verdict(prefs, Terms((1, 2, 4)), 0b101, 0b110).certificate
    assert isinstance(proof, Dominance)
    return prefs, proof


def test_a_proof_of_dominance_holds(dominance):
    prefs, proof = dominance
    check_dominance(prefs, proof, (1, 2, 4))
    assert sum(m for *_, m in proof.multipliers) > 0


@pytest.mark.parametrize("change", ["scale", "zero", "multiplier", "drop", "query", "foreign"])
def test_a_corrupted_proof_of_dominance_is_rejected(dominance, change):
    prefs, proof = dominance
    (a, b, m), *rest = proof.multipliers
    changed = {
        "scale": {"scale": proof.scale + 1},
        "zero": {"scale": 0, "multipliers": ()},
        "multiplier": {"multipliers": ((a, b, m + 1), *rest)},
        "drop": {"multipliers": tuple(rest)},
        "query": {"better": proof.worse, "worse": proof.better},
        "foreign": {"multipliers": ((b, a, m), *rest)},
    }[change]
    with pytest.raises(CertificateRejected):
        check_dominance(prefs, dataclasses.replace(proof, **changed), (1, 2, 4))


def test_a_corrupted_disagreement_is_rejected():
    prefs = from_masks(2, pairs=[(0b01, 0b00)])
    proof = theta_verdict(prefs, UpTo(1), 0b01, 0b10).certificate
    assert isinstance(proof, Disagreement)
    check_disagreement(prefs, proof)
    agreeing = dataclasses.replace(proof, for_second=proof.for_first)
    with pytest.raises(CertificateRejected, match="second model"):
        check_disagreement(prefs, agreeing)
    unfit = dataclasses.replace(proof, for_first=Model(prefs.universe, {1: -1}))
    with pytest.raises(CertificateRejected, match="against"):
        check_disagreement(prefs, unfit)
