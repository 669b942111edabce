"""Every Python form people hold their data in, brought to a table.

Frames of pandas, polars or pyarrow (through narwhals; none of them is required), 0/1 matrices, lists of
dictionaries, mappings and plain pairs. What the columns mean is said in :mod:`setpref.data.tables`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from setpref.data.tables import Table, shown
from setpref.errors import BadTable, InputError
from setpref.universe import Universe, split_set

__all__ = ["pair_masks", "pairs_table", "ratings_table", "same_table", "table_from_records"]


def ratings_table(alternatives: Any, ratings: Any, universe: Any) -> tuple[Table, bool]:
    """Bring every Python form of rated sets to a table; the flag says its columns are elements."""
    if ratings is None:
        if _is_frame(alternatives):
            return _table_from_frame(alternatives), False
        if isinstance(alternatives, Mapping):
            alternatives = list(alternatives.items())
        rows = _listed(alternatives, "ratings: give pairs (set, rating), a mapping or a frame")
        if rows and isinstance(rows[0], Mapping):
            return table_from_records(rows, "the ratings"), False
        for number, row in enumerate(rows, start=1):
            if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 2:
                raise BadTable(f"rating {number} is {row!r}; give pairs (set, rating), or the ratings apart")
        return Table("the ratings", "rating", ("alternative", "rating"), rows, range(1, len(rows) + 1)), False
    numbers = _listed(ratings, "ratings: give one number per set")
    columns, sets = _sets(alternatives, universe)
    if len(sets) != len(numbers):
        raise BadTable(f"there are {len(sets)} sets and {len(numbers)} ratings; give one rating per set")
    if columns is None:
        rows = list(zip(sets, numbers, strict=True))
        return Table("the ratings", "rating", ("alternative", "rating"), rows, range(1, len(rows) + 1)), False
    rows = [[*row, number] for row, number in zip(sets, numbers, strict=True)]
    return Table("the matrix", "row", (*columns, "rating"), rows, range(1, len(rows) + 1)), True


def pairs_table(better: Any, worse: Any, weights: Any, ids: Any, universe: Any) -> Table:
    """Bring every Python form of statements to a table."""
    if worse is None:
        if _is_frame(better):
            return _table_from_frame(better)
        rows = _listed(better, "statements: give pairs (better, worse) or a frame")
        if rows and isinstance(rows[0], Mapping):
            return table_from_records(rows, "the statements")
        rows = _two_each(rows, "statement", "(better, worse)")
    else:
        sides = [_names(*_sets(side, universe)) for side in (better, worse)]
        if len(sides[0]) != len(sides[1]):
            raise BadTable(f"there are {len(sides[0])} better and {len(sides[1])} worse sets; give as many")
        rows = [list(row) for row in zip(*sides, strict=True)]
    columns = ["better", "worse"]
    for name, extra in (("weight", weights), ("id", ids)):
        if extra is None:
            continue
        values = _listed(extra, f"{name}s: give one per statement")
        if len(values) != len(rows):
            raise BadTable(f"there are {len(rows)} statements and {len(values)} {name}s; give one each")
        columns.append(name)
        rows = [[*row, value] for row, value in zip(rows, values, strict=True)]
    return Table("the statements", "statement", tuple(columns), rows, range(1, len(rows) + 1))


def same_table(indifferent: Any) -> Table | None:
    """Bring pairs of sets without a difference to a table; None if there are none."""
    if _is_frame(indifferent):
        return _table_from_frame(indifferent, "the indifferences")
    rows = _listed(indifferent, "indifferences: give pairs of sets or a frame")
    if not rows:
        return None
    if isinstance(rows[0], Mapping):
        return table_from_records(rows, "the indifferences", "indifference")
    rows = _two_each(rows, "indifference", "of sets")
    return Table("the indifferences", "indifference", ("a", "b"), rows, range(1, len(rows) + 1))


def _two_each(rows: list[Any], word: str, pairs: str) -> list[Any]:
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 2:
            raise BadTable(f"{word} {number} is {row!r}; give pairs {pairs}")
    return [list(row) for row in rows]


def _sets(data: Any, universe: Any) -> tuple[tuple[str, ...] | None, list[Any]]:
    """Return (element columns or None, rows) of sets given as a 0/1 frame, a 0/1 matrix, or one by one."""
    if _is_frame(data):
        table = _table_from_frame(data)
        return table.columns, list(table.rows)
    if getattr(data, "ndim", None) == 2:
        if universe is None:
            raise BadTable("a 0/1 matrix needs universe=, the names of its columns in order")
        names = Universe.of(universe).names
        if data.shape[1] != len(names):
            raise BadTable(f"the matrix has {data.shape[1]} columns and universe= names {len(names)} elements")
        return names, [[_plain(cell) for cell in row] for row in data.tolist()]
    return None, _listed(data, "sets: give names such as {'tea', 'lemon'} or 'tea+lemon', one by one")


def pair_masks(universe: Universe, first: Any, second: Any = None) -> tuple[list[int], list[int]]:
    """Return pairs of sets given in any form as masks: the first ones and the second ones."""
    if second is None:
        pairs = list(first)
        for number, pair in enumerate(pairs, start=1):
            if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
                raise BadTable(f"pair {number} is {pair!r}; give pairs of sets, or the second sets apart")
        sides = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    else:
        sides = [_names(*_sets(side, universe)) for side in (first, second)]
        if len(sides[0]) != len(sides[1]):
            raise BadTable(f"there are {len(sides[0])} first and {len(sides[1])} second sets; give as many")
    known: dict[Any, int] = {}

    def mask(value: Any) -> int:
        key = value if isinstance(value, (str, frozenset)) else tuple(value) if isinstance(value, list) else None
        if key is None:
            return universe.mask(value)
        if key not in known:
            known[key] = universe.mask(value)
        return known[key]

    return [mask(value) for value in sides[0]], [mask(value) for value in sides[1]]


def _names(columns: tuple[str, ...] | None, rows: list[Any]) -> list[Any]:
    if columns is None:
        return rows
    sets = []
    for number, row in enumerate(rows, start=1):
        try:
            sets.append(split_set(dict(zip(columns, row, strict=True))))
        except InputError as error:
            raise BadTable(f"row {number}: {error}") from None
    return sets


def _listed(data: Any, wanted: str) -> list[Any]:
    try:
        return list(data)
    except TypeError:
        raise BadTable(f"{data!r} holds no {wanted}") from None


def _is_frame(data: Any) -> bool:
    """Tell whether data is a pandas, polars or pyarrow frame, without importing any of them."""
    if type(data).__name__ == "LazyFrame":
        raise BadTable("the frame is lazy; give the frame that its collect() returns")
    return hasattr(data, "columns") and (hasattr(data, "dtypes") or hasattr(data, "schema"))


def _table_from_frame(frame: Any, name: str = "the frame") -> Table:
    """Return a frame of any library narwhals knows as a table."""
    import narwhals.stable.v1 as nw

    labels = _labels(frame)
    if not all(isinstance(column, str) for column in labels):
        raise BadTable(f"{name}: column names must be text; the columns are {shown(labels)}")
    if len(set(labels)) < len(labels):
        raise BadTable(f"{name}: a column name stands twice; the columns are {shown(labels)}")
    try:
        eager = nw.from_native(frame, eager_only=True)
    except TypeError:
        kind = type(frame).__name__
        raise BadTable(f"{name} is a {kind}; give a frame of pandas or polars, or a table of pyarrow") from None
    rows = [[_plain(cell) for cell in row] for row in eager.iter_rows()]
    return Table(name, "row", tuple(eager.columns), rows, range(1, len(rows) + 1))


def table_from_records(records: Sequence[Mapping[str, Any]], name: str, word: str = "entry") -> Table:
    """Return a list of dictionaries with the same keys as a table."""
    columns: tuple[str, ...] = tuple(records[0]) if records and isinstance(records[0], Mapping) else ()
    rows = []
    for number, record in enumerate(records, start=1):
        if not isinstance(record, Mapping):
            raise BadTable(f"{name}, {word} {number}: {record!r} is not an object with named values")
        if set(record) != set(columns):
            odd = sorted(map(str, set(record) ^ set(columns)))[0]
            raise BadTable(f"{name}, {word} {number}: {odd!r} is not in every {word}; give all the same names")
        rows.append([record[column] for column in columns])
    return Table(name, word, columns, rows, range(1, len(rows) + 1))


def _labels(frame: Any) -> list[Any]:
    labels = getattr(frame, "column_names", None)
    return list(frame.columns if labels is None else labels)


def _plain(cell: Any) -> Any:
    """Turn library scalars into Python ones; a missing value of any library becomes None."""
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    return None if isinstance(cell, float) and math.isnan(cell) else cell
