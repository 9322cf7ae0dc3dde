"""Rounds and turns of Chariot Race: the questions of a turn (R3), the next chariot, the end of the race, places."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    distance,
    has_finished,
    is_ahead,
    next_drop,
    step,
    targets_of,
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
from spina.kernel.record import as_words

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

# --- rounds and turns -----------------------------------------------------------------------------------------------


@kernel
def begin_round(race: RaceRecord, edition: EditionRecord, story):
    """R1: settle the order of the round; wrecks have no turn."""
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
def begin_turn(race: RaceRecord, edition: EditionRecord, story):
    """Begin the turn of the next chariot with the question of a repair, if one is on offer (R3, R21)."""
    chariot = race.order[race.at]
    race.chariot = chariot
    race.began = race.space[chariot]
    race.rolled = 0
    race.points = 0
    race.steers = 0
    race.attacks = 0
    entered = as_words(race.entered)
    for word in range(len(entered)):
        entered[word] = 0
    if listens(story):
        speed, condition, fate = race.speed[chariot], race.condition[chariot], race.fate[chariot]
        tell(story, TURN, chariot, race.space[chariot], speed, condition, fate)
    if can_repair(race, edition, chariot):
        race.stage = AT_REPAIR
    else:
        begin_rolling(race, edition, chariot, story)


@kernel
def begin_rolling(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R3: settle the initial speed and roll the dice; the free re-roll comes next."""
    adjust_initial_speed(race, edition, chariot, story)
    roll_all(race, edition, chariot, story)
    race.stage = AT_REROLL
    if race.rolled == 0:
        begin_fortune(race, edition, chariot, story)


@kernel
def begin_fortune(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R3: offer purchases as long as the fate suffices."""
    race.stage = AT_FORTUNE
    if race.fate[chariot] < edition.fortune_cost or race.rolled == 0:
        settle_dice(race, edition, chariot, story)


@kernel
def settle_dice(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R3: the dice are final: add Fortuna's points, then ask for the signs of the +/- dice."""
    take_fortune(race, edition, chariot, story)
    race.stage = AT_SIGNS
    if count_side(race, CHANGE) == 0:
        drive_off(race, edition, chariot, 0, story)


@kernel
def drive_off(race: RaceRecord, edition: EditionRecord, chariot, plus, story):
    """Set the speed and drive; R17: sprints may wreck the chariot where it stands."""
    set_speed(race, edition, chariot, plus, story)
    if race.condition[chariot] == 0:
        wreck(race, chariot, story)
        end_turn(race, edition)
        return
    drive_on(race, edition, chariot, story)


@kernel
def may_steer(race: RaceRecord, edition: EditionRecord, chariot, way):
    """R5: whether the chariot may change lanes to this side: a steer die is left, and there is a lane."""
    return race.steers > 0 and edition.next[race.space[chariot], way] != NOTHING


@kernel
def drive_on(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R28: take the forced steps, up to the next question. At speed 0 there are none, and attacks follow (R2)."""
    while race.points > 0:
        if may_steer(race, edition, chariot, INWARD) or may_steer(race, edition, chariot, OUTWARD):
            race.stage = AT_PATH
            return
        if not step(race, edition, chariot, AHEAD, story):
            end_turn(race, edition)
            return
    begin_attacks(race, edition, chariot, story)


@kernel
def begin_attacks(race: RaceRecord, edition: EditionRecord, chariot, story):
    """R25: ask for the next attack die; nothing is asked if no attack is possible."""
    race.stage = AT_ATTACK
    if race.attacks == 0 or not can_attack(race, edition, chariot):
        end_turn(race, edition)


@kernel
def can_attack(race: RaceRecord, edition: EditionRecord, chariot):
    """R25: whether a chariot is in range, or a space is free for a caltrop."""
    return targets_of(race, edition, chariot) != 0 or next_drop(race, edition, chariot, NOTHING) != NOTHING


@kernel
def end_turn(race: RaceRecord, edition: EditionRecord):
    """End the turn. A chariot that has finished by now is home (R20)."""
    chariot = race.chariot
    if not race.wrecked[chariot] and has_finished(race, edition, chariot):
        race.home[chariot] = 1
    race.stage = AT_TURN_END


@kernel
def go_on(race: RaceRecord, edition: EditionRecord, story):
    """Go on from the end of a turn to the next question, or to the end of the race."""
    while race.stage == AT_TURN_END:
        race.at += 1
        if race.at == race.chariots or race.order[race.at] == NOTHING:
            end_round(race, edition, story)
        elif not race.wrecked[race.order[race.at]]:
            begin_turn(race, edition, story)


@kernel
def end_round(race: RaceRecord, edition: EditionRecord, story):
    """R12, R19: end the race if a chariot in the race has finished, or if none is left; else begin a new round."""
    finished = 0
    for chariot in range(race.chariots):
        if not race.wrecked[chariot] and has_finished(race, edition, chariot):
            finished += 1
    if finished > 0 or all_wrecked(race):
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
def all_wrecked(race: RaceRecord):
    """R12, R26: whether no chariot is left in the race, so that no seat wins."""
    for chariot in range(race.chariots):
        if not race.wrecked[chariot]:
            return False
    return True


@kernel
def outranks(race: RaceRecord, edition: EditionRecord, chariot, rival):
    """R12, R19: by distance; level fronts share a place; all wrecks rank together behind the others."""
    if race.wrecked[chariot]:
        return False
    if race.wrecked[rival]:
        return True
    if race.space[chariot] == NOTHING or race.space[rival] == NOTHING:  # while starting spaces are chosen
        return race.space[chariot] != race.space[rival] and race.space[rival] == NOTHING
    return distance(race, edition, chariot) > distance(race, edition, rival)


@kernel
def chariot_place(race: RaceRecord, edition: EditionRecord, chariot):
    """1 for the chariot that no other outranks. R26: if all are wrecked, all come last."""
    if all_wrecked(race):
        return race.chariots
    place = 1
    for rival in range(race.chariots):
        if rival != chariot and outranks(race, edition, rival, chariot):
            place += 1
    return place


@kernel
def best_of(race: RaceRecord, edition: EditionRecord, seat):
    """R13: the better of a seat's chariots, which decides its place."""
    best = NOTHING
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat and (best == NOTHING or outranks(race, edition, chariot, best)):
            best = chariot
    return best


@kernel
def seat_place(race: RaceRecord, edition: EditionRecord, seat):
    """1 for the winner. R26: if all chariots are wrecked, there is none and all seats come last."""
    if all_wrecked(race):
        return race.seats
    mine = best_of(race, edition, seat)
    place = 1
    for rival in range(race.seats):
        if rival != seat and outranks(race, edition, best_of(race, edition, rival), mine):
            place += 1
    return place
