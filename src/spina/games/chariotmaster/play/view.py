"""The view of a seat of Chariotmaster: everything but the rivals' tokens in the mug and future dice."""

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
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain

MM = 10


class DrivingView(MappingStruct, kw_only=True):
    """The chariot turn under way. Lengths are millimetres, angles degrees."""

    moved: float
    """Distance driven so far."""
    minimum: float
    """Distance that must be driven this turn."""
    maximum: float
    """Distance that may be driven this turn."""
    pivot: int
    """How far the chariot may pivot."""
    submoves: int
    """Sub-moves made so far."""
    spurred: bool
    whipped: bool
    attacks: int
    """Attacks made so far."""


class ChariotView(MappingStruct, kw_only=True):
    """A chariot, its team and its driver."""

    chariot: int
    """Its number, which is also that of its piece."""
    colour: str
    seat: int
    team: int
    stamina: int
    structure: int
    health: int
    skill: int
    worn: dict[str, int]
    """Modifiers of the tables that are rolled on when points run out; those that are 0 are left out."""
    horses: int
    dead_horses: int
    """Dead horses that still hang in the harness."""
    tokens: list[str]
    """Tokens that it may use."""
    token: str | None
    """The one drawn, or the viewer's own in the mug; None if it is hidden or there is none."""
    drawn: bool
    ready: bool
    """Whether its seat has chosen tokens, while others choose."""
    top: int
    """Its top speed in millimetres a turn."""
    driver: str
    """Where the driver is: one of `PLACE_NAMES`."""
    reins: bool
    """Whether the driver holds the reins."""
    out_of_control: bool
    stunned: bool
    exhausted: bool
    wheel: bool
    """Whether a wheel is loose."""
    whip: bool
    knife: bool
    luck: int
    """Dice that its driver may still modify."""
    body: bool
    """Whether there is a chariot behind the team."""
    beast: str
    """Its draught animals: one of `BEAST_NAMES`."""
    bite: int
    """Dice that its team bites with."""
    frightening: bool
    progress: float
    """Millimetres along the track since the start; negative behind the line."""
    lap: int
    home: int | None
    """Its place in the order of crossing the line; None if it has not crossed it."""
    finished: bool
    out: bool
    """Whether it is out of the race."""
    place: int


class PieceView(MappingStruct, kw_only=True):
    """A piece on the track. Lengths are units of a tenth of a millimetre, the heading tenths of a degree."""

    piece: int
    kind: str
    """One of `KIND_NAMES`."""
    chariot: int | None
    """The chariot that it is, or was a part of; None for an obstacle."""
    x: int
    y: int
    heading: int
    length: int
    width: int


class View(SharedView, kw_only=True):
    """A race of Chariotmaster as a seat, or a spectator, may know it."""

    turn: int
    limit: int
    """The last turn there can be."""
    question: str
    """The question: one of `ASK_NAMES`."""
    asked: int | None
    """The chariot that is asked; None while tokens are chosen."""
    about: str | int | None
    """What the question is about: the roll that may be modified, or the attacker."""
    active: int | None
    """The chariot that has its turn."""
    scenario: str
    laps: int
    driving: DrivingView | None
    dice: list[int]
    """The dice that may be modified."""
    chariots: list[ChariotView]
    pieces: list[PieceView]


def view(race: Bytes, edition: ChariotmasterEdition, seat: int | None) -> View:
    """The race as the seat sees it. Lengths are millimetres; poses of pieces are units and tenths of a degree."""
    state = plain(race, RACE)
    counted = np.zeros((CHARIOTS, entries.FIGURES), np.int64)
    entries.figures(race, edition.data, counted.reshape(-1))
    figures = counted.tolist()
    return View(
        turn=int(state.turns),
        limit=int(state.limit),
        question=ASK_NAMES[state.ask],
        asked=int(state.ask_chariot) if state.ask not in (ASK_NOTHING, ASK_TOKENS) else None,
        about=_about(state),
        active=int(state.active) if state.active != NOTHING else None,
        scenario=edition.scenarios[int(state.scenario)].name,
        laps=int(state.laps),
        driving=_driving(state, figures),
        dice=[int(face) for face in state.die[state.first_die : state.last_die]] if state.ask == ASK_MODIFY else [],
        chariots=[_chariot(state, edition, chariot, seat, figures[chariot]) for chariot in range(state.chariots)],
        pieces=[_piece(state, piece) for piece in range(PIECES) if state.kind[piece] != ABSENT],
    )


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


