"""The games by name. A game is found by its entry point in the group `spina.games`, so it can be a separate package:

[project.entry-points."spina.games"]
my-game = "my_package:GAME"
"""

from __future__ import annotations

import logging
import threading
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from spina import kernel
from spina.errors import OptionError, SpinaError
from spina.games import background_compile
from spina.games.editions import shown
from spina.games.game import Game
from spina.kernel import compiler
from spina.refusal_codes import say

log = logging.getLogger("spina")

GROUP = "spina.games"
_KERNEL = Path(kernel.__file__).parent


@cache
def _entry_points() -> dict[str, EntryPoint]:
    """The games that are installed, by name. No other package can take the name of one of Spina's own."""
    found = sorted(entry_points(group=GROUP), key=lambda point: point.dist is None or point.dist.name != "spina")
    games: dict[str, EntryPoint] = {}
    for point in found:
        games.setdefault(point.name, point)
    if not games:
        raise SpinaError("no game is installed: Spina's own are registered when it is installed (pip install .)")
    return games


@cache
def names() -> tuple[str, ...]:
    """The games that can be played, in the order of lists (`Game.list_position`). All of them are loaded.

    A game of another package that cannot be loaded is left out, and the log says why.

    Examples:
        >>> spina.game_names()[:3]
        ('charioteer', 'chariot-race', 'chariotmaster')
    """
    games = []
    for name in _entry_points():
        try:
            games.append(_load(name))
        except SpinaError as error:
            log.error("%s", error)
    return tuple(game.name for game in sorted(games, key=lambda game: (game.list_position, game.name)))


@cache
def _load(name: str) -> Game:
    point = _entry_points()[name]
    try:
        game = point.load()
    except Exception as error:
        raise SpinaError(f'the game "{name}" ({point.value}) cannot be loaded: {error}') from error
    if not isinstance(game, Game) or game.name != name:
        raise SpinaError(f'the entry point "{name}" ({point.value}) must be a Game of that name, not {shown(game)}')
    return game


def find(name: str) -> Game:
    """A game, to ask about itself and its components or to race in the form that is there: interpreted or compiled.

    Raises OptionError for a name that is not installed.

    Examples:
        >>> find("charioteer")
        <Game charioteer: Charioteer, 2 to 6 seats>
    """
    if not isinstance(name, str) or name not in _entry_points():
        raise OptionError(say("option.no-game", name=shown(name), names=", ".join(names())))
    return _load(name)


def folders(name: str) -> tuple[Path, ...]:
    """The folders whose entries a race of the game needs, for `spina.kernel.compiler`."""
    return (_KERNEL, *find(name).folders)


def get(name: str) -> Game:
    """A game to race at full speed: waits until it is compiled. Raises OptionError for a name that is not installed."""
    game = find(name)
    compiler.ready(_KERNEL, *game.folders)
    return game


def play(name: str) -> Game:
    """A game to race at once, while a person watches. Raises OptionError for a name that is not installed.

    Compiled code is loaded if it is in the cache. Otherwise races begin interpreted, a child process compiles the game
    (`background_compile`), and they change over in the middle. With `SPINA_COMPILE=wait` it is the same as `get`; after
    `background_compile.disable` the same as `find`.
    """
    if compiler.WAITS:
        return get(name)
    game, needed = find(name), folders(name)
    if background_compile.is_enabled() and not compiler.is_ready(*needed) and not compiler.load(*needed):
        background_compile.begin(name, needed)
    return game


def warm_up(*wanted: str) -> threading.Thread:
    """Compile games in the background (all of them, if none is named), before they are needed.

    Raises OptionError for a name that is not installed.
    """
    needed = dict.fromkeys(folder for name in wanted or names() for folder in folders(name))
    return compiler.warm_up(*needed)
