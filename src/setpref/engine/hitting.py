"""The hitting-set search around the kernel: its state, new clauses, accepted choices, trimming.

The state is a tuple of numpy arrays that `kernel` works on; everything here runs between two
calls of it, while the search is suspended.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from setpref.engine.kernel import (
    ASK,
    BRANCH,
    BUDGET,
    BUDGET2,
    BUDGETW,
    DEPTH,
    DONE,
    ENTER,
    MIN_COST,
    NODES,
    PAUSED,
    PHASE,
    PREFIX,
    REGISTERS,
    UNIT,
    Bits,
    Integers,
    Search,
    compiled,
    interpreted,
)

__all__ = [
    "ASK", "BUDGET", "BUDGET2", "BUDGETW", "DEPTH", "DONE", "NODES", "PAUSED", "UNIT", "Search",
    "accept", "add_clause", "compiled", "interpreted", "new_search", "pack", "set_dual", "trim",
    "unpack",
]  # fmt: skip


Flags = npt.NDArray[np.bool_]

COSTS_LISTED = 1024


def new_search(
    clauses: Bits,
    cost: Integers,
    cost2: Integers,
    weight: Integers,
    depth: int,
    capacity: int,
) -> Search:
    """Allocate a search over a pool of clauses, at its root, with no budget.

    Parameters
    ----------
    clauses
        Pool, one row of 64-bit words per clause, most useful first.
    cost, cost2, weight
        Per literal: price in the first and second budget, and in the dual bound.
    depth
        Largest number of literals ever chosen at once.
    capacity
        Largest number of clauses the pool may hold.
    """
    literals = len(cost)
    words = clauses.shape[1]
    index = np.arange(literals)
    bit = np.uint64(1) << (index % 64).astype(np.uint64)
    pool = np.zeros((capacity, words), dtype=np.uint64)
    pool[: len(clauses)] = clauses
    rows = depth + 3

    def ints(*shape: int) -> Integers:
        return np.zeros(shape, dtype=np.int64)

    s = Search(
        registers=ints(REGISTERS),
        clauses=pool,
        activity=ints(capacity),
        cost=cost.astype(np.int64),
        cost2=cost2.astype(np.int64),
        weight=weight.astype(np.int64),
        word=index // 64,
        bit=bit,
        pair=bit | bit[index ^ 1],
        cheap=cheap_masks(cost, words),
        cheap2=cheap_masks(cost2, words),
        available=np.zeros((rows, words), dtype=np.uint64),
        untried=np.zeros((rows, words), dtype=np.uint64),
        open=np.empty((rows, capacity), dtype=np.int32),
        open_count=ints(rows),
        chosen=ints(rows),
        used=ints(rows),
        used2=ints(rows),
        usedw=ints(rows),
        load=ints(rows, literals),
        tight=np.zeros((rows, words), dtype=np.uint64),
        dual_slot=np.zeros((rows, literals + 8 * depth + 400), dtype=np.int32),
        dual_value=ints(rows, literals + 8 * depth + 400),
        dual_count=ints(rows),
        bound=ints(rows),
        sizes=ints(capacity),
        order=ints(capacity),
        buckets=ints(literals + 2),
        scratch=np.zeros(words, dtype=np.uint64),
    )
    s.registers[[PHASE, DEPTH]] = ENTER, 1
    s.registers[MIN_COST] = cost.min()
    s.registers[PREFIX] = 100
    s.chosen[1] = -1
    s.open[0, : len(clauses)] = np.arange(len(clauses))
    s.open_count[0] = len(clauses)
    s.available[0] = cheap_masks(cost, words)[-1]
    return s


def cheap_masks(cost: Integers, words: int) -> Bits:
    """Return, per amount up to the largest cost, the bitset of the literals it can pay.

    Where costs are large there is one row with all literals: the budgets are checked when a literal is chosen.
    """
    if cost.max() > COSTS_LISTED:
        return pack(np.ones((1, len(cost)), dtype=bool), words)
    affordable = cost[None, :] <= np.arange(cost.max() + 1)[:, None]
    return pack(affordable, words)


def pack(flags: Flags, words: int) -> Bits:
    """Pack boolean rows into rows of 64-bit words, first literal lowest."""
    packed = np.packbits(flags, axis=-1, bitorder="little")
    out = np.zeros((*packed.shape[:-1], words * 8), dtype=np.uint8)
    out[..., : packed.shape[-1]] = packed
    return out.view(np.uint64)


def unpack(words: Bits, literals: int) -> Flags:
    """Return the boolean row of a bitset."""
    raw = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(raw, axis=-1, bitorder="little")[..., :literals].astype(bool)


def add_clause(s: Search, slot: int, clause: Bits) -> None:
    """Give the suspended search a clause that its current choice does not hit.

    It is open at every ancestor too, since they chose less.
    """
    s.clauses[slot] = clause
    s.activity[slot] = 1
    for t in range(s.registers[DEPTH]):
        n = s.open_count[t]
        s.open[t, n] = slot
        s.open_count[t] = n + 1


def trim(s: Search, used: int, keep: int) -> npt.NDArray[np.intp]:
    """Forget the least active clauses of the pool; return the freed slots.

    Sound at any moment: a forgotten clause only weakens bounds, and a choice that misses it is
    refuted again by the oracle.  Clauses that carry dual weight at a live node stay.

    Parameters
    ----------
    used
        Number of slots in use, all below it.
    keep
        About how many clauses to keep.
    """
    dropped = np.ones(used, dtype=bool)
    dropped[np.argsort(-s.activity[:used], kind="stable")[:keep]] = False
    live = s.registers[DEPTH] + 1
    for t in range(live):
        dropped[s.dual_slot[t, : s.dual_count[t]]] = False
    for t in range(live):
        row = s.open[t, : s.open_count[t]]
        row = row[~dropped[row]]
        s.open[t, : len(row)] = row
        s.open_count[t] = len(row)
    return np.flatnonzero(dropped)


def accept(s: Search) -> None:
    """Leave the current choice, which fits, and continue with the rest of the tree."""
    s.registers[DEPTH] -= 1
    s.registers[PHASE] = BRANCH


def set_dual(s: Search, t: int, slots: npt.NDArray[np.intp], values: Integers) -> None:
    """Replace the dual weights of the node at depth t, shrunk if they overload a literal.

    Parameters
    ----------
    slots
        Clauses, all open at the node.
    values
        Their integer dual weights, in units.
    """
    slots, values = slots[values > 0], values[values > 0]
    flags = unpack(s.clauses[slots], len(s.cost))
    limit = np.where(unpack(s.available[t], len(s.cost)), s.weight, np.iinfo(np.int64).max)
    load = values @ flags
    if (load > limit).any():
        worst = float((limit / np.maximum(load, 1)).min())
        values = np.floor(values * worst).astype(np.int64)
        load = values @ flags
    while (load > limit).any():
        # The bound rests on this: whatever rounding did, no available literal may carry more than its price.
        values = values - 1 - values // 1000
        values[values < 0] = 0
        load = values @ flags
    s.dual_count[t] = len(slots)
    s.dual_slot[t, : len(slots)] = slots
    s.dual_value[t, : len(slots)] = values
    s.load[t] = load
    s.tight[t] = pack(load >= s.weight, s.tight.shape[1])
    s.bound[t] = values.sum()
