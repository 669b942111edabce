"""What every relation offers, whatever stands behind it, answered in more than one way."""

import itertools

import numpy as np
import pytest

from setpref import Preferences, learn
from setpref.answers.joint import JointOrder
from setpref.answers.relation import Relation, Silence
from setpref.answers.robust import RobustOrder
from setpref.answers.theta import ThetaOrder
from setpref.verdict import Value

SAID = Preferences.from_pairs(
    [("ant", "bee"), ("bee", "{}"), ("{}", "cat"), ("ant+bee", "ant+cat")], indifferent=[("bee", "bee+cat")]
)
CLASH = Preferences.from_pairs([("ant", "bee"), ("bee", "cat"), ("cat", "ant"), ("ant", "{}")], contradictions="keep")
RELATIONS: dict[str, Relation] = {
    "one theta": learn(SAID, "deg").relation,
    "every simplest theta": learn(SAID, "card").relation,
    "every repair": learn(CLASH, "lex", errors="auto").relation,
    "every repair, one theta": learn(CLASH, "deg", errors="auto").relation,
    "nothing known": Silence(SAID),
}
MASKS = range(8)

each = pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS)


def test_there_is_one_of_every_kind():
    kinds = [ThetaOrder, RobustOrder, JointOrder, JointOrder, Silence]
    assert list(map(type, RELATIONS.values())) == kinds


@each
def test_verdicts_say_what_is_better_and_what_is_the_same(relation):
    for a, b in itertools.product(MASKS, repeat=2):
        told = {Value.BETTER: relation.beats(a, b), Value.WORSE: relation.beats(b, a), Value.SAME: relation.same(a, b)}
        said = [value for value, holds in told.items() if holds] or [Value.UNKNOWN]
        assert [relation.verdict(a, b)] == said
        assert relation.verdict(b, a) is said[0].opposite


@each
def test_many_pairs_at_once_are_answered_like_one(relation):
    places = np.arange(len(MASKS))
    found = relation.beats_pairs(MASKS, places[:, None], places[None, :])
    assert found.tolist() == [[relation.beats(a, b) for b in MASKS] for a in MASKS]


@each
def test_equal_sets_are_grouped(relation):
    groups = relation.equal_groups(MASKS)
    assert sorted(place for group in groups for place in group) == list(MASKS)
    together = {pair for group in groups for pair in itertools.permutations(group, 2)}
    assert together == {(a, b) for a, b in itertools.permutations(MASKS, 2) if relation.same(a, b)}


@each
def test_a_certificate_claims_the_verdict(relation):
    for a, b in itertools.product(MASKS, repeat=2):
        proof = relation.certificate(a, b)
        if proof is None:
            assert not relation.parts
            continue
        value, first, second = proof.claim
        assert {(a, b): value, (b, a): value.opposite}[first, second] is relation.verdict(a, b)


@each
def test_a_relation_is_what_its_parts_agree_on(relation):
    for a, b in itertools.product(MASKS, repeat=2):
        said = {part.verdict(a, b) for part in relation.parts}
        assert relation.verdict(a, b) is (said.pop() if len(said) == 1 else Value.UNKNOWN)
