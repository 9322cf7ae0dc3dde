"""The view of a seat: what it may know of a race, as plain data (C16, C28, C29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import LETTERS, RESET_NAME, SLOT_SETS
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    COLOUR_NAMES,
    FACE_NAMES,
    NOTHING,
    RACE,
    READY,
    RESET,
    STAGE_NAMES,
)
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import reader

_read = reader(
    RACE, "seats", "turn", "first_seat", "die", "crowd", "deck_left", "pile", "discards", "buried_by", "spent", "bag",
    "progress", "lane", "damage", "attack", "skill", "tokens", "hand", "held",
    "stage", "token", "symbol", "with_crowd", "wild_slot", "played", "discard_token", "discarded",
)  # fmt: skip
"""Reads what views show."""


class Skill(MappingStruct, gc=False):
    """A skill marker of a chariot."""

    place: int
    """Where the marker stands on its track, 0 at first."""
    bonus: int
    """What it adds to a move of its colour."""


class ChariotView(MappingStruct, kw_only=True):
    """The part of a seat that lies open for everybody."""

    seat: int
    progress: int
    """Spaces from the line; negative before it is first crossed."""
    space: int
    """Where it stands on the board."""
    lane: int
    """0 is the inside."""
    lap: int
    """1 for the first."""
    place: int
    """1 for the leader: further along, then inside."""
    damage: int
    """Cubes in the damage box."""
    attack: int
    """Cubes in the attack boxes."""
    skills: dict[str, Skill]
    """By colour."""
    cards: int
    """How many cards are in the hand."""
    player_tokens: dict[str, int]
    """How many of each kind; they lie open."""
    fan_tokens: int
    """How many there are; which, only their owner knows."""
    ready: bool
    """Whether the seat has made its choice."""


class DiscardPile(MappingStruct, kw_only=True):
    """The discard pile."""

    open: list[str]
    """Cards that lie face up."""
    own: list[str]
    """Cards that the viewer laid face down."""
    hidden: int
    """How many cards others laid face down."""


class PendingChoice(MappingStruct, kw_only=True, gc=False):
    """The choice that a seat is making, as far as it has come."""

    stage: str
    """The question that is next: one of `STAGE_NAMES`."""
    token: str | None
    symbol: str | None
    """Or "reset"."""
    crowd: bool
    """Whether the crowd card is taken in."""
    wild: str | None
    """The slot of the card that a wild changes."""
    cards: str
    """Slots of the cards that are played."""
    discard_token: str | None
    discards: str
    """Slots of the cards that are put away."""


class View(SharedView, kw_only=True):
    """A race of Charioteer as a seat, or a spectator, may know it."""

    turn: int
    first_seat: int
    """The seat that moves first among those who stand alike."""
    emperor: str
    """The emperor's wish for this turn: one of `FACE_NAMES`."""
    crowd: list[str]
    """The crowd track; the first card is the active one."""
    deck: int
    """Cards that are left in the deck."""
    discards: DiscardPile
    spent_tokens: dict[str, int]
    bag: int
    """Fan tokens that are left in the bag."""
    chariots: list[ChariotView]
    hand: dict[str, str] | None
    """The viewer's cards by slot; None for a spectator, like the next two."""
    tokens: dict[str, int] | None
    choice: PendingChoice | None


def view(race: Bytes, edition: CharioteerEdition, viewer: int | None) -> View:
    """The race as the viewer sees it; None is a spectator, who sees only public information."""
    return views(race, edition, (viewer,))[0]


def views(race: Bytes, edition: CharioteerEdition, viewers: Sequence[int | None]) -> list[View]:
    """The race as each of the viewers sees it. What is public is made once, and these parts are shared."""
    state = _read(race)
    emperor, crowd = FACE_NAMES[state.die], [edition.card_names[card] for card in state.crowd]
    spent_tokens, bag = _tokens(state.spent, edition), sum(state.bag)
    chariots = _chariots(race, state, edition)
    piles = _discards(state, edition, viewers)
    return [
        View(
            turn=state.turn,
            first_seat=state.first_seat,
            emperor=emperor,
            crowd=crowd,
            deck=state.deck_left,
            discards=pile,
            spent_tokens=spent_tokens,
            bag=bag,
            chariots=chariots,
            hand=None if viewer is None else hand(state, edition, viewer),
            tokens=None if viewer is None else _tokens(state.tokens[viewer], edition),
            choice=None if viewer is None else pending(state, edition, viewer),
        )
        for viewer, pile in zip(viewers, piles, strict=True)
    ]


