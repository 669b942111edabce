"""The minimum degree (Algorithm 1 of the paper), exactly and with a proof of both sides.

At the minimum degree a model that satisfies every statement; one degree lower, whole-number multipliers on the
statements that cancel on every term of that degree, which the kernel alone can check.
"""

from __future__ import annotations

from dataclasses import dataclass

from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.model import KernelModel, Model
from setpref.progress import Progress, Step
from setpref.rows import Kind, Weighted
from setpref.solving.fitting import Fit, UpTo, fit, over_places
from setpref.solving.oracle import DoesNotFit, Fits, decide
from setpref.solving.systems import System

__all__ = ["MinimumDegree", "check_possible", "minimum_degree"]

SHRUNK = 500  # statements up to which those that clash are made few
NAMED = 8


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
    check_possible(preferences)
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
    raise AssertionError("statements that go together always fit at the highest degree")


def check_possible(preferences: Preferences) -> None:
    """Refuse statements that no model satisfies, naming few that clash; plain pairs are checked when they are made."""
    if preferences.of_pairs:
        return
    place = {mask: i for i, mask in enumerate(preferences.alternatives)}
    said = [statement.says.moved(place) for statement in preferences.statements]
    # At the highest degree every set has a worth of its own: whether all goes together is a question about sets alone.
    system = System(over_places(said, len(place)), tuple(row.kind for row in said))
    clash = list(range(len(said)))
    if isinstance(decide(system), Fits):
        return
    for number in clash.copy() if len(clash) <= SHRUNK else ():
        fewer = [other for other in clash if other != number]
        if isinstance(decide(system.rows(fewer)), DoesNotFit):
            clash = fewer
    places = [preferences.place(preferences.statements[number]) for number in clash[:NAMED]]
    more = f" and {len(clash) - NAMED:,} more" if len(clash) > NAMED else ""
    raise InputError(f"no model satisfies these together: {'; '.join(places)}{more}; correct or remove one of them")
