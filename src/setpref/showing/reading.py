"""What was read: elements, tiers or statements, repetitions, and whether they can hold together."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

from setpref.data.numbers import plural
from setpref.data.preferences import Preferences
from setpref.errors import Contradiction

__all__ = ["check_facts", "check_lines", "contradiction"]

TIERS_SHOWN = 12
SETS_SHOWN = 8


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
        refused = contradiction(preferences)
        return {**facts, **same, **repeated, "contradiction": None if refused is None else str(refused)}
    ratings = [preferences.ratings[tier[0]] for tier in preferences.tiers]
    return {
        **facts,
        "adjacent_pairs": sum(len(upper) * len(lower) for upper, lower in pairwise(preferences.tiers)),
        "tiers": [[write(mask) for mask in tier] for tier in preferences.tiers],
        "tier_ratings": [_written(rating) for rating in ratings],
        "same_pairs": preferences.equal_count,
        "collisions": dict(vars(preferences.collisions)),
    }


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


def contradiction(preferences: Preferences) -> Contradiction | None:
    """Return the error that everything but the diagnosis and the repair of contradictory data ends with."""
    try:
        preferences.check_consistent()
    except Contradiction as refused:
        return refused
    return None


def _written(rating: Fraction) -> str:
    """Return a rating as a short decimal."""
    if rating.denominator == 1:
        return str(rating)
    return f"{Decimal(rating.numerator) / rating.denominator:.6g}"
