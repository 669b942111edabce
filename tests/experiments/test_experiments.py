"""Experiments: the same seed gives the same rows, whatever is interrupted or fails; other settings are refused."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from setpref.errors import BadDocument, InputError, MissingDependency, UnknownOption
from setpref.experiments import EXPERIMENTS, reproduce, workers
from setpref.experiments.contract import Experiment, Table, canonical, generator, settled, without_data
from setpref.experiments.journal import read_document
from setpref.experiments.workers import WorkersLost, pool_opened
from setpref.progress import best_so_far

TINY = {"users": 2, "runs": 2, "pairs": 20, "sizes": [8, 10], "time_limit": 20.0}


def rows(name, out, **options):
    """Run one experiment on tiny settings, in this process unless told otherwise."""
    options = {"jobs": 1, "figures": False, "options": TINY, **options}
    options["options"] = {k: v for k, v in options["options"].items() if k in EXPERIMENTS[name].full}
    return {content["experiment"]: content for content in reproduce([name], out, **options).documents}[name]["rows"]


def digest(found):
    return hashlib.sha256(canonical(found).encode()).hexdigest()[:16]


# -- rows are fixed --------------------------------------------------------------------------------------------------


def test_synthetic_rows_are_fixed(tmp_path):
    found = rows("synthetic-metrics", tmp_path)
    assert [(row["reading"], row["user"], row["sets"]) for row in found[:3]] == [
        ("formula", 0, 8),
        ("formula", 0, 10),
        ("formula", 1, 8),
    ]
    first = found[0]
    assert (first["terms"], first["proven"], first["runs"], first["statements"]) == (24, 2, 2, [18, 24])
    assert first["tables"]["ord"] == [1, 2, 1, 2, 2, 2, 14, 12, 4]
    assert first["tables"]["knn"] == [9, 5, 3, 8, 11, 4, 0, 0, 0]
    assert all(sum(table) == 40 for row in found for table in row["tables"].values())
    assert "f1" not in first


def test_both_views_of_the_synthetic_runs_are_written_by_one(tmp_path):
    found = rows("synthetic-f1", tmp_path)
    other = read_document(tmp_path / "synthetic-metrics.json")
    assert [row["statements"] for row in found] == [row["statements"] for row in other["rows"]]
    assert [len(row["f1"]["ord"]) for row in found] == [2] * 8
    assert "tables" not in found[0]


def test_rows_of_cautious_rules_are_fixed(tmp_path):
    found = rows("rules", tmp_path)
    tables = found[0]["tables"]
    assert [name for name in tables if "@" not in name] == ["ord", "ord-union", "ord-majority", "ord-volume"]
    predicted = {name: sum(table[:6]) for name, table in tables.items()}
    assert predicted["ord-union"] <= predicted["ord"] <= predicted["ord-volume"]
    assert all(predicted[f"lr@{name}"] == predicted[name] for name in tables if "@" not in name)
    assert digest([{name: row["tables"][name] for name in ("ord", "ord-union", "ord-majority")} for row in found]) == (
        "26b308bdc315f867"
    )


def test_rows_of_simplest_models_are_fixed(tmp_path):
    assert digest(rows("simplest-models", tmp_path)) == "920c725adabd1692"


ERRORS = {"users": 1, "runs": 1, "pairs": 30, "statements": 20, "pool": 8, "shares": [0.001, 0.2]}


def test_rows_of_errors_are_fixed(tmp_path):
    found = rows("errors", tmp_path, options={**TINY, **ERRORS})
    exact = [name for name in found[0]["tables"] if name.startswith("ord")]
    assert exact == ["ord-refuse", "ord-repair", "ord-robust", "ord-known"]
    assert (
        digest([{**{name: row["tables"][name] for name in exact}, "cost": row["cost"]} for row in found])
        == "08cc200b177d6688"
    )


def test_errors_refuse_what_contradicts_itself(tmp_path):
    found = rows("errors", tmp_path, options={**TINY, **ERRORS})
    right, wrong = (row for row in found if row["reading"] == "twelve")
    assert (right["contradictory"], right["flips"], right["cost"]) == ([0], [0], [0])
    assert right["tables"]["ord-refuse"] == right["tables"]["ord-robust"]
    assert (wrong["contradictory"], wrong["flips"]) == ([1], [4])
    assert sum(wrong["tables"]["ord-refuse"][:6]) == 0 < wrong["cost"][0] <= 4
    assert sum(wrong["tables"]["ord-robust"][:6]) <= sum(wrong["tables"]["ord-repair"][:6])


def test_the_same_user_is_drawn_in_every_experiment(tmp_path):
    synthetic, simplest = rows("synthetic-metrics", tmp_path), rows("simplest-models", tmp_path)
    assert [row["statements"] for row in synthetic] == [row["statements"] for row in simplest]


def test_another_seed_gives_other_rows(tmp_path):
    assert rows("simplest-models", tmp_path / "a") != rows("simplest-models", tmp_path / "b", seed=1)


def test_rows_do_not_depend_on_the_number_of_jobs(tmp_path):
    assert rows("synthetic-metrics", tmp_path / "one") == rows("synthetic-metrics", tmp_path / "two", jobs=2)


def test_a_reading_alone_gives_the_same_rows(tmp_path):
    both = rows("simplest-models", tmp_path / "both")
    alone = rows("simplest-models", tmp_path / "alone", options={**TINY, "readings": ["twelve"]})
    assert alone == [row for row in both if row["reading"] == "twelve"]


def test_what_is_random_has_a_name():
    assert generator(0, "a").integers(10**9) == generator(0, "a").integers(10**9)
    assert len({int(generator(*name).integers(10**9)) for name in [(0, "a"), (1, "a"), (0, "b"), (0, "a", 1)]}) == 4


# -- times -----------------------------------------------------------------------------------------------------------

TIMES = {
    "range_of_elements": [5, 9],
    "statements_low": 30,
    "statements_high": 40,
    "range_of_statements": [20, 40],
    "instances": 2,
    "mip_instances": 1,
    "mip_elements": 5,
    "cap": 5.0,
}


def test_running_times_of_ours_and_of_the_programs(tmp_path):
    found = rows("running-times", tmp_path, options=TIMES)
    assert [(row["vary"], row["elements"], row["instance"]) for row in found] == [
        ("elements", 5, 0),
        ("elements", 5, 1),
        ("elements", 9, 0),
        ("elements", 9, 1),
        *[("statements", 8, 0), ("statements", 8, 1)] * 2,
    ]
    assert all(row["statements"] >= 20 for row in found)
    assert all(30 <= row["statements"] <= 50 for row in found[:4])
    assert [row["mip"] is not None for row in found] == [True, False, False, False, True, False, True, False]
    assert all(row["ours"]["proven"] and row["ours"]["learn"] > 0 for row in found)
    assert found[0]["mip"]["finished"]
    assert found[0]["mip"]["predict_finished"]


def test_a_program_stopped_at_its_cap_says_so(tmp_path):
    options = {**TIMES, "range_of_elements": [7], "mip_elements": 7, "cap": 0.02, "instances": 1}
    found = rows("running-times", tmp_path, options={**options, "statements_low": 200, "statements_high": 200})
    assert not found[0]["mip"]["finished"]
    assert found[0]["mip"]["cap"] == 0.02


def test_too_many_statements_are_a_failure_not_an_end(tmp_path):
    options = {**TIMES, "range_of_statements": [20, 99999], "instances": 1}
    done = reproduce("running-times", tmp_path, jobs=1, figures=False, options=options)
    assert len(done.documents[0]["rows"]) == 3
    assert "99999 were wanted" in done.failures[0][1]["error"]


# -- movies ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tweetings(tmp_path):
    """Three people who rated twelve movies each, with every genre set twice and ratings that follow the genres."""
    folder = tmp_path / "tweetings"
    folder.mkdir()
    genres = ["Drama", "War", "Comedy"]
    movies, ratings = [], []
    for movie in range(12):
        of = [genre for i, genre in enumerate(genres) if (movie % 7 + 1) >> i & 1]
        movies.append(f"{movie}::Title (2000)::{'|'.join(of)}\n")
        for user in range(1, 4):
            score = 2 * ("Drama" in of) + user * ("War" in of) + 3 * ("Comedy" in of) + (movie > 6)
            ratings.append(f"{user}::{movie}::{score}::{movie}\n")
    (folder / "movies.dat").write_text("".join(movies))
    (folder / "ratings.dat").write_text("".join(ratings))
    return folder


MOVIES = {"genres": 3, "at_least": 10, "users": 2, "runs": 2, "pairs": 10}


def test_movies_by_both_protocols(tweetings, tmp_path):
    found = rows("movies", tmp_path / "out", data=tweetings, options=MOVIES)
    assert [row["protocol"] for row in found] == ["small", "small", "ninety", "ninety"]
    assert {row["source"] for row in found} == {"tweetings"}
    assert [(row["ratings"], row["alternatives"], row["repeated_sets"]) for row in found] == [(12, 7, 5)] * 4
    assert [row["training"] for row in found[2:]] == [6.0, 6.0]
    assert rows("movies", tmp_path / "two", data=tweetings, options=MOVIES, jobs=2) == found


def test_movies_settle_what_was_said_twice_as_told(tweetings, tmp_path):
    found = rows(
        "movies", tmp_path, data=tweetings, options={**MOVIES, "collisions": "drop", "genres": ["War", "Drama"]}
    )
    made = read_document(tmp_path / "movies.json")["settings"]
    assert (made["collisions"], made["genres"], made["source"]) == ("drop", ["War", "Drama"], "tweetings")
    assert len(made["people"]) == 2
    assert all("sets of genres" in failure["error"] for failure in read_document(tmp_path / "movies.json")["failures"])
    assert len(found) + len(read_document(tmp_path / "movies.json")["failures"]) == 4


def test_movies_stored_hold_no_ratings_of_movies(tweetings, tmp_path):
    rows("movies", tmp_path, data=tweetings, options=MOVIES)
    assert "Title" not in (tmp_path / "movies.json").read_text()


def test_without_movie_data_all_runs_the_rest_and_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="movies needs movie ratings, and none are here"):
        reproduce("movies", tmp_path)
    monkeypatch.setattr("setpref.experiments.reproduction.EXPERIMENTS", {"movies": EXPERIMENTS["movies"], "toy": TOY})
    done = reproduce("all", tmp_path, jobs=1, figures=False)
    assert [content["experiment"] for content in done.documents] == ["toy"]
    assert "pip install 'setpref[movies]'" in done.skipped["movies"]


# -- stopping and going on -------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from setpref.experiments import reproduce

def stop(tick):
    if tick.done == 3:
        os.kill(os.getpid(), signal.{signal})

reproduce(["simplest-models"], sys.argv[1], jobs=1, figures=False, options={options}, progress=stop)
"""
SIMPLEST = {k: v for k, v in TINY.items() if k in EXPERIMENTS["simplest-models"].full}


