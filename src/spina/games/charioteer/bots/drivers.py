"""Drivers of Charioteer: policies that run inside the kernel.

A driver uses only what its seat may know. It writes a plan, the next steps of the seat's choice, and returns their
number. Called in the middle of a choice, it keeps the steps already taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.bots.appraisal import MIND, appraise, distance, worth
from spina.games.charioteer.rules.choice import crowd_fits, crowd_shows, feasible_symbols, held_kinds, take_step
from spina.games.charioteer.rules.entries import random_step
from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    DO_CROWD,
    DO_DONE,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_RESET,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    EDITION,
    FEWEST_SHOWING,
    HAND,
    NOTHING,
    PLACES,
    RACE,
    READY,
    RESET,
    SYMBOLS,
    WILD,
)
from spina.kernel import interface
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields, record

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

WHIP_PARTNERS = 3
"""Cards that a whip counts as matching, as it fits every move."""
WORST = -1e9
"""Value of a choice before any has been found."""

CONSIDERED = ("token", "symbol", "with_crowd", "wild_slot", "played")
GIVEN = record([(name, "i8") for name in ("stage", *CONSIDERED, "discard_token", "discarded", "options")])
"""The steps that the seat has taken already; the fields are those of the race."""
BEST = record([("value", "f8"), *((name, "i8") for name in CONSIDERED)])
"""The best choice found so far, and its value in spaces."""


# --- searching choices ----------------------------------------------------------------------------------------------


@kernel
def consider(race: RaceRecord, seat, token, symbol, crowd, wild):
    """Write a choice into the race, all but the hand cards."""
    race.token[seat] = token
    race.symbol[seat] = symbol
    race.with_crowd[seat] = crowd
    race.wild_slot[seat] = wild


@kernel
def weigh(race: RaceRecord, edition: EditionRecord, seat, played, mind, given, best):
    """Value the considered choice with these hand cards; keep it in `best` if it agrees with `given` and is better."""
    race.played[seat] = played
    if not keeps_to(race, seat, given):
        return
    value = distance(race, edition, seat) if mind.longest else worth(race, edition, seat, mind)
    if value > best.value:
        best.value = value
        best.token = race.token[seat]
        best.symbol = race.symbol[seat]
        best.with_crowd = race.with_crowd[seat]
        best.wild_slot = race.wild_slot[seat]
        best.played = played


@kernel
def keeps_to(race: RaceRecord, seat, given):
    """Whether the considered choice agrees with the steps already taken."""
    stage, played, wild = given.stage, race.played[seat], race.wild_slot[seat]
    if stage == AT_TOKEN:
        return True
    if race.token[seat] != given.token:
        return False
    if stage > AT_SYMBOL and race.symbol[seat] != given.symbol:
        return False
    if stage > AT_CROWD and race.with_crowd[seat] != given.with_crowd:
        return False
    if stage > AT_WILD and wild != given.wild_slot:
        return False
    if stage == AT_CARDS:
        before = given.played
        if played & before != before:
            return False
        if wild != NOTHING:
            before &= ~(1 << wild)
        added = played & ~given.played
        return added == 0 or before == 0 or added & -added > before
    return True


@kernel
def crowd_taken(race: RaceRecord, edition: EditionRecord, symbol, given):
    """1 if the move includes the crowd card: as chosen already, else whenever it may (C5)."""
    if given.stage > AT_CROWD:
        return given.with_crowd
    return 1 if crowd_fits(race, edition, symbol) else 0


@kernel
def hand_cards_needed(race: RaceRecord, edition: EditionRecord, symbol, crowd):
    """C4: fewest hand cards that must show the symbol, with or without the crowd card."""
    return FEWEST_SHOWING - (1 if crowd and crowd_shows(race, edition, symbol) else 0)


@kernel
def search_cards(race: RaceRecord, edition: EditionRecord, seat, token, symbol, mind, given, best):
    """Search all sets of hand cards for this symbol and token, with the crowd card where it fits."""
    matches = race.matches[seat, symbol]
    crowd = crowd_taken(race, edition, symbol, given)
    needed = hand_cards_needed(race, edition, symbol, crowd)
    consider(race, seat, token, symbol, crowd, NOTHING)
    one = matches | race.bare[seat]
    while one:
        first = one & -one
        one &= ~first
        if count_bits(first & matches) >= needed:
            weigh(race, edition, seat, first, mind, given, best)
        two = one
        while two:
            second = two & -two | first
            two &= ~second
            if count_bits(second & matches) >= needed:
                weigh(race, edition, seat, second, mind, given, best)
            three = two
            while three:
                third = three & -three | second
                three &= ~third
                if count_bits(third & matches) >= needed:
                    weigh(race, edition, seat, third, mind, given, best)


@kernel
def search_wild(race: RaceRecord, edition: EditionRecord, seat, token, symbol, mind, given, best):
    """Consider a wild on the card that is missed least, with the other cards that show most of the symbol."""
    changed = given.wild_slot
    if given.stage <= AT_WILD:
        changed = least_missed(mind.keep, race.held[seat] & ~race.matches[seat, symbol])
        if changed == NOTHING:
            changed = least_missed(mind.keep, race.held[seat])
    crowd = crowd_taken(race, edition, symbol, given)
    others = race.matches[seat, symbol] & ~(1 << changed)
    played = 1 << changed
    for wanted in range(2, 0, -1):
        for slot in range(HAND):
            if others >> slot & 1 and count_bits(played) < PLACES and not played >> slot & 1:
                if edition.shows[race.hand[seat, slot], symbol] >= wanted:
                    played |= 1 << slot
    if count_bits(played) >= hand_cards_needed(race, edition, symbol, crowd):
        consider(race, seat, token, symbol, crowd, changed)
        weigh(race, edition, seat, played, mind, given, best)


@kernel
def least_missed(keep, slots):
    """The slot whose card promises least, or NOTHING if there is no slot."""
    picked = NOTHING
    for slot in range(HAND):
        if slots >> slot & 1 and (picked == NOTHING or keep[slot] < keep[picked]):
            picked = slot
    return picked


@kernel
def search_resets(race: RaceRecord, edition: EditionRecord, seat, mind, given, best):
    """Consider a reset with the cards that are missed least."""
    if given.token != NOTHING or (given.stage > AT_SYMBOL and given.symbol != RESET):
        return
    played = given.played
    if played == 0:
        for _ in range(PLACES):
            slot = least_missed(mind.keep, race.held[seat] & ~played)
            if slot != NOTHING and (played == 0 or mind.keep[slot] <= 0.0):
                played |= 1 << slot
    consider(race, seat, NOTHING, RESET, 0, NOTHING)
    weigh(race, edition, seat, played, mind, given, best)


@kernel
def partners(race: RaceRecord, edition: EditionRecord, seat, slot):
    """Number of other cards, in the hand and next on the crowd track, that share a symbol with this one."""
    total = 0
    symbols = edition.symbols_on[race.hand[seat, slot]]
    if symbols == 0:
        return WHIP_PARTNERS
    while symbols:
        symbol = lowest_bit(symbols)
        symbols &= symbols - 1
        total += count_bits(race.matches[seat, symbol] & ~race.played[seat]) - 1
        if edition.shows[race.crowd[1], symbol] or edition.shows[race.crowd[2], symbol]:
            total += 1
    return total


@kernel
def suits(edition: EditionRecord, kind, symbol):
    """Whether a token of this kind, if it is no discard token, may be laid on a move with the symbol."""
    return edition.suited[kind] >> symbol & 1 != 0


@kernel
def search(race: RaceRecord, edition: EditionRecord, seat, mind, given, best, found):
    """Find the best choice that agrees with `given`.

    First resets and wilds, then each symbol without a token, then each other token on the best cards of the symbol,
    which are written to `found`.
    """
    appraise(race, edition, seat, mind)
    wild_given = plays_wild_already(edition, given)
    held = held_kinds(race, seat)
    feasible = feasible_symbols(race, edition, seat, False)
    with_wild = feasible_symbols(race, edition, seat, True)
    best.value = WORST
    search_resets(race, edition, seat, mind, given, best)
    for symbol in range(SYMBOLS):
        if given.stage > AT_SYMBOL and symbol != given.symbol:
            continue
        if with_wild >> symbol & 1 and (given.stage == AT_TOKEN or wild_given):
            wilds = held & edition.wild_kinds
            while wilds:
                token = lowest_bit(wilds)
                wilds &= wilds - 1
                if suits(edition, token, symbol):
                    search_wild(race, edition, seat, token, symbol, mind, given, best)
        if wild_given or not feasible >> symbol & 1:
            continue
        first = NOTHING if given.stage == AT_TOKEN else given.token
        if first != NOTHING and not suits(edition, first, symbol):
            continue
        found.value = WORST
        search_cards(race, edition, seat, first, symbol, mind, given, found)
        if found.value > best.value:
            copy_choice(found, best)
        if given.stage == AT_TOKEN and found.value > WORST:
            search_tokens(race, edition, seat, held & ~edition.wild_kinds, found, mind, given, best)


@kernel
def search_tokens(race: RaceRecord, edition: EditionRecord, seat, tokens, found, mind, given, best):
    """Consider each of these tokens that suits the choice found without one; a discard token suits none."""
    while tokens:
        token = lowest_bit(tokens)
        tokens &= tokens - 1
        if suits(edition, token, found.symbol):
            consider(race, seat, token, found.symbol, found.with_crowd, NOTHING)
            weigh(race, edition, seat, found.played, mind, given, best)


@kernel
def copy_choice(found, best):
    """Make the choice found the best one."""
    best.value = found.value
    best.token = found.token
    best.symbol = found.symbol
    best.with_crowd = found.with_crowd
    best.wild_slot = found.wild_slot
    best.played = found.played


@kernel
def plays_wild_already(edition: EditionRecord, given):
    """Whether the steps already taken include a wild token."""
    return given.stage > AT_TOKEN and given.token != NOTHING and edition.kind_icon[given.token] == WILD


# --- from a choice to steps -----------------------------------------------------------------------------------------


@kernel
def note_given(race: RaceRecord, seat, given):
    """Save the steps that the seat has taken already."""
    given.stage = race.stage[seat]
    given.token = race.token[seat]
    given.symbol = race.symbol[seat]
    given.with_crowd = race.with_crowd[seat]
    given.wild_slot = race.wild_slot[seat]
    given.played = race.played[seat]
    given.discard_token = race.discard_token[seat]
    given.discarded = race.discarded[seat]
    given.options = race.options[seat]


@kernel
def restore_given(race: RaceRecord, seat, given):
    """Restore the steps that the seat has taken already."""
    race.stage[seat] = given.stage
    race.token[seat] = given.token
    race.symbol[seat] = given.symbol
    race.with_crowd[seat] = given.with_crowd
    race.wild_slot[seat] = given.wild_slot
    race.played[seat] = given.played
    race.discard_token[seat] = given.discard_token
    race.discarded[seat] = given.discarded
    race.options[seat] = given.options


@kernel
def lowest_new(wanted, taken):
    """The step that adds the next wanted slot, or DO_DONE."""
    rest = wanted & ~taken
    if rest:
        return DO_SLOT + lowest_bit(rest)
    return DO_DONE


@kernel
def best_discards(race: RaceRecord, edition: EditionRecord, seat, most):
    """Up to `most` cards with at most one partner, those without a partner first, as bits."""
    chosen = 0
    for enough in range(2):
        for slot in range(HAND):
            if (race.held[seat] & ~race.played[seat]) >> slot & 1 and not chosen >> slot & 1:
                if count_bits(chosen) < most and partners(race, edition, seat, slot) <= enough:
                    chosen |= 1 << slot
    return chosen


@kernel
def pick_discard_token(race: RaceRecord, edition: EditionRecord, seat):
    """The largest discard token, if there are enough cards to discard; else NOTHING."""
    picked = NOTHING
    kinds = held_kinds(race, seat) & edition.discard_kinds
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if picked == NOTHING or edition.kind_value[kind] > edition.kind_value[picked]:
            picked = kind
    if picked != NOTHING:
        size = edition.kind_value[picked]
        if count_bits(best_discards(race, edition, seat, size)) < size:
            return NOTHING
    return picked


@kernel
def next_step(race: RaceRecord, edition: EditionRecord, seat, best, discards):
    """The step at the seat's stage that leads towards the best choice."""
    stage = race.stage[seat]
    if stage == AT_TOKEN:
        return DO_NO_TOKEN if best.token == NOTHING else DO_TOKEN + best.token
    if stage == AT_SYMBOL:
        return DO_RESET if best.symbol == RESET else DO_SYMBOL + best.symbol
    if stage == AT_CROWD:
        return DO_CROWD if best.with_crowd else DO_NO_CROWD
    if stage == AT_WILD:
        return DO_SLOT + best.wild_slot
    if stage == AT_CARDS:
        return lowest_new(best.played, race.played[seat])
    if stage == AT_DISCARD_TOKEN:
        token = pick_discard_token(race, edition, seat) if discards else NOTHING
        return DO_NO_TOKEN if token == NOTHING else DO_TOKEN + token
    wanted = best_discards(race, edition, seat, edition.kind_value[race.discard_token[seat]])
    step = lowest_new(wanted & ~(race.discarded[seat] | (race.discarded[seat] - 1)), 0)
    if step == DO_DONE and race.discarded[seat] == 0:
        step = DO_SLOT + lowest_bit(race.held[seat] & ~race.played[seat])
    return step


