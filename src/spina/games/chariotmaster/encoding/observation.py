"""Races of Chariotmaster as arrays. Actions are entries of the menu that the rules list, each described by a row."""

from __future__ import annotations

from spina.games.chariotmaster.encoding.menu_kernel import MENU_NAMES, describe_menu
from spina.games.chariotmaster.encoding.observation_kernel import NEIGHBOURS, STRETCHES, observe_chariotmaster
from spina.games.chariotmaster.rules.record import (
    ASK_NAMES,
    CHARIOT,
    CM,
    DICE,
    DRAGGING,
    KIND_NAMES,
    PLACE_NAMES,
    POINT_NAMES,
    RACE,
    TOKEN_NAMES,
)
from spina.games.encoding import KernelMenuEncoding, RaceFormat, chariot_names
from spina.kernel.record import look

_POSE = ("ahead", "left", "cos", "sin")


class ChariotmasterEncoding(KernelMenuEncoding):
    """Chariots and track as seen from the chariot that the seat is asked about.

    The rules know some millions of actions and list a sensible menu of them.
    """

    version = 1
    kernel = staticmethod(observe_chariotmaster)
    describe = staticmethod(describe_menu)
    menu_names = MENU_NAMES

    def _names(self, races: RaceFormat) -> list[str]:
        race = look(races.sample, RACE)
        seats = race.seat[: int(race.chariots)].tolist()
        count, own = len(seats), seats.count(0)
        numbers = (
            "progress", "ahead by", "offset", "cos to track", "sin to track", *_POSE, "seen from", *POINT_NAMES,
            "horses", "dead horses", "fastest token", "top", "luck", "bite", "out of control", "reins", "stunned",
            "exhausted", "wheel", "whip", "knife", "body", "frightening", "home", "out", "same side", "active", "asked",
            "attacks", "place", "drawn", *(f"token {token}" for token in TOKEN_NAMES),
            *KIND_NAMES[CHARIOT : DRAGGING + 1], *(f"driver {place}" for place in PLACE_NAMES),
        )  # fmt: skip
        turn = ("moved", "minimum", "maximum", "pivot", "sub-moves", "spurred", "whipped", "attacks")
        piece = ("there", *_POSE, "half length", "half width", "driver or obstacle")
        return [
            *("turn", "asked", "half width of the track"),
            *(f"turn under way: {number}" for number in turn),
            *(f"question: {question}" for question in ASK_NAMES),
            *(f"die {die + 1}" for die in range(DICE)),
            *(f"track in {stretch // CM} cm: {number}" for stretch in STRETCHES for number in _POSE),
            *(f"{chariot}: {number}" for chariot in chariot_names(count, own) for number in numbers),
            *(f"piece {i + 1}: {number}" for i in range(NEIGHBOURS) for number in piece),
        ]
