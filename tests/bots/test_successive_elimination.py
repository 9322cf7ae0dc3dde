"""Which of a few choices is best: as soon as it is clear, and no sooner."""

from __future__ import annotations

import random
from collections import Counter

from spina.bots.successive_elimination import FEWEST, best


class Worths:
    """Choices that are worth so much on average; all meet the same luck in a batch."""

    def __init__(self, *means: float, luck: float = 0.0, noise: float = 0.0) -> None:
        self.means, self.luck, self.noise = means, luck, noise
        self.batches: Counter[int] = Counter()

    def __call__(self, choice: int, batch: int) -> float:
        self.batches[choice] += 1
        luck = random.Random(batch).gauss(0.0, self.luck)
        return self.means[choice] + luck + random.Random(f"{choice} {batch}").gauss(0.0, self.noise)


def test_the_best_is_found_whatever_luck_all_of_them_have() -> None:
    assert best(Worths(0.2, 0.3, 0.25, luck=1.0), 3, 10) == 1


def test_what_is_clearly_behind_is_imagined_no_longer() -> None:
    worths = Worths(0.3, 0.1, 0.298, noise=0.02)
    assert best(worths, 3, 40) == 0
    assert worths.batches[1] <= FEWEST + 2
    assert worths.batches[0] >= 3 * worths.batches[1]


def test_choices_that_come_to_the_same_are_told_so_at_once() -> None:
    worths = Worths(0.3, 0.3, 0.3, luck=0.1)
    assert best(worths, 3, 40) == 0
    assert set(worths.batches.values()) == {FEWEST}


def test_the_usual_choice_stays_unless_another_is_worth_more_by_what_is_trusted() -> None:
    assert best(Worths(0.3, 0.304), 2, 5, bonus=0.005) == 0
    assert best(Worths(0.3, 0.306), 2, 5, bonus=0.005) == 1


def test_one_batch_is_enough_for_an_answer() -> None:
    assert best(Worths(0.3, 0.4), 2, 1) == 1


def test_it_ends_when_it_is_enough() -> None:
    worths = Worths(0.3, 0.31, noise=0.2)
    best(worths, 2, 1000, enough=lambda: worths.batches[1] == 7)
    assert worths.batches[0] == worths.batches[1] == 7
