"""Typed events of Charioteer, from which stories and animations are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.rules import event_kinds
from spina.games.charioteer.rules.event_kinds import CHANGED_AT, DISCARD_TOKEN_AT, DISCARDS_AT
from spina.games.charioteer.rules.record import COLOUR_NAMES, FACE_NAMES, NOTHING, RESET
from spina.games.game import Event

WHIP_ENDINGS = ("spent", "leads", "passed", "blocked", "first turn")


class Chosen(Event, frozen=True):
    """A seat has made its choice, which stays secret until the reveal (C16)."""

    seat: int


class Revealed(Event, frozen=True):
    """A seat's choice is turned up."""

    seat: int
    symbol: str
    """Or "reset"."""
    cards: tuple[str, ...]
    crowd: bool
    token: str | None
    changed: int | None
    """Which of the cards, from 0, a wild changes."""
    discard_token: str | None
    discards: int
    """How many cards lie face down under the discard token."""


class Buried(Event, frozen=True):
    """Cards discarded face down, which only their owner knows (C28)."""

    seat: int
    cards: tuple[str, ...]

    def seen_by(self, viewer: int | None) -> Event | None:
        return self if viewer == self.seat else None


class Ordered(Event, frozen=True):
    """The order in which the chariots move this turn."""

    seats: tuple[int, ...]


class Shielded(Event, frozen=True):
    """A shield empties the attack boxes and keeps new cubes off."""

    seat: int
    cubes: int


class Calmed(Event, frozen=True):
    """A reset clears both boxes."""

    seat: int
    damage: int
    attack: int


class Recovered(Event, frozen=True):
    """Cubes leave the damage box before the move is counted."""

    seat: int
    cubes: int
    left: int
    recoveries: int


class Counted(Event, frozen=True):
    """The sum of a move: number + symbols + token + skill - damage."""

    seat: int
    number: int
    symbols: int
    token: int
    skill: int
    damage: int
    points: int


class Attacked(Event, frozen=True):
    """An attack on every rival."""

    seat: int
    cubes: int
    cards: int


class Cube(Event, frozen=True):
    """A cube is placed into an attack box. `by` is None when the emperor placed it."""

    seat: int
    by: int | None
    box: int


class Stepped(Event, frozen=True):
    """A chariot enters a space, outside the chariots that stand there (lane 0 is the inside)."""

    seat: int
    progress: int
    space: int
    lane: int
    whipped: bool


class Passed(Event, frozen=True):
    """A chariot passes a rival, by moving inside it or by skipping the outer space it stands on."""

    seat: int
    rival: int
    skipped: bool


class Whipped(Event, frozen=True):
    """The result of the whips of a move."""

    seat: int
    whips: int
    spaces: int
    ended: str
    """One of `WHIP_ENDINGS`."""


class Learned(Event, frozen=True):
    """A skill marker advances one place. `bonus` is what it adds from now on."""

    seat: int
    colour: str
    before: int
    place: int
    bonus: int


class FanToken(Event, frozen=True):
    """A seat earns a fan token. Only its owner knows the kind (C29); `empty` if none was left."""

    seat: int
    token: str | None
    empty: bool = False

    def seen_by(self, viewer: int | None) -> Event | None:
        return self if viewer == self.seat else FanToken(self.seat, None, self.empty)


class Lap(Event, frozen=True):
    """A chariot completes a lap."""

    seat: int
    lap: int


class Suffered(Event, frozen=True):
    """The cubes of the attack boxes go to the damage box."""

    seat: int
    cubes: int
    damage: int


class Drew(Event, frozen=True):
    """A hand is refilled. Rivals see only the number of cards."""

    seat: int
    cards: tuple[str, ...]
    count: int

    def seen_by(self, viewer: int | None) -> Event | None:
        return self if viewer == self.seat else Drew(self.seat, (), self.count)


class Shuffled(Event, frozen=True):
    """The discards become a new deck, or the spent fan tokens a new bag."""

    what: str
    size: int


class CrowdMoved(Event, frozen=True):
    """The crowd track has moved on; the first card is the active one."""

    cards: tuple[str, ...]


class Emperor(Event, frozen=True):
    """The emperor die is rolled for the turn."""

    face: str


class Turn(Event, frozen=True):
    """A turn begins."""

    turn: int


class Finished(Event, frozen=True):
    """A chariot's place at the end of the race."""

    seat: int
    place: int
    progress: int


