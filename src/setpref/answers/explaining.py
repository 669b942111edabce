"""Why: few of the user's own statements that force a prediction, or that a model without a term cannot satisfy.

Facts only, relative to the simplest models that were learned; in words they are told by
:mod:`setpref.showing.explanations`. Why two sets are the same, or not known to be better, the proof of it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setpref.answers.forcing import Question, Told, clash, smallest_forcing, stated_pairs, terms_question
from setpref.answers.relation import Part
from setpref.errors import InputError
from setpref.solving.oracle import DoesNotFit

__all__ = ["Forced", "Needed", "Sum", "why_needed", "why_over"]


@dataclass(frozen=True)
class Sum:
    """How often statements are taken so that they add up, on the terms of a theta.

    Attributes
    ----------
    theta : tuple of int
    weights : tuple of int
        One per statement; a statement of no difference taken a negative number of times stands the other way round.
    scale : int
        How often the sum gives what it proves; 0 if it says that nothing is better than nothing.
    """

    theta: tuple[int, ...]
    weights: tuple[int, ...]
    scale: int


@dataclass(frozen=True)
class Forced:
    """Why a set is over another: statements that force it in every model.

    Attributes
    ----------
    better, worse : int
    statements : tuple of Told
    smallest : bool
        Whether no smaller set of statements would do (proven); otherwise none of them can be left out.
    sums : tuple of Sum
        How they add up to it, theta by theta.
    """

    better: int
    worse: int
    statements: tuple[Told, ...]
    smallest: bool
    sums: tuple[Sum, ...]


@dataclass(frozen=True)
class Needed:
    """Why a model needs a term: statements that its other terms, the theta of the sum, cannot satisfy together.

    Attributes
    ----------
    term : int
    statements : tuple of Told
    total : Sum
    others : int
        How many other terms could stand in its place.
    """

    term: int
    statements: tuple[Told, ...]
    total: Sum
    others: int


def why_over(part: Part, better: int, worse: int) -> Forced:
    """Return why a set is predicted to be better than another."""
    # The statement itself, if it was made, explains best; put first it is tried first.
    stated = sorted(stated_pairs(part.preferences), key=lambda told: told != Told(better, worse))
    questions = part.questions(stated, better, worse)
    chosen, smallest = smallest_forcing(questions, len(stated))
    sums = tuple(_sum(question, chosen) for question in questions)
    return Forced(better, worse, tuple(stated[i] for i in chosen), smallest, sums)


def _sum(question: Question, chosen: Sequence[int]) -> Sum:
    outcome = question.forced_by(chosen)
    assert isinstance(outcome, DoesNotFit)
    *weights, scale = outcome.multipliers
    return Sum(question.theta, tuple(weights), scale)


def why_needed(part: Part, term: int) -> Needed:
    """Return why a simplest model needs a term: what its other terms cannot satisfy together."""
    for family in part.families:
        for place, slot in enumerate(family.slots):
            if slot.members.holds(term, 1) or slot.members.holds(term, -1):
                theta = tuple(t for i, (t, _) in enumerate(family.theta) if i != place)
                stated = stated_pairs(part.preferences)
                # What must not be forced, that nothing is better than nothing, every sum of strict statements reaches.
                chosen, weights = clash(terms_question(theta, stated, 0, 0))
                statements = tuple(stated[i] for i in chosen)
                return Needed(term, statements, Sum(theta, tuple(weights), 0), slot.members.count - 1)
    written = part.preferences.universe.write(term)
    raise InputError(f"{written} is in no simplest model, so there is nothing to explain")
