"""Estimators in scikit-learn's style: ours, its cautious rules, and the baselines; no method of their own."""

from __future__ import annotations

import importlib

# Names are loaded when first used, as scikit-learn takes its time. For their types they stand in __init__.pyi too.
_ROOMS = {
    "KNNRanker": "baselines",
    "LinearRanker": "baselines",
    "PairClassifier": "pairs",
    "RejectOption": "baselines",
    "RobustOrdinalRanker": "ranker",
    "SVMRanker": "baselines",
    "pair_scorer": "convention",
}

__all__ = sorted(_ROOMS)


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
