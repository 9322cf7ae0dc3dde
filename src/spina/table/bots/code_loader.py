"""Loads the compiled code of games in a worker process, beside the answers to questions.

Loading takes longer than dozens of choices of an interpreted driver, and in Chariot Race the first choices of a race
may be those of rivals. Drivers therefore answer in the form that is there, and a thread loads when questions pause.
"""

from __future__ import annotations

import threading
import time
import traceback

from spina.bots import search_bot
from spina.games import folders
from spina.kernel import compiler

QUIET, LONGEST_DELAY = 0.3, 2.0
"""Seconds without a question before code is loaded, because loading slows answers down; maximum seconds to that."""


class CodeLoader:
    """Loads the code of the games that are asked about, if it is in the cache: rules and drivers, then the search."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._wanted: dict[str, float] = {}
        """Games to load, with the times at which they were asked for first."""
        self._asked = 0.0
        threading.Thread(target=self._run, name="spina-code-loader", daemon=True).start()

    def want(self, game: str) -> None:
        """Load the code of a game soon; try again, if it was not in the cache before."""
        with self._news:
            self._asked = time.monotonic()
            if not compiler.is_ready(*folders(game), search_bot.FOLDER):
                self._wanted.setdefault(game, self._asked)
                self._news.notify()

    def load(self, game: str) -> None:
        """Load the code of a game at once, if it is in the cache."""
        if compiler.load(*folders(game)):
            compiler.load(search_bot.FOLDER)

    def _run(self) -> None:
        while True:
            game = self._next()
            try:
                self.load(game)
            except Exception:  # the game stays interpreted here
                traceback.print_exc()
            with self._news:
                del self._wanted[game]

    def _next(self) -> str:
        """Wait for a game to load, then for a pause between questions."""
        with self._news:
            while not self._wanted:
                self._news.wait()
            game, since = next(iter(self._wanted.items()))
            while (left := min(self._asked + QUIET, since + LONGEST_DELAY) - time.monotonic()) > 0:
                self._news.wait(left)
            return game
