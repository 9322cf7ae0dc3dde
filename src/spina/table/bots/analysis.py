"""Analysis of a finished race: every seat's chance to win over time, and the choices that cost most.

The chances come from the value network, which is fast. The choices are searched by the worker pool when it is idle, one
race at a time, and only while a page asks for the result. Results are cached in memory and not stored: after a restart,
or after the analysis of many other races, the work is done again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from spina.errors import SpinaError
from spina.games import find
from spina.games.choice_reasons import Reason
from spina.race import Race
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.win_chances import WinChances
from spina.table.bots.worker_messages import AdviceData, AdviceQuestion
from spina.table.http.rate_limits import Allowance
from spina.table.live.replay_steps import replayed
from spina.table.live.room import Room
from spina.table.live.starts import begin as begin_race
from spina.table.live.starts import edition_of
from spina.table.refusals import Refusal, say
from spina.table.store.records import Seat

log = logging.getLogger("spina.table")

MOST_CHOICES = 60
"""Maximum number of choices searched: those before the greatest losses, and others spread over the race."""
MOST_LOOKED_AT_TWICE = 8
"""Maximum number of choices that are searched again, for longer: the costliest."""
FIRST_LOOK, SECOND_LOOK = 16, 4
"""Divisors of the strongest bot's simulations for the first and the second search of a choice."""
FEWEST = 384
"""Minimum number of simulations before the division."""
MILLISECONDS = 400.0
MOST_KEPT = 32
INTEREST = 10.0
"""Seconds after the last request until work on a race pauses."""
STARTS_PER_SECOND = 0.05
STARTS_AT_ONCE = 10.0


class Point(msgspec.Struct, frozen=True):
    """Every seat's chance to win at the beginning of a turn, or at the end of the race."""

    moment: int
    """Number of the moment in the replay."""
    version: int
    turn: int
    chances: list[float]


class AnalysedChoice(msgspec.Struct, frozen=True):
    """A choice, and the better one that the search found."""

    moment: int
    """The number of its step in the replay."""
    version: int
    turn: int
    seat: int
    chosen: str
    better: str
    """The same as `chosen` if the search found nothing better."""
    chance: float
    """The seat's chance to win with the better choice."""
    cost: float
    """How much the chosen action lowers that chance; never negative."""
    reasons: list[Reason]
    """What speaks for the better choice, then what speaks against it, compared with the chosen one."""
    checked: bool
    """Whether it was searched twice, as the costliest are: a short search may mistake noise for a difference."""
    chosen_outcome: Any = None
    """What the chosen action leads to, as `Game.outcome` says it; null if nothing better was found."""
    better_outcome: Any = None


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a race, complete or in progress."""

    status: Literal["warming up", "working", "ready"]
    """Before the search is compiled there is nothing else to report."""
    done: int
    of: int
    """Progress: number of searches done, and in total."""
    chances: list[Point]
    choices: list[AnalysedChoice]
    """The costliest first."""


@dataclass(slots=True, eq=False)
class _Choice:
    """A candidate for a search."""

    moment: int
    version: int
    turn: int
    question: AdviceQuestion
    """Carries the race as the seat knew it then."""
    chance: float = 0.0
    """The seat's chance to win before the choice, from public information."""
    loss: float = 0.0
    """How much that chance had fallen by the seat's next choice."""
    analysed: AnalysedChoice | None = None

    @property
    def seat(self) -> int:
        return self.question.seat


@dataclass(slots=True)
class _Work:
    """The state of one race's analysis."""

    points: list[Point]
    choices: list[_Choice]
    done: int = 0
    asked: float = 0.0
    task: asyncio.Task[None] | None = None
    again: list[_Choice] | None = None

    @property
    def of(self) -> int:
        return len(self.choices) + min(MOST_LOOKED_AT_TWICE, len(self.choices))

    def result(self) -> Analysis:
        analysed = [choice.analysed for choice in self.choices if choice.analysed is not None]
        analysed.sort(key=lambda each: (-each.cost, each.moment))
        ready = self.done >= self.of
        return Analysis("ready" if ready else "working", self.done, self.of, self.points, analysed)


