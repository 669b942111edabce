"""The engine: every simplest theta against the paper's MIP (one theta) in the same run; growth; cold start; memory.

`python -m bench engine [PATH]`: PATH is a JSON list of instances with known answers (n, alternatives, ratings, answer).
"""

import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from bench.table import show
from setpref import InputError, Preferences, Universe, learn
from setpref.engine.simplest import find_simplest
from setpref.simplicity import LEX
from setpref.solving.degree import minimum_degree
from setpref.solving.mip import simplest_one

CAP = 60.0


def user(elements: int, alternatives: int, seed: int, scale: int = 12, extra: int | None = None) -> Preferences:
    """Return the ratings of a sparse synthetic person: single elements and some pairs or triples."""
    rng = random.Random(1000 * elements + 10 * alternatives + seed)
    terms = [1 << i for i in range(elements)]
    for _ in range(elements if extra is None else extra):
        size = 2 if rng.random() < 0.9 else 3
        terms.append(sum(1 << i for i in rng.sample(range(elements), size)))
    values = [rng.gauss(0, 100) for _ in terms]
    masks: set[int] = set()
    while len(masks) < alternatives:
        masks.add(rng.getrandbits(elements))
    utility = {m: sum(v for t, v in zip(terms, values, strict=True) if t & m == t) for m in sorted(masks)}
    low, high = min(utility.values()), max(utility.values())
    universe = Universe(tuple(f"e{i:02}" for i in range(elements)))
    rated = [(universe.elements(m), min(scale, 1 + int(scale * (u - low) / (high - low)))) for m, u in utility.items()]
    return Preferences.from_ratings(rated, universe=universe)


def timed(prefs: Preferences, time_limit: float | None = None):
    """Return what was learned and the seconds, with everything lazy prepared inside the clock."""
    fresh = Preferences(prefs.universe, (), prefs.ratings, prefs.collisions)
    start = time.perf_counter()
    learned = learn(fresh, time_limit=time_limit)
    return learned, time.perf_counter() - start


def warm() -> None:
    """Load the compiled kernel, so that what follows is measured warm."""
    prefs = user(4, 6, 1)
    find_simplest(prefs, LEX, minimum_degree(prefs).degree, compiled=True)


def ratios(elements: int, alternatives: int, seeds: Iterable[int]) -> list[list[object]]:
    """Return rows of ours (all simplest thetas) against the MIP (one theta, capped)."""
    rows: list[list[object]] = []
    for seed in seeds:
        prefs = user(elements, alternatives, seed)
        runs = [timed(prefs, 120) for _ in range(3)]
        learned, ours = runs[0][0], statistics.median(seconds for _, seconds in runs)
        start = time.perf_counter()
        try:
            answer = simplest_one(prefs, LEX, learned.degree, time_limit=CAP)
            told = "same cost" if answer.model.complexity == _cost(learned) else f"{answer.model.complexity}"
            told = told if answer.finished else "not finished"
        except InputError:
            told = "nothing found"
        theirs = time.perf_counter() - start
        rows.append([f"n={elements} k={alternatives}", seed, str(_cost(learned)), len(learned.models), ours * 1000,
                     theirs, told, int(theirs / ours)])  # fmt: skip
    middle = [statistics.median(row[column] for row in rows) for column in (4, 5, 7)]  # type: ignore[type-var]
    return [*rows, [f"n={elements} k={alternatives}", "median", "", "", middle[0], middle[1], "", int(middle[2])]]


def _cost(learned) -> tuple[int | None, int | None, int | None]:
    return learned.degree, learned.cardinality, learned.total_size


def growth(sizes: Iterable[tuple[int, int]], limit: float = 60.0) -> list[list[object]]:
    rows = []
    for elements, alternatives in sizes:
        learned, seconds = timed(user(elements, alternatives, 1), limit)
        s = learned.found.statistics
        cost = str(_cost(learned)) if learned.proven else f"{learned.lower_bound} <= terms <= {learned.cardinality}"
        rows.append([elements, alternatives, cost, s["nodes"], s["clauses"], s["oracle_calls"], seconds])
    return rows


def answered(path: Path) -> None:
    """Solve instances with known answers and compare every theta."""
    rows = []
    for item in json.loads(path.read_text(encoding="utf-8")):
        universe = Universe(tuple(f"e{i:02}" for i in range(item["n"])))
        rated = [(universe.elements(m), r) for m, r in zip(item["alternatives"], item["ratings"], strict=True)]
        learned, seconds = timed(Preferences.from_ratings(rated, universe=universe), 120)
        answer, verdict = item["answer"], "open: bounds only"
        if answer:
            mine = {frozenset(model.theta) for model in learned.models}
            same = mine == {frozenset(theta) for theta in answer["thetas"]}
            verdict = "all thetas" if same and learned.proven else "WRONG"
        elif learned.proven:
            verdict = "open: now proven"
        s = learned.found.statistics
        bounds = f"{learned.lower_bound}..{learned.cardinality}"
        times = [seconds * 1000, item.get("prototype_seconds", float("nan")) * 1000]
        counts = [learned.total_size, len(learned.models), s["nodes"], s["oracle_calls"]]
        rows.append([item["name"], verdict, bounds, *counts, *times])
    columns = ("instance", "answer", "terms", "total size", "thetas", "nodes", "oracle", "ms", "prototype ms")
    show(f"Instances of {path.name}", columns, rows)


def cold_start() -> None:
    code = (
        "import time; t = time.perf_counter()\n"
        "from bench.engine import LEX, user, find_simplest, minimum_degree\n"
        "prefs = user(8, 29, 1); t1 = time.perf_counter()\n"
        "find_simplest(prefs, LEX, minimum_degree(prefs).degree, compiled={})\n"
        "import resource; print(time.perf_counter() - t1, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    rows = []
    for name, compiled in (("compiled, cache on disk", True), ("uncompiled", False)):
        done = subprocess.run([sys.executable, "-c", code.format(compiled)], capture_output=True, text=True, check=True)
        seconds, megabytes = map(float, done.stdout.split())
        rows.append([name, seconds, int(megabytes)])
    show("Cold start: the first search (n=8, 29 rated) in a new process", ("kernel", "seconds", "MB"), rows)


def main(arguments: list[str] | None = None) -> None:
    warm()
    for path in arguments or []:
        answered(Path(path))
    table = [row for shape in ((8, 29), (8, 20), (10, 29)) for row in ratios(*shape, range(5))]
    show("All simplest thetas (ours, warm) against one theta by the paper's MIP on HiGHS, M = 1000, 60 s cap",
         ("instance", "seed", "cost", "thetas", "ours ms", "MIP s", "MIP says", "ratio"), table)  # fmt: skip
    columns = ("elements", "rated", "cost", "nodes", "clauses", "oracle calls", "seconds")
    show("Growth over elements (29 rated)", columns, growth((n, 29) for n in range(6, 17, 2)))
    show("Growth over rated sets (8 elements)", columns, growth((8, k) for k in (12, 20, 29, 40, 50)))
    show("Growth over rated sets (10 elements)", columns, growth((10, k) for k in (12, 20, 29, 40, 50)))
    cold_start()
    print(f"\npeak memory of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
