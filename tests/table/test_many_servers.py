"""Several servers with one PostgreSQL database: any server takes any request, and one of them works for each table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, house, legal, play_on

import spina
from spina import bots
from spina.errors import OptionError
from spina.table.bots import analysis, remote_pool
from spina.table.http.security import new_token
from spina.table.live import cluster, publisher
from spina.table.live.lobby import Place, Setup
from spina.table.live.room import Room
from spina.table.refusals import Refusal
from spina.table.services import Services, running
from spina.table.settings import Settings
from spina.table.store import leases, signals
from spina.table.store.verification import verify

GAMES = ("charioteer", "chariot-race", "chariotmaster")
PATIENCE = 30.0

Test = Callable[[House, House], Awaitable[None]]


@contextlib.asynccontextmanager
async def two(url: str, **settings: Any) -> AsyncIterator[tuple[House, House]]:
    async with house(url, **settings) as first, house(url, **settings) as second:
        yield first, second


def with_two(url: str, test: Test, **settings: Any) -> None:
    async def run() -> None:
        async with two(url, **settings) as (first, second), asyncio.timeout(120):
            await test(first, second)

    asyncio.run(run())


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("game", GAMES)
def test_two_servers_race_one_race_to_its_end(game: str, postgres_url: str) -> None:
    """People choose at one server and the other in turn, bots think at one of them, and all pages see the same."""

    async def test(first: House, second: House) -> None:
        people = [await first.visitor("Anna"), await second.visitor("Bruno")]
        options = {"options": {"laps": 1}} if game == "chariotmaster" else {}
        here = await first.table(people[0], game, "me", "open", "competent", **options)
        await second.lobby.sit(people[1], here.table.id)
        there = await second.rooms.room(here.table.id)
        ears = [Ear(people[0], 0), Ear(people[0], 0)]
        here.enter(ears[0], None)
        there.enter(ears[1], None)
        by = dict(enumerate(people))
        turn = 0
        await until(lambda: here.table.status == "running")
        while here.table.status == "running":
            room = (here, there)[turn % 2]
            turn += 1
            waiting = [seat for seat in room.waiting() if seat in by]
            if waiting and room.table.version >= max(here.table.version, there.table.version):
                seat = waiting[0]
                await room.play(by[seat].id, seat, [legal(room, seat, turn)], f"play-{turn}")
            await asyncio.sleep(0)
            await until(lambda: here.table.version == there.table.version or here.table.status != "running")
            if not [seat for seat in here.waiting() if seat in by]:
                await asyncio.sleep(0.002)
        await until(lambda: here.table.version == there.table.version)
        assert there.table.status == "over" and there.race is not None and here.race is not None
        assert there.race.hash() == here.race.hash()
        await ears[1].until(lambda: ears[1].state["status"] == "over")
        assert ears[0].moments == ears[1].moments
        assert not first.bot_pool.questions or not second.bot_pool.questions  # one of them thinks for the table
        assert not (await asyncio.to_thread(verify, first.store, print)).findings

    with_two(postgres_url, test)


def test_a_choice_that_another_server_has_overtaken_is_tried_again(postgres_url: str) -> None:
    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "ABCD"]
        room = await first.together("charioteer", *people)
        other = await second.rooms.room(room.table.id)
        versions = await asyncio.gather(
            *(
                (room, other)[seat % 2].play(person.id, seat, [legal(room, seat)], f"{seat}-key")
                for seat, person in enumerate(people)
            )
        )
        assert len(set(versions)) == 4
        again = [await (other, room)[seat % 2].play(people[seat].id, seat, ["?"], f"{seat}-key") for seat in range(4)]
        assert again == versions  # the same keys at the other server
        await until(lambda: room.table.version == other.table.version)
        assert room.race is not None and other.race is not None and room.race.hash() == other.race.hash()

    with_two(postgres_url, test)


def test_a_choice_comes_with_its_signal_and_is_not_read_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "ABC"]
        room = await first.together("charioteer", *people)
        other = await second.rooms.room(room.table.id)
        ear, read = Ear(people[0], 0), []
        other.enter(ear, None)
        news = second.store.news

        async def counted(table_id: str, after: int) -> Any:
            read.append(after)
            return await news(table_id, after)

        second.store.news = counted  # type: ignore[method-assign]
        for seat in range(3):
            version = await room.play(people[seat].id, seat, [legal(room, seat)], f"{seat}-key")
            await until(lambda version=version: other.table.version == version)
        assert not read and other.table.turn == room.table.turn
        assert room.race is not None and other.race is not None and room.race.hash() == other.race.hash()
        await ear.until(lambda: ear.state["version"] == version)
        assert await other.play(people[1].id, 1, ["?"], "1-key") == version - 1  # its keys are known too
        monkeypatch.setattr(signals, "LONGEST", 100)  # too long for a signal: then it is read
        version = await room.play(people[0].id, 0, [legal(room, 0)], "a-new-key")
        await until(lambda: other.table.version == version)
        assert read

    with_two(postgres_url, test)


def test_choices_at_two_servers_at_once_are_followed_by_their_signals(postgres_url: str) -> None:
    """Each turn all people choose at the same time. The server that comes second follows the first without reading."""

    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "ABCD"]
        rooms = (await first.together("charioteer", *people),)
        rooms = (*rooms, await second.rooms.room(rooms[0].table.id))
        ears = [Ear(people[0], 0), Ear(people[0], 0)]
        for room, ear in zip(rooms, ears, strict=True):
            room.enter(ear, None)
        read = []
        for kept in (first.store, second.store):
            news = kept.news

            async def counted(table_id: str, after: int, news: Any = news) -> Any:
                read.append(after)
                return await news(table_id, after)

            kept.news = counted  # type: ignore[method-assign]
        for turn in range(1, 11):
            await asyncio.gather(
                *(
                    rooms[(seat + turn) % 2].play(person.id, seat, [legal(rooms[0], seat, turn)], f"{turn}-{seat}")
                    for seat, person in enumerate(people)
                )
            )
            await until(lambda: rooms[0].table.version == rooms[1].table.version)
        assert len(read) <= 2, "only a signal that took very long"
        for ear in ears:
            await ear.until(lambda ear=ear: ear.state["version"] == rooms[0].table.version)
        assert ears[0].moments == ears[1].moments
        assert [moment["version"] for moment in ears[0].moments][-40:] == list(
            range(rooms[0].table.version - 39, rooms[0].table.version + 1)
        )

    with_two(postgres_url, test)


def test_choices_of_another_server_are_told_together_unless_they_ask_something(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "HELD_BACK", 3600.0)

    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in ("Anna", "Bruno", "Carla")]
        here = await first.together("charioteer", *people)
        there = await second.rooms.room(here.table.id)
        ear = Ear(people[2], looking=2)
        there.enter(ear, None)
        begun = len(ear.moments)
        for seat in (0, 1):
            await here.play(people[seat].id, seat, [legal(here, seat)])
        await until(lambda: there.table.version == here.table.version == begun + 2)
        assert len(ear.moments) == begun  # Carla has been asked before, and is asked nothing else
        await there.play(people[2].id, 2, [legal(there, 2)])
        assert [moment["version"] for moment in ear.moments] == list(range(1, begun + 4))
        await until(lambda: there.table.version == here.table.version)
        await there.play(people[2].id, 2, [legal(there, 2)])
        await until(lambda: there.table.version == here.table.version)
        for seat in (0, 1):
            await here.play(people[seat].id, seat, [legal(here, seat)])
        await ear.until(lambda: len(ear.moments) == begun + 6)  # the last choice reveals all: Carla has a new question

    with_two(postgres_url, test)


def test_signals_of_a_transaction_come_together_and_only_if_it_is_committed(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(first: House, second: House) -> None:
        heard: list[signals.Signal] = []
        sent: list[list[bytes]] = []
        monkeypatch.setattr(second.rooms, "heard", heard.append)
        send = signals._send
        monkeypatch.setattr(
            signals, "_send", lambda connection, payloads: (sent.append(payloads), send(connection, payloads))
        )

        def says(number: int, *, fails: bool = False) -> Callable[[Any], None]:
            def work(connection: Any) -> None:
                signals.notify(connection, signals.Signal("chat", first.store.server, "ABC", number))
                if fails:
                    raise KeyError("a mistake in the program")

            return work

        await asyncio.gather(*(first.store.write(says(number)) for number in range(1, 301)))
        await until(lambda: len(heard) == 300)
        assert [signal.number for signal in heard] == list(range(1, 301))
        assert len(sent) < 300 and max(sum(map(len, payloads)) for payloads in sent) <= signals.LONGEST
        await asyncio.gather(
            *(first.store.write(says(number, fails=number % 3 == 0)) for number in range(301, 401)),
            return_exceptions=True,
        )
        await first.store.write(says(401))
        await until(lambda: heard[-1].number == 401)
        assert [signal.number for signal in heard[300:]] == [n for n in range(301, 402) if n % 3 or n == 401]

    with_two(postgres_url, test)


def test_a_lost_signal_costs_time_only(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.2)
    monkeypatch.setattr(signals.SignalThread, "_pass_on", lambda thread, payloads: None)

    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        room = await first.together("charioteer", *people)
        other = await second.rooms.room(room.table.id)
        version = await room.play(people[0].id, 0, [legal(room, 0)], "a-key")
        await until(lambda: other.table.version == version)

    with_two(postgres_url, test)


def test_chat_and_presence_reach_the_other_server(postgres_url: str) -> None:
    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        here = await first.together("charioteer", *people)
        there = await second.rooms.room(here.table.id)
        ears = [Ear(people[0], 0), Ear(people[1], 1)]
        here.enter(ears[0], None)
        there.enter(ears[1], None)
        for room in (here, there):
            await until(lambda room=room: room.present() == {people[0].id, people[1].id})
        await ears[0].until(lambda: any("seats" in each and each["seats"][1]["here"] for each in ears[0].plain))
        await asyncio.gather(
            here.chat.say(people[0].id, "A", "Salve", "k1"), there.chat.say(people[1].id, "B", "Ave", "k2")
        )
        for room in (here, there):
            await until(lambda room=room: {said.text for said in room.chat.lines} == {"Salve", "Ave"})
        assert [said.text for said in here.chat.lines] == [said.text for said in there.chat.lines]
        late = await second.visitor("C")
        third = Ear(late)
        there.enter(third, None)
        await until(lambda: here.others.watchers == 1)
        there.leave(third)
        there.leave(ears[1])
        await until(lambda: here.present() == {people[0].id} and here.others.watchers == 0)

    with_two(postgres_url, test)


def test_bots_go_on_at_another_server_when_theirs_is_gone(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "SECONDS", 1.0)
    monkeypatch.setattr(cluster, "SECONDS", 1.0)
    monkeypatch.setattr(cluster, "RENEW", 0.1)

    async def test(first: House, second: House) -> None:
        anna = await first.visitor("Anna")
        first.bot_pool.allowed.clear()  # its bots never answer
        room = await first.table(anna, "charioteer", "me", "competent", "competent")
        there = await second.rooms.room(room.table.id)
        await there.play(anna.id, 0, [legal(there, 0)], "a-key")
        await until(lambda: len(first.bot_pool.questions) == 2)
        assert not second.bot_pool.questions
        for task in first.rooms._cluster._tasks:  # type: ignore[attr-defined]
            task.cancel()  # as if the process had been killed
        await until(lambda: 0 in there.waiting() and there.table.version > 3)
        assert second.bot_pool.questions

    with_two(postgres_url, test)


def test_pages_of_a_server_that_does_not_reach_the_database_connect_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is silent, as behind a cut cable, would keep them waiting for half a minute."""
    monkeypatch.setattr(leases, "SECONDS", 1.0)
    monkeypatch.setattr(cluster, "SECONDS", 1.0)
    monkeypatch.setattr(cluster, "RENEW", 0.1)

    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        here = await first.together("charioteer", *people)
        there = await second.rooms.room(here.table.id)
        ears = [Ear(people[0], 0), Ear(people[0], 0)]
        here.enter(ears[0], None)
        there.enter(ears[1], None)
        kept, answers = first.rooms._cluster._leases, asyncio.Event()  # type: ignore[attr-defined]
        renew = kept.renew

        async def silent(load: int) -> leases.Standing:
            await answers.wait()
            return await renew(load)

        kept.renew = silent
        await until(lambda: ears[0].parted)
        assert first.rooms.cut_off and not second.rooms.cut_off and not ears[1].parted
        answers.set()
        await until(lambda: not first.rooms.cut_off)

    with_two(postgres_url, test)


