"""Warm-up: compile and load the games while the server already answers requests.

Compiling a game takes half a minute or more, once per machine, and holds the interpreter's lock all the time. So it is
done in a child process (`python -m spina.table.bots.warm_up GAME`), which reports its progress. Cached games are loaded
in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

import spina.bots.search_kernel
from spina.errors import SpinaError
from spina.games import find, get, names
from spina.kernel import compile_progress
from spina.table.bots import subprocesses
from spina.table.refusals import say

log = logging.getLogger(__name__)

LANES = 2
"""Maximum number of games compiled at the same time, if there are enough processors."""
ATTEMPTS = 2
"""Attempts to compile a game before it counts as failed."""
COMPILER = "spina.table.bots.warm_up"


class NotReady(SpinaError):
    """A game could not be compiled or loaded."""


class _State(msgspec.Struct):
    """Warm-up progress of a game."""

    of: int = 0
    done: int = 0
    ready: bool = False
    problem: str | None = None


class WarmUp:
    """Compiles and loads all games; games that a request waits for come first."""

    def __init__(self) -> None:
        self._states = {game: _State() for game in names()}
        self._changed = {game: asyncio.Event() for game in names()}
        self._waiting = list(names())
        self._loading = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start in the background of the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="spina-warm-up")

    def ready(self, game: str) -> bool:
        """Whether the game can be played now."""
        return self._state(game).ready

    def progress(self) -> dict[str, dict[str, Any]]:
        """Progress by game: `ready`, entries `done` `of` all, and `failed` if it cannot be played."""
        return {
            game: {"ready": state.ready, "done": state.done, "of": state.of, "failed": state.problem is not None}
            for game, state in self._states.items()
        }

    async def wait(self, game: str) -> None:
        """Give the game priority and wait until it can be played. Raises NotReady if its warm-up fails."""
        state = self._state(game)
        self.start()
        if game in self._waiting:
            self._waiting.remove(game)
            self._waiting.insert(0, game)
        await self._changed[game].wait()
        if state.problem is not None:
            title = find(game).title
            text = f"{title} cannot be played on this server now: {state.problem}"
            raise NotReady(say("table.not-ready", title=title).reworded(text))

    async def close(self) -> None:
        """Stop, and cancel unfinished compilations."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for game, state in self._states.items():
            if not state.ready:
                state.problem = state.problem or "the server is closing"
                self._changed[game].set()

    def _state(self, game: str) -> _State:
        # An existing game must not be looked up here: importing it would block the event loop.
        if game not in self._states:
            find(game)  # raises an error that lists the games
        return self._states[game]

    async def _run(self) -> None:
        cached = await asyncio.to_thread(self._look)
        self._waiting.sort(
            key=lambda game: game not in cached
        )  # cached games first, otherwise in the order of requests
        lanes = min(LANES, os.cpu_count() or 1)
        async with asyncio.TaskGroup() as group:
            for _ in range(lanes):
                group.create_task(self._work(cached))

    def _look(self) -> set[str]:
        """The games that are in the cache."""
        cached = set()
        for game, state in self._states.items():
            folders = _folders(game)
            state.of = compile_progress.pending(*folders)
            if compile_progress.in_cache(*folders):
                cached.add(game)
        return cached

    async def _work(self, cached: set[str]) -> None:
        while self._waiting:
            game = self._waiting.pop(0)
            state = self._states[game]
            try:
                if game not in cached:
                    await self._compile(game, state)
                async with self._loading:
                    await asyncio.to_thread(get, game)
                state.done, state.ready = state.of, True
            except NotReady as error:
                state.problem = str(error)
                log.error("%s: %s", game, error)
            except Exception as error:  # the other games can still be played
                state.problem = "loading it failed"
                log.exception("%s cannot be loaded", game, exc_info=error)
            self._changed[game].set()

    async def _compile(self, game: str, state: _State) -> None:
        for _ in range(ATTEMPTS):
            code = await self._compile_once(game, state)
            if code == 0:
                return
            log.warning("compiling %s ended with code %s", game, code)
        raise NotReady("compiling it failed")

    async def _compile_once(self, game: str, state: _State) -> int:
        process = await subprocesses.start(COMPILER, game)
        assert process.stdout is not None
        try:
            with suppress(EOFError):
                while True:
                    left = int.from_bytes(await subprocesses.receive(process.stdout), "big")
                    state.done = max(0, state.of - left)
            return await process.wait()
        finally:
            await subprocesses.end(process, at_once=True)


def _folders(game: str) -> tuple[Path, ...]:
    """Cache folders of the compiled functions that a table needs for a game: kernels, rules, drivers and search."""
    common = Path(compile_progress.__file__).parent
    thinking = Path(spina.bots.search_kernel.__file__).parent
    return common, *find(game).folders, thinking


def main(game: str) -> None:
    """Compile a game, and report after every function how many are left."""
    speak = subprocesses.stand_back()
    subprocesses.end_with_parent()

    def report(left: int) -> None:
        speak.write(subprocesses.framed(left.to_bytes(4, "big")))

    compile_progress.ready(*_folders(game), report=report)


if __name__ == "__main__":
    main(sys.argv[1])
