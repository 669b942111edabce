"""Explanations in plain words, as text and as data, always relative to the simplest models that were learned.

A prediction is explained by a smallest set of the user's own statements that still forces it under every simplest
theta, and by how they add up to it; "same" by statements of no says; "unknown" by two simplest models that
disagree; a term by statements that the other terms of its model cannot satisfy together; the degree by statements that
no smaller degree can satisfy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from setpref.answers.forcing import Question, Told, clash, smallest_forcing, stated_pairs, terms_question
from setpref.answers.relation import Part
from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.model import Model
from setpref.proofs.certificates import WeightedPair
from setpref.proofs.verdicts import Disagreement, Equality
from setpref.solving.oracle import DoesNotFit
from setpref.universe import says

__all__ = [
    "Explanation",
    "SumLine",
    "explain_degree",
    "explain_prediction",
    "explain_same",
    "explain_term",
    "explain_unknown",
]

Write = Callable[[int], str]


@dataclass(frozen=True)
class SumLine:
    """Statements, each taken a whole number of times, and what they add up to (`scale` times, 0 for a clash).

    Those numbered in `same` say "no says", in the direction they are needed.
    """

    theta: tuple[str, ...]
    statements: tuple[tuple[str, str, int], ...]
    scale: int
    same: tuple[int, ...] = ()


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


def explain_prediction(order: Part, better: int, worse: int) -> Explanation:
    """Explain why a set is predicted to be better than another."""
    preferences = order.preferences
    # The statement itself, if it was made, explains best; put first it is tried first.
    stated = sorted(stated_pairs(preferences), key=lambda told: told != Told(better, worse))
    questions = order.questions(stated, better, worse)
    chosen, smallest = smallest_forcing(questions, len(stated))
    write = preferences.universe.write
    pairs = [stated[i] for i in chosen]
    sums = tuple(_sum(question, pairs, chosen, write) for question in questions)
    lines = [
        f"{write(better)} is over {write(worse)} in every simplest model.",
        _forcing_line(len(pairs), smallest),
        *(f"  {_said(preferences, pair)}" for pair in pairs),
    ]
    lines += _adding_up(sums, f"{write(better)} over {write(worse)}")
    return Explanation("\n".join(lines), _written(pairs, write), smallest, sums)


def _sum(question: Question, pairs: Sequence[Told], chosen: Sequence[int], write: Write) -> SumLine:
    outcome = question.forced_by(chosen)
    assert isinstance(outcome, DoesNotFit)
    *multipliers, scale = outcome.multipliers
    return _sum_line(question.theta, pairs, multipliers, scale, write)


def _sum_line(
    theta: Sequence[int], pairs: Sequence[Told], multipliers: Sequence[int], scale: int, write: Write
) -> SumLine:
    """Return a sum in words; a statement of no says stands in the direction it is needed."""
    used = [(told, m) for told, m in zip(pairs, multipliers, strict=True) if m]
    sides = [(told.first, told.second) if m > 0 else (told.second, told.first) for told, m in used]
    lines = tuple((write(a), write(b), abs(m)) for (a, b), (_, m) in zip(sides, used, strict=True))
    same = tuple(i for i, (told, _) in enumerate(used) if told.same)
    return SumLine(tuple(map(write, theta)), lines, scale, same)


def _written(pairs: Sequence[Told], write: Write) -> tuple[tuple[str, str], ...]:
    return tuple((write(told.first), write(told.second)) for told in pairs)


# -- unknown, terms, degree ----------------------------------------------------------------------------------


def explain_same(preferences: Preferences, proof: Equality) -> Explanation:
    """Explain why two sets are certainly worth the same."""
    write = preferences.universe.write
    a, b = write(proof.first), write(proof.second)
    if a == b:
        return Explanation(f"{a} and {b} are the same set.")
    lines = [f"{a} and {b} are worth the same in every simplest model."]
    sums = []
    for part in dict.fromkeys(proof.proofs):
        if not part.multipliers:
            lines.append("No term of the models tells them apart.")
            continue
        pairs = [Told(x, y, True) for x, y, _ in part.multipliers]
        sums.append(_sum_line((), pairs, [m for _, _, m in part.multipliers], part.scale, write))
        lines.append("These statements add up to it:")
        lines += [
            f"  {_times(m)}{_said(preferences, told)}" for told, (_, _, m) in zip(pairs, part.multipliers, strict=True)
        ]
    stated = tuple(dict.fromkeys((x, y) for line in sums for x, y, _ in line.statements))
    return Explanation("\n".join(lines), stated, False, tuple(sums))


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
        behind = [f"{write(t)} ({v:+})" for t, v in model.values.items() if says(t, a, b)]
        lines.append(f"  the terms behind it: {', '.join(behind) if behind else 'none tells the two apart'}")
    return Explanation("\n".join(lines), models=tuple(models))


def explain_term(order: Part, term: int) -> Explanation:
    """Explain why a simplest model needs a term: what its other terms cannot satisfy together."""
    write = order.preferences.universe.write
    for family in order.families:
        for place, slot in enumerate(family.slots):
            if slot.members.holds(term, 1) or slot.members.holds(term, -1):
                theta = [t for i, (t, _) in enumerate(family.theta) if i != place]
                return _clash_without(order, term, theta, slot.members.count, write)
    raise InputError(f"{write(term)} is in no simplest model, so there is nothing to explain")


def _clash_without(order: Part, term: int, theta: list[int], members: int, write: Write) -> Explanation:
    stated = stated_pairs(order.preferences)
    # "Nothing is better than nothing" is what must not be forced: a goal that every sum of strict statements reaches.
    chosen, multipliers = clash(terms_question(theta, stated, 0, 0))
    pairs = [stated[i] for i in chosen]
    total = _sum_line(theta, pairs, multipliers, 0, write)
    without = ", ".join(map(write, theta)) or "no term at all"
    lines = [
        f"Without {write(term)} its model has {without}, and these statements cannot hold together:",
        *(f"  {_times(abs(m))}{_said(order.preferences, pair)}" for pair, m in zip(pairs, multipliers, strict=True)),
        "added up, every one of those terms cancels: the sum would say that nothing is better than nothing.",
    ]
    if members > 1:
        lines.append(f"({members - 1} other terms could stand in its place: the statements cannot tell them apart.)")
    return Explanation("\n".join(lines), _written(pairs, write), False, (total,))


def explain_degree(preferences: Preferences, degree: int, impossible: Sequence[WeightedPair]) -> Explanation:
    """Explain why no smaller degree will do."""
    write = preferences.universe.write
    if degree <= 1:
        return Explanation("The degree is the smallest there is: every element counts on its own.")
    kind = "single elements" if degree == 2 else f"terms of up to {degree - 1} elements"
    lines = [f"These statements cannot hold together with {kind} alone:"]
    pairs = [Told(a, b, preferences.equates(a, b)) for a, b, _ in impossible]
    lines += [f"  {_times(m)}{_said(preferences, told)}" for told, (_, _, m) in zip(pairs, impossible, strict=True)]
    lines.append("added up, every such term cancels: the sum would say that nothing is better than nothing.")
    total = _sum_line((), pairs, [m for _, _, m in impossible], 0, write)
    return Explanation("\n".join(lines), _written(pairs, write), False, (total,))


# -- words ---------------------------------------------------------------------------------------------------


def _said(preferences: Preferences, told: Told) -> str:
    """Return a statement in the user's words, with the ratings or the line it was given at."""
    write = preferences.universe.write
    a, b, word = told.first, told.second, "same as" if told.same else "over"
    if preferences.ratings is not None:
        return f"{write(a)} (rated {preferences.ratings[a]}) {word} {write(b)} (rated {preferences.ratings[b]})"
    for s in preferences.statements:
        if s.same == told.same and ((s.better, s.worse) == (a, b) or (s.same and (s.worse, s.better) == (a, b))):
            return f"{write(a)} {word} {write(b)} ({preferences.place(s)})"
    return f"{write(a)} {word} {write(b)} (follows from the statements)"


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
    distinct = list(dict.fromkeys((line.statements, line.same, line.scale) for line in sums))
    lines = []
    for number, (statements, same, scale) in enumerate(distinct[:5], start=1):
        told = [f"({a} {'same as' if i in same else 'over'} {b})" for i, (a, b, _) in enumerate(statements)]
        left = " + ".join(f"{m} x {text}" if m > 1 else text for text, (_, _, m) in zip(told, statements, strict=True))
        right = f"{scale} x ({prediction})" if scale > 1 else f"({prediction})"
        where = "in every simplest model" if len(distinct) == 1 else f"way {number}, for some simplest models"
        lines.append(f"they add up, {where}: {left} gives {right}")
    if len(distinct) > 5:
        lines.append(f"... and {len(distinct) - 5} more ways for other simplest models")
    return lines
