"""Whole-number equations, of any size."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from setpref import Preferences, Universe
from setpref.proofs.certificates import check_model
from setpref.solving.fitting import Fit, UpTo, fit
from setpref.solving.integers import free_basis, null_space, primitive

numbers = st.sampled_from((0, 0, 0, 1, -1, 2, -3, 2**70, -(3**60)))


@given(st.integers(1, 5).flatmap(lambda width: st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=1)))
@settings(deadline=None)
def test_a_basis_solves_the_equations_whatever_their_size(rows):
    equations = np.array(rows, dtype=object)
    basis = free_basis(equations)
    assert not (equations @ basis.astype(object)).any()
    assert basis.shape[1] == len(null_space(equations))


def test_a_common_factor_is_left_out():
    assert primitive([4, -6, 0]) == [2, -3, 0]
    assert primitive([0, 0]) == [0, 0]


def test_indifference_without_listing_terms_survives_long_numbers():
    """How sets depend on each other over many terms takes numbers beyond 64 bits."""
    rng = random.Random(1)
    universe = Universe(tuple(f"e{i:02}" for i in range(30)))
    values = {1 << i: rng.randint(-5, 5) for i in range(10)}
    values |= {sum(1 << i for i in rng.sample(range(10), 3)): rng.randint(-3, 3) for _ in range(30)}
    rated = [
        (universe.elements(mask), sum(v for t, v in values.items() if t & mask == t))
        for mask in rng.sample(range(2**10), 200)
    ]
    prefs = Preferences.from_ratings(rated, universe=universe, ties="indifferent")
    found = fit(prefs.rows, UpTo(3), universe)
    assert isinstance(found, Fit)
    check_model(found.model, prefs)
