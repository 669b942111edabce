"""The paper's mixed-integer programs on HiGHS: a reference to compare with, not the way setpref answers.

One binary per term, values bounded by a constant M (Sections 4.3 and 4.4 of the paper). The M that would make the
programs right is far beyond floating point, so M is a parameter here and what comes back is checked exactly: a theta
that does not fit the statements in whole numbers is refused. Whether it is simplest rests on M and on tolerances.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from setpref.arguments import checked_time
from setpref.data.preferences import Preferences
from setpref.errors import CertificateRejected, InputError, TooLarge
from setpref.model import Model
from setpref.rows import Kind, Row, pair
from setpref.simplicity import LEX, Simplicity
from setpref.solving.fitting import Fit, NoFit, Terms, fit
from setpref.solving.highs import quiet_solver
from setpref.terms import count_terms, indicators, terms_up_to
from setpref.universe import by_size

__all__ = ["BIG_M", "MipAnswer", "query", "simplest_one"]

BIG_M = 1000.0
LARGEST_M = 1e15  # HiGHS leaves out rows with numbers from here up
TERM_LIMIT = 5000


@dataclass(frozen=True)
class MipAnswer:
    """What the program says, with the theta checked exactly.

    Attributes
    ----------
    theta : tuple of int
    model : Model
        Whole-number values with which the theta satisfies every statement.
    finished : bool
        Whether the solver claims optimality (False: stopped by the time limit).
    """

    theta: tuple[int, ...]
    model: Model
    finished: bool
    seconds: float


def simplest_one(
    preferences: Preferences,
    simplicity: Simplicity = LEX,
    degree: int | None = None,
    big_m: float = BIG_M,
    time_limit: float | None = None,
) -> MipAnswer:
    """Return one simplest theta according to the paper's program.

    Parameters
    ----------
    degree
        The minimum degree, for a measure that looks for it; the others use terms of every size.
    """
    start = time.perf_counter()
    terms = _candidates(preferences, degree if simplicity.least_degree else None)
    program = _Program(preferences, terms, big_m, time_limit)
    first, second = ([float(simplicity.price(term.bit_count())[place]) for term in terms] for place in (0, 1))
    finished = program.found(first)
    if any(second) and finished:
        least = round(sum(b * price for b, price in zip(program.binaries(), first, strict=True)))
        left = None if time_limit is None else max(0.1, time_limit - (time.perf_counter() - start))
        program = _Program(preferences, terms, big_m, left)
        program.at_most(first, least)
        finished = program.found(second)
    model = _checked(preferences, program.theta(), big_m, finished)
    return MipAnswer(model.theta, model, finished, time.perf_counter() - start)


def _checked(preferences: Preferences, theta: tuple[int, ...], big_m: float, finished: bool) -> Model:
    """Return a model of a theta; refuse one that does not fit or, if called simplest, has a term too many."""
    answer = fit(preferences.rows, Terms(theta), preferences.universe)
    if isinstance(answer, NoFit):
        raise CertificateRejected(
            f"the MIP with M = {big_m:g} proposes {len(theta)} terms that cannot satisfy the statements exactly; "
            "its tolerances misled it: try another M, or use engine 'auto'"
        )
    for term in theta:
        fewer = tuple(t for t in theta if t != term)
        if not isinstance(fit(preferences.rows, Terms(fewer), preferences.universe), NoFit):
            if finished:
                raise CertificateRejected(
                    f"the MIP with M = {big_m:g} calls {len(theta)} terms simplest, but "
                    f"{preferences.universe.write(term)} can be left out; try another M, or use engine 'auto'"
                )
            return _checked(preferences, fewer, big_m, finished)
    assert isinstance(answer.model, Model)
    return answer.model


def query(
    preferences: Preferences,
    complexity: tuple[int, int, int],
    first: int,
    second: int,
    big_m: float = BIG_M,
    time_limit: float | None = None,
) -> bool | None:
    """Tell by the program of Section 4.4 whether the first set robustly beats the second under ``lex``.

    True is said of values up to M and rests on tolerances: the program knows no theta as simple that speaks against it,
    which proves nothing, however small the values are. False is exact: such a theta fits in whole numbers. None: the
    solver was stopped, or misled by its tolerances.
    """
    degree, cardinality, total_size = complexity
    program = _Program(preferences, _candidates(preferences, degree), big_m, time_limit)
    sizes = [float(term.bit_count()) for term in program.terms]
    program.at_most([1.0] * len(sizes), cardinality)
    against = pair(second, first, Kind.WEAK)
    program.require(against)
    end = program.minimise(sizes)
    if end is _End.INFEASIBLE:
        return True
    if not program.has_model:
        return None
    theta = program.theta()
    if sum(map(int.bit_count, theta)) > total_size:
        return True if end is _End.OPTIMAL else None
    answer = fit(preferences.rows.saying(against), Terms(theta), preferences.universe)
    return False if isinstance(answer, Fit) and len(theta) <= cardinality else None


def _candidates(preferences: Preferences, degree: int | None) -> list[int]:
    elements = len(preferences.universe)
    limit = elements if degree is None else degree
    if count_terms(elements, limit) > TERM_LIMIT:
        raise TooLarge(
            f"the MIP needs one binary for each of {count_terms(elements, limit):,} terms; its limit is {TERM_LIMIT:,}"
        )
    return terms_up_to(elements, limit)


class _End(Enum):
    """How the solver ended: with what it calls the optimum, without any solution, or before it knew."""

    OPTIMAL = auto()
    INFEASIBLE = auto()
    STOPPED = auto()


class _Program:
    """Values v_S and binaries b_S with |v_S| <= M b_S, and every stated pair at least 1 apart."""

    def __init__(self, preferences: Preferences, terms: Sequence[int], big_m: float, time_limit: float | None) -> None:
        import highspy

        if not 0 < big_m < LARGEST_M:
            raise InputError(f"M is {big_m}; give a positive number below {LARGEST_M:g}")
        self.terms, self.big_m = list(terms), big_m
        self._elements = len(preferences.universe)
        self._status = highspy.HighsModelStatus
        self.solver = quiet_solver()
        if (seconds := checked_time(time_limit)) is not None:
            self.solver.setOptionValue("time_limit", seconds)
        count = len(self.terms)
        for _ in range(count):
            self.solver.addVar(-big_m, big_m)
        for _ in range(count):
            self.solver.addVar(0.0, 1.0)
        for k in range(count):
            self.solver.changeColIntegrality(count + k, highspy.HighsVarType.kInteger)
            index = np.array([k, count + k], dtype=np.int32)
            self.solver.addRow(-np.inf, 0.0, 2, index, np.array([1.0, -big_m]))
            self.solver.addRow(0.0, np.inf, 2, index, np.array([1.0, big_m]))
        for row in _stated(preferences):
            self.require(row)

    def require(self, said: Row) -> None:
        """Require a combination to be worth 1 at least if it is positive, or 0 at least, or 0."""
        masks, coefficients = zip(*said.combination, strict=True)
        row = np.array(coefficients) @ indicators(masks, self.terms, self._elements)
        used = np.flatnonzero(row)
        low = 1.0 if said.kind is Kind.STRICT else 0.0
        high = 0.0 if said.kind is Kind.EQUAL else np.inf
        self.solver.addRow(low, high, len(used), used.astype(np.int32), row[used].astype(float))

    def at_most(self, weights: Sequence[float], bound: float) -> None:
        """Require the weighted binaries to stay within a bound."""
        count = len(self.terms)
        index = np.arange(count, 2 * count, dtype=np.int32)
        self.solver.addRow(-np.inf, float(bound), count, index, np.array(weights))

    def minimise(self, weights: Sequence[float]) -> _End:
        """Minimise the weighted binaries; tell how the solver ended."""
        count = len(self.terms)
        for k, weight in enumerate(weights):
            self.solver.changeColCost(count + k, weight)
        self.solver.run()
        status = self.solver.getModelStatus()
        if status in (self._status.kInfeasible, self._status.kUnboundedOrInfeasible):  # no value is unbounded here
            return _End.INFEASIBLE
        return _End.OPTIMAL if status in (self._status.kOptimal, self._status.kModelEmpty) else _End.STOPPED

    def found(self, weights: Sequence[float]) -> bool:
        """Minimise; tell whether the solver finished, and refuse if it has no model to show."""
        end = self.minimise(weights)
        if end is _End.INFEASIBLE:
            raise InputError(f"the MIP with M = {self.big_m:g} has no solution; use a larger M, or engine 'auto'")
        if not self.has_model:
            raise InputError("the MIP found no model within the time limit; give it more time, or use engine 'auto'")
        return end is _End.OPTIMAL

    @property
    def has_model(self) -> bool:
        """Whether the solver holds a solution; where there are no terms, that is the empty one."""
        return not self.terms or bool(self.solver.getSolution().value_valid)

    def binaries(self) -> list[float]:
        return list(self.solver.getSolution().col_value[len(self.terms) :])

    def theta(self) -> tuple[int, ...]:
        chosen = [term for term, b in zip(self.terms, self.binaries(), strict=True) if round(b)]
        return tuple(sorted(chosen, key=by_size))


def _stated(preferences: Preferences) -> list[Row]:
    """Return everything stated, as the paper's programs have it: no tiers, no reduction."""
    if preferences.ratings is None:
        return list(dict.fromkeys(s.says for s in preferences.statements))
    over = [pair(a, b) for a, b in preferences.implied_pairs(preferences.pair_count)]
    return over + [pair(a, b, Kind.EQUAL) for a, b in preferences.equal_pairs]
