"""Chariot Race as arrays. Actions are its 242 codes."""

from __future__ import annotations

from spina.adapters.encodings.chariot_race_kernel import ROAD, observe_chariot_race
from spina.adapters.encodings.encoding import KernelEncoding, chariot_names
from spina.games.chariot_race.rules.record import CHARIOTS, DICE, SIDE_NAMES, STAGE_NAMES, WAY_NAMES


class ChariotRaceEncoding(KernelEncoding):
    """The chariots, the dice on the table, and the road before the chariot that the seat is asked about."""

    version = 1
    kernel = staticmethod(observe_chariot_race)

    def _names(self) -> list[str]:
        own = 2 if self.options["pairs"] else 1
        kinds = (f"kind {kind}" for kind in range(CHARIOTS + 1))
        figures = (
            "distance", "ahead by", "lane", "condition", "speed", "fate", "wrecked", "home", "asked", "seen from",
            "place in order", *kinds,
        )  # fmt: skip
        return [
            *("round", "caltrops left", "dice", "lane changes", "steps", "attacks"),
            *(f"stage: {stage}" for stage in STAGE_NAMES),
            *(f"die {die + 1}: {side}" for die in range(DICE) for side in SIDE_NAMES),
            *(f"{chariot}: {figure}" for chariot in chariot_names(own * self.seats, own) for figure in figures),
            *(
                f"{way} {space + 1}: {what}"
                for way in WAY_NAMES
                for space in range(ROAD)
                for what in ("safe speed", "closed", "caltrops", "chariot")
            ),
        ]
