"""One module per experiment, entered here: what is run, drawn, judged and said of it; running it is for the room above.

:class:`~setpref.experiments.contract.Experiment` asks for everything, so nothing of an experiment can be forgotten.
"""

from setpref.experiments.contract import Experiment
from setpref.experiments.studies.errors import ERRORS
from setpref.experiments.studies.movies import MOVIES
from setpref.experiments.studies.rules import CAUTIOUS
from setpref.experiments.studies.simplest import SIMPLEST
from setpref.experiments.studies.synthetic import SYNTHETIC_F1, SYNTHETIC_METRICS
from setpref.experiments.studies.times import RUNNING_TIMES

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: dict[str, Experiment] = {
    study.name: study for study in (SYNTHETIC_METRICS, SYNTHETIC_F1, RUNNING_TIMES, MOVIES, CAUTIOUS, SIMPLEST, ERRORS)
}
