"""The same data in every Python form, collisions worked by hand, tiers, pairs and contradictions."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpref.data.numbers import exact_number
from setpref.data.preferences import Preferences
from setpref.errors import (
    BadTable,
    ConflictingRatings,
    Contradiction,
    InputError,
    SelfComparison,
    TooLarge,
    UnknownElement,
    UnknownOption,
)
from setpref.rows import ends

SETS = [{"tea"}, {"tea", "lemon"}, set(), {"milk", "tea"}, {"milk"}]
RATINGS = [3.0, 4.5, 1.0, 1.0, 2.0]
TIERS = [["lemon+tea"], ["tea"], ["milk"], ["{}", "milk+tea"]]
NAMES = ["lemon", "milk", "tea"]
MATRIX = np.array([[0, 0, 1], [1, 0, 1], [0, 0, 0], [0, 1, 1], [0, 1, 0]])
WRITTEN = ["tea", "lemon+tea", "{}", "tea+milk", "milk"]
PAIRS = [({"tea", "lemon"}, {"tea"}), ({"tea"}, {"milk"}), ({"milk"}, set())]
STATEMENTS = [("lemon+tea", "tea"), ("tea", "milk"), ("milk", "{}")]


def pandas() -> Any:
    return pytest.importorskip("pandas", reason="pandas frames need pandas")


def polars() -> Any:
    return pytest.importorskip("polars", reason="polars frames need polars")


def pyarrow() -> Any:
    return pytest.importorskip("pyarrow", reason="pyarrow tables need pyarrow")


def tiers(preferences: Preferences) -> list[list[str]]:
    assert preferences.tiers is not None
    return [[preferences.universe.write(mask) for mask in tier] for tier in preferences.tiers]


def stated(preferences: Preferences) -> list[tuple[str, str]]:
    write = preferences.universe.write
    return [(write(s.better), write(s.worse)) for s in preferences.statements]


def wide() -> dict[str, list[Any]]:
    return {name: MATRIX[:, i].tolist() for i, name in enumerate(NAMES)} | {"rating": RATINGS}


def long() -> dict[str, list[Any]]:
    return {"alternative": WRITTEN, "rating": RATINGS}


def rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def of_matrix(dtype: Any) -> Callable[[], Preferences]:
    return lambda: Preferences.from_ratings(MATRIX.astype(dtype), RATINGS, universe=NAMES)


RATED_FORMS: dict[str, Callable[[], Preferences]] = {
    "mapping of text": lambda: Preferences.from_ratings(dict(zip(WRITTEN, RATINGS, strict=True))),
    "mapping of frozensets": lambda: Preferences.from_ratings(dict(zip(map(frozenset, SETS), RATINGS, strict=True))),
    "mapping of tuples": lambda: Preferences.from_ratings(dict(zip(map(tuple, SETS), RATINGS, strict=True))),
    "pairs of sets": lambda: Preferences.from_ratings(list(zip(SETS, RATINGS, strict=True))),
    "pairs of text": lambda: Preferences.from_ratings([[w, r] for w, r in zip(WRITTEN, RATINGS, strict=True)]),
    "generator of pairs": lambda: Preferences.from_ratings(zip(SETS, RATINGS, strict=True)),
    "sets apart": lambda: Preferences.from_ratings(SETS, RATINGS),
    "lists apart": lambda: Preferences.from_ratings([sorted(s) for s in SETS], RATINGS),
    "text apart": lambda: Preferences.from_ratings(WRITTEN, RATINGS),
    "mappings to 0/1 apart": lambda: Preferences.from_ratings([{n: n in s for n in NAMES} for s in SETS], RATINGS),
    "generators apart": lambda: Preferences.from_ratings((iter(s) for s in SETS), (r for r in RATINGS)),
    "long records": lambda: Preferences.from_ratings(rows(long())),
    "long records of sets": lambda: Preferences.from_ratings(rows({"alternative": SETS, "rating": RATINGS})),
    "wide records": lambda: Preferences.from_ratings(rows(wide())),
    "ratings as text": lambda: Preferences.from_ratings(WRITTEN, [str(r) for r in RATINGS]),
    "ratings as decimals": lambda: Preferences.from_ratings(WRITTEN, [Decimal(str(r)) for r in RATINGS]),
    "ratings as fractions": lambda: Preferences.from_ratings(WRITTEN, [Fraction(r) for r in RATINGS]),
    "ratings as an array": lambda: Preferences.from_ratings(WRITTEN, np.array(RATINGS)),
    "ratings as float32": lambda: Preferences.from_ratings(WRITTEN, np.array(RATINGS, dtype="float32")),
    "matrix of int": of_matrix(int),
    "matrix of int8": of_matrix("int8"),
    "matrix of bool": of_matrix(bool),
    "matrix of float": of_matrix(float),
    "matrix of float32": of_matrix("float32"),
    "matrix of objects": of_matrix(object),
    "pandas long": lambda: Preferences.from_ratings(pandas().DataFrame(long())),
    "pandas wide": lambda: Preferences.from_ratings(pandas().DataFrame(wide())),
    "pandas wide, own index": lambda: Preferences.from_ratings(pandas().DataFrame(wide(), index=list("vwxyz"))),
    "pandas wide bool": lambda: Preferences.from_ratings(pandas().DataFrame(wide()).astype({"tea": bool})),
    "pandas wide boolean": lambda: Preferences.from_ratings(pandas().DataFrame(wide()).astype({"tea": "boolean"})),
    "pandas wide Int64": lambda: Preferences.from_ratings(pandas().DataFrame(wide()).astype({"tea": "Int64"})),
    "pandas wide float": lambda: Preferences.from_ratings(pandas().DataFrame(wide()).astype(float)),
    "pandas Float64": lambda: Preferences.from_ratings(pandas().DataFrame(long()).convert_dtypes()),
    "pandas of sets": lambda: Preferences.from_ratings(pandas().DataFrame({"alternative": SETS, "rating": RATINGS})),
    "pandas categories": lambda: Preferences.from_ratings(
        pandas().DataFrame(long()).astype({"alternative": "category"})
    ),
    "pandas apart": lambda: Preferences.from_ratings(pandas().DataFrame(wide())[NAMES], pandas().Series(RATINGS)),
    "polars long": lambda: Preferences.from_ratings(polars().DataFrame(long())),
    "polars wide": lambda: Preferences.from_ratings(polars().DataFrame(wide())),
    "polars lists": lambda: Preferences.from_ratings(
        polars().DataFrame({"alternative": [sorted(s) for s in SETS], "rating": RATINGS})
    ),
    "polars apart": lambda: Preferences.from_ratings(polars().DataFrame(wide())[NAMES], polars().Series(RATINGS)),
    "pyarrow long": lambda: Preferences.from_ratings(pyarrow().table(long())),
    "pyarrow wide": lambda: Preferences.from_ratings(pyarrow().table(wide())),
}

STATED_FORMS: dict[str, Callable[[], Preferences]] = {
    "pairs of sets": lambda: Preferences.from_pairs(PAIRS),
    "pairs of text": lambda: Preferences.from_pairs(STATEMENTS),
    "lists of text": lambda: Preferences.from_pairs([list(s) for s in STATEMENTS]),
    "generator": lambda: Preferences.from_pairs(pair for pair in PAIRS),
    "sides apart": lambda: Preferences.from_pairs([b for b, _ in PAIRS], [w for _, w in PAIRS]),
    "records": lambda: Preferences.from_pairs([{"better": b, "worse": w} for b, w in STATEMENTS]),
    "matrices": lambda: Preferences.from_pairs(MATRIX[[1, 0, 4]], MATRIX[[0, 4, 2]], universe=NAMES),
    "bool matrices": lambda: Preferences.from_pairs(MATRIX[[1, 0, 4]] == 1, MATRIX[[0, 4, 2]] == 1, universe=NAMES),
    "pandas": lambda: Preferences.from_pairs(pandas().DataFrame(STATEMENTS, columns=["better", "worse"])),
    "pandas of 0/1": lambda: Preferences.from_pairs(
        pandas().DataFrame(wide())[NAMES].iloc[[1, 0, 4]], pandas().DataFrame(wide())[NAMES[::-1]].iloc[[0, 4, 2]]
    ),
    "polars": lambda: Preferences.from_pairs(
        polars().DataFrame({"better": [b for b, _ in STATEMENTS], "worse": [w for _, w in STATEMENTS]})
    ),
    "pyarrow": lambda: Preferences.from_pairs(
        pyarrow().table({"better": [b for b, _ in STATEMENTS], "worse": [w for _, w in STATEMENTS]})
    ),
}


@pytest.mark.parametrize("form", RATED_FORMS)
def test_ratings_in_every_form(form: str) -> None:
    preferences = RATED_FORMS[form]()
    assert preferences.universe.names == tuple(NAMES)
    assert tiers(preferences) == TIERS
    assert preferences.ratings == dict(zip([4, 5, 0, 6, 2], map(exact_number, RATINGS), strict=True))
    assert str(preferences) == "5 ratings of sets over 3 elements"


@pytest.mark.parametrize("form", STATED_FORMS)
def test_statements_in_every_form(form: str) -> None:
    preferences = STATED_FORMS[form]()
    assert preferences.universe.names == tuple(NAMES)
    assert stated(preferences) == STATEMENTS
    assert {s.weight for s in preferences.statements} == {Fraction(1)}
    assert preferences.tiers is None
    assert str(preferences) == "3 statements over 3 elements"


WEIGHED_FORMS: dict[str, Callable[[], Preferences]] = {
    "apart": lambda: Preferences.from_pairs(STATEMENTS, weights=[1, 0.1, "1/3"], ids=["x", None, 7]),
    "sides apart": lambda: Preferences.from_pairs(
        [b for b, _ in PAIRS], [w for _, w in PAIRS], weights=(1, 0.1, Fraction(1, 3)), ids=("x", "", 7)
    ),
    "records": lambda: Preferences.from_pairs(
        [
            {"better": b, "worse": w, "weight": x, "id": i}
            for (b, w), x, i in zip(STATEMENTS, [1, Decimal("0.1"), "1/3"], ["x", None, "7"], strict=True)
        ]
    ),
    "pandas": lambda: Preferences.from_pairs(
        pandas().DataFrame(
            {
                "better": [b for b, _ in STATEMENTS],
                "worse": [w for _, w in STATEMENTS],
                "weight": ["1", "0.1", "1/3"],
                "id": ["x", None, "7"],
            }
        )
    ),
}


@pytest.mark.parametrize("form", WEIGHED_FORMS)
def test_weights_and_ids(form: str) -> None:
    statements = WEIGHED_FORMS[form]().statements
    assert [s.weight for s in statements] == [1, Fraction(1, 10), Fraction(1, 3)]
    assert [s.id for s in statements] == ["x", None, "7"]
    assert [s.position for s in statements] == [1, 2, 3]


def test_an_id_column_of_floats_with_gaps_in_pandas() -> None:
    frame = pandas().DataFrame({"better": ["a", "b"], "worse": ["b", "c"], "id": ["x", float("nan")]})
    assert [s.id for s in Preferences.from_pairs(frame).statements] == ["x", None]


def test_an_explicit_universe_keeps_its_order_and_unused_elements() -> None:
    preferences = Preferences.from_ratings({"tea": 2, "milk": 1}, universe="tea+sugar+milk")
    assert preferences.universe.names == ("tea", "sugar", "milk")
    assert preferences.tiers == ((1,), (4,))


def test_an_explicit_universe_reorders_the_columns_of_a_frame() -> None:
    preferences = Preferences.from_ratings(rows(wide()), universe=["tea", "milk", "lemon", "sugar"])
    assert preferences.tiers == ((0b101,), (0b001,), (0b010,), (0b000, 0b011))


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: Preferences.from_ratings({"tea": 1}, universe="milk"), UnknownElement, "rating 1: 'tea'"),
        (lambda: Preferences.from_pairs([("a", "b"), ("b", "c")], universe="a+b"), UnknownElement, "statement 2: 'c'"),
        (lambda: Preferences.from_ratings({"{}": 1}), BadTable, "no set names an element"),
        (lambda: Preferences.from_ratings({}), BadTable, "no rows"),
        (lambda: Preferences.from_ratings([]), BadTable, "no rows"),
        (lambda: Preferences.from_pairs([]), BadTable, "no rows"),
        (lambda: Preferences.from_ratings(5), BadTable, "5 holds no ratings"),
        (lambda: Preferences.from_ratings(["a"], 5), BadTable, "one number per set"),
        (lambda: Preferences.from_pairs(None), BadTable, "give pairs"),
        (lambda: Preferences.from_ratings("tea"), BadTable, "rating 1 is 't'; give pairs"),
        (lambda: Preferences.from_ratings([("tea", 1, 2)]), BadTable, "rating 1 is .*give pairs"),
        (lambda: Preferences.from_pairs(["ab"]), BadTable, "statement 1 is 'ab'; give pairs"),
        (lambda: Preferences.from_ratings(["a", "b"], [1]), BadTable, "2 sets and 1 ratings"),
        (lambda: Preferences.from_pairs(["a"], ["b", "c"]), BadTable, "1 better and 2 worse"),
        (lambda: Preferences.from_pairs([("a", "b")], weights=[1, 2]), BadTable, "1 statements and 2 weights"),
        (lambda: Preferences.from_pairs([("a", "b")], ids=[]), BadTable, "1 statements and 0 ids"),
        (lambda: Preferences.from_pairs([("a", "b")], weights=[0]), BadTable, "statement 1: the weight 0"),
        (lambda: Preferences.from_ratings(MATRIX, RATINGS), BadTable, "needs universe="),
        (lambda: Preferences.from_ratings(MATRIX, RATINGS, universe="a+b"), BadTable, "3 columns and .* 2 elements"),
        (lambda: Preferences.from_ratings(MATRIX * 2, RATINGS, universe=NAMES), BadTable, "row 1: 'tea' is 2"),
        (lambda: Preferences.from_ratings(MATRIX / 2, RATINGS, universe=NAMES), BadTable, "row 1: 'tea' is 0.5"),
        (lambda: Preferences.from_pairs(MATRIX * 2, MATRIX, universe=NAMES), BadTable, "row 1: 'tea' is 2"),
        (lambda: Preferences.from_ratings([{"tea", None}], [1]), BadTable, "rating 1: .*None is not text"),
        (lambda: Preferences.from_ratings([["tea", float("nan")]], [1]), BadTable, "rating 1: .*nan is not text"),
        (lambda: Preferences.from_ratings([None], [1]), BadTable, "rating 1: a set is missing"),
        (lambda: Preferences.from_ratings([float("nan")], [1]), BadTable, "rating 1: a set is missing"),
        (lambda: Preferences.from_ratings({"a": Decimal("1e999999999")}), BadTable, "exponents"),
        (lambda: Preferences.from_ratings({"a": float("inf")}), BadTable, "'inf' is not a finite number"),
        (lambda: Preferences.from_ratings(rows(long()), collisions="max"), UnknownOption, "'max'.*median"),
        (lambda: Preferences.from_ratings([{"better": "a", "worse": "b"}]), BadTable, "use Preferences.from_pairs"),
        (lambda: Preferences.from_pairs([("a", "a")]), SelfComparison, "statement 1: a is compared with itself"),
        (lambda: Preferences.from_ratings({f"e{i}": i for i in range(10_001)}), TooLarge, "10,001 different elements"),
    ],
)  # fmt: skip
def test_what_cannot_be_used(make: Callable[[], Preferences], kind: type[InputError], words: str) -> None:
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.parametrize(
    ("columns", "dtype", "words"),
    [
        ({"tea": [1, None], "rating": [1, 2]}, {"tea": "Int64"}, "row 2: 'tea' is None"),
        ({"tea": [True, None], "rating": [1, 2]}, {"tea": "boolean"}, "row 2: 'tea' is None"),
        ({"tea": [1, None], "rating": [1, 2]}, {}, "row 2: 'tea' is None"),
        ({"tea": [1, 0], "rating": [1, None]}, {"rating": "Float64"}, "row 2: rating: the number is missing"),
        ({"tea": [1, 0], "rating": [1, None]}, {}, "row 2: rating: the number is missing"),
        ({"alternative": ["tea", None], "rating": [1, 2]}, {}, "row 2: a set is missing"),
        ({"alternative": ["tea", None], "rating": [1, 2]}, {"alternative": "string"}, "row 2: a set is missing"),
        ({0: [1], "rating": [1]}, {}, "column names must be text"),
    ],
    ids=repr,
)
def test_missing_values_of_pandas_are_named_by_row(columns: Any, dtype: dict[str, str], words: str) -> None:
    frame = pandas().DataFrame(columns).astype(dtype)
    with pytest.raises(BadTable, match=words):
        Preferences.from_ratings(frame)


def test_a_pandas_column_that_stands_twice() -> None:
    with pytest.raises(BadTable, match="stands twice"):
        Preferences.from_ratings(pandas().DataFrame([[1, 0, 3]], columns=["tea", "tea", "rating"]))


def test_a_lazy_frame_is_to_be_collected_first() -> None:
    with pytest.raises(BadTable, match="collect"):
        Preferences.from_ratings(polars().DataFrame(long()).lazy())


# -- collisions, worked by hand ----------------------------------------------------------------------------

GIVEN = [("a", 1), ("a", 4), ("a", 2), ("b", 3), ("b", 3), ("c", 5), ("c", 2)]


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        ("median", {"a": 2, "b": 3, "c": Fraction(7, 2)}),
        ("mean", {"a": Fraction(7, 3), "b": 3, "c": Fraction(7, 2)}),
        ("last", {"a": 2, "b": 3, "c": 2}),
        ("drop", {"b": 3}),
    ],
)
def test_collision_policies(policy: str, kept: dict[str, Fraction]) -> None:
    preferences = Preferences.from_ratings(GIVEN, collisions=policy)
    assert preferences.ratings is not None
    assert {preferences.universe.write(m): r for m, r in preferences.ratings.items()} == kept
    report = preferences.collisions
    assert report is not None
    assert (report.policy, report.repeated_sets, report.conflicting_sets, report.ratings_in_conflict) == (
        policy,
        3,
        2,
        5,
    )
    fate = "dropped" if policy == "drop" else f"the {policy} taken"
    assert str(report) == (
        f"3 sets were rated more than once: 1 always alike, 2 with different ratings (5 ratings; {fate})"
    )


def test_collisions_as_an_error_name_every_rating() -> None:
    with pytest.raises(
        ConflictingRatings, match=r"a has different ratings: 1 \(rating 1\), 4 \(rating 2\), 2 \(rating 3\)"
    ):
        Preferences.from_ratings(GIVEN, collisions="error")


def test_repeated_equal_ratings_are_no_error() -> None:
    preferences = Preferences.from_ratings([("a", 1), ("a", 1.0), ("a", "1")], collisions="error")
    assert str(preferences.collisions) == "1 set was rated more than once: 1 always alike"


@pytest.mark.parametrize("number", [float, str, Decimal, np.float32], ids=lambda n: n.__name__)
def test_means_are_exact(number: Callable[[str], Any]) -> None:
    """The mean of 0.1, 0.2 and 0.3 is the 0.2 given elsewhere: one tier, where floats would make two."""
    given = [("a", number("0.1")), ("a", number("0.2")), ("a", number("0.3")), ("b", number("0.2"))]
    assert tiers(Preferences.from_ratings(given, collisions="mean")) == [["a", "b"]]


def test_means_of_a_pandas_column_are_exact() -> None:
    frame = pandas().DataFrame({"alternative": list("aaab"), "rating": [0.1, 0.2, 0.3, 0.2]})
    assert tiers(Preferences.from_ratings(frame, collisions="mean")) == [["a", "b"]]


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("4.5", Fraction(9, 2)), ("-.5", Fraction(-1, 2)), ("+3", 3), ("2.", 2), (" 7 ", 7), ("1/3", Fraction(1, 3)),
        ("1e2", 100), ("1E-2", Fraction(1, 100)), (0.1, Fraction(1, 10)), (np.float32(0.1), Fraction(1, 10)),
        (np.int8(3), 3), (True, 1), (Decimal("0.10"), Fraction(1, 10)), (10**30, 10**30),
    ],
    ids=repr,
)  # fmt: skip
def test_numbers_are_what_they_print_as(value: Any, exact: Fraction) -> None:
    assert exact_number(value) == exact


@pytest.mark.parametrize("value", ["", "x", "1,5", "1e9999", "nan", "1/0", "٣", "0x10", None, [], "9" * 401], ids=repr)
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(ValueError, match="number"):
        exact_number(value)


# -- tiers, pairs, implications ------------------------------------------------------------------------------


@given(st.dictionaries(st.integers(0, 15), st.integers(0, 4), min_size=1))
def test_tiers_pairs_and_implications_of_ratings(ratings: dict[int, int]) -> None:
    names = "abcd"
    given_sets = {frozenset(names[i] for i in range(4) if m >> i & 1): r for m, r in ratings.items()}
    preferences = Preferences.from_ratings(given_sets, universe=list(names))
    every = {(a, b) for a, b in product(ratings, repeat=2) if ratings[a] > ratings[b]}
    levels = sorted(set(ratings.values()))
    adjacent = {(a, b) for a, b in every if levels.index(ratings[a]) == levels.index(ratings[b]) + 1}
    assert preferences.pair_count == len(every)
    assert set(preferences.pairs) == adjacent
    assert len(preferences.pairs) == len(adjacent)
    assert {(a, b) for a, b in product(range(16), repeat=2) if preferences.implies(a, b)} == every
    assert preferences.repeated_statements == 0


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4))
def test_boundaries_stand_for_the_pairs_of_adjacent_tiers(sizes: list[int]) -> None:
    masks = iter(range(16))
    ratings = {next(masks): -level for level, size in enumerate(sizes) for _ in range(size)}
    preferences = Preferences.from_ratings(
        {frozenset("abcd"[i] for i in range(4) if m >> i & 1): r for m, r in ratings.items()}, universe=list("abcd")
    )
    rows = preferences.rows
    size = len(rows.alternatives)
    edges = [ends(row.combination) for row in rows.rows]
    direct = {(u, v) for u, v in edges if u < size and v < size}
    through = {(u, v) for (u, x), (y, v) in product(edges, repeat=2) if x == y and x >= size}
    found = {(rows.alternatives[u], rows.alternatives[v]) for u, v in direct | through}
    assert found == set(preferences.pairs)
    assert len(rows.rows) <= len(preferences.pairs)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=14))
def test_implications_of_statements_are_their_closure(numbers: list[tuple[int, int]]) -> None:
    """A greater number over a smaller one never makes a cycle."""
    edges = [(max(pair), min(pair)) for pair in numbers if pair[0] != pair[1]] or [(1, 0)]
    reach = set(edges)
    for k, a, b in product(range(8), repeat=3):
        if (a, k) in reach and (k, b) in reach:
            reach.add((a, b))
    sets = [[name for i, name in enumerate("abc") if number >> i & 1] for number in range(8)]
    preferences = Preferences.from_pairs([(sets[a], sets[b]) for a, b in edges], universe=list("abc"))
    assert {(a, b) for a, b in product(range(8), repeat=2) if preferences.implies(a, b)} == reach
    assert preferences.pair_count == len(set(edges))
    assert preferences.repeated_statements == len(edges) - len(set(edges))
    assert set(preferences.pairs) == {
        (a, b) for a, b in reach if not any((a, k) in reach and (k, b) in reach for k in range(8))
    }


# -- contradictions --------------------------------------------------------------------------------------------


def test_a_contradiction_carries_its_shortest_cycle() -> None:
    statements = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "a")]
    with pytest.raises(Contradiction, match="a shortest cycle is: statement 1: a over b") as raised:
        Preferences.from_pairs(statements)
    assert raised.value.shortest
    assert raised.value.cycle == (
        ("statement 1", "a", "b"), ("statement 2", "b", "c"), ("statement 5", "c", "a"),
    )  # fmt: skip


def test_a_repeated_statement_is_cited_where_it_stood_first() -> None:
    with pytest.raises(Contradiction) as raised:
        Preferences.from_pairs([("a", "b"), ("a", "b"), ("b", "a")], ids=["x", "y", "z"])
    assert [place for place, _, _ in raised.value.cycle] == ["statement 1 (x)", "statement 3 (z)"]


MANY = 100_000
FEW_NAMES = [chr(97 + i) for i in range(17)]


def subset(number: int) -> list[str]:
    return [name for i, name in enumerate(FEW_NAMES) if number >> i & 1]


def test_a_hundred_thousand_statements_without_a_cycle() -> None:
    preferences = Preferences.from_pairs([(subset(i + 1), subset(i)) for i in range(MANY)])
    assert preferences.pair_count == MANY
    assert len(preferences.pairs) == MANY
    assert preferences.implies(MANY, 0)


def test_a_hundred_thousand_statements_between_few_sets() -> None:
    rng = np.random.default_rng(5)
    drawn = np.sort(rng.integers(0, 2_000, size=(MANY, 2)), axis=1)
    edges = {(int(b), int(a)) for a, b in drawn if a != b}
    preferences = Preferences.from_pairs([(subset(b), subset(a)) for b, a in sorted(edges)])
    assert preferences.pair_count == len(edges)
    assert len(preferences.pairs) < len(edges)


def test_a_hundred_thousand_statements_in_one_cycle() -> None:
    with pytest.raises(Contradiction) as raised:
        Preferences.from_pairs([(subset(i), subset((i + 1) % MANY)) for i in range(MANY)])
    assert (len(raised.value.cycle), raised.value.shortest) == (MANY, True)
    assert len(str(raised.value)) < 1_500


def test_many_ratings_in_two_tiers_are_counted_without_listing_pairs() -> None:
    preferences = Preferences.from_ratings([subset(i) for i in range(MANY)], [i % 2 for i in range(MANY)])
    assert preferences.pair_count == (MANY // 2) ** 2
    assert len(preferences.rows.rows) == MANY
