"""Learn what somebody prefers among sets, exactly and with proofs.

>>> import setpref as sp
>>> prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
>>> sp.learn(prefs, simplicity="deg").degree
2
"""

from __future__ import annotations

import importlib

# Names are loaded when first used: importing setpref stays light. For their types they stand in __init__.pyi too.
_ROOMS = {
    "CertificateRejected": "errors",
    "Contradiction": "errors",
    "Disagreement": "proofs.verdicts",
    "Dominance": "proofs.verdicts",
    "InputError": "errors",
    "KernelModel": "model",
    "Learned": "learning.learned",
    "Model": "model",
    "PairClassifier": "estimators.pairs",
    "Preferences": "data.preferences",
    "RobustOrdinalRanker": "estimators.ranker",
    "SetprefError": "errors",
    "Statement": "data.statements",
    "Universe": "universe",
    "Verdict": "proofs.verdicts",
    "__version__": "version",
    "best_so_far": "progress",
    "compare_under": "answers.theta",
    "fit_theta": "answers.theta",
    "learn": "learning.learner",
    "load": "learning.loading",
    "minimal_groups": "repairs.conflicts",
    "read": "data.files",
    "repair": "repairs.repairing",
    "tradeoff": "repairs.tradeoffs",
    "verify": "proofs.verification",
}

__all__ = sorted(_ROOMS)


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module 'setpref' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(f"setpref.{_ROOMS[name]}"), name)
    except ImportError as error:
        return _absent(name, error)
    globals()[name] = value
    return value


def _absent(name: str, error: ImportError) -> object:
    """Return a class that can be looked at, as ``help`` does, but says what is not installed when it is used."""

    def refuse(*given: object, **named: object) -> object:
        raise error

    return type(name, (), {"__new__": refuse, "__doc__": str(error), "__module__": __name__})


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
