"""Games are compiled in the background while they are raced: from the cache at once, elsewhere, or not at all."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from house_helpers import Ear, House, in_house

import spina
from spina.bots import search_bot
from spina.errors import OptionError
from spina.games import find, folders
from spina.kernel import compiler as switch
from spina.table.bots import subprocesses, warm_up
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.warm_up import WarmUp
from spina.table.bots.worker_messages import Question

pytestmark = pytest.mark.skipif(switch.INTERPRETED, reason="nothing is compiled when interpreting")

GAMES = spina.game_names()


def with_warm_up(work: Callable[[WarmUp], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        made = WarmUp()
        made.start()
        try:
            return await work(made)
        finally:
            await made.close()

    return asyncio.run(run())


class Folder:
    """Where odd compilers can be watched."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begun(self, game: str) -> list[tuple[int, list[str]]]:
        """The processes that were started for a game, with the modules after it."""
        path = self.path / f"{game}.begun"
        lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        return [(int(process), modules) for process, *modules in lines]

    def hold(self, *games: str) -> None:
        """Let the compilers of these games go no further; without a name: of all."""
        for game in games or GAMES:
            (self.path / f"{game}.hold").touch()

    def let_go(self, *games: str) -> None:
        for game in games or GAMES:
            (self.path / f"{game}.hold").unlink()


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Nothing is in the cache until an odd compiler has been asked for it."""
    folder = Folder(tmp_path)
    monkeypatch.setattr(warm_up, "COMPILER", "odd_compiler")

    def load(*wanted: Path) -> bool:
        done = [game for game in GAMES if (tmp_path / f"{game}.done").exists()]
        found = {each for game in done for each in folders(game)}
        return set(wanted) <= found | ({search_bot.FOLDER} if (tmp_path / "search.done").exists() else set())

    monkeypatch.setattr(switch, "load", load)
    monkeypatch.setattr(switch, "pending", lambda *wanted: 2 if wanted == (search_bot.FOLDER,) else 10)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setenv("SPINA_TEST_FOLDER", str(tmp_path))
    return folder


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.01)


def test_what_lies_in_the_cache_is_loaded_without_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in GAMES:
        switch.ready(*folders(game), search_bot.FOLDER)  # in the cache, whatever was there before

    async def refuse(*_: str) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocesses, "start", refuse)

    async def work(made: WarmUp) -> None:
        assert set(made.progress()) == set(GAMES)
        for game in reversed(GAMES):
            await made.wait(game)
            assert made.ready(game) and made.is_over(game)
        assert all(state["ready"] and state["done"] == state["of"] for state in made.progress().values())
        assert made.share is None and not made.compiles

    with_warm_up(work)


def test_a_game_is_compiled_elsewhere_and_says_how_far_it_is(compiler: Folder) -> None:
    compiler.hold()

    async def work(made: WarmUp) -> None:
        changes: list[dict[str, bool]] = []
        made.on_change = lambda _: changes.append({game: state["playing"] for game, state in made.progress().items()})
        await until(lambda: all(state["done"] == 5 for state in made.progress().values()))
        state = {"of": 10, "done": 5, "playing": False, "ready": False, "failed": False}
        assert made.progress()["charioteer"] == state
        assert not made.ready("charioteer") and made.share == 0.5 and made.compiles
        compiler.let_go()
        await made.wait_for_all()
        state = {"of": 10, "done": 10, "playing": True, "ready": True, "failed": False}
        assert made.progress() == dict.fromkeys(GAMES, state) and made.share is None
        assert sum(each["charioteer"] for each in changes) >= 2  # when it could be raced, and when bots could search

    with_warm_up(work)


def test_all_games_are_compiled_side_by_side_and_the_search_once(compiler: Folder) -> None:
    compiler.hold()

    async def work(made: WarmUp) -> None:
        await until(lambda: all(compiler.begun(game) for game in GAMES))
        compiler.let_go("chariotmaster")
        await made.wait("chariotmaster")
        assert made.ready("chariotmaster") and not made.ready("charioteer")
        compiler.let_go("charioteer", "chariot-race")
        await made.wait_for_all()

    with_warm_up(work)
    modules = {game: [modules for _, modules in compiler.begun(game)] for game in GAMES}
    assert modules == {"charioteer": [[]], "chariot-race": [[]], "chariotmaster": [[], ["spina.bots.search_kernel"]]}


def test_pages_come_first(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for an hour; what somebody asks for by name does not."""
    monkeypatch.setattr(switch, "WAITS", False)
    monkeypatch.setattr(warm_up, "QUIET", 3600.0)
    monkeypatch.setattr(warm_up, "LONGEST_DELAY", 3600.0)
    (compiler.path / "charioteer.done").touch()

    async def work(made: WarmUp) -> None:
        made.put_off()
        assert await made.load("charioteer") and not await made.load("chariot-race")
        assert not made.compiles and not any(map(compiler.begun, GAMES)) and not any(map(made.is_over, GAMES))

    with_warm_up(work)


