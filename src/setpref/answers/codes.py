"""Directions of many pairs of sets at once, as numbers in base three; who answers them is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from setpref.families import Family, Generated
from setpref.terms import indicators

__all__ = ["CODE_SLOTS", "Coder", "Codes"]

Codes = npt.NDArray[np.int64]

CODE_SLOTS = 39  # base-three digits that fit into 64 bits


class Coder:
    """Directions of pairs of masks as columns of numbers: digit j in base three, from the first row on, is e*_j + 1."""

    def __init__(self, family: Family, masks: Sequence[int]) -> None:
        elements = len(family.universe)
        rows = max(1, -(-len(family.slots) // CODE_SLOTS))
        self.alone: Codes = np.zeros((rows, len(masks)), dtype=np.int64)
        self.base: Codes = np.zeros((rows, 1), dtype=np.int64)
        self.shared: list[tuple[int, int, _ListedMembers | _GeneratedMembers]] = []
        for j, slot in enumerate(family.slots):
            row, power = j // CODE_SLOTS, 3 ** (j % CODE_SLOTS)
            self.base[row] += power
            if isinstance(slot.members, Generated):
                self.shared.append((row, power, _GeneratedMembers(slot.members, masks, elements)))
                continue
            members = list(slot.members)
            held = indicators(masks, [t for t, _ in members], elements) * np.array([s for _, s in members])
            if len(members) == 1:
                self.alone[row] += held[:, 0] * power
            else:
                self.shared.append((row, power, _ListedMembers(held.astype(np.int8))))

    def pairs(self, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> Codes:
        """Return the codes of the pairs of positions, one column each."""
        codes = np.asarray(self.alone[:, first] - self.alone[:, second] + self.base)
        for row, power, members in self.shared:
            codes[row] += power * members.lowest(first, second).astype(np.int64)
        return codes


class _ListedMembers:
    """What listed members say at least, for many pairs of masks."""

    def __init__(self, held: npt.NDArray[np.int8]) -> None:
        self.held = held

    def lowest(self, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.int8]:
        held = self.held
        lowest = np.asarray(held[first, 0] - held[second, 0])
        for member in range(1, held.shape[1]):
            np.minimum(lowest, held[first, member] - held[second, member], out=lowest)
        return lowest


class _GeneratedMembers:
    """The same for members known by closed sets, which are never listed: see :meth:`Generated.lowest`."""

    def __init__(self, members: Generated, masks: Sequence[int], elements: int) -> None:
        self.words = _words(masks, elements)
        self.parts = []
        for closed, sign in members.closed:
            inside = [closed & mask for mask in masks]
            member = np.array([members.is_member(closed, part) for part in inside], dtype=bool)
            whole = np.array([part == closed for part in inside], dtype=bool)
            self.parts.append((sign, _words(inside, elements), member, whole))

    def lowest(self, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.int8]:
        found = np.ones(len(first), dtype=np.int8)
        for sign, inside, member, whole in self.parts:
            a, b = (first, second) if sign > 0 else (second, first)
            low = (whole[a] & ~member[b]).astype(np.int8)
            low[member[b] & (inside[b] & ~self.words[a]).any(axis=1)] = -1
            np.minimum(found, low, out=found)
        return found


def _words(masks: Sequence[int], elements: int) -> npt.NDArray[np.uint64]:
    """Return each mask as a row of 64-bit words."""
    width = 8 * max(1, -(-elements // 64))
    raw = b"".join(mask.to_bytes(width, "little") for mask in masks)
    return np.frombuffer(raw, dtype=np.uint64).reshape(len(masks), width // 8)
