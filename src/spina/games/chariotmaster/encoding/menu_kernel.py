"""The entries of a Chariotmaster menu as numbers: the kind of action, its distance and angle, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.encoding.angles import cosine_of, sine_of
from spina.games.chariotmaster.encoding.observation_kernel import FASTEST, seen_from
from spina.games.chariotmaster.rules import record as s
from spina.games.chariotmaster.rules.drive import direction_of, submove_of
from spina.games.chariotmaster.rules.geometry import pivot_point, pivoted, translated
from spina.games.chariotmaster.rules.record import (
    CENTRE,
    DEGREE,
    DO_MODIFY,
    DO_PIVOT,
    DO_RAM,
    DO_RUN,
    DO_SIDE,
    DO_SUBMOVE,
    DO_TOKEN,
    DO_UTURN,
    DO_WALK,
    DRIVER_OF,
    EDITION,
    LONGEST,
    MM,
    POINTS,
    RACE,
    STRAIGHT,
    SWEEP_LEFT,
    SWEEP_RIGHT,
    TOKENS,
)
from spina.games.chariotmaster.rules.track import at as place_at
from spina.games.chariotmaster.rules.track import offset, progress
from spina.kernel.compiler import entry, kernel
from spina.kernel.observation import DESCRIBE, put
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

_FIRST: dict[str, int] = {
    "token": s.DO_TOKEN, "stop": s.DO_STOP, "brake": s.DO_BRAKE, "spur": s.DO_SPUR, "whip": s.DO_WHIP,
    "announce": s.DO_ANNOUNCE, "collide": s.DO_COLLIDE, "go": s.DO_GO, "forgo": s.DO_FORGO,
    "no attack": s.DO_NO_ATTACK, "bear": s.DO_BEAR, "back": s.DO_BACK, "evade": s.DO_EVADE, "shy": s.DO_SHY,
    "side": s.DO_SIDE, "pass": s.DO_PASS, "stay": s.DO_STAY, "climb for the reins": s.DO_CLIMB_REINS,
    "climb to cut": s.DO_CLIMB_CUT, "hang on": s.DO_HANG_ON, "cut": s.DO_CUT, "modify": s.DO_MODIFY, "ram": s.DO_RAM,
    "whip horses": s.DO_WHIP_HORSES, "whip driver": s.DO_WHIP_DRIVER, "bite": s.DO_BITE, "boars": s.DO_BOARS,
    "pivot": s.DO_PIVOT, "U-turn": s.DO_UTURN, "walk": s.DO_WALK, "run through": s.DO_RUN, "sub-move": s.DO_SUBMOVE,
}  # fmt: skip
"""The first code of every kind of action, in ascending order."""
STARTS = tuple(_FIRST.values())
KINDS = len(STARTS)
MENU_NAMES = (
    *(f"kind: {kind}" for kind in _FIRST),
    "token", "to the left", "upwards", "distance", "degrees", "point ahead", "point left",
    "way gained", "offset", "cos", "sin",
)  # fmt: skip
"""What each number of a row is."""

LEFT_POINTS = (0, 1, -1, 1, -1)
AHEAD_POINTS = (0, 1, 1, -1, -1)
"""Where the points of a pivot are on a base, by number."""
STRIDE = 64
HALF_TURN = 180.0


@entry(DESCRIBE)
def describe_menu(race_bytes, edition_bytes, seat, codes, count, out):
    """A row for each action of the seat's menu; `out` must be all zeros."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    chariot = seen_from(race, seat)
    for i in range(count):
        describe(race, edition, chariot, codes[i], out[i])


@kernel
def describe(race: RaceRecord, edition: EditionRecord, chariot, action, row):
    """Writes the row of one action."""
    kind = KINDS - 1
    while action < STARTS[kind]:
        kind -= 1
    row[kind] = 1.0
    if action < DO_TOKEN + TOKENS:
        row[KINDS] = (action - DO_TOKEN) / (TOKENS - 1)
    elif DO_SIDE <= action < DO_SIDE + 2:
        row[KINDS + 1] = 1.0 - 2.0 * (action - DO_SIDE)
    elif DO_MODIFY <= action < DO_RAM:
        row[KINDS + 2] = 2.0 * ((action - DO_MODIFY) % 2) - 1.0
    elif action >= DO_PIVOT:
        describe_move(race, edition, chariot, action, row)


@kernel
def describe_move(race: RaceRecord, edition: EditionRecord, chariot, action, row):
    """Distance, angle and pivot point of a move, and where it would end if nothing were in the way."""
    piece, way, mm, degrees, about = np.int64(chariot), np.int64(STRAIGHT), np.int64(0), np.int64(0), np.int64(CENTRE)
    if action >= DO_SUBMOVE:
        way, mm, degrees, about = submove_of(action)
    elif action >= DO_RUN:
        way, mm = (action - DO_RUN) // LONGEST, (action - DO_RUN) % LONGEST
    elif action >= DO_WALK:
        piece, mm = piece + DRIVER_OF, (action - DO_WALK) % STRIDE
    else:
        code = action - (DO_UTURN if action >= DO_UTURN else DO_PIVOT)
        degrees, about = code // POINTS - 180, code % POINTS
    direction = np.int64(direction_of(race, piece, way))
    if DO_WALK <= action < DO_RUN:
        direction = (action - DO_WALK) // STRIDE * DEGREE
    put(row, KINDS + 1, 1.0 if way == SWEEP_LEFT else -1.0 if way == SWEEP_RIGHT else 0.0)
    put(row, KINDS + 3, mm * MM / FASTEST)
    put(row, KINDS + 4, degrees / HALF_TURN)
    put(row, KINDS + 5, AHEAD_POINTS[about])
    put(row, KINDS + 6, LEFT_POINTS[about])

    x, y = translated(race.x[piece], race.y[piece], direction, mm * MM)
    ahead, left = pivot_point(np.int64(race.half_long[piece]), np.int64(race.half_wide[piece]), about)
    x, y, heading = pivoted(x, y, np.int64(race.heading[piece]), ahead, left, degrees * DEGREE)
    t, before = race.scenario, race.way[piece]
    after = progress(edition, t, x, y, before)
    _, _, along = place_at(edition, t, after, np.int64(0))
    turned = heading - along
    put(row, KINDS + 7, (after - before) / FASTEST)
    put(row, KINDS + 8, offset(edition, t, x, y, after) / edition.half_width[t])
    put(row, KINDS + 9, cosine_of(turned))
    put(row, KINDS + 10, sine_of(turned))
