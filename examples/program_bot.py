#!/usr/bin/env python3
"""A bot that talks over standard input and output, with nothing but Python's standard library.

    spina lab arena charioteer --bots "program:python examples/program_bot.py,longest" --races 100

Every line is a JSON object; the answer must be flushed. `choose` is the place for something cleverer. Words for people
go to standard error.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any


def choose(question: dict[str, Any], chance: random.Random) -> str:
    """One of `legal`, in notation. `view` is everything that the seat may know."""
    return str(chance.choice(question["legal"]))


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:
        question = json.loads(line)
        if question["type"] == "hello":
            chance.seed(question["seed"])  # the same seed gives the same races
            answer = {"type": "ready"}
        elif question["type"] == "choose":
            answer = {"action": choose(question, chance)}
        elif question["type"] == "wrong":
            sys.exit(f"the last answer was wrong: {question['reason']}")
        else:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # Spina was stopped, and reads no more answers
        sys.exit(1)
