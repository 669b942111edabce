"""Ctrl-C in work of several stages: the stage that runs ends, the others are told."""

import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from setpref import Preferences, learn, tradeoff
from setpref.evaluation.synthetic import draw_sets, draw_user, flip_statements
from setpref.experiments.workers import warm_up
from setpref.progress import interrupts_watched


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """A press while the compiler is loaded is lost in it, and that is not what is tried here."""
    warm_up()


def press(after: float) -> threading.Timer:
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def hard():
    """Statements of which the cheapest repairs at a low degree take long."""
    user = draw_user(12, terms=30, rng=3)
    sets = draw_sets(12, 60, rng=3)
    pairs = [(a, b) if user.ratings[a] > user.ratings[b] else (b, a) for a, b in zip(sets, sets[7:], strict=False)]
    pairs += [(a, b) if user.ratings[a] > user.ratings[b] else (b, a) for a, b in zip(sets, sets[3:], strict=False)]
    write = user.universe.write
    said = [(write(a), write(b)) for a, b in flip_statements(pairs, 0.3, rng=3)]
    return Preferences.from_pairs(said, universe=user.universe, contradictions="keep")


def test_a_press_is_remembered_and_still_interrupts():
    before = signal.getsignal(signal.SIGINT)
    with interrupts_watched() as pressed:
        assert not pressed()
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        assert pressed()
    assert signal.getsignal(signal.SIGINT) is before


def test_elsewhere_nothing_is_watched():
    found = []

    def watch():
        with interrupts_watched() as pressed:
            found.append(pressed())

    thread = threading.Thread(target=watch)
    thread.start()
    thread.join()
    assert found == [False]


def test_one_press_ends_all_points_of_a_tradeoff():
    timer = press(0.4)
    found = tradeoff(hard(), "terms")
    timer.join()
    assert not found.proven
    assert all(point.lower_bound <= point.cost for point in found.points)


def test_one_press_ends_learning_from_every_repair():
    timer = press(0.4)
    learned = learn(hard(), errors=40)
    timer.join()
    assert not learned.proven
    assert learned.meaning.startswith("not proven")
