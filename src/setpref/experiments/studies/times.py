"""Figure 3: how long learning and one prediction take, ours and the paper's mixed-integer programs.

Every task is timed alone, on one thread, after the kernel is compiled. The programs are stopped at a cap, which is what
a row then says; they solve fewer of the instances, the same ones as ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median

from setpref.data.preferences import Preferences
from setpref.errors import InputError, SetprefError
from setpref.evaluation.synthetic import SyntheticUser, draw_sets, draw_test_pairs
from setpref.experiments.contract import Experiment, Table, Work, without_data
from setpref.experiments.judging import HALF, MOST, VERDICTS, Claim, graded, mostly
from setpref.experiments.protocol import PERSONS, draw_person
from setpref.experiments.records import Document, Row, Rows, Settings, Task, Times
from setpref.experiments.series import Spread
from setpref.experiments.studies.times_figures import VARIED, WORDS, slower, spent, times_by_place, times_figures
from setpref.learning.learned import Learned
from setpref.learning.learner import learn
from setpref.simplicity import LEX
from setpref.solving.degree import minimum_degree
from setpref.solving.mip import query, simplest_one

__all__ = ["RUNNING_TIMES"]

Pair = tuple[int, int]


def tasks(settings: Settings) -> list[Task]:
    """Return a task per instance; the first instances of some are solved by the programs too."""
    varied: list[Task] = [{"vary": "elements", "elements": value} for value in settings["range_of_elements"]]
    varied += [{"vary": "statements", "statements": value} for value in settings["range_of_statements"]]
    return [
        {
            **place,
            "reading": reading,
            "instance": instance,
            "mip": instance < settings["mip_instances"] and place.get("elements", 0) <= settings["mip_elements"],
        }
        for reading in settings["readings"]
        for place in varied
        for instance in range(settings["instances"])
    ]


def run(work: Work) -> Row:
    """Return the times of one instance."""
    task = work.task
    preferences, pair = _instance(work)
    learned, ours = _ours(preferences, pair, work.settings["time_limit"])
    elements = len(preferences.universe)
    return {
        "vary": task["vary"],
        "reading": task["reading"],
        "elements": elements,
        "sets": len(preferences.alternatives),
        "statements": preferences.pair_count,
        "instance": task["instance"],
        "ours": ours,
        "mip": _mip(learned, pair, work.settings["cap"]) if task["mip"] else None,
    }


def _instance(work: Work) -> tuple[Preferences, Pair]:
    """Return a user's ratings of just as many random sets as state enough preferences, and a pair to predict."""
    task, settings = work.task, work.settings
    elements = int(task.get("elements") or settings["elements"])
    named = [task["vary"], task[task["vary"]], task["instance"]]
    person = draw_person(work, named)
    rng = work.rng("instance", task["reading"], *named)
    low, high = settings["statements_low"], settings["statements_high"]
    wanted = task["statements"] if task["vary"] == "statements" else int(rng.integers(low, high + 1))
    order = draw_sets(elements, min(100, 1 << elements), rng)
    training = order[: _enough(person, order, wanted)]
    pair = draw_test_pairs(range(1 << elements), training, 1, rng)[0]
    return person.rated(training), pair


def _enough(person: SyntheticUser, order: list[int], wanted: int) -> int:
    """Return how many sets, in order, state at least so many preferences."""
    stated = 0
    for count, mask in enumerate(order):
        if stated >= wanted:
            return count
        stated += int((person.ratings[order[:count]] != person.ratings[mask]).sum())
    if stated >= wanted:
        return len(order)
    raise InputError(f"all {len(order)} sets state {stated} preferences, {wanted} were wanted")


def _ours(preferences: Preferences, pair: Pair, limit: float) -> tuple[Learned, Times]:
    start = time.perf_counter()
    learned = learn(preferences, time_limit=limit)
    middle = time.perf_counter()
    learned.verdicts_of_masks([pair[0]], [pair[1]])
    end = time.perf_counter()
    return learned, {"learn": _rounded(middle - start), "predict": _rounded(end - middle), "proven": learned.proven}


