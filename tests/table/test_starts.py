"""Tables begin from a position: it is kept, sealed, verified, taken away, imported, and not shown while it runs."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, in_house, play_on
from sqlalchemy import Connection, text

import spina
from spina.errors import OptionError, PositionError, SaveError, SpinaError
from spina.table.live import replay_steps, starts
from spina.table.live.lobby import Place, Setup
from spina.table.live.room import Room
from spina.table.store.records import Visitor
from spina.table.store.verification import verify
from spina.testing import finish

POSITIONS: dict[str, dict[str, Any]] = {
    "charioteer": {"chariots": [{"progress": 60, "damage": 2}, {"progress": 62, "attack": 1}], "turn": 9},
    "chariot-race": {
        "chariots": [{"space": "i3", "lap": 1, "speed": 8}, {"space": "o3", "lap": 1}],
        "round": 5,
        "options": {"board": "AB"},
    },
    "chariotmaster": {"chariots": [{"progress": 300, "offset": 60}, {"progress": 300, "offset": -60}], "turn": 4},
}
every_game = pytest.mark.parametrize("game", POSITIONS)


async def from_position(house: House, host: Visitor, game: str, **setup: Any) -> Room:
    return await house.table(host, game, "me", "random", position=POSITIONS[game], **setup)


async def to_the_end(room: Room, host: Visitor) -> Ear:
    ear = Ear(host, 0)
    room.enter(ear, None)
    while room.table.status == "running":
        await play_on(room, {0: host})
        await ear.until(lambda: room.table.status == "over" or 0 in room.waiting())
    return ear


@every_game
@pytest.mark.slow
def test_a_race_from_a_position_is_raced_verified_taken_away_and_imported(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await from_position(house, anna, game)
        assert room.race is not None
        seed = room.table.seed
        placed = spina.position(game, {**POSITIONS[game], "seed": seed})
        assert room.race.options == placed.options == room.table.options
        ear = await to_the_end(room, anna)
        first = ear.plain[0]["state"]
        assert first["start"] == {"kind": "position", "table": None, "moment": None, "fingerprint": None}
        again = await house.reopened(room)
        assert again.race is not None and room.race is not None
        assert again.race.hash() == room.race.hash() and again.race.origin == placed.origin
        assert (await asyncio.to_thread(verify, house.store)).findings == []

        state = again.state_for(anna.id, 0)
        assert state.start is not None and state.start.fingerprint is not None
        opened = f"{state.seed}:{state.salt}:{state.start.fingerprint}"
        assert hashlib.sha256(opened.encode()).hexdigest() == first["commitment"]
        file = msgspec.json.decode(await house.lobby.export(room.table.id))
        part = {"format": 1, "origin": file["race"]["origin"], "branches": []}
        plain = msgspec.json.encode(part, order="sorted")
        assert hashlib.sha256(plain).hexdigest() == state.start.fingerprint

        shown = replay_steps.replay(again, 0, 0, 1, False)
        assert shown.standings[0].view == placed.view(0)
        other = await house.rooms.room(await house.lobby.import_race(anna, msgspec.json.encode(file)))
        assert msgspec.json.decode(await house.lobby.export(other.table.id)) == file
        assert (await asyncio.to_thread(verify, house.store)).findings == []
        assert await house.lists.finished(anna) == []

    in_house(tmp_path, test)


def test_while_it_runs_neither_seed_nor_position_is_told(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        hand = ["red-5 red-5 green-2", "red-5 red-5 yellow-4"]
        position = {"chariots": [{"progress": 60}, {"progress": 62, "hand": hand}]}
        house.bot_pool.allowed.clear()
        room = await house.table(anna, "charioteer", "me", "random", position=position)
        ears = [Ear(anna, 0), Ear("spectator")]
        for ear in ears:
            room.enter(ear, None)
        await room.play(anna.id, 0, [str(room.race.legal(0)[0])])  # type: ignore[union-attr]
        for ear in ears:
            said = msgspec.json.encode(ear.plain).decode()
            assert str(room.table.seed) not in said and room.table.salt not in said
            assert starts.fingerprint(room.table.start) not in said  # type: ignore[operator]
            assert "red-5 red-5 green-2" not in said
        with pytest.raises(SpinaError):
            await house.lobby.export(room.table.id)

    in_house(tmp_path, test)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seats": [Place("me"), Place("open")]}, "no seat can be open"),
        ({"seats": [Place("me"), Place("bot", bot="easy"), Place("bot", bot="easy")]}, "for 2 seats, not 3"),
        ({"position": {**POSITIONS["charioteer"], "seed": 4}}, "leave it out"),
        ({"position": {"chariots": [{"progress": 60}, {"progress": 6000}]}}, "progress"),
        ({"position": {"chariots": [{"progress": 60}, {"horses": 6}]}}, "horses"),
        ({"position": {}}, "chariots"),
        ({"position": {"chariots": [{}] * 40}}, "2 to 6 chariots"),
        ({"options": {"board": "AB"}}, "leave out those of the set-up"),
    ],
)
def test_a_position_that_cannot_be_is_refused_and_leaves_no_table(
    change: dict[str, Any], says: str, tmp_path: Path
) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        setup = Setup("charioteer", [Place("me"), Place("bot", bot="easy")], position=POSITIONS["charioteer"])
        setup = msgspec.structs.replace(setup, **change)
        for refused in (house.lobby.check(setup), house.lobby.create(anna, setup)):
            with pytest.raises((OptionError, PositionError), match=says):
                await refused
        assert await house.lists.own(anna) == []

    in_house(tmp_path, test)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET start = NULL",
        "UPDATE tables SET start = replace(start, '62', '63')",
        "UPDATE tables SET start = '{}'",
        "UPDATE tables SET start = replace(start, 'branches', 'twigs')",
        "UPDATE tables SET seed = '4'",
    ],
)
def test_a_changed_position_is_found(statement: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        await from_position(house, anna, "charioteer")

        def tamper(connection: Connection) -> None:
            assert connection.execute(text(statement)).rowcount == 1

        await house.store._writer.write(tamper)
        (finding,) = (await asyncio.to_thread(verify, house.store)).findings
        assert "committed" in finding.text

    in_house(tmp_path, test)


def test_a_start_of_another_format_is_refused_with_a_reason() -> None:
    for bad in ({}, {"format": 2}, {"format": 1}, {"format": 1, "origin": 1, "seats": 3}):
        with pytest.raises(SaveError, match="begins"):
            starts.read(bad)


@every_game
def test_a_rematch_begins_from_the_same_position_with_new_luck(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await from_position(house, anna, game)
        await house.lobby.leave(anna, room.table.id)
        with pytest.raises(SpinaError):
            await house.lobby.rematch(anna, room.table.id)  # who left has no seat
        room = await from_position(house, anna, game, clock=600)
        assert room.race is not None
        await to_the_end(room, anna)
        other = await house.rooms.room(await house.lobby.rematch(anna, room.table.id))
        first, second = room.table.start, other.table.start
        assert first is not None and second is not None
        assert {**first["origin"], "seed": 0} == {**second["origin"], "seed": 0}
        assert room.table.seed != other.table.seed == second["origin"]["seed"]
        assert [seat.kind for seat in other.seats] == [seat.kind for seat in room.seats]

    in_house(tmp_path, test)


def test_files_of_positions_and_branches_come_back_as_they_went(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        for game, data in POSITIONS.items():
            race = finish(spina.branch(spina.position(game, data), 1, 2**63), 4)
            file = msgspec.json.encode(race.saved())
            room = await house.rooms.room(await house.lobby.import_race(anna, file))
            taken = msgspec.json.decode(await house.lobby.export(room.table.id))
            assert taken == msgspec.json.decode(file)
            assert room.table.seed == 2**63
        assert (await asyncio.to_thread(verify, house.store)).findings == []

    in_house(tmp_path, test)