def stopped(folder, how):
    code = KILLED.format(signal=how, options=SIMPLEST)
    return subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)


def test_a_killed_run_goes_on_and_ends_the_same(tmp_path):
    assert stopped(tmp_path / "killed", "SIGKILL").returncode == -signal.SIGKILL
    journal = tmp_path / "killed" / "simplest-models.journal.jsonl"
    assert len(journal.read_text().splitlines()) == 4
    journal.write_bytes(journal.read_bytes()[:-20])  # as if the power had gone while the last line was written
    ticks = []
    assert rows("simplest-models", tmp_path / "killed", progress=ticks.append) == rows(
        "simplest-models", tmp_path / "b"
    )
    assert ticks[0].done == 2
    assert not journal.exists()


def test_an_interrupt_says_what_is_done(tmp_path):
    done = stopped(tmp_path, "SIGINT")
    assert done.returncode != 0
    assert "interrupted: 3 of 8 tasks of simplest-models are done and kept" in done.stderr
    assert len(rows("simplest-models", tmp_path)) == 8


def test_a_finished_run_is_not_done_again(tmp_path):
    found = rows("simplest-models", tmp_path)
    ticks = []
    assert rows("simplest-models", tmp_path, progress=ticks.append) == found
    assert ticks == []
    rows("simplest-models", tmp_path, fresh=True, progress=ticks.append)
    assert ticks[0].done == 0


