"""Run the benchmarks named on the command line, or all of them.

`python -m bench [degree contradictions engine predictions repair start-up walks]`; arguments that are files go to the
engine benchmark as lists of instances with known answers.
"""

import sys
from pathlib import Path

from bench import contradictions, degree, engine, predictions, repair, startup, walks

BENCHMARKS = {
    "start-up": startup.main,
    "contradictions": contradictions.main,
    "degree": degree.main,
    "engine": engine.main,
    "predictions": predictions.main,
    "repair": repair.main,
    "walks": walks.main,
}


def main() -> None:
    files = [argument for argument in sys.argv[1:] if Path(argument).is_file()]
    names = [argument for argument in sys.argv[1:] if argument not in files] or list(BENCHMARKS)
    if unknown := [name for name in names if name not in BENCHMARKS]:
        sys.exit(f"unknown benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    for name in names:
        if name == "engine":
            engine.main(files)
        else:
            BENCHMARKS[name]()


if __name__ == "__main__":
    main()