@kernel
def plan_choice(race: RaceRecord, edition: EditionRecord, seat, longest, plan):
    """Find the best choice and write its steps into the plan; the race is left unchanged."""
    # compiled, a record does not keep the array alive that holds it: the arrays must outlive the call
    return write_plan(race, edition, seat, longest, plan, np.zeros(1, MIND), np.zeros(1, GIVEN), np.zeros(2, BEST))


@kernel
def write_plan(race: RaceRecord, edition: EditionRecord, seat, longest, plan, minds, givens, bests):
    """`plan_choice` with the memory that it needs."""
    mind, given, best, found = minds[0], givens[0], bests[0], bests[1]
    mind.longest = longest
    note_given(race, seat, given)
    best.token, best.symbol, best.with_crowd = given.token, given.symbol, given.with_crowd
    best.wild_slot, best.played = given.wild_slot, given.played
    if given.stage <= AT_CARDS:
        search(race, edition, seat, mind, given, best, found)
    restore_given(race, seat, given)
    steps = 0
    while race.stage[seat] != READY and steps < len(plan):
        step = next_step(race, edition, seat, best, not longest)
        if not race.options[seat] >> step & 1:
            step = lowest_bit(race.options[seat])  # no choice considered agrees with the steps given: take any
        plan[steps] = step
        steps += 1
        take_step(race, edition, seat, step)
    restore_given(race, seat, given)
    return steps


# --- the drivers ----------------------------------------------------------------------------------------------------


@entry(interface.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    """Takes a random legal step."""
    race = fields(race_bytes, RACE)
    plan[0] = random_step(race, seat, dice)
    return 1


@entry(interface.DRIVER)
def drive_longest(race_bytes, edition_bytes, seat, dice, plan):
    """Always makes the longest move, with any token that lengthens it: the dummy player of the designer."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return plan_choice(race, edition, seat, 1, plan)


@entry(interface.DRIVER)
def drive_competently(race_bytes, edition_bytes, seat, dice, plan):
    """Weighs distance, skill, damage, attacks, fan tokens, corners and the cards it keeps."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return plan_choice(race, edition, seat, 0, plan)


DRIVERS = {"random": drive_randomly, "longest": drive_longest, "competent": drive_competently}
