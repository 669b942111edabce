"""Commands about data that contradict themselves: what to give up, and what a simpler model would cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from setpref.cli.console import (
    CollisionsOption,
    Data,
    Format,
    Json,
    MaxRows,
    SameOption,
    TiesOption,
    ToleranceOption,
    UniverseOption,
    check_out,
    print_json,
    progress_shown,
    read_data,
    say,
)
from setpref.errors import InputError

if TYPE_CHECKING:
    from setpref.repairs.repaired import Repaired

DegreeOption = Annotated[
    int | None,
    typer.Option("--degree", help="Largest size of a term in the model (default: any size).", show_default=False),
]
TimeOption = Annotated[
    float | None,
    typer.Option("--time-limit", min=0.0, help="Stop after so many seconds with the best known.", show_default=False),
]


def repair(
    data: Data,
    degree: DegreeOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Save the data without what repair 1 gives up.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="List at most so many of the cheapest repairs.")] = 100,
    time_limit: TimeOption = None,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    ties: TiesOption = "ignore",
    tolerance: ToleranceOption = "0",
    same: SameOption = None,
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Find the cheapest statements or ratings to give up so that some model satisfies the rest, and say why."""
    from setpref.repairs import repairing
    from setpref.showing import contradictions

    if out is not None:
        _check_csv(out, data, same)
    preferences = read_data(data, format, universe, collisions, max_rows, ties, tolerance, same, "keep")
    with progress_shown(as_json) as progress:
        found = repairing.repair(preferences, degree, limit=limit, time_limit=time_limit, progress=progress)
    saved = None if out is None else _save(found, out, data, format)
    if as_json:
        more = {} if out is None else {"saved": str(out), "rows": saved}
        print_json({**contradictions.repair_facts(found), **more})
        return
    say(f"read {preferences} from {data.name}")
    for line in contradictions.repair_lines(found):
        say(line)
    if out is not None:
        which = ", without what repair 1 gives up" if len(found.repairs) > 1 else ""
        say(f"saved {saved:,} rows to {out}{which}")


def tradeoff(
    data: Data,
    terms: Annotated[bool, typer.Option("--terms", help="Against the number of terms, not the degree.")] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="Draw it: a .svg, .png or .pdf file.", show_default=False)
    ] = None,
    share: Annotated[
        str, typer.Option("--share", help="What the recommended model may give up of everything stated.")
    ] = "0.05",
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.0, help="Seconds per point of the curve.")] = 30.0,
    format: Format = None,
    universe: UniverseOption = None,
    collisions: CollisionsOption = "median",
    ties: TiesOption = "ignore",
    tolerance: ToleranceOption = "0",
    same: SameOption = None,
    max_rows: MaxRows = 200_000,
    as_json: Json = False,
) -> None:
    """Show how much must be given up for every degree, or number of terms: synergies are told from noise."""
    from setpref.data.numbers import checked_share
    from setpref.repairs.tradeoffs import tradeoff as compute
    from setpref.showing import contradictions

    if figure is not None:
        from setpref.showing.canvas import ending_of

        ending_of(figure)
        check_out(figure, data)
    allowed = checked_share(share)
    preferences = read_data(data, format, universe, collisions, max_rows, ties, tolerance, same, "keep")
    with progress_shown(as_json) as progress:
        found = compute(preferences, "terms" if terms else "degree", time_limit=time_limit, progress=progress)
    if figure is not None:
        from setpref.showing.tradeoff_curve import draw_tradeoff

        draw_tradeoff(found, figure)
    recommended = found.recommend(allowed)
    if as_json:
        print_json(contradictions.tradeoff_facts(found, recommended))
        return
    say(f"read {preferences} from {data.name}")
    for line in contradictions.tradeoff_lines(found, recommended):
        say(line)
    if figure is not None:
        say(f"drawn in {figure}")


def _check_csv(out: Path, data: Path, same: Path | None) -> None:
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the data are saved as .csv; give a name that ends so")
    check_out(out, data)
    if same is not None:
        check_out(out, same, "the file of what is the same")


def _save(found: Repaired, out: Path, data: Path, layout: str | None) -> int:
    """Write the data without what the first repair gives up, whole or not at all; return the number of rows."""
    from setpref.data.files import read_table
    from setpref.data.tables import recognise
    from setpref.data.writing import csv_text, write_text
    from setpref.repairs.cleaning import cleaned

    table = read_table(data)[0]
    columns, rows = cleaned(found.items, found.repairs[0].dropped, table, recognise(table, layout))
    write_text(out, csv_text(columns, rows))
    return len(rows)
