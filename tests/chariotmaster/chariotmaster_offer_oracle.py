"""Offers and menus of Chariotmaster made step by step, one question to the rules at a time: what others must equal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spina import Race
from spina.games.chariotmaster.play import actions
from spina.games.chariotmaster.rules import entries, prospects, record
from spina.games.chariotmaster.rules.drive import pivot_after, submove_code
from spina.games.chariotmaster.rules.menu import LENGTHS, gap_now, lengths_of
from spina.kernel.record import fields, look

DRIVING = ("drive", "sub-move", "side sweep again")


def slow_offer(race: Race, seat: int) -> dict[str, Any]:
    """The answers of a few words, and all that is offered of a driving question; not for tokens."""
    state = look(race._bytes, record.RACE)
    menu = menu_of(race, seat)
    typed = [actions.action(code) for code in menu]
    plain = [str(action) for action in typed if isinstance(action, actions.Plain)]
    found = {
        "question": record.ASK_NAMES[state.ask],
        "chariot": int(state.ask_chariot),
        "answers": [slow_answer(race, seat, action) for action in plain],
    }
    return found | (driving(race, menu) if found["question"] in DRIVING else {})


def menu_of(race: Race, seat: int) -> list[int]:
    """The numbers of the menu."""
    out = np.zeros(record.LONGEST_MENU, np.int64)
    count = entries.legal(race._bytes, race.edition.data, seat, out)
    found: list[int] = out[:count].tolist()
    return found


def slow_answer(race: Race, seat: int, action: str) -> dict[str, Any]:
    """The price and the test of an answer, by its explanation."""
    told = race.explain(seat, action)
    found = {"action": action}
    if told.price:
        found |= {"price": told.price, "stamina": told.stamina, "exhausts": told.exhausts}
    return found | ({"test": told.test} if told.test else {})


def driving(race: Race, menu: list[int]) -> dict[str, Any]:
    """All that is offered of a driving question besides the answers of a few words."""
    state, data = look(race._bytes, record.RACE), race.edition.data
    chariot = int(state.ask_chariot)
    moves = [code for code in menu if code >= record.DO_SUBMOVE]
    most: dict[str, int] = {}
    for move in map(actions.action, moves):
        most[move.way] = max(most.get(move.way, 0), move.mm)
    stamina = int(state.points[chariot, record.STAMINA])
    price = {"price": 1, "stamina": max(stamina - 1, 0), "exhausts": stamina < 1}
    paid = state.ask == record.ASK_SWEEP
    rooms = [int(entries.room(race._bytes, data, chariot, way)) / record.MM for way in range(record.WAYS)]
    figures = np.zeros(entries.FIGURES * record.CHARIOTS, np.int64)
    entries.figures(race._bytes, data, figures)
    return {
        "ready": ready(race, moves),
        "limit": int(figures[chariot * entries.FIGURES + entries.F_PIVOT]) // record.DEGREE,
        "ways": [{"way": way, "most": mm} | ({} if way == "ahead" or paid else price) for way, mm in most.items()],
        "runs": [str(actions.action(code)) for code in menu if record.DO_RUN <= code < record.DO_SUBMOVE],
        "turns": any(record.DO_UTURN <= code < record.DO_RUN for code in menu),
        "room": dict(zip(("ahead", "left", "right"), rooms, strict=True)),
    }


def ready(race: Race, moves: list[int]) -> list[dict[str, Any]]:
    """Sub-moves that get a button, each with its purposes: every one is tried for every purpose."""
    if not moves:
        return []
    state = look(race._bytes, record.RACE)
    ends = {code: end_of(race, code) for code in moves}
    gained = {code: end[3] for code, end in ends.items()}
    farthest = max(moves, key=lambda code: gained[code])
    start = int(state.way[state.ask_chariot])
    enough = start + (gained[farthest] - start) * prospects.FAR
    good = [code for code in moves if gained[code] >= enough] or moves
    lines = {code: line_of(race, ends[code]) for code in good}
    straight = [code for code in moves if not actions.action(code).degrees]
    kinds: dict[int, list[str]] = {}
    for kind, choice in (
        ("flow", max(good, key=lambda code: worth_of(race, ends[code]))),
        ("far", farthest),
        ("straight", max(straight, key=lambda code: gained[code], default=None)),
        ("inside", max(good, key=lambda code: lines[code])),
        ("outside", min(good, key=lambda code: lines[code])),
        ("attack", reaching(race, moves, ends)),
    ):
        if choice is not None:
            kinds.setdefault(choice, []).append(kind)
    return [{"action": str(actions.action(code)), "kinds": names} for code, names in kinds.items()]


def end_of(race: Race, code: int) -> list[int]:
    """Pose and progress at the end of a sub-move, and its length."""
    out = np.zeros(5, np.int64)
    entries.preview(race._bytes, race.edition.data, code, out)
    found: list[int] = out.tolist()
    return found


def moved_to(race: Race, end: list[int]) -> Race:
    """The race with the asked chariot at the end of a sub-move."""
    trial = race.copy()
    state = look(trial._bytes, record.RACE)
    chariot = state.ask_chariot
    state.x[chariot], state.y[chariot], state.heading[chariot] = end[:3]
    return trial


def worth_of(race: Race, end: list[int]) -> float:
    """The progress at the end of a sub-move, and the room ahead."""
    trial = moved_to(race, end)
    state = look(trial._bytes, record.RACE)
    state.way[state.ask_chariot] = end[3]
    room = int(entries.room(trial._bytes, race.edition.data, state.ask_chariot, record.STRAIGHT))
    return end[3] + prospects.ROOM * min(room, prospects.SIGHT)


def line_of(race: Race, end: list[int]) -> float:
    """How far to the inside the nose points at the end of a sub-move."""
    x, y, heading, way, _ = end
    angle = math.radians(heading / record.DEGREE)
    nose_x, nose_y = x + prospects.AHEAD * math.cos(angle), y + prospects.AHEAD * math.sin(angle)
    middle = np.zeros(3, np.int64)
    entries.pose(race._bytes, race.edition.data, way + prospects.AHEAD, middle)
    tangent = math.radians(int(middle[2]) / record.DEGREE)
    offset = (nose_y - int(middle[1])) * math.cos(tangent) - (nose_x - int(middle[0])) * math.sin(tangent)
    scenario = look(race._bytes, record.RACE).scenario
    return offset * (int(look(race.edition.data, record.EDITION).inside[scenario]) or 1)


def reaching(race: Race, moves: list[int], ends: dict[int, list[int]]) -> int | None:
    """The farthest sub-move from which an attack is possible."""
    state, out = look(race._bytes, record.RACE), np.zeros(record.LONGEST_MENU, np.int64)
    own = state.ask_chariot
    near = [
        other
        for other in range(state.chariots)
        if other != own
        and state.kind[other]
        and math.hypot(state.x[other] - state.x[own], state.y[other] - state.y[own]) < prospects.NEAR
    ]
    if state.turns < 2 or not near:
        return None
    for code in sorted(moves, key=lambda code: -ends[code][3]):
        if entries.attacks(moved_to(race, ends[code])._bytes, race.edition.data, own, out):
            return code
    return None


def slow_submoves(race: Race, seat: int, way: int) -> list[int]:
    """The sub-moves of a menu to one side, each checked as if it had been typed in."""
    state, components = fields(race._bytes, record.RACE), fields(race.edition.data, record.EDITION)
    chariot, found = state.ask_chariot, []
    figures, lengths = np.zeros(entries.FIGURES * record.CHARIOTS, np.int64), np.zeros(LENGTHS, np.int64)
    entries.figures(race._bytes, race.edition.data, figures)
    limit = int(figures[chariot * entries.FIGURES + entries.F_PIVOT]) // record.DEGREE

    def add(mm: int, degrees: int, point: int) -> bool:
        code = int(submove_code(way, mm, degrees, point))
        fine = not entries.check(race._bytes, race.edition.data, seat, code)
        found.extend([code] if fine else [])
        return fine

    count = lengths_of(state, components, chariot, way, gap_now(state, components, chariot), lengths)
    for mm in lengths[:count].tolist():
        add(mm, 0, record.CENTRE)
        for point in range(record.POINTS if way == record.STRAIGHT else 1):
            for side in (1, -1):
                turned = pivot_after(state, components, chariot, way, mm * record.MM, point, side * limit)
                free = int(turned) // record.DEGREE
                if point == record.CENTRE and way == record.STRAIGHT:
                    for third in (1, 2):
                        if 0 < limit * third // 3 < free:
                            add(mm, side * (limit * third // 3), point)
                while free > 0 and not add(mm, side * free, point):
                    free -= 1
    return found
