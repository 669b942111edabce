"""README and docs are true to the letter: every Python block runs, every console block prints what it shows."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[str]:
    return [body for language, body in BLOCK.findall(page.read_text(encoding="utf-8")) if language == kind]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A reader's folder: the bundled examples and a small contradiction."""
    for example in ("yogurt.csv", "drinks.csv"):
        shutil.copy(ROOT / "examples" / example, tmp_path)
    (tmp_path / "clash.csv").write_text("better,worse\ntea+lemon,tea\ntea,tea+lemon\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_python_blocks_run_and_print_their_comments(page, folder, capsys):
    namespace: dict[str, object] = {}
    source = "\n".join(blocks(page, "python"))
    exec(compile(source, str(page), "exec"), namespace)
    printed = capsys.readouterr().out.splitlines()
    promised = re.findall(r"^print\(.*?\)\s+# (\w+)", source, re.MULTILINE)
    assert printed[: len(promised)] == promised


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console")], ids=lambda p: p.name)
def test_console_blocks_print_what_they_show(page, folder):
    checker = doctest.OutputChecker()
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for block in blocks(page, "console"):
        for step in block.split("$ ")[1:]:
            command, _, expected = step.partition("\n")
            done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=False)
            shown = done.stdout + done.stderr
            assert checker.check_output(expected, shown, doctest.ELLIPSIS), f"$ {command}\n{shown}"


def test_the_readme_shows_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing
