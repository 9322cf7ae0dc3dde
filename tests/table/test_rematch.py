"""Rematches: they begin when everybody has accepted, or after a while with stand-ins for those who have not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from house_helpers import PATIENCE, Ear, House, in_house, legal, play_on

from spina.table.live import rooms
from spina.table.live.room import Room
from spina.table.refusals import Refusal
from spina.table.store.records import Visitor


def refusal(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda error: error.code == code)


async def raced(house: House, *people: Visitor, **setup: Any) -> Room:
    """A race of these people, to its end."""
    room = await house.together("charioteer", *people, **setup)
    await play_on(room, dict(enumerate(people)))
    assert room.table.status == "over"
    return room


async def until_running(room: Room) -> None:
    async with asyncio.timeout(PATIENCE):
        while room.table.status != "running":
            await asyncio.sleep(0.02)


@pytest.mark.slow
def test_a_rematch_keeps_seats_and_colours_and_is_set_up_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        await house.lobby.change(people[0], colour=4)
        room = await house.together("charioteer", *people, clock=600, watching="none")
        assert room.colours() == [4, 0, 2]
        with refusal("not-started"):
            await house.lobby.rematch(people[0], room.table.id)
        await play_on(room, dict(enumerate(people)))
        with refusal("not-yours"):
            await house.lobby.rematch(await house.visitor("Stranger"), room.table.id)
        found = await asyncio.gather(*(house.lobby.rematch(person, room.table.id) for person in people))
        assert len(set(found)) == 1 and found[0] != room.table.id
        again = await house.rooms.room(found[0])
        assert [seat.name for seat in again.seats] == ["A", "B", "C"]
        assert again.own_seats(people[0].id) == [0] and again.colours() == [4, 0, 2]
        assert again.table.status == "running" and again.table.clock == 600 and again.table.watching == "none"
        assert again.table.seed != room.table.seed
        assert room.table.rematch == again.table.id

    in_house(tmp_path, test)


def test_a_rematch_begins_with_the_last_who_accepts_and_no_clock_runs_before(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        stranger = await house.visitor("Stranger")
        room = await raced(house, *people, clock=60)
        old = Ear(people[1], 1)
        room.enter(old, None)
        again = await house.rooms.room(await house.lobby.rematch(people[0], room.table.id))
        assert old.state["rematch"] == again.table.id and 50 < old.state["begins"] <= rooms.REMATCH_WAIT
        ear = Ear(people[0], 0)
        again.enter(ear, None)
        assert ear.state["status"] == "open" and 50 < ear.state["begins"] <= rooms.REMATCH_WAIT
        assert [seat.get("away", False) for seat in ear.state["seats"]] == [False, True, True]
        assert ear.state["deadline"] is None and ear.state["waiting"] == []
        with refusal("full"):
            await house.lobby.sit(stranger, again.table.id)  # the seats are kept for those who raced
        with refusal("not-now"):
            await house.lobby.fill(people[0], again.table.id)
        assert await house.lists.open_tables(stranger) == []
        await house.lobby.rematch(people[1], room.table.id)
        assert ear.state["status"] == "open" and ear.moments[-1]["kind"] == "accept"
        assert await house.lobby.sit(people[2], again.table.id) == 2  # at the new table's page
        assert ear.state["status"] == "running" and ear.state["begins"] is None
        assert not any(seat.get("away") for seat in ear.state["seats"])
        assert ear.state["deadline"] == 60 and ear.state["starts"] > 0

    in_house(tmp_path, test)


@pytest.mark.slow
def test_after_the_stated_time_stand_ins_drive_for_those_who_have_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "REMATCH_WAIT", 0.3)

    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await raced(house, *people)
        again = await house.rooms.room(await house.lobby.rematch(people[0], room.table.id))
        assert again.table.status == "open"
        await until_running(again)
        assert [seat.away for seat in again.seats] == [False, True]
        assert await house.lobby.rematch(people[1], room.table.id) == again.table.id  # too late, but not shut out
        await again.back(people[1].id, 1)
        await again.play(people[1].id, 1, [legal(again, 1)])
        assert not again.seats[1].away

    in_house(tmp_path, test)


@pytest.mark.slow
def test_a_rematch_that_waits_survives_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await raced(house, *people)
        again = await house.rooms.room(await house.lobby.rematch(people[0], room.table.id))
        again = await house.reopened(again)
        assert again.table.status == "open" and [seat.away for seat in again.seats] == [False, True]
        assert again.begins is not None
        again.close()
        monkeypatch.setattr(rooms, "REMATCH_WAIT", 0.2)
        await house.rooms.start()  # nobody opens its page
        async with asyncio.timeout(PATIENCE):
            while (await house.stored(again)).status != "running":
                await asyncio.sleep(0.02)

    in_house(tmp_path, test)


@pytest.mark.slow
def test_whoever_declines_a_rematch_is_replaced_at_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await raced(house, *people)
        again = await house.rooms.room(await house.lobby.rematch(people[0], room.table.id))
        await house.lobby.leave(people[1], again.table.id)
        assert again.table.status == "open" and again.seats[1].kind == "bot"
        await house.lobby.rematch(people[2], room.table.id)
        assert again.table.status == "running" and again.seats[2].kind == "person"

    in_house(tmp_path, test)


@pytest.mark.slow
def test_a_rematch_that_was_called_off_can_be_asked_for_again(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await raced(house, *people)
        off = await house.lobby.rematch(people[0], room.table.id)
        await house.lobby.leave(people[0], off)
        assert (await house.rooms.room(off)).table.status == "left"
        again = await house.lobby.rematch(people[1], room.table.id)
        assert again != off and room.table.rematch == again
        assert (await house.rooms.room(again)).table.status == "open"

    in_house(tmp_path, test)


@pytest.mark.slow
def test_a_rematch_against_bots_begins_at_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "longest", "screen")
        async with asyncio.timeout(PATIENCE):
            while room.table.status == "running":
                await play_on(room, {0: anna, 2: anna}, 1)
                await asyncio.sleep(0)
        again = await house.rooms.room(await house.lobby.rematch(anna, room.table.id))
        assert again.table.status == "running" and again.begins is None

    in_house(tmp_path, test)
