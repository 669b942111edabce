"""Everything that is answered is a plain value: nothing live inside, and in a fresh process it says the same."""

import dataclasses
import json
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import joblib
import numpy as np
import pytest

from instances import from_masks, modelled, noisy
from setpref import Preferences, compare_under, fit_theta, learn, load, minimal_groups, read, repair, tradeoff
from setpref.answers.best import Best
from setpref.answers.partial_order import Order
from setpref.learning.despite import LearnedDespiteErrors
from setpref.learning.learned import Learned
from setpref.repairs.conflicts import Conflicts
from setpref.repairs.repaired import Repaired
from setpref.repairs.repairing import reasons
from setpref.repairs.tradeoffs import Tradeoff
from setpref.showing.contradictions import conflict_facts, repair_facts, tradeoff_facts
from setpref.showing.explanations import Explanation
from setpref.solving.degree import minimum_degree

TESTS = Path(__file__).parents[1]
DRINKS = TESTS.parent / "examples" / "drinks.csv"
OLD = TESTS / "proofs" / "old_documents"
OLD_NAMES = list(json.loads((OLD / "expected.json").read_text(encoding="utf-8")))


def rated():
    return modelled(5, 12, 6, 2, seed=6)


def drinks():
    return read(DRINKS, contradictions="keep")


def level():
    return from_masks(3, pairs=[(1, 0), (2, 4)], same=[(4, 1), (6, 3)])


LEARNED = {
    "lex": lambda: learn(rated()),
    "card": lambda: learn(rated(), "card"),
    "card, closed sets": lambda: learn(from_masks(6, pairs=[(0b111111, 0), (0b111100, 0b000011)]), "card"),
    "ws": lambda: learn(rated(), "ws"),
    "deg": lambda: learn(rated(), "deg"),
    "deg, kernel": lambda: learn(rated(), "deg", "kernel"),
    "no differences": lambda: learn(level()),
    "no differences, deg": lambda: learn(level(), "deg"),
    "nothing stated": lambda: learn(from_masks(2, ratings={1: 1, 2: 1})),
    "brute force": lambda: learn(from_masks(3, pairs=[(1, 0), (2, 4)]), engine="bruteforce"),
    "unproven": lambda: learn(rated(), engine="mip"),
    "stopped": lambda: learn(modelled(12, 40, 12, 2, seed=3), time_limit=0),
    "despite errors": lambda: learn(drinks(), errors="auto"),
    "despite errors, deg": lambda: learn(drinks(), "deg", errors="auto"),
    "despite two errors": lambda: learn(noisy(5, 24, 4, seed=1, sets=10), errors=4),
    "ratings given up": lambda: learn(rated(), errors=3),
}


def resaved(make, path):
    make().save(path)
    return load(path)


def verdict(kind, value):
    """Make the first verdict that is as wanted, with its proof."""

    def make():
        learned = LEARNED[kind]()
        found = (learned.compare(a, b, certificate=True) for a, b in pairs(learned))
        return next(one for one in found if one.value == value)

    return make


VALUES = {
    **LEARNED,
    **{name: partial(load, OLD / name) for name in OLD_NAMES},
    "order": lambda: LEARNED["lex"]().order(),
    "order by programs": lambda: LEARNED["deg"]().order(),
    "joint order": lambda: LEARNED["despite errors"]().order(),
    "best": lambda: LEARNED["lex"]().best(size=2),
    "better": verdict("lex", "better"),
    "worse": verdict("lex", "worse"),
    "same": verdict("no differences", "same"),
    "unknown": verdict("ws", "unknown"),
    "better by programs": verdict("deg, kernel", "better"),
    "unknown by programs": verdict("deg, kernel", "unknown"),
    "unanimous": verdict("despite errors", "better"),
    "divided": verdict("despite errors", "unknown"),
    "under a theta": lambda: compare_under(level(), [["ant"], ["bee"], ["cat"]], "ant", "bee"),
    "a theta that fits": lambda: fit_theta(rated(), [[name] for name in rated().universe.names]),
    "minimum degree": lambda: minimum_degree(rated()),
    "explanation": lambda: LEARNED["lex"]().explain("e000", "{}"),
    "explanation of a degree": lambda: LEARNED["deg"]().explain_degree(),
    "explanation after repairs": lambda: LEARNED["despite errors"]().explain("tea", "milk"),
    "repairs": lambda: repair(drinks()),
    "repairs at a degree": lambda: repair(noisy(5, 24, 4, seed=1, sets=10), 2),
    "repairs, stopped": lambda: repair(noisy(8, 60, 12, seed=1), 2, time_limit=0),
    "repairs of ratings": lambda: repair(rated(), 1),
    "conflicts": lambda: minimal_groups(drinks()),
    "conflicts at a degree": lambda: minimal_groups(rated(), 1, limit=20),
    "trade-off": lambda: tradeoff(rated()),
    "trade-off by terms": lambda: tradeoff(
        from_masks(3, pairs=[(1, 2), (2, 4), (4, 1), (3, 5)], contradictions="keep"), by="terms"
    ),
    "ratings": rated,
    "statements": level,
    "contradictory statements": drinks,
}


