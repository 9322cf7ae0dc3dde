"""Bots think in processes of their own, so that the server answers everybody meanwhile.

A question to a worker carries the race as the seat may know it: everything that it cannot see was dealt anew before
the question was written. A worker that dies is replaced and asked again; one that takes too long is ended, and a
quicker bot is asked instead. `worker` is the other side.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.subprocess import Process
from collections import deque
from typing import Any

import msgspec

from spina.errors import SpinaError
from spina.race import Race
from spina.table import children

log = logging.getLogger(__name__)

LIMIT = 60.0
"""Seconds that a bot may take for a choice."""
STARTING = 60.0
"""Seconds that a worker may take to start."""
TRIES = 3
"""How often a question is asked of one bot when workers die of it."""
QUICKER = ("competent", "random")
"""Who is asked when a bot takes too long."""
WORKER = "spina.table.worker"

_OFFERED = {
    "charioteer": ("longest", "competent", "montecarlo"),
    # Imagined races take long here: Monte Carlo would need twenty seconds for a choice in Chariot Race, and more in
    # Chariotmaster.
    "chariot-race": ("fastest", "careful", "competent"),
    "chariotmaster": ("cautious", "competent"),
}


def offered(game: str) -> tuple[str, ...]:
    """The bots that people may race against, from weak to strong.

    Random driving is left out: it never wins, and is no company. The first of each list is beaten easily enough.
    """
    return _OFFERED[game]


class BotError(SpinaError):
    """No bot could say what it would do."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What would this bot do? The same question has the same answer."""

    game: str
    edition_text: str | None
    """None: the reference edition."""
    seats: int
    options: dict[str, Any]
    state: bytes
    """The race as it may be for all the seat knows."""
    choosing: list[str]
    """Steps that the seat has taken towards a choice that is not complete, in notation."""
    seat: int
    bot: str
    seed: int
    """Of the bot's own dice. It must have nothing to do with the seed of the race."""

    @classmethod
    def of(cls, race: Race, seat: int, bot: str, seed: int) -> Question:
        """Ask what a bot would do in this seat."""
        own = race.edition.hash != race.game.reference().hash
        return cls(
            game=race.game.name,
            edition_text=race.edition.text if own else None,
            seats=race.seats,
            options=race.options,
            state=race.dealt_anew(seat, seed).tobytes(),
            choosing=[str(step) for step in race.choosing(seat)],
            seat=seat,
            bot=bot,
            seed=seed,
        )


class Answer(msgspec.Struct, frozen=True):
    """What a worker says: an action in notation, or why there is none."""

    action: str | None = None
    problem: str | None = None


class _Worker:
    """A process that thinks about one question at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def start(self) -> Process:
        """The process, ready to be asked. Raises EOFError when there is none to be had."""
        if self._process is not None:
            return self._process
        try:
            async with asyncio.timeout(STARTING):
                self._process = await children.start(WORKER)
                await _said(self._process)
        except OSError as error:  # nothing can be started, or it took too long
            raise EOFError(str(error)) from error
        return self._process

    async def ask(self, question: Question, limit: float) -> Answer:
        """Raises EOFError when the process ended over it, and TimeoutError when it thinks too long."""
        process = await self.start()
        assert process.stdin is not None
        async with asyncio.timeout(limit):
            try:
                process.stdin.write(children.framed(msgspec.msgpack.encode(question)))
                await process.stdin.drain()
            except OSError as error:  # nobody reads it
                raise EOFError(str(error)) from error
            return await _said(process)

    async def end(self, *, at_once: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            await children.end(process, at_once=at_once)


async def _said(process: Process) -> Answer:
    assert process.stdout is not None
    try:
        return msgspec.msgpack.decode(await children.receive(process.stdout), type=Answer)
    except (OSError, msgspec.MsgspecError) as error:  # a broken pipe, or what no worker says
        raise EOFError(str(error)) from error


class Thinkers:
    """A number of workers, started when there is something to think about. Who asks first is answered first."""

    def __init__(self, workers: int, *, limit: float = LIMIT) -> None:
        self._most, self._limit = max(1, workers), limit
        self._waiting: deque[tuple[Question, asyncio.Future[str]]] = deque()
        self._news = asyncio.Semaphore(0)  # as many as there are questions waiting
        self._idle = 0
        self._working: list[asyncio.Task[None]] = []
        self._workers: list[_Worker] = []
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def start(self) -> None:
        """Start a worker before there is a question, so that the first one need not wait for it."""
        if not self._working and not self._closed:
            self._add_worker()

    async def choose(self, question: Question) -> str:
        """What the bot would do, in notation. Raises BotError."""
        if self._closed:
            raise BotError("the bots have gone home")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answer))
        self._news.release()
        if len(self._waiting) > self._idle and len(self._working) < self._most:
            self._add_worker()
        return await answer

    async def close(self) -> None:
        """End all workers, also those that think. Whoever waits for an answer gets a BotError."""
        self._closed = True
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(BotError("the bots have gone home"))
        self._waiting.clear()

    def _add_worker(self) -> None:
        worker = _Worker()
        self._workers.append(worker)
        self._idle += 1
        self._working.append(asyncio.create_task(self._work(worker), name="spina-thinker"))

    async def _work(self, worker: _Worker) -> None:
        """One worker's day: a question after the other."""
        try:
            try:
                await worker.start()
            except EOFError:  # it is tried again with the first question, which then has its answer
                await worker.end(at_once=True)
            while True:
                await self._news.acquire()
                question, answer = self._waiting.popleft()
                if answer.done():  # nobody waits for it any more
                    continue
                self._idle -= 1
                try:
                    action = await self._answer(worker, question)
                except BaseException as error:
                    if not answer.done():
                        known = isinstance(error, BotError)
                        answer.set_exception(error if known else BotError("the bots have gone home"))
                    if not isinstance(error, BotError):
                        raise
                else:
                    if not answer.done():
                        answer.set_result(action)
                finally:
                    self._idle += 1
        finally:
            await worker.end(at_once=True)

    async def _answer(self, worker: _Worker, question: Question) -> str:
        """The bot's answer, or that of a quicker one."""
        for bot in (question.bot, *(name for name in QUICKER if name != question.bot)):
            asked = msgspec.structs.replace(question, bot=bot)
            try:
                return await self._insist(worker, asked)
            except TimeoutError:
                log.warning("%s of %s took longer than %g s", bot, question.game, self._limit)
                await worker.end(at_once=True)
        raise BotError(f"no bot of {question.game} answered within {self._limit:g} seconds")

    async def _insist(self, worker: _Worker, question: Question) -> str:
        """Ask again when the worker dies."""
        for _ in range(TRIES):
            try:
                answer = await worker.ask(question, self._limit)
            except EOFError:
                log.warning("a worker died while it thought about %s; it is replaced", question.game)
                await worker.end(at_once=True)
                continue
            if answer.action is None:
                raise BotError(f"{question.bot} cannot choose in {question.game}: {answer.problem}")
            return answer.action
        raise BotError(f"{TRIES} workers in a row died while {question.bot} thought about {question.game}")