def _driving(state: Any, figures: Any) -> DrivingView | None:
    if state.active == NOTHING:
        return None
    own = figures[state.active]
    return DrivingView(
        moved=int(state.moved) / MM,
        minimum=int(own[entries.F_LEAST]) / MM,
        maximum=int(own[entries.F_MOST]) / MM,
        pivot=int(own[entries.F_PIVOT]) // 10,
        submoves=int(state.submoves),
        spurred=bool(state.spurred),
        whipped=bool(state.whipped),
        attacks=int(state.attacks),
    )


def _chariot(state: Any, edition: ChariotmasterEdition, chariot: int, seat: int | None, figures: Any) -> ChariotView:
    own = seat is not None and state.seat[chariot] == seat
    shown = state.drawn[chariot] != IN_MUG or own
    token = int(state.token[chariot]) if shown and state.token[chariot] != NOTHING else None
    if token is not None and state.drawn[chariot] == SHOWN and not figures[entries.F_TURN]:
        token = None  # a former token, of a chariot that has no turns any more
    lap = edition.scenarios[int(state.scenario)].lap
    points = state.points[chariot]
    return ChariotView(
        chariot=chariot,
        colour=COLOURS[chariot],
        seat=int(state.seat[chariot]),
        team=int(state.side[chariot]),
        stamina=int(points[STAMINA]),
        structure=int(points[STRUCTURE]),
        health=int(points[HEALTH]),
        skill=int(points[SKILL]),
        worn={TABLE_NAMES[i]: int(worn) for i, worn in enumerate(state.worn[chariot]) if worn},
        horses=int(state.horses[chariot]),
        dead_horses=int(state.dead[chariot]),
        tokens=list(TOKEN_NAMES[: int(figures[entries.F_BEST]) + 1]),
        token=TOKEN_NAMES[token] if token is not None else None,
        drawn=bool(state.drawn[chariot] == SHOWN),
        ready=bool(state.ask == ASK_TOKENS and not int(state.asked) >> int(state.seat[chariot]) & 1),
        top=int(state.top[chariot]) // MM,
        driver=PLACE_NAMES[state.place[chariot]],
        reins=bool(state.reins[chariot]),
        out_of_control=bool(figures[entries.F_WILD]),
        stunned=bool(state.stunned[chariot]),
        exhausted=bool(state.exhausted[chariot]),
        wheel=bool(state.wheel[chariot]),
        whip=bool(state.whip[chariot]),
        knife=bool(state.knife[chariot]),
        luck=int(state.luck[chariot]),
        body=bool(state.body[chariot]),
        beast=BEAST_NAMES[state.beast[chariot]],
        bite=int(state.bite[chariot]),
        frightening=bool(state.fright[chariot]),
        progress=int(state.progress[chariot]) / MM,
        lap=max(0, min(int(state.progress[chariot]) // lap + 1, int(state.laps))),
        home=int(state.home[chariot]) or None,
        finished=bool(state.home[chariot]),
        out=bool(state.out[chariot]),
        place=int(figures[entries.F_PLACE]),
    )


def _piece(state: Any, piece: int) -> PieceView:
    return PieceView(
        piece=piece,
        kind=KIND_NAMES[state.kind[piece]],
        chariot=piece % CHARIOTS if piece < OBSTACLE else None,
        x=int(state.x[piece]),
        y=int(state.y[piece]),
        heading=int(state.heading[piece]),
        length=2 * int(state.half_long[piece]),
        width=2 * int(state.half_wide[piece]),
    )
