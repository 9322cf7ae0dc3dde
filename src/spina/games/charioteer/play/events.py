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


# A row of a story holds the kind of the event, its seat, and up to six facts, which begin here.
_A, _B, _C, _D, _E, _F = range(2, 8)


def _revealed(edition: CharioteerEdition, row: Sequence[int]) -> Event:
    symbol, details = row[_A], row[_F]
    changed = details % DISCARD_TOKEN_AT // CHANGED_AT
    return Revealed(
        seat=row[1],
        symbol="reset" if symbol == RESET else edition.symbol_names[symbol],
        cards=_cards(edition, row[_C:_F]),
        crowd=bool(details % CHANGED_AT),
        token=_kind(edition, row[_B]),
        changed=changed - 1 if changed else None,
        discard_token=_kind(edition, details % DISCARDS_AT // DISCARD_TOKEN_AT - 1),
        discards=details // DISCARDS_AT,
    )


def _learned(edition: CharioteerEdition, row: Sequence[int]) -> Event:
    return Learned(row[1], COLOUR_NAMES[row[_A]], row[_B], row[_C], edition.skill_bonuses[row[_C]])


def _drew(edition: CharioteerEdition, row: Sequence[int]) -> Event:
    cards = _cards(edition, row[_A:])
    return Drew(row[1], cards, len(cards))


_Decoder = Callable[[CharioteerEdition, Sequence[int]], Event]

_DECODERS: dict[int, _Decoder] = {
    event_kinds.CHOSEN: lambda _, row: Chosen(row[1]),
    event_kinds.REVEALED: _revealed,
    event_kinds.BURIED: lambda e, row: Buried(row[1], _cards(e, row[_A:])),
    event_kinds.ORDER: lambda _, row: Ordered(tuple(seat for seat in row[_A:] if seat != NOTHING)),
    event_kinds.SHIELDED: lambda _, row: Shielded(row[1], row[_A]),
    event_kinds.CALMED: lambda _, row: Calmed(row[1], row[_A], row[_B]),
    event_kinds.RECOVERED: lambda _, row: Recovered(row[1], row[_A], row[_B], row[_C]),
    event_kinds.COUNTED: lambda _, row: Counted(*row[1:]),
    event_kinds.ATTACKED: lambda _, row: Attacked(row[1], row[_A], row[_B]),
    event_kinds.CUBE: lambda _, row: Cube(row[1], _seat_or_none(row[_A]), row[_B]),
    event_kinds.STEPPED: lambda _, row: Stepped(row[1], row[_A], row[_B], row[_C], row[_D] != 0),
    event_kinds.PASSED: lambda _, row: Passed(row[1], row[_A], row[_B] != 0),
    event_kinds.WHIPPED: lambda _, row: Whipped(row[1], row[_A], row[_B], WHIP_ENDINGS[row[_C]]),
    event_kinds.LEARNED: _learned,
    event_kinds.FAN_TOKEN: lambda e, row: FanToken(row[1], _kind(e, row[_A]), row[_A] == NOTHING),
    event_kinds.LAP: lambda _, row: Lap(row[1], row[_A]),
    event_kinds.SUFFERED: lambda _, row: Suffered(row[1], row[_A], row[_B]),
    event_kinds.DREW: _drew,
    event_kinds.SHUFFLED: lambda _, row: Shuffled("bag" if row[_A] else "deck", row[_B]),
    event_kinds.CROWD_MOVED: lambda e, row: CrowdMoved(_cards(e, row[_A:_D])),
    event_kinds.EMPEROR: lambda _, row: Emperor(FACE_NAMES[row[_A]]),
    event_kinds.TURN: lambda _, row: Turn(row[_A]),
    event_kinds.FINISHED: lambda _, row: Finished(row[1], row[_A], row[_B]),
}


def decode(edition: CharioteerEdition, rows: Sequence[Sequence[int]]) -> list[Event]:
    """Decode the rows of a story into typed events."""
    decoders = _DECODERS
    return [decoders[row[0]](edition, row) for row in rows]
