"""Games are made ready in the background: from the cache at once, compiled elsewhere, or said to have failed."""

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

import spina
from spina.errors import OptionError
from spina.kernel import compile_progress
from spina.kernel import compiler as switch
from spina.table.bots import subprocesses, warm_up
from spina.table.bots.warm_up import NotReady, WarmUp

pytestmark = pytest.mark.skipif(switch.INTERPRETED, reason="nothing is compiled when interpreting")

GAMES = spina.game_names()


def with_harness(work: Callable[[WarmUp], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        made = WarmUp()
        made.start()
        try:
            return await work(made)
        finally:
            await made.close()

    return asyncio.run(run())


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing seems to lie in the cache, and an odd compiler is asked. Returns the folder where it can be watched."""
    monkeypatch.setattr(warm_up, "COMPILER", "odd_compiler")
    monkeypatch.setattr(warm_up.compile_progress, "in_cache", lambda *_: False)
    monkeypatch.setattr(warm_up.compile_progress, "pending", lambda *_: 10)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setenv("SPINA_TEST_FOLDER", str(tmp_path))
    return tmp_path


def begun(folder: Path, game: str) -> list[int]:
    """The processes that were started for a game."""
    path = folder / f"{game}.begun"
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else []


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.01)


def test_what_lies_in_the_cache_is_loaded_without_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in GAMES:
        spina.new(game)  # in the cache, whatever was there before

    async def refuse(*_: str) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocesses, "start", refuse)

    async def work(made: WarmUp) -> None:
        assert set(made.progress()) == set(GAMES)
        for game in reversed(GAMES):
            await made.wait(game)
            assert made.ready(game)
        assert all(state["ready"] and state["done"] == state["of"] for state in made.progress().values())

    with_harness(work)


def test_a_game_is_compiled_elsewhere_and_says_how_far_it_is(compiler: Path) -> None:
    (compiler / "hold").touch()

    async def work(made: WarmUp) -> None:
        await until(lambda: made.progress()["charioteer"]["done"] == 7)
        assert made.progress()["charioteer"] == {"ready": False, "done": 7, "of": 10, "failed": False}
        assert not made.ready("charioteer")
        (compiler / "hold").unlink()
        await made.wait("charioteer")
        assert made.progress()["charioteer"] == {"ready": True, "done": 10, "of": 10, "failed": False}

    with_harness(work)
    assert len(begun(compiler, "charioteer")) == 1


def test_a_game_that_somebody_waits_for_comes_next(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "LANES", 1)
    (compiler / "hold").touch()

    async def work(made: WarmUp) -> None:
        await until(lambda: begun(compiler, "charioteer"))
        waiting = asyncio.create_task(made.wait("chariotmaster"))
        await asyncio.sleep(0)
        (compiler / "hold").unlink()
        await waiting
        assert made.ready("charioteer")
        assert not made.ready("chariot-race")

    with_harness(work)


def test_a_compiler_that_dies_is_started_again(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_TEST_DEATHS", "1")
    with_harness(lambda made: made.wait("charioteer"))
    assert len(begun(compiler, "charioteer")) == 2


def test_a_compiler_that_always_dies_is_given_up(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_TEST_DEATHS", "9")

    async def work(made: WarmUp) -> None:
        for _ in range(2):  # and it stays so
            with pytest.raises(NotReady, match="Charioteer cannot be played on this server now: compiling it failed"):
                await made.wait("charioteer")
        assert made.progress()["charioteer"]["failed"]
        assert not made.ready("charioteer")

    with_harness(work)
    assert len(begun(compiler, "charioteer")) == 2


def test_closing_gives_up_what_is_compiled(compiler: Path) -> None:
    (compiler / "hold").touch()

    async def work(made: WarmUp) -> None:
        await until(lambda: begun(compiler, "charioteer"))
        waiting = asyncio.create_task(made.wait("charioteer"))
        await asyncio.sleep(0)
        await made.close()
        with pytest.raises(NotReady, match="closing"):
            await waiting

    with_harness(work)
    (pid,) = begun(compiler, "charioteer")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_game_that_there_is_not() -> None:
    async def work(made: WarmUp) -> None:
        with pytest.raises(OptionError):
            made.ready("ludo")
        with pytest.raises(OptionError):
            await made.wait("ludo")

    with_harness(work)


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
from numba import types
from spina.kernel import compile_progress as progress
from spina.kernel.compiler import entry

@entry(types.int64(types.int64))
def twice(number):
    return 2 * number

@entry(types.int64(types.int64))
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
    assert first == ["False 2", "1", "0", "True 0 4 6", ""]
    assert second == ["True 2", "1", "0", "True 0 4 6", ""]


def test_a_folder_without_entries_is_ready() -> None:
    assert compile_progress.in_cache(Path("/nowhere"))
    assert compile_progress.pending(Path("/nowhere")) == 0
