"""What the lab knows of Charioteer."""

from __future__ import annotations

from spina.games.charioteer.lab.claims import CLAIMS
from spina.games.charioteer.lab.facts import FACTS
from spina.games.charioteer.lab.knobs import KNOBS
from spina.games.charioteer.rules.record import COLOUR_NAMES
from spina.games.studies.measures import Measure, best_over_fair, race_mean
from spina.games.studies.profile import Grouping, LabProfile, StudySizes, Trait

PROFILE = LabProfile(
    sizes=StudySizes(
        balance=1500, claims=1200, tuning=1200, tuning_first=100, ladder=400, training=100_000,
        arena_job=250, recording_job=200, frames=48, events=4000,
    ),
    usual_seats=4,
    balance_seats=(2, 3, 4, 5, 6),
    facts=FACTS,
    groupings=(
        Grouping("Seat and colour", "colour", "field", coloured=True),
        Grouping("Order on the first turn", "order", "field"),
        Grouping("Strongest skill on the skills card", "top_skill", "field", coloured=True),
        Grouping("Weakest skill on the skills card", "weak_skill", "field", coloured=True),
        Grouping("Markers in the bonus box at half time", "bonus_half", "field", chosen=True),
        Grouping("First colour in the bonus box", "first_in_box", "field", coloured=True, chosen=True),
    ),
    traits=(
        Trait("points of a move", "points", "moves"),
        Trait("points from skill, of a move", "skill_points", "moves"),
        Trait("points from tokens, of a move", "token_points", "moves"),
        Trait("points lost by damage, of a move", "damage_points", "moves"),
        Trait("cards of a move", "cards", "moves"),
        Trait("moves with the crowd's card", "with_crowd", "moves", "share"),
        Trait("moves with a token", "tokens", "moves", "share"),
        Trait("fan tokens won", "fan_tokens"),
        Trait("resets", "resets"),
        Trait("attacks on rivals", "attacks"),
        Trait("whips", "whips"),
        Trait("spaces run under a whip", "whipped_spaces", "whips"),
        Trait("lanes from the inside, of a step", "lanes", "steps"),
        Trait("spaces that a step in a corner gains", "corner_spaces", "corner_steps"),
        Trait("damage suffered", "cubes"),
        *(Trait(f"{colour} moves", f"moves_{colour}", "moves", "share") for colour in COLOUR_NAMES),
        Trait("markers in the bonus box at half time", "bonus_half"),
        Trait("part of the race until the first of them", "first_bonus", unit="share"),
        Trait("first turn: points", "first_points"),
        Trait("first turn: cards", "first_cards"),
        Trait("first turn: a token", "first_tokens", unit="share"),
    ),
    race_statistics={"resets": "resets"},
    measures={
        "bonus-box": Measure(
            "part of the race until a marker is in a bonus box", "field", race_mean("first_bonus", "share")
        ),
        "order-share": Measure("best starting order over its fair share", "field", best_over_fair("order")),
        "skill-share": Measure("best strongest skill over its fair share", "field", best_over_fair("top_skill")),
        "margin": Measure("spaces between first and second", "field", race_mean("margin")),
    },
    claims=CLAIMS,
    knobs=KNOBS,
)  # fmt: skip
