"""Bots: drivers and searches as a player meets them. They see what their seat sees, and nothing else."""

from __future__ import annotations

from spina.bots.advice import Advice, Candidate
from spina.bots.bot import Bot
from spina.bots.driver_bot import DriverBot
from spina.bots.levels import LEVELS, OF_GAME
from spina.bots.program_bot import PREFIX, ProgramBot, ProgramError
from spina.bots.reasons import Reason
from spina.bots.search_bot import Manner, Search, chances
from spina.errors import OptionError
from spina.games import find, get
from spina.games.editions import shown

__all__ = [
    "LEVELS",
    "Advice",
    "Bot",
    "Candidate",
    "DriverBot",
    "Manner",
    "ProgramBot",
    "ProgramError",
    "Reason",
    "Search",
    "chances",
    "make",
    "names",
]


def names(game: str) -> tuple[str, ...]:
    """The bots that can play this game: its drivers, and the levels from weak to strong.

    Examples:
        >>> names("charioteer")
        ('random', 'longest', 'competent', 'easy', 'medium', 'hard', 'expert')
    """
    return (*find(game).drivers, *LEVELS)


def make(name: str, *, game: str, seed: int | None = None) -> Bot:
    """A bot by its name, or a program of one's own: "program:COMMAND".

    The same seed gives the same choices in the same races.

    Examples:
        >>> bot = make("competent", game="charioteer", seed=1)
        >>> bot
        <Bot competent for charioteer>
        >>> print(bot.choose(spina.new("charioteer", seats=2, seed=7), 0))
        black-2: c e f, token +5
    """
    found = get(game)
    if not isinstance(name, str):
        raise OptionError(f"a bot is called by its name, not by {shown(name)}")
    if name.startswith(PREFIX):
        return ProgramBot(found, name.removeprefix(PREFIX), seed=seed)
    if name in found.drivers:
        return DriverBot(found, name, seed=seed)
    level = OF_GAME[found.name].get(name)
    if level is None:
        raise OptionError(f'there is no bot "{name}" for {found.title}: there are {", ".join(names(game))}')
    if level.driver is not None:
        return DriverBot(found, level.driver, seed=seed, name=name)
    return Search(found, iterations=level.iterations, manner=level.manner, seed=seed, name=name)
