"""A server that thinks for others gives every address its fair share, although people come to other servers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from house_helpers import Ear, House, house, legal

from spina.table.bots.bot_pool import BotPool
from spina.table.live.lobby import Place, Setup
from spina.table.live.room import Room
from spina.table.store.journal_store import Store
from spina.table.store.question_store import QuestionStore
from spina.table.store.records import Visitor

STRANGER, HONEST = "192.0.2.66", "192.0.2.1"
FLOOD = 50
PATIENCE = 60.0


@contextlib.asynccontextmanager
async def server_and_thinker(url: str) -> AsyncIterator[tuple[House, House]]:
    """A server without workers, and a thinker with one."""
    async with house(url, workers=0) as serving, house(url) as thinking:
        pool = BotPool(1)
        thinking.rooms.bot_pool = pool
        pool.start()
        try:
            yield serving, thinking
        finally:
            await thinking.rooms.close()
            await pool.close()


async def table(house: House, host: Visitor, address: str, *bots: str, seat: bool = False) -> Room:
    places = [Place("me")] * seat + [Place("bot", bot=bot) for bot in bots]
    return await house.rooms.room(await house.lobby.create(host, Setup("charioteer", places), address))


async def charged(thinking: House, room: Room) -> Room:
    """The table's room at the thinker, once it knows whom to charge."""
    async with asyncio.timeout(PATIENCE):
        while (there := thinking.rooms.opened(room.table.id)) is None or there.asker.address is None:
            await asyncio.sleep(0.01)
    return there


async def choices_of(serving: House, rooms: list[Room]) -> int:
    """The entries in the journals of some tables. A replica may follow them late on a busy machine."""
    return sum((await serving.store.versions([room.table.id for room in rooms])).values())


@pytest.mark.slow
def test_fifty_expert_tables_of_one_address_do_not_starve_another_at_a_thinker(postgres_url: str) -> None:
    async def run() -> None:
        async with server_and_thinker(postgres_url) as (serving, thinking):
            anna, eve = await serving.visitor("Anna"), await serving.visitor("Eve")
            race = await table(serving, anna, HONEST, "hard", seat=True)
            flood = [await table(serving, eve, STRANGER, "expert", "expert") for _ in range(FLOOD)]
            for room in flood:  # with somebody at each: these are no races without people
                room.enter(Ear(eve), None)
            ear = Ear(anna, looking=0)
            race.enter(ear, None)
            for room in flood:
                assert (await charged(thinking, room)).asker.address == STRANGER
            assert (await charged(thinking, race)).asker.address == HONEST
            assert not race.on_duty()
            for _ in range(4):
                before = await choices_of(serving, flood)
                async with asyncio.timeout(PATIENCE):
                    await race.play(anna.id, 0, [legal(race, 0)])
                    await ear.until(lambda: 0 in race.waiting())
                # with turns by table only, up to a hundred questions of the flood would come first
                assert await choices_of(serving, flood) - before <= 4

    asyncio.run(run())


def test_a_thinker_learns_who_is_there_and_whom_to_charge(postgres_url: str) -> None:
    """Also for people without a page, such as programs that choose over HTTP."""

    async def run() -> None:
        async with house(postgres_url, workers=0) as serving, house(postgres_url) as thinking:
            anna = await serving.visitor("Anna")
            room = await table(serving, anna, HONEST, "competent", seat=True)
            there = await charged(thinking, room)
            assert there.asker.address == HONEST and not there.is_attended()
            room.visit(anna.id, HONEST)
            async with asyncio.timeout(PATIENCE):
                while not there.is_attended():
                    await asyncio.sleep(0.01)

    asyncio.run(run())


def test_questions_of_addresses_are_taken_in_turn(postgres_url: str) -> None:
    async def run() -> None:
        store = await Store.open(postgres_url)
        questions = QuestionStore(store)
        for number in range(20):
            await questions.ask(f"flood {number}", b"?", leisurely=False, address=STRANGER)
        await questions.ask("analysis", b"?", leisurely=True, address="192.0.2.3")
        for number in range(2):
            await questions.ask(f"honest {number}", b"?", leisurely=False, address=HONEST)
        first = await questions.take(4)
        assert sorted(waiting.table for waiting in first) == ["flood 0", "flood 1", "honest 0", "honest 1"]
        assert {waiting.address for waiting in first} == {STRANGER, HONEST}
        assert sorted(waiting.table for waiting in await questions.take(3)) == ["flood 2", "flood 3", "flood 4"]
        rest = [waiting.table for waiting in await questions.take(100)]
        assert len(rest) == 16 and "analysis" in rest
        assert await questions.take(100) == []
        await store.close()

    asyncio.run(run())
