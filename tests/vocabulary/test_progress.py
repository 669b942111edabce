"""Ctrl-C in long work: it raises at once; or, where the best known so far is wanted, all stages end with it."""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from setpref import Preferences, best_so_far, learn, minimal_groups, repair, tradeoff
from setpref.evaluation.synthetic import draw_sets, draw_user, flip_statements
from setpref.experiments.workers import warm_up
from setpref.progress import endings, interrupts_held, pressed


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


LONG: dict[str, Callable[[Preferences], object]] = {
    "learn despite errors": lambda prefs: learn(prefs, errors=40),
    "learn": lambda prefs: learn(noise()),
    "minimal groups": lambda prefs: minimal_groups(prefs, 2, time_limit=None),
    "repair": lambda prefs: repair(prefs, 1),
    "tradeoff": lambda prefs: tradeoff(prefs, "terms"),
}


def noise():
    """Ratings at random, whose simplest models take minutes."""
    sets = draw_sets(10, 40, rng=1)
    return Preferences.of_masks(draw_user(10, rng=1).universe, ratings={a: i * 7 % 41 for i, a in enumerate(sets)})


@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_a_press_raises_at_once(call):
    data = hard()
    timer = press(0.4)
    with pytest.raises(KeyboardInterrupt):
        call(data)
    timer.cancel()  # a press that comes late must not hit what is tried next
    timer.join()


@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_where_the_best_so_far_is_wanted_a_press_gives_it(call):
    data = hard()
    timer = press(0.4)
    with best_so_far():
        found = call(data)
    timer.cancel()  # a press that comes late must not hit what is tried next
    timer.join()
    assert not getattr(found, "complete", False)
    assert not getattr(found, "proven", False)


def test_a_press_is_remembered_and_still_interrupts():
    before = signal.getsignal(signal.SIGINT)
    with best_so_far():
        assert not pressed()
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        assert pressed()
        with best_so_far():  # of which a call within may know nothing
            assert pressed()
        assert pressed()
    assert not pressed()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_press_is_held_until_the_end_and_not_lost():
    done = []

    def work():
        with interrupts_held():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            done.append(True)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is before
    with best_so_far(), suppress(KeyboardInterrupt):
        with interrupts_held():
            os.kill(os.getpid(), signal.SIGINT)
        assert pressed()


def test_elsewhere_nothing_is_watched():
    found = []

    def watch():
        with best_so_far():
            found.append((pressed(), KeyboardInterrupt in endings()))

    with best_so_far():
        thread = threading.Thread(target=watch)
        thread.start()
        thread.join()
    assert found == [(False, False)]


def test_one_press_ends_all_points_of_a_tradeoff():
    data = hard()
    timer = press(0.4)
    with best_so_far():
        found = tradeoff(data, "terms")
    timer.cancel()  # a press that comes late must not hit what is tried next
    timer.join()
    assert not found.proven
    assert all(point.lower_bound <= point.cost for point in found.points)


def test_one_press_ends_learning_from_every_repair():
    data = hard()
    timer = press(0.4)
    with best_so_far():
        learned = learn(data, errors=40)
    timer.cancel()  # a press that comes late must not hit what is tried next
    timer.join()
    assert not learned.proven
    assert learned.meaning.startswith("not proven")
