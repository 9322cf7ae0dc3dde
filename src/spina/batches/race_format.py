"""The format of a race: what an encoding needs to know of it."""

from __future__ import annotations

from spina.games.encoding import RaceFormat
from spina.race import Race


def race_format(race: Race) -> RaceFormat:
    """The format of races like this one: of its game, edition, options and number of seats."""
    game = race.game
    return RaceFormat(
        rules=game.rules,
        actions=game.steps if game.lists_all else game.longest_menu,
        longest_menu=game.longest_menu,
        edition=race.edition,
        seats=race.seats,
        options=race.options,
        sample=race.determinized_state(None, 0),
    )
