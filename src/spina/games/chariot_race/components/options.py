"""The variants of Chariot Race, as options of a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games.chariot_race.components.refusals import say
from spina.games.chariot_race.rules.record import (
    HALVES,
    OPT_INDIVIDUAL,
    OPT_PAIRS,
    OPT_SAFE_FINISH,
    OPT_SEATS,
    OPT_SIDE_1,
    OPT_SIDE_2,
    OPTIONS,
)
from spina.games.game import Setting

SIDES = ("A", "B")
MOST_PAIRS = 3
"""R13: most seats that can have two chariots each."""


def settings() -> list[Setting]:
    """The options that `check` knows, for set-up forms."""
    return [
        Setting(name="pairs", kind="switch", default=True, first=False, seats=tuple(range(2, MOST_PAIRS + 1))),
        Setting(name="board", kind="choice", default="AA", choices=tuple(a + b for a in SIDES for b in SIDES)),
        Setting(name="individual", kind="switch", default=False),
        Setting(name="safe_finish", kind="switch", default=False),
    ]


def check(given: Mapping[str, object], seats: int | None = None) -> dict[str, Any]:
    """All options, completed with their defaults. Raises OptionError.

    - `pairs`: two chariots each, for two or three seats, where it is the default (R27);
    - `safe_finish`: no damage to a chariot that has finished and completed its turn;
    - `board`: the sides of the two half boards, "AA", "BB", "AB" or "BA"; B has stone heaps;
    - `individual`: the six individual chariots, with draft and choice of starting space.
    """
    options: dict[str, Any] = {
        "pairs": seats is not None and seats <= MOST_PAIRS,
        "safe_finish": False,
        "board": "AA",
        "individual": False,
    }
    for name, value in given.items():
        if name not in options:
            raise OptionError(say("chariot-race.option-unknown", option=name, known=", ".join(options)))
        if name == "board":
            if not isinstance(value, str) or len(value) != HALVES or not set(value.upper()) <= set(SIDES):
                raise OptionError(say("chariot-race.option-board", option="board", value=repr(value)))
            value = value.upper()
        elif not isinstance(value, bool):
            raise OptionError(say("option.not-a-switch", option=name, value=repr(value)))
        options[name] = value
    if options["pairs"] and seats is not None and seats > MOST_PAIRS:
        raise OptionError(say("chariot-race.option-pairs", option="pairs", most=MOST_PAIRS, seats=seats))
    return options


def encode(seats: int, options: Mapping[str, Any], pairs: bool | None = None) -> NDArray[np.int64]:
    """The options as numbers, for the kernel."""
    codes = np.zeros(OPTIONS, np.int64)
    codes[OPT_SEATS] = seats
    codes[OPT_PAIRS] = options["pairs"] if pairs is None else pairs
    codes[OPT_SAFE_FINISH] = options["safe_finish"]
    codes[OPT_SIDE_1] = options["board"][0] == "B"
    codes[OPT_SIDE_2] = options["board"][1] == "B"
    codes[OPT_INDIVIDUAL] = options["individual"]
    return codes
