""" "Try it from here": a table at a moment of a finished race shows a seat what it saw, with the rest dealt anew."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import House, in_house, play_on
from serving_helpers import Client, Server, race_on

import spina
from spina.errors import SpinaError
from spina.table.live import starts
from spina.table.live.replay_steps import at_moment, replayed
from spina.table.live.room import Room
from spina.table.refusals import Refusal
from spina.table.store.verification import verify
from spina.testing import without_readiness

every_game = pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])


async def finished_race(house: House, game: str, seats: int = 3) -> Room:
    anna = await house.visitor("Anna")
    room = await house.table(anna, game, *["screen"] * seats, options={})
    await play_on(room, dict.fromkeys(range(seats), anna))
    assert room.table.status == "over"
    return room


@every_game
@pytest.mark.slow
def test_at_random_moments_the_seat_sees_what_it_saw(game: str, tmp_path: Path) -> None:
    chance = random.Random(game)

    async def test(house: House) -> None:
        ben = await house.visitor("Ben")
        house.bot_pool.allowed.clear()  # bots wait, so that the table stands as it began
        room = await finished_race(house, game)
        last, hashes = len(replayed(room)) - 1, set()
        for moment in [0, *chance.sample(range(1, last - 1), 12)]:
            seat = chance.randrange(room.table.seats)
            then = at_moment(room, moment)
            if then.over:
                continue
            id_ = await house.services.branches.open(ben, room, moment, seat)
            other = await house.rooms.room(id_)
            if then.retractable(seat):
                then.retract(seat)  # asked for again
            assert other.race is not None and other.own_seats(ben.id) == [seat]
            assert without_readiness(other.race.view(seat)) == without_readiness(then.view(seat))
            assert (seat in other.waiting()) == (seat in then.to_act)
            state = msgspec.json.decode(msgspec.json.encode(other.state_for(ben.id, seat)))
            assert without_readiness(state["view"]) == without_readiness(
                json.loads(msgspec.json.encode(then.view(seat)))
            )
            if seat in then.to_act:
                assert state["offer"] == json.loads(msgspec.json.encode(then.offer(seat)))
            assert state["start"] == {"kind": "moment", "table": room.table.id, "moment": moment, "fingerprint": None}
            hashes.add(other.race.hash())
            assert other.race.hash() != then.hash()
            assert [place.kind for place in other.seats].count("bot") == room.table.seats - 1
        assert len(hashes) > 8
        assert (await asyncio.to_thread(verify, house.store)).findings == []

    in_house(tmp_path, test)


@every_game
def test_a_race_from_a_moment_is_raced_to_its_end_verified_and_branched_off_again(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ben = await house.visitor("Ben")
        room = await finished_race(house, game, 2)
        for number in range(3):
            moment = next(k for k in range(len(replayed(room)) // 2, -1, -1) if not at_moment(room, k).over)
            other = await house.rooms.room(await house.services.branches.open(ben, room, moment, number % 2))
            async with asyncio.timeout(60):
                while other.table.status == "running":
                    await play_on(other, {number % 2: ben})
                    await asyncio.sleep(0)
            assert other.race is not None and len(other.race.branches) == number + 1
            again = await house.reopened(other)
            assert again.race is not None and again.race.hash() == other.race.hash()
            room = again
        file = await house.lobby.export(room.table.id)
        copy = await house.rooms.room(await house.lobby.import_race(ben, file))
        assert msgspec.json.decode(await house.lobby.export(copy.table.id)) == msgspec.json.decode(file)
        rematch = await house.rooms.room(await house.lobby.rematch(ben, room.table.id))
        assert rematch.table.start is not None and room.table.start is not None
        old, new = starts.read(room.table.start), starts.read(rematch.table.start)
        assert old.branches[:-1] == new.branches[:-1] and old.branches[-1].seed != new.branches[-1].seed
        assert (new.table, new.moment) == (old.table, old.moment)
        assert (await asyncio.to_thread(verify, house.store)).findings == []
        assert room.table.id not in [each.id for each in await house.lists.finished(ben)]

    in_house(tmp_path, test)


def test_what_cannot_be_tried_is_refused_and_leaves_no_table(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ben = await house.visitor("Ben")
        room = await finished_race(house, "charioteer", 2)
        last = len(replayed(room)) - 1
        open_branch = house.services.branches.open
        for moment, seat, bot, code in (
            (last, 0, None, "over"),
            (last + 1, 0, None, "malformed"),
            (3, 2, None, "malformed"),
        ):
            with pytest.raises(Refusal) as refused:
                await open_branch(ben, room, moment, seat, bot=bot)
            assert refused.value.code == code
        with pytest.raises(SpinaError, match="no bot"):
            await open_branch(ben, room, 3, 0, bot="nero")
        running = await house.table(ben, "charioteer", "me", "random")
        with pytest.raises(Refusal) as refused:
            await open_branch(ben, running, 0, 0)
        assert refused.value.code == "not-started"
        assert [each.id for each in await house.lists.own(ben)] == [running.table.id]

    in_house(tmp_path, test)


# --- over HTTP --------------------------------------------------------------------------------------------------------


def view_at(client: Client, table: str, moment: int, seat: int) -> Any:
    part = client.get(f"/api/tables/{table}/moments", seat=seat, begin=moment, count=1).json
    return part["standings"][0]["view"]


def asked_now(view: Any, seat: int) -> bool:
    """Whether the seat owes a choice of which it has made no step."""
    begun = view["game"] == "charioteer" and view["choice"]["stage"] != "token"
    return seat in view["to_act"] and not begun


@every_game
def test_over_http_a_table_opens_at_a_moment_and_goes_on(server: Server, game: str) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create(game, "me", "competent", watching="link")
    refused = anna.post(f"/api/tables/{table}/branch", {"moment": 0, "seat": 0})
    assert (refused.status, refused.json["error"]) == (409, "not-started")
    race_on(anna, table, 0, seed=5)
    total = anna.get(f"/api/tables/{table}/moments", begin=0, count=1).json["total"]
    chance = random.Random(7)
    tried = 0
    while tried < 4:
        moment = chance.randrange(total - 2)
        view = view_at(ben, table, moment, 0)
        if not asked_now(view, 0):
            continue
        made = ben.post(f"/api/tables/{table}/branch", {"moment": moment, "seat": 0, "bot": "random"})
        assert made.status == 200, made.text
        seen = ben.see(made.json["id"], seat=0)
        assert without_readiness(seen["state"]["view"]) == without_readiness(view)
        assert seen["state"]["own"] == [0] and seen["legal"] and seen["state"]["seed"] is None
        tried += 1
    state = race_on(ben, made.json["id"], 0, seed=6)
    assert state["status"] == "over" and state["start"]["fingerprint"]
    file = ben.get(f"/t/{made.json['id']}/file")
    assert spina.replay.replay(spina.replay.parse(file.body)).over
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as database:
        kept = database.execute("SELECT start FROM tables WHERE id = ?", [made.json["id"]]).fetchone()
    assert json.loads(kept[0])["table"] == table


def test_over_http_what_is_wrong_is_refused(server: Server) -> None:
    anna = server.visitor("Anna")
    table = anna.create("charioteer", "me", "random")
    race_on(anna, table, 0, seed=5)
    path = f"/api/tables/{table}/branch"
    for body, status in (
        ({}, 400),
        ({"moment": -1, "seat": 0}, 400),
        ({"moment": 1, "seat": 5}, 400),
        ({"moment": 1_000_000, "seat": 0}, 400),
        ({"moment": 1, "seat": 0, "bot": "nero"}, 422),
        ({"moment": 1, "seat": 0, "extra": 1}, 400),
    ):
        assert anna.post(path, body).status == status, body
    assert anna.post("/api/tables/nowhere/branch", {"moment": 1, "seat": 0}).status == 404
    private = anna.create("charioteer", "me", "random", watching="none")
    race_on(anna, private, 0, seed=5)
    assert server.visitor("Ben").post(f"/api/tables/{private}/branch", {"moment": 1, "seat": 0}).status == 403
