"""Actions under consideration: what one would come to, and where every path leads.

Nothing is told that depends on dice to come: an action is done on a copy as far as no die has to fall for it, and never
beyond the end of the turn, at which the next one would begin with another speed and other dice (`rules.foresee`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play import events
from spina.games.chariot_race.play.actions import action
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import ACTIONS, AT_PATH, AT_SIGNS, EDITION, RACE, STAGE_NAMES
from spina.games.game import Action, Event
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

LONGEST_TURN = 600
MOST_PATHS = 3000


class Breakdown(msgspec.Struct, frozen=True):
    """What an action, or a whole path, comes to by the end of the turn. Dice to come are not part of it."""

    actions: tuple[str, ...]
    """In notation."""
    speed: int
    space: str | None
    """Where the chariot ends."""
    lap: int
    condition: int
    """What is left of it."""
    sprint: int
    """Damage by sprints, corners, rams and caltrops."""
    corner: int
    ram: int
    caltrop: int
    rams: tuple[int, ...]
    """Chariots that are rammed, in order."""
    put_back: bool
    wrecks: tuple[int, ...]
    """Chariots that would be wrecked, the own one among them."""
    wrecked: bool
    """Whether the own chariot would be."""

    def __str__(self) -> str:
        text = f"{', '.join(self.actions)}: speed {self.speed}, ends on {self.space}, condition {self.condition}"
        losses = {"sprint": self.sprint, "corner": self.corner, "ram": self.ram, "caltrop": self.caltrop}
        parts = [f"{name} -{loss}" for name, loss in losses.items() if loss]
        if self.put_back:
            parts.append("put back")
        if self.wrecked:
            parts.append("WRECKED")
        return "; ".join([text, *parts])


def objection(race: Bytes, edition: ChariotRaceEdition, seat: int, wanted: Action) -> tuple[str, list[str]]:
    """Why an action is not possible now, and a few that are."""
    state = glance(race, RACE)
    menu = np.zeros(ACTIONS, np.int64)
    count = entries.legal(race, edition.data, seat, menu)
    possible = [str(action(edition, code)) for code in menu[: min(count, 8)].tolist()]
    return f'"{wanted}" is not possible now: the question is {STAGE_NAMES[state.stage]}', possible


def explain(race: Bytes, edition: ChariotRaceEdition, code: int) -> Breakdown:
    """What one action leads to, up to the next question, dice or the end of the turn. The action must be possible."""
    return _outcome(race, edition, [code])


def paths(race: Bytes, edition: ChariotRaceEdition) -> list[Breakdown]:
    """Every way to complete the move from here, signs included, as far as they can be counted."""
    state = glance(race, RACE)
    if state.stage not in (AT_SIGNS, AT_PATH):
        return []
    found = []
    for codes in _complete(race, edition, int(state.chariot), []):
        found.append(_outcome(race, edition, codes))
        if len(found) == MOST_PATHS:
            break
    return found


def _complete(race: Bytes, edition: ChariotRaceEdition, chariot: int, codes: list[int]) -> Iterator[list[int]]:
    menu = np.zeros(ACTIONS, np.int64)
    count = entries.legal(race, edition.data, int(glance(race, RACE).seat[chariot]), menu)
    for code in menu[:count].tolist():
        after = _played(race, edition, code, new_story(0))
        if glance(after, RACE).stage == AT_PATH:
            yield from _complete(after, edition, chariot, [*codes, code])
        else:
            yield [*codes, code]


def _played(race: Bytes, edition: ChariotRaceEdition, code: int, story: Any) -> Bytes:
    """A copy on which the action is done, as far as it needs no dice to come."""
    after, state = race.copy(), glance(race, RACE)
    entries.foresee(after, edition.data, int(state.seat[state.chariot]), code, story)
    return after


def _outcome(race: Bytes, edition: ChariotRaceEdition, codes: list[int]) -> Breakdown:
    state = glance(race, RACE)
    chariot = int(state.chariot)
    told: list[Event] = []
    after = race
    for code in codes:
        story = new_story(LONGEST_TURN)
        after = _played(after, edition, code, story)
        told += [events.decode(edition, row) for row in story[1 : story[0, 0] + 1].tolist()]
    return _breakdown(state, glance(after, RACE), edition, chariot, tuple(str(action(edition, c)) for c in codes), told)


def _breakdown(
    before: Any, after: Any, edition: ChariotRaceEdition, chariot: int, line: tuple[str, ...], told: list[Event]
) -> Breakdown:
    own = [event for event in told if getattr(event, "chariot", None) == chariot]
    space = int(after.space[chariot])
    sped = [event for event in own if isinstance(event, events.Sped)]
    figures = glance(edition.data, EDITION)
    return Breakdown(
        actions=line,
        speed=int(after.speed[chariot]),
        space=edition.space_names[space] if space >= 0 else None,
        lap=int(after.lap[chariot]),
        condition=int(after.condition[chariot]),
        sprint=sum(event.sprints for event in sped) * int(figures.sprint_damage),
        corner=sum(event.damage for event in own if isinstance(event, events.Cornered)),
        ram=int(figures.ram_damage) * sum(isinstance(event, events.Rammed) for event in own),
        caltrop=int(figures.caltrop_damage) * sum(isinstance(event, events.Spiked) for event in own),
        rams=tuple(event.rammed for event in own if isinstance(event, events.Rammed)),
        put_back=any(isinstance(event, events.PutBack) for event in own),
        wrecks=tuple(event.chariot for event in told if isinstance(event, events.Wrecked)),
        wrecked=bool(after.wrecked[chariot]) and not before.wrecked[chariot],
    )
