"""Events of Chariotmaster, typed. All are public except the choice of tokens.

Lengths and places on the map are millimetres, angles degrees, both exact to a tenth. Pieces are given by number, see
`naming.piece_name`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spina.games.chariotmaster.play.actions import SIDES
from spina.games.chariotmaster.rules import event_kinds as t
from spina.games.chariotmaster.rules.record import (
    CHARIOTS,
    NOTHING,
    OBSTACLE,
    PACKED,
    PART_NAMES,
    POINT_NAMES,
    POINT_OF_PIVOT,
    TABLE_NAMES,
    TOKEN_NAMES,
)
from spina.games.game import Event

COLLISIONS = ("collision", "ram", "run-through")
FALLS = ("behind", "left", "right")
PURPOSES = ("reins", "cut")


class Of(Event, frozen=True):
    """An event that concerns a chariot, its team or its driver."""

    chariot: int


class OfPiece(Event, frozen=True):
    """An event that may concern any piece, an obstacle included."""

    chariot: int | None
    """None for obstacles."""


class GameTurn(Event, frozen=True):
    """A game turn begins."""

    number: int


class Chose(Of, frozen=True):
    """A token goes into the mug; until it is drawn only its own seat knows which."""

    token: str
    seat: int

    def seen_by(self, viewer: int | None) -> Event | None:
        return self if viewer == self.seat else None


class Drawn(Of, frozen=True):
    """A chariot's token is drawn: its turn begins."""

    token: str
    """The one in use."""
    replaced: bool
    """Whether the chosen one was lost in the meantime."""
    out_of_control: bool


class Rolled(Of, frozen=True):
    """A roll."""

    what: str
    """One of `event_kinds.ROLLS`."""
    dice: tuple[int, ...]


class RolledBoth(OfPiece, frozen=True):
    """Two sides roll against each other."""

    what: str
    dice: tuple[int, ...]
    other: int | None
    """The chariot of the other side."""
    others: tuple[int, ...]
    """The other side's dice."""


class Modified(Of, frozen=True):
    """A lucky driver changes one of his dice."""

    die: int
    """Counted from 1, over both sides of a contest."""
    face: int


class Kept(Of, frozen=True):
    """A lucky driver leaves the dice unchanged."""


class Paid(Of, frozen=True):
    """Stamina is spent."""

    points: int
    what: str
    """One of `event_kinds.PAYMENTS`."""


class Lost(Of, frozen=True):
    """A point is gone."""

    what: str
    """"stamina", "structure", "health" or "skill"."""
    left: int


class OutOf(Of, frozen=True):
    """A point would be lost, but none is left: a roll on an out-of-points table."""

    table: str
    """One of `state.TABLE_NAMES`."""
    face: int
    result: int
    """With the modifier of the table."""
    modifier: int
    """From now on."""


class Changed(Of, frozen=True):
    """A chariot brakes, spurs or whips."""

    how: str
    """One of `event_kinds.ADJUSTMENTS`."""
    mm: float
    """Added to the distances; negative for a brake."""
    least: float
    """Distance that must be driven this turn."""
    most: float
    """Distance that may be driven this turn."""


class Tested(Of, frozen=True):
    """A test of skill."""

    what: str
    """One of `event_kinds.TESTS`."""
    face: int
    modifier: int
    skill: int
    passed: bool


class Moved(OfPiece, frozen=True):
    """A piece moves in a straight line."""

    piece: int
    how: str
    """One of `event_kinds.MOVES`."""
    mm: float
    x: float
    y: float
    heading: float


class Pivoted(OfPiece, frozen=True):
    """A piece pivots."""

    piece: int
    degrees: float
    """Positive to the left."""
    x: float
    y: float
    heading: float


class TurnedRound(Of, frozen=True):
    """A chariot makes a U-turn."""

    about: str
    """One of `state.POINT_OF_PIVOT`."""
    degrees: float
    """Positive to the left."""
    x: float
    y: float
    heading: float


class Skids(Of, frozen=True):
    """A chariot skids."""

    direction: float


