"""What sets one answer of Chariotmaster apart from another: way gained, room, tests, stamina, odds of an attack.

All figures are those of `explain`, of the offer and of the odds: what an answer leads to before any die is rolled.
"""

from __future__ import annotations

from typing import Any

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.play import actions, explanation, odds, view
from spina.games.chariotmaster.play.explanation import Breakdown, chance_of
from spina.games.chariotmaster.play.offer import attack_aim, attack_kind, offer
from spina.games.chariotmaster.play.offer_types import AttackOdds
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.record import (
    ASK_MODIFY,
    ASK_TOKENS,
    CM,
    DEGREE,
    EDITION,
    FACES,
    FAST,
    RACE,
    SKILL,
    STRAIGHT,
    TOKEN_NAMES,
)
from spina.games.choice_reasons import Reason, Value, compared, held, sorted_out
from spina.games.game import Action
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

FARTHEST_SEEN = 60.0
"""Centimetres of room beyond which more room is no reason."""
CLEAR_LENGTH = 1.0
"""Smallest difference of lengths that is a reason, in centimetres."""
MILLIMETRES = 10.0
"""Of a centimetre: explanations are in millimetres, reasons in centimetres."""
CLEAR_CHANCE = 0.05
CLEAR_POINTS = 0.2
MOVES = (actions.SubMove, actions.Run, actions.Pivot, actions.UTurn)
ATTACKS = (actions.Ram, actions.WhipHorses, actions.WhipDriver, actions.Bite, actions.Boars)


def reasons(race: Bytes, edition: ChariotmasterEdition, seat: int, action: Any, other: Any) -> list[Reason]:
    """What speaks for an action and against it, compared with another answer to the same question."""
    if int(glance(race, RACE).ask) == ASK_TOKENS:
        return sorted_out(_tokens(race, edition, seat, action, other))
    own, its = (explanation.explain(race, edition, seat, actions.codes_of(each)[0]) for each in (action, other))
    found: list[Reason] = []
    if isinstance(action, MOVES) and isinstance(other, MOVES):
        found += _moves(own, its)
    found += _pace(action, other, own, its)
    found += _tests(own, its)
    found += _strikes(race, edition, action, other)
    if int(glance(race, RACE).ask) == ASK_MODIFY:
        found += _luck(race, edition, seat, action, other)
    found += held("exhausts", not own.exhausts, not its.exhausts)
    found += compared("stamina", own.price, its.price, less=True, left=own.stamina)
    return sorted_out(found)


# --- tokens ---------------------------------------------------------------------------------------------------------


