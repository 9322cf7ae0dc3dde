"""Late friends take over from bots or watch; people who leave a race can come back to it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from house_helpers import Ear, House, in_house, legal, play_on
from serving_helpers import Server

from spina.table.refusals import Refusal


def refusal(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda error: error.code == code)


def test_a_late_friend_with_an_invitation_takes_over_from_a_bot(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben, carla = [await house.visitor(name) for name in ("Anna", "Ben", "Carla")]
        room = await house.table(anna, "charioteer", "me", "open", "competent")
        secret = await house.invitations.link(anna, "join", room.table.id)
        await house.lobby.fill(anna, room.table.id)
        house.bot_pool.allowed.clear()  # the bots are thinking when he comes
        ear = Ear(ben)
        room.enter(ear, None)
        with refusal("full"):
            await house.invitations.use(ben, secret)  # no seat is open
        with refusal("full"):
            await house.invitations.use(ben, secret, 0)  # Anna's
        assert room.own_seats(anna.id) == [0]
        await house.invitations.use(ben, secret, 2)
        assert room.own_seats(ben.id) == [2] and room.seats[2].kind == "person" and room.seats[2].name == "Ben"
        assert ear.state["looking"] == 2 and ear.state["own"] == [2] and ear.state["offer"] is not None
        assert await house.invitations.use(ben, secret, 2) == room.table.id  # once more, after a lost answer
        with refusal("seated"):
            await house.invitations.use(ben, secret, 1)
        await room.play(ben.id, 2, [legal(room, 2)], "bens-choice")
        house.bot_pool.allowed.set()
        await room.play(anna.id, 0, [legal(room, 0)], "annas-choice")
        await ear.until(lambda: ear.state["view"]["turn"] == 2)
        assert [table.id for table in await house.lists.own(ben)] == [room.table.id]
        again = await house.reopened(room)
        assert again.own_seats(ben.id) == [2] and again.race is not None
        with refusal("unknown"):
            await house.invitations.use(carla, "no such link", 1)

    in_house(tmp_path, test)


def test_a_person_who_has_left_can_come_back_while_the_race_runs(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben, carla = [await house.visitor(name) for name in ("Anna", "Ben", "Carla")]
        room = await house.together("charioteer", anna, ben)
        secret = await house.invitations.link(anna, "join", room.table.id)
        house.bot_pool.allowed.clear()
        await house.lobby.leave(ben, room.table.id)
        seen = room.state_for(ben.id, None)
        assert seen.own == [] and seen.left == [1] and seen.seats[1].stands_in and seen.seats[1].name == "Ben"
        assert room.state_for(anna.id, 0).left == []
        assert [table.mine for table in await house.lists.own(ben)] == [True]  # his races keep it
        with refusal("full"):
            await house.invitations.use(carla, secret, 1)  # it is kept for him
        with refusal("not-yours"):
            await house.services.seating.come_back(carla, room.table.id)
        room = await house.reopened(room)
        await house.services.seating.come_back(ben, room.table.id)
        assert room.own_seats(ben.id) == [1] and not room.state_for(ben.id, 1).seats[1].stands_in
        await room.play(ben.id, 1, [legal(room, 1)], "bens-choice")
        await house.services.seating.come_back(ben, room.table.id)  # harmless

    in_house(tmp_path, test)


def test_a_rematch_keeps_no_seat_for_a_person_who_has_left(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        await house.lobby.leave(ben, room.table.id)
        await house.lobby.leave(anna, room.table.id)
        with refusal("not-yours"):
            await house.lobby.rematch(ben, room.table.id)
        carla = await house.visitor("Carla")
        room = await house.together("charioteer", anna, ben, carla)
        await house.lobby.leave(ben, room.table.id)
        while room.table.status == "running":
            if not await play_on(room, {0: anna, 2: carla}, 1):
                await asyncio.sleep(0.01)
        again = await house.rooms.room(await house.lobby.rematch(anna, room.table.id))
        assert again.seats[1].kind == "bot" and again.state_for(ben.id, None).left == []
        assert again.table.id not in [table.id for table in await house.lists.own(ben)]

    in_house(tmp_path, test)


def test_the_last_to_leave_ends_the_race_for_good_and_keeps_it_in_the_list(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "competent")
        await house.lobby.leave(anna, room.table.id)
        with refusal("over"):
            await house.services.seating.come_back(anna, room.table.id)
        assert [(table.id, table.status) for table in await house.lists.own(anna)] == [(room.table.id, "left")]

    in_house(tmp_path, test)


def test_the_page_of_an_invitation_offers_a_late_friend_what_there_is(server: Server) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("chariot-race", "me", "competent")
    path = anna.post(f"/api/tables/{table}/links", {"kind": "join"}).json["path"]
    page = ben.get(path).text
    assert "take over from a bot" in page and 'name="seat" value="1"' in page and f'href="/t/{table}"' in page
    full = anna.create("chariot-race", "me", "screen")
    path = anna.post(f"/api/tables/{full}/links", {"kind": "join"}).json["path"]
    page = ben.get(path).text
    assert "every seat is taken" in page and 'name="seat"' not in page and f'href="/t/{full}"' in page
    assert anna.post(f"/api/tables/{full}/leave").status == 200
    assert "This race is over" in ben.get(path).text
