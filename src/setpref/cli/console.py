"""Talking to a person at a terminal: options that commands share, lines, JSON, progress. Only commands use it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from setpref.errors import InputError
from setpref.progress import Progress, Step

if TYPE_CHECKING:
    from rich.console import Console

    from setpref.data.preferences import Preferences
    from setpref.learning.answering import Asking

Data = Annotated[Path, typer.Argument(help="Ratings or statements: a .csv, .json or .parquet file.")]
Saved = Annotated[Path, typer.Argument(help="A result saved by: setpref learn DATA --out FILE.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Force the format: long, wide or statements.", show_default=False),
]
UniverseOption = Annotated[
    str | None,
    typer.Option("--universe", help="All elements, as tea+lemon+milk (default: those seen).", show_default=False),
]
CollisionsOption = Annotated[
    str, typer.Option("--collisions", help="Different ratings of one set: median, mean, last, drop or error.")
]
TiesOption = Annotated[
    str, typer.Option("--ties", help="What equal ratings say: ignore (nothing) or indifferent (no difference).")
]
ToleranceOption = Annotated[
    str, typer.Option("--tolerance", help="With --ties indifferent: ratings so close count as equal.")
]
SameOption = Annotated[
    Path | None,
    typer.Option("--same", help="Pairs without a difference, beside the statements: columns a,b.", show_default=False),
]
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="Refuse longer files.")]


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


@contextmanager
def progress_shown(quiet: bool) -> Iterator[Progress | None]:
    """Show a line of progress while long work runs; nothing when piped or quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(stderr=True), transient=True, refresh_per_second=8) as live:

        def show(step: Step) -> None:
            known = f", best known {step.best}" if step.best is not None else ""
            counts = f"   {step.nodes:,} nodes, {step.clauses:,} clauses" if step.nodes else ""
            time = f"{step.seconds:.1f} s   (Ctrl-C stops with what is known)"
            live.update(Text(f"{step.doing}{known}{counts}   {time}"))

        yield show


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object."""
    typer.echo(json.dumps(content))


def step(progress: Progress | None, doing: str) -> None:
    """Tell the progress display what is being done."""
    if progress is not None:
        progress(Step(doing))


def read_data(
    data: Path,
    layout: str | None,
    universe: str | None,
    collisions: str,
    max_rows: int,
    ties: str = "ignore",
    tolerance: str = "0",
    same: Path | None = None,
    contradictions: str = "error",
) -> Preferences:
    """Read preferences with the options every command shares."""
    from setpref.data.files import read

    return read(
        data,
        format=layout,
        universe=universe,
        collisions=collisions,
        ties=ties,
        tolerance=tolerance,
        same=same,
        contradictions=contradictions,
        max_rows=max_rows,
    )


def listed_alternatives(learned: Asking, path: Path | None) -> list[str] | None:
    """Return the sets of a file's column ``alternative``."""
    if path is None:
        return None
    from setpref.data.files import read_table
    from setpref.data.tables import listed_sets

    universe = learned.preferences.universe
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
