"""Tables at which a game's lesson is taken: one person, rivals that follow the lesson, and races from its positions."""

from __future__ import annotations

from spina.errors import OptionError
from spina.games import find
from spina.games.driver_names import CHARIOTEERS
from spina.games.lessons import Lesson, lesson_of
from spina.race import position
from spina.table.http.slow_requests import CostlyWork
from spina.table.live.lobby import Lobby
from spina.table.live.rooms import Rooms
from spina.table.refusals import Refusal, say
from spina.table.store.records import Seat, Visitor


class LessonTables:
    """Opens tables for lessons."""

    def __init__(self, lobby: Lobby, rooms: Rooms, work: CostlyWork) -> None:
        self._lobby, self._rooms, self._work = lobby, rooms, work

    def lesson(self, game: str) -> Lesson:
        """The lesson of a game. Raises Refusal if there is none."""
        try:
            found = find(game)
        except OptionError as error:
            raise Refusal.of("unknown", error) from None
        lesson = lesson_of(found)
        if lesson is None:
            raise Refusal("unknown", say("table.no-lesson", title=found.title))
        return lesson

    async def open(self, visitor: Visitor, game: str, address: str | None = None) -> str:
        """Begin the lesson of a game at its first step. Returns the table's id. Raises Refusal if there is none."""
        lesson = self.lesson(game)
        await self._lobby.check_allowance(visitor)
        await self._rooms.warm_up.prepare(game)
        first = lesson.steps[0].position
        assert first is not None
        race = await self._work.do(lambda: position(game, first))
        seats = [
            Seat(table="", seat=seat, kind="bot", bot=race.game.default_driver, name=CHARIOTEERS[seat])
            for seat in range(race.seats)
        ]
        seats[lesson.seat] = Seat(
            table="", seat=lesson.seat, kind="person", visitor=visitor.id, name=visitor.name, colour=None
        )
        return await self._lobby.open_at(visitor, race, seats, lesson=True, address=address)
