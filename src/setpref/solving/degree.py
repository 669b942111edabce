"""The minimum degree (Algorithm 1 of the paper), exactly and with a proof of both sides.

At the minimum degree a model that satisfies every statement; one degree lower, whole-number multipliers on the
statements that cancel on every term of that degree, which the kernel alone can check.
"""

from __future__ import annotations

from dataclasses import dataclass

from setpref.data.preferences import Preferences
from setpref.model import KernelModel, Model
from setpref.progress import Progress, Step
from setpref.solving.fitting import Fit, NoFit, UpTo, fit

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
    impossible: tuple[tuple[int, int, int], ...]
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
    comparisons = preferences.comparisons
    if not comparisons.edges:
        return MinimumDegree(0, Model(universe, {}), (), ())
    impossible: tuple[tuple[int, int, int], ...] = ()
    routes: list[str] = []
    for degree in range(1, len(universe) + 1):
        if progress is not None:
            progress(Step(f"degree {degree}"))
        answer = fit(comparisons, UpTo(degree, route), universe)
        routes.append(f"{answer.route}, {answer.method}")
        if isinstance(answer, Fit):
            return MinimumDegree(degree, answer.model, impossible, tuple(routes))
        impossible = answer.multipliers
    assert isinstance(answer, NoFit)
    raise AssertionError("statements without a cycle always fit at the highest degree")
