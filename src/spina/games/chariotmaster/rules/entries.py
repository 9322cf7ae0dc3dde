"""The rules of Chariotmaster: set-up, the effects at work, and the table that offers them.

Rulings (CM-M1 to CM-S26, cited without CM) are in ../web/rules.md. What happens is an effect on the race's
stack (`effects.py`): turns in `turns.py`, driving in `drive.py` and `submoves.py`, attacks in `attacks.py`, moves and
collisions in `collisions.py`, runaways and walkers in `runaways.py`, losses in `losses.py` and `crashes.py`, dice in
`dice.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules import effects
from spina.games.chariotmaster.rules.attacks import attack, can_defend, list_attacks, price_of
from spina.games.chariotmaster.rules.chariots import (
    PAIR,
    best_token,
    collision_value,
    has_turn,
    is_out_of_control,
    least_distance,
    most_distance,
    settle,
    token_in_use,
)
from spina.games.chariotmaster.rules.chariots import has_crossed as crosses_line
from spina.games.chariotmaster.rules.choices import next_to_choose, why_not
from spina.games.chariotmaster.rules.collisions import bounce, collide, move, run_through
from spina.games.chariotmaster.rules.crashes import crash, fall, horse_dies, hurl, place
from spina.games.chariotmaster.rules.dice import roll
from spina.games.chariotmaster.rules.drive import can_go_faster, direction_of, drive, submove_of, turn_of
from spina.games.chariotmaster.rules.event_kinds import CHOSE
from spina.games.chariotmaster.rules.field import is_clear, pose_of
from spina.games.chariotmaster.rules.losses import lose, out_of_points
from spina.games.chariotmaster.rules.menu import list_answers, random_answer
from spina.games.chariotmaster.rules.prospects import end_of, room_of
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    ASK_NOTHING,
    ASK_TOKENS,
    BLOCK,
    CENTRE,
    CHARIOT,
    CHARIOTS,
    DEGREE,
    DESIGN,
    DESIGN_BEAST,
    DESIGN_BITE,
    DESIGN_FRIGHT,
    DESIGN_HEALTH,
    DESIGN_LUCK,
    DESIGN_PERCENT,
    DESIGN_SKILL,
    DESIGN_STRUCTURE,
    DESIGN_TOP,
    DO_PIVOT,
    DO_RUN,
    DO_SUBMOVE,
    DO_TOKEN,
    DO_UTURN,
    DO_WALK,
    DRIVER_OF,
    EDITION,
    FAST,
    HEALTH,
    LANE_GAP,
    LONGEST,
    MM,
    NOTHING,
    OBSTACLE,
    OPT_CHARIOTS,
    OPT_DESIGN,
    OPT_LAPS,
    OPT_MUST_LEAVE,
    OPT_SCENARIO,
    OPT_SEATS,
    OPT_SECOND_ROW,
    OPT_TEAM,
    RACE,
    ROW_GAP,
    RULES_VERSION,
    SECOND_ROW_STAMINA,
    SKILL,
    STAMINA,
    STRAIGHT,
    STRUCTURE,
    limit_for,
    stamina_for,
)
from spina.games.chariotmaster.rules.runaways import runaway, walk, walk_of
from spina.games.chariotmaster.rules.submoves import adjust, skid, submove, test
from spina.games.chariotmaster.rules.track import at, progress
from spina.games.chariotmaster.rules.turns import IN_MUG, chariot_place, chariot_turn, end_of_turn, game_turn
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.effect_stack import height, push, working
from spina.kernel.narration import silence, tell
from spina.kernel.random import below, copy_dice, seed_dice, shuffle
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

starting_stamina, turn_limit = kernel(stamina_for), kernel(limit_for)

# --- set-up ---------------------------------------------------------------------------------------------------------


@kernel
def prepare(race: RaceRecord, edition: EditionRecord, options, dice):
    """Chariots as designed, lanes by lot, tokens to be chosen."""
    copy_dice(race.dice_to_come, dice)
    t = options[OPT_SCENARIO]
    race.revision = RULES_VERSION - 1
    race.seats = options[OPT_SEATS]
    race.chariots = options[OPT_CHARIOTS]
    race.scenario = t
    race.laps = options[OPT_LAPS]
    race.must_leave = options[OPT_MUST_LEAVE]
    race.active = NOTHING
    race.reply = NOTHING
    distance = race.laps * edition.lap[t]
    race.limit = turn_limit(distance)
    for chariot in range(race.chariots):
        equip(race, edition, chariot, options, distance)
    line_up(race, edition, options[OPT_SECOND_ROW])
    for number in range(edition.obstacles[t]):
        piece = OBSTACLE + number
        race.kind[piece] = BLOCK
        race.x[piece] = edition.ob_x[t, number]
        race.y[piece] = edition.ob_y[t, number]
        race.heading[piece] = edition.ob_heading[t, number]
        race.half_long[piece] = edition.ob_half_long[t, number]
        race.half_wide[piece] = edition.ob_half_wide[t, number]
    push(race.stack, effects.GAME_TURN)


@kernel
def equip(race: RaceRecord, edition: EditionRecord, chariot, options, distance):
    """E11, Q6: the starting values of a design; real horses are like other beasts here (Q9)."""
    first = OPT_DESIGN + chariot * DESIGN
    race.seat[chariot] = chariot % race.seats
    race.side[chariot] = options[OPT_TEAM + chariot % race.seats]
    race.points[chariot, STAMINA] = starting_stamina(distance, options[first + DESIGN_PERCENT])
    race.points[chariot, STRUCTURE] = options[first + DESIGN_STRUCTURE]
    race.points[chariot, HEALTH] = options[first + DESIGN_HEALTH]
    race.points[chariot, SKILL] = options[first + DESIGN_SKILL]
    race.top[chariot] = options[first + DESIGN_TOP]
    race.beast[chariot] = options[first + DESIGN_BEAST]
    race.bite[chariot] = options[first + DESIGN_BITE]
    race.luck[chariot] = options[first + DESIGN_LUCK]
    race.fright[chariot] = options[first + DESIGN_FRIGHT]
    race.horses[chariot] = PAIR
    race.cap[chariot] = FAST
    race.token[chariot] = NOTHING
    race.place[chariot] = ABOARD
    race.reins[chariot] = 1
    race.whip[chariot] = 1
    race.knife[chariot] = 1
    race.body[chariot] = 1
    race.kind[chariot] = CHARIOT
    race.half_long[chariot] = edition.half_long[race.scenario]
    race.half_wide[chariot] = edition.half_wide[race.scenario]


@kernel
def row_capacity(edition: EditionRecord, t):
    """E9: chariots that stand side by side with half a centimetre between them."""
    return (2 * edition.half_width[t] - LANE_GAP) // (2 * edition.half_wide[t] + LANE_GAP)


@kernel
def line_up(race: RaceRecord, edition: EditionRecord, second_row):
    """M14, E9: lanes by lot from the inside; in a crowd every seat has a chariot in front before any has two."""
    t = race.scenario
    drawn = np.arange(CHARIOTS)
    shuffle(race.dice_to_come, drawn, race.chariots)
    abreast = row_capacity(edition, t)
    order = np.zeros(CHARIOTS, np.int64)
    count = 0
    if race.chariots > abreast:
        served = 0
        for i in range(race.chariots):
            if not served >> race.seat[drawn[i]] & 1:
                served |= 1 << race.seat[drawn[i]]
                order[count] = drawn[i]
                drawn[i] = NOTHING
                count += 1
    for i in range(race.chariots):
        if drawn[i] != NOTHING:
            order[count] = drawn[i]
            count += 1
    for i in range(race.chariots):
        stand(race, edition, order[i], i % abreast, i // abreast)
        if second_row and i >= abreast:
            race.points[order[i], STAMINA] += SECOND_ROW_STAMINA


@kernel
def stand(race: RaceRecord, edition: EditionRecord, chariot, lane, row):
    """A chariot on its starting lane, its front edge on the line or behind the first row."""
    t = race.scenario
    long, wide = edition.half_long[t], edition.half_wide[t]
    way = -long - row * (2 * long + ROW_GAP)
    inset = LANE_GAP + wide + lane * (2 * wide + LANE_GAP)
    x, y, heading = at(edition, t, way, (edition.half_width[t] - inset) * edition.inside[t])
    race.x[chariot] = x
    race.y[chariot] = y
    race.heading[chariot] = heading
    race.way[chariot] = way
    settle(race, edition, chariot, silence())


# --- the effects at work --------------------------------------------------------------------------------------------


@kernel
def work(race: RaceRecord, edition: EditionRecord, story):
    """Carry out the next step of the effect on top (M8)."""
    op = working(race.stack)
    if op == effects.MOVE:
        move(race, edition, story)
    elif op == effects.DRIVE:
        drive(race, edition, story)
    elif op == effects.SUBMOVE:
        submove(race, edition, story)
    elif op == effects.ROLL:
        roll(race, edition, story)
    elif op == effects.TEST:
        test(race, edition, story)
    elif op == effects.ADJUST:
        adjust(race, edition, story)
    elif op == effects.LOSE:
        lose(race, edition, story)
    elif op == effects.CHARIOT_TURN:
        chariot_turn(race, edition, story)
    elif op == effects.END_OF_TURN:
        end_of_turn(race, edition, story)
    elif op == effects.GAME_TURN:
        game_turn(race, edition, story)
    elif op == effects.SKID:
        skid(race, edition, story)
    elif op == effects.COLLIDE:
        collide(race, edition, story)
    elif op == effects.BOUNCE:
        bounce(race, edition, story)
    elif op == effects.THROUGH:
        run_through(race, edition, story)
    elif op == effects.OUT_OF:
        out_of_points(race, edition, story)
    elif op == effects.HORSE_GONE:
        horse_dies(race, edition, story)
    elif op == effects.CRASH:
        crash(race, edition, story)
    elif op == effects.HURL:
        hurl(race, edition, story)
    elif op == effects.PLACE:
        place(race, edition, story)
    elif op == effects.FALL:
        fall(race, edition, story)
    elif op == effects.ATTACK:
        attack(race, edition, story)
    elif op == effects.RUNAWAY:
        runaway(race, edition, story)
    else:
        walk(race, edition, story)


@kernel
def go_on(race: RaceRecord, edition: EditionRecord, story):
    """Work until a seat has to answer, or nothing is left to do."""
    while race.ask == ASK_NOTHING and height(race.stack) > 0:
        work(race, edition, story)


@kernel
def answer(race: RaceRecord, edition: EditionRecord, seat, action, story):
    """Take an answer; returns STEP, CHOSEN or RESOLVED."""
    if race.ask == ASK_TOKENS:
        chariot = next_to_choose(race, seat)
        race.token[chariot] = action - DO_TOKEN
        tell(story, CHOSE, chariot, action - DO_TOKEN, seat)
        if next_to_choose(race, seat) != NOTHING:
            return interface.STEP
        race.choices += 1
        race.asked &= ~(1 << seat)
        if race.asked:
            return interface.CHOSEN
    else:
        race.choices += 1
        race.reply = action
        race.asked = 0
    race.ask = ASK_NOTHING
    go_on(race, edition, story)
    race.reply = NOTHING
    return interface.RESOLVED


# --- places ---------------------------------------------------------------------------------------------------------


@kernel
def sorted_places(race: RaceRecord, side, out):
    """Places of a side's chariots, the best first; returns how many."""
    count = 0
    for chariot in range(race.chariots):
        if race.side[chariot] == side:
            place_here = chariot_place(race, chariot)
            i = count
            while i > 0 and out[i - 1] > place_here:
                out[i] = out[i - 1]
                i -= 1
            out[i] = place_here
            count += 1
    return count


