"""Observations of Chariotmaster, written from the record. `observation.py` names the numbers in the same order.

Everything is seen from one chariot, the focus: places as ways ahead and to the left of it, headings as the cosine and
sine of the turn between. A token in the mug is its owner's secret, and so is everything that follows from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.encoding.angles import cosine_of, sine_of
from spina.games.chariotmaster.rules.chariots import (
    best_token,
    is_out_of_control,
    least_distance,
    most_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.choices import next_to_choose
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_DEFEND,
    ASK_MODIFY,
    ASK_NAMES,
    ASK_SIDE,
    ASK_TOKENS,
    CHARIOT,
    CHARIOTS,
    DICE,
    EDITION,
    NOTHING,
    PIECES,
    PLACE_NAMES,
    RACE,
    TOKENS,
)
from spina.games.chariotmaster.rules.track import at as place_at
from spina.games.chariotmaster.rules.track import offset
from spina.games.chariotmaster.rules.turns import IN_MUG, chariot_place
from spina.kernel.compiler import entry, kernel
from spina.kernel.observation import OBSERVE, put, put_one_of
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

QUESTIONS = len(ASK_NAMES)
PLACES = len(PLACE_NAMES)
KINDS = 3
"""Chariots, teams, and teams that drag their driver: their numbers follow each other."""
NEIGHBOURS = 8
"""How many wrecks, drivers on foot and obstacles an observation has: the nearest."""
PIECE_NUMBERS = 8
STRETCHES = (0, 500, 1000, 1500, 2000, 3000, 4000, 6000)
"""How far ahead, in units, an observation has the course of the track."""

# Divisors: the values that an observation writes as 1.
REACH = 6000.0  # between pieces: 60 cm, four turns at full speed
FASTEST = 3000.0  # units a turn
WIDEST = 450.0  # tenths of a degree of a pivot
MANY_SUBMOVES = 8.0
MANY_STAMINA = 40.0
MANY_POINTS = 10.0
HORSES = 4.0
FEW = 4.0
LARGE = 1000.0  # half the length of a piece
FACES = 6.0


@entry(OBSERVE)
def observe_chariotmaster(race_bytes, edition_bytes, seat, out):
    """Writes what the seat may know; returns the count of numbers."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    focus = seen_from(race, seat)
    c, s = cosine_of(race.heading[focus]), sine_of(race.heading[focus])
    at = put_turn(race, edition, seat, out)
    for stretch in STRETCHES:
        x, y, heading = place_at(edition, race.scenario, race.way[focus] + stretch, np.int64(0))
        at = put_pose(race, focus, c, s, x, y, heading, out, at)
    for i in range(race.seats):
        for chariot in range(race.chariots):
            if race.seat[chariot] == (seat + i) % race.seats:
                at = put_chariot(race, edition, chariot, seat, focus, c, s, out, at)
    return put_pieces(race, focus, c, s, out, at)


@kernel
def seen_from(race: RaceRecord, seat):
    """The chariot of the seat that a question is about, else its first that stands on the track, else its first."""
    if race.ask == ASK_TOKENS:
        undecided = next_to_choose(race, seat)
        if undecided != NOTHING:
            return np.int64(undecided)
    elif race.seat[race.ask_chariot] == seat:
        return np.int64(race.ask_chariot)
    first = np.int64(NOTHING)
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat:
            if race.kind[chariot] != ABSENT:
                return np.int64(chariot)
            if first == NOTHING:
                first = np.int64(chariot)
    return first


@kernel
def put_turn(race: RaceRecord, edition: EditionRecord, seat, out):
    """The question, and the chariot turn under way; its token has been drawn, so nothing of it is secret."""
    at = put(out, 0, race.turns / race.limit)
    at = put(out, at, race.asked >> seat & 1)
    at = put(out, at, edition.half_width[race.scenario] / FASTEST)
    if race.active != NOTHING:
        active = race.active
        put(out, at, race.moved / FASTEST)
        put(out, at + 1, least_distance(race, edition, active) / FASTEST)
        put(out, at + 2, most_distance(race, edition, active) / FASTEST)
        put(out, at + 3, edition.pivot[token_in_use(race, active)] / WIDEST)
        put(out, at + 4, race.submoves / MANY_SUBMOVES)
        put(out, at + 5, race.spurred)
        put(out, at + 6, race.whipped)
        put(out, at + 7, race.attacks / FEW)
    at = put_one_of(out, at + 8, race.ask, QUESTIONS)
    if race.ask == ASK_MODIFY:
        for die in range(race.first_die, race.last_die):
            put(out, at + die - race.first_die, race.die[die] / FACES)
    return at + DICE


