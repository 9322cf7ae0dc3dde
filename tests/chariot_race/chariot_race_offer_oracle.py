"""The offer of Chariot Race made the slow way, which the quick one must equal: each action on a copy of the race.

Ways that meet in a space with the same steps and lane changes left, and that have rammed the same chariots, continue
alike: only the one with the least damage is followed. So each end that can be survived is found; of the ways to be
wrecked, only those that cannot be avoided on the way to a space are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import msgspec
import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import COLOURS, action
from spina.games.chariot_race.play.explanation import played
from spina.games.chariot_race.play.offer_types import (
    AttackOffer,
    CornerLoss,
    DiceOffer,
    DiceSum,
    DraftOffer,
    Offer,
    Path,
    PathEnd,
    Ram,
    RepairOffer,
    SignsOffer,
    StartOffer,
    StepOffer,
    TurnedDie,
)
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.dice_roll import count_side, set_speed, speed_after, take_fortune
from spina.games.chariot_race.rules.event_kinds import (
    CORNERED,
    CRASHED,
    PUT_BACK,
    RAMMED,
    SPED,
    SPIKED,
    STEPPED,
    WRECKED,
)
from spina.games.chariot_race.rules.movement import colour_of
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
    CHANGE,
    DICE,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_PLACE,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    EDITION,
    FACES,
    FORTUNA,
    NOTHING,
    RACE,
    SIDE_NAMES,
    SPRINT,
    STAGE_NAMES,
    WAYS,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes, fields
from spina.kernel.record_views import glance

WORD = 8


def _word(name: str) -> int:
    """Index of a 64-bit field in the record of a race, for quick access: there are many paths."""
    assert RACE.fields is not None
    return RACE.fields[name][1] // WORD


STEERS, STAGE = _word("steers"), _word("stage")
MOST_PATHS = 120
"""Most paths that are listed, unless there are more ends: the best path to each end is always listed."""
STORY = 100
"""Events that are read of one action."""


def offer(race: Bytes, edition: ChariotRaceEdition, seat: int) -> Offer:
    """The legal actions of the seat and what they lead to; without actions if it is not the seat's turn."""
    state = glance(race, RACE)
    menu = np.zeros(ACTIONS, np.int64)
    codes = menu[: entries.legal(race, edition.data, seat, menu)].tolist()
    found = Offer(
        stage=STAGE_NAMES[state.stage],
        chariot=int(state.chariot),
        actions=[_notation(edition, code) for code in codes],
    )
    if not codes:
        return found
    match int(state.stage):
        case stage if stage == AT_DRAFT:
            found.draft = [
                DraftOffer(
                    action=_notation(edition, code), character=_character(edition, code), faction=code - DO_DRAFT
                )
                for code in codes
            ]
        case stage if stage == AT_PLACE:
            found.start = [
                StartOffer(action=_notation(edition, code), space=edition.grid[code - DO_PLACE]) for code in codes
            ]
        case stage if stage == AT_REPAIR:
            found.repair = [repair_offer(race, edition, code) for code in codes]
        case stage if stage in (AT_REROLL, AT_FORTUNE):
            found.dice = _dice(race, edition, codes)
            found.preview = _preview(paths_from(race, edition, [DO_REROLL]))
        case stage if stage == AT_SIGNS:
            found.signs = [_signs(race, edition, code) for code in codes]
            found.paths = paths_from(race, edition, codes)
        case stage if stage == AT_PATH:
            found.steps = [_step(race, edition, code) for code in codes]
            found.paths = paths_from(race, edition, codes)
        case stage if stage == AT_ATTACK:
            found.attacks = [attack_offer(race, edition, code) for code in codes if code != DO_NO_ATTACK]
    return found


def _notation(edition: ChariotRaceEdition, code: int) -> str:
    return str(action(edition, code))


def _character(edition: ChariotRaceEdition, code: int) -> str:
    return edition.characters[code - DO_DRAFT + 1]


# --- repair, dice, attacks ------------------------------------------------------------------------------------------


def repair_offer(race: Bytes, edition: ChariotRaceEdition, code: int) -> RepairOffer:
    """A repair, or none: condition and fate after it, the initial speed, and the dice at that speed."""
    chariot = int(glance(race, RACE).chariot)
    before, after = (_values(data, chariot) for data in (race, played(race, edition, code, new_story(0))))
    return RepairOffer(
        action=_notation(edition, code),
        gain=after["condition"] - before["condition"],
        cost=before["fate"] - after["fate"],
        **after,
        held_back=before["speed"] - after["speed"],
        dice=edition.dice_at[int(glance(race, RACE).kind[chariot])][after["speed"]],
    )


def _values(race: Bytes, chariot: int) -> dict[str, int]:
    """Condition, fate and speed of a chariot."""
    state = glance(race, RACE)
    return {name: int(state[name][chariot]) for name in ("condition", "fate", "speed")}


