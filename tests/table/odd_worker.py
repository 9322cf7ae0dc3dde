"""A worker for tests, which has its moods: it never ends thinking for some bots, and dies of others."""

from __future__ import annotations

import os
import time

from spina.table import worker
from spina.table.thinking import Question

MOODS = os.environ["SPINA_TEST_MOODS"].split()
sensible = worker.choose


def choose(question: Question) -> str:
    if f"{question.bot}:sleeps" in MOODS:
        time.sleep(3600)
    if f"{question.bot}:dies" in MOODS:
        os._exit(9)
    print("a stray word on standard output")
    return sensible(question)


worker.choose = choose
worker.main()
