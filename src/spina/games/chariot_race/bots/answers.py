"""The answers to the question of a turn: their values by several valuations, and the features that describe them.

Each answer is valued exactly, as the drivers do it, by several valuations at once: by that of the driver `keen`, by
three that fear a wreck more, fear it less, or would rather harm the rivals, and by the learned chance to win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots.dice_sets import SETS, SHOWING, WITH, WITHOUT, before_rolling, odds_of_rolls
from spina.games.chariot_race.bots.dice_sets import chances as odds_of_sides
from spina.games.chariot_race.bots.driver_weights import (
    LAP_SPACES,
    W_CALTROP,
    W_CHASED,
    W_CONDITION,
    W_DISTANCE,
    W_EXPOSED,
    W_FATE,
    W_HUNTED,
    W_JAVELIN,
    W_RAM,
    W_STAKE,
    W_WRECK,
    WEIGHTS,
    Valuation,
)
from spina.games.chariot_race.bots.drivers import (
    ELSEWHERE,
    KEEN,
    WORST,
    WORTH_BUYING,
    best_part,
    best_purchase,
    choose_attack,
    dice_beyond,
    first_free,
    set_on_table,
)
from spina.games.chariot_race.bots.expected_value import (
    appraise,
    appraise_by,
    best_end,
    exposure,
    has_target,
    hunters,
    place_of,
    races_against,
    rivals_behind,
    room_for_dice,
    solution_on,
    speeds_within,
    survey,
    way_gained,
    worth_of_sets,
)
from spina.games.chariot_race.bots.features import (
    CONDITION_UNIT,
    FATE_UNIT,
    MOST_BEHIND,
    RIVALS_NEAR_UNIT,
    ROUNDS_BEHIND_UNIT,
    ROUNDS_UNIT,
    SPACES_BACK_UNIT,
    SPEED_UNIT,
    bend_ahead,
    still_needs,
)
from spina.games.chariot_race.bots.path_costs import (
    ANY_WAY,
    began_with,
    damage_of,
    reach,
    room_for_ends,
    space_of,
    spread,
)
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.bots.turn_chances import (
    ATTACKS,
    begin_chances,
    best_chance,
    chance_at,
    fill_chances,
    lap_at,
    rounds_from,
)
from spina.games.chariot_race.rules.dice_roll import adjust_initial_speed, count_side, repair, speed_after
from spina.games.chariot_race.rules.legal_actions import list_options
from spina.games.chariot_race.rules.movement import chariot_in, is_ahead, resting_place
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
    ATTACK,
    CHANGE,
    DICE,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_REPAIR,
    DO_PLACE,
    DO_REPAIR,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    FORTUNA,
    NOTHING,
    SIDES,
    SPRINT,
    STEER,
)
from spina.kernel.compiler import kernel
from spina.kernel.narration import silence
from spina.kernel.policy_network import MOST_CANDIDATES
from spina.kernel.record import record

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

# --- valuations -----------------------------------------------------------------------------------------------------

SAFER = {W_CONDITION: 2.5, W_WRECK: 1.8, W_STAKE: 1.8, W_FATE: 3.0}
BOLDER = {W_CONDITION: 0.2, W_WRECK: 0.35, W_STAKE: 0.35, W_FATE: 0.2, W_DISTANCE: 2.0}
HARMFUL = {W_JAVELIN: 4.0, W_CALTROP: 20.0, W_RAM: 10.0, W_EXPOSED: 3.0, W_HUNTED: 6.0, W_CHASED: 2.5}
VARIATIONS: tuple[dict[int, float], ...] = ({}, SAFER, BOLDER, HARMFUL)
"""By what the weights of each valuation differ from those of the driver `keen`, which comes first."""
VALUATIONS = len(VARIATIONS) + 1
BY_CHANCE = VALUATIONS - 1
"""The valuation by the learned chance to win after the turn (`turn_chances.py`)."""


def _varied(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of all valuations."""
    factors = [[other.get(weight, 1.0) for weight in range(WEIGHTS)] for other in VARIATIONS]
    varied: NDArray[np.float64] = weights * np.array(factors)
    return varied


