"""How a seat makes its secret choice: token, symbol, crowd card, cards, discards.

A choice is built step by step in the race's record. At each stage the legal steps are a set of step numbers
(`DO_...`), held as bits. A step is legal only if the choice can still be completed after it, so a choice never reaches
a dead end. Each stage has a function that asks for its step (`ask_token` and so on), or goes on to the next stage where
there is nothing to decide.

Slots, symbols and kinds of token are sets of bits, too, and the steps of a stage follow from a few operations on whole
sets. `tests/charioteer/test_choice_steps.py` compares them with a search through all choices, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_DISCARDS,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    COLOURS,
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
    KINDS,
    NOTHING,
    PLACES,
    READY,
    RESET,
    SYMBOLS,
    WILD,
)
from spina.kernel.bits import count_bits, crowded, filled, under_highest
from spina.kernel.compiler import kernel
from spina.kernel.record import row

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord


ALL_SLOTS = (1 << HAND) - 1
"""Every slot of a hand, as bits."""


@kernel
def begin_choice(race: RaceRecord, edition: EditionRecord, seat):
    """Clear the seat's choice and begin it again at the first stage."""
    clear_choice(race, seat)
    ask_token(race, edition, seat)


@kernel
def clear_choice(race: RaceRecord, seat):
    """Take back everything that the seat has chosen."""
    race.token[seat] = NOTHING
    race.symbol[seat] = NOTHING
    race.with_crowd[seat] = 0
    race.wild_slot[seat] = NOTHING
    race.played[seat] = 0
    race.discard_token[seat] = NOTHING
    race.discarded[seat] = 0


# --- stages ---------------------------------------------------------------------------------------------------------


@kernel
def ask(race: RaceRecord, seat, stage, options):
    """Wait at this stage for one of these steps."""
    race.stage[seat] = stage
    race.options[seat] = options


@kernel
def ask_token(race: RaceRecord, edition: EditionRecord, seat):
    """The first stage: a token for the move, if any suits."""
    options = token_options(race, edition, seat)
    if options == 1 << DO_NO_TOKEN:
        ask_symbol(race, edition, seat)
    else:
        ask(race, seat, AT_TOKEN, options)


@kernel
def ask_symbol(race: RaceRecord, edition: EditionRecord, seat):
    """The second stage: the symbol of the move, or a reset."""
    ask(race, seat, AT_SYMBOL, symbol_options(race, edition, seat))


@kernel
def ask_crowd(race: RaceRecord, edition: EditionRecord, seat):
    """The third stage: the crowd card, if it fits."""
    options = crowd_options(race, edition, seat)
    if options == 1 << DO_NO_CROWD:
        ask_wild(race, edition, seat)
    else:
        ask(race, seat, AT_CROWD, options)


@kernel
def ask_wild(race: RaceRecord, edition: EditionRecord, seat):
    """The fourth stage: the card that a wild changes."""
    if plays_wild(race, edition, seat):
        ask(race, seat, AT_WILD, wild_options(race, edition, seat))
    else:
        ask_cards(race, edition, seat)


@kernel
def ask_cards(race: RaceRecord, edition: EditionRecord, seat):
    """The fifth stage: hand cards, one after the other."""
    options = card_options(race, edition, seat)
    if options == 1 << DO_DONE:
        ask_discard_token(race, edition, seat)
    else:
        ask(race, seat, AT_CARDS, options)


@kernel
def ask_discard_token(race: RaceRecord, edition: EditionRecord, seat):
    """The sixth stage: a discard token, if there is one."""
    options = discard_token_options(race, edition, seat)
    if options == 1 << DO_NO_TOKEN:
        ask(race, seat, READY, 0)
    else:
        ask(race, seat, AT_DISCARD_TOKEN, options)


@kernel
def ask_discards(race: RaceRecord, edition: EditionRecord, seat):
    """The last stage: cards to discard with the token, one after the other."""
    options = discard_options(race, edition, seat)
    if options == 1 << DO_DONE:
        ask(race, seat, READY, 0)
    else:
        ask(race, seat, AT_DISCARDS, options)


