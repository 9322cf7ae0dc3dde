"""`python -m spina.table.worker`: the process in which bots think. `thinking` starts and asks it."""

from __future__ import annotations

import os
import queue
import threading
import traceback
from functools import lru_cache

import msgspec
import numpy as np

from spina import bots
from spina.bots import MonteCarlo
from spina.errors import SpinaError
from spina.games import get
from spina.games.editions import Edition
from spina.race import Race
from spina.table import children
from spina.table.thinking import Answer, Question

ITERATIONS = {"charioteer": 1000, "chariot-race": 100, "chariotmaster": 16}
"""Races that Monte Carlo imagines for a choice: as many as fit into about two seconds."""
EDITIONS = 16
"""Editions that are kept in mind."""


def choose(question: Question) -> str:
    """What the bot would do, in notation. Raises SpinaError."""
    game = get(question.game)
    edition = _edition(question.game, question.edition_text)
    state = np.frombuffer(question.state, np.uint8).copy()
    race = Race(game, edition, question.seats, question.options, 0, state)
    if question.choosing:
        race._steps[question.seat] = [game.read(edition, step) for step in question.choosing]
    if question.bot == "montecarlo":
        bot: bots.Bot = MonteCarlo(game, iterations=ITERATIONS[game.name], seed=question.seed)
    else:
        bot = bots.make(question.bot, game=game.name, seed=question.seed)
    return str(bot.choose(race, question.seat))


@lru_cache(maxsize=EDITIONS)
def _edition(game: str, text: str | None) -> Edition:
    return get(game).reference() if text is None else get(game).parse_edition(text, "edition")


def _listen(questions: queue.SimpleQueue[bytes]) -> None:
    while (message := children.hear()) is not None:
        questions.put(message)
    os._exit(0)  # the server has ended; whatever is being thought about is of no use


def main() -> None:
    speak = children.stand_back()
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    speak.write(children.framed(msgspec.msgpack.encode(Answer())))  # ready to be asked
    while True:
        question = msgspec.msgpack.decode(questions.get(), type=Question)
        try:
            answer = Answer(action=choose(question))
        except SpinaError as error:
            answer = Answer(problem=str(error))
        except Exception as error:  # a mistake in a bot: it would be made again, so nobody need be replaced
            traceback.print_exc()
            answer = Answer(problem=f"{type(error).__name__}: {error}")
        speak.write(children.framed(msgspec.msgpack.encode(answer)))


if __name__ == "__main__":
    main()
