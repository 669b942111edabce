"""Example 5 of the paper: the measures of simplicity on one small set of statements.

R = {a1a2 over a3a4, a1a2 over a1a3}. Among the three thetas the paper compares, {a2} is simplest
under card, ws and lex, and all three tie under deg. Over ALL thetas there is a second simplest one:
{a3}, with a negative value.
"""

from setpref import Preferences, learn
from setpref.solving import bruteforce


def main() -> None:
    prefs = Preferences.from_pairs([("a1+a2", "a3+a4"), ("a1+a2", "a1+a3")])
    mask = prefs.universe.mask
    told = bruteforce.said(prefs)
    compared = [("a1", "a2"), ("a1", "a3"), ("a2",)]
    for theta in compared:
        assert bruteforce.fits(told, [mask(name) for name in theta])
    assert bruteforce.fits(told, [mask("a1+a2")])

    assert learn(prefs, "deg").degree == 1
    every = bruteforce.simplest(prefs, "deg")
    assert {tuple(mask(name) for name in theta) for theta in compared} <= set(every)

    a2, a3 = mask("a2"), mask("a3")
    assert bruteforce.simplest(prefs, "lex") == [(a2,), (a3,)]
    assert bruteforce.simplest(prefs, "ws") == [(a2,), (a3,)]
    assert {(a2,), (a3,)} < set(bruteforce.simplest(prefs, "card"))
    print("simplest under lex: {a2} (positive) and {a3} (negative)")


if __name__ == "__main__":
    main()
