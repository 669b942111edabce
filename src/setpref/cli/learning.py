"""The commands from data to a checked result: check, learn, compare, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from setpref.cli.console import best_known, print_json, print_table, progress_shown, say
from setpref.cli.options import Degree, Json, Saved, Source, TimeLimit, with_source
from setpref.errors import InputError
from setpref.progress import Step

__all__ = ["check", "compare", "learn", "verify"]


@with_source()
def check(
    *,
    degree: Degree = None,
    groups: Annotated[int, typer.Option("--groups", min=1, help="Show at most so many groups.")] = 20,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.0, help="Seconds to look for groups.")] = 5.0,
    source: Source,
    as_json: Json = False,
) -> None:
    """Say what a file holds: elements, tiers, repetitions; and which statements contradict each other.

    Contradictions are listed, smallest first; then the command ends like every other on such data, with one sentence
    and the exit code 2. With --degree, so are the groups that no model
    with terms up to that size satisfies, which is no fault of the data.
    """
    from setpref.repairs.conflicts import GROUPS, minimal_groups
    from setpref.showing import contradictions, reading

    preferences = source.read("keep")
    conflicts = None
    if degree is not None or not preferences.consistent:
        with best_known(as_json) as progress:
            most = max(GROUPS, groups)
            conflicts = minimal_groups(preferences, degree, limit=most, time_limit=time_limit, progress=progress)
    refused = reading.contradiction(preferences)
    if as_json:
        facts = reading.check_facts(preferences)
        if conflicts is not None:
            facts["excluded"] = contradictions.conflict_facts(conflicts, groups)
        print_json(facts if refused is None else {**facts, "error": str(refused)})
    else:
        for line in reading.check_lines(preferences):
            say(line)
        for line in [] if conflicts is None else contradictions.conflict_lines(conflicts, groups):
            say(line)
        if conflicts is not None and conflicts.groups:
            say(f"the least to give up is found by: {_repair_command(source, degree)}")
    if refused is not None and as_json:
        raise typer.Exit(2)
    if refused is not None:
        raise refused


def _repair_command(source: Source, degree: int | None) -> str:
    """Return the command that repairs what was checked."""
    given = [("--degree", degree), ("--same", source.same)]
    options = [f"{name} {value}" for name, value in given if value is not None]
    return " ".join(["setpref repair", str(source.data), *options])


@with_source()
def learn(
    *,
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
    time_limit: TimeLimit = None,
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
    source: Source,
    as_json: Json = False,
) -> None:
    """Learn every simplest model from ratings or statements, and save the result with its proof."""
    from setpref.learning import learner
    from setpref.showing import results

    if out is not None:
        source.check_out(out)
    preferences = source.read("error" if errors is None else "keep")
    with best_known(as_json) as progress:
        options: dict[str, Any] = {"time_limit": time_limit, "progress": progress, "big_m": big_m}
        learned = learner.learn(preferences, simplicity, engine, errors=errors, repairs=repairs, **options)
        if out is not None:
            learned.save(out, proof)
    if as_json:
        print_json(learned.as_dict())
        return
    say(f"read {preferences} from {source.data.name}")
    if preferences.collisions is not None and preferences.collisions.repeated_sets:
        say(f"{preferences.collisions}")
    for line in results.learned_lines(learned.facts):
        say(line)
    if rows := results.term_rows(learned.facts):
        print_table(("term", "in", "value", "weight"), rows)
    for line in results.closing_lines(learned.facts):
        say(line)
    if out is not None:
        say(f"saved to {out}; check it any time with: setpref verify {out}")


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
    from setpref.learning.despite import LearnedDespiteErrors
    from setpref.proofs.plain_certificates import certificate_to
    from setpref.showing import answers
    from setpref.verdict import Value

    learned = loading.load(saved)
    if not isinstance(learned, LearnedDespiteErrors):
        verdict = learned.compare(first, second, certificate=certificate, engine=engine)
    elif engine == "auto":
        verdict = learned.compare(first, second, certificate=certificate)
    else:
        raise InputError(f"--engine {engine}: the paper's query knows no errors; use engine auto")
    if as_json:
        plain: dict[str, object] = {"verdict": verdict.value, "equal": verdict.equal, "proven": verdict.proven}
        if verdict.certificate is not None:
            plain["certificate"] = certificate_to(verdict.certificate, learned.preferences.universe)
        print_json({**plain, "a": first, "b": second})
        return
    if engine != "auto" and verdict == Value.UNKNOWN:
        say(answers.unconfirmed_line(learned.facts, first, second))
    else:
        say(answers.compare_line(learned.facts, first, second, verdict.value))
    if verdict.certificate is not None:
        for line in answers.certificate_lines(learned.preferences, verdict.certificate):
            say(line)


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