def test_leases_are_shared_by_load(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "RENEW", 0.1)

    async def test(first: House, second: House) -> None:
        anna = await first.visitor("Anna")
        for _ in range(12):
            await first.table(anna, "charioteer", "me", "competent")
        loads = [each.rooms._cluster for each in (first, second)]
        await until(lambda: sorted(each.load for each in loads) == [4, 8] or all(each.load >= 5 for each in loads))  # type: ignore[attr-defined]
        assert sum(each.load for each in loads) == 12  # type: ignore[attr-defined]

    with_two(postgres_url, test)


def test_a_clock_that_a_page_has_started_runs_at_the_server_that_works_for_the_table(postgres_url: str) -> None:
    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        room = await first.together("charioteer", *people, clock=5)
        other: Room = await second.rooms.room(room.table.id)
        assert room.on_duty() and not other.on_duty()
        before = room.clocks.deadline(0)
        other.shown(0, other.table.version)
        await until(lambda: room.clocks.deadline(0) != before)
        mine, its = room.clocks.deadline(0), other.clocks.deadline(0)
        assert mine is not None and its is not None and abs(mine - its) < 0.5
        successor = await second.reopened(other)
        kept = successor.clocks.deadline(0)
        assert kept is not None and abs(kept - its) < 0.5

    with_two(postgres_url, test)


