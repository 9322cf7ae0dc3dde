"""What a seat sees of a race of Chariotmaster: everything but the rivals' tokens in the mug and the dice to come."""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play.piece_names import COLOURS
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.event_kinds import ROLLS
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_MODIFY,
    ASK_NAMES,
    ASK_NOTHING,
    ASK_TOKENS,
    BEAST_NAMES,
    CHARIOTS,
    HEALTH,
    KIND_NAMES,
    NOTHING,
    OBSTACLE,
    PIECES,
    PLACE_NAMES,
    RACE,
    SKILL,
    STAMINA,
    STRUCTURE,
    TABLE_NAMES,
    TOKEN_NAMES,
)
from spina.games.chariotmaster.rules.turns import IN_MUG, SHOWN
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain

MM = 10


def view(race: Bytes, edition: ChariotmasterEdition, seat: int | None) -> dict[str, Any]:
    """The race as plain data. Lengths are millimetres; poses of pieces are units and tenths of a degree."""
    state = plain(race, RACE)
    counted = np.zeros((CHARIOTS, entries.FIGURES), np.int64)
    entries.figures(race, edition.data, counted.reshape(-1))
    figures = counted.tolist()
    return {
        "turn": int(state.turns),
        "limit": int(state.limit),
        "question": ASK_NAMES[state.ask],
        "asked": int(state.ask_chariot) if state.ask not in (ASK_NOTHING, ASK_TOKENS) else None,
        "about": _about(state),
        "active": int(state.active) if state.active != NOTHING else None,
        "scenario": edition.scenarios[int(state.scenario)].name,
        "laps": int(state.laps),
        "driving": _driving(state, figures),
        "dice": [int(face) for face in state.die[state.first_die : state.last_die]] if state.ask == ASK_MODIFY else [],
        "chariots": [_chariot(state, edition, chariot, seat, figures[chariot]) for chariot in range(state.chariots)],
        "pieces": [_piece(state, piece) for piece in range(PIECES) if state.kind[piece] != ABSENT],
    }


def to_choose(race: Bytes, seat: int) -> list[int]:
    """The chariots of a seat whose tokens are still to be chosen."""
    state = plain(race, RACE)
    if state.ask != ASK_TOKENS:
        return []
    mine = [chariot for chariot in range(state.chariots) if state.seat[chariot] == seat]
    return [chariot for chariot in mine if state.drawn[chariot] == IN_MUG and state.token[chariot] == NOTHING]


def _about(state: Any) -> str | int | None:
    """What a question is about: the roll that may be modified, or the attacker."""
    if state.ask == ASK_MODIFY:
        return ROLLS[state.ask_about]
    if ASK_NAMES[state.ask] in ("defence", "side of the evasion"):
        return int(state.ask_about)
    return None


def _driving(state: Any, figures: Any) -> dict[str, Any] | None:
    """The chariot turn under way."""
    if state.active == NOTHING:
        return None
    own = figures[state.active]
    return {
        "moved": int(state.moved) / MM,
        "minimum": int(own[entries.F_LEAST]) / MM,
        "maximum": int(own[entries.F_MOST]) / MM,
        "pivot": int(own[entries.F_PIVOT]) // 10,
        "submoves": int(state.submoves),
        "spurred": bool(state.spurred),
        "whipped": bool(state.whipped),
        "attacks": int(state.attacks),
    }


def _chariot(state: Any, edition: ChariotmasterEdition, chariot: int, seat: int | None, figures: Any) -> dict[str, Any]:
    own = seat is not None and state.seat[chariot] == seat
    shown = state.drawn[chariot] != IN_MUG or own
    token = int(state.token[chariot]) if shown and state.token[chariot] != NOTHING else None
    if token is not None and state.drawn[chariot] == SHOWN and not figures[entries.F_TURN]:
        token = None  # an old one, of a chariot that has no turn any more
    lap = edition.scenarios[int(state.scenario)].lap
    points = {name: int(state.points[chariot][kind]) for name, kind in _POINTS.items()}
    return {
        "chariot": chariot,
        "colour": COLOURS[chariot],
        "seat": int(state.seat[chariot]),
        "team": int(state.side[chariot]),
        **points,
        "worn": {TABLE_NAMES[i]: int(worn) for i, worn in enumerate(state.worn[chariot]) if worn},
        "horses": int(state.horses[chariot]),
        "dead_horses": int(state.dead[chariot]),
        "tokens": list(TOKEN_NAMES[: int(figures[entries.F_BEST]) + 1]),
        "token": TOKEN_NAMES[token] if token is not None else None,
        "drawn": bool(state.drawn[chariot] == SHOWN),
        "ready": bool(state.ask == ASK_TOKENS and not int(state.asked) >> int(state.seat[chariot]) & 1),
        "top": int(state.top[chariot]) // MM,
        "driver": PLACE_NAMES[state.place[chariot]],
        "reins": bool(state.reins[chariot]),
        "out_of_control": bool(figures[entries.F_WILD]),
        "stunned": bool(state.stunned[chariot]),
        "exhausted": bool(state.exhausted[chariot]),
        "wheel": bool(state.wheel[chariot]),
        "whip": bool(state.whip[chariot]),
        "knife": bool(state.knife[chariot]),
        "luck": int(state.luck[chariot]),
        "body": bool(state.body[chariot]),
        "beast": BEAST_NAMES[state.beast[chariot]],
        "bite": int(state.bite[chariot]),
        "frightening": bool(state.fright[chariot]),
        "progress": int(state.progress[chariot]) / MM,
        "lap": max(0, min(int(state.progress[chariot]) // lap + 1, int(state.laps))),
        "home": int(state.home[chariot]) or None,
        "finished": bool(state.home[chariot]),
        "out": bool(state.out[chariot]),
        "place": int(figures[entries.F_PLACE]),
    }


_POINTS = {"stamina": STAMINA, "structure": STRUCTURE, "health": HEALTH, "skill": SKILL}


def _piece(state: Any, piece: int) -> dict[str, Any]:
    return {
        "piece": piece,
        "kind": KIND_NAMES[state.kind[piece]],
        "chariot": piece % CHARIOTS if piece < OBSTACLE else None,
        "x": int(state.x[piece]),
        "y": int(state.y[piece]),
        "heading": int(state.heading[piece]),
        "length": 2 * int(state.half_long[piece]),
        "width": 2 * int(state.half_wide[piece]),
    }
