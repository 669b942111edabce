"""From the rows of an experiment to the numbers that figures and findings show.

Intervals are over users: what one person's runs gave is first put together (runs of one person are alike, and would
make intervals too narrow), then the mean over people gets Student's 95% interval. Nothing here draws or judges.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from setpref.evaluation.intervals import Interval
from setpref.experiments.records import Measure, Row, Rows

__all__ = [
    "METRICS",
    "READINGS",
    "Spread",
    "advantage",
    "by_sets",
    "group",
    "interval",
    "label",
    "lead",
    "mean_f1",
    "mean_of",
    "mean_statements",
    "methods_of",
    "people",
    "ratio",
    "reading_label",
    "readings",
    "statements_of",
    "three",
    "thresholds",
    "values",
]

Key = TypeVar("Key", str, int, float, tuple[str, str])

READINGS = {"formula": "literal \u03b1", "twelve": "about 12 terms"}
LABELS = {"ord": "ORD", "lr": "LR", "svm": "SVM", "knn": "KNN", "mip": "MIP"}


def label(method: str) -> str:
    """Return a method's name as figures and tables write it.

    Examples
    --------
    >>> [label(m) for m in ("ord", "lr-reject", "ord-union", "svm@ord-union")]
    ['ORD', 'LR, reject', 'ORD union', 'SVM at ORD union']
    """
    method, _, rule = method.partition("@")
    name, _, variant = method.partition("-")
    written = LABELS.get(name, name) + {"": "", "reject": ", reject"}.get(variant, f" {variant}")
    return f"{written} at {label(rule)}" if rule else written


def reading_label(reading: str, rows: Rows = ()) -> str:
    """Return a reading of decision D5 in words, with the mean number of terms where rows carry it."""
    terms = [row["terms"] for row in rows if row.get("reading") == reading and row.get("terms")]
    mean = f"{statistics.fmean(terms):.0f} terms" if terms else ""
    if reading == "twelve":
        return f"about {mean or '12 terms'}"
    return READINGS.get(reading, reading) + (f" ({mean})" if mean else "")


def group(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """Return rows by what the key says of them, in order."""
    found: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return {key: found[key] for key in sorted(found)}


def by_sets(rows: Rows) -> dict[int, list[Row]]:
    """Return rows by the number of sets that were rated."""
    return group(rows, lambda row: row["sets"])


def readings(rows: Rows) -> Iterator[tuple[str, str, Rows]]:
    """Yield every reading, its words, and the rows made under it."""
    for reading, part in group(rows, lambda row: row["reading"]).items():
        yield reading, reading_label(reading, rows), part


def three(groups: Mapping[int, list[Row]]) -> list[tuple[int, list[Row]]]:
    """Return the first, a middle and the last group, or all if there are no more."""
    listed = list(groups.items())
    return listed if len(listed) <= 3 else [listed[0], listed[len(listed) // 2], listed[-1]]


def methods_of(rows: Rows, wanted: Sequence[str]) -> list[str]:
    """Return those of the wanted methods that the rows have tables of."""
    present = {method for row in rows for method in row.get("tables") or row.get("f1", ())}
    return [method for method in wanted if method in present]


def people(rows: Rows) -> str:
    """Return how many users the rows are of, in words."""
    users = len({row["user"] for row in rows})
    return f"{users} users" if users != 1 else "1 user"


def statements_of(rows: Rows) -> list[int]:
    """Return the number of statements of every run."""
    found: list[int] = []
    for row in rows:
        stated = row["statements"]
        found += [stated] if isinstance(stated, int) else stated
    return found


def mean_statements(rows: Rows) -> float:
    """Return the mean number of statements of a run."""
    return statistics.fmean(statements_of(rows))


# -- measures of tables ----------------------------------------------------------------------------------------------

METRICS = {
    "prediction_rate": "prediction rate",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "correctness": "correctness",
}


def ratio(metric: str, table: Sequence[int]) -> float:
    """Return a measure of a 3x3 table of counts, predicted by real, row by row; ``nan`` where it is undefined.

    The same definitions as in :mod:`setpref.metrics`, which count from predictions.

    Examples
    --------
    >>> [ratio(metric, [1, 1, 0, 0, 0, 1, 1, 0, 1]) for metric in METRICS]
    [0.6, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333, 0.5]
    """
    right, made = table[0] + table[4], sum(table[:6])
    real = sum(table) - table[2] - table[5] - table[8]
    above, below = {
        "prediction_rate": (made, sum(table)),
        "precision": (right, made),
        "recall": (right, real),
        "f1": (2 * right, made + real),
        "correctness": (right, right + table[1] + table[3]),
    }[metric]
    return above / below if below else math.nan


def values(rows: Rows, method: str, metric: str) -> dict[int, float]:
    """Return every user's measure over all the runs that the rows hold."""
    sums: dict[int, list[int]] = {}
    for row in rows:
        if (table := row["tables"].get(method)) is not None:
            before = sums.get(row["user"], [0] * 9)
            sums[row["user"]] = [a + b for a, b in zip(before, table, strict=True)]
    return {user: ratio(metric, sums[user]) for user in sorted(sums)}