def test_pages_do_not_come_first_for_ever(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "WAITS", False)
    monkeypatch.setattr(warm_up, "QUIET", 3600.0)
    monkeypatch.setattr(warm_up, "LONGEST_DELAY", 0.05)

    async def work(made: WarmUp) -> None:
        made.put_off()
        await made.wait_for_all()

    with_warm_up(work)


def test_one_after_the_other_where_memory_is_short(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "MEMORY", 2**60)
    compiler.hold()

    async def work(made: WarmUp) -> None:
        await until(lambda: compiler.begun("charioteer"))
        await asyncio.sleep(0.1)
        assert not any(compiler.begun(game) for game in GAMES[1:])
        compiler.let_go()
        await made.wait_for_all()

    with_warm_up(work)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no niceness")
def test_the_game_that_people_race_is_compiled_first(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "WAITS", False)
    compiler.hold()

    async def work(made: WarmUp) -> None:
        await until(lambda: all(state["done"] == 5 for state in made.progress().values()))
        await made.prepare("chariotmaster")  # and nobody waits for it
        assert not made.ready("chariotmaster")
        children = {game: compiler.begun(game)[0][0] for game in GAMES}

        def niceness() -> dict[str, int]:
            return {game: os.getpriority(os.PRIO_PROCESS, child) for game, child in children.items()}

        await until(lambda: niceness() == {"charioteer": 19, "chariot-race": 19, "chariotmaster": 10})
        sessions = {game: Path(f"/proc/{child}/autogroup") for game, child in children.items()}
        if all(each.exists() for each in sessions.values()):  # between sessions, Linux looks at these
            await until(lambda: [each.read_text().split()[-1] for each in sessions.values()] == ["19", "19", "10"])
        compiler.let_go()

    with_warm_up(work)


def test_with_spina_compile_wait_a_race_waits(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "WAITS", True)

    async def work(made: WarmUp) -> None:
        await made.prepare("charioteer")
        assert made.ready("charioteer")

    with_warm_up(work)


