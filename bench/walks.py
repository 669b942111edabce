"""Walks: which rooms of the package a request enters, and how often it goes from one to another.

A room is a folder of the package; the files beside the folders are the vocabulary, which every room speaks and which
is no room. While the package is flat, `walks/flat_rooms.txt` says which room each module belongs to.

Per stage, of the Python functions written in setpref's files (nothing of C, nothing generated, as a dataclass's
`__init__` is; comprehensions, lambdas and generators are functions, of the file that has them):

- calls: how many started; a generator starts when first asked for an item, and going on with it is no call;
- functions, modules: how many different ones, those of the vocabulary too;
- rooms: those in which a function started, in the order of the first;
- between rooms: the calls of a function in one room while the nearest function that waits for it, outside the
  vocabulary and setpref's, is in another. What calls the stage itself is no room.

And how often sets of names are made of masks (`Universe.write`, and `Universe.elements`, which it calls), masks of sets
of names (`split_set`), and `Universe.names` is read from outside the vocabulary.

Everything runs twice in an interpreter of its own, on new objects, and the second time counts: imports are done, and
functions that remember their answers have them. Counts repeat exactly; compare those of one version of Python, as newer
ones have no functions for comprehensions.
"""

import dis
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import setpref as sp
from bench.table import show

PACKAGE = Path(sp.__file__).parent
INPUTS = Path(__file__).parent / "walks"
DRINKS = Path(__file__).parents[1] / "examples" / "drinks.csv"
VOCABULARY = "vocabulary"
NAMING = ("Universe.write", "Universe.elements", "split_set")

Step = Callable[[str, Callable[[], Any]], Any]


class Walk:
    """What one stage did; the profiler to run it under."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, CodeType]] = Counter()  # equal code may stand in two files
        self.rooms: dict[str, None] = {}
        self.crossings: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        room = room_of(code.co_filename)
        if event != "call" or room is None or frame.f_lasti != beginning(code):
            return
        self.functions[code.co_filename, code] += 1
        if room == VOCABULARY:
            return
        self.rooms[room] = None
        before = room_waiting(frame.f_back)
        if before not in (None, room):
            self.crossings[before, room] += 1

    def row(self) -> tuple[object, ...]:
        modules = {file for file, _ in self.functions}
        counts = self.functions.total(), len(self.functions), len(modules), self.crossings.total(), len(self.rooms)
        return *counts, " ".join(self.rooms)

    def named(self, function: str) -> int:
        """Return how often a function of this qualified name was called."""
        return sum(times for (_, code), times in self.functions.items() if code.co_qualname == function)


@cache
def flat_rooms() -> dict[str, str]:
    """Return the room of every module of a flat package; nothing once a room has its folder."""
    lines = (INPUTS / "flat_rooms.txt").read_text(encoding="utf-8").splitlines()
    listed = {room: modules.split() for room, modules in (line.split(":") for line in lines)}
    if any(any((PACKAGE / room).glob("*.py")) for room in listed):
        return {}
    return {module: room for room, modules in listed.items() for module in modules}


@cache
def room_of(file: str) -> str | None:
    """Return the room of a file, or None if it is not setpref's."""
    if PACKAGE not in Path(file).parents:
        return None
    first, *rest = Path(file).relative_to(PACKAGE).with_suffix("").parts
    if rest:
        return first
    return flat_rooms()[first] if flat_rooms() else VOCABULARY


@cache
def beginning(code: CodeType) -> int:
    """Return where a function stands when it starts; a generator that goes on stands elsewhere."""
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")


def room_waiting(frame: FrameType | None) -> str | None:
    """Return the room of the nearest function of the stack that is in one."""
    while frame is not None and room_of(frame.f_code.co_filename) in (None, VOCABULARY):
        frame = frame.f_back
    return None if frame is None else room_of(frame.f_code.co_filename)


class Names:
    """Stands in for the attribute `Universe.names` and counts who reads it from a room."""

    def __init__(self) -> None:
        self.reads = 0

    def __get__(self, universe: Any, owner: type) -> Any:
        self.reads += room_of(sys._getframe(1).f_code.co_filename) not in (None, VOCABULARY)
        return universe.__dict__["names"]

    def __set__(self, universe: Any, names: Any) -> None:
        universe.__dict__["names"] = names


def go(step: Step, folder: Path) -> None:
    """Take every step once."""
    tea = step("tea: read", lambda: sp.read(INPUTS / "tea.csv"))
    learned = step("tea: learn", lambda: sp.learn(tea))
    _use(step, "tea", learned, ("tea+lemon", "lemon+milk"), folder / "tea.json")
    told = step("drinks: read, learn", lambda: sp.learn(sp.read(DRINKS, contradictions="keep"), errors="auto"))
    _use(step, "drinks", told, ("tea", "milk"), folder / "drinks.json")
    step("row: synthetic-metrics", _row("synthetic-metrics", sizes=[12], pairs=20))
    step("row: errors", _row("errors", pool=8, statements=12, shares=[0.2], pairs=20))


def _use(step: Step, name: str, learned: Any, pair: tuple[str, str], path: Path) -> None:
    step(f"{name}: compare", lambda: learned.compare(*pair, certificate=True))
    step(f"{name}: save", lambda: learned.save(path))
    step(f"{name}: load", lambda: sp.load(path))
    step(f"{name}: verify", lambda: sp.verify(path))


def _row(name: str, **small: Any) -> Callable[[], Any]:
    """Return how to do one task of an experiment; run by `reproduce`, it would compile the kernel first."""
    from setpref.experiments import EXPERIMENTS
    from setpref.experiments.contract import Work

    experiment = EXPERIMENTS[name]
    settings = {**experiment.full, "readings": ["twelve"], "users": 1, "runs": 1, **small}
    work = Work(experiment.tasks(settings)[0], settings, seed=0)
    return lambda: experiment.run(work)


def main() -> None:
    subprocess.run([sys.executable, "-m", "bench.walks"], check=True)


def count() -> None:
    """Go once for the imports, once traced, and show what was counted."""
    walks: dict[str, Walk] = {}
    names: dict[str, Names] = {}

    def traced(stage: str, request: Callable[[], Any]) -> Any:
        walks[stage], names[stage] = Walk(), Names()
        sp.Universe.names = names[stage]
        sys.setprofile(walks[stage])
        try:
            return request()
        finally:
            sys.setprofile(None)
            del sp.Universe.names

    with TemporaryDirectory() as folder:
        go(lambda stage, request: request(), Path(folder))
        go(traced, Path(folder))
    if "numba" in sys.modules:
        sys.exit("walks: this machine was so slow that a search was compiled, and compiled steps cannot be counted")
    columns = ("stage", "calls", "functions", "modules", "between rooms", "rooms", "in the order of entry")
    show("Walks through the rooms", columns, [(stage, *walk.row()) for stage, walk in walks.items()])
    named = [(stage, *map(walk.named, NAMING), names[stage].reads) for stage, walk in walks.items()]
    show("Names made of masks and masks of names", ("stage", *NAMING, "names read"), named)
    print("\nCalls between rooms, the most frequent first")
    for stage, walk in walks.items():
        pairs = sorted(walk.crossings.items(), key=lambda item: (-item[1], item[0]))
        print(f"{stage}: " + (", ".join(f"{a} to {b} {times}" for (a, b), times in pairs) or "none"))


if __name__ == "__main__":
    count()
