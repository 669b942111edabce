"""Arguments of a wrong kind, sign or size, one at a time: each is one sentence of ours, whatever it is given to."""

from __future__ import annotations

import inspect
import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import setpref as sp
from setpref import estimators
from setpref.errors import InputError, UnknownOption
from setpref.evaluation import comparing, synthetic

RATED = sp.Preferences.from_ratings({"a": 1, "b": 2, "a+b": 1, "c": 4, "b+c": 1})
SAID = sp.Preferences.from_pairs([("a", "b"), ("b", "a"), ("b", "c")], contradictions="keep")
LEARNED = sp.learn(RATED)
THETA = ["a", "b", "c"]
X, Y = [[1, 0], [0, 1], [1, 1], [0, 0]], [1, 2, 3, 4]

ODD: list[Any] = [[], {}, object(), np.array([1, 2]), "much", True]
NOT_FINITE: list[Any] = [math.nan, math.inf, -math.inf]
# What no parameter of a kind takes.
WRONG: dict[str, list[Any]] = {
    "seconds": [*ODD, math.nan, -1, "5"],
    "whole": [*ODD, *NOT_FINITE, 0, -1, 1.5, Fraction(1, 2)],
    "from 0": [*ODD, *NOT_FINITE, -1, 1.5],
    "above 0": [*ODD, *NOT_FINITE, 0, -1, "5"],
    "not below 0": [*ODD, *NOT_FINITE, -1, "5"],
    "number": [*ODD, *NOT_FINITE, "5"],
    "share": [*ODD, *NOT_FINITE, -0.1, 1.1, "0.5"],
    "word": [*[odd for odd in ODD if not isinstance(odd, np.ndarray)], 1, None, "magic"],
    "choice": [*ODD, 1, None, "magic"],
    "function": ODD,
    "path": [[], {}, object(), True, 1, None, io.StringIO("a,b")],
    "seed": ["5", -1, 1.5, object()],
    "universe": [1, math.nan, True, object()],
    "sets": [1, math.nan, True, object(), "a", {"a": 1}],
    "preferences": ["a.csv", {"a": 1}, [("a", "b")], None, 1],
    "ranker": [*ODD, estimators.LinearRanker],
}


@dataclass(frozen=True)
class Door:
    """A public function, what its parameters take, and how one of them is given something."""

    name: str
    call: Callable[..., object]
    kinds: dict[str, str]
    usual: dict[str, Any]

    def cases(self) -> Iterator[Any]:
        for parameter, kind in self.kinds.items():
            for number, wrong in enumerate(WRONG[kind]):
                given = {**self.usual, parameter: wrong}
                yield pytest.param(self.call, given, id=f"{self.name}-{parameter}-{number}")


def fitted(kind: Any) -> Callable[..., object]:
    return lambda **given: kind(**given).fit(X, Y)


