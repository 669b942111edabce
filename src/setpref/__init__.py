"""Learn what somebody prefers among sets, exactly and with proofs.

>>> import setpref as sp
>>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
>>> sp.learn(prefs, simplicity="deg").degree
2
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from setpref.version import __version__

if TYPE_CHECKING:
    from setpref.answers.theta import compare_under, fit_theta
    from setpref.data.files import read
    from setpref.data.preferences import Preferences
    from setpref.data.statements import Statement
    from setpref.errors import CertificateRejected, Contradiction, InputError, SetprefError
    from setpref.estimators.ranker import PairClassifier, RobustOrdinalRanker
    from setpref.learning.learned import Learned
    from setpref.learning.learner import learn, load
    from setpref.model import KernelModel, Model
    from setpref.proofs.verdicts import Disagreement, Dominance, Verdict
    from setpref.proofs.verification import verify
    from setpref.repairs.conflicts import minimal_groups
    from setpref.repairs.repairing import repair
    from setpref.repairs.tradeoffs import tradeoff
    from setpref.universe import Universe

# Names are loaded when first used: importing setpref stays light.
_ROOMS = {
    "CertificateRejected": "errors",
    "Contradiction": "errors",
    "Disagreement": "proofs.verdicts",
    "Dominance": "proofs.verdicts",
    "InputError": "errors",
    "KernelModel": "model",
    "Learned": "learning.learned",
    "Model": "model",
    "PairClassifier": "estimators.ranker",
    "Preferences": "data.preferences",
    "RobustOrdinalRanker": "estimators.ranker",
    "SetprefError": "errors",
    "Statement": "data.statements",
    "Universe": "universe",
    "Verdict": "proofs.verdicts",
    "compare_under": "answers.theta",
    "fit_theta": "answers.theta",
    "learn": "learning.learner",
    "load": "learning.learner",
    "minimal_groups": "repairs.conflicts",
    "read": "data.files",
    "repair": "repairs.repairing",
    "tradeoff": "repairs.tradeoffs",
    "verify": "proofs.verification",
}

__all__ = [
    "CertificateRejected",
    "Contradiction",
    "Disagreement",
    "Dominance",
    "InputError",
    "KernelModel",
    "Learned",
    "Model",
    "PairClassifier",
    "Preferences",
    "RobustOrdinalRanker",
    "SetprefError",
    "Statement",
    "Universe",
    "Verdict",
    "__version__",
    "compare_under",
    "fit_theta",
    "learn",
    "load",
    "minimal_groups",
    "read",
    "repair",
    "tradeoff",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'setpref' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"setpref.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
