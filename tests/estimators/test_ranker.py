"""The ranker and the pair classifier in scikit-learn's world: its own checks, its tools, and our guarantees."""

import os
import pickle
import signal
import threading
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError, UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from instances import rated
from setpref import Contradiction, InputError, learn
from setpref.errors import BadName, ConflictingRatings, UnknownOption
from setpref.estimators.baselines import KNNRanker, LinearRanker, RejectOption, SVMRanker
from setpref.estimators.convention import pair_scorer
from setpref.estimators.pairs import PairClassifier
from setpref.estimators.ranker import RobustOrdinalRanker
from setpref.evaluation.synthetic import draw_sets, draw_test_pairs, draw_user
from setpref.metrics import f1, measure
from setpref.terms import bit_matrix

USER = draw_user(6, terms=3, rng=4)
TRAIN = draw_sets(6, 24, rng=4)
X, Y = bit_matrix(TRAIN, 6), USER.ratings[TRAIN]
TEST = draw_test_pairs(range(64), TRAIN, 100, rng=4)
A, B = (bit_matrix(side, 6) for side in zip(*TEST, strict=True))
NAMES = ["coconut", "lemon", "mango", "milk", "mint", "tea"]

NOT_SETS = "sends numbers other than 0 and 1, which are refused unless binarize is set; passes below with binarize"
LONG = "sends 40 random ratings over 10 columns: the simplest models of noise take minutes; passes below with deg"
# Every check a ranker is excused from, by the kind of ranker, each with the reason.
EXEMPT = {
    "any": {"check_array_api_input": "only runs where SCIPY_ARRAY_API is set; only numpy's arrays are supported"},
    "0/1 only": dict.fromkeys(
        [
            "check_fit_score_takes_y",
            "check_estimators_overwrite_params",
            "check_dont_overwrite_parameters",
            "check_estimators_fit_returns_self",
            "check_readonly_memmap_input",
            "check_n_features_in_after_fitting",
            "check_positive_only_tag_during_fit",
            "check_estimators_dtypes",
            "check_dtype_object",
            "check_pipeline_consistency",
            "check_estimators_nan_inf",
            "check_estimators_pickle",
            "check_f_contiguous_array_estimator",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_fit2d_1sample",
            "check_fit2d_1feature",
            "check_dict_unchanged",
            "check_fit_idempotent",
            "check_fit_check_is_fitted",
            "check_n_features_in",
            "check_fit2d_predict1d",
        ],
        NOT_SETS,
    ),
    "not deg": {"check_dtype_object": LONG},
}


def exempt(estimator):
    """Name the checks a ranker is excused from, with the reason."""
    return EXEMPT["any"] | (EXEMPT["0/1 only"] if estimator.binarize is None else {})


# PairClassifier takes arrays of three axes, for which scikit-learn has no checks; its own tests are below.
@parametrize_with_checks(
    [
        RobustOrdinalRanker(),
        RobustOrdinalRanker(binarize=0.5),
        RobustOrdinalRanker(binarize=0.5, simplicity="deg"),
        RobustOrdinalRanker(binarize=0.5, rule="volume", random_state=0),
    ],
    expected_failed_checks=exempt,
)
def test_scikit_learns_checks(estimator, check):
    reason = EXEMPT["not deg"].get(getattr(check, "func", check).__name__)
    if reason and estimator.binarize is not None and estimator.simplicity != "deg":
        pytest.skip(reason)
    check(estimator)


# -- the ranker says what the learner says -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(rated())
def test_the_ranker_composes_the_learner(prefs):
    masks = list(prefs.ratings)
    ranker = RobustOrdinalRanker(ties=prefs.ties).fit(
        bit_matrix(masks, len(prefs.universe)), [float(prefs.ratings[mask]) for mask in masks]
    )
    every = bit_matrix(range(1 << len(prefs.universe)), len(prefs.universe))
    first, second = np.triu_indices(len(every), 1)
    assert (
        ranker.compare(every[first], every[second]) == learn(prefs).verdicts_of_masks(first.tolist(), second.tolist())
    ).all()


