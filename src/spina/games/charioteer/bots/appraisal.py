"""What the competent driver values: the worth of a choice, in spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.rules.movement import (
    attack_cubes,
    cubes_recovered,
    evenly,
    finish,
    leads,
    move_colour,
    move_length,
    next_stop,
    place_after,
    progress_after,
    tally,
)
from spina.games.charioteer.rules.record import (
    BLACK,
    COLOURS,
    FIRST_TURN,
    HAND,
    LEARNING,
    NOTHING,
    PLACES,
    PLUS,
    RECOVERY,
    RESET,
    SHIELD,
    WHIP,
    WILD,
)
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.record import record

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

(
    W_PACE,  # spaces in an average turn, to estimate how many turns are left
    W_STEP,  # a step on the skills track, with the whole race ahead
    W_FOCUS,  # how much more a step is worth close to the bonus box
    W_USE,  # share of the coming turns in which a bonus will be used
    W_FAN,  # a fan token
    W_ATTACK,  # a cube for every rival
    W_HEAL,  # a cube less in the own damage box, beyond its effect on this move
    W_CUBE,  # a cube less in the own attack boxes
    W_SHIELD,  # being safe from attacks this turn, for each rival
    W_WHIP,  # a whip, when not in the lead
    W_PLUS,  # keeping a +3 or +5 token
    W_WILD,  # keeping a wild token
    W_LEARN,  # keeping a learning token
    W_GUARD,  # keeping a shield token
    W_LASH,  # keeping a whip token
    W_CURE,  # keeping a recovery token
    W_HAND,  # a point of the value of the cards kept
) = range(17)

# Evolved in tens of thousands of races between slightly different drivers, with 2, 4 and 6 seats.
WEIGHTS = np.array([8.21, 1.75, 2.39, 0.09, 5.28, 2.6, 3.56, 3.39, 0.37, 3.6, 2.14, 2.58, 0.45, 1.45, 1.91, 1.19, 0.03])

FULL_VALUE = 4.0
"""Turns left from which on things that pay off in later turns have their full value."""
WHIP_PROMISE = 2.0
"""What keeping a whip promises."""
PARTNER_PROMISE = 0.5
"""What keeping a symbol promises for each other card that shows it."""

LESSONS = 2 + PLACES + 2
"""Most steps on a skills track in one move: for the move and the emperor, then icons of cards, crowd card and token."""

MIND = record(
    [
        ("left", "f8"),  # turns left
        ("soon", "f8"),  # 0 to 1: how much things that pay off in the next turns count
        ("trails", "i8"),  # 1: a rival is ahead
        ("longest", "i8"),  # 1: seek the longest move, and nothing else
        ("keep", "f8", (HAND,)),  # what keeping the card in each slot promises
        ("learning", "f8", (COLOURS, LESSONS + 1)),  # by colour and steps on its skills track: their worth
    ]
)
"""What a driver considers for the whole of a choice."""


# --- once for a choice ----------------------------------------------------------------------------------------------


@kernel
def appraise(race: RaceRecord, edition: EditionRecord, seat, mind):
    """Write into `mind` what is the same for all choices."""
    mind.left = turns_left(race, edition)
    mind.soon = min(1.0, mind.left / FULL_VALUE)
    mind.trails = 1 if race.turn > FIRST_TURN and not leads(race, seat) else 0
    appraise_cards(race, edition, seat, mind.keep)
    if not mind.longest:
        appraise_learning(race, edition, seat, mind.left, mind.learning)


@kernel
def turns_left(race: RaceRecord, edition: EditionRecord):
    """Estimated number of turns after this one."""
    furthest = race.progress[0]
    for seat in range(1, race.seats):
        furthest = max(furthest, race.progress[seat])
    return max(0.0, (finish(edition) - furthest) / WEIGHTS[W_PACE] - 1.0)


@kernel
def appraise_cards(race: RaceRecord, edition: EditionRecord, seat, keep):
    """Write what keeping each card promises: its partners, weighted by the number of symbols it shows."""
    for slot in range(HAND):
        keep[slot] = 0.0
        if not race.held[seat] >> slot & 1:
            continue
        card = race.hand[seat, slot]
        symbols = edition.symbols_on[card]
        if symbols == 0:
            keep[slot] = WHIP_PROMISE
        while symbols:
            symbol = lowest_bit(symbols)
            symbols &= symbols - 1
            together = count_bits(race.matches[seat, symbol]) - 1
            if edition.shows[race.crowd[1], symbol]:
                together += 1
            keep[slot] += PARTNER_PROMISE * together * edition.shows[card, symbol]


@kernel
def appraise_learning(race: RaceRecord, edition: EditionRecord, seat, left, learning):
    """Write what each number of steps on the skills track of each colour is worth for the rest of the race."""
    step = WEIGHTS[W_STEP] * left / (finish(edition) / WEIGHTS[W_PACE])
    for colour in range(COLOURS):
        place = race.skill[seat, colour]
        total = 0.0
        for steps in range(1, LESSONS + 1):
            then = place_after(race, edition, seat, place)
            if then != place:
                total += (edition.skill_bonus[then] - edition.skill_bonus[place]) * left * WEIGHTS[W_USE]
                if then < edition.skill_spaces:
                    total += step * (1.0 + WEIGHTS[W_FOCUS] * place / edition.skill_spaces)
            learning[colour, steps] = total
            place = then


# --- for each choice ------------------------------------------------------------------------------------------------


@kernel
def spaces_gained(race: RaceRecord, edition: EditionRecord, seat, points, cornering):
    """Spaces that the points are good for if no rival is in the way."""
    progress = race.progress[seat]
    if evenly(edition, progress, points, cornering):
        return progress_after(edition, progress, points, cornering) - progress
    for _ in range(points):
        progress = next_stop(edition, progress, cornering)
    return progress - race.progress[seat]


@kernel
def price_of_token(edition: EditionRecord, token):
    """Value of keeping a token for later."""
    if token == NOTHING:
        return 0.0
    icon = edition.kind_icon[token]
    if icon == PLUS:
        return WEIGHTS[W_PLUS]
    if icon == WILD:
        return WEIGHTS[W_WILD]
    if icon == LEARNING:
        return WEIGHTS[W_LEARN]
    if icon == SHIELD:
        return WEIGHTS[W_GUARD]
    if icon == WHIP:
        return WEIGHTS[W_LASH]
    return WEIGHTS[W_CURE] if icon == RECOVERY else 0.0


@kernel
def price_of_cards(bits, keep):
    """Value of keeping the cards in these slots for later."""
    total = 0.0
    while bits:
        total += keep[lowest_bit(bits)]
        bits &= bits - 1
    return total


@kernel
def worth(race: RaceRecord, edition: EditionRecord, seat, mind):
    """Value of the considered choice, in spaces."""
    value = -WEIGHTS[W_HAND] * price_of_cards(race.played[seat], mind.keep)
    if race.symbol[seat] == RESET:
        return value + (race.damage[seat] * WEIGHTS[W_HEAL] + race.attack[seat] * WEIGHTS[W_CUBE]) * mind.soon
    symbols, shields, whips, cures, lessons = tally(race, edition, seat)
    colour = move_colour(race, edition, seat)
    healed = cubes_recovered(race.damage[seat], cures)
    points = move_length(race, edition, seat, symbols, race.damage[seat] - healed)
    value += spaces_gained(race, edition, seat, points, colour == BLACK)
    value += mind.learning[colour, lessons]
    if symbols >= edition.fan_symbols:
        value += WEIGHTS[W_FAN] * mind.soon
    value += attack_cubes(race, edition, seat) * WEIGHTS[W_ATTACK] * mind.soon
    value += healed * WEIGHTS[W_HEAL] * mind.soon
    if shields > 0:
        value += (race.attack[seat] * WEIGHTS[W_CUBE] + (race.seats - 1) * WEIGHTS[W_SHIELD]) * mind.soon
    if whips > 0 and mind.trails:
        value += whips * WEIGHTS[W_WHIP]
    return value - price_of_token(edition, race.token[seat]) * mind.soon


@kernel
def distance(race: RaceRecord, edition: EditionRecord, seat):
    """Spaces that the considered choice gains if no rival is in the way."""
    if race.symbol[seat] == RESET:
        return 0.0
    symbols, _, _, cures, _ = tally(race, edition, seat)
    damage = race.damage[seat] - cubes_recovered(race.damage[seat], cures)
    points = move_length(race, edition, seat, symbols, damage)
    return 1.0 * spaces_gained(race, edition, seat, points, move_colour(race, edition, seat) == BLACK)
