"""The expected size of a sampled term (Section 5): E|S| = 2 + (1 - p - (1-p)^(n-1)) / p.

A term starts as a pair and grows by one element with probability 1 - p until it holds all n elements.
The distribution is summed exactly and compared with the formula.
"""

from fractions import Fraction


def expected_size(n: int, p: Fraction) -> Fraction:
    """Return the expected size from the distribution itself."""
    grow = 1 - p
    stopped = sum((size * p * grow ** (size - 2) for size in range(2, n)), Fraction(0))
    return stopped + n * grow ** (n - 2)


def main() -> None:
    for n in range(2, 12):
        for tenths in range(1, 10):
            p = Fraction(tenths, 10)
            assert expected_size(n, p) == 2 + (1 - p - (1 - p) ** (n - 1)) / p
    print(f"n = 8, p = 0.9: {float(expected_size(8, Fraction(9, 10))):.4f} elements on average")


if __name__ == "__main__":
    main()
