"""Example 2 of the paper: two compatible value functions of one theta predict opposite preferences.

So a prediction must hold for every compatible value; here the answer is "unknown".
"""

from setpref import Disagreement, Model, Preferences
from setpref.answers.theta import theta_verdict
from setpref.proofs.certificates import check_model
from setpref.proofs.verdicts import check_disagreement
from setpref.solving.fitting import UpTo


def main() -> None:
    prefs = Preferences.from_pairs([("a4", "a3"), ("a3", "a2"), ("a2", "a1")])
    v = Model.of(prefs.universe, {"a1": 1, "a2": 2, "a3": 3, "a4": 5})
    w = Model.of(prefs.universe, {"a1": 1, "a2": 3, "a3": 4, "a4": 5})
    check_model(v, prefs)
    check_model(w, prefs)
    assert v.compare("a1+a4", "a2+a3") == "better"
    assert w.compare("a1+a4", "a2+a3") == "worse"

    first, second = prefs.universe.mask("a1+a4"), prefs.universe.mask("a2+a3")
    verdict = theta_verdict(prefs, UpTo(1), first, second)
    assert verdict.value == "unknown"
    assert not verdict.equal
    check_disagreement(prefs, Disagreement(first, second, v, w))
    print("a1+a4 against a2+a3 is unknown; the paper's two value functions are an accepted proof")


if __name__ == "__main__":
    main()
