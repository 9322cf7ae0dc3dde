"""Drivers of Charioteer: policies that run inside the kernel.

A driver looks only at what its seat may know. It writes a plan, the next steps of its seat's choice, and says how
many they are; it may be called in the middle of a choice and then keeps to what has been chosen.
"""

from __future__ import annotations

import numpy as np

from spina.games.charioteer.rules.choice import (
    crowd_shows,
    feasible,
    take_step,
)
from spina.games.charioteer.rules.entries import random_step
from spina.games.charioteer.rules.movement import (
    attack_cubes,
    cubes_recovered,
    finish,
    leads,
    move_colour,
    next_stop,
    skill_bonus,
    tally,
    token_bonus,
)
from spina.games.charioteer.rules.record import (
    ANY_COLOUR,
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    BLACK,
    COLOURS,
    DISCARD,
    DO_CROWD,
    DO_DONE,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_RESET,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    EDITION,
    HAND,
    LEARNING,
    NOTHING,
    PLACES,
    PLUS,
    RACE,
    READY,
    RECOVERY,
    RED,
    RESET,
    SHIELD,
    SYMBOLS,
    WHIP,
    WILD,
)
from spina.kernel import interface
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compiler import entry, kernel

# --- what a competent driver values, in spaces ----------------------------------------------------------------------

(
    W_PACE,  # spaces that a chariot usually makes in a turn, to guess how many turns are left
    W_STEP,  # a step on the skills track, with the whole race ahead
    W_FOCUS,  # how much more a step is worth close to the bonus box
    W_USE,  # share of the turns to come in which a bonus will be used
    W_FAN,  # a fan token
    W_ATTACK,  # a cube for every rival
    W_HEAL,  # a cube less in the own damage box, beyond this move
    W_CUBE,  # a cube less in the own attack boxes
    W_SHIELD,  # being safe from attacks this turn, for each rival
    W_WHIP,  # a whip, when not in the lead
    W_PLUS,  # keeping a +3 or +5 token
    W_WILD,  # keeping a wild token
    W_LEARN,  # keeping a learning token
    W_GUARD,  # keeping a shield token
    W_LASH,  # keeping a whip token
    W_CURE,  # keeping a recovery token
    W_HAND,  # a point of the best move that the kept cards promise
) = range(17)

# Found by evolution: tens of thousands of races between slightly different drivers, with 2, 4 and 6 seats.
WEIGHTS = np.array([8.21, 1.75, 2.39, 0.09, 5.28, 2.6, 3.56, 3.39, 0.37, 3.6, 2.14, 2.58, 0.45, 1.45, 1.91, 1.19, 0.03])


@kernel
def turns_left(race, edition, weights):
    """A guess at how many turns the race will go on after this one."""
    furthest = race.progress[0]
    for seat in range(1, race.seats):
        furthest = max(furthest, race.progress[seat])
    return max(0.0, (finish(edition) - furthest) / weights[W_PACE] - 1.0)


@kernel
def spaces_gained(race, edition, seat, points, cornering):
    """How far so many points carry the chariot where nobody is in its way."""
    progress = race.progress[seat]
    for _ in range(points):
        progress = next_stop(edition, progress, cornering)
    return progress - race.progress[seat]


@kernel
def worth_of_learning(race, edition, seat, colour, steps, left, weights):
    """What the steps on the skills track are worth for the rest of the race."""
    place = race.skill[seat, colour]
    total = 0.0
    for _ in range(steps):
        if place >= edition.skill_spaces:
            break
        then = place + 1
        if then == edition.skill_spaces:
            for other in range(COLOURS):
                if race.skill[seat, other] >= edition.skill_spaces:
                    then += 1
        total += (edition.skill_bonus[then] - edition.skill_bonus[place]) * left * weights[W_USE]
        if then < edition.skill_spaces:
            length = finish(edition) / weights[W_PACE]
            total += weights[W_STEP] * left / length * (1.0 + weights[W_FOCUS] * place / edition.skill_spaces)
        place = then
    return total


