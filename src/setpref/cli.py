"""The command line: parse, call the library once, print, exit with a code that means something.

Exit codes: 0 done; 1 a proof was rejected; 2 the input cannot be used; 3 a fault of setpref itself; 130 interrupted.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from setpref.errors import CertificateRejected, InputError, SetprefError
from setpref.progress import Progress, Step
from setpref.version import __version__

if TYPE_CHECKING:
    from rich.console import Console

    from setpref.preferences import Preferences

app = typer.Typer(
    name="setpref",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Learn what somebody prefers among sets, from a few statements or ratings; exactly, with proofs.",
    epilog="Sets are written tea+lemon, the empty set {}.",
)

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
MaxRows = Annotated[int, typer.Option("--max-rows", min=1, help="Refuse longer files.")]


# Typer carries its own copy of click or imports it, depending on its version; the class is reached either way.
_USAGE_ERROR: Any = typer.BadParameter.__bases__[0]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"setpref {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def check(
    data: Data,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Say what a file holds: elements, tiers, repetitions; and stop at contradictions."""
    from setpref import report

    preferences = _read(data, format, universe, collisions, max_rows)
    if as_json:
        _print_json(report.check_facts(preferences))
        return
    for line in report.check_lines(preferences):
        _say(line)


@app.command()
def learn(
    data: Data,
    simplicity: Annotated[
        str,
        typer.Option(
            "--simplicity",
            help="What simplest means: lex (degree, then number of terms, then total size), card, ws or deg.",
        ),
    ] = "lex",
    engine: Annotated[
        str, typer.Option("--engine", help="auto; bruteforce or mip to judge it; for deg also explicit, kernel.")
    ] = "auto",
    out: Annotated[
        Path | None, typer.Option("--out", help="Save the result and its proof.", show_default=False)
    ] = None,
    proof: Annotated[bool, typer.Option("--proof/--no-proof", help="Save the proof of completeness.")] = True,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", min=0.0, help="Stop after so many seconds with the best known.", show_default=False
        ),
    ] = None,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Learn every simplest model from ratings or statements, and save the result with its proof."""
    from setpref import learner, report

    if out is not None:
        _check_out(out, data)
    preferences = _read(data, format, universe, collisions, max_rows)
    with _progress(as_json) as progress:
        learned = learner.learn(preferences, simplicity, engine, time_limit=time_limit, progress=progress)
    if out is not None:
        learned.save(out, proof)
    if as_json:
        _print_json(learned.as_dict())
        return
    _say(f"read {preferences} from {data.name}")
    if preferences.collisions is not None and preferences.collisions.repeated_sets:
        _say(f"{preferences.collisions}")
    for line in report.learned_lines(learned):
        _say(line)
    table = report.term_table(learned)
    if table is not None:
        _console().print(table)
    for line in report.closing_lines(learned):
        _say(line)
    if out is not None:
        _say(f"saved to {out}; check it any time with: setpref verify {out}")


@app.command()
def compare(saved: Saved, first: str, second: str, as_json: Json = False) -> None:
    """Say whether the FIRST set is better than the SECOND under every simplest model."""
    from setpref import learner, report

    learned = learner.load(saved)
    verdict = learned.compare(first, second)
    if as_json:
        plain = {"verdict": verdict.value, "equal": verdict.equal, "proven": verdict.proven}
        _print_json({**plain, "a": first, "b": second})
        return
    _say(report.compare_line(learned, first, second, verdict.value, verdict.equal))


@app.command()
def verify(saved: Saved, as_json: Json = False) -> None:
    """Re-check every claim of a saved result in whole numbers, without any solver."""
    from setpref.verification import verify as verify_saved

    with _progress(as_json) as progress:
        count = None if progress is None else lambda nodes: progress(Step("searching the proof", nodes=nodes))
        said = verify_saved(saved, count)
    if as_json:
        _print_json({"verified": True, "checked": said})
        return
    for sentence in said:
        _say(f"checked: {sentence}")
    _say(f"{saved.name} is right")


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    arguments = sys.argv[1:]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name the terminal cannot show is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(args=arguments, standalone_mode=False)
    except _USAGE_ERROR as error:
        code = _misused(error, arguments)
    except CertificateRejected as error:
        code = _fail(str(error), 1, arguments)
    except (InputError, SetprefError) as error:
        code = _fail(str(error), 2, arguments)
    except (KeyboardInterrupt, typer.Abort):
        code = _fail("interrupted", 130, arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:  # the last resort: a person never sees a traceback
        if os.environ.get("SETPREF_DEBUG"):
            raise
        code = _fail(
            f"this is a fault of setpref ({type(error).__name__}: {error}); please report it "
            "(SETPREF_DEBUG=1 shows where it happened)",
            3,
            arguments,
        )
    sys.exit(code if isinstance(code, int) else 0)


def _misused(error: Any, arguments: list[str]) -> int:
    """Report a wrong option or a missing argument; without any argument, show the help instead."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return 2
    hint = f"; see: {error.ctx.command_path} --help" if error.ctx else ""
    return _fail(error.format_message().rstrip(".") + hint, 2, arguments)


def _fail(sentence: str, code: int, arguments: list[str]) -> int:
    one_line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(sentence.split()))
    if "--json" in arguments:
        _print_json({"error": one_line})
    else:
        typer.echo(f"setpref: {one_line}", err=True)
    return code


def _say(text: str) -> None:
    typer.echo(text)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=120)


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    """Show a line of progress while long work runs; nothing when piped or quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=_console(stderr=True), transient=True, refresh_per_second=8) as live:

        def show(step: Step) -> None:
            known = f", best known {step.best}" if step.best is not None else ""
            counts = f"   {step.nodes:,} nodes, {step.clauses:,} clauses" if step.nodes else ""
            time = f"{step.seconds:.1f} s   (Ctrl-C stops with what is known)"
            live.update(Text(f"{step.doing}{known}{counts}   {time}"))

        yield show


def _print_json(content: dict[str, Any]) -> None:
    typer.echo(json.dumps(content))


def _read(data: Path, layout: str | None, universe: str | None, collisions: str, max_rows: int) -> Preferences:
    from setpref.files import read

    return read(data, format=layout, universe=universe, collisions=collisions, max_rows=max_rows)


def _check_out(out: Path, data: Path) -> None:
    from setpref.files import check_target

    try:
        check_target(out)
        if out.exists() and data.exists() and out.samefile(data):
            raise InputError(f"--out {out} is the data file itself; choose another name")
    except OSError as error:
        raise InputError(f"--out {out}: {error.strerror or error}; choose another name") from None
