"""``setpref reproduce``: all of it in small, on a real Dask cluster, stopped by Ctrl-C, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from setpref.experiments import EXPERIMENTS, reproduce
from setpref.experiments.journal import read_document

TINY = {
    "users": 2,
    "runs": 2,
    "pairs": 15,
    "sizes": [6, 9],
    "range_of_elements": [5, 6],
    "statements_low": 20,
    "statements_high": 30,
    "range_of_statements": [10, 25],
    "instances": 2,
    "mip_instances": 1,
    "cap": 5.0,
    "genres": 3,
    "at_least": 10,
}
SMALL = ["--users", "1", "--runs", "1", "--quick", "--jobs", "1"]


def run(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "setpref", "reproduce", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def ratings(tmp_path_factory):
    """Made-up ratings in the form of MovieLens: four people, every set of three genres but the empty one twice."""
    folder = tmp_path_factory.mktemp("ml-latest-small")
    genres = ["Drama", "War", "Comedy"]
    movies, rated = ["movieId,title,genres\n"], ["userId,movieId,rating,timestamp\n"]
    for movie in range(14):
        of = [i for i in range(3) if (movie % 7 + 1) >> i & 1]
        movies.append(f"{movie},Title,{'|'.join(genres[i] for i in of)}\n")
        for user in range(1, 5):
            rated.append(f"{user},{movie},{min(5.0, 0.5 + 0.5 * user * sum(of) + (movie > 6) / 2)},{movie}\n")
    (folder / "movies.csv").write_text("".join(movies))
    (folder / "ratings.csv").write_text("".join(rated))
    return folder


@pytest.fixture(scope="module")
def everything(ratings, tmp_path_factory):
    """All experiments on tiny settings, with figures and report."""
    folder = tmp_path_factory.mktemp("all")
    return folder, reproduce("all", folder, jobs=1, data=ratings, options=TINY)


# -- everything ------------------------------------------------------------------------------------------------------


def test_all_experiments_leave_rows_figures_and_a_report(everything):
    folder, done = everything
    assert [content["experiment"] for content in done.documents] == list(EXPERIMENTS)
    assert done.failures == []
    assert done.skipped == {}
    assert all(path.stat().st_size > 1000 for path in done.figures)
    drawn = {path.name.split(".")[0] for path in done.figures}
    assert all(any(name.startswith(word) for name in drawn) for word in ("synthetic", "running", "movies", "rules"))
    assert {path.suffix for path in done.figures} == {".svg", ".png"}
    page = done.report.read_text(encoding="utf-8")
    assert page.count("<svg") >= len(drawn)
    assert not any(path.name.endswith(".journal.jsonl") for path in folder.iterdir())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_document_says_how_it_was_made(name, everything):
    content = read_document(everything[0] / f"{name}.json")
    assert (content["format"], content["version"], content["experiment"]) == ("setpref-experiment", 1, name)
    assert (content["quick"], content["seed"], content["failures"]) == (False, 0, [])
    assert set(EXPERIMENTS[name].full) <= set(content["settings"])
    assert {"setpref", "python", "numpy", "scikit-learn"} <= set(content["versions"])
    assert content["seconds"] > 0
    assert len(content["rows"]) == len(EXPERIMENTS[name].tasks(content["settings"]))


def test_figures_come_back_from_the_rows_alone(everything, tmp_path):
    folder, done = everything
    for name in EXPERIMENTS:
        (tmp_path / f"{name}.json").write_bytes((folder / f"{name}.json").read_bytes())
    code, said, _ = run("all", "--figures-only", "--out", ".", "--json", cwd=tmp_path)
    facts = json.loads(said)
    assert code == 0
    assert {os.path.basename(path) for path in facts["figures"]} == {path.name for path in done.figures}
    assert (tmp_path / "report.html").exists()
    assert facts["experiments"]["rules"]["rows"] == 8


# -- the command -----------------------------------------------------------------------------------------------------


def test_the_command_runs_says_and_goes_on(tmp_path):
    code, said, errors = run("simplest-models", *SMALL, "--out", "found", cwd=tmp_path)
    assert (code, errors) == (0, "")
    lines = said.splitlines()
    assert lines[0].startswith("simplest-models: 10 rows, made in ")
    assert lines[-1] == "rows, figures and report are in found: open found/report.html"
    rows = (tmp_path / "found" / "simplest-models.json").read_bytes()
    code, said, _ = run("simplest-models", *SMALL, "--out", "found", "--json", cwd=tmp_path)
    facts = json.loads(said)
    assert facts["experiments"]["simplest-models"]["rows"] == 10
    assert facts["left_out"] == {}
    assert (tmp_path / "found" / "simplest-models.json").read_bytes() == rows


def test_failures_are_said_and_the_code_is_1(ratings, tmp_path):
    options = ["--data", ratings, "--genres", "Drama", "--out", "found", "--figures-only"]
    small = {**TINY, "genres": ["Drama"]}
    small = {name: value for name, value in small.items() if name in EXPERIMENTS["movies"].full}
    reproduce("movies", tmp_path / "found", jobs=1, data=ratings, options=small, figures=False)
    code, said, _ = run("movies", *options, cwd=tmp_path)
    assert code == 1
    assert "movies: 0 rows, 4 failed" in said
    assert "failed: movies, protocol small, user" in said
    assert "the next call tries failed tasks again" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["magic"], "experiment 'magic' is not known; choose one of synthetic-metrics, synthetic-f1, running-times"),
        ([], "Missing argument 'LIST"),
        (["rules", "--reading", "thirteen"], "reading 'thirteen' is not known; choose one of formula, twelve"),
        (
            ["movies", "--protocol", "large", "--data", "."],
            "protocol 'large' is not known; choose one of small, ninety",
        ),
        (["rules", "--time-limit", "0"], "time_limit is 0.0; give a number above 0"),
        (["rules", "--backend", "dask", "--scheduler", "127.0.0.1:9"], "cannot reach the scheduler 127.0.0.1:9"),
        (["rules", "--jobs", "0"], "jobs"),
        (["rules", "--seed", "-1"], "seed"),
        (["movies", "--data", "nowhere"], "nowhere: there is no such folder or zip file of movie ratings"),
    ],
)
def test_what_cannot_be_run_is_refused_with_one_sentence(arguments, words, tmp_path):
    code, said, errors = run(*arguments, cwd=tmp_path)
    assert (code, said) == (2, "")
    assert words in errors
    assert len(errors.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.json"))


def test_without_movie_data_the_sentence_says_how_to_get_them(tmp_path):
    code = "import sys, importlib.util as u; u.find_spec = lambda name: None\nfrom setpref.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, "reproduce", "movies"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert "none are here: pip install 'setpref[movies]'" in done.stderr


@pytest.mark.parametrize(("missing", "extra"), [("sklearn", "experiments"), ("matplotlib", "experiments")])
def test_what_is_not_installed_is_named_before_any_work(missing, extra, tmp_path):
    (tmp_path / f"{missing}.py").write_text("raise ImportError('not here')\n")
    code, _, error = run("rules", *SMALL, cwd=tmp_path)
    assert code == 2
    assert f"pip install 'setpref[{extra}]'" in error


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done(jobs, tmp_path):
    command = [sys.executable, "-m", "setpref", "reproduce", "simplest-models", "--jobs", str(jobs), "--out", "found"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    journal = tmp_path / "found" / "simplest-models.journal.jsonl"
    while running.poll() is None and not (journal.exists() and journal.read_text().count("\n") > 2):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "setpref: interrupted: " in errors
    assert "tasks of simplest-models are done and kept in found; the same command continues" in errors
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert all(line["row"]["proven"] == 10 for line in lines[1:])


# -- a cluster -------------------------------------------------------------------------------------------------------


def test_a_dask_cluster_gives_the_same_rows(tmp_path):
    from distributed import LocalCluster

    options = {name: TINY[name] for name in ("users", "runs", "sizes", "pairs")}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = reproduce(
            "synthetic-f1",
            tmp_path / "there",
            backend="dask",
            scheduler=cluster.scheduler_address,
            options=options,
            figures=False,
        )
    here = reproduce("synthetic-f1", tmp_path / "here", jobs=1, options=options, figures=False)
    assert [content["rows"] for content in there.documents] == [content["rows"] for content in here.documents]
    assert there.documents[0]["jobs"] == 2


def test_a_dask_cluster_of_its_own(tmp_path):
    options = {name: TINY[name] for name in ("users", "runs", "sizes")}
    done = reproduce("simplest-models", tmp_path, jobs=1, backend="dask", options=options, figures=False)
    assert len(done.documents[0]["rows"]) == 8
