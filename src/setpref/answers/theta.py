"""Verdicts: whether one set is better than another for every compatible value of a theta.

A beats B under a theta iff the theta cannot satisfy the statements together with "B over A", and the two are not equal
for certain: no term distinguishes them, or statements of indifference add up to their equality. So one exact question,
asked in both directions, gives the verdict and its proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from setpref.answers.forcing import Question, Told, terms_question
from setpref.answers.relation import Flags, Places, Verdicts, Worths
from setpref.answers.summary import Weighed
from setpref.data.forms import set_masks
from setpref.data.preferences import Preferences
from setpref.data.wanted import checked_preferences
from setpref.errors import CertificateRejected, InputError
from setpref.families import Family
from setpref.model import Utility
from setpref.proofs.verdicts import (
    Disagreement,
    Dominance,
    Equality,
    FamilyProof,
    Proof,
    Verdict,
    check_under,
)
from setpref.rows import pair
from setpref.solving.fitting import Fit, NoFit, Terms, Theta, UpTo, fit, system_of
from setpref.solving.systems import System
from setpref.terms import indicators
from setpref.universe import SetLike, by_size
from setpref.verdict import Value

__all__ = ["ThetaOrder", "compare_under", "fit_theta", "theta_verdict"]


def fit_theta(preferences: Preferences, theta: Iterable[SetLike]) -> Fit | NoFit:
    """Tell whether a theta, given as sets of names, can satisfy the statements; either way with the proof.

    Examples
    --------
    >>> prefs = Preferences.from_pairs([("tea", "{}"), ("milk", "{}"), ("{}", "tea+milk")])
    >>> print(fit_theta(prefs, ["tea", "milk", "tea+milk"]).model)
    1*milk + 1*tea - 3*milk+tea
    >>> fit_theta(prefs, ["tea", "milk"]).multipliers
    ((0, 3, 1), (1, 0, 1), (2, 0, 1))
    """
    terms = _terms(preferences, theta)
    return fit(preferences.rows, terms, preferences.universe)


def compare_under(preferences: Preferences, theta: Iterable[SetLike], first: SetLike, second: SetLike) -> Verdict:
    """Return the verdict on two sets of names under one theta: whatever its compatible values are.

    Examples
    --------
    >>> prefs = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
    >>> compare_under(prefs, ["tea", "milk"], "tea+milk", "tea").value
    'better'
    """
    terms, mask = _terms(preferences, theta), preferences.universe.mask
    return theta_verdict(preferences, terms, mask(first), mask(second))


def _terms(preferences: Preferences, theta: Iterable[SetLike]) -> Terms:
    masks = set(set_masks(checked_preferences(preferences).universe, theta))
    if 0 in masks:
        raise InputError("the empty set is not a term; a theta holds non-empty sets")
    return Terms(tuple(sorted(masks, key=by_size)))


def theta_verdict(preferences: Preferences, theta: Theta, first: int, second: int) -> Verdict:
    """Return the verdict on two masks under one theta that fits the statements.

    Examples
    --------
    >>> prefs = Preferences.from_pairs([("tea", "milk"), ("milk", "{}")])
    >>> ask = lambda a, b: theta_verdict(prefs, Terms((1, 2)), prefs.universe.mask(a), prefs.universe.mask(b))
    >>> str(ask("tea+milk", "tea")), str(ask("tea", "tea+milk")), str(ask("tea", "tea"))
    ('better', 'worse', 'same')
    """
    preferences.check_of_pairs("a verdict")
    if not theta.distinguishes(first, second):
        _check_fitting(preferences, theta)
        return _checked(preferences, theta, Verdict(Value.SAME, Equality(first, second, (FamilyProof((), 1),))))
    against = _with(preferences, theta, second, first)
    if isinstance(against, NoFit):
        _check_fitting(preferences, theta)
        equal = _equality(preferences, first, second, against)
        if equal is not None:
            return _checked(preferences, theta, Verdict(Value.SAME, equal))
        return _beats(preferences, theta, first, second, against, Value.BETTER)
    agrees = _with(preferences, theta, first, second)
    if isinstance(agrees, NoFit):
        return _beats(preferences, theta, second, first, agrees, Value.WORSE)
    proof = Disagreement(first, second, agrees.model, against.model)
    return _checked(preferences, theta, Verdict(Value.UNKNOWN, proof))


class ThetaOrder(Verdicts):
    """The order under one theta: one exact question a pair, with a pool of models met on the way.

    A model in which B is at least as good as A refutes "A beats B" at once; so most pairs need no solver.
    """

    def __init__(self, preferences: Preferences, theta: Theta) -> None:
        self.preferences = preferences
        self.theta = theta
        self._pool: list[Utility] = []

    @property
    def parts(self) -> tuple[ThetaOrder]:
        """Itself."""
        return (self,)

    @property
    def known(self) -> int:
        """What proofs of its verdicts are about: the degree."""
        assert isinstance(self.theta, UpTo)
        return self.theta.degree

    @property
    def families(self) -> tuple[Family, ...]:
        """None: every term is kept."""
        return ()

    @property
    def cones(self) -> tuple[Weighed, ...]:
        """None: values may have any sign."""
        return ()

    @property
    def by_programs(self) -> bool:
        """Every answer is one."""
        return True

    def beats(self, first: int, second: int) -> bool:
        """Tell whether the first set beats the second under every compatible value of the theta."""
        if not self.theta.distinguishes(first, second):
            return False
        if any(model.at(first) <= model.at(second) for model in self._pool):
            return False
        answer = _with(self.preferences, self.theta, second, first)
        if isinstance(answer, NoFit):
            return _equality(self.preferences, first, second, answer) is None
        self._pool.append(answer.model)
        return False

    def same(self, first: int, second: int) -> bool:
        """Tell whether equality is certain."""
        if not self.theta.distinguishes(first, second):
            return True
        if not self.preferences.equal_pairs or any(model.at(first) != model.at(second) for model in self._pool):
            return False
        answer = _with(self.preferences, self.theta, second, first)
        if isinstance(answer, Fit):
            self._pool.append(answer.model)
        return isinstance(answer, NoFit) and _equality(self.preferences, first, second, answer) is not None

    def against(self, first: int, second: int) -> Utility:
        """Return a model in which the first set is not over the second; there must be one."""
        answer = _with(self.preferences, self.theta, second, first)
        if isinstance(answer, Fit):
            return answer.model
        level = fit(self.preferences.rows, self.theta, self.preferences.universe)
        if isinstance(level, NoFit) or level.model.at(first) > level.model.at(second):
            raise CertificateRejected("no model of the theta speaks against a prediction")
        return level.model

    def equal_groups(self, masks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of masks that are certainly equal, grouped."""
        groups: list[list[int]] = []
        for place, mask in enumerate(masks):
            for group in groups:
                if self.same(masks[group[0]], mask):
                    group.append(place)
                    break
            else:
                groups.append([place])
        return tuple(map(tuple, groups))

    def certificate(self, first: int, second: int) -> Proof:
        """Return whole numbers that prove the verdict on two sets, checked."""
        certificate = theta_verdict(self.preferences, self.theta, first, second).certificate
        assert isinstance(certificate, Proof)
        return certificate

    def questions(self, stated: Sequence[Told], better: int, worse: int) -> list[Question]:
        """Return what statements have to force: one direction, over all terms."""
        _, terms = system_of(self.preferences.rows, self.theta, self.preferences.universe)
        return [terms_question(terms, stated, better, worse)]

    def worths(self, masks: Sequence[int]) -> Iterator[tuple[System, Worths]]:
        """Yield what the values satisfy, and what gives the masks their worth."""
        system, terms = system_of(self.preferences.rows, self.theta, self.preferences.universe)
        held = np.zeros((len(masks), system.matrix.shape[1]), dtype=np.int64)  # boundaries between tiers give no worth
        held[:, : len(terms)] = indicators(masks, terms, len(self.preferences.universe))
        yield system, held

    def beats_pairs(self, masks: Sequence[int], first: Places, second: Places) -> Flags:
        """Tell for arrays of positions into the masks whether the first beats the second."""
        first, second = np.broadcast_arrays(first, second)
        known: dict[tuple[int, int], bool] = {}
        flags = []
        for places in zip(first.ravel().tolist(), second.ravel().tolist(), strict=True):
            if places not in known:
                known[places] = self.beats(masks[places[0]], masks[places[1]])
            flags.append(known[places])
        return np.array(flags, dtype=bool).reshape(first.shape)


