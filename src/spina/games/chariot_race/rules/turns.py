"""Rounds and turns of Chariot Race: the order in which a turn asks (R3), who is next, and how a race ends."""

from __future__ import annotations

from spina.games.chariot_race.rules.dice_roll import (
    adjust_initial_speed,
    can_repair,
    count_side,
    roll_all,
    set_speed,
    take_fortune,
)
from spina.games.chariot_race.rules.event_kinds import FINISHED, ORDER, ROUND, TURN
from spina.games.chariot_race.rules.movement import (
    can_drop,
    can_hit,
    distance,
    has_finished,
    is_ahead,
    step,
    wreck,
)
from spina.games.chariot_race.rules.record import (
    AHEAD,
    AT_ATTACK,
    AT_END,
    AT_FORTUNE,
    AT_PATH,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    AT_TURN_END,
    CHANGE,
    CHARIOTS,
    INWARD,
    NOTHING,
    OUTWARD,
)
from spina.kernel.compiler import kernel
from spina.kernel.narration import listens, tell

# --- rounds and turns -----------------------------------------------------------------------------------------------


@kernel
def begin_round(race, edition, story):
    """R1: the order is fixed at the start of a round; wrecks have no turn."""
    race.rounds += 1
    count = 0
    for chariot in range(CHARIOTS):
        race.order[chariot] = NOTHING
    for chariot in range(race.chariots):
        if not race.wrecked[chariot]:
            place = 0
            for rival in range(race.chariots):
                if rival != chariot and not race.wrecked[rival] and is_ahead(race, edition, rival, chariot):
                    place += 1
            race.order[place] = chariot
            count += 1
    tell(story, ROUND, NOTHING, race.rounds)
    if listens(story):
        o = race.order
        tell(story, ORDER, NOTHING, o[0], o[1], o[2], o[3], o[4], o[5])
    race.at = 0
    begin_turn(race, edition, story)


@kernel
def begin_turn(race, edition, story):
    """A chariot's turn begins with the question of repair, if there is one."""
    chariot = race.order[race.at]
    race.chariot = chariot
    race.began = race.space[chariot]
    race.rolled = 0
    race.points = 0
    race.steers = 0
    race.attacks = 0
    for space in range(edition.spaces):
        race.entered[space] = 0
    if listens(story):
        speed, condition, fate = race.speed[chariot], race.condition[chariot], race.fate[chariot]
        tell(story, TURN, chariot, race.space[chariot], speed, condition, fate)
    if can_repair(race, edition, chariot):
        race.stage = AT_REPAIR
    else:
        begin_rolling(race, edition, chariot, story)


@kernel
def begin_rolling(race, edition, chariot, story):
    """The initial speed, and the dice that it allows."""
    adjust_initial_speed(race, edition, chariot, story)
    roll_all(race, edition, chariot, story)
    race.stage = AT_REROLL
    if race.rolled == 0:
        begin_fortune(race, edition, chariot, story)


@kernel
def begin_fortune(race, edition, chariot, story):
    """R3: while fate lasts, dice may be bought."""
    race.stage = AT_FORTUNE
    if race.fate[chariot] < edition.fortune_cost or race.rolled == 0:
        settle_dice(race, edition, chariot, story)


@kernel
def settle_dice(race, edition, chariot, story):
    """The dice stand: Fortuna gives what she gives, and every +/- die asks for its sign."""
    take_fortune(race, edition, chariot, story)
    race.stage = AT_SIGNS
    if count_side(race, CHANGE) == 0:
        drive_off(race, edition, chariot, 0, story)


@kernel
def drive_off(race, edition, chariot, plus, story):
    """R17: a sprint may wreck the chariot where it stands; otherwise it moves."""
    set_speed(race, edition, chariot, plus, story)
    if race.condition[chariot] == 0:
        wreck(race, chariot, story)
        end_turn(race, edition)
        return
    drive_on(race, edition, chariot, story)


