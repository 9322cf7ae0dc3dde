"""The lobby: visitors, setting up tables, taking and leaving seats, rematches, links, and lists of tables."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import secrets
import time
from typing import Any, Literal

import msgspec

from spina import replay
from spina.errors import OptionError, SaveError, SpinaError
from spina.games import find
from spina.games import names as game_names
from spina.games.driver_names import CHARIOTEERS
from spina.games.editions import Edition
from spina.games.game import Game
from spina.games.pictures import FACTIONS
from spina.race import Race
from spina.save_file import Saved
from spina.table.bots.bot_pool import accepted
from spina.table.http import addresses
from spina.table.http.display_text import clean_name
from spina.table.http.rate_limits import Buckets
from spina.table.http.slow_requests import CostlyWork
from spina.table.live.commitment import SEED_BITS, commit
from spina.table.live.room import Room
from spina.table.live.rooms import REMATCH_WAIT, Rooms, edition_of
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Link, Seat, Table, Visitor, Watching

DAY = 86_400
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
SECRET_BYTES = 18
LISTED = 24
SHORTEST_CLOCK = 5


class Place(msgspec.Struct, forbid_unknown_fields=True):
    """A requested seat."""

    kind: Literal["me", "open", "bot", "screen"]
    bot: str | None = None
    name: str | None = None


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    """A requested race."""

    game: str
    seats: list[Place]
    options: dict[str, Any] = {}
    edition: str | None = None
    """The text of an edition file."""
    clock: int | None = None
    """Seconds for a choice."""
    watching: Watching = "all"
    first: bool = False
    hints: bool | None = None
    """Whether people may ask for hints; None: yes, unless people on several devices race against each other."""


class Summary(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    status: str
    names: list[str]
    kinds: list[str]
    turn: int
    waiting_for_me: bool
    mine: bool
    open_seats: int
    created: float
    ended: float | None
    winners: list[str]
    watching: str


class Lobby:
    """What people can do before and after a race."""

    def __init__(self, store: Store, rooms: Rooms, slow_requests: CostlyWork, settings: Settings) -> None:
        self._store, self._rooms, self._slow_requests, self._settings = store, rooms, slow_requests, settings
        self._tables = Buckets(settings.tables_per_day_per_address / DAY, settings.tables_at_once_per_address)
        self._visitors = Buckets(settings.visitors_per_day_per_address / DAY, settings.visitors_at_once_per_address)

    # --- visitors ----------------------------------------------------------------------------------------------------

    async def visitor(self, token: str) -> Visitor:
        """The visitor with this token. A new visitor is stored only by `remember`."""
        token_hash = hashed(token)
        known = await self._store.visitor_by_token(token_hash)
        if known is not None:
            return known
        now = time.time()
        colour = int(token_hash[:2], 16) % len(FACTIONS)
        name = f"Auriga {int(token_hash[2:6], 16) % 90 + 10}"
        return Visitor(id=token_hash[:16], token_hash=token_hash, name=name, colour=colour, created=now, seen=now)

    async def remember(self, visitor: Visitor) -> Visitor:
        """Store a visitor unless that is done already."""
        if not visitor.id:
            raise Refusal("no-visitor", say("table.no-visitor"))
        if await self._store.visitor(visitor.id) is None:
            _take(self._visitors, "table.too-many-visitors")
            await self._store.add_visitor(visitor)
        return visitor

    async def change(
        self, visitor: Visitor, *, name: str | None = None, colour: int | None = None, language: str | None = None
    ) -> None:
        """Change a visitor's name, colour or language. Raises OptionError."""
        changes: dict[str, Any] = {}
        if name is not None:
            changes["name"] = clean_name(name)
        if colour is not None:
            if not 0 <= colour < len(FACTIONS):
                raise OptionError(say("table.colour", last=len(FACTIONS) - 1, colour=colour))
            changes["colour"] = colour
        if language is not None:
            changes["language"] = language
        await self.remember(visitor)
        if changes:
            await self._store.change_visitor(visitor.id, **changes)
            for key, value in changes.items():
                setattr(visitor, key, value)

    # --- setting up --------------------------------------------------------------------------------------------------

    async def check(self, setup: Setup) -> dict[str, Any]:
        """Check whether a race can be set up like this. Raises SpinaError with the problem."""
        game, edition, options = await self._checked(setup)
        prices = getattr(game, "points_of", None)
        return {"points": prices(edition, options) if prices else None, "options": options}

    async def _checked(self, setup: Setup) -> tuple[Game, Edition, dict[str, Any]]:
        """Check a set-up. With an edition this runs in a thread, because parsing is slow."""
        if setup.edition is None:
            return self._check_setup(setup)
        return await self._slow_requests.do(lambda: self._check_setup(setup))

    def _check_setup(self, setup: Setup) -> tuple[Game, Edition, dict[str, Any]]:
        game = find(setup.game)
        if len(setup.seats) not in game.seat_counts:
            low, high = game.seat_counts[0], game.seat_counts[-1]
            raise OptionError(
                say("option.seats", option="seats", title=game.title, low=low, high=high, seats=len(setup.seats))
            )
        if setup.clock is not None and not SHORTEST_CLOCK <= setup.clock <= 7 * DAY:
            raise OptionError(say("table.clock", least=SHORTEST_CLOCK, seconds=setup.clock))
        known = accepted(setup.game, self._settings.bots)
        for place in setup.seats:
            if place.kind == "bot" and place.bot not in known:
                raise OptionError(say("option.no-bot", name=place.bot, title=game.title, known=", ".join(known)))
            if place.name is not None:
                clean_name(place.name)
        if sum(place.kind == "me" for place in setup.seats) > 1:
            raise OptionError(say("table.one-seat-is-yours", option="seats"))
        edition = game.reference() if setup.edition is None else game.parse_edition(setup.edition, "edition")
        return game, edition, game.check_options(len(setup.seats), setup.options, edition)

    async def create(self, visitor: Visitor, setup: Setup, address: str | None = None) -> str:
        """Set a table up; it starts at once when no seat is open. Returns its id.

        `address` is the visitor's: the worker time of the table's bots is charged to it.
        """
        game, edition, options = await self._checked(setup)
        await self._check_allowance(visitor)
        await self.remember(visitor)
        table = self._table(visitor, game, edition, len(setup.seats), options)
        table.clock, table.watching, table.first = setup.clock, setup.watching, setup.first
        alone = all(place.kind != "open" for place in setup.seats)
        table.hints = alone if setup.hints is None else setup.hints
        seats = [self._seat(table.id, visitor, number, place) for number, place in enumerate(setup.seats)]
        await self._store.add_table(table, seats)
        if all(seat.kind != "open" for seat in seats):
            await self._rooms.begin_race(await self._rooms.room(table.id, address))
        return table.id

    async def race_now(self, visitor: Visitor, game: str, address: str | None = None) -> str:
        """Set up a race against bots and start it at once."""
        found = find(game)
        rivals = [Place("bot", bot=found.default_driver) for _ in found.line_up[1:]]
        return await self.create(visitor, Setup(game, [Place("me"), *rivals], watching="link"), address)

    async def _check_allowance(self, visitor: Visitor) -> None:
        made = await self._store.count_tables(visitor.id, time.time() - DAY)
        if made >= self._settings.tables_per_day:
            raise Refusal("too-many", say("table.tables-a-day", most=self._settings.tables_per_day))
        _take(self._tables, "table.too-many-tables")

    def _table(self, visitor: Visitor, game: Game, edition: Edition, seats: int, options: dict[str, Any]) -> Table:
        seed, salt = secrets.randbits(SEED_BITS), secrets.token_hex(16)
        return Table(
            id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
            game=game.name,
            rules=game.rules_version,
            seats=seats,
            options=options,
            edition=edition.hash,
            edition_text=game.kept_text(edition),
            seed=seed,
            salt=salt,
            commitment=commit(seed, salt),
            host=visitor.id,
            created=time.time(),
        )

    def _seat(self, table: str, visitor: Visitor, number: int, place: Place) -> Seat:
        match place.kind:
            case "me":
                return Seat(table=table, seat=number, kind="person", visitor=visitor.id, name=visitor.name)
            case "screen":
                return Seat(
                    table=table, seat=number, kind="screen", visitor=visitor.id, name=clean_name(place.name or "")
                )
            case "bot":
                return Seat(table=table, seat=number, kind="bot", bot=place.bot, name=CHARIOTEERS[number])
            case "open":
                return Seat(table=table, seat=number, kind="open")

    # --- sitting down and leaving ------------------------------------------------------------------------------------

    async def sit(self, visitor: Visitor, table_id: str, seat: int | None = None) -> int:
        """Take a seat that is open, or accept a rematch. Returns the seat's number."""
        await self.remember(visitor)
        room = await self._rooms.room(table_id)
        if accepted := await self._accept(visitor, room):
            return accepted[0]
        taken = -1

        async def take(room: Room) -> int:
            nonlocal taken
            if room.table.status != "open":
                raise Refusal("full", say("table.started"))
            free = [place.seat for place in room.seats if place.kind == "open"]
            if seat is not None and seat not in free:
                raise Refusal("full", say("table.seat-not-open", seat=seat))
            if not free:
                raise Refusal("full", say("table.no-seat-open"))
            if own := room.own_seats(visitor.id):
                raise Refusal("seated", say("table.seated", seat=own[0]))
            taken = free[0] if seat is None else seat
            place = Seat(table=table_id, seat=taken, kind="person", visitor=visitor.id, name=visitor.name)
            return await room.note("seat", taken, seats=[place])

        await room.change(take)
        if room.complete:
            await self._rooms.begin_race(room)
        return taken

    async def _accept(self, visitor: Visitor, room: Room) -> list[int]:
        """Accept a rematch, which begins when the last person has accepted. Returns the seats that had not accepted."""
        accepted: list[int] = []

        async def accept(room: Room) -> int:
            own = [seat for seat in room.seats if seat.visitor == visitor.id and seat.away]
            if room.table.status != "open" or not own:
                return room.table.version
            accepted.extend(seat.seat for seat in own)
            seats = [msgspec.structs.replace(seat, away=False) for seat in own]
            return await room.note("accept", own[0].seat, seats=seats)

        await room.change(accept)
        if room.table.status == "open" and room.complete:
            await self._rooms.begin_race(room)
        return accepted

    async def fill(self, visitor: Visitor, table_id: str, bot: str | None = None) -> None:
        """Start now, for the host: bots take the open seats."""
        room = await self._rooms.room(table_id)
        if room.table.host != visitor.id:
            raise Refusal("not-yours", say("table.host-starts"))
        bot = bot or find(room.table.game).default_driver
        if bot not in accepted(room.table.game, self._settings.bots):
            raise OptionError(say("table.no-bot", bot=bot))

        async def fill(room: Room) -> int:
            if room.table.status != "open":
                raise Refusal("full", say("table.started"))
            if room.begins is not None:
                raise Refusal("not-now", say("table.rematch-waits"))
            seats = [
                Seat(table=table_id, seat=place.seat, kind="bot", bot=bot, name=CHARIOTEERS[place.seat])
                for place in room.seats
                if place.kind == "open"
            ]
            return await room.note("seat", seats=seats)

        await room.change(fill)
        await self._rooms.begin_race(room)

    async def leave(self, visitor: Visitor, table_id: str) -> None:
        """Give up a visitor's seats: they become open before the start, and a bot's afterwards.

        The last person to leave ends the race.
        """
        room = await self._rooms.room(table_id)

        async def go(room: Room) -> int:
            own = room.own_seats(visitor.id)
            if not own:
                raise Refusal("not-yours", say("table.no-seat-of-yours"))
            stand_in = find(room.table.game).default_driver
            seats = [
                Seat(table=table_id, seat=seat, kind="bot", bot=stand_in, name=room.seats[seat].name) for seat in own
            ]
            if room.table.status == "open":
                free = [Seat(table=table_id, seat=seat, kind="open") for seat in own]
                if room.table.host == visitor.id:
                    return await room.note("left", seats=free, changes={"status": "left", "ended": time.time()})
                # a rematch begins if this was the last person it waited for
                return await room.note("seat", own[0], seats=free if room.begins is None else seats)
            if room.table.status != "running":
                raise Refusal("over", say("race.over"))
            others = [place for place in room.seats if place.visitor not in (None, visitor.id)]
            if others:
                return await room.note("seat", own[0], seats=seats)
            return await room.note("left", own[0], seats=seats, changes={"status": "left", "ended": time.time()})

        await room.change(go)
        if room.table.status == "open" and room.complete:
            await self._rooms.begin_race(room)

    async def rematch(self, visitor: Visitor, table_id: str, address: str | None = None) -> str:
        """Set up or accept a rematch: the same race for the same people. Returns the id of its table.

        The first request sets the table up, those of the others accept. The race begins when all have accepted, or
        after `rooms.REMATCH_WAIT` with stand-ins for those who have not.
        """
        room = await self._rooms.room(table_id)
        if not room.own_seats(visitor.id):
            raise Refusal("not-yours", say("table.rematch-not-yours"))
        if room.table.status not in ("over", "left"):
            raise Refusal("not-started", say("table.not-over"))
        if room.table.edition_text is not None:
            await asyncio.to_thread(edition_of, room.table)  # read beside the event loop, and remembered

        async def again(room: Room) -> int:
            old = room.table
            if old.rematch and (await self._rooms.table(old.rematch)).status != "left":
                return old.version
            await self._check_allowance(visitor)
            game = find(old.game)
            edition = game.reference() if old.edition_text is None else game.parse_edition(old.edition_text, "edition")
            table = self._table(visitor, game, edition, old.seats, old.options)
            table.clock, table.watching, table.first = old.clock, old.watching, old.first
            table.hints = old.hints
            # seats rotate by one, for a fair share of starting places, except where options belong to single seats:
            # teams, and chariots that were built for one driver
            personal = any(isinstance(value, list) and _differ(value) for value in old.options.values())
            turned = list(room.seats) if personal else [*room.seats[1:], room.seats[0]]
            seats = [
                msgspec.structs.replace(seat, table=table.id, seat=number, away=seat.visitor not in (None, visitor.id))
                for number, seat in enumerate(turned)
            ]
            await self._store.add_table(table, seats)
            room.begins = time.monotonic() + REMATCH_WAIT if any(seat.away for seat in seats) else None
            return await room.note("rematch", changes={"rematch": table.id})

        await room.change(again)
        assert room.table.rematch is not None
        await self._accept(visitor, await self._rooms.room(room.table.rematch, address))
        return room.table.rematch

    # --- links -------------------------------------------------------------------------------------------------------

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
        await self.remember(visitor)
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

    async def _taken_by(self, visitor: Visitor, secret: str) -> str | None:
        """The table, if the visitor already has the link's seat: a retry after a lost response must succeed."""
        link = await self._store.link(hashed(secret))
        if link is None or link.kind != "seat" or link.seat is None or not visitor.id:
            return None
        room = await self._rooms.room(link.table)
        return link.table if room.seats[link.seat].visitor == visitor.id else None

    async def use(self, visitor: Visitor, secret: str) -> str:
        """Take the seat that a link leads to. Returns the table's id. Idempotent for the visitor who has that seat."""
        if (taken := await self._taken_by(visitor, secret)) is not None:
            return taken
        link = await self.followed(secret)
        await self.remember(visitor)
        if link.kind == "join":
            room = await self._rooms.room(link.table)
            if not room.own_seats(visitor.id):
                await self.sit(visitor, link.table)
            return link.table
        room = await self._rooms.room(link.table)
        if link.seat is None:
            raise Refusal("malformed", say("table.link-not-to-seat"))
        if room.seats[link.seat].kind == "open":
            await self.sit(visitor, link.table, link.seat)
            await self._store.use_link(link.secret_hash, time.time())
            return link.table
        if room.seats[link.seat].visitor != link.visitor:
            raise Refusal("used", say("table.link-seat-gone"))
        if not await self._store.use_link(link.secret_hash, time.time()):
            raise Refusal("used", say("table.link-used"))
        seat = link.seat

        async def move(room: Room) -> int:
            if room.seats[seat].visitor != link.visitor:
                raise Refusal("used", say("table.link-seat-gone"))
            return await room.note("seat", seat, seats=[msgspec.structs.replace(room.seats[seat], visitor=visitor.id)])

        await room.change(move)
        return link.table

    # --- lists -------------------------------------------------------------------------------------------------------

    async def own(self, visitor: Visitor) -> list[Summary]:
        rows = await self._store.tables_of(visitor.id, LISTED)
        for table, _ in rows:
            if table.status == "running" and self._rooms.warm_up.ready(table.game):
                with contextlib.suppress(SpinaError):  # without its room, a summary lacks the waiting seats
                    await self._rooms.room(table.id)
        return [self._summary(table, seats, visitor.id) for table, seats in rows]

    async def open_tables(self, visitor: Visitor | None = None) -> list[Summary]:
        rows = await self._store.open_tables(LISTED)
        free = [(table, seats) for table, seats in rows if any(seat.kind == "open" for seat in seats)]
        return [self._summary(table, seats, visitor.id if visitor else None) for table, seats in free]

    async def finished(self, visitor: Visitor | None = None) -> list[Summary]:
        rows = await self._store.finished_tables(LISTED)
        return [self._summary(table, seats, visitor.id if visitor else None) for table, seats in rows]

    def _summary(self, table: Table, seats: list[Seat], visitor: str | None) -> Summary:
        room = self._rooms.opened(table.id)
        mine = visitor is not None and any(seat.visitor == visitor for seat in seats)
        waiting = room.waiting() if room is not None else []
        winners = table.ranking[0] if table.ranking else []
        return Summary(
            id=table.id,
            game=table.game,
            status=table.status,
            names=[seat.name for seat in seats],
            kinds=[seat.kind for seat in seats],
            turn=table.turn,
            waiting_for_me=any(seats[seat].visitor == visitor and not seats[seat].away for seat in waiting)
            if mine
            else False,
            mine=mine,
            open_seats=sum(seat.kind == "open" for seat in seats),
            created=table.created,
            ended=table.ended,
            winners=[seats[seat].name for seat in winners],
            watching=table.watching,
        )

    # --- race files --------------------------------------------------------------------------------------------------

    async def export(self, table_id: str) -> bytes:
        """The file of a finished race, as `spina replay` reads it."""
        room = await self._rooms.room(table_id)
        if room.table.status != "over" or room.race is None:
            raise Refusal("not-started", say("table.file-when-over"))
        return msgspec.json.format(msgspec.json.encode(room.race.saved()), indent=1)

    async def import_race(self, visitor: Visitor, data: bytes) -> str:
        """Import a finished race from a file as a new table to watch. Raises SaveError."""
        saved = await self._slow_requests.do(lambda: replay.parse(data, say("save.the-file")))
        if not saved.over or saved.race is None or isinstance(saved.race.origin, dict):
            raise SaveError(say("save.not-to-watch"))
        if saved.game not in game_names():
            raise SaveError(say("save.no-game", game=saved.game))
        await self._check_allowance(visitor)
        await self.remember(visitor)
        race, entries = await self._slow_requests.do(lambda: _journal_of(saved))
        table = self._table(visitor, race.game, race.edition, race.seats, race.options)
        assert isinstance(race.origin, int)
        table.rules, table.seed = race.rules, race.origin
        table.commitment = commit(table.seed, table.salt)
        table.watching, now = "link", time.time()
        table.status = "left"  # until its journal is stored
        entries = [msgspec.structs.replace(entry, table=table.id, at=now) for entry in entries]
        seats = [Seat(table=table.id, seat=seat, kind="bot", name=CHARIOTEERS[seat]) for seat in range(race.seats)]
        await self._store.add_table(table, seats)
        await self._store.record(
            table.id,
            entries,
            changes={"status": "over", "started": now, "ended": now, "turn": race.turn, "ranking": race.ranking},
        )
        return table.id


