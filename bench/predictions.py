"""Predictions: all pairs, one pair, preparation, against the paper's MIP query in the same run."""

import random
import resource
import statistics
import time

import numpy as np

from bench.engine import timed, user, warm
from bench.table import show
from setpref.answers.robust import RobustOrder
from setpref.solving.mip import query

CAP = 30.0


def prepared(elements: int, rated: int, seed: int):
    """Return what was learned and the seconds its rays took."""
    learned, _ = timed(user(elements, rated, seed), 60)
    order = RobustOrder(learned.preferences, learned.found.families)
    start = time.perf_counter()
    rays = [len(cone.rays) if cone.rays is not None else -1 for cone in order.cones]
    return learned, order, rays, time.perf_counter() - start


def all_pairs(order: RobustOrder, elements: int) -> tuple[float, float]:
    """Return the seconds for all ordered pairs and the share of them that is predicted."""
    everyone = np.arange(1 << elements)
    start = time.perf_counter()
    matrix = order.beats_pairs(everyone.tolist(), everyone[:, None], everyone[None, :])
    return time.perf_counter() - start, float(2 * matrix.mean())


def against_the_mip(seed: int, sample: int) -> list[object]:
    learned, order, _, preparation = prepared(8, 29, seed)
    seconds, _ = all_pairs(order, 8)
    rng = random.Random(seed)
    complexity = (learned.degree, learned.cardinality, learned.total_size)
    times, wrong, unfinished = [], 0, 0
    for _ in range(sample):
        a, b = rng.sample(range(256), 2)
        start = time.perf_counter()
        answer = query(learned.preferences, complexity, a, b, time_limit=CAP)
        times.append(time.perf_counter() - start)
        unfinished += answer is None
        wrong += answer is not None and answer != order.beats(a, b)
    start = time.perf_counter()
    for _ in range(200):
        order.verdict(*rng.sample(range(256), 2))
    single = (time.perf_counter() - start) / 200
    per_pair = seconds / 65280
    mean = statistics.mean(times)
    return [seed, preparation * 1000, seconds * 1000, per_pair * 1e6, single * 1e6, mean, unfinished, wrong,
            f"{mean / per_pair:,.0f}"]  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    warm()
    columns = ("seed", "rays ms", "all pairs ms", "us a pair", "us one query", "MIP s a query")
    show(
        "n=8, 29 rated: all 65,280 ordered pairs after learning, and the paper's MIP query (M = 1000, 30 s cap)",
        (*columns, "unfinished", "MIP wrong", "ratio"),
        [against_the_mip(seed, 4) for seed in range(3)],
    )
    rows = []
    for elements in (8, 10, 12):
        learned, order, rays, preparation = prepared(elements, 29, 1)
        seconds, share = all_pairs(order, elements)
        pairs = 4**elements - 2**elements
        rows.append([elements, learned.cardinality, len(learned.models), max(rays), preparation, f"{pairs:,}", seconds,
                     f"{share:.2f}", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024])  # fmt: skip
    columns = ("elements", "terms", "thetas", "most rays", "rays s", "pairs", "all pairs s", "predicted", "peak MB")
    show("Growth: preparation (rays) and all ordered pairs, 29 rated", columns, rows)
    rows = []
    for rated in (12, 20, 29, 40):
        learned, _, rays, preparation = prepared(8, rated, 2)
        rows.append([rated, learned.cardinality, len(learned.models), max(rays), preparation])
    show("Growth of preparation with the number of rated sets (n=8)",
         ("rated", "terms", "thetas", "most rays", "rays s"), rows)  # fmt: skip
