"""Defaults for a game that leaves out parts of the contract: named actions, event sentences, a board, an empty edition.

`Game` falls back on these, so a small game states its rules and its view, and still works everywhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from spina.errors import NotationError
from spina.games import circus
from spina.games.actions import Action, Event
from spina.games.editions import Edition, Files, Sheet, sealed
from spina.games.pictures import LEGEND, Palette, Plaque, building, chariot, definitions, legend
from spina.games.svg import Element, document, element, group, path
from spina.games.terminal import badge, fitted, name_columns
from spina.kernel.record import record
from spina.refusal_codes import say

LONGEST = 80
"""Most characters of a named action."""
BAR = 40
"""Width of a seat's progress bar in a terminal."""


# --- actions and events -----------------------------------------------------------------------------------------------


class Move(Action, frozen=True):
    """An action that consists of its name."""

    name: str

    def __str__(self) -> str:
        return self.name


def read_move(names: Sequence[str], text: str) -> Move:
    """The move of this name. Raises NotationError."""
    said = " ".join(text[: LONGEST + 1].lower().split())
    if said not in names:
        raise NotationError(say("notation.unknown-action", text=said[:40], known=", ".join(names[:12])))
    return Move(said)


class EventKind(NamedTuple):
    """A kind of event that the kernels report: its type's name, the names of its facts in order, and its sentence."""

    name: str
    facts: tuple[str, ...] = ()
    sentence: str = ""
    """Template with `{seat}` for the driver's name and each fact by its name; empty if a story leaves the event out."""

    def type(self) -> type[Event]:
        """The typed form: a frozen struct with the seat and the facts."""
        fields = [("seat", int), *((fact, int) for fact in self.facts)]
        made = msgspec.defstruct(self.name, fields, bases=(Event,), frozen=True, tag=self.name, gc=False)
        assert issubclass(made, Event)
        return made

    def told(self, event: Event, names: Sequence[str]) -> str:
        """The event as a sentence."""
        said = {**msgspec.structs.asdict(event), "seat": names[event.seat]}  # type: ignore[attr-defined]
        return self.sentence.format(**said)


def wrapped(sentences: Sequence[str], width: int) -> list[str]:
    """A turn's sentences as lines of this width."""
    wrap = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent="    ").wrap
    return [line for said in sentences for line in wrap(said)]


# --- components -------------------------------------------------------------------------------------------------------

EMPTY = record([("key", "i8")])
"""The record of an edition without components."""


class PlainEdition(Edition):
    """An edition of a game whose components are all in its rules."""

    layout = EMPTY


def _parse(game: str, text: str, name: str) -> PlainEdition:
    sheet = Sheet(text, name)
    title = sheet.heading(game)
    sheet.finish()
    return PlainEdition(**sealed(game, title, text, {}, EMPTY, content={}, shapes={}, derived={}))


class PlainFiles(Files[PlainEdition]):
    """The editions of a game without components: a single one, which has only a name."""

    def __init__(self, game: str, title: str) -> None:
        super().__init__("spina.games", partial(_parse, game))
        self._text = f'format = 1\ngame = "{game}"\nname = "{title}"\n'

    def template(self) -> str:
        return self._text

    @property
    def _former(self) -> dict[str, PlainEdition]:
        return {}


# --- pictures ---------------------------------------------------------------------------------------------------------


class SeatProgress(NamedTuple):
    """A seat's progress, for a picture."""

    seat: int
    name: str
    place: int
    done: float
    """The share of the race that the seat has completed, 0 to 1."""


def board_svg(title: str, laps: int) -> str:
    """The empty circus."""
    label = f"The circus of {title}"
    return document(
        circus.WIDTH, circus.HEIGHT, _circus(title, laps, 0), title=title, label=label, class_="spina-board"
    )


def race_svg(title: str, laps: int, progress: Sequence[SeatProgress]) -> str:
    """The circus with each seat's chariot at its progress, and a legend."""
    ranked = sorted(progress)
    lead = max((each.done for each in ranked), default=0.0)
    plaques = [
        Plaque(each.seat, each.name, f"{each.done:.0%} of the way", _words(each), each.place, 0, each.done >= 1.0)
        for each in sorted(ranked, key=lambda each: (each.place, each.seat))
    ]
    parts = [
        *_circus(title, laps, min(laps, int(lead * laps))),
        group([_piece(each, laps, len(ranked)) for each in ranked], class_="chariots"),
        legend(plaques, circus.WIDTH, circus.HEIGHT),
    ]
    label = f"A race of {title}. " + " ".join(plaque.words for plaque in plaques)
    return document(circus.WIDTH, circus.HEIGHT + LEGEND, parts, title=title, label=label, class_="spina-race")


def _words(each: SeatProgress) -> str:
    return f"{each.name} is number {each.place} and has {each.done:.0%} of the way behind."


def _circus(title: str, laps: int, done: int) -> list[Element]:
    return [
        definitions(),
        *building(circus.oval, circus.DEPTH, circus.WIDTH, circus.HEIGHT),
        path(circus.oval(circus.DEPTH), fill=Palette.SAND_WARM),
        circus.line(0.0, 10),
        *circus.spina(title, laps, done, {}),
    ]


def _piece(each: SeatProgress, laps: int, seats: int) -> Element:
    along = each.done * laps * circus.LENGTH
    deep = circus.DEPTH * (each.seat + 0.5) / max(seats, 1)
    x, y = circus.point(along, deep)
    words = element("title", _words(each))
    return chariot(each.seat, x, y, circus.heading(along), words, id=f"chariot-{each.seat}", class_="chariot")


def draw(title: str, turn: str, progress: Sequence[SeatProgress], colour: bool) -> str:
    """Each seat's progress as a bar, for a terminal."""
    width = name_columns([each.name for each in progress])
    lines = [title, turn, ""]
    for each in sorted(progress, key=lambda each: (each.place, each.seat)):
        filled = round(BAR * min(1.0, each.done))
        bar = "=" * filled + ">" + "." * (BAR - filled)
        lines += [f"{each.place:2} {badge(each.seat, colour)} {fitted(each.name, width)} |{bar}|", ""]
    return "\n".join([*lines, "=" * BAR])
