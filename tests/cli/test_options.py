"""The options of data: every command on data has them all, with the same words and defaults, where they belong."""

import pytest
from typer.main import get_command

from setpref.cli.commands import app

DATA = ["--format", "--universe", "--collisions", "--ties", "--tolerance", "--same", "--max-rows"]
WITHOUT_TIES = ["--format", "--universe", "--collisions", "--max-rows"]


def parameters(command: str) -> dict[str, object]:
    return {parameter.opts[0]: parameter for parameter in get_command(app).commands[command].params}


@pytest.mark.parametrize("command", ["check", "learn", "repair", "tradeoff"])
def test_a_command_on_data_takes_every_option_of_data(command):
    names = list(parameters(command))
    assert names[0] == "data"
    assert names[-1 - len(DATA) : -1] == DATA
    assert names[-1] == "--json"


def test_evaluating_takes_those_that_do_not_speak_of_ties():
    names = list(parameters("evaluate"))
    assert names[-1 - len(WITHOUT_TIES) : -1] == WITHOUT_TIES
    assert not {"--ties", "--tolerance", "--same"} & set(names)


@pytest.mark.parametrize("name", ["data", *DATA])
@pytest.mark.parametrize("command", ["learn", "repair", "tradeoff", "evaluate"])
def test_an_option_says_the_same_everywhere(command, name):
    here, there = parameters(command).get(name), parameters("check")[name]
    assert here is None or (here.help, here.default, here.required) == (there.help, there.default, there.required)
