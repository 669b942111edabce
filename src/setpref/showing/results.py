"""What was learned: how simple, which models, what they say of each term, and what of it is proven."""

from __future__ import annotations

from itertools import islice

from setpref.answers.summary import TermSummary, summarise
from setpref.data.numbers import number_text, plural
from setpref.showing.facts import ByRepair, Facts, Single
from setpref.simplicity import simplicity_of

__all__ = ["closing_lines", "learned_facts", "learned_lines", "meaning", "term_rows"]

JSON_MODELS = 10_000
MODELS_SHOWN = 5
TERMS_SHOWN = 40
REPAIRS_SHOWN = 5

SIGNS = {1: "positive", -1: "negative", 0: "either"}


# -- what was proven -------------------------------------------------------------------------------------------------


def meaning(facts: Facts) -> str:
    """Return one sentence on what was proven."""
    return _single_meaning(facts) if isinstance(facts, Single) else _repairs_meaning(facts)


def _single_meaning(facts: Single) -> str:
    if facts.every_term:
        degree = facts.measures.degree or 0
        below = f"no model of degree {degree - 1} can satisfy the statements"
        return f"proven: {below if degree > 1 else 'nothing simpler is possible'}"
    if facts.proven:
        return "proven: these are all the simplest models, and no simpler model satisfies the statements"
    known = "the models shown satisfy every statement but may not be the simplest, and others may exist"
    if not facts.models:
        known = "no model was found yet"
    return (
        f"not proven: every model has {simplicity_of(facts.simplicity).counted} at least {facts.lower_bound}; {known}"
    )


def _repairs_meaning(facts: ByRepair) -> str:
    if facts.proven:
        return "proven: no repair is cheaper or left out, and of each these are all the simplest models"
    if not facts.repaired.proven:
        least = number_text(facts.repaired.lower_bound)
        return f"not proven: every repair costs at least {least}; a cheaper one may exist"
    if not facts.smallest_degree:
        return "not proven: the search was stopped; a smaller degree may be possible with so many errors"
    if not facts.repaired.complete:
        return f"not proven: {len(facts.parts)} of the cheapest repairs were looked at; there may be more"
    return "not proven: the search for the simplest models was stopped; others may exist"


def closing_lines(facts: Facts) -> list[str]:
    """Return what was proven and how long it took."""
    how = f" ({facts.route})" if isinstance(facts, Single) and facts.every_term and facts.route else ""
    return [meaning(facts), f"{facts.seconds:.3f} s with engine {facts.engine}{how}"]


# -- the models ------------------------------------------------------------------------------------------------------


def learned_lines(facts: Facts) -> list[str]:
    """Return what ``setpref learn`` says before the table of terms."""
    return _single_lines(facts) if isinstance(facts, Single) else _repairs_lines(facts)


def _single_lines(facts: Single) -> list[str]:
    degree, cardinality, total_size = facts.measures
    lines = [_degree_line(degree)]
    if facts.every_term:
        return lines + _every_term_lines(facts)
    if cardinality is not None:
        lines.append(f"cardinality {cardinality}: the number of terms, elements and synergies, that are needed")
    if total_size is not None:
        lines.append(f"total size {total_size}: the sizes of those terms added up")
    lines.append(_models_line(facts))
    lines += [f"  {model}" for model in islice(facts.models, MODELS_SHOWN)]
    if len(facts.models) > MODELS_SHOWN:
        lines.append(f"  ... and {len(facts.models) - MODELS_SHOWN:,} more (--json lists them)")
    return lines


def _degree_line(degree: int | None) -> str:
    meanings = {
        None: "the simplest models differ in the size of their largest term",
        0: "no set is stated to be better than another, so nothing is needed",
        1: "every element counts on its own; no synergies are needed",
    }
    enough = f"synergies of up to {degree} elements are needed, and suffice"
    return f"degree {'differs' if degree is None else degree}: {meanings.get(degree, enough)}"


def _models_line(facts: Single) -> str:
    count = len(facts.models)
    if facts.proven:
        return f"{plural(count, 'simplest model')}, {'each ' if count > 1 else ''}with one choice of compatible values:"
    return f"{plural(count, 'model')} known so far:" if count else "no model known so far"


def _every_term_lines(facts: Single) -> list[str]:
    """Return what is said for the simplicity ``deg``, which keeps every term up to the degree."""
    elements = len(facts.preferences.universe)
    degree, cardinality, total_size = facts.measures
    if cardinality is None:
        lines = [f"the terms up to that size are too many to list over {elements} elements; the kernel keeps the model"]
    else:
        lines = [f"{plural(cardinality, 'term')} up to that size, of total size {total_size:,}"]
    for model in facts.models:
        text = str(model)
        lines.append(f"one model that fits: {text if len(text) <= 400 else text[:400].rsplit(' ', 1)[0] + ' ...'}")
    if (degree or 0) > 1:
        lines.append("note: `deg` alone keeps every term, so it predicts little once the degree is 2 or more")
    return lines


# -- the models of every repair --------------------------------------------------------------------------------------


