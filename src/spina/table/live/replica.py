"""A replica of a table: the state that follows from its journal, and what each viewer may know of each entry.

The journal in the database is the truth. A server keeps a replica of each table in use; other servers may append to the
journal too, and the replica then follows the entries that it does not have yet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from spina.errors import IllegalAction
from spina.race import Race
from spina.table.bots.win_chances import WinChances
from spina.table.live import protocol, starts
from spina.table.live.lesson_run import lesson_at
from spina.table.live.listener import Told, page_form
from spina.table.live.seat_colours import colour_of
from spina.table.refusals import Refusal, say
from spina.table.store.records import Entry, Seat, Table


class Replica:
    """The state of a table at the version of its last entry."""

    def __init__(self, table: Table, seats: list[Seat]) -> None:
        self.table, self.seats = table, seats
        self.race: Race | None = None
        self.told: list[Told] = []
        self.lesson = lesson_at(table)
        self._keys: dict[str, int] = {}
        self._win_chances = WinChances()

    # --- state -------------------------------------------------------------------------------------------------------

    def own_seats(self, visitor: str) -> list[int]:
        """The seats of a visitor."""
        return [seat.seat for seat in self.seats if seat.visitor == visitor]

    def names(self) -> list[str]:
        """The names of all seats, in their order."""
        return [seat.name or f"Seat {seat.seat + 1}" for seat in self.seats]

    def colours(self) -> list[int]:
        """The numbers of the colours of all seats, in their order."""
        return [colour_of(seat) for seat in self.seats]

    def waiting(self) -> list[int]:
        """Seats that owe a choice."""
        return list(self.race.to_act) if self.race is not None and self.table.status == "running" else []

    @property
    def complete(self) -> bool:
        """Whether the race can begin: no seat is open, and all people have accepted if it is a rematch."""
        return all(seat.kind != "open" and not seat.away for seat in self.seats)

    # --- what visitors and bots may do -------------------------------------------------------------------------------

    def may_watch(self, visitor: str) -> bool:
        return self.table.watching != "none" or bool(self.own_seats(visitor)) or self.table.host == visitor

    def check_own(self, visitor: str, seat: int) -> None:
        """Raises Refusal unless the seat is the visitor's."""
        if not 0 <= seat < len(self.seats):
            raise Refusal("malformed", say("race.no-seat", seat=seat, last=len(self.seats) - 1))
        if self.seats[seat].visitor != visitor:
            raise Refusal("not-yours", say("table.seat-not-yours", seat=seat))

    def may_have_more_time(self, visitor: str) -> bool:
        """Whether a visitor may have more time: all seats that are not the visitor's are bots'."""
        own = self.own_seats(visitor)
        return (
            self.table.clock is not None
            and bool(own)
            and all(seat.kind == "bot" or seat.seat in own for seat in self.seats)
        )

    def bot_seed(self, seat: int) -> int:
        """The seed of a bot's random numbers for a seat's choice: the same for the same version."""
        text = f"{self.table.salt}:{self.table.version}:{seat}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())

    # --- following the journal ---------------------------------------------------------------------------------------

    def replay(self, journal: Iterable[Entry]) -> None:
        """Restore the state from the whole journal."""
        for told, race in self.performed(journal, None):
            self.told.append(told)
            self.race = race

    def performed(self, journal: Iterable[Entry], race: Race | None) -> Iterator[tuple[Told, Race | None]]:
        """Perform entries on a race, which is changed. Yields what is told of each, and the race after it."""
        for entry in journal:
            told = Told(entry.version, entry.at, entry.kind, entry.seat)
            self._note_key_and_step(entry)
            if entry.kind == "start":
                race = starts.begin(self.table)
            elif race is not None and entry.kind == "step":
                race = starts.from_step(self.table, race.edition, entry.actions) or race
                told.actions = tuple(entry.actions)
            elif race is not None and entry.seat is not None:
                if entry.kind == "play":
                    self._perform(race, entry.seat, entry.actions, told)
                elif entry.kind == "retract":
                    race.retract(entry.seat)
            if race is not None:
                self._win_chances.note(race)
            yield told, race

    def _note_key_and_step(self, entry: Entry) -> None:
        if entry.key:
            self._keys[entry.key] = entry.version
        if self.lesson is not None:
            self.lesson.note(entry.kind, entry.seat, entry.actions)

    def _perform(self, race: Race, seat: int, actions: Sequence[str], told: Told, *, at_once: bool = False) -> None:
        """Play actions and note their events.

        `at_once`: the seat chose all actions before it saw the result of the first. A refusal undoes all of them, so an
        action after a roll or a reveal is not allowed: its refusal would reveal the future.
        """
        told.actions = tuple(actions)
        form = page_form(race.game, self.names())
        for number, action in enumerate(actions, start=1):
            check_length(action)
            if at_once and number < len(actions):
                _play_first(race, seat, action)
            else:
                race.play(seat, action)
            told.happen(race.happened, form)

    def _keep(self, entries: Sequence[Entry], changes: dict[str, object], seats: Sequence[Seat]) -> None:
        """Note entries that were just committed, with the changes of the table that were committed with them."""
        for entry in entries:
            self._note_key_and_step(entry)
        self.table = msgspec.structs.replace(self.table, version=entries[-1].version, **changes)
        for seat in seats:
            self.seats[seat.seat] = seat


def _play_first(race: Race, seat: int, action: str) -> None:
    """Play an action that others of the same choice follow. Raises IllegalAction if it shows something new."""
    before = (race.settled, race.turn, race.chance)
    race.play(seat, action)
    still = race.to_act == (seat,) and (True, race.turn, race.chance) == before and race.settled
    if not still and not (race.choosing(seat) and race.chance == before[2]):
        raise IllegalAction(say("table.shows-something-new", action=action))


def check_length(action: str) -> None:
    """Raises IllegalAction for a text that is too long to be an action."""
    if len(action) > protocol.MOST_ACTION_TEXT:
        raise IllegalAction(say("table.action-too-long", most=protocol.MOST_ACTION_TEXT))
