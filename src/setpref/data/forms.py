"""Every Python form people hold their data in, brought to a table.

Frames of pandas, polars or pyarrow (through narwhals; none of them is required), 0/1 matrices, lists of
dictionaries, mappings and plain pairs. What the columns mean is said in :mod:`setpref.data.tables`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

from setpref.arguments import told
from setpref.data.tables import Table, shown
from setpref.errors import BadTable, InputError, UnknownElement
from setpref.universe import Universe, UniverseLike, by_size, labelled_row, split_set

__all__ = ["pair_masks", "pairs_table", "ratings_table", "same_table", "set_masks", "table_from_records"]

SETS = "sets: give names such as {'tea', 'lemon'} or 'tea+lemon', one by one"

Cells = Sequence[Sequence[object]]


@runtime_checkable
class _Array(Protocol):
    """What a 0/1 matrix of any library can do."""

    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tolist(self) -> Iterable[Iterable[object]]: ...


def ratings_table(alternatives: object, ratings: object, universe: UniverseLike | None) -> tuple[Table, bool]:
    """Bring every Python form of rated sets to a table; the flag says its columns are elements."""
    if ratings is None:
        if _is_frame(alternatives):
            return _table_from_frame(alternatives), False
        if isinstance(alternatives, Mapping):
            alternatives = list(alternatives.items())
        given = _listed(alternatives, "ratings: give pairs (set, rating), a mapping or a frame")
        if given and isinstance(given[0], Mapping):
            return table_from_records(given, "the ratings"), False
        rows = _two_each(given, "rating", "(set, rating), or the ratings apart")
        return Table("the ratings", "rating", ("alternative", "rating"), rows, range(1, len(rows) + 1)), False
    numbers = _listed(ratings, "ratings: give one number per set")
    matrix = _matrix(alternatives, universe)
    sets = _listed(alternatives, SETS) if matrix is None else matrix[1]
    if len(sets) != len(numbers):
        raise BadTable(f"there are {len(sets)} sets and {len(numbers)} ratings; give one rating per set")
    if matrix is None:
        rows = [list(row) for row in zip(sets, numbers, strict=True)]
        return Table("the ratings", "rating", ("alternative", "rating"), rows, range(1, len(rows) + 1)), False
    rows = [[*row, number] for row, number in zip(matrix[1], numbers, strict=True)]
    return Table("the matrix", "row", (*matrix[0], "rating"), rows, range(1, len(rows) + 1)), True


def pairs_table(better: object, worse: object, weights: object, ids: object, universe: UniverseLike | None) -> Table:
    """Bring every Python form of statements to a table."""
    if worse is None:
        if _is_frame(better):
            return _table_from_frame(better)
        given = _listed(better, "statements: give pairs (better, worse) or a frame")
        if given and isinstance(given[0], Mapping):
            return table_from_records(given, "the statements")
        rows = _two_each(given, "statement", "(better, worse)")
    else:
        sides = [_one_by_one(side, universe) for side in (better, worse)]
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


def same_table(indifferent: object) -> Table | None:
    """Bring pairs of sets without a difference to a table; None if there are none."""
    if _is_frame(indifferent):
        return _table_from_frame(indifferent, "the indifferences")
    given = _listed(indifferent, "indifferences: give pairs of sets or a frame")
    if not given:
        return None
    if isinstance(given[0], Mapping):
        return table_from_records(given, "the indifferences", "indifference")
    rows = _two_each(given, "indifference", "of sets")
    return Table("the indifferences", "indifference", ("a", "b"), rows, range(1, len(rows) + 1))


def _two_each(rows: Sequence[object], word: str, pairs: str) -> list[list[object]]:
    found: list[list[object]] = []
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 2:
            raise BadTable(f"{word} {number} is {row!r}; give pairs {pairs}")
        found.append(list(row))
    return found


def _matrix(data: object, universe: UniverseLike | None) -> tuple[tuple[str, ...], Cells] | None:
    """Return the element columns and the rows of sets given as a 0/1 frame or a 0/1 matrix; None if they are not."""
    if _is_frame(data):
        table = _table_from_frame(data)
        return table.columns, table.rows
    if not isinstance(data, _Array) or data.ndim != 2:
        return None
    if universe is None:
        raise BadTable("a 0/1 matrix needs universe=, the names of its columns in order")
    names = Universe.of(universe).names
    if data.shape[1] != len(names):
        raise BadTable(f"the matrix has {data.shape[1]} columns and universe= names {len(names)} elements")
    return names, [[_plain(cell) for cell in row] for row in data.tolist()]


def set_masks(universe: Universe, sets: object) -> list[int]:
    """Return sets that are asked about as masks: a 0/1 frame or matrix, or sets in any form, one by one.

    This is the one door for several sets; for one it is :meth:`Universe.mask`.
    """
    if isinstance(sets, str) or (labelled_row(sets) is not None and not _texts(sets)):
        raise BadTable(f"{shown([sets])} is one set where several are asked for; give a list of sets")
    if _is_frame(sets) and (left := [name for name in universe.names if name not in _labels(sets)]):
        raise BadTable(f"the frame has no column {left[0]!r}; give 1 or 0 of each of {len(universe)} elements")
    matrix = _matrix(sets, universe)
    if matrix is not None:
        columns, rows = matrix
        given: list[object] = [dict(zip(columns, row, strict=True)) for row in rows]
    else:
        given = _listed(sets, SETS)
    known: dict[object, int] = {}
    masks = []
    for number, one in enumerate(given, start=1):
        key = one if isinstance(one, (str, frozenset)) else None
        mask = None if key is None else known.get(key)
        if mask is None:
            try:
                mask = universe.mask(one)
            except UnknownElement:
                raise
            except InputError as error:
                raise BadTable(f"{'set' if matrix is None else 'row'} {number}: {error}") from None
            if key is not None:
                known[key] = mask
        masks.append(mask)
    # A set has no order: what is asked of it should not depend on one.
    return sorted(masks, key=by_size) if isinstance(sets, (set, frozenset)) else masks


def _texts(sets: object) -> bool:
    return not isinstance(sets, Mapping) and all(isinstance(one, str) for one in _listed(sets, SETS))


def pair_masks(universe: Universe, first: object, second: object = None) -> tuple[list[int], list[int]]:
    """Return pairs of sets given in any form as masks: the first ones and the second ones."""
    if second is None:
        if _is_frame(first):
            raise BadTable("a frame holds one set a row; give the second sets apart, as a second frame")
        rows = first.tolist() if isinstance(first, _Array) and first.ndim == 2 else first
        pairs = _two_each(_listed(rows, "pairs of sets"), "pair", "of sets, or the second sets apart")
        return set_masks(universe, [pair[0] for pair in pairs]), set_masks(universe, [pair[1] for pair in pairs])
    one, other = (set_masks(universe, side) for side in (first, second))
    if len(one) != len(other):
        raise BadTable(f"there are {len(one)} first and {len(other)} second sets; give as many")
    return one, other


def _one_by_one(data: object, universe: UniverseLike | None) -> list[object]:
    """Return the sets of a frame, a matrix or any other form, each as it can be read."""
    matrix = _matrix(data, universe)
    if matrix is None:
        return _listed(data, SETS)
    columns, rows = matrix
    sets: list[object] = []
    for number, row in enumerate(rows, start=1):
        try:
            sets.append(split_set(dict(zip(columns, row, strict=True))))
        except InputError as error:
            raise BadTable(f"row {number}: {error}") from None
    return sets


def _listed(data: object, wanted: str) -> list[object]:
    if isinstance(data, Iterable):
        with suppress(TypeError):  # an array without axes calls itself iterable
            return list(data)
    raise BadTable(f"{told(data)} holds no {wanted}")


def _is_frame(data: object) -> bool:
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


def table_from_records(records: Sequence[object], name: str, word: str = "entry") -> Table:
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


def _labels(frame: Any) -> list[object]:
    labels = getattr(frame, "column_names", None)
    return list(frame.columns if labels is None else labels)


def _plain(cell: object) -> object:
    """Turn library scalars into Python ones; a missing value of any library becomes None."""
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    return None if isinstance(cell, float) and math.isnan(cell) else cell
