"""Chariot Race in a terminal: the circus from above, the spina with the dice on it, and the standings.

Each lane is an oval, driven counterclockwise. A space is a dot or the letter of its chariot, followed by its safe speed
and a star for a caltrop. A triangle is a stone heap.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.pictures.board import lap_of
from spina.games.chariot_race.pictures.layout import Layout, layout
from spina.games.circus import BEND, LENGTH, STRAIGHT
from spina.games.factions import faction
from spina.games.mapping_struct import Fields
from spina.games.pictures import roman
from spina.games.terminal import (
    BOLD,
    DIM,
    GOLD,
    NAME,
    RED,
    Canvas,
    badge,
    badge_style,
    columns,
    fitted,
    name_columns,
    paint,
)

WIDTH = 80
"""Columns of a picture."""
REACH = 17
"""Columns of a bend."""
INNER = 4
"""Rows from the middle of the circus to the inside lane."""
CELL = 3
"""Most columns of a space: its dot or chariot, its number, its caltrop."""

CALTROP, HEAP, SPACE = "*", "▲", "·"


def draw(view: Fields, edition: ChariotRaceEdition, names: Sequence[str], colour: bool) -> str:
    """The race as text; it is the same for all seats."""
    board = layout(edition)
    canvas = Canvas(2 * (INNER + board.lanes) - 1, WIDTH)
    _draw_track(canvas, board, view)
    _draw_spina(canvas, board, view, edition, names)
    return "\n".join(
        [*canvas.lines(colour), "", _legend(board, view, colour), "", *_standings(view, edition, names, colour)]
    )


# --- the track ------------------------------------------------------------------------------------------------------


def _spot(along: float, lane: int, lanes: int) -> tuple[int, int]:
    """Row and column of a place of the track, in this lane."""
    upper, along = divmod(along % LENGTH, LENGTH / 2)
    straight = WIDTH - CELL - 2 * REACH  # the last space on the right has room for all it holds
    up = INNER + lane
    out = REACH * (lane + 1.25) / (lanes + 0.25)
    x, y = along / STRAIGHT * straight - straight / 2, float(up)
    if along > STRAIGHT:
        angle = (along - STRAIGHT) / BEND * math.pi
        x, y = straight / 2 + out * math.sin(angle), up * math.cos(angle)
    if upper:
        x, y = -x, -y
    return INNER + lanes - 1 + _nearest(y), _nearest((WIDTH - CELL) / 2 + x)


def _nearest(value: float) -> int:
    """The nearest whole number, the same for a value and its negative."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def _draw_track(canvas: Canvas, board: Layout, view: Fields) -> None:
    caltrops, heaps = set(view["caltrops"]), set(view["heaps"])
    standing = {c["space"]: c["faction"] for c in view["chariots"] if c["space"] is not None and not c["wrecked"]}
    _draw_line(canvas, board)
    # the most important are drawn last, over others, if a long course leaves no room for all
    order = sorted(board.spaces, key=lambda s: (s.index in standing, s.index in heaps or s.index in caltrops, s.safe))
    for space in order:
        row, column = _spot(space.middle, space.lane, board.lanes)
        if space.index in heaps:
            canvas.put(row, column, HEAP, BOLD)
        elif space.index in standing:
            canvas.put(row, column, *badge_style(standing[space.index]))
        else:
            canvas.put(row, column, SPACE, DIM)
        if space.safe:
            canvas.put(row, column + 1, str(space.safe)[-1], GOLD)
        if space.index in caltrops:
            canvas.put(row, column + (2 if space.safe else 1), CALTROP, RED)


def _draw_line(canvas: Canvas, board: Layout) -> None:
    for lane in range(board.lanes):
        row, column = _spot(board.line, lane, board.lanes)
        canvas.put(row, column, "┃", GOLD)


def _legend(board: Layout, view: Fields, colour: bool) -> str:
    """The signs on the track, and the direction."""
    signs = [(CALTROP, RED, "caltrop")] if view["caltrops"] else []
    signs += [(HEAP, BOLD, "stone heap")] if view["heaps"] else []
    safe = next((space.safe for space in board.spaces if space.safe), 0)
    signs += [(str(safe), GOLD, "safe speed")] if safe else []
    signs += [("┃", GOLD, "line, driven to the right")]
    return "   ".join(f"{paint(sign, code, colour)} {words}" for sign, code, words in signs)


