"""A worker for tests, which has its moods: for some bots it never ends thinking, dies, raises, or answers nonsense.

Moods are words in the environment: "expert:sleeps competent:dies". With SPINA_TEST_WEIGHTS the weights of a
game's value network are read from that file, which is named after the game.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from spina.games import find
from spina.table.bots import worker
from spina.table.bots.worker_messages import Question

MOODS = os.environ["SPINA_TEST_MOODS"].split()
sensible = worker.choose

if "all:never-start" in MOODS:
    os._exit(9)
if "SPINA_TEST_WEIGHTS" in os.environ:
    weights = Path(os.environ["SPINA_TEST_WEIGHTS"])
    type(find(weights.stem)).network = weights


def choose(question: Question) -> str:
    if f"{question.bot}:sleeps" in MOODS:
        time.sleep(3600)
    if f"{question.bot}:dies" in MOODS:
        os._exit(9)
    if f"{question.bot}:raises" in MOODS:
        raise ZeroDivisionError("a mistake in the bot")
    if f"{question.bot}:lies" in MOODS:
        return "fly to the moon"
    print("a stray word on standard output")
    return sensible(question)


worker.choose = choose
worker.main()
