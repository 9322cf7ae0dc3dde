"""How a seat makes its secret choice: token, symbol, crowd card, cards, discards.

A choice is built step by step in the race's record. At each stage the legal steps are a set of step numbers
(`DO_...`), held as bits. A step is legal only if the choice can still be completed after it, so a choice never reaches
a dead end. Stages with nothing to decide are skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.charioteer.rules.record import (
    ANY_COLOUR,
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_DISCARDS,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    DISCARD,
    DO_CROWD,
    DO_DONE,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_RESET,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    FEWEST_SHOWING,
    HAND,
    NOTHING,
    PLACES,
    READY,
    RESET,
    SYMBOLS,
    WILD,
)
from spina.kernel.bits import count_bits
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord


@kernel
def begin_choice(race: RaceRecord, edition: EditionRecord, seat):
    """Clear the seat's choice and begin it again at the first stage."""
    race.stage[seat] = AT_TOKEN
    race.token[seat] = NOTHING
    race.symbol[seat] = NOTHING
    race.with_crowd[seat] = 0
    race.wild_slot[seat] = NOTHING
    race.played[seat] = 0
    race.discard_token[seat] = NOTHING
    race.discarded[seat] = 0
    settle(race, edition, seat)


# --- legal steps ----------------------------------------------------------------------------------------------------


@kernel
def find_options(race: RaceRecord, edition: EditionRecord, seat):
    """Legal steps at the seat's stage, as bits."""
    stage = race.stage[seat]
    if stage == AT_TOKEN:
        return token_options(race, edition, seat)
    if stage == AT_SYMBOL:
        return symbol_options(race, edition, seat)
    if stage == AT_CROWD:
        return crowd_options(race, edition, seat)
    if stage == AT_WILD:
        return wild_options(race, edition, seat)
    if stage == AT_CARDS:
        return card_options(race, edition, seat)
    if stage == AT_DISCARD_TOKEN:
        return discard_token_options(race, edition, seat)
    if stage == AT_DISCARDS:
        return discard_options(race, edition, seat)
    return 0


@kernel
def crowd_shows(race: RaceRecord, edition: EditionRecord, symbol):
    """Whether the crowd card shows the symbol, and so counts as a card of the move (C4)."""
    return symbol != RESET and edition.shows[race.crowd[0], symbol] > 0


@kernel
def crowd_fits(race: RaceRecord, edition: EditionRecord, symbol):
    """C5: whether the crowd card may be part of a move: it shows the symbol, or shows none, as a whip does."""
    return symbol != RESET and (edition.symbols_on[race.crowd[0]] == 0 or crowd_shows(race, edition, symbol))


@kernel
def hand_suffices(race: RaceRecord, seat, symbol, wild):
    """C4, C17: whether the hand alone holds two cards that show the symbol, one of them perhaps changed by a wild."""
    showing = count_bits(race.matches[seat, symbol])
    if wild:  # any other card can be the changed one
        return showing + 1 >= FEWEST_SHOWING and count_bits(race.held[seat]) >= FEWEST_SHOWING
    return showing >= FEWEST_SHOWING


@kernel
def feasible(race: RaceRecord, edition: EditionRecord, seat, symbol, wild):
    """C4: whether a move with this symbol can be made; the crowd card and a wild may help."""
    if hand_suffices(race, seat, symbol, wild):
        return True
    return crowd_shows(race, edition, symbol) and (wild or race.matches[seat, symbol] != 0)


@kernel
def feasible_symbols(race: RaceRecord, edition: EditionRecord, seat, wild):
    """Symbols with which a move can be made, as bits."""
    found = 0
    for symbol in range(SYMBOLS):
        if feasible(race, edition, seat, symbol, wild):
            found |= 1 << symbol
    return found


@kernel
def suits(edition: EditionRecord, kind, symbol):
    """Whether a token of this kind may be laid on a move with the symbol: its colour is the move's, or it has none."""
    colour = edition.kind_colour[kind]
    return colour == ANY_COLOUR or colour == edition.symbol_colour[symbol]


@kernel
def suitable_symbols(edition: EditionRecord, kind, feasible):
    """The feasible symbols that this kind of token suits, as bits."""
    found = 0
    for symbol in range(SYMBOLS):
        if suits(edition, kind, symbol):
            found |= feasible & (1 << symbol)
    return found