@kernel
def price_of_token(edition, token, weights):
    """What a token would be worth later."""
    if token == NOTHING:
        return 0.0
    icon = edition.kind_icon[token]
    if icon == PLUS:
        return weights[W_PLUS]
    if icon == WILD:
        return weights[W_WILD]
    if icon == LEARNING:
        return weights[W_LEARN]
    if icon == SHIELD:
        return weights[W_GUARD]
    if icon == WHIP:
        return weights[W_LASH]
    return weights[W_CURE] if icon == RECOVERY else 0.0


@kernel
def price_of_cards(bits, keep):
    """What the cards in these slots would be worth later."""
    total = 0.0
    while bits:
        total += keep[lowest_bit(bits)]
        bits &= bits - 1
    return total


@kernel
def worth(race, edition, seat, mind, keep, weights):
    """The value of the considered choice in spaces."""
    left, soon = mind[M_LEFT], mind[M_SOON]
    value = -weights[W_HAND] * price_of_cards(race.played[seat], keep)
    if race.symbol[seat] == RESET:
        return value + (race.damage[seat] * weights[W_HEAL] + race.attack[seat] * weights[W_CUBE]) * soon
    symbols, showing, shields, whips, cures, lessons = tally(race, edition, seat)
    colour = move_colour(race, edition, seat)
    healed = cubes_recovered(race.damage[seat], cures)
    points = edition.symbol_number[race.symbol[seat]] + symbols + token_bonus(race, edition, seat)
    points = max(0, points + skill_bonus(race, edition, seat, colour) - race.damage[seat] + healed)
    value += spaces_gained(race, edition, seat, points, colour == BLACK)
    value += worth_of_learning(race, edition, seat, colour, lessons, left, weights)
    if symbols >= edition.fan_symbols:
        value += weights[W_FAN] * soon
    if colour == RED:
        value += attack_cubes(edition, showing) * weights[W_ATTACK] * soon
    value += healed * weights[W_HEAL] * soon
    if shields > 0:
        value += (race.attack[seat] * weights[W_CUBE] + (race.seats - 1) * weights[W_SHIELD]) * soon
    if whips > 0 and mind[M_TRAILS]:
        value += whips * weights[W_WHIP]
    return value - price_of_token(edition, race.token[seat], weights) * soon


@kernel
def distance(race, edition, seat):
    """How far the considered choice carries the chariot where nobody is in its way."""
    if race.symbol[seat] == RESET:
        return 0.0
    symbols, _, _, _, cures, _ = tally(race, edition, seat)
    colour = move_colour(race, edition, seat)
    points = edition.symbol_number[race.symbol[seat]] + symbols + token_bonus(race, edition, seat)
    points += skill_bonus(race, edition, seat, colour)
    points -= race.damage[seat] - cubes_recovered(race.damage[seat], cures)
    return 1.0 * spaces_gained(race, edition, seat, max(0, points), colour == BLACK)


# --- trying choices on ----------------------------------------------------------------------------------------------

M_LEFT, M_SOON, M_TRAILS, M_LONGEST = range(4)
"""What a driver keeps in mind: turns left, how much things that pay soon count, whether it trails, what it is after."""


@kernel
def offer(race, edition, seat, mind, keep, weights, given, best, value, token, symbol, crowd, wild, played):
    """Keep the choice if it is allowed by what was chosen before and better than the best so far."""
    if not keeps_to(given, token, symbol, crowd, wild, played):
        return value
    race.token[seat] = token
    race.symbol[seat] = symbol
    race.with_crowd[seat] = crowd
    race.wild_slot[seat] = wild
    race.played[seat] = played
    if mind[M_LONGEST]:
        found = distance(race, edition, seat)
    else:
        found = worth(race, edition, seat, mind, keep, weights)
    if found > value:
        best[0] = token
        best[1] = symbol
        best[2] = crowd
        best[3] = wild
        best[4] = played
        return found
    return value


@kernel
def keeps_to(given, token, symbol, crowd, wild, played):
    """Whether a choice agrees with the steps that have been taken already."""
    stage = given[0]
    if stage == AT_TOKEN:
        return True
    if token != given[1]:
        return False
    if stage > AT_SYMBOL and symbol != given[2]:
        return False
    if stage > AT_CROWD and crowd != given[3]:
        return False
    if stage > AT_WILD and wild != given[4]:
        return False
    if stage == AT_CARDS:
        before = given[5]
        if played & before != before:
            return False
        if wild != NOTHING:
            before &= ~(1 << wild)
        added = played & ~given[5]
        return added == 0 or before == 0 or added & -added > before
    return True


