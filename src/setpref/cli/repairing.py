"""Commands about data that contradict themselves: what to give up, and what a simpler model would cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from setpref.cli.console import best_known, check_out, print_json, say
from setpref.cli.options import Degree, Json, Source, TimeLimit, with_source
from setpref.errors import InputError

if TYPE_CHECKING:
    from setpref.repairs.repaired import Repaired


@with_source()
def repair(
    *,
    degree: Degree = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Save the data without what repair 1 gives up.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="List at most so many of the cheapest repairs.")] = 100,
    time_limit: TimeLimit = None,
    source: Source,
    as_json: Json = False,
) -> None:
    """Find the cheapest statements or ratings to give up so that some model satisfies the rest, and say why."""
    from setpref.repairs import repairing
    from setpref.showing import contradictions

    if out is not None:
        _check_csv(out, source)
    preferences = source.read("keep")
    with best_known(as_json) as progress:
        found = repairing.repair(preferences, degree, limit=limit, time_limit=time_limit, progress=progress)
    saved = None if out is None else _save(found, out, source)
    if as_json:
        more = {} if out is None else {"saved": str(out), "rows": saved}
        print_json({**contradictions.repair_facts(found), **more})
        return
    say(f"read {preferences} from {source.data.name}")
    for line in contradictions.repair_lines(found):
        say(line)
    if out is not None:
        which = ", without what repair 1 gives up" if len(found.repairs) > 1 else ""
        say(f"saved {saved:,} rows to {out}{which}")


@with_source()
def tradeoff(
    *,
    terms: Annotated[bool, typer.Option("--terms", help="Against the number of terms, not the degree.")] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="Draw it: a .svg, .png or .pdf file.", show_default=False)
    ] = None,
    share: Annotated[
        str, typer.Option("--share", help="What the recommended model may give up of everything stated.")
    ] = "0.05",
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.0, help="Seconds per point of the curve.")] = 30.0,
    source: Source,
    as_json: Json = False,
) -> None:
    """Show how much must be given up for every degree, or number of terms: synergies are told from noise."""
    from setpref.data.numbers import checked_share
    from setpref.repairs.tradeoffs import tradeoff as compute
    from setpref.showing import contradictions

    if figure is not None:
        from setpref.showing.canvas import ending_of

        ending_of(figure)
        check_out(figure, source.data)
    allowed = checked_share(share)
    preferences = source.read("keep")
    with best_known(as_json) as progress:
        found = compute(preferences, "terms" if terms else "degree", time_limit=time_limit, progress=progress)
    if figure is not None:
        from setpref.showing.tradeoff_curve import draw_tradeoff

        draw_tradeoff(found, figure)
    recommended = found.recommend(allowed)
    if as_json:
        print_json(contradictions.tradeoff_facts(found, recommended))
        return
    say(f"read {preferences} from {source.data.name}")
    for line in contradictions.tradeoff_lines(found, recommended):
        say(line)
    if figure is not None:
        say(f"drawn in {figure}")


def _check_csv(out: Path, source: Source) -> None:
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the data are saved as .csv; give a name that ends so")
    source.check_out(out)


def _save(found: Repaired, out: Path, source: Source) -> int:
    """Write the data without what the first repair gives up, whole or not at all; return the number of rows."""
    from setpref.data.files import read_table
    from setpref.data.tables import recognise
    from setpref.data.writing import csv_text, write_text
    from setpref.repairs.cleaning import cleaned

    table = read_table(source.data)[0]
    columns, rows = cleaned(found.items, found.repairs[0].dropped, table, recognise(table, source.format))
    write_text(out, csv_text(columns, rows))
    return len(rows)
