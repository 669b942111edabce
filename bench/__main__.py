"""Run the benchmarks named on the command line, or all: python -m bench [degree contradictions start-up]."""

import sys

from bench import contradictions, degree, startup

BENCHMARKS = {"degree": degree.main, "contradictions": contradictions.main, "start-up": startup.main}


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    if unknown := [name for name in names if name not in BENCHMARKS]:
        sys.exit(f"unknown benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    for name in names:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
