"""Explanations in words, as text and as data: why sets compare as they do, why a term or the degree is needed.

What is told, always relative to the simplest models that were learned, :mod:`setpref.answers.explaining` finds and
proofs hold; here it gets its words, and after repairs it is told for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from setpref.answers.explaining import Forced, Sum, why_needed, why_over
from setpref.answers.forcing import Told
from setpref.data.preferences import Preferences
from setpref.errors import InputError
from setpref.model import Model
from setpref.proofs.verdicts import Disagreement, Equality
from setpref.showing.facts import Facts, Single
from setpref.showing.results import meaning
from setpref.solving.degree import MinimumDegree
from setpref.universe import says
from setpref.verdict import Value

__all__ = ["Explanation", "SumLine", "explain_degree", "explain_pair", "explain_term", "explanation_facts"]

REPAIRS_EXPLAINED = 3
WAYS_SHOWN = 5

Write = Callable[[int], str]


@dataclass(frozen=True)
class SumLine:
    """Statements, each taken a whole number of times, and what they add up to (`scale` times, 0 for a clash).

    Those numbered in `same` say "no difference", in the direction they are needed.
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
        The models that disagree, where nothing is predicted.
    """

    text: str
    statements: tuple[tuple[str, str], ...] = ()
    smallest: bool = False
    sums: tuple[SumLine, ...] = ()
    models: tuple[Model, ...] = ()


@dataclass(frozen=True)
class _Models:
    """How the models are spoken of: as the simplest ones, if that is proven."""

    proven: bool

    @property
    def every(self) -> str:
        return "every simplest model" if self.proven else "every model known so far"

    @property
    def several(self) -> str:
        return "simplest models" if self.proven else "models"


def explanation_facts(explanation: Explanation) -> dict[str, object]:
    """Return what ``setpref explain --json`` prints."""
    return {
        "text": explanation.text,
        "statements": [list(pair) for pair in explanation.statements],
        "smallest": explanation.smallest,
        "sums": [
            {"theta": list(line.theta), "statements": [list(x) for x in line.statements], "scale": line.scale}
            for line in explanation.sums
        ],
        "models": [str(model) for model in explanation.models],
    }


# -- two sets --------------------------------------------------------------------------------------------------------


def explain_pair(facts: Facts, first: int, second: int) -> Explanation:
    """Explain the verdict on two sets with the user's own statements, repair by repair."""
    each = [_explain_single(part, first, second) for part in facts.parts[:REPAIRS_EXPLAINED]]
    if isinstance(facts, Single) or len(facts.parts) == 1:
        return each[0]
    value = facts.relation.verdict(first, second)
    lines = [f"{len(facts.parts)} repairs are equally good; together they say: {value}."]
    for number, (dropped, explanation) in enumerate(zip(facts.dropped, each, strict=False), start=1):
        lines.append(f"Repair {number} (without {'; '.join(dropped)}):")
        lines += [f"  {line}" for line in explanation.text.splitlines()]
    if len(facts.parts) > len(each):
        lines.append(f"... and {len(facts.parts) - len(each)} more repairs")
    statements = tuple(dict.fromkeys(pair for explanation in each for pair in explanation.statements))
    sums = tuple(line for explanation in each for line in explanation.sums)
    models = tuple(model for explanation in each for model in explanation.models)
    return Explanation("\n".join(lines), statements, False, sums, models)


def _explain_single(facts: Single, first: int, second: int) -> Explanation:
    found = _explain_known(facts, first, second)
    return found if facts.proven else replace(found, text=f"{found.text}\n{meaning(facts)}")


def _explain_known(facts: Single, first: int, second: int) -> Explanation:
    models = _Models(facts.proven)
    for part in facts.relation.parts:
        value = part.verdict(first, second)
        if value.sign:
            forced = why_over(part, *((first, second) if value is Value.BETTER else (second, first)))
            return _explain_over(facts.preferences, forced, models)
        proof = part.certificate(first, second)
        if isinstance(proof, Equality):
            return _explain_same(facts.preferences, proof, models)
        assert isinstance(proof, Disagreement)
        return _explain_unknown(facts.preferences, proof, models)
    return Explanation("No model is known yet, so nothing can be said.")


