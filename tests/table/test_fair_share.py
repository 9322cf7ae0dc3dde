"""Tables of one address cannot keep the bots' workers from the tables of others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from house_helpers import Ear, House, in_house, legal

from spina.table.bots.bot_pool import BotPool
from spina.table.http.rate_limits import Buckets
from spina.table.live.lobby import Place, Setup
from spina.table.live.room import Room
from spina.table.store.records import Visitor

STRANGER, HONEST = "192.0.2.66", "192.0.2.1"
BOTS_AT_ONCE = 6


def with_workers(folder: Path, test: Callable[[House], Awaitable[Any]], **limits: int) -> None:
    """Run a test in a house where bots think in a process of their own."""

    async def run(house: House) -> None:
        pool = BotPool(1, **limits)  # type: ignore[arg-type]
        house.rooms.bot_pool = pool
        try:
            await test(house)
        finally:
            await house.rooms.close()
            await pool.close()

    in_house(folder, run)


async def table(house: House, host: Visitor, address: str, *bots: str, seat: bool = False) -> Room:
    places = [Place("me")] * seat + [Place("bot", bot=bot) for bot in bots]
    return await house.rooms.room(await house.lobby.create(host, Setup("charioteer", places), address))


async def settled(house: House, rooms: list[Room]) -> list[int]:
    """Wait until the bots have chosen something somewhere. Returns the tables' versions."""
    before = [room.table.version for room in rooms]
    async with asyncio.timeout(60):
        while [room.table.version for room in rooms] == before:
            await asyncio.sleep(0.01)
    return [room.table.version for room in rooms]


@pytest.mark.slow
def test_a_flood_of_expert_tables_does_not_delay_a_bot_elsewhere(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, eve = await house.visitor("Anna"), await house.visitor("Eve")
        race = await table(house, anna, HONEST, "easy", seat=True)
        flood = [await table(house, eve, STRANGER, *["expert"] * BOTS_AT_ONCE) for _ in range(10)]
        for room in flood:  # with somebody at each: these are no races without people
            room.enter(Ear(eve), None)
        await settled(house, flood)
        ear = Ear(anna, looking=0)
        race.visit(anna.id, HONEST)
        race.enter(ear, None)
        for _ in range(4):
            before = sum(room.table.version for room in flood)
            await race.play(anna.id, 0, [legal(race, 0)])
            await ear.until(lambda: 0 in race.waiting())
            # first come, first served: all of the sixty questions that wait come before it
            assert sum(room.table.version for room in flood) - before <= 4

    with_workers(tmp_path, test)


@pytest.mark.slow
def test_only_some_races_without_people_go_on_and_somebody_who_comes_starts_another(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        eve = await house.visitor("Eve")
        rooms = [await table(house, eve, STRANGER, *["expert"] * BOTS_AT_ONCE) for _ in range(6)]
        begun = [room.table.version for room in rooms]
        for _ in range(10):
            now = await settled(house, rooms)
        assert [now[n] > begun[n] for n in range(6)] == [True, True, False, False, False, False]
        ear = Ear(eve)
        rooms[5].visit(eve.id, STRANGER)
        rooms[5].enter(ear, None)
        await ear.until(lambda: rooms[5].table.version > begun[5] + 4)
        assert [room.table.version for room in rooms[2:5]] == begun[2:5]

    with_workers(tmp_path, test, alone_per_address=2)


def test_bots_of_a_table_count_for_the_address_that_set_it_up(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, eve = await house.visitor("Anna"), await house.visitor("Eve")
        room = await table(house, anna, HONEST, "easy", seat=True)
        room.visit(eve.id, STRANGER)
        assert room.asker.address == HONEST
        reopened = await house.reopened(room)
        assert reopened.asker.address == HONEST
        house.rooms._rooms.clear()  # as after a restart: addresses are written down nowhere
        returned = await house.reopened(reopened)
        returned.visit(eve.id, STRANGER)
        assert returned.asker.address is None
        returned.visit(anna.id, HONEST)
        assert returned.asker.address == HONEST

    with_workers(tmp_path, test)


@pytest.mark.slow
def test_bots_of_an_address_wait_when_telling_of_their_choices_has_used_up_its_time(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        house.rooms._pace = Buckets(rate=0.01, most=0.01)
        anna, eve = await house.visitor("Anna"), await house.visitor("Eve")
        flood = await table(house, eve, STRANGER, *["easy"] * BOTS_AT_ONCE)
        for _ in range(20):
            flood.enter(Ear(eve), None)
        await settled(house, [flood])
        begun, before = time.monotonic(), flood.table.version
        race = await table(house, anna, HONEST, "easy", seat=True)
        race.enter(Ear(anna, looking=0), None)
        for _ in range(5):
            async with asyncio.timeout(60):
                while 0 not in race.waiting():
                    await asyncio.sleep(0.01)
            await race.play(anna.id, 0, [legal(race, 0)])  # people never wait
        await asyncio.sleep(1.0)
        # a choice costs a fifth of a millisecond and more: there is time for less than fifty of them a second
        assert flood.table.version - before <= 60 + 50 * (time.monotonic() - begun)

    with_workers(tmp_path, test)
