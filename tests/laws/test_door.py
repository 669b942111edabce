"""One door for sets: every question takes every form in which people hold them, and answers alike or refuses."""

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import setpref as sp
from setpref import InputError, KernelModel, Learned, Model, Preferences, Universe, compare_under, fit_theta, learn
from setpref.learning.despite import LearnedDespiteErrors

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

NAMES = ("ant", "bee", "cat")
U = Universe(NAMES)
RATED = Preferences.from_ratings({"ant": 3, "bee": 2, "ant+bee": 6, "cat": 1, "{}": 0, "ant+cat": 2}, universe=U)
LEARNED = learn(RATED)
CLASHING = Preferences.from_pairs(
    [("ant", "bee"), ("bee", "ant"), ("bee", "cat"), ("cat", "{}")], universe=U, contradictions="keep"
)
DESPITE = learn(CLASHING, errors="auto")
MODEL = Model.of(U, {"ant": 2, "bee+cat": -1})
KERNEL = KernelModel(U, 2, {0b001: 2, 0b110: -1})
TERM = LEARNED.models[0].theta[0]


def written(mask):
    return U.write(mask)


def cells(mask, kind=int):
    return [kind(mask >> i & 1) for i in range(len(NAMES))]


ONE = {
    "text": written,
    "list": lambda m: list(U.elements(m))[::-1],
    "tuple": U.elements,
    "set": lambda m: set(U.elements(m)),
    "frozenset": lambda m: frozenset(U.elements(m)),
    "generator": lambda m: (name for name in U.elements(m)),
    "keys": lambda m: dict.fromkeys(U.elements(m)).keys(),
    "mapping": lambda m: dict(zip(NAMES, cells(m), strict=True)),
    "mapping of some": lambda m: dict.fromkeys(U.elements(m), 1) | ({} if m else {"ant": 0}),
    "truths": lambda m: dict(zip(NAMES, cells(m, bool), strict=True)),
    "row of a frame": lambda m: pd.DataFrame([cells(m)], columns=NAMES).iloc[0],
    "row of a frame of truths": lambda m: pd.DataFrame([cells(m, bool)], columns=NAMES).iloc[0],
    "row of a frame, turned": lambda m: pd.DataFrame([cells(m)], columns=NAMES)[list(NAMES[::-1])].iloc[0],
    "row of a polars frame": lambda m: pl.DataFrame([cells(m)], schema=NAMES, orient="row").row(0, named=True),
    "row of a matrix": lambda m: np.array(cells(m)),
    "row of a matrix of truths": lambda m: np.array(cells(m, bool)),
    "array of names": lambda m: np.array(U.elements(m), dtype=object),
    "column of names": lambda m: pd.Series(U.elements(m), dtype=object),
}
MANY = {
    **{f"list of {name}": lambda ms, form=form: [form(m) for m in ms] for name, form in ONE.items()},
    "tuple": lambda ms: tuple(map(written, ms)),
    "generator": lambda ms: (written(m) for m in ms),
    "frame": lambda ms: pd.DataFrame([cells(m) for m in ms], columns=NAMES),
    "frame of truths": lambda ms: pd.DataFrame([cells(m, bool) for m in ms], columns=NAMES),
    "frame, turned": lambda ms: pd.DataFrame([cells(m) for m in ms], columns=NAMES)[list(NAMES[::-1])],
    "polars frame": lambda ms: pl.DataFrame([cells(m) for m in ms], schema=NAMES, orient="row"),
    "matrix": lambda ms: np.array([cells(m) for m in ms]),
    "matrix of truths": lambda ms: np.array([cells(m, bool) for m in ms]),
    "matrix of floats": lambda ms: np.array([cells(m, float) for m in ms]),
    "column": lambda ms: pd.Series(list(map(written, ms))),
    "polars column": lambda ms: pl.Series(list(map(written, ms))),
    "array of texts": lambda ms: np.array(list(map(written, ms))),
}
NO_SET = {
    "a number": 5,
    "nothing": None,
    "a truth": True,
    "bytes": b"ant",
    "an object": object(),
    "a list of numbers": [1, 0, 1],
    "nested lists": [["ant"]],
    "a cell of 2": {"ant": 2},
    "another element": {"wasp": 0},
    "an unknown name": ["wasp"],
    "a frame": pd.DataFrame([[1, 0, 1]], columns=NAMES),
    "a polars frame": pl.DataFrame([[1, 0, 1]], schema=NAMES, orient="row"),
    "a matrix": np.array([[1, 0, 1]]),
    "a number as an array": np.array(1),
    "a short row": np.array([1, 0]),
    "a row without a label": pd.Series({"ant": 1, "bee": 0}),
    "a row with one more": pd.Series({"ant": 1, "bee": 0, "cat": 0, "wasp": 0}),
    "a row with a gap": pd.Series({"ant": 1, "bee": math.nan, "cat": 0}),
    "a row of halves": np.array([0.5, 1, 0]),
    "a blank text": " ",
    "a name twice": "ant+ant",
}
NO_SETS = {
    "one text": "ant+bee",
    "one mapping": {"ant": 1, "bee": 0, "cat": 0},
    "one row": pd.Series({"ant": 1, "bee": 0, "cat": 0}),
    "one row of a matrix": np.array([1, 0, 1]),
    "a number": 5,
    "a list of numbers": [1, 0, 1],
    "a frame without a column": pd.DataFrame([[1, 0]], columns=NAMES[:2]),
    "a frame with a column more": pd.DataFrame([[1, 0, 0, 1]], columns=[*NAMES, "wasp"]),
    "a polars frame without a column": pl.DataFrame([[1, 0]], schema=NAMES[:2], orient="row"),
    "a frame with a gap": pd.DataFrame([[1, math.nan, 0]], columns=NAMES),
    "a narrow matrix": np.array([[1, 0]]),
    "a matrix of counts": np.array([[2, 0, 0]]),
    "lists of lists": [[["ant"]]],
}


