"""The command line: parse, call the library once, print, exit with a code that means something.

Exit codes: 0 done; 1 a proof was rejected, or tasks of an experiment failed; 2 the input cannot be used; 3 a fault of
setpref itself; 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from setpref.cli.console import (
    CollisionsOption,
    Data,
    Format,
    Json,
    MaxRows,
    SameOption,
    Saved,
    Stopped,
    TiesOption,
    ToleranceOption,
    UniverseOption,
    check_out,
    console,
    print_json,
    progress_shown,
    read_data,
    say,
)
from setpref.cli.evaluating import evaluate, generate
from setpref.cli.experimenting import reproduce
from setpref.cli.predictions import best, explain, order, predict, synergies
from setpref.cli.repairing import DegreeOption, repair, tradeoff
from setpref.errors import CertificateRejected, Contradiction, InputError, SetprefError
from setpref.progress import Step
from setpref.version import __version__

if TYPE_CHECKING:
    from setpref.data.preferences import Preferences

app = typer.Typer(
    name="setpref",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Learn what somebody prefers among sets, from a few statements or ratings; exactly, with proofs.",
    epilog="Sets are written tea+lemon, the empty set {}.",
)

INTERRUPTED = 130

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
    degree: DegreeOption = None,
    groups: Annotated[int, typer.Option("--groups", min=1, help="Show at most so many groups.")] = 20,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.0, help="Seconds to look for groups.")] = 5.0,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    ties: TiesOption = "ignore",
    tolerance: ToleranceOption = "0",
    same: SameOption = None,
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Say what a file holds: elements, tiers, repetitions; and which statements contradict each other.

    Contradictions are listed, smallest first; then the command ends like every other on such data, with one sentence
    and the exit code 2. With --degree, so are the groups that no model
    with terms up to that size satisfies, which is no fault of the data.
    """
    from setpref.repairs.conflicts import GROUPS, minimal_groups
    from setpref.showing import contradictions, report

    preferences = read_data(data, format, universe, collisions, max_rows, ties, tolerance, same, "keep")
    conflicts = None
    if degree is not None or not preferences.consistent:
        with progress_shown(as_json) as progress:
            limits: dict[str, Any] = {"limit": max(GROUPS, groups), "time_limit": time_limit}
            conflicts = minimal_groups(preferences, degree, **limits, progress=progress)
    refused = _contradiction(preferences)
    if as_json:
        facts = report.check_facts(preferences)
        if conflicts is not None:
            facts["excluded"] = contradictions.conflict_facts(conflicts, groups)
        print_json(facts if refused is None else {**facts, "error": str(refused)})
    else:
        for line in report.check_lines(preferences):
            say(line)
        for line in [] if conflicts is None else contradictions.conflict_lines(conflicts, groups):
            say(line)
        if conflicts is not None and conflicts.groups:
            say(f"the least to give up is found by: {_repair_command(data, degree, same)}")
    if refused is not None and as_json:
        raise typer.Exit(2)
    if refused is not None:
        raise refused


def _repair_command(data: Path, degree: int | None, same: Path | None) -> str:
    """Return the command that repairs what was checked."""
    options = [("--degree", degree), ("--same", same)]
    return " ".join(["setpref repair", str(data), *(f"{name} {value}" for name, value in options if value is not None)])


