"""The paper's baselines against direct scikit-learn calls on fixed data."""

import pickle
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from setpref import InputError, RobustOrdinalRanker, learn
from setpref.errors import UnknownOption
from setpref.estimators.baselines import KNNRanker, LinearRanker, RejectOption, SVMRanker
from setpref.evaluation.synthetic import draw_sets, draw_test_pairs, draw_user
from setpref.terms import bit_matrix

USER = draw_user(6, terms=4, rng=5)
TRAIN = draw_sets(6, 20, rng=5)
X, Y = bit_matrix(TRAIN, 6), USER.ratings[TRAIN]
PAIRS = draw_test_pairs(range(64), TRAIN, 100, rng=6)
A, B = (bit_matrix(side, 6) for side in zip(*PAIRS, strict=True))
DEGREE = learn(USER.rated(TRAIN), "deg").degree


def augmented(rows):
    """All products of up to DEGREE columns, written out independently of the package."""
    columns = [c for size in range(1, DEGREE + 1) for c in combinations(range(6), size)]
    return np.array([[int(all(row[i] for i in c)) for c in columns] for row in np.asarray(rows)], dtype=float)


def signs(differences):
    return np.where(np.abs(differences) <= 1e-9, 0, np.sign(differences)).astype(int).tolist()


def test_the_fixed_data_need_interactions():
    assert DEGREE == 2


@pytest.mark.parametrize("intercept", [True, False])
def test_linear_regression_is_scikit_learns_on_scaled_ratings(intercept):
    direct = LinearRegression(fit_intercept=intercept).fit(augmented(X), (Y - Y.min()) / (Y.max() - Y.min()))
    ranker = LinearRanker(fit_intercept=intercept).fit(X, Y)
    difference = direct.predict(augmented(A)) - direct.predict(augmented(B))
    assert ranker.compare(A, B).tolist() == signs(difference)
    assert np.allclose(ranker.margin(A, B), difference)
    assert np.allclose(ranker.predict(A), direct.predict(augmented(A)) * (Y.max() - Y.min()) + Y.min())


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_support_vectors_are_scikit_learns_on_differences_both_ways(kernel):
    order = sorted(range(len(Y)), key=lambda i: (-Y[i], TRAIN[i].bit_count(), TRAIN[i]))
    stated = [(i, j) for i in order for j in order if Y[i] > Y[j]]
    vectors = augmented(X)
    examples = [row for i, j in stated for row in (vectors[i] - vectors[j], vectors[j] - vectors[i])]
    direct = SVC(kernel=kernel).fit(examples, [1, 0] * len(stated))
    ahead, back = (direct.predict(d) for d in (augmented(A) - augmented(B), augmented(B) - augmented(A)))
    expected = np.where((ahead == 1) & (back == 0), 1, np.where((ahead == 0) & (back == 1), -1, 0))
    assert SVMRanker(kernel=kernel).fit(X, Y).compare(A, B).tolist() == expected.tolist()


def in_training_order():
    """The rows as the preferences list them, so that ties among neighbours fall alike."""
    known = USER.rated(TRAIN).alternatives
    return augmented(bit_matrix(known, 6)), USER.ratings[list(known)]


@pytest.mark.parametrize(("weights", "direct"), [("inverse", "distance"), ("proportional", lambda d: d)])
def test_neighbours_as_a_weighted_sum_are_scikit_learns_regressor(weights, direct):
    vectors, ratings = in_training_order()
    model = KNeighborsRegressor(n_neighbors=5, weights=direct).fit(vectors, ratings)
    ranker = KNNRanker(weights=weights).fit(X, Y)
    assert np.allclose(ranker.predict(A), model.predict(augmented(A)))
    assert ranker.compare(A, B).tolist() == signs(model.predict(augmented(A)) - model.predict(augmented(B)))


@pytest.mark.parametrize(("weights", "direct"), [("inverse", "distance"), ("proportional", lambda d: d)])
def test_neighbours_as_a_classifier_are_scikit_learns(weights, direct):
    vectors, ratings = in_training_order()
    model = KNeighborsClassifier(n_neighbors=5, weights=direct).fit(vectors, ratings)
    ranker = KNNRanker(weights=weights, output="classifier").fit(X, Y)
    assert ranker.predict(A).tolist() == model.predict(augmented(A)).tolist()
    assert ranker.compare(A, B).tolist() == signs(model.predict(augmented(A)) - model.predict(augmented(B)))


def test_the_weighted_sum_worked_by_hand():
    # Neighbours of {} among {a}: 2, {b}: 4, {a,b}: 6 (degree 1): distances 1, 1, sqrt 2.
    ranker = KNNRanker(neighbours=3).fit([[1, 0], [0, 1], [1, 1]], [2, 4, 6])
    near = 1 / 2**0.5
    assert ranker.degree_ == 1
    assert ranker.predict([[0, 0]])[0] == pytest.approx((2 + 4 + 6 * near) / (2 + near))
    far = 2**0.5
    literal = KNNRanker(neighbours=3, weights="proportional").fit([[1, 0], [0, 1], [1, 1]], [2, 4, 6])
    assert literal.predict([[0, 0]])[0] == pytest.approx((2 + 4 + 6 * far) / (2 + far))


