"""Which of the user's own statements force an answer, and which cannot hold together: few of them, fewest if proven.

The questions behind explanations, in rows and multipliers; what is told of them is in
:mod:`setpref.answers.explaining`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from setpref.data.preferences import Preferences
from setpref.errors import TooLarge
from setpref.families import Family, SignedTerm
from setpref.rows import Kind, Row, pair
from setpref.solving.oracle import DoesNotFit, Fits, decide
from setpref.solving.systems import System
from setpref.universe import bits, says

__all__ = ["Question", "Told", "clash", "family_questions", "smallest_forcing", "stated_pairs", "terms_question"]

STATEMENTS_LIMIT = 2000
CHOICES_LIMIT = 2000
SECONDS = 5.0


@dataclass(frozen=True)
class Told:
    """One of the user's own statements: the first set is over the second, or (`same`) there is no says."""

    first: int
    second: int
    same: bool = False

    @property
    def row(self) -> Row:
        """What it says, as a row over sets."""
        return pair(self.first, self.second, Kind.EQUAL if self.same else Kind.STRICT)


@dataclass(frozen=True)
class Question:
    """One theta (up to members with the same answer): the rows of all stated pairs, and the direction to force."""

    theta: tuple[int, ...]
    system: System
    goal: tuple[int, ...]

    def forced_by(self, chosen: Iterable[int]) -> DoesNotFit | Fits:
        """Ask whether the chosen statements force the goal: the opposite must not fit with them.

        The multipliers are those of the chosen statements, in their order, and then that of the goal.
        """
        against = np.array([[-x for x in self.goal]], dtype=np.int64)
        return decide(self.system.rows(list(chosen)).adding(against))

    def escape(self, values: Sequence[int]) -> int:
        """Return the statements, as bits, that values against the goal do not satisfy: one of them is needed."""
        worth = self.system.matrix.astype(object) @ np.array(values, dtype=object)
        violated = (x != 0 if kind is Kind.EQUAL else x <= 0 for x, kind in zip(worth, self.system.kinds, strict=True))
        return sum(1 << i for i, missed in enumerate(violated) if missed)

    def need(self, values: Sequence[int], deadline: float) -> int:
        """Return few statements, as bits, of which one is needed: values against the goal that violate little else."""
        found = self.escape(values)
        for index in bits(found):
            if time.monotonic() > deadline:
                break
            if found >> index & 1:
                satisfied = [i for i in range(len(self.system)) if not found >> i & 1]
                outcome = self.forced_by([*satisfied, index])
                if isinstance(outcome, Fits):
                    found = self.escape(outcome.values)
        return found


def stated_pairs(preferences: Preferences) -> list[Told]:
    """Return the user's own statements; for ratings every pair of unequal rating, and of equal if that says so."""
    preferences.check_of_pairs("an explanation")
    if preferences.pair_count + preferences.equal_count > STATEMENTS_LIMIT:
        equal = [Told(a, b, True) for a, b in preferences.equal_pairs]
        return [Told(a, b) for a, b in preferences.pairs] + equal
    if preferences.tiers is None:
        return list(dict.fromkeys(Told(s.better, s.worse, s.same) for s in preferences.statements))
    over = [Told(a, b) for a, b in preferences.implied_pairs(STATEMENTS_LIMIT)]
    return over + [Told(a, b, True) for group in preferences.equal_groups for a, b in combinations(group, 2)]


def family_questions(family: Family, stated: Sequence[Told], better: int, worse: int) -> list[Question]:
    """Return what has to be forced in a family: every direction that some choice of members gives."""
    system = _system_on(family.theta, stated)
    # Of a slot's members those that say the least and the most are enough: what forces both forces all between.
    extremes = []
    for slot in family.slots:
        members = [slot.members.against(better, worse), slot.members.against(worse, better)]
        extremes.append(list({s * says(t, better, worse): (t, s) for t, s in members}.values()))
    ways = prod(map(len, extremes))
    if ways > CHOICES_LIMIT:
        raise TooLarge(f"interchangeable terms disagree on this pair in {ways:,} ways; the limit is {CHOICES_LIMIT:,}")
    goals: dict[tuple[int, ...], tuple[int, ...]] = {}
    for choice in product(*extremes):
        goals.setdefault(tuple(s * says(t, better, worse) for t, s in choice), tuple(t for t, _ in choice))
    return [Question(theta, system, goal) for goal, theta in goals.items()]


