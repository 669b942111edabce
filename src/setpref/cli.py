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

    from setpref.learned import Learned
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
    big_m: Annotated[float, typer.Option("--big-m", help="The M of engine mip.")] = 1000.0,
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
        learned = learner.learn(preferences, simplicity, engine, time_limit=time_limit, progress=progress, big_m=big_m)
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
def compare(
    saved: Saved,
    first: str,
    second: str,
    certificate: Annotated[bool, typer.Option("--certificate", help="Show the proof of the verdict.")] = False,
    engine: Annotated[str, typer.Option("--engine", help="auto, or mip: the paper's query, as a reference.")] = "auto",
    as_json: Json = False,
) -> None:
    """Say whether the FIRST set is better than the SECOND under every simplest model."""
    from setpref import learner, report
    from setpref.saved import certificate_to

    learned = learner.load(saved)
    verdict = learned.compare(first, second, certificate=certificate, engine=engine)
    if as_json:
        plain: dict[str, Any] = {"verdict": verdict.value, "equal": verdict.equal, "proven": verdict.proven}
        if verdict.certificate is not None:
            plain["certificate"] = certificate_to(verdict.certificate, learned.preferences.universe)
        _print_json({**plain, "a": first, "b": second})
        return
    _say(report.compare_line(learned, first, second, verdict.value, verdict.equal))
    if verdict.certificate is not None:
        for line in report.certificate_lines(learned, verdict.certificate):
            _say(line)


@app.command()
def predict(
    saved: Saved,
    pairs: Annotated[Path, typer.Argument(help="Pairs of sets: a file with the columns a and b.")],
    out: Annotated[Path, typer.Option("--out", help="The same table with the column verdict.")],
    as_json: Json = False,
) -> None:
    """Answer many pairs at once: the columns a and b in, the same plus verdict out."""
    from setpref import learner
    from setpref.files import csv_text, read_table, write_text
    from setpref.tables import listed_sets

    _check_out(out, pairs)
    _check_out(out, saved, "the saved result")
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the answers are written as CSV; give a name ending in .csv")
    learned = learner.load(saved)
    with _progress(as_json) as progress:
        _step(progress, "reading pairs")
        table, _ = read_table(pairs)
        universe = learned.preferences.universe
        a, b = listed_sets(table, "a", universe), listed_sets(table, "b", universe)
        _step(progress, f"answering {len(a):,} pairs")
        verdicts = learned.verdicts_of_masks(a, b)
        _step(progress, f"writing {out.name}")
        words = {1: "better", -1: "worse", 0: "unknown"}
        columns = [column for column in table.columns if column != "verdict"]
        places = [table.columns.index(column) for column in columns]
        cells = {column: [row[place] for row in table.rows] for column, place in zip(columns, places, strict=True)}
        for column, masks in (("a", a), ("b", b)):  # in JSON a set may be a list of names: it is written like any other
            named = zip(cells[column], masks, strict=True)
            cells[column] = [cell if isinstance(cell, str) else universe.write(mask) for cell, mask in named]
        rows = zip(*cells.values(), (words[v] for v in verdicts.tolist()), strict=True)
        write_text(out, csv_text([*columns, "verdict"], rows))
    counts = {word: int((verdicts == value).sum()) for value, word in words.items()}
    if as_json:
        _print_json({"pairs": len(a), **counts, "proven": learned.proven})
        return
    told = ", ".join(f"{count:,} {word}" for word, count in counts.items())
    _say(f"{len(a):,} pairs answered: {told}; written to {out}")
    if not learned.proven:
        _say(learned.meaning)


