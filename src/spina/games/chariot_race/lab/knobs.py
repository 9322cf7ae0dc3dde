"""Components of Chariot Race that tuning can change."""

from __future__ import annotations

import re

from spina.errors import OptionError
from spina.games.studies.edition_edits import read_list, set_list, set_value
from spina.games.studies.profile import Edit, Knob, single

_LANES = ("outside", "middle", "inside")
_HEAPS = 4


def _corner(lane: str) -> Edit:
    """Another safe speed for the corners of a lane."""

    def edit(text: str, number: int, why: str) -> str:
        entries = [
            re.sub(r"speed \d+", f"speed {number}", entry) if f" {lane} " in entry else entry
            for entry in read_list(text, "corners", "list")
        ]
        return set_list(text, "corners", "list", entries, why)

    return edit


def _line(text: str, line: int, why: str) -> str:
    """Another space for the line; the grid moves with it."""
    entries = [f"straight-1 {lane} {row}" for row in (line, line - 1) for lane in _LANES]
    return set_list(set_value(text, "course.line", line, why), "grid", "list", entries, why)


def _heap(index: int) -> Edit:
    """Another place for a heap within its section."""

    def edit(text: str, place: int, why: str) -> str:
        entries = read_list(text, "heaps", "list")
        if not 0 <= index < len(entries):
            raise OptionError(f"the edition has {len(entries)} heaps, not {index + 1}")
        entries[index] = re.sub(r"\d+$", str(place), entries[index])
        return set_list(text, "heaps", "list", entries, why)

    return edit


KNOBS = {
    "corner-inside": Knob("safe speed of the inside lane", _corner("inside")),
    "corner-middle": Knob("safe speed of the middle lane", _corner("middle")),
    "corner-outside": Knob("safe speed of the outside lane", _corner("outside")),
    "condition": Knob("condition at the start", single("plain.first_condition")),
    "fate": Knob("fate at the start", single("plain.first_fate")),
    "speed": Knob("speed at the start", single("plain.first_speed")),
    "line": Knob("space of the straight before the line; the grid goes with it", _line),
    **{f"heap-{index + 1}": Knob(f"place of heap {index + 1} in its section", _heap(index)) for index in range(_HEAPS)},
}
