"""The levels of Chariotmaster's bots."""

from __future__ import annotations

from spina.games.levels import Level, SearchConfig

_SEARCH = SearchConfig(
    horizon=1, exploration=0.05, width=1.0, later_width=0.0, rival_width=0.0, driver_bonus=0.1, driver="daring"
)

LEVELS = {
    "easy": Level(driver="headlong"),
    "medium": Level(driver="steady"),
    "hard": Level(driver="bold"),
    # The policy plays, a search explains. Whether a search among its candidates is stronger has not been raced yet.
    "expert": Level(driver="learned", explain_iterations=192, config=_SEARCH),
}

FROZEN_LEVELS = {
    # The expert of November 2026, a driver: see `Game.frozen_levels`.
    "expert-1": Level(driver="daring"),
}
