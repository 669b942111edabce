"""Proposition 1 of the paper: A robustly beats B iff no simplest theta admits values with f(B) >= f(A).

Checked on every pair of sets of a small instance: the left side theta by theta, the right side by asking
each simplest theta to fit the statements together with "B over A" or to leave A and B equal.
"""

from itertools import product

from setpref import Preferences
from setpref.solving import bruteforce


def main() -> None:
    prefs = Preferences.from_ratings({"a1": 3, "a2": 2, "a1+a2": 1, "a3": 1, "{}": 0, "a1+a2+a3": 0})
    told = bruteforce.said(prefs)
    thetas = bruteforce.simplest(prefs, "lex")
    predicted = 0
    for a, b in product(range(8), repeat=2):
        admits = any(
            bruteforce.fits(told.adding(b, a), theta) or all((t & a == t) == (t & b == t) for t in theta)
            for theta in thetas
        )
        beats = all(bruteforce.beats(told, theta, a, b) for theta in thetas)
        assert beats == (not admits)
        predicted += beats
    print(f"{predicted} of 64 ordered pairs are predicted, and the two sides agree on all")


if __name__ == "__main__":
    main()
