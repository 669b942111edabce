"""Every study is whole, and its claims are judged as their rules say."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from typing import Any

import pytest

from made_up_rows import ROWS, document, poor, simplest_rows
from setpref.cli.experimenting import reproduce
from setpref.experiments import EXPERIMENTS
from setpref.experiments.contract import Experiment
from setpref.experiments.findings import findings
from setpref.experiments.judging import VERDICTS, Claim


def claims_of(document: dict[str, Any]) -> list[Claim]:
    return findings(document).claims


# -- a study is whole ------------------------------------------------------------------------------------------------

STUDIES = pytest.mark.parametrize("study", EXPERIMENTS.values(), ids=list(EXPERIMENTS))


def test_every_study_has_made_up_rows() -> None:
    assert list(ROWS) == list(EXPERIMENTS)


@STUDIES
def test_a_study_says_what_it_is(study: Experiment) -> None:
    assert EXPERIMENTS[study.name] is study
    assert study.title
    assert study.question.endswith(".")
    assert study.table.columns
    assert study.table.caption.endswith(".")
    assert study.source in EXPERIMENTS
    assert study.seconds(study.tasks({**study.full, "people": [1]})[0], dict(study.full)) > 0


@STUDIES
def test_a_study_draws_lists_and_judges(study: Experiment) -> None:
    told = document(study.name)
    assert study.figures(told)
    assert list(study.table.cells(told))
    assert {claim.verdict for claim in study.claims(told)} <= set(VERDICTS)


@pytest.mark.parametrize("forgotten", [field.name for field in fields(Experiment)])
def test_a_study_that_forgets_something_is_none(forgotten: str) -> None:
    told = {name: value for name, value in vars(EXPERIMENTS["rules"]).items() if name != forgotten}
    with pytest.raises(TypeError, match=forgotten):
        Experiment(**told)


def test_the_command_names_every_study() -> None:
    told = inspect.signature(reproduce).parameters["names"].annotation
    assert ", ".join(EXPERIMENTS) in told


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
            varied = {m: [t[0] + user % 3, *t[1:]] if t[0] else t for m, t in table_.items()}
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


@pytest.mark.parametrize(
    ("experiment", "part"),
    [
        ("synthetic-metrics", "worst of the four"),
        ("synthetic-metrics", "recall is below"),
        ("movies", "recall is below"),
        ("rules", "loses no more than 2 points"),
    ],
)
def test_measures_that_nobody_has_decide_nothing(experiment: str, part: str) -> None:
    nothing = [*[0] * 8, 200]  # nothing can be told apart, and nothing is predicted
    methods = ("ord", "lr", "svm", "knn", "ord-majority")
    assert judged(experiment, users([dict.fromkeys(methods, nothing)] * 2), part) == "not tested"


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
    assert all(
        len(row) == len(found.experiment.table.columns) and all(isinstance(cell, str) for cell in row)
        for row in found.rows
    )


def test_what_the_paper_left_out_holds_or_not_but_is_not_reproduced() -> None:
    words = {claim.word for claim in claims_of(document("rules"))}
    assert words <= {"holds", "partly", "does not hold", "not tested"}
