"""What the lab knows of Chariotmaster."""

from __future__ import annotations

from spina.games.chariotmaster.lab.claims import CLAIMS
from spina.games.chariotmaster.lab.facts import FACTS
from spina.games.chariotmaster.lab.knobs import KNOBS
from spina.games.chariotmaster.lab.setups import SETUPS
from spina.games.chariotmaster.rules.record import TOKEN_NAMES
from spina.games.studies.measures import Measure, best_over_fair, best_over_worst, chariots_with, wins_of
from spina.games.studies.profile import Grouping, LabProfile, StudySizes, Trait

PROFILE = LabProfile(
    sizes=StudySizes(
        balance=120, claims=80, tuning=120, tuning_first=16, ladder=600, training=2500,
        arena_job=4, recording_job=8, frames=80, events=5000,
    ),
    usual_seats=4,
    balance_seats=(4,),
    balance_setups=("species", "equipment", "peaceful"),
    setups=SETUPS,
    facts=FACTS,
    groupings=(
        Grouping("Seat and colour", "colour", "field", coloured=True),
        Grouping("Starting lane, from the inside", "lane", "field"),
        Grouping("Species", "species", "species"),
        Grouping("Chassis", "chassis", "equipment"),
        Grouping("Horses", "horses", "equipment"),
        Grouping("Skill of the driver", "skill", "equipment"),
        Grouping("Fitness of the driver", "fitness", "equipment"),
        Grouping("Luck and fright", "other", "equipment"),
    ),
    traits=(
        Trait("centimetres of a turn", "driven", "turns"),
        *(Trait(f"turns with the token {name}", f"with_{name}", "turns", "share") for name in TOKEN_NAMES),
        Trait("sub-moves of a turn", "submoves", "turns"),
        Trait("side sweeps", "sweeps", "submoves", "share"),
        Trait("tests of a turn", "tests", "turns"),
        Trait("tests failed", "failed", "tests", "share"),
        Trait("brakes", "brakes"),
        Trait("spurs", "spurs"),
        Trait("whips its own team", "whips"),
        Trait("rams", "rams_made"),
        Trait("whips at rivals", "whips_made"),
        Trait("collisions that it begins", "collisions"),
        Trait("reins lost", "reins_lost"),
        Trait("crashes", "crashes"),
        Trait("out of stamina", "exhausted"),
        Trait("stamina left", "stamina_left"),
        Trait("home", "finished", unit="share"),
        Trait("eliminated", "eliminated", unit="share"),
    ),
    race_statistics={"finishers": "chariots home", "collisions": "collisions"},
    measures={
        "lane-share": Measure("best starting lane over its fair share", "field", best_over_fair("lane")),
        "species-share": Measure("best species over the worst", "species", best_over_worst("species")),
        "able": Measure("chariots home or still able to race", "field", chariots_with("able")),
        "peaceful-wins": Measure("wins of a chariot that never attacks", "peaceful", wins_of("held", 1)),
    },
    claims=CLAIMS,
    knobs=KNOBS,
)  # fmt: skip
