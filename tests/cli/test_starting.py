"""How the command line starts, and how it is stopped before it has."""

import json
import subprocess
import sys

import pytest

STARTS = {
    "setpref": "from setpref.cli import main; main()",
    "python -m setpref": "import runpy; runpy.run_module('setpref')",
}
PRESSED = """
import sys

class Pressed:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Pressed())
sys.argv = ["setpref", *sys.argv[1:]]
"""


def run(code, *arguments):
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_ctrl_c_while_the_commands_are_loaded(start):
    done = run(PRESSED + start, "learn", "data.csv")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "setpref: interrupted\n")


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_ctrl_c_while_the_commands_are_loaded_is_told_as_json_to_who_reads_json(start):
    done = run(PRESSED + start, "learn", "data.csv", "--json")
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (130, {"error": "interrupted"}, "")


def test_ctrl_c_is_watched_for_before_anything_is_loaded():
    known = (
        "import setpref, sys; before = set(sys.modules); import setpref.cli; print(sorted(set(sys.modules) - before))"
    )
    assert run(known).stdout == "['setpref.cli']\n"


def test_the_application_can_still_be_imported_by_name():
    from setpref import cli
    from setpref.cli.commands import app

    assert cli.app is app
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cli.nothing