def _take(buckets: Buckets, code: str) -> None:
    """Take a token for the address of the request. Raises Refusal with this sentence if the rate limit is exceeded."""
    address = addresses.current()
    if address and not buckets.take(address):
        retry = max(1, math.ceil(min(buckets.of(address).wait(1.0), DAY)))
        raise Refusal("too-many", say(code, retry=retry), retry=retry)


def _differ(values: list[Any]) -> bool:
    return any(value != values[0] for value in values)


def anonymous_visitor() -> Visitor:
    """The visitor of a request without a token."""
    return Visitor(id="", token_hash="", name="", colour=0, created=0.0, seen=0.0)


def _journal_of(saved: Saved) -> tuple[Race, list[Entry]]:
    """Replay a race from its file. Returns it with the journal that it would have had. Raises SaveError."""
    race, kept = replay.begin(saved)
    if kept.pending:
        raise SaveError(say("save.pending"))
    entries = [Entry(table="", version=1, kind="start", at=0.0)]
    replayed = replay.replaying(saved)
    next(replayed)
    for (seat, action), race in zip(kept.actions, replayed, strict=True):
        known = race.hash() if race.settled else None
        entries.append(
            Entry(table="", version=len(entries) + 1, kind="play", seat=seat, actions=[action], hash=known, at=0.0)
        )
    return race, [*entries, Entry(table="", version=len(entries) + 1, kind="over", at=0.0)]


def hashed(secret: str) -> str:
    """The hash under which a secret is stored, so that a reader of the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
