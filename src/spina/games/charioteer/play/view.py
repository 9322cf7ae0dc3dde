"""What a seat may know of a race, as plain data."""

from __future__ import annotations

from typing import Any

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import LETTERS
from spina.games.charioteer.rules.record import (
    COLOUR_NAMES,
    COLOURS,
    CROWD,
    FACE_NAMES,
    HAND,
    NOTHING,
    RACE,
    READY,
    STAGE_NAMES,
)
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain


def view(race: Bytes, edition: CharioteerEdition, viewer: int | None) -> dict[str, Any]:
    """The race as the viewer sees it; None is a spectator, who sees what lies open."""
    state = plain(race, RACE)
    seats = range(int(state.seats))
    return {
        "turn": int(state.turn),
        "first_seat": int(state.first_seat),
        "emperor": FACE_NAMES[state.die],
        "crowd": [edition.card_names[state.crowd[slot]] for slot in range(CROWD)],
        "deck": int(state.deck_left),
        "discards": _discards(state, edition, viewer),
        "spent_tokens": _tokens(state.spent, edition),
        "bag": sum(int(count) for count in state.bag),
        "chariots": [_chariot(state, edition, seat) for seat in seats],
        "hand": _hand(state, edition, viewer),
        "tokens": None if viewer is None else _tokens(state.tokens[viewer], edition),
        "choice": None if viewer is None else pending(state, edition, viewer),
    }


def lap_of(edition: CharioteerEdition, progress: int) -> int:
    """The lap a chariot is in, 1 to the last; C26: the first crossing of the line completes none."""
    return min(max(progress, 0) // edition.spaces + 1, edition.laps)


def _chariot(state: Any, edition: CharioteerEdition, seat: int) -> dict[str, Any]:
    """The part of a seat that lies open for everybody."""
    progress = int(state.progress[seat])
    fans = sum(int(n) for n, fan in zip(state.tokens[seat], edition.fan_kinds, strict=False) if fan)
    return {
        "seat": seat,
        "progress": progress,
        "space": progress % edition.spaces,
        "lane": int(state.lane[seat]),
        "lap": lap_of(edition, progress),
        "place": _place(state, seat),
        "damage": int(state.damage[seat]),
        "attack": int(state.attack[seat]),
        "skills": {
            COLOUR_NAMES[colour]: {
                "place": int(state.skill[seat][colour]),
                "bonus": edition.skill_bonuses[state.skill[seat][colour]],
            }
            for colour in range(COLOURS)
        },
        "cards": sum(int(card != NOTHING) for card in state.hand[seat]),
        "player_tokens": _tokens(state.tokens[seat], edition, fan=False),
        "fan_tokens": fans,
        "ready": bool(state.stage[seat] == READY),
    }


def _place(state: Any, seat: int) -> int:
    """1 for the leader: further along, then inside."""

    def key(other: int) -> tuple[int, int]:
        return -int(state.progress[other]), int(state.lane[other])

    return 1 + sum(key(other) < key(seat) for other in range(int(state.seats)))


def _tokens(counts: Any, edition: CharioteerEdition, fan: bool | None = None) -> dict[str, int]:
    """Tokens by name; only fan tokens or only player tokens if asked."""
    return {
        name: int(counts[kind])
        for kind, name in enumerate(edition.kind_names)
        if counts[kind] and (fan is None or edition.fan_kinds[kind] == fan)
    }


def _hand(state: Any, edition: CharioteerEdition, viewer: int | None) -> dict[str, str] | None:
    if viewer is None:
        return None
    return {
        LETTERS[slot]: edition.card_names[state.hand[viewer][slot]]
        for slot in range(HAND)
        if state.hand[viewer][slot] != NOTHING
    }


def _discards(state: Any, edition: CharioteerEdition, viewer: int | None) -> dict[str, Any]:
    """The discard pile: what lies open, what the viewer laid face down, and how many others laid face down."""
    pile = [(int(state.discards[i]), int(state.buried_by[i])) for i in range(int(state.pile))]
    return {
        "open": [edition.card_names[card] for card, by in pile if by == NOTHING],
        "own": [edition.card_names[card] for card, by in pile if viewer is not None and by == viewer],
        "hidden": sum(by not in (NOTHING, viewer) for _, by in pile),
    }


def pending(state: Any, edition: CharioteerEdition, seat: int) -> dict[str, Any]:
    """The choice that a seat is making, as far as it has come."""

    def letters(bits: int) -> str:
        return "".join(LETTERS[slot] for slot in range(HAND) if bits >> slot & 1)

    def name(kind: int) -> str | None:
        return None if kind == NOTHING else edition.kind_names[kind]

    symbol = int(state.symbol[seat])
    return {
        "stage": STAGE_NAMES[state.stage[seat]],
        "token": name(int(state.token[seat])),
        "symbol": None if symbol == NOTHING else (*edition.symbol_names, "reset")[symbol],
        "crowd": bool(state.with_crowd[seat]),
        "wild": None if state.wild_slot[seat] == NOTHING else LETTERS[state.wild_slot[seat]],
        "cards": letters(int(state.played[seat])),
        "discard_token": name(int(state.discard_token[seat])),
        "discards": letters(int(state.discarded[seat])),
    }
