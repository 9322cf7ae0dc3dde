"""Candidates: the answers that learned policies and the search compare, and the features that describe them.

Each answer is valued exactly, as the drivers do it, by several valuations at once: by that of the driver `keen`, and
by three that fear a wreck more, fear it less, or would rather harm the rivals. A policy learns which to trust when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots.dice_sets import SETS, SHOWING, WITH, WITHOUT, before_rolling, chances, odds_of_rolls
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
    best_end,
    exposure,
    has_target,
    hunters,
    races_against,
    rival_at_home,
    rivals_behind,
    room_for_dice,
    rounds_alone,
    solution_on,
    survey,
    way_gained,
    worth_of_place,
    worth_of_sets,
)
from spina.games.chariot_race.bots.features import (
    ALL,
    CONDITION_UNIT,
    FATE_UNIT,
    MOST_BEHIND,
    RIVAL,
    RIVALS_NEAR_UNIT,
    ROUNDS_BEHIND_UNIT,
    ROUNDS_UNIT,
    SPACES_BACK_UNIT,
    SPEED_UNIT,
    bend_ahead,
    measure,
    still_needs,
    tell_of_chariot,
    tell_of_rivals,
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
from spina.games.chariot_race.rules.dice_roll import adjust_initial_speed, count_side, repair, speed_after
from spina.games.chariot_race.rules.legal_actions import list_options
from spina.games.chariot_race.rules.movement import chariot_in, distance, is_ahead, resting_place
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
    EDITION,
    FORTUNA,
    NOTHING,
    RACE,
    SIDES,
    SPRINT,
    STEER,
)
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.narration import silence
from spina.kernel.policy_network import MOST_CANDIDATES, PolicySize
from spina.kernel.record import fields, record

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

LISTED = 12
"""Most answers that are candidates: those that come closest to the best by any valuation."""
STAGES = AT_ATTACK + 1

# --- valuations -----------------------------------------------------------------------------------------------------

SAFER = {W_CONDITION: 2.5, W_WRECK: 1.8, W_STAKE: 1.8, W_FATE: 3.0}
BOLDER = {W_CONDITION: 0.2, W_WRECK: 0.35, W_STAKE: 0.35, W_FATE: 0.2, W_DISTANCE: 2.0}
HARMFUL = {W_JAVELIN: 4.0, W_CALTROP: 20.0, W_RAM: 10.0, W_EXPOSED: 3.0, W_HUNTED: 6.0, W_CHASED: 2.5}
VARIATIONS: tuple[dict[int, float], ...] = ({}, SAFER, BOLDER, HARMFUL)
"""By what the weights of each valuation differ from those of the driver `keen`, which comes first."""
VALUATIONS = len(VARIATIONS)


def _varied(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of all valuations."""
    factors = [[varied.get(weight, 1.0) for weight in range(WEIGHTS)] for varied in VARIATIONS]
    return weights * np.array(factors)


MINDS, MINDS_ELSEWHERE = _varied(KEEN), _varied(ELSEWHERE)
"""The weights by valuation: on the reference course, and on others."""
VALUE_UNIT, FARTHEST = 4.0, 4.0
"""Straight spaces that count as one in the features of values, and the most that a value may lie below the best."""

# --- features of the situation --------------------------------------------------------------------------------------

OWN = ALL
"""After the features of `measure`: those of the chariot whose turn it is."""
(
    S_STAGE,  # one of STAGES
    S_SEATS,
    S_PAIRS,
    S_ALIVE,  # rivals on the track
    S_LAST,  # a rival has finished
    S_DISTANCE_HOME,  # how far beyond the line, if so
    S_RIVAL,  # as in `measure`, of this chariot against the foremost rivals
    S_SIDES,  # dice that show each side
    S_ROLLED,
    S_POINTS,
    S_STEERS,
    S_ATTACKS,
    S_PURCHASES,  # that the fate pays for
    S_NEAR_AHEAD,  # rivals close ahead, in the reach of a move
    S_SOLVED,  # the course is the one with the solution
    SITUATION,
) = (OWN + i for i in (8, 16, 17, 18, 19, 20, 21, 30, 35, 36, 37, 38, 39, 40, 41, 42))
NEAR_AHEAD = 10.0
"""Straight spaces."""

# --- features of a candidate ----------------------------------------------------------------------------------------

