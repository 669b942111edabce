"""Proposition 3 of the paper (Appendix A): under one theta, more statements predict more and never the opposite."""

from itertools import product

from setpref import Preferences
from setpref.answers.theta import theta_verdict
from setpref.solving.fitting import Fit, UpTo, fit

STATEMENTS = [("a1", "a2"), ("a2", "a3"), ("a2+a3", "a1"), ("a3", "{}")]


def main() -> None:
    names = ["a1", "a2", "a3"]
    theta = UpTo(1)
    counts = []
    known: dict[tuple[int, int], str] = {}
    for size in range(1, len(STATEMENTS) + 1):
        prefs = Preferences.from_pairs(STATEMENTS[:size], universe=names)
        assert isinstance(fit(prefs.rows, theta, prefs.universe), Fit)
        now = {(a, b): theta_verdict(prefs, theta, a, b).value for a, b in product(range(8), repeat=2)}
        assert all(now[pair] == value for pair, value in known.items() if value != "unknown")
        counts.append(sum(value == "better" for value in now.values()))
        known = now
    assert counts == sorted(counts)
    print(f"pairs predicted with 1 to {len(STATEMENTS)} statements: {counts}")


if __name__ == "__main__":
    main()
