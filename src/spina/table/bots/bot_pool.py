"""The worker pool: processes in which bots think, so that the event loop is not blocked.

A question to a worker carries a determinization of the race for the seat. A worker that dies is replaced, and the
question is asked again; a worker that takes too long is killed. `worker` is the code in the process; `fallbacks`
chooses when a bot fails.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence

import msgspec

from spina import bots
from spina.errors import SpinaError
from spina.games import find
from spina.table.bots import subprocesses
from spina.table.bots.fair_queue import Asker, Entry, FairQueue
from spina.table.bots.worker_messages import AdviceData, AdviceQuestion, Answer, Asked, Question, call, called, is_quick
from spina.table.instrumentation import NO_INSTRUMENTATION, Instrumentation
from spina.table.repeated_logs import Repeats

log = logging.getLogger(__name__)
_deaths = Repeats(log)

LIMIT = 60.0
"""Maximum seconds for a bot's choice."""
STARTING = 60.0
"""Maximum seconds for the start of a worker."""
TRIES = 3
"""Attempts to answer a question if workers die over it."""
QUICK_TRIES = 10
"""The same for a quick question, which shares its worker: another question may be what kills the worker."""
STARTS = 2
"""Attempts to start a worker for a question."""
WORKER = "spina.table.bots.worker"
LOOK_AGAIN = 1.0
"""Seconds after which an idle worker checks whether a race that was held back may go on."""


def offered(game: str, allowed: Sequence[str] = ()) -> tuple[str, ...]:
    """The bots that a set-up page offers: the game's levels from weak to strong, then those that the host allows."""
    return (*find(game).levels, *allowed)


def accepted(game: str, allowed: Sequence[str] = ()) -> tuple[str, ...]:
    """The bots that a request may name: the game's drivers and levels, and those that the host allows."""
    return (*bots.names(game), *allowed)


class BotError(SpinaError):
    """A bot could not choose."""


class NoWorkers(BotError):
    """No worker process can be started, for any bot."""


class _NotStarted(EOFError):
    """A worker process did not start."""


_Open = tuple[Asked, asyncio.Future[Answer]]


class _Child:
    """A worker process. It answers one search question at a time, and quick questions beside it."""

    def __init__(self) -> None:
        self.process: Process | None = None
        """Set while the process is ready for questions."""
        self.pid: int | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Answer]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> Process:
        """Start the process unless it runs, and return it ready for questions. Raises _NotStarted."""
        async with self._starting:
            if self.process is not None:
                return self.process
            started: Process | None = None
            try:
                async with asyncio.timeout(STARTING):
                    started = await subprocesses.start(WORKER)
                    self.pid = started.pid
                    await _said(started)
            except BaseException as error:
                self.pid = None
                if started is not None:
                    await subprocesses.end(started, at_once=True)
                if not isinstance(error, OSError | EOFError):
                    raise
                # the system refused, the start timed out, or the process ended at once
                raise _NotStarted(str(error) or type(error).__name__) from error
            self.process = started
            self._reading = asyncio.create_task(self._read_answers(started))
            return started

    async def ask(self, process: Process, question: Asked, *, quick: bool) -> Answer:
        """Send a question and wait for its answer. Raises EOFError if the process ends meanwhile."""
        assert process.stdin is not None
        number = next(self._numbers)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            if process is not self.process:
                raise EOFError("the process has been ended")
            process.stdin.write(subprocesses.framed(call(number, quick) + msgspec.msgpack.encode(question)))
            await process.stdin.drain()
            return await answer
        except OSError as error:  # the process no longer reads
            raise EOFError(str(error)) from error
        finally:
            self._asked.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # mark it as retrieved

    async def _read_answers(self, process: Process) -> None:
        """Read answers and resolve their futures until the process ends."""
        try:
            while True:
                number, found = await _said(process)
                answer = self._asked.get(number)
                if answer is not None and not answer.done():
                    answer.set_result(found)
        except EOFError as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(EOFError(why))

    async def end(self, process: Process, *, at_once: bool) -> None:
        """End this process, unless it has been replaced already."""
        if process is not self.process:
            return
        self.process = self.pid = None
        if self._reading is not None:
            self._reading.cancel()
        self._give_up("the process has been ended")
        await subprocesses.end(process, at_once=at_once)