@kernel
def search_cards(race, edition, seat, mind, keep, weights, given, best, value, token, symbol):
    """Every set of hand cards for this symbol and token, with the crowd card wherever it may join."""
    matches = race.matches[seat, symbol]
    usable = matches | race.bare[seat]
    shown = crowd_shows(race, edition, symbol)
    crowd = 1 if shown or edition.symbols_on[race.crowd[0]] == 0 else 0
    if given[0] > AT_CROWD:
        crowd = given[3]
    needed = 1 if shown and crowd else 2
    one = usable
    while one:
        first = one & -one
        one &= ~first
        if count_bits(first & matches) >= needed:
            value = offer(
                race, edition, seat, mind, keep, weights, given, best, value, token, symbol, crowd, NOTHING, first
            )
        two = one
        while two:
            second = two & -two | first
            two &= ~second
            if count_bits(second & matches) >= needed:
                value = offer(
                    race, edition, seat, mind, keep, weights, given, best, value, token, symbol, crowd, NOTHING, second
                )
            three = two
            while three:
                third = three & -three | second
                three &= ~third
                if count_bits(third & matches) >= needed:
                    value = offer(
                        race, edition, seat, mind, keep, weights, given, best, value,
                        token, symbol, crowd, NOTHING, third,
                    )  # fmt: skip
    return value


@kernel
def search_wild(race, edition, seat, mind, keep, weights, given, best, value, token, symbol):
    """A wild on the card that is missed least, beside the cards that show most of the symbol."""
    changed = given[4]
    if given[0] <= AT_WILD:
        changed = least_missed(race, seat, keep, race.held[seat] & ~race.matches[seat, symbol])
        if changed == NOTHING:
            changed = least_missed(race, seat, keep, race.held[seat])
    shown = crowd_shows(race, edition, symbol)
    crowd = 1 if shown or edition.symbols_on[race.crowd[0]] == 0 else 0
    if given[0] > AT_CROWD:
        crowd = given[3]
    others = race.matches[seat, symbol] & ~(1 << changed)
    played = 1 << changed
    for wanted in range(2, 0, -1):
        for slot in range(HAND):
            if others >> slot & 1 and count_bits(played) < PLACES and not played >> slot & 1:
                if edition.shows[race.hand[seat, slot], symbol] >= wanted:
                    played |= 1 << slot
    if count_bits(played) >= 2 or (shown and crowd):
        value = offer(
            race, edition, seat, mind, keep, weights, given, best, value, token, symbol, crowd, changed, played
        )
    return value


@kernel
def least_missed(race, seat, keep, slots):
    """The slot whose card promises least, or NOTHING."""
    picked = NOTHING
    for slot in range(HAND):
        if slots >> slot & 1 and (picked == NOTHING or keep[slot] < keep[picked]):
            picked = slot
    return picked


@kernel
def search_resets(race, edition, seat, mind, keep, weights, given, best, value):
    """Resets give up the cards that are missed least."""
    if given[1] != NOTHING or (given[0] > AT_SYMBOL and given[2] != RESET):
        return value
    played = given[5]
    if played == 0:
        for _ in range(PLACES):
            slot = least_missed(race, seat, keep, race.held[seat] & ~played)
            if slot != NOTHING and (played == 0 or keep[slot] <= 0.0):
                played |= 1 << slot
    return offer(race, edition, seat, mind, keep, weights, given, best, value, NOTHING, RESET, 0, NOTHING, played)


@kernel
def partners(race, edition, seat, slot):
    """How many other cards, in the hand and coming up on the crowd track, go with this one."""
    total = 0
    symbols = edition.symbols_on[race.hand[seat, slot]]
    if symbols == 0:
        return 3  # a whip goes with everything
    while symbols:
        symbol = lowest_bit(symbols)
        symbols &= symbols - 1
        total += count_bits(race.matches[seat, symbol] & ~race.played[seat]) - 1
        if edition.shows[race.crowd[1], symbol] or edition.shows[race.crowd[2], symbol]:
            total += 1
    return total


