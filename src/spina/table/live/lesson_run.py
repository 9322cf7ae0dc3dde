"""How far a lesson has come at a table: its step, what the person may choose, and what the rivals choose."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spina.games import find
from spina.games.lessons import Lesson, Step, judged, lesson_of
from spina.race import Race, position
from spina.table.live.protocol import LessonState
from spina.table.refusals import Refusal, say
from spina.table.store.records import Table


class LessonRun:
    """The state of a lesson. It follows from the journal: from the steps that were begun and the choices since."""

    def __init__(self, game: str, lesson: Lesson) -> None:
        self._game, self.lesson = game, lesson
        self._step: Step | None = lesson.steps[0]
        self._chosen = False
        self._played: dict[int, int] = {}  # number of choices of each rival during the step

    def note(self, kind: str, seat: int | None, actions: Sequence[str]) -> None:
        """Follow an entry of the journal."""
        if kind == "step":
            number = self.lesson.number(actions[0])
            # a lesson that has changed meanwhile and has no such step is over
            self._step = None if number is None else self.lesson.steps[number]
            self._chosen, self._played = False, {}
        elif kind == "play" and seat == self.lesson.seat:
            self._chosen = True
        elif kind == "play" and seat is not None:
            self._played[seat] = self._played.get(seat, 0) + 1

    @property
    def done(self) -> bool:
        """Whether the next step may begin."""
        return self._step is None or self._chosen or not self._step.expect

    def state(self) -> LessonState | None:
        """The step as pages are told it; None if the lesson has changed meanwhile and has no such step."""
        step = self._step
        if step is None:
            return None
        number = self.lesson.steps.index(step) + 1
        return LessonState(
            step=step.id,
            number=number,
            of=len(self.lesson.steps),
            done=self.done,
            asks=bool(step.expect),
            spotlight=step.spotlight,
            text=self._text(step),
        )

    def _text(self, step: Step) -> str:
        return f"lesson.{self._game}.{step.id}"

    def check(self, race: Race, seat: int, actions: Sequence[str]) -> None:
        """Raise Refusal unless the person's actions are what the step asks for.

        The parameters of the refusal `table.lesson-wrong` are the step and the id of the message that answers it.
        """
        step = self._step
        if step is None or seat != self.lesson.seat:
            return
        if self._chosen:
            raise Refusal("lesson", say("table.lesson-next", step=step.id))
        if not step.expect:
            raise Refusal("lesson", say("table.lesson-tells", step=step.id))
        answer = judged(race.game, race.edition, step, actions)
        if answer is not None:
            raise Refusal("lesson", say("table.lesson-wrong", step=step.id, text=f"{self._text(step)}.{answer}"))

    def scripted(self, seat: int) -> str | None:
        """What a rival chooses next; None: it waits."""
        mine = [action for rival, action in self._step.rivals if rival == seat] if self._step else []
        played = self._played.get(seat, 0)
        return mine[played] if played < len(mine) else None

    def next_step(self, step: str, race: Race) -> tuple[list[str], Race | None]:
        """The actions of the entry that begins this step, and its race if it begins from a position.

        Raises Refusal if the lesson does not go on with it, or the present step is not done.
        """
        number = 0 if self._step is None else self.lesson.steps.index(self._step) + 1
        if self._step is None or number >= len(self.lesson.steps) or self.lesson.steps[number].id != step:
            raise Refusal("lesson", say("table.lesson-step", step=step[:40]))
        if not self.done:
            raise Refusal("lesson", say("table.lesson-not-done", step=self._step.id))
        data = self.lesson.steps[number].position
        if data is None:
            return [step], None
        placed = position(race.game.name, data, edition=race.edition)
        return [step, msgspec.json.encode(placed.origin).decode()], placed


def lesson_at(table: Table) -> LessonRun | None:
    """The lesson of a table, at its first step; None if the table is no lesson, or its game has none any more."""
    lesson = lesson_of(find(table.game)) if table.lesson else None
    return None if lesson is None else LessonRun(table.game, lesson)
