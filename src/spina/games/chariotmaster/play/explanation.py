"""Explanations: the consequences of a sub-move, a test or an attack before it is chosen."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play import actions, view
from spina.games.chariotmaster.play.piece_names import piece_number
from spina.games.chariotmaster.play.refusals import say
from spina.games.chariotmaster.rules import choices, entries
from spina.games.chariotmaster.rules.dice import would_pass
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_DRIVE,
    ASK_NAMES,
    ASK_PIVOT,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    ASK_WALK,
    CHARIOTS,
    CM,
    DEGREE,
    DRIVER_OF,
    EDITION,
    FACES,
    LONGEST_MENU,
    MM,
    NOTHING,
    RACE,
    SKILL,
    STAMINA,
    STRAIGHT,
    SWEEP_LEFT,
    SWEEP_RIGHT,
    TOKEN_NAMES,
    WAY_NAMES,
)
from spina.games.game import Action
from spina.games.mapping_struct import MappingStruct
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance
from spina.sentences import Sentence

SUGGESTIONS = 8
_REASONS = (
    "other-question", "no-token", "too-short", "too-long", "too-sharp", "not-free", "turn-not-free", "no-spur",
    "no-whip", "minimum", "no-distance", "no-collision", "no-run", "no-u-turn", "no-strike", "no-fright", "no-die",
    "no-reason-to-climb", "other-side", "must-leave", "test-first", "must-move", "no-test", "no-brake", "no-step",
)  # fmt: skip
REASONS = {getattr(choices, name.replace("-", "_").upper()): name for name in _REASONS}
"""Suffixes of the codes of the kernel's reasons, by the numbers of `rules.choices`."""


class Test(MappingStruct, kw_only=True):
    """A test: a die with its modifier against skill."""

    modifier: int
    skill: int
    chance: float
    """Of passing; a natural 1 always does, a natural 6 never."""


class Breakdown(msgspec.Struct, frozen=True):
    """The consequences of an action that do not depend on dice. Lengths are millimetres, angles degrees."""

    action: str
    """In notation."""
    x: float
    """Where the chariot would stand, or its driver on foot."""
    y: float
    heading: float
    gained: float
    """Progress along the track."""
    left: float
    """Distance that it may still travel afterwards; negative when it has gone too far for its token."""
    room_ahead: float
    """To the next thing ahead from there, and to either side, up to 60 cm; of a driver on foot, whose base never
    turns, along the map."""
    room_left: float
    room_right: float
    price: int
    """Stamina that it costs."""
    stamina: int
    """Stamina left afterwards."""
    exhausts: bool
    """Whether the price exceeds the stamina left, so that a roll on the out-of-points table comes first."""
    test: Test | None
    """The test that this action takes: for another sub-move, a defence, cutting loose."""
    next_test: Test | None
    """The test before another sub-move after it."""
    attacks: tuple[str, ...]
    """What could be attacked from there."""

    def __str__(self) -> str:
        parts = [f"{self.action}: {self.gained / MM:+.1f} cm on, {int(self.room_ahead) / MM:.1f} cm of room ahead"]
        if self.price:
            parts.append(f"costs {self.price} stamina" + (" (OUT OF STAMINA)" if self.exhausts else ""))
        if self.test:
            parts.append(f"test passes {self.test.chance:.0%}")
        if self.next_test:
            parts.append(f"another sub-move passes {self.next_test.chance:.0%}")
        if self.attacks:
            parts.append("then " + " or ".join(self.attacks))
        return "; ".join(parts)


@cache
def chance_of(skill: int, modifier: int) -> float:
    """Of passing a test with this modifier (K7)."""
    return sum(bool(would_pass(face, modifier, skill)) for face in range(1, FACES + 1)) / FACES


