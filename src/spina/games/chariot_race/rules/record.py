"""The records of Chariot Race: a running race, and the components it is raced with.

A course has lanes of spaces. All spaces have consecutive numbers: lane 0 (the inside) first, and in each lane from the
first space beyond the line. The *front* of a space is its border to the next one, measured along the course from the
line in whole units: 1 to `length`, so that the space that ends at the line lies before it (R14).
"""

from __future__ import annotations

from spina.kernel.record import record

# --- capacities -----------------------------------------------------------------------------------------------------

SEATS = 6
CHARIOTS = 6
"""Most chariots in a race; with two or three seats each has two."""
LANES = 6
SPACES = 160
"""Most spaces of all lanes together."""
DICE = 5
FACES = 6
"""Faces of a die."""
HALVES = 2
"""Half boards of a course."""
GRID = 6
"""Starting spaces."""
MOST_SPEED = 15
"""Longest speed track, for individual chariots."""
MOST_CONDITION = 15
"""Longest condition track."""
NOTHING = -1
"""No chariot, space, kind or die."""

# --- figures of the rules that no edition changes -------------------------------------------------------------------

PAIR = 2
"""R13, R27: chariots of a seat with two chariots."""
BEFORE_LINE = -1
"""R14: the lap of a chariot on the grid; each crossing of the line adds one."""
PLAIN_KIND = 0
"""The kind of a plain chariot; 1 to 6 are the individual ones (R24)."""

# --- sides of the dice ----------------------------------------------------------------------------------------------

CHANGE, SPRINT, STEER, ATTACK, FORTUNA = range(5)
SIDES = 5
SIDE_NAMES = ("+/-", "sprint", "steer", "attack", "fortuna")

# --- directions of a step -------------------------------------------------------------------------------------------

AHEAD, INWARD, OUTWARD = range(3)
WAYS = 3
WAY_NAMES = ("ahead", "inward", "outward")

# --- the record of the components -----------------------------------------------------------------------------------

EDITION = record(
    [
        ("key", "i8"),  # first eight bytes of the edition's hash
        ("plain_key", "i8"),  # the same without the individual chariots
        # race
        ("laps", "i8"),
        ("caltrops", "i8"),  # markers in the supply
        ("repair_cost", "i8"),  # fate for a repair, and the condition it mends at most
        ("repair_points", "i8"),
        ("fortune_cost", "i8"),  # fate for a bought re-roll or a turned die
        ("ram_damage", "i8"),
        ("caltrop_damage", "i8"),
        ("javelin_damage", "i8"),
        ("javelin_range", "i8"),
        ("sprint_speed", "i8"),  # speed that a sprint adds, and the damage it costs
        ("sprint_damage", "i8"),
        ("dice", "i8"),  # dice in the box
        ("die", "i8", (FACES,)),  # the side on each face
        # course; the two half boards A and B differ by their heaps only
        ("length", "i8"),  # units of one lap
        ("lanes", "i8"),
        ("first", "i2", (LANES,)),  # number of the first space of each lane
        ("count", "i2", (LANES,)),  # spaces in each lane
        ("spaces", "i8"),  # spaces in all
        ("lane", "i2", (SPACES,)),  # lane of each space
        ("front", "i4", (SPACES,)),  # front border
        ("half", "i2", (SPACES,)),  # 0 or 1: the half board it lies on
        ("number", "i2", (SPACES,)),  # greatest safe speed, 0 where there is none
        ("heap", "i2", (SPACES,)),  # 1: a stone heap when its half board shows side B
        ("next", "i2", (SPACES, WAYS)),  # space entered straight ahead, inward, outward; NOTHING beyond the edge
        ("near", "i1", (SPACES, SPACES)),  # steps between two spaces over touching borders, up to javelin_range; else 0
        ("grid", "i2", (GRID,)),  # starting spaces: front row from outside to inside, then the rear row
        # chariots: kind 0 is the plain one, 1 to 6 the individual ones
        ("most_speed", "i2", (CHARIOTS + 1,)),
        ("most_condition", "i2", (CHARIOTS + 1,)),
        ("most_fate", "i2", (CHARIOTS + 1,)),
        ("first_speed", "i2", (CHARIOTS + 1,)),
        ("first_condition", "i2", (CHARIOTS + 1,)),
        ("first_fate", "i2", (CHARIOTS + 1,)),
        ("dice_at", "i2", (CHARIOTS + 1, MOST_SPEED + 1)),  # dice rolled at each speed
        ("speed_limit", "i2", (CHARIOTS + 1, MOST_CONDITION + 1)),  # greatest initial speed at each condition
    ]
)

# --- what is asked, in the order of a turn (R3) ---------------------------------------------------------------------

