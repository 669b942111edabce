"""Words and tables for people: what the commands print. Nothing is computed here that the library does not offer."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from setpref.answers.summary import TermSummary, summarise
from setpref.data.numbers import number_text, plural
from setpref.errors import Contradiction
from setpref.model import Model, Utility
from setpref.proofs.verdicts import Disagreement, Divided, Dominance, Equality, FamilyProof, Proof, Unanimous
from setpref.verdict import Value

if TYPE_CHECKING:
    from rich.table import Table

    from setpref.answers.explaining import Explanation
    from setpref.answers.partial_order import Order
    from setpref.data.preferences import Preferences
    from setpref.learning.answering import Asking
    from setpref.learning.despite import LearnedDespiteErrors
    from setpref.learning.learned import Learned

__all__ = ["check_facts", "check_lines", "compare_line", "learned_lines", "term_table"]

MODELS_SHOWN = 5
TERMS_SHOWN = 40
TIERS_SHOWN = 12
REPAIRS_SHOWN = 5
SETS_SHOWN = 8
ORDER_SHOWN = 60


def written(rating: Fraction) -> str:
    """Return a rating as a short decimal."""
    if rating.denominator == 1:
        return str(rating)
    return f"{Decimal(rating.numerator) / rating.denominator:.6g}"


def check_facts(preferences: Preferences) -> dict[str, Any]:
    """Return what ``setpref check --json`` prints."""
    write = preferences.universe.write
    facts: dict[str, Any] = {
        "read": f"{preferences} from {preferences.source}",
        "elements": list(preferences.universe.names),
        "alternatives": len(preferences.alternatives),
        "stated_pairs": preferences.pair_count,
    }
    if preferences.tiers is None or preferences.ratings is None:
        same = {"same_pairs": preferences.equal_count}
        repeated = {"repeated_statements": preferences.repeated_statements}
        return {**facts, **same, **repeated, "contradiction": contradiction(preferences)}
    ratings = [preferences.ratings[tier[0]] for tier in preferences.tiers]
    return {
        **facts,
        "adjacent_pairs": sum(len(upper) * len(lower) for upper, lower in pairwise(preferences.tiers)),
        "tiers": [[write(mask) for mask in tier] for tier in preferences.tiers],
        "tier_ratings": [written(rating) for rating in ratings],
        "same_pairs": preferences.equal_count,
        "collisions": dict(vars(preferences.collisions)),
    }


def contradiction(preferences: Preferences) -> str | None:
    """Return a shortest contradiction of the statements in one sentence, if there is one."""
    try:
        preferences.check_consistent()
    except Contradiction as error:
        return str(error)
    return None


def check_lines(preferences: Preferences) -> list[str]:
    """Return what ``setpref check`` prints."""
    facts = check_facts(preferences)
    lines = [f"read {facts['read']}", f"elements: {', '.join(preferences.universe.names)}"]
    if preferences.tiers is None:
        distinct = preferences.pair_count + preferences.equal_count
        same = f", {preferences.equal_count:,} of them of no difference" if preferences.equal_count else ""
        lines += [
            f"distinct statements: {distinct:,}{same} ({preferences.repeated_statements:,} repeated)",
            "no contradiction: the statements contain no cycle"
            if preferences.consistent
            else "the statements contradict each other",
        ]
    else:
        count = len(preferences.tiers)
        cut = f" (showing {TIERS_SHOWN})" if count > TIERS_SHOWN else ""
        lines += [str(preferences.collisions), f"{plural(count, 'tier')}, best first{cut}:"]
        for tier, rating in islice(zip(facts["tiers"], facts["tier_ratings"], strict=True), TIERS_SHOWN):
            more = f" and {len(tier) - SETS_SHOWN} more" if len(tier) > SETS_SHOWN else ""
            lines.append(f"  {rating}: {', '.join(tier[:SETS_SHOWN])}{more}")
        lines.append(
            f"stated pairs: {preferences.pair_count:,}, all implied by {facts['adjacent_pairs']:,} of adjacent tiers"
        )
    if preferences.ties == "indifferent":
        lines.append(f"equal ratings say that there is no difference: {plural(preferences.equal_count, 'such pair')}")
    if not preferences.pair_count:
        lines.append("there is nothing to learn: no set is stated to be better than another")
    return lines


def despite_lines(learned: LearnedDespiteErrors) -> list[str]:
    """Return what ``setpref learn --errors`` says before the table of terms."""
    repaired, parts = learned.repaired, learned.parts
    lines = [_given_up_line(learned)]
    if repaired.cost:
        lines += [f"  repair {i}: {'; '.join(dropped)}" for i, dropped in enumerate(learned.dropped[:REPAIRS_SHOWN], 1)]
    if len(parts) > REPAIRS_SHOWN:
        lines.append(f"  ... and {len(parts) - REPAIRS_SHOWN} more (--json lists them)")
    if len(parts) == 1:
        return lines + learned_lines(parts[0])
    for number, part in enumerate(parts[:REPAIRS_SHOWN], start=1):
        if not part.models:
            lines.append(f"after repair {number}: degree {part.degree}; no simplest model was found in the time")
            continue
        sizes = f"degree {part.degree}, cardinality {part.cardinality}, total size {part.total_size}"
        lines.append(f"after repair {number}: {sizes}, {plural(len(part.models), 'simplest model')}, such as")
        lines += [f"  {model}" for model in islice(part.models, 1)]
    return [*lines, "predictions are made only where every simplest model of every repair agrees"]


def _given_up_line(learned: LearnedDespiteErrors) -> str:
    """Return how much is given up, for what, and in how many ways."""
    repaired = learned.repaired
    if not repaired.cost:
        return "nothing has to be given up"
    word = "rating" if learned.preferences.ratings is not None else "statement"
    plain = all(item.weight == 1 for item in repaired.items)
    much = plural(int(repaired.cost), word) if plain else f"{word}s of weight {number_text(repaired.cost)}"
    one = plain and repaired.cost == 1
    what = f"{much} {'has' if one else 'have'} to be given up"
    if not repaired.proven:
        least = f"{number_text(repaired.lower_bound)}"
        return f"the best repair known gives up {much}; at least {least} must be given up:"
    if learned.allowed is not None:
        what = f"giving up {much} ({number_text(learned.allowed)} allowed) makes degree {repaired.degree} enough"
    ways = len(learned.parts)
    if not repaired.complete:
        return f"{what}; {plural(ways, 'of the cheapest repairs was', 'of the cheapest repairs were')} looked at:"
    return f"{what}, {'in one way' if ways == 1 else f'in {ways} equally good ways'}:"


def learned_lines(learned: Learned) -> list[str]:
    """Return what ``setpref learn`` says before the table of terms."""
    lines = [_degree_line(learned)]
    if learned.found is None:
        return lines + _degree_only_lines(learned)
    if learned.cardinality is not None:
        lines.append(f"cardinality {learned.cardinality}: the number of terms, elements and synergies, that are needed")
    if learned.total_size is not None:
        lines.append(f"total size {learned.total_size}: the sizes of those terms added up")
    lines.append(_models_line(learned))
    lines += [f"  {model}" for model in islice(learned.models, MODELS_SHOWN)]
    if len(learned.models) > MODELS_SHOWN:
        lines.append(f"  ... and {len(learned.models) - MODELS_SHOWN:,} more (--json lists them)")
    return lines


def _degree_line(learned: Learned) -> str:
    meanings = {
        None: "the simplest models differ in the size of their largest term",
        0: "no set is stated to be better than another, so nothing is needed",
        1: "every element counts on its own; no synergies are needed",
    }
    enough = f"synergies of up to {learned.degree} elements are needed, and suffice"
    shown = "differs" if learned.degree is None else learned.degree
    return f"degree {shown}: {meanings.get(learned.degree, enough)}"


def _models_line(learned: Learned) -> str:
    count = len(learned.models)
    if learned.proven:
        return f"{plural(count, 'simplest model')}, {'each ' if count > 1 else ''}with one choice of compatible values:"
    return f"{plural(count, 'model')} known so far:" if count else "no model known so far"


def _degree_only_lines(learned: Learned) -> list[str]:
    """Return what is said for the simplicity ``deg``, which keeps every term up to the degree."""
    elements = len(learned.preferences.universe)
    if learned.cardinality is None:
        lines = [f"the terms up to that size are too many to list over {elements} elements; the kernel keeps the model"]
    else:
        lines = [f"{plural(learned.cardinality, 'term')} up to that size, of total size {learned.total_size:,}"]
    for model in learned.models:
        text = str(model)
        lines.append(f"one model that fits: {text if len(text) <= 400 else text[:400].rsplit(' ', 1)[0] + ' ...'}")
    if (learned.degree or 0) > 1:
        lines.append("note: `deg` alone keeps every term, so it predicts little once the degree is 2 or more")
    return lines


def closing_lines(learned: Learned | LearnedDespiteErrors) -> list[str]:
    """Return what was proven and how long it took."""
    route = getattr(learned, "route", "") if learned.by_programs else ""
    how = f" ({route})" if route else ""
    return [learned.meaning, f"{learned.seconds:.3f} s with engine {learned.engine}{how}"]


def term_table(learned: Asking) -> Table | None:
    """Return the table of terms over all simplest models."""
    from rich.table import Table

    rows = summarise(learned.relation.cones if learned.proven else ())
    if not rows:
        return None
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("term", "in", "value", "weight"):
        table.add_column(column, justify="right" if column == "weight" else "left", no_wrap=column != "term")
    for row in rows[:TERMS_SHOWN]:
        table.add_row(
            learned.preferences.universe.write(row.term),
            "all models" if row.always else "some",
            {1: "positive", -1: "negative", 0: "either"}[row.sign],
            _weight(row),
        )
    if len(rows) > TERMS_SHOWN:
        table.add_row(f"... {len(rows) - TERMS_SHOWN} more", "", "", "")
    return table


def _weight(row: TermSummary) -> str:
    """Return the range of the share of a term's value in the sum of all sizes of values."""
    if row.low is None or row.high is None:
        return "?"
    low, high = (f"{float(share):.0%}" for share in (row.low, row.high))
    return low if low == high else f"{low} to {high}"


