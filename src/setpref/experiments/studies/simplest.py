"""What the paper left out: how many simplest models there are, and how simple, as more sets are rated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from setpref.evaluation.intervals import Interval
from setpref.experiments.contract import Experiment, Table, Work, without_data
from setpref.experiments.judging import VERDICTS, Claim, Sizes, graded, in_readings, mostly
from setpref.experiments.protocol import PERSONS, Trial, guessed, person_row, tasks_by_sets
from setpref.experiments.records import Document, Measure, Row, Rows
from setpref.experiments.series import Spread, by_sets, group, mean_of, mean_statements, people, reading_label, readings
from setpref.experiments.sheet import COLOURS, GREY, MARKERS, Drawing, decades, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SIMPLEST"]


def run(work: Work) -> Row:
    """Return the row of one user and one number of training sets; what is not proven is None."""
    found: Row = {"models": [], "families": [], "degree": [], "cardinality": [], "total_size": []}

    def do(trial: Trial) -> None:
        learned = trial.learned
        known = learned.found if learned.proven else None
        found["models"].append(known.count if known else None)
        found["families"].append(len(known.families) if known else None)
        found["degree"].append(learned.degree)
        found["cardinality"].append(learned.cardinality if known else None)
        found["total_size"].append(learned.total_size if known else None)

    return {**person_row(work, do), **found}


def _models(rows: Rows) -> list[int]:
    """Return the number of simplest models of every run in which it is known."""
    return [count for row in rows for count in row["models"] if count is not None]


def _spread(rows: Rows) -> Spread:
    # The number of models has no bound: as a float it may be beyond what can be drawn.
    return Spread.of([float(min(count, 10**300)) for count in _models(rows)])


# -- table -----------------------------------------------------------------------------------------------------------

SIZES: dict[Measure, str] = {
    "models": "number of simplest models",
    "degree": "degree",
    "cardinality": "number of terms",
    "total_size": "total size of the terms",
}


def _cells(document: Document) -> Iterator[tuple[str, ...]]:
    for _, words, part in readings(document["rows"]):
        for sets, some in by_sets(part).items():
            counts, spread = _models(some), _spread(some)
            proven = f"{sum(row['proven'] for row in some)} of {sum(len(row['models']) for row in some)}"
            several = f"{fmean(count > 1 for count in counts):.0%}" if counts else ""
            middle = f"{_whole(spread.median)} [{_whole(spread.low)}, {_whole(spread.high)}]" if counts else ""
            most = _whole(max(counts)) if counts else ""
            sizes = [_mean(mean_of(some, name), 1) for name in SIZES if name != "models"]
            yield str(sets), words, f"{mean_statements(some):.0f}", proven, several, middle, most, *sizes


def _whole(number: float) -> str:
    return _count(number).replace("e+", "e")


def _count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{float(min(number, 10**300)):.1e}"


def _mean(found: Interval, digits: int) -> str:
    numbers = [f"{number:.{digits}f}" for number in (found.mean, found.low, found.high) if not math.isnan(number)]
    return f"{numbers[0]} [{numbers[1]}, {numbers[2]}]" if len(numbers) == 3 else "".join(numbers)


# -- figure ----------------------------------------------------------------------------------------------------------


def _figures(document: Document) -> list[Drawing]:
    rows: Rows = document["rows"]
    caption = (
        "How many simplest models there are (median and quartiles over all runs) and their degree, number of terms and "
        f"total size (means over {people(rows)} with 95% intervals), against the number of sets rated."
    )
    return [Drawing("simplest-models", caption, partial(_figure, rows))]


def _figure(rows: Rows) -> Figure:
    from matplotlib.ticker import MaxNLocator

    figure, axes = panels("The simplest models", 2, 2, tall=1.2, right=0.08, left=0.4, between=(0.42, 0.34), top=0.52)
    by_reading, sizes_rated = group(rows, lambda row: row["reading"]), [row["sets"] for row in rows]
    for axis, (name, words) in zip(axes, SIZES.items(), strict=True):
        for reading, part in by_reading.items():
            seen = [(sets, size) for sets, some in by_sets(part).items() if (size := _size(some, name))]
            if seen:
                tone, marker = COLOURS.get(reading, GREY), MARKERS.get(reading, "o")
                places, sizes = [sets for sets, _ in seen], [size for _, size in seen]
                axis.fill_between(
                    places, [s[0] for s in sizes], [s[2] for s in sizes], color=tone, alpha=0.16, linewidth=0
                )
                axis.plot(places, [s[1] for s in sizes], color=tone, marker=marker, markersize=2.4)
        axis.set_title(words)
        if name == "models" and axis.lines:
            decades(axis)
        elif axis.lines:
            axis.set_ylim(0, 1.06 * axis.dataLim.intervaly[1])
            axis.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axis.set_xlim(min(sizes_rated) - 1, max(sizes_rated) + 1)
    for axis in axes[:2]:
        axis.tick_params(labelbottom=False)
    for axis in axes[2:]:
        axis.set_xlabel("sets rated")
    _reading_keys(figure, rows, list(by_reading))
    return figure


def _size(rows: Rows, name: Measure) -> tuple[float, float, float] | None:
    """Return the lower end, middle and upper end to draw."""
    if name == "models":
        spread = _spread(rows)
        return (spread.low, spread.median, spread.high) if spread.count else None
    found = mean_of(rows, name)
    low, high = found.ends
    return (low, found.mean, high) if found.runs else None


def _reading_keys(figure: Figure, rows: Rows, readings: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    keys = [
        Line2D([], [], color=COLOURS.get(r, GREY), marker=MARKERS.get(r, "o"), label=reading_label(r, rows))
        for r in readings
    ]
    place: Any = {"loc": "upper left", "bbox_to_anchor": (0.0, 1 - 0.17 / figure.get_size_inches()[1])}
    figure.legend(handles=keys, ncols=2, frameon=False, handlelength=1.8, borderaxespad=0.0, **place)


# -- claims ----------------------------------------------------------------------------------------------------------


def _judge(rows: Rows) -> list[Claim]:
    """Judge how many simplest models there are, and how their degree grows."""
    sizes = by_sets(rows)
    counts = {sets: _models(part) for sets, part in sizes.items()}
    several = {sets: fmean(n > 1 for n in found) for sets, found in counts.items() if found}
    if not several:
        return [Claim("There is often more than one simplest model.", VERDICTS[3], "nothing is proven", "", ours=True)]
    often = sum(value > 0.5 for value in several.values())
    first, last = min(several), max(several)
    why = f"in more than half of the runs at {often} of {len(several)} sizes: {several[first]:.0%} of the runs"
    why += f" with {first} sets rated, {several[last]:.0%} with {last}"
    rule = "holds if so in more than half of the runs at nine in ten sizes or more; partly at half of the sizes"
    few, many = median(counts[last]), median(counts[first])
    fewer = f"median {_count(many)} with {first} sets rated, {_count(few)} with {last}"
    return [
        Claim("There is often more than one simplest model.", mostly(often, len(several)), why, rule, ours=True),
        Claim(
            "The more sets are rated, the fewer simplest models there are.",
            graded(few < many, False) if first < last else VERDICTS[3],
            fewer,
            "holds if the median is smaller at the largest size than at the smallest",
            ours=True,
        ),
        _degree_grows(sizes),
    ]


def _degree_grows(sizes: Sizes) -> Claim:
    first, last = (mean_of(sizes[size], "degree") for size in (min(sizes), max(sizes)))
    rule = "reproduced if the intervals of the mean degree at the smallest and the largest size do not meet; partly if"
    why = f"mean degree {_mean(first, 2)} with {min(sizes)} sets rated, {_mean(last, 2)} with {max(sizes)}"
    verdict = graded(last.low > first.high, last.mean > first.mean) if first.runs and last.runs else VERDICTS[3]
    return Claim("The degree grows with the statements.", verdict, why, f"{rule} it grows on average")


# -- the study -------------------------------------------------------------------------------------------------------

SIMPLEST = Experiment(
    name="simplest-models",
    title="Left out: how many simplest models there are",
    question="Not in the paper: over how many simplest models the verdicts are robust, and how simple these are.",
    full={**PERSONS, "sizes": list(range(12, 30)), "users": 40, "runs": 10, "time_limit": 20.0},
    quick={"sizes": [12, 16, 20, 24, 29], "users": 8, "runs": 4, "time_limit": 5.0},
    prepare=without_data,
    tasks=tasks_by_sets,
    run=run,
    seconds=guessed(0.004, 0.03, 8),
    alone=False,
    source="simplest-models",
    omits=(),
    figures=_figures,
    table=Table(
        (
            *("sets rated", "reading", "statements", "proven runs", "several", "simplest models", "most"),
            *("degree", "terms", "total size"),
        ),
        _cells,
        "How often there are several simplest models, and how many (median with quartiles over all runs); of how "
        "simple they are, means over users with 95% intervals.",
    ),
    claims=in_readings(_judge),
)
