"""Bad inputs through the command line: each gives one clear sentence, the right exit code, and no file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from setpref.cli import commands

RATINGS = "alternative,rating\ntea,3\ntea+lemon,5\nmilk,2\ntea+milk,1\n{},0\n"
HEADER = "alternative,rating\n"
STATED = "better,worse\n"


@dataclass(frozen=True)
class Case:
    """A file that cannot be used, how it is given, and what the sentence must say.

    In `arguments`, ``@`` stands for the bad file and ``&`` for the folder it lies in.
    """

    id: str
    content: str | bytes | Callable[[Path], None] | None
    words: tuple[str, ...]
    name: str = "bad.csv"
    arguments: tuple[str, ...] = ("check", "@")
    code: int = 2


def entries(*items: object) -> str:
    return json.dumps(list(items))


def long_cycle(count: int) -> str:
    return STATED + "".join(f"e{i},e{(i + 1) % count}\n" for i in range(count))


def written(number: int) -> str:
    """Write a number as a set over the elements a, b, c, ...: many sets from few names."""
    return "+".join(chr(97 + i) for i in range(number.bit_length()) if number >> i & 1) or "{}"


def long_cycle_of_sets(count: int) -> str:
    return STATED + "".join(f"{written(i)},{written((i + 1) % count)}\n" for i in range(count))


def saved(change: Callable[[dict], object] | None = None, cut: float | None = None) -> Callable[[Path], None]:
    """Return a writer of a saved result in which something was changed, or of its first part."""

    def write(path: Path) -> None:
        source = path.parent / "good.csv"
        source.write_text(RATINGS)
        run(["learn", str(source), "--out", str(path)])
        source.unlink()
        text = path.read_text()
        if change is not None:
            document = json.loads(text)
            change(document)
            text = json.dumps(document)
        path.write_text(text if cut is None else text[: int(len(text) * cut)])

    return write


def folder(path: Path) -> None:
    path.mkdir()


def learn_out(*where: str) -> tuple[str, ...]:
    return ("learn", "@", "--out", *where)


REFUSED = ("learn", "@")  # check lists all contradictions before it ends with the same sentence
COMPARE = ("compare", "@", "tea", "milk")
LEARN = ("learn", "@", "--out", "&/out.json")

CASES = [
    # -- elements and sets
    Case("unknown-element-in-file", RATINGS, ("bad.csv, line 4", "'milk'", "tea, lemon"),
         arguments=("check", "@", "--universe", "tea+lemon")),
    Case("unknown-element-near", HEADER + "tea,1\nlemno,2\n", ("line 3", "'lemno'", "did you mean 'lemon'"),
         arguments=("check", "@", "--universe", "tea+lemon")),
    Case("unknown-element-one-known", HEADER + "milk,1\n", ("line 2", "'milk'", "only element is tea"),
         arguments=("check", "@", "--universe", "tea")),
    Case("unknown-element-in-statement", STATED + "tea,milk\n", ("line 2", "'milk'", "tea"),
         arguments=("learn", "@", "--universe", "tea")),
    Case("unknown-element-in-compare", saved(), ("'mlik'", "lemon, milk, tea", "did you mean 'milk'"),
         "saved.json", ("compare", "@", "tea", "mlik")),
    Case("compare-empty-text", saved(), ("set is missing", "{}"), "saved.json", ("compare", "@", "tea", "")),
    Case("compare-stray-plus", saved(), ("'tea+'", "empty name"), "saved.json", ("compare", "@", "tea+", "milk")),
    Case("compare-name-twice", saved(), ("'tea' twice",), "saved.json", ("compare", "@", "tea+tea", "milk")),
    Case("universe-blank", RATINGS, ("universe names no element", "tea+lemon"),
         arguments=("check", "@", "--universe", "")),
    Case("universe-empty-set", RATINGS, ("universe names no element",), arguments=("check", "@", "--universe", "{}")),
    Case("universe-name-twice", RATINGS, ("universe", "'tea' twice"),
         arguments=("check", "@", "--universe", "tea+tea")),
    Case("only-the-empty-set", HEADER + "{},3\n", ("bad.csv", "no set names an element", "universe")),
    Case("plus-in-column-name", "tea+milk,rating\n1,3\n", ("bad.csv", "'tea+milk'", "'+'", "rename")),
    Case("empty-set-as-column-name", "{},tea,rating\n1,1,3\n", ("bad.csv", "'{}'", "empty set", "rename")),
    Case("empty-set-within-a-set", HEADER + "tea+{},3\n", ("line 2", "'{}'", "rename")),
    Case("empty-name-in-set", HEADER + "tea++milk,3\n", ("line 2", "'tea++milk'", "empty name", "{}")),
    Case("name-twice-in-set", HEADER + "tea,1\ntea+milk+tea,3\n", ("line 3", "'tea' twice")),
    Case("set-missing", HEADER + ",3\n", ("line 2", "set is missing", "{}")),
    Case("blank-set", HEADER + "  ,3\n", ("line 2", "set is missing", "{}")),
    Case("statement-set-missing", STATED + "tea,\n", ("line 2", "set is missing", "{}")),
    Case("blanks-around-json-name", entries({"alternative": [" tea"], "rating": 1}), ("entry 1", "blanks"), "bad.json"),
    Case("number-as-json-name", entries({"alternative": [7], "rating": 1}), ("entry 1", "7", "not text"), "bad.json"),
    Case("number-as-json-set", entries({"alternative": 7, "rating": 1}), ("entry 1", "7 is not a set"), "bad.json"),
    Case("null-json-set", entries({"alternative": None, "rating": 1}), ("entry 1", "set is missing"), "bad.json"),
    # -- files that hold nothing
    Case("empty-file", "", ("bad.csv", "empty", "columns")),
    Case("blank-lines-only", "\n\n  \n", ("bad.csv", "empty", "columns")),
    Case("only-a-header", HEADER, ("bad.csv", "no rows", "add at least one")),
    Case("only-commas", ",,\n,,\n", ("bad.csv", "empty")),
    Case("empty-json", "", ("bad.json", "empty"), "bad.json"),
    Case("empty-json-list", "[]", ("bad.json", "list of entries"), "bad.json"),
    # -- ratings
    Case("rating-nan", HEADER + "tea,NaN\n", ("line 2", "rating", "'NaN'", "finite")),
    Case("rating-inf", HEADER + "tea,1\nmilk,-inf\n", ("line 3", "rating", "'-inf'", "finite")),
    Case("rating-missing", HEADER + "tea,\n", ("line 2", "rating", "missing", "4.5")),
    Case("rating-text", HEADER + "tea,good\n", ("line 2", "rating", "'good'", "4.5")),
    Case("rating-decimal-comma", HEADER + 'tea,"4,5"\n', ("line 2", "'4,5'", "a point", "4.5")),
    Case("rating-decimal-comma-unquoted", HEADER + "tea,4,5\n", ("line 2", "3 cells", "2 columns", "4.5, not 4,5")),
    Case("rating-huge-exponent", HEADER + "tea,1e999999999\n", ("line 2", "'1e999999999'", "exponents")),
    Case("rating-tiny-exponent", HEADER + "tea,1e-999999999\n", ("line 2", "'1e-999999999'", "exponents")),
    Case("rating-endless-digits", HEADER + f"tea,{'9' * 5000}\n", ("line 2", "5,000 characters", "too long")),
    Case("rating-over-zero", HEADER + "tea,1/0\n", ("line 2", "'1/0'")),
    Case("rating-underscore", HEADER + "tea,1_000\n", ("line 2", "'1_000'")),
    Case("rating-other-digits", HEADER + "tea,٣\n", ("line 2", "'٣'")),
    Case("json-rating-nan", '[{"alternative":"tea","rating":NaN}]', ("entry 1", "nan", "finite"), "bad.json"),
    Case("json-rating-infinite", '[{"alternative":"tea","rating":1e999999999}]', ("entry 1", "inf"), "bad.json"),
    Case("json-rating-null", entries({"alternative": "tea", "rating": None}), ("entry 1", "missing"), "bad.json"),
    Case("json-rating-list", entries({"alternative": "tea", "rating": [1]}),
         ("entry 1", "[1] is not a number"), "bad.json"),
    Case("json-endless-digits", '[{"alternative":"tea","rating":' + "9" * 5000 + "}]",
         ("bad.json", "digits"), "bad.json"),
    Case("conflicting-ratings", HEADER + "tea,3\nmilk,1\ntea,4\n", ("tea", "3 (line 2), 4 (line 4)", "median"),
         arguments=("check", "@", "--collisions", "error")),
    Case("conflicting-ratings-two-sets", HEADER + "a,3\nb,1\na,4\nb,2\n", ("3 (line 2), 4 (line 4)", "1 more set has"),
         arguments=("learn", "@", "--collisions", "error")),
    # -- contradictions
    Case("cycle-of-2", STATED + "tea+lemon,tea\nmilk,tea\ntea,lemon+tea\n",
         ("contradict", "line 2: lemon+tea over tea", "line 4: tea over lemon+tea", "correct or remove"),
         arguments=REFUSED),
    Case("cycle-of-3", STATED + "a,b\nb,c\nc,a\n", ("line 2: a over b", "line 3: b over c", "line 4: c over a"),
         arguments=REFUSED),
    Case("cycle-of-3-with-ids", "better,worse,id\na,b,first\nb,c,\nc,a,third\n",
         ("line 2 (first): a over b", "line 3: b over c", "line 4 (third): c over a"),
         arguments=REFUSED),
    Case("cycle-long", long_cycle(40), ("line 2: e0 over e1", "32 more", "line 41: e39 over e0"),
         arguments=REFUSED),
    Case("cycle-very-long", long_cycle_of_sets(2**14), ("line 2: {} over a", "more", "line 16385: ", "over {}"),
         arguments=REFUSED),
    Case("too-many-elements", long_cycle(10_001), ("bad.csv", "10,001 different elements", "at most 10,000")),
    Case("cycle-in-learn", STATED + "a,b\nb,a\n", ("line 2: a over b", "line 3: b over a"), arguments=LEARN),
    Case("cycle-in-json", entries({"better": "a", "worse": "b"}, {"better": ["b"], "worse": ["a"]}),
         ("entry 1: a over b", "entry 2: b over a"), "bad.json",
         arguments=REFUSED),
    Case("self-comparison", STATED + "a,b\ntea+milk,milk+tea\n",
         ("line 3", "milk+tea", "compared with itself", "remove")),
    Case("self-comparison-of-empty-set", STATED + "a,b\n{},{}\n", ("line 3", "{}", "compared with itself")),
    # -- repairs
    Case("degree-too-large", RATINGS, ("degree 4", "3 elements", "from 1 to 3"),
         arguments=("repair", "@", "--degree", "4")),
    Case("degree-zero", RATINGS, ("degree 0", "from 1 to 3"), arguments=("check", "@", "--degree", "0")),
    Case("degree-text", RATINGS, ("--degree", "integer"), arguments=("repair", "@", "--degree", "two")),
    Case("limit-zero", RATINGS, ("--limit", "1"), arguments=("repair", "@", "--limit", "0")),
    Case("groups-zero", RATINGS, ("--groups", "1"), arguments=("check", "@", "--groups", "0")),
    Case("time-limit-negative", RATINGS, ("--time-limit", "0"), arguments=("repair", "@", "--time-limit", "-1")),
    Case("time-limit-nan", RATINGS, ("--time-limit",), arguments=("repair", "@", "--time-limit", "nan")),
    Case("time-limit-text", RATINGS, ("--time-limit", "number"),
         arguments=("tradeoff", "@", "--time-limit", "long")),
    Case("repair-out-onto-data", RATINGS, ("bad.csv", "data file itself", "another name"),
         arguments=("repair", "@", "--out", "@")),
    Case("repair-out-json", RATINGS, ("clean.json", "saved as .csv"),
         arguments=("repair", "@", "--out", "&/clean.json")),
    Case("repair-out-in-missing-folder", RATINGS, ("no/clean.csv", "no folder", "make it"),
         arguments=("repair", "@", "--out", "&/no/clean.csv")),
    Case("tradeoff-share-text", RATINGS, ("share is much", "0 to 1"), arguments=("tradeoff", "@", "--share", "much")),
    Case("tradeoff-share-large", RATINGS, ("share is 5", "0 to 1"), arguments=("tradeoff", "@", "--share", "5")),
    Case("tradeoff-figure-ending", RATINGS, ("curve.txt", ".svg, .png, .pdf"),
         arguments=("tradeoff", "@", "--figure", "&/curve.txt")),
    Case("repair-bad-data", HEADER + "tea,good\n", ("line 2", "'good'"), arguments=("repair", "@")),
    # -- columns, cells, separators
    Case("duplicate-column", "tea,milk,tea,rating\n1,0,1,3\n", ("bad.csv", "'tea'", "twice", "keep one")),
    Case("duplicate-rating-column", "alternative,rating,rating\ntea,1,2\n", ("'rating'", "twice")),
    Case("unnamed-column", "tea,,rating\n1,0,3\n", ("bad.csv", "column has no name")),
    Case("semicolons", "alternative;rating\ntea;3\n", ("bad.csv", "semicolons", "commas")),
    Case("tabs", "alternative\trating\ntea\t3\n", ("bad.csv", "tabs", "commas")),
    Case("bars", "alternative|rating\ntea|3\n", ("bad.csv", "bars", "commas")),
    Case("unknown-columns", "name,score\ntea,3\n", ("bad.csv", "name,score", "alternative,rating", "better,worse")),
    Case("one-column", "rating\n3\n", ("bad.csv", "alternative,rating")),
    Case("missing-worse", "better,weight\ntea,1\n", ("bad.csv", "better,weight", "better,worse")),
    Case("missing-rating", "alternative,tea\nx,1\n", ("bad.csv", "alternative,tea", "alternative,rating")),
    Case("column-without-meaning", "alternative,rating,date\ntea,3,May\n", ("'date'", "alternative, rating", "remove")),
    Case(
        "statement-column-without-meaning",
        "better,worse,rating\na,b,3\n",
        ("'rating'", "id, relation, weight", "remove"),
    ),
    Case("row-too-short", HEADER + "tea,3\nmilk\n", ("line 3", "1 cell under 2 columns", "comma")),
    Case("row-too-long", "tea,milk,rating\n1,0,3\n1,0,1,2\n", ("line 3", "4 cells under 3 columns")),
    Case("wide-cell-not-0-1", "tea,milk,rating\n1,0,3\n1,2,4\n", ("line 3", "'milk' is '2'", "1 (in the set) or 0")),
    Case("wide-cell-empty", "tea,milk,rating\n1,,3\n", ("line 2", "'milk' is ''", "1 (in the set) or 0")),
    Case("wide-cell-text", "tea,milk,rating\nyes,0,3\n", ("line 2", "'tea' is 'yes'", "1 (in the set) or 0")),
    Case("wide-rating-missing", "tea,milk,rating\n1,0,\n", ("line 2", "rating", "missing")),
    Case("weight-negative", "better,worse,weight\na,b,-1\n", ("line 2", "weight -1", "above 0")),
    Case("weight-zero", "better,worse,weight\na,b,1\nb,c,0\n", ("line 3", "weight 0", "above 0")),
    Case("weight-nan", "better,worse,weight\na,b,nan\n", ("line 2", "weight", "'nan'")),
    Case("weight-missing", "better,worse,weight\na,b,\n", ("line 2", "weight", "missing")),
    # -- options
    Case("unknown-format", RATINGS, ("format 'tall'", "long, wide, statements"),
         arguments=("check", "@", "--format", "tall")),
    Case("wrong-format-statements", RATINGS, ("statements", "'better'", "alternative,rating"),
         arguments=("check", "@", "--format", "statements")),
    Case("wrong-format-wide", RATINGS, ("line 2", "'alternative' is 'tea'"),
         arguments=("check", "@", "--format", "wide")),
    Case("wrong-format-long", STATED + "a,b\n", ("long", "'alternative'", "better,worse"),
         arguments=("learn", "@", "--format", "long")),
    Case("unknown-collisions", RATINGS, ("collisions 'max'", "median, mean, last, drop, error"),
         arguments=("check", "@", "--collisions", "max")),
    Case("unknown-simplicity", RATINGS, ("simplicity 'best'", "deg"), arguments=(*LEARN, "--simplicity", "best")),
    Case("unknown-engine", RATINGS, ("engine 'magic'", "auto, bruteforce, mip"),
         arguments=(*LEARN, "--engine", "magic")),
    Case("max-rows-zero", RATINGS, ("--max-rows", "1"), arguments=("check", "@", "--max-rows", "0")),
    Case("max-rows-text", RATINGS, ("--max-rows", "integer"), arguments=("check", "@", "--max-rows", "many")),
    Case("too-many-rows", RATINGS, ("bad.csv", "more than 4 rows", "--max-rows"),
         arguments=("check", "@", "--max-rows", "4")),
    Case("too-many-entries", entries(*[{"better": "a", "worse": "b"}] * 5), ("more than 4 rows", "--max-rows"),
         "bad.json", ("check", "@", "--max-rows", "4")),
    Case("unknown-option", RATINGS, ("--colour", "check --help"), arguments=("check", "@", "--colour", "red")),
    Case("unknown-command", RATINGS, ("'guess'", "--help"), arguments=("guess", "@")),
    Case("missing-argument", saved(), ("second", "compare --help"), "saved.json", ("compare", "@", "tea")),
    # -- files that are not what they seem
    Case("not-utf8", "alternative,rating\ntea,1\ncafé,3\n".encode("latin-1"), ("bad.csv, line 3", "UTF-8", "save")),
    Case("utf16", RATINGS.encode("utf-16"), ("bad.csv", "UTF-8", "save")),
    Case("not-utf8-json", '[{"alternative":"café","rating":1}]'.encode("latin-1"),
         ("bad.json, line 1", "UTF-8"), "bad.json"),
    Case("nul-in-name", HEADER + "te\0a,3\n", ("line 2", "\\x00", "rename")),
    Case("nul-in-header", "alternative\0,rating\ntea,3\n", ("alternative\\x00",)),
    Case("escape-in-header", "\x1b[31m,score\ntea,3\n", ("\\x1b[31m",)),
    Case("quote-not-closed", HEADER + 'tea,1\n"milk,3\nlemon,4\n', ("line 3", "quotation mark", "close it")),
    Case("quote-not-closed-in-header", '"alternative,rating\ntea,3\n', ("line 1", "quotation mark")),
    Case("text-after-quote", HEADER + '"tea"s,3\n', ("line 2", "well-formed CSV")),
    Case("unknown-ending", RATINGS, ("bad.xlsx", ".csv, .json, .parquet", "convert"), "bad.xlsx"),
    Case("no-ending", RATINGS, ("ratings", ".csv, .json, .parquet"), "ratings"),
    Case("folder-for-file", folder, ("bad.csv", "folder"), "bad.csv"),
    Case("missing-file", None, ("bad.csv", "no such file", "check the path")),
    Case("name-too-long", None, ("xxx.csv",), "x" * 300 + ".csv"),
    Case("json-broken", '[{"alternative": "tea",\n "rating": 3\n',
         ("bad.json, line 3", "well-formed JSON"), "bad.json"),
    Case("json-text", "hello", ("bad.json, line 1", "well-formed JSON"), "bad.json"),
    Case("json-number", "7", ("bad.json", "list of entries", "alternative"), "bad.json"),
    Case("json-object-of-other-things", '{"people": []}', ("'ratings' or 'statements'", "people"), "bad.json"),
    Case("json-both", '{"ratings": [], "statements": []}', ("'ratings' or 'statements'",), "bad.json"),
    Case("json-ratings-no-list", '{"ratings": {"tea": 3}}', ("bad.json", "list of entries"), "bad.json"),
    Case("json-universe-no-list", '{"ratings": [], "universe": "tea"}', ("'universe'", "list of names"), "bad.json"),
    Case("json-entry-no-object", "[1, 2]", ("entry 1", "1 is not an object"), "bad.json"),
    Case("json-other-keys", entries({"better": "a", "worse": "b"}, {"better": "a", "worst": "b"}),
         ("entry 2", "same names"), "bad.json"),
    Case("json-key-twice", '[{"alternative":"a","rating":1,"rating":2}]',
         ("'rating'", "twice", "keep one"), "bad.json"),
    Case("json-deep", "[" * 100_000, ("bad.json", "nested too deeply"), "bad.json"),
    Case("json-unknown-element", '{"universe":["tea"],"statements":[{"better":"tea","worse":"milk"}]}',
         ("bad.json, entry 1", "'milk'", "only element is tea"), "bad.json"),
    # -- where results go
    Case("out-in-missing-folder", RATINGS, ("no/out.json", "no folder", "make it"),
         arguments=learn_out("&/no/out.json")),
    Case("out-onto-folder", RATINGS, ("is a folder", "file"), arguments=learn_out("&")),
    Case("out-onto-data", RATINGS, ("bad.csv", "data file itself", "another name"), arguments=learn_out("@")),
    Case("out-name-too-long", RATINGS, ("File name too long", "another"), arguments=learn_out(f"&/{'x' * 300}.json")),
    Case("out-but-bad-data", HEADER + "tea,good\n", ("line 2", "'good'"), arguments=LEARN),
    # -- saved results that are none
    Case("compare-missing", None, ("no.json", "no such file", "setpref learn"), "no.json", COMPARE),
    Case("verify-missing", None, ("no.json", "no such file", "setpref learn"), "no.json", ("verify", "@")),
    Case("compare-data-file", RATINGS, ("bad.csv",), "bad.csv", COMPARE),
    Case("compare-other-json", "{}", ("bad.json", "not a saved result", "setpref learn"), "bad.json", COMPARE),
    Case("verify-other-json", "[1]", ("bad.json", "not a saved result", "setpref learn"), "bad.json", ("verify", "@")),
    Case("verify-empty", "", ("bad.json", "empty"), "bad.json", ("verify", "@")),
    Case("compare-truncated", saved(cut=0.6), ("saved.json, line", "well-formed JSON"), "saved.json", COMPARE),
    Case("verify-truncated", saved(cut=0.6), ("saved.json, line", "well-formed JSON"), "saved.json", ("verify", "@")),
    Case("compare-future-version", saved(lambda d: d.update(version=99)), ("version 99", "reads versions 1, 2 and 3"),
         "saved.json", COMPARE),
    Case("verify-future-version", saved(lambda d: d.update(version=99)), ("version 99", "reads versions 1, 2 and 3"),
         "saved.json", ("verify", "@")),
    Case("verify-changed", saved(lambda d: d["result"].update(degree=1)), ("saved.json", "changed after it was saved"),
         "saved.json", ("verify", "@"), code=1),
    Case("compare-changed", saved(lambda d: d["result"].update(cardinality=99)), ("saved.json", "changed"),
         "saved.json", COMPARE, code=1),
]  # fmt: skip


@dataclass
class Ran:
    code: int
    out: str = ""
    err: str = ""
    left: set[str] = field(default_factory=set)


def run(arguments: list[str]) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["setpref", *arguments])
        with pytest.raises(SystemExit) as stopped:
            commands.main()
    return int(stopped.value.code or 0)


def prepare(case: Case, folder: Path) -> list[str]:
    path = folder / case.name
    if isinstance(case.content, bytes):
        path.write_bytes(case.content)
    elif isinstance(case.content, str):
        path.write_text(case.content, encoding="utf-8", newline="")
    elif case.content is not None:
        case.content(path)
    return [a.replace("@", str(path)).replace("&", str(folder)) for a in case.arguments]


def execute(case: Case, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> Ran:
    arguments = prepare(case, folder)
    before = set(folder.rglob("*"))
    capsys.readouterr()
    code = run([*arguments, *more])
    said = capsys.readouterr()
    return Ran(code, said.out, said.err, {str(path) for path in set(folder.rglob("*")) ^ before})


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


@each_case
def test_one_clear_sentence(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = execute(case, tmp_path, capsys)
    assert ran.code == case.code
    assert ran.out == ""
    assert ran.err.startswith("setpref: ")
    assert ran.err.endswith("\n")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.strip().isprintable()
    assert "Traceback" not in ran.err
    assert "fault of setpref" not in ran.err
    assert [word for word in case.words if word not in ran.err] == []
    assert ran.left == set()


@each_case
def test_the_same_sentence_as_json(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = execute(case, tmp_path, capsys, "--json")
    answer = json.loads(ran.out)
    assert ran.code == case.code
    assert set(answer) == {"error"}
    assert [word for word in case.words if word not in answer["error"]] == []
    assert len(ran.out.splitlines()) == 1
    assert ran.err == ""
    assert ran.left == set()


def test_the_corpus_is_large_and_its_names_differ() -> None:
    assert len(CASES) >= 60
    assert len({case.id for case in CASES}) == len(CASES)


def test_a_million_rows_are_refused_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.csv"
    path.write_text(HEADER + "tea,1\n" * 1_000_000)
    code = run(["check", str(path)])
    assert code == 2
    assert capsys.readouterr().err.startswith("setpref: log.csv has more than 200,000 rows")


def test_not_a_parquet_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files are read by pyarrow")
    case = Case("", b"PAR1 but not really", ("bad.parquet", "not a Parquet file"), "bad.parquet")
    ran = execute(case, tmp_path, capsys)
    assert (ran.code, ran.out, ran.left) == (2, "", set())
    assert ran.err == "setpref: bad.parquet is not a Parquet file that can be read; write it again\n"


def test_parquet_without_pyarrow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = execute(Case("", b"", (), "bad.parquet"), tmp_path, capsys)
    assert ran.code == 2
    assert "pip install 'setpref[parquet]'" in ran.err


def test_a_fault_of_ours_shows_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr("setpref.cli.options.Source.read", fail)
    assert run(["check", "any.csv"]) == 3
    assert capsys.readouterr().err.startswith("setpref: this is a fault of setpref (RuntimeError: oh)")


@pytest.mark.parametrize("case_id", ["rating-text", "cycle-of-3", "verify-changed"])
def test_as_a_process_of_its_own(case_id: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.id == case_id)
    arguments = prepare(case, tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", "from setpref.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (case.code, "")
    assert ran.stderr.startswith("setpref: ")
    assert len(ran.stderr.splitlines()) == 1
    assert [word for word in case.words if word not in ran.stderr] == []
