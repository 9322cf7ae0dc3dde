"""Chariot Race as numbers, written straight from the record. `observation.py` names them, in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.record import (
    AHEAD,
    CHARIOTS,
    DICE,
    EDITION,
    INWARD,
    MOST_SPEED,
    NOTHING,
    OUTWARD,
    RACE,
    SIDES,
    STAGE_NAMES,
)
from spina.kernel.compiler import entry, kernel
from spina.kernel.observation import OBSERVE, put, put_one_of
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

ROAD = 14
"""Spaces ahead, in each of three lanes, that an observation describes."""
STAGES = len(STAGE_NAMES)
MANY_ROUNDS = 30.0


@entry(OBSERVE)
def observe_chariot_race(race_bytes, edition_bytes, seat, out):
    """Writes what the seat may know; returns the count of numbers."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    at = put_turn(race, edition, out)
    centre = seen_from(race, seat)
    for i in range(race.seats):
        for chariot in range(race.chariots):
            if race.seat[chariot] == (seat + i) % race.seats:
                at = put_chariot(race, edition, chariot, centre, out, at)
    for way in (AHEAD, INWARD, OUTWARD):
        at = put_road(race, edition, race.space[centre], way, out, at)
    return at


@kernel
def seen_from(race: RaceRecord, seat):
    """The chariot of the seat that is asked, else its first that still races, else its first."""
    if race.seat[race.chariot] == seat:
        return race.chariot
    first = NOTHING
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat:
            if not race.wrecked[chariot] and not race.home[chariot]:
                return chariot
            if first == NOTHING:
                first = chariot
    return first


@kernel
def put_turn(race: RaceRecord, edition: EditionRecord, out):
    """The round, the question, and what lies on the table for the chariot that is asked."""
    at = put(out, 0, race.rounds / MANY_ROUNDS)
    at = put(out, at, race.supply / max(1, edition.caltrops))
    at = put(out, at, race.rolled / DICE)
    at = put(out, at, race.steers / DICE)
    at = put(out, at, race.points / MOST_SPEED)
    at = put(out, at, race.attacks / DICE)
    at = put_one_of(out, at, race.stage, STAGES)
    for die in range(DICE):
        at = put_one_of(out, at, race.die[die] if die < race.rolled else NOTHING, SIDES)
    return at


@kernel
def distance(race: RaceRecord, edition: EditionRecord, chariot):
    """R1: how far it has come, in the units of the course."""
    if race.space[chariot] == NOTHING:
        return race.lap[chariot] * edition.length
    return race.lap[chariot] * edition.length + edition.front[race.space[chariot]]


@kernel
def place_in_order(race: RaceRecord, chariot):
    """When it has its turn in this round, 0 for the first."""
    for i in range(race.chariots):
        if race.order[i] == chariot:
            return i
    return 0


@kernel
def put_chariot(race: RaceRecord, edition: EditionRecord, chariot, centre, out, at):
    kind = max(0, race.kind[chariot])
    here = distance(race, edition, chariot)
    at = put(out, at, here / (edition.laps * edition.length))
    at = put(out, at, (here - distance(race, edition, centre)) / edition.length)
    lane = edition.lane[race.space[chariot]] if race.space[chariot] != NOTHING else 0
    at = put(out, at, lane / edition.lanes)
    at = put(out, at, race.condition[chariot] / edition.most_condition[kind])
    at = put(out, at, race.speed[chariot] / MOST_SPEED)
    at = put(out, at, race.fate[chariot] / max(1, edition.most_fate[kind]))
    at = put(out, at, race.wrecked[chariot])
    at = put(out, at, race.home[chariot])
    at = put(out, at, 1.0 if chariot == race.chariot else 0.0)
    at = put(out, at, 1.0 if chariot == centre else 0.0)
    at = put(out, at, place_in_order(race, chariot) / race.chariots)
    return put_one_of(out, at, race.kind[chariot], CHARIOTS + 1)


@kernel
def put_road(race: RaceRecord, edition: EditionRecord, space, way, out, at):
    """The spaces that follow from here in this lane: their safe speed, heaps, caltrops and chariots."""
    for _ in range(ROAD):
        if space != NOTHING:
            space = edition.next[space, way]
            way = AHEAD
        if space == NOTHING:
            at = put(out, at + 1, 1.0) + 2
            continue
        at = put(out, at, edition.number[space] / MOST_SPEED)
        at = put(out, at, 1.0 if edition.heap[space] and race.side[edition.half[space]] else 0.0)
        at = put(out, at, race.caltrop[space])
        taken = 0.0
        for chariot in range(race.chariots):
            if race.space[chariot] == space and not race.wrecked[chariot]:
                taken = 1.0
        at = put(out, at, taken)
    return at
