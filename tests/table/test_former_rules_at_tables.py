"""Tables whose races began by former rules are shown, go on, can be taken away and are verified."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from house_helpers import Ear, House, in_house

from spina import replay
from spina.games import get
from spina.save_file import Saved
from spina.table.live import starts
from spina.table.store.records import Entry, Seat, Table
from spina.table.store.verification import verify

FORMER = Path(__file__).parents[1] / "former_rules"
FILES = sorted(FORMER.glob("*.json"))

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


async def running_table(house: House, saved: Saved, choices: int) -> str:
    """A table that a server of the version before has left in the middle of its race, with bots in all seats."""
    assert saved.race is not None
    hashes = dict(saved.race.hashes)
    table = Table(
        id="former", game=saved.game, rules=saved.rules, seats=saved.seats, options=saved.options,
        edition=saved.edition, edition_text=saved.edition_text, seed=0, salt="5a17", commitment="",
        host="gaius", created=1.0, started=1.0, status="running",
    )  # fmt: skip
    starts.give(table, replay.begin(saved)[0])
    seats = [Seat(table="former", seat=seat, kind="bot", bot="random") for seat in range(saved.seats)]
    entries = [Entry(table="former", version=1, kind="start", at=1.0)]
    for number, (seat, action) in enumerate(saved.race.actions[:choices], start=1):
        entries.append(
            Entry(
                table="former",
                version=number + 1,
                kind="play",
                seat=seat,
                actions=[action],
                hash=hashes.get(number),
                at=1.0,
            )
        )
    await house.store.add_table(table, seats)
    await house.store.record("former", entries)
    return "former"


@pytest.mark.slow
@every_file
def test_a_race_of_former_rules_goes_on_after_an_upgrade(file: Path, tmp_path: Path) -> None:
    saved = replay.read(file)
    assert saved.race is not None
    choices = len(saved.race.actions) * 3 // 4

    async def test(house: House) -> None:
        room = await house.rooms.room(await running_table(house, saved, choices))
        ear = Ear("spectator")
        room.enter(ear, None)
        await ear.until(lambda: ear.state["status"] == "over")
        assert room.race is not None and room.race.rules == saved.rules
        again = await house.reopened(room)
        assert again.race is not None and again.race.hash() == room.race.hash()
        verified = await asyncio.to_thread(verify, house.store)
        assert (verified.races, verified.findings) == (1, [])
        taken = json.loads(await house.lobby.export("former"))
        assert taken["rules"] == saved.rules

    in_house(tmp_path, test)


@every_file
def test_a_file_of_former_rules_can_be_imported_and_watched(file: Path, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        table = await house.lobby.import_race(anna, file.read_bytes())
        room = await house.rooms.room(table)
        saved = replay.read(file)
        assert room.table.rules == saved.rules < get(saved.game).rules_version
        assert saved.race is not None and room.race is not None
        assert room.race.hash() == saved.race.hashes[-1][1]
        assert (await asyncio.to_thread(verify, house.store)).findings == []

    in_house(tmp_path, test)