class Collided(OfPiece, frozen=True):
    """A piece hits another."""

    initiator: int
    part: str
    """Of the initiator."""
    target: int
    """A piece, or `state.WALL`."""
    target_part: str
    kind: str
    """One of `COLLISIONS`."""
    number: int
    """In the chain since the last voluntary action, from 1."""


class Hits(OfPiece, frozen=True):
    """The result of a collision's dice."""

    hits: int
    """By the initiator."""
    blows: int
    """By the target."""
    impact: int
    """Of the initiator."""
    answer: int
    """Impact of the target."""


class Bounced(OfPiece, frozen=True):
    """How two pieces that collided bounce."""

    value: int
    initiator: int
    target: int


class RanThrough(OfPiece, frozen=True):
    """The result of running over something low."""

    value: int
    target: int


class Attacked(Of, frozen=True):
    """A chariot announces an attack."""

    how: str
    """One of `event_kinds.ATTACKS`."""
    target: int
    part: str
    side: str
    """Of the attacker: "left", "right" or "front"; empty where it does not matter."""


class Defended(Of, frozen=True):
    """How an attacked chariot defends itself."""

    how: str
    """One of `event_kinds.DEFENCES`."""
    attacker: int


class Void(Of, frozen=True):
    """An attack has no effect, because there is no contact any more."""

    target: int


class Duelled(Of, frozen=True):
    """Two drivers whip at each other."""

    defender: int
    total: int
    defence: int
    """The defender's sum."""


class Bitten(Of, frozen=True):
    """Two teams bite each other."""

    defender: int
    hits: int
    blows: int
    """The defender's hits."""


class LostControl(Of, frozen=True):
    """A chariot is out of control."""


class LostReins(Of, frozen=True):
    """A driver lets the reins go."""


class StunnedNow(Of, frozen=True):
    """A driver is unconscious, or on the ground."""


class HorseDied(Of, frozen=True):
    """A horse dies."""

    left: int


class LostToken(Of, frozen=True):
    """A chariot gives up its highest token."""

    highest: str
    """The highest that is left."""


class IsExhausted(Of, frozen=True):
    """The horses are exhausted: their highest token costs a roll from now on."""


class WheelLoose(Of, frozen=True):
    """A wheel is damaged: the 10 token costs a roll from now on."""


class LostWhip(Of, frozen=True):
    """A driver loses his whip."""


class LostKnife(Of, frozen=True):
    """A driver loses his knife."""


class Crashed(Of, frozen=True):
    """A chariot becomes a wreck."""


class Entangled(Of, frozen=True):
    """A driver is caught in the reins and dragged behind his horses."""


class Hurled(Of, frozen=True):
    """A driver is hurled out of a crash."""

    direction: float


class Placed(Of, frozen=True):
    """A driver stands on the track."""

    x: float
    y: float


class Fell(Of, frozen=True):
    """A driver falls from his chariot."""

    side: str
    """"behind", "left" or "right" of it."""


class DriverDied(Of, frozen=True):
    """A driver dies."""


class Climbed(Of, frozen=True):
    """A driver climbs on to the haft."""

    purpose: str
    """"reins" or "cut"."""


class Grabbed(Of, frozen=True):
    """A driver takes the reins again."""


class CutFree(Of, frozen=True):
    """A dead horse is cut free."""


class CutLoose(Of, frozen=True):
    """A dragged driver cuts himself loose."""


class Clings(Of, frozen=True):
    """A driver on the haft fails and clings to the horses."""


class LeftTrack(Of, frozen=True):
    """A driver on foot is off the track."""


class RanOff(Of, frozen=True):
    """A team without a driver leaves the course."""


class Destroyed(OfPiece, frozen=True):
    """A wreck is gone."""

    piece: int


class TeamGone(Of, frozen=True):
    """The last horse of a team without a chariot is dead."""


class Aligned(OfPiece, frozen=True):
    """A piece is turned flush with what it hit."""

    piece: int
    degrees: float
    x: float
    y: float
    heading: float


class Crossed(Of, frozen=True):
    """A chariot crosses the finishing line."""

    place: int
    """In the order of crossing."""


class StruckOut(Of, frozen=True):
    """A crossing does not count: the driver did not live to the end of the game turn."""


class Eliminated(Of, frozen=True):
    """A chariot is out of the race."""