LIMITS = {"time_limit": "seconds", "progress": "function"}
DATA = {"collisions": "choice", "binarize": "number"}
RANKER = {**DATA, "degree": "whole"}
DOORS = [
    Door("learn", sp.learn, {"preferences": "preferences", "simplicity": "choice", "engine": "choice", **LIMITS,
         "big_m": "above 0", "repairs": "whole"}, {"preferences": RATED}),
    Door("learn-despite", sp.learn, {"errors": "not below 0 or auto", **LIMITS, "repairs": "whole"},
         {"preferences": SAID, "errors": "auto"}),
    Door("learn-mip", sp.learn, {"time_limit": "seconds", "big_m": "above 0"}, {"preferences": RATED, "engine": "mip"}),
    Door("repair", sp.repair, {"preferences": "preferences", "degree": "whole", "limit": "whole", **LIMITS},
         {"preferences": SAID}),
    Door("minimal_groups", sp.minimal_groups, {"preferences": "preferences", "degree": "whole", "limit": "whole",
         **LIMITS}, {"preferences": SAID}),
    Door("tradeoff", sp.tradeoff, {"preferences": "preferences", "by": "choice", "points": "whole", **LIMITS},
         {"preferences": SAID}),
    Door("recommend", sp.tradeoff(SAID).recommend, {"share": "written share"}, {}),
    Door("fit_theta", sp.fit_theta, {"preferences": "preferences", "theta": "sets"},
         {"preferences": RATED, "theta": THETA}),
    Door("compare_under", sp.compare_under, {"preferences": "preferences", "theta": "sets"},
         {"preferences": RATED, "theta": THETA, "first": "a", "second": "b"}),
    Door("compare", LEARNED.compare, {"engine": "choice", "big_m": "above 0", "time_limit": "seconds"},
         {"first": "a", "second": "b", "engine": "mip"}),
    Door("order", LEARNED.order, {"alternatives": "sets"}, {}),
    Door("best", LEARNED.best, {"alternatives": "sets", "size": "size", "costs": "costs", "budget": "budget"},
         {"costs": {"a": 1, "b": 1, "c": 1}, "budget": 2}),
    Door("read", sp.read, {"path": "path", "max_rows": "whole", "format": "choice", "same": "path"},
         {"path": "yogurt.csv"}),
    Door("load", sp.load, {"path": "path"}, {}),
    Door("verify", sp.verify, {"path": "path", "progress": "function"}, {"path": "a.json"}),
    Door("save", LEARNED.save, {"path": "path"}, {}),
    Door("from_ratings", sp.Preferences.from_ratings, {"universe": "universe", "collisions": "choice", "ties": "word"},
         {"alternatives": {"a": 1, "b": 2}}),
    Door("from_pairs", sp.Preferences.from_pairs, {"universe": "universe", "contradictions": "word"},
         {"better": [("a", "b")]}),
    Door("RobustOrdinalRanker", fitted(estimators.RobustOrdinalRanker), {**DATA, "simplicity": "choice",
         "rule": "choice", "threshold": "share", "engine": "choice", "time_limit": "seconds", "ties": "word",
         "tolerance": "word", "random_state": "seed"}, {"rule": "volume"}),
    Door("LinearRanker", fitted(estimators.LinearRanker), {**RANKER, "fit_intercept": "yes or no"}, {}),
    Door("KNNRanker", fitted(estimators.KNNRanker),
         {**RANKER, "neighbours": "whole", "weights": "choice", "output": "choice"}, {}),
    Door("SVMRanker", fitted(estimators.SVMRanker), {**RANKER, "kernel": "choice", "C": "above 0"}, {}),
    Door("RejectOption", fitted(estimators.RejectOption),
         {"ranker": "ranker", "prediction_rate": "share", "tuned_on": "choice"}, {}),
    Door("PairClassifier", lambda ranker: estimators.PairClassifier(ranker).fit((np.array(X), np.array(X)[::-1]), Y),
         {"ranker": "ranker"}, {}),
    Door("pair_scorer", estimators.pair_scorer, {"metric": "choice"}, {}),
    Door("evaluate", comparing.evaluate, {"preferences": "preferences", "methods": "sets", "train": "share",
         "repeats": "whole", "pairs": "whole", "rng": "seed", "progress": "function", "settings": "settings"},
         {"preferences": RATED, "methods": ("lr",)}),
    Door("draw_user", synthetic.draw_user, {"elements": "whole", "alpha": "share", "p": "share", "terms": "from 0",
         "sigma": "above 0", "scale": "whole", "names": "universe", "rng": "seed"}, {"elements": 3}),
    Door("draw_sets", synthetic.draw_sets, {"elements": "whole", "count": "from 0", "rng": "seed"},
         {"elements": 3, "count": 2}),
    Door("draw_test_pairs", synthetic.draw_test_pairs, {"count": "from 0", "rng": "seed"},
         {"alternatives": [1, 2, 3], "training": [1]}),
    Door("flip_statements", synthetic.flip_statements, {"share": "share", "rng": "seed"},
         {"pairs": [(1, 2)], "share": 0.5}),
    Door("jitter_ratings", synthetic.jitter_ratings, {"deviation": "not below 0", "scale": "whole", "rng": "seed"},
         {"ratings": {1: 2}, "deviation": 1.0, "scale": 12}),
]  # fmt: skip
WRONG |= {
    "not below 0 or auto": [*ODD, *NOT_FINITE, -1],
    "written share": [*ODD, *NOT_FINITE, -0.1, "2"],
    "yes or no": ["yes", 1, None, [], math.nan],
    "size": [*ODD, -1, 1.5, "2", (2, 1), (0, 1.5), (0, True), (1, 2, 3)],
    "budget": [*ODD, *NOT_FINITE, -1, None],
    "costs": [*ODD, 1, None, "a", {"a": 1, "b": 1, "c": math.nan}, {"a": 1, "b": 1, "c": "dear"}],
    "settings": [*ODD, 0, "lex"],
}


