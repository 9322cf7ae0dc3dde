"""What studies of Charioteer ask for: skills cards, bonus boxes, kinds of moves, corners, damage."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.charioteer.rules.event_kinds import (
    ATTACKED,
    CALMED,
    COUNTED,
    FAN_TOKEN,
    LAP,
    LEARNED,
    REVEALED,
    STEPPED,
    SUFFERED,
)
from spina.games.charioteer.rules.record import BLACK, COLOUR_NAMES, COLOURS, EDITION, RESET
from spina.kernel.record import look
from spina.lab.recordings import Observed

NEVER = np.nan
Table = NDArray[Any]


def standings(observed: Observed) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Spaces, the inside ahead within a space; a seat is its chariot."""
    seats = observed.seats
    frames = observed.frames
    standing = frames["progress"][:, :seats] - frames["lane"][:, :seats] / 100.0
    seat_of = np.broadcast_to(np.arange(seats), (observed.count, seats)).copy()
    return standing, seat_of, np.ones((observed.count, seats), bool)


def chariot_columns(observed: Observed) -> dict[str, Table]:
    seats, first, last = observed.seats, observed.first_frames(), observed.last_frames()
    record = look(observed.edition.data, EDITION)
    skills = first["skill"][:, :seats]
    order = np.argsort(-skills, axis=2, kind="stable")
    names = np.array(COLOUR_NAMES)
    in_box = last["skill"][:, :seats] >= record.skill_spaces
    colours = _colours_played(observed)
    half = _half_frames(observed)["skill"][:, :seats] >= record.skill_spaces
    return {
        "order": (np.arange(seats)[None, :] - first["first_seat"][:, None]) % seats + 1,
        "top_skill": names[order[:, :, 0]],
        "weak_skill": names[order[:, :, -1]],
        "bonus_end": in_box.sum(axis=2),
        "bonus_half": half.sum(axis=2),
        "first_bonus": _first_bonus(observed, int(record.skill_spaces))[0],
        "first_in_box": _first_bonus(observed, int(record.skill_spaces))[1],
        "resets": observed.count_told(CALMED, seats),
        "fan_tokens": observed.count_told(FAN_TOKEN, seats),
        "attacks": observed.count_told(ATTACKED, seats),
        "cubes": observed.sum_told(SUFFERED, seats, 0),
        "moves": observed.count_told(COUNTED, seats),
        **{f"moves_{name}": colours[:, :, i] for i, name in enumerate(COLOUR_NAMES)},
    }


def race_columns(observed: Observed) -> dict[str, Table]:
    record = look(observed.edition.data, EDITION)
    box = _first_bonus(observed, int(record.skill_spaces))[0]
    some = np.isfinite(box).any(axis=1)
    first = np.full(observed.count, NEVER)
    first[some] = np.nanmin(box[some], axis=1)
    columns = {"first_bonus": first, "resets": observed.count_told(CALMED, observed.seats).sum(axis=1)}
    columns |= _lap_turns(observed, int(record.laps)) | _lengths(observed) | _skill_by_time(observed)
    return columns | _corner_steps(observed)


