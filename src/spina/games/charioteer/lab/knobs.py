"""Components of Charioteer that tuning can change."""

from __future__ import annotations

import re

from spina.errors import OptionError
from spina.games.studies.edition_edits import read_list, section, set_list, set_value
from spina.games.studies.profile import Knob, single


def _lap(text: str, lap: int, why: str) -> str:
    """A lap of this length: both straights change by equal parts, the corners stay."""
    sections = [re.fullmatch(r"(\d+) x (.+)", entry) for entry in read_list(text, "track", "sections")]
    if any(each is None for each in sections) or len(sections) != 5:
        raise OptionError("lap can be varied only for a track of two straights, two corners and a run to the first")
    parts = [(int(each[1]), each[2]) for each in sections if each]
    spaces = sum(count * len(kind.split()) for count, kind in parts)
    more = lap - spaces
    far, home = parts[2][0] + more - more // 2, parts[4][0] + more // 2
    if min(far, home) < 1:
        raise OptionError(f"a lap of {lap} spaces leaves no straight between the corners")
    entries = [f"{count} x {kind}" for count, kind in (*parts[:2], (far, parts[2][1]), parts[3], (home, parts[4][1]))]
    return set_value(set_list(text, "track", "sections", entries, why), "track.spaces", lap, why)


def _plus_one(text: str, spaces: int, why: str) -> str:
    """A middle of the skills track with this many spaces, all worth +1."""
    begin, end = section(text, "skills.middle")
    said = f'source = "reconstructed"\nwhy = "{why}"\nvalues = [{", ".join(["1"] * spaces)}]\n\n'
    return text[:begin] + said + text[end:]


KNOBS = {
    "lap": Knob("spaces in a lap; the straights change", _lap),
    "plus-one": Knob("spaces of the skills track worth +1", _plus_one),
    "start": Knob("spaces from the start to the line", single("track.start")),
    "hand": Knob("cards in a hand", single("race.hand")),
    "fan-symbols": Knob("symbols that earn a fan token", single("race.fan_symbols")),
}
