"""The legal actions: whether an action is legal, the list of all that are, and a random one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.dice_roll import count_side
from spina.games.chariot_race.rules.movement import (
    can_drop,
    can_hit,
    chariot_in,
    next_entered,
    occupant,
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
def list_options(race: RaceRecord, edition: EditionRecord, out):
    """Write all legal actions to `out`, in rising order; return their number.

    Each question lists its own answers: trying all actions with `is_possible` would take half the time of a race.
    """
    stage = race.stage
    if race.over:
        return 0
    if stage == AT_DRAFT:
        return list_draft(race, out)
    if stage == AT_PLACE:
        return list_places(race, edition, out)
    if stage == AT_REPAIR:
        return list_range(DO_REPAIR, DO_NO_REPAIR, out)
    if stage == AT_REROLL:
        return list_range(DO_REROLL, last_reroll(race), out)
    if stage == AT_FORTUNE:
        return list_purchases(race, out)
    if stage == AT_SIGNS:
        return list_range(DO_SIGNS, DO_SIGNS + count_side(race, CHANGE), out)
    if stage == AT_PATH:
        return list_steps(race, edition, out)
    if stage == AT_ATTACK:
        return list_attacks(race, edition, out)
    return 0


@kernel
def list_range(first, last, out):
    """List all actions from the first to the last."""
    for action in range(first, last + 1):
        out[action - first] = action
    return last + 1 - first


@kernel
def last_reroll(race: RaceRecord):
    """The action that rolls all dice again."""
    return DO_REROLL + (1 << race.rolled) - 1


@kernel
def list_draft(race: RaceRecord, out):
    """R23: list the individual chariots that are left."""
    count = 0
    for i in range(CHARIOTS):
        if not is_taken(race, i + 1):
            out[count] = DO_DRAFT + i
            count += 1
    return count


@kernel
def list_places(race: RaceRecord, edition: EditionRecord, out):
    """R23: list the starting spaces that are left."""
    count = 0
    for i in range(GRID):
        if is_free(race, edition.grid[i]):
            out[count] = DO_PLACE + i
            count += 1
    return count


@kernel
def list_purchases(race: RaceRecord, out):
    """R3, R21: list keeping the dice and re-rolling any, then turning one to a side that it does not show."""
    count = list_range(DO_REROLL, last_reroll(race), out)
    for die in range(race.rolled):
        for side in range(FORTUNA):
            if race.die[die] != side:
                out[count] = DO_TURN + die * FORTUNA + side
                count += 1
    return count


@kernel
def list_steps(race: RaceRecord, edition: EditionRecord, out):
    """R5: list the step ahead and the lane changes."""
    out[0] = DO_STEP + AHEAD
    count = 1
    for way in range(INWARD, WAYS):
        if may_steer(race, edition, race.chariot, way):
            out[count] = DO_STEP + way
            count += 1
    return count


@kernel
def list_attacks(race: RaceRecord, edition: EditionRecord, out):
    """R25: list declining to attack, then javelins by the colours of their targets, then spaces for a caltrop."""
    chariot = race.chariot
    out[0] = DO_NO_ATTACK
    count = 1
    for colour in range(CHARIOTS):
        target = chariot_in(race, colour)
        if target != NOTHING and can_hit(race, edition, chariot, target):
            out[count] = DO_JAVELIN + colour
            count += 1
    space = next_entered(race, NOTHING)
    while space != NOTHING:
        if can_drop(race, edition, chariot, space):
            out[count] = DO_CALTROP + space
            count += 1
        space = next_entered(race, space)
    return count


@kernel
def random_action(race: RaceRecord, edition: EditionRecord, menu, dice):
    """A legal action, each with the same probability."""
    return menu[below(dice, list_options(race, edition, menu))]
