"""Explanations in plain words, as text and as data, always relative to the simplest models that were learned.

A prediction is explained by a smallest set of the user's own statements that still forces it under every simplest
theta, and by how they add up to it; "unknown" by two simplest models that disagree; a term by statements that the other
terms of its model cannot satisfy together; the degree by statements that no smaller degree can satisfy.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from setpref.certificates import Disagreement, WeightedPair
from setpref.dominance import ThetaOrder
from setpref.errors import InputError, TooLarge
from setpref.fitting import rows_of
from setpref.model import Model
from setpref.oracle import DoesNotFit, Fits, decide
from setpref.preferences import Preferences
from setpref.robust import RobustOrder
from setpref.universe import bits

__all__ = ["Explanation", "SumLine", "explain_degree", "explain_prediction", "explain_term", "explain_unknown"]

STATEMENTS_LIMIT = 2000
CHOICES_LIMIT = 2000
SECONDS = 5.0

Pair = tuple[int, int]
Row = tuple[int, ...]


@dataclass(frozen=True)
class SumLine:
    """Statements, each taken a whole number of times, and what they add up to (`scale` times, 0 for a clash)."""

    theta: tuple[str, ...]
    statements: tuple[tuple[str, str, int], ...]
    scale: int


@dataclass(frozen=True)
class Explanation:
    """Why an answer is what it is.

    Attributes
    ----------
    text : str
        For a person; may have several lines.
    statements : tuple of (better, worse)
        The user's statements the explanation rests on.
    smallest : bool
        Whether no smaller set of statements would do (proven).
    sums : tuple of SumLine
        How the statements add up, per theta.
    models : tuple of Model
        The models an "unknown" rests on.
    """

    text: str
    statements: tuple[tuple[str, str], ...] = ()
    smallest: bool = False
    sums: tuple[SumLine, ...] = ()
    models: tuple[Model, ...] = ()


# -- a prediction ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Question:
    """One theta (up to members with the same answer): the rows of all stated pairs, and the direction to force."""

    theta: tuple[int, ...]
    rows: tuple[Row, ...]
    goal: Row

    def forced_by(self, chosen: Iterable[int]) -> DoesNotFit | Fits:
        """Ask whether the chosen statements force the goal: the opposite must not fit with them."""
        picked = [self.rows[i] for i in chosen]
        return decide(np.array([*picked, [-x for x in self.goal]], dtype=np.int64))

    def escape(self, values: Sequence[int]) -> int:
        """Return the statements, as bits, that values against the goal do not satisfy: one of them is needed."""
        return sum(1 << i for i, row in enumerate(self.rows) if sum(map(int.__mul__, row, values)) <= 0)

    def need(self, values: Sequence[int], deadline: float) -> int:
        """Return few statements, as bits, of which one is needed: values against the goal that violate little else."""
        found = self.escape(values)
        for index in bits(found):
            if time.monotonic() > deadline:
                break
            if found >> index & 1:
                satisfied = [i for i in range(len(self.rows)) if not found >> i & 1]
                outcome = self.forced_by([*satisfied, index])
                if isinstance(outcome, Fits):
                    found = self.escape(outcome.values)
        return found


def explain_prediction(order: RobustOrder | ThetaOrder, better: int, worse: int) -> Explanation:
    """Explain why a set is predicted to be better than another."""
    preferences = order.preferences
    # The statement itself, if it was made, explains best; put first it is tried first.
    stated = sorted(stated_pairs(preferences), key=lambda pair: pair != (better, worse))
    questions = _questions(order, stated, better, worse)
    chosen, smallest = _smallest_forcing(questions, len(stated))
    write = preferences.universe.write
    sums = tuple(_sum(question, [stated[i] for i in chosen], chosen, write) for question in questions)
    pairs = [stated[i] for i in chosen]
    lines = [
        f"{write(better)} is over {write(worse)} in every simplest model.",
        _forcing_line(len(pairs), smallest),
        *(f"  {_said(preferences, pair)}" for pair in pairs),
    ]
    lines += _adding_up(sums, f"{write(better)} over {write(worse)}")
    return Explanation("\n".join(lines), tuple((write(a), write(b)) for a, b in pairs), smallest, sums)


def stated_pairs(preferences: Preferences) -> list[Pair]:
    """Return the user's own statements as pairs; for ratings every pair of unequal rating."""
    if preferences.pair_count > STATEMENTS_LIMIT:
        return list(preferences.pairs)
    if preferences.tiers is None:
        return list(dict.fromkeys((s.better, s.worse) for s in preferences.statements))
    return [
        (a, b) for i, upper in enumerate(preferences.tiers) for lower in preferences.tiers[i + 1 :]
        for a in upper for b in lower
    ]  # fmt: skip


