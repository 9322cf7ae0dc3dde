"""Drivers of Charioteer: policies that run inside the kernel.

A driver looks only at what its seat may know. It writes a plan, the next steps of its seat's choice, and says how
many they are; it may be called in the middle of a choice and then keeps to what has been chosen.
"""

from __future__ import annotations

import numpy as np

from spina.games.charioteer.choosing import (
    crowd_shows,
    feasible,
    take_step,
)
from spina.games.charioteer.moving import (
    attack_cubes,
    count_icon,
    cubes_recovered,
    finish,
    is_shielded,
    leads,
    learning_steps,
    matching_symbols,
    move_colour,
    next_stop,
    recoveries,
    skill_bonus,
    token_bonus,
)
from spina.games.charioteer.rules import random_step
from spina.games.charioteer.state import (
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
    RESET,
    SHIELD,
    SYMBOLS,
    WHIP,
    WILD,
)
from spina.kernel import table
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compile import entry, kernel

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
    W_CORNER,  # a space of corner ahead, when the black marker is strong
) = range(18)

WEIGHTS = np.array([9.0, 1.2, 1.5, 0.4, 3.0, 2.5, 1.5, 1.8, 0.3, 2.5, 1.0, 1.5, 0.5, 1.5, 1.5, 1.5, 0.3, 0.0])


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
def damage_after_recovery(race, edition, seat):
    """Cubes left in the damage box when the move is counted."""
    times = recoveries(race, edition, seat)
    return race.damage[seat] - cubes_recovered(race.damage[seat], times)


@kernel
def points_of(race, edition, seat):
    """What the choice that is being considered comes to."""
    points = edition.symbol_number[race.symbol[seat]] + matching_symbols(race, edition, seat)
    points += token_bonus(race, edition, seat)
    points += skill_bonus(race, edition, seat, move_colour(race, edition, seat))
    return max(0, points - damage_after_recovery(race, edition, seat))


@kernel
def distance_of(race, edition, seat):
    """How far the considered choice carries the chariot."""
    if race.symbol[seat] == RESET:
        return 0
    cornering = move_colour(race, edition, seat) == BLACK
    return spaces_gained(race, edition, seat, points_of(race, edition, seat), cornering)


@kernel
def worth_of_learning(race, edition, seat, left, weights):
    """What the steps on the skills track are worth for the rest of the race."""
    colour = move_colour(race, edition, seat)
    place = race.skill[seat, colour]
    total = 0.0
    for _ in range(learning_steps(race, edition, seat)):
        if place >= edition.skill_spaces:
            break
        then = place + 1
        if then == edition.skill_spaces:
            for other in range(COLOURS):
                if race.skill[seat, other] >= edition.skill_spaces:
                    then += 1
        gain = edition.skill_bonus[then] - edition.skill_bonus[place]
        total += gain * left * weights[W_USE]
        if then < edition.skill_spaces:
            length = edition.laps * edition.spaces / weights[W_PACE]
            total += weights[W_STEP] * left / length * (1.0 + weights[W_FOCUS] * place / edition.skill_spaces)
        place = then
    return total


@kernel
def price_of_token(race, edition, seat, weights):
    """What the token on the considered move would be worth later."""
    token = race.token[seat]
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
def promise_of_hand(race, edition, seat, kept):
    """The best move that the kept cards and the next crowd card promise."""
    best = 0
    for symbol in range(SYMBOLS):
        bits = race.matches[seat, symbol] & kept
        if bits:
            coming = edition.shows[race.crowd[1], symbol]
            cards = 1 if coming > 0 else 0
            total = edition.symbol_number[symbol] + coming
            while bits and cards < PLACES + 1:
                total += edition.shows[race.hand[seat, lowest_bit(bits)], symbol]
                bits &= bits - 1
                cards += 1
            if cards >= 2:
                total += skill_bonus(race, edition, seat, edition.symbol_colour[symbol])
                best = max(best, total)
    return best


