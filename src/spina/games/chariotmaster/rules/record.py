"""What a race of Chariotmaster is made of: the record of a running race, and the record of its components.

Lengths are whole tenths of a millimetre ("units"), angles whole tenths of a degree, counted anticlockwise from the
x axis; a pose is x, y and heading of a base's centre (M1). Sides are seen in the direction of the heading: left is
+90°. A track is a centre line of straights and arcs with a width; a place on it is its way `s` along the centre line
from the beginning of the first segment and its offset to the left of it. Progress is counted from the starting line.
"""

from __future__ import annotations

from spina.kernel.record import record

RULES_VERSION = 2
"""Version 2: a slide meets every wall on its way (`field.ends_on_its_straight`), on tracks of one's own with
short segments and tight bends too (`field.segment_from`, `track.former_corner_offset`)."""

NOTHING = -1
CM = 100
"""Units in a centimetre."""
MM = 10
DEGREE = 10
"""Units of angle in a degree."""
FULL = 3600
HALF_TURN = FULL // 2
RIGHT_ANGLE = 900
FACES = 6
"""Faces of a die."""
PACKED = FACES + 1
"""Base to which the faces of several dice are packed into one number."""

STAMINA_EVERY = 20 * CM
"""E11: way to go for which a team has one stamina point."""
SECOND_ROW_STAMINA = 1
"""M14: extra stamina of a chariot in the second row."""
TURN = 15 * CM
TURNS = 4
"""E1: the turn limit is TURNS times the game turns that the race takes at TURN units a turn."""


def stamina_for(distance: int, percent: int) -> int:
    """E11, M10: stamina points at the start for a way in units, with the percentages of the equipment.

    Whole numbers round down, so that losses round up and gains down.
    """
    points = (distance + STAMINA_EVERY - 1) // STAMINA_EVERY
    return points + points * percent // 100