class Analyst:
    """Analyses finished races, one at a time."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._works: OrderedDict[str, asyncio.Task[_Work]] = OrderedDict()
        self._turn = asyncio.Lock()
        self._limits = Allowance(STARTS_PER_SECOND, STARTS_AT_ONCE)

    async def analysis(self, room: Room, visitor: str) -> Analysis:
        """The analysis so far; each request keeps it going. Raises Refusal while the race runs."""
        table = room.table
        if table.status != "over" or table.lesson:
            raise Refusal("not-started", say("table.analysis-when-over"))
        if not self._pool.can_search(table.game):
            return Analysis("warming up", 0, 0, [], [])
        preparing = self._works.get(table.id)
        if preparing is None or (preparing.done() and preparing.exception() is not None):
            if not self._limits.take(visitor):
                raise Refusal("too-fast", say("table.too-many-analyses"))
            preparing = self._works[table.id] = asyncio.create_task(asyncio.to_thread(prepare, room))
            self._forget()
        self._works.move_to_end(table.id)
        work = await asyncio.shield(preparing)
        work.asked = time.monotonic()
        if work.done < work.of and (work.task is None or work.task.done()):
            work.task = asyncio.create_task(self._go_on(work, room))
        return work.result()

    async def close(self) -> None:
        """Stop all work."""
        works = [each.result() for each in self._works.values() if each.done() and not each.exception()]
        tasks = [work.task for work in works if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._works.values(), return_exceptions=True)

    def _forget(self) -> None:
        while len(self._works) > MOST_KEPT:
            _, preparing = self._works.popitem(last=False)
            if preparing.done() and preparing.exception() is None:
                preparing.result().asked = 0.0  # evicted from the cache: no request can find it

    async def _go_on(self, work: _Work, room: Room) -> None:
        async with self._turn:
            while work.done < work.of and time.monotonic() - work.asked < INTEREST:
                if work.done < len(work.choices):
                    choice, look = work.choices[work.done], FIRST_LOOK
                else:
                    if work.again is None:
                        ranked = sorted(work.choices, key=lambda each: -each.analysed.cost if each.analysed else 0.0)
                        work.again = ranked[: work.of - len(work.choices)]
                    choice, look = work.again[work.done - len(work.choices)], SECOND_LOOK
                if look == FIRST_LOOK or (choice.analysed is not None and choice.analysed.cost > 0):
                    try:
                        question = _question(choice, look)
                        advice = await self._pool.advise(question, room.asker, leisurely=True)
                        analysed = _analysed(choice, advice, checked=look == SECOND_LOOK)
                        choice.analysed = await asyncio.to_thread(_with_outcomes, analysed, question, room)
                    except SpinaError as error:  # the other choices can still be searched
                        log.warning("a choice could not be searched: %s", error)
                work.done += 1


def prepare(room: Room) -> _Work:
    """The chances over a race and the choices to be searched, replayed from the journal."""
    points: list[Point] = []
    choices: list[_Choice] = []
    last: dict[int, _Choice] = {}
    shown: tuple[int, bool, list[float]] | None = None
    race, win_chances = begin_race(room.table), WinChances()
    for number, told in enumerate(replayed(room)):
        seat = told.seat
        if seat is not None and told.kind == "retract":
            race.retract(seat)
            if (gone := last.pop(seat, None)) is not None:
                choices.remove(gone)
        for action in told.actions if seat is not None else ():
            assert seat is not None
            if (choice := _choice(race, seat, action, (number, told.version))) is not None:
                choice.chance = points[-1].chances[seat]
                if seat in last:
                    last[seat].loss = last[seat].chance - choice.chance
                choices.append(choice)
                last[seat] = choice
            race.play(seat, action)
        chances = win_chances.of(race)
        if chances is None:
            raise Refusal("failed", say("table.not-judged"))
        if shown != (race.turn, race.over, chances):  # the end is a point even if the network was sure of it before
            shown = race.turn, race.over, chances
            points.append(Point(number, told.version, race.turn, chances))
    for seat, choice in last.items():
        choice.loss = choice.chance - points[-1].chances[seat]
    return _Work(points, _selected(choices, room.seats))


def _choice(race: Race, seat: int, action: str, at: tuple[int, int]) -> _Choice | None:
    """The choice that a seat is about to make; None if only one action is legal."""
    menu = race.legal(seat)
    if len(menu) < 2 and race.game.lists_all:
        return None
    if race.choosing(seat) and race.game.starts_over(race.game.read(race.edition, action)):
        race = race.copy()
        race.retract(seat)
    number, version = at
    seed = int.from_bytes(hashlib.blake2b(f"{version}:{seat}:{action}".encode(), digest_size=8).digest())
    question = AdviceQuestion.of(race, seat, seed, iterations=1, milliseconds=MILLISECONDS, chosen=action)
    return _Choice(number, version, race.turn, question)


def _selected(choices: list[_Choice], seats: list[Seat]) -> list[_Choice]:
    """At most MOST_CHOICES choices: those of people, or of all seats in a race without people."""
    people = {seat.seat for seat in seats if seat.kind in ("person", "screen")}
    mine = [choice for choice in choices if not people or choice.seat in people]
    if len(mine) <= MOST_CHOICES:
        return mine
    grave = sorted(mine, key=lambda choice: -choice.loss)[: MOST_CHOICES // 2]
    others = [choice for choice in mine if choice not in grave]
    room = MOST_CHOICES - len(grave)
    spread = [others[n * len(others) // room] for n in range(room)]
    return sorted([*grave, *spread], key=lambda choice: choice.version)


def _question(choice: _Choice, look: int) -> AdviceQuestion:
    iterations = max(FEWEST, find(choice.question.game).strongest_level.explain_iterations // 2) // look
    return msgspec.structs.replace(
        choice.question, iterations=iterations, milliseconds=MILLISECONDS * FIRST_LOOK / look
    )


def _analysed(choice: _Choice, advice: AdviceData, *, checked: bool) -> AnalysedChoice:
    best, chosen = advice.candidates[0], advice.chosen
    assert chosen is not None
    cost = max(0.0, best.chances[choice.seat] - chosen.chances[choice.seat])
    fine = cost == 0.0
    return AnalysedChoice(
        moment=choice.moment,
        version=choice.version,
        turn=choice.turn,
        seat=choice.seat,
        chosen=chosen.action,
        better=chosen.action if fine else best.action,
        chance=round(max(best.chances[choice.seat], chosen.chances[choice.seat]), 4),
        cost=round(cost, 4),
        reasons=[] if fine else advice.reasons,
        checked=checked,
    )


def _with_outcomes(analysed: AnalysedChoice, question: AdviceQuestion, room: Room) -> AnalysedChoice:
    """The same with what both actions lead to, as far as the seat could know."""
    if analysed.better == analysed.chosen:
        return analysed
    race = Race.from_state(
        find(question.game),
        question.state,
        edition=edition_of(room.table),
        seats=question.seats,
        options=question.options,
        choosing={question.seat: question.choosing},
    )
    chosen, better = (race.outcome(question.seat, action) for action in (analysed.chosen, analysed.better))
    return msgspec.structs.replace(analysed, chosen_outcome=chosen, better_outcome=better)
