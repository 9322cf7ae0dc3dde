"""The view of a seat of Chariotmaster: everything but the rivals' tokens in the mug and future dice."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from operator import itemgetter
from typing import Any

import numpy as np

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play.piece_names import COLOURS
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.event_kinds import ROLLS
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_DEFEND,
    ASK_MODIFY,
    ASK_NAMES,
    ASK_NOTHING,
    ASK_SIDE,
    ASK_TOKENS,
    BEAST_NAMES,
    CHARIOTS,
    KIND_NAMES,
    NOTHING,
    OBSTACLE,
    PLACE_NAMES,
    RACE,
    TABLE_NAMES,
    TOKEN_NAMES,
)
from spina.games.chariotmaster.rules.turns import IN_MUG, SHOWN
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain

MM = 10


class DrivingView(MappingStruct, kw_only=True, gc=False):
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


class ChariotView(MappingStruct, kw_only=True, gc=False):
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


class PieceView(MappingStruct, kw_only=True, gc=False):
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
    return views(race, edition, [seat])[0]


def views(race: Bytes, edition: ChariotmasterEdition, viewers: Sequence[int | None]) -> list[View]:
    """The race as each of these seats sees it: all have the same parts, but for the tokens in the mug."""
    state = plain(race, RACE)
    counted = np.zeros((CHARIOTS, entries.FIGURES), np.int64)
    entries.figures(race, edition.data, counted.reshape(-1))
    figures = counted.tolist()
    scenario = edition.scenarios[state.scenario]
    public = {
        "turn": state.turns,
        "limit": state.limit,
        "question": ASK_NAMES[state.ask],
        "asked": state.ask_chariot if state.ask not in (ASK_NOTHING, ASK_TOKENS) else None,
        "about": _about(state),
        "active": state.active if state.active != NOTHING else None,
        "scenario": scenario.name,
        "laps": state.laps,
        "driving": _driving(state, figures),
        "dice": state.die[state.first_die : state.last_die] if state.ask == ASK_MODIFY else [],
        "pieces": [_piece(state, piece) for piece, kind in enumerate(state.kind) if kind != ABSENT],
    }
    chariots = _chariots(race, state, scenario.lap, figures)
    return [View(chariots=_seen_by(state, chariots, viewer), **public) for viewer in viewers]


def _seen_by(state: Any, chariots: list[ChariotView], viewer: int | None) -> list[ChariotView]:
    """The chariots with the viewer's own tokens in the mug."""
    seen = chariots
    for chariot in range(len(chariots)):
        if state.seat[chariot] == viewer and state.drawn[chariot] == IN_MUG and state.token[chariot] != NOTHING:
            if seen is chariots:
                seen = chariots.copy()
            own = seen[chariot] = copy(chariots[chariot])
            own.token = TOKEN_NAMES[state.token[chariot]]
    return seen


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
    if state.ask in (ASK_DEFEND, ASK_SIDE):
        about: int = state.ask_about
        return about
    return None


def _driving(state: Any, figures: list[list[int]]) -> DrivingView | None:
    if state.active == NOTHING:
        return None
    own = figures[state.active]
    return DrivingView(
        moved=state.moved / MM,
        minimum=own[entries.F_LEAST] / MM,
        maximum=own[entries.F_MOST] / MM,
        pivot=own[entries.F_PIVOT] // 10,
        submoves=state.submoves,
        spurred=bool(state.spurred),
        whipped=bool(state.whipped),
        attacks=state.attacks,
    )


_COLUMNS = (
    "seat", "side", "horses", "dead", "token", "drawn", "top", "place", "reins", "stunned", "exhausted", "wheel",
    "whip", "knife", "luck", "body", "beast", "bite", "fright", "home", "out",
)  # fmt: skip
"""Fields with one number for each chariot."""
_BEGIN, _END = RACE.fields["seat"][1], RACE.fields["progress"][1]  # type: ignore[index]
"""The part of the record with all numbers of 16 bits of the chariots."""


def _places_of(name: str) -> Any:
    """By chariot: where the numbers of a field are in that part."""
    kind, offset = RACE.fields[name][:2]  # type: ignore[index]
    return (offset - _BEGIN) // 2 + np.arange(kind.itemsize // 2).reshape(CHARIOTS, -1)


_ROWS = [
    itemgetter(*np.concatenate([_places_of(name)[chariot] for name in ("points", *_COLUMNS)]).tolist())
    for chariot in range(CHARIOTS)
]
"""By chariot: takes its points and its columns out of that part."""
_WORN = [slice(int(places[0]), int(places[-1]) + 1) for places in _places_of("worn")]


def _chariots(race: Bytes, state: Any, lap: int, figures: list[list[int]]) -> list[ChariotView]:
    """The chariots as all may see them."""
    numbers = race.data[_BEGIN:_END].cast("h").tolist()
    asked, laps, choosing = state.asked, state.laps, state.ask == ASK_TOKENS
    found = []
    for chariot in range(state.chariots):
        (
            stamina, structure, health, skill, seat, side, horses, dead, token, drawn, top, place, reins, stunned,
            exhausted, wheel, whip, knife, luck, body, beast, bite, fright, home, out,
        ) = _ROWS[chariot](numbers)  # fmt: skip
        own, progress = figures[chariot], state.progress[chariot]
        worn = numbers[_WORN[chariot]]
        hidden = drawn == IN_MUG or token == NOTHING
        former = drawn == SHOWN and not own[entries.F_TURN]  # of a chariot that has no turns any more
        view = ChariotView(
            chariot=chariot,
            colour=COLOURS[chariot],
            seat=seat,
            team=side,
            stamina=stamina,
            structure=structure,
            health=health,
            skill=skill,
            worn={TABLE_NAMES[i]: by for i, by in enumerate(worn) if by} if any(worn) else {},
            horses=horses,
            dead_horses=dead,
            tokens=list(TOKEN_NAMES[: own[entries.F_BEST] + 1]),
            token=None if hidden or former else TOKEN_NAMES[token],
            drawn=drawn == SHOWN,
            ready=choosing and not asked >> seat & 1,
            top=top // MM,
            driver=PLACE_NAMES[place],
            reins=reins != 0,
            out_of_control=own[entries.F_WILD] != 0,
            stunned=stunned != 0,
            exhausted=exhausted != 0,
            wheel=wheel != 0,
            whip=whip != 0,
            knife=knife != 0,
            luck=luck,
            body=body != 0,
            beast=BEAST_NAMES[beast],
            bite=bite,
            frightening=fright != 0,
            progress=progress / MM,
            lap=max(0, min(progress // lap + 1, laps)),
            home=home or None,
            finished=home != 0,
            out=out != 0,
            place=own[entries.F_PLACE],
        )
        found.append(view)
    return found


def _piece(state: Any, piece: int) -> PieceView:
    return PieceView(
        piece=piece,
        kind=KIND_NAMES[state.kind[piece]],
        chariot=piece % CHARIOTS if piece < OBSTACLE else None,
        x=state.x[piece],
        y=state.y[piece],
        heading=state.heading[piece],
        length=2 * state.half_long[piece],
        width=2 * state.half_wide[piece],
    )
