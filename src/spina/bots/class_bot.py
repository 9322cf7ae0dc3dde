"""Bots that are Python classes of other packages.

A class derived from `Bot` is named as "module:Class", or by the name of an entry point:

[project.entry-points."spina.bots"]
my-bot = "my_package:MyBot"

It never gets the race itself, but a determinization: a copy in which all that its seat cannot see is random.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from spina.bots.advice import Advice
from spina.bots.bot import Bot
from spina.errors import OptionError, SpinaError
from spina.games.editions import shown
from spina.games.game import Action, Game
from spina.games.notation import typed
from spina.kernel.random import LARGEST_SHORT_SEED
from spina.race import Race

GROUP = "spina.bots"
_CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)


def is_class_name(name: str) -> bool:
    """Whether a bot's name has the form "module:Class"."""
    return _CLASS.fullmatch(name) is not None


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def installed() -> tuple[str, ...]:
    """The names of the bots that installed packages register as entry points, in alphabetical order."""
    return tuple(_entry_points())


def find_class(name: str) -> type[Bot]:
    """The class that an entry point or "module:Class" names. Raises OptionError if there is none."""
    point = _entry_points().get(name)
    where = name if point is None else point.value
    module, _, attribute = where.partition(":")
    try:
        found = getattr(import_module(module.strip()), attribute.partition("[")[0].strip())
    except ImportError as error:
        raise OptionError(f'the bot "{name}" cannot be imported: {error}') from None
    except AttributeError:
        raise OptionError(f'there is no bot "{name}": the module {module} has no class {attribute}') from None
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise OptionError(f'"{name}" is not a bot: it must be a class derived from spina.bots.Bot, not {shown(found)}')
    return found


class ClassBot(Bot):
    """Asks a bot of another package, which gets determinizations of the race only."""

    def __init__(self, bot: Bot, seed: int | None = None, name: str | None = None) -> None:
        super().__init__(bot.game, seed)
        self.name = name or bot.name
        self._bot = bot
        self._seed, self._asked = int(self._dice[0]), 0

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        return typed(self.game, race.edition, self._bot.choose(self._determinized(race, seat), seat))

    def advise(self, race: Race, seat: int, most: int = 5) -> Advice:
        self._check(race, seat)
        return self._bot.advise(self._determinized(race, seat), seat, most)

    def close(self) -> None:
        self._bot.close()

    def _determinized(self, race: Race, seat: int) -> Race:
        self._asked += 1
        return race.determinized(seat, (self._seed + self._asked * 0x9E3779B97F4A7C15) & LARGEST_SHORT_SEED)


def isolated(bot: Bot) -> Bot:
    """The bot itself if it is one of Spina's own, which keep to what their seat can see; otherwise a `ClassBot`."""
    own = type(bot).__module__.startswith("spina.")
    return bot if own else ClassBot(bot, seed=int(bot._dice[0]) if hasattr(bot, "_dice") else None)


def make_class_bot(name: str, game: Game, seed: int | None) -> Bot:
    """The bot that an entry point or "module:Class" names. Raises OptionError."""
    kind = find_class(name)
    try:
        bot = kind(game, seed)
    except SpinaError:
        raise
    except TypeError as error:
        raise OptionError(f'the bot "{name}" cannot be made with a game and a seed: {error}') from error
    if not hasattr(bot, "game"):
        raise OptionError(f'the bot "{name}" has no game: its __init__ must call super().__init__(game, seed)')
    return ClassBot(bot, seed=seed, name=name)
