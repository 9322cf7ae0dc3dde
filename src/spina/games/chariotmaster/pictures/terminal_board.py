"""Chariotmaster in a terminal: the track from above, chariots as letters with an arrow ahead, and the standings.

The walls are drawn in dots of braille, to scale: a row is about twice as high as a column is wide. Chariots beyond the
sixth have small letters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from spina.games.chariotmaster.pictures.layout import Track
from spina.games.chariotmaster.pictures.pieces import colours
from spina.games.chariotmaster.play.panels import name_of
from spina.games.chariotmaster.rules.record import (
    ASK_NAMES,
    ASK_NOTHING,
    BLOCK,
    CHARIOT,
    DRAGGING,
    DRIVER,
    KIND_NAMES,
    MM,
    OBSTACLE,
    POINT_NAMES,
    TEAM,
    TOKEN_NAMES,
    WRECK,
)
from spina.games.circus import Point
from spina.games.mapping_struct import Fields
from spina.games.pictures import roman
from spina.games.terminal import BOLD, DIM, GOLD, NAME, RED, Canvas, badge_style, columns, fitted, name_columns, paint

WIDTH = 96
"""Most columns of a picture."""
HEIGHT = 30
"""Most rows of the track."""
ASPECT = 2.1
"""Height of a terminal's character cell divided by its width."""
STEP = 0.3
"""Distance of the points of which lines are made, in columns."""

