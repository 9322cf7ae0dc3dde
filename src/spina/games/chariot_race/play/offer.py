"""The offer to a seat of Chariot Race, for its page: all legal actions, with what each leads to.

No rule is written here: actions are carried out on copies of the race as far as no die is rolled. Paths are in
`paths.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import COLOURS, MOST_EDITIONS, notations
from spina.games.chariot_race.play.explanation import played
from spina.games.chariot_race.play.offer_types import (
    AttackOffer,
    DiceOffer,
    DiceSum,
    DraftOffer,
    Offer,
    Path,
    RepairOffer,
    StartOffer,
    TurnedDie,
)
from spina.games.chariot_race.play.paths import paths_of, preview, signs_offers, step_offers, ways_from
from spina.games.chariot_race.rules import dice_sums, entries
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AT_ATTACK,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    DICE,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_PLACE,
    DO_REROLL,
    EDITION,
    FACES,
    NOTHING,
    RACE,
    SIDE_NAMES,
    STAGE_NAMES,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance, reader

_QUESTION = reader(RACE, "stage", "chariot")
_TRACKS = reader(RACE, "chariot", "kind", "condition", "fate", "speed")
_ROLLED = reader(RACE, "stage", "chariot", "fate", "die", "rolled")
_RIVALS = reader(RACE, "chariot", "chariots", "seat", "space", "wrecked")
_HIT = reader(RACE, "condition", "wrecked")


def components(edition: ChariotRaceEdition) -> dict[str, Any]:
    """The figures of an edition that a page needs: those of the rules and of each kind of chariot."""
    figures = glance(edition.data, EDITION)
    names = (
        "laps", "caltrops", "repair_cost", "repair_points", "fortune_cost", "ram_damage", "caltrop_damage",
        "javelin_damage", "javelin_range", "sprint_speed", "sprint_damage", "length",
    )  # fmt: skip
    return {
        "figures": {name: int(figures[name]) for name in names},
        "die": [SIDE_NAMES[side] for side in figures.die],
        "fronts": list(edition.front),
        "next": [[None if to == NOTHING else int(to) for to in ways] for ways in edition.course.next],
        "kinds": {
            character: {
                "most": [edition.most_condition[k], edition.most_speed[k], edition.most_fate[k]],
                "first": [int(figures[f"first_{track}"][k]) for track in ("condition", "speed", "fate")],
                "dice": list(edition.dice_at[k]),
                "limit": list(edition.speed_limit[k]),
            }
            for k, character in enumerate(edition.characters)
        },
    }


def offer(race: Bytes, edition: ChariotRaceEdition, seat: int) -> Offer:
    """The legal actions of the seat and what they lead to; without actions if it is not the seat's turn."""
    stage, chariot = _QUESTION(race)
    menu = np.empty(ACTIONS, np.int64)
    codes = menu[: entries.legal(race, edition.data, seat, menu)].tolist()
    names = notations(edition)
    found = Offer(stage=STAGE_NAMES[stage], chariot=chariot, actions=[names[code] for code in codes])
    if not codes:
        return found
    if stage == AT_DRAFT:
        found.draft = [
            DraftOffer(action=names[code], character=_character(edition, code), faction=code - DO_DRAFT)
            for code in codes
        ]
    elif stage == AT_PLACE:
        found.start = [StartOffer(action=names[code], space=edition.grid[code - DO_PLACE]) for code in codes]
    elif stage == AT_REPAIR:
        found.repair = [repair_offer(race, edition, code) for code in codes]
    elif stage in (AT_REROLL, AT_FORTUNE):
        found.dice = _dice(race, edition, codes)
        found.preview = preview(ways_from(race, edition, [DO_REROLL]))
    elif stage == AT_SIGNS:
        ways = ways_from(race, edition, codes)
        found.signs, found.paths = signs_offers(ways, codes), paths_of(ways)
    elif stage == AT_PATH:
        ways = ways_from(race, edition, codes)
        found.steps, found.paths = step_offers(ways, codes), paths_of(ways)
    elif stage == AT_ATTACK:
        found.attacks = attack_offers(race, edition, [code for code in codes if code != DO_NO_ATTACK])
    return found


def best_path(race: Bytes, edition: ChariotRaceEdition, seat: int, action: str) -> Path | None:
    """The least harmful move that begins with an action, the furthest of several; None if it begins none."""
    found = offer(race, edition, seat).paths
    begun = [way for way in found if way.actions[0] == action] if found else []
    return min(begun, key=lambda way: (way.wrecked, way.damage, way.place, -len(way.spaces)), default=None)


