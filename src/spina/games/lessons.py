"""Lessons: a few steps from made positions in which a person makes every kind of move once.

A lesson is data in the game's own folder, `lesson/lesson.json`; its texts are messages of the area `lesson` in the
game's web folder. A step either tells something or asks for one choice. Texts have ids: `lesson.GAME.STEP` for every
step, and for a step with a choice also `….after` (why it was good), `….wrong` (what to do instead), and `….wrong.NAME`
for the wrong choices that the step lists under that name. Reminders are for the race that follows: `Reminder`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from spina.errors import LessonError, SpinaError
from spina.games.editions import Edition
from spina.games.game import Game
from spina.typed_data import ready

FORMAT = 1
MOST_REMINDERS = 12
MOST_STEPS = 12
MOST_BYTES = 256 * 1024
_ID = re.compile(r"[a-z][a-z0-9-]{0,30}")
_PLACE = re.compile(r"[a-z][a-z-]*(\.[\w +-]{1,30})?")


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a lesson."""

    id: str
    spotlight: list[str]
    """Places of the page to show or, in a step with a choice, to click one after the other: names such as "board" or
    "card.a", which the game's page knows."""
    position: dict[str, Any] | None = None
    """Where the step begins, as `spina.position` takes it; None: where the step before ended."""
    expect: list[list[str]] = []
    """The choices that complete the step, each as the actions that are sent together; none: the step only tells. After
    the first, which the lesson shows, there may be patterns in which `*` stands for anything."""
    rivals: list[tuple[int, str]] = []
    """What the other seats choose during this step: each seat its actions in their order, as soon as it is asked."""
    wrong: dict[str, list[str]] = {}
    """Wrong choices with an answer of their own, as patterns of their actions, joined by "; "."""


class Reminder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A short line in the race that follows the lesson, with the text `lesson.GAME.reminder.ID`.

    It is shown once, the first time that a question fits.
    """

    id: str
    when: dict[str, str | int | bool]
    """Fields of the offer or of the view, with the values that they have then."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The lesson of a game."""

    format: int
    seat: int = 0
    """The seat of the person."""
    steps: list[Step]
    reminders: list[Reminder] = []

    def number(self, step: str) -> int | None:
        """The number of the step of this id, from 0; None if there is none."""
        return next((number for number, each in enumerate(self.steps) if each.id == step), None)


def lesson_of(game: Game) -> Lesson | None:
    """The lesson of a game, None if it has none. Raises LessonError."""
    return None if game.lesson is None else read(game.lesson)


@cache
def read(path: Path) -> Lesson:
    """A lesson from its file, checked as far as that is possible without the rules. Raises LessonError."""
    try:
        data = path.read_bytes()
        if len(data) > MOST_BYTES:
            raise LessonError(f"{path}: a lesson has at most {MOST_BYTES} bytes")
        lesson = msgspec.json.decode(data, type=ready(Lesson))
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise LessonError(f"{path}: {error}") from None
    for problem in problems(lesson):
        raise LessonError(f"{path}: {problem}")
    return lesson


def problems(lesson: Lesson) -> Iterator[str]:
    """Errors in a lesson that can be found without the rules of its game."""
    if lesson.format != FORMAT:
        yield f"format {lesson.format}: only format {FORMAT} can be read"
    if not 1 <= len(lesson.steps) <= MOST_STEPS:
        yield f"a lesson has 1 to {MOST_STEPS} steps, not {len(lesson.steps)}"
    if lesson.steps and lesson.steps[0].position is None:
        yield "the first step needs a position"
    ids = [reminder.id for reminder in lesson.reminders]
    if len(ids) > MOST_REMINDERS or len(ids) != len(set(ids)) or not all(map(_ID.fullmatch, ids)):
        yield f"there are at most {MOST_REMINDERS} reminders, each with its own id of small letters, digits and hyphens"
    seen: set[str] = set()
    for step in lesson.steps:
        where = f"step {step.id[:40]!r}"
        if not _ID.fullmatch(step.id):
            yield f"{where}: an id is made of small letters, digits and hyphens"
        if step.id in seen:
            yield f"{where}: there are two of this id"
        seen.add(step.id)
        if not step.spotlight or not all(_PLACE.fullmatch(place) for place in step.spotlight):
            yield f'{where}: the spotlight needs places such as "board" or "card.a"'
        if not all(step.expect) or (step.expect and "*" in "".join(step.expect[0])):
            yield f"{where}: a choice has at least one action, and the first choice is written out"
        if not step.expect and (step.wrong or step.rivals):
            yield f"{where}: a step that only tells has neither rivals nor wrong choices"
        if any(seat == lesson.seat for seat, _ in step.rivals):
            yield f"{where}: seat {lesson.seat} is the person's"
        if not all(map(_ID.fullmatch, step.wrong)):
            yield f"{where}: names of wrong choices are made of small letters, digits and hyphens"


def written(game: Game, edition: Edition, actions: Sequence[str]) -> list[str]:
    """The actions as Spina writes them, so that they can be compared; one that cannot be read stays as it is."""
    found = []
    for action in actions:
        try:
            found.append(str(game.read(edition, action)))
        except SpinaError:
            found.append(action)
    return found


def judged(game: Game, edition: Edition, step: Step, actions: Sequence[str]) -> str | None:
    """None if the actions complete the step, otherwise the end of the message id of the answer: "wrong" or so."""
    text = "; ".join(written(game, edition, actions))
    if any(fnmatchcase(text, "; ".join(written(game, edition, wanted))) for wanted in step.expect):
        return None
    for name, patterns in step.wrong.items():
        if any(fnmatchcase(text, pattern) for pattern in patterns):
            return f"wrong.{name}"
    return "wrong"


def text_ids(game: Game, lesson: Lesson) -> list[str]:
    """The ids of all messages that the lesson needs."""
    found = []
    for step in lesson.steps:
        begin = f"lesson.{game.name}.{step.id}"
        found.append(begin)
        if step.expect:
            found += [f"{begin}.after", f"{begin}.wrong", *(f"{begin}.wrong.{name}" for name in step.wrong)]
    return [*found, *(f"lesson.{game.name}.reminder.{reminder.id}" for reminder in lesson.reminders)]
