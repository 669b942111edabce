"""The generator of synthetic users: its laws, its exactness, its determinism."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from setpref import InputError, Model, Universe, learn
from setpref.errors import BadDocument
from setpref.evaluation import synthetic as s


def law_of_sizes(elements, p):
    """The paper's process written out: size k has probability p (1-p)^(k-2), all elements the rest."""
    sizes = {k: p * (1 - p) ** (k - 2) for k in range(2, elements)}
    return {**sizes, elements: (1 - p) ** (elements - 2)}


@pytest.mark.parametrize("elements", [2, 3, 5, 8])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 1.0])
def test_the_expected_size_is_that_of_the_law(elements, p):
    mean = sum(size * chance for size, chance in law_of_sizes(elements, p).items())
    assert s.expected_size(elements, p) == pytest.approx(mean)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_sampled_sizes_follow_the_law(p):
    rng, draws = np.random.default_rng(11), 4000
    sizes = [s.sample_term(6, p, rng).bit_count() for _ in range(draws)]
    for size, chance in law_of_sizes(6, p).items():
        # Five standard deviations: a seeded test that a wrong law cannot pass.
        assert abs(sizes.count(size) / draws - chance) <= 5 * (chance * (1 - chance) / draws) ** 0.5
    assert np.mean(sizes) == pytest.approx(s.expected_size(6, p), abs=5 * np.std(sizes) / draws**0.5)


def test_elements_of_a_term_are_drawn_uniformly():
    rng, draws = np.random.default_rng(3), 4000
    held = sum(np.array([t >> i & 1 for i in range(5)]) for t in (s.sample_term(5, 0.6, rng) for _ in range(draws)))
    share = s.expected_size(5, 0.6) / 5
    assert np.abs(held / draws - share).max() <= 5 * (share * (1 - share) / draws) ** 0.5


def test_the_formula_counts_draws_and_duplicates_collapse():
    assert s.extra_terms(8, 0.1) == 24
    sizes = [len(s.sample_theta(8, rng=seed)) for seed in range(300)]
    assert max(sizes) <= 32
    # With p = 0.9, 24 draws: the expected number of distinct terms, by the law of sizes.
    distinct = sum(comb(8, k) * (1 - (1 - chance / comb(8, k)) ** 24) for k, chance in law_of_sizes(8, 0.9).items())
    assert np.mean(sizes) == pytest.approx(8 + distinct, abs=5 * np.std(sizes) / 300**0.5)


@pytest.mark.parametrize("terms", [0, 1, 4, 12, 247])
def test_terms_asks_for_a_number_of_distinct_extra_terms(terms):
    theta = s.sample_theta(8, terms=terms, rng=4)
    assert len(theta) == len(set(theta)) == 8 + terms
    assert all(term.bit_count() >= 2 for term in theta[8:])


def test_distinct_terms_follow_the_law_of_repeated_draws():
    # With 3 elements and p = 0.5: each pair 1/6, the triple 1/2. Of two distinct terms, the triple is among them with
    # probability 1/2 + 3 * (1/6) * (1/2) / (5/6) = 0.8.
    rng, draws = np.random.default_rng(8), 3000
    share = sum(7 in s.sample_theta(3, p=0.5, terms=2, rng=rng) for _ in range(draws)) / draws
    assert abs(share - 0.8) <= 5 * (0.8 * 0.2 / draws) ** 0.5


def test_values_are_normal_with_the_given_deviation():
    rng = np.random.default_rng(21)
    values = [float(v) for _ in range(60) for v in s.draw_user(8, rng=rng).model.values.values()]
    assert np.std(values) == pytest.approx(100, rel=5 / (2 * len(values)) ** 0.5)
    assert abs(np.mean(values)) <= 5 * 100 / len(values) ** 0.5


def test_utilities_are_those_of_the_model():
    user = s.draw_user(6, alpha=0.3, p=0.5, rng=9)
    for mask in range(64):
        assert Fraction(int(user.utilities[mask]), 1 << 20) == user.model.at(mask)


def test_ratings_are_intervals_closed_above_worked_by_hand():
    # Utilities 0, 1, ..., 7 on a scale of 4: width 7/4, (0, 1.75] -> 1, (1.75, 3.5] -> 2, (3.5, 5.25] -> 3.
    user = s.SyntheticUser(Model(Universe(("a", "b", "c")), {1: 1, 2: 2, 4: 4}), scale=4)
    assert user.ratings.tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    # The upper end belongs to the interval: utilities 0..4 on a scale of 2, the middle is rated 1.
    assert s.SyntheticUser(Model(Universe(("a", "b")), {1: 2, 2: 2}), scale=2).ratings.tolist() == [1, 1, 1, 2]


def test_a_user_with_one_utility_rates_everything_one():
    assert s.SyntheticUser(Model(Universe(("a",)), {1: 0}), 5).ratings.tolist() == [1, 1]


