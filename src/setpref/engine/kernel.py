"""The search kernel: cheapest hitting sets of signed clauses, depth first, on bitsets.

A literal is a class with a sign: literal ``2 j`` says that class j has a positive value, ``2 j
+ 1`` a negative one. A clause is a set of literals of which one must be chosen. The kernel
walks the tree of choices within a budget and SUSPENDS when every clause of its pool is hit, so
that the caller can ask the oracle; it then either receives a new clause or is told that the
choice was accepted.

The functions between the two markers below are written once. They run as they are on
memoryviews (plain Python integers), and `compiled` returns the same functions compiled by
numba. Nothing here knows about preferences, and no clause is ever trusted to be complete: that
is the caller's business.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from setpref.progress import interrupts_held

DONE, ASK, PAUSED = 0, 1, 2
PRUNED, LEAF, OPEN = 0, 1, 2
ENTER, BRANCH = 0, 1

# Registers: the scalars of the suspended search.
PHASE, DEPTH, NODES, BUDGET, BUDGET2, BUDGETW, MIN_COST, PREFIX = range(8)
REGISTERS = 8

#: One unit of cost in the integer dual bound; divisible by small numbers so that fractional
#: packings (halves, thirds, ...) are exact.
UNIT = 5040

ONE = 1

Bits = npt.NDArray[np.uint64]
Integers = npt.NDArray[np.int64]
Slots = npt.NDArray[np.int32]


class Search(NamedTuple):
    """The whole state of a search; row t of a table belongs to the node at depth t."""

    registers: Integers
    clauses: Bits  # [slot, word] literals of each clause of the pool
    activity: Integers  # [slot] how often the clause pruned
    cost: Integers  # [literal] what the first budget pays
    cost2: Integers  # [literal] what the second budget pays
    weight: Integers  # [literal] what the dual bound pays, in units
    word: Integers  # [literal]
    bit: Bits  # [literal] the literal's bit in its word
    pair: Bits  # [literal] the bits of the literal and of its opposite
    cheap: Bits  # [room, word] literals with cost <= room
    cheap2: Bits  # [room, word] literals with cost2 <= room
    available: Bits  # [depth, word]
    untried: Bits  # [depth, word] literals of the branching clause not yet tried
    open: Slots  # [depth, position] slots of the clauses not hit
    open_count: Integers  # [depth]
    chosen: Integers  # [depth] literal that led to this node, -1 at the root
    used: Integers  # [depth]
    used2: Integers  # [depth]
    usedw: Integers  # [depth]
    load: Integers  # [depth, literal] dual weight resting on the literal
    tight: Bits  # [depth, word] literals whose weight is used up by the dual
    dual_slot: Slots  # [depth, position] clauses with positive dual weight
    dual_value: Integers  # [depth, position]
    dual_count: Integers  # [depth]
    bound: Integers  # [depth] total dual weight
    sizes: Integers  # [slot] scratch: available literals of the open clauses
    order: Integers  # [slot] scratch
    buckets: Integers  # [literals + 2] scratch
    scratch: Bits  # [word]


def popcount(x):  # replaced by int.bit_count when not compiled
    x = x - ((x >> S1) & M1)
    x = (x & M2) + ((x >> S2) & M2)
    x = (x + (x >> S4)) & M4
    return np.int64((x * H1) >> S56)


S1, S2, S4, S56 = (np.uint64(i) for i in (1, 2, 4, 56))
M1 = np.uint64(0x5555555555555555)
M2 = np.uint64(0x3333333333333333)
M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
H1 = np.uint64(0x0101010101010101)

# --- kernel: same source compiled and not -------------------------------------------------------


def inherit_dual(s, t):
    """Copy the parent's dual weights, without the clauses that the chosen literal hits."""
    literal = s.chosen[t]
    p = t - 1
    for i in range(len(s.cost)):
        s.load[t, i] = s.load[p, i]
    for w in range(s.tight.shape[1]):
        s.tight[t, w] = s.tight[p, w]
    s.bound[t] = s.bound[p]
    kept = 0
    for i in range(s.dual_count[p]):
        slot = s.dual_slot[p, i]
        value = s.dual_value[p, i]
        if literal >= 0 and s.clauses[slot, s.word[literal]] & s.bit[literal]:
            spread(s, t, slot, -value)
            s.bound[t] -= value
        else:
            s.dual_slot[t, kept] = slot
            s.dual_value[t, kept] = value
            kept += 1
    s.dual_count[t] = kept


