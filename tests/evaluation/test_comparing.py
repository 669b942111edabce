"""Making up a person and comparing methods: the protocol, the two commands, and what they refuse."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

import setpref as sp
from setpref import InputError
from setpref.evaluation.comparing import METHODS, Settings, evaluate
from setpref.evaluation.intervals import Interval
from setpref.evaluation.synthetic import SyntheticUser, draw_sets, draw_user
from setpref.showing.methods import method_lines

RATED = draw_user(6, terms=3, rng=3).rated(draw_sets(6, 18, rng=3))


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "setpref", *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False
    )
    return done.returncode, done.stdout, done.stderr


# -- the protocol ----------------------------------------------------------------------------------------------------


def test_an_interval_worked_by_hand():
    # Mean 0.6, deviation 0.1, three runs: half width 4.302653 * 0.1 / sqrt 3.
    found = Interval.of([0.5, 0.6, 0.7])
    assert found.high - found.mean == pytest.approx(4.3026527 * 0.1 / math.sqrt(3))
    assert math.isnan(Interval.of([0.5]).low)
    assert Interval.of([math.nan]).runs == 0


def test_every_method_is_judged_on_the_same_pairs():
    done = evaluate(RATED, list(METHODS), repeats=3, rng=1)
    assert (done.alternatives, done.training, done.repeats) == (18, 14, 3)
    assert done.pairs == 18 * 17 // 2 - 14 * 13 // 2
    rates = {method: done.values[method]["prediction_rate"] for method in METHODS}
    assert rates["lr-reject"] == rates["svm-reject"] == pytest.approx(rates["ord"])
    assert all(u <= a <= v for u, a, v in zip(rates["ord-union"], rates["ord"], rates["ord-volume"], strict=True))
    assert all(0 <= v <= 1 for found in done.values.values() for runs in found.values() for v in runs)
    again = evaluate(RATED, list(METHODS), repeats=3, rng=1)
    assert again.values == done.values
    assert evaluate(RATED, ["knn"], repeats=3, rng=1).values["knn"] == done.values["knn"]
    assert evaluate(RATED, ["knn"], repeats=3, rng=2).values["knn"] != done.values["knn"]


def test_the_table_says_what_was_done():
    done = evaluate(RATED, ["ord", "knn"], repeats=2, settings=Settings(weights="proportional"))
    lines = method_lines(done.facts())
    assert lines[0].split() == ["method", "prediction", "rate", "precision", "recall", "f1", "correctness"]
    assert lines[1].startswith("ord ")
    assert lines[-1] == "knn: 5 nearest neighbours, weights proportional to the distance"
    assert "learned from 14 of 18 sets" in lines[3]


def test_a_stopped_search_is_told():
    done = evaluate(RATED, ["ord"], repeats=2, settings=Settings(time_limit=0.0))
    assert done.unproven == 2
    assert method_lines(done.facts())[-1].startswith("not proven: in 2 of 2 runs")


def test_progress_is_reported():
    said = []
    evaluate(RATED, ["lr", "knn"], repeats=1, progress=said.append)
    assert said == ["run 1 of 1: lr", "run 1 of 1: knn"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"methods": ["magic"]}, "method 'magic' is not known"),
        ({"methods": []}, "no method is named"),
        ({"methods": ["lr-reject"]}, "name ord among the methods"),
        ({"train": 1.0}, r"train is 1\.0"),
        ({"train": float("nan")}, "train is nan"),
        ({"repeats": 0}, "repeats is 0"),
        ({"pairs": 0}, "pairs is 0"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        evaluate(RATED, **options)


def test_data_that_cannot_be_evaluated_are_refused():
    with pytest.raises(InputError, match="holds statements"):
        evaluate(sp.Preferences.from_pairs([("a", "b")]))
    with pytest.raises(InputError, match="has 2 rated sets"):
        evaluate(sp.Preferences.from_ratings({"a": 1, "b": 2}))
    with pytest.raises(InputError, match="rated alike"):
        evaluate(sp.Preferences.from_ratings(dict.fromkeys("abcd", 1)))


# -- the commands ----------------------------------------------------------------------------------------------------


def test_generate_writes_what_the_other_commands_read(tmp_path):
    code, said, _ = run("generate", "--elements", 8, "--seed", 1, "--out", "ratings.csv", cwd=tmp_path)
    assert code == 0
    assert said.startswith("24 rated sets over 8 elements written to ratings.csv\n")
    prefs = sp.read(tmp_path / "ratings.csv")
    user = SyntheticUser.from_json((tmp_path / "ratings.truth.json").read_text())
    assert prefs.universe == user.universe
    assert prefs.ratings == {mask: user.ratings[mask] for mask in prefs.ratings}
    assert run("check", "ratings.csv", cwd=tmp_path)[0] == 0
    assert run("learn", "ratings.csv", "--out", "learned.json", cwd=tmp_path)[0] == 0
    first = (tmp_path / "ratings.csv").read_bytes()
    run("generate", "--elements", 8, "--seed", 1, "--out", "ratings.csv", cwd=tmp_path)
    assert (tmp_path / "ratings.csv").read_bytes() == first


def test_generate_takes_terms_noise_and_json(tmp_path):
    options = ["--elements", 5, "--sets", 32, "--terms", 4, "--jitter", 2, "--scale", 5, "--json"]
    code, said, _ = run("generate", *options, "--out", "a.csv", cwd=tmp_path)
    assert code == 0
    assert json.loads(said)["terms"] == 9
    user = SyntheticUser.from_json((tmp_path / "a.truth.json").read_text())
    given = sp.read(tmp_path / "a.csv").ratings
    assert len(given) == 32
    assert {int(r) for r in given.values()} <= {1, 2, 3, 4, 5}
    assert any(user.ratings[mask] != rating for mask, rating in given.items())


def test_evaluate_prints_a_table_and_json(tmp_path):
    run("generate", "--elements", 5, "--sets", 16, "--out", "a.csv", cwd=tmp_path)
    code, said, _ = run("evaluate", "a.csv", "--repeats", 2, cwd=tmp_path)
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()[2:6]] == ["ord", "lr", "svm", "knn"]
    code, said, _ = run("evaluate", "a.csv", "--repeats", 2, "--methods", "knn,ord", "--json", cwd=tmp_path)
    facts = json.loads(said)
    assert list(facts["methods"]) == ["knn", "ord"]
    assert facts["training"] == 13
    assert 0 <= facts["methods"]["ord"]["correctness"]["mean"] <= 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "a.txt"], "ends in .csv"),
        (["--out", "nowhere/a.csv"], "there is no folder"),
        (["--out", "a.csv", "--elements", "0"], "the number of elements is 0"),
        (["--out", "a.csv", "--elements", "40"], "from 1 to 20"),
        (["--out", "a.csv", "--elements", "3", "--sets", "9"], "there are 8"),
        (["--out", "a.csv", "--sets", "1"], "at least 2 sets"),
        (["--out", "a.csv", "--p", "0"], "p is 0.0"),
        (["--out", "a.csv", "--alpha", "nan"], "alpha is nan"),
        (["--out", "a.csv", "--terms", "9999"], "to draw from"),
        (["--out", "a.csv", "--scale", "0"], "scale is 0"),
        (["--out", "a.csv", "--jitter", "-1"], "jitter is -1.0"),
        (["--out", "a.csv", "--seed", "-1"], "seed"),
        ([], "--out"),
    ],
)
def test_generate_refuses_with_one_sentence_and_writes_nothing(arguments, words, tmp_path):
    code, said, error = run("generate", *arguments, cwd=tmp_path)
    assert (code, said) == (2, "")
    assert words in error
    assert len(error.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_generate_writes_both_files_or_none(tmp_path):
    (tmp_path / "a.truth.json").mkdir()
    code, _, error = run("generate", "--out", "a.csv", cwd=tmp_path)
    assert code == 2
    assert "is a folder" in error
    assert [path.name for path in tmp_path.iterdir()] == ["a.truth.json"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--methods", "ord,magic"], "method 'magic' is not known"),
        (["--methods", ","], "no method is named"),
        (["--methods", "svm", "--kernel", "magic"], "kernel 'magic' is not known"),
        (["--methods", "knn", "--weights", "far"], "weights 'far' is not known"),
        (["--simplicity", "short"], "simplicity 'short' is not known"),
        (["--methods", "ord-volume", "--threshold", "0.1"], "threshold is 0.1"),
        (["--train", "80"], "train is 80.0"),
        (["--repeats", "0"], "repeats is 0"),
    ],
)
def test_evaluate_refuses_with_one_sentence(arguments, words, tmp_path):
    (tmp_path / "a.csv").write_text("alternative,rating\na,1\nb,2\na+b,3\n{},0\nc,1\n")
    code, said, error = run("evaluate", "a.csv", *arguments, cwd=tmp_path)
    assert (code, said) == (2, "")
    assert words in error
    assert len(error.strip().splitlines()) == 1


def test_evaluate_refuses_statements_and_missing_files(tmp_path):
    (tmp_path / "s.csv").write_text("better,worse\na,b\n")
    assert run("evaluate", "s.csv", cwd=tmp_path)[::2] == (
        2,
        "setpref: s.csv holds statements; methods are evaluated on ratings, so give rated sets\n",
    )
    assert run("evaluate", "none.csv", cwd=tmp_path)[0] == 2


def test_without_scikit_learn_the_sentence_says_what_to_install(tmp_path):
    (tmp_path / "sklearn.py").write_text("raise ImportError('not here')\n")
    (tmp_path / "a.csv").write_text("alternative,rating\na,1\nb,2\na+b,3\n{},0\nc,1\n")
    code, _, error = run("evaluate", "a.csv", cwd=tmp_path)
    assert code == 2
    assert "pip install 'setpref[sklearn]'" in error


def test_the_paper_in_small():
    """One synthetic user of the paper's settings: ours is right more often where it predicts than the neighbours."""
    user = draw_user(8, rng=1)
    done = evaluate(user.rated(draw_sets(8, 40, rng=1)), ["ord", "knn"], train=0.5, repeats=4)
    assert done.interval("ord", "correctness").mean > max(0.8, done.interval("knn", "correctness").mean)
    assert np.mean(done.values["ord"]["prediction_rate"]) < 1