def test_a_rematch_asked_for_at_two_servers_is_one_table(postgres_url: str) -> None:
    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        room = await first.together("chariotmaster", *people, options={"laps": 1})
        await play_on(room, dict(enumerate(people)))
        await second.rooms.room(room.table.id)
        tables = await asyncio.gather(
            first.lobby.rematch(people[0], room.table.id), second.lobby.rematch(people[1], room.table.id)
        )
        assert tables[0] == tables[1]
        again = await first.rooms.room(tables[0])
        await until(lambda: again.table.status == "running")

    with_two(postgres_url, test)


def test_whoever_has_chosen_at_one_server_finds_the_choice_at_the_other(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load balancer may send each request of a client anywhere, and signals take a moment."""
    monkeypatch.setattr(signals.SignalThread, "_pass_on", lambda thread, payloads: None)

    async def test(first: House, second: House) -> None:
        people = [await first.visitor(name) for name in "AB"]
        room = await first.together("charioteer", *people)
        await second.rooms.room(room.table.id)
        version = await room.play(people[0].id, 0, [legal(room, 0)], "a-key")
        assert (await second.rooms.room(room.table.id)).table.version == version

    with_two(postgres_url, test)


# --- servers without workers ------------------------------------------------------------------------------------------


def test_a_server_without_workers_leaves_bots_and_hints_to_another(postgres_url: str) -> None:
    async def test(serving: Services, thinking: Services) -> None:
        lobby, rooms = serving.lobby, serving.rooms
        anna = await lobby.visitor(new_token())
        table = await lobby.create(anna, Setup("charioteer", [Place("me"), Place("bot", bot="competent")]))
        room = await rooms.room(table)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        await room.play(anna.id, 0, [legal(room, 0)], "a-key")
        await ear.until(lambda: ear.state["waiting"] == [0] and len(ear.moments) >= 3)
        assert rooms.bot_pool.pids == [] and not room.on_duty()
        assert (await thinking.rooms.room(table)).on_duty()
        version, advice = await serving.hints.hint(room, anna.id, 0)
        assert version == room.table.version and advice.candidates

    async def run() -> None:
        none, one = Settings(database=postgres_url, workers=0), Settings(database=postgres_url, workers=1)
        async with running(none) as serving, running(one) as thinking, asyncio.timeout(120):
            await test(serving, thinking)

    asyncio.run(run())


def test_a_race_is_analysed_for_a_server_without_workers(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_CHOICES", 2)
    race, bot = spina.new("chariot-race", seats=2, seed=7), bots.make("competent", game="chariot-race", seed=1)
    while not race.over:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))

    async def run() -> None:
        none, one = Settings(database=postgres_url, workers=0), Settings(database=postgres_url, workers=1)
        async with running(none) as serving, running(one), asyncio.timeout(120):
            anna = await serving.lobby.visitor(new_token())
            table = await serving.lobby.import_race(anna, msgspec.json.encode(race.saved()))
            room = await serving.rooms.room(table)
            while (found := await serving.analyst.analysis(room, anna.id)).status == "working":
                await asyncio.sleep(0.05)
            assert found.choices and any(choice.checked for choice in found.choices)

    asyncio.run(run())


def test_a_thinker_whose_games_are_still_compiled_works_for_races_with_people(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(game: str) -> None:
        await asyncio.Event().wait()

    async def at_once(game: str) -> None: ...

    async def run() -> None:
        none, one = Settings(database=postgres_url, workers=0), Settings(database=postgres_url, workers=1)
        async with running(none) as serving, running(one) as thinking, asyncio.timeout(120):
            monkeypatch.setattr(thinking.warm_up, "wait", never)
            monkeypatch.setattr(thinking.warm_up, "prepare", at_once)
            anna = await serving.lobby.visitor(new_token())
            table = await serving.lobby.create(anna, Setup("charioteer", [Place("me"), Place("bot", bot="competent")]))
            room = await serving.rooms.room(table)
            ear = Ear(anna, 0)
            room.enter(ear, None)
            await room.play(anna.id, 0, [legal(room, 0)], "a-key")
            await ear.until(lambda: ear.state["waiting"] == [0] and len(ear.moments) >= 3)

    asyncio.run(run())


def test_without_a_server_that_thinks_a_hint_says_so(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_pool, "PATIENCE", 0.3)

    async def run() -> None:
        async with running(Settings(database=postgres_url, workers=0)) as serving:
            anna = await serving.lobby.visitor(new_token())
            table = await serving.lobby.create(anna, Setup("charioteer", [Place("me"), Place("bot", bot="competent")]))
            with pytest.raises(Refusal, match="bot workers"):
                await serving.hints.hint(await serving.rooms.room(table), anna.id, 0)

    asyncio.run(run())


def test_sqlite_without_workers_is_refused(sqlite_url: str) -> None:
    async def run() -> None:
        async with running(Settings(database=sqlite_url, workers=0)):
            raise AssertionError

    with pytest.raises(OptionError, match="needs bot workers"):
        asyncio.run(run())