def _mip(learned: Learned, pair: Pair, cap: float) -> Times:
    """Return the times of the paper's way: the minimum degree, the programs for one theta, the queries for one pair."""
    preferences = learned.preferences
    start = time.perf_counter()
    degree = minimum_degree(preferences, "auto").degree
    try:
        finished, refused = simplest_one(preferences, LEX, degree, time_limit=cap).finished, None
    except SetprefError as error:  # no model in time, or one that its tolerances made up: a finding, not a failure
        finished, refused = False, str(error)
    took = _rounded(time.perf_counter() - start)
    found: Times = {"learn": took, "predict": None, "finished": finished, "cap": cap}
    if refused is not None:
        found["refused"] = refused
    if learned.proven and learned.cardinality is not None and learned.total_size is not None:
        complexity = (degree, learned.cardinality, learned.total_size)
        found |= _mip_prediction(preferences, complexity, pair, cap)
    return found


def _mip_prediction(preferences: Preferences, complexity: tuple[int, int, int], pair: Pair, cap: float) -> Times:
    """Ask whether the first set beats the second; if not, the other way round."""
    start = time.perf_counter()
    try:
        answer: bool | None = query(preferences, complexity, *pair, time_limit=cap)
        left = cap - (time.perf_counter() - start)
        if answer is False:
            answer = query(preferences, complexity, pair[1], pair[0], time_limit=left) if left > 0 else None
    except SetprefError:
        answer = None
    took = time.perf_counter() - start
    return {"predict": _rounded(took), "predict_finished": answer is not None and took < cap}


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.3g}")


def seconds(task: Task, settings: Settings) -> float:
    """Return about how long a task takes."""
    ours = 0.2 if task["vary"] == "statements" else 0.1 * 1.4 ** (task["elements"] - 5)
    if not task["mip"]:
        return ours
    size = (task.get("statements", 350) / 300) ** 2 * (task.get("elements", 8) / 8)
    return float(ours + min(2 * settings["cap"], 20 * size))


# -- table -----------------------------------------------------------------------------------------------------------


def _cells(document: Document) -> Iterator[tuple[str, ...]]:
    for vary, places in times_by_place(document).items():
        for place, rows in places.items():
            where = f"n = {place:.0f}" if vary == "elements" else f"|R| = {place:.0f}"
            for part, words in WORDS.items():
                ours, mip = spent(rows, "ours", part), spent(rows, "mip", part)
                stopped = f"{mip.capped} of {mip.count}" if mip.count else ""
                ratio = slower(rows, part)
                least = "\u2265 " if ratio.least else ""
                times = f"{least}{_seconds(ratio.median)}" if ratio.count else ""
                yield where, words, str(ours.count), _spread(ours), _spread(mip), stopped, times


def _spread(found: Spread) -> str:
    if not found.count:
        return ""
    least = "\u2265 " if found.least else ""
    return f"{least}{_seconds(found.median)} [{_seconds(found.low)}, {_seconds(found.high)}]"


def _seconds(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.2g}"


# -- claims ----------------------------------------------------------------------------------------------------------

FEWEST_INSTANCES = 3


def _judge(document: Document) -> list[Claim]:
    """Judge the running times against n, then against the number of statements."""
    found = []
    for vary, places in times_by_place(document).items():
        ratios = {part: {x: slower(rows, part) for x, rows in places.items()} for part in ("learn", "predict")}
        claims = [
            _faster(ratios["learn"], "learns"),
            _faster(ratios["predict"], "predicts one pair"),
            # Not asked of ours: most of its one prediction is spent once, on the extreme rays that all others share.
            _predicting_costs(places),
        ]
        found += [replace(claim, scope=VARIED[vary][0]) for claim in claims]
    return found


