"""Saved results: they load, they verify, and nothing in them can be changed unnoticed."""

import copy
import json
import subprocess
import sys
from dataclasses import replace

import pytest

from instances import from_masks, modelled
from setpref import CertificateRejected, InputError, Preferences, learn, load, verify
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


def test_weights_ids_and_positions_survive(tmp_path):
    prefs = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")], weights=["0.5", 2], ids=["q1", None])
    learn(prefs, "deg").save(tmp_path / "w.json")
    assert load(tmp_path / "w.json").preferences == prefs


VERSION_1 = """{"format": "setpref-learned", "version": 1, "made_by": "setpref 0.1.0.dev0", "simplicity": "deg", "engine": "auto", "preferences": {"universe": ["milk", "tea"], "source": "the ratings", "word": "rating", "given": 4, "ratings": [["tea", "3"], ["milk", "2"], ["milk+tea", "1"], ["{}", "0"]], "collisions": {"policy": "median", "repeated_sets": 0, "conflicting_sets": 0, "ratings_in_conflict": 0}}, "result": {"degree": 2, "cardinality": 3, "total_size": 4, "proven": true, "routes": ["explicit, daqp", "explicit, daqp"], "seconds": 0.045635}, "model": {"terms": {"milk": 2, "tea": 3, "milk+tea": -4}}, "proof": {"below": 1, "multipliers": [[1, 2, 2], [0, 1, 1], [2, 3, 1]]}, "digest": "sha256:f4d3730f1de9eae4ef5fce1bd9fbd2969a74fe33c999f498e1db01c3c03859c1"}"""  # noqa: E501
