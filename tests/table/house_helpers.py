"""A lobby and its rooms without a network, in the event loop of a test; and ears that listen at a table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from spina.games import get
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fair_queue import Asker
from spina.table.bots.worker import advise, choose
from spina.table.bots.worker_messages import AdviceData, AdviceQuestion, Question
from spina.table.http.security import new_token
from spina.table.live import protocol
from spina.table.live.cluster import Alone, Cluster
from spina.table.live.listener import Listener
from spina.table.live.lobby import Place, Setup
from spina.table.live.room import Room
from spina.table.live.rooms import Rooms
from spina.table.services import Services
from spina.table.settings import Settings
from spina.table.store.journal_store import Store
from spina.table.store.records import Table, Visitor

T = TypeVar("T")
PATIENCE = 30.0


class InProcessBots:
    """Bots that think in this process, at once or when they are allowed to."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.inquiries: list[AdviceQuestion] = []
        self.allowed = asyncio.Event()
        self.allowed.set()
        self.can_search: Callable[[str], bool] = lambda game: True

    is_warming_up = BotPool.is_warming_up

    async def choose(self, question: Question, asker: Asker | None = None) -> str:
        self.questions.append(question)
        await asyncio.sleep(0)
        await self.allowed.wait()
        return choose(msgspec.structs.replace(question, bot="random"))

    def attend(self, asker: Asker) -> None:
        """All are answered at once, whoever asks."""

    async def advise(
        self, inquiry: AdviceQuestion, asker: Asker | None = None, *, leisurely: bool = False
    ) -> AdviceData:
        """Hasty advice: always of the same few imagined races, however long they take."""
        self.inquiries.append(inquiry)
        await asyncio.sleep(0)
        await self.allowed.wait()
        return advise(msgspec.structs.replace(inquiry, iterations=8, milliseconds=60_000.0))


class ReadyGames:
    """All games are compiled, unless a test says otherwise."""

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self.prepared: list[str] = []
        self.on_change: Callable[[str], object] = lambda game: None

    def ready(self, game: str) -> bool:
        return game not in self.missing

    is_over = ready

    async def prepare(self, game: str) -> None:
        self.prepared.append(game)
        await self.wait(game)

    async def wait(self, game: str) -> None:
        get(game)

    async def load(self, game: str) -> bool:
        get(game)
        return True


class Ear(Listener):
    """Somebody at a table who remembers everything."""

    def __init__(self, visitor: Visitor | str, looking: int | None = None) -> None:
        self.visitor = visitor if isinstance(visitor, str) else visitor.id
        self.looking, self.version = looking, 0
        self.heard: list[protocol.Outgoing] = []
        self.parted = False
        self._news = asyncio.Event()

    def tell(self, message: protocol.Outgoing) -> None:
        self.heard.append(message)
        self._news.set()

    def part(self) -> None:
        self.parted = True
        self._news.set()

    @property
    def plain(self) -> list[dict[str, Any]]:
        """What was heard, as a page reads it."""
        return [msgspec.json.decode(msgspec.json.encode(message)) for message in self.heard]

    @property
    def moments(self) -> list[dict[str, Any]]:
        return [moment for message in self.plain for moment in message.get("moments", [])]

    @property
    def state(self) -> dict[str, Any]:
        return dict(next(message["state"] for message in reversed(self.plain) if "state" in message))

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so that comes with a message."""
        async with asyncio.timeout(PATIENCE):
            while not happened():
                self._news.clear()
                await self._news.wait()


class House:
    """Everything that a server has, but the network."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        cluster = Cluster(store, thinks=settings.workers > 0) if store.shared else Alone()
        self.bot_pool, self.warm_up = InProcessBots(), ReadyGames()
        self.bot_pool.can_search = self.warm_up.ready
        self.rooms = Rooms(store, self.bot_pool, self.warm_up, cluster=cluster)  # type: ignore[arg-type]
        self.services = Services.of(settings, store, self.rooms)
        self.lobby, self.lists = self.services.lobby, self.services.lists
        self.invitations = self.services.invitations

    async def visitor(self, name: str) -> Visitor:
        visitor = await self.lobby.visitor(new_token())
        await self.lobby.change(visitor, name=name)
        return visitor

    async def table(self, host: Visitor, game: str, *kinds: str, **setup: Any) -> Room:
        """A table with seats of these kinds: me, open, screen, or a bot's name."""
        places = [Place(kind) if kind in ("me", "open", "screen") else Place("bot", bot=kind) for kind in kinds]  # type: ignore[arg-type]
        return await self.rooms.room(await self.lobby.create(host, Setup(game, places, **setup)))

    async def together(self, game: str, *visitors: Visitor, **setup: Any) -> Room:
        """A running race of these people."""
        room = await self.table(visitors[0], game, "me", *["open"] * (len(visitors) - 1), **setup)
        for visitor in visitors[1:]:
            await self.lobby.sit(visitor, room.table.id)
        return room

    async def reopened(self, room: Room) -> Room:
        """The same table, as after a restart of the server."""
        room.close()
        return await self.rooms.room(room.table.id)

    async def stored(self, room: Room) -> Table:
        table = await self.store.table(room.table.id)
        assert table is not None
        return table


@contextlib.asynccontextmanager
async def house(folder: Path | str, **settings: Any) -> AsyncIterator[House]:
    """A server with an SQLite file in a folder, or with the database at an address."""
    url = folder if isinstance(folder, str) else f"sqlite:///{folder / 'table.db'}"
    store = await Store.open(url)
    made = House(store, Settings(database=url, **settings))
    if store.shared:
        await made.rooms.start()
    try:
        yield made
    finally:
        await made.rooms.close()
        await store.close()


def in_house(folder: Path, test: Callable[[House], Awaitable[T]], **settings: Any) -> T:
    """Run a test that needs an event loop."""

    async def run() -> T:
        async with house(folder, **settings) as made, asyncio.timeout(120):
            return await test(made)

    return asyncio.run(run())


def legal(room: Room, seat: int, number: int = 0) -> str:
    """A whole choice that a seat may make now."""
    assert room.race is not None
    race = room.race.copy()
    before = len(race.log)
    while len(race.log) == before:
        found = race.legal(seat)
        race.play(seat, found[number % len(found)])
    return str(race.log[-1][1])


async def play_on(room: Room, by: dict[int, Visitor], choices: int = 10_000) -> int:
    """Let people choose in their turn until the race is over, or so many times. Returns how often they chose."""
    for made in range(choices):
        waiting = [seat for seat in room.waiting() if seat in by]
        if not waiting:
            return made
        seat = waiting[made % len(waiting)]
        await room.play(by[seat].id, seat, [legal(room, seat, made * 7)], f"play-{room.table.version}-{seat}")
    return choices
