"""A measure of simplicity is one record: a new one is solved, proven and saved, and no other module knows its name."""

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings

import setpref
from instances import any_preferences
from setpref import learn, load, verify
from setpref.errors import UnknownOption
from setpref.simplicity import SIMPLICITIES, Simplicity, simplicity_of
from setpref.solving import bruteforce

SOURCE = Path(setpref.__file__).parent
NEW = (
    Simplicity("size, then terms", least_degree=False, counts=("total_size", "cardinality")),
    Simplicity("terms, then size", least_degree=False, counts=("cardinality", "total_size")),
    Simplicity("degree, then size", least_degree=True, counts=("total_size",)),
    Simplicity("degree, then size, then terms", least_degree=True, counts=("total_size", "cardinality")),
)


def judged(prefs, measure: Simplicity) -> list[tuple[int, ...]]:
    """Return every simplest theta by a measure that brute force does not know: the least of all that fit."""

    def cost(theta: tuple[int, ...]) -> list[int]:
        of = {"cardinality": len(theta), "total_size": sum(map(int.bit_count, theta))}
        return [of[count] for count in measure.counts]

    fitting = bruteforce.all_fitting(prefs, bruteforce.minimum_degree(prefs) if measure.least_degree else None)
    least = min(map(cost, fitting))
    return sorted(theta for theta in fitting if cost(theta) == least)


@pytest.mark.parametrize("measure", NEW, ids=lambda measure: measure.name)
@given(prefs=any_preferences(3))
@settings(max_examples=40, deadline=None)
def test_a_new_measure_is_one_record(measure, prefs, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "learned.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIMPLICITIES, measure.name, measure)
        learned = learn(prefs, measure.name)
        learned.save(path)
        assert verify(path)
        assert load(path).document() == learned.document()
    assert learned.proven
    assert sorted(model.theta for model in learned.models) == judged(prefs, measure)


@pytest.mark.parametrize("name", SIMPLICITIES)
@given(prefs=any_preferences(3))
@settings(max_examples=20, deadline=None)
def test_the_records_say_what_the_judge_says(name, prefs):
    assert judged(prefs, SIMPLICITIES[name]) == bruteforce.simplest(prefs, name)


def test_a_measure_that_would_need_larger_terms_of_a_class_is_refused():
    with pytest.raises(ValueError, match="only the smallest"):
        Simplicity("degree, then terms", least_degree=True, counts=("cardinality",))


@pytest.mark.parametrize("name", ["size", "LEX", "", None, ["lex"]])
def test_an_unknown_measure_is_refused(name):
    with pytest.raises(UnknownOption, match="choose one of lex, card, ws, deg"):
        simplicity_of(name)


def test_no_other_module_knows_a_measure_by_its_name():
    """Only a default says one; the judge defines each on its own."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        of_arguments = [node for node in ast.walk(tree) if isinstance(node, ast.arguments)]
        defaults = [value for node in of_arguments for value in (*node.defaults, *node.kw_defaults)]
        defaults += [node.value for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
        found += [
            f"{path.relative_to(SOURCE)}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value in tuple(SIMPLICITIES) and node not in defaults
        ]
    assert {place.partition(":")[0] for place in found} == {"simplicity.py", "solving/bruteforce.py"}
