"""The rules of Chariot Race: set-up, legal actions and their effects; and the `Rules` table for the rest of Spina.

The rulings (R1, R2 and so on) are explained on the rules page of the game. Dice are in `dice_roll.py`, movement and
attacks in `movement.py`, the course of a turn in `turns.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariot_race.rules.dice_roll import (
    adjust_initial_speed,
    buy_reroll,
    repair,
    reroll_freely,
    turn_die,
)
from spina.games.chariot_race.rules.event_kinds import DRAFTED, PLACED
from spina.games.chariot_race.rules.legal_actions import is_possible, list_options, random_action
from spina.games.chariot_race.rules.movement import (
    chariot_in,
    colour_of,
    drop_caltrop,
    step,
    throw_javelin,
)
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    BEFORE_LINE,
    CHARIOTS,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_PLACE,
    DO_REPAIR,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    EDITION,
    FORTUNA,
    NOTHING,
    OPT_INDIVIDUAL,
    OPT_PAIRS,
    OPT_SAFE_FINISH,
    OPT_SEATS,
    OPT_SIDE_1,
    OPT_SIDE_2,
    PAIR,
    PLAIN_KIND,
    RACE,
    REVISION,
)
from spina.games.chariot_race.rules.turns import (
    begin_attacks,
    begin_fortune,
    begin_rolling,
    begin_round,
    chariot_place,
    drive_off,
    drive_on,
    end_turn,
    go_on,
    seat_place,
    settle_dice,
)
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.narration import silence, tell
from spina.kernel.random import below, copy_dice, seed_dice, shuffle
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

# --- set-up ---------------------------------------------------------------------------------------------------------


@kernel
def prepare(race: RaceRecord, edition: EditionRecord, options, dice):
    """R23, R27: give each seat its chariots, second ones after all first ones; then lots for the grid, or a draft."""
    copy_dice(race.dice_to_come, dice)
    race.revision = REVISION
    race.seats = options[OPT_SEATS]
    race.chariots = race.seats * (PAIR if options[OPT_PAIRS] else 1)
    race.safe_finish = options[OPT_SAFE_FINISH]
    race.side[0] = options[OPT_SIDE_1]
    race.side[1] = options[OPT_SIDE_2]
    race.individual = options[OPT_INDIVIDUAL]
    race.supply = edition.caltrops
    nobody = silence()
    for chariot in range(CHARIOTS):
        race.order[chariot] = NOTHING
        race.seat[chariot] = chariot % race.seats if chariot < race.chariots else NOTHING
        race.kind[chariot] = NOTHING
        race.space[chariot] = NOTHING
        race.lap[chariot] = BEFORE_LINE
    if race.individual:
        begin_draft(race)
    else:
        for chariot in range(race.chariots):
            equip(race, edition, chariot, PLAIN_KIND)
        draw_places(race, edition)
        begin_round(race, edition, nobody)
        go_on(race, edition, nobody)


@kernel
def equip(race: RaceRecord, edition: EditionRecord, chariot, kind):
    """R24: give a chariot the starting values of its kind."""
    race.kind[chariot] = kind
    race.condition[chariot] = edition.first_condition[kind]
    race.speed[chariot] = edition.first_speed[kind]
    race.fate[chariot] = edition.first_fate[kind]


@kernel
def draw_places(race: RaceRecord, edition: EditionRecord):
    """R23: draw lots for the grid: the front row from outside to inside, then the rear row."""
    drawn = np.arange(CHARIOTS)
    shuffle(race.dice_to_come, drawn, race.chariots)
    for place in range(race.chariots):
        race.space[drawn[place]] = edition.grid[place]


@kernel
def begin_draft(race: RaceRecord):
    """R23: the draft goes round once from a random seat, then back for second chariots."""
    first = below(race.dice_to_come, race.seats)
    for turn in range(race.chariots):
        seat = (first + turn) % race.seats
        if turn >= race.seats:
            seat = (first + 2 * race.seats - 1 - turn) % race.seats
        race.order[turn] = seat + race.seats * (turn // race.seats)
    race.at = 0
    race.chariot = race.order[0]
    race.stage = AT_DRAFT


@kernel
def go_on_drafting(race: RaceRecord, edition: EditionRecord, story):
    """R23: go on to the next seat; after the draft, starting spaces are chosen in reverse order, round by round."""
    race.at += 1
    if race.at == race.chariots:
        if race.stage == AT_PLACE:
            begin_round(race, edition, story)
            return
        race.at = 0
        race.stage = AT_PLACE
        for first in range(0, race.chariots, race.seats):
            for i in range(race.seats // 2):
                other = first + race.seats - 1 - i
                chariot = race.order[first + i]
                race.order[first + i] = race.order[other]
                race.order[other] = chariot
    race.chariot = race.order[race.at]


# --- effects of actions ----------------------------------------------------------------------------------------------


@kernel
def act(race: RaceRecord, edition: EditionRecord, action, story):
    """Carry out a legal action and go on to the next question."""
    act_in_turn(race, edition, action, story)
    go_on(race, edition, story)


@kernel
def act_in_turn(race: RaceRecord, edition: EditionRecord, action, story):
    """Carry out a legal action, up to the next question of this turn or to its end.

    R25: attack dice are alike, so declining to attack leaves all that are left.
    """
    chariot, stage = race.chariot, race.stage
    race.choices += 1
    if stage == AT_DRAFT:
        equip(race, edition, chariot, action - DO_DRAFT + 1)
        tell(story, DRAFTED, chariot, action - DO_DRAFT + 1)
        go_on_drafting(race, edition, story)
    elif stage == AT_PLACE:
        race.space[chariot] = edition.grid[action - DO_PLACE]
        tell(story, PLACED, chariot, race.space[chariot])
        go_on_drafting(race, edition, story)
    elif stage == AT_REPAIR:
        if action == DO_REPAIR:
            repair(race, edition, chariot, story)
        begin_rolling(race, edition, chariot, story)
    elif stage == AT_REROLL:
        reroll_freely(race, edition, chariot, action - DO_REROLL, story)
        begin_fortune(race, edition, chariot, story)
    elif stage == AT_FORTUNE:
        if action == DO_REROLL:
            settle_dice(race, edition, chariot, story)
        else:
            if action < DO_TURN:
                buy_reroll(race, edition, chariot, action - DO_REROLL, story)
            else:
                turn_die(race, edition, chariot, (action - DO_TURN) // FORTUNA, (action - DO_TURN) % FORTUNA, story)
            begin_fortune(race, edition, chariot, story)
    elif stage == AT_SIGNS:
        drive_off(race, edition, chariot, action - DO_SIGNS, story)
    elif stage == AT_PATH:
        if step(race, edition, chariot, action - DO_STEP, story):
            drive_on(race, edition, chariot, story)
        else:
            end_turn(race, edition)
    elif action == DO_NO_ATTACK:
        end_turn(race, edition)
    else:
        if action < DO_CALTROP:
            throw_javelin(race, edition, chariot, chariot_in(race, action - DO_JAVELIN), story)
        else:
            drop_caltrop(race, chariot, action - DO_CALTROP, story)
        begin_attacks(race, edition, chariot, story)


@kernel
def act_without_dice(race: RaceRecord, edition: EditionRecord, action, story):
    """Carry out an action as far as no die is rolled: at most to the end of the turn.

    After a draft, a starting space, a repair or dice to be rolled again, only their immediate effect is applied.
    """
    chariot, stage = race.chariot, race.stage
    if stage == AT_DRAFT:
        equip(race, edition, chariot, action - DO_DRAFT + 1)
    elif stage == AT_PLACE:
        race.space[chariot] = edition.grid[action - DO_PLACE]
    elif stage == AT_REPAIR:
        if action == DO_REPAIR:
            repair(race, edition, chariot, story)
        adjust_initial_speed(race, edition, chariot, story)
    elif stage == AT_FORTUNE and DO_REROLL < action < DO_TURN:
        race.fate[chariot] -= edition.fortune_cost
    elif stage != AT_REROLL or action == DO_REROLL:
        act_in_turn(race, edition, action, story)


# --- the rules as entries -------------------------------------------------------------------------------------------

OK, RACE_OVER, NOT_TO_ACT, NO_SUCH_ACTION, NOT_POSSIBLE = range(5)
"""Answers of `check`: OK, or why an action is refused."""


@entry(interface.SET_UP)
def set_up(race_bytes, edition_bytes, options, dice):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    race_bytes[:] = 0
    prepare(race, edition, options, dice)


@entry(interface.ACTING)
def acting(race_bytes, edition_bytes):
    race = fields(race_bytes, RACE)
    if race.over:
        return 0
    return 1 << race.seat[race.chariot]


@entry(interface.LEGAL)
def legal(race_bytes, edition_bytes, seat, out):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if race.over or race.seat[race.chariot] != seat:
        return 0
    return list_options(race, edition, out)


@entry(interface.CHECK)
def check(race_bytes, edition_bytes, seat, action):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if race.over:
        return RACE_OVER
    if race.seat[race.chariot] != seat:
        return NOT_TO_ACT
    if action < 0 or action >= ACTIONS:
        return NO_SUCH_ACTION
    return OK if is_possible(race, edition, action) else NOT_POSSIBLE


@entry(interface.APPLY)
def apply(race_bytes, edition_bytes, seat, action, story):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    act(race, edition, action, story)
    return interface.RESOLVED


@entry(interface.APPLY)
def foresee(race_bytes, edition_bytes, seat, action, story):
    """Carry out an action on a copy as far as no die is rolled. The copy may be looked at, but not raced on."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    act_without_dice(race, edition, action, story)
    return interface.RESOLVED


