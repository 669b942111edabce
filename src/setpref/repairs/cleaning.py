"""Data without what a repair gives up, as a table in the format it was read in."""

from __future__ import annotations

from collections.abc import Collection

from setpref.data.items import Items
from setpref.data.numbers import decimal
from setpref.data.tables import Table, rated_sets

__all__ = ["cleaned"]

Rows = tuple[tuple[str, ...], list[list[str]]]


def cleaned(items: Items, dropped: Collection[int], table: Table, layout: str) -> Rows:
    """Return the columns and rows of the data that are kept.

    Statements are written with the columns they need; of ratings every row is kept as it was read.

    Parameters
    ----------
    table, layout
        What the items were read from.
    """
    if items.preferences.ratings is None:
        return _statements(items, dropped)
    gone = {items[i].sets[0] for i in dropped}
    universe = items.preferences.universe
    rated, _ = rated_sets(table, layout)
    rows = []
    for item, row in zip(rated, table.rows, strict=True):
        mask = universe.mask(list(item.names))
        if mask not in gone:
            written = ["alternative"] if layout == "long" else []
            cells = zip(table.columns, row, strict=True)
            rows.append([universe.write(mask) if name in written else _cell(cell) for name, cell in cells])
    return tuple(table.columns), rows


def _cell(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, bool) else str(cell)


def _statements(items: Items, dropped: Collection[int]) -> Rows:
    write = items.preferences.universe.write
    gone = {id(s) for i in dropped for s in items[i].statements}
    kept = [s for s in items.preferences.statements if id(s) not in gone]
    every = items.preferences.statements
    columns = {"better": [write(s.better) for s in kept], "worse": [write(s.worse) for s in kept]}
    if any(s.same for s in every):
        columns["relation"] = ["~" if s.same else ">" for s in kept]
    if any(s.weight != 1 for s in every):
        columns["weight"] = [decimal(s.weight) for s in kept]
    if any(s.id for s in every):
        columns["id"] = [s.id or "" for s in kept]
    return tuple(columns), [list(row) for row in zip(*columns.values(), strict=True)]
