"""What surrounds the tracks of Chariotmaster: the country with its trees and fields, the spina with its monuments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from spina.games.chariotmaster.pictures.layout import Box, Track, largest_box
from spina.games.chariotmaster.rules.record import MM
from spina.games.circus import temple
from spina.games.pictures import Palette, inscription, lap_counter, metae, obelisk, roman
from spina.games.svg import Element, Look, at, element, group, number, path, rect, use

WALL = 6.0
"""Thickness of the walls of a course in the country."""


# --- the country around an open course ------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def country(track: Track) -> tuple[Element, ...]:
    """A framed ground with trees, the course between its walls, and people behind them."""
    p = Palette
    width, height = track.size
    wide = 2 * track.half_width / MM
    middle = track.edge(0)
    none: Look = {"fill": "none"}
    frame = 22.0
    box = rect(frame, frame, width - 2 * frame, height - 2 * frame, rx=8, fill="url(#spina-earth)")
    tint = rect(frame, frame, width - 2 * frame, height - 2 * frame, rx=8, fill=p.MALACHITE, fill_opacity=0.42)
    border = rect(
        frame - 4,
        frame - 4,
        width - 2 * frame + 8,
        height - 2 * frame + 8,
        rx=10,
        stroke=p.OCHRE,
        stroke_width=2,
        **none,
    )
    dot: Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": 4.4, "stroke_opacity": 0.6}
    fields, taken = _estate(track, frame)
    crowd = []
    for n, (colour, gap) in enumerate(((p.RED, 27.7), (p.WATER, 43.9), (p.IVORY, 35.3), (p.INK, 39.1))):
        for side in (-1, 1):
            row = track.edge(side * (track.half_width + (WALL + 4.5) * MM))
            crowd.append(
                path(row, stroke=colour, stroke_dasharray=f"0 {gap}", stroke_dashoffset=9 * n + 4 * side, **dot)
            )
    return (
        element("rect", width="100%", height="100%", rx=20, fill="url(#spina-wall)"),
        border,
        box,
        tint,
        path(
            middle,
            stroke=p.EARTH,
            stroke_width=wide + 2 * WALL + 26,
            stroke_opacity=0.5,
            stroke_linejoin="round",
            **none,
        ),
        group(crowd, class_="crowd"),
        group(fields, class_="estate"),
        group(_trees(track, frame, taken), class_="trees"),
        path(middle, stroke=p.INK, stroke_opacity=0.28, stroke_width=wide + 2 * WALL, transform=at(3, 4), **none),
        path(middle, stroke=p.INK_SOFT, stroke_width=wide + 2 * WALL + 1.6, **none),
        path(middle, stroke=p.TRAVERTINE, stroke_width=wide + 2 * WALL, **none),
        path(
            track.edge(track.half_width + WALL * 5) + track.edge(-track.half_width - WALL * 5),
            stroke=p.TRAVERTINE_SHADE,
            stroke_width=WALL - 1.5,
            stroke_dasharray="1 13",
            **none,
        ),
    )


def _estate(track: Track, frame: float) -> tuple[list[Element], list[Box]]:
    """An aqueduct, a villa, a vineyard and a field of corn in the widest part of the country; and where they lie."""
    p = Palette
    width, height = track.size
    ways = [track.place(track.length * k / 120)[:2] for k in range(121)]
    near = track.half_width / MM + WALL + 20
    box = largest_box(
        (frame + 8, frame + 26, width - frame - 8, height - frame - 8),
        lambda x, y: min(math.dist((x, y), way) for way in ways) > near,
    )
    if box is None or box[2] - box[0] < 150 or box[3] - box[1] < 80:
        return [], []
    left, top, right, bottom = box
    wide, high = min(right - left, 460.0), min(bottom - top, 230.0)
    x, y = (left + right - wide) / 2, (top + bottom - high) / 2
    field = wide * 0.3, high * 0.42
    rows = "".join(f"M4 {number(6 + 9 * k)}H{number(field[0] - 4)}" for k in range(int((field[1] - 4) // 9)))
    corn = "".join(f"M{number(3 + 4 * k)} 3V{number(field[1] - 3)}" for k in range(int((field[0] - 3) // 4)))
    arches = int(wide // 22)
    spans = "".join(f"M{22 * k + 5} 30V16a6 6 0 0 1 12 0V30Z" for k in range(arches))
    low = y + high - field[1]
    parts = [
        group(
            [
                rect(0, 0, 22 * arches, 30, fill=p.TRAVERTINE_MID, stroke=p.INK_SOFT),
                path(f"M0 5H{22 * arches}", stroke=p.WATER_LIGHT, stroke_width=2.4),
                path(spans, fill="#6f7a4c", stroke=p.INK_SOFT),
            ],
            class_="aqueduct",
            transform=at(x + (wide - 22 * arches) / 2, y),
        ),
        group(
            [
                rect(0, 0, *field, fill=p.EARTH, stroke=p.EARTH_DEEP),
                path(
                    rows,
                    fill="none",
                    stroke=p.MALACHITE,
                    stroke_width=5,
                    stroke_dasharray="0 8",
                    stroke_linecap="round",
                ),
            ],
            class_="vineyard",
            transform=at(x, low),
        ),
        group(
            [
                rect(0, 0, *field, fill=p.OCHRE, stroke=p.EARTH_DEEP),
                path(corn, fill="none", stroke=p.GILT_SHADE, stroke_opacity=0.6, stroke_dasharray="6 2"),
            ],
            class_="corn",
            transform=at(x + wide - field[0], low),
        ),
        group(_villa(), class_="villa", transform=at(x + wide / 2, y + high - 6, 0, min(wide / 300, high / 150))),
    ]
    return parts, [(x - 12, y - 4, x + wide + 12, y + high + 30)]


def _villa() -> list[Element]:
    """A country house from the front, standing on (0, 0), 100 wide."""
    p = Palette
    wall: Look = {"fill": p.TRAVERTINE, "stroke": p.INK_SOFT}
    roof: Look = {"fill": p.RED, "stroke": p.WALL_DEEP, "stroke_linejoin": "round"}
    return [
        element("ellipse", cx=6, cy=0, rx=58, ry=5, fill=p.INK, fill_opacity=0.25),
        rect(-46, -26, 92, 26, **wall),
        path("M-52-26-44-36H44L52-26Z", **roof),
        rect(-20, -46, 40, 46, **wall),
        path("M-26-46 0-60 26-46Z", **roof),
        *(rect(x - 1.5, -40, 3, 40, **wall) for x in (-15, -5, 5, 15)),
        rect(-4, -18, 8, 18, fill=p.WALL_DEEP),
        *(rect(x, -18, 6, 8, fill=p.WALL_DEEP) for x in (-40, -29, 23, 34)),
    ]


def _trees(track: Track, frame: float, taken: Sequence[Box]) -> list[Element]:
    """Cypresses and pines in groves where there is room, the same in every picture."""
    width, height = track.size
    ways = [track.place(track.length * k / 200)[:2] for k in range(201)]
    near = track.half_width / MM + WALL + 24
    found: list[tuple[float, float, int]] = []
    for k in range(320):
        # two irrational steps spread points evenly without random numbers; waves leave clearings between them
        x = frame + 16 + (width - 2 * frame - 32) * (k * 0.7548776662 % 1)
        y = frame + 44 + (height - 2 * frame - 56) * (k * 0.5698402910 % 1)
        clearing = math.sin(x / 61) + math.sin(y / 47 + x / 173) > 0.7
        covered = any(a < x < c and b < y < d + 8 for a, b, c, d in taken)
        if clearing or covered or min(math.dist((x, y - 8), way) for way in ways) < near:
            continue
        if all(math.dist((x, y), other[:2]) > 19 + k % 9 for other in found):
            found.append((x, y, k))
    return [
        use("spina-pine" if k % 3 == 0 else "spina-cypress", transform=at(x, y, 0, 0.8 + k % 5 / 10))
        for x, y, k in sorted(found, key=lambda tree: tree[1])
    ]


def definitions() -> list[Element]:
    return [group(_tree(0), id="spina-pine"), group(_tree(1), id="spina-cypress")]


def _tree(k: int) -> list[Element]:
    p = Palette
    shadow = element("ellipse", cx=3, cy=0, rx=9, ry=2.6, fill=p.INK, fill_opacity=0.3)
    if k % 3:
        return [
            shadow,
            path("M-1 0V-6H1V0Z", fill=p.EARTH_DEEP),
            path("M0-38C5-26 6-12 4-5Q0-2-4-5C-6-12-5-26 0-38Z", fill="#24533f"),
            path("M0-38C5-26 6-12 4-5Q2-3.4.6-3.6C3-14 2-28 0-38Z", fill="#173b2d"),
        ]
    return [
        shadow,
        path("M-1.2 0-.8-16H.8L1.2 0Z", fill=p.EARTH_DEEP),
        path("M-14-15C-15-23-6-28 0-27C7-28 15-23 14-15Q0-11-14-15Z", fill="#356b47"),
        path("M-14-15C-6-17 8-17 14-15Q0-11-14-15Z", fill="#214a33"),
    ]


def tablet(track: Track) -> Element:
    """The title on a tablet at the top, for tracks without a spina."""
    p = Palette
    width, _ = track.size
    half = min(20 + 5.6 * max(len(track.title), 4), width / 2 - 40)
    ends = f"M{number(-half)}-8l-11-6v28l11-6M{number(half)}-8l11-6v28l-11-6"
    parts = [
        path(ends, fill=p.TRAVERTINE_MID, stroke=p.TRAVERTINE_SHADE),
        rect(-half, -13, 2 * half, 26, rx=2, fill=p.TRAVERTINE, stroke=p.TRAVERTINE_SHADE),
        inscription(
            track.title.upper(),
            0,
            5,
            14,
            fill=p.BLOOD,
            class_="title",
            textLength=min(2 * half - 16, 10.6 * max(len(track.title), 1)),
        ),
    ]
    return group(parts, class_="tablet", transform=at(width / 2, 24), pointer_events="none")


# --- the spina ------------------------------------------------------------------------------------------------------

BASIN = 7.0
"""From the inner edge of the track to the water of the spina."""
LOWEST = 56.0
"""Height of the infield below which there is only water."""


def spina(track: Track, laps: int, done: int, lap: int) -> list[Element]:
    """The infield: a basin of water, and on a podium in it, where there is room, the monuments."""
    p = Palette
    parts = [
        path(track.oval(0), fill=p.TRAVERTINE, stroke=p.INK_SOFT, stroke_width=1.4),
        path(track.oval(-BASIN), fill="url(#spina-depth)"),
        path(track.oval(-BASIN), fill="url(#spina-waves)", stroke=p.WATER_DEEP, stroke_width=2),
    ]
    if track.infield is None:
        return parts
    left, top, right, bottom = track.infield
    room = bottom - top - 2 * BASIN
    high = min(room, (right - left) / 4.2)
    if high < LOWEST - 2 * BASIN:
        return parts
    middle, foot = (left + right) / 2, bottom - BASIN - (room - high) / 2
    strip = 0.24 * high
    floor = foot - strip
    scale = (high - strip - 5) / 216
    back = strip * 0.3
    ends = left + 6, right - 6
    parts += [
        path(
            f"M{number(ends[0])} {number(floor - back)}H{number(ends[1])}V{number(foot)}H{number(ends[0])}Z",
            fill=p.TRAVERTINE_MID,
            stroke=p.TRAVERTINE_SHADE,
        ),
        rect(ends[0], floor - back, ends[1] - ends[0], back, fill=p.TRAVERTINE),
        path(f"M{number(ends[0])} {number(floor + 1)}H{number(ends[1])}", stroke=p.TRAVERTINE_SHADE, stroke_width=1.4),
        _title(track.title, middle, floor + strip * 0.74, strip * 0.66, ends[1] - ends[0]),
    ]
    for x, thing in _monuments(middle, ends, scale, laps, done, lap):
        parts.append(group([thing], transform=at(x, floor - back / 4, 0, scale)))
    return parts


def _title(title: str, x: float, y: float, size: float, room: float) -> Element:
    long = min(size * 1.05 * max(len(title), 1), room * 0.8)
    return inscription(title.upper(), x, y, size, fill=Palette.BLOOD, class_="title", textLength=long)


def _monuments(
    middle: float, ends: tuple[float, float], scale: float, laps: int, done: int, lap: int
) -> list[tuple[float, Element]]:
    """The monuments that fit between the ends of the podium, and where they stand."""
    half = (ends[1] - ends[0]) / 2
    turning = half - 62 * scale
    found = [(middle - turning, metae()), (middle + turning, metae()), (middle, obelisk())]
    room = turning - 62 * scale
    numeral = [inscription(roman(lap), 0, -20, 46, fill=Palette.GILT, class_="lap")] if lap else []
    beside = [(-1, 264.0, group([lap_counter(laps, done), *numeral])), (1, 210.0, group(temple(90, 4, _niche())))]
    reach = 60 * scale
    for side, wide, thing in beside:
        at_x = max(220 * scale, reach + wide * scale / 2)
        if at_x + wide * scale / 2 < room:
            found.append((middle + side * at_x, thing))
    inner = 430 * scale
    gap = 150 * scale
    k = 0
    while inner + gap * (k + 0.5) < room:
        x = inner + gap * (k + 0.2)
        for side in (-1, 1):
            found.append((middle + side * x, _victory() if k % 2 == 0 else use("spina-cypress", transform="scale(4)")))
        k += 1
    return found


def _niche() -> list[Element]:
    p = Palette
    flame = "M-9-44Q-12-58-2-68Q0-60 6-60Q12-50 7-44Z"
    return [
        rect(-90, -104, 180, 98, fill=p.WALL_DEEP),
        rect(-14, -44, 28, 36, fill=p.TRAVERTINE_MID),
        path(flame, fill=p.GILT),
    ]


def _victory() -> Element:
    """A column with a gilded Victory, 168 high."""
    p = Palette
    stone: Look = {"fill": p.TRAVERTINE, "stroke": p.TRAVERTINE_SHADE}
    wings = "M0-150C-8-158-22-160-28-152C-20-150-16-142-4-136ZM0-150C8-158 22-160 28-152C20-150 16-142 4-136Z"
    return group(
        [
            rect(-18, -10, 36, 10, **stone),
            path("M-9-10-7-112H7L9-10Z", **stone),
            path("M-3-12-2.4-110M3-12 2.4-110", stroke=p.TRAVERTINE_SHADE, stroke_width=1.4),
            rect(-13, -120, 26, 9, **stone),
            path(wings, fill=p.GILT_SHADE),
            path("M-7-120-4-148Q0-154 4-148L7-120Z", fill=p.GILT),
            element("circle", cy=-157, r=5, fill=p.GILT),
        ],
        class_="victory",
    )