@kernel
def is_better_side(race: RaceRecord, side, other):
    """M12, E7: by the best placed chariot, ties by the next best."""
    own, theirs = np.zeros(CHARIOTS, np.int64), np.zeros(CHARIOTS, np.int64)
    mine, yours = sorted_places(race, side, own), sorted_places(race, other, theirs)
    for i in range(min(mine, yours)):
        if own[i] != theirs[i]:
            return own[i] < theirs[i]
    return mine > yours


# --- the table ------------------------------------------------------------------------------------------------------


@entry(interface.SET_UP)
def set_up(race, edition, options, dice):
    """A fresh race, with the first tokens to be chosen."""
    for i in range(len(race)):
        race[i] = 0
    state, components = fields(race, RACE), fields(edition, EDITION)
    prepare(state, components, options, dice)
    go_on(state, components, silence())


@entry(interface.ACTING)
def acting(race, edition):
    """The seats that owe an answer."""
    state = fields(race, RACE)
    return np.int64(0) if state.over else np.int64(state.asked)


@entry(interface.LEGAL)
def legal(race, edition, seat, out):
    """A menu; any other sub-move that `check` allows is just as good."""
    return list_answers(fields(race, RACE), fields(edition, EDITION), seat, out)


@entry(interface.CHECK)
def check(race, edition, seat, action):
    """0, or the number of a reason of `choices`."""
    return why_not(fields(race, RACE), fields(edition, EDITION), seat, action)


