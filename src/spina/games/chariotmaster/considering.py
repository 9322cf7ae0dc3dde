"""Actions under consideration: what a sub-move, a test or an attack would come to, before it is chosen."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from spina.games.chariotmaster import actions, choices, rules, seeing
from spina.games.chariotmaster.edition import ChariotmasterEdition
from spina.games.chariotmaster.state import (
    ASK_DRIVE,
    ASK_NAMES,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    CM,
    DO_SUBMOVE,
    EDITION,
    LONGEST_MENU,
    NOTHING,
    RACE,
    SKILL,
    STAMINA,
    STRAIGHT,
    SWEEP_LEFT,
    SWEEP_RIGHT,
)
from spina.games.game import Action
from spina.kernel.record import Bytes, look

MM = 10
SUGGESTIONS = 8


class Test(msgspec.Struct, frozen=True):
    """A sub-move test: a die with its modifier against skill."""

    modifier: int
    skill: int
    chance: float
    """Of passing; a natural 1 always does, a natural 6 never."""


class Breakdown(msgspec.Struct, frozen=True):
    """What an action comes to as far as no dice decide. Lengths are millimetres, angles degrees."""

    action: str
    """In notation."""
    x: float
    """Where the chariot would stand."""
    y: float
    heading: float
    gained: float
    """Progress along the track."""
    left: float
    """Distance that it may still travel afterwards; negative when it has gone too far for its token."""
    room_ahead: float
    """To the next thing ahead from there, and to either side, up to 60 cm."""
    room_left: float
    room_right: float
    price: int
    """Stamina that it costs."""
    stamina: int
    """What is left of it."""
    exhausts: bool
    """Whether a point must be paid that is not there, with a roll on the table before anything else."""
    test: Test | None
    """The test before this action."""
    next_test: Test | None
    """The test before another sub-move after it."""
    attacks: tuple[str, ...]
    """What could be attacked from there."""

    def __str__(self) -> str:
        parts = [f"{self.action}: {self.gained / MM:+.1f} cm on, {self.room_ahead / MM:.1f} cm of room ahead"]
        if self.price:
            parts.append(f"costs {self.price} stamina" + (" (OUT OF STAMINA)" if self.exhausts else ""))
        if self.test:
            parts.append(f"test passes {self.test.chance:.0%}")
        if self.next_test:
            parts.append(f"another sub-move passes {self.next_test.chance:.0%}")
        if self.attacks:
            parts.append("then " + " or ".join(self.attacks))
        return "; ".join(parts)


def chance_of(skill: int, modifier: int) -> float:
    """Of passing a test with this modifier (K7)."""
    return sum(face == 1 or (face != 6 and face + modifier <= skill) for face in range(1, 7)) / 6


def explain(race: Bytes, edition: ChariotmasterEdition, seat: int, code: int) -> Breakdown:
    """What one possible action comes to for the chariot that is asked."""
    before = look(race, RACE)
    chariot = int(before.ask_chariot) if before.ask != ASK_TOKENS else seeing.to_choose(race, seat)[0]
    after_bytes = race.copy()
    after = look(after_bytes, RACE)
    price = 0
    if before.ask in (ASK_DRIVE, ASK_SUBMOVE, ASK_SWEEP) and code >= DO_SUBMOVE:
        price = _move(after_bytes, edition, chariot, code, paid=before.ask == ASK_SWEEP)
    elif before.ask in (ASK_DRIVE, ASK_SUBMOVE) and actions.action(code) in (
        actions.Brake(),
        actions.Spur(),
        actions.Whip(),
    ):
        price = 1
    stamina = int(before.points[chariot, STAMINA])
    found = np.zeros(LONGEST_MENU, np.int64)
    count = 0
    if code >= DO_SUBMOVE and before.turns > 1:
        count = rules.attacks(after_bytes, edition.data, chariot, found)
    announces = actions.action(code) == actions.Announce()
    return Breakdown(
        action=str(actions.action(code)),
        x=int(after.x[chariot]) / MM,
        y=int(after.y[chariot]) / MM,
        heading=int(after.heading[chariot]) / 10,
        gained=int(after.way[chariot] - before.way[chariot]) / MM,
        left=_left(after_bytes, edition, chariot) / MM,
        room_ahead=rules.room(after_bytes, edition.data, chariot, STRAIGHT) / MM,
        room_left=rules.room(after_bytes, edition.data, chariot, SWEEP_LEFT) / MM,
        room_right=rules.room(after_bytes, edition.data, chariot, SWEEP_RIGHT) / MM,
        price=price,
        stamina=max(stamina - price, 0),
        exhausts=price > stamina,
        test=_test(before, edition, chariot) if announces else None,
        next_test=_test(after, edition, chariot) if before.active == chariot and not announces else None,
        attacks=tuple(str(actions.action(code)) for code in found[:count].tolist()),
    )


def _move(race: Bytes, edition: ChariotmasterEdition, chariot: int, code: int, paid: bool) -> int:
    """Put the chariot of a copy where a sub-move would bring it; returns the price."""
    state = look(race, RACE)
    out = np.zeros(5, np.int64)
    rules.preview(race, edition.data, code, out)
    state.x[chariot], state.y[chariot], state.heading[chariot], state.way[chariot] = out[:4]
    state.moved += out[4]
    state.submoves += 1
    wanted = actions.action(code)
    return int(isinstance(wanted, actions.SubMove) and wanted.way != "ahead" and not paid)


def _left(race: Bytes, edition: ChariotmasterEdition, chariot: int) -> int:
    state = look(race, RACE)
    if state.active != chariot:
        return 0
    figures = np.zeros(rules.FIGURES * len(state.seat), np.int64)
    rules.figures(race, edition.data, figures)
    return int(figures[chariot * rules.FIGURES + rules.F_MOST]) - int(state.moved)


def _test(state: Any, edition: ChariotmasterEdition, chariot: int) -> Test | None:
    """The test before the next sub-move, if there can be one."""
    if state.active != chariot or state.submoves == 0 or state.token[chariot] == NOTHING:
        return None
    figures = look(edition.data, EDITION)
    modifier = int(state.submoves) + int(figures.test[min(int(state.token[chariot]), _best(state, chariot))])
    skill = int(state.points[chariot, SKILL])
    return Test(modifier=modifier, skill=skill, chance=chance_of(skill, modifier))


def _best(state: Any, chariot: int) -> int:
    """T5: the fastest token that a chariot may use."""
    if state.dead[chariot]:
        return 0
    return min(int(state.cap[chariot]), 1 if state.horses[chariot] < 2 else 2)


def objection(
    race: Bytes, edition: ChariotmasterEdition, seat: int, wanted: Action, reason: int
) -> tuple[str, list[str]]:
    """Why an action is not possible now, and a few that are."""
    state = look(race, RACE)
    menu = np.zeros(LONGEST_MENU, np.int64)
    count = rules.legal(race, edition.data, seat, menu)
    some = menu[:count][:: max(1, count // SUGGESTIONS)][:SUGGESTIONS]
    why = choices.WHY_NOT[reason]
    text = f'"{wanted}" is not possible now: {why} (the question is {ASK_NAMES[state.ask]}'
    if reason == choices.NOT_FREE and isinstance(wanted, actions.SubMove):
        way = ("ahead", "left", "right").index(wanted.way)
        room = rules.room(race, edition.data, int(state.ask_chariot), way)
        text += f", {room / CM:.1f} cm are free"
    return text + ")", [str(actions.action(code)) for code in some.tolist()]
