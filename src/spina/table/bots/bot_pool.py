"""Bots think in processes of their own, so that the server answers everybody meanwhile.

A question to a worker carries the race as the seat may know it: everything that it cannot see was dealt anew before
the question was written. A worker that dies is replaced and asked again; one that takes too long is ended.
`worker` is the other side; `fallbacks` says who chooses when a bot fails.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from asyncio.subprocess import Process
from typing import Any

import msgspec

from spina.bots import LEVELS
from spina.bots.levels import OF_GAME
from spina.errors import SpinaError
from spina.games import find
from spina.race import Race
from spina.table.bots import subprocesses
from spina.table.bots.fair_queue import Asker, Entry, FairQueue
from spina.table.repeated_logs import Repeats

log = logging.getLogger(__name__)
_deaths = Repeats(log)

LIMIT = 60.0
"""Seconds that a bot may take for a choice."""
STARTING = 60.0
"""Seconds that a worker may take to start."""
TRIES = 3
"""How often a question is asked of one bot when workers die of it."""
QUICK_TRIES = 10
"""The same for a quick question that shares its worker with others: it may be one of those that the worker dies of."""
STARTS = 2
"""How often a worker is started for a question before it is given up."""
WORKER = "spina.table.bots.worker"
LOOK_AGAIN = 1.0
"""Seconds after which an idle worker looks whether a race that was held back may go on."""


def offered(game: str) -> tuple[str, ...]:
    """The bots that people may race against, from weak to strong: the first is beaten easily enough."""
    find(game)
    return LEVELS


class BotError(SpinaError):
    """The bot could not say what it would do."""


class NoWorkers(BotError):
    """No worker process can be started, whichever bot is asked."""


class _NotStarted(EOFError):
    """A worker process did not start."""


class Situation(msgspec.Struct, frozen=True, kw_only=True, tag_field="asks"):
    """A race as a seat knows it, to be thought about."""

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
    seed: int
    """Of the thinker's own dice. It must have nothing to do with the seed of the race."""


def _situation(race: Race, seat: int, seed: int) -> dict[str, Any]:
    """The fields of a situation. What the seat cannot see is dealt anew."""
    return {
        "game": race.game.name,
        "edition_text": race.game.kept_text(race.edition),
        "seats": race.seats,
        "options": race.options,
        "state": race.dealt_anew(seat, seed).tobytes(),
        "choosing": [str(step) for step in race.choosing(seat)],
        "seat": seat,
        "seed": seed,
    }


class Question(Situation, frozen=True, kw_only=True, tag="choice"):
    """What would this bot do? The same question has the same answer."""

    bot: str

    @classmethod
    def of(cls, race: Race, seat: int, bot: str, seed: int) -> Question:
        """Ask what a bot would do in this seat."""
        return cls(bot=bot, **_situation(race, seat, seed))


class Inquiry(Situation, frozen=True, kw_only=True, tag="advice"):
    """What does the strongest search think of this choice?"""

    iterations: int
    """Races that are imagined to find the best choices, at most; and as many again to compare them."""
    milliseconds: float
    """Time for either, at most; if it does not run out, the same inquiry has the same answer."""
    chosen: str | None = None
    """An action that is compared with the best, each with `iterations` imagined races."""

    @classmethod
    def of(
        cls, race: Race, seat: int, seed: int, *, iterations: int, milliseconds: float, chosen: str | None = None
    ) -> Inquiry:
        """Ask for advice to this seat."""
        return cls(iterations=iterations, milliseconds=milliseconds, chosen=chosen, **_situation(race, seat, seed))


class Option(msgspec.Struct, frozen=True):
    """Something that can be chosen, in notation, with every seat's chance to win after it."""

    action: str
    chances: list[float]
    tried: int
    """How many races were imagined that begin with it."""


class Because(msgspec.Struct, frozen=True):
    """What speaks for a choice: more or less of one of the game's figures, and how much."""

    figure: str
    """With hyphens: "to-go"."""
    more: bool
    amount: float