(
    C_WORTH,  # its value against that of the driver's choice, by the valuation of the driver
    C_OTHER_WORTHS,  # its value against the best by each other valuation
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
) = (0, 1, 4, 5, 6, *range(11, 41), 43)
SIZE = PolicySize(SITUATION, CANDIDATE)

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
def describe_end(race: RaceRecord, edition: EditionRecord, chariot, mind, speed, condition, attacks, ends, j, fact):
    """Write what an answer leads to: end j of the ways at this speed."""
    fact[C_SPEED] = speed / SPEED_UNIT
    if j == NOTHING or condition <= damage_of(ends.way[j]):
        fact[C_LOST] = 1.0
        return
    left, fate = condition - damage_of(ends.way[j]), race.fate[chariot]
    rest = resting_place(race, edition, chariot, space_of(ends.way[j]))
    home = rival_at_home(race, edition, chariot)
    _, lap = worth_of_place(race, edition, chariot, rest, home, mind.weights)
    unit = edition.length / LAP_SPACES
    fact[C_LEFT] = left / CONDITION_UNIT
    fact[C_RAMS] = min(3.0, ends.gain[j] / max(1e-9, mind.weights[W_RAM])) / RIVALS_NEAR_UNIT
    if attacks > 0 and has_target(race, edition, chariot, rest):
        fact[C_AIMED] = attacks / RIVALS_NEAR_UNIT
    fact[C_EXPOSED] = exposure(race, edition, chariot, rest) / RIVALS_NEAR_UNIT
    fact[C_HUNTED] = hunters(race, edition, chariot, rest) / RIVALS_NEAR_UNIT
    come = lap * edition.length + edition.front[rest]
    fact[C_CHASED] = rivals_behind(race, edition, chariot, come) / RIVALS_NEAR_UNIT
    if lap >= edition.laps:
        fact[C_HOME], fact[C_BEYOND] = 1.0, edition.front[rest] / unit / SPACES_BACK_UNIT
    elif edition.plain_key == KNOWN:
        rounds = rounds_alone(edition, mind.alone, lap, rest, speed, left, fate)
        fact[C_ROUNDS] = rounds / ROUNDS_UNIT
    lead = (fewest_to_go(race, edition, chariot) - ROUNDS_UNIT * fact[C_ROUNDS]) / ROUNDS_BEHIND_UNIT
    fact[C_LEAD] = min(MOST_BEHIND, max(-MOST_BEHIND, lead))
    fact[C_BEND] = bend_ahead(edition, rest, speed)


# --- answers by question --------------------------------------------------------------------------------------------


@kernel
def answer_repair(race: RaceRecord, edition: EditionRecord, chariot, answers):
    """A repair or none: the expected values of the turn. The race is left unchanged."""
    add(answers, DO_NO_REPAIR, 0)
    add(answers, DO_REPAIR, 0)
    kind, nobody = race.kind[chariot], silence()
    speed, condition, fate = race.speed[chariot], race.condition[chariot], race.fate[chariot]
    chance, odds, tables = np.empty(SIDES), np.empty(SETS), room_for_dice(edition, kind)
    chances(edition, chance)
    odds_of_rolls(chance, odds)
    for i in range(2):
        if i == 1:
            repair(race, edition, chariot, nobody)
        adjust_initial_speed(race, edition, chariot, nobody)
        dice = edition.dice_at[kind, race.speed[chariot]]
        for v in range(VALUATIONS):
            mind = mind_of(race, edition, v)
            surveyed = survey(race, edition, chariot, dice, mind.weights)
            appraise(race, edition, chariot, mind, dice, surveyed, race.fate[chariot], chance, tables)
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
def answer_dice(race: RaceRecord, edition: EditionRecord, chariot, free, answers):
    """Which dice to roll again, turn or keep."""
    list_dice(race, free, answers)
    fate, i = race.fate[chariot], set_on_table(race)
    most_fate = fate if free else fate - edition.fortune_cost
    chance, tables = np.empty(SIDES), room_for_dice(edition, race.kind[chariot])
    chances(edition, chance)
    for v in range(VALUATIONS):
        mind = mind_of(race, edition, v)
        surveyed = survey(race, edition, chariot, race.rolled, mind.weights)
        worths = appraise(race, edition, chariot, mind, race.rolled, surveyed, most_fate, chance, tables)
        hope, best = tables[0][most_fate], tables[1][most_fate]
        for k in range(answers.count):
            answers.value[k, v] = hope[answers.kept[k]]
        if not free:
            worth_of_sets(race, edition, chariot, i, i, fate, worths, mind.weights, tables[0][fate])
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
def answer_signs(race: RaceRecord, edition: EditionRecord, chariot, answers):
    """How many of the +/- dice to take as plus."""
    changes, sprints = count_side(race, CHANGE), count_side(race, SPRINT)
    condition = race.condition[chariot] - edition.sprint_damage * sprints
    steers, attacks = count_side(race, STEER), count_side(race, ATTACK)
    ends, most = room_for_ends(), WORST
    for plus in range(changes + 1):
        add(answers, DO_SIGNS + plus, 0)
        speed = speed_after(edition, race.kind[chariot], race.speed[chariot], changes, plus, sprints)
        for v in range(VALUATIONS):
            mind = mind_of(race, edition, v)
            spread(race, edition, chariot, reach(speed, speed, 0, steers, speed, ANY_WAY), mind.weights, ends)
            worth, j = best_end(
                race, edition, chariot, mind, speed, condition, race.fate[chariot], attacks, ends[speed]
            )
            answers.value[plus, v] = worth
            if v == 0:
                describe_end(
                    race, edition, chariot, mind, speed, condition, attacks, ends[speed], j, answers.fact[plus]
                )
                if worth > most:
                    most, answers.usual = worth, plus


