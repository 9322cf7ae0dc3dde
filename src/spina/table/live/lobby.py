"""The lobby: visitors, setting up tables, taking and leaving seats, rematches, race files."""

from __future__ import annotations

import asyncio
import hashlib
import math
import secrets
import time
from typing import Any, Literal

import msgspec

from spina import replay
from spina.errors import OptionError, SaveError
from spina.games import find
from spina.games import names as game_names
from spina.games.driver_names import CHARIOTEERS
from spina.games.editions import Edition
from spina.games.factions import FACTIONS
from spina.games.game import Game
from spina.race import Race
from spina.table.bots.bot_pool import accepted
from spina.table.http import addresses
from spina.table.http.display_text import clean_name
from spina.table.http.rate_limits import Buckets
from spina.table.http.slow_requests import CostlyWork
from spina.table.live import starts
from spina.table.live.commitment import SEED_BITS, commit
from spina.table.live.race_files import journal_of, names_of
from spina.table.live.room import Room
from spina.table.live.rooms import REMATCH_WAIT, Rooms
from spina.table.live.seat_colours import seated
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings
from spina.table.store.journal_store import Store
from spina.table.store.records import Seat, Table, Visitor, Watching

DAY = 86_400
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
RIVALS_AFTER_LESSON = 2
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
    position: dict[str, Any] | None = None
    """Where the race begins, as `spina.position` takes it, without a seed; it brings its own options."""


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
        name = f"Auriga {int(token_hash[2:6], 16) % 90 + 10}"
        return Visitor(id=token_hash[:16], token_hash=token_hash, name=name, colour=0, created=now, seen=now)

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
        """Check a set-up. With an edition or a position this runs in a thread, because it is slow."""
        if setup.position is not None:
            find(setup.game)
            await self._rooms.warm_up.prepare(setup.game)
        elif setup.edition is None:
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
        if setup.position is None:
            return game, edition, game.check_options(len(setup.seats), setup.options, edition)
        if setup.options:
            raise OptionError(say("table.position-options", option="options"))
        return game, edition, _placed(setup, edition).options

    async def create(self, visitor: Visitor, setup: Setup, address: str | None = None) -> str:
        """Set a table up; it starts at once when no seat is open. Returns its id.

        `address` is the visitor's: the worker time of the table's bots is charged to it.
        """
        game, edition, options = await self._checked(setup)
        await self.check_allowance(visitor)
        await self.remember(visitor)
        table = self._table(visitor, game, edition, len(setup.seats), options)
        if setup.position is not None:
            starts.give(table, await self._slow_requests.do(lambda: _placed(setup, edition)))
        table.clock, table.watching, table.first = setup.clock, setup.watching, setup.first
        alone = all(place.kind != "open" for place in setup.seats)
        table.hints = alone if setup.hints is None else setup.hints
        seats = [self._seat(table.id, visitor, number, place) for number, place in enumerate(setup.seats)]
        for own in [seat for seat in seats if seat.kind == "person"]:
            for changed in seated(table, seats, own, None, visitor.colour):
                seats[changed.seat] = changed
        await self._store.add_table(table, seats)
        if all(seat.kind != "open" for seat in seats):
            await self._rooms.begin_race(await self._rooms.room(table.id, address))
        return table.id

    async def race_now(self, visitor: Visitor, game: str, address: str | None = None) -> str:
        """Set up a race against bots and start it at once."""
        found = find(game)
        rivals = [Place("bot", bot=found.default_driver) for _ in found.line_up[1:]]
        return await self.create(visitor, Setup(game, [Place("me"), *rivals], watching="link"), address)

    async def race_after_lesson(self, visitor: Visitor, game: str, address: str | None = None) -> str:
        """Set up a race against two of the weakest bots, with the options of a first race, and start it."""
        found = find(game)
        settings = found.settings(found.reference())
        options = {setting.name: setting.first for setting in settings if setting.first is not None}
        rivals = [Place("bot", bot=next(iter(found.levels))) for _ in range(RIVALS_AFTER_LESSON)]
        setup = Setup(game, [Place("me"), *rivals], options=options, watching="link")
        return await self.create(visitor, setup, address)

    async def open_at(
        self,
        visitor: Visitor,
        race: Race,
        seats: list[Seat],
        *,
        source: tuple[str, int] | None = None,
        lesson: bool = False,
        address: str | None = None,
    ) -> str:
        """Set up a table for one device whose race begins where this one stands, and start it. Returns its id.

        Call `check_allowance` before.
        """
        await self.remember(visitor)
        table = self._table(visitor, race.game, race.edition, race.seats, race.options)
        starts.give(table, race, source)
        table.watching, table.hints, table.lesson = "link", not lesson, lesson
        await self._store.add_table(table, [msgspec.structs.replace(seat, table=table.id) for seat in seats])
        await self._rooms.begin_race(await self._rooms.room(table.id, address))
        return table.id

    async def check_allowance(self, visitor: Visitor) -> None:
        """Count a table that the visitor is about to set up. Raises Refusal if there were too many."""
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

    async def sit(self, visitor: Visitor, table_id: str, seat: int | None = None, colour: int | None = None) -> int:
        """Take a seat that is open, or accept a rematch. Returns the seat's number.

        Without a colour the seat gets the visitor's preferred one, if no other person has it.
        """
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
            place.colour = room.seats[taken].colour
            return await room.note("seat", taken, seats=seated(room.table, room.seats, place, colour, visitor.colour))

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
                msgspec.structs.replace(place, kind="bot", bot=bot, name=CHARIOTEERS[place.seat])
                for place in room.seats
                if place.kind == "open"
            ]
            return await room.note("seat", seats=seats)

        await room.change(fill)
        await self._rooms.begin_race(room)

    async def leave(self, visitor: Visitor, table_id: str) -> None:
        """Give up a visitor's seats: they become open before the start, and a bot's afterwards.

        While the race runs, the visitor can come back (`Seating.come_back`). The last person to leave ends the race.
        """
        room = await self._rooms.room(table_id)

        async def go(room: Room) -> int:
            own = room.own_seats(visitor.id)
            if not own:
                raise Refusal("not-yours", say("table.no-seat-of-yours"))
            stand_in = find(room.table.game).default_driver
            seats = [
                msgspec.structs.replace(
                    room.seats[seat], kind="bot", visitor=None, bot=stand_in, away=False, left_by=visitor.id
                )
                for seat in own
            ]
            if room.table.status == "open":
                free = [msgspec.structs.replace(seat, kind="open", name="", bot=None, left_by=None) for seat in seats]
                if room.table.host == visitor.id:
                    return await room.note("left", seats=free, changes={"status": "left", "ended": time.time()})
                # a rematch begins if this was the last person it waited for
                return await room.note("seat", own[0], seats=free if room.begins is None else seats)
            if room.table.status != "running":
                raise Refusal("over", say("race.over"))
            others = [place for place in room.seats if place.visitor not in (None, visitor.id)]
            if others:
                return await room.note("gone", own[0], seats=seats)
            return await room.note("left", own[0], seats=seats, changes={"status": "left", "ended": time.time()})

        await room.change(go)
        if room.table.status == "open" and room.complete:
            await self._rooms.begin_race(room)

    async def rematch(self, visitor: Visitor, table_id: str, address: str | None = None) -> str:
        """Set up or accept a rematch: the same race for the same people, in their seats and colours. Returns its table.

        The first request sets the table up, those of the others accept. The race begins when all have accepted, or
        after `rooms.REMATCH_WAIT` with stand-ins for those who have not.
        """
        room = await self._rooms.room(table_id)
        if not room.own_seats(visitor.id):
            raise Refusal("not-yours", say("table.rematch-not-yours"))
        if room.table.status not in ("over", "left"):
            raise Refusal("not-started", say("table.not-over"))
        if room.table.edition_text is not None:
            await asyncio.to_thread(starts.edition_of, room.table)  # read beside the event loop, and remembered

        async def again(room: Room) -> int:
            old = room.table
            if old.rematch and (await self._rooms.table(old.rematch)).status != "left":
                return old.version
            await self.check_allowance(visitor)
            game = find(old.game)
            edition = game.reference() if old.edition_text is None else game.parse_edition(old.edition_text, "edition")
            table = self._table(visitor, game, edition, old.seats, old.options)
            table.clock, table.watching, table.first = old.clock, old.watching, old.first
            table.hints = old.hints
            if old.start is not None:  # from the same position, with new luck
                starts.give(table, starts.again(old, edition), starts.source(old))
            seats = [
                msgspec.structs.replace(seat, table=table.id, away=seat.visitor not in (None, visitor.id), left_by=None)
                for seat in room.seats
            ]
            room.begins = time.monotonic() + REMATCH_WAIT if any(seat.away for seat in seats) else None
            return await room.note("rematch", changes={"rematch": table.id}, following=(table, seats))

        await room.change(again)
        assert room.table.rematch is not None
        await self._accept(visitor, await self._rooms.room(room.table.rematch, address))
        return room.table.rematch

    # --- race files --------------------------------------------------------------------------------------------------

    async def export(self, table_id: str) -> bytes:
        """The file of a finished race, as `spina replay` reads it."""
        room = await self._rooms.room(table_id)
        if room.table.status != "over" or room.race is None:
            raise Refusal("not-started", say("table.file-when-over"))
        saved = room.race.saved()
        names = [seat.name for seat in room.seats]
        if names != list(CHARIOTEERS[: len(names)]):
            saved.names = names
        return msgspec.json.format(msgspec.json.encode(saved), indent=1)

    async def import_race(self, visitor: Visitor, data: bytes) -> str:
        """Import a finished race from a file as a new table to watch. Raises SaveError."""
        saved = await self._slow_requests.do(lambda: replay.parse(data, say("save.the-file")))
        if not saved.over or saved.race is None:
            raise SaveError(say("save.not-to-watch"))
        if saved.game not in game_names():
            raise SaveError(say("save.no-game", game=saved.game))
        await self.check_allowance(visitor)
        await self.remember(visitor)
        await self._rooms.warm_up.load(saved.game)
        race, entries = await self._slow_requests.do(lambda: journal_of(saved))
        table = self._table(visitor, race.game, race.edition, race.seats, race.options)
        starts.give(table, race)
        table.watching, now = "link", time.time()
        table.status = "left"  # until its journal is stored
        entries = [msgspec.structs.replace(entry, table=table.id, at=now) for entry in entries]
        names = names_of(saved)
        seats = [Seat(table=table.id, seat=seat, kind="raced", name=names[seat]) for seat in range(race.seats)]
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


def _placed(setup: Setup, edition: Edition) -> Race:
    assert setup.position is not None
    return starts.placed(setup.game, setup.position, edition, [place.kind for place in setup.seats])


def anonymous_visitor() -> Visitor:
    """The visitor of a request without a token."""
    return Visitor(id="", token_hash="", name="", colour=0, created=0.0, seen=0.0)


def hashed(secret: str) -> str:
    """The hash under which a secret is stored, so that a reader of the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
