"""People to predict, made up and published, and methods compared on them; the paper's experiments are next door."""

from __future__ import annotations

import importlib

# Names are loaded when first used. For their types they stand in __init__.pyi too.
_ROOMS = {
    "SyntheticUser": "synthetic",
    "draw_sets": "synthetic",
    "draw_test_pairs": "synthetic",
    "draw_user": "synthetic",
}

__all__ = sorted(_ROOMS)


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
