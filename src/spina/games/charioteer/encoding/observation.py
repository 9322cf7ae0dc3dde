"""Races of Charioteer as arrays. Actions are the 57 steps of a choice."""

from __future__ import annotations

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.encoding.observation_kernel import ROAD, observe_charioteer
from spina.games.charioteer.rules.record import (
    CARD_ICONS,
    COLOUR_NAMES,
    CROWD,
    FACE_NAMES,
    HAND,
    ICON_NAMES,
    STAGE_NAMES,
    SYMBOLS,
)
from spina.games.encoding import KernelEncoding, RaceFormat, chariot_names

_SLOTS = tuple("abcdefgh")[:HAND]


class CharioteerEncoding(KernelEncoding):
    """Chariots and skills of all seats, cards and tokens of the seat, the choice that it makes, and the road ahead."""

    version = 1
    kernel = staticmethod(observe_charioteer)

    def _names(self, races: RaceFormat) -> list[str]:
        edition = races.edition
        assert isinstance(edition, CharioteerEdition)
        symbols = (*edition.symbol_names, *(f"symbol {i + 1}" for i in range(len(edition.symbol_names), SYMBOLS)))
        card = (*symbols, *(ICON_NAMES[icon] for icon in CARD_ICONS), "held")
        kinds = edition.kind_names
        own = [name for name, fan in zip(kinds, edition.fan_kinds, strict=False) if not fan]
        skills = [f"{what} in {colour}" for colour in COLOUR_NAMES for what in ("skill", "bonus")]
        numbers = ("progress", "ahead by", "lane", "damage", "attack", *skills, *own, "fan tokens")
        return [
            *("turn", "draw pile", "discard pile"),
            *(f"emperor: {face}" for face in FACE_NAMES),
            *(f"{chariot}: {number}" for chariot in chariot_names(races.seats, 1) for number in numbers),
            *(f"own token: {kind}" for kind in kinds),
            *(f"spent token: {kind}" for kind in kinds),
            *(f"hand {slot}: {number}" for slot in _SLOTS for number in card),
            *(f"crowd {slot + 1}: {number}" for slot in range(CROWD) for number in card),
            *(f"known discards: {number}" for number in card),
            *(f"outer space ahead: {space + 1}" for space in range(ROAD)),
            *(f"stage: {stage}" for stage in STAGE_NAMES),
            *(f"chosen symbol: {symbol}" for symbol in (*symbols, "reset")),
            *(f"chosen token: {kind}" for kind in kinds),
            *(f"chosen discard token: {kind}" for kind in kinds),
            *(f"changed by a wild: {slot}" for slot in _SLOTS),
            *(f"played: {slot}" for slot in _SLOTS),
            *(f"discarded: {slot}" for slot in _SLOTS),
            "with crowd card",
        ]