@settings(max_examples=40, deadline=None)
@given(rated())
@pytest.mark.parametrize("simplicity", ["lex", "deg"])
def test_predict_gives_training_sets_their_rating_and_never_goes_against_compare(simplicity, prefs):
    masks = list(prefs.ratings)
    known, ratings = bit_matrix(masks, len(prefs.universe)), [float(prefs.ratings[mask]) for mask in masks]
    ranker = RobustOrdinalRanker(simplicity=simplicity).fit(known, ratings)
    if len(set(ratings)) > 1:
        assert ranker.predict(known).tolist() == pytest.approx(ratings)
    every = bit_matrix(range(1 << len(prefs.universe)), len(prefs.universe))
    first, second = np.triu_indices(len(every), 1)
    scores, verdicts = ranker.predict(every), ranker.compare(every[first], every[second])
    assert ((scores[first] - scores[second]) * verdicts >= -1e-9).all()


def test_frames_keep_their_names():
    pd = pytest.importorskip("pandas")
    ranker = RobustOrdinalRanker().fit(pd.DataFrame(X, columns=NAMES), pd.Series(Y))
    assert ranker.feature_names_in_.tolist() == NAMES
    assert ranker.learned_.preferences.universe.names == tuple(NAMES)
    verdict = ranker.learned_.compare("mango+tea", "{}").value
    row = pd.DataFrame([[0, 0, 1, 0, 0, 1], [0] * 6], columns=NAMES)
    assert ranker.compare(row[:1], row[1:])[0] == {"better": 1, "worse": -1, "unknown": 0}[verdict]
    with pytest.raises(ValueError, match="feature names"):
        ranker.compare(row[NAMES[::-1]][:1], row[1:])


def test_polars_frames_are_taken():
    pl = pytest.importorskip("polars")
    ranker = RobustOrdinalRanker().fit(pl.DataFrame(X, schema=NAMES), Y)
    assert ranker.feature_names_in_.tolist() == NAMES


def test_matrices_get_plain_names():
    assert RobustOrdinalRanker().fit(X, Y).preferences_.universe.names == ("x0", "x1", "x2", "x3", "x4", "x5")


def test_statements_can_be_learned_from():
    ranker = RobustOrdinalRanker().fit_pairs([[1, 0], [0, 1]], [[0, 1], [0, 0]])
    assert ranker.compare([[1, 0], [1, 1]], [[0, 0], [1, 0]]).tolist() == [1, 1]
    assert ranker.predict([[1, 0], [0, 1], [0, 0]]).tolist() == sorted(
        ranker.predict([[1, 0], [0, 1], [0, 0]]), reverse=True
    )


@pytest.mark.parametrize("collisions", ["median", "mean", "last", "drop"])
def test_collisions_are_settled_as_asked(collisions):
    ranker = RobustOrdinalRanker(collisions=collisions).fit([[1, 0], [1, 0], [0, 1]], [1, 4, 2])
    assert ranker.preferences_.collisions.conflicting_sets == 1
    expected = {"median": [2.5], "mean": [2.5], "last": [4.0], "drop": [2.0]}[collisions]
    assert ranker.predict([[1, 0]]).tolist() == expected


@pytest.mark.parametrize("rule", ["all", "union", "majority", "volume"])
def test_rules_are_options_of_the_ranker(rule):
    ranker = RobustOrdinalRanker(rule=rule, threshold=0.75, random_state=0).fit(X, Y)
    found = ranker.compare(A, B)
    assert set(found.tolist()) <= {1, 0, -1}
    assert (found == clone(ranker).fit(X, Y).compare(A, B)).all()
    assert (np.sign(ranker.margin(A, B))[found != 0] == found[found != 0]).all()


def test_looser_rules_predict_more():
    rates = [
        measure(
            "prediction_rate",
            RobustOrdinalRanker(rule=rule, threshold=t, random_state=1).fit(X[:12], Y[:12]).compare(A, B),
            None,
        )
        for rule, t in [("union", 0.9), ("all", 0.9), ("volume", 0.9), ("volume", 0.6)]
    ]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]


# -- scikit-learn's tools ------------------------------------------------------------------------------------------


def test_the_score_is_f1_over_all_pairs_of_rows():
    ranker = RobustOrdinalRanker().fit(X[:15], Y[:15])
    rows = list(combinations(range(15, 24), 2))
    found = [int(ranker.compare(X[[i]], X[[j]])[0]) for i, j in rows]
    assert ranker.score(X[15:], Y[15:]) == f1(found, [int(np.sign(Y[i] - Y[j])) for i, j in rows])


