"""What the experiments' rows become: figures, verdicts on the paper's claims, and the report."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from setpref.errors import InputError, MissingDependency
from setpref.experiments import series
from setpref.experiments.charts import draw, drawings
from setpref.experiments.claims import claims_of
from setpref.experiments.findings import findings, markdown
from setpref.experiments.journal import read_document
from setpref.experiments.judging import VERDICTS
from setpref.experiments.page import write_report
from setpref.experiments.sheet import COLOURS, spread_out
from setpref.metrics import METRICS, confusion_table

QUALITY = {"ord": 0.9, "lr": 0.72, "svm": 0.76, "knn": 0.62, "lr-reject": 0.86, "svm-reject": 0.87}
RULES = {"ord": 0.0, "ord-union": -0.08, "ord-majority": 0.12, "ord-volume": 0.2}


def table(draw: np.random.Generator, rate: float, right: float, pairs: int) -> list[int]:
    """Counts of pairs, a tenth of which are really alike."""
    real = draw.choice(3, size=pairs, p=[0.45, 0.45, 0.1])
    made = draw.random(pairs) < rate
    hit = draw.random(pairs) < right
    predicted = np.where(made, np.where(hit & (real < 2), real, (real + 1) % 2), 2)
    return np.bincount(3 * predicted + real, minlength=9).tolist()


def metric_rows(users: int = 12, sizes: tuple[int, ...] = (12, 16, 20, 24, 29), runs: int = 3) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(1), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            shift = draw.normal(0, 0.03)
            for sets in sizes:
                grown = (sets - 12) / 17
                rate = 0.45 + 0.35 * grown + shift - 0.12 * (reading == "formula")
                tables, f1 = {}, {}
                for method, quality in QUALITY.items():
                    share = {"lr": 1.0, "svm": 1.0, "knn": 0.8}.get(method, rate)
                    right = min(0.99, quality + 0.1 * grown + shift - 0.08 * (reading == "formula"))
                    each = [table(draw, share, right, 100) for _ in range(runs)]
                    tables[method] = np.sum(each, axis=0).tolist()
                    f1[method] = [round(2 * (t[0] + t[4]) / (sum(t[:6]) + 90), 4) for t in each]
                statements = [int(sets * (sets - 1) * 0.47) + int(k) for k in draw.integers(-8, 9, size=runs)]
                rows.append(
                    {"reading": reading, "user": user, "sets": sets, "terms": 31 if reading == "formula" else 12}
                    | {"proven": runs, "runs": runs, "statements": statements, "tables": tables, "f1": f1}
                )
    return rows


def time_rows(instances: int = 5) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(2), []
    places = [("elements", n, 28) for n in (5, 6, 7, 8, 9, 10)] + [
        ("statements", 8, k) for k in (8, 12, 16, 20, 24, 29)
    ]
    for vary, elements, sets in places:
        for instance in range(instances):
            hard = draw.lognormal(0, 0.5) * 2.0 ** (elements - 8) * (sets / 20) ** 4
            ours = {"learn": 0.05 * hard, "predict": 0.004 * hard, "proven": True}
            late = 40 * hard > 60
            mip = {"learn": min(60.0, 40 * hard), "finished": not late, "cap": 60}
            mip |= {"predict": min(60.0, 2 * hard), "predict_finished": 2 * hard < 60}
            rows.append(
                {"vary": vary, "elements": elements, "sets": sets, "statements": int(sets * (sets - 1) * 0.47)}
                | {"instance": instance, "ours": ours, "mip": mip if instance < 3 else None}
            )
    return rows


def movie_rows(users: int = 12) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(3), []
    rates = {"lr": 1.0, "svm": 1.0, "knn": 0.85}
    for user in range(users):
        shift = draw.normal(0, 0.05)
        tables = {
            m: table(draw, rates.get(m, 0.55 + shift), quality - 0.2 + shift, 300) for m, quality in QUALITY.items()
        }
        rows.append(
            {"source": "movietweetings-100k", "protocol": "small", "user": user, "ratings": 140, "alternatives": 50}
            | {"training": 8, "statements": [20, 24, 19], "runs": 3, "proven": 3, "conflicting_sets": 20}
            | {"repeated_sets": 22, "tables": tables}
        )
    return rows


def rule_rows(users: int = 12, sizes: tuple[int, ...] = (14, 20, 28)) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(4), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            for sets in sizes:
                grown, tables = (sets - 12) / 17, {}
                for rule, more in RULES.items():
                    rate = min(0.97, 0.5 + 0.3 * grown + more)
                    for method, better in ((rule, 0.03), (f"lr@{rule}", 0.0), (f"svm@{rule}", 0.01)):
                        tables[method] = table(draw, rate, 0.95 + better - 0.3 * rate, 300)
                rows.append(
                    {
                        "reading": reading,
                        "user": user,
                        "sets": sets,
                        "terms": 12,
                        "runs": 3,
                        "proven": 3,
                        "tables": tables,
                    }
                    | {"statements": [int(sets * (sets - 1) * 0.47)] * 3}
                )
    return rows


def simplest_rows(
    users: int = 12, sizes: tuple[int, ...] = (12, 16, 20, 24, 29), runs: int = 3
) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(5), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            for sets in sizes:
                grown = (sets - 12) / 17
                terms = (7 + 6 * grown + 3 * (reading == "formula") + draw.normal(0, 1, runs)).round().astype(int)
                models = (10 ** (2.5 - 2 * grown + draw.normal(0, 0.5, runs))).astype(int) + 1
                rows.append(
                    {"reading": reading, "user": user, "sets": sets, "models": models.tolist(), "families": [1] * runs}
                    | {"degree": [2 + int(grown > 0.5)] * runs, "cardinality": terms.tolist(), "proven": runs}
                    | {"total_size": (terms * 1.5).astype(int).tolist(), "statements": [sets * 6] * runs}
                )
    return rows


def error_rows() -> list[dict[str, Any]]:
    draw = np.random.default_rng(5)
    rows = []
    for reading in ("formula", "twelve"):
        for user in range(12):
            for noise in (0.0, 0.1, 0.2):
                tables = {}
                for method in (
                    "ord-refuse",
                    "ord-repair",
                    "ord-robust",
                    "ord-known",
                    "lr",
                    "svm",
                    "lr-reject",
                    "svm-reject",
                ):
                    made = 0 if method == "ord-refuse" and noise else int(draw.integers(20, 60))
                    right = int(made * (0.9 - noise))
                    tables[method] = [right, made - right, 0, 0, 0, 0, 100 - made, 0, 0]
                told = {"contradictory": [int(noise > 0)] * 2, "cost": [int(20 * noise)] * 2, "degree": [2, 2]}
                rows.append(
                    {"reading": reading, "user": user, "noise": noise, "terms": 12, "runs": 2, "proven": 2}
                    | {"statements": [40, 40], "repairs": [1, 3], "flips": [0, 0], "tables": tables, **told}
                )
    return rows


ROWS = {
    "synthetic-metrics": metric_rows,
    "synthetic-f1": metric_rows,
    "running-times": time_rows,
    "movies": movie_rows,
    "rules": rule_rows,
    "simplest-models": simplest_rows,
    "errors": error_rows,
}


def document(experiment: str, rows: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "format": "setpref-experiment",
        "version": 1,
        "experiment": experiment,
        "quick": False,
        "seed": 1,
        "settings": {"users": 12, "runs": 3, "range_of_statements": [26, 62, 112, 178, 259, 381]},
        "versions": {"setpref": "0.1", "python": "3.11", "numpy": "2.0"},
        "seconds": 12.5,
        "jobs": 2,
        "rows": ROWS[experiment]() if rows is None else rows,
        "failures": [],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("figures")
    for experiment in ROWS:
        draw(document(experiment), place)
    return place


def shown(folder: Path, name: str) -> set[str]:
    """The texts of a figure: letters are outlines, and matplotlib says in comments what they spell."""
    return set(re.findall(r"<!-- (.*?) -->", (folder / f"{name}.svg").read_text(encoding="utf-8")))


# -- numbers from rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
def test_measures_of_tables_are_those_of_predictions(metric: str) -> None:
    draw_ = np.random.default_rng(6)
    predicted, real = draw_.integers(-1, 2, size=(2, 60))
    found = series.ratio(metric, confusion_table(predicted, real).ravel().tolist())
    assert found == METRICS[metric](predicted, real)


def test_intervals_are_over_users_not_runs() -> None:
    tables = [{"ord": [9, 1, 0, 0, 0, 0, 0, 0, 0]}, {"ord": [1, 0, 0, 0, 0, 0, 0, 0, 9]}]
    rows = [{"user": user, "tables": tables[user]} for user in (0, 1)] * 5
    found = series.interval(rows, "ord", "precision")
    assert (found.runs, found.mean) == (2, pytest.approx(0.95))


def test_an_undefined_measure_is_left_out() -> None:
    never = {"user": 0, "tables": {"ord": [0, 0, 0, 0, 0, 0, 5, 5, 0]}}
    right = {"user": 1, "tables": {"ord": [4, 0, 0, 0, 4, 0, 0, 0, 0]}}
    assert series.interval([never, right], "ord", "precision").runs == 1


def test_f1_is_averaged_over_the_runs_with_enough_statements() -> None:
    rows = [{"user": 3, "statements": [40, 60, 80], "f1": {"ord": [0.1, 0.5, 0.7]}}]
    assert series.mean_f1(rows, "ord", 50) == {3: pytest.approx(0.6)}


def test_undefined_f1_is_left_out() -> None:
    rows = [{"user": 3, "statements": [60, 80], "f1": {"ord": [None, 0.7]}}]
    assert series.mean_f1(rows, "ord", 50) == {3: 0.7}


def test_ratios_pair_the_same_instances() -> None:
    rows = [
        {"ours": {"learn": 0.1, "predict": 0.1}, "mip": {"learn": 2.0, "predict": None, "finished": True}},
        {"ours": {"learn": 1.0, "predict": 0.1}, "mip": {"learn": 60.0, "predict": None, "finished": False}},
        {"ours": {"learn": 9.0, "predict": 0.1}, "mip": None},
    ]
    found = series.slower(rows, "learn")
    assert (found.count, found.median, found.capped, found.least) == (2, 40.0, 1, False)


def test_instances_are_grouped_by_the_number_of_statements_asked_for() -> None:
    rows = [{"vary": "statements", "elements": 8, "sets": 9, "statements": s} for s in (26, 31, 52, 60)]
    found = series.times_by_place({"settings": {"range_of_statements": [25, 50]}, "rows": rows})
    assert list(found["statements"]) == [28.5, 56.0]


@pytest.mark.parametrize("places", [[0.5] * 5, [0.0, 0.01, 0.99, 1.0], [0.9, 0.2, 0.25, 0.22], [1.2, -3.0]])
def test_labels_are_apart_in_order_and_inside(places: list[float]) -> None:
    found = spread_out(places, 0.1, 0.0, 1.0)
    ordered = [found[i] for i in sorted(range(len(places)), key=lambda i: places[i])]
    assert min(np.diff(ordered)) >= 0.1 - 1e-6
    assert -1e-6 <= min(ordered) <= max(ordered) <= 1 + 1e-6


# -- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", ROWS)
def test_every_figure_is_there_twice_and_whole(experiment: str, folder: Path) -> None:
    names = [planned.name for planned in drawings(document(experiment))]
    assert names
    assert all(name.startswith(experiment) or name.startswith("synthetic-reject") for name in names)
    for name in names:
        assert ET.parse(folder / f"{name}.svg").getroot().tag.endswith("svg")
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("experiment", ROWS)
def test_figures_are_as_wide_as_a_column_at_300_dpi(experiment: str, folder: Path) -> None:
    for planned in drawings(document(experiment)):
        header = (folder / f"{planned.name}.png").read_bytes()[16:24]
        assert int.from_bytes(header[:4], "big") == 1050
        assert int.from_bytes(header[4:], "big") <= 9 * 300


LABELS = {
    "synthetic-metrics-formula": {"ORD", "LR", "SVM", "KNN", "precision", "recall", "prediction rate", "correctness"},
    "synthetic-metrics-twelve": {"ORD", "LR", "SVM", "KNN", "Synthetic users, about 12 terms"},
    "synthetic-reject-twelve": {"ORD", "LR, reject", "SVM, reject"},
    "synthetic-f1-twelve": {"ORD", "KNN", "over LR", "over SVM", "mean F1"},
    "running-times-elements": {"ours", "MIP", "MIP/ours", "elements n"},
    "running-times-statements": {"ours", "MIP", "statements |R|"},
    "movies-small": {"ORD", "LR", "SVM", "KNN", "LR, reject", "SVM, reject", "movietweetings-100k, protocol small"},
    "rules-formula": {"all", "union", "majority", "volume", "ORD", "LR", "SVM"},
    "errors-twelve": {"ORD refuse", "ORD repair", "ORD robust", "ORD known", "precision", "statements turned round, %"},
    "errors-rivals-formula": {"ORD robust", "LR", "SVM", "LR, reject", "SVM, reject"},
    "simplest-models": {"number of simplest models", "degree", "literal \u03b1", "about 12 terms"},
}


@pytest.mark.parametrize("name", LABELS)
def test_lines_carry_their_names(name: str, folder: Path) -> None:
    assert LABELS[name] <= shown(folder, name)


@pytest.mark.parametrize(
    "name", [name for name in LABELS if not name.startswith(("running", "simplest", "errors-twelve"))]
)
def test_a_method_has_its_colour_in_every_figure(name: str, folder: Path) -> None:
    text = (folder / f"{name}.svg").read_text(encoding="utf-8")
    assert all(COLOURS[method].lower() in text for method in ("ord", "lr", "svm"))


@pytest.mark.parametrize("experiment", ROWS)
def test_the_same_rows_give_the_same_bytes(experiment: str, folder: Path, tmp_path: Path) -> None:
    with matplotlib.rc_context({"font.size": 20, "axes.grid": False, "lines.linewidth": 9}):
        again = draw(document(experiment), tmp_path)
    assert [path.read_bytes() for path in again] == [(folder / path.name).read_bytes() for path in again]


def test_without_rows_there_are_no_figures(tmp_path: Path) -> None:
    assert draw(document("synthetic-metrics", []), tmp_path) == []


def test_an_experiment_without_figures_of_its_own(tmp_path: Path) -> None:
    assert draw({**document("rules"), "experiment": "unheard-of"}, tmp_path) == []


def poor(experiment: str) -> list[dict[str, Any]]:
    """Rows of one user, one size, and a method of ours that never predicts."""
    rows = ROWS[experiment]()
    if experiment == "running-times":
        return [{**row, "mip": None} for row in rows[:1]]
    rows = [row for row in rows if row["user"] == 0][:1]
    if "tables" in rows[0]:
        rows[0]["tables"]["ord"] = [0, 0, 0, 0, 0, 0, 45, 45, 10]
        rows[0]["f1"] = dict.fromkeys(rows[0].get("f1", {}), [None] * 3)
    if "models" in rows[0]:
        rows[0] |= {name: [None] * 3 for name in ("models", "families", "cardinality", "total_size")} | {"proven": 0}
    return rows


@pytest.mark.parametrize("experiment", ROWS)
def test_one_user_and_undefined_measures_are_drawn_too(experiment: str, tmp_path: Path) -> None:
    assert draw(document(experiment, poor(experiment)), tmp_path)


def test_models_beyond_what_floats_hold_are_drawn(tmp_path: Path) -> None:
    rows = [{**row, "models": [10**400] * 3} for row in simplest_rows(users=2)]
    assert draw(document("simplest-models", rows), tmp_path)


def test_several_sources_of_movies_have_their_own_figures(tmp_path: Path) -> None:
    rows = movie_rows(3) + [{**row, "source": "A <b>&", "protocol": "ninety"} for row in movie_rows(3)]
    names = [path.name for path in draw(document("movies", rows), tmp_path) if path.suffix == ".svg"]
    assert names == ["movies-1-ninety.svg", "movies-2-small.svg"]


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        draw(document("movies"), tmp_path / "nowhere")


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match=r"setpref\[experiments\]"):
        draw(document("movies"), tmp_path)


# -- verdicts --------------------------------------------------------------------------------------------------------


def counts(right: int, wrong: int, none: int, alike: int = 0) -> list[int]:
    return [right, wrong, alike, 0, 0, 0, none, 0, 0]


def judged(experiment: str, rows: list[dict[str, Any]], part: str) -> str:
    found = [claim for claim in claims_of(document(experiment, rows)) if part in claim.text]
    assert len({claim.text for claim in found}) == 1
    return found[0].verdict


def users(tables: list[dict[str, list[int]]], count: int = 12) -> list[dict[str, Any]]:
    """As many users as asked for, who differ by a little, at as many sizes as there are tables."""
    base = {"reading": "twelve", "terms": 12, "runs": 1, "proven": 1, "source": "s", "protocol": "small"}
    base |= {"conflicting_sets": 1, "repeated_sets": 1}
    rows = []
    for sets, table_ in enumerate(tables, start=12):
        for user in range(count):
            varied = {m: [t[0] + user % 3, *t[1:]] for m, t in table_.items()}
            rows.append({**base, "user": user, "sets": sets, "statements": [sets * 6], "tables": varied})
    return rows


HIGH, LOW = counts(90, 5, 100), counts(70, 30, 100)
RIVALS = {"lr": counts(150, 50, 0), "svm": counts(150, 50, 0), "knn": counts(90, 70, 40)}


@pytest.mark.parametrize(
    ("high", "verdict"), [(10, "reproduced"), (9, "reproduced"), (6, "partly"), (4, "not reproduced")]
)
def test_correctness_above_085(high: int, verdict: str) -> None:
    rows = users([{"ord": HIGH if i < high else LOW, **RIVALS} for i in range(10)])
    assert judged("synthetic-metrics", rows, "above 0.85") == verdict


@pytest.mark.parametrize(("ord_", "verdict"), [(HIGH, "reproduced"), (counts(60, 60, 80), "not reproduced")])
def test_more_often_correct(ord_: list[int], verdict: str) -> None:
    assert judged("synthetic-metrics", users([{"ord": ord_, **RIVALS}]), "more often correct") == verdict


@pytest.mark.parametrize(("none", "verdict"), [(0, "reproduced"), (5, "partly"), (50, "not reproduced")])
def test_always_predict(none: int, verdict: str) -> None:
    rows = users([{"ord": HIGH, **RIVALS, "svm": counts(150, 50, none)}])
    assert judged("synthetic-metrics", rows, "always predict") == verdict


@pytest.mark.parametrize(("none", "verdict"), [(40, "reproduced"), (60, "partly"), (300, "not reproduced")])
def test_neighbours_predict(none: int, verdict: str) -> None:
    rows = users([{"ord": HIGH, **RIVALS, "knn": counts(90, 70, none)}])
    assert judged("synthetic-metrics", rows, "about 0.8") == verdict


@pytest.mark.parametrize(
    ("knn", "verdict"), [((60, 100, 40), "reproduced"), ((100, 80, 20), "partly"), ((160, 10, 0), "not reproduced")]
)
def test_neighbours_are_worst(knn: tuple[int, int, int], verdict: str) -> None:
    rows = users([{"ord": counts(70, 5, 100), **RIVALS, "knn": counts(*knn)}])
    assert judged("synthetic-metrics", rows, "worst of the four") == verdict


@pytest.mark.parametrize(
    ("first", "last", "verdict"), [(40, 120, "reproduced"), (90, 90, "partly"), (198, 198, "not reproduced")]
)
def test_recall_is_below_and_grows(first: int, last: int, verdict: str) -> None:
    rows = users([{"ord": counts(right, 2, 200 - right), **RIVALS} for right in (first, last)])
    assert judged("synthetic-metrics", rows, "recall is below") == verdict


@pytest.mark.parametrize(
    ("reject", "verdict"),
    [((80, 20, 100), "reproduced"), ((90, 5, 100), "not reproduced"), ((95, 2, 100), "not reproduced")],
)
def test_more_than_abstaining_alone(reject: tuple[int, int, int], verdict: str) -> None:
    rejecting = {"lr-reject": counts(*reject), "svm-reject": counts(*reject)}
    rows = users([{"ord": HIGH, **RIVALS, **rejecting}])
    assert judged("synthetic-metrics", rows, "precision is more than abstaining") == verdict


def f1_rows(lead: float, late: float, count: int = 12) -> list[dict[str, Any]]:
    """F1 of ORD ahead by one lead up to 250 statements and by another beyond."""
    rows = []
    for user in range(count):
        statements = [60, 120, 180, 240, 300, 350]
        rival = [0.7 + 0.002 * (user % 3)] * 6
        ours = [r + (lead if s < 250 else late) + 0.001 * (user % 2) for r, s in zip(rival, statements, strict=True)]
        f1 = {"ord": ours, "lr": rival, "svm": rival, "knn": rival}
        rows.append({"reading": "twelve", "user": user, "sets": 20, "terms": 12, "statements": statements, "f1": f1})
    return rows


@pytest.mark.parametrize(
    ("lead", "late", "verdict"),
    [(0.05, 0.05, "reproduced"), (-0.03, 0.02, "partly"), (-0.03, -0.01, "not reproduced")],
)
def test_f1_ahead_from_170(lead: float, late: float, verdict: str) -> None:
    assert judged("synthetic-f1", f1_rows(lead, late), "ahead of that of LR") == verdict


@pytest.mark.parametrize(("lead", "verdict"), [(0.03, "reproduced"), (0.08, "partly"), (0.2, "not reproduced")])
def test_f1_is_close(lead: float, verdict: str) -> None:
    assert judged("synthetic-f1", f1_rows(lead, lead), "is close") == verdict


def timed(ours: float, mip: float, predict: float = 1.0, count: int = 4) -> list[dict[str, Any]]:
    row = {"vary": "elements", "sets": 20, "statements": 350}
    mine, theirs = {"learn": ours, "predict": predict, "proven": True}, {"learn": mip, "predict": predict}
    theirs |= {"finished": True, "predict_finished": True, "cap": 60}
    return [{**row, "elements": n, "instance": i, "ours": mine, "mip": theirs} for n in (5, 6) for i in range(count)]


@pytest.mark.parametrize(("mip", "verdict"), [(20.0, "reproduced"), (3.0, "partly"), (0.5, "not reproduced")])
def test_ten_times_faster(mip: float, verdict: str) -> None:
    assert judged("running-times", timed(1.0, mip), "Ours learns") == verdict


@pytest.mark.parametrize(("predict", "verdict"), [(1.0, "reproduced"), (0.001, "not reproduced")])
def test_predicting_costs_more(predict: float, verdict: str) -> None:
    assert judged("running-times", timed(1.0, 1.0, predict), "(the paper's programs)") == verdict


def test_programs_that_were_not_run_decide_nothing() -> None:
    rows = [{**row, "mip": None} for row in timed(1.0, 1.0)]
    assert judged("running-times", rows, "Ours learns") == "not tested"


@pytest.mark.parametrize(("ord_", "verdict"), [(HIGH, "reproduced"), (counts(90, 80, 30), "not reproduced")])
def test_most_precise_on_movies(ord_: list[int], verdict: str) -> None:
    assert judged("movies", users([{"ord": ord_, **RIVALS}]), "is more precise") == verdict


def test_the_reported_averages_are_compared_one_by_one() -> None:
    found = next(c for c in claims_of(document("movies", users([{"ord": HIGH, **RIVALS}]))) if "averages" in c.text)
    assert re.match(r"\d+ of 16 within 5 points; furthest: .* reported 0\.\d\d", found.why)


@pytest.mark.parametrize(("rival", "verdict"), [((80, 20, 100), "reproduced"), ((95, 1, 100), "not reproduced")])
def test_a_rule_beside_its_rivals(rival: tuple[int, int, int], verdict: str) -> None:
    rows = users([{"ord-union": HIGH, "lr@ord-union": counts(*rival), "svm@ord-union": counts(*rival)}])
    assert judged("rules", rows, "ORD union") == verdict


@pytest.mark.parametrize(("models", "verdict"), [(5, "reproduced"), (1, "not reproduced")])
def test_several_simplest_models(models: int, verdict: str) -> None:
    rows = [{**row, "models": [models, models, 1]} for row in simplest_rows()]
    assert judged("simplest-models", rows, "more than one") == verdict


@pytest.mark.parametrize("experiment", [name for name in ROWS if name != "running-times"])
def test_few_users_decide_nothing(experiment: str) -> None:
    rows = [row for row in ROWS[experiment]() if row["user"] < 9]
    found = claims_of(document(experiment, rows))
    assert {claim.verdict for claim in found} == {"not tested"}
    assert all(claim.why.startswith("only 9 users, and 10 are needed") for claim in found)


@pytest.mark.parametrize("experiment", ROWS)
def test_poor_rows_are_judged_without_complaint(experiment: str) -> None:
    found = findings(document(experiment, poor(experiment)))
    assert {claim.verdict for claim in found.claims} <= set(VERDICTS)
    assert found.rows


@pytest.mark.parametrize("experiment", ROWS)
def test_every_claim_has_its_rule_and_its_reasons(experiment: str) -> None:
    found = claims_of(document(experiment))
    assert found
    assert all(claim.rule and claim.why and claim.scope for claim in found)


@pytest.mark.parametrize("experiment", ROWS)
def test_tables_are_plain_cells_under_their_columns(experiment: str) -> None:
    found = findings(document(experiment))
    assert found.rows
    assert all(len(row) == len(found.columns) and all(isinstance(cell, str) for cell in row) for row in found.rows)


def test_what_the_paper_left_out_holds_or_not_but_is_not_reproduced() -> None:
    words = {claim.word for claim in claims_of(document("rules"))}
    assert words <= {"holds", "partly", "does not hold", "not tested"}


def test_failures_and_unproven_runs_are_said() -> None:
    rows = [{**row, "proven": 2} for row in metric_rows(users=10)]
    failed = {"failures": [{"task": {"user": 3}, "error": "it broke"}] * 7}
    notes = " ".join(findings({**document("synthetic-metrics", rows), **failed, "quick": True}).notes)
    for words in ("quick run", "proven in 200 of 300 runs", "7 tasks failed", "user 3: it broke", "and 2 more"):
        assert words in notes


def test_what_was_decided_for_the_paper_is_said() -> None:
    chosen = {
        "knn_weights": "inverse",
        "collisions": "drop",
        "genres": ["Drama", "War"],
        "licence": "own",
        "source": "s",
    }
    notes = " ".join(findings({**document("movies"), "settings": chosen}).notes)
    for words in ("inverse distance", "is dropped", "Drama, War", "The data: s; own."):
        assert words in notes


def test_markdown_has_every_table_and_verdict() -> None:
    text = markdown([document(experiment) for experiment in ROWS])
    assert text.count("\n## ") + text.startswith("## ") == len(ROWS)
    assert all(len(re.split(r"(?<!\\)\|", line)) > 3 for line in text.splitlines() if line.startswith("|"))
    assert "**reproduced**" in text


# -- the report ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    documents = [document(experiment) for experiment in ROWS]
    documents[0]["failures"] = [{"task": {"user": 3}, "error": "<script>alert(1)</script>"}]
    documents[3]["rows"] = [{**row, "source": "A <b>&"} for row in documents[3]["rows"]]
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(documents, folder, path)
    return path.read_text(encoding="utf-8")


def test_the_report_needs_nothing_else(report: str) -> None:
    assert "http" not in report
    assert not re.search(r"<(script|link|iframe|img|object|base)\b|@import|url\((?!#)", report)


def test_all_figures_are_in_the_report(report: str) -> None:
    planned = sum(len(drawings(document(experiment))) for experiment in ROWS)
    assert report.count("<svg") == report.count("<figcaption>") == planned
    assert "not drawn" not in report


def test_names_in_the_report_stand_once_and_links_meet_them(report: str) -> None:
    names = re.findall(r'\bid="([^"]+)"', report)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', report)) != set()
    assert {a or b for a, b in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', report)} <= set(names)


def test_the_report_escapes_what_it_is_given(report: str) -> None:
    assert "&lt;script&gt;alert(1)" in report
    assert "A &lt;b&gt;&amp;" in report


def test_the_report_is_a_tree(report: str) -> None:
    body = report[report.index("<body>") : report.index("</html>")].replace("<br>", "<br/>")
    assert ET.fromstring(body).tag == "body"


def test_the_report_reads_on_a_phone(report: str) -> None:
    assert 'name="viewport" content="width=device-width' in report
    assert report.count('<div class="box"') == report.count("<table>") == len(ROWS)


def test_the_report_tells_settings_versions_and_failures(report: str) -> None:
    for words in ("range_of_statements", "&quot;setpref&quot;: &quot;0.1&quot;", "1 task failed", "What failed"):
        assert words in report


def test_a_figure_that_is_missing_is_said(tmp_path: Path) -> None:
    write_report([document("movies")], tmp_path, tmp_path / "report.html")
    assert "movies-small is not drawn yet" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_report_of_nothing(tmp_path: Path) -> None:
    write_report([document("rules", [])], tmp_path, tmp_path / "report.html")
    assert "There are no rows" in (tmp_path / "report.html").read_text(encoding="utf-8")


# -- the pages -------------------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"
STORED = sorted((PAGE.parent / "experiments").glob("*.json"))


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_page_says_what_the_stored_rows_say(path: Path) -> None:
    assert markdown([read_document(path)]).rstrip() in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_page_shows_every_figure(path: Path) -> None:
    for planned in drawings(read_document(path)):
        assert f"images/experiments/{planned.name}.svg" in PAGE.read_text(encoding="utf-8")
        assert (PAGE.parent / "images" / "experiments" / f"{planned.name}.svg").exists()