@kernel
def put_pose(race: RaceRecord, focus, c, s, x, y, heading, out, at):
    """A place and a heading as they lie before the focus, whose own heading has this cosine and sine."""
    dx, dy = (x - race.x[focus]) / REACH, (y - race.y[focus]) / REACH
    at = put(out, at, dx * c + dy * s)
    at = put(out, at, dy * c - dx * s)
    turned = heading - race.heading[focus]
    at = put(out, at, cosine_of(turned))
    return put(out, at, sine_of(turned))


@kernel
def put_chariot(race: RaceRecord, edition: EditionRecord, chariot, seat, focus, c, s, out, at):
    t, way = race.scenario, race.way[chariot]
    at = put(out, at, race.progress[chariot] / (race.laps * edition.lap[t]))
    at = put(out, at, (race.progress[chariot] - race.progress[focus]) / REACH)
    at = put(out, at, offset(edition, t, race.x[chariot], race.y[chariot], way) / edition.half_width[t])
    _, _, along = place_at(edition, t, way, np.int64(0))
    turned = race.heading[chariot] - along
    at = put(out, at, cosine_of(turned))
    at = put(out, at, sine_of(turned))
    at = put_pose(race, focus, c, s, race.x[chariot], race.y[chariot], race.heading[chariot], out, at)
    at = put(out, at, 1.0 if chariot == focus else 0.0)
    at = put_condition(race, chariot, out, at)
    at = put(out, at, 1.0 if race.side[chariot] == race.side[focus] else 0.0)
    at = put(out, at, 1.0 if chariot == race.active else 0.0)
    asked = race.ask != ASK_TOKENS and chariot == race.ask_chariot
    at = put(out, at, 1.0 if asked else 0.0)
    attacks = (race.ask == ASK_DEFEND or race.ask == ASK_SIDE) and chariot == race.ask_about
    at = put(out, at, 1.0 if attacks else 0.0)
    at = put(out, at, chariot_place(race, chariot) / race.chariots)
    at = put(out, at, 1.0 if race.drawn[chariot] != IN_MUG else 0.0)
    secret = race.drawn[chariot] == IN_MUG and race.seat[chariot] != seat
    at = put_one_of(out, at, NOTHING if secret else race.token[chariot], TOKENS)
    at = put_one_of(out, at, race.kind[chariot] - CHARIOT, KINDS)
    return put_one_of(out, at, race.place[chariot], PLACES)


@kernel
def put_condition(race: RaceRecord, chariot, out, at):
    """Points, horses, equipment, and what has gone wrong."""
    at = put(out, at, race.points[chariot, 0] / MANY_STAMINA)
    for kind in range(1, 4):
        at = put(out, at, race.points[chariot, kind] / MANY_POINTS)
    at = put(out, at, race.horses[chariot] / HORSES)
    at = put(out, at, race.dead[chariot] / HORSES)
    at = put(out, at, best_token(race, chariot) / TOKENS)
    at = put(out, at, race.top[chariot] / FASTEST)
    at = put(out, at, race.luck[chariot] / FEW)
    at = put(out, at, race.bite[chariot] / FEW)
    at = put(out, at, 1.0 if is_out_of_control(race, chariot) else 0.0)
    at = put(out, at, race.reins[chariot])
    at = put(out, at, race.stunned[chariot])
    at = put(out, at, race.exhausted[chariot])
    at = put(out, at, race.wheel[chariot])
    at = put(out, at, race.whip[chariot])
    at = put(out, at, race.knife[chariot])
    at = put(out, at, race.body[chariot])
    at = put(out, at, race.fright[chariot])
    at = put(out, at, race.home[chariot])
    return put(out, at, race.out[chariot])


@kernel
def put_pieces(race: RaceRecord, focus, c, s, out, at):
    """The nearest of everything else that has a base, the nearest first."""
    told = 0
    for i in range(NEIGHBOURS):
        nearest, away = NOTHING, 0
        for piece in range(CHARIOTS, PIECES):
            if race.kind[piece] != ABSENT and not told >> piece & 1:
                dx, dy = race.x[piece] - race.x[focus], race.y[piece] - race.y[focus]
                if nearest == NOTHING or dx * dx + dy * dy < away:
                    nearest, away = piece, dx * dx + dy * dy
        if nearest == NOTHING:
            break
        told |= 1 << nearest
        row = at + i * PIECE_NUMBERS
        out[row] = 1.0
        put_pose(race, focus, c, s, race.x[nearest], race.y[nearest], race.heading[nearest], out, row + 1)
        put(out, row + 5, race.half_long[nearest] / LARGE)
        put(out, row + 6, race.half_wide[nearest] / LARGE)
        put(out, row + 7, (nearest // CHARIOTS - 1) / 2)  # 0 a wreck, 1/2 a driver on foot, 1 an obstacle
    return at + NEIGHBOURS * PIECE_NUMBERS
