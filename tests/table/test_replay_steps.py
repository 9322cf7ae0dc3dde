"""Replays: finished races are played again once, and what is kept of them is bounded."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from house_helpers import House, in_house, play_on

from spina.table.live import replay_steps
from spina.table.live.room import Room


async def finished(house: House) -> Room:
    people = [await house.visitor(name) for name in "AB"]
    room = await house.together("chariot-race", *people)
    await play_on(room, dict(enumerate(people)))
    assert room.table.status == "over"
    return room


def test_a_finished_race_is_replayed_once_for_each_viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed: list[int | None] = []
    original = replay_steps.replay

    def counted(room: Room, looking: int | None, begin: int, count: int, judging: bool) -> replay_steps.Replay:
        replayed.append(looking)
        return original(room, looking, begin, count, judging)

    async def test(house: House) -> None:
        room = await finished(house)
        monkeypatch.setattr(replay_steps, "replay", counted)
        for viewer in (None, 0, None, 0):
            for begin, count in ((0, 40), (3, 7), (40, 40), (10_000, 40)):
                part = await house.services.replays.part(room, viewer, begin, count, judging=True)
                plain = msgspec.json.encode(original(room, viewer, begin, count, True))
                assert msgspec.json.encode(part) == plain
        assert replayed == [None, 0]
        assert house.services.replays.bytes > 0

    in_house(tmp_path, test)


def test_a_race_that_goes_on_is_replayed_as_it_stands(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await house.together("chariot-race", *people)
        before = await house.services.replays.part(room, None, 0, 40)
        await play_on(room, dict(enumerate(people)), 3)
        after = await house.services.replays.part(room, None, 0, 40)
        assert after.total > before.total and house.services.replays.bytes == 0

    in_house(tmp_path, test)


def test_replays_that_are_kept_are_bounded_in_bytes(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        room = await finished(house)
        sizes = []
        for viewer in (None, 0, 1):
            await house.services.replays.part(room, viewer, 0, 1)
            sizes.append(house.services.replays.bytes)
        small = replay_steps.Replays(house.services.slow_requests, int(sizes[0] * 1.5))
        for viewer in (None, 0, 1):
            await small.part(room, viewer, 0, 1)
            assert small.bytes <= sizes[0] * 1.5
        assert small.bytes > 0

    in_house(tmp_path, test)
