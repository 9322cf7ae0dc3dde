"""What the rules look up for speed: fields of the edition's record that follow from others, and are not hashed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spina.games.charioteer.rules import record
from spina.games.editions import Content


def derived(content: Mapping[str, Any]) -> Content:
    """The derived fields of the record with this content."""
    return {
        **_stops(content["outer"]),
        **_cards(content["shows"], content["icon"]),
        **_tokens(content["symbol_colour"], content["kind_icon"], content["kind_colour"]),
    }


def _stops(outer: list[int]) -> Content:
    """The spaces that regular and cornering moves enter, numbered; an outer space has the number of the stop before."""
    spaces = range(len(outer))
    entered = [[*spaces], [space for space in spaces if not outer[space]]]
    return {
        "stops": [len(stops) for stops in entered],
        "stop_number": [[sum(stop <= space for stop in stops) - 1 for space in spaces] for stops in entered],
        "stop_space": [stops + [0] * (len(outer) - len(stops)) for stops in entered],
    }


def _cards(shows: list[list[int]], icons: list[int]) -> Content:
    symbols_on = [sum(1 << symbol for symbol, shown in enumerate(card) if shown) for card in shows]
    return {
        "symbols_on": symbols_on,
        "spread": [_spread(symbols) for symbols in symbols_on],
        "brings": [_brings(icon) for icon in icons],
    }


def _spread(symbols: int) -> list[int]:
    """A set of symbols with eight bits for each, in words that have room for as many symbols."""
    size = record.SYMBOLS // record.SPREAD
    return [
        sum((symbols >> (word * size + i) & 1) << (record.HAND * i) for i in range(size))
        for word in range(record.SPREAD)
    ]


def _brings(icon: int) -> int:
    """One icon, counted where it belongs; 0 for an icon that only tokens carry."""
    return 1 << (record.ICON_BITS * record.CARD_ICONS.index(icon)) if icon in record.CARD_ICONS else 0


def _tokens(symbol_colour: list[int], icons: list[int], colours: list[int]) -> Content:
    def symbols_of(colour: int) -> int:
        return sum(1 << symbol for symbol, its in enumerate(symbol_colour) if colour in (its, record.ANY_COLOUR))

    def kinds_with(icon: int) -> int:
        return sum(1 << kind for kind, its in enumerate(icons) if its == icon)

    suited = [0 if icon == record.DISCARD else symbols_of(colour) for icon, colour in zip(icons, colours, strict=True)]
    colour_symbols = [symbols_of(colour) for colour in range(record.COLOURS)]
    return {
        "kind_brings": [_brings(icon) for icon in icons],
        "suited": suited,
        "colour_symbols": colour_symbols,
        "colour_kinds": [
            sum(1 << kind for kind, symbols in enumerate(suited) if symbols & mine) for mine in colour_symbols
        ],
        "wild_kinds": kinds_with(record.WILD),
        "discard_kinds": kinds_with(record.DISCARD),
    }
