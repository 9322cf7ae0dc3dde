"""Races of Chariot Race as arrays. Actions are its 242 codes."""

from __future__ import annotations

from spina.games.chariot_race.encoding.observation_kernel import ROAD, observe_chariot_race
from spina.games.chariot_race.rules.record import CHARIOTS, DICE, SIDE_NAMES, STAGE_NAMES, WAY_NAMES
from spina.games.encoding import KernelEncoding, RaceFormat, chariot_names


class ChariotRaceEncoding(KernelEncoding):
    """The chariots, the dice on the table, and the road before the chariot that the seat is asked about."""

    version = 1
    kernel = staticmethod(observe_chariot_race)

    def _names(self, races: RaceFormat) -> list[str]:
        own = 2 if races.options["pairs"] else 1
        kinds = (f"kind {kind}" for kind in range(CHARIOTS + 1))
        numbers = (
            "distance", "ahead by", "lane", "condition", "speed", "fate", "wrecked", "home", "asked", "seen from",
            "place in order", *kinds,
        )  # fmt: skip
        return [
            *("round", "caltrops left", "dice", "lane changes", "steps", "attacks"),
            *(f"stage: {stage}" for stage in STAGE_NAMES),
            *(f"die {die + 1}: {side}" for die in range(DICE) for side in SIDE_NAMES),
            *(f"{chariot}: {number}" for chariot in chariot_names(own * races.seats, own) for number in numbers),
            *(
                f"{way} {space + 1}: {what}"
                for way in WAY_NAMES
                for space in range(ROAD)
                for what in ("safe speed", "closed", "caltrops", "chariot")
            ),
        ]
