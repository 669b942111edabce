"""Statements of every kind, judged by brute force: weak ones, and sums of sets with coefficients of any size."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from instances import universe
from setpref import InputError, Preferences, Statement, compare_under, learn, repair
from setpref.answers.theta import ThetaOrder
from setpref.errors import CertificateRejected
from setpref.proofs.certificates import check_impossible, check_model
from setpref.proofs.completeness import check_complete
from setpref.rows import Kind, Row, pair
from setpref.solving import bruteforce
from setpref.solving.degree import minimum_degree
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
        lambda prefs: learn(prefs).document(),
        lambda prefs: compare_under(prefs, ["ant"], "ant", "bee"),
        lambda prefs: ThetaOrder(prefs, UpTo(1)).beats(1, 2),
        repair,
    ],
)
def test_what_is_not_built_for_other_statements_refuses_in_one_sentence(ask):
    with pytest.raises(InputError, match=r"statement 0 says something else .* yet, so leave such statements out"):
        ask(general())


def test_statements_of_other_kinds_that_clash_are_named():
    known = universe(2)
    over, level = Statement.of_pair(1, 2, position=1), Statement(pair(2, 1, Kind.WEAK), position=2)
    with pytest.raises(InputError, match="no model satisfies these statements together: statement 1; statement 2;"):
        learn(Preferences(known, (over, level)))