@kernel
def take_step(race: RaceRecord, edition: EditionRecord, seat, step):
    """Add one step, which must be legal, to the seat's choice."""
    stage = race.stage[seat]
    if stage == AT_CARDS:
        if step == DO_DONE:
            ask_discard_token(race, edition, seat)
        else:
            race.played[seat] |= 1 << (step - DO_SLOT)
            ask_cards(race, edition, seat)
    elif stage == AT_TOKEN:
        if step != DO_NO_TOKEN:
            race.token[seat] = step - DO_TOKEN
        ask_symbol(race, edition, seat)
    elif stage == AT_SYMBOL:
        race.symbol[seat] = step - DO_SYMBOL  # DO_RESET follows the symbols as RESET does
        ask_crowd(race, edition, seat)
    elif stage == AT_CROWD:
        race.with_crowd[seat] = 1 if step == DO_CROWD else 0
        ask_wild(race, edition, seat)
    elif stage == AT_WILD:
        race.wild_slot[seat] = step - DO_SLOT
        race.played[seat] = 1 << (step - DO_SLOT)
        ask_cards(race, edition, seat)
    elif stage == AT_DISCARD_TOKEN:
        if step == DO_NO_TOKEN:
            ask(race, seat, READY, 0)
        else:
            race.discard_token[seat] = step - DO_TOKEN
            ask_discards(race, edition, seat)
    elif stage == AT_DISCARDS:
        if step == DO_DONE:
            ask(race, seat, READY, 0)
        else:
            race.discarded[seat] |= 1 << (step - DO_SLOT)
            ask_discards(race, edition, seat)


# --- token and symbol -----------------------------------------------------------------------------------------------


@kernel
def crowd_symbols(race: RaceRecord, edition: EditionRecord):
    """Symbols that the crowd card shows, as bits."""
    return edition.symbols_on[race.crowd[0]]


@kernel
def crowd_shows(race: RaceRecord, edition: EditionRecord, symbol):
    """Whether the crowd card shows the symbol, and so counts as a card of the move (C4)."""
    return symbol != RESET and crowd_symbols(race, edition) >> symbol & 1 != 0


@kernel
def crowd_fits(race: RaceRecord, edition: EditionRecord, symbol):
    """C5: whether the crowd card may be part of a move: it shows the symbol, or shows none, as a whip does."""
    return symbol != RESET and (crowd_symbols(race, edition) == 0 or crowd_shows(race, edition, symbol))


@kernel
def hand_symbols(race: RaceRecord, seat, wild):
    """C4, C17: symbols that two cards of the hand show, one of them perhaps changed by a wild, as bits."""
    if not wild:
        return crowded(row(race.matches, seat), SYMBOLS)
    if count_bits(race.held[seat]) < FEWEST_SHOWING:
        return 0
    return filled(row(race.matches, seat), SYMBOLS)  # any other card can be the changed one


@kernel
def feasible_symbols(race: RaceRecord, edition: EditionRecord, seat, wild):
    """C4: symbols with which a move can be made, as bits; the crowd card and a wild may help."""
    helped = crowd_symbols(race, edition)
    if not wild:
        helped &= filled(row(race.matches, seat), SYMBOLS)
    return hand_symbols(race, seat, wild) | helped


@kernel
def suiting_kinds(edition: EditionRecord, symbols):
    """Kinds of token that may accompany a move with one of these symbols, as bits: of its colour, or of any."""
    kinds = 0
    for colour in range(COLOURS):
        if symbols & edition.colour_symbols[colour]:
            kinds |= edition.colour_kinds[colour]
    return kinds


@kernel
def held_kinds(race: RaceRecord, seat):
    """Kinds of token that the seat has, as bits."""
    return filled(row(race.tokens, seat), KINDS)


@kernel
def token_options(race: RaceRecord, edition: EditionRecord, seat):
    """C18: each token that suits a possible move, useful or not; or no token. Discard tokens come later."""
    held = held_kinds(race, seat)
    wilds = held & edition.wild_kinds
    kinds = held & ~wilds & suiting_kinds(edition, feasible_symbols(race, edition, seat, False))
    if wilds:
        kinds |= wilds & suiting_kinds(edition, feasible_symbols(race, edition, seat, True))
    return 1 << DO_NO_TOKEN | kinds << DO_TOKEN


@kernel
def symbol_options(race: RaceRecord, edition: EditionRecord, seat):
    """Each symbol with which a move can be made; without a token also a reset (C12)."""
    token = race.token[seat]
    if token == NOTHING:
        return feasible_symbols(race, edition, seat, False) << DO_SYMBOL | 1 << DO_RESET
    feasible = feasible_symbols(race, edition, seat, plays_wild(race, edition, seat))
    return (feasible & edition.suited[token]) << DO_SYMBOL