def interval(rows: Rows, method: str, metric: str) -> Interval:
    """Return the mean of a measure over users, with its interval."""
    return Interval.of(values(rows, method, metric).values())


def advantage(rows: Rows, method: str, other: str, metric: str) -> Interval:
    """Return by how much a method is better than another: the mean over users of their own differences."""
    return _paired(values(rows, method, metric), values(rows, other, metric))


def _paired(first: Mapping[int, float], second: Mapping[int, float]) -> Interval:
    return Interval.of([first[user] - second[user] for user in sorted(set(first) & set(second))])


# -- F1 of single runs -----------------------------------------------------------------------------------------------


def mean_f1(rows: Rows, method: str, at_least: float) -> dict[int, float]:
    """Return every user's mean F1 over the runs with so many statements or more."""
    found: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        for count, value in zip(statements_of([row]), row["f1"].get(method, ()), strict=False):
            if count >= at_least and value is not None and not math.isnan(value):
                found[row["user"]].append(value)
    return {user: statistics.fmean(found[user]) for user in sorted(found)}


def thresholds(rows: Rows) -> list[int]:
    """Return the numbers of statements to look from: every ten, as long as half of the users have so many."""
    most: dict[int, int] = {}
    for row in rows:
        most[row["user"]] = max(most.get(row["user"], 0), *statements_of([row]))
    reach = sorted(most.values())[len(most) // 2] if len(most) > 2 else max(most.values())
    least = min(statements_of(rows))
    return sorted({least, *range(least - least % 10 + 10, reach + 1, 10)})


def lead(rows: Rows, method: str, other: str, at_least: float) -> Interval:
    """Return by how much a method's mean F1 is above another's, over the users' own differences."""
    return _paired(mean_f1(rows, method, at_least), mean_f1(rows, other, at_least))


# -- numbers that runs carry -----------------------------------------------------------------------------------------


def mean_of(rows: Rows, name: Measure) -> Interval:
    """Return the mean over users of a number that every run has, such as the degree."""
    found: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        # What was not proven is None.
        found[row["user"]] += [float(value) for value in row[name] if value is not None]
    return Interval.of([statistics.fmean(runs) for _, runs in sorted(found.items()) if runs])


@dataclass(frozen=True)
class Spread:
    """A median with its quartiles; some of the values may only be known to be at least so large.

    Examples
    --------
    >>> Spread.of([4, 1, 2, 3, 100])
    Spread(median=3.0, low=2.0, high=4.0, count=5, capped=0, least=False)
    >>> Spread.of([1, 9, 9], capped=[False, True, True]).least
    True
    """

    median: float
    low: float
    high: float
    count: int
    capped: int = 0
    least: bool = False

    @classmethod
    def of(cls, numbers: Collection[float], capped: Sequence[bool] = ()) -> Spread:
        """Return the spread of numbers; `least` tells that the median itself is only a lower bound."""
        if not numbers:
            return cls(math.nan, math.nan, math.nan, 0)
        low, median, high = map(float, np.quantile([*numbers], (0.25, 0.5, 0.75)))
        stopped = [number for number, stop in zip(numbers, capped, strict=False) if stop]
        return cls(median, low, high, len(numbers), len(stopped), bool(stopped) and median >= min(stopped))
