"""Names of elements at the edge, bits inside.

The data convention of the whole project: an element is a bit index, a set of elements (an alternative or a
term) is an ``int`` bitmask, a statement is a pair ``(better, worse)`` of masks. Names exist only here and
in what people read. In text a set is written ``tea+lemon``; the empty set is ``{}``.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from setpref.arguments import told
from setpref.errors import BadName, InputError, UnknownElement

__all__ = [
    "EMPTY",
    "JOIN",
    "SetLike",
    "Universe",
    "UniverseLike",
    "bits",
    "by_size",
    "labelled_row",
    "says",
    "split_set",
    "zero_or_one",
]

JOIN = "+"
EMPTY = "{}"
HOW_TO_GIVE = "give names such as {'tea', 'lemon'}, or 'tea+lemon'"

#: A set in any form people use: written text, names, or a mapping of names to 1 and 0.
SetLike = str | Iterable[str] | Mapping[str, object]


def bits(mask: int) -> Iterator[int]:
    """Yield the indices of the elements of a mask, lowest first.

    Examples
    --------
    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def split_set(value: object) -> list[str]:
    """Return the element names of a set given in any form people use.

    A string is a written set (``"tea+lemon"``, ``"{}"``); a mapping names its elements by 1 and the others
    by 0; any other iterable lists names.

    Examples
    --------
    >>> split_set("tea + lemon"), split_set({"tea": 1, "lemon": 0}), split_set("{}")
    (['tea', 'lemon'], ['tea'], [])
    """
    if isinstance(value, str):
        names = _split_text(value)
    elif (labelled := labelled_row(value)) is not None:
        names = [name for name, present in labelled.items() if _is_one(name, present)]
    elif isinstance(value, Iterable) and getattr(value, "ndim", 1) == 1 and not isinstance(value, (bytes, bytearray)):
        _refuse_frame(value)
        names = list(value)
    else:
        raise InputError(f"{_shown(value)} is not a set; {HOW_TO_GIVE}")
    for name in names:
        _check_name(name)
    if (twice := _named_twice(names)) is not None:
        raise InputError(f"the set {JOIN.join(names)} names {twice!r} twice; name each element once")
    return names


def labelled_row(value: object) -> Mapping[str, object] | None:
    """Return a row that says 1 or 0 of names: a mapping, or a row of a frame; None for any other form.

    Examples
    --------
    >>> labelled_row({"tea": 1, "lemon": 0}), labelled_row(["tea"])
    ({'tea': 1, 'lemon': 0}, None)
    """
    if isinstance(value, Mapping):
        return value
    # A row of a pandas frame: labels beside its values. A column of texts, one name each, is no such row.
    if hasattr(value, "index") and hasattr(value, "items") and hasattr(value, "dtype"):
        row = dict(value.items())
        return None if all(isinstance(cell, str) for cell in row.values()) else row
    return None


def _refuse_frame(value: object) -> None:
    if hasattr(value, "columns"):
        raise InputError("a frame holds several sets, and one is asked for; give one row of it, as frame.iloc[0] does")


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:60]}..."


def _split_text(text: str) -> list[str]:
    stripped = text.strip()
    if stripped == EMPTY:
        return []
    if not stripped:
        raise InputError(f"a set is missing; write the empty set as {EMPTY}")
    names = [name.strip() for name in stripped.split(JOIN)]
    if "" in names:
        raise InputError(
            f"the set {stripped!r} has an empty name; write sets as tea{JOIN}lemon and the empty set as {EMPTY}"
        )
    return names


def zero_or_one(value: object) -> bool | None:
    """Return 1 and 0 of any number type as a bool; None for everything else, missing values too.

    Examples
    --------
    >>> zero_or_one(1.0), zero_or_one(False), zero_or_one(2), zero_or_one("1")
    (True, False, None, None)
    """
    try:
        return bool(value) if value == 0 or value == 1 else None
    except (TypeError, ValueError):  # comparing a missing value of pandas, or an array, has no answer
        return None


def _is_one(name: object, present: object) -> bool:
    known = zero_or_one(present)
    if known is None:
        raise InputError(f"{name!r} is {present!r} in a set; 1 says the element is in it, 0 that it is not")
    return known


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise BadName(name, "is not text; element names are strings")
    if not name or name != name.strip():
        raise BadName(name, "is empty or has blanks around it; remove them")
    if JOIN in name:
        raise BadName(name, f"contains {JOIN!r}, which joins the elements of a written set; rename it")
    if name == EMPTY:
        raise BadName(name, "means the empty set; rename it")
    if not name.isprintable():
        raise BadName(name, "contains characters that cannot be printed; rename it")


