"""The circus that the boards of all games lie in: its geometry, the line, and the spina with its monuments.

The track is a stadium: two straights and two half circles around the spina. A place on it is given by how far
along it is (arc length on the middle of the track, counterclockwise from the left end of the lower straight)
and how deep (distance from the inner edge). Units are those of the picture; y points down; headings are
degrees clockwise from the right, as SVG turns things.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from spina.games.factions import FACTIONS, shape
from spina.games.pictures import Palette, inscription, lap_counter, metae, obelisk
from spina.games.svg import Element, Look, at, group, number, path, polygon, rect

WIDTH, HEIGHT = 1600.0, 820.0
"""Size of the picture of the board."""
MIDDLE = (WIDTH / 2, HEIGHT / 2)
RADIUS = 150.0
"""From the middle of a bend to the inner edge of the track."""
DEPTH = 180.0
"""From the inner to the outer edge of the track."""
STRAIGHT = 780.0
"""Length of each straight."""
BEND = math.pi * (RADIUS + DEPTH / 2)
"""Length of each bend, along the middle of the track."""
LENGTH = 2 * (STRAIGHT + BEND)
"""Length of a lap, along the middle of the track."""
LEFT, RIGHT = MIDDLE[0] - STRAIGHT / 2, MIDDLE[0] + STRAIGHT / 2
"""Where the straights end."""
JOINTS = (0.0, STRAIGHT, STRAIGHT + BEND, 2 * STRAIGHT + BEND)
"""Where the lower straight, the right bend, the upper straight and the left bend begin."""

PODIUM = MIDDLE[1] + 74
"""Where the monuments stand."""
COUNTER = MIDDLE[0] - 232
"""Middle of the lap counter."""
TEMPLE = MIDDLE[0] + 232
"""Middle of the temple on the other side of the obelisk."""

Point = tuple[float, float]

# --- the track ------------------------------------------------------------------------------------------------------


def point(along: float, deep: float) -> Point:
    """The point of the picture at this place of the track."""
    along %= LENGTH
    reach = RADIUS + deep
    if along < JOINTS[1]:
        return LEFT + along, MIDDLE[1] + reach
    if along < JOINTS[2]:
        angle = (along - JOINTS[1]) / BEND * math.pi
        return RIGHT + reach * math.sin(angle), MIDDLE[1] + reach * math.cos(angle)
    if along < JOINTS[3]:
        return RIGHT - (along - JOINTS[2]), MIDDLE[1] - reach
    angle = (along - JOINTS[3]) / BEND * math.pi
    return LEFT - reach * math.sin(angle), MIDDLE[1] - reach * math.cos(angle)


def heading(along: float) -> float:
    """The direction of travel at this place, from 0 up to 360 degrees."""
    halves, along = divmod(along % LENGTH, JOINTS[2])
    return -180 * (halves + max((along - STRAIGHT) / BEND, 0.0)) % 360


def edge(begin: float, end: float, deep: float) -> str:
    """Path data along the track at one depth, from `begin`, where the pen is, to `end`, ahead or behind."""
    low, high = min(begin, end), max(begin, end)
    laps = range(math.floor(low / LENGTH), math.floor(high / LENGTH) + 1)
    joints = [lap * LENGTH + joint for lap in laps for joint in JOINTS]
    stops = [*(joint for joint in joints if low + 1e-6 < joint < high - 1e-6), high]
    if end < begin:
        stops = [*stops[-2::-1], low]
    data, here = "", begin
    for stop in stops:
        x, y = point(stop, deep)
        if in_bend((here + stop) / 2):
            radius = number(RADIUS + deep)
            data += f"A{radius} {radius} 0 0 {0 if begin < end else 1} {number(x)} {number(y)}"
        else:
            data += f"L{number(x)} {number(y)}"
        here = stop
    return data


def in_bend(along: float) -> bool:
    """Whether this place lies in one of the two half circles."""
    return along % LENGTH % JOINTS[2] > STRAIGHT


def oval(deep: float) -> str:
    """Path data of the whole oval at this depth; negative depths lie on the spina's side of the track."""
    x, y = point(0, deep)
    return f"M{number(x)} {number(y)}" + edge(0, LENGTH, deep) + "Z"


def rounded(values: Iterable[float]) -> list[float]:
    """Coordinates for a browser, rounded to a hundredth of a unit."""
    return [round(value, 2) for value in values]


# --- what is drawn on the track -------------------------------------------------------------------------------------


