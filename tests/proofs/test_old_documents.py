"""Saved results of earlier versions keep loading, answering and verifying.

`old_documents/` holds results as earlier code saved them (`Learned.save`, or that of a result despite errors) and
certificates as it printed them (`setpref compare --certificate --json`). `expected.json`, written by the same code,
says of each result what its attributes were, how `compare` answered on up to ten pairs of sets, and whether `verify`
mentioned that something was NOT checked; the code that wrote a result or certificate accepted it. Version 1 had no
word for "same": where it answered "unknown" and equal, "same" stands there.

The name of a file says what it holds. `v1-first` (no simplest models yet), `v1-early` (the first certificates),
`v2-first` (indifference, without errors) and `v2-early` (errors; neither places of ratings nor `smallest_degree`) are
states on the way to `v1` and `v2`. `written_by` names the commit.

Never edit or rewrite a file there: a new format version gets new files, written by its own code.
"""

import hashlib
import json
import sys
from pathlib import Path

import pytest

import setpref as sp
from setpref import cli

FOLDER = Path(__file__).parent / "old_documents"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FACTS = ("simplicity", "degree", "cardinality", "total_size", "proven")
CERTIFICATES = {name: document for document, known in EXPECTED.items() for name in known.get("certificates", ())}

# Version 1 proved "unknown" of two equal sets by one model that values both alike; such sets are "same" today.
NO_LONGER_UNKNOWN = "v1-lex-families-members.same.certificate.json"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """One folder for all: making and clearing one per test would take longer than the tests."""
    return tmp_path_factory.mktemp("scratch")


def facts(learned):
    found = {fact: getattr(learned, fact) for fact in FACTS}
    if hasattr(learned, "lower_bound"):
        found["lower_bound"] = learned.lower_bound
    if hasattr(learned, "dropped"):
        found["dropped"] = [list(dropped) for dropped in learned.dropped]
    return {**found, "model_count": len(learned.models), "models": [str(model) for model in learned.models[:5]]}


def known_facts(name):
    about = {"written_by", "version", "verdicts", "not_checked", "certificates"}
    known = {fact: value for fact, value in EXPECTED[name].items() if fact not in about}
    if "lower_bound" not in known and "dropped" not in known:
        known["lower_bound"] = known["degree"]  # the first code, which knew deg alone, had no such attribute
    return known


def content(path):
    return json.loads(path.read_text(encoding="utf-8"))


def sealed(document):
    """Return a changed document with the digest it would have been saved with."""
    bare = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(bare, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return {**bare, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def run(capsys, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["setpref", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
    return int(stopped.value.code or 0), capsys.readouterr().err


# -- the folder ------------------------------------------------------------------------------------------------------


def test_every_file_is_listed():
    assert {path.name for path in FOLDER.iterdir()} == {"expected.json", *EXPECTED, *CERTIFICATES}


def test_every_version_before_todays_is_there(scratch):
    sp.learn(sp.Preferences.from_pairs([("tea", "milk")])).save(scratch / "today.json")
    today = content(scratch / "today.json")["version"]
    assert {content(FOLDER / name)["version"] for name in EXPECTED} >= {1, 2, *range(1, today)}


def test_the_version_and_the_digest_of_every_result_are_those_it_was_written_with():
    for name, known in EXPECTED.items():
        document = content(FOLDER / name)
        assert document["version"] == known["version"]
        assert sealed(document) == document


@pytest.mark.parametrize("version", [1, 2])
def test_every_measure_and_verdict_is_there(version):
    known = [each for each in EXPECTED.values() if each["version"] == version]
    assert {each["simplicity"] for each in known} == {"lex", "card", "ws", "deg"}
    assert {verdict for each in known for *_, verdict in each["verdicts"]} == {"better", "worse", "same", "unknown"}
    assert {each["proven"] for each in known} == {each["not_checked"] for each in known} == {True, False}


# -- what they say ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_result_loads_with_the_same_facts(name):
    assert facts(sp.load(FOLDER / name)) == known_facts(name)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_result_gives_the_same_verdicts(name):
    learned = sp.load(FOLDER / name)
    verdicts = EXPECTED[name]["verdicts"]
    assert [[a, b, learned.compare(a, b).value] for a, b, _ in verdicts] == verdicts


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_result_verifies(name):
    said = sp.verify(FOLDER / name)
    assert any("NOT checked" in sentence for sentence in said) == EXPECTED[name]["not_checked"]


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_result_saved_again_verifies_and_says_the_same(name, scratch):
    sp.load(FOLDER / name).save(scratch / name)
    assert facts(sp.load(scratch / name)) == known_facts(name)
    said = sp.verify(scratch / name)
    assert any("NOT checked" in sentence for sentence in said) == EXPECTED[name]["not_checked"]


@pytest.mark.parametrize("name", [name for name in CERTIFICATES if name != NO_LONGER_UNKNOWN])
def test_an_old_certificate_verifies(name, capsys):
    assert run(capsys, "verify", FOLDER / CERTIFICATES[name], "--certificate", FOLDER / name) == (0, "")


@pytest.mark.parametrize("name", [name for name in CERTIFICATES if name != NO_LONGER_UNKNOWN])
def test_the_verdict_of_an_old_certificate_is_todays(name):
    plain = content(FOLDER / name)
    assert sp.load(FOLDER / CERTIFICATES[name]).compare(plain["a"], plain["b"]).value == plain["verdict"]


def test_an_old_proof_that_equal_sets_are_unknown_is_refused_in_a_sentence(capsys):
    code, said = run(
        capsys, "verify", FOLDER / CERTIFICATES[NO_LONGER_UNKNOWN], "--certificate", FOLDER / NO_LONGER_UNKNOWN
    )
    assert code == 1
    assert said == "setpref: both models value the two sets alike, so that they might be the same\n"


# -- what they would not say if changed ------------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", [False, True], ids=["old digest", "fresh digest"])
@pytest.mark.parametrize("name", EXPECTED)
def test_a_changed_old_result_is_rejected(name, fresh, scratch):
    document = content(FOLDER / name)
    result = document.get("parts", [document])[0]["result"]
    result["model_count" if "model_count" in result else "degree"] += 1
    (scratch / name).write_text(json.dumps(sealed(document) if fresh else document), encoding="utf-8")
    with pytest.raises(sp.CertificateRejected) as rejected:
        sp.verify(scratch / name)
    assert ("digest" in str(rejected.value)) is not fresh


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate_with_another_verdict_is_rejected(name, scratch, capsys):
    plain = content(FOLDER / name)
    plain["verdict"] = "worse" if plain["verdict"] == "better" else "better"
    (scratch / name).write_text(json.dumps(plain), encoding="utf-8")
    code, said = run(capsys, "verify", FOLDER / CERTIFICATES[name], "--certificate", scratch / name)
    assert (code, bool(said)) == (1, True)
