"""The figures of made-up rows: whole, named, in the right colours, the same bytes twice."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from made_up_rows import ROWS, document, movie_rows, poor, simplest_rows
from setpref.errors import InputError, MissingDependency
from setpref.experiments.findings import draw, drawings
from setpref.experiments.sheet import COLOURS, spread_out


def shown(folder: Path, name: str) -> set[str]:
    """The texts of a figure: letters are outlines, and matplotlib says in comments what they spell."""
    return set(re.findall(r"<!-- (.*?) -->", (folder / f"{name}.svg").read_text(encoding="utf-8")))


@pytest.mark.parametrize("places", [[0.5] * 5, [0.0, 0.01, 0.99, 1.0], [0.9, 0.2, 0.25, 0.22], [1.2, -3.0]])
def test_labels_are_apart_in_order_and_inside(places: list[float]) -> None:
    found = spread_out(places, 0.1, 0.0, 1.0)
    ordered = [found[i] for i in sorted(range(len(places)), key=lambda i: places[i])]
    assert min(np.diff(ordered)) >= 0.1 - 1e-6
    assert -1e-6 <= min(ordered) <= max(ordered) <= 1 + 1e-6


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