def test_a_score_that_is_undefined_says_so():
    ranker = RobustOrdinalRanker().fit(X[:15], Y[:15])
    with pytest.warns(UndefinedMetricWarning, match="f1 of 1 row is undefined: .* folds of 2 or more"):
        assert np.isnan(ranker.score(X[15:16], Y[15:16]))
    with pytest.warns(UndefinedMetricWarning, match="precision of 2 rows is undefined"):
        assert np.isnan(pair_scorer("precision")(ranker, X[[15, 15]], Y[[15, 15]]))
    with pytest.warns(UndefinedMetricWarning, match="folds of 2 or more"):
        scores = cross_val_score(ranker, X[:5], Y[:5], cv=LeaveOneOut())
    assert np.isnan(scores).all()


def test_cross_validation_and_grid_search_over_simplicity():
    folds = KFold(3, shuffle=True, random_state=0)
    scores = cross_val_score(RobustOrdinalRanker(), X, Y, cv=folds)
    assert len(scores) == 3
    assert (scores > 0.3).all()
    precision = cross_val_score(RobustOrdinalRanker(), X, Y, cv=folds, scoring=pair_scorer("precision"))
    assert np.nanmean(precision) > 0.7
    search = GridSearchCV(RobustOrdinalRanker(), {"simplicity": ["lex", "card", "ws", "deg"]}, cv=folds).fit(X, Y)
    assert search.best_params_["simplicity"] in ("lex", "card", "ws", "deg")
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_estimator_.learned_.proven


def test_pipelines_score_and_search():
    pipeline = make_pipeline(Binarizer(threshold=0.5), RobustOrdinalRanker())
    pipeline.fit(X * 0.8, Y)
    plain = RobustOrdinalRanker().fit(X, Y)
    assert pipeline.score(X * 0.8, Y) == pair_scorer("f1")(pipeline, X * 0.8, Y) == plain.score(X, Y)
    assert pair_scorer("correctness")(pipeline, X * 0.8, Y) == 1.0
    search = GridSearchCV(pipeline, {"robustordinalranker__rule": ["all", "union"]}, scoring=pair_scorer("f1"), cv=2)
    assert search.fit(X, Y).best_score_ > 0


def test_parameters_are_stored_untouched_and_cloned():
    given_ = {
        "simplicity": "card",
        "rule": "volume",
        "threshold": 0.8,
        "engine": "auto",
        "time_limit": 5.0,
        "collisions": "mean",
        "ties": "indifferent",
        "tolerance": 0.0,
        "binarize": None,
        "random_state": 3,
    }
    ranker = RobustOrdinalRanker(**given_)
    assert ranker.get_params() == given_
    ranker.fit(X[:10], Y[:10])
    assert ranker.get_params() == clone(ranker).get_params() == given_


@pytest.mark.parametrize("ratings", [Y, np.ones(len(Y))], ids=["ratings", "no statement"])
def test_pickles_answer_alike(ratings):
    ranker = RobustOrdinalRanker(rule="volume", random_state=2).fit(X, ratings)
    again = pickle.loads(pickle.dumps(ranker))
    assert (again.compare(A, B) == ranker.compare(A, B)).all()
    assert (again.predict(A) == ranker.predict(A)).all()


def test_a_stopped_search_says_so_and_still_answers():
    with pytest.warns(ConvergenceWarning, match="time_limit of 0.0 seconds before the simplest models were proven"):
        ranker = RobustOrdinalRanker(time_limit=0.0).fit(X, Y)
    assert not ranker.learned_.proven
    assert ranker.predict(X).tolist() == Y.tolist()
    verdicts, scores = ranker.compare(A, B), ranker.predict(A) - ranker.predict(B)
    assert (verdicts * scores >= -1e-9).all()
    with pytest.warns(ConvergenceWarning):
        nothing = RobustOrdinalRanker(simplicity="card", time_limit=0.0).fit(X, Y)
    assert nothing.model_ is not None or set(nothing.predict(A)) == {np.unique(Y).mean()}


@pytest.mark.parametrize(
    ("ranker", "error", "words"),
    [
        (RobustOrdinalRanker(simplicity="short"), UnknownOption, "simplicity 'short'"),
        (RobustOrdinalRanker(rule="most"), UnknownOption, "rule 'most'"),
        (RobustOrdinalRanker(engine="magic"), UnknownOption, "engine 'magic'"),
        (RobustOrdinalRanker(rule="volume", threshold=0.2), InputError, "threshold is 0.2"),
        (RobustOrdinalRanker(rule="majority", simplicity="deg"), InputError, "deg does not list"),
        (RobustOrdinalRanker(collisions="error"), ConflictingRatings, "x0 has different ratings"),
    ],
    ids=repr,
)
def test_bad_options_are_refused_in_fit(ranker, error, words):
    with pytest.raises(error, match=words):
        ranker.fit([[1, 0], [1, 0], [0, 1]], [1, 2, 3])