def compare_line(learned: Asking, first: str, second: str, value: Value) -> str:
    """Return the sentence of ``setpref compare``."""
    write, mask = learned.preferences.universe.write, learned.preferences.universe.mask
    a, b = write(mask(first)), write(mask(second))
    if not learned.relation.parts:
        return "unknown: no simplest model is known yet; learn again with more time"
    if a == b:
        return f"same: {a} and {b} are the same set"
    sentence = {
        Value.SAME: f"same: {a} and {b} are worth the same in every simplest model",
        Value.BETTER: f"better: {a} is over {b} in every simplest model",
        Value.WORSE: f"worse: {b} is over {a} in every simplest model",
        Value.UNKNOWN: f"unknown: the simplest models and their values do not agree on {a} and {b}",
    }[value]
    if len(learned.relation.parts) > 1:
        sentence = sentence.replace("every simplest model", "every simplest model of every repair")
    return sentence if learned.proven else f"{sentence.replace('every simplest model', 'the models known so far')}"


def order_facts(order: Order) -> dict[str, Any]:
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


def explanation_facts(explanation: Explanation) -> dict[str, Any]:
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


def certificate_lines(learned: Asking, proof: Proof | Unanimous | Divided) -> list[str]:
    """Return a certificate for a person."""
    write = learned.preferences.universe.write
    if isinstance(proof, Unanimous):
        parts_lines = [(i, certificate_lines(learned, part)) for i, part in enumerate(proof.proofs, start=1)]
        return [f"  repair {i},{line[1:]}" for i, lines in parts_lines for line in lines]
    if isinstance(proof, Divided):
        return [
            f"  repair {i + 1}: {model.at(proof.first)} against {model.at(proof.second)} by {_model_text(model)}"
            for i, model in (proof.for_first, proof.for_second)
        ]
    if isinstance(proof, Disagreement):
        told = "  model {}: {} against {} by {}"
        models = (proof.for_first, proof.for_second)
        return [
            told.format(number, model.at(proof.first), model.at(proof.second), _model_text(model))
            for number, model in enumerate(models, start=1)
        ]
    lines = []
    parts: Sequence[Dominance | FamilyProof] = [proof] if isinstance(proof, Dominance) else proof.proofs
    if isinstance(proof, Equality):
        goal = f"{write(proof.first)} same as {write(proof.second)}"
        if not any(part.multipliers for part in parts):
            return [f"  no term of any simplest model tells {write(proof.first)} and {write(proof.second)} apart"]
    else:
        goal = f"{write(proof.better)} over {write(proof.worse)}"
    word = {True: "same as", False: "over"}
    for number, part in enumerate(parts, start=1):
        sums = [
            f"{m} x ({write(a)} {word[learned.preferences.equates(a, b)]} {write(b)})" for a, b, m in part.multipliers
        ]
        left = " + ".join(sums) or "no term distinguishes them"
        lines.append(f"  theta {number}: {left} = {part.scale} x ({goal})")
    return lines


def _model_text(model: Utility) -> str:
    return str(model) if isinstance(model, Model) else "a model of all terms up to the degree"