@kernel
def worth(race, edition, seat, left, weights):
    """The value of the considered choice in spaces."""
    soon = min(1.0, left / 4.0)  # things that pay over the next few turns
    kept = race.held[seat] & ~race.played[seat]
    value = weights[W_HAND] * promise_of_hand(race, edition, seat, kept) * min(1.0, left)
    if race.symbol[seat] == RESET:
        value += (race.damage[seat] * weights[W_HEAL] + race.attack[seat] * weights[W_CUBE]) * soon
        return value
    value += distance_of(race, edition, seat)
    value += worth_of_learning(race, edition, seat, left, weights)
    if matching_symbols(race, edition, seat) >= edition.fan_symbols:
        value += weights[W_FAN] * soon
    value += attack_cubes(race, edition, seat) * weights[W_ATTACK] * soon
    healed = race.damage[seat] - damage_after_recovery(race, edition, seat)
    value += healed * weights[W_HEAL] * soon
    if is_shielded(race, edition, seat):
        value += (race.attack[seat] * weights[W_CUBE] + (race.seats - 1) * weights[W_SHIELD]) * soon
    whips = count_icon(race, edition, seat, WHIP)
    if whips > 0 and race.turn > 1 and not leads(race, seat):
        value += whips * weights[W_WHIP]
    return value - price_of_token(race, edition, seat, weights) * soon


# --- trying choices on ----------------------------------------------------------------------------------------------


@kernel
def try_on(race, seat, token, symbol, crowd, wild, played):
    """Consider a choice: the rules' own functions then answer for it."""
    race.token[seat] = token
    race.symbol[seat] = symbol
    race.with_crowd[seat] = crowd
    race.wild_slot[seat] = wild
    race.played[seat] = played


@kernel
def keeps_to(race, seat, given, token, symbol, crowd, wild, played):
    """Whether a choice agrees with the steps that have been taken already."""
    stage = given[0]
    if stage > AT_TOKEN and token != given[1]:
        return False
    if stage > AT_SYMBOL and symbol != given[2]:
        return False
    if stage > AT_CROWD and crowd != given[3]:
        return False
    if stage > AT_WILD and wild != given[4]:
        return False
    if stage > AT_CARDS and played != given[5]:
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
def measure(race, edition, seat, longest, left, weights):
    """The value of the considered choice: by distance alone, or all in all."""
    if longest:
        return 1.0 * distance_of(race, edition, seat)
    return worth(race, edition, seat, left, weights)


@kernel
def offer(race, edition, seat, longest, left, weights, given, best, value, token, symbol, crowd, wild, played):
    """Keep the choice if it is allowed by what was chosen before and better than the best so far."""
    if not keeps_to(race, seat, given, token, symbol, crowd, wild, played):
        return value
    try_on(race, seat, token, symbol, crowd, wild, played)
    found = measure(race, edition, seat, longest, left, weights)
    if found > value:
        best[0] = token
        best[1] = symbol
        best[2] = crowd
        best[3] = wild
        best[4] = played
        return found
    return value


@kernel
def can_take_crowd(race, edition, symbol):
    """Whether the crowd card may join a move of this symbol."""
    return edition.symbols_on[race.crowd[0]] == 0 or crowd_shows(race, edition, symbol)


@kernel
def search_cards(race, edition, seat, longest, left, weights, given, best, value, token, symbol):
    """Every set of hand cards for this symbol and token, with the crowd card wherever it may join."""
    matches = race.matches[seat, symbol]
    usable = matches | race.bare[seat]
    joins = can_take_crowd(race, edition, symbol)
    counts = 1 if crowd_shows(race, edition, symbol) else 0
    for first in range(HAND):
        if not usable >> first & 1:
            continue
        for second in range(first, HAND):
            if not usable >> second & 1:
                continue
            for third in range(second, HAND):
                if not usable >> third & 1 or (second == first and third != second):
                    continue
                played = 1 << first | 1 << second | 1 << third
                showing = count_bits(played & matches)
                if joins and showing + counts >= 2:
                    value = offer(
                        race, edition, seat, longest, left, weights, given, best, value,
                        token, symbol, 1, NOTHING, played,
                    )  # fmt: skip
                if showing >= 2 and (not joins or given[0] > AT_CROWD):
                    value = offer(
                        race, edition, seat, longest, left, weights, given, best, value,
                        token, symbol, 0, NOTHING, played,
                    )  # fmt: skip
    return value


