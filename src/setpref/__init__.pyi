"""The public names with their types: loaded when first used, they stand here for type checkers."""

from setpref.answers.theta import compare_under as compare_under
from setpref.answers.theta import fit_theta as fit_theta
from setpref.data.files import read as read
from setpref.data.preferences import Preferences as Preferences
from setpref.data.statements import Statement as Statement
from setpref.errors import CertificateRejected as CertificateRejected
from setpref.errors import Contradiction as Contradiction
from setpref.errors import InputError as InputError
from setpref.errors import SetprefError as SetprefError
from setpref.estimators.pairs import PairClassifier as PairClassifier
from setpref.estimators.ranker import RobustOrdinalRanker as RobustOrdinalRanker
from setpref.learning.learned import Learned as Learned
from setpref.learning.learner import learn as learn
from setpref.learning.loading import load as load
from setpref.model import KernelModel as KernelModel
from setpref.model import Model as Model
from setpref.progress import best_so_far as best_so_far
from setpref.proofs.verdicts import Disagreement as Disagreement
from setpref.proofs.verdicts import Dominance as Dominance
from setpref.proofs.verdicts import Verdict as Verdict
from setpref.proofs.verification import verify as verify
from setpref.repairs.conflicts import minimal_groups as minimal_groups
from setpref.repairs.repairing import repair as repair
from setpref.repairs.tradeoffs import tradeoff as tradeoff
from setpref.universe import Universe as Universe
from setpref.version import __version__ as __version__

__all__: list[str]
