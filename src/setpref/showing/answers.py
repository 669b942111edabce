"""What was answered: verdicts and their proofs, many of them, the order, the best sets."""

from __future__ import annotations

from collections.abc import Mapping

from setpref.answers.best import Best
from setpref.answers.partial_order import Order
from setpref.data.numbers import plural
from setpref.data.preferences import Preferences
from setpref.model import Model, Utility
from setpref.proofs.verdicts import Certificate, Disagreement, Divided, Unanimous
from setpref.showing.facts import Facts
from setpref.verdict import Value

__all__ = [
    "best_lines",
    "certificate_lines",
    "compare_line",
    "order_facts",
    "order_lines",
    "predicted_line",
    "unconfirmed_line",
]

SETS_SHOWN = 8
ORDER_SHOWN = 60


# -- one pair, many pairs --------------------------------------------------------------------------------------------


def compare_line(facts: Facts, first: str, second: str, value: Value) -> str:
    """Return the sentence of ``setpref compare``."""
    write, mask = facts.preferences.universe.write, facts.preferences.universe.mask
    a, b = write(mask(first)), write(mask(second))
    if not facts.relation.parts:
        return f"{Value.UNKNOWN}: no simplest model is known yet; learn again with more time"
    if a == b:
        return f"{Value.SAME}: {a} and {b} are the same set"
    models = "every simplest model" if facts.proven else "the models known so far"
    where = f"{models} of every repair" if len(facts.parts) > 1 else models
    said = {
        Value.SAME: f"{a} and {b} are worth the same in {where}",
        Value.BETTER: f"{a} is over {b} in {where}",
        Value.WORSE: f"{b} is over {a} in {where}",
        Value.UNKNOWN: f"the simplest models and their values do not agree on {a} and {b}",
    }
    return f"{value}: {said[value]}"


def unconfirmed_line(facts: Facts, first: str, second: str) -> str:
    """Return the sentence of ``setpref compare --engine mip`` where nothing is certain."""
    write, mask = facts.preferences.universe.write, facts.preferences.universe.mask
    a, b = write(mask(first)), write(mask(second))
    return f"{Value.UNKNOWN}: the paper's program says nothing of {a} and {b} that an exact certificate confirms"


def predicted_line(counts: Mapping[str, int]) -> str:
    """Return how many pairs were answered in which way."""
    told = ", ".join(f"{count:,} {word}" for word, count in counts.items())
    return f"{sum(counts.values()):,} pairs answered: {told}"


# -- proofs ----------------------------------------------------------------------------------------------------------


def certificate_lines(preferences: Preferences, proof: Certificate) -> list[str]:
    """Return a certificate for a person."""
    if isinstance(proof, Unanimous):
        each = [(i, certificate_lines(preferences, part)) for i, part in enumerate(proof.proofs, start=1)]
        return [f"  repair {i},{line[1:]}" for i, lines in each for line in lines]
    value, first, second = proof.claim
    if isinstance(proof, Divided):
        return [_worth_line(f"repair {i + 1}", m, first, second) for i, m in (proof.for_first, proof.for_second)]
    if isinstance(proof, Disagreement):
        models = enumerate((proof.for_first, proof.for_second), start=1)
        return [_worth_line(f"model {number}", model, first, second) for number, model in models]
    a, b = map(preferences.universe.write, (first, second))
    if value is Value.SAME and not any(part.multipliers for part in proof.proofs):
        return [f"  no term of any simplest model tells {a} and {b} apart"]
    goal = _stated(preferences, first, second, value is Value.SAME)
    lines = []
    for number, part in enumerate(proof.proofs, start=1):
        sums = [f"{m} x ({_stated(preferences, x, y, preferences.equates(x, y))})" for x, y, m in part.multipliers]
        left = " + ".join(sums) or "no term distinguishes them"
        lines.append(f"  theta {number}: {left} = {part.scale} x ({goal})")
    return lines


def _stated(preferences: Preferences, first: int, second: int, same: bool) -> str:
    return f"{preferences.universe.write(first)} {'same as' if same else 'over'} {preferences.universe.write(second)}"


def _worth_line(whose: str, model: Utility, first: int, second: int) -> str:
    text = str(model) if isinstance(model, Model) else "a model of all terms up to the degree"
    return f"  {whose}: {model.at(first)} against {model.at(second)} by {text}"


# -- the order, the best ---------------------------------------------------------------------------------------------


def order_facts(order: Order) -> dict[str, object]:
    """Return what ``setpref order --json`` prints."""
    return {
        "alternatives": list(order.alternatives),
        "covers": [list(pair) for pair in order.covers],
        "maximal": list(order.maximal),
        "minimal": list(order.minimal),
        "equal": [[order.alternatives[i] for i in group] for group in order.equal if len(group) > 1],
        "ranks": {name: list(ranks) for name, ranks in order.ranks.items()},
    }


def order_lines(order: Order) -> list[str]:
    """Return what ``setpref order`` prints: the alternatives by rank, with what lies directly below each."""
    pairs = int(order.matrix.sum())
    total = len(order) * (len(order) - 1) // 2
    below: dict[str, list[str]] = {}
    for better, worse in order.covers:
        below.setdefault(better, []).append(worse)
    same = sum(len(group) * (len(group) - 1) // 2 for group in order.equal)
    known = f"{pairs:,} better or worse, {same:,} same, {total - pairs - same:,} unknown"
    lines = [f"{plural(len(order), 'alternative')}, {plural(total, 'pair')}: {known}"]
    ranked = sorted(order.ranks.items(), key=lambda item: (sum(item[1]), item[0]))
    for name, (best, worst) in ranked[:ORDER_SHOWN]:
        rank = f"rank {best}" if best == worst else f"rank {best} to {worst}"
        under = below.get(name, [])
        more = f" and {len(under) - SETS_SHOWN} more" if len(under) > SETS_SHOWN else ""
        lines.append(f"  {name}: {rank}" + (f", directly over {', '.join(under[:SETS_SHOWN])}{more}" if under else ""))
    if len(order) > ORDER_SHOWN:
        lines.append(f"  ... and {len(order) - ORDER_SHOWN:,} more (--json lists them)")
    lines += [
        f"certainly equal: {', '.join(order.alternatives[i] for i in group)}" for group in order.equal if len(group) > 1
    ][:SETS_SHOWN]
    return lines


def best_lines(found: Best) -> list[str]:
    """Return what ``setpref best`` prints."""
    return [
        f"{found.considered:,} sets considered",
        f"necessarily best: {', '.join(found.necessarily) or 'none'}",
        f"possibly best: {', '.join(found.possibly)}",
    ]
