"""Narration: how kernels report what happened.

A story is a table of integers. Row 0 holds how many events there were; each further row is one event: its kind,
the seat it is about, and up to six facts. A kernel that is given `silence()` records nothing and loses no time.
A story that is too short still counts the events, so that the caller can run the kernel again with a longer one.
"""

from __future__ import annotations

import numpy as np

from spina.kernel.compiler import instruction, kernel

WIDTH = 8


def new_story(rows):
    """An empty story with room for this many events."""
    return np.zeros((rows + 1, WIDTH), np.int32)


@instruction
def silence():
    """A story that records nothing."""
    return np.zeros((0, WIDTH), np.int32)


@kernel
def listens(story):
    """Whether the story records events; check it before computing facts that only an event needs."""
    return story.shape[0] > 0


@kernel
def tell(story, kind, seat, a=0, b=0, c=0, d=0, e=0, f=0):
    """Add one event, if the story records events."""
    if not listens(story):
        return
    row = story[0, 0] + 1
    story[0, 0] = row
    if row < story.shape[0]:
        story[row, 0] = kind
        story[row, 1] = seat
        story[row, 2] = a
        story[row, 3] = b
        story[row, 4] = c
        story[row, 5] = d
        story[row, 6] = e
        story[row, 7] = f
