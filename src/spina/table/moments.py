"""A race moment by moment, for replays: what happened and how the race stood afterwards."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from spina.race import Race
from spina.table.judging import Judgement
from spina.table.listening import Told
from spina.table.protocol import Moment
from spina.table.room import Room
from spina.table.rooms import begin as begin_race

MOST = 40
"""Moments in one answer."""


class Standing(msgspec.Struct):
    """A moment of the race, and how it stands after it."""

    moment: Moment
    view: Any
    chances: list[float] | None
    """Every seat's chance to win; None for whoever may not know it yet."""


class Replay(msgspec.Struct):
    """A part of a race."""

    begin: int
    total: int
    """Moments in all; the first is the start."""
    over: bool
    turns: list[int]
    """The number of the moment at which each turn begins."""
    standings: list[Standing]


def replayed(room: Room) -> list[Told]:
    """The moments that a replay is made of."""
    return [moment for moment in list(room.told) if moment.kind in ("start", "play", "retract", "over")]


async def replay(room: Room, looking: int | None, begin: int, count: int, *, judging: bool = False) -> Replay:
    """So many moments from `begin` on, as a seat or a spectator (None) may know them; `judging`: with the chances."""
    return await asyncio.to_thread(_replay, room, looking, begin, min(count, MOST), judging)


def _replay(room: Room, looking: int | None, begin: int, count: int, judging: bool) -> Replay:
    told = replayed(room)
    standings, turns = [], []
    if room.race is None:
        return Replay(begin, 0, False, [], [])
    race: Race = begin_race(room.table)
    turn, judgement = None, Judgement()
    for number, moment in enumerate(told):
        if moment.seat is not None:
            if moment.kind == "retract":
                race.retract(moment.seat)
            for action in moment.actions:
                race.play(moment.seat, action)
        if race.turn != turn:
            turn = race.turn
            turns.append(number)
        judgement.of(race)
        if begin <= number < begin + count:
            chances = judgement.of(race) if judging else None
            standings.append(Standing(moment.to(looking), race.view(looking), chances))
    return Replay(begin, len(told), race.over, turns, standings)