@kernel
def answer_way(race: RaceRecord, edition: EditionRecord, chariot, answers):
    """The next step."""
    speed, ends, fate = race.speed[chariot], room_for_ends(), race.fate[chariot]
    taken, condition, attacks = speed - race.points, race.condition[chariot], race.attacks
    menu = np.empty(ACTIONS, np.int64)
    for i in range(list_options(race, edition, menu)):
        add(answers, menu[i], 0)
        way = menu[i] - DO_STEP
        answers.fact[i, C_STEP] = 0.0 if way == AHEAD else 1.0
        for v in range(VALUATIONS):
            mind = mind_of(race, edition, v)
            spread(race, edition, chariot, reach(speed, speed, taken, race.steers, speed, 1 << way), mind.weights, ends)
            answers.value[i, v], j = best_end(
                race, edition, chariot, mind, speed, condition, fate, attacks, ends[speed]
            )
            if v == 0:
                describe_end(race, edition, chariot, mind, speed, condition, attacks, ends[speed], j, answers.fact[i])
    mind = mind_of(race, edition, 0)
    spread(race, edition, chariot, reach(speed, speed, taken, race.steers, speed, ANY_WAY), mind.weights, ends)
    _, j = best_end(race, edition, chariot, mind, speed, condition, fate, attacks, ends[speed])
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
def answer_attack(race: RaceRecord, edition: EditionRecord, chariot, answers):
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
        for v in range(VALUATIONS):
            answers.value[i, v] = worth
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
def find_answers(race: RaceRecord, edition: EditionRecord, answers):
    """List the answers to the current question, with their values and the features that depend on the question."""
    chariot, stage = race.chariot, race.stage
    answers.count, answers.usual = 0, 0
    answers.fact[:, :] = 0.0
    if stage == AT_DRAFT or stage == AT_PLACE:
        answer_draft(race, edition, answers)
    elif stage == AT_REPAIR:
        answer_repair(race, edition, chariot, answers)
    elif stage == AT_REROLL:
        answer_dice(race, edition, chariot, True, answers)
    elif stage == AT_FORTUNE:
        answer_dice(race, edition, chariot, False, answers)
    elif stage == AT_SIGNS:
        answer_signs(race, edition, chariot, answers)
    elif stage == AT_PATH:
        answer_way(race, edition, chariot, answers)
    else:
        assert stage == AT_ATTACK
        answer_attack(race, edition, chariot, answers)


# --- from answers to candidates -------------------------------------------------------------------------------------


@kernel
def compare_answers(answers):
    """Write the values as features, each against the best by its valuation; the driver's choice is its best."""
    usual = answers.usual
    for v in range(VALUATIONS):
        highest = answers.value[usual, v]
        if v > 0:
            for k in range(answers.count):
                highest = max(highest, answers.value[k, v])
        for k in range(answers.count):
            below = (answers.value[k, v] - highest) / VALUE_UNIT
            answers.fact[k, C_WORTH + v] = max(-FARTHEST, min(0.0, below))
    answers.fact[usual, C_USUAL] = 1.0