@kernel
def may_steer(race, edition, chariot, way):
    """Whether a lane change to this side is possible: a steer die is left, and there is a lane."""
    return race.steers > 0 and edition.next[race.space[chariot], way] != NOTHING


@kernel
def drive_on(race, edition, chariot, story):
    """Take the steps that leave no choice, up to the next question."""
    while race.points > 0:
        if may_steer(race, edition, chariot, INWARD) or may_steer(race, edition, chariot, OUTWARD):
            race.stage = AT_PATH
            return
        if not step(race, edition, chariot, AHEAD, story):
            end_turn(race, edition)
            return
    begin_attacks(race, edition, chariot, story)


@kernel
def begin_attacks(race, edition, chariot, story):
    """Every attack die may be used once; nothing is asked when there is nothing to attack."""
    race.stage = AT_ATTACK
    if race.attacks == 0 or not can_attack(race, edition, chariot):
        end_turn(race, edition)


@kernel
def can_attack(race, edition, chariot):
    """Whether anything is in range, or any space free for a caltrop."""
    for target in range(race.chariots):
        if can_hit(race, edition, chariot, target):
            return True
    for space in range(edition.spaces):
        if can_drop(race, edition, chariot, space):
            return True
    return False


@kernel
def end_turn(race, edition):
    """The turn is over; whoever has finished by now is home."""
    chariot = race.chariot
    if not race.wrecked[chariot] and has_finished(race, edition, chariot):
        race.home[chariot] = 1
    race.stage = AT_TURN_END


@kernel
def go_on(race, edition, story):
    """From the end of a turn to the next question, if the race has one."""
    while race.stage == AT_TURN_END:
        race.at += 1
        if race.at == race.chariots or race.order[race.at] == NOTHING:
            end_round(race, edition, story)
        elif not race.wrecked[race.order[race.at]]:
            begin_turn(race, edition, story)


@kernel
def end_round(race, edition, story):
    """R12, R19: over when a chariot that has finished is still in the race, or nobody is left."""
    left = 0
    finished = 0
    for chariot in range(race.chariots):
        if not race.wrecked[chariot]:
            left += 1
            if has_finished(race, edition, chariot):
                finished += 1
    if left == 0 or finished > 0:
        race.over = 1
        race.stage = AT_END
        if listens(story):
            for chariot in range(race.chariots):
                place = chariot_place(race, edition, chariot)
                tell(story, FINISHED, chariot, seat_place(race, edition, race.seat[chariot]), place)
    else:
        begin_round(race, edition, story)


# --- places ---------------------------------------------------------------------------------------------------------


@kernel
def outranks(race, edition, chariot, rival):
    """R12, R19: by distance; level fronts share a place; all wrecks rank together behind the others."""
    if race.wrecked[chariot]:
        return False
    if race.wrecked[rival]:
        return True
    if race.space[chariot] == NOTHING or race.space[rival] == NOTHING:
        return False
    return distance(race, edition, chariot) > distance(race, edition, rival)


@kernel
def chariot_place(race, edition, chariot):
    """1 for the chariot that nobody outranks. R12: when all are wrecked nobody has won, and all come last."""
    place = 1
    racing = 0
    for rival in range(race.chariots):
        if not race.wrecked[rival]:
            racing += 1
        if rival != chariot and outranks(race, edition, rival, chariot):
            place += 1
    return place if racing > 0 else race.chariots


@kernel
def best_of(race, edition, seat):
    """R13: a seat counts by the better of its chariots."""
    best = NOTHING
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat and (best == NOTHING or outranks(race, edition, chariot, best)):
            best = chariot
    return best


@kernel
def seat_place(race, edition, seat):
    """1 for the winner. R12: when all chariots are wrecked there is none, and everybody comes last."""
    mine = best_of(race, edition, seat)
    place = 1
    racing = 0
    for rival in range(race.seats):
        theirs = best_of(race, edition, rival)
        if not race.wrecked[theirs]:
            racing += 1
        if rival != seat and outranks(race, edition, theirs, mine):
            place += 1
    return place if racing > 0 else race.seats
