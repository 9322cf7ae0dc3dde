"""Invitations: links with a secret that lead to a seat, or to any open seat of a table."""

from __future__ import annotations

import secrets
import time
from typing import Literal

import msgspec

from spina.table.live.lobby import Lobby, hashed
from spina.table.live.room import Room
from spina.table.live.rooms import Rooms
from spina.table.live.seating import Seating
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Link, Visitor

SECRET_BYTES = 18


class Invitations:
    """Makes links to seats and lets people take the seats. The store knows only the hashes of the secrets."""

    def __init__(self, store: Store, rooms: Rooms, lobby: Lobby, seating: Seating) -> None:
        self._store, self._rooms, self._lobby, self._seating = store, rooms, lobby, seating

    async def link(
        self, visitor: Visitor, kind: Literal["seat", "join"], table_id: str, seat: int | None = None
    ) -> str:
        """Make the secret of a link: to an open seat, to the visitor's seat for another device, or to any open seat."""
        room = await self._rooms.room(table_id)
        own = room.own_seats(visitor.id)
        if kind == "seat":
            if seat is None or not 0 <= seat < len(room.seats):
                raise Refusal("malformed", say("table.link-without-seat"))
            free = room.table.host == visitor.id and room.seats[seat].kind == "open"
            if not free and seat not in own:
                raise Refusal("not-yours", say("table.seat-not-yours-to-give", seat=seat))
        elif room.table.host != visitor.id and not own:
            raise Refusal("not-yours", say("table.invites"))
        secret = secrets.token_urlsafe(SECRET_BYTES)
        record = Link(
            secret_hash=hashed(secret),
            kind=kind,
            table=table_id,
            seat=seat,
            visitor=visitor.id,
            created=time.time(),
        )
        await self._lobby.remember(visitor)
        await self._store.add_links([record])
        return secret

    async def followed(self, secret: str) -> Link:
        """The link with this secret. Raises Refusal if it does not exist or has been used."""
        link = await self._store.link(hashed(secret))
        if link is None:
            raise Refusal("unknown", say("table.link-unknown"))
        if link.used is not None and link.kind == "seat":
            raise Refusal("used", say("table.link-used"))
        return link

    async def use(self, visitor: Visitor, secret: str, seat: int | None = None, colour: int | None = None) -> str:
        """Take the seat that a link leads to, or the wanted one of the open seats. Returns the table's id.

        Idempotent for the visitor who has that seat.
        """
        if (taken := await self._taken_by(visitor, secret)) is not None:
            return taken
        link = await self.followed(secret)
        await self._lobby.remember(visitor)
        room = await self._rooms.room(link.table)
        if link.kind == "join":
            if room.table.status == "running" and seat is not None:
                await self._seating.take_over(visitor, link.table, seat)
            elif not room.own_seats(visitor.id):
                await self._lobby.sit(visitor, link.table, seat, colour)
            return link.table
        if link.seat is None:
            raise Refusal("malformed", say("table.link-not-to-seat"))
        if room.seats[link.seat].kind == "open":
            await self._lobby.sit(visitor, link.table, link.seat, colour)
            await self._store.use_link(link.secret_hash, time.time())
            return link.table
        if room.seats[link.seat].visitor != link.visitor:
            raise Refusal("used", say("table.link-seat-gone"))
        if not await self._store.use_link(link.secret_hash, time.time()):
            raise Refusal("used", say("table.link-used"))
        given = link.seat

        async def move(room: Room) -> int:
            place = room.seats[given]
            if place.visitor != link.visitor:
                raise Refusal("used", say("table.link-seat-gone"))
            return await room.note("seat", given, seats=[msgspec.structs.replace(place, visitor=visitor.id)])

        await room.change(move)
        return link.table

    async def _taken_by(self, visitor: Visitor, secret: str) -> str | None:
        """The table, if the visitor already has the link's seat: a retry after a lost response must succeed."""
        link = await self._store.link(hashed(secret))
        if link is None or link.kind != "seat" or link.seat is None or not visitor.id:
            return None
        room = await self._rooms.room(link.table)
        return link.table if room.seats[link.seat].visitor == visitor.id else None
