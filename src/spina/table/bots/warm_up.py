"""Warm-up: compile the games beside the server, while people already race them interpreted.

Each game is compiled in a child process at low priority, all of them side by side. When the rules and drivers of a game
are in the cache they are loaded here, in a thread, and its races change over. The search, which all games share, is
compiled by the child of the first game that is finished. Until then drivers choose for the levels that search.

Loading and compiling begin when no page has been asked for during a second: both take processor time, and loading also
the interpreter's lock, from the pages that people wait for when they have just started Spina.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from spina.bots import search_bot
from spina.games import names, registry
from spina.kernel import compiler
from spina.table.bots import subprocesses

log = logging.getLogger(__name__)

ATTEMPTS = 2
"""Attempts to compile a game before it counts as failed. It can be raced all the same."""
COMPILER = "spina.games.compile_child"
SEARCH = "spina.bots.search_kernel"
"""The module of the search, for the compiler."""
NICENESS, NICENESS_OF_OTHERS = 10, 19
"""Niceness of a compiler; of the others while people race one of the games."""
QUIET, LONGEST_DELAY = 1.0, 4.0
"""Seconds without a request for a page before it begins; maximum seconds from the start to that."""
MEMORY = 700 * 2**20
"""Bytes of memory that a compiler needs. Where less is free, fewer of them run at the same time."""


class _State(msgspec.Struct):
    """Warm-up progress of a game."""

    of: int = 0
    """Entries to compile or load."""
    done: int = 0
    playing: bool = False
    """Whether the rules and drivers are compiled, and loaded here."""
    ready: bool = False
    """Whether the search is too."""
    failed: bool = False


class WarmUp:
    """Compiles all games and loads them. `on_change` is called with each game that has changed over or failed."""

    def __init__(self, on_change: Callable[[str], object] = lambda game: None) -> None:
        self.on_change = on_change
        self._states = {game: _State() for game in names()}
        self._over = {game: asyncio.Event() for game in names()}
        self._children: dict[str, Process] = {}
        self._preferred: str | None = None
        self._niceness: asyncio.Task[None] | None = None
        self._searching, self._loading = asyncio.Lock(), asyncio.Lock()
        self._lanes = asyncio.Semaphore(1)
        self._task: asyncio.Task[None] | None = None
        self._begun = self._asked = 0.0
        """When it was started, and when a page was last asked for (`time.monotonic`)."""
        self.compiles = False
        """Whether anything was not in the cache."""

    def start(self) -> None:
        """Start in the background of the running event loop."""
        if self._task is None:
            self._begun = self._asked = time.monotonic()
            self._task = asyncio.create_task(self._run(), name="spina-warm-up")

    def put_off(self) -> None:
        """Note that a person waits for a page, so that it does not begin just then."""
        self._asked = time.monotonic()

    def ready(self, game: str) -> bool:
        """Whether the game runs compiled, and its bots can search."""
        return self._state(game).ready

    def is_over(self, game: str) -> bool:
        """Whether the game is ready or has failed."""
        return self._over[game].is_set()

    def progress(self) -> dict[str, dict[str, Any]]:
        """Progress by game: `playing` when its rules are compiled, `ready` when its bots can search too, entries `done`
        `of` all, and `failed` if it stays interpreted."""
        return {game: msgspec.to_builtins(state) for game, state in self._states.items()}

    def tiers(self) -> dict[str, Literal["compiled", "interpreted", "waiting"]]:
        """How each game is played now. "waiting": it is not, because SPINA_COMPILE says so."""
        slow: Literal["interpreted", "waiting"] = "waiting" if compiler.WAITS else "interpreted"
        return {
            game: "compiled" if state.playing else "interpreted" if state.failed else slow
            for game, state in self._states.items()
        }

    @property
    def share(self) -> float | None:
        """Progress of all games together, from 0 to 1; None when all are ready."""
        states = self._states.values()
        if all(state.ready for state in states):
            return None
        return sum(state.done for state in states) / max(1, sum(state.of for state in states))

    async def wait(self, game: str) -> None:
        """Wait until the game is compiled and loaded, or has failed. For work that nobody looks at."""
        self._state(game)
        self.start()
        await self._over[game].wait()

    async def wait_for_all(self) -> None:
        """Wait for all games."""
        for event in self._over.values():
            await event.wait()

    async def prepare(self, game: str) -> None:
        """Give the compiler of this game priority over the others, because people race it. Does not wait for it, unless
        SPINA_COMPILE says so."""
        if self._preferred != game:
            self._preferred = game
            self._set_niceness()
        if compiler.WAITS:
            await self.wait(game)

    async def load(self, game: str) -> bool:
        """Change over now if the game is in the cache, for work that is long if interpreted. Returns whether it is."""
        return await self._load(registry.folders(game))

    def _set_niceness(self) -> None:
        """Set the priorities of all compilers, in a thread: it may take a second."""
        wanted = {
            child.pid: NICENESS if self._preferred in (None, game) else NICENESS_OF_OTHERS
            for game, child in self._children.items()
        }

        def work() -> None:
            for process, niceness in wanted.items():
                subprocesses.set_niceness(process, niceness)

        self._niceness = asyncio.create_task(asyncio.to_thread(work))

    async def close(self) -> None:
        """Stop, and end unfinished compilers. What they have finished stays in the cache."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for event in self._over.values():
            event.set()

    def _state(self, game: str) -> _State:
        # An existing game must not be looked up here: importing it would block the event loop.
        if game not in self._states:
            registry.find(game)  # raises an error that lists the games
        return self._states[game]

    async def _quiet(self) -> None:
        """Wait until no page has been asked for during QUIET seconds."""
        while (left := min(self._asked + QUIET, self._begun + LONGEST_DELAY) - time.monotonic()) > 0:
            await asyncio.sleep(left)

    async def _run(self) -> None:
        if not compiler.WAITS:
            await self._quiet()
        await asyncio.to_thread(self._count)
        self._lanes = asyncio.Semaphore(_lanes())
        async with asyncio.TaskGroup() as group:
            for game in self._states:
                group.create_task(self._warm(game))

    def _count(self) -> None:
        for game, state in self._states.items():
            state.of = compiler.pending(*_folders(game))

    async def _warm(self, game: str) -> None:
        state = self._states[game]
        try:
            await self._bring(registry.folders(game), game)
            state.done, state.playing = state.of - compiler.pending(search_bot.FOLDER), True
            self.on_change(game)
            async with self._searching:
                await self._bring([search_bot.FOLDER], game, SEARCH)
            state.done, state.ready = state.of, True
        except Exception as error:  # the game stays interpreted
            state.failed = True
            log.exception("%s stays interpreted", game, exc_info=error)
        self._over[game].set()
        self.on_change(game)

    async def _bring(self, folders: Sequence[Path], game: str, *modules: str) -> None:
        """Change over to the compiled code of these folders: from the cache, or compiled with the game first."""
        if await self._load(folders):
            return
        async with self._lanes:
            await self._compile(game, *modules)
        if not await self._load(folders):
            raise RuntimeError("what was compiled is not in the cache: can it be written to?")

    async def _load(self, folders: Sequence[Path]) -> bool:
        """Change over to what is in the cache, in a thread: it takes about half a second for each game."""
        async with self._loading:
            return await asyncio.to_thread(compiler.load, *folders)

    async def _compile(self, game: str, *modules: str) -> None:
        """Compile a game, and modules after it, in a child. Raises RuntimeError if that fails."""
        self.compiles = True
        for _ in range(ATTEMPTS):
            code = await self._compile_once(game, *modules)
            if code == 0:
                return
            log.warning("compiling %s ended with code %s", game, code)
        raise RuntimeError("compiling it failed")

    async def _compile_once(self, game: str, *modules: str) -> int:
        process = await subprocesses.start(COMPILER, game, *modules)
        self._children[game] = process
        self._set_niceness()
        state = self._states[game]
        later = 0 if modules else compiler.pending(search_bot.FOLDER)
        try:
            assert process.stdout is not None
            with contextlib.suppress(EOFError):
                while True:
                    left = int.from_bytes(await subprocesses.receive(process.stdout), "big")
                    state.done = max(0, state.of - left - later)
            return await process.wait()
        finally:
            self._children.pop(game, None)
            await subprocesses.end(process, at_once=True)


def _folders(game: str) -> tuple[Path, ...]:
    """The folders of the compiled functions that a table needs for a game: kernels, rules, drivers and search."""
    return (*registry.folders(game), search_bot.FOLDER)


def _lanes() -> int:
    """How many compilers the memory of this machine allows at the same time."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not known on this system
        return len(names())
    return max(1, min(len(names()), free // MEMORY))
