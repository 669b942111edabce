"""Learning despite errors: every optimal repair counts, and a prediction needs all of them."""

import copy
import dataclasses
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from instances import from_masks
from setpref import CertificateRejected, Contradiction, InputError, Preferences, learn, load, read, verify
from setpref.proofs.documents import sealed
from setpref.proofs.verdicts import Divided, Unanimous, check_joint
from setpref.proofs.verification import verify_certificate, verify_document
from setpref.solving import bruteforce

DRINKS = Path(__file__).parents[2] / "examples" / "drinks.csv"
SAID = [("tea", "milk"), ("milk", "ale"), ("ale", "tea"), ("tea", "{}"), ("milk", "{}")]


@pytest.fixture
def prefs():
    return Preferences.from_pairs(SAID, contradictions="keep")


@st.composite
def clashing(draw, elements=3):
    """A few statements that mostly contradict each other, some of them of no difference."""
    masks = st.integers(0, 2**elements - 1)
    pairs = st.tuples(masks, masks).filter(lambda p: p[0] != p[1])
    over = draw(st.lists(pairs, min_size=2, max_size=6, unique=True))
    same = draw(st.lists(pairs, max_size=2, unique_by=lambda p: frozenset(p)))
    return from_masks(elements, pairs=over, same=same, contradictions="keep")


def judged(prefs, degree):
    """Return the cost and the cleaned preferences of every optimal repair, by trying all subsets."""
    cost, repairs = bruteforce.optimal_repairs(prefs, degree)
    things = [(tuple(sorted((s.better, s.worse))) if s.same else (s.better, s.worse), s.same) for s in prefs.statements]
    kept = []
    for repair in repairs:
        left = tuple(s for s, thing in zip(prefs.statements, things, strict=True) if thing not in repair)
        kept.append(dataclasses.replace(prefs, statements=left, contradictory="error"))
    return cost, kept


@given(clashing(), st.sampled_from(["lex", "ws"]), st.data())
@settings(max_examples=60, deadline=None)
def test_a_prediction_needs_every_model_of_every_repair(prefs, simplicity, data):
    cost, kept = judged(prefs, len(prefs.universe))
    learned = learn(prefs, simplicity, errors="auto")
    assert learned.proven
    assert learned.repaired.cost == cost
    assert len(learned.parts) == len(kept)
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    for _ in range(3):
        a, b = data.draw(masks), data.draw(masks)
        each = {bruteforce.verdict(rest, simplicity, a, b) for rest in kept}
        expected = each.pop() if len(each) == 1 else "unknown"
        write = prefs.universe.write
        verdict = learned.compare(write(a), write(b), certificate=True)
        assert verdict.value == expected
        assert learned.dominance.beats_pairs([a, b], [0], [1]).tolist() == [expected == "better"]
        assert learned.same_masks([a], [b]).tolist() == [expected == "same"]