def spread(s, t, slot, value):
    """Add a dual weight to the load of every literal of a clause."""
    for w in range(s.clauses.shape[1]):
        x = s.clauses[slot, w]
        tight = s.tight[t, w]
        while x:
            rest = x & (x - ONE)
            low = x ^ rest
            i = 64 * w + popcount(low - ONE)
            load = s.load[t, i] + value
            s.load[t, i] = load
            if load >= s.weight[i]:
                tight = tight | low
            else:
                tight = tight ^ (tight & low)
            x = rest
        s.tight[t, w] = tight


def raise_dual(s, t, slot):
    """Give a clause all the dual weight that its available literals leave free."""
    slack = BIG
    for w in range(s.clauses.shape[1]):
        x = s.clauses[slot, w] & s.available[t, w]
        while x:
            rest = x & (x - ONE)
            i = 64 * w + popcount((x ^ rest) - ONE)
            free = s.weight[i] - s.load[t, i]
            if free < slack:
                slack = free
            x = rest
    n = s.dual_count[t]
    if n < s.dual_slot.shape[1]:
        spread(s, t, slot, slack)
        s.bound[t] += slack
        s.dual_slot[t, n] = slot
        s.dual_value[t, n] = slack
        s.dual_count[t] = n + 1


def credit(s, t):
    """Reward the clauses whose dual weights pruned the node."""
    for i in range(s.dual_count[t]):
        s.activity[s.dual_slot[t, i]] += 1


def open_size(s, t, slot):
    """Count the available literals of a clause."""
    size = 0
    for w in range(s.clauses.shape[1]):
        x = s.clauses[slot, w] & s.available[t, w]
        if x:
            size += popcount(x)
    return size


def forward(s, p, i):
    """Move an entry of a list of open clauses halfway to its front."""
    j = i // 2
    slot = s.open[p, i]
    s.open[p, i] = s.open[p, j]
    s.open[p, j] = slot


def prepare(s, t):
    """Set the node's available literals; return False if a budget is overspent.

    Budgets shrink while the tree is walked, so a node chosen in time may be too dear later.
    """
    literal = s.chosen[t]
    room = s.registers[BUDGET] - s.used[t]
    room2 = s.registers[BUDGET2] - s.used2[t]
    if room < 0 or room2 < 0:
        return False
    top = s.cheap.shape[0] - 1
    top2 = s.cheap2.shape[0] - 1
    if room > top:
        room = top
    if room2 > top2:
        room2 = top2
    for w in range(s.available.shape[1]):
        s.available[t, w] = s.available[t - 1, w] & s.cheap[room, w] & s.cheap2[room2, w]
    if literal >= 0:
        w = s.word[literal]
        x = s.available[t, w]
        s.available[t, w] = x ^ (x & s.pair[literal])
    return True


def one_left(s, t):
    """Keep only the literals that hit every open clause; return whether any is left."""
    literal = s.chosen[t]
    p = t - 1
    w0 = s.word[literal]
    b0 = s.bit[literal]
    for i in range(s.open_count[p]):
        slot = s.open[p, i]
        if s.clauses[slot, w0] & b0:
            continue
        alive = False
        for w in range(s.available.shape[1]):
            x = s.available[t, w] & s.clauses[slot, w]
            s.available[t, w] = x
            if x:
                alive = True
        if not alive:
            s.activity[slot] += 1
            forward(s, p, i)
            return False
    return True


def two_left(s, t):
    """Drop literals of a small clause that no second literal completes; return whether any is left.

    With room for two literals one must come from any given open clause, and the other from every
    open clause that the first misses: a scan per literal, cheaper than any bound.
    """
    literal = s.chosen[t]
    p = t - 1
    clauses, available, listed, scratch = s.clauses, s.available, s.open, s.scratch
    words = clauses.shape[1]
    count = s.open_count[p]
    w0 = s.word[literal]
    b0 = s.bit[literal]
    best = -1
    least = BIG
    seen = 0
    for i in range(count):
        slot = listed[p, i]
        if clauses[slot, w0] & b0:
            continue
        size = 0
        for w in range(words):
            x = clauses[slot, w] & available[t, w]
            if x:
                size += popcount(x)
        if size == 0:
            s.activity[slot] += 1
            forward(s, p, i)
            return False
        if size < least:
            least = size
            best = slot
        seen += 1
        if seen == PEEK:
            break
    if best < 0:
        return True
    s.activity[best] += 1
    for v in range(words):
        x = clauses[best, v] & available[t, v]
        while x:
            rest = x & (x - ONE)
            low = x ^ rest
            x = rest
            first = 64 * v + popcount(low - ONE)
            for w in range(words):
                scratch[w] = available[t, w]
            y = scratch[v]
            scratch[v] = y ^ (y & s.pair[first])
            dead = False
            for i in range(count):
                slot = listed[p, i]
                if clauses[slot, w0] & b0 or clauses[slot, v] & low:
                    continue
                alive = False
                for w in range(words):
                    y = scratch[w] & clauses[slot, w]
                    scratch[w] = y
                    if y:
                        alive = True
                if not alive:
                    s.activity[slot] += 1
                    forward(s, p, i)
                    dead = True
                    break
            if not dead:
                return True
            available[t, v] = available[t, v] ^ low
    return False


