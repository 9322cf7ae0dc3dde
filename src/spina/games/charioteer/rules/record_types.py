"""Types of the records, made by tools/record_types.py from `record.py`: for editors and mypy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class EditionRecord:
    """The components of a race, as kernels see it."""

    key: int
    """first eight bytes of the edition's hash"""
    laps: int
    """laps to complete"""
    hand: int
    """cards in a hand"""
    fan_symbols: int
    """matching symbols that earn a fan token"""
    attack_boxes: int
    """most new cubes a turn"""
    whip_spaces: int
    """spaces that one whip is good for"""
    wild_symbols: int
    """symbols that a wild-changed card shows"""
    minor_cards: int
    """red cards of a minor attack, and its cubes"""
    minor_cubes: int
    major_cards: int
    """red cards of a major attack, and its cubes"""
    major_cubes: int
    disrupt: NDArray[np.int32]
    """[7] cubes for each chariot, by number of seats"""
    spaces: int
    """spaces in a lap, space 0 is the first beyond the line"""
    start: int
    """progress before the first turn, negative: spaces before the line"""
    outer: NDArray[np.int8]
    """[160] 1: an outer space of a corner"""
    stops: NDArray[np.int64]
    """[2] stops in a lap"""
    stop_number: NDArray[np.int16]
    """[2,160] number of the last stop up to each space"""
    stop_space: NDArray[np.int16]
    """[2,160] space of each stop"""
    symbol_colour: NDArray[np.int8]
    """[12]"""
    symbol_number: NDArray[np.int8]
    """[12]"""
    cards: int
    """cards in the deck"""
    shows: NDArray[np.int8]
    """[192,12] how many of each symbol a card shows"""
    symbols_on: NDArray[np.int16]
    """[192] symbols that a card shows, as bits; a card with none joins any move"""
    icon: NDArray[np.int8]
    """[192]"""
    spread: NDArray[np.int64]
    """[192,2] derived: the symbols that a card shows, one in every eight bits"""
    brings: NDArray[np.int64]
    """[192] derived: how many of each of CARD_ICONS, in eight bits each"""
    kinds: int
    """kinds of token"""
    kind_icon: NDArray[np.int8]
    """[32]"""
    kind_colour: NDArray[np.int8]
    """[32] ANY_COLOUR: goes with every move"""
    kind_value: NDArray[np.int8]
    """[32] of plus and discard tokens"""
    kind_fan: NDArray[np.int8]
    """[32] 1: a fan token, which returns to the bag"""
    player_tokens: NDArray[np.int8]
    """[32] how many of each kind every seat begins with"""
    fan_tokens: NDArray[np.int8]
    """[32] how many of each kind the full bag holds"""
    kind_brings: NDArray[np.int64]
    """[32] as `brings`"""
    suited: NDArray[np.int16]
    """[32] symbols of the moves that a token may accompany, as bits; discard tokens: none"""
    colour_symbols: NDArray[np.int16]
    """[4] symbols of each colour, as bits"""
    colour_kinds: NDArray[np.int64]
    """[4] kinds that may accompany moves of each colour, as bits"""
    wild_kinds: int
    """wilds, as bits"""
    discard_kinds: int
    """discard tokens, as bits"""
    skill_spaces: int
    """spaces before the bonus box"""
    bonus_places: int
    skill_bonus: NDArray[np.int8]
    """[32] by place: the track, then the bonus box"""
    skill_cards: int
    skill_card: NDArray[np.int8]
    """[32,4] colours from the highest start space downwards"""
    faces: int
    face: NDArray[np.int8]
    """[12]"""

    def __getitem__(self, field: str) -> Any: ...


class RaceRecord:
    """The running race, as kernels see it."""

    dice: NDArray[np.uint64]
    """[4] none: the random generator, and so the future"""
    seats: int
    """all"""
    turn: int
    """all: 1 is the first turn"""
    first_seat: int
    """all: moves first on the first turn (C3, C27)"""
    over: int
    """all: 1 after the last turn"""
    die: int
    """all: face of the emperor die for this turn"""
    choices: int
    """all: choices completed so far"""
    progress: NDArray[np.int16]
    """[6] all: spaces beyond the line, laps included; negative before the first crossing"""
    lane: NDArray[np.int16]
    """[6] all: place within the space, 0 is the inside"""
    damage: NDArray[np.int16]
    """[6] all: cubes in the damage box"""
    attack: NDArray[np.int16]
    """[6] all: cubes in the attack boxes"""
    safe: NDArray[np.int16]
    """[6] all: 1 if shielded or reset this turn, and so takes no new cubes"""
    skill: NDArray[np.int16]
    """[6,4] all: place of each marker on track and bonus box"""
    tokens: NDArray[np.int16]
    """[6,32] own: count by kind; rivals see player tokens, and how many fan tokens (C29)"""
    bag: NDArray[np.int16]
    """[32] none: fan tokens left in the bag"""
    spent: NDArray[np.int16]
    """[32] all: fan tokens discarded"""
    hand: NDArray[np.int16]
    """[6,8] own: cards in slots a to h, NOTHING where there is none"""
    held: NDArray[np.int16]
    """[6] own: slots that hold a card, as bits"""
    matches: NDArray[np.int16]
    """[6,12] own: slots that show each symbol, as bits"""
    bare: NDArray[np.int16]
    """[6] own: slots with cards without symbols, as bits"""
    crowd: NDArray[np.int16]
    """[3] all: slot 0 is active"""
    deck_left: int
    """all: cards in the draw pile"""
    pile: int
    """all: cards in the discard pile"""
    deck: NDArray[np.int16]
    """[192] none: the draw pile, drawn from the end"""
    discards: NDArray[np.int16]
    """[192] all, where `buried_by` is NOTHING"""
    buried_by: NDArray[np.int16]
    """[192] all: seat that discarded the card face down and alone knows it (C28)"""
    options: NDArray[np.int64]
    """[6] own: legal steps, as bits"""
    stage: NDArray[np.int16]
    """[6] own: the stage; rivals see only whether it is READY (C16)"""
    token: NDArray[np.int16]
    """[6] own: kind, or NOTHING"""
    symbol: NDArray[np.int16]
    """[6] own: symbol, RESET, or NOTHING"""
    with_crowd: NDArray[np.int16]
    """[6] own: 1 if the crowd card is part of the move"""
    wild_slot: NDArray[np.int16]
    """[6] own: slot of the changed card, or NOTHING"""
    played: NDArray[np.int16]
    """[6] own: slots played, as bits"""
    discard_token: NDArray[np.int16]
    """[6] own: kind, or NOTHING"""
    discarded: NDArray[np.int16]
    """[6] own: slots discarded with the token, as bits"""

    def __getitem__(self, field: str) -> Any: ...