MINDS, MINDS_ELSEWHERE = _varied(KEEN), _varied(ELSEWHERE)
"""The weights by valuation: on the reference course, and on others."""

# --- features of a candidate ----------------------------------------------------------------------------------------

(
    C_WORTH,  # its value against that of the driver's choice, by the valuation of the driver
    C_OTHER_WORTHS,  # its value against the best by each other valuation
    C_CHANCE,  # by the chance to win
    C_USUAL,  # it is the driver's choice
    C_REPAIR,
    C_KEPT,  # dice kept or turned, by side
    C_ROLLED,  # dice rolled again
    C_PAID,  # fate paid
    C_SPEED,  # from here, of a way: speed after it
    C_LEFT,  # condition after it
    C_LOST,  # it wrecks the chariot
    C_RAMS,  # damage to rivals
    C_AIMED,  # a rival in range of a javelin, and an attack die
    C_EXPOSED,
    C_HUNTED,
    C_CHASED,  # rivals behind
    C_HOME,
    C_BEYOND,  # straight spaces beyond the line
    C_ROUNDS,  # rounds to go after it
    C_LEAD,  # fewer than the best rival
    C_BEND,
    C_STEP,  # a lane change now
    C_JAVELIN,
    C_TARGET_LEFT,  # condition of the target after the javelin
    C_WRECKS,  # the javelin wrecks it
    C_TARGET_LEAD,  # rounds that the target needs less
    C_TARGET_AHEAD,
    C_TARGET_BEST,  # no rival needs fewer rounds
    C_OWN_TARGET,  # the chariot of the own seat
    C_CALTROP,
    C_CALTROP_LANE,  # in the lane where the chariot stands
    C_CALTROP_AHEAD,  # straight spaces before the foremost rival behind it
    C_CALTROP_RIVALS,  # rivals that may come over it soon
    C_NO_ATTACK,
    C_PLACE,  # number of a starting space or chariot
    C_FIGURES,  # first speed, condition and fate of a chariot
    CANDIDATE,
) = (0, 1, 4, 5, 6, 7, *range(12, 42), 44)
NEAR_AHEAD = 10.0
"""Straight spaces."""

LISTED = 12
"""Most answers that are candidates."""

ANSWERS = record(
    [
        ("count", "i8"),
        ("usual", "i8"),  # number of the driver's choice
        ("action", "i8", (MOST_CANDIDATES,)),
        ("kept", "i8", (MOST_CANDIDATES,)),  # dice: the set that is kept, or that a turn makes
        ("value", "f8", (MOST_CANDIDATES, VALUATIONS)),
        ("order", "i8", (LISTED + 1,)),  # the answers that are candidates, the driver's choice first
        ("fact", "f8", (MOST_CANDIDATES, CANDIDATE)),  # features
    ]
)
"""The answers to a question, by number."""


@kernel
def mind_of(race: RaceRecord, edition: EditionRecord, v):
    """Valuation number v."""
    return Valuation(solution_on(race), MINDS[v] if edition.plain_key == KNOWN else MINDS_ELSEWHERE[v])


@kernel
def add(answers, action, kept):
    """Add an answer, if there is room."""
    i = answers.count
    if i < MOST_CANDIDATES:
        answers.action[i], answers.kept[i] = action, kept
        answers.count = i + 1


@kernel
def find_usual(answers, action):
    """Note which answer is the driver's choice."""
    for i in range(answers.count):
        if answers.action[i] == action:
            answers.usual = i


# --- the ends of ways -----------------------------------------------------------------------------------------------


@kernel
def fewest_to_go(race: RaceRecord, edition: EditionRecord, chariot):
    """Rounds that the best rival still needs after this one."""
    fewest = ROUNDS_UNIT * MOST_BEHIND
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
            fewest = min(fewest, still_needs(race, edition, rival))
    return fewest