def test_half_ratings_are_labels_too():
    ranker = KNNRanker(neighbours=1, output="classifier").fit([[0], [1]], [0.5, 1.5])
    assert ranker.predict([[0], [1]]).tolist() == [0.5, 1.5]
    assert KNNRanker(neighbours=1, weights="proportional").fit([[0], [1]], [1, 2]).predict([[1]]).tolist() == [2.0]


RANKERS = [LinearRanker(), SVMRanker(), SVMRanker(kernel="linear"), KNNRanker(), KNNRanker(output="classifier")]


@pytest.mark.parametrize("ranker", RANKERS, ids=repr)
def test_turning_pairs_round_turns_verdicts_and_a_set_never_beats_itself(ranker):
    fitted = clone(ranker).fit(X, Y)
    assert (fitted.compare(A, B) == -fitted.compare(B, A)).all()
    assert not fitted.compare(A, A).any()
    assert (np.sign(fitted.margin(A, B)) == fitted.compare(A, B)).all()


@pytest.mark.parametrize("ranker", [*RANKERS, RobustOrdinalRanker()], ids=repr)
def test_masks_are_learned_from_and_compared_as_rows_are(ranker):
    rows, masks = clone(ranker).fit(X, Y), clone(ranker).fit_preferences(USER.rated(TRAIN))
    asked = [list(side) for side in zip(*PAIRS, strict=True)]
    assert (masks.verdicts_of_masks(*asked) == rows.compare(A, B)).all()
    assert (masks.margins_of_masks(*asked) == rows.margin(A, B)).all()
    assert (masks.compare(A, B) == rows.compare(A, B)).all()


@pytest.mark.parametrize("ranker", RANKERS, ids=repr)
def test_statements_can_be_learned_from(ranker):
    fitted = clone(ranker).fit_pairs([[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 0]])
    assert fitted.compare([[1, 0, 0]], [[0, 0, 0]]).tolist() == [1]


@pytest.mark.parametrize("ranker", RANKERS, ids=repr)
def test_equal_ratings_teach_nothing(ranker):
    assert clone(ranker).fit([[0, 1], [1, 0]], [3, 3]).compare([[1, 1]], [[0, 0]]).tolist() == [0]


@pytest.mark.parametrize("ranker", [*RANKERS, RejectOption(SVMRanker())], ids=repr)
def test_pickles_answer_alike(ranker):
    fitted = clone(ranker).fit(X, Y)
    assert (pickle.loads(pickle.dumps(fitted)).compare(A, B) == fitted.compare(A, B)).all()


@pytest.mark.parametrize("inner", [LinearRanker(), SVMRanker()], ids=repr)
@pytest.mark.parametrize("rate", [0.0, 0.25, 0.6, 1.0])
def test_a_reject_option_keeps_the_largest_margins(inner, rate):
    plain = clone(inner).fit(X, Y)
    cautious = RejectOption(inner, prediction_rate=rate).fit(X, Y)
    kept, sizes = cautious.compare(A, B) != 0, np.abs(plain.margin(A, B))
    assert kept.sum() == min(round(rate * 100), np.count_nonzero(sizes))
    assert (cautious.compare(A, B)[kept] == plain.compare(A, B)[kept]).all()
    assert not kept.any() or kept.all() or sizes[kept].min() >= sizes[~kept].max()


def test_a_threshold_tuned_on_training_pairs_holds_for_them():
    cautious = RejectOption(LinearRanker(), prediction_rate=0.4, tuned_on="training").fit(X, Y)
    first, second = np.triu_indices(20, 1)
    share = np.mean(cautious.compare(X[first], X[second]) != 0)
    assert share == pytest.approx(0.4, abs=0.02)
    alone = cautious.compare(A[:1], B[:1])
    assert alone.tolist() == cautious.compare(A, B)[:1].tolist()


@pytest.mark.parametrize(
    ("ranker", "words"),
    [
        (KNNRanker(weights="far"), "weights 'far'"),
        (KNNRanker(output="vote"), "output 'vote'"),
        (KNNRanker(neighbours=0), "neighbours is 0"),
        (LinearRanker(degree=0), "degree is 0"),
        (SVMRanker(kernel="magic"), "kernel 'magic'"),
        (SVMRanker(C=0.0), r"C is 0\.0"),
        (RejectOption(prediction_rate=2.0), r"prediction_rate is 2\.0"),
        (RejectOption(tuned_on="luck"), "tuned_on 'luck'"),
    ],
    ids=repr,
)
def test_bad_options_are_refused_in_fit(ranker, words):
    with pytest.raises((InputError, UnknownOption), match=words):
        ranker.fit(X, Y)


def test_a_given_degree_is_kept():
    assert len(LinearRanker(degree=3).fit(X, Y).terms_) == 6 + 15 + 20


# scikit-learn's own checks send arbitrary numbers; cut at 0.5 they are sets.
EXEMPT = {
    "check_array_api_input": "only runs where SCIPY_ARRAY_API is set; arrays other than numpy's are not supported"
}


@parametrize_with_checks(
    [
        LinearRanker(binarize=0.5),
        KNNRanker(binarize=0.5),
        SVMRanker(binarize=0.5),
        RejectOption(LinearRanker(binarize=0.5)),
    ],
    expected_failed_checks=lambda estimator: EXEMPT,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
