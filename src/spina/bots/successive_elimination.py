"""Which of a few choices is best, told from imagined races until it is clear."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev

FEWEST = 3
"""Batches before a choice may be dropped."""
CLEAR = 2.0
"""How many standard errors a choice must be behind to be dropped."""


def best(
    imagine: Callable[[int, int], float],
    choices: int,
    batches: int,
    trust: float = 0.0,
    enough: Callable[[], bool] = lambda: False,
) -> int:
    """The best of so many choices, as far as so many batches of imagined races can tell, or until it is `enough`.

    `imagine` gives what a choice was worth on average in one batch; every choice meets the same luck in it, so that
    only differences within a batch count. Those that are clearly behind are dropped on the way. The first choice stays
    unless another one is worth more by `trust`.
    """
    worths: list[list[float]] = [[] for _ in range(choices)]
    racing = list(range(choices))
    batch = 0
    while batch == 0 or (batches >= len(racing) and not enough()):
        for choice in racing:
            worths[choice].append(imagine(choice, batch) + (trust if choice == 0 else 0.0))
        batch, batches = batch + 1, batches - len(racing)
        leader = max(racing, key=lambda choice: fmean(worths[choice]))
        racing = [choice for choice in racing if choice == leader or not _is_behind(worths[choice], worths[leader])]
        if len(racing) == 1:
            break
    return max(racing, key=lambda choice: fmean(worths[choice]))


def _is_behind(worths: list[float], leading: list[float]) -> bool:
    """Whether a choice is clearly worse than the leading one, or always the same."""
    lead = [one - other for one, other in zip(leading, worths, strict=True)]
    if len(lead) < FEWEST:
        return False
    return fmean(lead) >= CLEAR * stdev(lead) / sqrt(len(lead))