@kernel
def appraise_cards(race, edition, seat, keep):
    """What each card of the hand promises for later turns: partners weighed by how many symbols it brings."""
    for slot in range(HAND):
        keep[slot] = 0.0
        if not race.held[seat] >> slot & 1:
            continue
        card = race.hand[seat, slot]
        symbols = edition.symbols_on[card]
        if symbols == 0:
            keep[slot] = 2.0
        while symbols:
            symbol = lowest_bit(symbols)
            symbols &= symbols - 1
            together = count_bits(race.matches[seat, symbol]) - 1
            if edition.shows[race.crowd[1], symbol]:
                together += 1
            keep[slot] += 0.5 * together * edition.shows[card, symbol]


@kernel
def suits(race, edition, token, symbol):
    """Whether the token's colour goes with the symbol."""
    colour = edition.kind_colour[token]
    return colour == ANY_COLOUR or colour == edition.symbol_colour[symbol]


@kernel
def search(race, edition, seat, longest, weights, given, best):
    """The best choice that keeps to what is given.

    Without a token first; then each token with the best cards of each symbol that it goes with.
    """
    mind = np.zeros(4)
    keep = np.zeros(HAND)
    mind[M_LEFT] = turns_left(race, edition, weights)
    mind[M_SOON] = min(1.0, mind[M_LEFT] / 4.0)
    mind[M_TRAILS] = 1.0 if race.turn > 1 and not leads(race, seat) else 0.0
    mind[M_LONGEST] = 1.0 if longest else 0.0
    appraise_cards(race, edition, seat, keep)
    value = search_resets(race, edition, seat, mind, keep, weights, given, best, -1e9)
    sets = np.zeros(5, np.int64)
    for symbol in range(SYMBOLS):
        if given[0] > AT_SYMBOL and symbol != given[2]:
            continue
        wilds = given[0] == AT_TOKEN or plays_wild_already(edition, given)
        if wilds:
            for token in range(edition.kinds):
                if race.tokens[seat, token] > 0 and edition.kind_icon[token] == WILD:
                    if suits(race, edition, token, symbol) and feasible(race, edition, seat, symbol, True):
                        value = search_wild(race, edition, seat, mind, keep, weights, given, best, value, token, symbol)
        if plays_wild_already(edition, given) or not feasible(race, edition, seat, symbol, False):
            continue
        first = NOTHING if given[0] == AT_TOKEN else given[1]
        if first != NOTHING and not suits(race, edition, first, symbol):
            continue
        found = search_cards(race, edition, seat, mind, keep, weights, given, sets, -1e9, first, symbol)
        if found > value:
            value = found
            best[:] = sets
        if given[0] == AT_TOKEN and found > -1e8:
            crowd, played = sets[2], sets[4]
            for token in range(edition.kinds):
                if race.tokens[seat, token] > 0 and suits(race, edition, token, symbol):
                    if edition.kind_icon[token] != WILD and edition.kind_icon[token] != DISCARD:
                        value = offer(
                            race, edition, seat, mind, keep, weights, given, best, value,
                            token, symbol, crowd, NOTHING, played,
                        )  # fmt: skip
    return value


@kernel
def plays_wild_already(edition, given):
    """Whether the choice has a wild token in it."""
    return given[0] > AT_TOKEN and given[1] != NOTHING and edition.kind_icon[given[1]] == WILD


# --- from a choice to steps -----------------------------------------------------------------------------------------


@kernel
def note_given(race, seat, given):
    """What the seat has chosen already."""
    given[0] = race.stage[seat]
    given[1] = race.token[seat]
    given[2] = race.symbol[seat]
    given[3] = race.with_crowd[seat]
    given[4] = race.wild_slot[seat]
    given[5] = race.played[seat]
    given[6] = race.discard_token[seat]
    given[7] = race.discarded[seat]
    given[8] = race.options[seat]


@kernel
def restore_given(race, seat, given):
    """Back to what the seat has chosen already."""
    race.stage[seat] = given[0]
    race.token[seat] = given[1]
    race.symbol[seat] = given[2]
    race.with_crowd[seat] = given[3]
    race.wild_slot[seat] = given[4]
    race.played[seat] = given[5]
    race.discard_token[seat] = given[6]
    race.discarded[seat] = given[7]
    race.options[seat] = given[8]


