"""What sets one answer of Chariot Race apart from another: damage, distance, bends, rivals' javelins, fate, dice.

No rule is written here. A move is judged by the paths of the offer: by those that cost least, and among them by the one
that gets furthest. Everything is as the race stands now: rivals have not moved yet, and dice to be rolled are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.offer import attack_offers, repair_offer
from spina.games.chariot_race.play.offer_types import Path
from spina.games.chariot_race.play.paths import paths_from
from spina.games.chariot_race.rules.record import (
    AHEAD,
    AT_ATTACK,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    ATTACK,
    CHANGE,
    DO_CALTROP,
    DO_DRAFT,
    DO_NO_ATTACK,
    DO_PLACE,
    DO_REROLL,
    DO_TURN,
    EDITION,
    FACES,
    FORTUNA,
    NOTHING,
    RACE,
    SIDE_NAMES,
    STEER,
)
from spina.games.choice_reasons import Reason, Value, compared, held, sorted_out
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance


def reasons(race: Bytes, edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    """What speaks for a legal action and against it, compared with another answer to the same question."""
    match int(glance(race, RACE).stage):
        case stage if stage == AT_DRAFT:
            found = _drafting(edition, code, other)
        case stage if stage == AT_PLACE:
            found = _starting(edition, code, other)
        case stage if stage == AT_REPAIR:
            found = _repairing(race, edition, code, other)
        case stage if stage in (AT_REROLL, AT_FORTUNE):
            found = _rolling(race, edition, code, other)
        case stage if stage in (AT_SIGNS, AT_PATH):
            found = _moving(race, edition, prospect(race, edition, [code]), prospect(race, edition, [other]))
        case stage if stage == AT_ATTACK:
            found = _attacking(race, edition, code, other)
        case _:
            found = []
    return sorted_out(found)


def _drafting(edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    figures = glance(edition.data, EDITION)
    own, its = code - DO_DRAFT + 1, other - DO_DRAFT + 1
    found: list[Reason] = []
    for name in ("most_condition", "most_speed", "most_fate"):
        found += compared(name.replace("most_", "draft-"), int(figures[name][own]), int(figures[name][its]))
    return found


def _starting(edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    own, its = edition.grid[code - DO_PLACE], edition.grid[other - DO_PLACE]
    found = held("start-ahead", edition.front[own] > edition.front[its], edition.front[own] < edition.front[its])
    return found + compared("lane", edition.lane[own], edition.lane[its], less=True)


def _repairing(race: Bytes, edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    own, its = repair_offer(race, edition, code), repair_offer(race, edition, other)
    return [
        *compared("condition", own.condition, its.condition),
        *compared("first-speed", own.speed, its.speed),
        *compared("dice", own.dice, its.dice),
        *compared("fate", own.cost, its.cost, less=True),
    ]


# --- moves ----------------------------------------------------------------------------------------------------------


class Prospect(msgspec.Struct, frozen=True):
    """What can be made of a move that begins with an action: the path that costs least and gets furthest."""

    wrecked: bool
    """Whether no path survives."""
    finishes: bool
    """Whether a path that survives crosses the finishing line."""
    path: Path
    distance: int
    """How far the chariot has come at its end, in units of the course."""

    @property
    def damage(self) -> int:
        return self.path.damage


def prospect(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> Prospect:
    """The path that costs least and gets furthest, of those that begin with one of these actions."""
    found = paths_from(race, edition, codes)

    def come(path: Path) -> int:
        return path.lap * edition.length + edition.front[path.end]

    best = min(found, key=lambda path: (path.wrecked, path.damage, -come(path), path.actions))
    finishes = any(path.finished and not path.wrecked for path in found)
    return Prospect(best.wrecked, finishes, best, come(best))


def _moving(race: Bytes, edition: ChariotRaceEdition, own: Prospect, its: Prospect) -> list[Reason]:
    """Of two moves: whether they are survived, what they cost, how far they get for that, and where they end."""
    found = held("survives", not own.wrecked, not its.wrecked)
    if own.wrecked or its.wrecked:
        return found
    found += held("finish", own.finishes, its.finishes)
    corners = [corner.safe for corner in its.path.corners]
    if corners and not own.path.corners and own.damage < its.damage:
        by = its.damage - own.damage
        found.append(Reason("bend", True, {"safe": min(corners), "speed": own.path.speed, "by": by, "count": by}))
    else:
        found += compared("damage", own.damage, its.damage, less=True)
    if own.damage == its.damage:
        found += _further(race, edition, own, its)
    found += _hunted(race, edition, own, its)
    found += _next_bend(edition, own.path, its.path)
    found += compared("lane", edition.lane[own.path.end], edition.lane[its.path.end], less=True)
    return found


def _further(race: Bytes, edition: ChariotRaceEdition, own: Prospect, its: Prospect) -> list[Reason]:
    """Who is passed, else how many spaces further one move gets, each as long as those of its end's lane."""
    if own.path.place != its.path.place:
        return compared("place", own.path.place, its.path.place, less=True)
    unit = edition.length / edition.spaces * edition.lanes
    return compared("further", own.distance / unit, its.distance / unit, least=0.5)


