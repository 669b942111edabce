"""Proposition 4 of the paper (Appendix A): a smaller theta that still fits predicts more and never the opposite."""

from itertools import pairwise, product

from setpref import Preferences
from setpref.answers.theta import theta_verdict
from setpref.solving import bruteforce
from setpref.solving.fitting import Terms


def main() -> None:
    prefs = Preferences.from_pairs([("a1", "a2"), ("a1+a2", "a1"), ("a1+a3", "a1+a2+a3")])
    fitting = bruteforce.all_fitting(prefs)
    chain = [min(fitting, key=len)]
    while larger := [t for t in fitting if set(chain[-1]) < set(t)]:
        chain.append(min(larger, key=len))
    counts = []
    for small, large in pairwise(chain):
        few, many = (
            {(a, b): theta_verdict(prefs, Terms(theta), a, b).value for a, b in product(range(8), repeat=2)}
            for theta in (large, small)
        )
        assert all(many[pair] == value for pair, value in few.items() if value != "unknown")
        counts.append(sum(value == "better" for value in many.values()))
    assert counts == sorted(counts, reverse=True)
    print(f"pairs predicted by thetas of growing size: {counts}")


if __name__ == "__main__":
    main()