@entry(interface.APPLY)
def apply(race, edition, seat, action, story):
    """One answer, and everything that follows until the next question."""
    return answer(fields(race, RACE), fields(edition, EDITION), seat, action, story)


@entry(interface.RETRACT)
def retract(race, edition, seat):
    """Tokens can be taken back out of the mug until the last seat has chosen."""
    state = fields(race, RACE)
    taken = 0
    if state.ask == ASK_TOKENS:
        for chariot in range(state.chariots):
            if state.seat[chariot] == seat and state.drawn[chariot] == IN_MUG and state.token[chariot] != NOTHING:
                state.token[chariot] = NOTHING
                taken = 1
        if taken and not state.asked >> seat & 1:
            state.asked |= 1 << seat
            state.choices -= 1
    return taken


@entry(interface.OVER)
def over(race, edition):
    """1 when the race has ended."""
    return fields(race, RACE).over


@entry(interface.RANKING)
def ranking(race, edition, out):
    """S14: each seat's place; seats of one team share it."""
    state = fields(race, RACE)
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if state.side[other] != state.side[seat] and is_better_side(state, state.side[other], state.side[seat]):
                out[seat] += 1


@entry(interface.TURN)
def turn(race, edition):
    """The current game turn."""
    return max(fields(race, RACE).turns, 1)


