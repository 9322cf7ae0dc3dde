"""The rules of Biga, as kernels: README.md tells them in words, and the numbers here are its paragraphs."""

from __future__ import annotations

import numpy as np

from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.narration import silence, tell
from spina.kernel.random import below, copy_dice, seed_dice
from spina.kernel.record import record

SEATS, LAPS, LAP = 6, 3, 20
FINISH = LAPS * LAP
BENDS = (8, 18)
INNER, MIDDLE, OUTER = range(3)
STEADY, PUSH, REST = range(3)
FIRST_STAMINA, MOST_STAMINA = 3, 5
NOT_CHOSEN = -1
ACTIONS = 9
"""3 * how to drive + where: 0 in, 1 stay, 2 out."""
OK, NOT_NOW, NO_LANE, NO_STAMINA = range(4)
"""What `check` answers."""
CHANGED_LANE, DROVE, TIPPED_OVER, STOPPED_SHORT, FINISHED, CHOSE = range(6)
"""Kinds of events, in the order of `game.EVENTS`."""

RACE = record(
    [
        ("dice", "u8", (4,)),  # the generator; hidden
        ("seats", "i8"),
        ("turn", "i8"),
        ("over", "i8"),
        ("progress", "i8", (SEATS,)),  # spaces from the line
        ("lane", "i8", (SEATS,)),
        ("stamina", "i8", (SEATS,)),
        ("choice", "i8", (SEATS,)),  # an action, or NOT_CHOSEN; hidden until the last has chosen
    ]
)


# --- a round ----------------------------------------------------------------------------------------------------------


@kernel
def fault(race, seat, action):
    """1: why the seat cannot choose this now, or OK."""
    if race.over or seat < 0 or seat >= race.seats or race.choice[seat] != NOT_CHOSEN or not 0 <= action < ACTIONS:
        return NOT_NOW
    lane = race.lane[seat] + action % 3 - 1
    if lane < INNER or lane > OUTER:
        return NO_LANE
    return NO_STAMINA if action // 3 == PUSH and race.stamina[seat] == 0 else OK


@kernel
def bend_price(lane):
    """3: what going through a bend costs."""
    return lane - INNER


@kernel
def distance(race, seat, low, high):
    """2: how far the dice take the chariot; stamina is paid or comes back."""
    manner = race.choice[seat] // 3
    if manner == PUSH:
        race.stamina[seat] -= 1
        return low + high
    if manner == REST:
        race.stamina[seat] = min(MOST_STAMINA, race.stamina[seat] + 1)
        return low
    return high


@kernel
def go(race, seat, spaces, double, story):
    """3: through the bends, one space at a time."""
    risky = race.lane[seat] == INNER and race.choice[seat] // 3 == PUSH and double
    while spaces > 0:
        at = race.progress[seat] % LAP
        if at == BENDS[0] or at == BENDS[1]:
            if risky:
                race.stamina[seat] = 0
                tell(story, TIPPED_OVER, seat)
                return
            spaces -= bend_price(race.lane[seat])
        if spaces > 0:
            race.progress[seat] += 1
            spaces -= 1


@kernel
def keep_apart(race, seat, begun, story):
    """4: one space short of a chariot in the same lane."""
    if race.progress[seat] == begun:
        return
    for rival in range(race.seats):
        if rival != seat and race.lane[rival] == race.lane[seat] and race.progress[rival] == race.progress[seat]:
            race.progress[seat] -= 1
            tell(story, STOPPED_SHORT, seat, rival)
            return


@kernel
def take_turn(race, seat, story):
    """2: lane, dice, and the way."""
    change = race.choice[seat] % 3 - 1
    if change != 0:
        race.lane[seat] += change
        tell(story, CHANGED_LANE, seat, race.lane[seat])
    one, other = below(race.dice, 6) + 1, below(race.dice, 6) + 1
    begun = race.progress[seat]
    go(race, seat, distance(race, seat, min(one, other), max(one, other)), one == other, story)
    keep_apart(race, seat, begun, story)
    tell(story, DROVE, seat, one, other, race.progress[seat] - begun)
    if begun < FINISH <= race.progress[seat]:
        tell(story, FINISHED, seat)


@kernel
def is_ahead(race, seat, rival):
    """5: further, or as far on a lane further in."""
    if race.progress[seat] != race.progress[rival]:
        return race.progress[seat] > race.progress[rival]
    return race.lane[seat] < race.lane[rival]


@kernel
def place_of(race, seat):
    """1 for the first; the same number for a tie."""
    place = 1
    for rival in range(race.seats):
        if is_ahead(race, rival, seat):
            place += 1
    return place


