"""Rows of every experiment as they might be, made up: many, and as poor as they can get."""

from __future__ import annotations

from typing import Any

import numpy as np

QUALITY = {"ord": 0.9, "lr": 0.72, "svm": 0.76, "knn": 0.62, "lr-reject": 0.86, "svm-reject": 0.87}
RULES = {"ord": 0.0, "ord-union": -0.08, "ord-majority": 0.12, "ord-volume": 0.2}


def table(draw: np.random.Generator, rate: float, right: float, pairs: int) -> list[int]:
    """Counts of pairs, a tenth of which are really alike."""
    real = draw.choice(3, size=pairs, p=[0.45, 0.45, 0.1])
    made = draw.random(pairs) < rate
    hit = draw.random(pairs) < right
    predicted = np.where(made, np.where(hit & (real < 2), real, (real + 1) % 2), 2)
    return np.bincount(3 * predicted + real, minlength=9).tolist()


def metric_rows(users: int = 12, sizes: tuple[int, ...] = (12, 16, 20, 24, 29), runs: int = 3) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(1), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            shift = draw.normal(0, 0.03)
            for sets in sizes:
                grown = (sets - 12) / 17
                rate = 0.45 + 0.35 * grown + shift - 0.12 * (reading == "formula")
                tables, f1 = {}, {}
                for method, quality in QUALITY.items():
                    share = {"lr": 1.0, "svm": 1.0, "knn": 0.8}.get(method, rate)
                    right = min(0.99, quality + 0.1 * grown + shift - 0.08 * (reading == "formula"))
                    each = [table(draw, share, right, 100) for _ in range(runs)]
                    tables[method] = np.sum(each, axis=0).tolist()
                    f1[method] = [round(2 * (t[0] + t[4]) / (sum(t[:6]) + 90), 4) for t in each]
                statements = [int(sets * (sets - 1) * 0.47) + int(k) for k in draw.integers(-8, 9, size=runs)]
                rows.append(
                    {"reading": reading, "user": user, "sets": sets, "terms": 31 if reading == "formula" else 12}
                    | {"proven": runs, "runs": runs, "statements": statements, "tables": tables, "f1": f1}
                )
    return rows


def time_rows(instances: int = 5) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(2), []
    places = [("elements", n, 28) for n in (5, 6, 7, 8, 9, 10)] + [
        ("statements", 8, k) for k in (8, 12, 16, 20, 24, 29)
    ]
    for vary, elements, sets in places:
        for instance in range(instances):
            hard = draw.lognormal(0, 0.5) * 2.0 ** (elements - 8) * (sets / 20) ** 4
            ours = {"learn": 0.05 * hard, "predict": 0.004 * hard, "proven": True}
            late = 40 * hard > 60
            mip = {"learn": min(60.0, 40 * hard), "finished": not late, "cap": 60}
            mip |= {"predict": min(60.0, 2 * hard), "predict_finished": 2 * hard < 60}
            rows.append(
                {"vary": vary, "elements": elements, "sets": sets, "statements": int(sets * (sets - 1) * 0.47)}
                | {"instance": instance, "ours": ours, "mip": mip if instance < 3 else None}
            )
    return rows


def movie_rows(users: int = 12) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(3), []
    rates = {"lr": 1.0, "svm": 1.0, "knn": 0.85}
    for user in range(users):
        shift = draw.normal(0, 0.05)
        tables = {
            m: table(draw, rates.get(m, 0.55 + shift), quality - 0.2 + shift, 300) for m, quality in QUALITY.items()
        }
        rows.append(
            {"source": "movietweetings-100k", "protocol": "small", "user": user, "ratings": 140, "alternatives": 50}
            | {"training": 8, "statements": [20, 24, 19], "runs": 3, "proven": 3, "conflicting_sets": 20}
            | {"repeated_sets": 22, "tables": tables}
        )
    return rows


