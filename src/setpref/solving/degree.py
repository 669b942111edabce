"""The minimum degree (Algorithm 1 of the paper), exactly and with a proof of both sides.

At the minimum degree a model that satisfies every statement; one degree lower, whole-number multipliers on the
statements that cancel on every term of that degree, which the kernel alone can check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.model import KernelModel, Model
from setpref.progress import Progress, Step
from setpref.rows import Kind, Weighted, ends
from setpref.solving.fitting import Fit, UpTo, fit

__all__ = ["MinimumDegree", "minimum_degree"]


@dataclass(frozen=True)
class MinimumDegree:
    """The smallest degree that fits, and why.

    Attributes
    ----------
    degree : int
    model : Model or KernelModel
        Satisfies every statement with terms up to the degree.
    impossible : tuple of (better, worse, multiplier)
        Cancels on every term up to degree - 1; empty when the degree is at most 1, where nothing needs a proof.
    routes : tuple of str
        The route and solver of each degree tried, from 1 up ("explicit, daqp").
    """

    degree: int
    model: Model | KernelModel
    impossible: tuple[Weighted, ...]
    routes: tuple[str, ...]


def minimum_degree(
    preferences: Preferences,
    route: str = "auto",
    progress: Progress | None = None,
) -> MinimumDegree:
    """Return the minimum degree of the models that satisfy every statement.

    Without any statement the empty model fits and the degree is 0.

    Examples
    --------
    >>> prefs = Preferences.from_ratings({"tea": 2, "milk": 2, "tea+milk": 1, "{}": 1})
    >>> found = minimum_degree(prefs)
    >>> found.degree, len(found.impossible)
    (2, 2)
    """
    universe = preferences.universe
    rows = preferences.rows
    if not any(row.kind is Kind.STRICT for row in rows.rows):
        return MinimumDegree(0, Model(universe, {}), (), ())
    impossible: tuple[Weighted, ...] = ()
    routes: list[str] = []
    for degree in range(1, len(universe) + 1):
        if progress is not None:
            progress(Step(f"degree {degree}"))
        answer = fit(rows, UpTo(degree, route), universe)
        routes.append(f"{answer.route}, {answer.method}")
        if isinstance(answer, Fit):
            return MinimumDegree(degree, answer.model, impossible, tuple(routes))
        impossible = answer.multipliers
    # Pairs without a cycle always fit at the highest degree: other kinds of statements clash with each other here.
    places = "; ".join(_places(preferences, impossible))
    raise InputError(f"no model satisfies these statements together: {places}; correct or remove one of them")


def _places(preferences: Preferences, impossible: Sequence[Weighted]) -> list[str]:
    """Return where the statements of a clash stand, as far as they were made outright."""
    used = {weighted[:2] if len(weighted) == 3 else weighted[0] for weighted in impossible}
    places = []
    for statement in preferences.statements:
        said = statement.says.combination
        turned = tuple((mask, -coefficient) for mask, coefficient in said)
        if {ends(said), ends(turned), said, turned} & used:
            places.append(preferences.place(statement))
    return places
