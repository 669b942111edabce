"""Proposition 2 of the paper (Appendix A): asymmetric, perhaps incomplete or not negatively transitive.

The counterexample: from "a1 over a3" alone, a1 does not beat a2 and a2 does not beat a3, and yet a1 beats a3.
"""

from itertools import product

from setpref import Model, Preferences
from setpref.answers.theta import theta_verdict
from setpref.proofs.certificates import check_model
from setpref.solving.fitting import UpTo


def main() -> None:
    prefs = Preferences.from_pairs([("a1", "a3")], universe=["a1", "a2", "a3"])
    v = Model.of(prefs.universe, {"a1": 2, "a2": 3, "a3": 1})
    w = Model.of(prefs.universe, {"a1": 3, "a2": 1, "a3": 2})
    check_model(v, prefs)
    check_model(w, prefs)
    assert v.compare("a2", "a1") == "better"
    assert w.compare("a3", "a2") == "better"

    verdict = {(a, b): theta_verdict(prefs, UpTo(1), a, b).value for a, b in product(range(8), repeat=2)}
    a1, a2, a3 = 1, 2, 4
    assert all(not (verdict[a, b] == "better" and verdict[b, a] == "better") for a, b in verdict)
    assert verdict[a1, a2] == "unknown"
    assert verdict[a2, a3] == "unknown"
    assert verdict[a1, a3] == "better"
    print("a1 beats a3, though a1 does not beat a2 and a2 does not beat a3")


if __name__ == "__main__":
    main()