@kernel
def describe_end(race: RaceRecord, edition: EditionRecord, chariot, speed, condition, attacks, ends, j, fact):
    """Write what an answer leads to: end j of the ways at this speed."""
    fact[C_SPEED] = speed / SPEED_UNIT
    if j == NOTHING or condition <= damage_of(ends.way[j]):
        fact[C_LOST] = 1.0
        return
    left, fate = condition - damage_of(ends.way[j]), race.fate[chariot]
    rest = resting_place(race, edition, chariot, space_of(ends.way[j]))
    lap = lap_at(race, edition, chariot, rest)
    unit = edition.length / LAP_SPACES
    fact[C_LEFT] = left / CONDITION_UNIT
    fact[C_RAMS] = min(3.0, ends.gain[j] / KEEN[W_RAM]) / RIVALS_NEAR_UNIT
    if attacks > 0 and has_target(race, edition, chariot, rest):
        fact[C_AIMED] = attacks / RIVALS_NEAR_UNIT
    fact[C_EXPOSED] = exposure(race, edition, chariot, rest) / RIVALS_NEAR_UNIT
    fact[C_HUNTED] = hunters(race, edition, chariot, rest) / RIVALS_NEAR_UNIT
    come = lap * edition.length + edition.front[rest]
    fact[C_CHASED] = rivals_behind(race, edition, chariot, come) / RIVALS_NEAR_UNIT
    if lap >= edition.laps:
        fact[C_HOME], fact[C_BEYOND] = 1.0, edition.front[rest] / unit / SPACES_BACK_UNIT
    else:
        rounds = rounds_from(race, edition, chariot, lap, rest, speed, left, fate)
        fact[C_ROUNDS] = rounds / ROUNDS_UNIT
    lead = (fewest_to_go(race, edition, chariot) - ROUNDS_UNIT * fact[C_ROUNDS]) / ROUNDS_BEHIND_UNIT
    fact[C_LEAD] = min(MOST_BEHIND, max(-MOST_BEHIND, lead))
    fact[C_BEND] = bend_ahead(edition, rest, speed)


# --- answers by question --------------------------------------------------------------------------------------------


@kernel
def value_dice(race: RaceRecord, edition: EditionRecord, chariot, v, dice, most_fate, chance, tables, chances):
    """`appraise` by valuation number v; returns the values of all results and the weights of attacks."""
    if v < BY_CHANCE:
        mind = mind_of(race, edition, v)
        surveyed = survey(race, edition, chariot, dice, mind.weights)
        worths = appraise(race, edition, chariot, mind, dice, surveyed, most_fate, chance, tables)
        return worths, mind.weights
    ends, worths = room_for_ends(), np.empty(place_of(edition, race.kind[chariot], 2, 0, 0, 0))
    slow, fast = speeds_within(race, edition, chariot, dice)
    spread(race, edition, chariot, reach(slow, fast, 0, dice, race.speed[chariot], ANY_WAY), MINDS[0], ends)
    fill_chances(race, edition, chariot, dice, ends, chances, worths)
    appraise_by(race, edition, chariot, ATTACKS, dice, worths, most_fate, chance, tables)
    return worths, ATTACKS


@kernel
def value_ends(race: RaceRecord, edition: EditionRecord, chariot, v, route, condition, attacks, ends, chances):
    """The value of the best end of a move with this reach by valuation number v, and the number of that end."""
    speed, fate = route.slow, race.fate[chariot]
    if v < BY_CHANCE:
        mind = mind_of(race, edition, v)
        spread(race, edition, chariot, route, mind.weights, ends)
        return best_end(race, edition, chariot, mind, speed, condition, fate, attacks, ends[speed])
    spread(race, edition, chariot, route, MINDS[0], ends)
    return best_chance(race, edition, chariot, speed, condition, fate, attacks, ends[speed], chances)