def line(along: float, checks: int) -> Element:
    """The line at this place, chequered in this many rows."""
    p = Palette
    size = DEPTH / checks
    check = f"h{number(size)}v{number(size)}h{number(-size)}z"
    dark = "".join(f"M{number(-size * (row % 2))} {number(size * row)}{check}" for row in range(checks))
    return group(
        [
            rect(-size, 0, 2 * size, DEPTH, fill=p.TRAVERTINE),
            path(dark, fill=p.BLOOD),
            rect(-size, 0, 2 * size, DEPTH, fill="none", stroke=p.INK_SOFT),
        ],
        class_="line",
        transform=at(*point(along, 0), heading(along)),
        pointer_events="none",
    )


def nearest(middles: Sequence[float], shares: Sequence[float]) -> list[int]:
    """Which of the places along the track lie nearest to these shares of the two straights, in order."""
    if not middles:
        return []
    half = LENGTH / 2
    wanted = [begin + STRAIGHT * share for begin in (0.0, half) for share in shares]
    every = range(len(middles))
    return sorted({min(every, key=lambda k: abs((middles[k] - along + half) % LENGTH - half)) for along in wanted})


# --- the spina ------------------------------------------------------------------------------------------------------


def spina(title: str, laps: int, done: int, length: Look) -> list[Element]:
    """The barrier in its basin of water, and the monuments on it; `length` is how wide the title runs."""
    p = Palette
    # the podium fills the lower part of the basin, seen from the front
    back, front, foot = PODIUM - 12, PODIUM + 2, PODIUM + 62
    bow = "A136 136 0 0 1"
    podium = f"M{LEFT - 121} {back}H{RIGHT + 121}{bow} {RIGHT} {foot}H{LEFT}{bow} {LEFT - 121} {back}Z"
    floor = f"M{LEFT - 121} {back}H{RIGHT + 121}L{RIGHT + 114} {front}H{LEFT - 114}Z"
    mouldings = f"M{LEFT - 110} {front + 2}H{RIGHT + 110}M{LEFT - 48} {foot - 9}H{RIGHT + 48}"
    return [
        path(oval(0), fill=p.TRAVERTINE, stroke=p.INK_SOFT, stroke_width=1.5),
        path(oval(-9), fill="url(#spina-depth)"),
        path(oval(-9), fill="url(#spina-waves)", stroke=p.WATER_DEEP, stroke_width=3),
        path(podium, fill=p.TRAVERTINE_MID, stroke=p.TRAVERTINE_SHADE, stroke_width=1.2),
        path(floor, fill=p.TRAVERTINE),
        path(mouldings, stroke=p.TRAVERTINE_SHADE, stroke_width=3),
        inscription(title.upper(), MIDDLE[0] + 3, PODIUM + 38, 25, fill=p.BLOOD, class_="title", **length),
        *_signs(),
        *(group([metae()], transform=at(x, front)) for x in (LEFT - 34, RIGHT + 34)),
        group([obelisk()], transform=at(MIDDLE[0], front)),
        group([lap_counter(laps, done)], transform=at(COUNTER, PODIUM)),
    ]


def _signs() -> list[Element]:
    """The signs of the six factions, set into the podium on both sides of the inscription."""
    edge_of: Look = {"stroke": Palette.INK_SOFT, "stroke_width": 1.2}
    found = []
    for seat, of in enumerate(FACTIONS):
        x, y = MIDDLE[0] + 64 * (seat - 6 if seat < 3 else seat + 1), PODIUM + 29
        found += [
            path(shape(of.shape, 10), transform=at(x, y), fill=of.colour, **edge_of),
            inscription(of.letter, x, y + 4.2, 12, fill=of.ink, font_weight="bold"),
        ]
    return found


def lap_numeral(numeral: str) -> Element:
    """The lap in numerals, under the dolphins."""
    return inscription(numeral, COUNTER, PODIUM - 20, 46, fill=Palette.GILT, class_="lap")


def temple(half: float, bays: int, inside: Iterable[Element]) -> list[Element]:
    """A temple standing on (0, 0), `half` to either side: its gable, what is inside it, the columns of its bays."""
    p = Palette
    bay = 2 * (half - 6) / bays
    stone: Look = {"fill": p.TRAVERTINE, "stroke": p.TRAVERTINE_SHADE}
    gable = polygon(((-half - 8, -118), (0, -196), (half + 8, -118)))
    return [
        path(gable, fill=p.WATER, stroke=p.TRAVERTINE, stroke_width=6, stroke_linejoin="round"),
        path(gable, fill="none", stroke=p.TRAVERTINE_SHADE),
        *inside,
        *(rect(bay * (k - bays / 2) - 5, -104, 10, 96, **stone) for k in range(bays + 1)),
        rect(-half - 8, -120, 2 * half + 16, 18, **stone),
        rect(-half, -8, 2 * half, 8, **stone),
    ]


def frieze(words: str, x: float, y: float) -> Element:
    """The inscription over the columns of a temple that stands on (x, y)."""
    return inscription(words, x + 2, y - 106.5, 12, letter_spacing=4, fill=Palette.BLOOD, font_weight="bold")
