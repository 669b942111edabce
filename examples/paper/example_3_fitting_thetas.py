"""Example 3 of the paper: the thetas that fit the order of Example 1 are the supersets of one theta.

There are 2^15 sets of terms over four elements; exactly the 1024 that contain the five terms fit, so the simplest
theta is unique under every measure of size, with degree 3, 5 terms and total size 7.
"""

from example_1_negative_synergy import preferences

from setpref.solving import bruteforce
from setpref.solving.degree import minimum_degree
from setpref.solving.fitting import NoFit, Terms, fit


def main() -> None:
    prefs = preferences()
    mask = prefs.universe.mask
    additive = Terms(tuple(mask(name) for name in ("a1", "a2", "a3", "a4")))
    assert isinstance(fit(prefs.rows, additive, prefs.universe), NoFit)

    theta = {*additive.terms, mask("a1+a2+a3")}
    fitting = bruteforce.all_fitting(prefs)
    assert len(fitting) == 1024
    assert all(theta <= set(other) for other in fitting)

    assert minimum_degree(prefs).degree == 3
    for simplicity in ("lex", "card", "ws"):
        (only,) = bruteforce.simplest(prefs, simplicity)
        assert set(only) == theta
    print("1024 thetas fit, all contain", ", ".join(map(prefs.universe.write, sorted(theta))))


if __name__ == "__main__":
    main()
