"""Components of Chariotmaster that tuning can change."""

from __future__ import annotations

import re

from spina.games.studies.edition_edits import read_list, section, set_list
from spina.games.studies.profile import Edit, Knob, single


def _segments(pattern: str, form: str) -> Edit:
    """Rewrites the segments of the Circus that match a pattern."""

    def edit(text: str, value: int, why: str) -> str:
        entries = [
            re.sub(pattern, form.format(value), entry) for entry in read_list(text, "scenario.circus", "segments")
        ]
        return set_list(text, "scenario.circus", "segments", entries, why)

    return edit


def _width(text: str, width: int, why: str) -> str:
    """Sets the width of the Circus."""
    begin, end = section(text, "scenario.circus")
    body = re.sub(r"^width = \d+", f"width = {width}", text[begin:end], flags=re.MULTILINE)
    return text[:begin] + body + text[end:]


KNOBS = {
    "straight": Knob("cm of a straight of the Circus", _segments(r"straight \d+", "straight {}")),
    "radius": Knob("cm of the Circus's half circles", _segments(r"left \d+ 180", "left {} 180")),
    "width": Knob("cm of the Circus's width", _width),
    "wall": Knob("collision value of a wall", single("collisions.wall")),
    "ram": Knob("dice that a ram adds", single("collisions.ram")),
}
