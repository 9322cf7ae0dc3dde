"""How strong a bot is, as a player meets it: easy, medium, hard, expert."""

from __future__ import annotations

import msgspec

from spina.bots.search_bot import Manner

LEVELS = ("easy", "medium", "hard", "expert")
"""From weak to strong."""


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A driver as it is, or a search of so many imagined races."""

    driver: str | None = None
    iterations: int = 0
    explaining: int = 0
    """Imagined races when it gives advice: people look longer at that than they wait for a bot."""
    manner: Manner = Manner()


# The searches compare the choice at hand and leave what follows to the drivers: with so few imagined races, a tree that
# tries everything everywhere blurs what it compares.
_CHARIOTEER = Manner(horizon=2, exploring=0.1, later_width=0.0, rival_width=0.0, steps=2, trust=0.003)
_CHARIOT_RACE = Manner(horizon=1, exploring=0.1, later_width=0.0, rival_width=0.0, trust=0.005, driver="keen")
_AGAIN = msgspec.structs.replace(_CHARIOT_RACE, again=300, shortlist=6, promising=0.02)
_CHARIOTMASTER = Manner(
    horizon=1, exploring=0.05, width=1.0, later_width=0.0, rival_width=0.0, trust=0.1, driver="daring"
)

OF_GAME: dict[str, dict[str, Level]] = {
    # A level with a driver plays like a person of that turn of mind; one that searches sees what it leads to.
    "charioteer": {
        "easy": Level(driver="longest"),
        "medium": Level(driver="competent"),
        "hard": Level(iterations=60, manner=_CHARIOTEER),
        "expert": Level(iterations=400, explaining=4000, manner=_CHARIOTEER),
    },
    "chariot-race": {
        "easy": Level(driver="careful"),
        "medium": Level(driver="competent"),
        "hard": Level(iterations=100, manner=_CHARIOT_RACE),
        "expert": Level(iterations=300, explaining=800, manner=_AGAIN),
    },
    "chariotmaster": {
        "easy": Level(driver="cautious"),
        "medium": Level(driver="competent"),
        "hard": Level(driver="bold"),
        # the search, at what a second can pay for, is not yet stronger than its driver: it explains, the driver plays
        "expert": Level(driver="daring", explaining=192, manner=_CHARIOTMASTER),
    },
}
