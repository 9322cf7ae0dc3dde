"""Positions of Chariotmaster from plain data, for puzzles, tests and tutorials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from spina.errors import PositionError
from spina.games.chariotmaster.components import options
from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play.piece_names import PIECE_NAMES
from spina.games.chariotmaster.play.refusals import say
from spina.games.chariotmaster.rules import effects, entries
from spina.games.chariotmaster.rules.drive import LOOK_ABOUT
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    CHARIOT,
    CHARIOTS,
    DRAGGED,
    DRAGGING,
    DRIVER,
    DRIVER_OF,
    HAFT_CUT,
    HAFT_REINS,
    OBSTACLE,
    ON_FOOT,
    OUT_HEALTH_DRAGGED,
    OUT_HEALTH_ON_FOOT,
    PIECES,
    PLACE_NAMES,
    POINT_NAMES,
    RACE,
    TABLE_NAMES,
    TEAM,
    TOKEN_NAMES,
    WRECK,
    WRECK_OF,
)
from spina.games.chariotmaster.rules.turns import CHOOSE, DRAW, REVEAL, SHOWN
from spina.games.game import Placed
from spina.games.position_data import between, convert
from spina.kernel.effect_stack import ARGUMENTS, OP, STAGE
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

MOST_POINTS = 99
MOST_DRIVEN = 10_000
"""Millimetres of a chariot turn."""
FARTHEST = 1_000_000
UNITS = 10


class Spot(msgspec.Struct, forbid_unknown_fields=True):
    """Where a base stands, in millimetres and degrees: on the map, or on the track."""

    x: float | None = None
    y: float | None = None
    heading: float = 0
    """On the map: anticlockwise from the x axis. On the track: to the left of its direction."""
    progress: float | None = None
    """From the starting line along the middle of the track, to the base's centre; it says which lap, too. A place on
    the map is taken to be on the first lap, and up to a quarter of a lap before the line to be before the start."""
    offset: float = 0
    """To the left of the middle."""


class Chariot(Spot, forbid_unknown_fields=True):
    """One chariot of a position. Fields left out have their values at the start of a race."""

    stamina: int | None = None
    structure: int | None = None
    health: int | None = None
    skill: int | None = None
    worn: dict[str, int] = {}
    """Modifiers of the out-of-points tables, by table."""
    horses: int = 2
    dead_horses: int = 0
    tokens: str = "10"
    """The highest token that is still owned."""
    token: str = "5"
    """The token in the mug, or the drawn one."""
    last: str = "5"
    """The token of the previous turn, which a runaway keeps using."""
    drawn: bool = False
    """Whether it has had its turn in this game turn; ignored when tokens are to be chosen."""
    driver: str = "aboard"
    reins: bool = True
    confused: bool = False
    """Out of control until the end of its next turn."""
    stunned: bool = False
    exhausted: bool = False
    wheel: bool = False
    whip: bool = True
    knife: bool = True
    luck: int | None = None
    wreck: Spot | None = None
    """The chariot has crashed: this is its wreck, and the chariot's own place that of its team."""
    on_foot: Spot | None = None
    """The driver is on foot here."""
    gone: bool = False
    """There are no horses any more."""
    home: int = 0
    """Its place in the order of crossing the line, from 1. When tokens are to be chosen it has left the track."""
    out: bool = False
    """Whether it is eliminated, as every chariot is whose driver is not with his horses."""


class Driving(msgspec.Struct, forbid_unknown_fields=True):
    """The state of the active chariot's turn."""

    moved: float = 0
    change: float = 0
    """Sum of brakes, spurs and whips."""
    submoves: int = 0
    direction: float | None = None
    """Of the last sub-move's translation, on the map."""
    spurred: bool = False
    whipped: bool = False
    attacks: int = 0
    attacks_on: dict[int, int] = {}
    may_attack: bool = False
    """A sub-move has just been completed."""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A whole position: tokens to be chosen, or one chariot's turn beginning or under way."""

    chariots: list[Chariot]
    turn: int = 2
    active: int | None = None
    """Chariot whose token has just been drawn; left out: tokens are to be chosen."""
    driving: Driving | None = None
    options: dict[str, Any] = {}
    seats: int | None = None
    """Left out: one for each chariot."""
    removed: list[str] = []
    """Obstacles that are gone, such as "obstacle 1"."""
    seed: int = 0