@entry(interface.TURNS_HAD)
def turns_had(race, edition, seat):
    """Chariot turns that are over."""
    state = fields(race, RACE)
    had = np.int64(0)
    for chariot in range(state.chariots):
        if state.seat[chariot] == seat:
            had += state.turned[chariot]
            if state.active == chariot:
                had -= 1
    return had


@entry(interface.DETERMINIZE)
def determinize(race, edition, seat, seed):
    """Draw anew what the seat does not know: dice to come, rivals' tokens in the mug, and tokens still being chosen."""
    state = fields(race, RACE)
    seed_dice(state.dice_to_come, seed)
    for chariot in range(state.chariots):
        if state.seat[chariot] == seat or state.drawn[chariot] != IN_MUG:
            continue
        if state.ask == ASK_TOKENS:
            state.token[chariot] = NOTHING
            if not state.asked >> state.seat[chariot] & 1:
                state.asked |= 1 << state.seat[chariot]
                state.choices -= 1
        else:
            state.token[chariot] = below(state.dice_to_come, best_token(state, chariot) + 1)


@entry(interface.PLAYOUT)
def playout(race, edition, dice):
    """Random answers to the end."""
    state, components = fields(race, RACE), fields(edition, EDITION)
    nobody = silence()
    before = state.choices
    while not state.over:
        seat = 0
        while not state.asked >> seat & 1:
            seat += 1
        answer(state, components, seat, random_answer(state, components, seat, dice), nobody)
    return state.choices - before


@entry(interface.DRIVER)
def random_driver(race, edition, seat, dice, plan):
    """Answers by lot."""
    plan[0] = random_answer(fields(race, RACE), fields(edition, EDITION), seat, dice)
    return 1


# --- what Python asks besides ----------------------------------------------------------------------------------------

F_LEAST, F_MOST, F_PIVOT, F_BEST, F_WILD, F_TURN, F_PLACE, F_TOKEN, F_DEFENDS, F_FASTER = range(10)
FIGURES = 10
"""Figures of a chariot that follow from the rules."""


@entry(interface.RANKING)
def figures(race, edition, out):
    """For each chariot: distances and pivot as they are now, best token, out of control, has a turn, place, token in
    use, can defend itself, can still spur or whip."""
    state, components = fields(race, RACE), fields(edition, EDITION)
    for chariot in range(state.chariots):
        first = chariot * FIGURES
        if state.token[chariot] != NOTHING:
            out[first + F_LEAST] = least_distance(state, components, chariot)
            out[first + F_MOST] = most_distance(state, components, chariot)
            out[first + F_PIVOT] = components.pivot[token_in_use(state, chariot)]
            out[first + F_TOKEN] = token_in_use(state, chariot)
        out[first + F_BEST] = best_token(state, chariot)
        out[first + F_WILD] = is_out_of_control(state, chariot)
        out[first + F_TURN] = has_turn(state, chariot)
        out[first + F_PLACE] = chariot_place(state, chariot)
        out[first + F_DEFENDS] = can_defend(state, chariot)
        out[first + F_FASTER] = can_go_faster(state, chariot)


