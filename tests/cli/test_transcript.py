"""What every command prints, byte for byte: `transcript.txt` beside this file, seconds left out.

After a wanted change: ``python tests/cli/test_transcript.py`` writes it anew, and its difference is what to look at.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

import setpref as sp
from setpref.cli import main
from setpref.families import Simplest
from setpref.learning.learned import Learned
from setpref.simplicity import LEX

TRANSCRIPT = Path(__file__).with_name("transcript.txt")
EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {
    "rated.csv": "alternative,rating\ntea,3\ntea+lemon,5\nmilk,2\ntea+milk,1\n{},0\n",
    "ties.csv": "alternative,rating\ntea,3\nmilk,3\ntea+milk,2.6\n{},0\ntea,3.5\nale,1/3\n",
    "said.csv": "better,worse,id\ntea,milk,first\nmilk,{},\ntea,milk,\n",
    "same.csv": "a,b\nlemon,mint\n",
    "clash.csv": "better,worse\ntea,milk\nmilk,ale\nale,tea\ntea,{}\nmilk,{}\n",
    "heavy.csv": "better,worse,weight\na,b,1\nb,c,2\nc,a,1\na,c,1\nc,a,0.5\n",
    "one.csv": "better,worse\n" + "+".join(f"x{i}" for i in range(7)) + ",{}\n",
    "pairs.csv": "a,b\ntea,milk\n{},tea+lemon\nlemon+milk,tea\ntea,tea\n",
    "sets.csv": "alternative\ntea\nmilk\n{}\nlemon+tea\n",
    "ways.csv": "better,worse\nmilk+tea,ale+milk+tea\nmilk+tea,{}\n",
    "none.csv": "alternative,rating\ntea,1\nmilk,1\n",
}
COMMANDS = """
check rated.csv
check rated.csv --json
check ties.csv --ties indifferent --tolerance 0.3
check ties.csv --collisions mean --json
check said.csv --same same.csv
check clash.csv
check clash.csv --json --groups 1
check heavy.csv --groups 1
check rated.csv --degree 1
check none.csv
learn rated.csv --out rated.json
learn rated.csv --json
learn rated.csv --simplicity card --out card.json
learn rated.csv --simplicity ws
learn rated.csv --simplicity deg --out deg.json
learn rated.csv --simplicity deg --json
learn rated.csv --engine mip
learn rated.csv --simplicity card --engine bruteforce
learn ties.csv --ties indifferent --tolerance 0.3 --out ties.json
learn said.csv --same same.csv --out said.json
learn none.csv
learn one.csv --simplicity card --out one.json
learn one.csv --simplicity deg
learn yogurt.csv --out yogurt.json
learn drinks.csv --errors auto --out drinks.json
learn clash.csv --errors auto --out clash.json
learn clash.csv --errors auto --json
learn clash.csv --errors 2 --simplicity card
learn clash.csv --errors auto --repairs 1 --out first.json
learn rated.csv --errors 1
learn rated.csv --errors auto --simplicity deg --out degs.json
learn heavy.csv --errors auto
learn clash.csv
learn rated.csv --errors 9 --out rated.csv
verify rated.json
verify rated.json --json
verify clash.json
verify deg.json
compare rated.json tea milk
compare rated.json milk tea --certificate
compare rated.json lemon+milk tea --certificate
compare rated.json lemon+milk tea --certificate --json
compare rated.json tea tea --certificate
compare rated.json tea milk --engine mip
compare rated.json tea milk --engine mip --json
compare rated.json lemon+milk tea --engine mip
compare deg.json tea milk --certificate
compare deg.json lemon milk --certificate --json
compare ties.json tea milk --certificate
compare said.json lemon mint --certificate
compare clash.json tea {} --certificate
compare clash.json tea milk --certificate
compare clash.json tea milk --certificate --json
compare clash.json tea tea
compare clash.json tea milk --engine mip
compare degs.json tea milk --certificate
compare known.json tea milk
compare known.json milk tea
compare known.json lemon+milk tea
compare known.json tea tea
compare nothing.json tea milk --certificate
compare nothing.json tea milk --json
compare unsure.json tea {}
compare unsure.json tea milk
compare silent.json tea {} --certificate
compare one.json x0 {} --certificate
compare rated.json tea coffee
predict rated.json pairs.csv --out out.csv
predict known.json pairs.csv --out out.csv
predict nothing.json pairs.csv --out out.csv --json
predict silent.json clashing.csv --out out.csv
order rated.json
order rated.json --json
order rated.json --alternatives sets.csv
order known.json --alternatives sets.csv
order nothing.json --alternatives sets.csv --json
order clash.json
order ties.json
order yogurt.json
best rated.json --size 1-2
best rated.json --exclude lemon --json
best known.json --size 1
best nothing.json --size 0
best nothing.json --size 1
best deg.json --size 1
best clash.json --size 1
best degs.json
explain rated.json tea milk
explain rated.json tea+lemon {} --json
explain rated.json lemon+milk tea
explain rated.json tea tea
explain rated.json --term tea+milk
explain rated.json --term lemon+milk
explain rated.json --degree
explain rated.json --degree --json
explain said.json lemon mint
explain said.json tea milk+mint
explain said.json --degree
explain ties.json tea milk
explain ties.json tea ale
explain one.json x0+x1+x2+x3+x4+x5+x6 {}
explain one.json --term x0
explain card.json --degree
explain card.json tea+lemon milk
explain card.json lemon milk
explain deg.json tea+lemon {}
explain deg.json lemon milk
explain deg.json --term tea
explain deg.json --degree
explain known.json tea milk
explain known.json lemon+milk tea
explain known.json tea tea
explain known.json --term tea
explain nothing.json tea milk
explain nothing.json --term tea
explain nothing.json --degree
explain clash.json tea {}
explain clash.json tea milk
explain clash.json tea milk --json
explain clash.json --term tea
explain clash.json --term tea+ale
explain clash.json --degree
explain degs.json tea milk
explain degs.json --term tea
explain first.json tea milk
explain unsure.json tea {}
explain unsure.json tea milk
explain silent.json tea {}
explain silent.json --term tea
explain yogurt.json coconut {}
explain yogurt.json coconut+mango chocolate+mint
explain ways.json milk+tea ale
explain some.json milk+tea ale
explain some.json ale {}
repair clash.csv
repair clash.csv --json
repair heavy.csv --out kept.csv
repair rated.csv --degree 1
repair rated.csv
tradeoff rated.csv
tradeoff clash.csv --terms
tradeoff heavy.csv --json
generate --out made.csv --seed 1
generate --out made.csv --elements 3 --json
check rated.csv --json --max-rows 1
"""


def settled(text: str) -> str:
    """Return what was printed without how long it took and how the search went."""
    text = re.sub(r"\b\d+\.\d{3} s with engine", "0.000 s with engine", text)
    text = re.sub(r'("seconds": )[\d.e-]+', r"\g<1>0", text)
    text = re.sub(r'("statistics": )\{.*?\}', r"\g<1>{}", text)
    return re.sub(r"\d+ (clauses?|nodes|multipliers)", r"0 \g<1>", text)


def prepare(folder: Path) -> None:
    """Write the data, and results that no search stops at reliably: known so far, no model yet, of a few repairs."""
    for name, content in FILES.items():
        (folder / name).write_text(content)
    (folder / "clashing.csv").write_text("a,b\ntea,{}\ntea,milk\n")
    for name in ("yogurt.csv", "drinks.csv"):
        shutil.copy(EXAMPLES / name, folder / name)
    learned = sp.learn(sp.read(folder / "rated.csv"))
    stopped(learned).save(folder / "known.json", proof=False)
    empty(learned).save(folder / "nothing.json")
    despite = sp.learn(sp.read(folder / "clash.csv", contradictions="keep"), errors="auto")
    first, *others = despite.parts
    replace(despite, parts=(stopped(first), *others)).save(folder / "unsure.json")
    replace(despite, parts=(empty(first), *others)).save(folder / "silent.json")
    ways = sp.learn(sp.read(folder / "ways.csv"), "card")
    ways.save(folder / "ways.json")
    stopped(ways).save(folder / "some.json", proof=False)


def stopped(learned: Learned) -> Learned:
    """Return the same, as if the search had not come to an end."""
    assert learned.found is not None
    return replace(learned, found=replace(learned.found, proven=False))


def empty(learned: Learned) -> Learned:
    """Return what is known if the search was stopped before it met a model."""
    return replace(learned, found=Simplest(LEX, (), False, 1))


def printed(command: str) -> str:
    """Return a command as it is typed, all that it prints, and its exit code if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["setpref", *shlex.split(command)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = 0
        try:
            main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
    said = settled(out.getvalue() + err.getvalue())
    if command.startswith("predict"):
        said += Path("out.csv").read_text()
    return f"$ setpref {command}\n{said}" + (f"[{code}]\n" if code else "")


def transcript(folder: Path) -> list[str]:
    prepare(folder)
    with contextlib.chdir(folder):
        return [printed(command) for command in COMMANDS.strip().splitlines()]


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {text.splitlines()[0]: text for text in transcript(tmp_path_factory.mktemp("transcript"))}


def before() -> dict[str, str]:
    entries = re.split(r"(?m)^(?=\$ setpref )", TRANSCRIPT.read_text(encoding="utf-8"))[1:]
    return {text.splitlines()[0]: text for text in entries}


@pytest.mark.parametrize("command", [f"$ setpref {command}" for command in COMMANDS.strip().splitlines()])
def test_a_command_prints_what_it_always_printed(command: str, now: dict[str, str]) -> None:
    assert now[command] == before()[command]


if __name__ == "__main__":
    os.environ["COLUMNS"] = "120"
    with tempfile.TemporaryDirectory() as made:
        TRANSCRIPT.write_text("".join(transcript(Path(made))), encoding="utf-8")