def position(data: Mapping[str, Any], edition: ChariotmasterEdition) -> Placed:
    """A race in this position. Raises PositionError naming the field."""
    given = convert(data, Position)
    count = len(given.chariots)
    seats = given.seats if given.seats is not None else count
    between("seed", given.seed, 0, 2**64 - 1)
    between("seats", seats, 1, CHARIOTS)
    if count == 0 or count % seats or count > CHARIOTS:
        raise PositionError(
            say("chariotmaster.position.chariots", where="chariots", seats=seats, most=CHARIOTS, given=count)
        )
    checked = options.check(edition, {"chariots": count // seats, **given.options}, seats)
    if checked["chariots"] * seats != count:
        raise PositionError(
            say(
                "chariotmaster.position.chariots-each",
                where="options.chariots",
                given=count,
                seats=seats,
                each=count // seats,
            )
        )
    race = blank(RACE)
    entries.set_up(race, edition.data, options.encode(edition, seats, checked), new_dice(given.seed))
    state = look(race, RACE)
    state.dice_to_come[:] = new_dice(given.seed)
    between("turn", given.turn, 1, int(state.limit))
    _check_homes(given.chariots)
    for number, chariot in enumerate(given.chariots):
        _chariot(race, edition, number, chariot)
    for i, name in enumerate(given.removed):
        if name not in PIECE_NAMES or PIECE_NAMES.index(name) < OBSTACLE:
            raise PositionError(say("chariotmaster.position.only-obstacles", where=f"removed[{i}]", name=name[:40]))
        if state.kind[PIECE_NAMES.index(name)] == ABSENT:
            raise PositionError(say("chariotmaster.position.not-here", where=f"removed[{i}]", name=name))
        state.kind[PIECE_NAMES.index(name)] = ABSENT
    _check_finish(race, edition, given)
    for piece in range(PIECES):
        if state.kind[piece] != ABSENT and piece < OBSTACLE and not entries.is_alone(race, edition.data, piece, 0):
            where = f"chariots[{piece % CHARIOTS}]" + ("", ".wreck", ".on_foot")[piece // CHARIOTS]
            raise PositionError(say("chariotmaster.position.stands-on-something", where=where, name=PIECE_NAMES[piece]))
    _begin(race, edition, given)
    return Placed(race, seats, checked)


def _check_homes(chariots: list[Chariot]) -> None:
    """Chariots that have crossed the line must have places from 1 without gaps."""
    homes = sorted(chariot.home for chariot in chariots if chariot.home)
    for number, chariot in enumerate(chariots):
        between(f"chariots[{number}].home", chariot.home, 0, len(chariots))
        if chariot.home and homes != list(range(1, len(homes) + 1)):
            raise PositionError(say("chariotmaster.position.homes", where=f"chariots[{number}].home"))


def _check_finish(race: Bytes, edition: ChariotmasterEdition, given: Position) -> None:
    """Finished chariots leave the track before tokens are chosen again (E4); one that crossed the line has finished."""
    state = look(race, RACE)
    for number, chariot in enumerate(given.chariots):
        if chariot.home and given.active is None:
            state.kind[number] = state.kind[DRIVER_OF + number] = ABSENT
        if entries.has_crossed(race, edition.data, number, 0):
            raise PositionError(say("chariotmaster.position.crossed", where=f"chariots[{number}].progress"))


def _chariot(race: Bytes, edition: ChariotmasterEdition, number: int, given: Chariot) -> None:
    where = f"chariots[{number}]"
    state = look(race, RACE)
    for kind, name in enumerate(POINT_NAMES):
        value = getattr(given, name)
        if value is not None:
            between(f"{where}.{name}", value, 0, MOST_POINTS)
            state.points[number, kind] = value
    for table, worn in given.worn.items():
        number_of_table = _one_of(f"{where}.worn", table, TABLE_NAMES, "table")
        if number_of_table in (OUT_HEALTH_DRAGGED, OUT_HEALTH_ON_FOOT):  # Z3
            raise PositionError(say("chariotmaster.position.health-tables", where=f"{where}.worn"))
        between(f"{where}.worn", worn, 0, MOST_POINTS)
        state.worn[number, number_of_table] = worn
    between(f"{where}.horses", given.horses, 0, 2)
    between(f"{where}.dead_horses", given.dead_horses, 0, 2 - given.horses)
    state.horses[number], state.dead[number] = given.horses, given.dead_horses
    state.cap[number] = _one_of(f"{where}.tokens", given.tokens, TOKEN_NAMES, "token")
    state.token[number] = _one_of(f"{where}.token", given.token, TOKEN_NAMES, "token")
    state.locked[number] = _one_of(f"{where}.last", given.last, TOKEN_NAMES, "token")
    state.place[number] = _one_of(f"{where}.driver", given.driver, PLACE_NAMES, "place of a driver")
    state.reins[number] = given.reins
    state.turned[number] = 1
    state.climbed[number] = 0  # if at all, in an earlier turn (L1)
    state.confused[number] = 2 * given.confused
    state.stunned[number] = 2 * given.stunned
    state.exhausted[number], state.wheel[number] = given.exhausted, given.wheel
    state.whip[number], state.knife[number] = given.whip, given.knife
    if given.luck is not None:
        between(f"{where}.luck", given.luck, 0, MOST_POINTS)
        state.luck[number] = given.luck
    state.home[number], state.out[number] = given.home, given.out
    _bodies(race, edition, number, given, where)


def _bodies(race: Bytes, edition: ChariotmasterEdition, number: int, given: Chariot, where: str) -> None:
    """Place the pieces of a chariot: its wreck, its team and its driver."""
    state = look(race, RACE)
    place = int(state.place[number])
    if (given.on_foot is not None) != (place == ON_FOOT):
        raise PositionError(say("chariotmaster.position.on-foot", where=f"{where}.on_foot"))
    if place == DRAGGED and (given.wreck is None or given.gone):
        raise PositionError(say("chariotmaster.position.dragged", where=f"{where}.driver"))
    if place == HAFT_REINS and given.reins:
        raise PositionError(say("chariotmaster.position.haft-reins", where=f"{where}.driver"))
    if place == HAFT_CUT and not given.dead_horses:
        raise PositionError(say("chariotmaster.position.haft-cut", where=f"{where}.driver"))
    if given.out and given.home:
        raise PositionError(say("chariotmaster.position.home-and-out", where=f"{where}.out"))
    if given.out and place <= DRAGGED:
        raise PositionError(say("chariotmaster.position.still-races", where=f"{where}.out"))
    if given.horses == 0 and not given.gone:
        raise PositionError(say("chariotmaster.position.no-horses", where=f"{where}.horses"))
    half = int(state.half_long[number]) // 2
    _put(race, edition, number, given, f"{where}")
    state.progress[number] = state.way[number]
    if given.wreck is not None:
        if place <= HAFT_CUT:
            raise PositionError(say("chariotmaster.position.in-a-wreck", where=f"{where}.driver"))
        state.body[number] = 0
        state.kind[number] = DRAGGING if place == DRAGGED else TEAM
        state.half_long[number] = half
        wreck = WRECK_OF + number
        state.kind[wreck] = WRECK
        state.half_long[wreck], state.half_wide[wreck] = half, state.half_wide[number]
        _put(race, edition, wreck, given.wreck, f"{where}.wreck")
    else:
        state.kind[number] = CHARIOT
    if given.gone:
        if given.wreck is None:
            raise PositionError(say("chariotmaster.position.gone", where=f"{where}.gone"))
        state.kind[number], state.horses[number] = ABSENT, 0
    if given.on_foot is not None:
        driver = DRIVER_OF + number
        state.kind[driver] = DRIVER
        state.half_long[driver] = state.half_wide[driver] = int(state.half_wide[number]) // 2
        _put(race, edition, driver, given.on_foot, f"{where}.on_foot")
        state.heading[driver] = 0
    if place > DRAGGED and not given.home:
        state.out[number] = 1
        state.reins[number] = 0


def _put(race: Bytes, edition: ChariotmasterEdition, piece: int, spot: Spot, where: str) -> None:
    """Place a base on its spot."""
    state = look(race, RACE)
    goal = int(state.laps) * edition.scenarios[int(state.scenario)].lap
    heading = round(spot.heading * 10)
    if spot.progress is not None:
        if spot.x is not None or spot.y is not None:
            raise PositionError(say("chariotmaster.position.two-places", where=f"{where}.progress"))
        if not abs(spot.offset) * UNITS <= FARTHEST:
            raise PositionError(
                say("chariotmaster.position.off-the-track", where=f"{where}.offset", offset=f"{spot.offset:g}")
            )
        if not -goal <= spot.progress * UNITS <= goal:
            raise PositionError(
                say("chariotmaster.position.off-the-way", where=f"{where}.progress", progress=f"{spot.progress:g}")
            )
        way = round(spot.progress * UNITS)
        out = np.array([round(spot.offset * UNITS), 0, 0], np.int64)
        entries.pose(race, edition.data, way, out)
        state.x[piece], state.y[piece] = out[0], out[1]
        state.heading[piece] = (int(out[2]) + heading) % 3600
        state.way[piece] = way
        return
    if spot.offset:
        raise PositionError(say("chariotmaster.position.offset-alone", where=f"{where}.offset"))
    if spot.x is None or spot.y is None:
        if piece >= CHARIOTS or spot.x is not None or spot.y is not None or spot.heading:
            raise PositionError(say("chariotmaster.position.no-place", where=where))
        return  # as lined up at the start
    if not (abs(spot.x) * UNITS <= FARTHEST and abs(spot.y) * UNITS <= FARTHEST):
        raise PositionError(say("chariotmaster.position.off-the-map", where=where, x=f"{spot.x:g}", y=f"{spot.y:g}"))
    state.x[piece], state.y[piece] = round(spot.x * UNITS), round(spot.y * UNITS)
    state.heading[piece] = heading % 3600
    state.way[piece] = _nearest(race, edition, piece)


def _nearest(race: Bytes, edition: ChariotmasterEdition, piece: int) -> int:
    """The place on the first lap where this spot is nearest to the middle of the track."""
    state = look(race, RACE)
    lap = edition.scenarios[int(state.scenario)].lap
    best, found = None, 0
    out = np.zeros(3, np.int64)
    for near in range(0, lap, max(lap // 16, 1)):
        way = int(entries.locate(race, edition.data, piece, near))
        out[0] = 0
        entries.pose(race, edition.data, way, out)
        far = (int(out[0]) - int(state.x[piece])) ** 2 + (int(out[1]) - int(state.y[piece])) ** 2
        if best is None or far < best:
            best, found = far, way
    return found


def _begin(race: Bytes, edition: ChariotmasterEdition, given: Position) -> None:
    """Begin with the choice of tokens, or with a chariot turn."""
    state = look(race, RACE)
    state.stack[:] = 0
    state.ask = state.asked = 0
    state.finishers = sum(chariot.home > 0 for chariot in given.chariots)
    if given.active is None:
        if given.driving is not None:
            raise PositionError(say("chariotmaster.position.nobody-active", where="driving"))
        state.turns = given.turn - 1
        _push(state, effects.GAME_TURN, CHOOSE)
        entries.adopt(race, edition.data)
        return
    count = len(given.chariots)
    if not 0 <= given.active < count:
        raise PositionError(
            say("chariotmaster.position.no-chariot", where="active", chariot=given.active, last=count - 1)
        )
    if state.home[given.active] or (state.kind[given.active] == ABSENT and state.place[given.active] != ON_FOOT):
        raise PositionError(say("chariotmaster.position.no-turn", where="active", chariot=given.active))
    state.turns = given.turn
    for number, chariot in enumerate(given.chariots):
        state.drawn[number] = SHOWN if chariot.drawn or number == given.active else 0
    state.drawn[:count] = np.where(state.home[:count] > 0, SHOWN, state.drawn[:count])
    _push(state, effects.GAME_TURN, DRAW)
    _push(state, effects.CHARIOT_TURN, REVEAL, given.active)
    entries.adopt(race, edition.data)
    if given.driving is not None:
        _drive(race, edition, given.active, given.driving)


def _drive(race: Bytes, edition: ChariotmasterEdition, active: int, given: Driving) -> None:
    """Set the state of the chariot turn under way."""
    state = look(race, RACE)
    top = int(state.stack[0, 0])
    if state.active != active or state.stack[top, OP] != effects.DRIVE:
        raise PositionError(say("chariotmaster.position.no-control", where="driving", chariot=active))
    between("driving.moved", given.moved, 0, MOST_DRIVEN)
    between("driving.change", given.change, -MOST_DRIVEN, MOST_DRIVEN)
    between("driving.submoves", given.submoves, 0, MOST_POINTS)
    between("driving.attacks", given.attacks, 0, MOST_POINTS)
    state.moved = round(given.moved * UNITS)
    state.delta = round(given.change * UNITS)
    state.submoves = given.submoves
    if given.direction is not None:
        state.last_direction = round(given.direction * 10) % 3600
    state.spurred, state.whipped, state.attacks = given.spurred, given.whipped, given.attacks
    for target, attacks in given.attacks_on.items():
        between("driving.attacks_on", target, 0, int(state.chariots) - 1)
        between("driving.attacks_on", attacks, 0, MOST_POINTS)
        state.attacks_on[target] = attacks
    state.may_attack = given.may_attack
    state.ask = state.asked = 0
    state.stack[top, STAGE] = LOOK_ABOUT
    entries.adopt(race, edition.data)


def _push(state: Any, op: int, stage: int, *arguments: int) -> None:
    row = int(state.stack[0, 0]) + 1
    state.stack[0, 0] = row
    state.stack[row, : ARGUMENTS + len(arguments)] = (op, stage, *arguments)


def _one_of(where: str, name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise PositionError(
            say("chariotmaster.position.unknown", where=where, what=what, name=name[:40], known=", ".join(names))
        )
    return names.index(name)