class Stands(Of, frozen=True):
    """A chariot out of control is boxed in and stands this turn."""


class TurnEnds(Of, frozen=True):
    """A chariot turn ends."""

    mm: float
    """Distance driven."""


class ControlBack(Of, frozen=True):
    """A chariot is under control again."""


class Awake(Of, frozen=True):
    """A driver regains consciousness."""


class Removed(Of, frozen=True):
    """A chariot that has finished leaves the track."""


class Finished(Of, frozen=True):
    """A chariot's place at the end of the race."""

    place: int


EVENTS: tuple[type[Event], ...] = (
    GameTurn,
    Chose,
    Drawn,
    Rolled,
    RolledBoth,
    Modified,
    Kept,
    Paid,
    Lost,
    OutOf,
    Changed,
    Tested,
    Moved,
    Pivoted,
    TurnedRound,
    Skids,
    Collided,
    Hits,
    Bounced,
    RanThrough,
    Attacked,
    Defended,
    Void,
    Duelled,
    Bitten,
    LostControl,
    LostReins,
    StunnedNow,
    HorseDied,
    LostToken,
    IsExhausted,
    WheelLoose,
    LostWhip,
    LostKnife,
    Crashed,
    Entangled,
    Hurled,
    Placed,
    Fell,
    DriverDied,
    Climbed,
    Grabbed,
    CutFree,
    CutLoose,
    Clings,
    LeftTrack,
    RanOff,
    Destroyed,
    TeamGone,
    Aligned,
    Crossed,
    StruckOut,
    Eliminated,
    Stands,
    TurnEnds,
    ControlBack,
    Awake,
    Removed,
    Finished,
)
"""Every type of event, in the order of this module."""


# --- rows -----------------------------------------------------------------------------------------------------------


def _owner(chariot: int) -> int | None:
    return None if chariot == NOTHING else chariot


def _owner_of(piece: int) -> int | None:
    """The chariot that a piece is, or was a part of."""
    return piece % CHARIOTS if piece < OBSTACLE else None


def _tenths(units: int) -> float:
    """Millimetres, or degrees."""
    return units / 10


def _part(part: int) -> str:
    """The name of a part; the wall has none."""
    return PART_NAMES[part] if part != NOTHING else "object"


def _side(side: int) -> str:
    """Of an attack; empty where it does not matter."""
    return SIDES[side] if side != NOTHING else ""


