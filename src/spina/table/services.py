"""The services of a running server, for the handlers of requests."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from spina.table.bots.analysis import Analyst
from spina.table.bots.hints import Hints
from spina.table.bots.warm_up import WarmUp
from spina.table.http.slow_requests import CostlyWork
from spina.table.live.lobby import Lobby
from spina.table.live.replay_steps import Replays
from spina.table.live.rooms import Rooms
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
    hints: Hints
    analyst: Analyst
    replays: Replays

    @classmethod
    def of(cls, settings: Settings, store: Store, rooms: Rooms) -> Services:
        """The services on top of a store and its rooms."""
        slow_requests = CostlyWork(settings)
        return cls(
            settings=settings,
            store=store,
            rooms=rooms,
            warm_up=rooms.warm_up,
            slow_requests=slow_requests,
            lobby=Lobby(store, rooms, slow_requests, settings),
            hints=Hints(rooms.bot_pool),
            analyst=Analyst(rooms.bot_pool),
            replays=Replays(slow_requests, settings.replay_bytes),
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