def test_progress_tells_the_time_left(tmp_path):
    ticks = []
    rows("simplest-models", tmp_path, progress=ticks.append)
    assert [(tick.experiment, tick.done, tick.total) for tick in ticks] == [("simplest-models", i, 8) for i in range(9)]
    assert ticks[0].left is None
    assert ticks[-1].left == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "rows made with seed 0, not 1"),
        ({"options": {**TINY, "users": 3}}, "rows made with users 2, not 3"),
        ({"options": {**TINY, "readings": ["twelve"]}}, r'readings \["formula","twelve"\], not \["twelve"\]'),
        ({"quick": True}, "rows made with quick false, not true"),
    ],
)
@pytest.mark.parametrize("journal", [True, False])
def test_rows_made_otherwise_are_refused(change, words, journal, tmp_path):
    if journal:
        with pytest.raises(ZeroDivisionError):
            rows("simplest-models", tmp_path, progress=lambda tick: 1 // (3 - tick.done))
    else:
        rows("simplest-models", tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InputError, match=words):
        rows("simplest-models", tmp_path, **change)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("toy.json", "{}", "holds no rows of an experiment"),
        ("toy.json", "[1", "not well-formed JSON"),
        ("toy.json", '{"format": "setpref-experiment", "version": 9}', "format version 9"),
        ("toy.json", '{"format": "setpref-experiment", "version": 1}', "its rows cannot be read"),
        (
            "toy.json",
            '{"format": "setpref-experiment", "version": 1, "experiment": "rules", "rows": [], "failures": []}',
            r"toy\.json holds rows of rules; name the file so",
        ),
        ("toy.journal.jsonl", "", "line 1 cannot be read"),
        ("toy.journal.jsonl", "nonsense\n", "line 1 cannot be read"),
        ("toy.journal.jsonl", '{"format": "other"}\n', "holds no rows of an experiment"),
        ("toy.journal.jsonl", '{"format": "setpref-experiment-journal", "version": 2}\n', "format version 2"),
    ],
)
def test_files_that_are_no_rows_are_refused(name, content, words, monkeypatch, tmp_path):
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=words):
        reproduce("toy", tmp_path, jobs=1, figures=False)
    done = reproduce("toy", tmp_path, jobs=1, figures=False, fresh=True)
    assert len(done.documents[0]["rows"]) == 4


