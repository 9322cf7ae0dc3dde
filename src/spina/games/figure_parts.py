"""Parts of the figures of rules pages that all games share: dice, badges, arrows, labels, and strips of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spina.games.factions import Faction, shape
from spina.games.pictures import Palette, inscription
from spina.games.svg import Element, Look, at, element, group, number, path, rect

DIE = 11.0
"""Edge of a die."""
LINE = 16.0
"""Height of a line of a strip."""
GAP = 5.0
USUAL = 170.0
"""Width of a figure in which signs and labels have their plain size."""
LETTER = 6.5
"""Size of the letters of a strip; about 0.62 of it is a letter's width."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Item:
    """Something in a strip, drawn around the middle of its left edge."""

    width: float
    parts: tuple[Element, ...]


def die(face: int, colour: str = Palette.IVORY, ink: str = Palette.INK) -> Item:
    """A die that shows this face."""
    half, step = DIE / 2, DIE * 0.27
    pips = [element("circle", cx=half + step * x, cy=step * y, r=1.15, fill=ink) for x, y in _PIPS[face]]
    body = rect(0, -half, DIE, DIE, rx=2, fill=colour, stroke=Palette.INK, stroke_width=0.7)
    return Item(DIE, (body, *pips))


def badge(of: Faction) -> Item:
    """The shape and letter of a faction."""
    turned = at(5.5, 0.6, -90) if of.shape == "triangle" else at(5.5, 0)
    letter = inscription(of.letter, 5.5, 3 if of.shape == "triangle" else 2.4, 6.6, fill=of.ink, font_weight="bold")
    outline = path(shape(of.shape, 5), transform=turned, fill=of.colour, stroke=Palette.INK, stroke_width=0.7)
    return Item(11, (outline, letter))


def words(text: str, bold: bool = False, fill: str = Palette.INK) -> Item:
    """A few signs or letters."""
    look: Look = {"text_anchor": "start", "fill": fill, "font_weight": "bold" if bold else None}
    return Item(len(text) * LETTER * 0.62, (inscription(text, 0, LETTER * 0.36, LETTER, **look),))


def drawing(parts: Iterable[Element], width: float, middle: float = 0.0, scale: float = 1.0) -> Item:
    """Any drawing of this width, whose middle lies at `middle`."""
    return Item(width, (group(list(parts), transform=at(width / 2 - middle * scale, 0, scale=scale)),))


def strip(rows: Sequence[Sequence[Item]], x: float, y: float, width: float) -> tuple[list[Element], float]:
    """Plates of items from left to right, with line breaks between them; and their height."""
    parts: list[Element] = []
    left, top = x, y
    plate: Look = {"fill": Palette.TRAVERTINE, "stroke": Palette.TRAVERTINE_SHADE, "stroke_width": 0.6}
    for row in rows:
        wide = sum(item.width + 2.5 for item in row) + 3.5
        if left > x and left + wide > x + width:
            left, top = x, top + LINE + 2
        parts.append(rect(left, top, wide, LINE, rx=3, **plate))
        inner = left + 3
        for item in row:
            parts.append(group(item.parts, transform=at(inner, top + LINE / 2)))
            inner += item.width + 2.5
        left += wide + GAP
    return parts, (top + LINE - y if rows else 0.0)


def arrow(
    points: Sequence[tuple[float, float]], colour: str = Palette.INK, dashed: bool = False, short: float = 0.0
) -> list[Element]:
    """A line through the points with a head at its end; nothing if it is too short to be seen.

    It ends `short` of the last point, so that what stands there can be seen, unless that is most of the way.
    """
    (x1, y1), (x2, y2) = points[-2], points[-1]
    long = math.hypot(x2 - x1, y2 - y1)
    if long < 1:
        return []
    a, b = (x2 - x1) / long, (y2 - y1) / long
    if short < long / 2:
        x2, y2 = x2 - short * a, y2 - short * b
    data = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in [*points[:-1], (x2 - 3 * a, y2 - 3 * b)])
    head = [(x2, y2), (x2 - 6 * a - 3 * b, y2 - 6 * b + 3 * a), (x2 - 6 * a + 3 * b, y2 - 6 * b - 3 * a)]
    tip = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in head) + "Z"
    line: Look = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    return [
        path(data, stroke=Palette.IVORY, stroke_width=4, stroke_opacity=0.8, **line),
        path(data, stroke=colour, stroke_width=1.8, stroke_dasharray="4 3" if dashed else None, **line),
        path(tip, fill=colour, stroke=Palette.IVORY, stroke_width=0.6),
    ]


def label(text: str, x: float, y: float, size: float = 6.5) -> list[Element]:
    """A label on a light ground."""
    wide = len(text) * size * 0.6 + 4
    return [
        rect(x - wide / 2, y - size * 0.72, wide, size * 1.4, rx=2, fill=Palette.IVORY, fill_opacity=0.92),
        inscription(text, x, y + size * 0.33, size, font_weight="bold"),
    ]


def star(x: float, y: float, radius: float = 7.0) -> Element:
    """A burst where two things hit each other."""
    points = []
    for k in range(16):
        angle, r = math.pi * k / 8, radius if k % 2 == 0 else radius * 0.5
        points.append(f"{number(x + r * math.cos(angle))} {number(y + r * math.sin(angle))}")
    look: Look = {"fill": Palette.GILT, "stroke": Palette.BLOOD, "stroke_width": 0.9}
    return path("M" + "L".join(points) + "Z", class_="burst", **look)


def framed(
    box: tuple[float, float, float, float],
    ground: Iterable[Element],
    rows: Sequence[Sequence[Item]],
    definitions: Iterable[Element] = (),
) -> str:
    """A whole figure: what lies in the box (left, top, width, height), and below it the strip of these rows."""
    left, top, width, height = box
    scale = scale_of(width)
    plates, high = strip(rows, GAP, GAP, width / scale - 2 * GAP)
    below = (high + 2 * GAP) * scale if rows else 0.0
    parts = [group(list(ground), transform=at(-left, -top))]
    if rows:
        parts += [
            rect(0, height, width, below, fill=Palette.SAND_WARM),
            group(plates, transform=at(0, height, scale=scale)),
        ]
    return sheet(width, height + below, parts, definitions)


def window(
    places: Sequence[tuple[float, float]], room: float, least: tuple[float, float]
) -> tuple[float, float, float, float]:
    """The box around these places with some room, at least this wide and high: left, top, width, height."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    left, right, top, bottom = min(xs) - room, max(xs) + room, min(ys) - room, max(ys) + room
    wide, high = max(right - left, least[0]), max(bottom - top, least[1])
    return (left + right - wide) / 2, (top + bottom - high) / 2, wide, high


def within(place: tuple[float, float], box: tuple[float, float, float, float], room: float) -> bool:
    """Whether a place lies in the box, or at most `room` outside."""
    left, top, wide, high = box
    return left - room < place[0] < left + wide + room and top - room < place[1] < top + high + room


def scale_of(width: float) -> float:
    """How much larger signs and labels are in a wide figure, which a page shows smaller."""
    return max(1.0, width / USUAL)


def sheet(width: float, height: float, parts: Sequence[Element], definitions: Iterable[Element] = ()) -> str:
    """A figure of this size, with those of the definitions that it uses.

    Its page gives it a caption and a text for screen readers, so the file has neither.
    """
    drawn = "".join(map(str, parts))
    used = [each for each in definitions if f"#{dict(each.attributes)['id']}" in drawn]
    return str(
        element(
            "svg",
            *([element("defs", *used)] if used else []),
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=round(2 * width),
            height=round(2 * height),
        )
    )