def lap_of(edition: CharioteerEdition, progress: int) -> int:
    """C26: the lap that a chariot is in, from 1; the first crossing of the line completes none."""
    return min(max(progress, 0) // edition.spaces + 1, edition.laps)


def _chariots(race: Bytes, state: Any, edition: CharioteerEdition) -> list[ChariotView]:
    """The public parts of the seats; of their fan tokens only the number (C29)."""
    places = np.empty(state.seats, np.int64)
    entries.ranking(race, edition.data, places)
    return [_chariot(state, edition, seat, place) for seat, place in enumerate(places.tolist())]


def _chariot(state: Any, edition: CharioteerEdition, seat: int, place: int) -> ChariotView:
    progress, tokens = state.progress[seat], state.tokens[seat]
    held = {name: tokens[kind] for kind, name in edition.player_kinds if tokens[kind]}
    bonuses = edition.skill_bonuses
    return ChariotView(
        seat=seat,
        progress=progress,
        space=progress % edition.spaces,
        lane=state.lane[seat],
        lap=lap_of(edition, progress),
        place=place,
        damage=state.damage[seat],
        attack=state.attack[seat],
        skills={
            name: Skill(place, bonuses[place]) for name, place in zip(COLOUR_NAMES, state.skill[seat], strict=True)
        },
        cards=state.held[seat].bit_count(),
        player_tokens=held,
        fan_tokens=sum(tokens) - sum(held.values()),
        ready=state.stage[seat] == READY,
    )


def _tokens(counts: Sequence[int], edition: CharioteerEdition) -> dict[str, int]:
    """Counts of tokens by name, of those that there are."""
    return {name: count for name, count in zip(edition.kind_names, counts, strict=False) if count}


def hand(state: Any, edition: CharioteerEdition, seat: int) -> dict[str, str]:
    """The cards of a hand by the letters of their slots."""
    names = edition.card_names
    return {letter: names[card] for letter, card in zip(LETTERS, state.hand[seat], strict=True) if card != NOTHING}


def _discards(state: Any, edition: CharioteerEdition, viewers: Sequence[int | None]) -> list[DiscardPile]:
    """C28: the discard pile for each viewer: cards face up, cards that it laid face down, and how many others did."""
    names, laid_by = edition.card_names, state.buried_by[: state.pile]
    pile = [*zip(state.discards, laid_by, strict=False)]
    shown = [names[card] for card, by in pile if by == NOTHING]
    found = []
    for viewer in viewers:
        own = [] if viewer is None or viewer not in laid_by else [names[card] for card, by in pile if by == viewer]
        found.append(DiscardPile(open=shown, own=own, hidden=len(pile) - len(shown) - len(own)))
    return found


def pending(state: Any, edition: CharioteerEdition, seat: int) -> PendingChoice:
    """The choice that a seat is making, as far as it has been made; only the seat itself may see it (C16)."""
    token, symbol, wild = state.token[seat], state.symbol[seat], state.wild_slot[seat]
    discard_token = state.discard_token[seat]
    return PendingChoice(
        stage=STAGE_NAMES[state.stage[seat]],
        token=None if token == NOTHING else edition.kind_names[token],
        symbol=None if symbol == NOTHING else RESET_NAME if symbol == RESET else edition.symbol_names[symbol],
        crowd=bool(state.with_crowd[seat]),
        wild=None if wild == NOTHING else LETTERS[wild],
        cards=SLOT_SETS[state.played[seat]],
        discard_token=None if discard_token == NOTHING else edition.kind_names[discard_token],
        discards=SLOT_SETS[state.discarded[seat]],
    )
