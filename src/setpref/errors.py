"""Every error setpref raises, and the evidence each one carries.

::

    SetprefError
    ├── InputError (also a ValueError): what was given cannot be used
    │   ├── BadName            an element name that cannot be written in a set
    │   ├── UnknownElement     a name outside the universe
    │   ├── BadTable           a file, frame or table that cannot be read as preferences
    │   ├── SelfComparison     a set compared with itself
    │   ├── ConflictingRatings one set with different ratings under collisions="error"
    │   ├── Contradiction      statements that no model can satisfy: a cycle with a strict statement
    │   ├── UnknownOption      an option value that does not exist
    │   ├── TooLarge           more than a stated limit
    │   └── BadDocument        a saved file that is not one of ours
    ├── MissingDependency (also an ImportError): an optional package is not installed
    └── CertificateRejected: a proof that does not hold; if we made it, the fault is ours

The text of an error is one sentence for a person: what was given, what is allowed, what to do next. An error is the
same in the caller's process and in a worker's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = [
    "BadDocument",
    "BadName",
    "BadTable",
    "CertificateRejected",
    "ConflictingRatings",
    "Contradiction",
    "InputError",
    "MissingDependency",
    "SelfComparison",
    "SetprefError",
    "TooLarge",
    "UnknownElement",
    "UnknownOption",
]


class SetprefError(Exception):
    """The root of every error raised on purpose by setpref."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an error is made again from its text, as if that were what its class is called with.
        made: Any = super().__reduce__()
        _, text, *attributes = made
        return _restored, (type(self), text), *attributes


def _restored(kind: type[SetprefError], text: tuple[object, ...]) -> SetprefError:
    """Return an error with its text, past the constructor that would write it anew."""
    error = kind.__new__(kind)
    super(SetprefError, error).__init__(*text)
    return error


class InputError(SetprefError, ValueError):
    """What was given cannot be used; the sentence says why and what to do."""


class BadName(InputError):
    """An element name that cannot be written in a set such as ``tea+lemon``."""

    def __init__(self, name: object, reason: str) -> None:
        self.name = name
        super().__init__(f"the element name {name!r} {reason}")


class UnknownElement(InputError):
    """A name outside the universe."""

    def __init__(self, name: object, known: Sequence[str], nearest: str | None = None, where: str = "") -> None:
        self.name = name
        self.known = tuple(known)
        self.nearest = nearest
        shown = ", ".join(self.known[:12]) + (", ..." if len(self.known) > 12 else "")
        hint = f"; did you mean {nearest!r}?" if nearest else ""
        before = f"{where}: " if where else ""
        are = "only element is" if len(self.known) == 1 else f"{len(self.known)} elements are"
        super().__init__(f"{before}{name!r} is not an element; the {are} {shown}{hint}")

    def at(self, where: str) -> UnknownElement:
        """Return the same error with the place it was found at."""
        return UnknownElement(self.name, self.known, self.nearest, where)


class BadTable(InputError):
    """A file, frame or table that cannot be read as preferences."""


class SelfComparison(InputError):
    """A set compared with itself."""

    def __init__(self, where: str, written: str, *, same: bool = False) -> None:
        self.where = where
        why = "that says nothing" if same else "a set cannot be better than itself"
        super().__init__(f"{where}: {written} is compared with itself; {why}, so correct or remove this statement")


class ConflictingRatings(InputError):
    """One set with different ratings under ``collisions="error"``."""

    def __init__(self, written: str, ratings: Sequence[str], sets: int) -> None:
        self.written = written
        others = "1 more set has" if sets == 2 else f"{sets - 1} more sets have"
        more = f" ({others} different ratings too)" if sets > 1 else ""
        super().__init__(
            f"{written} has different ratings: {', '.join(ratings)}{more}; correct them, or set "
            "collisions to median, mean, last or drop"
        )


class Contradiction(InputError):
    """Statements that no model can satisfy: a cycle of "over" and "same as" with at least one "over".

    Attributes
    ----------
    cycle : tuple of (str, str, str)
        Where each statement stands ("line 4"), its better set and its worse set, as written.
    same : tuple of bool
        Per statement of the cycle, whether it says "no difference".
    shortest : bool
        Whether no shorter cycle exists (false only when looking for one would take too long).
    """

    def __init__(
        self,
        cycle: Iterable[tuple[str, str, str]],
        *,
        shortest: bool,
        same: Iterable[bool] | None = None,
        hint: str = "correct or remove one of them (all of them: setpref check; the least to give up: setpref repair; "
        "to learn in spite of them: --errors auto)",
    ) -> None:
        self.cycle = tuple(cycle)
        self.same = (False,) * len(self.cycle) if same is None else tuple(same)
        self.shortest = shortest
        words = [
            f"{where}: {a} {'same as' if equal else 'over'} {b}"
            for (where, a, b), equal in zip(self.cycle, self.same, strict=True)
        ]
        if len(words) > 8:
            words = [*words[:4], f"... {len(words) - 8} more ...", *words[-4:]]
        kind = "a shortest" if shortest else "a"
        super().__init__(f"the statements contradict each other, {kind} cycle is: {'; '.join(words)}; {hint}")


class UnknownOption(InputError):
    """An option value that does not exist."""

    def __init__(self, option: str, given: object, allowed: Iterable[str], hint: str = "") -> None:
        self.option = option
        self.given = given
        self.allowed = tuple(allowed)
        choice = ", ".join(self.allowed) if len(self.allowed) == 1 else f"one of {', '.join(self.allowed)}"
        super().__init__(f"{option} {given!r} is not known; choose {choice}{hint}")


class TooLarge(InputError):
    """More than a stated limit."""


class BadDocument(InputError):
    """A saved file that is not one of ours, or of a version this setpref cannot read."""


class MissingDependency(SetprefError, ImportError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package = package
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed; run: pip install 'setpref[{extra}]'"
        )


class CertificateRejected(SetprefError):
    """A proof that does not hold."""
