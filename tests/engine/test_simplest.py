"""Every simplest theta: against brute force and the MIP, with proofs that verify, compiled or not, stopped or not."""

import json
import random
import signal
import subprocess
import sys
import time

import daqp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks, modelled, rated
from setpref import CertificateRejected, InputError, Preferences, learn, load, verify
from setpref.engine.levels import Settings
from setpref.engine.simplest import find_simplest
from setpref.errors import TooLarge, UnknownOption
from setpref.evaluation.synthetic import draw_sets, draw_user
from setpref.proofs.certificates import check_model
from setpref.proofs.completeness import check_complete
from setpref.proofs.documents import sealed
from setpref.proofs.verification import verify_document
from setpref.rows import Kind
from setpref.simplicity import LEX, simplicity_of
from setpref.solving import bruteforce
from setpref.solving.degree import minimum_degree
from setpref.solving.mip import query, simplest_one

MEASURES = ("lex", "card", "ws")
CLOCKLESS = Settings(heuristic=())  # without rounds that start by the clock the search is the same step by step


def thetas(learned) -> list[tuple[int, ...]]:
    return sorted(model.theta for model in learned.models)


@pytest.mark.parametrize("simplicity", MEASURES)
@given(prefs=any_preferences(4))
@settings(max_examples=120, deadline=None)
def test_the_very_same_thetas_as_brute_force(simplicity, prefs):
    learned = learn(prefs, simplicity)
    assert thetas(learned) == bruteforce.simplest(prefs, simplicity)
    assert learned.proven
    for model in learned.models[:50]:
        check_model(model, prefs)


@given(prefs=rated(4, max_scale=9))
@settings(max_examples=60, deadline=None)
def test_noise_of_high_degree(prefs):
    assert thetas(learn(prefs)) == bruteforce.simplest(prefs, "lex")


@pytest.mark.parametrize("simplicity", MEASURES)
@pytest.mark.parametrize("seed", range(8))
def test_expansions_and_constant_columns(simplicity, seed):
    """Elements that always come together, or in every set, make many interchangeable terms."""
    rng = random.Random(seed)
    low = {rng.randrange(4): rng.randint(1, 3) for _ in range(4)}
    ratings = {mask | (mask & 1) << 2 | 0b1000: rating for mask, rating in low.items()}
    prefs = from_masks(4, ratings=ratings)
    assert thetas(learn(prefs, simplicity)) == bruteforce.simplest(prefs, simplicity)


def judged_rows(told, theta):
    """Return the strict rows, and the equations both ways round."""
    rows = [([row.over(t) for t in theta], row.kind) for row in told.rows]
    equal = [[sign * x for x in row] for row, kind in rows if kind is Kind.EQUAL for sign in (1, -1)]
    return [row for row, kind in rows if kind is Kind.STRICT], equal


@given(prefs=any_preferences(4), simplicity=st.sampled_from(MEASURES))
@settings(max_examples=60, deadline=None)
def test_certain_signs_are_certain(prefs, simplicity):
    """No compatible value of a simplest theta has another sign, or is zero."""
    from setpref.solving.exactlp import solve_strict

    learned = learn(prefs, simplicity)
    told = bruteforce.said(prefs)
    for model in learned.models[:10]:
        rows, equal = judged_rows(told, model.theta)
        for place, value in enumerate(model.values.values()):
            against = [0] * len(model.theta)
            against[place] = -1 if value > 0 else 1
            assert not solve_strict(rows, [against, *equal])[0]


