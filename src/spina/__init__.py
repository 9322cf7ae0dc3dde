"""Spina: chariot-racing board games, with rules at machine speed, bots, and tools for research.

A race is started with `new`, loaded with `load`, set up by hand with `position`, or taken up at a moment of another
race with `branch`:

    >>> import spina
    >>> spina.game_names()[:3]
    ('charioteer', 'chariot-race', 'chariotmaster')
    >>> race = spina.new("charioteer", seats=2, seed=7)
    >>> race.to_act  # seats that owe a choice now
    (0, 1)

An action is typed, or a line of notation. `legal` lists actions, `check` says why one is not possible, `explain` shows
its consequences, and `play` plays it:

    >>> from spina.games.charioteer import Choice
    >>> race.check(0, "red-1: a b c")
    'card c (black-2 black-2 green-2) shows no red-1'
    >>> race.explain(0, Choice("red-1", "ab")).points
    4
    >>> race.play(0, "red-1: a b")
    [Chosen(seat=0)]

`view` is what a seat sees; it holds nothing that the seat may not know:

    >>> race.view(1).chariots[0].ready
    True

Bots choose, and `simulate` plays whole races inside the compiled rules:

    >>> bot = spina.bots.make("easy", game="charioteer", seed=1)
    >>> events = race.play(1, bot.choose(race, 1))
    >>> race.turn
    2
    >>> spina.simulate("charioteer", seats=4, races=100, drivers="competent", seed=1)["turns"].min() > 10
    np.True_

See also `help(spina.Race)`, `help(spina.bots)`, `help(spina.games.Game)`, and for each game
`help(spina.games.charioteer)` with the types of its actions, events, views and offers. Errors are `SpinaError`. The
command `spina` opens tables in the browser, `spina lab` runs studies.
"""

from spina import interrupts as _interrupts  # noqa: F401  first: Ctrl-C ends the command silently from here on
from spina.batches.batch import Batch, batch
from spina.branches import branch
from spina.errors import (
    EditionError,
    IllegalAction,
    NotationError,
    OptionError,
    PositionError,
    SaveError,
    SpinaError,
)
from spina.games import names as game_names
from spina.games import warm_up
from spina.race import Race, new, position
from spina.replay import load
from spina.simulation import simulate

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "EditionError",
    "IllegalAction",
    "NotationError",
    "OptionError",
    "PositionError",
    "Race",
    "SaveError",
    "SpinaError",
    "batch",
    "bots",
    "branch",
    "game_names",
    "games",
    "load",
    "new",
    "position",
    "simulate",
    "warm_up",
]

from spina import bots, games
