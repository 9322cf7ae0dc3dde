"""Positions of Chariot Race set up by hand, for puzzles, tests and tutorials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from spina.errors import PositionError
from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.components.options import check, encode
from spina.games.chariot_race.play.refusals import say
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import (
    AT_REROLL,
    AT_TURN_END,
    BEFORE_LINE,
    CHARIOTS,
    DICE,
    EDITION,
    NOTHING,
    PAIR,
    PLAIN_KIND,
    RACE,
    SEATS,
    SIDE_NAMES,
)
from spina.games.game import Placed
from spina.games.position_data import between, convert
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

MOST_ROUNDS = 10_000


class Chariot(msgspec.Struct, forbid_unknown_fields=True):
    """One chariot of a position. Fields left out have their value at the start."""

    space: str
    """Such as "m14"."""
    lap: int = 0
    """Laps completed; -1 before the line of the start."""
    condition: int | None = None
    """0: wrecked."""
    speed: int | None = None
    fate: int | None = None
    kind: str | None = None
    """Character of an individual chariot, or the colour of its board."""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A whole position, at the beginning of a round."""

    chariots: list[Chariot]
    round: int = 2
    caltrops: list[str] = []
    options: dict[str, Any] = {}
    seats: int | None = None
    """If left out: one for each chariot."""
    turn: int | None = None
    """Chariot whose turn it is; if left out, the foremost."""
    dice: list[str] | None = None
    """What it has rolled, before the free re-roll; if left out, its turn has just begun."""
    seed: int = 0


def position(data: Mapping[str, Any], edition: ChariotRaceEdition) -> Placed:
    """A race in the position that the data describe, at the beginning of a turn. Raises PositionError."""
    given = convert(data, Position)
    count = len(given.chariots)
    seats = given.seats if given.seats is not None else count
    between("seed", given.seed, 0, 2**64 - 1)
    between("round", given.round, 1, MOST_ROUNDS)
    between("seats", seats, 2, SEATS)
    if count not in (seats, PAIR * seats) or count > CHARIOTS:
        raise PositionError(
            say(
                "chariot-race.position.chariots",
                where="chariots",
                seats=seats,
                single=seats,
                double=PAIR * seats,
                most=CHARIOTS,
            )
        )
    pairs = count == PAIR * seats
    if given.options.get("pairs", pairs) != pairs:
        code = "chariot-race.position.pairs" if pairs else "chariot-race.position.no-pairs"
        raise PositionError(say(code, where="options.pairs", given=count, seats=seats))
    options = check({**given.options, "pairs": pairs})
    race = blank(RACE)
    plain = {**options, "individual": False}
    entries.set_up(race, edition.data, encode(seats, plain, pairs), new_dice(given.seed))
    state = look(race, RACE)
    state.individual = options["individual"]
    for number, chariot in enumerate(given.chariots):
        _place(state, edition, number, chariot, options["individual"])
    _check_kinds(state, edition, count)
    _check_spaces(state, edition, count)
    _caltrops(state, edition, given.caltrops)
    state.rounds = given.round - 1
    speeds = state.speed.copy()
    entries.adopt(race, edition.data)
    if given.turn is not None:
        state.speed[:] = speeds  # `adopt` may have slowed the foremost chariot, whose turn is over
        _turn(race, edition, given.turn)
    if given.dice is not None:
        _dice(state, edition, given.dice)
    return Placed(race, seats, options)


def _place(state: Any, edition: ChariotRaceEdition, number: int, chariot: Chariot, individual: bool) -> None:
    where = f"chariots[{number}]"
    kind = PLAIN_KIND
    if chariot.kind is not None:
        character = edition.kind_named(chariot.kind)
        if not individual or character not in edition.characters[1:]:
            known = ", ".join(edition.characters[1:])
            raise PositionError(
                say("chariot-race.position.kind", where=f"{where}.kind", known=known, kind=chariot.kind)
            )
        kind = edition.characters.index(character, 1)
    figures = look(edition.data, EDITION)
    state.kind[number] = kind
    state.space[number] = _space(edition, chariot.space, f"{where}.space")
    between(f"{where}.lap", chariot.lap, BEFORE_LINE, edition.laps - 1)
    state.lap[number] = chariot.lap
    for name in ("condition", "speed", "fate"):
        value = getattr(chariot, name)
        if value is None:
            value = int(figures[f"first_{name}"][kind])
        between(f"{where}.{name}", value, 0, int(figures[f"most_{name}"][kind]))
        getattr(state, name)[number] = value
    state.wrecked[number] = state.condition[number] == 0


