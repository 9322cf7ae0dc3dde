"""What the lab knows of Chariot Race."""

from __future__ import annotations

from spina.games.chariot_race.lab.claims import CLAIMS
from spina.games.chariot_race.lab.facts import FACTS, PLACE_NAMES
from spina.games.chariot_race.lab.knobs import KNOBS
from spina.games.chariot_race.rules.record import ACTIONS, DO_JAVELIN, DO_NO_ATTACK, DO_NO_REPAIR, DO_REPAIR
from spina.games.studies.measures import Measure, best_over_worst, part_of, race_mean, wins_of
from spina.games.studies.profile import Grouping, LabProfile, SetupKind, StudySizes, Trait, Variant
from spina.games.studies.recording import Handicap

SETUPS = {
    "kinds": SetupKind("individual chariots", options={"individual": True}, opening="random"),
    "peaceful": SetupKind(
        "one never attacks", handicap=Handicap(DO_JAVELIN, ACTIONS, DO_NO_ATTACK), headline="Who never attacks"
    ),
    "unmended": SetupKind("one never repairs", handicap=Handicap(DO_REPAIR, DO_REPAIR + 1, DO_NO_REPAIR)),
}
"""In "kinds" chariots are drafted and placed by a random driver, so that neither choice depends on the other."""

PROFILE = LabProfile(
    sizes=StudySizes(
        balance=500, claims=400, tuning=600, tuning_first=60, ladder=600, training=100_000,
        arena_job=20, recording_job=40, frames=24, events=1600,
    ),
    usual_seats=6,
    balance_seats=(6,),
    balance_setups=("kinds", "peaceful"),
    setups=SETUPS,
    variant=Variant("board", ("AA", "AB", "BA", "BB"), studied=("AA", "AB", "BB")),
    facts=FACTS,
    groupings=(
        Grouping("Colour", "colour", "field", coloured=True),
        Grouping("Starting place", "grid", "field", order=PLACE_NAMES),
        Grouping("Individual chariot", "kind", "kinds"),
        Grouping("Repairs in the race", "repairs", "field", chosen=True),
    ),
    traits=(
        Trait("speed of a turn", "speed", "turns"),
        Trait("turns in which it slows down", "slower", "turns", "share"),
        Trait("spaces in the inside lane", "inside", "spaces", "share"),
        Trait("lane changes of a turn", "lane_changes", "turns"),
        Trait("corners above their number", "hot_corners"),
        Trait("condition lost in corners", "damage_corners"),
        Trait("condition lost by sprints", "damage_sprints"),
        Trait("condition lost by rams", "damage_rams"),
        Trait("condition lost to caltrops", "damage_caltrops"),
        Trait("condition lost to javelins", "damage_javelins"),
        Trait("rams", "rams"),
        Trait("javelins", "javelins"),
        Trait("caltrops", "caltrops"),
        Trait("rivals wrecked by rams and javelins", "wrecks_made"),
        Trait("repairs", "repairs"),
        Trait("dice bought with fate", "bought"),
        Trait("wrecked", "wrecked", unit="share"),
    ),
    race_statistics={"wrecked": "chariots wrecked"},
    measures={
        "start-share": Measure("best starting place over the worst", "field", best_over_worst("grid")),
        "kind-share": Measure("best individual chariot over the worst", "kinds", best_over_worst("kind")),
        "wrecked": Measure("chariots wrecked", "field", part_of("wrecked", "fleet")),
        "peaceful-wins": Measure("wins of a chariot that never attacks", "peaceful", wins_of("held", 1)),
        "unmended-wins": Measure("wins of a chariot that never repairs", "unmended", wins_of("held", 1)),
        "margin": Measure("spaces between first and second", "field", race_mean("margin")),
    },
    claims=CLAIMS,
    knobs=KNOBS,
)  # fmt: skip
