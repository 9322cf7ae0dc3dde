"""Bots that think at other servers: a server without workers asks, one with workers answers.

Bots' choices are made by the holder of a table's lease, which has workers. What a server without workers asks is what
its people want to know: hints, and the analysis of finished races.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import msgspec

from spina.errors import StoreError
from spina.table.bots.bot_pool import BotError, BotPool
from spina.table.bots.fair_queue import Asker
from spina.table.bots.worker_messages import Answer, Asked
from spina.table.store.question_store import QuestionStore, Waiting
from spina.table.waits import is_set_within

PATIENCE = 30.0
"""Seconds after which a question counts as failed: perhaps no server with workers runs."""
LOOK = 1.0
"""Seconds between looks for an answer, or for questions, in case a signal was lost."""
TOGETHER = 16
"""Maximum number of questions of other servers that this one answers at a time."""


class RemotePool(BotPool):
    """A pool without workers: it asks the other servers."""

    def __init__(
        self, questions: QuestionStore, *, allowed: Sequence[str] = (), can_search: Callable[[str], bool]
    ) -> None:
        super().__init__(1, allowed=allowed, can_search=can_search)
        self._questions = questions
        self._answered: dict[str, asyncio.Event] = {}

    def start(self) -> None:
        """There are no workers to start."""

    def heard_answer(self, id: str) -> None:
        """Collect the answer to a question."""
        if id in self._answered:
            self._answered[id].set()

    async def _ask(self, question: Asked, asker: Asker | None, *, leisurely: bool = False) -> Answer:
        if self._closed:
            raise BotError("the bot pool is closed")
        table, address = ("", None) if asker is None else (asker.table, asker.address)
        body = msgspec.msgpack.encode(question)
        try:
            id = await self._questions.ask(table, body, leisurely=leisurely, address=address)
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await self._collect(id)
            except TimeoutError:
                await self._questions.withdraw(id)
                raise BotError(f"no server has answered for {PATIENCE:g} s: none with bot workers may be up") from None
        except StoreError as error:
            raise BotError(f"the question cannot be asked: {error}") from None
        answer = msgspec.msgpack.decode(found, type=Answer)
        if answer.problem is not None:
            raise BotError(answer.problem)
        return answer

    async def _collect(self, id: str) -> bytes:
        answered = self._answered[id] = asyncio.Event()
        try:
            while (found := await self._questions.collect(id)) is None:
                await is_set_within(answered, LOOK)
                answered.clear()
            return found
        finally:
            del self._answered[id]


class Answering:
    """Answers the questions of servers without workers, with the workers of this one."""

    def __init__(self, questions: QuestionStore, pool: BotPool) -> None:
        self._questions, self._pool = questions, pool
        self._asked = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._taking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._taking = asyncio.create_task(self._take())

    def heard_question(self) -> None:
        """Look for questions now."""
        self._asked.set()

    async def close(self) -> None:
        tasks = [*self._tasks, *([self._taking] if self._taking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self) -> None:
        while True:
            with contextlib.suppress(StoreError):  # the store logs it
                free = TOGETHER - len(self._tasks)
                for waiting in await self._questions.take(free) if free > 0 else []:
                    task = asyncio.create_task(self._answer(waiting))
                    self._tasks.add(task)
                    task.add_done_callback(self._done)
            await is_set_within(self._asked, LOOK)
            self._asked.clear()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._asked.set()

    async def _answer(self, waiting: Waiting) -> None:
        asked: Asked = msgspec.msgpack.decode(waiting.body, type=Asked)
        try:
            answer = await self._pool.answer(asked, Asker(waiting.table, waiting.address), leisurely=waiting.leisurely)
        except BotError as error:
            answer = Answer(problem=str(error))
        with contextlib.suppress(StoreError):  # it is taken again, by another server
            await self._questions.answer(waiting.id, msgspec.msgpack.encode(answer))
