"""What the rules of Chariotmaster tell: numbers of the events, each with its facts in order.

A row's seat is the chariot that the event is about, or NOTHING. "Object" is a piece or WALL. Lengths are units,
angles tenths of a degree. Dice are packed faces, to the base `record.PACKED`, the first die lowest.
"""

from __future__ import annotations

GAME_TURN = 2  # number
CHOSE = 3  # token; for its own seat only
DRAWN = 4  # token in use, 1 if a discarded one was replaced, 1 if out of control
ROLLED = 5  # what for (see ROLLS), packed dice, how many
ROLLED_BOTH = 6  # what for, packed own dice, how many, other side (chariot or NOTHING), its packed dice, how many
MODIFIED = 7  # die (from 0), new face
KEPT = 8  # nothing: refrains from using luck
PAID = 9  # points of stamina, what for (see PAYMENTS)
LOST = 10  # kind of points, how many are left
OUT_OF = 11  # table, face, result with modifier, modifier of the table from now on
CHANGED = 12  # how (see ADJUSTMENTS), units (signed), minimum, maximum
TESTED = 13  # which (see TESTS), face, modifier, skill, 1 if passed
MOVED = 14  # piece, how (see MOVES), units, x, y, heading
PIVOTED = 15  # piece, tenths of a degree (signed), x, y, heading
TURNED_ROUND = 16  # point, degrees (signed), x, y, heading
SKIDS = 17  # direction
COLLIDED = 18  # initiator object, its part, target object, its part, 1 ram / 2 run-through / 0, number in the chain
HITS = 19  # by the initiator, by the target, impact of the initiator, impact of the target
BOUNCED = 20  # value, initiator object, target object
RAN_THROUGH = 21  # value, target object
ATTACKED = 22  # which (see ATTACKS), target object, its part, side
DEFENDED = 23  # how (see DEFENCES), attacker
VOID = 24  # attacked chariot or object: the contact is broken
DUELLED = 25  # defender, own sum, the other's sum
BITTEN = 26  # defender, own hits, the other's hits
LOST_CONTROL = 27  # nothing
LOST_REINS = 28
STUNNED_NOW = 29
HORSE_DIED = 30  # horses left alive
LOST_TOKEN = 31  # highest token still owned
IS_EXHAUSTED = 32
WHEEL_LOOSE = 33
LOST_WHIP = 34
LOST_KNIFE = 35
CRASHED = 36
ENTANGLED = 37  # the driver is dragged behind the horses
HURLED = 38  # direction
PLACED = 39  # the driver stands at x, y
FELL = 40  # 0 behind, 1 left, 2 right
DRIVER_DIED = 41
CLIMBED = 42  # 0 for the reins, 1 to cut a horse free
GRABBED = 43  # reins held again
CUT_FREE = 44  # the dead horse is gone
CUT_LOOSE = 45  # the dragged driver is free
CLINGS = 46  # the grab failed
LEFT_TRACK = 47  # the driver on foot is off
RAN_OFF = 48  # a team without a driver has left the open course
DESTROYED = 49  # object: a wreck is gone
TEAM_GONE = 50  # the last horse of a team without a body is dead
ALIGNED = 51  # piece, tenths of a degree, x, y, heading
CROSSED = 52  # place in the order of crossing
STRUCK_OUT = 53  # dead when the game turn ended: the crossing does not count
ELIMINATED = 54
STANDS = 55  # out of control and boxed in: stands for this turn
TURN_ENDS = 56  # units moved
CONTROL_BACK = 57
AWAKE = 58
REMOVED = 59  # a finished chariot leaves the track
FINISHED = 60  # place of the chariot in the end

ROLLS = (
    "sub-move test", "brake", "spur", "whip", "defence", "brake away", "evade", "grab", "side of the fall", "cut loose",
    "dragged", "exhausted", "wheel", "out of points", "backwards", "sideways", "entangled", "hurled", "collision",
    "whip at horses", "whip duel", "whip wound", "bite",
)  # fmt: skip
(
    R_SUBMOVE, R_BRAKE, R_SPUR, R_WHIP, R_DEFENCE, R_BACK, R_EVADE, R_GRAB, R_FALL, R_CUT, R_DRAGGED, R_EXHAUSTED,
    R_WHEEL, R_OUT_OF, R_BACKWARDS, R_SIDEWAYS, R_ENTANGLED, R_HURLED, R_COLLISION, R_WHIP_HORSES, R_DUEL, R_WOUND,
    R_BITE,
) = range(len(ROLLS))  # fmt: skip

PAYMENTS = ("brake", "spur", "whip", "side sweep", "attack", "defence", "centring", "detour")
P_BRAKE, P_SPUR, P_WHIP, P_SWEEP, P_ATTACK, P_DEFENCE, P_CENTRE, P_DETOUR = range(len(PAYMENTS))

ADJUSTMENTS = ("brakes", "spurs", "whips")
A_BRAKE, A_SPUR, A_WHIP = range(3)

TESTS = ("sub-move", "defence", "grab", "cut loose")
T_SUBMOVE, T_DEFENCE, T_GRAB, T_CUT = range(4)

MOVES = (
    "ahead", "sweep", "skid", "bounce", "follow", "back", "sideways", "brake away", "evade", "whipped on", "hurled",
    "run away", "centring", "walk", "run through", "collide",
)  # fmt: skip
(
    M_AHEAD, M_SWEEP, M_SKID, M_BOUNCE, M_FOLLOW, M_BACK, M_SIDEWAYS, M_BRAKE, M_EVADE, M_WHIPPED, M_HURLED, M_RUNAWAY,
    M_CENTRE, M_WALK, M_RUN, M_COLLIDE,
) = range(len(MOVES))  # fmt: skip

ATTACKS = ("ram", "whip at horses", "whip at driver", "bite", "boars")
AT_RAM, AT_WHIP_HORSES, AT_WHIP_DRIVER, AT_BITE, AT_BOARS = range(5)

DEFENCES = ("bears it", "brakes", "evades", "shies")
DEF_BEAR, DEF_BACK, DEF_SHY = (DEFENCES.index(name) for name in ("bears it", "brakes", "shies"))