def _dice(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> DiceOffer:
    """The rolled dice, the price of another roll, and what the dice lead to as they are and with each one turned."""
    state, figures = glance(race, RACE), glance(edition.data, EDITION)
    free = int(state.stage) == AT_REROLL
    price = int(figures.fortune_cost)
    fate = int(state.fate[state.chariot])
    sides = [int(state.die[die]) for die in range(int(state.rolled))]
    turns = []
    seen: set[tuple[int, int]] = set()
    for code in codes:
        if not DO_TURN <= code < DO_SIGNS:
            continue
        die, side = divmod(code - DO_TURN, FORTUNA)
        if (sides[die], side) in seen:
            continue  # dice that show the same side are interchangeable
        seen.add((sides[die], side))
        then = [*sides[:die], side, *sides[die + 1 :]]
        turns.append(
            TurnedDie(
                action=_notation(edition, code),
                die=die,
                before=SIDE_NAMES[sides[die]],
                side=SIDE_NAMES[side],
                sum=dice_sum(race, edition, then, fate - price),
            )
        )
    chance = {SIDE_NAMES[side]: list(figures.die).count(side) for side in range(len(SIDE_NAMES))}
    return DiceOffer(
        sides=[SIDE_NAMES[side] for side in sides],
        free=free,
        price=price,
        fate=fate,
        later=max(0, fate // price - (0 if free else 1)),
        chances={
            side: [round(1 - (1 - faces / FACES) ** count, 3) for count in range(1, len(sides) + 1)]
            for side, faces in chance.items()
        },
        sum=dice_sum(race, edition, sides, fate),
        turns=turns,
    )


def dice_sum(race: Bytes, edition: ChariotRaceEdition, sides: Sequence[int], fate: int) -> DiceSum:
    """What these dice lead to with this fate: the speeds that signs can make, damage, lane changes, attacks, fate."""
    settled = race.copy()
    state, figures = glance(settled, RACE), glance(edition.data, EDITION)
    chariot = int(state.chariot)
    state.die[: len(sides)] = sides
    state.fate[chariot] = fate
    speeds = np.zeros(DICE + 1, np.int64)
    count = settle(settled, edition, chariot, speeds)
    condition = int(state.condition[chariot])
    return DiceSum(
        speeds=sorted(set(speeds[:count].tolist())),
        sprint=int(figures.sprint_damage) * sides.count(SPRINT),
        condition=condition,
        steers=int(state.steers),
        attacks=int(state.attacks),
        fate=int(state.fate[chariot]),
        wrecked=condition == 0,
    )


def settle(race: Bytes, edition: ChariotRaceEdition, chariot: int, out: Any) -> int:
    """Settle the dice of a copy with all signs minus; write the speeds by +/- dice that count as plus, return how many.

    Afterwards condition, fate, lane changes and attacks of the copy are those at the beginning of the move.
    """
    state, figures = fields(race, RACE), fields(edition.data, EDITION)
    changes, sprints = count_side(state, CHANGE), count_side(state, SPRINT)
    for plus in range(changes + 1):
        out[plus] = speed_after(figures, state.kind[chariot], state.speed[chariot], changes, plus, sprints)
    take_fortune(state, figures, chariot, new_story(0))
    set_speed(state, figures, chariot, 0, new_story(0))
    return changes + 1


def attack_offer(race: Bytes, edition: ChariotRaceEdition, code: int) -> AttackOffer:
    """A caltrop or a javelin, and what it leads to."""
    state, figures = glance(race, RACE), glance(edition.data, EDITION)
    if code >= DO_CALTROP:
        space = code - DO_CALTROP
        standing = [c for c in range(int(state.chariots)) if state.space[c] == space and not state.wrecked[c]]
        return AttackOffer(
            action=_notation(edition, code),
            kind="caltrop",
            space=space,
            safe=edition.number[space],
            under=standing[0] if standing else None,
        )
    faction = code - DO_JAVELIN
    target = next(c for c in range(int(state.chariots)) if colour_of(fields(race, RACE), c) == faction)
    hit = glance(played(race, edition, code, new_story(0)), RACE)
    return AttackOffer(
        action=_notation(edition, code),
        kind="javelin",
        target=target,
        colour=COLOURS[faction],
        space=int(state.space[target]),
        damage=int(figures.javelin_damage),
        condition=int(hit.condition[target]),
        wrecked=bool(hit.wrecked[target]),
        own=int(state.seat[target]) == int(state.seat[state.chariot]),
    )


# --- paths ----------------------------------------------------------------------------------------------------------


class Way(msgspec.Struct):
    """A part of a move: the actions chosen, and what they have led to."""

    race: Bytes
    chariot: int
    seat: int
    harm: tuple[int, int, int]
    """Damage of a sprint, a ram and a caltrop."""
    codes: tuple[int, ...]
    speed: int
    points: int
    steers: int
    space: int
    lap: int
    condition: int
    spaces: tuple[int, ...] = ()
    sprint: int = 0
    corners: tuple[tuple[int, int, int], ...] = ()
    """Space, safe speed, damage."""
    rams: tuple[tuple[int, int, int], ...] = ()
    """Rammed chariot, own damage, condition that the rammed chariot has left."""
    spikes: tuple[tuple[int, int], ...] = ()
    """Space, damage."""
    wrecks: tuple[int, ...] = ()
    put_back: bool = False
    heap: bool = False
    done: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        """Ways with the same key continue alike and differ only in their damage."""
        rammed = frozenset(chariot for chariot, _, _ in self.rams)
        return self.speed, self.points, self.space, self.steers, rammed, self.condition == 0

    @property
    def better(self) -> tuple[int, int]:
        """Of two ways with the same key, the one with the greater value is kept."""
        return self.condition, -sum(code > DO_STEP for code in self.codes)


def paths_from(race: Bytes, edition: ChariotRaceEdition, codes: Iterable[int]) -> list[Path]:
    """The ends of the move with the path of least damage to each; the furthest first, wrecks last."""
    state = glance(race, RACE)
    ends: dict[tuple[Any, ...], Way] = {}
    for way in _completed(race, edition, codes):
        rammed = frozenset(chariot for chariot, _, _ in way.rams)
        key = way.speed, way.space, rammed, way.condition == 0
        if key not in ends or ends[key].better < way.better:
            ends[key] = way
    rivals = [
        chariot_distance(state, edition, rival)
        for rival in range(int(state.chariots))
        if rival != state.chariot and not state.wrecked[rival]
    ]
    ways = sorted(ends.values(), key=lambda way: _rank(way, edition))
    first: set[tuple[int, int]] = set()
    kept: list[Way] = []
    more: list[Way] = []
    for way in ways:
        (more if (way.speed, way.space) in first else kept).append(way)
        first.add((way.speed, way.space))
    listed = sorted(kept + more[: max(0, MOST_PATHS - len(kept))], key=lambda way: _rank(way, edition))
    return [_told(way, edition, rivals) for way in listed]


def chariot_distance(state: Any, edition: ChariotRaceEdition, chariot: int) -> int:
    """R1: how far a chariot has come, in units of the course; 0 or less before the first crossing of the line."""
    space = int(state.space[chariot])
    return int(state.lap[chariot]) * edition.length + (edition.front[space] if space != NOTHING else 0)


def _preview(paths: Sequence[Path]) -> list[PathEnd]:
    """The ends that the dice lead to if they are kept, each with the least damage."""
    ends: dict[int, PathEnd] = {}
    for way in paths:
        here = PathEnd(end=way.end, damage=way.damage, wrecked=way.wrecked)
        known = ends.setdefault(way.end, here)
        if (here.wrecked, here.damage) < (known.wrecked, known.damage):
            ends[way.end] = here
    return list(ends.values())


def _rank(way: Way, edition: ChariotRaceEdition) -> tuple[Any, ...]:
    return way.condition == 0, -way.lap * edition.length - edition.front[way.space], -way.condition, way.codes


def _completed(race: Bytes, edition: ChariotRaceEdition, codes: Iterable[int]) -> list[Way]:
    """All ways to complete the move that begin with one of these actions; of ways that meet, the best."""
    start = _start(race, edition)
    open_ways: dict[tuple[Any, ...], Way] = {}
    done: list[Way] = []
    story = new_story(STORY)
    pending = [_follow(start, edition, code, story) for code in codes]
    while pending or open_ways:
        for way in pending:
            if way.done:
                done.append(way)
            elif way.key not in open_ways or open_ways[way.key].better < way.better:
                open_ways[way.key] = way
        if not open_ways:
            break
        most = max(way.points for way in open_ways.values())
        turn = [key for key, way in open_ways.items() if way.points == most]
        pending = []
        for key in turn:
            pending += _onward(open_ways.pop(key), edition, story)
    return done


def _start(race: Bytes, edition: ChariotRaceEdition) -> Way:
    """The way before the next action."""
    state = glance(race, RACE)
    chariot = int(state.chariot)
    figures = glance(edition.data, EDITION)
    return Way(
        race=race,
        chariot=chariot,
        seat=int(state.seat[chariot]),
        harm=(int(figures.sprint_damage), int(figures.ram_damage), int(figures.caltrop_damage)),
        codes=(),
        speed=int(state.speed[chariot]),
        points=int(state.points),
        steers=int(state.steers),
        space=int(state.space[chariot]),
        lap=int(state.lap[chariot]),
        condition=int(state.condition[chariot]),
    )


def _onward(way: Way, edition: ChariotRaceEdition, story: Any) -> list[Way]:
    """The ways that continue from here with one more action."""
    stage = way.race.view(np.int64)[STAGE]
    codes = range(DO_STEP, DO_STEP + WAYS)
    if stage == AT_FORTUNE:
        codes = range(DO_REROLL, DO_REROLL + 1)
    elif stage == AT_SIGNS:
        codes = range(DO_SIGNS, DO_STEP)
    return [
        _follow(way, edition, code, story)
        for code in codes
        if entries.check(way.race, edition.data, way.seat, code) == entries.OK
    ]


def _follow(way: Way, edition: ChariotRaceEdition, code: int, story: Any) -> Way:
    """The way with one more action, and the forced steps after it (R28)."""
    found = copy(way)
    found.race = way.race.copy()
    found.codes = (*way.codes, code)
    story[0, 0] = 0
    entries.foresee(found.race, edition.data, way.seat, code, story)
    for row in story[1 : min(int(story[0, 0]), STORY) + 1].tolist():
        _note(found, row)
    words = found.race.view(np.int64)
    found.steers = int(words[STEERS])
    found.done = words[STAGE] not in (AT_FORTUNE, AT_SIGNS, AT_PATH)
    return found


def _note(way: Way, row: Sequence[int]) -> None:
    """Add one event of the move to a way."""
    kind, who, *facts = row
    chariot = way.chariot
    if kind == WRECKED:
        way.wrecks = (*way.wrecks, who)
        if who == chariot:
            way.condition = 0
    if who != chariot:
        return
    if kind == SPED:
        way.speed = way.points = facts[4]
        way.sprint, way.condition = facts[2] * way.harm[0], facts[5]
    elif kind == STEPPED:
        way.space, way.lap, way.points = facts[0], facts[2], facts[3]
        way.spaces = (*way.spaces, way.space)
    elif kind == CORNERED:
        way.corners = (*way.corners, (way.space, facts[1], facts[0]))
        way.condition = facts[2]
    elif kind == RAMMED:
        way.rams = (*way.rams, (facts[0], way.harm[1], facts[2]))
        way.condition = facts[1]
    elif kind == SPIKED:
        way.spikes = (*way.spikes, (facts[0], way.harm[2]))
        way.condition = facts[1]
    elif kind == PUT_BACK:
        way.space, way.lap, way.put_back = facts[0], facts[1], True
    elif kind == CRASHED:
        way.heap = True


def _told(way: Way, edition: ChariotRaceEdition, rivals: Sequence[int]) -> Path:
    distance = way.lap * edition.length + edition.front[way.space]
    return Path(
        actions=[_notation(edition, code) for code in way.codes],
        spaces=list(way.spaces),
        end=way.space,
        lap=way.lap,
        place=1 + sum(rival > distance for rival in rivals),
        finished=way.lap >= edition.laps,
        **_losses(way),
    )


def _losses(way: Way) -> dict[str, Any]:
    """The fields of `Losses`."""
    figures = {
        "speed": way.speed,
        "condition": way.condition,
        "sprint": way.sprint,
        "corner": sum(damage for _, _, damage in way.corners),
        "ram": sum(damage for _, damage, _ in way.rams),
        "caltrop": sum(damage for _, damage in way.spikes),
    }
    return {
        **figures,
        "damage": figures["sprint"] + figures["corner"] + figures["ram"] + figures["caltrop"],
        "corners": [CornerLoss(space=space, safe=safe, damage=damage) for space, safe, damage in way.corners],
        "rams": [Ram(chariot=rammed, condition=left) for rammed, _, left in way.rams],
        "caltrops": [space for space, _ in way.spikes],
        "put_back": way.put_back,
        "heap": way.heap,
        "wrecks": list(way.wrecks),
        "wrecked": way.condition == 0,
    }


def _signs(race: Bytes, edition: ChariotRaceEdition, code: int) -> SignsOffer:
    """The number of +/- dice that count as plus, and the speed; forced steps are part of the paths."""
    state = glance(race, RACE)
    sides = [int(side) for side in state.die[: int(state.rolled)]]
    plus, changes = code - DO_SIGNS, sides.count(CHANGE)
    way = _follow(_start(race, edition), edition, code, new_story(STORY))
    return SignsOffer(
        action=_notation(edition, code),
        plus=plus,
        minus=changes - plus,
        sprints=sides.count(SPRINT),
        before=int(state.speed[state.chariot]),
        **_losses(way),
    )


def _step(race: Bytes, edition: ChariotRaceEdition, code: int) -> StepOffer:
    """A single step, and the forced steps after it (R28)."""
    way = _follow(_start(race, edition), edition, code, new_story(STORY))
    return StepOffer(
        action=_notation(edition, code),
        spaces=list(way.spaces),
        space=way.space,
        points=way.points,
        done=way.done,
        **_losses(way),
    )