def hunters(race: Bytes, edition: ChariotRaceEdition, space: int) -> list[int]:
    """Rivals of the chariot whose turn it is that have the space in range of their javelins as they stand."""
    state, near = glance(race, RACE), glance(edition.data, EDITION).near
    own = int(state.seat[state.chariot])
    return [
        rival
        for rival in range(int(state.chariots))
        if state.seat[rival] != own
        and not state.wrecked[rival]
        and state.space[rival] != NOTHING
        and near[int(state.space[rival]), space] > 0
    ]


def _hunted(race: Bytes, edition: ChariotRaceEdition, own: Prospect, its: Prospect) -> list[Reason]:
    """Rivals whose javelins reach the end of one move only."""
    mine, theirs = (set(hunters(race, edition, each.path.end)) for each in (own, its))
    if theirs > mine:
        return [Reason("javelins", True, {"rivals": sorted(theirs - mine)})]
    if mine > theirs:
        return [Reason("javelins", False, {"rivals": sorted(mine - theirs)})]
    return []


def bend_ahead(edition: ChariotRaceEdition, space: int, speed: int) -> int:
    """The safe speed of the next bend straight ahead, if a move at this speed gets there; else 0."""
    figures = glance(edition.data, EDITION)
    for _ in range(speed):
        space = int(figures.next[space, AHEAD])
        if figures.number[space] > 0:
            return int(figures.number[space])
    return 0


def _next_bend(edition: ChariotRaceEdition, own: Path, its: Path) -> list[Reason]:
    """By how much each is too fast for the next bend, else which is faster."""
    safe, other = bend_ahead(edition, own.end, own.speed), bend_ahead(edition, its.end, its.speed)
    over, more = (max(0, speed - limit) if limit else 0 for speed, limit in ((own.speed, safe), (its.speed, other)))
    if not over and more:
        return [Reason("next-bend", True, {"safe": other, "speed": own.speed, "by": more, "count": more})]
    if over and not more:
        return [Reason("next-bend", False, {"safe": safe, "speed": own.speed, "by": over, "count": over})]
    return [] if over or more else compared("speed", own.speed, its.speed)


# --- dice -----------------------------------------------------------------------------------------------------------


class DiceProspect(msgspec.Struct, frozen=True):
    """What dice that are not rolled again lead to."""

    sides: tuple[int, ...]
    move: Prospect


def _rolled(code: int) -> int:
    """How many dice an answer rolls again; 0 for those that keep or turn them."""
    return (code - DO_REROLL).bit_count() if DO_REROLL <= code < DO_TURN else 0


def _price(race: Bytes, edition: ChariotRaceEdition, code: int) -> int:
    """Fate that an answer about the dice costs."""
    free = code == DO_REROLL or int(glance(race, RACE).stage) == AT_REROLL
    return 0 if free else int(glance(edition.data, EDITION).fortune_cost)