def plain(answer):
    """What an answer says, to compare."""
    if isinstance(answer, np.ndarray):
        return answer.tolist()
    return {"masks": answer.masks, "matrix": answer.matrix.tolist()} if isinstance(answer, sp_order()) else str(answer)


def sp_order():
    from setpref.answers.partial_order import Order

    return Order


# Every question about one set, by the function and the parameter that takes it.
ABOUT_ONE = {
    ("Learned.compare", "first"): lambda x: LEARNED.compare(x, "bee"),
    ("Learned.compare", "second"): lambda x: LEARNED.compare("bee", x),
    ("Learned.explain", "first"): lambda x: LEARNED.explain(x, "bee").text,
    ("Learned.explain", "second"): lambda x: LEARNED.explain("bee", x).text,
    ("Learned.explain_term", "term"): lambda x: LEARNED.explain_term(x).text,
    ("Learned.best", "must_include"): lambda x: LEARNED.best(must_include=x),
    ("Learned.best", "exclude"): lambda x: LEARNED.best(exclude=x),
    ("LearnedDespiteErrors.compare", "first"): lambda x: DESPITE.compare(x, "bee"),
    ("LearnedDespiteErrors.compare", "second"): lambda x: DESPITE.compare("bee", x),
    ("LearnedDespiteErrors.explain", "first"): lambda x: DESPITE.explain(x, "bee").text,
    ("LearnedDespiteErrors.explain", "second"): lambda x: DESPITE.explain("bee", x).text,
    ("LearnedDespiteErrors.explain_term", "term"): lambda x: DESPITE.explain_term(x).text,
    ("LearnedDespiteErrors.best", "must_include"): lambda x: DESPITE.best(must_include=x),
    ("LearnedDespiteErrors.best", "exclude"): lambda x: DESPITE.best(exclude=x),
    ("Model.utility", "alternative"): MODEL.utility,
    ("Model.compare", "first"): lambda x: MODEL.compare(x, "bee"),
    ("Model.compare", "second"): lambda x: MODEL.compare("bee", x),
    ("KernelModel.utility", "alternative"): KERNEL.utility,
    ("Universe.mask", "value"): U.mask,
    ("compare_under", "first"): lambda x: compare_under(RATED, LEARNED.models[0].theta and THETA, x, "bee"),
    ("compare_under", "second"): lambda x: compare_under(RATED, THETA, "bee", x),
}
THETA = [U.write(term) for term in LEARNED.models[0].theta]
ABOUT_MANY = {
    ("Learned.order", "alternatives"): lambda xs: LEARNED.order(xs),
    ("Learned.best", "alternatives"): lambda xs: LEARNED.best(xs),
    ("Learned.compare_many", "first"): lambda xs: LEARNED.compare_many(xs, ["bee", "{}"]),
    ("Learned.compare_many", "second"): lambda xs: LEARNED.compare_many(["bee", "{}"], xs),
    ("LearnedDespiteErrors.order", "alternatives"): lambda xs: DESPITE.order(xs),
    ("LearnedDespiteErrors.best", "alternatives"): lambda xs: DESPITE.best(xs),
    ("LearnedDespiteErrors.compare_many", "first"): lambda xs: DESPITE.compare_many(xs, ["bee", "{}"]),
    ("LearnedDespiteErrors.compare_many", "second"): lambda xs: DESPITE.compare_many(["bee", "{}"], xs),
}
OF_TERMS = {
    ("fit_theta", "theta"): lambda xs: fit_theta(RATED, xs),
    ("compare_under", "theta"): lambda xs: compare_under(RATED, xs, "ant+bee", "{}"),
}


