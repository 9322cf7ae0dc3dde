"""The effects of Chariotmaster: their numbers on the stack of `kernel/effect_stack.py`, and their arguments.

Each effect has a class that names its arguments in the order of their slots, and, for the arguments that it changes
while it works, the number of the slot. `..._on_top` in the module that carries an effect out reads them.
"""

from __future__ import annotations

from typing import NamedTuple

GAME_TURN = 1  # no arguments
CHARIOT_TURN = 2  # ChariotTurn
END_OF_TURN = 3  # ChariotTurn
DRIVE = 4  # chariot
ADJUST = 5  # Adjustment
TEST = 6  # Test
SUBMOVE = 7  # Submove
SKID = 8  # chariot
MOVE = 9  # Move
COLLIDE = 10  # Collision
BOUNCE = 11  # Collision
THROUGH = 12  # Collision
ROLL = 13  # Roll
LOSE = 14  # Loss
OUT_OF = 15  # OutOfPoints
HORSE_GONE = 16  # chariot
CRASH = 17  # Crash
HURL = 18  # Hurl
PLACE = 19  # Placing; the spot is in the driver's x and y
ATTACK = 20  # Attack
RUNAWAY = 21  # Runaway
WALK = 22  # Walk
FALL = 23  # Fall

CHARIOT_ARGUMENT = 0
"""Slot of the chariot that an effect is about, for the effects that have no other argument."""


class ChariotTurn(NamedTuple):
    """A chariot turn, or its end."""

    chariot: int
    on_foot: int
    """1 if the driver began this turn on foot."""


TURN_ON_FOOT = ChariotTurn._fields.index("on_foot")


class Adjustment(NamedTuple):
    """A brake, spur or whip."""

    chariot: int
    how: int
    """See event_kinds.ADJUSTMENTS."""


class Test(NamedTuple):
    """A test against skill."""

    chariot: int
    modifier: int
    which: int
    """See event_kinds.TESTS."""


ORDINARY, RUNNING, COLLIDING = range(3)
"""Forms of a sub-move."""


class Submove(NamedTuple):
    """One sub-move."""

    chariot: int
    way: int
    """STRAIGHT, SWEEP_LEFT or SWEEP_RIGHT."""
    mm: int
    degrees: int
    """Of its pivot."""
    point: int
    """Of its pivot."""
    form: int
    """ORDINARY, RUNNING or COLLIDING."""


SUBMOVE_MM = Submove._fields.index("mm")
SUBMOVE_DEGREES = Submove._fields.index("degrees")
SUBMOVE_POINT = Submove._fields.index("point")
SUBMOVE_FORM = Submove._fields.index("form")


COUNTS = 1
"""Flag of a move: it counts as distance travelled."""
GENTLE = 2
"""Flag of a move: it stops at the first contact without a collision (M7)."""
RUNS = 4
"""Flag of a move: it may run over low objects."""


class Move(NamedTuple):
    """A swept move of a piece."""

    piece: int
    direction: int
    units: int
    flags: int
    """COUNTS, GENTLE, RUNS."""
    how: int
    """See event_kinds.MOVES."""
    wrecks: int
    """Wrecks that it has run over, as bits."""
    obstacles: int
    """Low obstacles that it has run over, as bits."""
    kind: int
    """Kind of the piece when the move began."""


MOVE_UNITS = Move._fields.index("units")
MOVE_WRECKS = Move._fields.index("wrecks")
MOVE_OBSTACLES = Move._fields.index("obstacles")
MOVE_KIND = Move._fields.index("kind")


RAM = 1
"""Flag of a collision: a ram."""
RUN = 2
"""Flag of a collision: a run-through."""
STILL = 4
"""Flag of a collision: the initiator was placed there, and nothing bounces (X6)."""
KIND_SHIFT = 3
"""Above the flags of a collision stands the kind of the initiator at the hit."""


