"""Example 1 of the paper: a strict order explained by one negative synergy of three elements.

The claim (five terms explain the order) is right; the values printed beside it are not: they violate 5 of the 119
stated pairs, for instance {a1, a2} is stated above {a4} but is worth 1 + 2 = 3 against 4. Other values fit.
"""

from fractions import Fraction

from setpref import CertificateRejected, Model, Preferences
from setpref.proofs.certificates import check_model

ORDER = [
    "a2+a3+a4", "a1+a3+a4", "a1+a2+a4", "a3+a4", "a2+a4", "a2+a3", "a1+a4", "a1+a3", "a1+a2",
    "a4", "a3", "a2", "a1", "a1+a2+a3+a4 ~ {}", "a1+a2+a3",
]  # fmt: skip


def preferences() -> Preferences:
    """Return the order as ratings; the two sets of the second to last tier are rated alike."""
    return Preferences.from_ratings(
        {written: -place for place, tier in enumerate(ORDER) for written in tier.split(" ~ ")}
    )


def main() -> None:
    prefs = preferences()
    assert prefs.pair_count == 119

    printed = Model.of(prefs.universe, {"a1": 1, "a2": 2, "a3": 3, "a4": 4, "a1+a2+a3": -10})
    stated = [(a, b) for a in prefs.alternatives for b in prefs.alternatives if prefs.implies(a, b)]
    violated = [(a, b) for a, b in stated if printed.at(a) <= printed.at(b)]
    assert len(stated) == 119
    assert len(violated) == 5
    assert printed.compare("a1+a2", "a4") == "worse"
    try:
        check_model(printed, prefs)
    except CertificateRejected as error:
        print(f"the printed values are rejected: {error}")
    else:
        raise AssertionError("the printed values should not fit")

    half = Fraction(1, 2)
    mended = Model.of(prefs.universe, {"a1": 10, "a2": 11 + half, "a3": 13, "a4": 14, "a1+a2+a3": -48 - half})
    check_model(mended, prefs)
    assert mended.complexity == (3, 5, 7)
    print(f"these values fit all 119 pairs: {mended.whole()}")


if __name__ == "__main__":
    main()