def quick_bound(s, t):
    """Raise the dual on the parent's most active clauses; return whether the node survives."""
    literal = s.chosen[t]
    p = t - 1
    room = s.registers[BUDGETW] - s.usedw[t]
    if s.bound[t] > room:
        credit(s, t)
        return False
    stop = s.open_count[p]
    if stop > s.registers[PREFIX]:
        stop = s.registers[PREFIX]
    clauses, available, tight, listed = s.clauses, s.available, s.tight, s.open
    words = clauses.shape[1]
    for i in range(stop):
        slot = listed[p, i]
        if literal >= 0 and clauses[slot, s.word[literal]] & s.bit[literal]:
            continue
        blocked = False
        for w in range(words):
            if clauses[slot, w] & available[t, w] & tight[t, w]:
                blocked = True
                break
        if not blocked:
            raise_dual(s, t, slot)
            if s.bound[t] > room:
                credit(s, t)
                forward(s, p, i)
                return False
    return True


def raise_all(s, t):
    """Raise the dual on the open clauses in the order of `order`; return whether it survives."""
    room = s.registers[BUDGETW] - s.usedw[t]
    clauses, available, tight, listed, order = s.clauses, s.available, s.tight, s.open, s.order
    words = clauses.shape[1]
    for k in range(s.open_count[t]):
        slot = listed[t, order[k]]
        blocked = False
        for w in range(words):
            if clauses[slot, w] & available[t, w] & tight[t, w]:
                blocked = True
                break
        if not blocked:
            raise_dual(s, t, slot)
            if s.bound[t] > room:
                credit(s, t)
                return False
    return True


def measure(s, t):
    """Count again the available literals of the open clauses; return whether none is empty."""
    clauses, available, listed, sizes = s.clauses, s.available, s.open, s.sizes
    words = clauses.shape[1]
    for i in range(s.open_count[t]):
        slot = listed[t, i]
        size = 0
        for w in range(words):
            x = clauses[slot, w] & available[t, w]
            if x:
                size += popcount(x)
        if size == 0:
            credit(s, t)
            s.activity[slot] += 1
            return False
        sizes[i] = size
    return True


def collect(s, t):
    """List the open clauses of the node; return False if one has no available literal."""
    literal = s.chosen[t]
    p = t - 1
    n = 0
    for i in range(s.open_count[p]):
        slot = s.open[p, i]
        if literal >= 0 and s.clauses[slot, s.word[literal]] & s.bit[literal]:
            continue
        size = open_size(s, t, slot)
        if size == 0:
            s.activity[slot] += 1
            forward(s, p, i)
            return False
        s.open[t, n] = slot
        s.sizes[n] = size
        n += 1
    s.open_count[t] = n
    return True


def sort_by_size(s, t):
    """Write into `order` the positions of the open clauses, smallest first."""
    top = len(s.buckets)
    n = s.open_count[t]
    for i in range(top):
        s.buckets[i] = 0
    for i in range(n):
        s.buckets[s.sizes[i] + 1] += 1
    for i in range(1, top):
        s.buckets[i] += s.buckets[i - 1]
    for i in range(n):
        size = s.sizes[i]
        s.order[s.buckets[size]] = i
        s.buckets[size] += 1


def fix(s, t):
    """Drop the literals too expensive by reduced cost; return how many were dropped."""
    gap = s.registers[BUDGETW] - s.usedw[t] - s.bound[t]
    dropped = 0
    for w in range(s.available.shape[1]):
        x = s.available[t, w]
        while x:
            rest = x & (x - ONE)
            low = x ^ rest
            i = 64 * w + popcount(low - ONE)
            if s.weight[i] - s.load[t, i] > gap:
                s.available[t, w] = s.available[t, w] ^ low
                dropped += 1
            x = rest
    return dropped


