"""Events of Chariotmaster, typed. All are public except the choice of tokens.

Lengths and places on the map are millimetres, angles degrees, both exact to a tenth. Pieces are given by number, see
`naming.piece_name`.
"""

from __future__ import annotations

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
    """Of the attacker, where its boars strike: "left", "right" or "front"; empty for other attacks."""


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