def limit_for(distance: int) -> int:
    """E1: the last game turn there can be in a race over a way in units."""
    return TURNS * ((distance + TURN - 1) // TURN)


LANE_GAP = CM // 2
"""M14: between the chariots of a row, and between them and the edges."""
ROW_GAP = CM
"""M14: from the rear edges of the first row to the front edges of the second."""

# --- capacities -----------------------------------------------------------------------------------------------------

CHARIOTS = 12
OBSTACLES = 12
SCENARIOS = 6
SEGMENTS = 48
DICE = 16
"""Most dice of one roll, both sides of a contest together."""
DEPTH = 160
"""Most effects that wait for each other."""
FRAME = 10

# --- pieces: everything that has a base ------------------------------------------------------------------------------
# Chariot c is piece c: the whole chariot, later perhaps its team alone. Its wreck and its driver on foot have others.

WRECK_OF = CHARIOTS
DRIVER_OF = 2 * CHARIOTS
OBSTACLE = 3 * CHARIOTS
PIECES = OBSTACLE + OBSTACLES
WALL = PIECES
"""Stands for the edges of the track wherever an object is named."""

ABSENT, CHARIOT, TEAM, DRAGGING, WRECK, DRIVER, BLOCK = range(7)
"""Kinds of pieces; absent pieces have no base. A team that drags its driver is a kind of its own (M2)."""
KIND_NAMES = ("absent", "chariot", "team", "team dragging its driver", "wreck", "driver on foot", "obstacle")

HORSES, BODY, MAN, WHOLE = range(4)
"""Parts: the front half of a chariot or a team, the rear half, a driver, and all of anything else."""
PARTS = 4
PART_NAMES = ("horses", "body", "driver", "object")

# --- tokens ---------------------------------------------------------------------------------------------------------

SLOW, MIDDLE, FAST = range(3)
TOKENS = 3
TOKEN_NAMES = ("0", "5", "10")

# --- points and the tables for those who have none left ---------------------------------------------------------------

STAMINA, STRUCTURE, HEALTH, SKILL = range(4)
POINT_NAMES = ("stamina", "structure", "health", "skill")

(
    OUT_STAMINA, OUT_STRUCTURE, OUT_HEALTH_ABOARD, OUT_HEALTH_DRAGGED, OUT_HEALTH_ON_FOOT,
    OUT_SKILL_ABOARD, OUT_SKILL_DRAGGED, OUT_SKILL_ON_FOOT,
) = range(8)  # fmt: skip
TABLES = 8
TABLE_NAMES = (
    "stamina", "structure", "health aboard", "health dragged", "health on foot",
    "skill aboard", "skill dragged", "skill on foot",
)  # fmt: skip
ROWS = 8
"""Rows of every table: results 1 to 8, the last for anything higher."""

# What a row does, as bits of a number.
PLUS_ONE = 1 << 0  # +1 to further rolls on the table
BACK_D3 = 1 << 1  # moves D3 cm directly backwards
BACK_D6 = 1 << 2
LEFT_D6 = 1 << 3  # side sweep of D6 cm
RIGHT_D6 = 1 << 4
EXHAUSTED = 1 << 5  # rolls at the start of turns with the highest token
WHEEL = 1 << 6  # rolls at the start of turns with the 10 token
GIVE_UP = 1 << 7  # gives up the highest speed token
HORSE_DIES = 1 << 8
HALVE = 1 << 9  # the modifier of the table is halved, rounded down
LOSE_STAMINA = 1 << 10
LOSE_SKILL = 1 << 11
REINS = 1 << 12  # lets the reins go
STUNNED = 1 << 13  # unconscious (or on the ground) until the end of his next chariot turn
CONFUSED = 1 << 14  # out of control until the end of the next chariot turn
FALLS = 1 << 15  # falls off, behind the chariot
CRASHES = 1 << 16
KNIFE = 1 << 17  # loses his knife
DIES = 1 << 18
EFFECT_NAMES = (
    "+1", "back D3", "back D6", "left D6", "right D6", "exhausted", "wheel", "gives up token", "horse dies", "halve",
    "loses stamina", "loses skill", "loses reins", "stunned", "out of control", "falls off", "crashes", "loses knife",
    "dies",
)  # fmt: skip

# --- where a driver is ----------------------------------------------------------------------------------------------

ABOARD, HAFT_REINS, HAFT_CUT, DRAGGED, ON_FOOT, OFF, DEAD = range(7)
PLACE_NAMES = (
    "aboard", "on the haft for the reins", "on the haft to cut", "dragged", "on foot", "off the track", "dead",
)  # fmt: skip

# --- equipment ------------------------------------------------------------------------------------------------------

REAL_HORSES, WOLVES, BOARS = range(3)
BEAST_NAMES = ("horses", "wolves", "boars")

# --- the record of the components -----------------------------------------------------------------------------------

EDITION = record(
    [
        ("key", "i8"),  # first eight bytes of the edition's hash
        # tokens, by number
        ("least", "i8", (TOKENS,)),  # minimum distance, units
        ("most", "i8", (TOKENS,)),  # maximum distance, units; the 10 token's is the chariot's own
        ("pivot", "i8", (TOKENS,)),  # greatest pivot, tenths of a degree
        ("test", "i8", (TOKENS,)),  # modifier of the sub-move test
        ("grab", "i8", (TOKENS,)),  # modifier of the grab test
        # collisions
        ("value_driver", "i8"),
        ("value_horse", "i8"),
        ("value_wreck", "i8"),
        ("value_body", "i8", (3,)),  # below the first limit, from it on, from the second on
        ("body_limit", "i8", (2,)),  # structure points
        ("value_wall", "i8"),
        ("ram_bonus", "i8"),
        ("hit_from", "i8"),  # least face that hits
        ("bounce_back", "i8"),  # units: initiator thrown back, target pushed, target thrown, initiator following
        ("bounce_push", "i8"),
        ("bounce_throw", "i8"),
        ("bounce_follow", "i8"),
        # out-of-points tables: bits of effects by table and result
        ("effects", "i8", (TABLES, ROWS)),
        # scenarios
        ("scenarios", "i8"),
        ("closed", "i8", (SCENARIOS,)),
        ("segments", "i8", (SCENARIOS,)),
        ("length", "i8", (SCENARIOS,)),  # of the centre line
        ("half_width", "i8", (SCENARIOS,)),
        ("line", "i8", (SCENARIOS,)),  # the starting line, from the beginning of the first segment
        ("lap", "i8", (SCENARIOS,)),  # from line to finish: one lap, or the open course
        ("inside", "i8", (SCENARIOS,)),  # +1: the innermost lane is on the left, -1: on the right
        ("half_long", "i8", (SCENARIOS,)),  # base of a chariot; everything else follows from its width
        ("half_wide", "i8", (SCENARIOS,)),
        ("seg_s", "i8", (SCENARIOS, SEGMENTS + 1)),  # where each segment begins; the last entry is the length
        ("seg_x", "i8", (SCENARIOS, SEGMENTS)),  # its first point
        ("seg_y", "i8", (SCENARIOS, SEGMENTS)),
        ("seg_heading", "i8", (SCENARIOS, SEGMENTS)),  # at its first point
        ("seg_radius", "i8", (SCENARIOS, SEGMENTS)),  # 0 straight, > 0 turning left, < 0 turning right
        ("seg_angle", "i8", (SCENARIOS, SEGMENTS)),  # turned over the whole arc, positive
        ("seg_cx", "i8", (SCENARIOS, SEGMENTS)),  # centre of an arc
        ("seg_cy", "i8", (SCENARIOS, SEGMENTS)),
        ("obstacles", "i8", (SCENARIOS,)),
        ("ob_x", "i8", (SCENARIOS, OBSTACLES)),
        ("ob_y", "i8", (SCENARIOS, OBSTACLES)),
        ("ob_heading", "i8", (SCENARIOS, OBSTACLES)),
        ("ob_half_long", "i8", (SCENARIOS, OBSTACLES)),
        ("ob_half_wide", "i8", (SCENARIOS, OBSTACLES)),
        ("ob_value", "i8", (SCENARIOS, OBSTACLES)),  # collision value
        ("ob_low", "i8", (SCENARIOS, OBSTACLES)),  # 1: at most half as high as horses, so that one may run over it
        ("ob_fixed", "i8", (SCENARIOS, OBSTACLES)),  # 1: never moves
    ]
)

# --- questions ------------------------------------------------------------------------------------------------------

(
    ASK_NOTHING, ASK_TOKENS, ASK_DRIVE, ASK_SUBMOVE, ASK_SWEEP, ASK_PIVOT, ASK_SKID, ASK_ATTACK, ASK_DEFEND,
    ASK_SIDE, ASK_MODIFY, ASK_CLIMB, ASK_CUT, ASK_WALK,
) = range(14)  # fmt: skip
ASK_NAMES = (
    "nothing", "speed tokens", "drive", "sub-move", "side sweep again", "pivot", "skid", "attack", "defence",
    "side of the evasion", "modify", "climb", "cut loose", "walk",
)  # fmt: skip

# --- actions: every one is a number, whatever the edition ------------------------------------------------------------

STRAIGHT, SWEEP_LEFT, SWEEP_RIGHT = range(3)
WAYS = 3
WAY_NAMES = ("ahead", "left", "right")
CENTRE, FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT = range(5)
POINTS = 5
POINT_OF_PIVOT = ("centre", "front left", "front right", "rear left", "rear right")
LONGEST = 512
"""Sub-moves are shorter than this many millimetres."""
WIDEST = 90
"""Sub-moves pivot at most this many degrees either way."""
FRONT = 2
"""Side of a boars' attack: 0 left, 1 right, 2 front."""
WALK_CODES = 64
"""A leg on foot is shorter than this many millimetres."""
HALF_CIRCLE = 180
"""Pivots and U-turns turn at most this many degrees either way."""

DO_TOKEN = 0  # one for each token
DO_STOP = DO_TOKEN + TOKENS
DO_BRAKE = DO_STOP + 1
DO_SPUR = DO_BRAKE + 1
DO_WHIP = DO_SPUR + 1
DO_ANNOUNCE = DO_WHIP + 1  # another sub-move: the test comes first
DO_COLLIDE = DO_ANNOUNCE + 1  # P2: out of stamina, straight into what is ahead
DO_GO = DO_COLLIDE + 1  # let the skid run
DO_FORGO = DO_GO + 1  # D7: leave the side sweep that was paid for
DO_NO_ATTACK = DO_FORGO + 1
DO_BEAR = DO_NO_ATTACK + 1  # no defence
DO_BACK = DO_BEAR + 1  # brake away from an attack
DO_EVADE = DO_BACK + 1
DO_SHY = DO_EVADE + 1  # Q10: evade without a test, out of fright
DO_SIDE = DO_SHY + 1  # left, right
DO_PASS = DO_SIDE + 2
DO_STAY = DO_PASS + 1  # do not climb
DO_CLIMB_REINS = DO_STAY + 1
DO_CLIMB_CUT = DO_CLIMB_REINS + 1
DO_HANG_ON = DO_CLIMB_CUT + 1
DO_CUT = DO_HANG_ON + 1
DO_MODIFY = DO_CUT + 1  # die * 2 + (1: upwards)
DO_RAM = DO_MODIFY + 2 * DICE  # piece * 4 + part
DO_WHIP_HORSES = DO_RAM + 4 * PIECES  # piece
DO_WHIP_DRIVER = DO_WHIP_HORSES + PIECES
DO_BITE = DO_WHIP_DRIVER + PIECES
DO_BOARS = DO_BITE + PIECES  # (piece * 4 + part) * 3 + side
DO_PIVOT = DO_BOARS + 12 * PIECES  # (degrees + 180) * 5 + point
DO_UTURN = DO_PIVOT + 361 * POINTS  # the same
DO_WALK = DO_UTURN + 361 * POINTS  # degrees * WALK_CODES + millimetres
DO_RUN = DO_WALK + 360 * WALK_CODES  # way * 512 + millimetres
DO_SUBMOVE = DO_RUN + 3 * LONGEST  # ((way * 512 + millimetres) * 181 + degrees + 90) * 5 + point
ACTIONS = DO_SUBMOVE + 3 * LONGEST * (2 * WIDEST + 1) * POINTS
"""How many different actions there are; `legal` lists a few hundred of them at most."""
LONGEST_MENU = 512

# --- options of a race ----------------------------------------------------------------------------------------------

OPT_SEATS, OPT_CHARIOTS, OPT_SCENARIO, OPT_LAPS, OPT_SECOND_ROW, OPT_MUST_LEAVE = range(6)
OPT_TEAM = 6  # by seat: the number of its team
OPT_DESIGN = OPT_TEAM + CHARIOTS  # by chariot: the numbers of its design
(
    DESIGN_STRUCTURE, DESIGN_PERCENT, DESIGN_SKILL, DESIGN_HEALTH, DESIGN_TOP, DESIGN_BEAST, DESIGN_BITE,
    DESIGN_LUCK, DESIGN_FRIGHT,
) = range(9)  # fmt: skip
DESIGN = 9
"""Numbers of a design: structure points, per cent added to stamina, skill, health, units of the 10 token, beast,
bite, modifies, 1 if frightening."""
OPTIONS = OPT_DESIGN + CHARIOTS * DESIGN

# --- the record of a running race -----------------------------------------------------------------------------------

RACE = record(
    [
        ("dice_to_come", "u8", (4,)),  # hidden from all: the random generator, and so the future
        ("seats", "i8"),
        ("chariots", "i8"),
        ("scenario", "i8"),
        ("laps", "i8"),
        ("must_leave", "i8"),  # 1: a driver on foot may not stay where others must avoid him (F5)
        ("turns", "i8"),  # game turns; 1 is the first
        ("limit", "i8"),  # the last game turn there can be (E1)
        ("starters", "i8"),
        ("finishers", "i8"),  # how many have crossed the line so far
        ("over", "i8"),
        ("choices", "i8"),
        # the question
        ("ask", "i8"),
        ("asked", "i8"),  # seats that owe an answer, as bits
        ("ask_chariot", "i8"),  # the chariot it is about
        ("ask_about", "i8"),  # the other side: attacker, or what a roll is for
        ("reply", "i8"),
        ("first_die", "i8"),  # dice that may be modified: from this one
        ("last_die", "i8"),  # up to but not including this one
        # registers of the effects
        ("die", "i8", (DICE,)),
        ("passed", "i8"),  # the last test
        ("stopped", "i8"),  # a run-through came to a violent stop
        ("chain", "i8"),  # collisions since the last voluntary action (M8)
        # the chariot turn
        ("active", "i8"),  # whose turn it is, NOTHING between turns
        ("moved", "i8"),  # distance so far
        ("delta", "i8"),  # sum of brakes, spurs and whips
        ("submoves", "i8"),  # begun so far
        ("last_direction", "i8"),  # of the last sub-move's translation
        ("spurred", "i8"),
        ("whipped", "i8"),
        ("attacks", "i8"),  # announced so far
        ("attacks_on", "i2", (CHARIOTS,)),
        ("may_attack", "i8"),  # 1: a sub-move has just been completed
        ("may_pivot", "i8"),  # 1: the run-through allows it
        ("announced", "i8"),  # 1: a test was passed for the sub-move to come. Only state hashes depend on it
        ("ended", "i8"),  # 1: the chariot turn is over but for its end
        # the chariots
        ("seat", "i2", (CHARIOTS,)),
        ("side", "i2", (CHARIOTS,)),  # the team that its seat belongs to
        ("points", "i2", (CHARIOTS, 4)),
        ("worn", "i2", (CHARIOTS, TABLES)),  # modifiers of the tables; health has one, kept under OUT_HEALTH_ABOARD
        ("horses", "i2", (CHARIOTS,)),  # alive
        ("dead", "i2", (CHARIOTS,)),  # dead horses still attached
        ("cap", "i2", (CHARIOTS,)),  # highest token still owned
        ("token", "i2", (CHARIOTS,)),  # in the mug, or drawn; NOTHING before it is chosen. Secret until drawn
        ("drawn", "i2", (CHARIOTS,)),  # 1: had its turn, or has it now
        ("locked", "i2", (CHARIOTS,)),  # token last drawn: what a runaway goes on with (T7)
        ("top", "i2", (CHARIOTS,)),  # units of its 10 token
        ("place", "i2", (CHARIOTS,)),  # where the driver is
        ("reins", "i2", (CHARIOTS,)),  # 1: held
        ("turned", "i2", (CHARIOTS,)),  # chariot turns begun
        ("confused", "i2", (CHARIOTS,)),  # out of control until the end of this turn of its own; 0: not
        ("stunned", "i2", (CHARIOTS,)),  # the same for an unconscious driver
        ("climbed", "i2", (CHARIOTS,)),  # the turn of its own in which he climbed on to the haft
        ("exhausted", "i2", (CHARIOTS,)),
        ("wheel", "i2", (CHARIOTS,)),
        ("whip", "i2", (CHARIOTS,)),
        ("knife", "i2", (CHARIOTS,)),
        ("luck", "i2", (CHARIOTS,)),  # modifies left
        ("body", "i2", (CHARIOTS,)),  # 1: it still has its chariot-body
        ("beast", "i2", (CHARIOTS,)),
        ("bite", "i2", (CHARIOTS,)),
        ("fright", "i2", (CHARIOTS,)),
        ("home", "i2", (CHARIOTS,)),  # crossed the line as the n-th; 0: not yet
        ("out", "i2", (CHARIOTS,)),  # 1: eliminated
        ("progress", "i8", (CHARIOTS,)),  # from the starting line, unwrapped; of an eliminated one: at that moment
        # the pieces
        ("kind", "i2", (PIECES,)),
        ("x", "i8", (PIECES,)),
        ("y", "i8", (PIECES,)),
        ("heading", "i8", (PIECES,)),
        ("half_long", "i2", (PIECES,)),
        ("half_wide", "i2", (PIECES,)),
        ("way", "i8", (PIECES,)),  # progress of its centre, unwrapped: where to look for it on the track
        # effects under way
        ("stack", "i2", (DEPTH + 1, FRAME)),  # see kernel/stack.py
        ("revision", "i2"),  # the version of the rules it goes by, less 1. Known to all
    ]
)