def evaluate(s, t):
    """Bound the node at depth t; return PRUNED, LEAF (all clauses hit) or OPEN."""
    if not prepare(s, t):
        return PRUNED
    room = s.registers[BUDGET] - s.used[t]
    if room < 2 * s.registers[MIN_COST] and s.chosen[t] >= 0 and not one_left(s, t):
        return PRUNED
    if room < 3 * s.registers[MIN_COST] and s.chosen[t] >= 0 and not two_left(s, t):
        return PRUNED
    inherit_dual(s, t)
    if not quick_bound(s, t):
        return PRUNED
    if not collect(s, t):
        return PRUNED
    if s.open_count[t] == 0:
        return LEAF
    sort_by_size(s, t)
    if not raise_all(s, t):
        return PRUNED
    # Only literals that block no clause are dropped, so the dual cannot rise again.
    if fix(s, t) and not measure(s, t):
        return PRUNED
    branch_on(s, t)
    return OPEN


def branch_on(s, t):
    """Choose the clause to branch on: fewest available literals, then most active."""
    best = 0
    for i in range(1, s.open_count[t]):
        if s.sizes[i] < s.sizes[best] or (
            s.sizes[i] == s.sizes[best] and s.activity[s.open[t, i]] > s.activity[s.open[t, best]]
        ):
            best = i
    slot = s.open[t, best]
    s.activity[slot] += 1
    for w in range(s.available.shape[1]):
        s.untried[t, w] = s.clauses[slot, w] & s.available[t, w]


def next_literal(s, t):
    """Take the untried literal with the largest dual load; exclude it from later siblings."""
    best = -1
    for w in range(s.available.shape[1]):
        x = s.untried[t, w]
        while x:
            rest = x & (x - ONE)
            i = 64 * w + popcount((x ^ rest) - ONE)
            if best < 0 or s.load[t, i] - s.weight[i] > s.load[t, best] - s.weight[best]:
                best = i
            x = rest
    if best >= 0:
        w = s.word[best]
        s.untried[t, w] = s.untried[t, w] ^ s.bit[best]
        s.available[t, w] = s.available[t, w] ^ s.bit[best]
    return best


def run(s, nodes):
    """Continue the search for at most `nodes` nodes; return DONE, ASK or PAUSED."""
    r = s.registers
    stop = r[NODES] + nodes
    while True:
        t = r[DEPTH]
        if r[PHASE] == ENTER:
            if r[NODES] >= stop:
                return PAUSED
            r[NODES] += 1
            verdict = evaluate(s, t)
            if verdict == LEAF:
                return ASK
            r[PHASE] = BRANCH
            if verdict == PRUNED:
                r[DEPTH] = t - 1
        elif t == 0:
            return DONE
        else:
            literal = next_literal(s, t)
            if literal < 0:
                r[DEPTH] = t - 1
            else:
                s.chosen[t + 1] = literal
                s.used[t + 1] = s.used[t] + s.cost[literal]
                s.used2[t + 1] = s.used2[t] + s.cost2[literal]
                s.usedw[t + 1] = s.usedw[t] + s.weight[literal]
                r[DEPTH] = t + 1
                r[PHASE] = ENTER


# --- end of the kernel --------------------------------------------------------------------------

KERNEL = (
    spread,
    inherit_dual,
    raise_dual,
    credit,
    open_size,
    forward,
    prepare,
    one_left,
    two_left,
    quick_bound,
    raise_all,
    measure,
    collect,
    sort_by_size,
    fix,
    branch_on,
    evaluate,
    next_literal,
    run,
)
INLINED = (open_size, forward)
BIG = 1 << 60
PEEK = 24
_swar_popcount = popcount
popcount = int.bit_count


@cache
def compiled() -> Callable[[Search, int], int]:
    """Return `run` compiled by numba (cached on disk); importing numba happens here only."""
    with interrupts_held():  # numba loses Ctrl-C while it is imported and while it compiles
        import numba

    names = dict(globals())
    names["ONE"] = np.uint64(1)
    names["popcount"] = numba.njit()(_swar_popcount)
    for function in KERNEL:
        copy = types.FunctionType(function.__code__, names, function.__name__)
        copy.__module__ = __name__
        # A Search passed by value is hundreds of machine arguments: the functions called once per
        # clause must be inlined.
        inline: Literal["always", "never"] = "always" if function in INLINED else "never"
        try:
            names[function.__name__] = numba.njit(cache=True, inline=inline)(copy)
        except RuntimeError:  # nowhere to keep a cache, for instance on a read-only installation
            names[function.__name__] = numba.njit(inline=inline)(copy)
    ready: Callable[[Search, int], int] = names["run"]

    def run_held(s: Search, nodes: int) -> int:
        with interrupts_held():
            return ready(s, nodes)

    return run_held


def interpreted(s: Search, nodes: int) -> int:
    """Run the kernel uncompiled on the same arrays, as memoryviews."""
    return int(run(Search._make(a.data for a in s), nodes))
