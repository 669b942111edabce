"""Every example script runs as people run it, and asserts what it claims."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(ROOT.glob("examples/**/*.py"))


def test_there_is_a_script_for_each_example_of_the_paper():
    names = " ".join(script.stem for script in SCRIPTS)
    assert all(f"example_{number}_" in names for number in range(1, 6))
    assert all(f"proposition_{number}_" in names for number in range(1, 5))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_script_runs_and_says_something(script, tmp_path):
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "assert" in script.read_text(encoding="utf-8") or script.stem == "demo"
