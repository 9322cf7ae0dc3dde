"""The effect stack: what is under way in a race that can stop in the middle of anything.

A stack is a table of small integers inside the race's record. Row 0 holds how many effects there are; each further row
is one effect: what it is, the stage it has reached, and its arguments. The effect on top works until it needs something
done first; then it pushes that and waits. A question to a seat is no different: the race simply stops, and a copy, a
saved race or a search continues from there.
"""

from __future__ import annotations

import numpy as np

from spina.kernel.compiler import kernel

OP, STAGE, ARGUMENTS = 0, 1, 2


@kernel
def height(stack):
    """How many effects wait or work."""
    return np.int64(stack[0, 0])


@kernel
def write(stack, row, op, a, b, c, d, e, f, g, h):
    """Set one row."""
    stack[row, OP] = op
    stack[row, STAGE] = 0
    stack[row, ARGUMENTS] = a
    stack[row, ARGUMENTS + 1] = b
    stack[row, ARGUMENTS + 2] = c
    stack[row, ARGUMENTS + 3] = d
    stack[row, ARGUMENTS + 4] = e
    stack[row, ARGUMENTS + 5] = f
    stack[row, ARGUMENTS + 6] = g
    stack[row, ARGUMENTS + 7] = h


@kernel
def push(stack, op, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """Something that must be done first."""
    row = height(stack) + 1
    if row >= stack.shape[0]:
        raise RuntimeError("too many effects wait for each other")
    stack[0, 0] = row
    write(stack, row, op, a, b, c, d, e, f, g, h)


@kernel
def become(stack, op, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """The effect on top ends in another one."""
    write(stack, height(stack), op, a, b, c, d, e, f, g, h)


@kernel
def pop(stack):
    """The effect on top is done. Its row is cleared, so that races that stand alike are alike."""
    row = height(stack)
    write(stack, row, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    stack[0, 0] = row - 1


@kernel
def working(stack):
    """What the effect on top is."""
    return np.int64(stack[height(stack), OP])


@kernel
def stage(stack):
    """How far the effect on top has come."""
    return np.int64(stack[height(stack), STAGE])


@kernel
def go_to(stack, number):
    """The effect on top reaches another stage."""
    stack[height(stack), STAGE] = number


@kernel
def argument(stack, i):
    """One argument of the effect on top."""
    return np.int64(stack[height(stack), ARGUMENTS + i])


@kernel
def keep(stack, i, value):
    """Change one argument of the effect on top."""
    stack[height(stack), ARGUMENTS + i] = value
