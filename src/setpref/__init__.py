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
    from setpref.conflicts import minimal_groups
    from setpref.dominance import Verdict, compare_under, fit_theta
    from setpref.errors import CertificateRejected, Contradiction, InputError, SetprefError
    from setpref.estimator import PairClassifier, RobustOrdinalRanker
    from setpref.files import read
    from setpref.learned import Learned
    from setpref.learner import learn, load
    from setpref.model import KernelModel, Model
    from setpref.preferences import Preferences
    from setpref.repairs import repair
    from setpref.statements import Statement
    from setpref.tradeoffs import tradeoff
    from setpref.universe import Universe
    from setpref.verdicts import Disagreement, Dominance
    from setpref.verification import verify

# Names are loaded when first used: importing setpref stays light.
_ROOMS = {
    "CertificateRejected": "errors",
    "Contradiction": "errors",
    "Disagreement": "verdicts",
    "Dominance": "verdicts",
    "InputError": "errors",
    "KernelModel": "model",
    "Learned": "learned",
    "Model": "model",
    "PairClassifier": "estimator",
    "Preferences": "preferences",
    "RobustOrdinalRanker": "estimator",
    "SetprefError": "errors",
    "Statement": "statements",
    "Universe": "universe",
    "Verdict": "dominance",
    "compare_under": "dominance",
    "fit_theta": "dominance",
    "learn": "learner",
    "load": "learner",
    "minimal_groups": "conflicts",
    "read": "files",
    "repair": "repairs",
    "tradeoff": "tradeoffs",
    "verify": "verification",
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
