"""The view of a seat: what it may know of a race, as plain data (C16, C28, C29)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import LETTERS
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    COLOUR_NAMES,
    CROWD,
    FACE_NAMES,
    HAND,
    NOTHING,
    RACE,
    READY,
    STAGE_NAMES,
)
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain


class Skill(MappingStruct):
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


class PendingChoice(MappingStruct, kw_only=True):
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
    state = plain(race, RACE)
    places = np.zeros(state.seats, np.int64)
    entries.ranking(race, edition.data, places)
    return View(
        turn=state.turn,
        first_seat=state.first_seat,
        emperor=FACE_NAMES[state.die],
        crowd=[edition.card_names[card] for card in state.crowd[:CROWD]],
        deck=state.deck_left,
        discards=_discards(state, edition, viewer),
        spent_tokens=_tokens(state.spent, edition),
        bag=sum(state.bag),
        chariots=[_chariot(state, edition, seat, place) for seat, place in enumerate(places.tolist())],
        hand=None if viewer is None else hand(state, edition, viewer),
        tokens=None if viewer is None else _tokens(state.tokens[viewer], edition),
        choice=None if viewer is None else pending(state, edition, viewer),
    )


def lap_of(edition: CharioteerEdition, progress: int) -> int:
    """C26: the lap that a chariot is in, from 1; the first crossing of the line completes none."""
    return min(max(progress, 0) // edition.spaces + 1, edition.laps)


def _chariot(state: Any, edition: CharioteerEdition, seat: int, place: int) -> ChariotView:
    """The public part of a seat; of its fan tokens only the number (C29)."""
    progress, tokens = state.progress[seat], state.tokens[seat]
    held = _tokens(tokens, edition, fan=False)
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
        cards=HAND - state.hand[seat].count(NOTHING),
        player_tokens=held,
        fan_tokens=sum(tokens) - sum(held.values()),
        ready=state.stage[seat] == READY,
    )


def _tokens(counts: Any, edition: CharioteerEdition, fan: bool | None = None) -> dict[str, int]:
    """Counts of tokens by name: all, or only fan tokens (True) or player tokens (False)."""
    kinds = zip(edition.kind_names, edition.fan_kinds, counts, strict=False)
    return {name: count for name, is_fan, count in kinds if count and (fan is None or is_fan == fan)}


def hand(state: Any, edition: CharioteerEdition, seat: int) -> dict[str, str]:
    """The cards of a hand by the letters of their slots."""
    cards = state.hand[seat]
    return {LETTERS[slot]: edition.card_names[cards[slot]] for slot in range(HAND) if cards[slot] != NOTHING}


def _discards(state: Any, edition: CharioteerEdition, viewer: int | None) -> DiscardPile:
    """C28: the discard pile: cards face up, cards that the viewer laid face down, and the number of other cards."""
    names, laid_by = edition.card_names, state.buried_by[: state.pile]
    pile = [*zip(state.discards, laid_by, strict=False)]
    shown = [names[card] for card, by in pile if by == NOTHING]
    own = [] if viewer is None or viewer not in laid_by else [names[card] for card, by in pile if by == viewer]
    return DiscardPile(open=shown, own=own, hidden=len(pile) - len(shown) - len(own))


def pending(state: Any, edition: CharioteerEdition, seat: int) -> PendingChoice:
    """The choice that a seat is making, as far as it has been made; only the seat itself may see it (C16)."""

    def letters(bits: int) -> str:
        return "".join(LETTERS[slot] for slot in range(HAND) if bits >> slot & 1)

    def name(kind: int) -> str | None:
        return None if kind == NOTHING else edition.kind_names[kind]

    symbol = int(state.symbol[seat])
    return PendingChoice(
        stage=STAGE_NAMES[state.stage[seat]],
        token=name(int(state.token[seat])),
        symbol=None if symbol == NOTHING else (*edition.symbol_names, "reset")[symbol],
        crowd=bool(state.with_crowd[seat]),
        wild=None if state.wild_slot[seat] == NOTHING else LETTERS[state.wild_slot[seat]],
        cards=letters(int(state.played[seat])),
        discard_token=name(int(state.discard_token[seat])),
        discards=letters(int(state.discarded[seat])),
    )