def test_a_line_damaged_in_the_middle_is_refused(monkeypatch, tmp_path):
    monkeypatch.setitem(EXPERIMENTS, "toy", replace(TOY, run=fail_at_two))
    monkeypatch.setattr("setpref.experiments.reproduction.write_document", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reproduce("toy", tmp_path, jobs=1, figures=False)
    path = tmp_path / "toy.journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[1][:10] + "\n", *lines[2:]]))
    with pytest.raises(BadDocument, match=r"toy\.journal\.jsonl: line 2 cannot be read; start over with --fresh"):
        reproduce("toy", tmp_path, jobs=1, figures=False)


# -- what fails ------------------------------------------------------------------------------------------------------


def toy_tasks(settings):
    return [{"number": i} for i in range(settings["users"])]


def toy_run(work):
    return {**work.task, "drawn": int(work.rng("toy", work.task["number"]).integers(100))}


def fail_at_two(work):
    if work.task["number"] == 2:
        raise ZeroDivisionError("two\nis too many")
    return toy_run(work)


def die_at_two(work):
    if work.task["number"] == 2:
        os._exit(1)
    return toy_run(work)


def swallow_an_interrupt(work):
    """Do as a learning does where that is wanted: stop early and return what is known."""
    if work.task["number"] == 2:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return {"number": "wrong"}
    return toy_run(work)


def interrupt(*_):
    raise KeyboardInterrupt


TOY = Experiment(
    name="toy",
    title="A toy",
    question="Does it run?",
    full={"users": 4},
    quick={"users": 2},
    prepare=without_data,
    tasks=toy_tasks,
    run=toy_run,
    seconds=lambda task, settings: 1.0,
    alone=False,
    source="toy",
    omits=(),
    figures=lambda document: [],
    table=Table((), lambda document: (), ""),
    claims=lambda document: [],
)


def test_a_failed_task_is_recorded_and_tried_again(monkeypatch, tmp_path):
    monkeypatch.setitem(EXPERIMENTS, "toy", replace(TOY, run=fail_at_two))
    done = reproduce("toy", tmp_path, jobs=1, figures=False)
    assert done.failures == [("toy", {"task": {"number": 2}, "error": "ZeroDivisionError: two is too many"})]
    assert [row["number"] for row in done.documents[0]["rows"]] == [0, 1, 3]
    again = reproduce("toy", tmp_path, jobs=1, figures=False)
    assert again.failures == done.failures
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)
    ticks = []
    mended = reproduce("toy", tmp_path, jobs=1, figures=False, progress=ticks.append)
    assert [tick.done for tick in ticks] == [3, 4]
    assert mended.failures == []
    assert mended.documents[0]["rows"] == reproduce("toy", tmp_path / "b", jobs=1, figures=False).documents[0]["rows"]