class Collision(NamedTuple):
    """A collision, and the bounce or run-through that it becomes. Object and part share a slot (`chariots.coded`)."""

    initiator: int
    own_part: int
    target: int
    part: int
    direction: int
    """Of the initiator's move."""
    normal: int
    """Direction from the initiator to the target at right angles to the contact."""
    flags: int
    """RAM, RUN, STILL and the kind of the initiator."""
    value: int
    """Bounce value; while the losses are dealt out, together with the blows (see collisions.BLOWS)."""
    ahead: int
    """Point of contact in the initiator's frame."""
    left: int


COLLISION_INITIATOR, COLLISION_TARGET, COLLISION_DIRECTION, COLLISION_NORMAL = range(4)
COLLISION_FLAGS, COLLISION_VALUE, COLLISION_AHEAD, COLLISION_LEFT = range(4, 8)

MOST_COLLISIONS = 32
"""M8, C9: collisions of a chain; from the next one on movers just stop."""


class Roll(NamedTuple):
    """Dice of one side or of both."""

    owner: int
    """Chariot, or NOTHING."""
    dice: int
    what: int
    """See event_kinds.ROLLS."""
    other: int
    others: int
    """Dice of the other side."""
    whose: int
    """Whose turn it is to use luck: 0 the owner, 1 the other."""
    passes: int
    """Passes in a row."""


ROLL_WHOSE = Roll._fields.index("whose")
ROLL_PASSES = Roll._fields.index("passes")


class Loss(NamedTuple):
    """Points to lose."""

    chariot: int
    kind: int
    """STAMINA, STRUCTURE, HEALTH or SKILL."""
    points: int
    away: int
    """Direction away from the cause, or NOTHING."""


LOSS_POINTS = Loss._fields.index("points")


class OutOfPoints(NamedTuple):
    """A roll on an out-of-points table."""

    chariot: int
    kind: int
    away: int


class Crash(NamedTuple):
    """A crash."""

    chariot: int
    away: int
    """Direction away from the cause, in which the driver is hurled."""


CRASH_AWAY = Crash._fields.index("away")


class Hurl(NamedTuple):
    """A driver hurled off."""

    chariot: int
    direction: int


class Placing(NamedTuple):
    """A driver put down."""

    chariot: int
    outward: int
    """Direction in which a free spot is looked for first."""


BEHIND, LEFT_OF_HORSES, RIGHT_OF_HORSES = range(3)
"""Where a driver falls."""


class Fall(NamedTuple):
    """A driver who falls off."""

    chariot: int
    where: int
    hurts: int
    """1 if he loses a point of health."""


class Attack(NamedTuple):
    """An attack and its defence."""

    attacker: int
    target: int
    """Object."""
    part: int
    kind: int
    """See event_kinds.ATTACKS."""
    side: int
    """Of the boars: 0 left, 1 right, FRONT."""
    defence: int
    """See event_kinds.DEFENCES."""
    escape: int
    """Side of the evasion: 0 left, 1 right."""
    face: int
    """Of the die for a whip at horses."""


ATTACK_DEFENCE = Attack._fields.index("defence")
ATTACK_ESCAPE = Attack._fields.index("escape")
ATTACK_FACE = Attack._fields.index("face")


class Runaway(NamedTuple):
    """A team that nobody steers."""

    chariot: int
    left: int
    """Units that it still has to run."""
    to: int
    """Offset that it sweeps to."""
    reach: int
    """Units of its token, by which a lost token shortens the way."""
    wrecks: int
    """As in Move."""
    obstacles: int
    body: int
    """1 if it had its chariot-body when it ran into something low."""


RUNAWAY_LEFT = Runaway._fields.index("left")
RUNAWAY_TO = Runaway._fields.index("to")
RUNAWAY_REACH = Runaway._fields.index("reach")
RUNAWAY_WRECKS = Runaway._fields.index("wrecks")
RUNAWAY_OBSTACLES = Runaway._fields.index("obstacles")
RUNAWAY_BODY = Runaway._fields.index("body")


class Walk(NamedTuple):
    """A driver on foot."""

    chariot: int
    left: int
    """Units that he may still walk."""


WALK_LEFT = Walk._fields.index("left")
