"""The functions through which search, simulation and the Race class use a game.

Every game fills one `Rules` record with entries of these signatures. A race and its edition are passed as bytes, so
one compiled search serves all games through function pointers (`function_pointers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from spina.kernel.function_pointers import function_of, record_of
from spina.kernel.signatures import BYTES, COMPONENTS, DICE, FEATURES, INT, NUMBERS, REAL, STORY, VOID, WORD, Array

STEP, CHOSEN, RESOLVED = range(3)
"""Results of `apply`: the seat must go on choosing; its choice is complete and waits for others; it was resolved."""

PLAN = 32
"""Longest plan, in steps, that a driver may return at once."""

SET_UP = VOID(BYTES, COMPONENTS, NUMBERS, DICE)
ACTING = INT(BYTES, COMPONENTS)
LEGAL = INT(BYTES, COMPONENTS, INT, NUMBERS)
CHECK = INT(BYTES, COMPONENTS, INT, INT)
APPLY = INT(BYTES, COMPONENTS, INT, INT, STORY)
RETRACT = INT(BYTES, COMPONENTS, INT)
OVER = INT(BYTES, COMPONENTS)
RANKING = VOID(BYTES, COMPONENTS, NUMBERS)
TURN = INT(BYTES, COMPONENTS)
TURNS_HAD = INT(BYTES, COMPONENTS, INT)
DETERMINIZE = VOID(BYTES, COMPONENTS, INT, WORD)
PLAYOUT = INT(BYTES, COMPONENTS, DICE)
DRIVER = INT(BYTES, COMPONENTS, INT, DICE, NUMBERS)
TELL = VOID(BYTES, COMPONENTS, INT, STORY)
MEASURE_FEATURES = VOID(BYTES, COMPONENTS, INT, FEATURES)
LIST_CANDIDATES = INT(BYTES, COMPONENTS, INT, Array(INT, 2), NUMBERS, FEATURES, Array(REAL, 2))

Function = Callable[..., Any]


class Rules(NamedTuple):
    """A game's functions. `race` and `edition` are bytes; seats and actions are integers."""

    set_up: Function
    """(race, edition, options, dice): a fresh race whose chance begins with these dice; options[0]: its seats."""
    acting: Function
    """(race, edition) -> the seats that owe a choice now, as bits."""
    legal: Function
    """(race, edition, seat, out) -> how many actions the seat may take now; they are written to `out`."""
    check: Function
    """(race, edition, seat, action) -> 0, or the number of the reason why not."""
    apply: Function
    """(race, edition, seat, action, story) -> STEP, CHOSEN or RESOLVED. The action must be legal."""
    retract: Function
    """(race, edition, seat) -> 1 if the seat's pending choice was taken back, 0 if there was none."""
    over: Function
    """(race, edition) -> 1 when the race has ended."""
    ranking: Function
    """(race, edition, out): writes each seat's place, 1 for the winner, the same number for ties."""
    turn: Function
    """(race, edition) -> number of the current turn or round, 1 for the first."""
    turns_had: Function
    """(race, edition, seat) -> how many of its own turns the seat has completed."""
    determinize: Function
    """(race, edition, seat, seed): draws everything that is hidden from the seat anew, future dice included."""
    playout: Function
    """(race, edition, dice) -> plays at random to the end; how many choices were made."""


RULES_SIGNATURES = (
    SET_UP, ACTING, LEGAL, CHECK, APPLY, RETRACT, OVER, RANKING, TURN, TURNS_HAD, DETERMINIZE, PLAYOUT,
)  # fmt: skip
"""The signatures of the fields of `Rules`."""

unpack_rules = record_of(Rules, RULES_SIGNATURES)
"""In a kernel: the `Rules` whose addresses these are."""
driver_at = function_of(DRIVER)
"""In a kernel: a driver by its number in an array of addresses."""