def _half_frames(observed: Observed) -> Table:
    _, starts = np.unique(observed.frame_race, return_index=True)
    ends = np.flatnonzero(np.diff(np.append(observed.frame_race, observed.count)))
    halves: Table = observed.frames[np.minimum(starts + observed.turns // 2, ends)]
    return halves


def _colours_played(observed: Observed) -> Table:
    """By race, seat and colour: moves made."""
    rows = observed.told(REVEALED)
    rows = rows[(observed.events[rows, 2] >= 0) & (observed.events[rows, 2] < RESET)]
    colour = look(observed.edition.data, EDITION).symbol_colour[observed.events[rows, 2]]
    table = np.zeros((observed.count, observed.seats, COLOURS), np.int64)
    np.add.at(table, (observed.event_race[rows], observed.events[rows, 1], colour), 1)
    return table


def _first_bonus(observed: Observed, box: int) -> tuple[Table, Table]:
    """By race and seat: the part of the race after which its first marker was in the bonus box, and which it was."""
    when = np.full((observed.count, observed.seats), NEVER)
    which = np.full((observed.count, observed.seats), "none", dtype="U6")
    rows = observed.told(LEARNED)
    rows = rows[(observed.events[rows, 4] >= box) & (observed.events[rows, 3] < box)]
    for row in rows[::-1].tolist():  # the earliest is written last
        race, seat = observed.event_race[row], observed.events[row, 1]
        when[race, seat] = observed.event_turn[row] / observed.turns[race]
        which[race, seat] = COLOUR_NAMES[observed.events[row, 2]]
    return when, which


def _lap_turns(observed: Observed, laps: int) -> dict[str, Table]:
    """Turns that the leading chariot took for each lap."""
    rows, columns = observed.told(LAP), {}
    before = np.zeros(observed.count)
    for lap in range(1, laps + 1):
        done = np.full(observed.count, np.inf)
        own = rows[observed.events[rows, 2] == lap]
        np.minimum.at(done, observed.event_race[own], observed.event_turn[own].astype(float))
        columns[f"lap_{lap}"] = done - before
        before = done
    return columns


def _lengths(observed: Observed) -> dict[str, Table]:
    """By colour: moves, and the sum of their lengths from number and symbols alone."""
    counted, shown = observed.told(COUNTED), observed.told(REVEALED)
    symbols = {
        (race, turn, seat): symbol
        for race, turn, seat, symbol in zip(
            observed.event_race[shown].tolist(), observed.event_turn[shown].tolist(),
            observed.events[shown, 1].tolist(), observed.events[shown, 2].tolist(), strict=True,
        )
    }  # fmt: skip
    colour_of = look(observed.edition.data, EDITION).symbol_colour
    moves, spaces = np.zeros((observed.count, COLOURS), np.int64), np.zeros((observed.count, COLOURS), np.int64)
    for row in counted.tolist():
        race, seat = int(observed.event_race[row]), int(observed.events[row, 1])
        symbol = symbols.get((race, int(observed.event_turn[row]), seat), RESET)
        if symbol != RESET:
            moves[race, colour_of[symbol]] += 1
            spaces[race, colour_of[symbol]] += observed.events[row, 2] + observed.events[row, 3]
    columns = {f"moves_{name}": moves[:, i] for i, name in enumerate(COLOUR_NAMES)}
    return columns | {f"spaces_{name}": spaces[:, i] for i, name in enumerate(COLOUR_NAMES)}


def _skill_by_time(observed: Observed) -> dict[str, Table]:
    """The mean skill bonus of moves in the first and in the last quarter of the race."""
    rows = observed.told(COUNTED)
    races, bonus = observed.event_race[rows], observed.events[rows, 5].astype(float)
    part = observed.event_turn[rows] / observed.turns[races]
    columns = {}
    for name, chosen in (("skill_early", part <= 0.25), ("skill_late", part > 0.75)):
        total, count = np.zeros(observed.count), np.zeros(observed.count)
        np.add.at(total, races[chosen], bonus[chosen])
        np.add.at(count, races[chosen], 1.0)
        columns[name] = total / np.maximum(count, 1)
    return columns


def _corner_steps(observed: Observed) -> dict[str, Table]:
    """Steps that begin in a corner and the spaces they gain, of black moves and of the others."""
    record = look(observed.edition.data, EDITION)
    spaces, outer = int(record.spaces), np.asarray(record.outer[: int(record.spaces)]) == 1
    corner = outer | np.roll(outer, -1)
    shown = observed.told(REVEALED)
    black = np.zeros((observed.count, int(observed.turns.max()) + 2, observed.seats), bool)
    fits = observed.events[shown, 2] < RESET
    shown = shown[fits & (observed.events[shown, 2] >= 0)]
    is_black = record.symbol_colour[observed.events[shown, 2]] == BLACK
    black[observed.event_race[shown], observed.event_turn[shown], observed.events[shown, 1]] = is_black
    rows = observed.told(STEPPED)
    race, turn, seat = observed.event_race[rows], observed.event_turn[rows], observed.events[rows, 1]
    stop, whipped = observed.events[rows, 2], observed.events[rows, 5]
    same = (race[1:] == race[:-1]) & (turn[1:] == turn[:-1]) & (seat[1:] == seat[:-1]) & (whipped[1:] == 0)
    start = stop[:-1][same]
    gain = stop[1:][same] - start
    useful = corner[start % spaces] & (start >= 0) & (stop[1:][same] < spaces * int(record.laps))
    races, kind = race[1:][same][useful], black[race[1:], turn[1:], seat[1:]][same][useful]
    columns: dict[str, Table] = {}
    for name, chosen in (("black", kind), ("other", ~kind)):
        steps, gained = np.zeros(observed.count, np.int64), np.zeros(observed.count, np.int64)
        np.add.at(steps, races[chosen], 1)
        np.add.at(gained, races[chosen], gain[useful][chosen])
        columns |= {f"corner_steps_{name}": steps, f"corner_spaces_{name}": gained}
    return columns
