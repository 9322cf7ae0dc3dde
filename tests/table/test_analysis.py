"""What a finished race was worth: chances over time, and the choices that cost most."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from house_helpers import House, in_house, play_on

import spina
from spina import bots
from spina.race import Race
from spina.table.bots import analysis
from spina.table.bots.analysis import Analysis
from spina.table.bots.worker_messages import AdviceQuestion
from spina.table.live.room import Room
from spina.table.refusals import Refusal

GAMES = spina.game_names()


def raced(game: str, driver: str = "competent", seats: int = 2) -> bytes:
    """The file of a finished race."""
    race = spina.new(game, seats=seats, seed=7)
    bot = bots.make(driver, game=game, seed=1)
    while not race.over:
        seat = race.to_act[0]
        race.play(seat, bot.choose(race, seat))
    return msgspec.json.encode(race.saved())


async def imported(house: House, data: bytes) -> Room:
    anna = await house.visitor("Anna")
    return await house.rooms.room(await house.lobby.import_race(anna, data))


async def ready(house: House, room: Room) -> Analysis:
    while (found := await house.services.analyst.analysis(room, "anna")).status == "working":
        await asyncio.sleep(0.01)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_imported_race_is_analysed_from_start_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(analysis, "MOST_CHOICES", 6)

    async def test(house: House) -> None:
        room = await imported(house, raced(game))
        found = await ready(house, room)
        replay = await house.services.replays.part(room, None, 0, 1)
        assert found.chances[0].moment == 0 and found.chances[-1].moment == replay.total - 2  # then it is told
        assert all(sum(point.chances) == pytest.approx(1, abs=1e-3) for point in found.chances)
        assert {point.turn for point in found.chances} >= set(range(1, room.table.turn + 1))
        (winner,) = room.table.ranking[0] if room.table.ranking else [0]
        assert found.chances[-1].chances[winner] == 1
        assert found.done == found.of and 0 < len(found.choices) <= 6
        assert all(choice.checked for choice in found.choices if choice.cost > 0)
        costs = [choice.cost for choice in found.choices]
        assert costs == sorted(costs, reverse=True) and min(costs) >= 0
        for choice in found.choices:
            assert choice.cost <= choice.chance <= 1
            assert (choice.chosen == choice.better) == (choice.cost == 0)
            if choice.cost == 0:
                assert choice.chosen_outcome is None and choice.better_outcome is None

    in_house(tmp_path, test)


@pytest.mark.slow
def test_whoever_drives_at_random_pays_more_than_whoever_knows_how(tmp_path: Path) -> None:
    async def cost(house: House, driver: str) -> float:
        found = await ready(house, await imported(house, raced("charioteer", driver)))
        costly = [choice for choice in found.choices if choice.cost > 0 and choice.better_outcome is not None]
        assert costly and all(choice.better_outcome.choice == choice.better for choice in costly)
        return sum(choice.cost for choice in found.choices)

    async def test(house: House) -> None:
        assert await cost(house, "random") > 3 * await cost(house, "competent")

    in_house(tmp_path, test)


@pytest.mark.slow
def test_choices_are_judged_with_the_eyes_of_their_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = raced("charioteer")

    async def asked(house: House) -> list[AdviceQuestion]:
        await ready(house, await imported(house, data))
        return house.bot_pool.inquiries

    def dealt(race: Race, seat: int, seed: int, **values: object) -> AdviceQuestion:
        rival = 1 - seat
        other = race.determinized(seat, 4321)
        differ.append(other.view(rival)["hand"] != race.view(rival)["hand"])
        return real(other, seat, seed, **values)  # type: ignore[arg-type]

    real, differ = AdviceQuestion.of, list[bool]()
    first = in_house(tmp_path, asked)
    monkeypatch.setattr(analysis.AdviceQuestion, "of", dealt)
    (tmp_path / "again").mkdir()
    assert in_house(tmp_path / "again", asked) == first and any(differ)


@pytest.mark.slow
def test_of_people_and_bots_the_people_are_judged(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "competent", watching="none")
        with pytest.raises(Refusal) as early:
            await house.services.analyst.analysis(room, anna.id)
        assert early.value.code == "not-started"
        while room.table.status == "running":
            await play_on(room, {0: anna}, 1)
            await asyncio.sleep(0)
        found = await ready(house, room)
        assert {choice.seat for choice in found.choices} == {0}

    in_house(tmp_path, test)


def test_work_rests_when_nobody_asks_and_goes_on_when_somebody_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(house: House) -> None:
        room = await imported(house, raced("charioteer"))
        house.bot_pool.allowed.clear()
        found = await house.services.analyst.analysis(room, "anna")
        assert found.status == "working" and found.done == 0 and len(found.chances) > 10
        while not house.bot_pool.inquiries:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(analysis, "INTEREST", 0.0)
        house.bot_pool.allowed.set()
        await asyncio.sleep(0.2)
        assert len(house.bot_pool.inquiries) == 1
        monkeypatch.setattr(analysis, "INTEREST", 60.0)
        done = await ready(house, room)
        assert len(house.bot_pool.inquiries) <= done.of
        assert await house.services.analyst.analysis(room, "anna") == done  # it is kept
        assert len(house.bot_pool.inquiries) <= done.of

    in_house(tmp_path, test)
