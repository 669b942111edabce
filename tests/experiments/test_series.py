"""From rows to numbers: measures of tables, means over people, medians that may only be lower bounds."""

from __future__ import annotations

import numpy as np
import pytest

from setpref.experiments import series as from_rows
from setpref.experiments.studies.times_figures import slower, times_by_place
from setpref.metrics import METRICS, confusion_table


@pytest.mark.parametrize("metric", METRICS)
def test_measures_of_tables_are_those_of_predictions(metric: str) -> None:
    draw_ = np.random.default_rng(6)
    predicted, real = draw_.integers(-1, 2, size=(2, 60))
    found = from_rows.ratio(metric, confusion_table(predicted, real).ravel().tolist())
    assert found == METRICS[metric](predicted, real)


def test_intervals_are_over_users_not_runs() -> None:
    tables = [{"ord": [9, 1, 0, 0, 0, 0, 0, 0, 0]}, {"ord": [1, 0, 0, 0, 0, 0, 0, 0, 9]}]
    rows = [{"user": user, "tables": tables[user]} for user in (0, 1)] * 5
    found = from_rows.interval(rows, "ord", "precision")
    assert (found.runs, found.mean) == (2, pytest.approx(0.95))


def test_an_undefined_measure_is_left_out() -> None:
    never = {"user": 0, "tables": {"ord": [0, 0, 0, 0, 0, 0, 5, 5, 0]}}
    right = {"user": 1, "tables": {"ord": [4, 0, 0, 0, 4, 0, 0, 0, 0]}}
    assert from_rows.interval([never, right], "ord", "precision").runs == 1


def test_f1_is_averaged_over_the_runs_with_enough_statements() -> None:
    rows = [{"user": 3, "statements": [40, 60, 80], "f1": {"ord": [0.1, 0.5, 0.7]}}]
    assert from_rows.mean_f1(rows, "ord", 50) == {3: pytest.approx(0.6)}


def test_undefined_f1_is_left_out() -> None:
    rows = [{"user": 3, "statements": [60, 80], "f1": {"ord": [None, 0.7]}}]
    assert from_rows.mean_f1(rows, "ord", 50) == {3: 0.7}


def test_ratios_pair_the_same_instances() -> None:
    rows = [
        {"ours": {"learn": 0.1, "predict": 0.1}, "mip": {"learn": 2.0, "predict": None, "finished": True}},
        {"ours": {"learn": 1.0, "predict": 0.1}, "mip": {"learn": 60.0, "predict": None, "finished": False}},
        {"ours": {"learn": 9.0, "predict": 0.1}, "mip": None},
    ]
    found = slower(rows, "learn")
    assert (found.count, found.median, found.capped, found.least) == (2, 40.0, 1, False)


def test_instances_are_grouped_by_the_number_of_statements_asked_for() -> None:
    rows = [{"vary": "statements", "elements": 8, "sets": 9, "statements": s} for s in (26, 31, 52, 60)]
    found = times_by_place({"settings": {"range_of_statements": [25, 50]}, "rows": rows})
    assert list(found["statements"]) == [28.5, 56.0]
