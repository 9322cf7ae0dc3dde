"""Colours of seats: chosen with the seat, different for all seats of a table, and kept by a rematch."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spina.games import find
from spina.games.factions import FACTIONS
from spina.table.refusals import Refusal, say
from spina.table.store.records import Seat, Table


def colour_of(seat: Seat) -> int:
    """The number of a seat's colour: the chosen one, or that of the seat's number."""
    return (seat.seat if seat.colour is None else seat.colour) % len(FACTIONS)


def can_choose(table: Table) -> bool:
    """Whether people at a table choose their colours: its game says so for these options."""
    return find(table.game).seats_have_colours(table.seats, table.options)


def free_colours(table: Table, seats: Sequence[Seat], visitor: str) -> list[int]:
    """The colours that a visitor may choose: those that no other person has. Bots and open seats give theirs away."""
    if not can_choose(table):
        return []
    kept = {colour_of(seat) for seat in seats if seat.visitor not in (None, visitor)}
    return [colour for colour in range(len(FACTIONS)) if colour not in kept]


def with_colour(seats: Sequence[Seat], number: int, colour: int) -> list[Seat]:
    """The seats that change when this seat gets a colour: it exchanges colours with the seat that has it."""
    own = seats[number]
    before = colour_of(own)
    if before == colour:
        return []
    others = [msgspec.structs.replace(seat, colour=before) for seat in seats if colour_of(seat) == colour]
    return [msgspec.structs.replace(own, colour=colour), *others]


def seated(table: Table, seats: Sequence[Seat], place: Seat, wanted: int | None, preferred: int) -> list[Seat]:
    """The seats that change when a visitor takes a place.

    It gets the wanted colour, which must be free (raises Refusal); without a wish, the preferred one if that is free.
    """
    assert place.visitor is not None
    free = free_colours(table, seats, place.visitor)
    if wanted is not None and wanted not in free:
        raise Refusal("full", say("table.colour-taken"))
    colour = wanted if wanted is not None else preferred if preferred in free else None
    after = [place if seat.seat == place.seat else seat for seat in seats]
    changed = [] if colour is None else with_colour(after, place.seat, colour)
    return changed or [place]
