"""The paper's experiments (Section 5) and the comparisons it left out: run, stored, drawn and judged; no method.

``EXPERIMENTS`` is the table of what can be run, ``reproduce`` runs it; ``setpref reproduce`` is the same as a command.
"""

from setpref.errors import MissingDependency

try:
    from setpref.experiments.reproduction import Reproduction, reproduce
    from setpref.experiments.studies import EXPERIMENTS
except MissingDependency as error:  # the extra that has all of it, not the one of the room that noticed
    raise MissingDependency(error.package, "experiments", "running experiments") from None

__all__ = ["EXPERIMENTS", "Reproduction", "reproduce"]
