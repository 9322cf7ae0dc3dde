"""Event numbers that the kernels report, with the chariot each is about and its facts; `events.py` decodes them."""

from __future__ import annotations

DRAFTED = 1  # chariot: kind
PLACED = 2  # chariot: space
ROUND = 3  # NOTHING: number
ORDER = 4  # NOTHING: chariots in the order of the round, NOTHING at the end
TURN = 5  # chariot: space, speed, condition, fate
REPAIRED = 6  # chariot: condition gained, condition now, fate now
HELD_BACK = 7  # chariot, whose initial speed is above what its condition allows: speed now
ROLLED = 8  # chariot: dice; then the sides, packed (see `pack_dice`); why (ROLL_...)
TURNED = 9  # chariot: side before, side now, fate now
BLESSED = 10  # chariot: fortuna dice, fate now
SPED = 11  # chariot: +/- dice, of which plus, sprints, speed before, speed now, condition now
STEPPED = 12  # chariot: space, way, lap, points left
CORNERED = 13  # chariot: damage, safe speed, condition now
RAMMED = 14  # chariot: rammed chariot, condition of the rammer now, condition of the rammed now
SPIKED = 15  # chariot that takes a caltrop: space, condition now
PUT_BACK = 16  # chariot: space, lap
CRASHED = 17  # chariot: space of the stone heap
WRECKED = 18  # chariot: space, whether a marker was laid
LINE = 19  # chariot: laps completed
JAVELIN = 20  # chariot: target, condition of the target now
CALTROP = 21  # chariot: space
FINISHED = 22  # chariot: place of its seat, place of the chariot

ROLL_FIRST, ROLL_FREE, ROLL_BOUGHT = range(3)
"""Why dice are rolled."""
DIE_BITS = 3
"""Bits for each die in the packed sides of ROLLED."""