@kernel
def answer_repair(race: RaceRecord, edition: EditionRecord, chariot, answers, chances):
    """A repair or none: the expected values of the turn. The race is left unchanged."""
    add(answers, DO_NO_REPAIR, 0)
    add(answers, DO_REPAIR, 0)
    kind, nobody = race.kind[chariot], silence()
    speed, condition, fate = race.speed[chariot], race.condition[chariot], race.fate[chariot]
    chance, odds, tables = np.empty(SIDES), np.empty(SETS), room_for_dice(edition, kind)
    odds_of_sides(edition, chance)
    odds_of_rolls(chance, odds)
    for i in range(2):
        if i == 1:
            repair(race, edition, chariot, nobody)
        adjust_initial_speed(race, edition, chariot, nobody)
        dice = edition.dice_at[kind, race.speed[chariot]]
        for v in range(VALUATIONS):
            value_dice(race, edition, chariot, v, dice, race.fate[chariot], chance, tables, chances)
            answers.value[i, v] = before_rolling(dice, odds, tables[1][race.fate[chariot]])
        race.speed[chariot], race.condition[chariot], race.fate[chariot] = speed, condition, fate
    answers.fact[1, C_REPAIR] = 1.0
    answers.usual = 1 if answers.value[1, 0] > answers.value[0, 0] else 0


@kernel
def list_dice(race: RaceRecord, free, answers):
    """All sets of dice that may be rolled again, and the turns of a die; equal dice are not told apart."""
    for again in range(1 << race.rolled):
        kept = 0
        for die in range(race.rolled):
            if not again >> die & 1:
                kept = WITH[kept, race.die[die]]
        if dice_beyond(race, kept) == again:
            add(answers, DO_REROLL + again, kept)
    if free:
        return
    i = set_on_table(race)
    for die in range(race.rolled):
        if die == 0 or race.die[die] != race.die[die - 1]:
            for side in range(FORTUNA):
                if side != race.die[die]:
                    add(answers, DO_TURN + die * FORTUNA + side, WITH[WITHOUT[i, race.die[die]], side])


@kernel
def answer_dice(race: RaceRecord, edition: EditionRecord, chariot, free, answers, chances):
    """Which dice to roll again, turn or keep."""
    list_dice(race, free, answers)
    fate, i = race.fate[chariot], set_on_table(race)
    most_fate = fate if free else fate - edition.fortune_cost
    chance, tables = np.empty(SIDES), room_for_dice(edition, race.kind[chariot])
    odds_of_sides(edition, chance)
    for v in range(VALUATIONS):
        worths, weights = value_dice(race, edition, chariot, v, race.rolled, most_fate, chance, tables, chances)
        hope, best = tables[0][most_fate], tables[1][most_fate]
        for k in range(answers.count):
            answers.value[k, v] = hope[answers.kept[k]]
        if not free:
            worth_of_sets(race, edition, chariot, i, i, fate, worths, weights, tables[0][fate])
            answers.value[0, v] = tables[0][fate, i]
        if v == 0:
            pick = DO_REROLL
            if free:
                pick += dice_beyond(race, best_part(hope, best, i))
            else:
                bought, worth = best_purchase(race, i, hope, best)
                if worth > tables[0][fate, i] + WORTH_BUYING:
                    pick = bought
            find_usual(answers, pick)
    for k in range(answers.count):
        kept, action = answers.kept[k], answers.action[k]
        fact = answers.fact[k]
        rolled = race.rolled
        for side in range(SIDES):
            fact[C_KEPT + side] = SHOWING[kept, side] / DICE
            rolled -= SHOWING[kept, side]
        fact[C_ROLLED] = rolled / DICE
        if not free and action != DO_REROLL:
            fact[C_PAID] = edition.fortune_cost / FATE_UNIT


