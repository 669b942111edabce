"""The names this room offers, with their types."""

from setpref.estimators.baselines import KNNRanker as KNNRanker
from setpref.estimators.baselines import LinearRanker as LinearRanker
from setpref.estimators.baselines import RejectOption as RejectOption
from setpref.estimators.baselines import SVMRanker as SVMRanker
from setpref.estimators.convention import pair_scorer as pair_scorer
from setpref.estimators.pairs import PairClassifier as PairClassifier
from setpref.estimators.ranker import RobustOrdinalRanker as RobustOrdinalRanker

__all__: list[str]