def _tokens(race: Bytes, edition: ChariotmasterEdition, seat: int, action: Any, other: Any) -> list[Reason]:
    """Of the first chariot for which the tokens differ: distances, pivot, and the room that there is."""
    own, its = actions.codes_of(action), actions.codes_of(other)
    at = next((i for i, (a, b) in enumerate(zip(own, its, strict=False)) if a != b), None)
    if at is None:
        return []
    chariot = view.to_choose(race, seat)[at]
    state, figures = glance(race, RACE), glance(edition.data, EDITION)
    skill = int(state.points[chariot, SKILL])

    def most(token: int) -> float:
        return int(state.top[chariot] if token == FAST else figures.most[token]) / CM

    def least(token: int) -> float:
        return int(figures.least[token]) / CM

    one, two = own[at], its[at]
    room = int(entries.room(race, edition.data, chariot, STRAIGHT)) / CM
    found = []
    if least(one) <= room < least(two):
        values: dict[str, Value] = {"token": TOKEN_NAMES[two], "least": least(two), "room": room}
        found.append(Reason("token-room", True, values))
    elif least(two) <= room < least(one):
        found.append(Reason("token-room", False, {"token": TOKEN_NAMES[one], "least": least(one), "room": room}))
    return [
        *found,
        *compared("token-most", most(one), most(two), least=CLEAR_LENGTH),
        *compared("token-pivot", int(figures.pivot[one]) // DEGREE, int(figures.pivot[two]) // DEGREE),
        *_chance("token-test", *(chance_of(skill, int(figures.test[token]) + 1) for token in (one, two))),
    ]


def _chance(code: str, own: float, its: float, **more: Value) -> list[Reason]:
    """A reason whose figures are chances, `share` for the choice and `other_share` for the other one."""
    return [
        Reason(code, each.good, {"share": round(own, 3), "other_share": round(its, 3), **more})
        for each in compared(code, own, its, least=CLEAR_CHANCE)
    ]


# --- moves and tests ------------------------------------------------------------------------------------------------


def _moves(own: Breakdown, its: Breakdown) -> list[Reason]:
    """Progress, room afterwards, and what could be attacked from there."""
    found = compared("gained", own.gained / MILLIMETRES, its.gained / MILLIMETRES, least=CLEAR_LENGTH)
    ahead, there = (min(each.room_ahead / MILLIMETRES, FARTHEST_SEEN) for each in (own, its))
    found += compared("room", ahead, there, least=CLEAR_LENGTH)
    if own.attacks and not its.attacks:
        found.append(Reason("reach", True, {"attacks": own.attacks[0]}))
    elif its.attacks and not own.attacks:
        found.append(Reason("reach", False, {"attacks": its.attacks[0]}))
    beside, aside = (min(each.room_left, each.room_right) / MILLIMETRES for each in (own, its))
    found += compared("beside", beside, aside, least=CLEAR_LENGTH)
    return found


def _pace(action: Any, other: Any, own: Breakdown, its: Breakdown) -> list[Reason]:
    """A die of centimetres more or less to go, which only one of the answers brings."""
    found: list[Reason] = []
    for code, kinds in (("faster", (actions.Spur, actions.Whip)), ("slower", (actions.Brake,))):
        if isinstance(action, kinds) and not isinstance(other, kinds) and not own.exhausts:
            found.append(Reason(code, True, {"n": FACES}))
        elif isinstance(other, kinds) and not isinstance(action, kinds) and not its.exhausts:
            found.append(Reason(code, False, {"n": FACES}))
    return found


def _tests(own: Breakdown, its: Breakdown) -> list[Reason]:
    """The test that an answer takes, or the one before another sub-move afterwards."""
    if own.test is not None and its.test is not None:
        return _chance("test", own.test.chance, its.test.chance)
    if own.test is None and its.test is not None and its.test.chance < 1:
        return [Reason("no-test", True, {"share": round(1 - its.test.chance, 3)})]
    if own.test is not None and its.test is None and own.test.chance < 1:
        return [Reason("no-test", False, {"share": round(1 - own.test.chance, 3)})]
    if own.next_test is not None and its.next_test is not None:
        return _chance("next-test", own.next_test.chance, its.next_test.chance)
    return []


def _luck(race: Bytes, edition: ChariotmasterEdition, seat: int, action: Action, other: Action) -> list[Reason]:
    """Whether a changed die passes the test that it is rolled for."""
    asked = offer(race, edition, seat)
    if not asked.passing or not asked.dice:
        return []
    faces = {change.action: change.face for die in asked.dice for change in die.changes}
    lies = asked.dice[0].face
    own, its = (faces.get(str(each), lies) in asked.passing for each in (action, other))
    return held("luck", own, its)


# --- attacks --------------------------------------------------------------------------------------------------------


def _strikes(race: Bytes, edition: ChariotmasterEdition, action: Action, other: Action) -> list[Reason]:
    """What an attack takes from its target and from the attacker on average, compared with another or with none."""
    own, its = (_odds(race, edition, each) for each in (action, other))
    if own is None and its is None:
        return []
    mine, theirs = ((one.deals or 0.0) if one else 0.0 for one in (own, its))
    found = []
    if own is not None and own.costs and mine - theirs >= CLEAR_POINTS:
        found.append(Reason("deals", True, {"n": round(mine, 1), "points": own.costs, "piece": own.target}))
    elif its is not None and its.costs and theirs - mine >= CLEAR_POINTS:
        found.append(Reason("deals", False, {"n": round(theirs, 1), "points": its.costs, "piece": its.target}))
    loses, lose = ((one.takes or 0.0) if one else 0.0 for one in (own, its))
    points = {one.own for one in (own, its) if one and one.own}
    if len(points) == 1:
        found += compared("takes", loses, lose, less=True, least=CLEAR_POINTS, points=str(points.pop()))
    throws, throw = ((one.throws or 0.0) if one else 0.0 for one in (own, its))
    return found + _chance("throws", throws, throw)


def _odds(race: Bytes, edition: ChariotmasterEdition, action: Action) -> AttackOdds | None:
    if not isinstance(action, ATTACKS):
        return None
    target, part = attack_aim(action)
    chariot = int(glance(race, RACE).ask_chariot)
    return odds.attack(race, edition, chariot, target, part, attack_kind(action))