def _space(edition: ChariotRaceEdition, name: str, where: str) -> int:
    if name not in edition.space_numbers:
        names = edition.space_names
        raise PositionError(
            say("chariot-race.position.space", where=where, name=name[:40], first=names[0], last=names[-1])
        )
    return edition.space_numbers[name]


def _check_kinds(state: Any, edition: ChariotRaceEdition, count: int) -> None:
    kinds = [int(kind) for kind in state.kind[:count]]
    for number, kind in enumerate(kinds):
        if kind > PLAIN_KIND and kind in kinds[:number]:
            raise PositionError(
                say("chariot-race.position.kind-twice", where=f"chariots[{number}].kind", name=edition.characters[kind])
            )


def _check_spaces(state: Any, edition: ChariotRaceEdition, count: int) -> None:
    seen: dict[int, int] = {}
    heaps = edition.heaps_with(state.side)
    for number in range(count):
        space = int(state.space[number])
        if state.wrecked[number]:
            continue
        if space in heaps:
            raise PositionError(
                say("chariot-race.position.heap", where=f"chariots[{number}].space", name=edition.space_names[space])
            )
        if space in seen:
            raise PositionError(
                say("chariot-race.position.taken", where=f"chariots[{number}].space", other=seen[space])
            )
        seen[space] = number
    if not seen:
        raise PositionError(say("chariot-race.position.nobody-races", where="chariots"))


def _turn(race: Bytes, edition: ChariotRaceEdition, chariot: int) -> None:
    state = look(race, RACE)
    order = [int(other) for other in state.order]
    if chariot < 0 or chariot not in order:
        raise PositionError(
            say(
                "chariot-race.position.turn",
                where="turn",
                chariot=chariot,
                known=", ".join(str(c) for c in order if c >= 0),
            )
        )
    state.at = order.index(chariot) - 1
    state.stage = AT_TURN_END
    entries.proceed(race, edition.data)


def _dice(state: Any, edition: ChariotRaceEdition, sides: list[str]) -> None:
    chariot = int(state.chariot)
    kind = int(state.kind[chariot])
    limit = edition.speed_limit[kind][int(state.condition[chariot])]
    state.speed[chariot] = min(int(state.speed[chariot]), limit)
    wanted = edition.dice_at[kind][int(state.speed[chariot])]
    if len(sides) != wanted:
        raise PositionError(
            say(
                "chariot-race.position.dice",
                where="dice",
                chariot=chariot,
                wanted=wanted,
                speed=int(state.speed[chariot]),
                given=len(sides),
            )
        )
    for i, side in enumerate(sides):
        if side not in SIDE_NAMES:
            raise PositionError(
                say("chariot-race.position.side", where=f"dice[{i}]", side=side[:40], known=", ".join(SIDE_NAMES))
            )
    state.die[:] = sorted(SIDE_NAMES.index(side) for side in sides) + [NOTHING] * (DICE - len(sides))
    state.rolled = len(sides)
    state.stage = AT_REROLL


def _caltrops(state: Any, edition: ChariotRaceEdition, names: list[str]) -> None:
    if len(names) > edition.caltrops:
        raise PositionError(
            say("chariot-race.position.too-many-caltrops", where="caltrops", most=edition.caltrops, given=len(names))
        )
    for i, name in enumerate(names):
        space = _space(edition, name, f"caltrops[{i}]")
        if state.caltrop[space]:
            raise PositionError(say("chariot-race.position.caltrop-twice", where=f"caltrops[{i}]"))
        state.caltrop[space] = 1
    state.supply = edition.caltrops - len(names)
