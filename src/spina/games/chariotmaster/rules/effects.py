"""The effects of Chariotmaster by number, with their arguments, on the stack of `spina.kernel.effect_stack`."""

from __future__ import annotations

GAME_TURN = 1
CHARIOT_TURN = 2  # chariot, 1 if the driver walks in this turn
END_OF_TURN = 3  # chariot, 1 if the driver walked in this turn
DRIVE = 4  # chariot
ADJUST = 5  # chariot, how (telling.ADJUSTMENTS)
TEST = 6  # chariot, modifier, which (telling.TESTS)
SUBMOVE = 7  # chariot, way, millimetres, degrees, point, form (ORDINARY, RUNNING or COLLIDING)
SKID = 8  # chariot
MOVE = 9  # piece, direction, units, flags, how (telling.MOVES), low pieces passed: wrecks, obstacles; kind of the piece
COLLIDE = 10  # initiator and target (object * 4 + part), direction, normal, flags; then value, contact ahead, left
BOUNCE = 11  # initiator, target, direction, normal, flags, value, contact ahead, left
THROUGH = 12  # the same
ROLL = 13  # owner, dice, what for (telling.ROLLS), other owner, other dice; then whose window, passes
LOSE = 14  # chariot, kind of points, how many, direction away from the cause
OUT_OF = 15  # chariot, kind of points, direction away from the cause; then the effects left to do
HORSE_GONE = 16  # chariot
CRASH = 17  # chariot, direction away from the cause
HURL = 18  # chariot, direction
PLACE = 19  # chariot, direction outward; the spot is in the driver's x and y
ATTACK = 20  # chariot, object, part, which (telling.ATTACKS), side; then how it is defended
RUNAWAY = 21  # chariot, units left, offset to go to, its token's reach, low pieces passed (as MOVE), 1 if it has a body
WALK = 22  # chariot, units left
FALL = 23  # chariot, where (0 behind, 1 left, 2 right), 1 if it hurts

ORDINARY, RUNNING, COLLIDING = range(3)
"""Forms of a sub-move."""

COUNTS = 1
"""Flags of a move: it counts as distance; it just stops at what it meets; it may run over low objects."""
GENTLE = 2
RUNS = 4

RAM = 1
"""Flags of a collision: a ram; a run-through; the initiator was placed there and is not thrown about."""
RUN = 2
STILL = 4

MOST_COLLISIONS = 32
"""In a chain, before movers just stop (M8)."""
