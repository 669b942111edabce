"""Words about contradictions and repairs: what ``check``, ``repair`` and ``tradeoff`` print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from setpref.data.items import Items
from setpref.data.numbers import number_text, plural
from setpref.proofs.repairs import Conflict
from setpref.repairs.repairing import reasons

if TYPE_CHECKING:
    from setpref.repairs.conflicts import Conflicts
    from setpref.repairs.repaired import Repair, Repaired
    from setpref.repairs.tradeoffs import Point, Recommendation, Tradeoff

__all__ = [
    "conflict_facts",
    "conflict_lines",
    "repair_facts",
    "repair_lines",
    "tradeoff_facts",
    "tradeoff_lines",
]

STATEMENTS_SHOWN = 8
COUNTS_SHOWN = 12
REPAIRS_SHOWN = 3
DROPPED_SHOWN = 20


def weight_text(weight: Fraction) -> str:
    """Return a weight as a short number."""
    return number_text(weight)


def things(items: Items, number: int) -> str:
    """Return a number of items with their noun."""
    return plural(number, "statement" if items.preferences.ratings is None else "rating")


def _cut(lines: Sequence[str], most: int) -> list[str]:
    """Leave out the middle of a long list, saying so."""
    if len(lines) <= most:
        return list(lines)
    half = most // 2
    return [*lines[:half], f"... {len(lines) - 2 * half:,} more ...", *lines[len(lines) - half :]]


# -- groups ----------------------------------------------------------------------------------------------------------


def _item_facts(items: Items, number: int) -> dict[str, object]:
    item, write = items[number], items.preferences.universe.write
    facts: dict[str, Any] = {"says": items.words(number), "sets": [write(mask) for mask in item.sets]}
    given = items.preferences
    if given.ratings is not None:
        facts["positions"] = list(given.places.get(item.sets[0], ()))
        facts["places"] = [f"{given.word} {position}" for position in facts["positions"]]
    if item.statements:
        facts["places"] = [given.place(s) for s in item.statements]
        facts["positions"] = [s.position for s in item.statements]
        facts["relation"] = "~" if item.same else ">"
    return {**facts, "weight": weight_text(item.weight)}


def conflict_facts(conflicts: Conflicts, shown: int) -> dict[str, object]:
    """Return what ``setpref check --json`` says of groups that cannot hold together."""
    items = conflicts.items
    return {
        "degree": conflicts.degree,
        "found": len(conflicts.groups),
        "complete": conflicts.complete,
        "groups": [[_item_facts(items, i) for i in group.items] for group in conflicts.groups[:shown]],
        "counts": [{**_item_facts(items, i), "groups": count} for i, count in conflicts.counts],
    }


def conflict_lines(conflicts: Conflicts, shown: int) -> list[str]:
    """Return what ``setpref check`` says of groups that cannot hold together."""
    items, found = conflicts.items, len(conflicts.groups)
    highest = conflicts.degree >= len(items.preferences.universe)
    model = "model" if highest else f"model with terms of up to {plural(conflicts.degree, 'element')}"
    if not found:
        return [f"a {model} satisfies all of it" if conflicts.complete else "no group was found in time"]
    kind = "statements" if items.preferences.ratings is None else "ratings"
    extent = (
        "all there are" if conflicts.complete else f"there may be more; all with up to {conflicts.smallest} are here"
    )
    cut = f", the {shown} smallest shown" if found > shown else ", smallest first" if found > 1 else ""
    lines = [f"{plural(found, 'group')} of {kind} that no {model} satisfies together ({extent}{cut}):"]
    for number, group in enumerate(conflicts.groups[:shown], start=1):
        lines.append(f"  {number}. {things(items, len(group.items))}")
        lines += [
            f"     {line}" for line in _cut([items.sentence(i) for i in in_order(items, group)], STATEMENTS_SHOWN)
        ]
    counts = conflicts.counts
    if found > 1:
        lines.append("in most of them:" if len(counts) > COUNTS_SHOWN else "in how many of them each is:")
        lines += [f"  {count:>5,}  {items.sentence(i)}" for i, count in counts[:COUNTS_SHOWN]]
        if len(counts) > COUNTS_SHOWN:
            lines.append(f"  ... and {things(items, len(counts) - COUNTS_SHOWN)} more (--json lists them)")
    return lines


def in_order(items: Items, group: Conflict) -> list[int]:
    """Return the items of a group as its multipliers go round, from the one given first; a cycle reads as one."""
    order: dict[int, None] = {}
    among = frozenset(group.items)
    for first, second, _ in group.multipliers:
        order.update(dict.fromkeys(items.states(first, second, among)[1]))
    numbers = [*order, *(i for i in group.items if i not in order)]
    start = numbers.index(min(numbers))
    return numbers[start:] + numbers[:start]


# -- repairs ---------------------------------------------------------------------------------------------------------


def repair_facts(found: Repaired) -> dict[str, object]:
    """Return what ``setpref repair --json`` prints."""
    items, reason = found.items, reasons(found)
    repairs = []
    for one in found.repairs:
        dropped = []
        for i in one.dropped[:DROPPED_SHOWN] if not found.proven else one.dropped:
            group = reason(one, i)
            excluded = [] if group is None else [_item_facts(items, j) for j in in_order(items, group) if j != i]
            dropped.append({**_item_facts(items, i), "cannot_hold_with": excluded})
        dropped += [_item_facts(items, i) for i in one.dropped[len(dropped) :]]
        repairs.append({"dropped": dropped})
    return {
        "degree": found.degree,
        "items": len(items),
        "cost": weight_text(found.cost),
        "lower_bound": weight_text(found.lower_bound),
        "proven": found.proven,
        "complete": found.complete,
        "repairs": repairs,
        "seconds": found.seconds,
        "statistics": found.statistics,
    }


def repair_lines(found: Repaired) -> list[str]:
    """Return what ``setpref repair`` prints."""
    items = found.items
    if found.proven and not found.cost:
        return [f"nothing has to be given up: {_goal(found)} all {things(items, len(items))}"]
    first = found.repairs[0]
    weighed = any(item.weight != 1 for item in items)
    weight = f", of weight {weight_text(found.cost)}," if weighed else ""
    many = f"{len(first.dropped):,} of {things(items, len(items))}{weight} must be given up"
    if found.proven:
        lines = [f"{many} so that {_goal(found)} the rest; no less will do"]
        lines += _choice_lines(found)
    else:
        bounds = f"between {weight_text(found.lower_bound)} and {weight_text(found.cost)}"
        what = "weight" if weighed else "number"
        lines = [f"stopped early: the {what} that must be given up so that {_goal(found)} the rest is {bounds}"]
    reason = reasons(found)
    for number, one in enumerate(found.repairs[:REPAIRS_SHOWN], start=1):
        title = f"repair {number}:" if len(found.repairs) > 1 else "the best repair known:"
        lines += [
            f"{'the repair:' if found.proven and len(found.repairs) == 1 else title}",
            *_dropped_lines(items, one, reason),
        ]
    if len(found.repairs) > REPAIRS_SHOWN:
        lines.append(f"... and {plural(len(found.repairs) - REPAIRS_SHOWN, 'repair')} more (--json lists them)")
    return lines


def _goal(found: Repaired) -> str:
    if found.degree >= len(found.items.preferences.universe):
        return "some model satisfies"
    return f"a model with terms of up to {plural(found.degree, 'element')} satisfies"


def _choice_lines(found: Repaired) -> list[str]:
    """Say how many repairs there are and what they have in common."""
    if len(found.repairs) == 1 and found.complete:
        return ["there is one such repair"]
    count = plural(len(found.repairs), "repair")
    lines = [
        f"{count} cost as much"
        if found.complete
        else f"{len(found.repairs):,} of the cheapest are listed; there may be more (--limit)"
    ]
    if found.complete and found.always:
        lines.append("each of them gives up:")
        lines += [f"  {items_line}" for items_line in map(found.items.sentence, found.always)]
    return lines


def _dropped_lines(items: Items, one: Repair, reason: Callable[[Repair, int], Conflict | None]) -> list[str]:
    lines = []
    for i in one.dropped[:DROPPED_SHOWN]:
        lines.append(f"  give up {items.sentence(i)}")
        group = reason(one, i)
        if group is None:
            lines.append("    (perhaps not needed: the search stopped early)")
            continue
        others = _cut([items.sentence(j) for j in in_order(items, group) if j != i], STATEMENTS_SHOWN)
        lines.append(f"    it cannot hold together with {'; '.join(others)}")
    if len(one.dropped) > DROPPED_SHOWN:
        lines.append(f"  ... and {things(items, len(one.dropped) - DROPPED_SHOWN)} more (--json lists them)")
    return lines


# -- the trade-off ---------------------------------------------------------------------------------------------------


def tradeoff_facts(found: Tradeoff, recommended: Recommendation | None) -> dict[str, object]:
    """Return what ``setpref tradeoff --json`` prints."""
    points = [
        {
            found.by: point.size,
            "at_least": point.least_size,
            "cost": weight_text(point.cost),
            "lower_bound": weight_text(point.lower_bound),
            "proven": point.proven,
            "dropped": [_item_facts(found.items, i) for i in point.dropped],
            "model": None if point.fewest is None else str(point.fewest.model),
        }
        for point in found.points
    ]
    return {
        "by": found.by,
        "total": weight_text(found.total),
        "points": points,
        "recommended": recommended and {found.by: recommended.point.size, "rule": recommended.rule},
        "seconds": found.seconds,
    }


def tradeoff_lines(found: Tradeoff, recommended: Recommendation | None) -> list[str]:
    """Return what ``setpref tradeoff`` prints."""
    word = "degree" if found.by == "degree" else "terms"
    lines = [f"{word:>6}  given up of {weight_text(found.total)}"]
    lines += [f"{_size_text(point):>6}  {_cost_text(point)}" for point in found.points]
    if found.by == "degree" and found.points[-1].proven:
        lines.append(f"a degree above {found.points[-1].size} gives up no less")
    if not found.proven:
        lines.append("where there are two numbers the time was too short to know: at least, and at most")
    if recommended is None:
        return [
            *lines,
            "no recommendation: which model is the simplest that gives up little was not settled in the time",
        ]
    size = recommended.point.size
    what = f"degree {size}" if found.by == "degree" else plural(size, "term")
    return [*lines, f"recommended: {what}, {recommended.rule} (a rule of thumb, not applied)"]


def _size_text(point: Point) -> str:
    return str(point.size) if point.least_size == point.size else f"{point.least_size} to {point.size}"


def _cost_text(point: Point) -> str:
    cost = weight_text(point.cost)
    return cost if point.lower_bound == point.cost else f"{weight_text(point.lower_bound)} to {cost}"