# --- cards ----------------------------------------------------------------------------------------------------------


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
    alone = hand_symbols(race, seat, plays_wild(race, edition, seat)) >> symbol & 1
    found = 1 << DO_NO_CROWD if alone else 0
    if crowd_shows(race, edition, symbol) or (alone and crowd_fits(race, edition, symbol)):
        found |= 1 << DO_CROWD
    return found


@kernel
def wild_options(race: RaceRecord, edition: EditionRecord, seat):
    """C7, C17: a wild may change any hand card, if another card can show the symbol."""
    symbol = race.symbol[seat]
    matches = race.matches[seat, symbol]
    slots = race.held[seat]
    if not (race.with_crowd[seat] and crowd_shows(race, edition, symbol)) and count_bits(matches) == 1:
        slots &= ~matches
    return slot_steps(slots)


@kernel
def showing_cards(race: RaceRecord, edition: EditionRecord, seat):
    """C4, C6: number of cards that show the symbol of the move: hand cards, the changed card, the crowd card."""
    symbol = race.symbol[seat]
    total = count_bits(without_wild(race, seat) & race.matches[seat, symbol])
    if race.wild_slot[seat] != NOTHING:
        total += 1
    if race.with_crowd[seat] and crowd_shows(race, edition, symbol):
        total += 1
    return total


@kernel
def above(bits):
    """All slots after the highest one of the set. Cards are added from a to h, so that each set has one order."""
    return ALL_SLOTS & ~(2 * under_highest(bits) + 1) if bits else ALL_SLOTS


@kernel
def without_wild(race: RaceRecord, seat):
    """The slots played so far, without the changed card, which was chosen before them."""
    played = race.played[seat]
    if race.wild_slot[seat] != NOTHING:
        played &= ~(1 << race.wild_slot[seat])
    return played


@kernel
def followed(slots, count, room):
    """All slots that `count` of these slots follow, if there is room for as many cards."""
    if count <= 0:
        return ALL_SLOTS
    if count > room:
        return 0
    for _ in range(count - 1):
        slots &= under_highest(slots)
    return under_highest(slots)


@kernel
def card_options(race: RaceRecord, edition: EditionRecord, seat):
    """C4: one to three hand cards, each showing the symbol or no symbol at all. A reset takes any (C12)."""
    symbol = race.symbol[seat]
    played = race.played[seat]
    room = PLACES - count_bits(played)
    if symbol == RESET:
        return taking(race.held[seat] & above(played), played != 0, room)
    needed = FEWEST_SHOWING - showing_cards(race, edition, seat)
    open_slots = above(without_wild(race, seat)) & ~played
    matches = open_slots & race.matches[seat, symbol]
    bare = open_slots & race.bare[seat]
    after = room - 1
    slots = matches & followed(matches, needed - 1, after) | bare & followed(matches, needed, after)
    return taking(slots, played != 0 and needed <= 0, room)


@kernel
def slot_steps(slots):
    """The steps that take one of these slots, as bits."""
    return int(slots) << DO_SLOT


@kernel
def taking(slots, enough, room):
    """Steps where cards are taken one by one: a slot, if there is room; to be done, if those taken are enough."""
    found = slot_steps(slots) if room > 0 else 0
    return found | 1 << DO_DONE if enough else found


# --- discards -------------------------------------------------------------------------------------------------------


@kernel
def discard_token_options(race: RaceRecord, edition: EditionRecord, seat):
    """C13, C18: one discard token may accompany a move or reset, if a card is left to discard."""
    kinds = 0
    if race.held[seat] & ~race.played[seat]:
        kinds = held_kinds(race, seat) & edition.discard_kinds
    return 1 << DO_NO_TOKEN | kinds << DO_TOKEN


@kernel
def discard_options(race: RaceRecord, edition: EditionRecord, seat):
    """C18: one card that is not played or more, up to the number on the token."""
    discarded = race.discarded[seat]
    room = edition.kind_value[race.discard_token[seat]] - count_bits(discarded)
    return taking(race.held[seat] & ~race.played[seat] & above(discarded), discarded != 0, room)
