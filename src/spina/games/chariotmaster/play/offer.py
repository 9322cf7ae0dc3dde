"""The offers of Chariotmaster for pages: every question with its answers and their consequences.

Sub-moves are too many to list. The offer says how far each way is free and how sharp the pivot may be, with a few
ready ones; any other action that a person tries out is explained by `explanation`. Lengths are millimetres,
angles degrees, poses as in views: units and tenths of a degree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
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
from spina.games.chariotmaster.rules import effects, entries, prospects
from spina.games.chariotmaster.rules.dice import would_pass
from spina.games.chariotmaster.rules.event_kinds import ROLLS, TESTS
from spina.games.chariotmaster.rules.prospects import (
    S_MENU,
    S_MOST,
    S_PIVOT,
    S_PLAIN,
    S_READY,
    S_ROOM,
    S_RUNS,
    S_TURNS,
)
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
    DEGREE,
    DO_MODIFY,
    DO_PIVOT,
    DO_RAM,
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
    TOKEN_NAMES,
    WAY_NAMES,
    WAYS,
)
from spina.kernel.effect_stack import ARGUMENTS, OP
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

_HOWS: dict[type[Any], str] = {
    actions.Ram: "ram",
    actions.WhipHorses: "whip at horses",
    actions.WhipDriver: "whip at driver",
    actions.Bite: "bite",
    actions.Boars: "boars",
}


def offer(race: Bytes, edition: ChariotmasterEdition, seat: int) -> Offer:
    """The question to the seat, and its possible answers."""
    asker = _Asker(race, edition, seat)
    if asker.ask == ASK_TOKENS:
        return asker.tokens()
    if asker.ask in (ASK_DRIVE, ASK_SUBMOVE, ASK_SWEEP):
        return asker.driving()
    return asker.small()


class _Asker:
    """One question of one seat."""

    def __init__(self, race: Bytes, edition: ChariotmasterEdition, seat: int) -> None:
        self.race, self.edition, self.seat = race, edition, seat
        self.state, self.figures = glance(race, RACE), glance(edition.data, EDITION)
        self.ask, self.chariot = int(self.state.ask), int(self.state.ask_chariot)

    def small(self) -> Offer:
        """A question whose answers are all in the menu."""
        out = np.zeros(LONGEST_MENU, np.int64)
        count = entries.legal(self.race, self.edition.data, self.seat, out)
        self.menu: list[int] = out[:count].tolist()
        answers = [self._answer(code) for code in self.menu if actions.is_plain(code)]
        return Offer(question=ASK_NAMES[self.ask], chariot=self.chariot, answers=answers, **self.details(self.ask))

    def details(self, ask: int) -> dict[str, Any]:
        """The fields that belong to the question."""
        builders: dict[int, Callable[[], dict[str, Any]]] = {
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
        action = actions.action(code)
        found = Answer(action=str(action))
        if price := explanation.price_of(self.race, self.edition, self.chariot, action):
            found.price, found.stamina, found.exhausts = self._paid(price)
        if test := explanation.test_before(self.race, self.edition, self.chariot, action):
            found.test = test
        return found

    def _paid(self, price: int) -> tuple[int, int, bool]:
        """A price, the stamina left after it, and whether it exceeds the stamina."""
        stamina = self._points(STAMINA)
        return price, max(stamina - price, 0), price > stamina

    @cached_property
    def every(self) -> list[list[int]]:
        """The figures of all chariots."""
        found = np.zeros((CHARIOTS, entries.FIGURES), np.int64)
        entries.figures(self.race, self.edition.data, found.reshape(-1))
        return found.tolist()

    def _figure(self, which: int) -> int:
        return self.every[self.chariot][which]

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
            best = self.every[chariot][entries.F_BEST]
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

    def driving(self) -> Offer:
        """How far each way is free, what can be run over, and ready sub-moves; empty before a test is passed."""
        out = np.zeros(prospects.SURVEY, np.int64)
        count = prospects.survey(self.race.copy(), self.edition.data, self.seat, out)
        found: list[int] = out[: S_MENU + DO_RAM].tolist()
        runs = out[S_MENU : S_MENU + count].tolist() if found[S_RUNS] else []
        return Offer(
            question=ASK_NAMES[self.ask],
            chariot=self.chariot,
            answers=[self._answer(code) for code in found[S_MENU : S_MENU + found[S_PLAIN]]],
            ready=self._ready(found[S_READY:S_MENU]),
            limit=found[S_PIVOT],
            ways=self._ways(found[S_MOST:S_ROOM]),
            runs=[str(actions.action(code)) for code in runs if DO_RUN <= code < DO_SUBMOVE],
            turns=found[S_TURNS] > 0,
            room=_room(found[S_ROOM:S_READY]),
        )

    def _ready(self, chosen: list[int]) -> list[ReadyMove | str]:
        """Sub-moves that get a button, each with its purposes."""
        kinds: dict[int, list[str]] = {}
        for kind, code in zip(prospects.READY_KINDS, chosen, strict=True):
            if code != NOTHING:
                kinds.setdefault(code, []).append(kind)
        return [ReadyMove(action=str(actions.action(code)), kinds=names) for code, names in kinds.items()]

    def _ways(self, most: list[int]) -> list[WayOffer]:
        """The ways that are free; a sweep has a price unless it was paid for before."""
        found = []
        for way, mm in enumerate(most):
            if mm:
                one = WayOffer(way=WAY_NAMES[way], most=mm)
                if way != STRAIGHT and self.ask != ASK_SWEEP:
                    one.price, one.stamina, one.exhausts = self._paid(1)
                found.append(one)
        return found

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
        return _room([entries.room(self.race, self.edition.data, self.chariot, way) for way in range(WAYS)])

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


def _room(units: list[int]) -> Room:
    """Room by way."""
    ahead, left, right = units
    return Room(ahead=ahead / MM, left=left / MM, right=right / MM)


def attack_kind(action: Any) -> int:
    """The number of an attack in `ATTACKS`."""
    return list(_HOWS.values()).index(_HOWS[type(action)])


def attack_aim(action: Any) -> tuple[int, int]:
    """The piece and the part that an attack is on."""
    part = getattr(action, "part", "body" if isinstance(action, actions.WhipDriver) else "horses")
    return piece_number(action.target), PART_NAMES.index(part)