@kernel
def closeness(fact):
    """How close an answer comes to the best by the valuation that likes it most."""
    closest = fact[C_WORTH]
    for v in range(1, VALUATIONS):
        closest = max(closest, fact[C_WORTH + v])
    return closest + 0.01 * fact[C_WORTH]


@kernel
def choose_candidates(answers):
    """Write the numbers of the candidates to `order`, the driver's choice first; returns how many there are."""
    order, used = answers.order, 1
    order[0] = answers.usual
    for k in range(answers.count):
        if k == answers.usual:
            continue
        close, at = closeness(answers.fact[k]), used
        while at > 1 and close > closeness(answers.fact[order[at - 1]]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = k
        used = min(LISTED, used + 1)
    return used


# --- the situation --------------------------------------------------------------------------------------------------


@kernel
def describe_situation(race: RaceRecord, edition: EditionRecord, seat, out):
    """Write the features of the seat's situation. Apart from future dice, nothing is hidden in this game."""
    out[:] = 0.0
    chariot, unit = race.chariot, edition.length / LAP_SPACES
    measure(race, edition, seat, out)
    if race.stage <= AT_ATTACK:
        out[S_STAGE + race.stage] = 1.0
    out[S_SEATS] = race.seats / 6.0
    out[S_PAIRS] = 1.0 if race.chariots > race.seats else 0.0
    out[S_SOLVED] = 1.0 if edition.plain_key == KNOWN else 0.0
    if race.space[chariot] == NOTHING:
        return
    tell_of_chariot(race, edition, chariot, out, OWN)
    told = np.zeros(ALL)
    tell_of_rivals(race, edition, chariot, told)
    for i in range(ALL - RIVAL):
        out[S_RIVAL + i] = told[RIVAL + i]
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
            out[S_ALIVE] += 1.0 / DICE
            gap = (distance(race, edition, rival) - distance(race, edition, chariot)) / unit
            if 0.0 < gap <= NEAR_AHEAD:
                out[S_NEAR_AHEAD] += 1.0 / RIVALS_NEAR_UNIT
    home = rival_at_home(race, edition, chariot)
    if home >= 0:
        out[S_LAST] = 1.0
        out[S_DISTANCE_HOME] = min(2.0, (home - edition.laps * edition.length) / unit / NEAR_AHEAD)
    if race.stage == AT_REROLL or race.stage == AT_FORTUNE or race.stage == AT_SIGNS:
        for side in range(SIDES):
            out[S_SIDES + side] = count_side(race, side) / DICE
        out[S_ROLLED] = race.rolled / DICE
    out[S_POINTS], out[S_STEERS], out[S_ATTACKS] = race.points / SPEED_UNIT, race.steers / DICE, race.attacks / DICE
    out[S_PURCHASES] = (race.fate[chariot] // max(1, edition.fortune_cost)) / RIVALS_NEAR_UNIT


@kernel
def find_candidates(race: RaceRecord, edition: EditionRecord, seat, answers, situation, features):
    """List the candidates and describe them; returns their number, 0 if it is not the seat's turn."""
    if race.over or race.seat[race.chariot] != seat:
        return 0
    find_answers(race, edition, answers)
    compare_answers(answers)
    count = choose_candidates(answers)
    describe_situation(race, edition, seat, situation)
    for k in range(count):
        for i in range(CANDIDATE):
            features[k, i] = answers.fact[answers.order[k], i]
    return count


@kernel
def write_candidates(race: RaceRecord, edition: EditionRecord, seat, memory, plans, lengths, situation, features):
    """`list_candidates` with the memory that it needs."""
    answers = memory[0]
    count = find_candidates(race, edition, seat, answers, situation, features)
    for k in range(count):
        plans[k, 0], lengths[k] = answers.action[answers.order[k]], 1
    return count


@entry(interface.LIST_CANDIDATES)
def list_candidates(race_bytes, edition_bytes, seat, plans, lengths, situation, features):
    """Write the candidates of the seat's answer and their features, and the features of the situation."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return write_candidates(race, edition, seat, np.zeros(1, ANSWERS), plans, lengths, situation, features)
