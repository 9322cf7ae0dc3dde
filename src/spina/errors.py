"""Every error that Spina raises on purpose."""

from __future__ import annotations

from collections.abc import Sequence

from spina.refusal_codes import say
from spina.sentences import OTHER, Sentence
from spina.sentences import writable as writable  # re-exported for texts beside errors


class SpinaError(Exception):
    """Invalid input. The message says what is wrong, and what would be right.

    The message can always be printed and sent: lone surrogates in a text that it repeats are written as `"\\ud800"`.
    `sentence` is the message with its code and parameters, for pages; None if the message has no code.
    """

    sentence: Sentence | None

    def __init__(self, message: str = "") -> None:
        super().__init__(writable(message))
        self.sentence = message if isinstance(message, Sentence) else None

    @property
    def said(self) -> Sentence:
        """The message, for use as a parameter of another sentence."""
        return (self.sentence or OTHER).reworded(str(self))


class IllegalAction(SpinaError):
    """An action that the rules do not allow now. The race is unchanged.

    `possible` holds a few allowed actions in notation, as examples.
    """

    def __init__(self, message: str, possible: Sequence[str] = ()) -> None:
        self.reason = str(writable(message))
        self.possible = tuple(possible)
        possible_too = " (possible: " + "; ".join(self.possible) + ")" if self.possible else ""
        super().__init__(message + possible_too if possible_too else message)
        self.sentence = message if isinstance(message, Sentence) else None


class NotationError(IllegalAction):
    """A line of notation that cannot be read as an action."""


class EditionError(SpinaError):
    """An edition file with mistakes in it. `problems` lists them, up to twenty, each with its line.

    `sentence` is that of the first problem.
    """

    def __init__(self, name: str, problems: Sequence[tuple[int, str]]) -> None:
        self.name = writable(name)
        self.problems = tuple((line, writable(text)) for line, text in problems)
        text = "\n".join(f"{name}:{line}: {text}" for line, text in self.problems)
        line, first = self.problems[0]
        summary = say("edition.problem", line=line, problem=first)
        super().__init__(summary.reworded(text))


class PositionError(SpinaError):
    """An impossible position. The message names the field."""


class SaveError(SpinaError):
    """A saved race that cannot be read, or whose replay does not match its hashes."""


class LessonError(SpinaError):
    """A lesson that cannot be read. The message names the file and the step."""


class OptionError(SpinaError):
    """An unknown game, seat count, option or driver."""


class StoreError(SpinaError):
    """The database cannot be opened, or a read or write failed.

    After a write that failed with exactly this error it is unknown whether it was stored: read again.
    """


class Conflict(StoreError):
    """A newer version of the journal exists, or it has the key already. Nothing was written."""
