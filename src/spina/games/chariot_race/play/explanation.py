"""Actions that a player considers: why one is illegal, what a legal one leads to, and where all paths lead.

Nothing here depends on future dice: an action is carried out on a copy of the race as far as no die is rolled, and
never beyond the end of the turn, after which the next one would begin with another speed and other dice (see
`entries.foresee`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play import events
from spina.games.chariot_race.play.actions import action
from spina.games.chariot_race.play.refusals import say
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import ACTIONS, AT_PATH, AT_SIGNS, EDITION, RACE, STAGE_NAMES
from spina.games.game import Action, Event
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance, reader
from spina.sentences import Sentence

LONGEST_TURN = 600
"""More events than one action can have."""
MOST_PATHS = 3000
"""Most paths that are listed."""
_READ = reader(RACE, "chariot", "seat")


class Breakdown(msgspec.Struct, frozen=True):
    """What an action or a whole path leads to by the end of the turn, without future dice."""

    actions: tuple[str, ...]
    """In notation."""
    speed: int
    space: str | None
    """Where the chariot ends."""
    lap: int
    condition: int
    """The condition that is left."""
    sprint: int
    """Damage by sprints, corners, rams and caltrops."""
    corner: int
    ram: int
    caltrop: int
    rams: tuple[int, ...]
    """Chariots rammed, in order."""
    put_back: bool
    wrecks: tuple[int, ...]
    """Chariots wrecked, the own one included."""
    wrecked: bool
    """Whether the own chariot is wrecked."""

    def __str__(self) -> str:
        text = f"{', '.join(self.actions)}: speed {self.speed}, ends on {self.space}, condition {self.condition}"
        losses = {"sprint": self.sprint, "corner": self.corner, "ram": self.ram, "caltrop": self.caltrop}
        parts = [f"{name} -{loss}" for name, loss in losses.items() if loss]
        if self.put_back:
            parts.append("put back")
        if self.wrecked:
            parts.append("WRECKED")
        return "; ".join([text, *parts])


def objection(race: Bytes, edition: ChariotRaceEdition, seat: int, wanted: Action) -> tuple[Sentence, list[str]]:
    """Why an action is illegal now, and some legal ones."""
    state = glance(race, RACE)
    menu = np.zeros(ACTIONS, np.int64)
    count = entries.legal(race, edition.data, seat, menu)
    possible = [str(action(edition, code)) for code in menu[: min(count, 8)].tolist()]
    question = say(f"chariot-race.question.{STAGE_NAMES[state.stage].replace(' ', '-')}")
    return say("chariot-race.not-possible", action=str(wanted), question=question), possible


def explain(race: Bytes, edition: ChariotRaceEdition, code: int) -> Breakdown:
    """What a legal action leads to, up to the next question, the next roll or the end of the turn."""
    return _outcome(race, edition, [code])


def paths(race: Bytes, edition: ChariotRaceEdition) -> list[Breakdown]:
    """All ways to complete the move from here, signs included, up to MOST_PATHS."""
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
        after = played(race, edition, code, new_story(0))
        if glance(after, RACE).stage == AT_PATH:
            yield from _complete(after, edition, chariot, [*codes, code])
        else:
            yield [*codes, code]


def played(race: Bytes, edition: ChariotRaceEdition, code: int, story: Any) -> Bytes:
    """A copy on which the action is carried out as far as no die is rolled."""
    after, (chariot, seats) = race.copy(), _READ(race)
    entries.foresee(after, edition.data, seats[chariot], code, story)
    return after


def _outcome(race: Bytes, edition: ChariotRaceEdition, codes: list[int]) -> Breakdown:
    state = glance(race, RACE)
    chariot = int(state.chariot)
    told: list[Event] = []
    after = race
    for code in codes:
        story = new_story(LONGEST_TURN)
        after = played(after, edition, code, story)
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