@pytest.mark.parametrize(("call", "given"), [case for door in DOORS for case in door.cases()])
def test_what_is_wrong_is_refused_in_a_sentence(call, given):
    with pytest.raises(InputError) as caught:
        call(**given)
    text = str(caught.value)
    assert 10 < len(text) < 400
    assert "\n" not in text
    assert " object at 0x" not in text or isinstance(caught.value, UnknownOption)


# What is no number, choice, function, file or set: sets have their own tests, and yes or no is taken as Python does.
OPEN = {"first", "second", "alternatives", "ratings", "better", "worse", "weights", "ids", "indifferent", "training"}
OPEN |= {"certificate", "errors", "known", "enough", "compiled", "must_include", "exclude", "proof", "pairs"}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_no_parameter_escapes(door):
    given = set(inspect.signature(getattr(estimators, door.name, door.call)).parameters)
    told = {name for other in DOORS if other.name.split("-")[0] == door.name.split("-")[0] for name in other.kinds}
    assert given - told - OPEN <= {"self", "universe", "tolerance", "ties", "collisions", "contradictions"}


def test_every_public_function_has_its_door():
    public = {name for name in sp.__all__ if inspect.isfunction(getattr(sp, name))}
    assert public - {"best_so_far"} <= {door.name for door in DOORS}
    assert set(estimators.__all__) <= {door.name for door in DOORS}


@pytest.mark.parametrize("whole", [np.int8(2), np.int64(2), np.uint16(2)])
def test_numbers_of_numpy_are_numbers(whole):
    assert sp.repair(SAID, whole, limit=whole, time_limit=np.float32(9)).degree == 2
    assert LEARNED.best(size=whole).considered == 3
    assert estimators.LinearRanker(degree=whole).fit(X, Y).degree_ == 2
    assert estimators.RobustOrdinalRanker(time_limit=np.float32(60)).fit(X, Y).learned_.proven


@pytest.mark.parametrize("given", [{"a": 5, "b": 4}, "a.csv", [("a", "b")]], ids=type)
@pytest.mark.parametrize("ask", [sp.learn, sp.repair, sp.tradeoff, sp.minimal_groups])
def test_who_gives_something_else_is_told_how_to_make_preferences(ask, given):
    with pytest.raises(InputError, match=r"make them first: sp\.Preferences\.from_ratings\(\.\.\.\) of rated sets, sp"):
        ask(given)


def test_who_gives_a_frame_is_told_how_to_make_preferences():
    pd = pytest.importorskip("pandas")
    with pytest.raises(InputError, match=r"a DataFrame is given; .*sp\.Preferences\.from_ratings\(\.\.\.\)"):
        sp.learn(pd.DataFrame({"alternative": ["a"], "rating": [1]}))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_that_are_missing_are_not_taken_as_zero(library):
    """Three columns of five were answered as if no set held the other two."""
    frames = pytest.importorskip(library)
    some = frames.DataFrame({"a": [1, 0], "c": [0, 1]})
    every = frames.DataFrame({"a": [1, 0], "b": [0, 0], "c": [0, 1]})
    for ask in (lambda: LEARNED.compare_many(some, every), lambda: LEARNED.compare_many(every, some)):
        with pytest.raises(InputError, match="the frame has no column 'b'; give 1 or 0 of each of 3 elements"):
            ask()
    for listed in (LEARNED.order, LEARNED.best, lambda sets: sp.fit_theta(RATED, sets)):
        with pytest.raises(InputError, match="no column 'b'"):
            listed(some)
    assert LEARNED.compare_many(every, every).tolist() == [0, 0]
    assert LEARNED.order(every).matrix.tolist() == LEARNED.order(["a", "c"]).matrix.tolist()
