"""The offer to a seat, for its page: each symbol with the cards and tokens with which a move can be made.

No rule is written here. The kernel lists symbols, card sets, wild cards and discards as numbers, with the functions
that decide which steps are legal, and a page needs no rules to show them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import RESET_NAME, SLOT_SETS, Choice
from spina.games.charioteer.play.explanation import Breakdown, read_breakdown
from spina.games.charioteer.rules.choice import ALL_SLOTS
from spina.games.charioteer.rules.offer_kernel import (
    BARE_AT,
    DISCARD_KINDS_AT,
    HELD_AT,
    KINDS_AT,
    LONGEST_MOVE,
    LONGEST_OFFER,
    NO_WILD,
    RESET_AT,
    SYMBOL_FIGURES,
    WITH_CROWD,
    list_offer,
)
from spina.games.charioteer.rules.record import PLACES
from spina.games.mapping_struct import MappingStruct
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes

CARD_SETS = (*SLOT_SETS, *(letters + "+" for letters in SLOT_SETS))
"""The letters of each set of cards that is written as bits: "+" follows them if it includes the crowd card."""


class WildSlots(MappingStruct, rename={"with_crowd": "with"}, gc=False):
    """Slots of the cards that a wild may change."""

    without: str
    """In a move without the crowd card."""
    with_crowd: str
    """In a move with the crowd card; its name in JSON is "with"."""


class MoveOffer(MappingStruct, kw_only=True):
    """A symbol that the seat may move by."""

    symbol: str
    cards: dict[str, int]
    """How often each card of the hand shows the symbol, by slot; cards without it are left out."""
    free: str
    """Slots of cards without symbols, which go with every move."""
    crowd: int
    """How often the crowd card shows the symbol."""
    sets: list[str]
    """Card sets that make a move without a token, such as "abd", or "ab+" with the crowd card."""
    tokens: list[str]
    """Tokens that can be laid with the move."""
    wild: WildSlots | None
    """None if no wild can be laid."""
    best: Breakdown | None
    """What the longest move without a token comes to; None if it needs a token."""


class ResetOffer(MappingStruct, kw_only=True):
    """A reset instead of a move."""

    cards: str
    """Slots of the cards that may be played for it."""
    best: Breakdown


class DiscardOffer(MappingStruct, kw_only=True, gc=False):
    """A discard token in hand."""

    token: str
    most: int
    """How many cards it may put away."""


class Offer(MappingStruct, kw_only=True):
    """Everything that a seat of Charioteer may choose."""

    most: int
    """Most cards of a move."""
    moves: list[MoveOffer]
    reset: ResetOffer
    discards: list[DiscardOffer]


def offer(race: Bytes, edition: CharioteerEdition, seat: int) -> Offer:
    """All choices of the seat, and what the longest move with each symbol leads to."""
    out = np.empty(LONGEST_OFFER, np.int64)
    count = list_offer(race, edition.data, seat, np.empty_like(race), new_story(LONGEST_MOVE), out)
    told = out[:count].tolist()
    held = told[HELD_AT]
    reset, at = read_breakdown(edition, _notation(RESET_NAME, held & -held), told, RESET_AT)
    moves = []
    while at < count:
        move, at = _read_move(edition, told, at)
        moves.append(move)
    return Offer(
        most=PLACES,
        moves=moves,
        reset=ResetOffer(cards=SLOT_SETS[held], best=reset),
        discards=[
            DiscardOffer(token=edition.kind_names[kind], most=edition.kind_values[kind])
            for kind in _members(told[DISCARD_KINDS_AT])
        ],
    )


def _read_move(edition: CharioteerEdition, told: list[int], at: int) -> tuple[MoveOffer, int]:
    """A symbol that the seat may move by, from the numbers of `list_offer`; and the index after them."""
    symbol, crowd, without, with_crowd, matches = told[at : at + SYMBOL_FIGURES]
    letters = SLOT_SETS[matches]
    counts = at + SYMBOL_FIGURES
    sets = counts + len(letters) + 1
    after = sets + told[sets - 1]
    name = edition.symbol_names[symbol]
    move = MoveOffer(
        symbol=name,
        cards=dict(zip(letters, told[counts : sets - 1], strict=True)),
        free=SLOT_SETS[told[BARE_AT]],
        crowd=crowd,
        sets=[CARD_SETS[cards] for cards in told[sets:after]],
        tokens=[edition.kind_names[kind] for kind in _members(told[KINDS_AT + symbol])],
        wild=None if without == NO_WILD else WildSlots(SLOT_SETS[without], SLOT_SETS[with_crowd]),
        best=None,
    )
    if after > sets:
        move.best, after = read_breakdown(edition, _notation(name, told[after]), told, after + 1)
    return move, after


def _members(bits: int) -> list[int]:
    """The members of a set that is written as bits."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


@lru_cache(maxsize=1 << 13)
def _notation(symbol: str, cards: int) -> str:
    """A move or reset with these cards and no token, in notation."""
    return str(Choice(symbol, SLOT_SETS[cards & ALL_SLOTS], bool(cards & WITH_CROWD)))
