"""From tables with column names to records of sets: the one place that interprets columns.

CSV, JSON and Parquet files, pandas, polars and pyarrow frames, and lists of dictionaries all become a
:class:`Table` first. Three layouts exist:

``long``
    columns ``alternative`` and ``rating``: one rated set a row, written ``tea+lemon``.
``wide``
    one 0/1 column per element, and ``rating``.
``statements``
    columns ``better`` and ``worse``, optionally ``relation`` (``>``, or ``~`` for "no difference"), ``weight`` and
    ``id``: one statement a row.

This room knows names, not bits, and never touches a file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from setpref.arguments import checked_choice
from setpref.data.numbers import exact_number
from setpref.errors import BadTable, InputError, UnknownElement
from setpref.universe import Universe, split_set, zero_or_one

__all__ = [
    "LAYOUTS",
    "RatedSet",
    "StatedPair",
    "Table",
    "listed_sets",
    "rated_sets",
    "recognise",
    "same_pairs",
    "shown",
    "stated_pairs",
]

LAYOUTS = ("long", "wide", "statements")
RELATIONS = {">": False, "~": True}
SAME_COLUMNS = (("a", "b"), ("first", "second"), ("better", "worse"))


@dataclass(frozen=True)
class Table:
    """Rows of cells under column names, each row with the place a person finds it at.

    Attributes
    ----------
    name : str
        What the table is called in messages ("yogurt.csv", "the frame").
    word : str
        What a row's number counts ("line", "entry", "row").
    """

    name: str
    word: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    positions: Sequence[int]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for column in self.columns:
            if not isinstance(column, str) or not column.strip():
                raise BadTable(f"{self.name}: a column has no name; give every column a name")
            if column in seen:
                raise BadTable(f"{self.name}: the column {column!r} stands twice; keep one of them")
            seen.add(column)
        if not self.rows:
            where = " below the header" if self.word == "line" else ""
            raise BadTable(f"{self.name}: there are no rows{where}; add at least one")

    def fail(self, row: int, sentence: str) -> NoReturn:
        """Raise an error that names the row."""
        raise BadTable(f"{self.name}, {self.word} {self.positions[row]}: {sentence}") from None

    def records(self, columns: Iterable[str]) -> Iterator[tuple[int, list[object]]]:
        """Yield each row's index and its cells under the given columns."""
        picks = [self.columns.index(column) for column in columns]
        for index, row in enumerate(self.rows):
            yield index, [row[pick] for pick in picks]


@dataclass(frozen=True)
class RatedSet:
    """A set of names with its rating, and where it was read."""

    names: tuple[str, ...]
    rating: Fraction
    position: int


@dataclass(frozen=True)
class StatedPair:
    """A statement in names, and where it was read; `same` says that neither set is better."""

    better: tuple[str, ...]
    worse: tuple[str, ...]
    position: int
    weight: Fraction = Fraction(1)
    id: str | None = None
    same: bool = False


def recognise(table: Table, layout: str | None = None) -> str:
    """Return the layout of a table from its columns, or check the one asked for."""
    columns = set(table.columns)
    if layout is not None:
        checked_choice("format", layout, LAYOUTS)
    if layout is None:
        if {"better", "worse"} <= columns:
            layout = "statements"
        elif {"alternative", "rating"} <= columns:
            layout = "long"
        elif "rating" in columns and len(columns) > 1 and not columns & {"alternative", "better", "worse"}:
            layout = "wide"
        else:
            raise BadTable(
                f"{table.name}: the columns are {shown(table.columns)}; name them alternative,rating (rated sets), "
                "or better,worse (statements), or have one 0/1 column per element and rating"
            )
    needed = {"long": {"alternative", "rating"}, "wide": {"rating"}, "statements": {"better", "worse"}}[layout]
    if missing := sorted(needed - columns):
        raise BadTable(
            f"{table.name}: the format {layout} needs the column {missing[0]!r}; the columns are {shown(table.columns)}"
        )
    allowed = needed | ({"relation", "weight", "id"} if layout == "statements" else set())
    if layout != "wide" and (extra := [c for c in table.columns if c not in allowed]):
        raise BadTable(
            f"{table.name}: the column {extra[0]!r} has no meaning in the format {layout}; allowed are "
            f"{', '.join(sorted(allowed))}; remove it"
        )
    if layout == "wide" and len(columns) < 2:
        raise BadTable(f"{table.name}: the format wide needs a 0/1 column per element beside 'rating'")
    return layout


