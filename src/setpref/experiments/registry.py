"""The table of experiments: to add one, write its tasks and what one task does, and enter it here."""

from __future__ import annotations

from setpref.experiments.contract import Experiment
from setpref.experiments.movie_runs import MOVIES
from setpref.experiments.rule_runs import CAUTIOUS
from setpref.experiments.simplest_runs import SIMPLEST
from setpref.experiments.synthetic_runs import SYNTHETIC_F1, SYNTHETIC_METRICS
from setpref.experiments.timing_runs import RUNNING_TIMES

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (SYNTHETIC_METRICS, SYNTHETIC_F1, RUNNING_TIMES, MOVIES, CAUTIOUS, SIMPLEST)
}
