"""The legal actions: whether an action is legal, the list of all that are, and a random one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.dice_roll import count_side
from spina.games.chariot_race.rules.movement import (
    can_drop,
    can_hit,
    chariot_in,
    colour_of,
    next_drop,
    occupant,
    targets_of,
    who_drives,
)
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AHEAD,
    AT_ATTACK,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    CHANGE,
    CHARIOTS,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_NO_REPAIR,
    DO_PLACE,
    DO_REPAIR,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    FORTUNA,
    GRID,
    INWARD,
    NOTHING,
    OUTWARD,
    WAYS,
)
from spina.games.chariot_race.rules.turns import may_steer
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.random import below

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord


@kernel
def is_taken(race: RaceRecord, kind):
    """Whether this individual chariot has been drafted."""
    return who_drives(race, kind) != NOTHING


@kernel
def is_free(race: RaceRecord, space):
    """Whether no chariot stands on this starting space."""
    return occupant(race, space, NOTHING) == NOTHING


@kernel
def is_possible(race: RaceRecord, edition: EditionRecord, action):
    """Whether the action is legal for the chariot whose turn it is."""
    chariot, stage = race.chariot, race.stage
    if race.over or action < 0 or action >= ACTIONS:
        return False
    if stage == AT_DRAFT:
        return DO_DRAFT <= action < DO_DRAFT + CHARIOTS and not is_taken(race, action - DO_DRAFT + 1)
    if stage == AT_PLACE:
        return DO_PLACE <= action < DO_PLACE + GRID and is_free(race, edition.grid[action - DO_PLACE])
    if stage == AT_REPAIR:
        return action == DO_REPAIR or action == DO_NO_REPAIR
    if stage == AT_REROLL:
        return DO_REROLL <= action < DO_REROLL + (1 << race.rolled)
    if stage == AT_FORTUNE:
        if DO_REROLL <= action < DO_REROLL + (1 << race.rolled):
            return True
        if DO_TURN <= action < DO_TURN + race.rolled * FORTUNA:
            return race.die[(action - DO_TURN) // FORTUNA] != (action - DO_TURN) % FORTUNA
        return False
    if stage == AT_SIGNS:
        return DO_SIGNS <= action <= DO_SIGNS + count_side(race, CHANGE)
    if stage == AT_PATH:
        if action == DO_STEP + AHEAD:
            return True
        return (action == DO_STEP + INWARD or action == DO_STEP + OUTWARD) and may_steer(
            race, edition, chariot, action - DO_STEP
        )
    if stage == AT_ATTACK:
        if action == DO_NO_ATTACK:
            return True
        if DO_JAVELIN <= action < DO_JAVELIN + CHARIOTS:
            target = chariot_in(race, action - DO_JAVELIN)
            return target != NOTHING and can_hit(race, edition, chariot, target)
        if DO_CALTROP <= action < DO_CALTROP + edition.spaces:
            return can_drop(race, edition, chariot, action - DO_CALTROP)
    return False


# --- all legal actions ----------------------------------------------------------------------------------------------


@kernel
def options_of(race: RaceRecord, edition: EditionRecord, out):
    """The answers to the current question: the first of a range, the length of that range, and their number in all.

    Those beyond the range are written to `out`, in rising order, at the indices from the length of the range on. So a
    random answer needs no list of the 32 sets of dice, and no action is only tried: either would take longer than the
    rest of a random race.
    """
    stage = race.stage
    if race.over:
        return 0, 0, 0
    if stage == AT_DRAFT:
        return 0, 0, list_draft(race, out)
    if stage == AT_PLACE:
        return 0, 0, list_places(race, edition, out)
    if stage == AT_REPAIR:
        return DO_REPAIR, 2, 2
    if stage == AT_REROLL:
        return DO_REROLL, 1 << race.rolled, 1 << race.rolled
    if stage == AT_FORTUNE:
        return DO_REROLL, 1 << race.rolled, list_turned(race, out, 1 << race.rolled)
    if stage == AT_SIGNS:
        signs = count_side(race, CHANGE) + 1
        return DO_SIGNS, signs, signs
    if stage == AT_PATH:
        return DO_STEP + AHEAD, 1, list_lane_changes(race, edition, out, 1)
    if stage == AT_ATTACK:
        return DO_NO_ATTACK, 1, list_attacks(race, edition, out, 1)
    return 0, 0, 0


@kernel
def list_options(race: RaceRecord, edition: EditionRecord, out):
    """Write all legal actions to `out`, in rising order; return their number."""
    first, length, count = options_of(race, edition, out)
    for i in range(length):
        out[i] = first + i
    return count


@kernel
def random_action(race: RaceRecord, edition: EditionRecord, menu, dice):
    """A legal action, each with the same probability."""
    first, length, count = options_of(race, edition, menu)
    i = below(dice, count)
    return first + i if i < length else menu[i]


@kernel
def list_draft(race: RaceRecord, out):
    """R23: list the individual chariots that are left; return their number."""
    count = 0
    for i in range(CHARIOTS):
        if not is_taken(race, i + 1):
            out[count] = DO_DRAFT + i
            count += 1
    return count


@kernel
def list_places(race: RaceRecord, edition: EditionRecord, out):
    """R23: list the starting spaces that are left; return their number."""
    count = 0
    for i in range(GRID):
        if is_free(race, edition.grid[i]):
            out[count] = DO_PLACE + i
            count += 1
    return count


@kernel
def list_turned(race: RaceRecord, out, count):
    """R21: list, after `count` others, turning a die to a side that it does not show; return the number of all."""
    for die in range(race.rolled):
        for side in range(FORTUNA):
            out[count] = DO_TURN + die * FORTUNA + side
            count += race.die[die] != side  # else the next one is written over it
    return count


@kernel
def list_lane_changes(race: RaceRecord, edition: EditionRecord, out, count):
    """R5: list the lane changes, after `count` others; return the number of all."""
    for way in range(INWARD, WAYS):
        if may_steer(race, edition, race.chariot, way):
            out[count] = DO_STEP + way
            count += 1
    return count


@kernel
def list_attacks(race: RaceRecord, edition: EditionRecord, out, count):
    """R25: list javelins by the colours of their targets, then spaces for a caltrop; `count` as for lane changes."""
    chariot = race.chariot
    targets, colours = targets_of(race, edition, chariot), 0
    while targets:
        colours |= 1 << colour_of(race, lowest_bit(targets))
        targets &= targets - 1
    while colours:
        out[count] = DO_JAVELIN + lowest_bit(colours)
        colours &= colours - 1
        count += 1
    space = next_drop(race, edition, chariot, NOTHING)
    while space != NOTHING:
        out[count] = DO_CALTROP + space
        count += 1
        space = next_drop(race, edition, chariot, space)
    return count
