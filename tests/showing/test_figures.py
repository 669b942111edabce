"""Figures: places first (no overlap, all lines, downward), then the files (whole, complete, the same twice)."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import setpref as sp
from setpref.answers.partial_order import Order
from setpref.errors import InputError, MissingDependency, TooLarge
from setpref.families import Family, Listed, Simplest, Slot
from setpref.learning.learned import Learned
from setpref.showing.layout import Layout, diagram, lay_out
from setpref.simplicity import LEX
from setpref.universe import Universe

ELEMENTS = Universe(("ant", "bee", "cat", "dog", "elk", "fox"))
HALF = 1e-9


def alone(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple((i,) for i in range(count))


def order_of(values: np.ndarray) -> Order:
    """An order by several criteria: better if better in all of them."""
    better = (values[:, :, None] > values[:, None, :]).all(axis=0)
    return Order(ELEMENTS, tuple(range(len(better))), better, alone(len(better)))


def random_order(count: int, criteria: int, seed: int) -> Order:
    return order_of(np.random.default_rng(seed).random((criteria, count)))


def tiers(*sizes: int) -> Order:
    return order_of(np.repeat(-np.arange(len(sizes)), sizes)[None])


ORDERS = {
    "one": tiers(1),
    "chain": tiers(*[1] * 9),
    "antichain of 20": tiers(20),
    "tiers": tiers(3, 5, 1, 4, 6),
    "two criteria": random_order(40, 2, 1),
    "three criteria": random_order(40, 3, 2),
    "sparse": random_order(25, 5, 3),
}


def laid_out(order: Order, **options: float) -> Layout:
    drawn, draw = diagram(order), random.Random(len(order))
    sizes = [(draw.uniform(0.2, 1.3), draw.uniform(0.2, 0.7)) for _ in drawn.groups]
    return lay_out(drawn.edges, sizes, **options)


def boxes(layout: Layout) -> list[tuple[float, float, float, float]]:
    places = zip(layout.centres, layout.sizes, strict=True)
    return [(x - w / 2 + HALF, y - h / 2 + HALF, x + w / 2 - HALF, y + h / 2 - HALF) for (x, y), (w, h) in places]


def meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# -- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ORDERS)
def test_no_two_boxes_overlap_and_all_are_inside(kind: str) -> None:
    layout = laid_out(ORDERS[kind])
    found = boxes(layout)
    assert not [(i, j) for i in range(len(found)) for j in range(i) if meet(found[i], found[j])]
    corners = np.array(found)
    assert corners[:, :2].min() >= 0
    assert corners[:, 2].max() <= layout.width
    assert corners[:, 3].max() <= layout.height


@pytest.mark.parametrize("kind", ORDERS)
def test_every_cover_has_one_line_from_its_upper_to_its_lower_box(kind: str) -> None:
    order = ORDERS[kind]
    layout = laid_out(order)
    assert sorted(layout.edges) == sorted(order.cover_positions)
    assert len(layout.lines) == len(layout.edges)
    for (upper, lower), line in zip(layout.edges, layout.lines, strict=True):
        (x, y), (_, height) = layout.centres[upper], layout.sizes[upper]
        assert line[0] == pytest.approx((x, y - height / 2))
        (x, y), (_, height) = layout.centres[lower], layout.sizes[lower]
        assert line[-1] == pytest.approx((x, y + height / 2))


@pytest.mark.parametrize("kind", ORDERS)
def test_lines_only_go_down(kind: str) -> None:
    layout = laid_out(ORDERS[kind])
    assert all(layout.rows[a] < layout.rows[b] for a, b in layout.edges)
    assert all(a[1] > b[1] for line in layout.lines for a, b in pairwise(line))


@pytest.mark.parametrize("kind", ORDERS)
def test_no_line_touches_a_box_that_is_not_its_end(kind: str) -> None:
    # The whole rectangle of every piece stays clear, so the piece may be drawn as a curve.
    layout = laid_out(ORDERS[kind])
    found = boxes(layout)
    for ends, line in zip(layout.edges, layout.lines, strict=True):
        for (a, b), (c, d) in pairwise(line):
            piece = (min(a, c) - HALF, d, max(a, c) + HALF, b)
            assert not [i for i, box in enumerate(found) if i not in ends and meet(piece, box)]


@pytest.mark.parametrize("kind", ORDERS)
def test_joined_lines_say_nothing_new(kind: str) -> None:
    """Lines may share pieces, but following pieces down from a box leads only to boxes it covers."""
    layout = laid_out(ORDERS[kind])
    onward: dict[tuple[float, float], set[tuple[float, float]]] = {}
    for line in layout.lines:
        for a, b in pairwise(line):
            onward.setdefault(a, set()).add(b)
    starts = {line[0]: upper for (upper, _), line in zip(layout.edges, layout.lines, strict=True)}
    ends = {line[-1]: lower for (_, lower), line in zip(layout.edges, layout.lines, strict=True)}
    reached = set()
    for start, upper in starts.items():
        todo = [start]
        while todo:
            at = todo.pop()
            if at in ends:
                reached.add((upper, ends[at]))
            else:
                todo += onward[at]
    assert reached == set(layout.edges)


def test_the_layout_is_the_same_twice() -> None:
    assert laid_out(ORDERS["three criteria"]) == laid_out(ORDERS["three criteria"])


def test_the_top_row_are_the_maximal_ones_and_a_chain_is_straight() -> None:
    order = ORDERS["two criteria"]
    layout = laid_out(order)
    top = {order.alternatives[i] for i, row in enumerate(layout.rows) if row == 0}
    assert top == set(order.maximal)
    assert {round(x, 6) for x, _ in laid_out(ORDERS["chain"]).centres} == {
        round(laid_out(ORDERS["chain"]).width / 2, 6)
    }


def test_a_wide_level_is_split_in_rows() -> None:
    layout = laid_out(ORDERS["antichain of 20"], most_width=4.0)
    assert layout.width <= 5.0
    assert len(set(layout.rows)) > 2


def test_crossings_that_can_be_avoided_are_avoided() -> None:
    # A complete binary tree, its nodes numbered at random.
    names = random.Random(5).sample(range(15), 15)
    edges = [(names[(child - 1) // 2], names[child]) for child in range(1, 15)]
    assert lay_out(edges, [(0.5, 0.2)] * 15).crossings == 0


def test_equal_alternatives_are_one_node() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[0, 1:] = better[1:3, 3] = True
    drawn = diagram(Order(ELEMENTS, (1, 2, 4, 8), better, ((0,), (1, 2), (3,))))
    assert drawn.groups == ((0,), (1, 2), (3,))
    assert drawn.edges == ((0, 1), (1, 2))


def test_nothing_to_lay_out() -> None:
    assert lay_out([], []) == Layout((), (), (), (), (), 0, 0.0, 0.0)


# -- pictures --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def yogurt() -> Learned:
    return sp.learn(sp.read(Path(__file__).parents[2] / "examples" / "yogurt.csv"), "lex", "bruteforce")


LONG = tuple(f"ingredient number {i:02d}" for i in range(8))


def synergies(names: tuple[str, ...] = LONG, proven: bool = True) -> Learned:
    """Two families over eight elements: a shared triple, terms of both signs, some only in one family."""
    universe = Universe(names)

    def slots(*terms: tuple[int, int]) -> tuple[Slot, ...]:
        return tuple(Slot(Listed((term,)), 1) for term in terms)

    shared = [(0b1, 1), (0b10, -1), (0b11, 1), (0b110, -1), (0b1110000, 1)]
    families = (
        Family(universe, slots(*shared, (0b1000, 1), (0b10000010, 1))),
        Family(universe, slots(*shared, (0b1000, -1), (0b10001100, -1))),
    )
    statements = [(names[0], "{}"), ("{}", names[1]), ("+".join(names[4:7]), names[4])]
    preferences = sp.Preferences.from_pairs(statements, universe=universe)
    return Learned(preferences, "lex", "bruteforce", 0.0, None, Simplest(LEX, families, proven, 1))


def svg_texts(path: Path) -> list[str]:
    """The texts of an SVG whose letters are outlines: each stands in a comment."""
    return re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"))


def draw(kind: str, learned: Learned, path: Path | None = None, **options: object) -> object:
    pytest.importorskip("matplotlib")
    from setpref.showing.order_diagram import draw_order
    from setpref.showing.synergy_picture import draw_synergies

    return draw_order(learned.order(), path, **options) if kind == "order" else draw_synergies(learned, path, **options)


@pytest.mark.parametrize("kind", ["order", "synergies"])
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_files_are_whole_and_the_same_twice(
    kind: str, ending: str, start: bytes, yogurt: Learned, tmp_path: Path
) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    draw(kind, yogurt, first, title="Yogurt")
    draw(kind, yogurt, second, title="Yogurt")
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(os.listdir(tmp_path)) == [first.name, second.name]


def test_the_diagram_shows_every_alternative(yogurt: Learned, tmp_path: Path) -> None:
    path = tmp_path / "order.svg"
    draw("order", yogurt, path)
    texts = svg_texts(path)
    entries = "\n".join(texts).replace("+\n", "+").split("\n")
    assert sorted(entry.removeprefix("= ") for entry in entries) == sorted(yogurt.order().alternatives)
    assert texts[texts.index("{}") + 1] == "= mint"


def test_many_equal_alternatives_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from setpref.showing.order_diagram import draw_order

    order = Order(ELEMENTS, tuple(range(30)), np.zeros((30, 30), dtype=bool), (tuple(range(30)),))
    draw_order(order, tmp_path / "order.svg")
    assert svg_texts(tmp_path / "order.svg")[-1] == "= 23 more"


@pytest.mark.parametrize("names", [LONG, tuple("abcdefgh")], ids=["long names", "short names"])
def test_the_synergies_show_every_name_and_a_legend(names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "synergies.svg"
    figure = draw("synergies", synergies(names), path, title="Eight")
    shown = " ".join(svg_texts(path))
    assert [name for name in names if name not in shown] == []
    for words in (
        "Eight",
        "positive (+)",
        "in every simplest model",
        "only in some simplest models",
        "no term of its own",
    ):
        assert words in shown
    assert "sign not certain" in shown
    assert figure.get_figwidth() <= 3.6


def test_solid_and_dashed_links() -> None:
    figure = draw("synergies", synergies())
    styles = [line.get_linestyle() for line in figure.axes[0].lines if len(line.get_xdata()) > 2]
    assert (styles.count("-"), styles.count("--")) == (3, 2)


def test_unproven_models_are_not_called_simplest(tmp_path: Path) -> None:
    path = tmp_path / "synergies.svg"
    draw("synergies", synergies(proven=False), path)
    assert "in every model found" in svg_texts(path)


@pytest.mark.parametrize("count", [1, 2, 3, 13, 30])
def test_names_round_the_circle_do_not_overlap(count: int) -> None:
    universe = Universe(tuple(f"element number {i}" for i in range(count)))
    found = Simplest(LEX, (Family(universe, (Slot(Listed(((1, 1),)), 1),)),), True, 1)
    preferences = sp.Preferences.from_pairs([(universe.names[0], "{}")], universe=universe)
    figure = draw("synergies", Learned(preferences, "lex", "bruteforce", 0.0, None, found))
    figure.canvas.draw()
    names = [text.get_window_extent() for text in figure.axes[0].texts]
    assert not [(i, j) for i in range(len(names)) for j in range(i) if names[i].overlaps(names[j])]
    legend = figure.axes[0].get_legend().get_window_extent()
    assert not any(legend.overlaps(name) for name in names)


def test_labels_stay_inside_their_boxes(yogurt: Learned) -> None:
    figure = draw("order", yogurt)
    figure.canvas.draw()
    found = [patch.get_window_extent() for patch in figure.axes[0].patches if patch.get_fill()]
    for text in figure.axes[0].texts:
        label = text.get_window_extent()
        assert any(box.x0 <= label.x0 and label.x1 <= box.x1 and box.y0 <= label.y0 for box in found), text.get_text()


@pytest.mark.parametrize("kind", ["order", "synergies"])
def test_given_axes_are_used_and_scaled(kind: str, yogurt: Learned) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3))
    left, right = figure.subplots(1, 2)
    assert draw(kind, yogurt, ax=right) is figure
    assert not left.texts
    assert max(text.get_fontsize() for text in right.texts) < 7


def test_settings_of_the_user_survive_and_names_are_no_formulas(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    before = {key: matplotlib.rcParams[key] for key in matplotlib.rcParams if key != "backend"}
    learned = synergies(("$a$", "b_c^d", "\\e", "50%", "<f>", "g&h", "i'j", "k-l"))
    draw("synergies", learned, tmp_path / "s.svg")
    draw("synergies", learned, tmp_path / "s.pdf")
    assert {key: matplotlib.rcParams[key] for key in before} == before
    assert "$a$" in svg_texts(tmp_path / "s.svg")


def test_drawing_leaves_pyplot_alone(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    code = (
        "import sys, setpref as sp\n"
        "from setpref.showing.order_diagram import draw_order\n"
        "learned = sp.learn(sp.Preferences.from_pairs([('tea', 'milk')]), 'deg')\n"
        f"draw_order(learned.order(['tea', 'milk']), {str(tmp_path / 'order.png')!r})\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# -- what cannot be drawn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["order", "synergies"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("f.gif", r"\.svg, \.png, \.pdf"), ("figure", r"\.svg, \.png, \.pdf"), ("no/f.svg", "no folder")],
)
def test_places_that_cannot_be_written(kind: str, name: str, words: str, yogurt: Learned, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        draw(kind, yogurt, tmp_path / name)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("error", "raised"),
    [(OSError(28, "No space left on device"), InputError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_a_failed_drawing_leaves_the_old_file_and_nothing_else(
    error: BaseException, raised: type[BaseException], yogurt: Learned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "order.svg"
    path.write_text("old")

    def fail(_: object, target: Path, **__: object) -> None:
        Path(target).write_text("half")
        raise error

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    with pytest.raises(raised):
        draw("order", yogurt, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["order.svg"]


def test_deg_has_no_synergies() -> None:
    with pytest.raises(InputError, match="learn with lex"):
        draw("synergies", sp.learn(sp.Preferences.from_pairs([("tea", "milk")]), "deg"))


def test_no_model_no_synergies() -> None:
    preferences = sp.Preferences.from_pairs([("tea", "milk")])
    nothing = Learned(preferences, "lex", "bruteforce", 0.0, None, Simplest(LEX, (), False, 1))
    with pytest.raises(InputError, match="no model was found yet"):
        draw("synergies", nothing)


def test_too_many_alternatives() -> None:
    pytest.importorskip("matplotlib")
    from setpref.showing.order_diagram import draw_order

    with pytest.raises(TooLarge, match="limit 150"):
        draw_order(Order(Universe(tuple("abcdefgh")), tuple(range(200)), np.zeros((200, 200), dtype=bool), alone(200)))


def test_without_matplotlib(yogurt: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    from setpref.showing.order_diagram import draw_order

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match=r"setpref\[figures\]"):
        draw_order(yogurt.order())
