"""Typed events of Chariot Race. All of them are public."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.rules import event_kinds
from spina.games.chariot_race.rules.event_kinds import DIE_BITS
from spina.games.chariot_race.rules.record import NOTHING, SIDE_NAMES, WAY_NAMES
from spina.games.game import Event

ROLLS = ("first", "free", "bought")


class Drafted(Event, frozen=True):
    """A seat takes an individual chariot."""

    chariot: int
    character: str


class Placed(Event, frozen=True):
    """A chariot takes its starting space."""

    chariot: int
    space: str


class Round(Event, frozen=True):
    """A round begins."""

    number: int


class Ordered(Event, frozen=True):
    """The order in which the chariots have their turns this round."""

    chariots: tuple[int, ...]


class Turn(Event, frozen=True):
    """A chariot's turn begins."""

    chariot: int
    space: str
    speed: int
    condition: int
    fate: int


class Repaired(Event, frozen=True):
    """A chariot is repaired."""

    chariot: int
    gained: int
    condition: int
    fate: int


class HeldBack(Event, frozen=True):
    """A chariot is slowed down to the speed that its condition allows."""

    chariot: int
    speed: int


class Rolled(Event, frozen=True):
    """Dice are rolled; `dice` are the sides that all dice show now."""

    chariot: int
    dice: tuple[str, ...]
    roll: str
    """One of `ROLLS`."""


class Turned(Event, frozen=True):
    """A die is turned to another side."""

    chariot: int
    before: str
    side: str
    fate: int


class Blessed(Event, frozen=True):
    """Fortuna's dice add to fate."""

    chariot: int
    dice: int
    fate: int


class Sped(Event, frozen=True):
    """The speed of the turn, and what it is made up of."""

    chariot: int
    changes: int
    """+/- dice, of which `plus` count as plus."""
    plus: int
    sprints: int
    before: int
    speed: int
    condition: int


class Stepped(Event, frozen=True):
    """A chariot enters a space."""

    chariot: int
    space: str
    way: str
    lap: int
    points: int
    """Steps left."""


class Cornered(Event, frozen=True):
    """A chariot takes a corner too fast."""

    chariot: int
    damage: int
    safe_speed: int
    condition: int


class Rammed(Event, frozen=True):
    """A chariot rams another."""

    chariot: int
    rammed: int
    condition: int
    rammed_condition: int


class Spiked(Event, frozen=True):
    """A chariot runs over a caltrop."""

    chariot: int
    space: str
    condition: int


class PutBack(Event, frozen=True):
    """A chariot that rammed another on its last step is put back behind it."""

    chariot: int
    space: str
    lap: int


class Crashed(Event, frozen=True):
    """A chariot runs into a stone heap."""

    chariot: int
    space: str


class Wrecked(Event, frozen=True):
    """A chariot is out of the race."""

    chariot: int
    space: str
    marker: bool
    """Whether a caltrop marks the place."""


class Line(Event, frozen=True):
    """A chariot crosses the line; `laps` are the laps completed."""

    chariot: int
    laps: int


class JavelinThrown(Event, frozen=True):
    """A javelin hits."""

    chariot: int
    target: int
    condition: int


class CaltropDropped(Event, frozen=True):
    """A caltrop is dropped."""

    chariot: int
    space: str


class Finished(Event, frozen=True):
    """The places of a chariot and its seat at the end of the race."""

    chariot: int
    seat_place: int
    place: int


EVENTS: tuple[type[Event], ...] = (
    Drafted,
    Placed,
    Round,
    Ordered,
    Turn,
    Repaired,
    HeldBack,
    Rolled,
    Turned,
    Blessed,
    Sped,
    Stepped,
    Cornered,
    Rammed,
    Spiked,
    PutBack,
    Crashed,
    Wrecked,
    Line,
    JavelinThrown,
    CaltropDropped,
    Finished,
)
"""Every type of event, in the order of this page."""


def _dice(edition: ChariotRaceEdition, chariot: int, f: Sequence[int]) -> Event:
    sides = tuple(SIDE_NAMES[f[1] >> DIE_BITS * die & (1 << DIE_BITS) - 1] for die in range(f[0]))
    return Rolled(chariot, sides, ROLLS[f[2]])


_Decoder = Callable[[ChariotRaceEdition, int, Sequence[int]], Event]

_DECODERS: dict[int, _Decoder] = {
    event_kinds.DRAFTED: lambda e, c, f: Drafted(c, e.characters[f[0]]),
    event_kinds.PLACED: lambda e, c, f: Placed(c, e.space_names[f[0]]),
    event_kinds.ROUND: lambda e, c, f: Round(f[0]),
    event_kinds.ORDER: lambda e, c, f: Ordered(tuple(chariot for chariot in f if chariot != NOTHING)),
    event_kinds.TURN: lambda e, c, f: Turn(c, e.space_names[f[0]], f[1], f[2], f[3]),
    event_kinds.REPAIRED: lambda e, c, f: Repaired(c, f[0], f[1], f[2]),
    event_kinds.HELD_BACK: lambda e, c, f: HeldBack(c, f[0]),
    event_kinds.ROLLED: _dice,
    event_kinds.TURNED: lambda e, c, f: Turned(c, SIDE_NAMES[f[0]], SIDE_NAMES[f[1]], f[2]),
    event_kinds.BLESSED: lambda e, c, f: Blessed(c, f[0], f[1]),
    event_kinds.SPED: lambda e, c, f: Sped(c, *f),
    event_kinds.STEPPED: lambda e, c, f: Stepped(c, e.space_names[f[0]], WAY_NAMES[f[1]], f[2], f[3]),
    event_kinds.CORNERED: lambda e, c, f: Cornered(c, f[0], f[1], f[2]),
    event_kinds.RAMMED: lambda e, c, f: Rammed(c, f[0], f[1], f[2]),
    event_kinds.SPIKED: lambda e, c, f: Spiked(c, e.space_names[f[0]], f[1]),
    event_kinds.PUT_BACK: lambda e, c, f: PutBack(c, e.space_names[f[0]], f[1]),
    event_kinds.CRASHED: lambda e, c, f: Crashed(c, e.space_names[f[0]]),
    event_kinds.WRECKED: lambda e, c, f: Wrecked(c, e.space_names[f[0]], bool(f[1])),
    event_kinds.LINE: lambda e, c, f: Line(c, f[0]),
    event_kinds.JAVELIN: lambda e, c, f: JavelinThrown(c, f[0], f[1]),
    event_kinds.CALTROP: lambda e, c, f: CaltropDropped(c, e.space_names[f[0]]),
    event_kinds.FINISHED: lambda e, c, f: Finished(c, f[0], f[1]),
}


def decode(edition: ChariotRaceEdition, row: Sequence[int]) -> Event:
    """Decode one row of a story into a typed event."""
    return _DECODERS[row[0]](edition, row[1], row[2:])