ARROWS = "→↗↑↖←↙↓↘"
WRECKED, WALKER, HIGH, LOW, LINE = "×", "o", "█", "▒", "┃"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a letter of braille, by row and column of its dots."""

Cell = tuple[int, int]


def draw(track: Track, view: Fields, names: Sequence[str], colour: bool) -> str:
    """The race as spectators see it."""
    plan = _Plan(track)
    canvas = Canvas(plan.rows, WIDTH)
    taken = _draw_track(canvas, plan, view)
    head = _head(view, names)
    inside = _draw_head(canvas, plan, head, taken)
    title = [] if inside else [paint("  ·  ".join(head[:-1]), BOLD, colour), head[-1], ""]
    return "\n".join(
        [*title, *canvas.lines(colour), "", _legend(track, view, colour), "", *_standings(track, view, names, colour)]
    )


# --- the track ------------------------------------------------------------------------------------------------------


class _Plan:
    """Where points of the picture of a track lie in a terminal."""

    def __init__(self, track: Track) -> None:
        self.track = track
        width, height = track.size
        self._edge = track.margin - 12
        width, height = width - 2 * self._edge, height - 2 * self._edge
        self.unit = max(width / (WIDTH - 1), height / (HEIGHT - 1) / ASPECT)  # millimetres to a column
        self.rows = math.ceil(height / self.unit / ASPECT)
        self._left = (WIDTH - width / self.unit) / 2

    def exact(self, x: float, y: float) -> Point:
        """Row and column of a point of the picture."""
        return (y - self._edge) / self.unit / ASPECT, (x - self._edge) / self.unit + self._left

    def cell(self, x: float, y: float) -> Cell:
        """The letter that a point of the picture lies in, kept inside the drawing."""
        row, column = self.exact(x, y)
        return min(max(int(row), 0), self.rows - 1), min(max(int(column), 0), WIDTH - 1)

    def way(self, offset: float) -> list[Point]:
        """Points of the picture along the whole track, at this offset to the left of its middle."""
        count = max(math.ceil(self.track.length / MM / self.unit / STEP), 1)
        return [self.track.place(self.track.length * k / count, offset)[:2] for k in range(count + 1)]


def _draw_track(canvas: Canvas, plan: _Plan, view: Fields) -> set[Cell]:
    """Draw walls, middle, lines, obstacles and pieces, the most important last. Returns the cells that are taken."""
    track = plan.track
    taken: set[Cell] = set()
    for x, y in plan.way(0)[:: max(round(4 / STEP), 1)]:
        canvas.put(*_mark(taken, plan.cell(x, y)), "·", DIM)
    walls: dict[Cell, int] = {}
    for side in (-track.half_width, track.half_width):
        for x, y in plan.way(side):
            row, column = plan.exact(x, y)
            cell = plan.cell(x, y)
            dots = _DOTS[min(int((row - cell[0]) * 4), 3)][min(int((column - cell[1]) * 2), 1)] if row >= 0 else 0
            walls[cell] = walls.get(cell, 0) | dots
    for cell, bits in walls.items():
        canvas.put(*_mark(taken, cell), chr(0x2800 + bits))
    _draw_line(canvas, plan, track.line, BOLD if not track.closed else GOLD)
    if not track.closed:
        _draw_line(canvas, plan, track.finish, GOLD)
    _draw_pieces(canvas, plan, view, taken)
    return taken


def _mark(taken: set[Cell], cell: Cell) -> Cell:
    taken.add(cell)
    return cell


def _draw_line(canvas: Canvas, plan: _Plan, s: float, code: str) -> None:
    """A line across the track, drawn in the letters that lie most along it."""
    track = plan.track
    reach = track.half_width * 0.94
    count = max(math.ceil(2 * reach / MM / plan.unit / STEP), 1)
    turn = track.place(s)[2] % 180
    sign = "┃" if turn < 30 or turn > 150 else "━" if 60 < turn < 120 else "╱" if turn < 60 else "╲"
    for k in range(count + 1):
        canvas.put(*plan.cell(*track.place(s, reach * (2 * k / count - 1))[:2]), sign, code)


def _draw_pieces(canvas: Canvas, plan: _Plan, view: Fields, taken: set[Cell]) -> None:
    track = plan.track
    pieces = [(KIND_NAMES.index(p["kind"]), p) for p in view["pieces"]]
    for kind, p in pieces:
        if kind == BLOCK and p["piece"] - OBSTACLE < len(track.obstacles):
            sign = LOW if track.obstacles[p["piece"] - OBSTACLE].low else HIGH
            for cell in _covered(plan, p):
                canvas.put(*_mark(taken, cell), sign, DIM)
    # letters are never hidden by another piece's arrow: first all arrows, then letters, those still racing last
    for kind, p in pieces:
        if kind in (CHARIOT, TEAM, DRAGGING):
            ahead = p["length"] / (4 if kind == CHARIOT else 2) + (p["length"] / 8 if kind == CHARIOT else 0)
            canvas.put(*_mark(taken, plan.cell(*_beyond(track, p, ahead))), _arrow(p["heading"]))
    order = {WRECK: 0, DRIVER: 1}
    for kind, p in sorted(pieces, key=lambda entry: (order.get(entry[0], 2), -entry[1]["piece"])):
        if kind in (CHARIOT, TEAM, DRAGGING):
            cell = plan.cell(*_beyond(track, p, -p["length"] / 4 if kind == CHARIOT else 0))
            canvas.put(*_mark(taken, cell), *style(p["chariot"]))
        elif kind in (WRECK, DRIVER):
            row, column = plan.cell(*_beyond(track, p, 0))
            column = min(column, WIDTH - 2)
            letter, code = style(p["chariot"])
            canvas.put(*_mark(taken, (row, column)), WRECKED if kind == WRECK else WALKER, code)
            canvas.put(*_mark(taken, (row, column + 1)), letter, code)


def _beyond(track: Track, p: Fields, ahead: float) -> Point:
    """The point of the picture at this distance ahead of the middle of a piece."""
    angle = math.radians(p["heading"] / 10)
    return track.spot(p["x"] + ahead * math.cos(angle), p["y"] + ahead * math.sin(angle))[:2]


def _arrow(heading: int) -> str:
    return ARROWS[round(heading / 450) % 8]


def _covered(plan: _Plan, p: Fields) -> set[Cell]:
    """The cells under a base."""
    x, y, turn = plan.track.spot(p["x"], p["y"], p["heading"])
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    steps = [k / 8 - 0.5 for k in range(1, 8)]
    found = set()
    for a in (p["length"] / MM * step for step in steps):
        for b in (p["width"] / MM * step for step in steps):
            found.add(plan.cell(x + a * cosine - b * sine, y + a * sine + b * cosine))
    return found


def style(chariot: int) -> tuple[str, str]:
    """The letter of a chariot and the style it is painted in; those beyond the sixth are small and underlined."""
    letter, code = badge_style(chariot)
    return (colours(chariot).letter, code if letter == colours(chariot).letter else f"4;{code}")


def _legend(track: Track, view: Fields, colour: bool) -> str:
    """The signs on the track."""
    line = "start and finish" if track.closed else "start, then finish"
    signs = [(LINE, GOLD, line)]
    lows = {block.low for block in track.obstacles}
    signs += [(HIGH, DIM, "obstacle")] if False in lows else []
    signs += [(LOW, DIM, "low obstacle")] if True in lows else []
    kinds = {p["kind"] for p in view["pieces"]}
    signs += [(WRECKED, "", "wreck")] if KIND_NAMES[WRECK] in kinds else []
    signs += [(WALKER, "", "driver on foot")] if KIND_NAMES[DRIVER] in kinds else []
    return "   ".join(f"{paint(sign, code, colour)} {words}" for sign, code, words in signs)


# --- what is going on -----------------------------------------------------------------------------------------------


def _head(view: Fields, names: Sequence[str]) -> list[str]:
    """The turn, the lap if there are several, and who is asked what."""
    laps = view["laps"]
    lap = min(max((c["lap"] for c in view["chariots"] if not c["out"]), default=0), laps)
    lines = [f"TURN {view['turn']} OF AT MOST {view['limit']}"]
    lines += [f"LAP {roman(lap)} OF {roman(laps)}"] if laps > 1 and lap > 0 else []
    if _is_over(view):
        winners = [_called(c, names) for c in view["chariots"] if c["place"] == 1]
        return [*lines, f"The race is over: {' and '.join(winners)} won" if winners else "The race is over"]
    whom = view.get("asked", view["active"])
    asked = [c for c in view["chariots"] if c["chariot"] == whom]
    if not asked:
        return [*lines, view["question"]]
    token = f", token {asked[0]['token']}" if asked[0]["token"] else ""
    return [*lines, f"{_called(asked[0], names)}{token}: {view['question']}"]


def _is_over(view: Fields) -> bool:
    return bool(view["question"] == ASK_NAMES[ASK_NOTHING])


def _called(c: Fields, names: Sequence[str]) -> str:
    return f"{fitted(name_of(c, names), NAME).rstrip()} ({colours(c['chariot']).letter})"


def _draw_head(canvas: Canvas, plan: _Plan, head: Sequence[str], taken: set[Cell]) -> bool:
    """Write the head into the infield, if there is room: framed or not, turn and lap in one line or in two."""
    box = plan.track.infield
    if box is None:
        return False
    (top, left), (bottom, right) = plan.cell(box[0], box[1]), plan.cell(box[2], box[3])
    for lines in (["  ·  ".join(head[:-1]), head[-1]], head):
        width = max(columns(line) for line in lines) + 4
        column = (left + right - width) // 2
        for frame in (1, 0):
            height = len(lines) + 2 * frame
            row = (top + bottom + 1 - height) // 2
            cells = {(r, c) for r in range(row, row + height) for c in range(column - frame, column + width + frame)}
            if column - frame <= left or row < top or row + height > bottom + 1 or cells & taken:
                continue
            if frame:
                canvas.frame(row, column - 1, height - 2, width)
            for k, line in enumerate(lines):
                middle = column + (width - columns(line)) // 2
                canvas.put(row + frame + k, middle, line, BOLD if k < len(lines) - 1 else "")
            return True
    return False


# --- the standings --------------------------------------------------------------------------------------------------

_PLACES = {
    "on the haft for the reins": "haft: reins",
    "on the haft to cut": "haft: cut",
    "off the track": "off track",
}
_STATES = {
    "stunned": "stunned",
    "out_of_control": "runaway",
    "dead_horses": "dead horse",
    "exhausted": "exhausted",
    "wheel": "wheel",
}


def _standings(track: Track, view: Fields, names: Sequence[str], colour: bool) -> list[str]:
    """A table of the chariots, the first one first; `to go` are centimetres along the middle of the track."""
    chariots = sorted(view["chariots"], key=lambda c: (c["place"], c["chariot"]))
    longest = name_columns([name_of(c, names) for c in chariots])
    lines = [f"     {'chariot':{longest}}  sta str hea ski  token  driver       lap  to go  state"]
    room = WIDTH - columns(lines[0]) + len("state")
    for c in chariots:
        turn = "›" if c["chariot"] == view["active"] and not _is_over(view) else " "
        figures = " ".join(_points(c[kind], colour) for kind in POINT_NAMES)
        place, letter = c["place"] or "", paint(*style(c["chariot"]), colour)
        driver = fitted(_PLACES.get(c["driver"], c["driver"]), 11)
        lap = f"{min(c['lap'], view['laps'])}/{view['laps']}"
        line = (
            f"{place:>2}{turn}{letter} {fitted(name_of(c, names), longest)}  {figures}  {c['token'] or '–':>5}"
            f"  {driver}  {lap:>3}  {_to_go(track, c, view['laps']):>5}  {_state(c, room)}"
        )
        lines.append(line.rstrip())
    return lines


def _points(value: int, colour: bool) -> str:
    return paint(f"{value:>3}", RED, colour and value <= 0)


def _to_go(track: Track, c: Fields, laps: int) -> str:
    if c["home"]:
        return "home"
    if c["out"]:
        return "out"
    whole = track.lap * (laps if track.closed else 1)
    return f"{max(whole / MM - c['progress'], 0) / MM:.0f}"


def _state(c: Fields, room: int) -> str:
    """Short words for a chariot's states, the worst first."""
    found = [short for name, short in _STATES.items() if c.get(name) and not c["out"]]
    found += ["no reins"] if not c["reins"] and c["driver"] == "aboard" and not c["out"] else []
    found += [f"no {name}" for name in TOKEN_NAMES if name not in c["tokens"]]
    found += [c["beast"]] if c["beast"] != "horses" else []
    found += ["fright"] if c["frightening"] else []
    found += [f"luck {c['luck']}"] if c["luck"] else []
    return fitted(", ".join(found), max(room, 1)).rstrip()
