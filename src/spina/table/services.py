"""The services of a running server, for the handlers of requests."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from spina.errors import OptionError
from spina.games import background_compile
from spina.table.bots.analysis import Analyst
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.hints import Hints
from spina.table.bots.remote_pool import Answering, RemotePool
from spina.table.bots.warm_up import WarmUp
from spina.table.http.rate_limits import Buckets
from spina.table.http.share_cards import ShareCards
from spina.table.http.slow_requests import CostlyWork
from spina.table.instrumentation import NO_INSTRUMENTATION, Instrumentation
from spina.table.live.branch_tables import BranchTables
from spina.table.live.cluster import Alone, Cluster
from spina.table.live.invitations import Invitations
from spina.table.live.lesson_tables import LessonTables
from spina.table.live.lobby import Lobby
from spina.table.live.replay_steps import Replays
from spina.table.live.rooms import Rooms
from spina.table.live.seating import Seating
from spina.table.live.table_lists import TableLists
from spina.table.settings import Settings
from spina.table.store.journal_store import Store
from spina.table.store.question_store import QuestionStore


@dataclass(frozen=True, slots=True)
class Services:
    """All services of a server. Each service gets only what it needs; the handlers of requests get all of them."""

    settings: Settings
    store: Store
    rooms: Rooms
    warm_up: WarmUp
    slow_requests: CostlyWork
    lobby: Lobby
    seating: Seating
    invitations: Invitations
    lists: TableLists
    hints: Hints
    analyst: Analyst
    replays: Replays
    branches: BranchTables
    lessons: LessonTables
    share_cards: ShareCards

    @classmethod
    def of(cls, settings: Settings, store: Store, rooms: Rooms) -> Services:
        """The services on top of a store and its rooms."""
        slow_requests = CostlyWork(settings)
        lobby, seating = Lobby(store, rooms, slow_requests, settings), Seating(rooms)
        return cls(
            settings=settings,
            store=store,
            rooms=rooms,
            warm_up=rooms.warm_up,
            slow_requests=slow_requests,
            lobby=lobby,
            seating=seating,
            invitations=Invitations(store, rooms, lobby, seating),
            lists=TableLists(store, rooms),
            hints=Hints(rooms.bot_pool),
            analyst=Analyst(rooms.bot_pool),
            replays=Replays(slow_requests, settings.replay_bytes),
            branches=BranchTables(lobby, slow_requests, settings),
            lessons=LessonTables(lobby, rooms, slow_requests),
            share_cards=ShareCards(slow_requests.do),
        )

    async def close(self) -> None:
        """Stop rooms, slow work and analysis. Call it before the bot pool and the store are closed."""
        await self.rooms.close()
        self.slow_requests.close()
        await self.analyst.close()


@contextlib.asynccontextmanager
async def running(settings: Settings, instruments: Instrumentation = NO_INSTRUMENTATION) -> AsyncIterator[Services]:
    """Open the database, start bots and rooms, and close all of them at the end."""
    store = await Store.open(settings.database, patience=settings.database_wait)
    store.report_to(instruments)
    if not store.shared and not settings.workers:
        await store.close()
        raise OptionError("a server with an SQLite database is alone with it and needs bot workers: at least 1")
    warm_up, url = WarmUp(), settings.origins[0] if settings.origins else None
    cluster = Cluster(store, thinks=settings.workers > 0, url=url) if store.shared else Alone()
    questions = QuestionStore(store)
    if settings.workers:
        bot_pool = BotPool(
            settings.workers,
            alone_at_once=settings.races_without_people,
            alone_per_address=settings.races_without_people_per_address,
            allowed=settings.bots,
            can_search=warm_up.ready,
            instruments=instruments,
        )
    else:
        bot_pool = remote = RemotePool(questions, allowed=settings.bots, can_search=warm_up.ready)
        cluster.when("answered", lambda signal: remote.heard_answer(signal.table))
    answering = Answering(questions, bot_pool)
    pace = Buckets(settings.bots_per_second, settings.bots_at_once)
    rooms = Rooms(store, bot_pool, warm_up, pace, cluster, instruments)
    services = Services.of(settings, store, rooms)
    background_compile.disable()
    warm_up.start()
    bot_pool.start()
    if store.shared and settings.workers:
        cluster.when("asked", lambda signal: answering.heard_question())
        answering.start()
    await rooms.start()
    try:
        yield services
    finally:
        await services.close()
        await answering.close()
        await bot_pool.close()
        await warm_up.close()
        await store.close()


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that handles this connection; `app.create` sets them."""
    services: Services = connection.app.state.services
    return services
