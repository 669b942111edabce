"""The report: one page that needs nothing else."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import escape
from pathlib import Path

import pytest

from made_up_rows import ROWS, document
from setpref.experiments import EXPERIMENTS
from setpref.experiments.findings import drawings
from setpref.experiments.report import write_report


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


def test_the_report_says_what_every_experiment_is_about(report: str) -> None:
    assert all(f"<p>{escape(study.question)}</p>" in report for study in EXPERIMENTS.values())


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