@kernel
def answer_signs(race: RaceRecord, edition: EditionRecord, chariot, answers, chances):
    """How many of the +/- dice to take as plus."""
    changes, sprints = count_side(race, CHANGE), count_side(race, SPRINT)
    condition = race.condition[chariot] - edition.sprint_damage * sprints
    steers, attacks = count_side(race, STEER), count_side(race, ATTACK)
    ends, most = room_for_ends(), WORST
    for plus in range(changes + 1):
        add(answers, DO_SIGNS + plus, 0)
        speed = speed_after(edition, race.kind[chariot], race.speed[chariot], changes, plus, sprints)
        route = reach(speed, speed, 0, steers, speed, ANY_WAY)
        for v in range(VALUATIONS):
            worth, j = value_ends(race, edition, chariot, v, route, condition, attacks, ends, chances)
            answers.value[plus, v] = worth
            if v == BY_CHANCE:
                describe_end(race, edition, chariot, speed, condition, attacks, ends[speed], j, answers.fact[plus])
        if answers.value[plus, 0] > most:
            most, answers.usual = answers.value[plus, 0], plus


@kernel
def answer_way(race: RaceRecord, edition: EditionRecord, chariot, answers, chances):
    """The next step."""
    speed, ends, steers = race.speed[chariot], room_for_ends(), race.steers
    taken, condition, attacks = speed - race.points, race.condition[chariot], race.attacks
    menu = np.empty(ACTIONS, np.int64)
    for i in range(list_options(race, edition, menu)):
        add(answers, menu[i], 0)
        way = menu[i] - DO_STEP
        answers.fact[i, C_STEP] = 0.0 if way == AHEAD else 1.0
        route = reach(speed, speed, taken, steers, speed, 1 << way)
        for v in range(VALUATIONS):
            worth, j = value_ends(race, edition, chariot, v, route, condition, attacks, ends, chances)
            answers.value[i, v] = worth
            if v == BY_CHANCE:
                describe_end(race, edition, chariot, speed, condition, attacks, ends[speed], j, answers.fact[i])
    route = reach(speed, speed, taken, steers, speed, ANY_WAY)
    _, j = value_ends(race, edition, chariot, 0, route, condition, attacks, ends, chances)
    find_usual(answers, DO_STEP + (AHEAD if j == NOTHING else began_with(ends[speed].way[j])))


LESS_USUAL = 1.0
"""Straight spaces by which attacks other than the driver's choice count less, for want of a valuation."""


@kernel
def describe_target(race: RaceRecord, edition: EditionRecord, chariot, target, fact):
    """Write what a javelin at this chariot does."""
    fact[C_JAVELIN] = 1.0
    left = race.condition[target] - edition.javelin_damage
    fact[C_TARGET_LEFT] = max(0, left) / CONDITION_UNIT
    if left <= 0:
        fact[C_WRECKS] = 1.0
    if race.seat[target] == race.seat[chariot]:
        fact[C_OWN_TARGET] = 1.0
    its = still_needs(race, edition, target)
    lead = (still_needs(race, edition, chariot) - its) / ROUNDS_BEHIND_UNIT
    fact[C_TARGET_LEAD] = min(MOST_BEHIND, max(-MOST_BEHIND, lead))
    fact[C_TARGET_AHEAD] = 1.0 if is_ahead(race, edition, target, chariot) else 0.0
    fact[C_TARGET_BEST] = 1.0 if its <= fewest_to_go(race, edition, chariot) else 0.0


@kernel
def describe_caltrop(race: RaceRecord, edition: EditionRecord, chariot, space, fact):
    """Write where a caltrop would lie."""
    unit, nearest = edition.length / LAP_SPACES, NEAR_AHEAD
    fact[C_CALTROP] = 1.0
    fact[C_CALTROP_LANE] = 1.0 if edition.lane[space] == edition.lane[race.space[chariot]] else 0.0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
            gap = way_gained(edition, race.space[rival], space) / unit
            if 0.0 < gap <= NEAR_AHEAD:
                nearest = min(nearest, gap)
                if edition.lane[race.space[rival]] == edition.lane[space]:
                    fact[C_CALTROP_RIVALS] += 1.0 / RIVALS_NEAR_UNIT
    fact[C_CALTROP_AHEAD] = nearest / NEAR_AHEAD


