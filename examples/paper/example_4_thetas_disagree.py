"""Example 4 of the paper: two fitting thetas predict opposite preferences.

From "a1 over a2" alone, the theta {a1} makes a1+a2 better than nothing and the theta {a2} makes it worse. Both are
simplest, so the robust verdict is "unknown".
"""

from setpref import Preferences
from setpref.answers.theta import theta_verdict
from setpref.solving import bruteforce
from setpref.solving.fitting import Terms


def main() -> None:
    prefs = Preferences.from_pairs([("a1", "a2")])
    a1, a2, both = map(prefs.universe.mask, ("a1", "a2", "a1+a2"))
    assert theta_verdict(prefs, Terms((a1,)), both, 0).value == "better"
    assert theta_verdict(prefs, Terms((a2,)), both, 0).value == "worse"
    assert bruteforce.simplest(prefs, "lex") == [(a1,), (a2,)]
    assert bruteforce.verdict(prefs, "lex", both, 0) == "unknown"
    print("a1+a2 against {} is better under {a1}, worse under {a2}: unknown")


if __name__ == "__main__":
    main()
