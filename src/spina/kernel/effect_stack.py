"""The effect stack: the unfinished effects of a race, which can stop for a choice in the middle of any effect.

A stack is a table of small integers inside the race's record. Row 0 holds how many effects there are; each further row
is one effect: its kind, the stage it has reached, and its arguments. The effect on top runs until another effect must
be done first; then it pushes that one and waits. A question to a seat stops the race in the same way; a copy, a
saved race or a search continues from there.
"""

from __future__ import annotations

from spina.kernel.compiler import kernel
from spina.kernel.record import whole

OP, STAGE, ARGUMENTS = 0, 1, 2


@kernel
def height(stack):
    """Number of effects on the stack."""
    return whole(stack[0, 0])


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
    """Put an effect on top, to be done before the present one goes on."""
    row = height(stack) + 1
    if row >= stack.shape[0]:
        raise RuntimeError("too many effects wait for each other")
    stack[0, 0] = row
    write(stack, row, op, a, b, c, d, e, f, g, h)


@kernel
def become(stack, op, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """Replace the effect on top by another one."""
    write(stack, height(stack), op, a, b, c, d, e, f, g, h)


@kernel
def pop(stack):
    """Remove the effect on top, which is done. Its row is cleared, so that equal positions have equal records."""
    row = height(stack)
    write(stack, row, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    stack[0, 0] = row - 1


@kernel
def working(stack):
    """The kind of the effect on top."""
    return whole(stack[height(stack), OP])


@kernel
def stage(stack):
    """The stage of the effect on top."""
    return whole(stack[height(stack), STAGE])


@kernel
def go_to(stack, number):
    """Set the stage of the effect on top."""
    stack[height(stack), STAGE] = number


@kernel
def argument(stack, i):
    """One argument of the effect on top."""
    return whole(stack[height(stack), ARGUMENTS + i])


@kernel
def keep(stack, i, value):
    """Change one argument of the effect on top."""
    stack[height(stack), ARGUMENTS + i] = value