def test_an_interrupt_that_a_learning_swallows_spoils_no_row(monkeypatch, tmp_path):
    monkeypatch.setitem(EXPERIMENTS, "toy", replace(TOY, run=swallow_an_interrupt))
    with pytest.raises(KeyboardInterrupt, match="2 of 4 tasks of toy are done"), best_so_far():
        reproduce("toy", tmp_path, jobs=1, figures=False)
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)
    assert [row["number"] for row in reproduce("toy", tmp_path, jobs=1, figures=False).documents[0]["rows"]] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.filterwarnings("ignore::UserWarning:joblib")  # loky says on its own that a worker stopped
def test_workers_that_die_lose_nothing_that_is_done(monkeypatch, tmp_path):
    monkeypatch.setitem(EXPERIMENTS, "toy", replace(TOY, run=die_at_two, seconds=lambda task, settings: 60.0))
    with pytest.raises(WorkersLost, match="what is finished is kept"):
        reproduce("toy", tmp_path, jobs=2, figures=False)
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)
    assert len(reproduce("toy", tmp_path, jobs=1, figures=False).documents[0]["rows"]) == 4


# -- what is asked for -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"names": "magic"}, "experiment 'magic' is not known; choose one of synthetic-metrics, .*, all"),
        ({"names": " , "}, "no experiment is named"),
        ({"names": []}, "no experiment is named"),
        ({"names": "rules", "options": {"magic": 1}}, "setting 'magic' is not known"),
        ({"names": "rules", "options": {"protocols": ["small"]}}, "rules: no setting protocols; it is one of movies"),
        ({"names": "rules", "options": {"readings": ["thirteen"]}}, "reading 'thirteen' is not known"),
        ({"names": "rules", "options": {"readings": []}}, "reading names 0 of"),
        ({"names": "synthetic-f1", "options": {"knn_weights": "far"}}, "knn_weights 'far' is not known"),
        ({"names": "rules", "options": {"users": 0}}, "users is 0; give a whole number above 0"),
        ({"names": "rules", "options": {"users": 2.5}}, r"users is 2\.5; give a whole number"),
        ({"names": "rules", "options": {"time_limit": -1}}, "time_limit is -1; give a number above 0"),
        ({"names": "rules", "options": {"time_limit": float("nan")}}, "time_limit is nan"),
        ({"names": "rules", "options": {"sizes": 12}}, "sizes is 12; give one number or more"),
        ({"names": "rules", "jobs": 0}, "jobs is 0"),
        ({"names": "rules", "backend": "magic"}, "backend 'magic' is not known; choose one of loky, dask, ray, spark"),
        ({"names": "rules", "scheduler": "x:1"}, "has no scheduler"),
        ({"names": "rules", "figures_only": True}, "there are no rows yet"),
        ({"figures_only": True}, "holds no rows of experiments"),
        ({"names": "movies", "data": "nowhere"}, "nowhere: there is no such folder"),
    ],
)
def test_what_cannot_be_run_is_refused_with_one_sentence(arguments, words, tmp_path):
    with pytest.raises(InputError, match=words) as refused:
        reproduce(**{"out": tmp_path, "figures": False, "jobs": 1, **arguments})
    assert "\n" not in str(refused.value)
    assert [path for path in tmp_path.iterdir() if path.suffix == ".json"] == []