@app.command()
def order(
    saved: Saved,
    alternatives: Annotated[
        Path | None,
        typer.Option("--alternatives", help="Sets to order: a file with the column alternative.", show_default=False),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="Draw the order: a .svg, .png or .pdf file.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Show who is certainly better than whom, over given sets or over all."""
    from setpref import learner, report

    learned = learner.load(saved)
    found = learned.order(_listed(learned, alternatives))
    if figure is not None:
        from setpref.figures import draw_order

        draw_order(found, figure)
    if as_json:
        _print_json(report.order_facts(found))
        return
    for line in report.order_lines(found):
        _say(line)
    if figure is not None:
        _say(f"drawn in {figure}")


@app.command()
def synergies(
    saved: Saved,
    figure: Annotated[Path, typer.Option("--figure", help="A .svg, .png or .pdf file.")],
) -> None:
    """Draw the elements and the terms between them."""
    from setpref import learner
    from setpref.figures import draw_synergies

    draw_synergies(learner.load(saved), figure)
    _say(f"drawn in {figure}")


@app.command()
def generate(
    out: Annotated[Path, typer.Option("--out", help="The ratings to write: a .csv file; the truth goes beside it.")],
    elements: Annotated[int, typer.Option("--elements", help="The number of elements.")] = 8,
    sets: Annotated[int | None, typer.Option("--sets", help="How many sets are rated.", show_default="24")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same user.")] = 0,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Draws floor(alpha (2^n - n)) terms besides single ones.")
    ] = 0.1,
    p: Annotated[float, typer.Option("--p", help="The chance that a term stops growing: near 1, small terms.")] = 0.9,
    terms: Annotated[
        int | None, typer.Option("--terms", help="Ask for so many extra terms instead of alpha.", show_default=False)
    ] = None,
    sigma: Annotated[float, typer.Option("--sigma", help="The standard deviation of the values.")] = 100.0,
    scale: Annotated[int, typer.Option("--scale", help="Ratings go from 1 to this.")] = 12,
    jitter: Annotated[float, typer.Option("--jitter", help="Noise: the deviation of steps added to ratings.")] = 0.0,
    as_json: Json = False,
) -> None:
    """Make up a person: rated sets the other commands read, and the truth beside them."""
    import numpy as np

    from setpref.files import check_target, csv_text, replace_file
    from setpref.synthetic import draw_sets, draw_user, jitter_ratings

    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the ratings are written as CSV; give a name that ends in .csv")
    truth = out.with_suffix(".truth.json")
    for target in (out, truth):
        check_target(target)
    rng = np.random.default_rng(seed)
    user = draw_user(elements, alpha=alpha, p=p, terms=terms, sigma=sigma, scale=scale, rng=rng)
    masks = draw_sets(elements, min(24, 1 << elements) if sets is None else sets, rng)
    if len(masks) < 2:
        raise InputError(f"--sets {len(masks)}: at least 2 sets are needed to say a preference")
    ratings = jitter_ratings({mask: int(user.ratings[mask]) for mask in masks}, jitter, scale, rng)
    rows = [[*(mask >> i & 1 for i in range(elements)), rating] for mask, rating in ratings.items()]
    options = {"elements": elements, "alpha": alpha, "p": p, "terms": terms, "sigma": sigma, "jitter": jitter}
    with replace_file(truth) as hidden, replace_file(out) as shown:
        shown.write_text(csv_text([*user.universe.names, "rating"], rows), encoding="utf-8", newline="\n")
        hidden.write_text(user.to_json(seed=seed, sets=len(masks), **options), encoding="utf-8", newline="\n")
    count, degree = len(user.model.theta), user.model.degree
    if as_json:
        _print_json({"ratings": str(out), "truth": str(truth), "sets": len(masks), "terms": count, "degree": degree})
        return
    _say(f"{len(masks)} rated sets over {elements} elements written to {out}")
    _say(f"the truth, {count} terms of degree up to {degree}, is in {truth}")


@app.command()
def evaluate(
    data: Data,
    methods: Annotated[
        str,
        typer.Option(
            "--methods", help="Of ord, ord-union, ord-majority, ord-volume, lr, svm, knn, lr-reject, svm-reject."
        ),
    ] = "ord,lr,svm,knn",
    train: Annotated[float, typer.Option("--train", help="The share of the sets to learn from.")] = 0.8,
    repeats: Annotated[int, typer.Option("--repeats", help="How many runs, each with fresh draws.")] = 10,
    pairs: Annotated[int, typer.Option("--pairs", help="Pairs to predict in each run.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same runs.")] = 0,
    simplicity: Annotated[str, typer.Option("--simplicity", help="For ord: lex, card, ws or deg.")] = "lex",
    threshold: Annotated[float, typer.Option("--threshold", help="For ord-volume: the share needed.")] = 0.9,
    kernel: Annotated[str, typer.Option("--kernel", help="For svm: rbf, linear, poly or sigmoid.")] = "rbf",
    weights: Annotated[
        str, typer.Option("--weights", help="For knn: inverse or proportional (to distance).")
    ] = "inverse",
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.0, help="Seconds for each learning of ord.")
    ] = 60.0,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Would this help me? Compare methods on your own ratings: hide some, predict them, count."""
    from setpref import evaluation

    preferences = _read(data, format, universe, collisions, max_rows)
    named = [name.strip() for name in methods.split(",") if name.strip()]
    settings = evaluation.Settings(simplicity, time_limit, threshold, kernel, weights)
    with _progress(as_json) as progress:
        tell = None if progress is None else lambda doing: _step(progress, doing)
        done = evaluation.evaluate(
            preferences, named, train=train, repeats=repeats, pairs=pairs, settings=settings, rng=seed, progress=tell
        )
    if as_json:
        _print_json(done.facts())
        return
    _say(f"read {preferences} from {data.name}")
    for line in evaluation.evaluation_lines(done):
        _say(line)


@app.command()
def best(
    saved: Saved,
    size: Annotated[
        str | None, typer.Option("--size", help="How many elements: 3, or 2-4.", show_default=False)
    ] = None,
    budget: Annotated[str | None, typer.Option("--budget", help="The most a set may cost.", show_default=False)] = None,
    cost: Annotated[
        list[str] | None, typer.Option("--cost", help="A price, as tea=2; once per element.", show_default=False)
    ] = None,
    must_include: Annotated[str, typer.Option("--must-include", help="Elements the set must have.")] = "{}",
    exclude: Annotated[str, typer.Option("--exclude", help="Elements the set must not have.")] = "{}",
    alternatives: Annotated[
        Path | None, typer.Option("--alternatives", help="Choose among these sets only.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the sets that are necessarily best and possibly best under simple constraints."""
    from setpref import learner

    learned = learner.load(saved)
    found = learned.best(
        _listed(learned, alternatives),
        size=_size(size),
        budget=budget,
        costs=_costs(cost),
        must_include=must_include,
        exclude=exclude,
    )
    if as_json:
        _print_json({**vars(found), "proven": learned.proven})
        return
    _say(f"{found.considered:,} sets considered")
    _say(f"necessarily best: {', '.join(found.necessarily) or 'none'}")
    _say(f"possibly best: {', '.join(found.possibly)}")


