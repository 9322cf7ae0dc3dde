"""What sets one choice of Charioteer apart from another: spaces, passing, damage, skills, tokens.

All figures are those of `explain`: what a choice leads to if no rival moves before it. So they depend on nothing that
the seat does not see.
"""

from __future__ import annotations

import msgspec

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import Choice
from spina.games.charioteer.play.explanation import Breakdown, explain
from spina.games.charioteer.rules.record import COLOUR_NAMES, EDITION, RACE
from spina.games.choice_reasons import Reason, compared, held, sorted_out
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance


class Training(msgspec.Struct, frozen=True):
    """Steps of a choice on the skills track, all of one colour."""

    steps: int = 0
    colour: str = ""
    """Empty without steps."""
    bonus: int = 0
    """The bonus of the colour afterwards."""
    gain: int = 0
    """By how much that bonus rises."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a choice that are compared."""

    finishes: bool
    spaces: int
    """Spaces driven, the whip's included."""
    passes: tuple[int, ...]
    damage: int
    """Cubes that are left, without those that rivals may add this turn."""
    shielded: bool
    attack: int
    """Cubes that each rival gets."""
    training: Training
    fan_token: bool
    tokens: tuple[str, ...]
    """Tokens that it spends."""


def outcome(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Outcome:
    """What is compared of a legal choice."""
    told = explain(race, edition, seat, choice)
    state = glance(race, RACE)
    return Outcome(
        finishes=told.progress >= edition.spaces * int(glance(edition.data, EDITION).laps),
        spaces=told.progress - int(state.progress[seat]),
        passes=told.passes,
        damage=int(state.damage[seat]) - told.recovered,
        shielded=told.shielded,
        attack=told.attack,
        training=_training(race, edition, seat, told),
        fan_token=told.fan_token,
        tokens=tuple(token for token in (choice.token, choice.discard_token) if token),
    )


def _training(race: Bytes, edition: CharioteerEdition, seat: int, told: Breakdown) -> Training:
    if not told.learns:
        return Training()
    colour, _, bonus = told.learns[-1]
    place = int(glance(race, RACE).skill[seat, COLOUR_NAMES.index(colour)])
    before = int(glance(edition.data, EDITION).skill_bonus[place])
    return Training(len(told.learns), colour, bonus, bonus - before)


def reasons(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice, other: Choice) -> list[Reason]:
    """What speaks for a choice and against it, compared with another."""
    own, its = outcome(race, edition, seat, choice), outcome(race, edition, seat, other)
    found = held("finish", own.finishes, its.finishes)
    found += _passing(own, its)
    found += compared("spaces", own.spaces, its.spaces)
    found += compared("damage", own.damage, its.damage, less=True)
    found += held("shield", own.shielded, its.shielded)
    found += compared("attack", own.attack, its.attack)
    found += _skill(own.training, its.training)
    found += held("fan-token", own.fan_token, its.fan_token)
    found += _tokens(own, its)
    return sorted_out(found)


def _passing(own: Outcome, its: Outcome) -> list[Reason]:
    """Rivals that only one of the choices passes; those whom only the other passes count if it passes more."""
    mine = [rival for rival in own.passes if rival not in its.passes]
    theirs = [rival for rival in its.passes if rival not in own.passes]
    if mine and not theirs:
        return [Reason("passes", True, {"rivals": mine})]
    if theirs and not mine:
        return [Reason("passes", False, {"rivals": theirs})]
    return []


def _skill(own: Training, its: Training) -> list[Reason]:
    """A bonus that rises more, else more steps on the skills track."""
    if own.gain != its.gain:
        better = own if own.gain > its.gain else its
        return [Reason("bonus", better is own, {"colour": better.colour, "bonus": better.bonus})]
    if own.steps != its.steps:
        return compared("training", own.steps, its.steps, colour=(own if own.steps > its.steps else its).colour)
    return []


def _tokens(own: Outcome, its: Outcome) -> list[Reason]:
    """Tokens that only one of the choices spends."""
    if len(own.tokens) == len(its.tokens):
        return []
    saving = len(own.tokens) < len(its.tokens)
    fewer, more = (own, its) if saving else (its, own)
    spent = next(token for token in more.tokens if token not in fewer.tokens)
    return [Reason("token", saving, {"token": spent})]