def explain(race: Bytes, edition: ChariotmasterEdition, seat: int, code: int) -> Breakdown:
    """The consequences of a possible action for the chariot that is asked, or for its driver on foot."""
    before = glance(race, RACE)
    chariot = int(before.ask_chariot) if before.ask != ASK_TOKENS else view.to_choose(race, seat)[0]
    piece = chariot + (DRIVER_OF if before.ask == ASK_WALK else 0)
    wanted = actions.action(code)
    after_bytes = race.copy()
    after = glance(after_bytes, RACE)
    if isinstance(wanted, _MOVES):
        _move(after_bytes, edition, piece, code)
    price = price_of(race, edition, chariot, wanted)
    stamina = int(before.points[chariot, STAMINA])
    finishes = bool(entries.has_crossed(after_bytes, edition.data, chariot, 0))
    found = np.zeros(LONGEST_MENU, np.int64)
    count = 0
    if isinstance(wanted, actions.SubMove) and before.turns > 1 and not finishes:
        count = entries.attacks(after_bytes, edition.data, chariot, found)
    return Breakdown(
        action=str(wanted),
        x=int(after.x[piece]) / MM,
        y=int(after.y[piece]) / MM,
        heading=int(after.heading[piece]) / 10,
        gained=int(after.way[piece] - before.way[piece]) / MM,
        left=_left(after_bytes, edition, chariot) / MM,
        room_ahead=int(entries.room(after_bytes, edition.data, piece, STRAIGHT)) / MM,
        room_left=int(entries.room(after_bytes, edition.data, piece, SWEEP_LEFT)) / MM,
        room_right=int(entries.room(after_bytes, edition.data, piece, SWEEP_RIGHT)) / MM,
        price=price,
        stamina=max(stamina - price, 0),
        exhausts=price > stamina,
        test=test_before(race, edition, chariot, wanted),
        next_test=None if finishes else _test_after(before, after_bytes, edition, chariot, wanted),
        attacks=tuple(str(actions.action(code)) for code in found[:count].tolist()),
    )


_MOVES = (actions.SubMove, actions.Run, actions.Pivot, actions.UTurn, actions.Walk)
_PRICED = (actions.Brake, actions.Spur, actions.Whip, actions.BrakeAway, actions.Evade, actions.ShyAway)
"""Actions of a few words that cost a point of stamina."""
_TESTED = (actions.Announce, actions.BrakeAway, actions.Evade, actions.CutLoose)
_STRIKES = (actions.Ram, actions.WhipHorses, actions.WhipDriver, actions.Bite, actions.Boars)


def _move(race: Bytes, edition: ChariotmasterEdition, piece: int, code: int) -> None:
    """Move the piece, in a copy of the race, to where the action would bring it."""
    state = glance(race, RACE)
    out = np.zeros(5, np.int64)
    entries.preview(race, edition.data, code, out)
    state.x[piece], state.y[piece], state.heading[piece], state.way[piece] = out[:4]
    if piece < CHARIOTS:
        state.moved += out[4]
        state.submoves += bool(out[4])


def price_of(race: Bytes, edition: ChariotmasterEdition, chariot: int, wanted: Any) -> int:
    """Stamina that an action costs: changes of speed, side sweeps, further attacks, defence."""
    if isinstance(wanted, actions.Plain):
        return int(isinstance(wanted, _PRICED))
    if isinstance(wanted, (actions.SubMove, actions.Run)):
        return int(wanted.way != "ahead" and glance(race, RACE).ask != ASK_SWEEP)
    if isinstance(wanted, _STRIKES):
        return int(entries.price(race, edition.data, chariot, piece_number(wanted.target)))
    return 0


def test_before(race: Bytes, edition: ChariotmasterEdition, chariot: int, wanted: Any) -> Test | None:
    """The test that decides whether an action succeeds."""
    if not isinstance(wanted, _TESTED):
        return None
    if isinstance(wanted, actions.Announce):
        return _test(race, edition, chariot)
    state = glance(race, RACE)
    modifier = 0 if isinstance(wanted, actions.CutLoose) else int(state.attacks_on[chariot])  # G4, A6
    return _test_with(int(state.points[chariot, SKILL]), modifier)


def _test_with(skill: int, modifier: int) -> Test:
    return Test(modifier=modifier, skill=skill, chance=chance_of(skill, modifier))


def _test_after(before: Any, race: Bytes, edition: ChariotmasterEdition, chariot: int, wanted: Any) -> Test | None:
    """The test before another sub-move after an action, unless that ends the turn or comes before a sub-move itself."""
    moves = isinstance(wanted, (actions.SubMove, actions.Run))
    if before.ask not in (ASK_DRIVE, ASK_SUBMOVE, ASK_SWEEP, ASK_PIVOT, ASK_ATTACK):
        return None
    if isinstance(wanted, (actions.Announce, actions.Stop, actions.UTurn, actions.Collide)):
        return None
    if before.ask == ASK_SUBMOVE and not moves:
        return None
    if _left(race, edition, chariot) < CM and not _figure(race, edition, chariot, entries.F_FASTER):  # D2
        return None
    return _test(race, edition, chariot)


def _left(race: Bytes, edition: ChariotmasterEdition, chariot: int) -> int:
    state = glance(race, RACE)
    if state.active != chariot:
        return 0
    return _figure(race, edition, chariot, entries.F_MOST) - int(state.moved)


