"""What an experiment found, in notes, in Markdown, and on the documentation's page."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib
import pytest

from made_up_rows import ROWS, document, metric_rows
from setpref.experiments.findings import drawings, findings, markdown
from setpref.experiments.journal import read_document
from setpref.experiments.sheet import drawing
from setpref.showing.canvas import ENDINGS


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


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_stored_rows_give_the_figures_of_the_page_byte_by_byte(path: Path, tmp_path: Path) -> None:
    for planned in drawings(read_document(path)):
        stored = (PAGE.parent / "images" / "experiments" / f"{planned.name}.svg").read_bytes()
        if f"Matplotlib v{matplotlib.__version__}," not in stored.decode():
            pytest.skip("the figures of the page were drawn by another matplotlib")
        with drawing():
            planned.make().savefig(tmp_path / "again.svg", metadata=ENDINGS[".svg"])
        assert (tmp_path / "again.svg").read_bytes() == stored