def _questions(order: RobustOrder | ThetaOrder, stated: Sequence[Pair], better: int, worse: int) -> list[_Question]:
    """Return what has to be forced: per family, every direction that some choice of members gives."""
    found = []
    if isinstance(order, ThetaOrder):
        _, terms = rows_of(order.preferences.comparisons, order.theta, order.preferences.universe)
        rows = tuple(tuple(_difference(t, a, b) for t in terms) for a, b in stated)
        return [_Question(tuple(terms), rows, tuple(_difference(t, better, worse) for t in terms))]
    for family in order.families:
        rows = tuple(tuple(s * _difference(t, a, b) for t, s in family.theta) for a, b in stated)
        # Of a slot's members those that say the least and the most are enough: what forces both forces all between.
        extremes = []
        for slot in family.slots:
            members = [slot.members.against(better, worse), slot.members.against(worse, better)]
            extremes.append(list({s * _difference(t, better, worse): (t, s) for t, s in members}.values()))
        ways = prod(map(len, extremes))
        if ways > CHOICES_LIMIT:
            raise TooLarge(
                f"interchangeable terms disagree on this pair in {ways:,} ways; the limit is {CHOICES_LIMIT:,}"
            )
        goals: dict[Row, tuple[int, ...]] = {}
        for choice in product(*extremes):
            goals.setdefault(tuple(s * _difference(t, better, worse) for t, s in choice), tuple(t for t, _ in choice))
        found += [_Question(theta, rows, goal) for goal, theta in goals.items()]
    return found


def _difference(term: int, first: int, second: int) -> int:
    return (term & first == term) - (term & second == term)


def _smallest_forcing(questions: Sequence[_Question], count: int) -> tuple[list[int], bool]:
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


def _thinned(questions: Sequence[_Question], count: int) -> list[int]:
    """Return statements none of which can be left out, by trying each once."""
    chosen = list(range(count))
    for index in range(count):
        fewer = [i for i in chosen if i != index]
        if all(isinstance(question.forced_by(fewer), DoesNotFit) for question in questions):
            chosen = fewer
    return chosen


def _sum(question: _Question, pairs: Sequence[Pair], chosen: Sequence[int], write: object) -> SumLine:
    outcome = question.forced_by(chosen)
    assert isinstance(outcome, DoesNotFit)
    assert callable(write)
    *multipliers, scale = outcome.multipliers
    lines = tuple((write(a), write(b), m) for (a, b), m in zip(pairs, multipliers, strict=True) if m)
    return SumLine(tuple(map(write, question.theta)), lines, scale)


# -- unknown, terms, degree ----------------------------------------------------------------------------------


def explain_unknown(preferences: Preferences, proof: Disagreement) -> Explanation:
    """Explain why nothing is predicted: two simplest models side by side."""
    write = preferences.universe.write
    a, b = proof.first, proof.second
    models = [model for model in (proof.for_first, proof.for_second) if isinstance(model, Model)]
    lines = [f"{write(a)} against {write(b)} is unknown: two simplest models satisfy every statement and disagree."]
    for number, model in enumerate(models, start=1):
        first, second = model.at(a), model.at(b)
        sign = ">" if first > second else "<" if first < second else "="
        lines.append(f"Model {number}: {model}")
        lines.append(f"  {write(a)} is worth {first} {sign} {second}, the worth of {write(b)}")
        behind = [f"{write(t)} ({v:+})" for t, v in model.values.items() if _difference(t, a, b)]
        lines.append(f"  the terms behind it: {', '.join(behind) if behind else 'none tells the two apart'}")
    return Explanation("\n".join(lines), models=tuple(models))


def explain_term(order: RobustOrder, term: int) -> Explanation:
    """Explain why a simplest model needs a term: what its other terms cannot satisfy together."""
    write = order.preferences.universe.write
    for family in order.families:
        for place, slot in enumerate(family.slots):
            if slot.members.holds(term, 1) or slot.members.holds(term, -1):
                theta = [t for i, (t, _) in enumerate(family.theta) if i != place]
                return _clash_without(order, term, theta, slot.members.count, write)
    raise InputError(f"{write(term)} is in no simplest model, so there is nothing to explain")