@pytest.mark.parametrize(
    "model",
    [RobustOrdinalRanker(), LinearRanker(), SVMRanker(), KNNRanker(), RejectOption(LinearRanker())],
    ids=repr,
)
def test_a_refit_that_fails_leaves_nothing_to_ask(model):
    pd = pytest.importorskip("pandas")
    params = model.fit(pd.DataFrame(X, columns=NAMES), Y).get_params()
    fits = [
        lambda: model.fit([[1, 0], [0, 2]], [1, 2]),
        lambda: model.fit(X, Y[1:]),
        lambda: model.fit_pairs([[1, 0], [0, 1]], [[0, 0]]),
    ]
    for fit in fits:
        with pytest.raises(ValueError):  # noqa: PT011 -- scikit-learn's own, too
            fit()
        for ask in (lambda: model.predict(X), lambda: model.compare(A, B), lambda: model.margin(A, B)):
            with pytest.raises(NotFittedError):
                ask()
        assert not hasattr(model, "n_features_in_")
        assert not hasattr(model, "feature_names_in_")
        assert model.get_params() == params
        model.fit(X, Y)


def test_preferences_are_learned_without_the_names_of_an_earlier_fit():
    pd = pytest.importorskip("pandas")
    ranker = RobustOrdinalRanker().fit(pd.DataFrame(X, columns=NAMES), Y)
    again = ranker.fit_preferences(RobustOrdinalRanker().fit(X[:, :4], Y).preferences_)
    assert again.n_features_in_ == 4
    assert not hasattr(again, "feature_names_in_")


def test_ctrl_c_in_cross_validation_interrupts():
    """It ended one fold's search, and scores came back as if nothing had been."""
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    noise = np.random.default_rng(0)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cross_val_score(RobustOrdinalRanker(), noise.integers(0, 2, (40, 10)), noise.permutation(40), cv=4)
    timer.cancel()
    timer.join()


