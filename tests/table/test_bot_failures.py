"""A race goes on however its bots fail, and the log says once why: bots in real worker processes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from house_helpers import House, in_house

import spina
from spina.games import find
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fallbacks import random_choice
from spina.table.bots.worker_messages import Question
from spina.table.live.room import Room
from spina.table.store.verification import verify

GAMES = spina.game_names()
LIMIT = 8.0
"""Seconds for a choice: more than a sensible bot needs on a busy machine, less than one that sleeps."""


def with_workers(folder: Path, test: Callable[[House], Awaitable[Any]], limit: float = LIMIT) -> None:
    """Run a test in a house whose bots think in worker processes."""

    async def run(house: House) -> None:
        pool = house.rooms.bot_pool = BotPool(1, limit=limit)
        try:
            await test(house)
        finally:
            await house.rooms.close()
            await pool.close()

    in_house(folder, run)


async def choices_made(room: Room, wanted: int) -> None:
    """Wait until bots have chosen so many times, or the race is over."""
    async with asyncio.timeout(110):
        while room.table.status == "running" and sum(told.kind == "play" for told in room.told) < wanted:
            await asyncio.sleep(0.02)


def failures(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if " failed, and " in record.getMessage()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mood", "choices", "cause"),
    [
        ("raises", 8, "ZeroDivisionError: a mistake in the bot"),
        ("lies", 8, "'fly to the moon' is not allowed"),
        ("dies", 2, "3 workers in a row died while longest thought about charioteer"),
        ("sleeps", 1, "longest took longer than 8 s in charioteer"),
    ],
)
def test_a_simpler_bot_chooses_where_one_fails(
    mood: str,
    choices: int,
    cause: str,
    moods: Callable[[str], None],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    moods(f"longest:{mood}")
    asked: list[tuple[Question, str]] = []

    async def test(house: House) -> None:
        choose = house.rooms.bot_pool.choose

        async def noted(question: Question, **more: Any) -> str:
            action = await choose(question, **more)
            asked.append((question, action))
            return action

        house.rooms.bot_pool.choose = noted  # type: ignore[method-assign]
        room = await house.table(await house.visitor("Anna"), "charioteer", "me", "longest")
        await choices_made(room, 1)
        for _ in range(choices - 1):
            made = sum(told.kind == "play" for told in room.told)
            await room.play(room.seats[0].visitor, 0, [random_choice(room.race, 0, made)])  # type: ignore[arg-type]
            await choices_made(room, made + 2)
        sensible = [action for question, action in asked if question.bot == "competent"]
        chosen = [told.actions[0] for told in room.told if told.kind == "play" and told.seat == 1]
        assert len(chosen) >= choices and chosen == sensible[: len(chosen)]

    with_workers(tmp_path, test)
    (line,) = failures(caplog)  # however often it failed
    assert "the bot longest failed" in line and cause in line


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_race_without_a_bot_that_works_is_raced_to_its_end_by_chance(
    game: str, moods: Callable[[str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    moods("competent:raises random:raises expert:raises")

    async def test(house: House) -> None:
        room = await house.table(await house.visitor("Anna"), game, "expert", "competent")
        await choices_made(room, 40)
        assert room.table.status == "over" or room.table.version > 40
        room.close()
        assert verify(house.store).findings == []

    with_workers(tmp_path, test)
    assert len(failures(caplog)) == 3


@pytest.mark.slow
def test_a_race_goes_on_without_any_worker(
    moods: Callable[[str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    moods("all:never-start")

    async def test(house: House) -> None:
        room = await house.table(await house.visitor("Anna"), "chariot-race", "expert", "competent")
        await choices_made(room, 2)

    with_workers(tmp_path, test)
    assert any("no worker process can be started" in line for line in failures(caplog))


@pytest.mark.slow
def test_bad_weights_stop_no_race(
    moods: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    weights = tmp_path / "charioteer.json"
    weights.write_text('{"hidden": 4, "figures": ["nonsense"], "weights": [1.0]}')
    monkeypatch.setattr(type(find("charioteer")), "network", weights)
    monkeypatch.setenv("SPINA_TEST_WEIGHTS", str(weights))
    moods("")

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "expert", "hard")
        await choices_made(room, 12)
        assert room.table.status == "over" or room.table.version > 12
        assert room.state_for(anna.id, None).chances is None

    with_workers(tmp_path, test)
    lines = failures(caplog)
    assert len(lines) == 2 and all("trained for other features" in line for line in lines)
    said = [record.getMessage() for record in caplog.records if "the chances in charioteer" in record.getMessage()]
    assert len(said) <= 1 and all(record.levelno < logging.ERROR for record in caplog.records)


def test_what_the_table_refuses_is_chosen_anew_by_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An action that the rules call legal and then fail over."""
    perform, broken = Room._perform, 0

    def brittle(self: Room, race: Any, seat: int, actions: Any, told: Any, **how: Any) -> Any:
        nonlocal broken
        if broken < 3:
            broken += 1
            raise IndexError("a mistake in the rules")
        return perform(self, race, seat, actions, told, **how)

    async def test(house: House) -> None:
        room = await house.table(await house.visitor("Anna"), "chariot-race", "competent", "competent")
        await choices_made(room, 6)
        assert room.table.version > 6

    monkeypatch.setattr(Room, "_perform", brittle)
    in_house(tmp_path, test)
    (line,) = failures(caplog)
    assert "IndexError: a mistake in the rules" in line


@pytest.mark.parametrize("game", GAMES)
def test_a_random_choice_is_whole_and_legal_wherever_it_is_made(game: str) -> None:
    race = spina.new(game, seats=3, seed=5)
    seeds = set()
    for number in range(120):
        if race.over:
            break
        seat = race.to_act[-1]
        first = random_choice(race, seat, number)
        assert race.check(seat, first) is None
        seeds.add(tuple(random_choice(race, seat, seed) for seed in range(4)))
        if number % 10 == 0:  # a person has begun to choose and gone away
            race.play(seat, race.legal(seat)[0])
            if seat not in race.to_act:
                continue
        before = len(race.log)
        steps = len(race.choosing(seat))
        race.play(seat, random_choice(race, seat, number))
        assert len(race.log) > before or steps
    assert any(len(set(some)) > 1 for some in seeds)
