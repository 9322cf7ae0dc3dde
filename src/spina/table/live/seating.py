"""Changes of seats that are taken already: their colours, and who drives them."""

from __future__ import annotations

import msgspec

from spina.table.live.room import Room
from spina.table.live.rooms import Rooms
from spina.table.live.seat_colours import seated
from spina.table.refusals import Refusal, say
from spina.table.store.records import Seat, Visitor


class Seating:
    """What people at a table can do with their seats."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def choose_colour(self, visitor: Visitor, table_id: str, colour: int) -> None:
        """Give the visitor's seat another colour before the start. Raises Refusal if another person has it."""
        room = await self._rooms.room(table_id)

        async def choose(room: Room) -> int:
            own = room.own_seats(visitor.id)
            if not own:
                raise Refusal("not-yours", say("table.no-seat-of-yours"))
            if room.table.status != "open":
                raise Refusal("full", say("table.started"))
            changed = seated(room.table, room.seats, room.seats[own[0]], colour, colour)
            return await room.note("colour", own[0], seats=changed)

        await room.change(choose)

    async def take_over(self, visitor: Visitor, table_id: str, number: int) -> None:
        """Take a bot's seat in a running race, for a friend with an invitation who comes late. Raises Refusal.

        A seat that its person has left is kept for that person.
        """
        room = await self._rooms.room(table_id)

        async def take(room: Room) -> int:
            if number in room.own_seats(visitor.id):
                return room.table.version
            if own := room.own_seats(visitor.id):
                raise Refusal("seated", say("table.seated", seat=own[0]))
            if number not in bots_to_replace(room):
                raise Refusal("full", say("table.seat-not-open", seat=number))
            return await room.note("joined", number, seats=[_driven_by(room.seats[number], visitor)])

        await room.change(take)

    async def come_back(self, visitor: Visitor, table_id: str) -> None:
        """Give the seats that a visitor has left back, while the race runs. Raises Refusal."""
        room = await self._rooms.room(table_id)

        async def come(room: Room) -> int:
            if room.own_seats(visitor.id):
                return room.table.version
            left = seats_left(room, visitor.id)
            if not left:
                raise Refusal("not-yours", say("table.no-seat-of-yours"))
            if room.table.status != "running":
                raise Refusal("over", say("race.over"))
            seats = [_driven_by(room.seats[seat], visitor, room.seats[seat].name) for seat in left]
            return await room.note("back", left[0], seats=seats)

        await room.change(come)


def bots_to_replace(room: Room) -> list[int]:
    """The seats of a running race that a late friend may take: those of bots that drive for nobody else."""
    if room.table.status != "running":
        return []
    return [seat.seat for seat in room.seats if seat.kind == "bot" and seat.left_by is None]


def seats_left(room: Room, visitor: str) -> list[int]:
    """The seats that a visitor has left to bots."""
    return [seat.seat for seat in room.seats if seat.kind == "bot" and visitor and seat.left_by == visitor]


def _driven_by(seat: Seat, visitor: Visitor, name: str | None = None) -> Seat:
    return msgspec.structs.replace(
        seat, kind="person", visitor=visitor.id, name=name or visitor.name, bot=None, away=False, left_by=None
    )