def test_bad_data_are_refused_with_the_place():
    with pytest.raises(InputError, match=r"X has 2 in row 1, column x1"):
        RobustOrdinalRanker().fit([[1, 0], [0, 2]], [1, 2])
    ranker = RobustOrdinalRanker().fit(X, Y)
    with pytest.raises(InputError, match="100 first and 99 second"):
        ranker.compare(A, B[1:])
    with pytest.raises(InputError, match="2 first and 1 second"):
        RobustOrdinalRanker().fit_pairs([[1, 0], [0, 1]], [[0, 0]])
    with pytest.raises(Contradiction):
        RobustOrdinalRanker().fit_pairs([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    with pytest.raises(NotFittedError):
        RobustOrdinalRanker().compare(A, B)
    with pytest.raises(UnknownOption, match="metric 'r2'"):
        pair_scorer("r2")


def test_a_column_that_cannot_be_written_in_a_set_is_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(BadName, match=r"tea\+milk"):
        RobustOrdinalRanker().fit(pd.DataFrame([[0], [1]], columns=["tea+milk"]), [1, 2])


# -- pairs -----------------------------------------------------------------------------------------------------------


def labelled(count, seed=0):
    pairs = [p for p in draw_test_pairs(range(64), [], 3 * count, rng=seed) if USER.verdicts([p])[0]][:count]
    return np.stack([bit_matrix([a, b], 6) for a, b in pairs]), USER.verdicts(pairs)


@pytest.mark.parametrize(
    "ranker",
    [None, LinearRanker(), SVMRanker(), KNNRanker(), RejectOption(SVMRanker(), prediction_rate=0.6)],
    ids=repr,
)
def test_every_ranker_classifies_pairs_on_the_same_footing(ranker):
    pairs, labels = labelled(60)
    model = PairClassifier(ranker).fit(pairs[:40], labels[:40])
    found = model.predict(pairs[40:])
    assert set(found.tolist()) <= {1, 0, -1}
    assert model.score(pairs[40:], labels[40:]) == f1(found, labels[40:])
    assert (np.sign(model.decision_function(pairs[40:]))[found != 0] == found[found != 0]).all()
    assert (model.compare(pairs[40:, 0], pairs[40:, 1]) == found).all()
    assert model.classes_.tolist() == [-1, 1]


def test_pairs_go_through_cross_validation():
    pairs, labels = labelled(60)
    assert is_classifier(PairClassifier())
    scores = cross_val_score(PairClassifier(RobustOrdinalRanker()), pairs, labels, cv=3)
    assert (scores > 0).all()
    grid = {"ranker__simplicity": ["lex", "deg"]}
    search = GridSearchCV(PairClassifier(RobustOrdinalRanker()), grid, cv=2).fit(pairs, labels)
    assert search.best_estimator_.ranker_.learned_.proven
    assert (pickle.loads(pickle.dumps(search)).predict(pairs) == search.predict(pairs)).all()


def test_turning_pairs_and_labels_round_changes_nothing():
    pairs, labels = labelled(40)
    one = PairClassifier().fit(pairs, labels)
    other = PairClassifier().fit(pairs[:, ::-1], -labels)
    fresh, _ = labelled(50, seed=9)
    assert (one.predict(fresh) == other.predict(fresh)).all()
    assert (one.predict(fresh) == -one.predict(fresh[:, ::-1])).all()


def test_a_failed_refit_of_pairs_leaves_nothing_to_ask():
    pairs, labels = labelled(20)
    model = PairClassifier().fit(pairs, labels)
    with pytest.raises(InputError, match="nothing to learn from"):
        model.fit(pairs[:, :, :4], 0 * labels)
    with pytest.raises(NotFittedError):
        model.predict(pairs)
    assert not hasattr(model, "n_features_in_")


def test_labels_one_and_zero_are_warned_of():
    pairs, labels = labelled(20)
    with pytest.warns(UserWarning, match="0 .* teaches nothing.* write -1"):
        PairClassifier().fit(pairs, (labels > 0).astype(int))
    PairClassifier().fit(pairs[labels > 0], labels[labels > 0])  # nothing is 0


def test_label_zero_teaches_nothing():
    pairs, labels = labelled(20)
    with_ties = np.where(np.arange(20) % 3 == 0, 0, labels)
    fresh, _ = labelled(50, seed=9)
    kept = with_ties != 0
    expected = PairClassifier().fit(pairs[kept], labels[kept]).predict(fresh)
    assert (PairClassifier().fit(pairs, with_ties).predict(fresh) == expected).all()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_two_frames_keep_their_names(library):
    module = pytest.importorskip(library)
    pairs, labels = labelled(30)
    frames = tuple(module.DataFrame({n: pairs[:, s, i] for i, n in enumerate(NAMES)}) for s in (0, 1))
    model = PairClassifier().fit(frames, labels)
    assert model.feature_names_in_.tolist() == NAMES
    assert (model.predict(frames) == PairClassifier().fit(pairs, labels).predict(pairs)).all()


@pytest.mark.parametrize(
    ("pairs", "labels", "words"),
    [
        (np.zeros((3, 2)), [1, 1, 1], r"shape \(3, 2\)"),
        (np.zeros((2, 2, 3)), [1], "one label per pair"),
        (np.zeros((1, 2, 3)), [2], "labels are 1"),
        (np.zeros((1, 2, 3)), [0], "nothing to learn from"),
        ((np.zeros((1, 2)), np.zeros((1, 3))), [1], "give the same columns"),
    ],
)
def test_bad_pairs_are_refused(pairs, labels, words):
    with pytest.raises(InputError, match=words):
        PairClassifier().fit(pairs, labels)


def test_pairs_need_a_fit_first():
    with pytest.raises(NotFittedError):
        PairClassifier().predict(np.zeros((1, 2, 3)))


def test_only_the_volume_rule_draws_from_random_state():
    state = np.random.RandomState(0)
    before = state.get_state()[1].copy()
    RobustOrdinalRanker(random_state=state).fit(X, Y)
    assert (state.get_state()[1] == before).all()
    one = RobustOrdinalRanker(rule="volume", random_state=np.random.RandomState(5)).fit(X, Y)
    two = RobustOrdinalRanker(rule="volume", random_state=np.random.RandomState(5)).fit(X, Y)
    assert (one.margin(A, B) == two.margin(A, B)).all()