def _explain_over(preferences: Preferences, forced: Forced, models: _Models) -> Explanation:
    write = preferences.universe.write
    over = f"{write(forced.better)} over {write(forced.worse)}"
    sums = tuple(_sum_line(forced.statements, total, write) for total in forced.sums)
    lines = [
        f"{write(forced.better)} is over {write(forced.worse)} in {models.every}.",
        _forcing_line(len(forced.statements), forced.smallest),
        *(f"  {_said(preferences, told)}" for told in forced.statements),
        *_adding_up(sums, over, models),
    ]
    return Explanation("\n".join(lines), _written(forced.statements, write), forced.smallest, sums)


def _forcing_line(count: int, smallest: bool) -> str:
    if count == 1:
        return "One statement alone forces it:"
    if smallest:
        return f"These {count} statements alone force it, and no fewer do:"
    return f"These {count} statements alone force it, and none of them can be left out (fewer others might do):"


def _adding_up(sums: Sequence[SumLine], prediction: str, models: _Models) -> list[str]:
    """Return how the statements add up to the prediction, once if all thetas agree on it."""
    distinct = list(dict.fromkeys((line.statements, line.same, line.scale) for line in sums))
    lines = []
    for number, (statements, same, scale) in enumerate(distinct[:WAYS_SHOWN], start=1):
        told = [f"({a} {'same as' if i in same else 'over'} {b})" for i, (a, b, _) in enumerate(statements)]
        left = " + ".join(f"{m} x {text}" if m > 1 else text for text, (_, _, m) in zip(told, statements, strict=True))
        right = f"{scale} x ({prediction})" if scale > 1 else f"({prediction})"
        where = f"in {models.every}" if len(distinct) == 1 else f"way {number}, for some {models.several}"
        lines.append(f"they add up, {where}: {left} gives {right}")
    if len(distinct) > WAYS_SHOWN:
        lines.append(f"... and {len(distinct) - WAYS_SHOWN} more ways for other {models.several}")
    return lines


def _explain_same(preferences: Preferences, proof: Equality, models: _Models) -> Explanation:
    write = preferences.universe.write
    a, b = write(proof.first), write(proof.second)
    if a == b:
        return Explanation(f"{a} and {b} are the same set.")
    lines = [f"{a} and {b} are worth the same in {models.every}."]
    sums = []
    for part in dict.fromkeys(proof.proofs):
        if not part.multipliers:
            lines.append("No term of the models tells them apart.")
            continue
        told, weights = [Told(x, y, True) for x, y, _ in part.multipliers], tuple(m for _, _, m in part.multipliers)
        sums.append(_sum_line(told, Sum((), weights, part.scale), write))
        lines += ["These statements add up to it:", *_weighted(preferences, told, weights)]
    stated = tuple(dict.fromkeys((x, y) for line in sums for x, y, _ in line.statements))
    return Explanation("\n".join(lines), stated, False, tuple(sums))


def _explain_unknown(preferences: Preferences, proof: Disagreement, spoken: _Models) -> Explanation:
    """Explain why nothing is predicted: two simplest models side by side."""
    write = preferences.universe.write
    a, b = proof.first, proof.second
    models = [model for model in (proof.for_first, proof.for_second) if isinstance(model, Model)]
    lines = [f"{write(a)} against {write(b)} is unknown: two {spoken.several} satisfy every statement and disagree."]
    for number, model in enumerate(models, start=1):
        first, second = model.at(a), model.at(b)
        sign = ">" if first > second else "<" if first < second else "="
        lines.append(f"Model {number}: {model}")
        lines.append(f"  {write(a)} is worth {first} {sign} {second}, the worth of {write(b)}")
        behind = [f"{write(t)} ({v:+})" for t, v in model.values.items() if says(t, a, b)]
        lines.append(f"  the terms behind it: {', '.join(behind) if behind else 'none tells the two apart'}")
    return Explanation("\n".join(lines), models=tuple(models))