def _contradiction(preferences: Preferences) -> Contradiction | None:
    """Return the error that everything but the diagnosis and the repair of contradictory data ends with."""
    try:
        preferences.check_consistent()
    except Contradiction as refused:
        return refused
    return None


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
    errors: Annotated[
        str | None,
        typer.Option(
            "--errors",
            help="auto: give up as few statements as possible; a number: at most so many, for the smallest degree.",
            show_default=False,
        ),
    ] = None,
    repairs: Annotated[int, typer.Option("--repairs", help="With --errors: learn from so many repairs at most.")] = 100,
    big_m: Annotated[float, typer.Option("--big-m", help="The M of engine mip.")] = 1000.0,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    ties: TiesOption = "ignore",
    tolerance: ToleranceOption = "0",
    same: SameOption = None,
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Learn every simplest model from ratings or statements, and save the result with its proof."""
    from setpref.learning import learner
    from setpref.learning.learned import Learned
    from setpref.showing import report

    if out is not None:
        check_out(out, data)
    if out is not None and same is not None:
        check_out(out, same, "the file of what is the same")
    kept = "error" if errors is None else "keep"
    preferences = read_data(data, format, universe, collisions, max_rows, ties, tolerance, same, kept)
    with progress_shown(as_json) as progress:
        options: dict[str, Any] = {"time_limit": time_limit, "progress": progress, "big_m": big_m}
        learned = learner.learn(preferences, simplicity, engine, errors=errors, repairs=repairs, **options)
    if out is not None:
        learned.save(out, proof)
    if as_json:
        print_json(learned.as_dict())
        return
    say(f"read {preferences} from {data.name}")
    if preferences.collisions is not None and preferences.collisions.repeated_sets:
        say(f"{preferences.collisions}")
    told = report.learned_lines(learned) if isinstance(learned, Learned) else report.despite_lines(learned)
    for line in told:
        say(line)
    table = report.term_table(learned)
    if table is not None:
        console().print(table)
    for line in report.closing_lines(learned):
        say(line)
    if out is not None:
        say(f"saved to {out}; check it any time with: setpref verify {out}")


@app.command()
def compare(
    saved: Saved,
    first: str,
    second: str,
    certificate: Annotated[bool, typer.Option("--certificate", help="Show the proof of the verdict.")] = False,
    engine: Annotated[str, typer.Option("--engine", help="auto, or mip: the paper's query, as a reference.")] = "auto",
    as_json: Json = False,
) -> None:
    """Say whether the FIRST set is better than the SECOND under every simplest model."""
    from setpref.learning import loading
    from setpref.learning.learned import Learned
    from setpref.proofs.plain_certificates import certificate_to
    from setpref.showing import report

    learned = loading.load(saved)
    if engine != "auto":
        if not isinstance(learned, Learned):
            raise InputError(f"--engine {engine}: the paper's query knows no errors; use engine auto")
        verdict = learned.compare(first, second, certificate=certificate, engine=engine)
    else:
        verdict = learned.compare(first, second, certificate=certificate)
    if as_json:
        plain: dict[str, Any] = {"verdict": verdict.value, "equal": verdict.equal, "proven": verdict.proven}
        if verdict.certificate is not None:
            plain["certificate"] = certificate_to(verdict.certificate, learned.preferences.universe)
        print_json({**plain, "a": first, "b": second})
        return
    say(report.compare_line(learned, first, second, verdict.value))
    if verdict.certificate is not None:
        for line in report.certificate_lines(learned, verdict.certificate):
            say(line)


@app.command()
def verify(
    saved: Saved,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", help="Check this answer of compare --certificate --json instead.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Re-check every claim of a saved result in whole numbers, without any solver."""
    from setpref.proofs import verification

    if certificate is not None:
        said = verification.verify_certificate(saved, certificate)
    else:
        with progress_shown(as_json) as progress:
            count = None if progress is None else lambda nodes: progress(Step("searching the proof", nodes=nodes))
            said = verification.verify(saved, count)
    if as_json:
        print_json({"verified": True, "checked": said})
        return
    for sentence in said:
        say(f"checked: {sentence}")
    say(f"{(certificate or saved).name} is right")


for _command in (repair, tradeoff, predict, order, synergies, best, explain, generate, evaluate, reproduce):
    app.command()(_command)


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    arguments = sys.argv[1:]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name the terminal cannot show is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(args=arguments, standalone_mode=False)
        if code == INTERRUPTED:  # what newer versions of typer make of Ctrl-C
            code = _fail("interrupted", INTERRUPTED, arguments)
    except _USAGE_ERROR as error:
        code = _misused(error, arguments)
    except CertificateRejected as error:
        code = _fail(str(error), 1, arguments)
    except (InputError, SetprefError) as error:
        code = _fail(str(error), 2, arguments)
    except Stopped as error:
        code = _fail(str(error), INTERRUPTED, arguments)
    except (KeyboardInterrupt, typer.Abort):
        code = _fail("interrupted", INTERRUPTED, arguments)
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
        print_json({"error": one_line})
    else:
        typer.echo(f"setpref: {one_line}", err=True)
    return code
