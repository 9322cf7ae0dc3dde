"""Actions from outside the library: lines of notation, and typed actions whose fields have not been checked."""

from __future__ import annotations

import msgspec

from spina.errors import IllegalAction, NotationError
from spina.games.editions import Edition
from spina.games.game import Action, Game
from spina.games.plain_data import converted, plain
from spina.refusal_codes import say
from spina.sentences import OTHER
from spina.typed_data import ready

SHOWN = 40
"""Most characters of a text from outside that a message repeats."""


def line_of(text: str, most: int) -> str:
    """A text of at most `most` characters in small letters, with single spaces. Raises NotationError."""
    if len(text) > most:
        raise NotationError(say("notation.too-long", most=most, count=len(text)))
    return " ".join(text.lower().split())


def shortened(text: str) -> str:
    """A text from outside, short enough to be shown in a message."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def typed(game: Game, edition: Edition, action: Action | str) -> Action:
    """An action, or the one that a line of notation writes. Raises IllegalAction for anything else."""
    if isinstance(action, str):
        return game.read(edition, action)
    if not isinstance(action, Action):
        raise IllegalAction(say("notation.not-an-action", name=type(action).__name__))
    return checked(action)


def checked(action: Action) -> Action:
    """The action with its fields checked against their declared types. Raises IllegalAction naming a wrong field."""
    kind, fields = type(action), msgspec.structs.asdict(action)
    try:
        return msgspec.convert(fields, ready(kind))
    except msgspec.ValidationError:
        pass  # perhaps only a NumPy number; otherwise the conversion below says which field is wrong
    try:
        return converted(plain(fields, IllegalAction, "fields"), kind, IllegalAction, "fields")
    except IllegalAction as wrong:
        why = (wrong.sentence or OTHER).reworded(wrong.reason)
        raise IllegalAction(say("notation.field", action=kind.__name__, why=why)) from None