@kernel
def token_options(race: RaceRecord, edition: EditionRecord, seat):
    """C18: each token that suits a possible move, useful or not; or no token. Discard tokens come later."""
    found = 1 << DO_NO_TOKEN
    plain = feasible_symbols(race, edition, seat, False)
    with_wild = NOTHING  # computed for the first wild
    for kind in range(edition.kinds):
        if race.tokens[seat, kind] > 0 and edition.kind_icon[kind] != DISCARD:
            feasible = plain
            if edition.kind_icon[kind] == WILD:
                if with_wild == NOTHING:
                    with_wild = feasible_symbols(race, edition, seat, True)
                feasible = with_wild
            if suitable_symbols(edition, kind, feasible):
                found |= 1 << (DO_TOKEN + kind)
    return found


@kernel
def symbol_options(race: RaceRecord, edition: EditionRecord, seat):
    """Each symbol with which a move can be made; without a token also a reset (C12)."""
    token = race.token[seat]
    if token == NOTHING:
        return feasible_symbols(race, edition, seat, False) << DO_SYMBOL | 1 << DO_RESET
    feasible = feasible_symbols(race, edition, seat, edition.kind_icon[token] == WILD)
    return suitable_symbols(edition, token, feasible) << DO_SYMBOL


@kernel
def plays_wild(race: RaceRecord, edition: EditionRecord, seat):
    """Whether the token of the choice is a wild."""
    return race.token[seat] != NOTHING and edition.kind_icon[race.token[seat]] == WILD


@kernel
def crowd_options(race: RaceRecord, edition: EditionRecord, seat):
    """With and without the crowd card. One that shows no symbol does not help to make up the move (C4, C5)."""
    symbol = race.symbol[seat]
    if symbol == RESET:
        return 1 << DO_NO_CROWD
    alone = hand_suffices(race, seat, symbol, plays_wild(race, edition, seat))
    found = 0
    if alone:
        found |= 1 << DO_NO_CROWD
    if crowd_shows(race, edition, symbol) or (alone and crowd_fits(race, edition, symbol)):
        found |= 1 << DO_CROWD
    return found


@kernel
def wild_options(race: RaceRecord, edition: EditionRecord, seat):
    """C7, C17: a wild may change any hand card, if another card can show the symbol."""
    symbol = race.symbol[seat]
    second = race.with_crowd[seat] and crowd_shows(race, edition, symbol)
    found = 0
    for slot in range(HAND):
        bit = 1 << slot
        if race.held[seat] & bit and (second or race.matches[seat, symbol] & ~bit):
            found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def showing_cards(race: RaceRecord, edition: EditionRecord, seat):
    """C4, C6: number of cards that show the symbol of the move: hand cards, the changed card, the crowd card."""
    symbol = race.symbol[seat]
    bits = race.played[seat] & race.matches[seat, symbol]
    total = 0
    if race.wild_slot[seat] != NOTHING:
        bits &= ~(1 << race.wild_slot[seat])
        total += 1
    if race.with_crowd[seat] and crowd_shows(race, edition, symbol):
        total += 1
    return total + count_bits(bits)


@kernel
def above(bits):
    """All slots after the highest one of the set. Cards are added from a to h, so that each set has one order."""
    bits |= bits >> 1
    bits |= bits >> 2
    bits |= bits >> 4
    return ~bits & ((1 << HAND) - 1)


@kernel
def without_wild(race: RaceRecord, seat):
    """The slots played so far, without the changed card, which was chosen before them."""
    played = race.played[seat]
    if race.wild_slot[seat] != NOTHING:
        played &= ~(1 << race.wild_slot[seat])
    return played


