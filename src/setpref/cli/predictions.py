"""The commands that ask what was learned: predict, order, synergies, best, explain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from setpref.cli.console import check_out, listed_alternatives, print_json, progress_shown, say, step
from setpref.cli.options import Json, Saved
from setpref.errors import InputError
from setpref.verdict import Value

if TYPE_CHECKING:
    from setpref.learning.answering import Answering

__all__ = ["best", "explain", "order", "predict", "synergies"]


def predict(
    saved: Saved,
    pairs: Annotated[Path, typer.Argument(help="Pairs of sets: a file with the columns a and b.")],
    out: Annotated[Path, typer.Option("--out", help="The same table with the column verdict.")],
    as_json: Json = False,
) -> None:
    """Answer many pairs at once: the columns a and b in, the same plus verdict out."""
    from setpref.data.files import read_table
    from setpref.data.tables import listed_sets
    from setpref.data.writing import csv_text, write_text
    from setpref.learning import loading
    from setpref.showing import answers

    check_out(out, pairs)
    check_out(out, saved, "the saved result")
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the answers are written as CSV; give a name ending in .csv")
    learned = loading.load(saved)
    with progress_shown(as_json) as progress:
        step(progress, "reading pairs")
        table, _ = read_table(pairs)
        universe = learned.preferences.universe
        a, b = listed_sets(table, "a", universe), listed_sets(table, "b", universe)
        step(progress, f"answering {len(a):,} pairs")
        values = learned.values_of_masks(a, b)
        step(progress, f"writing {out.name}")
        columns = [column for column in table.columns if column != "verdict"]
        places = [table.columns.index(column) for column in columns]
        cells = {column: [row[place] for row in table.rows] for column, place in zip(columns, places, strict=True)}
        for column, masks in (("a", a), ("b", b)):  # in JSON a set may be a list of names: it is written like any other
            named = zip(cells[column], masks, strict=True)
            cells[column] = [cell if isinstance(cell, str) else universe.write(mask) for cell, mask in named]
        rows = zip(*cells.values(), values, strict=True)
        write_text(out, csv_text([*columns, "verdict"], rows))
    counts = {str(value): values.count(value) for value in Value}
    if as_json:
        print_json({"pairs": len(a), **counts, "proven": learned.proven})
        return
    say(f"{answers.predicted_line(counts)}; written to {out}")
    _say_unproven(learned)


def _say_unproven(learned: Answering) -> None:
    """Say what everything printed rests on, if that is not proven."""
    if not learned.proven:
        say(learned.meaning)


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
    from setpref.learning import loading
    from setpref.showing import answers

    learned = loading.load(saved)
    found = learned.order(listed_alternatives(learned.preferences.universe, alternatives))
    if figure is not None:
        from setpref.showing.order_diagram import draw_order

        draw_order(found, figure)
    if as_json:
        print_json(answers.order_facts(found))
        return
    for line in answers.order_lines(found):
        say(line)
    if figure is not None:
        say(f"drawn in {figure}")
    _say_unproven(learned)


def synergies(
    saved: Saved,
    figure: Annotated[Path, typer.Option("--figure", help="A .svg, .png or .pdf file.")],
) -> None:
    """Draw the elements and the terms between them."""
    from setpref.learning import loading
    from setpref.showing.synergy_picture import draw_synergies

    learned = loading.load(saved)
    draw_synergies(learned, figure)
    say(f"drawn in {figure}")
    _say_unproven(learned)


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
    from setpref.learning import loading
    from setpref.showing import answers

    learned = loading.load(saved)
    found = learned.best(
        listed_alternatives(learned.preferences.universe, alternatives),
        size=_size(size),
        budget=budget,
        costs=_costs(cost),
        must_include=must_include,
        exclude=exclude,
    )
    if as_json:
        print_json({**vars(found), "proven": learned.proven})
        return
    for line in answers.best_lines(found):
        say(line)
    _say_unproven(learned)


def explain(
    saved: Saved,
    first: Annotated[str | None, typer.Argument(help="The first set.", show_default=False)] = None,
    second: Annotated[str | None, typer.Argument(help="The second set.", show_default=False)] = None,
    term: Annotated[str | None, typer.Option("--term", help="Why is this term needed?", show_default=False)] = None,
    degree: Annotated[bool, typer.Option("--degree", help="Why is no smaller degree enough?")] = False,
    as_json: Json = False,
) -> None:
    """Explain a verdict on two sets, a term, or the degree, in plain words."""
    from setpref.learning import loading
    from setpref.showing import explanations

    if (first is None) != (second is None) or (first is not None) + (term is not None) + degree != 1:
        raise InputError("give two sets, or --term TERM, or --degree")
    learned = loading.load(saved)
    if first is not None and second is not None:
        explanation = learned.explain(first, second)
    else:
        explanation = learned.explain_term(term) if term is not None else learned.explain_degree()
    if as_json:
        print_json(explanations.explanation_facts(explanation))
        return
    say(explanation.text)


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