@entry(interface.LEGAL)
def attacks(race, edition, chariot, out):
    """Attacks that are possible from where a chariot stands, by number; returns how many."""
    return list_attacks(fields(race, RACE), fields(edition, EDITION), chariot, out, len(out) - 64)


@entry(interface.CHECK)
def room(race, edition, piece, way):
    """Units that a piece can go ahead, to the left or to the right before it meets anything, up to 60 cm."""
    return room_of(fields(race, RACE), fields(edition, EDITION), piece, way)


@entry(interface.LEGAL)
def preview(race, edition, action, out):
    """Where a move of the asked chariot or driver on foot would end: x, y, heading, progress, units travelled."""
    state, components = fields(race, RACE), fields(edition, EDITION)
    piece = state.ask_chariot
    way, mm, degrees, about = np.int64(STRAIGHT), np.int64(0), np.int64(0), np.int64(CENTRE)
    if action >= DO_SUBMOVE:
        way, mm, degrees, about = submove_of(action)
    elif action >= DO_RUN:
        way, mm = (action - DO_RUN) // LONGEST, (action - DO_RUN) % LONGEST
    elif action >= DO_WALK:
        piece, mm = piece + DRIVER_OF, walk_of(action)[1]
    else:  # a pivot or a U-turn
        degrees, about = turn_of(action - DO_UTURN if action >= DO_UTURN else action - DO_PIVOT)
    direction = direction_of(state, piece, way)
    if DO_WALK <= action < DO_RUN:
        direction = walk_of(action)[0] * DEGREE
    out[0], out[1], out[2], out[3] = end_of(state, components, piece, direction, mm, degrees, about)
    out[4] = mm * MM
    return 5


@entry(interface.CHECK)
def price(race, edition, attacker, obj):
    """Stamina that an attack on this costs now."""
    return np.int64(price_of(fields(race, RACE), attacker, obj))


@entry(interface.CHECK)
def dice_of(race, edition, obj, part):
    """C7: dice that a part of an object rolls in a collision now."""
    return np.int64(collision_value(fields(race, RACE), fields(edition, EDITION), obj, part))


@entry(interface.ACTING)
def adopt(race, edition):
    """Go on from a position that was set up by hand, to the next question."""
    state = fields(race, RACE)
    go_on(state, fields(edition, EDITION), silence())
    return np.int64(state.ask)


@entry(interface.CHECK)
def is_alone(race, edition, piece, _):
    """1 if a piece stands clear of everything and on the track."""
    state = fields(race, RACE)
    return np.int64(is_clear(state, fields(edition, EDITION), piece, pose_of(state, piece), np.int64(0)))


@entry(interface.CHECK)
def has_crossed(race, edition, chariot, _):
    """1 if a chariot that still races stands across the finishing line or beyond (E3)."""
    state, components = fields(race, RACE), fields(edition, EDITION)
    return np.int64(state.kind[chariot] != ABSENT and crosses_line(state, components, chariot))


@entry(interface.CHECK)
def locate(race, edition, piece, near):
    """The progress of a piece that was put somewhere by hand; `near` is where to look."""
    state, components = fields(race, RACE), fields(edition, EDITION)
    state.way[piece] = near
    return progress(components, state.scenario, state.x[piece], state.y[piece], near)


@entry(interface.LEGAL)
def pose(race, edition, way, out):
    """Where on the map a place on the track is: `out` gets x, y and heading for this way and the offset in out[0]."""
    out[0], out[1], out[2] = at(fields(edition, EDITION), fields(race, RACE).scenario, way, out[0])
    return 3


RULES = interface.Rules(
    set_up=set_up,
    acting=acting,
    legal=legal,
    check=check,
    apply=apply,
    retract=retract,
    over=over,
    ranking=ranking,
    turn=turn,
    turns_had=turns_had,
    determinize=determinize,
    playout=playout,
)