def test_a_compiler_that_dies_is_started_again(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_TEST_DEATHS", "1")

    async def work(made: WarmUp) -> None:
        await made.wait("charioteer")
        assert made.ready("charioteer")

    with_warm_up(work)
    assert len([modules for _, modules in compiler.begun("charioteer") if not modules]) == 2


def test_a_game_that_cannot_be_compiled_stays_interpreted(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_TEST_DEATHS", "9")

    async def work(made: WarmUp) -> None:
        for _ in range(2):  # and it stays so
            await made.wait("charioteer")
        assert made.progress()["charioteer"]["failed"] and made.is_over("charioteer")
        assert not made.ready("charioteer") and made.share is not None

    with_warm_up(work)
    assert len(compiler.begun("charioteer")) == 2


def test_a_cache_that_keeps_nothing_leaves_games_interpreted(compiler: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "load", lambda *_: False)

    async def work(made: WarmUp) -> None:
        await made.wait_for_all()
        assert all(state["failed"] and not state["playing"] for state in made.progress().values())

    with_warm_up(work)


def test_closing_gives_up_what_is_compiled(compiler: Folder) -> None:
    compiler.hold()

    async def work(made: WarmUp) -> None:
        await until(lambda: compiler.begun("charioteer"))
        waiting = asyncio.create_task(made.wait("charioteer"))
        await asyncio.sleep(0)
        await made.close()
        await waiting
        assert not made.ready("charioteer")

    with_warm_up(work)
    ((process, _),) = compiler.begun("charioteer")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_game_that_there_is_not() -> None:
    async def work(made: WarmUp) -> None:
        with pytest.raises(OptionError):
            made.ready("ludo")
        with pytest.raises(OptionError):
            await made.wait("ludo")

    with_warm_up(work)


# --- bots that warm up ----------------------------------------------------------------------------------------------


def test_a_driver_chooses_for_a_level_that_cannot_search_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    race, asked = spina.new("charioteer", seats=2, seed=3), []

    async def run() -> None:
        pool = BotPool(1, can_search=lambda game: False)

        async def answer(question: Question, *_: object, **__: object) -> Any:
            asked.append(question.bot)
            return subprocess.CompletedProcess((), 0)  # has no action

        monkeypatch.setattr(pool, "_ask", answer)
        for bot in ("hard", "medium", "longest"):
            with suppress(AttributeError):
                await pool.choose(Question.of(race, 0, bot, 1))
        assert pool.is_warming_up("charioteer", "hard") and not pool.is_warming_up("charioteer", "medium")
        pool.can_search = lambda game: True
        assert not pool.is_warming_up("charioteer", "hard")

    asyncio.run(run())
    assert asked == [find("charioteer").default_driver, "medium", "longest"]


def test_pages_are_told_which_bots_warm_up_and_when_they_are_warm(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        await house.rooms.start()
        house.warm_up.missing = {"charioteer"}
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "hard", "medium")
        assert house.warm_up.prepared[0] == "charioteer"
        ear = Ear(anna, looking=0)
        room.enter(ear, None)
        assert [seat.get("warming_up", False) for seat in ear.state["seats"]] == [False, True, False]
        house.warm_up.missing = set()
        told = len(ear.plain)
        house.warm_up.on_change("chariot-race")
        assert len(ear.plain) == told
        house.warm_up.on_change("charioteer")
        assert ear.plain[-1]["type"] == "presence"
        assert not any("warming_up" in seat for seat in ear.plain[-1]["seats"])

    in_house(tmp_path, test)


def test_a_hint_is_a_drivers_choice_until_there_is_a_search(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        house.warm_up.missing = {"charioteer"}
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "medium")
        _, advice = await house.services.hints.hint(room, anna.id, 0)
        (candidate,) = advice.candidates
        assert room.running().check(0, candidate.action) is None
        assert (candidate.tried, candidate.chances, advice.chances) == (0, [], [])
        house.warm_up.missing = set()
        _, advice = await house.services.hints.hint(room, anna.id, 0)
        assert advice.candidates[0].tried > 0 and len(advice.chances) == 2

    in_house(tmp_path, test)


def test_the_time_of_interpreted_races_is_charged_to_nobody(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "medium")
        assert not room.is_interpreted()
        house.warm_up.missing = {"charioteer"}
        assert room.is_interpreted()

    in_house(tmp_path, test)


@pytest.mark.slow
def test_the_event_loop_goes_on_while_games_are_loaded() -> None:
    """In a new process, in which nothing is loaded yet; in its own processor time, whatever else the machine does."""
    done = subprocess.run(
        [sys.executable, "-c", LOADING],
        env={**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(done.stdout) < 0.3


LOADING = """
import asyncio, time, spina
from spina.table.bots.warm_up import WarmUp

async def main():
    games = WarmUp()
    games.start()
    waiting = asyncio.gather(*map(games.wait, spina.game_names()))
    longest, before = 0.0, time.process_time()
    while not waiting.done():
        await asyncio.sleep(0.002)
        now = time.process_time()
        longest, before = max(longest, now - before), now
    print(longest)
    await games.close()

asyncio.run(main())
"""


# --- the compiler itself --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_real_compiler_counts_down_to_nothing() -> None:
    async def run() -> tuple[list[int], int]:
        process = await subprocesses.start(warm_up.COMPILER, "charioteer")
        assert process.stdout
        left = []
        with suppress(EOFError):
            while True:
                left.append(int.from_bytes(await subprocesses.receive(process.stdout), "big"))
        return left, await process.wait()

    left, code = asyncio.run(run())
    assert code == 0
    assert left == list(range(len(left) - 1, -1, -1))
    assert len(left) > 10


def test_a_compiler_ends_with_its_server(tmp_path: Path) -> None:
    """Its pipe is closed as it is when a server is killed."""

    async def run() -> int:
        process = await subprocesses.start(warm_up.COMPILER, "charioteer")
        assert process.stdin
        process.stdin.close()
        async with asyncio.timeout(60):
            return await process.wait()

    assert asyncio.run(run()) == 0


SMALL = """
from pathlib import Path
from spina.kernel import compiler as progress
from spina.kernel.compiler import entry
from spina.kernel.signatures import INT

@entry(INT(INT))
def twice(number):
    return 2 * number

@entry(INT(INT))
def thrice(number):
    return 3 * number

folder = Path(__file__).parent
print(progress.in_cache(folder), progress.pending(folder))
progress.ready(folder, report=lambda left: print(left))
print(progress.in_cache(folder), progress.pending(folder), twice(2), thrice(2))
"""


@pytest.mark.slow
def test_progress_of_a_small_game(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "rules.py").write_text(SMALL)
    environment = {
        **os.environ,
        "SPINA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(Path(spina.__file__).parents[1]),
    }
    command = [sys.executable, str(tmp_path / "game" / "rules.py")]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split("\n")
        for _ in range(2)
    )
    assert first == ["False 2", "2", "1", "1", "0", "True 0 4 6", ""]  # not linked yet, both count half
    assert second == ["True 2", "1", "0", "True 0 4 6", ""]


def test_a_folder_without_entries_is_ready() -> None:
    assert switch.in_cache(Path("/nowhere"))
    assert switch.pending(Path("/nowhere")) == 0
