"""Replays of a race, moment by moment: what happened, and the view after it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from spina.race import Race
from spina.table.bots.win_chances import WinChances
from spina.table.http.slow_requests import CostlyWork
from spina.table.live import starts
from spina.table.live.listener import Told
from spina.table.live.protocol import GameView, Moment
from spina.table.live.room import Room
from spina.table.live.starts import begin as begin_race

MOST = 40
"""Maximum number of moments in a response."""


class ReplayStep(msgspec.Struct):
    """A moment of the race, and the view after it."""

    moment: Moment
    view: GameView
    chances: list[float] | None
    """Every seat's chance to win; None if the viewer may not know it yet."""


class Replay(msgspec.Struct):
    """A part of a replay."""

    begin: int
    total: int
    """Number of moments of the whole race; the first is the start."""
    over: bool
    turns: list[int]
    """The number of the moment at which each turn begins."""
    standings: list[ReplayStep]


def replayed(room: Room) -> list[Told]:
    """The moments that a replay is made of."""
    return [moment for moment in list(room.told) if moment.kind in ("start", "play", "retract", "over", "step")]


class Packed(msgspec.Struct):
    """The same as `Replay`, with standings that are encoded as JSON already."""

    begin: int
    total: int
    over: bool
    turns: list[int]
    standings: list[msgspec.Raw]


_Key = tuple[str, int | None, bool]
"""A table, the viewer's seat, and whether the chances are included."""


class Replays:
    """Replays races. A finished race is replayed once for each viewer's seat, and cached as JSON.

    The cache is an LRU cache with a limit in bytes.
    """

    def __init__(self, work: CostlyWork, most_bytes: int) -> None:
        self._work, self._most = work, most_bytes
        self._kept: OrderedDict[_Key, Packed] = OrderedDict()
        self._making: dict[_Key, asyncio.Task[Packed]] = {}
        self.bytes = 0

    async def part(
        self, room: Room, looking: int | None, begin: int, count: int, *, judging: bool = False
    ) -> Replay | Packed:
        """`count` moments from `begin` on, as a seat or a spectator (None) may see them; `judging`: with the chances.

        Raises Refusal when the address is over its limit of processor time.
        """
        count = min(count, MOST)
        if room.table.status != "over" or room.race is None:
            return await self._work.do(lambda: replay(room, looking, begin, count, judging))
        key = (room.table.id, looking, judging)
        whole = self._kept.get(key)
        if whole is None:
            whole = await self._make(key, lambda: _packed(replay(room, looking, 0, len(room.told), judging)))
        else:
            self._kept.move_to_end(key)
        standings = whole.standings[begin : begin + count]
        return Packed(begin, whole.total, whole.over, whole.turns, standings)

    async def _make(self, key: _Key, work: Callable[[], Packed]) -> Packed:
        """Replay a race, once for concurrent requests, and cache it."""
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(self._work.do(work))
            making.add_done_callback(lambda _: self._making.pop(key))
        whole = await asyncio.shield(making)
        if key not in self._kept:
            self._keep(key, whole)
        return whole

    def _keep(self, key: _Key, whole: Packed) -> None:
        self._kept[key] = whole
        self.bytes += _size(whole)
        while self.bytes > self._most:
            self.bytes -= _size(self._kept.popitem(last=False)[1])


def _packed(whole: Replay) -> Packed:
    standings = [msgspec.Raw(msgspec.json.encode(each)) for each in whole.standings]
    return Packed(whole.begin, whole.total, whole.over, whole.turns, standings)


def _size(whole: Packed) -> int:
    return sum(len(bytes(each)) for each in whole.standings) + 8 * len(whole.turns)


def replay(room: Room, looking: int | None, begin: int, count: int, judging: bool) -> Replay:
    """Replay the whole race, and return `count` moments from `begin` on."""
    told = replayed(room)
    standings, turns = [], []
    if room.race is None:
        return Replay(begin, 0, False, [], [])
    race: Race = begin_race(room.table)
    turn, win_chances = None, WinChances()
    for number, moment in enumerate(told):
        race = _go_on(room, race, moment)
        if race.turn != turn:
            turn = race.turn
            turns.append(number)
        win_chances.note(race)
        if begin <= number < begin + count:
            chances = win_chances.of(race) if judging else None
            standings.append(ReplayStep(moment.to(looking), race.view(looking), chances))
    return Replay(begin, len(told), race.over, turns, standings)


def at_moment(room: Room, moment: int) -> Race:
    """The race as it was after this moment of its replay."""
    race: Race = begin_race(room.table)
    for told in replayed(room)[: moment + 1]:
        race = _go_on(room, race, told)
    return race


def _go_on(room: Room, race: Race, moment: Told) -> Race:
    """The race after a moment. A step of a lesson may begin another one, from a position."""
    if moment.kind == "step":
        return starts.from_step(room.table, race.edition, moment.actions) or race
    if moment.seat is None:
        return race
    if moment.kind == "retract":
        race.retract(moment.seat)
    for action in moment.actions:
        race.play(moment.seat, action)
    return race


def picture(room: Room, version: int) -> str | None:
    """The race as SVG at a version of the table, as a spectator sees it; None before its start, or for a later version
    than the table has."""
    if room.race is None or version > room.table.version:
        return None
    told = replayed(room)
    if version == room.table.version or not told:
        return room.race.svg(room.names(), room.colours())
    race: Race = begin_race(room.table)
    for moment in told:
        if moment.version > version:
            break
        race = _go_on(room, race, moment)
    return race.svg(room.names(), room.colours())
