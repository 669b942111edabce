"""Files: reading data in CSV, JSON and Parquet.

What columns mean is said in :mod:`setpref.data.tables`; here a file becomes a table whose rows know their line.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from setpref.arguments import checked_path, checked_whole
from setpref.data.forms import table_from_records
from setpref.data.preferences import Preferences
from setpref.data.tables import Table, recognise, shown
from setpref.errors import BadTable, InputError, MissingDependency, TooLarge
from setpref.universe import UniverseLike

__all__ = ["MAX_ROWS", "load_json", "read", "read_table"]

MAX_ROWS = 200_000
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    universe: UniverseLike | None = None,
    collisions: str = "median",
    ties: str = "ignore",
    tolerance: object = 0,
    same: str | os.PathLike[str] | None = None,
    contradictions: str = "error",
    max_rows: int = MAX_ROWS,
) -> Preferences:
    """Read preferences from a CSV, JSON or Parquet file.

    Parameters
    ----------
    path
        The ending (.csv, .json, .parquet) says how the file is stored.
    format
        ``long`` (alternative, rating), ``wide`` (0/1 columns and rating) or ``statements`` (better, worse, and perhaps
        relation, ``>`` or ``~``); recognised from the header when not given.
    universe
        The elements in order; by default the sorted names seen (wide format: the columns).
    collisions
        What to do with different ratings of one set: median, mean, last, drop or error.
    ties, tolerance
        What equal ratings say, ``ignore`` (nothing) or ``indifferent`` (no difference), and how close are equal.
    same
        A second file, beside statements: pairs of sets without a difference, in the columns a and b.
    contradictions
        ``error`` (default) or ``keep``, as in :meth:`Preferences.from_pairs`.
    max_rows
        Refuse longer files: a guard against reading a log by mistake.
    """
    table, named = read_table(path, None if max_rows is None else checked_whole("max_rows", max_rows))
    layout = recognise(table, format)
    return Preferences.from_table(
        table,
        layout,
        universe=named if universe is None else universe,
        collisions=collisions,
        ties=ties,
        tolerance=tolerance,
        same=None if same is None else read_table(same, max_rows)[0],
        contradictions=contradictions,
    )


def read_table(path: str | os.PathLike[str], max_rows: int | None = None) -> tuple[Table, list[str] | None]:
    """Read the table of a file, and the universe it names, if it does."""
    file = checked_path(path)
    readers: dict[str, Callable[[Path, int], tuple[Table, list[str] | None]]] = {
        ".csv": _read_csv,
        ".json": _read_json,
        ".parquet": _read_parquet,
    }
    if file.suffix.lower() not in readers:
        raise InputError(f"{file.name or path}: files ending in {', '.join(readers)} can be read; rename or convert it")
    try:
        if not file.exists():
            raise InputError(f"{path}: there is no such file; check the path")
        if not file.is_file():
            raise InputError(f"{path} is {'a folder' if file.is_dir() else 'no ordinary file'}; give a data file")
        return readers[file.suffix.lower()](file, sys.maxsize if max_rows is None else max_rows)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def _read_csv(path: Path, max_rows: int) -> tuple[Table, None]:
    rows: list[list[str]] = []
    positions: list[int] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = next(reader, None)
            while header is not None and not any(cell.strip() for cell in header):
                header = next(reader, None)
            if header is None:
                raise BadTable(f"{path.name} is empty; its first line must name the columns")
            columns = _header(path.name, header)
            for row in reader:
                if not any(cell.strip() for cell in row):
                    continue
                if len(row) < len(columns) or any(cell.strip() for cell in row[len(columns) :]):
                    raise BadTable(
                        f"{path.name}, line {reader.line_num}: {_cells(len(row))} under {len(columns)} columns "
                        f"({shown(columns)}); separate cells by one comma each, and write 4.5, not 4,5"
                    )
                if len(rows) == max_rows:
                    raise _too_long(path.name, max_rows)
                rows.append(row[: len(columns)])
                positions.append(reader.line_num)
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    except csv.Error as error:
        start = positions[-1] + 1 if positions else 1
        if "unexpected end" in str(error):
            sentence = f"{path.name}: a quotation mark opened on line {start} or later is never closed; close it"
        else:
            sentence = f"{path.name}, line {reader.line_num}: {error}; this is not well-formed CSV, correct this line"
        raise BadTable(sentence) from None
    return Table(path.name, "line", columns, rows, positions), None


def _header(name: str, cells: list[str]) -> tuple[str, ...]:
    """Return the column names; spreadsheets leave blank cells at the end of lines, which name nothing."""
    columns = tuple(cell.strip() for cell in cells)
    while columns[-1] == "":
        columns = columns[:-1]
    if len(columns) == 1:
        for separator, word in SEPARATORS.items():
            if separator in columns[0]:
                raise BadTable(f"{name} is separated by {word}; save it with commas between the cells")
    return columns


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _not_utf8(path: Path) -> BadTable:
    number = 1
    with path.open("rb") as stream, contextlib.suppress(UnicodeDecodeError):
        for line in stream:
            line.decode("utf-8")
            number += 1
    return BadTable(f"{path.name}, line {number}: this is not text in UTF-8; save the file in UTF-8")


def _read_json(path: Path, max_rows: int) -> tuple[Table, list[str] | None]:
    document = load_json(path)
    named = None
    if isinstance(document, dict):
        keys = [key for key in ("ratings", "statements") if key in document]
        if len(keys) != 1 or set(document) - {"universe", keys[0]}:
            raise BadTable(
                f"{path.name}: the object must hold 'ratings' or 'statements' and may hold 'universe'; it holds "
                f"{shown(list(document))}"
            )
        named, document = document.get("universe"), document[keys[0]]
        if named is not None and not (isinstance(named, list) and all(isinstance(x, str) for x in named)):
            raise BadTable(f"{path.name}: 'universe' must be a list of names")
    if not isinstance(document, list) or not document:
        raise BadTable(
            f'{path.name} must hold a list of entries such as {{"alternative": "tea", "rating": 3}} or '
            '{"better": "tea", "worse": "milk"}'
        )
    if len(document) > max_rows:
        raise _too_long(path.name, max_rows)
    return table_from_records(document, path.name), named


def _read_parquet(path: Path, max_rows: int) -> tuple[Table, None]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependency("pyarrow", "parquet", f"reading {path.name}") from None
    try:
        with pq.ParquetFile(path) as stored:
            if stored.metadata.num_rows > max_rows:
                raise _too_long(path.name, max_rows)
            frame = stored.read()
    except pa.ArrowException:
        raise BadTable(f"{path.name} is not a Parquet file that can be read; write it again") from None
    columns = tuple(frame.column_names)
    rows = [list(row) for row in zip(*(column.to_pylist() for column in frame.columns), strict=True)]
    return Table(path.name, "row", columns, rows, range(1, len(rows) + 1)), None


def load_json(path: Path) -> object:
    """Return the content of a JSON file, or an error that says where it breaks."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    if not text.strip():
        raise BadTable(f"{path.name} is empty; check that it is the right file")
    try:
        return json.loads(text, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise BadTable(
            f"{path.name}, line {error.lineno}: this is not well-formed JSON ({error.msg}); correct it there"
        ) from None
    except RecursionError:
        raise BadTable(
            f"{path.name} is nested too deeply to hold preferences; check that it is the right file"
        ) from None
    except _DuplicateKey as error:
        raise BadTable(f"{path.name}: the name {error} stands twice in one object; keep one of them") from None
    except ValueError:  # Python refuses to read whole numbers of thousands of digits
        raise BadTable(f"{path.name} holds a number of thousands of digits; write a shorter one") from None


class _DuplicateKey(ValueError):
    pass


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        raise _DuplicateKey(repr(next(name for name in times if times[name] > 1)))
    return found


def _too_long(name: str, max_rows: int) -> TooLarge:
    return TooLarge(
        f"{name} has more than {max_rows:,} rows, the limit; check that it is the right file, "
        "or allow more with max_rows (--max-rows)"
    )
