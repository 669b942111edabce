"""Errors travel: what is raised in a worker's process arrives as it was, its type, its words and its evidence."""

import copy
import importlib
import multiprocessing
import pickle
import pkgutil
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor

import pytest

import setpref
from raising import fail
from setpref.errors import (
    BadName,
    ConflictingRatings,
    Contradiction,
    MissingDependency,
    SelfComparison,
    SetprefError,
    UnknownElement,
    UnknownOption,
)

for module in pkgutil.walk_packages(setpref.__path__, "setpref."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

# What the classes with a constructor of their own are called with; all others take a text.
MADE_WITH = {
    BadName: (("tea+", "contains '+'"), {}),
    ConflictingRatings: (("tea", ["1 (line 2)", "2 (line 3)"], 2), {}),
    Contradiction: (([("line 2", "a", "b"), ("line 3", "b", "a")],), {"shortest": True, "same": [False, True]}),
    MissingDependency: (("sklearn", "sklearn", "an estimator"), {}),
    SelfComparison: (("line 2", "tea"), {"same": True}),
    UnknownElement: (("mlik", ["milk", "tea"], "milk", "line 2"), {}),
    UnknownOption: (("engine", "magic", ["auto", "mip"]), {}),
}


def kinds(root: type[SetprefError]) -> list[type[SetprefError]]:
    return [root, *(kind for below in root.__subclasses__() for kind in kinds(below))]


def made(kind: type[SetprefError]) -> SetprefError:
    given, named = MADE_WITH.get(kind, (("a sentence",), {}))
    error = kind(*given, **named)
    error.add_note("said by the caller")
    return error


def all_of(error: BaseException) -> tuple[object, ...]:
    return type(error), str(error), error.args, vars(error), getattr(error, "msg", None)


KINDS = sorted(set(kinds(SetprefError)), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS)
def test_copies_are_the_same_error(kind):
    error = made(kind)
    ways = [copy.copy, copy.deepcopy]
    ways += [lambda e, p=p: pickle.loads(pickle.dumps(e, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
    for way in ways:
        assert all_of(way(error)) == all_of(error)


@pytest.fixture(scope="module")
def executor():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_a_worker_is_the_same_here(kind, executor):
    with pytest.raises(kind) as caught:
        executor.submit(fail, made(kind)).result(timeout=60)
    assert all_of(caught.value) == all_of(made(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_goes_through_joblib(kind):
    joblib = pytest.importorskip("joblib")
    with pytest.raises(kind) as caught:
        joblib.Parallel(n_jobs=2)(joblib.delayed(fail)(made(kind)) for _ in range(2))
    assert all_of(caught.value) == all_of(made(kind))


def test_a_pool_with_an_error_ends():
    """It waited for ever for an answer that could not be read; so it is asked from outside, with a limit."""
    program = """
        import multiprocessing, setpref

        def work(number):
            setpref.Preferences.from_pairs([("a", "b"), ("b", "a")])

        if __name__ == "__main__":
            with multiprocessing.get_context("fork").Pool(2) as pool:
                try:
                    pool.map(work, range(2))
                except setpref.Contradiction as error:
                    print(error.cycle)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "(('statement 1', 'a', 'b'), ('statement 2', 'b', 'a'))\n"
