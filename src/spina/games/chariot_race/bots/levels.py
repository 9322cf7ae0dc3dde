"""The levels of Chariot Race's bots."""

from __future__ import annotations

from importlib.resources import files

from msgspec.structs import replace

from spina.games.levels import Level, SearchConfig

# The search compares the choice at hand and leaves later choices to the driver: with a few hundred simulations, a tree
# that branches everywhere has too few visits at each node.
_SEARCH = SearchConfig(horizon=1, exploration=0.1, later_width=0.0, rival_width=0.0, driver_bonus=0.005, driver="keen")
_WITH_ELIMINATION = replace(_SEARCH, elimination_simulations=300, shortlist=6, elimination_margin=0.02)

LEVELS = {
    "easy": Level(driver="headlong"),
    "medium": Level(driver="steady"),
    "hard": Level(driver="competent"),
    "expert": Level(iterations=300, explain_iterations=800, config=_WITH_ELIMINATION),
}

FROZEN_LEVELS = {
    # The expert of November 2026. Every setting is written out: see `Game.frozen_levels`.
    "expert-1": Level(
        iterations=300,
        explain_iterations=800,
        config=SearchConfig(
            horizon=1,
            exploration=0.1,
            width=2.0,
            later_width=0.0,
            rival_width=0.0,
            steps=32,
            driver_bonus=0.005,
            elimination_simulations=300,
            shortlist=6,
            elimination_margin=0.02,
            driver="keen",
            candidates=0,
            prior_weight=0.0,
        ),
        network=files(__package__) / "expert-1.json",
    ),
}
