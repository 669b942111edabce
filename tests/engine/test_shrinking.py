"""What a proof can spare: fewer clauses prove the same, chosen from plain data alone."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from instances import any_preferences, modelled
from setpref import learn
from setpref.engine import shrinking
from setpref.engine.covers import CoverSearch
from setpref.engine.shrinking import needed_clauses
from setpref.progress import best_so_far
from setpref.proofs.completeness import check_complete
from setpref.proofs.verification import verify_document


def needed(learned, **changes):
    return needed_clauses(learned.preferences, replace(learned.found, **changes), learned.degree or 0)


@given(any_preferences(4), st.sampled_from(("lex", "card", "ws")))
@settings(max_examples=60, deadline=None)
def test_what_is_left_proves_the_same_and_spares_nothing_more(prefs, simplicity):
    learned = learn(prefs, simplicity)
    found, kept = learned.found, needed(learned)
    check_complete(prefs, found.simplicity, learned.degree or 0, found.families, kept)
    assert set(kept) <= set(found.clauses)
    assert needed(learned, clauses=kept) == kept


def test_multipliers_of_any_size_choose_the_same():
    learned = learn(modelled(7, 20, 9, 2, seed=6))
    factor = 2**60 + 1
    large = tuple(tuple((a, b, m * factor) for a, b, m in clause) for clause in learned.found.clauses)
    places = [learned.found.clauses.index(clause) for clause in needed(learned)]
    assert needed(learned, clauses=large) == tuple(large[place] for place in places)


@pytest.mark.parametrize("limit", ["NODES", "WORK"])
def test_where_choosing_takes_too_long_every_clause_stays(limit, monkeypatch):
    learned = learn(modelled(7, 20, 9, 2, seed=6))
    assert len(needed(learned)) < len(learned.found.clauses)
    monkeypatch.setattr(shrinking, limit, 1)
    assert needed(learned) == learned.found.clauses
    assert any("exactly the simplest" in sentence for sentence in verify_document(learned.document()))


def test_an_interruption_keeps_every_clause(monkeypatch):
    learned = learn(modelled(7, 20, 9, 2, seed=6))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CoverSearch, "search", interrupt)
    with best_so_far():
        assert needed(learned) == learned.found.clauses
    with pytest.raises(KeyboardInterrupt):
        needed(learned)


def test_clauses_of_a_long_search_or_a_saved_result_are_left_as_they_are(monkeypatch):
    learned = learn(modelled(7, 20, 9, 2, seed=6))
    monkeypatch.setattr(CoverSearch, "search", lambda *_: pytest.fail("nothing is to be searched"))
    assert needed(learned, spare=False) == learned.found.clauses
    assert needed(learned, clauses=None) is None
