"""The offers of Chariotmaster for pages: every question with its answers and their consequences.

Sub-moves are too many to list. The offer says how far each way is free and how sharp the pivot may be, with a few
ready ones; any other action that a person tries out is explained by `explanation`. Lengths are millimetres,
angles degrees, poses as in views: units and tenths of a degree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play import actions, explanation, odds, view
from spina.games.chariotmaster.play.explanation import Test, chance_of
from spina.games.chariotmaster.play.offer_types import (
    Answer,
    AttackOffer,
    DieChange,
    DieOffer,
    Leg,
    Offer,
    ReadyMove,
    Room,
    SideOffer,
    TokenChance,
    TokenOffer,
    WayOffer,
)
from spina.games.chariotmaster.play.piece_names import piece_number
from spina.games.chariotmaster.rules import effects, entries
from spina.games.chariotmaster.rules.dice import would_pass
from spina.games.chariotmaster.rules.event_kinds import ROLLS, TESTS
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_CLIMB,
    ASK_CUT,
    ASK_DEFEND,
    ASK_DRIVE,
    ASK_MODIFY,
    ASK_NAMES,
    ASK_PIVOT,
    ASK_SIDE,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    ASK_WALK,
    CHARIOTS,
    CM,
    DEGREE,
    DO_MODIFY,
    DO_PIVOT,
    DO_RUN,
    DO_SUBMOVE,
    DO_UTURN,
    EDITION,
    FACES,
    FAST,
    HEALTH,
    LONGEST_MENU,
    MM,
    NOTHING,
    PART_NAMES,
    RACE,
    SKILL,
    STAMINA,
    STRAIGHT,
    SWEEP_LEFT,
    SWEEP_RIGHT,
    TOKEN_NAMES,
)
from spina.kernel.effect_stack import ARGUMENTS, OP
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

AHEAD = 5 * CM
"""How far before its nose a chariot's line is judged as inner or outer."""
FAR = 0.6
"""Share of the farthest sub-move that one along the inside or the outside still gains."""
NEAR = 25 * CM
"""Rivals farther than this from a chariot are out of reach of its attacks."""
ROOM, SIGHT = 0.8, 16 * CM
"""The value of room ahead as a share of progress, and the most room that counts."""
_HOWS: dict[type[Any], str] = {
    actions.Ram: "ram",
    actions.WhipHorses: "whip at horses",
    actions.WhipDriver: "whip at driver",
    actions.Bite: "bite",
    actions.Boars: "boars",
}


def offer(race: Bytes, edition: ChariotmasterEdition, seat: int) -> Offer:
    """The question to the seat, and its possible answers."""
    state = glance(race, RACE)
    asker = _Asker(race, edition, seat)
    if state.ask == ASK_TOKENS:
        return asker.tokens()
    return Offer(**asker.base(), **asker.details(int(state.ask)))