# --- the spina ------------------------------------------------------------------------------------------------------


def _draw_spina(canvas: Canvas, board: Layout, view: Fields, edition: ChariotRaceEdition, names: Sequence[str]) -> None:
    """What lies in the middle: round, lap, whose turn it is, the dice."""
    width = WIDTH - CELL - 2 * REACH - 2
    top, left = board.lanes + 1, REACH + 1
    height = 2 * INNER - 5
    canvas.frame(top - 1, left, height + 1, width - 2)
    for i, line in enumerate(_inscription(view, edition, names)[: height + 1]):
        line = fitted(line, width - 4).rstrip()
        canvas.put(top + i, left + (width - columns(line)) // 2, line, BOLD if i == 0 else "")


def _inscription(view: Fields, edition: ChariotRaceEdition, names: Sequence[str]) -> list[str]:
    """Up to four lines for the spina."""
    laps = [lap_of(c["distance"], edition.length) for c in view["chariots"] if not c["wrecked"]]
    if view.get("over") or view["stage"] == "race over":
        winners = [_called(c, names) for c in view["chariots"] if c["place"] == 1 and not c["wrecked"]]
        return [
            "C H A R I O T   R A C E",
            f"The race is over after {view['round']} rounds",
            f"{' and '.join(winners)} won" if winners else "Nobody won",
        ]
    lap = min(max(laps, default=0), edition.laps)
    where = f"LAP {roman(lap)} OF {roman(edition.laps)}" if lap else "BEFORE THE LINE"
    head = f"ROUND {view['round']}  ·  {where}" if view["round"] else where
    asked = next(c for c in view["chariots"] if c["chariot"] == view["chariot"])
    lines = [head, f"{_called(asked, names)}: {view['stage']}"]
    if view["dice"]:
        thrown: Counter[str] = Counter(view["dice"])
        lines.append(", ".join(side if times == 1 else f"{times} {side}" for side, times in thrown.items()))
    return lines


def _called(c: Fields, names: Sequence[str]) -> str:
    return f"{fitted(names[c['seat']], NAME).rstrip()} ({faction(c['faction']).letter})"


# --- the standings --------------------------------------------------------------------------------------------------

BAR = 12
"""Columns of the bar of a chariot's condition."""


def _standings(view: Fields, edition: ChariotRaceEdition, names: Sequence[str], colour: bool) -> list[str]:
    """A table of the chariots, the leader first. "to go": spaces to the finish in the current lane."""
    longest = name_columns(names)
    lines = [f"     {'chariot':{longest}}  space  lap  to go  {'condition':{BAR + 3}}  speed  fate"]
    for c in sorted(view["chariots"], key=lambda chariot: (chariot["place"], chariot["chariot"])):
        lap = min(lap_of(c["distance"], edition.length), edition.laps)
        turn = "›" if c["chariot"] == view["chariot"] and not view.get("over") else " "
        lines.append(
            f"{c['place']:>2}{turn}{badge(c['faction'], colour)} {fitted(names[c['seat']], longest)}"
            f"  {c['name_of_space'] or '–':>5}  {lap}/{edition.laps}  {_to_go(c, edition):>5}"
            f"  {_bar(c, edition, colour)}  {c['speed']:>5}  {c['fate']:>4}"
        )
    return lines


def _to_go(c: Fields, edition: ChariotRaceEdition) -> str:
    if c["wrecked"]:
        return "wreck"
    if c["finished"]:
        return "home"
    if c["space"] is None:
        return "–"
    count = edition.lane.count(c["lane"])
    before = c["space"] - edition.lane.index(c["lane"])
    return str((edition.laps + 1 - lap_of(c["distance"], edition.length)) * count - before)


def _bar(c: Fields, edition: ChariotRaceEdition, colour: bool) -> str:
    """The condition as a number and a bar, one column for each point if there is room."""
    kind = edition.characters.index(c["kind"]) if c["kind"] in edition.characters else 0
    most = max(edition.most_condition[kind], c["condition"], 1)
    room = min(most, BAR)
    full = math.ceil(c["condition"] * room / most)
    code = "32" if 2 * c["condition"] > most else "33" if 4 * c["condition"] > most else RED
    return (
        f"{c['condition']:>2} {paint('█' * full, code, colour and full > 0)}{'░' * (room - full)}{' ' * (BAR - room)}"
    )
