"""Talking to a person at a terminal: lines, tables, JSON, progress. Only commands use it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from setpref.errors import InputError
from setpref.progress import Progress, Step, best_so_far

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from setpref.universe import Universe


class Stopped(Exception):
    """Ctrl-C in a command that has something to say about it; typer would swallow a KeyboardInterrupt's words."""


def say(text: str) -> None:
    """Print a line for a person."""
    typer.echo(text)


def console(stderr: bool = False) -> Console:
    """Return a console that is wide when piped, so that tables do not wrap."""
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=120)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; its first column may be broken into lines, its last stands to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right, first = column == columns[-1], column == columns[0]
        table.add_column(column, justify="right" if right else "left", no_wrap=not first)
    for row in rows:
        table.add_row(*row)
    console().print(table)


@contextmanager
def best_known(quiet: bool) -> Iterator[Progress | None]:
    """Show progress of work that Ctrl-C stops with what is known."""
    with best_so_far(), progress_shown(quiet, "stops with what is known") as progress:
        yield progress


@contextmanager
def progress_shown(quiet: bool, interrupt: str = "stops") -> Iterator[Progress | None]:
    """Show a line of progress while long work runs, and what Ctrl-C does to it; nothing when piped or quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(stderr=True), transient=True, refresh_per_second=8) as live:

        def show(step: Step) -> None:
            known = f", best known {step.best}" if step.best is not None else ""
            counts = f"   {step.nodes:,} nodes, {step.clauses:,} clauses" if step.nodes else ""
            time = f"{step.seconds:.1f} s   (Ctrl-C {interrupt})"
            live.update(Text(f"{step.doing}{known}{counts}   {time}"))

        yield show


def print_json(content: Mapping[str, object]) -> None:
    """Print one JSON object."""
    typer.echo(json.dumps(content))


def step(progress: Progress | None, doing: str) -> None:
    """Tell the progress display what is being done."""
    if progress is not None:
        progress(Step(doing))


def listed_alternatives(universe: Universe, path: Path | None) -> list[str] | None:
    """Return the sets of a file's column ``alternative``."""
    if path is None:
        return None
    from setpref.data.files import read_table
    from setpref.data.tables import listed_sets

    return [universe.write(mask) for mask in listed_sets(read_table(path)[0], "alternative", universe)]


def check_out(out: Path, data: Path, what: str = "the data file") -> None:
    """Refuse a target that cannot be written or is the input itself, before any work is done."""
    from setpref.data.writing import check_target

    try:
        check_target(out)
        if out.exists() and data.exists() and out.samefile(data):
            raise InputError(f"--out {out} is {what} itself; choose another name")
    except OSError as error:
        raise InputError(f"--out {out}: {error.strerror or error}; choose another name") from None
