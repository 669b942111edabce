"""Options that several commands share, each written once: its words, its default, and what it is for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from setpref.cli.console import check_out

if TYPE_CHECKING:
    from setpref.data.preferences import Preferences

__all__ = ["Degree", "Json", "Saved", "Source", "TimeLimit", "with_source"]

Saved = Annotated[Path, typer.Argument(help="A result saved by: setpref learn DATA --out FILE.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Degree = Annotated[
    int | None,
    typer.Option("--degree", help="Largest size of a term in the model (default: any size).", show_default=False),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", min=0.0, help="Stop after so many seconds with the best known.", show_default=False),
]

_INDIFFERENCE = {"indifference": True}


@dataclass(frozen=True, kw_only=True)
class Source:
    """The data of a command, and how they are read: what all commands on data can be told."""

    data: Annotated[Path, typer.Argument(help="Ratings or statements: a .csv, .json or .parquet file.")]
    format: Annotated[
        str | None,
        typer.Option("--format", help="Force the format: long, wide or statements.", show_default=False),
    ] = None
    universe: Annotated[
        str | None,
        typer.Option("--universe", help="All elements, as tea+lemon+milk (default: those seen).", show_default=False),
    ] = None
    collisions: Annotated[
        str, typer.Option("--collisions", help="Different ratings of one set: median, mean, last, drop or error.")
    ] = "median"
    ties: Annotated[
        str, typer.Option("--ties", help="What equal ratings say: ignore (nothing) or indifferent (no difference).")
    ] = field(default="ignore", metadata=_INDIFFERENCE)
    tolerance: Annotated[
        str, typer.Option("--tolerance", help="With --ties indifferent: ratings so close count as equal.")
    ] = field(default="0", metadata=_INDIFFERENCE)
    same: Annotated[
        Path | None,
        typer.Option(
            "--same", help="Pairs without a difference, beside the statements: columns a,b.", show_default=False
        ),
    ] = field(default=None, metadata=_INDIFFERENCE)
    max_rows: Annotated[int, typer.Option("--max-rows", min=1, help="Refuse longer files.")] = 200_000

    def read(self, contradictions: str = "error") -> Preferences:
        """Return the preferences."""
        from setpref.data.files import read

        how = {name: value for name, value in vars(self).items() if name != "data"}
        return read(self.data, **how, contradictions=contradictions)

    def check_out(self, out: Path) -> None:
        """Refuse a target that cannot be written or is what is read, before any work is done."""
        check_out(out, self.data)
        if self.same is not None:
            check_out(out, self.same, "the file of what is the same")


def with_source(indifference: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of its parameter `source` in its place.

    Parameters
    ----------
    indifference
        Whether the command can be told what counts as no difference.
    """
    told = [option for option in fields(Source) if indifference or not option.metadata]
    types = get_type_hints(Source, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    data, *options = (
        inspect.Parameter(option.name, keyword, default=_default(option.default), annotation=types[option.name])
        for option in told
    )

    def expand(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            source = Source(**{option.name: given.pop(option.name) for option in told})
            command(source=source, **given)

        parameters = [data]
        for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
            parameters += options if name == "source" else [parameter.replace(kind=keyword)]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return expand


def _default(value: object) -> object:
    return inspect.Parameter.empty if value is MISSING else value
