"""The oracle: every answer carries a proof, and all methods agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from setpref.errors import CertificateRejected
from setpref.rows import Kind
from setpref.solving import oracle
from setpref.solving.exactlp import solve_strict
from setpref.solving.oracle import DoesNotFit, Fits, decide, decide_by_gram
from setpref.solving.systems import System

matrices = hnp.arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=st.integers(-2, 2))


def holds(matrix, outcome) -> bool:
    rows = [[int(x) for x in row] for row in matrix]
    if isinstance(outcome, Fits):
        return all(sum(x * v for x, v in zip(row, outcome.values, strict=True)) > 0 for row in rows)
    m = outcome.multipliers
    sums = [sum(w * row[j] for w, row in zip(m, rows, strict=True)) for j in range(matrix.shape[1])]
    return min(m) >= 0 and any(m) and not any(sums)


@given(matrices)
@settings(max_examples=300, deadline=None)
def test_every_answer_is_proven_and_agrees_with_the_exact_simplex(matrix):
    outcome = decide(System.strict(matrix))
    assert holds(matrix, outcome)
    assert isinstance(outcome, Fits) == solve_strict(matrix.tolist())[0]


@given(matrices, matrices)
@settings(max_examples=300, deadline=None)
def test_weak_rows_may_be_zero_and_every_answer_is_proven(strict, weak):
    width = min(strict.shape[1], weak.shape[1])
    strict, weak = strict[:, :width], weak[:, :width]
    outcome = decide(System.strict(strict).adding(weak, Kind.WEAK))
    assert isinstance(outcome, Fits) == solve_strict(strict.tolist(), weak.tolist())[0]
    if isinstance(outcome, Fits):
        values = np.array(outcome.values, dtype=object)
        assert all(x > 0 for x in strict.astype(object) @ values)
        assert all(x >= 0 for x in weak.astype(object) @ values)
    else:
        m = np.array(outcome.multipliers, dtype=object)
        assert min(m) >= 0
        assert any(m[: len(strict)])
        assert not any(m @ np.vstack([strict, weak]).astype(object))


@given(matrices)
@settings(max_examples=200, deadline=None)
def test_the_exact_simplex_proves_its_answers(matrix):
    fits, numbers = solve_strict(matrix.tolist())
    outcome = Fits(tuple(numbers), "exact") if fits else DoesNotFit(tuple(numbers), "exact")
    assert holds(matrix, outcome)


@given(matrices)
@settings(max_examples=200, deadline=None)
def test_scalar_products_alone_give_the_same_answer(matrix):
    # Nodes: the rows themselves and the origin, so that each row is one edge.
    gram = matrix @ matrix.T
    edges = np.eye(len(matrix), dtype=np.int64)
    pivots: list[int] = []
    for i in range(len(matrix)):
        if np.linalg.matrix_rank(matrix[[*pivots, i]]) > len(pivots):
            pivots.append(i)
    by_gram = decide_by_gram(edges, gram, pivots)
    assert isinstance(by_gram, Fits) == isinstance(decide(System.strict(matrix)), Fits)
    if isinstance(by_gram, Fits):
        assert (gram @ np.array(by_gram.values) > 0).all()
    else:
        assert not (np.array(by_gram.multipliers) @ matrix).any()


@pytest.mark.parametrize("silenced", ["_propose_daqp", "largest_margin"])
@pytest.mark.parametrize("seed", range(20))
def test_when_a_solver_gives_up_the_next_method_settles_it(monkeypatch, silenced, seed):
    monkeypatch.setattr(oracle, silenced, lambda matrix: None)
    if silenced == "largest_margin":
        monkeypatch.setattr(oracle, "_propose_daqp", lambda matrix: None)
    matrix = np.random.default_rng(seed).integers(-1, 2, (8, 4))
    outcome = decide(System.strict(matrix))
    assert holds(matrix, outcome)
    assert outcome.method in ("highs", "exact", "a row of zeros")


@pytest.mark.parametrize("wrong", [(True, [1.0, -1.0]), (False, [1.0, 1.0, 0.0]), (True, [float("nan"), 0.0])])
def test_a_wrong_proposal_is_never_believed(monkeypatch, wrong):
    monkeypatch.setattr(oracle, "_proposals", lambda m: iter([("liar", (wrong[0], np.array(wrong[1])))]))
    matrix = np.array([[1, 0], [-1, 2], [1, 1]])
    outcome = decide(System.strict(matrix))
    assert outcome.method == "exact"
    assert holds(matrix, outcome)


def test_values_far_beyond_floating_point_are_still_found():
    # v1 > 0, v2 > 8 v1, v3 > 8 v2, ...: the values must span 8^24.
    size = 25
    matrix = np.eye(size, dtype=np.int64)
    for i in range(1, size):
        matrix[i, i - 1] = -8
    outcome = decide(System.strict(matrix))
    assert holds(matrix, outcome)


def test_our_own_faults_are_loud():
    with pytest.raises(CertificateRejected, match="failed its exact check"):
        oracle._checked(np.array([[1, 0]]), DoesNotFit((1,), "a liar"))


@pytest.mark.parametrize(("shape", "kind"), [((0, 3), Fits), ((2, 0), DoesNotFit)])
def test_empty_matrices_have_an_answer(shape, kind):
    assert isinstance(decide(System.strict(np.zeros(shape, dtype=np.int64))), kind)