def _figure(race: Bytes, edition: ChariotmasterEdition, chariot: int, figure: int) -> int:
    figures = np.zeros(entries.FIGURES * CHARIOTS, np.int64)
    entries.figures(race, edition.data, figures)
    return int(figures[chariot * entries.FIGURES + figure])


def _test(race: Bytes, edition: ChariotmasterEdition, chariot: int) -> Test | None:
    """K1, K2: the test before the next sub-move, if there can be one."""
    state = glance(race, RACE)
    if state.active != chariot or state.submoves == 0 or state.token[chariot] == NOTHING:
        return None
    modifiers = glance(edition.data, EDITION).test
    modifier = int(state.submoves) + int(modifiers[_figure(race, edition, chariot, entries.F_TOKEN)])
    return _test_with(int(state.points[chariot, SKILL]), modifier)


def objection(
    race: Bytes, edition: ChariotmasterEdition, seat: int, wanted: Action, reason: int
) -> tuple[Sentence, list[str]]:
    """Why an action is not possible now, and a few possible ones."""
    state = glance(race, RACE)
    menu = np.zeros(LONGEST_MENU, np.int64)
    count = entries.legal(race, edition.data, seat, menu)
    some = menu[:count][:: max(1, count // SUGGESTIONS)][:SUGGESTIONS]
    why = say(f"chariotmaster.why.{REASONS[reason]}")
    limit = _limit(race, edition, seat, wanted, reason)
    if limit is not None:
        why = say("chariotmaster.limit", why=why, limit=limit)
    question = say(f"chariotmaster.question.{ASK_NAMES[state.ask].replace(' ', '-')}")
    text = say("chariotmaster.not-possible", action=str(wanted), why=why, question=question)
    return text, [str(actions.action(code)) for code in some.tolist()]


def _limit(race: Bytes, edition: ChariotmasterEdition, seat: int, wanted: Any, reason: int) -> Sentence | None:
    """The limit that an action exceeds, if there is one."""
    state = glance(race, RACE)
    chariot = int(state.ask_chariot)
    if reason == choices.NO_TOKEN:
        best = _figure(race, edition, view.to_choose(race, seat)[0], entries.F_BEST)
        return say("chariotmaster.limit.tokens", tokens=", ".join(TOKEN_NAMES[: best + 1]))
    if reason == choices.TEST_FIRST:
        return say("chariotmaster.limit.announce", action=str(actions.Announce()))
    if reason == choices.TOO_LONG:
        left = int(state.ask_about) if state.ask == ASK_WALK else _left(race, edition, chariot)
        return say("chariotmaster.limit.left", mm=max(left, 0) // MM)
    if reason == choices.TOO_SHARP:
        most = _figure(race, edition, chariot, entries.F_PIVOT) // DEGREE
        return say("chariotmaster.limit.pivot", degrees=most)
    if reason == choices.MINIMUM:
        least = _figure(race, edition, chariot, entries.F_LEAST)
        return say("chariotmaster.limit.minimum", moved=int(state.moved) // MM, least=-(-least // MM))
    if reason == choices.NOT_FREE and isinstance(wanted, actions.SubMove):
        return _free_way(race, edition, seat, wanted)
    if reason == choices.TURN_NOT_FREE:
        return say("chariotmaster.limit.turn", degrees=_free_turn(race, edition, seat, wanted))
    return None


def _free_way(race: Bytes, edition: ChariotmasterEdition, seat: int, wanted: actions.SubMove) -> Sentence:
    """The longest free distance to the same side, shorter than the refused one."""
    chariot = int(glance(race, RACE).ask_chariot)
    room = int(entries.room(race, edition.data, chariot, WAY_NAMES.index(wanted.way))) // MM
    least = CM // MM
    for mm in range(min(room, wanted.mm - 1), least - 1, -1):  # the end of the rounded distance need not be clear
        if not entries.check(race, edition.data, seat, actions.code_of(actions.SubMove(wanted.way, mm))):
            return say("chariotmaster.limit.free", mm=mm)
    if room < least:
        return say("chariotmaster.limit.free-too-little", mm=room)
    return say("chariotmaster.limit.none-shorter")


def _free_turn(race: Bytes, edition: ChariotmasterEdition, seat: int, wanted: Any) -> int:
    """The widest free pivot to the same side, in whole degrees."""
    side = 1 if wanted.degrees > 0 else -1
    free, taken = 0, abs(wanted.degrees)
    while taken - free > 1:
        tried = (free + taken) // 2
        turned = msgspec.structs.replace(wanted, degrees=side * tried)
        if entries.check(race, edition.data, seat, actions.code_of(turned)):
            taken = tried
        else:
            free = tried
    return free
