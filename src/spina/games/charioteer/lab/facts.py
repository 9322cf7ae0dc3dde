"""Facts of Charioteer: skills cards, bonus boxes, kinds of moves, corners, damage."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spina.games.charioteer.rules.event_kinds import (
    ATTACKED,
    CALMED,
    CHANGED_AT,
    COUNTED,
    FAN_TOKEN,
    LAP,
    LEARNED,
    REVEALED,
    STEPPED,
    SUFFERED,
    WHIPPED,
)
from spina.games.charioteer.rules.record import BLACK, COLOUR_NAMES, COLOURS, EDITION, NOTHING, RESET
from spina.games.studies.profile import ChariotProgress, GameFacts
from spina.games.studies.recording import Recording
from spina.kernel.record import look

NEVER = np.nan
CARDS, MOST_CARDS = 4, 3
"""Where the events of choices have the cards, and how many."""
Table = NDArray[Any]


def chariot_progress(recording: Recording) -> ChariotProgress:
    """Progress in spaces; within a space the inside is ahead. Each seat has one chariot, of its own number."""
    seats = recording.seats
    frames = recording.frames
    progress = frames["progress"][:, :seats] - frames["lane"][:, :seats] / 100.0
    seat_of = np.broadcast_to(np.arange(seats), (recording.count, seats)).copy()
    return ChariotProgress(progress, seat_of, np.ones((recording.count, seats), bool))


def chariot_columns(recording: Recording) -> dict[str, Table]:
    """Skills, bonus boxes, moves, tokens, attacks and damage of each chariot."""
    seats, first, last = recording.seats, recording.first_frames(), recording.last_frames()
    record = look(recording.edition.data, EDITION)
    skills = first["skill"][:, :seats]
    order = np.argsort(-skills, axis=2, kind="stable")
    names = np.array(COLOUR_NAMES)
    in_box = last["skill"][:, :seats] >= record.skill_spaces
    colours = _colours_played(recording)
    half = _half_frames(recording)["skill"][:, :seats] >= record.skill_spaces
    return (
        {
            "order": (np.arange(seats)[None, :] - first["first_seat"][:, None]) % seats + 1,
            "top_skill": names[order[:, :, 0]],
            "weak_skill": names[order[:, :, -1]],
            "bonus_end": in_box.sum(axis=2),
            "bonus_half": half.sum(axis=2),
            "first_bonus": _first_bonus(recording, int(record.skill_spaces))[0],
            "first_in_box": _first_bonus(recording, int(record.skill_spaces))[1],
            "resets": recording.count_events(CALMED, seats),
            "fan_tokens": recording.count_events(FAN_TOKEN, seats),
            "attacks": recording.count_events(ATTACKED, seats),
            "cubes": recording.sum_events(SUFFERED, seats, 0),
            "moves": recording.count_events(COUNTED, seats),
            **{f"moves_{name}": colours[:, :, i] for i, name in enumerate(COLOUR_NAMES)},
        }
        | _moves(recording)
        | _way(recording)
    )


def _moves(recording: Recording) -> dict[str, Table]:
    """By race and seat: cards played, and the parts of what moves counted; the same of the first turn."""
    shape = (recording.count, recording.seats)
    columns = {}
    shown, counted = recording.rows_of(REVEALED), recording.rows_of(COUNTED)
    shown = shown[recording.events[shown, 2] < RESET]
    for name, rows, values in (
        ("cards", shown, (recording.events[shown, CARDS : CARDS + MOST_CARDS] != NOTHING).sum(axis=1)),
        ("tokens", shown, recording.events[shown, 3] != NOTHING),
        ("with_crowd", shown, recording.events[shown, CARDS + MOST_CARDS] % CHANGED_AT),
        ("token_points", counted, recording.events[counted, 4]),
        ("skill_points", counted, recording.events[counted, 5]),
        ("damage_points", counted, recording.events[counted, 6]),
        ("points", counted, recording.events[counted, 7]),
    ):
        seats, races, first = recording.events[rows, 1], recording.event_race[rows], recording.event_turn[rows] == 1
        for column, chosen in ((name, slice(None)), (f"first_{name}", first)):
            columns[column] = np.zeros(shape, np.int64)
            np.add.at(columns[column], (races[chosen], seats[chosen]), values[chosen])
    passed = recording.rows_of(WHIPPED)
    columns["whips"] = np.zeros(shape, np.int64)
    np.add.at(
        columns["whips"], (recording.event_race[passed], recording.events[passed, 1]), recording.events[passed, 2]
    )
    return columns


def race_columns(recording: Recording) -> dict[str, Table]:
    """Bonus boxes, resets, laps, lengths of moves and corners of each race."""
    record = look(recording.edition.data, EDITION)
    box = _first_bonus(recording, int(record.skill_spaces))[0]
    some = np.isfinite(box).any(axis=1)
    first = np.full(recording.count, NEVER)
    first[some] = np.nanmin(box[some], axis=1)
    columns = {"first_bonus": first, "resets": recording.count_events(CALMED, recording.seats).sum(axis=1)}
    columns |= _lap_turns(recording, int(record.laps)) | _lengths(recording) | _skill_by_time(recording)
    return columns | _corner_steps(recording)


def _half_frames(recording: Recording) -> Table:
    """The record of each race after half of its turns."""
    _, starts = np.unique(recording.frame_race, return_index=True)
    halves: Table = recording.frames[np.minimum(starts + recording.turns // 2, recording.last_rows())]
    return halves


def _colours_played(recording: Recording) -> Table:
    """Moves by race, seat and colour."""
    rows = recording.rows_of(REVEALED)
    rows = rows[(recording.events[rows, 2] >= 0) & (recording.events[rows, 2] < RESET)]
    colour = look(recording.edition.data, EDITION).symbol_colour[recording.events[rows, 2]]
    table = np.zeros((recording.count, recording.seats, COLOURS), np.int64)
    np.add.at(table, (recording.event_race[rows], recording.events[rows, 1], colour), 1)
    return table


def _first_bonus(recording: Recording, box: int) -> tuple[Table, Table]:
    """By race and seat: the part of the race after which its first marker was in the bonus box, and its colour."""
    when = np.full((recording.count, recording.seats), NEVER)
    which = np.full((recording.count, recording.seats), "none", dtype="U6")
    rows = recording.rows_of(LEARNED)
    rows = rows[(recording.events[rows, 4] >= box) & (recording.events[rows, 3] < box)]
    for row in rows[::-1].tolist():  # the earliest is written last
        race, seat = recording.event_race[row], recording.events[row, 1]
        when[race, seat] = recording.event_turn[row] / recording.turns[race]
        which[race, seat] = COLOUR_NAMES[recording.events[row, 2]]
    return when, which


def _lap_turns(recording: Recording, laps: int) -> dict[str, Table]:
    """Turns that the leading chariot took for each lap."""
    rows, columns = recording.rows_of(LAP), {}
    before = np.zeros(recording.count)
    for lap in range(1, laps + 1):
        done = np.full(recording.count, np.inf)
        own = rows[recording.events[rows, 2] == lap]
        np.minimum.at(done, recording.event_race[own], recording.event_turn[own].astype(float))
        columns[f"lap_{lap}"] = done - before
        before = done
    return columns


def _lengths(recording: Recording) -> dict[str, Table]:
    """By colour: moves, and the sum of their lengths from number and symbols alone."""
    counted, shown = recording.rows_of(COUNTED), recording.rows_of(REVEALED)
    symbols = {
        (race, turn, seat): symbol
        for race, turn, seat, symbol in zip(
            recording.event_race[shown].tolist(), recording.event_turn[shown].tolist(),
            recording.events[shown, 1].tolist(), recording.events[shown, 2].tolist(), strict=True,
        )
    }  # fmt: skip
    colour_of = look(recording.edition.data, EDITION).symbol_colour
    moves, spaces = np.zeros((recording.count, COLOURS), np.int64), np.zeros((recording.count, COLOURS), np.int64)
    for row in counted.tolist():
        race, seat = int(recording.event_race[row]), int(recording.events[row, 1])
        symbol = symbols.get((race, int(recording.event_turn[row]), seat), RESET)
        if symbol != RESET:
            moves[race, colour_of[symbol]] += 1
            spaces[race, colour_of[symbol]] += recording.events[row, 2] + recording.events[row, 3]
    columns = {f"moves_{name}": moves[:, i] for i, name in enumerate(COLOUR_NAMES)}
    return columns | {f"spaces_{name}": spaces[:, i] for i, name in enumerate(COLOUR_NAMES)}


def _skill_by_time(recording: Recording) -> dict[str, Table]:
    """The mean skill bonus of moves in the first and in the last quarter of the race."""
    rows = recording.rows_of(COUNTED)
    races, bonus = recording.event_race[rows], recording.events[rows, 5].astype(float)
    part = recording.event_turn[rows] / recording.turns[races]
    columns = {}
    for name, chosen in (("skill_early", part <= 0.25), ("skill_late", part > 0.75)):
        total, count = np.zeros(recording.count), np.zeros(recording.count)
        np.add.at(total, races[chosen], bonus[chosen])
        np.add.at(count, races[chosen], 1.0)
        columns[name] = total / np.maximum(count, 1)
    return columns


class _Steps(NamedTuple):
    """Steps of chariots that were not driven by a whip, but for the first of a move and those beyond the finish."""

    race: Table
    seat: Table
    gain: Table
    """Spaces that the step gains."""
    lane: Table
    """The lane that it ends in, 0 inside."""
    in_corner: Table
    """Whether it begins in a corner."""
    black: Table
    """Whether it belongs to a black move."""


def _steps(recording: Recording) -> _Steps:
    record = look(recording.edition.data, EDITION)
    spaces, outer = int(record.spaces), np.asarray(record.outer[: int(record.spaces)]) == 1
    corner = outer | np.roll(outer, -1)
    shown = recording.rows_of(REVEALED)
    black = np.zeros((recording.count, int(recording.turns.max()) + 2, recording.seats), bool)
    fits = recording.events[shown, 2] < RESET
    shown = shown[fits & (recording.events[shown, 2] >= 0)]
    is_black = record.symbol_colour[recording.events[shown, 2]] == BLACK
    black[recording.event_race[shown], recording.event_turn[shown], recording.events[shown, 1]] = is_black
    rows = recording.rows_of(STEPPED)
    race, turn, seat = recording.event_race[rows], recording.event_turn[rows], recording.events[rows, 1]
    stop, whipped = recording.events[rows, 2], recording.events[rows, 5]
    same = (race[1:] == race[:-1]) & (turn[1:] == turn[:-1]) & (seat[1:] == seat[:-1]) & (whipped[1:] == 0)
    start = stop[:-1]
    used = same & (start >= 0) & (stop[1:] < spaces * int(record.laps))
    return _Steps(
        race[1:][used],
        seat[1:][used],
        (stop[1:] - start)[used],
        recording.events[rows, 4][1:][used],
        corner[start % spaces][used],
        black[race[1:], turn[1:], seat[1:]][used],
    )


def _corner_steps(recording: Recording) -> dict[str, Table]:
    """Steps that begin in a corner and the spaces they gain, of black moves and of the others."""
    found = _steps(recording)
    columns: dict[str, Table] = {}
    for name, chosen in (("black", found.black), ("other", ~found.black)):
        useful = found.in_corner & chosen
        steps, gained = np.zeros(recording.count, np.int64), np.zeros(recording.count, np.int64)
        np.add.at(steps, found.race[useful], 1)
        np.add.at(gained, found.race[useful], found.gain[useful])
        columns |= {f"corner_steps_{name}": steps, f"corner_spaces_{name}": gained}
    return columns


def _way(recording: Recording) -> dict[str, Table]:
    """By race and seat: steps, in which lanes, and the spaces that they gain in corners; spaces run under whips."""
    found = _steps(recording)
    whipped = recording.rows_of(WHIPPED)
    ones = np.ones(len(found.race), np.int64)
    columns = {}
    for name, races, seats, values in (
        ("steps", found.race, found.seat, ones),
        ("lanes", found.race, found.seat, found.lane),
        ("corner_steps", found.race, found.seat, np.where(found.in_corner, ones, 0)),
        ("corner_spaces", found.race, found.seat, np.where(found.in_corner, found.gain, 0)),
        ("whipped_spaces", recording.event_race[whipped], recording.events[whipped, 1], recording.events[whipped, 3]),
    ):
        columns[name] = np.zeros((recording.count, recording.seats), np.int64)
        np.add.at(columns[name], (races, seats), values)
    return columns


FACTS = GameFacts(chariot_progress, "spaces", race_columns, chariot_columns)
