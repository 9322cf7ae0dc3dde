"""What dice lead to before the move, as they lie and with one of them turned: speeds, condition, lane changes, fate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.dice_roll import (
    condition_after,
    count_sides,
    fate_after,
    showing,
    speed_after,
    with_turned,
)
from spina.games.chariot_race.rules.record import (
    ATTACK,
    CHANGE,
    DICE,
    DO_SIGNS,
    DO_TURN,
    EDITION,
    FORTUNA,
    NOTHING,
    RACE,
    SPRINT,
    STEER,
)
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import elements, fields, whole
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS, Array

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

SUM_ACTION, SUM_DIE, SUM_SIDE, SUM_SPRINT, SUM_CONDITION, SUM_STEERS, SUM_ATTACKS, SUM_FATE, SUM_SPEEDS = range(9)
"""Columns of a sum: the action, die and side of a turned die, or NOTHING; damage by sprints, and what there is at the
beginning of the move; the number of possible speeds, which are in the columns after it."""
SUM_COLUMNS = SUM_SPEEDS + 1 + DICE + 1
MOST_SUMS = 1 + DICE * FORTUNA
SUMS = INT(BYTES, COMPONENTS, NUMBERS, Array(INT, 2))


@entry(SUMS)
def dice_sums(race_bytes, edition_bytes, codes, out):
    """Write what the dice lead to, then what each of these actions that turns one does; return the number of rows.

    Dice that show the same side are interchangeable: only the first of them is turned.
    """
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    rows, dice, fate = elements(out), count_sides(race), race.fate[race.chariot]
    rows[0, SUM_ACTION] = rows[0, SUM_DIE] = rows[0, SUM_SIDE] = NOTHING
    write_sum(race, edition, dice, fate, rows, 0)
    count = 1
    for i in range(len(codes)):
        code = whole(codes[i])
        die, side = (code - DO_TURN) // FORTUNA, (code - DO_TURN) % FORTUNA
        if DO_TURN <= code < DO_SIGNS and is_first(race, die):
            rows[count, SUM_ACTION], rows[count, SUM_DIE], rows[count, SUM_SIDE] = code, die, side
            turned = with_turned(dice, race.die[die], side)
            write_sum(race, edition, turned, fate - edition.fortune_cost, rows, count)
            count += 1
    return count


@kernel
def is_first(race: RaceRecord, die):
    """Whether no die before this one shows the same side."""
    for other in range(die):
        if race.die[other] == race.die[die]:
            return False
    return True


@kernel
def write_sum(race: RaceRecord, edition: EditionRecord, dice, fate, rows, i):
    """Write what counted dice lead to with this fate: R4 for sprints, R21 for Fortuna's dice."""
    chariot = race.chariot
    kind = race.kind[chariot]
    changes, sprints = showing(dice, CHANGE), showing(dice, SPRINT)
    rows[i, SUM_SPRINT] = edition.sprint_damage * sprints
    rows[i, SUM_CONDITION] = condition_after(edition, race.condition[chariot], sprints)
    rows[i, SUM_STEERS] = showing(dice, STEER)
    rows[i, SUM_ATTACKS] = showing(dice, ATTACK)
    rows[i, SUM_FATE] = fate_after(edition, kind, fate, showing(dice, FORTUNA))
    column = SUM_SPEEDS
    for plus in range(changes + 1):
        speed = speed_after(edition, kind, race.speed[chariot], changes, plus, sprints)
        if plus == 0 or rows[i, column] != speed:
            column += 1
            rows[i, column] = speed
    rows[i, SUM_SPEEDS] = column - SUM_SPEEDS
