"""Saved results: they load, they verify, and nothing in them can be changed unnoticed."""

import copy
import json
import subprocess
import sys
from dataclasses import replace

import pytest

from instances import from_masks, modelled
from setpref import CertificateRejected, InputError, Preferences, learn, load, verify
from setpref.data.items import Items
from setpref.proofs.documents import sealed
from setpref.proofs.verification import verify_document

KINDS = {
    "ratings": lambda: learn(modelled(6, 14, 6, 2, seed=4), "deg"),
    "kernel": lambda: learn(modelled(6, 14, 6, 2, seed=4), "deg", "kernel"),
    "statements": lambda: learn(from_masks(2, pairs=[(1, 0), (2, 0), (0, 3)]), "deg"),
    "additive": lambda: learn(from_masks(2, pairs=[(1, 2)]), "deg"),
    "nothing": lambda: learn(from_masks(2, ratings={1: 1, 2: 1}), "deg"),
}


@pytest.fixture(params=KINDS)
def learned(request):
    return KINDS[request.param]()


def numbers(node, path=()):
    """Yield the path of every number in a document, also of those written as text."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from numbers(value, (*path, key))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from numbers(value, (*path, i))
    elif (isinstance(node, (int, float)) and not isinstance(node, bool)) or (
        isinstance(node, str) and node.lstrip("-").isdigit()
    ):
        yield path


def changed(document, path):
    twin = copy.deepcopy(document)
    node = twin
    for key in path[:-1]:
        node = node[key]
    value = node[path[-1]]
    node[path[-1]] = str(int(value) + 1) if isinstance(value, str) else value + 1
    return twin


def test_a_saved_result_loads_the_same_and_verifies(learned, tmp_path):
    path = tmp_path / "learned.json"
    learned.save(path)
    again = load(path)
    assert again.as_dict() == learned.as_dict()
    assert again.document() == learned.document()
    assert len(verify(path)) >= 2
    assert [p.name for p in tmp_path.iterdir()] == ["learned.json"]


def test_changing_any_number_is_caught(learned, tmp_path):
    path = tmp_path / "learned.json"
    document = learned.document()
    caught = 0
    for place in numbers(document):
        path.write_text(json.dumps(changed(document, place)))
        with pytest.raises((CertificateRejected, InputError)):
            verify(path)
        caught += 1
    assert caught >= 5


# Numbers that say how the result came about, not what is claimed: only the digest protects them.
CIRCUMSTANCE = {
    "seconds",
    "given",
    "position",
    "places",
    "weight",
    "repeated_sets",
    "conflicting_sets",
    "ratings_in_conflict",
}


def test_changing_a_claim_is_caught_even_with_a_fresh_digest(learned):
    document = learned.document()
    survivors = []
    for place in numbers({k: v for k, v in document.items() if k not in ("version", "digest")}):
        if CIRCUMSTANCE & set(place):
            continue
        try:
            verify_document(changed(document, place))
        except CertificateRejected:
            continue
        survivors.append(place)
    # A changed rating or value may leave every claim true; then it is a different, equally right document.
    assert all(
        place[:2] in (("preferences", "ratings"), ("model", "terms"), ("model", "coefficients")) for place in survivors
    )


@pytest.mark.parametrize("degree", [1, 3])
def test_a_wrong_degree_is_rejected(degree):
    document = learn(modelled(6, 14, 6, 2, seed=4), "deg").document()
    assert document["result"]["degree"] == 2
    document["result"]["degree"] = degree
    with pytest.raises(CertificateRejected):
        verify_document(sealed(document))


def test_verifying_loads_no_solver(tmp_path):
    path = tmp_path / "learned.json"
    KINDS["ratings"]().save(path)
    code = (
        "import sys; from setpref import verify; verify(sys.argv[1]); "
        "solvers = ('daqp', 'highspy', 'flint', 'setpref.solving', 'setpref.engine'); "
        "print([m for m in solvers if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_large_whole_numbers_survive(tmp_path):
    learned = learn(modelled(40, 160, 12, 2, seed=5), "deg")
    # Which multipliers a solver proposes depends on the machine; a common factor makes them large on all.
    factor = 2**60 + 1
    minimum = replace(learned.minimum, impossible=tuple((a, b, m * factor) for a, b, m in learned.minimum.impossible))
    learned = replace(learned, minimum=minimum)
    learned.save(tmp_path / "big.json")
    assert load(tmp_path / "big.json").minimum.impossible == learned.minimum.impossible
    assert len(verify(tmp_path / "big.json")) == 3


def test_version_1_files_keep_loading(tmp_path):
    """A file written by the first version, kept here as text."""
    path = tmp_path / "v1.json"
    path.write_text(VERSION_1)
    assert load(path).degree == 2
    assert len(verify(path)) == 3


# -- what is numbered ------------------------------------------------------------------------------------------------

CLASHING = [("tea", "milk"), ("milk", "ale"), ("ale", "tea"), ("tea", "ale"), ("tea", "{}"), ("milk", "{}")]
NUMBERED = {
    **KINDS,
    "lex": lambda: learn(modelled(7, 20, 9, 2, seed=6)),
    "card": lambda: learn(modelled(5, 12, 6, 2, seed=6), "card"),
    "close ratings": lambda: learn(
        Preferences.from_ratings({"tea": 3, "milk": 2.5, "tea+milk": 1, "{}": 0}, ties="indifferent", tolerance=0.5)
    ),
    "statements given up": lambda: learn(
        Preferences.from_pairs(CLASHING, indifferent=[("{}", "ale+tea")], contradictions="keep"), errors="auto"
    ),
    "ratings given up": lambda: learn(
        Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0, "ale": 5, "ale+milk": 6}), errors=1
    ),
}


def as_version_2(document):
    """The same result as the version before wrote it, which listed nothing that it numbered."""
    document = {k: v for k, v in document.items() if k != "digest"}
    document["preferences"] = {k: v for k, v in document["preferences"].items() if k != "alternatives"}
    if "errors" in document:
        document["errors"] = {k: v for k, v in document["errors"].items() if k != "items"}
        document["parts"] = [as_version_2(part) for part in document["parts"]]
    return sealed({**document, "version": 2})


@pytest.mark.parametrize("kind", NUMBERED)
def test_version_2_files_keep_their_numbers(kind, tmp_path):
    document = NUMBERED[kind]().document()
    (tmp_path / "v2.json").write_text(json.dumps(as_version_2(document)))
    assert verify_document(json.loads(json.dumps(document))) == verify(tmp_path / "v2.json")[1:]
    assert load(tmp_path / "v2.json").document()["digest"] == document["digest"]


@pytest.mark.parametrize("kind", NUMBERED)
def test_numbers_mean_the_same_whatever_becomes_of_our_order(kind, monkeypatch):
    """Everything compared, and everything given up, comes in another order than when the result was saved."""
    document = json.loads(json.dumps(NUMBERED[kind]().document()))
    said = verify_document(document)
    alternatives, items = Preferences.alternatives.func, Items.all.func
    monkeypatch.setattr(Preferences, "alternatives", property(lambda self: alternatives(self)[::-1]))
    monkeypatch.setattr(Items, "all", property(lambda self: items(self)[::-1]))
    assert verify_document(document) == said
    assert verify_document(as_version_2(document)) == said


def relisted(listed, change):
    """Return a list with one change to it."""
    first, second, *rest = listed
    return {
        "left out": [second, *rest],
        "twice": [first, first, *rest],
        "one more": [*listed, first],
        "another": ["ale+milk", second, *rest] if isinstance(first, str) else [["ale", ">", "ale+milk"], second, *rest],
        "unknown": ["gin", second, *rest] if isinstance(first, str) else [["gin", ">", "tea"], second, *rest],
        "turned round": listed[::-1],
        "no list": "tea",
        "no texts": [1, second, *rest],
        "nothing": [],
    }[change]


@pytest.mark.parametrize(
    "change", ["left out", "twice", "one more", "another", "unknown", "turned round", "no list", "no texts", "nothing"]
)
@pytest.mark.parametrize("what", ["alternatives", "items"])
def test_a_changed_list_is_rejected(what, change):
    document = json.loads(json.dumps(NUMBERED["statements given up"]().document()))
    place = document["preferences"] if what == "alternatives" else document["errors"]
    place[what] = relisted(place[what], change)
    with pytest.raises((CertificateRejected, InputError)):
        verify_document(document)


@pytest.mark.parametrize("relation", ["~", "<", ""])
def test_a_changed_relation_of_an_item_is_rejected(relation):
    document = json.loads(json.dumps(NUMBERED["statements given up"]().document()))
    document["errors"]["items"][0][1] = relation
    with pytest.raises(CertificateRejected):
        verify_document(document)


def test_items_that_are_ratings_are_listed_too():
    document = json.loads(json.dumps(NUMBERED["ratings given up"]().document()))
    assert all(len(item) == 1 for item in document["errors"]["items"])
    document["errors"]["items"].reverse()
    with pytest.raises(CertificateRejected):
        verify_document(document)


@pytest.mark.parametrize("version", [None, True, "3"])
def test_a_version_that_is_none_is_rejected(version):
    document = NUMBERED["lex"]().document()
    with pytest.raises(CertificateRejected):
        verify_document({**document, "version": version})


def test_an_alternative_that_is_not_listed_has_no_number():
    document = json.loads(json.dumps(NUMBERED["lex"]().document()))
    document["simplest"]["clauses"][0][0][0] = len(document["preferences"]["alternatives"])
    with pytest.raises(CertificateRejected, match="no alternative number"):
        verify_document(document)


def test_a_number_over_nothing_is_no_number():
    document = NUMBERED["lex"]().document()
    document["preferences"]["ratings"][0][1] = "1/0"
    with pytest.raises(CertificateRejected, match="1/0 is not a number"):
        verify_document(document)


def test_weights_ids_and_positions_survive(tmp_path):
    prefs = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")], weights=["0.5", 2], ids=["q1", None])
    learn(prefs, "deg").save(tmp_path / "w.json")
    assert load(tmp_path / "w.json").preferences == prefs


VERSION_1 = """{"format": "setpref-learned", "version": 1, "made_by": "setpref 0.1.0.dev0", "simplicity": "deg", "engine": "auto", "preferences": {"universe": ["milk", "tea"], "source": "the ratings", "word": "rating", "given": 4, "ratings": [["tea", "3"], ["milk", "2"], ["milk+tea", "1"], ["{}", "0"]], "collisions": {"policy": "median", "repeated_sets": 0, "conflicting_sets": 0, "ratings_in_conflict": 0}}, "result": {"degree": 2, "cardinality": 3, "total_size": 4, "proven": true, "routes": ["explicit, daqp", "explicit, daqp"], "seconds": 0.045635}, "model": {"terms": {"milk": 2, "tea": 3, "milk+tea": -4}}, "proof": {"below": 1, "multipliers": [[1, 2, 2], [0, 1, 1], [2, 3, 1]]}, "digest": "sha256:f4d3730f1de9eae4ef5fce1bd9fbd2969a74fe33c999f498e1db01c3c03859c1"}"""  # noqa: E501