def _faster(ratios: Mapping[float, Spread], words: str) -> Claim:
    rule = "holds if the median ratio is ten or more at nine in ten places or more; partly if above one at half of them"
    text = f"Ours {words} at least ten times faster than the paper's programs."
    known = {place: spread for place, spread in ratios.items() if spread.count}
    if sum(spread.count for spread in known.values()) < FEWEST_INSTANCES:
        why = "the programs were run on too few instances"
        return Claim(text, VERDICTS[3], why, rule, ours=True)
    ten = sum(spread.median >= 10 for spread in known.values())
    one = sum(spread.median > 1 for spread in known.values())
    first, last = min(known.values(), key=lambda s: s.median), max(known.values(), key=lambda s: s.median)
    stopped, count = (sum(getattr(spread, name) for spread in known.values()) for name in ("capped", "count"))
    why = (
        f"median ratios from {_times_words(first)} to {_times_words(last)}; ten or more at {ten} of {len(known)} places"
    )
    why += f"; {stopped} of {count} runs of the programs did not finish, so their ratios are larger" if stopped else ""
    return Claim(text, graded(ten >= MOST * len(known), one >= HALF * len(known)), why, rule, ours=True)


def _times_words(spread: Spread) -> str:
    number = f"{spread.median:,.0f}" if spread.median >= 10 else f"{spread.median:.1f}"
    return f"{'at least ' if spread.least else ''}{number}"


def _predicting_costs(places: Mapping[float, Rows]) -> Claim:
    """Judge whether a hundred predictions by the paper's programs take longer than learning."""
    text = "Predicting costs more than learning: a hundred predictions take longer (the paper's programs)."
    rule = "reproduced if the median ratio is above one at nine in ten places or more; partly at half of them"
    ratios: dict[float, list[float]] = {}
    for place, rows in places.items():
        measured = [found for row in rows if (found := row.get("mip")) and found.get("finished", True)]
        known = [(took, one["learn"]) for one in measured if (took := one["predict"]) is not None and one["learn"] > 0]
        if known:
            ratios[place] = [100 * predict / learn for predict, learn in known]
    if sum(map(len, ratios.values())) < FEWEST_INSTANCES:
        return Claim(text, VERDICTS[3], "too few instances on which learning finished", rule)
    medians = [median(found) for found in ratios.values()]
    above = sum(ratio > 1 for ratio in medians)
    least, most = (f"{float(f'{ratio:.2g}'):,g}" for ratio in (min(medians), max(medians)))
    why = f"medians from {least} to {most} times learning; above one at {above} of {len(medians)} places"
    return Claim(text, mostly(above, len(medians)), why, rule)


# -- the study -------------------------------------------------------------------------------------------------------

RUNNING_TIMES = Experiment(
    name="running-times",
    title="Figure 3: running times",
    question=(
        "The paper gives mean times of its own program, to learn and for one prediction. Here its programs and ours "
        "are timed on the same instances; its own are stopped at a cap."
    ),
    full={
        **PERSONS,
        "readings": ["formula"],
        "range_of_elements": list(range(5, 15)),
        "statements_low": 300,
        "statements_high": 400,
        "range_of_statements": [25, 50, 100, 150, 200, 250, 300, 350, 400],
        "instances": 20,
        "time_limit": 20.0,
        "mip_instances": 4,
        "mip_elements": 10,
        "cap": 15.0,
    },
    quick={
        "range_of_elements": [5, 6, 7, 8, 9, 10],
        "range_of_statements": [25, 50, 100, 200, 400],
        "instances": 5,
        "mip_instances": 1,
        "mip_elements": 8,
        "time_limit": 5.0,
        "cap": 4.0,
    },
    prepare=without_data,
    tasks=tasks,
    run=run,
    seconds=seconds,
    alone=True,
    source="running-times",
    omits=(),
    figures=times_figures,
    table=Table(
        ("where", "what", "instances", "ours, seconds", "MIP, seconds", "MIP not finished", "MIP / ours"),
        _cells,
        "Medians with quartiles; a median of runs that did not finish is a lower bound; the ratio is the median over "
        "the instances that both were given.",
    ),
    claims=_judge,
)