@kernel
def chance_after(race: RaceRecord, edition: EditionRecord, chariot, action, chances):
    """The chance to win after an attack. The race is left unchanged."""
    target = NOTHING
    if DO_JAVELIN <= action < DO_CALTROP:
        target = chariot_in(race, action - DO_JAVELIN)
        condition = race.condition[target]
        race.condition[target] = max(0, condition - edition.javelin_damage)
        race.wrecked[target] = 1 if race.condition[target] == 0 else 0
    begin_chances(race, edition, chariot, chances)
    space, left, fate = race.space[chariot], race.condition[chariot], race.fate[chariot]
    chance = chance_at(race, edition, chariot, space, race.speed[chariot], left, fate, chances)
    if target != NOTHING:
        race.condition[target], race.wrecked[target] = condition, 0
    if action >= DO_CALTROP:
        chance += ATTACKS[W_CALTROP]
    return chance


@kernel
def answer_attack(race: RaceRecord, edition: EditionRecord, chariot, answers, chances):
    """A javelin at a chariot, a caltrop on a space, or nothing."""
    menu, pick = np.empty(ACTIONS, np.int64), choose_attack(race, edition, chariot)
    for i in range(min(MOST_CANDIDATES, list_options(race, edition, menu))):
        action = menu[i]
        add(answers, action, 0)
        worth = 0.0 if action == pick else -LESS_USUAL
        if DO_JAVELIN <= action < DO_CALTROP:
            describe_target(race, edition, chariot, chariot_in(race, action - DO_JAVELIN), answers.fact[i])
            worth -= 10.0 * LESS_USUAL * answers.fact[i, C_OWN_TARGET]
        elif action >= DO_CALTROP:
            describe_caltrop(race, edition, chariot, action - DO_CALTROP, answers.fact[i])
            worth -= LESS_USUAL * (2.0 - answers.fact[i, C_CALTROP_LANE] - answers.fact[i, C_CALTROP_RIVALS])
        else:
            answers.fact[i, C_NO_ATTACK] = 1.0
            worth -= LESS_USUAL
        for v in range(BY_CHANCE):
            answers.value[i, v] = worth
        answers.value[i, BY_CHANCE] = chance_after(race, edition, chariot, action, chances)
    find_usual(answers, pick)


@kernel
def answer_draft(race: RaceRecord, edition: EditionRecord, answers):
    """An individual chariot, or a starting space."""
    menu = np.empty(ACTIONS, np.int64)
    drafts = race.stage == AT_DRAFT
    first = DO_DRAFT if drafts else DO_PLACE
    for i in range(list_options(race, edition, menu)):
        add(answers, menu[i], 0)
        number = menu[i] - first
        fact = answers.fact[i]
        fact[C_PLACE] = number / DICE
        if drafts:
            fact[C_FIGURES] = edition.first_speed[number + 1] / SPEED_UNIT
            fact[C_FIGURES + 1] = edition.first_condition[number + 1] / CONDITION_UNIT
            fact[C_FIGURES + 2] = edition.first_fate[number + 1] / FATE_UNIT
        for v in range(VALUATIONS):
            answers.value[i, v] = 0.0
    find_usual(answers, first + first_free(race, edition, race.stage))


@kernel
def find_answers(race: RaceRecord, edition: EditionRecord, answers, chances):
    """List the answers to the current question, with their values and the features that depend on the question."""
    chariot, stage = race.chariot, race.stage
    answers.count, answers.usual = 0, 0
    answers.fact[:, :] = 0.0
    if race.space[chariot] != NOTHING:
        begin_chances(race, edition, chariot, chances)
    if stage == AT_DRAFT or stage == AT_PLACE:
        answer_draft(race, edition, answers)
    elif stage == AT_REPAIR:
        answer_repair(race, edition, chariot, answers, chances)
    elif stage == AT_REROLL:
        answer_dice(race, edition, chariot, True, answers, chances)
    elif stage == AT_FORTUNE:
        answer_dice(race, edition, chariot, False, answers, chances)
    elif stage == AT_SIGNS:
        answer_signs(race, edition, chariot, answers, chances)
    elif stage == AT_PATH:
        answer_way(race, edition, chariot, answers, chances)
    else:
        assert stage == AT_ATTACK
        answer_attack(race, edition, chariot, answers, chances)