@given(clashing(), st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_a_number_of_errors_buys_the_smallest_degree(prefs, allowed):
    costs = [judged(prefs, degree)[0] for degree in range(1, len(prefs.universe) + 1)]
    if costs[-1] > allowed:
        with pytest.raises(InputError, match="must be given up"):
            learn(prefs, errors=allowed)
        return
    learned = learn(prefs, errors=allowed)
    degree = next(d for d, cost in enumerate(costs, start=1) if cost <= allowed)
    assert (learned.repaired.degree, learned.repaired.cost) == (degree, costs[degree - 1])
    verify_document(learned.document())


@given(clashing())
@settings(max_examples=25, deadline=None)
def test_weights_scaled_change_nothing(prefs):
    heavier = dataclasses.replace(
        prefs, statements=tuple(dataclasses.replace(s, weight=s.weight * Fraction(7, 3)) for s in prefs.statements)
    )
    one, other = learn(prefs, errors="auto"), learn(heavier, errors="auto")
    assert other.repaired.cost == one.repaired.cost * Fraction(7, 3)
    assert one.dropped == other.dropped
    assert (one.order().matrix == other.order().matrix).all()


def test_without_errors_nothing_is_given_up():
    prefs = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    plain, despite = learn(prefs), learn(prefs, errors="auto")
    assert despite.dropped == ((),)
    assert [str(m) for m in despite.models] == [str(m) for m in plain.models]
    assert (despite.order().matrix == plain.order().matrix).all()


def test_ratings_may_be_given_up_for_a_smaller_degree():
    prefs = Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
    assert learn(prefs).degree == 2
    learned = learn(prefs, errors=1)
    assert learned.degree == 1
    assert all(len(dropped) == 1 for dropped in learned.dropped)


def test_contradictions_are_still_refused_unless_asked(prefs):
    with pytest.raises(Contradiction):
        learn(prefs)


@pytest.mark.parametrize(
    ("errors", "words"),
    [("many", "give auto, or the number"), (-1, "from 0 up"), (0, "at least 1 must be given up"), (None, "contradict")],
)
def test_errors_that_cannot_be(prefs, errors, words):
    with pytest.raises(InputError, match=words):
        learn(prefs, errors=errors)


def test_a_cap_on_repairs_is_said(prefs):
    learned = learn(prefs, errors="auto", repairs=1)
    assert not learned.proven
    assert learned.meaning == "not proven: 1 of the cheapest repairs were looked at; there may be more"


def test_a_time_limit_still_answers(prefs):
    learned = learn(prefs, errors="auto", time_limit=0)
    assert not learned.proven
    assert learned.meaning.startswith("not proven")
    assert learned.compare("tea", "{}").proven is False


def test_many_independent_clashes_are_checked_one_by_one():
    """As deep as all of them together, the plain search of the check would never end."""
    pairs = [(f"e{i}", f"f{i}") for i in range(300)]
    said = [*pairs, *((b, a) for a, b in pairs)]
    prefs = Preferences.from_pairs(said, weights=[2] * 300 + [1] * 300, contradictions="keep")
    learned = learn(prefs, "deg", errors="auto")
    assert (learned.repaired.cost, learned.repaired.complete) == (300, True)
    assert learned.repaired.check() <= 3 * 300


def test_weights_of_any_size():
    said = [("tea", "milk"), ("milk", "tea"), ("milk", "{}")]
    prefs = Preferences.from_pairs(said, weights=["1e300", "1e-300", 1], contradictions="keep")
    learned = learn(prefs, errors=1)
    assert learned.dropped == (("statement 2: milk over tea",),)
    assert verify_document(learned.document())


# -- proofs --------------------------------------------------------------------------------------------------------


def known(learned):
    return [(part.preferences, part.known) for part in learned.parts]


def test_a_verdict_is_proven_for_every_repair(prefs):
    learned = learn(prefs, errors="auto")
    proof = learned.compare("tea", "{}", certificate=True).certificate
    assert isinstance(proof, Unanimous)
    assert len(proof.proofs) == len(learned.parts) == 3
    with pytest.raises(CertificateRejected):
        check_joint(known(learned), Unanimous(proof.proofs[1:]))
    with pytest.raises(CertificateRejected):
        check_joint(known(learned), Unanimous((proof.proofs[1], *proof.proofs[1:])))


@pytest.mark.parametrize("change", ["swap", "repair", "number"])
def test_a_division_is_proven_by_two_models(prefs, change):
    learned = learn(prefs, errors="auto")
    proof = learned.compare("tea", "milk", certificate=True).certificate
    assert isinstance(proof, Divided)
    check_joint(known(learned), proof)
    changed = {
        "swap": {"for_first": proof.for_second, "for_second": proof.for_first},
        "repair": {"for_first": ((proof.for_first[0] + 1) % 3, proof.for_first[1])},
        "number": {"for_second": (7, proof.for_second[1])},
    }[change]
    with pytest.raises(CertificateRejected):
        check_joint(known(learned), dataclasses.replace(proof, **changed))


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws", "deg"])
@pytest.mark.parametrize("errors", ["auto", 2])
def test_saved_results_are_verified(prefs, simplicity, errors, tmp_path):
    learned = learn(prefs, simplicity, errors=errors)
    learned.save(tmp_path / "learned.json")
    said = verify(tmp_path / "learned.json")
    assert any("no repair is cheaper" in sentence for sentence in said)
    again = load(tmp_path / "learned.json")
    assert again.dropped == learned.dropped
    assert (again.order().matrix == learned.order().matrix).all()
    assert again.proven


def corrupted(document, change):
    changed = copy.deepcopy(document)
    repaired = changed["errors"]["repaired"]
    if change == "a repair left out":
        repaired["repairs"].pop()
        changed["parts"].pop()
    elif change == "another cost":
        repaired["cost"] = "2"
    elif change == "another result":
        changed["parts"][0] = changed["parts"][1]
    elif change == "a group left out":
        repaired["groups"] = []
    elif change == "a multiplier":
        repaired["groups"][0]["multipliers"][0][2] += 1
    elif change == "a part despite errors":
        inner = copy.deepcopy(changed)
        changed["parts"][0].update(errors=inner["errors"], parts=inner["parts"])
    elif change == "a bound above the cost":
        repaired["lower_bound"], repaired["complete"] = "5", False
    elif change == "an item twice":
        repaired["repairs"][0]["dropped"] *= 2
    elif change == "no repairs":
        repaired.update(repairs=[], cost="0", lower_bound="0", complete=False)
        changed["parts"] = []
    elif change == "a weight of 0":
        changed["preferences"]["statements"][-1]["weight"] = "0"
    elif change == "more allowed":
        changed["errors"]["allowed"] = "9"
    return changed


@pytest.mark.parametrize(
    "change",
    [
        "a repair left out",
        "another cost",
        "another result",
        "a group left out",
        "a multiplier",
        "more allowed",
        "a part despite errors",
        "a bound above the cost",
        "an item twice",
        "no repairs",
        "a weight of 0",
    ],
)
def test_corrupted_results_are_rejected(change):
    prefs = Preferences.from_pairs([*SAID, ("{}", "tea+milk"), ("tea+milk", "ale+tea+milk")], contradictions="keep")
    document = json.loads(json.dumps(learn(prefs, errors=1).document()))
    verify_document(document)
    with pytest.raises(CertificateRejected):
        verify_document(
            sealed({k: v for k, v in corrupted(document, change).items() if k not in ("format", "version")})
        )


def test_unknown_is_proven_by_a_model_that_tells_the_two_apart():
    """After one repair the two are the same, after the other they are not."""
    learned = learn(read(DRINKS, contradictions="keep"), errors="auto")
    assert sorted(part.compare("tea", "lemon").value for part in learned.parts) == ["same", "unknown"]
    proof = learned.compare("tea", "lemon", certificate=True).certificate
    assert any(model.at(proof.first) != model.at(proof.second) for _, model in (proof.for_first, proof.for_second))


def test_sets_that_are_the_same_are_not_proven_unknown():
    said = [("tea", "milk"), ("milk", "tea"), ("lemon", "{}")]
    learned = learn(Preferences.from_pairs(said, indifferent=[("lemon", "mint")], contradictions="keep"), errors="auto")
    assert learned.compare("lemon", "mint").value == "same"
    mask, level = learned.preferences.universe.mask, (0, learned.parts[0].models[0])
    with pytest.raises(CertificateRejected, match="alike"):
        check_joint(known(learned), Divided(mask("lemon"), mask("mint"), level, level))


# -- explanations and the command line -------------------------------------------------------------------------------


def test_explanations_go_repair_by_repair(prefs):
    learned = learn(prefs, errors="auto")
    text = learned.explain("tea", "milk").text
    assert "3 repairs are equally good; together they say: unknown." in text
    assert "Repair 1 (without statement 1: tea over milk):" in text


def setpref(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "setpref", *arguments], capture_output=True, text=True, cwd=cwd, check=False
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "said.csv").write_text("better,worse\n" + "".join(f"{a},{b}\n" for a, b in SAID))
    return tmp_path


