"""What is kept on disk: a journal line per finished task, then one JSON document per experiment.

A journal can be cut off anywhere, also in the middle of a line: what is whole is kept, the rest is done again. Journals
and documents name the settings, the seed and the version they were made with, and are refused under any other.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Literal

from setpref.data.files import load_json
from setpref.data.writing import write_text
from setpref.errors import BadDocument, InputError
from setpref.experiments.contract import Experiment, canonical
from setpref.experiments.records import Document, Failure, Row, Settings, Task
from setpref.version import __version__

__all__ = ["Journal", "Made", "document", "document_path", "journal_path", "known_rows", "read_document"]

FORMAT = "setpref-experiment"
JOURNAL = "setpref-experiment-journal"
VERSION = 1
PACKAGES = ("numpy", "scikit-learn", "scipy", "joblib", "numba", "daqp", "highspy")


@dataclass(frozen=True)
class Made:
    """How rows are made: rows made in another way are not mixed with these."""

    experiment: str
    quick: bool
    seed: int
    settings: Settings

    def check(self, found: Mapping[str, Any], path: Path) -> None:
        """Refuse what a file says if it was made in another way; one sentence says what differs."""
        made_by = found.get("setpref") or (found.get("versions") or {}).get("setpref")
        pairs: list[tuple[str, Any, Any]] = [("setpref", made_by, __version__)]
        pairs += [(name, found.get(name), getattr(self, name)) for name in ("quick", "seed")]
        theirs = found.get("settings") or {}
        names = [*self.settings, *(name for name in theirs if name not in self.settings)]
        pairs += [(name, theirs.get(name), self.settings.get(name)) for name in names]
        for name, there, here in pairs:
            if canonical(there) != canonical(here):
                raise InputError(
                    f"{path} holds rows made with {name} {_short(there)}, not {_short(here)}; rows are not mixed: "
                    "choose another folder with --out, or start over with --fresh"
                )


def document_path(folder: Path, name: str) -> Path:
    """Return where an experiment's document is."""
    return folder / f"{name}.json"


def journal_path(folder: Path, name: str) -> Path:
    """Return where the journal of an experiment's runs is while they are not finished."""
    return folder / f"{name}.journal.jsonl"


@dataclass
class Journal:
    """Finished tasks, appended as they come.

    Attributes
    ----------
    rows : dict of str to Row
        By the canonical text of their tasks.
    seconds : float
        The time all calls so far have worked.
    """

    path: Path
    rows: dict[str, Row] = field(default_factory=dict)
    seconds: float = 0.0
    _stream: IO[str] | None = None

    @classmethod
    @contextmanager
    def open(cls, path: Path, made: Made) -> Iterator[Journal]:
        """Open a journal to go on with it, or begin one."""
        journal = cls(path)
        if path.exists():
            journal._load(made)
        else:
            head = {"format": JOURNAL, "version": VERSION, "setpref": __version__, **vars(made)}
            write_text(path, canonical(head) + "\n")
        try:
            with path.open("a", encoding="utf-8", newline="\n") as stream:
                journal._stream = stream
                yield journal
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}; choose another place") from None

    def add(self, task: Task, row: Row, seconds: float) -> None:
        """Keep a row; once this returns, it outlives the process.

        Parameters
        ----------
        seconds
            The time all calls have worked so far.
        """
        assert self._stream is not None
        self._stream.write(canonical({"task": task, "row": row, "seconds": round(seconds, 3)}) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self.rows[canonical(task)] = row
        self.seconds = seconds

    def _load(self, made: Made) -> None:
        """Read what is whole; cut off what is not."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        lines = content[:whole].split(b"\n")[:-1]
        for number, line in enumerate(lines, start=1):
            try:
                found = json.loads(line)
                if number == 1:
                    _check_format(found, JOURNAL, self.path)
                    made.check(found, self.path)
                    continue
                self.rows[canonical(found["task"])] = found["row"]
                self.seconds = float(found["seconds"])
            except (ValueError, KeyError, TypeError) as error:
                if isinstance(error, InputError):
                    raise
                raise _damaged(self.path, f"line {number}") from None
        if not lines:
            raise _damaged(self.path, "line 1")
        if whole < len(content):
            os.truncate(self.path, whole)


def document(
    experiment: Experiment, made: Made, rows: Sequence[Row], failures: Sequence[Failure], seconds: float, jobs: int
) -> Document:
    """Return an experiment's document."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "experiment": experiment.name,
        "quick": made.quick,
        "seed": made.seed,
        "settings": made.settings.copy(),
        "versions": _versions(),
        "seconds": round(seconds, 1),
        "jobs": jobs,
        "rows": [_without(row, experiment.omits) for row in rows],
        "failures": list(failures),
    }


def write_document(content: Document, path: Path) -> None:
    """Write a document whole: its head readable, one line a row."""
    head = {name: value for name, value in content.items() if name not in ("rows", "failures")}
    text = json.dumps(head, ensure_ascii=False, indent=1).rstrip("}\n")
    for name in ("rows", "failures"):
        lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in content[name])
        text += f',\n "{name}": [\n{lines}\n ]' if lines else f',\n "{name}": []'
    write_text(path, text + "\n}\n")


def read_document(path: Path) -> Document:
    """Return a document, or say why it is none."""
    if not path.exists():
        raise InputError(f"{path}: there are no rows yet; run the experiment first, without --figures-only")
    found: Any = load_json(path)
    _check_format(found, FORMAT, path)
    if not all(isinstance(found.get(name), list) for name in ("rows", "failures")):
        raise _damaged(path, "its rows")
    if found.get("experiment") != path.stem:
        raise BadDocument(f"{path} holds rows of {found.get('experiment')}; name the file so, or choose another folder")
    content: Document = found
    return content


def known_rows(documents: Sequence[Document], tasks: Sequence[Task], path: Path) -> dict[str, Row]:
    """Return the rows of finished documents by task: they are in the order of the tasks, without those that failed.

    Parameters
    ----------
    documents
        Those that share the runs: what one omits another has.
    """
    failed = {canonical(failure["task"]) for failure in documents[0]["failures"]}
    done = [task for task in map(canonical, tasks) if task not in failed]
    if any(len(content["rows"]) != len(done) for content in documents):
        raise _damaged(path, "its rows")
    merged = zip(*(content["rows"] for content in documents), strict=True)
    return {task: _merged(rows) for task, rows in zip(done, merged, strict=True)}


def _without(row: Row, omits: Iterable[Literal["tables", "f1"]]) -> Row:
    kept = row.copy()
    for name in omits:
        kept.pop(name, None)
    return kept


def _merged(rows: Iterable[Row]) -> Row:
    whole: Row = {}
    for row in rows:
        whole.update(row)
    return whole


def _check_format(found: object, wanted: str, path: Path) -> None:
    if not isinstance(found, dict) or found.get("format") != wanted:
        raise BadDocument(f"{path} holds no rows of an experiment; choose another folder with --out")
    if found.get("version") != VERSION:
        raise BadDocument(
            f"{path} has format version {found.get('version')!r}; this setpref reads {VERSION}: choose another folder "
            "with --out, or start over with --fresh"
        )


def _damaged(path: Path, where: str) -> BadDocument:
    return BadDocument(f"{path}: {where} cannot be read; start over with --fresh, or choose another folder with --out")


def _versions() -> dict[str, str]:
    found = {"setpref": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _short(value: object) -> str:
    text = canonical(value)
    return text if len(text) <= 60 else text[:57] + "..."