def test_starting_over_deletes_nothing_before_it_can_start(tmp_path):
    found = rows("simplest-models", tmp_path)
    with pytest.raises(UnknownOption):
        rows("simplest-models", tmp_path, fresh=True, backend="magic")
    assert rows("simplest-models", tmp_path) == found


def test_a_place_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        reproduce("rules", tmp_path / "file", figures=False)


@pytest.mark.parametrize("backend", ["dask", "ray", "spark"])
def test_a_backend_that_is_not_installed_names_its_extra(backend, monkeypatch):
    for module in ("distributed", "ray", "joblibspark"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependency, match=rf"pip install 'setpref\[{backend}\]'"), pool_opened(backend, None, 1):
        pass


def test_without_scikit_learn_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with pytest.raises(MissingDependency, match=r"pip install 'setpref\[experiments\]'"):
        reproduce("rules", tmp_path)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_quick_changes_only_settings_that_exist(name):
    experiment = EXPERIMENTS[name]
    assert set(experiment.quick) < set(experiment.full)
    assert json.loads(canonical(settled(experiment, True, {}))) == settled(experiment, True, {})


def test_an_unknown_option_of_settled_is_left_to_others():
    assert settled(TOY, False, {"magic": 1}) == {"users": 4}
    with pytest.raises(UnknownOption):
        settled(EXPERIMENTS["rules"], False, {"readings": "magic"})


# -- other backends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("backend", "scheduler"), [("ray", "ray://head:10001"), ("ray", None), ("spark", "spark://x")])
def test_ray_and_spark_are_asked_as_their_packages_want(backend, scheduler, monkeypatch):
    """Neither is installed for tests: what is called is written down, and threads stand in for the cluster."""
    calls = []
    stand_ins(monkeypatch, calls)
    works = [workers.Work({"number": i}, {}, 0) for i in range(5)]
    with pool_opened(backend, scheduler, 2) as pool:
        found = list(workers.outcomes(toy_run, works, lambda work: 1.0, pool))
    assert sorted(outcome.row["number"] for outcome in found) == [0, 1, 2, 3, 4]
    assert (
        calls
        == {
            ("ray", "ray://head:10001"): [("init", {"address": "ray://head:10001"}), "register", "shutdown"],
            ("ray", None): [("init", {"num_cpus": 2}), "register", "shutdown"],
            ("spark", "spark://x"): [("master", "spark://x"), "register", "stop"],
        }[backend, scheduler]
    )


def stand_ins(monkeypatch, calls):
    from types import ModuleType, SimpleNamespace

    from joblib import register_parallel_backend
    from joblib._parallel_backends import ThreadingBackend

    class Silent(ThreadingBackend):
        supports_return_generator = False

    def module(name, **content):
        made = ModuleType(name)
        made.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, made)

    def registers(name):
        return lambda: (calls.append("register"), register_parallel_backend(name, Silent))[0]

    module("ray", init=lambda **given: calls.append(("init", given)), shutdown=lambda: calls.append("shutdown"))
    module("ray.util")
    module("ray.util.joblib", register_ray=registers("ray"))
    module("joblibspark", register_spark=registers("spark"))
    session = SimpleNamespace(stop=lambda: calls.append("stop"))
    builder = SimpleNamespace(
        master=lambda where: calls.append(("master", where)) or builder,
        appName=lambda name: builder,
        getOrCreate=lambda: session,
    )
    module("pyspark")
    module("pyspark.sql", SparkSession=SimpleNamespace(builder=builder))


def test_work_is_cut_into_chunks_worth_sending():
    works = [workers.Work({"number": i}, {}, 0) for i in range(1000)]
    chunks = workers._chunks(works, lambda work: 0.1, 2)
    assert [work for chunk in chunks for work in chunk] == works
    assert {len(chunk) for chunk in chunks} <= {30, 31, 10}
    assert len(workers._chunks(works[:16], lambda work: 0.001, 2)) >= 6
    assert workers._chunks([], lambda work: 1.0, 2) == []