# -- asking ----------------------------------------------------------------------------------------------------------


def pairs(learned):
    """Some pairs of sets to ask about."""
    universe = learned.preferences.universe
    masks = [*learned.preferences.alternatives[:4], 0, 1, 2, 3]
    written = list(dict.fromkeys(universe.write(mask) for mask in masks if mask < 1 << len(universe)))
    found = [(a, b) for a in written for b in written if a != b]
    return found if len(universe) < 12 else found[:2]


def plain(value):
    """Write a value out in full: what two equal ones share, whatever they have worked out so far."""
    if dataclasses.is_dataclass(value):
        fields = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"is": type(value).__name__, **fields}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, dict):
        return [[plain(k), plain(v)] for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value if isinstance(value, (str, int, float, type(None))) else str(value)


def asked(value):
    """Answer everything that can be asked of a value."""
    match value:
        case Learned() | LearnedDespiteErrors():
            found = [value.compare(a, b, certificate=value.proven) for a, b in pairs(value)]
            told = (
                [value.explain(a, b).text for a, b in pairs(value)[:3]] if len(value.preferences.universe) < 12 else []
            )
            answers = [value.document(), value.as_dict(), value.meaning, plain(found), told]
            if len(value.preferences.universe) < 6:
                answers += [asked(value.order()), plain(value.best(size=1))]
        case Order():
            answers = [plain(value), list(value), value.covers, value.maximal, plain(value.ranks)]
        case Repaired():
            why = reasons(value)
            groups = [plain(why(one, item)) for one in value.repairs for item in one.dropped]
            kept = [plain(one.preferences) for one in value.repairs]
            answers = [repair_facts(value), value.check(), plain(value.claim), groups, kept]
        case Conflicts():
            answers = [conflict_facts(value, 100), plain(value)]
        case Tradeoff():
            answers = [tradeoff_facts(value, value.recommend()), plain(value)]
        case Preferences():
            answers = [plain(value), str(value), value.consistent, value.alternatives, value.pair_count]
            answers += [value.pairs, plain(value.rows)] if value.consistent else []
        case Best() | Explanation():
            answers = [plain(value), str(value)]
        case _:
            answers = [plain(value), str(value)]
    return json.loads(json.dumps(answers, default=str))


# -- the laws --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What every value answers here; and elsewhere, sent before it was asked anything, and by joblib after."""
    folder = tmp_path_factory.mktemp("values")
    values = {name: make() for name, make in VALUES.items()}
    loaded_again = {
        f"{name}, loaded": resaved(make, folder / f"{number}.json")
        for number, (name, make) in enumerate(LEARNED.items())
    }
    values |= loaded_again
    (folder / "new.pickle").write_bytes(pickle.dumps(values))
    here = {name: asked(value) for name, value in values.items()}
    joblib.dump(values, folder / "asked.joblib")
    code = (
        "import sys, json, pickle, joblib\n"
        "from test_plain_values import asked\n"
        "ways = {'new.pickle': pickle.load, 'asked.joblib': joblib.load}\n"
        "for file, read in ways.items():\n"
        "    with open(file, 'rb') as opened:\n"
        "        values = read(opened)\n"
        "    with open(file + '.json', 'w') as answers:\n"
        "        json.dump({name: asked(value) for name, value in values.items()}, answers)\n"
    )
    path = os.pathsep.join([str(Path(__file__).parent), str(TESTS), *sys.path])
    subprocess.run([sys.executable, "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True)
    return values, here, {file.name: json.loads(file.read_text()) for file in folder.glob("*.*.json")}


@pytest.mark.parametrize("name", [*VALUES, *(f"{name}, loaded" for name in LEARNED)])
def test_a_value_answers_the_same_in_a_fresh_process(name, told):
    _, here, elsewhere = told
    assert sorted(elsewhere) == ["asked.joblib.json", "new.pickle.json"]
    for answers in elsewhere.values():
        assert answers[name] == here[name]


@pytest.mark.parametrize("name", [*VALUES, *(f"{name}, loaded" for name in LEARNED)])
def test_nothing_live_is_kept_in_a_value(name, told):
    """Neither a function nor anything of the engine, even after all was asked."""
    seen, todo = set(), [told[0][name]]
    while todo:
        value = todo.pop()
        if id(value) in seen or value is None or isinstance(value, (str, int, float, Fraction, np.generic)):
            continue
        seen.add(id(value))
        if isinstance(value, np.ndarray):
            todo += value.tolist() if value.dtype == object else []
        elif isinstance(value, dict):
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            todo += value
        else:
            kind = type(value)
            assert not callable(value), kind
            assert kind.__module__.startswith("setpref."), kind
            assert not kind.__module__.startswith("setpref.engine"), kind
            todo += getattr(value, "__dict__", {}).values()
            todo += [getattr(value, name) for name in getattr(type(value), "__slots__", ())]


@pytest.mark.parametrize("name", ["lex", "deg", "despite errors, loaded"])
def test_a_worker_takes_it(name, told):
    value = told[0][name]
    (answer,) = joblib.Parallel(n_jobs=2)([joblib.delayed(type(value).as_dict)(value)])
    assert answer == value.as_dict()
