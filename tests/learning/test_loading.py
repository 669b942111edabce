"""Loading only reads: no room that searches or solves is entered, and saving again gives the same file."""

import sys
from pathlib import Path

import pytest

import setpref
from instances import modelled
from setpref import Preferences, learn, load, read

HOUSE = Path(setpref.__file__).parent
DRINKS = HOUSE.parents[1] / "examples" / "drinks.csv"
CLASHING = [("tea", "milk"), ("milk", "ale"), ("ale", "tea"), ("tea", "{}"), ("milk", "{}")]

RESULTS = {
    "lex": lambda: learn(modelled(6, 14, 6, 2, seed=4)),
    "card": lambda: learn(modelled(5, 12, 6, 2, seed=6), "card"),
    "ws": lambda: learn(modelled(5, 12, 6, 2, seed=6), "ws"),
    "deg": lambda: learn(modelled(6, 14, 6, 2, seed=4), "deg"),
    "kernel": lambda: learn(modelled(6, 14, 6, 2, seed=4), "deg", "kernel"),
    "stopped": lambda: learn(modelled(12, 40, 12, 2, seed=3), time_limit=0),
    "errors": lambda: learn(read(DRINKS, contradictions="keep"), errors="auto"),
    "a number of errors": lambda: learn(Preferences.from_pairs(CLASHING, contradictions="keep"), errors=2),
    "ratings given up": lambda: learn(
        Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0}), errors=1
    ),
}


class Rooms:
    """A profiler that remembers which modules of setpref a function was called in."""

    def __init__(self):
        self.entered = set()

    def __call__(self, frame, event, _):
        file = Path(frame.f_code.co_filename)
        if event == "call" and HOUSE in file.parents:
            self.entered.add(".".join(file.relative_to(HOUSE).with_suffix("").parts))


def entered(act):
    rooms = Rooms()
    sys.setprofile(rooms)
    try:
        done = act()
    finally:
        sys.setprofile(None)
    return done, rooms.entered


@pytest.mark.parametrize("kind", RESULTS)
def test_loading_enters_no_room_that_searches(kind, tmp_path):
    learned = RESULTS[kind]()
    learned.save(tmp_path / "one.json")
    load(tmp_path / "one.json")  # what is imported when first used is imported now
    again, modules = entered(lambda: load(tmp_path / "one.json"))
    assert {module.split(".")[0] for module in modules if "." in module} <= {"data", "proofs", "learning"}
    assert again.document() == learned.document()


@pytest.mark.parametrize("kind", RESULTS)
def test_saving_what_was_loaded_asks_nobody(kind, tmp_path):
    RESULTS[kind]().save(tmp_path / "one.json")
    again = load(tmp_path / "one.json")
    _, modules = entered(lambda: again.save(tmp_path / "two.json"))
    rooms = {module for module in modules if module.startswith(("solving.", "engine.", "repairs.", "answers."))}
    assert rooms <= {"engine.shrinking", "repairs.repaired"}  # what is written down is asked for, and known
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()