def rule_rows(users: int = 12, sizes: tuple[int, ...] = (14, 20, 28)) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(4), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            for sets in sizes:
                grown, tables = (sets - 12) / 17, {}
                for rule, more in RULES.items():
                    rate = min(0.97, 0.5 + 0.3 * grown + more)
                    for method, better in ((rule, 0.03), (f"lr@{rule}", 0.0), (f"svm@{rule}", 0.01)):
                        tables[method] = table(draw, rate, 0.95 + better - 0.3 * rate, 300)
                rows.append(
                    {
                        "reading": reading,
                        "user": user,
                        "sets": sets,
                        "terms": 12,
                        "runs": 3,
                        "proven": 3,
                        "tables": tables,
                    }
                    | {"statements": [int(sets * (sets - 1) * 0.47)] * 3}
                )
    return rows


def simplest_rows(
    users: int = 12, sizes: tuple[int, ...] = (12, 16, 20, 24, 29), runs: int = 3
) -> list[dict[str, Any]]:
    draw, rows = np.random.default_rng(5), []
    for reading in ("formula", "twelve"):
        for user in range(users):
            for sets in sizes:
                grown = (sets - 12) / 17
                terms = (7 + 6 * grown + 3 * (reading == "formula") + draw.normal(0, 1, runs)).round().astype(int)
                models = (10 ** (2.5 - 2 * grown + draw.normal(0, 0.5, runs))).astype(int) + 1
                rows.append(
                    {"reading": reading, "user": user, "sets": sets, "models": models.tolist(), "families": [1] * runs}
                    | {"degree": [2 + int(grown > 0.5)] * runs, "cardinality": terms.tolist(), "proven": runs}
                    | {"total_size": (terms * 1.5).astype(int).tolist(), "statements": [sets * 6] * runs}
                )
    return rows


def error_rows() -> list[dict[str, Any]]:
    draw = np.random.default_rng(5)
    rows = []
    for reading in ("formula", "twelve"):
        for user in range(12):
            for noise in (0.0, 0.1, 0.2):
                tables = {}
                for method in (
                    "ord-refuse",
                    "ord-repair",
                    "ord-robust",
                    "ord-known",
                    "lr",
                    "svm",
                    "lr-reject",
                    "svm-reject",
                ):
                    made = 0 if method == "ord-refuse" and noise else int(draw.integers(20, 60))
                    right = int(made * (0.9 - noise))
                    tables[method] = [right, made - right, 0, 0, 0, 0, 100 - made, 0, 0]
                told = {"contradictory": [int(noise > 0)] * 2, "cost": [int(20 * noise)] * 2, "degree": [2, 2]}
                rows.append(
                    {"reading": reading, "user": user, "noise": noise, "terms": 12, "runs": 2, "proven": 2}
                    | {"statements": [40, 40], "repairs": [1, 3], "flips": [0, 0], "tables": tables, **told}
                )
    return rows


ROWS = {
    "synthetic-metrics": metric_rows,
    "synthetic-f1": metric_rows,
    "running-times": time_rows,
    "movies": movie_rows,
    "rules": rule_rows,
    "simplest-models": simplest_rows,
    "errors": error_rows,
}


def document(experiment: str, rows: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "format": "setpref-experiment",
        "version": 1,
        "experiment": experiment,
        "quick": False,
        "seed": 1,
        "settings": {"users": 12, "runs": 3, "range_of_statements": [26, 62, 112, 178, 259, 381]},
        "versions": {"setpref": "0.1", "python": "3.11", "numpy": "2.0"},
        "seconds": 12.5,
        "jobs": 2,
        "rows": ROWS[experiment]() if rows is None else rows,
        "failures": [],
    }


def poor(experiment: str) -> list[dict[str, Any]]:
    """Rows of one user, one size, and a method of ours that never predicts."""
    rows = ROWS[experiment]()
    if experiment == "running-times":
        return [{**row, "mip": None} for row in rows[:1]]
    rows = [row for row in rows if row["user"] == 0][:1]
    if "tables" in rows[0]:
        rows[0]["tables"]["ord"] = [0, 0, 0, 0, 0, 0, 45, 45, 10]
        rows[0]["f1"] = dict.fromkeys(rows[0].get("f1", {}), [None] * 3)
    if "models" in rows[0]:
        rows[0] |= {name: [None] * 3 for name in ("models", "families", "cardinality", "total_size")} | {"proven": 0}
    return rows