AT_DRAFT, AT_PLACE, AT_REPAIR, AT_REROLL, AT_FORTUNE, AT_SIGNS, AT_PATH, AT_ATTACK, AT_TURN_END, AT_END = range(10)
STAGE_NAMES = (
    "draft", "starting space", "repair", "free re-roll", "fortune", "signs", "path", "attack", "turn over", "race over",
)  # fmt: skip

# Action numbers. They are the same in every edition.

DO_DRAFT = 0  # one for each individual chariot
DO_PLACE = DO_DRAFT + CHARIOTS  # one for each starting space
DO_REPAIR = DO_PLACE + GRID
DO_NO_REPAIR = DO_REPAIR + 1
DO_REROLL = DO_NO_REPAIR + 1  # one for each set of dice, as bits; the empty set keeps them all
DO_TURN = DO_REROLL + (1 << DICE)  # die * FORTUNA + side: turned to any side but Fortuna, the last one
DO_SIGNS = DO_TURN + DICE * FORTUNA  # how many of the +/- dice count as plus
DO_STEP = DO_SIGNS + DICE + 1  # one for each direction
DO_NO_ATTACK = DO_STEP + WAYS
DO_JAVELIN = DO_NO_ATTACK + 1  # one for each colour of a chariot
DO_CALTROP = DO_JAVELIN + CHARIOTS  # one for each space
ACTIONS = DO_CALTROP + SPACES
"""Size of the action space: 242, the same in every edition, as learned policies need it."""

# --- options of a race ----------------------------------------------------------------------------------------------

OPT_SEATS, OPT_PAIRS, OPT_SAFE_FINISH, OPT_SIDE_1, OPT_SIDE_2, OPT_INDIVIDUAL = range(6)
OPTIONS = 6

# --- the rules that a race is run by --------------------------------------------------------------------------------

FIRST_REVISION = 0
"""`revision` of races by the first rules: no caltrop may be dropped where a chariot stands (R9), and individual
chariots have the colours of their numbers (R23)."""
REVISION = 1
"""`revision` of races by the current rules: the game's rules version less one."""

# --- the record of a running race -----------------------------------------------------------------------------------
# All fields are public but the random generator.

RACE = record(
    [
        ("dice_to_come", "u8", (4,)),  # hidden from all: the random generator, and so the future
        ("seats", "i8"),
        ("chariots", "i8"),
        ("safe_finish", "i8"),  # 1: no damage to a chariot that has finished and completed its turn (R20)
        ("side", "i8", (HALVES,)),  # 1: the half board shows side B, with its heaps
        ("individual", "i8"),  # 1: the six individual chariots, drafted
        ("rounds", "i8"),  # number of the round, from 1; 0 while chariots and starting spaces are chosen
        ("over", "i8"),
        ("choices", "i8"),  # choices made so far
        # whose turn it is
        ("order", "i2", (CHARIOTS,)),  # chariots in the order of this round (or of the draft), NOTHING at the end
        # In former padding of the record, so that races by the first rules keep their bytes and hashes.
        ("revision", "i2"),  # the rules that the race is run by: see REVISION
        ("at", "i8"),  # index in `order` of the current turn
        ("chariot", "i8"),  # the chariot whose turn it is
        ("stage", "i8"),
        # the turn
        ("die", "i2", (DICE,)),  # sides that the dice show, sorted; NOTHING beyond the rolled ones
        ("rolled", "i8"),  # dice rolled this turn
        ("steers", "i8"),  # lane changes left
        ("points", "i8"),  # steps left
        ("attacks", "i8"),  # attack dice left
        ("began", "i8"),  # space the turn began on
        ("entered", "i1", (SPACES,)),  # 1: entered in this turn
        # the chariots
        ("seat", "i2", (CHARIOTS,)),  # who drives it
        ("kind", "i2", (CHARIOTS,)),  # 0 plain, 1 to 6 individual, NOTHING not drafted yet
        ("space", "i2", (CHARIOTS,)),  # where it stands, NOTHING when not placed yet; a wreck: where it was destroyed
        ("lap", "i2", (CHARIOTS,)),  # -1 on the grid; crossing the line adds one
        ("condition", "i2", (CHARIOTS,)),  # 0: wrecked
        ("speed", "i2", (CHARIOTS,)),
        ("fate", "i2", (CHARIOTS,)),
        ("wrecked", "i2", (CHARIOTS,)),  # 1: out of the race
        ("home", "i2", (CHARIOTS,)),  # 1: has finished and completed that turn
        # the course
        ("caltrop", "i1", (SPACES,)),  # 1: a marker lies there
        ("supply", "i8"),  # markers left
    ]
)
