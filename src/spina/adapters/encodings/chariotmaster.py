"""Chariotmaster as arrays. Actions are entries of the menu that the rules offer, each described by a row of numbers."""

from __future__ import annotations

import numpy as np

from spina.adapters.encodings.chariotmaster_kernel import NEIGHBOURS, STRETCHES, observe_chariotmaster
from spina.adapters.encodings.encoding import KernelEncoding, Mask, Numbers, chariot_names
from spina.adapters.encodings.menu_kernel import MENU_NAMES, describe_menu
from spina.games.chariotmaster.rules.record import (
    ASK_NAMES,
    CHARIOT,
    CM,
    DICE,
    DRAGGING,
    KIND_NAMES,
    PLACE_NAMES,
    POINT_NAMES,
    TOKEN_NAMES,
)
from spina.kernel.record import Bytes
from spina.race import Race

_POSE = ("ahead", "left", "cos", "sin")


class ChariotmasterEncoding(KernelEncoding):
    """Chariots and track as they lie around the chariot that the seat is asked about.

    The rules know some millions of actions and list a sensible menu of them: action 7 is the eighth entry of the menu
    as it is now.
    """

    version = 1
    kernel = staticmethod(observe_chariotmaster)
    menu_names = MENU_NAMES

    def __init__(self, race: Race) -> None:
        self._seats = [chariot["seat"] for chariot in race.view(None)["chariots"]]
        self._asked: tuple[int, bytes] | None = None
        self._count = 0
        super().__init__(race)

    def _names(self) -> list[str]:
        count, own = len(self._seats), self._seats.count(0)
        figures = (
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
            *(f"turn under way: {figure}" for figure in turn),
            *(f"question: {question}" for question in ASK_NAMES),
            *(f"die {die + 1}" for die in range(DICE)),
            *(f"track in {stretch // CM} cm: {number}" for stretch in STRETCHES for number in _POSE),
            *(f"{chariot}: {figure}" for chariot in chariot_names(count, own) for figure in figures),
            *(f"piece {i + 1}: {number}" for i in range(NEIGHBOURS) for number in piece),
        ]

    # --- actions: entries of the menu

    def _list(self, data: Bytes, seat: int) -> int:
        """How many entries the menu has; listing takes long, so what was listed last is kept."""
        asked = seat, data.tobytes()
        if asked != self._asked:
            self._count = self._legal(data, self._data, seat, self._out)
            self._asked = asked
        return self._count

    def mask(self, data: Bytes, seat: int, room: int = 0) -> Mask:
        mask = np.zeros(self.actions + room, np.int8)
        mask[: self._list(data, seat)] = 1
        return mask

    def indices(self, data: Bytes, seat: int) -> list[int]:
        return list(range(self._list(data, seat)))

    def code(self, data: Bytes, seat: int, index: int) -> int | None:
        return int(self._out[index]) if 0 <= index < self._list(data, seat) else None

    def menu(self, data: Bytes, seat: int) -> Numbers:
        out = np.zeros((self.actions, len(MENU_NAMES)), np.float32)
        describe_menu(data, self._data, seat, self._out, self._list(data, seat), out)
        return out