# -- a term, the degree ----------------------------------------------------------------------------------------------


def explain_term(facts: Facts, term: int) -> Explanation:
    """Explain why a simplest model needs a term, in the first repair whose models have it."""
    *others, last = facts.parts
    for number, part in enumerate(others, start=1):
        try:
            return _after(facts, number, _explain_needed(part, term))
        except InputError:  # not in this repair's models; another's may have it
            continue
    return _after(facts, len(facts.parts), _explain_needed(last, term))


def _explain_needed(facts: Single, term: int) -> Explanation:
    if not any(part.families for part in facts.relation.parts):
        raise InputError("why a term is needed can be told for models of lex, card or ws; here are none")
    write = facts.preferences.universe.write
    needed = why_needed(facts.relation.parts[0], term)
    told, total = needed.statements, needed.total
    without = ", ".join(map(write, total.theta)) or "no term at all"
    lines = [
        f"Without {write(needed.term)} its model has {without}, and these statements cannot hold together:",
        *_weighted(facts.preferences, told, total.weights),
        "added up, every one of those terms cancels: the sum would say that nothing is better than nothing.",
    ]
    if needed.others:
        lines.append(f"({needed.others} other terms could stand in its place: the statements cannot tell them apart.)")
    return Explanation("\n".join(lines), _written(told, write), False, (_sum_line(told, total, write),))


def explain_degree(facts: Facts) -> Explanation:
    """Explain why no smaller degree will do, after the first repair."""
    part = facts.parts[0]
    if part.minimum is None:
        raise InputError(f"the simplicity {part.simplicity} does not look for the smallest degree; lex and deg do")
    return _after(facts, 1, _explain_impossible(part.preferences, part.minimum))


def _explain_impossible(preferences: Preferences, minimum: MinimumDegree) -> Explanation:
    preferences.check_of_pairs("an explanation")
    if minimum.degree <= 1:
        return Explanation("The degree is the smallest there is: every element counts on its own.")
    write = preferences.universe.write
    kind = "single elements" if minimum.degree == 2 else f"terms of up to {minimum.degree - 1} elements"
    pairs = [weighted for weighted in minimum.impossible if len(weighted) == 3]
    told, weights = [Told(a, b, preferences.equates(a, b)) for a, b, _ in pairs], tuple(m for _, _, m in pairs)
    lines = [
        f"These statements cannot hold together with {kind} alone:",
        *_weighted(preferences, told, weights),
        "added up, every such term cancels: the sum would say that nothing is better than nothing.",
    ]
    total = _sum_line(told, Sum((), weights, 0), write)
    return Explanation("\n".join(lines), _written(told, write), False, (total,))


def _after(facts: Facts, repair: int, found: Explanation) -> Explanation:
    return found if len(facts.parts) == 1 else replace(found, text=f"After repair {repair}:\n{found.text}")


# -- statements ------------------------------------------------------------------------------------------------------


def _weighted(preferences: Preferences, told: Sequence[Told], weights: Sequence[int]) -> list[str]:
    """Return statements, each with how often it is taken."""
    times = ["" if abs(m) == 1 else f"{abs(m)} times " for m in weights]
    return [f"  {often}{_said(preferences, one)}" for often, one in zip(times, told, strict=True)]


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


def _sum_line(told: Sequence[Told], total: Sum, write: Write) -> SumLine:
    """Return a sum in names; a statement of no difference stands in the direction it is needed."""
    used = [(one, m) for one, m in zip(told, total.weights, strict=True) if m]
    sides = [(one.first, one.second) if m > 0 else (one.second, one.first) for one, m in used]
    lines = tuple((write(a), write(b), abs(m)) for (a, b), (_, m) in zip(sides, used, strict=True))
    same = tuple(i for i, (one, _) in enumerate(used) if one.same)
    return SumLine(tuple(map(write, total.theta)), lines, total.scale, same)


def _written(told: Sequence[Told], write: Write) -> tuple[tuple[str, str], ...]:
    return tuple((write(one.first), write(one.second)) for one in told)
