"""Charioteer as numbers, written straight from the record. `observation.py` names them, in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.rules.record import (
    CARD_ICONS,
    COLOURS,
    CROWD,
    EDITION,
    FACE_NAMES,
    HAND,
    NOTHING,
    RACE,
    READY,
    SYMBOLS,
)
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.observation import OBSERVE, put, put_bits, put_one_of
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

ROAD = 20
"""Spaces ahead that an observation tells the kind of."""
CARD_NUMBERS = SYMBOLS + len(CARD_ICONS) + 1
FACES = len(FACE_NAMES)
FIRST_ICON, ICONS = CARD_ICONS[0], len(CARD_ICONS)

# What counts as 1: about as much as there is in a long race.
MANY_TURNS = 40.0
MANY_CUBES = 20.0
MANY_CARDS = 40.0
MANY_TOKENS = 5.0
MANY_SHOWN = 2.0
MANY_PLACES = 16.0
GREATEST_BONUS = 9.0


@entry(OBSERVE)
def observe_charioteer(race_bytes, edition_bytes, seat, out):
    """Writes what the seat may know; returns the count of numbers."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    at = put_race(race, edition, out)
    for i in range(race.seats):
        at = put_chariot(race, edition, (seat + i) % race.seats, seat, out, at)
    at = put_tokens(race, edition, seat, out, at)
    at = put_cards(race, edition, seat, out, at)
    space = race.progress[seat] % edition.spaces
    for _ in range(ROAD):
        space = space + 1 if space + 1 < edition.spaces else 0
        at = put(out, at, edition.outer[space])
    return put_choice(race, edition, seat, out, at)


@kernel
def put_race(race: RaceRecord, edition: EditionRecord, out):
    """The turn, the piles, and what the emperor wishes."""
    at = put(out, 0, race.turn / MANY_TURNS)
    at = put(out, at, race.deck_left / edition.cards)
    at = put(out, at, race.pile / edition.cards)
    return put_one_of(out, at, race.die, FACES)


@kernel
def put_chariot(race: RaceRecord, edition: EditionRecord, chariot, seat, out, at):
    """What lies open of a seat: its chariot, its skills, its player tokens, and how many fan tokens it has."""
    at = put(out, at, race.progress[chariot] / (edition.laps * edition.spaces))
    at = put(out, at, (race.progress[chariot] - race.progress[seat]) / edition.spaces)
    at = put(out, at, race.lane[chariot] / race.seats)
    at = put(out, at, race.damage[chariot] / MANY_CUBES)
    at = put(out, at, race.attack[chariot] / edition.attack_boxes)
    for colour in range(COLOURS):
        place = race.skill[chariot, colour]
        at = put(out, at, place / MANY_PLACES)
        at = put(out, at, edition.skill_bonus[place] / GREATEST_BONUS)
    fans = 0
    for kind in range(edition.kinds):
        if edition.kind_fan[kind]:
            fans += race.tokens[chariot, kind]
        else:
            at = put(out, at, race.tokens[chariot, kind])
    return put(out, at, fans / MANY_TOKENS)


@kernel
def put_tokens(race: RaceRecord, edition: EditionRecord, seat, out, at):
    """The seat's own tokens, and the fan tokens that have been spent."""
    for kind in range(edition.kinds):
        at = put(out, at, race.tokens[seat, kind] / MANY_TOKENS)
    for kind in range(edition.kinds):
        at = put(out, at, race.spent[kind] / MANY_TOKENS)
    return at


@kernel
def add_card(edition: EditionRecord, card, worth, out, at):
    """What a card shows: its symbols, its icon, and that it is there."""
    symbols = edition.symbols_on[card]
    while symbols:
        symbol = lowest_bit(symbols)
        symbols &= symbols - 1
        out[at + symbol] += edition.shows[card, symbol] / MANY_SHOWN * worth
    icon = np.int64(edition.icon[card]) - FIRST_ICON
    if 0 <= icon < ICONS:
        out[at + SYMBOLS + icon] += worth
    out[at + CARD_NUMBERS - 1] += worth


@kernel
def put_cards(race: RaceRecord, edition: EditionRecord, seat, out, at):
    """The hand, slot by slot; the crowd track; all discards that the seat knows, added up."""
    for slot in range(HAND):
        if race.hand[seat, slot] != NOTHING:
            add_card(edition, race.hand[seat, slot], 1.0, out, at)
        at += CARD_NUMBERS
    for slot in range(CROWD):
        add_card(edition, race.crowd[slot], 1.0, out, at)
        at += CARD_NUMBERS
    for i in range(race.pile):
        if race.buried_by[i] == NOTHING or race.buried_by[i] == seat:
            add_card(edition, race.discards[i], 1.0 / MANY_CARDS, out, at)
    for i in range(CARD_NUMBERS):
        out[at + i] = min(out[at + i], np.float32(1.0))
    return at + CARD_NUMBERS


@kernel
def put_choice(race: RaceRecord, edition: EditionRecord, seat, out, at):
    """The choice that the seat is making, as far as it has come."""
    at = put_one_of(out, at, race.stage[seat], READY + 1)
    at = put_one_of(out, at, race.symbol[seat], SYMBOLS + 1)
    at = put_one_of(out, at, race.token[seat], edition.kinds)
    at = put_one_of(out, at, race.discard_token[seat], edition.kinds)
    at = put_one_of(out, at, race.wild_slot[seat], HAND)
    at = put_bits(out, at, race.played[seat], HAND)
    at = put_bits(out, at, race.discarded[seat], HAND)
    return put(out, at, race.with_crowd[seat])