def terms_question(terms: Sequence[int], stated: Sequence[Told], better: int, worse: int) -> Question:
    """Return what has to be forced if the terms may have values of any sign."""
    goal = tuple(says(t, better, worse) for t in terms)
    return Question(tuple(terms), _system_on([(t, 1) for t in terms], stated), goal)


def _system_on(theta: Sequence[SignedTerm], stated: Sequence[Told]) -> System:
    """Return what the terms of a theta, each with a sign, say of statements."""
    rows = [[s * says(t, told.first, told.second) for t, s in theta] for told in stated]
    matrix = np.array(rows, dtype=np.int64).reshape(len(stated), len(theta))
    return System(matrix, tuple(told.row.kind for told in stated))


def smallest_forcing(questions: Sequence[Question], count: int) -> tuple[list[int], bool]:
    """Return fewest statements that force every goal, and whether they are proven fewest.

    Values that satisfy the chosen statements and yet contradict a goal show a set of statements of which one is needed;
    a smallest choice that meets all such sets found so far is tried next, until it forces everything.
    """
    deadline = time.monotonic() + SECONDS
    needs: list[int] = []
    while time.monotonic() < deadline:
        chosen = _smallest_meeting(needs, deadline)
        if chosen is None:
            break
        needed = (
            question.need(outcome.values, deadline)
            for question in questions
            if isinstance(outcome := question.forced_by(chosen), Fits)
        )
        if (need := next(needed, None)) is None:
            return chosen, True
        needs.append(need)
    return _thinned(questions, count), False


def _smallest_meeting(needs: Sequence[int], deadline: float) -> list[int] | None:
    """Return a smallest set of indices that meets every need, by depth; None when time is up."""
    for size in range(len(needs) + 1):
        found = _meeting(list(needs), size, deadline)
        if found is not None:
            return found
        if time.monotonic() > deadline:
            return None
    return []


def _meeting(needs: list[int], room: int, deadline: float) -> list[int] | None:
    if not needs:
        return []
    if room == 0 or time.monotonic() > deadline:
        return None
    for index in bits(min(needs, key=int.bit_count)):
        rest = _meeting([need for need in needs if not need >> index & 1], room - 1, deadline)
        if rest is not None:
            return sorted([index, *rest])
    return None


def _thinned(questions: Sequence[Question], count: int) -> list[int]:
    """Return statements none of which can be left out, by trying each once."""
    chosen = list(range(count))
    for index in range(count):
        fewer = [i for i in chosen if i != index]
        if all(isinstance(question.forced_by(fewer), DoesNotFit) for question in questions):
            chosen = fewer
    return chosen


def clash(question: Question) -> tuple[list[int], list[int]]:
    """Return statements that cannot hold together, none of them superfluous, and their multipliers."""

    def impossible(few: Sequence[int]) -> Sequence[int] | None:
        asked = question.system.rows(few)
        outcome = decide(asked) if Kind.STRICT in asked.kinds else None
        return outcome.multipliers if isinstance(outcome, DoesNotFit) else None

    every = list(range(len(question.system)))
    found = impossible(every)
    assert found is not None
    # The support of the multipliers may still hold superfluous statements; try single ones and pairs first.
    for size in (1, 2):
        for few in combinations(every, size) if len(every) <= 500 else ():
            multipliers = impossible(few)
            if multipliers is not None and all(multipliers):
                return list(few), list(multipliers)
    chosen = [i for i, m in zip(every, found, strict=True) if m]
    for index in list(chosen):
        fewer = [i for i in chosen if i != index]
        smaller = impossible(fewer)
        if smaller is not None:
            chosen = [i for i, m in zip(fewer, smaller, strict=True) if m]
    final = impossible(chosen)
    assert final is not None
    return chosen, list(final)
