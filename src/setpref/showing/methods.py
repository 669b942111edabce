"""What comparing methods found, in words: a table of means with their intervals, from plain facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["method_lines", "share_text"]


def share_text(share: Mapping[str, float | None]) -> str:
    """Return a mean between 0 and 1 with its interval, as written in tables; what is undefined is None.

    Examples
    --------
    >>> share_text({"mean": 0.8, "low": 0.75, "high": 1.02}), share_text({"mean": 0.8, "low": None, "high": None})
    ('0.80 [0.75, 1.00]', '0.80')
    """
    mean, low, high = share["mean"], share["low"], share["high"]
    if mean is None:
        return "undefined"
    return f"{mean:.2f}" if low is None or high is None else f"{mean:.2f} [{max(0.0, low):.2f}, {min(1.0, high):.2f}]"


def method_lines(facts: Mapping[str, Any]) -> list[str]:
    """Return what ``setpref evaluate`` prints of the facts that its ``--json`` gives: a table, and what it means."""
    methods, repeats, unproven = facts["methods"], facts["repeats"], facts["unproven_runs"]
    measures = list(dict.fromkeys(name for found in methods.values() for name in found if name != "meaning"))
    rows = [["method", *(name.replace("_", " ") for name in measures)]]
    rows += [[method, *(share_text(found[name]) for name in measures)] for method, found in methods.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    lines.append(
        f"means over {repeats} {'run' if repeats == 1 else 'runs'} with 95% intervals: learned from "
        f"{facts['training']} of {facts['alternatives']} sets, tested on {facts['pairs']} pairs not both among them"
    )
    lines += [f"{method}: {found['meaning']}" for method, found in methods.items()]
    if unproven:
        lines.append(
            f"not proven: in {unproven} of {repeats} runs the time limit stopped the search for the simplest models, "
            "and ord used the best known"
        )
    return lines