class Advice(msgspec.Struct, frozen=True):
    """What a search thinks of a choice."""

    seat: int
    candidates: list[Option]
    """The best few, the best first."""
    chances: list[float]
    """Every seat's chance to win now, with the best choice."""
    reason: Because | None
    """What speaks for the best choice: against the others, or against what was chosen."""
    chosen: Option | None = None
    """What was chosen, where that was asked for; of the candidates there is then the best alone."""


class Answer(msgspec.Struct, frozen=True):
    """What a worker says: an action in notation, or advice, or why there is none."""

    action: str | None = None
    advice: Advice | None = None
    problem: str | None = None


Asked = Question | Inquiry
_Open = tuple[Asked, asyncio.Future[Answer]]


class _Child:
    """A process that thinks about one question at a time, and meanwhile about quick ones."""

    def __init__(self) -> None:
        self.process: Process | None = None
        """When it is ready to be asked."""
        self.pid: int | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Answer]] = {}
        self._hearing: asyncio.Task[None] | None = None

    async def start(self) -> Process:
        """The process, ready to be asked. Raises _NotStarted when there is none to be had."""
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
                # nothing can be started, it took too long, or it ended at once
                raise _NotStarted(str(error) or type(error).__name__) from error
            self.process = started
            self._hearing = asyncio.create_task(self._hear(started))
            return started

    async def ask(self, process: Process, question: Asked, *, quick: bool) -> Answer:
        """Raises EOFError when the process ends over it."""
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
        except OSError as error:  # nobody reads it
            raise EOFError(str(error)) from error
        finally:
            self._asked.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # nobody else wants it

    async def _hear(self, process: Process) -> None:
        """Pass on what the process says until it ends."""
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
        """End this process, unless another has taken its place already."""
        if process is not self.process:
            return
        self.process = self.pid = None
        if self._hearing is not None:
            self._hearing.cancel()
        self._give_up("the process has been ended")
        await subprocesses.end(process, at_once=at_once)


