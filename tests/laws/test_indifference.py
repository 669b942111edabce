"""Indifference: "no difference between the two" in every form it is given, and all that follows from it."""

import csv
import dataclasses
import json
import subprocess
import sys
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import any_preferences, from_masks
from setpref import CertificateRejected, Contradiction, InputError, Preferences, learn, load, read, verify
from setpref.proofs.verdicts import Equality, FamilyProof, check_equality, check_robust
from setpref.solving import bruteforce
from setpref.solving.fitting import Fit, UpTo, fit

FORMS = {
    "pairs": lambda: Preferences.from_pairs([("tea", "milk")], indifferent=[({"milk"}, ["lemon"])]),
    "written": lambda: Preferences.from_pairs(["tea"], ["milk"], indifferent=[("lemon", "milk")]),
    "records": lambda: Preferences.from_pairs(
        [{"better": "tea", "worse": "milk", "relation": ">"}, {"better": "lemon", "worse": "milk", "relation": "~"}]
    ),
    "same records": lambda: Preferences.from_pairs(
        [("tea", "milk")], indifferent=[{"first": "lemon", "second": "milk"}]
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_the_same(form):
    prefs = FORMS[form]()
    mask = prefs.universe.mask
    assert prefs.pair_count == prefs.equal_count == 1
    assert prefs.implies(mask("tea"), mask("lemon"))
    assert prefs.equates(mask("lemon"), mask("milk"))
    assert not prefs.equates(mask("tea"), mask("milk"))
    assert learn(prefs).compare("lemon", "milk").value == "same"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_have_a_relation_column(library):
    module = pytest.importorskip(library, reason=f"needs {library}")
    columns = {"better": ["tea", "milk"], "worse": ["milk", "lemon"], "relation": [">", "~"]}
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    assert Preferences.from_pairs(frame).equal_count == 1


def test_only_indifferences_leave_nothing_to_learn():
    prefs = Preferences.from_pairs([], indifferent=[("tea", "milk")])
    assert (prefs.pair_count, prefs.equal_count, learn(prefs).degree) == (0, 1, 0)
    assert learn(prefs).compare("tea", "milk").value == "same"


def test_files(tmp_path):
    both = tmp_path / "both.csv"
    both.write_text("better,worse,relation,weight\ntea,milk,>,1\nmilk,lemon,~,2\n")
    over, same = tmp_path / "over.csv", tmp_path / "same.csv"
    over.write_text("better,worse\ntea,milk\n")
    same.write_text("a,b,weight\nmilk,lemon,2\n")
    one, other = read(both), read(over, same=same)
    assert one.pairs == other.pairs
    assert one.equal_pairs == other.equal_pairs
    assert [s.weight for s in one.statements] == [s.weight for s in other.statements]
    assert other.place(other.statements[1]) == "same.csv, line 2"


# -- contradictions ----------------------------------------------------------------------------------------------


def test_a_contradiction_through_indifferences_is_named():
    with pytest.raises(Contradiction) as caught:
        Preferences.from_pairs([("tea", "milk"), ("milk", "ale")], indifferent=[("ale", "lemon"), ("lemon", "tea")])
    assert caught.value.same == (False, False, True, True)
    assert "statement 1: tea over milk; statement 2: milk over ale; indifference 1: ale same as lemon" in str(
        caught.value
    )


def test_indifferences_alone_never_contradict():
    sets = ["a", "b", "c", "{}"]
    assert Preferences.from_pairs([], indifferent=list(permutations(sets, 2))).consistent


def test_contradictions_can_be_kept_but_not_learned_from():
    prefs = Preferences.from_pairs([("tea", "milk")], indifferent=[("tea", "milk")], contradictions="keep")
    assert not prefs.consistent
    with pytest.raises(Contradiction):
        learn(prefs)


@given(st.integers(1, 3), st.data())
@settings(max_examples=150, deadline=None)
def test_consistent_means_that_some_model_fits(elements, data):
    sets = st.integers(0, 2**elements - 1)
    pairs = st.lists(st.tuples(sets, sets).filter(lambda p: p[0] != p[1]), max_size=5)
    over, same = data.draw(pairs), data.draw(pairs)
    assume(over or same)
    judged = bruteforce.fits(bruteforce.Said.pairs(over, same), range(1, 2**elements))
    prefs = from_masks(elements, pairs=over, same=same, contradictions="keep")
    assert prefs.consistent == judged
    if not judged:
        with pytest.raises(Contradiction) as caught:
            prefs.check_consistent()
        cycle = caught.value.cycle
        assert not all(caught.value.same)
        assert all(b == c for (_, _, b), (_, c, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


# -- ratings -------------------------------------------------------------------------------------------------------


def test_equal_ratings_may_say_no_difference():
    ratings = {"tea": 3, "milk": 3, "{}": 1}
    assert learn(Preferences.from_ratings(ratings)).compare("tea", "milk").value == "unknown"
    told = Preferences.from_ratings(ratings, ties="indifferent")
    assert (told.pair_count, told.equal_count) == (2, 1)
    assert learn(told).compare("tea", "milk").value == "same"


def test_a_tolerance_makes_close_ratings_equal():
    prefs = Preferences.from_ratings({"tea": 4.1, "milk": "3.9", "ale": 2}, ties="indifferent", tolerance=0.2)
    assert [len(tier) for tier in prefs.tiers] == [2, 1]
    assert learn(prefs).compare("tea", "milk").value == "same"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ties": "equal"}, "choose one of ignore, indifferent"),
        ({"tolerance": 1}, "needs ties 'indifferent'"),
        ({"ties": "indifferent", "tolerance": -1}, "from 0 up"),
        ({"ties": "indifferent", "tolerance": "far"}, "not a number"),
        ({"ties": "indifferent", "tolerance": 1}, "rated 5 and 3: tea over ale; rated 3 and 4: ale same as milk"),
    ],
)
def test_ties_and_tolerances_that_cannot_be(options, words):
    with pytest.raises(InputError, match=words):
        Preferences.from_ratings({"tea": 5, "milk": 4, "ale": 3}, **options)


# -- proofs --------------------------------------------------------------------------------------------------------


@pytest.fixture
def known():
    """Two drinks are worth the same, and a third more: then so are they together with a fourth."""
    prefs = Preferences.from_pairs(
        [("ale", "{}"), ("tea", "ale"), ("tea+ale", "tea")], indifferent=[("tea", "milk"), ("milk+ale", "tea+ale")]
    )
    return prefs, learn(prefs)


def test_equality_is_proven_by_the_indifferences(known):
    _, learned = known
    verdict = learned.compare("milk+ale", "tea+ale", certificate=True)
    assert verdict.value == "same"
    assert verdict.equal
    assert any(part.multipliers for part in verdict.certificate.proofs)
    assert "same as" in learned.explain("milk+ale", "tea+ale").text


@pytest.mark.parametrize("change", ["multiplier", "scale", "sides", "strict", "fewer"])
def test_a_corrupted_proof_of_equality_is_rejected(known, change):
    prefs, learned = known
    proof = learned.compare("milk+ale", "tea+ale", certificate=True).certificate
    families = learned.found.families
    check_robust(prefs, families, proof)
    place, part = next((i, p) for i, p in enumerate(proof.proofs) if p.multipliers)
    (a, b, m), *rest = part.multipliers
    mask = prefs.universe.mask
    changed = {
        "multiplier": FamilyProof(((a, b, m + 1), *rest), part.scale),
        "scale": FamilyProof(part.multipliers, part.scale + 1),
        "sides": FamilyProof(((b, a, m), *rest), part.scale),
        "strict": FamilyProof((*part.multipliers, (mask("tea"), mask("ale"), 1)), part.scale),
        "fewer": None,
    }[change]
    proofs = list(proof.proofs)
    proofs[place : place + 1] = [changed] if changed else []
    with pytest.raises(CertificateRejected):
        check_robust(prefs, families, dataclasses.replace(proof, proofs=tuple(proofs)))


def test_a_proof_of_equality_under_all_terms_of_a_degree():
    prefs = Preferences.from_pairs([("tea", "{}")], indifferent=[("tea", "milk"), ("ale", "rum")])
    learned = learn(prefs, "deg")
    proof = learned.compare("tea+ale", "milk+rum", certificate=True).certificate
    assert isinstance(proof, Equality)
    assert len(proof.proofs[0].multipliers) == 2
    with pytest.raises(CertificateRejected):
        check_equality(prefs, proof, 2)


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws", "deg"])
def test_saved_results_are_verified(simplicity, known, tmp_path):
    prefs, _ = known
    learned = learn(prefs, simplicity)
    learned.save(tmp_path / "learned.json")
    assert any("no difference" in sentence for sentence in verify(tmp_path / "learned.json"))
    again = load(tmp_path / "learned.json")
    assert again.preferences == prefs
    assert (again.order().matrix == learned.order().matrix).all()


def test_turning_an_indifference_into_a_preference_is_caught(known, tmp_path):
    from setpref.proofs.verification import verify_document

    document = json.loads(json.dumps(known[1].document()))
    document["preferences"]["statements"][3]["relation"] = ">"
    with pytest.raises(CertificateRejected):
        verify_document(document)


# -- laws ----------------------------------------------------------------------------------------------------------


@given(any_preferences(3), st.sampled_from(["lex", "card", "ws", "deg"]), st.data())
@settings(max_examples=60, deadline=None)
def test_same_is_an_equivalence_and_respects_better(prefs, simplicity, data):
    learned = learn(prefs, simplicity)
    masks = st.integers(0, 2 ** len(prefs.universe) - 1)
    a, b, c = (prefs.universe.write(data.draw(masks)) for _ in range(3))
    say = {(x, y): learned.compare(x, y).value for x in (a, b, c) for y in (a, b, c)}
    assert say[a, a] == "same"
    assert (say[a, b] == "same") == (say[b, a] == "same")
    if say[a, b] == "same":
        assert say[a, c] == say[b, c]


@given(st.permutations(range(8)), st.sampled_from(["lex", "ws", "deg"]), st.data())
@settings(max_examples=60, deadline=None)
def test_an_implied_indifference_changes_nothing(order, simplicity, data):
    prefs = from_masks(3, ratings={mask: place // 3 for place, mask in enumerate(order[:6])}, ties="indifferent")
    groups = [group for group in prefs.equal_groups if len(group) > 1]
    a, b = data.draw(st.permutations(data.draw(st.sampled_from(groups))))[:2]
    over, same = list(prefs.pairs), [*prefs.equal_pairs, (a, b)]
    twin = learn(from_masks(len(prefs.universe), pairs=over, same=same), simplicity)
    first = learn(prefs, simplicity)
    assert first.degree == twin.degree
    assert (first.order().matrix == twin.order().matrix).all()


@given(any_preferences(4))
@settings(max_examples=60, deadline=None)
def test_every_indifference_is_predicted(prefs):
    learned = learn(prefs)
    assert all(learned.dominance.same(a, b) for a, b in prefs.equal_pairs)


@given(any_preferences(4), st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_both_routes_decide_alike(prefs, degree):
    answers = [
        fit(prefs.rows, UpTo(min(degree, len(prefs.universe)), route), prefs.universe)
        for route in ("explicit", "kernel")
    ]
    assert isinstance(answers[0], Fit) == isinstance(answers[1], Fit)


def test_many_elements_go_by_the_kernel():
    names = [f"e{i:03}" for i in range(60)]
    over = [(names[i : i + 3], names[i + 1 : i + 3]) for i in range(40)]
    same = [([names[i], names[i + 7]], [names[i + 3], names[i + 11]]) for i in range(0, 40, 2)]
    prefs = Preferences.from_pairs(over, indifferent=same, universe=names)
    learned = learn(prefs, "deg", "kernel")
    assert learned.degree == 1
    assert learned.compare(*same[0]).value == "same"


# -- the command line ----------------------------------------------------------------------------------------------


def setpref(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "setpref", *arguments], capture_output=True, text=True, cwd=cwd, check=False
    )


def test_the_command_line(tmp_path):
    (tmp_path / "d.csv").write_text("better,worse,relation\ntea,milk,>\nmilk,ale,~\n")
    checked = setpref("check", "d.csv", cwd=tmp_path)
    assert "distinct statements: 2, 1 of them of no difference" in checked.stdout
    assert setpref("learn", "d.csv", "--out", "l.json", cwd=tmp_path).returncode == 0
    assert setpref("compare", "l.json", "milk", "ale", cwd=tmp_path).stdout.startswith(
        "same: milk and ale are worth the same"
    )
    (tmp_path / "p.csv").write_text("a,b\nmilk,ale\ntea,ale\n")
    setpref("predict", "l.json", "p.csv", "--out", "out.csv", cwd=tmp_path)
    with (tmp_path / "out.csv").open(newline="") as stream:
        assert [row["verdict"] for row in csv.DictReader(stream)] == ["same", "better"]


@pytest.mark.parametrize(
    ("name", "content", "arguments", "words"),
    [
        (
            "d.csv",
            "better,worse,relation\ntea,milk,<\n",
            (),
            ["d.csv, line 2", "'<'", "> (the first set is better) or ~"],
        ),
        ("d.csv", "better,worse,relation\ntea,milk,\n", (), ["line 2", "relation"]),
        ("d.csv", "better,worse,relation\ntea,tea,~\n", (), ["line 2", "compared with itself"]),
        ("d.csv", "alternative,rating\ntea,1\nale,2\n", ("--ties", "same"), ["ties 'same'", "ignore, indifferent"]),
        ("d.csv", "alternative,rating\ntea,1\nale,2\n", ("--tolerance", "1"), ["needs ties 'indifferent'"]),
        ("d.csv", "alternative,rating\ntea,1\nale,2\n", ("--same", "s.csv"), ["holds ratings", "ties='indifferent'"]),
        ("d.csv", "better,worse\ntea,ale\n", ("--same", "gone.csv"), ["gone.csv", "no such file"]),
        ("d.csv", "better,worse\ntea,ale\n", ("--same", "odd.csv"), ["odd.csv", "the columns a,b"]),
        ("d.csv", "better,worse\ntea,ale\n", ("--same", "s.csv", "--universe", "tea+ale"), ["s.csv, line 2", "'milk'"]),
        ("d.csv", "better,worse\ntea,milk\n", ("--same", "s.csv"), ["s.csv, line 2: milk same as tea"]),
    ],
)
def test_bad_input_is_one_clear_sentence(tmp_path, name, content, arguments, words):
    (tmp_path / name).write_text(content)
    (tmp_path / "s.csv").write_text("a,b\ntea,milk\n")
    (tmp_path / "odd.csv").write_text("x,y\ntea,milk\n")
    done = setpref("check", name, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not [word for word in words if word not in done.stderr]
