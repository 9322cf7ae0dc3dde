"""Charioteer in a terminal: the circus from above, the spina with what everybody sees, and the standings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spina.games.charioteer.edition import CharioteerEdition
from spina.games.pictures import faction

CELL = 3
"""Characters to a space."""
_ROMAN = ("-", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_ANSI = {"red": "91", "white": "97", "blue": "94", "green": "92", "purple": "95", "gold": "93"}
_DIM = "2"

Grid = dict[tuple[int, int], str]


def draw(view: dict[str, Any], edition: CharioteerEdition, names: Sequence[str], colour: bool) -> str:
    """The race as a spectator sees it. Movement is counterclockwise, lanes are written from the inside."""
    where, width, height = _ring(edition)
    cells: Grid = {}
    for space, spot in enumerate(where):
        standing = sorted((c["lane"], c["seat"]) for c in view["chariots"] if c["space"] == space)
        cells[spot] = _cell(edition, space, [seat for _, seat in standing], colour)
    lines = []
    middle = _middle(view, edition, (width - 2) * CELL, height - 2, colour)
    for row in range(height):
        line = ""
        column = 0
        while column < width:
            if 0 < row < height - 1 and column == 1:
                line += middle[row - 1]
                column = width - 1
            else:
                line += cells.get((row, column), " " * CELL)
                column += 1
        lines.append(line.rstrip())
    return "\n".join([*lines, "", *_standings(view, edition, names, colour)])


def _ring(edition: CharioteerEdition) -> tuple[list[tuple[int, int]], int, int]:
    """Where each space lies (row, column) on the edge of a rectangle, with corners on its short sides if it has two."""
    corners = _corners(edition.outer)
    spaces = edition.spaces
    if len(corners) == 2:
        (right, right_end), (left, left_end) = corners
    else:
        quarter = spaces // 4
        right, left = quarter // 2, quarter // 2 + 2 * quarter
        right_end, left_end = right + quarter, left + quarter
    sides = [right_end - right, left - right_end, left_end - left, spaces - (left_end - right)]
    width = max(sides[1], sides[3]) + 2
    height = max(sides[0], sides[2])
    ring: dict[int, tuple[int, int]] = {}
    for i in range(sides[0]):  # up the right side
        ring[(right + i) % spaces] = (height - 1 - _spread(i, sides[0], height), width - 1)
    for i in range(sides[1]):  # back along the top
        ring[(right_end + i) % spaces] = (0, width - 2 - _spread(i, sides[1], width - 2))
    for i in range(sides[2]):  # down the left side
        ring[(left + i) % spaces] = (_spread(i, sides[2], height), 0)
    for i in range(sides[3]):  # and home along the bottom
        ring[(left_end + i) % spaces] = (height - 1, 1 + _spread(i, sides[3], width - 2))
    return [ring[space] for space in range(spaces)], width, height


def _corners(outer: Sequence[bool]) -> list[tuple[int, int]]:
    """Runs of spaces from the regular one before the first outer space to behind the last, gaps of one allowed."""
    runs: list[tuple[int, int]] = []
    for space, is_outer in enumerate(outer):
        if is_outer:
            if runs and space - runs[-1][1] <= 1:
                runs[-1] = (runs[-1][0], space + 1)
            else:
                runs.append((max(0, space - 1), space + 1))
    return runs


def _spread(i: int, count: int, room: int) -> int:
    """The i-th of `count` cells, spread over `room` places."""
    return i if count >= room else i * (room - 1) // max(1, count - 1)


def _cell(edition: CharioteerEdition, space: int, seats: Sequence[int], colour: bool) -> str:
    if not seats:
        if space == edition.start % edition.spaces:
            return _paint(" s ", _DIM, colour)
        if space == 0:
            return _paint("|= ", _DIM, colour)
        return _paint(" ▒ " if edition.outer[space] else " · ", _DIM, colour)
    letters = "".join(_paint(faction(s).letter, _ANSI[faction(s).name], colour) for s in seats[:CELL])
    if len(seats) > CELL:
        first = faction(seats[0])
        letters = _paint(first.letter, _ANSI[first.name], colour) + f"+{len(seats) - 1}"
        return letters
    return {1: f" {letters} ", 2: f"{letters} ", 3: letters}[len(seats)]


def _middle(view: dict[str, Any], edition: CharioteerEdition, width: int, height: int, colour: bool) -> list[str]:
    """What lies on the spina."""
    lap = max(c["lap"] for c in view["chariots"])
    text = [
        "C H A R I O T E E R",
        "",
        f"Turn {view['turn']}   Lap {_ROMAN[min(lap, 9)]} of {_ROMAN[min(edition.laps, 9)]}",
        f"The emperor: {view['emperor']}",
        "",
        f"Crowd card:  {view['crowd'][0]}",
        f"next:  {view['crowd'][1]}",
        f"then:  {view['crowd'][2]}",
    ]
    frame = width - 4
    inside = [" " * frame] * (height - 2)
    for i, line in enumerate(text[: len(inside)]):
        inside[(len(inside) - len(text)) // 2 + i if len(inside) >= len(text) else i] = line[:frame].center(frame)
    bar = "═" * frame
    lines = [f"╔{bar}╗", *(f"║{line}║" for line in inside), f"╚{bar}╝"]
    return [f" {_paint(line, '33', colour)} " for line in lines][:height]


def _standings(view: dict[str, Any], edition: CharioteerEdition, names: Sequence[str], colour: bool) -> list[str]:
    longest = max(len(name) for name in names)
    lines = []
    for c in sorted(view["chariots"], key=lambda chariot: chariot["place"]):
        mark = faction(c["seat"])
        skills = " ".join(f"{name}+{skill['bonus']}" for name, skill in c["skills"].items())
        lines.append(
            f"{c['place']}. {_paint(mark.letter, _ANSI[mark.name], colour)} {names[c['seat']]:{longest}}"
            f"  lap {c['lap']}  space {c['space']:>2}  damage {c['damage']:>2}+{c['attack']}"
            f"  tokens {sum(c['player_tokens'].values()) + c['fan_tokens']:>2}  {skills}"
        )
    return lines


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
