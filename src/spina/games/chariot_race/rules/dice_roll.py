"""The first half of a turn: repair, initial speed, dice, what Fortuna allows, and the speed that comes of it."""

from __future__ import annotations

from spina.games.chariot_race.rules.event_kinds import (
    BLESSED,
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
    FORTUNA,
    NOTHING,
    SPRINT,
    STEER,
)
from spina.kernel.compiler import kernel
from spina.kernel.narration import tell
from spina.kernel.random import below


@kernel
def can_repair(race, edition, chariot):
    """R21: a repair is offered to a damaged chariot with fate enough."""
    damaged = race.condition[chariot] < edition.most_condition[race.kind[chariot]]
    return damaged and race.fate[chariot] >= edition.repair_cost


@kernel
def repair(race, edition, chariot, story):
    """R21: it mends as much as it can, up to three."""
    before = race.condition[chariot]
    race.fate[chariot] -= edition.repair_cost
    race.condition[chariot] = min(edition.most_condition[race.kind[chariot]], before + edition.repair_points)
    tell(story, REPAIRED, chariot, race.condition[chariot] - before, race.condition[chariot], race.fate[chariot])


@kernel
def adjust_initial_speed(race, edition, chariot, story):
    """A damaged chariot cannot begin its turn faster than its condition allows (R24: by its own table)."""
    limit = edition.speed_limit[race.kind[chariot], race.condition[chariot]]
    if race.speed[chariot] > limit:
        race.speed[chariot] = limit
        tell(story, HELD_BACK, chariot, limit)


# --- dice -----------------------------------------------------------------------------------------------------------


@kernel
def roll_all(race, edition, chariot, story):
    """As many dice as the initial speed allows: the faster, the fewer."""
    race.rolled = edition.dice_at[race.kind[chariot], race.speed[chariot]]
    for die in range(DICE):
        race.die[die] = NOTHING
    roll(race, edition, chariot, (1 << race.rolled) - 1, ROLL_FIRST, story)


@kernel
def roll(race, edition, chariot, dice, why, story):
    """Roll these dice, given as bits, and lay all of them out in order."""
    for die in range(race.rolled):
        if dice >> die & 1:
            race.die[die] = edition.die[below(race.dice_to_come, 6)]
    sort_dice(race)
    tell(story, ROLLED, chariot, race.rolled, pack_dice(race), why)


@kernel
def sort_dice(race):
    """Dice that show the same are the same: they are kept in order, so that nothing depends on which is which."""
    for i in range(1, race.rolled):
        side = race.die[i]
        place = i
        while place > 0 and race.die[place - 1] > side:
            race.die[place] = race.die[place - 1]
            place -= 1
        race.die[place] = side


@kernel
def pack_dice(race):
    """The sides of all dice in one number, three bits each."""
    packed = 0
    for die in range(race.rolled):
        packed |= race.die[die] << (3 * die)
    return packed


@kernel
def reroll_freely(race, edition, chariot, dice, story):
    """Once in a turn any dice may be rolled again for nothing."""
    if dice:
        roll(race, edition, chariot, dice, ROLL_FREE, story)


@kernel
def buy_reroll(race, edition, chariot, dice, story):
    """R3: two points of fate buy another roll of any dice."""
    race.fate[chariot] -= edition.fortune_cost
    roll(race, edition, chariot, dice, ROLL_BOUGHT, story)


@kernel
def turn_die(race, edition, chariot, die, side, story):
    """R3, R21: two points of fate turn one die to another side, but never to Fortuna."""
    race.fate[chariot] -= edition.fortune_cost
    before = race.die[die]
    race.die[die] = side
    sort_dice(race)
    tell(story, TURNED, chariot, before, side, race.fate[chariot])


@kernel
def count_side(race, side):
    """How many dice show it."""
    total = 0
    for die in range(race.rolled):
        if race.die[die] == side:
            total += 1
    return total


@kernel
def take_fortune(race, edition, chariot, story):
    """R21: Fortuna's dice are always taken, up to the maximum."""
    dice = count_side(race, FORTUNA)
    if dice > 0:
        race.fate[chariot] = min(edition.most_fate[race.kind[chariot]], race.fate[chariot] + dice)
        tell(story, BLESSED, chariot, dice, race.fate[chariot])


@kernel
def speed_after(edition, kind, speed, changes, plus, sprints):
    """R4: all changes are summed, then the speed is kept between 0 and the chariot's greatest."""
    total = speed + 2 * plus - changes + edition.sprint_speed * sprints
    return max(0, min(edition.most_speed[kind], total))


@kernel
def set_speed(race, edition, chariot, plus, story):
    """The speed of this turn, and with it steps, lane changes and attacks. Each sprint costs condition (R4)."""
    changes, sprints = count_side(race, CHANGE), count_side(race, SPRINT)
    before = race.speed[chariot]
    race.speed[chariot] = speed_after(edition, race.kind[chariot], before, changes, plus, sprints)
    race.condition[chariot] = max(0, race.condition[chariot] - edition.sprint_damage * sprints)
    race.points = race.speed[chariot]
    race.steers = count_side(race, STEER)
    race.attacks = count_side(race, ATTACK)
    tell(story, SPED, chariot, changes, plus, sprints, before, race.speed[chariot], race.condition[chariot])