def test_the_extremes_get_the_ends_of_the_scale():
    user = s.draw_user(8, rng=2)
    assert user.ratings[user.utilities.argmin()] == 1
    assert user.ratings[user.utilities.argmax()] == 12
    assert (np.diff(user.ratings[np.argsort(user.utilities)]) >= 0).all()


def test_verdicts_by_rating_and_by_utility():
    user = s.draw_user(5, rng=6)
    pairs = list(combinations(range(32), 2))
    by_rating, by_utility = user.verdicts(pairs), user.verdicts(pairs, by="utility")
    assert ((by_rating == 0) | (by_rating == by_utility)).all()
    words = {1: "better", -1: "worse", 0: "same"}
    assert words[int(by_utility[7])] == user.compare(*map(user.universe.write, pairs[7]))


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: s.sample_theta(8, rng=rng),
        lambda rng: s.sample_theta(8, terms=5, rng=rng),
        lambda rng: s.draw_user(6, rng=rng),
        lambda rng: s.draw_sets(8, 20, rng),
        lambda rng: s.draw_test_pairs(range(64), range(20), rng=rng),
        lambda rng: s.draw_test_pairs(range(9), range(5), rng=rng),
        lambda rng: s.flip_statements([(i, i + 1) for i in range(30)], 0.2, rng),
        lambda rng: s.jitter_ratings(dict.fromkeys(range(30), 5), 1.0, 12, rng),
    ],
)
def test_the_same_seed_gives_the_same_draw(draw):
    assert draw(5) == draw(5) == draw(np.random.default_rng(5))
    assert draw(5) != draw(6)


def test_test_pairs_are_distinct_and_not_both_known():
    pairs = s.draw_test_pairs(range(256), range(20), 100, rng=1)
    assert len({frozenset(pair) for pair in pairs}) == 100
    assert all(a != b and not (a < 20 and b < 20) for a, b in pairs)
    few = s.draw_test_pairs(range(5), range(4), 100, rng=1)
    assert {frozenset(pair) for pair in few} == {frozenset((4, i)) for i in range(4)}


def test_flips_are_counted_and_jitter_stays_on_the_scale():
    pairs = [(i, i + 1) for i in range(25)]
    assert sum(a > b for a, b in s.flip_statements(pairs, 0.1, rng=3)) == 3
    moved = s.jitter_ratings({i: 1 + i % 4 for i in range(400)}, 2.0, 4, rng=3)
    assert set(moved.values()) == {1, 2, 3, 4}
    assert sum(moved[i] != 1 + i % 4 for i in moved) > 100


def test_what_a_user_says_can_be_learned():
    user = s.draw_user(5, terms=1, rng=12)
    learned = learn(user.rated(s.draw_sets(5, 14, rng=12)))
    assert learned.proven


def test_the_truth_is_written_and_read_again():
    user = s.draw_user(8, rng=1)
    assert s.SyntheticUser.from_json(user.to_json(seed=1)) == user


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not a saved truth"),
        ('{"format": "setpref-truth", "version": 9}', "version 9"),
        ('{"format": "setpref-truth", "version": 1, "scale": "x"}', "damaged"),
        ('{"format": "setpref-truth", "version": 1, "scale": 3}', "not a saved model"),
    ],
)
def test_a_damaged_truth_is_refused(text, words):
    with pytest.raises(BadDocument, match=words):
        s.SyntheticUser.from_json(text)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: s.sample_theta(0), "the number of elements is 0"),
        (lambda: s.sample_theta(21), "the number of elements is 21"),
        (lambda: s.sample_theta(4, alpha=1.5), "alpha is 1.5"),
        (lambda: s.sample_theta(4, p=0.0), "p is 0.0"),
        (lambda: s.sample_theta(4, terms=12), "there are 11 to draw"),
        (lambda: s.sample_theta(4, terms=7, p=1.0), "there are 6 to draw"),
        (lambda: s.sample_theta(4, terms=-1), "terms is -1"),
        (lambda: s.sample_theta(1, terms=1), "only one element"),
        (lambda: s.draw_user(4, sigma=0), "sigma is 0"),
        (lambda: s.draw_user(4, scale=0), "scale is 0"),
        (lambda: s.draw_user(4, names=["a"]), "4 elements and 1 names"),
        (lambda: s.draw_sets(3, 9), "there are 8"),
        (lambda: s.flip_statements([], 2.0), "is 2.0"),
        (lambda: s.jitter_ratings({}, -1.0, 5), "is -1.0"),
        (lambda: s.draw_user(3, rng=0).verdicts([], by="luck"), "choose rating or utility"),
        (lambda: s.SyntheticUser(Model(Universe(("a",)), {1: Fraction(1, 3)})), "multiples"),
        (lambda: s.SyntheticUser(Model(Universe(("a",)), {1: 1 << 50})), "too large"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()
