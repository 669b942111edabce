"""What somebody prefers: rated sets or statements, checked, over one universe.

:class:`Preferences` holds what was given (every rating or statement, with the place it was read) and what
computing needs; here it is made from every form in which people hold it. It knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from setpref.data.checked import Checked
from setpref.data.forms import pairs_table, ratings_table, same_table
from setpref.data.numbers import exact_number, plural
from setpref.data.statements import Collisions, Statement, read_ratings, read_statements
from setpref.data.tables import StatedPair, Table, recognise, same_pairs, stated_pairs
from setpref.errors import BadTable, InputError
from setpref.rows import Pair
from setpref.universe import Universe, UniverseLike

__all__ = ["Preferences"]

Stated = tuple[Table, Sequence[StatedPair]]


@dataclass(frozen=True)
class Preferences(Checked):
    """Rated sets or statements over a universe, checked for contradictions.

    Make one with :meth:`from_ratings`, :meth:`from_pairs` or :func:`setpref.read`; with :meth:`of_masks` of masks.

    Attributes
    ----------
    universe : Universe
    statements : tuple of Statement
        As given, repeated ones too; empty when ratings were given.
    ratings : dict of int to Fraction, or None
        One rating a set, after the collision policy; None when statements were given.
    collisions : Collisions or None
    source, word
        What was read ("yogurt.csv") and what a position counts ("line").
    ties, tolerance
        What equal ratings say (``ignore``: nothing; ``indifferent``: no difference), and how far apart ratings may be
        to count as equal.
    contradictory : str
        ``error``: statements that contradict each other are refused at once; ``keep``: only when something is asked
        that has no answer then, so that they can be diagnosed and repaired.
    places : dict of int to tuple of int
        Where each set was rated, by position; nothing of statements, which know their own.

    Examples
    --------
    >>> prefs = Preferences.from_ratings({"tea": 3, "tea+lemon": 5, "{}": 1})
    >>> [[prefs.universe.write(a) for a in tier] for tier in prefs.tiers]
    [['lemon+tea'], ['tea'], ['{}']]
    >>> prefs.pair_count, len(prefs.pairs)
    (3, 2)
    """

    @classmethod
    def from_ratings(
        cls,
        alternatives: object,
        ratings: Iterable[object] | None = None,
        *,
        universe: UniverseLike | None = None,
        collisions: str = "median",
        ties: str = "ignore",
        tolerance: object = 0,
    ) -> Preferences:
        """Return preferences from rated sets: a higher rating is better, equal ratings say nothing (unless told).

        Parameters
        ----------
        alternatives
            A mapping from set to rating; pairs (set, rating); a frame in long or wide layout; a list of
            dictionaries in either layout; or, with `ratings`, the sets alone: an iterable of sets, a frame
            of 0/1 columns, or a 0/1 matrix (`universe` then names its columns).
        ratings
            One number per set, when not part of the first argument.
        universe
            The elements in order; by default the sorted names seen (wide layout: the columns).
        collisions
            What to do when one set has different ratings: ``median`` (default), ``mean``, ``last``,
            ``drop`` the set, or ``error``.
        ties
            What equal ratings say: nothing (``ignore``, default) or "no difference" (``indifferent``).
        tolerance
            With ``indifferent``: ratings at most so far apart count as equal. If that chains ratings further apart
            together, it contradicts itself and is refused.
        """
        table, named = ratings_table(alternatives, ratings, universe)
        layout = recognise(table, "wide" if named else None)
        if layout == "statements":
            raise BadTable(f"{table.name} holds statements, not ratings; use Preferences.from_pairs")
        return cls.from_table(table, layout, universe=universe, collisions=collisions, ties=ties, tolerance=tolerance)

    @classmethod
    def from_pairs(
        cls,
        better: object,
        worse: object = None,
        *,
        weights: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        indifferent: object = None,
        universe: UniverseLike | None = None,
        contradictions: str = "error",
    ) -> Preferences:
        """Return preferences from statements "this set is better than that one", and "no difference between the two".

        Parameters
        ----------
        better
            Pairs (better, worse) of sets; a frame or a list of dictionaries with the columns ``better`` and
            ``worse`` (and perhaps ``relation``, ``>`` or ``~``); or, with `worse`, the better sets alone: an iterable
            of sets, a frame of 0/1 columns, or a 0/1 matrix (`universe` then names its columns).
        worse
            The worse sets, row by row.
        weights, ids
            A positive number (how much the statement counts when it has to be given up; default 1) and a
            name per statement.
        indifferent
            Pairs of sets between which there is no difference; or a frame with the columns ``a`` and ``b`` (and perhaps
            ``weight`` and ``id``).
        contradictions
            ``error`` (default) refuses statements that contradict each other; ``keep`` takes them, for
            :func:`setpref.repair` and for learning despite errors.

        Examples
        --------
        >>> prefs = Preferences.from_pairs([({"tea"}, {"milk"}), ("tea+lemon", "tea")])
        >>> prefs.universe.names
        ('lemon', 'milk', 'tea')
        >>> prefs = Preferences.from_pairs([("tea", "milk")], indifferent=[("milk", "lemon")])
        >>> prefs.implies(prefs.universe.mask("tea"), prefs.universe.mask("lemon"))
        True
        """
        same = None if indifferent is None else same_table(indifferent)
        if same is not None and worse is None and isinstance(better, Sequence) and not len(better):
            asked = None if universe is None else Universe.of(universe)
            return cls._stated([(same, same_pairs(same))], asked, contradictions)
        table = pairs_table(better, worse, weights, ids, universe)
        return cls.from_table(
            table, recognise(table, "statements"), universe=universe, same=same, contradictions=contradictions
        )

    @classmethod
    def from_table(
        cls,
        table: Table,
        layout: str,
        *,
        universe: UniverseLike | None = None,
        collisions: str = "median",
        ties: str = "ignore",
        tolerance: object = 0,
        same: Table | None = None,
        contradictions: str = "error",
    ) -> Preferences:
        """Return preferences from a table whose layout is known, and perhaps another of indifferences."""
        asked = None if universe is None else Universe.of(universe)
        try:
            near = exact_number(tolerance)
        except ValueError as error:
            raise InputError(f"tolerance: {error}; write a number such as 0 or 0.5") from None
        if layout == "statements":
            parts = [(table, stated_pairs(table)), *([] if same is None else [(same, same_pairs(same))])]
            return cls._stated(parts, asked, contradictions)
        if same is not None:
            raise BadTable(f"{table.name} holds ratings; with ratings, ties='indifferent' says which sets are the same")
        known, ratings, report, places = read_ratings(table, layout, asked, collisions)
        return cls(
            known,
            (),
            ratings,
            report,
            source=table.name,
            word=table.word,
            given=len(table.rows),
            ties=ties,
            tolerance=near,
            places=places,
        )

    @classmethod
    def _stated(cls, parts: Sequence[Stated], universe: Universe | None, contradictions: str) -> Preferences:
        known, statements = read_statements(parts, universe)
        table, given = parts[0][0], len(statements)
        return cls(known, statements, source=table.name, word=table.word, given=given, contradictory=contradictions)

    @classmethod
    def of_masks(
        cls,
        universe: Universe,
        *,
        ratings: Mapping[int, object] | None = None,
        over: Iterable[Pair] = (),
        same: Iterable[Pair] = (),
        ties: str = "ignore",
        contradictions: str = "error",
    ) -> Preferences:
        """Return preferences from sets that are masks already: ratings, or pairs (better, worse) and pairs alike.

        Examples
        --------
        >>> universe = Universe(("milk", "tea"))
        >>> Preferences.of_masks(universe, over=[(0b10, 0b01)]) == Preferences.from_pairs([("tea", "milk")])
        True
        """
        over, same = list(over), list(same)
        told = [Statement.of_pair(a, b, position=i) for i, (a, b) in enumerate(over, 1)]
        told += [
            Statement.of_pair(a, b, same=True, position=i, word="indifference") for i, (a, b) in enumerate(same, 1)
        ]
        masks = [*(ratings or ()), *chain(*over, *same)]
        if not masks or (told and ratings is not None):
            raise InputError("give masks: ratings of them, or pairs, but not both")
        if (odd := next((mask for mask in masks if not 0 <= mask < 1 << len(universe)), None)) is not None:
            raise InputError(f"the mask {odd} is no set of the {plural(len(universe), 'element')} of the universe")
        if ratings is None:
            given = len(told)
            return cls(universe, tuple(told), source="the statements", given=given, contradictory=contradictions)
        try:
            known = {mask: exact_number(rating) for mask, rating in ratings.items()}
        except ValueError as error:
            raise InputError(f"the ratings: {error}") from None
        places = {mask: (i,) for i, mask in enumerate(known, 1)}
        about = "the ratings", "rating", len(known)
        return cls(universe, (), known, Collisions("median"), *about, ties, places=places)
