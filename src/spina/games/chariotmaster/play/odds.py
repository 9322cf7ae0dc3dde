"""The odds of an attack: dice, expected damage and chances of either side."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play.explanation import chance_of
from spina.games.chariotmaster.play.offer_types import AttackOdds
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.attacks import WHIP_COSTS
from spina.games.chariotmaster.rules.collisions import PUSHED_FROM
from spina.games.chariotmaster.rules.event_kinds import AT_BITE, AT_BOARS, AT_RAM, AT_WHIP_DRIVER, ATTACKS
from spina.games.chariotmaster.rules.record import (
    BODY,
    CHARIOTS,
    DRIVER_OF,
    EDITION,
    FACES,
    HEALTH,
    HORSES,
    OBSTACLE,
    PART_NAMES,
    RACE,
    SKILL,
    WRECK_OF,
)
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

LOSES = ("stamina", "structure", "health", None)
"""The points that a hit on each part costs."""


def attack(race: Bytes, edition: ChariotmasterEdition, attacker: int, obj: int, part: int, which: int) -> AttackOdds:
    """The odds of an attack: its target, the dice of either side, and the expected result."""
    state, figures = glance(race, RACE), glance(edition.data, EDITION)
    aim: dict[str, Any] = {
        "how": ATTACKS[which],
        "target": obj,
        "part": PART_NAMES[part],
        "escape": _escape(race, edition, state, obj),
    }
    if which in (AT_RAM, AT_BOARS):
        own_part = BODY if which == AT_RAM else HORSES
        dice = int(entries.dice_of(race, edition.data, attacker, own_part)) + int(figures.ram_bonus)
        against = int(entries.dice_of(race, edition.data, obj, part))
        return AttackOdds(**aim, **_collision(figures, dice, own_part, against, part, obj))
    if which == AT_BITE:
        theirs = int(state.bite[obj]) or int(entries.dice_of(race, edition.data, obj, HORSES))
        return AttackOdds(**aim, **_bite(figures, int(state.bite[attacker]), theirs))
    if which == AT_WHIP_DRIVER:
        return AttackOdds(**aim, **_duel(state, attacker, obj))
    return AttackOdds(**aim, costs="stamina", deals=float(WHIP_COSTS), wild=1 / FACES)


def _escape(race: Bytes, edition: ChariotmasterEdition, state: Any, obj: int) -> float | None:
    """A6, A7: the chance of the target to get away if it tries; None if it cannot."""
    if obj >= CHARIOTS:
        return None
    figures = np.zeros(entries.FIGURES * CHARIOTS, np.int64)
    entries.figures(race, edition.data, figures)
    if not figures[obj * entries.FIGURES + entries.F_DEFENDS]:
        return None
    return chance_of(int(state.points[obj, SKILL]), int(state.attacks_on[obj]) + 1)


def _hit(figures: Any) -> float:
    return (FACES + 1 - int(figures.hit_from)) / FACES


def _collision(figures: Any, dice: int, own_part: int, against: int, part: int, obj: int) -> dict[str, Any]:
    bounce = _bounces(dice, against)
    lost = LOSES[part] if obj < WRECK_OF or DRIVER_OF <= obj < OBSTACLE else None
    return {
        "dice": dice,
        "against": against,
        "deals": dice * _hit(figures) if lost else 0.0,
        "costs": lost,
        "takes": against * _hit(figures),
        "own": LOSES[own_part],
        "throws": sum(share for value, share in bounce.items() if value >= PUSHED_FROM),
        "ends": sum(share for value, share in bounce.items() if value < 0),
    }


def _binomial(number: int, chance: float) -> list[float]:
    return [comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)]


def _bounces(dice: int, against: int) -> dict[int, float]:
    """Chances of each bounce value: dice and sixes of one side, less those of the other."""
    found: dict[int, float] = {}
    for own, share in enumerate(_binomial(dice, 1 / FACES)):
        for other, part in enumerate(_binomial(against, 1 / FACES)):
            value = dice + own - against - other
            found[value] = found.get(value, 0.0) + share * part
    return found


def _bite(figures: Any, dice: int, against: int) -> dict[str, Any]:
    """Q8: the side with fewer hits loses the difference."""
    chance = _hit(figures)
    deals = takes = 0.0
    for own, share in enumerate(_binomial(dice, chance)):
        for other, part in enumerate(_binomial(against, chance)):
            deals += share * part * max(own - other, 0)
            takes += share * part * max(other - own, 0)
    return {"dice": dice, "against": against, "deals": deals, "costs": "stamina", "takes": takes, "own": "stamina"}


def _duel(state: Any, attacker: int, defender: int) -> dict[str, Any]:
    """A11: two dice with skill and health; a tie costs the attacker's whip."""
    own, other = (int(state.points[c, SKILL]) + int(state.points[c, HEALTH]) for c in (attacker, defender))
    pairs = [(a + own) - (b + other) for a in range(1, FACES + 1) for b in range(1, FACES + 1)]
    return {"hits": sum(d > 0 for d in pairs) / len(pairs), "disarmed": sum(d == 0 for d in pairs) / len(pairs)}