@kernel
def resolve(race, story):
    """2: all go, the last first; of a tie the higher seat."""
    gone = 0
    for _ in range(race.seats):
        last = -1
        for seat in range(race.seats):
            if not gone >> seat & 1 and (last < 0 or not is_ahead(race, seat, last)):
                last = seat
        gone |= 1 << last
        take_turn(race, last, story)
    for seat in range(race.seats):
        race.choice[seat] = NOT_CHOSEN
        if race.progress[seat] >= FINISH:
            race.over = 1
    if not race.over:
        race.turn += 1


@kernel
def choose(race, seat, action, story):
    """1: a secret choice; the last one resolves the round."""
    race.choice[seat] = action
    tell(story, CHOSE, seat)
    for other in range(race.seats):
        if race.choice[other] == NOT_CHOSEN:
            return interface.CHOSEN
    resolve(race, story)
    return interface.RESOLVED


# --- the entries ------------------------------------------------------------------------------------------------------


@entry(interface.SET_UP)
def set_up(race_bytes, edition_bytes, options, dice):
    race = race_bytes.view(RACE)[0]
    race_bytes[:] = 0
    copy_dice(race.dice, dice)
    race.seats, race.turn = options[0], 1
    for seat in range(race.seats):
        race.lane[seat], race.stamina[seat], race.choice[seat] = MIDDLE, FIRST_STAMINA, NOT_CHOSEN


@entry(interface.ACTING)
def acting(race_bytes, edition_bytes):
    race = race_bytes.view(RACE)[0]
    seats = 0
    for seat in range(race.seats):
        if not race.over and race.choice[seat] == NOT_CHOSEN:
            seats |= 1 << seat
    return seats


@kernel
def list_legal(race, seat, out):
    """The actions that the seat may choose now."""
    count = 0
    for action in range(ACTIONS):
        if fault(race, seat, action) == OK:
            out[count] = action
            count += 1
    return count


@entry(interface.LEGAL)
def legal(race_bytes, edition_bytes, seat, out):
    return list_legal(race_bytes.view(RACE)[0], seat, out)


@entry(interface.CHECK)
def check(race_bytes, edition_bytes, seat, action):
    return fault(race_bytes.view(RACE)[0], seat, action)


@entry(interface.APPLY)
def apply(race_bytes, edition_bytes, seat, action, story):
    return choose(race_bytes.view(RACE)[0], seat, action, story)


@entry(interface.RETRACT)
def retract(race_bytes, edition_bytes, seat):
    race = race_bytes.view(RACE)[0]
    if race.over or race.choice[seat] == NOT_CHOSEN:
        return 0
    race.choice[seat] = NOT_CHOSEN
    return 1


@entry(interface.OVER)
def over(race_bytes, edition_bytes):
    return np.int64(race_bytes.view(RACE)[0].over)


@entry(interface.RANKING)
def ranking(race_bytes, edition_bytes, out):
    race = race_bytes.view(RACE)[0]
    for seat in range(race.seats):
        out[seat] = place_of(race, seat)


@entry(interface.TURN)
def turn(race_bytes, edition_bytes):
    return np.int64(race_bytes.view(RACE)[0].turn)


@entry(interface.TURNS_HAD)
def turns_had(race_bytes, edition_bytes, seat):
    return np.int64(race_bytes.view(RACE)[0].turn) - 1


@entry(interface.DETERMINIZE)
def determinize(race_bytes, edition_bytes, seat, seed):
    """Draw other dice to come, and let the rivals choose again."""
    race = race_bytes.view(RACE)[0]
    seed_dice(race.dice, seed)
    for rival in range(race.seats):
        if rival != seat:
            race.choice[rival] = NOT_CHOSEN


@kernel
def random_action(race, seat, dice, menu):
    """Any action that is possible now, each as likely."""
    return menu[below(dice, list_legal(race, seat, menu))]


@entry(interface.PLAYOUT)
def playout(race_bytes, edition_bytes, dice):
    race = race_bytes.view(RACE)[0]
    nobody, menu, choices = silence(), np.zeros(ACTIONS, np.int64), 0
    while not race.over:
        for seat in range(race.seats):
            if not race.over and race.choice[seat] == NOT_CHOSEN:
                choose(race, seat, random_action(race, seat, dice, menu), nobody)
                choices += 1
    return choices


@entry(interface.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    plan[0] = random_action(race_bytes.view(RACE)[0], seat, dice, np.zeros(ACTIONS, np.int64))
    return 1


RULES = interface.Rules(
    set_up, acting, legal, check, apply, retract, over, ranking, turn, turns_had, determinize, playout
)
