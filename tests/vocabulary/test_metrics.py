"""Metrics with abstention against tables worked by hand."""

import math

import numpy as np
import pytest

from setpref import InputError
from setpref import metrics as m

# Worked by hand: BB=3 BW=1 BU=2 / WB=1 WW=4 WU=0 / UB=2 UW=3 UU=1, 17 pairs.
CELLS = {(1, 1): 3, (1, -1): 1, (1, 0): 2, (-1, 1): 1, (-1, -1): 4, (-1, 0): 0, (0, 1): 2, (0, -1): 3, (0, 0): 1}
PREDICTED = [p for (p, _), times in CELLS.items() for _ in range(times)]
REAL = [r for (_, r), times in CELLS.items() for _ in range(times)]


def test_the_table_has_rows_predicted_and_columns_real():
    assert m.confusion_table(PREDICTED, REAL).tolist() == [[3, 1, 2], [1, 4, 0], [2, 3, 1]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("precision", 7 / 11),
        ("recall", 7 / 14),
        ("f1", 2 * (7 / 11) * (7 / 14) / (7 / 11 + 7 / 14)),
        ("correctness", 7 / 9),
        ("prediction_rate", 11 / 17),
    ],
)
def test_measures_against_hand_worked_values(name, value):
    assert m.measure(name, PREDICTED, REAL) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "predicted", "real", "value"),
    [
        ("precision", [0, 0], [1, -1], math.nan),
        ("precision", [1, 1], [0, 0], 0.0),
        ("recall", [0, 0], [1, -1], 0.0),
        ("recall", [1, 0], [0, 0], math.nan),
        ("f1", [0, 0], [1, -1], 0.0),
        ("f1", [1], [-1], 0.0),
        ("f1", [1], [0], 0.0),
        ("f1", [0], [0], math.nan),
        ("f1", [], [], math.nan),
        ("correctness", [1, -1], [0, 0], math.nan),
        ("correctness", [0], [1], math.nan),
        ("prediction_rate", [], [], math.nan),
        ("prediction_rate", [0, 0], [1, 1], 0.0),
    ],
)
def test_undefined_ratios_are_nan_and_nothing_else_is(name, predicted, real, value):
    assert m.measure(name, predicted, real) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("name", sorted(m.METRICS))
def test_mirroring_every_pair_changes_no_measure(name):
    mirrored = m.measure(name, [-p for p in PREDICTED], [-r for r in REAL])
    assert m.measure(name, PREDICTED, REAL) == mirrored


def test_the_curve_against_a_hand_worked_one():
    # By size: 0.9 right, 0.5 wrong, then 0.2 twice (one right, one on equal sets); 0 never predicts.
    curve = m.coverage_precision_curve([0.2, 0.9, -0.5, 0.0, -0.2], [1, 1, 1, 1, 0])
    assert curve.threshold.tolist() == [0.9, 0.5, 0.2]
    assert curve.coverage.tolist() == [1 / 5, 2 / 5, 4 / 5]
    assert curve.precision.tolist() == [1.0, 1 / 2, 2 / 4]
    assert curve.correctness.tolist() == [1.0, 1 / 2, 2 / 3]
    assert curve.precision_at(0.3) == 1.0
    assert math.isnan(curve.precision_at(0.1))


def test_the_curve_ends_where_the_plain_measures_are():
    rng = np.random.default_rng(5)
    margins, real = rng.normal(size=200).round(1), rng.integers(-1, 2, size=200)
    curve = m.coverage_precision_curve(margins, real)
    assert curve.precision[-1] == m.precision(np.sign(margins).astype(int), real)
    assert curve.correctness[-1] == m.correctness(np.sign(margins).astype(int), real)
    assert curve.coverage[-1] == m.prediction_rate(np.sign(margins).astype(int))


def test_a_curve_of_nothing_is_empty():
    assert m.coverage_precision_curve([0.0], [1]).coverage.tolist() == []
    assert np.isnan(m.coverage_precision_curve([0.3], [0]).correctness).all()


@pytest.mark.parametrize(
    ("predicted", "real", "words"),
    [
        ([1, 2], [1, 1], "2 is not"),
        (["better"], [1], "better is not"),
        ([1, 1], [1], "2 predicted and 1 real"),
        ([[1, 0]], [[1, 0]], "2 axes"),
        ([float("nan")], [1], "nan is not"),
    ],
)
def test_other_values_are_refused(predicted, real, words):
    with pytest.raises(InputError, match=words):
        m.confusion_table(predicted, real)


def test_bad_margins_and_unknown_names_are_refused():
    with pytest.raises(InputError, match="none missing"):
        m.coverage_precision_curve([float("nan")], [1])
    with pytest.raises(InputError, match="1 margins and 2 real"):
        m.coverage_precision_curve([0.1], [1, 1])
    with pytest.raises(InputError, match="metric 'accuracy' is not known"):
        m.measure("accuracy", [1], [1])
