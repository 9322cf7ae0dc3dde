"""The server with two games that have no browser files, as a package of its own may be."""

from __future__ import annotations

import sys

from spina.cli import main
from spina.games.chariot_race.game import ChariotRace
from spina.games.charioteer.game import Charioteer
from spina.games.game import Game
from spina.games.web_files import WebFiles

if __name__ == "__main__":
    for game in (ChariotRace, Charioteer):
        game.web = WebFiles()
        for name in ("offer", "scene"):
            setattr(game, name, getattr(Game, name))
    sys.exit(main())