class _Worker:
    """Sends questions to a process one at a time. Two may share a process: one of them sends quick questions only."""

    def __init__(self, child: _Child, *, quick: bool = False) -> None:
        self._child, self.quick = child, quick
        self._process: Process | None = None
        """The process that was started or asked last."""

    @property
    def pid(self) -> int | None:
        return self._child.pid

    async def start(self) -> None:
        """Start the process unless it runs. Raises _NotStarted."""
        self._process = await self._child.start()

    async def ask(self, question: Asked, limit: float) -> Answer:
        """Ask the process. Raises EOFError if it ends meanwhile, and TimeoutError if it takes too long."""
        await self.start()
        assert self._process is not None
        async with asyncio.timeout(limit):
            return await self._child.ask(self._process, question, quick=self.quick)

    async def end(self, *, at_once: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            await self._child.end(process, at_once=at_once)


async def _said(process: Process) -> tuple[int, Answer]:
    assert process.stdout is not None
    try:
        number, _, said = called(await subprocesses.receive(process.stdout))
        return number, msgspec.msgpack.decode(said, type=Answer)
    except (OSError, msgspec.MsgspecError) as error:  # a broken pipe, or an invalid message
        raise EOFError(str(error)) from error


class BotPool:
    """A pool of workers that are started on demand. `fair_queue` decides which question is answered first.

    Questions that can wait come after those of races that people attend, and start no second worker. Quick bots of
    races that people attend never wait for searches: a second thread of the first worker is reserved for them.
    `allowed` are the bots that the host allows besides those of the games; other classes and programs are refused,
    even if the database names them. `can_search` says whether the search of a game is compiled: until then a driver
    chooses for the levels that search.
    """

    def __init__(
        self,
        workers: int,
        *,
        limit: float = LIMIT,
        alone_at_once: int = 16,
        alone_per_address: int = 4,
        allowed: Sequence[str] = (),
        can_search: Callable[[str], bool] = lambda game: True,
        instruments: Instrumentation = NO_INSTRUMENTATION,
    ) -> None:
        self.can_search, self._instruments = can_search, instruments
        self._most, self._limit, self._allowed = max(1, workers), limit, tuple(allowed)
        self._queue: FairQueue[_Open] = FairQueue(
            self._most, alone_at_once=alone_at_once, alone_per_address=alone_per_address
        )
        self._news: set[asyncio.Future[None]] = set()
        """One future for each worker that waits for a question."""
        self._working: list[asyncio.Task[None]] = []
        self._workers: list[_Worker] = []
        self._quick: asyncio.Task[None] | None = None
        self._busy, self._resting = 0, 0
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """Process ids of the running workers."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return len(self._queue)

    @property
    def thinking(self) -> int:
        """How many questions are being answered."""
        return self._queue.running

    def start(self) -> None:
        """Start a worker before there is a question, so that the first one need not wait for it."""
        if not self._working and not self._closed:
            self._add_worker()

    async def choose(self, question: Question, asker: Asker | None = None) -> str:
        """The bot's choice, in notation. Raises BotError."""
        known = accepted(question.game, self._allowed)
        if question.bot not in known and (":" in question.bot or question.bot in bots.installed()):
            raise BotError(f'there is no bot "{question.bot}" on this server')
        if self.is_warming_up(question.game, question.bot):
            question = msgspec.structs.replace(question, bot=find(question.game).default_driver)
        action = (await self._ask(question, asker)).action
        assert action is not None
        return action

    def is_warming_up(self, game: str, bot: str) -> bool:
        """Whether a bot would search, and the search is not compiled yet."""
        level = find(game).levels.get(bot)
        return level is not None and level.driver is None and not self.can_search(game)

    async def advise(
        self, question: AdviceQuestion, asker: Asker | None = None, *, leisurely: bool = False
    ) -> AdviceData:
        """The strongest search's advice; `leisurely`: when a worker is idle. Raises BotError."""
        advice = (await self._ask(question, asker, leisurely=leisurely)).advice
        assert advice is not None
        return advice

    async def answer(self, question: Asked, asker: Asker, *, leisurely: bool = False) -> Answer:
        """The answer to a question of another server. Raises BotError."""
        if isinstance(question, Question):
            return Answer(action=await self.choose(question, asker))
        return Answer(advice=await self.advise(question, asker, leisurely=leisurely))

    def attend(self, asker: Asker) -> None:
        """Raise the priority of a table's questions, because people attend it now."""
        self._queue.attend(asker)
        self._wake()

    async def _ask(self, question: Asked, asker: Asker | None, *, leisurely: bool = False) -> Answer:
        if self._closed:
            raise BotError("the bot pool is closed")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        quick, asked = is_quick(question), time.monotonic()
        entry = self._queue.add((question, answer), asker or Asker(), quick=quick, leisurely=leisurely)
        self._wake()
        idle = len(self._working) - self._busy  # or still starting
        wanted = not self._working if leisurely else len(self._queue) > idle
        if wanted and len(self._working) < self._most:
            self._add_worker()
        try:
            return await answer
        finally:
            self._queue.discard(entry)
            if entry.begun is not None:
                self._instruments.thought_waited(entry.begun - asked, quick=quick)

    def _wake(self) -> None:
        for news in self._news:
            if not news.done():
                news.set_result(None)

    async def close(self) -> None:
        """End all workers, busy ones too. Open questions fail with BotError."""
        self._closed = True
        tasks = [*self._working, *([self._quick] if self._quick else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for _, answer in self._queue.clear():
            if not answer.done():
                answer.set_exception(BotError("the bot pool is closed"))

    def _add_worker(self) -> None:
        child = _Child()
        worker = _Worker(child)
        self._workers.append(worker)
        self._working.append(asyncio.create_task(self._work(worker), name="spina-bot-worker"))
        if self._quick is None:
            self._quick = asyncio.create_task(self._work(_Worker(child, quick=True)), name="spina-quick-bot-worker")

    async def _next(self, *, quick: bool) -> Entry[_Open]:
        """Wait for the next question that may be asked now. `quick`: only while no other worker is idle."""
        while (entry := self._take(quick)) is None:
            news = asyncio.get_running_loop().create_future()
            self._news.add(news)
            self._resting += not quick
            try:
                await asyncio.wait([news], timeout=LOOK_AGAIN if self._queue else None)
            finally:
                self._news.discard(news)
                self._resting -= not quick
        if self._queue:
            self._wake()
        return entry

    def _take(self, quick: bool) -> Entry[_Open] | None:
        if not quick:
            return self._queue.take()
        return None if self._resting else self._queue.take_quick()

    async def _work(self, worker: _Worker) -> None:
        """The task of one worker: answers questions until it is cancelled."""
        try:
            try:
                await worker.start()
            except EOFError:  # retried with the first question, which reports the failure
                await worker.end(at_once=True)
            while True:
                entry = await self._next(quick=worker.quick)
                question, answer = entry.item
                self._busy += not worker.quick
                try:
                    found = await self._answer(worker, question)
                except BaseException as error:
                    if not answer.done():
                        known = isinstance(error, BotError)
                        answer.set_exception(error if known else BotError("the bot pool is closed"))
                    if not isinstance(error, BotError):
                        raise
                else:
                    if not answer.done():
                        answer.set_result(found)
                finally:
                    self._busy -= not worker.quick
                    self._queue.done(entry)
                    if entry.begun is not None:
                        self._instruments.thought(time.monotonic() - entry.begun, quick=entry.quick)
                    self._wake()
        finally:
            await worker.end(at_once=True)

    async def _answer(self, worker: _Worker, question: Asked) -> Answer:
        """The bot's answer. Turns every failure into BotError, so that the worker's task goes on."""
        try:
            return await self._ask_with_retries(worker, question)
        except BotError:
            raise
        except TimeoutError:
            await worker.end(at_once=True)
            raise BotError(f"{_name(question)} took longer than {self._limit:g} s in {question.game}") from None
        except Exception as error:
            await worker.end(at_once=True)
            raise BotError(
                f"{_name(question)} cannot be asked in {question.game}: {type(error).__name__}: {error}"
            ) from error

    async def _ask_with_retries(self, worker: _Worker, question: Asked) -> Answer:
        """Ask, and retry with a new process if the worker dies."""
        unstarted, tries = 0, QUICK_TRIES if worker.quick else TRIES
        for _ in range(tries):
            try:
                answer = await worker.ask(question, self._limit)
            except EOFError as error:
                await worker.end(at_once=True)
                if isinstance(error, _NotStarted):
                    unstarted += 1
                    if unstarted == STARTS:
                        raise NoWorkers(f"no worker process can be started: {error}") from None
                else:
                    _deaths.warn(
                        f"{question.game} {_name(question)}",
                        f"a worker died while {_name(question)} thought about {question.game}; it is replaced",
                    )
                continue
            if answer.problem is not None:
                raise BotError(f"{_name(question)} cannot choose in {question.game}: {answer.problem}")
            return answer
        raise BotError(f"{tries} workers in a row died while {_name(question)} thought about {question.game}")


def _name(asked: Asked) -> str:
    return asked.bot if isinstance(asked, Question) else "the adviser"
