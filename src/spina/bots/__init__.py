"""Bots: drivers, searches, programs and Python classes that choose for a seat. They see only what their seat sees."""

from __future__ import annotations

from spina.bots.advice import Advice, Candidate
from spina.bots.bot import Bot
from spina.bots.class_bot import ClassBot, installed, is_class_name, isolated, make_class_bot
from spina.bots.driver_bot import DriverBot
from spina.bots.policy_bot import PREFIX as POLICY_PREFIX
from spina.bots.policy_bot import PolicyBot
from spina.bots.program_bot import PREFIX, ProgramBot, ProgramError
from spina.bots.reasons import Reason
from spina.bots.search_bot import Manner, Search, chances
from spina.errors import OptionError
from spina.games import find, play
from spina.games.editions import shown
from spina.games.levels import LEVEL_NAMES, Level, SearchConfig
from spina.refusal_codes import say

LEVELS = LEVEL_NAMES

__all__ = [
    "LEVELS",
    "Advice",
    "Bot",
    "Candidate",
    "ClassBot",
    "DriverBot",
    "Level",
    "Manner",
    "PolicyBot",
    "ProgramBot",
    "ProgramError",
    "Reason",
    "Search",
    "SearchConfig",
    "chances",
    "installed",
    "isolated",
    "make",
    "names",
]


def names(game: str) -> tuple[str, ...]:
    """The bots that come with a game: its drivers, its frozen levels, and its levels from weak to strong.

    Examples:
        >>> names("charioteer")
        ('random', 'longest', 'competent', 'learned', 'expert-1', 'easy', 'medium', 'hard', 'expert')
    """
    found = find(game)
    return (*found.drivers, *found.frozen_levels, *found.levels)


def make(name: str, *, game: str, seed: int | None = None) -> Bot:
    """A bot by its name.

    A name is that of a driver, a level or a frozen level of the game, that of an entry point in the group "spina.bots",
    the class "module:Class", "policy:FILE", or "program:COMMAND". The same seed gives the same choices in the same
    races.

    Examples:
        >>> bot = make("competent", game="charioteer", seed=1)
        >>> bot
        <Bot competent for charioteer>
        >>> print(bot.choose(spina.new("charioteer", seats=2, seed=7), 0))
        black-2: c e f, token +5
    """
    found = play(game)
    if not isinstance(name, str):
        raise OptionError(say("option.bot-name", name=shown(name)))
    if name.startswith(PREFIX):
        return ProgramBot(found, name.removeprefix(PREFIX), seed=seed)
    if name.startswith(POLICY_PREFIX):
        return PolicyBot(found, name.removeprefix(POLICY_PREFIX), seed=seed)
    if name in found.drivers:
        return DriverBot(found, name, seed=seed)
    level = found.level(name)
    if level is None:
        if name in installed() or is_class_name(name):
            return make_class_bot(name, found, seed)
        known = ", ".join((*names(game), *installed()))
        raise OptionError(say("option.no-bot", name=name, title=found.title, known=known))
    if level.driver is not None:
        return DriverBot(found, level.driver, seed=seed, name=name)
    return Search(found, iterations=level.iterations, config=level.config, seed=seed, name=name, network=level.network)
