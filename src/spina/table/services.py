"""The services of a running server, for the handlers of requests."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from spina.table.bots.analysis import Analyst
from spina.table.bots.hints import Hints
from spina.table.bots.warm_up import WarmUp
from spina.table.http.share_cards import ShareCards
from spina.table.http.slow_requests import CostlyWork
from spina.table.live.branch_tables import BranchTables
from spina.table.live.invitations import Invitations
from spina.table.live.lesson_tables import LessonTables
from spina.table.live.lobby import Lobby
from spina.table.live.replay_steps import Replays
from spina.table.live.rooms import Rooms
from spina.table.live.seating import Seating
from spina.table.live.table_lists import TableLists
from spina.table.settings import Settings
from spina.table.store.journal_store import Store


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


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that handles this connection; `app.create` sets them."""
    services: Services = connection.app.state.services
    return services
