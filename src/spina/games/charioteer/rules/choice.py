"""How a seat makes its secret choice: token, symbol, crowd card, cards, discards.

A choice grows step by step in the race's record. At every stage the possible next steps are a set of step
numbers (`DO_...`), held as bits; a step is possible only if the choice can still be completed after it, so nobody
ever runs into a dead end. A stage at which there is nothing to decide is passed over.
"""

from __future__ import annotations

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


@kernel
def begin_choice(race, edition, seat):
    """Forget whatever the seat had chosen and ask it anew."""
    race.stage[seat] = AT_TOKEN
    race.token[seat] = NOTHING
    race.symbol[seat] = NOTHING
    race.with_crowd[seat] = 0
    race.wild_slot[seat] = NOTHING
    race.played[seat] = 0
    race.discard_token[seat] = NOTHING
    race.discarded[seat] = 0
    settle(race, edition, seat)


# --- what is possible now -------------------------------------------------------------------------------------------


@kernel
def find_options(race, edition, seat):
    """The steps that are possible at the seat's stage, as bits."""
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
def crowd_shows(race, edition, symbol):
    """Whether the active crowd card counts as a card that shows the symbol."""
    return symbol != RESET and edition.shows[race.crowd[0], symbol] > 0


@kernel
def hand_suffices(race, seat, symbol, wild):
    """C4, C17: whether the hand alone holds two cards that show the symbol, one of them perhaps changed by a wild."""
    showing = count_bits(race.matches[seat, symbol])
    if wild:
        return showing >= 1 and count_bits(race.held[seat]) >= 2
    return showing >= 2


@kernel
def feasible(race, edition, seat, symbol, wild):
    """C4: whether any move with this symbol can be made, with the help of the crowd card and of a wild."""
    if hand_suffices(race, seat, symbol, wild):
        return True
    return crowd_shows(race, edition, symbol) and (wild or race.matches[seat, symbol] != 0)


@kernel
def feasible_symbols(race, edition, seat, wild):
    """Every symbol of which a move can be made, as bits."""
    found = 0
    for symbol in range(SYMBOLS):
        if feasible(race, edition, seat, symbol, wild):
            found |= 1 << symbol
    return found


@kernel
def fitting_symbols(edition, kind, feasible):
    """Those of the feasible symbols whose colour goes with this kind of token."""
    colour = edition.kind_colour[kind]
    if colour == ANY_COLOUR:
        return feasible
    found = 0
    for symbol in range(SYMBOLS):
        if edition.symbol_colour[symbol] == colour:
            found |= feasible & (1 << symbol)
    return found


@kernel
def token_options(race, edition, seat):
    """Every token in hand that some possible move can take, or none. Discard tokens come later."""
    found = 1 << DO_NO_TOKEN
    plain = feasible_symbols(race, edition, seat, False)
    with_wild = -1  # found out when a wild turns up
    for kind in range(edition.kinds):
        if race.tokens[seat, kind] > 0 and edition.kind_icon[kind] != DISCARD:
            feasible = plain
            if edition.kind_icon[kind] == WILD:
                if with_wild == -1:
                    with_wild = feasible_symbols(race, edition, seat, True)
                feasible = with_wild
            if fitting_symbols(edition, kind, feasible):
                found |= 1 << (DO_TOKEN + kind)
    return found


@kernel
def symbol_options(race, edition, seat):
    """Every symbol that a move can be made of; without a token also a reset (C12)."""
    token = race.token[seat]
    if token == NOTHING:
        return feasible_symbols(race, edition, seat, False) << DO_SYMBOL | 1 << DO_RESET
    feasible = feasible_symbols(race, edition, seat, edition.kind_icon[token] == WILD)
    return fitting_symbols(edition, token, feasible) << DO_SYMBOL


@kernel
def plays_wild(race, edition, seat):
    """Whether the token of the choice is a wild."""
    return race.token[seat] != NOTHING and edition.kind_icon[race.token[seat]] == WILD


@kernel
def crowd_options(race, edition, seat):
    """The crowd card joins a move whose symbol it shows; a whip lying there joins any move (C5)."""
    symbol = race.symbol[seat]
    if symbol == RESET:
        return 1 << DO_NO_CROWD
    alone = hand_suffices(race, seat, symbol, plays_wild(race, edition, seat))
    found = 0
    if alone:
        found |= 1 << DO_NO_CROWD
    if crowd_shows(race, edition, symbol) or (alone and edition.symbols_on[race.crowd[0]] == 0):
        found |= 1 << DO_CROWD
    return found


@kernel
def wild_options(race, edition, seat):
    """C7, C17: any hand card may be changed, as long as a second card can show the symbol."""
    symbol = race.symbol[seat]
    second = race.with_crowd[seat] and crowd_shows(race, edition, symbol)
    found = 0
    for slot in range(HAND):
        bit = 1 << slot
        if race.held[seat] & bit and (second or race.matches[seat, symbol] & ~bit):
            found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def showing_cards(race, edition, seat):
    """C4, C6: how many cards of the choice show its symbol: hand cards, a changed card, the crowd card; no whips."""
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
    """All slots behind the highest one of the set: cards are added from a to h, so each set has one order."""
    bits |= bits >> 1
    bits |= bits >> 2
    bits |= bits >> 4
    return ~bits & ((1 << HAND) - 1)


@kernel
def without_wild(race, seat):
    """The slots played so far but for a changed card, which was named first."""
    played = race.played[seat]
    if race.wild_slot[seat] != NOTHING:
        played &= ~(1 << race.wild_slot[seat])
    return played


@kernel
def card_options(race, edition, seat):
    """C4, C12: one to three hand cards, each showing the symbol or none at all; any cards for a reset."""
    symbol = race.symbol[seat]
    played = count_bits(race.played[seat])
    if symbol == RESET:
        return reset_options(race, seat, played)
    found = 0
    showing = showing_cards(race, edition, seat)
    if played >= 1 and showing >= 2:
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
            if then + min(room, later) >= 2:
                found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def reset_options(race, seat, played):
    """C12: a reset takes one to three cards of any kind."""
    found = 0
    if played >= 1:
        found |= 1 << DO_DONE
    if played < PLACES:
        open_slots = race.held[seat] & above(race.played[seat])
        for slot in range(HAND):
            if open_slots >> slot & 1:
                found |= 1 << (DO_SLOT + slot)
    return found


@kernel
def discard_token_options(race, edition, seat):
    """C13, C18: one discard token may go with any move or reset, if a card is left to be discarded."""
    found = 1 << DO_NO_TOKEN
    if race.held[seat] & ~race.played[seat]:
        for kind in range(edition.kinds):
            if race.tokens[seat, kind] > 0 and edition.kind_icon[kind] == DISCARD:
                found |= 1 << (DO_TOKEN + kind)
    return found


@kernel
def discard_options(race, edition, seat):
    """C18: at least one card that is not played, at most as many as the token says."""
    found = 0
    chosen = count_bits(race.discarded[seat])
    if chosen >= 1:
        found |= 1 << DO_DONE
    if chosen < edition.kind_value[race.discard_token[seat]]:
        open_slots = race.held[seat] & ~race.played[seat] & above(race.discarded[seat])
        for slot in range(HAND):
            if open_slots >> slot & 1:
                found |= 1 << (DO_SLOT + slot)
    return found


# --- taking a step --------------------------------------------------------------------------------------------------


@kernel
def take_step(race, edition, seat, step):
    """Add one step to the seat's choice. The step must be possible."""
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
def settle(race, edition, seat):
    """Note what is possible now, passing over the stages at which there is nothing to decide."""
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
