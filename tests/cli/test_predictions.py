"""Predictions through the command line: what the commands answer, and what they say to input that cannot be used."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from setpref import load
from setpref.cli import commands
from setpref.proofs.verification import verify

RATINGS = "alternative,rating\ntea,3\ntea+lemon,5\nmilk,2\ntea+milk,1\n{},0\n"
PAIRS = "a,b\ntea,milk\n{},tea+lemon\nlemon+milk,tea\n"
PRICES = ("--cost", "tea=2", "--cost", "lemon=1.5", "--cost", "milk=1")


def run(*arguments: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["setpref", *arguments])
        with pytest.raises(SystemExit) as stopped:
            commands.main()
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def learned_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("learned")
    (folder / "data.csv").write_text(RATINGS)
    assert run("learn", str(folder / "data.csv"), "--out", str(folder / "l.json")) == 0
    return (folder / "l.json").read_text()


@pytest.fixture
def folder(tmp_path: Path, learned_text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with data, a saved result and pairs."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(RATINGS)
    Path("l.json").write_text(learned_text)
    Path("pairs.csv").write_text(PAIRS)
    Path("sets.csv").write_text("alternative\ntea\nmilk\n{}\nlemon+tea\n")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(*arguments) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return shown.out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    """Return the one JSON object that is printed."""
    text = said(capsys, *arguments, "--json")
    assert len(text.splitlines()) == 1
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


# -- learn ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws", "deg"])
def test_learning_saves_what_verifies(folder, capsys, simplicity):
    facts = answer(capsys, "learn", "data.csv", "--simplicity", simplicity, "--out", "out.json")
    assert facts["simplicity"] == simplicity
    assert facts["proven"] is True
    assert load("out.json").simplicity == simplicity
    assert not any("NOT" in sentence for sentence in verify("out.json"))
    assert "is right" in said(capsys, "verify", "out.json")


@pytest.mark.parametrize(
    ("simplicity", "words"), [("lex", "cardinality 4"), ("card", "simplest model"), ("ws", "total size 5")]
)
def test_learning_in_words(folder, capsys, simplicity, words):
    text = said(capsys, "learn", "data.csv", "--simplicity", simplicity)
    assert words in text
    assert "proven: these are all the simplest models" in text
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "l.json", "pairs.csv", "sets.csv"]


def test_without_proof_the_file_is_smaller_and_says_so(folder, capsys):
    said(capsys, "learn", "data.csv", "--no-proof", "--out", "short.json")
    assert len(Path("short.json").read_text()) < len(Path("l.json").read_text())
    assert "NOT checked" in said(capsys, "verify", "short.json")
    assert answer(capsys, "compare", "short.json", "tea", "milk")["verdict"] == "better"


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws"])
def test_no_time_at_all_still_gives_a_file_for_every_command(folder, capsys, simplicity):
    Path("data.csv").write_text(
        "alternative,rating\n"
        + "".join(f"{'+'.join(sorted(f'x{i * k % 13}' for k in (1, 2, 5)))},{i * i % 7}\n" for i in range(1, 13))
    )
    said(capsys, "learn", "data.csv", "--simplicity", simplicity, "--time-limit", "0", "--out", "part.json")
    assert load("part.json").proven is False
    assert answer(capsys, "compare", "part.json", "x1", "x2") == {
        "verdict": "unknown", "equal": False, "proven": False, "a": "x1", "b": "x2"
    }  # fmt: skip
    Path("pairs.csv").write_text("a,b\nx1,x2\n")
    assert answer(capsys, "predict", "part.json", "pairs.csv", "--out", "out.csv")["unknown"] == 1
    assert answer(capsys, "best", "part.json", "--size", "1")["proven"] is False
    assert "is right" in said(capsys, "verify", "part.json")


def test_a_generous_time_limit_changes_nothing(folder, capsys):
    limited = answer(capsys, "learn", "data.csv", "--time-limit", "60")
    free = answer(capsys, "learn", "data.csv")
    assert limited["models"] == free["models"]
    assert limited["proven"] is free["proven"] is True


# -- compare ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "verdict", "kind"),
    [
        ("tea", "milk", "better", "dominance"),
        ("milk", "tea", "worse", "dominance"),
        ("lemon+milk", "tea", "unknown", "disagreement"),
        ("tea", "tea", "same", "equality"),
        ("{}", "lemon+tea", "worse", "dominance"),
    ],
)
def test_compare_with_its_certificate(folder, capsys, first, second, verdict, kind):
    facts = answer(capsys, "compare", "l.json", first, second, "--certificate")
    assert (facts["verdict"], facts["equal"], facts["proven"]) == (verdict, first == second, True)
    assert facts["certificate"]["kind"] == kind
    text = said(capsys, "compare", "l.json", first, second, "--certificate")
    assert text.startswith(verdict)
    assert len(text.splitlines()) >= 2
    assert "certificate" not in answer(capsys, "compare", "l.json", first, second)


def test_the_certificate_adds_up(folder, capsys):
    proof = answer(capsys, "compare", "l.json", "lemon+tea", "milk", "--certificate")["certificate"]
    learned = load("l.json")
    mask = learned.preferences.universe.mask
    a, b = mask(proof["better"]), mask(proof["worse"])
    for part, family in zip(proof["proofs"], learned.found.families, strict=True):
        for term, _ in family.theta:
            net = sum(m * ((term & mask(x) == term) - (term & mask(y) == term)) for x, y, m in part["multipliers"])
            assert net == part["scale"] * ((term & a == term) - (term & b == term))


# -- predict ----------------------------------------------------------------------------------------------------


def test_predict_answers_every_pair(folder, capsys):
    text = said(capsys, "predict", "l.json", "pairs.csv", "--out", "out.csv")
    assert "3 pairs answered: 1 better, 1 worse, 0 same, 1 unknown" in text
    assert Path("out.csv").read_text() == ("a,b,verdict\ntea,milk,better\n{},tea+lemon,worse\nlemon+milk,tea,unknown\n")


def test_predict_as_json(folder, capsys):
    facts = answer(capsys, "predict", "l.json", "pairs.csv", "--out", "out.csv")
    assert facts == {"pairs": 3, "better": 1, "worse": 1, "same": 0, "unknown": 1, "proven": True}


def test_predict_keeps_other_columns_and_replaces_an_old_verdict(folder, capsys):
    Path("pairs.csv").write_text('id,b,verdict,a\n1,milk,?,tea\n"2, or so",tea,?,"milk + lemon"\n')
    said(capsys, "predict", "l.json", "pairs.csv", "--out", "out.csv")
    with Path("out.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows == [
        ["id", "b", "a", "verdict"],
        ["1", "milk", "tea", "better"],
        ["2, or so", "tea", "milk + lemon", "unknown"],
    ]


@pytest.mark.parametrize("written", ['["tea", "lemon"]', '{"tea": 1, "lemon": 1, "milk": 0}', '"lemon+tea"'])
def test_predict_reads_json_sets_in_every_form(folder, capsys, written):
    Path("pairs.json").write_text(f'[{{"a": {written}, "b": "milk"}}]')
    said(capsys, "predict", "l.json", "pairs.json", "--out", "out.csv")
    assert Path("out.csv").read_text() == "a,b,verdict\nlemon+tea,milk,better\n"


def test_predict_agrees_with_compare_on_all_pairs(folder, capsys):
    learned = load("l.json")
    names = learned.order().alternatives
    Path("all.csv").write_text("a,b\n" + "".join(f"{a},{b}\n" for a in names for b in names))
    said(capsys, "predict", "l.json", "all.csv", "--out", "out.csv")
    with Path("out.csv").open(newline="") as stream:
        found = {(row["a"], row["b"]): row["verdict"] for row in csv.DictReader(stream)}
    assert found == {(a, b): learned.compare(a, b).value for a in names for b in names}


def test_predict_over_an_older_output_replaces_it_whole(folder, capsys):
    Path("out.csv").write_text("old\n" * 100)
    said(capsys, "predict", "l.json", "pairs.csv", "--out", "out.csv")
    assert "old" not in Path("out.csv").read_text()


# -- order, best, explain, synergies ----------------------------------------------------------------------------


def test_the_order_over_all_sets(folder, capsys):
    text = said(capsys, "order", "l.json")
    assert text.startswith("8 alternatives, 28 pairs: 22 better or worse, 0 same, 6 unknown")
    facts = answer(capsys, "order", "l.json")
    assert facts["maximal"] == ["lemon+tea"]
    assert facts["minimal"] == ["{}"]
    assert facts["ranks"]["lemon+tea"] == [1, 1]


def test_the_order_over_given_sets(folder, capsys):
    facts = answer(capsys, "order", "l.json", "--alternatives", "sets.csv")
    assert facts["alternatives"] == ["tea", "milk", "{}", "lemon+tea"]
    assert facts["covers"] == [["tea", "milk"], ["milk", "{}"], ["lemon+tea", "tea"]]
    assert "rank 1, directly over tea" in said(capsys, "order", "l.json", "--alternatives", "sets.csv")


@pytest.mark.parametrize(
    ("options", "necessarily", "considered"),
    [
        ((), ["lemon+tea"], 8),
        (("--size", "1"), [], 3),
        (("--size", "0-1", "--exclude", "lemon"), ["tea"], 3),
        (("--must-include", "milk+tea"), ["lemon+milk+tea"], 2),
        (("--alternatives", "sets.csv", "--exclude", "lemon"), ["tea"], 3),
        (("--budget", "2", *PRICES), [], 4),
        (("--budget", "0", *PRICES), ["{}"], 1),
    ],
)
def test_the_best_sets(folder, capsys, options, necessarily, considered):
    facts = answer(capsys, "best", "l.json", *options)
    assert facts["necessarily"] == necessarily
    assert facts["considered"] == considered
    assert set(necessarily) <= set(facts["possibly"])
    assert f"{considered} set" in said(capsys, "best", "l.json", *options)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tea", "milk"), "tea (rated 3) over milk (rated 2)"),
        (("milk", "tea"), "tea is over milk in every simplest model"),
        (("lemon+milk", "tea"), "two simplest models satisfy every statement and disagree"),
        (("--term", "tea+milk"), "cannot hold together"),
        (("--degree",), "cannot hold together with single elements alone"),
    ],
)
def test_explanations(folder, capsys, arguments, words):
    assert words in said(capsys, "explain", "l.json", *arguments)
    facts = answer(capsys, "explain", "l.json", *arguments)
    assert set(facts) == {"text", "statements", "smallest", "sums", "models"}
    assert words in facts["text"]


@pytest.mark.parametrize("ending", ["svg", "png"])
@pytest.mark.parametrize("command", [("order", "l.json", "--alternatives", "sets.csv"), ("synergies", "l.json")])
def test_figures_are_drawn(folder, capsys, command, ending):
    pytest.importorskip("matplotlib", reason="figures need matplotlib")
    text = said(capsys, *command, "--figure", f"drawn.{ending}")
    assert f"drawn in drawn.{ending}" in text
    start = Path(f"drawn.{ending}").read_bytes()[:200]
    assert start.startswith(b"\x89PNG") if ending == "png" else b"<svg" in start or b"<?xml" in start


# -- what cannot be used ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bad:
    """A command that cannot be carried out, the words its sentence must hold, and files it needs."""

    id: str
    arguments: tuple[str, ...]
    words: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()


def predict(pairs: str, *words: str, id: str, name: str = "bad.csv") -> Bad:
    return Bad(id, ("predict", "l.json", name, "--out", "out.csv"), words, ((name, pairs),))


def best(*options: str, words: tuple[str, ...], id: str) -> Bad:
    return Bad(id, ("best", "l.json", *options), words)


def explain(*arguments: str, words: tuple[str, ...], id: str) -> Bad:
    return Bad(id, ("explain", "l.json", *arguments), words)


PREDICT = ("predict", "l.json", "pairs.csv")
LEARN = ("learn", "data.csv", "--out", "o.json")
WAYS = ("two sets", "--term", "--degree")
BAD = [
    # -- pairs
    predict("a,b\ntea,milk\ntea,coffee\n", "bad.csv, line 3", "'coffee'", "lemon, milk, tea", id="pairs-unknown-name"),
    predict("a,b\ntae,milk\n", "line 2", "did you mean 'tea'", id="pairs-near-element"),
    predict("a,c\ntea,milk\n", "bad.csv", "'b'", "a,c", id="pairs-without-b"),
    predict("first,b\ntea,milk\n", "bad.csv", "'a'", "first,b", id="pairs-without-a"),
    predict("", "bad.csv", "empty", id="pairs-empty-file"),
    predict("a,b\n", "bad.csv", "no rows", "add at least one", id="pairs-only-a-header"),
    predict("a,b\ntea,\n", "line 2", "set is missing", "{}", id="pairs-set-missing"),
    predict("a,b\ntea,milk\ntea\n", "line 3", "1 cell under 2 columns", id="pairs-short-row"),
    predict("a,b\ntea+tea,milk\n", "line 2", "'tea' twice", id="pairs-name-twice"),
    predict("a;b\ntea;milk\n", "semicolons", "commas", id="pairs-semicolons"),
    predict("a,a,b\ntea,tea,milk\n", "'a'", "twice", id="pairs-column-twice"),
    predict('[{"a": [["tea"]], "b": "milk"}]', "entry 1", "not text", id="pairs-nested-json", name="bad.json"),
    predict('[{"a": 7, "b": "milk"}]', "entry 1", "7 is not a set", id="pairs-number-in-json", name="bad.json"),
    predict('[{"a": "tea"}]', "bad.json", "'b'", id="pairs-json-without-b", name="bad.json"),
    Bad("pairs-missing", ("predict", "l.json", "no.csv", "--out", "out.csv"), ("no.csv", "no such file")),
    Bad("pairs-other-ending", ("predict", "l.json", "p.txt", "--out", "o.csv"), ("p.txt", ".csv"), (("p.txt", PAIRS),)),
    Bad("predict-without-out", ("predict", "l.json", "pairs.csv"), ("--out", "predict --help")),
    Bad("predict-no-learned", ("predict", "no.json", "pairs.csv", "--out", "out.csv"), ("no.json", "setpref learn")),
    Bad("predict-from-data", ("predict", "data.csv", "pairs.csv", "--out", "out.csv"), ("data.csv", "setpref learn")),
    # -- where results go
    Bad("out-onto-pairs", (*PREDICT, "--out", "pairs.csv"), ("pairs.csv", "itself", "another name")),
    Bad("out-onto-learned", (*PREDICT, "--out", "l.json"), ("l.json", "itself", "another name")),
    Bad("out-in-missing-folder", (*PREDICT, "--out", "no/out.csv"), ("no/out.csv", "no folder")),
    Bad("out-onto-folder", (*PREDICT, "--out", "."), ("is a folder",)),
    Bad("figure-ending", ("order", "l.json", "--figure", "order.bmp"), ("order.bmp", ".svg", "ending")),
    Bad("figure-onto-learned", ("order", "l.json", "--figure", "l.json"), ("l.json", ".svg", "ending")),
    Bad("figure-in-missing-folder", ("order", "l.json", "--figure", "no/order.svg"), ("no/order.svg", "no folder")),
    # -- best
    best("--size", "three", words=("--size", "'three'", "2-4"), id="size-text"),
    best("--size", "1-2-3", words=("--size", "'1-2-3'"), id="size-three-numbers"),
    best("--size", "-1", words=("--size", "'-1'"), id="size-negative"),
    best("--size", "3-1", words=("size", "range"), id="size-backwards"),
    best("--size", "9", words=("no set meets", "loosen"), id="size-too-large"),
    best("--size", "9" * 5000, words=("--size", "number"), id="size-of-thousands-of-digits"),
    best("--cost", "tea=1", words=("costs need a budget",), id="cost-without-budget"),
    best("--budget", "3", words=("budget needs costs",), id="budget-without-cost"),
    best("--budget", "3", "--cost", "tea=1", words=("no price for 'lemon'",), id="price-missing"),
    best("--budget", "3", *PRICES[:4], "--cost", "milk=cheap", words=("milk", "'cheap'"), id="price-text"),
    best("--budget", "3", *PRICES[:4], "--cost", "milk=", words=("milk", "missing"), id="price-blank"),
    best("--budget", "3", *PRICES[:4], "--cost", "milk", words=("--cost 'milk'", "tea=2"), id="cost-without-price"),
    best("--budget", "3", *PRICES, "--cost", "coffee=1", words=("'coffee'", "not an element"), id="cost-unknown"),
    best("--budget", "3", *PRICES, "--cost", "tea=5", words=("two prices",), id="cost-twice"),
    best("--budget", "much", *PRICES, words=("budget", "'much'"), id="budget-text"),
    best("--budget", "-1", *PRICES, words=("no set meets",), id="budget-too-small"),
    best("--must-include", "tea", "--exclude", "tea+milk", words=("tea is both", "excluded"), id="in-and-out"),
    best("--must-include", "coffee", words=("'coffee'", "not an element"), id="include-unknown"),
    best("--exclude", "", words=("set is missing",), id="exclude-blank"),
    best("--alternatives", "pairs.csv", words=("pairs.csv", "'alternative'", "a,b"), id="best-without-column"),
    best("--alternatives", "sets.csv", "--must-include", "milk+tea", words=("no set meets",), id="best-none-left"),
    # -- explain
    explain(words=WAYS, id="explain-nothing"),
    explain("tea", words=WAYS, id="explain-one-set"),
    explain("tea", "milk", "--degree", words=WAYS, id="explain-two-things"),
    explain("--term", "tea", "--degree", words=WAYS, id="explain-term-and-degree"),
    explain("tea", "coffee", words=("'coffee'", "not an element"), id="explain-unknown-element"),
    explain("--term", "coffee", words=("'coffee'", "not an element"), id="explain-unknown-in-term"),
    explain("--term", "lemon+milk", words=("lemon+milk", "in no simplest model"), id="explain-term-not-used"),
    explain("--term", "{}", words=("{}", "in no simplest model"), id="explain-empty-term"),
    # -- order, compare, learn
    Bad("order-without-column", ("order", "l.json", "--alternatives", "pairs.csv"), ("'alternative'", "a,b")),
    Bad("order-unknown-element", ("order", "l.json", "--alternatives", "odd.csv"), ("odd.csv, line 3", "'coffee'"),
        (("odd.csv", "alternative\ntea\ncoffee+tea\n"),)),
    Bad("order-missing-file", ("order", "l.json", "--alternatives", "no.csv"), ("no.csv", "no such file")),
    Bad("certificate-unknown-element", ("compare", "l.json", "tea", "coffee", "--certificate"), ("'coffee'",)),
    Bad("time-limit-negative", (*LEARN, "--time-limit", "-1"), ("--time-limit", "0")),
    Bad("time-limit-text", (*LEARN, "--time-limit", "soon"), ("--time-limit", "learn --help")),
    Bad("engine-of-deg-for-card", (*LEARN, "--simplicity", "card", "--engine", "kernel"),
        ("engine 'kernel'", "auto, bruteforce, mip")),
]  # fmt: skip

each_bad = pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def execute(bad: Bad, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    """Run a bad command; nothing may be written or changed by it."""
    for name, content in bad.files:
        (folder / name).write_text(content)
    before = contents(folder)
    capsys.readouterr()
    code = run(*bad.arguments, *more)
    assert contents(folder) == before
    return code, *capsys.readouterr()


@each_bad
def test_one_clear_sentence_and_nothing_written(bad, folder, capsys):
    code, out, err = execute(bad, folder, capsys)
    assert (code, out) == (2, "")
    assert err.startswith("setpref: ")
    assert len(err.splitlines()) == 1
    assert "fault of setpref" not in err
    assert [word for word in bad.words if word not in err] == []


@each_bad
def test_the_same_sentence_as_json(bad, folder, capsys):
    code, out, err = execute(bad, folder, capsys, "--json")
    assert (code, err) == (2, "")
    assert len(out.splitlines()) == 1
    found = json.loads(out)
    assert set(found) == {"error"}
    assert [word for word in bad.words if word not in found["error"]] == []


def test_the_cases_are_many_and_their_names_differ():
    assert len(BAD) >= 25
    assert len({bad.id for bad in BAD}) == len(BAD)


# -- other measures, other sizes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--degree",), "the simplicity card does not look for the smallest degree"),
        (("--term", "milk+lemon"), "in no simplest model"),
    ],
)
def test_what_card_cannot_explain(folder, capsys, arguments, words):
    said(capsys, "learn", "data.csv", "--simplicity", "card", "--out", "card.json")
    assert run("explain", "card.json", *arguments) == 2
    assert words in capsys.readouterr().err


def test_deg_keeps_every_term_so_none_is_explained(folder, capsys):
    said(capsys, "learn", "data.csv", "--simplicity", "deg", "--out", "deg.json")
    assert run("explain", "deg.json", "--term", "tea") == 2
    assert "lex, card or ws" in capsys.readouterr().err


def test_the_order_of_too_many_sets_is_refused(folder, capsys):
    Path("many.csv").write_text("better,worse\n" + "+".join(f"x{i}" for i in range(15)) + ",{}\n")
    said(capsys, "learn", "many.csv", "--out", "many.json")
    assert run("order", "many.json") == 2
    shown = capsys.readouterr()
    assert "all sets over 15 elements are too many" in shown.err
    assert "give the alternatives" in shown.err
    facts = answer(capsys, "order", "many.json", "--alternatives", _few(folder))
    assert facts["alternatives"] == ["x1", "x1+x2"]


def _few(folder: Path) -> str:
    path = folder / "few.csv"
    path.write_text("alternative\nx1\nx2+x1\n")
    return str(path)


def test_more_terms_than_a_number_of_64_bits_can_tell_apart(folder, capsys):
    """A theta of 45 terms: directions are written in base three, 39 digits a number."""
    Path("long.csv").write_text("alternative,rating\n{},0\n" + "".join(f"x{i:02},{i + 1}\n" for i in range(45)))
    assert answer(capsys, "learn", "long.csv", "--out", "long.json")["cardinality"] == 45
    Path("pairs.csv").write_text("a,b\nx44+x43,{}\nx39,x00\nx00,x01\nx00+x01,x02\nx44+x00,x44\n")
    said(capsys, "predict", "long.json", "pairs.csv", "--out", "out.csv")
    with Path("out.csv").open(newline="") as stream:
        verdicts = [row["verdict"] for row in csv.DictReader(stream)]
    assert verdicts == ["better", "better", "worse", "unknown", "better"]


def test_millions_of_interchangeable_terms_are_never_listed(folder, capsys):
    """Under card any of 2^26 - 1 terms explains the one statement."""
    everything = "+".join(f"x{i:02}" for i in range(26))
    Path("one.csv").write_text(f"better,worse\n{everything},{{}}\n")
    said(capsys, "learn", "one.csv", "--simplicity", "card", "--out", "one.json")
    assert "is right" in said(capsys, "verify", "one.json")
    Path("pairs.csv").write_text(f"a,b\n{everything},{{}}\nx00,{{}}\n{{}},{everything}\n")
    facts = answer(capsys, "predict", "one.json", "pairs.csv", "--out", "out.csv")
    assert (facts["better"], facts["worse"], facts["unknown"]) == (1, 1, 1)
    assert answer(capsys, "compare", "one.json", "x00", "{}", "--certificate")["verdict"] == "unknown"
    assert "One statement alone forces it" in said(capsys, "explain", "one.json", everything, "{}")
