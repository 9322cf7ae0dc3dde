"""Who will win? Everybody's chances, for those who watch."""

from __future__ import annotations

import logging

from spina import bots
from spina.race import Race
from spina.table.repeated_logs import Repeats

_failures = Repeats(logging.getLogger("spina.table"))


class Judgement:
    """Everybody's chances as they were when the turn began, and at the end.

    In the middle of a turn those who have moved cannot be compared with those who have not.
    """

    def __init__(self) -> None:
        self._at: tuple[int, bool] | None = None
        self._chances: list[float] | None = None

    def of(self, race: Race) -> list[float] | None:
        """To be asked after everything that happens in the race. None when nothing can judge it: it is raced anyway."""
        if self._at != (race.turn, race.over):
            self._at, self._chances = (race.turn, race.over), _known_chances(race)
        return self._chances


def _known_chances(race: Race) -> list[float] | None:
    try:
        return public_chances(race)
    except Exception as error:  # bad weights, for one
        cause = f"{type(error).__name__}: {error}"
        _failures.warn(f"{race.game.name} {cause}", f"the chances in {race.game.name} are not known: {cause}")
        return None


def public_chances(race: Race) -> list[float]:
    """Every seat's chance to win, from nothing but what a spectator sees."""
    if not race.over:
        race = Race(race.game, race.edition, race.seats, race.options, 0, race.dealt_anew(None, 0))
    return [round(chance, 4) for chance in bots.chances(race)]
