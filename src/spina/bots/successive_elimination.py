"""Successive elimination: which of a few choices is best, by batches of simulations until it is clear."""

from __future__ import annotations

from collections.abc import Callable
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
    values: list[list[float]] = [[] for _ in range(choices)]
    racing = list(range(choices))
    batch = 0
    while batch == 0 or (batches >= len(racing) and not enough()):
        for choice in racing:
            values[choice].append(simulate(choice, batch) + (bonus if choice == 0 else 0.0))
        batch, batches = batch + 1, batches - len(racing)
        leader = max(racing, key=lambda choice: fmean(values[choice]))
        racing = [choice for choice in racing if choice == leader or not _is_behind(values[choice], values[leader])]
        if len(racing) == 1:
            break
    return max(racing, key=lambda choice: fmean(values[choice]))


def _is_behind(values: list[float], leading: list[float]) -> bool:
    """Whether a choice is clearly worse than the leading one, or always equal to it."""
    lead = [one - other for one, other in zip(leading, values, strict=True)]
    if len(lead) < FEWEST:
        return False
    mean = fmean(lead)
    deviation = sqrt(fsum((value - mean) ** 2 for value in lead) / (len(lead) - 1))  # `stdev` is exact, and slow
    return mean >= CLEAR * deviation / sqrt(len(lead))
