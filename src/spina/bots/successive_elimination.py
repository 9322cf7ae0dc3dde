"""Successive elimination: which of a few choices is best, by batches of simulations until it is clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from statistics import fmean

FEWEST = 3
"""Batches before a choice may be eliminated."""
CLEAR = 2.0
"""How many standard errors a choice must be behind to be eliminated."""


def best(
    simulate: Callable[[int, int], float],
    choices: int,
    batches: int,
    bonus: float = 0.0,
    enough: Callable[[], bool] = lambda: False,
) -> int:
    """The number of the best choice, after at most `batches` batches of simulations, or when `enough` returns True.

    `simulate(choice, batch)` returns the mean value of a choice in one batch. In a batch every choice meets the same
    random numbers, so that differences within a batch are compared. Choices that are clearly behind are eliminated on
    the way. The first choice has a bonus: it is best unless another one is better by more than that.
    """

    def values(racing: Sequence[int], batch: int) -> list[float]:
        return [simulate(choice, batch) + (bonus if choice == 0 else 0.0) for choice in racing]

    return best_of(values, [0.0] * choices, 0.0, batches, enough)


def best_of(
    simulate: Callable[[Sequence[int], int], Sequence[float]],
    opinion: Sequence[float],
    weight: float,
    batches: float,
    enough: Callable[[], bool] = lambda: False,
) -> int:
    """The number of the best choice, as `best` finds it, where there is an opinion of each choice before.

    `simulate(choices, batch)` returns the mean value of each of these choices in one batch. Opinions are values
    relative to any common number; each counts as `weight` batches.
    """
    values: list[list[float]] = [[] for _ in opinion]
    racing = list(range(len(opinion)))
    batch = 0

    def standing(choice: int) -> float:
        return (fsum(values[choice]) + weight * opinion[choice]) / (len(values[choice]) + weight)

    while batch == 0 or (batches >= len(racing) and not enough()):
        for choice, value in zip(racing, simulate(racing, batch), strict=True):
            values[choice].append(value)
        batch, batches = batch + 1, batches - len(racing)
        leader = max(racing, key=standing)
        racing = [choice for choice in racing if choice == leader or not _is_behind(values[choice], values[leader])]
        if len(racing) == 1:
            break
    return max(racing, key=standing)


def _is_behind(values: list[float], leading: list[float]) -> bool:
    """Whether a choice is clearly worse than the leading one, or always equal to it."""
    lead = [one - other for one, other in zip(leading, values, strict=True)]
    if len(lead) < FEWEST:
        return False
    mean = fmean(lead)
    deviation = sqrt(fsum((value - mean) ** 2 for value in lead) / (len(lead) - 1))  # `stdev` is exact, and slow
    return mean >= CLEAR * deviation / sqrt(len(lead))
