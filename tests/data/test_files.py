"""Files: the same data in every format, odd but legal files, and writing whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from setpref.cli import commands
from setpref.data import files
from setpref.data.files import load_json, read
from setpref.data.preferences import Preferences
from setpref.data.writing import check_target, write_text
from setpref.errors import BadTable, InputError, TooLarge

LONG = "alternative,rating\ntea,3\ntea+lemon,4.5\n{},1\nmilk+tea,1\nmilk,2\n"
WIDE = "lemon,milk,tea,rating\n0,0,1,3\n1,0,1,4.5\n0,0,0,1\n0,1,1,1\n0,1,0,2\n"
STATED = "better,worse,weight,id\ntea+lemon,tea,1,x\ntea,milk,0.1,\nmilk,{},1/3,7\n"
NAMES = ["lemon", "milk", "tea"]
RATED = {0b101: Fraction(9, 2), 0b100: 3, 0b010: 2, 0b000: 1, 0b110: 1}


def records(text: str, *, sets: Callable[[str], Any] = str) -> list[dict[str, Any]]:
    header, *lines = text.splitlines()
    found: list[dict[str, Any]] = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    for record in found:
        record.update({key: sets(record[key]) for key in ("alternative", "better", "worse") if key in record})
        record.update({key: float(record[key]) for key in ("rating",) if key in record})
        record.update({key: int(record[key]) for key in ("lemon", "milk", "tea") if key in record})
    return found


def listed(written: str) -> list[str]:
    return [] if written == "{}" else written.split("+")


RATED_FILES: dict[str, tuple[str, str]] = {
    "long csv": ("r.csv", LONG),
    "wide csv": ("r.csv", WIDE),
    "upper-case ending": ("R.CSV", LONG),
    "crlf": ("r.csv", LONG.replace("\n", "\r\n")),
    "cr": ("r.csv", LONG.replace("\n", "\r")),
    "byte order mark": ("r.csv", "\ufeff" + LONG),
    "blank lines": ("r.csv", "\n\n" + LONG.replace("\n", "\n\n") + " , \n"),
    "no last line end": ("r.csv", LONG.rstrip("\n")),
    "quoted cells": ("r.csv", '"alternative","rating"\n"tea","3"\ntea+lemon,"4.5"\n"{}",1\n"milk+tea",1\nmilk,2\n'),
    "blanks around cells": ("r.csv", LONG.replace(",", " , ").replace("+", " + ")),
    "trailing commas": ("r.csv", LONG.replace("\n", ",\n")),
    "trailing commas below": ("r.csv", LONG.replace("\n", ",,\n").replace("rating,,", "rating")),
    "wide with trailing commas": ("r.csv", WIDE.replace("\n", ",,\n")),
    "wide with words": ("r.csv", WIDE.replace("0,0,1,3", "false,FALSE,True,3").replace("0,1,1,1", "0.0,1.0,1.0,1")),
    "other column order": ("r.csv", "rating,alternative\n3,tea\n4.5,lemon+tea\n1,{}\n1,tea+milk\n2,milk\n"),
    "long json": ("r.json", json.dumps(records(LONG))),
    "long json of lists": ("r.json", json.dumps(records(LONG, sets=listed))),
    "wide json": ("r.json", json.dumps(records(WIDE))),
    "json object": ("r.json", json.dumps({"ratings": records(LONG)})),
    "json object with universe": ("r.json", json.dumps({"universe": NAMES, "ratings": records(LONG)})),
    "json with byte order mark": ("r.json", "\ufeff" + json.dumps(records(LONG))),
}  # fmt: skip

STATED_FILES: dict[str, tuple[str, str]] = {
    "csv": ("s.csv", STATED),
    "csv, other column order": ("s.csv", "id,worse,weight,better\nx,tea,1,tea+lemon\n,milk,.1,tea\n7,{},1/3,milk\n"),
    "json": ("s.json", json.dumps(records(STATED))),
    "json of lists": ("s.json", json.dumps(records(STATED, sets=listed))),
    "json object": ("s.json", json.dumps({"statements": records(STATED)})),
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("kind", RATED_FILES)
def test_ratings_in_every_kind_of_file(kind: str, tmp_path: Path) -> None:
    name, text = RATED_FILES[kind]
    preferences = read(write(tmp_path, name, text))
    assert preferences.universe.names == tuple(NAMES)
    assert preferences.ratings == RATED
    assert preferences.source == name
    assert str(preferences) == "5 ratings of sets over 3 elements"


@pytest.mark.parametrize("kind", STATED_FILES)
def test_statements_in_every_kind_of_file(kind: str, tmp_path: Path) -> None:
    preferences = read(write(tmp_path, *STATED_FILES[kind]))
    said = [(s.better, s.worse, s.weight, s.id) for s in preferences.statements]
    assert said == [(5, 4, 1, "x"), (4, 2, Fraction(1, 10), None), (2, 0, Fraction(1, 3), "7")]


@pytest.mark.parametrize("lists", [False, True], ids=["text", "lists"])
@pytest.mark.parametrize("text", [LONG, WIDE, STATED], ids=["long", "wide", "statements"])
def test_parquet_says_the_same_as_csv(text: str, lists: bool, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    path = tmp_path / "p.parquet"
    parquet.write_table(arrow.Table.from_pylist(records(text, sets=listed if lists else str)), path)
    found, expected = read(path), read(write(tmp_path, "p.csv", text))
    assert (found.universe, found.ratings) == (expected.universe, expected.ratings)
    assert [(s.better, s.worse, s.weight, s.id) for s in found.statements] == [
        (s.better, s.worse, s.weight, s.id) for s in expected.statements
    ]


def test_parquet_keeps_to_the_row_limit(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    parquet.write_table(arrow.Table.from_pylist(records(LONG)), tmp_path / "p.parquet")
    with pytest.raises(TooLarge, match="more than 4 rows"):
        read(tmp_path / "p.parquet", max_rows=4)


def test_parquet_null_cells_are_missing(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    parquet.write_table(arrow.table({"alternative": ["a", None], "rating": [1, 2]}), tmp_path / "p.parquet")
    with pytest.raises(BadTable, match=r"p.parquet, row 2: a set is missing"):
        read(tmp_path / "p.parquet")


def test_positions_are_lines_of_the_file(tmp_path: Path) -> None:
    preferences = read(write(tmp_path, "s.csv", '\nbetter,worse,id\n\na,b,"two\nlines"\n\nb,c,\n'))
    assert preferences.word == "line"
    assert [s.position for s in preferences.statements] == [5, 7]


@pytest.mark.parametrize("layout", ["long", "wide", "statements"])
def test_a_format_that_is_asked_for(layout: str, tmp_path: Path) -> None:
    text = {"long": LONG, "wide": WIDE, "statements": STATED}[layout]
    asked, recognised = (read(write(tmp_path, "d.csv", text), format=f) for f in (layout, None))
    assert asked == recognised


def test_a_wide_file_may_name_an_element_weight(tmp_path: Path) -> None:
    preferences = read(write(tmp_path, "w.csv", "weight,id,rating\n1,0,3\n0,1,2\n"))
    assert preferences.tiers == ((1,), (2,))


def test_the_universe_given_beats_the_universe_of_the_file(tmp_path: Path) -> None:
    path = write(
        tmp_path, "u.json", json.dumps({"universe": ["b", "a"], "ratings": [{"alternative": "a", "rating": 1}]})
    )
    assert read(path).universe.names == ("b", "a")
    assert read(path, universe="a+c").universe.names == ("a", "c")


def test_a_column_of_an_element_in_no_set_stays_in_the_universe(tmp_path: Path) -> None:
    assert read(write(tmp_path, "w.csv", "tea,ice,rating\n1,0,3\n0,0,2\n")).universe.names == ("tea", "ice")


def test_exactly_as_many_rows_as_allowed(tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", LONG)
    assert read(path, max_rows=5).given == 5
    with pytest.raises(TooLarge, match="more than 4 rows"):
        read(path, max_rows=4)


def test_a_late_duplicate_among_many_json_names_is_found_at_once(tmp_path: Path) -> None:
    names = ",".join(f'"e{i}":1' for i in range(100_000))
    with pytest.raises(BadTable, match="'last' stands twice"):
        load_json(write(tmp_path, "j.json", "{" + names + ',"last":1,"last":2}'))


# -- writing ---------------------------------------------------------------------------------------------------


def test_writing_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_text(path, "a long first text\n")
    write_text(path, "thé\n")
    assert path.read_bytes() == "thé\n".encode()
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize(
    ("error", "raised"),
    [(OSError(28, "No space left on device"), InputError), (KeyboardInterrupt(), KeyboardInterrupt)],
    ids=["disk full", "interrupted"],
)
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    error: BaseException, raised: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.txt"
    write_text(path, "old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(raised):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize(("name", "words"), [("", "is a folder"), ("no/out.json", "no folder .*make it first")])
def test_where_no_file_can_be_written(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        check_target(tmp_path / name)
    with pytest.raises(InputError, match=words):
        write_text(tmp_path / name, "text")


# -- odd but legal data through the command line ------------------------------------------------------------------

ODD = {
    "one element": "alternative,rating\ntea,1\n{},0\n",
    "one rating": "alternative,rating\ntea,1\n",
    "equal ratings": "alternative,rating\ntea,1\nmilk,1\n",
    "the empty set is best": "alternative,rating\n{},2\ntea,1\n",
    "accents and blanks": "alternative,rating\nthé vert+crème brûlée,2\nthé vert,1\n",
    "70 elements": "better,worse\n" + "".join(f"e{i},e{i + 1}\n" for i in range(69)),
    "negative ratings": "alternative,rating\ntea,-1\nmilk,-2.5\n",
    "huge ratings": "alternative,rating\ntea,1e999\ntea,3e999\nmilk,1e-999\nlemon,2/3\n",
    "huge mean": "alternative,rating\ntea,1e400\ntea,0.5\nmilk,1\n",
    "repeated statements": "better,worse\na,b\na,b\n",
}  # fmt: skip


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["setpref", *arguments])
    with pytest.raises(SystemExit) as stopped:
        commands.main()
    return int(stopped.value.code or 0)


@pytest.mark.parametrize("kind", ODD)
def test_odd_data_are_checked_learned_and_verified(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = str(write(tmp_path, "odd.csv", ODD[kind])), str(tmp_path / "out.json")
    codes = [
        run(monkeypatch, "check", data),
        run(monkeypatch, "check", data, "--json"),
        run(monkeypatch, "learn", data, "--simplicity", "deg", "--out", out),
        run(monkeypatch, "verify", out),
    ]
    said = capsys.readouterr()
    assert codes == [0, 0, 0, 0]
    assert said.err == ""
    assert "from odd.csv" in said.out
    assert said.out.endswith("out.json is right\n")


def test_check_counts_pairs_without_listing_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Preferences) -> None:
        raise AssertionError("the pairs of two large tiers do not fit in memory")

    monkeypatch.setattr(Preferences, "pairs", property(refuse))
    path = write(tmp_path, "r.csv", LONG)
    assert run(monkeypatch, "check", str(path), "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["stated_pairs"], facts["adjacent_pairs"]) == (9, 4)
    assert facts["tier_ratings"] == ["4.5", "3", "2", "1"]