def dice_prospect(race: Bytes, edition: ChariotRaceEdition, code: int) -> DiceProspect:
    """The dice as they are kept or turned, and the best move with them."""
    state = glance(race, RACE)
    sides = [int(side) for side in state.die[: int(state.rolled)]]
    if code >= DO_TURN:
        die, side = divmod(code - DO_TURN, FORTUNA)
        sides[die] = side
    return DiceProspect(tuple(sides), prospect(race, edition, [code]))


def _rolling(race: Bytes, edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    fate = compared("fate", _price(race, edition, code), _price(race, edition, other), less=True)
    again, others = _rolled(code), _rolled(other)
    if again and others:
        return fate
    if again:
        kept = dice_prospect(race, edition, other)
        return [*_against_dice(kept), *_chances(edition, kept, again), *fate]
    own = dice_prospect(race, edition, code)
    if others:
        return [*_for_dice(edition, own), *fate]
    its = dice_prospect(race, edition, other)
    return [
        *_moving(race, edition, own.move, its.move),
        *compared("lanes", own.sides.count(STEER), its.sides.count(STEER)),
        *compared("attacks", own.sides.count(ATTACK), its.sides.count(ATTACK)),
        *fate,
    ]


def _against_dice(kept: DiceProspect) -> list[Reason]:
    """Why the dice as they lie are not good enough."""
    if kept.move.wrecked:
        return [Reason("lie-wreck", True)]
    if kept.move.damage:
        return [Reason("lie-damage", True, {"n": kept.move.damage, "count": kept.move.damage})]
    return []


def _chances(edition: ChariotRaceEdition, kept: DiceProspect, again: int) -> list[Reason]:
    """The chance of a side that the dice do not show: one that steers, else one that changes the speed."""
    die = list(glance(edition.data, EDITION).die)
    for side in (STEER, CHANGE):
        if side not in kept.sides and side in die:
            chance = 1 - (1 - die.count(side) / FACES) ** again
            return [Reason("chance", True, {"side": SIDE_NAMES[side], "share": round(chance, 3)})]
    return []


def _for_dice(edition: ChariotRaceEdition, kept: DiceProspect) -> list[Reason]:
    """What is certain with the dice as they are."""
    if kept.move.wrecked:
        return []
    path = kept.move.path
    values: dict[str, Value] = {"space": edition.space_names[path.end], "n": path.damage, "count": path.damage}
    return [Reason("sure" if path.damage else "sure-free", True, values)]


# --- attacks --------------------------------------------------------------------------------------------------------


def _attacking(race: Bytes, edition: ChariotRaceEdition, code: int, other: int) -> list[Reason]:
    own, its = (_strike(race, edition, each) for each in (code, other))
    found = []
    for good, one in ((True, own), (False, its)):
        if one is not None and one != (its if good else own):
            found.append(Reason(one[0], good, one[1]))
    return found


def _strike(race: Bytes, edition: ChariotRaceEdition, code: int) -> tuple[str, dict[str, Value]] | None:
    """What an attack does to whom; None if it does nothing that can be told now, or harms an own chariot."""
    if code == DO_NO_ATTACK:
        return None
    (told,) = attack_offers(race, edition, [code])
    if code < DO_CALTROP:
        if told.own:
            return None
        target, damage, left = (_number(value) for value in (told.target, told.damage, told.condition))
        values: dict[str, Value] = {"rivals": [target], "n": damage, "left": left}
        return ("javelin-wrecks" if told.wrecked else "javelin"), values
    victims = in_the_way(race, edition, told.space)
    return ("caltrop", {"rivals": victims, "space": edition.space_names[told.space]}) if victims else None


def _number(value: Any) -> int:
    return int(value)


def in_the_way(race: Bytes, edition: ChariotRaceEdition, space: int) -> list[int]:
    """Rivals that drive over the space if they go straight on at the speed that they have now."""
    state, figures = glance(race, RACE), glance(edition.data, EDITION)
    own = int(state.seat[state.chariot])
    found = []
    for rival in range(int(state.chariots)):
        if state.seat[rival] == own or state.wrecked[rival] or state.space[rival] == NOTHING or state.home[rival]:
            continue
        here = int(state.space[rival])
        for _ in range(int(state.speed[rival])):
            here = int(figures.next[here, AHEAD])
            if here == space:
                found.append(rival)
                break
    return found
