"""The levels of Charioteer's bots."""

from __future__ import annotations

from importlib.resources import files

from spina.games.levels import Level, SearchConfig

# The search compares the whole choices that the policy thinks best, and simulates with the policy in every seat.
_SEARCH = SearchConfig(horizon=2, later_width=0.0, rival_width=0.0, driver="learned", candidates=12, prior_weight=32.0)

LEVELS = {
    "easy": Level(driver="longest"),
    "medium": Level(driver="competent"),
    # So few simulations compare nothing: hard takes what the policy thinks best, and the search explains it.
    "hard": Level(iterations=16, config=_SEARCH),
    "expert": Level(iterations=3000, explain_iterations=6000, config=_SEARCH),
}

FROZEN_LEVELS = {
    # The expert of November 2026. Every setting is written out: see `Game.frozen_levels`.
    "expert-1": Level(
        iterations=400,
        explain_iterations=4000,
        config=SearchConfig(
            horizon=2,
            exploration=0.1,
            width=2.0,
            later_width=0.0,
            rival_width=0.0,
            steps=2,
            driver_bonus=0.003,
            elimination_simulations=0,
            shortlist=3,
            elimination_margin=0.01,
            driver="competent",
            candidates=0,
            prior_weight=0.0,
        ),
        network=files(__package__) / "expert-1.json",
    ),
}
