"""Figures of made-up rows, drawn once."""

from __future__ import annotations

from pathlib import Path

import pytest

from made_up_rows import ROWS, document
from setpref.experiments.findings import draw


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("figures")
    for experiment in ROWS:
        draw(document(experiment), place)
    return place