class _Worker:
    """Asks a process one question after the other. Two may share a process: one then asks quick questions only."""

    def __init__(self, child: _Child, *, quick: bool = False) -> None:
        self._child, self.quick = child, quick
        self._process: Process | None = None
        """The process that was started or asked last."""

    @property
    def pid(self) -> int | None:
        return self._child.pid

    async def start(self) -> None:
        """Have the process ready to be asked. Raises _NotStarted when there is none to be had."""
        self._process = await self._child.start()

    async def ask(self, question: Asked, limit: float) -> Answer:
        """Raises EOFError when the process ended over it, and TimeoutError when it thinks too long."""
        await self.start()
        assert self._process is not None
        async with asyncio.timeout(limit):
            return await self._child.ask(self._process, question, quick=self.quick)

    async def end(self, *, at_once: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            await self._child.end(process, at_once=at_once)


CALL_BYTES = 5


def call(number: int, quick: bool) -> bytes:
    """What stands before a question or an answer: its number, and whether it is a quick one."""
    return (number % 2**32).to_bytes(CALL_BYTES - 1, "big") + bytes([quick])


def called(message: bytes) -> tuple[int, bool, bytes]:
    """The number, whether it is a quick one, and what was said. Raises EOFError for what is no such message."""
    if len(message) < CALL_BYTES:
        raise EOFError("a message without a number")
    return int.from_bytes(message[: CALL_BYTES - 1], "big"), bool(message[CALL_BYTES - 1]), message[CALL_BYTES:]


async def _said(process: Process) -> tuple[int, Answer]:
    assert process.stdout is not None
    try:
        number, _, said = called(await subprocesses.receive(process.stdout))
        return number, msgspec.msgpack.decode(said, type=Answer)
    except (OSError, msgspec.MsgspecError) as error:  # a broken pipe, or what no worker says
        raise EOFError(str(error)) from error


def _is_quick(question: Asked) -> bool:
    """Whether a driver answers it, which takes hardly any time; a search takes up to a second and more."""
    if not isinstance(question, Question):
        return False
    level = OF_GAME[question.game].get(question.bot)
    return question.bot in find(question.game).drivers or (level is not None and level.driver is not None)


class Thinkers:
    """A number of workers, started when there is something to think about. `fair_queue` says who is answered first.

    Questions that can wait come after those of races that people attend, and no worker is started for them if there is
    one. However long the searches of others take, quick bots of races that people attend answer at once: a second
    thread of the first worker is kept for them.
    """

    def __init__(
        self, workers: int, *, limit: float = LIMIT, alone_at_once: int = 16, alone_per_address: int = 4
    ) -> None:
        self._most, self._limit = max(1, workers), limit
        self._queue: FairQueue[_Open] = FairQueue(
            self._most, alone_at_once=alone_at_once, alone_per_address=alone_per_address
        )
        self._news: set[asyncio.Future[None]] = set()
        """One for each worker that waits for a question."""
        self._working: list[asyncio.Task[None]] = []
        self._workers: list[_Worker] = []
        self._quick: asyncio.Task[None] | None = None
        self._busy, self._resting = 0, 0
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def start(self) -> None:
        """Start a worker before there is a question, so that the first one need not wait for it."""
        if not self._working and not self._closed:
            self._add_worker()

    async def choose(self, question: Question, asker: Asker | None = None) -> str:
        """What the bot would do, in notation. Raises BotError."""
        action = (await self._ask(question, asker)).action
        assert action is not None
        return action

    async def advise(self, inquiry: Inquiry, asker: Asker | None = None, *, leisurely: bool = False) -> Advice:
        """What the strongest search thinks; leisurely: when no worker has anything else to do. Raises BotError."""
        advice = (await self._ask(inquiry, asker, leisurely=leisurely)).advice
        assert advice is not None
        return advice

    def attend(self, asker: Asker) -> None:
        """People have come to a table: it no longer waits behind the races that people attend."""
        self._queue.attend(asker)
        self._wake()

    async def _ask(self, question: Asked, asker: Asker | None, *, leisurely: bool = False) -> Answer:
        if self._closed:
            raise BotError("the bots have gone home")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        quick = _is_quick(question)
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

    def _wake(self) -> None:
        for news in self._news:
            if not news.done():
                news.set_result(None)

    async def close(self) -> None:
        """End all workers, also those that think. Whoever waits for an answer gets a BotError."""
        self._closed = True
        tasks = [*self._working, *([self._quick] if self._quick else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for _, answer in self._queue.clear():
            if not answer.done():
                answer.set_exception(BotError("the bots have gone home"))

    def _add_worker(self) -> None:
        child = _Child()
        worker = _Worker(child)
        self._workers.append(worker)
        self._working.append(asyncio.create_task(self._work(worker), name="spina-thinker"))
        if self._quick is None:
            self._quick = asyncio.create_task(self._work(_Worker(child, quick=True)), name="spina-quick-thinker")

    async def _next(self, *, quick: bool) -> Entry[_Open]:
        """The next question, when there is one that may be asked now. `quick`: and nobody else rests."""
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
        """One worker's day: a question after the other."""
        try:
            try:
                await worker.start()
            except EOFError:  # it is tried again with the first question, which then has its answer
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
                        answer.set_exception(error if known else BotError("the bots have gone home"))
                    if not isinstance(error, BotError):
                        raise
                else:
                    if not answer.done():
                        answer.set_result(found)
                finally:
                    self._busy -= not worker.quick
                    self._queue.done(entry)
                    self._wake()
        finally:
            await worker.end(at_once=True)

    async def _answer(self, worker: _Worker, question: Asked) -> Answer:
        """The bot's answer. Raises BotError, whatever goes wrong: a worker's day does not end with a question."""
        try:
            return await self._insist(worker, question)
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

    async def _insist(self, worker: _Worker, question: Asked) -> Answer:
        """Ask again when the worker dies."""
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
