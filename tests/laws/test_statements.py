"""Statements of every kind, judged by brute force: weak ones, and sums of sets with coefficients of any size."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import universe
from setpref import InputError, Preferences, Statement, compare_under, learn, repair
from setpref.answers.theta import ThetaOrder
from setpref.errors import CertificateRejected
from setpref.estimators import KNNRanker, LinearRanker
from setpref.proofs.certificates import check_impossible, check_model
from setpref.proofs.completeness import check_complete
from setpref.rows import Kind, Row, pair
from setpref.solving import bruteforce
from setpref.solving.degree import check_possible, minimum_degree
from setpref.solving.fitting import Fit, NoFit, Terms, UpTo, fit
from setpref.terms import terms_up_to


@st.composite
def rows(draw, elements: int) -> Row:
    """A pair, or a sum of up to four sets with coefficients up to 3 that add up to zero."""
    masks = draw(st.lists(st.integers(0, 2**elements - 1), min_size=2, max_size=4, unique=True))
    free = [draw(st.integers(-3, 3).filter(bool)) for _ in masks[1:]]
    kind = draw(st.sampled_from(list(Kind)))
    if not sum(free) or draw(st.booleans()):
        return pair(masks[0], masks[1], kind)
    return Row(tuple(zip(masks, [-sum(free), *free], strict=True)), kind)


@st.composite
def mixtures(draw, most: int = 3) -> Preferences:
    """Statements of every kind that some model satisfies."""
    elements = draw(st.integers(1, most))
    said = draw(st.lists(rows(elements), min_size=1, max_size=6))
    known = universe(elements)
    prefs = Preferences(known, tuple(map(Statement, said)), contradictory="keep")
    assume(bruteforce.fits(bruteforce.said(prefs), terms_up_to(elements, elements)))
    return prefs


@given(mixtures(), st.data())
@settings(max_examples=300, deadline=None)
def test_fitting_agrees_with_the_judge_and_is_proven(prefs, data):
    elements = len(prefs.universe)
    every = terms_up_to(elements, elements)
    theta = tuple(sorted(data.draw(st.sets(st.sampled_from(every))), key=every.index))
    answer = fit(prefs.rows, Terms(theta), prefs.universe)
    assert isinstance(answer, Fit) == bruteforce.fits(bruteforce.said(prefs), theta)
    if isinstance(answer, NoFit):
        check_impossible(prefs, answer.multipliers, theta)
    else:
        check_model(answer.model, prefs)


@pytest.mark.parametrize("route", ["explicit", "kernel"])
@given(prefs=mixtures())
@settings(max_examples=150, deadline=None)
def test_the_degree_agrees_with_the_judge_and_is_proven_both_ways(route, prefs):
    found = minimum_degree(prefs, route)
    assert found.degree == bruteforce.minimum_degree(prefs)
    check_model(found.model, prefs)
    if found.degree > 1:
        check_impossible(prefs, found.impossible, found.degree - 1)
        with pytest.raises(CertificateRejected):
            check_impossible(prefs, found.impossible, found.degree)


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws"])
@given(prefs=mixtures())
@settings(max_examples=150, deadline=None)
def test_every_simplest_theta_is_found_and_the_clauses_prove_it(simplicity, prefs):
    found = learn(prefs, simplicity).found
    assert sorted(model.theta for model in found.models()) == bruteforce.simplest(prefs, simplicity)
    degree = found.shared("degree") or 0
    if found.count and found.clauses is not None:
        check_complete(prefs, found.simplicity, degree, found.families, found.clauses)


def test_a_proof_of_the_degree_with_a_statement_nobody_made_is_rejected():
    """That two go together needs a synergy; said twice as much, it was not said."""
    together = ((3, 1), (1, -1), (2, -1), (0, 1))
    prefs = Preferences(universe(2), (Statement(Row(together)),))
    found = minimum_degree(prefs)
    assert found.degree == 2
    check_impossible(prefs, found.impossible, 1)
    ((said, weight),) = found.impossible
    for forged in (
        (tuple((mask, 2 * c) for mask, c in said), weight),
        (tuple((mask, -c) for mask, c in said), weight),
        (said, -weight),
    ):
        with pytest.raises(CertificateRejected):
            check_impossible(prefs, (forged,), 1)


def general() -> Preferences:
    known = universe(2)
    return Preferences(known, (Statement.of_pair(1, 0), Statement(Row(((3, 1), (1, -1), (2, -1), (0, 1)), Kind.WEAK))))


@pytest.mark.parametrize(
    "ask",
    [
        lambda prefs: learn(prefs).compare("ant", "bee"),
        lambda prefs: learn(prefs).compare_many([("ant", "bee")]),
        lambda prefs: learn(prefs, "deg").compare("ant", "bee"),
        lambda prefs: learn(prefs).order(),
        lambda prefs: learn(prefs).best(),
        lambda prefs: learn(prefs).explain("ant", "bee"),
        lambda prefs: learn(prefs).explain_term("ant"),
        lambda prefs: LinearRanker().fit_preferences(prefs),
        lambda prefs: KNNRanker().fit_preferences(prefs),
        lambda prefs: bruteforce.minimal_groups(prefs, 1),
        lambda prefs: learn(prefs).document(),
        lambda prefs: compare_under(prefs, ["ant"], "ant", "bee"),
        lambda prefs: ThetaOrder(prefs, UpTo(1)).beats(1, 2),
        repair,
    ],
)
def test_what_is_not_built_for_other_statements_refuses_in_one_sentence(ask):
    with pytest.raises(InputError, match=r"statement 0 says something else .* yet, so leave such statements out"):
        ask(general())


@pytest.mark.parametrize("simplicity", ["lex", "card", "ws", "deg"])
@pytest.mark.parametrize("engine", ["auto", "bruteforce", "mip"])
def test_statements_of_other_kinds_that_clash_are_named(simplicity, engine):
    if engine == "mip" and simplicity == "deg":
        pytest.skip("the paper's programs do not look for the degree alone")
    known = universe(2)
    over, level = Statement.of_pair(1, 2, position=1), Statement(pair(2, 1, Kind.WEAK), position=2)
    free = Statement.of_pair(3, 0, position=3)
    with pytest.raises(InputError, match="no model satisfies these together: statement 1; statement 2; correct"):
        learn(Preferences(known, (over, free, level)), simplicity, engine)


@given(st.lists(rows(2), min_size=2, max_size=7))
@settings(max_examples=200, deadline=None)
def test_the_statements_named_clash_and_none_of_them_can_be_spared(said):
    statements = tuple(Statement(row, position=i) for i, row in enumerate(said))
    prefs = Preferences(universe(2), statements, contradictory="keep")
    every = terms_up_to(2, 2)
    if prefs.of_pairs or bruteforce.fits(bruteforce.said(prefs), every):
        check_possible(prefs)
        return
    with pytest.raises(InputError, match="no model satisfies these together") as refused:
        check_possible(prefs)
    named = [said[int(number)] for number in re.findall(r"statement (\d+)", str(refused.value))]
    assert not bruteforce.fits(bruteforce.Said(tuple(named)), every)
    for row in named:
        assert bruteforce.fits(bruteforce.Said(tuple(other for other in named if other is not row)), every)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (Row(((1, 1), (2, -1)), ">="), "give a Kind"),
        (Row(((1, 0.5), (2, -0.5))), "whole numbers up to 1,000,000"),
        (Row(((1, 2**62), (2, -(2**62)))), "whole numbers up to 1,000,000"),
        (Row(((1, True), (2, -1))), "whole numbers"),
        (Row(((9, 1), (2, -1))), "none of this universe"),
    ],
)
def test_what_is_no_statement_is_refused(row, sentence):
    with pytest.raises(InputError, match=sentence):
        Preferences(universe(2), (Statement(row),))


@given(mixtures(), st.integers(1, 333_333))
@settings(max_examples=100, deadline=None)
def test_large_coefficients_change_nothing(prefs, factor):
    scaled = tuple(
        Statement(Row(tuple((mask, c * factor) for mask, c in s.says.combination), s.says.kind))
        for s in prefs.statements
    )
    assume(max(abs(c) for s in scaled for _, c in s.says.combination) <= 1_000_000)
    twin = Preferences(prefs.universe, scaled, contradictory="keep")
    for simplicity in ("lex", "card", "ws"):
        one, other = (learn(p, simplicity).found for p in (prefs, twin))
        assert [model.theta for model in one.models()] == [model.theta for model in other.models()]