@kernel
def card_options(race: RaceRecord, edition: EditionRecord, seat):
    """C4: one to three hand cards, each showing the symbol or no symbol at all. A reset takes any (C12)."""
    symbol = race.symbol[seat]
    played = count_bits(race.played[seat])
    if symbol == RESET:
        return reset_options(race, seat, played)
    found = 0
    showing = showing_cards(race, edition, seat)
    if played > 0 and showing >= FEWEST_SHOWING:
        found |= 1 << DO_DONE
    if played == PLACES:
        return found
    room = PLACES - played - 1
    matches = race.matches[seat, symbol]
    open_slots = (matches | race.bare[seat]) & above(without_wild(race, seat)) & ~race.played[seat]
    for slot in range(HAND):
        bit = 1 << slot
        if open_slots & bit:
            then = showing + (1 if matches & bit else 0)
            later = count_bits(open_slots & matches & above(bit))
            if then + min(room, later) >= FEWEST_SHOWING:
                found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def reset_options(race: RaceRecord, seat, played):
    """C12: a reset takes one to three cards of any kind."""
    found = 0
    if played > 0:
        found |= 1 << DO_DONE
    if played < PLACES:
        open_slots = race.held[seat] & above(race.played[seat])
        for slot in range(HAND):
            if open_slots >> slot & 1:
                found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def discard_token_options(race: RaceRecord, edition: EditionRecord, seat):
    """C13, C18: one discard token may accompany a move or reset, if a card is left to discard."""
    found = 1 << DO_NO_TOKEN
    if race.held[seat] & ~race.played[seat]:
        for kind in range(edition.kinds):
            if race.tokens[seat, kind] > 0 and edition.kind_icon[kind] == DISCARD:
                found |= 1 << (DO_TOKEN + kind)
    return found


@kernel
def discard_options(race: RaceRecord, edition: EditionRecord, seat):
    """C18: one card that is not played or more, up to the number on the token."""
    found = 0
    chosen = count_bits(race.discarded[seat])
    if chosen > 0:
        found |= 1 << DO_DONE
    if chosen < edition.kind_value[race.discard_token[seat]]:
        open_slots = race.held[seat] & ~race.played[seat] & above(race.discarded[seat])
        for slot in range(HAND):
            if open_slots >> slot & 1:
                found |= 1 << (DO_SLOT + slot)
    return found


# --- taking a step --------------------------------------------------------------------------------------------------


@kernel
def take_step(race: RaceRecord, edition: EditionRecord, seat, step):
    """Add one step, which must be legal, to the seat's choice."""
    stage = race.stage[seat]
    if stage == AT_TOKEN:
        if step != DO_NO_TOKEN:
            race.token[seat] = step - DO_TOKEN
        race.stage[seat] = AT_SYMBOL
    elif stage == AT_SYMBOL:
        race.symbol[seat] = step - DO_SYMBOL  # DO_RESET follows the symbols as RESET does
        race.stage[seat] = AT_CROWD
    elif stage == AT_CROWD:
        race.with_crowd[seat] = 1 if step == DO_CROWD else 0
        race.stage[seat] = AT_WILD if plays_wild(race, edition, seat) else AT_CARDS
    elif stage == AT_WILD:
        race.wild_slot[seat] = step - DO_SLOT
        race.played[seat] = 1 << (step - DO_SLOT)
        race.stage[seat] = AT_CARDS
    elif stage == AT_CARDS:
        if step == DO_DONE:
            race.stage[seat] = AT_DISCARD_TOKEN
        else:
            race.played[seat] |= 1 << (step - DO_SLOT)
    elif stage == AT_DISCARD_TOKEN:
        if step == DO_NO_TOKEN:
            race.stage[seat] = READY
        else:
            race.discard_token[seat] = step - DO_TOKEN
            race.stage[seat] = AT_DISCARDS
    elif stage == AT_DISCARDS:
        if step == DO_DONE:
            race.stage[seat] = READY
        else:
            race.discarded[seat] |= 1 << (step - DO_SLOT)
    settle(race, edition, seat)


@kernel
def settle(race: RaceRecord, edition: EditionRecord, seat):
    """Store the legal steps of the seat, skipping stages with nothing to decide."""
    while race.stage[seat] != READY:
        found = find_options(race, edition, seat)
        race.options[seat] = found
        stage = race.stage[seat]
        if stage == AT_TOKEN and found == 1 << DO_NO_TOKEN:
            race.stage[seat] = AT_SYMBOL
        elif stage == AT_CROWD and found == 1 << DO_NO_CROWD:
            race.stage[seat] = AT_WILD if plays_wild(race, edition, seat) else AT_CARDS
        elif stage == AT_CARDS and found == 1 << DO_DONE:
            race.stage[seat] = AT_DISCARD_TOKEN
        elif (stage == AT_DISCARD_TOKEN and found == 1 << DO_NO_TOKEN) or (
            stage == AT_DISCARDS and found == 1 << DO_DONE
        ):
            race.stage[seat] = READY
        else:
            return
    race.options[seat] = 0