def _clash_without(order: RobustOrder, term: int, theta: list[int], members: int, write: object) -> Explanation:
    assert callable(write)
    stated = stated_pairs(order.preferences)
    rows = [tuple(_difference(t, a, b) for t in theta) for a, b in stated]
    chosen, multipliers = _clash(rows, len(theta))
    pairs = [stated[i] for i in chosen]
    weighted = tuple((write(a), write(b), m) for (a, b), m in zip(pairs, multipliers, strict=True))
    without = ", ".join(map(write, theta)) or "no term at all"
    lines = [
        f"Without {write(term)} its model has {without}, and these statements cannot hold together:",
        *(f"  {_times(m)}{_said(order.preferences, pair)}" for pair, m in zip(pairs, multipliers, strict=True)),
        "added up, every one of those terms cancels: the sum would say that nothing is better than nothing.",
    ]
    if members > 1:
        lines.append(f"({members - 1} other terms could stand in its place: the statements cannot tell them apart.)")
    sums = (SumLine(tuple(map(write, theta)), weighted, 0),)
    return Explanation("\n".join(lines), tuple((write(a), write(b)) for a, b in pairs), False, sums)


def _clash(rows: Sequence[Row], width: int) -> tuple[list[int], list[int]]:
    """Return statements that cannot hold together, none of them superfluous, and their multipliers."""
    outcome = decide(np.array(rows, dtype=np.int64).reshape(len(rows), width))
    assert isinstance(outcome, DoesNotFit)
    chosen = [i for i, m in enumerate(outcome.multipliers) if m]
    # The support of the multipliers may still hold superfluous statements; try pairs and triples first.
    for size in (1, 2):
        for few in combinations(range(len(rows)), size) if len(rows) <= 500 else ():
            small = decide(np.array([rows[i] for i in few], dtype=np.int64).reshape(size, width))
            if isinstance(small, DoesNotFit):
                return list(few), list(small.multipliers)
    for index in list(chosen):
        fewer = [i for i in chosen if i != index]
        smaller = decide(np.array([rows[i] for i in fewer], dtype=np.int64).reshape(len(fewer), width))
        if isinstance(smaller, DoesNotFit):
            chosen = [i for i, m in zip(fewer, smaller.multipliers, strict=True) if m]
    final = decide(np.array([rows[i] for i in chosen], dtype=np.int64).reshape(len(chosen), width))
    assert isinstance(final, DoesNotFit)
    return chosen, list(final.multipliers)


def explain_degree(preferences: Preferences, degree: int, impossible: Sequence[WeightedPair]) -> Explanation:
    """Explain why no smaller degree will do."""
    write = preferences.universe.write
    if degree <= 1:
        return Explanation("The degree is the smallest there is: every element counts on its own.")
    kind = "single elements" if degree == 2 else f"terms of up to {degree - 1} elements"
    lines = [f"These statements cannot hold together with {kind} alone:"]
    lines += [f"  {_times(m)}{_said(preferences, (a, b))}" for a, b, m in impossible]
    lines.append("added up, every such term cancels: the sum would say that nothing is better than nothing.")
    sums = (SumLine((), tuple((write(a), write(b), m) for a, b, m in impossible), 0),)
    return Explanation("\n".join(lines), tuple((write(a), write(b)) for a, b, _ in impossible), False, sums)


# -- words ---------------------------------------------------------------------------------------------------


def _said(preferences: Preferences, pair: Pair) -> str:
    """Return a stated pair in the user's words, with the ratings or the line it was given at."""
    a, b = pair
    write = preferences.universe.write
    if preferences.ratings is not None:
        return f"{write(a)} (rated {preferences.ratings[a]}) over {write(b)} (rated {preferences.ratings[b]})"
    for s in preferences.statements:
        if (s.better, s.worse) == pair:
            name = f" ({s.id})" if s.id else ""
            return f"{write(a)} over {write(b)} ({preferences.word} {s.position}{name})"
    return f"{write(a)} over {write(b)} (follows from the statements)"


def _times(multiplier: int) -> str:
    return "" if multiplier == 1 else f"{multiplier} times "


def _forcing_line(count: int, smallest: bool) -> str:
    if count == 1:
        return "One statement alone forces it:"
    if smallest:
        return f"These {count} statements alone force it, and no fewer do:"
    return f"These {count} statements alone force it, and none of them can be left out (fewer others might do):"


def _adding_up(sums: Sequence[SumLine], prediction: str) -> list[str]:
    """Return how the statements add up to the prediction, once if all thetas agree on it."""
    distinct = list(dict.fromkeys((line.statements, line.scale) for line in sums))
    lines = []
    for number, (statements, scale) in enumerate(distinct[:5], start=1):
        left = " + ".join(f"{m} x ({a} over {b})" if m > 1 else f"({a} over {b})" for a, b, m in statements)
        right = f"{scale} x ({prediction})" if scale > 1 else f"({prediction})"
        where = "in every simplest model" if len(distinct) == 1 else f"way {number}, for some simplest models"
        lines.append(f"they add up, {where}: {left} gives {right}")
    if len(distinct) > 5:
        lines.append(f"... and {len(distinct) - 5} more ways for other simplest models")
    return lines