@pytest.mark.parametrize("simplicity", MEASURES)
@given(prefs=any_preferences(4))
@settings(max_examples=40, deadline=None)
def test_every_result_verifies_and_loads_the_same(simplicity, prefs, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "learned.json"
    learned = learn(prefs, simplicity)
    learned.save(path)
    assert verify(path)
    assert load(path).document() == learned.document()


@pytest.fixture(scope="module")
def document():
    learned = learn(modelled(7, 20, 9, 2, seed=6))
    assert learned.degree == 2
    return learned.document()


def test_the_proof_says_how_large_it_is(document, tmp_path):
    assert f"{len(document['simplest']['clauses'])} clauses" in document["simplest"]["proof_size"]
    said = verify_document(document)
    assert any("exactly the simplest" in sentence for sentence in said)


def test_without_proof_completeness_is_said_to_be_unchecked(tmp_path):
    path = tmp_path / "short.json"
    learn(modelled(7, 20, 9, 2, seed=6)).save(path, proof=False)
    assert any("NOT checked" in sentence for sentence in verify(path))


def corrupted(document, change):
    twin = json.loads(json.dumps(document))
    simplest = twin["simplest"]
    if change == "no clauses":
        simplest["clauses"] = []
    elif change == "half the clauses":
        simplest["clauses"] = simplest["clauses"][::2]
    elif change == "multiplier":
        simplest["clauses"][-1][0][2] = 0
    elif change == "foreign pair":
        a, b, m = simplest["clauses"][0][0]
        simplest["clauses"][0][0] = [b, a, m]
    elif change == "drop a theta":
        del simplest["families"][0]
    elif change == "twice the same":
        simplest["families"].append(simplest["families"][0])
    elif change == "another sign":
        simplest["families"][0][0]["members"][0][1] *= -1
    elif change == "another term":
        simplest["families"][0][0]["members"][0][0] = twin["preferences"]["universe"][-1]
    elif change == "another value":
        simplest["families"][0][0]["value"] = 10**6
    elif change == "lower bound":
        simplest["lower_bound"] += 1
    return sealed({k: v for k, v in twin.items() if k != "digest"})


CHANGES = [
    "no clauses", "half the clauses", "multiplier", "foreign pair", "drop a theta", "twice the same", "another sign",
    "another term", "another value", "lower bound",
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_corrupted_proofs_are_rejected_even_with_a_fresh_digest(document, change):
    with pytest.raises(CertificateRejected):
        verify_document(corrupted(document, change))


def test_dropping_one_member_is_noticed():
    prefs = from_masks(3, pairs=[(0b111, 0b000)])
    learned = learn(prefs)
    assert len(learned.models) == 3
    document = learned.document()
    document["simplest"]["families"][0][0]["members"].pop()
    document["result"]["model_count"] -= 1
    with pytest.raises(CertificateRejected, match="completely"):
        verify_document(sealed(document))


def test_a_model_too_many_is_noticed():
    prefs = from_masks(3, pairs=[(0b001, 0b010)])
    learned = learn(prefs)
    families = list(learned.found.families)
    with pytest.raises(CertificateRejected, match="twice"):
        check_complete(prefs, LEX, 1, [*families, families[0]], learned.found.clauses)


# -- engines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_compiled_and_uncompiled_kernels_do_the_same(seed):
    prefs = modelled(7, 18, 9, 2, seed)
    degree = minimum_degree(prefs).degree
    plain, quick = (find_simplest(prefs, LEX, degree, compiled=c, settings=CLOCKLESS) for c in (False, True))
    assert plain.families == quick.families
    assert plain.statistics["nodes"] == quick.statistics["nodes"]
    assert plain.clauses == quick.clauses


@pytest.mark.parametrize("seed", range(4))
def test_more_than_64_literals_need_several_words(seed):
    prefs = modelled(10, 16, 8, 2, seed)
    plain, quick = (find_simplest(prefs, LEX, 2, compiled=c, settings=CLOCKLESS) for c in (False, True))
    assert plain.families == quick.families
    assert plain.clauses == quick.clauses


def test_small_problems_never_load_the_compiler():
    code = (
        "import sys; import setpref as sp\n"
        "sp.learn(sp.Preferences.from_ratings({'tea': 3, 'milk': 2, 'tea+milk': 1, '{}': 0}))\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("seed", range(6))
def test_tiny_settings_change_nothing(seed):
    """Few seeds and a tiny pool: clauses are trimmed and found again, the answer stays."""
    prefs = modelled(7, 18, 9, 2, seed)
    degree = minimum_degree(prefs).degree
    pairs = len(prefs.implied_pairs(10**6))
    small = Settings(sums=10, pool=pairs + 20, capacity=pairs + 60, tests=0, relax_from=10)
    assert find_simplest(prefs, LEX, degree, settings=small).families == find_simplest(prefs, LEX, degree).families


@pytest.mark.parametrize("garbage", [-np.inf, -np.nan, -1e184, np.inf])
def test_what_a_solver_leaves_in_unused_places_does_no_harm(garbage, monkeypatch):
    """daqp 0.11 returns multipliers that hold uninitialised memory where a row is not used."""
    prefs = draw_user(6, rng=5).rated(draw_sets(6, 14, rng=5))
    clean, solve = learn(prefs), daqp.solve

    def littering(*problem, **options):
        x, value, flag, info = solve(*problem, **options)
        lam = np.array(info["lam"])
        unused = ~(np.abs(lam) > 1e-12) | ~(np.abs(lam) < 1e12)
        return x, value, flag, {**info, "lam": np.where(unused & (flag < 0), garbage, lam)}

    monkeypatch.setattr(daqp, "solve", littering)
    found = learn(prefs)
    assert thetas(found) == thetas(clean)
    assert found.proven


@pytest.mark.parametrize("seed", range(12))
def test_the_mip_agrees_on_small_instances(seed):
    prefs = modelled(5 + seed % 2, 10, 6, 1 + seed % 2, seed)
    learned = learn(prefs)
    answer = simplest_one(prefs, LEX, learned.degree)
    assert answer.finished
    assert answer.model.complexity == (learned.degree, learned.cardinality, learned.total_size)
    assert answer.theta in thetas(learned)


@pytest.mark.parametrize("simplicity", ["card", "ws"])
@pytest.mark.parametrize("seed", range(4))
def test_the_mip_agrees_for_other_measures(simplicity, seed):
    prefs = modelled(4, 8, 5, 2, seed)
    learned = learn(prefs, simplicity)
    assert simplest_one(prefs, simplicity_of(simplicity)).theta in thetas(learned)


@pytest.mark.parametrize("seed", range(6))
def test_the_papers_query_agrees(seed):
    rng = random.Random(seed)
    prefs = modelled(5, 9, 6, 2, seed)
    learned = learn(prefs)
    complexity = (learned.degree, learned.cardinality, learned.total_size)
    a, b = rng.sample(range(32), 2)
    assert query(prefs, complexity, a, b) == learned.dominance.beats(a, b)
    write = prefs.universe.write
    by_mip = learned.compare(write(a), write(b), engine="mip")
    assert by_mip.value == learned.compare(write(a), write(b)).value
    assert not by_mip.proven


def test_a_mip_whose_m_is_too_small_is_refused():
    # Doubling chain: a value of 2^5 cannot stay within M = 3.
    pairs = [(1, 0), (2, 1), (4, 3), (8, 7), (16, 15), (32, 31)]
    with pytest.raises((InputError, CertificateRejected), match=r"M = 3"):
        simplest_one(from_masks(6, pairs=pairs), LEX, 1, big_m=3)


def test_unknown_engines_and_measures_are_listed():
    prefs = from_masks(2, pairs=[(1, 2)])
    with pytest.raises(UnknownOption, match="auto, bruteforce, mip"):
        learn(prefs, engine="quantum")
    with pytest.raises(UnknownOption, match="lex, card, ws, deg"):
        learn(prefs, "size")
    with pytest.raises(UnknownOption, match="kernel"):
        learn(prefs, "deg", "mip")


def test_engines_behind_the_same_call():
    prefs = from_masks(4, ratings={0: 0, 1: 2, 2: 1, 3: 5, 8: 3, 12: 1})
    judged = learn(prefs, engine="bruteforce")
    assert thetas(learn(prefs)) == thetas(judged)
    assert thetas(learn(prefs, engine="mip"))[0] in thetas(judged)
    assert not learn(prefs, engine="mip").proven


# -- large, stopped, refused --------------------------------------------------------------------------------------


def test_a_time_limit_returns_what_is_known():
    prefs = modelled(14, 45, 12, 3, seed=3)
    learned = learn(prefs, time_limit=1.0)
    assert not learned.proven
    assert learned.lower_bound >= 1
    assert learned.meaning.startswith("not proven")
    for model in learned.models:
        check_model(model, prefs)
        assert model.cardinality >= learned.lower_bound
    assert learned.compare("e000", "e001").proven is False


def test_an_unproven_model_is_asked_as_it_is(tmp_path):
    """Signs are certain only in simplest thetas: verdicts of an unproven one are those of its theta alone."""
    from setpref import compare_under

    prefs = modelled(5, 10, 6, 2, seed=3)
    learned = learn(prefs, engine="mip")
    assert not learned.proven
    theta = [prefs.universe.elements(t) for t in learned.models[0].theta]
    rng = random.Random(0)
    for _ in range(30):
        a, b = (prefs.universe.write(rng.randrange(32)) for _ in range(2))
        verdict = learned.compare(a, b, certificate=True)
        assert verdict.value == compare_under(prefs, theta, a, b).value
        assert not verdict.proven
    assert learned.order().matrix.shape == (32, 32)
    assert learned.best(size=2).possibly
    assert "term" in learned.explain("e000", "e001").text or "statement" in learned.explain("e000", "e001").text


def test_no_time_at_all_is_no_error():
    learned = learn(modelled(12, 40, 12, 2, seed=3), time_limit=0.0)
    assert not learned.proven
    assert learned.compare("e000", "e001").value in ("better", "worse", "unknown")
    assert learned.order(["e000", "e001"]).matrix.shape == (2, 2)


def test_a_partial_result_is_saved_loaded_and_verified(tmp_path):
    learned = learn(modelled(14, 45, 12, 3, seed=3), time_limit=1.5)
    learned.save(tmp_path / "part.json")
    again = load(tmp_path / "part.json")
    assert not again.proven
    assert again.lower_bound == learned.lower_bound
    assert "does not claim" in verify(tmp_path / "part.json")[-1]


def test_an_interrupt_keeps_what_is_known(tmp_path):
    """Ctrl-C in the middle: the command ends with the best known, saved, and says so."""
    prefs = modelled(14, 45, 12, 3, seed=3)
    data, out = tmp_path / "data.csv", tmp_path / "out.json"
    rows = [f"{prefs.universe.write(mask)},{rating}" for mask, rating in prefs.ratings.items()]
    data.write_text("alternative,rating\n" + "\n".join(rows) + "\n")
    command = [sys.executable, "-m", "setpref", "learn", str(data), "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "not proven" in shown
    assert not load(out).proven


def test_many_elements_through_closed_sets():
    """Terms of every size over 30 elements are never listed; members are counted and listed on demand."""
    prefs = Preferences.from_pairs([([f"x{i}" for i in range(30)], "{}"), (["x0", "x1"], ["x2"])])
    learned = learn(prefs, "card")
    assert learned.cardinality == 1
    assert len(learned.models) > 1
    smallest = min(model.total_size for model in learned.models[:100])
    assert smallest == 1
    assert learned.compare(["x0", "x1"], ["x2"]).value == "better"


def test_what_is_not_feasible_is_said():
    rng = random.Random(0)
    sets = [[f"x{i:02}" for i in range(60) if rng.random() < 0.8] for _ in range(40)]
    with pytest.raises(TooLarge, match="intersections"):
        learn(Preferences.from_ratings(sets, range(40)), "card")


@given(any_preferences(3), st.data())
@settings(max_examples=40, deadline=None)
def test_renaming_elements_renames_the_simplest_thetas(prefs, data):
    assume(prefs.pairs)
    n = len(prefs.universe)
    order = data.draw(st.permutations(range(n)))

    def renamed(mask):
        return sum(1 << order[i] for i in range(n) if mask >> i & 1)

    over, same = ([(renamed(a), renamed(b)) for a, b in pairs] for pairs in (prefs.pairs, prefs.equal_pairs))
    twin = from_masks(n, pairs=over, same=same)
    mine = {frozenset(map(renamed, theta)) for theta in thetas(learn(prefs))}
    assert mine == {frozenset(theta) for theta in thetas(learn(twin))}
