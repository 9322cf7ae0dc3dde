"""Features of Chariotmaster: the inputs of the value network and the reasons that bots give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.bots.plans import way_to_go
from spina.games.chariotmaster.bots.sights import promise
from spina.games.chariotmaster.rules.chariots import best_token, is_out_of_control, is_racing
from spina.games.chariotmaster.rules.field import pose_of
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    EDITION,
    HEALTH,
    NOTHING,
    RACE,
    SKILL,
    STAMINA,
    STRUCTURE,
    TOKENS,
)
from spina.games.feature import Feature
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

FEATURES = (
    Feature("to go", 1.0, less="gets further"),
    Feature("outlook", 16.0, more="sees {n} cm more of free track ahead"),
    Feature("structure", 6.0, more="saves {n} points of structure"),
    Feature("stamina", 10.0, more="saves {n} points of stamina"),
    Feature("skill", 6.0, more="saves {n} points of skill"),
    Feature("health", 6.0, more="saves {n} points of health"),
    Feature("token", 1.0, more="keeps the faster token"),
    Feature("horses", 4.0, more="saves {n} horses"),
    Feature("in control", 1.0, more="keeps the team in hand more often"),
    Feature("aboard", 1.0, more="stays aboard more often"),
    Feature("racing", 1.0, more="stays in the race more often"),
    Feature("home", 1.0, more="crosses the line"),
    Feature("drawn"),
)
(TO_GO, OUTLOOK, STRUCTURE_LEFT, STAMINA_LEFT, SKILL_LEFT, HEALTH_LEFT, TOKEN, HORSES_LEFT, CONTROL, ON_BOARD, RACING,
 HOME, DRAWN) = range(13)  # fmt: skip
LOOKING_AHEAD = np.array([0.8, 1600, 1.0, 0.05, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Planning weights that count only the pose, for the feature `outlook`."""


@kernel
def rank_of(race: RaceRecord, edition: EditionRecord, chariot):
    """Sort key of a chariot: finished ones first, then by the way to go, those out of the race last."""
    if race.home[chariot]:
        return -1e6 + race.home[chariot]
    if not is_racing(race, chariot):
        return 1e9 + way_to_go(race, edition, chariot)
    return 1.0 * way_to_go(race, edition, chariot)


@entry(interface.MEASURE_FEATURES)
def measure_features(race_bytes, edition_bytes, seat, out):
    """Way, pose, points and control of the seat's foremost chariot."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    out[: DRAWN + 1] = 0.0
    best = NOTHING
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat:
            if best == NOTHING or rank_of(race, edition, chariot) < rank_of(race, edition, best):
                best = chariot
    whole = race.laps * edition.lap[race.scenario]
    out[TO_GO] = max(0.0, way_to_go(race, edition, best) / whole)
    if race.home[best]:
        out[HOME] = 1.0 / race.home[best]
        return
    out[STAMINA_LEFT] = race.points[best, STAMINA] / 10.0
    out[STRUCTURE_LEFT] = race.points[best, STRUCTURE] / 6.0
    out[SKILL_LEFT] = race.points[best, SKILL] / 6.0
    out[HEALTH_LEFT] = race.points[best, HEALTH] / 6.0
    out[HORSES_LEFT] = race.horses[best] / 4.0
    if not is_racing(race, best):
        return
    out[RACING] = 1.0
    out[TOKEN] = best_token(race, best) / (TOKENS - 1.0)
    out[CONTROL] = 0.0 if is_out_of_control(race, best) else 1.0
    out[ON_BOARD] = 1.0 if race.place[best] == ABOARD else 0.0
    out[DRAWN] = 1.0 if race.drawn[best] else 0.0
    out[OUTLOOK] = (promise(race, edition, best, pose_of(race, best), LOOKING_AHEAD) - race.way[best]) / 1600.0