@app.command()
def explain(
    saved: Saved,
    first: Annotated[str | None, typer.Argument(help="The first set.", show_default=False)] = None,
    second: Annotated[str | None, typer.Argument(help="The second set.", show_default=False)] = None,
    term: Annotated[str | None, typer.Option("--term", help="Why is this term needed?", show_default=False)] = None,
    degree: Annotated[bool, typer.Option("--degree", help="Why is no smaller degree enough?")] = False,
    as_json: Json = False,
) -> None:
    """Explain a verdict on two sets, a term, or the degree, in plain words."""
    from setpref import learner, report

    if (first is None) != (second is None) or (first is not None) + (term is not None) + degree != 1:
        raise InputError("give two sets, or --term TERM, or --degree")
    learned = learner.load(saved)
    if first is not None:
        explanation = learned.explain(first, second)
    else:
        explanation = learned.explain_term(term) if term is not None else learned.explain_degree()
    if as_json:
        _print_json(report.explanation_facts(explanation))
        return
    _say(explanation.text)


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
    from setpref import verification

    if certificate is not None:
        said = verification.verify_certificate(saved, certificate)
    else:
        with _progress(as_json) as progress:
            count = None if progress is None else lambda nodes: progress(Step("searching the proof", nodes=nodes))
            said = verification.verify(saved, count)
    if as_json:
        _print_json({"verified": True, "checked": said})
        return
    for sentence in said:
        _say(f"checked: {sentence}")
    _say(f"{(certificate or saved).name} is right")


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


def _step(progress: Progress | None, doing: str) -> None:
    if progress is not None:
        progress(Step(doing))


def _listed(learned: Learned, path: Path | None) -> list[str] | None:
    """Return the sets of a file's column ``alternative``."""
    if path is None:
        return None
    from setpref.files import read_table
    from setpref.tables import listed_sets

    universe = learned.preferences.universe
    return [universe.write(mask) for mask in listed_sets(read_table(path)[0], "alternative", universe)]


def _size(text: str | None) -> int | tuple[int, int] | None:
    if text is None:
        return None
    parts = text.split("-")
    if not all(part.isdecimal() and len(part) < 10 for part in parts) or len(parts) > 2:
        raise InputError(f"--size {text[:40]!r} is not a number such as 3 or a range such as 2-4")
    return int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))


def _costs(given: list[str] | None) -> dict[str, str] | None:
    if not given:
        return None
    for item in given:
        if "=" not in item:
            raise InputError(f"--cost {item!r} is not a price such as tea=2")
    prices = {name.strip(): price for name, _, price in (item.rpartition("=") for item in given)}
    if len(prices) < len(given):
        raise InputError("--cost gives an element two prices; give one for every element")
    return prices


def _check_out(out: Path, data: Path, what: str = "the data file") -> None:
    from setpref.files import check_target

    try:
        check_target(out)
        if out.exists() and data.exists() and out.samefile(data):
            raise InputError(f"--out {out} is {what} itself; choose another name")
    except OSError as error:
        raise InputError(f"--out {out}: {error.strerror or error}; choose another name") from None