def _with(preferences: Preferences, theta: Theta, better: int, worse: int) -> Fit | NoFit:
    preferences.check_of_pairs("a verdict")
    return fit(preferences.rows.saying(pair(better, worse)), theta, preferences.universe)


def _check_fitting(preferences: Preferences, theta: Theta) -> None:
    """Refuse a theta that does not fit: anything could be proven of its values, there being none."""
    if isinstance(fit(preferences.rows, theta, preferences.universe), NoFit):
        raise InputError("the theta does not fit the statements, so it has no compatible values to ask")


def _equality(preferences: Preferences, first: int, second: int, answer: NoFit) -> Equality | None:
    """Read off the impossibility of "second over first" that the two are equal: it rests on no other strict pair."""
    opposite = (second, first)
    rest = tuple((a, b, m) for a, b, m in answer.pairs if (a, b) != opposite)
    if any(preferences.implies(a, b) for a, b, _ in rest):
        return None
    scale = sum(m for a, b, m in answer.pairs if (a, b) == opposite)
    return Equality(first, second, (FamilyProof(rest, scale),)) if scale > 0 else None


def _beats(preferences: Preferences, theta: Theta, better: int, worse: int, answer: NoFit, value: Value) -> Verdict:
    """Read the proof of dominance off the impossibility of the opposite statement."""
    scale = sum(m for a, b, m in answer.pairs if (a, b) == (worse, better))
    rest = tuple((a, b, m) for a, b, m in answer.pairs if (a, b) != (worse, better))
    return _checked(preferences, theta, Verdict(value, Dominance(better, worse, rest, scale)))


def _checked(preferences: Preferences, theta: Theta, verdict: Verdict) -> Verdict:
    """Check our own proof before showing it; a failure is a fault of ours and never passes silently."""
    assert isinstance(verdict.certificate, Proof)
    check_under(preferences, theta.terms if isinstance(theta, Terms) else theta.degree, verdict.certificate)
    return verdict