def refused(ask, given):
    """Return the refusal of a form, if the very same question is refused for what the set is, not for its form."""
    try:
        return plain(ask(given))
    except InputError as error:
        return type(error), str(error)


@pytest.mark.parametrize("form", ONE)
@pytest.mark.parametrize("question", ABOUT_ONE, ids=" ".join)
def test_every_form_of_a_set_is_answered_alike(question, form):
    ask = ABOUT_ONE[question]
    for mask in range(1 << len(NAMES)):
        assert refused(ask, ONE[form](mask)) == refused(ask, written(mask))


@pytest.mark.parametrize("form", MANY)
@pytest.mark.parametrize("question", ABOUT_MANY, ids=" ".join)
def test_every_form_of_several_sets_is_answered_alike(question, form):
    ask = ABOUT_MANY[question]
    for masks in ([0b011, 0b100], [0b000, 0b111]):
        assert plain(ask(MANY[form](masks))) == plain(ask(list(map(written, masks))))


@pytest.mark.parametrize("form", MANY)
@pytest.mark.parametrize("question", OF_TERMS, ids=" ".join)
def test_every_form_of_terms_is_answered_alike(question, form):
    ask, masks = OF_TERMS[question], list(LEARNED.models[0].theta)
    assert plain(ask(MANY[form](masks))) == plain(ask(list(map(written, masks))))


@pytest.mark.parametrize("wrong", NO_SET)
@pytest.mark.parametrize("question", ABOUT_ONE, ids=" ".join)
def test_what_is_no_set_is_refused(question, wrong):
    with pytest.raises(InputError, match=r"\w+ \w+"):
        ABOUT_ONE[question](NO_SET[wrong])


@pytest.mark.parametrize("wrong", NO_SETS)
@pytest.mark.parametrize("question", {**ABOUT_MANY, **OF_TERMS}, ids=" ".join)
def test_what_is_not_several_sets_is_refused(question, wrong):
    with pytest.raises(InputError, match=r"\w+ \w+"):
        {**ABOUT_MANY, **OF_TERMS}[question](NO_SETS[wrong])


@pytest.mark.parametrize("pairs", [[["ant", "bee"]], (("ant", {"bee"}),), np.array([["ant", "bee"]])])
def test_pairs_are_taken_together_too(pairs):
    assert LEARNED.compare_many(pairs).tolist() == LEARNED.compare_many(["ant"], ["bee"]).tolist()


def test_a_frame_alone_is_no_list_of_pairs():
    with pytest.raises(InputError, match="give the second sets apart"):
        LEARNED.compare_many(pd.DataFrame([[1, 0, 1]], columns=NAMES))


@given(st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True))
@settings(max_examples=30, deadline=None)
def test_sets_without_an_order_are_asked_about_in_ours(masks):
    found = LEARNED.order({written(mask) for mask in masks})
    assert list(found.masks) == sorted(masks, key=lambda mask: (mask.bit_count(), mask))


SETS = {"first", "second", "alternative", "alternatives", "theta", "term", "must_include", "exclude", "value"}


def taking_sets():
    """Every public function with a parameter that takes sets, by its name and the parameter's."""
    found = set()
    for name in sp.__all__:
        public = getattr(sp, name)
        if inspect.isclass(public) and public in (Learned, LearnedDespiteErrors, Model, KernelModel, Universe):
            members = {f"{name}.{key}": m for key, m in inspect.getmembers(public, inspect.isfunction) if key[0] != "_"}
        else:
            members = {name: public} if inspect.isfunction(public) else {}
        found |= {(key, one) for key, member in members.items() for one in inspect.signature(member).parameters}
    for key, member in inspect.getmembers(LearnedDespiteErrors, inspect.isfunction):
        if key[0] != "_":
            found |= {(f"LearnedDespiteErrors.{key}", one) for one in inspect.signature(member).parameters}
    masks = ("_of_masks", ".same_masks", "Model.of", "Model.at")
    return {(key, one) for key, one in found if one in SETS and not key.endswith(masks)}


def test_no_public_function_that_takes_sets_escapes():
    assert taking_sets() == {*ABOUT_ONE, *ABOUT_MANY, *OF_TERMS}
