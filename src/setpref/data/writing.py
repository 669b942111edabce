"""Writing files whole or not at all; reading them is the business of :mod:`setpref.data.files`."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from setpref.arguments import checked_path
from setpref.errors import InputError

__all__ = ["check_target", "csv_text", "replace_file", "write_text"]


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a place where no file can be written, before the work whose result it is to hold."""
    target = checked_path(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file to write")
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {target.parent}; make it first")


@contextlib.contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file whole or not at all: yield a temporary place beside it to write to, then rename."""
    target = checked_path(path)
    try:
        check_target(target)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
    except OSError as error:
        raise _unwritable(path, error) from None
    temporary = Path(name)
    try:
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from None
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole or not at all."""
    with replace_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _unwritable(path: str | os.PathLike[str], error: OSError) -> InputError:
    return InputError(f"{path} cannot be written: {error.strerror or error}; choose another place")