EVENTS: tuple[type[Event], ...] = (
    Chosen,
    Revealed,
    Buried,
    Ordered,
    Shielded,
    Calmed,
    Recovered,
    Counted,
    Attacked,
    Cube,
    Stepped,
    Passed,
    Whipped,
    Learned,
    FanToken,
    Lap,
    Suffered,
    Drew,
    Shuffled,
    CrowdMoved,
    Emperor,
    Turn,
    Finished,
)
"""Every type of event, in the order of this page."""


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOTHING else seat


def _cards(edition: CharioteerEdition, cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(edition.card_names[card] for card in cards if card != NOTHING)


def _kind(edition: CharioteerEdition, kind: int) -> str | None:
    return None if kind == NOTHING else edition.kind_names[kind]


def _revealed(edition: CharioteerEdition, seat: int, f: Sequence[int]) -> Event:
    details = f[5]
    changed = details % DISCARD_TOKEN_AT // CHANGED_AT
    return Revealed(
        seat=seat,
        symbol="reset" if f[0] == RESET else edition.symbol_names[f[0]],
        cards=_cards(edition, f[2:5]),
        crowd=bool(details % CHANGED_AT),
        token=_kind(edition, f[1]),
        changed=changed - 1 if changed else None,
        discard_token=_kind(edition, details % DISCARDS_AT // DISCARD_TOKEN_AT - 1),
        discards=details // DISCARDS_AT,
    )


def _learned(edition: CharioteerEdition, seat: int, f: Sequence[int]) -> Event:
    return Learned(seat, COLOUR_NAMES[f[0]], f[1], f[2], edition.skill_bonuses[f[2]])


def _drew(edition: CharioteerEdition, seat: int, f: Sequence[int]) -> Event:
    cards = _cards(edition, f)
    return Drew(seat, cards, len(cards))


_Decoder = Callable[[CharioteerEdition, int, Sequence[int]], Event]

_DECODERS: dict[int, _Decoder] = {
    event_kinds.CHOSEN: lambda _, seat, f: Chosen(seat),
    event_kinds.REVEALED: _revealed,
    event_kinds.BURIED: lambda e, seat, f: Buried(seat, _cards(e, f)),
    event_kinds.ORDER: lambda _, seat, f: Ordered(tuple(s for s in f if s != NOTHING)),
    event_kinds.SHIELDED: lambda _, seat, f: Shielded(seat, f[0]),
    event_kinds.CALMED: lambda _, seat, f: Calmed(seat, f[0], f[1]),
    event_kinds.RECOVERED: lambda _, seat, f: Recovered(seat, f[0], f[1], f[2]),
    event_kinds.COUNTED: lambda _, seat, f: Counted(seat, *f),
    event_kinds.ATTACKED: lambda _, seat, f: Attacked(seat, f[0], f[1]),
    event_kinds.CUBE: lambda _, seat, f: Cube(seat, _seat_or_none(f[0]), f[1]),
    event_kinds.STEPPED: lambda _, seat, f: Stepped(seat, f[0], f[1], f[2], bool(f[3])),
    event_kinds.PASSED: lambda _, seat, f: Passed(seat, f[0], bool(f[1])),
    event_kinds.WHIPPED: lambda _, seat, f: Whipped(seat, f[0], f[1], WHIP_ENDINGS[f[2]]),
    event_kinds.LEARNED: _learned,
    event_kinds.FAN_TOKEN: lambda e, seat, f: FanToken(seat, _kind(e, f[0]), f[0] == NOTHING),
    event_kinds.LAP: lambda _, seat, f: Lap(seat, f[0]),
    event_kinds.SUFFERED: lambda _, seat, f: Suffered(seat, f[0], f[1]),
    event_kinds.DREW: _drew,
    event_kinds.SHUFFLED: lambda _, seat, f: Shuffled("bag" if f[0] else "deck", f[1]),
    event_kinds.CROWD_MOVED: lambda e, seat, f: CrowdMoved(_cards(e, f[:3])),
    event_kinds.EMPEROR: lambda _, seat, f: Emperor(FACE_NAMES[f[0]]),
    event_kinds.TURN: lambda _, seat, f: Turn(f[0]),
    event_kinds.FINISHED: lambda _, seat, f: Finished(seat, f[0], f[1]),
}


def decode(edition: CharioteerEdition, row: Sequence[int]) -> Event:
    """Decode one row of a story into a typed event."""
    return _DECODERS[row[0]](edition, row[1], row[2:])