def test_the_command_line(folder):
    done = setpref("learn", "said.csv", "--errors", "auto", "--out", "l.json", cwd=folder)
    assert "1 statement has to be given up, in 3 equally good ways:" in done.stdout
    assert "repair 3: line 4: ale over tea" in done.stdout
    assert "predictions are made only where every simplest model of every repair agrees" in done.stdout
    assert setpref("verify", "l.json", cwd=folder).stdout.endswith("l.json is right\n")
    assert setpref("compare", "l.json", "tea", "{}", cwd=folder).stdout.startswith("better: tea is over {}")
    answer = setpref("compare", "l.json", "tea", "milk", "--certificate", "--json", cwd=folder)
    (folder / "c.json").write_text(answer.stdout)
    assert (
        "unknown under the saved models of every repair"
        in setpref("verify", "l.json", "--certificate", "c.json", cwd=folder).stdout
    )
    assert verify_certificate(folder / "l.json", folder / "c.json")
    assert (
        json.loads(setpref("learn", "said.csv", "--errors", "1", "--json", cwd=folder).stdout)["errors"]["cost"] == "1"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--errors", "some"), "give auto, or the number"),
        (("--errors", "0"), "at least 1 must be given up"),
        (("--errors", "auto", "--repairs", "0"), "whole number from 1 up"),
        ((), "contradict each other"),
    ],
)
def test_bad_input_is_one_clear_sentence(folder, arguments, words):
    done = setpref("learn", "said.csv", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
