"""Actions of Chariot Race and their notation.

    draft light            start o35
    repair                 no repair
    re-roll 1 3            keep                 turn 2 to steer
    plus 2                 ahead                inward              outward
    javelin at green       caltrop on m14       no attack

Dice are counted from 1 as they lie on the table. Chariots are named by their colours; gold is the rulebook's yellow,
and both words are read. An individual chariot is drafted by its character or by the colour of its board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from spina.errors import NotationError
from spina.games.chariot_race.components.edition import ChariotRaceEdition, colour_named
from spina.games.chariot_race.play.refusals import say
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    CHARIOTS,
    DICE,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_NO_REPAIR,
    DO_PLACE,
    DO_REPAIR,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    FORTUNA,
    GRID,
    SIDE_NAMES,
    WAY_NAMES,
)
from spina.games.factions import FACTIONS
from spina.games.game import Action
from spina.games.notation import line_of, shortened

COLOURS = tuple(faction.name for faction in FACTIONS)
"""Names of the colours, by number."""
MOST_TEXT = 100
"""Longest notation of an action, in characters."""
MOST_LISTED = 20
"""Most names that an error message lists."""
MOST_EDITIONS = 64
"""Most editions whose notation is kept."""


class Draft(Action, frozen=True):
    """Draft an individual chariot, named by its character or the colour of its board."""

    character: str

    def __str__(self) -> str:
        return f"draft {self.character}"


class Start(Action, frozen=True):
    """Take a starting space."""

    space: str

    def __str__(self) -> str:
        return f"start {self.space}"


class Repair(Action, frozen=True):
    """Spend fate on a repair, or not."""

    repair: bool

    def __str__(self) -> str:
        return "repair" if self.repair else "no repair"


class Reroll(Action, frozen=True):
    """Roll these dice, counted from 1, again; none: keep all."""

    dice: tuple[int, ...] = ()

    def __str__(self) -> str:
        return "re-roll " + " ".join(map(str, self.dice)) if self.dice else "keep"


class TurnDie(Action, frozen=True):
    """Turn one die, counted from 1, to another side."""

    die: int
    side: str

    def __str__(self) -> str:
        return f"turn {self.die} to {self.side}"


class Signs(Action, frozen=True):
    """How many of the +/- dice count as plus; the others count as minus."""

    plus: int

    def __str__(self) -> str:
        return f"plus {self.plus}"


class Step(Action, frozen=True):
    """One step of the path."""

    way: str

    def __str__(self) -> str:
        return self.way


class Javelin(Action, frozen=True):
    """Throw a javelin at a chariot."""

    chariot: str

    def __str__(self) -> str:
        return f"javelin at {self.chariot}"


class Caltrop(Action, frozen=True):
    """Drop a caltrop on a space that the chariot has driven over this turn."""

    space: str

    def __str__(self) -> str:
        return f"caltrop on {self.space}"


class NoAttack(Action, frozen=True):
    """Leave all remaining attack dice unused (R25)."""

    def __str__(self) -> str:
        return "no attack"


Any = Draft | Start | Repair | Reroll | TurnDie | Signs | Step | Javelin | Caltrop | NoAttack


def action(edition: ChariotRaceEdition, code: int) -> Any:
    """The typed form of an action's number."""
    if DO_DRAFT <= code < DO_DRAFT + CHARIOTS:
        return Draft(edition.characters[code - DO_DRAFT + 1])
    if DO_PLACE <= code < DO_PLACE + GRID:
        return Start(edition.space_names[edition.grid[code - DO_PLACE]])
    if code in (DO_REPAIR, DO_NO_REPAIR):
        return Repair(code == DO_REPAIR)
    if DO_REROLL <= code < DO_REROLL + (1 << DICE):
        return Reroll(tuple(die + 1 for die in range(DICE) if (code - DO_REROLL) >> die & 1))
    if DO_TURN <= code < DO_TURN + DICE * FORTUNA:
        return TurnDie((code - DO_TURN) // FORTUNA + 1, SIDE_NAMES[(code - DO_TURN) % FORTUNA])
    if DO_SIGNS <= code <= DO_SIGNS + DICE:
        return Signs(code - DO_SIGNS)
    if DO_STEP <= code < DO_STEP + len(WAY_NAMES):
        return Step(WAY_NAMES[code - DO_STEP])
    if code == DO_NO_ATTACK:
        return NoAttack()
    if DO_JAVELIN <= code < DO_JAVELIN + CHARIOTS:
        return Javelin(COLOURS[code - DO_JAVELIN])
    if DO_CALTROP <= code < DO_CALTROP + edition.spaces:
        return Caltrop(edition.space_names[code - DO_CALTROP])
    raise NotationError(say("chariot-race.no-action", code=code, last=ACTIONS - 1))


@lru_cache(maxsize=MOST_EDITIONS)
def notations(edition: ChariotRaceEdition) -> tuple[str, ...]:
    """The notation of every action of an edition, by its number."""
    return tuple(str(action(edition, code)) for code in range(DO_CALTROP + edition.spaces))


def code_of(edition: ChariotRaceEdition, typed: Any) -> int:
    """The number of an action. Raises NotationError for names that the edition does not have."""
    match typed:
        case Draft(character):
            return DO_DRAFT + _index(edition.characters, edition.kind_named(character), "thing.chariot", first=1) - 1
        case Start(space):
            names = [edition.space_names[place] for place in edition.grid]
            return DO_PLACE + _index(names, space, "thing.starting-space")
        case Repair(wanted):
            return DO_REPAIR if wanted else DO_NO_REPAIR
        case Reroll(dice):
            return DO_REROLL + sum({1 << (_die(die) - 1) for die in dice})
        case TurnDie(die, side):
            return (
                DO_TURN + (_die(die) - 1) * FORTUNA + _index(SIDE_NAMES[:FORTUNA], side, "thing.side-to-turn-a-die-to")
            )
        case Signs(plus):
            if not 0 <= plus <= DICE:
                raise NotationError(say("chariot-race.too-many-plus", most=DICE, plus=plus))
            return DO_SIGNS + plus
        case Step(way):
            return DO_STEP + _index(WAY_NAMES, way, "thing.step")
        case Javelin(chariot):
            return DO_JAVELIN + _index(COLOURS, colour_named(chariot), "thing.chariot")
        case Caltrop(space):
            return DO_CALTROP + _index(edition.space_names, space, "thing.space")
        case NoAttack():
            return DO_NO_ATTACK


def _die(die: int) -> int:
    if not 1 <= die <= DICE:
        raise NotationError(say("chariot-race.no-die", most=DICE, die=die))
    return die


_STEPS: list[Any] = [Step(way) for way in WAY_NAMES]
_PLAIN: dict[str, Any] = {str(plain): plain for plain in (Repair(True), Repair(False), Reroll(), NoAttack(), *_STEPS)}
_REROLL = re.compile(r"re-?roll((?: [1-9])+)")
_TURN = re.compile(r"turn ([1-9]) to (.+)")
_PLUS = re.compile(r"plus ([0-9])")
_Named = type[Draft] | type[Start] | type[Javelin] | type[Caltrop]
_WORDS: dict[str, _Named] = {"draft ": Draft, "start ": Start, "javelin at ": Javelin, "caltrop on ": Caltrop}
_KNOWN = (
    '"repair", "no repair", "re-roll 1 3", "keep", "turn 2 to steer", "plus 1", "ahead", "inward", "outward", '
    '"javelin at green", "caltrop on m14", "no attack", "draft light", "start o35"'
)


def read(edition: ChariotRaceEdition, text: str) -> Any:
    """An action from its notation; names are replaced by those that Spina writes. Raises NotationError."""
    return action(edition, code_of(edition, _read(line_of(text, MOST_TEXT))))


def _read(line: str) -> Any:
    if line in _PLAIN:
        return _PLAIN[line]
    if found := _REROLL.fullmatch(line):
        return Reroll(tuple(sorted({int(die) for die in found[1].split()})))
    if found := _TURN.fullmatch(line):
        return TurnDie(int(found[1]), found[2])
    if found := _PLUS.fullmatch(line):
        return Signs(int(found[1]))
    for word, kind in _WORDS.items():
        if line.startswith(word):
            return kind(line.removeprefix(word))
    raise NotationError(say("chariot-race.unreadable", line=shortened(line), known=_KNOWN))


def _index(names: Sequence[str], name: str, what: str, first: int = 0) -> int:
    if name not in names[first:]:
        listed = (
            ", ".join(names[first:])
            if len(names) <= MOST_LISTED
            else say("notation.from-to", first=names[first], last=names[-1])
        )
        raise NotationError(say("notation.unknown-name", what=say(what), name=shortened(name), known=listed))
    return first + names[first:].index(name)
