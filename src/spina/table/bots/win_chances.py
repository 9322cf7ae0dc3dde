"""Every seat's chance to win, from public information."""

from __future__ import annotations

import logging

from spina import bots
from spina.bots import search_bot
from spina.games import registry
from spina.kernel import compiler
from spina.race import Race
from spina.table.repeated_logs import Repeats

_failures = Repeats(logging.getLogger("spina.table"))


class WinChances:
    """Every seat's chance to win at the beginning of each turn, and at the end of the race.

    In the middle of a turn, seats that have moved cannot be compared with seats that have not. The chances are
    estimated when they are asked for: most tables have no viewer who may know them.
    """

    def __init__(self) -> None:
        self._at: tuple[int, bool] | None = None
        self._then: Race | None = None
        """The race at the beginning of the turn, as spectators know it, until its chances have been estimated."""
        self._chances: list[float] | None = None
        self._of: tuple[Race, int] | None = None
        """The race that was noted last, and its `resolved`: turns begin and races end when choices are revealed."""

    def note(self, race: Race) -> None:
        """Note a change of the race. Call it after every change."""
        if self._of is not None and self._of[0] is race and self._of[1] == race.resolved:
            return
        if self._at != (race.turn, race.over):
            self._at, self._then, self._chances = (race.turn, race.over), _as_known(race), None
        self._of = (race, race.resolved)

    def of(self, race: Race) -> list[float] | None:
        """The chances in a race, of which every change was noted.

        None if they cannot be estimated, or not yet: what estimates them is compiled with the search.
        """
        self.note(race)
        if self._then is not None and _is_ready(race):
            then, self._then = self._then, None
            self._chances = _known_chances(then)
        return self._chances


def _is_ready(race: Race) -> bool:
    return compiler.WAITS or compiler.is_ready(*registry.folders(race.game.name), search_bot.FOLDER)


def _known_chances(race: Race) -> list[float] | None:
    try:
        return _chances(race)
    except Exception as error:  # such as bad network weights
        cause = f"{type(error).__name__}: {error}"
        _failures.warn(f"{race.game.name} {cause}", f"the chances in {race.game.name} are not known: {cause}")
        return None


def public_chances(race: Race) -> list[float]:
    """Every seat's chance to win, from what a spectator can see."""
    return _chances(_as_known(race))


def _as_known(race: Race) -> Race:
    """A copy of the race as a spectator knows it; after the race, everybody knows everything."""
    return race.copy() if race.over else race.determinized(None, 0)


def _chances(race: Race) -> list[float]:
    return [round(chance, 4) for chance in bots.chances(race)]
