"""The first half of a turn: repair, initial speed, dice, purchases, Fortuna, and the speed of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.event_kinds import (
    BLESSED,
    DIE_BITS,
    HELD_BACK,
    REPAIRED,
    ROLL_BOUGHT,
    ROLL_FIRST,
    ROLL_FREE,
    ROLLED,
    SPED,
    TURNED,
)
from spina.games.chariot_race.rules.record import (
    ATTACK,
    CHANGE,
    DICE,
    FACES,
    FORTUNA,
    NOTHING,
    SIDES,
    SPRINT,
    STEER,
)
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.narration import listens, tell
from spina.kernel.random import below

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

COUNT_BITS = 8
"""Bits of the number of dice that show a side, in the result of `count_sides`."""
MOST_COUNT = (1 << COUNT_BITS) - 1
LOWER_SIDES = sum(1 << COUNT_BITS * side for side in range(SIDES - 1))
"""A one for each side but the highest; a product with it adds up the counts of each side and of those below it."""
CARRIES = LOWER_SIDES << COUNT_BITS - 1
"""The highest bit of each of those counts. Set before a subtraction, it stays set if nothing is borrowed."""


@kernel
def is_repairable(edition: EditionRecord, kind, condition, fate):
    """R21: whether a repair is on offer: something is missing, and the fate suffices."""
    return condition < edition.most_condition[kind] and fate >= edition.repair_cost


@kernel
def repaired(edition: EditionRecord, kind, condition):
    """R21: the condition after a repair, which restores three points or what is missing."""
    return min(edition.most_condition[kind], condition + edition.repair_points)


@kernel
def initial_speed(edition: EditionRecord, kind, speed, condition):
    """The speed at which a turn begins: at most what the condition allows (R24: by the chariot's own table)."""
    return min(speed, edition.speed_limit[kind, condition])


@kernel
def can_repair(race: RaceRecord, edition: EditionRecord, chariot):
    """R21: whether the chariot may be repaired."""
    return is_repairable(edition, race.kind[chariot], race.condition[chariot], race.fate[chariot])


@kernel
def repair(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R21: pay fate and restore condition."""
    before = race.condition[chariot]
    race.fate[chariot] -= edition.repair_cost
    race.condition[chariot] = repaired(edition, race.kind[chariot], before)
    tell(story, REPAIRED, chariot, race.condition[chariot] - before, race.condition[chariot], race.fate[chariot])


@kernel
def adjust_initial_speed(race: RaceRecord, edition: EditionRecord, chariot, story):
    """Slow a damaged chariot down to what its condition allows."""
    speed = initial_speed(edition, race.kind[chariot], race.speed[chariot], race.condition[chariot])
    if race.speed[chariot] > speed:
        race.speed[chariot] = speed
        tell(story, HELD_BACK, chariot, speed)


# --- dice -----------------------------------------------------------------------------------------------------------


@kernel
def roll_all(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R2, R24: roll the dice of the initial speed: the higher the speed, the fewer; five at speed 0."""
    race.rolled = edition.dice_at[race.kind[chariot], race.speed[chariot]]
    for die in range(DICE):
        race.die[die] = NOTHING
    roll(race, edition, chariot, (1 << race.rolled) - 1, ROLL_FIRST, story)


@kernel
def roll(race: RaceRecord, edition: EditionRecord, chariot, dice, why, story):
    """Roll these dice, given as bits, and sort all dice."""
    while dice:
        race.die[lowest_bit(dice)] = edition.die[below(race.dice_to_come, FACES)]
        dice &= dice - 1
    sort_dice(race)
    if listens(story):
        tell(story, ROLLED, chariot, race.rolled, pack_dice(race), why)


@kernel
def sort_dice(race: RaceRecord):
    """Sort the dice by side, so that dice with the same side cannot be told apart.

    Dice are counted, not compared: a processor cannot predict how comparisons of random sides come out. The
    side of a die is the number of sides whose dice, with those of lower sides, all lie before it.
    """
    dice = count_sides(race) & MOST_COUNT * LOWER_SIDES
    ends = dice * LOWER_SIDES  # dice that show this side or a lower one, in the bits of each side
    for die in range(race.rolled):
        race.die[die] = count_bits((die * LOWER_SIDES | CARRIES) - ends & CARRIES)


@kernel
def pack_dice(race: RaceRecord):
    """The sides of all dice in one number, DIE_BITS each."""
    packed = 0
    for die in range(race.rolled):
        packed |= race.die[die] << (DIE_BITS * die)
    return packed


@kernel
def reroll_freely(race: RaceRecord, edition: EditionRecord, chariot, dice, story):
    """R3: roll any dice again, once in a turn, for free."""
    if dice:
        roll(race, edition, chariot, dice, ROLL_FREE, story)


@kernel
def buy_reroll(race: RaceRecord, edition: EditionRecord, chariot, dice, story):
    """R3: pay fate to roll any dice again."""
    race.fate[chariot] -= edition.fortune_cost
    roll(race, edition, chariot, dice, ROLL_BOUGHT, story)


@kernel
def turn_die(race: RaceRecord, edition: EditionRecord, chariot, die, side, story):
    """R3, R21: pay fate to turn one die to another side, but never to Fortuna."""
    race.fate[chariot] -= edition.fortune_cost
    before = race.die[die]
    race.die[die] = side
    sort_dice(race)
    tell(story, TURNED, chariot, before, side, race.fate[chariot])


@kernel
def count_sides(race: RaceRecord):
    """The numbers of dice that show each side, in one number that `showing` reads."""
    total = 0
    for die in range(race.rolled):
        total += 1 << COUNT_BITS * int(race.die[die])  # int: the field is too narrow for the shift
    return total


@kernel
def with_turned(dice, before, side):
    """The counted dice if one of them is turned from one side to another."""
    return dice - (1 << COUNT_BITS * int(before)) + (1 << COUNT_BITS * side)


@kernel
def showing(dice, side):
    """How many of the counted dice show the side."""
    return dice >> COUNT_BITS * side & MOST_COUNT


@kernel
def count_side(race: RaceRecord, side):
    """Number of dice that show the side."""
    return showing(count_sides(race), side)


@kernel
def fate_after(edition: EditionRecord, kind, fate, fortunas):
    """R21: the fate after Fortuna's dice, each of which adds one point up to the maximum."""
    return min(edition.most_fate[kind], fate + fortunas)


@kernel
def take_fortune(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R21: add the points of Fortuna's dice, which cannot be refused."""
    dice = count_side(race, FORTUNA)
    if dice > 0:
        race.fate[chariot] = fate_after(edition, race.kind[chariot], race.fate[chariot], dice)
        tell(story, BLESSED, chariot, dice, race.fate[chariot])


@kernel
def speed_after(edition: EditionRecord, kind, speed, changes, plus, sprints):
    """R2, R4, R24: add all changes up, then cut the sum to the range from 0 to the chariot's highest speed."""
    total = speed + 2 * plus - changes + edition.sprint_speed * sprints
    return max(0, min(edition.most_speed[kind], total))


@kernel
def condition_after(edition: EditionRecord, condition, sprints):
    """R4: the condition after sprints, each of which costs the same."""
    return max(0, condition - edition.sprint_damage * sprints)


@kernel
def set_speed(race: RaceRecord, edition: EditionRecord, chariot, plus, story):
    """Set the speed of this turn, its steps, lane changes and attacks. Each sprint costs condition (R4)."""
    dice = count_sides(race)
    changes, sprints = showing(dice, CHANGE), showing(dice, SPRINT)
    before = race.speed[chariot]
    race.speed[chariot] = speed_after(edition, race.kind[chariot], before, changes, plus, sprints)
    race.condition[chariot] = condition_after(edition, race.condition[chariot], sprints)
    race.points = race.speed[chariot]
    race.steers = showing(dice, STEER)
    race.attacks = showing(dice, ATTACK)
    tell(story, SPED, chariot, changes, plus, sprints, before, race.speed[chariot], race.condition[chariot])
