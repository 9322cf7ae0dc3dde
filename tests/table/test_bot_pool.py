"""Bots in processes of their own: right answers, nothing hidden, and no question lost when processes are."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

import spina
from spina import bots
from spina.games import get
from spina.race import Race
from spina.table.bots import bot_pool, subprocesses
from spina.table.bots.bot_pool import BotError, BotPool, NoWorkers, offered
from spina.table.bots.worker_messages import Question

pytestmark = pytest.mark.slow  # worker processes

SEED = 11
GAMES = spina.game_names()


def with_bot_pool(
    work: Callable[[BotPool], Coroutine[Any, Any, Any]], workers: int = 1, limit: float = bot_pool.LIMIT
) -> Any:
    """Do something with bots at hand, and see that no process stays behind."""

    async def run() -> Any:
        pool = BotPool(workers, limit=limit)
        try:
            return await work(pool)
        finally:
            pids = pool.pids
            await pool.close()
            assert not any(map(alive, pids))

    return asyncio.run(run())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def running(game: str, choices: int, seed: int = 3) -> Race:
    """A race in the middle."""
    race = spina.new(game, seats=4, seed=seed)
    driver = bots.make("competent", game=game, seed=1)
    for _ in range(choices):
        seat = race.to_act[-1]
        race.play(seat, driver.choose(race, seat))
    return race


def question(game: str = "charioteer", bot: str = "competent", seed: int = SEED) -> Question:
    race = running(game, 9)
    return Question.of(race, race.to_act[0], bot, seed)


# --- answers --------------------------------------------------------------------------------------------------------


def test_every_bot_of_every_game_drives_on() -> None:
    async def work(pool: BotPool) -> None:
        for game in GAMES:
            race = running(game, 9)
            for bot in bots.names(game):
                copy = race.copy()
                seat = copy.to_act[0]
                copy.play(seat, await pool.choose(Question.of(copy, seat, bot, SEED)))

    with_bot_pool(work)


def test_the_bots_on_offer_exist_and_end_with_the_strongest() -> None:
    for game in GAMES:
        assert set(offered(game)) <= set(bots.names(game))
        assert offered(game)[-1] == "expert"
        assert len(set(offered(game))) == len(offered(game)) >= 2


def test_the_same_question_has_the_same_answer() -> None:
    asked = [question(bot="expert"), question("chariot-race", "random"), question("chariotmaster", "random")]

    async def work(pool: BotPool) -> list[str]:
        return [await pool.choose(one) for one in [*asked, *asked]]

    answers = with_bot_pool(work)
    assert answers[:3] == answers[3:] == with_bot_pool(work)[:3]


def test_steps_of_a_choice_are_gone_on_with() -> None:
    """A bot takes over from a person who has begun to choose."""

    async def work(pool: BotPool) -> None:
        for game in GAMES:
            race = running(game, 9)
            seat = race.to_act[0]
            race.play(seat, race.legal(seat)[-1])
            for _ in range(20):
                seat = race.to_act[0]
                asked = Question.of(race, seat, "random", SEED)
                assert asked.choosing == [str(step) for step in race.choosing(seat)]
                race.play(seat, await pool.choose(asked))

    with_bot_pool(work)


def test_an_edition_of_ones_own_goes_along(tmp_path: Path) -> None:
    text = get("charioteer").reference().text
    changed = text.replace("laps = { value = 3", "laps = { value = 2")
    assert changed != text
    (tmp_path / "own.toml").write_text(changed, encoding="utf-8")
    race = spina.new("charioteer", seats=3, seed=1, edition=tmp_path / "own.toml")
    asked = Question.of(race, 0, "competent", SEED)
    assert asked.edition_text == race.edition.text
    answer = with_bot_pool(lambda pool: pool.choose(asked))
    assert race.check(0, answer) is None
    assert Question.of(spina.new("charioteer", seed=1), 0, "competent", SEED).edition_text is None


# --- secrecy --------------------------------------------------------------------------------------------------------


def twins(game: str) -> list[tuple[Race, Race, int]]:
    """Races in pairs that differ, but only in what a seat, given with them, cannot see."""
    found = []
    for choices in (0, 7, 23, 50):
        race = running(game, choices)
        for seat in race.to_act:
            twin = race.determinized(seat, 1)
            assert twin.hash() != race.hash()
            found.append((race, twin, seat))
    return found


def test_races_that_look_alike_to_a_seat_give_the_same_question_and_answer() -> None:
    async def work(pool: BotPool) -> None:
        for game in GAMES:
            for race, twin, seat in twins(game):
                ours, theirs = (Question.of(one, seat, "random", SEED) for one in (race, twin))
                assert msgspec.msgpack.encode(ours) == msgspec.msgpack.encode(theirs)
                assert await pool.choose(ours) == await pool.choose(theirs)

    with_bot_pool(work)


def test_what_rivals_have_chosen_is_not_in_the_question() -> None:
    asked = []
    for bot in ("competent", "longest"):
        race = running("charioteer", 8)
        assert len(race.to_act) == 4
        for seat in (1, 2, 3):
            race.play(seat, bots.make(bot, game="charioteer", seed=seat).choose(race, seat))
        assert race.to_act == (0,)
        asked.append((race.hash(), Question.of(race, 0, "competent", SEED)))
    (hash_1, question_1), (hash_2, question_2) = asked
    assert hash_1 != hash_2
    assert question_1 == question_2


@pytest.mark.parametrize("game", GAMES)
def test_the_true_state_is_not_in_the_question(game: str) -> None:
    race = running(game, 9, seed=1234567890123456789)
    asked = Question.of(race, race.to_act[0], "competent", SEED)
    assert asked.state != race._bytes.tobytes()
    assert str(race.origin) not in msgspec.json.encode(asked).decode()
    assert race.origin.to_bytes(8, "little") not in asked.state


# --- workers that die, and workers that sleep -----------------------------------------------------------------------


def test_a_worker_killed_in_mid_thought_is_replaced_and_asked_again() -> None:
    slow = question(bot="expert")

    async def work(pool: BotPool) -> None:
        expected = await pool.choose(slow)
        (first,) = pool.pids
        os.kill(first, signal.SIGSTOP)  # however fast the machine and however slow the test, it will not be done
        answer = asyncio.create_task(pool.choose(slow))
        await asyncio.sleep(0.03)
        assert not answer.done()
        os.kill(first, signal.SIGKILL)
        assert await answer == expected
        (second,) = pool.pids
        assert second != first

    with_bot_pool(work)


def test_a_worker_killed_while_idle_is_replaced() -> None:
    async def work(pool: BotPool) -> None:
        expected = await pool.choose(question())
        os.kill(pool.pids[0], signal.SIGKILL)
        assert await pool.choose(question()) == expected

    with_bot_pool(work)


def test_a_question_that_kills_every_worker_is_given_up_and_others_are_answered(moods: Callable[[str], None]) -> None:
    moods("random:dies")

    async def work(pool: BotPool) -> None:
        with pytest.raises(BotError, match="3 workers in a row died while random thought about charioteer"):
            await pool.choose(question(bot="random"))
        assert await pool.choose(question())

    with_bot_pool(work)


def test_workers_that_cannot_be_started_are_told_from_bots_that_fail(moods: Callable[[str], None]) -> None:
    moods("all:never-start")
    with pytest.raises(NoWorkers, match="no worker process can be started"):
        with_bot_pool(lambda pool: pool.choose(question()))


def test_a_question_that_cannot_be_written_ends_no_worker() -> None:
    odd = msgspec.structs.replace(question(), options={"odd": object()})

    async def work(pool: BotPool) -> None:
        with pytest.raises(BotError, match="competent cannot be asked in charioteer"):
            await pool.choose(odd)
        async with asyncio.timeout(60):
            assert await pool.choose(question())

    with_bot_pool(work)


def test_what_a_bot_cannot_answer_is_said_and_the_worker_lives_on() -> None:
    async def work(pool: BotPool) -> None:
        with pytest.raises(BotError, match='there is no bot "nero"'):
            await pool.choose(question(bot="nero"))
        (pid,) = pool.pids
        assert await pool.choose(question())
        assert pool.pids == [pid]

    with_bot_pool(work)


# --- many at once ---------------------------------------------------------------------------------------------------


def test_who_asks_first_is_answered_first_and_the_loop_goes_on_meanwhile() -> None:
    async def work(pool: BotPool) -> None:
        await pool.choose(question())  # it has started
        order: list[int] = []

        async def ask(number: int) -> None:
            await pool.choose(question(bot="expert" if number == 0 else "hard", seed=number))
            order.append(number)

        asking = [asyncio.create_task(ask(number)) for number in range(6)]
        rounds = 0  # of the event loop while a bot thinks
        while not all(task.done() for task in asking):
            await asyncio.sleep(0.002)
            rounds += 1
        assert order == list(range(6))
        assert len(pool.pids) == 1
        assert rounds > len(asking)  # a loop that waited for the answers would have a round or two in all

    with_bot_pool(work)


def test_a_quick_bot_does_not_wait_for_a_search_that_goes_on(moods: Callable[[str], None]) -> None:
    moods("expert:sleeps")

    async def work(pool: BotPool) -> None:
        searching = asyncio.create_task(pool.choose(question(bot="expert")))
        await asyncio.sleep(0.1)
        race = running("charioteer", 9)
        for bot in ("easy", "medium", "random"):
            assert race.check(race.to_act[0], await pool.choose(question(bot=bot))) is None
        assert len(pool.pids) == 1
        assert not searching.done()
        searching.cancel()

    with_bot_pool(work)


def test_a_worker_that_dies_over_a_search_loses_no_quick_question(moods: Callable[[str], None]) -> None:
    moods("hard:dies")

    async def work(pool: BotPool) -> None:
        quick = [pool.choose(question(bot="easy", seed=number)) for number in range(20)]
        searching = asyncio.create_task(pool.choose(question(bot="hard")))
        race = running("charioteer", 9)
        for action in await asyncio.gather(*quick):
            assert race.check(race.to_act[0], action) is None
        with pytest.raises(BotError, match="3 workers in a row died"):
            await searching

    with_bot_pool(work)


def test_as_many_workers_as_allowed_and_no_more() -> None:
    async def work(pool: BotPool) -> None:
        assert pool.pids == []
        await pool.choose(question())
        assert len(pool.pids) == 1
        await asyncio.gather(*(pool.choose(question(bot="expert", seed=seed)) for seed in range(4)))
        assert len(pool.pids) == 2

    with_bot_pool(work, workers=2)


def test_closing_ends_those_who_think_and_tells_those_who_wait(
    moods: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    moods("expert:sleeps")
    monkeypatch.setattr(subprocesses, "_PARTING", 3600.0)

    async def work(pool: BotPool) -> None:
        await pool.choose(question())
        asking = [asyncio.create_task(pool.choose(question(bot="expert"))) for _ in range(3)]
        await asyncio.sleep(0.03)
        async with asyncio.timeout(30):  # the worker sleeps for an hour, and would be given as long to end by itself
            await pool.close()
        for task in asking:
            with pytest.raises(BotError):
                await task
        with pytest.raises(BotError):
            await pool.choose(question())

    with_bot_pool(work)


PARENT = """
import asyncio, sys, time
import spina
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.worker_messages import Question

async def main():
    pool = BotPool(1)
    race = spina.new("chariotmaster", seed=1)
    await pool.choose(Question.of(race, race.to_act[0], "competent", 1))
    asyncio.create_task(pool.choose(Question.of(race, race.to_act[0], "expert", 1)))
    await asyncio.sleep(0.1)
    print(*pool.pids, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


def test_workers_end_when_their_server_is_killed() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
    until = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Whether it runs, or is at least no zombie that nobody has buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return alive(pid) and not Path("/proc/self").exists()


def test_a_worker_that_answers_after_its_server_was_killed_ends_silently() -> None:
    command = [sys.executable, "-P", "-m", bot_pool.WORKER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as worker:
        assert worker.stdout is not None and worker.stderr is not None
        worker.stdout.close()  # it says that it is ready to no reader, while its questions could still come
        assert (worker.wait(60), worker.stderr.read()) == (0, b"")
