"""Components that tuning can change, by name: each rewrites the text of an edition file.

Besides the names below, any single number of a file goes by its path, such as `race.hand`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from spina.errors import OptionError

Turn = Callable[[str, int, str], str]
"""(text, value, why) -> text."""
MOST_VALUES = 60
_LANES = ("outside", "middle", "inside")


@dataclass(frozen=True, slots=True)
class Range:
    """A component with the values that may be tried."""

    name: str
    values: tuple[int, ...]


# --- rewriting --------------------------------------------------------------------------------------------------------


def _section(text: str, table: str) -> tuple[int, int]:
    """Where the lines of a table begin and end in the text."""
    found = re.search(rf"^\[{re.escape(table)}\][^\n]*\n", text, re.MULTILINE)
    if not found:
        raise OptionError(f"the edition has no table [{table}]")
    end = re.search(r"^\[", text[found.end() :], re.MULTILINE)
    return found.end(), found.end() + end.start() if end else len(text)


def set_value(text: str, path: str, value: int, why: str) -> str:
    """The text with another single number."""
    table, _, key = path.rpartition(".")
    begin, end = _section(text, table)
    line = f'{key} = {{ value = {value}, source = "reconstructed", why = "{why}" }}'
    body, count = re.subn(
        rf"^{re.escape(key)} = \{{ value = -?\d+,.*\}}[^\n]*$", lambda _: line, text[begin:end], flags=re.MULTILINE
    )
    if count != 1:
        raise OptionError(f"the edition has no single number at {path}")
    return text[:begin] + body + text[end:]


def set_list(text: str, table: str, key: str, entries: Sequence[str], why: str) -> str:
    """The text with another list of texts, which shares its table with source and why."""
    begin, end = _section(text, table)
    lines = "\n".join(f'  "{entry}",' for entry in entries)
    body, count = re.subn(
        rf"^{key} = \[.*?^\]", lambda _: f"{key} = [\n{lines}\n]", text[begin:end], flags=re.MULTILINE | re.DOTALL
    )
    if count != 1:
        raise OptionError(f"the edition has no list {key} in [{table}]")
    body = re.sub(r'^source = "[^"]*"', 'source = "reconstructed"', body, flags=re.MULTILINE)
    body = re.sub(r'^why = ".*"$', "", body, flags=re.MULTILINE)
    body = re.sub(r'^source = "reconstructed"$', f'source = "reconstructed"\nwhy = "{why}"', body, flags=re.MULTILINE)
    return text[:begin] + body + text[end:]


def read_list(text: str, table: str, key: str) -> list[str]:
    """The entries of a list of texts."""
    begin, end = _section(text, table)
    found = re.search(rf"^{key} = \[(.*?)^\]", text[begin:end], re.MULTILINE | re.DOTALL)
    if not found:
        raise OptionError(f"the edition has no list {key} in [{table}]")
    return re.findall(r'^\s*"([^"]*)"', found[1], re.MULTILINE)


def rename(text: str, name: str) -> str:
    """The text with another name for the edition."""
    return re.sub(r'^name = "[^"]*".*$', f'name = "{name}"', text, count=1, flags=re.MULTILINE)


# --- Charioteer -------------------------------------------------------------------------------------------------------


def _lap(text: str, lap: int, why: str) -> str:
    """Straights longer or shorter in equal parts; the corners stay."""
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
    """The middle of the skills track, all of it worth +1."""
    begin, end = _section(text, "skills.middle")
    said = f'source = "reconstructed"\nwhy = "{why}"\nvalues = [{", ".join(["1"] * spaces)}]\n\n'
    return text[:begin] + said + text[end:]


# --- Chariot Race -----------------------------------------------------------------------------------------------------


def _corner(lane: str) -> Turn:
    def turn(text: str, number: int, why: str) -> str:
        entries = [
            re.sub(r"speed \d+", f"speed {number}", entry) if f" {lane} " in entry else entry
            for entry in read_list(text, "corners", "list")
        ]
        return set_list(text, "corners", "list", entries, why)

    return turn


def _line(text: str, line: int, why: str) -> str:
    """The line with the grid before it."""
    entries = [f"straight-1 {lane} {row}" for row in (line, line - 1) for lane in _LANES]
    return set_list(set_value(text, "course.line", line, why), "grid", "list", entries, why)


def _heap(index: int) -> Turn:
    def turn(text: str, place: int, why: str) -> str:
        entries = read_list(text, "heaps", "list")
        if not 0 <= index < len(entries):
            raise OptionError(f"the edition has {len(entries)} heaps, not {index + 1}")
        entries[index] = re.sub(r"\d+$", str(place), entries[index])
        return set_list(text, "heaps", "list", entries, why)

    return turn


# --- Chariotmaster ----------------------------------------------------------------------------------------------------


def _segments(pattern: str, form: str) -> Turn:
    def turn(text: str, value: int, why: str) -> str:
        entries = [
            re.sub(pattern, form.format(value), entry) for entry in read_list(text, "scenario.circus", "segments")
        ]
        return set_list(text, "scenario.circus", "segments", entries, why)

    return turn


def _width(text: str, width: int, why: str) -> str:
    begin, end = _section(text, "scenario.circus")
    body = re.sub(r"^width = \d+", f"width = {width}", text[begin:end], flags=re.MULTILINE)
    return text[:begin] + body + text[end:]


def _single(path: str) -> Turn:
    return lambda text, value, why: set_value(text, path, value, why)


KNOBS: dict[str, dict[str, tuple[str, Turn]]] = {
    "charioteer": {
        "lap": ("spaces in a lap; the straights change", _lap),
        "plus-one": ("spaces of the skills track worth +1", _plus_one),
        "start": ("spaces from the start to the line", _single("track.start")),
        "hand": ("cards in a hand", _single("race.hand")),
        "fan-symbols": ("symbols that earn a fan token", _single("race.fan_symbols")),
    },
    "chariot-race": {
        "corner-inside": ("safe speed of the inside lane", _corner("inside")),
        "corner-middle": ("safe speed of the middle lane", _corner("middle")),
        "corner-outside": ("safe speed of the outside lane", _corner("outside")),
        "condition": ("condition at the start", _single("plain.first_condition")),
        "fate": ("fate at the start", _single("plain.first_fate")),
        "speed": ("speed at the start", _single("plain.first_speed")),
        "line": ("space of the straight before the line; the grid goes with it", _line),
        **{f"heap-{index + 1}": (f"place of heap {index + 1} in its section", _heap(index)) for index in range(4)},
    },
    "chariotmaster": {
        "straight": ("cm of a straight of the Circus", _segments(r"straight \d+", "straight {}")),
        "radius": ("cm of the Circus's half circles", _segments(r"left \d+ 180", "left {} 180")),
        "width": ("cm of the Circus's width", _width),
        "wall": ("collision value of a wall", _single("collisions.wall")),
        "ram": ("dice that a ram adds", _single("collisions.ram")),
    },
}


def names(game: str) -> Mapping[str, str]:
    """What can be varied, with what it is."""
    return {name: words for name, (words, _) in KNOBS[game].items()} | {"TABLE.KEY": "any single number of the file"}


def read_range(game: str, text: str) -> Range:
    """A range as it is written: lap=64..84:4, or lap=64,76."""
    name, equals, said = text.partition("=")
    if name not in KNOBS[game] and "." not in name:
        raise OptionError(f'"{name}" cannot be varied in {game}: there are {", ".join(names(game))}')
    span = re.fullmatch(r"(\d+)\.\.(\d+)(?::(\d+))?", said)
    if span:
        values = tuple(range(int(span[1]), int(span[2]) + 1, max(1, int(span[3] or 1))))
    elif re.fullmatch(r"\d+(,\d+)*", said):
        values = tuple(int(each) for each in said.split(","))
    else:
        values = ()
    if not equals or not values or len(values) > MOST_VALUES:
        raise OptionError(f"a range is NAME=LOW..HIGH, NAME=LOW..HIGH:STEP or NAME=N,N, not {text!r}")
    return Range(name, values)


def apply(game: str, text: str, setting: Mapping[str, int], why: str) -> str:
    """The text of the edition with these components."""
    for name, value in setting.items():
        turn = KNOBS[game][name][1] if name in KNOBS[game] else _single(name)
        text = turn(text, value, why)
    return text


def grid(ranges: Sequence[Range]) -> list[dict[str, int]]:
    """Every combination of values."""
    return [
        dict(zip([each.name for each in ranges], values, strict=True))
        for values in itertools.product(*(each.values for each in ranges))
    ]