@entry(interface.RETRACT)
def retract(race_bytes, edition_bytes, seat):
    """All actions are public at once, so none can be taken back."""
    return 0


@entry(interface.OVER)
def over(race_bytes, edition_bytes):
    return np.int64(fields(race_bytes, RACE).over)


@entry(interface.RANKING)
def ranking(race_bytes, edition_bytes, out):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    for seat in range(race.seats):
        out[seat] = seat_place(race, edition, seat)


@entry(interface.RANKING)
def places_and_colours(race_bytes, edition_bytes, out):
    """Write the place of each chariot, as `ranking` writes those of the seats; then the colour of each (R23)."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    for chariot in range(race.chariots):
        out[chariot] = chariot_place(race, edition, chariot)
        out[race.chariots + chariot] = colour_of(race, chariot)


@entry(interface.TURN)
def turn(race_bytes, edition_bytes):
    return np.int64(fields(race_bytes, RACE).rounds)


@entry(interface.TURNS_HAD)
def turns_had(race_bytes, edition_bytes, seat):
    """One turn in each round for each of the seat's chariots."""
    race = fields(race_bytes, RACE)
    had = np.int64(0)
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat:
            had += max(0, race.rounds - 1)
    for i in range(min(race.at, race.chariots)):
        if race.rounds > 0 and race.order[i] != NOTHING and race.seat[race.order[i]] == seat:
            had += 1
    return had


@entry(interface.DETERMINIZE)
def determinize(race_bytes, edition_bytes, seat, seed):
    """Determinization: only future dice are hidden."""
    seed_dice(fields(race_bytes, RACE).dice_to_come, seed)


@entry(interface.PLAYOUT)
def playout(race_bytes, edition_bytes, dice):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    menu = np.zeros(ACTIONS, np.int64)
    nobody = silence()
    choices = 0
    while not race.over:
        act(race, edition, random_action(race, edition, menu, dice), nobody)
        choices += 1
    return choices


@entry(interface.ACTING)
def adopt(race_bytes, edition_bytes):
    """Complete a position that was set up by hand: begin its round."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    nobody = silence()
    begin_round(race, edition, nobody)
    go_on(race, edition, nobody)
    return race.chariots


@entry(interface.ACTING)
def proceed(race_bytes, edition_bytes):
    """Go on from the end of a turn to the next question."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    go_on(race, edition, silence())
    return race.stage


RULES = interface.Rules(
    set_up, acting, legal, check, apply, retract, over, ranking, turn, turns_had, determinize, playout
)