@kernel
def lowest_new(wanted, taken):
    """The step that adds the next slot, or says that there is none."""
    rest = wanted & ~taken
    if rest:
        return DO_SLOT + lowest_bit(rest)
    return DO_DONE


@kernel
def best_discards(race, edition, seat, most):
    """Up to `most` cards that go with nothing."""
    chosen = 0
    for enough in range(2):
        for slot in range(HAND):
            if (race.held[seat] & ~race.played[seat]) >> slot & 1 and not chosen >> slot & 1:
                if count_bits(chosen) < most and partners(race, edition, seat, slot) <= enough:
                    chosen |= 1 << slot
    return chosen


@kernel
def pick_discard_token(race, edition, seat):
    """The largest discard token, if there are cards enough that are worth nothing."""
    picked = NOTHING
    for kind in range(edition.kinds):
        if race.tokens[seat, kind] > 0 and edition.kind_icon[kind] == DISCARD:
            if picked == NOTHING or edition.kind_value[kind] > edition.kind_value[picked]:
                picked = kind
    if picked != NOTHING:
        size = edition.kind_value[picked]
        if count_bits(best_discards(race, edition, seat, size)) < size:
            return NOTHING
    return picked


@kernel
def next_step(race, edition, seat, best, discards):
    """The step at the seat's stage that leads towards the choice."""
    stage = race.stage[seat]
    if stage == AT_TOKEN:
        return DO_NO_TOKEN if best[0] == NOTHING else DO_TOKEN + best[0]
    if stage == AT_SYMBOL:
        return DO_RESET if best[1] == RESET else DO_SYMBOL + best[1]
    if stage == AT_CROWD:
        return DO_CROWD if best[2] else DO_NO_CROWD
    if stage == AT_WILD:
        return DO_SLOT + best[3]
    if stage == AT_CARDS:
        return lowest_new(best[4], race.played[seat])
    if stage == AT_DISCARD_TOKEN:
        token = pick_discard_token(race, edition, seat) if discards else NOTHING
        return DO_NO_TOKEN if token == NOTHING else DO_TOKEN + token
    wanted = best_discards(race, edition, seat, edition.kind_value[race.discard_token[seat]])
    step = lowest_new(wanted & ~(race.discarded[seat] | (race.discarded[seat] - 1)), 0)
    if step == DO_DONE and race.discarded[seat] == 0:
        step = DO_SLOT + lowest_bit(race.held[seat] & ~race.played[seat])
    return step


@kernel
def plan_choice(race, edition, seat, longest, weights, plan):
    """Find the best choice and write down its steps; the race is left as it was."""
    given = np.zeros(9, np.int64)
    best = np.zeros(5, np.int64)
    note_given(race, seat, given)
    best[0], best[1], best[2], best[3], best[4] = given[1], given[2], given[3], given[4], given[5]
    if given[0] <= AT_CARDS:
        search(race, edition, seat, longest, weights, given, best)
    restore_given(race, seat, given)
    steps = 0
    while race.stage[seat] != READY and steps < len(plan):
        step = next_step(race, edition, seat, best, not longest)
        if not race.options[seat] >> step & 1:
            step = lowest_bit(race.options[seat])  # no choice of ours fits what was given: any will do
        plan[steps] = step
        steps += 1
        take_step(race, edition, seat, step)
    restore_given(race, seat, given)
    return steps


# --- the drivers ----------------------------------------------------------------------------------------------------


@entry(interface.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    """Any possible step."""
    race = race_bytes.view(RACE)[0]
    plan[0] = random_step(race, seat, dice)
    return 1


@entry(interface.DRIVER)
def drive_longest(race_bytes, edition_bytes, seat, dice, plan):
    """The designer's dummy: always the move that goes furthest, with whatever token helps it."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    return plan_choice(race, edition, seat, 1, WEIGHTS, plan)


@entry(interface.DRIVER)
def drive_competently(race_bytes, edition_bytes, seat, dice, plan):
    """Weighs distance, skill, damage, attacks, fan tokens, corners and the cards it keeps."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    return plan_choice(race, edition, seat, 0, WEIGHTS, plan)


DRIVERS = {"random": drive_randomly, "longest": drive_longest, "competent": drive_competently}