@kernel
def search_wild(race, edition, seat, longest, left, weights, given, best, value, token, symbol):
    """A wild on each possible card, with the cards that show most of the symbol beside it."""
    matches = race.matches[seat, symbol]
    joins = can_take_crowd(race, edition, symbol)
    counts = 1 if crowd_shows(race, edition, symbol) else 0
    for changed in range(HAND):
        if not race.held[seat] >> changed & 1:
            continue
        others = matches & ~(1 << changed)
        for first in range(HAND):
            for second in range(first, HAND):
                played = (1 << first | 1 << second) & others
                showing = 1 + count_bits(played)
                played |= 1 << changed
                for crowd in range(2):
                    if showing + counts * crowd >= 2 and (joins or not crowd):
                        value = offer(
                            race, edition, seat, longest, left, weights, given, best, value,
                            token, symbol, crowd, changed, played,
                        )  # fmt: skip
                if not others:
                    break
            if not others:
                break
    return value


@kernel
def search_resets(race, edition, seat, longest, left, weights, given, best, value):
    """Resets: which cards go is of little weight, so three are given up that match least."""
    if given[0] > AT_SYMBOL and given[2] != RESET:
        return value
    played = given[5]
    open_slots = race.held[seat] & ~played
    for slot in range(HAND):
        if open_slots >> slot & 1 and count_bits(played) < PLACES and (1 << slot) > played:
            if partners(race, edition, seat, slot) == 0 or played == 0:
                played |= 1 << slot
    return offer(race, edition, seat, longest, left, weights, given, best, value, NOTHING, RESET, 0, NOTHING, played)


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
def token_suits(race, edition, seat, token, symbol):
    """Whether the token may go on a move of this symbol."""
    if token == NOTHING:
        return feasible(race, edition, seat, symbol, False)
    colour = edition.kind_colour[token]
    if colour != ANY_COLOUR and colour != edition.symbol_colour[symbol]:
        return False
    return feasible(race, edition, seat, symbol, edition.kind_icon[token] == WILD)


@kernel
def search(race, edition, seat, longest, weights, given, best):
    """The best choice that keeps to what is given."""
    left = turns_left(race, edition, weights)
    value = search_resets(race, edition, seat, longest, left, weights, given, best, -1.0)
    for token in range(-1, edition.kinds):
        if token != NOTHING:
            if race.tokens[seat, token] == 0 or edition.kind_icon[token] == DISCARD:
                continue
        if given[0] > AT_TOKEN and token != given[1]:
            continue
        for symbol in range(SYMBOLS):
            if given[0] > AT_SYMBOL and symbol != given[2]:
                continue
            if not token_suits(race, edition, seat, token, symbol):
                continue
            if token != NOTHING and edition.kind_icon[token] == WILD:
                value = search_wild(race, edition, seat, longest, left, weights, given, best, value, token, symbol)
            else:
                value = search_cards(race, edition, seat, longest, left, weights, given, best, value, token, symbol)
    return value


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


@entry(table.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    """Any possible step."""
    race = race_bytes.view(RACE)[0]
    plan[0] = random_step(race, seat, dice)
    return 1


@entry(table.DRIVER)
def drive_longest(race_bytes, edition_bytes, seat, dice, plan):
    """The designer's dummy: always the move that goes furthest, with whatever token helps it."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    return plan_choice(race, edition, seat, True, WEIGHTS, plan)


@entry(table.DRIVER)
def drive_competently(race_bytes, edition_bytes, seat, dice, plan):
    """Weighs distance, skill, damage, attacks, fan tokens, corners and the cards it keeps."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    return plan_choice(race, edition, seat, False, WEIGHTS, plan)


DRIVERS = {"random": drive_randomly, "longest": drive_longest, "competent": drive_competently}
