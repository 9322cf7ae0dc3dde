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

    In the middle of a turn, seats that have moved cannot be compared with seats that have not.
    """

    def __init__(self) -> None:
        self._at: tuple[int, bool, bool] | None = None
        self._chances: list[float] | None = None
        self._of: tuple[Race, int] | None = None
        """The race whose chances they are, and its `resolved`: turns begin and races end when choices are revealed."""

    def of(self, race: Race) -> list[float] | None:
        """The chances in a race. Call it after every change of the race.

        None if they cannot be estimated, or not yet: what estimates them is compiled with the search.
        """
        if self._of is not None and self._of[0] is race and self._of[1] == race.resolved:
            return self._chances
        ready = compiler.WAITS or compiler.is_ready(*registry.folders(race.game.name), search_bot.FOLDER)
        if self._at != (race.turn, race.over, ready):
            self._at, self._chances = (race.turn, race.over, ready), _known_chances(race) if ready else None
        self._of = (race, race.resolved) if ready else None
        return self._chances


def _known_chances(race: Race) -> list[float] | None:
    try:
        return public_chances(race)
    except Exception as error:  # such as bad network weights
        cause = f"{type(error).__name__}: {error}"
        _failures.warn(f"{race.game.name} {cause}", f"the chances in {race.game.name} are not known: {cause}")
        return None


def public_chances(race: Race) -> list[float]:
    """Every seat's chance to win, from what a spectator can see."""
    if not race.over:
        race = race.determinized(None, 0)
    return [round(chance, 4) for chance in bots.chances(race)]