def _repairs_lines(facts: ByRepair) -> list[str]:
    repaired, parts = facts.repaired, facts.parts
    lines = [_given_up_line(facts)]
    if repaired.cost:
        lines += [f"  repair {i}: {'; '.join(dropped)}" for i, dropped in enumerate(facts.dropped[:REPAIRS_SHOWN], 1)]
    if len(parts) > REPAIRS_SHOWN:
        lines.append(f"  ... and {len(parts) - REPAIRS_SHOWN} more (--json lists them)")
    if len(parts) == 1:
        return lines + _single_lines(parts[0])
    for number, part in enumerate(parts[:REPAIRS_SHOWN], start=1):
        degree, cardinality, total_size = part.measures
        if not part.models:
            lines.append(f"after repair {number}: degree {degree}; no simplest model was found in the time")
            continue
        sizes = f"degree {degree}, cardinality {cardinality}, total size {total_size}"
        lines.append(f"after repair {number}: {sizes}, {plural(len(part.models), 'simplest model')}, such as")
        lines += [f"  {model}" for model in islice(part.models, 1)]
    return [*lines, "predictions are made only where every simplest model of every repair agrees"]


def _given_up_line(facts: ByRepair) -> str:
    """Return how much is given up, for what, and in how many ways."""
    repaired = facts.repaired
    if not repaired.cost:
        return "nothing has to be given up"
    word = "rating" if facts.preferences.ratings is not None else "statement"
    plain = all(item.weight == 1 for item in repaired.items)
    much = plural(int(repaired.cost), word) if plain else f"{word}s of weight {number_text(repaired.cost)}"
    one = plain and repaired.cost == 1
    what = f"{much} {'has' if one else 'have'} to be given up"
    if not repaired.proven:
        least = f"{number_text(repaired.lower_bound)}"
        return f"the best repair known gives up {much}; at least {least} must be given up:"
    if facts.allowed is not None:
        what = f"giving up {much} ({number_text(facts.allowed)} allowed) makes degree {repaired.degree} enough"
    ways = len(facts.parts)
    if not repaired.complete:
        return f"{what}; {plural(ways, 'of the cheapest repairs was', 'of the cheapest repairs were')} looked at:"
    return f"{what}, {'in one way' if ways == 1 else f'in {ways} equally good ways'}:"


# -- the terms -------------------------------------------------------------------------------------------------------


def term_rows(facts: Facts) -> list[tuple[str, str, str, str]]:
    """Return per term over all simplest models: itself, in how many, its certain sign, its share; none if unproven."""
    terms = summarise(facts.relation.cones if facts.proven else ())
    write = facts.preferences.universe.write
    rows = [
        (write(term.term), "all models" if term.always else "some", SIGNS[term.sign], _weight(term))
        for term in terms[:TERMS_SHOWN]
    ]
    return rows if len(terms) <= TERMS_SHOWN else [*rows, (f"... {len(terms) - TERMS_SHOWN} more", "", "", "")]


def _weight(term: TermSummary) -> str:
    """Return the range of the share of a term's value in the sum of all sizes of values."""
    if term.low is None or term.high is None:
        return "?"
    low, high = (f"{float(share):.0%}" for share in (term.low, term.high))
    return low if low == high else f"{low} to {high}"


# -- as data ---------------------------------------------------------------------------------------------------------


def learned_facts(facts: Facts) -> dict[str, object]:
    """Return what ``setpref learn --json`` prints."""
    told = {
        "simplicity": facts.simplicity,
        **facts.measures._asdict(),
        "proven": facts.proven,
    }
    about = {
        "meaning": meaning(facts),
        "elements": list(facts.preferences.universe.names),
        "read": f"{facts.preferences} from {facts.preferences.source}",
    }
    made = {"engine": facts.engine, "seconds": round(facts.seconds, 6)}
    if isinstance(facts, ByRepair):
        return {**told, "model_count": len(facts.models), **about, **_repairs_facts(facts), **made}
    write = facts.preferences.universe.write
    shown = list(islice(facts.models, JSON_MODELS))
    return {
        **told,
        "lower_bound": facts.lower_bound,
        "model_count": len(facts.models) if shown or not facts.every_term else None,
        "models": [{"terms": {write(t): v for t, v in model.values.items()}} for model in shown] or None,
        **about,
        "stated_pairs": facts.preferences.pair_count,
        "same_pairs": facts.preferences.equal_count,
        "route": facts.route,
        **made,
        "statistics": facts.statistics,
    }


def _repairs_facts(facts: ByRepair) -> dict[str, object]:
    return {
        "errors": {
            "allowed": "auto" if facts.allowed is None else str(facts.allowed),
            "degree": facts.repaired.degree,
            "cost": str(facts.repaired.cost),
            "lower_bound": str(facts.repaired.lower_bound),
            "all_repairs": facts.repaired.complete,
        },
        "repairs": [
            {"dropped": list(dropped), **learned_facts(part)}
            for dropped, part in zip(facts.dropped, facts.parts, strict=True)
        ],
    }