def _character(edition: ChariotRaceEdition, code: int) -> str:
    return edition.characters[code - DO_DRAFT + 1]


# --- repair, dice, attacks ------------------------------------------------------------------------------------------


def repair_offer(race: Bytes, edition: ChariotRaceEdition, code: int) -> RepairOffer:
    """A repair, or none: condition and fate after it, the initial speed, and the dice at that speed."""
    chariot, *before = _TRACKS(race)
    kind, condition, fate, speed = (track[chariot] for track in before)
    _, _, mended, left, slowed = _TRACKS(played(race, edition, code, new_story(0)))
    return RepairOffer(
        action=notations(edition)[code],
        gain=mended[chariot] - condition,
        cost=fate - left[chariot],
        condition=mended[chariot],
        fate=left[chariot],
        speed=slowed[chariot],
        held_back=speed - slowed[chariot],
        dice=edition.dice_at[kind][slowed[chariot]],
    )


def _dice(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> DiceOffer:
    """The rolled dice, the price of another roll, and what the dice lead to as they are and with each one turned."""
    stage, chariot, fates, die, rolled = _ROLLED(race)
    names, free, price, fate = notations(edition), stage == AT_REROLL, edition.fortune_cost, fates[chariot]
    sides = [SIDE_NAMES[side] for side in die[:rolled]]
    out = np.empty((dice_sums.MOST_SUMS, dice_sums.SUM_COLUMNS), np.int64)
    count = dice_sums.dice_sums(race, edition.data, np.array(codes, np.int64), out)
    unturned, *turned = out[:count].tolist()
    return DiceOffer(
        sides=sides,
        free=free,
        price=price,
        fate=fate,
        later=max(0, fate // price - (0 if free else 1)),
        chances={side: list(chances[: len(sides)]) for side, chances in _chances(edition).items()},
        sum=_dice_sum(unturned),
        turns=[
            TurnedDie(action=names[code], die=die, before=sides[die], side=SIDE_NAMES[side], sum=_dice_sum(row))
            for row in turned
            for code, die, side in [row[: dice_sums.SUM_SPRINT]]
        ],
    )


def _dice_sum(row: Sequence[int]) -> DiceSum:
    """What dice lead to: the speeds that signs can make, damage, lane changes, attacks, fate."""
    _, _, _, sprint, condition, steers, attacks, fate, speeds, *possible = row
    return DiceSum(
        speeds=possible[:speeds],
        sprint=sprint,
        condition=condition,
        steers=steers,
        attacks=attacks,
        fate=fate,
        wrecked=condition == 0,
    )


@lru_cache(maxsize=MOST_EDITIONS)
def _chances(edition: ChariotRaceEdition) -> dict[str, tuple[float, ...]]:
    """For each side, the chance to see it at least once with 1, 2, ... dice."""
    return {
        name: tuple(round(1 - (1 - edition.die.count(side) / FACES) ** count, 3) for count in range(1, DICE + 1))
        for side, name in enumerate(SIDE_NAMES)
    }


def attack_offers(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> list[AttackOffer]:
    """Caltrops and javelins, and what each leads to."""
    _, chariots, _, spaces, wrecked = _RIVALS(race)
    standing = {spaces[chariot]: chariot for chariot in range(chariots) if not wrecked[chariot]}
    names = notations(edition)
    return [
        _javelin(race, edition, code)
        if code < DO_CALTROP
        else AttackOffer(
            action=names[code],
            kind="caltrop",
            space=code - DO_CALTROP,
            safe=edition.number[code - DO_CALTROP],
            under=standing.get(code - DO_CALTROP),
        )
        for code in codes
    ]


def _javelin(race: Bytes, edition: ChariotRaceEdition, code: int) -> AttackOffer:
    chariot, chariots, seats, spaces, _ = _RIVALS(race)
    numbers = np.empty(2 * chariots, np.int64)
    entries.places_and_colours(race, edition.data, numbers)
    target = numbers[chariots:].tolist().index(code - DO_JAVELIN)
    condition, wrecked = _HIT(played(race, edition, code, new_story(0)))
    return AttackOffer(
        action=notations(edition)[code],
        kind="javelin",
        target=target,
        colour=COLOURS[code - DO_JAVELIN],
        space=spaces[target],
        damage=edition.javelin_damage,
        condition=condition[target],
        wrecked=wrecked[target] != 0,
        own=seats[target] == seats[chariot],
    )
