"""How strong a bot is, as a player meets it: easy, medium, hard, expert."""

from __future__ import annotations

import msgspec

from spina.bots.search import Manner

LEVELS = ("easy", "medium", "hard", "expert")
"""From weak to strong."""


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A driver as it is, or a search of so many imagined races."""

    driver: str | None = None
    iterations: int = 0
    manner: Manner = Manner()


_CHARIOTEER = Manner(horizon=2, exploring=0.05, trust=0.005)
_CHARIOT_RACE = Manner(horizon=1, exploring=0.05, trust=0.15)
_CHARIOTMASTER = Manner(horizon=1, exploring=0.03, width=1.0, trust=0.05)

OF_GAME: dict[str, dict[str, Level]] = {
    # A level with a driver plays like a person of that turn of mind; one that searches sees what it leads to.
    "charioteer": {
        "easy": Level(driver="longest"),
        "medium": Level(driver="competent"),
        "hard": Level(iterations=300, manner=_CHARIOTEER),
        "expert": Level(iterations=2000, manner=_CHARIOTEER),
    },
    "chariot-race": {
        "easy": Level(driver="careful"),
        "medium": Level(driver="competent"),
        "hard": Level(iterations=100, manner=_CHARIOT_RACE),
        "expert": Level(iterations=400, manner=_CHARIOT_RACE),
    },
    "chariotmaster": {
        "easy": Level(driver="cautious"),
        "medium": Level(driver="competent"),
        "hard": Level(iterations=24, manner=_CHARIOTMASTER),
        "expert": Level(iterations=96, manner=_CHARIOTMASTER),
    },
}