def _named_twice(names: Sequence[str]) -> str | None:
    if len(set(names)) == len(names):
        return None
    return next(name for name, times in Counter(names).items() if times > 1)


@dataclass(frozen=True)
class Universe:
    """The elements, in a fixed order: element ``i`` is bit ``i``.

    Examples
    --------
    >>> universe = Universe(("lemon", "milk", "tea"))
    >>> universe.mask({"tea", "lemon"}), universe.mask("tea+lemon"), universe.mask([])
    (5, 5, 0)
    >>> universe.write(5), universe.write(0)
    ('lemon+tea', '{}')
    """

    names: tuple[str, ...]
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = tuple(self.names)
        if not names:
            raise InputError("there are no elements; at least one set must name an element")
        for name in names:
            _check_name(name)
        if (twice := _named_twice(names)) is not None:
            raise BadName(twice, "is given twice; each element has one name")
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "_index", {name: i for i, name in enumerate(names)})

    @classmethod
    def of(cls, names: UniverseLike) -> Universe:
        """Return a universe from names in order, from a written set, or the universe itself."""
        if isinstance(names, Universe):
            return names
        if isinstance(names, str):
            if names.strip() in ("", EMPTY):
                raise InputError("the universe names no element; write it as tea+lemon+milk")
            try:
                names = split_set(names)
            except InputError as error:
                raise InputError(f"universe: {error}") from None
        if not isinstance(names, Iterable):
            raise InputError(f"the universe is {told(names)}; give the names of its elements in order")
        return cls(tuple(names))

    @classmethod
    def seen(cls, sets: Iterable[Iterable[str]]) -> Universe:
        """Return the universe of all names seen, sorted."""
        return cls(tuple(sorted({name for names in sets for name in names})))

    def __len__(self) -> int:
        return len(self.names)

    def bit(self, name: str) -> int:
        """Return the index of an element."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            near = difflib.get_close_matches(str(name), self.names, n=1)
            raise UnknownElement(name, self.names, near[0] if near else None) from None

    def mask(self, value: object) -> int:
        """Return the mask of a set: written text, names, or 1 and 0 of names, as in a mapping or in a row of a frame.

        A row of a 0/1 matrix says it of the elements in their order.
        """
        labelled = labelled_row(value)
        if labelled is not None:
            for name in labelled:
                self.bit(name)
            if not isinstance(value, Mapping) and (left := [name for name in self.names if name not in labelled]):
                raise InputError(f"the row says nothing of {left[0]!r}; give 1 or 0 of each of {len(self)} elements")
        elif (cells := _numbers(value)) is not None:
            if len(cells) != len(self):
                raise InputError(f"the row has {len(cells)} numbers; give 1 or 0 of each of {len(self)} elements")
            value = dict(zip(self.names, cells, strict=True))
        mask = 0
        for name in split_set(value):
            mask |= 1 << self.bit(name)
        return mask

    def elements(self, mask: int) -> tuple[str, ...]:
        """Return the names of the elements of a mask."""
        return tuple(self.names[i] for i in bits(mask))

    def write(self, mask: int) -> str:
        """Return a set as people write it."""
        return JOIN.join(self.elements(mask)) if mask else EMPTY


#: The elements in order: names, a written set of them, or a universe.
UniverseLike = Universe | str | Iterable[str]


def _numbers(value: object) -> list[object] | None:
    """Return the cells of a row of a 0/1 matrix; None for any other form."""
    if not isinstance(value, Iterable) or getattr(value, "ndim", 0) != 1 or hasattr(value, "index"):
        return None
    cells = list(value)
    return None if any(isinstance(cell, str) for cell in cells) or not cells else cells


def by_size(mask: int) -> tuple[int, int]:
    """Return the sort key of sets everywhere: by size, then by mask."""
    return mask.bit_count(), mask


def says(term: int, first: int, second: int) -> int:
    """Return what a term says of two sets: 1 if it holds for the first only, -1 for the second only."""
    return (term & first == term) - (term & second == term)
