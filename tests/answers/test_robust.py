"""Robust dominance: rays, oracle and brute force agree, many questions at once, proofs that hold or are rejected."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks
from setpref import CertificateRejected, Disagreement, learn
from setpref.answers.robust import RobustOrder
from setpref.families import Family, Generated, Listed, Slot
from setpref.proofs.plain_certificates import certificate_to
from setpref.proofs.verdicts import RobustDominance, check_robust
from setpref.proofs.verification import verify_certificate
from setpref.solving import bruteforce
from setpref.solving.rays import TooManyRays, extreme_rays

MEASURES = st.sampled_from(["lex", "card", "ws"])


@given(any_preferences(4), MEASURES, st.data())
@settings(max_examples=100, deadline=None)
def test_rays_oracle_and_brute_force_agree(prefs, simplicity, data):
    thetas = bruteforce.simplest(prefs, simplicity)
    assume(len(thetas) <= 200)
    learned = learn(prefs, simplicity)
    told = bruteforce.said(prefs)
    by_rays = learned.dominance
    by_oracle = RobustOrder(prefs, learned.found.families, ray_limit=0)
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    for _ in range(6):
        a, b = data.draw(masks), data.draw(masks)
        judged = all(bruteforce.beats(told, theta, a, b) for theta in thetas)
        assert by_rays.beats(a, b) == by_oracle.beats(a, b) == judged
        same = all(bruteforce.equal(told, theta, a, b) for theta in thetas)
        assert by_rays.same(a, b) == by_oracle.same(a, b) == same


@given(any_preferences(4), MEASURES, st.sampled_from([5000, 0]))
@settings(max_examples=60, deadline=None)
def test_many_questions_at_once_are_answered_like_one_by_one(prefs, simplicity, ray_limit):
    found = learn(prefs, simplicity).found
    assume(found.count <= 300)
    order = RobustOrder(prefs, found.families, ray_limit)
    everyone = np.arange(2 ** len(prefs.universe))
    matrix = order.beats_pairs(everyone.tolist(), everyone[:, None], everyone[None, :])
    expected = [[order.beats(a, b) for b in everyone.tolist()] for a in everyone.tolist()]
    assert matrix.tolist() == expected


@given(any_preferences(4), MEASURES, st.data())
@settings(max_examples=80, deadline=None)
def test_every_certificate_is_accepted(prefs, simplicity, data):
    learned = learn(prefs, simplicity)
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    write = prefs.universe.write
    for _ in range(4):
        a, b = data.draw(masks), data.draw(masks)
        verdict = learned.compare(write(a), write(b), certificate=True)
        check_robust(prefs, learned.found.families, verdict.certificate)
        assert isinstance(verdict.certificate, Disagreement) == (verdict.value == "unknown")


@pytest.fixture
def proof():
    prefs = from_masks(3, ratings={0: 1, 1: 3, 2: 2, 4: 0, 7: 5})
    learned = learn(prefs)
    certificate = learned.compare("ant+bee", "cat", certificate=True).certificate
    assert isinstance(certificate, RobustDominance)
    return prefs, learned.found.families, certificate


@pytest.mark.parametrize("change", ["scale", "zero", "multiplier", "drop", "family", "query"])
def test_a_corrupted_proof_is_rejected(proof, change):
    prefs, families, certificate = proof
    first, *rest = certificate.proofs
    (a, b, m), *others = first.multipliers
    changed = {
        "scale": (dataclasses.replace(first, scale=first.scale + 1), *rest),
        "zero": (dataclasses.replace(first, scale=0), *rest),
        "multiplier": (dataclasses.replace(first, multipliers=((a, b, m + 1), *others)), *rest),
        "drop": (dataclasses.replace(first, multipliers=tuple(others)), *rest),
        "family": tuple(rest),
        "query": certificate.proofs,
    }[change]
    twin = dataclasses.replace(certificate, proofs=changed)
    if change == "query":
        twin = dataclasses.replace(twin, better=certificate.worse, worse=certificate.better)
    with pytest.raises(CertificateRejected):
        check_robust(prefs, families, twin)


def test_a_disagreement_of_models_that_are_not_simplest_is_rejected():
    prefs = from_masks(2, pairs=[(1, 0)])
    learned = learn(prefs, "deg")
    proof = learned.compare("ant", "bee", certificate=True).certificate
    families = learn(prefs).found.families
    with pytest.raises(CertificateRejected, match="not one of the simplest"):
        check_robust(prefs, families, proof)


@given(st.integers(1, 5), st.lists(st.lists(st.integers(-2, 2), min_size=5, max_size=5), max_size=6))
@settings(max_examples=200, deadline=None)
def test_extreme_rays_describe_the_cone(dimension, rows):
    rows = [row[:dimension] for row in rows]
    rays = extreme_rays(rows, dimension)
    for ray in rays:
        assert min(ray) >= 0
        assert all(sum(x * y for x, y in zip(row, ray, strict=True)) >= 0 for row in rows)
        meets = [row for row in [*rows, *np.eye(dimension, dtype=int).tolist()] if np.dot(row, ray) == 0]
        assert np.linalg.matrix_rank(np.array(meets).reshape(-1, dimension)) == dimension - 1
    # Complete: a functional is non-negative on the rays iff it is on the cone, judged by exact programming.
    for direction in np.random.default_rng(0).integers(-2, 3, (5, dimension)).tolist():
        on_rays = all(np.dot(direction, ray) >= 0 for ray in rays)
        assert on_rays == _non_negative_on_cone(direction, rows, dimension)


def _non_negative_on_cone(direction, rows, dimension) -> bool:
    from setpref.solving.exactlp import solve_strict

    weak = [*rows, *np.eye(dimension, dtype=int).tolist()]
    return not solve_strict([[-x for x in direction]], weak)[0]


def test_beyond_the_limit_rays_are_refused():
    with pytest.raises(TooManyRays):
        extreme_rays([[1, -1, 0], [0, 1, -1]], 3, limit=2)


@given(st.integers(1, 5), st.data())
@settings(max_examples=150, deadline=None)
def test_members_known_by_closed_sets_behave_like_listed_ones(elements, data):
    masks = st.integers(0, 2**elements - 1)
    alternatives = tuple(data.draw(st.lists(masks.filter(bool), min_size=1, max_size=5, unique=True)))
    closed = alternatives[0]
    for other in data.draw(st.lists(st.sampled_from(alternatives), max_size=3)):
        closed &= other or closed
    assume(closed)
    sign = data.draw(st.sampled_from([1, -1]))
    generated = Generated(((closed, sign),), alternatives)
    extent = [a & closed == closed for a in alternatives]
    listed = Listed(
        tuple(
            (t, sign) for t in range(1, 2**elements) if [a & t == t for a in alternatives] == extent and t & closed == t
        )
    )
    assert sorted(generated) == sorted(listed)
    assert generated.count == listed.count
    a, b = data.draw(masks), data.draw(masks)
    assert generated.lowest(a, b) == listed.lowest(a, b)
    assert (generated.pattern(a) == generated.pattern(b)) == (listed.pattern(a) == listed.pattern(b))


def test_families_with_members_known_by_closed_sets_answer_the_same():
    prefs = from_masks(3, pairs=[(0b111, 0b001), (0b011, 0b100)])
    for generated in learn(prefs, "card").found.families:
        slots = tuple(Slot(Listed(tuple(slot.members)), slot.value) for slot in generated.slots)
        listed = Family(prefs.universe, slots)
        assert [str(m) for m in generated.models()] == [str(m) for m in listed.models()]


# -- certificates as files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws", "deg"])
@given(prefs=any_preferences(3), data=st.data())
@settings(max_examples=25, deadline=None)
def test_saved_certificates_are_checked_without_solvers(simplicity, prefs, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    learned = learn(prefs, simplicity)
    learned.save(folder / "learned.json")
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    a, b = (prefs.universe.write(data.draw(masks)) for _ in range(2))
    verdict = learned.compare(a, b, certificate=True)
    plain = {"a": a, "b": b, "verdict": verdict.value}
    plain["certificate"] = certificate_to(verdict.certificate, prefs.universe)
    (folder / "answer.json").write_text(json.dumps(plain))
    assert verify_certificate(folder / "learned.json", folder / "answer.json")
    other = {"better": "worse", "worse": "unknown", "unknown": "same", "same": "better"}[verdict.value]
    (folder / "answer.json").write_text(json.dumps({**plain, "verdict": other}))
    with pytest.raises(CertificateRejected):
        verify_certificate(folder / "learned.json", folder / "answer.json")


@pytest.mark.parametrize("change", ["multiplier", "scale", "swap", "other"])
def test_corrupted_certificate_files_are_rejected(change, tmp_path):
    prefs = from_masks(3, ratings={0: 1, 1: 3, 2: 2, 4: 0, 7: 5})
    learned = learn(prefs)
    learned.save(tmp_path / "learned.json")
    certificate = certificate_to(learned.compare("ant+bee", "cat", certificate=True).certificate, prefs.universe)
    part = certificate["proofs"][0]
    if change == "multiplier":
        part["multipliers"][0][2] += 1
    elif change == "scale":
        part["scale"] += 1
    elif change == "swap":
        part["multipliers"][0][:2] = part["multipliers"][0][1::-1]
    else:
        certificate["better"] = "bee"
    plain = {"a": "ant+bee", "b": "cat", "verdict": "better", "certificate": certificate}
    (tmp_path / "answer.json").write_text(json.dumps(plain))
    with pytest.raises(CertificateRejected):
        verify_certificate(tmp_path / "learned.json", tmp_path / "answer.json")
