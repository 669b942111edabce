"""The commands check, repair and tradeoff on data that contradict themselves: words, JSON, files, exit codes."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import setpref as sp
from setpref.cli import commands
from setpref.data.files import read_table
from setpref.data.items import Items
from setpref.data.numbers import decimal
from setpref.errors import InputError
from setpref.repairs.cleaning import cleaned
from setpref.showing.contradictions import repair_lines, tradeoff_lines

CLASH = """better,worse,weight,id
a,b,1,first
b,c,2,
c,a,1,third
a,c,1,
c,a,0.5,again
"""
RATED = "alternative,rating\ntea,3\ntea+milk,1\nmilk,2\n{},0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "clash.csv").write_text(CLASH)
    (tmp_path / "rated.csv").write_text(RATED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["setpref", *arguments])
        with pytest.raises(SystemExit) as stopped:
            commands.main()
    said = capsys.readouterr()
    return int(stopped.value.code or 0), said.out, said.err


# -- check -----------------------------------------------------------------------------------------------------------


def test_check_lists_every_group_smallest_first(folder, capsys):
    code, out, err = run(capsys, "check", "clash.csv")
    assert code == 2
    assert err.startswith(
        "setpref: the statements contradict each other, a shortest cycle is: line 4 (third): c over a"
    )
    assert out == (
        "read 5 statements over 3 elements from clash.csv\n"
        "elements: a, b, c\n"
        "distinct statements: 4 (1 repeated)\n"
        "the statements contradict each other\n"
        "2 groups of statements that no model satisfies together (all there are, smallest first):\n"
        "  1. 2 statements\n"
        "     line 4 (third) and line 6 (again): c over a\n"
        "     line 5: a over c\n"
        "  2. 3 statements\n"
        "     line 2 (first): a over b\n"
        "     line 3: b over c\n"
        "     line 4 (third) and line 6 (again): c over a\n"
        "in how many of them each is:\n"
        "      2  line 4 (third) and line 6 (again): c over a\n"
        "      1  line 2 (first): a over b\n"
        "      1  line 3: b over c\n"
        "      1  line 5: a over c\n"
        "the least to give up is found by: setpref repair clash.csv\n"
    )


def test_check_as_json(folder, capsys):
    code, out, err = run(capsys, "check", "clash.csv", "--json", "--groups", "1")
    facts = json.loads(out)
    assert (code, err, len(out.splitlines())) == (2, "", 1)
    assert facts["contradiction"].startswith("the statements contradict each other, a shortest cycle is: line 4")
    assert (facts["excluded"]["found"], facts["excluded"]["complete"]) == (2, True)
    assert [[one["positions"] for one in group] for group in facts["excluded"]["groups"]] == [[[4, 6], [5]]]
    assert [one["groups"] for one in facts["excluded"]["counts"]] == [2, 1, 1, 1]


def test_check_at_a_degree_is_no_fault_of_the_data(folder, capsys):
    code, out, _ = run(capsys, "check", "rated.csv", "--degree", "1")
    assert code == 0
    assert "4 ratings" in out
    assert "1 group of ratings that no model with terms of up to 1 element satisfies together (all there are):" in out


def test_check_at_a_degree_that_suffices(folder, capsys):
    code, out, _ = run(capsys, "check", "rated.csv", "--degree", "2")
    assert code == 0
    assert "a model satisfies all of it" in out


def test_check_says_when_there_are_more(folder, capsys):
    pairs = [f"s{i},s{j}" for i in range(12) for j in range(12) if i != j]
    Path("many.csv").write_text("better,worse\n" + "\n".join(pairs) + "\n")
    code, out, _ = run(capsys, "check", "many.csv", "--groups", "3")
    assert code == 2
    assert "1,000 groups of statements that no model satisfies together" in out
    assert "there may be more; all with up to 3 are here, the 3 smallest shown" in out
    assert out.count(" statements\n") == 3


def test_a_long_cycle_is_cut(folder, capsys):
    Path("long.csv").write_text("better,worse\n" + "".join(f"e{i},e{(i + 1) % 400}\n" for i in range(400)))
    code, out, _ = run(capsys, "check", "long.csv")
    assert code == 2
    assert "... 392 more ..." in out
    assert len(out) < 10_000


# -- repair ----------------------------------------------------------------------------------------------------------


def test_repair_names_what_is_given_up_and_why(folder, capsys):
    code, out, err = run(capsys, "repair", "clash.csv", "--out", "clean.csv")
    assert (code, err) == (0, "")
    assert out == (
        "read 5 statements over 3 elements from clash.csv\n"
        "1 of 4 statements, of weight 1.5, must be given up so that some model satisfies the rest; no less will do\n"
        "there is one such repair\n"
        "the repair:\n"
        "  give up line 4 (third) and line 6 (again): c over a\n"
        "    it cannot hold together with line 5: a over c\n"
        "saved 3 rows to clean.csv\n"
    )
    assert Path("clean.csv").read_text() == "better,worse,weight,id\na,b,1,first\nb,c,2,\na,c,1,\n"


def test_the_cleaned_data_can_be_learned_from(folder, capsys):
    run(capsys, "repair", "clash.csv", "--out", "clean.csv")
    assert run(capsys, "check", "clean.csv")[0] == 0
    assert sp.learn(sp.read("clean.csv")).degree == 1


def test_repair_as_json(folder, capsys):
    code, out, err = run(capsys, "repair", "clash.csv", "--json", "--out", "clean.csv")
    facts = json.loads(out)
    assert (code, err, len(out.splitlines())) == (0, "", 1)
    assert (facts["cost"], facts["lower_bound"], facts["proven"], facts["complete"]) == ("1.5", "1.5", True, True)
    ((dropped,),) = [one["dropped"] for one in facts["repairs"]]
    assert (dropped["positions"], dropped["says"], dropped["sets"]) == ([4, 6], "c over a", ["c", "a"])
    assert [one["positions"] for one in dropped["cannot_hold_with"]] == [[5]]
    assert (facts["saved"], facts["rows"]) == ("clean.csv", 3)


def test_nothing_to_give_up(folder, capsys):
    code, out, _ = run(capsys, "repair", "rated.csv")
    assert code == 0
    assert "nothing has to be given up: some model satisfies all 4 ratings" in out


def test_ratings_are_given_up_at_a_degree(folder, capsys):
    code, out, _ = run(capsys, "repair", "rated.csv", "--degree", "1", "--out", "clean.csv")
    assert code == 0
    assert "1 of 4 ratings must be given up so that a model with terms of up to 1 element satisfies the rest" in out
    assert "4 repairs cost as much" in out
    assert "... and 1 repair more (--json lists them)" in out
    assert "saved 3 rows to clean.csv, without what repair 1 gives up" in out
    assert sp.learn(sp.read("clean.csv"), "deg").degree == 1


def test_more_repairs_than_the_limit(folder, capsys):
    code, out, _ = run(capsys, "repair", "rated.csv", "--degree", "1", "--limit", "2")
    assert code == 0
    assert "2 of the cheapest are listed; there may be more (--limit)" in out


def test_stopped_early(folder, capsys):
    code, out, _ = run(capsys, "repair", "clash.csv", "--time-limit", "0")
    assert code == 0
    assert "stopped early: the weight that must be given up" in out
    assert "is between 0 and" in out


def test_out_may_not_be_the_file_of_indifferences(folder, capsys):
    Path("same.csv").write_text("a,b\na,b\n")
    code, out, err = run(capsys, "repair", "clash.csv", "--same", "same.csv", "--out", "same.csv")
    assert (code, out) == (2, "")
    assert err == "setpref: --out same.csv is the file of what is the same itself; choose another name\n"


def test_indifferences_of_a_second_file_are_kept(folder, capsys):
    Path("stated.csv").write_text("better,worse\na,b\nb,c\n")
    Path("same.csv").write_text("a,b\nc,a\nd,a\n")
    code, out, _ = run(capsys, "repair", "stated.csv", "--same", "same.csv", "--out", "clean.csv")
    assert code == 0
    assert "same.csv, line 2: c same as a" in out
    clean = sp.read("clean.csv")
    assert clean.equal_count + clean.pair_count == 3
    assert Path("clean.csv").read_text().startswith("better,worse,relation\n")


# -- the cleaned table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "layout", "expected"),
    [
        ("long.csv", RATED, "long", [["tea", "3"], ["milk+tea", "1"], ["{}", "0"]]),
        ("wide.csv", "tea,milk,rating\n1,0,3\n0,1,2.50\n1,1,1\n", "wide", [["1", "0", "3"], ["1", "1", "1"]]),
        ("wide.json", '[{"tea": true, "rating": 3, "milk": false}, {"tea": 0, "milk": 1, "rating": 2}]', "wide",
         [["1", "3", "0"]]),
        ("twice.csv", "alternative,rating\nmilk,1\ntea,3\nmilk,2\n", "long", [["tea", "3"]]),
        ("long.json", '[{"alternative": ["tea", "milk"], "rating": 3}, {"alternative": "milk", "rating": 2}]', "long",
         [["milk+tea", "3"]]),
    ],
)  # fmt: skip
def test_rows_of_ratings_are_kept_as_they_were(name, text, layout, expected, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    items = Items(sp.read(path))
    milk = items.preferences.universe.mask("milk")
    number = items.number[(milk,), False]
    assert cleaned(items, [number], read_table(path)[0], layout)[1] == expected


@pytest.mark.parametrize("number", ["7/4", "3", "-1/80", "1/1024", "123456789/1000"])
def test_decimals_are_exact(number):
    assert Fraction(decimal(Fraction(number))) == Fraction(number)


def test_a_third_is_no_decimal():
    with pytest.raises(InputError, match="decimal"):
        decimal(Fraction(1, 3))


def test_many_statements_given_up_are_counted():
    pairs = [(f"a{i}", f"b{i}") for i in range(30)]
    prefs = sp.Preferences.from_pairs([*pairs, *((b, a) for a, b in pairs)], contradictions="keep")
    lines = repair_lines(sp.repair(prefs, limit=1))
    assert "  ... and 10 statements more (--json lists them)" in lines


# -- tradeoff --------------------------------------------------------------------------------------------------------


def test_the_tradeoff_as_a_table(folder, capsys):
    code, out, err = run(capsys, "tradeoff", "rated.csv")
    assert (code, err) == (0, "")
    assert out == (
        "read 4 ratings of sets over 2 elements from rated.csv\n"
        "degree  given up of 4\n"
        "     1  1\n"
        "     2  0\n"
        "a degree above 2 gives up no less\n"
        "recommended: degree 2, the smallest degree that gives up at most 5% of what is stated, beyond what no model "
        "satisfies (a rule of thumb, not applied)\n"
    )


def test_the_tradeoff_by_terms_as_json(folder, capsys):
    code, out, _ = run(capsys, "tradeoff", "rated.csv", "--terms", "--json", "--share", "0.3")
    facts = json.loads(out)
    assert code == 0
    assert [(p["terms"], p["cost"], p["proven"]) for p in facts["points"]] == [(2, "1", True), (3, "0", True)]
    assert facts["recommended"]["terms"] == 2
    assert facts["points"][1]["model"]


def test_the_tradeoff_as_a_figure(folder, capsys):
    code, out, _ = run(capsys, "tradeoff", "rated.csv", "--figure", "curve.svg")
    assert code == 0
    assert "drawn in curve.svg" in out
    assert Path("curve.svg").read_text().startswith("<?xml")


def test_unproven_points_are_said_to_be():
    found = sp.tradeoff(sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0}), time_limit=0)
    lines = tradeoff_lines(found, found.recommend())
    assert found.proven or any("the time was too short" in line for line in lines)