def rated_sets(table: Table, layout: str) -> tuple[list[RatedSet], Universe | None]:
    """Return the rated sets of a table, and the universe its columns define (wide layout only)."""
    if layout == "wide":
        elements = [column for column in table.columns if column != "rating"]
        try:
            universe = Universe(tuple(elements))
        except InputError as error:
            raise BadTable(f"{table.name}: {error}") from None
        rated = [
            RatedSet(_row_set(table, i, elements, cells), _number(table, i, "rating", rating), table.positions[i])
            for i, (rating, *cells) in table.records(["rating", *elements])
        ]
        return rated, universe
    rated = [
        RatedSet(_set(table, i, alternative), _number(table, i, "rating", rating), table.positions[i])
        for i, (alternative, rating) in table.records(["alternative", "rating"])
    ]
    return rated, None


def stated_pairs(table: Table) -> list[StatedPair]:
    """Return the statements of a table."""
    return list(_pairs(table, "better", "worse", same=None))


def same_pairs(table: Table) -> list[StatedPair]:
    """Return the indifferences of a table: two columns of sets between which there is no difference.

    Examples
    --------
    >>> [pair.same for pair in same_pairs(Table("same.csv", "line", ("a", "b"), [["tea", "milk"]], [2]))]
    [True]
    """
    sides = next((names for names in SAME_COLUMNS if set(names) <= set(table.columns)), None)
    extra = [c for c in table.columns if sides is not None and c not in (*sides, "weight", "id")]
    if sides is None or extra:
        raise BadTable(
            f"{table.name}: the columns are {shown(table.columns)}; indifferences have the columns a,b (two sets "
            "between which there is no difference) and may have weight and id"
        )
    return list(_pairs(table, *sides, same=True))


def _pairs(table: Table, first: str, second: str, same: bool | None) -> Iterator[StatedPair]:
    optional = [column for column in ("relation", "weight", "id") if column in table.columns]
    for i, (better, worse, *rest) in table.records([first, second, *optional]):
        extra = dict(zip(optional, rest, strict=True))
        weight = _number(table, i, "weight", extra["weight"]) if "weight" in extra else Fraction(1)
        if weight <= 0:
            table.fail(i, f"the weight {extra['weight']} is not positive; weights are numbers above 0")
        equal = _relation(table, i, extra["relation"]) if same is None and "relation" in extra else bool(same)
        name = extra.get("id")
        sets = _set(table, i, better), _set(table, i, worse)
        yield StatedPair(*sets, table.positions[i], weight, None if name is None or name == "" else str(name), equal)


def _relation(table: Table, row: int, cell: object) -> bool:
    known = RELATIONS.get(cell.strip()) if isinstance(cell, str) else None
    if known is None:
        table.fail(row, f"the relation is {cell!r}; write > (the first set is better) or ~ (no difference)")
    return known


def shown(columns: Sequence[object]) -> str:
    """Return column names for a message, a dozen at most."""
    return ",".join(map(str, columns[:12])) + (",..." if len(columns) > 12 else "")


def listed_sets(table: Table, column: str, universe: Universe) -> list[int]:
    """Return one column of sets as masks over a universe; repeated cells are read once."""
    if column not in table.columns:
        raise BadTable(f"{table.name} needs the column {column!r}; its columns are {shown(table.columns)}")
    known: dict[str, int] = {}
    masks = []
    for row, (cell,) in table.records([column]):
        mask = known.get(cell) if isinstance(cell, str) else None
        if mask is None:
            try:
                mask = universe.mask(list(_set(table, row, cell)))
            except UnknownElement as error:
                raise error.at(f"{table.name}, {table.word} {table.positions[row]}") from None
            if isinstance(cell, str):
                known[cell] = mask
        masks.append(mask)
    return masks


def _set(table: Table, row: int, cell: object) -> tuple[str, ...]:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        table.fail(row, "a set is missing; write the empty set as {}")
    try:
        return tuple(split_set(cell))
    except InputError as error:
        table.fail(row, str(error))


def _row_set(table: Table, row: int, elements: Sequence[str], cells: Sequence[object]) -> tuple[str, ...]:
    chosen = []
    for element, cell in zip(elements, cells, strict=True):
        present = _zero_one(cell)
        if present is None:
            table.fail(row, f"{element!r} is {cell!r}; element columns hold 1 (in the set) or 0 (not)")
        if present:
            chosen.append(element)
    return tuple(chosen)


def _zero_one(cell: object) -> bool | None:
    if isinstance(cell, str):
        return {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}.get(
            cell.strip().lower()
        )
    return zero_or_one(cell)


def _number(table: Table, row: int, column: str, cell: object) -> Fraction:
    try:
        return exact_number(cell)
    except ValueError as error:
        table.fail(row, f"{column}: {error}; write a number such as 3 or 4.5")
