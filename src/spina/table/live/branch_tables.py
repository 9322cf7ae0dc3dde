"""Tables that go on from a moment of a finished race ("Try it from here"), for one person against bots."""

from __future__ import annotations

import secrets

from spina.branches import branch
from spina.errors import OptionError
from spina.games import find
from spina.games.driver_names import CHARIOTEERS
from spina.race import Race
from spina.table.bots.bot_pool import accepted
from spina.table.http.slow_requests import CostlyWork
from spina.table.live import starts
from spina.table.live.lobby import Lobby
from spina.table.live.replay_steps import at_moment, replayed
from spina.table.live.room import Room
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings
from spina.table.store.records import Seat, Visitor


class BranchTables:
    """Opens tables at moments of finished races."""

    def __init__(self, lobby: Lobby, work: CostlyWork, settings: Settings) -> None:
        self._lobby, self._work, self._settings = lobby, work, settings

    async def open(
        self,
        visitor: Visitor,
        room: Room,
        moment: int,
        seat: int,
        *,
        bot: str | None = None,
        address: str | None = None,
    ) -> str:
        """Set up a table for one seat at a moment of the room's replay, with what that seat knew then.

        Everything that the seat did not know is dealt anew, and choices that were not revealed are asked for again. The
        other seats are driven by `bot`, or by the bots that they had, or by the game's usual driver. Returns the id of
        the table. Raises Refusal while the race runs, for a moment at which it was over, and for one that is not there.
        """
        if room.table.status != "over" or room.race is None:
            raise Refusal("not-started", say("table.branch-when-over"))
        if seat >= room.table.seats:
            raise Refusal("malformed", say("race.no-seat", seat=seat, last=room.table.seats - 1))
        last = len(replayed(room)) - 1
        if moment > last:
            raise Refusal("malformed", say("table.no-moment", moment=moment, last=last))
        if bot is not None and bot not in accepted(room.table.game, self._settings.bots):
            raise OptionError(say("table.no-bot", bot=bot))
        await self._lobby.check_allowance(visitor)
        race = await self._work.do(lambda: _branched(room, moment, seat))
        seats = [_seat(room, number, visitor if number == seat else None, bot) for number in range(race.seats)]
        return await self._lobby.open_at(visitor, race, seats, source=(room.table.id, moment), address=address)


def _branched(room: Room, moment: int, seat: int) -> Race:
    race = at_moment(room, moment)
    if race.over:
        raise Refusal("over", say("race.over"))
    return branch(race, seat, secrets.randbits(starts.LUCK_BITS))


def _seat(room: Room, number: int, visitor: Visitor | None, bot: str | None) -> Seat:
    """A seat of the new table, in the colour that it had."""
    former = room.seats[number]
    if visitor is not None:
        return Seat(table="", seat=number, kind="person", visitor=visitor.id, name=visitor.name, colour=former.colour)
    driver = bot or (former.bot if former.kind == "bot" else None) or find(room.table.game).default_driver
    return Seat(table="", seat=number, kind="bot", bot=driver, name=CHARIOTEERS[number], colour=former.colour)