def _dice(packed: int, count: int) -> tuple[int, ...]:
    return tuple(packed // PACKED**die % PACKED for die in range(count))


def _pose(facts: Sequence[int]) -> tuple[float, float, float]:
    x, y, heading = facts
    return _tenths(x), _tenths(y), _tenths(heading)


_Decoder = Callable[[int, Sequence[int]], Event]

_DECODERS: dict[int, _Decoder] = {
    t.GAME_TURN: lambda c, f: GameTurn(f[0]),
    t.CHOSE: lambda c, f: Chose(c, TOKEN_NAMES[f[0]], f[1]),
    t.DRAWN: lambda c, f: Drawn(c, TOKEN_NAMES[f[0]], bool(f[1]), bool(f[2])),
    t.ROLLED: lambda c, f: Rolled(c, t.ROLLS[f[0]], _dice(f[1], f[2])),
    t.ROLLED_BOTH: lambda c, f: RolledBoth(
        _owner(c), t.ROLLS[f[0]], _dice(f[1], f[2]), _owner(f[3]), _dice(f[4], f[5])
    ),
    t.MODIFIED: lambda c, f: Modified(c, f[0] + 1, f[1]),
    t.PAID: lambda c, f: Paid(c, f[0], t.PAYMENTS[f[1]]),
    t.LOST: lambda c, f: Lost(c, POINT_NAMES[f[0]], f[1]),
    t.OUT_OF: lambda c, f: OutOf(c, TABLE_NAMES[f[0]], f[1], f[2], f[3]),
    t.CHANGED: lambda c, f: Changed(c, t.ADJUSTMENTS[f[0]], _tenths(f[1]), _tenths(f[2]), _tenths(f[3])),
    t.TESTED: lambda c, f: Tested(c, t.TESTS[f[0]], f[1], f[2], f[3], bool(f[4])),
    t.MOVED: lambda c, f: Moved(_owner_of(f[0]), f[0], t.MOVES[f[1]], _tenths(f[2]), *_pose(f[3:6])),
    t.PIVOTED: lambda c, f: Pivoted(_owner_of(f[0]), f[0], _tenths(f[1]), *_pose(f[2:5])),
    t.TURNED_ROUND: lambda c, f: TurnedRound(c, POINT_OF_PIVOT[f[0]], float(f[1]), *_pose(f[2:5])),
    t.SKIDS: lambda c, f: Skids(c, _tenths(f[0])),
    t.COLLIDED: lambda c, f: Collided(_owner_of(f[0]), f[0], _part(f[1]), f[2], _part(f[3]), COLLISIONS[f[4]], f[5]),
    t.HITS: lambda c, f: Hits(_owner(c), f[0], f[1], f[2], f[3]),
    t.BOUNCED: lambda c, f: Bounced(_owner_of(f[1]), f[0], f[1], f[2]),
    t.RAN_THROUGH: lambda c, f: RanThrough(_owner(c), f[0], f[1]),
    t.ATTACKED: lambda c, f: Attacked(c, t.ATTACKS[f[0]], f[1], _part(f[2]), _side(f[3])),
    t.DEFENDED: lambda c, f: Defended(c, t.DEFENCES[f[0]], f[1]),
    t.VOID: lambda c, f: Void(c, f[0]),
    t.DUELLED: lambda c, f: Duelled(c, f[0], f[1], f[2]),
    t.BITTEN: lambda c, f: Bitten(c, f[0], f[1], f[2]),
    t.HORSE_DIED: lambda c, f: HorseDied(c, f[0]),
    t.LOST_TOKEN: lambda c, f: LostToken(c, TOKEN_NAMES[f[0]]),
    t.HURLED: lambda c, f: Hurled(c, _tenths(f[0])),
    t.PLACED: lambda c, f: Placed(c, _tenths(f[0]), _tenths(f[1])),
    t.FELL: lambda c, f: Fell(c, FALLS[f[0]]),
    t.CLIMBED: lambda c, f: Climbed(c, PURPOSES[f[0]]),
    t.DESTROYED: lambda c, f: Destroyed(_owner_of(f[0]), f[0]),
    t.ALIGNED: lambda c, f: Aligned(_owner_of(f[0]), f[0], _tenths(f[1]), *_pose(f[2:5])),
    t.CROSSED: lambda c, f: Crossed(c, f[0]),
    t.TURN_ENDS: lambda c, f: TurnEnds(c, _tenths(f[0])),
    t.FINISHED: lambda c, f: Finished(c, f[0]),
}
_BARE: dict[int, type[Of]] = {
    t.KEPT: Kept,
    t.LOST_CONTROL: LostControl,
    t.LOST_REINS: LostReins,
    t.STUNNED_NOW: StunnedNow,
    t.IS_EXHAUSTED: IsExhausted,
    t.WHEEL_LOOSE: WheelLoose,
    t.LOST_WHIP: LostWhip,
    t.LOST_KNIFE: LostKnife,
    t.CRASHED: Crashed,
    t.ENTANGLED: Entangled,
    t.DRIVER_DIED: DriverDied,
    t.GRABBED: Grabbed,
    t.CUT_FREE: CutFree,
    t.CUT_LOOSE: CutLoose,
    t.CLINGS: Clings,
    t.LEFT_TRACK: LeftTrack,
    t.RAN_OFF: RanOff,
    t.TEAM_GONE: TeamGone,
    t.STRUCK_OUT: StruckOut,
    t.ELIMINATED: Eliminated,
    t.STANDS: Stands,
    t.CONTROL_BACK: ControlBack,
    t.AWAKE: Awake,
    t.REMOVED: Removed,
}
"""Events that have no fields besides the chariot or piece."""


def event(row: Sequence[int]) -> Event:
    """The typed form of one row of a story."""
    kind, chariot, *facts = row
    return _BARE[kind](chariot) if kind in _BARE else _DECODERS[kind](chariot, facts)