class _Asker:
    """One question of one seat."""

    def __init__(self, race: Bytes, edition: ChariotmasterEdition, seat: int) -> None:
        self.race, self.edition, self.seat = race, edition, seat
        self.state, self.figures = glance(race, RACE), glance(edition.data, EDITION)
        self.chariot = int(self.state.ask_chariot)
        found = np.zeros(entries.FIGURES * CHARIOTS, np.int64)
        entries.figures(race, edition.data, found)
        self.every = found.reshape(CHARIOTS, entries.FIGURES)

    def base(self) -> dict[str, Any]:
        """The fields of every offer: the question, the chariot, the answers of a few words."""
        out = np.zeros(LONGEST_MENU, np.int64)
        count = entries.legal(self.race, self.edition.data, self.seat, out)
        self.menu: list[int] = out[:count].tolist()
        typed = [actions.action(code) for code in self.menu]
        return {
            "question": ASK_NAMES[self.state.ask],
            "chariot": self.chariot,
            "answers": [
                self._answer(code)
                for code, action in zip(self.menu, typed, strict=True)
                if isinstance(action, actions.Plain)
            ],
        }

    def details(self, ask: int) -> dict[str, Any]:
        """The fields that belong to the question."""
        builders: dict[int, Callable[[], dict[str, Any]]] = {
            ASK_DRIVE: self._driving,
            ASK_SUBMOVE: self._driving,
            ASK_SWEEP: self._driving,
            ASK_PIVOT: self._pivot,
            ASK_SKID: self._skid,
            ASK_ATTACK: self._attacks,
            ASK_DEFEND: self._defence,
            ASK_SIDE: self._side,
            ASK_MODIFY: self._luck,
            ASK_CLIMB: self._climb,
            ASK_CUT: self._cut,
            ASK_WALK: self._walk,
        }
        return builders[ask]() if ask in builders else {}

    def _answer(self, code: int) -> Answer:
        """An answer with its price and its test."""
        told = explanation.explain(self.race, self.edition, self.seat, code)
        found = Answer(action=told.action)
        if told.price:
            found.price, found.stamina, found.exhausts = told.price, told.stamina, told.exhausts
        if told.test:
            found.test = told.test
        return found

    def _figure(self, which: int) -> int:
        return int(self.every[self.chariot, which])

    def _points(self, kind: int) -> int:
        return int(self.state.points[self.chariot, kind])

    def _room(self, chariot: int, way: int) -> float:
        return int(entries.room(self.race, self.edition.data, chariot, way)) / MM

    # --- tokens

    def tokens(self) -> Offer:
        """For each chariot of the seat the tokens it may use: distances, pivot, chances of further sub-moves."""
        trial = self.race.copy()
        entries.retract(trial, self.edition.data, self.seat)
        wanted = view.to_choose(trial, self.seat)
        found = []
        for chariot in wanted:
            best = int(self.every[chariot, entries.F_BEST])
            found.append(
                TokenOffer(
                    chariot=chariot,
                    room=self._room(chariot, STRAIGHT),
                    tokens=[self._token(chariot, token) for token in range(best + 1)],
                )
            )
        return Offer(question=ASK_NAMES[ASK_TOKENS], chariot=None, chariots=found)

    def _token(self, chariot: int, token: int) -> TokenChance:
        most = self.state.top[chariot] if token == FAST else self.figures.most[token]
        skill, modifier = int(self.state.points[chariot, SKILL]), int(self.figures.test[token])
        return TokenChance(
            token=TOKEN_NAMES[token],
            least=int(self.figures.least[token]) / MM,
            most=int(most) / MM,
            pivot=int(self.figures.pivot[token]) // DEGREE,
            chances=[chance_of(skill, modifier + further) for further in (1, 2)],
        )

    # --- driving

    def _driving(self) -> dict[str, Any]:
        """How far each way is free, what can be run over, and ready sub-moves; empty before a test is passed."""
        moves = [code for code in self.menu if code >= DO_SUBMOVE]
        found: dict[str, Any] = {"ready": self._ready(moves)}
        found["limit"] = self._figure(entries.F_PIVOT) // DEGREE
        ways: dict[str, int] = {}
        for code in moves:
            move = actions.action(code)
            assert isinstance(move, actions.SubMove)
            ways[move.way] = max(ways.get(move.way, 0), move.mm)
        priced = self.state.ask != ASK_SWEEP
        found["ways"] = [
            WayOffer(way=way, most=most, **(self._sweep_price() if way != "ahead" and priced else {}))
            for way, most in ways.items()
        ]
        found["runs"] = [str(actions.action(code)) for code in self.menu if DO_RUN <= code < DO_SUBMOVE]
        found["turns"] = any(DO_UTURN <= code < DO_RUN for code in self.menu)
        found["room"] = self._rooms()
        return found

    def _sweep_price(self) -> dict[str, Any]:
        stamina = self._points(STAMINA)
        return {"price": 1, "stamina": max(stamina - 1, 0), "exhausts": stamina < 1}

    def _ready(self, moves: list[int]) -> list[ReadyMove]:
        """Sub-moves that get a button, each with its purpose."""
        if not moves:
            return []
        ends = {code: self._end(code) for code in moves}
        gained = {code: end[3] for code, end in ends.items()}
        farthest = max(moves, key=lambda code: gained[code])
        start = int(self.state.way[self.chariot])
        enough = start + (gained[farthest] - start) * FAR
        good = [code for code in moves if gained[code] >= enough] or moves
        lines = {code: self._line(ends[code]) for code in good}
        straight = [code for code in moves if not _pivots(code)]
        kinds: dict[int, list[str]] = {}
        for kind, choice in (
            ("flow", self._flowing(good, ends)),
            ("far", farthest),
            ("straight", max(straight, key=lambda code: gained[code], default=None)),
            ("inside", max(good, key=lambda code: lines[code])),
            ("outside", min(good, key=lambda code: lines[code])),
            ("attack", self._reaching(moves, ends)),
        ):
            if choice is not None:
                kinds.setdefault(choice, []).append(kind)
        return [ReadyMove(action=str(actions.action(code)), kinds=names) for code, names in kinds.items()]

    def _flowing(self, moves: list[int], ends: dict[int, list[int]]) -> int:
        """The sub-move with the most progress and room ahead, both counted together."""
        trial = self.race.copy()
        moved = glance(trial, RACE)

        def worth(code: int) -> float:
            x, y, heading, way, _ = ends[code]
            moved.x[self.chariot], moved.y[self.chariot], moved.heading[self.chariot] = x, y, heading
            moved.way[self.chariot] = way
            return way + ROOM * min(int(entries.room(trial, self.edition.data, self.chariot, STRAIGHT)), SIGHT)

        return max(moves, key=worth)

    def _end(self, code: int) -> list[int]:
        out = np.zeros(5, np.int64)
        entries.preview(self.race, self.edition.data, code, out)
        return [int(value) for value in out]

    def _line(self, end: list[int]) -> float:
        """How far to the inside a chariot's nose points, a little ahead of the end of a sub-move."""
        x, y, heading, way, _ = end
        angle = math.radians(heading / DEGREE)
        nose_x, nose_y = x + AHEAD * math.cos(angle), y + AHEAD * math.sin(angle)
        middle = np.zeros(3, np.int64)
        entries.pose(self.race, self.edition.data, way + AHEAD, middle)
        tangent = math.radians(int(middle[2]) / DEGREE)
        offset = (nose_y - int(middle[1])) * math.cos(tangent) - (nose_x - int(middle[0])) * math.sin(tangent)
        return offset * (int(self.figures.inside[self.state.scenario]) or 1)

    def _reaching(self, moves: Iterable[int], ends: dict[int, list[int]]) -> int | None:
        """The farthest sub-move from which an attack is possible."""
        state = self.state
        if state.turns < 2 or not self._has_neighbours():
            return None
        trial, out = self.race.copy(), np.zeros(LONGEST_MENU, np.int64)
        moved = glance(trial, RACE)
        for code in sorted(moves, key=lambda code: -ends[code][3]):
            moved.x[self.chariot], moved.y[self.chariot], moved.heading[self.chariot] = ends[code][:3]
            if entries.attacks(trial, self.edition.data, self.chariot, out):
                return code
        return None

    def _has_neighbours(self) -> bool:
        state = self.state
        near = [
            other
            for other in range(int(state.chariots))
            if other != self.chariot
            and state.kind[other]
            and math.hypot(state.x[other] - state.x[self.chariot], state.y[other] - state.y[self.chariot]) < NEAR
        ]
        return bool(near)

    def _pivot(self) -> dict[str, Any]:
        pivots = [actions.action(code) for code in self.menu if DO_PIVOT <= code < DO_UTURN]
        most = max((abs(pivot.degrees) for pivot in pivots if isinstance(pivot, actions.Pivot)), default=0)
        limit = self._figure(entries.F_PIVOT) // DEGREE
        return {"limit": limit, "free": most, "ready": [str(pivot) for pivot in pivots]}

    def _skid(self) -> dict[str, Any]:
        """Direction and distance of a skid, if nothing stops it."""
        left = (self._figure(entries.F_MOST) - int(self.state.moved)) / MM
        return {"slide": left, "direction": int(self.state.last_direction) / DEGREE}

    # --- fighting

    def _attacks(self) -> dict[str, Any]:
        found = []
        for code in self.menu:
            action = actions.action(code)
            if isinstance(action, actions.Plain):
                continue
            target, part = attack_aim(action)
            told = odds.attack(self.race, self.edition, self.chariot, target, part, attack_kind(action))
            found.append(AttackOffer(**self._answer(code), **told, side=getattr(action, "side", "")))
        return {"attacks": found}

    def _frame(self, op: int) -> list[int] | None:
        """The arguments of the topmost effect of this kind on the stack."""
        stack = self.state.stack
        for row in range(int(stack[0, 0]), 0, -1):
            if stack[row, OP] == op:
                return [int(value) for value in stack[row, ARGUMENTS:]]
        return None

    def _defence(self) -> dict[str, Any]:
        frame = self._frame(effects.ATTACK)
        attacker = int(self.state.ask_about)
        if frame is None:
            return {"attacker": attacker}
        under_way = effects.Attack(*frame)
        told = odds.attack(self.race, self.edition, attacker, under_way.target, under_way.part, under_way.kind)
        told.escape = None
        return {"attacker": attacker, "attack": told, "room": self._rooms()}

    def _side(self) -> dict[str, Any]:
        sides = [SideOffer(action=str(actions.action(code))) for code in self.menu]
        return {"attacker": int(self.state.ask_about), "sides": sides, "room": self._rooms()}

    def _rooms(self) -> Room:
        return Room(
            ahead=self._room(self.chariot, STRAIGHT),
            left=self._room(self.chariot, SWEEP_LEFT),
            right=self._room(self.chariot, SWEEP_RIGHT),
        )

    # --- luck

    def _luck(self) -> dict[str, Any]:
        """The dice that may be changed, each with the results of its changes."""
        state = self.state
        dice = []
        for die in range(int(state.first_die), int(state.last_die)):
            face = int(state.die[die])
            changes = [
                DieChange(action=str(actions.action(code)), face=face + (1 if code - DO_MODIFY - 2 * die else -1))
                for code in self.menu
                if DO_MODIFY + 2 * die <= code <= DO_MODIFY + 2 * die + 1
            ]
            dice.append(DieOffer(die=die + 1, face=face, changes=changes))
        found: dict[str, Any] = {
            "what": ROLLS[state.ask_about],
            "dice": dice,
            "luck": int(state.luck[self.chariot]),
        }
        return found | self._meaning()

    def _meaning(self) -> dict[str, Any]:
        """What a single die is rolled for: faces that pass a test, or a table."""
        state = self.state
        stack = state.stack
        row = int(stack[0, 0]) - 1
        if row < 1:
            return {}
        op, arguments = int(stack[row, OP]), [int(value) for value in stack[row, ARGUMENTS:]]
        if op == effects.TEST:
            test = effects.Test(*arguments[: len(effects.Test._fields)])
            skill = int(state.points[test.chariot, SKILL])
            passing = [face for face in range(1, FACES + 1) if would_pass(face, test.modifier, skill)]
            return {"test": TESTS[test.which], "modifier": test.modifier, "skill": skill, "passing": passing}
        if op == effects.COLLIDE:
            return {"hits": int(self.figures.hit_from)}
        return {}

    # --- the haft, the knife, the feet

    def _climb(self) -> dict[str, Any]:
        """L2: the grab test comes at the end of the next turn, with the token in use."""
        chosen = self.state.token[self.chariot] != NOTHING
        modifier = int(self.figures.grab[self._figure(entries.F_TOKEN)]) if chosen else 0
        skill = self._points(SKILL)
        grab = Test(modifier=modifier, skill=skill, chance=chance_of(skill, modifier))
        return {"grab": grab, "fall": 1 / FACES}

    def _cut(self) -> dict[str, Any]:
        return {"health": self._points(HEALTH)}

    def _walk(self) -> dict[str, Any]:
        """How far the driver may still walk, and the longest leg in each direction of the menu."""
        legs: dict[int, int] = {}
        for code in self.menu:
            action = actions.action(code)
            if isinstance(action, actions.Walk):
                legs[action.direction] = max(legs.get(action.direction, 0), action.mm)
        return {
            "left": int(self.state.ask_about) / MM,
            "legs": [Leg(direction=direction, mm=mm) for direction, mm in legs.items()],
            "must_leave": bool(self.state.must_leave),
        }


def _pivots(code: int) -> bool:
    action = actions.action(code)
    return isinstance(action, actions.SubMove) and action.degrees != 0


def attack_kind(action: Any) -> int:
    """The number of an attack in `ATTACKS`."""
    return list(_HOWS.values()).index(_HOWS[type(action)])


def attack_aim(action: Any) -> tuple[int, int]:
    """The piece and the part that an attack is on."""
    part = getattr(action, "part", "body" if isinstance(action, actions.WhipDriver) else "horses")
    return piece_number(action.target), PART_NAMES.index(part)
