"""Who will win? Everybody's chances, for those who watch."""

from __future__ import annotations

from spina import bots
from spina.race import Race


class Judgement:
    """Everybody's chances as they were when the turn began, and at the end.

    In the middle of a turn those who have moved cannot be compared with those who have not.
    """

    def __init__(self) -> None:
        self._at: tuple[int, bool] | None = None
        self._chances: list[float] = []

    def of(self, race: Race) -> list[float]:
        """To be asked after everything that happens in the race."""
        if self._at != (race.turn, race.over):
            self._at, self._chances = (race.turn, race.over), public_chances(race)
        return self._chances


def public_chances(race: Race) -> list[float]:
    """Every seat's chance to win, from nothing but what a spectator sees."""
    if not race.over:
        race = Race(race.game, race.edition, race.seats, race.options, 0, race.dealt_anew(None, 0))
    return [round(chance, 4) for chance in bots.chances(race)]
