"""Cards and tokens: drawing, discarding, refilling, and redealing what a seat cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.rules.choice import ALL_SLOTS, begin_choice
from spina.games.charioteer.rules.event_kinds import DREW, FAN_TOKEN, SHUFFLED
from spina.games.charioteer.rules.record import HAND, NOTHING, SEATS, SPREAD, SYMBOLS
from spina.kernel.compiler import kernel
from spina.kernel.narration import listens, tell
from spina.kernel.random import draw, seed_dice, shuffle

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

CARDS_TOLD = 6
"""Cards that one event can hold."""

# --- cards and tokens -----------------------------------------------------------------------------------------------


@kernel
def draw_card(race: RaceRecord, story):
    """C24: the next card. If the deck is empty, the discards are shuffled into a new one, and unknown again (C28)."""
    if race.deck_left == 0:
        for i in range(race.pile):
            race.deck[i] = race.discards[i]
            race.discards[i] = NOTHING
            race.buried_by[i] = NOTHING
        race.deck_left = race.pile
        race.pile = 0
        shuffle(race.dice, race.deck, race.deck_left)
        tell(story, SHUFFLED, NOTHING, 0, race.deck_left)
    race.deck_left -= 1
    card = race.deck[race.deck_left]
    race.deck[race.deck_left] = NOTHING
    return card


@kernel
def discard(race: RaceRecord, card, by):
    """C28: lay a card on the discard pile. `by` is the seat that laid it face down; NOTHING: it lies face up."""
    race.discards[race.pile] = card
    race.buried_by[race.pile] = by
    race.pile += 1


@kernel
def refill_hand(race: RaceRecord, edition: EditionRecord, seat, story):
    """C24: close the gaps in the hand, then draw cards until it is full."""
    kept = 0
    for slot in range(HAND):
        card = race.hand[seat, slot]
        race.hand[seat, slot] = NOTHING
        race.hand[seat, kept] = card
        kept += card != NOTHING
    for slot in range(kept, edition.hand):
        race.hand[seat, slot] = draw_card(race, story)
    note_hand(race, edition, seat)
    first = kept
    while first < edition.hand and listens(story):
        tell_drawn(race, seat, first, edition.hand, story)
        first += CARDS_TOLD


@kernel
def tell_drawn(race: RaceRecord, seat, first, end, story):
    """Report up to six of the cards drawn, as many as one event holds."""
    a = race.hand[seat, first]
    b = race.hand[seat, first + 1] if first + 1 < end else NOTHING
    c = race.hand[seat, first + 2] if first + 2 < end else NOTHING
    d = race.hand[seat, first + 3] if first + 3 < end else NOTHING
    e = race.hand[seat, first + 4] if first + 4 < end else NOTHING
    f = race.hand[seat, first + 5] if first + 5 < end else NOTHING
    tell(story, DREW, seat, a, b, c, d, e, f)


@kernel
def note_hand(race: RaceRecord, edition: EditionRecord, seat):
    """Update the slots of the hand that hold a card, that show each symbol, and that show no symbol."""
    held = bare = low = high = 0
    for slot in range(HAND):
        card = race.hand[seat, slot]
        if card != NOTHING:
            held |= 1 << slot
            bare |= (edition.symbols_on[card] == 0) << slot
            low |= edition.spread[card, 0] << slot
            high |= edition.spread[card, 1] << slot
    race.held[seat] = held
    race.bare[seat] = bare
    for symbol in range(SYMBOLS // SPREAD):
        race.matches[seat, symbol] = low >> HAND * symbol & ALL_SLOTS
        race.matches[seat, symbol + SYMBOLS // SPREAD] = high >> HAND * symbol & ALL_SLOTS


@kernel
def tokens_in(counts, edition: EditionRecord):
    """Number of tokens of all kinds."""
    total = 0
    for kind in range(edition.kinds):
        total += counts[kind]
    return total


@kernel
def draw_fan_token(race: RaceRecord, edition: EditionRecord, seat, story):
    """C15, C24: draw a fan token. An empty bag is refilled with the used ones; without any the seat gets none."""
    if tokens_in(race.bag, edition) == 0 and tokens_in(race.spent, edition) > 0:
        for kind in range(edition.kinds):
            race.bag[kind] = race.spent[kind]
            race.spent[kind] = 0
        tell(story, SHUFFLED, NOTHING, 1, tokens_in(race.bag, edition))
    if tokens_in(race.bag, edition) == 0:
        tell(story, FAN_TOKEN, seat, NOTHING)
        return
    kind = draw(race.dice, race.bag, edition.kinds)
    race.tokens[seat, kind] += 1
    tell(story, FAN_TOKEN, seat, kind)


# --- what a seat may know -------------------------------------------------------------------------------------------


@kernel
def hide(race: RaceRecord, edition: EditionRecord, viewer, seed):
    """Determinization: redeal everything that the viewer cannot see (C16, C28, C29).

    That is the order of the deck, rivals' hands, cards they discarded face down, their fan tokens and pending choices,
    and all future random numbers. The unseen cards are collected in a fixed order before they are shuffled, so that
    the result depends only on what the viewer knows and on the seed.
    """
    seed_dice(race.dice, seed)
    unseen = np.zeros(edition.cards, np.int64)
    for i in range(race.deck_left):
        unseen[race.deck[i]] = 1
    for i in range(race.pile):
        if race.buried_by[i] != NOTHING and race.buried_by[i] != viewer:
            unseen[race.discards[i]] = 1
    for seat in range(race.seats):
        if seat != viewer:
            for slot in range(HAND):
                if race.hand[seat, slot] != NOTHING:
                    unseen[race.hand[seat, slot]] = 1
    count = 0
    for card in range(edition.cards):
        if unseen[card]:
            unseen[count] = card
            count += 1
    shuffle(race.dice, unseen, count)
    deal_unseen(race, unseen, viewer)
    deal_unseen_tokens(race, edition, viewer)
    for seat in range(race.seats):
        if seat != viewer:
            note_hand(race, edition, seat)
            if not race.over:
                begin_choice(race, edition, seat)


@kernel
def deal_unseen(race: RaceRecord, unseen, viewer):
    """Put the shuffled unseen cards into the places of unseen cards."""
    top = 0
    for i in range(race.deck_left):
        race.deck[i] = unseen[top]
        top += 1
    for i in range(race.pile):
        if race.buried_by[i] != NOTHING and race.buried_by[i] != viewer:
            race.discards[i] = unseen[top]
            top += 1
    for seat in range(race.seats):
        if seat != viewer:
            for slot in range(HAND):
                if race.hand[seat, slot] != NOTHING:
                    race.hand[seat, slot] = unseen[top]
                    top += 1


@kernel
def deal_unseen_tokens(race: RaceRecord, edition: EditionRecord, viewer):
    """C29: rivals keep their number of fan tokens, of random kinds."""
    counts = np.zeros(SEATS, np.int64)
    for seat in range(race.seats):
        if seat != viewer:
            for kind in range(edition.kinds):
                if edition.kind_fan[kind]:
                    counts[seat] += race.tokens[seat, kind]
                    race.bag[kind] += race.tokens[seat, kind]
                    race.tokens[seat, kind] = 0
    for seat in range(race.seats):
        for _ in range(counts[seat]):
            race.tokens[seat, draw(race.dice, race.bag, edition.kinds)] += 1
