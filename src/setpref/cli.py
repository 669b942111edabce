"""The command line: parse, call the library once, print, exit with a code that means something.

Exit codes: 0 done; 1 a proof was rejected; 2 the input cannot be used; 3 a fault of setpref itself; 130 interrupted.
"""

from __future__ import annotations

import io
import json
import os
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from setpref.errors import CertificateRejected, InputError, SetprefError
from setpref.version import __version__

if TYPE_CHECKING:
    from setpref.learner import Learned
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
    preferences = _read(data, format, universe, collisions, max_rows)
    facts = _facts(preferences)
    if as_json:
        _print_json(facts)
        return
    _say(f"read {preferences} from {data.name}")
    _say(f"elements: {', '.join(preferences.universe.names)}")
    if preferences.tiers is None:
        _say(f"distinct statements: {preferences.pair_count:,} ({preferences.repeated_statements:,} repeated)")
        _say("no contradiction: the statements contain no cycle")
    else:
        _say(f"{preferences.collisions}")
        count = len(preferences.tiers)
        _say(f"{_plural(count, 'tier')}, best first{' (showing 12)' if count > 12 else ''}:")
        for tier, ratings in zip(facts["tiers"][:12], facts["tier_ratings"], strict=False):
            more = f" and {len(tier) - 8} more" if len(tier) > 8 else ""
            _say(f"  {ratings}: {', '.join(tier[:8])}{more}")
        _say(f"stated pairs: {preferences.pair_count:,}, all implied by {facts['adjacent_pairs']:,} of adjacent tiers")
    if not preferences.pair_count:
        _say("there is nothing to learn: no set is stated to be better than another")


@app.command()
def learn(
    data: Data,
    simplicity: Annotated[
        str, typer.Option("--simplicity", help="What simplest means: deg (smallest interactions).")
    ] = "deg",
    engine: Annotated[
        str, typer.Option("--engine", help="auto, explicit, kernel or bruteforce.", show_default=True)
    ] = "auto",
    out: Annotated[
        Path | None, typer.Option("--out", help="Save the result and its proof.", show_default=False)
    ] = None,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Learn from ratings or statements, and save the result with its proof."""
    from setpref import learner

    if out is not None:
        _check_out(out, data)
    preferences = _read(data, format, universe, collisions, max_rows)
    learned = learner.learn(preferences, simplicity, engine)
    if out is not None:
        learned.save(out)
    if as_json:
        _print_json(learned.as_dict())
        return
    _say(f"read {preferences} from {data.name}")
    if preferences.collisions is not None and preferences.collisions.repeated_sets:
        _say(f"{preferences.collisions}")
    _tell(learned)
    if out is not None:
        _say(f"saved to {out}; check it any time with: setpref verify {out}")


@app.command()
def compare(saved: Saved, first: str, second: str, as_json: Json = False) -> None:
    """Say whether the FIRST set is better than the SECOND under every simplest model."""
    from setpref import learner

    learned = learner.load(saved)
    verdict = learned.compare(first, second)
    if as_json:
        _print_json({"verdict": verdict.value, "equal": verdict.equal, "a": first, "b": second})
        return
    write, mask = learned.preferences.universe.write, learned.preferences.universe.mask
    a, b = write(mask(first)), write(mask(second))
    words = {
        "better": f"better: {a} is over {b} in every simplest model",
        "worse": f"worse: {b} is over {a} in every simplest model",
        "unknown": f"unknown: some simplest models put {a} first, others {b}",
    }
    same = "are the same set" if a == b else "are equal in every simplest model"
    _say(f"unknown: {a} and {b} {same}" if verdict.equal else words[verdict.value])


@app.command()
def verify(saved: Saved, as_json: Json = False) -> None:
    """Re-check every claim of a saved result in whole numbers, without any solver."""
    from setpref.verification import verify as verify_saved

    said = verify_saved(saved)
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


def _facts(preferences: Preferences) -> dict[str, Any]:
    write = preferences.universe.write
    facts: dict[str, Any] = {
        "read": f"{preferences} from {preferences.source}",
        "elements": list(preferences.universe.names),
        "alternatives": len(preferences.alternatives),
        "stated_pairs": preferences.pair_count,
    }
    if preferences.tiers is None or preferences.ratings is None:
        return {**facts, "repeated_statements": preferences.repeated_statements, "contradiction": None}
    ratings = [preferences.ratings[tier[0]] for tier in preferences.tiers]
    return {
        **facts,
        "adjacent_pairs": sum(len(upper) * len(lower) for upper, lower in pairwise(preferences.tiers)),
        "tiers": [[write(mask) for mask in tier] for tier in preferences.tiers],
        "tier_ratings": [_written(rating) for rating in ratings],
        "collisions": dict(vars(preferences.collisions)),
    }


def _written(rating: Fraction) -> str:
    if rating.denominator == 1:
        return str(rating)
    return f"{Decimal(rating.numerator) / rating.denominator:.6g}"


def _plural(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _tell(learned: Learned) -> None:
    elements = len(learned.preferences.universe)
    meanings = {
        0: "nothing is stated, so nothing is needed",
        1: "every element counts on its own; no synergies are needed",
    }
    meaning = meanings.get(learned.degree, f"synergies of up to {learned.degree} elements are needed, and suffice")
    _say(f"degree {learned.degree}: {meaning}")
    if learned.cardinality is None:
        _say(
            f"the terms up to that size are too many to list over {elements} elements; the model is kept by its kernel"
        )
    else:
        _say(f"{_plural(learned.cardinality, 'term')} up to that size, of total size {learned.total_size:,}")
    for model in learned.models:
        text = str(model)
        _say(f"one model that fits: {text if len(text) <= 400 else text[:400].rsplit(' ', 1)[0] + ' ...'}")
    if learned.degree > 1:
        _say(f"proven: no model of degree {learned.degree - 1} can satisfy the statements")
    _say(f"decided by {learned.route} in {learned.seconds:.3f} s" if learned.route else "nothing to decide")
    if learned.degree > 1:
        _say("note: `deg` alone keeps every term, so it predicts little once the degree is 2 or more")
