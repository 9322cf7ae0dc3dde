"""Bots think in processes of their own, so that the server answers everybody meanwhile.

A question to a worker carries the race as the seat may know it: everything that it cannot see was dealt anew before
the question was written. A worker that dies is replaced and asked again; one that takes too long is ended.
`worker` is the other side; `fallbacks` says who chooses when a bot fails.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.subprocess import Process
from collections import deque
from typing import Any

import msgspec

from spina.bots import LEVELS
from spina.errors import SpinaError
from spina.games import find
from spina.race import Race
from spina.table import children
from spina.table.repeats import Repeats

log = logging.getLogger(__name__)
_deaths = Repeats(log)

LIMIT = 60.0
"""Seconds that a bot may take for a choice."""
STARTING = 60.0
"""Seconds that a worker may take to start."""
TRIES = 3
"""How often a question is asked of one bot when workers die of it."""
STARTS = 2
"""How often a worker is started for a question before it is given up."""
WORKER = "spina.table.worker"


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


class _Worker:
    """A process that thinks about one question at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def start(self) -> Process:
        """The process, ready to be asked. Raises _NotStarted when there is none to be had."""
        if self._process is not None:
            return self._process
        try:
            async with asyncio.timeout(STARTING):
                self._process = await children.start(WORKER)
                await _said(self._process)
        except (OSError, EOFError) as error:  # nothing can be started, it took too long, or it ended at once
            raise _NotStarted(str(error) or type(error).__name__) from error
        return self._process

    async def ask(self, question: Asked, limit: float) -> Answer:
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
    """A number of workers, started when there is something to think about. Who asks first is answered first.

    Questions that nobody waits for at a table come after all others, and no worker is started for them if there is one.
    """

    def __init__(self, workers: int, *, limit: float = LIMIT) -> None:
        self._most, self._limit = max(1, workers), limit
        self._waiting: deque[_Open] = deque()
        self._leisure: deque[_Open] = deque()
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
        action = (await self._ask(question, self._waiting)).action
        assert action is not None
        return action

    async def advise(self, inquiry: Inquiry, *, leisurely: bool = False) -> Advice:
        """What the strongest search thinks; leisurely: when no worker has anything else to do. Raises BotError."""
        advice = (await self._ask(inquiry, self._leisure if leisurely else self._waiting)).advice
        assert advice is not None
        return advice

    async def _ask(self, question: Asked, queue: deque[_Open]) -> Answer:
        if self._closed:
            raise BotError("the bots have gone home")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        queue.append((question, answer))
        self._news.release()
        wanted = len(self._waiting) > self._idle if queue is self._waiting else not self._working
        if wanted and len(self._working) < self._most:
            self._add_worker()
        return await answer

    async def close(self) -> None:
        """End all workers, also those that think. Whoever waits for an answer gets a BotError."""
        self._closed = True
        for task in self._working:
            task.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        for queue in (self._waiting, self._leisure):
            for _, answer in queue:
                if not answer.done():
                    answer.set_exception(BotError("the bots have gone home"))
            queue.clear()

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
                question, answer = (self._waiting or self._leisure).popleft()
                if answer.done():  # nobody waits for it any more
                    continue
                self._idle -= 1
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
                    self._idle += 1
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
        unstarted = 0
        for _ in range(TRIES):
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
        raise BotError(f"{TRIES} workers in a row died while {_name(question)} thought about {question.game}")


def _name(asked: Asked) -> str:
    return asked.bot if isinstance(asked, Question) else "the adviser"
