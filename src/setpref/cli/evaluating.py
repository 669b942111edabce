"""The commands around data: generate synthetic ratings, evaluate methods on ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setpref.cli.console import print_json, progress_shown, say, step
from setpref.cli.options import Json, Source, with_source
from setpref.errors import InputError

__all__ = ["evaluate", "generate"]


def generate(
    out: Annotated[Path, typer.Option("--out", help="The ratings to write: a .csv file; the truth goes beside it.")],
    elements: Annotated[int, typer.Option("--elements", help="The number of elements.")] = 8,
    sets: Annotated[int | None, typer.Option("--sets", help="How many sets are rated.", show_default="24")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same user.")] = 0,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Draws floor(alpha (2^n - n)) terms besides single ones.")
    ] = 0.1,
    p: Annotated[float, typer.Option("--p", help="The chance that a term stops growing: near 1, small terms.")] = 0.9,
    terms: Annotated[
        int | None, typer.Option("--terms", help="Ask for so many extra terms instead of alpha.", show_default=False)
    ] = None,
    sigma: Annotated[float, typer.Option("--sigma", help="The standard deviation of the values.")] = 100.0,
    scale: Annotated[int, typer.Option("--scale", help="Ratings go from 1 to this.")] = 12,
    jitter: Annotated[float, typer.Option("--jitter", help="Noise: the deviation of steps added to ratings.")] = 0.0,
    as_json: Json = False,
) -> None:
    """Make up a person: rated sets the other commands read, and the truth beside them."""
    import numpy as np

    from setpref.data.writing import check_target, csv_text, replace_file
    from setpref.evaluation.synthetic import draw_sets, draw_user, jitter_ratings

    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out}: the ratings are written as CSV; give a name that ends in .csv")
    truth = out.with_suffix(".truth.json")
    for target in (out, truth):
        check_target(target)
    rng = np.random.default_rng(seed)
    user = draw_user(elements, alpha=alpha, p=p, terms=terms, sigma=sigma, scale=scale, rng=rng)
    masks = draw_sets(elements, min(24, 1 << elements) if sets is None else sets, rng)
    if len(masks) < 2:
        raise InputError(f"--sets {len(masks)}: at least 2 sets are needed to say a preference")
    ratings = jitter_ratings({mask: int(user.ratings[mask]) for mask in masks}, jitter, scale, rng)
    rows = [[*(mask >> i & 1 for i in range(elements)), rating] for mask, rating in ratings.items()]
    options = {"elements": elements, "alpha": alpha, "p": p, "terms": terms, "sigma": sigma, "jitter": jitter}
    with replace_file(truth) as hidden, replace_file(out) as shown:
        shown.write_text(csv_text([*user.universe.names, "rating"], rows), encoding="utf-8", newline="\n")
        hidden.write_text(user.to_json(seed=seed, sets=len(masks), **options), encoding="utf-8", newline="\n")
    count, degree = len(user.model.theta), user.model.degree
    if as_json:
        print_json({"ratings": str(out), "truth": str(truth), "sets": len(masks), "terms": count, "degree": degree})
        return
    say(f"{len(masks)} rated sets over {elements} elements written to {out}")
    say(f"the truth, {count} terms of degree up to {degree}, is in {truth}")


@with_source(indifference=False)
def evaluate(
    *,
    methods: Annotated[
        str,
        typer.Option(
            "--methods", help="Of ord, ord-union, ord-majority, ord-volume, lr, svm, knn, lr-reject, svm-reject."
        ),
    ] = "ord,lr,svm,knn",
    train: Annotated[float, typer.Option("--train", help="The share of the sets to learn from.")] = 0.8,
    repeats: Annotated[int, typer.Option("--repeats", help="How many runs, each with fresh draws.")] = 10,
    pairs: Annotated[int, typer.Option("--pairs", help="Pairs to predict in each run.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same runs.")] = 0,
    simplicity: Annotated[str, typer.Option("--simplicity", help="For ord: lex, card, ws or deg.")] = "lex",
    threshold: Annotated[float, typer.Option("--threshold", help="For ord-volume: the share needed.")] = 0.9,
    kernel: Annotated[str, typer.Option("--kernel", help="For svm: rbf, linear, poly or sigmoid.")] = "rbf",
    weights: Annotated[
        str, typer.Option("--weights", help="For knn: inverse or proportional (to distance).")
    ] = "inverse",
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.0, help="Seconds for each learning of ord.")
    ] = 60.0,
    source: Source,
    as_json: Json = False,
) -> None:
    """Would this help me? Compare methods on your own ratings: hide some, predict them, count."""
    from setpref.evaluation import comparing
    from setpref.showing.methods import method_lines

    preferences = source.read()
    named = [name.strip() for name in methods.split(",") if name.strip()]
    settings = comparing.Settings(simplicity, time_limit, threshold, kernel, weights)
    with progress_shown(as_json) as progress:
        tell = None if progress is None else lambda doing: step(progress, doing)
        done = comparing.evaluate(
            preferences, named, train=train, repeats=repeats, pairs=pairs, settings=settings, rng=seed, progress=tell
        )
    if as_json:
        print_json(done.facts())
        return
    say(f"read {preferences} from {source.data.name}")
    for line in method_lines(done.facts()):
        say(line)
